"""Definition 1 and Algorithm 1, Step 4 (lines 16-18): information, index, and the next query.

| symbol            | code               | shape  |
| ----------------- | ------------------ | ------ |
| Δ̃^x_{s,a}        | `excess_gap`       | (S, A) |
| I^r_{s,a}(θ,θ')   | `information_r`    | (S, A) |
| I^p_{s,a}(θ,θ')   | `information_p`    | (S, A) |
| I_{s,a}(θ,θ')     | `information`      | (S, A) |
| I_t(s,a)          | `index`            | (S, A) |
"""

from __future__ import annotations

import numpy as np

from ptum.reference.arrays import Floats, above
from ptum.reference.errors import least, require_error
from ptum.reference.tasks.gaps import reward_gap, transition_gap
from ptum.reference.tasks.models import ApproximateModels, require_models
from ptum.reference.tasks.values import gap_tolerance

SHIFT = 8
"""Definition 1 takes this many Δ off a gap; `repaired/transfer/repairs` has another."""

TIE = 1e-9
"""Pairs whose index is within this fraction of the largest count as tied (D06)."""

CLOSE = 1e-12
"""Two indices closer than this are tied too, if it is at most `CLOSEST` of the largest (D06).

Rounding moves a gap by less than 12(S+2) roundings of 1 (rewards) or 1/(1-γ) (transitions), and the
index by no more than twice that times 1 or 1-γ: below this for every S up to 180.
"""

CLOSEST = 0.25
"""A pair without information is never tied with one that has some, however little.

A tie may cost the bound 92 L/I_t of docs/repaired_transfer.md a factor 1/(1-`CLOSEST`): 123 < 128.
"""


def excess_gap(gap: Floats, Delta: float, shift: float = SHIFT) -> Floats:
    """[Δ̃_{s,a}(θ,θ') - 8Δ]_+, the positive part taken before squaring."""
    Delta = require_error(Delta)
    return np.maximum(gap - shift * Delta, 0.0)


def information_r(gap_r: Floats, sigma_r: Floats, Delta: float, shift: float = SHIFT) -> Floats:
    """I^r = min{(x/σ̃^r_θ)², x} with x = [Δ̃^r(θ,θ') - 8Δ]_+."""
    x = excess_gap(gap_r, Delta, shift)
    return np.minimum(_ratio_squared(x, sigma_r), x)


def information_p(
    gap_p: Floats, sigma_p: Floats, Delta: float, gamma: float, shift: float = SHIFT
) -> Floats:
    """I^p = min{(x/σ̃^p_θ(;θ))², (1-γ)x} with x = [Δ̃^p(θ,θ') - 8Δ]_+."""
    x = excess_gap(gap_p, Delta, shift)
    return np.minimum(_ratio_squared(x, sigma_p), (1 - gamma) * x)


def information(
    models: ApproximateModels, *, theta: int, theta_prime: int, Delta: float, shift: float = SHIFT
) -> Floats:
    """I_{s,a}(θ,θ') = max{I^r, I^p}; standard deviations and the value function are those of θ.

    A gap that exceeds 8Δ by no more than rounding carries none (D18). It is the gap that rounding
    moves: an information of 10⁻²⁰ may come from a gap of 5·10⁻⁹ under a standard deviation of 50,
    and one of 10⁻¹⁵ from nothing but rounding.
    """
    require_models(models, theta=theta, theta_prime=theta_prime)
    Delta = require_error(Delta)
    seen = shift * Delta + gap_tolerance(models.V_star)
    gap_r = reward_gap(models.r[theta], models.r[theta_prime])
    gap_p = transition_gap(models.p[theta], models.p[theta_prime], models.V_star[theta])
    return np.maximum(
        information_r(
            np.where(above(gap_r, seen), gap_r, 0.0), models.sigma_r[theta], Delta, shift
        ),
        information_p(
            np.where(above(gap_p, seen), gap_p, 0.0),
            models.sigma_p[theta, :, :, theta],
            Delta,
            models.gamma,
            shift,
        ),
    )


def index(
    active: tuple[int, ...], models: ApproximateModels, Delta: float, shift: float = SHIFT
) -> Floats:
    """Lines 16-17: I_t(s,a) = max over ordered pairs of active models, θ = θ' included (D09)."""
    largest = np.zeros((models.S, models.A))
    for theta in active:
        for theta_prime in active:
            found = information(
                models, theta=theta, theta_prime=theta_prime, Delta=Delta, shift=shift
            )
            largest = np.maximum(largest, found)
    return largest


def query(I_t: Floats) -> tuple[int, int]:
    """Line 18: the first pair, in lexicographic order, whose index is tied with the largest."""
    s, a = tied_pairs(I_t)[0]
    return s, a


def tied_pairs(I_t: Floats) -> list[tuple[int, int]]:
    """All pairs whose index is the largest, up to rounding (D06), in lexicographic order."""
    largest = float(I_t.max())
    tied = I_t >= largest * (1 - TIE) - least(CLOSE, CLOSEST * largest)
    return [(s, a) for s, a in np.argwhere(tied).tolist()]


def index_is_zero(I_t: Floats) -> bool:
    """Whether no pair carries information; `information` has taken off what is rounding (D18)."""
    return bool(I_t.max() == 0)


def _ratio_squared(x: Floats, sigma: Floats) -> Floats:
    """(x/σ)² with 0/0 = 0 and x/0 = +inf for x > 0 (D08)."""
    at_zero = np.where(x > 0, np.inf, 0.0)
    with np.errstate(over="ignore"):  # of a tiny standard deviation, to the +inf it stands for
        ratio: Floats = np.divide(x, sigma, out=at_zero, where=above(sigma, 0.0))
        return ratio**2
