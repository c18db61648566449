"""Lemma 7 at the printed threshold (erratum E01): PTUM neither stops nor sees any information."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.instances.counterexamples.shared import blocks
from ptum.checks.instances.counterexamples.shared.certain_runs import arms
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Statement, Walk
from ptum.spec.vocabulary import Version


@stored
@dataclass(frozen=True)
class Instance:
    """Models known exactly, and the Δ that the agent is told (any upper bound is allowed)."""

    models: tuple[ExactMDP, ...]
    epsilon: Fraction
    Delta: Fraction


def bandit(Delta: Fraction = Fraction(12, 1000)) -> Instance:
    """One state, three arms. The models disagree about which of arms 1 and 2 is better by 0.09."""
    rows = [[Fraction(r, 100) for r in row] for row in ((0, 59, 50), (0, 50, 59))]
    return Instance(arms(Fraction(9, 10), *rows), epsilon=Fraction(1), Delta=Delta)


def sharp(Delta: Fraction, epsilon: Fraction, gamma: Fraction) -> Instance:
    """Four states, two actions, two models whose gaps are all 0 or exactly 8Δ (E01, sharpness).

    Each model's policy loses 16Δ(1+γ)/(1-γ) in the other model.
    """
    return Instance(blocks.mirrored(8 * Delta, 8 * Delta, gamma), epsilon, Delta)


def walk(instance: Instance, version: Version, factor: int | None = None) -> Walk:
    """Lemma 7 on the first pass, when every model is active.

    Line 2 prints Δ < (1-γ)ε/(4(1+γ)); repaired it is Δ ≤ (1-γ)ε/(18(1+γ)). A `factor` in place of
    4 or 18 shows where the lemma begins to fail.
    """
    gamma = instance.models[0].gamma
    entered = formulas.transfer_mode(instance.Delta, instance.epsilon, gamma, version)
    if factor is not None:
        threshold = mdp.transfer_threshold(instance.epsilon, gamma, factor)
        entered = replace(entered, right=threshold, formula=None)
    slack = mdp.stopping_slack(instance.epsilon, instance.Delta, gamma)
    return Walk(
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


def _numbers(instance: Instance) -> Numbers:
    return (
        ("γ", instance.models[0].gamma),
        ("ε", instance.epsilon),
        ("Δ", instance.Delta),
        (
            "certain rewards of the three arms, model by model",
            tuple(m.r[0] for m in instance.models),
        ),
    )


CASES = (
    Case(
        checks=("lemma-7.positive/bandit",),
        numbers=lambda: _numbers(bandit()),
        told=lambda: walk(bandit(), Version.PRINTED),
        undo="Δ = 0.011, so that 8Δ = 0.088 is below the gap of 0.09",
        undone=lambda: walk(bandit(Fraction(11, 1000)), Version.PRINTED),
        broken={
            "transfer mode: Δ against its threshold": lambda: walk(
                bandit(Fraction(14, 1000)), Version.PRINTED
            ),
            "no stop: smallest worst loss of a policy against the slack": lambda: walk(
                replace(bandit(), epsilon=Fraction(3, 2)), Version.PRINTED
            ),
        },
        repaired=lambda: walk(bandit(), Version.REPAIRED),
        sibling=lambda: walk(bandit(Fraction(28, 10_000)), Version.REPAIRED),
        sibling_numbers=lambda: _numbers(bandit(Fraction(28, 10_000))),
    ),
)
