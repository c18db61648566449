"""Lemma 3's widths, with four constants or a single Δ."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ptum.checks.judge.capabilities.transfer import widths
from ptum.checks.judge.judging.readings import assess, shared
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import array
from tests.checks.judge.support import trials

CAPABILITY = widths.CAPABILITY


@pytest.mark.parametrize("field", ["C_r", "C_p", "C_sigma_r", "C_sigma_p"])
def test_a_small_width_is_held_to_its_own_size(field: str) -> None:
    """Two samples beside a million: the small widths are not judged by the large ones."""
    request, answer = trials.literal_answer(CAPABILITY, "many-and-few")
    C = array(answer, field)
    for share, right in ((0.1, True), (10.0, False)):
        moved = np.where(C.min() == C, C * (1 + share * FLOOR), C)
        found = trials.finding_of(CAPABILITY, request, {**answer, field: moved.tolist()})
        assert (found is None) is right


@pytest.mark.parametrize(("name", "factor"), [("C_r", 8), ("C_p", 8), ("C_sigma_r", 4)])
def test_a_width_is_told_with_its_logarithm(name: str, factor: int) -> None:
    """S = A = k = 2, n = 1000, δ = 1/8."""
    request, answer = trials.literal_answer(CAPABILITY, "ordinary")
    found = trials.told(CAPABILITY, request, trials.shifted(answer, name, 1.0))
    L = math.log(factor * 4 * 1000 * 3 / 0.125)
    assert found.expected.endswith(f", with log({factor}SAn(k+1)/δ) = {L:.9g}")


def test_a_finite_width_in_place_of_an_infinite_one_is_wrong() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "one-sample")
    assert answer["C_r"] == [["inf", "inf"], ["inf", "inf"]]
    found = trials.told(CAPABILITY, request, {**answer, "C_r": [[1e300, "inf"]] * 2})
    assert (found.item, found.expected) == ("Lemma 3, C^r", "inf")


def test_minus_infinity_is_not_infinity() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "one-sample")
    found = trials.told(CAPABILITY, request, {**answer, "C_r": [["-inf", "inf"]] * 2})
    assert found.got == "-inf"


def test_one_answer_with_each_reading_is_not_enough() -> None:
    """Four constants once and a single Δ another time: no reading explains both."""
    case = trials.case_named(CAPABILITY, "unlike-errors")
    other = trials.case_named(CAPABILITY, "only-error-r")
    found = [
        assess(CAPABILITY, trials.answered(CAPABILITY, case, widths.CONFORMING["literal"])),
        assess(CAPABILITY, trials.answered(CAPABILITY, other, widths.CONFORMING["single-delta"])),
    ]
    assert all(assessment.agrees for assessment in found)
    assert not shared(found, CAPABILITY.readings)
