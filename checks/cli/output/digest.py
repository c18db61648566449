"""What a verification run says about the paper's numbered items, on one screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ptum.checks.cli.output.formatting import columns_of, folded, screen
from ptum.checks.cli.output.results import MARK, unexpected
from ptum.checks.suite.report import Report, Result
from ptum.spec import ledger
from ptum.spec.records import Claim, Erratum, Part
from ptum.spec.vocabulary import Rank, Status, Verdict, Version

BAD = (Status.REFUTED, Status.VACUOUS)
COLUMNS = 80
"""Columns of the digest where there is no screen, or a wider one."""

FEW_ERRATA = 2
"""Errata that are named for a part; the others are counted."""

PROOF_STEPS = {
    "corollary-1.exchange",
    "corollary-1.constant",
    "lemma-8.display",
    "lemma-8.same-steps",
    "lemma-11.pseudo-inverse",
    "lemma-11.inverse-norm",
    "lemma-11.constants",
}
"""Parts, refuted in some reading, that are steps of an item's proof, not what it states."""

HEADER = "paper", "as printed (errata, major if not said; +N: N more)", "repaired"


def digest(report: Report) -> Iterator[str]:
    """What is refuted or empty, what became of the repair, what only a reading refutes, counts."""
    results = _by_part(report.results)
    rows = [row for claim in ledger.CLAIMS for row in _item(claim, results)]
    if rows:
        yield from _laid([HEADER, *rows])
        yield ""
    by_reading = [name for claim in ledger.CLAIMS for name in _by_reading(claim, results)]
    if by_reading:
        head = "Refuted or vacuous in some readings: "
        yield from _lines(head + ", ".join(by_reading))
    if results:
        yield from _lines(_counted(results))


def _laid(rows: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """Three columns, of which the middle one gives way."""
    first, last = (max(columns_of(row[i]) for row in rows) for i in (0, 2))
    room = _columns() - first - last - 4
    for name, printed, repaired in rows:
        begun, *rest = folded(printed, room)
        yield f"{name:<{first}}  {begun:<{room}}  {repaired}"
        yield from (f"{'':<{first}}  {line}" for line in rest)


def _columns() -> int:
    return min(COLUMNS, screen() or COLUMNS)


def _by_part(results: Iterable[Result]) -> Mapping[str, Sequence[Result]]:
    """What was run, by the part that it is about."""
    found: dict[str, list[Result]] = {}
    for result in results:
        if not result.cut_off:
            found.setdefault(result.part, []).append(result)
    return found


def _item(claim: Claim, results: Mapping[str, Sequence[Result]]) -> Iterator[tuple[str, str, str]]:
    """A row for a numbered item of which a part is refuted or says nothing."""
    bad = [part for part in claim.parts if part.status in BAD and part.id in results]
    if claim.number is not None and bad:
        said: dict[str, list[str]] = {}
        for part in bad:
            said.setdefault(_printed(part, results[part.id]), []).append(_with_errata(part))
        printed = "; ".join(f"{word}: {', '.join(parts)}" for word, parts in said.items())
        yield _name(claim), printed, _repaired(bad, results)


def _name(claim: Claim) -> str:
    return f"{claim.kind.value.capitalize()} {claim.number}"


def _word(part: Part) -> str:
    word = part.id.rpartition(".")[2]
    return f"proof's {word}" if part.id in PROOF_STEPS else word


def _printed(part: Part, results: Sequence[Result]) -> str:
    """The status that the checks of the printed wording confirm, or what one says instead."""
    found = [result for result in results if result.version == Version.PRINTED.value]
    strange = [f"{result.verdict}{MARK}" for result in found if unexpected(result)]
    return next(iter(strange), part.status.value if found else "not run")


def _with_errata(part: Part) -> str:
    """correct (E02, E05 minor), proof's display (E09 minor): heaviest first, +N are N more."""
    named = part.repair.errata if part.repair else ()
    errata = [_ranked(e) for e in ledger.errata_by_weight() if e.id in named]
    more = f" +{len(errata) - FEW_ERRATA}" if len(errata) > FEW_ERRATA else ""
    return f"{_word(part)} ({', '.join(errata[:FEW_ERRATA])}{more})" if errata else _word(part)


def _ranked(erratum: Erratum) -> str:
    return erratum.id if erratum.rank is Rank.MAJOR else f"{erratum.id} {erratum.rank.value}"


def _repaired(parts: Sequence[Part], results: Mapping[str, Sequence[Result]]) -> str:
    """holds; else which part's repair does not, did not run, or has no check."""
    words = {_word(part): _repair(part, results[part.id]) for part in parts}
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    odd = [f"{name}: {word}" for name, word in words.items() if word != Verdict.HOLDS.value]
    return "; ".join((Verdict.HOLDS.value, *odd))


def _repair(part: Part, results: Sequence[Result]) -> str:
    if part.repair is None or not part.repair.checks:
        return "not checked"
    found = [result for result in results if result.version == Version.REPAIRED.value]
    strange = [result.verdict for result in found if unexpected(result)]
    if strange:
        return f"{strange[0]}{MARK}"
    return " or ".join(dict.fromkeys(result.verdict for result in found)) or "not run"


def _by_reading(claim: Claim, results: Mapping[str, Sequence[Result]]) -> Iterator[str]:
    """Numbered items that can be read in several ways, not all of which are right."""
    for part in claim.parts:
        wrong = any(reading.status in BAD for reading in part.readings)
        if claim.number is not None and wrong and part.id in results:
            yield f"{_name(claim)} ({_word(part)})"


def _counted(results: Mapping[str, Sequence[Result]]) -> str:
    """The truth of all parts that were looked at, sentences without a number among them."""
    parts = [part for _, part in ledger.parts() if part.id in results]
    counts = Counter(part.status for part in parts)
    listed = ", ".join(f"{status.value} {counts[status]}" for status in Status if counts[status])
    return f"{len(parts)} parts with checks, sentences without a number included: {listed}."


def _lines(text: str) -> list[str]:
    return folded(text, _columns())
