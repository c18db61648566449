"""Run checks and hold each verdict against the ledger."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from checks.outcome import Outcome
from checks.registry import Check, Profile
from spec import ledger
from spec.vocabulary import Status, Verdict, Version, expected_verdicts


@dataclass(frozen=True)
class Row:
    """One check that has run, and what the ledger expected of it."""

    check: Check
    outcome: Outcome
    expected: frozenset[Verdict]
    seconds: float

    @property
    def as_expected(self) -> bool:
        """Whether the verdict agrees with the ledger."""
        return self.outcome.verdict in self.expected


def expected_of(check: Check) -> frozenset[Verdict]:
    """What the ledger says this check must answer."""
    claim, part = ledger.part(check.part)
    status = part.status
    if check.reading is not None:
        status = next(r.status for r in part.readings if r.id == check.reading)
    if check.version is Version.REPAIRED:
        return expected_verdicts(Status.HOLDS, Version.REPAIRED, claim.kind)
    return expected_verdicts(status, check.version, claim.kind)


def run(checks: tuple[Check, ...], profile: Profile, seed: int) -> Iterator[Row]:
    """Run checks one after the other; a check that raises is `errored`, never a pass."""
    for check in checks:
        started = time.perf_counter()
        try:
            outcome = check.run(check.context(profile, seed))
        except Exception as fault:
            story = (f"{type(fault).__name__}: {fault}",)
            outcome = Outcome(Verdict.ERRORED, story=story)
        yield Row(check, outcome, expected_of(check), time.perf_counter() - started)
