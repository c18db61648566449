"""The card says what the ledger, the exact runs and the plans of the checks say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from ptum.checks.claims.section_3_exact import summary
from ptum.checks.site import card
from ptum.spec import ledger


def test_the_four_claims_have_a_row_each() -> None:
    lines = card.card("docs/").splitlines()
    assert len(lines) == 2 + 4
    assert "refuted: [E02](docs/errata.md#e02)" in lines[3]
    assert "vacuous: [E03](docs/errata.md#e03)" in lines[4]
    assert all("holds (" in line for line in lines[2:])


def test_a_promise_that_breaks_in_a_run_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    question = card.QUESTIONS[1]
    assert card.exact(question).endswith("≤ 1.2e-11")
    broken = [row for row in summary.card() if row.version == "repaired"]
    worse = [structs.replace(row, largest=0.25) for row in broken]
    monkeypatch.setattr(summary, "card", lambda: worse)
    assert card.exact(question).endswith("P(not) ≤ 2.5e-1")


def test_a_repair_that_is_not_checked_as_one_is_refused() -> None:
    _, part = ledger.part("theorem-1.correct")
    assert part.repair is not None
    mixed = replace(part, repair=replace(part.repair, checks=part.checks))
    with pytest.raises(ValueError, match="another version"):
        card.repaired(mixed)


@pytest.mark.parametrize(
    ("probability", "text"), [(0.05, "≤ 5e-2"), (0.0511, "≤ 5.2e-2"), (1e-60, "< 1e-50")]
)
def test_a_bound_is_never_rounded_down(probability: float, text: str) -> None:
    assert card._at_most(probability) == text
