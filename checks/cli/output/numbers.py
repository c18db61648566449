"""The numbers of an instance, as lines to read and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from ptum.checks.cli.output.formatting import columns_of, padded_left, wrapped
from ptum.checks.exact.comparison import Rounded
from ptum.checks.instances.counterexamples.catalogue import Numbers
from ptum.checks.instances.numbers import is_table, text_of

INDENT = "    "


def number_lines(numbers: Numbers, indent: str = INDENT) -> Iterator[str]:
    """One line per number, and aligned tables."""
    for name, value in numbers:
        if is_table(value):
            yield from wrapped(name, indent)
            yield from (indent + INDENT + line for line in _table(value))
        else:
            yield from wrapped(f"{name} = {text_of(value)}", indent)


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
