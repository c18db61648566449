"""Who descends from a program, who does not, and what they hold together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ptum.checks.judge.programs.process import FaultError, Limits, Program
from ptum.checks.judge.programs.process_tree import (
    Process,
    ProcessTree,
    adopting,
    excess,
    kill_all,
    process,
)
from ptum.checks.judge.programs.sandbox import start
from tests.checks.judge.support.programs import granted, program

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="descendants are looked for in the table of Linux"
)

WAITS = "input()"

LEAVES_AN_ORPHAN = """
import os, signal
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.pause()
    os._exit(0)
os.wait()
input()
"""

EXITS = "raise SystemExit(7)"

SHARES = """
import os, signal
held = b"1" * (64 * 2**20)
for _ in range(7):
    if os.fork():
        signal.pause()
print("ready", flush=True)
signal.pause()
"""
"""Eight processes, each the child of the one before."""

CALLS_ITSELF = """
with open("/proc/self/comm", "w") as name:
    name.write("x) Z 1 1 1 1 1")
print("ready", flush=True)
input()
"""


def started(text: str, *, session: bool) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", text],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=session,
    )


@contextmanager
def waiting(*, session: bool) -> Iterator[subprocess.Popen[bytes]]:
    """A process of our own, which nobody else may end."""
    with started(WAITS, session=session) as other:
        yield other
        assert other.poll() is None
        other.communicate(b"\n")
    assert other.returncode == 0


def test_a_process_is_known_by_its_number_and_its_start() -> None:
    own = process(os.getpid())
    assert own is not None
    assert (own.pid, own.parent, own.session) == (os.getpid(), os.getppid(), os.getsid(0))
    assert own.resident > 2**20
    assert not own.gone
    assert process(2**30) is None


def test_a_name_may_look_like_the_rest_of_its_row() -> None:
    with started(CALLS_ITSELF, session=True) as other:
        assert other.stdout is not None
        other.stdout.readline()
        found = process(other.pid)
        other.communicate(b"\n")
    assert found is not None
    assert (found.parent, found.session, found.gone) == (os.getpid(), other.pid, False)


def test_other_children_of_the_judge_are_left_alone() -> None:
    with waiting(session=True), waiting(session=False):
        running = Program([sys.executable, "-c", LEAVES_AN_ORPHAN], Limits())
        with waiting(session=False):
            ended = started(EXITS, session=False)
            os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
            running.end()
        ended.communicate()
        assert ended.returncode == 7, "nobody else took notice of its end"


def test_a_program_is_left_alone_when_the_one_before_it_ends(tmp_path: Path) -> None:
    first = Program([sys.executable, "-c", LEAVES_AN_ORPHAN], Limits())
    with Program(program(tmp_path, ""), Limits()) as second:
        first.end()
        assert second.introduce().name == "test"


@pytest.mark.skipif(not granted(), reason="this system grants no sandbox")
def test_a_program_that_is_just_being_started_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By one that ends in another thread: nobody knows yet whose program it is."""
    first = Program([sys.executable, "-c", WAITS], Limits())
    usual = ProcessTree.track

    def late(tree: ProcessTree, pid: int, sandboxed: bool) -> None:
        first.end()
        usual(tree, pid, sandboxed=sandboxed)

    monkeypatch.setattr(ProcessTree, "track", late)
    words = [sys.executable, "-c", EXITS]
    with Program(words, Limits()) as second, pytest.raises(FaultError) as caught:
        second.introduce()
    assert caught.value.fault.message == "the program ended (exit code 7)"


def test_orphans_are_adopted_while_a_program_runs_and_no_longer() -> None:
    before = adopting()
    with Program([sys.executable, "-c", WAITS], Limits()):
        assert adopting()
        with Program([sys.executable, "-c", WAITS], Limits()):
            assert adopting()
        assert adopting()
    assert adopting() == before


def test_what_was_asked_for_before_is_asked_for_afterwards() -> None:
    before = adopting(True)
    try:
        Program([sys.executable, "-c", WAITS], Limits()).end()
        assert adopting()
    finally:
        adopting(before)


def test_one_number_is_not_always_one_process() -> None:
    """A row with another start stands for a process that is gone: nobody is killed for it."""
    with waiting(session=True) as other:
        seen = process(other.pid)
        assert seen is not None
        kill_all([seen._replace(start=seen.start - 1)])
    with started(WAITS, session=True) as other:
        seen = process(other.pid)
        assert seen is not None
        kill_all([seen])
    assert other.returncode == -signal.SIGKILL


def test_what_is_too_much() -> None:
    tree = ProcessTree()
    with started(SHARES, session=True) as parent:
        tree.track(parent.pid)
        try:
            assert parent.stdout is not None
            parent.stdout.readline()
            members = tree.members()
            limits = ((256, 8), (256, 7), (32, 8))
            found = [excess(members, memory, most) for memory, most in limits]
        finally:
            tree.end()
    assert found == [None, "processes", "memory"]
    assert sum(member.resident for member in members) > 256 * 2**20, "what is shared counts once"


@pytest.mark.skipif(not granted(), reason="this system grants no sandbox")
def test_those_who_keep_a_sandbox_do_not_count() -> None:
    """Eight processes of the program; outside, and inside, those that it needs not know of."""
    tree = ProcessTree()
    running = start([sys.executable, "-c", SHARES], os.environ, privileges=False)
    with running.process as outside:
        tree.track(outside.pid, sandboxed=running.sandboxed)
        try:
            assert outside.stdout is not None
            outside.stdout.readline()
            members = tree.members()
            counted = tree.without_sandbox(members)
        finally:
            tree.end()
            running.end_sandbox()
    kept = set(members) - set(counted)
    assert len(counted) == 8
    assert len(kept) == 3
    assert outside.pid in {keeper.pid for keeper in kept}
    assert all(keeper.resident < 2**25 for keeper in kept), "none of them is the program"


def test_those_that_are_gone_hold_nothing() -> None:
    gone = Process(pid=2**30, parent=1, session=1, start=0, gone=True, resident=2**40)
    assert excess([gone] * 5, memory=1, most=1) is None
