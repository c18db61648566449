"""What a finding says about a number that is wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ptum.checks.judge.capabilities.sequential import sequential, tensor_power
from ptum.checks.judge.capabilities.tasks import optimal
from ptum.checks.judge.judging.compare import far_off, first_off
from ptum.checks.judge.judging.items import DEFINITION_1
from ptum.checks.judge.messages.transcript import Json
from tests.checks.judge.support import trials

PRECISION = ": too few digits, or an iteration that stops early?"


def test_distance_and_tolerance_are_told_and_precision_is_asked_about() -> None:
    expected, got = np.array([1.0, 1.5]), np.array([1.0, 1.49999999441])
    found = first_off(DEFINITION_1, "V", expected, got, 2e-9)
    assert found is not None
    assert (found.what, found.expected) == ("V[1]", "1.5")
    assert found.got == f"1.49999999441 (error 5.6e-09, tolerance 2e-09){PRECISION}"


@pytest.mark.parametrize(
    ("expected", "got", "text"),
    [
        (0.5, 0.75, "0.75 (error 0.25, tolerance 1e-09)"),
        (100.0, 100.005, f"100.005 (error 0.005, tolerance 1e-09){PRECISION}"),
        (100.0, 100.02, "100.02 (error 0.02, tolerance 1e-09)"),
        (-100.0, -100.005, f"-100.005 (error 0.005, tolerance 1e-09){PRECISION}"),
        (1e-8, 0.0, "0 (error 1e-08, tolerance 1e-09)"),
        (0.0, 1e-8, "1e-08 (error 1e-08, tolerance 1e-09)"),
        (math.inf, 2.0, "2"),
        (2.0, math.inf, "inf"),
        (math.inf, -math.inf, "-inf"),
    ],
)
def test_precision_is_asked_about_where_most_digits_are_right(
    expected: float, got: float, text: str
) -> None:
    assert far_off(expected, got, 1e-9) == text


def test_an_iteration_that_stops_early_is_asked_about() -> None:
    request, answer = trials.literal_answer(optimal.CAPABILITY, "slippery")
    allowed = optimal.tolerance(request)["V"]
    early = trials.shifted(answer, "V", -5 * allowed)
    found = trials.finding_of(optimal.CAPABILITY, request, early)
    assert found is not None
    assert found.got.endswith(f"(error {5 * allowed:.2g}, tolerance {allowed:.2g}){PRECISION}")


def test_an_eigenvalue_that_lacks_digits_is_asked_about() -> None:
    request, answer = trials.literal_answer(tensor_power.CAPABILITY, "one-dimension")
    blunt = trials.shifted(answer, "lambdas", 1e-6)
    found = trials.finding_of(tensor_power.CAPABILITY, request, blunt)
    assert found is not None
    assert "(error 1e-06, tolerance " in found.got
    assert found.got.endswith(PRECISION)


def test_an_error_of_models_that_lacks_digits_is_asked_about() -> None:
    case = trials.case_named(sequential.CAPABILITY, "large-errors")
    run = trials.answered(sequential.CAPABILITY, case, sequential.CONFORMING["literal"])
    answer = run.answer or {}
    tasks = answer["tasks"]
    assert isinstance(tasks, list)
    errors: dict[str, Json] = tasks[-1]["errors"]
    blunt = {name: x * (1 + 1e-6) if isinstance(x, float) else x for name, x in errors.items()}
    queries = run.queries
    spoilt = {**answer, "tasks": [*tasks[:-1], {**tasks[-1], "errors": blunt}]}
    judge = sequential.CAPABILITY.judge(case.input, spoilt, queries)
    found = judge(sequential.CAPABILITY.readings[0])
    assert found is not None
    assert ", tolerance " in found.got
    assert found.got.endswith(PRECISION)
