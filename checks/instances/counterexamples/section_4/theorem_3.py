"""Against Theorem 3's rule and a constant in its place (errata E36, E58, E61, E63)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

import numpy as np

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix
from ptum.checks.exact.intervals import PI, Between, Real, compared, exceeds, log, root, shortened
from ptum.checks.exact.mass import binomial_probability
from ptum.checks.exact.numbers import Number
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.section_4.theorem_2 import coins, enough_by_hypothesis
from ptum.checks.instances.families.hmms import cycle, experiments_chain
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.attempts.names import stored, stored_as
from ptum.checks.verdicts.outcome import Evaluation, Formed, Statement, Values
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.repaired.sequential.analysis.sequential_bounds import (
    failure_probability,
    miss_probability,
)
from ptum.reference.repaired.sequential.analysis.sequential_bounds import (
    theorem_3_eliminates as repaired_rule,
)
from ptum.reference.repaired.sequential.analysis.spectral_bounds import next_task_bound
from ptum.reference.sequential.analysis.sequential_bounds import (
    theorem_3_eliminates,
    theorem_3_eta,
    theorem_3_prediction,
)

# Theorem 3's rule: with its own constants it cannot fire (errata E36, E58, E61).

EXACT_LEAST_RHO = 8 * root(2) * (1 + root(5))
"""ρ_T = 8SA√k(1+√5)ρ_4/σ_k(O)² ≥ 8√k(1+√5), k ≥ 2.

A column of O has length at most √(2SA), so σ_k(O)² ≤ 2SA; and ρ_4 ≥ 4SA/λ(Σ_31) ≥ 2.
"""
LEAST_RHO = float(EXACT_LEAST_RHO)


@stored_as("Step")
@dataclass(frozen=True)
class RuleUse:
    """One use of the rule: T̂_h, Θ̄_h and the numbers of Theorem 3."""

    T_hat: Floats
    theta_bar: tuple[int, ...]
    h: int
    m: int
    d: int
    delta: float
    delta_prime: float
    rho_T: float

    @property
    def k(self) -> int:
        """Number of tasks."""
        return len(self.T_hat)

    @property
    def numbers(self) -> dict[str, Any]:
        """What the rule is given beside T̂_h and Θ̄_h, by its names."""
        names = ("h", "m", "k", "d", "delta", "delta_prime", "rho_T")
        return {name: getattr(self, name) for name in names}


def premises(step: RuleUse) -> tuple[Statement, ...]:
    """What Theorem 3 asks for."""
    return (
        Statement("tasks", step.k, "≥", 2),
        Statement("least entry of T̂_h", float(step.T_hat.min()), "≥", 0),
        Statement("h against m", step.h, "≤", step.m),
        Statement("δ against δ'/(3m²)", step.delta, "≤", step.delta_prime / (3 * step.m**2)),
    )


def own_constant(step: RuleUse) -> Statement:
    """ρ_T is one of Lemma 12's constants, not a tuned one."""
    return Statement("ρ_T against the least constant of Lemma 12", step.rho_T, "≥", LEAST_RHO)


def dropped(step: RuleUse) -> int:
    """How many tasks the literal rule drops; none if it refuses δ."""
    if step.delta > step.delta_prime / (3 * step.m**2):
        return 0
    return int(np.sum(theorem_3_eliminates(step.T_hat, step.theta_bar, **step.numbers)))


def never_fires(step: RuleUse) -> Evaluation:
    """Nothing is dropped, so the true task is not dropped either."""
    return Evaluation(
        (*premises(step), own_constant(step)),
        Statement("tasks dropped", dropped(step), "=", 0, *rule_formula(step)),
    )


def near_firing(step: RuleUse) -> Statement:
    """η against the least prediction: the rule drops a task where they meet."""
    eta = theorem_3_eta(k=step.k, m=step.m, delta_prime=step.delta_prime)
    least = theorem_3_prediction(step.T_hat, step.theta_bar, **step.numbers).min()
    return Statement("η against the least prediction", eta, "<", float(least))


def rule_formula(step: RuleUse) -> Formed:
    """Theorem 3's rule with the numbers of a step; of T̂ the least likely next task."""
    values: Values = (
        *(("k", step.k), ("d", step.d), ("m", step.m), ("h", step.h), ("rho_T", step.rho_T)),
        *(("delta", step.delta), ("delta_prime", step.delta_prime)),
        ("eta", theorem_3_eta(k=step.k, m=step.m, delta_prime=step.delta_prime)),
    )
    if len(step.theta_bar) == 1:  # the sum over Θ̄_h is one entry
        values += (("T_hat", float(step.T_hat[:, step.theta_bar[0]].min())),)
    return formulas.SEQUENTIAL + "THEOREM_3_RULE", values


# One use of the rule, in rational numbers


@dataclass(frozen=True)
class ExactStep:
    """The same with rational numbers; ρ_T may be known between two of them."""

    T_hat: Matrix
    theta_bar: tuple[int, ...]
    h: int
    m: int
    d: int
    delta: Fraction
    delta_prime: Fraction
    rho_T: Real

    @property
    def k(self) -> int:
        """Number of tasks."""
        return len(self.T_hat)

    @property
    def eta(self) -> Fraction:
        """η = δ'/(3km²)."""
        return self.delta_prime / (3 * self.k * self.m**2)

    @property
    def rounded(self) -> RuleUse:
        """For the literal code."""
        T_hat = exact.as_floats(self.T_hat)
        chances = float(self.delta), float(self.delta_prime)
        return RuleUse(T_hat, self.theta_bar, self.h, self.m, self.d, *chances, float(self.rho_T))


def exact_premises(step: ExactStep) -> tuple[Statement, ...]:
    """What Theorem 3 asks for."""
    largest_delta = step.delta_prime / (3 * step.m**2)
    return (
        Statement("tasks", step.k, "≥", 2),
        Statement("least entry of T̂_h", min(map(min, step.T_hat)), "≥", 0),
        Statement("h against m", step.h, "≤", step.m),
        Statement("δ against δ'/(3m²)", step.delta, "≤", largest_delta),
    )


def exactly_dropped(step: ExactStep) -> int:
    """How many tasks the rule drops: Σ T̂ + δk + ρ_T k √(log(9kdm²/δ')/h) ≤ η.

    The literal code, which refuses a δ that is too large, is a second witness.
    """
    if step.delta > step.delta_prime / (3 * step.m**2):
        return 0
    inside = log(9 * step.k * step.d * step.m**2 / step.delta_prime) / step.h
    error = step.delta * step.k + step.rho_T * step.k * root(inside)
    sums = [sum((row[j] for j in step.theta_bar), Fraction(0)) for row in step.T_hat]
    found = sum(not exceeds(total + error, step.eta) for total in sums)
    if found != dropped(step.rounded):
        raise AssertionError(f"{found} dropped in rationals, {dropped(step.rounded)} in doubles")
    return found


def exactly_never_fires(step: ExactStep) -> Evaluation:
    """Nothing is dropped, so the true task is not dropped either."""
    own = compared(step.rho_T, "≥", Fraction(366, 10))  # below the least constant, 36.61…
    return Evaluation(
        (*exact_premises(step), Statement("ρ_T against 36.6, below Lemma 12's constants", *own)),
        Statement("tasks dropped", exactly_dropped(step), "=", 0, *rule_formula(step.rounded)),
    )


SPARSE = ExactStep(
    cycle(8), (0,), 400, 400, 3700, Fraction(1, 10**9), Fraction(1, 10), EXACT_LEAST_RHO
)
"""Eight tasks, each followed by the next for sure; current task and T known."""


def sparse() -> RuleUse:
    """The same in doubles."""
    return SPARSE.rounded


def discards(step: ExactStep) -> Evaluation:
    """With a sparse T the rule discards something."""
    zero = sum(all(row[j] == 0 for j in step.theta_bar) for row in step.T_hat)
    return Evaluation(
        (*exact_premises(step), Statement("tasks that cannot follow", zero, "≥", 1)),
        Statement(
            f"tasks dropped with ρ_T = {float(step.rho_T):.4g}",
            exactly_dropped(step),
            "≥",
            1,
            *rule_formula(step.rounded),
        ),
    )


PER_STEP = Fraction(3, 100)
"""η of the per-step rule: on the chain of the experiments the next task has 97/100."""


def per_step_discards(T: Matrix, eta: Fraction = PER_STEP) -> Evaluation:
    """The per-step rule with T known keeps one of the eight tasks; it drops a mass of at most η."""
    out = _least_likely(T, eta)
    mass = sum((T[theta][0] for theta in out), Fraction(0))
    return Evaluation(
        (Statement("mass of the dropped tasks", mass, "≤", eta),),
        Statement(
            "tasks dropped", len(out), "=", len(T) - 1, *per_step_formula(len(T) - 1, 0, eta)
        ),
    )


def _least_likely(T: Matrix, eta: Fraction) -> set[int]:
    """What the per-step rule drops after task 0: the least likely tasks while η has room.

    One task always stays. The literal rule is a second witness.
    """
    out: set[int] = set()
    room = eta
    for theta in sorted(range(len(T)), key=lambda theta: T[theta][0])[:-1]:
        room -= T[theta][0]
        if room < 0:
            break
        out.add(theta)
    literal = repaired_rule(exact.as_floats(T), (0,), e_T=0.0, eta=float(eta))
    if out != set(np.flatnonzero(literal).tolist()):
        raise AssertionError(f"dropped in rationals: {sorted(out)}, in doubles: {literal}")
    return out


def per_step_formula(size_E: int, e_T: Number, eta: Number) -> Formed:
    """The repaired rule for a set of so many tasks."""
    values = (("size_E", size_E), ("e_T", e_T), ("eta", eta))
    return formulas.SEQUENTIAL + "THEOREM_3_RULE_REPAIRED", values


def keeps_its_promise(
    T: Floats, T_hat: Floats, theta_bar: tuple[int, ...], true: int, eta: float
) -> Evaluation:
    """P(θ*_{h+1} ∈ E_h | θ*_h) ≤ η when the columns of T̂_h are within e^T_h and θ*_h ∈ Θ̄_h."""
    e_T = float(np.linalg.norm(T - T_hat, axis=0).max())
    out = repaired_rule(T_hat, theta_bar, e_T=e_T, eta=eta)
    confirm_misses(eta)
    return Evaluation(
        (Statement("the current task is in Θ̄_h", true in theta_bar, "=", True),),
        Statement(
            "probability of the dropped tasks",
            float(T[out, true].sum()),
            "≤",
            eta,
            *per_step_formula(int(out.sum()), e_T, eta),
            tolerance=rounding_of_promise(len(T), eta),
        ),
    )


MISHAPS = {"delta_T": Fraction(1, 50), "delta": Fraction(1, 20), "invalid_errors": Fraction(1, 7)}
"""Probabilities of a wrong T̂_h, of a lost task and of a Δ_h that is too small, as any numbers."""


def confirm_misses(eta: float) -> None:
    """The literal probabilities of a miss and of a failure, attained where mishaps exclude others.

    Four or five positive numbers are added and cut at 1.
    """
    known = {name: float(chance) for name, chance in MISHAPS.items()}
    missed = Fraction(eta) + sum(MISHAPS.values())
    for name, literal, sum_of_all in (
        ("a miss", miss_probability(eta=eta, **known), missed),
        ("a failure", failure_probability(eta=eta, **known), missed + MISHAPS["delta"]),
    ):
        expected = min(Fraction(1), sum_of_all)
        witness.same_numbers(f"probability of {name}", literal, expected, 8 * ROUNDING)


def rounding_of_promise(k: int, eta: float) -> float:
    """How far the probability of dropped tasks may exceed η by rounding.

    It is at most Σ T̂ + √|E| e, which the rule computed and found to be at most η. In halves of a
    rounding that is off by k + 4 of itself, e^T by k + 3 of itself, and the sum of T by k: together
    fewer than 4(k + 4) of η.
    """
    return 2 * (k + 4) * ROUNDING * eta


def is_probability(T: Matrix, theta_bar: tuple[int, ...]) -> Evaluation:
    """Σ_{θ'∈Θ̄_h} T(θ,θ') is the probability of a next task, so at most 1."""
    most = max(sum((row[j] for j in theta_bar), Fraction(0)) for row in T)
    columns = max(abs(sum(column, Fraction(0)) - 1) for column in exact.transpose(T))
    return Evaluation(
        (Statement("columns of T are distributions, off by", columns, "=", 0),),
        Statement("largest predicted probability", most, "≤", 1),
    )


@dataclass(frozen=True)
class Predicted:
    """A chain, the tasks that the current one may be, and the current one."""

    T: Matrix
    theta_bar: tuple[int, ...] = (0, 1)
    true: int = 0


def meeting_point() -> Matrix:
    """Tasks 1 and 2 are both followed by task 3 for sure, task 3 by either."""
    return exact.matrix(((0, 0, "1/2"), (0, 0, "1/2"), (1, 1, 0)))


def bounds_probability(T: Matrix, theta_bar: tuple[int, ...], true: int) -> Evaluation:
    """T(θ,θ*_h) ≤ max over Θ̄_h ≤ sum over Θ̄_h, for every θ; the literal code has both bounds.

    At most k entries up to 1, each rounded once, are added.
    """
    k, T_hat = len(T), exact.as_floats(T)
    largest = [max(row[j] for j in theta_bar) for row in T]
    sums = [sum((row[j] for j in theta_bar), Fraction(0)) for row in T]
    sizes = {"h": 1, "m": 1, "k": k, "d": 2}
    literal = [next_task_bound(T_hat, theta_bar, [theta], e_T=0.0) for theta in range(k)]
    witness.same_numbers("maximum over Θ̄_h", np.array(literal), largest, ROUNDING)
    predicted = theorem_3_prediction(
        T_hat, theta_bar, **sizes, delta=1e-99, delta_prime=0.5, rho_T=0.0
    )
    witness.same_numbers("sum over Θ̄_h", predicted, sums, k**2 * ROUNDING)
    bounds = zip(T, largest, sums, strict=True)
    excess = max(max(row[true] - most, most - total) for row, most, total in bounds)
    return Evaluation(
        (Statement("the current task is in Θ̄_h", true in theta_bar, "=", True),),
        Statement("largest excess over a bound", excess, "≤", 0),
    )


BELOW_E = Fraction(2718281828, 10**9)
"""A rational number just below e."""


def seldom_dropped(visits: int, first: int, last: int, factor: Fraction = BELOW_E) -> Evaluation:
    """A rule whose misses have probability at most δ' drops what cannot follow at e v δ' visits.

    Under T_0 the task never follows, and the rule drops it at the visits from `first` to `last`. On
    the chain on which it follows with probability 1/v the data before its first occurrence have the
    same distribution but for the factors 1-1/v, so the rule behaves alike and misses if that
    occurrence is at one of these visits: δ' is at least the probability of that.
    """
    stays = 1 - Fraction(1, visits)
    miss = stays ** (first - 1) - stays**last
    return Evaluation(
        (Statement("visits at which the task is dropped under T_0", last - first + 1, "≥", 1),),
        Statement(
            "visits at which it is dropped against e v δ'",
            *compared(last - first + 1, "≤", factor * visits * miss),
            formulas.SEQUENTIAL + "DROPPED_VISITS",
            (("visits", visits), ("delta_prime", miss)),
        ),
    )


def rare_successor(h: int = 3, rho_T: Real = EXACT_LEAST_RHO) -> ExactStep:
    """The rule for m = 3 tasks: T̂ = T, Θ̄_h = {θ*_h}, δ small.

    k = 2, and each task is followed by the other with probability η/2, below the threshold.
    """
    k, m, d, delta_prime = 2, 3, 8, Fraction(1, 10)
    eta = delta_prime / (3 * k * m**2)
    rare = eta / 2
    T = ((1 - rare, rare), (rare, 1 - rare))
    return ExactStep(T, (0,), h, m, d, eta / (8 * k), delta_prime, rho_T)


# The logarithm


@dataclass(frozen=True)
class InLogarithm:
    """What is said to stand in the logarithm before kdm²/δ'; the numbers of the experiments."""

    factor: int = 9
    delta_prime: Fraction = Fraction(1, 10)
    k: int = 8
    m: int = 400
    d: int = 3700


def logarithm_evaluation(case: InLogarithm) -> Evaluation:
    """Lemma 12 at confidence δ'/(3km²) has 6d/(δ'/(3km²)) in its logarithm: factor·kdm²/δ'."""
    k, m, d, factor, delta_prime = case.k, case.m, case.d, case.factor, case.delta_prime
    return Evaluation(
        (Statement("δ'", delta_prime, "<", 1),),
        Statement(
            f"6d/(δ'/(3km²)) against {factor}kdm²/δ'",
            6 * d / (delta_prime / (3 * k * m**2)),
            "=",
            factor * k * d * m**2 / delta_prime,
        ),
    )


# What the cases show


def numbers_of_rule(step: ExactStep) -> Numbers:
    """What Theorem 3's rule is given."""
    return (
        ("T = T̂_h, column θ' to row θ", step.T_hat),
        ("Θ̄_h", step.theta_bar),
        ("h", step.h),
        ("m", step.m),
        ("d", step.d),
        ("δ", step.delta),
        ("δ'", step.delta_prime),
        ("ρ_T", shortened(step.rho_T)),
    )


def _lowered(T: Matrix) -> Matrix:
    return tuple(tuple(x - Fraction(1, 10) for x in row) for row in T)


RARE, ONE = Fraction(1, 100), Fraction(1)
ANY_OF_EIGHT: Matrix = ((Fraction(1, 8),) * 8,) * 8

declare(
    check="text-sparse-T-helps.rule/cycle",
    says="The rule discards a task when each has one successor",
    instance=SPARSE,
    evaluate=discards,
    numbers=lambda step: (*numbers_of_rule(step), ("η of the per-step rule", PER_STEP)),
    fix="ρ_T = 0, as if the error of T̂ were nothing",
    fixed=replace(SPARSE, rho_T=0),
    broken={
        "tasks": replace(SPARSE, T_hat=((ONE,),)),
        "least entry of T̂_h": replace(SPARSE, T_hat=_lowered(cycle(8))),
        "h against m": replace(SPARSE, h=SPARSE.m + 1),
        "δ against δ'/(3m²)": replace(SPARSE, delta=RARE),
        "tasks that cannot follow": replace(SPARSE, T_hat=ANY_OF_EIGHT),
    },
    repaired=lambda step: per_step_discards(step.T_hat),
    in_scope=replace(SPARSE, T_hat=experiments_chain()),
)
declare(
    part_of=("theorem-3.logarithm/nine",),
    instance=InLogarithm(),
    evaluate=logarithm_evaluation,
    numbers=lambda case: (
        *(("k", case.k), ("m", case.m), ("d", case.d), ("δ'", case.delta_prime)),
    ),
    fix="18 in place of 9",
    fixed=InLogarithm(18),
    broken={"δ'": InLogarithm(delta_prime=Fraction(3, 2))},
    repaired=lambda case: logarithm_evaluation(replace(case, factor=18)),
    in_scope=InLogarithm(delta_prime=Fraction(1, 1000)),
)
declare(
    check="text-prediction-is-probability.sum/two-ways",
    says="The sum over two candidates is a probability",
    instance=Predicted(meeting_point()),
    evaluate=lambda case: is_probability(case.T, case.theta_bar),
    numbers=lambda case: (
        ("T, column θ' to row θ", case.T),
        ("Θ̄_h, tasks counted from 0", case.theta_bar),
        ("θ*_h", case.true),
    ),
    fix="one candidate in place of two",
    fixed=Predicted(meeting_point(), (0,)),
    broken={
        "columns of T are distributions, off by": Predicted(exact.scaled(ONE / 2, meeting_point()))
    },
    repaired=lambda case: bounds_probability(case.T, case.theta_bar, case.true),
    in_scope=Predicted(meeting_point(), (0, 2), 2),
)


# A constant ρ that guarantees no failure probability at all (erratum E63).
#
# N models, each a pair of coins with rates 1/2 ± a_j, one flip per task, on a chain that keeps the
# task with probability λ and draws it again otherwise. Unless a task was kept the flips are fair,
# whatever a_j is. An interval of half-width w around an estimate covers at most one of rates that
# lie more than 2w apart, so the chances that it covers the truth sum up to at most 1 + N(h-1)λ over
# the models: in one of them it misses with probability 1 - 1/N - (h-1)λ or more, whatever the
# estimator is.

LETTERS = 3
"""SA(S+U) for one state, one action and two rewards."""


def log_c(h: int, delta_prime: Fraction) -> Between:
    """Theorem 2's log c_h, c_h = π²h²SA(S+U)/δ'."""
    return log(PI * PI * (h**2 * LETTERS) / delta_prime)


@dataclass(frozen=True)
class Offer:
    """A constant, Theorem 2's δ', the probability that ρ is said to guarantee, and the models."""

    rho: Fraction
    delta_prime: Fraction
    level: Fraction
    rates: tuple[Fraction, ...]
    h: int
    correlation: Fraction

    def models(self) -> tuple[ExactHMM, ...]:
        """Coins 1/2 ± a_j from a uniform first task."""
        return tuple(coins(a, (1 + self.correlation) / 2) for a in self.rates)

    def half_width(self) -> Between:
        """ρ √(log c_h/h), what Theorem 2 with this constant allows."""
        return self.rho * root(log_c(self.h, self.delta_prime) / self.h)


def least_distance(offer: Offer) -> Fraction:
    """Between the rates of two models; a model alone has the whole range to itself."""
    return min((b - a for a, b in pairwise(sorted(offer.rates))), default=Fraction(1))


def premises_of(offer: Offer) -> tuple[Statement, ...]:
    """Assumptions 2 (repaired) and 5, Theorem 2's own premise, and intervals that are apart."""
    models = offer.models()
    rates = [rate for hmm in models for rate in hmm.O[0]]
    waits = offer.rho * log(2 * offer.h**2 * LETTERS / offer.delta_prime)
    values = (("S", 1), ("A", 1), ("U", 2), ("h", offer.h), ("delta_prime", offer.delta_prime))
    return (
        Statement("least rank of O", min(exact.rank(hmm.O) for hmm in models), "=", 2),
        Statement("least rank of T", min(exact.rank(hmm.T) for hmm in models), "=", 2),
        Statement("least variance of a reward", min(x * (1 - x) for x in rates), ">", 0),
        Statement(
            "Theorem 2 speaks of h: ρ log(2h²d/δ') against h", *compared(waits, "<", offer.h)
        ),
        Statement(
            "width of the interval against the least distance of two models",
            *compared(2 * offer.half_width(), "<", least_distance(offer)),
            formulas.SEQUENTIAL + "THEOREM_2",
            (*values, ("rho_any", offer.rho)),
            bound=shortened(offer.half_width()),
        ),
    )


def least_miss(offer: Offer) -> Fraction:
    """What every estimator misses with in one of the models, at least: 1 - 1/N - (h-1)λ."""
    return 1 - Fraction(1, len(offer.rates)) - (offer.h - 1) * offer.correlation


def level_evaluation(offer: Offer) -> Evaluation:
    """ρ guarantees its level: no model is missed more often."""
    return Evaluation(
        premises_of(offer),
        Statement(
            "probability of a miss in the worst model, at least",
            least_miss(offer),
            "≤",
            offer.level,
        ),
    )


TWENTY = tuple(Fraction(j, 50) for j in range(1, 21))
TASKS = 2**19
OFFER = Offer(
    rho=Fraction(1),
    delta_prime=Fraction(1, 10),
    level=Fraction(4, 5),
    rates=TWENTY,
    h=TASKS,
    correlation=Fraction(1, 20 * TASKS),
)


# One coin, whose constant is known


def chance_to_be_off(rate: Fraction, h: int, too_far: Callable[[Fraction], bool]) -> Fraction:
    """The probability that the share of ones among h flips is too far from the rate."""
    return binomial_probability(h, rate, lambda ones: too_far(abs(Fraction(ones, h) - rate)))


@stored
@dataclass(frozen=True)
class OneCoin:
    """A coin that is flipped h times, Theorem 2's δ', and a chosen constant."""

    rate: Fraction
    h: int
    delta_prime: Fraction
    rho: Fraction

    def squared_width(self) -> Between:
        """ρ² log c_h/h, the square of what Theorem 2 allows."""
        return self.rho**2 * log_c(self.h, self.delta_prime) / self.h

    def miss(self) -> Fraction:
        """The probability that the share of ones is off by more than Theorem 2 allows."""
        allowed = self.squared_width()
        return chance_to_be_off(self.rate, self.h, lambda off: exceeds(off**2, allowed))


def large_enough_evaluation(coin: OneCoin, exponent: int = 2) -> Evaluation:
    """2hw² ≥ log(2/δ') makes Hoeffding's bound 2exp(-2hw²) on a miss at most δ'; w is the width.

    Another `exponent` in the place of 2 is another hypothesis on ρ.
    """
    enough = exponent * coin.h * coin.squared_width()
    return Evaluation(
        (
            Statement(
                "hypothesis on ρ: log(2/δ') against 2hw²",
                *compared(log(2 / coin.delta_prime), "≤", enough),
            ),
        ),
        Statement("probability of a miss", coin.miss(), "≤", coin.delta_prime),
    )


COIN = OneCoin(Fraction(1, 3), 30, Fraction(1, 10), Fraction(2, 5))


def numbers(case: Offer | OneCoin) -> Numbers:
    """The chains and what is said of ρ, or the one coin."""
    if isinstance(case, OneCoin):
        names = ("rate of the only coin", "flips h", "δ'", "ρ")
        values = (case.rate, case.h, case.delta_prime, case.rho)
        return tuple(zip(names, values, strict=True))
    kept, half = (1 + case.correlation) / 2, Fraction(1, 2)
    return (
        ("rates of the coins of model j are 1/2 ± a_j, a_j", case.rates),
        (
            "probabilities of reward 1, task by task, of the last model",
            (half + case.rates[-1], half - case.rates[-1]),
        ),
        ("T of all models, column θ' to row θ", ((kept, 1 - kept), (1 - kept, kept))),
        ("probability that a task is kept and not redrawn, λ", case.correlation),
        ("tasks h, one flip each", case.h),
        ("ρ", case.rho),
        ("δ'", case.delta_prime),
        ("failure probability that ρ is said to guarantee", case.level),
    )


def by_hypothesis(case: Offer | OneCoin) -> Evaluation:
    """Repaired: ρ is assumed to be large enough, for the first of the models or for the coin."""
    if isinstance(case, OneCoin):
        return large_enough_evaluation(case)
    return enough_by_hypothesis(case.rho, case.models()[0])


declare(
    check="text-rho-unknown.confidence-level/no-level",
    says="On twenty chains of coins ρ = 1 misses with probability 4/5 at most",
    instance=OFFER,
    evaluate=level_evaluation,
    numbers=numbers,
    fix="one model in place of twenty: whoever names its rates never misses",
    fixed=replace(OFFER, rates=TWENTY[:1]),
    broken={
        "least rank of O": replace(OFFER, rates=(Fraction(0), *TWENTY)),
        "least rank of T": replace(OFFER, correlation=Fraction(0)),
        "least variance of a reward": replace(OFFER, rates=(*TWENTY, Fraction(1, 2))),
        "Theorem 2 speaks of h: ρ log(2h²d/δ') against h": replace(OFFER, h=2),
        "width of the interval against the least distance of two models": replace(OFFER, h=1000),
    },
    repaired=by_hypothesis,
    in_scope=cast(Any, COIN),
)
