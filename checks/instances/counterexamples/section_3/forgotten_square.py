"""Corollary 1, second step (erratum E06): 8 has to be squared.

One state, one arm that pays 0.5 in the target and 0.63 in the other model, γ = 0, ε = 1/2, Δ = 0.
"""

from __future__ import annotations

from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.exact.terms import Situation, gap_Gamma
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

PRINTED_CONSTANT = Fraction(1, 8)


def instance(Gamma: Fraction = Fraction(13, 100), Delta: Fraction = Fraction(0)) -> Situation:
    """Two deterministic arms at distance Γ."""
    half = Fraction(1, 2)
    return Situation(arms(Fraction(0), (half,), (half + Gamma,)), epsilon=half, Delta=Delta)


def evaluation(situation: Situation, constant: Fraction = PRINTED_CONSTANT) -> Evaluation:
    """max{Γ²,κ_ε²}(1-γ)² ≥ constant · max{Γ²,ε²}(1-γ)⁴."""
    Gamma = gap_Gamma(situation)
    assert isinstance(Gamma, Fraction)  # there are two models
    return step(Gamma, situation.epsilon, situation.Delta, situation.gamma, constant)


def step(
    Gamma: Fraction, epsilon: Fraction, Delta: Fraction, gamma: Fraction, constant: Fraction
) -> Evaluation:
    """The same inequality for given numbers."""
    kappa = mdp.kappa(epsilon, Delta, gamma)
    return Evaluation(
        premises=(
            formulas.transfer_mode(Delta, epsilon, gamma, Version.PRINTED),
            Statement("Γ", Gamma, ">", 0),
        ),
        conclusion=Statement(
            f"max{{Γ²,κ_ε²}}(1-γ)² against {constant} max{{Γ²,ε²}}(1-γ)⁴",
            max(Gamma, kappa) ** 2 * (1 - gamma) ** 2,
            "≥",
            constant * max(Gamma, epsilon) ** 2 * (1 - gamma) ** 4,
            formulas.TRANSFER + "COROLLARY_1",
            (("Gamma", Gamma), ("epsilon", epsilon), ("gamma", gamma)),
        ),
    )


REPAIRED_CONSTANT = Fraction(1, 64)


def repaired_evaluation(situation: Situation) -> Evaluation:
    """The step with 8², for Δ up to the repaired threshold."""
    threshold = mdp.transfer_threshold(situation.epsilon, situation.gamma, 18)
    found = evaluation(situation, REPAIRED_CONSTANT)
    small = Statement("Δ against the repaired threshold", situation.Delta, "≤", threshold)
    return Evaluation((*found.premises, small), found.conclusion)


def numbers(case: Situation) -> Numbers:
    """Both models and what PTUM is given."""
    return (
        *tasks(zip(("the target", "the rival"), case.models, strict=True)),
        ("Γ", gap_Gamma(case)),
        ("κ_ε", case.kappa),
        ("γ", case.gamma),
        ("ε", case.epsilon),
        ("Δ", case.Delta),
    )


CLOSER = instance(Fraction(7, 100), Delta=Fraction(1, 40))

declare(
    Counterexample(
        checks={
            "corollary-1.constant/forgotten-square": (
                "The second step of the proof at Γ = 0.13, ε = 0.5, γ = Δ = 0"
            ),
        },
        instance=instance(),
        evaluate=evaluation,
        fix="Γ = 1/5",
        fixed=instance(Gamma=Fraction(1, 5)),
        broken={
            "transfer mode: Δ against its threshold": instance(Delta=Fraction(1, 8)),
            "Γ": instance(Gamma=Fraction(0)),
        },
        repaired=repaired_evaluation,
        in_scope=CLOSER,
        numbers=numbers,
    )
)
