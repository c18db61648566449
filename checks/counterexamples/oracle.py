"""PTUM against strategies that know which pairs to sample (errata E03 and E22).

All tasks are certain and all models exact, so every count is a number and not a chance.

* `three_certain_arms`: Theorem 1 promises infinity, two arms sampled in turn are enough.
* `distractors`: K harmless models have larger gaps than the one that blocks, and PTUM drops them
  first, one arm for each.
* `hidden_test`: a model that PTUM drops at once leaves behind a value function with which, at one
  pair, the last rival could be told apart in no time; the index no longer looks at it.
"""

from __future__ import annotations

import math

import numpy as np

from checks.counterexamples.certain_samples import samples_to_drop
from checks.engine.blocks import BlockSimulator
from checks.engine.ptum import transfer_mode
from checks.outcome import Statement, Walk
from reference.assumptions import single
from reference.mdp import MDP, deterministic_rewards
from reference.models import ApproximateModels, approximate_models
from reference.ptum import PtumResult
from reference.sample_complexity import kappa_eps, theorem_1_bound, theta_eps
from reference.stopping import stopping_models

DELTA = 0.1
CONSTANT = 1e6
"""Room for 'proportional' where the other side is infinite."""


def run(models: ApproximateModels, epsilon: float, n: int) -> PtumResult:
    """PTUM on model 0."""
    return transfer_mode(
        models,
        BlockSimulator(models.tasks[0], seed=0),
        epsilon=epsilon,
        delta=DELTA,
        n=n,
        errors=single(0.0),
    )


def plan_cost(
    models: ApproximateModels, plan: dict[int, tuple[int, int]], epsilon: float, n: int
) -> float:
    """Samples of a plan that names, for each model to eliminate, the pair that does it.

    Infinite if the models it does not name still block line 14.
    """
    left = tuple(theta for theta in range(models.k) if theta not in plan)
    if not stopping_models(left, models, epsilon, 0.0):
        return math.inf
    needed: dict[tuple[int, int], float] = {}
    for theta, (s, a) in plan.items():
        count = samples_to_drop(models, theta, s, a, n, DELTA)
        needed[s, a] = max(needed.get((s, a), 0.0), count)
    return sum(needed.values())


def _arms(*rows: list[float], gamma: float) -> ApproximateModels:
    stay = np.ones((1, len(rows[0]), 1))
    return approximate_models([deterministic_rewards(stay, np.array([r]), gamma) for r in rows])


# Theorem 1's bound


THREE_BUDGET, THREE_EPSILON = 10_000, 0.4


def three_certain_arms(overlap: float = 0.2) -> ApproximateModels:
    """The three-armed instance of E03 with certain rewards; `overlap` is 0.2 in the target too."""
    return _arms([0.5, 0.2, 0.2], [0.5, 0.9, 0.2], [0.5, overlap, 0.9], gamma=0.5)


def bound_walk(models: ApproximateModels) -> Walk:
    """Theorem 1's bound is at most a constant times what arms 1 and 2 cost."""
    n, epsilon = THREE_BUDGET, THREE_EPSILON
    blocking = theta_eps(0, models, kappa_eps(epsilon, 0.0, models.gamma))
    cost = plan_cost(models, {1: (0, 1), 2: (0, 2)}, epsilon, n)
    promised = theorem_1_bound(0, models, epsilon=epsilon, delta=DELTA, n=n, Delta=0.0).bound
    return Walk(
        premises=(
            Statement("rivals in Θ_ε", len(blocking), "=", 2),
            Statement("samples of arms 1 and 2 that eliminate both", cost, "<", math.inf),
        ),
        conclusion=Statement(
            f"Theorem 1's bound against {CONSTANT:.0e} times that cost",
            promised,
            "≤",
            CONSTANT * cost,
        ),
    )


# A constant factor


DISTRACTOR_BUDGET, DISTRACTOR_EPSILON = 100_000, 0.5


def distractors(K: int, height: float = 0.85) -> ApproximateModels:
    """Target (0.4, 0.15, 0, …); one rival with 0.95 at arm 1; K models with `height` at one arm."""
    rows = [[0.4, 0.15] + [0.0] * K for _ in range(K + 2)]
    rows[1][1] = 0.95
    for number in range(K):
        rows[2 + number][2 + number] = height
    return _arms(*rows, gamma=0.0)


def distraction(K: int, height: float = 0.85) -> float:
    """Queries of PTUM over the samples of arm 1 that eliminate all of Θ_ε that arm 1 can."""
    models = distractors(K, height)
    n, epsilon = DISTRACTOR_BUDGET, DISTRACTOR_EPSILON
    return run(models, epsilon, n).queries / plan_cost(models, {1: (0, 1)}, epsilon, n)


def distractor_walk(few: int, many: int, height: float = 0.85, growth: float = 2.0) -> Walk:
    """Within a constant of the oracle: then the ratio cannot grow with K without end.

    A declared test of slope: from `few` to `many` distractors it may grow by `growth`.
    """
    models = distractors(many, height)
    n, epsilon = DISTRACTOR_BUDGET, DISTRACTOR_EPSILON
    result = run(models, epsilon, n)
    cost = plan_cost(models, {1: (0, 1)}, epsilon, n)
    return Walk(
        premises=(
            Statement("the oracle needs arm 1 alone: its samples", cost, "<", math.inf),
            Statement("the run ends within its budget: queries", result.queries, "<", n),
            Statement("distractors", many, "≥", 4 * few),
        ),
        conclusion=Statement(
            f"growth of queries/oracle from {few} to {many} distractors",
            (result.queries / cost) / distraction(few, height),
            "≤",
            growth,
        ),
    )


# Up to the factor min{SA,|Θ|}


HIDDEN_BUDGET, HIDDEN_GAMMA = 100_000, 0.9
W, S0, X, Y, Z = range(5)


def _hidden_task(to: int, r_w: float, r_x: float, r_y: float, r_z: tuple[float, float]) -> MDP:
    p = np.zeros((5, 2, 5))
    p[S0, :, to] = 1
    for absorbing in (W, X, Y, Z):
        p[absorbing, :, absorbing] = 1
    r = np.array([[r_w, r_w], [0.5, 0.5], [r_x, r_x], [r_y, r_y], list(r_z)])
    return deterministic_rewards(p, r, HIDDEN_GAMMA)


def hidden_test(gap: float, first_reward: float = 1.0) -> ApproximateModels:
    """States w, s0, x, y, z, all but s0 absorbing; s0 leads to x in the target, to y in the rival.

    Target and rival find x and y equal and differ by `gap` in z only. A third model pays
    `first_reward` in w and finds x better than y: its values see at s0 what theirs do not.
    """
    r_z = (0.5 + gap / 2, 0.5 - gap / 2)
    return approximate_models(
        [
            _hidden_task(X, 0.0, 0.5, 0.5, r_z),
            _hidden_task(Y, 0.0, 0.5, 0.5, (r_z[1], r_z[0])),
            _hidden_task(X, first_reward, 0.9, 0.1, r_z),
        ]
    )


def hidden_walk(wide: float, narrow: float, first_reward: float = 1.0, growth: float = 2.0) -> Walk:
    """Within C log min{SA,|Θ|} of an oracle that has PTUM's own tests: then, since |Θ|, SA and L
    stay the same, queries/oracle cannot grow without end as the gap in z shrinks.

    A declared test of slope: from the wide to the narrow gap it may grow by `growth`.
    """
    models = hidden_test(narrow, first_reward)
    result, cost = hidden_counts(narrow, first_reward)
    blocking = theta_eps(0, models, kappa_eps(5 * narrow, 0.0, models.gamma))
    before, cost_before = hidden_counts(wide, first_reward)
    return Walk(
        premises=(
            Statement("models in Θ_ε", len(blocking), "=", 2),
            Statement("the oracle samples s0 and w: together", cost, "<", math.inf),
            Statement(
                "the run ends within its budget: queries", result.queries, "<", HIDDEN_BUDGET
            ),
            Statement("the narrow gap", narrow, "≤", wide / 4),
        ),
        conclusion=Statement(
            f"growth of queries/oracle from gap {wide:g} to {narrow:g}",
            (result.queries / cost) / (before.queries / cost_before),
            "≤",
            growth,
        ),
    )


def hidden_counts(gap: float, first_reward: float = 1.0) -> tuple[PtumResult, float]:
    """The run at ε = 5·gap, and what the oracle pays."""
    models = hidden_test(gap, first_reward)
    epsilon, n = 5 * gap, HIDDEN_BUDGET
    return run(models, epsilon, n), plan_cost(models, {1: (S0, 0), 2: (W, 0)}, epsilon, n)
