"""Appendix C on exact moments: how far rounding alone can move the recovered O and T.

| symbol          | code      | meaning                                                        |
| --------------- | --------- | -------------------------------------------------------------- |
| u               | `u`       | relative rounding error of a moment, (4k + d)·2⁻⁵²             |
| δ               | `delta`   | rounding error of a matrix Σ_{i,j}                             |
| A_1, A_2, A_O   | `A_1` …   | Σ_32 Σ_12^†, Σ_31 Σ_21^†, Σ_21 Σ_31^†                          |
| e_2, e_3        | `e_2` …   | errors of M_2 and M_3                                          |
| f               | `f`       | ‖Ŵ^T M_2 Ŵ - I‖                                                |
| ε               | `epsilon` | error of the whitened tensor                                   |

A product B A^† whose factors share their row space has the first-order error δ(1 + ‖B A^†‖)/σ_k(A)
on the column space of A: the other two terms of the derivative of A^† vanish there. Each final
bound is doubled for what is not of first order.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import ROUNDING, Floats, above
from ptum.reference.errors import Numeric
from ptum.reference.sequential.hmm import (
    HMM,
    frozen_distribution,
    moore_penrose,
    population_moments,
)


@dataclass(frozen=True, slots=True)
class RecoveryTolerance(Numeric):
    """Bounds on the norm of the error of M_2, M_3 and of every column of μ̂_3, Ô and T̂.

    All are +inf where the moments have no rank k.
    """

    M_2: float
    M_3: float
    mu_3: float
    O: float
    T: float


def recovery_tolerance(hmm: HMM, first_view: npt.ArrayLike) -> RecoveryTolerance:
    """What `learn_from_moments` may miss on the exact moments of one triple.

    Whitening: ‖E‖ ≤ e_2 in M_2 gives ‖Ŵ‖² ≤ 2/σ_k(M_2) and f ≤ 4e_2/σ_k(M_2), and the whitened
    components are within f of orthonormal ones. Power method (Theorem 5.1 of Anandkumar et al.
    2014, imported): vectors within 8ε/λ_j, eigenvalues within 5ε. Then lines 8-10.
    """
    pi = frozen_distribution(first_view, "first_view", hmm.k)
    moments = population_moments(hmm, pi)
    w = hmm.T @ pi
    k, u = hmm.k, (4 * hmm.k + hmm.d) * ROUNDING
    s_12, s_31, s_2 = (_sigma(m, k) for m in (moments.Sigma_12, moments.Sigma_31, moments.M_2))
    s_O = _sigma(hmm.O, k)
    shares = (s_12 / _norm(moments.Sigma_12), s_31 / _norm(moments.Sigma_31), w.min())
    if not above(np.min(shares), u):
        return RecoveryTolerance(*[math.inf] * 5)
    mu = float(np.linalg.norm(hmm.O, axis=0).max())
    matrices = (moments.Sigma_12, moments.Sigma_31, moments.Sigma_32)
    largest = float(np.max([_norm(matrix) for matrix in matrices]))
    delta = u * largest
    A_1 = _norm(moments.Sigma_32 @ moore_penrose(moments.Sigma_12, k))
    A_2 = _norm(moments.Sigma_31 @ moore_penrose(moments.Sigma_21, k))
    A_O = _norm(moments.Sigma_21 @ moore_penrose(moments.Sigma_31, k))
    error_1, error_2 = delta * (1 + A_1) / s_12, delta * (1 + A_2) / s_12
    e_2 = largest * (error_1 * A_2 + A_1 * error_2) + delta * A_1 * A_2
    e_3 = mu**3 * (error_1 * A_2 + A_1 * error_2 + u * A_1 * A_2)
    lambda_max = 1 / math.sqrt(w.min())
    f = 4 * e_2 / s_2
    epsilon = e_3 * (2 / s_2) ** 1.5 + lambda_max * ((1 + f) ** 3 - 1)
    stretch = math.sqrt(2 * _norm(moments.M_2))
    e_mu = stretch * (13 * epsilon + lambda_max * f) + 2 * e_2 * lambda_max / math.sqrt(s_2)
    e_O = A_O * e_mu + delta * (1 + A_O) * mu / s_31
    e_T = (e_mu + math.sqrt(k) * e_O) / s_O
    return RecoveryTolerance(M_2=2 * e_2, M_3=2 * e_3, mu_3=2 * e_mu, O=2 * e_O, T=2 * e_T)


def _norm(matrix: Floats) -> float:
    return float(np.linalg.norm(matrix, 2))


def _sigma(matrix: Floats, k: int) -> float:
    return float(np.linalg.svd(matrix, compute_uv=False)[k - 1])
