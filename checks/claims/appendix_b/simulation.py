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
from ptum.checks.verdicts import formulas, reparametrise, witness
from ptum.checks.verdicts.attempts.names import stored, stored_as
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import Climb, search
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.inequalities import Inequality
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import visitation
from ptum.reference.transfer.analysis.lemmas import simulation_lemma, value_error
from ptum.spec.vocabulary import CheckKind

TOLERANCE_OF_VISITS = 8
"""Roundings per state, step and expected number of steps that the series may lose."""


@stored_as("Pair")
@dataclass(frozen=True)
class ComparedTasks:
    """Two tasks over the same states, actions and discount, and any policy."""

    theta: ExactMDP
    theta_prime: ExactMDP
    pi: tuple[int, ...]


Claim = Callable[[ComparedTasks], tuple[Vector, Vector]]
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


def policy_sides(pair: ComparedTasks) -> tuple[Vector, Vector]:
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


def optimal_sides(pair: ComparedTasks) -> tuple[Vector, Vector]:
    """Lemma 5, second line: |V*_θ' - V*_θ| and its bound."""
    left = _distance(mdp.optimal_value(pair.theta_prime), mdp.optimal_value(pair.theta))
    return left, optimal_bound(pair.theta, pair.theta_prime)


def loss_sides(pair: ComparedTasks) -> tuple[Vector, Vector]:
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
def pairs(draw: DrawFn) -> ComparedTasks:
    """Two tasks that share their transitions, their rewards, or nothing."""
    S, A, gamma = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(rational.discounts())
    theta, other = draw(rational.tasks(S, A, gamma)), draw(rational.tasks(S, A, gamma))
    similar = (other, replace(other, p=theta.p), replace(other, r=theta.r))
    return ComparedTasks(theta, draw(st.sampled_from(similar)), draw(policies(S, A)))


@st.composite
def unrelated_pairs(draw: DrawFn) -> ComparedTasks:
    """Deterministic moves that disagree somewhere: neither task can be sampled from the other."""
    S, A, gamma = draw(st.integers(2, 4)), draw(st.integers(1, 2)), draw(rational.discounts())
    moves = [draw(st.lists(st.integers(0, S - 1), min_size=S * A, max_size=S * A)) for _ in "12"]
    moves[1][0] = (moves[0][0] + draw(st.integers(1, S - 1))) % S
    theta, theta_prime = (_moving(to, draw(rational.tasks(S, A, gamma))) for to in moves)
    return ComparedTasks(theta, theta_prime, draw(policies(S, A)))


def _moving(successors: Sequence[int], task: ExactMDP) -> ExactMDP:
    """The task with deterministic moves in place of its own."""
    p = tuple(
        tuple(
            tuple(Fraction(int(to == successors[s * task.A + a])) for to in range(task.S))
            for a in range(task.A)
        )
        for s in range(task.S)
    )
    return replace(task, p=p)


# Evaluations and runs


def evaluation(
    pair: ComparedTasks, claim: Claim, premises: tuple[Statement, ...] = ()
) -> Evaluation:
    """An inequality in the state where it is closest to failing."""
    left, right = claim(pair)
    if claim.__name__ in LITERAL:
        _confirm(LITERAL[claim.__name__](pair), left, right)
    s = max(range(pair.theta.S), key=lambda state: left[state] - right[state])
    text, formula = f"difference of values in state {s}", FORMULAS.get(claim.__name__)
    values = (("gamma", pair.theta.gamma), ("s", s))
    return Evaluation(premises, Statement(text, left[s], "≤", right[s], formula, values))


def _of_policy(pair: ComparedTasks) -> Inequality:
    """Lemma 5 by the literal code, its first line."""
    return _line(_literal_lemma_5(pair), 0)


def _of_optimum(pair: ComparedTasks) -> Inequality:
    """Its second line."""
    return _line(_literal_lemma_5(pair), 1)


def _literal_lemma_5(pair: ComparedTasks) -> Inequality:
    theta, theta_prime, pi = *_in_doubles(pair), np.array(pair.pi, dtype=np.int64)
    return simulation_lemma(theta=theta, theta_prime=theta_prime, pi=pi)


def _of_loss(pair: ComparedTasks) -> Inequality:
    """Corollary 2 by the literal code."""
    theta, theta_prime = _in_doubles(pair)
    return value_error(theta=theta, theta_prime=theta_prime)


def _in_doubles(pair: ComparedTasks) -> tuple[MDP, MDP]:
    return mdp.rounded(pair.theta), mdp.rounded(pair.theta_prime)


def _line(both: Inequality, number: int) -> Inequality:
    left, right, tolerance = (np.asarray(x) for x in (both.left, both.right, both.tolerance))
    return Inequality(left=left[number], right=right[number], tolerance=float(tolerance[number, 0]))


LITERAL = {"policy_sides": _of_policy, "optimal_sides": _of_optimum, "loss_sides": _of_loss}
"""The functions of the ledger, by the name of the claim."""


def _confirm(literal: Inequality, left: Vector, right: Vector) -> None:
    """Both sides are those of the literal code; its tolerance covers what rounding does to them."""
    tolerance = float(np.max(literal.tolerance))
    witness.same_numbers("left side", np.asarray(literal.left), left, tolerance)
    witness.same_numbers("right side", np.asarray(literal.right), right, tolerance)


def any_two_evaluation(pair: ComparedTasks) -> Evaluation:
    """Whichever line of Lemma 5 is tighter, where each task has moves that the other forbids."""
    premises = (
        Statement("moves that only θ can make", forbidden(pair.theta, pair.theta_prime), "≥", 1),
        Statement("moves that only θ' can make", forbidden(pair.theta_prime, pair.theta), "≥", 1),
    )
    evaluations = [evaluation(pair, claim, premises) for claim in (policy_sides, optimal_sides)]
    return max(evaluations, key=lambda found: found.conclusion.left - found.conclusion.right)


def forbidden(theta: ExactMDP, theta_prime: ExactMDP) -> int:
    """In how many (s,a,s') θ can move where θ' cannot."""
    return sum(
        theta.p[s][a][to] > 0 and theta_prime.p[s][a][to] == 0
        for s in range(theta.S)
        for a in range(theta.A)
        for to in range(theta.S)
    )


def pair_vector(pair: ComparedTasks) -> Floats:
    """Coordinates of all transitions and rewards of both tasks."""
    return reparametrise.tasks_vector((pair.theta, pair.theta_prime))


def pair_at(vector: Floats, start: ComparedTasks) -> ComparedTasks:
    """The pair at these coordinates, with the discount and the policy of another one."""
    return ComparedTasks(*reparametrise.two_tasks_at(vector, start.theta), start.pi)


def checked_by(claim: Claim) -> Callable[[Context], Outcome]:
    """The run of a check that searches for a pair on which an inequality fails."""

    def run(context: Context) -> Outcome:
        climb = Climb(pair_vector, pair_at)
        return search(
            context, pairs(), lambda pair: evaluation(pair, claim), (50, 400, 10_000), climb=climb
        )

    return run


@check("text-simulation-any-two.any-two/unrelated", CheckKind.EXACT)
def any_two(context: Context) -> Outcome:
    """Both inequalities for tasks each of which makes moves that the other forbids.

    Lemma 5 for tasks that are no samples of each other.
    """
    return search(context, unrelated_pairs(), any_two_evaluation, (40, 400, 10_000))


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
    """Σ_{t<steps} γ^t P(S_t = s', A_t = a' | S_0 = s), by moving the distribution of S_t."""
    theta, states = walked.theta, np.arange(walked.theta.S)
    P = theta.p[states, walked.pi]
    distribution, total = np.eye(theta.S), np.zeros((theta.S, theta.S, theta.A))
    for _ in range(steps):
        total[:, states, walked.pi] += distribution
        distribution = theta.gamma * (distribution @ P)
    return total


def visitation_evaluation(
    walked: Walked, visits: Callable[[MDP, Ints], Floats] = visitation
) -> Evaluation:
    """The reference's frequencies against the series, and their sum against 1/(1-γ).

    The series is cut where what is left, γ^T/(1-γ), is below rounding. A step of the distribution
    costs S roundings and the row sums of p may miss 1 by 4S; weighted by γ^t that is below
    8(S+2)/(1-γ)².
    """
    gamma, S = walked.theta.gamma, walked.theta.S
    steps = 1 if gamma == 0 else int(np.ceil(np.log(ROUNDING) / np.log(gamma))) + 1
    nu = visits(walked.theta, walked.pi)
    off = float(np.max(np.abs(nu - series(walked, steps))))
    off_total = float(np.max(np.abs(nu.sum(axis=(1, 2)) - 1 / (1 - gamma))))
    allowed = TOLERANCE_OF_VISITS * (S + 2) * ROUNDING / (1 - gamma) ** 2
    return Evaluation(
        (), Statement("distance from the series", max_of((off, off_total)), "≤", allowed)
    )


@check("text-visitation.definition/series", CheckKind.INEQUALITY)
def visitation_series(context: Context) -> Outcome:
    """The frequencies equal the discounted series of visits and sum to 1/(1-γ)."""
    return search(
        context,
        walked_tasks(),
        visitation_evaluation,
        (50, 500, 5000),
        tolerance=TOLERANCE_OF_VISITS * 6 * ROUNDING / (1 - 0.99) ** 2,
    )


check(
    "lemma-5.policy/drawn-pairs",
    CheckKind.EXACT,
    "The values of one policy in two drawn tasks differ by at most the weighted gaps",
)(checked_by(policy_sides))
check(
    "lemma-5.optimal/drawn-pairs",
    CheckKind.EXACT,
    "The optimal values of two drawn tasks differ by at most the weighted gaps",
)(checked_by(optimal_sides))
check(
    "corollary-2.loss/drawn-pairs",
    CheckKind.EXACT,
    "The optimal policy of one drawn task loses at most twice the bound in another",
)(checked_by(loss_sides))
