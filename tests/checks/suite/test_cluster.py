"""A real cluster on this machine: the same results, also when a worker dies; clear refusals."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ptum.checks.claims import registry
from ptum.checks.reproduce.units import Unit, UnitError, played
from ptum.checks.suite import cluster
from ptum.checks.suite.cluster import ClusterPool, Unusable, Worker, connected, on_worker
from ptum.checks.suite.runner import Job, TimedOutcome, in_worker, run
from ptum.checks.text.machine import sources, this_machine
from ptum.checks.verdicts.check import Profile
from ptum.checks.verdicts.workers import Answer, Nothing
from ptum.spec.vocabulary import Verdict
from tests.checks.suite.test_runner import facts
from tests.support.command import ptum

SOME = tuple(
    registry()[f"lemma-7.positive/{name}"]
    for name in ("bandit", "repaired-threshold", "few-states-factor", "cheapest")
)

PANEL = "figure-3-right"
COMMANDS = (("verify", "--claim", "lemma-7"), ("reproduce", PANEL))

WAITS = """
import os
from dataclasses import replace
from pathlib import Path
from ptum.checks.claims import registry
from ptum.checks.suite import runner

known = registry()  # and not that of the runner: this file may be loaded twice
bandit = known["lemma-7.positive/bandit"]

def waits(context):
    Path({begun!r}).write_text(str(os.getpid()))
    Path({go!r}).read_text()
    return bandit.run(context)

runner.registry = lambda: {{**known, bandit.id: replace(bandit, run=waits)}}
"""
"""On a worker: one check says who runs it, and goes on when it may."""


class LocalCluster:
    """A scheduler and workers as processes of their own, at 127.0.0.1 alone."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack, self._folder = stack, folder
        self._log = stack.enter_context((folder / "workers.log").open("w"))
        scheduler = self._start("scheduler", "--port", "0", stderr=subprocess.PIPE)
        assert scheduler.stderr is not None
        found = (re.search(r"Scheduler at: +(tcp://127\S+)", line) for line in scheduler.stderr)
        self.address = next(match[1] for match in found if match)

    def worker(self, *options: str, **environment: str) -> None:
        """One more worker, of one thread; it is not replaced when it dies."""
        self._start(
            "worker", self.address, "--nthreads", "1", "--no-nanny", *options, **environment
        )

    def wait_for(self, workers: int) -> None:
        """Until so many workers are there."""
        from distributed import Client  # here: it takes long to load

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers)

    def _start(
        self, what: str, *options: str, stderr: Any = None, **environment: str
    ) -> subprocess.Popen[str]:
        program = "from dask.__main__ import main; main()"
        process = subprocess.Popen(
            (
                sys.executable,
                "-c",
                program,
                what,
                *options,
                "--host",
                "127.0.0.1",
                "--no-dashboard",
            ),
            cwd=self._folder,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment},
            stderr=stderr or self._log,
            text=True,
        )
        self._stack.enter_context(process)  # closes its pipe and waits for its end
        self._stack.callback(process.kill)
        return process


@pytest.fixture
def local_cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    with ExitStack() as stack:
        yield LocalCluster(stack, tmp_path)


@pytest.mark.slow
def test_a_worker_that_dies_costs_time_alone(local_cluster: LocalCluster, tmp_path: Path) -> None:
    """It is killed while it has begun a check; the last bits are those of a run in this process.

    A worker with another kernel of BLAS is named, and changes no verdict.
    """
    begun, go, preload = (tmp_path / name for name in ("begun", "go", "preload.py"))
    os.mkfifo(begun)
    os.mkfifo(go)
    preload.write_text(WAITS.format(begun=str(begun), go=str(go)))
    died: list[int] = []

    def kill_the_first() -> None:
        died.append(int(begun.read_text()))
        os.kill(died[0], signal.SIGKILL)
        died.append(int(begun.read_text()))
        go.write_text("go on")

    for _ in range(2):
        local_cluster.worker("--preload", str(preload))
    local_cluster.wait_for(2)
    here = facts(run(SOME, Profile.QUICK, 5))
    killer = threading.Thread(target=kill_the_first, daemon=True)
    killer.start()
    with connected(local_cluster.address, None) as (pool, differences):
        there = facts(run(SOME, Profile.QUICK, 5, pool=pool))
    assert differences == []
    assert there == here
    assert len({*died}) == 2

    local_cluster.worker(OPENBLAS_CORETYPE="Nehalem")
    local_cluster.wait_for(2)
    with connected(local_cluster.address, None) as (pool, differences):
        rows = run(SOME[1:], Profile.QUICK, 5, pool=pool)
    assert [line.partition(": ")[2] for line in differences] == ["blas"]
    assert all(row.as_expected and row.ran for row in rows)


@pytest.mark.slow
def test_a_panel_is_the_same_on_a_cluster(local_cluster: LocalCluster, tmp_path: Path) -> None:
    """Files of a panel to the last byte, with an alternative; a run that fails says which."""
    for _ in range(2):
        local_cluster.worker()
    local_cluster.wait_for(2)
    asked = ("reproduce", PANEL, "--runs", "3", "--choice", "D68=on-arrival", "--out")
    here, there = tmp_path / "here", tmp_path / "there"
    assert ptum(*asked, str(here)).returncode == 0
    assert ptum(*asked, str(there), "--scheduler", local_cluster.address).returncode == 0
    for ending in ("json", "svg"):
        name = f"{PANEL}.{ending}"
        assert (there / name).read_bytes() == (here / name).read_bytes()
    wanted = [Unit(PANEL, "default", run) for run in (0, 1)]
    with connected(local_cluster.address, None) as (pool, _):
        assert dict(played(wanted, 3, pool)) == dict(played(wanted, 3))
        with pytest.raises(UnitError, match=rf"{PANEL}, nonsense, run 0 failed: KeyError"):
            list(played([Unit(PANEL, "nonsense", 0)], 3, pool))


@pytest.mark.parametrize("command", COMMANDS)
def test_nobody_listens_is_noticed_at_once(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for address in (f"tcp://127.0.0.1:{port}", "127.0.0.1:nothing"):
        result = ptum(*command, "--scheduler", address)
        assert result.returncode == 2
        assert f"no scheduler can be reached at {address}" in result.stderr
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("command", COMMANDS)
def test_jobs_and_a_scheduler_do_not_go_together(command: tuple[str, ...]) -> None:
    result = ptum(*command, "--scheduler", "tcp://x:1", "--jobs", "2")
    assert result.returncode == 2
    assert "leave one out" in result.stderr


class FakeClient:
    """As much of a client as is asked before the first check."""

    def __init__(self, threads: int, answer: object) -> None:
        self._threads, self._answer = threads, answer

    def nthreads(self) -> dict[str, int]:
        return {"tcp://there": self._threads} if self._threads else {}

    def run(self, function: object, family: str | None, on_error: str) -> dict[str, object]:
        assert (function, family, on_error) == (cluster.introduce, None, "return")
        return {"tcp://there": self._answer}


def differences(threads: int, answer: object) -> list[str]:
    client: Any = FakeClient(threads, answer)
    return cluster._differences(client, "tcp://somewhere", None)


@pytest.mark.parametrize(
    ("threads", "answer", "said"),
    [
        (0, None, "the scheduler at tcp://somewhere has no workers"),
        (4, None, "tcp://there has several threads"),
        (1, ModuleNotFoundError("No module named 'ptum'"), "tcp://there has no ptum, or another"),
        (1, ValueError("There is no module 'mine'"), "tcp://there: There is no module 'mine'"),
        (1, Worker("0.1.0 (abc)", this_machine()), r"tcp://there has ptum 0.1.0 \(abc\), this is"),
    ],
)
def test_a_cluster_that_cannot_be_used(threads: int, answer: object, said: str) -> None:
    with pytest.raises(Unusable, match=said):
        differences(threads, answer)


def test_machines_that_differ_are_named() -> None:
    here = this_machine()
    assert differences(1, Worker(sources(), here)) == []
    other = msgspec.structs.replace(here, python="3.0", blas=("openblas 0 Z80",))
    assert differences(1, Worker(sources(), other)) == ["tcp://there: python, blas"]


def test_a_worker_that_joins_later_is_asked_too() -> None:
    with pytest.raises(Unusable, match="a worker has ptum"):
        on_worker("0.1.0 (abc)", in_worker, SOME[0].id, Job(Profile.QUICK, 0))
    outcome, _, _ = on_worker(sources(), in_worker, SOME[0].id, Job(Profile.QUICK, 0))
    assert outcome.verdict is Verdict.VIOLATED


class Strange:
    """A pool whose first piece went to a worker with other sources."""

    def __init__(self) -> None:
        self._submitted: list[object] = []

    def room(self) -> int:
        return 1

    def submit(self, work: Callable[..., Answer], *arguments: object) -> Future[Answer]:
        future = Future[Answer]()
        future.set_result(on_worker(sources(), work, *arguments))
        self._submitted.append(future)
        return future

    def answer(self, future: Future[Answer]) -> Answer:
        if future is self._submitted[0]:
            raise Nothing("a worker has other sources")
        return future.result()

    def abandon(self) -> None:
        raise AssertionError("nobody left early")

    def close(self) -> None:
        pass


def test_a_check_without_an_answer_is_errored_and_the_others_go_on() -> None:
    rows = run((SOME[0], SOME[2]), Profile.QUICK, 0, pool=Strange())
    assert [row.outcome.verdict for row in rows] == [Verdict.ERRORED, Verdict.HOLDS]
    assert rows[0].outcome.explanation == ("a worker has other sources",)
    assert not rows[0].as_expected


def test_answers_of_a_cluster() -> None:
    """Errored is what no worker survives or a strange one got; without a scheduler all is lost."""
    from distributed import KilledWorker  # here: it takes long to load

    class Connection:
        def get_executor(self, pure: bool) -> None:
            assert not pure

    connection: Any = Connection()
    pool = ClusterPool(connection)
    killed, cancelled = Future[TimedOutcome](), Future[TimedOutcome]()
    last_worker: Any = "worker"
    killed.set_exception(KilledWorker("unit", last_worker, 3))
    strange = Future[TimedOutcome]()
    strange.set_exception(Unusable("a worker has ptum 0.1.0"))
    for future, said in ((killed, "4 times: a worker"), (strange, "Unusable: a worker has ptum")):
        with pytest.raises(Nothing, match=said):
            pool.answer(future)
    cancelled.cancel()
    with pytest.raises(BrokenExecutor):
        pool.answer(cancelled)
