"""All outcomes together have probability one: an enumeration that lost one of them is refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from ptum.checks.exact.numbers import Number, a_number


class MassError(ArithmeticError):
    """Raised where the outcomes of an enumeration do not make up the whole distribution."""


def require_whole(masses: Iterable[Number], share: float = 0.0) -> None:
    """Raise unless the probabilities sum to one.

    Fractions must do so exactly; a sum of doubles may be off by the `share` that rounding explains.
    """
    known = list(masses)
    exact = all(isinstance(mass, int | Fraction) for mass in known)
    total: Number = sum(known, Fraction(0)) if exact else math.fsum(known)
    off = abs(float(a_number(total) - 1)) if total != 1 else 0.0
    if off > (0.0 if exact else a_number(share)):
        raise MassError(
            f"{len(known)} outcomes have probability {float(total):.17g} together, not 1: off by "
            f"{off:.3g}, where rounding explains {share:.3g}"
        )


def binomial_probability(n: int, p: Fraction, wanted: Callable[[int], bool]) -> Fraction:
    """P(wanted(K)) for K binomial, exactly, of all n + 1 counts."""
    high, low, whole = p.numerator, p.denominator - p.numerator, p.denominator**n
    weights = [low**n] if low else [0] * n + [high**n]
    for k in range(len(weights), n + 1):  # from one count to the next, without any power
        weights.append(weights[-1] * ((n - k + 1) * high) // (k * low))
    if sum(weights) != whole:
        raise MassError(f"{len(weights)} counts of {n} trials are not all of them")
    return Fraction(sum(weight for k, weight in enumerate(weights) if wanted(k)), whole)
