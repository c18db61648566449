"""Algorithm 3 on a handful of observations (errata E28, E42, E43).

One pair, three rewards; an observation is the frequency of each reward and a 1 for the sure next
state. With one sample per task a sequence of rewards such as "331212" is the whole data. Moments
are rational; what the power method makes of them, and what rests on eigenvectors, is not.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

import numpy as np

from checks import exact_hmm as exact
from checks.counterexamples.catalogue import Case, Numbers
from checks.exact_hmm import ONE, ZERO, Matrix, Vector
from checks.outcome import Statement, Walk
from reference.arrays import Floats
from reference.projection import project_simplex
from reference.repaired.spectral import rank_k_inverse
from reference.spectral import HmmEstimate, learn_hmm

K = 3
Views: TypeAlias = tuple[Matrix, Matrix, Matrix]
TURNING = "331212123233"
"""Four triples whose M̂_2 has two complex eigenvalues."""
SIGNED = "233323112213212231"
"""Six triples whose Ô and T̂ have negative entries."""
ROUNDING = 1e-9
"""Products and pseudo-inverses of matrices of twelve to sixteen numbers below 10."""
HALF = Fraction(1, 2)
INDEPENDENT: Views = (
    ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE)),
    ((HALF, HALF, ZERO), (ZERO, HALF, HALF), (ONE, ZERO, ZERO)),
    ((ZERO, HALF, HALF), (HALF, ZERO, HALF), (ZERO, ONE, ZERO)),
)
"""Reward frequencies of three triples, view by view, with independent rows in every view."""
FOURTH: tuple[Vector, Vector, Vector] = ((ONE, ZERO, ZERO),) * 3
"""One triple more: four observations of length 4 in a space of dimension 3."""


def of_rewards(rewards: str) -> Views:
    """The three views of all triples when each task is sampled once."""
    rows = [tuple(Fraction(int(r == u)) for u in "123") for r in rewards]
    return tuple(rows[0::3]), tuple(rows[1::3]), tuple(rows[2::3])


def observations(views: Views) -> Floats:
    """The same data in doubles, in the order of the tasks."""
    rows = [(*row, ONE) for triple in zip(*views, strict=True) for row in triple]
    return exact.as_floats(tuple(rows))


def second_moment(views: Views) -> Matrix:
    """M̂_2 of lines 2-4 with the pseudo-inverses as printed: Σ̂_32 Σ̂_12† Σ̂_13."""
    o_1, o_2, o_3 = (tuple((*row, ONE) for row in view) for view in views)
    return exact.times(_mean(o_3, o_2), exact.pseudo_inverse(_mean(o_1, o_2)), _mean(o_1, o_3))


def uses_other_views(views: Views, k: int = 2) -> Walk:
    """M̂_2 is made of three views, so it is not the plain mean of o_3 ⊗ o_3; k tasks."""
    third = tuple((*row, ONE) for row in views[2])
    difference = exact.largest(exact.minus(second_moment(views), _mean(third, third)))
    return Walk(
        premises=(Statement("triples against tasks", len(third), "≥", k),),
        conclusion=Statement("largest difference of M̂_2 and mean o_3 ⊗ o_3", difference, ">", 0),
    )


def rank_k_uses_other_views(views: Views, k: int = 2) -> Walk:
    """Repaired: the same with the pseudo-inverse of the best approximation of rank k."""
    o_1, o_2, o_3 = (exact.as_floats(tuple((*row, ONE) for row in view)) for view in views)
    m = len(o_1)
    M_2 = (o_3.T @ o_2 / m) @ rank_k_inverse(o_1.T @ o_2 / m, k) @ (o_1.T @ o_3 / m)
    difference = float(np.max(np.abs(M_2 - o_3.T @ o_3 / m)))
    return Walk(
        premises=(Statement("triples against tasks", m, ">", k),),
        conclusion=Statement(
            "largest difference of M̂_2 and mean o_3 ⊗ o_3", difference, ">", ROUNDING
        ),
    )


def real_eigenvalues(views: Views) -> Walk:
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


def whitens(views: Views) -> Walk:
    """Repaired: where the K leading eigenvalues of the symmetric part are positive, WᵀM̂_2W = I."""
    M = exact.as_floats(second_moment(views))
    symmetric = (M + M.T) / 2
    values, vectors = np.linalg.eigh(symmetric)
    leading = values[-K:]
    W = vectors[:, -K:] / np.sqrt(np.abs(leading))
    off = float(np.max(np.abs(W.T @ symmetric @ W - np.eye(K))))
    return Walk(
        premises=(
            Statement("triples against tasks", len(views[0]), "≥", K),
            Statement("least of the leading eigenvalues", float(leading[0]), ">", ROUNDING),
        ),
        conclusion=Statement("largest error of WᵀM̂_2W - I", off, "≤", ROUNDING),
    )


def learned(rewards: str) -> HmmEstimate:
    """Algorithm 3 as printed on a sequence of rewards."""
    found = learn_hmm(observations(of_rewards(rewards)), K, 50, 100, np.random.default_rng(0))
    if not isinstance(found, HmmEstimate):
        raise ValueError(f"no estimate from {rewards}")
    return found


def least_entry(found: Floats) -> Walk:
    """Columns that are read as probabilities have no negative entry."""
    least = float(found.min())
    return Walk((), Statement("least entry of Ô and T̂, up to rounding", least, "≥", -ROUNDING))


def entries(rewards: str, *, project: bool = False) -> Floats:
    """All entries of Ô and T̂; repaired, after projection of every law on the simplex."""
    found = learned(rewards)
    if found.T is None:
        raise ValueError(f"no T̂ from {rewards}")
    laws = [found.O[:K], found.O[K:], found.T]
    if project:
        laws = [np.stack([project_simplex(law) for law in block.T], axis=1) for block in laws]
    return np.concatenate([block.ravel() for block in laws])


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


# What the instances show


CALM, UNSIGNED = "331212123231", "233323112223212231"
"""`TURNING` with its last reward, and `SIGNED` with its eleventh reward changed."""


def _with_fourth() -> Views:
    first, second, third = ((*view, row) for view, row in zip(INDEPENDENT, FOURTH, strict=True))
    return first, second, third


def _first_triples(views: Views, count: int) -> Views:
    return views[0][:count], views[1][:count], views[2][:count]


def _data(name: str, data: object, tasks: int) -> Numbers:
    return (
        ("S, A, U", (1, 1, 3)),
        ("tasks k", tasks),
        (name, data),
        ("o", "the frequencies of the three rewards, and a 1 for the sure next state"),
    )


ONE_SAMPLE = "rewards of the tasks, one sample each, in their order"

CASES = (
    Case(
        checks=("algorithm-3.estimates/views-collapse",),
        numbers=lambda: _data("frequencies of three triples, view by view", INDEPENDENT, 2),
        told=lambda: uses_other_views(INDEPENDENT),
        undo="a fourth triple, all of reward 1, so that the views have dependent rows",
        undone=lambda: uses_other_views(_with_fourth()),
        broken={"triples against tasks": lambda: uses_other_views(_first_triples(INDEPENDENT, 1))},
        repaired=lambda: rank_k_uses_other_views(INDEPENDENT),
        sibling=lambda: rank_k_uses_other_views(_with_fourth()),
        repair_inexact="the best approximation of rank k rests on singular vectors, not rational",
    ),
    Case(
        checks=("algorithm-3.whitening/complex",),
        numbers=lambda: _data(ONE_SAMPLE, TURNING, K),
        told=lambda: real_eigenvalues(of_rewards(TURNING)),
        undo="the last reward is 1 in place of 3",
        undone=lambda: real_eigenvalues(of_rewards(CALM)),
        broken={
            "triples against tasks": lambda: real_eigenvalues(of_rewards(TURNING[:6])),
            "rank of M̂_2": lambda: real_eigenvalues(of_rewards("111111111")),
        },
        repaired=lambda: whitens(of_rewards(TURNING)),
        sibling=lambda: whitens(of_rewards(CALM)),
        repair_inexact="a whitening has eigenvectors for columns, which are not rational",
    ),
    Case(
        checks=("algorithm-3.probabilities/signed",),
        numbers=lambda: _data(ONE_SAMPLE, SIGNED, K),
        told=lambda: least_entry(entries(SIGNED)),
        undo="the eleventh reward is 2 in place of 1",
        undone=lambda: least_entry(entries(UNSIGNED)),
        repaired=lambda: least_entry(entries(SIGNED, project=True)),
        sibling=lambda: least_entry(entries(UNSIGNED, project=True)),
        inexact="Ô and T̂ are limits of the power method from random starts; the least entry is "
        "-0.67, and 10⁻⁹ is allowed for rounding",
    ),
)
