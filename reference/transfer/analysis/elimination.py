"""Lemma 4: how many samples of a pair suffice to eliminate a model, as printed.

| symbol                     | code                | shape  |
| -------------------------- | ------------------- | ------ |
| θ*, Θ̄_t, Δ                | of an `Iteration`   |        |
| θ                          | `theta`             |        |
| [Δ̃^x_{s,a}(θ*,θ) - 4Δ]_+  | `x`                 | (S, A) |
| n̄_θ^r(s,a)                | `n_bar_r`           | (S, A) |
| n̄_θ^p(s,a)                | `n_bar_p`           | (S, A) |
| n̄_θ(s,a)                  | `n_bar`             | (S, A) |

A count is +inf where its gap does not exceed 4Δ (D23).
"""

from __future__ import annotations

import numpy as np

from ptum.reference.arrays import Floats, above
from ptum.reference.tasks.gaps import reward_gap, transition_gap
from ptum.reference.tasks.models import require_models
from ptum.reference.transfer.analysis.iteration import Iteration


def n_bar_r(iteration: Iteration, *, theta: int) -> Floats:
    """n̄^r = min_{θ''∈Θ̄_t} max{σ̃^r_θ''² / x², 1/x} with x = [Δ̃^r(θ*,θ) - 4Δ]_+."""
    models = iteration.models
    require_models(models, theta=theta)
    x = excess(reward_gap(models.r[iteration.target], models.r[theta]), iteration.Delta)
    fewest = np.full((models.S, models.A), np.inf)
    for theta_second in iteration.active:
        fewest = np.minimum(fewest, samples_needed(models.sigma_r[theta_second], x, 1.0))
    return fewest


def n_bar_p(iteration: Iteration, *, theta: int) -> Floats:
    """n̄^p = min_{θ'∈Θ, θ''∈Θ̄_t} max{σ̃^p_θ''(;θ')² / x², (1/(1-γ))/x}, x = [Δ̃^p(θ*,θ) - 4Δ]_+.

    The printed gap has two arguments, so it is taken with Ṽ*_θ*, and θ' moves the standard
    deviation alone (erratum E08).
    """
    models, target = iteration.models, iteration.target
    require_models(models, theta=theta)
    gap = transition_gap(models.p[target], models.p[theta], models.V_star[target])
    x = excess(gap, iteration.Delta)
    fewest = np.full((models.S, models.A), np.inf)
    for theta_prime in range(models.k):
        for theta_second in iteration.active:
            sigma = models.sigma_p[theta_second, :, :, theta_prime]
            fewest = np.minimum(fewest, samples_needed(sigma, x, 1 / (1 - models.gamma)))
    return fewest


def n_bar(iteration: Iteration, *, theta: int, L: float) -> Floats:
    """n̄ = 32 L min{n̄^r, n̄^p} with L = log(8SAn(|Θ|+1)/δ), `confidence.log_term`."""
    by_reward = n_bar_r(iteration, theta=theta)
    by_transition = n_bar_p(iteration, theta=theta)
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
