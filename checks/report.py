"""The report of a verification run, for machines; written last and whole.

A report without a footer is one that was cut off by force, and is refused by its readers.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from checks.outcome import Attempt, Looseness
from checks.registry import ALPHA, Profile
from checks.runner import Row, cut_short
from spec import ledger

SCHEMA: Literal["ptum-report/1"] = "ptum-report/1"

Real: TypeAlias = float | Literal["inf", "-inf", "nan"]


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What ran, where, and with which options."""

    schema: Literal["ptum-report/1"]
    ptum: str
    python: str
    platform: str
    packages: dict[str, str]
    profile: str
    seed: int
    options: dict[str, list[str]]


class Best(msgspec.Struct, frozen=True, kw_only=True):
    """The instance of a deep search that came closest to breaking the claim.

    `instance` is JSON in itself (`checks.attempts.codec`); without one there is a `reason`.
    """

    ratio: float
    told: str
    search: str
    instance: str | None
    reason: str | None


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One check in one version."""

    claim: str
    part: str
    reading: str | None
    check: str
    version: str
    kind: str
    verdict: str
    expected: list[str]
    as_expected: bool
    ran: bool
    instances: int
    trials: int
    violations: int
    alpha: float
    interval: tuple[float, float] | None
    worst_ratio: Real | None
    looseness: tuple[Real, Real, Real, Real, Real] | None
    tolerance: Real | None
    best: Best | None
    seed: int
    replay: str
    seconds: float
    story: list[str]


class Footer(msgspec.Struct, frozen=True, kw_only=True):
    """How it ended."""

    results: int
    surprises: int
    cut_short: bool
    alpha: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Output of `ptum verify --json`."""

    header: Header
    results: list[Result]
    footer: Footer


def as_report(
    rows: Sequence[Row], profile: Profile, seed: int, options: dict[str, list[str]]
) -> Report:
    """The rows of a run as a report."""
    family = next(iter(options.get("family", [])), None)
    return Report(
        header=_header(profile.value, seed, options),
        results=[_result(row, profile, seed, family) for row in rows],
        footer=Footer(
            results=len(rows),
            surprises=sum(row.ran and not row.as_expected for row in rows),
            cut_short=cut_short(rows),
            alpha=ALPHA,
        ),
    )


def encode(report: Report) -> bytes:
    """The report as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def read(path: Path) -> Report:
    """A report from a file; ValueError says what is wrong with one that cannot be used."""
    try:
        report = msgspec.json.decode(path.read_bytes(), type=Report)
    except OSError as reason:
        raise ValueError(f"cannot read {path}: {reason.strerror}") from reason
    except msgspec.DecodeError as reason:
        hint = " (the run was cut off before it could finish)" if "footer" in str(reason) else ""
        raise ValueError(f"{path} is not a complete report: {reason}{hint}") from reason
    if report.footer.results != len(report.results):
        raise ValueError(f"{path} is not a complete report: results are missing")
    return report


def _header(profile: str, seed: int, options: dict[str, list[str]]) -> Header:
    return Header(
        schema=SCHEMA,
        ptum=version("ptum"),
        python=platform.python_version(),
        platform=platform.platform(),
        packages={name: version(name) for name in ("numpy", "scipy", "hypothesis", "sympy")},
        profile=profile,
        seed=seed,
        options=options,
    )


def _result(row: Row, profile: Profile, seed: int, family: str | None) -> Result:
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
        ran=row.ran,
        instances=outcome.instances,
        trials=outcome.trials,
        violations=outcome.violations,
        alpha=check.alpha,
        interval=outcome.interval,
        worst_ratio=None if outcome.worst_ratio is None else _real(outcome.worst_ratio),
        looseness=_quantiles(outcome.looseness),
        tolerance=None if outcome.tolerance is None else _real(outcome.tolerance),
        best=None if outcome.best is None else _best(outcome.best),
        seed=seed,
        replay=replay_command(check.id, profile, seed, family),
        seconds=round(row.seconds, 3),
        story=list(outcome.story),
    )


def replay_command(check: str, profile: Profile, seed: int, family: str | None) -> str:
    """The line that runs one check again as it was run."""
    drawn = f" --family {family}" if family else ""
    return f"ptum verify --check {check} --profile {profile.value} --seed {seed}{drawn}"


def _best(attempt: Attempt) -> Best:
    return Best(
        ratio=attempt.ratio,
        told=attempt.told,
        search=attempt.search,
        instance=attempt.instance,
        reason=attempt.reason,
    )


def _quantiles(looseness: Looseness | None) -> tuple[Real, Real, Real, Real, Real] | None:
    if looseness is None:
        return None
    low, tenth, half, ninth, high = map(_real, looseness)
    return low, tenth, half, ninth, high


def _real(number: float) -> Real:
    if math.isfinite(number):
        return float(number)
    if math.isnan(number):
        return "nan"
    return "inf" if number > 0 else "-inf"
