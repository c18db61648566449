"""The page of the protocol leaves nothing out that the judge knows, and shows a real dialogue."""

from __future__ import annotations

import json
import math
import re
from itertools import pairwise
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from click.testing import CliRunner

from ptum.checks.cli import cli
from ptum.checks.judge.capabilities import NAMES, capabilities
from ptum.checks.judge.judging import tolerances, verdicts
from ptum.checks.judge.judging.verdicts import Conformity, judge_capability
from ptum.checks.judge.messages import protocol
from ptum.checks.judge.messages.protocol import FromJudge, FromProgram, Message
from ptum.checks.judge.messages.transcript import GIVEN_UP, NO_METHOD, RAISED, Exchange
from ptum.checks.judge.programs import asking, host, process, recorded, subjects
from ptum.checks.judge.results import pages
from ptum.checks.text.markdown import record_link
from ptum.spec.ledger import CLAIMS
from tests.support.closeness import near

PAGE = Path(__file__).resolve().parents[4] / "docs" / "protocol.md"


@pytest.fixture(scope="module")
def dialogue() -> list[str]:
    return pages.dialogue()


def section(name: str) -> str:
    """What the page says about one capability."""
    _, _, rest = pages.capabilities_part().partition(f"### {name}\n")
    return rest.partition("\n### ")[0]


def test_every_field_of_every_message_is_listed_and_explained() -> None:
    table = pages.messages_part()
    for kind in get_args(Message):
        tag = kind.__struct_config__.tag
        assert f"| `{tag}` |" in table
        for field in msgspec.structs.fields(kind):
            assert pages.MEANINGS[tag, field.name] in table
    listed = {
        (kind.__struct_config__.tag, field.name)
        for kind in get_args(Message)
        for field in msgspec.structs.fields(kind)
    }
    assert set(pages.MEANINGS) == listed
    assert "| `sample` | judge | reward | number |" in table
    assert "| `ready` | program | capabilities | list of texts |" in table
    assert "| `query` | program | h (optional) | integer |" in table
    assert "| `answer` | program | answer | object |" in table


@pytest.mark.parametrize("name", NAMES)
def test_every_field_choice_and_tolerance_of_a_capability_is_told(name: str) -> None:
    capability, told = capabilities()[name], section(name)
    for field in (*capability.input, *capability.output):
        assert f"| `{field.name}`" in told
        name = f"`{field.name}` (optional)" if field.optional else f"`{field.name}`"
        kind = f"{field.kind} or null" if field.nullable else field.kind
        assert f"| {name} | {kind} | " in told
        assert " × ".join(field.shape) in told
    for reading in capability.readings:
        for option in reading:
            assert f"“{option.option}”" in told
            assert option.choice in told
            assert option.erratum is None or record_link(option.erratum) in told
    (tolerance,) = re.findall(r"^Tolerance: (.+)$", told, flags=re.MULTILINE)
    assert len(tolerance) > 20
    assert "`tolerances`" not in tolerance
    assert capability.item in {claim.id for claim in CLAIMS}
    assert ("`query`" in told) is capability.samples
    assert told.count("\n- ") == len(capability.notes)


def test_notes_are_sentences_that_keep_their_symbols() -> None:
    told = section("stopping")
    assert "\n- `active` may be empty, and then `good` is.\n" in told
    assert "\n- π̃*_θ is any optimal policy of θ (D17): " in told
    assert "\n- There may be no data (m = 0), " in section("confidence_set")
    assert "\n- c_h is π²h²SA(S+U)/δ'.\n" in section("sequential")


def test_every_field_of_every_event_of_a_recorded_run_is_explained() -> None:
    listed = {
        (kind.__struct_config__.tag, field.name)
        for kind in get_args(recorded.Read)
        for field in msgspec.structs.fields(kind)
    }
    assert set(pages.EVENTS) == listed
    table = pages.events_part()
    assert "| `elimination` | theta | integer |" in table
    assert "| `elimination` | equation (optional) | integer |" in table
    assert all(meaning in table for _, meaning in pages.EVENTS.values())


def test_every_choice_is_in_the_table_of_choices_with_its_question() -> None:
    table = pages.choices_part()
    for name, capability in capabilities().items():
        for option in {option for reading in capability.readings for option in reading}:
            row = next(row for row in table.splitlines() if option.choice in row.split("|")[1])
            assert f"“{option.option}”" in row
            assert f"`{name}`" in row
            assert "?" in row


def test_every_limit_is_told_with_its_value() -> None:
    table = pages.limits_part()
    assert set(pages.LIMITS) == set(vars(process.Limits()))
    assert "| message | 10 s |" in table
    assert "| line | 200 000 bytes |" in table
    assert "| samples | 20 000 |" in table
    assert "| memory | 2 048 MiB |" in table
    assert "| processes | 256 |" in table
    assert "| privileges | none |" in table


def test_the_page_and_the_help_name_the_options_of_limits() -> None:
    text, told = (
        PAGE.read_text(),
        " ".join(CliRunner().invoke(cli, ["validate", "-h"]).output.split()),
    )
    for option, value in (
        ("--timeout", process.Limits().message),
        ("--memory", process.Limits().memory),
    ):
        assert f"`{option}`" in text
        assert re.search(rf"{option} [A-Z]+ [^\[]*\[default: {value}\]", told), option
    assert "`--privileges`" in text
    assert "--privileges For ordinary users: let the subject use sudo" in told


@pytest.mark.parametrize(
    "row",
    [
        "| `models` | list of objects | k |",
        "| `errors` | object |  |",
        "| `end` (optional) | text |  |",
        "| `eliminations` (optional) | list of objects | any |",
        "| `tasks` | list of objects | m |",
    ],
)
def test_what_is_no_number_is_called_what_it_is(row: str) -> None:
    assert row in pages.capabilities_part()


def test_every_kind_of_fault_is_explained() -> None:
    """The kinds are read off the code that makes faults."""
    modules = (asking, host, process, protocol, subjects, verdicts)
    text = "".join(Path(str(module.__file__)).read_text() for module in modules)
    made = re.findall(r'(?:[Ff]ault|FaultError|NoMessageError)\(\s*"([a-z-]+)"', text)
    made += re.findall(r'_failed\(capability, case, "([a-z-]+)"', text)
    made += re.findall(r'Failure\([^()]*(?:\([^()]*\)[^()]*)*, "([a-z-]+)"\)', text)
    made += [host.NO_SUBJECT, host.UNKNOWN_SUBJECT, process.NOT_FOUND]
    assert {*made, GIVEN_UP, NO_METHOD, RAISED, asking.UNKNOWN} == set(pages.FAULTS)
    assert all(f"| `{kind}` |" in pages.faults_part() for kind in made)


def test_every_verdict_is_explained() -> None:
    assert set(pages.VERDICTS) == set(Conformity)


@pytest.mark.parametrize("S", [1, 3, 20])
@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.9999])
def test_the_formulas_of_tolerances_are_those_in_use(S: int, gamma: float) -> None:
    u, horizon = 2.0**-52, 1 / (1 - gamma)
    tau = 1e-9 + 12 * (S + 2) * u * horizon
    of_sum = 1e-9 + 4 * math.sqrt((S + 1) * u)
    expected = {
        "τ": (tau, tolerances.relative_value_error(S, gamma)),
        "value": (tau * horizon, tolerances.value_error(S, gamma)),
        "gap": (3 * tau * horizon, tolerances.gap_error(S, gamma)),
        "deviation": (of_sum, tolerances.deviation_error(S)),
        "deviation of values": (
            (of_sum + tau) * horizon,
            tolerances.transition_deviation_error(S, gamma),
        ),
        "information": (6 * tau, tolerances.information_error(S, gamma)),
    }
    assert set(expected) < set(pages.DERIVED)
    for name, (written, used) in expected.items():
        assert written == near(used), name


def test_tolerances_are_shown_for_every_capability_that_returns_reals() -> None:
    table = pages.tolerances_part()
    for name, capability in capabilities().items():
        if any(field.kind == "real" for field in capability.output):
            assert f"| `{name}/" in table


def test_the_dialogue_is_a_conversation_in_the_protocol(dialogue: list[str]) -> None:
    spoken = [line.partition(" ") for line in dialogue]
    said = {"→": FromJudge, "←": FromProgram}
    kinds = []
    for arrow, _, text in spoken:
        message = msgspec.json.decode(text, type=said[arrow])
        kinds.append(message.__struct_config__.tag)
    assert kinds[:2] == ["start", "ready"]
    assert kinds[-1] == "stop"
    assert kinds.count("request") == kinds.count("answer") == len(pages.SPOKEN)
    assert kinds.count("query") == kinds.count("sample") > 0
    assert all(after == "sample" for kind, after in pairwise(kinds) if kind == "query")


def test_the_answers_of_the_dialogue_are_right(dialogue: list[str]) -> None:
    messages = [json.loads(line[2:]) for line in dialogue]
    asked = {m["id"]: m for m in messages if m["type"] == "request"}
    answers = {m["id"]: m["answer"] for m in messages if m["type"] == "answer"}
    assert list(asked) == list(pages.SPOKEN)
    for identity, request in asked.items():
        name = request["capability"]
        if not capabilities()[name].samples:
            exchange = Exchange(identity, name, request["input"], answers[identity])
            judgement = judge_capability(capabilities()[name], [exchange])
            assert judgement.verdict is Conformity.CONFORMS
    assert answers["ptum/n-24"]["end"] == "stopped"


def test_the_page_has_every_part_and_is_filled_once() -> None:
    text = PAGE.read_text()
    for name in pages.PARTS:
        assert text.count(f"<!-- begin: {name} -->") == 1
        assert text.count(f"<!-- end: {name} -->") == 1


def test_a_page_without_its_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="lost the markers of its part 'messages'"):
        pages.filled("# Nothing")
