"""A wish to stop (Ctrl-C or SIGTERM) that is kept until the command can honour it.

Imports take a second or two. Whoever interrupts them wants the same as later: a clean end and a
report that says what was not run. So signals are remembered from the moment the arguments are
read, and the run that would begin ends before its first check.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], None]


class Wish:
    """Whether somebody wants the command to stop."""

    def __init__(self) -> None:
        self._times = 0

    @property
    def stated(self) -> bool:
        """Whether a signal came."""
        return self._times > 0

    def heed(self) -> None:
        """Stop now if a signal came."""
        if self.stated:
            raise KeyboardInterrupt

    def remember(self, number: int, frame: FrameType | None) -> None:
        """The first time is remembered; who insists is obeyed at once."""
        del number, frame
        self._times += 1
        if self._times > 1:
            raise KeyboardInterrupt
        os.write(2, b"ptum: stopping; what has not run counts as inconclusive\n")


@contextmanager
def remembered() -> Iterator[Wish]:
    """While this lasts, SIGINT and SIGTERM only state a wish.

    The runner has a handler of its own for SIGINT while checks run; SIGTERM is passed on to it.
    """
    wish = Wish()
    with _handled(signal.SIGINT, wish.remember), _handled(signal.SIGTERM, _as_interrupt):
        yield wish


@contextmanager
def terminated_like_interrupted() -> Iterator[None]:
    """While this lasts, SIGTERM does what Ctrl-C does: children are ended, files closed."""
    with _handled(signal.SIGTERM, _as_interrupt):
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
