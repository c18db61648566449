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

from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.certain_samples import samples_to_drop
from checks.engine.blocks import BlockSimulator
from checks.engine.ptum import transfer_mode
from checks.outcome import Statement, Walk
from reference.assumptions import single
from reference.mdp import MDP, deterministic_rewards
from reference.models import ApproximateModels, approximate_models
from reference.ptum import PtumResult
from reference.repaired.sample_complexity import theorem_1_bound as repaired_bound
from reference.repaired.stopping import enters_transfer_mode
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


def within_repaired_bound(models: ApproximateModels, epsilon: float, n: int) -> Walk:
    """What is claimed after the repair: a bound in min-max, and nothing about an oracle."""
    allowed = repaired_bound(0, models, epsilon=epsilon, delta=DELTA, n=n, Delta=0.0).bound
    return Walk(
        premises=(
            Statement("transfer mode", enters_transfer_mode(0.0, epsilon, models.gamma), "=", True),
            Statement("the repaired bound", allowed, "<", math.inf),
        ),
        conclusion=Statement("queries against it", run(models, epsilon, n).queries, "≤", allowed),
    )


def _growth(before: float, after: float) -> float:
    """How many times as much; from nothing (an oracle that never ends) to anything is infinite."""
    return after / before if before > 0 else math.inf


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


def distraction(K: int, height: float = 0.85, n: int = DISTRACTOR_BUDGET) -> float:
    """Queries of PTUM over the samples of arm 1 that eliminate all of Θ_ε that arm 1 can."""
    models, epsilon = distractors(K, height), DISTRACTOR_EPSILON
    return run(models, epsilon, n).queries / plan_cost(models, {1: (0, 1)}, epsilon, n)


def distractor_walk(
    few: int,
    many: int,
    height: float = 0.85,
    growth: float = 2.0,
    n: int = DISTRACTOR_BUDGET,
) -> Walk:
    """Within a constant of the oracle: then the ratio cannot grow with K without end.

    A declared test of slope: from `few` to `many` distractors it may grow by `growth`.
    """
    models, epsilon = distractors(many, height), DISTRACTOR_EPSILON
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
            _growth(distraction(few, height, n), result.queries / cost),
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


def hidden_test(gap: float, first_reward: float = 1.0, third_x: float = 0.9) -> ApproximateModels:
    """States w, s0, x, y, z, all but s0 absorbing; s0 leads to x in the target, to y in the rival.

    Target and rival find x and y equal and differ by `gap` in z only. A third model pays
    `first_reward` in w, `third_x` in x and the rest of 1 in y: its values see at s0 what theirs do
    not.
    """
    r_z = (0.5 + gap / 2, 0.5 - gap / 2)
    return approximate_models(
        [
            _hidden_task(X, 0.0, 0.5, 0.5, r_z),
            _hidden_task(Y, 0.0, 0.5, 0.5, (r_z[1], r_z[0])),
            _hidden_task(X, first_reward, third_x, 1 - third_x, r_z),
        ]
    )


def hidden_walk(
    wide: float,
    narrow: float,
    first_reward: float = 1.0,
    growth: float = 2.0,
    n: int = HIDDEN_BUDGET,
    third_x: float = 0.9,
) -> Walk:
    """Within C log min{SA,|Θ|} of an oracle that has PTUM's own tests: then, since |Θ|, SA and L
    stay the same, queries/oracle cannot grow without end as the gap in z shrinks.

    A declared test of slope: from the wide to the narrow gap it may grow by `growth`.
    """
    models = hidden_test(narrow, first_reward, third_x)
    result, cost = hidden_counts(narrow, first_reward, n, third_x)
    blocking = theta_eps(0, models, kappa_eps(5 * narrow, 0.0, models.gamma))
    before, cost_before = hidden_counts(wide, first_reward, n, third_x)
    return Walk(
        premises=(
            Statement("models in Θ_ε", len(blocking), "=", 2),
            Statement("the oracle samples s0 and w: together", cost, "<", math.inf),
            Statement("the run ends within its budget: queries", result.queries, "<", n),
            Statement("the narrow gap", narrow, "≤", wide / 4),
        ),
        conclusion=Statement(
            f"growth of queries/oracle from gap {wide:g} to {narrow:g}",
            _growth(before.queries / cost_before, result.queries / cost),
            "≤",
            growth,
        ),
    )


def hidden_counts(
    gap: float, first_reward: float = 1.0, n: int = HIDDEN_BUDGET, third_x: float = 0.9
) -> tuple[PtumResult, float]:
    """The run at ε = 5·gap, and what the oracle pays."""
    models, epsilon = hidden_test(gap, first_reward, third_x), 5 * gap
    return run(models, epsilon, n), plan_cost(models, {1: (S0, 0), 2: (W, 0)}, epsilon, n)


# What the instances show


WIDE, NARROW, FEW, MANY = 0.1, 0.005, 2, 10
ORACLE = "text-oracle-proportional.oracle"


def _rewards(models: ApproximateModels) -> tuple[tuple[tuple[float, ...], ...], ...]:
    return tuple(tuple(map(tuple, task.tolist())) for task in models.r.round(12))


def _three_numbers() -> Numbers:
    models = three_certain_arms()
    return (
        ("γ", models.gamma),
        ("ε, δ, Δ, n", (THREE_EPSILON, DELTA, 0.0, THREE_BUDGET)),
        ("certain rewards of the three arms, target first", _rewards(models)),
        ("plan", "arm 1 until the first rival falls, arm 2 until the second does"),
    )


def _distractor_numbers() -> Numbers:
    return (
        ("γ", 0.0),
        ("ε, δ, Δ, n", (DISTRACTOR_EPSILON, DELTA, 0.0, DISTRACTOR_BUDGET)),
        ("K", (FEW, MANY)),
        ("certain rewards for K = 2, target first", _rewards(distractors(FEW))),
        ("plan", "arm 1 until the first rival falls"),
    )


def _hidden_numbers() -> Numbers:
    models = hidden_test(NARROW)
    return (
        ("γ", HIDDEN_GAMMA),
        ("ε, δ, Δ, n", (5 * NARROW, DELTA, 0.0, HIDDEN_BUDGET)),
        ("states", "w, s0, x, y, z; all but s0 absorbing"),
        ("s0 leads to", ("x in the target", "y in the rival", "x in the third model")),
        ("certain rewards of both actions, state by state, target first", _rewards(models)),
        ("plan", "w until the third model falls, s0 until the rival does"),
    )


def _same_arms() -> ApproximateModels:
    return approximate_models([three_certain_arms().tasks[0]] * 3)


CASES = (
    Case(
        checks=(f"{ORACLE}/three-arms",),
        numbers=_three_numbers,
        told=lambda: bound_walk(three_certain_arms()),
        undo="the second rival pays 0.9 at arm 1 too, so that one arm speaks about both",
        undone=lambda: bound_walk(three_certain_arms(0.9)),
        broken={
            "rivals in Θ_ε": lambda: bound_walk(_same_arms()),
            "samples of arms 1 and 2 that eliminate both": lambda: bound_walk(_same_arms()),
        },
        repaired=lambda: within_repaired_bound(three_certain_arms(), THREE_EPSILON, THREE_BUDGET),
        sibling=lambda: within_repaired_bound(three_certain_arms(0.9), THREE_EPSILON, THREE_BUDGET),
    ),
    Case(
        checks=(f"{ORACLE}/distractors",),
        numbers=_distractor_numbers,
        told=lambda: distractor_walk(FEW, MANY),
        undo="harmless models with 0.7 at their arms, so that the rival is dropped first",
        undone=lambda: distractor_walk(FEW, MANY, height=0.7),
        broken={
            "the oracle needs arm 1 alone: its samples": lambda: distractor_walk(FEW, MANY, 0.95),
            "the run ends within its budget: queries": lambda: distractor_walk(FEW, MANY, n=100),
            "distractors": lambda: distractor_walk(FEW, 2 * FEW),
        },
        repaired=lambda: within_repaired_bound(
            distractors(MANY), DISTRACTOR_EPSILON, DISTRACTOR_BUDGET
        ),
        sibling=lambda: within_repaired_bound(
            distractors(FEW), DISTRACTOR_EPSILON, DISTRACTOR_BUDGET
        ),
    ),
    Case(
        checks=(f"{ORACLE}/hidden-test",),
        numbers=_hidden_numbers,
        told=lambda: hidden_walk(WIDE, NARROW),
        undo="the third model pays 0.3 in w and is dropped at s0, where its values are in play",
        undone=lambda: hidden_walk(WIDE, NARROW, first_reward=0.3),
        broken={
            "models in Θ_ε": lambda: hidden_walk(WIDE, 0.0),
            "the oracle samples s0 and w: together": lambda: hidden_walk(WIDE, NARROW, third_x=0.5),
            "the run ends within its budget: queries": lambda: hidden_walk(WIDE, NARROW, n=1000),
            "the narrow gap": lambda: hidden_walk(WIDE, WIDE / 2),
        },
        repaired=lambda: within_repaired_bound(hidden_test(NARROW), 5 * NARROW, HIDDEN_BUDGET),
        sibling=lambda: within_repaired_bound(hidden_test(WIDE), 5 * WIDE, HIDDEN_BUDGET),
    ),
)
