"""The suite inside pytest says what `ptum verify` says.

No run is made in the test's own process: pytest's in-process runs drop imported modules afterwards.
Loading the suite takes seconds, so one process makes all runs that change nothing in it, in turn.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ptum.checks.claims import registry
from ptum.checks.cli.failure import failure_lines
from ptum.checks.suite.runner import Row
from ptum.checks.verdicts.check import Profile
from ptum.checks.verdicts.outcome import Outcome
from ptum.spec.vocabulary import Verdict

ROOT = Path(__file__).parents[2]
BANDIT = "lemma-7.positive/bandit"
LISTED = ("--ptum-verify", "--collect-only", "-q")
VERDICTS = ("--ptum-verify", f"ptum::{BANDIT}", "ptum::algorithm-rtp.recovers/imported")
WORDS = (BANDIT, "lemma-7.positive", "lemma-7")
UNKNOWN_ID = ("--ptum-verify", "ptum::lemma-7.positive/bandt")
UNKNOWN_PROFILE = ("--ptum-verify", "--ptum-profile", "quik")
NEGATIVE_SEED = ("--ptum-verify", "--ptum-seed", "-1")
pytest_plugins = ["pytester"]

IN_TURN = """
import contextlib, io, json, os, sys
import pytest

home = os.getcwd()
for line in sys.stdin:
    folder, *options = json.loads(line)
    os.chdir(folder)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = pytest.main(options)
    os.chdir(home)
    print(json.dumps([int(code), out.getvalue(), err.getvalue()]))
"""

SUNSHINE = """
import ptum.checks.suite.runner
from ptum.checks.verdicts.outcome import Outcome
from ptum.spec.vocabulary import Verdict

def unexpected(check, job):
    outcome = Outcome(Verdict.HOLDS, explanation=("the sun shines",))
    return ptum.checks.suite.runner.Row(check, outcome, frozenset({Verdict.VIOLATED}), 0.0)

ptum.checks.suite.runner.run_one = unexpected
"""


@dataclass(frozen=True)
class Ran:
    """How a run of pytest ended."""

    code: int
    out: str
    err: str

    @property
    def ids(self) -> list[str]:
        """The items that it listed."""
        return [line for line in self.out.splitlines() if "::" in line]


def options_of_the_page() -> list[tuple[str, ...]]:
    """What the page of commands puts behind `pytest`, and that items are only to be listed."""
    page = (ROOT / "docs" / "commands.md").read_text()
    lines = re.findall(r"^pytest (--ptum-verify.*?)(?: +#.*)?$", page, re.MULTILINE)
    return [(*shlex.split(line), "--collect-only", "-q") for line in lines]


@cache
def runs() -> dict[tuple[str, ...], Ran]:
    """All runs, by their options: in a project with one test, and the lines of the page in ours."""
    selected = [(*LISTED, f"ptum::{word}") for word in WORDS]
    elsewhere = [
        LISTED,
        (*LISTED, "test_own.py"),
        LISTED[1:],
        VERDICTS,
        UNKNOWN_ID,
        UNKNOWN_PROFILE,
        NEGATIVE_SEED,
    ]
    with TemporaryDirectory() as project:
        Path(project, "test_own.py").write_text("def test_own(): assert 1 == 1")
        Path(project, "pytest.ini").write_text("[pytest]\ntestpaths = .")
        asked = [(project, options) for options in (*elsewhere, *selected)]
        asked += [(str(ROOT), options) for options in options_of_the_page()]
        always = ("-p", "no:xdist", "-p", "no:cacheprovider")
        lines = [json.dumps([folder, *always, *options]) for folder, options in asked]
        command = [sys.executable, "-c", IN_TURN]
        done = subprocess.run(
            command, input="\n".join(lines), capture_output=True, text=True, check=True
        )
    answers = [Ran(*json.loads(line)) for line in done.stdout.splitlines()]
    return {options: ran for (_, options), ran in zip(asked, answers, strict=True)}


def test_checks_become_items_and_tests_need_a_path() -> None:
    every = [f"ptum::{name}" for name in registry()]
    assert runs()[LISTED].ids == every
    both = runs()[(*LISTED, "test_own.py")]
    assert sorted(both.ids) == sorted([*every, "test_own.py::test_own"])
    assert f"{len(registry()) + 1} tests collected" in both.out


def test_the_lines_of_the_page_collect_checks_alone() -> None:
    """Run inside this repository, which has tests of its own."""
    assert len(options_of_the_page()) == 3
    for options in options_of_the_page():
        ran = runs()[options]
        assert ran.code == 0
        assert f"ptum::{BANDIT}" in ran.ids
        assert all(text.startswith("ptum::") for text in ran.ids)


def test_without_the_option_nothing_is_added() -> None:
    assert runs()[LISTED[1:]].ids == ["test_own.py::test_own"]


def test_same_verdicts() -> None:
    ran = runs()[VERDICTS]
    assert ran.code == 0
    assert "1 passed, 1 skipped" in ran.out


@pytest.mark.parametrize("word", WORDS)
def test_an_id_that_pytest_prints_selects(word: str) -> None:
    chosen = [f"ptum::{name}" for name in registry() if name.startswith(word)]
    assert runs()[(*LISTED, f"ptum::{word}")].ids == chosen


def test_an_unknown_id_is_refused() -> None:
    ran = runs()[UNKNOWN_ID]
    assert ran.code == pytest.ExitCode.USAGE_ERROR
    assert f"nearest: {BANDIT}" in ran.err


def test_an_unknown_profile_is_refused() -> None:
    ran = runs()[UNKNOWN_PROFILE]
    assert ran.code == pytest.ExitCode.USAGE_ERROR
    assert "quick" in ran.err


def test_a_negative_seed_is_refused() -> None:
    ran = runs()[NEGATIVE_SEED]
    assert ran.code == pytest.ExitCode.USAGE_ERROR
    assert "--ptum-seed must not be negative, not -1" in ran.err


def test_an_unexpected_verdict_fails_with_the_explanation_of_the_command(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeconftest(SUNSHINE)
    options = ("-p", "no:xdist", "-p", "no:cacheprovider", "--ptum-verify")
    result = pytester.runpytest_subprocess(*options, "-k", "bandit and positive")
    result.assert_outcomes(failed=1, deselected=len(registry()) - 1)
    said = [
        "*says holds, which the ledger does not expect*",
        "*claim *Positive index*",
        "*4·(1 + γ)*",
    ]
    again = f"*again *ptum verify --check {BANDIT} --profile quick --seed 0*"
    result.stdout.fnmatch_lines([*said, "*the sun shines*", again])
    outcome = Outcome(Verdict.HOLDS, explanation=("the sun shines",))
    row = Row(registry()[BANDIT], outcome, frozenset({Verdict.VIOLATED}), 0.0)
    of_the_command = "\n".join(failure_lines(row, Profile.QUICK, 0)[1:])
    assert of_the_command in result.stdout.str()
