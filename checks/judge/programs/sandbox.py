"""Start a program behind pipes, on Linux in a sandbox that ends all its descendants with it.

Killing all descendants of a program is a race if they fork: one that forks and exits at once is
gone before it is found, and its child likewise. A PID namespace ends as a whole, and ends with the
judge even where that is killed (see `checks/judge/programs/sandbox_starter`). Where the system
grants none a program is started as it is.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ptum.checks.judge.programs import sandbox_starter

ABOVE_STANDARD = 3
"""The first descriptor that is not standard input, output or error."""


@dataclass
class Started:
    """A process that ends as its program does: the program itself, or one that stands for it."""

    process: subprocess.Popen[bytes]
    sandboxed: bool = False
    life: int | None = None
    """A descriptor that keeps the sandbox alive while it is open."""

    def end_sandbox(self) -> None:
        """Whoever is left in the sandbox ends now."""
        if self.life is not None:
            life, self.life = self.life, None
            os.close(life)


def start(words: Sequence[str], environment: Mapping[str, str], privileges: bool) -> Started:
    """The program, in a session of its own; OSError if there is none."""
    return _in_sandbox(words, environment, privileges) or Started(_popen(words, environment))


def _in_sandbox(
    words: Sequence[str], environment: Mapping[str, str], privileges: bool
) -> Started | None:
    """None if the system grants no sandbox."""
    if sys.platform != "linux":
        return None
    (outcome, outcome_there), (life_there, life) = _pipe(), _pipe()
    there = outcome_there, life_there
    own = [sys.executable, "-I", "-S", sandbox_starter.__file__, *map(str, there)]
    try:
        process = _popen([*own, str(int(privileges)), *words], environment, there)
    except BaseException:
        os.close(outcome)
        os.close(life)
        raise
    finally:
        for end in there:
            os.close(end)
    started = Started(process, sandboxed=True, life=life)
    try:
        with os.fdopen(outcome, "rb") as pipe:
            found = pipe.read()  # up to its end, which comes when the program runs
        if found != sandbox_starter.MADE:
            started.end_sandbox()
            process.communicate()
    except BaseException:
        started.end_sandbox()
        raise
    if found == sandbox_starter.MADE:
        return started
    if not found.startswith(sandbox_starter.MADE):
        return None
    problem = int(found.removeprefix(sandbox_starter.MADE))
    raise OSError(problem, os.strerror(problem))


def _pipe() -> tuple[int, int]:
    """To read and to write; not numbered like the standard streams, which the program gets new."""
    ends = os.pipe()
    reading, writing = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, ABOVE_STANDARD) for end in ends)
    for end in ends:
        os.close(end)
    return reading, writing


def _popen(
    words: Sequence[str], environment: Mapping[str, str], keeping: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
        env=environment,
        pass_fds=keeping,
    )
