"""The command as its users see it: output, JSON against its schema, refusals, exit codes."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from checks.cli import main
from reference.generative import Simulator
from reference.mdp import bernoulli_rewards
from reference.models import approximate_models
from reference.ptum import ptum as run_ptum
from reference.transcript import Event, to_lines
from spec import ledger
from spec.decisions import DECISIONS
from spec.errata import ERRATA
from spec.vocabulary import Status


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


def ptum(*arguments: str) -> Done:
    """Call the command in this process, as the console script would."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(list(arguments))
        except SystemExit as end:
            code = int(end.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


def refused(*arguments: str) -> str:
    """The one line that a refusal prints."""
    done = ptum(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def valid(output: str, schema: str) -> dict[str, object]:
    document = json.loads(output)
    jsonschema.validate(document, json.loads(ptum("schema", schema).stdout))
    assert isinstance(document, dict)
    return document


def test_help_teaches_the_first_steps() -> None:
    done = ptum("--help")
    assert done.returncode == 0
    for word in ("ptum claims", "ptum show lemma-7", "ptum verify", "Exit codes"):
        assert word in done.stdout


@pytest.mark.parametrize(
    "command", ["claims", "show", "graph", "schema", "verify", "summary", "replay"]
)
def test_every_command_has_help(command: str) -> None:
    assert "Usage:" in ptum(command, "--help").stdout


def test_the_console_script_and_the_module_are_the_same_command() -> None:
    command = [sys.executable, "-m", "checks.cli", "claims"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == ptum("claims").stdout


def test_help_does_not_import_the_heavy_packages() -> None:
    code = (
        "import sys, checks.cli; "
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
    for kind, records in (("decision", DECISIONS), ("erratum", ERRATA)):
        listed = json.loads(ptum("claims", "--kind", kind, "--json").stdout)["claims"]
        assert [entry["id"] for entry in listed] == [record.id for record in records]
        assert len(ptum("claims", "--kind", kind).stdout.splitlines()) == 2 + len(records)


def test_show_tells_statement_formula_footing_status_and_repair() -> None:
    text = ptum("show", "lemma-3").stdout
    for word in ("Valid confidence sets", "lemma:conf", "log", "assumption-1", "theorem-1", "D03"):
        assert word in text
    text = ptum("show", "lemma-7.positive").stdout
    assert "refuted" in text
    assert "18" in text
    assert "E01" in text


def test_show_in_latex() -> None:
    assert "\\log" in ptum("show", "lemma-3", "--latex").stdout


def test_show_decisions_and_errata() -> None:
    assert "choice" in ptum("show", "d03").stdout
    assert "still stands" in ptum("show", "E01").stdout


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
        (("verify", "--claim", "lemma-77"), "lemma-7"),
        (("verify", "--part", "lemma-7.positiv"), "lemma-7.positive"),
        (("verify", "--profile", "quik"), "quick"),
        (("verify", "--version", "print"), "printed"),
        (("verify", "--claim", "figure-1-left", "--version", "repaired"), "no check matches"),
        (("verify", "--claim", "lemma-7", "--seed", "-1"), "--seed must not be negative"),
        (("verify", "--claim", "lemma-7", "--jobs", "0"), "--jobs must be at least 1"),
        (("verify", "--claim", "lemma-7", "--seconds", "0"), "--seconds must be positive"),
        (("verify", "--family", "nowhere:mine"), "nowhere"),
        (("summary", "nowhere.json"), "cannot read nowhere.json"),
        (("summary", "nowhere.json", "--format", "tabel"), "table"),
        (("replay", "nowhere.json"), "cannot read nowhere.json"),
        (("claims", "--kind", "decision", "--status", "holds"), "has a status"),
        (("nonsense",), "nonsense"),
        (("show",), "ID"),
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
    }
    assert "lemma-7.positive/bandit" in ptum("summary", str(target)).stdout
    assert ptum("replay", str(target)).returncode == 0


def test_report_on_stdout_is_the_only_output_there() -> None:
    done = ptum("verify", "--check", "lemma-7.positive/bandit", "--json", "-")
    valid(done.stdout, "verify")


def test_transcript_schema_covers_a_real_run() -> None:
    schema = json.loads(ptum("schema", "transcript").stdout)
    stay = np.ones((1, 2, 1))
    tasks = [bernoulli_rewards(stay, np.array([m]), 0.5) for m in ((0.9, 0.1), (0.1, 0.9))]
    models = approximate_models(tasks)
    events: list[Event] = []
    simulator = Simulator(tasks[0], 1)
    run_ptum(models, simulator, epsilon=0.1, delta=0.1, n=500, Delta=0.0, observer=events.append)
    kinds = set()
    for line in to_lines(events):
        document = json.loads(line)
        jsonschema.validate(document, schema)
        kinds.add(document["event"])
    assert kinds == {"start", "query", "sample", "elimination", "stop"}


def test_verify_list_runs_nothing() -> None:
    done = ptum("verify", "--list")
    assert "lemma-3.coverage/wrong-std" in done.stdout
    assert done.stderr == ""


def test_unwritable_report_is_refused(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "no" / "where")
    assert "cannot write" in refused("verify", "--part", "lemma-7.positive", "--json", nowhere)


def test_an_erratum_is_walked_through_with_numbers(tmp_path: Path) -> None:
    target = tmp_path / "walk.json"
    done = ptum("show", "E01", "--run", "--json", str(target))
    assert done.returncode == 0
    for words in ("premise    transfer mode", "conclusion largest index", "verdict    violated"):
        assert words in done.stdout
    assert "3/250 (0.012) < 1/76" in done.stdout
    document = valid(target.read_text(), "verify")
    results = document["results"]
    assert isinstance(results, list)
    assert results[0]["check"] == "lemma-7.positive/bandit"


def test_a_record_without_a_counterexample_cannot_be_walked_through() -> None:
    done = ptum("show", "D03", "--run")
    assert done.returncode == 2
    assert "no counterexample" in done.stderr


def test_json_of_show_goes_with_run() -> None:
    assert "--run" in refused("show", "E01", "--json", "x.json")
