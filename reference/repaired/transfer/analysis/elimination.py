"""Lemma 4 with the gap that its proof uses: gap and standard deviation of the same Ṽ*_θ' (E08).

| symbol                                                  | code           |
| ------------------------------------------------------- | -------------- |
| Δ̃^p_{s,a}(θ*,θ;θ') = |(p̃_θ* - p̃_θ)(s,a)ᵀ Ṽ*_θ'|     | `transition_gap_three` |
| n̄_θ^p(s,a)                                             | `n_bar_p`      |
| n̄_θ(s,a)                                               | `n_bar`        |
"""

from __future__ import annotations

import numpy as np

from ptum.reference.arrays import Floats
from ptum.reference.tasks.gaps import transition_gap_three
from ptum.reference.tasks.models import require_models
from ptum.reference.transfer.analysis.elimination import excess, n_bar_r, samples_needed
from ptum.reference.transfer.analysis.iteration import Iteration

__all__ = ["n_bar_r", "n_bar_p", "n_bar"]


def n_bar_p(iteration: Iteration, *, theta: int) -> Floats:
    """n̄^p = min_{θ'∈Θ, θ''∈Θ̄_t} max{σ̃^p_θ''(;θ')² / x², (1/(1-γ))/x}, x = [Δ̃^p(θ*,θ;θ') - 4Δ]_+.

    The minimum over θ' chooses the value for the gap and for the standard deviation together (E08).
    """
    models, target = iteration.models, iteration.target
    require_models(models, theta=theta)
    fewest = np.full((models.S, models.A), np.inf)
    for theta_prime in range(models.k):
        V = models.V_star[theta_prime]
        x = excess(transition_gap_three(models.p[target], models.p[theta], V), iteration.Delta)
        for theta_second in iteration.active:
            sigma = models.sigma_p[theta_second, :, :, theta_prime]
            fewest = np.minimum(fewest, samples_needed(sigma, x, 1 / (1 - models.gamma)))
    return fewest


def n_bar(iteration: Iteration, *, theta: int, L: float) -> Floats:
    """n̄ = 32 L min{n̄^r, n̄^p} with the three-argument gap (E08)."""
    by_reward = n_bar_r(iteration, theta=theta)
    by_transition = n_bar_p(iteration, theta=theta)
    return 32 * L * np.minimum(by_reward, by_transition)
