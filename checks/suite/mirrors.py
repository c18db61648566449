"""Functions of the reference held equal to what the ledger prints, inside the claim's own checks.

A bound that is far from what is observed lets a wrong bound pass. So the first check of a claim
that rests on no trials also holds the formulas of the claim, printed and repaired, equal to the
functions that mirror them, and what has no formula equal to a second computation, on drawn inputs.
Where they differ the check is `errored`, whatever its verdict. Formulas that a check `…/formula`
compares are left to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from ptum.checks.claims import registry
from ptum.checks.claims.agreement import agreements, second_computations
from ptum.checks.claims.agreement.again import differences
from ptum.checks.claims.definitions import PRINTED, REPAIRED, compare
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Outcome
from ptum.spec import ledger
from ptum.spec.records import Claim
from ptum.spec.vocabulary import Verdict


def mirrored(check: Check, context: Context, outcome: Outcome) -> Outcome:
    """The outcome, or `errored` where a function of the claim is not what it mirrors."""
    wrong = tuple(problems(check.id, context))
    if not wrong:
        return outcome
    return Outcome(Verdict.ERRORED, explanation=(*wrong, *outcome.explanation))


def problems(check: str, context: Context) -> Iterator[str]:
    """What differs among the functions that this check holds."""
    claim = of_checks().get(check)
    if claim is None:
        return
    examples = context.count(10, 50, 250)
    for name in formulas()[claim]:
        told = compare(context, agreements()[name], examples)
        if told.wrong is not None:
            yield told.wrong
    for name, second in second_computations().items():
        if second.claim == claim:
            yield from differences(name, second, replace(context, most=None))


@cache
def of_checks() -> Mapping[str, str]:
    """The check of every claim that holds its functions, and the claim."""
    found: dict[str, str] = {}
    for claim in ledger.CLAIMS:
        parts = {part.id for part in claim.parts}
        checks = [one for one in registry().values() if one.part in parts]
        if checks:
            found[min(checks, key=lambda one: one.alpha > 0).id] = claim.id
    return found


@cache
def formulas() -> Mapping[str, tuple[str, ...]]:
    """By claim, the formulas that its check holds: each with the first claim that names it."""
    elsewhere = {name for check in registry().values() for name in _compared(check)}
    found: dict[str, tuple[str, ...]] = {}
    for claim in ledger.CLAIMS:
        own = () if claim.id not in of_checks().values() else _named(claim)
        found[claim.id] = tuple(name for name in own if name not in elsewhere)
        elsewhere |= set(own)
    return found


def _named(claim: Claim) -> tuple[str, ...]:
    repairs = [part.repair for part in claim.parts if part.repair]
    of_repairs = (name for repair in repairs for name in repair.formulas)
    return tuple(dict.fromkeys((*ledger.own_formulas(claim), *of_repairs)))


def _compared(check: Check) -> tuple[str, ...]:
    """The formulas that a check `…/formula` is about."""
    _, part = ledger.part(check.part)
    if check.id == part.id + REPAIRED and part.repair:
        return part.repair.formulas
    return part.formulas if check.id == part.id + PRINTED else ()
