"""Rational vectors and matrices, and roots compared without ever being taken."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from hypothesis.strategies import SearchStrategy

from checks.exact import Table, Vector, inner
from checks.outcome import Outcome, Statement, Values, Walk
from checks.registry import Context
from checks.search import Climb, search

T = TypeVar("T")

FINENESS = 10**12
"""Roots are rounded down to multiples of its inverse."""


class SingularError(ArithmeticError):
    """A matrix that has no inverse."""


# Matrices, as tuples of rows


def matrix(rows: Sequence[Sequence[Fraction | int]]) -> Table:
    """Rows of numbers as a rational matrix."""
    return tuple(tuple(Fraction(x) for x in row) for row in rows)


def transpose(a: Table) -> Table:
    """Rows and columns exchanged."""
    return tuple(zip(*a, strict=True))


def apply(a: Table, v: Vector) -> Vector:
    """a v."""
    return tuple(inner(row, v) for row in a)


def product(a: Table, b: Table) -> Table:
    """a b."""
    columns = transpose(b)
    return tuple(tuple(inner(row, column) for column in columns) for row in a)


def plus(a: Table, b: Table) -> Table:
    """a + b."""
    return tuple(
        tuple(x + y for x, y in zip(row, other, strict=True))
        for row, other in zip(a, b, strict=True)
    )


def scaled(factor: Fraction, a: Table) -> Table:
    """factor · a."""
    return tuple(tuple(factor * x for x in row) for row in a)


def outer(u: Vector, v: Vector) -> Table:
    """u ⊗ v."""
    return tuple(tuple(x * y for y in v) for x in u)


def diagonal(entries: Vector) -> Table:
    """The matrix with these entries on its diagonal."""
    return tuple(
        tuple(x if i == j else Fraction(0) for j in range(len(entries)))
        for i, x in enumerate(entries)
    )


def column(a: Table, j: int) -> Vector:
    """a e_j."""
    return tuple(row[j] for row in a)


def difference(u: Vector, v: Vector) -> Vector:
    """u - v."""
    return tuple(x - y for x, y in zip(u, v, strict=True))


def squared_norm(v: Vector) -> Fraction:
    """‖v‖²."""
    return inner(v, v)


def squared_frobenius(a: Table) -> Fraction:
    """‖a‖_F², which is at least the square of the spectral norm."""
    return sum((squared_norm(row) for row in a), Fraction(0))


def inverse(a: Table) -> Table:
    """a⁻¹ by Gauss-Jordan elimination."""
    size = len(a)
    identity = diagonal((Fraction(1),) * size)
    rows = [list(row) + list(unit) for row, unit in zip(a, identity, strict=True)]
    for place in range(size):
        pivot = next((i for i in range(place, size) if rows[i][place] != 0), None)
        if pivot is None:
            raise SingularError("no pivot left")
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [x / rows[place][place] for x in rows[place]]
        for other in range(size):
            if other != place:
                factor = rows[other][place]
                rows[other] = [
                    x - factor * y for x, y in zip(rows[other], rows[place], strict=True)
                ]
    return tuple(tuple(row[size:]) for row in rows)


def left_inverse(o: Table) -> Table:
    """O^† = (OᵀO)⁻¹Oᵀ of a matrix with independent columns."""
    return product(inverse(product(transpose(o), o)), transpose(o))


# Roots


def root_below(x: Fraction) -> Fraction:
    """The largest multiple of 1/FINENESS whose square is at most x ≥ 0."""
    return Fraction(math.isqrt(x.numerator * FINENESS**2 // x.denominator), FINENESS)


def root_above(x: Fraction) -> Fraction:
    """A multiple of 1/FINENESS whose square is more than x ≥ 0."""
    return root_below(x) + Fraction(1, FINENESS)


@dataclass(frozen=True)
class RootCase:
    """The claim |√x - √y| ≤ √z about rational x, y, z ≥ 0.

    It is the same as x + y - z ≤ 2√(xy), and that as max(x + y - z, 0)² ≤ 4xy. `formula` and
    `values` are those of its statement.
    """

    text: str
    premises: tuple[Statement, ...]
    x: Fraction
    y: Fraction
    z: Fraction
    formula: str | None = None
    values: Values = ()

    def walk(self) -> Walk:
        """Premises, and the conclusion without a root."""
        numbers = f"|√{float(self.x):.6g} - √{float(self.y):.6g}| ≤ √{float(self.z):.6g}"
        left = max(self.x + self.y - self.z, Fraction(0)) ** 2
        right = 4 * self.x * self.y
        text = f"{self.text}, {numbers}, as (x+y-z)² ≤ 4xy"
        statement = Statement(
            text, left, "≤", right, self.formula, self.values, measured=self.sides()
        )
        return Walk(self.premises, statement)

    def sides(self) -> tuple[float, float]:
        """|√x - √y| and √z."""
        return abs(math.sqrt(self.x) - math.sqrt(self.y)), math.sqrt(self.z)

    def ratio(self) -> tuple[float, ...]:
        """Left side over right side, where both are positive."""
        left, right = self.sides()
        return (left / right,) if left > 0 and right > 0 else ()


def search_roots(
    context: Context,
    strategy: SearchStrategy[T],
    case: Callable[[T], RootCase],
    examples: int,
    climb: Climb[T] | None = None,
) -> Outcome:
    """`search` for claims about roots."""
    return search(context, strategy, lambda found: case(found).walk(), examples, climb=climb)
