"""Deviations without a floor (errata E33, E47): p = (1, 0), q = (1-e, e), f = (0, 1).

The deviation of f is 0 under p and √(e(1-e)) under q, while the laws are only 2e apart. So no
constant C makes |Std_p - Std_q| ≤ C‖p-q‖₁ true for all e.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from checks import exact
from checks.exact import Vector
from checks.outcome import Statement, Walk


@dataclass(frozen=True)
class Laws:
    """Two laws on the same points, and a function with values in [0, b]."""

    p: Vector
    q: Vector
    f: Vector
    b: Fraction

    @property
    def distance(self) -> Fraction:
        """‖p-q‖₁."""
        return sum((abs(x - y) for x, y in zip(self.p, self.q, strict=True)), Fraction(0))

    @property
    def variance_p(self) -> Fraction:
        """Var_p[f]."""
        return exact.variance(self.p, self.f)

    @property
    def variance_q(self) -> Fraction:
        """Var_q[f]."""
        return exact.variance(self.q, self.f)


def laws(e: Fraction) -> Laws:
    """Certain to see 0, or almost."""
    return Laws(
        p=(Fraction(1), Fraction(0)),
        q=(1 - e, e),
        f=(Fraction(0), Fraction(1)),
        b=Fraction(1),
    )


def against(constant: Fraction) -> Laws:
    """Laws for which the constant is too small: e(1-e) is four times 4C²e² at 1/e = 16C² + 1."""
    return laws(1 / (16 * constant**2 + 1))


def premises_of(pair: Laws) -> tuple[Statement, ...]:
    """p and q are laws, f maps into [0, b]."""
    return (
        Statement("p sums to", sum(pair.p), "=", 1),
        Statement("q sums to", sum(pair.q), "=", 1),
        Statement("least probability", min(*pair.p, *pair.q), "≥", 0),
        Statement("least value of f", min(pair.f), "≥", 0),
        Statement("largest value of f, against b", max(pair.f), "≤", pair.b),
        Statement("b", pair.b, ">", 0),
    )


def walk(pair: Laws, constant: Fraction) -> Walk:
    """|Std_p - Std_q| ≤ C‖p-q‖₁ with no floor, where p makes f certain; squared."""
    return Walk(
        premises=(*premises_of(pair), Statement("Var_p[f]", pair.variance_p, "=", 0)),
        conclusion=Statement(
            f"squares of the difference of deviations and of {constant}·‖p-q‖₁",
            pair.variance_q,
            "≤",
            (constant * pair.distance) ** 2,
        ),
    )
