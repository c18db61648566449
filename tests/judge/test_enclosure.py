"""A program notices nothing of its enclosure, but that nobody outside is to be seen."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from checks.judge import enclosure, starter
from checks.judge.enclosure import Started, start
from tests.judge.programs import granted

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not granted(), reason="this system grants no enclosure"
)


def opened(words: list[str], environment: Mapping[str, str]) -> Started:
    """Without an enclosure: what a program should see."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(enclosure, "_enclosed", lambda *_: None)
        return start(words, environment, privileges=False)


def enclosed(words: list[str], environment: Mapping[str, str]) -> Started:
    started = start(words, environment, privileges=False)
    assert started.enclosed
    return started


def outcome(started: Started, said: bytes = b"") -> tuple[bytes, bytes, int]:
    out, errors = started.process.communicate(said)
    started.let_end()
    return out, errors, started.process.returncode


def descriptors() -> set[Path]:
    return set(Path("/proc/self/fd").iterdir())


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


SEES = """
import os, signal, sys
print(sys.argv[1:], os.getcwd(), sorted(os.environb.items()))
print(sorted(map(int, os.listdir("/proc/self/fd")))[:-1])
print([line for line in open("/proc/self/status") if line.startswith(("Sig", "Uid", "Gid"))])
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
    found, due = (outcome(way(words, environment), b"said") for way in (enclosed, opened))
    assert found == due
    assert found[1:] == (b"said\n", 0)


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
    assert outcome(enclosed(python(text), os.environ)) == (b"", b"", code)


INSIDE = """
import os, signal
for number in (signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP):
    os.kill(1, number)
os.kill(0, signal.SIGCONT)
print(*sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()))
"""


def test_a_program_sees_nobody_outside_and_cannot_end_its_enclosure() -> None:
    assert outcome(enclosed(python(INSIDE), os.environ)) == (b"1 2 3\n", b"", 0)


def test_mounts_outside_stay_as_they_are() -> None:
    before = Path("/proc/self/mountinfo").read_text()
    running = enclosed(["cat"], os.environ)
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
    for way in (enclosed, opened):
        with pytest.raises(kind):
            way(words, os.environ)
    assert descriptors() == before


UNPRIVILEGED = """
import ctypes, os, sys
from checks.judge.enclosure import start
DROP, ADMINISTRATION = 24, 21
none = ctypes.c_ulong(0)
ctypes.CDLL(None).prctl(DROP, ctypes.c_ulong(ADMINISTRATION), none, none, none)
text = "import os; print(os.getuid(), os.getgid(), os.getpid(), os.stat('/proc/self').st_uid)"
started = start([sys.executable, "-c", text], os.environ, sys.argv[1] == "may")
print(started.enclosed, *started.process.communicate()[0].decode().split())
started.let_end()
"""


@pytest.mark.parametrize("may", [False, True])
def test_who_may_not_make_namespaces_gives_up_privileges_for_one(may: bool) -> None:
    """A user is the same inside; where privileges are wanted there is no enclosure."""
    words = [*python(UNPRIVILEGED), "may" if may else "must not"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    way, user, group, number, seen = done.stdout.split()
    assert way == str(not may)
    assert (int(user), int(group), int(seen)) == (os.getuid(), os.getgid(), os.getuid())
    assert (int(number) == 3) == (not may)


@pytest.mark.parametrize("refused", ["enclose", "mount_processes"])
def test_where_the_system_refuses_the_program_starts_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    """As in a container, which may allow neither, or a namespace but no mount."""
    text = Path(starter.__file__).read_text()
    broken = text.replace(
        'if __name__ == "__main__":',
        f"""
def {refused}(*_: object) -> None:
    raise PermissionError

if __name__ == "__main__":""",
    )
    assert broken != text
    (tmp_path / "starter.py").write_text(broken)
    monkeypatch.setattr(starter, "__file__", str(tmp_path / "starter.py"))
    before = descriptors()
    started = start(["cat"], os.environ, privileges=False)
    assert not started.enclosed
    assert outcome(started, b"x") == (b"x", b"", 0)
    assert descriptors() == before
