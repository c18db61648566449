"""Steps as data: premises and conclusion in Python's notation for arithmetic, with exact numbers.

`0.59` is the fraction 59/100. Formulas have names, numbers, + - * / **, comparisons (chained too),
`and`, `or`, `not`, `min`, `max` and `abs`. What they stand for, fractions or terms of a solver, is
a `Meaning`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, Final

ONE_PER_CENT: Final = Fraction(1)


@dataclass(frozen=True)
class ProofStep:
    """`given` (separated by semicolons) implies `then`, for all real values of the names.

    `c` is the constant of the step. It is moved by `percent`, or the premise `without` is dropped,
    and the step is wrong: a step of which that cannot be said would say nothing. Moved by one per
    cent less it is right, so that a step is sharp where `percent` is 1 or -1.
    """

    name: str
    given: str
    then: str
    c: str | None = None
    percent: str | None = None
    without: str | None = None

    @property
    def constants(self) -> dict[str, Fraction]:
        return {} if self.c is None else {"c": number(self.c)}

    @property
    def premises(self) -> tuple[str, ...]:
        return tuple(premise.strip() for premise in self.given.split(";"))

    @property
    def move(self) -> Fraction | None:
        """How far the constant moves before the step is wrong, in per cent."""
        return None if self.percent is None else Fraction(self.percent)

    def moved(self, percent: Fraction) -> dict[str, Fraction]:
        return {name: value * (1 + percent / 100) for name, value in self.constants.items()}


@dataclass(frozen=True)
class SolverQuery:
    """All of `formulas` at once, with these constants; is there a solution?"""

    formulas: tuple[str, ...]
    constants: Mapping[str, Fraction]


def negated(step: ProofStep) -> SolverQuery:
    """The premises and the opposite of the conclusion: no solution, if the step is right."""
    return SolverQuery((*step.premises, f"not ({step.then})"), step.constants)


def possible(step: ProofStep) -> SolverQuery:
    """The premises alone: a solution, or the step would be empty."""
    return SolverQuery(step.premises, step.constants)


def nearby(step: ProofStep) -> SolverQuery:
    """The step with its constant moved by one per cent less than what makes it wrong."""
    assert step.move is not None
    nearer = step.move - ONE_PER_CENT if step.move > 0 else step.move + ONE_PER_CENT
    return SolverQuery(negated(step).formulas, step.moved(nearer))


def broken(step: ProofStep) -> SolverQuery:
    """The step with its constant moved, or without the premise: a solution shows it wrong."""
    if step.move is not None:
        return SolverQuery(negated(step).formulas, step.moved(step.move))
    kept = tuple(formula for formula in negated(step).formulas if formula != step.without)
    assert len(kept) == len(step.premises), f"{step.name}: {step.without} is no premise of it"
    return SolverQuery(kept, step.constants)


@dataclass(frozen=True)
class Meaning:
    """What numbers, names and the words of the language stand for."""

    number: Callable[[Fraction], Any]
    names: Mapping[str, Any]
    choose: Callable[[Any, Any, Any], Any]
    both: Callable[[Any, Any], Any]
    either: Callable[[Any, Any], Any]
    opposite: Callable[[Any], Any]


ARITHMETIC: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
COMPARISON: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def number(text: str) -> Fraction:
    """`21.9`, `26/3`: arithmetic without names."""
    value = interpreted(text, fractions({}))
    assert isinstance(value, Fraction)
    return value


def fractions(names: Mapping[str, Fraction]) -> Meaning:
    return Meaning(
        number=lambda value: value,
        names=names,
        choose=lambda condition, a, b: a if condition else b,
        both=lambda a, b: a and b,
        either=lambda a, b: a or b,
        opposite=operator.not_,
    )


def solves(solution: Mapping[str, Fraction], query: SolverQuery) -> bool:
    """The formulas of the query at these fractions, by Python's own arithmetic."""
    meaning = fractions({**solution, **query.constants})
    return all(interpreted(formula, meaning) is True for formula in query.formulas)


def unknowns(formulas: Iterable[str]) -> set[str]:
    """The names of all formulas; `c` among them is the constant."""
    trees = [ast.walk(ast.parse(formula, mode="eval")) for formula in formulas]
    words = {"min", "max", "abs"}
    return {node.id for tree in trees for node in tree if isinstance(node, ast.Name)} - words


def interpreted(formula: str, meaning: Meaning) -> Any:
    return _value(ast.parse(formula, mode="eval").body, meaning)


def _value(node: ast.expr, meaning: Meaning) -> Any:
    match node:
        case ast.Constant(value=int() | float() as value):
            return meaning.number(Fraction(repr(value)))  # the decimals as written
        case ast.Name(id=name):
            return meaning.names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, meaning)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return meaning.opposite(_value(operand, meaning))
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)):
            base = _value(left, meaning)
            return reduce(operator.mul, [base] * power)
        case ast.BinOp(left=left, op=op, right=right):
            return ARITHMETIC[type(op)](_value(left, meaning), _value(right, meaning))
        case ast.BoolOp(op=op, values=values):
            join = meaning.both if isinstance(op, ast.And) else meaning.either
            return reduce(join, [_value(value, meaning) for value in values])
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = [_value(side, meaning) for side in (left, *others)]
            links = zip(ops, sides[:-1], sides[1:], strict=True)
            return reduce(meaning.both, [COMPARISON[type(op)](a, b) for op, a, b in links])
        case ast.Call(func=ast.Name(id=name), args=args):
            return _called(name, [_value(arg, meaning) for arg in args], meaning)
    raise ValueError(f"not of this language: {ast.unparse(node)}")


def _called(name: str, values: list[Any], meaning: Meaning) -> Any:
    def larger(a: Any, b: Any) -> Any:
        return meaning.choose(a >= b, a, b)

    def smaller(a: Any, b: Any) -> Any:
        return meaning.choose(a <= b, a, b)

    if name == "abs":
        (value,) = values
        return larger(value, -value)
    return reduce({"max": larger, "min": smaller}[name], values)
