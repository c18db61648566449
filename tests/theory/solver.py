"""The one door to z3: is there a solution, and which, in fractions.

Effort is counted in z3's own units and not in seconds, so that an answer is the same everywhere.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import z3

from tests.theory.language import Meaning, SolverQuery, interpreted, unknowns

EFFORT: Final = 10_000_000
"""z3's `rlimit`, ten times what the hardest step takes; beyond it nothing is known."""


class UndecidedError(Exception):
    """z3 gave up, or its solution cannot be checked: nothing may be concluded."""


def solution(query: SolverQuery) -> dict[str, Fraction] | None:
    """A solution in fractions, or None if there is none at all."""
    own = z3.Context()  # z3 counts effort by context: what was asked before does not matter
    names = sorted(unknowns(query.formulas) - query.constants.keys())
    variables = {name: z3.Real(name, own) for name in names}
    constants = {name: _number(value, own) for name, value in query.constants.items()}
    solver: Any = z3.SolverFor("QF_NRA", own)
    solver.set("rlimit", EFFORT)
    for formula in query.formulas:
        solver.add(interpreted(formula, _terms(variables | constants, own)))
    if not _satisfiable(solver):
        return None
    return _in_fractions(solver.model(), variables)


def _in_fractions(model: Any, variables: dict[str, Any]) -> dict[str, Fraction]:
    """z3's solution; a root cannot be put back in fractions, so it is refused."""
    values = {name: model.eval(var, model_completion=True) for name, var in variables.items()}
    roots = [name for name, value in values.items() if not z3.is_rational_value(value)]
    if roots:
        raise UndecidedError(f"a solution that is no fraction: {', '.join(roots)}")
    return {
        name: Fraction(value.numerator_as_long(), value.denominator_as_long())
        for name, value in values.items()
    }


def _number(value: Fraction, own: Any) -> Any:
    return z3.Q(value.numerator, value.denominator, own)


def _terms(names: dict[str, Any], own: Any) -> Meaning:
    return Meaning(
        number=lambda value: _number(value, own),
        names=names,
        choose=z3.If,
        both=z3.And,
        either=z3.Or,
        opposite=z3.Not,
    )


def _satisfiable(solver: Any) -> bool:
    answer = solver.check()
    if answer == z3.unknown:
        raise UndecidedError(solver.reason_unknown())
    return bool(answer == z3.sat)
