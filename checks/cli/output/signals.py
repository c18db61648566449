"""A wish to stop (Ctrl-C, SIGTERM, SIGHUP) that is kept until the command can honour it.

Imports take a second or two. Whoever interrupts them wants the same as later: a clean end and a
report that says what was not run. So signals are remembered from the moment the arguments are
read, and the run that would begin ends before its first check.

Who is not sure of having been heard presses twice. So the first signal is answered in a line at
once, and a second one that comes while results are being written changes nothing.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType

Handler = Callable[[int, FrameType | None], None]


STOPPING = "ptum: stopping; what has not finished counts as inconclusive\n"
CLEAR = "\r\x1b[2K"
"""Takes away a bar of progress, or what a terminal shows of the key."""


class Wish:
    """Whether somebody wants the command to stop."""

    def __init__(self) -> None:
        self._times = 0
        self._pardoned = 0

    @property
    def stated(self) -> bool:
        """Whether a signal came."""
        return self._times > 0

    def raise_if_interrupted(self) -> None:
        """Stop now if a signal came."""
        if self.stated:
            raise KeyboardInterrupt

    def interrupted(self) -> None:
        """A signal came while checks ran, and the runner sees to it; the next may be impatience."""
        self._count()
        self.finish()

    def remember(self, number: int, frame: FrameType | None) -> None:
        """The first time is remembered; who insists is obeyed at once."""
        del number, frame
        self._count()
        if self._times > max(self._pardoned, 1):
            raise KeyboardInterrupt

    def _count(self) -> None:
        """Answer the first signal, unless nothing is left to be stopped."""
        self._times += 1
        if self._times == 1 and not self._pardoned:
            os.write(2, ((CLEAR if os.isatty(2) else "") + STOPPING).encode())

    def finish(self) -> None:
        """Nothing runs any more: one further signal does not cut off what is being written."""
        self._pardoned = self._times + 1


@contextmanager
def remembered() -> Iterator[Wish]:
    """While this lasts, SIGINT, SIGTERM and SIGHUP only state a wish.

    The runner has a handler of its own for SIGINT while checks run; the others are passed on to it.
    """
    wish = Wish()
    with _handled(signal.SIGINT, wish.remember), terminated_like_interrupted():
        yield wish


def deaf() -> None:
    """The exit code is decided, everything is written: no signal counts until the process ends."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def terminated_like_interrupted() -> Iterator[None]:
    """While this lasts, SIGTERM does what Ctrl-C does: children are ended, files closed.

    So does SIGHUP, which comes when the terminal is closed, unless it is ignored, as by `nohup`.
    """
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    hung_up = nullcontext() if ignored else _handled(signal.SIGHUP, _as_interrupt)
    with _handled(signal.SIGTERM, _as_interrupt), hung_up:
        yield


def _as_interrupt(number: int, frame: FrameType | None) -> None:
    """A terminal sends Ctrl-C to all processes of a command, `kill` to one: pass it on.

    Workers are ended at once; nobody waits for what they were doing.
    """
    from multiprocessing import active_children  # here, so that `ptum --help` answers at once

    del number, frame
    for child in active_children():
        child.terminate()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


@contextmanager
def _handled(number: signal.Signals, handler: Handler) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # no signals arrive there
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)
