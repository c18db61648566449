"""NaN is an error, never a verdict: what checks are made of refuses it, and takes infinity."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

from ptum.checks.claims import registry
from ptum.checks.claims.agreement import agreements
from ptum.checks.claims.agreement.compare import compared
from ptum.checks.claims.agreement.shape import AgreementCase
from ptum.checks.engine import decision
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact.comparison import Comparison
from ptum.checks.exact.numbers import a_number, is_above, max_by, max_of, min_of
from ptum.checks.suite.runner import Job, run_one
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import (
    Attempt,
    Evaluation,
    Looseness,
    Outcome,
    Statement,
    from_evaluation,
    over_evaluations,
    with_ratios,
)
from ptum.checks.verdicts.probability_search import (
    Effort,
    ProbabilityClaim,
    TrialResult,
    all_at_once,
    judge_count,
    judge_named,
    search_candidates,
    within,
    worst_drawn,
)
from ptum.checks.verdicts.search import listed, search
from ptum.checks.verdicts.statistics import clopper_pearson, judge_probability
from ptum.reference.arrays import Floats, above
from ptum.reference.errors import NotANumberError
from ptum.reference.inequalities import Inequality
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer import confidence
from ptum.reference.transfer.analysis.sample_complexity import QueryBound
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.ptum import End, PtumResult, ptum
from ptum.spec.vocabulary import Verdict
from tests.support.instances import bernoulli_bandit

NAN, INF = math.nan, math.inf
HOLDS = Outcome(Verdict.HOLDS)
GOOD = Statement("x", 1.0, "≤", 2.0, measured=(1.0, 2.0), tolerance=0.5)


def refused(make: Callable[[], object]) -> None:
    with pytest.raises(NotANumberError, match="is not a number"):
        make()


# Numbers


@pytest.mark.parametrize("values", [(NAN,), (NAN, 1.0), (1.0, NAN), (Fraction(1), NAN, 2)])
def test_the_largest_and_the_least_are_those_of_numbers(values: tuple[float, ...]) -> None:
    """Python's own `max` keeps NaN where it comes first, and drops it where it does not."""
    refused(lambda: max_of(values))
    refused(lambda: min_of(values, default=0.0))
    refused(lambda: max_by(values, lambda value: value))


def test_of_numbers_they_are_those_of_python() -> None:
    values = (Fraction(1, 3), -INF, 2.5, INF, 7)
    assert (max_of(values), min_of(values)) == (INF, -INF)
    assert (max_of((), default=4), min_of((), default=5)) == (4, 5)
    assert max_by(("one", "three", "seven"), len) == "three"
    with pytest.raises(ValueError, match="empty"):
        max_of(())


@pytest.mark.parametrize(("left", "right"), [(NAN, 1.0), (1.0, NAN), (NAN, NAN)])
def test_comparisons_are_of_numbers_only(left: float, right: float) -> None:
    refused(lambda: is_above(left, right))
    refused(lambda: above(np.array([0.0, left]), right))
    refused(lambda: above(0.0, np.array([[left], [right]])))


def test_infinity_is_compared() -> None:
    assert is_above(INF, 1)
    assert not is_above(INF, INF)
    left, right = np.array([1.0, INF, 2.0]), np.array([0.0, INF, INF])
    assert above(left, right).tolist() == [True, False, False]
    assert a_number(INF) == INF


def test_a_count_of_more_than_64_bits_is_compared() -> None:
    assert above(2**70, 1e3)
    assert not above(2**70, 1e300)


# Statements, trials, outcomes


@pytest.mark.parametrize("sign", ["<", "≤", ">", "≥", "="])
@pytest.mark.parametrize(
    "wrong",
    [
        lambda good: replace(good, left=NAN),
        lambda good: replace(good, right=NAN),
        lambda good: replace(good, measured=(NAN, 1.0)),
        lambda good: replace(good, measured=(1.0, NAN)),
        lambda good: replace(good, tolerance=NAN),
        lambda good: replace(good, bound=NAN),
        lambda good: replace(good, values=(("a", 1), ("b", NAN))),
    ],
)
def test_no_statement_is_made_of_nan(
    wrong: Callable[[Statement], Statement], sign: Comparison
) -> None:
    refused(lambda: wrong(replace(GOOD, sign=sign)))


def test_infinite_sides_are_as_far_apart_as_they_are() -> None:
    """The difference of two infinities is no number, and must not be told as one."""
    assert Statement("x", INF, "<", INF).margin == 0
    assert not Statement("x", INF, "<", INF).holds
    assert Statement("x", INF, "=", INF).holds
    assert Statement("x", -INF, "<", INF).margin == INF
    assert "nan" not in "".join(
        from_evaluation(Evaluation((), Statement("x", INF, "<", INF))).explanation
    )


LOOSENESS: Looseness = (1.0, 1.0, NAN, 1.0, 1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: within(NAN),
        lambda: TrialResult(False, NAN),
        lambda: Attempt(NAN, "told", None),
        lambda: replace(HOLDS, worst_ratio=NAN),
        lambda: replace(HOLDS, tolerance=NAN),
        lambda: replace(HOLDS, replayed=(NAN,)),
        lambda: replace(HOLDS, interval=(0.0, NAN)),
        lambda: replace(HOLDS, looseness=LOOSENESS),
        lambda: with_ratios(HOLDS, [1.0, NAN, 2.0]),
        lambda: ProbabilityClaim(lambda *_: [], NAN),
        lambda: clopper_pearson(1, 2, NAN),
        lambda: judge_probability(0, 100, NAN, 0.01),
        lambda: judge_count(0, 100, NAN, 0.01, (), lambda: ()),
    ],
)
def test_no_trial_probability_or_outcome_is_nan(wrong: Callable[[], object]) -> None:
    refused(wrong)


def test_infinite_ratios_stay_legal() -> None:
    assert within(INF).failed
    assert replace(HOLDS, worst_ratio=INF, replayed=(None, INF)).worst_ratio == INF


# A check that measures NaN is errored


def measured(x: float) -> Evaluation:
    """One instance in three has a premise that is NaN, and one a conclusion."""
    premise = Statement("premise", NAN if x % 3 == 1 else 1, "≥", 0)
    return Evaluation((premise,), Statement("conclusion", NAN if x % 3 == 2 else 0, "≤", 1))


def trials(x: float, number: int, _: np.random.Generator) -> list[TrialResult]:
    """The trial whose number is the instance is NaN."""
    return [within(NAN if x == i else 0.5) for i in range(number)]


def score(x: float) -> float:
    return NAN if x == 5 else x


CLAIM, EFFORT = all_at_once(trials, 0.3), Effort(20, 3, 10)
NAMED = {"without": -1.0, "with": 7.0}

MEASURING: Mapping[str, Callable[[Context], Outcome]] = {
    "search": lambda context: search(context, st.integers(0, 8), measured, 20),
    "a list": lambda context: listed(context, (0, 3, 2), measured, "instances"),
    "walks": lambda _: over_evaluations([measured(x) for x in (0, 3, 1)], "instances"),
    "one walk": lambda _: from_evaluation(measured(2)),
    "named instances": lambda context: judge_named(context, CLAIM, NAMED, 10, 0.01),
    "candidates": lambda c: search_candidates(c, CLAIM, st.integers(-1, 3), EFFORT, 0.01),
    "scores": lambda context: from_evaluation(
        measured(3 * worst_drawn(context, st.integers(0, 9), score, 50)[0])
    ),
}


@pytest.mark.parametrize("name", MEASURING)
def test_whatever_measures_nan_is_errored(name: str) -> None:
    check = replace(registry()["lemma-7.positive/bandit"], run=MEASURING[name])
    outcome = run_one(check, Job(Profile.QUICK, 0)).outcome
    assert (outcome.verdict, outcome.explanation[0].partition(":")[0]) == (
        Verdict.ERRORED,
        "NotANumberError",
    )


def test_nan_neither_agrees_nor_disagrees_with_a_formula() -> None:
    agreement = agreements()["ptum.spec.formulas.transfer:KAPPA"]
    known = {"epsilon": 1.0, "Delta": 0.0, "gamma": 0.5}
    assert compared(agreement, AgreementCase(known, 0.125)).wrong is None
    assert compared(agreement, AgreementCase(known, INF)).wrong is not None
    refused(lambda: compared(agreement, AgreementCase(known, NAN)))


# The reference


def run(literal: bool) -> PtumResult:
    """A run of Algorithm 1 that drops the other of two models and stops."""
    tasks = [bernoulli_bandit(r, 0.5) for r in ((0.9, 0.1), (0.1, 0.9))]
    models = approximate_models(tasks)
    if literal:
        model = Simulator(tasks[0], 1)
        return ptum(models, model, epsilon=0.1, delta=0.1, n=500, Delta=0.0)
    errors = single(0.0)
    return simulated_run(
        models, tasks[0], 1, RunNumbers(epsilon=0.1, delta=0.1, n=500, errors=errors)
    )


@pytest.mark.parametrize("literal", [True, False])
@pytest.mark.parametrize("name", ["width_r", "width_p", "width_sigma_r", "width_sigma_p"])
def test_no_model_passes_or_fails_a_test_whose_width_is_nan(
    name: str, literal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Line 12, in the literal code and in the version for long runs."""
    assert run(literal).end is End.STOPPED
    width: Callable[..., Floats] = getattr(confidence, name)

    def last_is_nan(*given: Floats) -> Floats:
        found = np.array(width(*given))
        found.flat[-1] = NAN
        return found

    monkeypatch.setattr(confidence if literal else decision, name, last_is_nan)
    refused(lambda: run(literal))


NUMBERS = np.array([[1.0, INF]])


@pytest.mark.parametrize("place", range(3))
def test_results_of_the_reference_are_numbers(place: int) -> None:
    """Infinity is legal where it was: bounds, sides of a lemma, estimates."""

    def made(table: Floats) -> tuple[Callable[[], object], ...]:
        x = float(table[0, -1])
        return (
            lambda: QueryBound(128, 1, 1.0, (), 0.0, x),
            lambda: Inequality(left=NUMBERS, right=table),
            lambda: HmmEstimate(NUMBERS, table, NUMBERS, NUMBERS),
        )

    assert made(NUMBERS)[place]()
    refused(made(np.array([[1.0, NAN]]))[place])


@pytest.mark.parametrize("name", ["r", "p", "sigma_r", "sigma_p", "V_star", "V_pi"])
def test_no_table_of_the_models_has_nan(name: str) -> None:
    models = approximate_models([bernoulli_bandit((0.9, 0.1), 0.5)])
    table = np.array(getattr(models, name))
    table.flat[-1] = NAN
    refused(lambda: replace(models, **{name: table}))  # type: ignore[arg-type]
