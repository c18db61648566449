"""What the pages show of a claim beside its record: checks, counterexamples, code."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from ptum.checks.claims import registry
from ptum.checks.instances.counterexamples.catalogue import Counterexample, Numbers, cases_of
from ptum.checks.instances.numbers import is_table, text_of
from ptum.checks.site.drawings import drawn
from ptum.checks.site.prose import columns
from ptum.checks.suite import looseness, power
from ptum.checks.suite.attempts import reasons
from ptum.checks.suite.report import Report, Result, replay_command
from ptum.checks.suite.runner import expected_of
from ptum.checks.verdicts.attempts import checks_with_attempts
from ptum.checks.verdicts.check import Check, Profile
from ptum.spec import ledger
from ptum.spec.decisions import DECISIONS
from ptum.spec.errata import ERRATA
from ptum.spec.records import Claim, Decision, Erratum, Part
from ptum.spec.vocabulary import Rank, Status

ROOT = Path(__file__).resolve().parents[2]
"""The checkout, or the package of an installed wheel: both have reference/ and docs/ in it."""

AGAIN = "Drawn above."
NUMBERS_ALONE = "Nothing to draw: numbers or samples, with no task and no chain of tasks."
HALF = 60
"""Columns of a formula that half a page has room for."""


def label(claim: Claim) -> str:
    """As the paper calls it: Lemma 7; its id where it has no number."""
    if claim.number is None:
        return claim.id
    return f"{claim.kind.value.capitalize()} {claim.number}"


def statuses(claim: Claim) -> list[Status]:
    """The statuses of its parts, each once."""
    return list(dict.fromkeys(part.status for part in claim.parts))


@dataclass(frozen=True)
class CheckView:
    """A check with what is known of it without running it, and what a run saw."""

    check: Check
    expected: str
    power: str
    looseness: str
    closest: str
    replay: str
    seen: Result | None


def checks_of(part: Part, run: Report | None) -> list[CheckView]:
    """The checks of a part, as printed, as run and repaired."""
    names = [name for name, check in registry().items() if check.part == part.id]
    results = {} if run is None else {result.check: result for result in run.results}
    return [_view(registry()[name], results.get(name)) for name in names]


def _view(check: Check, seen: Result | None) -> CheckView:
    return CheckView(
        check=check,
        expected=_expected(check),
        power=_power(check),
        looseness=_looseness(check.id, seen),
        closest=str(reasons.closest_of(check.id)) if check.id in _attempted() else "",
        replay=seen.replay if seen else replay_command(check.id, Profile.QUICK, 0, None),
        seen=seen,
    )


def _expected(check: Check) -> str:
    return " or ".join(sorted(verdict.value for verdict in expected_of(check)))


def _power(check: Check) -> str:
    """What the standard profile sees with power 0.9."""
    for row in power.rows(Profile.STANDARD, [check]):
        named = [] if row.least is None else [f"P(failure) ≥ {row.least:.2f} on a named instance"]
        rare = [] if row.rarest is None else [f"one bad instance in {int(row.rarest)}"]
        allowed = f"allowed: {power.allowed_of(row.plan)}"
        return "; ".join((*named, *rare, allowed)) if named or rare else row.plan.reason or ""
    return ""


@cache
def _stored() -> dict[str, looseness.MeasuredBound]:
    return {bound.check: bound for bound in looseness.stored().bounds}


def _looseness(check: str, seen: Result | None) -> str:
    """bound/observed of the run, else of the stored one: least, median, most."""
    stored = _stored().get(check)
    numbers = (seen and seen.looseness) or (stored and stored.looseness)
    if not numbers:
        return ""
    low, _, middle, _, high = map(looseness.shown, numbers)
    return f"{low} / {middle} / {high}"


@cache
def _attempted() -> frozenset[str]:
    return frozenset(checks_with_attempts())


# Counterexamples


@dataclass(frozen=True)
class ShownCase:
    """A counterexample: its pictures, or why there are none, and its numbers."""

    check: str
    claimed: str
    verdict: str
    says: str
    fix: str
    pictures: list[tuple[str, str]]
    not_drawn: str
    numbers: list[tuple[str, object]]


def cases_behind(checks: tuple[str, ...]) -> list[ShownCase]:
    """The counterexamples that checks run, each once."""
    found: list[Counterexample[Any]] = []
    listed: list[ShownCase] = []
    for check in checks:
        for case in cases_of(check):
            if not any(case is known for known in found):
                found.append(case)
                listed.append(_case(check, case, listed))
    return listed


def _case(check: str, case: Counterexample[Any], known: list[ShownCase]) -> ShownCase:
    """Pictures that stand above already are not shown again."""
    numbers = case.numbers(case.instance)
    pictures = drawn(numbers)
    again = bool(pictures) and any(pictures == other.pictures for other in known)
    judged = registry()[check]
    return ShownCase(
        check=check,
        claimed=_claimed(judged),
        verdict=_expected(judged),
        says=judged.says,
        fix=case.fix,
        pictures=[] if again else pictures,
        not_drawn="" if pictures and not again else AGAIN if again else NUMBERS_ALONE,
        numbers=_rows(numbers),
    )


def _claimed(check: Check) -> str:
    """What the paper says, in the reading that the check looks at."""
    _, part = ledger.part(check.part)
    read = [f"Read as: {r.says}" for r in part.readings if r.id == check.reading]
    return " ".join((part.says, *read))


def _rows(numbers: Numbers) -> list[tuple[str, object]]:
    """Texts of numbers; tables as rows of texts, tables of tables one below the other."""
    return [(name, _cells(value) if is_table(value) else text_of(value)) for name, value in numbers]


def _cells(value: object) -> list[list[str]]:
    assert isinstance(value, tuple)
    if all(is_table(part) for part in value):
        return [row for part in value for row in _cells(part)]
    return [[text_of(cell) for cell in row] for row in value]


def refuting(claim: Claim) -> tuple[str, ...]:
    """The checks that refute a part of a claim or one of its readings."""
    return tuple(check for part in claim.parts for check in _refuting(part))


def _refuting(part: Part) -> Iterator[str]:
    own = [(part.status, part.checks), *((r.status, r.checks) for r in part.readings)]
    return (c for status, checks in own if status is Status.REFUTED for c in checks)


def errata_of(claim: Claim) -> list[Erratum]:
    """The errata that touch a claim, heaviest first."""
    parts = {part.id for part in claim.parts}
    return [e for e in ledger.errata_by_weight() if parts.intersection(e.touches)]


def rank(erratum: Erratum) -> str:
    """Its rank, or that it was withdrawn."""
    return "withdrawn" if erratum.withdrawn else erratum.rank.value


def counts() -> dict[str, int]:
    """How many parts have each status, and errata each rank."""
    table = {s.value: sum(part.status is s for _, part in ledger.parts()) for s in Status}
    table |= {r.value: sum(rank(e) == r.value for e in ERRATA) for r in Rank}
    return {**table, "claims": len(ledger.CLAIMS), "checks": len(registry())}


# Code


@dataclass(frozen=True)
class SourceCode:
    """A function of reference/: its text and where it stands."""

    name: str
    file: str
    line: int
    text: str

    @property
    def page(self) -> str:
        """Its page below source/."""
        return f"{self.file.removesuffix('.py')}.html"


def code_of(name: str) -> SourceCode:
    """The text of what a dotted name of the ledger leads to; of a constant only its place."""
    found, module = ledger.load(name), inspect.getmodule(ledger.load(name))
    home = module if isinstance(module, ModuleType) else None
    short = name.partition(":")[2]
    if home is None or not (inspect.isfunction(found) or inspect.isclass(found)):
        path = name.partition(":")[0].removeprefix("ptum.").replace(".", "/")
        return SourceCode(short, f"{path}.py", 1, "")
    file = Path(inspect.getsourcefile(found) or "").resolve().relative_to(ROOT)
    lines, first = inspect.getsourcelines(found)
    return SourceCode(short, file.as_posix(), first, "".join(lines))


def codes_of(claim: Claim) -> list[tuple[str, SourceCode]]:
    """The functions of a claim and those of its repairs, with the version that they are of."""
    mended = [name for part in claim.parts if part.repair for name in part.repair.reference]
    named = dict.fromkeys(claim.reference, "printed")
    named |= {name: "repaired" for name in mended if name not in named}
    return [(version, code_of(name)) for name, version in named.items()]


def repaired_formulas(claim: Claim) -> list[str]:
    """The formulas of its repairs, each once."""
    named = (name for part in claim.parts if part.repair for name in part.repair.formulas)
    return list(dict.fromkeys(named))


def touched(erratum: Erratum) -> list[str]:
    """The claims whose parts an erratum touches."""
    return list(dict.fromkeys(part.partition(".")[0] for part in erratum.touches))


def decisions_of(claim: Claim) -> list[Decision]:
    """The decisions that a claim takes."""
    return [decision for decision in DECISIONS if decision.id in claim.decisions]


def wide(names: list[str]) -> bool:
    """Whether formulas need the whole width of a page, so that they cannot stand side by side."""
    return any(columns(name) > HALF for name in names)
