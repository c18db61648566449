"""A check that runs far beyond its usual CPU time is ended: code that never returns has no verdict.

`usual_seconds.json` has the CPU seconds that checks usually take, by profile. The limit is twenty
times that, and never below a floor, so that slow machines are safe. What has no usual time has no
limit: a check that is not in the file yet, and the deep profile.
`python -m ptum.checks.suite.cpu_limit` measures all of them and writes the file.
"""

from __future__ import annotations

import argparse
import json
import signal
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType

from ptum.checks.claims import registry
from ptum.checks.verdicts.check import Check, Profile

TIMES = 20
FLOOR = 60.0
"""CPU seconds that every check may take."""
AGAIN = 1.0
"""Seconds after which it is raised again, should the first one have been lost in a callback."""
MEASURED = (Profile.QUICK, Profile.STANDARD)
FILE = Path(__file__).with_name("usual_seconds.json")


class TooLongError(KeyboardInterrupt):
    """Raised in the middle of a check; any other exception a search would take for a finding."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"ended at a limit, {seconds:g} seconds of CPU time, which is {TIMES} times what it "
            f"usually takes or the least that every check has"
        )


@cache
def usual_seconds() -> Mapping[str, Mapping[str, float]]:
    """By profile and check."""
    found: dict[str, dict[str, float]] = json.loads(FILE.read_text())
    return found


def limit_of(check: str, profile: Profile) -> float | None:
    """The CPU seconds after which a check is ended, or None if there is no limit."""
    usual = usual_seconds().get(profile.value, {}).get(check)
    return None if usual is None else max(FLOOR, TIMES * usual)


@contextmanager
def limited(seconds: float | None) -> Generator[None, None, None]:
    """Raise `TooLongError` in here after so many CPU seconds of this process.

    Signals reach the main thread alone; elsewhere there is no limit.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_: int, __: FrameType | None) -> None:
        raise TooLongError(seconds)

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def seconds_of(check: Check, profile: Profile) -> float:
    """The CPU time of one run."""
    started = time.process_time()
    check.run(check.context(profile, 0))
    return time.process_time() - started


def measure(profile: Profile) -> dict[str, float]:
    """All checks, one after the other."""
    return {check.id: round(seconds_of(check, profile), 1) for check in registry().values()}


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    text = "Run all checks of quick and standard, for minutes, and write down their CPU times."
    prog = "python -m ptum.checks.suite.cpu_limit"
    argparse.ArgumentParser(prog=prog, description=text).parse_args(arguments)
    write({profile.value: measure(profile) for profile in MEASURED})


def write(found: Mapping[str, Mapping[str, float]]) -> None:
    """Put the usual times into the file."""
    FILE.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
