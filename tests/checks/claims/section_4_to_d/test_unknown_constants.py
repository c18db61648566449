"""Weakly connected Bernoulli tasks: distributions are close; otherwise nothing follows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from ptum.checks.claims.section_4 import unknown_constants
from ptum.checks.claims.section_4.unknown_constants import Offered, TwoModels
from ptum.checks.exact.hidden_markov import flip_distribution
from ptum.checks.instances.counterexamples.section_4.theorem_2 import EVEN
from ptum.checks.verdicts.check import Context, Profile
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)
OFFERED = Offered(Fraction(10), Fraction(1, 10), Fraction(2, 5), Fraction(1, 5))


def test_flips_of_tasks_drawn_anew_are_fair() -> None:
    first, second = TwoModels(Fraction(2, 5), Fraction(1, 5), Fraction(0)).models()
    distribution = flip_distribution(first.O[0], first.T, EVEN, 4)
    assert set(distribution.values()) == {Fraction(1, 16)}
    assert distribution == flip_distribution(second.O[0], second.T, EVEN, 4)


def test_the_chain_is_drawn_anew_or_stays() -> None:
    """T = λI + (1-λ)/2 in all entries."""
    (hmm, _) = TwoModels(Fraction(2, 5), Fraction(1, 5), Fraction(1, 3)).models()
    assert [list(row) for row in hmm.T] == [
        [Fraction(2, 3), Fraction(1, 3)],
        [Fraction(1, 3), Fraction(2, 3)],
    ]


def test_distributions_are_close_only_if_the_first_task_is_fair() -> None:
    assert unknown_constants.close_laws(QUICK, fair=False).verdict is Verdict.VIOLATED


def test_independent_tasks_are_no_instance() -> None:
    """Their distributions agree, but T has rank 1."""
    pair = TwoModels(Fraction(2, 5), Fraction(1, 5), Fraction(0))
    assert unknown_constants.close_evaluation((pair, 3)).verdict() is Verdict.ASSUMPTION_NOT_MET


def test_every_number_is_too_small_for_some_chain() -> None:
    assert unknown_constants.too_small_evaluation(OFFERED).verdict() is Verdict.HOLDS


@pytest.mark.parametrize("correlation", [Fraction(1, 2), Fraction(1, 1000)])
def test_a_strong_connection_is_seen_in_the_data(correlation: Fraction) -> None:
    """Then the distributions may be far apart and nothing follows for the constant."""
    evaluation = unknown_constants.too_small_evaluation(OFFERED, correlation)
    assert evaluation.verdict() is Verdict.VIOLATED


def test_more_is_asked_of_more_tasks() -> None:
    """h grows with ρ, and Theorem 2 speaks of it."""
    few = unknown_constants.tasks_for(OFFERED)
    many = unknown_constants.tasks_for(replace(OFFERED, rho=Fraction(1000)))
    assert few < many
    assert unknown_constants.allowed(OFFERED, few) < Fraction(1, 10)
    assert unknown_constants.allowed(OFFERED, 2) == float("inf")
