"""Algorithm 3 on a handful of observations (errata E28, E42, E43).

One pair, three rewards; an observation is the frequency of each reward and a 1 for the sure next
state. With one sample per task a sequence of rewards such as "331212" is the whole data.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from checks import exact_hmm as exact
from checks.exact_hmm import ONE, ZERO, Matrix, Vector
from checks.outcome import Statement, Walk
from reference.arrays import Floats
from reference.spectral import HmmEstimate, learn_hmm

K = 3
TURNING = "331212123233"
"""Four triples whose M̂_2 has two complex eigenvalues."""
SIGNED = "233323112213212231"
"""Six triples whose Ô and T̂ have negative entries."""
HALF = Fraction(1, 2)
INDEPENDENT: tuple[Matrix, Matrix, Matrix] = (
    ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE)),
    ((HALF, HALF, ZERO), (ZERO, HALF, HALF), (ONE, ZERO, ZERO)),
    ((ZERO, HALF, HALF), (HALF, ZERO, HALF), (ZERO, ONE, ZERO)),
)
"""Reward frequencies of three triples, view by view, with independent rows in every view."""
FOURTH: tuple[Vector, Vector, Vector] = ((ONE, ZERO, ZERO),) * 3
"""One triple more: four observations of length 4 in a space of dimension 3."""


def of_rewards(rewards: str) -> tuple[Matrix, Matrix, Matrix]:
    """The three views of all triples when each task is sampled once."""
    rows = [tuple(Fraction(int(r == u)) for u in "123") for r in rewards]
    return tuple(rows[0::3]), tuple(rows[1::3]), tuple(rows[2::3])


def observations(views: tuple[Matrix, Matrix, Matrix]) -> Floats:
    """The same data in doubles, in the order of the tasks."""
    rows = [(*row, ONE) for triple in zip(*views, strict=True) for row in triple]
    return exact.as_floats(tuple(rows))


def second_moment(views: tuple[Matrix, Matrix, Matrix]) -> Matrix:
    """M̂_2 of lines 2-4 with the pseudo-inverses as printed: Σ̂_32 Σ̂_12† Σ̂_13."""
    o_1, o_2, o_3 = (tuple((*row, ONE) for row in view) for view in views)
    return exact.times(_mean(o_3, o_2), exact.pseudo_inverse(_mean(o_1, o_2)), _mean(o_1, o_3))


def uses_other_views(views: tuple[Matrix, Matrix, Matrix]) -> Walk:
    """M̂_2 is made of three views, so it is not the plain mean of o_3 ⊗ o_3."""
    third = tuple((*row, ONE) for row in views[2])
    difference = exact.largest(exact.minus(second_moment(views), _mean(third, third)))
    return Walk(
        premises=(Statement("triples against tasks", len(third), "≥", K),),
        conclusion=Statement("largest difference of M̂_2 and mean o_3 ⊗ o_3", difference, ">", 0),
    )


def real_eigenvalues(views: tuple[Matrix, Matrix, Matrix]) -> Walk:
    """The three leading eigenvalues of M̂_2 are real.

    M̂_2 is 4×4 of rank 3: its other eigenvalues are the roots of x³ - ax² + bx - c with a, b, c the
    sums of its principal minors, and they are all real if and only if the discriminant is ≥ 0.
    """
    M = second_moment(views)
    a, b, c = (_principal_minors(M, size) for size in (1, 2, 3))
    discriminant = 18 * a * b * c - 4 * a**3 * c + a**2 * b**2 - 4 * b**3 - 27 * c**2
    return Walk(
        premises=(
            Statement("triples against tasks", len(views[0]), "≥", K),
            Statement("rank of M̂_2", exact.rank(M), "=", K),
        ),
        conclusion=Statement("discriminant of the leading eigenvalues", discriminant, "≥", 0),
    )


def learned(rewards: str) -> HmmEstimate:
    """Algorithm 3 as printed on a sequence of rewards."""
    found = learn_hmm(observations(of_rewards(rewards)), K, 50, 100, np.random.default_rng(0))
    if not isinstance(found, HmmEstimate):
        raise ValueError(f"no estimate from {rewards}")
    return found


def least_entry(found: Floats) -> Walk:
    """Columns that are read as probabilities have no negative entry."""
    return Walk((), Statement("least entry of Ô and T̂", float(found.min()), "≥", 0))


def _mean(X: Matrix, Y: Matrix) -> Matrix:
    return exact.times(exact.transpose(X), tuple(tuple(y / len(X) for y in row) for row in Y))


def _principal_minors(M: Matrix, size: int) -> Fraction:
    """The sum of the determinants of all principal submatrices of the given size."""
    total = ZERO
    for chosen in combinations(range(len(M)), size):
        total += _determinant(tuple(tuple(M[i][j] for j in chosen) for i in chosen))
    return total


def _determinant(M: Matrix) -> Fraction:
    if len(M) == 1:
        return M[0][0]
    first, rest = M[0], M[1:]
    minors = (tuple(row[:j] + row[j + 1 :] for row in rest) for j in range(len(M)))
    return sum(
        (
            (-1) ** j * x * _determinant(minor)
            for j, (x, minor) in enumerate(zip(first, minors, strict=True))
        ),
        ZERO,
    )
