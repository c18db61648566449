"""`ptum show ERRATUM --run`: the counterexamples behind an erratum, walked through with numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from checks.cli.words import EXIT_AS_EXPECTED, EXIT_SURPRISE, Refusal
from checks.registry import Check, Profile, registry
from checks.report import as_report, encode
from checks.runner import Row, run
from spec import ledger
from spec.records import Claim, Erratum, Part
from spec.vocabulary import Verdict, Version

SEED = 0


def walk_through(identity: str, target: str | None) -> int:
    """Run the checks that refute the printed wording, then those of the repair; print both."""
    record = ledger.find(identity)
    chosen = tuple(_checks(record)) if isinstance(record, Erratum | Claim) else ()
    if not chosen:
        raise Refusal(
            f"{record.id} has no counterexample to run; `ptum show {record.id}` tells why"
        )
    rows = run(chosen, Profile.QUICK, SEED)
    print("\n".join(line for row in rows for line in _lines(row)))
    if target is not None:
        _save(target, rows, record.id)
    return EXIT_AS_EXPECTED if all(row.as_expected for row in rows) else EXIT_SURPRISE


def _checks(record: Erratum | Claim) -> Iterator[Check]:
    """Checks of the touched parts that refute, then the checks of their repairs."""
    parts = [part for part in _parts(record) if _refuting(part) or part.repair]
    named = [c for part in parts for c in _refuting(part)]
    named += [c for part in parts if _refuting(part) and part.repair for c in part.repair.checks]
    return (registry()[name] for name in dict.fromkeys(named))


def _parts(record: Erratum | Claim) -> tuple[Part, ...]:
    if isinstance(record, Claim):
        return record.parts
    return tuple(ledger.part(identity)[1] for identity in record.touches)


def _refuting(part: Part) -> list[str]:
    """The checks of a part, or of one of its readings, that the ledger expects to be violated."""
    own = [(part.status.value, part.checks)]
    readings = [(reading.status.value, reading.checks) for reading in part.readings]
    return [c for status, checks in own + readings if status == "refuted" for c in checks]


def _lines(row: Row) -> Iterator[str]:
    claim, part = ledger.part(row.check.part)
    wording = part.says if row.check.version is Version.PRINTED else _repair(part)
    yield f"{row.check.id} ({claim.section}, {row.check.version})"
    yield f"  claim      {wording}"
    yield f"  instance   {row.check.says}"
    yield from (f"  {line}" for line in row.outcome.story)
    yield f"  verdict    {row.outcome.verdict}" + ("" if row.as_expected else " (not expected)")
    if row.outcome.verdict is Verdict.VIOLATED and part.repair:
        yield f"  repair     {part.repair.says}"
    yield ""


def _repair(part: Part) -> str:
    return part.repair.says if part.repair else part.says


def _save(target: str, rows: list[Row], identity: str) -> None:
    report = as_report(rows, Profile.QUICK, SEED, {"show": [identity]})
    try:
        Path(target).write_bytes(encode(report))
    except OSError as reason:
        raise Refusal(f"cannot write {target}: {reason.strerror}") from reason
