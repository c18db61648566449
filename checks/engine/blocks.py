"""The samples of the `Simulator` of `reference`, many at a time and as outcome numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ptum.reference.arrays import Floats, Ints
from ptum.reference.tasks.mdp import MDP


class BlockSimulator:
    """The same random streams as `Simulator(theta, seed)`: the i-th sample of a pair is the same.

    The literal simulator takes two uniforms per sample, first for the reward and then for the next
    state; drawing them as one block consumes the stream in the same order.
    """

    def __init__(self, theta: MDP, seed: int) -> None:
        self.theta = theta
        self._seed = seed
        self._streams: dict[tuple[int, int], np.random.Generator] = {}
        self._unused: dict[tuple[int, int], tuple[Ints, Ints]] = {}

    def peek(self, s: int, a: int, size: int) -> tuple[Ints, Ints]:
        """At least `size` coming samples of a pair: numbers of reward values, next states."""
        empty = np.zeros(0, dtype=np.int64)
        rewards, successors = self._unused.get((s, a), (empty, empty))
        missing = size - rewards.size
        if missing > 0:
            uniforms = self._stream(s, a).random((missing, 2))
            fresh_rewards = _invert(self.theta.q[s, a], uniforms[:, 0])
            fresh_successors = _invert(self.theta.p[s, a], uniforms[:, 1])
            rewards = np.concatenate((rewards, fresh_rewards))
            successors = np.concatenate((successors, fresh_successors))
            self._unused[s, a] = rewards, successors
        return rewards[:size], successors[:size]

    def take(self, s: int, a: int, size: int) -> None:
        """Consume the next `size` samples of a pair."""
        rewards, successors = self._unused[s, a]
        self._unused[s, a] = rewards[size:], successors[size:]

    def _stream(self, s: int, a: int) -> np.random.Generator:
        if (s, a) not in self._streams:
            entropy = np.random.SeedSequence(self._seed, spawn_key=(s, a))
            self._streams[s, a] = np.random.Generator(np.random.PCG64(entropy))
        return self._streams[s, a]


class Ahead:
    """The answers of `Simulator(theta, seed)` one by one, drawn many at a time."""

    BLOCK = 64

    def __init__(self, theta: MDP, seed: int) -> None:
        self._blocks = BlockSimulator(theta, seed)
        self._answers: dict[tuple[int, int], Iterator[tuple[float, int]]] = {}

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """The next answer of a pair."""
        if (s, a) not in self._answers:
            self._answers[s, a] = self._stream(s, a)
        return next(self._answers[s, a])

    def _stream(self, s: int, a: int) -> Iterator[tuple[float, int]]:
        u = self._blocks.theta.u
        while True:
            rewards, successors = self._blocks.peek(s, a, self.BLOCK)
            self._blocks.take(s, a, self.BLOCK)
            yield from zip(u[rewards].tolist(), successors.tolist(), strict=True)


FEW = 16
"""Up to here comparing with every limit is faster than searching among them."""


def _invert(probabilities: Floats, x: Floats) -> Ints:
    """The outcomes whose shares of [0, 1) contain x, as the literal simulator inverts one.

    It takes the first outcome whose limit is above x, and the last possible one if there is none.
    The limit of an impossible outcome is that of the one before, so it is never the first.
    """
    possible = np.flatnonzero(probabilities)
    limits = np.cumsum(probabilities)[possible[:-1]]
    if possible.size > FEW:
        return possible[np.searchsorted(limits, x, side="right")]
    place = np.zeros(x.size, dtype=np.uint8)
    for limit in limits:
        place += x >= limit
    return possible[place]
