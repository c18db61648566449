"""Algorithm 2 as run: the schedule of Appendix E.2 around the ten lines.

| Appendix E.2                                           | code                          |
| ------------------------------------------------------ | ----------------------------- |
| 300 tasks by uniform sampling, 50, 150 or 250 a pair   | `Schedule.start_up`, `per_pair` |
| post-samples after an identification, 30, 100 or 200   | `Schedule.n_post`             |
| ρ from 0.135 to 0.006 over the first 100 transfer tasks | `Schedule.rho`, `last_rho`, `decay` |
| uniform sampling where PTUM exceeds its budget         | `UniformPerPair`              |
| low-rank SVD of the moments                            | `spectral.learn_hmm`          |
| η = 0.087, ρ_T = 0.001, the top three models           | `prediction.Experiment`       |
| the static variant                                     | `rule=None`                   |
| the oracle, PTUM with all exact models                 | `oracle`                      |

Against the printed Algorithm 2 (`ptum.reference.sequential.algorithm`): nothing is estimated before
the start-up is over (D57), a task that was sampled uniformly has no post-samples (D94), and labels
of successive estimates are matched, without which no prediction means anything (D55;
`aligned=False` is the printed text). All samples of a task make its observation, as printed
(D46, E41).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from ptum.reference.arrays import Floats
from ptum.reference.errors import require, require_choice, require_count, require_real, settle
from ptum.reference.experiments.spectral import learn_hmm
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.sequential.algorithm import Setting, State, TaskRecord
from ptum.reference.sequential.analysis.sequential_bounds import theorem_2_bound
from ptum.reference.sequential.lines import (
    Recorder,
    all_samples_observation,
    current_models,
    predicted,
    projected,
    ptum_set,
    restarts,
    solve,
    updated,
)
from ptum.reference.sequential.observations import counts, empirical_observation
from ptum.reference.sequential.pieces import Pieces, require_rule
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable
from ptum.reference.sequential.state import Estimate, described, first_state
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.fallback import FallbackResult, sample_every_pair
from ptum.reference.transfer.ptum import End, PtumResult, ptum


class Decay(StrEnum):
    """How ρ falls over the first transfer tasks (D59)."""

    LINEAR = "linear"
    GEOMETRIC = "geometric"
    NONE = "none"


@dataclass(frozen=True)
class Schedule:
    """The phases of an experiment and its error bounds; the defaults are those of Figure 2.

    As error bounds (line 8) it gives Δ_{h+1} = ρ_h √(log c_h / h), infinite before the end of the
    start-up; without `logarithm` it is ρ_h/√h (D58).
    """

    start_up: int = 300
    per_pair: int = 50
    n_post: int = 30
    rho: float = 0.135
    last_rho: float = 0.006
    decay: int = 100
    shape: Decay = Decay.LINEAR
    logarithm: bool = True

    def __post_init__(self) -> None:
        for name in ("start_up", "per_pair", "n_post", "decay"):
            settle(self, **{name: require_count(getattr(self, name), name)})
        for name in ("rho", "last_rho"):
            problem = "must be positive and finite"
            rho = require_real(getattr(self, name), lambda x: 0 < x < math.inf, name, problem)
            settle(self, **{name: rho})
        settle(self, shape=require_choice(self.shape, tuple(Decay), "shape"))
        settle(self, logarithm=require_choice(self.logarithm, (False, True), "logarithm"))

    def rho_at(self, h: int) -> float:
        """ρ_h: `rho` at the end of the start-up, `last_rho` after `decay` transfer tasks."""
        share = min(max(h - self.start_up, 0) / self.decay, 1.0)
        if self.shape is Decay.NONE:
            return self.rho
        if self.shape is Decay.GEOMETRIC:
            return self.rho * math.pow(self.last_rho / self.rho, share)
        return (1 - share) * self.rho + share * self.last_rho

    def model_errors(self, h: int, setting: Setting, /) -> ModelErrors:
        """Δ_{h+1} of models from h tasks."""
        if h < self.start_up:
            return single(math.inf)
        rho = self.rho_at(h)
        if not self.logarithm:
            return single(rho / math.sqrt(h))
        return single(theorem_2_bound(setting.level(h), rho_any=rho))


FIGURE_2 = Schedule()
FIGURE_4 = Schedule(per_pair=150, n_post=100)
FIGURE_5_LEFT = Schedule(per_pair=250, n_post=200)


@dataclass(frozen=True)
class UniformPerPair:
    """Sample every pair so many times, then plan in the empirical model: no PAC promise (D56)."""

    per_pair: int

    def __post_init__(self) -> None:
        settle(self, per_pair=require_count(self.per_pair, "per_pair"))

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        """ε and δ do not matter to it."""
        del epsilon, delta
        return sample_every_pair(model, S, A, gamma, self.per_pair)


def sequential_transfer(
    stream: Iterable[GenerativeModel],
    *,
    setting: Setting,
    schedule: Schedule = FIGURE_2,
    rule: PredictionRule | None = None,
    aligned: bool = True,
) -> Iterator[TaskRecord]:
    """Algorithm 2 as run, for a stream of tasks that somebody else provides.

    The post-samples of `schedule` take the place of `setting.n_post`. Without a `rule` this is the
    static variant.
    """
    for argument, given, wanted in (
        ("setting", setting, Setting),
        ("schedule", schedule, Schedule),
    ):
        problem = f"must be a {wanted.__name__}"
        require(isinstance(given, wanted), argument, problem, value=type(given).__name__)
    aligned = require_choice(aligned, (False, True), "aligned")
    setting = replace(setting, n_post=schedule.n_post)
    require_rule(rule, setting, e_T=False)
    pieces = Pieces(learn_hmm, schedule, rule, UniformPerPair(schedule.per_pair))
    options = described(setting, version="as-run", aligned=aligned, **pieces.options)
    start = first_state(setting, options)  # line 1
    return _run(stream, setting, schedule, pieces, aligned, start)


def _run(
    stream: Iterable[GenerativeModel],
    setting: Setting,
    schedule: Schedule,
    pieces: Pieces,
    aligned: bool,
    state: State,
) -> Iterator[TaskRecord]:
    for generative_model in stream:  # lines 2-3
        h = state.h + 1
        task = Recorder(generative_model, setting.S, setting.A)
        models = current_models(state.estimate, setting)
        result = solve(ptum, state, models, task, setting, pieces.fallback)  # line 4
        o_h = observed(task, result, setting)  # line 5
        observations = (*state.observations, o_h)
        learned = learn(observations, h, setting, schedule)  # line 6
        if aligned and isinstance(learned, HmmEstimate):
            learned = matched(state.estimate, learned, setting)
        estimate, moved = updated(state.estimate, learned, h, setting)  # line 7
        errors = state.errors if moved is None else schedule.model_errors(h, setting)  # line 8
        theta_bar = ptum_set(result, setting.labels)
        initial = predicted(pieces, estimate, theta_bar, setting)  # line 9
        record = TaskRecord(
            h=h,
            initial=state.initial,
            errors=state.errors,
            result=result,
            samples=task.samples,
            observation=o_h,
            theta_bar=theta_bar,
            no_estimate=None if isinstance(learned, HmmEstimate) else learned,
            moved=moved,
            labels=() if moved is None else setting.labels,
            after=State(h, observations, estimate, errors, initial, state.options),
        )
        yield record
        state = record.after


def observed(task: Recorder, result: PtumResult, setting: Setting) -> Floats:
    """Line 5: all samples; post-samples where PTUM identified the task, and only there."""
    if result.end is End.STOPPED:
        return all_samples_observation(task, setting)
    return empirical_observation(*counts(task.data, setting.u)).o


def learn(
    observations: Sequence[Floats], h: int, setting: Setting, schedule: Schedule
) -> HmmEstimate | NotIdentifiable | NotEnoughData:
    """Line 6, from the last start-up task on."""
    if h < schedule.start_up:
        return NotEnoughData("tasks", h, schedule.start_up)
    rng = restarts(setting.seed, h)
    return learn_hmm(np.stack(observations), setting.k, setting.L, setting.N, rng)


def matched(before: Estimate | None, learned: HmmEstimate, setting: Setting) -> HmmEstimate:
    """The same estimate with the labels of the one before (D55); the first one keeps its own."""
    if before is None:
        return learned
    columns, _ = projected(learned.O, setting)
    return permuted(learned, align(before.O, columns))


def oracle(tasks: Sequence[MDP], target: GenerativeModel, setting: Setting) -> PtumResult:
    """PTUM with all exact models and Δ = 0: what the samples of a task are divided by (D83)."""
    return ptum(
        approximate_models(tasks),
        target,
        epsilon=setting.epsilon,
        delta=setting.delta,
        n=setting.n,
        Delta=0.0,
        fallback=None,
    )
