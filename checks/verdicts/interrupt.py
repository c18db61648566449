"""Ctrl-C that cannot get lost, and that breaks nothing but a check.

Python raises KeyboardInterrupt wherever a program happens to be. Inside a callback of the garbage
collector, and Hypothesis has one, it is printed and forgotten, and a deep run would go on for
hours; between two lines of the runner it could lose a result or leave a worker behind. So the wish
to stop is remembered here and looked at before every instance and check, and an exception comes out
of nowhere only while a check is running in this process.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _State:
    """Plain attributes: a handler that waits for a lock of the code that it interrupts hangs."""

    wanted = False
    breakable = False


@contextmanager
def remembered(tell: Callable[[], None] | None = None) -> Iterator[None]:
    """While this lasts, Ctrl-C is remembered, and `tell` is called every time it comes."""

    def remember(number: int, frame: object) -> None:
        del number, frame
        _State.wanted = True
        if tell is not None:
            tell()
        if _State.breakable:
            raise KeyboardInterrupt

    _State.wanted = False
    if threading.current_thread() is not threading.main_thread():  # no signals arrive there
        yield
        return
    before, shown = signal.signal(signal.SIGINT, remember), sys.unraisablehook

    def show(lost: sys.UnraisableHookArgs) -> None:
        """An interrupt that got lost is remembered: its traceback would only frighten."""
        if lost.exc_type is not KeyboardInterrupt:
            shown(lost)

    sys.unraisablehook = show
    try:
        yield
    finally:
        sys.unraisablehook = shown
        signal.signal(signal.SIGINT, before)
        _State.wanted = False


@contextmanager
def breakable() -> Iterator[None]:
    """While this lasts, a Ctrl-C that is remembered interrupts at once, as often as it comes."""
    _State.breakable = True
    try:
        raise_if_interrupted()
        yield
    finally:
        _State.breakable = False


def raise_if_interrupted() -> None:
    """Interrupt if Ctrl-C was pressed and got lost, or could not interrupt then."""
    if _State.wanted:
        raise KeyboardInterrupt
