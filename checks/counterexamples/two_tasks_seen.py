"""Lemma 14 without a condition on h (erratum E34): after two tasks there is nothing to bound.

Two states, one action, Bernoulli rewards: 0.9 and 0.1 in the two states of one task, the other
way round in the other; next states are fair coins. Tasks alternate, and their observations show
the laws themselves.
"""

from __future__ import annotations

import math

import numpy as np

from checks import formulas
from checks.counterexamples.catalogue import Case, Numbers
from checks.outcome import Statement, Walk
from reference.repaired.spectral import learn_hmm as learn_with_rank_k
from reference.spectral import HmmEstimate, learn_hmm
from spec.vocabulary import Version

SHOWN = ((0.1, 0.9, 0.9, 0.1, 0.5, 0.5, 0.5, 0.5), (0.9, 0.1, 0.1, 0.9, 0.5, 0.5, 0.5, 0.5))
"""What the two tasks show: rewards 0 and 1 in either state, next states from either state."""
DIMENSION, DELTA_PRIME = 8, 0.1
"""d = SA(S+U), and δ'."""


def walk(h: int, version: Version = Version.PRINTED) -> Walk:
    """Of h tasks there is an estimate to speak of; repaired, where Lemma 11 speaks of h.

    Its premise is taken with ρ_3 = 1, which is less than it ever is.
    """
    observations = np.array(SHOWN)[np.arange(h) % 2]
    rng = np.random.default_rng(0)
    found = [learner(observations, 2, 3, 10, rng) for learner in (learn_hmm, learn_with_rank_k)]
    least = max(3.0, math.log(6 * DIMENSION / DELTA_PRIME))
    condition = Statement("h against max{3, ρ_3 log(6d/δ')} at ρ_3 = 1", h, "≥", least)
    return Walk(
        (
            Statement("number of tasks", h, "≥", 1),
            *((condition,) if version is Version.REPAIRED else ()),
        ),
        Statement(
            "estimates, with full and with rank-k inverses",
            sum(isinstance(one, HmmEstimate) for one in found),
            "≥",
            1,
            formulas.APPENDIX_D + "LEMMA_14_R",
            (("S", 2), ("A", 1), ("U", 2), ("h", h), ("delta_prime", DELTA_PRIME)),  # for any ρ_4
        ),
    )


def _numbers() -> Numbers:
    return (
        ("S, A, U, k", (2, 1, 2, 2)),
        ("d = SA(S+U)", DIMENSION),
        ("rewards", (0, 1)),
        ("observations of the two tasks", SHOWN),
        ("sequence", "first task, second task"),
        ("δ'", DELTA_PRIME),
    )


CASES = (
    Case(
        checks=("lemma-14.probability/two-tasks-seen",),
        numbers=_numbers,
        told=lambda: walk(2),
        undo="sixty tasks in place of two",
        undone=lambda: walk(60),
        broken={"number of tasks": lambda: walk(0)},
        repaired=lambda: walk(2, Version.REPAIRED),
        sibling=lambda: walk(60, Version.REPAIRED),
    ),
)
