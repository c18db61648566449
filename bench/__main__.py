"""Measure what the fast code costs: a table on the terminal, bench.json, and bench.svg.

A row is a ratio of CPU times, the best of several rounds, and what it must reach. Rows of
bench.json that are not measured again stay.
"""

from __future__ import annotations

import argparse
import json
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


def wanted() -> list[str]:
    """What the command line names; without names everything that needs no idle machine."""
    names = {name: says for name, (says, _) in ROWS.items()}
    names[PLOT] = f"{PICTURE}: how times grow with S·A, |Θ|, n, d and h"
    names |= {name: f"{names[name]} (only where it is named: ten minutes)" for name in ALONE}
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        epilog="names:\n" + "\n".join(f"  {name:10} {says}" for name, says in names.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="measure these rows alone")
    given: list[str] = parser.parse_args().names
    unknown = [name for name in given if name not in names]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(names)}")
    return given or [name for name in names if name not in ALONE]


def main() -> None:
    """Measure what is wanted."""
    chosen = wanted()
    print(f"{'ratio':>8}  {'must':>8}  {'':11}  what")
    for name in chosen:
        for row in ROWS[name][1]() if name in ROWS else ():
            print(line(row), flush=True)
            keep(row)
    if PLOT in chosen:
        plot(PICTURE)


if __name__ == "__main__":
    main()
