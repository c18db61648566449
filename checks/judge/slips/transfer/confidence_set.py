"""Slips in lines 7-12."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ptum.checks.judge.capabilities.transfer.confidence_set import PlainSet, by_hand
from ptum.checks.judge.judging.items import (
    C_P,
    C_R,
    DEVIATIONS,
    LEMMA_3,
    LINE_12,
    LINE_20,
    LINES_7_TO_10,
    LINES_8_AND_10,
    LINES_9_AND_10,
    VALUES,
    Item,
    equations,
)
from ptum.checks.judge.plain.ptum import PlainPtum
from ptum.checks.judge.slips import Bad


class _OneSided(PlainSet):
    """No absolute value: only data above the model count."""

    def off(self, found: float, told: float, width: float) -> bool:
        return found - told > width


class _OtherSide(PlainSet):
    """No absolute value: only data below the model count."""

    def off(self, found: float, told: float, width: float) -> bool:
        return told - found > width


class _Grows(PlainSet):
    """Every model is tested again, active before or not."""

    def tested(self, t: int, active: list[int]) -> list[int]:
        del active
        return super().tested(t, list(range(self.models.k)))


class _OwnValues(PlainSet):
    """Tests (2) and (4) with the tested model's value alone."""

    def missed(self, theta: int, s: int, a: int, active: list[int]) -> bool:
        del active
        return super().missed(theta, s, a, [theta])

    def value_functions(self, active: list[int]) -> Sequence[int]:
        return active


class _FirstValue(PlainSet):
    """Tests (2) and (4) with the value of model 0 alone."""

    def value_functions(self, active: list[int]) -> Sequence[int]:
        del active
        return [0]


class _Population(PlainSet):
    """N for N - 1 in lines 9-10."""

    def statistics(self, numbers: Sequence[float]) -> tuple[float, float]:
        mean, deviation = super().statistics(numbers)
        return mean, deviation * math.sqrt(1 - 1 / len(numbers))


class _Variances(PlainSet):
    """Variances are compared where deviations are meant."""

    def statistics(self, numbers: Sequence[float]) -> tuple[float, float]:
        mean, deviation = super().statistics(numbers)
        return mean, deviation**2


class _Stale(PlainSet):
    """The latest sample is stored but not yet looked at."""

    def tested(self, t: int, active: list[int]) -> list[int]:
        if self.data:
            last = next(reversed(self.data))
            self.data[last] = self.data[last][:-1]
        return super().tested(t, active)

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        kept = self.data.pop((s, a), [])
        self.data[s, a] = [*kept, (reward, successor)]


class _WindowOfStatistics(PlainSet):
    """Means and deviations of the latest samples of a pair, with the number of all of them."""

    window = 200

    def statistics(self, numbers: Sequence[float]) -> tuple[float, float]:
        return super().statistics(numbers[-self.window :])


class _WindowOfData(PlainSet):
    """Only the latest samples of a pair are kept."""

    window = 200

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        super().store(s, a, reward, successor)
        del self.data[s, a][: -self.window]


class _WindowOfValues(PlainSet):
    """Means and deviations of values, not of rewards, from the latest next states."""

    window = 200

    def value_statistics(self, values: Sequence[float]) -> tuple[float, float]:
        return super().value_statistics(values[-self.window :])


class _LongWindowOfData(_WindowOfData):
    window = 500


class _LongWindowOfValues(_WindowOfValues):
    window = 500


class _Sets(PlainSet):
    """Data sets in the literal sense: repeated values are dropped."""

    def statistics(self, numbers: Sequence[float]) -> tuple[float, float]:
        different = sorted(set(numbers))
        return super().statistics(different if len(different) > 1 else numbers)


class _EveryPair(PlainSet):
    """A model falls only if it fails at all pairs."""

    def fails(self, theta: int, active: list[int]) -> bool:
        return bool(self.data) and all(self.missed(theta, s, a, active) for s, a in self.data)


class _StoredAtSuccessor(PlainSet):
    """The sample is stored under the state that followed."""

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        del s
        super().store(successor, a, reward, successor)


class _PairsExchanged(PlainSet):
    """State and action change places where both are possible."""

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        if self.models.S == self.models.A:
            s, a = a, s
        super().store(s, a, reward, successor)


class _ActiveCount(PlainSet):
    """The number of active models in the logarithm."""

    def tested(self, t: int, active: list[int]) -> list[int]:
        self.count = len(active)
        return super().tested(t, active)

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) + math.log((self.count + 1) / (self.models.k + 1))


class _SamplesSoFar(PlainSet):
    """t for n in the logarithm."""

    def log_term(self, factor: int) -> float:
        taken = sum(len(samples) for samples in self.data.values())
        return super().log_term(factor) + math.log((taken + 1) / self.n)


class _NoActions(PlainSet):
    """log(8Sn(|Θ|+1)/δ)."""

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) - math.log(self.models.A)


class _OnePassLess(PlainSet):
    """n - 1 for n in the logarithm."""

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) + math.log((self.n - 1) / self.n)


class _OnePassMore(PlainSet):
    """n + 1 for n in the logarithm."""

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) + math.log((self.n + 1) / self.n)


class _MeansOnly(PlainSet):
    """Tests (3) and (4) are left out."""

    def width_sigma_r(self, N: int) -> float:
        del N
        return math.inf

    def width_sigma_p(self, N: int) -> float:
        del N
        return math.inf


class _NoValueDeviation(PlainSet):
    """Test (4) is left out."""

    def width_sigma_p(self, N: int) -> float:
        del N
        return math.inf


class _NoRewardMean(PlainSet):
    """Test (1) is left out."""

    def width_r(self, N: int, deviation: float) -> float:
        del N, deviation
        return math.inf


class _NoRewardError(PlainSet):
    """Δ^r is missing in test (1)."""

    def width_r(self, N: int, deviation: float) -> float:
        width = super().width_r(N, deviation)
        return width if math.isinf(width) else width - self.errors["r"]


class _NoTransitionError(PlainSet):
    """Δ^p is missing in test (2)."""

    def width_p(self, N: int, deviation: float) -> float:
        width = super().width_p(N, deviation)
        return width if math.isinf(width) else width - self.errors["p"]


class _NoDeviationErrors(PlainSet):
    """Δ^{σ_r} and Δ^{σ_p} are missing in tests (3) and (4)."""

    def width_sigma_r(self, N: int) -> float:
        return math.sqrt(2 * self.log_term(4) / (N - 1))

    def width_sigma_p(self, N: int) -> float:
        return math.sqrt(2 * self.log_term(4) / (N - 1)) / (1 - self.gamma)


class _RootOverFewer(PlainSet):
    """N - 1 for N under the root of C^r."""

    def width_r(self, N: int, deviation: float) -> float:
        return super().width_r(N, deviation * math.sqrt(N / (N - 1)))


class _ShortValues(PlainSet):
    """Values are taken to lie in [0, 1]."""

    def width_p(self, N: int, deviation: float) -> float:
        L = self.log_term(8)
        return deviation * math.sqrt(2 * L / N) + 7 * L / (3 * (N - 1)) + self.errors["p"]


def _bad(slug: str, breaks: Item, slip: type[PlainPtum]) -> Bad:
    return Bad(slug, "confidence_set", breaks, by_hand(slip))


BAD: tuple[Bad, ...] = (
    _bad("one-sided", equations(1, 2, 3, 4), _OneSided),
    _bad("other-side", equations(1, 2, 3, 4), _OtherSide),
    _bad("grows", LINE_12, _Grows),
    _bad("own-values", equations(2, 4), _OwnValues),
    _bad("first-value", equations(2, 4), _FirstValue),
    _bad("population-variance", LINES_9_AND_10, _Population),
    _bad("variances", LINES_9_AND_10, _Variances),
    _bad("stale", LINES_7_TO_10, _Stale),
    _bad("sets", LINES_7_TO_10, _Sets),
    _bad("window-of-statistics", LINES_7_TO_10, _WindowOfStatistics),
    _bad("window-of-data", LINE_20, _WindowOfData),
    _bad("window-of-values", LINES_8_AND_10, _WindowOfValues),
    _bad("long-window-of-data", LINE_20, _LongWindowOfData),
    _bad("long-window-of-values", LINES_8_AND_10, _LongWindowOfValues),
    _bad("latest-pair-only", LINE_12, PlainPtum),
    _bad("every-pair", LINE_12, _EveryPair),
    _bad("stored-at-successor", LINE_20, _StoredAtSuccessor),
    _bad("pairs-exchanged", LINE_20, _PairsExchanged),
    _bad("active-count", LEMMA_3, _ActiveCount),
    _bad("samples-so-far", LEMMA_3, _SamplesSoFar),
    _bad("log-without-actions", LEMMA_3, _NoActions),
    _bad("log-of-one-pass-less", LEMMA_3, _OnePassLess),
    _bad("log-of-one-pass-more", LEMMA_3, _OnePassMore),
    _bad("means-only", equations(3, 4), _MeansOnly),
    _bad("no-value-deviation", equations(4), _NoValueDeviation),
    _bad("no-reward-mean", equations(1), _NoRewardMean),
    _bad("no-reward-error", C_R, _NoRewardError),
    _bad("no-transition-error", C_P, _NoTransitionError),
    _bad("no-deviation-errors", DEVIATIONS, _NoDeviationErrors),
    _bad("root-over-fewer", C_R, _RootOverFewer),
    _bad("short-values", VALUES, _ShortValues),
)
