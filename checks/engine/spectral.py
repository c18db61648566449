"""The repaired Algorithm 3 on long sequences, without a transformed view of every task.

With pseudo-inverses of rank k, lines 3 and 4 need only short products for every triple: õ_1 is
B_1 o_1 and õ_2 is B_2 o_2 for matrices B = F Vᵀ of rank k, so that

    M̂_2 = B_1 Σ̂_12 B_2ᵀ        M̂_3 = (F_1 ⊗ F_2 ⊗ I) applied to the mean of V_1ᵀo_1 ⊗ V_2ᵀo_2 ⊗ o_3

The literal learner also asks whether what it divides by stands out from noise, the norm of a mean
of noise, which it takes from ‖Σ_l ‖y_l‖² x_l x_lᵀ‖. That is at most Σ_l ‖x_l‖² ‖y_l‖². Where the
singular value is above even this, the literal learner would go on, and so does this one; everywhere
else the literal learner is asked. A test holds their answers together.
"""

from __future__ import annotations

import math

import numpy as np

from ptum.checks.exact.numbers import is_above, max_of
from ptum.reference.arrays import Floats, sealed
from ptum.reference.repaired.sequential import spectral as literal
from ptum.reference.repaired.sequential.spectral import SpectralOutcome
from ptum.reference.sequential.hmm import VIEWS, Moments, rank_k_inverse

CLEAR = 1e-6
"""Share of the largest singular value that covers all rounding here and over there."""


def learn_hmm(o: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> SpectralOutcome:
    """`ptum.reference.repaired.sequential.spectral.learn_hmm` on all overlapping triples."""
    moments = clear_moments(o, k)
    if moments is None:
        return literal.learn_hmm(o, k, L, N, rng, overlapping=True)
    return literal.learn_from_moments(moments, k, L, N, rng)


def clear_moments(o: Floats, k: int) -> Moments | None:
    """Lines 2-4 of a sequence of more triples than numbers; None unless all is above noise."""
    m = len(o) - VIEWS + 1
    if m < o.shape[1]:
        return None
    o_1, o_2, o_3 = o[:m], o[1 : m + 1], o[2:]
    Sigma_12, Sigma_31, Sigma_32 = o_1.T @ o_2 / m, o_3.T @ o_1 / m, o_3.T @ o_2 / m
    if not (_above_noise(Sigma_12, o_1, o_2, k) and _above_noise(Sigma_31, o_3, o_1, k)):
        return None
    B_1 = Sigma_32 @ rank_k_inverse(Sigma_12, k)
    B_2 = Sigma_31 @ rank_k_inverse(Sigma_12.T, k)
    (F_1, V_1), (F_2, V_2) = _factors(B_1, k), _factors(B_2, k)
    z_1, z_2 = o_1 @ V_1, o_2 @ V_2
    M_2 = B_1 @ Sigma_12 @ B_2.T
    if not _whitening_above_noise(M_2, (F_1, z_1), (F_2, z_2), k):
        return None
    products = (z_1[:, :, np.newaxis] * z_2[:, np.newaxis, :]).reshape(m, -1)
    mean = (products.T @ o_3 / m).reshape(k, k, -1)
    return Moments(
        Sigma_12=sealed(Sigma_12),
        Sigma_13=sealed(Sigma_31.T),
        Sigma_21=sealed(Sigma_12.T),
        Sigma_31=sealed(Sigma_31),
        Sigma_32=sealed(Sigma_32),
        M_2=sealed(M_2),
        M_3=sealed(np.tensordot(F_1, np.tensordot(F_2, mean, (1, 1)), (1, 1))),
        terms=m,
    )


def _above_noise(Sigma: Floats, X: Floats, Y: Floats, k: int) -> bool:
    """Whether the k-th singular value of the mean of x ⊗ y is clearly more than chance can make."""
    left, sigma, right = np.linalg.svd(Sigma)
    x = _squares(X) - _squares(X @ left[:, : k - 1])
    y = _squares(Y) - _squares(Y @ right[: k - 1].T)
    return is_above(float(sigma[k - 1]), _most_noise(x, y) + CLEAR * float(sigma[0]))


def _whitening_above_noise(
    M_2: Floats, first: tuple[Floats, Floats], second: tuple[Floats, Floats], k: int
) -> bool:
    """The same for the k-th eigenvalue of M̂_2 and the views õ = F z."""
    values, vectors = np.linalg.eigh((M_2 + M_2.T) / 2)
    D = vectors[:, len(M_2) - k + 1 :]
    x, y = (_squares(z @ (F - D @ (D.T @ F)).T) for F, z in (first, second))
    return is_above(float(values[-k]), _most_noise(x, y) + CLEAR * float(values[-1]))


def _most_noise(x: Floats, y: Floats) -> float:
    """Twice the root of Σ_l ‖x_l‖² ‖y_l‖², over m: the literal noise is at most that."""
    return 2 * math.sqrt(max_of((float(x @ y), 0.0))) / len(x)


def _squares(rows: Floats) -> Floats:
    """‖x_l‖² of every row."""
    squares: Floats = np.einsum("ij,ij->i", rows, rows)
    return squares


def _factors(B: Floats, k: int) -> tuple[Floats, Floats]:
    """F and V with B = F Vᵀ, where V has k orthonormal columns; B has rank k."""
    left, sigma, right = np.linalg.svd(B)
    return left[:, :k] * sigma[:k], right[:k].T
