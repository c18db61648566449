"""The best learners are the best ones, and a learner that is told something breaks the bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ptum.checks.claims.section_3_discussion import any_learner
from ptum.checks.claims.section_3_discussion.any_learner import (
    Frontier,
    Hidden,
    Poor,
    without_transfer,
)
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.search import search
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.analysis.sample_complexity import theorem_1_bound
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
HALF = Fraction(1, 2)
NONE, ALL = Fraction(0), Fraction(1)


# One paying action in each state


@pytest.mark.parametrize("A", [2, 3, 7])
def test_one_state_is_asked_until_the_action_is_found(A: int) -> None:
    """Giving up after j questions is right with (j+1)/A and costs j - j(j-1)/(2A) on average.

    The corners are in the closed form that large families need, here against the recursion.
    """
    corners = without_transfer(1, A)
    for j in range(A):
        success, cost = Fraction(j + 1, A), j - Fraction(j * (j - 1), 2 * A)
        assert any_learner.least_questions(success, corners) <= cost
    assert corners == ((NONE, Fraction(1, A)), (Fraction((A - 1) * (A + 2), 2 * A), ALL))


@pytest.mark.parametrize(("S", "A"), [(2, 3), (3, 3), (2, 5)])
def test_the_best_learner_guesses_or_finds_everything(S: int, A: int) -> None:
    everything = Fraction(S * (A - 1) * (A + 2), 2 * A)
    assert without_transfer(S, A) == ((NONE, Fraction(1, A**S)), (everything, ALL))


def played(give_up: tuple[int, int], placed: tuple[int, int]) -> tuple[int, bool]:
    """Questions and success of a learner that tries the actions of both states in order.

    In the second state it gives up after other numbers, according to the first one's outcome.
    """
    first = min(placed[0] + 1, give_up[0])
    found = placed[0] < give_up[0]
    later = give_up[1] if found else 0
    second = min(placed[1] + 1, later)
    named = placed[0] <= give_up[0], placed[1] <= later
    return first + second, all(named)


@pytest.mark.parametrize("give_up", list(product(range(3), range(3))))
def test_no_learner_that_is_played_out_beats_the_best_one(give_up: tuple[int, int]) -> None:
    A = 3
    runs = [played(give_up, placed) for placed in product(range(A), range(A))]
    asked = Fraction(sum(n for n, _ in runs), A**2)
    success = Fraction(sum(right for _, right in runs), A**2)
    assert any_learner.least_questions(success, without_transfer(2, A)) <= asked


def told_the_task(S: int, A: int) -> Frontier:
    """What transfer may do: the task is known, and nothing has to be asked."""
    del S, A
    return ((Fraction(0), Fraction(1)),)


def told_half_of_the_actions(S: int, A: int) -> Frontier:
    """A hint that leaves every other action."""
    return without_transfer(S, (A + 1) // 2)


@pytest.mark.parametrize("wrong", [told_the_task, told_half_of_the_actions])
def test_learners_that_are_told_something_break_the_bound(
    wrong: Callable[[int, int], Frontier],
) -> None:
    found = search(
        QUICK, any_learner.hidden(), lambda case: any_learner.linear_evaluation(case, wrong), 100
    )
    assert found.verdict is Verdict.VIOLATED


def test_the_bound_is_linear_in_pairs() -> None:
    evaluation = any_learner.linear_evaluation(Hidden(2, 5, HALF, Fraction(1, 10)))
    assert evaluation.conclusion.right == Fraction(7, 2)


def test_an_accuracy_beyond_the_rewards_asks_for_nothing() -> None:
    evaluation = any_learner.linear_evaluation(Hidden(2, 3, Fraction(1), Fraction(0)))
    assert evaluation.verdict() is Verdict.ASSUMPTION_NOT_MET


# A poor model

CASE = Poor(A=3, gap=4, gamma=HALF, n=2, share=HALF)


def brute_force(case: Poor, n: int, history: tuple[tuple[int, int], ...] = ()) -> Fraction:
    """The best success by listing every question and answer, with the tasks' distributions."""
    if not n:
        return max(
            Fraction(1, case.A)
            * _product([_answer(case, good, action, reward) for action, reward in history])
            for good in range(case.A)
        )
    return max(
        sum(
            (brute_force(case, n - 1, (*history, (action, reward))) for reward in (0, 1)),
            Fraction(0),
        )
        for action in range(case.A)
    )


def _answer(case: Poor, good: int, action: int, reward: int) -> Fraction:
    pays = HALF + (case.g if action == good else 0)
    return pays if reward else 1 - pays


def _product(factors: list[Fraction]) -> Fraction:
    result = Fraction(1)
    for factor in factors:
        result *= factor
    return result


@pytest.mark.parametrize(("A", "n"), [(2, 1), (2, 4), (3, 3)])
def test_best_success_is_that_of_every_question_and_answer(A: int, n: int) -> None:
    case = replace(CASE, A=A, n=n)
    assert any_learner.best_success(case, range(A)) == brute_force(case, n)


def test_the_flat_model_is_within_g_of_every_task() -> None:
    errors = any_learner.errors_against(any_learner.flat(CASE), CASE)
    assert errors == [near(float(CASE.g))] * 3


def names_the_action(case: Poor) -> MDP:
    """A model that is no model of the other tasks."""
    return any_learner.coins(case, 0)


def test_a_better_model_breaks_the_bound() -> None:
    """Within less than g of one task alone, it leaves nothing to ask."""
    share = Fraction(3, 5)
    evaluation = any_learner.poor_evaluation(CASE, names_the_action, Delta=share * CASE.g)
    assert evaluation.verdict() is Verdict.VIOLATED
    assert any_learner.best_success(CASE, [0]) == 1


def test_a_model_within_the_threshold_is_not_spoken_of() -> None:
    evaluation = any_learner.poor_evaluation(CASE, Delta=CASE.share * CASE.g)
    assert evaluation.verdict() is Verdict.ASSUMPTION_NOT_MET


def test_learners_with_more_questions_break_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = any_learner.best_success
    monkeypatch.setattr(
        any_learner, "best_success", lambda case, left: honest(replace(case, n=case.n + 6), left)
    )
    assert any_learner.worthless(QUICK).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("gap", [1, 8, 17])
def test_the_model_halfway_is_within_half_of_g_of_every_task(gap: int) -> None:
    case = replace(CASE, gap=gap)
    errors = any_learner.errors_against(any_learner.halfway(case), case)
    assert errors == [near(float(case.g) / 2)] * 3
    assert any_learner.halfway_evaluation(case).verdict() is Verdict.HOLDS


def test_an_error_below_half_of_the_threshold_is_not_spoken_of() -> None:
    """There the model's own policy is good enough: Corollary 2."""
    case = replace(CASE, share=Fraction(101, 100))
    assert any_learner.halfway_evaluation(case).verdict() is Verdict.ASSUMPTION_NOT_MET


def test_a_model_that_tells_the_tasks_apart_breaks_the_conjecture() -> None:
    case = replace(CASE, share=Fraction(9, 10))
    evaluation = any_learner.poor_evaluation(
        case, names_the_action, Delta=HALF * CASE.g, beyond=HALF
    )
    assert evaluation.verdict() is Verdict.VIOLATED


# Few models against many actions


@pytest.mark.parametrize("k", [2, 4])
def test_what_theorem_1_promises_is_what_the_reference_computes(k: int) -> None:
    A, delta = 6, Fraction(1, 10)
    eye = np.eye(A)
    tasks = [deterministic_rewards(np.ones((1, A, 1)), eye[[j]], 0.0) for j in range(k)]
    n = any_learner.enough_queries(k, A, delta)
    promised = any_learner.promised_queries(k, A, n, delta)
    assert n / 2 <= promised < n
    bound = theorem_1_bound(
        approximate_models(tasks), target=0, epsilon=0.5, delta=float(delta), n=n, Delta=0.0
    )
    assert promised == near(bound.bound)


def test_few_actions_are_tried_faster_than_theorem_1_allows() -> None:
    """The comparison is about large families; without the factor 20000 it fails."""

    def with_few_actions(k: int, A: int, n: int, delta: Fraction) -> float:
        return any_learner.promised_queries(k, A // any_learner.MANY, n, delta) * any_learner.MANY

    found = search(
        QUICK,
        any_learner.few_models(),
        lambda case: any_learner.fewer_evaluation(case, with_few_actions),
        20,
    )
    assert found.verdict is Verdict.VIOLATED


def test_a_bound_with_a_factor_per_action_gains_nothing() -> None:
    def linear(k: int, A: int, n: int, delta: Fraction) -> float:
        return any_learner.promised_queries(k, A, n, delta) * A / k

    case = any_learner.FewModels(2, 1, 10_000, Fraction(1, 10))
    assert any_learner.fewer_evaluation(case).verdict() is Verdict.HOLDS
    assert any_learner.fewer_evaluation(case, linear).verdict() is Verdict.VIOLATED


WORST = any_learner.FewModels(
    any_learner.MOST_MODELS, 1, any_learner.LARGEST_BUDGET, Fraction(1, 2)
)


@pytest.mark.parametrize("delta", [Fraction(1, 100), HALF])
def test_the_comparison_holds_at_the_end_of_its_range(delta: Fraction) -> None:
    """The margin is concave in δ and falls with |Θ| and n, so these are the worst two."""
    assert any_learner.fewer_evaluation(replace(WORST, delta=delta)).verdict() is Verdict.HOLDS


@pytest.mark.parametrize("case", [replace(WORST, k=1000), replace(WORST, n=10**8)])
def test_more_models_or_a_larger_budget_take_more_actions(case: any_learner.FewModels) -> None:
    assert any_learner.fewer_evaluation(case).verdict() is Verdict.VIOLATED
    assert any_learner.fewer_evaluation(replace(case, times=2)).verdict() is Verdict.HOLDS


def test_a_budget_below_the_bound_is_not_spoken_of() -> None:
    """Assumption 4."""
    case = replace(WORST, n=400_000)
    assert any_learner.fewer_evaluation(case).verdict() is Verdict.ASSUMPTION_NOT_MET
