"""What Δ^p measures (erratum E23): the return changes by γ Δ^p, not by Δ^p.

State 0 leads to x in θ and to y in θ'; x pays 1 for ever and y nothing. With γ = 1/2 the values of
x and y are 2 and 0, so Δ^p = 2, while the return of the one pair of state 0 changes from 1 to 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts.attempts.names import stored_as
from ptum.checks.verdicts.outcome import Evaluation, Statement

ONE, ZERO = Fraction(1), Fraction(0)


@stored_as("Comparison")
@dataclass(frozen=True)
class ExchangedTransition:
    """Two tasks and the pair at which the first transition is exchanged."""

    theta: ExactMDP
    theta_prime: ExactMDP
    s: int = 0
    a: int = 0


def fork(gamma: Fraction = Fraction(1, 2), leads_to: int = 2) -> ExchangedTransition:
    """States 0, x = 1, y = 2; θ' leads from 0 to the given state."""

    def task(to: int) -> ExactMDP:
        p = [[deterministic_runs.leads_to(state, 3)] for state in (to, 1, 2)]
        return mdp.deterministic(p, [[ZERO], [ONE], [ZERO]], gamma)

    return ExchangedTransition(task(1), task(leads_to))


def gap(case: ExchangedTransition) -> Fraction:
    """Δ^p_{s,a}(θ,θ') = |(p_θ(s,a) - p_θ'(s,a))ᵀ V*_θ|."""
    V = mdp.optimal_value(case.theta)
    s, a = case.s, case.a
    return abs(mdp.inner(case.theta.p[s][a], V) - mdp.inner(case.theta_prime.p[s][a], V))


def change_of_return(case: ExchangedTransition) -> Fraction:
    """|return with the first step of θ - return with the first step of θ'|, then π*_θ in θ."""
    rows = (task.p[case.s][case.a] for task in (case.theta, case.theta_prime))
    own, other = (_return(case, row) for row in rows)
    return abs(own - other)


def change_of_next_value(case: ExchangedTransition) -> Fraction:
    """|E V*_θ(S') under θ - E V*_θ(S') under θ'|, summed outcome by outcome."""
    V = mdp.optimal_value(case.theta)
    own, other = (task.p[case.s][case.a] for task in (case.theta, case.theta_prime))
    parts = [(p - q) * v for p, q, v in zip(own, other, V, strict=True)]
    return abs(sum(parts, ZERO))


def equal_evaluation(case: ExchangedTransition) -> Evaluation:
    """The change of return is Δ^p."""
    return Evaluation(
        premises=(Statement("discount factor", case.theta.gamma, "<", 1),),
        conclusion=Statement(
            "change of return against Δ^p", change_of_return(case), "=", gap(case)
        ),
    )


def proportional_evaluation(case: ExchangedTransition) -> Evaluation:
    """The change of return is γ Δ^p."""
    gamma = case.theta.gamma
    return Evaluation(
        premises=(Statement("discount factor", gamma, "<", 1),),
        conclusion=Statement(
            "change of return against γ Δ^p", change_of_return(case), "=", gamma * gap(case)
        ),
    )


def next_value_evaluation(case: ExchangedTransition) -> Evaluation:
    """Repair: Δ^p is the change of the mean next value, and γ times it that of the return."""
    change = change_of_next_value(case)
    return Evaluation(
        premises=(
            Statement("discount factor", case.theta.gamma, "<", 1),
            Statement(
                "change of return against γ times the change of the next value",
                change_of_return(case),
                "=",
                case.theta.gamma * change,
            ),
        ),
        conclusion=Statement("change of the mean next value against Δ^p", change, "=", gap(case)),
    )


def _return(case: ExchangedTransition, first_row: Vector) -> Fraction:
    """Value of a new state with the reward of (s,a) and this first row, before θ under π*_θ."""
    theta = case.theta
    entry = ((*first_row, ZERO),) * theta.A
    p = tuple(tuple((*row, ZERO) for row in rows) for rows in theta.p)
    reward, no_variance = (theta.r[case.s][case.a],) * theta.A, (ZERO,) * theta.A
    with_entry = replace(theta, p=(*p, entry), r=(*theta.r, reward), var=(*theta.var, no_variance))
    pi = (*mdp.optimal_policy(theta), 0)
    return mdp.policy_value(with_entry, pi)[-1]


def numbers(case: ExchangedTransition) -> Numbers:
    """States 0, x, y and one action."""
    return (
        *tasks((("θ", case.theta), ("θ'", case.theta_prime))),
        ("γ", case.theta.gamma),
        ("V*_θ", mdp.optimal_value(case.theta)),
        ("pair whose first step is exchanged", (case.s, case.a)),
    )


declare(
    Counterexample(
        checks={
            "text-gap-meaning.return/fork": (
                "A fork with γ = 1/2 where Δ^p = 2 and the return changes by 1"
            ),
        },
        instance=fork(),
        evaluate=equal_evaluation,
        fix="θ' leads from 0 to x as well",
        fixed=fork(leads_to=1),
        broken={
            "discount factor": fork(gamma=Fraction(2)),
        },
        repaired=next_value_evaluation,
        in_scope=fork(gamma=Fraction(9, 10)),
        numbers=numbers,
    )
)
