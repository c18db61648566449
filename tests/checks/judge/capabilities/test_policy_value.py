"""Values of given policies."""

from __future__ import annotations

import pytest

from ptum.checks.judge.capabilities.tasks import policy_value
from ptum.checks.judge.messages.fields import MalformedError
from ptum.checks.judge.slips import Bad
from ptum.checks.judge.slips.tasks.policy_value import BAD
from tests.checks.judge.support import trials
from tests.checks.judge.support.entries import assert_every_entry_counts

CAPABILITY = policy_value.CAPABILITY


def test_cases_are_well_formed() -> None:
    trials.assert_well_formed(CAPABILITY)


@pytest.mark.parametrize("name", policy_value.GOOD)
def test_right_implementations_conform(name: str) -> None:
    assert trials.options_seen(CAPABILITY, policy_value.GOOD[name]) == {}


@pytest.mark.parametrize("bad", BAD, ids=trials.ids_of(BAD))
def test_wrong_implementations_are_caught(bad: Bad) -> None:
    trials.assert_caught(bad)


@pytest.mark.parametrize("name", ["slippery-poorest", "very-patient-mixed", "no-reward-best"])
def test_tolerance_bites(name: str) -> None:
    case = trials.case_named(CAPABILITY, name)
    trials.assert_tolerance_bites(
        CAPABILITY, case, policy_value.literal, CAPABILITY.tolerance(case.input)
    )


def test_every_entry_counts() -> None:
    assert_every_entry_counts(CAPABILITY, "slippery-poorest", policy_value.GOOD)


def test_all_kinds_of_policies_are_asked_for() -> None:
    flags = [flag for case in trials.edge_cases(CAPABILITY) for flag in case.flags]
    assert min(flags.count(kind) for kind in ("best", "worst", "mixed")) >= 7


@pytest.mark.parametrize("value", [None, [1.0], [1.0, 2.0, float("nan")], ["1", "2", "3"]])
def test_malformed_answers_are_refused(value: object) -> None:
    request, _ = trials.literal_answer(CAPABILITY, "slippery-poorest", policy_value.GOOD)
    with pytest.raises(MalformedError, match=r"^V "):
        trials.finding_of(CAPABILITY, request, {"V": value})
