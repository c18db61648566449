"""Every example that `--help` shows is run, and every exit code stands in one table."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import click
import pytest

from ptum.checks.cli import cli
from ptum.checks.cli.judge import self_test
from ptum.checks.cli.output import formatting
from ptum.checks.judge.examples import LANGUAGES
from ptum.checks.judge.results import vectors
from ptum.checks.judge.results.self_test import all_conforming
from ptum.checks.judge.slips import slips
from ptum.checks.site import build as site
from ptum.checks.site import docs
from ptum.checks.suite import calibration, cpu_limit, looseness
from ptum.checks.suite.attempts import build
from ptum.checks.verdicts.check import Profile
from ptum.reference.transfer.transcript import to_lines
from tests.support.command import ptum
from tests.support.instances import short_run

ROOT = Path(__file__).parents[3]
COMMANDS = (ROOT / "docs" / "commands.md").read_text()

TOO_LONG = {
    "ptum verify",
    "ptum verify --jobs 2 --json report.json",
    "ptum verify --profile deep --jobs 2 --keep deep.jsonl",
    "ptum verify --profile deep --scheduler tcp://127.0.0.1:8786",
    "ptum reproduce all",
    "ptum reproduce all --jobs 2 --out results",
    "ptum reproduce figure-1-left --choice D69=one-goal",
}
"""All checks, or all runs of a panel: `make verify` and test_reproduce.py run such."""

PROGRAMS: dict[str, Callable[[Sequence[str]], None]] = {
    "ptum.checks.suite.looseness": looseness.main,
    "ptum.checks.suite.attempts": build.main,
    "ptum.checks.suite.calibration": calibration.main,
    "ptum.checks.suite.cpu_limit": cpu_limit.main,
    "ptum.checks.site.docs": docs.main,
}
"""What is called as `python -m`, by `make` or by hand."""

LONG = [
    ("verify", "--check", "lemma-7.positive/bandit"),
    ("replay", "report.json"),
    ("validate", "my:subject"),
    ("validate", "--slips"),
    ("vectors", "build", "--folder", "there"),
]

SUBJECT = """
class Subject:
    name = "tiny"

    def policy_value(self, p, q, u, gamma, pi):
        import numpy as np
        p, r = np.asarray(p), np.asarray(q) @ np.asarray(u)
        rows = np.arange(len(pi))
        return np.linalg.solve(np.eye(len(pi)) - gamma * p[rows, pi], r[rows, pi])


subject = Subject()
"""


def every_command(
    command: click.Command = cli, path: tuple[str, ...] = ("ptum",)
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            yield from every_command(child, (*path, name))


def examples(command: click.Command) -> list[str]:
    """Lines of the help that are commands; two blanks end one."""
    lines = (line.strip() for line in (command.help or "").splitlines())
    return [re.split(" {2,}", line)[0] for line in lines if line.startswith("ptum ")]


ALL = {path: examples(command) for path, command in every_command()}
SHOWN = sorted({example for found in ALL.values() for example in found})


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_command_has_an_example_of_itself(path: tuple[str, ...]) -> None:
    assert any(example.startswith(" ".join(path)) for example in ALL[path])
    shown = ptum(*path[1:], "--help")
    assert shown.returncode == 0
    for example in ALL[path]:
        assert example in shown.stdout


def test_every_command_has_an_example_that_is_run() -> None:
    assert set(SHOWN) >= TOO_LONG
    for path, found in ALL.items():
        assert any(example not in TOO_LONG for example in found), path


@cache
def report() -> str:
    return ptum("verify", "--check", "lemma-7.positive/bandit", "--json", "-").stdout


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the files that the examples name, and small sets where all would be many."""
    monkeypatch.chdir(tmp_path)
    for name in ("report.json", "before.json", "after.json"):
        (tmp_path / name).write_text(report())
    package = tmp_path / "my_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "adapter.py").write_text(SUBJECT)
    (tmp_path / "my.py").write_text(SUBJECT)
    program = tmp_path / "my_ptum"
    host = shlex.join(
        [sys.executable, "-m", "ptum.checks.judge.programs.host", "my_package.adapter:subject"]
    )
    program.write_text(f"#!/bin/sh\nexec {host}\n")
    program.chmod(0o755)
    (tmp_path / "run.jsonl").write_text("\n".join(to_lines(short_run())) + "\n")
    few = tuple(bad for bad in slips() if bad.capability == "policy_value")
    monkeypatch.setattr(self_test, "slips", lambda: few)
    monkeypatch.setattr(self_test, "all_conforming", lambda: list(all_conforming())[:2])
    monkeypatch.setattr(vectors, "NAMES", ("policy_value",))
    monkeypatch.setattr(site, "pages", lambda _: {"index.html": b"all pages take a while"})
    return tmp_path


@pytest.mark.parametrize("example", sorted(set(SHOWN) - TOO_LONG))
def test_an_example_runs_and_says_something(example: str, place: Path) -> None:
    done = ptum(*shlex.split(example)[1:])
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout
    written = [word for word in shlex.split(example) if word.endswith("list.json")]
    assert all((place / name).exists() for name in written)


@pytest.mark.parametrize("arguments", LONG, ids=" ".join)
@pytest.mark.usefixtures("place")
def test_a_long_command_shows_on_stderr_that_it_is_alive(arguments: tuple[str, ...]) -> None:
    done = ptum(*arguments)
    assert done.returncode == 0
    assert re.match(r"\[1/\d+\] ", done.stderr)
    assert "[1/" not in done.stdout


@pytest.mark.parametrize("example", sorted(TOO_LONG))
def test_a_long_example_is_understood(example: str) -> None:
    _, name, *arguments = shlex.split(example)
    context = cli.commands[name].make_context(name, arguments)
    assert context.params.get("profile", "quick") in ("quick", "deep")
    assert context.params.get("runs", 100) == 100


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_option_says_what_it_does_and_what_holds_without_it(path: tuple[str, ...]) -> None:
    command = dict(every_command())[path]
    for option in command.params:
        if not isinstance(option, click.Option) or option.multiple or option.is_flag:
            continue
        assert option.help, option.name
        told = option.show_default or f"{option.default} (default)" in option.help
        assert isinstance(option.default, str | int | float) == bool(told), option.name


def test_help_and_page_say_how_long_a_profile_takes() -> None:
    assert formatting.TIMES in " ".join(ptum("verify", "--help").stdout.split())
    assert formatting.TIMES in COMMANDS
    assert all(f"{profile.value} " in formatting.TIMES for profile in Profile)


def test_the_languages_of_a_harness_are_named() -> None:
    (option,) = (o for o in cli.commands["validate"].params if o.name == "example")
    assert isinstance(option, click.Option)
    assert all(language in (option.help or "") for language in LANGUAGES)


def test_the_page_of_commands_names_all_of_them() -> None:
    named = set(re.findall(r"^\| `(ptum [a-z ]+)`", COMMANDS, re.MULTILINE))
    leaves = {
        " ".join(path) for path, command in every_command() if not isinstance(command, click.Group)
    }
    assert named == leaves


def test_the_page_of_commands_names_all_exit_codes() -> None:
    listed = [int(code) for code in re.findall(r"^\| (\d+) \|", COMMANDS, re.MULTILINE)]
    assert listed == sorted(
        value for name, value in vars(formatting).items() if name.startswith("EXIT_")
    )
    assert len(listed) == 6
    assert "There are six, in every command." in COMMANDS
    assert "six exit codes" in (ROOT / "CHANGELOG.md").read_text()
    header = next(line for line in COMMANDS.splitlines() if line.startswith("| code |"))
    for name in cli.commands:
        assert f"`{name}`" in header


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_a_program_beside_the_command_has_help_and_then_does_nothing(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        PROGRAMS[name](["--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: python -m {name}")
