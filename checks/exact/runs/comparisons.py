"""The tests of line 12 at one pair, for all counts: decided in real arithmetic, never rounded.

Of N samples of a number with values x_0 and x_1, i were x_1. Then mean and deviation of the sample
are x_0 + (x_1-x_0)i/N and |x_1-x_0|√(i(N-i)/(N(N-1))), and a model fails where

    |mean - its mean| > √(2 dev² L/N) + 7L b/(3(N-1)) + Δ     equations (1) and (2)
    |dev - its dev|   > √(2 L_σ/(N-1)) b + Δ_σ                equations (3) and (4)

with b = 1 for rewards and 1/(1-γ) for values of next states. For N ≤ 1 nothing fails. For N ≥ 2 no
two sides are equal: everything but L and L_σ is algebraic, and the logarithm of a rational number
other than one is transcendental. So enclosures that are refined lie apart in the end.

Doubles decide what lies farther apart than their rounding; what does not is decided between
rationals, with twice as many digits until it is. `Close` is a comparison in which the rounding of
the literal code might matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import DIGITS, Between, UndecidedError, root
from ptum.checks.exact.numbers import min_of
from ptum.checks.exact.runs.problem import (
    ExactProblem,
    Pair,
    TwoValues,
    VersionRule,
    rewards_at,
    successors_at,
)
from ptum.reference.arrays import ROUNDING, Bools, Floats, Ints, above

Equation: TypeAlias = Literal[1, 2, 3, 4]

ROUNDED = 16 * ROUNDING
"""By which share of its terms a difference of two sides is off in doubles.

In units of half a `ROUNDING`: a mean is off by 5 of |x_0 - its mean| + |x_1 - x_0|, a deviation by
4 of itself, a width by 10 of itself (2 for the logarithm, 4 for the deviation, products, quotients,
roots and sums), their difference by one more. That is 16 at most of the sum of the terms, twice
counted.
"""

CLOSE = 1e-12
"""In units of b: within this distance the literal's doubles might decide otherwise.

They are off by fewer than 64(S+4) roundings of max|Ṽ*| ≤ b (tables of values, sums over samples and
over states): below 10⁻¹² for up to sixty states.
"""

MOST_DIGITS = 10_000


@dataclass(frozen=True)
class Statistic:
    """One number that is sampled at a pair, with what the models say of its mean and deviation."""

    equations: tuple[Equation, Equation]
    theta_prime: int | None
    first: Fraction
    step: Fraction
    """x_0 and x_1 - x_0."""
    means: tuple[Fraction, ...]
    variances: tuple[Fraction, ...]
    range: Fraction
    Delta: Fraction
    Delta_sigma: Fraction

    @cached_property
    def doubles(self) -> tuple[Floats, Floats]:
        """x_0 less the mean of every model, and every deviation: two columns (k, 1)."""
        means = [float(self.first - mean) for mean in self.means]
        stds = [float(root(variance)) for variance in self.variances]
        return np.array(means)[:, np.newaxis], np.array(stds)[:, np.newaxis]


@dataclass(frozen=True)
class Count:
    """i of N samples of a pair took the second value."""

    N: int
    i: int


@dataclass(frozen=True)
class Close:
    """A comparison within `CLOSE`: whether the model fails, and by how much the sides differ."""

    pair: Pair
    equation: Equation
    theta: int
    theta_prime: int | None
    count: Count
    margin: Between

    @property
    def fails(self) -> bool:
        """Distance above width, in real arithmetic."""
        return self.margin.low > 0


@dataclass
class ComparedSide:
    """Rewards or next states of one pair: how they are drawn, and every test that they are put to.

    `close` collects the close comparisons that were met, and `nearest` is the least distance
    between the sides of any, in units of b.
    """

    problem: ExactProblem
    rule: VersionRule
    pair: Pair
    drawn: TwoValues
    statistics: tuple[Statistic, ...]
    close: list[Close] = field(default_factory=list)
    nearest: float = math.inf

    def __post_init__(self) -> None:
        self._tested = [each for each in self.statistics if not self._never_fails(each)]

    def _never_fails(self, statistic: Statistic) -> bool:
        """A number without randomness that is as close to every model as the models are off.

        Its distances are the same after any number of samples, and widths exceed Δ and Δ_σ.
        """
        return not self.drawn.is_random and all(
            abs(statistic.first - mean) <= statistic.Delta and variance <= statistic.Delta_sigma**2
            for mean, variance in zip(statistic.means, statistic.variances, strict=True)
        )

    def fails(self, N: int, counts: Ints) -> Bools:
        """Which models fail a test after N samples with each of the counts: (k, counts)."""
        failed = np.zeros((self.problem.k, counts.size), dtype=np.bool_)
        if N > 1:
            for statistic in self._tested:
                failed |= self._fails(statistic, N, counts)
        failed[list(self.rule.spared)] = False
        return failed

    def _fails(self, statistic: Statistic, N: int, counts: Ints) -> Bools:
        """One statistic: doubles first, then what they leave open."""
        tests = self._margins(statistic, N, counts)
        failed = np.zeros((self.problem.k, counts.size), dtype=np.bool_)
        for margins, sizes in tests:
            failed |= above(margins, ROUNDED * sizes)
        least = CLOSE * float(statistic.range)
        for equation, (margins, sizes) in zip(statistic.equations, tests, strict=True):
            distances = np.abs(margins)
            nearest = float(distances.min()) / float(statistic.range)
            self.nearest = min_of((self.nearest, nearest))
            near = distances <= np.maximum(ROUNDED * sizes, least)
            for theta, place in np.argwhere(near).tolist():
                found = self.refined(statistic, equation, theta, Count(N, int(counts[place])))
                self.close.append(found)
                failed[theta, place] |= found.fails
        return failed

    def _margins(
        self, statistic: Statistic, N: int, counts: Ints
    ) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Distance less width of both tests in doubles, and the sum of their terms: (k, counts)."""
        L, L_sigma = self._logs
        means, stds = statistic.doubles
        scale, step, M = float(statistic.range), float(statistic.step), N - self.rule.less
        dev = abs(step) * np.sqrt(counts * (N - counts) / (N * (N - 1)))
        of_range = float(self.rule.range_term * statistic.range) * L / M + float(statistic.Delta)
        width = dev * math.sqrt(2 * L / N) + of_range
        width_sigma = math.sqrt(2 * L_sigma / M) * scale + float(statistic.Delta_sigma)
        return (
            (np.abs(means + step * (counts / N)) - width, np.abs(means) + abs(step) + width),
            (np.abs(dev - stds) - width_sigma, dev + stds + width_sigma),
        )

    @cached_property
    def _logs(self) -> tuple[float, float]:
        return float(self._log(False, DIGITS)), float(self._log(True, DIGITS))

    def _log(self, sigma: bool, digits: int) -> Between:
        return self.problem.log(self.rule.log_sigma if sigma else self.rule.log_mean, digits)

    def refined(self, statistic: Statistic, equation: Equation, theta: int, count: Count) -> Close:
        """One comparison between rationals, with digits enough to tell the sides apart."""
        digits = DIGITS
        while digits <= MOST_DIGITS:
            margin = self._margin(statistic, equation, theta, count, digits)
            if margin.low > 0 or margin.high < 0:
                return Close(self.pair, equation, theta, statistic.theta_prime, count, margin)
            digits *= 2
        raise UndecidedError(f"equation ({equation}) of model {theta} at {self.pair} with {count}")

    def _margin(
        self, statistic: Statistic, equation: Equation, theta: int, count: Count, digits: int
    ) -> Between:
        """Distance less width."""
        N, i = count.N, count.i
        rule, M = self.rule, N - self.rule.less
        variance = statistic.step**2 * Fraction(i * (N - i), N * (N - 1))
        if equation == statistic.equations[0]:
            mean = statistic.first + statistic.step * Fraction(i, N)
            L = self._log(False, digits)
            width = root(2 * variance / N * L, digits) + rule.range_term * statistic.range / M * L
            return abs(mean - statistic.means[theta]) - (width + statistic.Delta)
        own = root(statistic.variances[theta], digits)
        width = root(Fraction(2, M) * self._log(True, digits), digits) * statistic.range
        return abs(root(variance, digits) - own) - (width + statistic.Delta_sigma)


def reward_side(problem: ExactProblem, rule: VersionRule, pair: Pair) -> ComparedSide:
    """Equations (1) and (3)."""
    s, a = pair
    drawn = rewards_at(problem.task, pair)
    statistic = Statistic(
        equations=(1, 3),
        theta_prime=None,
        first=Fraction(drawn.first_value),
        step=Fraction(drawn.second_value - drawn.first_value),
        means=tuple(model.r[s][a] for model in problem.models),
        variances=tuple(model.var[s][a] for model in problem.models),
        range=Fraction(1),
        Delta=problem.errors.r,
        Delta_sigma=problem.errors.sigma_r,
    )
    return ComparedSide(problem, rule, pair, drawn, (statistic,))


def successor_side(problem: ExactProblem, rule: VersionRule, pair: Pair) -> ComparedSide:
    """Equations (2) and (4), one number for the value function of every model."""
    s, a = pair
    drawn = successors_at(problem.task, pair)
    first, second = int(drawn.first_value), int(drawn.second_value)
    statistics = []
    for theta_prime, of in enumerate(problem.models):
        V = mdp.optimal_value(of)
        if any(mdp.optimal_value(other) == V for other in problem.models[:theta_prime]):
            continue  # the same tests again
        statistics.append(
            Statistic(
                equations=(2, 4),
                theta_prime=theta_prime,
                first=V[first],
                step=V[second] - V[first],
                means=tuple(mdp.inner(model.p[s][a], V) for model in problem.models),
                variances=tuple(mdp.variance(model.p[s][a], V) for model in problem.models),
                range=1 / (1 - problem.gamma),
                Delta=problem.errors.p,
                Delta_sigma=problem.errors.sigma_p,
            )
        )
    return ComparedSide(problem, rule, pair, drawn, tuple(statistics))
