"""Fractions, pairs of fractions around irrational numbers, vectors and matrices of fractions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, isqrt
from typing import Any

Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]
SCALE, ZERO = 10**30, Fraction(0)


@dataclass(frozen=True)
class Between:
    """A real number of which no more is used than lo ≤ x ≤ hi."""

    lo: Fraction
    hi: Fraction

    def __add__(self, y: Number) -> Between:
        return Between(self.lo + pair(y).lo, self.hi + pair(y).hi)

    def __mul__(self, y: Number) -> Between:
        ends = [a * b for a in (self.lo, self.hi) for b in (pair(y).lo, pair(y).hi)]
        return Between(min(ends), max(ends))

    __radd__, __rmul__ = __add__, __mul__


Number = Fraction | int | Between
PI = Between(Fraction(314159265, 10**8), Fraction(314159266, 10**8))


def pair(x: Number) -> Between:
    return x if isinstance(x, Between) else Between(Fraction(x), Fraction(x))


def over(x: Number, y: Number) -> Number:
    """x/y; of a pair y both ends must be positive."""
    if isinstance(y, Between) and y.lo <= 0:
        raise ValueError("division by a number that may not be positive")
    return x * (Between(1 / y.hi, 1 / y.lo) if isinstance(y, Between) else 1 / Fraction(y))


def largest(numbers: Iterable[Number]) -> Number:
    """The maximum; an exact one stays exact."""
    pairs = [pair(x) for x in numbers]
    lo, hi = max(x.lo for x in pairs), max(x.hi for x in pairs)
    return lo if lo == hi else Between(lo, hi)


def root(x: Number) -> Number:
    """√x, exact where x is the square of a fraction."""
    lo, hi = pair(x).lo, pair(x).hi
    exact = Fraction(isqrt(lo.numerator), isqrt(lo.denominator))
    ends = isqrt(floor(lo * SCALE**2)), isqrt(ceil(hi * SCALE**2)) + 1
    return exact if exact**2 == lo == hi else Between(*(Fraction(end, SCALE) for end in ends))


def log(x: Number) -> Between:
    """log y = n log 2 + 2 artanh((m-1)/(m+1)) for an end y = m 2ⁿ of x > 0, with 1/2 ≤ m ≤ 2."""
    if pair(x).lo <= 0:
        raise ValueError("the logarithm of a number that may not be positive")
    found = []
    for y, outwards in ((pair(x).lo, floor), (pair(x).hi, ceil)):
        n = y.numerator.bit_length() - y.denominator.bit_length()
        m = Fraction(outwards(y / Fraction(2) ** n * 2**200), 2**200)  # an end with fewer digits
        found.append(n * twice_artanh(Fraction(1, 3)) + twice_artanh((m - 1) / (m + 1)))
    lo, hi = floor(found[0].lo * SCALE), ceil(found[1].hi * SCALE)
    return Between(Fraction(lo, SCALE), Fraction(hi, SCALE))


def twice_artanh(z: Fraction) -> Between:
    """2(z + z³/3 + …), |z| ≤ 1/3: 40 terms, and all others are less than 9/8 of the next one."""
    *terms, after = [2 * z ** (2 * j + 1) / (2 * j + 1) for j in range(41)]
    return sum(terms, ZERO) + Between(-abs(after), abs(after)) * Fraction(9, 8)


def dot(x: Vector, y: Vector) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=True) if a and b), ZERO)


def transpose(M: Matrix) -> Matrix:
    return tuple(zip(*M, strict=True))


def plus(x: Any, c: Number, y: Any) -> Any:
    """x + cy of numbers, or of tables of the same shape."""
    if isinstance(x, tuple):
        return tuple(plus(a, c, b) for a, b in zip(x, y, strict=True))
    return x + c * y


def times(x: Any, y: Any) -> Any:
    """The product of numbers, vectors and matrices; that of two vectors is a number."""
    if not isinstance(x, tuple):
        return tuple(times(x, row) for row in y) if isinstance(y, tuple) else x * y
    if isinstance(x[0], tuple) or not isinstance(y, tuple):
        return tuple(times(row, y) for row in x)
    return tuple(dot(x, c) for c in transpose(y)) if isinstance(y[0], tuple) else dot(x, y)


def identity(n: int) -> Matrix:
    return tuple(tuple(Fraction(i == j) for j in range(n)) for i in range(n))


def reduced(M: Matrix) -> tuple[Matrix, list[int]]:
    """Reduced row echelon form without its zero rows, and the pivot columns."""
    rows, pivots = [list(row) for row in M], list[int]()
    for column in range(len(M[0])):
        top = len(pivots)
        chosen = next((i for i in range(top, len(rows)) if rows[i][column]), None)
        if chosen is not None:
            rows[top], rows[chosen] = rows[chosen], rows[top]
            rows[top] = [x / rows[top][column] for x in rows[top]]
            for i, row in enumerate(rows):
                if i != top and (c := row[column]):
                    rows[i] = [x - c * y for x, y in zip(row, rows[top], strict=True)]
            pivots.append(column)
    return tuple(map(tuple, rows[: len(pivots)])), pivots


def solve(M: Matrix, right: Matrix) -> Matrix:
    """X with M X = right, for an invertible M."""
    rows, pivots = reduced(tuple((*row, *y) for row, y in zip(M, right, strict=True)))
    if pivots != list(range(len(M))):
        raise ValueError("a matrix that has to be inverted has no inverse")
    return tuple(row[len(M) :] for row in rows)


def pseudo_inverse(M: Matrix) -> Any:
    """M† = Fᵀ(FFᵀ)⁻¹(CᵀC)⁻¹Cᵀ for M = C F ≠ 0, C its pivot columns and F its echelon form."""
    F, pivots = reduced(M)
    C_t = tuple(transpose(M)[j] for j in pivots)
    inside = solve(times(C_t, transpose(C_t)), C_t)
    return times(transpose(F), solve(times(F, transpose(F)), inside))


def signs(M: Matrix) -> tuple[int, int]:
    """How many eigenvalues of a symmetric M are positive, and how many are 0.

    Coefficients of det(xI - M) by Faddeev and LeVerrier. All roots are real, so that Descartes'
    rule is exact: as many are positive as signs change, as many 0 as there are zeros at the end.
    """
    n, N, coefficients = len(M), identity(len(M)), [Fraction(1)]
    for j in range(1, n + 1):
        N = times(M, N)
        coefficients.append(-sum((N[i][i] for i in range(n)), ZERO) / j)
        N = plus(N, coefficients[-1], identity(n))
    nonzero = [i for i, c in enumerate(coefficients) if c]
    changes = sum(coefficients[i] * coefficients[j] < 0 for i, j in pairwise(nonzero))
    return changes, n - nonzero[-1]


@lru_cache
def singular_value(M: Matrix, j: int) -> Number:
    """The j-th largest singular value, which exceeds s where MᵀM - s² has j positive eigenvalues.

    Bisection; a short fraction between the ends is the value itself where MᵀM - s² is singular.
    """
    gram = min((times(transpose(M), M), times(M, transpose(M))), key=len)
    if len(gram) > 6:
        raise ValueError("a matrix is too large for its singular values")
    unit, lo, hi = identity(len(gram)), ZERO, sum((abs(x) for row in M for x in row), Fraction(1))
    for _ in range(60):
        s = (lo + hi) / 2
        lo, hi = (s, hi) if signs(plus(gram, -s * s, unit))[0] >= j else (lo, s)
    short = ((lo + hi) / 2).limit_denominator(10**6)
    above, equal = signs(plus(gram, -short * short, unit))
    return short if above < j <= above + equal else Between(lo, hi)
