"""Small sequences of tasks for the tests of Algorithm 2, and learners that know the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass

import numpy as np

from reference.arrays import Floats
from reference.fallback import FallbackResult
from reference.generative import GenerativeModel, Simulator
from reference.hmm import observation_matrix
from reference.mdp import MDP
from reference.repaired.spectral import Outcome
from reference.spectral import HmmEstimate

GAMMA = 0.3
U = (0.0, 1.0)


def certain(successors: Sequence[Sequence[int]], rewards: Sequence[Sequence[int]]) -> MDP:
    """Every pair has one certain next state and one certain reward, 0 or 1."""
    p, q = np.eye(2)[np.array(successors)], np.eye(2)[np.array(rewards)]
    return MDP(p=p, q=q, u=np.array(U), gamma=GAMMA)


def noisy(task: MDP, noise: float) -> MDP:
    """Every certain outcome of two happens with probability 1 - noise only."""
    return MDP(
        p=(1 - noise) * task.p + noise * (1 - task.p),
        q=(1 - noise) * task.q + noise * (1 - task.q),
        u=task.u,
        gamma=task.gamma,
    )


THREE = (
    certain([[0, 1], [0, 1]], [[1, 0], [0, 0]]),
    certain([[0, 1], [0, 1]], [[0, 1], [0, 1]]),
    certain([[1, 0], [1, 0]], [[0, 0], [1, 0]]),
)
"""Two states, two actions, three linearly independent tasks, each with its own best policy."""

CYCLE = 0.98 * np.roll(np.eye(3), 1, axis=0) + 0.02 / 3
"""After task j nearly always task j+1."""


@dataclass(frozen=True)
class FewSamples:
    """A fallback that samples every pair a few times and plans nothing."""

    each: int = 1

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        """All-zero policy."""
        del gamma, epsilon, delta
        for s in range(S):
            for a in range(A):
                for _ in range(self.each):
                    model.sample(s, a)
        return FallbackResult(np.zeros(S, dtype=np.int64), self.each * S * A)


def simulators(tasks: Sequence[MDP], sequence: Sequence[int], first: int = 1) -> list[Simulator]:
    """The stream of a sequence; task number h has seed h, so it can be taken up anywhere."""
    return [Simulator(tasks[j], seed) for seed, j in enumerate(sequence, start=first)]


@dataclass(frozen=True)
class Oracle:
    """A learner that knows O and T, and calls the tasks at step h by a name of its own."""

    tasks: tuple[MDP, ...]
    T: Floats
    naming: Callable[[int], Sequence[int]] | None = None
    views: int = 1

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> Outcome:
        """O and T, columns (and rows) in the order of `naming(h)`."""
        del L, N, rng
        h = observations.shape[-2]
        order = list(range(k)) if self.naming is None else list(self.naming(h))
        weights = np.full(k, 1 / k)
        O = observation_matrix(self.tasks)  # noqa: E741 - the paper's letter
        return HmmEstimate(O[:, order], self.T[np.ix_(order, order)], weights, weights**-0.5)


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
