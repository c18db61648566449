"""Algorithm 3 as run (`ptum.reference.experiments.spectral`) on long observations, linear in d.

With pseudo-inverses of rank k everything has rank k. Let U S Vᵀ be the leading part of Σ̂_12 and
L D Rᵀ that of Σ̂_31; then, with F_1 = Σ̂_32 V S⁻¹ and F_2 = Σ̂_31 U S⁻¹ of shape (d, k),

    õ_1 = F_1 Uᵀ o_1    õ_2 = F_2 Vᵀ o_2    M̂_2 = F_1 S F_2ᵀ    Σ̂_21 [Σ̂_31]_k^† = Σ̂_21 R D⁻¹ Lᵀ

Products with Σ̂ = Σ_l x_l y_lᵀ/m are made of the views (`across_tasks`), and coordinates that are
zero in all observations are left out, which changes nothing. Estimates equal the literal ones up to
rounding, whose size the test derives, and up to the order of their columns, since restarts begin in
another basis.

`learn_hmm` takes all observations at once. Where an estimate is wanted after every task, keep an
`ArrivingTasks(d)`, `add` each observation, and call `learn_from_triples` on its `triples()`.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import numpy as np

from ptum.checks.engine.across_tasks import TripleViews
from ptum.checks.engine.tensor_power import power_steps
from ptum.reference.arrays import ROUNDING, Floats, sealed
from ptum.reference.repaired.sequential.spectral import SpectralOutcome
from ptum.reference.sequential.hmm import moore_penrose
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
    frozen_observations,
    require_number_of_tasks,
    triples,
)
from ptum.reference.sequential.tensor_power import decompose


def learn_hmm(
    observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
) -> SpectralOutcome:
    """`ptum.reference.experiments.spectral.learn_hmm`, with columns in an order of its own."""
    o = frozen_observations(observations, k)
    there = np.flatnonzero(o.any(axis=0))
    found = learn_from_triples(TripleViews(triples(o[:, there]), None), k, L, N, rng)
    if not isinstance(found, HmmEstimate):
        return found
    O = np.zeros((o.shape[1], k))
    O[there] = found.O
    return HmmEstimate(sealed(O), found.T, found.weights, found.eigenvalues)


def learn_from_triples(
    given: TripleViews, k: int, L: int, N: int, rng: np.random.Generator
) -> SpectralOutcome:
    """Lines 2-10 on the views of all triples so far."""
    o_1, o_2, o_3 = given.views
    m, d = o_1.shape
    if m < k:
        return NotEnoughData("triples", m, k)
    require_number_of_tasks(k, d)
    zero = (4 * m + d) * ROUNDING
    U, S, V = given.leading(1, 2, k)
    left, D, R = given.leading(3, 1, k)
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
    D_hat: Floats = Q_1 @ inner
    W: Floats = D_hat / np.sqrt(sigma)  # line 6
    views = z_1 @ (F_1.T @ W), z_2 @ (F_2.T @ W), o_3 @ W
    whitened = np.einsum("li,lj,ln->ijn", *views, optimize=True) / m
    pairs = decompose(whitened, k, L, N, rng, steps=power_steps)  # line 7
    least = float(pairs.lambdas.min())
    if least <= 0:
        return NotIdentifiable("least eigenvalue of M_3(W,W,W)", least, 0.0)
    mu_3 = D_hat * np.sqrt(sigma) @ pairs.vectors * pairs.lambdas  # line 8
    O: Floats = o_2.T @ (o_1 @ (R / D)) / m @ (left.T @ mu_3)  # line 9
    T = moore_penrose(O, k) @ mu_3  # line 10
    return HmmEstimate(sealed(O), sealed(T), sealed(pairs.lambdas**-2), pairs.lambdas)


def _not_identifiable(name: str, sigma: Floats, zero: float) -> NotIdentifiable:
    what = f"singular value {sigma.size} of {name}"
    return NotIdentifiable(what, float(sigma[-1]), float(zero * sigma[0]))
