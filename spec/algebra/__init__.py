"""Formulas as data: the one door through which sympy enters.

sympy has no type information, so nothing outside this package sees it. Formula files build `Term`s
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

from ptum.spec.algebra.evaluation import Decided, Evaluated, Scalar, Table, decide, evaluate
from ptum.spec.algebra.terms import (
    PI,
    Array,
    Condition,
    Formula,
    Index,
    Operand,
    Sign,
    Term,
    absolute,
    largest,
    log,
    max_over,
    min_over,
    positive_part,
    rational,
    smallest,
    sqrt,
    sum_over,
    symbol,
)
from ptum.spec.algebra.writing import to_latex, to_unicode, with_numbers

__all__ = [
    "Array",
    "Condition",
    "Decided",
    "Evaluated",
    "Formula",
    "Index",
    "Operand",
    "PI",
    "Scalar",
    "Sign",
    "Table",
    "Term",
    "absolute",
    "decide",
    "evaluate",
    "largest",
    "log",
    "max_over",
    "min_over",
    "positive_part",
    "rational",
    "smallest",
    "sqrt",
    "sum_over",
    "symbol",
    "to_latex",
    "to_unicode",
    "with_numbers",
]
