"""Items: every place is known to the ledger, and telling relates two items by their places."""

from __future__ import annotations

import copy
import pickle

import pytest

from checks.judge.items import (
    C_R,
    INDEX,
    LINE_12,
    LINE_14,
    LINES_9_AND_10,
    SOME_TEST,
    Item,
    Telling,
    equations,
    failed_test,
    lines,
    of_reported_set,
    of_unknown_set,
    telling,
)
from checks.known_bad import Bad, known_bad
from spec import ledger
from spec.records import Claim

LAST_LINES = {"algorithm-1": 22, "algorithm-2": 10, "algorithm-3": 10}


@pytest.mark.parametrize("bad", known_bad(), ids=lambda bad: bad.id)
def test_what_a_slip_breaks_is_in_the_ledger(bad: Bad) -> None:
    assert bad.breaks.places
    for place in bad.breaks.places:
        claim, _, part = place.partition(":")
        assert isinstance(ledger.find(claim), Claim)
        if claim in LAST_LINES and part.isdigit():
            assert 1 <= int(part) <= LAST_LINES[claim]


def test_telling_names_what_is_broken_or_a_set_with_it() -> None:
    assert telling(equations(3), equations(3)) is Telling.NAMED
    assert telling(equations(3, 4), equations(4)) is Telling.NAMED
    assert telling(equations(3), failed_test(3)) is Telling.AMONG
    assert telling(LINES_9_AND_10, failed_test(4)) is Telling.AMONG
    assert telling(equations(1), failed_test(3)) is Telling.MISSED
    assert telling(LINE_14, INDEX) is Telling.MISSED
    assert telling(LINE_14, Item("line 14")) is Telling.MISSED, "words without a place tell nothing"


def test_a_failed_test_names_its_own_equation_and_width_only() -> None:
    found = failed_test(1).places
    assert {"equation-1", "algorithm-1:12", *C_R.places} <= found
    assert not found & {"equation-2", "equation-3", "equation-4", "lemma-3:C^p"}
    assert found < SOME_TEST.places


def test_the_active_set_is_named_where_it_is_not_known() -> None:
    assert of_unknown_set(LINE_14).places == LINE_14.places | SOME_TEST.places
    assert "line 12" in of_unknown_set(LINE_14)


def test_line_12_is_named_where_a_model_fell() -> None:
    assert of_reported_set(LINE_14).places == LINE_14.places | LINE_12.places
    assert "line 12" in of_reported_set(LINE_14)


def test_lines_are_counted_to_the_last() -> None:
    assert lines(3, 5, 7) == ("algorithm-3:5", "algorithm-3:6", "algorithm-3:7")
    assert lines(1, 12) == tuple(LINE_12.places)


def test_copies_and_new_words_keep_the_places() -> None:
    for again in (copy.deepcopy(INDEX), pickle.loads(pickle.dumps(INDEX)), INDEX.said("it")):
        assert again.places == INDEX.places
