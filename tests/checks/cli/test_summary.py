"""Reports are read again: as a table, JUnit and Markdown, compared, and never mixed."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ptum.checks.claims import registry
from ptum.checks.cli.output.report_table import Sheet, of_validation, of_verification
from ptum.checks.cli.output.results import CLOSEST, LEGEND, MARKED, ON_FAMILY
from ptum.checks.cli.summary import as_junit, as_markdown, as_table, differences
from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.judging.readings import PRINTED, REPAIRED, Finding, Reading
from ptum.checks.judge.judging.verdicts import Conformity, Judgement
from ptum.checks.judge.messages.transcript import Exchange, Fault, TranscriptHeader
from ptum.checks.judge.results import report as validation
from ptum.checks.suite.report import as_report, encode
from ptum.checks.suite.runner import EarlyStop, Row, run
from ptum.checks.verdicts.check import Check, Profile
from ptum.checks.verdicts.outcome import Attempt, Outcome
from ptum.spec.vocabulary import Verdict
from tests.support.command import ptum, refused

BANDIT = registry()["lemma-7.positive/bandit"]
FORMULA = registry()["text-mean-reward.definition/formula"]
MEASURED = Outcome(
    Verdict.HOLDS,
    instances=11,
    trials=136,
    violations=0,
    interval=(0.0, 0.25),
    looseness=(1.5, 2.0, 3.25, 4.0, 1e9),
)


def unexpected() -> Check:
    return replace(BANDIT, run=lambda _: Outcome(Verdict.HOLDS, explanation=("all is well",)))


def measured() -> Check:
    return replace(FORMULA, run=lambda _: MEASURED)


def sheet_of(rows: list[Row], file: str = "") -> Sheet:
    return of_verification(as_report(rows, Profile.QUICK, 0, {}), file)


def checked(*checks: Check) -> Sheet:
    return sheet_of(run(checks, Profile.QUICK, 0))


def saved(path: Path, *checks: Check, limits: EarlyStop | None = None) -> str:
    rows = run(checks, Profile.QUICK, 0, limits=limits)
    path.write_bytes(encode(as_report(rows, Profile.QUICK, 0, {})))
    return str(path)


CASE = Exchange("gaps/one", "gaps", {"gamma": 0.5}, {"value": 1.0})
DEVIATES = Judgement(
    "gaps",
    "Section 2",
    Conformity.DEVIATES,
    3,
    finding=Finding(Item("equation (7)", "equation-7"), "reward", "0.5", "0.25"),
    case=CASE,
)
CONFORMS = Judgement(
    "gaps", "Section 2", Conformity.CONFORMS, 3, explained_by=frozenset({frozenset({PRINTED})})
)
OTHERWISE = replace(CONFORMS, explained_by=frozenset({frozenset({REPAIRED})}))
ERRORED = Judgement("ptum", "Algorithm 1", Conformity.ERRORED, 1, fault=Fault("hangs", "10 s"))
ABSENT = Judgement("optimal", "Section 2", Conformity.NOT_IMPLEMENTED, 0)
NOT_RIGHT = (DEVIATES, ERRORED, ABSENT)


def validated(*judgements: Judgement) -> validation.Validation:
    header = TranscriptHeader("mine", "1", "Python", ("gaps",), 0)
    return validation.as_report(header, judgements, "ptum validate mine:subject", {}, "0")


def saved_validation(path: Path, *judgements: Judgement) -> str:
    path.write_bytes(validation.encode(validated(*judgements)))
    return str(path)


class TestVerification:
    """Reports of `ptum verify`."""

    def test_the_table_has_instances_interval_and_looseness(self, tmp_path: Path) -> None:
        done = ptum("summary", saved(tmp_path / "a.json", measured()))
        assert done.returncode == 0
        assert "0 of 136 in 11, P ≤ 0.25" in done.stdout
        assert "1.5 / 3.2" in done.stdout
        assert "\nfile" not in done.stdout
        last = done.stdout.splitlines()[-1]
        assert last == "1 check: 1 holds; 0 unexpected."

    def test_the_head_tells_how_it_came_about_and_the_foot_what_columns_mean(
        self, tmp_path: Path
    ) -> None:
        text = ptum("summary", saved(tmp_path / "a.json", measured())).stdout
        head, _, rest = text.partition("\n\n")
        whole = sum(check.alpha for check in registry().values())
        assert " ".join(head.split()) == (
            f"a.json: profile: quick; seed: 0; ptum: {version('ptum')}; cut short: no; "
            f"α: ≤ {FORMULA.alpha:.2g} (whole registry: {whole:.2g}, cap 0.01)"
        )
        assert f"\n\n{LEGEND}\n\n" in rest
        assert MARKED not in rest
        marked = ptum("summary", saved(tmp_path / "b.json", unexpected())).stdout
        assert " ".join(f"{LEGEND}; {MARKED}".split()) in " ".join(marked.split())

    def test_what_only_some_tables_have_is_explained_in_those(self) -> None:
        nearest = Attempt(0.875, "7 ≤ 8", None, "no JSON")
        close = replace(FORMULA, run=lambda _: replace(MEASURED, best=nearest))
        sheet = checked(close)
        assert sheet.legend == (LEGEND, CLOSEST)
        assert ", closest 0.875 |" in as_markdown([sheet])
        both = as_markdown([sheet, checked(unexpected())])
        assert both.endswith(f"\n\n{LEGEND}; {CLOSEST}; {MARKED}")
        rows = run((BANDIT,), Profile.QUICK, 0)
        report = as_report(rows, Profile.QUICK, 0, {"family": ["mine:tasks"]})
        assert of_verification(report).legend == (LEGEND, ON_FAMILY)

    def test_what_is_not_implemented_has_not_run_and_has_a_row_of_its_own(self) -> None:
        nothing = replace(FORMULA, run=lambda _: Outcome(Verdict.NOT_IMPLEMENTED))
        (row,) = run((nothing,), Profile.QUICK, 0)
        row = replace(row, expected=frozenset({Verdict.NOT_IMPLEMENTED}))
        report = as_report([row], Profile.QUICK, 0, {})
        (result,) = report.results
        assert not result.ran
        assert not result.cut_off
        assert not report.footer.cut_short
        text = as_table([of_verification(report)])
        assert "did not run" not in text
        assert text.count("not-implemented") == 3  # verdict, expectation and count
        cut = as_report([replace(row, ran=False)], Profile.QUICK, 0, {})
        assert cut.footer.cut_short

    def test_seed_and_family_are_told(self) -> None:
        rows = run((BANDIT,), Profile.STANDARD, 7)
        report = as_report(rows, Profile.STANDARD, 7, {"family": ["mine:tasks"]})
        told = of_verification(report).about
        assert told.startswith("profile: standard; seed: 7; family: mine:tasks; ptum: ")

    def test_a_report_of_before_the_sum_was_written_is_read(self, tmp_path: Path) -> None:
        path = Path(saved(tmp_path / "a.json", BANDIT))
        document = json.loads(path.read_text())
        assert document["footer"].pop("alpha_registry") > document["footer"].pop("alpha_run") == 0
        path.write_text(json.dumps(document))
        assert "α: ≤ 0 (cap 0.01)" in ptum("summary", str(path)).stdout

    def test_two_reports_of_different_checks_are_refused(self, tmp_path: Path) -> None:
        files = [saved(tmp_path / "a.json", BANDIT), saved(tmp_path / "b.json", FORMULA)]
        assert "have no check in common" in refused("summary", *files)
        assert "have no check in common" in refused("summary", *files, "--format", "markdown")
        assert ptum("summary", *files, "--format", "junit").returncode == 0  # nothing compared
        third = saved(tmp_path / "c.json", FORMULA)
        assert ptum("summary", *files, third).returncode == 0

    def test_what_did_not_run_is_counted_and_not_listed(self, tmp_path: Path) -> None:
        cut = saved(tmp_path / "cut.json", BANDIT, FORMULA, limits=EarlyStop(seconds=0.0))
        done = ptum("summary", cut)
        assert done.returncode == 3
        assert "cut short: yes, 2 of 2 checks did not run" in " ".join(done.stdout.split())
        assert "─\n2 checks did not run\n\n" in done.stdout
        assert done.stdout.splitlines()[-1] == "0 checks; 0 unexpected; 2 inconclusive, not run."

    def test_several_files_are_told_apart(self, tmp_path: Path) -> None:
        first = saved(tmp_path / "a.json", BANDIT)
        second = saved(tmp_path / "b.json", BANDIT, FORMULA)
        done = ptum("summary", first, second)
        assert done.returncode == 0
        lines = done.stdout.splitlines()
        begin = next(i for i, line in enumerate(lines) if line.startswith("file  "))
        assert [line[:8] for line in lines[begin + 2 : begin + 5]] == [
            "a.json  ",
            *["b.json  "] * 2,
        ]
        assert "a.json: 1 check: 1 violated; 0 unexpected" in done.stdout
        compared = done.stdout.splitlines()[-1]
        assert compared == f"only in the second: {FORMULA.id}"
        rows = [line for line in lines if line.startswith(("a.json  ", "b.json  "))]
        assert [FORMULA.id in row for row in rows] == [False, False, True]  # whole, for grep

    def test_files_of_the_same_name_are_told_apart_by_their_folders(self, tmp_path: Path) -> None:
        (tmp_path / "old").mkdir()
        files = [saved(tmp_path / "a.json", BANDIT), saved(tmp_path / "old" / "a.json", BANDIT)]
        text = ptum("summary", *files, "--format", "markdown").stdout
        assert all(f"| {file} |" in text for file in files)

    def test_two_reports_are_compared(self) -> None:
        before, after = checked(BANDIT), checked(unexpected(), FORMULA)
        assert differences(before, before) == ["the two reports agree on every check"]
        assert differences(before, after) == [
            f"only in the second: {FORMULA.id}",
            "lemma-7.positive/bandit: violated → holds",
        ]
        cut = sheet_of(run((BANDIT,), Profile.QUICK, 0, limits=EarlyStop(seconds=0.0)))
        assert differences(before, cut) == ["lemma-7.positive/bandit: violated → did not run"]

    def test_junit_counts_an_unexpected_verdict_as_a_failure(self) -> None:
        suite = ElementTree.fromstring(as_junit([checked(unexpected(), FORMULA)])).find("testsuite")
        assert suite is not None
        assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
        assert len(suite.findall("testcase/failure")) == 1
        facts = {p.get("name"): p.get("value") for p in suite.findall("properties/property")}
        assert facts["seed"] == "0"
        assert facts["cut short"] == "no"

    def test_junit_says_verdict_and_expectation_of_every_case(self) -> None:
        sheets = [checked(BANDIT), checked(unexpected(), FORMULA)]
        suite = ElementTree.fromstring(as_junit(sheets))
        told = [
            {p.get("name"): p.get("value") for p in case.findall("properties/property")}
            for case in suite.iter("testcase")
        ]
        assert told == [
            {"verdict": "violated", "expected": "violated"},
            {"verdict": "holds", "expected": "violated"},
            {"verdict": "holds", "expected": "holds"},
        ]

    def test_what_did_not_run_is_skipped_and_no_failure(self, tmp_path: Path) -> None:
        cut = saved(tmp_path / "cut.json", BANDIT, limits=EarlyStop(seconds=0.0))
        done = ptum("summary", cut, "--format", "junit")
        assert done.returncode == 3
        suite = ElementTree.fromstring(done.stdout).find("testsuite")
        assert suite is not None
        assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")

    def test_markdown_has_a_row_for_every_result(self) -> None:
        text = as_markdown([checked(BANDIT, FORMULA)])
        assert sum(line.startswith("| ") for line in text.splitlines()) == 4
        assert text.startswith("- : profile: quick; seed: 0; ")
        assert text.endswith(f"\n\n{LEGEND}")

    def test_an_unexpected_verdict_is_the_exit_code(self, tmp_path: Path) -> None:
        good, bad = saved(tmp_path / "a.json", BANDIT), saved(tmp_path / "b.json", unexpected())
        assert ptum("summary", good, bad).returncode == 1
        assert ptum("summary", bad, good).returncode == 1


class TestWhatIsExpected:
    """The ledger is asked, not the file."""

    def altered(self, folder: Path, **changes: object) -> str:
        document = json.loads(Path(saved(folder / "a.json", BANDIT)).read_text())
        document["results"][0].update(changes)
        path = folder / "altered.json"
        path.write_text(json.dumps(document))
        return str(path)

    def test_a_file_cannot_expect_what_it_found(self, tmp_path: Path) -> None:
        file = self.altered(tmp_path, verdict="holds", expected=["holds"], as_expected=True)
        done = ptum("summary", file)
        assert done.returncode == 1
        assert "1 unexpected" in done.stdout

    def test_a_count_below_zero_is_refused(self, tmp_path: Path) -> None:
        assert "violations" in refused("summary", self.altered(tmp_path, violations=-3))

    def test_a_file_cannot_make_a_right_verdict_wrong(self, tmp_path: Path) -> None:
        file = self.altered(tmp_path, expected=["holds"], as_expected=False)
        assert ptum("summary", file).returncode == 0

    @pytest.mark.parametrize("changes", [{"check": "no/such"}, {"verdict": "perhaps"}])
    def test_unknown_checks_and_verdicts_are_refused(
        self, tmp_path: Path, changes: dict[str, object]
    ) -> None:
        assert str(next(iter(changes.values()))) in refused(
            "summary", self.altered(tmp_path, **changes)
        )


class TestValidation:
    """Reports of `ptum validate`."""

    def test_table(self, tmp_path: Path) -> None:
        done = ptum("summary", saved_validation(tmp_path / "v.json", *NOT_RIGHT))
        assert done.returncode == 1
        for piece in ("gaps", "deviates", "equation (7): reward", "hangs: 10 s", "not-implemented"):
            assert piece in done.stdout
        counted = "3 capabilities: 1 deviates, 1 errored, 1 not-implemented."
        assert done.stdout.splitlines()[-1] == counted
        assert done.stdout.startswith("v.json: subject: mine 1; seed: 0; ptum: 0\n")
        assert "reading: the wording of the paper" in done.stdout

    @pytest.mark.parametrize(
        ("readings", "text"),
        [(frozenset({frozenset({PRINTED})}), "printed"), (frozenset({frozenset()}), "-")],
    )
    def test_a_reading_is_named_where_there_are_several(
        self, tmp_path: Path, readings: frozenset[Reading], text: str
    ) -> None:
        judgement = replace(CONFORMS, explained_by=readings)
        done = ptum("summary", saved_validation(tmp_path / "v.json", judgement))
        (row,) = (line for line in done.stdout.splitlines() if line.startswith("gaps"))
        assert row.split() == ["gaps", "Section", "2", "conforms", "3", text, "-"]

    def test_markdown_has_a_row_for_every_capability(self, tmp_path: Path) -> None:
        file = saved_validation(tmp_path / "v.json", *NOT_RIGHT)
        marked = ptum("summary", file, "--format", "markdown").stdout.splitlines()
        assert sum(line.startswith("| ") for line in marked) == 2 + len(NOT_RIGHT)

    def test_junit_tells_what_failed_and_skips_what_is_absent(self, tmp_path: Path) -> None:
        file = saved_validation(tmp_path / "v.json", *NOT_RIGHT)
        suite = ElementTree.fromstring(ptum("summary", file, "--format", "junit").stdout)
        told = {word: [f.get("message") for f in suite.iter(word)] for word in ("failure", "error")}
        assert told == {
            "failure": ["deviates: equation (7): reward"],
            "error": ["errored: hangs: 10 s"],
        }
        (counted,) = suite.iter("testsuite")
        assert (counted.get("failures"), counted.get("errors")) == ("1", "1")
        assert next(f.text for f in suite.iter("failure")) == (
            "expected 0.5\ngot 0.25\nptum validate mine:subject --case gaps/one"
        )
        assert len(list(suite.iter("skipped"))) == 1
        cases = suite.findall("testsuite/testcase/properties")
        assert [[p.get("value") for p in case] for case in cases] == [
            ["deviates", "conforms"],
            ["errored", "conforms"],
            ["not-implemented", "conforms"],
        ]

    def test_two_are_compared(self) -> None:
        before, after = of_validation(validated(CONFORMS)), of_validation(validated(DEVIATES))
        assert differences(before, before) == ["the two reports agree on every capability"]
        assert differences(before, after) == ["gaps: conforms (printed) → deviates"]
        otherwise = of_validation(validated(OTHERWISE))
        assert differences(before, otherwise) == ["gaps: conforms (printed) → conforms (repaired)"]
        assert before.exit_code == 0

    def test_a_mixture_is_refused(self, tmp_path: Path) -> None:
        first = saved(tmp_path / "a.json", BANDIT)
        second = saved_validation(tmp_path / "b.json", CONFORMS)
        line = refused("summary", first, second)
        assert "a.json is a report of `ptum verify`" in line
        assert "b.json one of `ptum validate`" in line

    def test_replay_names_the_way(self, tmp_path: Path) -> None:
        file = saved_validation(tmp_path / "b.json", DEVIATES)
        assert "ptum validate … --case ID" in refused("replay", file)

    def test_nesting_without_end_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "deep.json"
        path.write_text('{"more":' + "[" * 100_000)
        assert "not a complete report: maximum recursion depth" in refused("summary", str(path))

    def test_one_that_was_cut_off_is_refused(self, tmp_path: Path) -> None:
        document = json.loads(validation.encode(validated(CONFORMS)))
        del document["footer"]
        path = tmp_path / "cut.json"
        path.write_text(json.dumps(document))
        assert "not a complete report" in refused("summary", str(path))


def test_a_replay_says_what_did_not_run_in_the_report(tmp_path: Path) -> None:
    """Nothing is said to agree with a verdict that was never given."""
    cut = json.loads(Path(saved(tmp_path / "a.json", BANDIT, limits=EarlyStop(0.0))).read_text())
    assert not cut["results"][0]["ran"]
    told = ptum("replay", str(tmp_path / "a.json")).stdout.splitlines()
    assert told[-2:] == [
        f"{BANDIT.id}: did not run in the report, violated now",
        "0 of 1 verdicts could be compared; none of them differs.",
    ]
    whole = ptum("replay", saved(tmp_path / "b.json", BANDIT)).stdout.splitlines()
    assert whole[-1] == "Every verdict is the one in the report."


def test_a_replay_of_an_unknown_check_is_refused(tmp_path: Path) -> None:
    document = json.loads(Path(saved(tmp_path / "a.json", BANDIT)).read_text())
    document["results"][0]["check"] = "lemma-7.positive/of-a-later-release"
    path = tmp_path / "b.json"
    path.write_text(json.dumps(document))
    assert "does not know" in refused("replay", str(path))


def test_a_replay_on_a_family_that_is_not_here_is_refused(tmp_path: Path) -> None:
    document = json.loads(Path(saved(tmp_path / "a.json", BANDIT)).read_text())
    document["header"]["options"]["family"] = ["of_another_folder:mine"]
    path = tmp_path / "b.json"
    path.write_text(json.dumps(document))
    assert "of_another_folder" in refused("replay", str(path))


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    finding = Finding(Item("item", "algorithm-1:1"), "P(a | b)", "0", "1")
    sheet = of_validation(validated(replace(DEVIATES, finding=finding)))
    assert "P(a \\| b)" in as_markdown([sheet])
    assert "P(a | b)" in as_table([sheet])
