"""Pieces of Markdown pages: tables, links to records of the ledger, and parts between markers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ptum.spec.decisions import DECISIONS
from ptum.spec.errata import ERRATA

RECORD = re.compile(r"\b([DE]\d{2,3})\b")


def linked(text: str, folder: str = "") -> str:
    """The text with every decision and erratum that it names as a link; `folder` leads to docs/."""
    known = {decision.id for decision in DECISIONS} | {erratum.id for erratum in ERRATA}

    def link(found: re.Match[str]) -> str:
        return record_link(found[1], folder) if found[1] in known else found[1]

    return RECORD.sub(link, text)


def record_link(identity: str, folder: str = "") -> str:
    """A link to a decision or an erratum."""
    page = "decisions" if identity.startswith("D") else "errata"
    return f"[{identity}]({folder}{page}.md#{anchor(identity)})"


def claim_link(identity: str) -> str:
    """A link to a claim; a part, reading or check leads to the claim that it belongs to."""
    return f"[`{identity}`](claims.md#{anchor(identity.partition('.')[0])})"


def anchor(heading: str) -> str:
    """The anchor of a heading that is the id of a record."""
    return heading.lower()


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; bars inside cells are escaped."""
    lines = [tuple(header), tuple("---" for _ in header), *(tuple(row) for row in rows)]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines) + "\n"


def with_part(text: str, name: str, part: str) -> str:
    """The page with a generated part put between its markers."""
    begin, end = f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->"
    before, opened, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not opened or not closed:
        raise ValueError(f"the markers of {name!r} are lost")
    return before + begin + part + end + after


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
