"""The shapes of all JSON outputs; their schemas are generated from the same types."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec

from checks.cli.words import table, unknown


class PartJson(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a claim, with its truth as printed."""

    id: str
    says: str
    status: str
    proof: str
    evidence: str
    checks: list[str]
    repair: str | None
    repair_checks: list[str]
    unchecked: str | None


class ClaimJson(msgspec.Struct, frozen=True, kw_only=True):
    """One record of the ledger: an item of the paper, a decision or an erratum."""

    id: str
    kind: str
    section: str
    statement: str
    number: int | None = None
    label: str | None = None
    link: str | None = None
    uses: list[str] = []
    assumes: list[str] = []
    formulas: list[str] = []
    reference: list[str] = []
    decisions: list[str] = []
    parts: list[PartJson] = []


class ClaimsJson(msgspec.Struct, frozen=True):
    """Output of `ptum claims --json`."""

    claims: list[ClaimJson]


Value: TypeAlias = Annotated[
    object, msgspec.Meta(extra_json_schema={"type": ["number", "string", "boolean", "array"]})
]
"""A number, text, or an array of values."""


class NumberJson(msgspec.Struct, frozen=True):
    """One number, vector or table of an instance; a fraction is text p/q."""

    name: str
    value: Value


class StatementJson(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison with its numbers; those that are no JSON numbers are text."""

    text: str
    left: int | float | str
    sign: str
    right: int | float | str
    holds: bool
    margin: float | str


class WalkJson(msgspec.Struct, frozen=True, kw_only=True):
    """Premises, conclusion and verdict; a claim about chance has its story instead."""

    verdict: str
    premises: list[StatementJson]
    conclusion: StatementJson | None
    story: list[str]


class CaseJson(msgspec.Struct, frozen=True, kw_only=True):
    """One counterexample: its numbers, the printed walk, and what the repair says on it.

    `sibling` is the repaired walk on another instance: `sibling_recipe` is the call that builds
    it, `sibling_numbers` has its numbers where they are known.
    """

    checks: list[str]
    claim: str
    numbers: list[NumberJson]
    printed: WalkJson
    undo: str | None
    undone: WalkJson | None
    repair: str | None
    repaired: WalkJson | None
    sibling: WalkJson | None
    sibling_numbers: list[NumberJson]
    sibling_recipe: str | None


class WalkthroughJson(msgspec.Struct, frozen=True):
    """Output of `ptum show ID --run --json FILE`."""

    record: str
    cases: list[CaseJson]


class CheckJson(msgspec.Struct, frozen=True, kw_only=True):
    """One check, and the verdicts that the ledger expects of it."""

    check: str
    claim: str
    part: str
    reading: str | None
    version: str
    kind: str
    says: str
    expected: list[str]
    alpha: float


class ListJson(msgspec.Struct, frozen=True):
    """Output of `ptum verify --list --json FILE`."""

    checks: list[CheckJson]


@dataclass(frozen=True)
class Shape:
    """Something in JSON: where it comes from, and where its type is defined."""

    says: str
    module: str
    name: str

    def type(self) -> object:
        """The type, imported when it is asked for."""
        return getattr(importlib.import_module(self.module), self.name)


SHAPES = {
    "claims": Shape("output of ptum claims --json", __name__, "ClaimsJson"),
    "show": Shape("output of ptum show ID --run --json FILE", __name__, "WalkthroughJson"),
    "list": Shape("output of ptum verify --list --json FILE", __name__, "ListJson"),
    "verify": Shape("output of ptum verify --json FILE", "checks.report", "Report"),
    "validate": Shape("output of ptum validate … --json FILE", "checks.judge.report", "Validation"),
    "known-bad": Shape(
        "output of ptum validate --known-bad --json", "checks.judge.not_asleep", "Vigil"
    ),
    "vectors": Shape("a file of ptum vectors build", "checks.judge.vectors", "Vectors"),
    "transcript": Shape("a line of a recorded run of Algorithm 1", "checks.judge.recorded", "Read"),
    "exchange": Shape("a line of ptum validate --save FILE", "checks.judge.transcript", "Line"),
    "judge-message": Shape(
        "a line that the judge writes to a program", "checks.judge.protocol", "FromJudge"
    ),
    "program-message": Shape(
        "a line that a program writes to the judge", "checks.judge.protocol", "FromProgram"
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
    print(json.dumps(json_schema(name), indent=2, ensure_ascii=False))


def print_schemas() -> None:
    """Print what there is a schema of."""
    print(table(("schema", "of"), [(name, shape.says) for name, shape in SHAPES.items()]))
