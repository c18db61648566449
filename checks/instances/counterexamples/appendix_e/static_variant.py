"""Algorithm 3 on independent tasks is not the method for static transfer (erratum E53).

Two tasks, each drawn with probability 1/2 whatever came before. Exact moments between views of
different tasks have rank one, so Algorithm 3 returns nothing; views inside a task show both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared.triples import mean
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.repaired.sequential.spectral import learn_within_task
from ptum.reference.sequential.hmm import population_moments
from ptum.reference.sequential.spectral import HmmEstimate, learn_from_moments

RESTARTS, STEPS = 30, 30
HALF = Fraction(1, 2)
TASKS = exact.matrix(
    (("0.9", "0.2"), ("0.1", "0.8"), ("0.8", "0.3"), ("0.2", "0.7"), (1, 1), (1, 1))
)
"""Columns of O: one state, two actions, two rewards."""


def sticky(stay: Fraction = HALF, columns: Matrix = TASKS) -> ExactHMM:
    """Two tasks that are kept with the given chance; 1/2 makes them independent."""
    T = ((stay, 1 - stay), (1 - stay, stay))
    return ExactHMM(columns, T, (HALF, HALF))


def printed_evaluation(hmm: ExactHMM) -> Evaluation:
    """Algorithm 3 learns O from independent tasks, as a method with views inside a task does."""
    rank = exact.rank(exact.moments(hmm).M_2)
    if _finds_an_estimate(hmm) != (rank == hmm.k):
        raise AssertionError(f"M_2 has rank {rank}, and the literal code disagrees")
    return Evaluation(
        (Statement("rank O", exact.rank(hmm.O), "=", 2),),
        Statement("rank of M_2, from which k tasks are learned", rank, "=", 2),
    )


def _finds_an_estimate(hmm: ExactHMM) -> bool:
    """The literal lines 5-10, in doubles, on the same moments."""
    literal = exact.rounded(hmm)
    moments = population_moments(literal, literal.initial)
    found = learn_from_moments(moments, hmm.k, RESTARTS, STEPS, np.random.default_rng(0))
    return isinstance(found, HmmEstimate)


def within_evaluation(tasks: Sequence[int]) -> Evaluation:
    """Three views inside each task show O, whatever the sequence of tasks."""
    columns = exact.transpose(TASKS)
    views = tuple(columns[task] for task in tasks)
    rank = exact.rank(mean(views, views))
    batches = np.stack([exact.as_floats(views)] * 3)
    found = learn_within_task(batches, 2, RESTARTS, STEPS, np.random.default_rng(0))
    if isinstance(found, HmmEstimate) != (rank == len(columns)):
        raise AssertionError(f"the moment has rank {rank}, and the literal code disagrees")
    return Evaluation(
        (Statement("tasks that occur", len(set(tasks)), "=", 2),),
        Statement("rank of the moment of two views within tasks", rank, "=", 2),
    )


@dataclass(frozen=True)
class ModelAndSequence:
    """A model of the tasks, and a sequence of them."""

    hmm: ExactHMM
    sequence: tuple[int, ...] = (0, 1, 1, 0)


def numbers(tasks: ModelAndSequence) -> Numbers:
    """One state, two actions, two rewards."""
    hmm = tasks.hmm
    return (
        ("sequence of tasks, for three views inside each", tasks.sequence),
        ("O, one column per task", hmm.O),
        ("T, column θ' to row θ", hmm.T),
        ("law of the first task", hmm.first),
    )


def _twins() -> Matrix:
    first = exact.transpose(TASKS)[0]
    return exact.transpose((first, first))


declare(
    Counterexample(
        checks={
            "text-static-reduces-to-azar.same/independent-tasks": (
                "Algorithm 3 has no estimate for independent tasks, even from exact moments"
            ),
        },
        instance=ModelAndSequence(sticky()),
        evaluate=lambda tasks: printed_evaluation(tasks.hmm),
        numbers=numbers,
        fix="tasks that are kept with probability 0.9",
        fixed=ModelAndSequence(sticky(Fraction(9, 10))),
        broken={
            "rank O": ModelAndSequence(sticky(columns=_twins())),
        },
        repaired=lambda tasks: within_evaluation(tasks.sequence),
        in_scope=ModelAndSequence(sticky(), (1, 0, 0, 0, 0, 1, 0)),
    )
)
