"""Assumption 1 as the proofs of Lemmas 3 and 9 need it (errata E02 and E05).

| symbol                                           | code                        |
| ------------------------------------------------ | --------------------------- |
| max_{θ,θ'} ‖(p_θ' - p̃_θ')ᵀ Ṽ_θ'^{π̃*_θ}‖       | `transferred_policy_error`  |
| max_{θ,θ'} ‖Std_{p_θ}[Ṽ*_θ'] - Std_{p̃_θ}[Ṽ*_θ']‖ | `transition_std_error`    |
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import transition_stds
from ptum.reference.transfer.assumptions import (
    ModelErrors,
    require_same_tasks,
    reward_error,
    reward_std_error,
    transition_error,
)

__all__ = ["ModelErrors", "model_errors", "transferred_policy_error", "transition_std_error"]


def model_errors(true: Sequence[MDP], approximate: ApproximateModels) -> ModelErrors:
    """The smallest constants for which the repaired Assumption 1 holds.

    The transition line covers the values of all transferred policies, which the proof of Lemma 9
    uses (E02); the last line takes Ṽ*_θ' on both sides, which the proof of Lemma 3 uses (E05).
    """
    require_same_tasks(true, approximate)
    of_optimal = transition_error(true, approximate)
    return ModelErrors(
        r=reward_error(true, approximate),
        p=float(np.maximum(of_optimal, transferred_policy_error(true, approximate))),
        sigma_r=reward_std_error(true, approximate),
        sigma_p=transition_std_error(true, approximate),
    )


def transferred_policy_error(true: Sequence[MDP], approximate: ApproximateModels) -> float:
    """max_{θ,θ'} ‖(p_θ' - p̃_θ')ᵀ Ṽ_θ'^{π̃*_θ}‖_∞: each model with the values in that model."""
    largest = 0.0
    for theta_prime, task in enumerate(true):
        difference = task.p - approximate.p[theta_prime]
        errors = np.abs(difference @ approximate.V_pi[theta_prime].T)
        largest = float(np.maximum(largest, np.max(errors)))
    return largest


def transition_std_error(true: Sequence[MDP], approximate: ApproximateModels) -> float:
    """max_{θ,θ'} ‖Std_{p_θ}[Ṽ*_θ'] - Std_{p̃_θ}[Ṽ*_θ']‖_∞."""
    of_true = transition_stds(true, list(approximate.V_star))
    return float(np.max(np.abs(of_true - approximate.sigma_p)))
