"""Run checks, in this process or in several, and hold each verdict against the ledger.

Every check is a unit of its own; a `Pool` runs several at a time. That of this machine is in
`checks/verdicts/workers`, that of many machines in `checks/suite/cluster`.

A result is a function of the check, the profile and the seed alone: it does not depend on how
many processes there are, on the order, or on which other checks run. A check counts as a whole or
not at all: a limit of time starts no further one, an interrupt gives up those that are running, and
what has not finished is `inconclusive`, never a pass.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeAlias

from ptum.checks.claims import registry
from ptum.checks.instances.families.user import load_family
from ptum.checks.suite import cpu_limit, power, printed
from ptum.checks.suite.mirrors import mirrored
from ptum.checks.suite.on_family import run_on_family
from ptum.checks.verdicts import interrupt
from ptum.checks.verdicts.check import Check, Context, Profile
from ptum.checks.verdicts.outcome import Outcome
from ptum.checks.verdicts.workers import LocalPool, Nothing, Pool
from ptum.spec import ledger
from ptum.spec.vocabulary import Status, Verdict, Version, expected_verdicts

NOT_RUN = "not run: the work was cut short"
LOST = (
    "a worker process was ended from outside (by a signal, or for want of memory); "
    "nothing is known of the checks that were running then"
)

POLL_SECONDS = 0.1
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
    def alpha(self) -> float:
        """The probability with which chance may have misled it: none where there were no trials."""
        return 0.0 if self.outcome.verdict is Verdict.SKIPPED else self.check.alpha

    @property
    def as_expected(self) -> bool:
        """Whether the verdict agrees with the ledger."""
        return self.outcome.verdict in self.expected


@dataclass(frozen=True)
class EarlyStop:
    """When to stop early: after so many seconds, or at the first unexpected verdict."""

    seconds: float | None = None
    fail_fast: bool = False


Watcher = Callable[[Row], None]
Done: TypeAlias = dict[str, Row]
"""Rows by the id of their check; whoever has a row writes it here before reporting it."""
TimedOutcome: TypeAlias = tuple[Outcome, frozenset[Verdict], float]
"""What a worker sends back: the outcome, what was expected, and the seconds it took."""


def expected_in(check: Check, profile: Profile) -> frozenset[Verdict]:
    """What the check must answer in a profile: `skipped` where its trials cannot decide."""
    return frozenset({Verdict.SKIPPED}) if power.undecided(check, profile) else expected_of(check)


def expected_of(check: Check) -> frozenset[Verdict]:
    """What the ledger says this check must answer where it is able to."""
    _, part = ledger.part(check.part)
    status = part.status
    if check.reading is not None:
        status = next(r.status for r in part.readings if r.id == check.reading)
    if check.version is not Version.PRINTED:  # whatever became of the printed wording
        return expected_verdicts(Status.HOLDS, check.version)
    return expected_verdicts(status, check.version)


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
    limit = cpu_limit.limit_of(check.id, job.profile) if job.family is None else None
    try:
        if job.family is None and (reason := power.undecided(check, job.profile)):
            skipped = Outcome(Verdict.SKIPPED, explanation=(reason,))
            return Row(check, skipped, expected_in(check, job.profile), 0.0)
        with cpu_limit.limited(limit):
            outcome = printed.held(check.id, _outcome(check, context, job.family))
            if job.family is None:
                outcome = mirrored(check, context, outcome)
    except cpu_limit.TooLongError as ended:
        outcome = Outcome(Verdict.ERRORED, explanation=(str(ended),))
    except Exception as fault:  # the run must go on and say what happened
        outcome = Outcome(Verdict.ERRORED, explanation=(f"{type(fault).__name__}: {fault}",))
    return Row(check, outcome, expected_of(check), time.perf_counter() - started)


def _outcome(check: Check, context: Context, family: str | None) -> Outcome:
    if family is None:
        return check.run(context)
    # attempts are instances of our own families, and mean nothing to another one
    return run_on_family(check.id, replace(context, check=""), load_family(family))


def run(
    checks: Sequence[Check],
    profile: Profile,
    seed: int,
    *,
    family: str | None = None,
    jobs: int = 1,
    pool: Pool | None = None,
    limits: EarlyStop | None = None,
    watch: Watcher | None = None,
    on_interrupt: Callable[[], None] | None = None,
) -> list[Row]:
    """All rows in the order of `checks`; an interrupt or a limit leaves the rest not run.

    With a `family` ("module:strategy") the checks of `checks/suite/on_family` draw from it. Without
    a `pool` they run on this machine, in as many processes as there are `jobs`. `watch` is called
    with every row, `on_interrupt` as soon as Ctrl-C is pressed, once for each time.
    """
    done: Done = {}
    job = Job(profile, seed, family)
    stop_at = limits or EarlyStop()
    if pool is None and jobs == 1:
        rows = _alone(checks, job, stop_at, done)
    else:
        rows = _together(pool or LocalPool(jobs), checks, job, stop_at, done)
    try:
        with interrupt.remembered(on_interrupt), closing(rows) as found:
            for row in found:
                if watch is not None:
                    watch(row)
                if stop_at.fail_fast and not row.as_expected:
                    break
                interrupt.raise_if_interrupted()
    except KeyboardInterrupt:
        pass  # what is known is kept; the rows that are missing say so themselves
    return [done.get(check.id) or _not_run(check) for check in checks]


def cut_short(rows: Sequence[Row]) -> bool:
    """Whether some declared work was not done."""
    return not all(row.ran for row in rows)


def _alone(
    checks: Sequence[Check], job: Job, limits: EarlyStop, done: Done
) -> Generator[Row, None, None]:
    """One after the other in this process."""
    started = time.monotonic()
    for check in checks:
        if _time_is_up(started, limits):
            return
        with interrupt.breakable():
            row = run_one(check, job)
        done[check.id] = row
        yield row


def _together(
    pool: Pool, checks: Sequence[Check], job: Job, limits: EarlyStop, done: Done
) -> Generator[Row, None, None]:
    """With several workers; a check starts only while there is time.

    Whoever leaves early, interrupted or because he has seen enough, loses nothing that is known,
    and nobody goes on working for him.
    """
    started = time.monotonic()
    queue = list(checks)
    running: dict[Future[TimedOutcome], Check] = {}
    try:
        while queue or running:
            while queue and len(running) < pool.room() and not _time_is_up(started, limits):
                check = queue.pop(0)
                running[pool.submit(in_worker, check.id, job)] = check
            if not running:
                return
            finished = wait(running, POLL_SECONDS, FIRST_COMPLETED).done
            interrupt.raise_if_interrupted()  # first: then it is expected that workers ended
            for future in finished:
                row = _answered(pool, running[future], future)
                done[row.check.id] = row
                del running[future]
                yield row
    except BrokenExecutor:  # there are no other workers either
        for row in _left_behind(running):
            done[row.check.id] = row
            yield row
    except BaseException:  # GeneratorExit too, by which a reader of these rows leaves
        done.update({row.check.id: row for row in finished_rows(running)})
        pool.abandon()
        raise
    finally:
        pool.close()


def finished_rows(running: Mapping[Future[TimedOutcome], Check]) -> list[Row]:
    """Rows that nobody has asked for yet; what a worker raised is no row."""
    through = (
        future
        for future in running
        if future.done() and not future.cancelled() and future.exception() is None
    )
    return [_row_of(running[future], future.result()) for future in through]


def _left_behind(running: Mapping[Future[TimedOutcome], Check]) -> Iterator[Row]:
    """What was running when a worker died: those that were through, the others `errored`."""
    known = {row.check.id: row for row in finished_rows(running)}
    lost = Outcome(Verdict.ERRORED, explanation=(LOST,))
    for check in running.values():
        yield known.get(check.id) or Row(check, lost, expected_of(check), 0.0)


def _answered(pool: Pool, check: Check, future: Future[TimedOutcome]) -> Row:
    try:
        return _row_of(check, pool.answer(future))
    except Nothing as reason:
        errored = Outcome(Verdict.ERRORED, explanation=(str(reason),))
        return Row(check, errored, expected_of(check), 0.0)


def _row_of(check: Check, answer: TimedOutcome) -> Row:
    outcome, expected, seconds = answer
    return Row(check, outcome, expected, seconds)


def in_worker(identity: str, job: Job) -> TimedOutcome:
    """Only names and results travel between processes; the check is looked up over there."""
    row = run_one(registry()[identity], job)
    return row.outcome, row.expected, row.seconds


def _time_is_up(started: float, limits: EarlyStop) -> bool:
    return limits.seconds is not None and time.monotonic() - started >= limits.seconds


def _not_run(check: Check) -> Row:
    outcome = Outcome(Verdict.INCONCLUSIVE, explanation=(NOT_RUN,))
    return Row(check, outcome, expected_of(check), 0.0, ran=False)
