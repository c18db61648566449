"""The terms of Theorem 1 and Corollary 1 in rational arithmetic; model 0 is the target.

| symbol                                 | code                  |
| -------------------------------------- | --------------------- |
| κ_ε                                    | `kappa`               |
| ‖r̃_θ - r̃_θ*‖                         | `reward_distance`     |
| ‖(p̃_θ - p̃_θ*)ᵀ Ṽ*_θ*‖                | `transition_distance` |
| Θ_ε, Θ_s                               | `theta_eps`, `theta_s`|
| max_{s,a} min_θ I_{s,a}(θ*,θ)          | `max_min`             |
| min_θ max_{s,a} I_{s,a}(θ*,θ)          | `min_max`             |
| Γ                                      | `gap_Gamma`           |
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.spec.vocabulary import Version

TARGET = 0
MaybeInfinite: TypeAlias = Fraction | float
"""A rational number, or +inf as the minimum over nothing."""


@dataclass(frozen=True)
class Situation:
    """Models of which number 0 is the target, and what the agent is told."""

    models: tuple[ExactMDP, ...]
    epsilon: Fraction
    Delta: Fraction = Fraction(0)

    @property
    def gamma(self) -> Fraction:
        """The discount factor that all models share."""
        return self.models[0].gamma

    @property
    def kappa(self) -> Fraction:
        """κ_ε = (1-γ)ε/4 - Δ(1+γ)/2."""
        return mdp.kappa(self.epsilon, self.Delta, self.gamma)

    @property
    def slack(self) -> Fraction:
        """What line 14 allows a policy to lose: 4κ_ε/(1-γ)."""
        return mdp.stopping_slack(self.epsilon, self.Delta, self.gamma)


def distances(situation: Situation) -> tuple[tuple[Fraction, Fraction], ...]:
    """Both distances of every model from the target."""
    target = situation.models[TARGET]
    return tuple(
        (mdp.reward_distance(theta, target), mdp.transition_distance(theta, target))
        for theta in situation.models
    )


def theta_eps(situation: Situation) -> tuple[int, ...]:
    """Θ_ε as printed; γG_p > κ_ε is G_p > κ_ε/γ, and void at γ = 0."""
    kappa, gamma = situation.kappa, situation.gamma
    return tuple(
        theta
        for theta, (G_r, G_p) in enumerate(distances(situation))
        if G_r > kappa or (gamma > 0 and gamma * G_p > kappa)
    )


def theta_s(situation: Situation) -> tuple[int, ...]:
    """Θ_s = {θ : G_r + γG_p > 2κ_ε}."""
    return tuple(
        theta
        for theta, (G_r, G_p) in enumerate(distances(situation))
        if G_r + situation.gamma * G_p > 2 * situation.kappa
    )


def gap_Gamma(situation: Situation) -> MaybeInfinite:
    """Γ, the smallest over the other models of the larger distance."""
    others = (max(pair) for pair in distances(situation)[1:])
    return min(others, default=math.inf)


def max_min(situation: Situation, blocking: Sequence[int]) -> MaybeInfinite:
    """The printed denominator: first the worst model at each pair, then the best pair."""
    table = _information(situation, blocking)
    pairs = range(situation.models[0].S * situation.models[0].A)
    return max(min((row[pair] for row in table), default=math.inf) for pair in pairs)


def min_max(situation: Situation, blocking: Sequence[int]) -> MaybeInfinite:
    """The repaired denominator: first the best pair for each model, then the worst model."""
    return min((max(row) for row in _information(situation, blocking)), default=math.inf)


def of_theorem_1(situation: Situation, version: Version) -> tuple[tuple[int, ...], MaybeInfinite]:
    """The models that have to be eliminated, and the denominator over them.

    Θ_ε and max-min as printed, Θ_s and min-max repaired; +inf where nothing has to be said.
    """
    if version is Version.PRINTED:
        return theta_eps(situation), max_min(situation, theta_eps(situation))
    return theta_s(situation), min_max(situation, theta_s(situation))


def samples_asked(theta: ExactMDP, other: ExactMDP, s: int, a: int) -> MaybeInfinite:
    """What Lemma 4 asks at Δ = 0 with the deviations and values of θ, in units of 32L.

    The smaller of max{σ²/gap², 1/gap} for rewards and max{σ²/gap², 1/((1-γ)gap)} for transitions.
    """
    V, row = mdp.optimal_value(theta), theta.p[s][a]
    gap_p = abs(mdp.inner(row, V) - mdp.inner(other.p[s][a], V))
    kinds = (
        (abs(theta.r[s][a] - other.r[s][a]), theta.var[s][a], Fraction(1)),
        (gap_p, mdp.variance(row, V), 1 / (1 - theta.gamma)),
    )
    return min(
        (max(square / gap**2, reach / gap) for gap, square, reach in kinds if gap > 0),
        default=math.inf,
    )


def _information(situation: Situation, others: Sequence[int]) -> list[list[Fraction]]:
    """I_{s,a}(θ*,θ): one row per model, one column per pair."""
    target = situation.models[TARGET]
    return [
        [
            mdp.information(target, situation.models[theta], s, a, situation.Delta)
            for s in range(target.S)
            for a in range(target.A)
        ]
        for theta in others
    ]
