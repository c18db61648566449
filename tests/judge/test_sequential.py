"""Whole runs of Algorithm 2: each report follows from the samples and the reports before it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import deepcopy

import numpy as np
import pytest

from checks.judge.capabilities import sequential
from checks.judge.fields import MalformedError
from checks.judge.parsing import ERRORS
from checks.judge.readings import REPAIRED, Assessment, assess
from checks.judge.sequence import batches, by_task, numbers_of, observation
from checks.judge.transcript import Asked, Exchange
from checks.judge.walk import (
    FEEDBACK,
    LINE_1,
    LINE_3,
    LINE_5,
    LINE_7,
    LINE_7_T,
    LINE_8,
    due_errors,
)
from checks.known_bad import Bad
from checks.known_bad.sequential import BAD
from tests.judge import trials

CAPABILITY = sequential.CAPABILITY
FOUR, EVERY, POST = (
    "four constants",
    "all samples of the task",
    "post-samples only, fixed number",
)
CLAIMED = {
    "literal": (FOUR, EVERY, "printed"),
    "repaired": (FOUR, POST, "repaired"),
    "plain": (FOUR, EVERY, "printed"),
    "one-constant": ("single Δ", EVERY, "printed"),
    "only-post-samples": (FOUR, POST, "printed"),
    "matched": (FOUR, EVERY, "printed"),
    "every-third-task": (FOUR, EVERY, "printed"),
}

Report = dict[str, object]


def test_cases_are_well_formed() -> None:
    trials.assert_well_formed(CAPABILITY, least=5)


@pytest.mark.parametrize("name", sequential.GOOD)
def test_right_implementations_are_recognised(name: str) -> None:
    seen = trials.options_seen(CAPABILITY, sequential.GOOD[name])
    errors, samples, version = CLAIMED[name]
    assert errors in seen["D02"]
    assert name == "repaired" or len(seen["D02"]) == 1
    assert (seen["D46"], seen["version"]) == ((samples,), (version,))


@pytest.mark.parametrize("bad", BAD, ids=trials.ids_of(BAD))
def test_wrong_implementations_are_caught(bad: Bad) -> None:
    trials.assert_caught(bad)


@pytest.fixture(scope="module")
def absorbed() -> Exchange:
    """A right run in which task 10 is found by PTUM and task 11 is predicted."""
    case = trials.case_named(CAPABILITY, "absorbed")
    return trials.answered(CAPABILITY, case, sequential.GOOD["plain"])


def reports(exchange: Exchange) -> list[Report]:
    assert exchange.answer is not None
    found = deepcopy(exchange.answer["tasks"])
    assert isinstance(found, list)
    return found


def judged(exchange: Exchange, tasks: list[Report], queries: tuple[Asked, ...] = ()) -> Assessment:
    asked = queries or exchange.queries
    changed = Exchange(
        exchange.id, exchange.capability, exchange.input, {"tasks": tasks}, None, asked
    )
    return assess(CAPABILITY, changed)


def accused_of(exchange: Exchange, h: int, **changes: object) -> str:
    """Change the report of one task; the item of the finding."""
    tasks = reports(exchange)
    tasks[h - 1] |= changes
    found = judged(exchange, tasks)
    assert not found.agrees
    assert found.finding is not None
    return found.finding.item


def test_the_run_does_all_that_there_is_to_judge(absorbed: Exchange) -> None:
    tasks = reports(absorbed)
    assert all(task["models"] is None for task in tasks[:6])
    assert tasks[9]["end"] == tasks[10]["end"] == "stopped"
    assert tasks[9]["initial"] == [0, 1]
    fallen, last = tasks[9]["eliminations"], tasks[10]["initial"]
    assert isinstance(fallen, list)
    assert isinstance(last, list)
    assert (len(fallen), len(last)) == (1, 1)
    assert judged(absorbed, tasks).agrees


def test_a_changed_report_is_accused_of_the_line_it_breaks(absorbed: Exchange) -> None:
    tasks = reports(absorbed)
    half = dict.fromkeys(ERRORS, 0.01)
    assert accused_of(absorbed, 1, initial=[0]) == LINE_1
    assert accused_of(absorbed, 3, errors=half) == LINE_1
    assert accused_of(absorbed, 10, errors=half) == LINE_8
    assert accused_of(absorbed, 1, end="stopped").startswith("line 4, line 2 of PTUM")
    assert accused_of(absorbed, 10, policy=[1 - int(str(_policy(tasks[9])))]).startswith(
        "line 4, PTUM: line 14"
    )
    assert accused_of(absorbed, 10, queries=3).startswith("line 4")
    assert accused_of(absorbed, 10, eliminations=[]).startswith("line 4, PTUM: line 12")
    assert accused_of(absorbed, 10, active=[0, 1]) == FEEDBACK
    assert accused_of(absorbed, 11, initial=[0, 1]).startswith("line 9, Theorem 3")
    assert accused_of(absorbed, 11, models=None) == LINE_7
    T = np.array(tasks[8]["T"])
    assert accused_of(absorbed, 9, T=T.T.tolist()) == LINE_7_T
    assert accused_of(absorbed, 9, T=None) == LINE_7_T


def _policy(report: Report) -> int:
    policy = report["policy"]
    assert isinstance(policy, list)
    return int(policy[0])


def test_models_must_come_from_the_samples(absorbed: Exchange) -> None:
    tasks = reports(absorbed)
    models = deepcopy(tasks[9]["models"])
    assert isinstance(models, list)
    models[0]["q"] = [[[0.5, 0.5], [0.5, 0.5]]]
    assert accused_of(absorbed, 10, models=models) == LINE_7


def test_tolerance_of_the_errors_bites(absorbed: Exchange) -> None:
    """Errors are held to 10⁻⁹ of their size."""
    errors = reports(absorbed)[9]["errors"]
    assert isinstance(errors, Mapping)
    allowed = CAPABILITY.tolerance(absorbed.input)["errors"]
    for share, right in ((0.1, True), (10.0, False)):
        tasks = reports(absorbed)
        tasks[9]["errors"] = {**errors, "p": errors["p"] * (1 + share * allowed)}
        assert bool(judged(absorbed, tasks).agrees) is right


def test_tasks_come_one_after_the_other_and_every_pair_is_sampled(absorbed: Exchange) -> None:
    tasks, queries = reports(absorbed), absorbed.queries
    first = queries[0]
    returned = judged(absorbed, tasks, (*queries, first)).finding
    assert returned is not None
    assert returned.item == LINE_3
    skipped = tuple(asked for asked in queries if (asked.h, asked.a) != (11, 1))
    missing = judged(absorbed, tasks, skipped).finding
    assert missing is not None
    assert missing.item == LINE_5
    assert missing.what.startswith("task 11")


def test_without_post_samples_the_run_is_not_the_repaired_one(absorbed: Exchange) -> None:
    request = {**absorbed.input, "n_post": 0}
    changed = Exchange(
        absorbed.id, absorbed.capability, request, absorbed.answer, None, absorbed.queries
    )
    agrees = assess(CAPABILITY, changed).agrees
    assert agrees
    assert all(REPAIRED not in reading for reading in agrees)


def test_observations_and_batches_are_those_of_the_samples(absorbed: Exchange) -> None:
    numbers = numbers_of(absorbed.input)
    samples = by_task(absorbed.queries, numbers)[1]
    o = observation(samples, numbers.setting, None)
    assert o is not None
    assert o.tolist() == [1, 0, 0, 1, 1, 1]
    views = batches(samples, numbers.setting)
    assert views is not None
    assert np.array_equal(views, np.tile(o, (3, 1)))
    assert observation((), numbers.setting, None) is None
    assert batches(samples[:2], numbers.setting) is None


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("initial", [0, 0], "initial"),
        ("active", [2], "active"),
        ("errors", {"r": 1.0}, "errors"),
        ("errors", {"r": -1.0, "p": 0.0, "sigma_r": 0.0, "sigma_p": 0.0}, "negative"),
        ("models", [], "models"),
        ("models", [{"p": 1, "q": 1}] * 2, "p has shape"),
        ("end", "done", "end"),
        ("queries", 0.5, "queries"),
        ("policy", [2], "policy"),
        ("T", [[1.0]], "T has shape"),
        ("T", [["inf", 0.0], [0.0, 1.0]], "finite"),
        ("eliminations", None, "eliminations"),
    ],
)
def test_malformed_reports_are_refused(
    absorbed: Exchange, field: str, value: object, named: str
) -> None:
    tasks = reports(absorbed)
    tasks[9][field] = value
    with pytest.raises(MalformedError, match=f"^task 10: .*{named}"):
        judged(absorbed, tasks)


def test_malformed_lists_of_reports_are_refused(absorbed: Exchange) -> None:
    for tasks in (None, [], reports(absorbed)[:-1], [1] * 11):
        changed = Exchange(
            absorbed.id, absorbed.capability, absorbed.input, {"tasks": tasks}, None, ()
        )
        with pytest.raises(MalformedError, match="task"):
            assess(CAPABILITY, changed)


def test_models_that_are_no_distributions_are_refused(absorbed: Exchange) -> None:
    models = deepcopy(reports(absorbed)[9]["models"])
    assert isinstance(models, list)
    models[0]["q"] = [[[0.5, 0.25], [0.5, 0.5]]]
    tasks = reports(absorbed)
    tasks[9]["models"] = models
    with pytest.raises(MalformedError, match="distributions"):
        judged(absorbed, tasks)


def test_due_errors_are_theorem_2() -> None:
    """ρ √(log(π²h²SA(S+U)/δ')/h) for each constant, and infinite where it does not speak."""
    case = trials.case_named(CAPABILITY, "swap")
    numbers = numbers_of(case.input)
    errors = due_errors(numbers, 6, CAPABILITY.readings[0])
    rate = math.sqrt(math.log(math.pi**2 * 36 * 6 / 0.75) / 6)
    assert (errors.r, errors.p) == pytest.approx((0.01 * rate, 0.02 * rate))
    late = numbers_of(trials.case_named(CAPABILITY, "condition").input)
    for reading in CAPABILITY.readings:
        assert due_errors(late, 6, reading).Delta == math.inf
