"""Theorem 1 against the bound in Γ: near-copies that count, or max before min, are rejected."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ptum.checks.claims.section_3 import exact_draws
from ptum.checks.claims.section_3_bounds.earlier_bounds import (
    NearCopy,
    near_copies,
    never_larger_evaluation,
    somewhere_evaluation,
)
from ptum.checks.exact.terms import MaybeInfinite, Situation, gap_Gamma, max_min, theta_eps, theta_s
from ptum.checks.instances.counterexamples.section_3 import theorem_1
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)
CASE = NearCopy(Fraction(1, 2), Fraction(1, 5), Fraction(2, 5), 1000)


def test_the_copy_is_near_and_need_not_be_eliminated() -> None:
    situation = CASE.situation()
    assert len(situation.models) == 3
    assert theta_eps(situation) == (1,)
    assert 0 < gap_Gamma(situation) <= situation.kappa


@pytest.mark.parametrize("factor", [1, 50, 10**9])
def test_whatever_the_factor_is_a_copy_is_near_enough(factor: int) -> None:
    case = NearCopy(Fraction(9, 10), Fraction(1, 40), Fraction(19, 40), factor)
    assert somewhere_evaluation(case).verdict() is Verdict.HOLDS


def all_others(situation: Situation) -> tuple[int, ...]:
    return tuple(range(1, len(situation.models)))


def test_a_bound_that_counts_near_copies_gains_nothing() -> None:
    found = search(QUICK, near_copies(), lambda case: somewhere_evaluation(case, all_others), 20)
    assert found.verdict is Verdict.VIOLATED


def test_on_three_arms_only_the_repaired_bound_is_below_that_in_Gamma() -> None:
    assert never_larger_evaluation(theorem_1.three_arms_instance()).verdict() is Verdict.HOLDS
    assert (
        never_larger_evaluation(theorem_1.three_arms_instance(), max_min).verdict()
        is Verdict.VIOLATED
    )


def test_the_comparison_is_of_whole_bounds() -> None:
    """Both rivals block, with information 7/10, and Γ = 7/10: 2·0.1225 against 3·0.7."""
    evaluation = never_larger_evaluation(theorem_1.three_arms_instance())
    assert len(theta_s(theorem_1.three_arms_instance())) == 2
    assert (evaluation.conclusion.left, evaluation.conclusion.right) == (
        Fraction(49, 200),
        Fraction(21, 10),
    )


def test_drawn_models_break_a_bound_with_a_quarter_of_the_denominator_in_Gamma() -> None:

    def a_quarter(situation: Situation, blocking: object) -> MaybeInfinite:
        del blocking
        return (gap_Gamma(situation) * (1 - situation.gamma)) ** 2 / 4

    found = search(
        QUICK,
        exact_draws.situations(),
        lambda situation: never_larger_evaluation(situation, a_quarter),
        40,
    )
    assert found.verdict is Verdict.VIOLATED
