"""The suite inside pytest says what `ptum verify` says.

Every run is a process of its own: pytest's in-process runs drop imported modules afterwards.
"""

from __future__ import annotations

import pytest

from checks.cli.failure import failure_lines
from checks.outcome import Outcome
from checks.registry import Profile, registry
from checks.runner import Row
from spec.vocabulary import Verdict

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

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


def test_checks_become_items(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_own="def test_own(): assert 1 == 1")
    text = run(pytester, "--ptum-verify", "--collect-only", "-q").stdout.str()
    for name in registry():
        assert name in text
    assert "test_own" in text


def test_without_the_option_nothing_is_added(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_own="def test_own(): assert 1 == 1")
    assert "lemma-7" not in run(pytester, "--collect-only", "-q").stdout.str()


def test_same_verdicts(pytester: pytest.Pytester) -> None:
    chosen = "(bandit and positive) or figure-1-left"
    panels = sum(name.startswith("figure-1-left.") for name in registry())
    result = run(pytester, "--ptum-verify", "-k", chosen)
    result.assert_outcomes(passed=1, skipped=panels, deselected=len(registry()) - panels - 1)


def test_a_surprise_fails_and_tells_its_story(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(SUNSHINE)
    result = run(pytester, "--ptum-verify", "-k", "bandit and positive")
    result.assert_outcomes(failed=1, deselected=len(registry()) - 1)
    said = [
        "*says holds, which the ledger does not expect*",
        "*claim *Positive index*",
        "*4·(1 + γ)*",
    ]
    again = "*again *ptum verify --check lemma-7.positive/bandit --profile quick --seed 0*"
    result.stdout.fnmatch_lines([*said, "*the sun shines*", again])


def test_a_failing_item_says_what_the_command_says(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(SUNSHINE)
    check = registry()["lemma-7.positive/bandit"]
    outcome = Outcome(Verdict.HOLDS, story=("the sun shines",))
    row = Row(check, outcome, frozenset({Verdict.VIOLATED}), 0.0)
    text = run(pytester, "--ptum-verify", "-k", "bandit and positive").stdout.str()
    assert "\n".join(failure_lines(row, Profile.QUICK, 0)[1:]) in text


def test_an_unknown_profile_is_refused(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--ptum-verify", "--ptum-profile", "quik")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "quick" in result.stderr.str() + result.stdout.str()
