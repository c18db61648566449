"""Section 6: tasks in episodes, for the learners that act online, and what a policy earns there.

| Section 6, Appendix E                     | code                                    |
| ----------------------------------------- | --------------------------------------- |
| a task in which the agent acts            | `OnlineTask`                            |
| an episode of a given number of steps     | `episode`                               |
| the policy at the beginning of an episode | `policies`                              |
| expected return of a policy               | `expected_return` of an episode, `value` |
| realised return                           | `returns`                               |
| estimate from 30 episodes of 10 steps (E.2) | `estimated_return`                    |
| a sample of PTUM as a step or an episode, with the least reward | `returns_of_ptum` |

A reward may depend on the next state (a goal that pays once, on arrival, D68), so a task has one
joint distribution of reward and next state for every pair.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Protocol

import numpy as np

from ptum.reference.arrays import Floats, Ints, frozen, require_distributions
from ptum.reference.errors import (
    is_integer,
    require,
    require_all,
    require_below,
    require_choice,
    require_count,
    require_discount,
    require_sequence,
    settle,
)
from ptum.reference.experiments.grid import START
from ptum.reference.tasks.mdp import MDP


@dataclass(frozen=True, eq=False)
class OnlineTask:
    """A task as it answers in episodes.

    `joint[s,a,j,s']` is the probability of reward `u[j]` and next state s'. An episode begins in
    one of `starts`, each as likely, and is over in one of `ends`, where nothing is paid any more.
    """

    joint: Floats
    u: Floats
    gamma: float
    starts: tuple[int, ...] = (START,)
    ends: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        settle(self, joint=frozen(self.joint, "joint", 4), u=frozen(self.u, "u", 1))
        settle(self, gamma=require_discount(self.gamma))
        S, A, U = self.joint.shape[0], self.joint.shape[1], self.u.size
        good = self.joint.shape == (S, A, U, S)
        require(good, "joint", f"must have shape (S, A, {U}, S)", value=self.joint.shape)
        require(S >= 1 and A >= 1, "joint", "needs a state and an action", value=self.joint.shape)
        require_distributions(self.joint.reshape(S, A, U * S), "joint")
        require_all((self.u >= 0) & (self.u <= 1), self.u, "u", "a reward must lie in [0, 1]")
        for name, kind in (("starts", tuple), ("ends", frozenset)):
            states = require_sequence(getattr(self, name), name, "states")
            inside = all(is_integer(s) and 0 <= s < S for s in states)
            require(inside, name, f"must be states below {S}", value=states)
            settle(self, **{name: kind(map(int, states))})
        require_count(len(self.starts), "starts")

    @property
    def S(self) -> int:
        """Number of states."""
        return int(self.joint.shape[0])

    @property
    def A(self) -> int:
        """Number of actions."""
        return int(self.joint.shape[1])

    @cached_property
    def p(self) -> Floats:
        """p(s'|s,a), shape (S, A, S)."""
        p: Floats = self.joint.sum(axis=2)
        return p

    @cached_property
    def r(self) -> Floats:
        """r(s,a), shape (S, A)."""
        r: Floats = self.joint.sum(axis=3) @ self.u
        return r

    @cached_property
    def outcomes(self) -> list[list[tuple[list[float], list[tuple[int, int]]]]]:
        """Entry [s][a] is a pair of lists of equal length, for what has positive probability.

        The second has what can happen, each as (number of the reward, next state); the first has
        the running sums of the probabilities, in the same order.
        """
        return [[_outcomes(self.joint[s, a]) for a in range(self.A)] for s in range(self.S)]

    def step(self, s: int, a: int, uniform: float) -> tuple[int, int]:
        """The number of the reward and the next state, by inverting the distribution function."""
        rising, what = self.outcomes[s][a]
        return what[min(bisect_right(rising, uniform), len(what) - 1)]

    def value(self, pi: Ints) -> float:
        """V^π, on average over the starts."""
        V = solved(self.r, self.p, self.gamma, pi)
        return float(np.mean(V[list(self.starts)]))

    def least_return(self, steps: int) -> float:
        """Of an episode in which every step pays the least reward."""
        return float(self.u.min() * np.sum(self.gamma ** np.arange(steps)))

    def expected_return(self, pi: Ints, steps: int) -> float:
        """Expected discounted return of an episode of so many steps, on average over the starts."""
        chosen = np.arange(self.S), pi
        r, p, V = self.r[chosen], self.p[chosen], np.zeros(self.S)
        for _ in range(steps):
            V = r + self.gamma * (p @ V)
        return float(np.mean(V[list(self.starts)]))


def _outcomes(joint: Floats) -> tuple[list[float], list[tuple[int, int]]]:
    j, s_next = np.nonzero(joint)
    what = [(int(x), int(y)) for x, y in zip(j, s_next, strict=True)]
    return np.cumsum(joint[j, s_next]).tolist(), what


def online(task: MDP, starts: Sequence[int] = (START,)) -> OnlineTask:
    """Reward and next state are independent given the pair, as Section 2 has it."""
    require(isinstance(task, MDP), "task", "must be an MDP", value=type(task).__name__)
    joint: Floats = task.q[:, :, :, np.newaxis] * task.p[:, :, np.newaxis, :]
    return OnlineTask(joint, task.u, task.gamma, require_sequence(starts, "starts", "states"))


def paid_once(task: MDP, prize: Floats, goals: Sequence[int]) -> OnlineTask:
    """Arriving in a goal pays 1 with the probability that is its prize, and ends the episode."""
    require(isinstance(task, MDP), "task", "must be an MDP", value=type(task).__name__)
    paid = frozen(prize, "prize", 1)
    good = paid.shape == (task.S,) and bool(np.all((paid >= 0) & (paid <= 1)))
    require(good, "prize", f"must be {task.S} probabilities", value=prize)
    ends = require_sequence(goals, "goals", "states")
    wins = task.p * paid
    wins[[require_below(goal, task.S, "goals", "a state") for goal in ends]] = 0.0
    joint: Floats = np.stack([task.p - wins, wins], axis=2)
    return OnlineTask(joint, np.array([0.0, 1.0]), task.gamma, ends=frozenset(ends))


def solved(r: Floats, p: Floats, gamma: float, pi: Ints) -> Floats:
    """V = r^π + γ P^π V, for r of shape (S, A) and p of shape (S, A, S) with row sums ≤ 1."""
    chosen = np.arange(len(pi)), pi
    V = np.linalg.solve(np.eye(len(pi)) - gamma * p[chosen], r[chosen])
    return V.astype(np.float64)


# Acting


class Learner(Protocol):
    """Acts by a policy that is fixed until a sample changes it."""

    policy: Ints

    def see(self, s: int, a: int, j: int, s_next: int) -> bool:
        """Take in one sample, of reward u[j]; whether the policy was made again."""

    def over(self) -> bool:
        """The episode has ended; whether the policy was made again."""
        return False


class Fixed(Learner):
    """Acts by one policy and learns nothing: a policy that PTUM returned, or the optimal one."""

    def __init__(self, policy: Ints) -> None:
        self.policy = policy

    def see(self, s: int, a: int, j: int, s_next: int) -> bool:  # noqa: ARG002 - learns nothing
        """The policy stays."""
        return False


@dataclass(frozen=True)
class EpisodeStep:
    """One step of an episode: what was paid, and whether the learner's policy was made again."""

    reward: float
    changed: bool


def episode(
    task: OnlineTask, learner: Learner, steps: int, rng: np.random.Generator
) -> Iterator[EpisodeStep]:
    """At most so many steps from one of the starts, fewer if the episode ends before."""
    uniforms = rng.random(steps + 1).tolist()
    s = task.starts[int(uniforms[steps] * len(task.starts))]
    for t, uniform in enumerate(uniforms[:steps], start=1):
        a = int(learner.policy[s])
        j, s_next = task.step(s, a, uniform)
        changed, last = learner.see(s, a, j, s_next), t == steps or s_next in task.ends
        yield EpisodeStep(float(task.u[j]), (last and learner.over()) or changed)
        if last:
            return
        s = s_next


def policies(
    task: OnlineTask, learner: Learner, steps: int, rng: np.random.Generator
) -> Iterator[Ints]:
    """The policy with which each episode begins, one after another, for ever."""
    while True:
        yield learner.policy
        for _ in episode(task, learner, steps, rng):
            pass


def returns(
    task: OnlineTask, learner: Learner, steps: int, rng: np.random.Generator
) -> Iterator[float]:
    """The realised discounted return of each episode, one after another, for ever."""
    while True:
        steps_made = episode(task, learner, steps, rng)
        yield sum(task.gamma**t * step.reward for t, step in enumerate(steps_made))


def expected_returns(
    task: OnlineTask, learner: Learner, steps: int, episodes: int, rng: np.random.Generator
) -> Floats:
    """The exact expectation for the policy with which each episode begins (D111)."""
    found, last, worth = [], None, 0.0
    for pi in itertools.islice(policies(task, learner, steps, rng), episodes):
        if pi is not last:
            last, worth = pi, task.expected_return(pi, steps)
        found.append(worth)
    return np.array(found)


def estimated_return(
    task: OnlineTask, pi: Ints, rng: np.random.Generator, episodes: int = 30, steps: int = 10
) -> float:
    """The mean realised return of a policy, as Appendix E.2 estimates it (D82).

    Episodes begin in the starts of the task; D82 has all states: `online(theta, range(theta.S))`.
    """
    require_count(episodes, "episodes")
    require_count(steps, "steps")
    return float(np.mean(list(itertools.islice(returns(task, Fixed(pi), steps, rng), episodes))))


class PerSample(StrEnum):
    """What one sample of PTUM counts for (D73): Appendix E.1 has a step left, an episode right."""

    STEP = "step"
    EPISODE = "episode"


def returns_of_ptum(
    task: OnlineTask,
    samples: int,
    pi: Ints | None,
    steps: int,
    episodes: int,
    per_sample: PerSample,
) -> Floats:
    """PTUM's curve: the least reward in every episode in which it samples, then what π earns.

    An episode that begins before the last sample is one of sampling (D73); without a policy
    sampling never ends.
    """
    per_sample = require_choice(per_sample, tuple(PerSample), "per_sample")
    least = task.least_return(steps)
    worth = least if pi is None else task.expected_return(pi, steps)
    begun = (steps if per_sample is PerSample.STEP else 1) * np.arange(episodes)
    curve: Floats = np.where(begun >= samples, worth, least)
    return curve


def steps_until(
    task: OnlineTask,
    learner: Learner,
    steps: int,
    rng: np.random.Generator,
    most: int,
    reached: Callable[[], bool] = lambda: False,
) -> int:
    """The number of steps, in episodes of `steps`, until `reached`, or `most` if that comes first.

    `reached` is asked at the beginning and after each step that made the policy again; nothing
    else changes its answer.
    """
    require_count(steps, "steps")
    require_count(most, "most")
    taken = 0
    if reached():
        return taken
    for _ in itertools.count():
        for step in episode(task, learner, steps, rng):
            taken += 1
            if taken == most or (step.changed and reached()):
                return taken
    raise AssertionError("episodes never end")
