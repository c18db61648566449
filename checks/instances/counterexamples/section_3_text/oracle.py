"""PTUM against strategies that know which pairs to sample (errata E03 and E22).

All tasks are certain and all models exact, so every count is a number and not a chance.

* `three_certain_arms`: Theorem 1 promises infinity, two arms sampled in turn are enough.
* `distractors`: K harmless models have larger gaps than the one that blocks, and PTUM drops them
  first, one arm for each.
* `hidden_test`: a model that PTUM drops at once leaves behind a value function with which, at one
  pair, the last rival could be told apart in no time; the index no longer looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, compared
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation, max_min, min_max, theta_eps, theta_s
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.instances.counterexamples.shared import certain_runs
from ptum.checks.instances.counterexamples.shared.certain_runs import CertainRun, Inputs, Pair
from ptum.checks.verdicts.outcome import Statement, Walk
from ptum.reference.transfer.analysis.sample_complexity import FACTOR
from ptum.spec.vocabulary import Version

DELTA = Fraction(1, 10)
CONSTANT = 10**6
"""Room for 'proportional' where the other side is infinite."""

Models = tuple[ExactMDP, ...]
Plan = dict[int, Pair]
"""For each model to eliminate, the pair that does it."""


def run(models: Models, epsilon: Fraction, n: int) -> CertainRun:
    """PTUM on model 0."""
    return certain_runs.run(models, Inputs(epsilon, DELTA, n))


def plan_cost(models: Models, plan: Plan, epsilon: Fraction, n: int) -> int | None:
    """Samples of a plan; None where a pair does not do it, or other models still block line 14."""
    told = Inputs(epsilon, DELTA, n)
    left = tuple(theta for theta in range(len(models)) if theta not in plan)
    needed: dict[Pair, int] = {}
    for theta, pair in plan.items():
        count = certain_runs.samples_to_drop(models, theta, pair, told)
        if count is None or not certain_runs.stopping_models(models, left, told):
            return None
        needed[pair] = max(needed.get(pair, 0), count)
    return sum(needed.values())


def _log(models: Models, n: int) -> Between:
    return certain_runs.log_term(models[0].S, models[0].A, n, len(models), DELTA)


def within_repaired_bound(models: Models, epsilon: Fraction, n: int) -> Walk:
    """What is claimed after the repair: a bound in min-max, and nothing about an oracle."""
    situation = Situation(models, epsilon)
    information = Fraction(min_max(situation, theta_s(situation)))
    pairs = models[0].S * models[0].A
    bound = FACTOR * min(pairs, len(models) - 1) * _log(models, n)
    return Walk(
        premises=(
            certain_runs.enters(Inputs(epsilon, DELTA, n), models[0].gamma, Version.REPAIRED),
            Statement("denominator of the repaired bound", information, ">", 0),
        ),
        conclusion=Statement(
            "queries against the bound",
            *compared(run(models, epsilon, n).queries, "≤", bound / information),
        ),
    )


# Theorem 1's bound


THREE_BUDGET, THREE_EPSILON = 10_000, Fraction(2, 5)


def three_certain_arms(overlap: Fraction = Fraction(1, 5)) -> Models:
    """The three-armed instance of E03 with certain rewards; `overlap` is 0.2 in the target too."""
    half, low, high = Fraction(1, 2), Fraction(1, 5), Fraction(9, 10)
    return certain_runs.arms(half, (half, low, low), (half, high, low), (half, overlap, high))


def bound_walk(models: Models) -> Walk:
    """Theorem 1's bound is at most a constant times what arms 1 and 2 cost.

    Both sides are multiplied by the denominator of the bound, which may be zero.
    """
    n, plan = THREE_BUDGET, {1: (0, 1), 2: (0, 2)}
    situation = Situation(models, THREE_EPSILON)
    cost = plan_cost(models, plan, THREE_EPSILON, n)
    denominator = Fraction(max_min(situation, theta_eps(situation) or (1, 2)))
    promised = FACTOR * min(models[0].A, len(models)) * _log(models, n)
    return Walk(
        premises=(
            Statement("rivals in Θ_ε", len(theta_eps(situation)), "=", 2),
            Statement("arms 1 and 2 eliminate both: samples", cost or 0, ">", 0),
        ),
        conclusion=Statement(
            f"numerator of Theorem 1's bound against {CONSTANT} times that cost times its "
            "denominator",
            *compared(promised, "≤", CONSTANT * (cost or 0) * denominator),
        ),
    )


# A constant factor


DISTRACTOR_BUDGET, DISTRACTOR_EPSILON = 100_000, Fraction(1, 2)
HEIGHT = Fraction(85, 100)


def distractors(K: int, height: Fraction = HEIGHT) -> Models:
    """Target (0.4, 0.15, 0, …); one rival with 0.95 at arm 1; K models with `height` at one arm."""
    rows = [[Fraction(2, 5), Fraction(3, 20)] + [Fraction(0)] * K for _ in range(K + 2)]
    rows[1][1] = Fraction(19, 20)
    for number in range(K):
        rows[2 + number][2 + number] = height
    return certain_runs.arms(Fraction(0), *rows)


def distraction(K: int, height: Fraction = HEIGHT, n: int = DISTRACTOR_BUDGET) -> Fraction:
    """Queries of PTUM over the samples of arm 1 that eliminate all of Θ_ε that arm 1 can."""
    models, epsilon = distractors(K, height), DISTRACTOR_EPSILON
    return _over(run(models, epsilon, n).queries, plan_cost(models, {1: (0, 1)}, epsilon, n))


def _over(queries: int, cost: int | None) -> Fraction:
    """Queries in units of the oracle's cost; 0 where the oracle never ends."""
    return Fraction(0) if cost is None else Fraction(queries, cost)


def _growth(before: Fraction, after: Fraction) -> Fraction:
    """How many times as much; 0 where there was nothing before."""
    return after / before if before > 0 else Fraction(0)


def distractor_walk(
    few: int,
    many: int,
    height: Fraction = HEIGHT,
    growth: int = 2,
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
            Statement("the oracle needs arm 1 alone: its samples", cost or 0, ">", 0),
            Statement("the run ends within its budget: queries", result.queries, "<", n),
            Statement("distractors", many, "≥", 4 * few),
        ),
        conclusion=Statement(
            f"growth of queries/oracle from {few} to {many} distractors",
            _growth(distraction(few, height, n), _over(result.queries, cost)),
            "≤",
            growth,
        ),
    )


# Up to the factor min{SA,|Θ|}


HIDDEN_BUDGET, HIDDEN_GAMMA = 100_000, Fraction(9, 10)
W, S0, X, Y, Z = range(5)
ONE, HALF, THIRD_X = Fraction(1), Fraction(1, 2), Fraction(9, 10)


def _hidden_task(
    to: int, r_w: Fraction, r_x: Fraction, r_y: Fraction, r_z: Sequence[Fraction]
) -> ExactMDP:
    """All states but s0 are absorbing; s0 leads to the given one."""
    leads = [to if s == S0 else s for s in range(5)]
    p = [[certain_runs.leads_to(state, 5)] * 2 for state in leads]
    r = [[r_w] * 2, [HALF] * 2, [r_x] * 2, [r_y] * 2, list(r_z)]
    return mdp.deterministic(p, r, HIDDEN_GAMMA)


def hidden_test(gap: Fraction, first_reward: Fraction = ONE, third_x: Fraction = THIRD_X) -> Models:
    """States w, s0, x, y, z, all but s0 absorbing; s0 leads to x in the target, to y in the rival.

    Target and rival find x and y equal and differ by `gap` in z only. A third model pays
    `first_reward` in w, `third_x` in x and the rest of 1 in y: its values see at s0 what theirs do
    not.
    """
    zero, r_z = Fraction(0), (HALF + gap / 2, HALF - gap / 2)
    return (
        _hidden_task(X, zero, HALF, HALF, r_z),
        _hidden_task(Y, zero, HALF, HALF, r_z[::-1]),
        _hidden_task(X, first_reward, third_x, 1 - third_x, r_z),
    )


def hidden_walk(
    wide: Fraction,
    narrow: Fraction,
    first_reward: Fraction = ONE,
    growth: int = 2,
    n: int = HIDDEN_BUDGET,
    third_x: Fraction = THIRD_X,
) -> Walk:
    """Within C log min{SA,|Θ|} of an oracle that has PTUM's own tests: then, since |Θ|, SA and L
    stay the same, queries/oracle cannot grow without end as the gap in z shrinks.

    A declared test of slope: from the wide to the narrow gap it may grow by `growth`.
    """
    models = hidden_test(narrow, first_reward, third_x)
    queries, cost = hidden_counts(narrow, first_reward, n, third_x)
    before = _over(*hidden_counts(wide, first_reward, n, third_x))
    return Walk(
        premises=(
            Statement("models in Θ_ε", len(theta_eps(Situation(models, 5 * narrow))), "=", 2),
            Statement("the oracle samples s0 and w: together", cost or 0, ">", 0),
            Statement("the run ends within its budget: queries", queries, "<", n),
            Statement("the narrow gap", narrow, "≤", wide / 4),
        ),
        conclusion=Statement(
            f"growth of queries/oracle from gap {float(wide):g} to {float(narrow):g}",
            _growth(before, _over(queries, cost)),
            "≤",
            growth,
        ),
    )


def hidden_counts(
    gap: Fraction,
    first_reward: Fraction = ONE,
    n: int = HIDDEN_BUDGET,
    third_x: Fraction = THIRD_X,
) -> tuple[int, int | None]:
    """The queries of the run at ε = 5·gap, and what the oracle pays."""
    models, epsilon = hidden_test(gap, first_reward, third_x), 5 * gap
    cost = plan_cost(models, {1: (S0, 0), 2: (W, 0)}, epsilon, n)
    return run(models, epsilon, n).queries, cost


# What the instances show


WIDE, NARROW, FEW, MANY = Fraction(1, 10), Fraction(1, 200), 2, 10
ORACLE = "text-oracle-proportional.oracle"


def _rewards(models: Models) -> tuple[mdp.Table, ...]:
    return tuple(task.r for task in models)


def _three_numbers(models: Models) -> Numbers:
    return (
        ("γ", models[0].gamma),
        ("ε, δ, Δ, n", (THREE_EPSILON, DELTA, 0, THREE_BUDGET)),
        ("certain rewards of the three arms, target first", _rewards(models)),
        ("plan", "arm 1 until the first rival falls, arm 2 until the second does"),
    )


def _distractor_numbers() -> Numbers:
    return (
        ("γ", 0),
        ("ε, δ, Δ, n", (DISTRACTOR_EPSILON, DELTA, 0, DISTRACTOR_BUDGET)),
        ("K", (FEW, MANY)),
        ("certain rewards for K = 2, target first", _rewards(distractors(FEW))),
        ("plan", "arm 1 until the first rival falls"),
    )


def _hidden_numbers(gap: Fraction) -> Numbers:
    models = hidden_test(gap)
    return (
        ("γ", HIDDEN_GAMMA),
        ("ε, δ, Δ, n", (5 * gap, DELTA, 0, HIDDEN_BUDGET)),
        ("states", "w, s0, x, y, z; all but s0 absorbing"),
        ("s0 leads to", ("x in the target", "y in the rival", "x in the third model")),
        ("certain rewards of both actions, state by state, target first", _rewards(models)),
        ("plan", "w until the third model falls, s0 until the rival does"),
    )


def _same_arms() -> Models:
    return (three_certain_arms()[0],) * 3


CASES = (
    Case(
        checks=(f"{ORACLE}/three-arms",),
        numbers=lambda: _three_numbers(three_certain_arms()),
        told=lambda: bound_walk(three_certain_arms()),
        undo="the second rival pays 0.9 at arm 1 too, so that one arm speaks about both",
        undone=lambda: bound_walk(three_certain_arms(Fraction(9, 10))),
        broken={
            "rivals in Θ_ε": lambda: bound_walk(_same_arms()),
            "arms 1 and 2 eliminate both: samples": lambda: bound_walk(_same_arms()),
        },
        repaired=lambda: within_repaired_bound(three_certain_arms(), THREE_EPSILON, THREE_BUDGET),
        sibling=lambda: within_repaired_bound(
            three_certain_arms(Fraction(9, 10)), THREE_EPSILON, THREE_BUDGET
        ),
        sibling_numbers=lambda: _three_numbers(three_certain_arms(Fraction(9, 10))),
    ),
    Case(
        checks=(f"{ORACLE}/distractors",),
        numbers=_distractor_numbers,
        told=lambda: distractor_walk(FEW, MANY),
        undo="harmless models with 0.7 at their arms, so that the rival is dropped first",
        undone=lambda: distractor_walk(FEW, MANY, height=Fraction(7, 10)),
        broken={
            "the oracle needs arm 1 alone: its samples": lambda: distractor_walk(
                FEW, MANY, Fraction(19, 20)
            ),
            "the run ends within its budget: queries": lambda: distractor_walk(FEW, MANY, n=100),
            "distractors": lambda: distractor_walk(FEW, 2 * FEW),
        },
        repaired=lambda: within_repaired_bound(
            distractors(MANY), DISTRACTOR_EPSILON, DISTRACTOR_BUDGET
        ),
        sibling=lambda: within_repaired_bound(
            distractors(FEW), DISTRACTOR_EPSILON, DISTRACTOR_BUDGET
        ),
        sibling_numbers=lambda: (("K", FEW),),
    ),
    Case(
        checks=(f"{ORACLE}/hidden-test",),
        numbers=lambda: (*_hidden_numbers(NARROW), ("gaps in z that are compared", (WIDE, NARROW))),
        told=lambda: hidden_walk(WIDE, NARROW),
        undo="the third model pays 0.3 in w and is dropped at s0, where its values are in play",
        undone=lambda: hidden_walk(WIDE, NARROW, first_reward=Fraction(3, 10)),
        broken={
            "models in Θ_ε": lambda: hidden_walk(WIDE, Fraction(0)),
            "the oracle samples s0 and w: together": lambda: hidden_walk(
                WIDE, NARROW, third_x=HALF
            ),
            "the run ends within its budget: queries": lambda: hidden_walk(WIDE, NARROW, n=1000),
            "the narrow gap": lambda: hidden_walk(WIDE, WIDE / 2),
        },
        repaired=lambda: within_repaired_bound(hidden_test(NARROW), 5 * NARROW, HIDDEN_BUDGET),
        sibling=lambda: within_repaired_bound(hidden_test(WIDE), 5 * WIDE, HIDDEN_BUDGET),
        sibling_numbers=lambda: _hidden_numbers(WIDE),
    ),
)
