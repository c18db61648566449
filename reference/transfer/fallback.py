"""The (ε,δ)-PAC algorithm that lines 2 and 22 of Algorithm 1 call; the paper leaves it open (D11).

`UniformSampling` samples every pair equally often and returns the optimal policy of the empirical
model. Its sample size is proved in docs/fallback.md:

    m ≥ 2 log(2SA/δ) / ((1-γ)⁶ ε²)   samples of every pair.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ptum.reference.arrays import Ints, ShortRepr
from ptum.reference.errors import (
    LARGEST_COUNT,
    LEAST_CONFIDENCE,
    InputError,
    require,
    require_accuracy,
    require_confidence,
    require_count,
    require_discount,
    require_sizes,
    require_table,
    settle,
)
from ptum.reference.tasks.generative import GenerativeModel, ask, require_target
from ptum.reference.tasks.mdp import bernoulli_rewards
from ptum.reference.tasks.values import optimal_policy


@dataclass(frozen=True, eq=False, repr=False)
class FallbackResult(ShortRepr):
    """A policy and what it cost."""

    policy: Ints
    queries: int

    def __post_init__(self) -> None:
        settle(self, queries=require_count(self.queries, "queries", least=0))

    def __repr__(self) -> str:
        """What it cost; a policy of many states fills a screen."""
        return f"FallbackResult({self.queries} queries)"


def require_solved(solved: object, S: int, A: int) -> None:
    """What a fallback returned is a policy of the task, and what it cost."""
    if not isinstance(solved, FallbackResult):
        problem = "must return ptum.reference.transfer.fallback.FallbackResult(policy, queries)"
        raise InputError("fallback", problem, value=type(solved).__name__)
    pi: object = solved.policy
    good = isinstance(pi, np.ndarray) and pi.dtype.kind in "iu" and pi.shape == (S,)
    good = good and bool(np.all((solved.policy >= 0) & (solved.policy < A)))
    require(good, "fallback", f"must return {S} actions below {A}, as an array", value=pi)


class PacAlgorithm(Protocol):
    """Computes a policy that is ε-optimal with probability at least 1-δ."""

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        """Solve the task behind the generative model."""


def samples_per_pair(S: int, A: int, gamma: float, epsilon: float, delta: float) -> int:
    """⌈2 log(2SA/δ) / ((1-γ)⁶ ε²)⌉."""
    S, A = require_count(S, "S"), require_count(A, "A")
    gamma, delta = require_discount(gamma), require_confidence(delta, least=LEAST_CONFIDENCE)
    epsilon = require_accuracy(epsilon)
    require(epsilon > 0, "epsilon", "no finite sample size gives an exact policy", value=epsilon)
    denominator = (1 - gamma) ** 6 * (epsilon * epsilon)  # +inf where ε**2 would be an error
    numerator = 2 * math.log(2 * S * A / delta)
    if numerator > LARGEST_COUNT * denominator:
        problem = f"too small for γ = {gamma}: nobody takes more than {LARGEST_COUNT} samples"
        raise InputError("epsilon", problem, value=epsilon)
    return max(math.ceil(numerator / denominator), 1)


def sample_every_pair(
    model: GenerativeModel, S: int, A: int, gamma: float, m: int
) -> FallbackResult:
    """Sample every pair m times and plan in the empirical model; lowest-numbered action on ties."""
    S, A, m = require_sizes(S=S, A=A, m=m)
    require_target(model, S, A, "model")
    require_table("S", S, A, S)
    r_hat, p_hat = np.zeros((S, A)), np.zeros((S, A, S))
    for s in range(S):
        for a in range(A):
            for _ in range(m):
                reward, successor = ask(model, s, a, S)
                r_hat[s, a] += reward
                p_hat[s, a, successor] += 1
    empirical = bernoulli_rewards(p_hat / m, r_hat / m, gamma)  # its means are all that counts
    return FallbackResult(policy=optimal_policy(empirical), queries=m * S * A)


class UniformSampling:
    """Sample every pair `samples_per_pair` times, then plan in the empirical model."""

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        """The optimal policy of the empirical model; lowest-numbered action on ties."""
        m = samples_per_pair(S, A, gamma, epsilon, delta)
        return sample_every_pair(model, S, A, gamma, m)
