"""Hidden Markov models that the spectral tests need beside those of the families."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import numpy as np

from ptum.checks.exact.hidden_markov import as_floats
from ptum.checks.instances.counterexamples.appendix_c import moments
from ptum.checks.instances.families.hmms import Sizes, observations, three_tasks
from ptum.reference.arrays import Floats, Ints
from ptum.reference.sequential.hmm import HMM
from ptum.reference.sequential.observations import observation_matrix

__all__ = [
    "SINGULAR",
    "UNIFORM_3",
    "Sizes",
    "batches",
    "cycle",
    "drawn_columns",
    "drawn_hmm",
    "observations",
    "three_task_hmm",
    "three_tasks",
]

UNIFORM_3 = np.full(3, 1 / 3)
SINGULAR = as_floats(moments.SINGULAR)
"""Ergodic; the third column is the mean of the other two, so the rank is 2."""


def cycle(k: int, forward: float = 1.0, stay: float = 0.0) -> Floats:
    """Task j is followed by j+1 or itself with the given chances, by each other one equally."""
    T = np.zeros((k, k))
    rest = (1 - forward - stay) / (k - 2) if k > 2 else 0.0
    for j in range(k):
        T[:, j] = rest
        T[j, j], T[(j + 1) % k, j] = stay, forward
    return T


def drawn_columns(rng: np.random.Generator, k: int, sizes: Sizes, spread: float = 0.5) -> Floats:
    """k flattened models with Dirichlet blocks."""
    S, A, U = sizes.S, sizes.A, sizes.U
    q = rng.dirichlet(np.full(U, spread), size=(k, S * A))
    p = rng.dirichlet(np.full(S, spread), size=(k, S * A))
    return np.concatenate([q.reshape(k, -1), p.reshape(k, -1)], axis=1).T


def drawn_hmm(rng: np.random.Generator, k: int, sizes: Sizes, *, mixing: float = 0.3) -> HMM:
    """A model whose T is a random permutation blurred by a random stochastic matrix.

    The first task has a random distribution, in general not the stationary one, with every chance
    at least half of a uniform one.
    """
    blur = rng.dirichlet(np.ones(k), size=k).T
    T = (1 - mixing) * np.eye(k)[rng.permutation(k)] + mixing * blur
    distribution = (rng.dirichlet(np.ones(k)) + 1 / k) / 2
    return HMM(
        O=drawn_columns(rng, k, sizes),
        T=T / T.sum(axis=0),
        initial=distribution / distribution.sum(),
    )


def batches(rng: np.random.Generator, O: Floats, tasks: Ints, sizes: Sizes, n: int) -> Floats:
    """Three batches of n samples per pair for every task, shape (3, h, d)."""
    return np.stack([observations(rng, O, tasks, sizes, n) for _ in range(3)])


def three_task_hmm() -> HMM:
    """The three tasks on a blurred cycle (0.66 next, 0.17 stay, 0.17 back), started in task 0."""
    T = 0.7 * cycle(3, forward=0.8, stay=0.1) + 0.1
    return HMM(O=observation_matrix(three_tasks()), T=T, initial=np.array([1.0, 0.0, 0.0]))
