"""Lemma 10 on a cycle of three tasks (errata E26, E27): disjoint triples never mix.

1→2→3→1: every triple begins with the same task, so that each view shows one task only and M̂_2 has
rank one. Observations are the mean observations themselves, so every run is this one, and its
moments are rational.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix
from ptum.checks.exact.intervals import log
from ptum.checks.instances.counterexamples.appendix_c.visits import three_cycle
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared.triples import directions
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.repaired.sequential.analysis.conditioning import (
    repaired_bounds,
    repaired_constants,
)
from ptum.reference.sequential.analysis.conditioning import conditioning
from ptum.reference.sequential.analysis.level import Level

LENGTH, K = 60, 3
RHO, DELTA_PRIME = 1000, Fraction(1, 10)
"""ρ_1 and ρ_2, known to exist only, as any number; δ'."""


def cyclic(step: int = 1) -> tuple[int, ...]:
    """1, 2, 3, 1, 2, 3, …; with step 2 every third task is another one after a while."""
    return tuple(t % K if step == 1 else (t + t // K) % K for t in range(LENGTH))


def evaluation(hmm: ExactHMM, tasks: Sequence[int], *, overlapping: bool = False) -> Evaluation:
    """Lemma 10 with μ_{3,j} = O T e_j: a run must at least show as many directions as tasks."""
    _confirm(hmm)
    return Evaluation(
        premises=(
            Statement("rank O", exact.rank(hmm.O), "=", K),
            Statement("rank T", exact.rank(hmm.T), "=", K),
            Statement("T keeps the uniform distribution; largest change", _change(hmm.T), "=", 0),
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


def _confirm(hmm: ExactHMM) -> None:
    """The literal repaired bounds say something of the moments where T is a chain without a period.

    Lemma 10 itself is asked for at δ'/3; ρ_1 and ρ_2 are any numbers.
    """
    if set(map(sum, exact.transpose(hmm.T))) != {1}:
        return
    known = conditioning(exact.rounded(hmm), exact.rounded(hmm).initial)
    sizes = {"S": 1, "A": 1, "U": len(hmm.O) - 1}
    constants = repaired_constants(known, **sizes, rho_1=RHO, rho_2=RHO)
    level = Level(**sizes, h=LENGTH, delta_prime=float(DELTA_PRIME))
    bounds = repaired_bounds(constants, known, level, gamma=0.5, sigma_bar=None)
    witness.same_truth("the repaired bounds mix", math.isfinite(bounds.moments), _least(hmm) > 0)
    squared = log(6 * len(hmm.O) / DELTA_PRIME) * RHO**2 / LENGTH
    witness.same_square("Lemma 10", bounds.mu_3.bound, squared.low)


def _least(hmm: ExactHMM) -> Fraction:
    """The least entry of T⁹: a zero that a chain of three tasks then has it never gets rid of."""
    return min(map(min, exact.times(*(hmm.T,) * 9)))


def _change(T: Matrix) -> Fraction:
    uniform = (Fraction(1, K),) * K
    return max(abs(x - y) for x, y in zip(exact.applied(T, uniform), uniform, strict=True))


def _allowed(T: Matrix, tasks: Sequence[int]) -> int:
    return sum(T[then][now] > 0 for now, then in pairwise(tasks))


def aperiodic_evaluation(hmm: ExactHMM, tasks: Sequence[int]) -> Evaluation:
    """Under the imported hypotheses a run shows every task: T invertible and aperiodic."""
    return Evaluation(
        (
            Statement("rank T", exact.rank(hmm.T), "=", K),
            Statement("T is aperiodic: least entry of T⁹", _least(hmm), ">", 0),
            Statement("steps that T allows", _allowed(hmm.T, tasks), "=", LENGTH - 1),
        ),
        _learnable(hmm, tasks),
    )


@dataclass(frozen=True)
class Followed:
    """A model, a sequence of its tasks, and whether triples overlap."""

    hmm: ExactHMM
    tasks: Sequence[int]
    overlapping: bool = False


def numbers(case: Followed) -> Numbers:
    """Tasks, chain and sequence."""
    hmm, tasks = case.hmm, case.tasks
    return (
        ("O, one column per task", hmm.O),
        ("T, column θ' to row θ", hmm.T),
        ("sequence", f"{', '.join(map(str, tasks[:9]))}, and so again and again"),
        ("h", LENGTH),
    )


def _chain(T: Matrix) -> ExactHMM:
    return replace(three_cycle(), T=T)


def _twins() -> ExactHMM:
    """The second task is the first again."""
    hmm = three_cycle()
    return replace(hmm, O=exact.transpose((hmm.columns[0], *hmm.columns[:-1])))


THIRD = Fraction(1, 3)
UNSTABLE = exact.matrix(((0, 0, 1), (1, 0, 0), (0, 1, "1/10")))
"""The last column has too much mass, so that the uniform distribution is not kept."""
SINGULAR: Matrix = ((THIRD,) * K,) * K
ERGODIC: Matrix = tuple(
    tuple(Fraction(4, 5) * x + Fraction(1, 15) for x in row) for row in three_cycle().T
)
"""The cycle with probability 4/5, any task otherwise."""

declare(
    Counterexample(
        checks={
            "lemma-10.bound/three-cycle": (
                "With third views O T e_j, a cycle of three tasks leaves no estimate"
            ),
        },
        instance=Followed(three_cycle(), cyclic()),
        evaluate=lambda case: evaluation(case.hmm, case.tasks, overlapping=case.overlapping),
        numbers=numbers,
        fix="triples that overlap, so that they begin with every task",
        fixed=Followed(three_cycle(), cyclic(), overlapping=True),
        broken={
            "rank O": Followed(_twins(), cyclic()),
            "rank T": Followed(_chain(SINGULAR), cyclic()),
            "T keeps the uniform distribution; largest change": Followed(
                _chain(UNSTABLE), cyclic()
            ),
            "steps that T allows": Followed(three_cycle(), cyclic(step=2)),
        },
        repaired=lambda case: aperiodic_evaluation(case.hmm, case.tasks),
        in_scope=Followed(_chain(ERGODIC), cyclic(step=2)),
    )
)
