"""The linear terms of Definition 1 are not minor (erratum E23).

One state, three arms with certain rewards, γ = 0, exact models. The rival pays 0.01 less than the
target at arm 0 and 0.9 more at arm 1. All deviations are 0, so without the linear terms both arms
have infinite information: Theorem 1 would allow 0 queries, and line 18 would take arm 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.certain_samples import samples_to_drop
from checks.counterexamples.shown import tasks
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
    """Two models of one state, of which number 0 is the target; ε and the budget."""

    models: ApproximateModels
    epsilon: float = EPSILON
    n: int = N_BUDGET


def instance(slow_gap: float = 0.01) -> Arms:
    """Target (0.5, 0.05, 0), rival (0.5 - gap, 0.95, 0)."""
    rows = ([0.5, 0.05, 0.0], [0.5 - slow_gap, 0.95, 0.0])
    return Arms(approximate_models([_certain(row) for row in rows]))


def noisy() -> Arms:
    """Coins instead of certain rewards: gaps of 0.1 and 0.2, where left terms decide."""
    rows = np.array([[[0.5, 0.4, 0.0]], [[0.4, 0.6, 0.0]]])
    stay = np.ones((1, 3, 1))
    return Arms(approximate_models([bernoulli_rewards(stay, r, 0.0) for r in rows]), epsilon=0.04)


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
        epsilon=arms.epsilon,
        delta=DELTA,
        n=arms.n,
        errors=single(0.0),
    )


def _premises(arms: Arms) -> tuple[Statement, ...]:
    models = arms.models
    stops = stopping_models(tuple(range(models.k)), models, arms.epsilon, 0.0)
    return (
        Statement("policies that stop", len(stops), "=", 0),
        Statement("the run ends within its budget: queries", run(arms).queries, "<", arms.n),
    )


def bound_walk(arms: Arms) -> Walk:
    """128 min{SA,|Θ|} L over the information without linear terms still bounds the queries."""
    models = arms.models
    L = log_term(1, models.A, arms.n, models.k, DELTA)
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
    needed = [samples_to_drop(models, 1, 0, arm, arms.n, DELTA) for arm in (with_linear, without)]
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


def decides_walk(arms: Arms, arm: int) -> Walk:
    """Repair: where a gap exceeds both variances, the information is the gap, not (gap/σ)²."""
    models = arms.models
    gap = float(abs(models.r[0, 0, arm] - models.r[1, 0, arm]))
    variance = float(np.max(models.sigma_r[:, 0, arm] ** 2))
    return Walk(
        premises=(Statement(f"gap at arm {arm} against the variance", gap, ">", variance),),
        conclusion=Statement(
            "information against the linear term",
            float(index((0, 1), models, 0.0)[0, arm]),
            "=",
            gap,
        ),
    )


def numbers() -> Numbers:
    """Both models and what PTUM is given."""
    arms = instance()
    return (
        *tasks(zip(("the target", "the rival"), arms.models.tasks, strict=True)),
        ("γ", arms.models.gamma),
        ("ε", arms.epsilon),
        ("Δ", 0),
        ("δ", DELTA),
        ("budget n", arms.n),
    )


def quiet() -> Arms:
    """Coins that rarely fail: variances of 0.0475 and below a gap of 0.9."""
    rows = np.array([[[0.5, 0.05, 0.0]], [[0.49, 0.95, 0.0]]])
    stay = np.ones((1, 3, 1))
    return Arms(approximate_models([bernoulli_rewards(stay, r, 0.0) for r in rows]))


STOPS, ENDS = "policies that stop", "the run ends within its budget: queries"
MINOR = "text-linear-term-minor.minor"

CASES = (
    Case(
        checks=(f"{MINOR}/bound",),
        numbers=numbers,
        told=lambda: bound_walk(instance()),
        undo="coins with gaps of 0.1 and 0.2 in place of certain rewards",
        undone=lambda: bound_walk(noisy()),
        broken={
            STOPS: lambda: bound_walk(replace(instance(), epsilon=1.0)),
            ENDS: lambda: bound_walk(replace(instance(), n=10)),
        },
        repaired=lambda: decides_walk(instance(), 1),
        sibling=lambda: decides_walk(quiet(), 1),
    ),
    Case(
        checks=(f"{MINOR}/choice",),
        numbers=numbers,
        told=lambda: choice_walk(instance()),
        undo="a difference of 0.5 at arm 0 in place of 0.01",
        undone=lambda: choice_walk(instance(0.5)),
        broken={
            STOPS: lambda: choice_walk(replace(instance(), epsilon=1.0)),
            ENDS: lambda: choice_walk(replace(instance(), n=10)),
            "largest deviation of a reward": lambda: choice_walk(noisy()),
        },
        repaired=lambda: decides_walk(instance(), 0),
        sibling=lambda: decides_walk(quiet(), 1),
    ),
)
