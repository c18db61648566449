"""Imported results, which nothing here can test.

They get rows of their own, so that a table of verdicts never leaves a part out in silence.
"""

from __future__ import annotations

from ptum.checks.verdicts.check import CheckFunction, check
from ptum.checks.verdicts.outcome import Outcome
from ptum.spec import ledger
from ptum.spec.vocabulary import CheckKind, Status, Verdict


def skipped(reason: str) -> CheckFunction:
    """Nothing is run, for the reason that the ledger gives."""
    return lambda _: Outcome(Verdict.SKIPPED, explanation=(reason,))


SAYS = "Taken from the literature; nothing here can test it"

for _, part in ledger.parts():
    if part.status is Status.IMPORTED:
        check(f"{part.id}/imported", CheckKind.NOTHING, SAYS)(skipped(part.reason))
