"""Slips in Definition 1."""

from __future__ import annotations

import numpy as np

from ptum.checks.judge.judging.items import DEFINITION_1, LINE_18
from ptum.checks.judge.plain.algorithm_1 import Algorithm1, squared_ratio
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Floats

# The shift 8Δ


@slip("information/4-errors", "next_query/4-errors", "ptum/four-delta", breaks=DEFINITION_1)
class FourForEight(Algorithm1):
    """4Δ, as in Lemma 4, for 8Δ."""

    def shift(self, gap: str) -> float:
        return super().shift(gap) / 2


@slip("information/no-errors", "ptum/shift-left-out", breaks=DEFINITION_1)
class _NoErrors(Algorithm1):
    """No 8Δ in Definition 1."""

    def excess(self, gap: Floats, shift: float) -> Floats:
        del shift
        return gap


@slip(
    "information/no-positive-part",
    "next_query/no-positive-part",
    "ptum/no-positive-part",
    breaks=DEFINITION_1,
)
class _NoPositivePart(Algorithm1):
    """The square of a negative difference counts as information."""

    def excess(self, gap: Floats, shift: float) -> Floats:
        return np.abs(np.where(np.isinf(shift), 0.0, gap - min(shift, 1e9)))


@slip(
    "information/own-constants", "next_query/own-constants", "ptum/own-errors", breaks=DEFINITION_1
)
class _OwnConstants(Algorithm1):
    """Δ^r and Δ^p, each in its own gap, for their common maximum."""

    def shift(self, gap: str) -> float:
        return 8 * self.errors[gap]


@slip("information/mean-error", "ptum/shift-of-mean-error", breaks=DEFINITION_1)
class _MeanError(Algorithm1):
    """Δ as the mean of the four constants."""

    def shift(self, gap: str) -> float:
        del gap
        return 8 * sum(self.errors.values()) / 4


@slip("ptum/shift-of-two-errors", breaks=DEFINITION_1)
class _ShiftOfTwoErrors(Algorithm1):
    """8max{Δ^r, Δ^p} for 8Δ."""

    def shift(self, gap: str) -> float:
        del gap
        return 8 * max(self.errors["r"], self.errors["p"])


class _OtherShift(Algorithm1):
    """Another multiple of Δ, in one of the gaps alone."""

    gap: str = "p"
    multiple: int

    def shift(self, gap: str) -> float:
        return self.multiple * self.Delta if gap == self.gap else super().shift(gap)


@slip("next_query/shift-of-transitions", "ptum/shift-of-transitions", breaks=DEFINITION_1)
class _ShiftOfTransitions(_OtherShift):
    """Δ for 8Δ at the gap of transitions."""

    multiple = 1


@slip(
    "next_query/half-the-shift-of-transitions",
    "ptum/half-the-shift-of-transitions",
    breaks=DEFINITION_1,
)
class _HalfTheShift(_OtherShift):
    """4Δ for 8Δ at the gap of transitions."""

    multiple = 4


@slip(
    "next_query/twice-the-shift-of-transitions",
    "ptum/twice-the-shift-of-transitions",
    breaks=DEFINITION_1,
)
class _TwiceTheShift(_OtherShift):
    """16Δ for 8Δ at the gap of transitions."""

    multiple = 16


@slip("ptum/shift-of-rewards", breaks=DEFINITION_1)
class _ShiftOfRewards(_OtherShift):
    """Δ for 8Δ at the gap of rewards."""

    gap, multiple = "r", 1


# Gap and deviation


@slip("information/second-value", "ptum/gap-of-other-value", breaks=DEFINITION_1)
class _SecondValue(Algorithm1):
    """The gap is measured with the second model's value."""

    def gap_p(self, i: int, j: int) -> Floats:
        return super().gap_p(j, i)


@slip("information/second-deviation", "ptum/second-deviation", breaks=DEFINITION_1)
class _SecondDeviation(Algorithm1):
    """The deviations are those of the second model."""

    def sigma_r_of(self, i: int, j: int) -> Floats:
        return super().sigma_r_of(j, i)

    def sigma_p_of(self, i: int, j: int) -> Floats:
        return super().sigma_p_of(j, i)


@slip(
    "information/deviation-of-other-value",
    "next_query/deviation-of-other-value",
    "ptum/deviation-of-other-value",
    breaks=DEFINITION_1,
)
class _DeviationOfOtherValue(Algorithm1):
    """σ̃^p_θ(;θ') for σ̃^p_θ(;θ)."""

    def sigma_p_of(self, i: int, j: int) -> Floats:
        return self.models.sigma_p[i, :, :, j]


@slip(
    "next_query/deviation-by-other-chances", "ptum/deviation-by-other-chances", breaks=DEFINITION_1
)
class _DeviationByOtherTransitions(Algorithm1):
    """σ̃^p_θ'(;θ) for σ̃^p_θ(;θ)."""

    def sigma_p_of(self, i: int, j: int) -> Floats:
        return self.models.sigma_p[j, :, :, i]


@slip("next_query/larger-deviation", "ptum/larger-deviation", breaks=DEFINITION_1)
class _LargerDeviation(Algorithm1):
    """The larger of σ̃^p_θ(;θ) and σ̃^p_θ'(;θ') for the first."""

    def sigma_p_of(self, i: int, j: int) -> Floats:
        return np.maximum(super().sigma_p_of(i, j), super().sigma_p_of(j, i))


# The minimum of two terms


@slip(
    "information/weight-forgotten",
    "next_query/weight-forgotten",
    "ptum/weight-forgotten",
    breaks=DEFINITION_1,
)
class _WeightForgotten(Algorithm1):
    """(1-γ) missing in the linear term."""

    def weight(self) -> float:
        return 1.0


@slip("information/weight-inverted", "ptum/weight-inverted", breaks=DEFINITION_1)
class _WeightInverted(Algorithm1):
    """x/(1-γ), as in n̄."""

    def weight(self) -> float:
        return self.span


@slip("next_query/weight-in-square", "ptum/weight-in-square", breaks=DEFINITION_1)
class _WeightInSquare(Algorithm1):
    """((1-γ)x/σ)² for (x/σ)²."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        return super().smaller(weight * x, sigma, 1.0)


@slip("information/larger", "ptum/larger-term", breaks=DEFINITION_1)
class _Larger(Algorithm1):
    """max for min, where both are finite."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        ratio = squared_ratio(x, sigma)
        return np.where(np.isinf(ratio), weight * x, np.maximum(ratio, weight * x))


@slip(
    "information/no-linear-term",
    "next_query/no-linear-term",
    "ptum/no-linear-term",
    breaks=DEFINITION_1,
)
class _NoLinearTerm(Algorithm1):
    """(x/σ)² alone."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        del weight
        return squared_ratio(x, sigma)


@slip("information/no-square", "ptum/no-square", breaks=DEFINITION_1)
class _NoSquare(Algorithm1):
    """x/σ in place of its square."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        return np.minimum(np.sqrt(squared_ratio(x, sigma)), weight * x)


@slip(
    "information/variance-for-deviation",
    "next_query/variance-for-deviation",
    "ptum/variance-for-deviation",
    breaks=DEFINITION_1,
)
class _VarianceForDeviation(Algorithm1):
    """(x/σ²)²: a variance is taken for a standard deviation."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        return super().smaller(x, sigma**2, weight)


@slip(
    "information/floor-under-deviation",
    "next_query/floor-under-deviation",
    "ptum/floor-under-deviation",
    breaks=DEFINITION_1,
)
class _Floor(Algorithm1):
    """Standard deviations of at least a tenth."""

    least = 0.1

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        return super().smaller(x, np.maximum(sigma, self.least), weight)


@slip(
    "information/small-floor-under-deviation",
    "next_query/small-floor-under-deviation",
    "ptum/small-floor-under-deviation",
    breaks=DEFINITION_1,
)
class _SmallFloor(_Floor):
    """At least half a hundredth, so as not to divide by zero."""

    least = 0.005


@slip(
    "information/nothing-without-variance",
    "next_query/nothing-without-variance",
    "ptum/nothing-without-variance",
    breaks=DEFINITION_1,
)
class _NothingWithoutVariance(Algorithm1):
    """A deviation of zero is taken for no information."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        return np.where(sigma > 0, super().smaller(x, sigma, weight), 0.0)


@slip("information/endless-without-variance", "ptum/endless-without-variance", breaks=DEFINITION_1)
class _Endless(Algorithm1):
    """A deviation of zero is taken for endless information: the linear term is forgotten there."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        at_zero = np.where(x > 0, np.inf, 0.0)
        return np.where(sigma > 0, super().smaller(x, sigma, weight), at_zero)


# The maximum of two parts


@slip("information/sum", "ptum/sum-of-informations", breaks=DEFINITION_1)
class _Sum(Algorithm1):
    """I^r + I^p for the larger of them."""

    def information(self, i: int, j: int) -> Floats:
        return self.of_r(i, j) + self.of_p(i, j)


@slip("information/rewards-only", breaks=DEFINITION_1)
@slip("next_query/rewards-only", "ptum/rewards-only", breaks=LINE_18)
class _RewardsOnly(Algorithm1):
    """I^r alone for max{I^r, I^p}."""

    def information(self, i: int, j: int) -> Floats:
        return self.of_r(i, j)


@slip("information/symmetric", "ptum/symmetric-information", breaks=DEFINITION_1)
class _Symmetric(Algorithm1):
    """The larger of both orders."""

    def information(self, i: int, j: int) -> Floats:
        return np.maximum(super().information(i, j), super().information(j, i))
