"""The pair of largest index is not the one that drops a model soonest (erratum E21).

* `silent_arm`: the bandit of E01. Every index is 0, so the first arm is queried; it is the same in
  both models and drops nothing, while the other arms differ by 0.09, more than Δ = 0.012.
* `telling_deviation`: three arms, exact models. The rival pays 0.1 more at arm 0, and at arm 1 it
  tosses a coin where the target always pays 1/2: test (3) sees that after 8 L samples, test (1)
  the difference at arm 0 after 23 L. The index knows of arm 0 alone.

Rewards of the target are certain, so there is no chance in either.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from checks import exact
from checks.counterexamples import positive_index
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.shown import tasks
from checks.outcome import Statement, Walk
from reference.confidence import log_term, log_term_sigma, width_r, width_sigma_r
from reference.information import index, query
from reference.mdp import MDP, bernoulli_rewards
from reference.models import ApproximateModels, approximate_models
from reference.stopping import enters_transfer_mode, stopping_models

DELTA, N_BUDGET = 0.1, 100_000


@dataclass(frozen=True, eq=False)
class Arms:
    """Models with one state, all active, of which number 0 is the target."""

    models: ApproximateModels
    epsilon: float
    Delta: float


def silent_arm(error: float = 0.012) -> Arms:
    """A smaller Δ gives arms 1 and 2 a positive index."""
    bandit = positive_index.bandit()
    models = approximate_models([exact.rounded(model) for model in bandit.models])
    return Arms(models, float(bandit.epsilon), error)


def telling_deviation(coin: bool = True) -> Arms:
    """Target (0.5, 0.5, 0.55), rival (0.6, 0.5, 0.55), all certain but the rival's arm 1."""
    u = np.array([0.0, 0.5, 0.55, 0.6, 1.0])
    target, rival = np.zeros((1, 3, 5)), np.zeros((1, 3, 5))
    for arm, value in enumerate((1, 1, 2)):
        target[0, arm, value] = 1
    for arm, value in enumerate((3, 1, 2)):
        rival[0, arm, value] = 1
    if coin:
        rival[0, 1] = [0.5, 0, 0, 0, 0.5]
    stay = np.ones((1, 3, 1))
    return Arms(approximate_models([MDP(stay, q, u, 0.0) for q in (target, rival)]), 0.04, 0.0)


def samples_to_drop(arms: Arms, arm: int) -> float:
    """The first N at which a model fails test (1) or (3) at the arm, on the target's rewards."""
    models = arms.models
    sizes = (1, models.A, N_BUDGET, models.k, DELTA)
    N = np.arange(2, N_BUDGET)
    of_means = width_r(np.zeros(N.size), N, log_term(*sizes), arms.Delta)
    of_deviations = width_sigma_r(N, log_term_sigma(*sizes), arms.Delta)
    gap = np.max(np.abs(models.r[:, 0, arm] - models.r[0, 0, arm]))
    spread = np.max(models.sigma_r[:, 0, arm])
    falls = np.flatnonzero((gap > of_means) | (spread > of_deviations))
    return float(N[falls[0]]) if falls.size else math.inf


def walk(arms: Arms) -> Walk:
    """Line 18 in pass 1: no arm drops a model with fewer samples than the queried one."""
    models, Delta = arms.models, arms.Delta
    everybody = tuple(range(models.k))
    I_1 = index(everybody, models, Delta)
    _, queried = query(I_1)
    needed = [samples_to_drop(arms, arm) for arm in range(models.A)]
    fastest = int(np.argmin(needed))
    stops = stopping_models(everybody, models, arms.epsilon, Delta)
    return Walk(
        premises=(
            Statement(
                "transfer mode", enters_transfer_mode(Delta, arms.epsilon, models.gamma), "=", True
            ),
            Statement("policies that stop", len(stops), "=", 0),
            Statement(
                "largest deviation of the target's rewards", float(models.sigma_r[0].max()), "=", 0
            ),
            Statement("some arm drops a model: samples", min(needed), "<", math.inf),
        ),
        conclusion=Statement(
            f"samples of the queried arm {queried} (index {I_1[0, queried]:.3g}) against arm "
            f"{fastest} (index {I_1[0, fastest]:.3g})",
            needed[queried],
            "≤",
            needed[fastest],
        ),
    )


def upper_bound_walk(arms: Arms) -> Walk:
    """Repair: a queried arm of positive index drops a model after at most 128 L over its index."""
    models, Delta = arms.models, arms.Delta
    everybody = tuple(range(models.k))
    I_1 = index(everybody, models, Delta)
    s, queried = query(I_1)
    largest = float(I_1[s, queried])
    L = log_term(1, models.A, N_BUDGET, models.k, DELTA)
    return Walk(
        premises=(*walk(arms).premises, Statement("largest index", largest, ">", 0)),
        conclusion=Statement(
            f"samples of the queried arm {queried} against 128L over its index",
            samples_to_drop(arms, queried),
            "≤",
            128 * L / largest if largest > 0 else math.inf,
        ),
    )


def numbers(arms: Arms) -> Numbers:
    """Both models and what PTUM is given."""
    return (
        *tasks(zip(("the target", "the rival"), arms.models.tasks, strict=True)),
        ("γ", arms.models.gamma),
        ("ε", arms.epsilon),
        ("Δ", arms.Delta),
        ("δ", DELTA),
        ("budget n", N_BUDGET),
    )


def tossed(arms: Arms) -> Arms:
    """The target's rewards become chances of reward 1."""
    target = bernoulli_rewards(np.ones((1, 3, 1)), arms.models.r[0], arms.models.gamma)
    return replace(arms, models=approximate_models([target, arms.models.tasks[1]]))


def copied(arms: Arms) -> Arms:
    """The rival becomes the target once more."""
    return replace(arms, models=approximate_models([arms.models.tasks[0]] * 2))


STOPS, CERTAIN = "policies that stop", "largest deviation of the target's rewards"
DROPS = "some arm drops a model: samples"
FASTEST = "text-index-shortest-time.fastest"

CASES = (
    Case(
        checks=(f"{FASTEST}/silent-arm",),
        numbers=lambda: numbers(silent_arm()),
        told=lambda: walk(silent_arm()),
        undo="Δ = 0.005, so that arms 1 and 2 have a positive index",
        undone=lambda: walk(silent_arm(0.005)),
        broken={
            "transfer mode": lambda: walk(silent_arm(0.02)),
            STOPS: lambda: walk(replace(silent_arm(), epsilon=2.0)),
            CERTAIN: lambda: walk(tossed(silent_arm())),
            DROPS: lambda: walk(copied(silent_arm())),
        },
        repaired=lambda: upper_bound_walk(silent_arm()),
        sibling=lambda: upper_bound_walk(silent_arm(0.005)),
        sibling_numbers=lambda: numbers(silent_arm(0.005)),
    ),
    Case(
        checks=(f"{FASTEST}/telling-deviation",),
        numbers=lambda: numbers(telling_deviation()),
        told=lambda: walk(telling_deviation()),
        undo="1/2 for sure at the rival's arm 1",
        undone=lambda: walk(telling_deviation(coin=False)),
        broken={
            "transfer mode": lambda: walk(replace(telling_deviation(), Delta=0.02)),
            STOPS: lambda: walk(replace(telling_deviation(), epsilon=0.1)),
            CERTAIN: lambda: walk(tossed(telling_deviation())),
            DROPS: lambda: walk(copied(telling_deviation())),
        },
        repaired=lambda: upper_bound_walk(telling_deviation()),
        sibling=lambda: upper_bound_walk(telling_deviation(coin=False)),
        sibling_numbers=lambda: numbers(telling_deviation(coin=False)),
    ),
)
