"""Slips in line 12 and its tests, equations (1)-(4)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ptum.checks.judge.judging.items import LINE_12, equations
from ptum.checks.judge.plain.algorithm_1 import ActiveValues, Algorithm1, Pair, PairEstimate
from ptum.checks.judge.slips import slip

# The tests


@slip("confidence_set/one-sided", "ptum/one-sided-test", breaks=equations(1, 2, 3, 4))
class _OneSided(Algorithm1):
    """No absolute value: only data above the model count."""

    def outside(self, estimated: float, stated: float, width: float) -> bool:
        return estimated - stated > width


@slip("confidence_set/other-side", "ptum/other-side", breaks=equations(1, 2, 3, 4))
class _OtherSide(Algorithm1):
    """No absolute value: only data below the model count."""

    def outside(self, estimated: float, stated: float, width: float) -> bool:
        return stated - estimated > width


class _WithoutTest(Algorithm1):
    """Some of the four tests are left out."""

    missing: tuple[int, ...]

    def width_r(self, N: int, sigma: float) -> float:
        return math.inf if 1 in self.missing else super().width_r(N, sigma)

    def width_p(self, N: int, sigma: float) -> float:
        return math.inf if 2 in self.missing else super().width_p(N, sigma)

    def width_sigma_r(self, N: int) -> float:
        return math.inf if 3 in self.missing else super().width_sigma_r(N)

    def width_sigma_p(self, N: int) -> float:
        return math.inf if 4 in self.missing else super().width_sigma_p(N)


@slip("confidence_set/no-reward-mean", "ptum/no-equation-1", breaks=equations(1))
class _NoEquation1(_WithoutTest):
    """Test (1) is left out."""

    missing = (1,)


@slip("ptum/no-equation-2", breaks=equations(2))
class NoEquation2(_WithoutTest):
    missing = (2,)


@slip("ptum/no-equation-3", breaks=equations(3))
class NoEquation3(_WithoutTest):
    missing = (3,)


@slip("confidence_set/no-value-deviation", "ptum/no-equation-4", breaks=equations(4))
class NoEquation4(_WithoutTest):
    """Test (4) is left out."""

    missing = (4,)


@slip("confidence_set/means-only", "ptum/means-only", breaks=equations(3, 4))
class _MeansOnly(_WithoutTest):
    """Tests (3) and (4) are left out."""

    missing = (3, 4)


@slip("confidence_set/own-values", "ptum/own-values-only", breaks=equations(2, 4))
class _OwnValues(Algorithm1):
    """Tests (2) and (4) with the tested model's value alone."""

    def values_tested(self, theta: int, active: list[int]) -> Sequence[int]:
        del active
        return [theta]


@slip("confidence_set/first-value", "ptum/first-value", breaks=equations(2, 4))
class _FirstValue(Algorithm1):
    """Tests (2) and (4) with the value of model 0 alone."""

    def values_tested(self, theta: int, active: list[int]) -> Sequence[int]:
        del theta, active
        return [0]


@slip("confidence_set/first-two-values", "ptum/first-two-values", breaks=equations(2, 4))
class _FirstTwoValues(Algorithm1):
    """Tests (2) and (4) with the values of the first two models alone."""

    def values_tested(self, theta: int, active: list[int]) -> Sequence[int]:
        del theta, active
        return range(min(self.k, 2))


@slip("confidence_set/last-value-forgotten", "ptum/last-value-forgotten", breaks=equations(2, 4))
class _LastValueForgotten(Algorithm1):
    """Tests (2) and (4) without the value of the last model."""

    def values_tested(self, theta: int, active: list[int]) -> Sequence[int]:
        del theta, active
        return range(max(self.k - 1, 1))


@slip("ptum/last-value-forgotten-in-means", breaks=equations(2))
class _LastMeanForgotten(_LastValueForgotten):
    """Test (2) without the value of the last model."""

    def value_deviations_tested(self, theta: int, active: list[int]) -> Sequence[int]:
        del theta, active
        return range(self.k)


@slip("confidence_set/other-values", "ptum/other-values-only", breaks=equations(2, 4))
class _OtherValues(Algorithm1):
    """Tests (2) and (4) without the tested model's value."""

    def values_tested(self, theta: int, active: list[int]) -> Sequence[int]:
        del active
        return [other for other in range(self.k) if other != theta]


@slip(
    "confidence_set/values-of-those-left",
    "ptum/values-of-those-left",
    breaks=equations(2, 4),
)
class _ValuesOfThoseLeft(ActiveValues):
    """Tests (2) and (4) without the values of models that fell earlier in the same line 12."""

    def tested(self, t: int, active: list[int]) -> list[int]:
        self.left = list(active)
        return super().tested(t, active)

    def fails(self, theta: int, hats: Mapping[Pair, PairEstimate], active: list[int]) -> bool:
        del active
        failed = super().fails(theta, hats, self.left)
        if failed:
            self.left.remove(theta)
        return failed


@slip("ptum/own-deviations-only", breaks=equations(4))
class _OwnDeviations(Algorithm1):
    """Equation (4) for θ' = θ alone."""

    def value_deviations_tested(self, theta: int, active: list[int]) -> Sequence[int]:
        del active
        return [theta]


# Which pairs, which models


@slip("confidence_set/latest-pair-only", "ptum/latest-pair-only", breaks=LINE_12)
class _LatestPair(Algorithm1):
    """The pair that was sampled last is tested, whatever is new at others."""

    def tested_pairs(self) -> Iterable[Pair]:
        return self.changed[-1:]


@slip("confidence_set/every-pair", "ptum/every-pair", breaks=LINE_12)
class _EveryPair(Algorithm1):
    """A model is eliminated only if it fails at all pairs."""

    def tested_pairs(self) -> Iterable[Pair]:
        return self.data

    def fails(self, theta: int, hats: Mapping[Pair, PairEstimate], active: list[int]) -> bool:
        failed = (self.fails_at(theta, s, a, hat, active) for (s, a), hat in hats.items())
        return bool(hats) and all(failed)


@slip("confidence_set/twenty-samples-first", "ptum/twenty-samples-first", breaks=LINE_12)
class _TwentySamplesFirst(Algorithm1):
    """Pairs with fewer than 20 samples are not tested."""

    def tested_pairs(self) -> Iterable[Pair]:
        return [pair for pair in self.changed if len(self.data[pair]) >= 20]


@slip("confidence_set/grows", "ptum/active-set-grows", breaks=LINE_12)
class _Grows(Algorithm1):
    """All models are tested on what is new, active before or not: an eliminated one comes back."""

    def tested(self, t: int, active: list[int]) -> list[int]:
        del active
        return super().tested(t, list(range(self.k)))

    def end(self, end: str, theta: int | None = None) -> dict[str, object]:
        return {"policy": super().end(end, theta)["policy"]}


@slip("ptum/all-tested-again", breaks=LINE_12)
class _AllTestedAgain(_Grows):
    """Line 12 from all of Θ, with all data: an eliminated model may pass again."""

    def tested_pairs(self) -> Iterable[Pair]:
        return self.data


@slip("ptum/all-tested-again-and-told", breaks=LINE_12)
class _AllTestedAgainAndReported(_AllTestedAgain):
    """The same slip in a run that reports when each model is eliminated for the first time."""

    def end(self, end: str, theta: int | None = None) -> dict[str, object]:
        first = {one["theta"]: one for one in reversed(self.eliminations)}
        self.eliminations = list(reversed(first.values()))
        return Algorithm1.end(self, end, theta)
