"""Many real numbers at once between two rationals each, so that thousands of tests are decided.

The ends of an enclosure are whole multiples of 10⁻³⁰. Sums of them are exact; products, quotients
and roots are rounded to the next multiple outwards, in whole numbers throughout. A comparison that
this leaves open is refused. What `checks/exact/intervals` does for one number, at a fraction of
the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ptum.checks.exact.intervals import Real, UndecidedError, enclosed
from ptum.reference.arrays import Bools, Ints

UNIT = 10**30
Whole: TypeAlias = npt.NDArray[np.object_]
"""Python's whole numbers, which know no limit."""


@dataclass(frozen=True, eq=False)
class Enclosures:
    """Real numbers of which only this is known: low ≤ x·10³⁰ ≤ high, entry by entry."""

    low: Whole
    high: Whole

    def __add__(self, other: NumberLike) -> Enclosures:
        that = enclosures(other)
        return Enclosures(self.low + that.low, self.high + that.high)

    def __neg__(self) -> Enclosures:
        return Enclosures(-self.high, -self.low)

    def __sub__(self, other: NumberLike) -> Enclosures:
        return self + -enclosures(other)

    def __mul__(self, other: NumberLike) -> Enclosures:
        that = enclosures(other)
        if np.all(self.low >= 0) and np.all(that.low >= 0):
            least, most = self.low * that.low, self.high * that.high
        else:
            ends = [x * y for x in (self.low, self.high) for y in (that.low, that.high)]
            least, most = np.minimum.reduce(ends), np.maximum.reduce(ends)
        return Enclosures(least // UNIT, _quotient_up(most, UNIT))

    def __truediv__(self, other: NumberLike) -> Enclosures:
        that = enclosures(other)
        if np.any((that.low <= 0) & (that.high >= 0)):
            raise UndecidedError("division by a number that may be zero")
        return self * Enclosures(UNIT**2 // that.high, _quotient_up(UNIT**2, that.low))

    def __abs__(self) -> Enclosures:
        least = np.maximum(np.maximum(self.low, -self.high), 0)
        return Enclosures(least, np.maximum(-self.low, self.high))


NumberLike: TypeAlias = Enclosures | Ints | Real


def enclosures(x: NumberLike) -> Enclosures:
    """One real number, or an array of whole numbers."""
    if isinstance(x, Enclosures):
        return x
    if isinstance(x, np.ndarray):
        exact: Whole = x.astype(np.object_) * UNIT
        return Enclosures(exact, exact)
    of = enclosed(x)
    return Enclosures(_single(floor(of.low * UNIT)), _single(ceil(of.high * UNIT)))


def _single(x: int) -> Whole:
    return np.array([x], dtype=np.object_)


def _quotient_up(x: Whole | int, y: Whole | int) -> Whole:
    """⌈x/y⌉."""
    return np.asarray(-(-x // y))


def roots(x: Enclosures) -> Enclosures:
    """√x, of numbers that are not negative: what rounding put below zero is cut."""
    low, high = (np.maximum(end, 0) * UNIT for end in (x.low, x.high))
    down, up = np.asarray(_ISQRT(low)), np.asarray(_ISQRT(high))
    return Enclosures(down, up + (up * up != high))


_ISQRT = np.frompyfunc(isqrt, 1, 1)
"""⌊√x⌋, entry by entry."""


def exceed(left: NumberLike, right: NumberLike) -> Bools:
    """left > right, entry by entry."""
    x, y = enclosures(left), enclosures(right)
    above: Bools = np.asarray(x.low > y.high, dtype=np.bool_)
    if np.any(~above & (x.high > y.low)):
        raise UndecidedError("two numbers are too close to each other for thirty digits")
    return above
