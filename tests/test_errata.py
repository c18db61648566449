"""Errata are written for the authors of the paper: short, complete, and each said once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ptum.spec.errata import ERRATA
from ptum.spec.records import Erratum

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


def is_short(erratum: Erratum) -> bool:
    """What is wrong, in two sentences."""
    return 1 <= len(sentences(erratum.wrong)) <= 2


@every_erratum
def test_what_is_wrong_is_said_in_two_sentences(erratum: Erratum) -> None:
    assert is_short(erratum), sentences(erratum.wrong)


@every_erratum
def test_a_third_sentence_or_none_is_seen(erratum: Erratum) -> None:
    lengthened = f"{sentences(erratum.wrong)[0]} One more. And one more, i.e. a third."
    assert not is_short(replace(erratum, wrong=lengthened))
    assert not is_short(replace(erratum, wrong=""))


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
