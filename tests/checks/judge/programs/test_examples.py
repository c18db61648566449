"""The harnesses to start from conform in everything that they implement."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ptum.checks.judge.capabilities import capabilities
from ptum.checks.judge.examples import COMMANDS, LANGUAGES, write_example
from ptum.checks.judge.judging.verdicts import Conformity, Judgement, judge
from ptum.checks.judge.programs.asking import Conversation
from ptum.checks.judge.programs.process import Limits
from ptum.reference.errors import InputError

IMPLEMENTED = {"optimal", "policy_value", "widths", "information", "next_query", "ptum"}
TOOLS = {"python": sys.executable, "javascript": "node", "c": "cc"}


def tool(language: str) -> str:
    found = shutil.which(TOOLS[language])
    if found is None:
        pytest.skip(f"{TOOLS[language]} is not installed")
    return found


def started_by(language: str, directory: Path) -> Sequence[str]:
    """The documented command, with its files named from outside their directory."""
    program, *files = COMMANDS[language].split()
    if language == "c":
        return [str(directory / program)]
    return [tool(language), *(str(directory / file) for file in files)]


def judged(command: Sequence[str], only: Sequence[str] = ()) -> dict[str, Judgement]:
    conversation = Conversation(command, Limits(), 0, lambda _: None)
    header, exchanges = conversation.run(only, ())
    assert set(header.capabilities) == IMPLEMENTED
    return {found.capability: found for found in judge(capabilities().values(), exchanges)}


def assert_conforms(verdicts: dict[str, Judgement], expected: set[str]) -> None:
    told = {name: (found.verdict, found.finding, found.fault) for name, found in verdicts.items()}
    for name, found in told.items():
        due = Conformity.CONFORMS if name in expected else Conformity.NOT_IMPLEMENTED
        assert found == (due, None, None), name
    assert verdicts["ptum"].versions == ("repaired",)
    assert verdicts["ptum"].errata == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_conforms(language: str, tmp_path: Path) -> None:
    compiler = tool(language)
    write_example(language, tmp_path)
    if language == "c":
        options = ["-O2", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
        files = ["-o", str(tmp_path / "harness"), str(tmp_path / "harness.c"), "-lm"]
        subprocess.run([compiler, *options, *files], check=True)
    assert_conforms(judged(started_by(language, tmp_path)), IMPLEMENTED)


def test_the_makefile_builds_the_program_that_the_command_starts(tmp_path: Path) -> None:
    tool("c")
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed")
    write_example("c", tmp_path)
    subprocess.run([make, "-C", str(tmp_path)], check=True, capture_output=True)
    said = subprocess.run(
        [str(tmp_path / COMMANDS["c"])],
        input=b'{"type":"start","protocol":"ptum-stdio/1"}\n{"type":"stop"}\n',
        check=True,
        capture_output=True,
    )
    assert said.stdout.startswith(b'{"type":"ready"')


def test_the_adapter_conforms_without_a_protocol(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One capability of each kind: a value, a dict with infinite entries, a run with samples."""
    write_example("python", tmp_path)
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "ptum.checks.judge.programs.host", "adapter:subject"]
    asked = {"policy_value", "widths", "ptum"}
    assert_conforms(judged(command, sorted(asked)), asked)


def test_the_python_example_imports_the_standard_library_alone(tmp_path: Path) -> None:
    files = write_example("python", tmp_path)
    own = {file.stem for file in files}
    for file in files:
        assert set(imported(file.read_text())) <= own | sys.stdlib_module_names


def imported(text: str) -> Iterator[str]:
    """Packages that a module imports, anywhere in its text."""
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from (name.partition(".")[0] for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_are_written_once_and_never_overwritten(language: str, tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder"
    written = write_example(language, target)
    assert written == sorted(target.iterdir())
    assert all(file.read_text() for file in written)
    written[0].write_text("mine")
    kept = written[1:]
    for file in kept:
        file.unlink()
    with pytest.raises(InputError, match=f"{written[0].name} already; nothing was written"):
        write_example(language, target)
    assert written[0].read_text() == "mine"
    assert not any(file.exists() for file in kept)


def test_another_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="python, javascript, c"):
        write_example("cobol", tmp_path)
    assert not list(tmp_path.iterdir())
