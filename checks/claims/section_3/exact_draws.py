"""Rational situations for the terms of Theorem 1 and Corollary 1, built and never filtered."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.exact.terms import Situation, distances
from ptum.checks.instances.counterexamples.section_3 import corollary_1
from ptum.checks.instances.counterexamples.shared import blocks
from ptum.checks.instances.families import rational

SHARES = (Fraction(1), Fraction(1, 2), Fraction(0))
ACCURACIES = (Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(1, 100))
"""ε as a share of 1/(1-γ), the length of the range of values."""


@st.composite
def situations(
    draw: DrawFn,
    error_shares: tuple[Fraction, ...] = (Fraction(0),),
    accuracies: tuple[Fraction, ...] = ACCURACIES,
) -> Situation:
    """Drawn models with noisy rewards; Δ is a share of the repaired threshold."""
    share = draw(st.sampled_from(SHARES))
    models = tuple(mdp.with_variance(theta, share) for theta in draw(rational.model_sets()))
    gamma = models[0].gamma
    epsilon = draw(st.sampled_from(accuracies)) / (1 - gamma)
    threshold = mdp.transfer_threshold(epsilon, gamma, mdp.SHARP_FACTOR)
    return Situation(models, epsilon, draw(st.sampled_from(error_shares)) * threshold)


@st.composite
def barely_blocked(draw: DrawFn) -> Situation:
    """Mirrored blocks at the repaired threshold whose sum of gaps just exceeds 2κ_ε.

    At Δ = (1-γ)ε/(18(1+γ)), 2κ_ε is 8Δ(1+γ): gaps of 8Δ each would be silent and not blocking.
    """
    gamma = draw(st.sampled_from((Fraction(0), Fraction(1, 2), Fraction(9, 10))))
    epsilon = Fraction(draw(st.integers(1, 10)), 20) / (1 - gamma)
    Delta = mdp.transfer_threshold(epsilon, gamma, mdp.SHARP_FACTOR)
    gap = 8 * Delta * (1 + Fraction(1, draw(st.sampled_from((10, 1000, 10**6)))))
    return Situation(blocks.mirrored(gap, gap, gamma), epsilon, Delta)


def with_errors() -> SearchStrategy[Situation]:
    """Δ up to the repaired threshold, where the information can be as small as one likes."""
    return st.one_of(situations(SHARES), barely_blocked())


def at_the_border(models: tuple[ExactMDP, ...], error_share: Fraction) -> Situation:
    """The least ε for which no model is in Θ_ε: κ_ε is the largest of all G_r and γG_p."""
    unplaced = Situation(models, Fraction(0))
    gamma = unplaced.gamma
    kappa = max(max(G_r, gamma * G_p) for G_r, G_p in distances(unplaced))
    Delta = error_share * kappa
    return Situation(models, 4 * (kappa + Delta * (1 + gamma) / 2) / (1 - gamma), Delta)


@st.composite
def outside_theta_eps(draw: DrawFn) -> Situation:
    """Drawn models, mirrored blocks or the five-state family, none of them in Θ_ε but barely so."""
    share = draw(st.sampled_from((Fraction(0), Fraction(1, 4))))
    which = draw(st.integers(0, 2))
    if which == 0:
        return at_the_border(draw(rational.model_sets()), share)
    gamma = draw(st.sampled_from((Fraction(1, 4), Fraction(1, 2), Fraction(9, 10))))
    small = Fraction(1, draw(st.integers(1, 40))) * (1 - gamma) / 32
    if which == 1:
        return at_the_border(blocks.mirrored(small, small / gamma, gamma), share)
    return at_the_border(corollary_1.tight(small, gamma).models, share)


@st.composite
def at_distance_zero(draw: DrawFn) -> Situation:
    """A target, and a model whose rows differ by what the target's values cannot see.

    Along (V_m - V_j, V_i - V_m, V_j - V_i) on three states neither the total probability nor the
    mean value changes; equal values leave the second direction (1, -1, 0) as well.
    """
    gamma = draw(rational.discounts())
    S, A = draw(st.integers(3, 4)), draw(st.integers(1, 2))
    target = draw(rational.tasks(S, A, gamma))
    if draw(st.booleans()):  # rewards that make all values equal
        flat = tuple((Fraction(1, 2),) * A for _ in range(S))
        target = replace(target, r=flat)
    V = mdp.optimal_value(target)
    p = tuple(
        tuple(moved(row, V, draw(st.permutations(range(S)))) for row in rows) for rows in target.p
    )
    return Situation((target, replace(target, p=p)), epsilon=Fraction(1, 2))


def moved(row: Vector, V: Vector, order: list[int]) -> Vector:
    """Half the way to the border of the simplex in a direction that V cannot see."""
    i, j, m = order[:3]
    direction = [Fraction(0)] * len(row)
    if V[i] == V[j]:
        direction[i], direction[j] = Fraction(1), Fraction(-1)
    else:
        direction[i], direction[j], direction[m] = V[m] - V[j], V[i] - V[m], V[j] - V[i]
    room = min(x / -d for x, d in zip(row, direction, strict=True) if d < 0)
    return tuple(x + room / 2 * d for x, d in zip(row, direction, strict=True))
