"""Against Lemma 8, its proof and its use (errata E09, E21)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import compared, whole_part
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation
from ptum.checks.instances.counterexamples.appendix_b.correctness import (
    NO_STOP,
    ExactModels,
    goes_on,
)
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared.deterministic_runs import arms, leads_to, log_term
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.spec.vocabulary import Version

# Steps of Lemma 8's proof that fail (erratum E09): its display, and the half that it leaves out.
#
# *Display.* One arm pays 0.5 in the target, 0.2 and 0.8 in two rivals. The index is the information
# between the rivals, with gap 0.6. The display takes the models farthest from and closest to the
# target; the closest is the target, and the gap is 0.3.
#
# *Transitions.* From s0 every action leads to x or y; x, y, z are absorbing; γ = 1/2. The best
# action in z differs between models, so no policy is good enough in all of them, and the index is
# largest at s0. Copying the half about rewards fails twice: measured with the target's values,
# which are equal in x and y, all models look the same at s0; and a rival whose own values are equal
# in x and y passes every test with them, whatever the data, so that a run queries s0 until its
# budget ends.

S0, X, Y, Z = range(4)
ONE, HALF = Fraction(1), Fraction(1, 2)
LEMMA_4 = 32
LEMMA_8 = 128
DELTA, BUDGET, EPSILON = Fraction(1, 10), 10_000, Fraction(1, 10)


def own_values_premises(case: ExactModels | Situation) -> tuple[Statement, ...]:
    """Algorithm 1 queries: it is in transfer mode, and no policy is good enough everywhere."""
    gamma = case.models[0].gamma
    entered = formulas.transfer_mode(case.Delta, case.epsilon, gamma, Version.PRINTED)
    return entered, goes_on(case)


# The display


def one_arm(*rewards: int, other: int = 4) -> Situation:
    """Rewards of arm 0, in tenths, model by model; arm 1 pays `other` tenths in all of them."""
    paid = ((Fraction(r, 10), Fraction(other, 10)) for r in rewards)
    return Situation(arms(Fraction(0), *paid), EPSILON)


def from_target(case: Situation) -> list[Fraction]:
    """Gaps of all models from the target at arm 0."""
    return [abs(theta.r[0][0] - case.models[0].r[0][0]) for theta in case.models]


def display_evaluation(case: Situation) -> Evaluation:
    """The index is the information between the models farthest from and closest to the target."""
    gaps = from_target(case)
    farthest, closest = (case.models[gaps.index(end)] for end in (max(gaps), min(gaps)))
    shown = abs(farthest.r[0][0] - closest.r[0][0]) - 8 * case.Delta
    return Evaluation(
        own_values_premises(case),
        Statement(
            "index of arm 0 against the display",
            mdp.largest_index(case.models, case.Delta),
            "=",
            shown,
        ),
    )


def triangle_evaluation(case: Situation, factor: int = 4) -> Evaluation:
    """The index is at most four times the linear term of the farthest gap G: 4(G - 4Δ)."""
    return Evaluation(
        own_values_premises(case),
        Statement(
            "index of arm 0 against 4(G - 4Δ)",
            mdp.largest_index(case.models, case.Delta),
            "≤",
            factor * (max(from_target(case)) - 4 * case.Delta),
        ),
    )


# Transitions


def absorbing(to_x: int, in_x: int, in_y: int, in_z: tuple[int, int]) -> ExactMDP:
    """All in tenths: probability of x from s0, rewards in x and y, rewards of both actions in z."""
    to = [leads_to(s, 4) for s in range(4)]
    to[S0] = [Fraction(0), Fraction(to_x, 10), 1 - Fraction(to_x, 10), Fraction(0)]
    rewards = [(5, 5), (in_x, in_x), (in_y, in_y), in_z]
    r = [[Fraction(x, 10) for x in row] for row in rewards]
    return mdp.deterministic([[row, row] for row in to], r, HALF)


def information_at_s0(case: Situation) -> Fraction:
    """The index of s0."""
    pairs = ((theta, other) for theta in case.models for other in case.models)
    return max(mdp.information(*pair, S0, 0, case.Delta) for pair in pairs)


def queries_s0(case: Situation) -> Statement:
    """The index elsewhere is smaller, so that s0 is queried."""
    elsewhere = max(
        mdp.information(theta, other, s, a, case.Delta)
        for theta in case.models
        for other in case.models
        for s in (X, Y, Z)
        for a in range(theta.A)
    )
    return Statement("index elsewhere against that of s0", elsewhere, "<", information_at_s0(case))


def seen_by(values: tuple[Fraction, ...], theta: ExactMDP, other: ExactMDP) -> Fraction:
    """|(p_θ - p_θ')ᵀ V| at s0."""
    return abs(mdp.inner(theta.p[S0][0], values) - mdp.inner(other.p[S0][0], values))


def silent_target(in_y: int = 5) -> Situation:
    """A target whose values are equal in x and y, and two rivals that differ by 0.8 at s0."""
    rivals = (absorbing(9, 10, 0, (4, 6)), absorbing(1, 10, 0, (6, 4)))
    return Situation((absorbing(5, 10 - in_y, in_y, (6, 4)), *rivals), EPSILON)


def same_steps_evaluation(case: Situation, measured_with: int) -> Evaluation:
    """The index is at most 4 min{((G-4Δ)/σ)², (1-γ)(G-4Δ)}, G the farthest gap from the target.

    G is measured with the value of the model of that number; σ is the deviation of the first model
    of the pair that attains the index, which is model 1.
    """
    values = mdp.optimal_value(case.models[measured_with])
    G = max(seen_by(values, theta, case.models[0]) for theta in case.models) - 4 * case.Delta
    first = case.models[1]
    square = mdp.variance(first.p[S0][0], mdp.optimal_value(first))
    attained = mdp.information(first, case.models[2], S0, 0, case.Delta)
    return Evaluation(
        (
            *own_values_premises(case),
            queries_s0(case),
            Statement("models 1 and 2 attain it", attained, "=", information_at_s0(case)),
        ),
        Statement(
            "index of s0 against four times what the farthest model gives",
            attained,
            "≤",
            4 * min(G**2 / square, (1 - case.gamma) * G),
        ),
    )


def silent_rival(to_x: int = 9, in_x: int = 5, in_y: int = 5) -> Situation:
    """A rival whose own values are equal in x and y."""
    models = absorbing(1, 10, 0, (6, 4)), absorbing(to_x, in_x, in_y, (4, 6))
    return Situation(models, EPSILON)


def fewest_samples(case: Situation, tested: tuple[int, ...]) -> Fraction | None:
    """Lemma 4 in units of L: samples of s0 after which a test with one of these values fails.

    None if no such test can fail: the two possible next states have the same value in all of them,
    so both models agree with all data, and rewards at s0 are deterministic and equal.
    """
    target, rival = case.models
    counts = []
    for theta_prime in tested:
        values = mdp.optimal_value(case.models[theta_prime])
        x = seen_by(values, target, rival) - 4 * case.Delta
        if x > 0:
            square = min(mdp.variance(theta.p[S0][0], values) for theta in case.models)
            counts.append(LEMMA_4 * max(square / x**2, 1 / ((1 - case.gamma) * x)))
    return min(counts, default=None)


def own_values_evaluation(
    case: Situation, tested: tuple[int, ...] = (1,), n: int = BUDGET
) -> Evaluation:
    """On E, N_t(s0) < 128L/I_t(s0) in iteration n, the rival being tested with these values."""
    L = log_term(4, 2, n, len(case.models), DELTA)
    fewest = fewest_samples(case, tested)
    asked = n - 1 if fewest is None else min(n - 1, whole_part(fewest * L))
    return Evaluation(
        (*own_values_premises(case), queries_s0(case)),
        Statement(
            f"samples of s0 before iteration {n}, at most, against 128L/I",
            *compared(asked, "<", LEMMA_8 * L / information_at_s0(case)),
            formulas.APPENDIX_B + "FUNDAMENTAL_REPAIRED",  # the whole index, as in the proof
            (
                *(("S", 4), ("A", 2), ("k", len(case.models)), ("n", n), ("delta", DELTA)),
                ("info", information_at_s0(case)),
            ),
        ),
    )


def _numbers(case: Situation) -> Numbers:
    rivals = [f"rival {number}" for number in range(1, len(case.models))]
    return (
        *tasks(zip(("the target", *rivals), case.models, strict=True)),
        ("γ", case.gamma),
        ("ε", case.epsilon),
        ("Δ", case.Delta),
    )


_MODE = "transfer mode: Δ against its threshold"
_AT_S0 = "index elsewhere against that of s0"

declare(
    check="lemma-8.display/three-rewards",
    says="One arm that pays 0.5 in the target, 0.2 and 0.8 in two rivals",
    instance=one_arm(5, 2, 8),
    evaluate=display_evaluation,
    numbers=_numbers,
    fix="a target that pays 0.2, at the edge of the three rewards",
    fixed=one_arm(2, 5, 8),
    broken={
        _MODE: replace(one_arm(5, 2, 8), Delta=Fraction(1, 40)),
        NO_STOP: replace(one_arm(5, 2, 8), epsilon=Fraction(1, 2)),
    },
    repaired=triangle_evaluation,
    in_scope=one_arm(6, 3, 9, 7, other=5),
)
declare(
    check="lemma-8.same-steps/silent-target",
    says="All models look the same through the target's values, and the index is 0.8",
    instance=silent_target(),
    evaluate=partial(same_steps_evaluation, measured_with=0),
    fix="a target that pays 1 in x and 0 in y, as the rivals do",
    fixed=silent_target(0),
    broken={
        _MODE: replace(silent_target(), Delta=Fraction(1, 100)),
        NO_STOP: replace(silent_target(), epsilon=HALF),
        _AT_S0: Situation(
            (absorbing(5, 5, 5, (6, 4)), absorbing(6, 10, 0, (4, 6)), absorbing(5, 10, 0, (6, 4))),
            EPSILON,
        ),
        "models 1 and 2 attain it": Situation(
            (
                absorbing(5, 5, 5, (6, 4)),
                absorbing(9, 10, 0, (4, 6)),
                absorbing(9, 10, 0, (6, 4)),
                absorbing(1, 10, 0, (6, 4)),
            ),
            EPSILON,
        ),
    },
    repaired=partial(same_steps_evaluation, measured_with=1),
    in_scope=silent_target(4),
    numbers=_numbers,
)
declare(
    check="lemma-8.same-steps/own-values",
    says="A rival that its own values never contradict",
    instance=silent_rival(),
    evaluate=own_values_evaluation,
    numbers=lambda case: (*_numbers(case), ("δ", DELTA), ("budget n", BUDGET)),
    fix="a rival that pays 0.9 in x and 0.1 in y, so that its own values tell them apart",
    fixed=silent_rival(in_x=9, in_y=1),
    broken={
        _MODE: replace(silent_rival(), Delta=Fraction(1, 100)),
        NO_STOP: replace(silent_rival(), epsilon=HALF),
        _AT_S0: silent_rival(to_x=2),
    },
    repaired=lambda case: own_values_evaluation(case, (0, 1)),
    in_scope=silent_rival(to_x=8),
)


# What Lemma 8 is said to show (erratum E21): its bound is no multiple of what elimination needs.
#
# One state, two arms with deterministic rewards; target and rival swap them, and the gap is 8Δ + x.
# Lemma 4 eliminates the rival after 32L/(4Δ + x) samples of an arm, Lemma 8 allows 128L/x. Their
# quotient is 4 + 16Δ/x: for any constant there is an x for which it is larger.


@dataclass(frozen=True)
class Barely:
    """The bandit in which the index is x, and the constant that somebody claims."""

    constant: Fraction
    x: Fraction
    Delta: Fraction = Fraction(12, 1000)
    epsilon: Fraction = Fraction(1)


def against(constant: int) -> Barely:
    """The bandit with 16Δ/x equal to a claimed constant."""
    claimed = Fraction(constant)
    return Barely(claimed, 16 * Fraction(12, 1000) / claimed)


def models(barely: Barely) -> ExactModels:
    """γ = 0.9; arms that pay 1/2 and 1/2 + gap, and the same swapped."""
    half, gap = Fraction(1, 2), 8 * barely.Delta + barely.x
    swapped = arms(Fraction(9, 10), (half + gap, half), (half, half + gap))
    return ExactModels(swapped, barely.epsilon, barely.Delta)


def fewest_to_eliminate(instance: ExactModels) -> Fraction:
    """min over pairs of 32/(gap - 4Δ): Lemma 4 without deviations, in units of L."""
    target, rival = instance.models
    gaps = [abs(r - q) for r, q in zip(target.r[0], rival.r[0], strict=True)]
    return LEMMA_4 / (max(gaps) - 4 * instance.Delta)


def evaluation(barely: Barely) -> Evaluation:
    """The bound of Lemma 8 is at most a constant times the least number that eliminates."""
    instance = models(barely)
    return Evaluation(
        premises=fundamental_premises(instance),
        conclusion=Statement(
            "bound of Lemma 8 against the claimed multiple of the least number",
            bound_of_lemma_8(instance),
            "≤",
            barely.constant * fewest_to_eliminate(instance),
        ),
    )


def upper_bound_evaluation(barely: Barely) -> Evaluation:
    """Repair: the bound of Lemma 8 is an upper bound of that number."""
    instance = models(barely)
    return Evaluation(
        premises=fundamental_premises(instance),
        conclusion=Statement(
            "least number against the bound of Lemma 8",
            fewest_to_eliminate(instance),
            "≤",
            bound_of_lemma_8(instance),
        ),
    )


def bound_of_lemma_8(instance: ExactModels) -> Fraction:
    """128 over the largest index, in units of L; a large number where there is none."""
    largest = mdp.largest_index(instance.models, instance.Delta)
    return LEMMA_8 / largest if largest > 0 else Fraction(10**12)


def fundamental_premises(instance: ExactModels) -> tuple[Statement, ...]:
    """PTUM is in transfer mode, does not stop, and has something to ask."""
    largest_index = mdp.largest_index(instance.models, instance.Delta)
    positive = Statement("some pair has a positive index", largest_index, ">", 0)
    return (*own_values_premises(instance), positive)


def numbers(barely: Barely) -> Numbers:
    """Both models, for a claimed constant; any other one has its own x."""
    instance = models(barely)
    return (
        *tasks(zip(("the target", "the rival"), instance.models, strict=True)),
        ("γ", instance.models[0].gamma),
        ("ε", instance.epsilon),
        ("Δ", instance.Delta),
        ("claimed constant", barely.constant),
        ("x = 16Δ/constant, by which the gap exceeds 8Δ", barely.x),
    )


CLAIMED = against(100)

declare(
    part_of=("text-fundamental-meaning.proportional/no-constant",),
    instance=CLAIMED,
    evaluate=evaluation,
    fix="x twice as large",
    fixed=replace(CLAIMED, x=2 * CLAIMED.x),
    broken={
        "transfer mode: Δ against its threshold": replace(CLAIMED, Delta=Fraction(14, 1000)),
        NO_STOP: replace(CLAIMED, epsilon=Fraction(2)),
        "some pair has a positive index": replace(CLAIMED, x=Fraction(0)),
    },
    repaired=upper_bound_evaluation,
    in_scope=against(1_000_000),
    numbers=numbers,
)
