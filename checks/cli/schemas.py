"""The shapes of all JSON outputs; their schemas are generated from the same types."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec

from ptum.checks.cli.output.files import print_json
from ptum.checks.cli.output.formatting import table, unknown
from ptum.checks.text.schema_docs import VERSIONS, means


class ReadingJson(msgspec.Struct, frozen=True, kw_only=True):
    """One way to understand an ambiguous part."""

    id: Annotated[str, means("id of the reading: that of its part, a dot and a word")]
    says: Annotated[str, means("what the part says in this reading")]
    status: Annotated[str, means("its truth as printed (docs/verdicts.md)")]
    checks: Annotated[list[str], means("ids of its checks")]


class PartJson(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a claim, with its truth as printed."""

    id: Annotated[str, means("id of the part: that of its claim, a dot and a word")]
    says: Annotated[str, means("what the part says")]
    status: Annotated[str, means("its truth as printed (docs/verdicts.md)")]
    proof: Annotated[str, means("what the paper's proof of it is worth")]
    evidence: Annotated[str, means("what the status rests on: checked or derived")]
    reason: Annotated[str, means("why it has this status")]
    checks: Annotated[list[str], means("ids of the checks of the printed wording")]
    readings: Annotated[list[ReadingJson], means("ways to understand it, where there are several")]
    as_run: Annotated[str | None, means("what the authors' experiments do, where it is known")]
    as_run_checks: Annotated[list[str], means("ids of the checks of what was run")]
    repair: Annotated[str | None, means("what holds in its place")]
    errata: Annotated[list[str], means("ids of the errata that the repair answers")]
    repair_checks: Annotated[list[str], means("ids of the checks of the repair")]
    unchecked: Annotated[str | None, means("why there is no check, where there is none")]


class ErratumJson(msgspec.Struct, frozen=True, kw_only=True):
    """What the paper gets wrong at one place, and what to say instead (docs/errata.md)."""

    title: Annotated[str, means("what is wrong, in a few words")]
    group: Annotated[str, means("id of the group that it belongs to: ptum show GROUP")]
    rank: Annotated[str, means("how much it matters: major, minor or remark")]
    status: Annotated[str, means("stands, or withdrawn because we were wrong")]
    withdrawn: Annotated[str | None, means("why it was withdrawn; null while it stands")]
    severity: Annotated[str, means("what is wrong: false, vacuous, proof gap, …")]
    place: Annotated[str, means("where in the paper the words are")]
    reading: Annotated[str, means("the strongest reading that the words support in their context")]
    wrong: Annotated[str, means("why even that fails")]
    breaks_at: Annotated[str, means("where the argument of the paper breaks")]
    repair: Annotated[str, means("what to say instead")]
    support: Annotated[str, means("what stands behind the repair")]
    given: Annotated[str | None, means("what its proof takes from elsewhere, by name")]
    cost: Annotated[str, means("what the repair costs")]
    still_stands: Annotated[str, means("what stays true as printed")]
    touches: Annotated[list[str], means("ids of the parts of claims that it touches")]
    evidence: Annotated[str, means("what it rests on: checked or derived")]
    counterexamples: Annotated[list[str], means("ids of the checks whose instances show it")]


class DecisionJson(msgspec.Struct, frozen=True, kw_only=True):
    """A point that the paper leaves open."""

    question: Annotated[str, means("what is left open")]
    options: Annotated[list[str], means("how it can be settled")]
    choice: Annotated[str, means("how it is settled here")]
    why: Annotated[str, means("why so")]
    otherwise: Annotated[str, means("what becomes of it if it is settled otherwise")]


class ClaimJson(msgspec.Struct, frozen=True, kw_only=True):
    """One record of the ledger: an item of the paper, a decision, an erratum or a group of them."""

    id: Annotated[str, means("id of the record")]
    kind: Annotated[str, means("theorem, lemma, text, …, decision, erratum or group")]
    title: Annotated[str, means("a name in a few words; of a decision, its question")]
    section: Annotated[
        str, means("place in the paper; of an erratum, the parts that it touches; of a group, none")
    ]
    statement: Annotated[
        str, means("what it says; question and choice, mistake and repair, or what errata share")
    ]
    number: Annotated[int | None, means("number in the paper")] = None
    label: Annotated[str | None, means("label in the source of the paper")] = None
    link: Annotated[str | None, means("the claim that this one displays or is a step of")] = None
    uses: Annotated[list[str], means("claims that it rests on")] = []
    assumes: Annotated[list[str], means("assumptions that it makes")] = []
    formulas: Annotated[list[str], means("its formulas, as module:name")] = []
    reference: Annotated[list[str], means("the code that mirrors it, as module:name")] = []
    decisions: Annotated[list[str], means("decisions that its reading takes")] = []
    parts: Annotated[list[PartJson], means("what it says, part by part")] = []
    erratum: Annotated[ErratumJson | None, means("an erratum in full; null for the rest")] = None
    decision: Annotated[DecisionJson | None, means("a decision in full; null for the rest")] = None
    members: Annotated[list[str], means("ids of the errata of a group, heaviest first")] = []


class ClaimsJson(msgspec.Struct, frozen=True):
    """Output of `ptum claims --json`."""

    claims: Annotated[
        list[ClaimJson], means("the records, in the order of the paper; errata by rank")
    ]


Value: TypeAlias = Annotated[
    object, msgspec.Meta(extra_json_schema={"type": ["number", "string", "boolean", "array"]})
]
"""A number, text, or an array of values."""


class NumberJson(msgspec.Struct, frozen=True):
    """One number, vector or table of an instance; a fraction is text p/q."""

    name: Annotated[str, means("its name, in the notation of the paper")]
    value: Annotated[Value, means("a number, text, or an array of such")]


class StatementJson(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison with its numbers; those that are no JSON numbers are text."""

    text: Annotated[str, means("what is compared")]
    left: Annotated[int | float | str, means("the left side")]
    sign: Annotated[str, means("the relation")]
    right: Annotated[int | float | str, means("the right side")]
    holds: Annotated[bool, means("whether it is true")]
    margin: Annotated[float | str, means("how far the two sides are apart")]


class EvaluationJson(msgspec.Struct, frozen=True, kw_only=True):
    """Premises, conclusion and verdict; a probability claim has `story` instead."""

    verdict: Annotated[str, means("what the claim is on this instance (docs/verdicts.md)")]
    premises: Annotated[list[StatementJson], means("what the claim assumes")]
    conclusion: Annotated[StatementJson | None, means("what it says; null for a probability claim")]
    explanation: Annotated[list[str], means("what was seen, in lines of text")] = msgspec.field(
        name="story"
    )


class CaseJson(msgspec.Struct, frozen=True, kw_only=True):
    """One counterexample: its numbers, the printed claim evaluated, and what the repair says on it.

    `sibling` is the repaired claim on another instance, which has the `sibling_numbers` where it
    differs.
    """

    checks: Annotated[list[str], means("ids of the checks that run it")]
    claim: Annotated[str, means("what the paper says, and the case refutes")]
    reading: Annotated[
        str | None, means("how an ambiguous part is understood there; null if there is one way")
    ]
    numbers: Annotated[list[NumberJson], means("the instance")]
    printed: Annotated[EvaluationJson, means("the printed wording on it")]
    undo: Annotated[str | None, means("the one change after which the printed wording holds")]
    undone: Annotated[EvaluationJson | None, means("the printed wording after that change")]
    repair: Annotated[str | None, means("what the repair says")]
    repaired: Annotated[EvaluationJson | None, means("the repair on the same instance")]
    sibling: Annotated[
        EvaluationJson | None, means("the repair on an instance inside its premises")
    ]
    sibling_numbers: Annotated[list[NumberJson], means("that instance, where it differs")]


class WalkthroughJson(msgspec.Struct, frozen=True):
    """Output of `ptum show ID --run --json`."""

    record: Annotated[str, means("id of the record or part that was asked for")]
    cases: Annotated[list[CaseJson], means("its counterexamples")]


class CheckJson(msgspec.Struct, frozen=True, kw_only=True):
    """One check, and the verdicts that the ledger expects of it."""

    check: Annotated[str, means("id of the check")]
    claim: Annotated[str, means("id of the claim")]
    part: Annotated[str, means("id of the part that it looks at")]
    reading: Annotated[str | None, means("id of the reading, where the part has several")]
    version: Annotated[str, means(VERSIONS)]
    kind: Annotated[str, means("symbolic, exact, inequality, probability, asymptotic or nothing")]
    says: Annotated[str, means("what is looked at")]
    expected: Annotated[list[str], means("verdicts that agree with the ledger")]
    alpha: Annotated[float, means("probability that random trials make its verdict false")]


class ListJson(msgspec.Struct, frozen=True):
    """Output of `ptum verify --list --json FILE`."""

    checks: Annotated[list[CheckJson], means("the checks, in the order of the registry")]


class PowerJson(msgspec.Struct, frozen=True, kw_only=True):
    """What one check with random trials is able to see in a profile."""

    check: Annotated[str, means("id of the check")]
    profile: Annotated[str, means("amount of work: quick, standard or deep")]
    allowed: Annotated[float | None, means("δ, the failure probability that the claim allows")]
    trials: Annotated[int | None, means("trials on each named instance; null without any")]
    alpha: Annotated[float | None, means("level of the test on each named instance")]
    least: Annotated[
        float | None,
        means("least failure probability of a named instance that is violated with power 0.9"),
    ]
    false_alarm: Annotated[
        float | None, means("probability of violated on a named instance that fails just with δ")
    ]
    instances: Annotated[int | None, means("instances that the search draws; null without any")]
    one_in: Annotated[
        float | None,
        means("one drawn instance in so many may fail with 0.9 for the search to see it"),
    ]
    missing: Annotated[list[str], means("which of the goals of docs/verdicts.md are not reached")]
    reason: Annotated[str, means("why it sees no more, where it sees less than that")]


class PowersJson(msgspec.Struct, frozen=True):
    """Output of `ptum verify --power --json FILE`."""

    checks: Annotated[list[PowerJson], means("the checks with random trials")]


@dataclass(frozen=True)
class JsonShape:
    """Something in JSON: where it comes from, and where its type is defined."""

    says: str
    module: str
    name: str

    def type(self) -> object:
        """The type, imported when it is asked for."""
        return getattr(importlib.import_module(self.module), self.name)


SHAPES = {
    "claims": JsonShape("output of ptum claims --json", __name__, "ClaimsJson"),
    "record": JsonShape("output of ptum show ID --json", __name__, "ClaimJson"),
    "show": JsonShape("output of ptum show ID --run --json", __name__, "WalkthroughJson"),
    "list": JsonShape("output of ptum verify --list --json FILE", __name__, "ListJson"),
    "certificate": JsonShape(
        "output of ptum certificate ID", "ptum.checks.suite.certificates", "Certificate"
    ),
    "power": JsonShape("output of ptum verify --power --json FILE", __name__, "PowersJson"),
    "verify": JsonShape("output of ptum verify --json FILE", "ptum.checks.suite.report", "Report"),
    "panel": JsonShape(
        "PANEL.json of ptum reproduce", "ptum.checks.reproduce.results", "PanelJson"
    ),
    "validate": JsonShape(
        "output of ptum validate … --json FILE", "ptum.checks.judge.results.report", "Validation"
    ),
    "expect": JsonShape(
        "a file of ptum validate --expect FILE, as TOML",
        "ptum.checks.judge.results.expected",
        "Expected",
    ),
    "known-bad": JsonShape(
        "output of ptum validate --slips --json", "ptum.checks.judge.results.self_test", "SelfTest"
    ),
    "vectors": JsonShape(
        "a file of ptum vectors build", "ptum.checks.judge.results.vectors", "Vectors"
    ),
    "transcript": JsonShape(
        "a line of a recorded run of Algorithm 1", "ptum.checks.judge.programs.recorded", "Read"
    ),
    "exchange": JsonShape(
        "a line of ptum validate --save FILE",
        "ptum.checks.judge.messages.transcript",
        "TranscriptLine",
    ),
    "judge-message": JsonShape(
        "a line that the judge writes to a program",
        "ptum.checks.judge.messages.protocol",
        "FromJudge",
    ),
    "program-message": JsonShape(
        "a line that a program writes to the judge",
        "ptum.checks.judge.messages.protocol",
        "FromProgram",
    ),
}


def json_schema(name: str) -> dict[str, object]:
    """The JSON Schema of an output."""
    if name not in SHAPES:
        raise unknown("schema", name, SHAPES)
    found: dict[str, object] = msgspec.json.schema(SHAPES[name].type(), schema_hook=_anything)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | found


def _anything(kind: type) -> dict[str, object]:
    """Fields of a capability: their shapes are in docs/protocol.md, not in the schema."""
    if kind is not object:
        raise NotImplementedError
    return {"description": "any JSON value"}


def print_schema(name: str) -> None:
    """Print a schema."""
    print_json(json.dumps(json_schema(name), indent=2, ensure_ascii=False).encode() + b"\n")


def print_schemas() -> None:
    """Print what there is a schema of."""
    print(table(("schema", "of"), [(name, shape.says) for name, shape in SHAPES.items()]))
