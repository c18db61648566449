"""`ptum validate --known-bad`: is the judge awake?"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing

from ptum.checks.cli.output.files import STDOUT, indented, require_writable, write_whole
from ptum.checks.cli.output.formatting import EXIT_AS_EXPECTED, EXIT_SURPRISE, Refusal, table
from ptum.checks.cli.output.progress import Progress
from ptum.checks.judge.judging.items import Telling
from ptum.checks.judge.results.self_test import Vigil, caught, passed, rights
from ptum.checks.judge.slips import known_bad


def known_bad_vigil(seeds: int, target: str | None, only: Collection[str] = ()) -> int:
    """Show that the judge catches every known slip and accuses no right implementation.

    `only` names the capabilities to look at, all of them if it is empty.
    """
    if seeds < 1:
        raise Refusal(f"--seeds must be at least 1, not {seeds}")
    require_writable(target)
    result = _watched(seeds, only)
    write_whole(target, indented(result))
    if target != STDOUT:
        print(_vigil_table(result))
    return EXIT_AS_EXPECTED if result.awake else EXIT_SURPRISE


def _watched(seeds: int, only: Collection[str]) -> Vigil:
    wrong = [bad for bad in known_bad() if not only or bad.capability in only]
    right = [one for one in rights() if not only or one.capability in only]
    found, fine = [], []
    with closing(Progress(len(wrong) + len(right))) as progress:
        for bad in wrong:
            progress.step(bad.id)
            found.append(caught(bad, 0))
        for good in right:
            progress.step(f"right {good.id}")
            fine.append(passed(good, range(seeds)))
    return Vigil(known_bad=found, good=fine)


def _told(result: Vigil, how: Telling) -> int:
    return sum(bad.telling == how for bad in result.known_bad)


def _misnamed(result: Vigil) -> list[str]:
    missed = Telling.MISSED
    return [bad.id for bad in result.known_bad if bad.caught and bad.telling == missed]


def _vigil_table(result: Vigil) -> str:
    header = ("known bad", "breaks", "caught by")
    rows = [
        (bad.id, bad.breaks, bad.caught_by if bad.caught else "NOT CAUGHT")
        for bad in result.known_bad
    ]
    accused = [good.id for good in result.good if not good.passes]
    lines = [
        table(header, rows),
        "",
        f"{sum(bad.caught for bad in result.known_bad)} of {len(result.known_bad)} wrong "
        f"implementations are caught; {len(result.good) - len(accused)} of {len(result.good)} "
        "right ones pass.",
        f"{_told(result, Telling.NAMED)} are told by the item that they break, "
        f"{_told(result, Telling.AMONG)} by a set of items with it among them.",
    ]
    lines += [f"told as something else: {name}" for name in _misnamed(result)]
    return "\n".join(lines + [f"accused wrongly: {name}" for name in accused])
