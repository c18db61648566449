"""Many numbers at once between two doubles each, so that thousands of tests are decided for sure.

Sums, products, quotients and roots of doubles are the exact result, rounded to the nearest double
(IEEE 754). One double further out on either side therefore encloses it, and a chain of such steps
encloses what it computes. A comparison that this leaves open is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from checks.enclosed import Real, UndecidedError, enclosed
from reference.arrays import Bools, Floats, Ints

LARGEST_EXACT = 2**53
"""Whole numbers up to here are doubles."""


@dataclass(frozen=True, eq=False)
class Enclosures:
    """Real numbers of which only this is known: low ≤ x ≤ high, entry by entry."""

    low: Floats
    high: Floats

    def __add__(self, other: Numbers) -> Enclosures:
        that = enclosures(other)
        return _outwards(self.low + that.low, self.high + that.high)

    def __neg__(self) -> Enclosures:
        return Enclosures(-self.high, -self.low)

    def __sub__(self, other: Numbers) -> Enclosures:
        return self + -enclosures(other)

    def __mul__(self, other: Numbers) -> Enclosures:
        that = enclosures(other)
        ends = [x * y for x in (self.low, self.high) for y in (that.low, that.high)]
        return _outwards(np.minimum.reduce(ends), np.maximum.reduce(ends))

    def __truediv__(self, other: Numbers) -> Enclosures:
        that = enclosures(other)
        if np.any((that.low <= 0) & (that.high >= 0)):
            raise UndecidedError("division by a number that may be zero")
        one = np.ones(1)
        return self * _outwards(one / that.high, one / that.low)

    def __abs__(self) -> Enclosures:
        least = np.maximum(np.maximum(self.low, -self.high), 0.0)
        return Enclosures(least, np.maximum(-self.low, self.high))


Numbers: TypeAlias = Enclosures | Ints | Real


def enclosures(x: Numbers) -> Enclosures:
    """One real number, or an array of whole numbers."""
    if isinstance(x, Enclosures):
        return x
    if isinstance(x, np.ndarray):
        if np.any(np.abs(x) > LARGEST_EXACT):
            raise UndecidedError("a whole number is too large for a double")
        exact = x.astype(np.float64)
        return Enclosures(exact, exact)
    of = enclosed(x)
    return Enclosures(
        np.array([_below(of.low)]),
        np.array([-_below(-of.high)]),
    )


def _below(x: Fraction) -> float:
    """A double that is not above x."""
    near = float(x)
    return near if Fraction(near) <= x else float(np.nextafter(near, -np.inf))


def _outwards(low: Floats, high: Floats) -> Enclosures:
    return Enclosures(np.nextafter(low, -np.inf), np.nextafter(high, np.inf))


def roots(x: Enclosures) -> Enclosures:
    """√x, of numbers that are not negative: what rounding put below zero is cut."""
    found = _outwards(np.sqrt(np.maximum(x.low, 0.0)), np.sqrt(x.high))
    return Enclosures(np.maximum(found.low, 0.0), found.high)


def exceed(left: Numbers, right: Numbers) -> Bools:
    """left > right, entry by entry."""
    x, y = enclosures(left), enclosures(right)
    above: Bools = x.low > y.high
    if np.any(~above & (x.high > y.low)):
        raise UndecidedError("two numbers are too close to each other for doubles")
    return above
