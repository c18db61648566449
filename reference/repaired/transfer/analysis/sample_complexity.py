"""Theorem 1, Corollary 1 and Lemma 8 in the form that can be proved for Δ ≤ (1-γ)ε/(18(1+γ)).

| symbol                                 | code                     |
| -------------------------------------- | ------------------------ |
| Θ_s                                    | `theta_s`                |
| min_{θ∈Θ_s} max_{s,a} I_{s,a}(θ*,θ)    | `QueryBound.denominator` |
| min{SA, |Θ|-1}                         | `QueryBound.multiplicity`|
| I_t(S_t,A_t)                           | `index`                  |

The bounds count queries, which are τ - 1 (D04). 18, 128, 1000 and 16000 are those of
`PRINTED_SHIFT`; every bound takes another `TransferConstants`.
"""

from __future__ import annotations

import numpy as np

from ptum.reference.arrays import above
from ptum.reference.errors import (
    least,
    require_accuracy,
    require_budget,
    require_confidence,
    require_discount,
    require_real,
    require_sizes,
)
from ptum.reference.repaired.transfer.repairs import PRINTED_SHIFT, TransferConstants
from ptum.reference.tasks.models import ApproximateModels, require_models
from ptum.reference.tasks.values import gap_tolerance
from ptum.reference.transfer.analysis.sample_complexity import (
    QueryBound,
    gap_Gamma,
    information_of_target,
    kappa_eps,
    reward_distance,
    theta_eps,
    transition_distance,
    zero_or_quotient,
)
from ptum.reference.transfer.confidence import log_term
from ptum.reference.transfer.information import index

__all__ = [
    "QueryBound",
    "corollary_1_bound",
    "fundamental_bound",
    "gap_Gamma",
    "kappa_eps",
    "theorem_1_bound",
    "theta_eps",
    "theta_s",
]


def theta_s(models: ApproximateModels, *, target: int, kappa: float) -> tuple[int, ...]:
    """Θ_s = {θ : ‖r̃_θ - r̃_θ*‖ + γ‖(p̃_θ - p̃_θ*)ᵀ Ṽ*_θ*‖ > 2κ_ε}, a subset of Θ_ε.

    Every model in which the target's policy loses more than line 14 allows is in it. A sum that
    exceeds 2κ_ε by rounding alone, 2e with e = `gap_tolerance`, is not, as line 14 accepts a loss
    that exceeds its slack by rounding alone.
    """
    require_models(models, target=target)
    enough = 2 * kappa + 2 * gap_tolerance(models.V_star)
    return tuple(
        theta
        for theta in range(models.k)
        if above(
            reward_distance(models, theta=theta, target=target)
            + models.gamma * transition_distance(models, theta=theta, target=target),
            enough,
        )
    )


def fundamental_bound(
    active: tuple[int, ...],
    models: ApproximateModels,
    Delta: float,
    L: float,
    repair: TransferConstants = PRINTED_SHIFT,
) -> float:
    """Lemma 8 with the whole index (E09): 128 L / max_{s,a} I_t(s,a), at most the printed bound.

    Line 18 queries the pair of the largest index, so this is 128 L / I_t(S_t,A_t); the target
    need not be known.
    """
    largest = float(np.max(index(active, models, Delta, repair.shift)))
    return zero_or_quotient(repair.lemma_8 * L, largest)


def theorem_1_bound(
    models: ApproximateModels,
    *,
    target: int,
    epsilon: float,
    delta: float,
    n: int,
    Delta: float,
    repair: TransferConstants = PRINTED_SHIFT,
) -> QueryBound:
    """128 min{SA,|Θ|-1} log(8SAn(|Θ|+1)/δ) / min_{θ∈Θ_s} max_{s,a} I_{s,a}(θ*,θ).

    The printed max-min is zero when each pair is silent about some model, although other pairs
    speak about it (erratum E03).
    """
    n = require_budget(n)
    delta = require_confidence(delta)
    kappa = kappa_eps(epsilon, Delta, models.gamma)
    blocking = theta_s(models, target=target, kappa=kappa)
    table = information_of_target(
        models, target=target, others=blocking, Delta=Delta, shift=repair.shift
    )
    denominator = float(np.min(np.max(table, axis=(1, 2)), initial=np.inf))
    multiplicity = min(models.S * models.A, models.k - 1)
    L = log_term(models.S, models.A, n, models.k, delta)
    bound = zero_or_quotient(repair.theorem_1 * multiplicity * L, denominator)
    return QueryBound(repair.theorem_1, multiplicity, L, blocking, denominator, bound)


def corollary_1_bound(
    S: int,
    A: int,
    k: int,
    *,
    gamma: float,
    epsilon: float,
    delta: float,
    n: int,
    Gamma: float,
    repair: TransferConstants = PRINTED_SHIFT,
) -> float:
    """min{SA,|Θ|-1} L min{1000/((1-γ)²Γ²), 16000/((1-γ)⁴ε'²)} with L = log(8SAn(|Θ|+1)/δ).

    ε' = min{ε, 1/(1-γ)}, the length of the range of values; the term of Γ is +inf for Γ = 0, that
    of ε for ε = 0. The printed rate fails for some Δ that the printed line 2 admits (erratum E07).
    """
    S, A, k = require_sizes(S=S, A=A, k=k)
    Gamma = require_real(Gamma, lambda x: x >= 0, "Gamma", "a gap must be at least 0")
    epsilon = require_accuracy(epsilon)
    delta = require_confidence(delta)
    gamma = require_discount(gamma)
    n = require_budget(n)
    accuracy = least(epsilon, 1 / (1 - gamma))
    numerator = min(S * A, k - 1) * log_term(S, A, n, k, delta)
    by_gap = zero_or_quotient(repair.by_gap * numerator, (1 - gamma) ** 2 * (Gamma * Gamma))
    by_accuracy = zero_or_quotient(repair.by_accuracy * numerator, (1 - gamma) ** 4 * accuracy**2)
    return least(by_gap, by_accuracy)
