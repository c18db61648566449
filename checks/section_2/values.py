"""Section 2: does the reference compute what the definitions say?

Values and policies are held against rational arithmetic; what the answers of a generative model
and the next task are drawn from is in `checks.section_2_laws`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from checks import exact, section_2_laws
from checks.counterexamples import gap_meaning, unit_rewards
from checks.counterexamples.gap_meaning import Comparison
from checks.counterexamples.unit_rewards import Doublings, Gamble, Scaled, policies
from checks.exact import ExactMDP, Vector
from checks.exact_copy import exact_copy
from checks.families import rational, tasks
from checks.outcome import Outcome, Statement, Walk, from_walk
from checks.registry import Check, Context
from checks.search import search
from reference.arrays import ROUNDING, Floats, Ints
from reference.errors import InputError
from reference.mdp import MDP
from reference.models import ApproximateModels, approximate_models
from reference.stopping import stopping_models
from reference.values import optimal_policy, policy_value, value_tolerance
from spec.vocabulary import CheckKind, Version

PolicyValue: TypeAlias = Callable[[MDP, Ints], Floats]
OptimalPolicy: TypeAlias = Callable[[MDP], Ints]


# A task


@dataclass(frozen=True, eq=False)
class Tables:
    """What somebody offers as a task."""

    p: Floats
    q: Floats
    u: Floats
    gamma: float

    def is_task(self) -> bool:
        """The definition, entry by entry: shapes, distributions, rewards in [0,1], γ in [0,1)."""
        S, A, U = len(self.p), self.p.shape[1], len(self.u)
        shapes = self.p.shape == (S, A, S) and self.q.shape == (S, A, U) and min(S, A, U) > 0
        in_range = 0 <= self.gamma < 1 and all(0 <= x <= 1 for x in self.u.tolist())
        laws = (table.reshape(-1, table.shape[-1]).tolist() for table in (self.p, self.q))
        return shapes and in_range and all(_is_law(row) for rows in laws for row in rows)


def _is_law(row: Sequence[float]) -> bool:
    """Non-negative and of sum one, up to the roundings of a division by the sum (D20)."""
    total = sum(map(Fraction, row), Fraction(0))
    return min(row) >= 0 and abs(total - 1) <= 4 * len(row) * Fraction(ROUNDING)


def _with_row(table: Floats, row: Floats) -> Floats:
    changed = table.copy()
    changed[-1, -1] = row
    return changed


SPOIL: tuple[Callable[[Tables], Tables], ...] = (
    lambda t: t,
    lambda t: replace(t, p=_with_row(t.p, t.p[-1, -1] * (1 + 1e-9))),
    lambda t: replace(t, q=_with_row(t.q, t.q[-1, -1] * 0.9)),
    lambda t: replace(t, p=_with_row(t.p, 2 * np.eye(len(t.p))[0] - t.p[-1, -1])),
    lambda t: replace(t, p=t.p[:, :, :-1]),
    lambda t: replace(t, q=t.q[:, :-1]),
    lambda t: replace(t, u=t.u + 0.5),
    lambda t: replace(t, u=t.u - 0.5),
    lambda t: replace(t, gamma=1.0),
    lambda t: replace(t, gamma=-t.gamma),
)
"""Ways to leave the definition; some leave some tasks inside it."""


def offers() -> SearchStrategy[tuple[Tables, ...]]:
    """A task of any family, as it is and spoilt in every way."""

    def spoilt(theta: MDP) -> tuple[Tables, ...]:
        tables = Tables(np.array(theta.p), np.array(theta.q), np.array(theta.u), theta.gamma)
        return tuple(spoil(tables) for spoil in SPOIL)

    return tasks.tasks().map(spoilt)


Taker: TypeAlias = Callable[[Tables], object]


def as_task(tables: Tables) -> MDP:
    """The reference's constructor."""
    return MDP(tables.p, tables.q, tables.u, tables.gamma)


def task_walk(offered: Sequence[Tables], take: Taker = as_task) -> Walk:
    """What the definition calls a task is taken, and nothing else."""
    wrong = sum(_taken(tables, take) != tables.is_task() for tables in offered)
    return Walk((), Statement("tables that are judged wrongly", wrong, "=", 0))


def _taken(tables: Tables, take: Taker) -> bool:
    try:
        take(tables)
    except InputError:
        return False
    return True


def task_definition(context: Context) -> Outcome:
    """Tasks of all families and spoilt ones."""
    return search(context, offers(), task_walk, context.count(30, 300, 5000))


@st.composite
def two_tasks(draw: DrawFn) -> tuple[MDP, MDP]:
    """Often of the same size and discount."""
    sizes = st.tuples(st.integers(1, 2), st.integers(1, 2), st.sampled_from((0.0, 0.5, 0.9)))
    first = draw(sizes)
    second = first if draw(st.booleans()) else draw(sizes)
    return draw(tasks.of_size(*first)), draw(tasks.of_size(*second))


def shared_walk(pair: tuple[MDP, MDP]) -> Walk:
    """Tasks make a set exactly when they share states, actions and discount."""
    first, second = pair
    same = (first.S, first.A, first.gamma) == (second.S, second.A, second.gamma)
    try:
        approximate_models(pair)
        taken = True
    except InputError:
        taken = False
    return Walk((), Statement("taken as a set, and of one kind", taken, "=", same))


def shared_by_all(context: Context) -> Outcome:
    """Pairs of tasks."""
    return search(context, two_tasks(), shared_walk, context.count(60, 300, 6000))


# Values


TERMS = 60


@dataclass(frozen=True)
class PolicyOf:
    """A rational task and a policy."""

    task: ExactMDP
    pi: tuple[int, ...]


@st.composite
def rational_policies(draw: DrawFn) -> PolicyOf:
    """Up to three states and actions."""
    S, A = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    task = draw(rational.tasks(S, A, draw(rational.discounts())))
    return PolicyOf(task, tuple(draw(st.integers(0, A - 1)) for _ in range(S)))


def partial_sum(case: PolicyOf, terms: int = TERMS) -> Vector:
    """E[Σ_{t<terms} γ^t U_t | S_0 = s], by going back from the last term to the first."""
    task, pi = case.task, case.pi
    total: Vector = (Fraction(0),) * task.S
    for _ in range(terms):
        total = tuple(
            task.r[s][pi[s]] + task.gamma * exact.inner(task.p[s][pi[s]], total)
            for s in range(task.S)
        )
    return total


def series_walk(case: PolicyOf, V: Vector) -> Walk:
    """Rewards lie in [0,1], so what the partial sum leaves out is between 0 and γ^T/(1-γ)."""
    gamma = case.task.gamma
    tail = gamma**TERMS / (1 - gamma)
    left_out = [v - part for v, part in zip(V, partial_sum(case), strict=True)]
    return Walk(
        premises=(),
        conclusion=Statement(
            "distance of the rest from the middle of [0, γ^T/(1-γ)]",
            max(abs(rest - tail / 2) for rest in left_out),
            "≤",
            tail / 2,
        ),
    )


def series(context: Context) -> Outcome:
    """The solution of V = r + γPV is the limit of the expected discounted sums."""
    return search(
        context,
        rational_policies(),
        lambda case: series_walk(case, exact.policy_value(case.task, case.pi)),
        context.count(40, 400, 8000),
    )


def solver_tolerance(S: int, U: int) -> float:
    """Relative error of `policy_value`, as a bound on its roundings.

    Cutting out one state makes each number from three others: an error of e becomes 3e + (S+3)
    roundings, from which 3^S (S+3) follow after S states. Going back adds that once per state, and
    the mean reward starts with U + 1.
    """
    return float((S + 1) * 3**S * (S + 3) + U + 1) * ROUNDING


@st.composite
def tasks_with_policies(draw: DrawFn) -> tuple[MDP, Ints]:
    """Any family, any policy."""
    theta = draw(tasks.tasks())
    pi = draw(tasks.byte_arrays(theta.S)) % theta.A
    return theta, pi


def value_walk(theta: MDP, pi: Ints, value: PolicyValue = policy_value) -> Walk:
    """The reference against the rational solution for the same doubles."""
    right = exact.policy_value(exact_copy(theta), tuple(pi.tolist()))
    found = value(theta, pi).tolist()
    error = max(
        abs(Fraction(v) - w) / w if w else abs(Fraction(v))
        for v, w in zip(found, right, strict=True)
    )
    allowed = solver_tolerance(theta.S, len(theta.u))
    return Walk((), Statement("relative error of V^π", float(error), "≤", allowed))


def value_reference(context: Context, value: PolicyValue = policy_value) -> Outcome:
    """Drawn tasks in doubles; another solver is for tests of this."""
    found = search(
        context,
        tasks_with_policies(),
        lambda case: value_walk(*case, value),
        context.count(50, 500, 10_000),
    )
    return replace(found, tolerance=solver_tolerance(6, 5))


# Optimal policies


def rational_tasks() -> SearchStrategy[ExactMDP]:
    """Up to three states and actions, so that all policies can be listed."""
    return rational_policies().map(lambda case: case.task)


def best_values(task: ExactMDP) -> Vector:
    """In every state the largest value of any policy."""
    values = [exact.policy_value(task, pi) for pi in policies(task)]
    return tuple(max(column) for column in zip(*values, strict=True))


def optimal_walk(task: ExactMDP, solve: OptimalPolicy = optimal_policy) -> Walk:
    """π*_θ of the reference against all A^S policies, valued exactly."""
    theta = exact.rounded(task)
    found = exact.policy_value(task, tuple(solve(theta).tolist()))
    best = best_values(task)
    loss = max(b - f for b, f in zip(best, found, strict=True))
    # the policy may miss a best action by a difference that rounding can make
    allowed = value_tolerance(np.array(best, dtype=np.float64), theta.gamma)
    return Walk((), Statement("loss against the best of all policies", loss, "≤", allowed))


def optimal_reference(context: Context, solve: OptimalPolicy = optimal_policy) -> Outcome:
    """Drawn rational tasks; another solver is for tests of this."""
    found = search(
        context,
        rational_tasks(),
        lambda task: optimal_walk(task, solve),
        context.count(40, 400, 8000),
    )
    return replace(found, tolerance=1.4e-10)  # value_tolerance at S = 3 and γ = 0.99


def exists_walk(values: Sequence[Vector]) -> Walk:
    """One of the policies with these values is the best one in all states at once."""
    best = tuple(max(column) for column in zip(*values, strict=True))
    loss = min(max(b - v for b, v in zip(best, value, strict=True)) for value in values)
    return Walk((), Statement("least worst loss of a policy", loss, "=", 0))


def exists(context: Context) -> Outcome:
    """All policies of drawn rational tasks."""
    return search(
        context,
        rational_tasks(),
        lambda task: exists_walk([exact.policy_value(task, pi) for pi in policies(task)]),
        context.count(60, 600, 10_000),
    )


# ε-optimality


@dataclass(frozen=True)
class Accuracy:
    """Two models, and ε as a multiple of what the policy of the first loses in the second."""

    models: tuple[ExactMDP, ...]
    share: Fraction


@st.composite
def accuracies(draw: DrawFn) -> Accuracy:
    """ε at the loss, just beside it, and far from it."""
    near = (Fraction(1), Fraction(999, 1000), Fraction(1001, 1000), Fraction(1, 2), Fraction(2))
    return Accuracy(draw(rational.model_sets(2)), draw(st.sampled_from(near)))


Judge: TypeAlias = Callable[[ApproximateModels, float], bool]


def accepts(models: ApproximateModels, epsilon: float) -> bool:
    """Line 14 with Δ = 0 and two active models: the first one's policy is ε-optimal in both."""
    return 0 in stopping_models((0, 1), models, epsilon, 0.0)


def epsilon_walk(case: Accuracy, judge: Judge = accepts) -> Walk:
    """The literal test against the definition, V^π ≥ V* - ε in every state."""
    models = approximate_models([exact.rounded(model) for model in case.models])
    pi, second = tuple(models.pi_star[0].tolist()), case.models[1]
    epsilon = case.share * exact.loss(second, pi)
    V, V_pi = exact.optimal_value(second), exact.policy_value(second, pi)
    good = all(v_pi >= v - epsilon for v, v_pi in zip(V, V_pi, strict=True))
    apart = abs(1 - case.share) * exact.loss(second, pi)
    return Walk(
        premises=(
            Statement("ε is the loss, or away from it", apart == 0 or apart > 1e-6, "=", True),
        ),
        conclusion=Statement(
            "accepted by line 14, and ε-optimal", judge(models, float(epsilon)), "=", good
        ),
    )


def epsilon_optimal(context: Context, judge: Judge = accepts) -> Outcome:
    """Drawn pairs of models; another test is for tests of this."""
    return search(
        context,
        accuracies(),
        lambda case: epsilon_walk(case, judge),
        context.count(40, 400, 10_000),
    )


# What the transition gap measures


@st.composite
def comparisons(draw: DrawFn) -> Comparison:
    """Two drawn models and a pair."""
    theta, theta_prime = draw(rational.model_sets(2))
    s, a = draw(st.integers(0, theta.S - 1)), draw(st.integers(0, theta.A - 1))
    return Comparison(theta, theta_prime, s, a)


def gap_proportional(context: Context) -> Outcome:
    """Drawn models: γ Δ^p."""
    return search(
        context, comparisons(), gap_meaning.proportional_walk, context.count(30, 400, 10_000)
    )


def gap_equal(_: Context) -> Outcome:
    """The fork with γ = 1/2: Δ^p itself."""
    return from_walk(gap_meaning.equal_walk(gap_meaning.fork()))


def gap_repaired(context: Context) -> Outcome:
    """Drawn models and the fork: Δ^p is about the next value."""
    drawn = st.one_of(comparisons(), st.just(gap_meaning.fork()))
    return search(context, drawn, gap_meaning.next_value_walk, context.count(30, 400, 10_000))


# Rewards between known bounds


@st.composite
def scaled_tasks(draw: DrawFn) -> Scaled:
    """Rewards from -10 to 20, bounds around them, ε equal to the loss of some policy or near it."""
    S, A = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    task = draw(rational.tasks(S, A, draw(rational.discounts())))
    task = replace(task, r=tuple(tuple(30 * x - 10 for x in row) for row in task.r))
    low = Fraction(-10) - draw(st.sampled_from((0, 1, 50)))
    high = Fraction(20) + draw(st.sampled_from((0, 1, 50)))
    pi = tuple(draw(st.integers(0, A - 1)) for _ in range(S))
    share = draw(st.sampled_from((Fraction(1), Fraction(1, 2), Fraction(99, 100))))
    return Scaled(task, low, high, share * exact.loss(task, pi))


def bounded_rewards(context: Context) -> Outcome:
    """Known bounds: values change by one affine map."""
    return search(
        context, scaled_tasks(), unit_rewards.affine_values_walk, context.count(25, 250, 4000)
    )


def bounded_repaired(context: Context) -> Outcome:
    """Known bounds: the same policies are good enough."""
    return search(
        context, scaled_tasks(), unit_rewards.same_good_policies_walk, context.count(25, 250, 4000)
    )


def unbounded_rewards(_: Context) -> Outcome:
    """A reward that doubles: no interval holds it."""
    return from_walk(unit_rewards.affine_walk(Doublings()))


def squashed_rewards(_: Context) -> Outcome:
    """A map that is not affine changes which arm is better."""
    return from_walk(unit_rewards.squashing_walk(Gamble()))


UNIT = "text-rewards-in-unit-interval.generality"
GAP = "text-gap-meaning.return"

CHECKS: tuple[Check, ...] = (
    Check(
        id="text-task.definition/tables",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="the reference takes a table exactly when it is a task by the definition",
        run=task_definition,
    ),
    Check(
        id="text-task.definition/shared",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="tasks make a set exactly when they share states, actions and discount",
        run=shared_by_all,
    ),
    Check(
        id=f"{UNIT}/bounded",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="with known bounds every policy's value changes by the same affine map",
        run=bounded_rewards,
        reading=f"{UNIT}.bounded",
    ),
    Check(
        id=f"{UNIT}/unbounded",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="a reward of mean 1 that no affine map brings into [0,1]",
        run=unbounded_rewards,
        reading=f"{UNIT}.unbounded",
    ),
    Check(
        id=f"{UNIT}/squashed",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="an increasing map into [0,1) that turns the order of two arms round",
        run=squashed_rewards,
        reading=f"{UNIT}.unbounded",
    ),
    Check(
        id=f"{UNIT}/repaired-accuracy",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="with known bounds, ε-optimal before is ε/(h-l)-optimal after, and no other policy",
        run=bounded_repaired,
    ),
    Check(
        id="text-value-function.definition/series",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="the solution of V = r + γPV exceeds the sum of 60 terms by at most γ^60/(1-γ)",
        run=series,
    ),
    Check(
        id="text-value-function.definition/reference",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="the reference solves V = r + γPV, against rational arithmetic",
        run=value_reference,
    ),
    Check(
        id="text-optimal-policy.definition/brute-force",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="no policy beats the one of the reference in any state, all policies tried",
        run=optimal_reference,
    ),
    Check(
        id="text-optimal-policy.exists/brute-force",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="among all policies one has the largest value in every state",
        run=exists,
    ),
    Check(
        id="text-epsilon-optimal.definition/line-14",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="line 14 accepts a policy exactly when it loses at most ε in every state",
        run=epsilon_optimal,
    ),
    Check(
        id=f"{GAP}/proportional",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="exchanging the first transition changes the return by γ Δ^p",
        run=gap_proportional,
        reading=f"{GAP}.proportional",
    ),
    Check(
        id=f"{GAP}/fork",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="a fork with γ = 1/2 where Δ^p = 2 and the return changes by 1",
        run=gap_equal,
        reading=f"{GAP}.equal",
    ),
    Check(
        id=f"{GAP}/repaired-next-value",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="Δ^p is the change of the mean next value, γ Δ^p that of the return",
        run=gap_repaired,
    ),
    *section_2_laws.CHECKS,
)
