"""Section 2: the generative model, which answers a query (s,a) with a reward and a next state."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ptum.reference.arrays import Floats, Ints
from ptum.reference.errors import InputError, is_integer, is_number, require
from ptum.reference.tasks.mdp import MDP


class GenerativeModel(Protocol):
    """Whatever can be queried: our simulator, a robot, somebody's program."""

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """One reward U ~ q_θ*(.|s,a) and one next state S' ~ p_θ*(.|s,a), independent (D34)."""


class Simulator:
    """A task as a generative model, with one random stream for every pair.

    The i-th answer at a pair depends on the seed, the pair and i alone. Two algorithms that ask
    in different orders therefore see the same samples.
    """

    def __init__(self, theta: MDP, seed: int) -> None:
        require(isinstance(theta, MDP), "theta", "must be an MDP", value=type(theta).__name__)
        good = is_integer(seed) and seed >= 0
        require(good, "seed", "must be an integer of at least 0", value=seed)
        self._theta = theta
        self._seed = seed
        self._streams: dict[tuple[int, int], np.random.Generator] = {}

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Draw the reward, then the next state, each by inverting its distribution function."""
        _require_pair(s, a, self._theta.S, self._theta.A)
        stream = self._stream(s, a)
        reward = self._theta.u[_invert(self._theta.q[s, a], stream.random())]
        successor = _invert(self._theta.p[s, a], stream.random())
        return float(reward), int(successor)

    def sample_many(self, s: int, a: int, m: int) -> tuple[Floats, Ints]:
        """What m calls of `sample` would return: all rewards, all next states."""
        _require_pair(s, a, self._theta.S, self._theta.A)
        uniforms = self._stream(s, a).random((m, 2))  # in the order in which single calls draw
        rewards = self._theta.u[_invert(self._theta.q[s, a], uniforms[:, 0])]
        return rewards, _invert(self._theta.p[s, a], uniforms[:, 1])

    def _stream(self, s: int, a: int) -> np.random.Generator:
        if (s, a) not in self._streams:
            entropy = np.random.SeedSequence(self._seed, spawn_key=(s, a))
            self._streams[s, a] = np.random.Generator(np.random.PCG64(entropy))
        return self._streams[s, a]


def ask(model: GenerativeModel, s: int, a: int, S: int) -> tuple[float, int]:
    """Query a generative model that somebody else wrote, and refuse an impossible answer."""
    sample: object = getattr(model, "sample", None)
    if not callable(sample):
        kind = type(model).__name__
        raise InputError("generative_model", "must have a method sample(s, a)", value=kind)
    where = f"generative_model.sample({s}, {a})"
    return checked(sample(s, a), where, S)


def checked(answer: object, where: str, S: int) -> tuple[float, int]:
    """An answer to a query as plain numbers, if it is possible."""
    if not (isinstance(answer, tuple | list) and len(answer) == 2):
        raise InputError(where, "must return a reward and a next state", value=answer)
    reward, successor = answer
    good_reward = is_number(reward) and 0 <= reward <= 1
    require(good_reward, where, "the reward must lie in [0, 1]", value=reward)
    good_state = is_integer(successor) and 0 <= successor < S
    problem = f"the next state must be an integer from 0 to {S - 1}"
    require(good_state, where, problem, value=successor)
    return float(reward), int(successor)


def _invert(probabilities: Floats, x: Floats | float) -> Ints:
    """The outcome whose share of [0, 1) contains x; never one of probability zero."""
    outcome = np.searchsorted(np.cumsum(probabilities), x, side="right")
    possible: Ints = np.minimum(outcome, np.flatnonzero(probabilities)[-1])
    return possible


def _require_pair(s: int, a: int, S: int, A: int) -> None:
    require(is_integer(s) and 0 <= s < S, "s", f"must be a state below {S}", value=s)
    require(is_integer(a) and 0 <= a < A, "a", f"must be an action below {A}", value=a)
