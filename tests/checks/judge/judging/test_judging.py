"""The whole command `ptum validate`: what it prints and writes, and its exit codes."""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ptum.checks.cli.judge import self_test, validation
from ptum.checks.cli.output.formatting import columns_of
from ptum.checks.cli.schemas import json_schema
from ptum.checks.judge.capabilities import NAMES, capabilities, conforming
from ptum.checks.judge.judging.items import LINE_14, Item
from ptum.checks.judge.judging.options import ACTIVE, ALL, FOUR, THRESHOLD
from ptum.checks.judge.judging.readings import all_readings
from ptum.checks.judge.judging.verdicts import Conformity, Judgement
from ptum.checks.judge.messages.parsing import ERRORS
from ptum.checks.judge.messages.transcript import (
    Exchange,
    Fault,
    TranscriptHeader,
    from_lines,
    whole_lines,
)
from ptum.checks.judge.programs import host
from ptum.checks.judge.programs.process import Limits
from ptum.checks.judge.results import vectors
from ptum.checks.judge.results.self_test import Conforming
from ptum.checks.judge.slips import Slip, slips
from ptum.reference.transfer.transcript import to_lines
from ptum.spec import ledger
from ptum.spec.records import Erratum
from tests.support.command import Done, on_screen, ptum, refused, widest
from tests.support.instances import short_run

VALUES = """
import os, signal

import numpy as np


class Right:
    name, version = "tiny", "3"

    def policy_value(self, p, q, u, gamma, pi):
        rows = np.arange(len(pi))
        r = np.asarray(q) @ np.asarray(u)
        return np.linalg.solve(np.eye(len(pi)) - gamma * np.asarray(p)[rows, pi], r[rows, pi])


class Wrong(Right):
    def policy_value(self, p, q, u, gamma, pi):
        return super().policy_value(p, q, u, gamma / 2, pi)


class Raising(Right):
    def policy_value(self, **request):
        raise ValueError("no idea")


class Dying(Right):
    def policy_value(self, **request):
        os._exit(3)


class Tired(Right):
    answered = 0

    def policy_value(self, **request):
        self.answered += 1
        if self.answered == 2:
            os._exit(3)
        return super().policy_value(**request)


class Cached(Right):
    answer = None

    def policy_value(self, pi, **request):
        if self.answer is None or len(self.answer) != len(pi):
            self.answer = super().policy_value(pi=pi, **request)
        return self.answer


class Lazy(Right):
    capabilities = ["policy_value", "widths"]


class Moody(Wrong):
    def policy_value(self, p, **request):
        if len(p) > 2:
            raise ValueError("too many states")
        return super().policy_value(p, **request)


class Hanging(Right):
    def policy_value(self, **request):
        signal.pause()


class Wide(Right):
    def next_query(self, models, gamma, errors, active):
        return {"s": 0, "a": 0}


class Strange(Right):
    capabilities = ["policy_value", "clairvoyance"]


class Idle:
    pass


right, wrong, strange, idle, lazy, cached = Right(), Wrong(), Strange(), Idle(), Lazy(), Cached()
raising, dying, wide, moody, tired = Raising(), Dying(), Wide(), Moody(), Tired()
hanging = Hanging()
"""

HANGING = """
import json, signal
ready = dict(type="ready", protocol="ptum-stdio/1", name="slow", version="1", language="any")
input()
print(json.dumps(ready | dict(capabilities=["policy_value"])), flush=True)
signal.pause()
"""


GROWING = HANGING.replace("signal.pause()", "held = b'1' * 2**27; signal.pause()")

SMALLEST = ("--case", "policy_value/one-state-one-action-best")
"""One case, where one is enough."""

WAITING = """
import signal


class Subject:
    def policy_value(self, p, q, u, gamma, pi):
        with open("asked", "w") as pipe:
            pipe.write("now")
        signal.pause()


subject = Subject()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with subjects, in which the command is called."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(VALUES)
    return tmp_path


def line_of(text: str) -> str:
    """Where the subjects have a text, as reports name the place."""
    (number,) = (n for n, line in enumerate(VALUES.splitlines(), start=1) if text in line)
    return f"line {number}"


def program(subject: str) -> str:
    return shlex.join([sys.executable, "-m", "ptum.checks.judge.programs.host", f"mine:{subject}"])


def report_of(path: str) -> dict[str, object]:
    document = json.loads(Path(path).read_text())
    jsonschema.validate(document, json_schema("validate"))
    assert isinstance(document, dict)
    return document


def results(document: dict[str, object]) -> list[dict[str, Any]]:
    found = document["results"]
    assert isinstance(found, list)
    return found


def verdicts(document: dict[str, object]) -> dict[str, str]:
    """What was judged, by capability."""
    judged = (r for r in results(document) if r["verdict"] != "not-implemented")
    return {r["capability"]: r["verdict"] for r in judged}


def only_result(document: dict[str, object]) -> dict[str, Any]:
    """The one capability that was asked for."""
    (found,) = (r for r in results(document) if r["cases"])
    return found


@cache
def validated(subject: str) -> tuple[Done, dict[str, object]]:
    """What is printed and reported of a subject; asked once, whichever tests look at it."""
    done = ptum("validate", f"mine:{subject}", "--json", "validated.json")
    return done, report_of("validated.json")


class TestSubjects:
    """Objects, programs, and the exchange that is kept of both."""

    def test_a_right_one_conforms_and_its_exchange_can_be_judged_again(self) -> None:
        done = ptum("validate", "mine:right", "--json", "r.json", "--save", "x.jsonl")
        assert done.returncode == 0, done.stdout
        assert done.stdout.startswith("tiny 3 (Python), seed 0\n")
        assert f"{len(NAMES) - 1} not-implemented." in done.stdout
        assert verdicts(report_of("r.json")) == {"policy_value": "conforms"}
        schema = jsonschema.Draft202012Validator(json_schema("exchange"))
        for line in Path("x.jsonl").read_text().splitlines():
            schema.validate(json.loads(line))
        again = ptum("validate", "--transcript", "x.jsonl", "--json", "again.json")
        assert again.returncode == 0
        assert report_of("again.json")["results"] == report_of("r.json")["results"]

    def test_a_wrong_one_is_told_where_and_can_be_replayed(self) -> None:
        done, document = validated("wrong")
        assert done.returncode == 1
        for word in (
            "policy_value deviates in ",
            "  breaks ",
            "  expected ",
            "  got ",
            "  instance",
        ):
            assert word in done.stdout
        assert verdicts(document) == {"policy_value": "deviates"}
        found = only_result(document)["divergence"]
        wrong, cases = (only_result(document)[name] for name in ("deviating", "cases"))
        assert f"\n  {wrong} of {cases} answers deviate\n" in done.stdout
        assert 1 < wrong <= cases
        assert f"  replay     {found['replay']}" in done.stdout
        again = ptum(*shlex.split(found["replay"])[1:], "--json", "again.json")
        assert again.returncode == 1
        repeated = only_result(report_of("again.json"))
        assert (repeated["cases"], repeated["divergence"]) == (1, found)

    def test_packages_of_the_user_with_the_names_of_ours_disturb_nobody(self, place: Path) -> None:
        for package in ("checks", "reference", "spec"):
            (place / package).mkdir()
            (place / package / "__init__.py").write_text(f"raise ImportError('your {package}')")
        done = ptum("validate", "mine:right", *SMALLEST)
        assert done.returncode == 0, done.stdout
        assert "1 capability: 1 conforms." in done.stdout

    def test_a_first_request_was_alone(self) -> None:
        done, document = validated("wrong")
        found = only_result(document)["divergence"]
        assert (found["before"], found["alone"], found["sequence"]) == (0, None, "")
        assert "fresh program" not in done.stdout

    def test_a_program_is_judged_like_an_object(self) -> None:
        done = ptum("validate", "--command", program("wrong"), "--json", "--seed", "3")
        assert done.returncode == 1
        document = json.loads(done.stdout)  # nothing else on standard output
        jsonschema.validate(document, json_schema("validate"))
        assert document["header"]["seed"] == 3
        (found,) = (r["divergence"] for r in document["results"] if r["divergence"])
        *_, option, command = shlex.split(found["replay"])[:4]
        assert (option, command) == ("--command", program("wrong"))
        assert f"--seed 3 --case {found['case']}" in found["replay"]

    def test_standard_output_is_for_the_exchange_alone_if_it_is_saved_there(self) -> None:
        done = ptum("validate", "mine:right", *SMALLEST, "--save", "-")
        _, (exchange,) = from_lines(done.stdout.splitlines())
        assert (exchange.id, exchange.fault) == (SMALLEST[1], None)

    @pytest.mark.parametrize(
        ("timeout", "start", "request_"), [(0.5, 30, 120), (60, 60, 120), (500, 500, 500)]
    )
    def test_nothing_has_less_time_than_a_message(
        self, timeout: float, start: float, request_: float
    ) -> None:
        options = validation.ValidateOptions((), (), 0, timeout, 64, True, None, None)
        expected = Limits(
            message=timeout, start=start, request=request_, memory=64, privileges=True
        )
        assert options.limits == expected

    def test_a_capability_that_nobody_knows_is_an_error(self) -> None:
        arguments = ("--capability", "policy_value", "--json", "r.json")
        done = ptum("validate", "mine:strange", *arguments)
        assert done.returncode == 1
        assert verdicts(report_of("r.json")) == {
            "policy_value": "conforms",
            "clairvoyance": "errored",
        }
        assert "--case clairvoyance" not in done.stdout

    def test_nothing_to_ask_is_wrong_usage(self) -> None:
        for arguments in (("mine:idle",), ("mine:right", "--capability", "widths")):
            assert "nothing was asked" in refused("validate", *arguments)

    @pytest.mark.parametrize(
        ("way", "text"),
        [(("--command", "true"), "ended"), (("--command", "echo hello"), "\n  last line  hello\n")],
    )
    def test_one_that_does_not_start_is_an_error_with_a_report(
        self, way: tuple[str, ...], text: str
    ) -> None:
        done = ptum("validate", *way, "--json", "r.json", "--save", "x.jsonl")
        assert done.returncode == 1
        (header,) = Path("x.jsonl").read_text().splitlines()
        assert json.loads(header)["exchanges"] == 0
        assert done.stdout.startswith(f"{shlex.join(way)} did not start: ")
        assert text in done.stdout
        assert "capability" not in done.stdout
        document = report_of("r.json")
        assert verdicts(document) == {"start": "errored"}
        footer = document["footer"]
        assert isinstance(footer, dict)
        assert (footer["results"], footer["deviates"], footer["errored"]) == (1, 0, 1)

    @pytest.mark.parametrize(
        ("subject", "text"),
        [
            ("--command=./nowhere --stdio", "cannot start './nowhere': No such file"),
            ("nowhere:subject", "No module named 'nowhere'"),
            ("nowhere.at.all:subject", "No module named 'nowhere'"),
            ("mine:absent", "no attribute 'absent'; give MODULE:OBJECT"),
            ("mine.py", "mine.py: is a file"),
            ("./mine:right", "relative import"),
        ],
    )
    def test_a_name_that_nothing_has_is_wrong_usage(self, subject: str, text: str) -> None:
        assert text in refused("validate", subject, "--json", "r.json")
        assert not Path("r.json").exists()

    def test_only_what_is_claimed_is_counted_and_listed(self) -> None:
        done, _ = validated("right")
        cases = len(list(capabilities()["policy_value"].cases(0)))
        assert done.stderr == f"[1/{cases}] policy_value\n"
        (row,) = (line for line in done.stdout.splitlines() if line.startswith("policy_value"))
        assert row.split() == [
            *["policy_value", "text-value-function", "conforms"],
            str(cases),
            *["-", "-"],
        ]
        others = [name for name in NAMES if name != "policy_value"]
        assert f"\nnot implemented: {others[0]}, {others[1]}, " in done.stdout

    def test_cases_that_were_never_asked_do_not_count(self) -> None:
        done, document = validated("dying")
        result = only_result(document)
        assert result["cases"] == len(list(capabilities()["policy_value"].cases(0)))
        assert (result["asked"], result["faults"]) == (3, 3)
        assert f" 3 of {result['cases']} " in done.stdout
        assert f"  {result['cases'] - 3} requests not made: too many breakdowns" in done.stdout
        assert "  3 of 3 requests got no answer that can be read\n" in done.stdout
        Path("r.json").write_text(json.dumps(document))
        assert f" 3 of {result['cases']} " in ptum("summary", "r.json").stdout

    def test_requests_and_faults_are_counted(self) -> None:
        done, document = validated("moody")
        result = only_result(document)
        assert result["asked"] == result["cases"] > result["faults"] > 1
        text = f"  {result['faults']} of {result['cases']} requests got no answer that can be read"
        assert text in done.stdout

    def test_a_fault_is_told_beside_a_wrong_answer(self) -> None:
        done, document = validated("moody")
        assert "policy_value deviates in " in done.stdout
        text = f"  fault      raised: mine.py, {line_of('too many')}: ValueError: too many states\n"
        assert text in done.stdout
        result = only_result(document)
        assert result["divergence"]["case"] != result["breakdown"]["case"]
        assert len(result["breakdown"]["input"]["p"]) > 2
        assert result["breakdown"]["replay"].endswith(result["breakdown"]["case"])

    def test_what_happens_alone_too_has_no_need_of_the_sequence(self) -> None:
        done, document = validated("moody")
        found = only_result(document)["breakdown"]
        assert found["before"] > 0
        assert found["alone"] is False
        assert "sequence" not in done.stdout

    def test_a_method_that_is_missing_is_not_looked_for_again(self) -> None:
        done = ptum("validate", "mine:lazy", "--capability", "widths", "--json", "r.json")
        found = only_result(report_of("r.json"))["breakdown"]
        assert found["kind"] == "no-method"
        assert found["before"] > 0
        assert found["alone"] is None
        assert "sequence" not in done.stdout

    @pytest.mark.parametrize(
        ("kind", "offered"), [("hangs", True), ("no-method", False), ("given-up", False)]
    )
    def test_what_was_not_tried_alone_may_depend_on_others(self, kind: str, offered: bool) -> None:
        fault = Fault(kind, "no answer")
        case = Exchange("policy_value/x", "policy_value", {}, None, fault, (), 3)
        found = Judgement("policy_value", "-", Conformity.ERRORED, 9, fault=fault, case=case)
        header = TranscriptHeader("mine", "1", "C", ("policy_value",), 0)
        text = " ".join(
            validation.report_lines(header, [found], validation.ExchangeSource("ptum x", "ptum y"))
        )
        words = "if the replay runs through, the fault may depend on the 3 requests before it"
        assert (words in " ".join(text.split())) is offered
        assert ("  sequence   ptum y" in text) is offered

    def test_refuted_wordings_come_after_all_that_is_wrong(self) -> None:
        fault = Fault("raised", "no")
        found = [
            Judgement("stopping", "-", Conformity.CONFORMS, 9, errata=("E01",)),
            Judgement("widths", "-", Conformity.ERRORED, 9, fault=fault),
        ]
        header = TranscriptHeader("mine", "1", "C", ("stopping", "widths"), 0)
        text = " ".join(validation.report_lines(header, found, validation.ExchangeSource("ptum x")))
        assert 0 < text.find("widths errored") < text.find("stopping follows the printed wording")

    @pytest.mark.parametrize(("name", "reading"), [("stopping", "printed"), ("widths", "-")])
    def test_a_reading_is_named_where_there_are_several(self, name: str, reading: str) -> None:
        literal = frozenset({capabilities()[name].readings[0]})
        found = Judgement(name, "-", Conformity.CONFORMS, 9, explained_by=literal)
        row = validation.judgement_table([found]).splitlines()[-1]
        assert row.split()[:5] == [name, "-", "conforms", "9", reading]

    def test_a_refuted_wording_is_told_with_its_erratum_and_only_what_was_seen_as_a_choice(
        self,
    ) -> None:
        readings = all_readings((THRESHOLD,), (FOUR,), (ALL, ACTIVE))
        found = Judgement(
            *("ptum", "algorithm-1", Conformity.CONFORMS, 5),
            explained_by=frozenset(readings),
            errata=("E01",),
        )
        lines = validation.report_lines(
            TranscriptHeader("mine", "1", "C", ("ptum",), 0),
            [found],
            validation.ExchangeSource("x"),
        )
        text = " ".join(" ".join(lines).split())
        assert "ptum algorithm-1 conforms 5 printed D02: four constants ptum follows" in text
        erratum = ledger.find("E01")
        assert isinstance(erratum, Erratum)
        told_of = f"which is refuted: E01, {erratum.title} (ptum show E01)"
        assert f"the printed wording, {told_of}" in text

    def test_a_wrong_answer_that_needs_other_requests_is_told_so(self) -> None:
        """A cache with too coarse a key: the formula is right."""
        done = ptum("validate", "mine:cached", "--capability", "policy_value", "--json", "r.json")
        found = only_result(report_of("r.json"))["divergence"]
        assert found["alone"] is True
        assert found["before"] > 0
        assert found["sequence"] == "ptum validate mine:cached --capability policy_value"
        text = (
            "put alone to a fresh program it is answered rightly; what came here may depend on the "
            f"{found['before']} requests before it, or on randomness: "
            f"sequence {found['sequence']}"
        )
        assert text in " ".join(done.stdout.split())
        assert ptum(*shlex.split(found["replay"])[1:]).returncode == 0

    def test_a_crash_that_needs_other_requests_is_replayed_with_them(self) -> None:
        cases = [f"policy_value/{name}" for name in ("one-state-one-action-best", "cycle-best")]
        selected = [word for case in cases for word in ("--case", case)]
        done = ptum("validate", "mine:tired", *selected, "--json", "tired.json")
        found = only_result(report_of("tired.json"))["breakdown"]
        assert found["alone"] is True
        assert found["before"] == 1
        assert found["replay"] == f"ptum validate mine:tired --case {found['case']}"
        assert f"  replay     {found['replay']}\n" in done.stdout
        assert found["sequence"].endswith(" ".join(selected))
        text = (
            "put alone to a fresh program it is answered; the fault may depend on the 1 request "
            "before it, or on randomness:"
        )
        assert text in " ".join(done.stdout.split())

    def test_only_what_the_same_program_was_asked_counts_as_before(self) -> None:
        """Every second request of a program crashes, so that one comes before each."""
        result = only_result(validated("tired")[1])
        assert (result["faults"], result["breakdown"]["before"]) == (3, 1)

    def test_what_was_not_asked_is_not_listed(self) -> None:
        done = ptum("validate", "mine:raising", *SMALLEST)
        assert "not implemented" not in done.stdout
        assert "1 capability: 1 errored.\n" in done.stdout
        assert "sequence" not in done.stdout, "nothing came before it"

    def test_an_exception_is_told_once(self) -> None:
        done = ptum("validate", "mine:raising", *SMALLEST)
        assert f"  fault      raised: mine.py, {line_of('no idea')}: ValueError: no idea\n" in (
            done.stdout
        )
        assert "last line" not in done.stdout
        assert "got no answer" not in done.stdout, "there is one request, which is told of above"

    def test_a_program_that_hangs_may_have_forgotten_to_flush(self) -> None:
        command = shlex.join([sys.executable, "-c", HANGING])
        done = ptum("validate", "--command", command, "--timeout", "0.5", *SMALLEST)
        assert "is the output flushed after every line" in " ".join(done.stdout.split())
        assert f" --timeout 0.5 --case {SMALLEST[1]}\n" in done.stdout

    def test_an_object_that_hangs_has_nothing_to_flush(self) -> None:
        done = ptum("validate", "mine:hanging", "--timeout", "0.5", *SMALLEST)
        assert "  fault      hangs: no message within 0.5 s\n" in done.stdout

    def test_a_program_that_takes_too_much_memory_is_told_so(self) -> None:
        command = shlex.join([sys.executable, "-c", GROWING])
        done = ptum("validate", "--command", command, "--memory", "96", "--privileges", *SMALLEST)
        assert "  fault      too-large: used more than 96 MiB of memory\n" in done.stdout
        assert '  last line  {"type": "ready"' in done.stdout
        assert f" --memory 96 --privileges --case {SMALLEST[1]}\n" in done.stdout

    def test_a_command_may_hold_any_bytes(self, place: Path) -> None:
        """As the names of files may; what cannot be printed is told so that a shell reads it."""
        (place / "\udcff'\33").symlink_to("/bin/true")
        done = ptum("validate", "--command", '"./\udcff\'\33"', "--json", "r.json")
        assert done.returncode == 1
        assert done.stdout.startswith(r"""--command $'"./\xff\'\x1b"' did not start: """)
        assert [result["verdict"] for result in results(report_of("r.json"))] == ["errored"]

    @pytest.mark.parametrize("name", ["n" * 250, "link"])
    def test_a_report_may_have_a_long_name_or_be_behind_a_link(
        self, place: Path, name: str
    ) -> None:
        (place / "link").symlink_to("real")
        done = ptum("validate", "mine:right", *SMALLEST, "--json", name)
        assert done.returncode == 0
        assert verdicts(report_of(name)) == {"policy_value": "conforms"}
        assert (place / "link").is_symlink()

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
    def test_a_file_that_cannot_be_written_in_the_end_takes_nothing_with_it(self) -> None:
        done = ptum("validate", "mine:right", *SMALLEST, "--save", "/dev/full", "--json", "r.json")
        assert done.returncode == 2
        assert done.stderr.endswith("ptum: cannot write /dev/full: No space left on device\n")
        assert "1 capability: 1 conforms." in done.stdout
        assert verdicts(report_of("r.json")) == {"policy_value": "conforms"}

    @pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="a link of Linux")
    def test_a_file_behind_standard_output_is_written_to_and_not_replaced(
        self, place: Path
    ) -> None:
        command = [sys.executable, "-m", "ptum.checks.cli", "validate", "mine:right", *SMALLEST]
        (place / "link").symlink_to("/dev/stdout")
        with (place / "out").open("wb") as out:
            subprocess.run([*command, "--json", "link"], stdout=out, check=True)
        text = (place / "out").read_text()
        assert text.startswith("{")
        assert text.endswith("1 capability: 1 conforms.\n")
        assert (place / "link").is_symlink()

    def test_closed_streams_disturb_nobody(self) -> None:
        command = shlex.join(
            [sys.executable, "-m", "ptum.checks.cli", "validate", "mine:right", *SMALLEST]
        )
        closed = f"{command} --json r.json <&- >&- 2>&-"
        assert subprocess.run(["sh", "-c", closed], check=False).returncode == 0
        assert verdicts(report_of("r.json")) == {"policy_value": "conforms"}

    def test_lines_keep_to_the_width(self, monkeypatch: pytest.MonkeyPatch) -> None:
        arguments = ("validate", "mine:wide", "--capability", "next_query", "--seed", "2")
        done = ptum(*arguments)
        assert "next_query deviates" in done.stdout
        instance = "  instance   "
        assert instance in done.stdout
        assert widest(done.stdout) <= 120
        narrow = on_screen(80, *arguments)
        text = narrow.stdout.partition("  replay ")[0]  # which is copied as it is
        assert widest(text) <= 80
        shown = text.partition(instance)[2].splitlines()
        assert len(shown) > 1, "a small instance is shown whole"
        assert all(line.endswith(",") for line in shown[:-1]), "no number is broken"
        whole = shown[0] + "".join(line[len(instance) :] for line in shown[1:])
        assert set(json.loads(whole)) == {"models", "gamma", "errors", "active"}
        monkeypatch.setattr(validation, "SMALL", 0)
        narrow = on_screen(80, *arguments)
        (line,) = (x for x in narrow.stdout.splitlines() if x.startswith(instance))
        assert line.endswith(", … (whole: --json FILE)")
        assert columns_of(line) <= 80

    def test_what_would_narrow_a_deviation_is_told_of_all_that_was_asked(self) -> None:
        line = "  lacks      deviations, confidence_set, information, which would narrow this"
        assert f"{line} down\n" in ptum("validate", "mine:wide").stdout
        asked_alone = ptum("validate", "mine:wide", "--capability", "next_query")
        assert "  lacks " not in asked_alone.stdout

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_an_interrupt_leaves_nothing_half_done(
        self, place: Path, number: signal.Signals
    ) -> None:
        (place / "mine.py").write_text(WAITING)
        os.mkfifo("asked")
        asked = os.open("asked", os.O_RDONLY | os.O_NONBLOCK)
        command = [sys.executable, "-m", "ptum.checks.cli", "validate", "mine:subject"]
        with subprocess.Popen(
            [*command, "--json", "r.json", "--save", "x.jsonl"],
            stderr=subprocess.PIPE,
            preexec_fn=in_the_foreground,
        ) as running:
            assert select.select([asked], [], [], 60.0)[0]
            running.send_signal(number)
            _, errors = running.communicate()
        os.close(asked)
        assert running.returncode == 3
        assert errors.endswith(b"ptum: interrupted\n")
        assert sorted(path.name for path in place.iterdir() if path.is_file()) == ["mine.py"]


def in_the_foreground() -> None:
    """A test run in the background of a script hands down an ignored Ctrl-C, or SIGHUP."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class TestTranscripts:
    """Recorded runs."""

    def test_a_recorded_run_conforms(self, place: Path) -> None:
        (place / "run.jsonl").write_text("\n".join(to_lines(short_run())) + "\n")
        done = ptum("validate", "--transcript", "run.jsonl", "--json", "r.json")
        assert done.returncode == 0
        assert verdicts(report_of("r.json")) == {"ptum": "conforms"}
        assert done.stdout.startswith("run.jsonl (recorded run)\n")
        assert "not implemented" not in done.stdout, "nothing is known of other capabilities"
        assert done.stdout.endswith("1 capability: 1 conforms.\n")
        named = ptum("validate", "--transcript", "run.jsonl", "--case", "ptum/run")
        assert named.returncode == 0

    def test_a_saved_selection_is_reported_as_it_was(self) -> None:
        for arguments in (("--capability", "policy_value"), ()):
            live = ptum(
                "validate", "mine:lazy", *arguments, "--save", "x.jsonl", "--json", "r.json"
            )
            again = ptum("validate", "--transcript", "x.jsonl", "--json", "again.json")
            assert live.stdout.splitlines()[-1] == again.stdout.splitlines()[-1]
            listed = [
                [r["capability"] for r in json.loads(Path(name).read_text())["results"]]
                for name in ("r.json", "again.json")
            ]
            assert listed[0] == listed[1]

    def test_what_was_claimed_and_not_asked_has_no_row(self, place: Path) -> None:
        """Even if the file does not say what was selected."""
        ptum("validate", "mine:lazy", "--capability", "policy_value", "--save", "x.jsonl")
        header, *rest = Path("x.jsonl").read_text().splitlines()
        told = json.loads(header)
        assert told.pop("selected") == ["policy_value"]
        assert {json.loads(line)["capability"] for line in rest} == {"policy_value"}
        (place / "x.jsonl").write_text("\n".join((json.dumps(told), *rest)))
        ptum("validate", "--transcript", "x.jsonl", "--json", "r.json")
        listed = [r["capability"] for r in json.loads(Path("r.json").read_text())["results"]]
        assert "policy_value" in listed
        assert "widths" not in listed

    def test_no_program_is_run(self, place: Path) -> None:
        ptum("validate", "mine:tired", "--capability", "policy_value", "--save", "x.jsonl")
        (place / "mine.py").unlink()
        done = ptum("validate", "--transcript", "x.jsonl", "--json", "r.json")
        assert "policy_value errored in" in done.stdout
        found = only_result(report_of("r.json"))["breakdown"]
        assert found["alone"] is True, "as it was when the program ran"
        assert found["sequence"] == ""
        text = (
            "the fault may depend on the 1 request before it, or on randomness "  # and no command
        )
        assert text in " ".join(done.stdout.split())
        for word in ("  sequence ", "  replay "):
            assert word not in done.stdout

    def test_a_program_is_no_recorded_run_because_it_says_so(self, place: Path) -> None:
        text = (
            Path(host.__file__).read_text().replace('"Python", claimed', '"recorded run", claimed')
        )
        (place / "claiming.py").write_text(text)
        command = shlex.join([sys.executable, "claiming.py", "mine:right"])
        done = ptum("validate", "--command", command, "--json", "r.json")
        assert done.stdout.startswith("tiny 3 (recorded run), seed 0\n")
        assert f"{len(NAMES) - 1} not-implemented." in done.stdout

    def test_a_selection_holds_for_a_recorded_run_too(self, place: Path) -> None:
        (place / "run.jsonl").write_text("\n".join(to_lines(short_run())) + "\n")
        selected = ("--capability", "ptum", "--capability", "widths")
        done = ptum("validate", "--transcript", "run.jsonl", *selected, "--json", "r.json")
        assert done.returncode == 0
        document = report_of("r.json")
        assert verdicts(document) == {"ptum": "conforms"}
        assert "widths" not in done.stdout, "it was never asked"
        header = document["header"]
        assert isinstance(header, dict)
        assert header["seed"] is None

    def test_what_a_file_of_a_stranger_says_is_fit_to_print(self, place: Path) -> None:
        """Judges escape before they save, others need not."""
        loud = "\33[2J"
        fault = Fault("ended", loud, loud)
        _, saved = saved_exchange()
        exchange = Exchange(f"policy_value/{loud}", "policy_value", saved["input"], None, fault)
        header = TranscriptHeader(loud, loud, loud, ("policy_value",), 0)
        (place / "x.jsonl").write_text("\n".join(whole_lines(header, [exchange])))
        done = ptum("validate", "--transcript", "x.jsonl")
        assert done.returncode == 1
        assert done.stdout.startswith("\\x1b[2J \\x1b[2J (\\x1b[2J), seed 0\n")
        assert done.stdout.replace("\n", "").isprintable()

    def test_a_run_with_another_end_deviates(self, place: Path) -> None:
        lines = list(to_lines(short_run()))
        stop = json.loads(lines[-1])
        assert stop["policy"] == [0]
        lines[-1] = json.dumps(stop | {"policy": [1], "theta": 1})
        (place / "run.jsonl").write_text("\n".join(lines) + "\n")
        done = ptum("validate", "--transcript", "run.jsonl")
        assert done.returncode == 1
        assert "ptum deviates in ptum/run" in done.stdout

    @pytest.mark.parametrize(
        ("content", "hint"),
        [
            (None, "cannot read run.jsonl"),
            (b"\xff\xfe", "not UTF-8"),
            (b"not JSON\n", "transcript line 1"),
            (b"", "is empty"),
            (b"\n\n", "is empty"),
            (b"\nnot JSON\n", "transcript line 2"),
        ],
    )
    def test_what_is_none_is_refused(self, place: Path, content: bytes | None, hint: str) -> None:
        if content is not None:
            (place / "run.jsonl").write_bytes(content)
        assert hint in refused("validate", "--transcript", "run.jsonl")

    def test_a_report_is_refused_by_its_name(self, place: Path) -> None:
        (place / "run.jsonl").write_text("\n".join(to_lines(short_run())) + "\n")
        ptum("validate", "--transcript", "run.jsonl", "--json", "r.json")
        told = refused("validate", "--transcript", "r.json")
        assert "r.json: this is a report of --json, which `ptum summary` reads" in told

    @pytest.mark.parametrize(
        ("change", "hint"),
        [
            ({"answer": None}, "line 2: has neither an answer nor a fault"),
            ({"input": {"p": []}}, "one-action-best' is no request of the judge: a request has"),
            ({"capability": "gaps"}, "line 2: asks for 'gaps', which the header does not claim"),
            ({"answer": {"V": json.loads("[" * 40 + "]" * 40)}}, "line 2: lists in lists"),
            ({"\33[2J\x9b": 1}, r"line 2: Object contains unknown field `\x1b[2J\x9b`"),
        ],
    )
    def test_a_damaged_exchange_is_refused(
        self, place: Path, change: dict[str, object], hint: str
    ) -> None:
        header, exchange = saved_exchange()
        write_lines(place / "x.jsonl", header, exchange | change)
        assert hint in refused("validate", "--transcript", "x.jsonl")

    def test_an_exchange_that_stands_there_twice_is_refused(self, place: Path) -> None:
        """A copy may have taken the place of another one; a retry is no copy."""
        header, exchange = saved_exchange()
        write_lines(place / "x.jsonl", header, exchange, exchange | {"alone": True})
        assert ptum("validate", "--transcript", "x.jsonl").returncode == 0
        write_lines(place / "x.jsonl", header, exchange, exchange)
        assert "line 3: '" in refused("validate", "--transcript", "x.jsonl")

    def test_an_exchange_that_was_not_selected_is_refused(self, place: Path) -> None:
        """It would not be judged."""
        header, exchange = saved_exchange()
        write_lines(place / "x.jsonl", header | {"selected": ["gaps"]}, exchange)
        line = refused("validate", "--transcript", "x.jsonl")
        assert "asks for 'policy_value', which the header does not select" in line

    def test_nesting_without_end_is_refused(self, place: Path) -> None:
        (place / "x.jsonl").write_text('{"record":' + "[" * 100_000)
        assert "line 1: maximum recursion depth" in refused("validate", "--transcript", "x.jsonl")

    def test_nothing_conforms_with_nan(self, place: Path) -> None:
        header, exchange = saved_exchange()
        exchange["input"]["gamma"] = "nan"
        write_lines(place / "x.jsonl", header, exchange)
        assert 'gamma must hold numbers, not "nan"' in refused(
            "validate", "--transcript", "x.jsonl"
        )

    def test_what_is_no_task_is_told_of_its_request(self, place: Path) -> None:
        """Numbers that fit alone, but not together."""
        header, exchange = saved_exchange()
        exchange["input"]["q"] = [[[0.25]]]
        exchange["input"]["u"] = [0.5]
        write_lines(place / "x.jsonl", header, exchange)
        told = refused("validate", "--transcript", "x.jsonl")
        assert f"x.jsonl: '{exchange['id']}' is no request of the judge: q" in told

    def test_whatever_a_file_holds_is_fit_to_print(self, place: Path) -> None:
        loud = "\33[2J\x9b\u202e\u2028"
        header, exchange = saved_exchange()
        header |= {"name": loud, "version": loud, "language": loud}
        wrong = exchange | {"id": f"{loud};'", "answer": {"V": [0.0]}}
        fault = exchange | {"answer": None, "fault": dict.fromkeys(("kind", "message"), loud)}
        write_lines(place / "x.jsonl", header, wrong, fault)
        done = ptum("validate", "--transcript", "x.jsonl")
        assert "1 deviates" in done.stdout
        assert done.stdout.replace("\n", "").isprintable()
        assert r""" --case '\x1b[2J\x9b\u202e\u2028;'"'"''""" in done.stdout

    @pytest.mark.parametrize(
        ("change", "hint"),
        [
            ({"gamma": 1.0}, "gamma is outside [0, 1)"),
            ({"n": 0}, "n is outside [1, inf]"),
            ({"delta": 2.0}, "delta is outside (0, 1)"),
            ({"models": []}, "models must be a list of tasks, at least one"),
            ({"errors": dict.fromkeys(ERRORS, -1)}, "errors.r is outside [0, inf]"),
        ],
    )
    def test_a_run_on_what_is_no_input_of_the_algorithm_is_refused(
        self, place: Path, change: dict[str, object], hint: str
    ) -> None:
        start, *rest = to_lines(short_run())
        lines = [json.dumps(json.loads(start) | change), *rest]
        (place / "run.jsonl").write_text("\n".join(lines))
        assert f"run.jsonl: transcript line 1: {hint}" in refused(
            "validate", "--transcript", "run.jsonl"
        )

    def test_a_selection_without_exchanges_is_refused(self, place: Path) -> None:
        (place / "run.jsonl").write_text("\n".join(to_lines(short_run())) + "\n")
        for option in (("--case", "ptum/other"), ("--capability", "widths")):
            line = refused("validate", "--transcript", "run.jsonl", *option)
            assert "no exchange of this selection" in line


def saved_exchange() -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and exchange of a right answer to one request."""
    case = "policy_value/one-state-one-action-best"
    ptum("validate", "mine:right", "--case", case, "--save", "saved.jsonl")
    header, exchange = map(json.loads, Path("saved.jsonl").read_text().splitlines())
    return {**header, "exchanges": None}, exchange


def write_lines(path: Path, *records: dict[str, Any]) -> None:
    """As the judge writes them: no more is escaped than JSON needs."""
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records))


Few = Callable[[tuple[Slip, ...], list[Conforming]], None]
SLIPS = tuple(bad for bad in slips() if bad.capability == "policy_value")
LITERAL = conforming("policy_value")["literal"]


class TestSlips:
    """`--slips`, on a few slips."""

    @pytest.fixture
    def few(self, monkeypatch: pytest.MonkeyPatch) -> Few:
        def use(bad: tuple[Slip, ...], right: list[Conforming]) -> None:
            monkeypatch.setattr(self_test, "slips", lambda: bad)
            monkeypatch.setattr(self_test, "all_conforming", lambda: right)

        return use

    def test_all_is_well(self, few: Few) -> None:
        few(SLIPS, [Conforming("policy_value/literal", "policy_value", LITERAL)])
        done = ptum("validate", "--slips", "--json")
        assert done.returncode == 0
        document = json.loads(done.stdout)
        jsonschema.validate(document, json_schema("known-bad"))
        assert [bad["id"] for bad in document["known_bad"]] == [bad.id for bad in SLIPS]
        assert all(bad["caught"] and bad["caught_by"] for bad in document["known_bad"])
        assert document["good"] == [{"id": "policy_value/literal", "passes": True}]
        steps = len(SLIPS) + 1
        assert done.stderr == (
            f"[1/{steps}] policy_value\n[{steps}/{steps}] conforming policy_value\n"
        )
        told = ptum("validate", "--slips", "--seeds", "2").stdout
        assert f"{len(SLIPS)} of {len(SLIPS)} slips are caught" in told
        named = sum(bad["telling"] == "named" for bad in document["known_bad"])
        among = len(SLIPS) - named
        assert f"{named} are reported under the item that they break, {among} under a set" in told

    def test_a_right_one_is_judged_with_every_seed(self, few: Few) -> None:
        asked = 0

        def counted(**request: object) -> object:
            nonlocal asked
            asked += 1
            return LITERAL(**request)

        few((), [Conforming("policy_value/counted", "policy_value", counted)])
        assert ptum("validate", "--slips", "--seeds", "3").returncode == 0
        cases = capabilities()["policy_value"].cases
        assert asked == sum(len(list(cases(seed))) for seed in range(3))

    @pytest.mark.parametrize("option", ["--case", "--save"])
    def test_a_selection_of_cases_is_refused(self, option: str) -> None:
        assert "do not go with it" in refused("validate", "--slips", option, "widths")

    def test_capabilities_can_be_selected(self, few: Few) -> None:
        other = next(bad for bad in slips() if bad.capability == "widths")
        right = [
            Conforming(f"{name}/literal", name, conforming(name)["literal"])
            for name in ("policy_value", "widths")
        ]
        few((*SLIPS, other), right)
        arguments = ("--capability", "policy_value", "--json", "v.json")
        assert ptum("validate", "--slips", *arguments).returncode == 0
        document = json.loads(Path("v.json").read_text())
        assert [bad["id"] for bad in document["known_bad"]] == [bad.id for bad in SLIPS]
        assert [one["id"] for one in document["good"]] == ["policy_value/literal"]

    def test_seeds_without_slips_are_refused(self) -> None:
        line = refused("validate", "mine:right", "--seeds", "3")
        assert "--seeds goes with --slips" in line

    def test_a_slip_that_is_told_as_something_else_is_noticed(self, few: Few) -> None:
        slip = SLIPS[0]
        few((Slip("elsewhere", slip.capability, LINE_14, slip.implementation),), [])
        done = ptum("validate", "--slips", "--json", "v.json")
        assert done.returncode == 1
        (found,) = json.loads(Path("v.json").read_text())["known_bad"]
        assert (found["caught"], found["telling"]) == (True, "missed")
        assert done.stdout.endswith("reported as something else: policy_value/elsewhere\n")

    def test_a_judge_that_sleeps_is_noticed(self, few: Few) -> None:
        few((Slip("no-slip", "policy_value", Item("nothing"), LITERAL),), [])
        done = ptum("validate", "--slips", "--json", "v.json")
        assert done.returncode == 1
        assert "NOT CAUGHT" in done.stdout
        assert json.loads(Path("v.json").read_text())["known_bad"][0]["caught"] is False

    @pytest.mark.parametrize("option", ["--slips", "--known-bad"])
    def test_a_judge_that_accuses_is_noticed(self, few: Few, option: str) -> None:
        """The option was called `--known-bad` before."""
        slip = SLIPS[0]
        few((), [Conforming("innocent", slip.capability, slip.implementation)])
        done = ptum("validate", option, "--capability", "policy_value")
        assert done.returncode == 1
        assert "accused wrongly: innocent" in done.stdout


class TestHarnesses:
    """Help for those who write one."""

    def test_messages_that_are_well_formed(self) -> None:
        done = ptum("validate", "--command", program("wrong"), "--check-protocol")
        assert done.returncode == 0  # its numbers are wrong, its messages are not
        assert done.stdout.endswith("Every message is well formed.\n")

    def test_messages_that_are_not(self) -> None:
        done = ptum("validate", "--command", "echo hello", "--check-protocol")
        assert done.returncode == 1
        assert "WRONG" in done.stdout
        assert "to repair." in done.stdout

    def test_messages_of_one_capability(self) -> None:
        wrong = ("validate", "--command", program("wrong"), "--check-protocol", "--capability")
        done = ptum(*wrong, "policy_value")
        assert done.returncode == 0
        assert "`policy_value` is well formed" in done.stdout
        assert "nearest: policy_value" in refused(*wrong, "policy_values")
        done = ptum(*wrong, "tensor_power")
        assert done.returncode == 2
        assert "claims no capability, or none of those selected" in done.stderr

    def test_messages_are_waited_for_as_long_as_the_user_says(self) -> None:
        command = shlex.join([sys.executable, "-c", HANGING])
        done = ptum("validate", "--command", command, "--check-protocol", "--timeout", "0.5")
        assert done.returncode == 1
        assert "WRONG hangs: no message within 0.5 s" in done.stdout

    @pytest.mark.parametrize(
        ("language", "make", "command", "objects"),
        [
            ("python", "", '"python3 harness.py"', ("adapter:subject",)),
            ("javascript", "", '"node harness.mjs"', ()),
            ("c", " && make", '"./harness"', ()),
        ],
    )
    def test_an_example_is_written_once(
        self, place: Path, language: str, make: str, command: str, objects: tuple[str, ...]
    ) -> None:
        done = ptum("validate", "--example", language, "here")
        assert done.returncode == 0
        assert done.stdout.partition("\n\n")[2].splitlines() == [
            f"  cd here{make}",
            f"  ptum validate --check-protocol --command {command}  # its messages",
            f"  ptum validate --command {command}  # the verdict",
            *(f"  ptum validate {one}  # the same without a protocol" for one in objects),
        ]
        listed = done.stdout.partition("\n\n")[0].splitlines()
        assert sorted(listed) == sorted(f"here/{path.name}" for path in (place / "here").iterdir())
        assert "nothing was written" in refused("validate", "--example", language, "here")

    def test_a_place_that_is_no_directory_is_refused(self, place: Path) -> None:
        (place / "file").write_text("")
        told = refused("validate", "--example", "c", "file/inside")
        assert "cannot write to file/inside: Not a directory" in told


class TestVectors:
    """`ptum vectors build`."""

    def test_files_are_written_where_one_likes(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vectors, "NAMES", ("policy_value",))
        done = ptum("vectors", "build", "--folder", "there")
        assert done.returncode == 0
        document = json.loads((place / "there" / "policy_value.json").read_text())
        jsonschema.validate(document, json_schema("vectors"))
        count = len(document["vectors"])
        assert done.stdout == f"there/policy_value.json: {count} vectors\n"

    def test_a_folder_that_cannot_be_is_refused(self, place: Path) -> None:
        (place / "file").write_text("")
        assert "cannot write to file" in refused("vectors", "build", "--folder", "file")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ((), "give one of"),
        (("--json", "mine:right"), "--json took 'mine:right' for its file"),
        (("mine:right", "--slips"), "give one of"),
        (("mine:right", "--command", "x"), "give one of"),
        (("mine:right", "--check-protocol"), "goes with --command"),
        (("--command", "x", "--check-protocol", "--save", "y"), "leave out"),
        (("--command", "x", "--check-protocol", "--case", SMALLEST[1]), "leave out --case"),
        (("mine:right", "--capability", "policy_values"), "nearest: policy_value"),
        (("mine:right", "--case", "policy_value/nothing"), "nearest: policy_value/"),
        (
            ("mine:right", "--capability", "widths", "--case", "stopping/rival-fails"),
            "belongs to the capability 'stopping'",
        ),
        (("mine:right", "--seed", "-1"), "--seed must not be negative"),
        (("mine:right", "--timeout", "0"), "--timeout must be positive"),
        (("mine:right", "--timeout", "nan"), "--timeout must be positive, not nan"),
        (("mine:right", "--memory", "0"), "--memory must be at least 1 MiB"),
        (("mine:right", "--json", "no/where.json"), "cannot write no/where.json"),
        (("mine:right", "--save", "no/where.jsonl"), "cannot write no/where.jsonl"),
        (("mine:right", "--json", "-", "--save", "-"), "cannot both"),
        (("mine:right", "--json", "x", "--save", "./x"), "cannot both go to the same file"),
        (("--slips", "--seeds", "0"), "--seeds must be at least 1"),
        (("--slips", "--json", "no/where.json"), "cannot write no/where.json"),
        (("--example", "pyton", "here"), "nearest: python"),
    ],
)
def test_wrong_usage_is_one_line(arguments: tuple[str, ...], hint: str) -> None:
    assert hint in refused("validate", *arguments)
