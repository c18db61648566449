"""Slips in standard deviations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.judging.items import SIGMA_P, SIGMA_R
from ptum.checks.judge.messages.parsing import as_models
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Floats
from ptum.reference.tasks.models import ApproximateModels

Tables = dict[str, Floats]


def _changed(change: Callable[[ApproximateModels], Tables]) -> Implementation:
    """The right tables, one or both of them replaced."""

    def answer(models: Sequence[Mapping[str, Floats]], gamma: float) -> Tables:
        known = as_models(models, gamma)
        return {"sigma_r": known.sigma_r, "sigma_p": known.sigma_p, **change(known)}

    return answer


@slip("deviations/reward-variance", breaks=SIGMA_R, view=_changed)
def _variances(models: ApproximateModels) -> Tables:
    """The variance of rewards for their standard deviation."""
    return {"sigma_r": models.sigma_r**2}


@slip("deviations/value-variance", breaks=SIGMA_P, view=_changed)
def _transition_variances(models: ApproximateModels) -> Tables:
    """The variance of values for their standard deviation."""
    return {"sigma_p": models.sigma_p**2}


@slip("deviations/own-value", breaks=SIGMA_P, view=_changed)
def _own_value(models: ApproximateModels) -> Tables:
    """The value of θ itself stands for that of every θ'."""
    own = np.stack([models.sigma_p[theta, :, :, theta] for theta in range(models.k)])
    return {"sigma_p": np.repeat(own[..., np.newaxis], models.k, axis=-1)}


@slip("deviations/models-exchanged", breaks=SIGMA_P, view=_changed)
def _exchanged(models: ApproximateModels) -> Tables:
    """Transitions of θ', value of θ."""
    return {"sigma_p": models.sigma_p.transpose(3, 1, 2, 0)}


@slip("deviations/of-coins", breaks=SIGMA_R, view=_changed)
def _bernoulli(models: ApproximateModels) -> Tables:
    """√(r(1-r)), right for rewards 0 and 1 only."""
    return {"sigma_r": np.sqrt(np.maximum(models.r * (1 - models.r), 0.0))}


@slip("deviations/of-the-list", breaks=SIGMA_R, view=_changed)
def _of_the_list(models: ApproximateModels) -> Tables:
    """Deviation of the list of rewards, whatever their probabilities."""
    spread = [np.full((models.S, models.A), task.u.std()) for task in models.tasks]
    return {"sigma_r": np.array(spread)}


@slip("deviations/not-centred", breaks=SIGMA_P, view=_changed)
def _not_centred(models: ApproximateModels) -> Tables:
    """√E[V²]."""
    second: Floats = models.p @ (models.V_star**2).T
    return {"sigma_p": np.sqrt(second)}


@slip("deviations/mean-distance", breaks=SIGMA_P, view=_changed)
def _mean_deviation(models: ApproximateModels) -> Tables:
    """E|V - E[V]| in place of the root of the mean square."""
    mean = np.einsum("isax,jx->isaj", models.p, models.V_star)
    away = np.abs(
        models.V_star[:, np.newaxis, np.newaxis, np.newaxis]
        - mean.transpose(3, 0, 1, 2)[..., np.newaxis]
    )
    return {"sigma_p": np.einsum("isax,jisax->isaj", models.p, away)}


@slip("deviations/half-range", breaks=SIGMA_P, view=_changed)
def _half_range(models: ApproximateModels) -> Tables:
    """Half the range of the values that can follow: an upper bound."""
    likely = models.p[:, :, :, np.newaxis] > 0
    V = models.V_star
    top = np.where(likely, V, -np.inf).max(axis=-1)
    low = np.where(likely, V, np.inf).min(axis=-1)
    return {"sigma_p": (top - low) / 2}


@slip("deviations/normalised", breaks=SIGMA_P, view=_changed)
def _normalised(models: ApproximateModels) -> Tables:
    """(1-γ) times the deviation of values."""
    return {"sigma_p": (1 - models.gamma) * models.sigma_p}


@slip("deviations/discounted", breaks=SIGMA_P, view=_changed)
def _action_value(models: ApproximateModels) -> Tables:
    """Deviation of γ V, as it enters an action value."""
    return {"sigma_p": models.gamma * models.sigma_p}


@slip("deviations/sorted-rewards", breaks=SIGMA_R, view=_changed)
def _sorted_rewards(models: ApproximateModels) -> Tables:
    """Squares about a mean that belongs to the sorted list."""
    rows = []
    for task in models.tasks:
        u = np.sort(task.u)
        rows.append(np.sqrt(np.maximum(task.q @ u**2 - (task.q @ u) ** 2, 0.0)))
    return {"sigma_r": np.array(rows)}


@slip("deviations/rewards-of-first-model", breaks=SIGMA_R, view=_changed)
def _first_rewards(models: ApproximateModels) -> Tables:
    """Reward values of model 0 for all models with as many of them."""
    first, rows = models.tasks[0].u, []
    for task in models.tasks:
        u = first if len(first) == len(task.u) else task.u
        rows.append(np.sqrt(np.maximum(task.q @ u**2 - (task.q @ u) ** 2, 0.0)))
    return {"sigma_r": np.array(rows)}
