"""Algorithm 1, line 2 (transfer mode) and line 14 (stopping test).

| symbol                 | code                 |
| ---------------------- | -------------------- |
| ε(1-γ)/(4(1+γ))        | `transfer_threshold` |
| ε - 2Δ(1+γ)/(1-γ)      | `stopping_slack`     |
"""

from __future__ import annotations

import numpy as np

from ptum.reference.arrays import above
from ptum.reference.errors import require_accuracy, require_discount, require_error
from ptum.reference.tasks.models import ApproximateModels, require_models
from ptum.reference.tasks.values import value_tolerance


def transfer_threshold(epsilon: float, gamma: float) -> float:
    """ε(1-γ) / (4(1+γ))."""
    epsilon = require_accuracy(epsilon)
    gamma = require_discount(gamma)
    return epsilon * (1 - gamma) / (4 * (1 + gamma))


def enters_transfer_mode(Delta: float, epsilon: float, gamma: float) -> bool:
    """Line 2 fails, that is Δ < ε(1-γ)/(4(1+γ)) (D24); with ε = 0 it never does (erratum E12)."""
    Delta = require_error(Delta)
    return bool(above(transfer_threshold(epsilon, gamma), Delta))


def stopping_slack(epsilon: float, Delta: float, gamma: float) -> float:
    """ε - 2Δ(1+γ)/(1-γ): how much a policy may lose in every active model."""
    epsilon = require_accuracy(epsilon)
    Delta = require_error(Delta)
    gamma = require_discount(gamma)
    return epsilon - 2 * Delta * (1 + gamma) / (1 - gamma)


def stopping_models(
    active: tuple[int, ...], models: ApproximateModels, epsilon: float, Delta: float
) -> tuple[int, ...]:
    """Line 14: active θ with Ṽ_θ'^{π̃*_θ} ≥ Ṽ*_θ' - ε + 2Δ(1+γ)/(1-γ) for all active θ'.

    The inequality is asked in every state (D37). Values that are equal on paper differ by rounding,
    so equality is accepted within `value_tolerance` (D14).
    """
    require_models(models, active=active)
    slack = stopping_slack(epsilon, Delta, models.gamma)
    tolerance = value_tolerance(models.V_star, models.gamma)

    def good_in(theta_prime: int, theta: int) -> bool:
        loss = models.V_star[theta_prime] - models.V_pi[theta_prime, theta]
        return not np.any(above(loss, slack + tolerance))

    return tuple(
        theta for theta in active if all(good_in(theta_prime, theta) for theta_prime in active)
    )
