"""Python subjects that misbehave: each costs its own request at most, and says why."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ptum.checks.judge.capabilities import capabilities
from ptum.checks.judge.judging.verdicts import Conformity, Judgement, judge_capability
from ptum.checks.judge.messages.fields import array
from ptum.checks.judge.messages.protocol import (
    FromJudge,
    Request,
    SampleMessage,
    StartMessage,
    encode,
)
from ptum.checks.judge.messages.transcript import Exchange, Fault, TranscriptHeader
from ptum.checks.judge.programs.host import HungUpError, Pipe, serve, subject_of
from ptum.checks.judge.programs.process import FaultError, Limits
from ptum.checks.judge.programs.subjects import ask
from ptum.checks.judge.results.pages import FAULTS
from tests.checks.judge.support.programs import all_ended, conversation, noted

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="whether a process is gone is asked of Linux"
)

WIDTHS = capabilities()["widths"]
CASES = tuple(case.id for case in WIDTHS.cases(0))

BEHAVIOURS: Mapping[str, tuple[str, str, str]] = {
    "raises": ("raise KeyError('no such thing')", "raised", "KeyError: 'no such thing'"),
    "exits": ("sys.exit('enough')", "raised", "SystemExit: enough"),
    "interrupts": ("raise KeyboardInterrupt", "raised", "KeyboardInterrupt"),
    "recurses": ("return more(fields)", "raised", "RecursionError"),
    "fails-inside": ("return np.linalg.inv(np.zeros((2, 2)))", "raised", "LinAlgError: Singular"),
    "unspeakable": ("raise ValueError(chr(0xD800))", "raised", "ValueError: \\ud800"),
    "nan": (
        "return {**widths(**fields), 'C_p': np.array([1.0, np.nan])}",
        "malformed",
        "C_p holds NaN",
    ),
    "complex": ("return {'C_r': 1j}", "malformed", "complex has no JSON form"),
    "surrogate": ("return {'C_r': chr(0xD800)}", "malformed", "the answer has no JSON form"),
    "misspelt": ("return {'c_r': 1.0}", "malformed", "unknown fields ['c_r']"),
    "changes": (
        "fields['sigma_r'][0, 0] += 1\nreturn widths(**fields)",
        "changed-input",
        "the call changed its arguments: sigma_r",
    ),
    "changes-inside": (
        "fields['errors']['r'] = 0.5\nreturn widths(**fields)",
        "changed-input",
        "the call changed its arguments: errors",
    ),
}
"""What a subject does, the kind of fault, and what is said about it."""

ALLOWED: Mapping[str, str] = {
    "prints": "print('hello', flush=True)\nos.system('echo hello')\nreturn widths(**fields)",
    "reads": "assert sys.stdin.read() == ''\nreturn widths(**fields)",
    "as-tuple": "return tuple(widths(**fields).values())",
    "moves": "os.chdir('/')\nreturn widths(**fields)",
}
"""What a subject may do."""

UNREADABLE: Mapping[str, tuple[str, str]] = {
    "shape": ("return {**widths(**fields), 'C_r': [1.0]}", "C_r has shape [1], not {shape}"),
    "ragged": ("return {**widths(**fields), 'C_r': [[1.0], [1.0, 2.0]]}", "different lengths"),
    "missing": ("return {'C_r': widths(**fields)['C_r']}", 'no field "C_p"; it has ["C_r"]'),
    "text": ("return {**widths(**fields), 'C_r': 'wide'}", "C_r must hold numbers"),
    "none": ("return None", 'C_r must hold numbers, not null; infinite numbers are the text "inf"'),
    "short": ("return tuple(widths(**fields).values())[:2]", 'no field "C_sigma_r"'),
}
"""Answers that travel but cannot be read: the body, and what the judge says."""

HEAD = """
import os, sys
import numpy as np
from ptum.checks.judge.capabilities.transfer.widths import four_constants as widths

with open("starts", "a") as file:
    file.write("once more\\n")
held = os.open("held", os.O_CREAT | os.O_WRONLY)

def more(fields):
    return more(fields)
"""


def body_of(name: str) -> str:
    if name in BEHAVIOURS:
        return BEHAVIOURS[name][0]
    return ALLOWED[name] if name in ALLOWED else UNREADABLE[name][0]


def module_of_all(names: list[str]) -> str:
    """A subject that behaves in another way at every call."""
    text = HEAD
    for name in names:
        lines = "".join(f"    {line}\n" for line in body_of(name).splitlines())
        text += f"def {name.replace('-', '_')}(fields):\n{lines}"
    listed = ", ".join(name.replace("-", "_") for name in names)
    return text + (
        f"BEHAVIOURS = iter([{listed}])\n"
        "class Subject:\n"
        "    def widths(self, **fields):\n"
        "        return next(BEHAVIOURS)(fields)\n"
        "subject = Subject()\n"
    )


@pytest.fixture(scope="module")
def behaved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Exchange]:
    """One conversation with one process, in which all behaviours are seen."""
    names = [*BEHAVIOURS, *ALLOWED, *UNREADABLE]
    directory = tmp_path_factory.mktemp("subject")
    (directory / "several.py").write_text(module_of_all(names))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        _, exchanges = hosted("several", wanted=CASES[: len(names)])
    assert len(noted(directory, "starts")) == 1
    return dict(zip(names, exchanges, strict=True))


def hosted(
    subject: str, limits: Limits | None = None, wanted: tuple[str, ...] = CASES[:3]
) -> tuple[TranscriptHeader, list[Exchange]]:
    command = [sys.executable, "-m", "ptum.checks.judge.programs.host", subject]
    return conversation(command, limits or Limits()).run((), wanted)


def told(exchange: Exchange) -> Judgement:
    return judge_capability(WIDTHS, [exchange])


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_a_failing_call_costs_its_request_and_says_why(
    behaved: dict[str, Exchange], name: str
) -> None:
    _, kind, message = BEHAVIOURS[name]
    fault = behaved[name].fault
    assert fault is not None
    assert fault.kind == kind
    assert message in fault.message
    assert (kind == "raised") is fault.message.startswith("several.py, line "), "its own line"
    assert not FAULTS[kind][1], "the page tells that the program goes on, and so it did"
    assert told(behaved[name]).verdict is Conformity.ERRORED


@pytest.mark.parametrize("name", ALLOWED)
def test_what_a_subject_does_besides_does_not_matter(
    behaved: dict[str, Exchange], name: str
) -> None:
    assert behaved[name].fault is None
    assert told(behaved[name]).verdict is Conformity.CONFORMS


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_answer_of_the_wrong_form_is_errored_and_named(
    behaved: dict[str, Exchange], name: str
) -> None:
    assert behaved[name].answer is not None
    judgement = told(behaved[name])
    assert judgement.verdict is Conformity.ERRORED
    assert judgement.fault is not None
    assert judgement.fault.kind == "malformed"
    shape = list(array(behaved[name].input, "N").shape)  # a list, as JSON has it
    assert UNREADABLE[name][1].format(shape=shape) in judgement.fault.message


# The host itself, with a judge that is written down


def spoken(subject: object, *messages: FromJudge) -> list[dict[str, object]]:
    """What the host says to these messages, after which the judge is gone."""
    said = io.BytesIO()
    serve(lambda: subject, Pipe(io.BytesIO(b"".join(map(encode, messages))), said))
    return [json.loads(line) for line in said.getvalue().splitlines()]


class Stubborn:
    """It goes on whatever happens to its queries."""

    def ptum(self, sample: Callable[[int, int], object], **_: object) -> None:
        with contextlib.suppress(Exception):
            sample(0, 0)


def test_no_subject_goes_on_when_the_judge_is_gone() -> None:
    case = next(iter(capabilities()["ptum"].cases(0)))
    with pytest.raises(HungUpError, match="the judge did not answer with a sample"):
        spoken(Stubborn(), StartMessage(), Request(case.id, "ptum", case.input))


def test_a_sample_that_nobody_asked_for_ends_the_host() -> None:
    with pytest.raises(HungUpError, match="nobody asked for"):
        spoken(Stubborn(), StartMessage(), SampleMessage(0.0, 0))


class Undefined:
    """A report of a task with a number that is none, deep inside."""

    def sequential(self, **_: object) -> object:
        return {"tasks": [{"errors": [0.0, float("nan")]}]}


def test_what_is_no_number_is_found_however_deep_it_is() -> None:
    case = next(iter(capabilities()["sequential"].cases(0)))
    _, said = spoken(Undefined(), StartMessage(), Request(case.id, "sequential", case.input))
    assert (said["type"], said["kind"]) == ("failure", "malformed")
    assert said["message"] == "tasks holds NaN"


def test_a_subject_may_be_an_attribute_of_an_attribute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert subject_of("json:decoder.JSONDecodeError.__name__") == "JSONDecodeError"


@pytest.mark.parametrize(
    ("listed", "claimed"),
    [
        (["widths"], ["widths"]),
        (("widths",), ["widths"]),
        ({"widths"}, ["widths"]),
        ([], []),
        ("widths", ["ptum"]),
        (None, ["ptum"]),
    ],
)
def test_a_list_of_capabilities_stands_for_the_methods(listed: object, claimed: list[str]) -> None:
    subject = Stubborn()
    vars(subject)["capabilities"] = listed
    (ready,) = spoken(subject, StartMessage())
    assert (ready["type"], ready["capabilities"]) == ("ready", claimed)


# Subjects that take their process with them


def write(directory: Path, text: str) -> None:
    (directory / "mine.py").write_text(HEAD + text)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


SECOND = """
class Subject:
    def widths(self, **fields):
        return {special} if fields["k"] == 2 and fields["N"].sum() == 4 else widths(**fields)
subject = Subject()
"""


@pytest.mark.parametrize(
    ("special", "kind", "message"),
    [
        ("os.abort()", "ended", "was killed by signal 6 (SIGABRT)"),
        ("__import__('signal').pause()", "hangs", "no message within 4 s"),
    ],
)
def test_a_crash_or_hang_costs_one_request(
    here: Path, special: str, kind: str, message: str
) -> None:
    write(here, SECOND.format(special=special))
    _, exchanges = hosted("mine:subject", Limits(message=4.0))
    assert [exchange.fault is None for exchange in exchanges] == [True, False, True]
    fault = exchanges[1].fault
    assert fault is not None
    assert fault.kind == kind
    assert message in fault.message
    assert all_ended(here)


GROWS = """
def grow():
    os.set_inheritable(held, True)
    if os.fork() == 0:
        os.setsid()
        os.execve(sys.executable, [sys.executable, "-c", "import signal; signal.pause()"], {})
    large = [bytes([piece]) * 2**24 for piece in range(64)]
    __import__("signal").pause()
"""


def test_memory_and_children_of_an_object_are_limited_as_those_of_a_program(here: Path) -> None:
    write(here, GROWS + SECOND.format(special="grow()"))
    _, exchanges = hosted("mine:subject", Limits(memory=256))
    assert [exchange.fault is None for exchange in exchanges] == [True, False, True]
    fault = exchanges[1].fault
    assert fault is not None
    assert (fault.kind, fault.message) == ("too-large", "used more than 256 MiB of memory")
    assert len(noted(here, "starts")) == 2
    assert all_ended(here)


def test_capabilities_that_it_claims_but_lacks_are_errored(here: Path) -> None:
    write(here, "class Subject:\n    capabilities = ['widths', 'magic']\n    widths = 3\n")
    header, exchanges = hosted("mine:Subject")
    assert header.capabilities == ("widths", "magic")
    kinds = {e.capability: e.fault.kind for e in exchanges if e.fault is not None}
    assert kinds == {"widths": "no-method", "magic": "unknown-capability"}
    assert told(exchanges[0]).verdict is Conformity.ERRORED


def test_what_it_lacks_without_claiming_it_is_not_asked(here: Path) -> None:
    write(here, "class Subject:\n    name = 7\n    def other(self): ...\nsubject = Subject()\n")
    header, exchanges = hosted("mine")
    assert (header.name, header.language, header.capabilities) == ("7", "Python", ())
    assert exchanges == []


@pytest.mark.parametrize(
    ("name", "case", "place", "asked"),
    [
        ("ptum", "ptum/three-arms-0", "0, 1", (0, 0, 1)),
        ("sequential", "sequential/swap", "2, 0, 1", (2, 0, 1)),
    ],
)
def test_samples_are_those_of_the_judge(
    here: Path, name: str, case: str, place: str, asked: tuple[int, int, int]
) -> None:
    body = f"    def {name}(self, sample, **fields):\n        raise ValueError(sample({place}))\n"
    write(here, f"class Subject:\n{body}")
    _, (exchange,) = hosted("mine:Subject", wanted=(case,))
    (query,) = exchange.queries
    assert (query.h, query.s, query.a) == asked
    assert exchange.fault is not None
    assert exchange.fault.message.endswith(f"ValueError: ({query.reward}, {query.successor})")


@pytest.mark.parametrize(
    ("name", "place", "problem"),
    [
        ("ptum", (0,), "TypeError: sample() missing 1 required positional argument: 'a'"),
        ("sequential", (0, 1), "TypeError: sample() missing 1 required positional argument: 'a'"),
        ("ptum", (0, 0.5), "a query of 0, 0, 0.5: tasks, states, actions are integers"),
    ],
)
def test_samples_are_asked_for_as_documented(
    name: str, place: tuple[float, ...], problem: str
) -> None:
    capability = capabilities()[name]
    case = next(iter(capability.cases(0)))
    exchange = ask(capability, case, lambda sample, **_: sample(*place))
    assert exchange.queries == ()
    assert exchange.fault is not None
    assert exchange.fault.message.endswith(problem)


def test_a_query_that_cannot_be_answered_ends_the_request(here: Path) -> None:
    text = """
class Subject:
    def ptum(self, sample, **fields):
        sample(0, 1)
        sample(0, 7)
subject = Subject()
"""
    write(here, text)
    _, (exchange,) = hosted("mine", wanted=("ptum/three-arms-0",))
    assert exchange.fault is not None
    assert exchange.fault.kind == "impossible-query"
    assert [(asked.s, asked.a) for asked in exchange.queries] == [(0, 1)]
    assert all_ended(here)


@pytest.mark.parametrize(
    ("subject", "text", "message"),
    [
        ("nowhere:subject", "", "ModuleNotFoundError: No module named 'nowhere'"),
        (
            "mine:absent",
            "",
            "AttributeError: module 'mine' has no attribute 'absent'; give MODULE:OBJECT",
        ),
        (
            "mine",
            "",
            "AttributeError: module 'mine' has no attribute 'subject'; give MODULE:OBJECT",
        ),
        ("mine", "import another\n", "ModuleNotFoundError: No module named 'another'"),
        ("mine", "def broken(:\n", "SyntaxError"),
        ("mine", "sys.exit('not today')\n", "SystemExit: not today"),
        ("mine:S", "class S:\n    def __init__(self, x): ...\n", "TypeError"),
        (
            "mine:S",
            "class S:\n    @property\n    def capabilities(self): raise OSError('offline')\n",
            "OSError: offline",
        ),
    ],
)
def test_a_subject_that_cannot_be_loaded(here: Path, subject: str, text: str, message: str) -> None:
    write(here, text)
    with pytest.raises(FaultError) as caught:
        hosted(subject)
    fault: Fault = caught.value.fault
    assert (fault.kind == "unknown-subject") is (not text)
    assert fault.kind in ("unknown-subject", "no-subject")
    assert message in fault.message


@pytest.mark.parametrize(
    ("file", "here_it_is"),
    [
        ("harness.pl", ""),
        ("./harness", ""),
        ("mine.py", ", here mine:OBJECT from its folder"),
        ("./mine.py", ", here mine:OBJECT from its folder"),
    ],
)
def test_a_file_is_no_object(here: Path, file: str, here_it_is: str) -> None:
    write(here, "")
    (here / file).touch()
    with pytest.raises(FaultError) as caught:
        hosted(file)
    text = "is a file: a program is judged with --command, an object is MODULE:OBJECT"
    assert caught.value.fault.message == f"{text}{here_it_is}"
