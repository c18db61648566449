"""The built wheel works in an empty environment, from another folder."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def build(kind: str, target: Path) -> Path:
    """Build the wheel or the sdist with the installed backend, as pip would."""
    code = (
        "import sys; from hatchling import build; "
        f"print(getattr(build, 'build_{kind}')(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(target)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return target / done.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


def test_wheel_holds_the_packages_and_their_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for package in ("spec", "reference", "checks"):
        assert f"{package}/py.typed" in names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


def test_sdist_holds_what_the_tests_need(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("spec/ledger.py", "tests/conftest.py", "docs/errata.md", "Makefile", "README.md"):
        assert name in names


@pytest.mark.slow
def test_wheel_works_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "env"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    constraints = tmp_path / "constraints.txt"
    constraints.write_text(_pins())
    install = [str(python), "-m", "pip", "install", "-q", "--no-compile"]  # most is never imported
    subprocess.run([*install, "-c", str(constraints), str(wheel)], check=True, cwd=tmp_path)
    command = place / "bin" / "ptum"
    listed = subprocess.run(
        [command, "claims", "--json"], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert len(json.loads(listed.stdout)["claims"]) > 50
    verified = subprocess.run(
        [command, "verify", "--claim", "lemma-7"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert verified.returncode == 0, verified.stderr
    assert "lemma-7.positive" in verified.stdout


def _pins() -> str:
    """The versions of the lock, without hashes: a wheel built just now has none."""
    lock = (ROOT / "requirements.lock").read_text().splitlines()
    return "\n".join(line.rstrip(" \\") for line in lock if "==" in line and line[0].isalpha())
