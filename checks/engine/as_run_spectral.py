"""Algorithm 3 as run (`ptum.reference.experiments.spectral`) on long observations, without d×d.

With pseudo-inverses of rank k everything has rank k. Let U S Vᵀ be the leading part of Σ̂_12 and
L D Rᵀ that of Σ̂_31; then, with F_1 = Σ̂_32 V S⁻¹ and F_2 = Σ̂_31 U S⁻¹ of shape (d, k),

    õ_1 = F_1 Uᵀ o_1    õ_2 = F_2 Vᵀ o_2    M̂_2 = F_1 S F_2ᵀ    Σ̂_21 [Σ̂_31]_k^† = Σ̂_21 R D⁻¹ Lᵀ

Products with Σ̂ = Σ_l x_l y_lᵀ/m are made of the views, and coordinates that are zero in all
observations are left out, which changes nothing. Estimates equal the literal ones up to rounding
and the order of their columns, since restarts begin in another basis; a test holds them together.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from scipy.sparse.linalg import LinearOperator, svds

from ptum.checks.engine.tensor_power import power_steps
from ptum.reference.arrays import ROUNDING, Floats, sealed
from ptum.reference.repaired.sequential.spectral import ViewTables
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
    frozen_observations,
    read_off,
    triples,
)

Factors: TypeAlias = tuple[Floats, Floats, Floats]
"""Left singular vectors (d, k), singular values (k,) in falling order, right ones (d, k)."""

SMALL = 4
"""Matrices up to so many times k get a full decomposition."""


def learn_hmm(
    observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable | NotEnoughData:
    """`ptum.reference.experiments.spectral.learn_hmm`, with columns in an order of its own."""
    o = frozen_observations(observations, k)
    there = np.flatnonzero(o.any(axis=0))
    o_1, o_2, o_3 = triples(o[:, there])
    if len(o_1) < k:
        return NotEnoughData("triples", len(o_1), k)
    found = _learn_from_views((o_1, o_2, o_3), k, L, N, rng)
    if isinstance(found, NotIdentifiable):
        return found
    O = np.zeros((o.shape[1], k))
    O[there] = found.O
    return HmmEstimate(sealed(O), found.T, found.weights, found.eigenvalues)


def _learn_from_views(
    views: ViewTables, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable:
    """Lines 2-10."""
    o_1, o_2, o_3 = views
    m = len(o_1)
    zero = (4 * m + o_1.shape[1]) * ROUNDING
    U, S, V = leading(o_1, o_2, k)
    left, D, R = leading(o_3, o_1, k)
    for name, sigma in (("Sigma_12", S), ("Sigma_31", D)):
        if sigma[-1] <= zero * sigma[0]:
            return _not_identifiable(name, sigma, zero)
    z_1, z_2 = o_1 @ U, o_2 @ V
    F_1, F_2 = o_3.T @ (z_2 / S) / m, o_3.T @ (z_1 / S) / m  # line 3
    Q_1, R_1 = np.linalg.qr(F_1)
    _, R_2 = np.linalg.qr(F_2)
    inner, sigma, _ = np.linalg.svd(R_1 * S @ R_2.T)  # lines 4-5: M_2 = Q_1 (R_1 S R_2ᵀ) Q_2ᵀ
    if sigma[-1] <= zero * sigma[0]:
        return _not_identifiable("M_2", sigma, zero)
    W: Floats = Q_1 @ inner / np.sqrt(sigma)  # line 6
    views = z_1 @ (F_1.T @ W), z_2 @ (F_2.T @ W), o_3 @ W
    whitened = np.einsum("li,lj,ln->ijn", *views, optimize=True) / m
    Sigma_21_inverse: Floats = o_2.T @ (o_1 @ (R / D)) / m
    return read_off(whitened, W, Sigma_21_inverse, left.T, L, N, rng, power_steps)  # lines 7-10


def leading(X: Floats, Y: Floats, k: int) -> Factors:
    """The k leading singular triples of Σ_l x_l y_lᵀ/m, from views of shape (m, d)."""
    m, d = X.shape
    if min(m, d) <= SMALL * k:
        (Q_x, R_x), (Q_y, R_y) = np.linalg.qr(X.T), np.linalg.qr(Y.T)
        inner_left, sigma, inner_right = np.linalg.svd(R_x @ R_y.T / m)
        return Q_x @ inner_left[:, :k], sigma[:k], Q_y @ inner_right[:k].T
    product = X.T @ Y / m if 2 * m > d else _product(X, Y)
    left, sigma, right = (part.astype(np.float64) for part in svds(product, k=k, v0=np.ones(d)))
    order = np.argsort(-sigma)
    return left[:, order], sigma[order], right[order].T


def _product(X: Floats, Y: Floats) -> LinearOperator:
    """The same by two products for every vector, where there are few views."""
    m, d = X.shape
    return LinearOperator(
        (d, d),
        matvec=lambda v: X.T @ (Y @ v) / m,
        rmatvec=lambda v: Y.T @ (X @ v) / m,
        matmat=lambda v: X.T @ (Y @ v) / m,
        dtype=np.float64,
    )


def _not_identifiable(name: str, sigma: Floats, zero: float) -> NotIdentifiable:
    what = f"singular value {sigma.size} of {name}"
    return NotIdentifiable(what, float(sigma[-1]), float(zero * sigma[0]))
