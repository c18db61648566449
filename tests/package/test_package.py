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

ROOT = Path(__file__).parents[2]


def build(kind: str, target: Path, source: Path = ROOT) -> Path:
    """Build the wheel or the sdist with the installed backend, as pip would."""
    code = (
        "import sys; from hatchling import build; "
        f"print(getattr(build, 'build_{kind}')(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(target)],
        cwd=source,
        capture_output=True,
        text=True,
        check=True,
    )
    return target / done.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the sdist unpacks to."""
    place = tmp_path_factory.mktemp("sdist")
    archive = build("sdist", place)
    with tarfile.open(archive) as opened:
        opened.extractall(place, filter="data")
    return place / archive.name.removesuffix(".tar.gz")


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_wheel_has_one_package_and_one_plugin(wheel: Path) -> None:
    names = set(contents(wheel))
    assert "ptum/py.typed" in names
    for package in ("spec", "reference", "checks"):
        assert f"ptum/{package}/__init__.py" in names
    above = {name.partition("/")[0] for name in names}
    (information,) = (name for name in above if name.endswith(".dist-info"))
    assert above == {"ptum", "pytest_ptum.py", information}


def test_a_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    held = set(contents(wheel))
    kept = {
        f"ptum/{file.relative_to(ROOT).as_posix()}"
        for folder in ("spec", "reference", "checks", "docs")
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    } | {f"ptum/{file.name}" for file in (ROOT / "ptum").iterdir() if file.is_file()}
    assert kept
    assert kept <= held


def test_wheels_of_the_checkout_and_of_the_sdist_are_equal(
    wheel: Path, unpacked: Path, tmp_path: Path
) -> None:
    assert contents(build("wheel", tmp_path, unpacked)) == contents(wheel)


def test_sdist_holds_what_the_tests_need(unpacked: Path) -> None:
    for name in ("spec/ledger.py", "tests/conftest.py", "docs/errata.md", "Makefile", "README.md"):
        assert (unpacked / name).is_file()


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
    written = subprocess.run(
        [command, "report", "site"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert written.returncode == 0, written.stderr
    for name in ("index.html", "docs/repaired_transfer.html", "docs/looseness.svg"):
        assert (tmp_path / "site" / name).is_file()


def _pins() -> str:
    """The versions of the lock, without hashes: a wheel built just now has none."""
    lock = (ROOT / "requirements.lock").read_text().splitlines()
    return "\n".join(line.rstrip(" \\") for line in lock if "==" in line and line[0].isalpha())
