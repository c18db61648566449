"""(gap/σ)² and the divergence of two Gaussian laws (erratum E23).

The logarithm of the quotient of two Gaussian densities is a quadratic polynomial, so its mean is
the average of its values at m ± σ: no integral is needed. With equal deviations everything is
rational; otherwise there is one logarithm.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact.intervals import Between, Real, compared, log, shortened
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Statement, Walk


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
    """KL(first, second) - log(σ_2/σ_1): the mean of a quadratic polynomial under the first law."""
    nodes = (first.mean - first.deviation, first.mean + first.deviation)
    return sum((second.exponent(x) - first.exponent(x) for x in nodes), Fraction(0)) / 2


def whole_divergence(first: Gaussian, second: Gaussian) -> Between:
    """KL(first, second)."""
    return log(second.deviation / first.deviation) + divergence(first, second)


def left_term(first: Gaussian, second: Gaussian) -> Fraction:
    """(gap/σ_θ)² of Definition 1 at Δ = 0; the deviation is that of the first model."""
    return ((first.mean - second.mean) / first.deviation) ** 2


def twice_walk(pair: tuple[Gaussian, Gaussian]) -> Walk:
    """With equal deviations (gap/σ)² = 2 KL."""
    first, second = pair
    return Walk(
        premises=(Statement("deviations", first.deviation, "=", second.deviation),),
        conclusion=Statement("(gap/σ)²", left_term(*pair), "=", 2 * divergence(*pair)),
    )


Pairs = tuple[tuple[Gaussian, Gaussian], tuple[Gaussian, Gaussian]]


def instance(other_deviation: int = 2) -> Pairs:
    """Means 0 and 1; deviations 1 and 1 in one pair, 1 and the other one in the second."""
    zero, one = Fraction(0), Fraction(1)
    first = Gaussian(zero, one)
    return (first, Gaussian(one, one)), (first, Gaussian(one, Fraction(other_deviation)))


def proportional_walk(pairs: Pairs) -> Walk:
    """One constant c with (gap/σ)² = c KL for both pairs: (gap/σ)² KL' = (gap'/σ')² KL."""
    smallest = min(law.deviation for pair in pairs for law in pair)
    gap = min(abs(first.mean - second.mean) for first, second in pairs)
    first, second = (_terms(pair) if smallest > 0 and gap > 0 else (0, 0) for pair in pairs)
    return Walk(
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


def numbers() -> Numbers:
    """Four laws in two pairs, and what the terms are."""
    (first, second), (_, third) = instance()
    rows = tuple((law.mean, law.deviation) for law in (first, second, third))
    return (
        ("mean and deviation of laws 1, 2 and 3", rows),
        ("first pair", (1, 2)),
        ("second pair", (1, 3)),
        ("(gap/σ)² of both", tuple(left_term(*pair) for pair in instance())),
        ("KL of both", tuple(shortened(whole_divergence(*pair)) for pair in instance())),
    )


def _with_second(**changes: Fraction) -> Pairs:
    """The last law of the second pair, changed."""
    first, (left, right) = instance()
    return first, (left, replace(right, **changes))


CASES = (
    Case(
        checks=("text-kl-divergence.gaussian/unequal-variances",),
        numbers=numbers,
        told=partial(proportional_walk, instance()),
        undo="the deviation 1 in all four laws",
        undone=partial(proportional_walk, instance(1)),
        broken={
            "smallest deviation": partial(proportional_walk, _with_second(deviation=Fraction(0))),
            "smallest gap": partial(proportional_walk, _with_second(mean=Fraction(0))),
        },
        repaired=partial(twice_walk, instance()[1]),
        sibling=partial(twice_walk, instance()[0]),
        sibling_numbers=lambda: (
            ("the first pair alone; means", tuple(law.mean for law in instance()[0])),
            ("its deviations", tuple(law.deviation for law in instance()[0])),
        ),
    ),
)
