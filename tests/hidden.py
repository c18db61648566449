"""Hidden Markov models that the spectral tests speak about, and samples of their observations."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reference.arrays import Floats, Ints
from reference.hmm import HMM, observation_matrix
from reference.mdp import MDP

UNIFORM_3 = np.full(3, 1 / 3)
SINGULAR = np.array([[0.6, 0.2, 0.4], [0.2, 0.4, 0.3], [0.2, 0.4, 0.3]])
"""Ergodic; the third column is the mean of the other two, so the rank is 2."""


def cycle(k: int, forward: float = 1.0, stay: float = 0.0) -> Floats:
    """Task j is followed by j+1 or itself with the given chances, by each other one equally."""
    T = np.zeros((k, k))
    rest = (1 - forward - stay) / (k - 2) if k > 2 else 0.0
    for j in range(k):
        T[:, j] = rest
        T[j, j], T[(j + 1) % k, j] = stay, forward
    return T


def three_tasks() -> tuple[MDP, ...]:
    """Three tasks, two states, two actions, two rewards, far apart: d = 16, σ_3(O) = 1.2."""
    chances = (
        ((0.9, 0.2, 0.7, 0.1), (0.8, 0.3, 0.1, 0.6)),
        ((0.1, 0.8, 0.3, 0.6), (0.2, 0.9, 0.5, 0.1)),
        ((0.5, 0.4, 0.9, 0.9), (0.6, 0.1, 0.9, 0.3)),
    )
    return tuple(_binary_task(np.array(q), np.array(p)) for q, p in chances)


def _binary_task(q: Floats, p: Floats) -> MDP:
    def table(first: Floats) -> Floats:
        return np.stack([first, 1 - first], axis=-1).reshape(2, 2, 2)

    return MDP(p=table(p), q=table(q), u=np.array([0.0, 1.0]), gamma=0.9)


@dataclass(frozen=True)
class Sizes:
    """Sizes of the tables behind a column of O."""

    S: int
    A: int
    U: int


def drawn_columns(rng: np.random.Generator, k: int, sizes: Sizes, spread: float = 0.5) -> Floats:
    """k flattened models with Dirichlet blocks."""
    S, A, U = sizes.S, sizes.A, sizes.U
    q = rng.dirichlet(np.full(U, spread), size=(k, S * A))
    p = rng.dirichlet(np.full(S, spread), size=(k, S * A))
    return np.concatenate([q.reshape(k, -1), p.reshape(k, -1)], axis=1).T


def drawn_hmm(rng: np.random.Generator, k: int, sizes: Sizes, *, mixing: float = 0.3) -> HMM:
    """A model whose T is a random permutation blurred by a random stochastic matrix.

    The first task has a random law, in general not the stationary one, with every chance at least
    half of a uniform one.
    """
    blur = rng.dirichlet(np.ones(k), size=k).T
    T = (1 - mixing) * np.eye(k)[rng.permutation(k)] + mixing * blur
    law = (rng.dirichlet(np.ones(k)) + 1 / k) / 2
    return HMM(O=drawn_columns(rng, k, sizes), T=T / T.sum(axis=0), initial=law / law.sum())


def observations(rng: np.random.Generator, O: Floats, tasks: Ints, sizes: Sizes, n: int) -> Floats:
    """One observation of n samples per pair for every task of a sequence."""
    rows = np.empty((len(tasks), len(O)))
    starts = _block_starts(sizes)
    for j in range(O.shape[1]):
        here = np.flatnonzero(tasks == j)
        for start, size in starts:
            block = O[start : start + size, j]
            drawn = rng.multinomial(n, block / block.sum(), size=len(here))
            rows[here, start : start + size] = drawn / n
    return rows


def batches(rng: np.random.Generator, O: Floats, tasks: Ints, sizes: Sizes, n: int) -> Floats:
    """Three batches of n samples per pair for every task, shape (3, h, d)."""
    return np.stack([observations(rng, O, tasks, sizes, n) for _ in range(3)])


def _block_starts(sizes: Sizes) -> list[tuple[int, int]]:
    pairs = sizes.S * sizes.A
    rewards = [(i * sizes.U, sizes.U) for i in range(pairs)]
    return rewards + [(pairs * sizes.U + i * sizes.S, sizes.S) for i in range(pairs)]


def three_task_hmm() -> HMM:
    """The three tasks on a blurred cycle (0.66 next, 0.17 stay, 0.17 back), started in task 0."""
    T = 0.7 * cycle(3, forward=0.8, stay=0.1) + 0.1
    return HMM(O=observation_matrix(three_tasks()), T=T, initial=np.array([1.0, 0.0, 0.0]))
