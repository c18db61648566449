"""Searches: how close a claim comes to failing, and how a deep search makes it come closer."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptum.checks.exact.comparison import Comparison
from ptum.checks.verdicts import reparametrise
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Evaluation,
    Outcome,
    Statement,
    allowing,
    formula_lines,
    from_evaluation,
    over_evaluations,
    quantiles,
    roots_of,
    with_ratios,
    zero_but_for_rounding,
)
from ptum.checks.verdicts.search import MOST_SHOWN, Climb, Opportunities, listed, search, shown
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.tasks.mdp import deterministic_rewards
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
DEEP = Context(Profile.DEEP, seed=1)


def below(number: float, bound: float) -> Evaluation:
    return Evaluation((), Statement("number against bound", number, "≤", bound))


def even(n: int) -> Evaluation:
    """2n is: an equation, which bounds nothing."""
    return Evaluation((), Statement("remainder", 2 * n % 2, "=", 0))


def unmet(evaluation: Evaluation) -> Evaluation:
    """The same under a premise that is never met."""
    return replace(evaluation, premises=(Statement("never", 1, "=", 2),))


# Ratios


@pytest.mark.parametrize(
    ("left", "sign", "right", "ratio"),
    [
        (1, "≤", 4, 0.25),
        (Fraction(1, 3), "<", Fraction(2, 3), 0.5),
        (4.0, "≥", 1.0, 0.25),
        (4.0, ">", Fraction(8), 2.0),
        (3, "=", 3, None),
        (5, "≥", 1, None),  # five things where one must exist
        (0, "≤", 1, None),
        (1, "≤", math.inf, None),
        (Fraction(10) ** 400, "≤", Fraction(10) ** 401, None),  # beyond the range of doubles
    ],
)
def test_ratio_is_observed_over_allowed(
    left: float, sign: Comparison, right: float, ratio: float | None
) -> None:
    assert Statement("x", left, sign, right).ratio == ratio


def test_ratio_of_squares_is_that_of_the_roots() -> None:
    squares = Statement("x²", Fraction(1, 4), "≤", 1, measured=roots_of(Fraction(1, 4), 1))
    assert squares.ratio == 0.5


def test_two_sides_that_may_be_rounding_have_no_ratio() -> None:
    assert Statement("x", 3e-15, "≤", 1e-15, tolerance=1e-14).ratio is None
    assert Statement("x", 3e-15, "≤", 1e-13, tolerance=1e-14).ratio == near(0.03)
    assert zero_but_for_rounding("x", 3e-15, 1e-14).ratio == near(0.3)


def test_quantiles_are_numbers_that_were_seen() -> None:
    assert quantiles([]) is None
    assert quantiles([3.0]) == (3.0,) * 5
    assert quantiles([*range(11)]) == (0, 1, 5, 9, 10)
    assert quantiles([1.0, math.inf, 2.0]) == (1.0, 1.0, 2.0, math.inf, math.inf)


@given(st.lists(st.floats(1e-9, 1e9), min_size=1))
def test_tightest_ratio_is_the_inverse_of_the_smallest_looseness(ratios: list[float]) -> None:
    found = with_ratios(Outcome(Verdict.HOLDS), ratios)
    assert found.worst_ratio == max(ratios)
    assert found.looseness is not None
    assert found.looseness[0] == 1 / max(ratios)
    assert list(found.looseness) == sorted(found.looseness)


def test_an_evaluation_tells_how_loose_it_is_only_under_its_premises() -> None:
    assert from_evaluation(below(1, 4)).looseness == (4.0,) * 5
    assert from_evaluation(unmet(below(1, 4))).looseness is None
    evaluations = [unmet(below(1, 4)), below(1, 2), below(1, 8)]
    assert over_evaluations(evaluations, "met").looseness == (2, 2, 2, 8, 8)


def test_over_evaluations_tells_the_first_and_the_largest_violation() -> None:
    explanation = over_evaluations([below(1, 2), below(3, 2), below(9, 2)], "met").explanation
    assert explanation[0].startswith("conclusion number against bound: 3 ≤ 2")
    assert explanation[1] == "largest    number against bound: 9 ≤ 2 … NO (by 7)"
    assert explanation[2] == "margin     1, 1.5 times what is allowed"
    alone = over_evaluations([below(1, 2), below(3, 2)], "met").explanation
    assert alone == (explanation[0], explanation[2])


def test_search_measures_every_claim() -> None:
    found = search(QUICK, st.integers(1, 10), lambda n: below(n, 20), 100)
    assert found.worst_ratio == 0.5
    assert found.looseness is not None
    assert (found.looseness[0], found.looseness[-1]) == (2.0, 20.0)
    assert found.best is None  # only a deep search writes attempts down


def test_what_is_made_small_after_a_violation_is_not_measured() -> None:
    seen: list[int] = []

    def up_to_eleven(n: int) -> Evaluation:
        seen.append(n)
        return below(n, 11)

    found = search(QUICK, st.integers(1, 1000), up_to_eleven, 100)
    drawn = seen[: 1 + next(i for i, n in enumerate(seen) if n > 11)]
    assert len(seen) > len(drawn)
    assert found.looseness == quantiles([1 / (n / 11) for n in drawn])


def test_a_long_instance_is_not_shown_whole() -> None:
    found = search(QUICK, st.just("x" * MOST_SHOWN), lambda _: below(2, 1), 1)
    assert found.explanation[0] == f"instance   '{'x' * (MOST_SHOWN - 1)} …"


def test_a_task_is_shown_with_its_tables() -> None:
    task = deterministic_rewards(np.ones((1, 1, 1)), np.array([[0.25]]), 0.5)
    assert shown([(task, "x")]) == (
        "[(MDP(p=array([[[1.]]]), q=array([[[1.]]]), u=array([0.25]), gamma=0.5), 'x')]"
    )


def test_search_measures_nothing_where_nothing_is_bounded() -> None:
    found = search(QUICK, st.integers(1, 10), even, 20)
    assert (found.worst_ratio, found.looseness) == (None, None)


# Tolerances


@pytest.mark.parametrize(
    ("left", "sign", "right", "kept"),
    [
        (1.25, "≤", 1, True),
        (1.375, "≤", 1, False),
        (1.25, "<", 1, True),
        (1.375, "<", 1, False),
        (0.75, "≥", 1, True),
        (0.625, ">", 1, False),
        (0.75, "=", 1, True),
        (0.625, "=", 1, False),
        (math.inf, "≤", 1, False),
        (1, "≤", math.inf, True),
    ],
)
def test_a_comparison_may_be_missed_by_its_tolerance(
    left: float, sign: Comparison, right: float, kept: bool
) -> None:
    assert Statement("x", left, sign, right, tolerance=0.25).holds is kept


def test_no_tolerance_makes_the_infinite_small() -> None:
    assert not Statement("x", math.inf, "≤", 1, tolerance=math.inf).holds


def test_no_tolerance_is_taken_off_where_none_is_stated() -> None:
    third = Fraction(1, 3)
    for tolerance in (None, NOTHING_ROUNDED):
        assert Statement("x", third, "≤", third, tolerance=tolerance).holds
        assert not Statement("x", third + ROUNDING, "≤", third, tolerance=tolerance).holds


def rounded(number: float, tolerance: float) -> Evaluation:
    return Evaluation((), Statement("number against one", number, "≤", 1, tolerance=tolerance))


def test_the_largest_tolerance_of_the_conclusions_is_reported() -> None:
    assert from_evaluation(below(1, 2)).tolerance is None
    assert from_evaluation(rounded(1, 0.5)).tolerance == 0.5
    assert (
        over_evaluations([rounded(1, 0.5), rounded(1, 0.25), below(1, 2)], "met").tolerance == 0.5
    )
    assert over_evaluations([unmet(rounded(1, 0.5)), rounded(1, 0.25)], "met").tolerance == 0.25
    found = search(QUICK, st.integers(1, 4), lambda n: rounded(1, n / 8), 40)
    assert (found.verdict, found.tolerance) == (Verdict.HOLDS, 0.5)
    assert listed(QUICK, [1, 2], lambda n: rounded(1, n / 8), "numbers").tolerance == 0.25


def test_a_tolerance_inside_the_numbers_of_an_evaluation_is_reported_too() -> None:
    assert from_evaluation(below(1, 2), 0.125).tolerance == 0.125
    assert over_evaluations([below(1, 2)], "met", 0.125).tolerance == 0.125
    assert search(QUICK, st.just(1), lambda n: below(n, 2), 5, tolerance=0.125).tolerance == 0.125
    found = listed(QUICK, [1], lambda n: below(n, 2), "numbers", tolerance=0.125)
    assert found.tolerance == 0.125


def test_a_violation_has_to_exceed_the_tolerance() -> None:
    evaluation = below(1.25, 1)
    assert from_evaluation(evaluation).verdict is Verdict.VIOLATED
    assert from_evaluation(allowing(evaluation, 0.25)).verdict is Verdict.HOLDS
    assert from_evaluation(allowing(evaluation, 0.125)).verdict is Verdict.VIOLATED


def test_what_is_zero_on_paper_is_measured_in_units_of_its_tolerance() -> None:
    near = zero_but_for_rounding("off", 0.25, 1.0)
    assert (near.holds, near.ratio, near.tolerance) == (True, 0.25, 1.0)
    assert not zero_but_for_rounding("off", 1.25, 1.0).holds


# How many instances are enough


def test_a_search_without_an_instance_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptum.checks.verdicts.search.draw_each", lambda *_: None)
    found = search(QUICK, st.integers(1, 10), lambda n: below(n, 20), 5)
    assert (found.verdict, found.trials) == (Verdict.INCONCLUSIVE, 0)
    assert over_evaluations([], "met").verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("size", "verdict"), [(10, "holds"), (11, "inconclusive")])
def test_one_in_ten_has_to_meet_the_premises(size: int, verdict: str) -> None:
    """Of so few instances each is drawn once, and one of them meets its premise."""

    def first_alone(n: int) -> Evaluation:
        return below(1, 2) if n == 0 else unmet(below(1, 2))

    found = search(QUICK, st.sampled_from(range(size)), first_alone, 100)
    assert (found.instances, found.trials, found.verdict) == (1, size, verdict)
    assert over_evaluations([first_alone(n) for n in range(size)], "met").verdict == verdict


def test_an_undecided_search_names_the_premise_that_failed_first_most_often() -> None:
    """Of the numbers from 1 to 10 two are small; all of them fail at the second premise at last."""

    def hopeless(number: int) -> Evaluation:
        premises = (Statement("small", number, "<", 3), Statement("never", 1, "=", 2))
        return replace(below(1, 2), premises=premises)

    found = search(QUICK, st.sampled_from(range(1, 11)), hopeless, 20)
    assert (found.verdict, found.trials) == (Verdict.INCONCLUSIVE, 10)
    assert found.explanation[1] == "most often the first not met (8 times): small"
    assert len(search(QUICK, st.integers(1, 10), lambda n: below(n, 20), 5).explanation) == 1


def test_a_search_that_never_meets_the_premises_decides_nothing() -> None:
    found = search(QUICK, st.integers(1, 10), lambda n: unmet(below(n, 20)), 20)
    assert (found.verdict, found.instances, found.tolerance) == (Verdict.INCONCLUSIVE, 0, None)


# Formulas with numbers


def test_a_violation_shows_its_formula_in_symbols_and_in_numbers() -> None:
    statement = Statement(
        "Δ against its threshold",
        Fraction(1, 10),
        "≤",
        Fraction(1, 342),
        "ptum.spec.formulas.transfer:TRANSFER_THRESHOLD_REPAIRED",
        (("epsilon", 1), ("gamma", Fraction(9, 10))),
    )
    explanation = from_evaluation(Evaluation((), statement)).explanation
    text = "\n".join(explanation)
    assert "ε·(1 - γ)" in text
    assert "18·(1 + γ)" in text
    assert "1·(1 - 0.9)" in text
    assert "18·(1 + 0.9)" in text
    assert any(line.startswith("formula ") for line in explanation)
    assert any(line.startswith("numbers ") for line in explanation)


def test_numbers_with_a_sign_or_an_exponent_stand_in_brackets_and_tables_are_entries() -> None:
    statement = Statement(
        "n̄",
        2,
        "≤",
        1,
        "ptum.spec.formulas.appendix_b:N_BAR_R",
        (("Delta", -0.5), ("sigma_r_tilde", 1e-7)),
    )
    numbers = "\n".join(statement.formula_lines()).partition("numbers")[2]
    assert "(-0.5)" in numbers
    assert "(1e-07)²" in numbers
    assert "σ̃" not in numbers


def test_a_formula_of_a_premise_is_headed_by_that_premise_and_the_conclusions_is_not() -> None:
    """Two premises with one formula and the same numbers show it once, under the first of them."""
    slack = (
        "ptum.spec.formulas.transfer:STOPPING_SLACK",
        (("epsilon", 1), ("Delta", 0), ("gamma", 0)),
    )
    line_2 = ("ptum.spec.formulas.transfer:TRANSFER_THRESHOLD", (("epsilon", 1), ("gamma", 0)))
    premises = (
        Statement("Δ against its threshold", 0, "<", Fraction(1, 4), *line_2),
        Statement("as before", 0, "≤", Fraction(1, 4), *line_2),
        Statement("without a formula", 1, "=", 1),
        Statement("that of the conclusion", 1, "≤", 1, *slack),
    )
    evaluation = Evaluation(premises, Statement("the loss against the slack", 2, "≤", 1, *slack))
    explanation = from_evaluation(evaluation).explanation
    margin = next(i for i, line in enumerate(explanation) if line.startswith("margin "))
    assert explanation[margin + 1 :] == (
        *formula_lines(*slack),
        "of         the premise, Δ against its threshold",
        *formula_lines(*line_2),
    )
    assert sum(line.startswith("of         the premise, ") for line in explanation) == 1


def test_a_kept_bound_pays_for_no_formula() -> None:
    broken_name = Statement("x", 1, "≤", 2, "ptum.spec.formulas.transfer:NO_SUCH_FORMULA")
    assert from_evaluation(Evaluation((), broken_name)).verdict is Verdict.HOLDS


# Deep search


@dataclass(frozen=True)
class Point:
    """Two numbers between 0 and 1."""

    x: float
    y: float


POINTS = st.builds(Point, st.floats(0, 1), st.floats(0, 1))


def peak(point: Point) -> Evaluation:
    """Closest to failing at (0.3, 0.6), and only just kept there."""
    far = (point.x - 0.3) ** 2 + (point.y - 0.6) ** 2
    return below(1.0, 1.0001 + far)


def as_vector(point: Point) -> Floats:
    return reparametrise.vector(
        [reparametrise.coordinate(point.x), reparametrise.coordinate(point.y)]
    )


def at(vector: Floats, start: Point) -> Point:
    x, y = (reparametrise.between_0_and_1(number) for number in vector.tolist())
    return replace(start, x=x, y=y)


def test_a_deep_search_comes_closer_than_blind_draws() -> None:
    blind = search(replace(QUICK, seed=3), POINTS, peak, 60)
    deep = search(replace(DEEP, seed=3), POINTS, peak, 60, climb=Climb(as_vector, at))
    assert blind.worst_ratio is not None
    assert deep.worst_ratio is not None
    assert blind.worst_ratio < deep.worst_ratio
    # the optimiser stops at 10⁻⁴ in coordinates, 10⁻⁴/4 in x and y, and `far` has the squares
    assert deep.worst_ratio == pytest.approx(1 / 1.0001, rel=0, abs=2 * (1e-4 / 4) ** 2)
    assert deep.trials == 60  # what the profile declares, aimed or not
    assert deep.best is not None
    assert deep.best.ratio == deep.worst_ratio


def test_the_climb_finds_a_violation_that_draws_miss() -> None:
    def pierced(point: Point) -> Evaluation:
        far = (point.x - 0.3) ** 2 + (point.y - 0.6) ** 2
        return below(1.0, 1 - 1e-9 + far)

    context = replace(DEEP, seed=3)
    assert search(context, POINTS, pierced, 60).verdict is Verdict.HOLDS
    climbed = search(context, POINTS, pierced, 60, climb=Climb(as_vector, at))
    assert climbed.verdict is Verdict.VIOLATED


def test_aiming_does_not_bend_the_quantiles() -> None:
    """Looseness is that of the first half, drawn blindly; the other half gets to the bound."""
    blind, aimed = (
        search(context, st.integers(1, 1000), lambda n: below(n, 2000), examples)
        for context, examples in ((QUICK, 100), (DEEP, 200))
    )
    assert blind.looseness is not None
    assert blind.looseness == aimed.looseness
    assert aimed.worst_ratio == 0.5


# Claims that bound nothing


def of_a_thousand(n: int) -> Statement:
    return Statement("number against a thousand", n, "<", 1000)


def test_an_equation_is_aimed_at_by_what_is_near() -> None:
    found = search(DEEP, st.integers(1, 900), even, 300, near=of_a_thousand)
    assert found.best is not None
    assert found.best.ratio > 0.85
    assert found.best.told == f"number against a thousand: {found.best.instance} < 1000 … yes"
    assert (found.worst_ratio, found.looseness) == (None, None)  # it is no bound of the paper


def test_what_is_near_is_asked_in_the_deep_profile_alone() -> None:
    def never(n: int) -> Statement:
        raise AssertionError(n)

    assert search(QUICK, st.integers(1, 900), even, 30, near=never).verdict is Verdict.HOLDS
    with pytest.raises(AssertionError):
        search(DEEP, st.integers(1, 900), even, 30, near=never)


def test_what_is_near_decides_nothing() -> None:
    def missed(n: int) -> Statement:
        return Statement("two of one", 2 * n, "<", n)

    found = search(DEEP, st.integers(1, 900), even, 30, near=missed)
    assert found.verdict is Verdict.HOLDS
    assert found.best is not None
    assert found.best.ratio == 2


# Counts that are equal or not


CHANCES: Opportunities[int] = Opportunities("digits", lambda n: len(str(n)))


def test_where_nothing_comes_closer_the_largest_number_of_chances_is_kept() -> None:
    found = search(DEEP, st.integers(1, 10**9 - 1), even, 200, chances=CHANCES)
    assert found.best is not None
    assert found.best.ratio == 0
    assert found.best.instance is not None
    assert len(found.best.instance) == 9
    assert found.best.told == "remainder: 0 = 0 … yes; digits: 9"
    assert (found.verdict, found.worst_ratio, found.looseness) == (Verdict.HOLDS, None, None)


def test_chances_are_counted_in_the_deep_profile_alone_and_decide_nothing() -> None:
    def never(n: int) -> int:
        raise AssertionError(n)

    quick = search(QUICK, st.integers(1, 9), even, 30, chances=Opportunities("never", never))
    assert quick.verdict is Verdict.HOLDS
    none = search(DEEP, st.integers(1, 9), even, 30, chances=Opportunities("none", lambda _: 0))
    assert (none.verdict, none.best) == (Verdict.HOLDS, None)


def test_a_difference_breaks_the_claim_whatever_the_chances() -> None:
    def odd(n: int) -> Evaluation:
        return Evaluation((), Statement("remainder", n % 2, "=", 0))

    assert search(DEEP, st.integers(1, 9), odd, 30, chances=CHANCES).verdict is Verdict.VIOLATED


def test_a_list_is_evaluated_whole() -> None:
    quick, deep = (
        listed(each, range(1, 8), lambda n: below(n, 10), "numbers") for each in (QUICK, DEEP)
    )
    assert quick == replace(deep, best=None)
    assert (quick.instances, quick.worst_ratio) == (7, 0.7)
    assert quick.explanation == ("7 of 7 numbers",)
    assert deep.best is not None
    assert (deep.best.ratio, deep.best.instance) == (0.7, "7")


def test_one_of_a_list_decides() -> None:
    found = listed(DEEP, range(1, 12), lambda n: below(n, 10), "numbers")
    assert found.verdict is Verdict.VIOLATED
    assert (found.violations, found.trials) == (1, 11)


def test_a_list_can_be_near_something_else() -> None:
    found = listed(DEEP, [3, 8, 5], even, "numbers", near=of_a_thousand)
    assert found.best is not None
    assert (found.best.ratio, found.best.instance) == (0.008, "8")
    assert found.looseness is None


def test_an_instance_without_json_says_so() -> None:
    found = search(DEEP, st.just(math.sin), lambda f: below(f(1.0), 1), 4)
    assert found.best is not None
    assert found.best.instance is None
    assert found.best.reason == "instance is a builtin_function_or_method, which has no JSON"


def test_counts_can_be_limited() -> None:
    assert DEEP.count(1, 2, 3) == 3
    assert replace(DEEP, most=2).count(1, 2, 3) == 2
    assert replace(QUICK, most=2).count(1, 2, 3) == 1


# Coordinates


@given(st.floats(0, 1))
def test_numbers_survive_their_coordinates(share: float) -> None:
    assert reparametrise.between_0_and_1(reparametrise.coordinate(share)) == pytest.approx(
        share,
        # the clipping at the edges, and the roundings of a logarithm and a tangent below 20
        abs=reparametrise.EDGE + 64 * ROUNDING,
    )


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=5))
def test_every_vector_is_a_distribution(coordinates: list[float]) -> None:
    rational = reparametrise.rational_distribution(np.array(coordinates))
    assert sum(rational) == 1
    assert min(rational) >= 0
    floats = reparametrise.distribution(np.array(coordinates))
    assert sum(floats) == pytest.approx(1, abs=len(floats) * ROUNDING)


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=4).filter(any))
def test_distributions_survive_their_coordinates(parts: list[int]) -> None:
    distribution = [Fraction(part, sum(parts)) for part in parts]
    again = reparametrise.rational_distribution(
        np.array(reparametrise.distribution_coordinates(distribution))
    )
    step = Fraction(1, reparametrise.FINENESS)
    # half a step for the number itself, two for the sum of four, half for zeros made the edge
    assert all(abs(x - y) <= 3 * step for x, y in zip(distribution, again, strict=True))
