"""`python -m tests.mutation [MODULE…]`: copy the tree and mutate the copy."""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
from pathlib import Path

from tests.mutation.copying import ROOT, environment, private_copy
from tests.mutation.page import PAGE, page
from tests.mutation.record import FILE, load
from tests.mutation.selection import all_modules


def main() -> int:
    """Where the code has not changed since its run, only unexplained survivors run again."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=main.__doc__)
    parser.add_argument(
        "modules", nargs="*", help="such as ptum.reference.transfer.ptum; default: all"
    )
    parser.add_argument(
        "--tests", action="append", default=[], help="this test file alone; for a new test"
    )
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    parser.add_argument("--budget", type=float, default=20.0, help="processor seconds per mutant")
    parser.add_argument("--slow", action="store_true", help="tests marked slow as well")
    parser.add_argument("--limit-seconds", type=float, default=math.inf)
    parser.add_argument("--report", type=Path, default=FILE, help="where the record is kept")
    parser.add_argument("--page", action="store_true", help="only write the page of the record")
    given = parser.parse_args()
    code = 0 if given.page else mutate(given)
    record = load(given.report)
    if given.report == FILE:
        PAGE.write_text(page(record))
    left = sum(len(module.unexplained) for module in record.values())
    print(f"{left} survivors without an explanation")
    return code or int(left > 0)


def mutate(given: argparse.Namespace) -> int:
    """Run the worker in a private copy, for what it plants must not be seen by others."""
    with private_copy() as copy:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "tests.mutation.worker"),
                *(given.modules or all_modules(ROOT)),
                *(f"--tests={test}" for test in given.tests),
                *(["--slow"] if given.slow else []),
                *("--report", str(given.report.resolve())),
                *("--jobs", str(given.jobs)),
                *("--budget", str(given.budget)),
                *("--limit-seconds", str(given.limit_seconds)),
            ],
            cwd=copy,
            env=environment(copy),
            check=False,
        )
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
