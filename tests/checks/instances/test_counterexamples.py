"""Every counterexample bites: each premise is needed, one number decides, the repair copes."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from ptum.checks.claims import registry
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    EvaluationOrOutcome,
    cases,
)
from ptum.checks.verdicts.check import Profile
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.spec import ledger
from ptum.spec.errata import ERRATA
from ptum.spec.records import Part
from ptum.spec.vocabulary import Severity, Status, Verdict, Version

Case = Counterexample[Any]


def named(case: Case) -> str:
    return f"{case.ids[0]}-{cases().index(case)}"


every_case = pytest.mark.parametrize("case", cases(), ids=named)


@cache
def evaluations(case: Case) -> dict[str, EvaluationOrOutcome]:
    """All evaluations of a counterexample: several tests look at them and they are made once."""
    found = {"printed": case.evaluate(case.instance), "fixed": case.evaluate(case.fixed)}
    if case.repaired is not None:
        found["repaired"] = case.repaired(case.instance)
        found["in scope"] = case.repaired(case.in_scope)
    return found | {text: case.evaluate(changed) for text, changed in case.broken.items()}


def evaluated(case: Case, what: str = "printed") -> EvaluationOrOutcome:
    return evaluations(case)[what]


def verdict(case: Case, what: str = "printed") -> Verdict:
    found = evaluated(case, what)
    return found.verdict() if isinstance(found, Evaluation) else found.verdict


def premise_texts(found: EvaluationOrOutcome) -> list[str]:
    """Of an evaluation, or of the one that an outcome explains."""
    if isinstance(found, Evaluation):
        return [premise.text for premise in found.premises]
    lines = [line for line in found.explanation if line.startswith("premise ")]
    return [line.removeprefix("premise").strip().rpartition(": ")[0] for line in lines]


@every_case
def test_the_printed_wording_is_violated(case: Case) -> None:
    assert verdict(case) is Verdict.VIOLATED


@every_case
def test_the_fixed_number_makes_it_hold(case: Case) -> None:
    assert verdict(case, "fixed") is Verdict.HOLDS
    assert case.fix


@every_case
def test_every_premise_can_be_broken(case: Case) -> None:
    texts = premise_texts(evaluated(case))
    assert len(set(texts)) == len(texts)
    assert set(case.broken) | set(case.always) == set(texts)
    assert not set(case.broken) & set(case.always)
    for text in case.broken:
        found = evaluated(case, text)
        assert isinstance(found, Evaluation)
        assert text in [premise.text for premise in found.premises if not premise.holds], text
        assert verdict(case, text) is Verdict.ASSUMPTION_NOT_MET, text


@every_case
def test_the_repair_copes_with_the_instance_and_holds_in_scope(case: Case) -> None:
    repaired = any(ledger.part(registry()[c].part)[1].repair for c in case.ids)
    assert (case.repaired is not None) == repaired
    assert (case.in_scope is not None) == repaired
    if repaired:
        assert verdict(case, "repaired") in (Verdict.HOLDS, Verdict.ASSUMPTION_NOT_MET)
        assert verdict(case, "in scope") is Verdict.HOLDS


@every_case
def test_numbers_can_be_shown(case: Case) -> None:
    numbers = case.numbers(case.instance)
    assert numbers
    assert len({name for name, _ in numbers}) == len(numbers)


@every_case
def test_an_instance_in_scope_has_numbers_of_its_own(case: Case) -> None:
    if case.in_scope is not None:
        shown = case.numbers(case.in_scope)
        assert len({name for name, _ in shown}) == len(shown)
        assert [row for row in shown if row not in case.numbers(case.instance)]


# Arithmetic


def is_exact(value: object) -> bool:
    """Whole and rational numbers, infinity, text, and tuples of them."""
    if isinstance(value, tuple):
        return all(map(is_exact, value))
    return isinstance(value, int | Fraction | str) or value in (math.inf, -math.inf)


def inexact_statements(found: EvaluationOrOutcome) -> list[str]:
    """Comparisons with a double in them; trials rest on doubles altogether."""
    if isinstance(found, Outcome):
        return list(found.explanation)
    statements = (*found.premises, found.conclusion)
    return [s.text for s in statements if not (is_exact(s.left) and is_exact(s.right))]


def rounded(case: Case, *, repair: bool) -> list[str]:
    """Comparisons with a double in them, as printed or repaired."""
    found = evaluations(case).items()
    chosen = [one for what, one in found if (what in ("repaired", "in scope")) == repair]
    return [text for one in chosen for text in inexact_statements(one)]


@every_case
def test_deterministic_claims_are_evaluated_in_rational_numbers(case: Case) -> None:
    found = rounded(case, repair=False)
    assert bool(found) == (case.inexact is not None), (case.inexact, found)
    if case.inexact is None:
        other = () if case.in_scope is None else case.numbers(case.in_scope)
        shown = (*case.numbers(case.instance), *other)
        assert [name for name, value in shown if not is_exact(value)] == []


@every_case
def test_deterministic_repairs_are_evaluated_in_rational_numbers(case: Case) -> None:
    found = rounded(case, repair=True)
    if case.inexact is None:
        assert bool(found) == (case.repair_inexact is not None), found
    else:
        assert case.repair_inexact is None


@every_case
def test_a_reason_for_doubles_says_something(case: Case) -> None:
    for reason in (case.inexact, case.repair_inexact):
        assert reason is None or len(reason.split()) >= 6


def test_no_other_case_rests_on_doubles() -> None:
    """Runs of the power method, and errors of a learner."""
    literal = {check for case in cases() if case.inexact for check in case.ids}
    assert literal == {"algorithm-2.labels/restarts", "lemma-11.bound/heavy-tail"}
    repaired = {check for case in cases() if case.repair_inexact for check in case.ids}
    assert repaired == {"text-tasks-before-transfer.tight/each-task-once"}


def test_a_double_in_an_evaluation_is_seen() -> None:
    rational = Statement("one half", Fraction(1, 2), "≤", 1)
    double = Statement("one half", 0.5, "≤", 1)
    assert inexact_statements(Evaluation((rational,), rational)) == []
    assert inexact_statements(Evaluation((rational,), double)) == ["one half"]
    assert inexact_statements(Evaluation((double,), rational)) == ["one half"]
    assert inexact_statements(Outcome(Verdict.HOLDS, explanation=("trials",))) == ["trials"]
    assert not is_exact(((Fraction(1), 2), (0.5, 1)))
    assert not is_exact(math.nan)


@every_case
def test_cases_belong_to_printed_checks(case: Case) -> None:
    assert case.ids
    for identity in case.ids:
        assert registry()[identity].version is Version.PRINTED


def refuting(part: Part) -> dict[str, tuple[str, ...]]:
    """The checks that refute a part or one of its readings, by the id of what they refute."""
    found = {part.id: part.checks} if part.status is Status.REFUTED else {}
    return found | {r.id: r.checks for r in part.readings if r.status is Status.REFUTED}


REFUTED = {
    identity: checks for _, part in ledger.parts() for identity, checks in refuting(part).items()
}


@pytest.mark.parametrize("identity", sorted(REFUTED))
def test_whatever_is_refuted_has_an_instance(identity: str) -> None:
    run = {check for case in cases() for check in case.ids}
    assert run & set(REFUTED[identity])


@every_case
def test_a_check_of_a_counterexample_alone_is_its_evaluation(case: Case) -> None:
    for identity in case.checks:
        check = registry()[identity]
        assert check.run(check.context(Profile.QUICK, 1)).verdict is Verdict.VIOLATED
        assert check.kind is case.kind


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
    assert any(set(case.ids) & set(erratum.counterexamples) for erratum in ERRATA)
