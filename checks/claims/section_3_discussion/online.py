"""Section 3.3: PTUM without a generative model, and whether the diameter is all that it costs.

The agent stands in a state of the target and has to walk to every pair that PTUM asks. The paper
does not say how it finds its way; four answers:

* all models move alike, so that it knows the fastest way: D steps at most on average, and one more
  for the query itself;
* moves are deterministic, and it trusts the most optimistic model that has mispredicted none: each
  way is D steps at most, and there is one for every query, for every mispredicted move, and for
  every model that falls on the way, so that another pair is asked for;
* it trusts the active models (`counterexamples.section_3_text.online`): it may never arrive;
* moves are random and differ: nothing is proved. The agent here trusts models in turn, and gives
  one up for the next after twice the steps that it promised.

That the queries are within the repaired Theorem 1 is part of what is concluded of the first two,
not a premise: the steps of a run are compared with its queries or with that bound, whichever is
less. A run with more queries than the bound would refute the claim, and must not be left out. The
proofs are in docs/repaired_transfer.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import mdp, travel
from ptum.checks.exact.mdp import ExactMDP, Table
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.section_3_text import online
from ptum.checks.instances.counterexamples.section_3_text.online import (
    MOST_LITERAL,
    Online,
    at_most,
    blind_tests_premises_of,
    literal_agent_agrees,
    travelled,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import (
    Algorithm1Inputs,
    DeterministicRun,
    Pair,
    Prepared,
    leads_to,
)
from ptum.checks.instances.families import rational
from ptum.checks.verdicts import tolerances
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, not_met
from ptum.checks.verdicts.search import search
from ptum.checks.verdicts.witness import same_numbers
from ptum.reference.arrays import ROUNDING
from ptum.reference.repaired.transfer.analysis.sample_complexity import theorem_1_bound
from ptum.reference.repaired.transfer.exploration import fastest_way, run_shared_moves
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.exploration import (
    MakesTask,
    RunsOnline,
    bonus_task,
    exploration_task,
    run_online,
)
from ptum.reference.transfer.ptum import End, ptum
from ptum.spec.vocabulary import CheckKind

DELTA, BUDGET = Fraction(1, 10), 10**6
SHARES = (Fraction(1, 2), Fraction(99, 100), Fraction(1, 20))
"""ε as a share of the least worst loss, so that iteration 1 does not stop."""


@st.composite
def rewards(draw: DrawFn, S: int, A: int, theta: int) -> Table:
    """Tenths; in state 0 action θ mod A pays 1 and the others at most 1/2."""
    rows = [[Fraction(draw(st.integers(0, 10)), 10) for _ in range(A)] for _ in range(S)]
    rows[0] = [x / 2 for x in rows[0]]
    rows[0][theta % A] = Fraction(1)
    return tuple(tuple(row) for row in rows)


def accuracy(models: tuple[ExactMDP, ...], share: Fraction) -> Fraction:
    """The share of the least worst loss; where that is nothing, of 1."""
    return share * (mdp.smallest_worst_loss(models) or Fraction(1))


# All models move alike


@st.composite
def moving_alike(draw: DrawFn) -> Online:
    """Random moves that all models share."""
    S, A = draw(st.integers(2, 3)), draw(st.integers(2, 3))
    gamma = draw(st.sampled_from(rational.DISCOUNTS[:3]))
    p = [[draw(rational.distributions(S)) for _ in range(A)] for _ in range(S)]
    models = tuple(
        mdp.deterministic(p, draw(rewards(S, A, theta)), gamma)
        for theta in range(draw(st.integers(2, 3)))
    )
    told = Algorithm1Inputs(accuracy(models, draw(st.sampled_from(SHARES))), DELTA, BUDGET)
    return Online(models, told, draw(st.integers(0, S - 1)))


def run_by_rewards(case: Online) -> DeterministicRun:
    """Lines 3-21: with the moves shared, only deterministic rewards eliminate, unless all do."""
    models, told = case.models, case.told
    first = models[0]
    width = 7 * deterministic_runs.log_term(first.S, first.A, told.n, len(models), told.delta) / 3

    def falls(theta: int, pair: Pair) -> int | None:
        s, a = pair
        return deterministic_runs.first_below(width, abs(first.r[s][a] - models[theta].r[s][a]))

    return deterministic_runs.played(Prepared(models, told.Delta), told, falls)


def expected_steps(case: Online, run: DeterministicRun, detour: int = 0) -> Fraction:
    """Of an agent that takes the fastest way to every pair; a `detour` is paid on each way."""
    target = case.models[0]
    here: mdp.Vector = tuple(leads_to(case.start, target.S))
    total, before = Fraction(0), 0
    for phase in run.phases:
        s, a = phase.pair
        queries, before = sum(phase.N.values()) - before, sum(phase.N.values())
        away = tuple(Fraction(steps) for steps in travel.fastest(target, s)[1])
        first, again = (mdp.inner(distribution, away) for distribution in (here, target.p[s][a]))
        total += first + (queries - 1) * again + queries * (1 + detour)
        here = target.p[s][a]
    return total


def alike_evaluation(case: Online, detour: int = 0) -> Evaluation:
    """Expected steps ≤ (D+1)·min{queries, bound of the repaired Theorem 1}."""
    premises = blind_tests_premises_of(case)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    run = run_by_rewards(case)
    literal_ways_agree(case, run)
    D = Fraction(travel.diameter(case.models[0]))
    return Evaluation(
        (*premises, Statement("queries", run.queries, "≥", 1)),
        at_most(
            "expected steps, against D+1 times the queries or, if less, their bound",
            expected_steps(case, run, detour),
            (D + 1) * case.within_bound(run.queries),
        ),
    )


def literal_ways_agree(case: Online, run: DeterministicRun) -> None:
    """Proposition O's agent of the reference: its ways take as long, and it asks as often.

    Moves that are seen either leave all models active or none, and only rewards tell them apart;
    so a run that stops has asked what the exact one asks.
    """
    models = approximate_models([mdp.rounded(theta) for theta in case.models])
    for goal in range(models.S):
        exact = travel.fastest(case.models[0], goal)[1]
        found = fastest_way(models.p[0], goal).steps
        rounding = 16 * models.S * ROUNDING * float(max_of(exact)) ** 2
        same_numbers(f"steps to state {goal}", found, exact, rounding)
    if run.queries > MOST_LITERAL:
        return
    walked = run_shared_moves(
        models,
        Simulator(models.tasks[0], 0),
        start=case.start,
        epsilon=float(case.told.epsilon),
        delta=float(case.told.delta),
        n=case.told.n,
        Delta=float(case.told.Delta),
    )
    if walked.end is End.STOPPED:
        same_numbers("queries of the agent", float(walked.queries), run.queries, 0.0)


@check("text-no-generative-model.diameter/moving-alike", CheckKind.EXACT)
def alike(context: Context) -> Outcome:
    """Where models share their moves, expected steps are at most (D+1)·queries."""
    return search(context, moving_alike(), alike_evaluation, (8, 40, 4000))


# Deterministic moves


@st.composite
def deterministic_moves(draw: DrawFn) -> Online:
    """Every model has moves of its own, of which none is random; those of the target go round."""
    S, A = draw(st.integers(2, 4)), 2
    gamma = draw(st.sampled_from(rational.DISCOUNTS[:2]))
    places = st.integers(0, S - 1)
    k = draw(st.integers(2, 4))
    moves = [[[draw(places) for _ in range(A)] for _ in range(S)] for _ in range(k)]
    for s, row in enumerate(moves[0]):
        row[draw(st.integers(0, A - 1))] = (s + 1) % S
    models = tuple(
        mdp.deterministic(
            [[leads_to(place, S) for place in row] for row in table],
            draw(rewards(S, A, theta)),
            gamma,
        )
        for theta, table in enumerate(moves)
    )
    told = Algorithm1Inputs(accuracy(models, draw(st.sampled_from(SHARES))), DELTA, BUDGET)
    return Online(models, told, draw(places))


def deterministic_evaluation(case: Online, watchful: bool = True) -> Evaluation:
    """Steps ≤ q + D(q + min{SA,|Θ|-1} + |Θ|-1), q the queries or Theorem 1's repaired bound."""
    premises = blind_tests_premises_of(case)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    steps, queries = travelled(case, watchful)
    if watchful:
        literal_agent_agrees(case, steps, queries)
    D = Fraction(travel.diameter(case.models[0]))
    q = case.within_bound(queries)
    told = "steps, against q + D(q + min{SA,|Θ|-1} + |Θ|-1), q the queries or, if less, their bound"
    return Evaluation(premises, at_most(told, steps, q + D * (q + case.most_given_up)))


@check("text-no-generative-model.diameter/most-hopeful", CheckKind.EXACT)
def deterministic(context: Context) -> Outcome:
    """With deterministic moves, steps are at most queries + D(queries + min{SA,|Θ|-1} + |Θ|-1)."""
    return search(context, deterministic_moves(), deterministic_evaluation, (10, 50, 4000))


@check("text-no-generative-model.diameter/repaired-watchful", CheckKind.EXACT)
def watchful(context: Context) -> Outcome:
    """With deterministic moves, mispredicting models left aside, (D+1) times the bound is kept."""
    return search(
        context,
        deterministic_moves(),
        lambda case: online.online_evaluation(case, watchful=True),
        (5, 30, 4000),
    )


# The paper's own sketches: where they lead is open, what they return is not

WALK = 400
"""Steps of a literal run; short ones have few samples, so that a wrong stop would be seen."""


def sketch_evaluation(case: Online, task: MakesTask, agent: RunsOnline = run_online) -> Evaluation:
    """Where the agent stops, its policy loses at most ε in the target, which is still active."""
    models = approximate_models([mdp.rounded(theta) for theta in case.models])
    epsilon = case.told.epsilon
    run = agent(
        models,
        Simulator(models.tasks[0], 0),
        start=case.start,
        epsilon=float(epsilon),
        delta=float(DELTA),
        n=WALK,
        Delta=0.0,
        task=task,
    )
    stopped = Statement("the agent stopped", int(run.end is End.STOPPED), "=", 1)
    if run.policy is None:
        return not_met((stopped,))
    loss = mdp.loss(case.models[0], tuple(run.policy.tolist())) if 0 in run.active else inf
    return Evaluation(
        (stopped,), Statement("loss of the policy, infinite without the target", loss, "≤", epsilon)
    )


@check("text-components-independent.components/walking", CheckKind.EXACT)
def sketches(context: Context) -> Outcome:
    """Agents that walk by a task of exploration or a bonus return ε-optimal policies."""
    return search(
        context,
        st.tuples(deterministic_moves(), st.sampled_from((exploration_task, bonus_task))),
        lambda drawn: sketch_evaluation(*drawn),
        (10, 50, 2000),
    )


# Random moves that differ


@stored
@dataclass(frozen=True)
class Wandering:
    """Models with random moves of their own, an accuracy, and the seed of a run."""

    models: tuple[ExactMDP, ...]
    epsilon: Fraction
    seed: int


@st.composite
def wandering(draw: DrawFn) -> Wandering:
    """Small tasks; rewards are deterministic."""
    S, A = draw(st.integers(2, 3)), 2
    gamma = draw(st.sampled_from(rational.DISCOUNTS[:2]))
    models = tuple(
        mdp.deterministic(
            [[draw(rational.distributions(S)) for _ in range(A)] for _ in range(S)],
            draw(rewards(S, A, theta)),
            gamma,
        )
        for theta in range(draw(st.integers(2, 3)))
    )
    share = draw(st.sampled_from(SHARES))
    return Wandering(models, accuracy(models, share), draw(st.integers(0, 2**32)))


class Walker:
    """A generative model that has to walk to every pair it is asked about.

    It follows the model at the head of a queue, and sends it to the end when a move was impossible
    in it, or after twice the steps that it promised.
    """

    def __init__(self, case: Wandering) -> None:
        self.steps = 0
        self._tasks = case.models
        self._queue = deque(range(len(case.models)))
        target = mdp.rounded(case.models[0])
        self._moves = target.p
        self._answers = Simulator(target, case.seed)
        self._rng = np.random.default_rng(case.seed)
        self._state = 0

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Walk there, and take the action."""
        while self._state != s:
            self._follow(self._queue[0], s)
        reward, self._state = self._answers.sample(s, a)
        self.steps += 1
        return reward, self._state

    def _follow(self, theta: int, goal: int) -> None:
        """Until the goal is reached or the model is given up; none is followed for ever."""
        policy, promised = travel.fastest(self._tasks[theta], goal)
        most = promised[self._state]
        for _ in range(1 if most == inf else int(2 * most) + 1):
            before, action = self._state, policy[self._state]
            row = self._moves[before, action]
            self._state = int(self._rng.choice(len(row), p=row))
            self.steps += 1
            if self._state == goal:
                return
            if self._tasks[theta].p[before][action][self._state] == 0:
                break
        self._queue.rotate(-1)


SHORT = 3000
"""Budget of a literal run."""


def wandering_evaluation(
    case: Wandering, agent: Callable[[Wandering], Walker] = Walker
) -> Evaluation:
    """Steps of one run against D+1 times the repaired bound."""
    models = approximate_models([mdp.rounded(theta) for theta in case.models])
    premises = blind_tests_premises_of(
        Online(case.models, Algorithm1Inputs(case.epsilon, DELTA, SHORT))
    )
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    walker, D = agent(case), float(travel.diameter(case.models[0]))
    epsilon, delta = float(case.epsilon), float(DELTA)
    run = ptum(models, walker, epsilon=epsilon, delta=delta, n=SHORT, Delta=0.0)
    bound = theorem_1_bound(
        models, target=0, epsilon=epsilon, delta=delta, n=SHORT, Delta=0.0
    ).bound
    return Evaluation(
        (*premises, Statement("the target is active to the end", 0 in run.active, "=", True)),
        Statement(
            "steps of a run, against D+1 times the bound on queries",
            walker.steps,
            "≤",
            (D + 1) * bound,
            tolerance=tolerances.of_count(walker.steps, models),
        ),
    )


@check("text-no-generative-model.diameter/models-in-turn", CheckKind.INEQUALITY)
def unproved(context: Context) -> Outcome:
    """Drawn runs that follow models in turn take at most (D+1) times the repaired bound."""
    return search(context, wandering(), wandering_evaluation, (3, 10, 4000))
