"""Slips in Lemma 3's widths."""

from __future__ import annotations

import math

from ptum.checks.judge.capabilities.transfer.widths import PlainWidths, by_hand
from ptum.checks.judge.judging.items import C_P, C_R, C_SIGMA_P, C_SIGMA_R, Item
from ptum.checks.judge.slips import Bad


class _LogOfTwo(PlainWidths):
    """The union over both sides and both tests is forgotten: 2 for 8 and 4."""

    def log(self, constant: int) -> float:
        del constant
        return super().log(2)


class _LogOfFour(PlainWidths):
    """4 in all widths."""

    def log(self, constant: int) -> float:
        del constant
        return super().log(4)


class _LogOfEight(PlainWidths):
    """8 in all widths."""

    def log(self, constant: int) -> float:
        del constant
        return super().log(8)


class _OneModelLess(PlainWidths):
    """|Θ| for |Θ| + 1."""

    def log(self, constant: int) -> float:
        return math.log(constant * self.N.size * self.n * self.k / self.delta)


class _NoBudget(PlainWidths):
    """No union over counts."""

    def log(self, constant: int) -> float:
        return math.log(constant * self.N.size * (self.k + 1) / self.delta)


class _NoActions(PlainWidths):
    """S for SA."""

    def log(self, constant: int) -> float:
        return math.log(constant * len(self.N) * self.n * (self.k + 1) / self.delta)


class _LogInBaseTwo(PlainWidths):
    def log(self, constant: int) -> float:
        return super().log(constant) / math.log(2)


class _NoRoot(PlainWidths):
    """2σ²L/N without its root."""

    def root_term(self, N: int, sigma: float) -> float:
        return super().root_term(N, sigma) ** 2


class _DeviationForVariance(PlainWidths):
    """√(2σL/N): the deviation is taken for the variance."""

    def root_term(self, N: int, sigma: float) -> float:
        return super().root_term(N, math.sqrt(sigma))


class _VarianceTwice(PlainWidths):
    """√(2σ⁴L/N): the square is taken twice."""

    def root_term(self, N: int, sigma: float) -> float:
        return super().root_term(N, sigma**2)


class _RootOverOneLess(PlainWidths):
    """N - 1 under the root."""

    def root_term(self, N: int, sigma: float) -> float:
        return super().root_term(N - 1, sigma)


class _LinearOverN(PlainWidths):
    """N for N - 1 in the linear term."""

    def linear_term(self, N: int, span: float) -> float:
        return super().linear_term(N + 1, span)


class _SigmaOverN(PlainWidths):
    """N for N - 1 in the widths of deviations."""

    def sigma_width(self, N: int) -> float:
        return super().sigma_width(N + 1) if N > 1 else math.inf


class _SpanForgotten(PlainWidths):
    """1/(1-γ) missing in the linear term of C^p."""

    def linear_term(self, N: int, span: float) -> float:
        del span
        return super().linear_term(N, 1.0)


class _SpanInBothTerms(PlainWidths):
    """1/(1-γ) also at the root of C^p."""

    def mean_width(self, N: int, sigma: float, span: float) -> float:
        return super().mean_width(N, sigma * span, span)


class _SigmaSpanForgotten(PlainWidths):
    """1/(1-γ) missing in C^{σ_p}."""

    def of_sigma_p(self, s: int, a: int) -> float:
        return self.sigma_width(int(self.N[s, a])) + self.errors["sigma_p"]


class _ErrorInsideSpan(PlainWidths):
    """Δ^{σ_p} is divided by 1-γ too."""

    def of_sigma_p(self, s: int, a: int) -> float:
        return (self.sigma_width(int(self.N[s, a])) + self.errors["sigma_p"]) / (1 - self.gamma)


class _KnownVariance(PlainWidths):
    """Bernstein's L/(3N) where the variance is estimated."""

    def linear_term(self, N: int, span: float) -> float:
        return self.log(8) * span / (3 * N)


class _NoRewardError(PlainWidths):
    def of_r(self, s: int, a: int) -> float:
        return self.mean_width(int(self.N[s, a]), float(self.sigma_r[s, a]), 1.0)


class _NoTransitionError(PlainWidths):
    def of_p(self, s: int, a: int, j: int) -> float:
        span = 1 / (1 - self.gamma)
        return self.mean_width(int(self.N[s, a]), float(self.sigma_p[s, a, j]), span)


class _NoDeviationError(PlainWidths):
    def of_sigma_r(self, s: int, a: int) -> float:
        return self.sigma_width(int(self.N[s, a]))


class _ErrorTwice(PlainWidths):
    """2Δ^r: the error of both models."""

    def of_r(self, s: int, a: int) -> float:
        return super().of_r(s, a) + self.errors["r"]


class _ErrorsExchanged(PlainWidths):
    """Δ^{σ_p} in C^{σ_r} and the other way round."""

    def of_sigma_r(self, s: int, a: int) -> float:
        return self.sigma_width(int(self.N[s, a])) + self.errors["sigma_p"]

    def of_sigma_p(self, s: int, a: int) -> float:
        return self.sigma_width(int(self.N[s, a])) / (1 - self.gamma) + self.errors["sigma_r"]


class _FiniteAtOne(PlainWidths):
    """Only N = 0 is infinite, and N - 1 is at least one."""

    def infinite(self, N: int) -> bool:
        return N == 0

    def linear_term(self, N: int, span: float) -> float:
        return super().linear_term(max(N, 2), span)

    def sigma_width(self, N: int) -> float:
        return super().sigma_width(max(N, 2)) if N > 0 else math.inf


class _InfiniteAtTwo(PlainWidths):
    """Two samples are not trusted either."""

    def infinite(self, N: int) -> bool:
        return N <= 2


class _FirstValueForAll(PlainWidths):
    """The deviation of Ṽ* of model 0 stands for all θ'."""

    def of_p(self, s: int, a: int, j: int) -> float:
        del j
        return super().of_p(s, a, 0)


class _RewardDeviationInValueWidth(PlainWidths):
    """σ̂^r in C^p."""

    def of_p(self, s: int, a: int, j: int) -> float:
        del j
        span = 1 / (1 - self.gamma)
        width = self.mean_width(int(self.N[s, a]), float(self.sigma_r[s, a]), span)
        return width + self.errors["p"]


def _bad(slug: str, breaks: Item, slip: type[PlainWidths]) -> Bad:
    return Bad(slug, "widths", breaks, by_hand(slip))


BAD: tuple[Bad, ...] = (
    _bad("log-2", C_R, _LogOfTwo),
    _bad("log-4-for-8", C_R, _LogOfFour),
    _bad("log-8-for-4", C_SIGMA_R, _LogOfEight),
    _bad("log-k", C_R, _OneModelLess),
    _bad("log-without-n", C_R, _NoBudget),
    _bad("log-without-actions", C_R, _NoActions),
    _bad("log-base-2", C_R, _LogInBaseTwo),
    _bad("no-root", C_R, _NoRoot),
    _bad("deviation-for-variance", C_R, _DeviationForVariance),
    _bad("variance-squared", C_R, _VarianceTwice),
    _bad("root-over-n-minus-1", C_R, _RootOverOneLess),
    _bad("linear-over-n", C_R, _LinearOverN),
    _bad("sigma-over-n", C_SIGMA_R, _SigmaOverN),
    _bad("span-forgotten", C_P, _SpanForgotten),
    _bad("span-in-both-terms", C_P, _SpanInBothTerms),
    _bad("sigma-span-forgotten", C_SIGMA_P, _SigmaSpanForgotten),
    _bad("error-inside-span", C_SIGMA_P, _ErrorInsideSpan),
    _bad("known-variance", C_R, _KnownVariance),
    _bad("no-reward-error", C_R, _NoRewardError),
    _bad("no-transition-error", C_P, _NoTransitionError),
    _bad("no-deviation-error", C_SIGMA_R, _NoDeviationError),
    _bad("reward-error-twice", C_R, _ErrorTwice),
    _bad("errors-exchanged", C_SIGMA_R, _ErrorsExchanged),
    _bad("finite-at-one-sample", C_R, _FiniteAtOne),
    _bad("infinite-at-two-samples", C_R, _InfiniteAtTwo),
    _bad("first-value-for-all", C_P, _FirstValueForAll),
    _bad("reward-deviation-in-value-width", C_P, _RewardDeviationInValueWidth),
)
