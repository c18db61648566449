"""Which tasks the triples of one long sequence start in (erratum E26).

Disjoint triples of a three-cycle all start in the same task, although the stationary law is
uniform; overlapping triples start everywhere.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from checks import exact_hmm as exact
from checks.exact_hmm import ExactHMM, Matrix
from checks.families.hmms import cycle
from checks.outcome import Statement, Walk


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
    k = hmm.k
    first = exact.mean_law(hmm.T, hmm.first, count=lcm(k, gap) // gap, gap=gap)
    return _rank(hmm, ExactHMM(hmm.O, hmm.T, first))


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
