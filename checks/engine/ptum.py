"""PTUM for long runs: integer counts per pair, one batch per phase.

While the active set stays the same, PTUM queries the same pair (its index depends on the active
set alone), and only that pair's tests can change. So a phase is one batch: draw a block of
samples, compute the statistics after each of them from counts, and find the first at which an
active model fails. Transcripts equal those of `ptum.reference.transfer.ptum`; a test holds them
together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.pair_path import PairPath
from ptum.reference.arrays import Bools, Floats, Ints, above
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.confidence import (
    log_term,
    log_term_sigma,
    width_p,
    width_r,
    width_sigma_p,
    width_sigma_r,
)
from ptum.reference.transfer.information import SHIFT, index, index_is_zero, query
from ptum.reference.transfer.ptum import End, PtumResult
from ptum.reference.transfer.stopping import stopping_models
from ptum.reference.transfer.transcript import Elimination

Failed: TypeAlias = tuple[Literal[1, 2, 3, 4], Bools]

FIRST_BLOCK, LARGEST_BLOCK = 64, 8192


@dataclass(frozen=True)
class _Inputs:
    models: ApproximateModels
    errors: ModelErrors
    epsilon: float
    delta: float
    n: int


def simulated_run(
    models: ApproximateModels,
    task: MDP,
    seed: int,
    *,
    epsilon: float,
    delta: float,
    n: int,
    errors: ModelErrors,
    end_on_zero_index: bool = False,
    shift: float = SHIFT,
) -> PtumResult:
    """Lines 3-21 of Algorithm 1 on a simulated task, whose samples depend on the seed alone."""
    return transfer_mode(
        models,
        BlockSimulator(task, seed),
        epsilon=epsilon,
        delta=delta,
        n=n,
        errors=errors,
        end_on_zero_index=end_on_zero_index,
        shift=shift,
    )


def transfer_mode(
    models: ApproximateModels,
    simulator: BlockSimulator,
    *,
    epsilon: float,
    delta: float,
    n: int,
    errors: ModelErrors,
    end_on_zero_index: bool = False,
    shift: float = SHIFT,
) -> PtumResult:
    """Lines 3-21 of Algorithm 1, with the result of the literal `transfer_mode`."""
    run = _Run(_Inputs(models, errors, epsilon, delta, n), simulator)
    while True:
        if not run.active:
            return run.result(End.ACTIVE_SET_EMPTY)
        good = stopping_models(run.active, models, epsilon, errors.Delta)
        if good:
            return run.result(End.STOPPED, theta=good[0], tau=run.t)
        I_t = index(run.active, models, errors.Delta, shift)
        if index_is_zero(I_t):
            run.first_zero = run.t if run.first_zero is None else run.first_zero
            if end_on_zero_index:
                return run.result(End.INDEX_ZERO)
        if not run.phase(query(I_t)):
            return run.result(End.BUDGET_EXHAUSTED)


class _Run:
    """How far a run has come: counts of outcomes, active set, pass, and what has fallen."""

    def __init__(self, inputs: _Inputs, simulator: BlockSimulator) -> None:
        models = inputs.models
        self.inputs, self.simulator = inputs, simulator
        self.rewards = np.zeros((models.S, models.A, simulator.theta.u.size), dtype=np.int64)
        self.successors = np.zeros((models.S, models.A, models.S), dtype=np.int64)
        self.active = tuple(range(models.k))
        self.eliminations: list[Elimination] = []
        self.first_zero: int | None = None
        self.t = 1

    def phase(self, pair: tuple[int, int]) -> bool:
        """Query the pair until a model falls; False if none does within the budget."""
        counts = self.rewards[pair], self.successors[pair]
        taken, fallen = _phase(self.inputs, self.simulator, self.active, pair, self.t, *counts)
        gone = {elimination.theta for elimination in fallen}
        self.t += taken
        self.eliminations += fallen
        self.active = tuple(theta for theta in self.active if theta not in gone)
        return bool(fallen)

    def result(self, end: End, theta: int | None = None, tau: int | None = None) -> PtumResult:
        """What the literal code returns here."""
        N = self.successors.sum(axis=2)
        return PtumResult(
            end=end,
            policy=None if theta is None else self.inputs.models.pi_star[theta],
            theta=theta,
            queries=int(N.sum()),
            tau=tau,
            N=N,
            active=self.active,
            eliminations=tuple(self.eliminations),
            first_zero_index=self.first_zero,
            fallback=None,
        )


def _phase(
    inputs: _Inputs,
    simulator: BlockSimulator,
    active: tuple[int, ...],
    pair: tuple[int, int],
    t: int,
    reward_counts: Ints,
    successor_counts: Ints,
) -> tuple[int, list[Elimination]]:
    """Query one pair from pass t on until a model falls or pass n has been; counts grow in place.

    The sample of pass n is taken and never looked at, as in the paper (D05).
    """
    s, a = pair
    taken, size = 0, FIRST_BLOCK
    left = inputs.n - t + 1
    while taken < left:
        block_size = min(size, left - taken)
        rewards, successors = simulator.peek(s, a, block_size)
        block = _statistics(inputs, simulator, rewards, successors, reward_counts, successor_counts)
        looked_at = block_size if taken + block_size < left else block_size - 1
        failed = _failures(inputs, active, pair, block)
        rows = np.flatnonzero(np.any([test.any(axis=(1, 2)) for _, test in failed], axis=0))
        rows = rows[rows < looked_at]
        used = int(rows[0]) + 1 if rows.size else block_size
        _count(reward_counts, rewards[:used])
        _count(successor_counts, successors[:used])
        simulator.take(s, a, used)
        taken += used
        if rows.size:
            return taken, list(_fallen(active, pair, t + taken, failed, int(rows[0])))
        size = min(2 * size, LARGEST_BLOCK)
    return taken, []


def _statistics(
    inputs: _Inputs,
    simulator: BlockSimulator,
    rewards: Ints,
    successors: Ints,
    reward_counts: Ints,
    successor_counts: Ints,
) -> PairPath:
    u, V_star = simulator.theta.u, inputs.models.V_star
    by_reward = reward_counts + np.cumsum(np.eye(u.size, dtype=np.int64)[rewards], axis=0)
    by_state = successor_counts + np.cumsum(
        np.eye(inputs.models.S, dtype=np.int64)[successors], axis=0
    )
    N = by_state.sum(axis=1)
    r, sigma_r = _mean_and_std(by_reward, u[np.newaxis, :], N)
    V, sigma_p = _mean_and_std(by_state, V_star, N)
    return PairPath(N=N, r=r[:, 0], sigma_r=sigma_r[:, 0], V=V, sigma_p=sigma_p)


def _mean_and_std(counts: Ints, values: Floats, N: Ints) -> tuple[Floats, Floats]:
    """Means and sample deviations from counts (rows, m) of values (j, m): shapes (rows, j)."""
    mean = (counts @ values.T) / N[:, np.newaxis]
    deviation = values[np.newaxis, :, :] - mean[:, :, np.newaxis]
    squares = np.sum(counts[:, np.newaxis, :] * deviation**2, axis=2)
    return mean, np.sqrt(squares / np.maximum(N - 1, 1)[:, np.newaxis])


def _failures(
    inputs: _Inputs, active: tuple[int, ...], pair: tuple[int, int], block: PairPath
) -> list[Failed]:
    """Equations (1)-(4) at the pair after every sample; axes are samples, active models, θ'."""
    models, errors = inputs.models, inputs.errors
    s, a = pair
    L = log_term(models.S, models.A, inputs.n, models.k, inputs.delta)
    L_sigma = log_term_sigma(models.S, models.A, inputs.n, models.k, inputs.delta)
    N = block.N
    C_r = width_r(block.sigma_r, N, L, errors.r)
    C_p = width_p(block.sigma_p, N[:, np.newaxis], L, models.gamma, errors.p)
    C_sigma_r = width_sigma_r(N, L_sigma, errors.sigma_r)
    C_sigma_p = width_sigma_p(N, L_sigma, models.gamma, errors.sigma_p)
    chosen = list(active)
    V_tilde = models.p[chosen, s, a] @ models.V_star.T
    gaps: tuple[tuple[Literal[1, 2, 3, 4], Floats, Floats], ...] = (
        (1, np.abs(block.r[:, np.newaxis] - models.r[chosen, s, a])[:, :, np.newaxis], C_r),
        (2, np.abs(block.V[:, np.newaxis, :] - V_tilde), C_p),
        (
            3,
            np.abs(block.sigma_r[:, np.newaxis] - models.sigma_r[chosen, s, a])[:, :, np.newaxis],
            C_sigma_r,
        ),
        (4, np.abs(block.sigma_p[:, np.newaxis, :] - models.sigma_p[chosen, s, a]), C_sigma_p),
    )
    return [(equation, above(gap, width.reshape(len(N), 1, -1))) for equation, gap, width in gaps]


def _fallen(
    active: tuple[int, ...],
    pair: tuple[int, int],
    t: int,
    failed: list[Failed],
    row: int,
) -> Iterator[Elimination]:
    """Every model that fails after this sample, with the first equation and θ' it fails at."""
    for position, theta in enumerate(active):
        for equation, test in failed:
            hits = np.flatnonzero(test[row, position])
            if hits.size:
                theta_prime = int(hits[0]) if equation in (2, 4) else None
                yield Elimination(t, theta, equation, *pair, theta_prime)
                break


def _count(counts: Ints, outcomes: Ints) -> None:
    counts += np.bincount(outcomes, minlength=counts.size)
