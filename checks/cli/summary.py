"""`ptum summary` and `ptum replay`: read reports, compare two of them, run one again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from checks.cli.progress import Progress
from checks.cli.verify import closing_lines, exit_code, verdict_table
from checks.cli.words import (
    EXIT_AS_EXPECTED,
    EXIT_CUT_SHORT,
    EXIT_SURPRISE,
    Refusal,
    table,
    unknown,
)
from checks.registry import Profile, registry
from checks.report import Report, Result, read
from checks.runner import run


def print_summary(files: Sequence[str], form: str) -> int:
    """Print the results of reports; with two reports also what differs between them."""
    writers: dict[str, Callable[[Sequence[Report]], str]] = {
        "table": as_table,
        "junit": as_junit,
        "markdown": as_markdown,
    }
    if form not in writers:
        raise unknown("format", form, writers)
    reports = [_read(name) for name in files]
    print(writers[form](reports))
    if len(reports) == 2 and form != "junit":
        print("\n".join(("", *differences(*reports))))
    if any(r.ran and not r.as_expected for report in reports for r in report.results):
        return EXIT_SURPRISE
    cut = any(report.footer.cut_short for report in reports)
    return EXIT_CUT_SHORT if cut else EXIT_AS_EXPECTED


def replay(file: str, wanted: Sequence[str]) -> int:
    """Run the checks of a report again with its seed and profile, and compare the verdicts."""
    report = _read(file)
    results = {result.check: result for result in report.results}
    for word in wanted:
        if word not in results:
            raise unknown("check", word, results)
    chosen = [registry()[name] for name in results if not wanted or name in wanted]
    profile = Profile(report.header.profile)
    progress = Progress(len(chosen))
    family = next(iter(report.header.options.get("family", [])), None)
    rows = run(chosen, profile, report.header.seed, family=family, watch=progress)
    progress.close()
    print(verdict_table(rows))
    print("\n".join(closing_lines(rows, profile)))
    changed = [
        f"{row.check.id}: {results[row.check.id].verdict} in the report, {row.outcome.verdict} now"
        for row in rows
        if results[row.check.id].ran and row.outcome.verdict != results[row.check.id].verdict
    ]
    print("\n".join(changed) or "Every verdict is the one in the report.")
    return EXIT_SURPRISE if changed else exit_code(rows)


def as_table(reports: Sequence[Report]) -> str:
    """A table of all results."""
    return table(("check", "version", "verdict", "expected", "evidence"), _rows(reports))


def as_markdown(reports: Sequence[Report]) -> str:
    """A table for a page or a comment."""
    header = ("check", "version", "verdict", "expected", "evidence")
    lines = [header, tuple("---" for _ in header), *_rows(reports)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def as_junit(reports: Sequence[Report]) -> str:
    """JUnit XML, one suite per report; a surprise is a failure."""
    root = ElementTree.Element("testsuites")
    for report in reports:
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=f"ptum verify --profile {report.header.profile}",
            tests=str(len(report.results)),
            failures=str(report.footer.surprises),
        )
        for result in report.results:
            _junit_case(suite, result)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode")


def differences(first: Report, second: Report) -> list[str]:
    """What the second report says otherwise than the first."""
    before = {result.check: result for result in first.results}
    after = {result.check: result for result in second.results}
    lines = [f"only in the first: {name}" for name in before if name not in after]
    lines += [f"only in the second: {name}" for name in after if name not in before]
    lines += [
        f"{name}: {before[name].verdict} → {after[name].verdict}"
        for name in before
        if name in after and before[name].verdict != after[name].verdict
    ]
    return lines or ["the two reports agree on every check"]


def _junit_case(suite: ElementTree.Element, result: Result) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", classname=result.part, name=result.check, time=f"{result.seconds:g}"
    )
    if result.verdict in ("skipped", "not-implemented") and result.as_expected:
        ElementTree.SubElement(case, "skipped", message="; ".join(result.story))
    elif not result.as_expected:
        message = f"{result.verdict}, expected {' or '.join(result.expected)}"
        failure = ElementTree.SubElement(case, "failure", message=message)
        failure.text = "\n".join((*result.story, result.replay))


def _rows(reports: Sequence[Report]) -> list[tuple[str, ...]]:
    return [
        (
            result.check,
            result.version,
            result.verdict + ("" if result.as_expected else "!"),
            " or ".join(result.expected),
            f"{result.violations} of {result.trials}" if result.trials else "-",
        )
        for report in reports
        for result in report.results
    ]


def _read(name: str) -> Report:
    try:
        return read(Path(name))
    except ValueError as problem:
        raise Refusal(str(problem)) from problem
