"""The report of a verification run, for machines; written last and whole.

A report without a footer is one that was cut off by force, and is refused by its readers.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec

from ptum.checks.claims import registry
from ptum.checks.suite.runner import Job, Row, cut_short, expected_in
from ptum.checks.text.machine import PACKAGES
from ptum.checks.text.schema_docs import VERSIONS, means, shaped
from ptum.checks.verdicts.check import ALPHA, Profile, spent
from ptum.checks.verdicts.outcome import Attempt, Looseness, Outcome
from ptum.spec import ledger
from ptum.spec.vocabulary import Verdict

SCHEMA: Literal["ptum-report/1"] = "ptum-report/1"

JsonNumber: TypeAlias = float | Literal["inf", "-inf", "nan"]
QuantilesJson: TypeAlias = tuple[JsonNumber, JsonNumber, JsonNumber, JsonNumber, JsonNumber]


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What ran, where, and with which options."""

    schema: Annotated[Literal["ptum-report/1"], means("name and version of this format")]
    ptum: Annotated[str, means("version of ptum")]
    python: Annotated[str, means("version of Python")]
    platform: Annotated[str, means("operating system and machine")]
    packages: Annotated[
        dict[str, str], means("versions of the packages that results may depend on")
    ]
    profile: Annotated[str, means("amount of work: quick, standard or deep")]
    seed: Annotated[
        int, means("seed of the run; that of each check derives from it and from its id")
    ]
    options: Annotated[
        dict[str, list[str]], means("the selection: claim, part, check, version and family")
    ]

    @property
    def family(self) -> str | None:
        """The family of the user's that instances were drawn from."""
        return next(iter(self.options.get("family", ())), None)


class Best(msgspec.Struct, frozen=True, kw_only=True):
    """The instance of a deep search that came closest to breaking the claim.

    `instance` is JSON in itself (`ptum.checks.verdicts.attempts.codec`); without one there is a
    `reason`.
    """

    ratio: Annotated[float, means("observed in units of what the claim allows; above 1 breaks it")]
    told: Annotated[str, means("the comparison with its numbers")]
    search: Annotated[str, means("how it was found")]
    instance: Annotated[str | None, means("the instance as JSON, null where it cannot be kept")]
    reason: Annotated[str | None, means("why the instance is not kept")]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One check in one version."""

    claim: Annotated[str, means("id of the claim")]
    part: Annotated[str, means("id of the part that the check looks at")]
    reading: Annotated[str | None, means("id of the reading, where the part has several")]
    check: Annotated[str, means("id of the check")]
    version: Annotated[str, means(VERSIONS)]
    kind: Annotated[str, means("symbolic, exact, inequality, probability, asymptotic or nothing")]
    verdict: Annotated[
        str,
        means(
            "holds, violated, inconclusive, assumption-not-met, skipped, errored or not-implemented"
        ),
    ]
    expected: Annotated[list[str], means("verdicts that agree with the ledger")]
    as_expected: Annotated[bool, means("whether the verdict is one of them")]
    ran: Annotated[
        bool,
        means(
            "false if the work was cut short before this check was through, and where it is "
            "not-implemented, so that there is nothing to run"
        ),
    ]
    instances: Annotated[int, msgspec.Meta(ge=0), means("instances that met every premise")]
    trials: Annotated[
        int,
        msgspec.Meta(ge=0),
        means("comparisons made; those drawn whose premises were not met are among them"),
    ]
    violations: Annotated[int, msgspec.Meta(ge=0), means("trials that contradict the claim")]
    alpha: Annotated[
        float,
        means("probability that random trials make this verdict false; 0 without random trials"),
    ]
    interval: Annotated[
        tuple[float, float] | None, means("confidence interval of the probability of failure")
    ]
    worst_ratio: Annotated[
        JsonNumber | None, means("largest observed/bound over all trials; above 1 breaks the claim")
    ]
    looseness: Annotated[
        QuantilesJson | None,
        means("bound/observed: least, tenth, half, nine tenths, largest"),
    ]
    tolerance: Annotated[
        JsonNumber | None,
        means("largest rounding error that was allowed for; null where none applies"),
    ]
    best: Annotated[Best | None, means("the closest attempt, in the deep profile")]
    seed: Annotated[int, means("seed of the run, as in the header")]
    replay: Annotated[str, means("the command that runs this check again")]
    seconds: Annotated[float, means("time that it took; nothing else depends on it")]
    explanation: Annotated[list[str], means("what was seen, in lines of text")] = msgspec.field(
        name="story"
    )

    @property
    def cut_off(self) -> bool:
        """Whether there was something to run that did not get its turn."""
        return not self.ran and self.verdict != Verdict.NOT_IMPLEMENTED


class Footer(msgspec.Struct, frozen=True, kw_only=True):
    """How it ended."""

    results: Annotated[int, means("number of results, those that did not run included")]
    surprises: Annotated[
        int, means("checks that ran with a verdict that the ledger does not expect")
    ]
    cut_short: Annotated[bool, means("whether some check did not run")]
    alpha: Annotated[float, means("cap on the sum of alpha over all checks that there are")]
    alpha_registry: Annotated[
        float | None, means("that sum, whichever checks were selected; null in older reports")
    ] = None
    alpha_run: Annotated[
        float | None, means("sum of alpha over the checks that ran; null in older reports")
    ] = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Output of `ptum verify --json`."""

    header: Annotated[Header, means("what ran, where, and with which options")]
    results: Annotated[list[Result], means("one entry per check, in the order of the registry")]
    footer: Annotated[Footer, means("how it ended; a report without a footer was cut off by force")]


class KeptHead(msgspec.Struct, frozen=True, kw_only=True):
    """First line of a file of `ptum verify --keep`: what its checks belong to.

    A result is a function of this, its id and the code that the check rests on.
    """

    python: Annotated[str, means("version of Python")]
    packages: Annotated[dict[str, str], means("versions of packages")]
    profile: Annotated[str, means("amount of work")]
    seed: Annotated[int, means("seed of the run")]


class KeptLine(msgspec.Struct, frozen=True, kw_only=True):
    """Every further line of such a file; of two lines of a check the current one counts."""

    code: Annotated[str, means("digest of the code that the check rests on")]
    result: Annotated[Result, means("as in a report")]


def as_report(
    rows: Sequence[Row], profile: Profile, seed: int, options: dict[str, list[str]]
) -> Report:
    """The rows of a run as a report."""
    header = _header(profile.value, seed, options)
    return Report(
        header=header,
        results=[result_of(row, Job(profile, seed, header.family)) for row in rows],
        footer=Footer(
            results=len(rows),
            surprises=sum(row.ran and not row.as_expected for row in rows),
            cut_short=cut_short(rows),
            alpha=ALPHA,
            alpha_registry=spent(registry().values()),
            alpha_run=math.fsum(row.alpha for row in rows if row.ran),
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
    except (msgspec.DecodeError, RecursionError) as reason:
        hint = " (the run was cut off before it could finish)" if "`footer`" in str(reason) else ""
        said = of_keep(path) or f"{reason}{hint}"
        raise ValueError(f"{path} is not a complete report: {said}") from reason
    if report.footer.results != len(report.results):
        raise ValueError(f"{path} is not a complete report: results are missing")
    return report


def of_keep(path: Path) -> str:
    """What a file of `ptum verify --keep` is, and how a report comes of it; else nothing."""
    try:
        head = msgspec.json.decode(path.read_bytes().partition(b"\n")[0], type=KeptHead)
    except (msgspec.DecodeError, RecursionError):
        return ""
    made = f"ptum verify --profile {head.profile} --seed {head.seed} --keep {path} --json REPORT"
    return f"it is a file of --keep, of which `{made}` makes a report"


def expected_again(report: Report) -> Report:
    """The report with what the ledger expects today, whatever the file says of it.

    ValueError where a check is none of ours, or the profile or the verdict is no such word.
    """
    profile = Profile(report.header.profile)
    results = [_expected_again(result, profile) for result in report.results]
    surprises = sum(result.ran and not result.as_expected for result in results)
    footer = msgspec.structs.replace(report.footer, surprises=surprises)
    return msgspec.structs.replace(report, results=results, footer=footer)


def _expected_again(result: Result, profile: Profile) -> Result:
    if result.check not in registry():
        raise ValueError(f"{result.check} is no check of this version of ptum")
    expected = expected_in(registry()[result.check], profile)
    return msgspec.structs.replace(
        result,
        expected=sorted(verdict.value for verdict in expected),
        as_expected=Verdict(result.verdict) in expected,
    )


def _header(profile: str, seed: int, options: dict[str, list[str]]) -> Header:
    return Header(
        schema=SCHEMA,
        ptum=version("ptum"),
        python=platform.python_version(),
        platform=platform.platform(),
        packages={name: version(name) for name in PACKAGES},
        profile=profile,
        seed=seed,
        options=options,
    )


def result_of(row: Row, job: Job) -> Result:
    """A row of a run as the report has it."""
    check, outcome = row.check, row.outcome
    claim, part = ledger.part(check.part)
    return shaped(
        Result,
        outcome,
        claim=claim.id,
        part=part.id,
        reading=check.reading,
        check=check.id,
        version=check.version.value,
        kind=check.kind.value,
        expected=sorted(verdict.value for verdict in row.expected),
        as_expected=row.as_expected,
        ran=row.ran and outcome.verdict is not Verdict.NOT_IMPLEMENTED,
        alpha=row.alpha,
        interval=outcome.interval,
        worst_ratio=None if outcome.worst_ratio is None else _real(outcome.worst_ratio),
        looseness=_quantiles(outcome.looseness),
        tolerance=None if outcome.tolerance is None else _real(outcome.tolerance),
        best=None if outcome.best is None else shaped(Best, outcome.best),
        seed=job.seed,
        replay=replay_command(check.id, job.profile, job.seed, job.family),
        seconds=round(row.seconds, 3),
    )


def row_of(result: Result) -> Row:
    """The row of which this is the result; `deciding` and `replayed` are in no report."""
    outcome = Outcome(
        verdict=Verdict(result.verdict),
        instances=result.instances,
        trials=result.trials,
        violations=result.violations,
        interval=result.interval,
        worst_ratio=None if result.worst_ratio is None else float(result.worst_ratio),
        looseness=_looseness(result.looseness),
        tolerance=None if result.tolerance is None else float(result.tolerance),
        best=None if result.best is None else Attempt(**msgspec.structs.asdict(result.best)),
        explanation=tuple(result.explanation),
    )
    expected = frozenset(map(Verdict, result.expected))
    return Row(registry()[result.check], outcome, expected, result.seconds)


def replay_command(check: str, profile: Profile, seed: int, family: str | None) -> str:
    """The line that runs one check again as it was run."""
    drawn = f" --family {family}" if family else ""
    return f"ptum verify --check {check} --profile {profile.value} --seed {seed}{drawn}"


def _quantiles(looseness: Looseness | None) -> QuantilesJson | None:
    if looseness is None:
        return None
    low, tenth, half, ninth, high = map(_real, looseness)
    return low, tenth, half, ninth, high


def _looseness(quantiles: QuantilesJson | None) -> Looseness | None:
    if quantiles is None:
        return None
    low, tenth, half, ninth, high = map(float, quantiles)
    return low, tenth, half, ninth, high


def _real(number: float) -> JsonNumber:
    if math.isfinite(number):
        return float(number)
    if math.isnan(number):
        return "nan"
    return "inf" if number > 0 else "-inf"
