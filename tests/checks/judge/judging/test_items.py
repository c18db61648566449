"""Items: every place is known to the ledger, and telling relates two items by their places."""

from __future__ import annotations

import copy
import pickle

import pytest

from ptum.checks.judge.capabilities.sequential import sequence_replay
from ptum.checks.judge.judging import items
from ptum.checks.judge.judging.items import (
    INDEX,
    LINE_12,
    LINE_14,
    LINES_9_AND_10,
    SIGMA_P,
    SIGMA_R,
    SOME_TEST,
    WIDTHS,
    Item,
    Telling,
    equations,
    failed_test,
    lines,
    of_reported_set,
    of_unknown_set,
    telling,
)
from ptum.checks.judge.slips import Slip, slips
from ptum.spec import ledger, pseudocode
from ptum.spec.records import Claim

LAST_LINES = {
    "algorithm-1": pseudocode.ALGORITHM_1[-1].number,
    "algorithm-2": pseudocode.ALGORITHM_2[-1].number,
    "algorithm-3": pseudocode.ALGORITHM_3[-1].number,
}
WITHOUT_A_LINE = "algorithm-3:weights"
"""Appendix C recovers the weights, none of the numbered lines does."""

WIDTH_PLACES = {place for width in WIDTHS for place in width.places}
TOLD = {
    name: item
    for module in (items, sequence_replay)
    for name, item in vars(module).items()
    if isinstance(item, Item)
} | {f"failed_test({number})": failed_test(number) for number in range(1, 5)}
"""What reports may say is broken."""


def assert_places_are_known(item: Item) -> None:
    assert item.places
    for place in item.places:
        claim, _, part = place.partition(":")
        assert isinstance(ledger.find(claim), Claim)
        if claim in LAST_LINES and place != WITHOUT_A_LINE:
            assert 1 <= int(part) <= LAST_LINES[claim]
        elif claim == "lemma-3":
            assert place in WIDTH_PLACES


@pytest.mark.parametrize("bad", slips(), ids=lambda bad: bad.id)
def test_what_a_slip_breaks_is_in_the_ledger(bad: Slip) -> None:
    assert_places_are_known(bad.breaks)


@pytest.mark.parametrize("name", TOLD)
def test_what_a_report_tells_is_in_the_ledger(name: str) -> None:
    assert_places_are_known(TOLD[name])


def test_telling_names_what_is_broken_or_a_set_with_it() -> None:
    assert telling(equations(3), equations(3)) is Telling.NAMED
    assert telling(equations(3, 4), equations(4)) is Telling.NAMED
    assert telling(equations(3), failed_test(3)) is Telling.AMONG
    assert telling(LINES_9_AND_10, failed_test(4)) is Telling.AMONG
    assert telling(equations(1), failed_test(3)) is Telling.MISSED
    assert telling(LINE_14, INDEX) is Telling.MISSED
    assert telling(LINE_14, Item("line 14")) is Telling.MISSED, "words without a place tell nothing"


@pytest.mark.parametrize(
    ("number", "width", "statistics"),
    [(1, "C^r", (7, 9)), (2, "C^p", (8, 10)), (3, "C^{σ_r}", (7, 9)), (4, "C^{σ_p}", (8, 10))],
)
def test_a_failed_test_names_its_own_equation_width_and_statistics_only(
    number: int, width: str, statistics: tuple[int, int]
) -> None:
    used = {f"algorithm-1:{line}" for line in (*statistics, 12, 20)}
    of_models = {3: [SIGMA_R], 4: [SIGMA_P]}.get(number, [])
    used |= {place for sigma in of_models for place in sigma.places}
    assert failed_test(number).places == {f"equation-{number}", f"lemma-3:{width}", *used}
    assert failed_test(number).places < SOME_TEST.places
    assert failed_test(number) == (
        f"line 12, equation ({number}), or what it tests: "
        f"lines {statistics[0]}, {statistics[1]} and 20, Lemma 3, {width}"
        + "".join(f", {sigma}" for sigma in of_models)
    )


def test_equations_are_listed() -> None:
    assert equations(2) == "line 12, equation (2)"
    assert equations(1, 3) == "line 12, equations (1) and (3)"
    assert equations(1, 2, 3, 4) == "line 12, equations (1)-(4)"
    assert equations(1, 3).places == {"equation-1", "equation-3"}


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
    for again in (copy.deepcopy(INDEX), pickle.loads(pickle.dumps(INDEX))):
        assert (again, again.places) == (INDEX, INDEX.places)
    renamed = INDEX.said("it")
    assert (renamed, renamed.places) == ("it", INDEX.places)
