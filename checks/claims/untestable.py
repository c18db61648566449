"""Parts that cannot hold or fail here: imported results, and panels that nothing looks at yet.

They get rows of their own, so that a table of verdicts never leaves a part out in silence.
"""

from __future__ import annotations

from ptum.checks.verdicts.check import Check, Run
from ptum.checks.verdicts.outcome import Outcome
from ptum.spec import ledger
from ptum.spec.records import Part
from ptum.spec.vocabulary import CheckKind, Status, Verdict, Version

IMPORTED, REPRODUCTION = "/imported", "/reproduction"


def _answering(verdict: Verdict, reason: str) -> Run:
    return lambda _: Outcome(verdict, story=(reason,))


def _imported(part: Part) -> Check:
    return Check(
        id=part.id + IMPORTED,
        version=Version.PRINTED,
        kind=CheckKind.NOTHING,
        says="taken from the literature; nothing here can test it",
        run=_answering(Verdict.SKIPPED, part.reason),
    )


def _reproduction(part: Part) -> Check:
    return Check(
        id=part.id + REPRODUCTION,
        version=Version.PRINTED,
        kind=CheckKind.NOTHING,
        says="the experiment behind this panel",
        run=_answering(Verdict.NOT_IMPLEMENTED, part.unchecked or ""),
    )


CHECKS = tuple(
    _reproduction(part) if ledger.waits(claim, part) else _imported(part)
    for claim, part in ledger.parts()
    if ledger.waits(claim, part) or part.status is Status.IMPORTED
)
