"""Online, an agent that plans in the models of line 12 may never arrive (erratum E65).

The agent stands in a state of the target and walks to the pair that PTUM asks, along the shortest
way in the active model that promises the shortest one. Every step is a sample for line 12. That
line sees moves through values alone. Three states of the same value: x, from where action 0 leads
by w to g, and back to x. Only at g the two models differ in a reward. The wrong one says that
action 1 leads from x to g at once; it leads back to x, where the value is that of g, so that no
test fails and the agent tries again for ever.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp, travel
from ptum.checks.exact.intervals import Between, Real, compared, least, shortened
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.numbers import max_by
from ptum.checks.exact.terms import MaybeInfinite, Situation, min_max, theta_s
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import (
    Algorithm1Inputs,
    Pair,
    Prepared,
    leads_to,
    samples_to_drop,
)
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement, not_met
from ptum.reference.transfer.analysis.sample_complexity import FACTOR
from ptum.spec.vocabulary import Version

TARGET = 0


@stored
@dataclass(frozen=True)
class Online:
    """Models with deterministic moves and rewards, number 0 the target, and a first state."""

    models: tuple[ExactMDP, ...]
    told: Algorithm1Inputs
    start: int = 0

    @property
    def situation(self) -> Situation:
        """What Theorem 1 looks at."""
        return Situation(self.models, self.told.epsilon, self.told.Delta)

    @property
    def most_phases(self) -> int:
        """min{SA,|Θ|-1}."""
        return min(self.models[0].S * self.models[0].A, len(self.models) - 1)

    @property
    def most_given_up(self) -> int:
        """How many ways can end before their query: min{SA,|Θ|-1} + |Θ|-1.

        A mispredicted move is the first at its pair and costs a model the agent's trust; a model
        that falls on the way, by what is seen there, may change the pair that is asked for.
        """
        return self.most_phases + len(self.models) - 1

    def bound(self) -> Between:
        """Theorem 1 repaired, on the queries."""
        situation, first = self.situation, self.models[0]
        sizes = (first.S, first.A, self.told.n, len(self.models), self.told.delta)
        information = Fraction(min_max(situation, theta_s(situation)))
        return FACTOR * self.most_phases * deterministic_runs.log_term(*sizes) / information

    def within_bound(self, queries: int) -> Between:
        """The queries of a run, or what Theorem 1 repaired allows if that is less."""
        return least(queries, self.bound())


class Journey:
    """An agent under way: where it is, which models are active, and with which it plans.

    A `watchful` agent plans with all models that have not mispredicted a move yet, also with those
    that PTUM has dropped; any other one plans with the active models.
    """

    def __init__(self, case: Online, watchful: bool) -> None:
        self.case, self.watchful = case, watchful
        self.state, self.steps, self.queries = case.start, 0, 0
        self.active = self.trusted = tuple(range(len(case.models)))
        self._seen: Counter[Pair] = Counter()
        self._since: dict[int, Pair] = {}  # since it last learnt, latest steps last
        self._falls: dict[tuple[int, Pair], int | None] = {}

    def query(self, action: int) -> None:
        """Ask the pair that PTUM wants, here."""
        self._take(action)
        self.queries += 1
        self._since.clear()

    def go(self, goal: int) -> bool:
        """One step towards the goal; False where the way is a circle on which nothing is learnt."""
        if self.state in self._since and self._mute(self._circle()):
            return False
        planned = self.trusted if self.watchful else self.active
        plans = [travel.fastest(self.case.models[i], goal) for i in planned]
        policy, _ = max_by(plans, lambda plan: -plan[1][self.state])
        before, action = (self.active, self.trusted), policy[self.state]
        self._since.pop(self.state, None)
        self._since[self.state] = self.state, action
        self._take(action)
        if (self.active, self.trusted) != before:
            self._since.clear()
        return True

    def _take(self, action: int) -> None:
        pair, models = (self.state, action), self.case.models
        self.steps += 1
        self._seen[pair] += 1
        self.state = _move(models[TARGET], pair)
        self.trusted = tuple(i for i in self.trusted if _move(models[i], pair) == self.state)
        self.active = tuple(
            i
            for i in self.active
            if (least := self._falls_at(i, pair)) is None or least > self._seen[pair]
        )

    def _falls_at(self, theta: int, pair: Pair) -> int | None:
        """How many samples of the pair make the model fall by line 12."""
        if (theta, pair) not in self._falls:
            found = samples_to_drop(self.case.models, theta, pair, self.case.told)
            self._falls[theta, pair] = found
        return self._falls[theta, pair]

    def _circle(self) -> list[Pair]:
        """The steps since the agent was last here."""
        return list(self._since.values())[list(self._since).index(self.state) :]

    def _mute(self, pairs: Iterable[Pair]) -> bool:
        """Whether no number of samples of these pairs makes an active model fall."""
        return all(self._falls_at(i, pair) is None for pair in pairs for i in self.active)


def _move(theta: ExactMDP, pair: Pair) -> int:
    return theta.p[pair[0]][pair[1]].index(Fraction(1))


def travelled(case: Online, watchful: bool) -> tuple[MaybeInfinite, int]:
    """Steps until line 14 lets the agent stop, and how many of them were queries."""
    prepared, agent = Prepared(case.models, case.told.Delta), Journey(case, watchful)
    wanted: dict[tuple[int, ...], Pair] = {}
    while not prepared.stopping(agent.active, case.told.epsilon):
        if agent.active not in wanted:
            wanted[agent.active] = deterministic_runs.query(prepared.index(agent.active))
        s, a = wanted[agent.active]
        if agent.state == s:
            agent.query(a)
        elif not agent.go(s):
            return math.inf, agent.queries
    return Fraction(agent.steps), agent.queries


def premises_of(case: Online) -> tuple[Statement, ...]:
    """The repaired line 2, a model to eliminate, and a finite diameter."""
    first = case.models[TARGET]
    blocking = len(theta_s(case.situation))
    return (
        deterministic_runs.enters(case.told, first.gamma, Version.REPAIRED),
        Statement("models that have to be eliminated", blocking, "≥", 1),
        Statement("diameter of the target", travel.diameter(first), "<", math.inf),
    )


def online_evaluation(case: Online, watchful: bool) -> Evaluation:
    """Steps against D+1 times the repaired bound on queries and the ways that may be given up."""
    premises = premises_of(case)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    steps, _ = travelled(case, watchful)
    D = Fraction(travel.diameter(case.models[TARGET]))
    allowed = (D + 1) * (case.bound() + case.most_given_up)
    told = "steps, against D+1 times the bound on queries and ways given up"
    return Evaluation(premises, at_most(told, steps, allowed))


def at_most(told: str, steps: MaybeInfinite, allowed: Real) -> Statement:
    """Steps against an enclosed number; without end they are more than any."""
    if isinstance(steps, Fraction):
        return Statement(told, *compared(steps, "≤", allowed))
    return Statement(told, steps, "≤", shortened(allowed))


# What the instance shows


X, W, G = range(3)
HALF = Fraction(1, 2)
TOLD = Algorithm1Inputs(HALF, Fraction(1, 10), 10**5)


def three_places(from_x: int, paying: int, from_g: int = X) -> ExactMDP:
    """x, w and g; action 1 of x leads to `from_x`, and of g's actions only `paying` pays."""
    moves = ((W, from_x), (G, G), (from_g, from_g))
    rewards = ((1, 1), (1, 1), (int(paying == 0), int(paying == 1)))
    return mdp.deterministic(
        [[leads_to(t, 3) for t in row] for row in moves],
        [[Fraction(x) for x in row] for row in rewards],
        HALF,
    )


def instance(believed: int = G, from_g: int = X) -> Online:
    """The rival believes that action 1 of x leads to `believed`; in the target it stays."""
    models = (three_places(X, 0, from_g), three_places(believed, 1, from_g))
    return Online(models, TOLD)


def numbers(case: Online) -> Numbers:
    """Moves and rewards of both models, and what the agent is told."""
    moves = tuple(
        tuple(tuple(_move(theta, (s, a)) for a in range(theta.A)) for s in range(theta.S))
        for theta in case.models
    )
    return (
        ("γ", case.models[0].gamma),
        ("ε", case.told.epsilon),
        ("Δ", case.told.Delta),
        ("δ", case.told.delta),
        ("n", case.told.n),
        ("first state, of 0 = x, 1 = w, 2 = g", case.start),
        ("where actions 0 and 1 of each state lead, target first", moves),
        ("rewards, target first", tuple(theta.r for theta in case.models)),
        ("D", travel.diameter(case.models[TARGET])),
        ("queries that Theorem 1 repaired allows", shortened(case.bound())),
    )


declare(
    Counterexample(
        checks={
            "text-no-generative-model.diameter/blind-tests": (
                "An agent that plans in active models arrives within (D+1) times the bound"
            ),
        },
        instance=instance(),
        evaluate=partial(online_evaluation, watchful=False),
        numbers=numbers,
        fix="the rival knows that action 1 of x stays",
        fixed=instance(believed=X),
        broken={
            deterministic_runs.ENTERS: replace(
                instance(), told=replace(TOLD, Delta=Fraction(1, 10))
            ),
            "models that have to be eliminated": replace(
                instance(), told=replace(TOLD, epsilon=Fraction(8))
            ),
            "diameter of the target": instance(from_g=G),
        },
        repaired=partial(online_evaluation, watchful=True),
        in_scope=instance(believed=X),
    )
)
