"""Theorem 1 and Corollary 1 where each arm is silent about one rival (errata E03 and E04).

One state, three Bernoulli arms, γ = 1/2, ε = 2/5, exact models. Two rivals differ from the target
at one arm each, so every arm has a rival about which it says nothing: the largest over arms of the
least information is 0, although each rival alone is told apart by one arm with information 7/10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Protocol

from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation, gap_Gamma, max_min, min_max, theta_eps, theta_s
from ptum.checks.instances.counterexamples.catalogue import Counterexample, Numbers, declare
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Formed, Statement, Values
from ptum.spec.vocabulary import Version


class SituationClaim(Protocol):
    """A claim about a situation, as printed or repaired."""

    def __call__(self, situation: Situation, version: Version) -> Evaluation:
        """The claim held against the situation."""


MEANS = ((5, 2, 2), (5, 9, 2), (5, 2, 9))
"""Tenths."""


def bernoulli_arms(means: Sequence[Fraction], gamma: Fraction) -> ExactMDP:
    """One state whose arms pay 1 with the given probabilities."""
    r = tuple(means)
    var = tuple(mean * (1 - mean) for mean in r)
    stay = ((Fraction(1),),) * len(r)
    return ExactMDP(p=(stay,), r=(r,), var=(var,), gamma=gamma)


def instance(means: Sequence[Sequence[int]] = MEANS, Delta: Fraction = Fraction(0)) -> Situation:
    """The target and its two rivals."""
    models = tuple(
        bernoulli_arms([Fraction(mean, 10) for mean in row], Fraction(1, 2)) for row in means
    )
    return Situation(models, epsilon=Fraction(2, 5), Delta=Delta)


def _enters(situation: Situation, version: Version) -> Statement:
    """Line 2: strictly below (1-γ)ε/(4(1+γ)) as printed, at most with 18 in place of 4 repaired."""
    return formulas.transfer_mode(situation.Delta, situation.epsilon, situation.gamma, version)


def _sizes(situation: Situation) -> Values:
    target = situation.models[0]
    return (("S", target.S), ("A", target.A), ("k", len(situation.models)))


def rate_formula(situation: Situation) -> Formed:
    """Corollary 1's rate, which the steps of its proof lead to; δ does not matter to them."""
    known = (("Gamma", gap_Gamma(situation)), ("epsilon", situation.epsilon))
    values = (*_sizes(situation), *known, ("gamma", situation.gamma))
    return formulas.TRANSFER + "COROLLARY_1", values


def _blocked(blocking: tuple[int, ...]) -> Statement:
    return Statement("models that have to be eliminated", len(blocking), "≥", 1)


def exchange(situation: Situation, version: Version) -> Evaluation:
    """Corollary 1, first step: the denominator is at least max{Γ²,κ_ε²}(1-γ)², at Δ = 0."""
    blocking = theta_eps(situation)
    printed = version is Version.PRINTED
    denominator = (max_min if printed else min_max)(situation, blocking)
    largest = max(gap_Gamma(situation), situation.kappa)
    return Evaluation(
        premises=(
            _enters(situation, version),
            _blocked(blocking),
            Statement("the models are exact: Δ", situation.Delta, "=", 0),
        ),
        conclusion=Statement(
            "information in the denominator against max{Γ²,κ_ε²}(1-γ)²",
            denominator,
            "≥",
            largest**2 * (1 - situation.gamma) ** 2,
            *rate_formula(situation),
        ),
    )


def in_terms_of_Gamma(situation: Situation, version: Version) -> Evaluation:
    """Γ as a worst case: the denominator is at least (1-γ)²Γ², at Δ = 0."""
    printed = version is Version.PRINTED
    blocking = theta_eps(situation) if printed else theta_s(situation)
    denominator = (max_min if printed else min_max)(situation, blocking)
    return Evaluation(
        premises=(
            _enters(situation, version),
            _blocked(blocking),
            Statement("the models are exact: Δ", situation.Delta, "=", 0),
        ),
        conclusion=Statement(
            "information in the denominator against (1-γ)²Γ²",
            denominator,
            "≥",
            (1 - situation.gamma) ** 2 * gap_Gamma(situation) ** 2,
            *formulas.theorem_1(_sizes(situation), denominator, version),
        ),
    )


def finite(situation: Situation, version: Version) -> Evaluation:
    """The bound on the queries is a number: its denominator is positive.

    Γ > 0 is granted, so that every bound in Γ is a number too.
    """
    printed = version is Version.PRINTED
    blocking = theta_eps(situation) if printed else theta_s(situation)
    denominator = (max_min if printed else min_max)(situation, blocking)
    return Evaluation(
        premises=(
            _enters(situation, version),
            _blocked(blocking),
            Statement("Γ", gap_Gamma(situation), ">", 0),
        ),
        conclusion=Statement(
            "information in the denominator",
            denominator,
            ">",
            0,
            *formulas.theorem_1(_sizes(situation), denominator, version),
        ),
    )


def lower_bound(situation: Situation) -> Evaluation:
    """Repair for Δ > 0: over Θ_s, min-max exceeds φ((1-γ)w), φ(z) = min{4z²,z}.

    w = (1-γ)ε/2 - 9(1+γ)Δ is what is left of 2κ_ε after both gaps lose 8Δ.
    """
    gamma = situation.gamma
    blocking = theta_s(situation)
    w = (1 - gamma) * situation.epsilon / 2 - 9 * (1 + gamma) * situation.Delta
    z, denominator = (1 - gamma) * w, min_max(situation, blocking)
    return Evaluation(
        premises=(_enters(situation, Version.REPAIRED), _blocked(blocking)),
        conclusion=Statement(
            "information in the denominator against φ((1-γ)w)",
            denominator,
            ">",
            min(4 * z**2, z),
            *formulas.theorem_1(_sizes(situation), denominator, Version.REPAIRED),
        ),
    )


# What the instance shows


SHARED = ((5, 2, 2), (5, 9, 2), (5, 9, 9))
"""The second rival differs at arm 1 as well, so that arm 1 speaks about both."""
NO_RIVAL = ((5, 2, 2), (5, 9, 2), (5, 2, 2))
"""The second rival is the target over again."""


def _numbers(situation: Situation) -> Numbers:
    return (
        ("γ", situation.gamma),
        ("ε, Δ", (situation.epsilon, situation.Delta)),
        ("κ_ε", situation.kappa),
        ("Bernoulli arms, target first", tuple(theta.r[0] for theta in situation.models)),
        ("variances, target first", tuple(theta.var[0] for theta in situation.models)),
    )


def _declare(
    checks: Mapping[str, str], step: SituationClaim, broken: Mapping[str, Situation]
) -> None:
    declare(
        Counterexample(
            checks=checks,
            instance=instance(),
            evaluate=partial(step, version=Version.PRINTED),
            numbers=_numbers,
            fix="the second rival pays 0.9 at arm 1 too, so that one arm speaks about both",
            fixed=instance(SHARED),
            broken={
                "transfer mode: Δ against its threshold": instance(Delta=Fraction(1, 20)),
                "models that have to be eliminated": replace(instance(), epsilon=Fraction(20)),
                **broken,
            },
            repaired=partial(step, version=Version.REPAIRED),
            in_scope=instance(SHARED),
        )
    )


NOT_EXACT = {"the models are exact: Δ": instance(Delta=Fraction(1, 1000))}

_declare(
    {"corollary-1.exchange/three-arms": "max-min is at least max{Γ²,κ_ε²}(1-γ)² on three arms"},
    exchange,
    NOT_EXACT,
)
_declare(
    {
        "text-gamma-worst-case.worst-case/three-arms": "max-min is at least (1-γ)²Γ² on three arms",
        "text-tighter-than-existing.tighter/three-arms": (
            "Theorem 1's bound is at most that in Γ on three arms"
        ),
    },
    in_terms_of_Gamma,
    NOT_EXACT,
)
_declare(
    {
        "text-pac.implied/infinite-bound": "The printed bound is a number on three arms",
        "text-never-worse-than-brunskill.never-worse/three-arms": (
            "The printed bound is finite where Γ > 0"
        ),
    },
    finite,
    {"Γ": instance(NO_RIVAL)},
)
