"""What all commands share: exit codes, refusals, and tables of text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

EXIT_AS_EXPECTED = 0
EXIT_SURPRISE = 1
EXIT_USAGE = 2
EXIT_CUT_SHORT = 3

W = TypeVar("W", bound=StrEnum)


class Refusal(Exception):
    """Input that a command cannot take; becomes one line on stderr and exit code 2."""


def unknown(what: str, word: str, known: Iterable[str]) -> Refusal:
    """The refusal of a word, with the nearest words that would have been understood."""
    from spec.ledger import nearest

    listed = tuple(known)
    close = nearest(word, listed)
    hint = f"nearest: {', '.join(close)}" if close else f"known: {', '.join(listed[:12])}"
    return Refusal(f"unknown {what} {word!r}; {hint}")


def plural(count: int, noun: str) -> str:
    """1 check, 2 checks."""
    return f"{count} {noun}" + ("" if count == 1 else "s")


def word_of(vocabulary: type[W], what: str, word: str) -> W:
    """The member of a vocabulary that a user named."""
    try:
        return vocabulary(word.lower())
    except ValueError:
        raise unknown(what, word, (member.value for member in vocabulary)) from None


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns padded to their widest cell; the last one is left as it is."""
    lines = [tuple(header), *(tuple(row) for row in rows)]
    widths = [max(_width(line[i]) for line in lines) for i in range(len(header) - 1)]
    rule = tuple("─" * width for width in (*widths, max(_width(line[-1]) for line in lines)))
    laid = [lines[0], rule, *lines[1:]]
    return "\n".join("  ".join((*map(_pad, line[:-1], widths), line[-1])).rstrip() for line in laid)


def _width(text: str) -> int:
    """Columns a text takes on a terminal; combining marks (as in r̃) take none."""
    return sum(not unicodedata.combining(letter) for letter in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
