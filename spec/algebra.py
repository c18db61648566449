"""Formulas as data: the one door through which sympy enters.

sympy has no type information, so nothing outside this module sees it. Formula files build `Term`s
with ordinary operators and the functions below; readers get them back as Unicode or LaTeX; tests
get them as numbers at any precision, together with a proved bound on what the same formula may
lose in double precision.

Trees are kept exactly as written: sympy's automatic rewriting is switched off, so `4 * (1 + x)`
is neither expanded nor reordered, neither in print nor when rounding is counted.

Two conventions, used by the whole ledger, make every printed formula a number on its whole domain:
1/0 is +inf (a bound with a zero denominator says nothing), and 0 * inf is 0 (a vanishing gap
carries no information, whatever the variance). Decisions D08 and D23 say why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum, StrEnum
from itertools import groupby
from typing import Any, TypeAlias

import mpmath
import sympy

from spec import notation
from spec.typeset import Box, Latex, Style, Unicode, beside, joined

Scalar: TypeAlias = int | float
Operand: TypeAlias = "Term | int"
Table: TypeAlias = "Scalar | Sequence[Table]"
_Node: TypeAlias = Any  # sympy's and mpmath's objects; the name never leaves this module


class _Over(sympy.Expr):  # type: ignore[misc]  # sympy is untyped
    """max, min or sum of an expression while some indices run over named finite sets."""

    is_commutative = True
    word = "?"


class _MaxOver(_Over):
    word = "max"


class _MinOver(_Over):
    word = "min"


class _SumOver(_Over):
    word = "sum"


class _Among(sympy.Expr):  # type: ignore[misc]  # sympy is untyped
    """max{x, y, ...} or min{x, y, ...} in the order written; sympy's own would reorder them."""

    is_commutative = True
    word = "?"


class _Largest(_Among):
    word = "max"


class _Smallest(_Among):
    word = "min"


class _PositivePart(sympy.Expr):  # type: ignore[misc]  # sympy is untyped
    """[x]_+ = max{x, 0}, kept as one sign because the paper writes it as one."""

    is_commutative = True


class _Connected(sympy.Basic):  # type: ignore[misc]  # sympy is untyped
    """Conditions joined by `or` or by `and`, in the order written."""

    word = "?"


class _AnyOf(_Connected):
    word = "∨"


class _AllOf(_Connected):
    word = "∧"


@dataclass(frozen=True, slots=True)
class Term:
    """A number-valued formula or a piece of one."""

    inner: _Node

    def __add__(self, other: Operand) -> Term:
        return _added(self, other)

    def __radd__(self, other: int) -> Term:
        return _added(other, self)

    def __sub__(self, other: Operand) -> Term:
        return _added(self, _negated(other))

    def __rsub__(self, other: int) -> Term:
        return _added(other, _negated(self))

    def __mul__(self, other: Operand) -> Term:
        return _multiplied(self, other)

    def __rmul__(self, other: int) -> Term:
        return _multiplied(other, self)

    def __truediv__(self, other: Operand) -> Term:
        return _multiplied(self, _inverse(other))

    def __rtruediv__(self, other: int) -> Term:
        return _inverse(self) if other == 1 else _multiplied(other, _inverse(self))

    def __pow__(self, exponent: Operand) -> Term:
        power = _raw(exponent)
        if not isinstance(power, sympy.Rational):
            raise TypeError(f"exponents are rational constants, not {power}")
        return Term(sympy.Pow(self.inner, power, evaluate=False))

    def __neg__(self) -> Term:
        return _negated(self)

    def __le__(self, other: Operand) -> Condition:
        return Condition(sympy.Le(self.inner, _raw(other), evaluate=False))

    def __lt__(self, other: Operand) -> Condition:
        return Condition(sympy.Lt(self.inner, _raw(other), evaluate=False))

    def __ge__(self, other: Operand) -> Condition:
        return Condition(sympy.Ge(self.inner, _raw(other), evaluate=False))

    def __gt__(self, other: Operand) -> Condition:
        return Condition(sympy.Gt(self.inner, _raw(other), evaluate=False))

    def symbols(self) -> frozenset[str]:
        """Names of the free symbols and arrays; bound indices are not free."""
        return _free_names(self.inner)

    def domains(self) -> frozenset[str]:
        """Names of the sets that indices run over."""
        return _domains(self.inner)

    def substitute(self, values: Mapping[str, Term | int]) -> Term:
        """The same formula with named scalars replaced."""
        return Term(_replaced(self.inner, {name: _raw(value) for name, value in values.items()}))

    def equals(self, other: Operand) -> bool:
        """Whether the two are identical for positive arguments, proved by sympy.

        False means that no proof was found. Free symbols and entries of tables stand for positive
        numbers; a max, min or sum over a set equals only one written alike.
        """
        return bool(sympy.simplify(_native(self.inner) - _native(_raw(other))) == 0)


@dataclass(frozen=True, slots=True)
class Condition:
    """A formula that is true or false: a threshold test or membership of a set."""

    inner: _Node

    def __or__(self, other: Condition) -> Condition:
        return Condition(_AnyOf(*_parts(_AnyOf, self), *_parts(_AnyOf, other)))

    def __and__(self, other: Condition) -> Condition:
        return Condition(_AllOf(*_parts(_AllOf, self), *_parts(_AllOf, other)))

    def symbols(self) -> frozenset[str]:
        """Names of the free symbols and arrays."""
        return _free_names(self.inner)

    def domains(self) -> frozenset[str]:
        """Names of the sets that indices run over."""
        return _domains(self.inner)

    def substitute(self, values: Mapping[str, Term | int]) -> Condition:
        """The same condition with named scalars replaced."""
        raw = {name: _raw(value) for name, value in values.items()}
        return Condition(_replaced(self.inner, raw))


@dataclass(frozen=True, slots=True)
class Array:
    """A named table of numbers, indexed like the paper's functions of state and action."""

    name: str

    def __getitem__(self, indices: Index | tuple[Index, ...]) -> Term:
        listed = indices if isinstance(indices, tuple) else (indices,)
        return Term(sympy.IndexedBase(self.name)[tuple(i.inner for i in listed)])


@dataclass(frozen=True, slots=True)
class Index:
    """A variable that runs over a named finite set, such as s over S."""

    name: str
    domain: str

    @property
    def inner(self) -> _Node:
        """sympy's symbol for it."""
        return sympy.Symbol(self.name)


class Sign(StrEnum):
    """How the two sides of a formula relate."""

    EQUALS = "="
    AT_MOST = "≤"
    LESS = "<"
    AT_LEAST = "≥"
    IFF = "⇔"


@dataclass(frozen=True, slots=True)
class Formula:
    """One displayed formula of the ledger: left side in words of the paper, right side as data."""

    left: str
    sign: Sign
    right: Term | Condition

    def symbols(self) -> frozenset[str]:
        """Names of the free symbols and arrays of the right side."""
        return self.right.symbols()

    def domains(self) -> frozenset[str]:
        """Names of the sets over which indices of the right side run."""
        return self.right.domains()


def symbol(name: str) -> Term:
    """A named scalar."""
    return Term(sympy.Symbol(name))


def rational(numerator: int, denominator: int) -> Term:
    """An exact fraction."""
    return Term(sympy.Rational(numerator, denominator))


PI = Term(sympy.pi)


def sqrt(x: Operand) -> Term:
    """Square root."""
    return Term(sympy.Pow(_raw(x), sympy.S.Half, evaluate=False))


def log(x: Operand) -> Term:
    """Natural logarithm."""
    return Term(sympy.log(_raw(x), evaluate=False))


def absolute(x: Operand) -> Term:
    """|x|."""
    return Term(sympy.Abs(_raw(x), evaluate=False))


def positive_part(x: Operand) -> Term:
    """[x]_+, that is max{x, 0}."""
    return Term(_PositivePart(_raw(x)))


def largest(*terms: Operand) -> Term:
    """max{x, y, ...}."""
    return Term(_Largest(*map(_raw, terms)))


def smallest(*terms: Operand) -> Term:
    """min{x, y, ...}."""
    return Term(_Smallest(*map(_raw, terms)))


def max_over(x: Term, *indices: Index) -> Term:
    """max over all values of the indices; over an empty set -inf."""
    return _over(_MaxOver, x, indices)


def min_over(x: Term, *indices: Index) -> Term:
    """min over all values of the indices; over an empty set +inf."""
    return _over(_MinOver, x, indices)


def sum_over(x: Term, *indices: Index) -> Term:
    """Sum over all values of the indices; over an empty set 0."""
    return _over(_SumOver, x, indices)


def to_unicode(formula: Formula) -> str:
    """The formula as text, fractions built up over several lines."""
    lines = _formula_box(formula, Unicode(notation.display_names(), notation.FORMS)).lines
    return "\n".join(line.rstrip() for line in lines)


def to_latex(formula: Formula) -> str:
    """The formula in LaTeX's mathematics mode."""
    names, letters = notation.latex_names(), notation.display_names()
    spellings = {letters[name]: names[name] for name in names}
    (line,) = _formula_box(formula, Latex(names, notation.FORMS, spellings)).lines
    return line


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


# How a formula becomes a tree.


def _raw(x: Operand) -> _Node:
    return x.inner if isinstance(x, Term) else sympy.Integer(x)


def _parts(kind: type[_Node], x: Operand | Condition) -> tuple[_Node, ...]:
    """The operands of a sum, product or connection of this kind; anything else is one operand."""
    node = x.inner if isinstance(x, Condition) else _raw(x)
    return tuple(node.args) if isinstance(node, kind) else (node,)


def _added(x: Operand, y: Operand) -> Term:
    return Term(sympy.Add(*_parts(sympy.Add, x), *_parts(sympy.Add, y), evaluate=False))


def _multiplied(x: Operand, y: Operand) -> Term:
    return Term(sympy.Mul(*_parts(sympy.Mul, x), *_parts(sympy.Mul, y), evaluate=False))


def _negated(x: Operand) -> Term:
    return Term(sympy.Integer(-x)) if isinstance(x, int) else _multiplied(-1, x)


def _inverse(x: Operand) -> Term:
    return Term(sympy.Pow(_raw(x), sympy.Integer(-1), evaluate=False))


def _over(kind: type[_Over], x: Term, indices: tuple[Index, ...]) -> Term:
    bounds = sympy.Tuple(*(sympy.Tuple(i.inner, sympy.Symbol(i.domain)) for i in indices))
    return Term(kind(x.inner, bounds))


def _rebuilt(node: _Node, change: Callable[[_Node], _Node]) -> _Node:
    """The same node over changed operands, with nothing evaluated on the way."""
    if isinstance(node, _Over):
        return node.func(change(node.args[0]), node.args[1])
    children = [change(child) for child in node.args]
    if isinstance(node, _Over | _Among | _PositivePart | _Connected):
        return node.func(*children)
    return node.func(*children, evaluate=False)


def _replaced(node: _Node, values: Mapping[str, _Node]) -> _Node:
    if isinstance(node, sympy.Symbol):
        return values.get(node.name, node)
    if isinstance(node, sympy.Indexed) or not node.args:
        return node
    return _rebuilt(node, lambda child: _replaced(child, values))


def _free_names(node: _Node) -> frozenset[str]:
    if isinstance(node, sympy.Symbol):
        return frozenset({node.name})
    if isinstance(node, sympy.Indexed):
        return frozenset({str(node.base), *map(str, node.indices)})
    if isinstance(node, _Over):
        return _free_names(node.args[0]) - {str(index) for index, _ in node.args[1]}
    return frozenset[str]().union(*map(_free_names, node.args))


def _domains(node: _Node) -> frozenset[str]:
    here = {str(domain) for _, domain in node.args[1]} if isinstance(node, _Over) else set()
    children = node.args[:1] if isinstance(node, _Over) else node.args
    return frozenset[str](here).union(*map(_domains, children))


def _native(node: _Node) -> _Node:
    """The tree in sympy's own functions, evaluated, over positive symbols."""
    if isinstance(node, sympy.Symbol | sympy.Indexed):
        return sympy.Symbol(str(node), positive=True)
    if isinstance(node, _Over):
        return node.func(sympy.simplify(_native(node.args[0])), node.args[1])
    if not node.args:
        return node
    children = [_native(child) for child in node.args]
    if isinstance(node, _PositivePart):
        return sympy.Max(*children, 0)
    kinds = {_Largest: sympy.Max, _Smallest: sympy.Min}
    return kinds.get(type(node), node.func)(*children)


# How a tree becomes a number. Every node returns a range: the value at full precision and two
# ends between which any double-precision evaluation must lie.

_UNIT = mpmath.mpf(2) ** -52  # one unit in the last place, twice the rounding unit
_EXACT_INTEGERS = 2**53
_MARGIN = 4  # how much room `decide` leaves for code that arranges the same formula differently


@dataclass(frozen=True, slots=True)
class _Point:
    values: Mapping[str, Table]
    domains: Mapping[str, Sequence[int]]
    indices: Mapping[str, int]

    def at(self, name: str, position: int) -> _Point:
        return _Point(self.values, self.domains, {**self.indices, name: position})


@dataclass(frozen=True, slots=True)
class _Range:
    value: _Node
    low: _Node
    high: _Node

    @property
    def radius(self) -> _Node:
        if mpmath.isnan(self.value):
            return mpmath.inf
        return max(_distance(self.high, self.value), _distance(self.value, self.low))

    def widened(self, amount: _Node) -> _Range:
        return _Range(self.value, _shifted(self.low, -amount), _shifted(self.high, amount))

    def rounded(self, units: int) -> _Range:
        """After that many operations, each of which may be off by a unit in the last place."""
        low = _shifted(self.low, -units * _UNIT * abs(self.low))
        high = _shifted(self.high, units * _UNIT * abs(self.high))
        return _Range(self.value, low, high)


def _evaluate(node: _Node, point: _Point) -> _Range:
    if isinstance(node, sympy.Symbol):
        return _given(_scalar(point, node.name))
    if isinstance(node, sympy.Indexed):
        return _given(_entry(node, point))
    if isinstance(node, _Over):
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


def _combine(node: _Node, ranges: list[_Range]) -> _Range:
    if isinstance(node, sympy.Add):
        return _sum(ranges)
    if isinstance(node, sympy.Mul):
        return _product(ranges)
    if isinstance(node, _Among):
        return _extreme(ranges, max if isinstance(node, _Largest) else min)
    if isinstance(node, sympy.log):
        return _logarithm(*ranges)
    if isinstance(node, sympy.Abs):
        return _absolute(*ranges)
    if isinstance(node, _PositivePart):
        return _extreme([*ranges, _given(0)], max)
    raise TypeError(f"no rule to evaluate {type(node).__name__}: {node}")


def _exactly(value: _Node) -> _Range:
    return _Range(value, value, value)


def _given(number: Scalar) -> _Range:
    """A number handed in; integers beyond the doubles' reach are already rounded on entry."""
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


def _times(x: _Node, y: _Node) -> _Node:
    return mpmath.mpf(0) if x == 0 or y == 0 else x * y


def _power(base: _Range, exponent: _Node) -> _Range:
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


def _raised(base: _Node, exponent: _Node) -> _Node:
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


def _extreme(ranges: list[_Range], pick: Callable[[Iterable[_Node]], _Node]) -> _Range:
    value = pick([r.value for r in ranges])
    return _Range(value, pick([r.low for r in ranges]), pick([r.high for r in ranges]))


def _evaluate_over(node: _Over, point: _Point) -> _Range:
    ranges = [_evaluate(node.args[0], p) for p in _points(list(node.args[1]), point)]
    if isinstance(node, _SumOver):
        return _sum(ranges)
    largest_wanted = isinstance(node, _MaxOver)
    if not ranges:
        return _exactly(-mpmath.inf if largest_wanted else mpmath.inf)
    return _extreme(ranges, max if largest_wanted else min)


def _distance(high: _Node, low: _Node) -> _Node:
    return mpmath.mpf(0) if high == low else high - low


def _shifted(end: _Node, amount: _Node) -> _Node:
    return end if mpmath.isinf(end) else end + amount


def _points(bounds: list[_Node], point: _Point) -> list[_Point]:
    if not bounds:
        return [point]
    index, domain = bounds[0]
    if str(domain) not in point.domains:
        raise KeyError(f"no values given for the set {domain}")
    here = point.domains[str(domain)]
    return [q for i in here for q in _points(bounds[1:], point.at(str(index), i))]


def _entry(node: _Node, point: _Point) -> float:
    name = str(node.base)
    table: _Node = _named(point.values, name)
    for index in map(str, node.indices):
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
    if not isinstance(number, int | float):
        raise TypeError(f"{name} is used as a number, not as a table")
    return number


def _named(values: Mapping[str, Table], name: str) -> Table:
    if name not in values:
        raise KeyError(f"no value given for {name}; given: {', '.join(sorted(values))}")
    return values[name]


def _decide(node: _Node, point: _Point) -> Decided:
    if isinstance(node, _Connected):
        answers = [_decide(child, point) for child in node.args]
        deciding = isinstance(node, _AnyOf)
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


def _decimal(x: _Node, digits: int) -> Decimal:
    if mpmath.isinf(x):
        return Decimal("Infinity") if x > 0 else Decimal("-Infinity")
    if mpmath.isnan(x):
        return Decimal("NaN")
    if x == float(x):  # what doubles hold exactly stays exact, whatever its length in decimals
        return Decimal(float(x))
    return Decimal(mpmath.nstr(x, digits))


# How a tree becomes text. Every node returns its box and how tightly it holds together.


class _Grip(IntEnum):
    """What must stand in brackets where: a piece needs them next to anything that grips more."""

    CONNECTED = 0
    COMPARED = 1
    SUM = 2
    REACHING = 3  # a max, min or Σ over a set reaches over all that follows it
    PRODUCT = 4
    WHOLE = 5


@dataclass(frozen=True, slots=True)
class _Piece:
    box: Box
    grip: _Grip


def _formula_box(formula: Formula, style: Style) -> Box:
    right = _written(formula.right.inner, style).box
    return beside(style.words(formula.left), style.sign(formula.sign.value), right)


def _written(node: _Node, style: Style) -> _Piece:
    if isinstance(node, sympy.Symbol):
        return _Piece(style.name(node.name), _Grip.WHOLE)
    if isinstance(node, sympy.Indexed):
        return _Piece(style.table(str(node.base), list(map(str, node.indices))), _Grip.WHOLE)
    if node is sympy.pi:
        return _Piece(style.words("π"), _Grip.WHOLE)
    if isinstance(node, sympy.Rational):
        return _written_rational(node, style)
    if isinstance(node, sympy.Add):
        return _written_sum(node, style)
    if isinstance(node, sympy.Mul):
        return _written_product(node, style)
    if isinstance(node, sympy.Pow):
        return _written_power(node, style)
    if isinstance(node, _Over):
        return _written_over(node, style)
    if isinstance(node, _Connected):
        parts = [_held(_written(child, style), _Grip.COMPARED, style) for child in node.args]
        return _Piece(_chained(parts, node.word, style), _Grip.CONNECTED)
    if isinstance(node, sympy.core.relational.Relational):
        sides = [_written(side, style).box for side in node.args]
        return _Piece(_chained(sides, _RELATIONS[type(node)], style), _Grip.COMPARED)
    return _Piece(_written_call(node, style), _Grip.WHOLE)


_RELATIONS: Mapping[_Node, str] = {
    sympy.StrictGreaterThan: ">",
    sympy.GreaterThan: "≥",
    sympy.StrictLessThan: "<",
    sympy.LessThan: "≤",
}


def _held(piece: _Piece, least: _Grip, style: Style) -> Box:
    return piece.box if piece.grip >= least else style.fenced(piece.box, "(", ")")


def _chained(boxes: Sequence[Box], sign: str, style: Style) -> Box:
    (between,) = style.sign(sign).lines
    return joined(boxes, between)


def _written_rational(node: _Node, style: Style) -> _Piece:
    if node.q == 1:
        return _Piece(style.number(str(node.p)), _Grip.WHOLE if node.p >= 0 else _Grip.SUM)
    above, below = style.number(str(abs(node.p))), style.number(str(node.q))
    fraction = _Piece(style.fraction(above, below), _Grip.PRODUCT)
    return fraction if node.p > 0 else _Piece(_minus(fraction, style), _Grip.SUM)


def _minus(piece: _Piece, style: Style) -> Box:
    return beside(style.number("-"), _held(piece, _Grip.PRODUCT, style))


def _written_sum(node: _Node, style: Style) -> _Piece:
    row: list[Box] = []
    for position, term in enumerate(node.args):
        subtracted, size = _without_sign(term)
        piece = _written(size, style)
        last = position == len(node.args) - 1
        least = _Grip.REACHING if last else _Grip.PRODUCT
        box = _held(piece, least, style)
        if position:
            row.append(style.sign("-" if subtracted else "+"))
        elif subtracted:
            row.append(style.number("-"))
        row.append(box)
    return _Piece(beside(*row), _Grip.SUM)


def _without_sign(node: _Node) -> tuple[bool, _Node]:
    if isinstance(node, sympy.Rational) and node < 0:
        return True, -node
    if isinstance(node, sympy.Mul) and node.args[0] == -1:
        rest = node.args[1:]
        return True, rest[0] if len(rest) == 1 else sympy.Mul(*rest, evaluate=False)
    return False, node


def _written_product(node: _Node, style: Style) -> _Piece:
    subtracted, size = _without_sign(node)
    if subtracted:
        return _Piece(_minus(_written(size, style), style), _Grip.SUM)
    above = [factor for factor in node.args if not _divides(factor)]
    below = [_inverted(factor) for factor in node.args if _divides(factor)]
    if below:
        top, bottom = _factors(above, style), _factors(below, style)
        return _Piece(style.fraction(top, bottom), _Grip.PRODUCT)
    reaching = isinstance(above[-1], _Over)
    return _Piece(_factors(above, style), _Grip.REACHING if reaching else _Grip.PRODUCT)


def _factors(nodes: Sequence[_Node], style: Style) -> Box:
    if not nodes:
        return style.number("1")
    if len(nodes) == 1:
        return _written(nodes[0], style).box
    *first, last = [_written(node, style) for node in nodes]
    held = [_held(piece, _Grip.PRODUCT, style) for piece in first]
    return style.product([*held, _held(last, _Grip.REACHING, style)])


def _divides(node: _Node) -> bool:
    return bool(isinstance(node, sympy.Pow) and node.exp.is_negative)


def _inverted(node: _Node) -> _Node:
    return node.base if node.exp == -1 else sympy.Pow(node.base, -node.exp, evaluate=False)


def _written_power(node: _Node, style: Style) -> _Piece:
    if _divides(node):
        below = _written(_inverted(node), style).box
        return _Piece(style.fraction(style.number("1"), below), _Grip.PRODUCT)
    if node.exp == sympy.S.Half:
        return _Piece(style.root(_written(node.base, style).box), _Grip.WHOLE)
    base = _held(_written(node.base, style), _Grip.WHOLE, style)
    return _Piece(style.power(base, str(node.exp)), _Grip.PRODUCT)


def _written_over(node: _Over, style: Style) -> _Piece:
    body = _held(_written(node.args[0], style), _Grip.REACHING, style)
    bounds = [
        ([str(index) for index, _ in group], str(domain))
        for domain, group in groupby(node.args[1], key=lambda bound: bound[1])
    ]
    return _Piece(style.over(node.word, bounds, body), _Grip.REACHING)


def _written_call(node: _Node, style: Style) -> Box:
    boxes = [_written(child, style).box for child in node.args]
    if isinstance(node, _Among):
        return style.among(node.word, boxes)
    if isinstance(node, sympy.log):
        return style.call("log", boxes[0])
    if isinstance(node, sympy.Abs):
        return style.fenced(boxes[0], "|", "|")
    if isinstance(node, _PositivePart):
        return style.positive_part(boxes[0])
    raise TypeError(f"no rule to write {type(node).__name__}: {node}")
