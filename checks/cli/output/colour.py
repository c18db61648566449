"""Colour, where the output is a terminal and nobody set NO_COLOR (https://no-color.org)."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator

import click

COLOURS = {
    "refuted": "red",
    "violated": "red",
    "vacuous": "yellow",
    "inconclusive": "yellow",
    "holds": "green",
}
"""Of words that stand alone; none of them says that something is unexpected."""

LOUD = re.compile(r"\b[\w-]+!|\b[1-9]\d* unexpected\b|.* does not expect\.$")
"""What is unexpected: a verdict with its mark, their number, and the sentence about one."""

CALM = "0 unexpected"

WORD = re.compile(rf"(?<![\w/.-])(?:{'|'.join(COLOURS)})(?![\w/.-])")


def wanted() -> bool:
    """Whether the output is shown in colour."""
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not dull and bool(sys.stdout) and sys.stdout.isatty()


def painted(lines: Iterable[str]) -> Iterator[str]:
    """Lines as they are shown: verdicts in colour, what is unexpected in bold, or nothing of it."""
    if not wanted():
        yield from lines
        return
    for line in lines:
        if LOUD.search(line):
            yield LOUD.sub(lambda loud: click.style(loud[0], fg="red", bold=True), line)
        else:
            calm = line.replace(CALM, click.style(CALM, fg="green", bold=True))
            yield WORD.sub(lambda word: click.style(word[0], fg=COLOURS[word[0]]), calm)
