"""The fast Algorithm 3 as run has the estimates of the literal one, in another order."""

from __future__ import annotations

import numpy as np
import pytest

from ptum.checks.engine import as_run_spectral
from ptum.checks.reproduce.panels.figure_5_right import lists_of_tasks, observations
from ptum.reference.experiments import spectral as literal
from ptum.reference.experiments.chain import task_chain
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable

K = 10
SAME = 1e-9
"""Rounding of 1e-15 times the condition of what is inverted, which is below 1e4 on these lists."""


def observed(h: int, seed: int, rows: int = 2) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rng = np.random.default_rng(seed)
    T = task_chain(K, 0.9)
    which = [0]
    for _ in range(h - 1):
        which.append(int(rng.choice(K, p=T[:, which[-1]])))
    o = observations(lists_of_tasks(rng, rows), np.array(which), rng)
    return o.reshape(h, -1)


@pytest.mark.parametrize(("h", "rows"), [(90, 2), (200, 2), (600, 2), (90, 3), (300, 3)])
def test_estimates_are_the_literal_ones_up_to_order(h: int, rows: int) -> None:
    """Few and many views: both ways to the leading singular vectors."""
    o = observed(h, h, rows)
    ours = as_run_spectral.learn_hmm(o, K, 30, 60, np.random.default_rng(0))
    theirs = literal.learn_hmm(o, K, 30, 60, np.random.default_rng(1))
    assert isinstance(theirs, HmmEstimate)
    assert isinstance(ours, HmmEstimate)
    matched = permuted(ours, align(theirs.O, ours.O))
    scale = float(np.abs(theirs.O).max())
    assert np.abs(matched.O - theirs.O).max() <= SAME * scale
    assert matched.T is not None
    assert theirs.T is not None
    assert np.abs(matched.T - theirs.T).max() <= SAME * max(scale, 1)
    assert np.allclose(np.sort(ours.weights), np.sort(theirs.weights), rtol=1e-6)


def test_leading_factors_are_those_of_the_matrix() -> None:
    rng = np.random.default_rng(0)
    for m, d in ((8, 30), (60, 300), (400, 80)):
        X, Y = rng.random((m, d)), rng.random((m, d))
        left, sigma, right = as_run_spectral.leading(X, Y, 3)
        full = np.linalg.svd(X.T @ Y / m)
        assert np.allclose(sigma, full[1][:3], rtol=1e-10)
        best = full[0][:, :3] * full[1][:3] @ full[2][:3]
        assert np.allclose(left * sigma @ right.T, best, atol=1e-10)


def test_too_few_triples_and_too_few_tasks_have_no_estimate() -> None:
    o = observed(60, 0)
    few = as_run_spectral.learn_hmm(o[:20], K, 5, 5, np.random.default_rng(0))
    assert few == literal.learn_hmm(o[:20], K, 5, 5, np.random.default_rng(0))
    assert isinstance(few, NotEnoughData)
    alike = np.repeat(o[:1], 60, axis=0)  # one task alone
    for learner in (as_run_spectral, literal):
        found = learner.learn_hmm(alike, K, 5, 5, np.random.default_rng(0))
        assert isinstance(found, NotIdentifiable)
