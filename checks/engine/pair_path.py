"""All running statistics of one pair at once: what lines 7-10 give after 1, 2, …, n samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reference.arrays import Floats, Ints
from reference.mdp import MDP


@dataclass(frozen=True, eq=False)
class PairPath:
    """Row N-1 holds the statistics after N samples; the k columns belong to the functions Ṽ*_θ'."""

    N: Ints
    r: Floats
    sigma_r: Floats
    V: Floats
    sigma_p: Floats


def draw_path(
    theta: MDP, s: int, a: int, V_star: Floats, n: int, rng: np.random.Generator
) -> PairPath:
    """n samples of the pair (s,a) of a task, and the statistics after each of them."""
    rewards = theta.u[rng.choice(theta.u.size, size=n, p=theta.q[s, a])]
    successors = rng.choice(theta.S, size=n, p=theta.p[s, a])
    return path_of(rewards, successors, V_star)


def path_of(rewards: Floats, successors: Ints, V_star: Floats) -> PairPath:
    """The running statistics of given samples; V_star has shape (k, S)."""
    N = np.arange(1, rewards.size + 1)
    r, sigma_r = _running(rewards[:, np.newaxis], N)
    V, sigma_p = _running(V_star[:, successors].T, N)
    return PairPath(N=N, r=r[:, 0], sigma_r=sigma_r[:, 0], V=V, sigma_p=sigma_p)


def _running(x: Floats, N: Ints) -> tuple[Floats, Floats]:
    """Running means and sample deviations of every column.

    Sums are taken of x minus its first row, so constant data give a deviation of exactly zero.
    """
    count = N[:, np.newaxis].astype(np.float64)
    shifted = x - x[0]
    total = np.cumsum(shifted, axis=0)
    squares = np.cumsum(shifted**2, axis=0) - total**2 / count
    variance = np.maximum(squares, 0.0) / np.maximum(count - 1, 1)
    return x[0] + total / count, np.sqrt(variance)
