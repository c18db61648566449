"""Algorithm 2 as a whole: the subject asks for samples of m tasks and reports what it did at each.

Nothing is compared with a run of ours. Every report must follow from what came before it: the
models from the samples (lines 5-7), their errors from the number of tasks (line 8), Θ̃_{h+1} from
T̂_h and Θ̄_h (line 9), and what PTUM did from the models that it was given (line 4), which is
replayed. What differs from one right run to another, such as the fallback, the restarts, or how
Algorithm 3 inverts and symmetrises, is left open.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from checks.judge.capabilities import Implementation, hmm_samples, prediction
from checks.judge.fields import Field, as_json
from checks.judge.hmms import (
    Estimate,
    amplified_within,
    nearest_order,
    off,
    shown,
    with_floor,
)
from checks.judge.options import FOUR, SINGLE, THRESHOLD
from checks.judge.parsing import errors_fields, task_fields
from checks.judge.plain_sequential import PlainSequential, Sample
from checks.judge.readings import (
    REPAIRED,
    Capability,
    Case,
    Finding,
    Judge,
    Option,
    Reading,
    Sampler,
    all_readings,
)
from checks.judge.replay import READINGS as REPLAYED
from checks.judge.replay import Ending, Inputs, Run, first_divergence
from checks.judge.sequence import (
    ERRORS,
    Numbers,
    Report,
    batches,
    by_task,
    numbers_of,
    observation,
    reports_of,
)
from checks.judge.tolerances import FLOOR
from checks.judge.transcript import Asked, Fields
from reference.arrays import Floats
from reference.assumptions import ModelErrors, single
from reference.errors import InputError
from reference.fallback import UniformSampling
from reference.generative import Simulator
from reference.hmm import VIEWS, split_observation
from reference.mdp import MDP
from reference.models import approximate_models
from reference.prediction import Theorem3
from reference.projection import project_columns, project_observation
from reference.ptum import End
from reference.repaired import sequential as repaired_version
from reference.repaired.prediction import PerStep, reidentify
from reference.repaired.sequential import model_errors_after
from reference.repaired.sequential_bounds import theorem_2_bound, theorem_2_condition
from reference.repaired.spectral import learn_within_task
from reference.repaired.spectral_bounds import next_task_bound
from reference.sequential import Estimate as LatestEstimate
from reference.sequential import (
    Setting,
    TaskRecord,
    current_models,
    sequential_transfer,
    theorem_2_errors,
)
from reference.spectral import HmmEstimate

ALL_SAMPLES = Option("D46", "all samples of the task", "E41")
POST_SAMPLES = Option("D46", "post-samples only, fixed number")

READINGS: tuple[Reading, ...] = (
    *all_readings((THRESHOLD,), (FOUR, SINGLE), (ALL_SAMPLES, POST_SAMPLES)),
    *all_readings((REPAIRED,), (FOUR, SINGLE), (POST_SAMPLES,)),
)

FLAGS: Mapping[str, str] = {
    "k=1": "a single task, again and again",
    "S=2": "two states, so that transitions matter",
    "gamma=0": "only the first reward counts",
    "no-transfer": "line 2 of PTUM sends every task to the fallback",
    "too-few": "Algorithm 3 never has k triples",
    "condition": "Theorem 2 does not speak of so few tasks yet: errors stay infinite",
    "prediction": "the rule of Theorem 3 drops a task",
    "asymmetric": "rows and columns of T predict different tasks",
    "certain": "rewards and next states are certain, so that estimates are exact",
    "noisy": "rewards are random",
    "four-constants": "the four constants of Theorem 2 differ",
    "drawn": "drawn at random from the seed",
}

LINE_1 = "line 1, Δ_1 = ∞ and Θ̃_1 = Θ"
LINE_3 = "line 3, one task after the other"
LINE_4 = "line 4"
LINE_5 = "line 5, at least one sample of every pair"
LINE_7 = "lines 5-7, models from Ô_h"
LINE_7_T = "lines 6-7, T̂_h in the labels of the models"
LINE_8 = "line 8, Theorem 2, Δ = ρ √(log(π²h²SA(S+U)/δ')/h)"
LINE_9 = "line 9"
FEEDBACK = "line 9, Θ̄_h is the set that PTUM returned"

SEEDS = 8
"""Different restarts with which the learner within tasks is asked, to see every order."""


# The judge


@dataclass(frozen=True, eq=False)
class Story:
    """A run: its numbers, the reports, and the samples of every task."""

    numbers: Numbers
    reports: tuple[Report, ...]
    samples: tuple[tuple[Asked, ...], ...]
    in_order: bool

    @property
    def setting(self) -> Setting:
        """k, S, A and the like."""
        return self.numbers.setting

    def observations(self, tasks: int, reading: Reading) -> Floats | None:
        """o_1, …, o_h as rows, by the option of D46; None if a pair has no sample."""
        every = self.of_post_samples if POST_SAMPLES in reading else self.of_all_samples
        found = [row for row in every[:tasks] if row is not None]
        return np.stack(found) if len(found) == tasks else None

    @cached_property
    def of_all_samples(self) -> tuple[Floats | None, ...]:
        """The observation of every task from all of its samples."""
        return tuple(observation(task, self.setting, None) for task in self.samples)

    @cached_property
    def of_post_samples(self) -> tuple[Floats | None, ...]:
        """The same from the last n_post samples of every pair."""
        last = self.setting.n_post
        return tuple(observation(task, self.setting, last) for task in self.samples)


def judge(request: Fields, answer: Fields, queries: Sequence[Asked]) -> Judge:
    """Walk through the tasks; the first thing that does not follow is told."""
    numbers = numbers_of(request)
    tasks = [asked.h for asked in queries]
    story = Story(
        numbers,
        reports_of(answer, numbers),
        by_task(queries, numbers),
        in_order=tasks == sorted(tasks),
    )

    def wrong(reading: Reading) -> Finding | None:
        return _first_wrong(story, reading)

    return wrong


def _first_wrong(story: Story, reading: Reading) -> Finding | None:
    if not story.in_order:
        return Finding(LINE_3, "samples", "all of a task before the next", "an earlier task again")
    for h in range(1, story.numbers.m + 1):
        for step in (_start, _sampled, _models, _errors, _ptum, _theta_bar, _next_set):
            finding = step(story, reading, h)
            if finding is not None:
                return replace(finding, what=f"task {h}: {finding.what}")
    return None


def _start(story: Story, _: Reading, h: int) -> Finding | None:
    report, every = story.reports[h - 1], story.setting.labels
    if h > 1:
        return None
    if report.initial != every:
        return Finding(LINE_1, "initial", f"{list(every)}", f"{list(report.initial)}")
    if report.models is not None:
        return Finding(LINE_1, "models", "null: nothing is known yet", "models")
    return None


def _sampled(story: Story, _: Reading, h: int) -> Finding | None:
    samples = story.samples[h - 1]
    if story.of_all_samples[h - 1] is None:
        met = sorted({(asked.s, asked.a) for asked in samples})
        return Finding(LINE_5, "samples", "every pair", f"only {met}")
    return None


def _models(story: Story, reading: Reading, h: int) -> Finding | None:
    """Models of task h and T̂_{h-1} come from o_1, …, o_{h-1}, or are still those of task h-1."""
    if h == 1:
        return None
    now, before = story.reports[h - 1], story.reports[h - 2]
    if now.O is None:
        return _still_nothing(story, reading, h)
    earlier = story.reports[h - 3].T if h > 2 else None
    if before.O is not None and _same(now.O, before.O) and _same(before.T, earlier):
        return None
    return wrong_models(now.O, before.T, estimates(story, h - 1, reading), story.setting)


def _still_nothing(story: Story, reading: Reading, h: int) -> Finding | None:
    """No models yet: right until every way to run Algorithm 3 has an estimate."""
    before = story.reports[h - 2]
    if before.O is not None:
        return Finding(LINE_7, "models", "those of the task before, at least", "null")
    if before.T is not None:
        return Finding(LINE_7_T, "T of the task before", "null as the models", shown(before.T))
    o = story.observations(h - 1, reading)
    if o is None:
        return None
    due = [hmm_samples.admissible(o, story.setting.k, way) for way in hmm_samples.READINGS]
    if any(one.may_be_null for one in due):
        return None
    return Finding(LINE_7, "models, as columns", shown(due[0].estimates[0].O), "null")


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


def estimates(story: Story, tasks: int, reading: Reading) -> Iterator[Learned]:
    """Every (Ô, T̂) that a learner may have found in the first so many tasks."""
    o, k = story.observations(tasks, reading), story.setting.k
    if o is None:
        return
    for way in hmm_samples.READINGS:
        due = hmm_samples.admissible(o, k, way)
        for found, allowed in zip(due.estimates, due.tolerances, strict=True):
            yield Learned(found.O, found.T, allowed)
    if REPAIRED in reading:
        yield from _within_tasks(story, tasks)


def _within_tasks(story: Story, tasks: int) -> Iterator[Learned]:
    """Views within each task, with different restarts to see every order of discovery."""
    parts = [batches(task, story.setting) for task in story.samples[:tasks]]
    found = [part for part in parts if part is not None]
    if len(found) < tasks:
        return
    views, k = np.stack(found, axis=1), story.setting.k
    for seed in range(SEEDS):
        learned = learn_within_task(views, k, 1, 100, np.random.default_rng(seed))
        if isinstance(learned, HmmEstimate):
            T = np.eye(k) if learned.T is None else learned.T
            estimate = Estimate(learned.O, T, learned.weights)
            allowed = with_floor(amplified_within(views, estimate), estimate)
            yield Learned(learned.O, learned.T, allowed)


def wrong_models(
    O: Floats, T: Floats | None, learned: Iterable[Learned], setting: Setting
) -> Finding | None:
    """Models and T̂ must be one estimate, made into probabilities, in one labelling.

    Projection does not increase Euclidean distances, so an entry is off by √d times the error of
    the raw one, and clipping with division by a sum by no more than twice that.
    """
    nearest, distance, of_T = None, np.inf, None
    for one in learned:
        for columns in _as_probabilities(one.O, setting):
            order = np.argsort(nearest_order(O, columns))
            far = off(O, columns[:, order])
            if far <= 2 * len(O) ** 0.5 * one.allowed["O"]:
                due = None if one.T is None else one.T[np.ix_(order, order)]
                if _right_T(T, due, 2 * len(O) ** 0.5 * one.allowed["T"]):
                    return None
                of_T = due if of_T is None else of_T
            if far < distance:
                nearest, distance = columns[:, order], far
    if of_T is not None:
        got = "null" if T is None else shown(T)
        return Finding(LINE_7_T, "T of the task before", shown(of_T), got)
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


def _right_T(T: Floats | None, due: Floats | None, allowed: float) -> bool:
    """Raw, projected, or clipped and divided (D54); null only where T̂ does not exist (D103)."""
    if T is None or due is None:
        return T is None and due is None
    clipped = np.maximum(due, 0.0)
    ways = [due, project_columns(due), clipped / np.maximum(clipped.sum(axis=0), FLOOR)]
    return any(off(T, way) <= allowed for way in ways)


def _errors(story: Story, reading: Reading, h: int) -> Finding | None:
    """Line 8: errors after h-1 tasks; those of the task before while its models stay."""
    report = story.reports[h - 1]
    if report.O is None:
        return _compare_errors(LINE_1, single(float("inf")), report.errors)
    before = story.reports[h - 2]
    if before.O is not None and _same(report.O, before.O) and report.errors == before.errors:
        return None
    due = due_errors(story.numbers, h - 1, reading)
    if SINGLE in reading and _compare_errors(LINE_8, single(due.Delta), report.errors) is None:
        return None
    return _compare_errors(LINE_8, due, report.errors)


def due_errors(numbers: Numbers, h: int, reading: Reading) -> ModelErrors:
    """Δ_{h+1} in one reading; with a single Δ all four may be their maximum as well (D02)."""
    if REPAIRED in reading:
        return model_errors_after(numbers.repaired, h, numbers.setting)
    return theorem_2_errors(numbers.rhos, h, numbers.setting)


def _compare_errors(item: str, due: ModelErrors, got: ModelErrors) -> Finding | None:
    for name in ERRORS:
        expected, found = getattr(due, name), getattr(got, name)
        if not math.isclose(expected, found, rel_tol=FLOOR):
            return Finding(item, f"errors, {name}", f"{expected:.12g}", f"{found:.12g}")
    return None


def _ptum(story: Story, reading: Reading, h: int) -> Finding | None:
    """Line 4: PTUM on the models of Θ̃_h, replayed; without models line 2 must end it."""
    report, setting = story.reports[h - 1], story.setting
    if report.models is None:
        due = End.MODELS_TOO_INACCURATE.value
        if report.end != due or report.queries:
            got = f"{report.end!r} after {report.queries} queries"
            return Finding(f"{LINE_4}, line 2 of PTUM", "end", f"{due!r} at once", got)
        return None
    if not report.initial:
        return None if report.end == End.ACTIVE_SET_EMPTY.value else _no_model(report)
    if not 0 <= report.queries <= len(story.samples[h - 1]):
        got = f"{report.queries} of {len(story.samples[h - 1])}"
        return Finding(LINE_4, "queries", "no more than the samples of the task", got)
    place = {theta: i for i, theta in enumerate(report.initial)}
    if any(fallen.theta not in place for fallen in report.eliminations):
        return Finding(LINE_4, "eliminations", f"models of {list(report.initial)}", "another one")
    chosen = approximate_models([report.models[theta] for theta in report.initial])
    inputs = Inputs(chosen, report.errors, setting.epsilon, setting.delta, setting.n)
    fallen = tuple(replace(one, theta=place[one.theta]) for one in report.eliminations)
    stopped = report.end == End.STOPPED.value
    ending = Ending(report.policy if stopped else None, report.end, fallen)
    run = Run(inputs, story.samples[h - 1][: report.queries], ending)
    return _replayed(run, reading)


def _replayed(run: Run, reading: Reading) -> Finding | None:
    """None if PTUM did what one of its readings asks for, with the same threshold and widths."""
    decided = {THRESHOLD, REPAIRED, FOUR, SINGLE}
    first: Finding | None = None
    for way in REPLAYED:
        if not decided & way <= reading:
            continue
        finding = first_divergence(run, way)
        if finding is None:
            return None
        first = first or replace(finding, item=f"{LINE_4}, {finding.item} of PTUM")
    return first


def _no_model(report: Report) -> Finding:
    due = End.ACTIVE_SET_EMPTY.value
    return Finding(LINE_4, "end", f"{due!r}: no model to start with", f"{report.end!r}")


def _theta_bar(story: Story, reading: Reading, h: int) -> Finding | None:
    """Θ̄_h: what PTUM left, all labels if that is nothing (D44); repaired: found again (E39)."""
    report, every = story.reports[h - 1], story.setting.labels
    if REPAIRED in reading:
        due = {found_again(story, h)}
    elif report.end == End.MODELS_TOO_INACCURATE.value:
        due = {every, report.initial}
    else:
        gone = {fallen.theta for fallen in report.eliminations}
        left = tuple(theta for theta in report.initial if theta not in gone)
        due = {left} if left else {every, ()}
    if report.active in due:
        return None
    expected = " or ".join(f"{list(one)}" for one in sorted(due))
    return Finding(FEEDBACK, "active", expected, f"{list(report.active)}")


def found_again(story: Story, h: int) -> tuple[int, ...]:
    """Θ̄_h of the repaired version, from the post-samples of task h and the models it began with."""
    report, setting = story.reports[h - 1], story.setting
    o = story.of_post_samples[h - 1]
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


def _next_set(story: Story, reading: Reading, h: int) -> Finding | None:
    """Line 9: Θ̃_{h+1} from T̂_h and Θ̄_h."""
    if h == story.numbers.m:
        return None
    report, kept = story.reports[h - 1], story.reports[h].initial
    every = story.setting.labels
    if report.T is None:
        if kept == every:
            return None
        return Finding(LINE_9, "initial of the next task", f"{list(every)}", f"{list(kept)}")
    times = [h]
    while times[-1] > 1 and _same(story.reports[times[-1] - 2].T, report.T):
        times.append(times[-1] - 1)
    rule = _wrong_drop if REPAIRED in reading else _wrong_prediction
    findings = [rule(story.numbers, report, kept, time) for time in times]
    return None if any(finding is None for finding in findings) else findings[0]


def _wrong_prediction(
    numbers: Numbers, report: Report, kept: tuple[int, ...], h: int
) -> Finding | None:
    """The rule of Theorem 3, with any answer to D91."""
    assert report.T is not None
    given = prediction.Numbers(
        h=h,
        m=numbers.m,
        d=numbers.setting.d,
        delta=numbers.setting.delta,
        delta_prime=numbers.setting.delta_prime,
        rho_T=numbers.rho_T,
    )
    setting = prediction.Setting(report.T, report.active, given)
    ways = prediction.CAPABILITY.readings
    findings = [prediction.wrong_set(setting, kept, way) for way in ways]
    if any(finding is None for finding in findings):
        return None
    first = findings[0]
    assert first is not None
    return replace(first, item=f"{LINE_9}, {first.item}", what=f"next set, {first.what}")


def _wrong_drop(numbers: Numbers, report: Report, kept: tuple[int, ...], h: int) -> Finding | None:
    """The mass rule: any set may be dropped whose mass is at most η (D90)."""
    assert report.T is not None
    setting, constants = numbers.setting, numbers.repaired
    dropped = [theta for theta in setting.labels if theta not in kept]
    if not dropped:
        return None
    sizes = {"S": setting.S, "A": setting.A, "U": setting.U, "h": h}
    speaks = theorem_2_condition(rho_3=constants.rho_3, delta_prime=setting.delta_prime, **sizes)
    e_T = theorem_2_bound(rho_any=constants.rho_6, delta_prime=setting.delta_prime, **sizes)
    bound = next_task_bound(report.T, report.active, dropped, e_T=e_T)
    if speaks and kept and bound <= numbers.eta * (1 + FLOOR):
        return None
    expected = f"a dropped mass of at most η = {numbers.eta:.6g}"
    return Finding(f"{LINE_9}, mass rule", "next set", expected, f"{bound:.6g} by {dropped}")


def tolerance(_: Fields) -> dict[str, float]:
    """Errors are formulas, met to a 10⁻⁹ of their size.

    Models and T̂ are held to the bounds of `hmm_samples` for the samples that the subject took; a
    request alone does not tell them.
    """
    return {"errors": FLOOR}


TOLERANCE = tolerance


# Right implementations


@dataclass(frozen=True)
class _Task:
    """Task h as a generative model."""

    sampler: Sample
    h: int

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """One sample of task h."""
        return self.sampler(self.h, s, a)


def _told(
    record: TaskRecord, models: tuple[MDP, ...] | None, T: Floats | None
) -> dict[str, object]:
    result = record.result
    return {
        "initial": record.initial,
        "errors": errors_fields(record.errors),
        "models": None if models is None else [task_fields(task) for task in models],
        "end": result.end.value,
        "queries": result.queries,
        "eliminations": [{"t": one.t, "theta": one.theta} for one in result.eliminations],
        "active": record.theta_bar,
        "policy": result.policy,
        "T": T,
    }


def _reports(records: Iterable[TaskRecord], setting: Setting) -> dict[str, object]:
    tasks: list[dict[str, object]] = []
    estimate: LatestEstimate | None = None
    for record in records:
        models = None if estimate is None else current_models(estimate, setting)
        estimate = record.after.estimate
        tasks.append(_told(record, models, None if estimate is None else estimate.T))
    return {"tasks": tasks}


def literal(sample: Sample, **request: object) -> dict[str, object]:
    """`reference.sequential` with the rule of Theorem 3."""
    numbers = _numbers(request)
    setting = numbers.setting
    records = sequential_transfer(
        [_Task(sample, h) for h in range(1, numbers.m + 1)],
        k=setting.k,
        S=setting.S,
        A=setting.A,
        u=setting.u,
        gamma=setting.gamma,
        epsilon=setting.epsilon,
        delta=setting.delta,
        n=setting.n,
        delta_prime=setting.delta_prime,
        n_post=setting.n_post,
        rhos=numbers.rhos,
        fallback=UniformSampling(),
        rule=Theorem3(m=numbers.m, rho_T=numbers.rho_T),
        L=20,
        N=60,
    )
    return _reports(records, setting)


def repaired(sample: Sample, **request: object) -> dict[str, object]:
    """`reference.repaired.sequential`, with views within each task."""
    numbers = _numbers(request)
    setting = numbers.setting
    records = repaired_version.sequential_transfer(
        [_Task(sample, h) for h in range(1, numbers.m + 1)],
        k=setting.k,
        S=setting.S,
        A=setting.A,
        u=setting.u,
        gamma=setting.gamma,
        epsilon=setting.epsilon,
        delta=setting.delta,
        n=setting.n,
        delta_prime=setting.delta_prime,
        n_post=setting.n_post,
        rhos=numbers.repaired,
        fallback=UniformSampling(),
        rule=PerStep(eta=numbers.eta),
        L=20,
        N=60,
    )
    return _reports(records, setting)


def _numbers(request: Mapping[str, object]) -> Numbers:
    return numbers_of({name: as_json(value) for name, value in request.items()})


class OneConstant(PlainSequential):
    """The largest of the four errors stands for all (D02)."""

    one_constant = True


class OnlyPostSamples(PlainSequential):
    """Observations from the post-samples alone, all else as printed (D46)."""

    only_post_samples = True


class Matched(PlainSequential):
    """Labels follow the estimate before (D55), and T̂ is projected (D54)."""

    def matched(self, O: Floats, T: Floats) -> tuple[Floats, Floats]:
        """Rows and columns of T̂ follow the columns of Ô."""
        order = np.arange(O.shape[1]) if self.O is None else nearest_order(O, self.O)
        return O[:, order], project_columns(T[np.ix_(order, order)])


class Lazy(PlainSequential):
    """A new estimate only when a new triple is complete; the old one and its errors until then."""

    def learn(self, h: int) -> None:
        """Lines 6-8 at every third task."""
        if h % VIEWS == 0:
            super().learn(h)

    def left_side(self, theta: int, known: list[int], h: int) -> float:
        """With the number of tasks that T̂ was estimated from."""
        return super().left_side(theta, known, h - h % VIEWS)


def plainly(variant: type[PlainSequential]) -> Implementation:
    """A subclass of `PlainSequential` as an implementation."""

    def run(sample: Sample, **request: object) -> dict[str, object]:
        return variant(**request).answer(sample)

    return run


GOOD: Mapping[str, Implementation] = {
    "literal": literal,
    "repaired": repaired,
    "plain": plainly(PlainSequential),
    "one-constant": plainly(OneConstant),
    "only-post-samples": plainly(OnlyPostSamples),
    "matched": plainly(Matched),
    "every-third-task": plainly(Lazy),
}


# Cases


def _bandit(*chances: float) -> MDP:
    """One state; arm a pays 1 with the given chance."""
    q = np.array([[(1 - chance, chance) for chance in chances]])
    return MDP(p=np.ones((1, len(chances), 1)), q=q, u=np.array([0.0, 1.0]), gamma=0.0)


def _walk(*moves: Sequence[int]) -> MDP:
    """Two states; action a in state s leads to moves[s][a] for sure; only state 1 pays."""
    q = np.array([[(1.0, 0.0)] * 2, [(0.0, 1.0)] * 2])
    return MDP(p=np.eye(2)[np.array(moves)], q=q, u=np.array([0.0, 1.0]), gamma=0.125)


USUAL: Fields = {
    "epsilon": 0.75,
    "delta": 2.0**-16,
    "n": 400,
    "delta_prime": 0.5,
    "n_post": 18,
    "rho": 0.0,
    "rho_r": 0.01,
    "rho_p": 0.01,
    "rho_sigma_r": 0.01,
    "rho_sigma_p": 0.01,
    "rho_T": 1.0,
    "rho_3": 1e-6,
    "rho_4": 1e-4,
    "rho_6": 1e-3,
    "eta": 0.125,
}


def _case(
    name: str,
    tasks: Sequence[MDP],
    sequence: Sequence[int],
    *flags: str,
    **numbers: float,
) -> Case:
    first = tasks[0]
    request: Fields = {
        "k": len(tasks),
        "S": first.S,
        "A": first.A,
        "u": first.u.tolist(),
        "gamma": first.gamma,
        **USUAL,
        **numbers,
        "m": len(sequence),
    }

    def sampler() -> Sampler:
        stream = {h: Simulator(tasks[j], h) for h, j in enumerate(sequence, start=1)}

        def sample(h: int, s: int, a: int) -> tuple[float, int]:
            if h not in stream:
                raise InputError("h", f"there are tasks 1 to {len(stream)}", value=h)
            return stream[h].sample(s, a)

        return sample

    return Case(f"sequential/{name}", request, flags, sampler)


LEFT, RIGHT = _bandit(1.0, 0.0), _bandit(0.0, 1.0)
ABSORBED = (0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0)
"""Its three triples say exactly: after task 0 always task 0, after task 1 either."""

FOUR_CONSTANTS = {"rho_r": 0.01, "rho_p": 0.02, "rho_sigma_r": 0.015, "rho_sigma_p": 0.005}


def _edge_cases() -> Iterator[Case]:
    two = (LEFT, RIGHT)
    yield _case("one-task", [LEFT], [0] * 11, "k=1", "gamma=0", "certain")
    yield _case("first-task", two, [1], "too-few", "no-transfer", "gamma=0", "certain")
    yield _case("too-few", two, [0, 1, 1, 0, 1], "too-few", "no-transfer", "gamma=0", "certain")
    yield _case("alternating", two, [0, 1, 0, 1, 0, 1, 0, 1], "gamma=0", "certain")
    sure = {"rho_T": 0.0}
    yield _case("absorbed", two, ABSORBED, "prediction", "asymmetric", "certain", **sure)
    other = (*ABSORBED[:9], 1, 0)
    yield _case("other-task", two, other, "prediction", "asymmetric", "certain", **sure)
    swap = [0, 1, 0, 1, 0, 1, 0, 1, 0]
    yield _case("swap", two, swap, "prediction", "four-constants", **sure, **FOUR_CONSTANTS)
    large = {"rho_r": 1.0, "rho_4": 10.0}
    yield _case("large-errors", two, swap[:7], "no-transfer", "certain", **large)
    late = {"rho": 10.0, "rho_3": 10.0}
    yield _case("condition", two, swap[:7], "condition", "no-transfer", "certain", **late)
    walks = (_walk((0, 1), (1, 0)), _walk((1, 0), (0, 1)))
    yield _case("walks", walks, swap[:7], "S=2", "certain", "four-constants", **FOUR_CONSTANTS)
    noisy = [_bandit(0.75, 0.25)]
    yield _case("one-noisy-task", noisy, [0] * 5, "k=1", "noisy", "gamma=0")


def _drawn_cases(seed: int) -> Iterator[Case]:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(16,)))
    last = [int(j) for j in rng.integers(0, 2, size=2)]
    sequence = [*ABSORBED[:9], *last]
    yield _case(f"drawn-{seed}-0", (LEFT, RIGHT), sequence, "drawn", rho_T=0.0)


def cases(seed: int) -> Iterator[Case]:
    """Short sequences of small tasks, most of them certain, so that estimates are exact."""
    yield from _edge_cases()
    yield from _drawn_cases(seed)


def _number(name: str, says: str) -> Field:
    return Field(name, "real", (), says)


CAPABILITY = Capability(
    name="sequential",
    item="algorithm-2",
    says="sequential transfer over m tasks; sample(h, s, a) gives samples of task h, from 1 to m,"
    " and the answer reports every task",
    input=(
        Field("k", "integer", (), "number of tasks that there are"),
        Field("S", "integer", (), "states"),
        Field("A", "integer", (), "actions"),
        Field("u", "real", ("U",), "reward values"),
        _number("gamma", "discount factor"),
        _number("epsilon", "accuracy ε of PTUM"),
        _number("delta", "confidence δ of PTUM; at most δ'/(3m²)"),
        Field("n", "integer", (), "largest number of PTUM's queries in a task"),
        _number("delta_prime", "confidence δ' of Theorems 2 and 3"),
        Field("n_post", "integer", (), "samples of every pair when a task is over"),
        _number("rho", "ρ in the condition of Theorem 2"),
        _number("rho_r", "ρ_r of Theorem 2"),
        _number("rho_p", "ρ_p of Theorem 2"),
        _number("rho_sigma_r", "ρ_{σ_r} of Theorem 2"),
        _number("rho_sigma_p", "ρ_{σ_p} of Theorem 2"),
        _number("rho_T", "ρ_T of Theorem 3"),
        _number("rho_3", "ρ_3, repaired version only: Theorem 2 speaks if h ≥ ρ_3 log c_h"),
        _number("rho_4", "ρ_4, repaired version only: error of a column of Ô_h"),
        _number("rho_6", "ρ_6, repaired version only: error of a column of T̂_h"),
        _number("eta", "η, repaired version only: chance of a miss per step"),
        Field("m", "integer", (), "number of tasks in the sequence"),
    ),
    output=(
        Field(
            "tasks",
            "object",
            (),
            "m reports: initial (labels Θ̃_h), errors (Δ_h: r, p, sigma_r, sigma_p, or inf), models"
            " (k tasks with p and q that task h starts with; null before there are any), end (as"
            " in ptum), queries (of PTUM itself, the first ones of the task), eliminations"
            " (objects with t and theta), active (labels Θ̄_h), policy (or null), T (T̂_h when"
            " task h is over, in the labels of the models of task h+1, or null)",
        ),
    ),
    readings=READINGS,
    cases=cases,
    judge=judge,
    samples=True,
)
