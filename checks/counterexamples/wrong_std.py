"""Lemma 3 with σ^p as Section 2 defines it (erratum E05).

States s0, x, y, z; two actions; x, y, z absorbing; from s0 both actions lead to x with some
probability and to y otherwise. The truth goes to x rarely and finds much there; the approximation
goes there more often and finds less, so that the deviation of V* under p equals the deviation of
Ṽ* under p̃ although the deviation of Ṽ* under p is far from both. Assumption 1 as printed compares
the first two and sees no error; equation (4) compares the last two. A fourth state z with a real
choice keeps PTUM from stopping.
"""

from __future__ import annotations

import math

import numpy as np

from checks.families.named import TaskSet
from checks.outcome import Statement
from reference.assumptions import ModelErrors, model_errors
from reference.information import index, index_is_zero, query
from reference.mdp import MDP, deterministic_rewards
from reference.models import approximate_models
from reference.repaired.assumptions import model_errors as repaired_model_errors
from reference.stopping import enters_transfer_mode, stopping_models

GAMMA, EPSILON, DELTA, N_BUDGET = 0.9, 8.0, 0.1, 200_000
P_TRUE, GAIN_TRUE = 0.02, 0.8
GAIN_APPROXIMATE, FLOOR_APPROXIMATE = 0.7, 0.1
SPREAD = (GAIN_TRUE / (GAIN_APPROXIMATE - FLOOR_APPROXIMATE)) ** 2
P_APPROXIMATE = (1 - math.sqrt(1 - 4 * P_TRUE * (1 - P_TRUE) * SPREAD)) / 2


def _task(to_x: float, r_x: float, r_y: float, r_z: tuple[float, float]) -> MDP:
    p = np.zeros((4, 2, 4))
    p[0, :, 1], p[0, :, 2] = to_x, 1 - to_x
    for absorbing in (1, 2, 3):
        p[absorbing, :, absorbing] = 1
    r = np.array([[0.0, 0.0], [r_x, r_x], [r_y, r_y], list(r_z)])
    return deterministic_rewards(p, r, GAMMA)


def instance() -> TaskSet:
    """Two tasks that differ only in which action pays in z; the target is number 0."""
    at_z = ((0.85, 0.1), (0.1, 0.85))
    true = tuple(_task(P_TRUE, GAIN_TRUE, 0.0, r_z) for r_z in at_z)
    approximate = [_task(P_APPROXIMATE, GAIN_APPROXIMATE, FLOOR_APPROXIMATE, z) for z in at_z]
    return TaskSet("hidden deviation", true, approximate_models(approximate))


def printed_errors() -> ModelErrors:
    """Assumption 1's constants as printed."""
    task_set = instance()
    return model_errors(task_set.true, task_set.approximate)


def repaired_errors() -> ModelErrors:
    """The constants when the deviations of the same function are compared."""
    task_set = instance()
    return repaired_model_errors(task_set.true, task_set.approximate)


def premises(task_set: TaskSet, errors: ModelErrors) -> tuple[Statement, ...]:
    """PTUM enters transfer mode, does not stop, and queries (s0,0) in every pass."""
    models = task_set.approximate
    both = tuple(range(models.k))
    Delta = errors.Delta
    I_1 = index(both, models, Delta)
    s, a = query(I_1)
    return (
        Statement("transfer mode", enters_transfer_mode(Delta, EPSILON, GAMMA), "=", True),
        Statement("policies that stop", len(stopping_models(both, models, EPSILON, Delta)), "=", 0),
        Statement("index zero everywhere", index_is_zero(I_1), "=", True),
        Statement("number of the queried pair", s * models.A + a, "=", 0),
        Statement("|Std_p[V*] - Std_p̃[Ṽ*]|, zero up to rounding", errors.sigma_p, "<", 1e-12),
    )
