"""`ptum show`: one record in full."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from checks.cli.words import unknown
from spec import ledger
from spec.records import Claim, Decision, Erratum, Part

WIDTH = 96


def print_record(identity: str, *, latex: bool) -> None:
    """Print the record, or the claim that the part belongs to."""
    print("\n".join(describe(identity, latex=latex)))


def describe(identity: str, *, latex: bool) -> Iterator[str]:
    """The lines about a record."""
    part_owner = {part.id: claim.id for claim, part in ledger.parts()}
    wanted = _padded(identity.partition("/")[0])  # a check is shown with the claim it is about
    try:
        record = ledger.find(part_owner.get(wanted, wanted))
    except ledger.UnknownIdError:
        raise unknown("id", identity, (*ledger.records(), *part_owner)) from None
    if isinstance(record, Decision):
        return _decision(record)
    if isinstance(record, Erratum):
        return _erratum(record)
    return _claim(record, latex=latex)


def _padded(identity: str) -> str:
    """D6 and e1 are understood as D06 and E01."""
    letter, number = identity[:1].upper(), identity[1:]
    return f"{letter}{int(number):02}" if letter in ("D", "E") and number.isdigit() else identity


def _claim(claim: Claim, *, latex: bool) -> Iterator[str]:
    place = claim.section + (f", label {claim.label}" if claim.label else "")
    yield f"{claim.id} · {claim.title} ({place})"
    yield ""
    yield from _wrapped(claim.statement)
    if claim.link:
        yield f"{claim.link.relation.value}: {claim.link.target}"
    yield from _formulas(claim.formulas, latex=latex)
    yield from _list("assumes", claim.assumes)
    yield from _list("uses", claim.uses)
    yield from _list("needed by", ledger.supports(claim.id))
    yield from _list("reference", claim.reference)
    for part in claim.parts:
        yield from _part(part, latex=latex)
    for identity in claim.decisions:
        decision = ledger.find(identity)
        if isinstance(decision, Decision):
            yield ""
            yield from _wrapped(f"decision {decision.id}: {decision.question} → {decision.choice}")


def _part(part: Part, *, latex: bool) -> Iterator[str]:
    yield ""
    yield f"{part.id}: {part.status} (proof {part.proof}, evidence {part.evidence})"
    yield from _wrapped(part.says, "  says       ")
    yield from _wrapped(part.reason, "  because    ")
    for reading in part.readings:
        yield from _wrapped(f"{reading.status}: {reading.says}", "  reading    ")
        yield from _list("  checks     ", reading.checks)
    yield from _list("  checks     ", part.checks)
    if part.unchecked:
        yield from _wrapped(part.unchecked, "  unchecked  ")
    if part.repair:
        yield from _wrapped(part.repair.says, "  repair     ")
        yield from _list("  errata     ", part.repair.errata)
        yield from _list("  checks     ", part.repair.checks)
        yield from _formulas(part.repair.formulas, latex=latex)


def _formulas(names: Iterable[str], *, latex: bool) -> Iterator[str]:
    for name in names:
        from spec.algebra import to_latex, to_unicode

        formula = ledger.formula(name)
        yield ""
        yield f"  {name.partition(':')[2].lower().replace('_', ' ')}"
        yield textwrap.indent(to_latex(formula) if latex else to_unicode(formula), "    ")


def _decision(decision: Decision) -> Iterator[str]:
    yield f"{decision.id} · {decision.place}"
    yield ""
    yield from _wrapped(decision.question, "question   ")
    for option in decision.options:
        yield from _wrapped(option, "option     ")
    yield from _wrapped(decision.choice, "choice     ")
    yield from _wrapped(decision.why, "why        ")
    yield from _wrapped(decision.otherwise, "otherwise  ")
    yield from _list("taken by", (c.id for c in ledger.CLAIMS if decision.id in c.decisions))


def _erratum(erratum: Erratum) -> Iterator[str]:
    yield f"{erratum.id} · {erratum.title} ({erratum.severity})"
    yield ""
    yield from _wrapped(erratum.wrong, "wrong       ")
    yield from _wrapped(erratum.breaks_at, "breaks at   ")
    yield from _wrapped(f"{erratum.repair} ({erratum.support})", "repair      ")
    yield from _wrapped(erratum.cost, "cost        ")
    yield from _wrapped(erratum.still_stands, "still stands ")
    yield from _list("touches", erratum.touches)


def _wrapped(text: str, head: str = "") -> Iterator[str]:
    yield from textwrap.wrap(
        text,
        WIDTH,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _list(head: str, items: Iterable[str]) -> Iterator[str]:
    listed = tuple(items)
    if listed:
        yield from _wrapped(", ".join(listed), f"{head}: " if not head.endswith(" ") else head)
