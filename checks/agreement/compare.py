"""When a formula of the ledger and the answer of a reference function count as equal.

A number agrees if it is within four times what double precision may lose on the formula: four,
because the function may arrange the same operations differently. Where rounding alone decides
whether a denominator vanishes that loss is unbounded, and nothing is said. A yes or no must be the
formula's own, except where rounding alone could turn it.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

from checks.agreement.shape import Agreement, Case
from spec import ledger
from spec.algebra import Condition, Formula, decide, evaluate

ALLOWED_ROUNDINGS = 4
DIGITS = 50
_LAST_DIGITS = Decimal(10) ** (3 - DIGITS)
"""The formula's value is printed with `DIGITS` digits, a double may have more."""


def disagreement(agreement: Agreement, case: Case) -> str | None:
    """A sentence that says how formula and function differ on a case, or None if they agree."""
    formula = ledger.formula(agreement.formula)
    if isinstance(formula.right, Condition):
        return _different_answers(agreement, formula, case)
    return _different_numbers(agreement, formula, case)


def is_sharp(agreement: Agreement, case: Case, precision: float = 1e-10) -> bool:
    """Whether an answer that is off by this fraction, or the opposite answer, would be noticed.

    Zero and infinite values never count: on those two different formulas easily agree.
    """
    formula = ledger.formula(agreement.formula)
    if isinstance(formula.right, Condition):
        return decide(formula, case.values, case.domains, digits=DIGITS).clear
    found = evaluate(formula, case.values, case.domains, digits=DIGITS)
    allowed = ALLOWED_ROUNDINGS * found.rounding
    return found.value.is_finite() and allowed < abs(found.value) * Decimal(precision)


def _different_answers(agreement: Agreement, formula: Formula, case: Case) -> str | None:
    if not isinstance(case.computed, bool):
        return f"{agreement.reference} answered {case.computed!r} to the condition {formula.left}."
    decided = decide(formula, case.values, case.domains, digits=DIGITS)
    if not decided.clear or decided.holds is case.computed:
        return None
    return (
        f"{agreement.formula} ({formula.left}) is {decided.holds}, but {agreement.reference} "
        f"answered {case.computed}, at {_point(case)}."
    )


def _different_numbers(agreement: Agreement, formula: Formula, case: Case) -> str | None:
    if isinstance(case.computed, bool):
        return f"{agreement.reference} answered {case.computed} where {formula.left} is a number."
    found = evaluate(formula, case.values, case.domains, digits=DIGITS)
    computed = Decimal(case.computed)
    allowed = ALLOWED_ROUNDINGS * found.rounding
    if _equal(computed, found.value, allowed):
        return None
    return (
        f"{agreement.formula} ({formula.left}) is {found.value:.25g}, but {agreement.reference} "
        f"answered {case.computed!r}, farther away than the allowed {allowed:.3g}, "
        f"at {_point(case)}."
    )


def _equal(computed: Decimal, value: Decimal, allowed: Decimal) -> bool:
    if computed.is_nan() or value.is_nan():
        return False
    if computed == value or allowed.is_infinite():
        return True
    if computed.is_infinite() or value.is_infinite():
        return False
    with localcontext(prec=2 * DIGITS):
        return abs(computed - value) <= allowed + abs(value) * _LAST_DIGITS


def _point(case: Case) -> str:
    sets = {name: list(members) for name, members in case.domains.items()}
    return ", ".join(f"{name} = {given}" for name, given in {**case.values, **sets}.items())
