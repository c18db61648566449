"""The suite inside pytest says what `ptum verify` says.

Every run is a process of its own: pytest's in-process runs drop imported modules afterwards.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from checks.cli.failure import failure_lines
from checks.outcome import Outcome
from checks.registry import Profile, registry
from checks.runner import Row
from spec.vocabulary import Verdict

ROOT = Path(__file__).parent.parent
BANDIT = "lemma-7.positive/bandit"
pytest_plugins = ["pytester"]

SUNSHINE = """
import checks.runner
from checks.outcome import Outcome
from spec.vocabulary import Verdict

def surprising(check, job):
    outcome = Outcome(Verdict.HOLDS, story=("the sun shines",))
    return checks.runner.Row(check, outcome, frozenset({Verdict.VIOLATED}), 0.0)

checks.runner.run_one = surprising
"""


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("-p", "no:xdist", "-p", "no:cacheprovider", *options)


def test_checks_become_items_and_tests_need_a_path(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_own="def test_own(): assert 1 == 1")
    pytester.makeini("[pytest]\ntestpaths = .")
    listed = ("--ptum-verify", "--collect-only", "-q")
    alone = run(pytester, *listed).stdout.str()
    for name in registry():
        assert f"ptum::{name}\n" in alone
    assert "test_own" not in alone
    both = run(pytester, *listed, "test_own.py").stdout.str()
    assert "test_own.py::test_own\n" in both
    assert f"ptum::{BANDIT}\n" in both
    assert f"{len(registry()) + 1} tests collected" in both


def test_the_lines_of_the_page_collect_checks_alone() -> None:
    """Run inside this repository, which has tests of its own."""
    page = (ROOT / "docs" / "commands.md").read_text()
    lines = re.findall(r"^pytest (--ptum-verify.*?)(?: +#.*)?$", page, re.MULTILINE)
    assert len(lines) == 3
    for line in lines:
        asked = [*shlex.split(line), "--collect-only", "-q", "-p", "no:xdist"]
        command = [sys.executable, "-m", "pytest", *asked, "-p", "no:cacheprovider"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        ids = [text for text in done.stdout.splitlines() if "::" in text]
        assert f"ptum::{BANDIT}" in ids
        assert all(text.startswith("ptum::") for text in ids)


def test_without_the_option_nothing_is_added(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_own="def test_own(): assert 1 == 1")
    collected = run(pytester, "--collect-only", "-q").stdout.str()
    assert "test_own.py::test_own\n" in collected
    assert "lemma-7" not in collected


def test_same_verdicts(pytester: pytest.Pytester) -> None:
    ids = (f"ptum::{BANDIT}", "ptum::algorithm-rtp.recovers/imported")
    run(pytester, "--ptum-verify", *ids).assert_outcomes(passed=1, skipped=1)


@pytest.mark.parametrize("word", [BANDIT, "lemma-7.positive", "lemma-7"])
def test_an_id_that_pytest_prints_selects(pytester: pytest.Pytester, word: str) -> None:
    chosen = [name for name in registry() if name.startswith(word)]
    result = run(pytester, "--ptum-verify", "--collect-only", "-q", f"ptum::{word}")
    assert [line for line in result.outlines if "::" in line] == [f"ptum::{n}" for n in chosen]


def test_an_unknown_id_is_refused(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--ptum-verify", "ptum::lemma-7.positive/bandt")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"nearest: {BANDIT}" in result.stderr.str()


def test_a_surprise_fails_and_tells_the_story_that_the_command_tells(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeconftest(SUNSHINE)
    result = run(pytester, "--ptum-verify", "-k", "bandit and positive")
    result.assert_outcomes(failed=1, deselected=len(registry()) - 1)
    said = [
        "*says holds, which the ledger does not expect*",
        "*claim *Positive index*",
        "*4·(1 + γ)*",
    ]
    again = f"*again *ptum verify --check {BANDIT} --profile quick --seed 0*"
    result.stdout.fnmatch_lines([*said, "*the sun shines*", again])
    outcome = Outcome(Verdict.HOLDS, story=("the sun shines",))
    row = Row(registry()[BANDIT], outcome, frozenset({Verdict.VIOLATED}), 0.0)
    of_the_command = "\n".join(failure_lines(row, Profile.QUICK, 0)[1:])
    assert of_the_command in result.stdout.str()


def test_an_unknown_profile_is_refused(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--ptum-verify", "--ptum-profile", "quik")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "quick" in result.stderr.str() + result.stdout.str()
