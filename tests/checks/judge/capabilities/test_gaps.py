"""Gaps between models, with the value of the first one."""

from __future__ import annotations

import pytest

from ptum.checks.judge.capabilities.tasks import gaps
from ptum.checks.judge.messages.fields import MalformedError, array
from ptum.checks.judge.slips import Bad
from ptum.checks.judge.slips.tasks.gaps import BAD
from tests.checks.judge.support import trials
from tests.checks.judge.support.entries import assert_every_entry_counts

CAPABILITY = gaps.CAPABILITY


def test_cases_are_well_formed() -> None:
    trials.assert_well_formed(CAPABILITY)


@pytest.mark.parametrize("name", gaps.GOOD)
def test_right_implementations_conform(name: str) -> None:
    assert trials.options_seen(CAPABILITY, gaps.GOOD[name]) == {}


@pytest.mark.parametrize("bad", BAD, ids=trials.ids_of(BAD))
def test_wrong_implementations_are_caught(bad: Bad) -> None:
    trials.assert_caught(bad)


@pytest.mark.parametrize("name", ["transitions-apart", "mirrored-long", "bandits", "one-model"])
def test_tolerance_bites(name: str) -> None:
    case = trials.case_named(CAPABILITY, name)
    trials.assert_tolerance_bites(CAPABILITY, case, gaps.literal, CAPABILITY.tolerance(case.input))


def test_every_entry_counts() -> None:
    assert_every_entry_counts(CAPABILITY, "flat-against-steep", gaps.GOOD)


def test_the_table_with_three_models_is_optional_but_judged() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "flat-against-steep", gaps.GOOD)
    assert trials.finding_of(CAPABILITY, request, trials.without(answer, "gap_p3")) is None
    spoilt = trials.finding_of(CAPABILITY, request, trials.shifted(answer, "gap_p3", 0.1))
    assert spoilt is not None
    assert spoilt.item.startswith("Appendix B")


def test_the_finding_names_the_place_and_both_numbers() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "flat-against-steep", gaps.GOOD)
    exchanged = {**answer, "gap_p": array(answer, "gap_p")[::-1].tolist()}
    found = trials.finding_of(CAPABILITY, request, exchanged)
    assert found is not None
    assert (found.what, found.expected) == ("gap_p[0][1][0][0]", "0.75")
    assert found.got == f"0 (off by 0.75, allowed {gaps.tolerance(request)['gap_p']:.2g})"


@pytest.mark.parametrize("field", ["gap_r", "gap_p", "gap_p3"])
@pytest.mark.parametrize("value", [None, 1.0, [[1.0]], "inf", {}])
def test_malformed_answers_are_refused(field: str, value: object) -> None:
    request, answer = trials.literal_answer(CAPABILITY, "bandits", gaps.GOOD)
    with pytest.raises(MalformedError, match=field):
        trials.finding_of(CAPABILITY, request, {**answer, field: value})
