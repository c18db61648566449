"""What Lemma 8 is said to show (erratum E21): its bound is no multiple of what elimination needs.

One state, two arms with deterministic rewards; target and rival swap them, and the gap is 8Δ + x.
Lemma 4 eliminates the rival after 32L/(4Δ + x) samples of an arm, Lemma 8 allows 128L/x. Their
quotient is 4 + 16Δ/x: for any constant there is an x for which it is larger.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.appendix_b.positive_index import ExactModels
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared.deterministic_runs import arms
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.spec.vocabulary import Version

LEMMA_4, LEMMA_8 = 32, 128


@dataclass(frozen=True)
class Barely:
    """The bandit in which the index is x, and the constant that somebody claims."""

    constant: Fraction
    x: Fraction
    Delta: Fraction = Fraction(12, 1000)
    epsilon: Fraction = Fraction(1)


def against(constant: int) -> Barely:
    """The bandit with 16Δ/x equal to a claimed constant."""
    claimed = Fraction(constant)
    return Barely(claimed, 16 * Fraction(12, 1000) / claimed)


def models(barely: Barely) -> ExactModels:
    """γ = 0.9; arms that pay 1/2 and 1/2 + gap, and the same swapped."""
    half, gap = Fraction(1, 2), 8 * barely.Delta + barely.x
    swapped = arms(Fraction(9, 10), (half + gap, half), (half, half + gap))
    return ExactModels(swapped, barely.epsilon, barely.Delta)


def fewest_to_eliminate(instance: ExactModels) -> Fraction:
    """min over pairs of 32/(gap - 4Δ): Lemma 4 without deviations, in units of L."""
    target, rival = instance.models
    gaps = [abs(r - q) for r, q in zip(target.r[0], rival.r[0], strict=True)]
    return LEMMA_4 / (max(gaps) - 4 * instance.Delta)


def evaluation(barely: Barely) -> Evaluation:
    """The bound of Lemma 8 is at most a constant times the least number that eliminates."""
    instance = models(barely)
    return Evaluation(
        premises=premises(instance),
        conclusion=Statement(
            "bound of Lemma 8 against the claimed multiple of the least number",
            bound_of_lemma_8(instance),
            "≤",
            barely.constant * fewest_to_eliminate(instance),
        ),
    )


def upper_bound_evaluation(barely: Barely) -> Evaluation:
    """Repair: the bound of Lemma 8 is an upper bound of that number."""
    instance = models(barely)
    return Evaluation(
        premises=premises(instance),
        conclusion=Statement(
            "least number against the bound of Lemma 8",
            fewest_to_eliminate(instance),
            "≤",
            bound_of_lemma_8(instance),
        ),
    )


def bound_of_lemma_8(instance: ExactModels) -> Fraction:
    """128 over the largest index, in units of L; a large number where there is none."""
    largest = mdp.largest_index(instance.models, instance.Delta)
    return LEMMA_8 / largest if largest > 0 else Fraction(10**12)


def premises(instance: ExactModels) -> tuple[Statement, ...]:
    """PTUM is in transfer mode, does not stop, and has something to ask."""
    gamma = instance.models[0].gamma
    slack = mdp.stopping_slack(instance.epsilon, instance.Delta, gamma)
    worst = mdp.smallest_worst_loss(instance.models)
    largest_index = mdp.largest_index(instance.models, instance.Delta)
    return (
        formulas.transfer_mode(instance.Delta, instance.epsilon, gamma, Version.PRINTED),
        Statement(
            "no stop: smallest worst loss against the slack",
            worst,
            ">",
            slack,
            *formulas.slack(instance.epsilon, instance.Delta, gamma),
        ),
        Statement("some pair has a positive index", largest_index, ">", 0),
    )


def numbers(barely: Barely) -> Numbers:
    """Both models, for a claimed constant; any other one has its own x."""
    instance = models(barely)
    return (
        *tasks(zip(("the target", "the rival"), instance.models, strict=True)),
        ("γ", instance.models[0].gamma),
        ("ε", instance.epsilon),
        ("Δ", instance.Delta),
        ("claimed constant", barely.constant),
        ("x = 16Δ/constant, by which the gap exceeds 8Δ", barely.x),
    )


CLAIMED = against(100)

declare(
    Counterexample(
        part_of=("text-fundamental-meaning.proportional/no-constant",),
        instance=CLAIMED,
        evaluate=evaluation,
        fix="x twice as large",
        fixed=replace(CLAIMED, x=2 * CLAIMED.x),
        broken={
            "transfer mode: Δ against its threshold": replace(CLAIMED, Delta=Fraction(14, 1000)),
            "no stop: smallest worst loss against the slack": replace(CLAIMED, epsilon=Fraction(2)),
            "some pair has a positive index": replace(CLAIMED, x=Fraction(0)),
        },
        repaired=upper_bound_evaluation,
        in_scope=against(1_000_000),
        numbers=numbers,
    )
)
