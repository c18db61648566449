"""Whether some test of line 12 could fail within the next m samples of a pair, whatever they are.

State: N samples with the sums S1 = Σ(x-c) and S2 = Σ(x-c)² of every column x (the reward, then each
Ṽ*_θ' of the next state) about any centre c. μ = c + S1/N is their mean, Q = S2 - S1²/N the sum of
squared deviations from it. After j ≤ m more samples from [bottom, top], with ρ the larger distance
of μ to the two ends and N' = N + m:

    |μ_j - μ| ≤ m/N' · ρ
    Q ≤ Q_j ≤ Q + jρ²                  (Q_j is least about its own mean, so at most that about μ)
    Q/(N'-1) ≤ σ̂_j² ≤ max{Q/(N-1), (Q + mρ²)/(N'-1)}
    C_j ≥ sqrt(2LQ/(N'(N'-1))) + 7L·unit/(3(N'-1)) + Δ            equations (1), (2)
    C_j ≥ sqrt(2L_σ/(N'-1))·unit + Δ_σ                            equations (3), (4)

Over the active models the largest distance is that to the least or to the largest target.

Rounding. Below, u = 2⁻⁵³, M bounds |x|, s = S + U bounds the number of different outcomes, and
products of roundings are covered by the constants being rounded up. The literal code, in whatever
order it adds (Higham, Accuracy and Stability, ch. 4: n additions cost at most n·u of Σ|x|):

    mean       N additions, or S products of p̂ - p̃ with V:            at most (N + 2S + 6) u M
    deviation  a mean wrong by e adds N e² to Q, and N squares are added: 1.5 e + (N+6) u σ
               with σ ≤ 0.71 M:                                     at most (2.3 N + 3S + 12) u M
    width      sqrt(2L/N) times the error of the deviation, and 8u of the width

Ours: S1 and S2 are sums of at most N + s terms, so that |error of S1| ≤ (N+s+2) u Σ|x-c| and
|error of S2| ≤ (N+s+4) u S2; with Σ|x-c| ≤ sqrt(N S2) the error of Q is at most (3(N+s)+12) u S2.
It is taken off Q and added to it. μ is wrong by at most (N+s+4) u M. So with

    E = (4N' + 6s + 40) u M

the literal distance is at most ours + E, the literal deviation at most E from the interval, and
the literal width at least ours - E sqrt(2L/N) - 16u·ours. Nothing can fail in the literal code
where the inequalities hold with these errors on the wrong side.
"""

from __future__ import annotations

import numpy as np

from ptum.checks.engine.problem import Problem, Targets
from ptum.reference.arrays import ROUNDING, Bools, Floats, Ints, above

U = ROUNDING / 2


def moments(counts: Ints, x: Floats) -> tuple[Floats, Floats]:
    """Σ x and Σ x² from counts (…, outcomes) of values x (columns, outcomes): (columns, …)."""
    weights = counts.T.astype(np.float64)
    return x @ weights, x**2 @ weights


def passes(
    problem: Problem,
    targets: Targets,
    N: Ints,
    m: Ints | int,
    sums: tuple[Floats, Floats, Floats],
    ends: tuple[Floats, Floats],
    outcomes: int,
) -> Bools:
    """Whether every active model passes every test after each of the next 0, …, m samples.

    `N` (…) counts samples, `sums` are the centre (1+k,), S1 and S2 (1+k, …), `ends` the least and
    the largest value (1+k,) that a sample can have. False means that a test may fail.
    """
    center, S1, S2 = sums
    now, then = np.maximum(N, 1).astype(np.float64), np.maximum(N + m, 2).astype(np.float64)

    def column(x: Floats) -> Floats:
        return x.reshape(-1, *(1,) * now.ndim)

    mean = S1 / now
    Q = S2 - S1 * mean
    rounded = (3 * (then + outcomes) + 12) * U * S2
    least = np.maximum(Q - rounded, 0.0)
    E = (4 * then + 6 * outcomes + 40) * U * column(problem.largest)
    rho = np.maximum(column(ends[1] - center) - mean, mean - column(ends[0] - center))
    far = np.maximum(mean - column(targets.low - center), column(targets.high - center) - mean)
    L, unit = 2 * problem.L, column(problem.unit)
    C = np.sqrt(least * (L / (then * (then - 1)))) + unit * ((7 * L / 6) / (then - 1))
    C += column(problem.Delta)
    good = ~above(far + rho * (m / then) + E * (1 + np.sqrt(L / now)) + 16 * U * C, C)
    Q += rounded
    most = np.maximum(Q / np.maximum(now - 1, 1), (Q + m * rho**2) / (then - 1))
    off = np.maximum(
        np.sqrt(most) - column(targets.std_low),
        column(targets.std_high) - np.sqrt(least / (then - 1)),
    )
    C_sigma = unit * np.sqrt(2 * problem.L_sigma / (then - 1)) + column(problem.Delta_sigma)
    good &= ~above(off + E + 16 * U * C_sigma, C_sigma)
    every: Bools = good.all(axis=0) | (N + m <= 1)
    return every
