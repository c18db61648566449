"""Tasks that several test files speak about, built from plain tables, and a run on some of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.ptum import ptum
from ptum.reference.transfer.transcript import Event

Rows = Sequence[Sequence[float]]


def bandit(r: Sequence[float], gamma: float) -> MDP:
    """One state, one arm for every entry of r, rewards certain."""
    return deterministic_rewards(np.ones((1, len(r), 1)), np.array([r], dtype=np.float64), gamma)


def bernoulli_bandit(r: Sequence[float], gamma: float) -> MDP:
    """One state, one arm for every entry of r, rewards 0 or 1."""
    return bernoulli_rewards(np.ones((1, len(r), 1)), np.array([r], dtype=np.float64), gamma)


def walk(successors: Sequence[Sequence[int]], r: Rows, gamma: float) -> MDP:
    """Every pair has one deterministic reward and one certain next state."""
    S = len(successors)
    p = np.eye(S)[np.array(successors)]
    return deterministic_rewards(p, np.array(r, dtype=np.float64), gamma)


def two_states() -> MDP:
    """The task of the hand computations: two states, two actions, γ = 1/2.

    State 0: action 0 stays, action 1 goes to 1. State 1: action 0 tosses a fair coin, action 1
    stays. Mean rewards 1/2, 0 and 1, 1/2; variances 1/8, 0 and 0, 1/4.
    """
    return MDP(
        p=np.array([[[1, 0], [0, 1]], [[0.5, 0.5], [0, 1]]], dtype=np.float64),
        q=np.array([[[0.25, 0.5, 0.25], [1, 0, 0]], [[0, 0, 1], [0.5, 0, 0.5]]], dtype=np.float64),
        u=np.array([0, 0.5, 1]),
        gamma=0.5,
    )


def two_states_returning() -> MDP:
    """`two_states`, except that action 0 in state 1 always goes back to state 0."""
    theta = two_states()
    p = np.array(theta.p)
    p[1, 0] = (1, 0)
    return MDP(p=p, q=theta.q, u=theta.u, gamma=theta.gamma)


def line_of_three(first: int, r_1: float, r_2: float, r_z: Sequence[float]) -> MDP:
    """Four states, γ = 0.9: state 0 goes to `first`; 1, 2 and z = 3 are absorbing."""
    successors = [[first, first], [1, 1], [2, 2], [3, 3]]
    return walk(successors, [[0.5, 0.5], [r_1, r_1], [r_2, r_2], r_z], 0.9)


def fork(chance_of_x: float, r_x: float, r_y: float, r_z: Sequence[float]) -> MDP:
    """Four states, γ = 1/2: state 0 goes to x = 1 or y = 2; x, y and z = 3 are absorbing."""
    p = np.zeros((4, 2, 4))
    p[0, :, 1], p[0, :, 2] = chance_of_x, 1 - chance_of_x
    for s in (1, 2, 3):
        p[s, :, s] = 1
    r = np.array([[0.5, 0.5], [r_x, r_x], [r_y, r_y], r_z])
    return deterministic_rewards(p, r, 0.5)


def short_run() -> list[Event]:
    """The events of a run of Algorithm 1 that drops the other of two models and stops."""
    tasks = [bernoulli_bandit(r, 0.5) for r in ((0.9, 0.1), (0.1, 0.9))]
    events: list[Event] = []
    ptum(
        approximate_models(tasks),
        Simulator(tasks[0], 1),
        epsilon=0.1,
        delta=0.1,
        n=500,
        Delta=0.0,
        observer=events.append,
    )
    return events
