"""Worker processes: how they are started, and that none of them outlives who started it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading

WORKERS = "fork" if sys.platform == "linux" else "spawn"
"""Copies of this process have everything loaded; elsewhere copying is not safe."""


def begin_work() -> None:
    """A worker leaves signals to the process that started it, which ends it when one comes.

    What a copied process has at birth stays to the end: no use for the garbage collector to look.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    gc.freeze()


def _end_with_the_parent() -> None:
    """Wait until the process that started this one is gone, even by `kill -9`, and go as well.

    What is waited for is a pipe that the other process holds open. Workers that were started later
    hold a copy of it, so that the last one goes first, and the others in their turn.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
