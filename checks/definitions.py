"""Definitions: the formula of the ledger and the function of the reference are the same.

One check for every part that names a check `<part>/formula`: all formulas of its claim, evaluated
at fifty digits, against the literal functions on drawn inputs.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, Phase, given, seed, settings

from checks.agreement import agreements
from checks.agreement.compare import disagreement
from checks.agreement.shape import Agreement, Case
from checks.outcome import Outcome
from checks.registry import Check, Context
from spec import ledger
from spec.records import Claim, Part
from spec.vocabulary import CheckKind, Verdict, Version

SUFFIX = "/formula"


def compare(context: Context, agreement: Agreement, examples: int) -> str | None:
    """The first disagreement on drawn inputs, after shrinking, or None."""
    found: list[str] = []

    @seed(context.seed)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(agreement.draw)
    def look(case: Case) -> None:
        message = disagreement(agreement, case)
        if message is not None:
            found.append(message)
            raise AssertionError(message)

    try:
        look()
    except AssertionError:
        return found[-1]
    return None


def formulas_of(claim: Claim) -> Callable[[Context], Outcome]:
    """The run of the check that compares all formulas of a claim."""

    def run(context: Context) -> Outcome:
        examples = context.count(25, 250, 2500)
        chosen = [agreements()[name] for name in claim.formulas]
        told = [compare(context, agreement, examples) for agreement in chosen]
        wrong = tuple(message for message in told if message is not None)
        return Outcome(
            verdict=Verdict.VIOLATED if wrong else Verdict.HOLDS,
            instances=len(chosen),
            trials=examples * len(chosen),
            violations=len(wrong),
            story=wrong,
        )

    return run


def _check(claim: Claim, part: Part) -> Check:
    return Check(
        id=part.id + SUFFIX,
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="formula and reference function agree to rounding",
        run=formulas_of(claim),
    )


CHECKS = tuple(
    _check(claim, part) for claim, part in ledger.parts() if part.id + SUFFIX in part.checks
)
