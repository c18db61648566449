"""A harness that is being written: each mistake is shown where it is made, no number is judged."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from ptum.checks.judge.capabilities import NAMES, capabilities, conforming
from ptum.checks.judge.messages.protocol import QUOTED
from ptum.checks.judge.messages.transcript import Exchange
from ptum.checks.judge.programs.asking import STRANGE, edge_cases
from ptum.checks.judge.programs.process import Limits
from ptum.checks.judge.programs.protocol_check import (
    FURTHER,
    HINTS,
    SHOWN,
    ArraySides,
    ExaminedStep,
    NothingSelectedError,
    check_protocol,
    example_case,
    form_of_answer,
    repairs,
)
from ptum.checks.judge.programs.subjects import ask
from ptum.checks.judge.results.pages import FAULTS
from tests.checks.judge.support.programs import all_ended, program

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="whether a process is gone is asked of Linux"
)


def examined(
    tmp_path: Path, changes: str, limits: Limits | None = None, only: Sequence[str] = ()
) -> list[ExaminedStep]:
    shown: list[ExaminedStep] = []
    steps = check_protocol(program(tmp_path, changes), limits, shown.append, only)
    assert shown == steps
    assert all_ended(tmp_path)
    return steps


def wrong(steps: list[ExaminedStep]) -> list[str]:
    return [step.text for step in steps if not step.ok]


def changed(change: str) -> str:
    """A program whose answers are changed before they are sent."""
    return f"def respond(request):\n    found = right(request)\n    {change}\n    send(found)\n"


def test_a_good_harness_has_only_good_steps(tmp_path: Path) -> None:
    steps = examined(tmp_path, "CAPABILITIES = ['policy_value', 'widths', 'ptum']")
    assert wrong(steps) == []
    texts = [step.text for step in steps]
    assert texts[0] == 'sent      {"type":"start","protocol":"ptum-stdio/1"}'
    assert texts[1].startswith('received  {"type":"ready"')
    assert texts[2] == "claims    policy_value, widths, ptum"
    for name in ("policy_value", "widths", "ptum"):
        assert any(text.startswith(f'sent      {{"type":"request","id":"{name}/') for text in texts)
        assert f"answer    can be judged: `{name}` is well formed" in texts
    assert "field     C_p is a list of S × A × k real numbers" in texts
    shown = [text for text in texts if text.startswith("received  a query of s = 0, a = ")]
    cut = [text for text in texts if text.endswith("more queries, and answered them")]
    assert len(shown) == SHOWN * len(cut) > 0, "of each run the first few"


def test_only_what_is_selected_is_examined(tmp_path: Path) -> None:
    claims = "CAPABILITIES = ['policy_value', 'widths']"
    steps = examined(tmp_path, claims, only=["widths", "ptum"])
    assert wrong(steps) == []
    texts = [step.text for step in steps]
    assert "claims    not ptum, so that it is not examined" in texts
    assert "answer    can be judged: `widths` is well formed" in texts
    assert not any("policy_value/" in text for text in texts)
    with pytest.raises(NothingSelectedError):
        examined(tmp_path, claims, only=["ptum"])


def test_wrong_numbers_are_none_of_its_business(tmp_path: Path) -> None:
    zero = "found['answer']['C_sigma_r'] = [[0.0] * len(row) for row in found['answer']['C_r']]"
    assert wrong(examined(tmp_path, changed(zero))) == []


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            "del found['answer']['C_p']",
            "C_p is missing; expected is a list of S × A × k real numbers",
        ),
        (
            "found['answer']['C_r'] = 1.5",
            "C_r has the shape of a number, not 3 × 1; expected is a list",
        ),
        ("found['answer']['C_r'].pop()", "C_r has the shape 2 × 1, not 3 × 1; expected is a list"),
        ("found['answer']['C_r'][0] = []", "C_r cannot be read (C_r has rows of different"),
        ("found['answer']['C_r'] = 'wide'", "C_r cannot be read (C_r must hold numbers"),
        (
            "found['answer']['C_r'][0][0] = None",
            'C_r must hold numbers, not null; infinite numbers are the text "inf"',
        ),
        ("found['answer']['D'] = 1", "unknown fields D; known are C_r, C_p, C_sigma_r, C_sigma_p"),
        ("found['id'] = 'x'", "does not belong to the request 'widths/three-states-one-action'"),
        ("found['typ'] = 'x'", "unknown field `typ`"),
        ("print('debug')", "logs belong on standard error"),
        ("sys.exit('ouch')", "stderr: ouch"),
    ],
)
def test_each_mistake_is_named(tmp_path: Path, change: str, text: str) -> None:
    found, *_ = wrong(examined(tmp_path, changed(change)))
    assert text in found


def test_a_mistake_is_told_once_and_counted(tmp_path: Path) -> None:
    claims = "CAPABILITIES = ['optimal', 'policy_value', 'next_query']\n"
    chatty = "def respond(request):\n    print('asked', request['id'])\n    send(right(request))\n"
    steps = examined(tmp_path, claims + chatty)
    told, counted = wrong(steps)
    assert told.startswith("not-a-message: ")
    assert "hint: one JSON object per line on standard output" in told
    assert counted == "not-a-message: the same in 2 further requests"
    assert repairs(steps) == 1


@pytest.mark.parametrize(
    ("infinity", "text"),
    [
        ("1e999", "Number out of range - at `$.answer"),
        ("null", 'not null; infinite numbers are the text "inf"'),
    ],
)
def test_infinite_numbers_are_examined(tmp_path: Path, infinity: str, text: str) -> None:
    line = f"json.dumps(right(request)).replace('\"inf\"', {infinity!r})"
    told = wrong(examined(tmp_path, f"def respond(request):\n    print({line}, flush=True)\n"))
    assert told
    assert all(text in one for one in told)
    assert not any("hint: " in one for one in told), "it is said already what to write"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("found['answer']['end'] = found['answer']['end'].replace('-', '_')", "end must be one of"),
        ("found['answer']['policy'] = found['answer']['policy'] or []", "policy has the shape 0"),
    ],
)
def test_every_end_of_a_run_is_examined(tmp_path: Path, change: str, text: str) -> None:
    steps = examined(tmp_path, "CAPABILITIES = ['ptum']\n" + changed(change))
    told, counted = wrong(steps)
    assert text in told
    assert counted.endswith("the same in 2 further requests")
    assert repairs(steps) == 1


def test_further_cases_exist() -> None:
    known = {case.id for capability in capabilities().values() for case in edge_cases(capability)}
    assert set(FURTHER) <= known


def test_other_mistakes_are_counted_apart(tmp_path: Path) -> None:
    claims = "CAPABILITIES = ['optimal', 'policy_value']\n"
    steps = examined(tmp_path, claims + changed("del found['answer']['V']"))
    assert repairs(steps) == len(wrong(steps)) == 2


@pytest.mark.parametrize(
    ("change", "limits", "hint"),
    [
        ("hang()", Limits(message=0.5), "is the output flushed after every line"),
        (
            "print(json.dumps(found), end='', flush=True); hang()",
            Limits(message=0.5),
            "is the output flushed",
        ),
        ("found['id'] = 'x'", None, "every message repeats the id"),
        ("sys.exit('ouch')", None, "a program answers until it is told to stop"),
    ],
)
def test_hints_say_where_to_look(
    tmp_path: Path, change: str, limits: Limits | None, hint: str
) -> None:
    (found,) = wrong(examined(tmp_path, changed(change), limits))
    assert f"hint: {hint}" in found


def test_every_breakdown_of_a_program_has_a_hint() -> None:
    """And so has a malformed answer; only a Python object has no subject."""
    breakdowns = {kind for kind, (_, breaks) in FAULTS.items() if breaks}
    assert set(HINTS) == breakdowns - {"no-subject", "unknown-subject"} | {"malformed"}


ASKS_OF_THE_FIRST_TASK = """
CAPABILITIES = ["sequential"]
def respond(request):
    send(dict(type="query", id=request["id"], h=1, s=0, a=0))
    receive()
    send(dict(type="failure", id=request["id"], message="enough"))
"""


def test_a_query_in_a_sequence_is_shown_with_its_task(tmp_path: Path) -> None:
    steps = examined(tmp_path, ASKS_OF_THE_FIRST_TASK)
    assert wrong(steps) == []
    text = "received  a query of s = 0, a = 0, h = 1; sent the sample reward "
    assert sum(step.text.startswith(text) for step in steps) == 1


def test_an_answer_too_many_is_noticed(tmp_path: Path) -> None:
    twice = "def respond(request):\n    send(right(request)); send(right(request))\n"
    (found,) = wrong(examined(tmp_path, twice))
    text = "'widths/three-states-one-action', which was answered before, does not belong to"
    assert text in found


def test_a_failure_is_a_message_like_others(tmp_path: Path) -> None:
    sent = "dict(type='failure', id=request['id'], message='not yet')"
    steps = examined(tmp_path, f"def respond(request):\n    send({sent})\n")
    assert wrong(steps) == []
    assert any(step.text.startswith("received  a failure (raised: not yet)") for step in steps)
    twice = f"def respond(request):\n    send({sent}); send({sent})\n"
    (found,) = wrong(examined(tmp_path, twice))
    assert found.startswith("out-of-order")


def test_whatever_a_field_holds_can_be_shown(tmp_path: Path) -> None:
    """JSON escapes few control characters, and a text may be as long as a line."""
    found, _ = wrong(examined(tmp_path, changed(r"found['answer']['C_r'] = '\x9b2J' * 10_000")))
    assert found.isprintable()
    assert len(found) < 4 * QUOTED


@pytest.mark.parametrize("number", ["0.5", "'inf'"])
def test_integers_are_integers(tmp_path: Path, number: str) -> None:
    changes = "CAPABILITIES = ['next_query']\n" + changed(f"found['answer']['s'] = {number}")
    (found,) = wrong(examined(tmp_path, changes))
    assert (
        "s holds numbers that are no integers; expected is an integer: state of the pair" in found
    )


def test_what_only_the_judge_can_tell_is_told(tmp_path: Path) -> None:
    changes = "CAPABILITIES = ['next_query']\n" + changed("found['answer']['s'] = 77")
    (found,) = wrong(examined(tmp_path, changes))
    assert found.startswith("answer    cannot be judged: (77, ")


def test_a_program_that_does_not_begin_is_one_bad_step(tmp_path: Path) -> None:
    *_, last = examined(tmp_path, "sys.exit('no')")
    assert not last.ok
    assert last.text.startswith("ended: the program ended (exit code 1); stderr: no")
    (only,) = check_protocol("/no/such/program")
    assert not only.ok
    assert only.text.startswith("not-found: cannot start '/no/such/program'")


@pytest.mark.parametrize(
    ("claims", "text"),
    [
        ("[]", "claims    no capability that can be judged"),
        ("['widths', 'wisdom']", f"claims    wisdom, which is unknown; known are {NAMES[0]}, "),
    ],
)
def test_claims_are_examined(tmp_path: Path, claims: str, text: str) -> None:
    (found,) = wrong(examined(tmp_path, f"CAPABILITIES = {claims}"))
    assert found.startswith(text)


def test_of_many_unknown_claims_some_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    *listed, last = wrong(examined(tmp_path, "CAPABILITIES = ['widths', *map(str, range(1000))]"))
    assert len(listed) == STRANGE
    assert listed[0].startswith("claims    0, which is unknown")
    assert last == f"claims    {1000 - STRANGE} more that are unknown"


@pytest.mark.parametrize("name", capabilities())
def test_the_literal_answer_has_the_documented_form(name: str) -> None:
    """Of every capability, and with every side whose length a request tells."""
    capability = capabilities()[name]
    case = example_case(capability)
    exchange = ask(capability, case, conforming(name)["literal"])
    assert exchange.answer is not None
    assert wrong(list(form_of_answer(capability, exchange))) == []
    known = ArraySides.of(capability.input, case.input).lengths
    named = {side for wanted in capability.output for side in wanted.shape}
    assert named - set(known) == named & ({"any"} if "components" in case.input else {"any", "c"})


def test_a_list_of_any_length_is_called_so() -> None:
    capability = capabilities()["stopping"]
    exchange = ask(capability, example_case(capability), conforming("stopping")["literal"])
    first, *_ = form_of_answer(capability, exchange)
    assert first == ExaminedStep(True, "field     good is a list of any number of integers")


@pytest.mark.parametrize("weights", [{}, {"weights": None}])
def test_null_is_a_form_where_the_field_says_so(weights: dict[str, None]) -> None:
    capability = capabilities()["hmm_moments"]
    (case,) = (c for c in edge_cases(capability) if c.id == "hmm_moments/same-tasks")
    nothing = Exchange(
        case.id, capability.name, case.input, {"O": None, "T": None, **weights}, None
    )
    assert wrong(list(form_of_answer(capability, nothing))) == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"end": 1}, ["field     end is 1; expected is a text: one of stopped, "]),
        (
            {"eliminations": {"t": 1}},
            ['field     eliminations is {"t":1}; expected is a list of any number of objects: '],
        ),
        (
            {"eliminations": [7]},
            ["field     eliminations is [7]; expected is a list of any number of"],
        ),
        ({"end": None, "eliminations": None}, []),
    ],
)
def test_texts_and_lists_of_objects_are_told_apart(
    changes: dict[str, object], told: list[str]
) -> None:
    capability = capabilities()["ptum"]
    case = example_case(capability)
    exchange = ask(capability, case, conforming("ptum")["literal"])
    answer = {**(exchange.answer or {}), **changes}
    changed_answer = msgspec.structs.replace(exchange, answer=answer)
    found = wrong(list(form_of_answer(capability, changed_answer)))
    assert len(found) == len(told)
    assert all(map(str.startswith, found, told))


def test_null_is_no_form_elsewhere() -> None:
    capability = capabilities()["widths"]
    case = example_case(capability)
    nothing = {field.name: None for field in capability.output}
    exchange = Exchange(case.id, capability.name, case.input, {**nothing}, None)
    found = wrong(list(form_of_answer(capability, exchange)))
    assert [text.split()[1] for text in found] == list(nothing)
