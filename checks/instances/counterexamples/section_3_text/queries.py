"""Against what is said of the queried pairs, and of an oracle (errata E03, E21, E22)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, compared
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation, max_min, of_theorem_1, theta_eps
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import (
    Algorithm1Inputs,
    DeterministicRun,
    Pair,
)
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.transfer.analysis.sample_complexity import FACTOR
from ptum.spec.vocabulary import CheckKind, Version

# The pair of largest index is not the one that drops a model soonest (erratum E21).
#
# * `silent_arm`: the bandit of E01. Every index is 0, so the first arm is queried; it is the same
#   in both models and drops nothing, while the other arms differ by 0.09, more than Δ = 0.012.
# * `telling_deviation`: three arms, exact models. The rival pays 0.1 more at arm 0, and at arm 1 it
#   tosses a coin where the target always pays 1/2: test (3) sees that after 8 L samples, test (1)
#   the difference at arm 0 after 23 L. The index knows of arm 0 alone.
#
# Rewards of the target are deterministic, so there is no chance in either.

DELTA = Fraction(1, 10)
N_BUDGET = 100000
BOTH = (0, 1)


@dataclass(frozen=True)
class ActiveArms:
    """Two models with one state, both active, of which number 0 is the target."""

    models: tuple[ExactMDP, ...]
    epsilon: Fraction
    Delta: Fraction

    @property
    def told(self) -> Algorithm1Inputs:
        """What PTUM is given."""
        return Algorithm1Inputs(self.epsilon, DELTA, N_BUDGET, self.Delta)


def silent_arm(error: Fraction = Fraction(12, 1000)) -> ActiveArms:
    """A smaller Δ gives arms 1 and 2 a positive index."""
    bandit = correctness.bandit()
    return ActiveArms(bandit.models, bandit.epsilon, error)


def telling_deviation(coin: bool = True) -> ActiveArms:
    """Target (0.5, 0.5, 0.55), rival (0.6, 0.5, 0.55), all certain but the rival's arm 1."""
    half, third = Fraction(1, 2), Fraction(55, 100)
    target, rival = deterministic_runs.arms(
        Fraction(0), (half, half, third), (Fraction(3, 5), half, third)
    )
    if coin:
        rival = _with_variance(rival, (Fraction(0), Fraction(1, 4), Fraction(0)))
    return ActiveArms((target, rival), Fraction(1, 25), Fraction(0))


def _with_variance(theta: ExactMDP, variances: tuple[Fraction, ...]) -> ExactMDP:
    return replace(theta, var=(variances,))


def samples_to_drop(arms: ActiveArms, arm: int) -> int:
    """Samples of the arm that drop a model, on the target's rewards; the budget if none does."""
    counts = (deterministic_runs.samples_to_drop(arms.models, i, (0, arm), arms.told) for i in BOTH)
    return min((count for count in counts if count is not None), default=N_BUDGET)


def evaluation(arms: ActiveArms) -> Evaluation:
    """Line 18 in iteration 1: no arm drops a model with fewer samples than the queried one."""
    target = arms.models[0]
    indices = deterministic_runs.index(arms.models, BOTH, arms.Delta)
    _, queried = deterministic_runs.query(indices)
    needed = [samples_to_drop(arms, arm) for arm in range(target.A)]
    fastest = needed.index(min(needed))
    stops = deterministic_runs.stopping_models(arms.models, BOTH, arms.told)
    return Evaluation(
        premises=(
            deterministic_runs.enters(arms.told, target.gamma),
            Statement("policies that stop", len(stops), "=", 0),
            Statement("largest variance of the target's rewards", max(target.var[0]), "=", 0),
            Statement("some arm drops a model: samples", min(needed), "<", N_BUDGET),
        ),
        conclusion=Statement(
            f"samples of the queried arm {queried} (index {indices[0, queried]}) against arm "
            f"{fastest} (index {indices[0, fastest]})",
            needed[queried],
            "≤",
            needed[fastest],
        ),
    )


def upper_bound_evaluation(arms: ActiveArms) -> Evaluation:
    """Repair: a queried arm of positive index drops a model after at most 128 L over its index."""
    target = arms.models[0]
    indices = deterministic_runs.index(arms.models, BOTH, arms.Delta)
    _, queried = deterministic_runs.query(indices)
    L = deterministic_runs.log_term(1, target.A, N_BUDGET, len(arms.models), DELTA)
    largest = indices[0, queried]
    return Evaluation(
        premises=(*evaluation(arms).premises, Statement("largest index", largest, ">", 0)),
        conclusion=Statement(
            f"samples of the queried arm {queried}, times its index, against 128L",
            *compared(samples_to_drop(arms, queried) * largest, "≤", FACTOR * L),
        ),
    )


def numbers(arms: ActiveArms) -> Numbers:
    """Both models and what PTUM is given."""
    return (
        *tasks(zip(("the target", "the rival"), arms.models, strict=True)),
        ("γ", arms.models[0].gamma),
        ("variances of the rival's rewards", arms.models[1].var[0]),
        ("ε", arms.epsilon),
        ("Δ", arms.Delta),
        ("δ", DELTA),
        ("budget n", N_BUDGET),
    )


def tossed(arms: ActiveArms) -> ActiveArms:
    """The target's rewards become probabilities of reward 1."""
    target, rival = arms.models
    variances = tuple(r * (1 - r) for r in target.r[0])
    return replace(arms, models=(_with_variance(target, variances), rival))


def copied(arms: ActiveArms) -> ActiveArms:
    """The rival becomes the target again."""
    return replace(arms, models=(arms.models[0],) * 2)


STOPS, DETERMINISTIC = "policies that stop", "largest variance of the target's rewards"
DROPS = "some arm drops a model: samples"
SILENT, TELLING, SEEING = silent_arm(), telling_deviation(), silent_arm(Fraction(1, 200))

declare(
    check="text-index-shortest-time.fastest/silent-arm",
    says="All indices are 0 and the queried arm never drops a model, while others do",
    instance=SILENT,
    evaluate=evaluation,
    fix="Δ = 0.005, so that arms 1 and 2 have a positive index",
    fixed=SEEING,
    broken={
        deterministic_runs.ENTERS: silent_arm(Fraction(1, 50)),
        STOPS: replace(SILENT, epsilon=Fraction(2)),
        DETERMINISTIC: tossed(SILENT),
        DROPS: copied(SILENT),
    },
    repaired=upper_bound_evaluation,
    in_scope=SEEING,
    numbers=numbers,
)
declare(
    check="text-index-shortest-time.fastest/telling-deviation",
    says="A positive index at a slow arm, index 0 at an arm whose deviation tells at once",
    instance=TELLING,
    evaluate=evaluation,
    numbers=numbers,
    fix="1/2 for sure at the rival's arm 1",
    fixed=telling_deviation(coin=False),
    broken={
        deterministic_runs.ENTERS: replace(TELLING, Delta=Fraction(1, 50)),
        STOPS: replace(TELLING, epsilon=Fraction(1, 10)),
        DETERMINISTIC: tossed(TELLING),
        DROPS: copied(TELLING),
    },
    repaired=upper_bound_evaluation,
    in_scope=telling_deviation(coin=False),
)


# PTUM against strategies that know which pairs to sample (errata E03 and E22).
#
# All tasks are deterministic and all models exact, so every count is a number and not a chance.
#
# * `three_certain_arms`: Theorem 1 promises infinity, two arms sampled in turn are enough.
# * `distractors`: K harmless models have larger gaps than the one that blocks, and PTUM drops them
#   first, one arm for each.
# * `hidden_test`: a model that PTUM drops at once leaves behind a value function with which, at one
#   pair, the last rival could be told apart in no time; the index no longer looks at it.

CONSTANT = 10**6
"""Room for 'proportional' where the other side is infinite."""

Models = tuple[ExactMDP, ...]
Plan = dict[int, Pair]
"""For each model to eliminate, the pair that does it."""


def run(models: Models, epsilon: Fraction, n: int) -> DeterministicRun:
    """PTUM on model 0."""
    return deterministic_runs.run(models, Algorithm1Inputs(epsilon, DELTA, n))


def plan_cost(models: Models, plan: Plan, epsilon: Fraction, n: int) -> int | None:
    """Samples of a plan; None where a pair does not do it, or other models still block line 14."""
    told = Algorithm1Inputs(epsilon, DELTA, n)
    left = tuple(theta for theta in range(len(models)) if theta not in plan)
    needed: dict[Pair, int] = {}
    for theta, pair in plan.items():
        count = deterministic_runs.samples_to_drop(models, theta, pair, told)
        if count is None or not deterministic_runs.stopping_models(models, left, told):
            return None
        needed[pair] = max(needed.get(pair, 0), count)
    return sum(needed.values())


def _log(models: Models, n: int) -> Between:
    return deterministic_runs.log_term(models[0].S, models[0].A, n, len(models), DELTA)


def within_repaired_bound(models: Models, epsilon: Fraction, n: int) -> Evaluation:
    """What is claimed after the repair: a bound in min-max, and nothing about an oracle."""
    situation = Situation(models, epsilon)
    information = Fraction(of_theorem_1(situation, Version.REPAIRED)[1])
    pairs = models[0].S * models[0].A
    bound = FACTOR * min(pairs, len(models) - 1) * _log(models, n)
    return Evaluation(
        premises=(
            deterministic_runs.enters(
                Algorithm1Inputs(epsilon, DELTA, n), models[0].gamma, Version.REPAIRED
            ),
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
    """The three arms of E03 with deterministic rewards; `overlap` is 0.2 in the target too."""
    half, low, high = Fraction(1, 2), Fraction(1, 5), Fraction(9, 10)
    return deterministic_runs.arms(half, (half, low, low), (half, high, low), (half, overlap, high))


def bound_evaluation(models: Models) -> Evaluation:
    """Theorem 1's bound is at most a constant times what arms 1 and 2 cost.

    Both sides are multiplied by the denominator of the bound, which may be zero.
    """
    n, plan = THREE_BUDGET, {1: (0, 1), 2: (0, 2)}
    situation = Situation(models, THREE_EPSILON)
    cost = plan_cost(models, plan, THREE_EPSILON, n)
    denominator = Fraction(max_min(situation, theta_eps(situation) or (1, 2)))
    promised = FACTOR * min(models[0].A, len(models)) * _log(models, n)
    return Evaluation(
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
    return deterministic_runs.arms(Fraction(0), *rows)


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


@dataclass(frozen=True)
class Distraction:
    """Few and many harmless models, what each pays at its arm, and the budget."""

    few: int = 2
    many: int = 10
    height: Fraction = HEIGHT
    n: int = DISTRACTOR_BUDGET


def distractor_evaluation(case: Distraction, growth: int = 2) -> Evaluation:
    """Within a constant of the oracle: then the ratio cannot grow with K without end.

    A declared test of slope: from `few` to `many` distractors it may grow by `growth`.
    """
    few, many, n = case.few, case.many, case.n
    models, epsilon = distractors(many, case.height), DISTRACTOR_EPSILON
    result = run(models, epsilon, n)
    cost = plan_cost(models, {1: (0, 1)}, epsilon, n)
    return Evaluation(
        premises=(
            Statement("the oracle needs arm 1 alone: its samples", cost or 0, ">", 0),
            Statement("the run ends within its budget: queries", result.queries, "<", n),
            Statement("distractors", many, "≥", 4 * few),
        ),
        conclusion=Statement(
            f"growth of queries/oracle from {few} to {many} distractors",
            _growth(distraction(few, case.height, n), _over(result.queries, cost)),
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
    p = [[deterministic_runs.leads_to(state, 5)] * 2 for state in leads]
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


@dataclass(frozen=True)
class HiddenTest:
    """A wide and a narrow gap in z, what the third model pays in w and in x, and the budget."""

    wide: Fraction = Fraction(1, 10)
    narrow: Fraction = Fraction(1, 200)
    first_reward: Fraction = ONE
    third_x: Fraction = THIRD_X
    n: int = HIDDEN_BUDGET


def hidden_evaluation(case: HiddenTest, growth: int = 2) -> Evaluation:
    """Within C·L·min{SA,|Θ|} of an oracle that has PTUM's own tests: then, since |Θ|, SA and L
    stay the same, queries/oracle cannot grow without end as the gap in z shrinks.

    A declared test of slope: from the wide to the narrow gap it may grow by `growth`.
    """
    wide, narrow, n = case.wide, case.narrow, case.n
    models = hidden_test(narrow, case.first_reward, case.third_x)
    queries, cost = hidden_counts(narrow, case.first_reward, n, case.third_x)
    before = _over(*hidden_counts(wide, case.first_reward, n, case.third_x))
    return Evaluation(
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
    gap: Fraction, first_reward: Fraction = ONE, n: int = HIDDEN_BUDGET, third_x: Fraction = THIRD_X
) -> tuple[int, int | None]:
    """The queries of the run at ε = 5·gap, and what the oracle pays."""
    models, epsilon = hidden_test(gap, first_reward, third_x), 5 * gap
    cost = plan_cost(models, {1: (S0, 0), 2: (W, 0)}, epsilon, n)
    return run(models, epsilon, n).queries, cost


# What the instances show


def _rewards(models: Models) -> mdp.Table:
    return tuple(task.r[0] for task in models)


def distracted(case: Distraction) -> Evaluation:
    """Repaired: the bound of Theorem 1 for the run with many models."""
    return within_repaired_bound(distractors(case.many, case.height), DISTRACTOR_EPSILON, case.n)


def hidden(case: HiddenTest) -> Evaluation:
    """Repaired: the bound of Theorem 1 for the run with the narrow gap."""
    models = hidden_test(case.narrow, case.first_reward, case.third_x)
    return within_repaired_bound(models, 5 * case.narrow, case.n)


def _hidden_numbers(case: HiddenTest) -> Numbers:
    models = hidden_test(case.narrow, case.first_reward, case.third_x)
    return (
        ("γ", HIDDEN_GAMMA),
        ("ε, δ, Δ, n", (5 * case.narrow, DELTA, 0, case.n)),
        ("gaps in z that are compared", (case.wide, case.narrow)),
        ("states 0 to 4", "w, s0, x, y, z; all but s0 absorbing"),
        *tasks(zip(("the target", "the rival", "the third model"), models, strict=True)),
        ("plan", "w until the third model is eliminated, s0 until the rival is"),
    )


def _same_arms() -> Models:
    return (three_certain_arms()[0],) * 3


declare(
    check="text-oracle-proportional.oracle/three-arms",
    says="Theorem 1's bound is at most a million times what two arms cost",
    instance=three_certain_arms(),
    evaluate=bound_evaluation,
    fix="the second rival pays 0.9 at arm 1 too, so that one arm speaks about both",
    fixed=three_certain_arms(Fraction(9, 10)),
    broken={"rivals in Θ_ε": _same_arms(), "arms 1 and 2 eliminate both: samples": _same_arms()},
    repaired=partial(within_repaired_bound, epsilon=THREE_EPSILON, n=THREE_BUDGET),
    in_scope=three_certain_arms(Fraction(9, 10)),
    numbers=lambda models: (
        ("γ", models[0].gamma),
        ("ε, δ, Δ, n", (THREE_EPSILON, DELTA, 0, THREE_BUDGET)),
        ("deterministic rewards of the three arms, target first", _rewards(models)),
        ("plan", "arm 1 until the first rival is eliminated, arm 2 until the second is"),
    ),
)
declare(
    check="text-oracle-proportional.oracle/distractors",
    says="queries/oracle do not grow with the number of harmless models",
    kind=CheckKind.ASYMPTOTIC,
    instance=Distraction(),
    evaluate=distractor_evaluation,
    numbers=lambda case: (
        ("γ", 0),
        ("ε, δ, Δ, n", (DISTRACTOR_EPSILON, DELTA, 0, case.n)),
        ("K", (case.few, case.many)),
        (
            "deterministic rewards of the arms for K = 2, target first",
            _rewards(distractors(2, case.height)),
        ),
        ("plan", "arm 1 until the first rival is eliminated"),
    ),
    fix="harmless models with 0.7 at their arms, so that the rival is dropped first",
    fixed=Distraction(height=Fraction(7, 10)),
    broken={
        "the oracle needs arm 1 alone: its samples": Distraction(height=Fraction(19, 20)),
        "the run ends within its budget: queries": Distraction(n=100),
        "distractors": Distraction(many=4),
    },
    repaired=distracted,
    in_scope=Distraction(many=2),
)
declare(
    check="text-oracle-proportional.oracle/hidden-test",
    says="queries/oracle do not grow while SA, |Θ| and L stay the same",
    kind=CheckKind.ASYMPTOTIC,
    instance=HiddenTest(),
    evaluate=hidden_evaluation,
    numbers=_hidden_numbers,
    fix="the third model pays 0.3 in w and is dropped at s0, where its values are in play",
    fixed=HiddenTest(first_reward=Fraction(3, 10)),
    broken={
        "models in Θ_ε": HiddenTest(narrow=Fraction(0)),
        "the oracle samples s0 and w: together": HiddenTest(third_x=HALF),
        "the run ends within its budget: queries": HiddenTest(n=1000),
        "the narrow gap": HiddenTest(narrow=Fraction(1, 20)),
    },
    repaired=hidden,
    in_scope=HiddenTest(narrow=Fraction(1, 10)),
)
