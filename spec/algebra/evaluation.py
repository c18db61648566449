"""How a tree becomes a number.

Every node returns a range: the value at full precision and two ends between which any
double-precision evaluation must lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import TypeAlias

import mpmath
import sympy

from ptum.spec.algebra.nodes import (
    Among,
    AnyOf,
    Connected,
    Largest,
    MaxOver,
    Node,
    Over,
    PositivePart,
    SumOver,
)
from ptum.spec.algebra.terms import Condition, Formula, Term

Scalar: TypeAlias = int | float | Fraction
Table: TypeAlias = "Scalar | Sequence[Table]"

_UNIT = mpmath.mpf(2) ** -52  # one unit in the last place, twice the rounding unit
_EXACT_INTEGERS = 2**53
_MARGIN = 4  # how much room `decide` leaves for code that arranges the same formula differently


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A formula at a point: its value, and how far double precision may be from it.

    `rounding` bounds the error of evaluating the formula once in IEEE doubles with every
    elementary operation correct to one unit in the last place, in any order of the operands of a
    sum or product, as long as nothing overflows or underflows. It comes from intervals computed
    along with the value; it is a bound, not a guess, and infinite where rounding decides whether
    a denominator vanishes.
    """

    value: Decimal
    rounding: Decimal


@dataclass(frozen=True, slots=True)
class Decided:
    """A condition at a point; `clear` is False when rounding alone could turn the answer."""

    holds: bool
    clear: bool


def evaluate(
    formula: Formula,
    values: Mapping[str, Table],
    domains: Mapping[str, Sequence[int]] | None = None,
    *,
    digits: int = 50,
) -> Evaluated:
    """The right side of a formula as a number, with its double-precision error bound."""
    if isinstance(formula.right, Condition):
        raise TypeError(f"{formula.left} is a condition: use `decide`")
    with mpmath.workdps(digits):
        found = _evaluate(formula.right.inner, _Point(values, domains or {}, {}))
        return Evaluated(_decimal(found.value, digits), _decimal(found.radius, digits))


def decide(
    formula: Formula,
    values: Mapping[str, Table],
    domains: Mapping[str, Sequence[int]] | None = None,
    *,
    digits: int = 50,
) -> Decided:
    """The right side of a formula as true or false."""
    if isinstance(formula.right, Term):
        raise TypeError(f"{formula.left} is a number: use `evaluate`")
    with mpmath.workdps(digits):
        return _decide(formula.right.inner, _Point(values, domains or {}, {}))


@dataclass(frozen=True, slots=True)
class _Point:
    values: Mapping[str, Table]
    domains: Mapping[str, Sequence[int]]
    indices: Mapping[str, int]

    def at(self, name: str, position: int) -> _Point:
        return _Point(self.values, self.domains, {**self.indices, name: position})


@dataclass(frozen=True, slots=True)
class _Range:
    value: Node
    low: Node
    high: Node

    @property
    def radius(self) -> Node:
        if mpmath.isnan(self.value):
            return mpmath.inf
        return max(_distance(self.high, self.value), _distance(self.value, self.low))

    def widened(self, amount: Node) -> _Range:
        return _Range(self.value, _shifted(self.low, -amount), _shifted(self.high, amount))

    def rounded(self, units: int) -> _Range:
        """After that many operations, each with an error of at most a unit in the last place."""
        low = _shifted(self.low, -units * _UNIT * abs(self.low))
        high = _shifted(self.high, units * _UNIT * abs(self.high))
        return _Range(self.value, low, high)


def _evaluate(node: Node, point: _Point) -> _Range:
    if isinstance(node, sympy.Symbol):
        return _given(_scalar(point, node.name))
    if isinstance(node, sympy.Indexed):
        return _given(_entry(node, point))
    if isinstance(node, Over):
        return _evaluate_over(node, point)
    if isinstance(node, sympy.Integer):
        return _given(int(node))
    if isinstance(node, sympy.Rational):
        return _exactly(mpmath.mpf(node.p) / node.q).rounded(1)
    if node is sympy.pi:
        return _exactly(+mpmath.pi).rounded(1)
    if isinstance(node, sympy.Pow):
        return _power(_evaluate(node.base, point), mpmath.mpf(node.exp.p) / node.exp.q)
    return _combine(node, [_evaluate(child, point) for child in node.args])


def _combine(node: Node, ranges: list[_Range]) -> _Range:
    if isinstance(node, sympy.Add):
        return _sum(ranges)
    if isinstance(node, sympy.Mul):
        return _product(ranges)
    if isinstance(node, Among):
        return _extreme(ranges, max if isinstance(node, Largest) else min)
    if isinstance(node, sympy.log):
        return _logarithm(*ranges)
    if isinstance(node, sympy.Abs):
        return _absolute(*ranges)
    if isinstance(node, PositivePart):
        return _extreme([*ranges, _given(0)], max)
    raise TypeError(f"no rule to evaluate {type(node).__name__}: {node}")


def _exactly(value: Node) -> _Range:
    return _Range(value, value, value)


def _given(number: Scalar) -> _Range:
    """A number handed in; what may be no double, a fraction or a long integer, is rounded."""
    if isinstance(number, Fraction):
        return _exactly(mpmath.mpf(number.numerator) / number.denominator).rounded(1)
    exact = _exactly(mpmath.mpf(number))
    return exact.rounded(1) if isinstance(number, int) and abs(number) > _EXACT_INTEGERS else exact


def _sum(ranges: list[_Range]) -> _Range:
    value = mpmath.fsum(r.value for r in ranges)
    size = mpmath.fsum(max(abs(r.low), abs(r.high)) for r in ranges)
    low, high = mpmath.fsum(r.low for r in ranges), mpmath.fsum(r.high for r in ranges)
    if mpmath.isnan(value) or mpmath.isnan(low) or mpmath.isnan(high):
        return _Range(value, -mpmath.inf, mpmath.inf)
    if mpmath.isinf(value):
        return _Range(value, low, high)
    return _Range(value, low, high).widened(max(len(ranges) - 1, 0) * _UNIT * size)


def _product(ranges: list[_Range]) -> _Range:
    product, *others = ranges
    for other in others:
        corners = [
            _times(x, y) for x in (product.low, product.high) for y in (other.low, other.high)
        ]
        product = _Range(_times(product.value, other.value), min(corners), max(corners))
    return product.rounded(len(others))


def _times(x: Node, y: Node) -> Node:
    return mpmath.mpf(0) if x == 0 or y == 0 else x * y


def _power(base: _Range, exponent: Node) -> _Range:
    if not mpmath.isint(exponent):
        base = _without_negatives(base)
    ends = [_raised(base.low, exponent), _raised(base.high, exponent)]
    value = _raised(base.value, exponent)
    if base.low < 0 < base.high:
        odd = mpmath.isint(exponent) and int(exponent) % 2 == 1
        ends += [-mpmath.inf, mpmath.inf] if exponent < 0 and odd else [_raised(0, exponent)]
    if base.low < 0 == base.high and exponent < 0 and int(exponent) % 2 == 1:
        ends.append(-mpmath.inf)
    units = int(mpmath.ceil(abs(exponent))) + 1
    return _Range(value, min(ends), max(ends)).rounded(0 if exponent == 1 else units)


def _raised(base: Node, exponent: Node) -> Node:
    if base == 0:
        return mpmath.inf if exponent < 0 else mpmath.mpf(0)
    if mpmath.isinf(base) and exponent < 0:
        return mpmath.mpf(0)
    return mpmath.power(base, exponent)


def _without_negatives(base: _Range) -> _Range:
    """A radicand: rounding may carry it below zero, the formula itself may not."""
    if base.high < 0:
        raise ValueError(f"square root of a negative number, {mpmath.nstr(base.value, 6)}")
    zero = mpmath.mpf(0)
    return _Range(max(base.value, zero), max(base.low, zero), base.high)


def _logarithm(inner: _Range) -> _Range:
    if inner.value < 0:
        raise ValueError(f"logarithm of a negative number, {mpmath.nstr(inner.value, 6)}")
    low, value, high = (
        mpmath.log(x) if x > 0 else -mpmath.inf for x in (inner.low, inner.value, inner.high)
    )
    return _Range(value, low, high).rounded(1)


def _absolute(inner: _Range) -> _Range:
    ends = [abs(inner.low), abs(inner.high)]
    if inner.low < 0 < inner.high:
        ends.append(mpmath.mpf(0))
    return _Range(abs(inner.value), min(ends), max(ends))


def _extreme(ranges: list[_Range], pick: Callable[[Iterable[Node]], Node]) -> _Range:
    value = pick([r.value for r in ranges])
    return _Range(value, pick([r.low for r in ranges]), pick([r.high for r in ranges]))


def _evaluate_over(node: Over, point: _Point) -> _Range:
    ranges = [_evaluate(node.args[0], p) for p in _points(list(node.args[1]), point)]
    if isinstance(node, SumOver):
        return _sum(ranges)
    largest_wanted = isinstance(node, MaxOver)
    if not ranges:
        return _exactly(-mpmath.inf if largest_wanted else mpmath.inf)
    return _extreme(ranges, max if largest_wanted else min)


def _distance(high: Node, low: Node) -> Node:
    return mpmath.mpf(0) if high == low else high - low


def _shifted(end: Node, amount: Node) -> Node:
    return end if mpmath.isinf(end) else end + amount


def _points(bounds: list[Node], point: _Point) -> list[_Point]:
    if not bounds:
        return [point]
    index, domain = bounds[0]
    if _name(domain) not in point.domains:
        raise KeyError(f"no values given for the set {domain}")
    here = point.domains[_name(domain)]
    return [q for i in here for q in _points(bounds[1:], point.at(_name(index), i))]


@cache
def _name(symbol: Node) -> str:
    """Kept, because sympy rewrites a symbol each time, and a formula asks thousands of times."""
    return str(symbol)


def _entry(node: Node, point: _Point) -> float:
    name = _name(node.base)
    table: Node = _named(point.values, name)
    for index in map(_name, node.indices):
        position = point.indices[index] if index in point.indices else _index(point, index)
        try:
            table = table[position]
        except (TypeError, IndexError) as error:
            raise type(error)(f"{name} has no entry at {index} = {position} of {node}") from error
    if isinstance(table, Sequence):
        raise TypeError(f"{name} has more dimensions than {node}")
    return float(table)


def _index(point: _Point, name: str) -> int:
    """A free index, such as the s of a bound that is stated for one state."""
    position = _named(point.values, name)
    if not isinstance(position, int):
        raise TypeError(f"{name} is used as an index and must be an int, not {position!r}")
    return position


def _scalar(point: _Point, name: str) -> Scalar:
    number = _named(point.values, name)
    if not isinstance(number, int | float | Fraction):
        raise TypeError(f"{name} is used as a number, not as a table")
    return number


def _named(values: Mapping[str, Table], name: str) -> Table:
    if name not in values:
        raise KeyError(f"no value given for {name}; given: {', '.join(sorted(values))}")
    return values[name]


def _decide(node: Node, point: _Point) -> Decided:
    if isinstance(node, Connected):
        answers = [_decide(child, point) for child in node.args]
        deciding = isinstance(node, AnyOf)
        holds = any(a.holds for a in answers) if deciding else all(a.holds for a in answers)
        settled = any(a.clear and a.holds is deciding for a in answers)
        return Decided(holds, settled or all(a.clear for a in answers))
    left, right = (_evaluate(side, point) for side in node.args)
    if mpmath.isnan(left.value) or mpmath.isnan(right.value):
        return Decided(holds=False, clear=False)
    if isinstance(node, sympy.StrictLessThan | sympy.LessThan):
        left, right = right, left
    strict = isinstance(node, sympy.StrictLessThan | sympy.StrictGreaterThan)
    return _exceeds(left, right, strict=strict)


def _exceeds(left: _Range, right: _Range, *, strict: bool) -> Decided:
    holds = bool(left.value > right.value or (left.value == right.value and not strict))
    blur = left.radius + right.radius
    exact = blur == 0
    apart = abs(_distance(left.value, right.value)) > _MARGIN * blur
    return Decided(holds, bool(exact or apart))


def _decimal(x: Node, digits: int) -> Decimal:
    if mpmath.isinf(x):
        return Decimal("Infinity") if x > 0 else Decimal("-Infinity")
    if mpmath.isnan(x):
        return Decimal("NaN")
    if x == float(x):  # what doubles hold exactly stays exact, whatever its length in decimals
        return Decimal(float(x))
    return Decimal(mpmath.nstr(x, digits))
