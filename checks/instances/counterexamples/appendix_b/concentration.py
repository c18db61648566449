"""Against Lemmas 1 and 3 (errata E05, E11)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, compared, exceeds, log, root, shortened
from ptum.checks.exact.mass import binomial_probability
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared import deterministic_runs, two_outcomes
from ptum.checks.instances.counterexamples.shared.deterministic_runs import (
    Algorithm1Inputs,
    leads_to,
)
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.instances.counterexamples.shared.two_outcomes import EliminationConstants
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.outcome import Evaluation, Formed, Statement
from ptum.reference.repaired.transfer.analysis import concentration as repaired
from ptum.reference.repaired.transfer.assumptions import model_errors as repaired_model_errors
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.analysis import concentration
from ptum.reference.transfer.assumptions import ModelErrors, model_errors
from ptum.spec.vocabulary import Version

# Lemma 1 with |X| ≤ c (erratum E11): the printed range term is half of Bernstein's.
#
# X takes two values, so the mean of n samples depends on the number of high ones alone, and the
# probability that it misses E[X] by more than the printed width is a finite sum of rationals.


@dataclass(frozen=True)
class BoundedSamples:
    """n samples of an X that is `high` with probability p and `low` otherwise, with |X| ≤ c."""

    low: Fraction
    high: Fraction
    p: Fraction
    n: int
    delta: Fraction
    c: Fraction = Fraction(1)


def symmetric(p: Fraction = Fraction(5569, 10**7)) -> BoundedSamples:
    """X = ±1, n = 1000, δ = 10⁻⁶."""
    return BoundedSamples(Fraction(-1), Fraction(1), p, 1000, Fraction(1, 10**6))


def in_scope() -> BoundedSamples:
    """The same samples on the scale of the repair: X is 0 or 1."""
    return BoundedSamples(Fraction(0), Fraction(1), symmetric().p, 1000, Fraction(1, 10**6))


def variance(x: BoundedSamples) -> Fraction:
    """Var[X]."""
    return (x.high - x.low) ** 2 * x.p * (1 - x.p)


@lru_cache(maxsize=16)
def width(x: BoundedSamples) -> Between:
    """√(2 Var[X] log(2/δ)/n) + c log(2/δ)/(3n), what Lemma 1 allows the mean to be off by."""
    log_term = log(2 / x.delta)
    return root(2 * variance(x) * log_term / x.n) + x.c * log_term / (3 * x.n)


def misses(instance: BoundedSamples, count: int) -> bool:
    """Whether the mean of n samples, `count` of them high, misses E[X] by more than the width."""
    spread = instance.high - instance.low
    return exceeds(spread * abs(Fraction(count, instance.n) - instance.p), width(instance))


def failure_probability(instance: BoundedSamples) -> Fraction:
    """P(the mean misses E[X] by more than the width), exactly."""
    return binomial_probability(instance.n, instance.p, partial(misses, instance))


def first_miss(instance: BoundedSamples) -> int:
    """The smallest number of high samples above the mean that misses."""
    above = range(int(instance.n * instance.p) + 1, instance.n + 1)
    return next((count for count in above if misses(instance, count)), instance.n + 1)


def bernstein_evaluation(instance: BoundedSamples, version: Version) -> Evaluation:
    """Lemma 1 on the instance; the repair asks for X ≥ 0 besides |X| ≤ c."""
    largest = max(abs(instance.low), abs(instance.high))
    bounded = Statement("largest |X| against c", largest, "≤", instance.c)
    in_range = Statement("X in [0,c]: smallest X against 0", instance.low, "≥", 0)
    premises = (bounded,) if version is Version.PRINTED else (bounded, in_range)
    if all(premise.holds for premise in premises):
        _confirm(instance, version)
    text = f"P(the mean misses; from {first_miss(instance)} high samples on) in units of δ"
    ratio = failure_probability(instance) / instance.delta
    formed = formula(instance, version)
    used = shortened(width(instance))
    return Evaluation(premises, Statement(text, *compared(ratio, "≤", 1), *formed, bound=used))


def _confirm(x: BoundedSamples, version: Version) -> None:
    """The literal Lemma 1 holds just below the first count that misses, and there no longer."""
    code = concentration if version is Version.PRINTED else repaired
    first, mean = first_miss(x), float(x.low + (x.high - x.low) * x.p)
    for count, holds in ((first - 1, True), (first, False)):
        if count <= x.n:
            samples = [float(x.high)] * count + [float(x.low)] * (x.n - count)
            found = code.bernstein(samples, mean, float(variance(x)), float(x.c), float(x.delta))
            witness.same_truth(f"Lemma 1 with {count} high samples", found.holds, holds)


def formula(x: BoundedSamples, version: Version) -> Formed:
    """The width; in the repair c is the length of the interval that holds X."""
    printed = version is Version.PRINTED
    scale = "c" if printed else "width"
    values = (("variance", variance(x)), ("n_samples", x.n), ("delta", x.delta), (scale, x.c))
    return formulas.APPENDIX_B + ("BERNSTEIN" if printed else "BERNSTEIN_REPAIRED"), values


def numbers(x: BoundedSamples) -> Numbers:
    """The distribution of X, the number of samples and the confidence."""
    return (
        ("values of X", (x.low, x.high)),
        ("probability of the larger one", x.p),
        ("c", x.c),
        ("samples n", x.n),
        ("δ", x.delta),
        ("width √(2 Var log(2/δ)/n) + c log(2/δ)/(3n)", shortened(width(x))),
    )


declare(
    check="lemma-1.bernstein/symmetric-law",
    says="X = ±c, n = 1000, δ = 10⁻⁶: the failure probability is almost 2δ",
    instance=symmetric(),
    evaluate=partial(bernstein_evaluation, version=Version.PRINTED),
    fix="c = 2, the range of X, in place of 1, the bound on |X|",
    fixed=replace(symmetric(), c=Fraction(2)),
    broken={"largest |X| against c": replace(symmetric(), c=Fraction(1, 2))},
    repaired=partial(bernstein_evaluation, version=Version.REPAIRED),
    in_scope=in_scope(),
    numbers=numbers,
)


# Lemma 3 with σ^p as Section 2 defines it (erratum E05).
#
# States s0, x, y, z; two actions; x, y, z absorbing; from s0 both actions lead to x with some
# probability and to y otherwise. The truth goes to x rarely and finds much there; the approximation
# goes there more often and finds less, so that the deviation of V* under p equals the deviation of
# Ṽ* under p̃ although the deviation of Ṽ* under p is far from both. Assumption 1 as printed
# compares the first two and sees no error; equation (4) compares the last two. A fourth state z
# with a real choice keeps PTUM from stopping.
#
# Of N samples of (s0,0) only the number that went to x matters, and it is binomial. How far it has
# to be from its mean for the target to pass, or to fail, is decided between rationals; Chebyshev's
# inequality then bounds the probability. A check counts the same in trials of the literal code.

GAMMA, EPSILON, DELTA, N_BUDGET = Fraction(9, 10), Fraction(8), Fraction(1, 10), 200_000
SAMPLES = 80_000
"""Of (s0,0), after which the target is looked at."""
Pair = tuple[Fraction, Fraction]
AT_Z: tuple[Pair, Pair] = (
    (Fraction(85, 100), Fraction(1, 10)),
    (Fraction(1, 10), Fraction(85, 100)),
)
"""Rewards of the two actions in z, in target and rival."""


@dataclass(frozen=True)
class Fork:
    """The probability of x from s0, and the rewards in x and y."""

    to_x: Fraction
    in_x: Fraction
    in_y: Fraction

    @property
    def apart(self) -> Fraction:
        """How far the values of x and y are apart."""
        return abs(self.in_x - self.in_y) / (1 - GAMMA)

    @property
    def variance(self) -> Fraction:
        """Of the next value at s0."""
        return self.to_x * (1 - self.to_x) * self.apart**2


TRUE = Fork(Fraction(1, 50), Fraction(75, 100), Fraction(0))
APPROXIMATE = Fork(Fraction(1, 26), Fraction(648, 1000), Fraction(102, 1000))
"""√(p(1-p)) is 7/50 under the one and 5/26 under the other, and both deviations are 1.05."""


@dataclass(frozen=True)
class WidthErrors:
    """Δ^r, Δ^p and Δ^{σ_p}, as the widths are told; Δ^{σ_r} = 0."""

    r: Fraction
    p: Fraction
    sigma_p: Fraction

    @property
    def Delta(self) -> Fraction:
        """The largest of them."""
        return max(self.r, self.p, self.sigma_p)


def _task(fork: Fork, r_z: Pair) -> ExactMDP:
    zero = Fraction(0)
    rows = [[zero, fork.to_x, 1 - fork.to_x, zero], *(leads_to(s, 4) for s in (1, 2, 3))]
    r = [[zero] * 2, [fork.in_x] * 2, [fork.in_y] * 2, list(r_z)]
    return mdp.deterministic([[row, row] for row in rows], r, GAMMA)


def both(fork: Fork, at_z: tuple[Pair, Pair] = AT_Z) -> tuple[ExactMDP, ...]:
    """Two tasks that differ only in which action pays in z; the target is number 0."""
    return tuple(_task(fork, r_z) for r_z in at_z)


def printed_constants(model: Fork) -> WidthErrors:
    """Assumption 1 as printed: its last line compares the deviation of V* with that of Ṽ*."""
    return _constants(model, TRUE)


def repaired_constants(model: Fork) -> WidthErrors:
    """The last line compares the deviations of Ṽ* under both distributions."""
    return _constants(model, replace(model, to_x=TRUE.to_x))


def _constants(model: Fork, other: Fork) -> WidthErrors:
    return WidthErrors(
        r=max(abs(TRUE.in_x - model.in_x), abs(TRUE.in_y - model.in_y)),
        p=abs(TRUE.to_x - model.to_x) * model.apart,
        sigma_p=abs(_deviation(other) - _deviation(model)),
    )


def _deviation(fork: Fork) -> Fraction:
    """Of the next value at s0, where it is rational."""
    found = root(fork.variance)
    if found.low != found.high:
        raise ValueError(f"{fork.variance} is not the square of a rational")
    return found.low


# Lemma 3


def assumption_1(model: Fork, told: WidthErrors, version: Version) -> tuple[Statement, ...]:
    """The constants that the widths are told cover those that are needed."""
    printed = version is Version.PRINTED
    needed = printed_constants(model) if printed else repaired_constants(model)
    last = "Std_p[V*]" if printed else "Std_p[Ṽ*]"
    return (
        Statement("|r - r̃| against Δ^r", needed.r, "≤", told.r),
        Statement("|(p - p̃)ᵀṼ*| against Δ^p", needed.p, "≤", told.p),
        Statement(f"|{last} - Std_p̃[Ṽ*]| against Δ^σp", needed.sigma_p, "≤", told.sigma_p),
    )


def samples_s0(models: tuple[ExactMDP, ...], Delta: Fraction) -> tuple[Statement, ...]:
    """PTUM enters transfer mode, does not stop, and queries (s0,0) in every iteration."""
    told, every = Algorithm1Inputs(EPSILON, DELTA, N_BUDGET, Delta), (0, 1)
    index = deterministic_runs.index(models, every, Delta)
    s, a = deterministic_runs.query(index)
    stops = deterministic_runs.stopping_models(models, every, told)
    return (
        deterministic_runs.enters(told, GAMMA),
        Statement("policies that stop", len(stops), "=", 0),
        Statement("largest index, so that ties go to the first pair", max(index.values()), "=", 0),
        Statement("number of the queried pair", s * models[0].A + a, "=", 0),
    )


def failure(model: Fork, told: WidthErrors, N: int) -> Between:
    """Bounds on P(the target's model fails a test after N samples of (s0,0)).

    J of them went to x, with mean Np and variance Np(1-p). Rewards in s0 are deterministic and
    known. If the model fails where J is at its mean, it passes only at a distance D from the mean,
    which has probability Np(1-p)/D² at most; and the other way round.
    """
    mean, spread = N * TRUE.to_x, N * TRUE.to_x * (1 - TRUE.to_x)
    middle, reach = round(mean), int(mean / 2)
    ones = np.arange(middle - reach, middle + reach + 1)
    failed = two_outcomes.fails(np.full(len(ones), N), ones, model.to_x, _tests(told), model.apart)
    fails_at_mean = bool(failed[reach])
    others = [int(j) for j, fails in zip(ones, failed, strict=True) if bool(fails) != fails_at_mean]
    distance = min((abs(j - mean) for j in others), default=Fraction(reach))
    rare = min(spread / distance**2, Fraction(1))
    return Between(1 - rare, Fraction(1)) if fails_at_mean else Between(Fraction(0), rare)


def _tests(told: WidthErrors) -> EliminationConstants:
    known = two_outcomes.of_rewards(4, 2, N_BUDGET, 2, DELTA)
    return replace(known, Delta=told.p, Delta_sigma=told.sigma_p, scale=1 / (1 - GAMMA))


def _covered(premises: tuple[Statement, ...], model: Fork, told: WidthErrors, N: int) -> Evaluation:
    """P(E fails) ≤ δ, looked at in the pair (s0,0) after N samples alone."""
    found = failure(model, told, N)
    which = "at least" if found.low > DELTA else "at most"
    return Evaluation(
        premises,
        Statement(
            f"P(the target fails a test after {N} samples of (s0,0)), {which}",
            *compared(found, "≤", DELTA),
            *_width(told, N),
        ),
    )


def _width(told: WidthErrors, N: int) -> Formed:
    """Of equation (4), the test that fails."""
    sizes = (("S", 4), ("A", 2), ("k", 2), ("n", N_BUDGET), ("N", N))
    known = (("delta", DELTA), ("gamma", GAMMA), ("Delta_sigma_p", told.sigma_p))
    return formulas.APPENDIX_B + "WIDTH_SIGMA_P", (*sizes, *known)


def wrong_std_evaluation(
    model: Fork, told: WidthErrors, at_z: tuple[Pair, Pair] = AT_Z
) -> Evaluation:
    """Lemma 3 under Assumption 1 as printed, where PTUM samples (s0,0) for ever."""
    premises = (
        *assumption_1(model, told, Version.PRINTED),
        *samples_s0(both(model, at_z), told.Delta),
    )
    return _covered(premises, model, told, SAMPLES)


def repaired_evaluation(model: Fork, told: WidthErrors, N: int = SAMPLES) -> Evaluation:
    """Lemma 3 under the repaired Assumption 1, for any rule that samples (s0,0)."""
    return _covered(assumption_1(model, told, Version.REPAIRED), model, told, N)


# The same for the literal code


def instance() -> TaskSet:
    """True tasks and their models, in doubles."""
    true = tuple(map(mdp.rounded, both(TRUE)))
    models = approximate_models([*map(mdp.rounded, both(APPROXIMATE))])
    return TaskSet("hidden deviation", true, models)


def printed_errors() -> ModelErrors:
    """Assumption 1's constants as printed."""
    task_set = instance()
    return model_errors(task_set.true, task_set.approximate)


def repaired_errors() -> ModelErrors:
    """The constants when the deviations of the same function are compared."""
    task_set = instance()
    return repaired_model_errors(task_set.true, task_set.approximate)


def premises() -> tuple[Statement, ...]:
    """What the printed lemma assumes, and why PTUM samples (s0,0)."""
    return wrong_std_evaluation(APPROXIMATE, HIDDEN).premises


# What the instance shows


@dataclass(frozen=True)
class Coverage:
    """The target's model, the errors that the widths are given, the rewards at z, the samples."""

    model: Fork
    errors: WidthErrors
    at_z: tuple[Pair, Pair] = AT_Z
    N: int = SAMPLES


def printed_coverage(case: Coverage) -> Evaluation:
    """Lemma 3 as printed."""
    return wrong_std_evaluation(case.model, case.errors, case.at_z)


def repaired_coverage(case: Coverage) -> Evaluation:
    """Lemma 3 with the constants of the repaired Assumption 1."""
    return repaired_evaluation(case.model, repaired_constants(case.model), case.N)


def _numbers(case: Coverage) -> Numbers:
    model, told = case.model, case.errors
    true = zip(("the target", "the rival"), both(TRUE), strict=True)
    models = zip(("the target's model", "the rival's model"), both(model), strict=True)
    return (
        ("γ", GAMMA),
        ("ε, δ, n", (EPSILON, DELTA, N_BUDGET)),
        ("states", "s0, x, y, z"),
        *tasks(true, "both"),
        *tasks(models, "both models"),
        ("Std_p[V*], Std_p̃[Ṽ*]", (_deviation(TRUE), _deviation(model))),
        ("Std_p[Ṽ*]", _deviation(replace(model, to_x=TRUE.to_x))),
        ("Δ^r, Δ^p, Δ^σr, Δ^σp that the widths are told", (told.r, told.p, 0, told.sigma_p)),
        ("samples of (s0,0)", case.N),
    )


HIDDEN = printed_constants(APPROXIMATE)
NONE = WidthErrors(Fraction(0), Fraction(0), Fraction(0))
ALIKE = (AT_Z[0], AT_Z[0])
UNEQUAL = replace(APPROXIMATE, in_x=Fraction(70, 100))
"""Another reward in x, so that the deviations of V* and Ṽ* differ by 0.1."""
LARGE, SMALL = (WidthErrors(x, x, Fraction(0)) for x in (Fraction(1, 5), Fraction(1, 100)))
FEWER = 5000
CASE = Coverage(APPROXIMATE, HIDDEN)

declare(
    part_of=("lemma-3.coverage/wrong-std",),
    instance=CASE,
    evaluate=printed_coverage,
    numbers=_numbers,
    fix="the models are the tasks themselves; the constants that the widths are told stay",
    fixed=replace(CASE, model=TRUE),
    broken={
        "|r - r̃| against Δ^r": replace(CASE, errors=replace(HIDDEN, r=Fraction(1, 10))),
        "|(p - p̃)ᵀṼ*| against Δ^p": replace(CASE, errors=replace(HIDDEN, p=Fraction(1, 10))),
        "|Std_p[V*] - Std_p̃[Ṽ*]| against Δ^σp": replace(CASE, model=UNEQUAL),
        deterministic_runs.ENTERS: replace(CASE, errors=LARGE),
        "policies that stop": replace(CASE, model=TRUE, at_z=ALIKE),
        "largest index, so that ties go to the first pair": replace(CASE, errors=SMALL),
        "number of the queried pair": replace(CASE, errors=SMALL),
    },
    repaired=repaired_coverage,
    in_scope=Coverage(TRUE, NONE, N=FEWER),
)
