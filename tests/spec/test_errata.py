"""Errata are written for the authors of the paper: short, complete, and each said once."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from ptum.spec import ledger
from ptum.spec.errata import ERRATA, GROUPS
from ptum.spec.records import Erratum, Part
from ptum.spec.vocabulary import Evidence, Rank, RepairSupport, Severity, Standing, Status

ABBREVIATIONS = frozenset({"e.g.", "i.e.", "cf.", "etc.", "resp.", "vs.", "Fig.", "Eq.", "Sec."})
TEXTS = ("title", "wrong", "breaks_at", "repair", "cost", "still_stands")
"""The fields of an erratum that are prose."""
ARGUED = ("wrong", "breaks_at", "repair")
"""Fields in which a sentence that stands twice is a slip."""

every_erratum = pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)


def sentences(text: str) -> list[str]:
    """The sentences of a text.

    One ends with a full stop, a question or an exclamation mark before white space or the end;
    quotes and brackets may close in between. The stop of an abbreviation or inside a decimal number
    ends nothing. What follows does not matter, since sentences may begin with a symbol.
    """
    found: list[str] = []
    words: list[str] = []
    for word in text.split():
        words.append(word)
        bare = word.lstrip("(['\"").rstrip(")]'\"")
        if bare.endswith((".", "!", "?")) and bare not in ABBREVIATIONS:
            found.append(" ".join(words))
            words = []
    return [*found, " ".join(words)] if words else found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The bound is 0.", 1),
        ("Half of it, 0.5 at ε = 0.1, is lost.", 1),
        ("It follows from Theorem 1. The rest does not.", 2),
        ("Some maps, e.g. The zero map, do; cf. Lemma 2 resp. Lemma 3.", 1),
        ("It fails. γ = 0.9 shows it.", 2),
        ("Is it so? No! It is not.", 3),
        ('They say "it is easy to see." (Nobody does.) So be it.', 3),
        ("Cells 1, 2, … are empty. The last is not. None pays.", 3),
        ("no stop at the end", 1),
        ("", 0),
    ],
)
def test_sentences_are_counted(text: str, count: int) -> None:
    assert len(sentences(text)) == count


@every_erratum
def test_what_is_wrong_is_said_in_two_sentences(erratum: Erratum) -> None:
    assert 1 <= len(sentences(erratum.wrong)) <= 2, sentences(erratum.wrong)


@every_erratum
def test_every_field_is_a_whole_text(erratum: Erratum) -> None:
    for field in TEXTS:
        text = getattr(erratum, field)
        assert text == " ".join(text.split()) != "", field
        if field != "title":
            assert text.rstrip("\"')").endswith("."), (field, text)


@every_erratum
def test_no_sentence_stands_twice(erratum: Erratum) -> None:
    told = [sentence for field in ARGUED for sentence in sentences(getattr(erratum, field))]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("field", ["title", "wrong"])
def test_no_two_errata_say_the_same(field: str) -> None:
    texts = [getattr(erratum, field) for erratum in ERRATA]
    assert len(set(texts)) == len(texts)


# Fairness


def unfair(erratum: Erratum) -> list[str]:
    """What an author could object to before reading what is said to be wrong."""
    found = []
    if erratum.place != " ".join(erratum.place.split()) or not erratum.place:
        found.append("it does not say where the words are")
    if not sentences(erratum.reading) or not erratum.reading.rstrip("\"')").endswith("."):
        found.append("it does not say how the words are read")
    if erratum.group not in {group.id for group in GROUPS}:
        found.append("it belongs to no group")
    shown = erratum.counterexamples or erratum.evidence is Evidence.DERIVED
    if erratum.severity is Severity.FALSE and not shown:
        found.append("it says false and shows nothing")
    return found


@every_erratum
def test_every_erratum_is_fair(erratum: Erratum) -> None:
    assert unfair(erratum) == []


def test_unfair_errata_are_seen() -> None:
    fair = next(e for e in ERRATA if e.id == "E01")
    assert unfair(fair) == []
    for wrong in (
        {"place": ""},
        {"reading": ""},
        {"reading": "no sentence"},
        {"group": "no-such-group"},
        {"counterexamples": ()},
    ):
        assert len(unfair(replace(fair, **wrong))) == 1, wrong


def test_groups_have_a_name_of_their_own_an_explanation_and_errata() -> None:
    assert len({group.id for group in GROUPS}) == len(GROUPS)
    assert len({group.title for group in GROUPS}) == len(GROUPS)
    for group in GROUPS:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", group.id)
        assert 2 <= len(sentences(group.explanation)) <= 4, group.id
        assert group.title == " ".join(group.title.split()) != ""
    told = {erratum.group for erratum in ERRATA if erratum.status is Standing.STANDS}
    assert {group.id for group in GROUPS} <= told


def test_no_more_than_a_dozen_groups_are_of_rank_major() -> None:
    major = {e.group for e in ERRATA if e.rank is Rank.MAJOR and e.status is Standing.STANDS}
    assert 1 <= len(major) <= 12


def behind(part: Part) -> list[Erratum]:
    """The errata that touch a part."""
    return [erratum for erratum in ERRATA if part.id in erratum.touches]


@pytest.mark.parametrize(
    "part", [part for _, part in ledger.parts() if behind(part)], ids=lambda part: part.id
)
def test_what_only_withdrawn_errata_touch_is_not_refuted(part: Part) -> None:
    standing = [e for e in behind(part) if e.status is Standing.STANDS]
    assert standing or part.status is not Status.REFUTED
    assert part.repair is None or set(part.repair.errata) <= {e.id for e in standing}


def test_what_is_imported_has_a_name() -> None:
    for erratum in ERRATA:
        imported = erratum.support is RepairSupport.PROVED_GIVEN_IMPORT
        assert bool(erratum.given) == imported, erratum.id
        assert erratum.backing == (f"proved given {erratum.given}" if imported else erratum.support)


def test_what_is_withdrawn_says_why() -> None:
    withdrawn = {e.id for e in ERRATA if e.status is Standing.WITHDRAWN}
    assert withdrawn >= {"E17", "E64", "E65"}
    for erratum in ERRATA:
        assert (erratum.id in withdrawn) == (len(sentences(erratum.withdrawn)) > 0)
