"""Slips in lines 2, 5 and 14."""

from __future__ import annotations

import math

import numpy as np

from ptum.checks.judge.judging.items import LINE_2, LINE_5, LINE_14, Item
from ptum.checks.judge.plain.algorithm_1 import Algorithm1
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Floats

LINES_2_AND_14 = Item("lines 2 and 14", *LINE_2.places, *LINE_14.places)

# Line 14: which policies, in which models


@slip("stopping/strict", "ptum/strict-stop", breaks=LINE_14)
class _Strict(Algorithm1):
    """< for ≤; what differs by rounding counts as equal."""

    def little(self, loss: float) -> bool:
        return loss < self.slack() - self.room


@slip("stopping/quantifiers-exchanged", "ptum/quantifiers-exchanged", breaks=LINE_14)
class _SomeRival(Algorithm1):
    """∃θ' for ∀θ', which is as good as ∀θ'∃θ: every policy loses nothing in its own model."""

    def is_good(self, theta: int, active: list[int]) -> bool:
        return any(self.little(self.loss(rival, theta)) for rival in self.rivals(active))


@slip("stopping/models-exchanged", "ptum/models-exchanged", breaks=LINE_14)
class _OtherWay(Algorithm1):
    """The policies of all θ' in θ, not the policy of θ in all θ'."""

    def losses(self, rival: int, theta: int) -> Floats:
        return super().losses(theta, rival)


@slip("stopping/first-rival-only", "ptum/first-rival-only", breaks=LINE_14)
class _FirstRival(Algorithm1):
    """Good in the first active model is good enough."""

    def rivals(self, active: list[int]) -> list[int]:
        return active[:1]


@slip("stopping/eliminated-rivals", "ptum/good-in-all-models", breaks=LINE_14)
class _AllRivals(Algorithm1):
    """Must be good in eliminated models too."""

    def rivals(self, active: list[int]) -> list[int]:
        del active
        return list(range(self.k))


@slip("stopping/eliminated-candidates", "ptum/eliminated-candidates", breaks=LINE_14)
class _AllCandidates(Algorithm1):
    """Policies of eliminated models may be returned."""

    def candidates(self, active: list[int]) -> list[int]:
        del active
        return list(range(self.k))


@slip("ptum/first-active-policy", breaks=LINE_14)
class _FirstActivePolicy(Algorithm1):
    """Where some policy is good, that of the first active model is returned."""

    def good(self, active: list[int]) -> list[int]:
        return active[:1] if super().good(active) else []


@slip("ptum/only-one-left", breaks=LINE_14)
class _OnlyOneLeft(Algorithm1):
    def good(self, active: list[int]) -> list[int]:
        return active if len(active) == 1 else []


@slip("ptum/never-without-data", breaks=LINE_14)
class _NeverWithoutData(Algorithm1):
    def good(self, active: list[int]) -> list[int]:
        return super().good(active) if self.data else []


# Line 14: the loss


@slip("stopping/any-state", "ptum/any-state", breaks=LINE_14)
class _AnyState(Algorithm1):
    """The smallest loss over states."""

    def loss(self, rival: int, theta: int) -> float:
        return float(np.min(self.losses(rival, theta)))


@slip("stopping/first-state", "ptum/first-state-only", breaks=LINE_14)
class _FirstState(Algorithm1):
    """As if every task began in state 0."""

    def loss(self, rival: int, theta: int) -> float:
        return float(self.losses(rival, theta)[0])


@slip("stopping/last-state", "ptum/last-state", breaks=LINE_14)
class _LastState(Algorithm1):
    """A loop over states that keeps its last result."""

    def loss(self, rival: int, theta: int) -> float:
        return float(self.losses(rival, theta)[-1])


@slip("stopping/mean-loss", "ptum/average-loss", breaks=LINE_14)
class _MeanLoss(Algorithm1):
    """The mean loss over states for the largest."""

    def loss(self, rival: int, theta: int) -> float:
        return float(np.mean(self.losses(rival, theta)))


@slip("stopping/sum-of-losses", "ptum/sum-of-losses", breaks=LINE_14)
class _SumOfLosses(Algorithm1):
    """The losses of all states are added up."""

    def loss(self, rival: int, theta: int) -> float:
        return float(np.sum(self.losses(rival, theta)))


# Line 14: the slack


@slip("stopping/no-error-term", "ptum/whole-epsilon", breaks=LINE_14)
class NoErrorTerm(Algorithm1):
    """Line 14 without 2Δ(1+γ)/(1-γ)."""

    def slack(self) -> float:
        return self.epsilon


@slip("stopping/no-finite-error-term", "ptum/no-finite-error-term", breaks=LINE_14)
class _NoFiniteErrorTerm(Algorithm1):
    """Line 14 without 2Δ(1+γ)/(1-γ), unless that is infinite."""

    def slack(self) -> float:
        return -math.inf if math.isinf(self.Delta) else self.epsilon


@slip("stopping/error-added", "ptum/error-added", breaks=LINE_14)
class _ErrorAdded(Algorithm1):
    """2Δ(1+γ)/(1-γ) is added to ε in place of taken away."""

    def slack(self) -> float:
        return self.epsilon + 2 * min(self.Delta, 1e9) * self.ratio


@slip("stopping/1-error", "ptum/slack-of-one-error", breaks=LINE_14)
class _OneError(Algorithm1):
    """Δ for 2Δ in line 14."""

    def slack(self) -> float:
        return self.epsilon - self.Delta * self.ratio


@slip("stopping/4-errors", "ptum/slack-of-four-errors", breaks=LINE_14)
class _FourErrors(Algorithm1):
    """4Δ for 2Δ in line 14."""

    def slack(self) -> float:
        return self.epsilon - 4 * self.Delta * self.ratio


@slip("stopping/no-numerator", "ptum/slack-without-numerator", breaks=LINE_14)
class _NoNumerator(Algorithm1):
    """2Δ/(1-γ) for 2Δ(1+γ)/(1-γ)."""

    def slack(self) -> float:
        return self.epsilon - 2 * self.Delta / (1 - self.gamma)


@slip("stopping/slack-without-discount", "ptum/slack-without-discount", breaks=LINE_14)
class _SlackWithoutDiscount(Algorithm1):
    """2Δ(1+γ) for 2Δ(1+γ)/(1-γ)."""

    def slack(self) -> float:
        return self.epsilon - 2 * self.Delta * (1 + self.gamma)


@slip("stopping/ratio-inverted", "ptum/slack-ratio-inverted", breaks=LINE_14)
class _RatioInverted(Algorithm1):
    """(1-γ)/(1+γ) for (1+γ)/(1-γ)."""

    def slack(self) -> float:
        return self.epsilon - 2 * self.Delta / self.ratio


@slip("ptum/slack-of-two-errors", breaks=LINE_14)
class _SlackOfTwoErrors(Algorithm1):
    """max{Δ^r, Δ^p} for Δ."""

    def error_of_line_14(self) -> float:
        return max(self.errors["r"], self.errors["p"])


@slip("ptum/more-slack", breaks=LINE_14)
class _MoreSlack(Algorithm1):
    extra = 1e-4

    def slack(self) -> float:
        return super().slack() + self.extra


@slip("ptum/less-slack", breaks=LINE_14)
class _LessSlack(_MoreSlack):
    extra = -1e-4


# Line 2


@slip("stopping/reward-error-only", "ptum/reward-error-only", breaks=LINES_2_AND_14)
class _RewardErrorOnly(Algorithm1):
    """Δ^r for Δ, in both lines."""

    def error_of_line_2(self) -> float:
        return self.errors["r"]

    def error_of_line_14(self) -> float:
        return self.errors["r"]


@slip("ptum/threshold-of-reward-error", breaks=LINE_2)
class _ThresholdOfRewardError(Algorithm1):
    """Δ^r for Δ."""

    def error_of_line_2(self) -> float:
        return self.errors["r"]


@slip("ptum/threshold-of-two-errors", breaks=LINE_2)
class _ThresholdOfTwoErrors(Algorithm1):
    """max{Δ^r, Δ^p} for Δ."""

    def error_of_line_2(self) -> float:
        return max(self.errors["r"], self.errors["p"])


@slip("stopping/enters-at-equality", "ptum/enters-at-equality", breaks=LINE_2)
class _EntersAtEquality(Algorithm1):
    """> for ≥ in the printed line 2."""

    def enters(self) -> bool:
        return self.Delta <= self.threshold()


@slip("stopping/16-for-18", "ptum/16-for-18", breaks=LINE_2)
class _SixteenNotEighteen(Algorithm1):
    """A repair that forgets the slack of line 14."""

    def enters(self) -> bool:
        return self.Delta <= self.epsilon / (16 * self.ratio)


@slip("stopping/2-for-4", "ptum/2-for-4", breaks=LINE_2)
class TwoNotFour(Algorithm1):
    """The slack is positive: not enough for line 2."""

    def threshold(self) -> float:
        return self.epsilon / (2 * self.ratio)


@slip("stopping/threshold-inverted", "ptum/threshold-inverted", breaks=LINE_2)
class _ThresholdInverted(Algorithm1):
    """(1+γ)/(1-γ) for (1-γ)/(1+γ)."""

    def threshold(self) -> float:
        return self.epsilon * self.ratio / 4


@slip("ptum/threshold-without-discount", breaks=LINE_2)
class _ThresholdWithoutDiscount(Algorithm1):
    def threshold(self) -> float:
        return self.epsilon / 4


@slip("ptum/threshold-without-numerator", breaks=LINE_2)
class _ThresholdWithoutNumerator(Algorithm1):
    def threshold(self) -> float:
        return self.epsilon * (1 - self.gamma) / 4


@slip("stopping/falls-back", "ptum/falls-back", breaks=LINE_2)
class _FallsBack(Algorithm1):
    """The two branches of line 2 are exchanged."""

    def enters(self) -> bool:
        return not super().enters()


# Line 5


@slip("ptum/one-query-too-many", breaks=LINE_5)
class _OneQueryTooMany(Algorithm1):
    """n + 1 iterations, with n in the logarithms."""

    def iterations(self) -> int:
        return self.n + 1


@slip("ptum/one-query-too-few", breaks=LINE_5)
class _OneQueryTooFew(Algorithm1):
    """n - 1 iterations, with n in the logarithms."""

    def iterations(self) -> int:
        return self.n - 1
