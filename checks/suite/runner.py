"""Run checks, in this process or in several, and hold each verdict against the ledger.

A result is a function of the check, the profile and the seed alone: it does not depend on how
many processes there are, on the order, or on which other checks run. A check counts as a whole or
not at all: a limit of time starts no further one, an interrupt gives up those that are running, and
what has not finished is `inconclusive`, never a pass.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeAlias

from ptum.checks.claims import registry
from ptum.checks.instances.families.user import load_family
from ptum.checks.suite.on_family import run_on_family
from ptum.checks.verdicts import interrupt
from ptum.checks.verdicts.check import Check, Profile
from ptum.checks.verdicts.outcome import Outcome
from ptum.spec import ledger
from ptum.spec.vocabulary import Status, Verdict, Version, expected_verdicts

WORKERS = "fork" if sys.platform == "linux" else "spawn"
"""Copies of this process have every check loaded; elsewhere copying is not safe."""

NOT_RUN = "not run: the work was cut short"
LOST = (
    "a worker process was ended from outside (by a signal, or for want of memory); "
    "nothing is known of the checks that were running then"
)

ATTENTION = 0.1
"""Seconds after which a wish to stop is noticed at the latest while workers are busy."""


@dataclass(frozen=True)
class Row:
    """One check and its outcome, beside what the ledger expected; `ran` is False if it was cut."""

    check: Check
    outcome: Outcome
    expected: frozenset[Verdict]
    seconds: float
    ran: bool = True

    @property
    def as_expected(self) -> bool:
        """Whether the verdict agrees with the ledger."""
        return self.outcome.verdict in self.expected


@dataclass(frozen=True)
class Limits:
    """When to stop early: after so many seconds, or at the first surprise."""

    seconds: float | None = None
    fail_fast: bool = False


Watcher = Callable[[Row], None]
Done: TypeAlias = dict[str, Row]
"""Rows by the id of their check; whoever has a row writes it here before telling of it."""
Answer: TypeAlias = tuple[Outcome, float]
"""What a worker sends back: the outcome and the seconds it took."""


def expected_of(check: Check) -> frozenset[Verdict]:
    """What the ledger says this check must answer."""
    claim, part = ledger.part(check.part)
    status = part.status
    if check.reading is not None:
        status = next(r.status for r in part.readings if r.id == check.reading)
    if check.version is not Version.PRINTED:  # whatever became of the printed wording
        return expected_verdicts(Status.HOLDS, check.version)
    return expected_verdicts(status, check.version, waiting=ledger.waits(claim, part))


@dataclass(frozen=True)
class Job:
    """What every check of a run is given; only plain values, so that it can travel."""

    profile: Profile
    seed: int
    family: str | None = None


def run_one(check: Check, job: Job) -> Row:
    """Run one check; one that raises is `errored`, never a pass."""
    started = time.perf_counter()
    context = check.context(job.profile, job.seed)
    try:
        if job.family is None:
            outcome = check.run(context)
        else:
            family = load_family(job.family)
            # attempts are instances of our own families, and mean nothing to another one
            outcome = run_on_family(check.id, replace(context, check=""), family)
    except Exception as fault:  # the run must go on and say what happened
        outcome = Outcome(Verdict.ERRORED, story=(f"{type(fault).__name__}: {fault}",))
    return Row(check, outcome, expected_of(check), time.perf_counter() - started)


def run(
    checks: Sequence[Check],
    profile: Profile,
    seed: int,
    *,
    family: str | None = None,
    jobs: int = 1,
    limits: Limits | None = None,
    watch: Watcher | None = None,
    tell: Callable[[], None] | None = None,
) -> list[Row]:
    """All rows in the order of `checks`; an interrupt or a limit leaves the rest not run.

    With a `family` ("module:strategy") the checks of `checks/suite/on_family` draw from it.
    `watch` is called with every row, `tell` as soon as Ctrl-C is pressed, once for each time.
    """
    done: Done = {}
    job = Job(profile, seed, family)
    rows = _alone if jobs == 1 else _together
    stop_at = limits or Limits()
    try:
        with interrupt.remembered(tell), closing(rows(checks, job, jobs, stop_at, done)) as found:
            for row in found:
                if watch is not None:
                    watch(row)
                if stop_at.fail_fast and not row.as_expected:
                    break
                interrupt.heed()
    except KeyboardInterrupt:
        pass  # what is known is kept; the rows that are missing say so themselves
    return [done.get(check.id) or _not_run(check) for check in checks]


def cut_short(rows: Sequence[Row]) -> bool:
    """Whether some declared work was not done."""
    return not all(row.ran for row in rows)


def _alone(
    checks: Sequence[Check], job: Job, jobs: int, limits: Limits, done: Done
) -> Generator[Row, None, None]:
    """One after the other in this process."""
    assert jobs == 1
    started = time.monotonic()
    for check in checks:
        if _time_is_up(started, limits):
            return
        with interrupt.breakable():
            row = run_one(check, job)
        done[check.id] = row
        yield row


def _together(
    checks: Sequence[Check], job: Job, jobs: int, limits: Limits, done: Done
) -> Generator[Row, None, None]:
    """In several processes; a check starts only while there is time.

    Whoever leaves early, interrupted or because he has seen enough, loses nothing that is known,
    and nobody goes on working for him.
    """
    started = time.monotonic()
    queue = list(checks)
    running: dict[Future[Answer], Check] = {}
    not_ours = multiprocessing.active_children()
    context = multiprocessing.get_context(WORKERS)
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_work)
    try:
        while queue or running:
            while queue and len(running) < jobs and not _time_is_up(started, limits):
                check = queue.pop(0)
                running[pool.submit(_in_worker, check.id, job)] = check
            if not running:
                return
            finished = wait(running, ATTENTION, FIRST_COMPLETED).done
            interrupt.heed()  # before anything else: workers that were ended are no surprise then
            for future in finished:
                row = _row_of(running[future], future)
                done[row.check.id] = row
                del running[future]
                yield row
    except BrokenProcessPool:  # its other workers have been ended too
        for row in _left_behind(running):
            done[row.check.id] = row
            yield row
    except BaseException:  # GeneratorExit too, by which a reader of these rows leaves
        done.update({row.check.id: row for row in finished_rows(running)})
        for worker in {*multiprocessing.active_children()} - {*not_ours}:
            worker.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def finished_rows(running: Mapping[Future[Answer], Check]) -> list[Row]:
    """Rows that nobody has asked for yet; what a worker raised is no row."""
    through = (future for future in running if future.done() and future.exception() is None)
    return [_row_of(running[future], future) for future in through]


def _left_behind(running: Mapping[Future[Answer], Check]) -> Iterator[Row]:
    """What was running when a worker died: those that were through, the others `errored`."""
    known = {row.check.id: row for row in finished_rows(running)}
    lost = Outcome(Verdict.ERRORED, story=(LOST,))
    for check in running.values():
        yield known.get(check.id) or Row(check, lost, expected_of(check), 0.0)


def _row_of(check: Check, future: Future[Answer]) -> Row:
    outcome, seconds = future.result()
    return Row(check, outcome, expected_of(check), seconds)


def _begin_work() -> None:
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


def _in_worker(identity: str, job: Job) -> Answer:
    """Only names and results travel between processes; the check is looked up over there."""
    row = run_one(registry()[identity], job)
    return row.outcome, row.seconds


def _time_is_up(started: float, limits: Limits) -> bool:
    return limits.seconds is not None and time.monotonic() - started >= limits.seconds


def _not_run(check: Check) -> Row:
    outcome = Outcome(Verdict.INCONCLUSIVE, story=(NOT_RUN,))
    return Row(check, outcome, expected_of(check), 0.0, ran=False)
