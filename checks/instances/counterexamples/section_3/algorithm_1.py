"""Against Assumption 1 and what Algorithm 1 ensures (errata E02, E15, E17)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import compared, written
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.appendix_b.correctness import (
    GAMMA,
    TARGET,
    ApproximateTasks,
)
from ptum.checks.instances.counterexamples.catalogue import declare
from ptum.checks.instances.counterexamples.section_3.theorem_1 import bernoulli_arms
from ptum.checks.instances.counterexamples.shared import deterministic_runs, two_outcomes
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.instances.counterexamples.shared.two_outcomes import EliminationConstants
from ptum.checks.verdicts import formulas, proof_bounds
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import bernoulli_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.ptum import PtumResult, ptum
from ptum.spec.vocabulary import Version

# The four bounds of Assumption 1 do not make its models MDPs (E17, withdrawn: the paper says so).
#
# One state that pays 1, γ = 9/10, so V = 10. The "model" pays 1 too and returns with "probability"
# 101/100. Its value is 1/(1 - 0.909) = 10.99, beyond 1/(1-γ), while no error exceeds 0.12.


@dataclass(frozen=True)
class Loop:
    """One state, one action, deterministic rewards: what the model pays, its return weight."""

    gamma: Fraction
    weight: Fraction
    Delta: Fraction
    reward: Fraction = Fraction(1)

    @property
    def value(self) -> Fraction:
        """Ṽ = r̃ + γ w Ṽ."""
        return self.reward / (1 - self.gamma * self.weight)


def not_an_mdp_instance(weight: Fraction = Fraction(101, 100)) -> Loop:
    """The weight of an MDP would be 1."""
    return Loop(Fraction(9, 10), weight, Delta=Fraction(12, 100))


def premises(loop: Loop) -> tuple[Statement, ...]:
    """The four errors of Assumption 1; the deviation of Ṽ under the weight w is √w |1-w| Ṽ."""
    error = (1 - loop.weight) * loop.value
    return (
        Statement("γ w, for the value to exist", loop.gamma * loop.weight, "<", 1),
        Statement(
            "reward error",
            abs(1 - loop.reward),
            "≤",
            loop.Delta,
            formulas.TRANSFER + "ASSUMPTION_1_R",
            (("r", 1), ("r_tilde", loop.reward)),
        ),
        Statement(
            "error of (p - p̃)Ṽ",
            abs(error),
            "≤",
            loop.Delta,
            formulas.TRANSFER + "ASSUMPTION_1_P",
            (("p", 1), ("p_tilde", loop.weight), ("V_tilde", loop.value)),
        ),
        Statement(
            "squared errors of the deviations, that of the reward being 0",
            max(Fraction(0), loop.weight * error**2),
            "≤",
            loop.Delta**2,
        ),
    )


def in_range(loop: Loop) -> Evaluation:
    """Ṽ ≤ 1/(1-γ), from the four errors alone."""
    return Evaluation(
        premises=premises(loop),
        conclusion=Statement(
            "Ṽ against 1/(1-γ)",
            loop.value,
            "≤",
            proof_bounds.value_range(loop.gamma),
            formulas.TRANSFER + "VALUE_RANGE",
            (("gamma", loop.gamma),),
        ),
    )


def not_an_mdp_evaluation(loop: Loop) -> Evaluation:
    """Four errors within Δ, and a value that no MDP has: so it must be said that it is one."""
    conclusion = in_range(loop).conclusion
    return Evaluation(premises(loop), replace(conclusion, sign=">"))


declare(
    part_of=("assumption-1.models-are-mdps/not-implied",),
    instance=not_an_mdp_instance(),
    evaluate=in_range,
    fix="p̃ = 1, a probability",
    fixed=not_an_mdp_instance(Fraction(1)),
    numbers=lambda loop: (
        ("γ", loop.gamma),
        ("Δ", loop.Delta),
        ("r of the task, rows s, columns a", ((1,),)),
        ("p of the task, [s] rows a, columns s'", (((1,),),)),
        ("r of its model, rows s, columns a", ((loop.reward,),)),
        ("p of its model, [s] rows a, columns s'", (((loop.weight,),),)),
    ),
    broken={
        "γ w, for the value to exist": not_an_mdp_instance(Fraction(12, 10)),
        "reward error": replace(not_an_mdp_instance(), reward=Fraction(1, 2)),
        "error of (p - p̃)Ṽ": not_an_mdp_instance(Fraction(102, 100)),
        "squared errors of the deviations, that of the reward being 0": not_an_mdp_instance(
            Fraction(102, 100)
        ),
    },
)


# Theorem 1, first half (erratum E02): a run whose output is not ε-optimal, with certainty.
#
# The instance is that of Lemma 9 (`correctness.staying`): none of the errors of Assumption 1 sees
# that action 1 stays in y. The run stops in iteration 1 with the rival's policy, which takes that
# action in y and stays there for ever.

DELTA, N_BUDGET = 0.1, 100
wrong_policy_instance = correctness.staying


def wrong_policy_evaluation(case: ApproximateTasks, version: Version) -> Evaluation:
    """Premises of Theorem 1 under the printed or the repaired Assumption 1, and its first half."""
    result = outcome(case)
    policy = () if result.policy is None else tuple(result.policy.tolist())
    return Evaluation(
        premises=(
            *correctness.errors(case, version),
            formulas.transfer_mode(case.Delta, case.epsilon, GAMMA, Version.PRINTED),
            Statement("queries before the run stops", result.queries, "=", 0),
            Statement("a policy is returned", bool(policy), "=", True),
        ),
        conclusion=Statement(
            "loss of the returned policy in the target",
            mdp.loss(case.true[TARGET], policy) if policy else Fraction(0),
            "≤",
            case.epsilon,
            *formulas.slack(case.epsilon, case.Delta, GAMMA),
        ),
    )


def outcome(case: ApproximateTasks) -> PtumResult:
    """The literal algorithm on the true target; without queries there is no chance in it."""
    return ptum(
        approximate_models([mdp.rounded(model) for model in case.approximate]),
        Simulator(mdp.rounded(case.true[TARGET]), seed=0),
        epsilon=float(case.epsilon),
        delta=DELTA,
        n=N_BUDGET,
        Delta=single(float(case.Delta)),
    )


declare(
    check="theorem-1.correct/wrong-policy",
    says="A run that meets every premise and returns a policy that loses 9ε",
    also={
        "algorithm-1.ensures/wrong-policy": "A run that stops in iteration 1 and loses 9ε",
        "text-pac.implied/wrong-policy": "The output is ε-optimal under the premises of Theorem 1",
    },
    instance=wrong_policy_instance(),
    evaluate=partial(wrong_policy_evaluation, version=Version.PRINTED),
    numbers=lambda case: (*correctness.numbers(case), ("δ, n", (written(DELTA), N_BUDGET))),
    fix="(y,1) leads to x in truth as well",
    fixed=wrong_policy_instance(stays=Fraction(0)),
    broken={
        "|r - r̃|": correctness.misjudged(),
        "|(p - p̃)ᵀṼ*|": correctness.UNEVEN,
        "largest variance of Ṽ* or V*": correctness.HALF_UNEVEN,
        "transfer mode: Δ against its threshold": replace(
            wrong_policy_instance(), Delta=Fraction(1, 500)
        ),
        "queries before the run stops": wrong_policy_instance(epsilon=Fraction(8, 100)),
        "a policy is returned": replace(wrong_policy_instance(), Delta=Fraction(1, 500)),
    },
    repaired=partial(wrong_policy_evaluation, version=Version.REPAIRED),
    in_scope=correctness.in_scope(),
)


# The ENSURE line with δ for each of two phases (erratum E15), models exact and nothing else wrong.
#
# One state, two Bernoulli arms, γ = 0, ε = 0.04, δ = 1/10. The target pays (0.4, 0.45), the rival
# (0.5, 0.45); line 18 takes arm 0. Within n = 45 iterations nothing but ones, 40 of them, drops a
# model, and it is the target that they drop, whose gap to 1 is larger. So the transfer phase never
# stops rightly, and wrongly with probability 0.4^40.
#
# The fallback samples every pair and plans, so well that it fails with probability at most 10⁻³⁰ on
# any task, and with probability x it then returns the worst policy instead of the best. With
# x + (1-x)10⁻³⁰ = δ it is an (ε,δ)-PAC algorithm, and here it fails with probability at least
# x(1 - 10⁻³⁰). Together that is more than δ: by about 10⁻¹⁶, which is all that such loose widths
# allow, but more.

RARE = Fraction(1, 10**30)
Fallback = Callable[[Fraction], tuple[Fraction, Fraction]]
"""From δ to the least and the largest probability with which a fallback fails."""


def treacherous(delta: Fraction) -> tuple[Fraction, Fraction]:
    """Least and largest failure probability of the fallback that uses up its δ."""
    x = (delta - RARE) / (1 - RARE)
    return x * (1 - RARE), x + (1 - x) * RARE


def reckless(delta: Fraction) -> tuple[Fraction, Fraction]:
    """The same of a fallback that fails twice as often as it may."""
    return 2 * delta, 2 * delta


@dataclass(frozen=True)
class TargetAndRival:
    """Means of arm 0 in target and rival, of arm 1 in both, and the inputs of the run.

    `other_in_rival` gives arm 1 a mean of its own in the rival. With a few iterations
    less no model can be eliminated at all.
    """

    target: Fraction = Fraction(2, 5)
    rival: Fraction = Fraction(1, 2)
    other: Fraction = Fraction(9, 20)
    epsilon: Fraction = Fraction(1, 25)
    delta: Fraction = Fraction(1, 10)
    n: int = 45
    other_in_rival: Fraction | None = None
    fallback: Fallback = treacherous


@dataclass(frozen=True)
class PhaseEnds:
    """Exact probabilities of how the transfer phase ends: with which policy, or with none."""

    rightly: Fraction
    wrongly: Fraction
    fallback: Fraction


def models_of(arms: TargetAndRival) -> ApproximateModels:
    """Number 0 is the target."""
    stay = np.ones((1, 2, 1))
    in_rival = arms.other if arms.other_in_rival is None else arms.other_in_rival
    rows = [[arms.target, arms.other], [arms.rival, in_rival]]
    return approximate_models(
        [bernoulli_rewards(stay, np.array([row], dtype=np.float64), 0.0) for row in rows]
    )


def exact_models(arms: TargetAndRival) -> tuple[ExactMDP, ...]:
    """The same in rational numbers."""
    in_rival = arms.other if arms.other_in_rival is None else arms.other_in_rival
    rows = ((arms.target, arms.other), (arms.rival, in_rival))
    return tuple(bernoulli_arms(row, Fraction(0)) for row in rows)


def failing(mean: Fraction, n: int, tests: EliminationConstants) -> frozenset[tuple[int, int]]:
    """The counts (N, ones) with N < n after which a model fails test (1) or (3) at arm 0."""
    counts = [(N, ones) for N in range(1, n) for ones in range(N + 1)]
    N, ones = np.array(counts).T
    failed = two_outcomes.fails(N, ones, mean, tests)
    return frozenset(pair for pair, fails in zip(counts, failed, strict=True) if fails)


def ends(arms: TargetAndRival, delta: Fraction) -> PhaseEnds:
    """All sequences of answers at arm 0, grouped by the number of ones.

    While both models are active arm 0 is queried; when one is eliminated, the other's policy
    is returned; when both are at once, or after n iterations, the fallback is called.
    """
    tests = two_outcomes.of_rewards(1, 2, arms.n, 2, delta)
    target, rival = (failing(mean, arms.n, tests) for mean in (arms.target, arms.rival))
    alive = {0: Fraction(1)}
    rightly = wrongly = Fraction(0)
    for N in range(1, arms.n):
        going_on: dict[int, Fraction] = {}
        for ones, probability in _one_more(alive, arms.target).items():
            target_fails, rival_fails = (N, ones) in target, (N, ones) in rival
            if target_fails and not rival_fails:
                wrongly += probability
            elif rival_fails and not target_fails:
                rightly += probability
            elif not target_fails:
                going_on[ones] = probability
        alive = going_on
    return PhaseEnds(rightly, wrongly, fallback=1 - rightly - wrongly)


def _one_more(alive: dict[int, Fraction], mean: Fraction) -> dict[int, Fraction]:
    after: dict[int, Fraction] = {}
    for ones, probability in alive.items():
        after[ones + 1] = after.get(ones + 1, Fraction(0)) + probability * mean
        after[ones] = after.get(ones, Fraction(0)) + probability * (1 - mean)
    return after


def two_phases_evaluation(arms: TargetAndRival, version: Version) -> Evaluation:
    """P(output not ε-optimal) ≤ δ, with δ (as printed) or δ/2 (repaired) for each phase.

    As printed the least failure probability counts, as repaired the largest.
    """
    printed = version is Version.PRINTED
    share = arms.delta if printed else arms.delta / 2
    least, largest = arms.fallback(share)
    found = ends(arms, share)
    failing = found.wrongly + found.fallback * (least if printed else largest)
    return Evaluation(
        premises=(*_premises(arms), Statement("the fallback is PAC", largest, "≤", share)),
        conclusion=Statement(
            f"P(not ε-optimal) - δ; wrong stops have probability {float(found.wrongly):.3g}, "
            f"right ones {float(found.rightly):.3g}",
            *compared(failing - arms.delta, "≤", 0),
        ),
    )


def _premises(arms: TargetAndRival) -> tuple[Statement, ...]:
    models, told = exact_models(arms), Algorithm1Inputs(arms.epsilon, arms.delta, arms.n)
    loss = arms.other - arms.target
    stops = deterministic_runs.stopping_models(models, (0, 1), told)
    _, queried = deterministic_runs.query(deterministic_runs.index(models, (0, 1), Fraction(0)))
    return (
        deterministic_runs.enters(told, Fraction(0)),
        Statement("policies that stop", len(stops), "=", 0),
        Statement("the queried arm", queried, "=", 0),
        Statement("loss of the rival's policy, the worst, in the target", loss, ">", arms.epsilon),
    )


declare(
    check="algorithm-1.ensures/both-phases",
    says="Exact models, both phases with δ: the failure probability exceeds δ, barely",
    instance=TargetAndRival(),
    evaluate=partial(two_phases_evaluation, version=Version.PRINTED),
    numbers=lambda arms: (
        ("γ", 0),
        ("ε, δ, Δ, n", (arms.epsilon, arms.delta, 0, arms.n)),
        ("Bernoulli arms of the target", (arms.target, arms.other)),
        ("Bernoulli arms of the rival", (arms.rival, arms.other)),
        ("the fallback plans rightly but for a probability of", RARE),
        ("and turns its policy round with probability", "(δ - 10⁻³⁰)/(1 - 10⁻³⁰)"),
    ),
    fix="n = 40, one sample too few to eliminate any model",
    fixed=TargetAndRival(n=40),
    broken={
        deterministic_runs.ENTERS: TargetAndRival(epsilon=Fraction(0)),
        "policies that stop": TargetAndRival(epsilon=Fraction(1, 10)),
        "the queried arm": TargetAndRival(other_in_rival=Fraction(1, 10)),
        "loss of the rival's policy, the worst, in the target": TargetAndRival(
            other=Fraction(42, 100)
        ),
        "the fallback is PAC": TargetAndRival(fallback=reckless),
    },
    repaired=partial(two_phases_evaluation, version=Version.REPAIRED),
    in_scope=TargetAndRival(n=60),
)
