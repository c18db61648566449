"""Programs that misbehave: a clear fault for each, the others are judged, nothing is left over."""

from __future__ import annotations

import contextlib
import gc
import math
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptum.checks.judge.capabilities import capabilities
from ptum.checks.judge.judging.readings import Case
from ptum.checks.judge.judging.verdicts import Conformity, judge_capability, tried_alone
from ptum.checks.judge.messages.protocol import DEEPEST, QUOTED, NoMessageError, decode, quoted
from ptum.checks.judge.messages.transcript import Exchange, Fault
from ptum.checks.judge.programs import process as judged_process
from ptum.checks.judge.programs import process_tree, sandbox
from ptum.checks.judge.programs.asking import PATIENCE, Conversation
from ptum.checks.judge.programs.process import (
    CHUNK,
    KEPT_OF_STDERR,
    FaultError,
    Kept,
    Limits,
    Program,
)
from ptum.checks.judge.programs.process_tree import Process, ProcessTree, adopting, processes
from ptum.checks.judge.results.pages import FAULTS
from tests.checks.judge.support.programs import (
    BAD,
    CASES,
    all_ended,
    asked,
    conversation,
    ends,
    granted,
    holders,
    noted,
    program,
    stumbling,
)

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="whether a process is gone is asked of Linux"
)

WIDTHS = capabilities()["widths"]
LONG = 2_000_000
"""A limit of the line's length that is many chunks away."""


@pytest.fixture(autouse=True)
def nothing_left_over(tmp_path: Path) -> Iterator[None]:
    """Whatever a test does, its programs are gone afterwards."""
    yield
    assert all_ended(tmp_path)


def fault_at_start(command: str | list[str], limits: Limits | None = None) -> Fault:
    with pytest.raises(FaultError) as caught:
        conversation(command, limits or Limits()).run((), CASES)
    return caught.value.fault


def fault_of(exchange: Exchange) -> Fault:
    assert exchange.fault is not None
    return exchange.fault


# A program that behaves


LISTENS = """
def receive():
    line = sys.stdin.readline()
    note("heard", line.rstrip())
    return json.loads(line)
"""


def test_a_good_program_is_told_to_stop_and_does(tmp_path: Path) -> None:
    header, exchanges = asked(program(tmp_path, LISTENS))
    assert header.capabilities == ("widths",)
    assert judge_capability(WIDTHS, list(exchanges.values())).verdict is Conformity.CONFORMS
    heard = noted(tmp_path, "heard")
    assert heard[0] == '{"type":"start","protocol":"ptum-stdio/1"}'
    assert heard[-1] == '{"type":"stop"}'
    assert len(heard) == 2 + len(CASES)
    assert noted(tmp_path, "goodbye") == ["stop"], "it is not killed before"
    assert len(noted(tmp_path, "starts")) == 1


def test_a_program_has_the_environment_and_the_directory_of_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OF_THE_USER", "kept")
    monkeypatch.chdir(tmp_path)
    tells = "note('seen', os.environ['OF_THE_USER'])\nnote('seen', os.getcwd())"
    asked(program(tmp_path, tells), wanted=[BAD])
    assert noted(tmp_path, "seen") == ["kept", str(tmp_path)]


def test_how_a_program_introduces_itself_is_fit_to_print(tmp_path: Path) -> None:
    loud = """
ready = greet
def greet():
    ready(name="\33[2J", version="v" * 1000, language="\u202ecod")
"""
    header, _ = asked(program(tmp_path, loud))
    assert (header.name, header.language) == ("\\x1b[2J", "\\u202ecod")
    assert header.version == "v" * QUOTED + " …"


def test_the_end_of_the_input_is_all_that_a_program_needs_to_stop(tmp_path: Path) -> None:
    deaf = "def goodbye():\n    sys.stdin.read()\n    note('goodbye', 'end')\n"
    asked(program(tmp_path, deaf))
    assert noted(tmp_path, "goodbye") == ["end"]


@pytest.mark.parametrize(
    "goodbye",
    [
        "hang()",
        "while True: print('no')",
        "while True: sys.stderr.write('no')",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); hang()",
    ],
)
def test_a_program_that_does_not_stop_is_stopped(tmp_path: Path, goodbye: str) -> None:
    _, exchanges = asked(program(tmp_path, f"def goodbye():\n    {goodbye}\n"))
    assert all(exchange.answer for exchange in exchanges.values())


def test_what_is_said_after_the_goodbye_is_not_kept(tmp_path: Path) -> None:
    flood = "def goodbye():\n    while True:\n        os.write(1, bytes(10**6))\n"
    with Program(program(tmp_path, flood), Limits()) as running:
        running.introduce()
        tracemalloc.start()
        try:
            running.end()
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < 64 * CHUNK, "far less than a second of output"


def test_a_line_may_arrive_in_pieces(tmp_path: Path) -> None:
    pieces = """
text = json.dumps(right(request)) + "\\r\\n"
for letter in text:
    sys.stdout.write(letter)
    sys.stdout.flush()
"""
    _, exchanges = asked(stumbling(tmp_path, pieces))
    assert all(exchange.answer for exchange in exchanges.values())


def test_standard_error_is_read_whatever_its_size(tmp_path: Path) -> None:
    noisy = """
for _ in range(30):
    sys.stderr.write("x" * 1_000_000)
send(right(request))
"""
    _, exchanges = asked(stumbling(tmp_path, noisy))
    assert all(exchange.answer for exchange in exchanges.values())


def test_its_own_failures_do_not_end_the_conversation(tmp_path: Path) -> None:
    fails = 'send({"type": "failure", "id": BAD, "message": "no idea", "kind": "hangs"})'
    _, exchanges = asked(stumbling(tmp_path, fails))
    fault = fault_of(exchanges[BAD])
    assert (fault.kind, fault.message) == ("hangs", "no idea")
    assert len(noted(tmp_path, "starts")) == 1


@pytest.mark.parametrize(
    ("kind", "message", "fault"),
    [
        ("", "", ("raised", "the program does not say why")),
        ("given-up", "no", ("raised", "no")),
        ("\33[2J", "\33[2J\u202e", ("\\x1b[2J", "\\x1b[2J\\u202e")),
        ("k" * 1000, "m" * 1000, ("k" * 40 + " …", "m" * 200 + " …")),
    ],
)
def test_whatever_a_failure_says_can_be_shown(
    tmp_path: Path, kind: str, message: str, fault: tuple[str, str]
) -> None:
    """Also where it is the first message; `given-up` would tell that nothing had been asked."""
    said = f"message={message!r}, kind={kind!r}"
    body = f"send(dict(type='failure', id=BAD, {said}))"
    _, exchanges = asked(stumbling(tmp_path, body), wanted=[BAD])
    found = fault_of(exchanges[BAD])
    assert (found.kind, found.message) == fault
    at_once = f"greet = lambda: send(dict(type='failure', id='start', {said}))"
    found = fault_at_start(program(tmp_path, at_once))
    assert (found.kind, found.message) == fault


def test_fields_that_nobody_asked_for_are_malformed(tmp_path: Path) -> None:
    more = 'found = right(request)\nfound["answer"] |= {"C_q": 1, "\33": 2}\nsend(found)'
    _, exchanges = asked(stumbling(tmp_path, more))
    fault = fault_of(exchanges[BAD])
    assert (fault.kind, fault.message) == (
        "malformed",
        "unknown fields \\x1b, C_q; known are C_r, C_p, C_sigma_r, C_sigma_p",
    )
    assert len(noted(tmp_path, "starts")) == 1


# Faults at the start


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/no/such/program --stdio", "cannot start '/no/such/program': No such file"),
        ("MODE=1 /no/such/program", "no shell is used: write sh -c '…'"),
        ("/no/such/program | tee log", "no shell is used: write sh -c '…'"),
        ("/no/such/program && true", "no shell is used: write sh -c '…'"),
        ("/no/such/program; true", "no shell is used: write sh -c '…'"),
        ("/no/such/program < in", "no shell is used: write sh -c '…'"),
        ("/no/such/program > out", "no shell is used: write sh -c '…'"),
        ("", "the command is empty"),
        ("'unbalanced", "the command cannot be split: No closing quotation"),
        (["nul\0byte"], "embedded null byte"),
        ("/", "cannot start '/': Permission denied"),
    ],
)
def test_a_program_that_cannot_be_started(command: str | list[str], message: str) -> None:
    fault = fault_at_start(command)
    assert fault.kind == "not-found"
    assert message in fault.message
    assert not adopting(), "nothing runs, so no orphan is expected"


@pytest.mark.parametrize(
    ("changes", "kind", "message", "last"),
    [
        ("sys.exit('no licence')", "ended", "ended (exit code 1); stderr: no licence", ""),
        ("sys.exit(0)", "ended", "ended (exit code 0)", ""),
        ("print('half a', end=''); sys.exit(7)", "ended", "(exit code 7)", "half a"),
        ("print('Loading …')", "not-a-message", "logs belong on standard error", "Loading …"),
        ("print('\\33[2J{}')", "not-a-message", "JSON", "\\x1b[2J{}"),
        (
            "greet = lambda: print('{}', flush=True)",
            "not-a-message",
            "missing required field `type`",
            "{}",
        ),
        (
            "ready = greet\ngreet = lambda: ready(protocol='ptum-stdio/9')",
            "wrong-protocol",
            "it speaks 'ptum-stdio/9', the judge 'ptum-stdio/1'",
            '{"type": "ready", "protocol": "ptum-stdio/9", "name": "test"',
        ),
        (
            "greet = lambda: send(dict(type='answer', id='', answer={}))",
            "out-of-order",
            "the first message must be `ready`",
            '{"type": "answer", "id": "", "answer": {}}',
        ),
        (
            "greet = lambda: send(dict(type='failure', id='start', message='sorry', kind='shy'))",
            "shy",
            "sorry",
            '"sorry"',
        ),
    ],
)
def test_a_bad_beginning_is_one_fault(
    tmp_path: Path, changes: str, kind: str, message: str, last: str
) -> None:
    fault = fault_at_start(program(tmp_path, changes))
    assert fault.kind == kind
    assert message in fault.message
    assert last in fault.last
    assert bool(fault.last) == bool(last)


def test_capabilities_must_be_a_list_of_names(tmp_path: Path) -> None:
    fault = fault_at_start(program(tmp_path, "CAPABILITIES = 'widths'"))
    assert fault.kind == "not-a-message"
    assert "Expected `array`, got `str` - at `$.capabilities`" in fault.message


def test_a_program_that_never_begins(tmp_path: Path) -> None:
    fault = fault_at_start(program(tmp_path, "greet = hang"), Limits(start=0.5))
    assert (fault.kind, fault.message) == ("hangs", "no message within 0.5 s")


def test_output_without_end_only_blocks_the_program(tmp_path: Path) -> None:
    flood = "while True:\n    print('tick')\n"
    fault = fault_at_start(program(tmp_path, flood))
    assert (fault.kind, fault.last) == ("not-a-message", "tick")


def test_greetings_without_end_are_out_of_order(tmp_path: Path) -> None:
    flood = "def respond(request):\n    while True:\n        greet()\n"
    _, exchanges = asked(program(tmp_path, flood), wanted=[BAD])
    fault = fault_of(exchanges[BAD])
    assert fault.kind == "out-of-order"
    assert '"ready"' in fault.last


# Faults in the middle: the requests before and after are answered

LATIN_1 = """
line = json.dumps(right(request) | {"answer": {"C_r": "Müll"}}, ensure_ascii=False)
os.write(1, line.encode("latin-1") + b"\\n")
"""


@pytest.mark.parametrize(
    ("body", "kind", "message", "last"),
    [
        ("raise SystemExit('out of ideas')", "ended", "stderr: out of ideas", ""),
        ("os.kill(os.getpid(), signal.SIGKILL)", "ended", "killed by signal 9 (SIGKILL)", ""),
        ("os.close(1)\nos.close(0)\nos._exit(5)", "ended", "(exit code 5)", ""),
        ("print('thinking', flush=True)", "not-a-message", "logs belong on", "thinking"),
        ("send([right(request)])", "not-a-message", "Expected `object`, got `array`", "[{"),
        ('print(\'{"type": "answer"\', flush=True)', "not-a-message", "truncated", '"answer"'),
        ("print(flush=True)", "not-a-message", "the line is empty", ""),
        (
            "send(right(request) | {'answer': [1, 2]})",
            "not-a-message",
            "Expected `object`, got `array` - at `$.answer`",
            "[1, 2]",
        ),
        ("send(right(request) | {'id': 4})", "not-a-message", "got `int` - at `$.id`", '"id": 4'),
        ("send(right(request) | {'extra': 4})", "not-a-message", "unknown field `extra`", "C_r"),
        ("send(right(request) | {chr(27): 4})", "not-a-message", "unknown field `\\x1b`", "C_r"),
        ("send(right(request) | {'id': 'other'})", "out-of-order", repr(BAD), '"id": "other"'),
        ("greet()", "out-of-order", repr(BAD), '"type": "ready"'),
        (
            "print(json.dumps(right(request) | {'answer': {'C_r': float('nan')}}), flush=True)",
            "not-a-message",
            "JSON has no NaN",
            "NaN",
        ),
        (
            'print(\'{"type":"answer","id":"x","answer":{"C_r":\' + \'1\' * 5000 + \'}}\')\n'
            "sys.stdout.flush()",
            "not-a-message",
            "Integer value out of range",
            "1111111",
        ),
        (
            'print(\'{"type":"answer","id":"x","answer":{"C_r":[1e999]}}\', flush=True)',
            "not-a-message",
            'infinite numbers are the text "inf" (JSON.stringify writes Infinity and NaN as null)',
            "1e999",
        ),
        (LATIN_1, "not-a-message", "the line is not UTF-8 (byte 65)", '"M\\xfcll"'),
        (
            "print(right(request), flush=True)",
            "not-a-message",
            "JSON is malformed",
            "{'type': 'answer'",
        ),
        (
            'print(\'{"type":"answer","id":"x","answer":{"C_r":\' + \'[\' * 100000)\n'
            "sys.stdout.flush()",
            "not-a-message",
            "recursion",
            "[[[",
        ),
        (
            "nest = 0\nfor _ in range(40):\n    nest = [nest]\n"
            "send(right(request) | {'answer': {'C_r': nest}})",
            "not-a-message",
            "more than 32 deep",
            "[[[",
        ),
        (
            "send(right(request) | {'answer': {'C_r': [[]] * 10_000}})",
            "not-a-message",
            "an answer of more than 10000 entries",
            "[[]",
        ),
        (
            "send(dict(type='query', id=BAD, s=0, a=0))\nreceive()",
            "out-of-order",
            "widths takes no samples",
            '"query"',
        ),
        (
            "send(dict(type='query', id=BAD, s='0', a=0))",
            "not-a-message",
            "Expected `int`, got `str` - at `$.s`",
            '"s": "0"',
        ),
    ],
)
def test_a_fault_in_the_middle_costs_one_request(
    tmp_path: Path, body: str, kind: str, message: str, last: str
) -> None:
    _, exchanges = asked(stumbling(tmp_path, body))
    fault = fault_of(exchanges[BAD])
    assert fault.kind == kind
    assert message in fault.message
    assert last in fault.last
    assert all(exchanges[case].answer for case in CASES if case != BAD)
    assert len(noted(tmp_path, "starts")) == 2
    assert FAULTS[kind][1], "the page tells that the program is started again"
    assert [exchanges[case].before for case in CASES] == [0, 1, 0]
    judgement = judge_capability(WIDTHS, list(exchanges.values()))
    assert judgement.verdict is Conformity.ERRORED
    assert judgement.fault == fault


WEARS_OUT = """
answered = []

def respond(request):
    answered.append(request["id"])
    if len(answered) == 2:
        raise SystemExit("worn out")
    send(right(request))
"""


def test_a_crash_that_needs_the_requests_before_it_is_told_from_one_that_does_not(
    tmp_path: Path,
) -> None:
    """The second request is answered when a fresh program gets it alone."""
    talk = conversation(program(tmp_path, WEARS_OUT), Limits())
    _, exchanges = talk.run((), CASES)
    judgement = judge_capability(WIDTHS, exchanges)
    assert judgement.fault is not None
    assert judgement.fault.kind == "ended"
    assert tried_alone(WIDTHS, judgement, talk.alone).answered_alone is True
    assert len(noted(tmp_path, "starts")) == 3
    always = tmp_path / "always"
    always.mkdir()
    talk = conversation(stumbling(always, "os._exit(5)"), Limits())
    _, exchanges = talk.run((), CASES)
    judgement = judge_capability(WIDTHS, exchanges)
    assert tried_alone(WIDTHS, judgement, talk.alone).answered_alone is False
    assert all_ended(always)


def test_the_first_request_of_a_program_is_not_tried_again(tmp_path: Path) -> None:
    talk = conversation(stumbling(tmp_path, "os._exit(5)"), Limits())
    _, exchanges = talk.run((), [BAD])
    judgement = judge_capability(WIDTHS, exchanges)
    assert judgement.fault is not None
    assert tried_alone(WIDTHS, judgement, talk.alone).answered_alone is None
    assert len(noted(tmp_path, "starts")) == 1


@pytest.mark.parametrize(
    ("limits", "starts"), [(Limits(restarts=1), 1), (Limits(restarts=2), 2), (Limits(run=0.0), 1)]
)
def test_nothing_is_tried_again_when_the_limits_are_used_up(
    tmp_path: Path, limits: Limits, starts: int
) -> None:
    """A retry that breaks down counts like any other breakdown."""
    talk = conversation(stumbling(tmp_path, "os._exit(5)"), limits)
    talk.run((), CASES[:2])
    assert (talk.alone(WIDTHS, BAD) is None) is (starts == 1)
    assert talk.alone(WIDTHS, BAD) is None
    assert len(noted(tmp_path, "starts")) == starts


def test_a_drawn_case_is_put_again_with_its_seed(tmp_path: Path) -> None:
    talk = Conversation(program(tmp_path, ""), Limits(), 3, lambda _: None)
    drawn = next(case for case in WIDTHS.cases(3) if "/drawn-" in case.id)
    again = talk.alone(WIDTHS, drawn.id)
    assert again is not None
    assert (again.input, again.alone) == (drawn.input, True)
    assert again.answer is not None


REFUSES_ONCE = """
def respond(request):
    if request["id"] == BAD:
        os._exit(1)
    send(dict(type="failure", id=request["id"], message="not yet"))
"""


def test_only_the_last_request_counts_as_refused(tmp_path: Path) -> None:
    cases = {case.id: case for case in WIDTHS.cases(0)}
    with Program(program(tmp_path, REFUSES_ONCE), Limits()) as running:
        running.introduce()
        refused = []
        for name in CASES[:2]:
            running.ask(WIDTHS, cases[name])
            refused.append(running.refused)
    assert refused == [True, False]


def test_of_long_complaints_the_beginning_and_the_end_are_shown() -> None:
    kept = Kept(KEPT_OF_STDERR)
    for part in (b"TypeError: first\n", b"x" * 10_000, b"y" * 10_000, b"\nat last"):
        kept.add(part)
    assert kept.shown.startswith("TypeError: first\\nxx")
    assert " … " in kept.shown
    assert kept.shown.endswith("y\\nat last")
    assert len(kept.shown) < 3 * QUOTED
    assert len(kept.head) == len(kept.tail) == KEPT_OF_STDERR, "the rest is forgotten"
    short = Kept(KEPT_OF_STDERR)
    short.add(b"all of it\n")
    assert short.shown == "all of it"


def test_letters_of_complaints_are_not_cut_in_two() -> None:
    kept = Kept(KEPT_OF_STDERR)
    kept.add(("x" + "ü" * 1000).encode())
    assert kept.shown == "x" + "ü" * (QUOTED - 1) + " … " + "ü" * QUOTED


def assert_last_words_are_heard(fault: Fault) -> None:
    assert fault.kind == "ended"
    assert fault.message.startswith("the program ended (exit code 5); stderr: xxx")
    assert fault.message.endswith("at last")


AFTER_CLOSING = """
os.close(1)
os.write(2, b"x" * 2**19 + b"at last")
os._exit(5)
"""


def test_the_last_words_are_heard_though_the_output_is_closed_before(tmp_path: Path) -> None:
    _, exchanges = asked(stumbling(tmp_path, AFTER_CLOSING), wanted=[BAD])
    assert_last_words_are_heard(fault_of(exchanges[BAD]))


IN_THE_PIPE = """
import fcntl
fcntl.fcntl(2, fcntl.F_SETPIPE_SZ, 2**20)
os.write(2, b"x" * 2**19 + b"at last")
open(os.path.join(here, "spoken"), "w")
os._exit(5)
"""


def test_the_last_words_are_heard_however_much_waits_in_the_pipe_before_them(
    tmp_path: Path,
) -> None:
    """The program is gone before anybody reads."""
    spoken = tmp_path / "spoken"
    os.mkfifo(spoken)
    with Program(program(tmp_path, IN_THE_PIPE), Limits()) as running:
        spoken.open().close()  # waits until it is opened at the other end
        assert all_ended(tmp_path)
        with pytest.raises(FaultError) as caught:
            running.introduce()
    assert_last_words_are_heard(caught.value.fault)


def test_answering_twice_is_noticed_at_the_next_request_or_at_the_end(tmp_path: Path) -> None:
    _, exchanges = asked(program(tmp_path, "def respond(r):\n    send(right(r)); send(right(r))"))
    first, second, third = (exchanges[case] for case in CASES)
    assert first.answer is not None
    fault = fault_of(second)
    assert fault.kind == "out-of-order"
    assert f"{first.id!r}, which was answered before, does not belong to" in fault.message
    assert first.id in fault.last
    fault = fault_of(third)
    assert (fault.kind, third.answer) == ("out-of-order", None)
    assert fault.message == f"one more message of {third.id!r}, which was answered before"
    assert third.id in fault.last


BEHIND_A_LONG_LINE = """
found = json.dumps(right(request)).encode() + b"\\n"
os.write(1, b" " * 2**17 + found + found)
"""


def test_a_line_that_arrives_with_the_end_of_a_long_one_is_found(tmp_path: Path) -> None:
    """The long one does not fit into a pipe, so that its beginning is read alone."""
    _, exchanges = asked(stumbling(tmp_path, BEHIND_A_LONG_LINE))
    assert exchanges[BAD].answer is not None
    assert fault_of(exchanges[CASES[2]]).kind == "out-of-order"


@pytest.mark.parametrize(
    ("body", "noticed"),
    [
        ("found = right(r); send(found)", False),
        ("found = right(r); send(found); print('done', flush=True)", False),
        ("found = right(r); send(found); send(found)", True),
        ("found = right(r); send(found); send(dict(found, id='another'))", False),
    ],
    ids=["once", "a-log", "twice", "of-another"],
)
def test_a_second_answer_to_the_last_request(tmp_path: Path, body: str, noticed: bool) -> None:
    """No request follows at which it is out of place; other words are then addressed to nobody."""
    command = program(tmp_path, f"def respond(r):\n    {body}")
    _, exchanges = asked(command, wanted=CASES[:1])
    assert (exchanges[CASES[0]].fault is not None) == noticed
    again = conversation(command, Limits()).alone(capabilities()["widths"], CASES[0])
    assert again is not None
    assert (again.fault is not None) == noticed


LEAVES = """
import fcntl
def respond(request):
    fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 2**20)
    send(right(request))
    os.write(1, b" " * 2**17 + json.dumps(right(request)).encode() + b"\\n")
    os._exit(0)
"""


def test_a_second_answer_is_noticed_though_the_program_is_gone(tmp_path: Path) -> None:
    """However long it is, as long as it is a line."""
    (case,) = (case for case in WIDTHS.cases(0) if case.id == BAD)
    with Program(program(tmp_path, LEAVES), Limits()) as running:
        running.introduce()
        assert running.ask(WIDTHS, case).answer is not None
        assert all_ended(tmp_path)
    assert running.repeated.startswith("   ")


def test_a_second_answer_is_told_of_its_request_though_others_were_given_up(tmp_path: Path) -> None:
    def time_is_over(_: str) -> None:
        talk._over = 0.0

    command = program(tmp_path, "def respond(r):\n    send(right(r)); send(right(r))")
    talk = Conversation(command, Limits(), 0, time_is_over)
    _, exchanges = talk.run((), CASES)
    assert [fault_of(one).kind for one in exchanges] == ["out-of-order", "given-up", "given-up"]


def test_last_words_about_nothing_are_not_taken_for_a_second_answer(tmp_path: Path) -> None:
    nameless = "def goodbye():\n    send(dict(type='failure', id='', message='bye'))"
    _, exchanges = asked(program(tmp_path, nameless), wanted=["policy_value/none"])
    assert exchanges == {}


def test_a_program_that_hangs_is_started_again(tmp_path: Path) -> None:
    _, exchanges = asked(stumbling(tmp_path, "hang()"), Limits(message=3.0))
    fault = fault_of(exchanges[BAD])
    assert (fault.kind, fault.message) == ("hangs", "no message within 3 s")
    assert CASES[0] in fault.last, "the last line seen is the answer before"
    assert all(exchanges[case].answer for case in CASES if case != BAD)


def test_a_request_has_an_end_too(tmp_path: Path) -> None:
    asks = "while True:\n    send(dict(type='query', id=request['id'], s=0, a=0))\n    receive()\n"
    command = program(
        tmp_path,
        "CAPABILITIES = ['ptum']\ndef respond(request):\n"
        + "".join(f"    {line}\n" for line in asks.splitlines()),
    )
    limits = Limits(request=1.0, samples=10**9)  # more than there is time for
    _, exchanges = asked(command, limits, ["ptum/three-arms-0"])
    fault = fault_of(exchanges["ptum/three-arms-0"])
    assert (fault.kind, fault.message) == ("hangs", "no answer within 1 s")
    assert '"query"' in fault.last


def test_what_a_program_complains_of_before_it_hangs_is_told(tmp_path: Path) -> None:
    body = "sys.stderr.write('no licence\\33')\nsys.stderr.flush()\nhang()"
    _, exchanges = asked(stumbling(tmp_path, body), Limits(message=1.0), [BAD])
    text = "no message within 1 s; stderr: no licence\\x1b"
    assert fault_of(exchanges[BAD]).message == text


def test_a_line_that_arrives_for_ever_letter_by_letter(tmp_path: Path) -> None:
    drip = "while True:\n    os.write(1, b'z')\n"
    limits = Limits(message=1.0, line=10**9)
    _, exchanges = asked(stumbling(tmp_path, drip), limits, [BAD])
    fault = fault_of(exchanges[BAD])
    assert fault.kind == "hangs"
    assert "bytes without the end of the line" in fault.message
    assert fault.last.startswith("z")


def test_a_line_above_the_limit_is_never_held(tmp_path: Path) -> None:
    endless = "while True:\n    sys.stdout.write('y' * 1_000_000)\n"
    command = stumbling(tmp_path, endless)
    tracemalloc.start()
    try:
        _, exchanges = asked(command, Limits(line=LONG), [BAD])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    fault = fault_of(exchanges[BAD])
    assert (fault.kind, fault.message) == ("too-long", f"a line of more than {LONG} bytes")
    assert fault.last.startswith("yyy")
    # Growing a buffer takes at most an eighth more than its length, and moving it the same again.
    assert peak < 2.5 * LONG + 16 * CHUNK


def test_a_whole_line_above_the_limit_is_refused_too(tmp_path: Path) -> None:
    """It arrives at once, with its end: pipes do not divide so little."""
    body = "send(right(request) | {'id': 'x' * 3000})"
    _, exchanges = asked(stumbling(tmp_path, body), Limits(line=2000))
    fault = fault_of(exchanges[BAD])
    assert fault.kind == "too-long"
    assert fault.last.endswith(" …")
    assert exchanges[CASES[2]].answer is not None


PADDED = """
def respond(request):
    line = json.dumps(dict(type="failure", id=request["id"], message="long"))
    {say}
"""


@pytest.mark.parametrize(
    ("say", "kind"),
    [
        ("print(line.ljust(999), flush=True)", "raised"),
        ("print(line.ljust(1000), flush=True)", "too-long"),
        ("print(line.ljust(1000), end='', flush=True); hang()", "too-long"),
    ],
    ids=["as-long-as-it-may-be", "longer", "longer-when-it-ends"],
)
def test_the_end_of_a_line_counts_among_its_bytes(tmp_path: Path, say: str, kind: str) -> None:
    _, exchanges = asked(program(tmp_path, PADDED.format(say=say)), Limits(line=1000), [BAD])
    assert fault_of(exchanges[BAD]).kind == kind


BIG = Case("widths/big", {"N": [0] * 500_000})
"""A request that no pipe holds."""

SPEAKS_FIRST = """
def receive():
    print("what?", flush=True)
    open(os.path.join(here, "spoken"), "w")
    hang()
"""

COMPLAINS_FIRST = """
read = receive
def receive():
    sys.stderr.write("x" * 1_000_000)
    return read()
def respond(request):
    send({"type": "failure", "id": request["id"], "message": "understood"})
"""


def test_a_program_that_does_not_read(tmp_path: Path) -> None:
    spoken = tmp_path / "spoken"
    os.mkfifo(spoken)
    with Program(program(tmp_path, SPEAKS_FIRST), Limits(message=0.5)) as running:
        spoken.open().close()  # waits until it is opened at the other end
        exchange = running.ask(WIDTHS, BIG)
    assert exchange.fault == Fault("hangs", "it does not read: 0.5 s for one line", "what?")


READS_SLOWLY = """
def receive():
    line = bytearray()
    while not line.endswith(b"\\n"):
        line += os.read(0, 1)
    return json.loads(line)
"""


def test_a_program_that_reads_too_slowly(tmp_path: Path) -> None:
    """A megabyte in a million calls of the system, none of which takes less than 100 ns."""
    with Program(program(tmp_path, READS_SLOWLY), Limits(message=0.1)) as running:
        running.introduce()
        exchange = running.ask(WIDTHS, BIG)
    assert fault_of(exchange).message == "it does not read: 0.1 s for one line"


@pytest.mark.parametrize("seconds", [10.0, math.inf])
def test_standard_error_is_read_while_a_request_is_written(tmp_path: Path, seconds: float) -> None:
    limits = Limits(message=seconds, request=max(120.0, seconds))
    with Program(program(tmp_path, COMPLAINS_FIRST), limits) as running:
        running.introduce()
        assert fault_of(running.ask(WIDTHS, BIG)).message == "understood"


def test_a_program_that_closes_its_input_can_still_be_understood(tmp_path: Path) -> None:
    body = "os.close(0)\nsend(right(request))\nos._exit(3)"
    _, exchanges = asked(stumbling(tmp_path, body))
    assert exchanges[BAD].answer is not None
    assert fault_of(exchanges[CASES[2]]).kind == "ended"


# Samples


def sampling(tmp_path: Path, query: str) -> list[str]:
    body = f"def respond(request):\n    while True:\n        send({query})\n        receive()\n"
    return program(tmp_path, f"CAPABILITIES = ['ptum']\n{body}")


@pytest.mark.parametrize("task", [7, 1, -1, 10**30])
def test_a_single_task_has_no_number(tmp_path: Path, task: int) -> None:
    command = sampling(tmp_path, f"dict(type='query', id=request['id'], s=0, a=0, h={task})")
    _, exchanges = asked(command, wanted=["ptum/three-arms-0"])
    fault = fault_of(exchanges["ptum/three-arms-0"])
    assert fault.kind == "impossible-query"
    assert fault.message == f"h: there is a single task: h is 0 or left out (found {task})"


@pytest.mark.parametrize("pair", ["s=5, a=0", "s=0, a=-1", "s=-1, a=0", "s=10**30, a=0"])
def test_a_query_of_a_pair_that_does_not_exist(tmp_path: Path, pair: str) -> None:
    command = sampling(tmp_path, f"dict(type='query', id=request['id'], {pair})")
    _, exchanges = asked(command, wanted=["ptum/three-arms-0"])
    fault = fault_of(exchanges["ptum/three-arms-0"])
    assert fault.kind == "impossible-query"
    assert "must be a" in fault.message
    assert '"query"' in fault.last


def test_a_query_of_another_request_is_out_of_order(tmp_path: Path) -> None:
    command = sampling(tmp_path, "dict(type='query', id='other', s=0, a=0)")
    _, exchanges = asked(command, wanted=["ptum/three-arms-0"])
    exchange = exchanges["ptum/three-arms-0"]
    assert fault_of(exchange).kind == "out-of-order"
    assert exchange.queries == ()


def test_too_many_samples(tmp_path: Path) -> None:
    command = sampling(tmp_path, "dict(type='query', id=request['id'], s=0, a=0)")
    _, exchanges = asked(command, Limits(samples=5), ["ptum/three-arms-0"])
    exchange = exchanges["ptum/three-arms-0"]
    fault = fault_of(exchange)
    assert (fault.kind, fault.message) == ("too-many", "more than 5 samples")
    assert len(exchange.queries) == 5


# Children


@pytest.fixture(params=["sandboxed", "open"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system grants a sandbox, and where it does not."""
    if request.param == "open":
        monkeypatch.setattr(sandbox, "_in_sandbox", lambda *_: None)
    elif not granted():
        pytest.skip("this system grants no sandbox")


CHILD = """
subprocess.Popen(
    [sys.executable, "-c", "import signal; signal.pause()"], pass_fds=[held], {options}
)
{then}
"""


@pytest.mark.usefixtures("way")
def test_a_program_and_its_children_are_seen_while_they_live(tmp_path: Path) -> None:
    body = CHILD.format(options="start_new_session=True, env={}", then="send(right(request))")
    with Program(stumbling(tmp_path, body), Limits()) as running:
        running.introduce()
        assert len(holders(tmp_path)) == 1
        (case,) = (case for case in WIDTHS.cases(0) if case.id == BAD)
        running.ask(WIDTHS, case)
        assert len(holders(tmp_path)) == 2
    assert all_ended(tmp_path)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("options", ["", "start_new_session=True"])
@pytest.mark.parametrize("then", ["send(right(request))", "raise SystemExit(1)", "os._exit(0)"])
def test_children_are_ended_with_their_program(tmp_path: Path, options: str, then: str) -> None:
    asked(stumbling(tmp_path, CHILD.format(options=options, then=then)), wanted=[BAD])
    assert all_ended(tmp_path)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("place", [(Program, "_wait_for_exit"), (ProcessTree, "end")])
def test_an_interrupt_while_a_program_is_ended_is_obeyed_when_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: tuple[type, str]
) -> None:
    """As when Ctrl-C is pressed twice: the first one ended the conversation."""
    owner, name = place
    usual = getattr(owner, name)
    calls = []

    def interrupted_once(found: object) -> None:
        calls.append(name)
        if len(calls) == 1:
            raise KeyboardInterrupt
        usual(found)

    with Program(program(tmp_path, "def goodbye():\n    hang()\n"), Limits()) as running:
        running.introduce()
        monkeypatch.setattr(owner, name, interrupted_once)
        with pytest.raises(KeyboardInterrupt):
            running.end()
        assert calls
        assert all_ended(tmp_path)


@pytest.mark.usefixtures("way")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_an_interrupt_while_a_program_is_started_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []

    def interrupted(_: ProcessTree, pid: int, **_options: bool) -> None:
        begun.append(pid)
        raise KeyboardInterrupt

    before = set(Path("/proc/self/fd").iterdir())
    monkeypatch.setattr(ProcessTree, "track", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Program(program(tmp_path, ""), Limits())
    assert ends(*begun)
    assert all_ended(tmp_path)
    gc.collect()  # its pipes, which Python closes with a warning
    assert set(Path("/proc/self/fd").iterdir()) == before


@pytest.mark.parametrize(
    "options", ["env={}", "start_new_session=True"], ids=["by its group", "by its mark"]
)
def test_children_are_ended_where_descendants_are_not_to_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    """Without a table of processes: those in the group, and those that carry the mark."""
    monkeypatch.setattr(process_tree.ProcessTree, "members", lambda _: [])
    monkeypatch.setattr(process_tree, "adopting", lambda _: False)
    monkeypatch.setattr(sandbox, "_in_sandbox", lambda *_: None)
    asked(stumbling(tmp_path, CHILD.format(options=options, then="os._exit(0)")), wanted=[BAD])
    assert all_ended(tmp_path)


@pytest.mark.usefixtures("way")
def test_a_child_that_keeps_the_pipes_does_not_keep_the_judge(tmp_path: Path) -> None:
    body = CHILD.format(options="start_new_session=True", then="send(right(request))\nos._exit(0)")
    _, exchanges = asked(stumbling(tmp_path, body))
    assert exchanges[BAD].answer is not None
    assert fault_of(exchanges[CASES[2]]).kind == "ended"


ESCAPE = """
read, write = os.pipe()
os.set_inheritable(held, True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sys.executable, [sys.executable, "-c", "import signal; signal.pause()"], {{}})
    os._exit(0)
os.close(write)
os.wait()
os.read(read, 1)  # nothing: the end comes when the new program runs
{then}
"""


def own_children() -> set[tuple[int, int]]:
    return {found.key for found in processes().values() if found.parent == os.getpid()}


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("then", ["send(right(request))", "os._exit(1)", "os.abort()"])
def test_an_orphan_without_environment_in_its_own_session_is_ended(
    tmp_path: Path, then: str
) -> None:
    before = own_children()
    asked(stumbling(tmp_path, ESCAPE.format(then=then)), wanted=[BAD])
    assert all_ended(tmp_path)
    assert own_children() <= before, "and this process took notice of its end"
    assert not adopting()


# Memory and processes

GROWS = """
import hashlib
held = []
for piece in range(64):
    held.append(bytes([piece]) * 2**24)
    hashlib.sha256(held[-1])  # takes longer than filling it
hang()
"""

HOLDS = "import signal; held = b'1' * 2**28; signal.pause()"

BEARS = f"""
subprocess.Popen([sys.executable, "-c", {HOLDS!r}], start_new_session=True)
hang()
"""


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("body", [GROWS, BEARS], ids=["itself", "a child"])
def test_memory_is_limited_and_the_others_are_judged(tmp_path: Path, body: str) -> None:
    _, exchanges = asked(stumbling(tmp_path, body), Limits(memory=256))
    fault = fault_of(exchanges[BAD])
    assert (fault.kind, fault.message) == ("too-large", "used more than 256 MiB of memory")
    assert CASES[0] in fault.last, "the last line seen is the answer before"
    assert all(exchanges[case].answer for case in CASES if case != BAD)
    assert judge_capability(WIDTHS, list(exchanges.values())).verdict is Conformity.ERRORED


def test_memory_is_limited_before_the_first_message_too(tmp_path: Path) -> None:
    fault = fault_at_start(program(tmp_path, "held = b'1' * 2**27\nhang()"), Limits(memory=64))
    assert fault == Fault("too-large", "used more than 64 MiB of memory")


@pytest.mark.usefixtures("way")
def test_processes_are_counted(tmp_path: Path) -> None:
    several = "for _ in range(5):\n    " + CHILD.format(options="", then="").strip().replace(
        "\n", "\n    "
    )
    _, exchanges = asked(stumbling(tmp_path, f"{several}\nhang()"), Limits(processes=5))
    assert all_ended(tmp_path)
    fault = fault_of(exchanges[BAD])
    assert (fault.kind, fault.message) == ("too-many", "more than 5 processes")
    assert all(exchanges[case].answer for case in CASES if case != BAD)


COUNTED = """
open(os.path.join(here, "counted")).close()  # waits until it is opened at the other end
send(right(request))
"""


@pytest.mark.usefixtures("way")
def test_as_many_processes_as_are_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who keep a sandbox do not count; the answer comes when both have been counted."""
    usual = process_tree.excess

    def look(members: list[Process], memory: int, most: int) -> object:
        found = usual(members, memory, most)
        if len(members) == 2:
            with contextlib.suppress(OSError):  # nobody waits yet
                os.close(os.open(tmp_path / "counted", os.O_WRONLY | os.O_NONBLOCK))
        return found

    monkeypatch.setattr(process_tree, "excess", look)
    os.mkfifo(tmp_path / "counted")
    body = CHILD.format(options="", then=COUNTED)
    _, exchanges = asked(stumbling(tmp_path, body), Limits(processes=2), wanted=[BAD])
    assert exchanges[BAD].fault is None


@pytest.mark.usefixtures("way")
def test_output_that_is_closed_though_the_program_lives() -> None:
    words = ["sh", "-c", "exec >&-; read start; read more"]
    with Program(words, Limits()) as running, pytest.raises(FaultError) as caught:
        running.introduce()
    assert caught.value.fault == Fault("ended", "the program closed its standard output")


ORPHAN = """
reading, writing = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        os.write(writing, str(os.getpid()).encode())
    os._exit(0)
os.wait()
orphan = os.read(reading, 99).decode()
while os.path.exists(f"/proc/{orphan}"):
    pass
send(right(request))
"""


@pytest.mark.usefixtures("way")
def test_orphans_that_end_are_noticed_while_the_program_runs(tmp_path: Path) -> None:
    """Many of them would fill the table of processes, and none has another parent than us."""
    _, exchanges = asked(stumbling(tmp_path, ORPHAN), wanted=[BAD])
    assert exchanges[BAD].answer is not None


BOMB = """
signal.alarm(30)  # an end without the judge, should it fail
for _ in range(7):
    if os.fork() == 0:
        os.setsid()
        signal.alarm(30)
hang()
"""


@pytest.mark.usefixtures("way")
def test_a_fork_bomb_is_ended_with_all_that_it_set_off(tmp_path: Path) -> None:
    """Up to 128 processes, every child in a session of its own; the limit is reached on the way."""
    _, exchanges = asked(stumbling(tmp_path, BOMB), Limits(processes=40))
    fault = fault_of(exchanges[BAD])
    assert (fault.kind, fault.message) == ("too-many", "more than 40 processes")
    assert all(exchanges[case].answer for case in CASES if case != BAD)
    assert all_ended(tmp_path)


FLEES = """
import time
over = time.monotonic() + 30  # an end without the judge, should it fail
alive = os.open(os.path.join(here, "alive"), os.O_WRONLY)
for _ in range(16):
    if os.fork() == 0:
        os.setsid()
        while time.monotonic() < over:
            if os.fork():
                os._exit(0)
        os._exit(0)
send(right(request))
"""


@pytest.mark.skipif(not granted(), reason="this system grants no sandbox")
def test_descendants_that_fork_and_exit_without_pause_are_ended_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is gone before it can be found; but a sandbox ends as a whole, at the first look."""
    for module in (process_tree, judged_process):
        monkeypatch.setattr(module, "ROUNDS", 1)
    os.mkfifo(tmp_path / "alive")
    alive = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    try:
        _, exchanges = asked(stumbling(tmp_path, FLEES), wanted=[BAD])
        assert exchanges[BAD].answer is not None
        # At its end, as nobody writes; if somebody could there would be nothing to read yet.
        assert os.read(alive, 1) == b""
    finally:
        os.close(alive)


JUDGES = """
import sys
from ptum.checks.judge.programs.process import Limits, Program
with Program(sys.argv[1:], Limits()) as running:
    print(running.introduce().name, flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(not granted(), reason="this system grants no sandbox")
def test_a_judge_that_is_killed_takes_everybody_with_it(tmp_path: Path) -> None:
    child = CHILD.format(options="start_new_session=True, env={}", then="")
    words = [sys.executable, "-c", JUDGES, *program(tmp_path, child)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as judge:
        assert judge.stdout is not None
        assert judge.stdout.readline() == b"test\n"
        left = holders(tmp_path)
        judge.kill()
    assert len(left) == 2
    assert all(map(ends, left))


@pytest.mark.usefixtures("way")
def test_nothing_stays_open(tmp_path: Path) -> None:
    """Neither after a good conversation nor after a bad one, nor where nothing was started."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    asked(stumbling(tmp_path, "os._exit(5)"))
    fault_at_start("/no/such/program")
    assert len(list(Path("/proc/self/fd").iterdir())) == before


# Nothing is evaluated

EVALUATED = """
trap = os.path.join(here, "trap")
python = f"__import__('os').mkdir({trap!r})"
shell = f"$(mkdir {trap}) `mkdir {trap}`; mkdir {trap}"
tagged = f"!!python/object/apply:os.mkdir [{trap!r}]"
TEXTS = [python, shell, tagged]
CAPABILITIES = ["widths", *TEXTS]

def greet():
    send(dict(type="ready", protocol="ptum-stdio/1", name=python, version=shell, language=tagged,
              capabilities=CAPABILITIES))

def respond(request):
    if request["id"] == "widths/ordinary":
        send(right(request) | {"answer": dict.fromkeys(TEXTS, TEXTS)})
    elif request["id"] == BAD:
        send(dict(type="failure", id=BAD, message=python, kind=shell))
    else:
        print(TEXTS[len(open(os.path.join(here, "starts")).readlines()) - 1], flush=True)
"""


def test_nothing_that_a_program_prints_is_evaluated(tmp_path: Path) -> None:
    """Python, shell and YAML in every text of a message, and as lines; a folder would tell."""
    ids = [case.id for case in WIDTHS.cases(0)]
    wanted = ids[ids.index(BAD) :][: 1 + PATIENCE]
    header, exchanges = asked(program(tmp_path, EVALUATED), wanted=[CASES[0], *wanted])
    assert header.name.startswith("__import__('os').mkdir(")
    kinds = [fault_of(exchange).kind for exchange in exchanges.values()]
    assert kinds[0] == "malformed"
    assert kinds[1].startswith("$(mkdir ")
    assert kinds[2:] == ["not-a-message"] * 3 + ["unknown-capability"] * 3
    verdict = judge_capability(WIDTHS, [exchanges[case] for case in (CASES[0], *wanted)]).verdict
    assert verdict is Conformity.ERRORED
    assert not (tmp_path / "trap").exists()


# Giving up


def test_a_capability_is_given_up_after_some_breakdowns(tmp_path: Path) -> None:
    wanted = [case.id for case in WIDTHS.cases(0)][: PATIENCE + 2]
    command = program(tmp_path, "def respond(request):\n    os._exit(1)\n")
    _, exchanges = asked(command, wanted=wanted)
    kinds = [fault_of(exchanges[case]).kind for case in wanted]
    assert kinds == ["ended"] * PATIENCE + ["given-up"] * 2
    assert len(noted(tmp_path, "starts")) == PATIENCE


def test_another_capability_is_asked_although_one_was_given_up(tmp_path: Path) -> None:
    changes = """
CAPABILITIES = ["policy_value", "widths"]
def respond(request):
    os._exit(1) if request["capability"] == "policy_value" else send(right(request))
"""
    first = [case.id for case in capabilities()["policy_value"].cases(0)][: PATIENCE + 1]
    _, exchanges = asked(program(tmp_path, changes), wanted=[*first, *CASES])
    assert all(exchanges[case].fault for case in first)
    assert all(exchanges[case].answer for case in CASES)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(restarts=1), "asked no more after 1 breakdowns"),
        (Limits(run=0.0), "asked no more after 0 s"),
    ],
)
def test_a_run_has_limits_too(tmp_path: Path, limits: Limits, message: str) -> None:
    _, exchanges = asked(program(tmp_path, "def respond(request):\n    os._exit(1)\n"), limits)
    assert exchanges[CASES[2]].fault == Fault("given-up", message)


def test_a_program_that_does_not_come_back_is_a_fault_of_the_request(tmp_path: Path) -> None:
    once = "if len(open(os.path.join(here, 'starts')).readlines()) > 1:\n    sys.exit('locked')\n"
    body = (
        "def respond(request):\n    send(right(request)) if request['id'] != BAD else os._exit(1)\n"
    )
    _, exchanges = asked(program(tmp_path, once + body))
    assert exchanges[CASES[0]].answer is not None
    assert "locked" in fault_of(exchanges[CASES[2]]).message


def test_unknown_capabilities_are_named_and_the_known_ones_asked(tmp_path: Path) -> None:
    changes = "CAPABILITIES = ['widths', 'w\\33idths', *map(str, range(1000))]\n"
    header, exchanges = asked(program(tmp_path, changes))
    strange = [e for e in exchanges.values() if e.capability != "widths"]
    assert header.capabilities[:3] == ("widths", "w\\x1bidths", "0")
    assert len(strange) == 10
    assert all(fault_of(e).kind == "unknown-capability" for e in strange)
    assert all(exchanges[case].answer for case in CASES)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (b"plain\r\n", "plain"),
        ("μ → ∞".encode(), "μ → ∞"),
        (b"\xff\x00\x1b]0;title\x07", "\\xff\\x00\\x1b]0;title\\x07"),
        (b"a" * 201, "a" * 200 + " …"),
        ("\u202e" + "x", "\\u202ex"),
    ],
)
def test_what_is_quoted_is_safe_to_print(said: bytes | str, shown: str) -> None:
    assert quoted(said) == shown
    assert quoted(said).isprintable()


@pytest.mark.parametrize(("levels", "fits"), [(DEEPEST, True), (DEEPEST + 1, False)])
def test_lists_nest_as_deep_as_the_page_says(levels: int, fits: bool) -> None:
    nested = b"[" * levels + b"]" * levels
    line = b'{"type": "answer", "id": "x", "answer": {"C_r": ' + nested + b"}}"
    with contextlib.nullcontext() if fits else pytest.raises(NoMessageError, match="32 deep"):
        decode(line)


TWICE = "; an object inside a text is no object: it is encoded twice"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (b'{"type": "hello"}', "; a program sends ready, query, answer or failure"),
        (b'{"id": "x", "answer": {}}', "; a program sends ready, query, answer or failure"),
        (
            b'{"type": "query", "id": "x", "s": 1.0, "a": 0}',
            "`$.s`; integers are written without a point",
        ),
        (b'{"type": "answer", "id": 3, "answer": {}}', "`$.id`"),
        (b'{"type": "answer", "id": "x", "answer": "{}"}', TWICE),
        (rb'"{\"type\": \"answer\"}"', TWICE),
        (b'"log"', "; a line must be one JSON object (logs belong on standard error)"),
        (b'{"type": "answer",', "; a message ends on its line: no line breaks inside"),
        (
            b'{"type": "answer", "id": "x", "answer": {}} {}',
            "; there is more than one message on the line",
        ),
        (b"", "the line is empty; it should be left out"),
        (b" \r", "the line is empty; it should be left out"),
        (b'\xef\xbb\xbf{"type": "ready"}', "; it begins with a byte order mark, which is no JSON"),
    ],
)
def test_common_mistakes_in_a_message_get_a_hint(line: bytes, hint: str) -> None:
    with pytest.raises(NoMessageError) as caught:
        decode(line)
    assert str(caught.value).endswith(hint)
