"""Lemma 14 without a condition on h (erratum E34): after two tasks there is nothing to bound.

Two states, one action, Bernoulli rewards: 0.9 and 0.1 in the two states of one task, the other
way round in the other; next states are fair coins. Tasks alternate, and their observations show
the distributions themselves.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.intervals import compared, largest, log
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared.triples import directions
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.spec.vocabulary import Version

_HALVES = ("1/2",) * 4
SHOWN = exact.matrix(
    (("0.1", "0.9", "0.9", "0.1", *_HALVES), ("0.9", "0.1", "0.1", "0.9", *_HALVES))
)
"""What the two tasks show: rewards 0 and 1 in either state, next states from either state."""
DIMENSION, DELTA_PRIME = 8, Fraction(1, 10)
"""d = SA(S+U), and δ'."""


def evaluation(h: int, version: Version = Version.PRINTED) -> Evaluation:
    """Of h tasks there is an estimate to speak of; repaired, where Lemma 11 speaks of h.

    Its premise is taken with ρ_3 = 1, which is less than it ever is.
    """
    least = largest(3, log(6 * DIMENSION / DELTA_PRIME))
    condition = Statement("h against max{3, ρ_3 log(6d/δ')} at ρ_3 = 1", *compared(h, "≥", least))
    return Evaluation(
        (
            Statement("number of tasks", h, "≥", 1),
            *((condition,) if version is Version.REPAIRED else ()),
        ),
        Statement(
            "rank of M̂_2, from which k = 2 tasks are learned",
            directions(SHOWN, [task % 2 for task in range(h)]),
            "=",
            2,
            formulas.APPENDIX_D + "LEMMA_14_R",
            (("S", 2), ("A", 1), ("U", 2), ("h", h), ("delta_prime", DELTA_PRIME)),  # for any ρ_4
        ),
    )


def _numbers(h: int) -> Numbers:
    return (
        ("S, A, U, k", (2, 1, 2, 2)),
        ("d = SA(S+U)", DIMENSION),
        ("rewards", (0, 1)),
        ("observations of the two tasks", SHOWN),
        ("sequence", "first task, second task, and so on in turn"),
        ("h", h),
        ("δ'", DELTA_PRIME),
    )


declare(
    Counterexample(
        checks={
            "lemma-14.probability/two-tasks-seen": "After two tasks there is no estimate",
        },
        instance=2,
        evaluate=evaluation,
        fix="sixty tasks in place of two",
        fixed=60,
        broken={
            "number of tasks": 0,
        },
        repaired=partial(evaluation, version=Version.REPAIRED),
        in_scope=60,
        numbers=_numbers,
    )
)
