"""What is written down of the exact probabilities: docs/exact_runs.json, a table and a card.

`python -m ptum.checks.claims.section_3_exact.summary` runs every named problem in both versions
and writes the JSON file; the table of docs/looseness.md and the card are made of the file alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from ptum.checks.claims.section_3_exact.doubles import decided_otherwise, other_decisions
from ptum.checks.claims.section_3_exact.named import NAMED
from ptum.checks.claims.section_3_exact.promises import (
    problem_of,
    results_of,
    rounded_down,
    rounded_up,
)
from ptum.checks.exact.intervals import Between
from ptum.checks.exact.runs import premises
from ptum.checks.exact.runs.comparisons import CLOSE
from ptum.checks.exact.runs.premises import LINES
from ptum.checks.text.markdown import markdown_table
from ptum.spec.vocabulary import Version

SCHEMA: Literal["ptum-exact-runs/1"] = "ptum-exact-runs/1"
COMMAND = "python -m ptum.checks.claims.section_3_exact.summary"
FILE = Path(__file__).resolve().parents[3] / "docs" / "exact_runs.json"
VERSIONS = (Version.PRINTED, Version.REPAIRED)

Enclosed: TypeAlias = tuple[float, float]
"""A number lies between these."""


class SummaryRow(msgspec.Struct, frozen=True, kw_only=True):
    """One problem under one version of Algorithm 1, with Theorem 1's bound in that version.

    `unmet` has the lines of Assumption 1 that fail, and `transfers` says whether line 2 lets the
    run begin. `bound` is null where it is infinite. `nearest` is the least distance between the
    sides of any comparison, in units of 1 or 1/(1-γ), null where nothing was compared;
    `otherwise_in_doubles` lists what the literal code decides otherwise, with margins.
    """

    problem: str
    version: str
    models: int
    gamma: float
    epsilon: float
    delta: float
    Delta: float
    n: int
    unmet: list[str]
    transfers: bool
    target_eliminated: Enclosed
    bad_policy: Enclosed
    too_many_queries: Enclosed
    fallback: dict[str, Enclosed]
    expected_queries: Enclosed
    most_queries: int
    bound: float | None
    nearest: float | None
    otherwise_in_doubles: list[str]


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Every row, and the command that makes them."""

    schema: Literal["ptum-exact-runs/1"]
    command: str
    rows: list[SummaryRow]


def row(name: str, version: Version) -> SummaryRow:
    """Run a named problem."""
    problem, found = problem_of(name), results_of(name, version)
    margins = [
        f"equation ({close.equation}) of model {close.theta} at {close.pair} with {close.count}: "
        f"distance less width is {float(close.margin):.3g}"
        for close in found.close
        if decided_otherwise(problem, close)
    ]
    return SummaryRow(
        problem=name,
        version=version.value,
        models=problem.k,
        gamma=float(problem.gamma),
        epsilon=float(problem.epsilon),
        delta=float(problem.delta),
        Delta=float(problem.errors.Delta),
        n=problem.n,
        unmet=[line.value for line in LINES[version] if not premises.keeps(problem, line)],
        transfers=premises.transfers(problem, version),
        target_eliminated=_ends(found.eliminated),
        bad_policy=_ends(found.bad_policy),
        too_many_queries=_ends(found.too_many),
        fallback={end.value: _ends(each) for end, each in found.fallback.items()},
        expected_queries=_ends(found.queries),
        most_queries=found.most_queries,
        bound=None if found.bound is None else float(found.bound),
        nearest=found.nearest if found.nearest < float("inf") else None,
        otherwise_in_doubles=[*margins, *other_decisions(problem, version)],
    )


def _ends(of: Between) -> Enclosed:
    return rounded_down(of.low), rounded_up(of.high)


def summary() -> Summary:
    """Run everything."""
    rows = [row(each.name, version) for each in NAMED for version in VERSIONS]
    return Summary(schema=SCHEMA, command=COMMAND, rows=rows)


def stored() -> Summary:
    """What docs/exact_runs.json has."""
    return msgspec.json.decode(FILE.read_bytes(), type=Summary)


# The card


class CardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One promise in one version.

    `problems` meet its premises; on `broken` of them the probability of the opposite exceeds δ;
    `largest` bounds that probability on all of them, and `largest_kept` on those that are not
    broken.
    """

    promise: str
    version: str
    problems: int
    broken: int
    largest: float
    largest_kept: float


PROMISES: Mapping[str, Callable[[SummaryRow], Enclosed]] = {
    "the target is never eliminated": lambda row: row.target_eliminated,
    "the returned policy is ε-optimal": lambda row: row.bad_policy,
    "queries within Theorem 1's bound": lambda row: row.too_many_queries,
}
"""And how probable it is that a run does not keep them."""


def card(rows: Sequence[SummaryRow] | None = None) -> list[CardRow]:
    """Every promise in both versions, over the problems in which the run begins.

    Their premises are those lines of Assumption 1 that the version has, and line 2.
    """
    found = stored().rows if rows is None else rows
    return [
        _card_row(promise, version, [of(row) for row in found if _in_scope(row, version)], found)
        for promise, of in PROMISES.items()
        for version in VERSIONS
    ]


def _in_scope(row: SummaryRow, version: Version) -> bool:
    return row.version == version.value and row.transfers and not row.unmet


def _card_row(
    promise: str, version: Version, ends: Sequence[Enclosed], rows: Sequence[SummaryRow]
) -> CardRow:
    deltas = [row.delta for row in rows if _in_scope(row, version)]
    kept = [high for (low, high), delta in zip(ends, deltas, strict=True) if low <= delta]
    return CardRow(
        promise=promise,
        version=version.value,
        problems=len(ends),
        broken=len(ends) - len(kept),
        largest=max(high for _, high in ends),
        largest_kept=max(kept),
    )


# The table


def section() -> str:
    """What docs/looseness.md says of whole runs."""
    rows = stored().rows
    differ = sum(bool(row.otherwise_in_doubles) for row in rows)
    nearest = min(row.nearest for row in rows if row.nearest is not None)
    header = (
        "problem",
        "version",
        "δ",
        "P(target eliminated)",
        "P(loss above ε)",
        "P(queries > bound)",
        "P(fallback)",
        "E[queries]",
        "bound",
        "bound/E",
    )
    return "\n".join(
        (
            "## Whole runs, exactly\n",
            "On small problems a run is a Markov chain, and every probability below is exact: it "
            "lies between two numbers that agree in the digits shown, `docs/exact_runs.json` has "
            f"both (`{COMMAND}` makes it, `checks/exact/runs` says how). Where both "
            "versions of Algorithm 1 run alike the row has both bounds of Theorem 1, printed / "
            "repaired. Rows marked † do not meet Assumption 1 in that version, or fall back in "
            f"line 2. {_loosest(rows)}\n",
            markdown_table(header, _cells(rows)),
            "Comparisons are those of real numbers. No two sides came closer than "
            f"{nearest:.1e} (in units of 1, or 1/(1-γ)), and doubles are off by less than "
            f"{CLOSE:.0e}; {_differing(rows, differ)}",
        )
    )


def _differing(rows: Sequence[SummaryRow], differ: int) -> str:
    if not differ:
        return "the literal code decides no count and no line otherwise.\n"
    listed = "; ".join(
        f"{row.problem} ({row.version}): {what}"
        for row in rows
        for what in row.otherwise_in_doubles
    )
    return f"the literal code decides otherwise in: {listed}.\n"


def _loosest(rows: Sequence[SummaryRow]) -> str:
    """How much δ and the repaired bound give away, where the budget exceeds the bound."""
    ratios = [
        row.bound / row.expected_queries[1]
        for row in rows
        if _in_scope(row, Version.REPAIRED)
        and row.bound is not None
        and row.expected_queries[1] > 1
        and row.n > row.bound
    ]
    never = next(one for one in card(rows) if one.version == Version.REPAIRED)
    return (
        f"Repaired, the target is eliminated with probability {never.largest:.1e} at most, and "
        f"the bound is {min(ratios):.0f} to {max(ratios):.0f} times the expected number of "
        "queries where n exceeds it: δ is paid many times over, by widths that hold for all "
        "counts, pairs and models at once."
    )


def _cells(rows: Sequence[SummaryRow]) -> Iterator[tuple[str, ...]]:
    for printed, repaired in zip(rows[::2], rows[1::2], strict=True):
        if _numbers(printed) == _numbers(repaired) and _marked(printed) == _marked(repaired):
            yield _cell(printed, "both", (printed.bound, repaired.bound))
        else:
            yield _cell(printed, "printed", (printed.bound,))
            yield _cell(repaired, "repaired", (repaired.bound,))


def _marked(row: SummaryRow) -> str:
    return "" if _in_scope(row, Version(row.version)) else " †"


def _numbers(row: SummaryRow) -> tuple[Enclosed, ...]:
    probabilities = (row.target_eliminated, row.bad_policy, row.too_many_queries)
    return (*probabilities, *row.fallback.values(), row.expected_queries)


def _cell(row: SummaryRow, version: str, bounds: Sequence[float | None]) -> tuple[str, ...]:
    fallback = (
        sum(low for low, _ in row.fallback.values()),
        min(sum(high for _, high in row.fallback.values()), 1.0),
    )
    expected = row.expected_queries[1]
    ratios = ["∞" if b is None else f"{b / expected:.0f}" if expected >= 1 else "" for b in bounds]
    return (
        row.problem + _marked(row),
        version,
        f"{row.delta:g}",
        *map(shown, (row.target_eliminated, row.bad_policy, row.too_many_queries, fallback)),
        shown(row.expected_queries),
        " / ".join("∞" if bound is None else f"{bound:.0f}" for bound in bounds),
        " / ".join(ratios) if any(ratios) else "",
    )


def shown(ends: Enclosed) -> str:
    """Four digits where the ends agree in them; below 10⁻⁹⁰ they need not."""
    low, high = ends
    if high == 0 or f"{low:.4g}" == f"{high:.4g}":
        return f"{high:.4g}"
    return "< 1e-90" if high < 1e-90 else f"{low:.4g} to {high:.4g}"


def main() -> None:
    """The command."""
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(summary()), indent=2) + b"\n")


if __name__ == "__main__":
    main()
