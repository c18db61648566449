"""Algorithm 2 as run: what its lines 4 to 9 do, one function each, and one switch per repair.

| switch         | line | as run                             | repaired                          |
| -------------- | ---- | ---------------------------------- | --------------------------------- |
| `ALGORITHM_1`  | 4    | Algorithm 1                        | repaired (E01, E12, E15)          |
| `POST_SAMPLES` | 5    | all samples of the task            | those of fixed number alone (E41) |
| `WITHIN_TASK`  | 6    | three successive tasks, rank-k SVD | three batches of one task (E26)   |
| `LABELS`       | 7    | on (D55); off: as they come        | matched to the last ones (E40)    |
| `REIDENTIFY`   | 9    | Θ̄_h is PTUM's final set            | all k models tested again (E39)   |
| `PER_STEP`     | 9    | η, ρ_T and the top three by hand   | per step, T̂ projected (E36, D117) |

`AS_PRINTED` has none of them, `AS_RUN` labels alone, `REPAIRED` all; any other set is an
experiment. What a task is asked after line 4 is the same with every set, so that runs on the same
tasks and streams differ by the switch and by what follows from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import numpy as np

from ptum.reference.arrays import Floats
from ptum.reference.errors import require_count, settle
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.experiments.spectral import learn_hmm
from ptum.reference.repaired.sequential import lines as repaired
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.repaired.sequential.pieces import Constants, WithinTask
from ptum.reference.repaired.sequential.prediction import PerStep, reidentify
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.repaired.transfer.repairs import TransferConstants
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.lines import (
    Recorder,
    RunsAlgorithm1,
    projected,
    ptum_set,
    restarts,
)
from ptum.reference.sequential.observations import counts, empirical_observation
from ptum.reference.sequential.pieces import HmmLearner, Pieces, views_of
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.projection import project_columns
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable
from ptum.reference.sequential.state import Estimate, Setting, State
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.empirical import Data
from ptum.reference.transfer.fallback import FallbackResult, PacAlgorithm, sample_every_pair
from ptum.reference.transfer.ptum import PtumResult, ptum


class Switch(StrEnum):
    """One repair of Algorithm 2, on or off."""

    ALGORITHM_1 = "algorithm-1"
    POST_SAMPLES = "post-samples"
    WITHIN_TASK = "within-task"
    LABELS = "labels"
    REIDENTIFY = "reidentify"
    PER_STEP = "per-step"


AS_PRINTED: frozenset[Switch] = frozenset()
AS_RUN = frozenset({Switch.LABELS})
REPAIRED = frozenset(Switch)


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


# Which pieces the switches choose


def algorithm_1(switches: AbstractSet[Switch], repair: TransferConstants) -> RunsAlgorithm1:
    """Line 4."""
    return partial(repaired_ptum, repair=repair) if Switch.ALGORITHM_1 in switches else ptum


def learner(switches: AbstractSet[Switch]) -> HmmLearner:
    """Line 6."""
    return WithinTask() if Switch.WITHIN_TASK in switches else learn_hmm


def chosen_rule(
    rule: PredictionRule | None, switches: AbstractSet[Switch]
) -> PredictionRule | None:
    """Line 9: the rule per step in place of the experiment's; any other rule is left as it is."""
    if Switch.PER_STEP in switches and isinstance(rule, Experiment):
        return PerStep(rule.miss)
    return rule


# What the lines do


def fresh_samples(
    task: Recorder, result: PtumResult, setting: Setting, fallback: PacAlgorithm | None, both: bool
) -> int:
    """Before line 5: the post-samples. How many of each pair's last samples are of fixed number.

    A task that was sampled uniformly has none, unless `both` (D112): its uniform samples are as
    fresh, because whether they are taken was settled without them.
    """
    if result.fallback is not None and isinstance(fallback, UniformPerPair) and not both:
        return fallback.per_pair
    for s in range(setting.S):
        for a in range(setting.A):
            for _ in range(setting.n_post):
                task.sample(s, a)
    return setting.n_post


def observed(data: Data, fresh: int, setting: Setting, switches: AbstractSet[Switch]) -> Floats:
    """Line 5: one observation of the task, shape (1, d), or one for each of three batches (3, d).

    A batch has a third of the samples of each pair, in order of arrival (D64); one or two that are
    left over belong to none (D112).
    """
    used = last_samples(data, fresh) if Switch.POST_SAMPLES in switches else data
    if Switch.WITHIN_TASK not in switches:
        return empirical_observation(*counts(used, setting.u)).o[np.newaxis]
    batches = (_part(used, partial(_third, batch)) for batch in range(VIEWS))
    return np.stack([empirical_observation(*counts(batch, setting.u)).o for batch in batches])


def learn(
    pieces: Pieces, observations: Sequence[Floats], h: int, setting: Setting, start_up: int
) -> HmmEstimate | NotIdentifiable | NotEnoughData:
    """Line 6, from the last start-up task on (D57).

    With guaranteed constants restarts grow (D106), and an estimate counts only if no task is too
    rare for them (D105).
    """
    if h < start_up:
        return NotEnoughData("tasks", h, start_up)
    views = np.stack(observations, axis=1)
    if isinstance(pieces.bounds, Constants):
        return repaired.learn(pieces, views, h, setting)
    rows = views if views_of(pieces.learner) > 1 else views[0]
    return pieces.learner(rows, setting.k, setting.L, setting.N, restarts(setting.seed, h))


def updated(
    before: Estimate | None,
    learned: HmmEstimate | NotIdentifiable | NotEnoughData,
    h: int,
    setting: Setting,
    switches: AbstractSet[Switch],
) -> tuple[Estimate | None, float | None, tuple[int, ...]]:
    """Line 7: models from the columns (D92), how far they were moved, and the permutation.

    The first estimate keeps its own labels. Without a new T̂ the last one stays if labels are
    matched, and otherwise none (D96).
    """
    if not isinstance(learned, HmmEstimate):
        return before, None, ()
    columns, moved = projected(learned.O, setting)
    matched = before if Switch.LABELS in switches else None
    labels = np.arange(setting.k) if matched is None else align(matched.O, columns)
    T, T_h = permuted(learned, labels).T, h
    if T is None:
        T, T_h = (None, 0) if matched is None else (matched.T, matched.T_h)
    elif Switch.PER_STEP in switches:
        T = project_columns(T)
    named = np.ascontiguousarray(columns[:, labels])
    return Estimate(named, T, T_h), moved, tuple(labels.tolist())


def identified(
    result: PtumResult,
    data: Data,
    fresh: int,
    models: Sequence[MDP],
    state: State,
    setting: Setting,
    switches: AbstractSet[Switch],
) -> tuple[int, ...]:
    """Θ̄_h for line 9: PTUM's final set, or what the fresh samples leave of all k models (D44)."""
    if Switch.REIDENTIFY not in switches:
        return ptum_set(result, setting.labels)
    if math.isinf(state.errors.Delta):  # nothing stands out from errors without a bound
        return setting.labels
    _, q_hat, p_hat = empirical_observation(*counts(last_samples(data, fresh), setting.u))
    return reidentify(
        q_hat @ np.array(setting.u),
        p_hat,
        approximate_models(models),
        n_post=fresh,
        delta=setting.delta,
        errors=state.errors,
    )


# Parts of the samples of a task


def last_samples(data: Data, number: int) -> Data:
    """The last so many samples of every pair."""
    return _part(data, lambda size: slice(size - number, size))


def _third(batch: int, size: int) -> slice:
    share = size // VIEWS
    return slice(batch * share, (batch + 1) * share)


def _part(data: Data, part: Callable[[int], slice]) -> Data:
    """Of every pair the samples that `part` names, given how many there are."""
    return Data(
        rewards=[[pair[part(len(pair))] for pair in row] for row in data.rewards],
        successors=[[pair[part(len(pair))] for pair in row] for row in data.successors],
    )
