"""What the judge asks passes; what has no answer does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ptum.checks.judge.capabilities import NAMES, capabilities
from ptum.checks.judge.messages.fields import MalformedError
from ptum.checks.judge.messages.requests import RANGES, Range, require_request
from ptum.checks.judge.messages.transcript import Fields


def first(name: str) -> Fields:
    return next(iter(capabilities()[name].cases(0))).input


def required(name: str, request: Fields) -> None:
    require_request(capabilities()[name].input, request)


def objection(name: str, request: Fields) -> str | None:
    try:
        required(name, request)
    except MalformedError as reason:
        return str(reason)
    return None


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_is_asked_can_be_asked(name: str) -> None:
    cases = [case for seed in (0, 1) for case in capabilities()[name].cases(seed)]
    assert {case.id: told for case in cases if (told := objection(name, case.input))} == {}


@pytest.mark.parametrize("name", NAMES)
def test_fields_are_neither_missing_nor_too_many(name: str) -> None:
    for field in capabilities()[name].input:
        rest = {key: value for key, value in first(name).items() if key != field.name}
        with pytest.raises(MalformedError, match="a request has the fields"):
            required(name, rest)
    with pytest.raises(MalformedError, match=r'not \[.*"other"'):
        required(name, {**first(name), "other": 1})


TASK = {"p": [[[1.0]]], "q": [[[1.0]]], "u": [0.5]}
TWO_STATES = {"p": [[[1.0, 0.0]], [[1.0, 0.0]]], "q": [[[1.0]], [[1.0]]], "u": [0.5]}
TWO_REWARDS = {"p": [[[1.0]]], "q": [[[0.5, 0.5]]], "u": [0.5, 1.0]}


@pytest.mark.parametrize(
    ("name", "changes", "text"),
    [
        ("widths", {"gamma": 1.5}, "gamma is outside [0, 1)"),
        ("widths", {"gamma": 1}, "gamma is outside [0, 1)"),
        ("widths", {"gamma": -0.1}, "gamma is outside [0, 1)"),
        ("widths", {"gamma": "0.5"}, 'gamma must hold numbers, not "0.5"'),
        ("widths", {"gamma": [0.5]}, "gamma has shape [1], not []"),
        ("widths", {"delta": 0}, "delta is outside (0, 1)"),
        ("widths", {"delta": 1}, "delta is outside (0, 1)"),
        ("widths", {"n": 0}, "n is outside [1, inf]"),
        ("widths", {"n": 1.5}, "n must hold integers"),
        ("widths", {"n": "inf"}, "n must hold integers"),
        ("widths", {"N": [[-1]]}, "N is outside [0, inf]"),
        ("widths", {"N": [3]}, "N has shape [1], not [S, A]"),
        ("widths", {"N": [[1, 2]], "sigma_r": [[0.0]]}, "not [S, A]; S = 1, A = 2"),
        ("widths", {"errors": {"r": 0}}, "errors must be an object with r, p, sigma_r, sigma_p"),
        ("widths", {"errors": [0, 0, 0, 0]}, "errors must be an object"),
        (
            "widths",
            {"errors": {"r": 0, "p": -1, "sigma_r": 0, "sigma_p": 0}},
            "errors.p is outside [0, inf]",
        ),
        ("policy_value", {**TASK, "pi": [1]}, "pi must be below A = 1"),
        ("policy_value", {**TASK, "pi": [-1]}, "pi must be below A = 1"),
        ("policy_value", {**TASK, "pi": [0, 0]}, "pi has shape [2], not [S]; S = 1"),
        ("optimal", {**TASK, "p": [[[2.0]]]}, "p is outside [0, 1]"),
        ("gaps", {"models": []}, "models must be a list of tasks, at least one"),
        ("gaps", {"models": {}}, "models must be a list of tasks, at least one"),
        ("gaps", {"models": [TASK, []]}, "models[1] must be an object with p, q and u"),
        ("gaps", {"models": [TASK, TASK | {"v": 1}]}, "models[1] must be an object with p, q"),
        ("gaps", {"models": [TASK, TWO_STATES]}, "models[1]: p has shape [2, 1, 2], not [S, A, S]"),
        ("gaps", {"models": [TASK | {"u": [2]}]}, "models[0]: u is outside [0, 1]"),
        ("stopping", {"models": [TASK, TASK], "active": [0, 2]}, "active must hold numbers from 0"),
        ("stopping", {"models": [TASK, TASK], "active": [1, 1]}, "active lists a model twice"),
        ("stopping", {"models": [TASK], "active": [0], "epsilon": -1}, "epsilon is outside"),
        ("sequential", {"rho_T": -1}, "rho_T is outside [0, inf]"),
        ("sequential", {"m": 0}, "m is outside [1, inf]"),
        ("tensor_power", {"tensor": [[[1.0, 2.0]]]}, "tensor has shape [1, 1, 2], not [k, k, k]"),
    ],
)
def test_what_has_no_answer_is_told(name: str, changes: dict[str, Any], text: str) -> None:
    with pytest.raises(MalformedError) as caught:
        required(name, {**first(name), **changes})
    assert text in str(caught.value)


def test_models_may_have_rewards_of_their_own() -> None:
    assert objection("gaps", {"models": [TASK, TWO_REWARDS], "gamma": 0.5}) is None


def test_ends_of_a_range_may_be_excluded() -> None:
    assert str(RANGES["delta"]) == "(0, 1)"
    for one, low, high in (
        (Range(0, 1), True, True),
        (Range(0, 1, open_below=True), False, True),
        (Range(0, 1, open_above=True), True, False),
    ):
        assert (one.holds(np.array(0.0)), one.holds(np.array(1.0))) == (low, high)
        assert one.holds(np.array(0.5))
        assert not one.holds(np.array([0.5, 2.0]))
