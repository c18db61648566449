"""The formulas of claims.txt: read with Python's grammar, computed node by node, never run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

from . import arithmetic as ar
from .arithmetic import Number
from .values import optimal, value

SIGNS = str.maketrans(
    {"≤": "<=", "≥": ">=", "=": "==", "·": "*", "†": ".inverse", "ᵀ": ".transpose"}
    | {mark: f"**{n}" for n, mark in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
)
RELATIONS = {ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥", ast.Eq: "="}
Scope = dict[str, Any]
Definitions = Mapping[str, tuple[list[str], ast.expr]]


class Refused(Exception):
    """Why a certificate proves nothing, in one line."""


def holds(left: Number, relation: str, right: Number) -> bool:
    """Whether a relation is true; what the ends of a pair leave open is refused."""
    x, y = (right, left) if relation in ">≥" else (left, right)
    d = ar.pair(ar.plus(y, -1, x))
    yes, no = (d.lo > 0, d.hi <= 0) if relation in "<>" else (d.lo >= 0, d.hi < 0)
    if relation == "=":
        yes, no = d.lo == d.hi == 0, d.lo > 0 or d.hi < 0
    if yes == no:
        raise Refused("a comparison is undecided between the ends of its numbers")
    return yes


def entries(x: Any) -> list[Fraction]:
    """All numbers of a table, whatever its depth."""
    return [y for part in x for y in entries(part)] if isinstance(x, tuple) else [x]


def shape(x: Any) -> tuple[int, ...]:
    return (len(x), *shape(x[0])) if isinstance(x, tuple) else ()


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "log": ar.log,
    "root": ar.root,
    "max": lambda *x: ar.largest(entries(x)),
    "min": lambda *x: min(entries(x)),
    "sum": lambda x: sum(entries(x), ar.ZERO),
    "fractional": lambda x: sum(y.denominator > 1 for y in entries(x)),
    "upto": lambda n: tuple(map(Fraction, range(int(n)))),
    "size": len,
    "shape": shape,
    "rank": lambda M: len(ar.reduced(M)[1]),
    "singular": lambda M, j: ar.singular_value(M, int(j)),
    "policy_value": value,
    "optimal": optimal,
}


class Known(dict[Any, Any]):
    """The fields of an instance; what is defined from them is computed when it is asked for."""

    def __init__(self, fields: Mapping[str, Any], definitions: Definitions) -> None:
        super().__init__(fields, π=ar.PI)
        self.definitions = definitions

    def __missing__(self, key: Any) -> Any:
        """Under a name what it stands for, under (name, arguments) what the function gives."""
        name, arguments = (key, ()) if isinstance(key, str) else key
        parameters, formula = self.definitions[name]
        self[key] = computed(formula, self, dict(zip(parameters, arguments, strict=True)))
        return self[key]


def parsed(text: str) -> ast.expr:
    return ast.parse(text.translate(SIGNS), mode="eval").body


def sides(node: ast.expr, x: Known, inside: Scope) -> tuple[Number, str, Number]:
    """Left side, relation and right side of a statement."""
    match node:
        case ast.Compare(left, [relation], [right]):
            sign = RELATIONS[type(relation)]
            return computed(left, x, inside), sign, computed(right, x, inside)
    raise SyntaxError(ast.dump(node))


def computed(node: ast.expr, x: Known, inside: Scope) -> Any:
    """The number or table that a formula stands for; `inside` has its bound variables."""

    def of(part: ast.expr) -> Any:
        return computed(part, x, inside)

    match node:
        case ast.Constant(int() as number):
            return Fraction(number)
        case ast.Name(name):
            return inside[name] if name in inside else x[name]
        case ast.Attribute(M, postfix):
            return ar.transpose(of(M)) if postfix == "transpose" else ar.pseudo_inverse(of(M))
        case ast.Tuple(parts) | ast.List(parts):
            return tuple(map(of, parts))
        case ast.GeneratorExp(part, loops) | ast.ListComp(part, loops):
            return tuple(computed(part, x, bound) for bound in repeated(loops, x, inside))
        case ast.IfExp(test, yes, no):
            return of(yes) if holds(*sides(test, x, inside)) else of(no)
        case ast.Call(ast.Name(name), parts) if name in FUNCTIONS:
            return FUNCTIONS[name](*map(of, parts))
        case ast.Call(ast.Name(name), parts) if name in x.definitions and x.definitions[name][0]:
            return x[name, tuple(map(of, parts))]
        case ast.Call(table, places):
            return reduce(lambda found, place: found[int(of(place))], places, of(table))
        case ast.BinOp(base, ast.Pow(), ast.Constant(int() as n)):
            return reduce(ar.times, [of(base)] * n)
        case ast.BinOp(left, (ast.Add() | ast.Sub()) as sign, right):
            return ar.plus(of(left), 1 if isinstance(sign, ast.Add) else -1, of(right))
        case ast.BinOp(left, ast.Mult(), right):
            return ar.times(of(left), of(right))
        case ast.BinOp(left, ast.Div(), right):
            return ar.over(of(left), of(right))
    raise SyntaxError(ast.dump(node))


def repeated(loops: list[ast.comprehension], x: Known, inside: Scope) -> Iterator[Scope]:
    """The bound variables in every repetition of `for … in … if …`."""
    if not loops:
        yield inside
    for first in loops[:1]:
        names = [node.id for node in ast.walk(first.target) if isinstance(node, ast.Name)]
        for item in computed(first.iter, x, inside):
            bound = inside | dict(zip(names, item if names[1:] else (item,), strict=True))
            if all(holds(*sides(test, x, bound)) for test in first.ifs):
                yield from repeated(loops[1:], x, bound)
