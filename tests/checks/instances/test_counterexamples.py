"""Every counterexample bites: each premise is needed, one number decides, the repair copes."""

from __future__ import annotations

import importlib
import math
import pkgutil
from fractions import Fraction
from functools import cache

import pytest

from ptum.checks.claims import registry
from ptum.checks.instances import counterexamples
from ptum.checks.instances.counterexamples.catalogue import Case, Told, cases
from ptum.checks.verdicts.outcome import Outcome, Statement, Walk
from ptum.spec import ledger
from ptum.spec.errata import ERRATA
from ptum.spec.records import Part
from ptum.spec.vocabulary import Severity, Status, Verdict, Version

HELPERS = frozenset(
    {
        "blocks",
        "catalogue",
        "certain_runs",
        "shown",
        "triples",
        "two_outcomes",
    }
)
"""Modules that build for others and have no instance of their own."""


def named(case: Case) -> str:
    return f"{case.checks[0]}-{cases().index(case)}"


every_case = pytest.mark.parametrize("case", cases(), ids=named)


@cache
def evaluated(told: Told) -> Walk | Outcome:
    """Each walk is looked at by several tests and made once."""
    return told()


def verdict(told: Told) -> Verdict:
    found = evaluated(told)
    return found.verdict() if isinstance(found, Walk) else found.verdict


def premise_texts(found: Walk | Outcome) -> list[str]:
    """Of a walk, or of the walk that the story of an outcome tells."""
    if isinstance(found, Walk):
        return [premise.text for premise in found.premises]
    lines = [line for line in found.story if line.startswith("premise ")]
    return [line.removeprefix("premise").strip().rpartition(": ")[0] for line in lines]


def fails(found: Walk | Outcome, text: str) -> bool:
    """Whether the premise with this text is there and false."""
    if isinstance(found, Walk):
        return any(p.text == text and not p.holds for p in found.premises)
    told = [line for line in found.story if line.removeprefix("premise").strip().startswith(text)]
    return any(line.endswith("… NO") for line in told)


@every_case
def test_the_printed_wording_is_violated(case: Case) -> None:
    assert verdict(case.told) is Verdict.VIOLATED


@every_case
def test_the_number_undone_makes_it_hold(case: Case) -> None:
    assert verdict(case.undone) is Verdict.HOLDS
    assert case.undo


@every_case
def test_every_premise_can_be_broken(case: Case) -> None:
    texts = premise_texts(evaluated(case.told))
    assert len(set(texts)) == len(texts)
    assert set(case.broken) | set(case.always) == set(texts)
    assert not set(case.broken) & set(case.always)
    for text, told in case.broken.items():
        assert fails(evaluated(told), text), text
        assert verdict(told) is Verdict.ASSUMPTION_NOT_MET, text


@every_case
def test_the_repair_copes_with_the_instance_and_keeps_a_sibling(case: Case) -> None:
    repaired = any(ledger.part(registry()[c].part)[1].repair for c in case.checks)
    assert (case.repaired is not None) == repaired
    assert (case.sibling is not None) == repaired
    assert (case.sibling_numbers is not None) == repaired
    if case.repaired is not None and case.sibling is not None:
        assert verdict(case.repaired) in (Verdict.HOLDS, Verdict.ASSUMPTION_NOT_MET)
        assert verdict(case.sibling) is Verdict.HOLDS


@every_case
def test_numbers_can_be_shown(case: Case) -> None:
    numbers = case.numbers()
    assert numbers
    assert len({name for name, _ in numbers}) == len(numbers)


@every_case
def test_a_sibling_is_told_by_numbers_of_its_own(case: Case) -> None:
    if case.sibling_numbers is not None:
        told = case.sibling_numbers()
        assert len({name for name, _ in told}) == len(told)
        assert [row for row in told if row not in case.numbers()]


# Arithmetic


def is_exact(value: object) -> bool:
    """Whole and rational numbers, infinity, text, and tuples of them."""
    if isinstance(value, tuple):
        return all(map(is_exact, value))
    return isinstance(value, int | Fraction | str) or value in (math.inf, -math.inf)


def inexact_statements(found: Walk | Outcome) -> list[str]:
    """Comparisons with a double in them; trials rest on doubles altogether."""
    if isinstance(found, Outcome):
        return list(found.story)
    statements = (*found.premises, found.conclusion)
    return [s.text for s in statements if not (is_exact(s.left) and is_exact(s.right))]


def of_printed(case: Case) -> list[Told]:
    return [case.told, case.undone, *case.broken.values()]


def of_repair(case: Case) -> list[Told]:
    return [told for told in (case.repaired, case.sibling) if told is not None]


@every_case
def test_deterministic_claims_are_walked_in_rational_numbers(case: Case) -> None:
    rounded = [text for told in of_printed(case) for text in inexact_statements(evaluated(told))]
    assert bool(rounded) == (case.inexact is not None), (case.inexact, rounded)
    if case.inexact is None:
        shown = (*case.numbers(), *(case.sibling_numbers or tuple)())
        assert [name for name, value in shown if not is_exact(value)] == []


@every_case
def test_deterministic_repairs_are_walked_in_rational_numbers(case: Case) -> None:
    rounded = [text for told in of_repair(case) for text in inexact_statements(evaluated(told))]
    if case.inexact is None:
        assert bool(rounded) == (case.repair_inexact is not None), rounded
    else:
        assert case.repair_inexact is None


@every_case
def test_a_reason_for_doubles_says_something(case: Case) -> None:
    for reason in (case.inexact, case.repair_inexact):
        assert reason is None or len(reason.split()) >= 6


def test_no_other_case_rests_on_doubles() -> None:
    """Runs of the power method, and errors of a learner."""
    literal = {check for case in cases() if case.inexact for check in case.checks}
    assert literal == {"algorithm-2.labels/restarts", "lemma-11.bound/heavy-tail"}
    repaired = {check for case in cases() if case.repair_inexact for check in case.checks}
    assert repaired == {"text-tasks-before-transfer.tight/each-task-once"}


def test_a_double_in_a_walk_is_seen() -> None:
    rational = Statement("one half", Fraction(1, 2), "≤", 1)
    double = Statement("one half", 0.5, "≤", 1)
    assert inexact_statements(Walk((rational,), rational)) == []
    assert inexact_statements(Walk((rational,), double)) == ["one half"]
    assert inexact_statements(Walk((double,), rational)) == ["one half"]
    assert inexact_statements(Outcome(Verdict.HOLDS, story=("trials",))) == ["trials"]
    assert not is_exact(((Fraction(1), 2), (0.5, 1)))
    assert not is_exact(math.nan)


@every_case
def test_cases_belong_to_printed_checks_of_the_ledger(case: Case) -> None:
    assert case.checks
    for identity in case.checks:
        check = registry()[identity]
        assert check.version is Version.PRINTED
        assert ledger.part(check.part)[1].id == check.part


def refuting(part: Part) -> dict[str, tuple[str, ...]]:
    """The checks that refute a part or one of its readings, by the id of what they refute."""
    found = {part.id: part.checks} if part.status is Status.REFUTED else {}
    return found | {r.id: r.checks for r in part.readings if r.status is Status.REFUTED}


REFUTED = {
    identity: checks for _, part in ledger.parts() for identity, checks in refuting(part).items()
}


@pytest.mark.parametrize("identity", sorted(REFUTED))
def test_whatever_is_refuted_has_an_instance(identity: str) -> None:
    run = {check for case in cases() for check in case.checks}
    assert run & set(REFUTED[identity])


def test_every_module_shows_its_cases() -> None:
    found = pkgutil.walk_packages(counterexamples.__path__, f"{counterexamples.__name__}.")
    modules = {module.name for module in found if not module.ispkg}
    names = {name.split(".")[-1] for name in modules}
    assert len(names) == len(modules) > 50
    showing = {
        name.split(".")[-1]
        for name in modules
        if getattr(importlib.import_module(name), "CASES", ())
    }
    assert showing == names - HELPERS


# Errata


def test_errata_name_printed_checks() -> None:
    for erratum in ERRATA:
        for identity in erratum.counterexamples:
            assert registry()[identity].version is Version.PRINTED, (erratum.id, identity)
            assert registry()[identity].part in erratum.touches, (erratum.id, identity)


def test_false_and_vacuous_errata_have_a_counterexample() -> None:
    bad = (Severity.FALSE, Severity.VACUOUS)
    assert [e.id for e in ERRATA if e.severity in bad and not e.counterexamples] == []


@every_case
def test_every_case_stands_behind_an_erratum(case: Case) -> None:
    assert any(set(case.checks) & set(erratum.counterexamples) for erratum in ERRATA)
