"""The literal code as a second witness: what it says wrongly is an error."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from ptum.checks.claims.appendix_b import concentration as lemma_2
from ptum.checks.claims.appendix_b import simulation, stopping
from ptum.checks.claims.appendix_c import estimates
from ptum.checks.claims.appendix_d import (
    deviations,
    lemma_12,
    lemma_15,
    long_sequences,
    model_errors,
    moved_moments,
    within_task,
)
from ptum.checks.claims.section_2 import values
from ptum.checks.claims.section_4 import models
from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.appendix_b import concentration as concentration_cases
from ptum.checks.instances.counterexamples.appendix_b import correctness, elimination
from ptum.checks.instances.counterexamples.appendix_c import moments
from ptum.checks.instances.counterexamples.appendix_c.moments import three_cycle
from ptum.checks.instances.counterexamples.appendix_d import identification, lemma_11, lemma_14
from ptum.checks.instances.counterexamples.appendix_e import experiment_settings
from ptum.checks.instances.counterexamples.section_4 import theorem_2, theorem_3
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.families import hmms
from ptum.checks.verdicts import witness
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.witness import WitnessError
from ptum.reference.errors import NotANumberError
from ptum.reference.inequalities import Bound, Inequality
from ptum.reference.repaired.sequential.analysis import conditioning as repaired_conditioning
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired_bounds
from ptum.reference.repaired.sequential.analysis import within_task_bounds
from ptum.reference.sequential.analysis import conditioning, spectral_bounds
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.transfer.analysis import concentration, lemmas
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import near

PRINTED = Version.PRINTED
QUICK = Context(Profile.QUICK, seed=1)
TASK = deterministic_runs.arms(Fraction(1, 2), (Fraction(1), Fraction(0)))[0]
PAIR = simulation.ComparedTasks(TASK, TASK, (0,))


def test_numbers_may_differ_by_their_tolerance_only() -> None:
    third = Fraction(1, 3)
    witness.same_numbers("x", np.array([1 / 3, 2.0]), (third, 2), 1e-15)
    witness.same_numbers("x", math.inf, math.inf, 0.0)
    for wrong in (0.34, math.inf):
        with pytest.raises(WitnessError, match="in the literal code"):
            witness.same_numbers("x", wrong, third, 1e-3)
    with pytest.raises(NotANumberError):
        witness.same_numbers("x", math.nan, third, 1e-3)


def test_squares_and_truths() -> None:
    witness.same_square("√2", math.sqrt(2), 2)
    with pytest.raises(WitnessError, match="square of √2"):
        witness.same_square("√2", 1.4142, 2)
    witness.same_truth("it", bool(np.True_), True)
    with pytest.raises(WitnessError, match="it: True in the literal code, False"):
        witness.same_truth("it", True, False)


# Wrong literal code


def scaled(found: Any, factor: float) -> Any:
    """A number, bound or bundle of them, in which all numbers are that many times as large."""
    if isinstance(found, Bound):
        return replace(found, right=np.asarray(found.right) * factor + 1e-9)
    if is_dataclass(found) and not isinstance(found, type):
        changed = {
            field.name: scaled(value, factor)
            for field in fields(found)
            if isinstance(value := getattr(found, field.name), float | Bound | np.ndarray)
            or field.name == "errors"
        }
        return replace(found, **changed)
    return factor * found


def times(real: Callable[..., Any], factor: float) -> Callable[..., Any]:
    """The function, off by a factor."""
    return lambda *args, **kwargs: scaled(real(*args, **kwargs), factor)


HALF = Fraction(1, 2)
OPPOSITES = moved_moments.opposite_tasks(1, Fraction(9, 10))
MOVED = moved_moments.Moved(OPPOSITES, 1.0, "aligned", 1.0, 0)
DISTRIBUTIONS = lemma_14.Laws(
    (HALF, HALF), (Fraction(1, 3), Fraction(2, 3)), (HALF, HALF * 2), HALF * 2
)
ESTIMATED = model_errors.Estimated(
    S=1,
    A=1,
    u=(Fraction(0), Fraction(1)),
    gamma=HALF,
    truth=((HALF, HALF, Fraction(1)), (Fraction(0), Fraction(1), Fraction(1))),
    raw=((Fraction(1, 4), Fraction(3, 4), Fraction(1)), (Fraction(0), Fraction(1), Fraction(1))),
)
STAYING = ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
PREDICTION = lemma_15.Prediction(STAYING, STAYING, (0,), 0, (1,))
LEVEL = Level(S=1, A=1, U=2, h=10**6, delta_prime=0.1)
LONG = long_sequences.Long(MOVED, 1)
VISITED = within_task.TaskVisits(OPPOSITES, (3, 3), 0, 0.5)

Wrong = tuple[object, str, float, Callable[[], object]]
WRONG: dict[str, Wrong] = {
    "Lemma 4": (
        lemmas,
        "model_elimination",
        2,
        partial(elimination.played_evaluation, elimination.Played(), PRINTED),
    ),
    "Lemma 5": (
        simulation,
        "simulation_lemma",
        2,
        partial(simulation.evaluation, PAIR, simulation.policy_sides),
    ),
    "Lemma 14": (
        spectral_bounds,
        "value_error_bound",
        2,
        partial(lemma_14.values_evaluation, lemma_14.stretched()),
    ),
    "Lemma 15": (
        spectral_bounds,
        "next_task_bound",
        2,
        partial(identification.random_set_evaluation, identification.sticky()),
    ),
    "Lemma 15, repaired": (
        repaired_bounds,
        "next_task_bound",
        2,
        partial(lemma_15.prediction_evaluation, PREDICTION),
    ),
    "moments": (
        moments,
        "population_moments",
        2,
        partial(moments.moments_have_the_form, theorem_2.coins(Fraction(2, 5)), PRINTED),
    ),
    "V*": (values, "optimal_value", 2, partial(values.optimal_evaluation, TASK)),
    "η": (
        experiment_settings,
        "theorem_3_eta",
        2,
        partial(experiment_settings.tuned_evaluation, 0.087),
    ),
    "Lemma 10, too large": (
        identification,
        "printed_bounds",
        1000,
        partial(identification.lemma_10_evaluation, identification.independent_tasks()),
    ),
    "Lemma 14, too large": (
        identification,
        "printed_bounds",
        1000,
        partial(identification.lemma_14_evaluation, identification.relabelled()),
    ),
    "Lemma 10, repaired": (
        lemma_11,
        "repaired_bounds",
        2,
        partial(lemma_11.period_three_evaluation, three_cycle(), lemma_11.cyclic()),
    ),
    "all bounds of Lemma 14, repaired": (
        model_errors,
        "repaired_bounds",
        2,
        partial(model_errors.any_order_evaluation, ESTIMATED),
    ),
    "constants for all h": (
        long_sequences,
        "uniform_constants",
        0.1,
        partial(long_sequences.event_evaluation, LONG, 11),
    ),
    "printed ρ_4 and ρ_6": (
        lemma_12,
        "printed_constants",
        2,
        lambda: lemma_12.printed_rho_4(MOVED, moved_moments.population(OPPOSITES)),
    ),
    "Lemma 11 within tasks": (
        within_task_bounds,
        "observation_error_bound",
        2,
        partial(within_task.rare_evaluation, VISITED),
    ),
    "a miss": (theorem_3, "miss_probability", 1.1, partial(theorem_3.confirm_misses, 0.1)),
    "a failure": (theorem_3, "failure_probability", 1.1, partial(theorem_3.confirm_misses, 0.1)),
    "Theorem 2's model error": (
        models,
        "theorem_2_model_error",
        2,
        partial(models.confirm_model_error, 0.01, 0.5, 0.1),
    ),
    "ρ_3 within tasks": (
        within_task_bounds,
        "rho_3",
        0.01,
        partial(models.confirm_within_tasks, replace(LEVEL, h=40), replace(LEVEL, h=40)),
    ),
    "ρ_4 within tasks": (
        within_task_bounds,
        "rho_4",
        0.1,
        partial(models.confirm_within_tasks, LEVEL, LEVEL),
    ),
    "ρ_3 for all h": (
        models,
        "uniform_constants",
        1e-3,
        partial(models.confirm_for_all_h, hmms.three_task_chain()),
    ),
}
"""Where a literal function is imported, its name, by how much it is off, and what then fails."""


@pytest.mark.parametrize("what", WRONG)
def test_a_literal_number_that_is_off_is_an_error(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, name, factor, run = WRONG[what]
    run()
    monkeypatch.setattr(place, name, times(getattr(place, name), factor))
    with pytest.raises(WitnessError):
        run()


def test_a_wrong_literal_lemma_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    always = Inequality(left=0.0, right=10.0**6)
    symmetric, bandit = concentration_cases.symmetric(), correctness.bandit()
    runs: list[tuple[object, str, Callable[[], object]]] = [
        (
            concentration,
            "bernstein",
            lambda: concentration_cases.bernstein_evaluation(symmetric, PRINTED),
        ),
        (lemmas, "positive_index", lambda: correctness.positive_index_evaluation(bandit, PRINTED)),
        (stopping, "stopping_condition", lambda: stopping.active(QUICK)),
        (simulation, "value_error", lambda: simulation.evaluation(PAIR, simulation.loss_sides)),
    ]
    for place, name, run in runs:
        with monkeypatch.context() as patch:
            patch.setattr(place, name, lambda *_, **__: always)
            with pytest.raises(WitnessError):
                run()
        run()


def test_a_wrong_literal_lemma_in_a_table_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    never = Inequality(left=1.0, right=0.0)
    floored = deviations.Floored(DISTRIBUTIONS, Fraction(1, 10))
    of_13 = partial(deviations.case, floored, deviations.printed_bound, both=True)
    tables: list[tuple[dict[Any, Any], Callable[[], object]]] = [
        (lemma_2.LITERAL, partial(lemma_2.empirical_two_point, QUICK)),
        (deviations.LITERAL, of_13),
    ]
    for table, run in tables:
        run()
        with monkeypatch.context() as patch:
            for key in table:
                patch.setitem(table, key, lambda *_, **__: never)
            with pytest.raises(WitnessError):
                run()


def test_an_estimate_that_is_not_projected_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    of_distribution = partial(estimates.projected, (np.array([0.5, 0.5]), np.array([0.7, 0.7])))
    of_distribution()
    monkeypatch.setattr(estimates, "project", lambda *raw: raw)
    with pytest.raises(WitnessError, match="a block of Ô"):
        of_distribution()


def test_a_threshold_that_is_finite_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    of_rank = partial(conditioning.printed_constants, lambda_min="kth")
    monkeypatch.setattr(long_sequences, "printed_constants", of_rank)
    for lemma in (11, 12):
        with pytest.raises(WitnessError, match=f"threshold of Lemma {lemma}"):
            long_sequences.vacuous_evaluation(OPPOSITES, lemma)


@pytest.mark.parametrize("lemma", [11, 12])
def test_smaller_literal_constants_are_refuted(lemma: int, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = times(repaired_conditioning.repaired_constants, 0.1)
    monkeypatch.setattr(long_sequences, "repaired_constants", wrong)
    assert long_sequences.on_the_event(QUICK, lemma).verdict is Verdict.VIOLATED


def test_the_least_difference_is_that_of_the_played_models() -> None:
    played = elimination.played_models(elimination.Played())
    V = [*map(mdp.optimal_value, played)]
    # the better of two actions of z, 1/2 against 99/200
    assert elimination.least_difference(played, V) == near(1 / 200)
