"""The command as its users see it: output, JSON against its schema, refusals, exit codes."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import msgspec
import pytest

from ptum.checks.claims import registry
from ptum.checks.cli.output.formatting import EXIT_READER_GONE, PIPE, fitted, folded, table
from ptum.checks.cli.output.formulas import laid_out
from ptum.checks.cli.output.report_table import of_verification
from ptum.checks.cli.output.results import READING, cells, legend, verdict_table
from ptum.checks.cli.schemas import SHAPES, json_schema
from ptum.checks.cli.verify import closing_lines, heading
from ptum.checks.suite.report import Report, as_report
from ptum.checks.suite.runner import EarlyStop, Row, run
from ptum.checks.verdicts.check import ALPHA, Profile
from ptum.reference.transfer.transcript import to_lines
from ptum.spec import ledger
from ptum.spec.decisions import DECISIONS
from ptum.spec.vocabulary import Status
from tests.support.command import on_screen, ptum, refused, valid, widest
from tests.support.instances import short_run


def test_help_teaches_the_first_steps() -> None:
    done = ptum("--help")
    assert done.returncode == 0
    for word in ("ptum claims", "ptum show lemma-7", "ptum verify", "Exit codes"):
        assert word in done.stdout


def test_the_console_script_and_the_module_are_the_same_command() -> None:
    command = [sys.executable, "-m", "ptum.checks.cli", "claims"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == ptum("claims").stdout


def test_help_does_not_import_the_heavy_packages() -> None:
    code = (
        "import sys, ptum.checks.cli; "
        "sys.exit(int(bool({'numpy', 'scipy', 'sympy', 'hypothesis'} & set(sys.modules))))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_claims_table_has_a_line_for_every_part() -> None:
    lines = ptum("claims").stdout.splitlines()
    without_parts = sum(not claim.parts for claim in ledger.CLAIMS)
    assert len(lines) == 2 + without_parts + sum(1 for _ in ledger.parts())
    assert any(line.startswith("lemma-7.positive") and "refuted" in line for line in lines)


def test_claims_json_is_valid_and_complete() -> None:
    document = valid(ptum("claims", "--json").stdout, "claims")
    listed = document["claims"]
    assert isinstance(listed, list)
    assert [entry["id"] for entry in listed] == [claim.id for claim in ledger.CLAIMS]
    assert {"id", "kind", "number", "label", "section", "statement", "uses", "assumes"} <= set(
        listed[0]
    )


def test_claims_by_kind_and_status() -> None:
    kinds = {
        e["kind"] for e in json.loads(ptum("claims", "--kind", "lemma", "--json").stdout)["claims"]
    }
    assert kinds == {"lemma"}
    refuted = json.loads(ptum("claims", "--status", "refuted", "--json").stdout)["claims"]
    assert refuted
    for entry in refuted:
        assert any(part["status"] == Status.REFUTED.value for part in entry["parts"])
    listed = json.loads(ptum("claims", "--kind", "decision", "--json").stdout)["claims"]
    assert [entry["id"] for entry in listed] == [decision.id for decision in DECISIONS]
    assert len(ptum("claims", "--kind", "decision").stdout.splitlines()) == 2 + len(DECISIONS)


def test_show_tells_statement_formula_footing_status_and_repair() -> None:
    text = ptum("show", "lemma-3").stdout
    for word in ("Valid confidence sets", "lemma:conf", "log", "assumption-1", "theorem-1", "D03"):
        assert word in text
    text = ptum("show", "lemma-7").stdout
    assert "lemma-7.positive: refuted" in text
    assert "18·(1 + γ)" in text
    assert "E01" in text


def test_show_of_a_part_is_about_that_part() -> None:
    claim, part = ledger.part("assumption-1.reward")
    text = ptum("show", part.id).stdout
    assert text.startswith(f"of {claim.id} · {claim.title} ({claim.section}, label {claim.label})")
    assert part.says in text
    assert "Δʳₘₐₓ ≥" in text
    assert text.endswith(f"the whole claim: ptum show {claim.id}\n")
    for other in claim.parts[1:]:
        assert other.says not in text
        assert other.id in text
    assert text == ptum("show", "Assumption-1.Reward").stdout
    assert all(p.says in " ".join(ptum("show", claim.id).stdout.split()) for p in claim.parts)


def test_show_of_a_check_is_about_its_part() -> None:
    part = ptum("show", "lemma-7.positive").stdout
    assert ptum("show", "lemma-7.positive/bandit").stdout == part
    assert "nearest: lemma-7.positive/bandit" in refused("show", "lemma-7.positive/bandt")


def test_a_part_is_run_alone() -> None:
    done = ptum("show", "lemma-7.positive", "--run", "--json", "-")
    assert valid(done.stdout, "show")["record"] == "lemma-7.positive"
    assert "it is not refuted (status: holds)" in refused("show", "lemma-6.active", "--run")


def test_show_in_latex() -> None:
    assert "\\log" in ptum("show", "lemma-3", "--latex").stdout


def test_show_decisions_and_errata() -> None:
    assert "choice" in ptum("show", "d03").stdout
    assert "accepted" not in ptum("show", "d03").stdout  # no answer shows what was chosen
    accepted = "\naccepted   by ptum validate: every θ' given; active θ' only\n"
    assert accepted in ptum("show", "D10").stdout
    assert "still true  " in ptum("show", "E01").stdout


@pytest.mark.parametrize(
    ("form", "arrow"), [("dot", '"lemma-6" -> "lemma-7";'), ("mermaid", "lemma-6 --> lemma-7")]
)
def test_graph(form: str, arrow: str) -> None:
    assert arrow in ptum("graph", "--format", form).stdout


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("show", "lema-7"), "lemma-7"),
        (("claims", "--kind", "lemmma"), "lemma"),
        (("claims", "--status", "refutd"), "refuted"),
        (("graph", "--format", "svg"), "known: dot, mermaid"),
        (("schema", "claim"), "claims"),
        (("verify", "--claim", "lemma-77"), "nearest: lemma-7,"),
        (("verify", "--part", "lemma-7.positiv"), "lemma-7.positive"),
        (
            ("verify", "--claim", "lemma-7.positive"),
            "lemma-7.positive is a part, not a claim: --part lemma-7.positive",
        ),
        (("verify", "--part", "lemma-7"), "lemma-7 is a claim, not a part: --claim lemma-7"),
        (("verify", "--check", "lemma-7"), "lemma-7 is a claim, not a check: --claim lemma-7"),
        (("verify", "--part", "lemma-7.positive/bandit"), "--check lemma-7.positive/bandit"),
        (("verify", "--profile", "quik"), "quick"),
        (("verify", "--version", "print"), "printed"),
        (("verify", "--version", "asrun"), "as-run"),
        (("verify", "--claim", "figure-1-left", "--version", "repaired"), "no check matches"),
        (("verify", "--claim", "lemma-7", "--seed", "-1"), "--seed must not be negative"),
        (("verify", "--claim", "lemma-7", "--jobs", "0"), "--jobs must be at least 1"),
        (("verify", "--claim", "lemma-7", "--seconds", "0"), "--seconds must be positive"),
        (("verify", "--family", "nowhere:mine"), "There is no module 'nowhere' in "),
        (("summary", "nowhere.json"), "cannot read nowhere.json"),
        (("summary", "nowhere.json", "--format", "tabel"), "table"),
        (("replay", "nowhere.json"), "cannot read nowhere.json"),
        (("claims", "--kind", "decision", "--status", "holds"), "no decision has one"),
        (("claims", "--kind", "erratum", "--status", "holds"), "no erratum has one"),
        (("claims", "--kind", "erratum", "--rank", "majr"), "nearest: major"),
        (("claims", "--kind", "lemma", "--rank", "major"), "--rank goes with --kind erratum"),
        (("claims", "--rank", "major"), "--rank goes with --kind erratum"),
        (("nonsense",), "No such command 'nonsense'"),
        (("show",), "Missing argument 'ID'"),
    ],
)
def test_bad_input_is_one_line_with_the_nearest_word(arguments: tuple[str, ...], hint: str) -> None:
    assert hint in refused(*arguments)


def test_verify_reports_what_the_ledger_expects(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    done = ptum("verify", "--check", "lemma-7.positive/bandit", "--json", str(target))
    assert done.returncode == 0
    assert "violated" in done.stdout
    assert "standard" in done.stdout
    document = valid(target.read_text(), "verify")
    results = document["results"]
    assert isinstance(results, list)
    assert [(r["check"], r["verdict"]) for r in results] == [
        ("lemma-7.positive/bandit", "violated")
    ]
    assert document["footer"] == {
        "results": 1,
        "surprises": 0,
        "cut_short": False,
        "alpha": 0.01,
        "alpha_registry": math.fsum(check.alpha for check in registry().values()),
        "alpha_run": 0.0,
    }
    assert "lemma-7.positive/bandit" in ptum("summary", str(target)).stdout
    assert ptum("replay", str(target)).returncode == 0


def test_report_on_stdout_is_the_only_output_there() -> None:
    done = ptum("verify", "--check", "lemma-7.positive/bandit", "--json", "-")
    valid(done.stdout, "verify")


def test_transcript_schema_covers_a_real_run() -> None:
    schema = json.loads(ptum("schema", "transcript").stdout)
    validator = jsonschema.Draft202012Validator(schema)
    kinds = set()
    for line in to_lines(short_run()):
        document = json.loads(line)
        validator.validate(document)
        kinds.add(document["event"])
    assert kinds == {"start", "query", "sample", "elimination", "stop"}


def test_verify_list_runs_nothing() -> None:
    done = ptum("verify", "--list")
    assert "lemma-3.coverage/wrong-std" in done.stdout
    assert done.stderr == ""


def test_the_list_as_json(tmp_path: Path) -> None:
    target = tmp_path / "list.json"
    done = ptum("verify", "--list", "--claim", "lemma-7", "--json", str(target))
    assert done.returncode == 0
    assert "lemma-7.positive/bandit" in done.stdout
    listed = valid(target.read_text(), "list")["checks"]
    assert isinstance(listed, list)
    assert [entry["check"] for entry in listed] == [
        check.id for check in registry().values() if check.part.startswith("lemma-7.")
    ]
    assert {"claim": "lemma-7", "version": "printed", "expected": ["violated"]}.items() <= listed[
        0
    ].items()
    alone = ptum("verify", "--list", "--claim", "lemma-7", "--json", "-").stdout
    assert json.loads(alone) == {"checks": listed}


def test_versions_are_listed_apart_and_all_together() -> None:
    def listed(*words: str) -> list[dict[str, str]]:
        found = json.loads(ptum("verify", "--list", "--json", "-", *words).stdout)
        checks: list[dict[str, str]] = found["checks"]
        return checks

    run = listed("--version", "as-run")
    assert {entry["version"] for entry in run} == {"as-run"}
    assert {entry["expected"][0] for entry in run} == {"holds"}
    assert listed() == listed("--version", "all") == listed("--version", "both")
    parts = [entry for entry in listed() if entry["part"] == "text-svd-critical.small-tensor"]
    assert [entry["version"] for entry in parts] == ["printed", "as-run"]


def test_unwritable_report_is_refused(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "no" / "where")
    assert "cannot write" in refused("verify", "--part", "lemma-7.positive", "--json", nowhere)


def test_a_folder_is_refused_before_any_check_runs(tmp_path: Path) -> None:
    told = refused("verify", "--part", "lemma-7.positive", "--json", str(tmp_path))
    assert told == f"ptum: cannot write {tmp_path}: it is a folder\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "stray"),
    [
        (("--command", "x", "--check-protocol", "--case", "widths/ordinary"), "--case"),
        (("--command", "x", "--check-protocol", "--seed", "0"), "--seed"),
        (("--slips", "--seed", "3", "--timeout", "1"), "--seed, --timeout"),
        (("--example", "c", "here", "--case", "widths/ordinary"), "--case"),
        (("--example", "c", "here", "--json", "report.json"), "--json"),
        (("--transcript", "run.jsonl", "--memory", "100"), "--memory"),
    ],
)
def test_options_that_nobody_would_listen_to_are_refused(
    arguments: tuple[str, ...], stray: str
) -> None:
    assert f": leave out {stray} (" in refused("validate", *arguments)


@pytest.mark.slow
class TestClosedPipe:
    """Who has read enough, as `head -1`, closes the pipe: code 141, and no complaint."""

    @pytest.mark.parametrize(
        "arguments",
        [
            ("claims",),
            ("schema",),
            ("show", "lemma-7"),
            ("--help",),
            ("show", "--help"),
            (),
            ("verify", "--list"),
        ],
        ids=" ".join,
    )
    def test_it_ends_quietly(self, arguments: tuple[str, ...]) -> None:
        reading, writing = os.pipe()
        os.close(reading)  # so that the first byte finds nobody, whatever the pipe could hold
        command = [sys.executable, "-m", "ptum.checks.cli", *arguments]
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
        os.close(writing)
        assert done.stderr == b""
        assert done.returncode == EXIT_READER_GONE == 128 + signal.SIGPIPE

    def test_a_report_is_written_before_anybody_is_missed(self, tmp_path: Path) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        target = tmp_path / "report.json"
        asked = ("verify", "--check", "lemma-7.positive/bandit", "--json", str(target))
        command = [sys.executable, "-m", "ptum.checks.cli", *asked]
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
        os.close(writing)
        assert done.returncode == EXIT_READER_GONE
        valid(target.read_text(), "verify")

    def test_who_reads_everything_gets_the_code_of_the_command(self) -> None:
        command = [sys.executable, "-m", "ptum.checks.cli", "schema"]
        done = subprocess.run(command, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
    def test_a_full_disk_is_told_in_a_line(self) -> None:
        with Path("/dev/full").open("wb") as full:
            command = [sys.executable, "-m", "ptum.checks.cli", "claims"]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert done.stderr == b"ptum: cannot write the output: No space left on device\n"


class TestSchemas:
    """`ptum schema` knows everything that we write or read as JSON."""

    def test_without_a_name_all_are_listed(self) -> None:
        listed = ptum("schema").stdout
        for name in SHAPES:
            assert name in listed

    @pytest.mark.parametrize("name", sorted(SHAPES))
    def test_each_is_a_schema(self, name: str) -> None:
        schema = json_schema(name)
        jsonschema.Draft202012Validator.check_schema(schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"nothing": "of ours"}, schema)

    @pytest.mark.parametrize("name", ["verify", "claims", "list", "show", "validate", "known-bad"])
    def test_every_field_says_what_it_means(self, name: str) -> None:
        definitions = json_schema(name)["$defs"]
        assert isinstance(definitions, dict)
        silent = [
            f"{struct}.{field}"
            for struct, definition in definitions.items()
            for field, described in definition.get("properties", {}).items()
            if not described.get("description")
        ]
        assert definitions
        assert silent == []


def not_run() -> list[Row]:
    """All checks as they stand after a run that was stopped at once."""
    return run(tuple(registry().values()), Profile.QUICK, 0, limits=EarlyStop(seconds=0.0))


def as_if_run() -> tuple[Report, str]:
    """A report, and its table, in which every check has a row."""
    rows = [replace(row, ran=True) for row in not_run()]
    report = as_report(rows, Profile.QUICK, 0, {})
    return report, verdict_table(report)


class TestClosing:
    """What stands around the table."""

    def test_checks_that_did_not_run_are_one_line_and_stay_in_the_report(self) -> None:
        (row,) = run((registry()["lemma-7.positive/bandit"],), Profile.QUICK, 0)
        rows = [row, *not_run()[1:]]
        report = as_report(rows, Profile.QUICK, 0, {})
        told = verdict_table(report)
        assert told.count("inconclusive") == 0
        assert f"\n{len(rows) - 1} checks did not run\n" in told
        assert len(report.results) == len(rows)

    def test_nothing_is_missing_where_all_ran(self) -> None:
        report, told = as_if_run()
        assert "did not run" not in told
        assert of_verification(report).counted.endswith(" unexpected.")

    def test_what_did_not_run_is_counted_as_inconclusive(self) -> None:
        (row,) = run((registry()["lemma-7.positive/bandit"],), Profile.QUICK, 0)
        rows = [row, *not_run()[1:4]]
        counted = "1 check: 1 violated; 0 unexpected; 3 inconclusive, not run."
        assert closing_lines(rows, Profile.QUICK, None)[0] == counted
        assert of_verification(as_report(rows, Profile.QUICK, 0, {})).counted == counted

    def test_a_reading_is_named_where_a_part_has_several(self) -> None:
        report, told = as_if_run()
        versions = {result.check: cells(result)[1] for result in report.results}
        assert versions["lemma-3.coverage/wrong-std"] == "printed (std-of-true-value)"
        assert versions["lemma-3.coverage/exact"] == "printed (std-of-approximate-value)"
        assert versions["lemma-3.coverage/repaired"] == "repaired"
        assert READING in " ".join(told.split())
        plain = [result for result in report.results if result.reading is None]
        assert all(cells(result)[1] == result.version for result in plain)
        assert READING not in legend(msgspec.structs.replace(report, results=plain))

    def test_the_sum_over_the_registry_is_told_beside_its_cap(self) -> None:
        whole = sum(check.alpha for check in registry().values())
        assert 0 < whole < ALPHA
        lines = closing_lines(not_run(), Profile.QUICK, None)
        bound = next(line for line in lines if line.startswith("P(trials mislead any verdict)"))
        assert bound.endswith(f"≤ 0 (whole registry: {whole:.2g}, cap 0.01).")

    def test_a_family_is_named_and_kept_in_the_hint(self) -> None:
        lines = closing_lines(not_run(), Profile.QUICK, "mine:tasks")
        missing = f"{len(registry())} inconclusive, not run"
        assert f"0 checks on the family mine:tasks; 0 unexpected; {missing}." in lines
        assert lines[-1].endswith("ptum verify --profile deep --family mine:tasks")
        assert heading("mine:tasks")[0] == "On instances of the family mine:tasks"
        assert heading(None) == ()
        assert "--family" not in closing_lines(not_run(), Profile.QUICK, None)[-1]


@pytest.mark.slow
class TestWidth:
    """Nothing is wider than the screen where that can be."""

    def test_the_table_of_all_checks_fits_a_pipe(self) -> None:
        report, text = as_if_run()
        assert widest(text) <= PIPE == 120
        flat = "".join(line.split("  ")[0] for line in text.splitlines())
        assert all(result.check in flat for result in report.results)

    def test_the_columns_are_there(self) -> None:
        head = as_if_run()[1].splitlines()[0].split()
        columns = ["claim", "part/check", "version", "verdict", "expected"]
        assert head[:7] == [*columns, "evidence", "α"]
        assert head[7].startswith("bound/")  # "observed" may stand on the next line
        assert head[-1] == "time"

    def test_verify_on_a_narrow_screen(self) -> None:
        checks = ("lemma-7.positive/bandit", "lemma-7.positive/repaired-algebra")
        asked = (word for check in checks for word in ("--check", check))
        done = on_screen(75, "verify", *asked)
        assert done.returncode == 0
        assert widest(done.stdout) <= 75
        assert "lemma-7.positive/\n" not in done.stdout  # the other cells are beside it
        assert "lemma-7.positive/ " in done.stdout

    @pytest.mark.parametrize("columns", [60, 80])
    @pytest.mark.parametrize(
        "arguments",
        [
            "claims",
            "claims --kind erratum",
            "claims --kind decision",
            "verify --list",
            "verify --power",
            "verify --part lemma-7.positive",
            "certificate",
            "reproduce --list",
            "schema",
        ],
    )
    def test_tables_keep_to_a_narrow_screen(self, columns: int, arguments: str) -> None:
        done = on_screen(columns, *arguments.split())
        assert done.returncode == 0
        assert widest(done.stdout) <= columns

    def test_what_no_columns_can_hold_stands_below_its_name(self) -> None:
        rows = [("lemma-7", "abcdefgh", "ijklmnop")]
        assert table(("id", "one", "two"), rows, 20).splitlines() == [
            "lemma-7",
            "  one abcdefgh · two",
            "  ijklmnop",
        ]

    @pytest.mark.parametrize("columns", [60, 80, 100, 132])
    def test_no_record_is_wider_than_the_screen(self, columns: int) -> None:
        for record in ledger.records():
            done = on_screen(columns, "show", record)
            assert widest(done.stdout) <= columns, record

    def test_the_ledger_fits_a_screen_and_has_one_line_per_row_in_a_pipe(self) -> None:
        assert widest(on_screen(100, "claims").stdout) <= 100
        assert widest(ptum("claims").stdout) > 100

    def test_latex_is_wrapped_on_a_screen_only(self) -> None:
        assert widest(on_screen(80, "show", "lemma-4", "--latex").stdout) <= 80
        assert widest(ptum("show", "lemma-4", "--latex").stdout) > 200

    def test_a_formula_too_tall_to_break_is_told_in_latex(self) -> None:
        told = on_screen(80, "show", "definition-1").stdout
        assert "in LaTeX" in told
        assert "\\mathcal{I}" in told
        assert "in LaTeX" not in ptum("show", "definition-1").stdout

    def test_cells_are_folded_at_words(self) -> None:
        assert folded("lemma-7.positive/bandit", 12) == ["lemma-7.", "positive/", "bandit"]
        assert folded("0 of 136 in 11, P ≤ 0.25", 12) == ["0 of 136 in", "11, P ≤ 0.25"]
        assert folded("-1.5e-05", 3) == ["-1.5e-05"]
        assert folded("123.0 s", 3) == ["123.0 s"]
        assert folded("in s or 3 steps", 3) == ["in", "s", "or", "3", "steps"]
        assert folded("", 3) == [""]

    def test_the_column_with_the_fewest_wide_cells_gives_way(self) -> None:
        rows = [("one two", "x y"), *[("one", "abc def")] * 3]
        assert fitted(rows, 12) == [3, 7]
        assert fitted(rows, 1) == [3, 3]
        assert table(rows[0], rows[1:], 12).splitlines()[:3] == ["one  x y", "two", "───  ───────"]

    def test_a_formula_is_broken_outside_brackets_first(self) -> None:
        assert laid_out("x = a·(b + c) + d", 20) == ["x = a·(b + c) + d"]
        assert laid_out("x = a·(b + c) + d", 14) == ["x", "    = a·", "    (b + c)", "    + d"]
        assert laid_out("x = abcdefghijklmnop", 10) is None

    def test_nothing_is_broken_inside_a_fraction_or_a_root(self) -> None:
        text = "    a + b\nx = ───── + c\n      d"
        assert laid_out(text, 12) == ["x", "      a + b", "    = ─────", "        d", "    + c"]
        root = "    ┌──────\nx = ⎷ a + b"
        assert laid_out(root, 9) is None


class TestPower:
    """`ptum verify --power`."""

    def test_a_table_without_running_anything(self) -> None:
        done = ptum("verify", "--power", "--claim", "lemma-3", "--profile", "standard")
        assert done.returncode == 0
        (row,) = [line for line in done.stdout.splitlines() if "named-instances" in line]
        assert row.split() == ["lemma-3.coverage/named-instances", "0.1", "1000", "0.16", "-", "-"]

    def test_json_is_of_its_schema(self, tmp_path: Path) -> None:
        path = tmp_path / "power.json"
        ptum("verify", "--power", "--claim", "lemma-3", "--json", str(path))
        document = json.loads(path.read_text())
        jsonschema.validate(document, json_schema("power"))
        assert {one["profile"] for one in document["checks"]} == {"quick"}
        assert all(one["missing"] == [] for one in document["checks"])

    def test_checks_without_random_trials_have_none(self) -> None:
        assert "random trials" in refused("verify", "--power", "--claim", "lemma-7")
