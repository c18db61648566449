"""A check that does not come to an end is ended, and `errored`, never `inconclusive`."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies as st

from ptum.checks.claims import registry
from ptum.checks.suite import cpu_limit
from ptum.checks.suite.cpu_limit import FLOOR, TIMES, limit_of, limited, usual_seconds
from ptum.checks.suite.runner import Job, run_one
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import Verdict

BANDIT = registry()["lemma-7.positive/bandit"]
SOON = 0.3


def spin() -> None:
    """Use CPU time, without end."""
    while True:
        pass


def endless_search(context: Context) -> Outcome:
    """A search takes exceptions for findings, and must not take this one."""

    def evaluate(_: int) -> Evaluation:
        spin()
        return Evaluation((), Statement("never", 0, "=", 0))

    return search(context, st.integers(), evaluate, 3)


@pytest.mark.parametrize("run", [lambda _: spin(), endless_search], ids=["loop", "search"])
def test_a_check_that_does_not_end_is_errored(run: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_limit, "limit_of", lambda *_: SOON)
    row = run_one(replace(BANDIT, run=run), Job(Profile.QUICK, 0))  # type: ignore[arg-type]
    assert row.outcome.verdict is Verdict.ERRORED
    assert row.outcome.explanation[0].startswith("ended at a limit, 0.3 seconds of CPU time")
    assert not row.as_expected


def test_what_ends_in_time_is_left_alone() -> None:
    before = signal.getsignal(signal.SIGPROF)
    with limited(FLOOR):
        assert signal.getitimer(signal.ITIMER_PROF)[0] > 0
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
    assert signal.getsignal(signal.SIGPROF) == before


def test_limits_are_twenty_times_the_usual_and_never_below_the_floor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = {"quick": {"a/b": 0.1, "c/d": 7.0}}
    monkeypatch.setattr(cpu_limit, "usual_seconds", lambda: usual)
    assert limit_of("a/b", Profile.QUICK) == FLOOR > TIMES * 0.1
    assert limit_of("c/d", Profile.QUICK) == 7.0 * TIMES > FLOOR
    assert limit_of("new/check", Profile.QUICK) is None
    assert limit_of("c/d", Profile.DEEP) is None


def test_the_file_is_of_this_registry() -> None:
    assert set(usual_seconds()) == {profile.value for profile in cpu_limit.MEASURED}
    for usual in usual_seconds().values():
        assert set(usual) <= set(registry())
        assert all(0 <= seconds < FLOOR for seconds in usual.values())


def test_usual_times_are_measured_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cpu_limit, "FILE", tmp_path / "usual.json")
    monkeypatch.setattr(cpu_limit, "registry", lambda: {BANDIT.id: BANDIT})
    cpu_limit.main([])
    found = json.loads((tmp_path / "usual.json").read_text())
    assert [list(usual) for usual in found.values()] == [[BANDIT.id], [BANDIT.id]]
