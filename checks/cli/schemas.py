"""The shapes of all JSON outputs; their schemas are generated from the same types."""

from __future__ import annotations

import json

import msgspec

from checks.cli.words import unknown
from checks.report import Report
from reference.transcript import Event


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


SHAPES = {"claims": ClaimsJson, "verify": Report, "transcript": Event}


def json_schema(name: str) -> dict[str, object]:
    """The JSON Schema of an output."""
    if name not in SHAPES:
        raise unknown("schema", name, SHAPES)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | msgspec.json.schema(
        SHAPES[name]
    )


def print_schema(name: str) -> None:
    """Print a schema."""
    print(json.dumps(json_schema(name), indent=2, ensure_ascii=False))
