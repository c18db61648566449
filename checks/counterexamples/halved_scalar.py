"""Numbers in place of matrices, for two steps of the proof of Lemma 11 (errata E31, E32).

One by one, Σ and Σ̂ have the pseudo-inverses 1/Σ and 1/Σ̂ and are their own singular values.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from checks.outcome import Statement, Walk

COLUMN_NORM = 2
"""2SA for one state and one action."""


@dataclass(frozen=True)
class Scalars:
    """Both moments, their estimates, the third view (known exactly) and the rate r."""

    sigma_21: Fraction
    sigma_21_hat: Fraction
    sigma_31: Fraction
    sigma_31_hat: Fraction
    mu: Fraction
    r: Fraction


def inverse_walk(sigma: Fraction, sigma_hat: Fraction) -> Walk:
    """|1/Σ - 1/Σ̂| ≤ (2/λ_min)|Σ - Σ̂| where |Σ - Σ̂|/λ_min ≤ 1/2, with λ_min = Σ."""
    distance = abs(sigma - sigma_hat)
    return Walk(
        premises=(
            Statement("Σ", sigma, ">", 0),
            Statement("Σ̂, of the same rank", sigma_hat, ">", 0),
            Statement("|Σ-Σ̂|/λ_min", distance / sigma, "≤", Fraction(1, 2)),
        ),
        conclusion=Statement(
            "difference of the inverses",
            abs(1 / sigma - 1 / sigma_hat),
            "≤",
            2 * distance / sigma,
        ),
    )


def halved() -> Scalars:
    """Σ_31 = 1 is estimated as 1/2, and Σ_21 = 1 as 3/2: both are off by r = 1/2."""
    one, half = Fraction(1), Fraction(1, 2)
    return Scalars(one, one + half, one, half, mu=Fraction(COLUMN_NORM), r=half)


def ingredients(x: Scalars) -> tuple[Statement, ...]:
    """What the proof has shown, or takes as shown, when it collects the constants."""
    return (
        Statement("|Σ̂_21 - Σ_21| against r", abs(x.sigma_21_hat - x.sigma_21), "≤", x.r),
        Statement("|Σ̂_31 - Σ_31| against r", abs(x.sigma_31_hat - x.sigma_31), "≤", x.r),
        Statement("‖Σ̂_21‖ against 2λ_max", x.sigma_21_hat, "≤", 2 * x.sigma_21),
        Statement("‖Σ̂_31^†‖ against 2/λ_min", 1 / x.sigma_31_hat, "≤", 2 / x.sigma_31),
        Statement(
            "‖Σ_31^† - Σ̂_31^†‖ against 2r/λ_min",
            abs(1 / x.sigma_31 - 1 / x.sigma_31_hat),
            "≤",
            2 * x.r / x.sigma_31,
        ),
        Statement("‖μ‖ against 2SA", x.mu, "≤", COLUMN_NORM),
    )


def display_walk(x: Scalars, inverse_factor: int = 4) -> Walk:
    """The last display of the proof, (2SA + 4SA λ_max)/λ_min · r; the statement has 4SA and 8SA.

    `inverse_factor` stands for the 4 before SA λ_max.
    """
    error = abs(x.sigma_21 / x.sigma_31 - x.sigma_21_hat / x.sigma_31_hat) * x.mu
    sizes = COLUMN_NORM + Fraction(inverse_factor * COLUMN_NORM, 2) * x.sigma_21
    return Walk(
        premises=ingredients(x),
        conclusion=Statement("error of the column", error, "≤", sizes * x.r / x.sigma_31),
    )
