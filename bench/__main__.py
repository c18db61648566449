"""`make bench`: a table on the terminal, `bench.json`, and `bench.svg`.

`python -m bench NAME…` measures the named rows, or the plot, alone.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bench.curves import plot
from bench.measure import CpuRatio
from bench.rows import ALONE, ROWS

RESULT, PICTURE = Path("bench.json"), Path("bench.svg")
PLOT = "plot"


def line(row: CpuRatio) -> str:
    """One row of the table."""
    reached = "reached" if row.reached else "NOT reached"
    low, high = row.spread
    return "\n".join(
        (
            f"{row.ratio:8.3g}  {row.must:>8}  {reached:11}  {row.what}",
            f"{'':33}{row.parts}; single rounds {low:.3g} to {high:.3g}",
            *(f"{'':33}{where}" for where in row.profile),
        )
    )


def keep(row: CpuRatio) -> None:
    """The row in `bench.json`, in place of an older one; other rows stay."""
    rows = json.loads(RESULT.read_text())["rows"] if RESULT.exists() else []
    by_name = {old["what"]: old for old in rows} | {row.what: row.document()}
    document = {"rows": list(by_name.values())}
    RESULT.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def main(wanted: list[str]) -> None:
    """Measure what is named; without names everything that needs no idle machine."""
    names = [*ROWS, PLOT]
    unknown = [name for name in wanted if name not in names]
    if unknown:
        sys.exit(f"bench: there is no {', '.join(unknown)}; there are {', '.join(names)}")
    chosen = wanted or [name for name in names if name not in ALONE]
    print(f"{'ratio':>8}  {'must':>8}  {'':11}  what")
    for name in chosen:
        for row in ROWS[name]() if name in ROWS else ():
            print(line(row), flush=True)
            keep(row)
    if PLOT in chosen:
        plot(PICTURE)
    if not wanted:
        print(f"not measured: {', '.join(ALONE)} (on an idle machine: python -m bench NAME)")


if __name__ == "__main__":
    main(sys.argv[1:])
