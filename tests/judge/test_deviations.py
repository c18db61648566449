"""Standard deviations of rewards and of values."""

from __future__ import annotations

import numpy as np
import pytest

from checks.judge.capabilities import deviations
from checks.judge.fields import MalformedError, array
from checks.known_bad import Bad
from checks.known_bad.deviations import BAD
from tests.judge import trials

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


def test_the_poor_formula_is_off_by_more_than_rounding_and_by_less_than_allowed() -> None:
    request, right = trials.literal_answer(CAPABILITY, "mirrored-long", deviations.GOOD)
    case = trials.case_named(CAPABILITY, "mirrored-long")
    poor = trials.answered(CAPABILITY, case, deviations.mean_of_squares).answer
    assert poor is not None
    off = float(np.max(np.abs(array(right, "sigma_p") - array(poor, "sigma_p"))))
    assert 1e-9 < off < CAPABILITY.tolerance(request)["sigma_p"]


@pytest.mark.parametrize("field", ["sigma_r", "sigma_p"])
@pytest.mark.parametrize("value", [None, 1.0, [[1.0]], [[float("nan")]], "inf"])
def test_malformed_answers_are_refused(field: str, value: object) -> None:
    request, answer = trials.literal_answer(CAPABILITY, "bandits", deviations.GOOD)
    with pytest.raises(MalformedError, match=field):
        trials.finding_of(CAPABILITY, request, {**answer, field: value})
