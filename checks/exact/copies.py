"""A task in doubles as the rational task that it stands for."""

from __future__ import annotations

from fractions import Fraction

from ptum.checks.exact.mdp import ExactMDP, Vector, inner, variance
from ptum.reference.arrays import Floats
from ptum.reference.tasks.mdp import MDP


def exact_copy(theta: MDP) -> ExactMDP:
    """Every double is a fraction, so nothing is rounded.

    Rows of doubles sum to one up to rounding only; p(s|s,a) is made what the others leave of one,
    which may be a rounding below 0. Rewards keep the sums of their distributions as they are.
    """
    u = _fractions(theta.u)
    laws = [[_fractions(distribution) for distribution in rows] for rows in theta.q]
    return ExactMDP(
        p=tuple(tuple(_closed(_fractions(p), s) for p in rows) for s, rows in enumerate(theta.p)),
        r=tuple(tuple(inner(distribution, u) for distribution in rows) for rows in laws),
        var=tuple(tuple(variance(distribution, u) for distribution in rows) for rows in laws),
        gamma=Fraction(theta.gamma),
    )


def _fractions(numbers: Floats) -> Vector:
    return tuple(map(Fraction, numbers.tolist()))


def _closed(row: Vector, s: int) -> Vector:
    others = sum(row, Fraction(0)) - row[s]
    return (*row[:s], 1 - others, *row[s + 1 :])
