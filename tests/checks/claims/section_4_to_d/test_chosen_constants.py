"""Constants that narrow intervals, or drop more as they grow, are seen; so is a false guarantee."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ptum.checks.claims.section_4 import chosen_constants
from ptum.checks.claims.section_4.chosen_constants import (
    Dropped,
    TwoConstants,
    TwoRules,
    by_theorem_3,
    coins_with_constants,
    fewer_evaluation,
    of_theorem_2,
    rarer_evaluation,
    two_constants,
    two_rules,
)
from ptum.checks.exact.hidden_markov import flip_distribution
from ptum.checks.instances.counterexamples.section_4 import theorem_3
from ptum.checks.instances.counterexamples.section_4.theorem_3 import (
    COIN,
    OFFER,
    OneCoin,
    large_enough_evaluation,
    least_miss,
)
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)


# The trade


def narrower(rho: Fraction, case: TwoConstants) -> float:
    """As if ρ were a precision."""
    return of_theorem_2(1 / (100 * rho), case)


def test_a_larger_constant_misses_more_rarely() -> None:
    found = search(QUICK, two_constants(), lambda case: rarer_evaluation(case, narrower), 25)
    assert found.verdict is Verdict.VIOLATED


def test_misses_are_those_of_a_coin() -> None:
    """Of two flips with rate 1/2 the shares 0 and 1 are off by 1/2, each with probability 1/4."""
    case = TwoConstants(Fraction(1, 2), 2, Fraction(1, 10), Fraction(1), Fraction(2))
    assert chosen_constants.miss(case, 0.25) == Fraction(1, 2)
    assert chosen_constants.miss(case, 0.5) == 0


def dropping_more(case: TwoRules, rho: float) -> Dropped:
    """As if the error of the estimate fell with ρ."""
    return by_theorem_3(case, 1e-6 / rho)


def test_a_larger_constant_drops_nothing_that_a_smaller_one_keeps() -> None:
    found = search(QUICK, two_rules(), lambda case: fewer_evaluation(case, dropping_more), 100)
    assert found.verdict is Verdict.VIOLATED


def test_both_rules_drop_something() -> None:
    rules: set[str] = set()

    def look(case: TwoRules, rho: float) -> Dropped:
        dropped = by_theorem_3(case, rho)
        rules.update(rule for rule, _ in dropped)
        return dropped

    search(QUICK, two_rules(), lambda case: fewer_evaluation(case, look), 60)
    assert rules == {"printed", "repaired"}


# The guarantee


def test_a_single_model_can_be_named() -> None:
    assert least_miss(OFFER) > Fraction(9, 10)
    assert least_miss(replace(OFFER, rates=OFFER.rates[:1])) < 0


def test_every_interval_misses_in_one_of_the_models() -> None:
    """All estimators of three flips from {rates}: each misses as often as is said, or more."""
    rates = (Fraction(1, 10), Fraction(1, 4), Fraction(2, 5))
    offer = replace(OFFER, rates=rates, h=3, correlation=Fraction(1, 50))
    laws = [flip_distribution(hmm.O[0], hmm.T, hmm.first, 3) for hmm in offer.models()]
    covered = sum(max(distribution[flips] for distribution in laws) for flips in laws[0])
    worst_at_best = 1 - covered / len(rates)
    assert worst_at_best >= least_miss(offer)
    assert worst_at_best > Fraction(1, 2)


def test_a_constant_below_that_of_the_coin_keeps_no_level() -> None:
    assert large_enough_evaluation(COIN).verdict() is Verdict.HOLDS
    small = OneCoin(Fraction(1, 2), 5, Fraction(1, 10), Fraction(1, 10))
    assert large_enough_evaluation(small).verdict() is Verdict.ASSUMPTION_NOT_MET
    assert small.miss() == Fraction(3, 8) > small.delta_prime


def test_a_hypothesis_that_asks_too_little_is_rejected() -> None:
    lenient = search(
        QUICK, coins_with_constants(), lambda coin: large_enough_evaluation(coin, exponent=10), 100
    )
    assert lenient.verdict is Verdict.VIOLATED


def test_one_model_is_at_distance_one_from_nothing() -> None:
    assert theorem_3.least_distance(replace(OFFER, rates=OFFER.rates[:1])) == 1
