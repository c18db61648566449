"""Workers: a pool of them, here or elsewhere; processes that do not outlive who started them."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Protocol, TypeVar

Answer = TypeVar("Answer")

WORKERS = "fork" if sys.platform == "linux" else "spawn"
"""Copies of this process have everything loaded; elsewhere copying is not safe."""


class Nothing(Exception):
    """No answer will come to this piece of work; the text says why."""


class Pool(Protocol):
    """Workers that are handed pieces of work: functions of a module, with plain arguments."""

    def room(self) -> int:
        """How many pieces may be with the workers at a time."""
        ...

    def submit(self, work: Callable[..., Answer], *arguments: object) -> Future[Answer]:
        """Hand over one piece."""
        ...

    def answer(self, future: Future[Answer]) -> Answer:
        """What came back; raises `Nothing`, or `BrokenExecutor` when no worker is left."""
        ...

    def abandon(self) -> None:
        """Nobody wants what is still running."""
        ...

    def close(self) -> None:
        """The last call, in every case."""
        ...


class LocalPool:
    """Processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._not_ours = {*multiprocessing.active_children()}
        context = multiprocessing.get_context(WORKERS)
        self._pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=begin_work)

    def room(self) -> int:
        """A piece for every process: none waits for time that may be up by then."""
        return self._jobs

    def submit(self, work: Callable[..., Answer], *arguments: object) -> Future[Answer]:
        """Hand over one piece."""
        return self._pool.submit(work, *arguments)

    def answer(self, future: Future[Answer]) -> Answer:
        """What came back; all processes are ended where one was ended from outside."""
        return future.result()

    def abandon(self) -> None:
        """End the processes."""
        for worker in {*multiprocessing.active_children()} - self._not_ours:
            worker.kill()

    def close(self) -> None:
        """Wait for the processes to be gone."""
        self._pool.shutdown(cancel_futures=True)


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
