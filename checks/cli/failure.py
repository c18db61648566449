"""How a verdict that the ledger does not expect explains itself."""

from __future__ import annotations

from ptum.checks.cli.output.explain import HEAD, explanation_lines
from ptum.checks.cli.output.formatting import wrapped
from ptum.checks.cli.show import place_of
from ptum.checks.suite.report import replay_command
from ptum.checks.suite.runner import Row
from ptum.checks.verdicts.check import Check, Profile
from ptum.spec import ledger
from ptum.spec.vocabulary import Version


def failure_lines(row: Row, profile: Profile, seed: int, family: str | None = None) -> list[str]:
    """Claim, place, formulas, the numbers of the instance, and how to see it again.

    The explanation of the outcome has the instance, premises and conclusion with numbers, the
    margin, the largest violation, and the formula with the numbers in it where the check names one.
    """
    claim, part = ledger.part(row.check.part)
    return [
        "",
        unexpected_sentence(row),
        *wrapped(f"{claim.title} ({place_of(claim)}): {part.says}", "  claim      "),
        *_wording(row.check),
        *explanation_lines(
            [line for name in formulas_of(row.check) for line in _written(name)], "  "
        ),
        *explanation_lines(row.outcome.explanation, "  "),
        f"  again      {replay_command(row.check.id, profile, seed, family)}",
    ]


def unexpected_sentence(row: Row) -> str:
    """The first line of a failure, and the only one where there are many."""
    return f"{row.check.id} says {row.outcome.verdict}, which the ledger does not expect."


def formulas_of(check: Check) -> tuple[str, ...]:
    """Dotted names of the formulas that a check is about: of its repair, its part or its claim."""
    if check.version is Version.AS_RUN:  # the ledger writes no formula of what was run
        return ()
    claim, part = ledger.part(check.part)
    repaired = part.repair.formulas if part.repair and check.version is Version.REPAIRED else ()
    return repaired or part.formulas or claim.formulas


def _wording(check: Check) -> list[str]:
    """What is said where a check is not about the printed wording."""
    _, part = ledger.part(check.part)
    if part.repair and check.version is Version.REPAIRED:
        return list(wrapped(part.repair.says, "  repaired   "))
    if part.as_run and check.version is Version.AS_RUN:
        return list(wrapped(part.as_run.says, "  as run     "))
    return []


def _written(dotted: str) -> list[str]:
    from ptum.spec.algebra import to_unicode  # pays for sympy only when something failed

    first, *rest = to_unicode(ledger.formula(dotted)).splitlines()
    return [f"{'says':<{HEAD}}{first}", *(" " * HEAD + line for line in rest)]
