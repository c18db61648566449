"""Definitions: the formula of the ledger and the function of the reference are the same.

One check for every part that names a check `<part>/formula` (`<part>/formula-repaired` for its
repair): its formulas, evaluated at fifty digits, against the literal functions on drawn inputs.
"""

from __future__ import annotations

from collections.abc import Iterator

from checks.agreement import agreements
from checks.agreement.compare import disagreement
from checks.agreement.shape import Agreement, Case
from checks.drawing import draw_each
from checks.outcome import Outcome
from checks.registry import Check, Context, Run
from spec import ledger
from spec.records import Part
from spec.vocabulary import CheckKind, Verdict, Version

PRINTED, REPAIRED = "/formula", "/formula-repaired"


def compare(context: Context, agreement: Agreement, examples: int) -> str | None:
    """The first disagreement on drawn inputs, after shrinking, or None."""
    found: list[str] = []

    def look(case: Case) -> None:
        message = disagreement(agreement, case)
        if message is not None:
            found.append(message)
            raise AssertionError(message)

    try:
        draw_each(context.seed, agreement.draw, look, examples)
    except AssertionError:
        return found[-1]
    return None


def comparing(formulas: tuple[str, ...]) -> Run:
    """The run of a check that compares formulas with their reference functions."""

    def run(context: Context) -> Outcome:
        examples = context.count(10, 250, 2500)
        chosen = [agreements()[name] for name in formulas]
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


def checks_of(part: Part) -> Iterator[Check]:
    """The checks that a part, or its repair, names for its formulas."""
    repair = part.repair
    wanted = (
        (PRINTED, Version.PRINTED, part.formulas, part.checks),
        (REPAIRED, Version.REPAIRED, repair.formulas, repair.checks) if repair else None,
    )
    for suffix, version, formulas, named in filter(None, wanted):
        if part.id + suffix in named:
            yield Check(
                id=part.id + suffix,
                version=version,
                kind=CheckKind.INEQUALITY,
                says="formula and reference function agree to rounding",
                run=comparing(formulas),
            )


CHECKS = tuple(check for _, part in ledger.parts() for check in checks_of(part))
