"""`ptum show ERRATUM --run`: the counterexamples behind an erratum, walked through with numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from checks.cli.files import require_writable, write_whole
from checks.cli.numbers import as_json, number_lines
from checks.cli.schemas import CaseJson, NumberJson, StatementJson, WalkJson, WalkthroughJson
from checks.cli.show import resolve
from checks.cli.words import EXIT_AS_EXPECTED, EXIT_SURPRISE, Refusal, plural, wrapped
from checks.counterexamples.catalogue import Case, Told, cases_of
from checks.outcome import Number, Outcome, Statement, Walk, from_walk
from checks.registry import Profile, registry
from checks.runner import run
from spec import ledger
from spec.records import Claim, Erratum, Part
from spec.vocabulary import Verdict

SEED = 0
COPES = (Verdict.HOLDS, Verdict.ASSUMPTION_NOT_MET)
"""What a repair may say on the instance: it holds there, or its premise excludes it."""


@dataclass(frozen=True)
class Found:
    """What a walk, or a number of trials, says."""

    outcome: Outcome
    walk: Walk | None


@dataclass(frozen=True)
class Shown:
    """A case with everything evaluated; a check without a case shows its own outcome only."""

    check: str
    case: Case | None
    printed: Found
    expected: bool
    undone: Found | None = None
    repaired: Found | None = None
    sibling: Found | None = None


def walk_through(identity: str, target: str | None) -> int:
    """Print and save every counterexample of the record."""
    record = resolve(identity)
    chosen = tuple(_checks(record)) if isinstance(record, Erratum | Claim) else ()
    if not chosen:
        raise Refusal(
            f"{record.id} has no counterexample to run; `ptum show {record.id}` tells why"
        )
    require_writable(target)
    shown = [one for check, case in _cases(chosen) for one in (_shown(check, case),)]
    print(f"{plural(len(shown), 'counterexample')}\n")
    print("\n".join(line for one in shown for line in _lines(one)))
    if target is not None:
        walked = WalkthroughJson(record.id, [_case_json(one) for one in shown])
        write_whole(target, msgspec.json.format(msgspec.json.encode(walked), indent=2) + b"\n")
    return EXIT_AS_EXPECTED if all(one.expected for one in shown) else EXIT_SURPRISE


def _checks(record: Erratum | Claim) -> Iterator[str]:
    """An erratum names its own; of a claim, whatever refutes a part or a reading."""
    if isinstance(record, Erratum):
        return iter(record.counterexamples)
    return (check for part in record.parts for check in _refuting(part))


def _refuting(part: Part) -> list[str]:
    own = [(part.status.value, part.checks)]
    readings = [(reading.status.value, reading.checks) for reading in part.readings]
    return [c for status, checks in own + readings if status == "refuted" for c in checks]


def _cases(checks: tuple[str, ...]) -> list[tuple[str, Case | None]]:
    """The cases of all checks, each once and under the first check that runs it."""
    listed: list[tuple[str, Case | None]] = []
    for check in dict.fromkeys(checks):
        cases = cases_of(check)
        listed += [(check, case) for case in cases if all(case is not known for _, known in listed)]
        if not cases:
            listed.append((check, None))
    return listed


def _shown(check: str, case: Case | None) -> Shown:
    if case is None:
        (row,) = run((registry()[check],), Profile.QUICK, SEED)
        return Shown(check, None, Found(row.outcome, None), row.as_expected)
    printed, undone = _found(case.told), _found(case.undone)
    repaired = _found(case.repaired) if case.repaired else None
    sibling = _found(case.sibling) if case.sibling else None
    expected = (
        printed.outcome.verdict is Verdict.VIOLATED
        and undone.outcome.verdict is Verdict.HOLDS
        and (repaired is None or repaired.outcome.verdict in COPES)
        and (sibling is None or sibling.outcome.verdict is Verdict.HOLDS)
    )
    return Shown(check, case, printed, expected, undone, repaired, sibling)


def _found(told: Told) -> Found:
    found = told()
    return Found(from_walk(found), found) if isinstance(found, Walk) else Found(found, None)


# Text


def _lines(shown: Shown) -> Iterator[str]:
    claim, part = ledger.part(registry()[shown.check].part)
    yield f"{shown.check} ({claim.section})"
    yield from wrapped(part.says, "  claim      ")
    if shown.case is not None:
        yield "  instance"
        yield from number_lines(shown.case.numbers())
    yield from _story(shown.printed)
    verdict = shown.printed.outcome.verdict.value
    yield f"  verdict    {verdict}" + ("" if shown.expected else " (not all is as expected)")
    if shown.case is not None and shown.undone is not None:
        yield from wrapped(
            f"{shown.case.undo}: {shown.undone.outcome.verdict.value}", "  undone     "
        )
    if part.repair:
        yield from wrapped(part.repair.says, "  repair     ")
    yield from _of_repair(shown)
    yield ""


def _story(found: Found) -> Iterator[str]:
    for line in found.outcome.story:
        yield from wrapped(line, "  ") if found.walk is None else _hanging(line)


def _hanging(line: str) -> Iterator[str]:
    """Story lines begin with a word in eleven columns; formulas are left as they are."""
    word, rest = line[:11], line[11:]
    known = word.strip() in ("premise", "conclusion", "margin")
    yield from wrapped(rest, f"  {word}") if known else (f"  {line}",)


def _of_repair(shown: Shown) -> Iterator[str]:
    """How the repair deals with the instance, and with a sibling inside its premise."""
    if shown.repaired is not None:
        yield from wrapped(_coping(shown.repaired), "  on it      ")
    if shown.sibling is not None:
        yield from wrapped(
            f"inside the repaired premise it {_told_result(shown.sibling)}", "  sibling    "
        )


def _coping(found: Found) -> str:
    if found.outcome.verdict is not Verdict.ASSUMPTION_NOT_MET:
        return f"the repaired claim {_told_result(found)}"
    failed = [] if found.walk is None else [p for p in found.walk.premises if not p.holds]
    return "excluded by the repaired premise: " + "; ".join(map(str, failed))


def _told_result(found: Found) -> str:
    told = str(found.walk.conclusion) if found.walk else "; ".join(found.outcome.story)
    return f"{found.outcome.verdict.value}: {told}"


# JSON


def _case_json(shown: Shown) -> CaseJson:
    _, part = ledger.part(registry()[shown.check].part)
    case = shown.case
    return CaseJson(
        checks=[shown.check] if case is None else list(case.checks),
        claim=part.says,
        numbers=[
            NumberJson(name, as_json(value)) for name, value in (case.numbers() if case else ())
        ],
        printed=_walk_json(shown.printed),
        undo=case.undo if case else None,
        undone=_walk_json(shown.undone) if shown.undone else None,
        repair=part.repair.says if part.repair else None,
        repaired=_walk_json(shown.repaired) if shown.repaired else None,
        sibling=_walk_json(shown.sibling) if shown.sibling else None,
    )


def _walk_json(found: Found) -> WalkJson:
    walk = found.walk
    return WalkJson(
        verdict=found.outcome.verdict.value,
        premises=[_statement_json(p) for p in walk.premises] if walk else [],
        conclusion=_statement_json(walk.conclusion) if walk else None,
        story=list(found.outcome.story),
    )


def _statement_json(statement: Statement) -> StatementJson:
    return StatementJson(
        text=statement.text,
        left=_number_json(statement.left),
        sign=statement.sign,
        right=_number_json(statement.right),
        holds=statement.holds,
        margin=_number_json(statement.margin),
    )


def _number_json(number: Number) -> int | float | str:
    value = as_json(number)
    assert isinstance(value, int | float | str)
    return value
