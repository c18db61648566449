"""How the numbers of an instance are written, in a terminal and in a picture."""

from __future__ import annotations

from fractions import Fraction

from ptum.checks.exact.comparison import Rounded
from ptum.checks.verdicts.outcome import rounded_text

LONG = 10**18
"""Longer whole numbers and fractions are written like doubles, rounded or not."""


def text_of(value: object) -> str:
    """A number as p/q or as a decimal, with ≈ if it is rounded; a vector in brackets; a text."""
    match value:
        case bool() | str():
            return str(value)
        case Rounded():
            return rounded_text(value)
        case Fraction() | int() if max(abs(value.numerator), value.denominator) < LONG:
            return str(value)
        case Fraction() | int():
            short = f"{float(value):.6g}"
            return short if Fraction(short) == value else f"≈{short}"
        case float():
            return f"{value:.6g}"
        case tuple():
            return f"({', '.join(map(text_of, value))})"
        case _:
            return str(value)


def is_table(value: object) -> bool:
    """Whether there are rows to print below each other."""
    return isinstance(value, tuple) and bool(value) and all(isinstance(x, tuple) for x in value)
