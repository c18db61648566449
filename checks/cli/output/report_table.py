"""Reports of `ptum verify` and of `ptum validate` in one form, to print and to compare."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ptum.checks.cli.output import results
from ptum.checks.cli.output.formatting import (
    EXIT_AS_EXPECTED,
    EXIT_CUT_SHORT,
    EXIT_MISMATCH,
    Refusal,
    plural,
)
from ptum.checks.judge.judging.readings import PRINTED
from ptum.checks.judge.judging.verdicts import BAD, Conformity
from ptum.checks.judge.results import report as validation
from ptum.checks.suite import report as verification
from ptum.spec.vocabulary import Verdict

LEGEND = (
    "cases: requests made, and of how many if some were not; reading: the wording of the paper "
    "that explains every answer; "
    "breaks: the item of the paper and what is off, or why there is no answer"
)


@dataclass(frozen=True)
class Entry:
    """One result: what it is about, its cells, and what to say if it is not as expected.

    An `errored` one has no answer to look at; its failure says why.
    """

    key: str
    group: str
    verdict: str
    expected: str
    cells: tuple[str, ...]
    seconds: float = 0.0
    ran: bool = True
    skipped: bool = False
    failure: str | None = None
    errored: bool = False
    explanation: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """One report; only sheets of the same command can stand in one table."""

    file: str
    command: str
    title: str
    noun: str
    header: tuple[str, ...]
    legend: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    entries: tuple[Entry, ...]
    counted: str
    cut_short: bool = False

    @property
    def about(self) -> str:
        """How the report came about, in one line."""
        return "; ".join(f"{name}: {value}" for name, value in self.facts)

    @property
    def exit_code(self) -> int:
        """The code with which the command that wrote the report ended."""
        if any(entry.failure is not None for entry in self.entries):
            return EXIT_MISMATCH
        return EXIT_CUT_SHORT if self.cut_short else EXIT_AS_EXPECTED


class _Named(msgspec.Struct):
    schema: str = ""


class _Beginning(msgspec.Struct):
    header: _Named = msgspec.field(default_factory=_Named)


def read(file: str) -> Sheet:
    """A report of either command."""
    try:
        if is_validation(file):
            return of_validation(validation.read(Path(file)), file)
        return of_verification(verification.expected_again(verification.read(Path(file))), file)
    except ValueError as problem:
        raise Refusal(str(problem)) from problem


def is_validation(file: str) -> bool:
    """Whether a file says that it is a report of `ptum validate`."""
    try:
        beginning = msgspec.json.decode(Path(file).read_bytes(), type=_Beginning)
    except (OSError, msgspec.DecodeError, RecursionError):
        return False
    return beginning.header.schema == validation.SCHEMA


def of_verification(report: verification.Report, file: str = "") -> Sheet:
    """A report of `ptum verify`."""
    return Sheet(
        file=file,
        command="ptum verify",
        title=f"ptum verify --profile {report.header.profile}",
        noun="check",
        header=results.HEADER,
        legend=results.legend(report),
        facts=tuple(_facts(report)),
        entries=tuple(map(_of_check, report.results)),
        counted=_counted_checks(report),
        cut_short=report.footer.cut_short,
    )


def of_validation(report: validation.Validation, file: str = "") -> Sheet:
    """A report of `ptum validate`."""
    return Sheet(
        file=file,
        command="ptum validate",
        title=f"ptum validate: {report.header.name} {report.header.version}",
        noun="capability",
        header=("capability", "paper", "verdict", "cases", "reading", "breaks"),
        legend=(LEGEND,),
        facts=(
            ("subject", f"{report.header.name} {report.header.version}"),
            ("seed", "-" if report.header.seed is None else str(report.header.seed)),
            ("ptum", report.header.ptum),
        ),
        entries=tuple(map(_of_capability, report.results)),
        counted=_counted_capabilities(report),
    )


def require_comparable(first: Sheet, second: Sheet) -> None:
    """Refuse two reports about different things, of which nothing can be said to agree."""
    if {entry.key for entry in first.entries}.isdisjoint(entry.key for entry in second.entries):
        raise Refusal(
            f"{first.file} and {second.file} have no {first.noun} in common, so that they cannot "
            "be compared; ask for them one by one"
        )


def require_one_command(sheets: Sequence[Sheet]) -> None:
    """Refuse a mixture: what a claim is and what an implementation does cannot be compared."""
    first = sheets[0]
    for other in sheets[1:]:
        if other.command != first.command:
            raise Refusal(
                f"{first.file} is a report of `{first.command}`, {other.file} one of "
                f"`{other.command}`; give reports of one command"
            )


def _facts(report: verification.Report) -> Iterator[tuple[str, str]]:
    """Everything that verdicts depend on, whether all checks ran, and how sure the whole is."""
    header, footer = report.header, report.footer
    yield "profile", header.profile
    yield "seed", str(header.seed)
    if header.family:
        yield "family", header.family
    yield "ptum", header.ptum
    missing = sum(result.cut_off for result in report.results)
    missed = f"yes, {missing} of {plural(len(report.results), 'check')} did not run"
    yield "cut short", missed if footer.cut_short else "no"
    run = math.fsum(result.alpha for result in report.results if result.ran)
    yield "α", results.error_bound(run, footer.alpha_registry, footer.alpha)


def _counted_checks(report: verification.Report) -> str:
    verdicts = [result.verdict for result in report.results if not result.cut_off]
    mismatches = sum(map(results.unexpected, report.results))
    missing = len(report.results) - len(verdicts)
    return results.count_line(verdicts, mismatches, report.header.family, missing)


def _counted_capabilities(report: validation.Validation) -> str:
    counts = Counter(result.verdict for result in report.results).most_common()
    listed = ", ".join(f"{count} {verdict}" for verdict, count in counts)
    return f"{plural(len(report.results), 'capability', 'capabilities')}: {listed}."


def _of_check(result: verification.Result) -> Entry:
    expected = " or ".join(result.expected)
    return Entry(
        key=result.check,
        group=result.part,
        verdict=result.verdict,
        expected=expected,
        cells=results.cells(result),
        seconds=result.seconds,
        ran=not result.cut_off,
        skipped=not result.ran or result.verdict == Verdict.SKIPPED.value,
        failure=f"{result.verdict}, expected {expected}" if results.unexpected(result) else None,
        errored=result.verdict == Verdict.ERRORED.value,
        explanation=(*result.explanation, result.replay),
    )


def _of_capability(result: validation.CapabilityResult) -> Entry:
    reading = result.reading or " or ".join(result.versions)
    reading = reading if PRINTED.choice in result.choices else ""  # there is but one wording
    verdict = " ".join(filter(None, (result.verdict, f"({reading})" if reading else "")))
    return Entry(
        key=result.capability,
        group="validate",
        verdict=verdict,
        expected=Conformity.CONFORMS.value,
        cells=(
            result.capability,
            result.item,
            result.verdict,
            validation.made(result.cases, result.asked),
            reading or "-",
            _breaks(result),
        ),
        skipped=result.verdict == Conformity.NOT_IMPLEMENTED.value,
        failure=f"{result.verdict}: {_breaks(result)}" if result.verdict in BAD else None,
        errored=result.verdict == Conformity.ERRORED.value,
        explanation=tuple(_explanation(result)),
    )


def _breaks(result: validation.CapabilityResult) -> str:
    if result.divergence is not None:
        return f"{result.divergence.item}: {result.divergence.what}"
    if result.breakdown is not None:
        return f"{result.breakdown.kind}: {result.breakdown.message}"
    return "-"


def _explanation(result: validation.CapabilityResult) -> list[str]:
    if result.divergence is not None:
        found = result.divergence
        return [f"expected {found.expected}", f"got {found.got}", found.replay]
    return [] if result.breakdown is None else [result.breakdown.last, result.breakdown.replay]
