"""Sets of tasks on which PTUM really has to sample, with the ε and Δ it is given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ptum.checks.instances.families.named import bandit, exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import ModelErrors, single


@dataclass(frozen=True, eq=False)
class TasksAndErrors:
    """Tasks, the accuracy asked for, and the model errors the agent is told."""

    tasks: TaskSet
    epsilon: float
    errors: ModelErrors


def _deterministic(gamma: float, *arms: tuple[float, ...]) -> tuple[MDP, ...]:
    stay = np.ones((1, len(arms[0]), 1))
    return tuple(deterministic_rewards(stay, np.array([r]), gamma) for r in arms)


def _fork(to_x: float, r_x: float, r_y: float, r_z: tuple[float, float]) -> MDP:
    """s0 leads to x or y; x, y and z are absorbing; γ = 1/2."""
    p = np.zeros((4, 2, 4))
    p[0, :, 1], p[0, :, 2] = to_x, 1 - to_x
    for absorbing in (1, 2, 3):
        p[absorbing, :, absorbing] = 1
    return bernoulli_rewards(p, np.array([[0.5] * 2, [r_x] * 2, [r_y] * 2, r_z]), 0.5)


def _blurred() -> TaskSet:
    """Bernoulli arms known up to 0.002."""
    true = bandit(0.5, (0.5, 0.2, 0.2), (0.5, 0.9, 0.2))
    close = bandit(0.5, (0.502, 0.199, 0.2), (0.499, 0.898, 0.201))
    return TaskSet("arms known up to 0.002", true, approximate_models(close))


def settings() -> tuple[TasksAndErrors, ...]:
    """Bandits and a fork; Δ is within the repaired threshold in all of them."""
    two = bandit(0.5, (0.5, 0.2, 0.2), (0.5, 0.9, 0.2))
    three = (*two, *bandit(0.5, (0.5, 0.2, 0.9)))
    fork = (_fork(0.1, 1.0, 0.0, (0.6, 0.4)), _fork(0.9, 0.5, 0.5, (0.4, 0.6)))
    blurred = _blurred()
    return (
        TasksAndErrors(exactly_known("two bandits", two), 0.4, single(0.0)),
        TasksAndErrors(exactly_known("three bandits", three), 0.4, single(0.0)),
        TasksAndErrors(
            exactly_known("certain arms", _deterministic(0.0, (1, 0), (0, 1))), 0.5, single(0.0)
        ),
        TasksAndErrors(exactly_known("fork", fork), 0.1, single(0.0)),
        TasksAndErrors(blurred, 0.4, single(blurred.repaired_errors().Delta)),
    )


def undecided() -> TasksAndErrors:
    """PTUM never stops: once the third model is eliminated, every index is zero (erratum E01)."""
    arms = ((0.5, 0.59, 0.50), (0.5, 0.50, 0.59), (0.9, 0.59, 0.50))
    return TasksAndErrors(exactly_known("undecided bandit", bandit(0.9, *arms)), 1.0, single(0.012))
