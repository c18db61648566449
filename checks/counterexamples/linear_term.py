"""The linear terms of Definition 1 are not minor (erratum E23).

One state, three arms with certain rewards, γ = 0, exact models. The rival pays 0.01 less than the
target at arm 0 and 0.9 more at arm 1. All deviations are 0, so without the linear terms both arms
have infinite information: Theorem 1 would allow 0 queries, and line 18 would take arm 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from checks.counterexamples.certain_samples import samples_to_drop
from checks.engine.blocks import BlockSimulator
from checks.engine.ptum import transfer_mode
from checks.outcome import Statement, Walk
from reference.arrays import Floats
from reference.assumptions import single
from reference.confidence import log_term
from reference.information import index, query
from reference.mdp import MDP, bernoulli_rewards, deterministic_rewards
from reference.models import ApproximateModels, approximate_models
from reference.ptum import PtumResult
from reference.stopping import stopping_models

DELTA, N_BUDGET, EPSILON = 0.1, 100_000, 0.2
SLOWER = 10.0
"""Nothing essential changes as long as the queries grow by no more than this factor."""


@dataclass(frozen=True, eq=False)
class Arms:
    """Two models of one state; number 0 is the target."""

    models: ApproximateModels


def instance(slow_gap: float = 0.01) -> Arms:
    """Target (0.5, 0.05, 0), rival (0.5 - gap, 0.95, 0)."""
    rows = ([0.5, 0.05, 0.0], [0.5 - slow_gap, 0.95, 0.0])
    return Arms(approximate_models([_certain(row) for row in rows]))


def noisy() -> Arms:
    """Coins instead of certain rewards: gaps of 0.1 and 0.2 where the left terms decide."""
    rows = np.array([[[0.5, 0.4, 0.0]], [[0.4, 0.6, 0.0]]])
    stay = np.ones((1, 3, 1))
    return Arms(approximate_models([bernoulli_rewards(stay, r, 0.0) for r in rows]))


def _certain(row: list[float]) -> MDP:
    return deterministic_rewards(np.ones((1, 3, 1)), np.array([row]), 0.0)


def left_index(models: ApproximateModels) -> Floats:
    """max over ordered pairs of (gap/σ̃^r_θ)²: γ = 0 and Δ = 0, one state has no transitions."""
    gap = np.abs(models.r[:, np.newaxis] - models.r[np.newaxis])
    sigma = np.broadcast_to(models.sigma_r[:, np.newaxis], gap.shape)
    ratio = np.divide(gap, sigma, out=np.where(gap > 0, np.inf, 0.0), where=sigma > 0)
    largest: Floats = np.max(ratio**2, axis=(0, 1))
    return largest


def run(arms: Arms) -> PtumResult:
    """Lines 3-21 on the target."""
    models = arms.models
    return transfer_mode(
        models,
        BlockSimulator(models.tasks[0], seed=0),
        epsilon=EPSILON,
        delta=DELTA,
        n=N_BUDGET,
        errors=single(0.0),
    )


def _premises(arms: Arms) -> tuple[Statement, ...]:
    models = arms.models
    everybody = tuple(range(models.k))
    return (
        Statement(
            "policies that stop", len(stopping_models(everybody, models, EPSILON, 0.0)), "=", 0
        ),
        Statement("the run ends within its budget: queries", run(arms).queries, "<", N_BUDGET),
    )


def bound_walk(arms: Arms) -> Walk:
    """128 min{SA,|Θ|} L over the information without linear terms still bounds the queries."""
    models = arms.models
    L = log_term(1, models.A, N_BUDGET, models.k, DELTA)
    bound = 128 * min(models.A, models.k) * L / float(left_index(models).max())
    return Walk(
        premises=_premises(arms),
        conclusion=Statement("queries against that bound", run(arms).queries, "≤", bound),
    )


def choice_walk(arms: Arms) -> Walk:
    """The arm that is chosen without linear terms drops the rival about as fast as the other."""
    models = arms.models
    _, with_linear = query(index((0, 1), models, 0.0))
    _, without = query(left_index(models))
    needed = [samples_to_drop(models, 1, 0, arm, N_BUDGET, DELTA) for arm in (with_linear, without)]
    return Walk(
        premises=(
            *_premises(arms),
            Statement("largest deviation of a reward", float(models.sigma_r.max()), "=", 0),
        ),
        conclusion=Statement(
            f"samples of arm {without} against {SLOWER:g} times those of arm {with_linear}",
            needed[1],
            "≤",
            SLOWER * needed[0],
        ),
    )
