"""Streams of simulated tasks for tests of Algorithm 2, and records that compare bit by bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass

import numpy as np

from ptum.reference.sequential.algorithm import Setting
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP

THREE_ARMS = Setting(
    k=3,
    S=1,
    A=3,
    u=(0.0, 1.0),
    gamma=0.5,
    epsilon=0.4,
    delta=0.1,
    n=4000,
    delta_prime=0.1,
    n_post=20,
    L=20,
    N=30,
    seed=1,
)
"""What a run on tasks with three arms is told."""


def three_arms(best: int) -> MDP:
    """Three arms that pay 1 with probability 0.05, the best one with 0.95."""
    means = np.full((1, 3), 0.05)
    means[0, best] = 0.95
    q = np.stack([1 - means, means], axis=2)
    return MDP(np.ones((1, 3, 1)), q, np.array([0.0, 1.0]), 0.5)


def noisy(task: MDP, noise: float) -> MDP:
    """Every deterministic outcome of two happens with probability 1 - noise only."""
    return MDP(
        p=(1 - noise) * task.p + noise * (1 - task.p),
        q=(1 - noise) * task.q + noise * (1 - task.q),
        u=task.u,
        gamma=task.gamma,
    )


def simulators(tasks: Sequence[MDP], sequence: Sequence[int], first: int = 1) -> list[Simulator]:
    """The stream of a sequence; task number h has seed h, so it can be taken up anywhere."""
    return [Simulator(tasks[j], seed) for seed, j in enumerate(sequence, start=first)]


def plain(value: object) -> object:
    """Records as tuples that compare bit by bit."""
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    if is_dataclass(value):
        return (type(value), *(plain(getattr(value, field.name)) for field in fields(value)))
    if isinstance(value, tuple | list):
        return tuple(plain(item) for item in value)
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value
