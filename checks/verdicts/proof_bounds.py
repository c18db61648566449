"""Bounds inside proofs, and bounds that are no theorem's, as functions of their symbols.

The ledger has a formula for each, of which `checks/claims/agreement` says that it is the same.
Checks take the right side of a comparison from here and put the same symbols into the formula
they print. Fractions stay fractions where a bound has neither a root nor a logarithm.
"""

from __future__ import annotations

import math

import numpy as np

from ptum.checks.exact.numbers import Number, max_of, min_of
from ptum.reference.arrays import Floats

# Section 3


def range_shares(
    *, gamma: float, V: Floats, r: Floats, sigma_r: Floats, sigma_p: Floats
) -> tuple[float, float, float, float]:
    """How much of their ranges models use: values, reward gaps, deviations; 1 is the whole range.

    Values lie in [0, 1/(1-γ)] and are counted from the middle, deviations up to half of a range;
    the first index of a table is the model.
    """
    return (
        float(np.abs(2 * (1 - gamma) * V - 1).max()),
        float(np.ptp(r, axis=0).max()),
        2 * float(sigma_r.max()),
        2 * (1 - gamma) * float(sigma_p.max()),
    )


def value_range(gamma: Number) -> Number:
    """1/(1-γ): what no value of an MDP with rewards in [0,1] exceeds."""
    return 1 / (1 - gamma)


def pass_number(queries: int) -> int:
    """t = |𝒟| + 1: every iteration but the last of Algorithm 1 has one query."""
    return queries + 1


# Appendix B


def corollary_1_exchange(Gamma: Number, kappa: Number, gamma: Number) -> Number:
    """max{Γ²,κ_ε²}(1-γ)²: the first step of Corollary 1's proof."""
    return max_of((Gamma, kappa)) ** 2 * (1 - gamma) ** 2


def corollary_1_constant(Gamma: Number, epsilon: Number, gamma: Number) -> Number:
    """max{Γ²,ε²}(1-γ)⁴/8: its second step, as printed."""
    return max_of((Gamma, epsilon)) ** 2 * (1 - gamma) ** 4 / 8


def core_information(farthest: Number, Delta: Number, variance: Number, width: Number) -> Number:
    """4 min{(G-4Δ)²/Var[X], (G-4Δ)/w}, nothing for a gap up to 4Δ: what Lemma 8 rests on."""
    excess = max_of((farthest - 4 * Delta, 0))
    linear = excess / width
    return 4 * (min_of((excess**2 / variance, linear)) if variance else linear)


def enough_samples(L: float, information: float, factor: float) -> float:
    """c L/I: so many samples do not leave both models of the largest index active.

    An index of zero promises nothing.
    """
    return factor * L / information if information else math.inf


def admitted_error(epsilon: Number, gamma: Number, loss_ratio: Number) -> Number:
    """ε(1-γ)/(2(1+γ) + 8R): what line 2 may admit where no set of models has a larger R."""
    return epsilon * (1 - gamma) / (2 * (1 + gamma) + 8 * loss_ratio)


# Section 4


def dropped_visits(visits: int, delta_prime: float) -> float:
    """log(1-δ')/log(1-1/v): how often a rule that never misses may drop what cannot follow."""
    return math.log1p(-delta_prime) / math.log1p(-1 / visits)


# Appendix D


def printed_inverse_norm(lambda_min_Sigma_31: Number) -> Number:
    """2/λ_min: what Lemma 11's proof allows ‖Σ̂₃₁^†‖."""
    return 2 / lambda_min_Sigma_31


def inverse_norm(sigma_k_Sigma_31: Number) -> Number:
    """2/σ_k: what ‖[Σ̂₃₁]_k^†‖ can be where Σ̂₃₁ is off by at most σ_k/2."""
    return 2 / sigma_k_Sigma_31


def printed_inverse_change(moment_error: Number, lambda_min_Sigma_31: Number) -> Number:
    """2ε/λ_min, as the proof of Lemma 11 prints it."""
    return 2 / lambda_min_Sigma_31 * moment_error


def inverse_change(moment_error: Number, sigma_k_Sigma_31: Number) -> Number:
    """4ε/σ_k², for vectors in the range of Σ_31."""
    return 4 * moment_error / sigma_k_Sigma_31**2


def column_norm(S: int, A: int) -> int:
    """2SA, a bound on the length of a third view."""
    return 2 * S * A


def column_split(
    *,
    size_Sigma_21_hat: float,
    size_inverse: float,
    size_inverse_hat: float,
    size_mu: float,
    off_mu: float,
    off_Sigma_21: float,
    off_inverse: float,
) -> tuple[float, float, float]:
    """The three terms that cover the error of a column of Ô: of third views, Σ_21 and Σ_31^†."""
    return (
        size_Sigma_21_hat * size_inverse_hat * off_mu,
        size_inverse * size_mu * off_Sigma_21,
        size_Sigma_21_hat * size_mu * off_inverse,
    )


def without_floor(constant: Number, l1_distance: Number) -> Number:
    """C‖p-q‖₁, which bounds no difference of deviations for all distributions."""
    return constant * l1_distance
