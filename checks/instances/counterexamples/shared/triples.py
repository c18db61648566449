"""What Algorithm 3 can learn from triples of tasks whose observations are the means themselves.

Line 4's M̂_2 = Σ̂_32 Σ̂_12† Σ̂_13 is then rational, and the whitening of lines 5-6 needs k
directions: an estimate of k tasks exists only if its rank is k. The rank of all moments is at most
k, so that full and rank-k pseudo-inverses are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Matrix
from ptum.reference.repaired.sequential.spectral import learn_hmm
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.reference.sequential.spectral import learn_hmm as learn_as_printed

RESTARTS, STEPS = 5, 15


def directions(columns: Matrix, tasks: Sequence[int], *, overlapping: bool = False) -> int:
    """The rank of M̂_2; `columns` has one row per task, and no triple leaves no direction.

    The literal learners are second witnesses: they find no estimate where the rank is below k. An
    instance on which they find none although it is k, which is not enough, is refused. Algorithm 3
    as printed knows disjoint triples only.
    """
    found = _rank(columns, tasks, overlapping=overlapping)
    estimates = _estimated(columns, tasks, overlapping=overlapping)
    if any(estimate != (found == len(columns)) for estimate in estimates):
        raise AssertionError(f"rank {found} of {len(columns)}, but estimates: {estimates}")
    return found


def _rank(columns: Matrix, tasks: Sequence[int], *, overlapping: bool) -> int:
    starts = range(0, len(tasks) - 2, 1 if overlapping else 3)
    if not starts:
        return 0
    views = [tuple(columns[tasks[start + view]] for start in starts) for view in range(3)]
    o_1, o_2, o_3 = views
    M_2 = exact.times(mean(o_3, o_2), exact.pseudo_inverse(mean(o_1, o_2)), mean(o_1, o_3))
    return exact.rank(M_2)


def mean(left: Matrix, right: Matrix) -> Matrix:
    """Mean of x ⊗ y over the rows of two views."""
    size = Fraction(1, len(left))
    return tuple(tuple(size * x for x in row) for row in exact.times(exact.transpose(left), right))


def _estimated(columns: Matrix, tasks: Sequence[int], *, overlapping: bool) -> list[bool]:
    o = exact.as_floats(columns)[list(tasks)]
    k, rng = len(columns), np.random.default_rng(0)
    found = [learn_hmm(o, k, RESTARTS, STEPS, rng, overlapping=overlapping)]
    if not overlapping:
        found.append(learn_as_printed(o, k, RESTARTS, STEPS, rng))
    return [isinstance(one, HmmEstimate) for one in found]
