"""Labels that change with the restarts of the power method (erratum E40).

The exact moments of the three-task model, decomposed twice with one restart: the estimates are the
same up to order, and the order is that in which the components were found.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from checks.families import hmms
from checks.outcome import Statement, Walk
from reference.alignment import align
from reference.arrays import Floats
from reference.hmm import population_moments
from reference.repaired.spectral import learn_from_moments
from reference.spectral import HmmEstimate

SEEDS = (0, 1)
"""Restarts that meet the components in different orders."""


def estimate(seed: int, restarts: int = 1) -> HmmEstimate:
    """Lines 5-10 on exact moments."""
    hmm = hmms.three_task_chain().hmm
    moments = population_moments(hmm, np.array([0.5, 0.3, 0.2]))
    found = learn_from_moments(moments, hmm.k, restarts, 100, np.random.default_rng(seed))
    if not isinstance(found, HmmEstimate):
        raise ValueError(f"no estimate with seed {seed}")
    return found


def kept(seeds: tuple[int, int]) -> Walk:
    """Column θ of two successive estimates is the same task."""
    hmm = hmms.three_task_chain().hmm
    first, second = (estimate(seed).O for seed in seeds)
    error = max(
        float(np.max(np.abs(found[:, align(hmm.O, found)] - hmm.O))) for found in (first, second)
    )
    moved = int(np.sum(np.max(np.abs(first - second), axis=0) > 1e-6))
    return Walk(
        (Statement("largest error of an estimate, up to order", error, "≤", 1e-8),),
        Statement("labels that name another task than before", moved, "=", 0),
    )


@st.composite
def estimates(draw: DrawFn) -> tuple[Floats, Floats, Floats, list[int]]:
    """True columns, and two estimates of them; the second one in another order.

    Every error is a fraction, below one, of a quarter of the least column distance.
    """
    model = draw(hmms.well_conditioned())
    true, k = model.hmm.O, model.hmm.k
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.sampled_from((0.0, 0.5, 0.999))) * least_distance(true) / 4
    noise = rng.standard_normal((2, *true.shape))
    noise *= size / np.linalg.norm(noise, axis=1, keepdims=True)
    order = draw(st.permutations(range(k)))
    return true, true + noise[0], (true + noise[1])[:, order], order


def matched(drawn: tuple[Floats, Floats, Floats, list[int]]) -> Walk:
    """The second estimate, permuted by the matching, has the order of the first."""
    true, first, second, order = drawn
    permutation = align(first, second)
    wrong = sum(order[found] != label for label, found in enumerate(permutation.tolist()))
    return Walk(
        (Statement("least column distance", least_distance(true), ">", 0),),
        Statement("labels that name another task than before", wrong, "=", 0),
    )


def least_distance(columns: Floats) -> float:
    """The least distance of two columns."""
    gaps = np.linalg.norm(columns[:, :, np.newaxis] - columns[:, np.newaxis, :], axis=0)
    return float(gaps[~np.eye(len(gaps), dtype=bool)].min())
