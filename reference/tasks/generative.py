"""Section 2: the generative model, which answers a query (s,a) with a reward and a next state."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ptum.reference.arrays import Floats, Ints
from ptum.reference.errors import (
    InputError,
    is_integer,
    require,
    require_below,
    require_count,
    require_real,
    require_seed,
    require_table,
)
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
        problem = "must be the task to simulate, a ptum.MDP"
        require(isinstance(theta, MDP), "theta", problem, value=type(theta).__name__)
        self._theta = theta
        self._seed = require_seed(seed)
        self._streams: dict[tuple[int, int], np.random.Generator] = {}

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Draw the reward, then the next state, each by inverting its distribution function."""
        s, a = self._pair(s, a)
        stream = self._stream(s, a)
        reward = self._theta.u[_invert(self._theta.q[s, a], stream.random())]
        successor = _invert(self._theta.p[s, a], stream.random())
        return float(reward), int(successor)

    def sample_many(self, s: int, a: int, m: int) -> tuple[Floats, Ints]:
        """What m calls of `sample` would return: all rewards, all next states."""
        s, a = self._pair(s, a)
        require_table("m", require_count(m, "m"), 2)
        uniforms = self._stream(s, a).random((m, 2))  # in the order in which single calls draw
        rewards = self._theta.u[_invert(self._theta.q[s, a], uniforms[:, 0])]
        return rewards, _invert(self._theta.p[s, a], uniforms[:, 1])

    @property
    def S(self) -> int:
        """Number of states of the task."""
        return self._theta.S

    @property
    def A(self) -> int:
        """Number of actions of the task."""
        return self._theta.A

    def _pair(self, s: int, a: int) -> tuple[int, int]:
        return require_below(s, self.S, "s", "a state"), require_below(a, self.A, "a", "an action")

    def _stream(self, s: int, a: int) -> np.random.Generator:
        if (s, a) not in self._streams:
            entropy = np.random.SeedSequence(self._seed, spawn_key=(s, a))
            self._streams[s, a] = np.random.Generator(np.random.PCG64(entropy))
        return self._streams[s, a]


def require_target(target: object, S: int, A: int, argument: str = "generative_model") -> None:
    """Refuse what cannot be queried, and our own simulator of a task with other sizes."""
    if isinstance(target, MDP):
        problem = "the target is a task; to query it wrap it as ptum.Simulator(task, seed=0)"
        raise InputError(argument, problem)
    if isinstance(target, type) or not callable(getattr(target, "sample", None)):
        problem = "the target must be an object with a method sample(s, a)"
        raise InputError(argument, problem, value=kind(target))
    if isinstance(target, Simulator) and (target.S, target.A) != (S, A):
        problem = f"the target has other sizes than S = {S} states and A = {A} actions"
        raise InputError(argument, problem, value=f"S = {target.S}, A = {target.A}")


def kind(given: object) -> str:
    """What something is, for a message that refuses it."""
    return f"the class {given.__name__}" if isinstance(given, type) else type(given).__name__


def ask(
    model: GenerativeModel, s: int, a: int, S: int, argument: str = "generative_model"
) -> tuple[float, int]:
    """Query a generative model that somebody else wrote, and refuse an impossible answer."""
    sample: object = getattr(model, "sample", None)
    if not callable(sample):
        raise InputError(argument, "must have a method sample(s, a)", value=kind(model))
    where = f"{argument}.sample({s}, {a})"
    return checked(sample(s, a), where, S)


def checked(answer: object, where: str, S: int) -> tuple[float, int]:
    """An answer to a query as plain numbers, if it is possible."""
    if not (isinstance(answer, tuple | list) and len(answer) == 2):
        raise InputError(where, "must return a reward and a next state", value=answer)
    reward, successor = answer
    found = require_real(reward, lambda x: 0 <= x <= 1, where, "the reward must lie in [0, 1]")
    good_state = is_integer(successor) and 0 <= successor < S
    problem = f"the next state must be an integer from 0 to {S - 1}"
    require(good_state, where, problem, value=successor)
    return found, int(successor)


def _invert(probabilities: Floats, x: Floats | float) -> Ints:
    """The outcome whose share of [0, 1) contains x; never one of probability zero."""
    outcome = np.searchsorted(np.cumsum(probabilities), x, side="right")
    possible: Ints = np.minimum(outcome, np.flatnonzero(probabilities)[-1])
    return possible
