"""Lemma 14 for estimates that are no probabilities (errata E33, E42).

Two states, one action, γ = 0.9; in either state both next states have probability 1/2; rewards
are 1 with probability 0.9 and 0.1, else 0. All deviations of the truth are at least 0.3.

`stretched`: every transition probability is estimated as 0.555. The estimated values are near
500 although 10 is the largest value there is.

`swollen`: both probabilities of the reward in state 1 are estimated as t. The "variance"
Σ q̃(u)(u - r̃)² grows like t³, the claimed bound like t.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from checks import exact
from checks.appendix_d.rational import RootCase
from checks.exact import ExactMDP, Vector, inner
from checks.outcome import Statement, Walk

GAMMA = Fraction(9, 10)
S = 2
U = 2
HALF = Fraction(1, 2)
REWARDS = (Fraction(0), Fraction(1))
LAWS = ((Fraction(1, 10), Fraction(9, 10)), (Fraction(9, 10), Fraction(1, 10)))
"""q(0), q(1) in the two states."""


@dataclass(frozen=True)
class Estimate:
    """Tables q̃ and p̃ of one task, each with one row per state; any numbers."""

    q: tuple[Vector, ...]
    p: tuple[Vector, ...]
    sigma_bar: Fraction = Fraction(3, 10)


def truth() -> ExactMDP:
    """The task."""
    fair = ((HALF, HALF),)
    var = tuple((exact.variance(law, REWARDS),) for law in LAWS)
    r = tuple((inner(law, REWARDS),) for law in LAWS)
    return ExactMDP(p=(fair, fair), r=r, var=var, gamma=GAMMA)


def stretched(x: Fraction = Fraction(555, 1000)) -> Estimate:
    """p̃ = x everywhere."""
    return Estimate(LAWS, ((x, x), (x, x)))


def swollen(t: Fraction = Fraction(40)) -> Estimate:
    """q̃ = (t, t) in state 1."""
    return Estimate(((t, t), LAWS[1]), ((HALF, HALF), (HALF, HALF)))


def squared_error(estimate: Estimate) -> Fraction:
    """e², the squared distance of the column from that of the truth."""
    pairs = [*zip(estimate.q, LAWS, strict=True), *((row, (HALF, HALF)) for row in estimate.p)]
    return sum(
        ((x - y) ** 2 for row, law in pairs for x, y in zip(row, law, strict=True)), Fraction(0)
    )


def value(estimate: Estimate) -> Vector:
    """Ṽ = r̃ + γ p̃ Ṽ; there is one action, so this is Ṽ*."""
    (a, b), (c, d) = estimate.p
    r = tuple(inner(law, REWARDS) for law in estimate.q)
    determinant = (1 - GAMMA * a) * (1 - GAMMA * d) - GAMMA**2 * b * c
    return (
        ((1 - GAMMA * d) * r[0] + GAMMA * b * r[1]) / determinant,
        (GAMMA * c * r[0] + (1 - GAMMA * a) * r[1]) / determinant,
    )


def floors(estimate: Estimate) -> tuple[Statement, ...]:
    """Assumption 5: true and estimated deviations, squared, against σ̄², and γp̃ contracts."""
    task, V, c = truth(), value(estimate), estimate.sigma_bar**2
    V_star = exact.optimal_value(task)
    rewards = [exact.variance(law, REWARDS) for law in (*LAWS, *estimate.q)]
    values = [exact.variance((HALF, HALF), V_star), *(exact.variance(p, V) for p in estimate.p)]
    mass = max(sum(map(abs, row), Fraction(0)) for row in estimate.p)
    return (
        Statement("σ̄", estimate.sigma_bar, ">", 0),
        Statement("least reward variance against σ̄²", min(rewards), "≥", c),
        Statement("least value variance against σ̄²", min(values), "≥", c),
        Statement("γ times the largest mass of p̃", GAMMA * mass, "<", 1),
    )


def values_walk(estimate: Estimate) -> Walk:
    """|(p - p̃)ᵀṼ*| ≤ S e/(1-γ), squared."""
    V = value(estimate)
    left = max(abs(inner((HALF, HALF), V) - inner(p, V)) for p in estimate.p)
    return Walk(
        floors(estimate),
        Statement(
            "(difference of expected values)² against (S e/(1-γ))²",
            left**2,
            "≤",
            S**2 * squared_error(estimate) / (1 - GAMMA) ** 2,
        ),
    )


def value_std_case(estimate: Estimate) -> RootCase:
    """|Std_p[Ṽ*] - Std_p̃[Ṽ*]| ≤ (1/(2σ̄(1-γ)) + 1) S e/(1-γ)."""
    V = value(estimate)
    factor = 1 / (2 * estimate.sigma_bar * (1 - GAMMA)) + 1
    return RootCase(
        "deviations of Ṽ*",
        floors(estimate),
        exact.variance((HALF, HALF), V),
        exact.variance(estimate.p[0], V),
        (factor * S / (1 - GAMMA)) ** 2 * squared_error(estimate),
    )


def reward_std_case(estimate: Estimate) -> RootCase:
    """|σ^r - σ̃^r| ≤ (1/(2σ̄) + 1) U e in state 1."""
    factor = 1 / (2 * estimate.sigma_bar) + 1
    return RootCase(
        "deviations of the reward in state 1",
        floors(estimate),
        exact.variance(LAWS[0], REWARDS),
        exact.variance(estimate.q[0], REWARDS),
        (factor * U) ** 2 * squared_error(estimate),
    )
