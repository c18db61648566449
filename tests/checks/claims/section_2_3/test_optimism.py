"""A learner with initial values: what it asks, and learners that ask too much are rejected."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from ptum.checks.claims.section_3_discussion import optimism
from ptum.checks.claims.section_3_discussion.optimism import guarantee_evaluation, initial_values
from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP, Table
from ptum.checks.instances.counterexamples.section_3_text.online import (
    Asked,
    Initial,
    Learner,
    believed,
    optimistic,
    optimistic_arms_instance,
    without_accuracy_evaluation,
    worth_asking,
)
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Pair, arms
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Evaluation
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)
ZERO, ONE = Fraction(0), Fraction(1)


def test_unknown_pairs_are_worth_their_bound_and_end() -> None:
    (task,) = arms(Fraction(1, 2), (ONE, ZERO))
    upper = ((Fraction(3), Fraction(5)),)
    worth = {frozenset[Pair](): 5, frozenset({(0, 1)}): 3, frozenset({(0, 0), (0, 1)}): 2}
    for known, value in worth.items():
        V = mdp.optimal_value(believed(task, known, upper))
        assert list(V) == [value, 0], known


def test_the_learner_stops_when_nothing_better_can_be_hoped_for() -> None:
    case = optimistic_arms_instance()
    assert optimistic(case.task, case.loose, case.epsilon) == ((0, 9),)
    assert len(optimistic(case.task, case.tight, case.epsilon)) == 10
    assert optimistic(case.task, case.loose, Fraction(1)) == ()


def every_pair(task: ExactMDP, upper: Table, epsilon: Fraction) -> Asked:
    """Not optimistic: all pairs, in order."""
    del upper, epsilon
    return tuple((s, a) for s in range(task.S) for a in range(task.A))


def stays_with_the_smallest(task: ExactMDP, upper: Table, epsilon: Fraction) -> Asked:
    """Asks what it thinks least of, until it has asked what it should have."""
    needed = set(optimistic(task, upper, epsilon))
    pairs = sorted(every_pair(task, upper, epsilon), key=lambda pair: upper[pair[0]][pair[1]])
    last = max((pairs.index(pair) for pair in needed), default=-1)
    return tuple(pairs[: last + 1])


def only_what_is_not_worth_it(task: ExactMDP, upper: Table, epsilon: Fraction) -> Asked:
    """One pair at most, so that its number gives nothing away."""
    del epsilon
    V = mdp.optimal_value(task)
    pairs = ((s, a) for s, row in enumerate(upper) for a, u in enumerate(row) if u < V[s])
    return tuple(pairs)[:1]


@pytest.mark.parametrize("wrong", [every_pair, stays_with_the_smallest, only_what_is_not_worth_it])
def test_learners_that_ask_what_is_not_worth_it_are_rejected(wrong: Learner) -> None:
    found = search(QUICK, initial_values(), lambda case: guarantee_evaluation(case, wrong), 60)
    assert found.verdict is Verdict.VIOLATED


def test_the_pairs_worth_asking_are_those_above_the_value() -> None:
    case = optimistic_arms_instance()
    assert len(worth_asking(case, case.loose)) == 10
    low = ((*(Fraction(2, 5),) * 9, ONE),)
    assert worth_asking(case, low) == {(0, 9)}


def test_what_the_tighter_bounds_make_worth_asking_is_seen() -> None:
    """Were U tighter, and not U', nine arms would be worth asking with U' alone."""
    case = optimistic_arms_instance()
    swapped = replace(case, loose=((*(Fraction(2, 5),) * 9, ONE),))
    assert not guarantee_evaluation(swapped).conclusion.holds
    assert guarantee_evaluation(case).conclusion.measured == (10, 10)


def eager_with_tight_bounds(task: ExactMDP, upper: Table, epsilon: Fraction) -> Asked:
    """Asks the more, the less it hopes for."""
    known = optimistic(task, upper, epsilon)
    total = sum(x for row in upper for x in row)
    return known * max(1, 200 - int(total))


def test_at_zero_accuracy_what_is_asked_lies_above_the_values() -> None:
    seen: list[Initial] = []

    def look(case: Initial) -> Evaluation:
        seen.append(case)
        return without_accuracy_evaluation(case)

    drawn = initial_values((ZERO,), optimism.OFF_THE_VALUES)
    assert search(QUICK, drawn, look, 15).verdict is Verdict.HOLDS
    for case in seen:
        V = mdp.optimal_value(case.task)
        above = {
            (s, a)
            for s, row in enumerate(case.tight)
            for a, upper in enumerate(row)
            if upper > V[s]
        }
        assert set(optimistic(case.task, case.tight, ZERO)) == above


def test_a_learner_that_asks_more_with_tighter_bounds_is_rejected() -> None:
    drawn = initial_values((ZERO,), optimism.OFF_THE_VALUES)
    found = search(
        QUICK, drawn, lambda case: without_accuracy_evaluation(case, eager_with_tight_bounds), 40
    )
    assert found.verdict is Verdict.VIOLATED


def test_ties_are_not_spoken_of() -> None:
    """The bound 1/2 is V*: with it the arms of the same bound come first, and one is too many."""
    even = replace(optimistic_arms_instance(epsilon=ZERO), loose=((*(Fraction(1, 2),) * 9, ONE),))
    tied = replace(even, tight=((Fraction(1, 2),) * 10,))
    asked = [len(optimistic(tied.task, U, ZERO)) for U in (tied.loose, tied.tight)]
    assert asked == [1, 10]
    assert without_accuracy_evaluation(tied).verdict() is Verdict.ASSUMPTION_NOT_MET
