"""Algorithm 3 as run: its ten lines with a low-rank SVD of the moments (Appendix E.2).

| symbol           | code                           | shape     | meaning                         |
| ---------------- | ------------------------------ | --------- | ------------------------------- |
| [Σ̂]_k^†          | `rank_k_inverse`               |           | inverse of the best rank-k part |
| õ_{1,l}, õ_{2,l} | `o_tilde_1[l]`, `o_tilde_2[l]` | (m, d)    | transformed views               |
| Û Ŝ V̂^T          | `U`, `S`                       |           | SVD of M̂_2, cut to rank k       |
| Ŵ                | `W`                            | (d, k)    | Û Ŝ^{-1/2}                      |
| M̂_3(Ŵ,Ŵ,Ŵ)       | `whitened`                     | (k, k, k) | mean of the whitened views      |

Appendix E.2 pre-processes the empirical moments by a low-rank SVD, calls that critical for
stability and for speed, and says that a k×k×k tensor is left. So the moments that lines 3 and 9
invert are cut to rank k (D50, D87), lines 5 and 6 whiten by the leading singular vectors of M̂_2
instead of its eigenvectors (D51), and M̂_3 is not made before it is whitened. Appendix E
adds 100 restarts of 100 iterations (D52) and nothing else, so all else is as printed.

The repaired Algorithm 3 has the same pseudo-inverses. Its moments are symmetric besides, and it
answers only where what it divides by stands out from noise
(`ptum.reference.repaired.sequential.spectral`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import ROUNDING
from ptum.reference.repaired.sequential.spectral import (
    ViewTables,
    coordinates,
    in_full_space,
    rank_below,
    span,
)
from ptum.reference.sequential.hmm import rank_k_inverse
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
    frozen_observations,
    read_off,
    triples,
)
from ptum.reference.sequential.tensor_power import require_effort


def learn_hmm(
    observations: npt.ArrayLike, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable | NotEnoughData:
    """Algorithm 3 on observations of shape (h, d), with moments cut to rank k.

    Fewer than k triples give no estimate (D49), nor do moments whose σ_k is no more than rounding
    can make it (D99), nor a component whose λ̂_j is not positive.
    """
    o = frozen_observations(observations, k)
    require_effort(L, N, rng)
    basis = span(o)
    o_1, o_2, o_3 = triples(coordinates(o, basis))  # line 1
    if len(o_1) < k:
        return NotEnoughData("triples", len(o_1), k)
    return in_full_space(_learn_from_views((o_1, o_2, o_3), k, L, N, rng), basis)


def _learn_from_views(
    views: ViewTables, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable:
    """Lines 2-10."""
    o_1, o_2, o_3 = views
    m = len(o_1)
    zero = (4 * m + o_1.shape[1]) * ROUNDING
    Sigma_12, Sigma_31, Sigma_32 = o_1.T @ o_2 / m, o_3.T @ o_1 / m, o_3.T @ o_2 / m  # line 2
    failure = rank_below(k, zero, Sigma_12=Sigma_12, Sigma_31=Sigma_31)
    if failure:
        return failure
    o_tilde_1 = o_1 @ (Sigma_32 @ rank_k_inverse(Sigma_12, k)).T  # line 3
    o_tilde_2 = o_2 @ (Sigma_31 @ rank_k_inverse(Sigma_12.T, k)).T
    M_2 = o_tilde_1.T @ o_tilde_2 / m
    failure = rank_below(k, zero, M_2=M_2)
    if failure:
        return failure
    U, S, _ = np.linalg.svd(M_2)  # line 5
    W = U[:, :k] / np.sqrt(S[:k])  # line 6
    views = o_tilde_1 @ W, o_tilde_2 @ W, o_3 @ W
    whitened = np.einsum("li,lj,ln->ijn", *views, optimize=True) / m  # line 4
    return read_off(whitened, W, Sigma_12.T, rank_k_inverse(Sigma_31, k), L, N, rng)  # lines 7-10
