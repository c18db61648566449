"""`ptum verify`: run checks, print the verdict table, write the report."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from checks.cli.words import EXIT_AS_EXPECTED, EXIT_SURPRISE, Refusal, table, unknown, word_of
from checks.registry import ALPHA, Check, Profile, registry
from checks.report import Footer, Real, Report, Result, header
from checks.runner import Row, expected_of, run
from spec import ledger
from spec.vocabulary import Version

BOTH = "both"


def run_verify(
    *,
    claims: tuple[str, ...],
    parts: tuple[str, ...],
    version: str,
    profile: str,
    seed: int,
    report: str | None,
    only_list: bool,
) -> int:
    """Select, run and report; returns the exit code."""
    chosen = select(claims, parts, version)
    strength = word_of(Profile, "profile", profile)
    if only_list:
        print(table(("check", "version", "kind", "says"), map(_listed, chosen)))
        return EXIT_AS_EXPECTED
    rows = []
    for number, row in enumerate(run(chosen, strength, seed), start=1):
        rows.append(row)
        print(f"[{number}/{len(chosen)}] {row.check.id}: {row.outcome.verdict}", file=sys.stderr)
    if report != "-":
        _print_table(rows, strength)
    if report is not None:
        options = {"claim": list(claims), "part": list(parts), "version": [version]}
        _write(report, as_report(rows, strength, seed, options))
    return EXIT_AS_EXPECTED if all(row.as_expected for row in rows) else EXIT_SURPRISE


def select(claims: tuple[str, ...], parts: tuple[str, ...], version: str) -> tuple[Check, ...]:
    """The checks of the named claims and parts, in the order of the registry."""
    known_claims = [claim.id for claim in ledger.CLAIMS]
    known_parts = [part.id for _, part in ledger.parts()]
    for word in claims:
        if word not in known_claims:
            raise unknown("claim", word, known_claims)
    for word in parts:
        if word not in known_parts:
            raise unknown("part", word, known_parts)
    if version != BOTH and version not in [v.value for v in Version]:
        raise unknown("version", version, [BOTH, *(v.value for v in Version)])
    owners = {ledger.owner_of_checks(ledger.claim(word)).id for word in claims}
    chosen = tuple(
        check
        for check in registry().values()
        if (not claims and not parts)
        or check.part in parts
        or ledger.part(check.part)[0].id in owners
    )
    chosen = tuple(c for c in chosen if version in (BOTH, c.version.value))
    if not chosen:
        raise Refusal("no check matches this selection; `ptum verify --list` shows all of them")
    return chosen


def as_report(
    rows: Iterable[Row], profile: Profile, seed: int, options: dict[str, list[str]]
) -> Report:
    """The rows as the JSON report."""
    listed = [_result(row, profile, seed) for row in rows]
    return Report(
        header=header(profile.value, seed, options),
        results=listed,
        footer=Footer(
            results=len(listed),
            surprises=sum(not result.as_expected for result in listed),
            alpha=ALPHA,
        ),
    )


def _result(row: Row, profile: Profile, seed: int) -> Result:
    check, outcome = row.check, row.outcome
    claim, part = ledger.part(check.part)
    return Result(
        claim=claim.id,
        part=part.id,
        reading=check.reading,
        check=check.id,
        version=check.version.value,
        kind=check.kind.value,
        verdict=outcome.verdict.value,
        expected=sorted(verdict.value for verdict in row.expected),
        as_expected=row.as_expected,
        instances=outcome.instances,
        trials=outcome.trials,
        violations=outcome.violations,
        alpha=check.alpha,
        interval=outcome.interval,
        worst_ratio=_real(outcome.worst_ratio),
        tolerance=_real(outcome.tolerance),
        seed=seed,
        replay=f"ptum verify --part {part.id} --profile {profile.value} --seed {seed}",
        seconds=round(row.seconds, 3),
        story=list(outcome.story),
    )


def _real(number: float | None) -> Real | None:
    if number is None or math.isfinite(number):
        return number
    if math.isnan(number):
        return "nan"
    return "inf" if number > 0 else "-inf"


def _print_table(rows: list[Row], profile: Profile) -> None:
    print(
        table(
            ("claim part", "version", "verdict", "expected", "evidence", "α", "check"),
            map(_cells, rows),
        )
    )
    surprises = [row for row in rows if not row.as_expected]
    for row in surprises:
        print(f"\n{row.check.id} says {row.outcome.verdict}, which the ledger does not expect:")
        print("\n".join(f"  {line}" for line in row.outcome.story))
    spent = sum(row.check.alpha for row in rows)
    print(
        f"\n{len(rows)} checks, {len(surprises)} not as the ledger expects; "
        f"wrong by chance with probability at most {spent:.2g} (all checks: {ALPHA:g})."
    )
    if profile is not Profile.DEEP:
        stronger = list(Profile)[list(Profile).index(profile) + 1 :]
        print("Stronger: " + ", ".join(f"ptum verify --profile {p.value}" for p in stronger))


def _cells(row: Row) -> tuple[str, ...]:
    outcome = row.outcome
    evidence = f"{outcome.violations} of {outcome.trials}"
    if outcome.interval is not None:
        low, high = outcome.interval
        evidence += f", p in [{low:.3f}, {high:.3f}]"
    mark = "" if row.as_expected else "!"
    return (
        row.check.part,
        row.check.version.value,
        outcome.verdict.value + mark,
        " or ".join(sorted(verdict.value for verdict in row.expected)),
        evidence,
        f"{row.check.alpha:g}",
        row.check.id.partition("/")[2],
    )


def _listed(check: Check) -> tuple[str, ...]:
    expected = " or ".join(sorted(verdict.value for verdict in expected_of(check)))
    return (check.id, check.version.value, check.kind.value, f"{check.says} (expected: {expected})")


def _write(target: str, report: Report) -> None:
    text = msgspec.json.format(msgspec.json.encode(report), indent=2)
    if target == "-":
        print(text.decode())
        return
    try:
        Path(target).write_bytes(text + b"\n")
    except OSError as reason:
        raise Refusal(f"cannot write {target}: {reason.strerror}") from reason
