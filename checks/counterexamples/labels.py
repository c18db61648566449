"""Labels that change with the restarts of the power method (erratum E40).

The exact moments of the three-task model, decomposed twice with one restart: the estimates are the
same up to order, and the order is that in which the components were found. That is a matter of
the random starts, so that the two runs are made in doubles, with seeds.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.shown import tuples
from checks.families import hmms
from checks.outcome import Statement, Walk
from reference.alignment import align
from reference.arrays import Floats
from reference.hmm import population_moments
from reference.repaired.spectral import learn_from_moments
from reference.spectral import HmmEstimate

SEEDS = (0, 1)
"""Restarts that meet the components in different orders."""


FIRST = (0.5, 0.3, 0.2)
"""Law of the first task."""
STEPS = 100
"""Steps of the power method; three are far too few."""


def estimate(seed: int, steps: int = STEPS) -> HmmEstimate:
    """Lines 5-10 on exact moments, with one restart."""
    hmm = hmms.three_task_chain().hmm
    moments = population_moments(hmm, np.array(FIRST))
    found = learn_from_moments(moments, hmm.k, 1, steps, np.random.default_rng(seed))
    if not isinstance(found, HmmEstimate):
        raise ValueError(f"no estimate with seed {seed}")
    return found


def kept(seeds: tuple[int, int], steps: int = STEPS, matching: bool = False) -> Walk:
    """Column θ of two successive estimates is the same task; `matching` restores the order."""
    hmm = hmms.three_task_chain().hmm
    first, second = (estimate(seed, steps).O for seed in seeds)
    if matching:
        second = second[:, align(first, second)]
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


def numbers() -> Numbers:
    """The model whose moments are given."""
    hmm = hmms.three_task_chain().hmm
    return (
        ("O, one column per task", tuples(hmm.O)),
        ("T, column θ' to row θ", tuples(hmm.T)),
        ("law of the first task", FIRST),
        ("seeds of the two decompositions", SEEDS),
        ("restarts", 1),
        ("steps", STEPS),
    )


def nearby() -> tuple[Floats, Floats, Floats, list[int]]:
    """Two estimates off by an eighth of the least column distance, the second one turned."""
    true = hmms.three_task_chain().hmm.O
    rng = np.random.default_rng(0)
    noise = rng.standard_normal((2, *true.shape))
    noise *= least_distance(true) / 8 / np.linalg.norm(noise, axis=1, keepdims=True)
    order = [1, 2, 0]
    return true, true + noise[0], (true + noise[1])[:, order], order


CASES = (
    Case(
        checks=("algorithm-2.labels/restarts",),
        numbers=numbers,
        told=partial(kept, SEEDS),
        undo="the same seed twice",
        undone=partial(kept, (SEEDS[0], SEEDS[0])),
        broken={"largest error of an estimate, up to order": partial(kept, SEEDS, 3)},
        repaired=partial(kept, SEEDS, matching=True),
        sibling=lambda: matched(nearby()),
        inexact="in which order components are found is decided by the random starts",
    ),
)
