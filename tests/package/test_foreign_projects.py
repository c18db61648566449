"""Installed from its wheel, `ptum` leaves other people's projects alone.

A project may have folders called `checks`, `spec` and `reference`, and whoever wrote PTUM may have
called it `ptum`. The wheel is installed into an environment of its own; what it depends on is taken
from the one that the tests run in.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.package.test_package import build

pytestmark = pytest.mark.slow

OWN_FOLDERS = {
    "checks/__init__.py": "WORD = 'my checks'\n",
    "spec/__init__.py": "WORD = 'my spec'\n",
    "reference/__init__.py": "WORD = 'my reference'\n",
    "test_own.py": """
import checks, reference, spec

def test_own():
    assert [checks.WORD, spec.WORD, reference.WORD] == ["my checks", "my spec", "my reference"]
""",
    "mine.py": """
import checks, reference, spec

class subject:
    def gaps(self, **fields):
        raise RuntimeError(f"{checks.WORD}, {spec.WORD}, {reference.WORD}")
""",
}
OWN_MODULE = {
    "ptum.py": """
WORD = "my PTUM"

class subject:
    def gaps(self, **fields):
        raise RuntimeError(WORD)
""",
    "test_own.py": """
import ptum

def test_own():
    assert ptum.WORD == "my PTUM"
""",
    "mine.py": "from ptum import subject\n",
}
OWN_PACKAGE = {
    "ptum/__init__.py": "WORD = 'my PTUM'\n",
    "ptum/adapter.py": """
from ptum import WORD

class subject:
    def gaps(self, **fields):
        raise RuntimeError(WORD)
""",
    "test_own.py": OWN_MODULE["test_own.py"],
    "mine.py": "from ptum.adapter import subject\n",
}
OWN_BARE_FOLDER = {"ptum/adapter.py": "subject = object()\n"}
PROJECTS = {"folders": OWN_FOLDERS, "module": OWN_MODULE, "package": OWN_PACKAGE}


@dataclass(frozen=True)
class Ran:
    code: int
    said: str


@dataclass(frozen=True)
class Environment:
    """A virtual environment with the wheel, and a folder to run in."""

    home: Path

    def run(self, folder: Path, *words: str) -> Ran:
        command = [str(self.home / "bin" / words[0]), *words[1:]]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        return Ran(done.returncode, done.stdout + done.stderr)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    home = tmp_path_factory.mktemp("foreign") / "env"
    wheel = build("wheel", tmp_path_factory.mktemp("wheel"))
    venv.create(home, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install"]
    subprocess.run([*pip, "-q", "--no-deps", "--no-compile", str(wheel)], check=True)
    (packages,) = (home / "lib").glob("python*/site-packages")
    (packages / "beside.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (home / "bin" / "pytest").write_text(
        f"#!{home / 'bin' / 'python'}\nimport sys\nfrom pytest import console_main\n"
        "sys.path.pop(0)\nsys.exit(console_main())\n"
    )
    (home / "bin" / "pytest").chmod(0o755)
    return Environment(home)


def project(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_the_environment_has_the_wheel_and_not_the_checkout(
    installed: Environment, tmp_path: Path
) -> None:
    asked = "import ptum.checks, pytest_ptum; print(ptum.checks.__file__, pytest_ptum.__file__)"
    found = installed.run(tmp_path, "python", "-c", asked).said.split()
    assert [Path(file).is_relative_to(installed.home) for file in found] == [True, True]


@pytest.mark.parametrize("files", PROJECTS.values(), ids=PROJECTS)
@pytest.mark.parametrize("words", [("pytest",), ("python", "-m", "pytest")], ids=" ".join)
def test_the_tests_of_a_project_see_its_own_modules(
    installed: Environment, tmp_path: Path, files: Mapping[str, str], words: tuple[str, ...]
) -> None:
    ran = installed.run(project(tmp_path, files), *words, "-q")
    assert ran.code == 0, ran.said
    assert "1 passed" in ran.said


@pytest.mark.parametrize("files", PROJECTS.values(), ids=PROJECTS)
def test_a_subject_of_such_a_project_is_judged(
    installed: Environment, tmp_path: Path, files: Mapping[str, str]
) -> None:
    """The subject raises what it found, so that the report shows whose modules it got."""
    found = "my checks, my spec, my reference" if files is OWN_FOLDERS else "my PTUM"
    inside = [name for name in ("ptum:subject", "ptum.adapter:subject") if is_inside(name, files)]
    for subject in ("mine:subject", *inside):
        ran = installed.run(project(tmp_path, files), "ptum", "validate", subject)
        assert ran.code == 1, ran.said
        assert f"RuntimeError: {found}" in ran.said


def is_inside(subject: str, files: Mapping[str, str]) -> bool:
    return f"{subject.partition(':')[0].replace('.', '/')}.py" in files


def test_a_folder_that_python_itself_does_not_see_is_to_be_renamed(
    installed: Environment, tmp_path: Path
) -> None:
    """Without `__init__.py` a folder gives way to an installed package of its name."""
    folder = project(tmp_path, OWN_BARE_FOLDER)
    ran = installed.run(folder, "ptum", "validate", "ptum.adapter:subject")
    assert ran.code == 2
    assert "rename your folder, or give it an __init__.py" in ran.said


@pytest.mark.parametrize("words", [("pytest",), ("python", "-m", "pytest")], ids=" ".join)
def test_the_suite_runs_inside_pytest_where_it_is_asked_for(
    installed: Environment, tmp_path: Path, words: tuple[str, ...]
) -> None:
    asked = ("--ptum-verify", "ptum::lemma-7.positive/bandit", "-q")
    ran = installed.run(project(tmp_path, OWN_FOLDERS), *words, *asked)
    assert ran.code == 0, ran.said
    assert "1 passed" in ran.said


@pytest.mark.parametrize("words", [("pytest",), ("python", "-m", "pytest")], ids=" ".join)
@pytest.mark.parametrize("files", [OWN_MODULE, OWN_PACKAGE], ids=["module", "package"])
@pytest.mark.parametrize(
    "asked",
    [("--ptum-verify", "ptum::lemma-7.positive/bandit"), ("--ptum-subject", "mine:subject")],
    ids=["verify", "subject"],
)
def test_the_suite_is_refused_where_its_name_is_taken(
    installed: Environment,
    tmp_path: Path,
    words: tuple[str, ...],
    files: Mapping[str, str],
    asked: tuple[str, ...],
) -> None:
    ran = installed.run(project(tmp_path, files), *words, *asked)
    assert ran.code == 4
    assert "rename yours, or ask from another folder" in ran.said
    assert "Traceback" not in ran.said
