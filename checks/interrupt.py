"""Ctrl-C that cannot get lost.

Python raises KeyboardInterrupt wherever a program happens to be. Inside a callback of the garbage
collector, and Hypothesis has one, it is printed and forgotten, and a deep run would go on for
hours. So the wish to stop is also remembered here, and looked at before every instance and check.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_wanted = threading.Event()


@contextmanager
def remembered() -> Iterator[None]:
    """While this lasts, Ctrl-C interrupts as always and is remembered as well."""
    if threading.current_thread() is not threading.main_thread():  # no signals arrive there
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    _wanted.clear()
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        _wanted.clear()


def heed() -> None:
    """Interrupt if Ctrl-C was pressed and got lost."""
    if _wanted.is_set():
        raise KeyboardInterrupt


def _interrupt(number: int, frame: object) -> None:
    del number, frame
    _wanted.set()
    raise KeyboardInterrupt
