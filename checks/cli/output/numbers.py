"""The numbers of an instance, as lines to read and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from ptum.checks.cli.output.formatting import columns_of, padded_left, wrapped
from ptum.checks.exact.comparison import Rounded
from ptum.checks.instances.counterexamples.catalogue import Numbers
from ptum.checks.verdicts.outcome import rounded_text

INDENT = "    "
LONG = 10**18
"""Longer whole numbers and fractions are written like doubles, rounded or not."""


def number_lines(numbers: Numbers, indent: str = INDENT) -> Iterator[str]:
    """One line per number, and aligned tables."""
    for name, value in numbers:
        if is_table(value):
            yield from wrapped(name, indent)
            yield from (indent + INDENT + line for line in _table(value))
        else:
            yield from wrapped(f"{name} = {text_of(value)}", indent)


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


def _table(value: object) -> Iterator[str]:
    """Rows with aligned cells; tables in a row of tables are numbered and share their columns."""
    rows = tuple(_rows(value, ""))
    columns = max(len(cells) for _, cells in rows)
    widths = [
        max(columns_of(cells[i]) for _, cells in rows if i < len(cells)) for i in range(columns)
    ]
    for head, cells in rows:
        padded = (padded_left(cell, width) for cell, width in zip(cells, widths, strict=False))
        yield head + "  ".join(padded)


def _rows(value: object, head: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every row with what stands in front of it: the numbers of its table, at its first row."""
    assert isinstance(value, tuple)
    if not all(is_table(part) for part in value):
        for row in value:
            yield head, tuple(map(text_of, row))
            head = " " * len(head)
        return
    for number, part in enumerate(value):
        yield from _rows(part, f"{head}[{number}]  ")
        head = " " * len(head)


def as_json(value: object) -> object:
    """Fractions as text p/q, what is rounded as a double, infinities by name, tuples as lists."""
    match value:
        case bool() | int() | str():
            return value
        case Rounded():
            return float(value)
        case Fraction():
            return str(value)
        case float():
            return float(value) if math.isfinite(value) else str(value)
        case tuple():
            return [as_json(part) for part in value]
        case _:
            return str(value)
