"""Ctrl-C, SIGTERM, SIGHUP, `kill -9`: an answer at once, exit code 3, a report, nobody left behind.

Nothing here waits for a time to pass: a process is told by what it writes, and its end by the
kernel. The checks that run meanwhile would take many minutes.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ptum.checks.cli.output.signals import STOPPING, Wish, terminated_like_interrupted
from ptum.checks.suite.report import read
from tests.support.command import ptum

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc and file handles of pids")

LONG = ("--claim", "lemma-7", "--claim", "lemma-13", "--profile", "deep")
"""The first check takes a moment, the others take minutes."""

HEAVY = "ptum.checks.verdicts.check"
"""Imported by `ptum verify` after its arguments are read and before any check runs."""

WHILE_IMPORTING = f"""
import os, signal, sys

class Hook:
    def find_spec(self, name, path=None, target=None):
        if name == "{HEAVY}":
            for number in sys.argv[1].split(","):
                os.kill(os.getpid(), int(number))
        return None

sys.meta_path.insert(0, Hook())
from ptum.checks.cli import main
main(sys.argv[2:])
"""

WHILE_WRITING = """
import atexit, os, signal, sys
import ptum.checks.cli.verify
from ptum.checks.cli import main

verify = sys.modules["ptum.checks.cli.verify"]
write, times = verify.write_whole, int(sys.argv.pop(1))

def interrupted(*arguments):
    for _ in range(times):
        os.kill(os.getpid(), signal.SIGINT)
    write(*arguments)

verify.write_whole = interrupted
atexit.register(os.kill, os.getpid(), signal.SIGINT)
main()
"""
"""The last signal comes when the exit code is decided."""


def all_inconclusive(path: Path) -> bool:
    report = read(path)
    return report.footer.cut_short and not any(result.ran for result in report.results)


@contextmanager
def running(*options: str) -> Iterator[subprocess.Popen[str]]:
    """`ptum verify` on long checks, of which the first is done."""
    command = [sys.executable, "-m", "ptum.checks.cli", "verify", *LONG, *options]
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("[1/")
        yield process
        process.kill()


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(pid) for pid in listed.split()]


class TestWhileChecksRun:
    """What is known is written, and what was running is given up."""

    @staticmethod
    def assert_has_what_is_known(path: Path) -> None:
        report = read(path)
        assert report.footer.cut_short
        assert report.results[0].ran
        assert not report.results[-1].ran

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_to_be_terminated_is_to_be_interrupted(self, tmp_path: Path, jobs: str) -> None:
        target = tmp_path / "report.json"
        with running("--jobs", jobs, "--json", str(target)) as process:
            process.send_signal(signal.SIGTERM)
            _, told = process.communicate(timeout=300)
        assert process.returncode == 3
        assert STOPPING in told
        assert "Traceback" not in told
        self.assert_has_what_is_known(target)

    @ON_LINUX
    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_the_answer_comes_at_once_and_a_second_interrupt_changes_nothing(
        self, tmp_path: Path, jobs: str
    ) -> None:
        """Workers end with their parent, which alone is interrupted."""
        target = tmp_path / "report.json"
        with running("--jobs", jobs, "--json", str(target)) as process:
            assert process.stderr is not None
            workers = workers_of(process)
            process.send_signal(signal.SIGINT)
            assert STOPPING in iter(process.stderr.readline, "")
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=300)
        assert process.returncode == 3
        assert "Traceback" not in told
        self.assert_has_what_is_known(target)
        assert len(workers) == (2 if jobs == "2" else 0)
        assert not any(Path(f"/proc/{pid}").exists() for pid in workers)

    @ON_LINUX
    def test_workers_of_a_killed_process_end(self) -> None:
        """Nobody is left to end them, and no handler runs."""
        with running("--jobs", "3") as process:
            handles = [os.pidfd_open(pid) for pid in workers_of(process)]
            process.kill()
            assert process.wait() == -signal.SIGKILL
            ended = [select.select([handle], [], [], 120)[0] for handle in handles]
        assert ended == [[handle] for handle in handles]
        assert len(handles) == 3


class TestWhileTheCommandLoads:
    """The wish is kept until there is a report to write."""

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    @pytest.mark.parametrize("command", ["verify", "replay"])
    def test_a_signal_while_the_command_imports(
        self, tmp_path: Path, number: signal.Signals, command: str
    ) -> None:
        target = tmp_path / "report.json"
        arguments = ["verify", "--check", "lemma-7.positive/bandit", "--json", str(target)]
        if command == "replay":
            assert ptum(*arguments).returncode == 0
            arguments = ["replay", str(target)]
        code = [sys.executable, "-c", WHILE_IMPORTING, str(int(number)), *arguments]
        done = subprocess.run(code, capture_output=True, text=True, check=False)
        assert done.returncode == 3, done.stderr
        assert done.stderr == STOPPING
        assert "Cut short: 1 check did not run" in done.stdout
        if command == "verify":
            assert all_inconclusive(target)
            assert [path.name for path in tmp_path.iterdir()] == ["report.json"]

    def test_who_insists_is_obeyed_at_once(self, tmp_path: Path) -> None:
        target = tmp_path / "report.json"
        twice = f"{int(signal.SIGINT)},{int(signal.SIGTERM)}"
        arguments = ["verify", "--claim", "lemma-7", "--json", str(target)]
        code = [sys.executable, "-c", WHILE_IMPORTING, twice, *arguments]
        done = subprocess.run(code, capture_output=True, text=True, check=False)
        assert done.returncode == 3
        assert done.stderr.splitlines()[-1] == "ptum: interrupted"
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_a_signal_from_outside(self, tmp_path: Path, number: signal.Signals) -> None:
        """Python itself tells on stderr what is imported; our words come after that.

        What it has still to tell is more than a pipe holds, so that no check begins before it is
        read, which is after the signal.
        """
        target = tmp_path / "report.json"
        command = [sys.executable, "-X", "importtime", "-m", "ptum.checks.cli", "verify"]
        with subprocess.Popen(
            [*command, "--claim", "lemma-13", "--profile", "deep", "--json", str(target)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stderr is not None
            seen = next(line for line in process.stderr if " msgspec" in line)
            assert "[1/" not in seen
            process.send_signal(number)
            process.communicate(timeout=300)
        assert process.returncode == 3
        assert all_inconclusive(target)


class TestWhileResultsAreWritten:
    """All checks have run; one signal more changes nothing, and who goes on is obeyed."""

    @staticmethod
    def interrupted(times: int, target: Path) -> subprocess.CompletedProcess[str]:
        arguments = ["verify", "--check", "lemma-7.positive/bandit", "--json", str(target)]
        code = [sys.executable, "-c", WHILE_WRITING, str(times), *arguments]
        return subprocess.run(code, capture_output=True, text=True, check=False)

    def test_one_signal(self, tmp_path: Path) -> None:
        done = self.interrupted(1, tmp_path / "report.json")
        assert done.returncode == 0
        assert "stopping" not in done.stderr
        assert "1 check: 1 violated; 0 unexpected." in done.stdout
        assert not read(tmp_path / "report.json").footer.cut_short

    def test_two_signals(self, tmp_path: Path) -> None:
        done = self.interrupted(2, tmp_path / "report.json")
        assert done.returncode == 3
        assert done.stderr.splitlines()[-1] == "ptum: interrupted"
        assert list(tmp_path.iterdir()) == []


def test_on_a_terminal_the_answer_takes_the_place_of_the_bar() -> None:
    ours, theirs = os.openpty()
    code = (
        "from ptum.checks.cli.output.signals import Wish; wish = Wish(); "
        "wish.interrupted(); wish.interrupted()"
    )
    subprocess.run([sys.executable, "-c", code], stderr=theirs, check=True)
    told = os.read(ours, 1000).decode()
    assert told.replace("\r\n", "\n") == f"\r\x1b[2K{STOPPING}"
    os.close(ours)
    os.close(theirs)


def test_a_wish_is_stated_by_any_signal() -> None:
    wish = Wish()
    wish.finish()
    wish.raise_if_interrupted()
    before = wish.stated
    wish.remember(signal.SIGINT, None)
    assert (before, wish.stated) == (False, True)
    with pytest.raises(KeyboardInterrupt):
        wish.raise_if_interrupted()
    with pytest.raises(KeyboardInterrupt):
        wish.remember(signal.SIGINT, None)


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def test_handlers_are_put_back() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    ptum("verify", "--check", "lemma-7.positive/bandit")
    after = [signal.getsignal(number) for number in SIGNALS]
    assert after == before


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.SIG_DFL], ids=["nohup", "terminal"])
def test_a_closed_terminal_counts_unless_it_is_to_be_ignored(handler: signal.Handlers) -> None:
    before = signal.signal(signal.SIGHUP, handler)
    try:
        with terminated_like_interrupted():
            heeded = signal.getsignal(signal.SIGHUP) not in (signal.SIG_IGN, signal.SIG_DFL)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert heeded == (handler is signal.SIG_DFL)
