"""Lemmas 1 and 2: the counterexample needs each of its numbers, and small widths are found out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest
import scipy  # its parts take long to load, and do so where they are used

from ptum.checks.claims.appendix_b import concentration as lemmas_1_and_2
from ptum.checks.claims.appendix_b.concentration import TwoPointSamples, WidthOf
from ptum.checks.exact import binomial
from ptum.checks.instances.counterexamples.appendix_b import concentration as concentration_cases
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.transfer.analysis import concentration
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)


def shrunk(width_of: WidthOf, factor: float) -> WidthOf:
    return lambda variance, n, c, delta: factor * width_of(variance, n, c, delta)


def test_symmetric_distribution_needs_each_of_its_numbers() -> None:
    distribution = concentration_cases.symmetric()
    unbounded = replace(distribution, c=Fraction(9, 10))
    assert (
        concentration_cases.bernstein_evaluation(unbounded, Version.PRINTED).verdict()
        is Verdict.ASSUMPTION_NOT_MET
    )
    rarer, less_sure = (
        concentration_cases.symmetric(Fraction(5, 10**4)),
        replace(distribution, delta=Fraction(1, 100)),
    )
    assert (
        concentration_cases.bernstein_evaluation(rarer, Version.PRINTED).verdict() is Verdict.HOLDS
    )
    assert (
        concentration_cases.bernstein_evaluation(less_sure, Version.PRINTED).verdict()
        is Verdict.HOLDS
    )


def test_exact_failure_probability_is_the_binomial_tail() -> None:
    distribution = concentration_cases.symmetric()
    assert concentration_cases.first_miss(distribution) == 7
    # no count below the mean can miss: the mean is half a sample
    tail = float(scipy.stats.binom.sf(6, distribution.n, float(distribution.p)))
    assert float(concentration_cases.failure_probability(distribution)) == near(tail)


@pytest.mark.parametrize("n", [30, 1000])
def test_distributions_are_placed_where_a_count_begins_to_miss(n: int) -> None:
    case = TwoPointSamples(n, 1e-6, 1.0)
    for p in lemmas_1_and_2.first_failures(case).tolist():
        counts = np.arange(n + 1)

        def missing(probability: float, counts: np.ndarray = counts) -> int:
            width = concentration.bernstein_width(probability * (1 - probability), n, 1.0, 1e-6)
            return int(np.count_nonzero(counts / n - probability > width))

        assert missing(p) == missing(p * (1 + 1e-6)) + 1


def test_lemma_1_with_half_the_range_is_refuted_on_the_grid() -> None:
    assert lemmas_1_and_2.bernstein_repaired(QUICK, c=0.5).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("factor", [0.5, 0.8])
def test_small_widths_are_refuted(factor: float) -> None:
    first = shrunk(concentration.bernstein_width, factor)
    assert lemmas_1_and_2.bernstein_repaired(QUICK, first).verdict is Verdict.VIOLATED
    second = shrunk(concentration.empirical_bernstein_width, factor / 2)
    assert lemmas_1_and_2.empirical_two_point(QUICK, second).verdict is Verdict.VIOLATED
    assert lemmas_1_and_2.empirical_repaired(QUICK, second).verdict is Verdict.VIOLATED
    assert lemmas_1_and_2.empirical_three_point(QUICK, second).verdict is Verdict.VIOLATED


def test_lemma_2_needs_its_range_term() -> None:
    """A rare value is not in the sample's variance."""

    def without_range(variance: float, n: int, c: float, delta: float) -> float:
        return concentration.empirical_bernstein_width(variance, n, 0.0 * c, delta)

    assert lemmas_1_and_2.empirical_two_point(QUICK, without_range).verdict is Verdict.VIOLATED


def test_three_point_sums_reduce_to_two_points() -> None:
    """A middle value of weight zero: the multinomial sum is the binomial one."""
    distribution = lemmas_1_and_2.ThreePoint((-1.0, 0.0, 1.0), (0.9, 0.0, 0.1), 20, 0.5)
    width_of = shrunk(concentration.empirical_bernstein_width, 0.2)
    found = lemmas_1_and_2.three_point_evaluation(distribution, width_of).conclusion.left
    K = np.arange(21)
    widths = 2 * lemmas_1_and_2.empirical_widths(TwoPointSamples(20, 0.5, 0.5), width_of)
    failing = np.abs(2 * (K / 20 - 0.1)) > widths
    true = sum(
        comb(20, k) * Fraction(0.1) ** k * Fraction(0.9) ** (20 - k) for k in K[failing].tolist()
    )
    assert abs(Fraction(found) / true - 1) <= binomial.of_multinomial(20, distribution.weights)


@pytest.mark.parametrize(("share", "verdict"), [(0.5, Verdict.HOLDS), (2.0, Verdict.VIOLATED)])
def test_a_failure_probability_may_exceed_delta_by_its_rounding(
    share: float, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Widths of zero, so that every count misses but one, and δ is put next to that."""
    distribution = lemmas_1_and_2.ThreePoint((-1.0, 0.0, 1.0), (0.9, 0.0, 0.1), 20, 0.5)
    of_distribution = lemmas_1_and_2.three_point_evaluation(distribution, lambda *_: 0.0).conclusion
    of_counts = binomial.of_multinomial(20, distribution.weights)
    assert of_distribution.tolerance == of_counts * of_distribution.left
    close = replace(distribution, delta=float(of_distribution.left) / (1 + share * of_counts))
    monkeypatch.setattr(binomial, "of_sampled_means", lambda *_: 0.0)
    assert lemmas_1_and_2.three_point_evaluation(close, lambda *_: 0.0).verdict() is verdict


@pytest.mark.parametrize(("share", "verdict"), [(0.5, Verdict.HOLDS), (2.0, Verdict.VIOLATED)])
def test_a_binomial_failure_probability_may_exceed_delta_by_its_rounding(
    share: float, verdict: Verdict
) -> None:
    case, p = TwoPointSamples(100, 0.5, 1.0), 0.3
    failed = lemmas_1_and_2.bernstein_failure(p, case, lambda *_: 0.01)
    close = replace(case, delta=failed / (1 + share * binomial.of_binomial(100)))
    assert lemmas_1_and_2.bernstein_evaluation(p, close, lambda *_: 0.01).verdict() is verdict
