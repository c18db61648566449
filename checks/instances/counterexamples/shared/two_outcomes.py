"""Equations (1)-(4) at a pair whose samples take two values, decided without rounding.

After N samples, j of which took one of the two values, mean and sample deviation follow from the
two counts: they are rational, and the root of a rational. The widths add L, L_σ and roots of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ptum.checks.exact.interval_arrays import enclosures, exceed, roots
from ptum.checks.exact.intervals import Between, root
from ptum.checks.instances.counterexamples.shared.deterministic_runs import log_term, log_term_sigma
from ptum.reference.arrays import Bools, Ints


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


def falls(
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
    tested = N > 1
    failing[tested] = _fall(N[tested], ones[tested], rate, told, distance)
    return failing


def _fall(
    N: Ints, ones: Ints, rate: Fraction, told: EliminationConstants, distance: Fraction
) -> Bools:
    apart = np.abs(ones * rate.denominator - N * rate.numerator)
    sigma_hat = roots(enclosures(ones * (N - ones)) / (N * (N - 1))) * distance
    sigma = root(rate * (1 - rate)) * distance
    by_mean = enclosures(apart) * (distance / rate.denominator) / N
    width = sigma_hat * roots(enclosures(2 * told.L) / N)
    width += enclosures(7 * told.L * told.scale / 3) / (N - 1) + told.Delta
    width_sigma = roots(enclosures(2 * told.L_sigma) / (N - 1)) * told.scale + told.Delta_sigma
    return exceed(by_mean, width) | exceed(abs(sigma_hat - sigma), width_sigma)
