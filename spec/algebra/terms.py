"""Formulas as data: terms, conditions, tables and indices, and how they are built.

Trees are kept exactly as written: sympy's automatic rewriting is switched off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import sympy

from ptum.spec.algebra.nodes import (
    AllOf,
    Among,
    AnyOf,
    Connected,
    Largest,
    MaxOver,
    MinOver,
    Node,
    Over,
    PositivePart,
    Smallest,
    SumOver,
)

Operand: TypeAlias = "Term | int"


@dataclass(frozen=True, slots=True)
class Term:
    """A number-valued formula or a piece of one."""

    inner: Node

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

    inner: Node

    def __or__(self, other: Condition) -> Condition:
        return Condition(AnyOf(*_parts(AnyOf, self), *_parts(AnyOf, other)))

    def __and__(self, other: Condition) -> Condition:
        return Condition(AllOf(*_parts(AllOf, self), *_parts(AllOf, other)))

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
    def inner(self) -> Node:
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
    return Term(PositivePart(_raw(x)))


def largest(*terms: Operand) -> Term:
    """max{x, y, ...}."""
    return Term(Largest(*map(_raw, terms)))


def smallest(*terms: Operand) -> Term:
    """min{x, y, ...}."""
    return Term(Smallest(*map(_raw, terms)))


def max_over(x: Term, *indices: Index) -> Term:
    """max over all values of the indices; over an empty set -inf."""
    return _over(MaxOver, x, indices)


def min_over(x: Term, *indices: Index) -> Term:
    """min over all values of the indices; over an empty set +inf."""
    return _over(MinOver, x, indices)


def sum_over(x: Term, *indices: Index) -> Term:
    """Sum over all values of the indices; over an empty set 0."""
    return _over(SumOver, x, indices)


def _raw(x: Operand) -> Node:
    return x.inner if isinstance(x, Term) else sympy.Integer(x)


def _parts(kind: type[Node], x: Operand | Condition) -> tuple[Node, ...]:
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


def _over(kind: type[Over], x: Term, indices: tuple[Index, ...]) -> Term:
    bounds = sympy.Tuple(*(sympy.Tuple(i.inner, sympy.Symbol(i.domain)) for i in indices))
    return Term(kind(x.inner, bounds))


def _rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """The same node over changed operands, with nothing evaluated on the way."""
    if isinstance(node, Over):
        return node.func(change(node.args[0]), node.args[1])
    children = [change(child) for child in node.args]
    if isinstance(node, Over | Among | PositivePart | Connected):
        return node.func(*children)
    return node.func(*children, evaluate=False)


def _replaced(node: Node, values: Mapping[str, Node]) -> Node:
    if isinstance(node, sympy.Symbol):
        return values.get(node.name, node)
    if isinstance(node, sympy.Indexed) or not node.args:
        return node
    return _rebuilt(node, lambda child: _replaced(child, values))


def _free_names(node: Node) -> frozenset[str]:
    if isinstance(node, sympy.Symbol):
        return frozenset({node.name})
    if isinstance(node, sympy.Indexed):
        return frozenset({str(node.base), *map(str, node.indices)})
    if isinstance(node, Over):
        return _free_names(node.args[0]) - {str(index) for index, _ in node.args[1]}
    return frozenset[str]().union(*map(_free_names, node.args))


def _domains(node: Node) -> frozenset[str]:
    here = {str(domain) for _, domain in node.args[1]} if isinstance(node, Over) else set()
    children = node.args[:1] if isinstance(node, Over) else node.args
    return frozenset[str](here).union(*map(_domains, children))


def _native(node: Node) -> Node:
    """The tree in sympy's own functions, evaluated, over positive symbols."""
    if isinstance(node, sympy.Symbol | sympy.Indexed):
        return sympy.Symbol(str(node), positive=True)
    if isinstance(node, Over):
        return node.func(sympy.simplify(_native(node.args[0])), node.args[1])
    if not node.args:
        return node
    children = [_native(child) for child in node.args]
    if isinstance(node, PositivePart):
        return sympy.Max(*children, 0)
    kinds = {Largest: sympy.Max, Smallest: sympy.Min}
    return kinds.get(type(node), node.func)(*children)
