"""Standard deviations of rewards and of values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ptum.checks.judge.capabilities.tasks import deviations
from ptum.checks.judge.messages.fields import MalformedError, array
from ptum.checks.judge.messages.parsing import number
from ptum.checks.judge.slips import Bad
from ptum.checks.judge.slips.tasks.deviations import BAD
from ptum.reference.arrays import ROUNDING
from tests.checks.judge.support import trials
from tests.checks.judge.support.entries import assert_every_entry_counts

CAPABILITY = deviations.CAPABILITY


def test_cases_are_well_formed() -> None:
    trials.assert_well_formed(CAPABILITY)


@pytest.mark.parametrize("name", deviations.GOOD)
def test_right_implementations_conform(name: str) -> None:
    assert trials.options_seen(CAPABILITY, deviations.GOOD[name]) == {}


@pytest.mark.parametrize("bad", BAD, ids=trials.ids_of(BAD))
def test_wrong_implementations_are_caught(bad: Bad) -> None:
    trials.assert_caught(bad)


@pytest.mark.parametrize("name", ["transitions-apart", "mirrored-long", "constant-value"])
def test_tolerance_bites(name: str) -> None:
    case = trials.case_named(CAPABILITY, name)
    trials.assert_tolerance_bites(
        CAPABILITY, case, deviations.literal, CAPABILITY.tolerance(case.input)
    )


def test_every_entry_counts() -> None:
    assert_every_entry_counts(CAPABILITY, "flat-against-steep", deviations.GOOD)


@pytest.mark.parametrize("field", ["sigma_r", "sigma_p"])
def test_a_variance_of_two_roundings_passes_for_zero(field: str) -> None:
    """E[X²] - E[X]² may leave as much, in units of the squared range; its root is 2·10⁻⁸."""
    request, answer = trials.literal_answer(CAPABILITY, "certain-bandits", deviations.GOOD)
    assert not np.any(array(answer, field))
    span = 1.0 if field == "sigma_r" else 1 / (1 - number(request, "gamma"))
    poor = trials.shifted(answer, field, math.sqrt(2 * ROUNDING) * span)
    assert trials.finding_of(CAPABILITY, request, poor) is None


@pytest.mark.parametrize("field", ["sigma_r", "sigma_p"])
@pytest.mark.parametrize("value", [None, 1.0, [[1.0]], [[float("nan")]], "inf"])
def test_malformed_answers_are_refused(field: str, value: object) -> None:
    request, answer = trials.literal_answer(CAPABILITY, "bandits", deviations.GOOD)
    with pytest.raises(MalformedError, match=field):
        trials.finding_of(CAPABILITY, request, {**answer, field: value})
