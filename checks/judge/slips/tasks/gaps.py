"""Slips in the distances between models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.capabilities.tasks.gaps import GAP_P, GAP_P3, GAP_R, gaps_of
from ptum.checks.judge.messages.parsing import as_models
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Floats
from ptum.reference.tasks.models import ApproximateModels

Tables = dict[str, Floats]


def _changed(change: Callable[[ApproximateModels, Tables], Tables]) -> Implementation:
    """The right tables, one of them replaced; without the optional one unless that is it."""

    def answer(models: Sequence[Mapping[str, Floats]], gamma: float) -> Tables:
        known = as_models(models, gamma)
        right = gaps_of(known)
        changed = change(known, right)
        kept = {name: right[name] for name in ("gap_r", "gap_p")}
        return {**kept, **changed}

    return answer


def _moved(models: ApproximateModels, V: Floats) -> Floats:
    """(p_θ - p_θ')ᵀ V for every pair of models, V[θ,θ'] being the value to use."""
    difference = models.p[:, np.newaxis] - models.p
    moved: Floats = np.einsum("ijsax,ijx->ijsa", difference, V)
    return moved


@slip("gaps/second-value", breaks=GAP_P, view=_changed)
def _second_value(models: ApproximateModels, _: Tables) -> Tables:
    """V* of the second model in Δ^p, for that of the first."""
    V = np.broadcast_to(models.V_star, (models.k, *models.V_star.shape))
    return {"gap_p": np.abs(_moved(models, V))}


@slip("gaps/mean-value", breaks=GAP_P, view=_changed)
def _mean_value(models: ApproximateModels, _: Tables) -> Tables:
    """The mean of both models' V* in Δ^p, for that of the first."""
    V = (models.V_star[:, np.newaxis] + models.V_star) / 2
    return {"gap_p": np.abs(_moved(models, V))}


@slip("gaps/symmetric", breaks=GAP_P, view=_changed)
def _symmetric(_: ApproximateModels, right: Tables) -> Tables:
    """The larger of Δ^p(θ,θ') and Δ^p(θ',θ) for the first."""
    both = right["gap_p"]
    return {"gap_p": np.maximum(both, both.transpose(1, 0, 2, 3))}


@slip("gaps/signed-rewards", breaks=GAP_R, view=_changed)
def _signed_rewards(models: ApproximateModels, _: Tables) -> Tables:
    """Δ^r without its absolute value."""
    return {"gap_r": models.r[:, np.newaxis] - models.r}


@slip("gaps/signed-transitions", breaks=GAP_P, view=_changed)
def _signed_transitions(models: ApproximateModels, _: Tables) -> Tables:
    """Δ^p without its absolute value."""
    V = np.broadcast_to(models.V_star[:, np.newaxis], (models.k, *models.V_star.shape))
    return {"gap_p": _moved(models, V)}


@slip("gaps/absolute-too-early", breaks=GAP_P, view=_changed)
def _absolute_inside(models: ApproximateModels, _: Tables) -> Tables:
    """Σ |p - p'| V: the absolute value is taken too early."""
    difference = np.abs(models.p[:, np.newaxis] - models.p)
    return {"gap_p": np.einsum("ijsax,ix->ijsa", difference, models.V_star)}


@slip("gaps/total-variation", breaks=GAP_P, view=_changed)
def _total_variation(models: ApproximateModels, _: Tables) -> Tables:
    """Half the sum of |p - p'| times the range of the value: an upper bound."""
    difference = np.abs(models.p[:, np.newaxis] - models.p).sum(axis=-1) / 2
    spread = np.ptp(models.V_star, axis=1)[:, np.newaxis, np.newaxis, np.newaxis]
    return {"gap_p": difference * spread}


@slip("gaps/discounted", breaks=GAP_P, view=_changed)
def _discounted(models: ApproximateModels, right: Tables) -> Tables:
    """γ Δ^p for Δ^p."""
    return {"gap_p": models.gamma * right["gap_p"]}


@slip("gaps/squared", breaks=GAP_R, view=_changed)
def _squared(_: ApproximateModels, right: Tables) -> Tables:
    """The square of Δ^r."""
    return {"gap_r": right["gap_r"] ** 2}


@slip("gaps/sorted-rewards", breaks=GAP_R, view=_changed)
def _sorted_rewards(models: ApproximateModels, _: Tables) -> Tables:
    """The list of rewards is sorted, the probabilities are not."""
    r = np.array([task.q @ np.sort(task.u) for task in models.tasks])
    return {"gap_r": np.abs(r[:, np.newaxis] - r)}


@slip("gaps/rewards-of-first-model", breaks=GAP_R, view=_changed)
def _first_rewards(models: ApproximateModels, _: Tables) -> Tables:
    """Reward values of model 0 for all models with as many of them."""
    u = models.tasks[0].u
    r = np.array([task.q @ (u if len(u) == len(task.u) else task.u) for task in models.tasks])
    return {"gap_r": np.abs(r[:, np.newaxis] - r)}


@slip("gaps/third-is-second", breaks=GAP_P3, view=_changed)
def _third_is_second(_: ApproximateModels, right: Tables) -> Tables:
    """θ' and θ'' exchanged in the table with three models."""
    return {"gap_p3": right["gap_p3"].transpose(0, 2, 1, 3, 4)}


@slip("gaps/third-forgotten", breaks=GAP_P3, view=_changed)
def _third_forgotten(_: ApproximateModels, right: Tables) -> Tables:
    """The third argument is dropped, as the paper's macro does."""
    two = right["gap_p"][:, :, np.newaxis]
    return {"gap_p3": np.broadcast_to(two, right["gap_p3"].shape)}
