"""Slips in Lemma 3's widths."""

from __future__ import annotations

import math

from ptum.checks.judge.judging.items import (
    C_P,
    C_R,
    C_SIGMA_P,
    C_SIGMA_R,
    DEVIATIONS,
    LEMMA_3,
    VALUES,
    Item,
)
from ptum.checks.judge.plain.algorithm_1 import Algorithm1, PairEstimate
from ptum.checks.judge.slips import slip

MEANS = Item("Lemma 3, C^r and C^p", *C_R.places, *C_P.places)

# The logarithm


@slip("widths/log-2", breaks=C_R)
@slip("ptum/log-2", breaks=LEMMA_3)
class _LogOfTwo(Algorithm1):
    """The union over both sides and both tests is forgotten: 2 for 8 and 4."""

    def log_term(self, factor: int) -> float:
        del factor
        return super().log_term(2)


@slip("widths/log-4-for-8", breaks=C_R)
@slip("ptum/log-4-everywhere", breaks=LEMMA_3)
class _LogOfFour(Algorithm1):
    """4 in all widths."""

    def log_term(self, factor: int) -> float:
        del factor
        return super().log_term(4)


@slip("widths/log-8-for-4", breaks=C_SIGMA_R)
@slip("ptum/log-8-for-4", breaks=DEVIATIONS)
class LogOfEight(Algorithm1):
    """8 in all widths."""

    def log_term(self, factor: int) -> float:
        del factor
        return super().log_term(8)


class _LogTimes(Algorithm1):
    """Something else inside the logarithm."""

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) + math.log(self.times())

    def times(self) -> float:
        """By what the right number is multiplied."""
        raise NotImplementedError


@slip("widths/log-k", breaks=C_R)
@slip("ptum/log-k", breaks=LEMMA_3)
class _OneModelLess(_LogTimes):
    """|Θ| for |Θ| + 1."""

    def times(self) -> float:
        return self.k / (self.k + 1)


@slip("widths/log-without-n", breaks=C_R)
@slip("ptum/log-without-n", breaks=LEMMA_3)
class _NoBudget(_LogTimes):
    """No union over counts."""

    def times(self) -> float:
        return 1 / self.n


@slip("widths/log-without-actions", breaks=C_R)
@slip("confidence_set/log-without-actions", "ptum/log-without-actions", breaks=LEMMA_3)
class _NoActions(_LogTimes):
    """S for SA in the logarithms."""

    def times(self) -> float:
        return 1 / self.A


@slip("confidence_set/log-of-one-pass-less", "ptum/log-of-one-pass-less", breaks=LEMMA_3)
class _OneIterationLess(_LogTimes):
    """n - 1 for n in the logarithms."""

    def times(self) -> float:
        return max(self.n - 1, 1) / self.n


@slip("confidence_set/log-of-one-pass-more", "ptum/log-of-one-pass-more", breaks=LEMMA_3)
class _OneIterationMore(_LogTimes):
    """n + 1 for n in the logarithms."""

    def times(self) -> float:
        return (self.n + 1) / self.n


@slip("confidence_set/samples-so-far", "ptum/log-samples-so-far", breaks=LEMMA_3)
class _SamplesSoFar(_LogTimes):
    """t for n in the logarithms."""

    def times(self) -> float:
        return (1 + sum(map(len, self.data.values()))) / self.n


@slip("confidence_set/active-count", "ptum/log-active-count", breaks=LEMMA_3)
class _ActiveCount(_LogTimes):
    """The number of active models for |Θ|."""

    def tested(self, t: int, active: list[int]) -> list[int]:
        self.count = len(active)
        return super().tested(t, active)

    def times(self) -> float:
        return (self.count + 1) / (self.k + 1)


@slip("widths/log-base-2", breaks=C_R)
@slip("ptum/log-base-2", breaks=LEMMA_3)
class _LogInBaseTwo(Algorithm1):
    """Logarithms to base 2."""

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) / math.log(2)


# The terms


@slip("widths/no-root", breaks=C_R)
@slip("ptum/no-root", breaks=MEANS)
class _NoRoot(Algorithm1):
    """2σ²L/N without its root."""

    def root_term(self, N: int, sigma: float) -> float:
        return super().root_term(N, sigma) ** 2


@slip("widths/deviation-for-variance", breaks=C_R)
@slip("ptum/deviation-for-variance", breaks=MEANS)
class _DeviationForVariance(Algorithm1):
    """√(2σL/N): the standard deviation is taken for the variance."""

    def root_term(self, N: int, sigma: float) -> float:
        return super().root_term(N, math.sqrt(sigma))


@slip("widths/variance-squared", breaks=C_R)
@slip("ptum/variance-squared", breaks=MEANS)
class _VarianceTwice(Algorithm1):
    """√(2σ⁴L/N): the square is taken twice."""

    def root_term(self, N: int, sigma: float) -> float:
        return super().root_term(N, sigma**2)


@slip("widths/root-over-n-minus-1", breaks=C_R)
@slip("ptum/root-over-n-minus-1", breaks=MEANS)
class _RootOverOneLess(Algorithm1):
    """N - 1 under the root."""

    def root_term(self, N: int, sigma: float) -> float:
        return super().root_term(N - 1, sigma)


@slip("confidence_set/root-over-fewer", "ptum/reward-deviation-over-fewer", breaks=C_R)
class _RewardRootOverOneLess(Algorithm1):
    """N - 1 for N under the root of C^r."""

    def width_r(self, N: int, sigma: float) -> float:
        return super().width_r(N, sigma * math.sqrt(N / max(N - 1, 1)))


@slip("widths/linear-over-n", breaks=C_R)
@slip("ptum/linear-over-n", breaks=LEMMA_3)
class _LinearOverN(Algorithm1):
    """N for N - 1 in the linear term."""

    def linear_term(self, N: int, span: float) -> float:
        return super().linear_term(N + 1, span)


@slip("widths/known-variance", breaks=C_R)
@slip("ptum/known-variance", breaks=MEANS)
class _KnownVariance(Algorithm1):
    """Bernstein's L/(3N) where the variance is estimated."""

    def linear_term(self, N: int, span: float) -> float:
        return self.log_term(8) * span / (3 * N)


@slip("widths/sigma-over-n", breaks=C_SIGMA_R)
@slip("ptum/sigma-over-n", breaks=DEVIATIONS)
class _DeviationOverN(Algorithm1):
    """N for N - 1 in the widths of deviations."""

    def deviation_width(self, N: int) -> float:
        return super().deviation_width(N + 1) if N > 1 else math.inf


@slip("widths/span-forgotten", breaks=C_P)
@slip("confidence_set/short-values", "ptum/values-of-length-one", breaks=VALUES)
class _SpanForgotten(Algorithm1):
    """1/(1-γ) missing in the linear term of C^p: values are taken to lie in [0, 1]."""

    def linear_term(self, N: int, span: float) -> float:
        del span
        return super().linear_term(N, 1.0)


@slip("widths/span-in-both-terms", "ptum/span-in-both-terms", breaks=C_P)
class _SpanInBothTerms(Algorithm1):
    """1/(1-γ) also at the root of C^p."""

    def mean_width(self, N: int, sigma: float, span: float) -> float:
        return super().mean_width(N, sigma * span, span)


@slip("widths/sigma-span-forgotten", "ptum/deviations-of-length-one", breaks=C_SIGMA_P)
class _DeviationSpanForgotten(Algorithm1):
    """1/(1-γ) missing in C^{σ_p}."""

    def width_sigma_p(self, N: int) -> float:
        return self.deviation_width(N) + self.error("sigma_p")


@slip("widths/first-value-for-all", "ptum/first-value-for-all", breaks=C_P)
class _FirstValueForAll(Algorithm1):
    """The deviation of Ṽ* of model 0 stands for all θ'."""

    def width_of_value(self, hat: PairEstimate, j: int) -> float:
        del j
        return super().width_of_value(hat, 0)


@slip("widths/reward-deviation-in-value-width", "ptum/reward-deviation-in-value-width", breaks=C_P)
class _RewardDeviationInValueWidth(Algorithm1):
    """σ̂^r in C^p."""

    def width_of_value(self, hat: PairEstimate, j: int) -> float:
        del j
        return self.width_p(hat.N, hat.sigma_r)


# Counts


@slip("widths/finite-at-one-sample", breaks=C_R)
@slip("ptum/finite-at-one-sample", breaks=LEMMA_3)
class _FiniteAtOne(Algorithm1):
    """Only N = 0 is infinite, and N - 1 is at least one."""

    def infinite(self, N: int) -> bool:
        return N == 0

    def linear_term(self, N: int, span: float) -> float:
        return super().linear_term(max(N, 2), span)

    def deviation_width(self, N: int) -> float:
        return super().deviation_width(max(N, 2)) if N > 0 else math.inf


@slip("widths/infinite-at-two-samples", breaks=C_R)
@slip("ptum/infinite-at-two-samples", breaks=LEMMA_3)
class _InfiniteAtTwo(Algorithm1):
    """Two samples are not trusted either."""

    def infinite(self, N: int) -> bool:
        return N <= 2


@slip("ptum/time-instead-of-count", breaks=LEMMA_3)
class _TimeInsteadOfCount(Algorithm1):
    """All samples so far for those of the pair."""

    def width_r(self, N: int, sigma: float) -> float:
        return super().width_r(max(N, sum(map(len, self.data.values()))), sigma)


# Errors


class _WithoutError(Algorithm1):
    """Some of the errors are left out."""

    missing: tuple[str, ...]

    def error(self, name: str) -> float:
        return 0.0 if name in self.missing else super().error(name)


@slip("widths/no-reward-error", "confidence_set/no-reward-error", "ptum/no-error-in-r", breaks=C_R)
class _NoRewardError(_WithoutError):
    """C^r without Δ^r."""

    missing = ("r",)


@slip(
    "widths/no-transition-error",
    "confidence_set/no-transition-error",
    "ptum/no-error-in-p",
    breaks=C_P,
)
class _NoTransitionError(_WithoutError):
    """C^p without Δ^p."""

    missing = ("p",)


@slip("widths/no-deviation-error", "ptum/no-error-in-sigma-r", breaks=C_SIGMA_R)
class _NoRewardDeviationError(_WithoutError):
    """C^{σ_r} without Δ^{σ_r}."""

    missing = ("sigma_r",)


@slip("ptum/no-error-in-sigma-p", breaks=C_SIGMA_P)
class _NoValueDeviationError(_WithoutError):
    missing = ("sigma_p",)


@slip("confidence_set/no-deviation-errors", "ptum/no-deviation-errors", breaks=DEVIATIONS)
class _NoDeviationErrors(_WithoutError):
    """C^{σ_r} and C^{σ_p} without their errors."""

    missing = ("sigma_r", "sigma_p")


@slip("ptum/largest-error-in-deviations", breaks=DEVIATIONS)
class _LargestErrorInDeviations(Algorithm1):
    """Δ in C^{σ_r} and C^{σ_p}, but Δ^r in C^r and Δ^p in C^p."""

    def error(self, name: str) -> float:
        return self.Delta if name.startswith("sigma") else super().error(name)


@slip("confidence_set/width-of-own-value", "ptum/width-of-own-value", breaks=C_P)
class _WidthOfOwnValue(Algorithm1):
    """σ̂^p(;θ) of the tested model for σ̂^p(;θ') in C^p."""

    def fails_at(self, theta: int, s: int, a: int, hat: PairEstimate, active: list[int]) -> bool:
        self.own = theta
        return super().fails_at(theta, s, a, hat, active)

    def width_of_value(self, hat: PairEstimate, j: int) -> float:  # noqa: ARG002 - the slip
        return super().width_of_value(hat, self.own)


@slip("widths/reward-error-twice", "ptum/reward-error-twice", breaks=C_R)
class _ErrorTwice(Algorithm1):
    """2Δ^r: the error of both models."""

    def width_r(self, N: int, sigma: float) -> float:
        return super().width_r(N, sigma) + self.errors["r"]


@slip("widths/errors-exchanged", breaks=C_SIGMA_R)
@slip("ptum/errors-exchanged", breaks=DEVIATIONS)
class _ErrorsExchanged(Algorithm1):
    """Δ^{σ_p} in C^{σ_r} and the other way round."""

    def error(self, name: str) -> float:
        return super().error({"sigma_r": "sigma_p", "sigma_p": "sigma_r"}.get(name, name))


@slip("widths/error-inside-span", "ptum/error-inside-span", breaks=C_SIGMA_P)
class _ErrorInsideSpan(Algorithm1):
    """Δ^{σ_p} is divided by 1-γ too."""

    def width_sigma_p(self, N: int) -> float:
        return (self.deviation_width(N) + self.error("sigma_p")) * self.span
