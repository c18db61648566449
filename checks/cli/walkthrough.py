"""`ptum show ERRATUM --run`: the counterexamples behind an erratum, walked through with numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ptum.checks.claims import registry
from ptum.checks.cli.output.explain import story_lines
from ptum.checks.cli.output.files import STDOUT, indented, require_writable, write_whole
from ptum.checks.cli.output.formatting import (
    EXIT_AS_EXPECTED,
    EXIT_SURPRISE,
    Refusal,
    plural,
    wrapped,
)
from ptum.checks.cli.output.numbers import as_json, number_lines
from ptum.checks.cli.schemas import CaseJson, NumberJson, StatementJson, WalkJson, WalkthroughJson
from ptum.checks.cli.show import print_record, resolve
from ptum.checks.exact.numbers import Number
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers, Told, cases_of
from ptum.checks.suite.runner import run
from ptum.checks.verdicts.check import Profile
from ptum.checks.verdicts.outcome import Outcome, Statement, Walk, from_walk
from ptum.spec import ledger
from ptum.spec.records import Claim, Decision, ErrataGroup, Erratum, Part
from ptum.spec.vocabulary import Status, Verdict

SEED = 0
LEGEND = (
    "understood: the reading of an ambiguous claim that is refuted; margin: how far the two sides "
    "of the conclusion are apart; undone: the same with the one number put right that breaks the "
    "claim; on it: what the repaired claim says on this instance; sibling: an instance inside the "
    "repaired premise, on which the repaired claim holds. "
    "Fractions and whole numbers are exact; ≈ stands before a number that is known between two "
    "fractions and told rounded; where doubles or trials decide, a line `rounded` says why"
)
INSIDE = " " * 4
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


def walk_through(identity: str, target: str | None, *, latex: bool = False) -> int:
    """Print the record with every counterexample, or save them; refused before anything is said."""
    record = resolve(identity)
    chosen = tuple(_checks(record))
    if not chosen:
        raise Refusal(f"{record.id} has no counterexample to run: {_why_none(record)}")
    require_writable(target)
    shown = [one for check, case in _cases(chosen) for one in (_shown(check, case),)]
    if target != STDOUT:
        print_record(identity, latex=latex)
        behind = plural(len(dict.fromkeys(chosen)), "check")
        print(f"\n{plural(len(shown), 'counterexample')} behind {behind}\n")
        print("\n".join(line for one in shown for line in _lines(one)))
        print("\n".join(wrapped(LEGEND)))
    if target is not None:
        walked = WalkthroughJson(record.id, [_case_json(one) for one in shown])
        write_whole(target, indented(walked))
    return EXIT_AS_EXPECTED if all(one.expected for one in shown) else EXIT_SURPRISE


def _why_none(record: ledger.Record | Part) -> str:
    match record:
        case Erratum() if record.withdrawn:
            return f"it was withdrawn, for the reason that `ptum show {record.id}` tells"
        case Erratum():
            return (
                f"none is recorded; what is wrong (severity: {record.severity}) stands in "
                f"`ptum show {record.id}`"
            )
        case ErrataGroup():
            listed = ", ".join(erratum.id for erratum in ledger.members(record))
            return f"a group tells the story of its errata; run one of {listed}"
        case Decision():
            return "a decision chooses between readings, and claims nothing"
        case Claim(parts=(), link=link) if link is not None:
            return f"it has no parts of its own; see `ptum show {link.target} --run`"
        case Claim():
            return "no part of it is refuted"
        case Part():
            return f"it is not refuted (status: {record.status})"


def _checks(record: ledger.Record | Part) -> Iterator[str]:
    """An erratum that stands names its own; of a claim, whatever refutes a part or a reading."""
    if isinstance(record, Erratum):
        return iter(() if record.withdrawn else record.counterexamples)
    if isinstance(record, Decision | ErrataGroup):
        return iter(())
    parts = record.parts if isinstance(record, Claim) else (record,)
    return (check for part in parts for check in _refuting(part))


def _refuting(part: Part) -> list[str]:
    own = [(part.status, part.checks)]
    readings = [(reading.status, reading.checks) for reading in part.readings]
    return [c for status, checks in own + readings if status is Status.REFUTED for c in checks]


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
    yield f"{shown.check} ({claim.section}){_which(shown)}"
    yield from _others(shown)
    yield from wrapped(part.says, "  claim      ")
    reading = _reading(part, shown.check)
    if reading is not None:
        yield from wrapped(reading, "  understood ")
    if shown.case is not None and shown.case.inexact:
        yield from wrapped(shown.case.inexact, "  rounded    ")
    if shown.case is not None:
        yield "  instance"
        yield from number_lines(shown.case.numbers())
    yield from story_lines(shown.printed.outcome.story, "  ")
    verdict = shown.printed.outcome.verdict.value
    yield f"  verdict    {verdict}" + ("" if shown.expected else " (not all is as expected)")
    if shown.case is not None and shown.undone is not None:
        yield from wrapped(
            f"{shown.case.undo}: {shown.undone.outcome.verdict.value}", "  undone     "
        )
    if part.repair:
        yield from wrapped(part.repair.says, "  repair     ")
    if shown.case is not None and shown.case.repair_inexact:
        yield from wrapped(shown.case.repair_inexact, "  rounded    ")
    yield from _on_it(shown)
    yield from _of_sibling(shown)
    yield ""


def _reading(part: Part, check: str) -> str | None:
    """How an ambiguous part is understood where the check refutes it."""
    return next((reading.says for reading in part.readings if check in reading.checks), None)


def _which(shown: Shown) -> str:
    """A check may run several instances."""
    cases = cases_of(shown.check)
    if shown.case is None or len(cases) < 2:
        return ""
    return f", instance {cases.index(shown.case) + 1} of {len(cases)}"


def _others(shown: Shown) -> Iterator[str]:
    """The other checks that run the same instance."""
    others = [c for c in shown.case.checks if c != shown.check] if shown.case else []
    if others:
        yield from wrapped(", ".join(others), "  also refutes: ")


def _on_it(shown: Shown) -> Iterator[str]:
    """How the repair deals with the instance."""
    if shown.repaired is not None:
        yield from wrapped(_coping(shown.repaired), "  on it      ")
        if shown.repaired.outcome.verdict is not Verdict.ASSUMPTION_NOT_MET:
            yield from story_lines(shown.repaired.outcome.story, INSIDE)


def _coping(found: Found) -> str:
    if found.outcome.verdict is not Verdict.ASSUMPTION_NOT_MET:
        return f"the repaired claim {found.outcome.verdict.value}"
    failed = [] if found.walk is None else [p for p in found.walk.premises if not p.holds]
    return "excluded by the repaired premise: " + "; ".join(map(str, failed))


def _of_sibling(shown: Shown) -> Iterator[str]:
    """How the repair deals with an instance inside its premise, and what that instance is."""
    if shown.case is None or shown.sibling is None:
        return
    verdict = shown.sibling.outcome.verdict.value
    yield f"  sibling    inside the repaired premise it {verdict}"
    yield f"{INSIDE}instance, which is otherwise the one above"
    yield from number_lines(_other_numbers(shown.case), f"{INSIDE}  ")
    yield from story_lines(shown.sibling.outcome.story, INSIDE)


def _other_numbers(case: Case) -> Numbers:
    """Numbers of the sibling that are not those of the instance."""
    known = case.numbers()
    return tuple(n for n in (case.sibling_numbers or tuple)() if n not in known)


# JSON


def _case_json(shown: Shown) -> CaseJson:
    _, part = ledger.part(registry()[shown.check].part)
    case = shown.case
    return CaseJson(
        checks=[shown.check] if case is None else list(case.checks),
        claim=part.says,
        reading=_reading(part, shown.check),
        numbers=_numbers_json(case.numbers) if case else [],
        printed=_walk_json(shown.printed),
        undo=case.undo if case else None,
        undone=_walk_json(shown.undone) if shown.undone else None,
        repair=part.repair.says if part.repair else None,
        repaired=_walk_json(shown.repaired) if shown.repaired else None,
        sibling=_walk_json(shown.sibling) if shown.sibling else None,
        sibling_numbers=_numbers_json(case.sibling_numbers) if case else [],
    )


def _numbers_json(numbers: Callable[[], Numbers] | None) -> list[NumberJson]:
    return [NumberJson(name, as_json(value)) for name, value in (numbers or tuple)()]


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
