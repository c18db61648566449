"""Algorithm 1, Step 1 (lines 7-10): the empirical model of the data collected so far.

| symbol             | code                   | shape     |
| ------------------ | ---------------------- | --------- |
| 𝒟^r_{s,a}          | `data.rewards[s][a]`   | lists     |
| 𝒟^p_{s,a}          | `data.successors[s][a]`| lists     |
| N_t(s,a)           | `hat.N[s,a]`           | (S, A)    |
| r̂_t(s,a)          | `hat.r[s,a]`           | (S, A)    |
| p̂_t(s'|s,a)       | `hat.p[s,a,s']`        | (S, A, S) |
| σ̂^r_t(s,a)        | `hat.sigma_r[s,a]`     | (S, A)    |
| σ̂^p_t(s,a;θ')     | `hat.sigma_p[s,a,θ']`  | (S, A, k) |
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ptum.reference.arrays import Floats, Ints


@dataclass(frozen=True)
class Data:
    """The data sets 𝒟^r and 𝒟^p, one pair of lists for every state and action."""

    rewards: list[list[list[float]]]
    successors: list[list[list[int]]]

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        """Line 20, with the indices of the queried pair (D16)."""
        self.rewards[s][a].append(reward)
        self.successors[s][a].append(successor)


@dataclass(frozen=True, eq=False)
class EmpiricalModel:
    """What lines 7-10 compute."""

    N: Ints
    r: Floats
    p: Floats
    sigma_r: Floats
    sigma_p: Floats


def empty_data(S: int, A: int) -> Data:
    """Line 4: 𝒟^r_{s,a}, 𝒟^p_{s,a} ← ∅."""
    return Data(
        rewards=[[[] for _ in range(A)] for _ in range(S)],
        successors=[[[] for _ in range(A)] for _ in range(S)],
    )


def empirical_model(data: Data, V_star: Floats) -> EmpiricalModel:
    """Lines 7-10, from the stored data sets; V_star[θ',s] is Ṽ*_θ'(s).

    Standard deviations have the denominator N-1 (D15). Means of no sample and deviations of fewer
    than two are set to 0; the widths are infinite there, so the value is never looked at (D03).
    """
    S, A, k = len(data.rewards), len(data.rewards[0]), len(V_star)
    N = np.zeros((S, A), dtype=np.int64)
    r, p = np.zeros((S, A)), np.zeros((S, A, S))
    sigma_r, sigma_p = np.zeros((S, A)), np.zeros((S, A, k))
    for s in range(S):
        for a in range(A):
            u = np.array(data.rewards[s][a], dtype=np.float64)
            successors = np.array(data.successors[s][a], dtype=np.int64)
            N[s, a] = u.size
            if N[s, a] >= 1:
                r[s, a] = u.sum() / N[s, a]
                p[s, a] = np.bincount(successors, minlength=S) / N[s, a]
            if N[s, a] >= 2:
                V = V_star[:, successors]
                mean_V = V_star @ p[s, a]
                sigma_r[s, a] = np.sqrt(np.sum((u - r[s, a]) ** 2) / (N[s, a] - 1))
                sigma_p[s, a] = np.sqrt(
                    np.sum((V - mean_V[:, np.newaxis]) ** 2, axis=1) / (N[s, a] - 1)
                )
    return EmpiricalModel(N=N, r=r, p=p, sigma_r=sigma_r, sigma_p=sigma_p)
