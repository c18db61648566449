"""When a formula of the ledger and the answer of a reference function count as equal.

A number agrees if it is within four times what double precision may lose on the formula: four,
because the function may arrange the same operations differently. Where rounding alone decides
whether a denominator vanishes that loss is unbounded, and nothing is said. Below the least normal
double numbers lose their digits, so that nobody is held to less. A yes or no must be the formula's
own, except where rounding alone could turn it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from decimal import Decimal, localcontext

from ptum.checks.claims.agreement.shape import Agreement, AgreementCase
from ptum.checks.exact.numbers import a_number
from ptum.spec import ledger
from ptum.spec.algebra import Condition, Formula, decide, evaluate

ALLOWED_ROUNDINGS = 4
VISIBLE = Decimal("1e-10")
DIGITS = 50
_LAST_DIGITS = Decimal(10) ** (3 - DIGITS)
"""The formula's value is printed with `DIGITS` digits, a double may have more."""
_LEAST_NORMAL = Decimal(sys.float_info.min)


@dataclass(frozen=True)
class Compared:
    """How formula and function differ on a case, None if they agree, and whether that says much.

    A case is `sharp` if an answer that is off by `VISIBLE` of it, or the opposite answer, would be
    noticed. Zero and infinite values never are: on those two different formulas easily agree. On a
    sharp case `tolerance` is the share of the value that the answer may be off by; an answer that
    is yes or no may not be off at all.
    """

    wrong: str | None
    sharp: bool
    tolerance: float = 0.0


def compared(agreement: Agreement, case: AgreementCase) -> Compared:
    """Formula and function on one case."""
    formula = ledger.formula(agreement.formula)
    if isinstance(formula.right, Condition):
        return _answers(agreement, formula, case)
    return _numbers(agreement, formula, case)


def _answers(agreement: Agreement, formula: Formula, case: AgreementCase) -> Compared:
    if not isinstance(case.computed, bool):
        text = f"{agreement.reference} answered {case.computed!r} to the condition {formula.left}."
        return Compared(text, sharp=True)
    decided = decide(formula, case.values, case.domains, digits=DIGITS)
    if not decided.clear or decided.holds is case.computed:
        return Compared(None, decided.clear)
    text = (
        f"{agreement.formula} ({formula.left}) is {decided.holds}, but {agreement.reference} "
        f"answered {case.computed}, at {_point(case)}."
    )
    return Compared(text, sharp=True)


def _numbers(agreement: Agreement, formula: Formula, case: AgreementCase) -> Compared:
    if isinstance(case.computed, bool):
        text = f"{agreement.reference} answered {case.computed} where {formula.left} is a number."
        return Compared(text, sharp=True)
    found = evaluate(formula, case.values, case.domains, digits=DIGITS)
    for value in (case.computed, found.value, found.rounding):
        a_number(float(value), f"{agreement.formula}, or what {agreement.reference} answers,")
    allowed = ALLOWED_ROUNDINGS * found.rounding + _LEAST_NORMAL
    if _equal(Decimal(case.computed), found.value, allowed):
        sharp = found.value.is_finite() and allowed < abs(found.value) * VISIBLE
        return Compared(None, sharp, float(allowed / abs(found.value)) if sharp else 0.0)
    text = (
        f"{agreement.formula} ({formula.left}) is {found.value:.25g}, but {agreement.reference} "
        f"answered {case.computed!r}, farther away than the allowed {allowed:.3g}, "
        f"at {_point(case)}."
    )
    return Compared(text, sharp=True)


def _equal(computed: Decimal, value: Decimal, allowed: Decimal) -> bool:
    if computed == value or allowed.is_infinite():
        return True
    if computed.is_infinite() or value.is_infinite():
        return False
    with localcontext(prec=2 * DIGITS):
        return abs(computed - value) <= allowed + abs(value) * _LAST_DIGITS


def _point(case: AgreementCase) -> str:
    sets = {name: list(members) for name, members in case.domains.items()}
    return ", ".join(f"{name} = {given}" for name, given in {**case.values, **sets}.items())
