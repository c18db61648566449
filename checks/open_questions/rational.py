"""Logarithms between two fractions: what the exact tables of this package compare with."""

from __future__ import annotations

from fractions import Fraction

TERMS = 14
"""Terms of the series; with |y| ≤ 1/3 the bounds differ by less than 10⁻¹³ per factor of two."""


def log_between(z: Fraction) -> tuple[Fraction, Fraction]:
    """Fractions below and above log z, z > 0.

    z = 2^k m with 2/3 ≤ m < 4/3, and log m = 2 artanh((m-1)/(m+1)).
    """
    if z <= 0:
        raise ValueError(f"log of {z}")
    k, m = 0, z
    while m >= Fraction(4, 3):
        m, k = m / 2, k + 1
    while m < Fraction(2, 3):
        m, k = m * 2, k - 1
    low, high = _series((m - 1) / (m + 1))
    two_low, two_high = _series(Fraction(1, 3))
    return (
        (low + k * two_low, high + k * two_high)
        if k >= 0
        else (
            low + k * two_high,
            high + k * two_low,
        )
    )


def _series(y: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of 2 artanh y: the partial sum, and it plus a geometric bound of the rest."""
    total = sum((2 * y ** (2 * j + 1) / (2 * j + 1) for j in range(TERMS)), Fraction(0))
    rest = 2 * abs(y) ** (2 * TERMS + 1) / ((2 * TERMS + 1) * (1 - y**2))
    low, high = (total, total + rest) if y >= 0 else (total - rest, total)
    return _outwards(low, -1), _outwards(high, 1)


def _outwards(value: Fraction, direction: int) -> Fraction:
    """Twenty decimals, rounded away from the value: keeps denominators short."""
    digits = 10**20
    scaled = value * digits
    whole = scaled.numerator // scaled.denominator
    return Fraction(whole if direction < 0 else whole + 1, digits)
