"""Lemma 3's widths, with four constants or a single Δ."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ptum.checks.judge.capabilities.transfer import widths
from ptum.checks.judge.judging.readings import assess, shared
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import MalformedError, array
from ptum.checks.judge.slips import Bad
from ptum.checks.judge.slips.transfer.widths import BAD
from tests.checks.judge.support import trials
from tests.checks.judge.support.entries import assert_every_entry_counts

CAPABILITY = widths.CAPABILITY
CLAIMED = {
    "literal": "four constants",
    "plain": "four constants",
    "single-delta": "single Δ",
}


def test_cases_are_well_formed() -> None:
    trials.assert_well_formed(CAPABILITY)


@pytest.mark.parametrize("name", widths.GOOD)
def test_right_implementations_conform(name: str) -> None:
    assert trials.options_seen(CAPABILITY, widths.GOOD[name]) == {"D02": (CLAIMED[name],)}


@pytest.mark.parametrize("bad", BAD, ids=trials.ids_of(BAD))
def test_wrong_implementations_are_caught(bad: Bad) -> None:
    trials.assert_caught(bad)


@pytest.mark.parametrize(
    "name", ["ordinary", "zero-one-two-three", "gamma-0.9999", "many-and-few", "unlike-errors"]
)
def test_tolerance_bites(name: str) -> None:
    case = trials.case_named(CAPABILITY, name)
    trials.assert_tolerance_bites(
        CAPABILITY, case, widths.four_constants, CAPABILITY.tolerance(case.input)
    )


def test_every_entry_counts() -> None:
    assert_every_entry_counts(CAPABILITY, "ordinary", widths.GOOD)


@pytest.mark.parametrize("field", ["C_r", "C_p", "C_sigma_r", "C_sigma_p"])
def test_a_small_width_is_held_to_its_own_size(field: str) -> None:
    """Two samples beside a million: the small widths are not judged by the large ones."""
    request, answer = trials.literal_answer(CAPABILITY, "many-and-few", widths.GOOD)
    C = array(answer, field)
    for share, right in ((0.1, True), (10.0, False)):
        moved = np.where(C.min() == C, C * (1 + share * FLOOR), C)
        found = trials.finding_of(CAPABILITY, request, {**answer, field: moved.tolist()})
        assert (found is None) is right


@pytest.mark.parametrize(("name", "factor"), [("C_r", 8), ("C_p", 8), ("C_sigma_r", 4)])
def test_a_width_is_told_with_its_logarithm(name: str, factor: int) -> None:
    """S = A = k = 2, n = 1000, δ = 1/8."""
    request, answer = trials.literal_answer(CAPABILITY, "ordinary", widths.GOOD)
    found = trials.finding_of(CAPABILITY, request, trials.shifted(answer, name, 1.0))
    assert found is not None
    L = math.log(factor * 4 * 1000 * 3 / 0.125)
    assert found.expected.endswith(f", with log({factor}SAn(k+1)/δ) = {L:.9g}")


def test_a_finite_width_in_place_of_an_infinite_one_is_wrong() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "one-sample", widths.GOOD)
    assert answer["C_r"] == [["inf", "inf"], ["inf", "inf"]]
    found = trials.finding_of(CAPABILITY, request, {**answer, "C_r": [[1e300, "inf"]] * 2})
    assert found is not None
    assert (found.item, found.expected) == ("Lemma 3, C^r", "inf")


def test_minus_infinity_is_not_infinity() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "one-sample", widths.GOOD)
    found = trials.finding_of(CAPABILITY, request, {**answer, "C_r": [["-inf", "inf"]] * 2})
    assert found is not None
    assert found.got == "-inf"


def test_one_answer_with_each_reading_is_not_enough() -> None:
    """Four constants once and a single Δ another time: no reading explains both."""
    case = trials.case_named(CAPABILITY, "unlike-errors")
    other = trials.case_named(CAPABILITY, "only-error-r")
    found = [
        assess(CAPABILITY, trials.answered(CAPABILITY, case, widths.GOOD["literal"])),
        assess(CAPABILITY, trials.answered(CAPABILITY, other, widths.GOOD["single-delta"])),
    ]
    assert all(assessment.agrees for assessment in found)
    assert not shared(found, CAPABILITY.readings)


@pytest.mark.parametrize("field", ["C_r", "C_p", "C_sigma_r", "C_sigma_p"])
@pytest.mark.parametrize("value", [None, 1.0, [[1.0]], [[float("nan")] * 2] * 2, "inf"])
def test_malformed_answers_are_refused(field: str, value: object) -> None:
    request, answer = trials.literal_answer(CAPABILITY, "ordinary", widths.GOOD)
    with pytest.raises(MalformedError, match=field):
        trials.finding_of(CAPABILITY, request, {**answer, field: value})
