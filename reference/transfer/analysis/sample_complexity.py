"""Theorem 1, Corollary 1 and Lemma 8: how many queries the paper promises, as printed.

| symbol                              | code                      |
| ----------------------------------- | ------------------------- |
| θ*                                  | `target`                  |
| κ_ε                                 | `kappa_eps`               |
| ‖r̃_θ - r̃_θ*‖                      | `reward_distance`         |
| ‖(p̃_θ - p̃_θ*)ᵀ Ṽ*_θ*‖             | `transition_distance`     |
| Θ_ε                                 | `theta_eps`               |
| log(8SAn(|Θ|+1)/δ)                  | `L`                       |
| max_{s,a} min_{θ∈Θ_ε} I_{s,a}(θ*,θ) | `QueryBound.denominator`  |
| Γ                                   | `gap_Gamma`               |

Norms are maxima over all pairs (D21). A zero denominator makes a bound +inf (D23); the minimum
over an empty set is +inf, and then the bound is 0 queries.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ptum.reference.arrays import Floats, above
from ptum.reference.errors import (
    Numeric,
    largest,
    require_accuracy,
    require_budget,
    require_confidence,
    require_discount,
    require_error,
    require_real,
    require_sizes,
)
from ptum.reference.tasks.gaps import reward_gap, transition_gap_three
from ptum.reference.tasks.models import ApproximateModels, require_models
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.confidence import log_term
from ptum.reference.transfer.information import SHIFT, information

FACTOR = 128
"""The constant of Lemma 8 and Theorem 1: four times the 32 of Lemma 4."""


@dataclass(frozen=True, slots=True)
class QueryBound(Numeric):
    """`factor` · `multiplicity` · `L` / `denominator` = `bound`, over the models in `blocking`."""

    factor: int
    multiplicity: int
    L: float
    blocking: tuple[int, ...]
    denominator: float
    bound: float


def kappa_eps(epsilon: float, Delta: float, gamma: float) -> float:
    """κ_ε = (1-γ)ε/4 - Δ(1+γ)/2."""
    epsilon = require_accuracy(epsilon)
    Delta = require_error(Delta)
    gamma = require_discount(gamma)
    return (1 - gamma) * epsilon / 4 - Delta * (1 + gamma) / 2


def reward_distance(models: ApproximateModels, *, theta: int, target: int) -> float:
    """‖r̃_θ - r̃_θ*‖_∞."""
    return float(np.max(reward_gap(models.r[theta], models.r[target])))


def transition_distance(models: ApproximateModels, *, theta: int, target: int) -> float:
    """‖(p̃_θ - p̃_θ*)ᵀ Ṽ*_θ*‖_∞: the value is that of the target."""
    gap = transition_gap_three(models.p[theta], models.p[target], models.V_star[target])
    return float(np.max(gap))


def theta_eps(models: ApproximateModels, *, target: int, kappa: float) -> tuple[int, ...]:
    """Θ_ε = {θ : ‖r̃_θ - r̃_θ*‖ > κ_ε or ‖(p̃_θ - p̃_θ*)ᵀ Ṽ*_θ*‖ > κ_ε/γ}.

    At γ = 0 the second part is void: κ_ε/0 counts as +inf (D30). For a negative κ_ε every model
    is in the set, the target too (D31).
    """
    require_models(models, target=target)
    kappa_over_gamma = kappa / models.gamma if models.gamma > 0 else math.inf
    return tuple(
        theta
        for theta in range(models.k)
        if above(reward_distance(models, theta=theta, target=target), kappa)
        or above(transition_distance(models, theta=theta, target=target), kappa_over_gamma)
    )


def information_of_target(
    models: ApproximateModels,
    *,
    target: int,
    others: tuple[int, ...],
    Delta: float,
    shift: float = SHIFT,
) -> Floats:
    """I_{s,a}(θ*,θ) for the given θ, shape (number of θ, S, A)."""
    table = np.zeros((len(others), models.S, models.A))
    for row, theta in enumerate(others):
        table[row] = information(models, theta=target, theta_prime=theta, Delta=Delta, shift=shift)
    return table


def fundamental_bound(iteration: Iteration, L: float) -> float:
    """Lemma 8: 128 L / max_{s,a} max_{θ∈Θ̄_t} I_{s,a}(θ*,θ)."""
    table = information_of_target(
        iteration.models,
        target=iteration.target,
        others=iteration.active,
        Delta=iteration.Delta,
    )
    return zero_or_quotient(FACTOR * L, float(table.max(initial=0.0)))


def theorem_1_bound(
    models: ApproximateModels,
    *,
    target: int,
    epsilon: float,
    delta: float,
    n: int,
    Delta: float,
) -> QueryBound:
    """128 min{SA,|Θ|} log(8SAn(|Θ|+1)/δ) / max_{s,a} min_{θ∈Θ_ε} I_{s,a}(θ*,θ)."""
    n = require_budget(n)
    delta = require_confidence(delta)
    kappa = kappa_eps(epsilon, Delta, models.gamma)
    blocking = theta_eps(models, target=target, kappa=kappa)
    table = information_of_target(models, target=target, others=blocking, Delta=Delta)
    denominator = float(np.max(np.min(table, axis=0, initial=np.inf)))
    multiplicity = min(models.S * models.A, models.k)
    L = log_term(models.S, models.A, n, models.k, delta)
    bound = zero_or_quotient(FACTOR * multiplicity * L, denominator)
    return QueryBound(FACTOR, multiplicity, L, blocking, denominator, bound)


def gap_Gamma(models: ApproximateModels, *, target: int) -> float:
    """Γ = min_{θ≠θ*} max{‖r̃_θ - r̃_θ*‖, ‖(p̃_θ - p̃_θ*)ᵀ Ṽ*_θ*‖}; +inf for one model (D29)."""
    require_models(models, target=target)
    others = [theta for theta in range(models.k) if theta != target]
    distances = np.maximum(
        [reward_distance(models, theta=theta, target=target) for theta in others],
        [transition_distance(models, theta=theta, target=target) for theta in others],
    )
    return float(np.min(distances, initial=np.inf))


def corollary_1_rate(
    S: int, A: int, k: int, *, gamma: float, epsilon: float, delta: float, Gamma: float
) -> float:
    """min{SA,|Θ|} log(1/δ) / (max{Γ²,ε²}(1-γ)⁴), what stands inside Õ(.)."""
    S, A, k = require_sizes(S=S, A=A, k=k)
    Gamma = require_real(Gamma, lambda x: x >= 0, "Gamma", "a gap must be at least 0")
    epsilon = require_accuracy(epsilon)
    delta = require_confidence(delta)
    gamma = require_discount(gamma)
    numerator = min(S * A, k) * math.log(1 / delta)
    scale = largest(Gamma, epsilon)
    return zero_or_quotient(numerator, scale * scale * (1 - gamma) ** 4)


def zero_or_quotient(numerator: float, denominator: float) -> float:
    """numerator/denominator with 0/0 = 0 and x/0 = +inf for x > 0 (D23)."""
    if numerator == 0:
        return 0.0
    return numerator / denominator if denominator != 0 else math.inf
