"""Lemma 9 with Assumption 1 as printed (erratum E02): no error anywhere, and nine times ε lost.

States x and y, two actions, deterministic rewards, γ = 0.9. In x everything pays 0.5. In y the
target pays (0.5, 0.41), the rival (0.2, 0.5). In the approximate models every pair leads to x; in
truth action 1 in y stays in y with some probability. All optimal approximate values are 5 in both
states, so (p - p̃)ᵀṼ* and all deviations vanish: Assumption 1 sees no error. The rival's policy
loses 0.09 in the approximate target, once; in truth it may lose that in every step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.spec.vocabulary import Version

GAMMA = Fraction(9, 10)
TARGET, RIVAL = 0, 1


@dataclass(frozen=True)
class ApproximateTasks:
    """True and approximate tasks, the accuracy, and the Δ that the agent is told."""

    true: tuple[ExactMDP, ...]
    approximate: tuple[ExactMDP, ...]
    epsilon: Fraction
    Delta: Fraction


ValuesOf = Callable[[ApproximateTasks, ExactMDP], list[Vector]]


def staying(
    stays: Fraction = Fraction(1),
    epsilon: Fraction = Fraction(1, 10),
    Delta: Fraction = Fraction(0),
    target_second: Fraction = Fraction(41, 100),
) -> ApproximateTasks:
    """The instance; `stays` is the true probability that (y,1) stays in y."""
    half = Fraction(1, 2)
    in_y = ((half, target_second), (Fraction(1, 5), half))
    rewards = [((half, half), row) for row in in_y]
    return ApproximateTasks(
        true=tuple(mdp.deterministic(_moves(stays), r, GAMMA) for r in rewards),
        approximate=tuple(mdp.deterministic(_moves(Fraction(0)), r, GAMMA) for r in rewards),
        epsilon=epsilon,
        Delta=Delta,
    )


def in_scope() -> ApproximateTasks:
    """(y,1) stays in y once in 1200 times; Δ = 0.00025 covers what that does to any policy."""
    return staying(stays=Fraction(1, 1200), Delta=Fraction(1, 4000))


def evaluation(instance: ApproximateTasks, version: Version) -> Evaluation:
    """Lemma 9 in the first iteration, when both models are active (so E holds for sure).

    The one policy that line 14 accepts is returned; its loss is taken in the true target.
    """
    gamma = instance.true[TARGET].gamma
    slack = mdp.stopping_slack(instance.epsilon, instance.Delta, gamma)
    losses = [
        max(mdp.loss(model, mdp.optimal_policy(theta)) for model in instance.approximate)
        for theta in instance.approximate
    ]
    accepted = [theta for theta, loss in enumerate(losses) if loss <= slack]
    returned = instance.approximate[accepted[0] if accepted else TARGET]
    return Evaluation(
        premises=(
            *errors(instance, version),
            formulas.transfer_mode(instance.Delta, instance.epsilon, gamma, Version.PRINTED),
            Statement("policies that line 14 accepts", len(accepted), "≥", 1),
        ),
        conclusion=Statement(
            "true loss of the returned policy against ε",
            mdp.loss(instance.true[TARGET], mdp.optimal_policy(returned)),
            "≤",
            instance.epsilon,
            *formulas.slack(instance.epsilon, instance.Delta, gamma),
        ),
    )


def errors(instance: ApproximateTasks, version: Version) -> tuple[Statement, ...]:
    """Assumption 1, line by line, with one Δ in all of them.

    Deviations of rewards vanish in truth and in the models; for the values it is said that even
    the variances agree, whichever of Ṽ* and V* the true one is taken of.
    """
    Delta = instance.Delta
    lines = (
        Statement("|r - r̃|", _reward_error(instance), "≤", Delta),
        Statement("|(p - p̃)ᵀṼ*|", _transition_error(instance, optimal_values), "≤", Delta),
        Statement("largest variance of Ṽ* or V*", _largest_variance(instance), "=", 0),
    )
    if version is Version.PRINTED:
        return lines
    of_policies = _transition_error(instance, transferred_values)
    return (*lines, Statement("|(p - p̃)ᵀṼ_θ'^{π̃*_θ}|", of_policies, "≤", Delta))


def optimal_values(instance: ApproximateTasks, _: ExactMDP) -> list[Vector]:
    """Ṽ*_θ' of all models."""
    return [mdp.optimal_value(theta) for theta in instance.approximate]


def transferred_values(instance: ApproximateTasks, approximate: ExactMDP) -> list[Vector]:
    """The values in one model of every model's policy."""
    policies = [mdp.optimal_policy(theta) for theta in instance.approximate]
    return [mdp.policy_value(approximate, pi) for pi in policies]


def _reward_error(instance: ApproximateTasks) -> Fraction:
    return max(
        abs(x - y)
        for true, approximate in zip(instance.true, instance.approximate, strict=True)
        for row, other in zip(true.r, approximate.r, strict=True)
        for x, y in zip(row, other, strict=True)
    )


def _transition_error(instance: ApproximateTasks, values: ValuesOf) -> Fraction:
    return max(
        abs(mdp.inner(row, V) - mdp.inner(other, V))
        for true, approximate in zip(instance.true, instance.approximate, strict=True)
        for V in values(instance, approximate)
        for rows, others in zip(true.p, approximate.p, strict=True)
        for row, other in zip(rows, others, strict=True)
    )


def _largest_variance(instance: ApproximateTasks) -> Fraction:
    """Under true or approximate transitions, of any optimal value of either kind."""
    every = (*instance.true, *instance.approximate)
    return max(
        mdp.variance(row, mdp.optimal_value(theta))
        for theta in every
        for model in every
        for rows in model.p
        for row in rows
    )


def _moves(stays: Fraction) -> list[list[list[Fraction]]]:
    """Every pair leads to x, but (y,1) stays in y with the given probability."""
    to_x = [Fraction(1), Fraction(0)]
    return [[to_x, to_x], [to_x, [1 - stays, stays]]]


def numbers(case: ApproximateTasks) -> Numbers:
    """True and approximate tasks; states x, y and actions 0, 1."""
    names = ("the true target", "the true rival"), ("the target's model", "the rival's model")
    return (
        *tasks(zip(names[0], case.true, strict=True), "both true tasks"),
        *tasks(zip(names[1], case.approximate, strict=True), "both models"),
        ("γ", GAMMA),
        ("ε", case.epsilon),
        ("Δ", case.Delta),
    )


def misjudged() -> ApproximateTasks:
    """A true target that pays 0.6 where its model pays 0.5."""
    case = staying()
    row = (Fraction(3, 5), Fraction(1, 2))
    target = replace(case.true[TARGET], r=(row, case.true[TARGET].r[1]))
    return replace(case, true=(target, *case.true[1:]))


UNEVEN = staying(target_second=Fraction(51, 100))
"""Action 1 is best in y, so that x and y differ in value."""
HALF_UNEVEN = staying(stays=Fraction(1, 2), target_second=Fraction(51, 100))
"""The same where (y,1) stays half of the time, so that the next value varies."""

declare(
    Counterexample(
        checks={
            "lemma-9.optimal/staying": (
                "All errors of Assumption 1 vanish, and the returned policy loses 9ε"
            ),
        },
        instance=staying(),
        evaluate=partial(evaluation, version=Version.PRINTED),
        fix="(y,1) leads to x in truth as well",
        fixed=staying(stays=Fraction(0)),
        broken={
            "|r - r̃|": misjudged(),
            "|(p - p̃)ᵀṼ*|": UNEVEN,
            "largest variance of Ṽ* or V*": HALF_UNEVEN,
            "transfer mode: Δ against its threshold": staying(Delta=Fraction(1, 500)),
            "policies that line 14 accepts": staying(epsilon=Fraction(1, 20)),
        },
        repaired=partial(evaluation, version=Version.REPAIRED),
        in_scope=in_scope(),
        numbers=numbers,
    )
)
