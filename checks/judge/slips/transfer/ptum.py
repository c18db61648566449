"""Slips in a whole run of Algorithm 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ptum.checks.judge.capabilities.transfer.ptum import plain
from ptum.checks.judge.judging.items import (
    C_P,
    C_R,
    C_SIGMA_P,
    C_SIGMA_R,
    DEFINITION_1,
    LEMMA_3,
    LINE_2,
    LINE_5,
    LINE_9,
    LINE_10,
    LINE_12,
    LINE_14,
    LINE_18,
    LINE_20,
    LINES_7_TO_10,
    LINES_9_AND_10,
    LINES_16_AND_17,
    VALUES,
    equations,
)
from ptum.checks.judge.plain.ptum import ROUNDED, PlainPtum, Sample, squared_ratio
from ptum.checks.judge.slips import Bad
from ptum.reference.arrays import Floats


class _OneSided(PlainPtum):
    def off(self, found: float, told: float, width: float) -> bool:
        return found - told > width


class _PopulationVariance(PlainPtum):
    def statistics(self, numbers: Sequence[float]) -> tuple[float, float]:
        mean, deviation = super().statistics(numbers)
        return mean, deviation * math.sqrt(1 - 1 / len(numbers))


class _PopulationVarianceOfRewards(_PopulationVariance):
    def value_statistics(self, values: Sequence[float]) -> tuple[float, float]:
        return PlainPtum.statistics(self, values)


class _PopulationVarianceOfValues(PlainPtum):
    def value_statistics(self, values: Sequence[float]) -> tuple[float, float]:
        mean, deviation = super().value_statistics(values)
        return mean, deviation * math.sqrt(1 - 1 / len(values))


class _NoUnionOverTheTarget(PlainPtum):
    def log_term(self, factor: int) -> float:
        k = self.models.k
        return super().log_term(factor) + math.log(k / (k + 1))


class _SameLogarithm(PlainPtum):
    def log_term(self, factor: int) -> float:  # noqa: ARG002 - this is the slip
        return super().log_term(4)


class _LogOfSamplesSoFar(PlainPtum):
    def log_term(self, factor: int) -> float:
        taken = sum(len(samples) for samples in self.data.values())
        return super().log_term(factor) + math.log(taken / self.n)


class _LinearTermOverN(PlainPtum):
    def width_r(self, N: int, deviation: float) -> float:
        L = self.log_term(8)
        return deviation * math.sqrt(2 * L / N) + 7 * L / (3 * N) + self.errors["r"]

    def width_p(self, N: int, deviation: float) -> float:
        L = self.log_term(8)
        linear = 7 * L / (3 * N * (1 - self.gamma))
        return deviation * math.sqrt(2 * L / N) + linear + self.errors["p"]


class _RewardDeviationOverFewer(PlainPtum):
    """N - 1 for N under the root of C^r."""

    def width_r(self, N: int, deviation: float) -> float:
        return super().width_r(N, deviation * math.sqrt(N / (N - 1)))


class _ValuesOfLengthOne(PlainPtum):
    def width_p(self, N: int, deviation: float) -> float:
        L = self.log_term(8)
        return deviation * math.sqrt(2 * L / N) + 7 * L / (3 * (N - 1)) + self.errors["p"]


class _NoErrorInRewardWidth(PlainPtum):
    def width_r(self, N: int, deviation: float) -> float:
        return super().width_r(N, deviation) - self.errors["r"]


class _NoErrorInTransitionWidth(PlainPtum):
    def width_p(self, N: int, deviation: float) -> float:
        return super().width_p(N, deviation) - self.errors["p"]


class _NoErrorInRewardDeviation(PlainPtum):
    def width_sigma_r(self, N: int) -> float:
        return super().width_sigma_r(N) - self.errors["sigma_r"]


class _NoErrorInValueDeviation(PlainPtum):
    def width_sigma_p(self, N: int) -> float:
        return super().width_sigma_p(N) - self.errors["sigma_p"]


class _DeviationsOfLengthOne(PlainPtum):
    def width_sigma_p(self, N: int) -> float:
        return math.sqrt(2 * self.log_term(4) / (N - 1)) + self.errors["sigma_p"]


class _NoEquation1(PlainPtum):
    def width_r(self, N: int, deviation: float) -> float:  # noqa: ARG002 - this is the slip
        return math.inf


class _NoEquation2(PlainPtum):
    def width_p(self, N: int, deviation: float) -> float:  # noqa: ARG002 - this is the slip
        return math.inf


class _NoEquation3(PlainPtum):
    def width_sigma_r(self, N: int) -> float:  # noqa: ARG002 - this is the slip
        return math.inf


class _NoEquation4(PlainPtum):
    def width_sigma_p(self, N: int) -> float:  # noqa: ARG002 - this is the slip
        return math.inf


class _MeansOnly(PlainPtum):
    def width_sigma_r(self, N: int) -> float:  # noqa: ARG002 - this is the slip
        return math.inf

    def width_sigma_p(self, N: int) -> float:  # noqa: ARG002 - this is the slip
        return math.inf


class _OwnValuesOnly(PlainPtum):
    def fails(self, theta: int, active: list[int]) -> bool:  # noqa: ARG002 - this is the slip
        return super().fails(theta, [theta])

    def value_functions(self, active: list[int]) -> Sequence[int]:
        return active


class _OwnDeviationsOnly(PlainPtum):
    """Equation (4) for θ' = θ alone."""

    own: int | None = None

    def missed(self, theta: int, s: int, a: int, active: list[int]) -> bool:
        """Equations (1)-(3) as they should be, then all four with the model's own value."""
        self.own = None
        if super().missed(theta, s, a, active):
            return True
        self.own = theta
        return super().missed(theta, s, a, active)

    def value_functions(self, active: list[int]) -> Sequence[int]:
        return super().value_functions(active) if self.own is None else [self.own]

    def width_sigma_p(self, N: int) -> float:
        return math.inf if self.own is None else super().width_sigma_p(N)


class _HalfTheShift(PlainPtum):
    def information(self, theta: int, theta_prime: int) -> Floats:
        whole, self.errors = self.errors, {name: x / 2 for name, x in self.errors.items()}
        found = super().information(theta, theta_prime)
        self.errors = whole
        return found


class _ShiftOfTransitions(PlainPtum):
    """The gaps of transitions are shortened by Δ alone."""

    shift = 1

    def excess_p(self, gap: Floats) -> Floats:
        return np.maximum(gap - self.shift * self.Delta, 0)


class _HalfTheShiftOfTransitions(_ShiftOfTransitions):
    shift = 4


class _TwiceTheShiftOfTransitions(_ShiftOfTransitions):
    shift = 16


class _ShiftOfRewards(PlainPtum):
    """The gaps of rewards are shortened by Δ alone."""

    def excess_r(self, gap: Floats) -> Floats:
        return np.maximum(gap - self.Delta, 0)


class _NoLinearTerm(PlainPtum):
    def information(self, theta: int, theta_prime: int) -> Floats:
        models, excess = self.models, 8 * self.Delta
        x_r = np.maximum(np.abs(models.r[theta] - models.r[theta_prime]) - excess, 0)
        return np.maximum(
            super().information(theta, theta_prime), squared_ratio(x_r, models.sigma_r[theta])
        )


class _Mixed(PlainPtum):
    """I^p with one of its ingredients from the other model."""

    def information(self, theta: int, theta_prime: int) -> Floats:
        models = self.models
        x_r = self.excess_r(np.abs(models.r[theta] - models.r[theta_prime]))
        x_p = self.excess_p(self.gap(theta, theta_prime))
        of_r = np.minimum(squared_ratio(x_r, models.sigma_r[theta]), x_r)
        of_p = squared_ratio(x_p, self.sigma(theta, theta_prime))
        information: Floats = np.maximum(of_r, np.minimum(of_p, (1 - self.gamma) * x_p))
        return information

    def gap(self, theta: int, theta_prime: int) -> Floats:
        """Δ̃^p as it should be."""
        models = self.models
        gap: Floats = np.abs((models.p[theta] - models.p[theta_prime]) @ models.V_star[theta])
        return gap

    def sigma(self, theta: int, theta_prime: int) -> Floats:  # noqa: ARG002 - for slips
        """σ̃^p as it should be."""
        return self.models.sigma_p[theta, :, :, theta]


class _DeviationByOtherChances(_Mixed):
    """σ̃^p_θ'(;θ) for σ̃^p_θ(;θ)."""

    def sigma(self, theta: int, theta_prime: int) -> Floats:
        return self.models.sigma_p[theta_prime, :, :, theta]


class _DeviationOfOtherValue(_Mixed):
    """σ̃^p_θ(;θ') for σ̃^p_θ(;θ)."""

    def sigma(self, theta: int, theta_prime: int) -> Floats:
        return self.models.sigma_p[theta, :, :, theta_prime]


class _GapOfOtherValue(_Mixed):
    """The gap of transitions with V*_θ' for V*_θ."""

    def gap(self, theta: int, theta_prime: int) -> Floats:
        return super().gap(theta_prime, theta)


class _LargerDeviation(_Mixed):
    """The larger of σ̃^p_θ(;θ) and σ̃^p_θ'(;θ') for the first."""

    def sigma(self, theta: int, theta_prime: int) -> Floats:
        return np.maximum(super().sigma(theta, theta), super().sigma(theta_prime, theta_prime))


class _Parts(PlainPtum):
    """I^r and I^p on their own."""

    def of_r(self, theta: int, theta_prime: int) -> Floats:
        """I^r as it should be."""
        models = self.models
        x = self.excess_r(np.abs(models.r[theta] - models.r[theta_prime]))
        return np.minimum(squared_ratio(x, models.sigma_r[theta]), x)

    def of_p(self, theta: int, theta_prime: int) -> Floats:
        """I^p as it should be."""
        models, V = self.models, self.models.V_star[theta]
        x = self.excess_p(np.abs((models.p[theta] - models.p[theta_prime]) @ V))
        return self.smaller(x, models.sigma_p[theta, :, :, theta])

    def smaller(self, x: Floats, sigma: Floats) -> Floats:
        """min{(x/σ)², (1-γ)x}."""
        return np.minimum(squared_ratio(x, sigma), (1 - self.gamma) * x)

    def information(self, theta: int, theta_prime: int) -> Floats:
        return np.maximum(self.of_r(theta, theta_prime), self.of_p(theta, theta_prime))


class _SumOfInformations(_Parts):
    """I^r + I^p for the larger of them."""

    def information(self, theta: int, theta_prime: int) -> Floats:
        return self.of_r(theta, theta_prime) + self.of_p(theta, theta_prime)


class _WeightInSquare(_Parts):
    """((1-γ)x/σ)² for (x/σ)²."""

    def smaller(self, x: Floats, sigma: Floats) -> Floats:
        weighted = (1 - self.gamma) * x
        return np.minimum(squared_ratio(weighted, sigma), weighted)


class _RewardsFirst(_Parts):
    """Transitions count only where no reward tells anything."""

    def largest(self, active: list[int]) -> Floats:
        of_r: Floats = np.max([self.of_r(i, j) for i in active for j in active], axis=0)
        return of_r if np.any(of_r > 0) else super().largest(active)


class _OwnErrors(PlainPtum):
    """Δ^r and Δ^p, each in its own gap, for their common maximum."""

    def excess_r(self, gap: Floats) -> Floats:
        return np.maximum(gap - 8 * self.errors["r"], 0)

    def excess_p(self, gap: Floats) -> Floats:
        return np.maximum(gap - 8 * self.errors["p"], 0)


class _ShiftOfTwoErrors(PlainPtum):
    """8max{Δ^r, Δ^p} for 8Δ."""

    def excess_r(self, gap: Floats) -> Floats:
        return np.maximum(gap - 8 * max(self.errors["r"], self.errors["p"]), 0)

    def excess_p(self, gap: Floats) -> Floats:
        return self.excess_r(gap)


class _SumOverModels(PlainPtum):
    def largest(self, active: list[int]) -> Floats:
        every = [self.information(theta, prime) for theta in active for prime in active]
        total: Floats = np.sum(every, axis=0)
        return total


class _OneOrder(PlainPtum):
    def largest(self, active: list[int]) -> Floats:
        every = [self.information(one, two) for one in active for two in active if one <= two]
        largest: Floats = np.max(every, axis=0)
        return largest


class _IndexOfAllModels(PlainPtum):
    def largest(self, active: list[int]) -> Floats:  # noqa: ARG002 - this is the slip
        return super().largest(list(range(self.models.k)))


class _LeastIndex(PlainPtum):
    def query(self, active: list[int]) -> tuple[int, int]:
        I_t = self.index(active)
        positive = np.where(I_t > 0, I_t, np.inf)
        s, a = np.unravel_index(int(positive.argmin()), I_t.shape)
        return int(s), int(a)


class _RoundRobin(PlainPtum):
    def query(self, active: list[int]) -> tuple[int, int]:  # noqa: ARG002 - this is the slip
        taken = sum(len(samples) for samples in self.data.values())
        s, a = divmod(taken % (self.models.S * self.models.A), self.models.A)
        return s, a


class _QuantifiersExchanged(PlainPtum):
    def good(self, active: list[int]) -> list[int]:
        slack = self.slack() + ROUNDED
        found = all(any(self.loss(prime, theta) <= slack for theta in active) for prime in active)
        return active if found else []


class _GoodInAllModels(PlainPtum):
    def is_good(self, theta: int, active: list[int]) -> bool:  # noqa: ARG002 - this is the slip
        return super().is_good(theta, list(range(self.models.k)))


class _OneStateOnly(PlainPtum):
    def loss(self, theta_prime: int, theta: int) -> float:
        models = self.models
        return float(models.V_star[theta_prime, 0] - models.V_pi[theta_prime, theta, 0])


class _SumOfLosses(PlainPtum):
    def loss(self, theta_prime: int, theta: int) -> float:
        models = self.models
        return float(np.sum(models.V_star[theta_prime] - models.V_pi[theta_prime, theta]))


class _AverageLoss(PlainPtum):
    def loss(self, theta_prime: int, theta: int) -> float:
        models = self.models
        return float(np.mean(models.V_star[theta_prime] - models.V_pi[theta_prime, theta]))


class _WholeEpsilon(PlainPtum):
    def slack(self) -> float:
        return self.epsilon


class _SlackOfFourErrors(PlainPtum):
    def slack(self) -> float:
        return self.epsilon - 4 * self.Delta * (1 + self.gamma) / (1 - self.gamma)


class _SlackOfTwoErrors(PlainPtum):
    """max{Δ^r, Δ^p} for Δ."""

    def slack(self) -> float:
        Delta = max(self.errors["r"], self.errors["p"])
        return self.epsilon - 2 * Delta * (1 + self.gamma) / (1 - self.gamma)


class _MoreSlack(PlainPtum):
    extra = 1e-4

    def slack(self) -> float:
        return super().slack() + self.extra


class _LessSlack(_MoreSlack):
    extra = -1e-4


class _Strict(PlainPtum):
    """> for ≥."""

    def is_good(self, theta: int, active: list[int]) -> bool:
        return all(self.loss(prime, theta) < self.slack() for prime in active)


class _SlackWithoutDiscount(PlainPtum):
    def slack(self) -> float:
        return self.epsilon - 2 * self.Delta * (1 + self.gamma)


class _FirstActivePolicy(PlainPtum):
    def good(self, active: list[int]) -> list[int]:
        return active[:1] if super().good(active) else []


class _OnlyOneLeft(PlainPtum):
    def good(self, active: list[int]) -> list[int]:
        return active if len(active) == 1 else []


class _ActiveSetGrows(PlainPtum):
    """Only the pair sampled last is looked at, so a fallen model comes back."""

    def tested(self, t: int, active: list[int]) -> list[int]:  # noqa: ARG002 - this is the slip
        everyone = list(range(self.models.k))
        return [theta for theta in everyone if not self.fails(theta, everyone)]

    def end(self, end: str, theta: int | None = None) -> dict[str, object]:
        return {"policy": super().end(end, theta)["policy"]}


class _AllTestedAgain(_ActiveSetGrows):
    """Line 12 from all of Θ in every pass, with all data: a fallen model may pass again."""

    def fails(self, theta: int, active: list[int]) -> bool:
        return any(self.missed(theta, s, a, active) for s, a in self.data)


class _AllTestedAgainAndTold(_AllTestedAgain):
    """The same slip in a run that reports when each model falls for the first time."""

    def tested(self, t: int, active: list[int]) -> list[int]:
        left = super().tested(t, active)
        told = {fallen["theta"] for fallen in self.fallen}
        gone = (theta for theta in range(self.models.k) if theta not in left)
        self.fallen += [{"t": t, "theta": theta} for theta in gone if theta not in told]
        return left

    def end(self, end: str, theta: int | None = None) -> dict[str, object]:
        return PlainPtum.end(self, end, theta)


class _StaleByOne(PlainPtum):
    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        """The sample of this pass is tested in the pass after the next."""
        if not hasattr(self, "waiting"):
            self.waiting: list[tuple[int, int, float, int]] = []
        for sample in self.waiting:
            super().store(*sample)
        self.waiting = [(s, a, reward, successor)]


class _WindowOfStatistics(PlainPtum):
    """Means and deviations of the latest samples of a pair, with the number of all of them."""

    window = 200

    def statistics(self, numbers: Sequence[float]) -> tuple[float, float]:
        return super().statistics(numbers[-self.window :])


class _WindowOfData(PlainPtum):
    """Only the latest samples of a pair are kept."""

    window = 200

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        super().store(s, a, reward, successor)
        del self.data[s, a][: -self.window]


class _LongWindowOfStatistics(_WindowOfStatistics):
    window = 500


class _LongWindowOfData(_WindowOfData):
    window = 500


class _Sets(PlainPtum):
    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        self.fresh = s, a
        if (reward, successor) not in self.data.get((s, a), []):
            super().store(s, a, reward, successor)


class _NeverWithoutData(PlainPtum):
    def good(self, active: list[int]) -> list[int]:
        return super().good(active) if self.data else []


class _OneQueryTooMany(PlainPtum):
    """n + 1 passes, with n in the logarithms."""

    def answer(self, sample: Sample) -> dict[str, object]:
        self.budget, self.n = self.n, self.n + 1
        return super().answer(sample)

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) + math.log(self.budget / self.n)


class _OneQueryTooFew(PlainPtum):
    """n - 1 passes, with n in the logarithms."""

    def answer(self, sample: Sample) -> dict[str, object]:
        self.budget, self.n = self.n, self.n - 1
        return super().answer(sample)

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) + math.log(self.budget / self.n)


class _OnePassLessInLogarithms(PlainPtum):
    """n - 1 for n in the logarithms."""

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) + math.log(max(self.n - 1, 1) / self.n)


class _OnePassMoreInLogarithms(PlainPtum):
    """n + 1 for n in the logarithms."""

    def log_term(self, factor: int) -> float:
        return super().log_term(factor) + math.log((self.n + 1) / self.n)


class _ThresholdWithoutDiscount(PlainPtum):
    def enters(self) -> bool:
        return self.Delta < self.epsilon / 4


class _ThresholdWithoutNumerator(PlainPtum):
    def enters(self) -> bool:
        return self.Delta < self.epsilon * (1 - self.gamma) / 4


class _ThresholdOfRewardError(PlainPtum):
    def enters(self) -> bool:
        return self.errors["r"] < self.epsilon * (1 - self.gamma) / (4 * (1 + self.gamma))


class _ThresholdOfTwoErrors(PlainPtum):
    """max{Δ^r, Δ^p} for Δ."""

    def enters(self) -> bool:
        Delta = max(self.errors["r"], self.errors["p"])
        return Delta < self.epsilon * (1 - self.gamma) / (4 * (1 + self.gamma))


class _TimeInsteadOfCount(PlainPtum):
    def width_r(self, N: int, deviation: float) -> float:
        taken = sum(len(samples) for samples in self.data.values())
        return super().width_r(max(N, taken), deviation)


BAD: tuple[Bad, ...] = tuple(
    Bad(slug, "ptum", breaks, plain(kind))
    for slug, breaks, kind in (
        ("one-sided-test", equations(1, 2, 3, 4), _OneSided),
        ("population-variance", LINES_9_AND_10, _PopulationVariance),
        ("population-variance-of-rewards", LINE_9, _PopulationVarianceOfRewards),
        ("population-variance-of-values", LINE_10, _PopulationVarianceOfValues),
        ("log-k", LEMMA_3, _NoUnionOverTheTarget),
        ("log-4-everywhere", LEMMA_3, _SameLogarithm),
        ("log-samples-so-far", LEMMA_3, _LogOfSamplesSoFar),
        ("linear-over-n", LEMMA_3, _LinearTermOverN),
        ("reward-deviation-over-fewer", C_R, _RewardDeviationOverFewer),
        ("values-of-length-one", VALUES, _ValuesOfLengthOne),
        ("no-error-in-r", C_R, _NoErrorInRewardWidth),
        ("no-error-in-p", C_P, _NoErrorInTransitionWidth),
        ("no-error-in-sigma-r", C_SIGMA_R, _NoErrorInRewardDeviation),
        ("no-error-in-sigma-p", C_SIGMA_P, _NoErrorInValueDeviation),
        ("deviations-of-length-one", C_SIGMA_P, _DeviationsOfLengthOne),
        ("no-equation-1", equations(1), _NoEquation1),
        ("no-equation-2", equations(2), _NoEquation2),
        ("no-equation-3", equations(3), _NoEquation3),
        ("no-equation-4", equations(4), _NoEquation4),
        ("means-only", equations(3, 4), _MeansOnly),
        ("own-values-only", equations(2, 4), _OwnValuesOnly),
        ("own-deviations-only", equations(4), _OwnDeviationsOnly),
        ("four-delta", DEFINITION_1, _HalfTheShift),
        ("shift-of-transitions", DEFINITION_1, _ShiftOfTransitions),
        ("half-the-shift-of-transitions", DEFINITION_1, _HalfTheShiftOfTransitions),
        ("twice-the-shift-of-transitions", DEFINITION_1, _TwiceTheShiftOfTransitions),
        ("shift-of-rewards", DEFINITION_1, _ShiftOfRewards),
        ("larger-deviation", DEFINITION_1, _LargerDeviation),
        ("sum-of-informations", DEFINITION_1, _SumOfInformations),
        ("weight-in-square", DEFINITION_1, _WeightInSquare),
        ("own-errors", DEFINITION_1, _OwnErrors),
        ("shift-of-two-errors", DEFINITION_1, _ShiftOfTwoErrors),
        ("rewards-first", LINE_18, _RewardsFirst),
        ("no-linear-term", DEFINITION_1, _NoLinearTerm),
        ("deviation-by-other-chances", DEFINITION_1, _DeviationByOtherChances),
        ("deviation-of-other-value", DEFINITION_1, _DeviationOfOtherValue),
        ("gap-of-other-value", DEFINITION_1, _GapOfOtherValue),
        ("sum-over-models", LINES_16_AND_17, _SumOverModels),
        ("one-order", LINES_16_AND_17, _OneOrder),
        ("index-of-all-models", LINES_16_AND_17, _IndexOfAllModels),
        ("least-index", LINE_18, _LeastIndex),
        ("round-robin", LINE_18, _RoundRobin),
        ("quantifiers-exchanged", LINE_14, _QuantifiersExchanged),
        ("good-in-all-models", LINE_14, _GoodInAllModels),
        ("first-state-only", LINE_14, _OneStateOnly),
        ("average-loss", LINE_14, _AverageLoss),
        ("sum-of-losses", LINE_14, _SumOfLosses),
        ("whole-epsilon", LINE_14, _WholeEpsilon),
        ("slack-of-four-errors", LINE_14, _SlackOfFourErrors),
        ("slack-without-discount", LINE_14, _SlackWithoutDiscount),
        ("slack-of-two-errors", LINE_14, _SlackOfTwoErrors),
        ("more-slack", LINE_14, _MoreSlack),
        ("less-slack", LINE_14, _LessSlack),
        ("strict-stop", LINE_14, _Strict),
        ("first-active-policy", LINE_14, _FirstActivePolicy),
        ("only-one-left", LINE_14, _OnlyOneLeft),
        ("active-set-grows", LINE_12, _ActiveSetGrows),
        ("all-tested-again", LINE_12, _AllTestedAgain),
        ("all-tested-again-and-told", LINE_12, _AllTestedAgainAndTold),
        ("stale-by-one", LINES_7_TO_10, _StaleByOne),
        ("window-of-statistics", LINES_7_TO_10, _WindowOfStatistics),
        ("window-of-data", LINE_20, _WindowOfData),
        ("long-window-of-statistics", LINES_7_TO_10, _LongWindowOfStatistics),
        ("long-window-of-data", LINE_20, _LongWindowOfData),
        ("sets-of-samples", LINE_20, _Sets),
        ("never-without-data", LINE_14, _NeverWithoutData),
        ("one-query-too-many", LINE_5, _OneQueryTooMany),
        ("one-query-too-few", LINE_5, _OneQueryTooFew),
        ("log-of-one-pass-less", LEMMA_3, _OnePassLessInLogarithms),
        ("log-of-one-pass-more", LEMMA_3, _OnePassMoreInLogarithms),
        ("threshold-without-numerator", LINE_2, _ThresholdWithoutNumerator),
        ("threshold-of-reward-error", LINE_2, _ThresholdOfRewardError),
        ("threshold-of-two-errors", LINE_2, _ThresholdOfTwoErrors),
        ("threshold-without-discount", LINE_2, _ThresholdWithoutDiscount),
        ("time-instead-of-count", LEMMA_3, _TimeInsteadOfCount),
    )
)
