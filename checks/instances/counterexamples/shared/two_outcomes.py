"""Equations (1)-(4) at a pair whose samples take two values, decided without rounding.

After N samples, j of which took one of the two values, mean and sample deviation follow from the
two counts: they are rational, and the root of a rational. The widths add L, L_σ and roots of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ptum.checks.exact.interval_arrays import enclosures, exceed, roots
from ptum.checks.exact.intervals import Between, Real, root
from ptum.checks.instances.counterexamples.shared.deterministic_runs import log_term, log_term_sigma
from ptum.reference.arrays import Bools, Floats, Ints

CLEAR = 1e-12
"""Doubles decide what is farther apart than this share of the numbers compared, each of which has
had fewer than 20 roundings of 2⁻⁵³; intervals decide the rest."""


@dataclass(frozen=True)
class EliminationConstants:
    """L and L_σ, the errors Δ that the widths of means and of deviations are told, and the scale
    of what is averaged: 1 for rewards, 1/(1-γ) for values.
    """

    L: Between
    L_sigma: Between
    Delta: Fraction = Fraction(0)
    Delta_sigma: Fraction = Fraction(0)
    scale: Fraction = Fraction(1)


def of_rewards(
    S: int, A: int, n: int, k: int, delta: Fraction, Delta: Fraction = Fraction(0)
) -> EliminationConstants:
    """Equations (1) and (3) for k models of S states and A actions, a budget n and δ."""
    return EliminationConstants(
        log_term(S, A, n, k, delta), log_term_sigma(S, A, n, k, delta), Delta, Delta
    )


def fails(
    N: Ints,
    ones: Ints,
    rate: Fraction,
    told: EliminationConstants,
    distance: Fraction = Fraction(1),
) -> Bools:
    """Whether a model fails one of the two tests, for all counts at once.

    The model gives `ones` the chance p = `rate`; the two values are d = `distance` apart. The tests
    are d|j/N - p| ≤ d√(2j(N-j)L/(N²(N-1))) + 7L scale/(3(N-1)) + Δ and
    d|√(j(N-j)/(N(N-1))) - √(p(1-p))| ≤ √(2L_σ/(N-1)) scale + Δ_σ. A single sample is not tested.
    """
    failing: Bools = np.zeros(len(N), dtype=np.bool_)
    tested = np.flatnonzero(N > 1)
    mean, width, sigma_hat, sigma, width_sigma = _sides(
        N[tested], ones[tested], rate, told, distance, (_doubles, np.sqrt)
    )
    by_mean, by_sigma = mean - width, np.abs(sigma_hat - sigma) - width_sigma
    size, size_sigma = CLEAR * (mean + width), CLEAR * (sigma_hat + sigma + width_sigma)
    failing[tested] = (by_mean > size) | (by_sigma > size_sigma)
    close = tested[~failing[tested] & ((by_mean > -size) | (by_sigma > -size_sigma))]
    if len(close):
        mean, width, sigma_hat, sigma, width_sigma = _sides(
            N[close], ones[close], rate, told, distance, (enclosures, roots)
        )
        failing[close] = exceed(mean, width) | exceed(abs(sigma_hat - sigma), width_sigma)
    return failing


def _sides(
    N: Ints,
    ones: Ints,
    rate: Fraction,
    told: EliminationConstants,
    distance: Fraction,
    arithmetic: tuple[Callable[[Ints | Real], Any], Callable[[Any], Any]],
) -> tuple[Any, Any, Any, Any, Any]:
    """The two sides of the first test; σ̂, σ and the width of the second."""
    number, square_root = arithmetic
    apart = np.abs(ones * rate.denominator - N * rate.numerator)
    d, pairs, scale = number(distance), number(N * (N - 1)), number(told.scale)
    sigma_hat = square_root(number(ones * (N - ones)) / pairs) * d
    sigma = number(root(rate * (1 - rate))) * d
    mean = number(apart) * number(distance / rate.denominator) / number(N)
    width = sigma_hat * square_root(number(2 * told.L) / number(N))
    width = width + number(7 * told.L * told.scale / 3) / number(N - 1) + number(told.Delta)
    width_sigma = square_root(number(2 * told.L_sigma) / number(N - 1)) * scale
    return mean, width, sigma_hat, sigma, width_sigma + number(told.Delta_sigma)


def _doubles(x: Ints | Real) -> Floats:
    return np.asarray(x if isinstance(x, np.ndarray) else float(x), dtype=np.float64)
