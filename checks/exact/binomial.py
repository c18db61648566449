"""How often each value of a sample is seen: probabilities in doubles, with bounds of their error.

Only sums, products and quotients of positive doubles, each off by half a rounding of its result
(IEEE 754), so the share by which a probability is off is a count of operations. What falls below
the least normal double, 10⁻³⁰⁷, is nothing beside any probability that is compared here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ptum.checks.exact.mass import MassError, require_whole
from ptum.reference.arrays import ROUNDING, Bools, Floats, Ints, above


def binomial(n: int, p: float) -> Floats:
    """P(K = 0), …, P(K = n) for 0 < p < 1.

    Weights start with 1 at the likeliest count; P(k+1)/P(k) = ((n-k)/(k+1))·(p/(1-p)) gives the
    others, and their sum is what all are divided by.
    """
    mode, odds = min(int((n + 1) * p), n), p / (1 - p)
    up, down = np.arange(mode, n), np.arange(mode, 0, -1)
    weights = np.ones(n + 1)
    weights[mode + 1 :] = np.cumprod((n - up) / (up + 1) * odds)
    weights[:mode] = np.cumprod(down / (n - down + 1) / odds)[::-1]
    found = np.asarray(weights / weights.sum())
    _require_mean(found, n, p)
    return found


def _require_mean(probabilities: Floats, n: int, p: float) -> None:
    """Raise unless Σ k P(k) = np: of quotients the mass is one even where a weight is missing.

    Products and their sum add n + 1 halves of a rounding to what a sum of probabilities is off by.
    """
    mean = float(np.dot(np.arange(n + 1), probabilities))
    if not abs(mean - n * p) <= (of_binomial(n) + (n + 2) * ROUNDING) * n * p:
        raise MassError(f"counts of {n} trials have the mean {mean:.17g}, not {n * p:.17g}")


def of_binomial(n: int) -> float:
    """By which share a sum of `binomial` probabilities is off.

    A step has five operations, odds included, so a weight is off by 5n halves of a rounding; each
    of the two sums adds n of them, and there is one quotient: 5n, 5n + n, n and 1.
    """
    return (6 * n + 1) * ROUNDING


def compositions(n: int) -> Ints:
    """All (i, j, n-i-j) of non-negative integers."""
    i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    kept = i + j <= n
    return np.stack([i[kept], j[kept], (n - i - j)[kept]], axis=1)


def multinomial(counts: Ints, weights: Sequence[float]) -> Floats:
    """n!/(i!j!…) w_1^i w_2^j … in every row of all counts, for up to 170 samples."""
    n = int(counts[0].sum())
    factorials = np.array([float(math.factorial(k)) for k in range(n + 1)])
    found = np.full(len(counts), factorials[n])
    for column, weight in zip(counts.T, weights, strict=True):
        powers = np.cumprod([1.0, *[weight] * n])
        found *= powers[column] / factorials[column]
    require_whole(found.tolist(), of_multinomial(n, weights))
    return found


def of_multinomial(n: int, weights: Sequence[float]) -> float:
    """By which share a sum of `multinomial` probabilities is off.

    For each of the k values a power, the powers together of n factors, a factorial, a quotient and
    a product, then n! and a sum that is rounded once, each half a rounding. The distribution meant
    has weights that sum to one.
    """
    k = len(weights)
    return (n + 3 * k + 2) * ROUNDING / 2 + n * not_normalised(weights)


def not_normalised(weights: Sequence[float]) -> float:
    """How far doubles that stand for a distribution miss the sum one, rounded up."""
    return float(abs(sum(map(Fraction, weights)) - 1)) * (1 + ROUNDING)


def surely_misses(means: Floats, mean: float, widths: Floats | float, off: float = 0.0) -> Bools:
    """|sample mean - E[X]| > width, beyond any rounding; `off` is what else the sides are off by.

    A difference loses two halves of a rounding of its terms, where these are rounded once, and a
    width of Lemma 1 or 2 fewer than sixteen: four for its logarithm, which is above 1/2, three
    products and quotients and a root in each of two terms, and the sum.
    """
    rounded = 8 * ROUNDING * (np.abs(means) + abs(mean) + widths) + off
    return above(np.abs(means - mean) - widths, rounded)


def of_sampled_means(n: int, delta: float, weights: Sequence[float]) -> float:
    """What sample means, E[X] and widths of Lemma 2 are off by, for values between -1 and 1.

    Means and E[X] are sums of k products, off by k + 1 halves of a rounding each, and E[X] by what
    the weights miss. A root of Σ(x_i - mean)²/(n-1) moves by no more than the length of its vector,
    each of whose n entries is off by k + 3 halves, so by (k+3)√2 halves; in the width it has the
    factor √(2 log(4/δ)/n).
    """
    k = len(weights)
    factor = math.sqrt(2 * math.log(4 / delta) / n)
    return (k + 1 + (k + 3) * factor) * ROUNDING + not_normalised(weights)
