"""What a learner of hidden Markov models gives back, against the model, up to one relabelling."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math

import numpy as np

from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.repaired.sequential.analysis.within_task_bounds import joint_error_bound
from ptum.reference.repaired.sequential.spectral import SpectralOutcome
from ptum.reference.sequential.spectral import HmmEstimate


def estimate_of(outcome: SpectralOutcome) -> HmmEstimate:
    """The outcome, which has to be an estimate."""
    assert isinstance(outcome, HmmEstimate), outcome
    return outcome


def aligned(outcome: SpectralOutcome, O: Floats) -> HmmEstimate:
    """The estimate with the names that its columns have in O."""
    found = estimate_of(outcome)
    return permuted(found, align(O, found.O))


def transitions(found: HmmEstimate) -> Floats:
    """T̂, which has to be there."""
    assert found.T is not None
    return found.T


def column_error(found: Floats | None, truth: Floats) -> float:
    """The largest distance of a column from the true one."""
    assert found is not None
    return float(np.linalg.norm(found - truth, axis=0).max())


def apart(columns: Floats) -> float:
    """The least distance of two columns."""
    k = columns.shape[1]
    pairs = ((i, j) for i in range(k) for j in range(i))
    return float(min(np.linalg.norm(columns[:, i] - columns[:, j]) for i, j in pairs))


def frequencies_off(O: Floats, tasks: Ints, e: float) -> float:
    """How far T̂ of exact views within tasks is off their frequencies where Ô is off by e.

    Ŝ is a mean of h - 1 products of observations, off by h + d roundings of their largest square;
    the rest is part W3 of the repaired theory.
    """
    k, h = O.shape[1], len(tasks)
    largest = float(np.linalg.norm(O, axis=0).max())
    epsilon_J = joint_error_bound(
        e_h=e,
        epsilon_S=(h + len(O)) * ROUNDING * largest**2,
        sigma_k_O=float(np.linalg.svd(O, compute_uv=False)[k - 1]),
    )
    least_left = np.bincount(tasks[:-1], minlength=k).min() / (h - 1)
    assert math.sqrt(k) * epsilon_J <= least_left / 2
    return 2 * (1 + math.sqrt(k)) * epsilon_J / float(least_left)
