"""Looseness: made from a report, one source for JSON, page and picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from ptum.checks.claims import registry
from ptum.checks.suite import looseness
from ptum.checks.suite.looseness import (
    FEWEST,
    GROUPS,
    MeasuredBound,
    encode,
    measured_of,
    page,
    shown,
    stored,
)
from ptum.checks.suite.report import Report, as_report
from ptum.checks.suite.runner import Job, Row, expected_of, run_one
from ptum.checks.verdicts.check import Check, Profile
from ptum.checks.verdicts.outcome import QUANTILES, Outcome, quantiles
from ptum.spec import ledger
from ptum.spec.algebra import Sign
from ptum.spec.records import Claim
from ptum.spec.vocabulary import CheckKind, Verdict
from tests.support.closeness import near

BOUNDING = (Sign.AT_MOST, Sign.LESS, Sign.AT_LEAST)

INPUTS = frozenset({"assumption-1", "assumption-3"})
"""Assumptions that bound what PTUM is given: nothing is promised, so nothing can be loose."""


def inequalities(claim: Claim) -> list[str]:
    """Formulas of a claim, printed or repaired, that bound something."""
    parts = [name for part in claim.parts for name in part.formulas]
    repairs = [name for part in claim.parts if part.repair for name in part.repair.formulas]
    named = dict.fromkeys((*claim.formulas, *parts, *repairs))
    return [name for name in named if ledger.formula(name).sign in BOUNDING]


def bounds() -> list[str]:
    """Claims of their own that state an inequality."""
    return [claim.id for claim in ledger.CLAIMS if claim.parts and inequalities(claim)]


def expected_to_hold(claim: str) -> Iterator[Check]:
    """Checks of the claim that compare it with what is there, and should find it kept."""
    for check in registry().values():
        if ledger.part(check.part)[0].id == claim and Verdict.HOLDS in expected_of(check):
            yield check


def looseness_of(check: Check) -> object:
    """Of a few instances or trials."""
    return check.run(replace(check.context(Profile.QUICK, 0), most=6)).looseness


# Every bound reports its looseness


@pytest.mark.slow
@pytest.mark.parametrize("claim", bounds())
def test_every_bound_says_how_loose_it_is(claim: str) -> None:
    assert any(looseness_of(check) is not None for check in expected_to_hold(claim))


# From a report to measurements


def report_with(outcomes: dict[str, Outcome]) -> Report:
    rows = [
        Row(registry()[name], outcome, expected_of(registry()[name]), 0.1)
        for name, outcome in outcomes.items()
    ]
    return as_report(rows, Profile.QUICK, 5, {})


LOOSE = quantiles([1.0, 2.0, 3.0, 4.0, 5.0])
KEPT = Outcome(Verdict.HOLDS, 40, 50, looseness=LOOSE)


def test_the_bounds_that_were_kept_are_measured() -> None:
    found = measured_of(
        report_with(
            {
                "lemma-15.bound/given-the-history": KEPT,
                "lemma-13.bound/exact-laws": replace(KEPT, looseness=None),
                "lemma-13.bound/one-floor": replace(KEPT, verdict=Verdict.VIOLATED),
                "lemma-4.transition/repaired-played": replace(KEPT, trials=FEWEST - 1),
                "text-visitation.definition/series": KEPT,  # bounds roundings, not the paper's
            }
        )
    )
    assert found.bounds == [
        MeasuredBound(
            group="Probability of the next task",
            check="lemma-15.bound/given-the-history",
            version="repaired",
            instances=40,
            looseness=(1.0, 1.0, 3.0, 5.0, 5.0),
        )
    ]
    assert (found.profile, found.seed, found.quantiles) == ("quick", 5, QUANTILES)


def test_a_report_without_a_leading_check_is_not_written() -> None:
    only = measured_of(report_with({"lemma-15.bound/given-the-history": KEPT}))
    with pytest.raises(ValueError, match="no looseness of theorem-1"):
        looseness.write(only)


def told_by_the_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str]:
    """How the command ends where it writes nothing, and what it prints."""
    with pytest.raises(SystemExit) as end:
        looseness.main(arguments)
    printed = capsys.readouterr()
    return end.value.code, printed.out + printed.err


def test_what_is_no_whole_report_of_this_registry_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def refusal(report: Report | None) -> str:
        path = tmp_path / "report.json"
        if report is not None:
            path.write_bytes(msgspec.json.encode(report))
        code, told = told_by_the_command(capsys, str(path))
        assert code == 2
        return told

    good = report_with({"lemma-15.bound/given-the-history": KEPT})
    (result,) = good.results
    stranger = msgspec.structs.replace(result, check="lemma-15.bound/of-another-version")
    cut = msgspec.structs.replace(good.footer, cut_short=True)
    assert "cannot read" in refusal(None)
    assert "another version: it has lemma-15.bound/of-another-version" in refusal(
        msgspec.structs.replace(good, results=[stranger])
    )
    assert "cut short" in refusal(msgspec.structs.replace(good, footer=cut))
    assert "usage" in told_by_the_command(capsys)[1]


@pytest.mark.parametrize(
    ("number", "text"),
    [(1.0, "1"), (2.345, "2.35"), (1234.5, "1234"), (23456.0, "2.3·10^4"), ("inf", "inf")],
)
def test_numbers_are_short(number: float, text: str) -> None:
    assert shown(number) == text


# What is stored


def test_groups_speak_of_parts_of_the_ledger_once() -> None:
    listed = [part for group in GROUPS for part in group.parts]
    assert len(listed) == len(set(listed))
    assert set(listed) <= {part.id for _, part in ledger.parts()}
    for group in GROUPS:
        assert {registry()[check].part for check in group.quoted} <= set(group.parts)


def test_a_sentence_about_moments_has_the_numbers_of_a_check_that_starts_at_moments() -> None:
    """And those of the step to T̂ stand behind the words that name where it starts."""
    (group,) = (group for group in GROUPS if group.title.startswith("From moments"))
    first, second = (registry()[check].says for check in group.quoted)
    assert "errors of the moments" in first
    assert "errors of the moments" in group.meaning.partition("{low}")[0]
    assert "ρ_6" in second
    assert "errors of Ô and of the third views" in group.meaning.partition("{other_low}")[0]
    one, other = (stored().of(check) for check in group.quoted)
    assert float(one.looseness[2]) > 10 * float(other.looseness[2]), "which step loses more?"


def test_numbers_of_a_second_check_are_quoted_where_there_is_one() -> None:
    for group in GROUPS:
        assert ("{other_" in group.meaning) == (group.other is not None)


def test_every_claim_with_a_number_that_bounds_something_is_measured() -> None:
    """All but text and pseudo-code."""
    drawn = {ledger.part(registry()[bound.check].part)[0].id for bound in stored().bounds}
    numbered = {name for name in bounds() if not name.startswith(("text-", "algorithm-"))}
    assert numbered >= INPUTS
    assert numbered - drawn == INPUTS


def test_what_is_stored_is_of_this_registry() -> None:
    found = stored()
    assert encode(found) == looseness.JSON.read_bytes()
    assert {bound.check for bound in found.bounds} <= set(registry())
    for bound in found.bounds:
        assert list(map(float, bound.looseness)) == sorted(map(float, bound.looseness))
        likely = registry()[bound.check].kind is CheckKind.PROBABILITY  # a run in ten may fail
        assert float(bound.looseness[int(likely)]) >= 1, f"{bound.check} is broken, not loose"


@pytest.mark.slow
@pytest.mark.parametrize(
    "identity",
    ["lemma-15.bound/given-the-history", "lemma-13.bound/exact-laws", "lemma-4.reward/worst-data"],
)
def test_the_numbers_are_those_of_a_run(identity: str) -> None:
    found = stored()
    row = run_one(registry()[identity], Job(Profile(found.profile), found.seed))
    assert row.outcome.looseness is not None
    assert list(row.outcome.looseness) == [near(float(x)) for x in found.of(identity).looseness]


def test_the_page_says_the_numbers_that_are_stored() -> None:
    assert looseness.PAGE.read_text() == page(), (
        "stale: python -m ptum.checks.suite.looseness REPORT"
    )
    for group in GROUPS:
        assert f"## {group.title}" in page()
    assert "{" not in page()


def test_other_numbers_make_another_page() -> None:
    found = stored()
    other = [
        msgspec.structs.replace(bound, looseness=(7.77,) * 5)
        if bound.check == GROUPS[0].lead
        else bound
        for bound in found.bounds
    ]
    changed = msgspec.structs.replace(found, bounds=other)
    assert "promises at least 7.77 times the queries" in page(changed)
    assert "7.77" not in page(found)


def test_another_second_check_makes_another_page() -> None:
    (group,) = (group for group in GROUPS if group.other == "lemma-14.values/projected")
    bounds = [
        msgspec.structs.replace(bound, looseness=(7.77,) * 5)
        if bound.check == group.other
        else bound
        for bound in stored().bounds
    ]
    changed = page(msgspec.structs.replace(stored(), bounds=bounds))
    assert "; for values it is 7.77, 7.77 and 7.77." in changed
    assert "rewards divided by the error is 7.77" not in changed


@pytest.mark.slow
def test_the_picture_has_a_line_for_every_bound(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the picture needs ptum[plots]")
    path = tmp_path / "looseness.svg"
    looseness.draw(stored(), path)
    for picture in (path, looseness.PICTURE):
        texts = {element.text for element in ElementTree.parse(picture).iter() if element.text}
        assert {bound.check for bound in stored().bounds} <= texts
        assert {group.title for group in GROUPS} <= texts
