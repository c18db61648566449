"""Run something in a fork of this process, within a limit of processor time."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TypeVar

Answer = TypeVar("Answer")

PATIENCE = 30
"""A fork may take this many times its processor time: others use the machine too."""


@dataclass(frozen=True)
class Fork:
    """A child process that will leave its answer in a file."""

    pid: int
    file: IO[bytes]
    ends: float

    def result(self) -> object:
        """None as long as it runs; then its answer, or a `Lost` if it left none."""
        if time.monotonic() > self.ends:
            os.kill(self.pid, signal.SIGKILL)
        pid, _ = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            return None
        self.file.seek(0)
        content = self.file.read()
        self.file.close()
        answer: object = pickle.loads(content) if content else Lost()
        if isinstance(answer, Broken):
            raise RuntimeError(answer.traceback)
        return answer


@dataclass(frozen=True)
class Lost:
    """A fork that came to its limit or was ended by a signal."""


@dataclass(frozen=True)
class Broken:
    """A fork whose work raised: a mistake of the tool, for tests keep their exceptions."""

    traceback: str


def fork(work: Callable[[], Answer], seconds: int) -> Fork:
    """Start the work in a child, which ends when it is done or has used its time."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `result`
    pid = os.fork()
    if pid == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
            file.write(pickle.dumps(_guarded(work)))
            file.flush()
        finally:
            os._exit(0)
    return Fork(pid, file, time.monotonic() + PATIENCE * seconds)


def _guarded(work: Callable[[], Answer]) -> Answer | Broken:
    try:
        return work()
    except BaseException:
        return Broken(traceback.format_exc())


def wait(child: Fork) -> object:
    """The answer of the child, or a `Lost`."""
    while (answer := child.result()) is None:
        time.sleep(0.01)
    return answer
