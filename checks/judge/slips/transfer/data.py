"""Slips in what is stored and estimated: lines 7-10 and 20."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ptum.checks.judge.judging.items import (
    LINE_9,
    LINE_10,
    LINE_20,
    LINES_7_TO_10,
    LINES_8_AND_10,
    LINES_9_AND_10,
)
from ptum.checks.judge.plain.algorithm_1 import Algorithm1
from ptum.checks.judge.slips import slip

Moments = tuple[float, float]


def _over_N(found: Moments, numbers: Sequence[float]) -> Moments:
    """N for N - 1 in a standard deviation."""
    mean, sigma = found
    return mean, sigma * math.sqrt(1 - 1 / len(numbers))


@slip("confidence_set/population-variance", "ptum/population-variance", breaks=LINES_9_AND_10)
class _PopulationVariance(Algorithm1):
    """Sample variances divided by N for N - 1."""

    def statistics(self, numbers: Sequence[float]) -> Moments:
        return _over_N(super().statistics(numbers), numbers)


@slip("ptum/population-variance-of-rewards", breaks=LINE_9)
class _PopulationVarianceOfRewards(Algorithm1):
    def reward_statistics(self, rewards: Sequence[float]) -> Moments:
        return _over_N(super().reward_statistics(rewards), rewards)


@slip("ptum/population-variance-of-values", breaks=LINE_10)
class _PopulationVarianceOfValues(Algorithm1):
    def value_statistics(self, values: Sequence[float]) -> Moments:
        return _over_N(super().value_statistics(values), values)


@slip("confidence_set/variances", "ptum/variances", breaks=LINES_9_AND_10)
class _Variances(Algorithm1):
    """Variances are compared where standard deviations are meant."""

    def statistics(self, numbers: Sequence[float]) -> Moments:
        mean, sigma = super().statistics(numbers)
        return mean, sigma**2


@slip("confidence_set/stale", "ptum/stale-by-one", breaks=LINES_7_TO_10)
class _Stale(Algorithm1):
    """The latest sample is looked at one iteration too late."""

    late: tuple[tuple[int, int, float, int], ...] = ()

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        for sample in self.late:
            super().store(*sample)
        self.late = ((s, a, reward, successor),)


@slip("confidence_set/sets", "ptum/sets-in-statistics", breaks=LINES_7_TO_10)
class _SetsInStatistics(Algorithm1):
    """Data sets in the literal sense: repeated values are dropped."""

    def statistics(self, numbers: Sequence[float]) -> Moments:
        different = sorted(set(numbers))
        return super().statistics(different if len(different) > 1 else numbers)


@slip("ptum/sets-of-samples", breaks=LINE_20)
class _SetsOfSamples(Algorithm1):
    """A sample that was seen before is not stored again."""

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        if (reward, successor) not in self.data.get((s, a), []):
            super().store(s, a, reward, successor)


@slip("confidence_set/window-of-statistics", "ptum/window-of-statistics", breaks=LINES_7_TO_10)
class _WindowOfStatistics(Algorithm1):
    """Means and deviations of the latest samples of a pair, with the number of all of them."""

    window = 200

    def statistics(self, numbers: Sequence[float]) -> Moments:
        return super().statistics(numbers[-self.window :])


@slip("ptum/long-window-of-statistics", breaks=LINES_7_TO_10)
class _LongWindowOfStatistics(_WindowOfStatistics):
    window = 500


@slip("confidence_set/window-of-values", "ptum/window-of-values", breaks=LINES_8_AND_10)
class _WindowOfValues(Algorithm1):
    """Means and deviations of values, not of rewards, from the latest next states."""

    window = 200

    def value_statistics(self, values: Sequence[float]) -> Moments:
        return super().value_statistics(values[-self.window :])


@slip("confidence_set/long-window-of-values", "ptum/long-window-of-values", breaks=LINES_8_AND_10)
class _LongWindowOfValues(_WindowOfValues):
    """Means and deviations of values from the latest 500 next states."""

    window = 500


@slip("confidence_set/window-of-data", "ptum/window-of-data", breaks=LINE_20)
class _WindowOfData(Algorithm1):
    """Only the latest samples of a pair are kept."""

    window = 200

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        super().store(s, a, reward, successor)
        del self.data[s, a][: -self.window]


@slip("confidence_set/long-window-of-data", "ptum/long-window-of-data", breaks=LINE_20)
class _LongWindowOfData(_WindowOfData):
    """Only the latest 500 samples of a pair are kept."""

    window = 500


@slip("confidence_set/stored-at-successor", "ptum/stored-at-successor", breaks=LINE_20)
class _StoredAtSuccessor(Algorithm1):
    """The sample is stored under the state that followed."""

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        del s
        super().store(successor, a, reward, successor)


@slip("confidence_set/pairs-exchanged", "ptum/pairs-exchanged", breaks=LINE_20)
class _PairsExchanged(Algorithm1):
    """State and action change places where both are possible."""

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        if self.S == self.A:
            s, a = a, s
        super().store(s, a, reward, successor)
