"""Whether a check tested the formula that it names: the number in use is the formula's own.

A statement that names a formula of the ledger gives numbers for its symbols. The formula is
evaluated there at fifty digits, and what the code used in its place (`Statement.in_use`) must be
that number, up to four times what double precision may lose on the formula: four, because the
code may arrange the same operations differently. A check of which this is not true is `errored`,
whatever its verdict: a `violated` of something else than the printed claim shows nothing.

Only statements on which a verdict rests are looked at (`Outcome.deciding`). What cannot be compared
is listed in `NOT_COMPARED`, with the reason.
"""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from ptum.checks.exact.comparison import Rounded
from ptum.checks.exact.intervals import READABLE
from ptum.checks.exact.numbers import Number
from ptum.checks.suite.not_compared import NOT_COMPARED
from ptum.checks.verdicts.outcome import Outcome, Statement
from ptum.spec import ledger
from ptum.spec.vocabulary import Verdict

ROUNDINGS = 4
DIGITS = 50


def held(check: str, outcome: Outcome) -> Outcome:
    """The outcome, or `errored` where a formula is not what was tested."""
    listed = NOT_COMPARED.get(check, {})
    wrong = [
        problem
        for one in outcome.deciding
        if one.formula is not None and _short_name(one.formula) not in listed
        for problem in problems(one)
    ]
    if not wrong:
        return replace(outcome, deciding=())
    return Outcome(Verdict.ERRORED, explanation=(*wrong, *outcome.explanation))


def problems(statement: Statement) -> tuple[str, ...]:
    """What is wrong with the formula that a statement names, if anything."""
    from ptum.spec.algebra import Condition, decide, evaluate  # pays for sympy only when needed

    assert statement.formula is not None
    formula = ledger.formula(statement.formula)
    values = {name: _given(value) for name, value in statement.values}
    head = f"{statement.text}: {_short_name(statement.formula)}"
    try:
        if isinstance(formula.right, Condition):
            decided = decide(formula, values, digits=DIGITS)
            same = not decided.clear or statement.in_use is decided.holds
            return () if same else (f"{head} is {decided.holds}, in use is {statement.in_use}",)
        found = evaluate(formula, values, digits=DIGITS)
    except (KeyError, TypeError) as fault:
        return (f"{head} cannot be evaluated: {fault.args[0]}",)
    if _equal(statement.in_use, found.value, ROUNDINGS * found.rounding):
        return ()
    return (f"{head} is {found.value:.12g}, in use is {float(statement.in_use):.12g}",)


def _short_name(dotted: str) -> str:
    return dotted.rpartition(":")[2]


def _given(value: Number) -> Number:
    """A number as one that may have been rounded; infinity and what is whole are not."""
    return Fraction(value) if isinstance(value, float) and math.isfinite(value) else value


def _equal(used: Number, value: Decimal, tolerance: Decimal) -> bool:
    if isinstance(used, float) and math.isinf(used):
        return value == Decimal(used) or tolerance.is_infinite()
    if value.is_infinite() or tolerance.is_infinite():
        return tolerance.is_infinite()
    exact = Fraction(used)
    shown = READABLE * abs(exact) if isinstance(used, Rounded) else Fraction(0)
    last = abs(Fraction(value)) / 10 ** (DIGITS - 3)  # the value has no more digits than that
    return bool(abs(exact - Fraction(value)) <= Fraction(tolerance) + last + shown)
