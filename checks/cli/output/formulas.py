"""Formulas that are wider than the screen: broken at an operator, or else written in LaTeX."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from ptum.checks.cli.output.formatting import PIPE, columns_of, screen
from ptum.spec import ledger
from ptum.spec.algebra import to_latex, to_unicode

RANKS = {sign: rank for rank, signs in enumerate(("=≤≥<>⇔∨∧", "+-", "·")) for sign in signs}
"""Where it is better to break: comparisons and connectives, then sums, then products."""

OPENING, CLOSING = "([{⎛⎜⎝⎡⎢⎣", ")]}⎞⎟⎠⎤⎥⎦"
HANGING = "    "


def formula_lines(name: str, *, latex: bool, indent: str) -> Iterator[str]:
    """The formula of the ledger with this name, within the screen where that is possible.

    LaTeX that was asked for stays in one line where it may be piped into something.
    """
    formula, columns = ledger.formula(name), screen()
    if latex and columns is None:
        yield indent + to_latex(formula)
        return
    room = (columns or PIPE) - len(indent)
    broken = None if latex else laid_out(to_unicode(formula), room)
    if broken is None and not latex:
        yield f"{indent}(too wide to be built up on this screen; in LaTeX)"
    lines = one_line(to_latex(formula), room) if broken is None else broken
    yield from (indent + line for line in lines)


def one_line(text: str, room: int) -> list[str]:
    """A text without line breaks of its own, wrapped between its words."""
    return textwrap.wrap(
        text, room, subsequent_indent=HANGING, break_long_words=False, break_on_hyphens=False
    )


def laid_out(text: str, room: int) -> list[str] | None:
    """The lines of a built-up formula, broken so that they fit; None if some piece cannot be."""
    block = Block.of(text)
    lines = list(block.lines())
    hanging = ""
    if max(map(columns_of, lines)) <= room:
        return lines
    lines = []
    while block.width > room - len(hanging):
        cut = block.best_break(room - len(hanging))
        if cut is None:
            return None
        lines += [hanging + line for line in block.part(0, cut).lines()]
        block, hanging = block.part(cut, block.width), HANGING
    return [*lines, *(hanging + line for line in block.lines())]


@dataclass(frozen=True)
class Block:
    """Rows of cells, one per column of the screen; one of the rows is the line of the formula."""

    rows: tuple[tuple[str, ...], ...]
    base: int

    @classmethod
    def of(cls, text: str) -> Block:
        """The formula begins on the row that has something in the first column."""
        rows = [_cells(line) for line in text.splitlines()]
        width = max(map(len, rows))
        padded = tuple(tuple(row) + (" ",) * (width - len(row)) for row in rows)
        return cls(padded, next(i for i, row in enumerate(padded) if row[0] != " "))

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.rows[0])

    def part(self, begin: int, end: int) -> Block:
        """Some of the columns, without blank ones at their ends."""
        while end > begin + 1 and self._blank(end - 1):
            end -= 1
        while begin < end - 1 and self._blank(begin):
            begin += 1
        return Block(tuple(row[begin:end] for row in self.rows), self.base)

    def lines(self) -> Iterator[str]:
        """The rows that have something in them."""
        return (line for line in ("".join(row).rstrip() for row in self.rows) if line)

    def best_break(self, room: int) -> int | None:
        """The column at which the next line begins: outside brackets if possible, as far right."""
        breaks = [(depth, rank, -cut) for depth, rank, cut in self._breaks() if 0 < cut <= room]
        return -min(breaks)[2] if breaks else None

    def _breaks(self) -> Iterator[tuple[int, int, int]]:
        """Depth in brackets, rank and column of every place where the line may be broken.

        A sign counts if nothing stands above or below it, which would be a fraction or a root, and
        if it is outside tall braces, whose entries stand below each other.
        """
        depth = braces = 0
        for column, cell in enumerate(self.rows[self.base]):
            stack = [row[column] for row in self.rows]
            depth += (cell in OPENING) - (cell in CLOSING)
            braces += stack.count("⎧") - stack.count("⎫")
            alone = all(other == " " for i, other in enumerate(stack) if i != self.base)
            if cell in RANKS and alone and not braces and self._apart(column):
                yield depth, RANKS[cell], column + 1 if cell == "·" else column

    def _apart(self, column: int) -> bool:
        """A dot, or a sign between blanks."""
        row = self.rows[self.base]
        around = row[max(column - 1, 0) : column + 2]
        return row[column] == "·" or (around[0], around[-1]) == (" ", " ")

    def _blank(self, column: int) -> bool:
        return all(row[column] == " " for row in self.rows)


def _cells(line: str) -> list[str]:
    """Letters with the combining marks that stand on them."""
    cells: list[str] = []
    for letter in line:
        if cells and unicodedata.combining(letter):
            cells[-1] += letter
        else:
            cells.append(letter)
    return cells
