"""Lemma 10 on a cycle of three tasks (errata E26, E27): disjoint triples never mix.

1→2→3→1: every triple begins with the same task, so that each view shows one task only and M̂_2 has
rank one. Observations are the mean observations themselves.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from checks.appendix_d.lemmas import CYCLE, CYCLE_LENGTH, cyclic, three_cycle_walk, three_tasks
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.shown import tuples
from checks.outcome import Statement, Walk
from reference.arrays import Floats, Ints
from reference.repaired.spectral import learn_hmm
from reference.spectral import HmmEstimate


def aperiodic_walk(tasks: Ints, T: Floats) -> Walk:
    """Under the imported hypotheses a run ends with an estimate: T invertible and aperiodic.

    A chain of three tasks whose ninth power has a zero never gets rid of it.
    """
    ninth = np.linalg.matrix_power(T, 9)
    possible = int(np.sum(T[tasks[1:], tasks[:-1]] > 0))
    found = learn_hmm(three_tasks().T[tasks], 3, 5, 15, np.random.default_rng(0))
    return Walk(
        (
            Statement("|det T|", abs(float(np.linalg.det(T))), ">", 0.01),
            Statement("T is aperiodic: least entry of T⁹", float(ninth.min()), ">", 0),
            Statement("steps of the run that T allows", possible, "=", len(tasks) - 1),
        ),
        Statement("estimates, with rank-k inverses", isinstance(found, HmmEstimate), "=", True),
    )


def numbers() -> Numbers:
    """Tasks, chain and sequence."""
    return (
        ("O, one column per task", tuples(three_tasks())),
        ("T, column θ' to row θ", tuples(CYCLE)),
        ("sequence", "0, 1, 2, 0, 1, 2, …"),
        ("h", CYCLE_LENGTH),
    )


UNSTABLE = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.1]])
"""The last column has too much mass, so that the uniform law is not kept."""
SINGULAR = np.full((3, 3), 1 / 3)
ERGODIC = 0.8 * CYCLE + 0.2 / 3

CASES = (
    Case(
        checks=("lemma-10.bound/three-cycle",),
        numbers=numbers,
        told=lambda: three_cycle_walk(cyclic()),
        undo="triples that overlap, so that they begin with every task",
        undone=lambda: three_cycle_walk(cyclic(), overlapping=True),
        broken={
            "third singular value of O": lambda: three_cycle_walk(
                cyclic(), three_tasks()[:, [0, 0, 2]]
            ),
            "|det T|": lambda: three_cycle_walk(cyclic(), T=SINGULAR),
            "T keeps the uniform law; largest change": lambda: three_cycle_walk(
                cyclic(), T=UNSTABLE
            ),
            "steps that follow T": lambda: three_cycle_walk(cyclic(step=2)),
        },
        repaired=partial(aperiodic_walk, cyclic(), CYCLE),
        sibling=partial(aperiodic_walk, cyclic(step=2), ERGODIC),
    ),
)
