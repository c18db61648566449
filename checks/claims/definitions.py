"""Definitions: the formula of the ledger and the function of the reference are the same.

One check for every part that names a check `<part>/formula` (`<part>/formula-repaired` for its
repair): its formulas, evaluated at fifty digits, against the literal functions on drawn inputs.

On an input where the formula is zero, infinite or hidden by rounding any function agrees. So every
formula needs an input that would have shown a wrong answer; without one the check is inconclusive.

Where the formula is a bound that an assumption asks for, an input may also say how much of it was
used by what the reference takes for admissible; more than all of it is a disagreement.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

from ptum.checks.claims.agreement import agreements
from ptum.checks.claims.agreement.compare import compared
from ptum.checks.claims.agreement.shape import Agreement, AgreementCase
from ptum.checks.exact.numbers import is_above, max_of
from ptum.checks.verdicts.check import CheckFunction, Context, check
from ptum.checks.verdicts.hypothesis_driver import draw_each
from ptum.checks.verdicts.outcome import Outcome, with_ratios
from ptum.checks.verdicts.statistics import all_of
from ptum.spec import ledger
from ptum.spec.records import Part
from ptum.spec.vocabulary import CheckKind, Verdict

PRINTED, REPAIRED = "/formula", "/formula-repaired"
ROUNDS = 4
"""How often inputs are redrawn where none of them says anything."""


@dataclass
class Tally:
    """Inputs looked at, whether one of them was sharp, and the last disagreement.

    `tolerance` is the largest share of its value by which a function could be off on a sharp input;
    `shares` are observed/allowed of the bounds that were kept.
    """

    inputs: int = 0
    sharp: bool = False
    tolerance: float = 0.0
    wrong: str | None = None
    shares: list[float] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict:
        """No disagreement counts only where it could have been seen."""
        if self.wrong is not None:
            return Verdict.VIOLATED
        return Verdict.HOLDS if self.sharp else Verdict.INCONCLUSIVE


class _DisagreementError(Exception):
    """Tells Hypothesis that the input at hand is worth shrinking."""


def compare(context: Context, agreement: Agreement, examples: int) -> Tally:
    """Formula and function on drawn inputs; a disagreement is shrunk."""
    found = Tally()

    def look(case: AgreementCase) -> None:
        here = compared(agreement, case)
        found.sharp = found.sharp or here.sharp
        found.tolerance = max_of((found.tolerance, here.tolerance))
        found.wrong = here.wrong or beyond(agreement, case)
        if found.wrong is not None:
            raise _DisagreementError
        if case.share:
            found.shares.append(case.share)

    with contextlib.suppress(_DisagreementError):
        for number in range(ROUNDS):
            found.inputs += examples
            draw_each(context.seed + number, agreement.draw, look, examples)
            if found.sharp:
                break
    return found


def beyond(agreement: Agreement, case: AgreementCase) -> str | None:
    """What is wrong with an input that the reference takes although it exceeds its bound."""
    if case.share is None or not is_above(case.share, 1):
        return None
    return f"{agreement.reference} takes {case.share:.6g} times what {agreement.formula} allows."


def comparing(formulas: tuple[str, ...]) -> CheckFunction:
    """The run of a check that compares formulas with their reference functions."""

    def run(context: Context) -> Outcome:
        examples = context.count(10, 250, 2500)
        told = [compare(context, agreements()[name], examples) for name in formulas]
        wrong = tuple(one.wrong for one in told if one.wrong is not None)
        outcome = Outcome(
            verdict=all_of([one.verdict for one in told]),
            instances=len(told),
            trials=sum(one.inputs for one in told),
            violations=len(wrong),
            tolerance=max_of((one.tolerance for one in told), default=0.0),
            explanation=wrong,
        )
        return with_ratios(outcome, [share for one in told for share in one.shares])

    return run


def declare(part: Part) -> None:
    """The checks that a part, or its repair, names for its formulas."""
    says = "Formula and reference function agree to rounding"
    if part.id + PRINTED in part.checks:
        check(part.id + PRINTED, CheckKind.INEQUALITY, says)(comparing(part.formulas))
    if part.repair and part.id + REPAIRED in part.repair.checks:
        check(part.id + REPAIRED, CheckKind.INEQUALITY, says)(comparing(part.repair.formulas))


for _, each in ledger.parts():
    declare(each)
