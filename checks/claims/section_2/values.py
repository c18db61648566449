"""Section 2: values, optimal policies and ε-optimality, held against rational arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.exact import mdp
from ptum.checks.exact.copies import exact_copy
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.instances.counterexamples.section_3_text.generality import policies
from ptum.checks.instances.families import rational, tasks
from ptum.checks.verdicts import witness
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import optimal_policy, optimal_value, policy_value, value_tolerance
from ptum.reference.transfer.stopping import stopping_models
from ptum.spec.vocabulary import CheckKind

PolicyValue: TypeAlias = Callable[[MDP, Ints], Floats]
OptimalPolicy: TypeAlias = Callable[[MDP], Ints]


# Values of policies


TERMS = 60


@stored
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
            task.r[s][pi[s]] + task.gamma * mdp.inner(task.p[s][pi[s]], total)
            for s in range(task.S)
        )
    return total


def series_evaluation(case: PolicyOf, V: Vector) -> Evaluation:
    """Rewards lie in [0,1], so what the partial sum leaves out is between 0 and γ^T/(1-γ)."""
    gamma = case.task.gamma
    tail = gamma**TERMS / (1 - gamma)
    left_out = [v - part for v, part in zip(V, partial_sum(case), strict=True)]
    return Evaluation(
        premises=(),
        conclusion=Statement(
            "distance of the rest from the middle of [0, γ^T/(1-γ)]",
            max(abs(rest - tail / 2) for rest in left_out),
            "≤",
            tail / 2,
        ),
    )


@check("text-value-function.definition/series", CheckKind.EXACT)
def series(context: Context) -> Outcome:
    """The solution of V = r + γPV exceeds the sum of 60 terms by at most γ^60/(1-γ).

    The solution of V = r + γPV is the limit of the expected discounted sums.
    """
    return search(
        context,
        rational_policies(),
        lambda case: series_evaluation(case, mdp.policy_value(case.task, case.pi)),
        (40, 400, 8000),
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


def value_evaluation(theta: MDP, pi: Ints, value: PolicyValue = policy_value) -> Evaluation:
    """The reference against the rational solution for the same doubles."""
    right = mdp.policy_value(exact_copy(theta), tuple(pi.tolist()))
    found = value(theta, pi).tolist()
    error = max(
        abs(Fraction(v) - w) / w if w else abs(Fraction(v))
        for v, w in zip(found, right, strict=True)
    )
    allowed = solver_tolerance(theta.S, len(theta.u))
    return Evaluation((), Statement("relative error of V^π", float(error), "≤", allowed))


@check("text-value-function.definition/reference", CheckKind.INEQUALITY)
def value_reference(context: Context, value: PolicyValue = policy_value) -> Outcome:
    """The reference solves V = r + γPV, against rational arithmetic.

    Drawn tasks in doubles; another solver is for tests of this.
    """
    return search(
        context,
        tasks_with_policies(),
        lambda case: value_evaluation(*case, value),
        (50, 500, 10_000),
        tolerance=solver_tolerance(6, 5),
    )


# Optimal policies


LARGEST_TOLERANCE = value_tolerance(np.full(3, 100.0), 0.99)
"""Of rational tasks: three states, γ = 0.99, and so values up to 100."""


def rational_tasks() -> SearchStrategy[ExactMDP]:
    """Up to three states and actions, so that all policies can be listed."""
    return rational_policies().map(lambda case: case.task)


def all_values(task: ExactMDP) -> list[Vector]:
    """V^π of all A^S policies."""
    return [mdp.policy_value(task, pi) for pi in policies(task)]


def best_of(values: Sequence[Vector]) -> Vector:
    """In every state the largest value of any policy."""
    return tuple(max(column) for column in zip(*values, strict=True))


def optimal_evaluation(task: ExactMDP, solve: OptimalPolicy = optimal_policy) -> Evaluation:
    """π*_θ of the reference against all A^S policies, valued exactly."""
    theta = mdp.rounded(task)
    found = mdp.policy_value(task, tuple(solve(theta).tolist()))
    best = best_of(all_values(task))
    loss = max(b - f for b, f in zip(best, found, strict=True))
    # the policy may miss a best action by a difference that rounding can make
    allowed = value_tolerance(np.array(best, dtype=np.float64), theta.gamma)
    witness.same_numbers("V*", optimal_value(theta), best, allowed)
    return Evaluation((), Statement("loss against the best of all policies", loss, "≤", allowed))


@check("text-optimal-policy.definition/brute-force", CheckKind.INEQUALITY)
def optimal_reference(context: Context, solve: OptimalPolicy = optimal_policy) -> Outcome:
    """No policy beats the one of the reference in any state, all policies tried.

    Drawn rational tasks; another solver is for tests of this.
    """
    return search(
        context,
        rational_tasks(),
        lambda task: optimal_evaluation(task, solve),
        (40, 400, 8000),
        tolerance=LARGEST_TOLERANCE,
    )


def exists_evaluation(values: Sequence[Vector]) -> Evaluation:
    """One of the policies with these values is the best one in all states at once."""
    best = best_of(values)
    loss = min(max(b - v for b, v in zip(best, value, strict=True)) for value in values)
    return Evaluation((), Statement("least worst loss of a policy", loss, "=", 0))


def runner_up(task: ExactMDP) -> Statement:
    """How little the best policy is ahead of one that loses somewhere, of all it could be."""
    values = all_values(task)
    best = best_of(values)
    losses = [max(b - v for b, v in zip(best, value, strict=True)) for value in values]
    largest = 1 / (1 - task.gamma)
    least = min((loss for loss in losses if loss > 0), default=largest)
    told = "1/(1-γ) less the least positive loss of a policy, 1/(1-γ)"
    return Statement(told, largest - least, "<", largest)


@check("text-optimal-policy.exists/brute-force", CheckKind.EXACT)
def exists(context: Context) -> Outcome:
    """Among all policies one has the largest value in every state."""
    return search(
        context,
        rational_tasks(),
        lambda task: exists_evaluation(all_values(task)),
        (50, 600, 10_000),
        near=runner_up,
    )


# ε-optimality


@dataclass(frozen=True)
class LossMultiple:
    """Two models, and ε as a multiple of what the policy of the first loses in the second."""

    models: tuple[ExactMDP, ...]
    share: Fraction


@st.composite
def accuracies(draw: DrawFn) -> LossMultiple:
    """ε at the loss, just beside it, and far from it."""
    near = (Fraction(1), Fraction(999, 1000), Fraction(1001, 1000), Fraction(1, 2), Fraction(2))
    return LossMultiple(draw(rational.model_sets(2)), draw(st.sampled_from(near)))


UNDECIDED = 3 * LARGEST_TOLERANCE
"""Line 14 accepts a loss of ε and one tolerance; each of the two values in it may miss another."""

Judge: TypeAlias = Callable[[ApproximateModels, float], bool]


def accepts(models: ApproximateModels, epsilon: float) -> bool:
    """Line 14 with Δ = 0 and two active models: the first one's policy is ε-optimal in both."""
    return 0 in stopping_models((0, 1), models, epsilon, 0.0)


def epsilon_evaluation(case: LossMultiple, judge: Judge = accepts) -> Evaluation:
    """The literal test against the definition, V^π ≥ V* - ε in every state."""
    models = approximate_models([mdp.rounded(model) for model in case.models])
    pi, second = tuple(models.pi_star[0].tolist()), case.models[1]
    epsilon = case.share * mdp.loss(second, pi)
    V, V_pi = mdp.optimal_value(second), mdp.policy_value(second, pi)
    good = all(v_pi >= v - epsilon for v, v_pi in zip(V, V_pi, strict=True))
    apart = abs(1 - case.share) * mdp.loss(second, pi)
    return Evaluation(
        premises=(
            Statement("ε is the loss, or away from it", apart == 0 or apart > UNDECIDED, "=", True),
        ),
        conclusion=Statement(
            "accepted by line 14, and ε-optimal", judge(models, float(epsilon)), "=", good
        ),
    )


@check("text-epsilon-optimal.definition/line-14", CheckKind.INEQUALITY)
def epsilon_optimal(context: Context, judge: Judge = accepts) -> Outcome:
    """Line 14 accepts a policy exactly when it loses at most ε in every state.

    Drawn pairs of models; another test is for tests of this.
    """
    return search(
        context,
        accuracies(),
        lambda case: epsilon_evaluation(case, judge),
        (40, 400, 10_000),
        tolerance=UNDECIDED,
    )
