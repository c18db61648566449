"""The end of `ptum verify`: on one screen, and what is unexpected cannot be overlooked."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace

import click
import pytest

from ptum.checks.claims import registry
from ptum.checks.cli.output.digest import PROOF_STEPS, digest
from ptum.checks.cli.output.progress import MARKS, Progress
from ptum.checks.cli.verify import EXPLAINED, FEW, NAMED, print_result
from ptum.checks.suite.report import as_report
from ptum.checks.suite.runner import Row, expected_in, run
from ptum.checks.verdicts.check import Check, Profile
from ptum.checks.verdicts.outcome import Outcome
from ptum.spec import ledger
from ptum.spec.vocabulary import Status, Verdict, Version
from tests.support.command import Screen, on_screen, ptum, widest


def row_of(check: Check, verdict: Verdict | None = None) -> Row:
    """A check as if it had run, with a verdict that is expected unless another one is given."""
    expected = expected_in(check, Profile.QUICK)
    said = verdict or sorted(expected)[0]
    return Row(check, Outcome(said, explanation=("made up",)), expected, 0.1)


def as_expected() -> list[Row]:
    """The whole suite, when all is as expected."""
    return [row_of(check) for check in registry().values()]


def surprising(wrong: Callable[[Check], bool], verdict: Verdict) -> list[Row]:
    """The whole suite, with another verdict where somebody wants it."""
    return [row_of(check, verdict if wrong(check) else None) for check in registry().values()]


def ending(
    capsys: pytest.CaptureFixture[str], rows: Sequence[Row], *, verbose: bool = False
) -> list[str]:
    """The lines that `ptum verify` ends with."""
    print_result(rows, as_report(rows, Profile.QUICK, 0, {}), verbose=verbose)
    return capsys.readouterr().out.splitlines()


class TestWholeSuite:
    """All checks at once."""

    def test_it_fits_a_screen(self, capsys: pytest.CaptureFixture[str]) -> None:
        lines = ending(capsys, as_expected())
        assert len(lines) <= 40
        assert widest("\n".join(lines)) <= 80
        assert any("; 0 unexpected." in line for line in lines)
        assert lines[0].split(maxsplit=3)[:3] == ["paper", "as", "printed"]
        assert "(errata, major if not said; +N: N more)" in lines[0]

    def test_an_item_has_its_erratum_and_what_became_of_the_repair(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = ending(capsys, as_expected())
        (row,) = [line for line in lines if line.startswith("Theorem 1 ")]
        assert row.endswith("  holds")
        assert "refuted: correct (E02, E05 minor); vacuous: bound (E03," in row

    def test_errata_have_their_rank_and_come_by_weight(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("ptum.checks.cli.output.digest.COLUMNS", 400)
        text = "\n".join(digest(as_report(as_expected(), Profile.QUICK, 0, {})))
        errata = ledger.part("theorem-2.bounds")[1].repair
        assert errata is not None
        assert f"bounds (E26, E28 +{len(errata.errata) - 2})" in text
        assert "ensures (E02, E05 minor +1)" in text
        assert "exchange (E07, E04 minor)" in text

    def test_a_step_of_a_proof_is_told_from_what_it_proves(self) -> None:
        """The letter says that the statement of Lemma 8 stands."""
        text = " ".join(" ".join(digest(as_report(as_expected(), Profile.QUICK, 0, {}))).split())
        assert "Lemma 8 refuted: proof's display (E09 minor) holds" in text
        assert "Lemma 8 (proof's same-steps)" in text
        assert text.count("proof's ") == len(PROOF_STEPS)

    def test_every_numbered_item_that_is_refuted_or_vacuous_is_there(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("ptum.checks.cli.output.digest.COLUMNS", 400)
        text = "\n".join(digest(as_report(as_expected(), Profile.QUICK, 0, {})))
        for claim, part in ledger.parts():
            bad = part.status in (Status.REFUTED, Status.VACUOUS)
            if claim.number is not None and bad:
                assert f" {part.id.split('.')[1]} (E" in text, part.id

    def test_verbose_has_every_row_in_front_of_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        lines = ending(capsys, as_expected(), verbose=True)
        assert len(lines) > len(registry())
        short = ending(capsys, as_expected())
        assert [line for line in short if line not in lines] == short[-1:]

    def test_a_repair_that_fails_is_marked(self, capsys: pytest.CaptureFixture[str]) -> None:
        def wrong(check: Check) -> bool:
            return check.part == "lemma-15.bound" and check.version is Version.REPAIRED

        lines = ending(capsys, surprising(wrong, Verdict.VIOLATED))
        (row,) = [line for line in lines if line.startswith("Lemma 15 ")]
        assert row.endswith("violated!")
        assert lines[0].endswith("says violated, which the ledger does not expect.")

    def test_a_part_of_another_verdict_is_marked(self, capsys: pytest.CaptureFixture[str]) -> None:
        def wrong(check: Check) -> bool:
            return check.part == "lemma-15.bound" and check.version is Version.PRINTED

        lines = ending(capsys, surprising(wrong, Verdict.HOLDS))
        (row,) = [line for line in lines if line.startswith("Lemma 15 ")]
        assert "holds!: bound (E38 minor)" in row

    def test_of_many_surprises_some_are_explained_some_named_the_rest_counted(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows = surprising(lambda _: True, Verdict.ERRORED)
        lines = ending(capsys, rows)
        assert sum("which the ledger does not expect." in line for line in lines) == NAMED
        assert sum(line.startswith("  again ") for line in lines) == EXPLAINED
        assert f"{len(rows) - NAMED} unexpected more: --verbose, or --json FILE" in lines
        everything = ending(capsys, rows, verbose=True)
        assert sum(line.startswith("  again ") for line in everything) == len(rows)

    def test_what_did_not_run_is_not_counted(self) -> None:
        rows = [replace(row, ran=False) for row in as_expected()]
        report = as_report(rows, Profile.QUICK, 0, {})
        assert [*digest(report)] == []


def test_few_checks_have_their_rows(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ending(capsys, as_expected()[:FEW])
    assert lines[0].startswith("claim part/check ")
    assert sum(line.endswith(" 0.1 s") for line in lines) == FEW
    assert not any("--verbose" in line for line in lines)
    assert not ending(capsys, as_expected()[: FEW + 1])[0].startswith("claim part/check ")


class TestColour:
    """On a terminal, unless somebody does not want it."""

    ASKED = ("verify", "--check", "lemma-7.positive/bandit")

    def test_a_terminal_has_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        shown = on_screen(100, *self.ASKED).stdout
        assert click.style("violated", fg="red") in shown
        assert click.style("0 unexpected", fg="green", bold=True) in shown

    @pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
    def test_who_wants_none_gets_none(
        self, monkeypatch: pytest.MonkeyPatch, name: str, value: str
    ) -> None:
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv(name, value)
        assert "\x1b" not in on_screen(100, *self.ASKED).stdout

    def test_a_pipe_has_none(self) -> None:
        assert "\x1b" not in ptum(*self.ASKED).stdout

    def test_a_surprise_is_loud(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        rows = surprising(lambda check: check.part == "lemma-15.bound", Verdict.ERRORED)
        screen = Screen()
        monkeypatch.setattr("sys.stdout", screen)
        print_result(rows, as_report(rows, Profile.QUICK, 0, {}), verbose=False)
        shown = screen.getvalue()
        assert click.style("errored!", fg="red", bold=True) in shown
        assert click.style("2 unexpected", fg="red", bold=True) in shown


class TestProgress:
    """One line on a terminal, few lines in a pipe."""

    def test_a_pipe_gets_few_lines(self) -> None:
        rows, pipe = as_expected(), io.StringIO()
        progress = Progress(len(rows), pipe)
        for row in rows:
            progress(row)
        lines = pipe.getvalue().splitlines()
        assert len(lines) <= MARKS + 1
        assert lines[0].startswith("[1/")
        assert lines[-1].startswith(f"[{len(rows)}/{len(rows)}] ")

    def test_marks_are_those_of_what_is_left_to_run(self) -> None:
        """A call that goes on shows its first check, and as many marks as one that begins."""
        rows, pipe = as_expected(), io.StringIO()
        progress = Progress(len(rows), pipe)
        progress.skip(len(rows) - 2 * MARKS, "kept.jsonl")
        for row in rows[-2 * MARKS :]:
            progress(row)
        said, first, *others = pipe.getvalue().splitlines()
        assert said == f"{len(rows) - 2 * MARKS} of {len(rows)} checks taken from kept.jsonl"
        assert first.startswith(f"[{len(rows) - 2 * MARKS + 1}/")
        assert len(others) == MARKS

    def test_a_pipe_gets_every_surprise(self) -> None:
        rows, pipe = surprising(lambda _: True, Verdict.ERRORED), io.StringIO()
        progress = Progress(len(rows), pipe)
        for row in rows:
            progress(row)
        assert pipe.getvalue().count("(not expected)") == len(rows)

    def test_a_terminal_gets_one_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "60")
        (row,) = run((registry()["lemma-7.positive/repaired-algebra"],), Profile.QUICK, 0)
        terminal = Screen()
        progress = Progress(2, terminal)
        progress(row)
        shown = terminal.getvalue().removeprefix("\r\x1b[2K")
        assert len(shown) == 59
        assert shown.endswith("…")
