"""Algorithm 2, repaired: what its lines 5 to 7 and 9 do differently, one function each."""

from __future__ import annotations

import math

import numpy as np

from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.repaired.sequential.analysis.sequential_bounds import power_method_effort
from ptum.reference.repaired.sequential.observations import (
    post_sample_batches,
    post_sample_observation,
)
from ptum.reference.repaired.sequential.pieces import Constants
from ptum.reference.repaired.sequential.spectral import SpectralOutcome
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.lines import projected, restarts
from ptum.reference.sequential.pieces import ErrorBounds, Pieces, TransitionBounds, views_of
from ptum.reference.sequential.projection import project_columns
from ptum.reference.sequential.spectral import HmmEstimate, NotIdentifiable
from ptum.reference.sequential.state import Estimate, Setting
from ptum.reference.tasks.generative import GenerativeModel

__all__ = ["carried", "learn", "often_enough", "post_samples", "updated"]


def post_samples(
    task: GenerativeModel, setting: Setting, views: int
) -> tuple[Floats, Floats, Floats]:
    """Fresh samples of every pair, as many as fixed beforehand: views (v, d), q̂_h and p̂_h (E41)."""
    S, A, u, n_post = setting.S, setting.A, setting.u, setting.n_post
    if views == VIEWS:
        batches, q_hat, p_hat = post_sample_batches(task, S, A, u, n_post)
        return batches, q_hat, p_hat
    o, q_hat, p_hat = post_sample_observation(task, S, A, u, n_post)
    return o[np.newaxis], q_hat, p_hat


def learn(pieces: Pieces, observations: Floats, h: int, setting: Setting) -> SpectralOutcome:
    """Line 6: restarts and steps of task h (D106), then the test of the weights (D105).

    A learner with one view of a task is handed rows (h, d), one with more (views, h, d).
    """
    learner, bounds = pieces.learner, pieces.bounds
    L, N = power_method_effort(setting.level(h), L=setting.L, N=setting.N)
    rows = observations if views_of(learner) > 1 else observations[0]
    found = learner(rows, setting.k, L, N, restarts(setting.seed, h))
    return often_enough(found, bounds) if isinstance(bounds, Constants) else found


def often_enough(learned: SpectralOutcome, constants: Constants) -> SpectralOutcome:
    """No estimate where λ_k(M̂_2) < 2ℓ: the ρ's are not for sequences with so rare a task (D105).

    Where it is at least 2ℓ and M̂_2 is within ℓ, every task has a share of at least ℓ/(2SA).
    """
    if not isinstance(learned, HmmEstimate) or learned.lambda_k is None or constants.ell is None:
        return learned
    if learned.lambda_k >= 2 * constants.ell:
        return learned
    return NotIdentifiable(f"eigenvalue {learned.k} of M_2", learned.lambda_k, 2 * constants.ell)


def updated(
    before: Estimate | None, learned: SpectralOutcome, h: int, setting: Setting
) -> tuple[Estimate | None, float | None, tuple[int, ...]]:
    """Line 7: project (D54, D92), then match labels to the last estimate (D55).

    Also how far columns were moved, and the permutation. Without a new estimate the last one stays
    (D53); without a new T̂ the last T̂ stays, whose labels are the same (D96).
    """
    if not isinstance(learned, HmmEstimate):
        return before, None, ()
    columns, moved = projected(learned.O, setting)
    labels = np.arange(setting.k) if before is None else align(before.O, columns)
    matched = permuted(learned, labels)
    last_T, last_h = (None, 0) if before is None else (before.T, before.T_h)
    T, T_h = (last_T, last_h) if matched.T is None else (project_columns(matched.T), h)
    named = np.ascontiguousarray(columns[:, labels])
    return Estimate(named, T, T_h), moved, tuple(labels.tolist())


def carried(
    theta_bar: tuple[int, ...], before: Estimate | None, bounds: ErrorBounds, setting: Setting
) -> tuple[int, ...]:
    """Θ̄_h for line 9, in the labels of T̂_h: all of Θ while these may be others (D117).

    Θ̄_h has the labels of the estimate before. The new one keeps them if the columns of both have
    errors below a quarter of their least distance, which an admitted T̂ implies of its own (E40).
    """
    if not isinstance(bounds, TransitionBounds):
        return theta_bar
    if before is None or before.T is None:
        return setting.labels
    kept = bounds.transition_error(before.T_h, setting) < math.inf
    return theta_bar if kept else setting.labels
