"""Start a program behind pipes, on Linux in an enclosure that ends all its descendants with it.

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
    enclosed: bool = False
    life: int | None = None
    """A descriptor that keeps the enclosure alive while it is open."""

    def let_end(self) -> None:
        """Whoever is left in the enclosure ends now."""
        if self.life is not None:
            life, self.life = self.life, None
            os.close(life)


def start(words: Sequence[str], environment: Mapping[str, str], privileges: bool) -> Started:
    """The program, in a session of its own; OSError if there is none."""
    return _enclosed(words, environment, privileges) or Started(_popen(words, environment))


def _enclosed(
    words: Sequence[str], environment: Mapping[str, str], privileges: bool
) -> Started | None:
    """None if the system grants no enclosure."""
    if sys.platform != "linux":
        return None
    (told, telling), (living, life) = _pipe(), _pipe()
    own = [sys.executable, "-I", "-S", sandbox_starter.__file__, str(telling), str(living)]
    try:
        process = _popen([*own, str(int(privileges)), *words], environment, (telling, living))
    except BaseException:
        os.close(told)
        os.close(life)
        raise
    finally:
        os.close(telling)
        os.close(living)
    started = Started(process, enclosed=True, life=life)
    try:
        with os.fdopen(told, "rb") as pipe:
            said = pipe.read()  # up to its end, which comes when the program runs
        if said != sandbox_starter.MADE:
            started.let_end()
            process.communicate()
    except BaseException:
        started.let_end()
        raise
    if said == sandbox_starter.MADE:
        return started
    if not said.startswith(sandbox_starter.MADE):
        return None
    problem = int(said.removeprefix(sandbox_starter.MADE))
    raise OSError(problem, os.strerror(problem))


def _pipe() -> tuple[int, int]:
    """Its ends must not have the numbers of standard streams, which the program gets anew."""
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
