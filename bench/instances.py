"""Tasks that are measured on; every number follows from a seed."""

from __future__ import annotations

import random
from bisect import bisect_right

import numpy as np

from ptum.reference.arrays import Floats
from ptum.reference.experiments.two_rooms import two_rooms
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models

SIDE = 12


def five_states() -> ApproximateModels:
    """S = 5, A = 2, three models whose rewards differ by little: phases of 10⁵ samples and more."""
    p = np.random.default_rng(0).dirichlet(np.ones(5), size=(5, 2))

    def task(d: float) -> MDP:
        r = np.full((5, 2), 0.5)
        r[0, 0] += d
        r[1, 1] += 0.003 - d
        return bernoulli_rewards(p, r, 0.9)

    return approximate_models([task(d) for d in (0.0, 0.0035, 0.008)])


def twelve_rooms() -> list[MDP]:
    """Figure 1, left: twelve tasks on a 12×12 grid of two rooms, goals and doors drawn once."""
    rng = np.random.default_rng(0)
    cells = 1 + rng.permutation(SIDE**2 - 1)[:SIDE]
    doors = rng.permutation(SIDE).tolist()
    return [
        two_rooms(SIDE, SIDE, door, (int(cell) // SIDE, int(cell) % SIDE), 0.99)
        for door, cell in zip(doors, cells, strict=True)
    ]


def alike_rooms(share: float) -> ApproximateModels:
    """The same twelve tasks, each but the first mixed into the first by a small share."""
    tasks = twelve_rooms()
    first = tasks[0]

    def mixed(task: MDP, w: float) -> MDP:
        p, q = ((1 - w) * x + w * y for x, y in ((first.p, task.p), (first.q, task.q)))
        return MDP(p, q, task.u, task.gamma)

    return approximate_models([mixed(task, share if i else 0.0) for i, task in enumerate(tasks)])


def sixty_four_states() -> ApproximateModels:
    """S = 64, A = 4, six models that are told apart after some thousand queries each."""
    rng = np.random.default_rng(0)
    p, base = rng.dirichlet(np.full(64, 0.1), size=(64, 4)), rng.uniform(0.3, 0.7, size=(64, 4))
    tasks = []
    for i in range(6):
        r = base.copy()
        for s in range(1, 6):
            r[s, 0] = base[s].max() + (0.03 if s == i else -0.03)
        tasks.append(bernoulli_rewards(p, r, 0.9))
    return approximate_models(tasks)


class PlainTarget:
    """A user's simulator in plain Python, without numpy and without `sample_many`."""

    def __init__(self, task: MDP, seed: int) -> None:
        self._random = random.Random(seed)
        self._paid: list[list[float]] = task.q[:, :, 1].tolist()
        self._limits: list[list[list[float]]] = np.cumsum(task.p, axis=2)[:, :, :-1].tolist()

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """One Bernoulli reward and one next state."""
        reward = 1.0 if self._random.random() < self._paid[s][a] else 0.0
        return reward, bisect_right(self._limits[s][a], self._random.random())


def batches(h: int, d: int, k: int) -> Floats:
    """Three noisy views of h tasks of k kinds, (3, h, d)."""
    rng = np.random.default_rng(0)
    means = rng.random((k, d))
    tasks = rng.integers(k, size=h)
    return means[tasks] + 0.3 * rng.standard_normal((3, h, d))
