"""The judge is awake: known slips are caught, no right implementation is accused.

Every slip and every right implementation is put to the judge in the test of its capability, and
`test_vectors` looks at the answers of right ones to all edge cases; here one slip of each
capability goes all the way through the self_test.
"""

from __future__ import annotations

import re

import pytest

from ptum.checks.judge.capabilities import NAMES, capabilities, conforming
from ptum.checks.judge.judging.items import LEMMA_3, Item, Telling
from ptum.checks.judge.results.self_test import (
    Caught,
    Conforming,
    Passed,
    SelfTest,
    all_conforming,
    caught,
    passed,
)
from ptum.checks.judge.slips import Slip, slips
from tests.checks.judge.support.trials import drawn_cases

MANY_SEEDS = range(20)
FIRST = {bad.capability: bad for bad in reversed(slips())}


def test_there_are_enough_slips_and_all_capabilities_have_some() -> None:
    assert len(slips()) >= 60
    assert {bad.capability for bad in slips()} == set(NAMES)
    assert all(bad.breaks for bad in slips())


def test_ids_of_slips_and_of_right_implementations_have_one_form() -> None:
    """They are stable names in reports: capability/slug, none of them twice."""
    ids = [bad.id for bad in slips()], [right.id for right in all_conforming()]
    for listed in ids:
        assert len(set(listed)) == len(listed)
        for name in listed:
            capability, _, slug = name.partition("/")
            assert capability in NAMES
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug), name


@pytest.mark.parametrize("name", NAMES)
def test_drawn_cases_are_counted_from_one(name: str) -> None:
    ids = [case.id for case in drawn_cases(capabilities()[name], 2)]
    assert ids == [f"{name}/drawn-2-{i}" for i in range(1, len(ids) + 1)]
    assert ids


@pytest.mark.parametrize("name", NAMES)
def test_a_slip_is_caught_and_says_by_what(name: str) -> None:
    found = caught(FIRST[name], 0)
    assert found.caught
    assert found.caught_by.startswith(f"{name}/")


@pytest.mark.parametrize("name", ["widths", "prediction"])
def test_right_code_among_the_slips_is_not_caught(name: str) -> None:
    found = caught(Slip("right", name, Item("nothing"), conforming(name)["literal"]), 0)
    assert not found.caught
    assert found.caught_by == ""


def test_code_that_merely_raises_is_not_caught() -> None:
    """An exception in a slip is a mistake of ours, not one that the judge saw."""

    def broken(**_: object) -> object:
        raise ValueError("a slip in the slip")

    found = caught(Slip("broken", "widths", LEMMA_3, broken), 0)
    assert not found.caught
    assert found.caught_by == ""


@pytest.mark.parametrize("name", ["widths", "prediction"])
def test_wrong_code_among_the_right_does_not_pass(name: str) -> None:
    assert not passed(Conforming("wrong", name, FIRST[name].implementation), (0,)).passes


def test_right_code_has_to_be_right_on_every_seed() -> None:
    first = len(list(capabilities()["widths"].cases(0)))
    asked = 0

    def later(**request: object) -> object:
        nonlocal asked
        asked += 1
        return (
            conforming("widths")["literal"] if asked <= first else FIRST["widths"].implementation
        )(**request)

    right = Conforming("widths/later", "widths", later)
    assert not passed(right, (0, 1)).passes
    assert asked > first


@pytest.mark.parametrize(
    ("seen", "told", "passes", "awake"),
    [
        (True, Telling.NAMED, True, True),
        (True, Telling.AMONG, True, True),
        (True, Telling.MISSED, True, False),
        (False, Telling.MISSED, True, False),
        (True, Telling.NAMED, False, False),
    ],
)
def test_the_judge_is_awake_if_all_is_told_and_nobody_is_accused_wrongly(
    seen: bool, told: Telling, passes: bool, awake: bool
) -> None:
    slip = Caught(
        id="a/b", capability="a", breaks="line 1", caught=seen, caught_by="", telling=told
    )
    self_test = SelfTest(slips=[slip], conforming=[Passed(id="a/c", passes=passes)])
    assert self_test.passes is awake


@pytest.mark.deep
@pytest.mark.parametrize("right", tuple(all_conforming()), ids=lambda right: right.id)
def test_no_right_implementation_is_accused_on_many_seeds(right: Conforming) -> None:
    assert passed(right, MANY_SEEDS).passes


def test_literal_code_is_the_first_right_implementation() -> None:
    assert all(next(iter(conforming(name))) == "literal" for name in NAMES)
