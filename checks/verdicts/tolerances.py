"""How far rounding can move the two sides of comparisons that several checks make.

First-order bounds, in units of the rounding unit, doubled or more for what is not of first order.
Which models block a stop is a strict comparison: `undecided_blockers` counts those of which doubles
cannot tell it, and a bound on queries is compared only where there are none.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ptum.checks.exact.numbers import is_above, max_of
from ptum.checks.verdicts.outcome import Statement, zero_but_for_rounding
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.sequential.hmm import HMM, moore_penrose, population_moments
from ptum.reference.sequential.recovery import recovery_tolerance
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import value_tolerance
from ptum.reference.transfer.analysis.sample_complexity import (
    FACTOR,
    kappa_eps,
    reward_distance,
    transition_distance,
)

LEAST_LOG = math.log(16)
"""log(8SAn(|Θ|+1)/δ) for one pair, one query, one model and δ = 1."""
OF_WIDTH = 100 * ROUNDING
"""By which share a gap that n̄ samples hide is off, the gap itself being given.

n̄ and a width are fewer than 25 operations each on positive numbers; n̄ has a square. x = gap - 4Δ is
off by two roundings of the gap, and the hidden gap moves at most four times as far as x.
"""


def of_index(models: ApproximateModels) -> float:
    """How far I = min{x²/σ², (1-γ)x} is off, with v the error of a value.

    A gap x is off by 2v, a deviation by v. Where the left term decides, x/σ² ≤ 1-γ, so that the
    derivatives of I are at most 2(1-γ) in x and 1-γ in σ: together 5(1-γ)v. For rewards γ is 0 and
    v a few roundings. (1-γ)²Γ² and (1-γ)⁴Γ², at most one, are off by no more.
    """
    return 5 * (1 - models.gamma) * value_tolerance(models.V_star, models.gamma)


def of_count(count: float, models: ApproximateModels) -> float:
    """How far below a count q its bound C/I can fall by rounding, C ≥ 128 log 16.

    A bound below q has I > C/q and is off by the share (error of I)/I < q(error of I)/C, and a few
    roundings.
    """
    of_bound = 2 * of_index(models) * count / (FACTOR * LEAST_LOG)
    return count * (of_bound + 10 * ROUNDING)


def undecided_blockers(target: int, models: ApproximateModels, epsilon: float, Delta: float) -> int:
    """How many models rounding may put into Θ_ε or Θ_s, or keep out of them.

    With v the error of a value, ‖r̃_θ - r̃_θ*‖ and γ‖(p̃_θ - p̃_θ*)ᵀ Ṽ*_θ*‖ are off by 2v each, as gaps
    are (`of_index`), so their sum by 4v. κ_ε and 2κ_ε are differences of two products of three
    factors, off by eight roundings of (1-γ)ε + Δ(1+γ).
    """
    gamma, kappa = models.gamma, kappa_eps(epsilon, Delta, models.gamma)
    off = 4 * value_tolerance(models.V_star, gamma) + 8 * ROUNDING * (epsilon + 2 * Delta)
    undecided = 0
    for theta in range(models.k):
        in_r = reward_distance(models, theta=theta, target=target)
        in_p = gamma * transition_distance(models, theta=theta, target=target)
        beyond = (in_r - kappa, in_p - kappa if gamma else math.inf, in_r + in_p - 2 * kappa)
        undecided += any(not is_above(abs(x), off) for x in beyond)
    return undecided


def of_least_number(S: int, information: float) -> float:
    """By which share the least n̄ may exceed 128 L/I by rounding, both made of the same doubles.

    Whatever numbers stand for values and deviations, the paper's argument gives x ≥ y/2 for the
    excess gaps x of n̄ and y of I, so rounding enters through the gaps alone. A gap is a sum of S
    products of |p - p'| and V ≤ R = 1/(1-γ), R = 1 for rewards, so it is off by e = (S+3)R
    roundings: 2(S+1) halves of one for sum, products and differences, the rest for V and for
    the next subtraction. So y is at most e too large and x e too small, x ≥ (y-3e)/2, and the
    share is (y/(y-3e))² - 1, where I ≤ y/R. Beyond the gaps n̄ and the bound have fewer than ten
    operations each. Unbounded where y may be 3e.
    """
    lost = 3 * (S + 3) * ROUNDING / information
    return (1 - lost) ** -2 * (1 + 20 * ROUNDING) - 1 if is_above(1, lost) else math.inf


def of_hidden_gap(gap: float, S: int, reach: float) -> float:
    """How far a hidden gap in units of the gap is off, where index and gap are computed apart.

    A gap is a sum of S products up to `reach`, off by (S+2) roundings of that, once in the index
    and once in the division. With N of order max{σ²/x², 1/x} the hidden gap moves at most twice as
    far as x, four times where N - 1 stands for N.
    """
    return 8 * (S + 2) * ROUNDING * reach / gap + OF_WIDTH


def of_views_within(O: Floats, tasks: Ints) -> float:
    """How far the columns are off that exact views within these tasks give back.

    Whitening and power method as in `recovery_tolerance`, on moments without inverses: sums of h
    products, each off by (4h + d) roundings. Unbounded where a task does not occur.
    """
    k, h = O.shape[1], len(tasks)
    w = np.bincount(tasks, minlength=k) / h
    if w.min() == 0:
        return math.inf
    sigma = np.linalg.svd(O * w @ O.T, compute_uv=False)
    largest, least, lam = float(sigma[0]), float(sigma[k - 1]), 1 / math.sqrt(w.min())
    e_2 = (4 * h + len(O)) * ROUNDING * largest
    e_3 = e_2 * float(np.linalg.norm(O, axis=0).max())
    f = 4 * e_2 / least
    epsilon = e_3 * (2 / least) ** 1.5 + lam * ((1 + f) ** 3 - 1)
    e_mu = math.sqrt(2 * largest) * (13 * epsilon + lam * f) + 2 * e_2 * lam / math.sqrt(least)
    return float(2 * e_mu)


@dataclass(frozen=True)
class Recovery:
    """What exact moments may miss, in two steps.

    `moments` is the error seen in M_2 and M_3 in units of what inverting Σ_12 may do to them; the
    others bound the columns of μ_3, O and T and the weights, given the errors seen.
    """

    moments: float
    mu_3: float
    O: float
    T: float
    weights: float

    @property
    def largest(self) -> float:
        """Of what lines 5-10 give back."""
        return max_of((self.O, self.T, self.weights))

    def statement(self, text: str, off: float, allowed: float) -> Statement:
        """What is off by rounding at most, unless the moments themselves are off by more."""
        if is_above(self.moments, 1):
            return Statement("error of M_2 or M_3 in units of its bound", self.moments, "≤", 1)
        return zero_but_for_rounding(text, off, allowed)


def of_recovery(hmm: HMM, spacing: float = math.inf) -> Recovery:
    """How far what lines 5-10 give back is off, on exact moments of well conditioned models.

    On paper M_2 = Σ_j w_j μ_j μ_jᵀ and M_3 = Σ_j w_j μ_j⊗μ_j⊗μ_j with μ = OT: sums without an
    inverse, off by u = (4k+d) roundings. So the errors E_2 and E_3 of the computed moments are seen
    instead of bounded, and only where they point decides: with W*ᵀM_2W* = I whitening is off by
    f = 2‖W*ᵀE_2W*‖ and its tensor by ε = 2‖E_3(W*,W*,W*)‖ + λ((1+f)³-1), doubled for what is not of
    first order. Three contractions of d products, and the roundings of W, add 3(d+2) halves of a
    rounding of |M_3|(|W*|,|W*|,|W*|). Eigenvectors of a matrix that is not quite symmetric are off
    by ‖E_2‖ over the `spacing` of its eigenvalues. The power method and lines 8-10 are those of
    `recovery_tolerance`, which also bounds E_2 and E_3.
    """
    allowed, moments = recovery_tolerance(hmm, hmm.initial), population_moments(hmm, hmm.initial)
    if math.isinf(allowed.mu_3):
        return Recovery(0.0, math.inf, math.inf, math.inf, math.inf)
    k, w, mu = hmm.k, hmm.T @ hmm.initial, hmm.O @ hmm.T
    u, lam = (4 * k + hmm.d) * ROUNDING, 1 / math.sqrt(w.min())
    E_2 = moments.M_2 - (mu * w) @ mu.T
    E_3 = moments.M_3 - np.einsum("j,aj,bj,cj->abc", w, mu, mu, mu)
    values, vectors = np.linalg.eigh((mu * w) @ mu.T)
    largest, least, D = float(values[-1]), float(values[-k]), vectors[:, -k:]
    W = D / np.sqrt(values[-k:])
    e_2 = _norm(E_2) + u * largest
    f = 2 * _norm(W.T @ E_2 @ W) + 4 * u * largest / least
    f += 4 * e_2 * math.sqrt(largest / least) / spacing if spacing else math.inf
    of_sums = 1.5 * (hmm.d + 2) * ROUNDING
    contracted = of_sums * _length(_contracted(np.abs(moments.M_3), np.abs(W)))
    epsilon = 2 * _length(_contracted(E_3, W)) + contracted + lam * ((1 + f) ** 3 - 1)
    e_mu = math.sqrt(2 * largest) * (13 * epsilon + lam * f) + 2 * e_2 * lam / math.sqrt(least)
    Sigma_31, column = moments.Sigma_31, float(np.linalg.norm(hmm.O, axis=0).max())
    A_O = _norm(moments.Sigma_21 @ moore_penrose(Sigma_31, k))
    sigma_31 = float(np.linalg.svd(Sigma_31, compute_uv=False)[k - 1])
    e_O = A_O * e_mu + u * _norm(Sigma_31) * (1 + A_O) * column / sigma_31
    e_T = (e_mu + math.sqrt(k) * e_O) / float(np.linalg.svd(hmm.O, compute_uv=False)[k - 1])
    return Recovery(
        moments=max_of((_norm(E_2) / allowed.M_2, _length(E_3) / allowed.M_3)),
        mu_3=2 * e_mu,
        O=2 * e_O,
        T=2 * e_T,
        weights=20 * epsilon,  # λ⁻² ≤ 1 of an eigenvalue λ ≥ 1 within 5ε, doubled
    )


def _contracted(M: Floats, W: Floats) -> Floats:
    found: Floats = np.einsum("abc,ai,bj,cl->ijl", M, W, W, W, optimize=True)
    return found


def _norm(matrix: Floats) -> float:
    return float(np.linalg.norm(matrix, 2))


def _length(tensor: Floats) -> float:
    """The Frobenius norm, at least the largest value on unit vectors."""
    return float(np.linalg.norm(tensor.ravel()))
