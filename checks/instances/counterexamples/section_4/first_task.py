"""Theorem 2 for every h ≥ 1 (erratum E34): after one task there is no estimate to bound.

Three tasks on an ergodic chain, which satisfy the repaired Assumption 2 as well. The samples of
every task show each outcome in its exact share, and every task begins a triple of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Matrix
from ptum.checks.exact.intervals import PI, compared, log
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import triples
from ptum.checks.instances.counterexamples.shared.shown import meant
from ptum.checks.instances.families import hmms
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement

RHO_3, DELTA_PRIME = 8, Fraction(1, 2)
K, SIZES = 3, hmms.THREE
ORDER = (0, 1, 2, 1, 2, 0, 2, 0, 1)
"""Three triples, which come again and again."""


@dataclass(frozen=True)
class TaskColumns:
    """One row of `columns` per task: its column of O, which is also what its samples show."""

    columns: Matrix
    T: Matrix


def three_tasks() -> TaskColumns:
    """The three tasks on the chain that moves ahead with probability 0.8."""
    hmm = hmms.three_task_chain().hmm
    columns, T = (tuple(tuple(map(meant, row)) for row in M.tolist()) for M in (hmm.O.T, hmm.T))
    return TaskColumns(columns, T)


def evaluation(h: int, given: TaskColumns | None = None) -> Evaluation:
    """After h tasks of an ergodic chain with rank O = k there is an estimate to speak of."""
    tasks = given or three_tasks()
    sequence = tuple(ORDER[step % len(ORDER)] for step in range(h))
    return Evaluation(
        (
            Statement("rank O", exact.rank(tasks.columns), "=", K),
            Statement("rank T", exact.rank(tasks.T), "=", K),
            Statement("h", h, "≥", 1),
        ),
        Statement(
            "estimates exist",
            triples.directions(tasks.columns, sequence) == K,
            "=",
            True,
            formulas.SEQUENTIAL + "THEOREM_2",
            (("S", SIZES.S), ("A", SIZES.A), ("U", SIZES.U), ("h", h)),  # whatever ρ and δ' are
        ),
    )


def admitted_evaluation(h: int) -> Evaluation:
    """Repair: only for h ≥ ρ_3 log(π²h²d/δ'), here with ρ_3 = 8 and δ' = 1/2."""
    found, d = evaluation(h), len(three_tasks().columns[0])
    least = RHO_3 * log(PI * PI * (h**2 * d) / DELTA_PRIME)
    admitted = Statement("h against ρ_3 log(π²h²d/δ')", *compared(h, "≥", least))
    return Evaluation((*found.premises, admitted), found.conclusion)


@dataclass(frozen=True)
class TaskCount:
    """So many tasks; those of `three_tasks` unless others are given."""

    h: int
    tasks: TaskColumns | None = None


def numbers(after: TaskCount) -> Numbers:
    """Tasks and chain."""
    tasks = after.tasks or three_tasks()
    return (
        ("O, one column per task", exact.transpose(tasks.columns)),
        ("T, column θ' to row θ", tasks.T),
        ("law of the first task", (Fraction(1, 3),) * 3),
        ("θ*_1, …, θ*_9, which come again and again, with the shares of their columns", ORDER),
        ("h", after.h),
        ("ρ_3", RHO_3),
        ("δ'", DELTA_PRIME),
    )


def _with_twins() -> TaskColumns:
    """The second task is the first again."""
    tasks = three_tasks()
    first, _, third = tasks.columns
    return replace(tasks, columns=(first, first, third))


def _drawn_anew() -> TaskColumns:
    return replace(three_tasks(), T=hmms.independent(exact.vector(("1/3", "1/3", "1/3"))))


declare(
    Counterexample(
        checks={
            "theorem-2.all-h/first-task": "There is an estimate after one task",
        },
        instance=TaskCount(1),
        evaluate=lambda after: evaluation(after.h, after.tasks),
        numbers=numbers,
        fix="h = 27, nine triples, three begun by each task",
        fixed=TaskCount(27),
        broken={
            "rank O": TaskCount(1, _with_twins()),
            "rank T": TaskCount(1, _drawn_anew()),
            "h": TaskCount(0),
        },
        repaired=lambda after: admitted_evaluation(after.h),
        in_scope=TaskCount(300),
    )
)
