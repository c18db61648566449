"""Which tasks the triples of one long sequence start in (erratum E26).

Disjoint triples of a three-cycle all start in the same task, although the stationary law is
uniform; overlapping triples start everywhere.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix, Vector
from ptum.checks.instances.counterexamples.appendix_c import third_view
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.instances.families.hmms import cycle
from ptum.checks.verdicts.outcome import Statement, Walk
from ptum.spec.vocabulary import Version


def on_a_cycle(T: Matrix, start: int) -> ExactHMM:
    """Tasks of which number j pays reward u_j or u_1 with chance one half each, from one start."""
    k = len(T)
    half = Fraction(1, 2)
    laws = [tuple(half * int(i == 0) + half * int(i == j) for i in range(k)) for j in range(k)]
    first = tuple(Fraction(int(j == start)) for j in range(k))
    return ExactHMM(exact.reward_columns(laws), T, first)


def three_cycle(start: int = 0) -> ExactHMM:
    """Task 1, 2, 3, 1, 2, 3, …"""
    return on_a_cycle(cycle(3), start)


def rank_of_limit(hmm: ExactHMM, gap: int) -> Walk:
    """Σ_31 averaged over all triples, one every `gap` tasks, has rank k; T is a cycle.

    The first tasks of the triples repeat after lcm(k, gap)/gap triples, so that one round is the
    limit.
    """
    return _rank(hmm, ExactHMM(hmm.O, hmm.T, _mean_first(hmm, gap)))


def _mean_first(hmm: ExactHMM, gap: int) -> Vector:
    return exact.mean_law(hmm.T, hmm.first, count=lcm(hmm.k, gap) // gap, gap=gap)


def rank_with_enough_visits(hmm: ExactHMM, gap: int) -> Walk:
    """Repaired: the same where T is invertible and triples begin in every task."""
    told = rank_of_limit(hmm, gap)
    visited = sum(weight > 0 for weight in _mean_first(hmm, gap))
    return Walk(
        (
            *told.premises,
            Statement("rank T", exact.rank(hmm.T), "=", hmm.k),
            Statement("tasks in which triples begin", visited, "=", hmm.k),
        ),
        told.conclusion,
    )


def rank_in_the_long_run(hmm: ExactHMM) -> Walk:
    """The same for a chain that forgets where it began: first views have the stationary law."""
    omega = exact.stationary(hmm.T)
    if omega is None:
        raise ValueError("more than one stationary law")
    invertible = Statement("rank T", exact.rank(hmm.T), "=", hmm.k)
    walk = _rank(hmm, ExactHMM(hmm.O, hmm.T, omega))
    return Walk((*walk.premises, invertible), walk.conclusion)


def _rank(hmm: ExactHMM, average: ExactHMM) -> Walk:
    omega = exact.stationary(hmm.T)
    least = min(omega) if omega is not None else Fraction(-1)
    return Walk(
        premises=(
            Statement("rank O against the number of tasks", exact.rank(hmm.O), "=", hmm.k),
            Statement("least stationary weight", least, ">", 0),
        ),
        conclusion=Statement(
            "rank of Σ_31 in the limit", exact.rank(exact.second_moment(average, 3, 1)), "=", hmm.k
        ),
    )


# What the instance shows


def _numbers(hmm: ExactHMM) -> Numbers:
    return (
        ("columns of O: chances of the rewards, and of the one next state", hmm.columns),
        ("T[i][j], the chance of task i after task j", hmm.T),
        ("law of the first task", hmm.first),
        ("triples", "tasks 1-3, 4-6, 7-9, …"),
    )


def _uniform_start() -> ExactHMM:
    return replace(three_cycle(), first=exact.vector(("1/3", "1/3", "1/3")))


def _still() -> ExactHMM:
    return on_a_cycle(exact.identity(3), 0)


RANK_O, WEIGHT = "rank O against the number of tasks", "least stationary weight"

CASES = (
    Case(
        checks=(
            "text-moments-from-samples.consistent/three-cycle",
            "text-perfect-models-in-the-limit.consistency/one-task",
        ),
        numbers=lambda: _numbers(three_cycle()),
        told=lambda: rank_of_limit(three_cycle(), gap=3),
        undo="overlapping triples: one begins with every task",
        undone=lambda: rank_of_limit(three_cycle(), gap=1),
        broken={
            RANK_O: lambda: rank_of_limit(third_view.same_column_twice(three_cycle()), gap=3),
            WEIGHT: lambda: rank_of_limit(_still(), gap=3),
        },
        repaired=lambda: rank_with_enough_visits(three_cycle(), gap=3),
        sibling=lambda: rank_with_enough_visits(on_a_cycle(cycle(4), 2), gap=3),
        sibling_numbers=lambda: _numbers(on_a_cycle(cycle(4), 2)),
    ),
    Case(
        checks=("algorithm-3.estimates/unlearnable",),
        numbers=lambda: _numbers(three_cycle()),
        told=lambda: third_view.uncentred(three_cycle(), Version.PRINTED),
        undo="first tasks are uniform, as they are for overlapping triples",
        undone=lambda: third_view.uncentred(_uniform_start(), Version.PRINTED),
        broken={
            RANK_O: lambda: third_view.uncentred(
                third_view.same_column_twice(three_cycle()), Version.PRINTED
            ),
            WEIGHT: lambda: third_view.uncentred(_still(), Version.PRINTED),
        },
        repaired=lambda: third_view.uncentred(three_cycle(), Version.REPAIRED),
        sibling=lambda: third_view.uncentred(_uniform_start(), Version.REPAIRED),
        sibling_numbers=lambda: _numbers(_uniform_start()),
    ),
)
