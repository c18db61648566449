"""Lemma 10 on a cycle of three tasks (errata E26, E27): disjoint triples never mix.

1→2→3→1: every triple begins with the same task, so that each view shows one task only and M̂_2 has
rank one. Observations are the mean observations themselves, so every run is this one, and its
moments are rational.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix
from ptum.checks.instances.counterexamples.appendix_c.visits import three_cycle
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.instances.counterexamples.shared.triples import directions
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Statement, Walk

LENGTH, K = 60, 3


def cyclic(step: int = 1) -> tuple[int, ...]:
    """1, 2, 3, 1, 2, 3, …; with step 2 every third task is another one after a while."""
    return tuple(t % K if step == 1 else (t + t // K) % K for t in range(LENGTH))


def walk(hmm: ExactHMM, tasks: Sequence[int], *, overlapping: bool = False) -> Walk:
    """Lemma 10 with μ_{3,j} = O T e_j: a run must at least show as many directions as tasks."""
    return Walk(
        premises=(
            Statement("rank O", exact.rank(hmm.O), "=", K),
            Statement("rank T", exact.rank(hmm.T), "=", K),
            Statement("T keeps the uniform law; largest change", _change(hmm.T), "=", 0),
            Statement("steps that T allows", _allowed(hmm.T, tasks), "=", LENGTH - 1),
        ),
        conclusion=_learnable(hmm, tasks, overlapping=overlapping),
    )


def _learnable(hmm: ExactHMM, tasks: Sequence[int], *, overlapping: bool = False) -> Statement:
    """There is an estimate at all, to which the bound of the lemma could apply."""
    seen = directions(hmm.columns, tasks, overlapping=overlapping)
    return Statement(
        "rank of M̂_2, from which k tasks are learned",
        seen,
        "=",
        K,
        formulas.APPENDIX_D + "LEMMA_10",
        (("S", 1), ("A", 1), ("U", len(hmm.O) - 1), ("h", LENGTH)),
    )


def _change(T: Matrix) -> Fraction:
    uniform = (Fraction(1, K),) * K
    return max(abs(x - y) for x, y in zip(exact.applied(T, uniform), uniform, strict=True))


def _allowed(T: Matrix, tasks: Sequence[int]) -> int:
    return sum(T[then][now] > 0 for now, then in pairwise(tasks))


def aperiodic_walk(hmm: ExactHMM, tasks: Sequence[int]) -> Walk:
    """Under the imported hypotheses a run shows every task: T invertible and aperiodic.

    A chain of three tasks whose ninth power has a zero never gets rid of it.
    """
    ninth = exact.times(*(hmm.T,) * 9)
    return Walk(
        (
            Statement("rank T", exact.rank(hmm.T), "=", K),
            Statement("T is aperiodic: least entry of T⁹", min(map(min, ninth)), ">", 0),
            Statement("steps that T allows", _allowed(hmm.T, tasks), "=", LENGTH - 1),
        ),
        _learnable(hmm, tasks),
    )


def numbers(hmm: ExactHMM, tasks: Sequence[int]) -> Numbers:
    """Tasks, chain and sequence."""
    return (
        ("O, one column per task", hmm.O),
        ("T, column θ' to row θ", hmm.T),
        ("sequence", f"{', '.join(map(str, tasks[:9]))}, and so again and again"),
        ("h", LENGTH),
    )


def _chain(T: Matrix) -> ExactHMM:
    return replace(three_cycle(), T=T)


def _twins() -> ExactHMM:
    """The second task is the first once more."""
    hmm = three_cycle()
    return replace(hmm, O=exact.transpose((hmm.columns[0], *hmm.columns[:-1])))


THIRD = Fraction(1, 3)
UNSTABLE = exact.matrix(((0, 0, 1), (1, 0, 0), (0, 1, "1/10")))
"""The last column has too much mass, so that the uniform law is not kept."""
SINGULAR: Matrix = ((THIRD,) * K,) * K
ERGODIC: Matrix = tuple(
    tuple(Fraction(4, 5) * x + Fraction(1, 15) for x in row) for row in three_cycle().T
)
"""The cycle with probability 4/5, any task otherwise."""

CASES = (
    Case(
        checks=("lemma-10.bound/three-cycle",),
        numbers=partial(numbers, three_cycle(), cyclic()),
        told=partial(walk, three_cycle(), cyclic()),
        undo="triples that overlap, so that they begin with every task",
        undone=partial(walk, three_cycle(), cyclic(), overlapping=True),
        broken={
            "rank O": partial(walk, _twins(), cyclic()),
            "rank T": partial(walk, _chain(SINGULAR), cyclic()),
            "T keeps the uniform law; largest change": partial(walk, _chain(UNSTABLE), cyclic()),
            "steps that T allows": partial(walk, three_cycle(), cyclic(step=2)),
        },
        repaired=partial(aperiodic_walk, three_cycle(), cyclic()),
        sibling=partial(aperiodic_walk, _chain(ERGODIC), cyclic(step=2)),
        sibling_numbers=partial(numbers, _chain(ERGODIC), cyclic(step=2)),
    ),
)
