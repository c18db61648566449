"""Which record somebody means: `Lemma 7`, `lemma7` and `thm 1 bound` name what ids name.

An id is compared word by word, without case, punctuation and leading zeros. What is no id may be
some words of one id in their order, or words of one title; what fits several is refused with all
of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from ptum.checks.cli.output.formatting import MOST_LISTED, Refusal, unknown
from ptum.spec import ledger
from ptum.spec.decisions import DECISIONS
from ptum.spec.errata import ERRATA
from ptum.spec.records import Part
from ptum.spec.vocabulary import Kind

Words: TypeAlias = tuple[str, ...]

SHORT = {"thm": Kind.THEOREM.value, "asm": Kind.ASSUMPTION.value}
"""Abbreviations that are not the beginning of the word; `cor`, `eq` and `fig` are."""

NUMBERED = {
    "d": ("decision", tuple(record.id for record in DECISIONS)),
    "e": ("erratum", tuple(record.id for record in ERRATA)),
}
"""What a letter and a number stand for."""


def meant(word: str, what: str = "id") -> ledger.Record | Part:
    """The record or the part that somebody names; `what` is what a refusal calls the word."""
    wanted = words_of(word)
    if found := _by_words().get(wanted):
        return found
    _require_numbered(word, wanted)
    fitting = _containing(wanted) or _titled(wanted)
    if len(fitting) > 1:
        more = ", …" if len(fitting) > MOST_LISTED else ""
        listed = ", ".join(fitting[:MOST_LISTED])
        raise Refusal(f"{what} {word!r} fits {len(fitting)} records: {listed}{more}")
    if not fitting:
        raise unknown(what, word, (record.id for record in _by_words().values()))
    return _by_words()[words_of(fitting[0])]


def words_of(text: str) -> Words:
    """Words and numbers in lower case; the kind of a claim may be abbreviated in front of them."""
    found = re.findall(r"[^\W\d_]+|\d+", text.lower())
    words = [str(int(word)) if word.isdigit() else word for word in found]
    if len(words) > 1 and words[1].isdigit():
        words[0] = _kind(words[0])
    return tuple(words)


def _kind(word: str) -> str:
    """The kind of claim that begins so, if there is one and more than a letter of it."""
    begun = [kind.value for kind in Kind if len(word) > 1 and kind.value.startswith(word)]
    return begun[0] if len(begun) == 1 else SHORT.get(word, word)


@cache
def _by_words() -> Mapping[Words, ledger.Record | Part]:
    everything = (*ledger.records().values(), *(part for _, part in ledger.parts()))
    table = {words_of(record.id): record for record in everything}
    if len(table) < len(everything):
        raise ValueError("two records differ by punctuation alone")
    return table


def _require_numbered(word: str, wanted: Words) -> None:
    """Refuse lines, and a decision or erratum that there is not; what is near would be no help."""
    if len(wanted) == 2 and wanted[0] == "line":
        raise Refusal(f"{word!r} has no id: see docs/lines.md, or `ptum show algorithm-1`")
    if len(wanted) == 2 and wanted[0] in NUMBERED and wanted[1].isdigit():
        kind, ids = NUMBERED[wanted[0]]
        raise Refusal(
            f"there is no {kind} {word.upper()}: they are {ids[0]} to {ids[-1]} "
            f"(ptum claims --kind {kind})"
        )


def _containing(wanted: Words) -> Sequence[str]:
    """Ids that have all the words in their order; a claim stands for those of its parts."""
    found = [record.id for words, record in _by_words().items() if _in_order(wanted, words)]
    return [one for one in found if one.partition(".")[0] == one or one.split(".")[0] not in found]


def _titled(wanted: Words) -> Sequence[str]:
    """Claims whose title has all the words."""
    return [claim.id for claim in ledger.CLAIMS if wanted and {*wanted} <= {*words_of(claim.title)}]


def _in_order(wanted: Words, words: Iterable[str]) -> bool:
    rest = iter(words)
    return bool(wanted) and all(word in rest for word in wanted)
