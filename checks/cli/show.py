"""`ptum show`: one record in full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ptum.checks.cli.claims import claim_json, part_json
from ptum.checks.cli.output.files import indented, require_writable, write_whole
from ptum.checks.cli.output.formatting import unknown, wrapped
from ptum.checks.cli.output.lookup import meant
from ptum.checks.suite.attempts import reasons
from ptum.spec import ledger
from ptum.spec.records import Claim, Decision, ErrataGroup, Erratum, Part


def print_record(identity: str, *, latex: bool) -> None:
    """Print the record, or the part of a claim."""
    print("\n".join(describe(identity, latex=latex)))


def print_record_json(identity: str, target: str) -> None:
    """The same for machines: a part is its claim with this part alone."""
    record = resolve(identity)
    require_writable(target)
    found = part_json(record) if isinstance(record, Part) else claim_json(record)
    write_whole(target, indented(found))


def describe(identity: str, *, latex: bool) -> Iterator[str]:
    """The lines about a record, or about a part alone."""
    match resolve(identity):
        case Decision() as decision:
            return _decision(decision)
        case Erratum() as erratum:
            return _erratum(erratum)
        case ErrataGroup() as group:
            return _group(group)
        case Part() as part:
            return _part_alone(part, latex=latex)
        case claim:
            return _claim(claim, latex=latex)


def resolve(identity: str) -> ledger.Record | Part:
    """The record or the part that is meant; a check stands for the part that it looks at."""
    if "/" in identity:
        _require_check(identity)
    return meant(identity.partition("/")[0])


def _require_check(identity: str) -> None:
    if identity not in ledger.checks():
        raise unknown("check", identity, ledger.checks())


def place_of(claim: Claim) -> str:
    """Where the paper says it."""
    return claim.section + (f", label {claim.label}" if claim.label else "")


def _claim(claim: Claim, *, latex: bool) -> Iterator[str]:
    yield from wrapped(f"{claim.id} · {claim.title} ({place_of(claim)})")
    yield ""
    yield from wrapped(claim.statement)
    if claim.link:
        yield f"{claim.link.relation.value}: {claim.link.target}"
    yield from _formulas(ledger.own_formulas(claim), latex=latex)
    yield from _list("assumes", claim.assumes)
    yield from _list("uses", claim.uses)
    yield from _list("needed by", ledger.supports(claim.id))
    yield from _code("code: ", claim.reference)
    for part in claim.parts:
        yield from _part(part, latex=latex)
    for identity in claim.decisions:
        decision = ledger.find(identity)
        if isinstance(decision, Decision):
            yield ""
            yield from wrapped(f"decision {decision.id}: {decision.question} → {decision.choice}")


def _part_alone(part: Part, *, latex: bool) -> Iterator[str]:
    """A part with the title of its claim, and its formulas, which a claim shows at its head."""
    claim, _ = ledger.part(part.id)
    yield from wrapped(f"of {claim.id} · {claim.title} ({place_of(claim)})")
    yield from _part(part, latex=latex)
    yield from _formulas(part.formulas, latex=latex)
    more = [other.id for other in claim.parts if other != part]
    yield ""
    yield from _list("other parts", more)
    yield f"the whole claim: ptum show {claim.id}"


def _part(part: Part, *, latex: bool) -> Iterator[str]:
    yield ""
    yield from wrapped(f"{part.id}: {part.status} (proof {part.proof}, evidence {part.evidence})")
    yield from wrapped(part.says, "  says       ")
    yield from wrapped(part.reason, "  because    ")
    for reading in part.readings:
        yield from wrapped(f"{reading.status}: {reading.says}", "  reading    ")
        yield from _list("  checks     ", reading.checks)
    yield from _list("  checks     ", part.checks)
    if part.unchecked:
        yield from wrapped(part.unchecked, "  unchecked  ")
    if part.as_run:
        yield from wrapped(part.as_run.says, "  as run     ")
        yield from _code("  code       ", part.as_run.reference)
        yield from _list("  checks     ", part.as_run.checks)
    if part.repair:
        yield from wrapped(part.repair.says, "  repair     ")
        yield from _list("  errata     ", part.repair.errata)
        yield from _list("  checks     ", part.repair.checks)
        yield from _formulas(part.repair.formulas, latex=latex)
    yield from _attempts(part)
    yield from _findings(part)


def _findings(part: Part) -> Iterator[str]:
    """What runs of the experiments say of a sentence about them, where results are at hand."""
    if part.id.startswith(("figure-", "text-")):
        from ptum.checks.reproduce.page import of_part  # here: panels take long to load
        from ptum.checks.reproduce.results import said

        for panel, found in of_part(part.id):
            yield from wrapped(f"{found.finding} in {panel}: {said(found)}", "  found      ")


def _attempts(part: Part) -> Iterator[str]:
    """How close deep searches came; of a part without one `unchecked` says why."""
    found = [f"{closest} ({check})" for check, closest in reasons.closest(part.id).items()]
    if found:
        yield from wrapped(f"{', '.join(found)}; above 1 breaks the claim", "  closest    ")


def _formulas(names: Iterable[str], *, latex: bool) -> Iterator[str]:
    for name in names:
        from ptum.checks.cli.output.formulas import formula_lines  # sympy takes a while

        yield ""
        yield f"  {name.partition(':')[2].lower().replace('_', ' ')}"
        yield from formula_lines(name, latex=latex, indent="    ")


def _decision(decision: Decision) -> Iterator[str]:
    yield from wrapped(f"{decision.id} · {decision.place}")
    yield ""
    yield from wrapped(decision.question, "question   ")
    for option in decision.options:
        yield from wrapped(option, "option     ")
    yield from wrapped(decision.choice, "choice     ")
    yield from _accepted(decision)
    yield from wrapped(decision.why, "why        ")
    yield from wrapped(decision.otherwise, "otherwise  ")
    yield from _list("taken by", (c.id for c in ledger.CLAIMS if decision.id in c.decisions))


def _accepted(decision: Decision) -> Iterator[str]:
    """The options that conform, of a decision of which the judge has readings."""
    from ptum.checks.judge.capabilities import capabilities  # here: the judge takes long to load

    readings = (reading for each in capabilities().values() for reading in each.readings)
    options = [option for reading in readings for option in sorted(reading)]
    found = dict.fromkeys(o.option for o in options if o.choice == decision.id)
    if found:
        yield from wrapped(f"by ptum validate: {'; '.join(found)}", "accepted   ")


def _erratum(erratum: Erratum) -> Iterator[str]:
    yield from wrapped(f"{erratum.id} · {erratum.title}")
    weight = "" if erratum.withdrawn else f"{erratum.rank} · {erratum.severity} · "
    yield from wrapped(f"{weight}{erratum.status} · group {erratum.group}")
    yield ""
    if erratum.withdrawn:
        yield from wrapped(erratum.withdrawn, "withdrawn   ")
        yield from ("", "what it said:", "")
    yield from _facts(erratum)
    yield from _list("touches", erratum.touches)
    if not erratum.withdrawn:
        yield from _list("counterexamples", erratum.counterexamples)
    yield f"explanation: ptum show {erratum.group}"


def _facts(erratum: Erratum) -> Iterator[str]:
    rows = (
        ("place", erratum.place),
        ("reading", erratum.reading),
        ("wrong", erratum.wrong),
        ("breaks at", erratum.breaks_at),
        ("repair", f"{erratum.repair} ({erratum.backing})"),
        ("cost", erratum.cost),
        ("still true", erratum.still_stands),
    )
    for head, text in rows:
        if text:
            yield from wrapped(text, f"{head:<12}")


def _group(group: ErrataGroup) -> Iterator[str]:
    rank = ledger.rank_of(group)
    yield from wrapped(f"{group.id} · {group.title} ({rank or 'withdrawn'})")
    yield ""
    yield from wrapped(group.explanation)
    yield ""
    for erratum in ledger.members(group):
        weight = erratum.status if erratum.withdrawn else erratum.rank
        yield from wrapped(erratum.title, f"{erratum.id}  {weight:<9}  ")


def _list(head: str, items: Iterable[str]) -> Iterator[str]:
    listed = tuple(items)
    if listed:
        yield from wrapped(", ".join(listed), f"{head}: " if not head.endswith(" ") else head)


def _code(head: str, names: Iterable[str]) -> Iterator[str]:
    """Functions by the module in which they stand, which is named once."""
    modules: dict[str, list[str]] = {}
    for name in names:
        module, _, function = name.partition(":")
        modules.setdefault(module, []).append(function)
    rows = "; ".join(f"{module}: {', '.join(found)}" for module, found in modules.items())
    yield from wrapped(rows, head) if rows else ()
