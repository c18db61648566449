"""`ptum claims` and `ptum graph`: the ledger as a table, as JSON, or as what rests on what."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ptum.checks.cli.output.files import indented, print_json
from ptum.checks.cli.output.formatting import Refusal, table, unknown, word_of
from ptum.checks.cli.schemas import (
    ClaimJson,
    ClaimsJson,
    DecisionJson,
    ErratumJson,
    PartJson,
    ReadingJson,
)
from ptum.checks.site.graph import as_dot, as_mermaid
from ptum.checks.text.schema_docs import shaped
from ptum.spec import ledger
from ptum.spec.decisions import DECISIONS
from ptum.spec.ledger import CLAIMS, errata_by_weight
from ptum.spec.records import Claim, Decision, ErrataGroup, Erratum, Part
from ptum.spec.vocabulary import Kind, Rank, Status

DECISION, ERRATUM, GROUP = "decision", "erratum", "group"


def print_graph(form: str) -> None:
    """Print the graph in the named format."""
    writers: dict[str, Callable[[], str]] = {"dot": as_dot, "mermaid": as_mermaid}
    if form not in writers:
        raise unknown("format", form, writers)
    print(writers[form]())


def print_claims(kind: str | None, status: str | None, rank: str | None, *, as_json: bool) -> None:
    """Print the records that match."""
    wanted = word_of(Status, "status", status) if status else None
    if wanted and kind in (DECISION, ERRATUM):
        raise Refusal(
            f"--status is the truth of parts of claims, and no {kind} has one; "
            "leave out --status or --kind"
        )
    if rank and kind != ERRATUM:
        raise Refusal("--rank goes with --kind erratum: nothing else has a rank")
    weight = word_of(Rank, "rank", rank) if rank else None
    records = errata(weight) if kind == ERRATUM else select(kind, wanted)
    if as_json:
        listed = [claim_json(record) for record in records]
        print_json(indented(ClaimsJson(listed)))
    else:
        print(as_table(records, wanted) if records else _nothing(kind, status))


def _nothing(kind: str | None, status: str | None) -> str:
    """Said in the place of a table without rows."""
    return f"no {kind or 'claim'} has a part that is {status}" if status else f"no {kind}"


def errata(rank: Rank | None) -> tuple[Erratum, ...]:
    """The errata of a rank, or all; those that were withdrawn have lost theirs and come last."""
    return tuple(
        e for e in errata_by_weight() if rank is None or (e.rank is rank and not e.withdrawn)
    )


def select(kind: str | None, status: Status | None) -> tuple[Claim | Decision, ...]:
    """The claims of a kind with a part of a status, or all decisions."""
    if kind == DECISION:
        return DECISIONS
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
        header = ("erratum", "rank", "severity", "group", "title")
        return table(header, [_erratum_row(e) for e in listed if isinstance(e, Erratum)])
    rows_of_claims = [row for c in listed if isinstance(c, Claim) for row in _claim_rows(c, status)]
    return table(("part", "section", "status", "proof", "evidence", "title"), rows_of_claims)


def _erratum_row(e: Erratum) -> tuple[str, ...]:
    stands = (e.rank.value, e.severity.value)
    return (e.id, *(("-", e.status.value) if e.withdrawn else stands), e.group, e.title)


def _claim_rows(claim: Claim, status: Status | None) -> list[tuple[str, ...]]:
    if not claim.parts:
        linked = f"{claim.link.relation.value} {claim.link.target}" if claim.link else "-"
        return [(claim.id, claim.section, linked, "-", "-", claim.title)]
    return [
        (p.id, claim.section, p.status.value, p.proof.value, p.evidence.value, claim.title)
        for p in claim.parts
        if status is None or p.status is status
    ]


def claim_json(record: ledger.Record) -> ClaimJson:
    """A record in the shape of the JSON output."""
    if isinstance(record, Decision):
        return ClaimJson(
            id=record.id,
            kind=DECISION,
            title=record.question,
            section=record.place,
            statement=f"{record.question} Choice: {record.choice}",
            decision=shaped(DecisionJson, record),
        )
    if isinstance(record, ErrataGroup):
        members = [erratum.id for erratum in ledger.members(record)]
        explained = {"statement": record.explanation, "members": members}
        return shaped(ClaimJson, record, kind=GROUP, section="", **explained)
    if isinstance(record, Erratum):
        return ClaimJson(
            id=record.id,
            kind=ERRATUM,
            title=record.title,
            section=", ".join(record.touches),
            statement=f"{record.wrong} Repair: {record.repair}",
            erratum=shaped(
                ErratumJson,
                record,
                withdrawn=record.withdrawn or None,
                given=record.given or None,
            ),
        )
    return shaped(
        ClaimJson,
        record,
        link=f"{record.link.relation.value} {record.link.target}" if record.link else None,
        parts=[_part_json(part) for part in record.parts],
    )


def part_json(part: Part) -> ClaimJson:
    """The claim of a part, with this part alone."""
    claim, _ = ledger.part(part.id)
    return claim_json(replace(claim, parts=(part,)))


def _part_json(p: Part) -> PartJson:
    return shaped(
        PartJson,
        p,
        checks=[*p.checks, *(c for r in p.readings for c in r.checks)],
        readings=[shaped(ReadingJson, reading) for reading in p.readings],
        as_run=p.as_run.says if p.as_run else None,
        as_run_checks=list(p.as_run.checks) if p.as_run else [],
        repair=p.repair.says if p.repair else None,
        errata=list(p.repair.errata) if p.repair else [],
        repair_checks=list(p.repair.checks) if p.repair else [],
    )
