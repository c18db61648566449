"""Section 1: Theorem 1 against the one earlier bound on identification that the paper describes.

That bound has 1/Γ² in it. With what Theorem 1 has besides its denominator it is
128 min{SA,|Θ|} L/((1-γ)²Γ²), so that at Δ = 0 the two compare as their denominators do. *Tighter*
can mean on every instance, which three arms refute, or on some: a near-copy of the target makes Γ
as small as one likes, and is not in Θ_ε.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.section_3 import exact_draws
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import (
    MaybeInfinite,
    Situation,
    gap_Gamma,
    max_min,
    min_max,
    theta_eps,
    theta_s,
)
from ptum.checks.instances.counterexamples.section_3.theorem_1 import bernoulli_arms
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import CheckKind, Version

HALF = Fraction(1, 2)

BlockingRule: TypeAlias = Callable[[Situation], tuple[int, ...]]
"""The models that a bound says have to be eliminated."""
Denominator: TypeAlias = Callable[[Situation, Sequence[int]], MaybeInfinite]


# On some instances, by any factor


@stored
@dataclass(frozen=True)
class NearCopy:
    """Two arms: a rival that pays more at arm 1, and a copy of the target that differs by little.

    `more` is by how much arm 1 of the rival beats arm 0, `low` what it pays in the target, and
    `factor` by how much Theorem 1's bound is to be smaller than the one in Γ.
    """

    gamma: Fraction
    low: Fraction
    more: Fraction
    factor: int

    @property
    def epsilon(self) -> Fraction:
        """Half of what the target's policy loses in the rival."""
        return self.more / (2 * (1 - self.gamma))

    def situation(self) -> Situation:
        """Target, rival, copy; the copy's gap is κ_ε over a whole number that serves."""
        target = self._arms(self.low)
        rival = self._arms(HALF + self.more)
        pair = Situation((target, rival), self.epsilon)
        needed = self.factor * ((1 - self.gamma) * pair.kappa) ** 2 / max_min(pair, (1,))
        gap = pair.kappa / (isqrt(ceil(needed)) + 1)
        return Situation((target, rival, self._arms(self.low + gap)), self.epsilon)

    def _arms(self, second: Fraction) -> ExactMDP:
        return bernoulli_arms((HALF, second), self.gamma)


@st.composite
def near_copies(draw: DrawFn) -> NearCopy:
    """Factors from one to a billion."""
    gamma = draw(st.sampled_from((Fraction(0), HALF, Fraction(9, 10))))
    low, more = (Fraction(draw(st.integers(1, 19)), 40) for _ in range(2))
    return NearCopy(gamma, low, more, 10 ** draw(st.integers(0, 9)) * draw(st.integers(1, 9)))


def somewhere_evaluation(case: NearCopy, blocking: BlockingRule = theta_eps) -> Evaluation:
    """Theorem 1 as printed allows at most 1/factor of what the bound in Γ does."""
    situation = case.situation()
    models = blocking(situation)
    return Evaluation(
        (
            formulas.transfer_mode(
                situation.Delta, situation.epsilon, situation.gamma, Version.PRINTED
            ),
            Statement("models that have to be eliminated", len(models), "≥", 1),
            Statement("Γ", gap_Gamma(situation), ">", 0),
        ),
        Statement(
            f"{case.factor}·(1-γ)²Γ² against Theorem 1's denominator",
            case.factor * ((1 - situation.gamma) * gap_Gamma(situation)) ** 2,
            "≤",
            max_min(situation, models),
        ),
    )


@check("text-tighter-than-existing.tighter/near-copies", CheckKind.EXACT)
def somewhere(context: Context) -> Outcome:
    """For every factor arms on which Theorem 1's bound is smaller than that in Γ by it."""
    return search(context, near_copies(), somewhere_evaluation, (20, 100, 4000))


# On every instance


def never_larger_evaluation(situation: Situation, denominator: Denominator = min_max) -> Evaluation:
    """min{SA,|Θ|-1}/min-max ≤ min{SA,|Θ|}/((1-γ)²Γ²), multiplied out."""
    models, blocking = situation.models, theta_s(situation)
    S, A, k = models[0].S, models[0].A, len(models)
    information = denominator(situation, blocking)
    earlier = ((1 - situation.gamma) * gap_Gamma(situation)) ** 2
    return Evaluation(
        (
            formulas.transfer_mode(
                situation.Delta, situation.epsilon, situation.gamma, Version.REPAIRED
            ),
            Statement("models that have to be eliminated", len(blocking), "≥", 1),
            Statement("the models are exact: Δ", situation.Delta, "=", 0),
        ),
        Statement(
            "repaired bound and bound in Γ, both times both denominators",
            min(S * A, k - 1) * earlier,
            "≤",
            min(S * A, k) * information,
            *formulas.theorem_1((("S", S), ("A", A), ("k", k)), information, Version.REPAIRED),
        ),
    )


@check("text-tighter-than-existing.tighter/repaired-never-larger", CheckKind.EXACT)
def never_larger(context: Context) -> Outcome:
    """At Δ = 0 the repaired bound is at most that in Γ."""
    return search(context, exact_draws.situations(), never_larger_evaluation, (20, 80, 4000))
