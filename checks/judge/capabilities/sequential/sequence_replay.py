"""Algorithm 2 beside a run of somebody else: the first report that does not follow.

Nothing is compared with a run of ours. Every report must follow from what came before it: the
models from the samples (lines 5-7), their errors from the number of tasks (line 8), Θ̃_{h+1} from
T̂_h and Θ̄_h (line 9), and what PTUM did from the models that it was given (line 4), which is
replayed. What differs from one right run to another, such as the fallback, the restarts, or how
Algorithm 3 inverts and symmetrises, is left open.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ptum.checks.judge.capabilities.sequential import hmm_samples, prediction
from ptum.checks.judge.judging.compare import far_off
from ptum.checks.judge.judging.hmms import (
    amplified_within,
    nearest_order,
    off,
    shown,
    with_floor,
    within_tasks,
)
from ptum.checks.judge.judging.items import Item, lines
from ptum.checks.judge.judging.options import FAILURE, FOUR, SINGLE, THRESHOLD
from ptum.checks.judge.judging.readings import REPAIRED, Finding, Option, Reading, all_readings
from ptum.checks.judge.judging.replay import READINGS as REPLAYED
from ptum.checks.judge.judging.replay import (
    Eliminated,
    Ending,
    InputLine,
    ReplayedRun,
    first_divergence,
)
from ptum.checks.judge.judging.sequence import SequenceNumbers, TaskReport, batches, observation
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.parsing import ERRORS
from ptum.checks.judge.messages.transcript import Asked
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential.analysis.sequential_bounds import (
    theorem_2_bound,
    transition_condition,
)
from ptum.reference.repaired.sequential.analysis.spectral_bounds import next_task_bound
from ptum.reference.repaired.sequential.prediction import reidentify
from ptum.reference.sequential.algorithm import Setting
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.lines import current_models
from ptum.reference.sequential.observations import split_observation
from ptum.reference.sequential.projection import project_columns, project_observation
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.ptum import End

ALL_SAMPLES = Option("D46", "all samples of the task", "E41")
POST_SAMPLES = Option("D46", "post-samples only, fixed number")

AS_FOUND = Option("D55", "not at all", "E40")
MATCHED = Option(
    "D55", "assignment of least total squared column distance to the previous estimate"
)

LINE_2_ALONE = replace(REPAIRED, detail="line 2 of PTUM alone")
"""18 for 4 in an algorithm that is otherwise as printed."""

READINGS: tuple[Reading, ...] = (
    *all_readings(
        (THRESHOLD, LINE_2_ALONE), (FOUR, SINGLE), (ALL_SAMPLES, POST_SAMPLES), (AS_FOUND, MATCHED)
    ),
    *all_readings((REPAIRED,), (FOUR, SINGLE), (POST_SAMPLES,), (MATCHED,)),
)

LINE_1 = Item("line 1, Δ_1 = ∞ and Θ̃_1 = Θ", *lines(2, 1))
LINE_3 = Item("line 3, one task after the other", *lines(2, 3))
LINE_4 = Item("line 4", *lines(2, 4))
LINE_5 = Item("line 5, at least one sample of every pair", *lines(2, 5))
POST = Item("line 5, n_post samples of every pair when the task is over", *lines(2, 5))
LINE_7 = Item("lines 5-7, models from Ô_h", *lines(2, 5, 7))
LINE_7_T = Item(
    "lines 6-7, T̂_h of the observations so far, in the labels of the models", *lines(2, 6, 7)
)
LABELS = Item("lines 6-7, labels follow those of the estimate before (D55)", *lines(2, 6, 7))
LINE_8 = Item("line 8, Theorem 2, Δ = ρ √(log(π²h²SA(S+U)/δ')/h)", *lines(2, 8))
KEPT = Item("lines 6-8, an estimate with errors of its own for every new triple", *lines(2, 6, 8))
"""Models and errors are those of the task before; models may be so because nothing changed."""
LINE_9 = Item("line 9", *lines(2, 9))
FEEDBACK = Item("line 9, Θ̄_h is the set that PTUM returned", *lines(2, 9))

WAYS = tuple(way for way in hmm_samples.READINGS if FAILURE in way)
"""All that may differ in Algorithm 3."""

PLAINLY_NEARER = 2.0
"""Labels are matched wrongly if their squared distance is so many times that of the best match."""


@dataclass(frozen=True, eq=False)
class History:
    """A run: its numbers, the reports, and the samples of every task."""

    numbers: SequenceNumbers
    reports: tuple[TaskReport, ...]
    samples: tuple[tuple[Asked, ...], ...]
    in_order: bool
    judged: dict[tuple[int, int, Reading], Finding | None] = field(default_factory=dict)
    ways: dict[Reading, list[Reading]] = field(default_factory=dict)
    """How PTUM may be read, after the tasks so far, in each reading of what is common to both."""

    @property
    def setting(self) -> Setting:
        """k, S, A and the like."""
        return self.numbers.setting

    def observations(self, tasks: int, reading: Reading) -> Floats | None:
        """o_1, …, o_h as rows, by the option of D46; None if a pair has no sample."""
        every = self.of_post_samples if POST_SAMPLES in reading else self.of_all_samples
        found = [row for row in every[:tasks] if row is not None]
        return np.stack(found) if len(found) == tasks else None

    def batches(self, tasks: int) -> Floats | None:
        """Three views of each of the first tasks, shape (3, tasks, d); None if there are not."""
        found = [part for part in self.parts[:tasks] if part is not None]
        return np.stack(found, axis=1) if len(found) == tasks else None

    @cached_property
    def parts(self) -> tuple[Floats | None, ...]:
        """The last n_post samples of every task in three equal parts."""
        return tuple(batches(task, self.setting) for task in self.samples)

    @cached_property
    def of_all_samples(self) -> tuple[Floats | None, ...]:
        """The observation of every task from all of its samples."""
        return tuple(observation(task, self.setting, None) for task in self.samples)

    @cached_property
    def of_post_samples(self) -> tuple[Floats | None, ...]:
        """The same from the last n_post samples of every pair."""
        last = self.setting.n_post
        return tuple(observation(task, self.setting, last) for task in self.samples)


def first_wrong(history: History, reading: Reading) -> Finding | None:
    """Go through the tasks, and through the steps of each."""
    if not history.in_order:
        return Finding(LINE_3, "samples", "all of a task before the next", "an earlier task again")
    for h in range(1, history.numbers.m + 1):
        for number, (step, choices) in enumerate(_steps()):
            options = frozenset(option for option in reading if option.choice in choices)
            key = number, h, options
            if key not in history.judged:
                history.judged[key] = step(history, reading, h)
            finding = history.judged[key]
            if finding is not None:
                return replace(finding, what=f"task {h}: {finding.what}")
    return None


Step = Callable[[History, Reading, int], Finding | None]


def _steps() -> tuple[tuple[Step, frozenset[str]], ...]:
    """The steps of one task in their order, with the choices that bear on each.

    Samples bear on `_errors` and `_next_set` too: they decide whether a new estimate is needed.
    """
    version, errors, samples = THRESHOLD.choice, FOUR.choice, ALL_SAMPLES.choice
    return (
        (_start, frozenset()),
        (_sampled, frozenset()),
        (_models, frozenset({version, samples})),
        (_labels, frozenset({AS_FOUND.choice})),
        (_errors, frozenset({version, errors, samples})),
        (_ptum, frozenset({version, errors})),
        (_post_samples, frozenset()),
        (_theta_bar, frozenset({version})),
        (_next_set, frozenset({version, samples})),
    )


def _start(history: History, _: Reading, h: int) -> Finding | None:
    report, every = history.reports[h - 1], history.setting.labels
    if h > 1:
        return None
    if report.initial != every:
        return Finding(LINE_1, "initial", f"{list(every)}", f"{list(report.initial)}")
    if report.models is not None:
        return Finding(LINE_1, "models", "null: nothing is known yet", "models")
    return None


def _sampled(history: History, _: Reading, h: int) -> Finding | None:
    samples = history.samples[h - 1]
    if history.of_all_samples[h - 1] is None:
        met = sorted({(asked.s, asked.a) for asked in samples})
        return Finding(LINE_5, "samples", "every pair", f"only {met}")
    return None


def _post_samples(history: History, _: Reading, h: int) -> Finding | None:
    """At least n_post samples of every pair after PTUM's queries; a fallback may take more."""
    setting, report = history.setting, history.reports[h - 1]
    later = [(asked.s, asked.a) for asked in history.samples[h - 1][max(report.queries, 0) :]]
    taken = {(s, a): later.count((s, a)) for s in range(setting.S) for a in range(setting.A)}
    pair = min(taken, key=lambda pair: taken[pair])
    if taken[pair] >= setting.n_post:
        return None
    expected = f"{setting.n_post} samples of {pair} after PTUM's queries"
    return Finding(POST, "samples", expected, f"{taken[pair]}")


def _labels(history: History, reading: Reading, h: int) -> Finding | None:
    """Models of task h in the labels of those of task h-1, as far as columns tell them apart."""
    before, now = (history.reports[task].O if task >= 0 else None for task in (h - 2, h - 1))
    if MATCHED not in reading or before is None or now is None:
        return None
    order = nearest_order(now, before)
    found, least = (float(np.sum((one - before) ** 2)) for one in (now, now[:, order]))
    if found <= PLAINLY_NEARER * least + FLOOR:
        return None
    expected = f"those of the task before: model {order.tolist()} of the estimate first to last"
    got = f"columns at a squared distance of {found:.6g}, not {least:.6g}"
    return Finding(LABELS, "models", expected, got)


def _models(history: History, reading: Reading, h: int) -> Finding | None:
    """Models of task h and T̂_{h-1} come from o_1, …, o_{h-1}, or are still those of task h-1.

    They may stay until a new triple is complete, and where Algorithm 3 may decline it (D96).
    """
    if h == 1:
        return None
    now, before = history.reports[h - 1], history.reports[h - 2]
    if now.O is None:
        return _still_nothing(history, reading, h)
    earlier = history.reports[h - 3].T if h > 2 else None
    kept = before.O is not None and _same(now.O, before.O) and _same(before.T, earlier)
    if kept and not _needs_new_estimate(history, reading, h - 1):
        return None
    learned = estimates(history, h - 1, reading)
    return wrong_models(now.O, before.T, learned, history.setting, earlier)


def _still_nothing(history: History, reading: Reading, h: int) -> Finding | None:
    """No models yet: right until every way to run Algorithm 3 has an estimate."""
    before = history.reports[h - 2]
    if before.O is not None:
        return Finding(LINE_7, "models", "those of the task before, at least", "null")
    if before.T is not None:
        return Finding(LINE_7_T, "T of the task before", "null as the models", shown(before.T))
    k, o = history.setting.k, history.observations(h - 1, reading)
    if o is None or len(o) // VIEWS < VIEWS * k:
        return None
    expected = [hmm_samples.admissible(o, k, way) for way in WAYS]
    if any(one.may_be_null for one in expected):
        return None
    return Finding(LINE_7, "models, as columns", shown(expected[0].estimates[0].O), "null")


def _needs_new_estimate(history: History, reading: Reading, tasks: int) -> bool:
    """Whether so many tasks complete a triple from which every learner makes an estimate.

    One that has made an estimate before does not wait for more triples (D49), but rank, noise or
    its views within tasks may make it decline.
    """
    o, k = history.observations(tasks, reading), history.setting.k
    if tasks % VIEWS or o is None:
        return False
    expected = [hmm_samples.admissible(o, k, way) for way in WAYS]
    noisy = len(o) // VIEWS >= VIEWS * k and any(one.may_be_null for one in expected)
    if noisy or not all(one.estimates for one in expected):
        return False
    if REPAIRED not in reading:
        return True
    views = history.batches(tasks)
    return views is not None and not within_tasks(views, k).may_be_null


def _same(one: Floats | None, other: Floats | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


@dataclass(frozen=True, eq=False)
class Learned:
    """What a learner may have found, raw, and how far a right answer may be off."""

    O: Floats
    T: Floats | None
    allowed: Mapping[str, float]


def estimates(history: History, tasks: int, reading: Reading) -> Iterator[Learned]:
    """Every (Ô, T̂) that a learner may have found in the first so many tasks."""
    o, k = history.observations(tasks, reading), history.setting.k
    if o is None:
        return
    if REPAIRED in reading:
        yield from _within_tasks(history, tasks)
    for way in WAYS:
        expected = hmm_samples.admissible(o, k, way)
        for found, allowed in zip(expected.estimates, expected.tolerances, strict=True):
            yield Learned(found.O, found.T, allowed)


def _within_tasks(history: History, tasks: int) -> Iterator[Learned]:
    """Views within each task, in every order of discovery."""
    views = history.batches(tasks)
    if views is None:
        return
    for estimate, left in within_tasks(views, history.setting.k).estimates:
        allowed = with_floor(amplified_within(views, estimate), estimate)
        yield Learned(estimate.O, estimate.T if left else None, allowed)


def wrong_models(
    O: Floats,
    T: Floats | None,
    learned: Iterable[Learned],
    setting: Setting,
    earlier: Floats | None = None,
) -> Finding | None:
    """Models and T̂ must be one estimate, made into probabilities, in one labelling.

    Where the estimate has no T̂ the `earlier` one may stay (D96, D103).

    Projection does not increase Euclidean distances, so an entry is off by √d times the error of
    the raw one, and clipping with division by a sum by no more than twice that.
    """
    nearest, distance, of_T = None, np.inf, None
    for one in learned:
        for columns in _as_probabilities(one.O, setting):
            order = np.argsort(nearest_order(O, columns))
            far = off(O, columns[:, order])
            if far <= 2 * len(O) ** 0.5 * one.allowed["O"]:
                expected = None if one.T is None else one.T[np.ix_(order, order)]
                if _right_T(T, expected, 2 * len(O) ** 0.5 * one.allowed["T"]):
                    return None
                if expected is None and _same(T, earlier):
                    return None
                of_T = shown(expected) if expected is not None else of_T or "null"
            if far < distance:
                nearest, distance = columns[:, order], far
    if of_T is not None:
        got = "null" if T is None else shown(T)
        return Finding(LINE_7_T, "T of the task before", of_T, got)
    if nearest is None:
        return Finding(LINE_7, "models", "null: there is no estimate", shown(O))
    return Finding(LINE_7, "models, as columns", shown(nearest), shown(O))


def _as_probabilities(raw: Floats, setting: Setting) -> Iterator[Floats]:
    """Blocks projected, or clipped and divided by their sums (D54, D92)."""
    S, A, U = setting.S, setting.A, setting.U
    yield np.stack([project_observation(column, S, A, U) for column in raw.T], axis=1)
    clipped = []
    for column in raw.T:
        q, p = split_observation(np.maximum(column, 0.0), S, A, U)
        if min(q.sum(axis=-1).min(), p.sum(axis=-1).min()) <= 0:
            return
        q, p = q / q.sum(axis=-1, keepdims=True), p / p.sum(axis=-1, keepdims=True)
        clipped.append(np.concatenate([q.ravel(), p.ravel()]))
    yield np.stack(clipped, axis=1)


def _right_T(T: Floats | None, expected: Floats | None, allowed: float) -> bool:
    """Raw, projected, or clipped and divided (D54); null only where T̂ does not exist (D103)."""
    if T is None or expected is None:
        return T is None and expected is None
    clipped = np.maximum(expected, 0.0)
    ways = [expected, project_columns(expected), clipped / np.maximum(clipped.sum(axis=0), FLOOR)]
    return any(off(T, way) <= allowed for way in ways)


def _errors(history: History, reading: Reading, h: int) -> Finding | None:
    """Line 8: errors after h-1 tasks; those of the task before while its models may stay."""
    report = history.reports[h - 1]
    if report.O is None:
        return _compare_errors(LINE_1, single(float("inf")), report.errors)
    before = history.reports[h - 2]
    kept = before.O is not None and _same(report.O, before.O) and report.errors == before.errors
    if kept and not _needs_new_estimate(history, reading, h - 1):
        return None
    expected, item = expected_errors(history.numbers, h - 1, reading), KEPT if kept else LINE_8
    if SINGLE in reading and _compare_errors(item, single(expected.Delta), report.errors) is None:
        return None
    return _compare_errors(item, expected, report.errors)


def expected_errors(numbers: SequenceNumbers, h: int, reading: Reading) -> ModelErrors:
    """Δ_{h+1} in one reading; with a single Δ all four may be their maximum as well (D02)."""
    bounds = numbers.repaired if REPAIRED in reading else numbers.rhos
    return bounds.model_errors(h, numbers.setting)


def _compare_errors(item: Item, right: ModelErrors, got: ModelErrors) -> Finding | None:
    for name in ERRORS:
        expected, found = getattr(right, name), getattr(got, name)
        if not math.isclose(expected, found, rel_tol=FLOOR):
            allowed = FLOOR * max(abs(expected), abs(found))  # as `math.isclose` has it
            shown = far_off(expected, found, allowed)
            return Finding(item, f"errors, {name}", f"{expected:.12g}", shown)
    return None


def _ptum(history: History, reading: Reading, h: int) -> Finding | None:
    """Line 4: PTUM on the models of Θ̃_h, replayed; without models line 2 must end it."""
    report, setting = history.reports[h - 1], history.setting
    if report.models is None:
        item = LINE_4.said(f"{LINE_4}, line 2 of PTUM")
        return _not_at_once(report, End.MODELS_TOO_INACCURATE, item)
    if not report.initial:
        return _not_at_once(report, End.ACTIVE_SET_EMPTY, LINE_4)
    if not 0 <= report.queries <= len(history.samples[h - 1]):
        got = f"{report.queries} of {len(history.samples[h - 1])}"
        return Finding(LINE_4, "queries", "no more than the samples of the task", got)
    eliminated = _among(report.initial, report.eliminations)
    if eliminated is None:
        got = f"{sorted({one.theta for one in report.eliminations})}"
        return Finding(LINE_4, "eliminations", f"models of {list(report.initial)}", got)
    chosen = approximate_models([report.models[theta] for theta in report.initial])
    inputs = InputLine(chosen, report.errors, setting.epsilon, setting.delta, setting.n)
    stopped = report.end == End.STOPPED.value
    ending = Ending(report.policy if stopped else None, report.end, eliminated)
    run = ReplayedRun(inputs, history.samples[h - 1][: report.queries], ending)
    return _replayed(history, run, reading)


def _among(
    labels: tuple[int, ...], eliminated: Iterable[Eliminated]
) -> tuple[Eliminated, ...] | None:
    """Eliminations with places in Θ̃_h for labels; None if one is of a model outside it."""
    place: dict[int | None, int | None] = {theta: i for i, theta in enumerate(labels)}
    found = []
    for one in eliminated:
        theta, prime = place.get(one.theta), None if one.test is None else one.test[-1]
        if theta is None or (prime is not None and prime not in place):
            return None
        test = None if one.test is None else (*one.test[:-1], place.get(prime))
        found.append(replace(one, theta=theta, test=test))
    return tuple(found)


def _replayed(history: History, run: ReplayedRun, reading: Reading) -> Finding | None:
    """None if PTUM did what one of its readings asks for, the same one in all tasks."""
    taken = {REPAIRED if option == LINE_2_ALONE else option for option in reading}
    common = frozenset(taken & {THRESHOLD, REPAIRED, FOUR, SINGLE})
    before = history.ways.get(common) or [way for way in REPLAYED if common <= way]
    findings = {way: first_divergence(run, way) for way in before}
    history.ways[common] = [way for way, finding in findings.items() if finding is None]
    first = findings[before[0]]
    if history.ways[common] or first is None:
        return None
    return replace(first, item=LINE_4.said(f"{LINE_4}, PTUM: {first.item}"))


def _not_at_once(report: TaskReport, expected: End, item: Item) -> Finding | None:
    """With no model to start with nothing is asked, and no model can be eliminated."""
    if report.end != expected.value or report.queries:
        got = f"{report.end!r} after {report.queries} queries"
        return Finding(item, "end", f"{expected.value!r} at once", got)
    if report.eliminations:
        got = f"model {report.eliminations[0].theta} is eliminated"
        return Finding(item, "eliminations", "none: there is no model to start with", got)
    return None


def _theta_bar(history: History, reading: Reading, h: int) -> Finding | None:
    """Θ̄_h: what PTUM left, all labels if that is nothing (D44); repaired: found again (E39)."""
    report, every = history.reports[h - 1], history.setting.labels
    if REPAIRED in reading and history.of_post_samples[h - 1] is None:
        return Finding(LINE_5, "post-samples", "some of every pair", "none")
    if REPAIRED in reading:
        right = {found_again(history, h)}
    elif report.end == End.MODELS_TOO_INACCURATE.value:
        right = {every, report.initial}
    else:
        gone = {eliminated.theta for eliminated in report.eliminations}
        left = tuple(theta for theta in report.initial if theta not in gone)
        right = {left} if left else {every, ()}
    if report.active in right:
        return None
    expected = " or ".join(f"{list(one)}" for one in sorted(right))
    return Finding(FEEDBACK, "active", expected, f"{list(report.active)}")


def found_again(history: History, h: int) -> tuple[int, ...]:
    """Θ̄_h of the repaired version, from the post-samples of task h and the models it began with."""
    report, setting = history.reports[h - 1], history.setting
    o = history.of_post_samples[h - 1]
    assert o is not None
    q, p = split_observation(o, setting.S, setting.A, setting.U)
    models = report.models if report.models is not None else current_models(None, setting)
    return reidentify(
        q @ np.array(setting.u),
        p,
        approximate_models(models),
        n_post=setting.n_post,
        delta=setting.delta,
        errors=report.errors,
    )


def _next_set(history: History, reading: Reading, h: int) -> Finding | None:
    """Line 9: Θ̃_{h+1} from T̂_h and Θ̄_h."""
    if h == history.numbers.m:
        return None
    report, kept = history.reports[h - 1], history.reports[h].initial
    every = history.setting.labels
    if report.T is None:
        if kept == every:
            return None
        return Finding(LINE_9, "initial of the next task", f"{list(every)}", f"{list(kept)}")
    times = [h]
    while _may_be_older(history, reading, times[-1]):
        times.append(times[-1] - 1)
    rule = _wrong_drop if REPAIRED in reading else _wrong_prediction
    findings = [rule(history.numbers, report, kept, time) for time in times]
    return None if any(finding is None for finding in findings) else findings[0]


def _may_be_older(history: History, reading: Reading, h: int) -> bool:
    """Whether T̂_h may be T̂_{h-1}, kept: then it may be taken as one of h-1 tasks.

    Without a new estimate, or with one that has no T̂ (D103).
    """
    if h == 1 or not _same(history.reports[h - 2].T, history.reports[h - 1].T):
        return False
    without = REPAIRED in reading and any(one.T is None for one in _within_tasks(history, h))
    return without or not _needs_new_estimate(history, reading, h)


def _wrong_prediction(
    numbers: SequenceNumbers, report: TaskReport, kept: tuple[int, ...], h: int
) -> Finding | None:
    """The rule of Theorem 3, with any answer to D91."""
    assert report.T is not None
    given = prediction.RuleNumbers(
        h=h,
        m=numbers.m,
        d=numbers.setting.d,
        delta=numbers.setting.delta,
        delta_prime=numbers.setting.delta_prime,
        rho_T=numbers.rho_T,
    )
    setting = prediction.PredictionInputs(report.T, report.active, given)
    findings = [prediction.wrong_set(setting, kept, way) for way in prediction.RULES]
    if any(finding is None for finding in findings):
        return None
    first = findings[0]
    assert first is not None
    return replace(
        first, item=LINE_9.said(f"{LINE_9}, {first.item}"), what=f"next set, {first.what}"
    )


def _wrong_drop(
    numbers: SequenceNumbers, report: TaskReport, kept: tuple[int, ...], h: int
) -> Finding | None:
    """The mass rule: any set may be dropped whose mass is at most η (D90)."""
    assert report.T is not None
    setting, constants = numbers.setting, numbers.repaired
    dropped = [theta for theta in setting.labels if theta not in kept]
    if not dropped:
        return None
    speaks = transition_condition(setting.level(h), rho_5=constants.rho_5)
    e_T = theorem_2_bound(setting.level(h), rho_any=constants.rho_6)
    bound = next_task_bound(report.T, report.active, dropped, e_T=e_T)
    if speaks and kept and bound <= numbers.eta * (1 + FLOOR):
        return None
    expected = f"a dropped mass of at most η = {numbers.eta:.6g}"
    return Finding(
        LINE_9.said(f"{LINE_9}, mass rule"), "next set", expected, f"{bound:.6g} by {dropped}"
    )
