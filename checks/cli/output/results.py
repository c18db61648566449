"""One result of a verification run as cells of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ptum.checks.cli.output.formatting import PIPE, plural, screen, table, wrapped
from ptum.checks.suite.report import JsonNumber, Report, Result

HEADER = (
    "claim part/check",
    "version",
    "verdict",
    "expected",
    "evidence",
    "α",
    "bound/observed",
    "time",
)

NARROW = 100
SPARED = ("expected", "α")
"""Columns that a screen of fewer than `NARROW` columns does without: a mark says as much."""

LEGEND = (
    "evidence: violations of trials in valid instances, P(failure); bound/observed: least / median"
)
CLOSEST = "closest: the attempt that came nearest, observed/bound; above 1 breaks the claim"
"""Said where a deep search has a closest attempt."""

ON_FAMILY = (
    "bound/observed is empty on a family of your own: there a claim is only asked whether it holds"
)
"""Said where there could be looseness and is none."""

READING = "in brackets behind a version: the reading, of a part that has several"
"""Said where a check takes one of several readings."""

MARK = "!"
"""Behind a verdict that the ledger does not expect."""

MARKED = f"{MARK}: unexpected, not a verdict that the ledger expects"


def verdict_table(report: Report) -> str:
    """A row for every check that was not cut off, and what columns mean.

    Cells are folded to the screen, or to `PIPE` columns where there is none. A narrow screen has no
    room for what is the same in most rows.
    """
    results, limit = report.results, screen() or PIPE
    shown = [i for i, name in enumerate(HEADER) if limit >= NARROW or name not in SPARED]
    rows = [cells(result) for result in results if not result.cut_off]
    laid = table([HEADER[i] for i in shown], [[row[i] for i in shown] for row in rows], limit)
    missing = not_run_line(sum(result.cut_off for result in results))
    return "\n".join((laid, *missing, "", *wrapped("; ".join(legend(report)))))


def legend(report: Report) -> tuple[str, ...]:
    """What the columns mean, and what is only there in some tables if it is in this one."""
    parts = (
        (LEGEND, True),
        (CLOSEST, any(result.best is not None for result in report.results)),
        (ON_FAMILY, bool(report.header.family)),
        (READING, any(result.reading for result in report.results)),
        (MARKED, any(map(unexpected, report.results))),
    )
    return tuple(words for words, needed in parts if needed)


def unexpected(result: Result) -> bool:
    """Whether a verdict is not the one that the ledger expects; what was cut off has none."""
    return not result.cut_off and not result.as_expected


def not_run_line(missing: int) -> tuple[str, ...]:
    """One line in the place of rows that would all say the same; none where everything ran."""
    return (f"{plural(missing, 'check')} did not run",) if missing else ()


def count_line(
    verdicts: Sequence[str], mismatches: int, family: str | None = None, missing: int = 0
) -> str:
    """How many checks were asked, what they say, how many say what nobody expects, what is missing.

    Some of them only say that nothing is run, so the line does not claim that all were.
    """
    drawn = f" on the family {family}" if family else ""
    listed = ", ".join(f"{count} {word}" for word, count in Counter(verdicts).most_common())
    counts = f": {listed}" if listed else ""
    asked = f"{plural(len(verdicts), 'check')}{drawn}{counts}"
    rest = f"; {missing} inconclusive, not run" if missing else ""
    return f"{asked}; {mismatches} unexpected{rest}."


def error_bound(run: float, registry: float | None, cap: float) -> str:
    """The bound on the probability that random trials make any verdict false."""
    whole = "" if registry is None else f"whole registry: {registry:.2g}, "
    return f"≤ {run:.2g} ({whole}cap {cap:g})"


def cells(result: Result) -> tuple[str, ...]:
    """The columns of a result; a verdict that nobody expected is marked."""
    return (
        result.check,
        _version(result),
        result.verdict + (MARK if unexpected(result) else ""),
        " or ".join(result.expected),
        _evidence(result),
        f"{result.alpha:g}",
        _bound_over_observed(result),
        f"{result.seconds:.1f} s",
    )


def _version(result: Result) -> str:
    """The version, with the last word of the reading's id where the part has several."""
    reading = (result.reading or "").rpartition(".")[2]
    return f"{result.version} ({reading})" if reading else result.version


def _evidence(result: Result) -> str:
    if not result.trials:
        return "-"
    text = f"{result.violations} of {result.trials} in {result.instances}"
    if result.interval is not None:
        low, high = result.interval
        text += f", P ≤ {high:.2g}" if low == 0 else f", P {low:.2g} to {high:.2g}"
    if result.best is not None:
        text += f", closest {result.best.ratio:.6g}"
    return text


def _bound_over_observed(result: Result) -> str:
    if result.looseness is None:
        return "-"
    least, _, middle, _, _ = map(_short, result.looseness)
    return least if least == middle else f"{least} / {middle}"


def _short(number: JsonNumber) -> str:
    """At most three digits."""
    if isinstance(number, str):
        return number
    return f"{number:.0f}" if 100 <= number < 1000 else f"{number:.2g}"
