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
the start-up is over (D57), a task that was sampled uniformly has no post-samples (D112), and labels
of successive estimates are matched, without which no prediction means anything (D55). All samples
of a task make its observation, as printed (D46, E41).

The repaired Algorithm 2 runs beside it on the same tasks and streams: `switches` has one switch per
repair, and `lines` says what each changes. Constants are *tuned* (the schedule's, chosen by hand as
in Appendix E.2) or *guaranteed* (`guaranteed`, each by its theorem).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import frozen, require_distributions
from ptum.reference.errors import (
    require,
    require_choice,
    require_count,
    require_real,
    settle,
    shown,
)
from ptum.reference.experiments.lines import (
    AS_PRINTED,
    AS_RUN,
    REPAIRED,
    Switch,
    UniformPerPair,
    algorithm_1,
    chosen_rule,
    fresh_samples,
    identified,
    learn,
    learner,
    observed,
    updated,
)
from ptum.reference.repaired.sequential.analysis.within_task_bounds import within_task_constants
from ptum.reference.repaired.sequential.lines import carried
from ptum.reference.repaired.sequential.pieces import Constants
from ptum.reference.repaired.transfer.repairs import PRINTED_SHIFT, TransferConstants
from ptum.reference.sequential.algorithm import Setting, State, TaskRecord
from ptum.reference.sequential.analysis.sequential_bounds import theorem_2_bound
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.lines import (
    Recorder,
    RunsAlgorithm1,
    current_models,
    predicted,
    solve,
)
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.sequential.pieces import (
    Pieces,
    TransitionBounds,
    require_rule,
)
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.reference.sequential.state import described, first_state
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.fallback import PacAlgorithm
from ptum.reference.transfer.ptum import PtumResult, ptum

__all__ = [
    "AS_PRINTED",
    "AS_RUN",
    "FIGURE_2",
    "FIGURE_4",
    "FIGURE_5_LEFT",
    "REPAIRED",
    "Decay",
    "Schedule",
    "Switch",
    "UniformPerPair",
    "guaranteed",
    "oracle",
    "sequential_transfer",
]


class Decay(StrEnum):
    """How ρ falls over the first transfer tasks (D59)."""

    LINEAR = "linear"
    GEOMETRIC = "geometric"
    STEP = "step"
    NONE = "none"


@dataclass(frozen=True)
class Schedule:
    """The phases of an experiment and its error bounds; the defaults are those of Figure 2.

    As error bounds (line 8) it gives Δ_{h+1} = ρ_h √(log c_h / h), infinite before the end of the
    start-up; without `logarithm` it is ρ_h/√h (D58). With `both`, tasks that were sampled uniformly
    have post-samples too (D112).
    """

    start_up: int = 300
    per_pair: int = 50
    n_post: int = 30
    rho: float = 0.135
    last_rho: float = 0.006
    decay: int = 100
    shape: Decay = Decay.LINEAR
    logarithm: bool = True
    rho_T: float = 0.001
    both: bool = False

    def __post_init__(self) -> None:
        for name in ("start_up", "per_pair", "n_post", "decay"):
            settle(self, **{name: require_count(getattr(self, name), name)})
        for name in ("rho", "last_rho", "rho_T"):
            problem = "must be positive and finite"
            rho = require_real(getattr(self, name), lambda x: 0 < x < math.inf, name, problem)
            settle(self, **{name: rho})
        settle(self, shape=require_choice(self.shape, tuple(Decay), "shape"))
        for name in ("logarithm", "both"):
            settle(self, **{name: require_choice(getattr(self, name), (False, True), name)})

    def rho_at(self, h: int) -> float:
        """ρ_h: `rho` at the end of the start-up, `last_rho` after `decay` transfer tasks."""
        share = min(max(h - self.start_up, 0) / self.decay, 1.0)
        if self.shape is Decay.NONE or (self.shape is Decay.STEP and share < 1):
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

    def transition_error(self, h: int, setting: Setting, /) -> float:
        """e^T_h = ρ_T √(log c_h / h), for the rule per step; the rule of Theorem 3 has its own."""
        if not self.logarithm:
            return self.rho_T / math.sqrt(h)
        return theorem_2_bound(setting.level(h), rho_any=self.rho_T)


FIGURE_2 = Schedule()
FIGURE_4 = Schedule(per_pair=150, n_post=100)
FIGURE_5_LEFT = Schedule(per_pair=250, n_post=200)


def sequential_transfer(
    stream: Iterable[GenerativeModel],
    *,
    setting: Setting,
    schedule: Schedule = FIGURE_2,
    rule: PredictionRule | None = None,
    switches: AbstractSet[Switch] = AS_RUN,
    bounds: TransitionBounds | None = None,
    fallback: PacAlgorithm | None = None,
    repair: TransferConstants = PRINTED_SHIFT,
) -> Iterator[TaskRecord]:
    """Algorithm 2 as run, or with some or all repairs, for a stream that somebody else provides.

    The post-samples of `schedule` take the place of `setting.n_post`. Without a `rule` this is the
    static variant. `bounds` and `fallback` are the schedule's, tuned by hand, unless others are
    given: those of theorems are `guaranteed(…)` and
    `ptum.reference.transfer.fallback.UniformSampling()`. `repair` has the constants of the repaired
    Algorithm 1 and matters with its switch only.
    """
    for argument, given, wanted in (
        ("setting", setting, Setting),
        ("schedule", schedule, Schedule),
        ("repair", repair, TransferConstants),
        ("bounds", schedule if bounds is None else bounds, TransitionBounds),
    ):
        problem = f"must be a {wanted.__name__}"
        require(isinstance(given, wanted), argument, problem, value=type(given).__name__)
    chosen: object = switches
    good = isinstance(chosen, AbstractSet) and all(isinstance(one, Switch) for one in chosen)
    require(good, "switches", "must be a set of switches", value=shown(switches))
    setting = replace(setting, n_post=schedule.n_post)
    pieces = Pieces(
        learner(switches),
        schedule if bounds is None else bounds,
        chosen_rule(rule, switches),
        UniformPerPair(schedule.per_pair) if fallback is None else fallback,
    )
    require_rule(pieces.rule, setting, e_T=Switch.PER_STEP in switches)
    _require_batches(schedule, switches)
    options = described(
        setting,
        version="as-run",
        schedule=schedule,
        switches=tuple(sorted(switches)),
        repair=repair,
        **pieces.options,
    )
    start = first_state(setting, options)  # line 1
    return _run(stream, setting, schedule, pieces, switches, algorithm_1(switches, repair), start)


def _run(
    stream: Iterable[GenerativeModel],
    setting: Setting,
    schedule: Schedule,
    pieces: Pieces,
    switches: AbstractSet[Switch],
    solver: RunsAlgorithm1,
    state: State,
) -> Iterator[TaskRecord]:
    for generative_model in stream:  # lines 2-3
        h = state.h + 1
        task = Recorder(generative_model, setting.S, setting.A)
        models = current_models(state.estimate, setting)
        result = solve(solver, state, models, task, setting, pieces.fallback)  # line 4
        fresh = fresh_samples(task, result, setting, pieces.fallback, schedule.both)
        views = observed(task.data, fresh, setting, switches)  # line 5
        observations = (*state.observations, views)
        learned = learn(pieces, observations, h, setting, schedule.start_up)  # line 6
        estimate, moved, labels = updated(state.estimate, learned, h, setting, switches)  # line 7
        errors = state.errors if moved is None else pieces.bounds.model_errors(h, setting)  # line 8
        theta_bar = identified(result, task.data, fresh, models, state, setting, switches)
        per_step = Switch.PER_STEP in switches
        maybe = (
            carried(theta_bar, state.estimate, pieces.bounds, setting) if per_step else theta_bar
        )
        initial = predicted(pieces, estimate, maybe, setting)  # line 9
        record = TaskRecord(
            h=h,
            initial=state.initial,
            errors=state.errors,
            result=result,
            samples=task.samples,
            observation=views.mean(axis=0),
            theta_bar=theta_bar,
            no_estimate=None if isinstance(learned, HmmEstimate) else learned,
            moved=moved,
            labels=labels,
            after=State(h, observations, estimate, errors, initial, state.options),
        )
        yield record
        state = record.after


def guaranteed(tasks: Sequence[MDP], weights: npt.ArrayLike, *, c_2: float = 1.0) -> Constants:
    """Every constant by its theorem, for tasks that come with these frequencies.

    The theorems are those of views within tasks. ℓ is half of λ_k(M_2), so that λ_k(M̂_2) ≥ 2ℓ can
    be met at all; of the tensor decomposition c_1 and c_2 are known to exist only, and c_1 = ℓ is
    the largest that is admitted. With c_2 = 1 the errors come out in units of c_2.
    """
    w = frozen(weights, "weights", 1)
    require_distributions(w[np.newaxis], "weights")
    require(len(w) == len(tasks), "weights", f"must be one for each of {len(tasks)}", value=len(w))
    O = observation_matrix(tasks)  # noqa: E741 - the paper's letter
    roots = np.sqrt(w)
    ell = float(np.linalg.eigvalsh(roots[:, np.newaxis] * (O.T @ O) * roots)[0]) / 2
    S, A, _ = tasks[0].p.shape
    found = within_task_constants(S=S, A=A, k=len(tasks), ell=ell, c_1=ell, c_2=c_2)
    return Constants(found.rho_3, found.rho_4, found.rho_5, found.rho_6, ell)


def _require_batches(schedule: Schedule, switches: AbstractSet[Switch]) -> None:
    """Views within a task need a sample of every pair in each of three batches."""
    if Switch.WITHIN_TASK not in switches:
        return
    for name in ("per_pair", "n_post"):
        value = getattr(schedule, name)
        require(value >= VIEWS, name, f"must be at least {VIEWS} for views in a task", value=value)


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
