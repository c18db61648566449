"""Claims about roots of rational numbers, decided without ever taking a root."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from hypothesis.strategies import SearchStrategy

from ptum.checks.verdicts.check import Context, Examples
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, Values
from ptum.checks.verdicts.search import Climb, search

T = TypeVar("T")


def in_squares(x: Fraction, y: Fraction, z: Fraction) -> tuple[Fraction, Fraction]:
    """max(x+y-z, 0)² and 4xy, which compare as x + y - z and 2√(xy), so as |√x - √y| and √z."""
    return max(x + y - z, Fraction(0)) ** 2, 4 * x * y


@dataclass(frozen=True)
class RootCase:
    """The claim |√x - √y| ≤ √z about rational x, y, z ≥ 0, decided in squares.

    `formula` and `values` are those of its statement.
    """

    text: str
    premises: tuple[Statement, ...]
    x: Fraction
    y: Fraction
    z: Fraction
    formula: str | None = None
    values: Values = ()

    def evaluation(self) -> Evaluation:
        """Premises, and the conclusion without a root."""
        numbers = f"|√{float(self.x):.6g} - √{float(self.y):.6g}| ≤ √{float(self.z):.6g}"
        left, right = in_squares(self.x, self.y, self.z)
        text = f"{self.text}, {numbers}, as (x+y-z)² ≤ 4xy"
        statement = Statement(
            text, left, "≤", right, self.formula, self.values, measured=self.sides()
        )
        return Evaluation(self.premises, statement)

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
    examples: Examples,
    climb: Climb[T] | None = None,
) -> Outcome:
    """`search` for claims about roots."""
    return search(context, strategy, lambda found: case(found).evaluation(), examples, climb=climb)
