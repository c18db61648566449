"""`ptum claims`: the ledger as a table or as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from ptum.checks.cli.files import indented
from ptum.checks.cli.schemas import ClaimJson, ClaimsJson, PartJson
from ptum.checks.cli.words import Refusal, table, unknown, word_of
from ptum.spec.decisions import DECISIONS
from ptum.spec.errata import ERRATA
from ptum.spec.ledger import CLAIMS
from ptum.spec.records import Claim, Decision, Erratum
from ptum.spec.vocabulary import Kind, Status

DECISION, ERRATUM = "decision", "erratum"


def print_claims(kind: str | None, status: str | None, *, as_json: bool) -> None:
    """Print the records that match."""
    wanted = word_of(Status, "status", status) if status else None
    if wanted and kind in (DECISION, ERRATUM):
        raise Refusal(f"no {kind} has a status; leave out --status or --kind")
    records = select(kind, wanted)
    if as_json:
        listed = [claim_json(record) for record in records]
        print(indented(ClaimsJson(listed)).decode(), end="")
    else:
        print(as_table(records, wanted))


def select(kind: str | None, status: Status | None) -> tuple[Claim | Decision | Erratum, ...]:
    """The records of a kind with a part of a status."""
    if kind == DECISION:
        return DECISIONS
    if kind == ERRATUM:
        return ERRATA
    kinds = (*(k.value for k in Kind), DECISION, ERRATUM)
    if kind is not None and kind not in kinds:
        raise unknown("kind", kind, kinds)
    return tuple(
        claim
        for claim in CLAIMS
        if (kind is None or claim.kind.value == kind)
        and (status is None or any(part.status is status for part in claim.parts))
    )


def as_table(records: Iterable[Claim | Decision | Erratum], status: Status | None) -> str:
    """One row for every part of a claim, or for every decision or erratum."""
    listed = tuple(records)
    first = listed[0] if listed else None
    if isinstance(first, Decision):
        rows = [(d.id, d.place, d.question) for d in listed if isinstance(d, Decision)]
        return table(("decision", "place", "question"), rows)
    if isinstance(first, Erratum):
        errata = [e for e in listed if isinstance(e, Erratum)]
        return table(
            ("erratum", "severity", "repair", "title"),
            [(e.id, e.severity.value, e.support.value, e.title) for e in errata],
        )
    rows_of_claims = [row for c in listed if isinstance(c, Claim) for row in _claim_rows(c, status)]
    return table(("part", "section", "status", "proof", "evidence", "title"), rows_of_claims)


def _claim_rows(claim: Claim, status: Status | None) -> list[tuple[str, ...]]:
    if not claim.parts:
        linked = f"{claim.link.relation.value} {claim.link.target}" if claim.link else "-"
        return [(claim.id, claim.section, linked, "-", "-", claim.title)]
    return [
        (p.id, claim.section, p.status.value, p.proof.value, p.evidence.value, claim.title)
        for p in claim.parts
        if status is None or p.status is status
    ]


def claim_json(record: Claim | Decision | Erratum) -> ClaimJson:
    """A record in the shape of the JSON output."""
    if isinstance(record, Decision):
        text = f"{record.question} Choice: {record.choice}"
        return ClaimJson(id=record.id, kind=DECISION, section=record.place, statement=text)
    if isinstance(record, Erratum):
        return ClaimJson(
            id=record.id,
            kind=ERRATUM,
            section=", ".join(record.touches),
            statement=f"{record.wrong} Repair: {record.repair}",
        )
    return ClaimJson(
        id=record.id,
        kind=record.kind.value,
        number=record.number,
        label=record.label,
        section=record.section,
        statement=record.statement,
        uses=list(record.uses),
        assumes=list(record.assumes),
        formulas=list(record.formulas),
        reference=list(record.reference),
        decisions=list(record.decisions),
        link=f"{record.link.relation.value} {record.link.target}" if record.link else None,
        parts=[
            PartJson(
                id=p.id,
                says=p.says,
                status=p.status.value,
                proof=p.proof.value,
                evidence=p.evidence.value,
                checks=[*p.checks, *(c for r in p.readings for c in r.checks)],
                as_run=p.as_run.says if p.as_run else None,
                as_run_checks=list(p.as_run.checks) if p.as_run else [],
                repair=p.repair.says if p.repair else None,
                repair_checks=list(p.repair.checks) if p.repair else [],
                unchecked=p.unchecked,
            )
            for p in record.parts
        ],
    )
