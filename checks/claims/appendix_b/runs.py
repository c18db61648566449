"""Finished runs of PTUM, phase by phase: what the lemmas say about single iterations.

A phase is a maximal stretch of iterations with the same active set. The pair is the same throughout
(ties are broken by a fixed order), so the last iteration of a phase is the one with most samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.instances.families.shape import TaskSet
from ptum.reference.arrays import Ints
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import optimal_value, policy_value
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.information import index, query
from ptum.reference.transfer.ptum import PtumResult


@dataclass(frozen=True, eq=False)
class SeenPhase:
    """An active set, the pair queried under it, and the counts N_t at its last query."""

    active: tuple[int, ...]
    pair: tuple[int, int]
    N: Ints


@dataclass(frozen=True)
class RunInputs:
    """What a run is given besides models and samples; n also sets the widths."""

    epsilon: float
    delta: float
    n: int


def play(task_set: TaskSet, inputs: RunInputs, errors: ModelErrors, seed: int) -> PtumResult:
    """One run of lines 3-21 against the target, which is task 0."""
    numbers = RunNumbers(inputs.epsilon, inputs.delta, inputs.n, errors)
    return simulated_run(task_set.approximate, task_set.true[0], seed, numbers)


def true_loss(target: MDP, policy: Ints) -> float:
    """max_s V*_θ*(s) - V_θ*^π(s) in the true task, not in its model."""
    return float(np.max(optimal_value(target) - policy_value(target, policy)))


def phases(result: PtumResult, models: ApproximateModels, Delta: float) -> Iterator[SeenPhase]:
    """The phases of a run in which at least one query was made, in order."""
    active, N, t = tuple(range(models.k)), np.zeros_like(result.N), 1
    for ended_at, gone in _boundaries(result):
        if ended_at > t:
            pair = query(index(active, models, Delta))
            N[pair] += ended_at - t
            before_last_query = N.copy()
            before_last_query[pair] -= 1
            yield SeenPhase(active, pair, before_last_query)
        active, t = tuple(theta for theta in active if theta not in gone), ended_at
    if not np.array_equal(N, result.N):
        raise ValueError("the run did not query one pair in each phase")


def _boundaries(result: PtumResult) -> Iterator[tuple[int, frozenset[int]]]:
    """The iterations in which models were eliminated, and the first iteration without a query."""
    for t, group in groupby(result.eliminations, key=lambda elimination: elimination.t):
        yield t, frozenset(elimination.theta for elimination in group)
    yield result.queries + 1, frozenset()


def target_active(result: PtumResult, target: int = 0) -> bool:
    """Whether the event E happened in the iterations of this run."""
    return all(elimination.theta != target for elimination in result.eliminations)
