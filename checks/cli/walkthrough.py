"""`ptum show ERRATUM --run`: the counterexamples behind an erratum, with their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ptum.checks.claims import declared
from ptum.checks.cli.output.explain import explanation_lines
from ptum.checks.cli.output.files import STDOUT, indented, require_writable, write_whole
from ptum.checks.cli.output.formatting import (
    EXIT_AS_EXPECTED,
    EXIT_MISMATCH,
    Refusal,
    plural,
    wrapped,
)
from ptum.checks.cli.output.numbers import as_json, number_lines
from ptum.checks.cli.schemas import (
    CaseJson,
    EvaluationJson,
    NumberJson,
    StatementJson,
    WalkthroughJson,
)
from ptum.checks.cli.show import print_record, resolve
from ptum.checks.exact.numbers import Number
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    EvaluationOrOutcome,
    Numbers,
    cases_of,
)
from ptum.checks.verdicts.check import Profile
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, from_evaluation
from ptum.spec import ledger
from ptum.spec.records import Claim, Decision, ErrataGroup, Erratum, Part
from ptum.spec.vocabulary import Status, Verdict

SEED = 0
LEGEND = (
    "understood: the reading of an ambiguous claim that is refuted; margin: how far the two sides "
    "of the conclusion are apart; right side: that of the formula with these numbers; fixed: "
    "the same with the one number put right that breaks the claim; on it: what the repaired claim "
    "says on this instance; in scope: an instance inside the repaired premise, on which the "
    "repaired claim holds. "
    "Fractions and whole numbers are exact; ≈ stands before a number that is known between two "
    "fractions and printed rounded; where doubles or trials decide, a line `rounded` says why"
)
INSIDE = " " * 4
COPES = (Verdict.HOLDS, Verdict.ASSUMPTION_NOT_MET)
"""What a repair may say on the instance: it holds there, or its premise excludes it."""


@dataclass(frozen=True)
class VerdictShown:
    """What an evaluation, or a number of trials, says."""

    outcome: Outcome
    evaluation: Evaluation | None


@dataclass(frozen=True)
class Shown:
    """A case with everything evaluated; a check without a case shows its own outcome only."""

    check: str
    case: Counterexample[Any] | None
    printed: VerdictShown
    expected: bool
    fixed: VerdictShown | None = None
    repaired: VerdictShown | None = None
    in_scope: VerdictShown | None = None

    @property
    def part(self) -> str:
        """Id of the part that the check is about."""
        return self.check.partition("/")[0]


def run_counterexamples(identity: str, target: str | None, *, latex: bool = False) -> int:
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
        cases = WalkthroughJson(record.id, [_case_json(one) for one in shown])
        write_whole(target, indented(cases))
    return EXIT_AS_EXPECTED if all(one.expected for one in shown) else EXIT_MISMATCH


def _why_none(record: ledger.Record | Part) -> str:
    match record:
        case Erratum() if record.withdrawn:
            return f"it was withdrawn, for the reason given by `ptum show {record.id}`"
        case Erratum():
            return (
                f"none is recorded; what is wrong (severity: {record.severity}) stands in "
                f"`ptum show {record.id}`"
            )
        case ErrataGroup():
            listed = ", ".join(erratum.id for erratum in ledger.members(record))
            return f"a group explains what its errata have in common; run one of {listed}"
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


def _cases(checks: tuple[str, ...]) -> list[tuple[str, Counterexample[Any] | None]]:
    """The cases of all checks, each once and under the first check that runs it."""
    listed: list[tuple[str, Counterexample[Any] | None]] = []
    for check in dict.fromkeys(checks):
        cases = cases_of(check)
        listed += [(check, case) for case in cases if all(case is not known for _, known in listed)]
        if not cases:
            listed.append((check, None))
    return listed


def _shown(check: str, case: Counterexample[Any] | None) -> Shown:
    if case is None:
        from ptum.checks.suite.runner import run  # here: it takes long to load

        (row,) = run((declared(check),), Profile.QUICK, SEED)
        return Shown(check, None, VerdictShown(row.outcome, None), row.as_expected)
    printed, fixed = _found(case.evaluate(case.instance)), _found(case.evaluate(case.fixed))
    repaired = _found(case.repaired(case.instance)) if case.repaired else None
    in_scope = _found(case.repaired(case.in_scope)) if case.repaired else None
    expected = (
        printed.outcome.verdict is Verdict.VIOLATED
        and fixed.outcome.verdict is Verdict.HOLDS
        and (repaired is None or repaired.outcome.verdict in COPES)
        and (in_scope is None or in_scope.outcome.verdict is Verdict.HOLDS)
    )
    return Shown(check, case, printed, expected, fixed, repaired, in_scope)


def _found(found: EvaluationOrOutcome) -> VerdictShown:
    return (
        VerdictShown(from_evaluation(found), found)
        if isinstance(found, Evaluation)
        else VerdictShown(found, None)
    )


# Text


def _lines(shown: Shown) -> Iterator[str]:
    claim, part = ledger.part(shown.part)
    yield from wrapped(f"{shown.check} ({claim.section}){_which(shown)}")
    yield from _others(shown)
    yield from wrapped(part.says, "  claim      ")
    reading = _reading(part, shown.check)
    if reading is not None:
        yield from wrapped(reading, "  understood ")
    if shown.case is not None and shown.case.inexact:
        yield from wrapped(shown.case.inexact, "  rounded    ")
    if shown.case is not None:
        yield "  instance"
        yield from number_lines(shown.case.numbers(shown.case.instance))
    yield from explanation_lines(shown.printed.outcome.explanation, "  ")
    verdict = shown.printed.outcome.verdict.value
    yield f"  verdict    {verdict}" + ("" if shown.expected else " (unexpected)")
    if shown.case is not None and shown.fixed is not None:
        yield from wrapped(
            f"{shown.case.fix}: {shown.fixed.outcome.verdict.value}", "  fixed      "
        )
    if part.repair:
        yield from wrapped(part.repair.says, "  repair     ")
    if shown.case is not None and shown.case.repair_inexact:
        yield from wrapped(shown.case.repair_inexact, "  rounded    ")
    yield from _on_it(shown)
    yield from _of_in_scope(shown)
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
    others = [c for c in shown.case.ids if c != shown.check] if shown.case else []
    if others:
        yield from wrapped(", ".join(others), "  also refutes: ")


def _on_it(shown: Shown) -> Iterator[str]:
    """How the repair deals with the instance."""
    if shown.repaired is not None:
        yield from wrapped(_coping(shown.repaired), "  on it      ")
        if shown.repaired.outcome.verdict is not Verdict.ASSUMPTION_NOT_MET:
            yield from explanation_lines(shown.repaired.outcome.explanation, INSIDE)


def _coping(found: VerdictShown) -> str:
    if found.outcome.verdict is not Verdict.ASSUMPTION_NOT_MET:
        return f"the repaired claim {found.outcome.verdict.value}"
    failed = (
        [] if found.evaluation is None else [p for p in found.evaluation.premises if not p.holds]
    )
    return "excluded by the repaired premise: " + "; ".join(map(str, failed))


def _of_in_scope(shown: Shown) -> Iterator[str]:
    """How the repair deals with an instance inside its premise, and what that instance is."""
    if shown.case is None or shown.in_scope is None:
        return
    verdict = shown.in_scope.outcome.verdict.value
    yield f"  in scope   inside the repaired premise it {verdict}"
    yield f"{INSIDE}instance, which is otherwise the one above"
    yield from number_lines(_other_numbers(shown.case), f"{INSIDE}  ")
    yield from explanation_lines(shown.in_scope.outcome.explanation, INSIDE)


def _other_numbers(case: Counterexample[Any]) -> Numbers:
    """Numbers of the instance in scope that are not those of the instance."""
    known = case.numbers(case.instance)
    return tuple(number for number in case.numbers(case.in_scope) if number not in known)


# JSON


def _case_json(shown: Shown) -> CaseJson:
    _, part = ledger.part(shown.part)
    case = shown.case
    return CaseJson(
        checks=[shown.check] if case is None else list(case.ids),
        claim=part.says,
        reading=_reading(part, shown.check),
        numbers=_numbers_json(case.numbers(case.instance)) if case else [],
        printed=_evaluation_json(shown.printed),
        undo=case.fix if case else None,
        undone=_evaluation_json(shown.fixed) if shown.fixed else None,
        repair=part.repair.says if part.repair else None,
        repaired=_evaluation_json(shown.repaired) if shown.repaired else None,
        sibling=_evaluation_json(shown.in_scope) if shown.in_scope else None,
        sibling_numbers=(
            _numbers_json(case.numbers(case.in_scope)) if case and case.in_scope is not None else []
        ),
    )


def _numbers_json(numbers: Numbers) -> list[NumberJson]:
    return [NumberJson(name, as_json(value)) for name, value in numbers]


def _evaluation_json(found: VerdictShown) -> EvaluationJson:
    evaluation = found.evaluation
    return EvaluationJson(
        verdict=found.outcome.verdict.value,
        premises=[_statement_json(p) for p in evaluation.premises] if evaluation else [],
        conclusion=_statement_json(evaluation.conclusion) if evaluation else None,
        explanation=list(found.outcome.explanation),
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
