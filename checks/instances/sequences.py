"""Short runs of Algorithm 2 on three tasks in which nothing is random, with a learner who knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ptum.checks.instances.fakes import AskEveryPair, Knowing
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential.algorithm import Constants
from ptum.reference.repaired.sequential.algorithm import sequential_transfer as repaired_transfer
from ptum.reference.repaired.sequential.prediction import PerStep
from ptum.reference.sequential.algorithm import TaskRecord, sequential_transfer
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.empirical import Data, empty_data

GAMMA, EPSILON, DELTA, DELTA_PRIME, BUDGET = 0.3, 0.5, 0.01, 0.1, 300
REWARDS = (0.0, 1.0)
ONE_STAY = (0, 1, 2, 0, 0, 1, 2, 0, 1, 2, 0, 1)
"""Next, next, next, stay, next, …"""


def deterministic(successors: Sequence[Sequence[int]], rewards: Sequence[Sequence[int]]) -> MDP:
    """Every pair has one certain next state and one deterministic reward, 0 or 1."""
    p, q = np.eye(2)[np.array(successors)], np.eye(2)[np.array(rewards)]
    return MDP(p=p, q=q, u=np.array(REWARDS), gamma=GAMMA)


TASKS = (
    deterministic([[0, 1], [0, 1]], [[1, 0], [0, 0]]),
    deterministic([[0, 1], [0, 1]], [[0, 1], [0, 1]]),
    deterministic([[1, 0], [1, 0]], [[0, 0], [1, 0]]),
)
"""Two states, two actions, deterministic outcomes; the first and the last have one best policy."""
K = len(TASKS)
CHAIN = 0.98 * np.roll(np.eye(K), 1, axis=0) + 0.02 / K
"""Nearly always the next task."""
GIVEN: Mapping[str, Any] = {
    "k": K,
    "S": 2,
    "A": 2,
    "u": REWARDS,
    "gamma": GAMMA,
    "fallback": AskEveryPair(),
    "epsilon": EPSILON,
    "delta": DELTA,
    "n": BUDGET,
    "delta_prime": DELTA_PRIME,
}
"""What both versions of Algorithm 2 are given."""


def printed(
    sequence: Sequence[int],
    *,
    rule: PredictionRule | None = None,
    naming: Callable[[int], Sequence[int]] | None = None,
    n_post: int = 1,
    delta: float = DELTA,
    T: Floats = CHAIN,
) -> list[TaskRecord]:
    """Algorithm 2 as printed."""
    learner = Knowing(TASKS, T, naming)
    given = {**GIVEN, "delta": delta, "rule": rule, "n_post": n_post, "learner": learner}
    return list(sequential_transfer(_stream(sequence), rhos=1e-3, **given))


def repaired(
    sequence: Sequence[int],
    *,
    rule: PerStep | None = None,
    naming: Callable[[int], Sequence[int]] | None = None,
    n_post: int = 30,
) -> list[TaskRecord]:
    """Algorithm 2 with its repairs."""
    learner = Knowing(TASKS, CHAIN, naming, views=3)
    given = {**GIVEN, "rule": rule, "n_post": n_post, "learner": learner}
    rhos = Constants(rho_3=1e-6, rho_4=1e-6, rho_5=1e-6, rho_6=1e-3, ell=1e-6)
    return list(repaired_transfer(_stream(sequence), rhos=rhos, **given))


def _stream(sequence: Sequence[int]) -> list[Simulator]:
    return [Simulator(TASKS[j], seed) for seed, j in enumerate(sequence, start=1)]


def data_of(task: MDP) -> Data:
    """One sample of every pair of a task in which nothing is random."""
    data, simulator = empty_data(task.S, task.A), Simulator(task, seed=0)
    for s in range(task.S):
        for a in range(task.A):
            data.store(s, a, *simulator.sample(s, a))
    return data
