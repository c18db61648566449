"""Definition 1."""

from __future__ import annotations

import numpy as np
import pytest

from ptum.checks.judge.capabilities.transfer import information
from ptum.checks.judge.messages.fields import MalformedError
from ptum.checks.judge.slips import Bad
from ptum.checks.judge.slips.transfer.information import BAD
from tests.checks.judge.support import trials
from tests.checks.judge.support.entries import assert_every_entry_counts

CAPABILITY = information.CAPABILITY


def test_cases_are_well_formed() -> None:
    trials.assert_well_formed(CAPABILITY)


@pytest.mark.parametrize("name", information.GOOD)
def test_right_implementations_conform(name: str) -> None:
    assert trials.options_seen(CAPABILITY, information.GOOD[name]) == {}


@pytest.mark.parametrize("bad", BAD, ids=trials.ids_of(BAD))
def test_wrong_implementations_are_caught(bad: Bad) -> None:
    trials.assert_caught(bad)


@pytest.mark.parametrize("name", ["three-models", "mirrored-long", "infinite-error", "twins"])
def test_tolerance_bites(name: str) -> None:
    case = trials.case_named(CAPABILITY, name)
    trials.assert_tolerance_bites(
        CAPABILITY, case, information.literal, CAPABILITY.tolerance(case.input)
    )


def test_every_entry_counts() -> None:
    assert_every_entry_counts(CAPABILITY, "flat-against-steep", information.GOOD)


def test_an_infinite_error_hides_everything() -> None:
    _, answer = trials.literal_answer(CAPABILITY, "infinite-error", information.GOOD)
    assert not np.any(np.array(answer["I"]))


@pytest.mark.parametrize("value", [None, 1.0, [[1.0]], float("nan"), "inf"])
def test_malformed_answers_are_refused(value: object) -> None:
    request, _ = trials.literal_answer(CAPABILITY, "bandits", information.GOOD)
    with pytest.raises(MalformedError, match=r"^I "):
        trials.finding_of(CAPABILITY, request, {"I": value})
