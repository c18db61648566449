"""`ptum validate --slips`: does the judge notice?"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing

from ptum.checks.cli.output.files import STDOUT, indented, require_writable, write_whole
from ptum.checks.cli.output.formatting import (
    EXIT_AS_EXPECTED,
    EXIT_MISMATCH,
    Refusal,
    table,
    wrapped,
)
from ptum.checks.cli.output.progress import Progress
from ptum.checks.judge.judging.items import Telling
from ptum.checks.judge.results.self_test import SelfTest, all_conforming, caught, passed
from ptum.checks.judge.slips import slips


def run_self_test(seeds: int, target: str | None, only: Collection[str] = ()) -> int:
    """Show that the judge catches every known slip and accuses no conforming implementation.

    `only` names the capabilities to look at, all of them if it is empty.
    """
    if seeds < 1:
        raise Refusal(f"--seeds must be at least 1, not {seeds}")
    require_writable(target)
    result = _watched(seeds, only)
    write_whole(target, indented(result))
    if target != STDOUT:
        print(_table(result))
    return EXIT_AS_EXPECTED if result.passes else EXIT_MISMATCH


def _watched(seeds: int, only: Collection[str]) -> SelfTest:
    faulty = [bad for bad in slips() if not only or bad.capability in only]
    fine = [one for one in all_conforming() if not only or one.capability in only]
    found, passing = [], []
    with closing(Progress(len(faulty) + len(fine))) as progress:
        for bad in faulty:
            progress.step(bad.id)
            found.append(caught(bad, 0))
        for good in fine:
            progress.step(f"conforming {good.id}")
            passing.append(passed(good, range(seeds)))
    return SelfTest(slips=found, conforming=passing)


def _named(result: SelfTest, how: Telling) -> int:
    return sum(bad.telling == how for bad in result.slips)


def _misnamed(result: SelfTest) -> list[str]:
    missed = Telling.MISSED
    return [bad.id for bad in result.slips if bad.caught and bad.telling == missed]


def _table(result: SelfTest) -> str:
    header = ("slip", "breaks", "caught by")
    rows = [
        (bad.id, bad.breaks, bad.caught_by if bad.caught else "NOT CAUGHT") for bad in result.slips
    ]
    accused = [good.id for good in result.conforming if not good.passes]
    caught = (
        f"{sum(bad.caught for bad in result.slips)} of {len(result.slips)} slips "
        f"are caught; {len(result.conforming) - len(accused)} of {len(result.conforming)} "
        "conforming implementations pass."
    )
    named = (
        f"{_named(result, Telling.NAMED)} are reported under the item that they break, "
        f"{_named(result, Telling.AMONG)} under a set of items that contains it."
    )
    lines = [table(header, rows), "", *wrapped(caught), *wrapped(named)]
    lines += [f"reported as something else: {name}" for name in _misnamed(result)]
    return "\n".join(lines + [f"accused wrongly: {name}" for name in accused])
