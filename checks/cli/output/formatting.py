"""What all commands share: exit codes, refusals, and tables of text."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TypeVar

EXIT_AS_EXPECTED = 0
EXIT_MISMATCH = 1
EXIT_USAGE = 2
EXIT_CUT_SHORT = 3
EXIT_CRASHED = 70
EXIT_READER_GONE = 128 + 13
"""What each means for each command is the table of docs/commands.md.

70 is EX_SOFTWARE of sysexits.h. The last is what a shell makes of a program that SIGPIPE (13)
ended, as it ends most others.
"""

WIDTH = 96
"""Columns of text that is wrapped, on a screen that is as wide."""

PIPE = 120
"""Columns of verdicts and formulas where there is no screen."""

TIMES = (
    "quick takes less than a minute, standard 3 to 4 minutes, deep some hours "
    "(2 processes, 2 cores)"
)
"""Orders of magnitude of `ptum verify` by profile, as measured."""

MOST_LISTED = 12
"""Words that a refusal lists where none is near to the one that was given."""

W = TypeVar("W", bound=StrEnum)


class Refusal(Exception):
    """Input that a command cannot take; becomes one line on stderr and exit code 2."""


def unknown(what: str, word: str, known: Iterable[str]) -> Refusal:
    """The refusal of a word, with the nearest words that would have been understood."""
    from ptum.spec.ledger import nearest

    listed = tuple(known)
    close = nearest(word, listed)
    more = ", …" if len(listed) > MOST_LISTED else ""
    everything = f"known: {', '.join(listed[:MOST_LISTED])}{more}"
    hint = f"nearest: {', '.join(close)}" if close else everything
    return Refusal(f"unknown {what} {word!r}; {hint}")


def plural(count: int, noun: str, several: str | None = None) -> str:
    """1 check, 2 checks; the plural is given where it is not formed with s."""
    return f"{count} {noun if count == 1 else several or noun + 's'}"


def word_of(vocabulary: type[W], what: str, word: str) -> W:
    """The member of a vocabulary that a user named."""
    try:
        return vocabulary(word.lower())
    except ValueError:
        raise unknown(what, word, (member.value for member in vocabulary)) from None


def screen() -> int | None:
    """Columns of the terminal that the output goes to; None in a pipe, a file, or nowhere."""
    return shutil.get_terminal_size().columns if sys.stdout and sys.stdout.isatty() else None


def table(header: Sequence[str], rows: Iterable[Sequence[str]], columns: int | None = None) -> str:
    """Columns padded to their widest cell; cells are folded where the screen is narrower.

    Where that is not enough the cells of a row stand below each other, by name. In a pipe every row
    is one line, for `grep`, unless a number of columns is given.
    """
    lines = [tuple(header), *(tuple(row) for row in rows)]
    limit = columns or screen()
    widths = _natural(lines) if limit is None else fitted(lines, limit)
    if limit is not None and sum(widths) + 2 * (len(widths) - 1) > limit:
        return "\n".join(line for row in lines[1:] for line in _below(lines[0], row, limit))
    rule = tuple("─" * width for width in widths)
    laid = [*_folded_row(lines[0], widths), rule]
    laid += [line for row in lines[1:] for line in _folded_row(row, widths)]
    return "\n".join("  ".join(map(_pad, line, widths)).rstrip() for line in laid)


def _below(header: Sequence[str], row: Sequence[str], limit: int) -> Iterator[str]:
    """A row of a table that is too wide: its first cell, and below it the others with names."""
    yield from folded(row[0], limit)
    named = (f"{name} {cell}" for name, cell in zip(header[1:], row[1:], strict=True))
    yield from (f"  {line}" for line in folded(" · ".join(named), limit - 2))


def fitted(lines: Sequence[Sequence[str]], limit: int) -> list[int]:
    """Widths of columns that fit, so that few rows are folded.

    One column after the other gives way, always the one in which the fewest cells are as wide as
    the column. None gets narrower than its longest word, so a very narrow screen is not enough.
    """
    widths = _natural(lines)
    floors = [max(_longest_word(line[i]) for line in lines) for i in range(len(widths))]
    sizes = [[columns_of(line[i]) for line in lines] for i in range(len(widths))]
    while sum(widths) + 2 * (len(widths) - 1) > limit:
        able = [i for i, width in enumerate(widths) if width > floors[i]]
        if not able:
            break
        cut = min(able, key=lambda i: (sum(s >= widths[i] for s in sizes[i]), -widths[i]))
        widths[cut] -= 1
    return widths


def folded(text: str, width: int) -> list[str]:
    """Lines of at most so many columns, broken after blanks, slashes, and dots or hyphens of ids.

    A word that is longer stays whole, and so does a number of seconds with its unit.
    """
    lines = [""]
    for word in _BREAK.split(text):
        if lines[-1] and columns_of((lines[-1] + word).rstrip()) > width:
            lines.append("")
        lines[-1] += word
    return [line.rstrip() for line in lines]


def wrapped(text: str, head: str = "") -> Iterator[str]:
    """Lines of at most `WIDTH` columns, all but the first indented by the width of the head."""
    limit, indent = min(WIDTH, screen() or WIDTH), " " * len(head)
    for line in textwrap.wrap(
        text,
        limit,
        initial_indent=head,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ):
        if columns_of(line) <= limit:
            yield line
        else:  # an id that is longer than the line
            first, *rest = folded(line[len(head) :], limit - len(head))
            yield from (line[: len(head)] + first, *(indent + more for more in rest))


def padded_left(text: str, width: int) -> str:
    """The text at the right end of so many columns."""
    return " " * (width - columns_of(text)) + text


def cut(text: str, width: int) -> str:
    """The text if it takes so many columns at most, else its beginning."""
    return text if columns_of(text) <= width else text[: max(width - 1, 0)] + "…"


def columns_of(text: str) -> int:
    """Columns a text takes on a terminal; combining marks (as in r̃) take none."""
    return sum(not unicodedata.combining(letter) for letter in text)


_BREAK = re.compile(r"(?<=[\s/])(?=[^\s/])(?!(?<=\d\s)s\b)|(?<=[.-])(?=[a-z])")


def _longest_word(text: str) -> int:
    return max(columns_of(word.rstrip()) for word in _BREAK.split(text))


def _natural(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(columns_of(line[i]) for line in lines) for i in range(len(lines[0]))]


def _folded_row(row: Sequence[str], widths: Sequence[int]) -> list[tuple[str, ...]]:
    """A row as one line or more."""
    cells = [folded(cell, width) for cell, width in zip(row, widths, strict=True)]
    height = max(map(len, cells))
    return [tuple(c[i] if i < len(c) else "" for c in cells) for i in range(height)]


def _pad(text: str, width: int) -> str:
    return text + " " * (width - columns_of(text))
