"""Work on a dask.distributed cluster: `--scheduler ADDRESS` of `ptum verify` and `ptum reproduce`.

A piece of work is a check or a run of a panel; only what names it, the seed and what came of it
travel. Every worker must have the same sources of ptum, which is asked of all of them at once and
again before every piece, since workers come and go. Where `Machine` is equal too, results are equal
to the last bit; where it is not, verdicts still are, since their tolerances cover rounding.

The scheduler gives the work of a worker that died to another one; no answer comes to a piece with
which `DEATHS` workers died.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import contextmanager
from dataclasses import dataclass

from distributed import Client, KilledWorker
from distributed.comm.addressing import get_address_host_port
from threadpoolctl import threadpool_limits

from ptum.checks.instances.families.user import load_family
from ptum.checks.suite.runner import LOST
from ptum.checks.text.machine import Machine, sources, this_machine
from ptum.checks.verdicts.workers import Answer, Nothing

PATIENCE = 10.0
"""Seconds within which a scheduler must answer."""

DEATHS = 4
"""Workers that a piece may cost: `distributed.scheduler.allowed-failures`, and the last one."""


class Unusable(Exception):
    """A cluster that cannot be used; the text says why."""


@dataclass(frozen=True)
class Worker:
    """What a worker says of itself."""

    sources: str
    machine: Machine


def introduce(family: str | None) -> Worker:
    """On a worker, before the first piece: who it is; a family must be there as well."""
    if family is not None:
        load_family(family)
    return Worker(sources(), this_machine())


def on_worker(expected: str, work: Callable[..., Answer], *arguments: object) -> Answer:
    """On a worker: one piece, with one thread, if the sources are those of the caller."""
    if sources() != expected:
        raise Unusable(f"a worker has ptum {sources()}, this is {expected}")
    with threadpool_limits(limits=1):
        return work(*arguments)


class ClusterPool:
    """The workers behind a scheduler, as a `Pool`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)  # work is done as often as it is asked

    def room(self) -> int:
        """A piece for every worker that is there now; one waits where there is none."""
        return max(1, len(self._client.nthreads()))

    def submit(self, work: Callable[..., Answer], *arguments: object) -> Future[Answer]:
        """Hand over one piece."""
        submitted: Future[Answer] = self._executor.submit(on_worker, sources(), work, *arguments)
        return submitted

    def answer(self, future: Future[Answer]) -> Answer:
        """What came back; nothing does where no worker survives, or from one with other sources."""
        try:
            return future.result()
        except CancelledError as gone:
            raise BrokenExecutor("the scheduler is gone") from gone
        except KilledWorker as problem:
            raise Nothing(f"{DEATHS} times: {LOST}") from problem
        except Exception as problem:  # of the worker: what the work raises is its answer
            raise Nothing(f"{type(problem).__name__}: {problem}") from problem

    def abandon(self) -> None:
        """Take back what no worker has begun; what has begun goes on over there, for nobody."""
        self._executor.shutdown(wait=False)

    def close(self) -> None:
        """The connection is closed by `connected`."""


@contextmanager
def connected(address: str, family: str | None) -> Iterator[tuple[ClusterPool, list[str]]]:
    """The pool, and how workers differ from this machine; `Unusable` if no work can be done."""
    _require_listener(address)
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as problem:
        raise Unusable(f"no dask scheduler answers at {address}: {problem}") from problem
    with client:
        yield ClusterPool(client), _differences(client, address, family)


def _require_listener(address: str) -> None:
    """A port that nobody listens at is noticed at once; the client would go on trying."""
    try:
        host, port = get_address_host_port(address)
        socket.create_connection((host, port), PATIENCE).close()
    except (OSError, ValueError) as problem:
        raise Unusable(f"no scheduler can be reached at {address}: {problem}") from problem


def _differences(client: Client, address: str, family: str | None) -> list[str]:
    threads = client.nthreads()
    if not threads:
        raise Unusable(f"the scheduler at {address} has no workers")
    several = [worker for worker, count in threads.items() if count != 1]
    if several:
        raise Unusable(f"{several[0]} has several threads: start workers with --nthreads 1")
    here, found = this_machine(), client.run(introduce, family, on_error="return")
    lines = []
    for worker, answer in sorted(found.items()):
        if isinstance(answer, ValueError):
            raise Unusable(f"{worker}: {answer}")
        if not isinstance(answer, Worker):
            raise Unusable(f"{worker} has no ptum, or another version: {answer!r}")
        if answer.sources != sources():
            raise Unusable(f"{worker} has ptum {answer.sources}, this is {sources()}")
        if differing := here.differences(answer.machine):
            lines.append(f"{worker}: {', '.join(differing)}")
    return lines
