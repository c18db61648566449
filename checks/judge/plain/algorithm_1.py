"""Algorithm 1 written plainly: each step is a method, so that a variant overrides one.

Conforming variants (other ties, other admissible choices) and slips are subclasses; `views` turns a
subclass into an implementation of any capability of Section 3. Written apart from `reference` on
purpose: numbers come from sums over the data as they arrive.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ptum.checks.judge.messages.parsing import as_models
from ptum.reference.arrays import Bools, Floats
from ptum.reference.tasks.models import ApproximateModels

ROUNDED = 1e-12
"""Losses and indices that differ by no more count as equal; cases that are close differ by more."""

TIED = 1e-9
"""Pairs whose indices differ by less than this share of the largest are tied."""

Pair = tuple[int, int]
Samples = list[tuple[float, int]]
Sample = Callable[[int, int], tuple[float, int]]


@dataclass(frozen=True)
class PairEstimate:
    """Lines 7-10 at one pair; `V` and `sigma_p` hold one number for each θ'."""

    N: int
    r: float
    sigma_r: float
    V: Sequence[float]
    sigma_p: Sequence[float]


class Algorithm1:
    """The inputs of Algorithm 1 and its steps; `S`, `A` and `k` alone are enough for the widths."""

    ends_at_zero_index = False
    last_sample_used = False

    def __init__(
        self,
        *,
        gamma: float,
        errors: Mapping[str, float],
        models: Sequence[Mapping[str, Floats]] = (),
        epsilon: float = 1.0,
        delta: float = 0.5,
        n: int = 1,
        S: int = 0,
        A: int = 0,
        k: int = 0,
    ) -> None:
        self.gamma, self.epsilon, self.delta, self.n = gamma, epsilon, delta, n
        self.errors = {name: float(size) for name, size in errors.items()}
        self.S, self.A, self.k = S, A, k
        if models:
            self._know(self.planned(as_models(models, gamma)))
        self.data: dict[Pair, Samples] = {}
        self.changed: list[Pair] = []
        self.eliminations: list[dict[str, object]] = []
        self.queries = 0
        self._indices: dict[tuple[int, ...], Floats] = {}
        self._good: dict[tuple[int, ...], list[int]] = {}

    def planned(self, models: ApproximateModels) -> ApproximateModels:
        """Values and policies of the models."""
        return models

    def _know(self, models: ApproximateModels) -> None:
        self.models, self.k = models, models.k
        self.S, self.A = models.S, models.A
        self.means: Floats = np.einsum("isax,jx->isaj", models.p, models.V_star)

    @property
    def Delta(self) -> float:
        """The largest of the four errors."""
        return max(self.errors.values())

    @property
    def span(self) -> float:
        """1/(1-γ), the largest value."""
        return 1 / (1 - self.gamma)

    # The loop

    def answer(self, sample: Sample) -> dict[str, object]:
        """Lines 2-22 without a fallback."""
        if not self.enters():
            return self.end("models-too-inaccurate")
        active = list(range(self.k))
        for t in range(1, self.iterations() + 1):
            active = self.tested(t, active)
            found = self.ended(active)
            if found is not None:
                return found
            s, a = self.query(active)
            reward, successor = sample(s, a)
            self.queries += 1
            self.store(s, a, reward, successor)
        if self.last_sample_used:
            active = self.tested(self.n + 1, active)
            found = self.ended(active)
            if found is not None and found["policy"] is not None:
                return found
            if not active:
                return self.end("active-set-empty")
        return self.end("budget-exhausted")

    def iterations(self) -> int:
        """Line 5: at most n of them."""
        return self.n

    def ended(self, active: list[int]) -> dict[str, object] | None:
        """The ends of an iteration, in their order."""
        if not active:
            return self.end("active-set-empty")
        good = self.good(active)
        if good:
            return self.end("stopped", self.returned(good))
        if self.ends_at_zero_index and float(self.index(active).max()) <= ROUNDED:
            return self.end("index-zero")
        return None

    def end(self, end: str, theta: int | None = None) -> dict[str, object]:
        """The answer."""
        policy = None if theta is None else self.models.pi_star[theta].tolist()
        return {
            "policy": policy,
            "end": end,
            "eliminations": self.eliminations,
            "queries": self.queries,
        }

    # Line 2

    def enters(self) -> bool:
        """Whether the models are accurate enough."""
        return self.error_of_line_2() < self.threshold()

    def error_of_line_2(self) -> float:
        """Δ."""
        return self.Delta

    def threshold(self) -> float:
        """ε(1-γ)/(4(1+γ))."""
        return self.epsilon * (1 - self.gamma) / (4 * (1 + self.gamma))

    # Line 20 and lines 7-10

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        """Line 20."""
        self.data.setdefault((s, a), []).append((reward, successor))
        self.changed = [pair for pair in self.changed if pair != (s, a)] + [(s, a)]

    def estimate(self, samples: Samples) -> PairEstimate:
        """Lines 7-10 at one pair."""
        r, sigma_r = self.reward_statistics([reward for reward, _ in samples])
        of_values = [
            self.value_statistics([float(V[successor]) for _, successor in samples])
            for V in self.models.V_star
        ]
        V, sigma_p = zip(*of_values, strict=True)
        return PairEstimate(len(samples), r, sigma_r, V, sigma_p)

    def statistics(self, numbers: Sequence[float]) -> tuple[float, float]:
        """Mean and standard deviation; the divisor is N - 1, and one sample has deviation 0."""
        N = len(numbers)
        mean = math.fsum(numbers) / N
        return mean, math.sqrt(math.fsum((x - mean) ** 2 for x in numbers) / max(N - 1, 1))

    def reward_statistics(self, rewards: Sequence[float]) -> tuple[float, float]:
        """Lines 7 and 9."""
        return self.statistics(rewards)

    def value_statistics(self, values: Sequence[float]) -> tuple[float, float]:
        """Lines 8 and 10."""
        return self.statistics(values)

    # Line 12

    def tested(self, t: int, active: list[int]) -> list[int]:
        """The models that are left."""
        hats = {pair: self.estimate(self.data[pair]) for pair in self.tested_pairs()}
        self.changed = []
        left = [theta for theta in active if not self.fails(theta, hats, active)]
        self.eliminations += [{"t": t, "theta": theta} for theta in active if theta not in left]
        return left

    def tested_pairs(self) -> Iterable[Pair]:
        """Those with new samples: at the others nothing has changed."""
        return self.changed

    def fails(self, theta: int, hats: Mapping[Pair, PairEstimate], active: list[int]) -> bool:
        """Whether any of equations (1)-(4) fails at any pair."""
        return any(self.fails_at(theta, s, a, hat, active) for (s, a), hat in hats.items())

    def fails_at(self, theta: int, s: int, a: int, hat: PairEstimate, active: list[int]) -> bool:
        """Equations (1)-(4) at one pair."""
        models, N = self.models, hat.N
        return (
            self.outside(hat.r, models.r[theta, s, a], self.width_r(N, hat.sigma_r))
            or self.outside(hat.sigma_r, models.sigma_r[theta, s, a], self.width_sigma_r(N))
            or any(
                self.outside(hat.V[j], self.means[theta, s, a, j], self.width_of_value(hat, j))
                for j in self.values_tested(theta, active)
            )
            or any(
                self.outside(hat.sigma_p[j], models.sigma_p[theta, s, a, j], self.width_sigma_p(N))
                for j in self.value_deviations_tested(theta, active)
            )
        )

    def outside(self, estimated: float, stated: float, width: float) -> bool:
        """One test."""
        return bool(abs(estimated - stated) > width)

    def values_tested(self, theta: int, active: list[int]) -> Sequence[int]:  # noqa: ARG002
        """The θ' of equation (2)."""
        return range(self.k)

    def value_deviations_tested(self, theta: int, active: list[int]) -> Sequence[int]:
        """The θ' of equation (4)."""
        return self.values_tested(theta, active)

    # Lemma 3

    def log_term(self, factor: int) -> float:
        """log(8SAn(|Θ|+1)/δ), with 4 for the deviations."""
        return math.log(factor * self.S * self.A * self.n * (self.k + 1) / self.delta)

    def infinite(self, N: int) -> bool:
        """Whether there are too few samples for a width (D03)."""
        return N <= 1

    def root_term(self, N: int, sigma: float) -> float:
        """The term with the standard deviation."""
        return sigma * math.sqrt(2 * self.log_term(8) / N)

    def linear_term(self, N: int, span: float) -> float:
        """The term with the range."""
        return 7 * self.log_term(8) * span / (3 * (N - 1))

    def mean_width(self, N: int, sigma: float, span: float) -> float:
        """Empirical Bernstein for a variable with values in [0, span]."""
        if self.infinite(N):
            return math.inf
        return self.root_term(N, sigma) + self.linear_term(N, span)

    def deviation_width(self, N: int) -> float:
        """The width of a standard deviation, in units of the range."""
        return math.inf if self.infinite(N) else math.sqrt(2 * self.log_term(4) / (N - 1))

    def error(self, name: str) -> float:
        """What is added to a width."""
        return self.errors[name]

    def width_r(self, N: int, sigma: float) -> float:
        """C^r."""
        return self.mean_width(N, sigma, 1.0) + self.error("r")

    def width_p(self, N: int, sigma: float) -> float:
        """C^p."""
        return self.mean_width(N, sigma, self.span) + self.error("p")

    def width_of_value(self, hat: PairEstimate, j: int) -> float:
        """C^p for θ' = j."""
        return self.width_p(hat.N, hat.sigma_p[j])

    def width_sigma_r(self, N: int) -> float:
        """C^{σ_r}."""
        return self.deviation_width(N) + self.error("sigma_r")

    def width_sigma_p(self, N: int) -> float:
        """C^{σ_p}."""
        return self.deviation_width(N) * self.span + self.error("sigma_p")

    # Line 14

    def good(self, active: list[int]) -> list[int]:
        """The models whose policy may be returned; depends on the active set alone."""
        key = tuple(active)
        if key not in self._good:
            candidates = self.candidates(active)
            self._good[key] = [theta for theta in candidates if self.is_good(theta, active)]
        return self._good[key]

    def candidates(self, active: list[int]) -> list[int]:
        """Whose policies are looked at."""
        return active

    def rivals(self, active: list[int]) -> list[int]:
        """The models in which a policy must be good."""
        return active

    def is_good(self, theta: int, active: list[int]) -> bool:
        """Whether a model's policy loses little in every active model."""
        return all(self.little(self.loss(rival, theta)) for rival in self.rivals(active))

    def loss(self, rival: int, theta: int) -> float:
        """The largest loss over states."""
        return float(np.max(self.losses(rival, theta)))

    def losses(self, rival: int, theta: int) -> Floats:
        """Ṽ*_θ' - Ṽ_θ'^{π̃*_θ}."""
        losses: Floats = self.models.V_star[rival] - self.models.V_pi[rival, theta]
        return losses

    def little(self, loss: float) -> bool:
        """The comparison, with room for the rounding of values."""
        return loss <= self.slack() + self.room

    @property
    def room(self) -> float:
        """What rounding may add to a loss."""
        return ROUNDED * self.span

    def error_of_line_14(self) -> float:
        """Δ."""
        return self.Delta

    def slack(self) -> float:
        """ε - 2Δ(1+γ)/(1-γ)."""
        return self.epsilon - 2 * self.error_of_line_14() * self.ratio

    @property
    def ratio(self) -> float:
        """(1+γ)/(1-γ)."""
        return (1 + self.gamma) / (1 - self.gamma)

    def returned(self, good: list[int]) -> int:
        """Which of the good models gives the policy."""
        return good[0]

    # Definition 1

    def information(self, i: int, j: int) -> Floats:
        """I(θ_i, θ_j) for every pair [s][a]."""
        return np.maximum(self.of_r(i, j), self.of_p(i, j))

    def of_r(self, i: int, j: int) -> Floats:
        """I^r."""
        x = self.excess(np.abs(self.models.r[i] - self.models.r[j]), self.shift("r"))
        return self.smaller(x, self.sigma_r_of(i, j), 1.0)

    def of_p(self, i: int, j: int) -> Floats:
        """I^p."""
        x = self.excess(self.gap_p(i, j), self.shift("p"))
        return self.smaller(x, self.sigma_p_of(i, j), self.weight())

    def gap_p(self, i: int, j: int) -> Floats:
        """Δ̃^p."""
        gap: Floats = np.abs((self.models.p[i] - self.models.p[j]) @ self.models.V_star[i])
        return gap

    def sigma_r_of(self, i: int, j: int) -> Floats:  # noqa: ARG002 - for slips
        """σ̃^r_θ."""
        sigma: Floats = self.models.sigma_r[i]
        return sigma

    def sigma_p_of(self, i: int, j: int) -> Floats:  # noqa: ARG002 - for slips
        """σ̃^p_θ(;θ)."""
        sigma: Floats = self.models.sigma_p[i, :, :, i]
        return sigma

    def shift(self, gap: str) -> float:  # noqa: ARG002 - for slips
        """8Δ, in the gap of rewards "r" and of transitions "p"."""
        return 8 * self.Delta

    def weight(self) -> float:
        """1-γ, in the linear term of I^p."""
        return 1 - self.gamma

    def excess(self, gap: Floats, shift: float) -> Floats:
        """[gap - shift]_+."""
        return np.maximum(gap - shift, 0.0)

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        """min{(x/σ)², weight x}."""
        return np.minimum(squared_ratio(x, sigma), weight * x)

    # Lines 16-18

    def index(self, active: list[int]) -> Floats:
        """Lines 16-17, which depend on the active set alone."""
        key = tuple(active)
        if key not in self._indices:
            self._indices[key] = self.index_over(active)
        return self._indices[key]

    def index_over(self, active: list[int]) -> Floats:
        """The largest information over all ordered pairs of active models."""
        return self.largest(self.information, active)

    def largest(self, part: Callable[[int, int], Floats], active: list[int]) -> Floats:
        """The same of the whole information or of a part of it."""
        largest: Floats = np.max([part(i, j) for i in active for j in active], axis=0)
        return largest

    def query(self, active: list[int]) -> Pair:
        """Line 18."""
        I_t = self.index(active)
        tied: Bools = I_t >= I_t.max() * (1 - TIED) - ROUNDED
        return self.chosen(np.argwhere(tied).tolist())

    def chosen(self, tied: list[list[int]]) -> Pair:
        """One of the pairs of largest index."""
        s, a = tied[0]
        return s, a


class SingleDelta(Algorithm1):
    """The largest error in all four widths, as the input line of Algorithm 1 has it (D02)."""

    def error(self, name: str) -> float:  # noqa: ARG002 - all alike
        """Δ."""
        return self.Delta


class EighteenForFour(Algorithm1):
    """Line 2 with the repaired constant and the printed ≥ (E01, D24)."""

    def threshold(self) -> float:
        """(1-γ)ε/(18(1+γ))."""
        return self.epsilon / (18 * self.ratio)


class ActiveValues(Algorithm1):
    """Tests (2) and (4) with the values of active models (D10)."""

    def values_tested(self, theta: int, active: list[int]) -> Sequence[int]:  # noqa: ARG002
        """Not of all models."""
        return active


class SingleDeltaActiveValues(SingleDelta, ActiveValues):
    """Both."""


def squared_ratio(x: Floats, sigma: Floats) -> Floats:
    """(x/σ)², 0 where x is, +inf where σ alone is zero."""
    ratio: Floats = np.where(x > 0, np.inf, 0.0)
    np.divide(x, sigma, out=ratio, where=sigma > 0)
    squared: Floats = ratio**2
    return squared
