"""Section 4 and Appendices C and D in rational arithmetic: matrices and hidden Markov models.

Written from the definitions, without `reference/`: every moment is a sum over the tasks of a
triple, and a pseudo-inverse comes from a full-rank factorisation, so that ranks and identities are
decided without any tolerance.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, product
from typing import TypeAlias, TypeVar

import numpy as np

from ptum.checks.exact.mass import require_whole
from ptum.checks.exact.mdp import inner
from ptum.reference.arrays import Floats
from ptum.reference.sequential.hmm import HMM

Vector: TypeAlias = tuple[Fraction, ...]
Matrix: TypeAlias = tuple[Vector, ...]
Tensor: TypeAlias = tuple[Matrix, ...]

K = TypeVar("K", bound=Hashable)

ZERO, ONE = Fraction(0), Fraction(1)


class SingularError(ArithmeticError):
    """A matrix that has no inverse."""


# Linear algebra


def matrix(rows: Iterable[Iterable[Fraction | int | str]]) -> Matrix:
    """Rows of numbers as fractions; a text such as "1/3" or "0.2" is read exactly."""
    return tuple(vector(row) for row in rows)


def vector(entries: Iterable[Fraction | int | str]) -> Vector:
    """Numbers as fractions."""
    return tuple(Fraction(entry) for entry in entries)


def identity(n: int) -> Matrix:
    """I."""
    return diagonal((ONE,) * n)


def transpose(M: Matrix) -> Matrix:
    """Mᵀ."""
    return tuple(zip(*M, strict=True))


def times(*factors: Matrix) -> Matrix:
    """The product of two matrices or more."""
    result = factors[0]
    for factor in factors[1:]:
        columns = transpose(factor)
        result = tuple(tuple(inner(row, column) for column in columns) for row in result)
    return result


def applied(M: Matrix, v: Vector) -> Vector:
    """Mv."""
    return tuple(inner(row, v) for row in M)


def plus(M: Matrix, N: Matrix) -> Matrix:
    """M + N."""
    return tuple(tuple(x + y for x, y in zip(a, b, strict=True)) for a, b in zip(M, N, strict=True))


def minus(M: Matrix, N: Matrix) -> Matrix:
    """M - N."""
    return tuple(difference(a, b) for a, b in zip(M, N, strict=True))


def difference(v: Vector, w: Vector) -> Vector:
    """v - w."""
    return tuple(x - y for x, y in zip(v, w, strict=True))


def scaled(factor: Fraction, M: Matrix) -> Matrix:
    """factor · M."""
    return tuple(tuple(factor * x for x in row) for row in M)


def diagonal(entries: Vector) -> Matrix:
    """The matrix with these entries on its diagonal."""
    return tuple(
        tuple(x if i == j else ZERO for j in range(len(entries))) for i, x in enumerate(entries)
    )


def column(M: Matrix, j: int) -> Vector:
    """M e_j."""
    return tuple(row[j] for row in M)


def outer(v: Vector, w: Vector) -> Matrix:
    """v ⊗ w."""
    return tuple(tuple(x * y for y in w) for x in v)


def largest(M: Iterable[Iterable[Fraction]]) -> Fraction:
    """The largest absolute value of an entry."""
    return max(abs(x) for row in M for x in row)


def squared_norm(v: Vector) -> Fraction:
    """‖v‖²."""
    return inner(v, v)


def squared_frobenius(M: Matrix) -> Fraction:
    """‖M‖_F², which is at least the square of the spectral norm."""
    return sum(map(squared_norm, M), ZERO)


def projected(v: Vector) -> Vector:
    """The nearest point of the simplex: max{v - τ, 0} with the τ that makes it sum to one."""
    falling = sorted(v, reverse=True)
    levels = [(total - 1) / n for n, total in enumerate(accumulate(falling), start=1)]
    tau = max(level for level, x in zip(levels, falling, strict=True) if x > level)
    return tuple(max(x - tau, ZERO) for x in v)


def rank(M: Matrix) -> int:
    """Number of independent rows."""
    return len(_reduced(M)[1])


def signs(M: Matrix) -> tuple[int, int]:
    """How many eigenvalues of a symmetric matrix are positive, and how many negative.

    Rows and columns are eliminated together, which keeps both numbers (Sylvester). Where the
    diagonal is zero and an entry is not, the sum of its two rows and columns has a diagonal entry.
    """
    size = range(len(M))
    pivot = next((i for i in size if M[i][i]), None)
    if pivot is None:
        entry = next(((i, j) for i in size for j in size if M[i][j]), None)
        return (0, 0) if entry is None else signs(_rows_and_columns_added(M, *entry))
    d, rest = M[pivot][pivot], [i for i in size if i != pivot]
    smaller = tuple(tuple(M[i][j] - M[i][pivot] * M[pivot][j] / d for j in rest) for i in rest)
    positive, negative = signs(smaller)
    return positive + (d > 0), negative + (d < 0)


def _rows_and_columns_added(M: Matrix, i: int, j: int) -> Matrix:
    """EMEᵀ, where E adds row j to row i."""
    E = [list(row) for row in identity(len(M))]
    E[i][j] = ONE
    step = matrix(E)
    return times(step, M, transpose(step))


def inverse(M: Matrix) -> Matrix:
    """M⁻¹ by elimination."""
    n = len(M)
    both = tuple(row + unit for row, unit in zip(M, identity(n), strict=True))
    reduced, pivots = _reduced(both)
    if pivots[:n] != tuple(range(n)):
        raise SingularError("the matrix is singular")
    return tuple(row[n:] for row in reduced)


def pseudo_inverse(M: Matrix) -> Matrix:
    """M† = Rᵀ(RRᵀ)⁻¹(CᵀC)⁻¹Cᵀ for M = CR, with C the pivot columns and R the reduced rows."""
    reduced, pivots = _reduced(M)
    if not pivots:
        return transpose(M)  # a zero matrix
    C = tuple(tuple(row[j] for j in pivots) for row in M)
    R = reduced[: len(pivots)]
    Ct, Rt = transpose(C), transpose(R)
    return times(Rt, inverse(times(R, Rt)), inverse(times(Ct, C)), Ct)


def _reduced(M: Matrix) -> tuple[Matrix, tuple[int, ...]]:
    """The reduced row echelon form and the columns of its pivots."""
    rows = [list(row) for row in M]
    pivots: list[int] = []
    for column in range(len(rows[0])):
        top = len(pivots)
        found = next((i for i in range(top, len(rows)) if rows[i][column] != 0), None)
        if found is None:
            continue
        rows[top], rows[found] = rows[found], rows[top]
        pivot = rows[top][column]
        rows[top] = [x / pivot for x in rows[top]]
        for i, row in enumerate(rows):
            if i != top and row[column] != 0:
                factor = row[column]
                rows[i] = [x - factor * y for x, y in zip(row, rows[top], strict=True)]
        pivots.append(column)
        if len(pivots) == len(rows):
            break
    return tuple(tuple(row) for row in rows), tuple(pivots)


# Chains and hidden Markov models


@dataclass(frozen=True)
class ExactHMM:
    """Mean observations as columns of O, T[i][j] = P(i after j), distribution of a first view."""

    O: Matrix
    T: Matrix
    first: Vector

    @property
    def k(self) -> int:
        """Number of tasks."""
        return len(self.T)

    @property
    def columns(self) -> Matrix:
        """μ_1, …, μ_k."""
        return transpose(self.O)


def rounded(hmm: ExactHMM) -> HMM:
    """The same model in doubles."""
    return HMM(as_floats(hmm.O), as_floats(hmm.T), np.array(hmm.first, dtype=np.float64))


def as_floats(M: Matrix) -> Floats:
    """A matrix in doubles."""
    return np.array(M, dtype=np.float64)


def stationary(T: Matrix) -> Vector | None:
    """The distribution ω with Tω = ω, or None if there is more than one."""
    n = len(T)
    system = (*minus(T, identity(n)), (ONE,) * n)
    if rank(system) < n:
        return None
    right = (*((ZERO,) for _ in range(n)), (ONE,))
    return transpose(times(pseudo_inverse(system), right))[0]


def least_stationary_weight(T: Matrix) -> Fraction:
    """min ω, and -1 if there is more than one ω."""
    omega = stationary(T)
    return min(omega) if omega is not None else -ONE


def distribution_after(T: Matrix, distribution: Vector, steps: int) -> Vector:
    """T^steps distribution."""
    for _ in range(steps):
        distribution = applied(T, distribution)
    return distribution


def mean_distribution(T: Matrix, distribution: Vector, count: int, gap: int) -> Vector:
    """The average of the distributions after 0, gap, …, (count-1)·gap steps."""
    laws = [distribution]
    for _ in range(count - 1):
        laws.append(distribution_after(T, laws[-1], gap))
    return tuple(sum(entries, ZERO) / count for entries in zip(*laws, strict=True))


@dataclass(frozen=True)
class ExactMoments:
    """What lines 2-4 of Algorithm 3 estimate; `M_3[c]` is the slice of entry c of the third."""

    Sigma_12: Matrix
    Sigma_21: Matrix
    Sigma_31: Matrix
    Sigma_32: Matrix
    M_2: Matrix
    M_3: Tensor


def joint_distribution(hmm: ExactHMM) -> dict[tuple[int, int, int], Fraction]:
    """P(θ*_1 = a, θ*_2 = b, θ*_3 = c) of one triple."""
    T, labels = hmm.T, range(hmm.k)
    triples = product(labels, repeat=3)
    joint = {(a, b, c): hmm.first[a] * T[b][a] * T[c][b] for a, b, c in triples}
    require_whole(joint.values())
    return joint


def second_moment(hmm: ExactHMM, i: int, j: int) -> Matrix:
    """E[o_i ⊗ o_j] for two different views of a triple, counted from 1."""
    joint, weights = joint_distribution(hmm), [[ZERO] * hmm.k for _ in range(hmm.k)]
    for tasks, probability in joint.items():
        weights[tasks[i - 1]][tasks[j - 1]] += probability
    return times(hmm.O, matrix(weights), transpose(hmm.O))


def centred(hmm: ExactHMM, i: int, j: int) -> Matrix:
    """The covariance of two different views."""
    means = [applied(hmm.O, distribution_after(hmm.T, hmm.first, view - 1)) for view in (i, j)]
    return minus(second_moment(hmm, i, j), outer(means[0], means[1]))


@lru_cache(maxsize=64)
def moments(hmm: ExactHMM) -> ExactMoments:
    """Σ_ij, and M_2, M_3 of õ_1 = Σ_32 Σ_12† o_1, õ_2 = Σ_31 Σ_21† o_2 and o_3."""
    Sigma_12, Sigma_31 = second_moment(hmm, 1, 2), second_moment(hmm, 3, 1)
    Sigma_21, Sigma_32 = transpose(Sigma_12), second_moment(hmm, 3, 2)
    views = (
        transpose(times(Sigma_32, pseudo_inverse(Sigma_12), hmm.O)),
        transpose(times(Sigma_31, pseudo_inverse(Sigma_21), hmm.O)),
        hmm.columns,
    )
    return ExactMoments(
        Sigma_12=Sigma_12,
        Sigma_21=Sigma_21,
        Sigma_31=Sigma_31,
        Sigma_32=Sigma_32,
        M_2=_mixed(hmm, views, second=True)[0],
        M_3=_mixed(hmm, views, second=False),
    )


def _mixed(hmm: ExactHMM, views: Sequence[Matrix], *, second: bool) -> Tensor:
    """E of õ_1 ⊗ õ_2 (as one slice) or õ_1 ⊗ õ_2 ⊗ o_3, entry by entry (slices along the last)."""
    d = len(hmm.O)
    slices = []
    for entry in range(1 if second else d):
        total = [[ZERO] * d for _ in range(d)]
        for (a, b, c), probability in joint_distribution(hmm).items():
            weight = probability if second else probability * views[2][c][entry]
            if weight:
                for x, left in enumerate(views[0][a]):
                    for y, right in enumerate(views[1][b]):
                        total[x][y] += weight * left * right
        slices.append(matrix(total))
    return tuple(slices)


def mean_of_third(hmm: ExactHMM, given: int) -> Matrix:
    """Row j: E[o_3 | θ*_given = θ_j], from the joint distribution of the triple."""
    rows = []
    for j in range(hmm.k):
        chosen = {t: p for t, p in joint_distribution(hmm).items() if t[given - 1] == j}
        total = sum(chosen.values(), ZERO)
        distribution = [
            sum((p for t, p in chosen.items() if t[2] == c), ZERO) / total for c in range(hmm.k)
        ]
        rows.append(applied(hmm.O, tuple(distribution)))
    return tuple(rows)


def distribution_of_task(hmm: ExactHMM, view: int) -> Vector:
    """P(θ*_view = θ_j) in a triple."""
    return distribution_after(hmm.T, hmm.first, view - 1)


def sequence_distribution(
    shows: Matrix, T: Matrix, first: Vector, h: int
) -> dict[tuple[int, ...], Fraction]:
    """Probabilities of h observations, by the forward recursion; row j of `shows` is of task j."""
    weights: dict[tuple[int, ...], Vector] = {(): first}
    for step in range(h):
        grown: dict[tuple[int, ...], Vector] = {}
        for seen, weight in weights.items():
            now = weight if step == 0 else applied(T, weight)
            for shown, likely in enumerate(transpose(shows)):
                grown[*seen, shown] = tuple(w * x for w, x in zip(now, likely, strict=True))
        weights = grown
    found = {seen: sum(weight, ZERO) for seen, weight in weights.items()}
    require_whole(found.values())
    return found


def flip_distribution(
    rates: Vector, T: Matrix, first: Vector, h: int
) -> dict[tuple[int, ...], Fraction]:
    """Distribution of h flips, where task j shows 1 with probability rates[j], else 0."""
    return sequence_distribution(tuple((1 - rate, rate) for rate in rates), T, first, h)


def total_variation(p: Mapping[K, Fraction], q: Mapping[K, Fraction]) -> Fraction:
    """Half the sum of all absolute differences of two distributions."""
    return sum((abs(p.get(x, ZERO) - q.get(x, ZERO)) for x in {*p, *q}), ZERO) / 2


def reward_columns(laws: Sequence[Vector]) -> Matrix:
    """O of tasks with one state and one action: the reward's distribution, then the next state."""
    return transpose(tuple((*distribution, ONE) for distribution in laws))


def coin_columns(rates: Sequence[Fraction]) -> Matrix:
    """O of tasks with one pair and rewards 1 and 0, paid with the given chances."""
    return reward_columns([(rate, 1 - rate) for rate in rates])
