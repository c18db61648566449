"""The explanation of an outcome as text: sentences are wrapped, built-up formulas never are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ptum.checks.cli.output.formatting import PIPE, screen, wrapped
from ptum.spec import ledger

HEAD = 11
"""Columns of the word that a line of an explanation may begin with."""

BLOCKS = ("says", "formula", "numbers")
"""Words in front of formulas, whose further rows begin with as many blanks."""


def explanation_lines(explanation: Sequence[str], indent: str) -> Iterator[str]:
    """All lines of an explanation within the screen, as far as that is possible."""
    for lines in _grouped(explanation):
        first = lines[0]
        word = first[:HEAD] if re.fullmatch("[a-z]+ +", first[:HEAD]) else ""
        if word.strip() in BLOCKS:
            yield from _formula(word, [line[HEAD:] for line in lines], indent)
        else:
            yield from wrapped(first[len(word) :], indent + word)
            yield from (indent + line for line in lines[1:])


def _grouped(explanation: Sequence[str]) -> list[list[str]]:
    """Every line with the rows that continue it."""
    groups: list[list[str]] = []
    for line in explanation:
        if groups and line.startswith(" " * HEAD):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _formula(word: str, rows: Sequence[str], indent: str) -> Iterator[str]:
    """Rows broken together at an operator; else LaTeX, or in a pipe rows that have no LaTeX."""
    from ptum.checks.cli.output.formulas import laid_out  # sympy takes a while

    room = (screen() or PIPE) - len(indent) - HEAD
    laid = laid_out("\n".join(rows), room)
    if laid is None:
        laid = _in_one_line(rows, room)
    yield indent + word + laid[0]
    yield from (indent + " " * HEAD + row for row in laid[1:])


def _in_one_line(rows: Sequence[str], room: int) -> list[str]:
    """The formula of the ledger that is written so, in LaTeX; there is none with numbers in it."""
    from ptum.checks.cli.output.formulas import one_line
    from ptum.spec.algebra import to_latex, to_unicode

    known = (ledger.formula(name) for name in _formulas_of_the_ledger())
    text = "\n".join(rows)
    found = next((formula for formula in known if to_unicode(formula) == text), None)
    if found is None and screen() is None:
        return list(rows)
    if found is None:
        return ["(too wide for this screen; a pipe gets it whole)"]
    return ["(too wide to be built up on this screen; in LaTeX)", *one_line(to_latex(found), room)]


def _formulas_of_the_ledger() -> dict[str, None]:
    """Dotted names, each once."""
    of_claims = (name for claim in ledger.CLAIMS for name in ledger.own_formulas(claim))
    of_repairs = (n for _, part in ledger.parts() if part.repair for n in part.repair.formulas)
    return dict.fromkeys((*of_claims, *of_repairs))
