"""Lemma 5, Corollary 2 and the visitation frequencies they speak of.

The inequalities are looked at in rational arithmetic: no rounding, no tolerance. A sum of gaps
weighted by the visits of π in θ' is the value of π in the task θ' that pays those gaps, which is
how it is computed here; `text-visitation.definition` holds the frequencies themselves against the
series that defines them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP, Table, Vector
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.families import rational, tasks
from ptum.checks.verdicts import formulas, reparametrise
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Outcome, Statement, Walk
from ptum.checks.verdicts.search import Climb, search
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import visitation
from ptum.spec.vocabulary import CheckKind, Version

TOLERANCE_OF_VISITS = 8
"""Roundings per state, step and expected number of steps that the series may lose."""


@stored
@dataclass(frozen=True)
class Pair:
    """Two tasks over the same states, actions and discount, and any policy."""

    theta: ExactMDP
    theta_prime: ExactMDP
    pi: tuple[int, ...]


Claim = Callable[[Pair], tuple[Vector, Vector]]
"""Both sides of an inequality in every state."""

FORMULAS = {
    "policy_sides": formulas.APPENDIX_B + "SIMULATION_POLICY",
    "optimal_sides": formulas.APPENDIX_B + "SIMULATION_OPTIMAL",
    "loss_sides": formulas.APPENDIX_B + "VALUE_ERROR",
}
"""By the name of the claim; one made up in a test has none."""


# What Lemma 5 weighs and sums


def gaps(theta: ExactMDP, theta_prime: ExactMDP, V: Vector) -> Table:
    """|r_θ - r_θ'| + γ |(p_θ - p_θ')ᵀ V| at every pair."""
    return tuple(
        tuple(
            abs(theta.r[s][a] - theta_prime.r[s][a])
            + theta.gamma * abs(mdp.inner(theta.p[s][a], V) - mdp.inner(theta_prime.p[s][a], V))
            for a in range(theta.A)
        )
        for s in range(theta.S)
    )


def error_sum(theta: ExactMDP, theta_prime: ExactMDP, pi: Sequence[int], V: Vector) -> Vector:
    """Σ_{s',a'} ν_θ'^π(s',a';s) times the gaps, for every s."""
    return mdp.policy_value(replace(theta_prime, r=gaps(theta, theta_prime, V)), pi)


def policy_sides(pair: Pair) -> tuple[Vector, Vector]:
    """Lemma 5, first line: |V_θ^π - V_θ'^π| and its bound."""
    V = mdp.policy_value(pair.theta, pair.pi)
    V_prime = mdp.policy_value(pair.theta_prime, pair.pi)
    return _distance(V, V_prime), error_sum(pair.theta, pair.theta_prime, pair.pi, V)


def optimal_bound(theta: ExactMDP, theta_prime: ExactMDP) -> Vector:
    """The larger of the sums for π*_θ and π*_θ', with V*_θ in the gaps."""
    V_star = mdp.optimal_value(theta)
    first, second = (
        error_sum(theta, theta_prime, mdp.optimal_policy(model), V_star)
        for model in (theta, theta_prime)
    )
    return tuple(map(max, first, second))


def optimal_sides(pair: Pair) -> tuple[Vector, Vector]:
    """Lemma 5, second line: |V*_θ' - V*_θ| and its bound."""
    left = _distance(mdp.optimal_value(pair.theta_prime), mdp.optimal_value(pair.theta))
    return left, optimal_bound(pair.theta, pair.theta_prime)


def loss_sides(pair: Pair) -> tuple[Vector, Vector]:
    """Corollary 2: |V*_θ' - V_θ'^{π*_θ}| and twice that bound."""
    transferred = mdp.policy_value(pair.theta_prime, mdp.optimal_policy(pair.theta))
    left = _distance(mdp.optimal_value(pair.theta_prime), transferred)
    return left, tuple(2 * bound for bound in optimal_bound(pair.theta, pair.theta_prime))


def _distance(V: Vector, V_prime: Vector) -> Vector:
    return tuple(abs(v - w) for v, w in zip(V, V_prime, strict=True))


# Instances


def policies(S: int, A: int) -> SearchStrategy[tuple[int, ...]]:
    """Any deterministic policy."""
    return st.tuples(*[st.integers(0, A - 1)] * S)


@st.composite
def pairs(draw: DrawFn) -> Pair:
    """Two tasks that share their transitions, their rewards, or nothing."""
    S, A, gamma = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(rational.discounts())
    theta, other = draw(rational.tasks(S, A, gamma)), draw(rational.tasks(S, A, gamma))
    similar = (other, replace(other, p=theta.p), replace(other, r=theta.r))
    return Pair(theta, draw(st.sampled_from(similar)), draw(policies(S, A)))


@st.composite
def unrelated_pairs(draw: DrawFn) -> Pair:
    """Deterministic moves that disagree somewhere: neither task can be sampled from the other."""
    S, A, gamma = draw(st.integers(2, 4)), draw(st.integers(1, 2)), draw(rational.discounts())
    moves = [draw(st.lists(st.integers(0, S - 1), min_size=S * A, max_size=S * A)) for _ in "12"]
    moves[1][0] = (moves[0][0] + draw(st.integers(1, S - 1))) % S
    theta, theta_prime = (_moving(to, draw(rational.tasks(S, A, gamma))) for to in moves)
    return Pair(theta, theta_prime, draw(policies(S, A)))


def _moving(successors: Sequence[int], task: ExactMDP) -> ExactMDP:
    """The task with certain moves in place of its own."""
    p = tuple(
        tuple(
            tuple(Fraction(int(to == successors[s * task.A + a])) for to in range(task.S))
            for a in range(task.A)
        )
        for s in range(task.S)
    )
    return replace(task, p=p)


# Walks and runs


def walk(pair: Pair, claim: Claim, premises: tuple[Statement, ...] = ()) -> Walk:
    """An inequality in the state where it is closest to failing."""
    left, right = claim(pair)
    s = max(range(pair.theta.S), key=lambda state: left[state] - right[state])
    text, formula = f"difference of values in state {s}", FORMULAS.get(claim.__name__)
    values = (("gamma", pair.theta.gamma), ("s", s))
    return Walk(premises, Statement(text, left[s], "≤", right[s], formula, values))


def walk_any_two(pair: Pair) -> Walk:
    """Whichever line of Lemma 5 is tighter, where each task has moves that the other forbids."""
    premises = (
        Statement("moves that only θ can make", forbidden(pair.theta, pair.theta_prime), "≥", 1),
        Statement("moves that only θ' can make", forbidden(pair.theta_prime, pair.theta), "≥", 1),
    )
    walks = [walk(pair, claim, premises) for claim in (policy_sides, optimal_sides)]
    return max(walks, key=lambda found: found.conclusion.left - found.conclusion.right)


def forbidden(theta: ExactMDP, theta_prime: ExactMDP) -> int:
    """In how many (s,a,s') θ can move where θ' cannot."""
    return sum(
        theta.p[s][a][to] > 0 and theta_prime.p[s][a][to] == 0
        for s in range(theta.S)
        for a in range(theta.A)
        for to in range(theta.S)
    )


def pair_vector(pair: Pair) -> Floats:
    """Coordinates of all transitions and rewards of both tasks."""
    both = (pair.theta, pair.theta_prime)
    rows = [reparametrise.law_coordinates(row) for task in both for rows in task.p for row in rows]
    rewards = [reparametrise.coordinate(r) for task in both for row in task.r for r in row]
    return reparametrise.vector(*rows, rewards)


def pair_at(vector: Floats, start: Pair) -> Pair:
    """The pair at these coordinates, with the discount and the policy of another one."""
    S, A = start.theta.S, start.theta.A
    p, r = vector[: 2 * S * A * S].reshape(2, S, A, S), vector[2 * S * A * S :].reshape(2, S, A)
    theta, theta_prime = (
        replace(
            start.theta,
            p=tuple(tuple(reparametrise.rational_law(row) for row in rows) for rows in p[task]),
            r=tuple(
                tuple(reparametrise.rational_between_0_and_1(x) for x in row)
                for row in r[task].tolist()
            ),
        )
        for task in range(2)
    )
    return Pair(theta, theta_prime, start.pi)


def checked_by(claim: Claim) -> Callable[[Context], Outcome]:
    """The run of a check that searches for a pair on which an inequality fails."""

    def run(context: Context) -> Outcome:
        examples = context.count(50, 400, 10_000)
        climb = Climb(pair_vector, pair_at)
        return search(context, pairs(), lambda pair: walk(pair, claim), examples, climb=climb)

    return run


def any_two(context: Context) -> Outcome:
    """Lemma 5 for tasks that are no samples of each other."""
    return search(context, unrelated_pairs(), walk_any_two, context.count(40, 400, 10_000))


# Visitation frequencies


@stored
@dataclass(frozen=True, eq=False)
class Walked:
    """A task and a policy that walks through it."""

    theta: MDP
    pi: Ints


@st.composite
def walked_tasks(draw: DrawFn) -> Walked:
    """Any task with γ up to 0.99, any policy."""
    S, A = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    gamma = draw(st.sampled_from((0.0, 0.01, 0.5, 0.9, 0.99)))
    pi = np.array(draw(policies(S, A)), dtype=np.int64)
    return Walked(draw(tasks.of_size(S, A, gamma)), pi)


def series(walked: Walked, steps: int) -> Floats:
    """Σ_{t<steps} γ^t P(S_t = s', A_t = a' | S_0 = s), by moving the law of S_t step by step."""
    theta, states = walked.theta, np.arange(walked.theta.S)
    P = theta.p[states, walked.pi]
    law, total = np.eye(theta.S), np.zeros((theta.S, theta.S, theta.A))
    for _ in range(steps):
        total[:, states, walked.pi] += law
        law = theta.gamma * (law @ P)
    return total


def visitation_walk(walked: Walked, visits: Callable[[MDP, Ints], Floats] = visitation) -> Walk:
    """The reference's frequencies against the series, and their sum against 1/(1-γ).

    The series is cut where what is left, γ^T/(1-γ), is below rounding. A step of the law costs S
    roundings and the row sums of p may miss 1 by 4S; weighted by γ^t that is below 8(S+2)/(1-γ)².
    """
    gamma, S = walked.theta.gamma, walked.theta.S
    steps = 1 if gamma == 0 else int(np.ceil(np.log(ROUNDING) / np.log(gamma))) + 1
    nu = visits(walked.theta, walked.pi)
    off = float(np.max(np.abs(nu - series(walked, steps))))
    off_total = float(np.max(np.abs(nu.sum(axis=(1, 2)) - 1 / (1 - gamma))))
    allowed = TOLERANCE_OF_VISITS * (S + 2) * ROUNDING / (1 - gamma) ** 2
    return Walk((), Statement("distance from the series", max_of((off, off_total)), "≤", allowed))


def visitation_series(context: Context) -> Outcome:
    """The frequencies are the discounted expected numbers of visits."""
    return search(
        context,
        walked_tasks(),
        visitation_walk,
        context.count(50, 500, 5000),
        tolerance=TOLERANCE_OF_VISITS * 6 * ROUNDING / (1 - 0.99) ** 2,
    )


CHECKS = (
    Check(
        id="text-visitation.definition/series",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="the frequencies equal the discounted series of visits and sum to 1/(1-γ)",
        run=visitation_series,
    ),
    Check(
        id="lemma-5.policy/drawn-pairs",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="the values of one policy in two drawn tasks differ by at most the weighted gaps",
        run=checked_by(policy_sides),
    ),
    Check(
        id="lemma-5.optimal/drawn-pairs",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="the optimal values of two drawn tasks differ by at most the weighted gaps",
        run=checked_by(optimal_sides),
    ),
    Check(
        id="text-simulation-any-two.any-two/unrelated",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="both inequalities for tasks each of which makes moves that the other forbids",
        run=any_two,
    ),
    Check(
        id="corollary-2.loss/drawn-pairs",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="the optimal policy of one drawn task loses at most twice the bound in another",
        run=checked_by(loss_sides),
    ),
)
