"""Slips in lines 2 and 14."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ptum.checks.judge.judging.items import LINE_2, LINE_14, Item
from ptum.checks.judge.messages.parsing import as_models
from ptum.checks.judge.slips import Bad
from ptum.reference.arrays import Floats, Ints

LINES_2_AND_14 = Item("lines 2 and 14", *LINE_2.places, *LINE_14.places)


class PlainStopping:
    """Both lines in pieces, each of which a slip replaces."""

    def __init__(
        self,
        models: Sequence[Mapping[str, Floats]],
        gamma: float,
        epsilon: float,
        errors: Mapping[str, float],
        active: Ints,
    ) -> None:
        self.models, self.gamma, self.epsilon = as_models(models, gamma), gamma, epsilon
        self.errors, self.active = errors, active.tolist()

    def answer(self) -> dict[str, object]:
        """The fields of the answer."""
        return {
            "good": [theta for theta in self.candidates() if self.good(theta)],
            "transfer": int(self.enters()),
        }

    @property
    def Delta(self) -> float:
        """The largest error."""
        return max(self.errors.values())

    @property
    def ratio(self) -> float:
        """(1+γ)/(1-γ)."""
        return (1 + self.gamma) / (1 - self.gamma)

    def enters(self) -> bool:
        """Line 2 fails."""
        return self.Delta < self.epsilon / (4 * self.ratio)

    def slack(self) -> float:
        """ε - 2Δ(1+γ)/(1-γ)."""
        return self.epsilon - 2 * self.Delta * self.ratio

    def candidates(self) -> list[int]:
        """Models whose policy may be returned."""
        return list(self.active)

    def rivals(self, theta: int) -> list[int]:  # noqa: ARG002 - for slips
        """Models in which it must be good."""
        return list(self.active)

    def good(self, theta: int) -> bool:
        """Line 14 for one model."""
        return all(self.little(self.loss(rival, theta)) for rival in self.rivals(theta))

    def loss(self, rival: int, theta: int) -> float:
        """The largest loss over states."""
        return float(np.max(self.losses(rival, theta)))

    def losses(self, rival: int, theta: int) -> Floats:
        """Ṽ*_θ' - Ṽ_θ'^{π̃*_θ}."""
        lost: Floats = self.models.V_star[rival] - self.models.V_pi[rival, theta]
        return lost

    def little(self, loss: float) -> bool:
        """The comparison, with room for rounding in long sums."""
        room = 1e-12 / (1 - self.gamma) ** 2 if self.gamma > 0 else 0.0
        return loss <= self.slack() + room


class _Strict(PlainStopping):
    """< for ≤; what differs by rounding counts as equal."""

    def little(self, loss: float) -> bool:
        return loss < self.slack() - 1e-12


class _SomeRival(PlainStopping):
    """∃θ' for ∀θ', which is as good as ∀θ'∃θ: every policy loses nothing in its own model."""

    def good(self, theta: int) -> bool:
        return any(self.little(self.loss(rival, theta)) for rival in self.rivals(theta))


class _OtherWay(PlainStopping):
    """The policies of all θ' in θ, not the policy of θ in all θ'."""

    def losses(self, rival: int, theta: int) -> Floats:
        return super().losses(theta, rival)


class _FirstOnly(PlainStopping):
    """Good in the first active model is good enough."""

    def rivals(self, theta: int) -> list[int]:
        return super().rivals(theta)[:1]


class _AllRivals(PlainStopping):
    """Must be good in eliminated models too."""

    def rivals(self, theta: int) -> list[int]:
        del theta
        return list(range(self.models.k))


class _AllCandidates(PlainStopping):
    """Policies of eliminated models may be returned."""

    def candidates(self) -> list[int]:
        return list(range(self.models.k))


class _AnyState(PlainStopping):
    """The smallest loss over states."""

    def loss(self, rival: int, theta: int) -> float:
        return float(np.min(self.losses(rival, theta)))


class _FirstState(PlainStopping):
    """As if every task began in state 0."""

    def loss(self, rival: int, theta: int) -> float:
        return float(self.losses(rival, theta)[0])


class _LastState(PlainStopping):
    """A loop over states that keeps its last result."""

    def loss(self, rival: int, theta: int) -> float:
        return float(self.losses(rival, theta)[-1])


class _MeanLoss(PlainStopping):
    def loss(self, rival: int, theta: int) -> float:
        return float(np.mean(self.losses(rival, theta)))


class _SumOfLosses(PlainStopping):
    """The losses of all states are added up."""

    def loss(self, rival: int, theta: int) -> float:
        return float(np.sum(self.losses(rival, theta)))


class _NoErrorTerm(PlainStopping):
    def slack(self) -> float:
        return self.epsilon


class _ErrorAdded(PlainStopping):
    """+ for -."""

    def slack(self) -> float:
        return self.epsilon + 2 * min(self.Delta, 1e9) * self.ratio


class _OneError(PlainStopping):
    """Δ for 2Δ."""

    def slack(self) -> float:
        return self.epsilon - self.Delta * self.ratio


class _FourErrors(PlainStopping):
    """4Δ for 2Δ."""

    def slack(self) -> float:
        return self.epsilon - 4 * self.Delta * self.ratio


class _NoNumerator(PlainStopping):
    """2Δ/(1-γ) for 2Δ(1+γ)/(1-γ)."""

    def slack(self) -> float:
        return self.epsilon - 2 * self.Delta / (1 - self.gamma)


class _RatioInverted(PlainStopping):
    """(1-γ)/(1+γ) for (1+γ)/(1-γ) in line 14."""

    def slack(self) -> float:
        return self.epsilon - 2 * self.Delta / self.ratio


class _RewardErrorOnly(PlainStopping):
    """Δ^r for Δ, in both lines."""

    @property
    def Delta(self) -> float:
        return self.errors["r"]


class _EntersAtEquality(PlainStopping):
    """> for ≥ in the printed line 2."""

    def enters(self) -> bool:
        return self.Delta <= self.epsilon / (4 * self.ratio)


class _RepairedStrict(PlainStopping):
    """The repaired threshold, but equality falls back."""

    def enters(self) -> bool:
        return self.Delta < self.epsilon / (18 * self.ratio)


class _SixteenNotEighteen(PlainStopping):
    """A repair that forgets the slack of line 14."""

    def enters(self) -> bool:
        return self.Delta <= self.epsilon / (16 * self.ratio)


class _TwoNotFour(PlainStopping):
    """The slack is positive: not enough for line 2."""

    def enters(self) -> bool:
        return self.Delta < self.epsilon / (2 * self.ratio)


class _ThresholdInverted(PlainStopping):
    """(1+γ)/(1-γ) for (1-γ)/(1+γ) in line 2."""

    def enters(self) -> bool:
        return self.Delta < self.epsilon * self.ratio / 4


class _FallsBack(PlainStopping):
    """1 says that line 2 falls back."""

    def enters(self) -> bool:
        return not super().enters()


def _bad(slug: str, breaks: Item, slip: type[PlainStopping]) -> Bad:
    return Bad(slug, "stopping", breaks, lambda **request: slip(**request).answer())


BAD: tuple[Bad, ...] = (
    _bad("strict", LINE_14, _Strict),
    _bad("quantifiers-exchanged", LINE_14, _SomeRival),
    _bad("models-exchanged", LINE_14, _OtherWay),
    _bad("first-rival-only", LINE_14, _FirstOnly),
    _bad("eliminated-rivals", LINE_14, _AllRivals),
    _bad("eliminated-candidates", LINE_14, _AllCandidates),
    _bad("any-state", LINE_14, _AnyState),
    _bad("first-state", LINE_14, _FirstState),
    _bad("last-state", LINE_14, _LastState),
    _bad("mean-loss", LINE_14, _MeanLoss),
    _bad("sum-of-losses", LINE_14, _SumOfLosses),
    _bad("no-error-term", LINE_14, _NoErrorTerm),
    _bad("error-added", LINE_14, _ErrorAdded),
    _bad("1-error", LINE_14, _OneError),
    _bad("4-errors", LINE_14, _FourErrors),
    _bad("no-numerator", LINE_14, _NoNumerator),
    _bad("ratio-inverted", LINE_14, _RatioInverted),
    _bad("reward-error-only", LINES_2_AND_14, _RewardErrorOnly),
    _bad("enters-at-equality", LINE_2, _EntersAtEquality),
    _bad("repaired-strict", LINE_2, _RepairedStrict),
    _bad("16-for-18", LINE_2, _SixteenNotEighteen),
    _bad("2-for-4", LINE_2, _TwoNotFour),
    _bad("threshold-inverted", LINE_2, _ThresholdInverted),
    _bad("falls-back", LINE_2, _FallsBack),
)
