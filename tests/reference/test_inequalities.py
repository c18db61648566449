"""An inequality with its premises: borders, tolerances, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ptum.reference.errors import NotANumberError
from ptum.reference.inequalities import Bound, Comparator, Inequality

BELOW, ABOVE = math.nextafter(1.0, 0.0), math.nextafter(1.0, 2.0)


@pytest.mark.parametrize(
    ("sign", "holds"),
    [
        ("<", (True, False, False)),
        ("≤", (True, True, False)),
        (">", (False, False, True)),
        ("≥", (False, True, True)),
    ],
)
def test_signs_at_the_border(sign: Comparator, holds: tuple[bool, bool, bool]) -> None:
    found = [Inequality(left=left, sign=sign, right=1.0).holds for left in (BELOW, 1.0, ABOVE)]
    assert tuple(found) == holds


def test_the_tolerance_is_to_the_advantage_of_the_claim() -> None:
    cases: tuple[tuple[Comparator, float, float], ...] = (("≤", 1.25, 2.0), ("≥", 0.75, 0.0))
    for sign, left, away in cases:
        at_most = Inequality(left=left, sign=sign, right=1.0, tolerance=0.25)
        assert at_most.holds
        beyond = math.nextafter(left, away)
        assert not Inequality(left=beyond, sign=sign, right=1.0, tolerance=0.25).holds


def test_strictly_the_border_is_the_tolerance_away() -> None:
    cases: tuple[tuple[Comparator, float], ...] = (("<", 1.25), (">", 0.75))
    for sign, border in cases:
        assert not Inequality(left=border, sign=sign, right=1.0, tolerance=0.25).holds
        inside = math.nextafter(border, 1.0)
        assert Inequality(left=inside, sign=sign, right=1.0, tolerance=0.25).holds


def test_every_entry_counts_with_its_own_tolerance() -> None:
    left, right = np.array([[0.0, 1.5], [0.0, 1.5]]), np.ones((2, 2))
    assert not Inequality(left=left, right=right).holds
    assert not Inequality(left=left, right=right, tolerance=np.array([[0.5], [0.0]])).holds
    assert Inequality(left=left, right=right, tolerance=np.array([[0.5], [0.5]])).holds


def test_premises_are_facts_or_inequalities() -> None:
    enough = Inequality(left=3, sign="≥", right=2)
    found = Bound(right=1.0, premises={"a fact": True, "h ≥ 2": enough})
    assert found.met == {"a fact": True, "h ≥ 2": True}
    assert found.premises_met
    missed = Bound(right=1.0, premises={"h ≥ 4": Inequality(left=3, sign="≥", right=4)})
    assert missed.met == {"h ≥ 4": False}
    assert not missed.premises_met
    assert Bound(right=1.0).premises_met


def test_an_instance_refutes_only_what_it_speaks_of() -> None:
    for met, holds, refutes in ((True, False, True), (True, True, False), (False, False, False)):
        found = Inequality(left=0.0 if holds else 1.0, right=0.0, premises={"premise": met})
        assert (found.premises_met, found.refutes) == (met, refutes)


@pytest.mark.parametrize("side", [math.nan, np.array([0.0, math.nan])])
def test_nan_is_refused(side: float) -> None:
    with pytest.raises(NotANumberError, match="left"):
        Inequality(left=side, right=1.0)
    with pytest.raises(NotANumberError, match="right"):
        Bound(right=side)
    with pytest.raises(NotANumberError, match="tolerance"):
        Bound(right=1.0, tolerance=side)
