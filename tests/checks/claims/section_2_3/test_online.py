"""Ways through tasks are the shortest ones, and agents that lose theirs are rejected."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from ptum.checks.claims.section_3_discussion import online
from ptum.checks.claims.section_3_discussion.online import Walker, Wandering
from ptum.checks.exact import mdp, travel
from ptum.checks.exact.intervals import enclosed
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.section_3_text import online as online_cases
from ptum.checks.instances.counterexamples.section_3_text.online import G, Online, W, X, travelled
from ptum.checks.instances.counterexamples.shared.deterministic_runs import (
    Algorithm1Inputs,
    leads_to,
)
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.search import search
from ptum.checks.verdicts.witness import WitnessError
from ptum.reference.arrays import Floats
from ptum.reference.repaired.transfer.exploration import WalkedRun, Way, fastest_way, run_trusting
from ptum.reference.transfer.exploration import OnlineRun, RunsOnline, exploration_task, run_online
from ptum.reference.transfer.ptum import End
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)
HALF = Fraction(1, 2)


# Ways


def ring(*rows: tuple[Fraction, ...]) -> ExactMDP:
    """One action per state."""
    return mdp.deterministic([[row] for row in rows], [[Fraction(0)]] * len(rows), HALF)


def test_waiting_for_a_coin_takes_two_steps_on_average() -> None:
    task = ring((HALF, HALF), (Fraction(1), Fraction(0)))
    assert travel.expected_steps(task, (0, 0), 1) == (2, 0)
    assert travel.expected_steps(task, (0, 0), 0) == (0, 1)
    assert travel.diameter(task) == 2


def test_a_way_that_may_fail_takes_for_ever() -> None:
    """From state 0 half of the steps end in state 2, which is never left."""
    third = Fraction(0), HALF, HALF
    task = ring(third, (Fraction(0), Fraction(1), Fraction(0)), tuple(leads_to(2, 3)))
    assert travel.expected_steps(task, (0, 0, 0), 1) == (math.inf, 0, math.inf)
    assert travel.diameter(task) == math.inf


def test_what_lies_beyond_the_goal_does_not_matter() -> None:
    task = ring(tuple(leads_to(1, 3)), tuple(leads_to(2, 3)), tuple(leads_to(2, 3)))
    assert travel.expected_steps(task, (0, 0, 0), 1) == (1, 0, math.inf)


def test_the_fastest_way_is_the_best_of_all_actions() -> None:
    task = online_cases.three_places(from_x=G, paying=0)
    assert travel.fastest(task, G)[1] == (1, 1, 0)
    assert travel.fastest(task, W) == ((0, 0, 0), (1, 0, 2))
    assert travel.diameter(task) == 2
    assert travel.diameter(online_cases.three_places(from_x=X, paying=0)) == 2


def test_a_state_alone_has_no_way_to_go() -> None:
    assert travel.diameter(ring((Fraction(1),))) == 0


# Agents


def test_expected_steps_are_those_of_every_query() -> None:
    """Two states in turn: a query takes the agent away, and it comes back in one step."""
    there, back = leads_to(1, 2), leads_to(0, 2)
    models = tuple(
        mdp.deterministic([[there] * 2, [back] * 2], [rewards, [HALF, HALF]], Fraction(0))
        for rewards in ([Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)])
    )
    case = Online(models, Algorithm1Inputs(HALF, online.DELTA, 10**4), start=1)
    run = online.run_by_rewards(case)
    assert {pair for phase in run.phases for pair in [phase.pair]} == {(0, 0)}
    assert online.expected_steps(case, run) == 2 * run.queries
    at_once = replace(case, start=0)
    assert online.expected_steps(at_once, run) == 2 * run.queries - 1


def test_agents_with_a_detour_are_rejected() -> None:
    found = search(
        QUICK, online.moving_alike(), lambda case: online.alike_evaluation(case, detour=1), 40
    )
    assert found.verdict is Verdict.VIOLATED


def test_agents_that_trust_active_models_alone_are_rejected() -> None:
    found = search(
        QUICK,
        online.deterministic_moves(),
        lambda case: online.deterministic_evaluation(case, watchful=False),
        80,
    )
    assert found.verdict is Verdict.VIOLATED


def test_runs_with_more_queries_than_the_bound_are_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are not left out: the factor is claimed of the bound, not of what a run asks."""
    case = online_cases.blind_tests_instance(believed=X)
    evaluations = (online.alike_evaluation, online.deterministic_evaluation)
    assert [evaluation(case).verdict() for evaluation in evaluations] == [Verdict.HOLDS] * 2
    monkeypatch.setattr(Online, "bound", lambda _: enclosed(1))
    assert [evaluation(case).verdict() for evaluation in evaluations] == [Verdict.VIOLATED] * 2


def test_the_short_cut_is_tried_for_ever_or_once() -> None:
    assert travelled(online_cases.blind_tests_instance(), watchful=False) == (math.inf, 0)
    steps, queries = travelled(online_cases.blind_tests_instance(), watchful=True)
    assert steps == 3 * queries + 1
    known = travelled(online_cases.blind_tests_instance(believed=X), watchful=False)
    assert known == (3 * queries, queries)


def places(moves: tuple[tuple[int, int], ...], rewards: tuple[tuple[int, int], ...]) -> ExactMDP:
    """Where the two actions of every state lead, and what they pay."""
    return mdp.deterministic(
        [[leads_to(t, len(moves)) for t in row] for row in moves],
        [[Fraction(x) for x in row] for row in rewards],
        HALF,
    )


def test_a_model_misleads_the_agent_once_and_falls_on_its_way() -> None:
    """A ring g, x, w. The rival promises a short cut from x, and is wrong about g and w alike.

    So w tells as much as g, which is asked: its last sample comes first, on a way without a query.
    """
    g, x, w = range(3)
    target = places(((x, x), (w, x), (g, g)), ((1, 0), (1, 1), (1, 1)))
    rival = places(((x, x), (w, g), (g, g)), ((0, 1), (1, 1), (0, 0)))
    case = Online((target, rival), Algorithm1Inputs(HALF, online.DELTA, online.BUDGET), start=x)
    steps, queries = travelled(case, watchful=True)
    assert travel.diameter(target) == 2
    assert (case.most_phases, case.most_given_up) == (1, 2)
    assert steps == 1 + 3 * queries + 2 > queries + 2 * (queries + case.most_phases)
    assert online.deterministic_evaluation(case).verdict() is Verdict.HOLDS


def test_what_would_tell_before_a_circle_is_not_seen_again() -> None:
    """A first state pays less in the rival; from there the agent comes to the short cut."""
    models = tuple(
        places(((W, short), (G, G), (X, X), (X, X)), ((1, 1), (1, 1), at_g, (first, first)))
        for short, at_g, first in ((X, (1, 0), 1), (G, (0, 1), 0))
    )
    case = Online(models, online_cases.TOLD, start=3)
    assert travelled(case, watchful=False) == (math.inf, 0)


class Idle(Walker):
    """Stays a while before every query."""

    def sample(self, s: int, a: int) -> tuple[float, int]:
        self.steps += 10_000
        return super().sample(s, a)


def test_agents_that_idle_are_rejected() -> None:
    found = search(
        QUICK, online.wandering(), lambda case: online.wandering_evaluation(case, Idle), 5
    )
    assert found.verdict is Verdict.VIOLATED


def test_a_model_that_mispredicts_is_given_up() -> None:
    """The rival promises a short cut that the target does not have; after one step it is last."""
    target, rival = online_cases.blind_tests_instance().models
    right, misled = (Walker(Wandering((target, rival), HALF, seed=0)) for _ in range(2))
    misled._queue.rotate(1)
    for walker in (right, misled):
        walker.sample(G, 0)
    assert (right.steps, misled.steps) == (3, 4)
    assert misled._queue[0] == 0


# The reference is asked as well


def test_an_agent_of_the_reference_that_walks_otherwise_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = online_cases.blind_tests_instance()

    def slower(*given: Any, **named: Any) -> WalkedRun:
        run = run_trusting(*given, **named)
        return replace(run, steps=run.steps + 1)

    monkeypatch.setattr(online_cases, "run_trusting", slower)
    for evaluate in (
        online.deterministic_evaluation,
        partial(online_cases.online_evaluation, watchful=True),
    ):
        with pytest.raises(WitnessError, match="steps of the trusting agent"):
            evaluate(case)


def test_a_way_of_the_reference_that_is_not_the_fastest_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = online_cases.blind_tests_instance(believed=X)
    monkeypatch.setattr(online, "fastest_way", slower_way)
    with pytest.raises(WitnessError, match="steps to state 0"):
        online.alike_evaluation(case)


def slower_way(p: Floats, goal: int) -> Way:
    way = fastest_way(p, goal)
    return Way(way.policy, np.where(way.steps > 0, way.steps + 1, 0.0))


def hasty(*given: Any, **named: Any) -> OnlineRun:
    """Stops at once, with the policy of the last model."""
    models = given[0]
    return replace(run_online(*given, **named), end=End.STOPPED, policy=models.pi_star[-1], steps=0)


def forgetful(*given: Any, **named: Any) -> OnlineRun:
    """Has lost the target."""
    return replace(run_online(*given, **named), active=(1,))


@pytest.mark.parametrize("wrong", [hasty, forgetful])
def test_agents_that_return_what_they_have_not_tested_are_rejected(wrong: RunsOnline) -> None:
    found = search(
        QUICK,
        online.deterministic_moves(),
        lambda case: online.sketch_evaluation(case, exploration_task, wrong),
        20,
    )
    assert found.verdict is Verdict.VIOLATED
