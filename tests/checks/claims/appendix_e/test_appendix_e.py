"""Section 6 and Appendix E: counterexamples need their numbers, checks reject wrong ones."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ptum.checks.claims.appendix_e import learning, parameters, runs
from ptum.checks.claims.appendix_e.runs import Path
from ptum.checks.exact.mdp import Vector
from ptum.checks.instances.counterexamples.appendix_e import experiment_settings, samples
from ptum.checks.instances.counterexamples.appendix_e.samples import Sized
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.arrays import Floats
from ptum.reference.experiments import spectral as as_run
from ptum.reference.experiments.objectworld import FIGURE_2, FIGURE_4, VALUES
from ptum.reference.experiments.two_rooms import Payment
from ptum.reference.repaired.sequential.spectral import SpectralOutcome as Learned
from ptum.reference.sequential.spectral import HmmEstimate, empirical_moments
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
VIOLATED, HOLDS, NOT_MET = Verdict.VIOLATED, Verdict.HOLDS, Verdict.ASSUMPTION_NOT_MET


# Arithmetic


def test_items_and_tasks_are_counted() -> None:
    assert parameters.repaired_tasks(QUICK, (1, 7, 4)).verdict is NOT_MET
    assert parameters.repaired_tasks(QUICK, (1, 7, 4, 4)).verdict is VIOLATED
    without_empty_cells = tuple(value + 0.01 for value in VALUES)
    assert parameters.items_without_zero(QUICK, without_empty_cells).verdict is VIOLATED


def test_rho_decides_about_transfer() -> None:
    assert parameters.admissible_rho(QUICK, rho=0.0222).verdict is VIOLATED
    assert (
        experiment_settings.in_time_evaluation(400).verdict() is VIOLATED
    )  # within the experiment
    assert (
        experiment_settings.in_time_evaluation(experiment_settings.ENTERS_AT - 1).verdict()
        is VIOLATED
    )
    assert parameters.decay_decides(QUICK, rho=0.006).verdict is NOT_MET
    assert experiment_settings.enters_evaluation(0.006, 500).verdict() is NOT_MET


def test_numbers_of_the_reason_about_rho() -> None:
    enters = experiment_settings.enters_evaluation
    assert float(experiment_settings.model_error(0.135, 300)) == pytest.approx(0.0384, abs=5e-5)
    assert enters(0.135, 400).conclusion.right == pytest.approx(0.00658, abs=5e-6)
    h = next(h for h in range(13_000, 14_000) if enters(0.135, h).conclusion.holds)
    assert h == 13_396


def test_eta_keeps_what_it_says_and_no_theorem() -> None:
    assert parameters.keeps_likely_models(QUICK, probability=0.004).verdict is VIOLATED
    assert parameters.not_an_instance(QUICK, eta=2.6e-8).verdict is VIOLATED
    assert parameters.only_tuned(QUICK, eta=2.6e-8).verdict is VIOLATED
    assert parameters.only_tuned(QUICK, eta=1.5).verdict is NOT_MET


@pytest.mark.parametrize(
    "wrong",
    [{"keep": 2}, {"keep": 4}, {"eta": 0.088}, {"eta": 0.086}, {"rho_T": 0.002}, {"rho_T": 0.0}],
)
def test_other_numbers_are_not_the_rule_as_run(wrong: dict[str, Any]) -> None:
    other = replace(parameters.EXPERIMENT, **wrong)
    assert parameters.keeps_as_run(QUICK, other).verdict is VIOLATED
    unsorted = parameters.PREDICTED[0][::-1]
    assert parameters.as_run_evaluation(unsorted, 300).verdict() is NOT_MET


def test_parameters_and_failures() -> None:
    assert parameters.repaired_factor(QUICK, Fraction(3)).verdict is VIOLATED
    both = experiment_settings.TwoExperiments(FIGURE_2, later=FIGURE_4)
    found = experiment_settings.stochasticity_evaluation(both, of_rewards=True)
    assert found.verdict() is VIOLATED


# Runs of PTUM


def test_small_accuracy_makes_ptum_ask_even_if_goals_pay_once() -> None:
    assert runs.asks_evaluation(Payment.ON_ARRIVAL).verdict() is VIOLATED  # the literal code agrees
    assert runs.asks_evaluation(Payment.ON_ARRIVAL, 0.1).verdict() is HOLDS
    # a huge ε stops also where goals pay for ever
    assert runs.asks_evaluation(Payment.IN_GOAL, 9000.0).verdict() is VIOLATED


def test_goals_that_do_not_absorb_give_more_samples() -> None:
    assert runs.one_informative_sample(QUICK, absorbing=False).verdict is VIOLATED


def test_a_filter_that_keeps_everything_gains_nothing() -> None:
    assert runs.filtered_set(QUICK, kept=(0, 1)).verdict is VIOLATED
    assert runs.filtered_evaluation(Fraction(2)).verdict() is NOT_MET


def test_counts_do_change_where_epsilon_passes_a_loss() -> None:
    """Looking beyond the end of an interval finds the step."""
    assert runs.steps(QUICK, inside=(0.5, 1.5)).verdict is VIOLATED


def test_losses_of_a_bandit() -> None:
    models = Path(((0.9, 0.1), (0.1, 0.9), (0.9, 0.1)), 0).models()
    assert runs.losses(models) == [0, near(1.6)]


def test_a_large_error_does_change_runs() -> None:
    assert runs.small_error(QUICK, shares=(1.0,)).verdict is VIOLATED


def test_no_error_turns_a_tie_of_means_in_tenths() -> None:
    """Equal indices min{gap²/var, gap} have equal gaps and, where they count, equal variances."""
    reasons: dict[Fraction, set[tuple[Fraction, Fraction]]] = {}
    for x, y in itertools.permutations((Fraction(i, 10) for i in range(11)), 2):
        gap, variance = abs(x - y), x * (1 - x)
        counts = variance >= gap
        information = gap**2 / variance if counts else gap
        reasons.setdefault(information, set()).add((gap, variance if counts else Fraction(0)))
    assert len(reasons) > 10
    assert all(len(found) == 1 for found in reasons.values())


def test_ties_are_seen_by_a_positive_error_only() -> None:
    assert runs.ties(QUICK, errors=(0.0,)).verdict is VIOLATED


def test_grids_need_the_same_models_and_different_counts() -> None:
    one, two = Sized(4, 10, (1, 2), 3.0), Sized(5, 11, (1, 2), 3.1)
    evaluation = samples.same_models_evaluation
    assert evaluation((one, two)).verdict() is VIOLATED
    assert evaluation((one, replace(two, queries=10))).verdict() is HOLDS
    assert evaluation((one, replace(two, eliminated=(1,)))).verdict() is NOT_MET
    assert evaluation((one,)).verdict() is NOT_MET


def test_counts_that_are_not_rounded_up_are_refuted() -> None:
    (found,) = samples.sized_runs((4,))
    assert samples.integer_evaluation(found).verdict() is HOLDS
    assert samples.integer_evaluation(found, phases=1).verdict() is VIOLATED
    more = replace(found, queries=found.queries + 1)
    assert samples.integer_evaluation(more).verdict() is VIOLATED
    assert samples.integer_evaluation(replace(found, eliminated=())).verdict() is NOT_MET


def test_growth_proportional_to_states_is_refuted() -> None:
    small, large = Sized(4, 114, (1, 2), 23.74), Sized(10, 114 * 6, (1, 2), 25.58)
    assert runs.growth_evaluation((small, large)).verdict() is VIOLATED
    assert runs.growth_evaluation((small,)).verdict() is NOT_MET


# Learning


def test_within_task_views_need_every_task() -> None:
    evaluation = learning.within_task_evaluation
    assert evaluation(np.array([0, 1, 1, 0])).verdict() is HOLDS
    assert evaluation(np.array([0, 0, 0, 0])).verdict() is NOT_MET


def test_interpolation_needs_independent_views_and_few_triples() -> None:
    evaluation = learning.interpolation_evaluation
    assert evaluation(4, 0).verdict() is HOLDS
    assert evaluation(4, 0, independent=False).verdict() is NOT_MET
    assert evaluation(40, 0).verdict() is NOT_MET
    fewer = evaluation(4, 0, lines=lambda o: empirical_moments(o[3:]))
    assert fewer.verdict() is VIOLATED


def test_a_smaller_tensor_is_not_enough() -> None:
    evaluation, tasks = learning.small_tensor_evaluation, learning.Alike(3, 0)
    assert evaluation(tasks).verdict() is HOLDS
    assert evaluation(tasks, size=2).verdict() is VIOLATED
    assert evaluation(replace(tasks, mixed=0.999)).verdict() is NOT_MET


def test_another_algorithm_does_not_give_back_a_cycle() -> None:
    """The means of the third views are no tasks in their order; a rank too low loses one."""
    assert learning.cycle_evaluation(learning.Alike(3, 0)).verdict() is NOT_MET
    assert learning.cycle_evaluation(learning.Alike(4, 0, mixed=0.999)).verdict() is NOT_MET

    def of_fewer(o: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> Learned:
        return as_run.learn_hmm(o, k - 1, L, N, rng)

    def doubled(o: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> Learned:
        found = as_run.learn_hmm(o, k, L, N, rng)
        return replace(found, O=2 * found.O) if isinstance(found, HmmEstimate) else found

    for wrong in (of_fewer, doubled):
        assert learning.cycles_as_run(QUICK, wrong).verdict is VIOLATED


def test_ten_tasks_are_singular_at_one_half_only() -> None:
    assert learning.learnable_evaluation(50).verdict() is VIOLATED
    for percent in (3, 49, 60):
        assert learning.learnable_evaluation(percent).verdict() is HOLDS
    assert learning.learnable_evaluation(0).verdict() is NOT_MET
    assert learning.invertible_evaluation(0.5, 0).verdict() is NOT_MET
    likely = learning.chain_of_ten(Fraction(9, 10))
    assert learning.is_least_singular_value(likely, Fraction(8, 10))
    for other in (Fraction(79, 100), Fraction(81, 100), Fraction(1)):
        assert not learning.is_least_singular_value(likely, other)


@pytest.mark.parametrize(
    "success", [0.0, 0.3, 0.4, 0.5, 0.6, 0.97, math.sqrt(0.2), math.sqrt(5) - 2]
)
def test_the_chain_of_ten_is_circulant(success: float) -> None:
    """σ_min(T) is 2s-1 from s = 1/2 on only; it also vanishes at 1/√5 and √5-2."""
    T = np.array(learning.chain_of_ten(Fraction(success)), dtype=np.float64)
    sigma = np.linalg.svd(T, compute_uv=False)[-1]
    waves = np.cos(2 * np.pi * np.arange(10) / 10)
    rounding = 100 * np.finfo(np.float64).eps  # ten terms of at most 1, and the error of the svd
    assert abs(sigma - np.min(np.abs(success + (1 - success) * waves))) <= rounding
    if success >= 0.5:
        assert abs(sigma - (2 * success - 1)) <= rounding
    if success in (0.5, math.sqrt(0.2), math.sqrt(5) - 2):
        assert sigma <= rounding


def test_less_failure_is_not_slower() -> None:
    assert learning.slower(QUICK, power=-2).verdict is VIOLATED
    assert learning.slower_evaluation((20, 10)).verdict() is NOT_MET


def test_two_likeliest_tasks_are_too_few() -> None:
    assert learning.known_chain(QUICK, kept=2).verdict is VIOLATED


def test_a_less_accurate_chain_loses_successors() -> None:
    coarse = learning.ranked_chain(QUICK, largest=Fraction(15, 1000))
    assert coarse.verdict is VIOLATED


def test_distributions_can_differ_by_one() -> None:
    sure = (Fraction(1), Fraction(0)), (Fraction(-1), Fraction(2))
    assert learning.clipping_evaluation(sure).conclusion.left == 1
    assert learning.clipping_evaluation(sure, Fraction(9, 10)).verdict() is VIOLATED


def test_estimates_that_are_not_distributions_can_be_off_by_more_than_one() -> None:
    """Raw, and divided by their sum: entries may stay negative, so that others exceed one."""

    def divided(raw: Vector) -> Vector:
        return tuple(x / (sum(raw) or 1) for x in raw)

    assert learning.clipping(QUICK, normalise=lambda raw: raw).verdict is VIOLATED
    assert learning.clipping(QUICK, normalise=divided).verdict is VIOLATED
