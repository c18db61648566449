"""How far rounding can move the two sides of comparisons that several checks make.

First-order bounds, in units of the rounding unit, doubled or more for what is not of first order.
Which models block a stop, a strict comparison, is taken as the doubles say.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math

import numpy as np

from reference.arrays import ROUNDING, Floats, Ints
from reference.hmm import HMM, population_moments
from reference.models import ApproximateModels
from reference.recovery import recovery_tolerance
from reference.sample_complexity import FACTOR
from reference.values import value_tolerance

LEAST_LOG = math.log(16)
"""log(8SAn(|Θ|+1)/δ) for one pair, one query, one model and δ = 1."""
OF_WIDTH = 100 * ROUNDING
"""By which share a gap that n̄ samples hide is off, the gap itself being given.

n̄ and a width are fewer than 25 operations each on positive numbers; n̄ has a square. x = gap - 4Δ is
off by two roundings of the gap, and the hidden gap moves at most four times as far as x.
"""
SOLVER = 1e-7
"""By how much linprog (HiGHS) lets a constraint be missed, as documented."""


def of_index(models: ApproximateModels) -> float:
    """How far I = min{x²/σ², (1-γ)x} is off, with v the error of a value.

    A gap x is off by 2v, a deviation by v. Where the left term decides, x/σ² ≤ 1-γ, so that the
    derivatives of I are at most 2(1-γ) in x and 1-γ in σ: together 5(1-γ)v. For rewards γ is 0 and
    v a few roundings. (1-γ)²Γ² and (1-γ)⁴Γ², at most one, are off by no more.
    """
    return 5 * (1 - models.gamma) * value_tolerance(models.V_star, models.gamma)


def of_count(count: float, models: ApproximateModels, share: float = 0.0) -> float:
    """How far below a count q its bound C/I can fall by rounding, C ≥ 128 log 16.

    A bound below q has I > C/q and is off by the share (error of I)/I < q(error of I)/C, and a few
    roundings; `share` is what else it may be off by, in units of itself.
    """
    of_bound = 2 * of_index(models) * count / (FACTOR * LEAST_LOG)
    return count * (of_bound + 10 * ROUNDING + share)


def of_hidden_gap(gap: float, S: int, reach: float) -> float:
    """How far a hidden gap in units of the gap is off, where index and gap are computed apart.

    A gap is a sum of S products up to `reach`, off by (S+2) roundings of that, once in the index
    and once in the division. With N of order max{σ²/x², 1/x} the hidden gap moves at most twice as
    far as x, four times where N - 1 stands for N.
    """
    return 8 * (S + 2) * ROUNDING * reach / gap + OF_WIDTH


def of_recovery(hmm: HMM) -> float:
    """How far O, T and the weights are off that exact moments give back: the largest of the three.

    A weight is λ⁻² ≤ 1 of an eigenvalue λ ≥ 1 within 5ε, so off by 10ε; and μ_3 is allowed at least
    26 √(2‖M_2‖) ε by `recovery_tolerance`.
    """
    allowed = recovery_tolerance(hmm, hmm.initial)
    stretch = math.sqrt(2 * float(np.linalg.norm(population_moments(hmm, hmm.initial).M_2, 2)))
    return max(allowed.O, allowed.T, allowed.mu_3 / stretch)


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
