"""Which tasks the triples of one long sequence start in (erratum E26).

Disjoint triples of a three-cycle all start in the same task, although the stationary distribution
is uniform; overlapping triples start everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix, Vector
from ptum.checks.instances.counterexamples.appendix_c import third_view
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.families.hmms import cycle
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.spec.vocabulary import Version


def on_a_cycle(T: Matrix, start: int) -> ExactHMM:
    """Tasks of which number j pays u_j or u_1 with probability one half each, from one start."""
    k = len(T)
    half = Fraction(1, 2)
    laws = [tuple(half * int(i == 0) + half * int(i == j) for i in range(k)) for j in range(k)]
    first = tuple(Fraction(int(j == start)) for j in range(k))
    return ExactHMM(exact.reward_columns(laws), T, first)


def three_cycle(start: int = 0) -> ExactHMM:
    """Task 1, 2, 3, 1, 2, 3, …"""
    return on_a_cycle(cycle(3), start)


def rank_of_limit(hmm: ExactHMM, gap: int) -> Evaluation:
    """Σ_31 averaged over all triples, one every `gap` tasks, has rank k; T is a cycle.

    The first tasks of the triples repeat after lcm(k, gap)/gap triples, so that one round is the
    limit.
    """
    return _rank(hmm, ExactHMM(hmm.O, hmm.T, _mean_first(hmm, gap)))


def _mean_first(hmm: ExactHMM, gap: int) -> Vector:
    return exact.mean_distribution(hmm.T, hmm.first, count=lcm(hmm.k, gap) // gap, gap=gap)


def rank_with_enough_visits(hmm: ExactHMM, gap: int) -> Evaluation:
    """Repaired: the same where T is invertible and triples begin in every task."""
    told = rank_of_limit(hmm, gap)
    visited = sum(weight > 0 for weight in _mean_first(hmm, gap))
    return Evaluation(
        (
            *told.premises,
            Statement("rank T", exact.rank(hmm.T), "=", hmm.k),
            Statement("tasks in which triples begin", visited, "=", hmm.k),
        ),
        told.conclusion,
    )


def rank_in_the_long_run(hmm: ExactHMM) -> Evaluation:
    """The same for a chain that forgets its start: first views have the stationary distribution."""
    omega = exact.stationary(hmm.T)
    if omega is None:
        raise ValueError("more than one stationary law")
    invertible = Statement("rank T", exact.rank(hmm.T), "=", hmm.k)
    evaluation = _rank(hmm, ExactHMM(hmm.O, hmm.T, omega))
    return Evaluation((*evaluation.premises, invertible), evaluation.conclusion)


def _rank(hmm: ExactHMM, average: ExactHMM) -> Evaluation:
    omega = exact.stationary(hmm.T)
    least = min(omega) if omega is not None else Fraction(-1)
    return Evaluation(
        premises=(
            Statement("rank O against the number of tasks", exact.rank(hmm.O), "=", hmm.k),
            Statement("least stationary weight", least, ">", 0),
        ),
        conclusion=Statement(
            "rank of Σ_31 in the limit", exact.rank(exact.second_moment(average, 3, 1)), "=", hmm.k
        ),
    )


# What the instance shows


@dataclass(frozen=True)
class Triples:
    """A model, and after how many tasks the next triple begins."""

    hmm: ExactHMM
    gap: int = 3


def _numbers_of_triples(triples: Triples) -> Numbers:
    return _numbers(triples.hmm)


def _numbers(hmm: ExactHMM) -> Numbers:
    return (
        ("columns of O: chances of the rewards, and of the one next state", hmm.columns),
        ("T[i][j], the probability of task i after task j", hmm.T),
        ("law of the first task", hmm.first),
        ("triples", "tasks 1-3, 4-6, 7-9, …"),
    )


def _uniform_start() -> ExactHMM:
    return replace(three_cycle(), first=exact.vector(("1/3", "1/3", "1/3")))


def _still() -> ExactHMM:
    return on_a_cycle(exact.identity(3), 0)


RANK_O, WEIGHT = "rank O against the number of tasks", "least stationary weight"

declare(
    Counterexample(
        checks={
            "text-moments-from-samples.consistent/three-cycle": (
                "Averages over disjoint triples have rank k in the limit"
            ),
            "text-perfect-models-in-the-limit.consistency/one-task": (
                "Averages over disjoint triples of a cycle of three tasks have rank k in the limit"
            ),
        },
        instance=Triples(three_cycle()),
        evaluate=lambda triples: rank_of_limit(triples.hmm, triples.gap),
        numbers=_numbers_of_triples,
        fix="overlapping triples: one begins with every task",
        fixed=Triples(three_cycle(), gap=1),
        broken={
            RANK_O: Triples(third_view.same_column_twice(three_cycle())),
            WEIGHT: Triples(_still()),
        },
        repaired=lambda triples: rank_with_enough_visits(triples.hmm, triples.gap),
        in_scope=Triples(on_a_cycle(cycle(4), 2)),
    )
)
declare(
    Counterexample(
        part_of=("algorithm-3.estimates/unlearnable",),
        instance=three_cycle(),
        evaluate=lambda case: third_view.uncentred(case, Version.PRINTED),
        fix="first tasks are uniform, as they are for overlapping triples",
        fixed=_uniform_start(),
        broken={
            RANK_O: third_view.same_column_twice(three_cycle()),
            WEIGHT: _still(),
        },
        repaired=lambda case: third_view.uncentred(case, Version.REPAIRED),
        in_scope=_uniform_start(),
        numbers=_numbers,
    )
)
