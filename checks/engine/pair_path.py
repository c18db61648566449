"""All running statistics of one pair at once: what lines 7-10 give after 1, 2, …, n samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ptum.reference.arrays import Floats, Ints
from ptum.reference.tasks.mdp import MDP


@dataclass(frozen=True, eq=False)
class PairPath:
    """Statistics after each of some samples in a row; the k columns belong to the functions Ṽ*_θ'.

    `N` is the number of all samples of the pair until then.
    """

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
    r, sigma_r = _running(rewards[np.newaxis], N)
    V, sigma_p = _running(np.take(V_star, successors, axis=1), N)
    return PairPath(N=N, r=r[0], sigma_r=sigma_r[0], V=V.T, sigma_p=sigma_p.T)


def _running(x: Floats, N: Ints) -> tuple[Floats, Floats]:
    """Running means and sample deviations of every row.

    Sums are taken of x minus its first column, so constant data give a deviation of exactly zero.
    Paths are long, and memory costs more than arithmetic: samples lie side by side, and tables are
    written over.
    """
    count = N.astype(np.float64)
    first = x[:, :1]
    shifted = x - first
    total = np.cumsum(shifted, axis=1)
    np.square(shifted, out=shifted)
    squares = np.cumsum(shifted, axis=1)
    np.square(total, out=shifted)
    shifted /= count
    squares -= shifted
    np.maximum(squares, 0.0, out=squares)
    squares /= np.maximum(count - 1, 1)
    total /= count
    total += first
    return total, np.sqrt(squares, out=squares)
