"""Against what is said of agents that are online (errata E64, E65)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp, travel
from ptum.checks.exact.intervals import Between, Real, compared, least, shortened
from ptum.checks.exact.mdp import ExactMDP, Table, Vector
from ptum.checks.exact.numbers import max_by
from ptum.checks.exact.terms import MaybeInfinite, Situation, of_theorem_1, theta_s
from ptum.checks.instances.counterexamples.catalogue import declare
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import (
    Algorithm1Inputs,
    Pair,
    Prepared,
    arms,
    leads_to,
    samples_to_drop,
)
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement, not_met
from ptum.checks.verdicts.witness import same_numbers
from ptum.reference.repaired.transfer.exploration import run_trusting
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.analysis.sample_complexity import FACTOR
from ptum.spec.vocabulary import Version

# Online, an agent that plans in the models of line 12 may never arrive (erratum E65).
#
# The agent stands in a state of the target and walks to the pair that PTUM asks, along the shortest
# way in the active model that promises the shortest one. Every step is a sample for line 12. That
# line sees moves through values alone. Three states of the same value: x, from where action 0 leads
# by w to g, and back to x. Only at g the two models differ in a reward. The wrong one says that
# action 1 leads from x to g at once; it leads back to x, where the value is that of g, so that no
# test fails and the agent tries again for ever.

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
        that is eliminated on the way, by what is seen there, may change the pair that is asked for.
        """
        return self.most_phases + len(self.models) - 1

    def bound(self) -> Between:
        """Theorem 1 repaired, on the queries."""
        situation, first = self.situation, self.models[0]
        sizes = (first.S, first.A, self.told.n, len(self.models), self.told.delta)
        information = Fraction(of_theorem_1(situation, Version.REPAIRED)[1])
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
        self._known: dict[tuple[int, Pair], int | None] = {}

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
            if (least := self._eliminated_after(i, pair)) is None or least > self._seen[pair]
        )

    def _eliminated_after(self, theta: int, pair: Pair) -> int | None:
        """How many samples of the pair eliminate the model by line 12."""
        if (theta, pair) not in self._known:
            found = samples_to_drop(self.case.models, theta, pair, self.case.told)
            self._known[theta, pair] = found
        return self._known[theta, pair]

    def _circle(self) -> list[Pair]:
        """The steps since the agent was last here."""
        return list(self._since.values())[list(self._since).index(self.state) :]

    def _mute(self, pairs: Iterable[Pair]) -> bool:
        """Whether no number of samples of these pairs eliminates an active model."""
        return all(self._eliminated_after(i, pair) is None for pair in pairs for i in self.active)


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


def blind_tests_premises_of(case: Online) -> tuple[Statement, ...]:
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
    premises = blind_tests_premises_of(case)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    steps, queries = travelled(case, watchful)
    if watchful:
        literal_agent_agrees(case, steps, queries)
    D = Fraction(travel.diameter(case.models[TARGET]))
    allowed = (D + 1) * (case.bound() + case.most_given_up)
    told = "steps, against D+1 times the bound on queries and ways given up"
    return Evaluation(premises, at_most(told, steps, allowed))


MOST_LITERAL = 150
"""The literal agents are asked about shorter runs only: they compute all again at every step."""


def literal_agent_agrees(case: Online, steps: MaybeInfinite, queries: int) -> None:
    """Proposition O's agent of the reference, on the same models, takes the same steps."""
    if steps > MOST_LITERAL:
        return
    models = approximate_models([mdp.rounded(theta) for theta in case.models])
    told, target = case.told, Simulator(models.tasks[TARGET], 0)
    run = run_trusting(
        models,
        target,
        start=case.start,
        epsilon=float(told.epsilon),
        delta=float(told.delta),
        n=told.n,
        Delta=float(told.Delta),
    )
    same_numbers("steps of the trusting agent", float(run.steps), steps, 0.0)
    same_numbers("queries of the trusting agent", float(run.queries), queries, 0.0)


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


def blind_tests_instance(believed: int = G, from_g: int = X) -> Online:
    """The rival believes that action 1 of x leads to `believed`; in the target it stays."""
    models = (three_places(X, 0, from_g), three_places(believed, 1, from_g))
    return Online(models, TOLD)


declare(
    check="text-no-generative-model.diameter/blind-tests",
    says="An agent that plans in active models arrives within (D+1) times the bound",
    instance=blind_tests_instance(),
    evaluate=partial(online_evaluation, watchful=False),
    # moves and rewards of both models, and what the agent is told
    numbers=lambda case: (
        ("γ", case.models[0].gamma),
        ("ε", case.told.epsilon),
        ("Δ", case.told.Delta),
        ("δ", case.told.delta),
        ("n", case.told.n),
        ("first state, of 0 = x, 1 = w, 2 = g", case.start),
        *tasks(zip(("the target", "the rival"), case.models, strict=True)),
        ("D", travel.diameter(case.models[TARGET])),
        ("queries that Theorem 1 repaired allows", shortened(case.bound())),
    ),
    fix="the rival knows that action 1 of x stays",
    fixed=blind_tests_instance(believed=X),
    broken={
        deterministic_runs.ENTERS: replace(
            blind_tests_instance(), told=replace(TOLD, Delta=Fraction(1, 10))
        ),
        "models that have to be eliminated": replace(
            blind_tests_instance(), told=replace(TOLD, epsilon=Fraction(8))
        ),
        "diameter of the target": blind_tests_instance(from_g=G),
    },
    repaired=partial(online_evaluation, watchful=True),
    in_scope=blind_tests_instance(believed=X),
)


# A learner with initial values that asks more when they are tighter (erratum E64).
#
# The learner is given upper bounds U ≥ Q* and asks a generative model. It plans with U at pairs
# that it does not know and with their distributions at those that it does, and asks a pair that its
# plan takes and that it does not know, until its plan and the best plan through known pairs are
# within ε everywhere. One question stands for as many as it takes to know a pair.
#
# Ten arms: one pays 1/2, the others nothing. With bounds 1 for the good arm and 11/20 for the
# others it is asked first and is good enough at ε = 1/10. A tighter bound of 13/25 puts it last.

Asked = tuple[Pair, ...]


@stored
@dataclass(frozen=True)
class Initial:
    """A task, two tables of upper bounds on Q*, and the accuracy that the learner is after."""

    task: ExactMDP
    loose: Table
    tight: Table
    epsilon: Fraction


Learner = Callable[[ExactMDP, Table, Fraction], Asked]
"""From a task, upper bounds and ε to the pairs that are asked, in order."""


def believed(task: ExactMDP, known: frozenset[Pair], unknown: Table) -> ExactMDP:
    """The task as far as it is known; other pairs pay what the table says, and end in a new state.

    That state pays nothing and is never left.
    """
    S, A = task.S, task.A
    end, nothing = leads_to(S, S + 1), [Fraction(0)] * A
    p = [
        [[*task.p[s][a], Fraction(0)] if (s, a) in known else end for a in range(A)]
        for s in range(S)
    ]
    r = [[task.r[s][a] if (s, a) in known else unknown[s][a] for a in range(A)] for s in range(S)]
    return mdp.deterministic([*p, [end] * A], [*r, nothing], task.gamma)


def optimistic(task: ExactMDP, upper: Table, epsilon: Fraction) -> Asked:
    """The pairs that the learner asks: of the first state whose planned action is not known."""
    worthless = tuple((Fraction(0),) * task.A for _ in range(task.S))
    asked: Asked = ()
    while True:
        known = frozenset(asked)
        hoped = believed(task, known, upper)
        sure = mdp.optimal_value(believed(task, known, worthless))
        if _apart(mdp.optimal_value(hoped), sure) <= epsilon:
            return asked
        plan = mdp.optimal_policy(hoped)
        asked += (next((s, plan[s]) for s in range(task.S) if (s, plan[s]) not in known),)


def _apart(upper: Vector, lower: Vector) -> Fraction:
    return max(x - y for x, y in zip(upper, lower, strict=True))


def smallest_difference(first: Table, second: Table) -> Fraction:
    """min over pairs of the first table less the second."""
    return min(
        x - y
        for row, other in zip(first, second, strict=True)
        for x, y in zip(row, other, strict=True)
    )


def optimistic_arms_premises_of(case: Initial) -> tuple[Statement, ...]:
    """Both tables are upper bounds, and one is the tighter one."""
    Q = mdp.action_values(case.task, mdp.optimal_value(case.task))
    return (
        Statement("tighter: U - U' at least", smallest_difference(case.loose, case.tight), "≥", 0),
        Statement("valid: U' - Q* at least", smallest_difference(case.tight, Q), "≥", 0),
    )


def worth_asking(case: Initial, upper: Table) -> frozenset[Pair]:
    """The pairs with U(s,a) ≥ V*(s): all that an optimistic learner may ask."""
    V = mdp.optimal_value(case.task)
    return frozenset((s, a) for s, row in enumerate(upper) for a, u in enumerate(row) if u >= V[s])


def every_run_evaluation(case: Initial, learner: Learner = optimistic) -> Evaluation:
    """With the tighter bounds the learner asks at most as many pairs."""
    tight, loose = (learner(case.task, U, case.epsilon) for U in (case.tight, case.loose))
    return Evaluation(
        optimistic_arms_premises_of(case),
        Statement("pairs asked with U', with U", len(tight), "≤", len(loose)),
    )


def without_accuracy_evaluation(case: Initial, learner: Learner = optimistic) -> Evaluation:
    """The same at ε = 0, where no bound equals V*: what is asked are the pairs with U > V*.

    Asked pairs have U(s,a) ≥ V*(s) by optimism; in the end the plan is worth V*, so that no pair
    with a larger U is left.
    """
    evaluation = every_run_evaluation(case, learner)
    V = mdp.optimal_value(case.task)
    ties = sum(
        u == v for U in (case.loose, case.tight) for row, v in zip(U, V, strict=True) for u in row
    )
    return replace(
        evaluation,
        premises=(
            *evaluation.premises,
            Statement("ε", case.epsilon, "=", 0),
            Statement("bounds that equal V*", ties, "=", 0),
        ),
    )


# What the instance shows


OTHERS = 9

NEARLY = Fraction(11, 20)


def optimistic_arms_instance(
    good: Fraction = Fraction(13, 25),
    before: Fraction = Fraction(1),
    epsilon: Fraction = Fraction(1, 10),
) -> Initial:
    """One state, γ = 0; `good` is the tighter bound of the last arm, `before` the looser one."""
    (task,) = arms(Fraction(0), (*(Fraction(0),) * OTHERS, HALF))
    loose, tight = (((*(NEARLY,) * OTHERS, bound),) for bound in (before, good))
    return Initial(task, loose, tight, epsilon)


FIRST = Fraction(3, 5)

declare(
    check="text-fallback-choice.optimism/asked-last",
    says="With a tighter bound on the good arm of ten a learner asks no more arms",
    instance=optimistic_arms_instance(),
    evaluate=every_run_evaluation,
    fix="the tighter bound of the good arm is 3/5, which still is the largest",
    fixed=optimistic_arms_instance(FIRST),
    broken={
        "tighter: U - U' at least": optimistic_arms_instance(before=HALF),
        "valid: U' - Q* at least": optimistic_arms_instance(Fraction(2, 5)),
    },
    repaired=without_accuracy_evaluation,
    in_scope=optimistic_arms_instance(epsilon=Fraction(0)),
    # the arms and the bounds
    numbers=lambda case: (
        ("γ", case.task.gamma),
        ("ε; the learner stops when its plan is surely within it", case.epsilon),
        ("rewards of the arms, certain", case.task.r[0]),
        ("U", case.loose[0]),
        ("U', tighter", case.tight[0]),
        ("arms asked with U", tuple(a for _, a in optimistic(case.task, case.loose, case.epsilon))),
        (
            "arms asked with U'",
            tuple(a for _, a in optimistic(case.task, case.tight, case.epsilon)),
        ),
    ),
)
