"""The rule of Theorem 3."""

from __future__ import annotations

import numpy as np
import pytest

from checks.judge.capabilities import prediction
from checks.judge.capabilities.prediction import setting_of, undecided
from checks.judge.fields import MalformedError
from checks.known_bad import Bad
from checks.known_bad.prediction import BAD
from tests.judge import trials

CAPABILITY = prediction.CAPABILITY
CLAIMED = {
    "literal": ("keep all models", "printed"),
    "eighteen": ("keep all models", "repaired"),
    "likeliest": ("keep the likeliest one", "printed"),
    "no-model": ("start with no model", "printed"),
}


def test_cases_are_well_formed() -> None:
    trials.assert_well_formed(CAPABILITY, prediction.FLAGS)


@pytest.mark.parametrize("name", prediction.GOOD)
def test_right_implementations_conform(name: str) -> None:
    when_empty, version = CLAIMED[name]
    assert trials.options_seen(CAPABILITY, prediction.GOOD[name]) == {
        "D91": (when_empty,),
        "version": (version,),
    }


@pytest.mark.parametrize("bad", BAD, ids=trials.ids_of(BAD))
def test_wrong_implementations_are_caught(bad: Bad) -> None:
    trials.assert_caught(CAPABILITY, bad)


def test_every_case_meets_the_premise_of_the_theorem() -> None:
    for case in CAPABILITY.cases(0):
        setting = setting_of(case.input)
        assert setting.numbers.delta <= setting.numbers.delta_prime / (3 * setting.numbers.m**2)


def test_rounding_decides_no_case() -> None:
    """Left sides are η exactly, or away from it by a millionth of their terms."""
    exact = 0
    for case in (*CAPABILITY.cases(0), *CAPABILITY.cases(1)):
        setting = setting_of(case.input)
        for factor in (9, 18):
            sides = setting.left_sides(factor)
            assert not np.any(undecided(setting, factor))
            size = np.abs(setting.T_hat).sum() + setting.confidence(factor)
            far = np.abs(sides - setting.eta) >= 1e-6 * min(size, 1.0)
            tiny = np.abs(sides - setting.eta) >= 1e-4 * setting.eta
            equal = sides == setting.eta
            assert np.all(far | tiny | equal), case.id
            exact += int(equal.sum())
    assert exact > 0


def test_a_left_side_at_rounding_distance_is_decided_either_way() -> None:
    """A rounding or two above η: dropped and kept are both right."""
    case = trials.case_named(CAPABILITY, "equality")
    T_hat = [[0.9375, 0.5], [0.0625 + 2.0**-54, 0.5]]
    request = {**case.input, "T_hat": T_hat}
    for kept in ([0], [0, 1]):
        assert trials.finding_of(CAPABILITY, request, {"kept": kept}) is None
    assert trials.finding_of(CAPABILITY, request, {"kept": [1]}) is not None


def test_the_finding_shows_both_sides() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "equality", prediction.GOOD)
    assert answer == {"kept": [0]}
    found = trials.finding_of(CAPABILITY, request, {"kept": [0, 1]})
    assert found is not None
    assert found.item == prediction.RULE
    assert found.what == "task 1"
    assert found.expected == "dropped: 0.125 against η = 0.125"


def test_any_order_of_labels_is_right_and_no_number_is_answered() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "two-successors", prediction.GOOD)
    assert answer == {"kept": [1, 2]}
    assert trials.finding_of(CAPABILITY, request, {"kept": [2, 1]}) is None
    assert prediction.TOLERANCE(request) == {}


@pytest.mark.parametrize("value", [None, 0, [0, 0], [3], [-1], [0.5], ["0"], [[0]], ["inf"]])
def test_malformed_answers_are_refused(value: object) -> None:
    request, _ = trials.literal_answer(CAPABILITY, "two-successors", prediction.GOOD)
    with pytest.raises(MalformedError, match="kept"):
        trials.finding_of(CAPABILITY, request, {"kept": value})
