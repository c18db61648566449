"""Logarithms and roots between two rationals, so that a comparison with them is decided exactly.

What a claim compares is rational, or a rational expression in logarithms, roots and π. Each of
these is enclosed between two rationals that agree in forty digits, and expressions are enclosed
with them. A comparison is decided only where the enclosures lie apart; otherwise it is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import ceil, floor, isqrt
from typing import TypeAlias

from ptum.checks.exact.comparison import Comparison, Rounded

DIGITS = 40
READABLE = Fraction(1, 10**6)
"""Numbers are told to six digits where that leaves them on their side of the other one."""


class UndecidedError(ArithmeticError):
    """Two numbers are too close to each other for forty digits."""


@dataclass(frozen=True)
class Between:
    """A real number of which only this is known: low ≤ x ≤ high."""

    low: Fraction
    high: Fraction

    def __add__(self, other: Real) -> Between:
        that = enclosed(other)
        return Between(self.low + that.low, self.high + that.high)

    def __neg__(self) -> Between:
        return Between(-self.high, -self.low)

    def __sub__(self, other: Real) -> Between:
        return self + -enclosed(other)

    def __mul__(self, other: Real) -> Between:
        that = enclosed(other)
        ends = [x * y for x in (self.low, self.high) for y in (that.low, that.high)]
        return Between(min(ends), max(ends))

    def __truediv__(self, other: Real) -> Between:
        that = enclosed(other)
        if that.low <= 0 <= that.high:
            raise UndecidedError(f"division by a number that may be zero: {that}")
        return self * Between(1 / that.high, 1 / that.low)

    def __abs__(self) -> Between:
        if self.low >= 0:
            return self
        return -self if self.high <= 0 else Between(Fraction(0), max(-self.low, self.high))

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Real) -> Between:
        return enclosed(other) - self

    def __rtruediv__(self, other: Real) -> Between:
        return enclosed(other) / self

    def __float__(self) -> float:
        return float((self.low + self.high) / 2)


Real: TypeAlias = Between | Fraction | int


def enclosed(x: Real) -> Between:
    """A rational number lies between itself and itself."""
    return x if isinstance(x, Between) else Between(Fraction(x), Fraction(x))


def log(x: Real, digits: int = DIGITS) -> Between:
    """The natural logarithm; decimal's `ln` is correctly rounded, so one step more encloses it."""
    of = enclosed(x)
    return Between(_log(of.low, ROUND_FLOOR, digits), _log(of.high, ROUND_CEILING, digits))


def _log(x: Fraction, rounding: str, digits: int) -> Fraction:
    if x <= 0:
        raise ValueError(f"log of {x}")
    if x == 1:
        return Fraction(0)
    context = Context(prec=digits, rounding=rounding)
    logarithm = context.ln(context.divide(Decimal(x.numerator), Decimal(x.denominator)))
    down = rounding == ROUND_FLOOR
    return Fraction(context.next_minus(logarithm) if down else context.next_plus(logarithm))


def exp(x: Real) -> Between:
    """e^x; decimal's `exp` is correctly rounded, so one step more encloses it."""
    of = enclosed(x)
    return Between(_exp(of.low, ROUND_FLOOR), _exp(of.high, ROUND_CEILING))


def _exp(x: Fraction, rounding: str) -> Fraction:
    if x == 0:
        return Fraction(1)
    context = Context(prec=DIGITS, rounding=rounding)
    power = context.exp(context.divide(Decimal(x.numerator), Decimal(x.denominator)))
    down = rounding == ROUND_FLOOR
    return Fraction(context.next_minus(power) if down else context.next_plus(power))


def root(x: Real, digits: int = DIGITS) -> Between:
    """√x; exact where x is the square of a rational."""
    of = enclosed(x)
    return Between(_root(of.low, digits, up=False), _root(of.high, digits, up=True))


def _root(x: Fraction, digits: int, *, up: bool) -> Fraction:
    n, d = isqrt(x.numerator), isqrt(x.denominator)
    if n * n == x.numerator and d * d == x.denominator:
        return Fraction(n, d)
    scale = 10**digits
    return Fraction(isqrt(x.numerator * scale**2 // x.denominator) + up, scale)


PI = Between(
    Fraction("3.1415926535897932384626433832795028841971"),
    Fraction("3.1415926535897932384626433832795028841972"),
)


def least(*numbers: Real) -> Between:
    """min."""
    every = [enclosed(x) for x in numbers]
    return Between(min(x.low for x in every), min(x.high for x in every))


def largest(*numbers: Real) -> Between:
    """max."""
    every = [enclosed(x) for x in numbers]
    return Between(max(x.low for x in every), max(x.high for x in every))


def exceeds(left: Real, right: Real) -> bool:
    """left > right."""
    x, y = enclosed(left), enclosed(right)
    if x.low > y.high:
        return True
    if x.high <= y.low:
        return False
    raise UndecidedError(f"{float(x)} and {float(y)}")


def whole_part(x: Real) -> int:
    """⌊x⌋."""
    of = enclosed(x)
    if floor(of.low) != floor(of.high):
        raise UndecidedError(f"{float(of)} may be a whole number")
    return floor(of.low)


def compared(left: Real, sign: Comparison, right: Real) -> tuple[Fraction, Comparison, Fraction]:
    """Both sides as rationals to read, which compare as the two numbers do.

    Short rationals stay as they are; others are moved towards the other side, by at most a
    millionth of their size, and are marked as `Rounded`.
    """
    x, y = enclosed(left), enclosed(right)
    if x.low == x.high == y.low == y.high:
        return x.low, sign, y.low
    if x.high < y.low:
        below, above = _to_read(x.high, y.low)
        return below, sign, above
    if y.high < x.low:
        below, above = _to_read(y.high, x.low)
        return above, sign, below
    raise UndecidedError(f"{float(x)} and {float(y)}")


def _to_read(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """The shortest decimals between low < high that are near both."""
    for digits in range(2 * DIGITS):
        step = 10**digits
        below = _told(low, Fraction(ceil(low * step), step))
        above = _told(high, Fraction(floor(high * step), step))
        if below < above and _near(below, low) and _near(above, high):
            return below, above
    return low, high


def _told(x: Fraction, near: Fraction) -> Fraction:
    """The number itself if it is short, or is the other one; else that, marked as rounded."""
    return x if _short(x) or near == x else Rounded(near)


def _short(x: Fraction) -> bool:
    return x.denominator <= 10**6 and abs(x.numerator) < 10**12


def _near(told: Fraction, x: Fraction) -> bool:
    return abs(told - x) <= READABLE * abs(x)


def written(decimal: float) -> Fraction:
    """The rational number that a short decimal stands for: 1/10 for 0.1."""
    return Fraction(repr(decimal))


def shortened(x: Real) -> Fraction:
    """Nine digits of a number that is shown and not compared; a short rational as it is."""
    of = enclosed(x)
    if of.low == of.high and _short(of.low):
        return of.low
    middle = (of.low + of.high) / 2
    return Rounded(f"{float(middle):.9g}")
