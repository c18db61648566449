"""Fixed sets of tasks that every profile looks at, with numbers a reader can follow."""

from __future__ import annotations

import numpy as np

from ptum.checks.instances.families.shape import TaskSet
from ptum.reference.arrays import Floats
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.models import approximate_models


def bandit(gamma: float, *arms: tuple[float, ...]) -> tuple[MDP, ...]:
    """Tasks with one state and Bernoulli arms, one task per tuple of means."""
    stay = np.ones((1, len(arms[0]), 1))
    return tuple(bernoulli_rewards(stay, np.array([means]), gamma) for means in arms)


def exactly_known(name: str, tasks: tuple[MDP, ...]) -> TaskSet:
    """The approximations are the tasks themselves."""
    return TaskSet(name, tasks, approximate_models(tasks))


def _two_state(stay: float, r: Floats) -> MDP:
    """Two states: action 0 stays with the given probability, action 1 leaves with it."""
    p = np.array([[[stay, 1 - stay], [1 - stay, stay]], [[1 - stay, stay], [stay, 1 - stay]]])
    return bernoulli_rewards(p, r, 0.5)


def _blurred_two_state() -> TaskSet:
    """True and approximate tasks differ in rewards and transitions."""
    r = np.array([[0.2, 0.4], [0.9, 0.6]])
    true = (_two_state(0.7, r), _two_state(0.3, r))
    approximate = (_two_state(0.68, r + 0.01), _two_state(0.33, r - 0.02))
    return TaskSet("two states, approximate", true, approximate_models(approximate))


def no_randomness() -> TaskSet:
    """Zero variances everywhere: both tasks move and pay with certainty."""
    p = np.array([[[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]]])
    first, second = np.array([[0.0, 0.5], [1.0, 0.0]]), np.array([[0.0, 0.5], [0.25, 0.0]])
    tasks = tuple(deterministic_rewards(p, r, 0.9) for r in (first, second))
    return exactly_known("no randomness", tasks)


NAMED_TASK_SETS: tuple[TaskSet, ...] = (
    exactly_known("three-armed bandit", bandit(0.5, (0.5, 0.2, 0.2), (0.5, 0.9, 0.2))),
    exactly_known("rare reward", bandit(0.9, (0.02, 0.5), (0.3, 0.5))),
    _blurred_two_state(),
    no_randomness(),
)
