"""Runs as a Markov chain: comparisons, windows of probabilities, and what bounds their rounding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, log, root
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.runs import chain, comparisons, premises
from ptum.checks.exact.runs.comparisons import Count, reward_side
from ptum.checks.exact.runs.premises import AssumptionLine
from ptum.checks.exact.runs.problem import (
    RULES,
    ExactErrors,
    ExactProblem,
    decide,
    enters,
    rewards_at,
    single,
    successors_at,
)
from ptum.checks.exact.runs.results import of_ends, results
from ptum.reference.errors import NotANumberError
from ptum.reference.transfer.ptum import End
from ptum.spec.vocabulary import Version

PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED
ONE = Fraction(1)


def arms(*means: str) -> ExactMDP:
    r = tuple(map(Fraction, means))
    var = tuple(mean * (1 - mean) for mean in r)
    return ExactMDP(p=(((ONE,),) * len(r),), r=(r,), var=(var,), gamma=Fraction(0))


def two_arms(n: int = 60, epsilon: str = "0.2", Delta: Fraction = Fraction(0)) -> ExactProblem:
    models = (arms("0.9", "0.1"), arms("0.1", "0.9"))
    return ExactProblem(models, models, Fraction(epsilon), Fraction("0.1"), n, single(Delta))


# Comparisons


def test_finer_logarithms_and_roots_lie_inside_coarser_ones() -> None:
    for function in (log, root):
        coarse, fine = function(Fraction(3)), function(Fraction(3), 200)
        assert coarse.low < fine.low < fine.high < coarse.high
        assert fine.high - fine.low < Fraction(1, 10**198)


def test_rationals_decide_every_count_as_doubles_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an absurd rounding every comparison goes through the refined enclosures."""
    by_doubles = results(two_arms(40), PRINTED)
    monkeypatch.setattr(comparisons, "ROUNDED", 1.0)
    by_rationals = results(two_arms(40), PRINTED)
    assert not by_doubles.close
    assert len(by_rationals.close) > 1000
    assert by_rationals.queries == by_doubles.queries
    assert by_rationals.eliminated == by_doubles.eliminated


def test_enclosures_are_refined_until_they_separate() -> None:
    """Δ puts a count within 10⁻⁷⁰ of its width: forty digits cannot tell, eighty can."""
    problem, count = two_arms(), Count(30, 30)
    side = reward_side(problem, RULES[PRINTED], (0, 0))
    (statistic,) = side.statistics
    L = log(Fraction(8 * 2 * 60 * 3 * 10), 200)
    to_spare = abs(ONE - Fraction("0.1")) - L * Fraction(7, 3 * 29)
    assert side.refined(statistic, 1, 1, count).fails
    tiny = Fraction(1, 10**70)
    for Delta, fails in ((to_spare.low - tiny, True), (to_spare.high + tiny, False)):
        errors = ExactErrors(Delta, Fraction(0), Fraction(0), Fraction(0))
        close_by = reward_side(replace(problem, errors=errors), RULES[PRINTED], (0, 0))
        (tight,) = close_by.statistics
        found = close_by.refined(tight, 1, 1, count)
        assert found.fails is fails
        assert 0 < abs(found.margin).high < 2 * tiny
        table = close_by.fails(30, np.arange(31))
        assert table[1, 30] == fails
        assert (count, 1) in [(close.count, close.theta) for close in close_by.close]


def test_a_pair_with_one_sample_eliminates_nothing() -> None:
    side = reward_side(two_arms(), RULES[PRINTED], (0, 0))
    assert not side.fails(1, np.arange(2)).any()


# What is refused


def test_other_tasks_are_refused() -> None:
    problem = two_arms()
    with pytest.raises(ValueError, match="at most 3"):
        replace(problem, models=problem.models * 2, true=problem.true * 2)
    with pytest.raises(ValueError, match="one of them"):
        replace(problem, target=2)
    gaussian = replace(problem.task, var=((Fraction(1, 100), Fraction(0)),))
    with pytest.raises(ValueError, match="neither deterministic nor Bernoulli"):
        rewards_at(gaussian, (0, 0))
    third = Fraction(1, 3)
    spread = mdp.deterministic([[[third] * 3]] * 3, [[ONE]] * 3, Fraction(0))
    with pytest.raises(ValueError, match="leads to 3 states"):
        successors_at(spread, (0, 0))


def test_nan_is_no_probability() -> None:
    ends = chain.run(two_arms(), RULES[PRINTED])
    ends.mass = {key: mass * np.nan for key, mass in ends.mass.items()}
    with pytest.raises(NotANumberError):
        of_ends(ends, None)


# Mass


def test_all_ends_sum_to_one_within_the_derived_rounding() -> None:
    for n in (2, 30, 45, 60, 400):
        total = results(two_arms(n), PRINTED).total
        assert total.low <= 1 <= total.high
        assert total.high - total.low < Fraction(1, 10**11)


def test_what_is_dropped_is_added_to_every_upper_end(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = results(two_arms(400), PRINTED)
    monkeypatch.setattr(chain, "NEGLIGIBLE", 1e-6)
    coarse = results(two_arms(400), PRINTED)
    for one, other in (
        (exact.eliminated, coarse.eliminated),
        (exact.queries, coarse.queries),
        (exact.total, coarse.total),
    ):
        assert other.low <= one.low
        assert one.high <= other.high
    assert coarse.eliminated.high > 10**9 * exact.eliminated.high


def test_the_last_sample_is_never_looked_at() -> None:
    """If N samples tell two arms apart, N + 1 iterations are needed, and N are not enough."""
    rows = ((1, 0), (0, 1))
    stays: list[list[list[Fraction]]] = [[[ONE], [ONE]]]
    models = tuple(mdp.deterministic(stays, [list(map(Fraction, row))], ONE / 2) for row in rows)
    queries = {}
    for n in range(20, 30):
        problem = ExactProblem(models, models, ONE, Fraction("0.1"), n, single(Fraction(0)))
        found = results(problem, PRINTED)
        queries[n] = (found.most_queries, found.fallback[End.BUDGET_EXHAUSTED].low > Fraction(1, 2))
    stopped = {n: most for n, (most, exhausted) in queries.items() if not exhausted}
    assert all(most == n for n, (most, exhausted) in queries.items() if exhausted)
    assert min(stopped) == stopped[min(stopped)] + 1 > 20


# Lines 2 and 14, premises


def test_line_2_at_its_thresholds() -> None:
    at = {factor: Fraction("0.2") / factor for factor in (4, 18)}
    assert not enters(two_arms(Delta=at[4]), RULES[PRINTED])
    assert enters(two_arms(Delta=at[4] - Fraction(1, 10**9)), RULES[PRINTED])
    assert enters(two_arms(Delta=at[18]), RULES[REPAIRED])
    assert not enters(two_arms(Delta=at[18] + Fraction(1, 10**9)), RULES[REPAIRED])


def test_line_14_takes_the_first_policy_at_equality() -> None:
    at_the_slack = two_arms(epsilon="0.8")
    assert decide(at_the_slack, RULES[PRINTED], (0, 1)).theta == 0
    assert decide(two_arms(epsilon="0.799"), RULES[PRINTED], (0, 1)).pair == (0, 0)
    assert decide(at_the_slack, RULES[PRINTED], ()).end is End.ACTIVE_SET_EMPTY


@pytest.mark.parametrize(("x", "y"), [("1/4", "1/9"), ("2", "3"), ("0", "1/2"), ("1/2", "1/2")])
def test_differences_of_roots_are_decided_by_squares(x: str, y: str) -> None:
    square, other = Fraction(x), Fraction(y)
    apart = abs(root(square) - root(other))
    assert premises.within(square, other, apart.high)
    if apart.low > 0:
        assert not premises.within(square, other, apart.low - Fraction(1, 10**9))


def _moved(problem: ExactProblem, **parts: object) -> ExactProblem:
    target = replace(problem.true[0], **parts)  # type: ignore[arg-type]
    return replace(problem, true=(target, *problem.true[1:]))


def test_every_line_of_assumption_1_can_fail() -> None:
    half, zero = Fraction(1, 2), Fraction(0)
    stays = [[[half, half], [half, half]], [[half, half], [ONE, zero]]]
    rewards = (((ONE, half), (zero, zero)), ((half, ONE), (zero, half)))
    models = tuple(mdp.deterministic(stays, r, half) for r in rewards)
    exact = ExactProblem(models, models, ONE / 5, ONE / 10, 10, single(Fraction(0)))
    assert all(premises.keeps(exact, line) for line in AssumptionLine)
    leaves = mdp.deterministic([[[ONE, Fraction(0)]] * 2] * 2, models[0].r, half)
    broken = {
        AssumptionLine.R: _moved(exact, r=((half, half), (Fraction(0), Fraction(0)))),
        AssumptionLine.SIGMA_R: _moved(exact, var=((half, half), (half, half))),
        AssumptionLine.P: _moved(exact, p=leaves.p),
        AssumptionLine.TRANSFERRED: _moved(exact, p=leaves.p),
        AssumptionLine.SIGMA_P: _moved(exact, p=leaves.p),
        AssumptionLine.SIGMA_P_TRUE: _moved(exact, r=((ONE, half), (ONE, ONE))),
    }
    for line, problem in broken.items():
        assert not premises.keeps(problem, line), line


def test_bounds_at_the_borders() -> None:
    """Nothing has to be said where ε is large; nothing is said where the models are the same."""
    assert premises.bound(two_arms(epsilon="5"), REPAIRED) == Between(Fraction(0), Fraction(0))
    twins = replace(two_arms(), models=(two_arms().task,) * 2, true=(two_arms().task,) * 2)
    assert premises.bound(twins, REPAIRED) == Between(Fraction(0), Fraction(0))
    silent = two_arms(epsilon="0.6", Delta=Fraction("0.11"))
    assert premises.bound(silent, PRINTED) is None
    assert not premises.enough_budget(silent)
