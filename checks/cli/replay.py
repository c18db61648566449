"""`ptum replay`: run the checks of a report again, and compare the verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ptum.checks.claims import registry
from ptum.checks.cli.output.formatting import EXIT_MISMATCH, Refusal, unknown
from ptum.checks.cli.output.report_table import is_validation
from ptum.checks.cli.output.signals import Wish
from ptum.checks.cli.verify import exit_code, print_result, require_family, watched_rows
from ptum.checks.suite.report import Report, Result, as_report, read
from ptum.checks.suite.runner import Job, Row
from ptum.checks.verdicts.check import Check, Profile


def run_again(file: str, wanted: Sequence[str], wish: Wish) -> int:
    """Run the checks with the seed, profile and family of the report."""
    report = _read(file)
    results = {result.check: result for result in report.results}
    for word in wanted:
        if word not in results:
            raise unknown("check", word, results)
    chosen = [_known(name, file) for name in results if not wanted or name in wanted]
    profile, seed = Profile(report.header.profile), report.header.seed
    if (family := report.header.family) is not None:
        require_family(family)
    rows = watched_rows(chosen, Job(profile, seed, family), wish)
    found = as_report(rows, profile, seed, report.header.options)
    print_result(rows, found, verbose=False)
    print("\n".join(comparison(rows, results)))
    return EXIT_MISMATCH if _changed(rows, results) else exit_code(rows)


def comparison(rows: Sequence[Row], results: Mapping[str, Result]) -> list[str]:
    """What differs from the report, what the report lacks, and else how much agrees."""
    changed = [
        f"{row.check.id}: {results[row.check.id].verdict} in the report, {row.outcome.verdict} now"
        for row in _changed(rows, results)
    ]
    lacking = [
        f"{row.check.id}: did not run in the report, {row.outcome.verdict} now"
        for row in rows
        if row.ran and results[row.check.id].cut_off
    ]
    return [*lacking, *(changed or [_agreement(len(_on_both_sides(rows, results)), len(rows))])]


def _agreement(compared: int, everything: int) -> str:
    if compared == everything:
        return "Every verdict is the one in the report."
    return f"{compared} of {everything} verdicts could be compared; none of them differs."


def _on_both_sides(rows: Sequence[Row], results: Mapping[str, Result]) -> list[Row]:
    return [row for row in rows if row.ran and not results[row.check.id].cut_off]


def _changed(rows: Sequence[Row], results: Mapping[str, Result]) -> list[Row]:
    both = _on_both_sides(rows, results)
    return [row for row in both if row.outcome.verdict != results[row.check.id].verdict]


def _known(name: str, file: str) -> Check:
    if name not in registry():
        raise Refusal(f"{file} has the check {name!r}, which this release does not know")
    return registry()[name]


def _read(file: str) -> Report:
    if is_validation(file):
        raise Refusal(
            f"{file} is a report of `ptum validate`; each of its results has the command that "
            "replays it (ptum validate … --case ID)"
        )
    try:
        return read(Path(file))
    except ValueError as problem:
        raise Refusal(str(problem)) from problem
