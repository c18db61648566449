"""Algorithm 3 on a handful of observations (errata E42, E43).

One pair, three rewards; an observation is the frequency of each reward and a 1 for the sure next
state. With one sample per task a sequence of rewards such as "331212" is the whole data. Moments
are rational, ranks and signs of eigenvalues follow from them, and with no more triples than tasks
so do the estimates.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import TypeAlias

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ONE, ZERO, Matrix, Vector
from ptum.checks.exact.mdp import inner
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared.triples import mean
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import Floats

K = 3
ThreeViews: TypeAlias = tuple[Matrix, Matrix, Matrix]
TURNING = "331212123233"
"""Four triples whose M̂_2 has two complex eigenvalues."""
HALF = Fraction(1, 2)
INDEPENDENT: ThreeViews = (
    ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE)),
    ((HALF, HALF, ZERO), (ZERO, HALF, HALF), (ONE, ZERO, ZERO)),
    ((ZERO, HALF, HALF), (HALF, ZERO, HALF), (ZERO, ONE, ZERO)),
)
"""Reward frequencies of three triples, view by view, with independent rows in every view."""
PLAIN: ThreeViews = (INDEPENDENT[0], INDEPENDENT[0], INDEPENDENT[2])
"""The same with the first view in place of the second."""
FOURTH: tuple[Vector, Vector, Vector] = ((ONE, ZERO, ZERO),) * 3
"""One triple more: four observations of length 4 in a space of dimension 3."""


def of_rewards(rewards: str) -> ThreeViews:
    """The three views of all triples when each task is sampled once."""
    rows = [tuple(Fraction(int(r == u)) for u in "123") for r in rewards]
    return tuple(rows[0::3]), tuple(rows[1::3]), tuple(rows[2::3])


def observations(views: ThreeViews) -> Floats:
    """The same data in doubles, in the order of the tasks."""
    rows = [(*row, ONE) for triple in zip(*views, strict=True) for row in triple]
    return exact.as_floats(tuple(rows))


def second_moment(views: ThreeViews) -> Matrix:
    """M̂_2 of lines 2-4 with the pseudo-inverses as printed: Σ̂_32 Σ̂_12† Σ̂_13."""
    o_1, o_2, o_3 = _observed(views)
    return exact.times(mean(o_3, o_2), exact.pseudo_inverse(mean(o_1, o_2)), mean(o_1, o_3))


def real_eigenvalues(views: ThreeViews) -> Evaluation:
    """The three leading eigenvalues of M̂_2 are real.

    M̂_2 is 4×4 of rank 3: its other eigenvalues are the roots of x³ - ax² + bx - c with a, b, c the
    sums of its principal minors, and they are all real if and only if the discriminant is ≥ 0.
    """
    M = second_moment(views)
    a, b, c = (_principal_minors(M, size) for size in (1, 2, 3))
    discriminant = 18 * a * b * c - 4 * a**3 * c + a**2 * b**2 - 4 * b**3 - 27 * c**2
    return Evaluation(
        premises=(
            Statement("triples against tasks", len(views[0]), "≥", K),
            Statement("rank of M̂_2", exact.rank(M), "=", K),
        ),
        conclusion=Statement("discriminant of the leading eigenvalues", discriminant, "≥", 0),
    )


def symmetric_part(M: Matrix) -> Matrix:
    """(M + Mᵀ)/2."""
    return exact.scaled(HALF, exact.plus(M, exact.transpose(M)))


def symmetric_part_whitens(views: ThreeViews) -> Evaluation:
    """Repaired: where K eigenvalues of the symmetric part are positive, it whitens; else no claim.

    An elimination without roots leaves the signs of the eigenvalues (Sylvester). The conclusion
    counts directions v, orthogonal in the symmetric part, with vᵀM̂_2v > 0: each of them divided by
    the root of that number is a column of a whitening matrix.
    """
    M = second_moment(views)
    symmetric = symmetric_part(M)
    values = [inner(v, exact.applied(M, v)) for v in _orthogonal(symmetric)]
    return Evaluation(
        premises=(
            Statement("triples against tasks", len(views[0]), "≥", K),
            Statement("positive eigenvalues", exact.signs(symmetric)[0], "≥", K),
        ),
        conclusion=Statement("directions that whiten", sum(x > 0 for x in values), "≥", K),
    )


def _orthogonal(M: Matrix) -> list[Vector]:
    """Unit vectors made orthogonal in a symmetric M one after the other, but for isotropic ones."""
    found: list[tuple[Vector, Fraction]] = []
    for unit in exact.identity(len(M)):
        v = unit
        for w, length in found:
            share = inner(unit, exact.applied(M, w)) / length
            v = tuple(x - share * y for x, y in zip(v, w, strict=True))
        length = inner(v, exact.applied(M, v))
        if length:
            found.append((v, length))
    return [v for v, _ in found]


def estimates(views: ThreeViews) -> tuple[Matrix, Matrix]:
    """Ô and T̂ of as many triples as tasks: μ̂_{3,j} is o_3 of triple j, and lines 9-10 follow.

    For then M̂_2 and M̂_3 are the means of o_3 ⊗ o_3 and of o_3 ⊗ o_3 ⊗ o_3, and independent o_3
    are the only components of the two, up to their order.
    """
    o_1, o_2, o_3 = _observed(views)
    mu_3 = exact.transpose(o_3)
    O = exact.times(mean(o_2, o_1), exact.pseudo_inverse(mean(o_3, o_1)), mu_3)
    return O, exact.times(exact.pseudo_inverse(O), mu_3)


def least_entry(views: ThreeViews, *, project: bool = False) -> Evaluation:
    """Columns that are read as probabilities have no negative entry.

    Repaired, every distribution is projected on the simplex.
    """
    O, T = estimates(views)
    columns = [*exact.transpose(O[:K]), *exact.transpose(O[K:]), *exact.transpose(T)]
    laws = [exact.projected(column) for column in columns] if project else columns
    o_1, o_2, o_3 = _observed(views)
    moved = (_transformed(o_1, o_2, o_3), _transformed(o_2, o_1, o_3))
    apart = max(exact.largest(exact.minus(view, o_3)) for view in moved)
    return Evaluation(
        premises=(
            Statement("triples against tasks", len(o_3), "≥", K),
            Statement("largest difference of transformed and third views", apart, "=", 0),
            Statement("rank of the third views", exact.rank(o_3), "=", K),
        ),
        conclusion=Statement("least entry of Ô and T̂", min(map(min, laws)), "≥", 0),
    )


def _observed(views: ThreeViews) -> tuple[Matrix, Matrix, Matrix]:
    """Observations of the three views, one in each row."""
    first, second, third = (tuple((*row, ONE) for row in view) for view in views)
    return first, second, third


def _transformed(view: Matrix, other: Matrix, third: Matrix) -> Matrix:
    """Line 3: õ = Σ̂_3b Σ̂_ab† o_a, row by row."""
    inverse = exact.pseudo_inverse(mean(view, other))
    return exact.times(view, exact.transpose(exact.times(mean(third, other), inverse)))


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


CALM = "331212123231"
"""`TURNING` with its last reward changed."""


def _with_fourth() -> ThreeViews:
    first, second, third = ((*view, row) for view, row in zip(INDEPENDENT, FOURTH, strict=True))
    return first, second, third


def _first_triples(views: ThreeViews, count: int) -> ThreeViews:
    return views[0][:count], views[1][:count], views[2][:count]


def _data(data: object, name: str) -> Numbers:
    return (
        ("S, A, U", (1, 1, 3)),
        ("tasks k", K),
        (name, data),
        ("o", "the frequencies of the three rewards, and a 1 for the sure next state"),
    )


ONE_SAMPLE = "rewards of the tasks, one sample each, in their order"
TRIPLES = "frequencies of the triples, view by view"

declare(
    check="algorithm-3.whitening/complex",
    says="Twelve rewards give an M̂_2 with real eigenvalues",
    instance=TURNING,
    evaluate=lambda rewards: real_eigenvalues(of_rewards(rewards)),
    numbers=partial(_data, name=ONE_SAMPLE),
    fix="the last reward is 1 in place of 3",
    fixed=CALM,
    broken={"triples against tasks": TURNING[:6], "rank of M̂_2": "111111111"},
    repaired=lambda rewards: symmetric_part_whitens(of_rewards(rewards)),
    in_scope=CALM,
)
declare(
    check="algorithm-3.probabilities/signed",
    says="Three triples of observations give Ô and T̂ without negative entries",
    instance=INDEPENDENT,
    evaluate=least_entry,
    numbers=partial(_data, name=TRIPLES),
    fix="the second view is the same as the first",
    fixed=PLAIN,
    broken={
        "triples against tasks": _first_triples(INDEPENDENT, 2),
        "largest difference of transformed and third views": _with_fourth(),
        "rank of the third views": (*INDEPENDENT[:2], (FOURTH[2],) * 3),
    },
    repaired=partial(least_entry, project=True),
    in_scope=PLAIN,
)
