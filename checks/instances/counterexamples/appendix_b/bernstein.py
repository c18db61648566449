"""Lemma 1 with |X| ≤ c (erratum E11): the printed range term is half of Bernstein's.

X takes two values, so the mean of n samples depends on the number of high ones alone, and the
probability that it misses E[X] by more than the printed width is a finite sum of rationals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

from ptum.checks.exact.intervals import Between, compared, exceeds, log, root, shortened
from ptum.checks.exact.mass import binomial_probability
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.outcome import Evaluation, Formed, Statement
from ptum.reference.repaired.transfer.analysis import concentration as repaired
from ptum.reference.transfer.analysis import concentration
from ptum.spec.vocabulary import Version


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


def evaluation(instance: BoundedSamples, version: Version) -> Evaluation:
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
        ("chance of the larger one", x.p),
        ("c", x.c),
        ("samples n", x.n),
        ("δ", x.delta),
        ("width √(2 Var log(2/δ)/n) + c log(2/δ)/(3n)", shortened(width(x))),
    )


declare(
    Counterexample(
        checks={
            "lemma-1.bernstein/symmetric-law": (
                "X = ±c, n = 1000, δ = 10⁻⁶: the failure probability is almost 2δ"
            ),
        },
        instance=symmetric(),
        evaluate=partial(evaluation, version=Version.PRINTED),
        fix="c = 2, the range of X, in place of 1, the bound on |X|",
        fixed=replace(symmetric(), c=Fraction(2)),
        broken={
            "largest |X| against c": replace(symmetric(), c=Fraction(1, 2)),
        },
        repaired=partial(evaluation, version=Version.REPAIRED),
        in_scope=in_scope(),
        numbers=numbers,
    )
)
