"""One result of a verification run as cells of a table."""

from __future__ import annotations

from collections.abc import Sequence

from checks.cli.words import PIPE, screen, table, wrapped
from checks.report import Real, Result

HEADER = ("claim part/check", "version", "verdict", "expected", "evidence", "α", "loose", "time")

LEGEND = (
    "evidence: violations of trials in instances, P(failure); loose: bound/seen, least and median"
)


def verdict_table(results: Sequence[Result]) -> str:
    """One row for every check, no wider than the screen, and what the columns mean."""
    laid = table(HEADER, map(cells, results), screen() or PIPE)
    return "\n".join((laid, "", *wrapped(LEGEND)))


def cells(result: Result) -> tuple[str, ...]:
    """The columns of a result; a verdict that nobody expected is marked."""
    return (
        result.check,
        result.version,
        result.verdict + ("!" if result.ran and not result.as_expected else ""),
        " or ".join(result.expected),
        _evidence(result),
        f"{result.alpha:g}",
        _loose(result),
        f"{result.seconds:.1f} s",
    )


def _evidence(result: Result) -> str:
    if not result.trials:
        return "-"
    told = f"{result.violations} of {result.trials} in {result.instances}"
    if result.interval is not None:
        low, high = result.interval
        told += f", P ≤ {high:.2g}" if low == 0 else f", P {low:.2g} to {high:.2g}"
    if result.best is not None:
        told += f", closest {result.best.ratio:.6g}"
    return told


def _loose(result: Result) -> str:
    if result.looseness is None:
        return "-"
    least, _, middle, _, _ = map(_short, result.looseness)
    return least if least == middle else f"{least} / {middle}"


def _short(number: Real) -> str:
    """At most three digits."""
    if isinstance(number, str):
        return number
    return f"{number:.0f}" if 100 <= number < 1000 else f"{number:.2g}"
