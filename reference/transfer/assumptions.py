"""Assumption 1: how far the approximate models are from the true ones.

| symbol       | code             |
| ------------ | ---------------- |
| Δ_max^r      | `errors.r`       |
| Δ_max^p      | `errors.p`       |
| Δ_max^{σ_r}  | `errors.sigma_r` |
| Δ_max^{σ_p}  | `errors.sigma_p` |
| Δ            | `errors.Delta`   |

Norms are maxima over all pairs (D21).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ptum.reference.errors import largest, require, require_error, settle
from ptum.reference.tasks.mdp import MDP, mean_reward, reward_std
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import optimal_value, transition_stds


@dataclass(frozen=True)
class ModelErrors:
    """The four constants of Assumption 1, or any larger ones (D36), and Δ, their maximum."""

    r: float
    p: float
    sigma_r: float
    sigma_p: float

    def __post_init__(self) -> None:
        for name in ("r", "p", "sigma_r", "sigma_p"):
            settle(self, **{name: require_error(getattr(self, name), f"Delta_max_{name}")})

    @property
    def Delta(self) -> float:
        """Δ = max{Δ_max^r, Δ_max^p, Δ_max^{σ_r}, Δ_max^{σ_p}}."""
        return largest(self.r, self.p, self.sigma_r, self.sigma_p)


def single(Delta: float) -> ModelErrors:
    """One Δ in place of all four constants, as Algorithm 1's input line has it (D02)."""
    error = require_error(Delta)
    return ModelErrors(r=error, p=error, sigma_r=error, sigma_p=error)


def model_errors(true: Sequence[MDP], approximate: ApproximateModels) -> ModelErrors:
    """The smallest constants for which Assumption 1 holds as printed.

    The last line compares σ^p_θ(s,a;θ'), which Section 2 defines with the TRUE V*_θ', with
    σ̃^p_θ(s,a;θ'), the standard deviation of Ṽ*_θ'. Like is compared with like in
    `ptum.reference.repaired.transfer.assumptions`.
    """
    require_same_tasks(true, approximate)
    sigma_p_true = transition_stds(true, [optimal_value(theta) for theta in true])
    return ModelErrors(
        r=reward_error(true, approximate),
        p=transition_error(true, approximate),
        sigma_r=reward_std_error(true, approximate),
        sigma_p=float(np.max(np.abs(sigma_p_true - approximate.sigma_p))),
    )


def reward_error(true: Sequence[MDP], approximate: ApproximateModels) -> float:
    """max_θ ‖r_θ - r̃_θ‖_∞."""
    r_true = np.stack([mean_reward(theta) for theta in true])
    return float(np.max(np.abs(r_true - approximate.r)))


def transition_error(true: Sequence[MDP], approximate: ApproximateModels) -> float:
    """max_{θ,θ'} ‖(p_θ - p̃_θ)ᵀ Ṽ*_θ'‖_∞."""
    difference = np.stack([theta.p for theta in true]) - approximate.p
    return float(np.max(np.abs(difference @ approximate.V_star.T)))


def reward_std_error(true: Sequence[MDP], approximate: ApproximateModels) -> float:
    """max_θ ‖σ^r_θ - σ̃^r_θ‖_∞."""
    sigma_r_true = np.stack([reward_std(theta) for theta in true])
    return float(np.max(np.abs(sigma_r_true - approximate.sigma_r)))


def require_same_tasks(true: Sequence[MDP], approximate: ApproximateModels) -> None:
    """As many true models as approximate ones, over the same states, actions and discount."""
    require(len(true) == approximate.k, "true", f"needs {approximate.k} models", value=len(true))
    expected = (approximate.S, approximate.A, approximate.gamma)
    for theta, task in enumerate(true):
        found = (task.S, task.A, task.gamma)
        problem = f"must have the approximate models' S, A and γ, {expected}"
        require(found == expected, "true", problem, index=(theta,), value=found)
