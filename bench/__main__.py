"""`make bench`: a table on the terminal, `bench.json`, and `bench.svg`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from bench.curves import plot
from bench.measure import CpuRatio
from bench.rows import long_rows, rows


def line(row: CpuRatio) -> str:
    """One row of the table."""
    if row.ratio is None or row.spread is None:
        return f"{'-':>8}  {row.must:>8}  not measured  {row.what}"
    reached = "reached" if row.reached else "NOT reached"
    low, high = row.spread
    return "\n".join(
        (
            f"{row.ratio:8.3g}  {row.must:>8}  {reached:11}  {row.what}",
            f"{'':33}{row.parts}; single rounds {low:.3g} to {high:.3g}",
            *(f"{'':33}{where}" for where in row.profile),
        )
    )


def main(wanted: list[str]) -> None:
    """Measure everything; `all` also measures what takes minutes."""
    found = []
    print(f"{'ratio':>8}  {'must':>8}  {'':11}  what")
    chosen = chain(rows(), long_rows()) if wanted == ["all"] else rows()
    for row in chosen:
        print(line(row), flush=True)
        found.append(asdict(row))
    Path("bench.json").write_text(json.dumps({"rows": found}, indent=2, ensure_ascii=False))
    plot(Path("bench.svg"))


if __name__ == "__main__":
    main(sys.argv[1:])
