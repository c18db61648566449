"""Section 2: a task θ is a finite discounted MDP M_θ = <S, A, p_θ, q_θ, γ>.

| symbol      | code              | shape     |
| ----------- | ----------------- | --------- |
| p_θ(s'|s,a) | `theta.p[s,a,s']` | (S, A, S) |
| q_θ(u|s,a)  | `theta.q[s,a,j]`  | (S, A, U) |
| u ∈ 𝒰       | `theta.u[j]`      | (U,)      |
| γ           | `theta.gamma`     |           |
| r_θ(s,a)    | `mean_reward`     | (S, A)    |
| σ^r_θ(s,a)  | `reward_std`      | (S, A)    |

Rewards take finitely many values in [0, 1]: the paper assumes a finite reward space from Section 4
on, and this code from the start (D01).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ptum.reference.arrays import Floats, ShortRepr, frozen, require_distributions
from ptum.reference.errors import (
    InputError,
    require,
    require_all,
    require_discount,
    require_table,
    settle,
)


@dataclass(frozen=True, eq=False)
class MDP(ShortRepr):
    """One task: `p` (S, A, S), `q` (S, A, U), reward values `u` (U,) in [0, 1], discount `gamma`.

    p[s,a,s'] is the probability of s' after a in s, q[s,a,j] that of the reward u[j]. Arrays are
    copied, checked and made read-only.
    """

    p: Floats
    q: Floats
    u: Floats
    gamma: float

    def __post_init__(self) -> None:
        settle(self, p=frozen(self.p, "p", 3), q=frozen(self.q, "q", 3), u=frozen(self.u, "u", 1))
        settle(self, gamma=require_discount(self.gamma))
        self._check()

    def __repr__(self) -> str:
        """Its sizes: the tables of one task can fill a screen."""
        return f"MDP(S={self.S}, A={self.A}, U={self.u.size}, gamma={self.gamma:g})"

    def _check(self) -> None:
        S, A, next_states = self.p.shape
        require(S >= 1 and A >= 1, "p", "needs a state and an action", value=self.p.shape)
        require(next_states == S, "p", "must have shape (S, A, S)", value=self.p.shape)
        if self.q.shape != (S, A, self.u.size):
            raise InputError("q", f"must have shape ({S}, {A}, {self.u.size})", value=self.q.shape)
        require_all((self.u >= 0) & (self.u <= 1), self.u, "u", "a reward must lie in [0, 1]")
        require_distributions(self.p, "p")
        require_distributions(self.q, "q")

    @property
    def S(self) -> int:
        """Number of states."""
        return int(self.p.shape[0])

    @property
    def A(self) -> int:
        """Number of actions."""
        return int(self.p.shape[1])


def deterministic_rewards(p: Floats, r: Floats, gamma: float) -> MDP:
    """The task whose reward in s,a is r[s,a] with certainty; p is (S, A, S), r is (S, A)."""
    rewards = _rewards_of_pairs(r, p)
    u = np.unique(rewards)
    require_table("r", *rewards.shape, u.size)
    q = (rewards[:, :, np.newaxis] == u).astype(np.float64)
    return MDP(p=p, q=q, u=u, gamma=gamma)


def bernoulli_rewards(p: Floats, r: Floats, gamma: float) -> MDP:
    """The task whose reward in s,a is 1 with probability r[s,a], else 0; p (S, A, S), r (S, A)."""
    rewards = _rewards_of_pairs(r, p)
    q = np.stack([1 - rewards, rewards], axis=-1)
    return MDP(p=p, q=q, u=np.array([0.0, 1.0]), gamma=gamma)


def mean_reward(theta: MDP) -> Floats:
    """r_θ(s,a) = E_{q_θ(.|s,a)}[U], shape (S, A)."""
    r: Floats = theta.q @ theta.u
    return r


def reward_std(theta: MDP) -> Floats:
    """σ^r_θ(s,a), with σ^r_θ(s,a)² = Var_{q_θ(.|s,a)}[U], shape (S, A)."""
    deviation = theta.u - mean_reward(theta)[:, :, np.newaxis]
    variance = np.sum(theta.q * deviation**2, axis=-1)
    std: Floats = np.sqrt(variance)
    return std


def _rewards_of_pairs(r: Floats, p: Floats) -> Floats:
    """One number in [0, 1] for every pair of p, which has shape (S, A, S)."""
    rewards, pairs = frozen(r, "r", 2), frozen(p, "p", 3).shape[:2]
    require(rewards.shape == pairs, "r", f"must have shape {pairs}", value=rewards.shape)
    require_all((rewards >= 0) & (rewards <= 1), rewards, "r", "a reward must lie in [0, 1]")
    return rewards
