"""Probabilities of counts: off by less than they say, and a miss is never made by rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.exact import binomial
from ptum.checks.exact.intervals import Real, exceeds, log, root
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.transfer.analysis.concentration import (
    bernstein_width,
    empirical_bernstein_width,
)
from tests.support.closeness import near

NEGLIGIBLE = Fraction(1, 10**250)
"""What lies below is nothing beside a probability that is compared."""


def exactly_binomial(n: int, p: float) -> list[Fraction]:
    P = Fraction(p)
    return [math.comb(n, k) * P**k * (1 - P) ** (n - k) for k in range(n + 1)]


def off_by(found: float, true: Fraction) -> float:
    return abs(float(Fraction(found) / true - 1))


@pytest.mark.parametrize("n", [1, 2, 7, 40, pytest.param(250, marks=pytest.mark.slow)])
def test_binomial_probabilities_are_off_by_less_than_allowed(n: int) -> None:
    rng = np.random.default_rng(n)
    for p in (0.5, 1e-9, 1 - 1e-9, *(10 ** rng.uniform(-6, 0, size=8) * 0.999).tolist()):
        found, true = binomial.binomial(n, p), exactly_binomial(n, p)
        seen = [off_by(x, y) for x, y in zip(found.tolist(), true, strict=True) if y > NEGLIGIBLE]
        assert max(seen) <= binomial.of_binomial(n)
        some = rng.random(n + 1) < 0.5
        total = sum((y for y, chosen in zip(true, some, strict=True) if chosen), Fraction(0))
        assert total == 0 or off_by(float(found[some].sum()), total) <= binomial.of_binomial(n)
    assert binomial.of_binomial(n) < 1e-14 * (n + 1)


def drawn_weights(rng: np.random.Generator) -> tuple[float, float, float]:
    """Made by divisions, so that their sum misses one by rounding."""
    a, b, c = (rng.dirichlet((0.5, 0.5, 0.5)) + 1e-4).tolist()
    total = a + b + c
    return a / total, b / total, c / total


@pytest.mark.parametrize("n", [1, 2, 9, 40])
def test_multinomial_probabilities_are_off_by_less_than_allowed(n: int) -> None:
    rng, counts = np.random.default_rng(n), binomial.compositions(n)
    ways = [math.factorial(n) // math.prod(map(math.factorial, row)) for row in counts.tolist()]
    for _ in range(6):
        weights = drawn_weights(rng)
        exact = [Fraction(w) / sum(map(Fraction, weights)) for w in weights]
        true = [
            way * math.prod((w**k for w, k in zip(exact, row, strict=True)), start=Fraction(1))
            for way, row in zip(ways, counts.tolist(), strict=True)
        ]
        found = binomial.multinomial(counts, weights)
        assert sum(true) == 1
        allowed = binomial.of_multinomial(n, weights)
        assert max(off_by(x, y) for x, y in zip(found.tolist(), true, strict=True)) <= allowed
        some = rng.random(len(counts)) < 0.3
        total = sum((y for y, chosen in zip(true, some, strict=True) if chosen), Fraction(0))
        assert total == 0 or off_by(math.fsum(found[some].tolist()), total) <= allowed


def test_weights_that_miss_one_are_held_against_the_distribution() -> None:
    assert binomial.not_normalised((0.5, 0.25, 0.25)) == 0
    missed = float(Fraction(0.25 + 1e-12) - Fraction(1, 4))
    assert binomial.not_normalised((0.5, 0.25, 0.25 + 1e-12)) == near(missed)
    allowed = binomial.of_multinomial(10, (0.5, 0.25, 0.25 + 1e-12))
    assert 1e-11 < allowed < 2e-11


def test_what_sampled_means_are_off_by() -> None:
    """Three weights, √(2 log(4/δ)/n) = 1: 3 + 1 and 3 + 3 roundings, and what the weights miss."""
    delta = 4 * math.exp(-2)
    assert binomial.of_sampled_means(4, delta, (0.5, 0.25, 0.25)) == near(10 * ROUNDING)
    missed = binomial.not_normalised((0.5, 0.25, 0.26))
    assert binomial.of_sampled_means(4, delta, (0.5, 0.25, 0.26)) == near(10 * ROUNDING + missed)


# Misses


def around(x: float) -> list[float]:
    """Doubles close to x on both sides, up to 240 away."""
    return [x + step * math.ulp(x) for step in range(-240, 241, 6)]


def lemma_1(p: Fraction, n: int, delta: float) -> Real:
    """The width for a distribution on {0, 1}, enclosed."""
    L = log(2 / Fraction(delta))
    return root(2 * p * (1 - p) * L / n) + L / (3 * n)


def lemma_2(spread: Fraction, n: int, delta: float, c: Fraction) -> Real:
    """The width for a sample variance, enclosed."""
    L = log(4 / Fraction(delta))
    return root(2 * spread * L / n) + 7 * c * L / (3 * (n - 1))


def misses(mean: Fraction, expected: Fraction, width: Real) -> bool:
    return exceeds(abs(mean - expected), width)


@pytest.mark.parametrize("n", [3, 30, 1000])
@pytest.mark.parametrize("delta", [0.9, 0.1, 1e-6])
def test_no_count_is_said_to_miss_lemma_2_that_does_not(n: int, delta: float) -> None:
    """At the ends of widths, where the two sides are equal but for rounding."""
    K = np.arange(n + 1)
    spreads = K * (n - K) / (n * (n - 1))
    widths = np.array([empirical_bernstein_width(v, n, 0.5, delta) for v in spreads.tolist()])
    said = undecided = 0
    for k in range(min(n, 12)):
        true = lemma_2(Fraction(k * (n - k), n * (n - 1)), n, delta, Fraction(1, 2))
        for p in around(k / n + float(widths[k])):
            found = bool(binomial.surely_misses(K / n, p, widths)[k])
            missing = misses(Fraction(k, n), Fraction(p), true)
            assert missing or not found
            said, undecided = said + found, undecided + (missing and not found)
    assert min(said, undecided) > 0


@pytest.mark.parametrize("n", [3, 30, 1000])
def test_no_count_is_said_to_miss_lemma_1_that_does_not(n: int) -> None:
    K, delta, said = np.arange(n + 1), 0.1, 0
    for p in np.linspace(0.001, 0.5, 7).tolist():
        width = bernstein_width(p * (1 - p), n, 1.0, delta)
        true = lemma_1(Fraction(p), n, delta)
        found = binomial.surely_misses(K / n, p, width)
        said += int(found.sum())
        for k in range(n + 1):
            assert misses(Fraction(k, n), Fraction(p), true) or not found[k]
    assert said > 0


def test_misses_beyond_rounding_are_seen() -> None:
    means = np.array([0.25])
    for width, missed in ((0.25, False), (0.25 - ROUNDING, False), (0.25 - 10 * ROUNDING, True)):
        assert bool(binomial.surely_misses(means, 0.5, width)[0]) is missed
    assert not binomial.surely_misses(means, 0.5, 0.25 - 10 * ROUNDING, off=8 * ROUNDING)[0]


def sample_width(counts: Ints, values: Floats, delta: float) -> tuple[Floats, Floats]:
    """Mean and width of Lemma 2 of one sample, in doubles."""
    n = int(counts.sum())
    mean = float(counts @ values) / n
    spread = float(np.sum(counts * (values - mean) ** 2)) / (n - 1)
    return np.array([mean]), np.array([empirical_bernstein_width(spread, n, 1.0, delta)])


def truly_misses(counts: Ints, weights: Sequence[float], values: Floats, delta: float) -> bool:
    """The same without rounding, against the distribution that the weights stand for."""
    n, rewards = int(counts.sum()), [Fraction(v) for v in values.tolist()]
    mean = sum((c * v for c, v in zip(counts.tolist(), rewards, strict=True)), Fraction(0)) / n
    squares = sum(
        (c * (v - mean) ** 2 for c, v in zip(counts.tolist(), rewards, strict=True)), Fraction(0)
    )
    distribution = [Fraction(w) for w in weights]
    expected = sum((w * v for w, v in zip(distribution, rewards, strict=True)), Fraction(0)) / sum(
        distribution
    )
    return misses(mean, expected, lemma_2(squares / (n - 1), n, delta, Fraction(1)))


def weights_of_mean(middle: float, mean: float) -> tuple[float, float, float]:
    """One fifth in the middle of -1, middle, 1, and the rest so that this is the mean."""
    high = (mean - 0.2 * middle + 0.8) / 2
    return 0.8 - high, 0.2, high


@pytest.mark.parametrize("scale", [1.0, 1 + 1e-12, 1 - 1e-12])
def test_no_sample_of_three_values_is_said_to_miss_that_does_not(scale: float) -> None:
    """E[X] at the end of a sample's width, where both sides are equal but for rounding, and beyond.

    The weights miss one by as much as they are scaled, which moves E[X] but not the distribution.
    """
    rng, delta, checked = np.random.default_rng(5), 0.9, 0
    for _ in range(120):
        n = int(rng.integers(20, 60))
        counts = rng.choice(binomial.compositions(n))
        values = np.array([-1.0, float(rng.uniform(-1, 1)), 1.0])
        means, widths = sample_width(counts, values, delta)
        end = float(means[0] + widths[0])
        far = 100 * ROUNDING + 3 * abs(
            scale - 1
        )  # thirty roundings and twice the scale are allowed
        for beyond, seen in ((0.0, False), (far, True)):
            weights = tuple(scale * w for w in weights_of_mean(float(values[1]), end + beyond))
            if min(weights) <= 0:
                continue
            checked += 1
            off = binomial.of_sampled_means(n, delta, weights)
            expected = float(np.dot(weights, values))
            found = bool(binomial.surely_misses(means, expected, widths, off)[0])
            assert truly_misses(counts, weights, values, delta) or not found
            assert found or not seen
    assert checked >= 40
