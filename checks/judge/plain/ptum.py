"""PTUM once more, plainly: each step of Algorithm 1 is a method, so that a variant overrides one.

Right variants (other ties, other admissible choices) and wrong ones (one slip each) are subclasses.
Written apart from `reference` on purpose: numbers come from sums over the data as they arrive.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ptum.checks.judge.messages.parsing import as_models
from ptum.reference.arrays import Bools, Floats

ROUNDED = 1e-12
"""Losses and indices that differ by no more count as equal; cases that are close differ by more."""

TIED = 1e-9
"""Pairs whose indices differ by less than this share of the largest are tied."""

Samples = list[tuple[float, int]]
Sample = Callable[[int, int], tuple[float, int]]


class PlainPtum:
    """One run; `answer(sample)` returns the fields of the judge's capability `ptum`."""

    ends_at_zero_index = False
    last_sample_used = False

    def __init__(
        self,
        models: Sequence[Mapping[str, Floats]],
        gamma: float,
        errors: Mapping[str, float],
        epsilon: float,
        delta: float,
        n: int,
    ) -> None:
        self.models = as_models(models, gamma)
        self.gamma, self.epsilon, self.delta, self.n = gamma, epsilon, delta, n
        self.errors = {name: float(size) for name, size in errors.items()}
        self.data: dict[tuple[int, int], Samples] = {}
        self.indices: dict[tuple[int, ...], Floats] = {}
        self.fresh: tuple[int, int] | None = None
        self.fallen: list[dict[str, object]] = []

    @property
    def Delta(self) -> float:
        """The largest of the four errors."""
        return max(self.errors.values())

    # The loop

    def answer(self, sample: Sample) -> dict[str, object]:
        """Lines 2-22 without a fallback."""
        if not self.enters():
            return self.end("models-too-inaccurate")
        active = list(range(self.models.k))
        for t in range(1, self.n + 1):
            active = self.tested(t, active)
            found = self.ended(active)
            if found is not None:
                return found
            s, a = self.query(active)
            reward, successor = sample(s, a)
            self.store(s, a, reward, successor)
        if self.last_sample_used:
            active = self.tested(self.n + 1, active)
            found = self.ended(active)
            if found is not None and found["policy"] is not None:
                return found
            if not active:
                return self.end("active-set-empty")
        return self.end("budget-exhausted")

    def ended(self, active: list[int]) -> dict[str, object] | None:
        """The ends of a pass, in their order."""
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
        return {"policy": policy, "end": end, "eliminations": self.fallen}

    # Its steps

    def enters(self) -> bool:
        """Line 2."""
        return self.Delta < self.epsilon * (1 - self.gamma) / (4 * (1 + self.gamma))

    def store(self, s: int, a: int, reward: float, successor: int) -> None:
        """Line 20."""
        self.data.setdefault((s, a), []).append((reward, successor))
        self.fresh = s, a

    def tested(self, t: int, active: list[int]) -> list[int]:
        """Line 12."""
        left = [theta for theta in active if not self.fails(theta, active)]
        self.fallen += [{"t": t, "theta": theta} for theta in active if theta not in left]
        return left

    def fails(self, theta: int, active: list[int]) -> bool:
        """Whether any of equations (1)-(4) fails; only the pair sampled last can have changed."""
        return self.fresh is not None and self.missed(theta, *self.fresh, active)

    def missed(self, theta: int, s: int, a: int, active: list[int]) -> bool:
        """Equations (1)-(4) at one pair."""
        samples, models = self.data[s, a], self.models
        N = len(samples)
        if N < 2:
            return False
        rewards = [reward for reward, _ in samples]
        mean, deviation = self.statistics(rewards)
        if self.off(mean, float(models.r[theta, s, a]), self.width_r(N, deviation)):
            return True
        if self.off(deviation, float(models.sigma_r[theta, s, a]), self.width_sigma_r(N)):
            return True
        for prime in self.value_functions(active):
            V = models.V_star[prime]
            values = [float(V[successor]) for _, successor in samples]
            mean, deviation = self.value_statistics(values)
            if self.off(mean, float(models.p[theta, s, a] @ V), self.width_p(N, deviation)):
                return True
            sigma = float(models.sigma_p[theta, s, a, prime])
            if self.off(deviation, sigma, self.width_sigma_p(N)):
                return True
        return False

    def off(self, found: float, told: float, width: float) -> bool:
        """One test."""
        return abs(found - told) > width

    def value_functions(self, active: list[int]) -> Sequence[int]:  # noqa: ARG002 - for variants
        """The θ' of equations (2) and (4)."""
        return range(self.models.k)

    def statistics(self, numbers: Sequence[float]) -> tuple[float, float]:
        """Mean and deviation of rewards, lines 7 and 9; the divisor is N - 1."""
        N = len(numbers)
        mean = math.fsum(numbers) / N
        return mean, math.sqrt(math.fsum((x - mean) ** 2 for x in numbers) / (N - 1))

    def value_statistics(self, values: Sequence[float]) -> tuple[float, float]:
        """The same of the values of next states, lines 8 and 10."""
        return self.statistics(values)

    def log_term(self, factor: int) -> float:
        """log(8SAn(|Θ|+1)/δ), with 4 for the deviations."""
        models = self.models
        return math.log(factor * models.S * models.A * self.n * (models.k + 1) / self.delta)

    def width_r(self, N: int, deviation: float) -> float:
        """C^r."""
        L = self.log_term(8)
        return deviation * math.sqrt(2 * L / N) + 7 * L / (3 * (N - 1)) + self.errors["r"]

    def width_p(self, N: int, deviation: float) -> float:
        """C^p."""
        L = self.log_term(8)
        linear = 7 * L / (3 * (N - 1) * (1 - self.gamma))
        return deviation * math.sqrt(2 * L / N) + linear + self.errors["p"]

    def width_sigma_r(self, N: int) -> float:
        """C^{σ_r}."""
        return math.sqrt(2 * self.log_term(4) / (N - 1)) + self.errors["sigma_r"]

    def width_sigma_p(self, N: int) -> float:
        """C^{σ_p}."""
        width = math.sqrt(2 * self.log_term(4) / (N - 1)) / (1 - self.gamma)
        return width + self.errors["sigma_p"]

    def slack(self) -> float:
        """ε - 2Δ(1+γ)/(1-γ)."""
        return self.epsilon - 2 * self.Delta * (1 + self.gamma) / (1 - self.gamma)

    def good(self, active: list[int]) -> list[int]:
        """Line 14."""
        return [theta for theta in active if self.is_good(theta, active)]

    def is_good(self, theta: int, active: list[int]) -> bool:
        """Whether a model's policy loses little in every active model."""
        return all(self.loss(prime, theta) <= self.slack() + ROUNDED for prime in active)

    def loss(self, theta_prime: int, theta: int) -> float:
        """The largest loss over states."""
        models = self.models
        return float(np.max(models.V_star[theta_prime] - models.V_pi[theta_prime, theta]))

    def returned(self, good: list[int]) -> int:
        """Which of the good models gives the policy."""
        return good[0]

    def information(self, theta: int, theta_prime: int) -> Floats:
        """Definition 1."""
        models, V = self.models, self.models.V_star[theta]
        x_r = self.excess_r(np.abs(models.r[theta] - models.r[theta_prime]))
        x_p = self.excess_p(np.abs((models.p[theta] - models.p[theta_prime]) @ V))
        of_r = np.minimum(squared_ratio(x_r, models.sigma_r[theta]), x_r)
        of_p = squared_ratio(x_p, models.sigma_p[theta, :, :, theta])
        information: Floats = np.maximum(of_r, np.minimum(of_p, (1 - self.gamma) * x_p))
        return information

    def excess_r(self, gap: Floats) -> Floats:
        """[Δ̃^r - 8Δ]_+."""
        return np.maximum(gap - 8 * self.Delta, 0)

    def excess_p(self, gap: Floats) -> Floats:
        """[Δ̃^p - 8Δ]_+."""
        return np.maximum(gap - 8 * self.Delta, 0)

    def index(self, active: list[int]) -> Floats:
        """Lines 16-17, which depend on the active set alone."""
        key = tuple(active)
        if key not in self.indices:
            self.indices[key] = self.largest(active)
        return self.indices[key]

    def largest(self, active: list[int]) -> Floats:
        """The largest information over all ordered pairs of active models."""
        every = [self.information(theta, prime) for theta in active for prime in active]
        largest: Floats = np.max(every, axis=0)
        return largest

    def query(self, active: list[int]) -> tuple[int, int]:
        """Line 18."""
        I_t = self.index(active)
        tied: Bools = I_t >= I_t.max() * (1 - TIED) - ROUNDED
        return self.chosen(np.argwhere(tied).tolist())

    def chosen(self, tied: list[list[int]]) -> tuple[int, int]:
        """One of the pairs of largest index."""
        s, a = tied[0]
        return s, a


def squared_ratio(x: Floats, sigma: Floats) -> Floats:
    """(x/σ)², 0 where x is, +inf where σ alone is zero."""
    ratio: Floats = np.where(x > 0, np.inf, 0.0)
    np.divide(x, sigma, out=ratio, where=sigma > 0)
    squared: Floats = ratio**2
    return squared
