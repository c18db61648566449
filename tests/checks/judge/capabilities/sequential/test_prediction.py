"""The rule of Theorem 3, and the mass rule that repairs it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from ptum.checks.judge.capabilities.sequential import prediction
from ptum.checks.judge.capabilities.sequential.prediction import setting_of, undecided
from ptum.checks.judge.judging.mass import ANY_ORDER, LEAST_FIRST, MASS, Mass, wrong_mass
from ptum.checks.judge.judging.readings import Option
from ptum.checks.judge.judging.verdicts import Conformity, judge_capability
from ptum.checks.judge.slips import Slip, slips_of
from tests.checks.judge.support import trials

CAPABILITY = prediction.CAPABILITY
EDGES = trials.edge_cases(CAPABILITY)
MASS_SLIPS = [slip for slip in slips_of("prediction") if slip.breaks == MASS]


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        ("literal", "printed"),
        ("eighteen", "repaired (Theorem 3 with log(18kdm²/δ'))"),
        ("mass", "repaired (the mass rule of D90)"),
    ],
)
def test_the_report_says_which_repair_was_seen(name: str, reading: str) -> None:
    asked = [trials.answered(CAPABILITY, case, prediction.CONFORMING[name]) for case in EDGES]
    assert judge_capability(CAPABILITY, asked).reading == reading


@pytest.mark.parametrize("slip", MASS_SLIPS, ids=lambda slip: slip.id)
def test_slips_of_the_mass_rule_are_told_from_it_and_not_from_the_theorem(slip: Slip) -> None:
    asked = [trials.answered(CAPABILITY, case, slip.implementation) for case in EDGES]
    found = judge_capability(CAPABILITY, asked)
    assert found.verdict is Conformity.DEVIATES
    assert found.finding is not None
    assert MASS.places <= found.finding.item.places
    assert found.finding.item.startswith(MASS)


def test_every_case_meets_the_premise_of_the_theorem() -> None:
    for case in CAPABILITY.cases(0):
        setting = setting_of(case.input)
        assert setting.numbers.delta <= setting.numbers.delta_prime / (3 * setting.numbers.m**2)


def test_rounding_decides_no_case() -> None:
    """Left sides are η exactly, or away by a millionth of their terms or 10⁻⁴ of η itself."""
    exact = 0
    for case in (*CAPABILITY.cases(0), *CAPABILITY.cases(1)):
        setting = setting_of(case.input)
        for factor in (9, 18):
            sides = setting.left_sides(factor)
            assert not np.any(undecided(setting, factor))
            size = np.abs(setting.T_hat).sum() + setting.confidence(factor)
            far = np.abs(sides - setting.eta) >= 1e-6 * min(size, 1.0)
            tiny = np.abs(sides - setting.eta) >= 1e-4 * setting.eta
            equal = sides == setting.eta
            assert np.all(far | tiny | equal), case.id
            exact += int(equal.sum())
    assert exact > 0


def test_rounding_decides_no_mass() -> None:
    """The mass of every set is η exactly, or away from it by a thousandth."""
    exact = 0
    for case in (*CAPABILITY.cases(0), *CAPABILITY.cases(1), *CAPABILITY.cases(2)):
        mass = setting_of(case.input).mass
        if not mass.meaningful:
            continue
        for size in range(1, mass.k):
            for dropped in combinations(range(mass.k), size):
                distance = abs(mass.of(dropped) - mass.eta)
                assert distance == 0 or distance >= 1e-3 * mass.eta, case.id
                exact += distance == 0
    assert exact > 0


def due(name: str, kept: list[int], order: Option) -> str | None:
    """What the mass rule says of an answer."""
    mass = setting_of(trials.case_named(CAPABILITY, name).input).mass
    found = wrong_mass(mass, tuple(kept), order)
    return None if found is None else found.expected


@pytest.mark.parametrize(
    ("name", "kept", "least_first", "any_order"),
    [
        ("mass-one-possible", [2, 3], None, None),
        ("mass-one-possible", [1, 3], None, None),
        (
            "mass-one-possible",
            [1, 2, 3],
            "task 1 dropped too: 0.0766421356 against η = 0.1",
            "task 1 dropped too: 0.0766421356 against η = 0.1",
        ),
        (
            "mass-one-possible",
            [3],
            "a dropped mass of at most η = 0.1, not 0.142320508",
            "a dropped mass of at most η = 0.1, not 0.142320508",
        ),
        ("mass-order", [0, 2], None, None),
        ("mass-order", [1, 2], "task 0 kept: a less likely one is", None),
        ("mass-skipped", [1, 2, 3], None, "task 2 dropped too: 0.0841421356 against η = 0.1"),
        ("mass-skipped", [1, 3], "task 2 kept: a less likely one is", None),
        ("mass-large-eta", [], *["a dropped mass of at most η = 0.75, not 1.01414214"] * 2),
        ("mass-signed", [0, 1, 2], None, None),
        ("mass-signed", [2], *["all labels: T̂_h predicts nothing"] * 2),
        ("empty-certain", [0, 1, 2], None, None),
        ("empty-certain", [0], *["all labels: T̂_h predicts nothing"] * 2),
    ],
)
def test_which_sets_the_mass_rule_may_drop(
    name: str, kept: list[int], least_first: str | None, any_order: str | None
) -> None:
    assert due(name, kept, LEAST_FIRST) == least_first
    assert due(name, kept, ANY_ORDER) == any_order


@pytest.mark.parametrize(("kept", "any_order"), [((1, 2, 3), False), ((1, 3), True)])
def test_of_tied_tasks_any_may_be_the_one_that_does_not_fit(
    kept: tuple[int, ...], any_order: bool
) -> None:
    """Tasks 1 and 2 are equally likely; beside task 0 only the second fits."""
    columns = np.array([[0.04, 0.05, 0.0, 0.91], [0.0, 0.0, 0.05, 0.95], *[[0.25] * 4] * 2])
    mass = Mass(columns.T, (0, 1), eta=0.08, e_T=0.005)
    assert [mass.fits(dropped) for dropped in ([0], [0, 1], [0, 2])] == [True, False, True]
    assert wrong_mass(mass, kept, LEAST_FIRST) is None
    assert (wrong_mass(mass, kept, ANY_ORDER) is None) is any_order


def test_a_mass_at_rounding_distance_is_decided_either_way() -> None:
    equal = setting_of(trials.case_named(CAPABILITY, "mass-equality").input).mass
    nearly = replace(equal, eta=0.125 - 2.0**-55)
    assert wrong_mass(nearly, (0, 2), LEAST_FIRST) is None
    assert wrong_mass(replace(equal, eta=0.1249), (0, 2), LEAST_FIRST) is not None


def test_a_left_side_at_rounding_distance_is_decided_either_way() -> None:
    """A rounding or two above η: dropped and kept are both right."""
    case = trials.case_named(CAPABILITY, "equality")
    T_hat = [[0.9375, 0.5], [0.0625 + 2.0**-54, 0.5]]
    request = {**case.input, "T_hat": T_hat}
    for kept in ([0], [0, 1]):
        assert trials.finding_of(CAPABILITY, request, {"kept": kept}) is None
    assert trials.finding_of(CAPABILITY, request, {"kept": [1]}) is not None


def test_the_finding_shows_both_sides() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "equality")
    assert answer == {"kept": [0]}
    found = trials.told(CAPABILITY, request, {"kept": [0, 1]})
    assert found.item == prediction.RULE
    assert found.item.places == prediction.RULE.places, "the mass rule would keep both"
    assert found.what == "task 1"
    assert found.expected == "dropped: 0.125 against η = 0.125"


def test_any_order_of_labels_is_right_and_no_number_is_answered() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "two-successors")
    assert answer == {"kept": [1, 2]}
    assert trials.finding_of(CAPABILITY, request, {"kept": [2, 1]}) is None
    assert CAPABILITY.tolerance(request) == {}


def test_an_answer_that_no_rule_explains_may_be_meant_by_either() -> None:
    case = trials.case_named(CAPABILITY, "one-successor")
    found = trials.told(CAPABILITY, case.input, {"kept": [2]})
    assert found.item.places == prediction.RULE.places | MASS.places
    assert found.item.startswith(prediction.RULE)
    assert "mass rule" in found.item
