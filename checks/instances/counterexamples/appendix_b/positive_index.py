"""Lemma 7 at the printed threshold (erratum E01): PTUM neither stops nor sees any information."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import blocks
from ptum.checks.instances.counterexamples.shared.deterministic_runs import arms
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.attempts.names import stored_as
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.repaired.transfer.analysis import lemmas as repaired
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import gap_tolerance
from ptum.reference.transfer.analysis import lemmas as printed
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.spec.vocabulary import Version


@stored_as("Instance")
@dataclass(frozen=True)
class ExactModels:
    """Models known exactly, and the Δ that the agent is told (any upper bound is allowed)."""

    models: tuple[ExactMDP, ...]
    epsilon: Fraction
    Delta: Fraction


def bandit(Delta: Fraction = Fraction(12, 1000)) -> ExactModels:
    """One state, three arms. The models disagree about which of arms 1 and 2 is better by 0.09."""
    rows = [[Fraction(r, 100) for r in row] for row in ((0, 59, 50), (0, 50, 59))]
    return ExactModels(arms(Fraction(9, 10), *rows), epsilon=Fraction(1), Delta=Delta)


def sharp(Delta: Fraction, epsilon: Fraction, gamma: Fraction) -> ExactModels:
    """Four states, two actions, two models whose gaps are all 0 or exactly 8Δ (E01, sharpness).

    Each model's policy loses 16Δ(1+γ)/(1-γ) in the other model.
    """
    return ExactModels(blocks.mirrored(8 * Delta, 8 * Delta, gamma), epsilon, Delta)


def evaluation(instance: ExactModels, version: Version, factor: int | None = None) -> Evaluation:
    """Lemma 7 on the first iteration, when every model is active.

    Line 2 prints Δ < (1-γ)ε/(4(1+γ)); repaired it is Δ ≤ (1-γ)ε/(18(1+γ)). A `factor` in place of
    4 or 18 shows where the lemma begins to fail.
    """
    gamma = instance.models[0].gamma
    entered = formulas.transfer_mode(instance.Delta, instance.epsilon, gamma, version)
    if factor is not None:
        threshold = mdp.transfer_threshold(instance.epsilon, gamma, factor)
        entered = replace(entered, right=threshold, formula=None)
    slack = mdp.stopping_slack(instance.epsilon, instance.Delta, gamma)
    _confirm(instance, version)
    return Evaluation(
        premises=(
            entered,
            Statement(
                "no stop: smallest worst loss of a policy against the slack",
                mdp.smallest_worst_loss(instance.models),
                ">",
                slack,
                *formulas.slack(instance.epsilon, instance.Delta, gamma),
            ),
        ),
        conclusion=Statement(
            "largest index over all pairs",
            mdp.largest_index(instance.models, instance.Delta),
            ">",
            0,
        ),
    )


def first_pass(instance: ExactModels) -> Iteration:
    """The first iteration for the literal code: every model is active, the target is model 0."""
    models = approximate_models([mdp.rounded(theta) for theta in instance.models])
    return Iteration(models, 0, tuple(range(models.k)), float(instance.Delta))


def _confirm(instance: ExactModels, version: Version) -> None:
    """The literal Lemma 7 sees an index where a gap exceeds 8Δ by more than rounding.

    Repaired it asks for more, an index of a pair with the target, and is never refuted.
    """
    iteration, epsilon = first_pass(instance), float(instance.epsilon)
    excess = mdp.largest_gap(instance.models) - 8 * instance.Delta
    found = printed.positive_index(iteration, epsilon=epsilon)
    if abs(excess) > 2 * Fraction(gap_tolerance(iteration.models.V_star)):
        witness.same_truth("a positive index", found.holds, excess > 0)
    if version is Version.REPAIRED:
        refuted = repaired.positive_index(iteration, epsilon=epsilon).refutes
        witness.same_truth("Lemma 7 is refuted", refuted, False)


def _numbers(instance: ExactModels) -> Numbers:
    return (
        ("γ", instance.models[0].gamma),
        ("ε", instance.epsilon),
        ("Δ", instance.Delta),
        (
            "certain rewards of the three arms, model by model",
            tuple(m.r[0] for m in instance.models),
        ),
    )


declare(
    Counterexample(
        checks={
            "lemma-7.positive/bandit": (
                "A bandit on which PTUM neither stops nor has a positive index"
            ),
        },
        instance=bandit(),
        evaluate=partial(evaluation, version=Version.PRINTED),
        fix="Δ = 0.011, so that 8Δ = 0.088 is below the gap of 0.09",
        fixed=bandit(Fraction(11, 1000)),
        broken={
            "transfer mode: Δ against its threshold": bandit(Fraction(14, 1000)),
            "no stop: smallest worst loss of a policy against the slack": replace(
                bandit(), epsilon=Fraction(3, 2)
            ),
        },
        repaired=partial(evaluation, version=Version.REPAIRED),
        in_scope=bandit(Fraction(28, 10_000)),
        numbers=_numbers,
    )
)
