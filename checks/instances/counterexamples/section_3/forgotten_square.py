"""Corollary 1, second step (erratum E06): 8 has to be squared.

One state, one arm that pays 0.5 in the target and 0.63 in the other model, γ = 0, ε = 1/2, Δ = 0.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.terms import Situation, gap_Gamma
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.instances.counterexamples.shared.certain_runs import arms
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Statement, Walk
from ptum.spec.vocabulary import Version

PRINTED_CONSTANT = Fraction(1, 8)


def instance(Gamma: Fraction = Fraction(13, 100), Delta: Fraction = Fraction(0)) -> Situation:
    """Two certain arms at distance Γ."""
    half = Fraction(1, 2)
    return Situation(arms(Fraction(0), (half,), (half + Gamma,)), epsilon=half, Delta=Delta)


def walk(situation: Situation, constant: Fraction = PRINTED_CONSTANT) -> Walk:
    """max{Γ²,κ_ε²}(1-γ)² ≥ constant · max{Γ²,ε²}(1-γ)⁴."""
    Gamma = gap_Gamma(situation)
    assert isinstance(Gamma, Fraction)  # there are two models
    return step(Gamma, situation.epsilon, situation.Delta, situation.gamma, constant)


def step(
    Gamma: Fraction, epsilon: Fraction, Delta: Fraction, gamma: Fraction, constant: Fraction
) -> Walk:
    """The same inequality for given numbers."""
    kappa = mdp.kappa(epsilon, Delta, gamma)
    return Walk(
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


def repaired_walk(situation: Situation) -> Walk:
    """The step with 8², for Δ up to the repaired threshold."""
    threshold = mdp.transfer_threshold(situation.epsilon, situation.gamma, 18)
    found = walk(situation, REPAIRED_CONSTANT)
    small = Statement("Δ against the repaired threshold", situation.Delta, "≤", threshold)
    return Walk((*found.premises, small), found.conclusion)


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

CASES = (
    Case(
        checks=("corollary-1.constant/forgotten-square",),
        numbers=partial(numbers, instance()),
        told=partial(walk, instance()),
        undo="Γ = 1/5",
        undone=partial(walk, instance(Gamma=Fraction(1, 5))),
        broken={
            "transfer mode: Δ against its threshold": partial(walk, instance(Delta=Fraction(1, 8))),
            "Γ": partial(walk, instance(Gamma=Fraction(0))),
        },
        repaired=partial(repaired_walk, instance()),
        sibling=partial(repaired_walk, CLOSER),
        sibling_numbers=partial(numbers, CLOSER),
    ),
)
