"""Against Lemmas 7 and 9, and the queried pair of a phase (errata E01, E02, E10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import written
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.exact.terms import Situation
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared import blocks, deterministic_runs, shown
from ptum.checks.instances.counterexamples.shared.deterministic_runs import arms
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.instances.families.named import exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.attempts.names import stored_as
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import Floats, Ints
from ptum.reference.repaired.transfer.analysis import lemmas as repaired
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import gap_tolerance
from ptum.reference.transfer.analysis import lemmas as printed
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import confidence_set, widths
from ptum.reference.transfer.empirical import Data, empirical_model, empty_data
from ptum.reference.transfer.information import index, query
from ptum.reference.transfer.stopping import stopping_models
from ptum.spec.vocabulary import Version

# Lemma 7 at the printed threshold (erratum E01): PTUM neither stops nor sees any information.


@stored_as("Instance")
@dataclass(frozen=True)
class ExactModels:
    """Models known exactly, and the Δ that the agent is told (any upper bound is allowed)."""

    models: tuple[ExactMDP, ...]
    epsilon: Fraction
    Delta: Fraction


def bandit(Delta: Fraction = Fraction(12, 1000)) -> ExactModels:
    """One state, three arms. The models disagree about which of arms 1 and 2 is better by 0.09."""
    rows = [[Fraction(r, 100) for r in row] for row in ((0, 59, 50), (0, 50, 59))]
    return ExactModels(arms(Fraction(9, 10), *rows), epsilon=Fraction(1), Delta=Delta)


def sharp(Delta: Fraction, epsilon: Fraction, gamma: Fraction) -> ExactModels:
    """Four states, two actions, two models whose gaps are all 0 or exactly 8Δ (E01, sharpness).

    Each model's policy loses 16Δ(1+γ)/(1-γ) in the other model.
    """
    return ExactModels(blocks.mirrored(8 * Delta, 8 * Delta, gamma), epsilon, Delta)


def positive_index_evaluation(
    instance: ExactModels, version: Version, factor: int | None = None
) -> Evaluation:
    """Lemma 7 on the first iteration, when every model is active.

    Line 2 prints Δ < (1-γ)ε/(4(1+γ)); repaired it is Δ ≤ (1-γ)ε/(18(1+γ)). A `factor` in place of
    4 or 18 shows where the lemma begins to fail.
    """
    gamma = instance.models[0].gamma
    entered = formulas.transfer_mode(instance.Delta, instance.epsilon, gamma, version)
    if factor is not None:
        threshold = mdp.transfer_threshold(instance.epsilon, gamma, factor)
        entered = replace(entered, right=threshold, formula=None)
    _confirm(instance, version)
    return Evaluation(
        premises=(entered, goes_on(instance)),
        conclusion=Statement(
            "largest index over all pairs",
            mdp.largest_index(instance.models, instance.Delta),
            ">",
            0,
        ),
    )


NO_STOP = "no stop: smallest worst loss of a policy against the slack"


def goes_on(instance: ExactModels | Situation) -> Statement:
    """Line 14 while every model is active: no policy is good enough in all of them."""
    gamma = instance.models[0].gamma
    return Statement(
        NO_STOP,
        mdp.smallest_worst_loss(instance.models),
        ">",
        mdp.stopping_slack(instance.epsilon, instance.Delta, gamma),
        *formulas.slack(instance.epsilon, instance.Delta, gamma),
    )


def first_iteration(instance: ExactModels) -> Iteration:
    """The first iteration for the literal code: every model is active, the target is model 0."""
    models = approximate_models([mdp.rounded(theta) for theta in instance.models])
    return Iteration(models, 0, tuple(range(models.k)), float(instance.Delta))


def _confirm(instance: ExactModels, version: Version) -> None:
    """The literal Lemma 7 sees an index where a gap exceeds 8Δ by more than rounding.

    Repaired it asks for more, an index of a pair with the target, and is never refuted.
    """
    iteration, epsilon = first_iteration(instance), float(instance.epsilon)
    excess = mdp.largest_gap(instance.models) - 8 * instance.Delta
    found = printed.positive_index(iteration, epsilon=epsilon)
    if abs(excess) > 2 * Fraction(gap_tolerance(iteration.models.V_star)):
        witness.same_truth("a positive index", found.holds, excess > 0)
    if version is Version.REPAIRED:
        refuted = repaired.positive_index(iteration, epsilon=epsilon).refutes
        witness.same_truth("Lemma 7 is refuted", refuted, False)


declare(
    check="lemma-7.positive/bandit",
    says="A bandit on which PTUM neither stops nor has a positive index",
    instance=bandit(),
    evaluate=partial(positive_index_evaluation, version=Version.PRINTED),
    fix="Δ = 0.011, so that 8Δ = 0.088 is below the gap of 0.09",
    fixed=bandit(Fraction(11, 1000)),
    broken={
        "transfer mode: Δ against its threshold": bandit(Fraction(14, 1000)),
        NO_STOP: replace(bandit(), epsilon=Fraction(3, 2)),
    },
    repaired=partial(positive_index_evaluation, version=Version.REPAIRED),
    in_scope=bandit(Fraction(28, 10_000)),
    numbers=lambda instance: (
        ("γ", instance.models[0].gamma),
        ("ε", instance.epsilon),
        ("Δ", instance.Delta),
        (
            "deterministic rewards of the three arms, model by model",
            tuple(m.r[0] for m in instance.models),
        ),
    ),
)


# Lemma 9 with Assumption 1 as printed (erratum E02): no error anywhere, and nine times ε lost.
#
# States x and y, two actions, deterministic rewards, γ = 0.9. In x everything pays 0.5. In y the
# target pays (0.5, 0.41), the rival (0.2, 0.5). In the approximate models every pair leads to x; in
# truth action 1 in y stays in y with some probability. All optimal approximate values are 5 in both
# states, so (p - p̃)ᵀṼ* and all deviations vanish: Assumption 1 sees no error. The rival's policy
# loses 0.09 in the approximate target, once; in truth it may lose that in every step.

GAMMA = Fraction(9, 10)
TARGET, RIVAL = 0, 1


@dataclass(frozen=True)
class ApproximateTasks:
    """True and approximate tasks, the accuracy, and the Δ that the agent is told."""

    true: tuple[ExactMDP, ...]
    approximate: tuple[ExactMDP, ...]
    epsilon: Fraction
    Delta: Fraction


ValuesOf = Callable[[ApproximateTasks, ExactMDP], list[Vector]]


def staying(
    stays: Fraction = Fraction(1),
    epsilon: Fraction = Fraction(1, 10),
    Delta: Fraction = Fraction(0),
    target_second: Fraction = Fraction(41, 100),
) -> ApproximateTasks:
    """The instance; `stays` is the true probability that (y,1) stays in y."""
    half = Fraction(1, 2)
    in_y = ((half, target_second), (Fraction(1, 5), half))
    rewards = [((half, half), row) for row in in_y]
    return ApproximateTasks(
        true=tuple(mdp.deterministic(_moves(stays), r, GAMMA) for r in rewards),
        approximate=tuple(mdp.deterministic(_moves(Fraction(0)), r, GAMMA) for r in rewards),
        epsilon=epsilon,
        Delta=Delta,
    )


def in_scope() -> ApproximateTasks:
    """(y,1) stays in y once in 1200 times; Δ = 0.00025 covers what that does to any policy."""
    return staying(stays=Fraction(1, 1200), Delta=Fraction(1, 4000))


def correctness_evaluation(instance: ApproximateTasks, version: Version) -> Evaluation:
    """Lemma 9 in the first iteration, when both models are active (so E holds for sure).

    The one policy that line 14 accepts is returned; its loss is taken in the true target.
    """
    gamma = instance.true[TARGET].gamma
    slack = mdp.stopping_slack(instance.epsilon, instance.Delta, gamma)
    losses = [
        max(mdp.loss(model, mdp.optimal_policy(theta)) for model in instance.approximate)
        for theta in instance.approximate
    ]
    accepted = [theta for theta, loss in enumerate(losses) if loss <= slack]
    returned = instance.approximate[accepted[0] if accepted else TARGET]
    return Evaluation(
        premises=(
            *errors(instance, version),
            formulas.transfer_mode(instance.Delta, instance.epsilon, gamma, Version.PRINTED),
            Statement("policies that line 14 accepts", len(accepted), "≥", 1),
        ),
        conclusion=Statement(
            "true loss of the returned policy against ε",
            mdp.loss(instance.true[TARGET], mdp.optimal_policy(returned)),
            "≤",
            instance.epsilon,
            *formulas.slack(instance.epsilon, instance.Delta, gamma),
        ),
    )


def errors(instance: ApproximateTasks, version: Version) -> tuple[Statement, ...]:
    """Assumption 1, line by line, with one Δ in all of them.

    Deviations of rewards vanish in truth and in the models; for the values it is said that even
    the variances agree, whichever of Ṽ* and V* the true one is taken of.
    """
    Delta = instance.Delta
    lines = (
        Statement("|r - r̃|", _reward_error(instance), "≤", Delta),
        Statement("|(p - p̃)ᵀṼ*|", _transition_error(instance, optimal_values), "≤", Delta),
        Statement("largest variance of Ṽ* or V*", _largest_variance(instance), "=", 0),
    )
    if version is Version.PRINTED:
        return lines
    of_policies = _transition_error(instance, transferred_values)
    return (*lines, Statement("|(p - p̃)ᵀṼ_θ'^{π̃*_θ}|", of_policies, "≤", Delta))


def optimal_values(instance: ApproximateTasks, _: ExactMDP) -> list[Vector]:
    """Ṽ*_θ' of all models."""
    return [mdp.optimal_value(theta) for theta in instance.approximate]


def transferred_values(instance: ApproximateTasks, approximate: ExactMDP) -> list[Vector]:
    """The values in one model of every model's policy."""
    policies = [mdp.optimal_policy(theta) for theta in instance.approximate]
    return [mdp.policy_value(approximate, pi) for pi in policies]


def _reward_error(instance: ApproximateTasks) -> Fraction:
    return max(
        abs(x - y)
        for true, approximate in zip(instance.true, instance.approximate, strict=True)
        for row, other in zip(true.r, approximate.r, strict=True)
        for x, y in zip(row, other, strict=True)
    )


def _transition_error(instance: ApproximateTasks, values: ValuesOf) -> Fraction:
    return max(
        abs(mdp.inner(row, V) - mdp.inner(other, V))
        for true, approximate in zip(instance.true, instance.approximate, strict=True)
        for V in values(instance, approximate)
        for rows, others in zip(true.p, approximate.p, strict=True)
        for row, other in zip(rows, others, strict=True)
    )


def _largest_variance(instance: ApproximateTasks) -> Fraction:
    """Under true or approximate transitions, of any optimal value of either kind."""
    every = (*instance.true, *instance.approximate)
    return max(
        mdp.variance(row, mdp.optimal_value(theta))
        for theta in every
        for model in every
        for rows in model.p
        for row in rows
    )


def _moves(stays: Fraction) -> list[list[list[Fraction]]]:
    """Every pair leads to x, but (y,1) stays in y with the given probability."""
    to_x = [Fraction(1), Fraction(0)]
    return [[to_x, to_x], [to_x, [1 - stays, stays]]]


def numbers(case: ApproximateTasks) -> Numbers:
    """True and approximate tasks; states x, y and actions 0, 1."""
    names = ("the true target", "the true rival"), ("the target's model", "the rival's model")
    return (
        *tasks(zip(names[0], case.true, strict=True), "both true tasks"),
        *tasks(zip(names[1], case.approximate, strict=True), "both models"),
        ("γ", GAMMA),
        ("ε", case.epsilon),
        ("Δ", case.Delta),
    )


def misjudged() -> ApproximateTasks:
    """A true target that pays 0.6 where its model pays 0.5."""
    case = staying()
    row = (Fraction(3, 5), Fraction(1, 2))
    target = replace(case.true[TARGET], r=(row, case.true[TARGET].r[1]))
    return replace(case, true=(target, *case.true[1:]))


UNEVEN = staying(target_second=Fraction(51, 100))
"""Action 1 is best in y, so that x and y differ in value."""
HALF_UNEVEN = staying(stays=Fraction(1, 2), target_second=Fraction(51, 100))
"""The same where (y,1) stays half of the time, so that the next value varies."""

declare(
    check="lemma-9.optimal/staying",
    says="All errors of Assumption 1 vanish, and the returned policy loses 9ε",
    instance=staying(),
    evaluate=partial(correctness_evaluation, version=Version.PRINTED),
    fix="(y,1) leads to x in truth as well",
    fixed=staying(stays=Fraction(0)),
    broken={
        "|r - r̃|": misjudged(),
        "|(p - p̃)ᵀṼ*|": UNEVEN,
        "largest variance of Ṽ* or V*": HALF_UNEVEN,
        "transfer mode: Δ against its threshold": staying(Delta=Fraction(1, 500)),
        "policies that line 14 accepts": staying(epsilon=Fraction(1, 20)),
    },
    repaired=partial(correctness_evaluation, version=Version.REPAIRED),
    in_scope=in_scope(),
    numbers=numbers,
)


# The queried pair within a phase, when ties may be broken in any way (erratum E10).
#
# One state, three arms; the target pays (1,0,0) and the rival (0,1,1), so all arms are tied. The
# rule "least sampled first" is as good an argmax as any other and changes the arm in every
# iteration.

EPSILON, DELTA, BUDGET = 0.5, 0.1, 1000
ONE, NEARLY_ONE = Fraction(1), Fraction(9, 10)

Choice = Callable[[Floats, Ints], tuple[int, int]]
"""Line 18: from the index and the counts to a pair."""


def ties_arms(rival_second: Fraction = ONE) -> tuple[ExactMDP, ...]:
    """γ = 0, deterministic rewards; a smaller second arm of the rival unties the arms."""
    zero = Fraction(0)
    return deterministic_runs.arms(zero, (ONE, zero, zero), (zero, rival_second, rival_second))


def tied_arms(rival_second: Fraction = ONE) -> TaskSet:
    """The same for the literal code."""
    return exactly_known("tied arms", tuple(map(mdp.rounded, ties_arms(rival_second))))


def least_sampled(I_t: Floats, N: Ints) -> tuple[int, int]:
    """A largest index, and among those the pair with the fewest samples."""
    s, a = min(np.argwhere(I_t == I_t.max()).tolist(), key=lambda pair: int(N[tuple(pair)]))
    return s, a


def first_of_tied(I_t: Floats, N: Ints) -> tuple[int, int]:
    """The repair: a fixed order of the pairs."""
    del N  # the counts change within a phase
    return query(I_t)


def round_robin(I_t: Floats, N: Ints) -> tuple[int, int]:
    """The pair with the fewest samples, whatever its index: not a rule for ties at all."""
    return least_sampled(np.zeros_like(I_t), N)


def ties_evaluation(task_set: TaskSet, choose: Choice, apart: int = 1) -> Evaluation:
    """Two iterations of Algorithm 1 with a rule for ties: equal active sets imply equal pairs.

    They are the first and one that comes so many later.
    """
    models = task_set.approximate
    simulator, data = Simulator(task_set.true[0], seed=0), empty_data(models.S, models.A)
    seen = []
    for _ in range(1 + apart):
        active, N = _active(data, models)
        stops = stopping_models(active, models, EPSILON, 0.0)
        I_t = index(active, models, 0.0)
        pair = choose(I_t, N)
        seen.append((active, pair, I_t[pair] == I_t.max(), stops))
        data.store(*pair, *simulator.sample(*pair))
    both = seen[0], seen[-1]
    (first_active, first, _, _), (second_active, second, _, _) = both
    A = models.A
    return Evaluation(
        premises=(
            Statement("neither iteration stops", any(p[3] for p in both), "=", False),
            Statement("equal active sets", first_active == second_active, "=", True),
            Statement("both pairs have the largest index", all(p[2] for p in both), "=", True),
        ),
        conclusion=Statement(
            "number of the pair in the one iteration and in the other",
            first[0] * A + first[1],
            "=",
            second[0] * A + second[1],
        ),
    )


def _active(data: Data, models: ApproximateModels) -> tuple[tuple[int, ...], Ints]:
    hat = empirical_model(data, models.V_star)
    C = widths(hat, single(0.0), models.gamma, BUDGET, models.k, DELTA)
    active, _ = confidence_set(tuple(range(models.k)), hat, C, models)
    return active, hat.N


@dataclass(frozen=True)
class TwoIterations:
    """What the rival pays at arms 1 and 2, the rule for ties, how far the two are apart."""

    rival_second: Fraction = ONE
    choose: Choice = least_sampled
    apart: int = 1


def evaluated(case: TwoIterations) -> Evaluation:
    """The claim about two iterations."""
    return ties_evaluation(tied_arms(case.rival_second), case.choose, case.apart)


def in_a_fixed_order(case: TwoIterations) -> Evaluation:
    """The same with the repaired rule."""
    return evaluated(replace(case, choose=first_of_tied))


RULES: dict[Choice, str] = {
    least_sampled: "the one with the fewest samples",
    first_of_tied: "the first",
}


def _ties_numbers(case: TwoIterations) -> Numbers:
    named = zip(("the target", "the rival"), ties_arms(case.rival_second), strict=True)
    return (
        ("γ", Fraction(0)),
        ("ε, δ, Δ, n", (written(EPSILON), written(DELTA), 0, BUDGET)),
        *shown.tasks(named),
        ("rule", f"of the arms with the largest index, {RULES[case.choose]}"),
        ("iterations", (1, 1 + case.apart)),
    )


declare(
    check="text-pair-constant-in-phase.constant/least-sampled",
    says="Tied arms and the rule 'least sampled first': the arm changes in iteration 2",
    instance=TwoIterations(),
    evaluate=evaluated,
    numbers=_ties_numbers,
    fix="the rival pays 0.9 at arms 1 and 2, so that arm 0 alone has the largest index",
    fixed=TwoIterations(NEARLY_ONE),
    broken={
        "neither iteration stops": TwoIterations(Fraction(1, 10)),
        "equal active sets": TwoIterations(apart=200),
        "both pairs have the largest index": TwoIterations(NEARLY_ONE, round_robin),
    },
    repaired=in_a_fixed_order,
    in_scope=TwoIterations(NEARLY_ONE, first_of_tied, apart=20),
)
