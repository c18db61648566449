"""(gap/σ)² and the divergence of two Gaussian distributions (erratum E23).

The logarithm of the quotient of two Gaussian densities is a quadratic polynomial, so its mean is
the average of its values at m ± σ: no integral is needed. With equal deviations everything is
rational; otherwise there is one logarithm.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.exact.intervals import Between, Real, compared, log, shortened
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement


@stored
@dataclass(frozen=True)
class Gaussian:
    """A mean and a standard deviation."""

    mean: Fraction
    deviation: Fraction

    def exponent(self, x: Fraction) -> Fraction:
        """(x - m)²/(2σ²): minus the logarithm of the density, up to log(σ√(2π))."""
        return ((x - self.mean) / self.deviation) ** 2 / 2


def divergence(first: Gaussian, second: Gaussian) -> Fraction:
    """KL(first, second) - log(σ_2/σ_1): the mean of a quadratic polynomial under the first."""
    nodes = (first.mean - first.deviation, first.mean + first.deviation)
    return sum((second.exponent(x) - first.exponent(x) for x in nodes), Fraction(0)) / 2


def whole_divergence(first: Gaussian, second: Gaussian) -> Between:
    """KL(first, second)."""
    return log(second.deviation / first.deviation) + divergence(first, second)


def left_term(first: Gaussian, second: Gaussian) -> Fraction:
    """(gap/σ_θ)² of Definition 1 at Δ = 0; the deviation is that of the first model."""
    return ((first.mean - second.mean) / first.deviation) ** 2


def twice_evaluation(pair: tuple[Gaussian, Gaussian]) -> Evaluation:
    """With equal deviations (gap/σ)² = 2 KL."""
    first, second = pair
    return Evaluation(
        premises=(Statement("deviations", first.deviation, "=", second.deviation),),
        conclusion=Statement("(gap/σ)²", left_term(*pair), "=", 2 * divergence(*pair)),
    )


Pairs = tuple[tuple[Gaussian, Gaussian], ...]


def instance(other_deviation: int = 2) -> Pairs:
    """Means 0 and 1; deviations 1 and 1 in one pair, 1 and the other one in the second."""
    zero, one = Fraction(0), Fraction(1)
    first = Gaussian(zero, one)
    return (first, Gaussian(one, one)), (first, Gaussian(one, Fraction(other_deviation)))


def proportional_evaluation(pairs: Pairs) -> Evaluation:
    """One constant c with (gap/σ)² = c KL for both pairs: (gap/σ)² KL' = (gap'/σ')² KL."""
    smallest = min(distribution.deviation for pair in pairs for distribution in pair)
    gap = min(abs(first.mean - second.mean) for first, second in pairs)
    first, second = (_terms(pair) if smallest > 0 and gap > 0 else (0, 0) for pair in pairs)
    return Evaluation(
        premises=(
            Statement("smallest deviation", smallest, ">", 0),
            Statement("smallest gap", gap, ">", 0),
        ),
        conclusion=Statement(
            "(gap/σ)² of one pair times KL of the other, and the other way round",
            *compared(first[0] * second[1], "=", second[0] * first[1]),
        ),
    )


def _terms(pair: tuple[Gaussian, Gaussian]) -> tuple[Real, Real]:
    return left_term(*pair), whole_divergence(*pair)


def numbers(pairs: Pairs) -> Numbers:
    """The distributions of each pair, and what the terms are."""
    rows = tuple(
        tuple((distribution.mean, distribution.deviation) for distribution in pair)
        for pair in pairs
    )
    return (
        ("means and standard deviations, pair by pair", rows),
        ("(gap/σ)² of each pair", tuple(left_term(*pair) for pair in pairs)),
        ("KL of each pair", tuple(shortened(whole_divergence(*pair)) for pair in pairs)),
    )


def _with_second(**changes: Fraction) -> Pairs:
    """The last distribution of the second pair, changed."""
    first, (left, right) = instance()
    return first, (left, replace(right, **changes))


declare(
    Counterexample(
        checks={
            "text-kl-divergence.gaussian/unequal-variances": (
                "With deviations 1 and 2 the quotient is not the one of equal deviations"
            ),
        },
        instance=instance(),
        evaluate=proportional_evaluation,
        numbers=numbers,
        fix="the deviation 1 in all four laws",
        fixed=instance(1),
        broken={
            "smallest deviation": _with_second(deviation=Fraction(0)),
            "smallest gap": _with_second(mean=Fraction(0)),
        },
        repaired=lambda pairs: twice_evaluation(pairs[-1]),
        in_scope=instance()[:1],
    )
)
