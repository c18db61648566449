"""Section 6: stand-ins for the learners that PTUM is compared with (D86).

RMAX, MaxQInit and PEL are algorithms of other papers. Of the first two this one gives after how
many samples a pair counts as known, of PEL nothing. What stands here is the least that the names
say. RMAX itself, MaxQInit with r_max/(1-γ) in every entry, is not run: no part is about it.

| learner  | acts                                                          | learns         |
| -------- | ------------------------------------------------------------- | -------------- |
| MaxQInit | greedily; a pair that is not known is worth max_θ Q*_θ(s,a)   | empirical laws |
| PEL      | by the policy of the surviving model that promises most there | who survives   |

A pair is known after m samples of it, and then has its empirical law for good; whenever one
becomes known the learner plans again, also within an episode. PEL drops a model once the data are
less likely under it than under the likeliest survivor by a factor below δ/k. Among equal actions,
and equal models, the first is taken, equal up to rounding, so that no draw hangs on a last digit.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ptum.reference.arrays import Bools, Floats, Ints
from ptum.reference.experiments.grid import START
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import action_value, optimal_policy, policy_value, value_tolerance


@dataclass(frozen=True, eq=False)
class OnlineTask:
    """A task as it answers in episodes: the joint law of reward and next state of every pair.

    `law[s,a,j,s']` is the probability of reward `u[j]` and next state s'; an episode begins in one
    of `starts`, each as likely, and is over in one of `ends`, where nothing is paid any more.
    """

    law: Floats
    u: Floats
    gamma: float
    starts: tuple[int, ...] = (START,)
    ends: frozenset[int] = frozenset()

    @property
    def S(self) -> int:
        """Number of states."""
        return int(self.law.shape[0])

    @property
    def A(self) -> int:
        """Number of actions."""
        return int(self.law.shape[1])

    @cached_property
    def p(self) -> Floats:
        """p(s'|s,a)."""
        p: Floats = self.law.sum(axis=2)
        return p

    @cached_property
    def r(self) -> Floats:
        """r(s,a)."""
        r: Floats = self.law.sum(axis=3) @ self.u
        return r

    @cached_property
    def outcomes(self) -> list[list[tuple[list[float], list[tuple[int, int]]]]]:
        """Entry [s][a] is a pair of lists of equal length, for what has positive probability.

        The second has what can happen, each as (number of the reward, next state); the first has
        the running sums of the probabilities, in the same order.
        """
        return [[_outcomes(self.law[s, a]) for a in range(self.A)] for s in range(self.S)]

    def step(self, s: int, a: int, uniform: float) -> tuple[int, int]:
        """The number of the reward and the next state, by inverting the cumulative law."""
        rising, what = self.outcomes[s][a]
        return what[min(bisect_right(rising, uniform), len(what) - 1)]

    def worth(self, pi: Ints) -> float:
        """Value of a policy, on average over the starts."""
        value = _evaluated(self.r, self.p, self.gamma, pi)
        return float(np.mean(value[list(self.starts)]))

    def earned(self, pi: Ints, steps: int) -> float:
        """The same in an episode of so many steps."""
        chosen = np.arange(self.S), pi
        r, p, value = self.r[chosen], self.p[chosen], np.zeros(self.S)
        for _ in range(steps):
            value = r + self.gamma * (p @ value)
        return float(np.mean(value[list(self.starts)]))


def _outcomes(law: Floats) -> tuple[list[float], list[tuple[int, int]]]:
    j, s_next = np.nonzero(law)
    what = [(int(x), int(y)) for x, y in zip(j, s_next, strict=True)]
    return np.cumsum(law[j, s_next]).tolist(), what


def online(task: MDP, starts: Sequence[int] = (START,)) -> OnlineTask:
    """Reward and next state are independent given the pair, as Section 2 has it."""
    law: Floats = task.q[:, :, :, np.newaxis] * task.p[:, :, np.newaxis, :]
    return OnlineTask(law, task.u, task.gamma, tuple(starts))


def _evaluated(r: Floats, p: Floats, gamma: float, pi: Ints) -> Floats:
    """V = r^π + γ P^π V."""
    chosen = np.arange(len(pi)), pi
    V = np.linalg.solve(np.eye(len(pi)) - gamma * p[chosen], r[chosen])
    return V.astype(np.float64)


def largest_values(tasks: Sequence[MDP]) -> Floats:
    """MaxQInit's initial table max_θ Q*_θ(s,a)."""
    tables = [action_value(theta, policy_value(theta, optimal_policy(theta))) for theta in tasks]
    Q: Floats = np.max(tables, axis=0)
    return Q


class Learner(Protocol):
    """Acts by a policy that is fixed until a sample changes it."""

    policy: Ints

    def see(self, s: int, a: int, j: int, s_next: int) -> bool:
        """Take in one sample; whether the policy was made again."""


class MaxQInit:
    """RMAX that values a pair by `initial` until it is known, after `m` samples."""

    def __init__(self, task: OnlineTask, initial: Floats, m: int) -> None:
        self.u, self.gamma, self.m, self.initial = task.u, task.gamma, m, initial
        self.known: Bools = np.zeros((task.S, task.A), dtype=np.bool_)
        self.rewards = np.zeros((task.S, task.A, task.u.size))
        self.successors = np.zeros((task.S, task.A, task.S))
        self.samples = [[0] * task.A for _ in range(task.S)]
        self.policy: Ints = first_best(initial, value_tolerance(initial.max(axis=1), self.gamma))

    def see(self, s: int, a: int, j: int, s_next: int) -> bool:
        """Count it, and plan if the pair becomes known by it."""
        if self.samples[s][a] == self.m:
            return False
        self.samples[s][a] += 1
        self.rewards[s, a, j] += 1
        self.successors[s, a, s_next] += 1
        if self.samples[s][a] < self.m:
            return False
        self.known[s, a] = True
        self.plan()
        return True

    def plan(self) -> None:
        """Policy iteration where known pairs have empirical laws and the others end at `initial`.

        Only a gain that rounding cannot fake changes an action, so no policy is met twice.
        """
        r = np.where(self.known, self.rewards @ self.u / self.m, self.initial)
        p = np.where(self.known[..., np.newaxis], self.successors / self.m, 0.0)
        states = np.arange(len(self.policy))
        while True:
            V = _evaluated(r, p, self.gamma, self.policy)
            Q = r + self.gamma * (p @ V)
            tolerance = value_tolerance(V, self.gamma)
            gain = Q.max(axis=1) - Q[states, self.policy]
            if np.all(gain <= tolerance):
                self.policy = first_best(Q, tolerance)
                return
            self.policy = np.where(gain > tolerance, Q.argmax(axis=1), self.policy)


def first_best(Q: Floats, tolerance: float) -> Ints:
    """In every row the first entry that is largest up to rounding."""
    first: Ints = np.argmax(Q.max(axis=1, keepdims=True) - tolerance <= Q, axis=1).astype(np.int64)
    return first


@dataclass(frozen=True, eq=False)
class Candidates:
    """The models that PEL knows: their joint laws, optimal policies and values."""

    laws: Floats
    pi_star: Ints
    V_star: Floats
    gamma: float

    @property
    def k(self) -> int:
        """Their number."""
        return len(self.laws)


def candidates(tasks: Sequence[OnlineTask], models: Sequence[MDP]) -> Candidates:
    """The tasks as they answer, and solved as MDPs with the same means."""
    pi_star = np.stack([optimal_policy(theta) for theta in models])
    V_star = np.stack([policy_value(m, pi) for m, pi in zip(models, pi_star, strict=True)])
    return Candidates(np.stack([t.law for t in tasks]), pi_star, V_star, tasks[0].gamma)


class Pel:
    """Optimism over the surviving models; the likelihood ratio decides who survives."""

    def __init__(self, known: Candidates, delta: float = 0.01) -> None:
        self.known = known
        self.log_likelihood = np.zeros(known.k)
        self.least = math.log(delta / known.k)
        self.active: tuple[int, ...] = tuple(range(known.k))
        self.policy: Ints = self.optimistic()

    def see(self, s: int, a: int, j: int, s_next: int) -> bool:
        """Update likelihoods, drop what has become too unlikely, and choose again.

        The ratio is taken to the likeliest survivor, which therefore stays: at least one model
        does. Where what was seen is impossible in all survivors, all their log-likelihoods are
        minus infinity, none is below another, and all of them stay.
        """
        with np.errstate(divide="ignore"):
            self.log_likelihood += np.log(self.known.laws[:, s, a, j, s_next])
        least = self.log_likelihood[list(self.active)].max() + self.least
        active = tuple(i for i in self.active if self.log_likelihood[i] >= least)
        if active == self.active:
            return False
        self.active = active
        self.policy = self.optimistic()
        return True

    def optimistic(self) -> Ints:
        """In every state the action of the surviving model with the largest value there."""
        chosen = list(self.active)
        V = self.known.V_star[chosen]
        best = first_best(V.T, value_tolerance(V, self.known.gamma))
        pi: Ints = self.known.pi_star[chosen][best, np.arange(V.shape[1])]
        return pi


def steps_until(
    task: OnlineTask,
    learner: Learner,
    steps: int,
    rng: np.random.Generator,
    most: int,
    reached: Callable[[], bool] = lambda: False,
) -> int:
    """The number of steps, in episodes of `steps`, until `reached`, or `most` if that comes first.

    `reached` is asked at the begin and after each step that made the policy again; nothing else
    changes its answer.
    """
    if steps < 1 or most < 1:
        raise ValueError(f"episodes of {steps} steps and {most} steps at most: both must be ≥ 1")
    taken = 0
    if reached():
        return taken
    while True:
        for changed in episode(task, learner, steps, rng):
            taken += 1
            if taken == most or (changed and reached()):
                return taken


def policies(
    task: OnlineTask, learner: Learner, steps: int, rng: np.random.Generator
) -> Iterator[Ints]:
    """The policy with which each episode begins, one after another, for ever."""
    while True:
        yield learner.policy
        for _ in episode(task, learner, steps, rng):
            pass


def episode(
    task: OnlineTask, learner: Learner, steps: int, rng: np.random.Generator
) -> Iterator[bool]:
    """After every step of an episode, whether it made the policy again."""
    uniforms = rng.random(steps + 1).tolist()
    s = task.starts[int(uniforms[steps] * len(task.starts))]
    for uniform in uniforms[:steps]:
        a = int(learner.policy[s])
        j, s_next = task.step(s, a, uniform)
        yield learner.see(s, a, j, s_next)
        if s_next in task.ends:
            return
        s = s_next
