"""The runner: same answers however it is run, nothing lost when it is cut short."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import strategies as st

from ptum.checks.claims import registry
from ptum.checks.claims.appendix_b.positive_index import repaired_threshold
from ptum.checks.cli.failure import failure_lines
from ptum.checks.cli.output.progress import Progress
from ptum.checks.cli.output.results import verdict_table
from ptum.checks.cli.verify import exit_code
from ptum.checks.suite import runner
from ptum.checks.suite.report import Report, as_report, encode, read
from ptum.checks.suite.runner import LOST, NOT_RUN, EarlyStop, Row, TimedOutcome, cut_short, run
from ptum.checks.verdicts.check import Check, Context, Profile
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import CheckKind, Verdict, Version
from tests.support.command import Screen

BANDIT = registry()["lemma-7.positive/bandit"]
SOME = tuple(
    registry()[name]
    for name in (
        "lemma-7.positive/bandit",
        "text-mean-reward.definition/formula",
        "assumption-3.threshold/formula",
        "algorithm-1.transfer-mode/formula",
    )
)

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc, and copies processes")


def facts(rows: list[Row]) -> list[tuple[object, ...]]:
    """Everything about rows but the time they took."""
    return [(row.check.id, row.outcome, row.expected, row.ran) for row in rows]


def all_is_well(_: Context) -> Outcome:
    return Outcome(Verdict.HOLDS, explanation=("all is well",))


def refuted_but_holding() -> Check:
    return replace(BANDIT, run=all_is_well)


def report_of(rows: list[Row]) -> Report:
    return as_report(rows, Profile.QUICK, 0, {})


@pytest.mark.slow
def test_one_process_and_two_say_the_same() -> None:
    alone = run(SOME, Profile.QUICK, 5, jobs=1)
    together = run(SOME, Profile.QUICK, 5, jobs=2)
    assert facts(alone) == facts(together)


def test_order_and_company_do_not_matter() -> None:
    forwards = run(SOME[:3], Profile.QUICK, 5)
    backwards = run(SOME[2::-1], Profile.QUICK, 5)
    assert facts(forwards) == facts(backwards[::-1])
    assert facts(run(SOME[1:2], Profile.QUICK, 5)) == facts(forwards)[1:2]


def test_time_that_is_up_leaves_the_rest_inconclusive() -> None:
    rows = run(SOME, Profile.QUICK, 0, limits=EarlyStop(seconds=0.0))
    assert cut_short(rows)
    assert all(row.outcome.verdict is Verdict.INCONCLUSIVE for row in rows)
    assert all(row.outcome.explanation == (NOT_RUN,) for row in rows)
    assert exit_code(rows) == 3
    assert report_of(rows).footer.surprises == 0


def test_fail_fast_stops_at_the_first_unexpected_verdict() -> None:
    checks = (SOME[1], refuted_but_holding(), SOME[3])
    rows = run(checks, Profile.QUICK, 0, limits=EarlyStop(fail_fast=True))
    assert [row.ran for row in rows] == [True, True, False]
    assert exit_code(rows) == 1


def test_an_interrupt_keeps_what_is_known() -> None:
    def interrupt(_: Context) -> Outcome:
        raise KeyboardInterrupt

    rows = run((BANDIT, replace(SOME[1], run=interrupt), SOME[3]), Profile.QUICK, 0)
    assert [row.ran for row in rows] == [True, False, False]
    assert exit_code(rows) == 3


def test_an_interrupt_breaks_the_check_that_is_running() -> None:
    went_on: list[Context] = []

    def interrupted(context: Context) -> Outcome:
        signal.raise_signal(signal.SIGINT)
        went_on.append(context)
        return Outcome(Verdict.HOLDS)

    (row,) = run((replace(BANDIT, run=interrupted),), Profile.QUICK, 0)
    assert not row.ran
    assert went_on == []


def lose_an_interrupt(_: Context) -> Outcome:
    """What happens when Ctrl-C hits a callback of the garbage collector."""
    with contextlib.suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    return Outcome(Verdict.HOLDS)


@on_linux
def test_who_leaves_early_ends_his_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """One check waits for a byte that never comes; the other is unexpected when that has begun."""
    begun, tell = os.pipe()
    never, _ = os.pipe()

    def waits(_: Context) -> Outcome:
        os.write(tell, str(os.getpid()).encode())
        os.read(never, 1)
        return Outcome(Verdict.HOLDS)

    def unexpected(_: Context) -> Outcome:
        return Outcome(Verdict.HOLDS, explanation=(os.read(begun, 20).decode(),))

    checks = replace(SOME[1], run=waits), replace(BANDIT, run=unexpected)
    monkeypatch.setattr(runner, "registry", lambda: {check.id: check for check in checks})
    rows = run(checks, Profile.QUICK, 0, jobs=2, limits=EarlyStop(fail_fast=True))
    assert [row.ran for row in rows] == [False, True]
    assert gone(int(rows[1].outcome.explanation[0]))


def gone(pid: int) -> bool:
    """Ended and reaped."""
    return not Path(f"/proc/{pid}").exists()


@on_linux
def test_checks_of_a_worker_that_dies_are_errored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As by the kernel when memory runs out: no pass, no traceback, and the rest was not run."""

    def dies(_: Context) -> Outcome:
        os.kill(os.getpid(), signal.SIGKILL)
        return Outcome(Verdict.HOLDS)

    checks = (BANDIT, *(replace(check, run=dies) for check in SOME[1:3]), SOME[3])
    monkeypatch.setattr(runner, "registry", lambda: {check.id: check for check in checks})
    seen: list[Row] = []
    rows = run(checks, Profile.QUICK, 0, jobs=2, watch=seen.append)
    lost = [row for row in rows if row.outcome.explanation == (LOST,)]
    assert lost
    assert all(row.outcome.verdict is Verdict.ERRORED and row.ran for row in lost)
    assert {row.check.id for row in lost} <= {row.check.id for row in seen}
    assert not rows[-1].ran
    assert exit_code(rows) == 1


def test_what_is_finished_is_kept() -> None:
    """A result that came in while the run was being stopped; no result is none."""
    holds = Outcome(Verdict.HOLDS)
    finished, broken, waiting = (
        Future[TimedOutcome](),
        Future[TimedOutcome](),
        Future[TimedOutcome](),
    )
    finished.set_result((holds, frozenset({Verdict.HOLDS}), 0.5))
    broken.set_exception(KeyboardInterrupt())
    running = dict(zip((waiting, broken, finished), SOME[:3], strict=True))
    (row,) = runner.finished_rows(running)
    assert (row.check, row.outcome, row.seconds, row.ran) == (SOME[2], holds, 0.5, True)


def test_an_interrupt_that_was_lost_still_counts() -> None:
    before = signal.getsignal(signal.SIGINT)
    rows = run((replace(SOME[1], run=lose_an_interrupt), BANDIT), Profile.QUICK, 0)
    assert [row.ran for row in rows] == [True, False]
    assert signal.getsignal(signal.SIGINT) is before

    def search_after_it(context: Context) -> Outcome:
        lose_an_interrupt(context)
        return search(replace(context, check=""), st.integers(1, 9), below_ten, 40)

    (cut,) = run((replace(SOME[1], run=search_after_it),), Profile.QUICK, 0)
    assert not cut.ran
    assert run((BANDIT,), Profile.QUICK, 0)[0].ran  # forgotten afterwards


def test_a_lost_interrupt_leaves_no_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    class Dying:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def lose(_: Context) -> Outcome:
        Dying()
        return Outcome(Verdict.HOLDS)

    hook = sys.unraisablehook
    rows = run((replace(SOME[1], run=lose), BANDIT), Profile.QUICK, 0)
    assert [row.ran for row in rows] == [True, False]
    assert capfd.readouterr().err == ""
    assert sys.unraisablehook is hook


def test_an_interrupt_breaks_nothing_but_a_check() -> None:
    """Between checks it is told and remembered; who watches the rows can finish his work."""
    told: list[int] = []
    seen: list[str] = []

    def watch(row: Row) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        seen.append(row.check.id)

    rows = run(SOME[:2], Profile.QUICK, 0, watch=watch, on_interrupt=lambda: told.append(1))
    assert seen == [BANDIT.id]
    assert [row.ran for row in rows] == [True, False]
    assert len(told) == 2


def test_exit_code_of_a_clean_run() -> None:
    assert exit_code(run((BANDIT,), Profile.QUICK, 0)) == 0


def test_table_marks_an_unexpected_verdict() -> None:
    rows = run((refuted_but_holding(),), Profile.QUICK, 0)
    assert "holds!" in verdict_table(report_of(rows))
    clean = report_of(run((BANDIT,), Profile.QUICK, 0))
    assert "holds!" not in verdict_table(clean)


def test_report_round_trip(tmp_path: Path) -> None:
    report = report_of(run(SOME[:1], Profile.QUICK, 0))
    path = tmp_path / "report.json"
    path.write_bytes(encode(report))
    assert read(path) == report
    assert report.results[0].replay.startswith("ptum verify --check lemma-7.positive/bandit")


@pytest.mark.slow
def test_a_deep_report_has_the_best_attempt() -> None:
    deep = Check(
        id="lemma-5.policy/drawn-pairs",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="",
        run=lambda context: search(replace(context, check=""), st.integers(1, 9), below_ten, 40),
    )
    report = as_report(run((deep,), Profile.DEEP, 0), Profile.DEEP, 0, {})
    best = msgspec.json.decode(encode(report), type=Report).results[0].best
    assert best is not None
    assert (best.ratio, best.instance, best.reason) == (0.9, "9", None)
    assert report.results[0].looseness is not None
    assert report_of(run((deep,), Profile.QUICK, 0)).results[0].best is None


def below_ten(number: int) -> Evaluation:
    return Evaluation((), Statement("number", number, "<", 10))


def test_a_failure_explains_itself() -> None:
    """Claim, place, formulas, shrunk instance, numbers, margin, largest violation, command."""
    too_generous = replace(
        registry()["lemma-7.positive/repaired-threshold"],
        run=lambda context: repaired_threshold(replace(context, check=""), factor=9),
    )
    (row,) = run((too_generous,), Profile.QUICK, 3)
    text = "\n".join(failure_lines(row, Profile.QUICK, 3))
    for piece in (
        "lemma-7.positive/repaired-threshold says violated, which the ledger does not expect.",
        "  claim      Positive index (Appendix B.3, label lemma:idx-positive): ",
        "  repaired   The lemma holds when line 2 admits only ",
        "  says            ε·(1 - γ)",
        "  instance   ExactModels(models=",
        "  premise    transfer mode: Δ against its threshold: ",
        "  conclusion 8Δ against the largest gap of any two models: ",
        "  largest    8Δ against the largest gap of any two models: ",
        "  margin     ",
        "  formula         ε·(1 - γ)",
        "  numbers         ",
        "  again      ptum verify --check lemma-7.positive/repaired-threshold "
        "--profile quick --seed 3",
    ):
        assert piece in text, f"{piece!r} is missing in\n{text}"
    assert " --family mine:tasks" in failure_lines(row, Profile.QUICK, 3, "mine:tasks")[-1]


@pytest.mark.parametrize("missing", ["footer", "header"])
def test_a_cut_report_is_refused(tmp_path: Path, missing: str) -> None:
    document = json.loads(encode(report_of(run(SOME[:1], Profile.QUICK, 0))))
    del document[missing]
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match="not a complete report"):
        read(path)


def test_a_report_with_lost_results_is_refused(tmp_path: Path) -> None:
    document = json.loads(encode(report_of(run(SOME[:1], Profile.QUICK, 0))))
    document["results"] = []
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match="results are missing"):
        read(path)


def test_an_unreadable_report_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot read"):
        read(tmp_path / "nowhere.json")


def test_progress_is_a_bar_on_a_terminal_and_lines_in_a_pipe() -> None:
    (row,) = run((BANDIT,), Profile.QUICK, 0)
    terminal, pipe = Screen(), io.StringIO()
    for stream in (terminal, pipe):
        progress = Progress(2, stream)
        progress(row)
        progress.close()
    assert "█" in terminal.getvalue()
    assert "\n" not in terminal.getvalue()
    assert pipe.getvalue().startswith("[1/2] lemma-7.positive/bandit: violated")
