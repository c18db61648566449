"""Whole runs of Algorithm 2: each report follows from the samples and the reports before it.

Right implementations are run here on the cases that tell them apart and on drawn ones; that they
are right in every other edge case is seen where `test_vectors` looks at their answers.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

import numpy as np
import pytest
from msgspec.structs import replace

from ptum.checks.judge.capabilities.sequential import sequential
from ptum.checks.judge.capabilities.sequential.sequence_replay import (
    FEEDBACK,
    LINE_1,
    LINE_3,
    LINE_4,
    LINE_5,
    LINE_7,
    LINE_7_T,
    LINE_8,
    LINE_9,
    History,
    Learned,
    expected_errors,
    found_again,
    wrong_models,
)
from ptum.checks.judge.judging.hmms import off, within_tasks
from ptum.checks.judge.judging.items import ELIMINATIONS
from ptum.checks.judge.judging.readings import REPAIRED, Assessment, Case, Finding, assess
from ptum.checks.judge.judging.sequence import batches, by_task, numbers_of, observation, reports_of
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import MalformedError
from ptum.checks.judge.messages.parsing import ERRORS
from ptum.checks.judge.messages.transcript import Asked, Exchange
from ptum.checks.judge.plain import views
from ptum.checks.judge.plain.algorithm_2 import Algorithm2, Samples
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential.spectral import learn_within_task
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.reference.transfer.assumptions import single
from tests.checks.judge.support import trials

CAPABILITY = sequential.CAPABILITY

Report = dict[str, object]


@pytest.fixture(scope="module")
def absorbed() -> Exchange:
    """A right run in which task 10 is found by PTUM and task 11 is predicted."""
    case = trials.case_named(CAPABILITY, "absorbed")
    return trials.answered(CAPABILITY, case, sequential.CONFORMING["plain"])


def reports(exchange: Exchange) -> list[Report]:
    assert exchange.answer is not None
    found = deepcopy(exchange.answer["tasks"])
    assert isinstance(found, list)
    return found


def judged(exchange: Exchange, tasks: list[Report], queries: tuple[Asked, ...] = ()) -> Assessment:
    asked = queries or exchange.queries
    return assess(CAPABILITY, replace(exchange, answer={"tasks": tasks}, queries=asked))


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
    eliminated, last = tasks[9]["eliminations"], tasks[10]["initial"]
    assert isinstance(eliminated, list)
    assert isinstance(last, list)
    assert (len(eliminated), len(last)) == (1, 1)
    assert judged(absorbed, tasks).agrees


def test_a_report_is_accused_of_what_line_1_starts_with(absorbed: Exchange) -> None:
    assert accused_of(absorbed, 1, initial=[0]) == LINE_1
    assert accused_of(absorbed, 1, models=reports(absorbed)[9]["models"]) == LINE_1
    assert accused_of(absorbed, 3, errors=dict.fromkeys(ERRORS, 0.01)) == LINE_1


def test_a_report_is_accused_of_what_ptum_does_not_do(absorbed: Exchange) -> None:
    tasks = reports(absorbed)
    assert accused_of(absorbed, 1, end="stopped") == "line 4, line 2 of PTUM"
    assert accused_of(absorbed, 1, queries=1) == "line 4, line 2 of PTUM"
    nobody = [{"t": 1, "theta": 0}]
    assert accused_of(absorbed, 1, eliminations=nobody) == "line 4, line 2 of PTUM"
    policy, kept = tasks[9]["policy"], tasks[10]["initial"]
    assert isinstance(policy, list)
    assert isinstance(kept, list)
    assert accused_of(absorbed, 10, policy=[1 - policy[0]]).startswith("line 4, PTUM: line 14")
    assert accused_of(absorbed, 10, queries=3) == "line 4, PTUM: line 14"
    assert accused_of(absorbed, 10, queries=10**6) == LINE_4, "there are no such samples"
    assert accused_of(absorbed, 10, eliminations=[]) == f"line 4, PTUM: {ELIMINATIONS}"
    outside = [{"t": 2, "theta": 1 - kept[0]}]
    assert accused_of(absorbed, 11, eliminations=outside) == LINE_4


def test_a_report_is_accused_of_what_does_not_follow_from_the_samples(absorbed: Exchange) -> None:
    tasks = reports(absorbed)
    assert accused_of(absorbed, 11, models=None) == LINE_7
    models = deepcopy(tasks[9]["models"])
    assert isinstance(models, list)
    models[0]["q"] = [[[0.5, 0.5], [0.5, 0.5]]]
    assert accused_of(absorbed, 10, models=models) == LINE_7
    assert accused_of(absorbed, 9, T=np.array(tasks[8]["T"]).T.tolist()) == LINE_7_T
    assert accused_of(absorbed, 9, T=None) == LINE_7_T
    assert accused_of(absorbed, 3, T=np.eye(2).tolist()) == LINE_7_T, "there are no models yet"
    assert accused_of(absorbed, 10, errors=dict.fromkeys(ERRORS, 0.01)) == LINE_8


def test_a_report_is_accused_of_sets_that_line_9_does_not_predict(absorbed: Exchange) -> None:
    assert accused_of(absorbed, 10, active=[0, 1]) == FEEDBACK
    assert accused_of(absorbed, 11, initial=[0, 1]).startswith("line 9, Theorem 3")
    assert accused_of(absorbed, 2, initial=[0]) == LINE_9, "nothing can be predicted yet"


class StartsWithNone(Algorithm2):
    """Θ̄_h and Θ̃_{h+1} stay empty where no label is left (D44, D91): PTUM ends at once."""

    def theta_bar(self, h: int, report: Report) -> list[int]:
        found = super().theta_bar(h, report)
        return [] if report["end"] == "active-set-empty" else found

    def predict(self, h: int, report: Report) -> list[int]:
        return super().predict(h, report) if report["active"] else []

    def solve(self, h: int, ask: Callable[[int, int], tuple[float, int]], taken: Samples) -> Report:
        if self.initial:
            return super().solve(h, ask, taken)
        self.initial = list(self.setting.labels)
        report = super().solve(h, lambda *_: (0.0, 0), {})
        self.sample_each(1, ask)
        nothing: Report = {"initial": [], "queries": 0, "eliminations": [], "active": []}
        return {**report, **nothing, "end": "active-set-empty", "policy": None}


def with_a_stranger() -> Case:
    """The tasks of `swap` in turn; the seventh pays 1/2 for either arm, as no model does."""
    known = trials.case_named(CAPABILITY, "swap")
    request = {**known.input, "u": [0.0, 0.5, 1.0], "m": 8}

    def sample(h: int, _: int, a: int) -> tuple[float, int]:
        return (0.5 if h == 7 else float((h + a) % 2)), 0

    return Case("sequential/stranger", request, (), lambda: sample)


def test_no_model_may_be_left_after_a_task_that_is_none_of_them() -> None:
    """All labels stand for none (D44), or the next task starts without a model (D91)."""
    case = with_a_stranger()
    for implementation in (sequential.CONFORMING["plain"], views.sequential(StartsWithNone)):
        run = trials.answered(CAPABILITY, case, implementation)
        assert reports(run)[6]["end"] == "active-set-empty"
        assert judged(run, reports(run)).agrees
    assert (reports(run)[6]["active"], reports(run)[7]["initial"]) == ([], [])
    assert accused_of(run, 7, active=[0]) == FEEDBACK
    assert accused_of(run, 8, end="models-too-inaccurate") == LINE_4
    assert accused_of(run, 8, queries=1) == LINE_4
    assert accused_of(run, 8, eliminations=[{"t": 1, "theta": 0}]) == LINE_4


def test_every_order_of_discovery_is_known_to_the_judge() -> None:
    """Three noisy tasks have six estimates, all apart; a run with any restarts finds one of them.

    A judge that ran the learner a few times knew some of them, and accused right code of the rest.
    """
    case = trials.case_named(CAPABILITY, "noisy-orders")
    run = trials.answered(CAPABILITY, case, sequential.CONFORMING["repaired"])
    numbers = numbers_of(run.input)
    history = History(numbers, (), by_task(run.queries, numbers), in_order=True)
    views_of_tasks = history.batches(9)
    assert views_of_tasks is not None
    known = within_tasks(views_of_tasks, 3)
    assert not known.may_be_null
    columns = [estimate.O[:, np.lexsort(estimate.O)] for estimate, _ in known.estimates]
    apart = [off(one, other) for one, other in itertools.combinations(columns, 2)]
    assert (len(columns), min(apart) > 100 * FLOOR) == (6, True)
    met = set()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        found = learn_within_task(views_of_tasks, 3, 1 + seed % 3, 60, rng)
        assert isinstance(found, HmmEstimate)
        distances = [off(found.O[:, np.lexsort(found.O)], one) for one in columns]
        assert min(distances) <= FLOOR
        met.add(int(np.argmin(distances)))
    assert len(met) > 1


def test_the_repaired_rule_may_not_drop_the_task_that_is_likely() -> None:
    swap = trials.answered(
        CAPABILITY, trials.case_named(CAPABILITY, "swap"), sequential.CONFORMING["repaired"]
    )
    tasks = reports(swap)
    kept = tasks[3]["initial"]
    assert isinstance(kept, list)
    tasks[3]["initial"] = [1 - kept[0]]
    found = judged(swap, tasks)
    assert not found.agrees
    told = [finding for reading, finding in found.findings.items() if REPAIRED in reading]
    assert {finding.item for finding in told if finding} == {"line 9, mass rule"}
    assert {finding.what for finding in told if finding} == {"task 3: next set"}


def test_the_repaired_rule_drops_nothing_where_the_error_of_T_is_large() -> None:
    """ρ_6 is the constant of that error; the run has dropped a task with a smaller one."""
    case = trials.case_named(CAPABILITY, "swap")
    run = trials.answered(CAPABILITY, case, sequential.CONFORMING["repaired"])
    found = assess(CAPABILITY, replace(run, input={**run.input, "rho_6": 1.0})).findings
    told = [finding for reading, finding in found.items() if REPAIRED in reading]
    assert {finding.item for finding in told if finding} == {"line 9, mass rule"}
    assert {finding.what for finding in told if finding} == {"task 4: next set"}


def test_models_are_found_again_within_their_errors() -> None:
    """Post-samples tell the two tasks apart, unless the models may be off by 2."""
    case = trials.case_named(CAPABILITY, "swap")
    run = trials.answered(CAPABILITY, case, sequential.CONFORMING["repaired"])
    numbers = numbers_of(run.input)
    told = reports_of(run.answer or {}, numbers)
    unsure = tuple(dataclasses.replace(report, errors=single(2.0)) for report in told)
    for known, left in ((told, 1), (unsure, 2)):
        history = History(numbers, known, by_task(run.queries, numbers), in_order=True)
        assert len(found_again(history, 9)) == left


def test_errors_that_are_not_kept_follow_from_the_tasks_though_the_models_are() -> None:
    case = trials.case_named(CAPABILITY, "absorbed")
    lazy = trials.answered(CAPABILITY, case, sequential.CONFORMING["every-third-task"])
    assert reports(lazy)[10]["models"] == reports(lazy)[9]["models"] is not None
    assert accused_of(lazy, 11, errors=dict.fromkeys(ERRORS, 0.01)) == LINE_8


def test_an_estimate_that_is_kept_is_one_of_as_many_tasks_as_it_was_made_from() -> None:
    """With this ρ_T a task of predicted probability 0 stays after 9 tasks and goes after 10."""
    changed = trials.case_named(CAPABILITY, "changed")
    case = dataclasses.replace(changed, input={**changed.input, "rho_T": 1.34e-4 * 0.9})
    for name, left in (("every-third-task", 2), ("plain", 1)):
        run = trials.answered(CAPABILITY, case, sequential.CONFORMING[name])
        kept = reports(run)[10]["initial"]
        assert isinstance(kept, list)
        assert len(kept) == left
        assert judged(run, reports(run)).agrees


def test_without_transfer_all_labels_are_left_or_those_of_the_start() -> None:
    case = trials.case_named(CAPABILITY, "signed-sum")
    run = trials.answered(CAPABILITY, case, sequential.CONFORMING["plain"])
    tasks = reports(run)
    assert (tasks[6]["end"], tasks[6]["active"]) == ("models-too-inaccurate", [0, 1])
    tasks[6]["active"] = tasks[6]["initial"]
    assert tasks[6]["active"] != [0, 1]
    assert judged(run, tasks).agrees


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
    agrees = assess(CAPABILITY, replace(absorbed, input=request)).agrees
    assert agrees
    assert all(REPAIRED not in reading for reading in agrees)


def test_observations_and_batches_are_those_of_the_samples(absorbed: Exchange) -> None:
    numbers = numbers_of(absorbed.input)
    samples = by_task(absorbed.queries, numbers)[1]
    o = observation(samples, numbers.setting, None)
    assert o is not None
    assert o.tolist() == [1, 0, 0, 1, 1, 1]
    assert observation((), numbers.setting, None) is None
    assert batches(samples[:2], numbers.setting) is None


def test_the_last_samples_are_kept_and_cut_into_batches_in_order(absorbed: Exchange) -> None:
    """Both arms pay 0 once, then 1, 1, 0, 0, 1, 0: three batches of two."""
    setting = dataclasses.replace(numbers_of(absorbed.input).setting, n_post=6)
    rewards = (0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0)
    samples = [Asked(1, 0, a, reward, 0) for reward in rewards for a in (0, 1)]
    views = batches(samples, setting)
    assert views is not None
    assert views[:, :4].tolist() == [[0, 1] * 2, [1, 0] * 2, [0.5, 0.5] * 2]
    for last, zeros, ones in ((1, 1, 0), (2, 1, 1), (6, 3, 3), (None, 4, 3)):
        o = observation(samples, setting, last)
        assert o is not None
        assert o[:4].tolist() == [zeros / (zeros + ones), ones / (zeros + ones)] * 2


@pytest.mark.parametrize(
    "stray", [Asked(0, 0, 0, 0.0, 0), Asked(12, 0, 0, 0.0, 0), Asked(11, 0, 0, 0.5, 0)]
)
def test_samples_that_no_task_gives_are_refused(absorbed: Exchange, stray: Asked) -> None:
    """There are tasks 1 to 11, which pay 0 or 1."""
    with pytest.raises(MalformedError, match="a query that no task can answer: "):
        judged(absorbed, reports(absorbed), (*absorbed.queries, stray))


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


@pytest.mark.parametrize("field", ["initial", "models", "policy", "T"])
def test_a_report_has_all_its_fields_and_no_other(absorbed: Exchange, field: str) -> None:
    """What is null has to be said; a field that is misspelt would pass for one."""
    missing, further = reports(absorbed), reports(absorbed)
    del missing[9][field]
    further[9][f"{field}_"] = None
    for tasks in (missing, further):
        with pytest.raises(MalformedError, match=rf"^task 10: a report must .*\"{field}_?\""):
            judged(absorbed, tasks)


def test_malformed_lists_of_reports_are_refused(absorbed: Exchange) -> None:
    for tasks in (None, [], reports(absorbed)[:-1], [1] * 11):
        with pytest.raises(
            MalformedError, match=r"^tasks must be .* m = 11|^task 1: a report must"
        ):
            assess(CAPABILITY, replace(absorbed, answer={"tasks": tasks}))


@pytest.mark.parametrize(
    ("law", "right"),
    [
        ((0.5, 0.25), False),
        ((1.5, -0.5), False),
        ((1.0 + 10 * FLOOR, -10 * FLOOR), False),
        ((1.0, 10 * FLOOR), False),
        ((1.0, FLOOR / 10), True),
        ((1.0 + FLOOR / 10, -FLOOR / 10), True),
    ],
)
def test_models_are_distributions_up_to_the_floor(
    absorbed: Exchange, law: tuple[float, float], right: bool
) -> None:
    """The first arm of task 10's first model pays for sure, or never."""
    tasks = reports(absorbed)
    models = deepcopy(tasks[9]["models"])
    assert isinstance(models, list)
    sure = models[0]["q"][0][0][0] < 0.5
    models[0]["q"][0][0] = list(law[::-1] if sure else law)
    tasks[9]["models"] = models
    if right:
        assert judged(absorbed, tasks).agrees
    else:
        with pytest.raises(MalformedError, match="distributions"):
            judged(absorbed, tasks)


RAW = np.array([[0.75, 0.5, -0.25, 1.0], [0.125, 0.25, 0.625, 1.0], [0.25, 0.5, 0.25, 1.0]]).T
RAW_T = np.array([[0.75, 0.5, -0.25], [0.5, 0.25, 0.25], [0.0, 0.5, 0.5]]).T
PROJECTED, CLIPPED = (0.625, 0.375, 0.0), (0.6, 0.4, 0.0)
"""What becomes of (0.75, 0.5, -0.25)."""


def of_raw_estimate(columns: Floats, T: Floats | None) -> Finding | None:
    """Three models of one pair with three rewards, and T̂, held against the raw estimate."""
    learned = Learned(RAW, RAW_T, {"O": FLOOR, "T": FLOOR})
    request = trials.case_named(CAPABILITY, "unfinished").input
    setting = numbers_of({**request, "A": 1, "u": [0.0, 0.5, 1.0]}).setting
    return wrong_models(columns, T, [learned], setting)


def with_first(table: Floats, column: Sequence[float]) -> Floats:
    """The table with the upper part of its first column replaced."""
    changed = table.copy()
    changed[: len(column), 0] = column
    return changed


@pytest.mark.parametrize("first", [PROJECTED, CLIPPED])
def test_estimates_are_made_into_probabilities_in_one_of_two_ways(first: Sequence[float]) -> None:
    """Blocks are projected, or clipped and divided (D92); T̂ may stay as it is (D54)."""
    columns, turn = with_first(RAW, first), [1, 2, 0]
    for T in (RAW_T, with_first(RAW_T, PROJECTED), with_first(RAW_T, CLIPPED)):
        assert of_raw_estimate(columns, T) is None
        assert of_raw_estimate(columns[:, turn], T[np.ix_(turn, turn)]) is None
        relabelled = of_raw_estimate(columns[:, turn], T)
        assert relabelled is not None
        assert relabelled.item == LINE_7_T
    missing = of_raw_estimate(columns, None)
    assert missing is not None
    assert missing.item == LINE_7_T
    between = of_raw_estimate(with_first(RAW, (0.6125, 0.3875, 0.0)), RAW_T)
    assert between is not None
    assert between.item == LINE_7


def test_the_last_T_stays_where_an_estimate_has_none() -> None:
    """Some task has not been left (D103): T̂ is null, or that of the task before (D96)."""
    request = trials.case_named(CAPABILITY, "unfinished").input
    setting = numbers_of({**request, "A": 1, "u": [0.0, 0.5, 1.0]}).setting
    learned = Learned(RAW, None, {"O": FLOOR, "T": FLOOR})
    columns, earlier = with_first(RAW, PROJECTED), np.eye(3)
    for T, right in ((None, True), (earlier, True), (RAW_T, False)):
        found = wrong_models(columns, T, [learned], setting, earlier)
        assert (found is None) is right
    assert found is not None
    assert (found.item, found.expected) == (LINE_7_T, "null")


@pytest.mark.parametrize(("share", "right"), [(0.1, True), (10.0, False)])
def test_an_estimate_may_be_off_by_twice_the_root_of_d_tolerances(
    share: float, right: bool
) -> None:
    shift, columns = share * 2 * len(RAW) ** 0.5 * FLOOR, with_first(RAW, PROJECTED)
    assert (of_raw_estimate(with_first(columns, (0.625 + shift,)), RAW_T) is None) is right
    assert (of_raw_estimate(columns, with_first(RAW_T, (0.75 + shift,))) is None) is right


def test_due_errors_are_theorem_2() -> None:
    """ρ √(log(π²h²SA(S+U)/δ')/h) for each constant, and infinite where it does not speak."""
    case = trials.case_named(CAPABILITY, "swap")
    numbers = numbers_of(case.input)
    errors = expected_errors(numbers, 6, CAPABILITY.readings[0])
    rate = math.sqrt(math.log(math.pi**2 * 36 * 6 / 0.75) / 6)
    expected = [rho * rate for rho in (0.01, 0.02, 0.015, 0.005)]
    few_roundings = 16 * 2**-53  # eight operations on either side; the logarithm is above 1
    found = [errors.r, errors.p, errors.sigma_r, errors.sigma_p]
    assert found == pytest.approx(expected, rel=few_roundings, abs=0)
    late = numbers_of(trials.case_named(CAPABILITY, "condition").input)
    for reading in CAPABILITY.readings:
        assert expected_errors(late, 6, reading).Delta == math.inf
