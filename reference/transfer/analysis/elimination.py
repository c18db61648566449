"""Lemma 4: how many samples of a pair suffice to eliminate a model, as printed.

| symbol                     | code                | shape  |
| -------------------------- | ------------------- | ------ |
| θ*, θ                      | `target`, `theta`   |        |
| Θ̄_t                       | `active`            |        |
| [Δ̃^x_{s,a}(θ*,θ) - 4Δ]_+  | `x`                 | (S, A) |
| n̄_θ^r(s,a)                | `n_bar_r`           | (S, A) |
| n̄_θ^p(s,a)                | `n_bar_p`           | (S, A) |
| n̄_θ(s,a)                  | `n_bar`             | (S, A) |

A count is +inf where its gap does not exceed 4Δ (D23).
"""

from __future__ import annotations

import numpy as np

from ptum.reference.arrays import Floats, above
from ptum.reference.errors import InputError, require
from ptum.reference.tasks.gaps import reward_gap, transition_gap
from ptum.reference.tasks.models import ApproximateModels


def n_bar_r(
    theta: int, target: int, active: tuple[int, ...], models: ApproximateModels, Delta: float
) -> Floats:
    """n̄^r = min_{θ''∈Θ̄_t} max{σ̃^r_θ''² / x², 1/x} with x = [Δ̃^r(θ*,θ) - 4Δ]_+."""
    require_models(models, active, target=target, theta=theta)
    x = excess(reward_gap(models.r[target], models.r[theta]), Delta)
    fewest = np.full((models.S, models.A), np.inf)
    for theta_second in active:
        fewest = np.minimum(fewest, samples_needed(models.sigma_r[theta_second], x, 1.0))
    return fewest


def n_bar_p(
    theta: int, target: int, active: tuple[int, ...], models: ApproximateModels, Delta: float
) -> Floats:
    """n̄^p = min_{θ'∈Θ, θ''∈Θ̄_t} max{σ̃^p_θ''(;θ')² / x², (1/(1-γ))/x}, x = [Δ̃^p(θ*,θ) - 4Δ]_+.

    The printed gap has two arguments, so it is taken with Ṽ*_θ* and θ' moves the deviation alone
    (erratum E08).
    """
    require_models(models, active, target=target, theta=theta)
    gap = transition_gap(models.p[target], models.p[theta], models.V_star[target])
    x = excess(gap, Delta)
    fewest = np.full((models.S, models.A), np.inf)
    for theta_prime in range(models.k):
        for theta_second in active:
            sigma = models.sigma_p[theta_second, :, :, theta_prime]
            fewest = np.minimum(fewest, samples_needed(sigma, x, 1 / (1 - models.gamma)))
    return fewest


def n_bar(
    theta: int,
    target: int,
    active: tuple[int, ...],
    models: ApproximateModels,
    Delta: float,
    L: float,
) -> Floats:
    """n̄ = 32 L min{n̄^r, n̄^p} with L = log(8SAn(|Θ|+1)/δ), `confidence.log_term`."""
    by_reward = n_bar_r(theta, target, active, models, Delta)
    by_transition = n_bar_p(theta, target, active, models, Delta)
    return 32 * L * np.minimum(by_reward, by_transition)


def excess(gap: Floats, Delta: float) -> Floats:
    """[Δ̃_{s,a}(θ*,θ) - 4Δ]_+."""
    return np.maximum(gap - 4 * Delta, 0.0)


def samples_needed(sigma: Floats, x: Floats, numerator: float) -> Floats:
    """max{σ²/x², numerator/x}, +inf where x = 0."""
    never, seen = np.full(x.shape, np.inf), above(x, 0.0)
    with np.errstate(over="ignore"):  # a tiny gap may overflow to the +inf it stands for
        quadratic: Floats = np.divide(sigma, x, out=never.copy(), where=seen) ** 2
        linear: Floats = np.divide(numerator, x, out=never.copy(), where=seen)
    return np.maximum(quadratic, linear)


def require_models(models: ApproximateModels, active: tuple[int, ...], **named: int) -> None:
    """Every number given for a model is one: those of the active set and the named ones."""
    for name, theta in named.items():
        require(0 <= theta < models.k, name, f"must be a model below {models.k}", value=theta)
    for place, theta in enumerate(active):
        if not 0 <= theta < models.k:
            problem = f"must be a model below {models.k}"
            raise InputError("active", problem, index=(place,), value=theta)
