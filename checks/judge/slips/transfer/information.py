"""Slips in Definition 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.judging.items import DEFINITION_1
from ptum.checks.judge.messages.parsing import as_models
from ptum.checks.judge.plain.ptum import squared_ratio
from ptum.checks.judge.slips import Bad
from ptum.reference.arrays import Floats


class PlainInformation:
    """Definition 1 in pieces, each of which a slip replaces."""

    def __init__(
        self,
        models: Sequence[Mapping[str, Floats]],
        gamma: float,
        errors: Mapping[str, float],
    ) -> None:
        self.models, self.gamma, self.errors = as_models(models, gamma), gamma, errors
        self.Delta = max(errors.values())

    def table(self) -> Floats:
        """I[θ][θ'][s][a]."""
        every = range(self.models.k)
        return np.array([[self.total(i, j) for j in every] for i in every])

    def total(self, i: int, j: int) -> Floats:
        """The larger of the two."""
        return np.maximum(self.of_r(i, j), self.of_p(i, j))

    def of_r(self, i: int, j: int) -> Floats:
        """I^r."""
        x = self.excess(np.abs(self.models.r[i] - self.models.r[j]))
        return self.smaller(x, self.models.sigma_r[self.measured(i, j)], 1.0)

    def of_p(self, i: int, j: int) -> Floats:
        """I^p."""
        x = self.excess(self.gap_p(i, j))
        measured = self.measured(i, j)
        return self.smaller(x, self.models.sigma_p[measured, :, :, measured], self.weight())

    def gap_p(self, i: int, j: int) -> Floats:
        """Δ̃^p."""
        gap: Floats = np.abs((self.models.p[i] - self.models.p[j]) @ self.models.V_star[i])
        return gap

    def measured(self, i: int, j: int) -> int:  # noqa: ARG002 - for slips
        """The model whose deviation is used."""
        return i

    def weight(self) -> float:
        """What the linear term of I^p is multiplied with."""
        return 1 - self.gamma

    def excess(self, gap: Floats) -> Floats:
        """[gap - 8Δ]_+."""
        return np.maximum(gap - 8 * self.Delta, 0.0)

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        """min{(x/σ)², weight x}."""
        return np.minimum(squared_ratio(x, sigma), weight * x)


class _FourErrors(PlainInformation):
    """4Δ, as in Lemma 4, for 8Δ."""

    def excess(self, gap: Floats) -> Floats:
        return np.maximum(gap - 4 * self.Delta, 0.0)


class _NoErrors(PlainInformation):
    def excess(self, gap: Floats) -> Floats:
        return gap


class _NoPositivePart(PlainInformation):
    """The square of a negative difference counts as information."""

    def excess(self, gap: Floats) -> Floats:
        return np.abs(np.where(np.isinf(self.Delta), 0.0, gap - 8 * min(self.Delta, 1e9)))


class _OwnConstants(PlainInformation):
    """Δ^r and Δ^p, each in its own term, for their common maximum."""

    def of_r(self, i: int, j: int) -> Floats:
        self.Delta = self.errors["r"]
        return super().of_r(i, j)

    def of_p(self, i: int, j: int) -> Floats:
        self.Delta = self.errors["p"]
        return super().of_p(i, j)


class _MeanError(PlainInformation):
    """Δ as the mean of the four constants."""

    def excess(self, gap: Floats) -> Floats:
        return np.maximum(gap - 8 * sum(self.errors.values()) / 4, 0.0)


class _SecondValue(PlainInformation):
    """The gap is measured with the second model's value."""

    def gap_p(self, i: int, j: int) -> Floats:
        gap: Floats = np.abs((self.models.p[i] - self.models.p[j]) @ self.models.V_star[j])
        return gap


class _SecondDeviation(PlainInformation):
    """The deviations are those of the second model."""

    def measured(self, i: int, j: int) -> int:
        del i
        return j


class _DeviationOfOtherValue(PlainInformation):
    """σ̃^p_θ(;θ') for σ̃^p_θ(;θ)."""

    def of_p(self, i: int, j: int) -> Floats:
        x = self.excess(self.gap_p(i, j))
        return self.smaller(x, self.models.sigma_p[i, :, :, j], self.weight())


class _WeightForgotten(PlainInformation):
    """(1-γ) missing in the linear term."""

    def weight(self) -> float:
        return 1.0


class _WeightInverted(PlainInformation):
    """x/(1-γ), as in n̄."""

    def weight(self) -> float:
        return 1 / (1 - self.gamma)


class _Larger(PlainInformation):
    """max for min, where both are finite."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        ratio = squared_ratio(x, sigma)
        return np.where(np.isinf(ratio), weight * x, np.maximum(ratio, weight * x))


class _NoLinearTerm(PlainInformation):
    """(x/σ)² alone."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        del weight
        return squared_ratio(x, sigma)


class _NoSquare(PlainInformation):
    """x/σ in place of its square."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        return np.minimum(np.sqrt(squared_ratio(x, sigma)), weight * x)


class _VarianceForDeviation(PlainInformation):
    """(x/σ²)²: a variance is taken for a deviation."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        return super().smaller(x, sigma**2, weight)


class _Floor(PlainInformation):
    """Deviations of at least a tenth."""

    least = 0.1

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        return super().smaller(x, np.maximum(sigma, self.least), weight)


class _SmallFloor(_Floor):
    """Deviations of at least half a hundredth, so as not to divide by zero."""

    least = 0.005


class _NothingWithoutVariance(PlainInformation):
    """A deviation of zero is taken for no information."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        return np.where(sigma > 0, super().smaller(x, sigma, weight), 0.0)


class _Endless(PlainInformation):
    """A deviation of zero is taken for endless information: the linear term is forgotten there."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        at_zero = np.where(x > 0, np.inf, 0.0)
        return np.where(sigma > 0, super().smaller(x, sigma, weight), at_zero)


class _Sum(PlainInformation):
    """I^r + I^p for their maximum."""

    def total(self, i: int, j: int) -> Floats:
        return self.of_r(i, j) + self.of_p(i, j)


class _RewardsOnly(PlainInformation):
    def total(self, i: int, j: int) -> Floats:
        return self.of_r(i, j)


class _Symmetric(PlainInformation):
    """The larger of both orders."""

    def table(self) -> Floats:
        one_way = super().table()
        return np.maximum(one_way, one_way.transpose(1, 0, 2, 3))


def answering(slip: type[PlainInformation]) -> Implementation:
    """The table of one slip."""

    def answer(
        models: Sequence[Mapping[str, Floats]], gamma: float, errors: Mapping[str, float]
    ) -> dict[str, Floats]:
        return {"I": slip(models, gamma, errors).table()}

    return answer


def _bad(slug: str, slip: type[PlainInformation]) -> Bad:
    return Bad(slug, "information", DEFINITION_1, answering(slip))


BAD: tuple[Bad, ...] = (
    _bad("4-errors", _FourErrors),
    _bad("no-errors", _NoErrors),
    _bad("no-positive-part", _NoPositivePart),
    _bad("own-constants", _OwnConstants),
    _bad("mean-error", _MeanError),
    _bad("second-value", _SecondValue),
    _bad("second-deviation", _SecondDeviation),
    _bad("deviation-of-other-value", _DeviationOfOtherValue),
    _bad("weight-forgotten", _WeightForgotten),
    _bad("weight-inverted", _WeightInverted),
    _bad("larger", _Larger),
    _bad("no-linear-term", _NoLinearTerm),
    _bad("no-square", _NoSquare),
    _bad("variance-for-deviation", _VarianceForDeviation),
    _bad("floor-under-deviation", _Floor),
    _bad("small-floor-under-deviation", _SmallFloor),
    _bad("nothing-without-variance", _NothingWithoutVariance),
    _bad("endless-without-variance", _Endless),
    _bad("sum", _Sum),
    _bad("rewards-only", _RewardsOnly),
    _bad("symmetric", _Symmetric),
)
