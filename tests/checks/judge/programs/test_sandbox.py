"""A program notices nothing of its sandbox, but that nobody outside is to be seen."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ptum.checks.judge.programs import sandbox, sandbox_starter
from ptum.checks.judge.programs.sandbox import Started, start
from tests.checks.judge.support.programs import granted

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not granted(), reason="this system grants no sandbox"
)


def opened(words: list[str], environment: Mapping[str, str]) -> Started:
    """Without a sandbox: what a program should see."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "_in_sandbox", lambda *_: None)
        return start(words, environment, privileges=False)


def sandboxed(words: list[str], environment: Mapping[str, str]) -> Started:
    started = start(words, environment, privileges=False)
    assert started.sandboxed
    return started


def outcome(started: Started, said: bytes = b"") -> tuple[bytes, bytes, int]:
    out, errors = started.process.communicate(said)
    started.end_sandbox()
    return out, errors, started.process.returncode


def descriptors() -> set[Path]:
    return set(Path("/proc/self/fd").iterdir())


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


SEES = """
import os, signal, sys
print(sys.argv[1:], os.getcwd(), sorted(os.environb.items()))
print(sorted(map(int, os.listdir("/proc/self/fd")))[:-1])
seen = "Uid", "Gid", "SigPnd", "SigBlk", "SigIgn", "SigCgt"  # SigQ counts those of all processes
print([line for line in open("/proc/self/status") if line.startswith(seen)])
print(os.getsid(0) == os.getpgid(0) == os.getpid(), os.umask(0))
print(os.readlink("/proc/self") == str(os.getpid()), os.getppid() > 1)
print(sys.stdin.read(), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "environment",
    [
        {"LANG": "C"},
        {"LC_ALL": "", "EMPTY": "", "TWO": "a=b", "PYTHONUTF8": "1"},
        {"N\udcffAME": "\udcfe", "PYTHONHOME": ""},
    ],
    ids=["a plain locale", "empty and double", "no letters"],
)
def test_a_program_sees_what_it_would_see_without(environment: dict[str, str]) -> None:
    words = [*python(SEES), "two words", "", "\udcff", "ä"]
    found, expected = (outcome(way(words, environment), b"said") for way in (sandboxed, opened))
    assert found == expected
    assert found[1:] == (b"said\n", 0)


@pytest.mark.parametrize(
    "words",
    [["env"], ["grep", "^Sig", "/proc/self/status"], ["sh", "-c", "ulimit -a; umask; pwd"]],
    ids=["environment", "signals", "limits"],
)
@pytest.mark.parametrize("ignored", [[], [signal.SIGINT, signal.SIGHUP]], ids=["as usual", "nohup"])
def test_what_python_does_to_itself_does_not_reach_the_program(
    tmp_path: Path, words: list[str], ignored: list[signal.Signals]
) -> None:
    """Neither its locale, nor its signals, nor modules that are found before its own."""
    (tmp_path / "ctypes.py").write_text("raise SystemExit('poisoned')")
    (tmp_path / "sitecustomize.py").write_text("raise SystemExit('poisoned')")
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONPATH": str(tmp_path)}
    before = {number: signal.signal(number, signal.SIG_IGN) for number in ignored}
    try:
        found, expected = (outcome(way(words, environment)) for way in (sandboxed, opened))
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)
    assert found == expected
    assert found[2] == 0


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM])
def test_signals_that_the_judge_ignores_end_the_program_all_the_same(
    number: signal.Signals,
) -> None:
    text = f"import os, signal; signal.signal({number:d}, 0); os.kill(os.getpid(), {number:d})"
    usual = signal.signal(number, signal.SIG_IGN)
    try:
        assert outcome(sandboxed(python(text), os.environ)) == (b"", b"", -number)
    finally:
        signal.signal(number, usual)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("raise SystemExit(0)", 0),
        ("raise SystemExit(7)", 7),
        ("raise SystemExit(255)", 255),
        *(
            (f"import os; os.kill(os.getpid(), {number:d})", -number)
            for number in (
                signal.SIGKILL,
                signal.SIGSEGV,
                signal.SIGTERM,
                signal.SIGPIPE,
                signal.SIGXFSZ,
                signal.SIGUSR1,
            )
        ),
        ("import os, signal; signal.signal(2, signal.SIG_DFL); os.kill(os.getpid(), 2)", -2),
        ("import os; os.abort()", -signal.SIGABRT),
    ],
)
def test_it_ends_as_the_program_does(text: str, code: int) -> None:
    """Python itself ignores two of the signals: the program is told to take them as usual."""
    text = f"import signal\nfor n in (13, 25): signal.signal(n, signal.SIG_DFL)\n{text}"
    assert outcome(sandboxed(python(text), os.environ)) == (b"", b"", code)


INSIDE = """
import os, signal
for number in (signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP):
    os.kill(1, number)
os.kill(0, signal.SIGCONT)
seen = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
assert len(seen) == 3 and {1, os.getppid(), os.getpid()} == set(seen)
"""


def test_a_program_sees_nobody_outside_and_cannot_end_its_sandbox() -> None:
    assert outcome(sandboxed(python(INSIDE), os.environ)) == (b"", b"", 0)


@pytest.mark.skipif(
    not Path("/proc/sys/kernel/ns_last_pid").exists(), reason="this system counts from 2"
)
def test_programs_have_numbers_of_their_own() -> None:
    """Some make names of files of them."""
    several = [sandboxed(["sh", "-c", "echo $$; read end"], os.environ) for _ in range(3)]
    numbers = [outcome(one, b"\n")[0] for one in several]
    assert len(set(numbers)) == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_program_may_call_everybody_inside_without_being_taken_for_dead(
    number: signal.Signals,
) -> None:
    text = f"trap '' {number.name[3:]}; kill -{number:d} -1; read all; exit 5"
    assert outcome(sandboxed(["sh", "-c", text], os.environ), b"x\n") == (b"", b"", 5)


def test_a_program_that_ends_everybody_inside_was_killed_itself() -> None:
    """Except for itself and the first process; so nobody is left to tell its exit code."""
    text = "import os; os.kill(-1, 9); os.kill(os.getpid(), 9)"
    assert outcome(sandboxed(python(text), os.environ)) == (b"", b"", -signal.SIGKILL)


def test_the_table_of_processes_is_mounted_as_usual() -> None:
    out, *_ = outcome(sandboxed(["grep", " /proc proc ", "/proc/mounts"], os.environ))
    options = out.splitlines()[-1].split()[3].split(b",")
    assert {b"nosuid", b"nodev", b"noexec"} <= set(options)


def test_mounts_outside_stay_as_they_are() -> None:
    before = Path("/proc/self/mountinfo").read_text()
    running = sandboxed(["cat"], os.environ)
    assert Path("/proc/self/mountinfo").read_text() == before
    assert outcome(running, b"x") == (b"x", b"", 0)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (["/no/such/program"], FileNotFoundError),
        (["no-such-program"], FileNotFoundError),
        (["/"], PermissionError),
        (["/dev/null/x"], NotADirectoryError),
    ],
)
def test_a_program_that_does_not_start(words: list[str], kind: type[OSError]) -> None:
    """The same error in both ways, and nothing stays open."""
    before = descriptors()
    with pytest.raises(ValueError, match="null"):
        sandboxed(["a\0b"], os.environ)
    for way in (sandboxed, opened):
        with pytest.raises(kind):
            way(words, os.environ)
    assert descriptors() == before


ORDINARY = """
import os, sys
from ptum.checks.judge.programs.sandbox import start
text = "import os; print(os.getuid(), os.getgid(), os.stat('/proc/self').st_uid)"
started = start([sys.executable, "-c", text], os.environ, sys.argv[1] == "may")
print(started.sandboxed, *started.process.communicate()[0].decode().split())
started.end_sandbox()
"""

NOBODY = 65534


def ordinary(*words: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run by an ordinary user, if need be by one who has no files."""
    if os.getuid() != 0:
        return subprocess.run(words, cwd=directory, check=True, capture_output=True, text=True)
    return subprocess.run(
        words,
        cwd=directory,
        check=True,
        capture_output=True,
        text=True,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
    )


@pytest.fixture
def reachable() -> Iterator[Path]:
    """What is looked at, where every user finds it."""
    with TemporaryDirectory() as place:
        package = Path(place, *sandbox.__name__.split(".")[:-1])
        package.mkdir(parents=True)
        for directory in (Path(place), *Path(place).rglob("*")):
            directory.chmod(0o755)
        for module in (sandbox, sandbox_starter):
            copied = shutil.copy(str(module.__file__), package)
            Path(copied).chmod(0o644)
        yield Path(place)


def python_of_all(directory: Path) -> str:
    """An interpreter that every user may start."""
    for found in (sys.executable, "/usr/bin/python3"):
        with suppress(OSError, subprocess.CalledProcessError):
            ordinary(found, "-c", "", directory=directory)
            return found
    pytest.skip("an ordinary user cannot start Python here")


@pytest.mark.parametrize("may", ["must not", "may"])
def test_an_ordinary_user_gives_up_privileges_for_a_sandbox(reachable: Path, may: str) -> None:
    """The user is the same inside; where privileges are wanted there is no sandbox."""
    found = python_of_all(reachable)
    done = ordinary(found, "-c", ORDINARY, may, directory=reachable)
    way, user, group, seen = done.stdout.split()
    assert way == str(may == "must not")
    expected = (os.getuid(), os.getgid()) if os.getuid() else (NOBODY, NOBODY)
    assert (int(user), int(group), int(seen)) == (*expected, expected[0])


WITHOUT_ONE = (
    """
import ctypes
DROP, ADMINISTRATION = 24, 21
none = ctypes.c_ulong(0)
ctypes.CDLL(None).prctl(DROP, ctypes.c_ulong(ADMINISTRATION), none, none, none)
"""
    + ORDINARY
)


@pytest.mark.skipif(os.getuid() != 0, reason="an ordinary user has no rights to keep")
def test_rights_that_would_be_lost_inside_are_worth_more_than_a_sandbox() -> None:
    """A superuser without the right to administrate may still read everything, but not inside."""
    words = [*python(WITHOUT_ONE), "must not"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "0", str(os.getgid()), "0"]


@pytest.mark.parametrize("refused", ["make_namespaces", "mount_processes", "environment"])
def test_where_the_system_refuses_the_program_starts_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    """As in a container, which may allow neither, or a namespace but no mount."""
    text = Path(sandbox_starter.__file__).read_text()
    broken = text.replace(
        'if __name__ == "__main__":',
        f"""
def {refused}(*_: object) -> None:
    raise PermissionError

if __name__ == "__main__":""",
    )
    assert broken != text
    (tmp_path / "sandbox_starter.py").write_text(broken)
    monkeypatch.setattr(sandbox_starter, "__file__", str(tmp_path / "sandbox_starter.py"))
    before = descriptors()
    started = start(["cat"], os.environ, privileges=False)
    assert not started.sandboxed
    assert outcome(started, b"x") == (b"x", b"", 0)
    assert descriptors() == before
