"""Runs of a million samples against a slow path: every test after every sample, no blocks."""

from __future__ import annotations

import numpy as np
import pytest

from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.pair_path import PairPath, path_of
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.reference.arrays import Bools
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.confidence import (
    log_term,
    log_term_sigma,
    width_p,
    width_r,
    width_sigma_p,
    width_sigma_r,
)
from ptum.reference.transfer.information import index, query
from ptum.reference.transfer.stopping import stopping_models

DELTA, EPSILON = 0.1, 1e-4


def alike(differences: tuple[float, ...]) -> ApproximateModels:
    """Five states; rewards of two pairs differ by little from model to model."""
    p = np.random.default_rng(0).dirichlet(np.ones(5), size=(5, 2))

    def task(d: float) -> MDP:
        r = np.full((5, 2), 0.5)
        r[0, 0], r[1, 1] = 0.5 + d, 0.503 - d
        return bernoulli_rewards(p, r, 0.9)

    return approximate_models([task(d) for d in differences])


def fails(
    models: ApproximateModels, path: PairPath, pair: tuple[int, int], theta: int, n: int
) -> Bools:
    """Whether θ fails equations (1)-(4) at the pair, after each sample."""
    s, a = pair
    sizes = models.S, models.A, n, models.k, DELTA
    L, L_sigma, N = log_term(*sizes), log_term_sigma(*sizes), path.N
    V = models.V_star @ models.p[theta, s, a]
    failed: Bools = np.abs(path.r - models.r[theta, s, a]) > width_r(path.sigma_r, N, L, 0.0)
    failed |= np.abs(path.sigma_r - models.sigma_r[theta, s, a]) > width_sigma_r(N, L_sigma, 0.0)
    width = width_p(path.sigma_p, N[:, np.newaxis], L, models.gamma, 0.0)
    failed |= (np.abs(path.V - V) > width).any(axis=1)
    width = width_sigma_p(N, L_sigma, models.gamma, 0.0)[:, np.newaxis]
    failed |= (np.abs(path.sigma_p - models.sigma_p[theta, s, a]) > width).any(axis=1)
    return failed


def slow_eliminations(
    models: ApproximateModels, seed: int, n: int
) -> tuple[list[tuple[int, int]], int]:
    """(t, θ) of every elimination, and the number of queries."""
    target, t, N = models.tasks[0], 1, np.zeros((models.S, models.A), dtype=np.int64)
    active, found = tuple(range(models.k)), []
    while active and t <= n and not stopping_models(active, models, EPSILON, 0.0):
        pair = query(index(active, models, 0.0))
        size = int(N[pair]) + n - t + 1
        rewards, successors = BlockSimulator(target, seed).peek(*pair, size)
        path = path_of(target.u[rewards], successors, models.V_star)
        failed = np.stack([fails(models, path, pair, theta, n) for theta in active])
        rows = np.flatnonzero(failed[:, N[pair] : size - 1].any(axis=0))
        taken = int(rows[0]) + 1 if rows.size else n - t + 1
        N[pair] += taken
        t += taken
        if rows.size:
            gone = [theta for theta, f in zip(active, failed[:, N[pair] - 1], strict=True) if f]
            found += [(t, theta) for theta in gone]
            active = tuple(theta for theta in active if theta not in gone)
    return found, int(N.sum())


def assert_equal(differences: tuple[float, ...], seed: int, n: int) -> int:
    models = alike(differences)
    fast = simulated_run(
        models, models.tasks[0], seed, RunNumbers(epsilon=EPSILON, delta=DELTA, n=n)
    )
    found, queries = slow_eliminations(models, seed, n)
    assert [(gone.t, gone.theta) for gone in fast.eliminations] == found
    assert fast.queries == queries
    return len(found)


def test_tens_of_thousands_of_samples() -> None:
    assert sum(assert_equal((0.0, 0.02, 0.04), seed, 40_000) for seed in range(3)) >= 4


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(20))
def test_a_million_samples(seed: int) -> None:
    assert assert_equal((0.0, 0.0035, 0.008), seed, 10**6) >= 1
