"""The repaired Algorithm 3 on long sequences and long observations, linear in d.

With pseudo-inverses of rank k everything lies in the span of F_1 = Σ̂_32 V S⁻¹ and
F_2 = Σ̂_31 U S⁻¹ (d, k), where U S Vᵀ is the leading part of Σ̂_12 (`across_tasks`):
õ_1 = F_1 Uᵀ o_1, õ_2 = F_2 Vᵀ o_2 and M̂_2 = F_1 S F_2ᵀ, whose symmetric part is decomposed in a
basis Q of that span, 2k×2k.

The literal learner also asks whether what it divides by stands out from noise, the norm of a mean
of noise, which it takes from ‖Σ_l ‖y_l‖² x_l x_lᵀ‖. That is at most Σ_l ‖x_l‖² ‖y_l‖². Where the
singular value is above even this, the literal learner would go on, and so does this one; everywhere
else the literal learner is asked, with the generator as it was. Estimates agree up to rounding and
the order of their columns; a test holds them together.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math

import numpy as np

from ptum.checks.engine.across_tasks import CLEAR, TripleViews
from ptum.checks.engine.tensor_power import decompose
from ptum.checks.engine.within_task import third_moment
from ptum.checks.exact.numbers import is_above, max_of
from ptum.reference.arrays import Floats, sealed
from ptum.reference.repaired.sequential import spectral as literal
from ptum.reference.repaired.sequential.spectral import LEAST_EIGENVALUE, SpectralOutcome
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.spectral import HmmEstimate, frozen_observations


def learn_hmm(o: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> SpectralOutcome:
    """`ptum.reference.repaired.sequential.spectral.learn_hmm` on all overlapping triples."""
    m, before = len(o) - VIEWS + 1, rng.bit_generator.state
    if m >= k:
        rows = frozen_observations(o, k)
        views = rows[:m], rows[1 : m + 1], rows[2:]
        found = learn_if_clear(TripleViews(views, None), k, L, N, rng)
        if found is not None:
            return found
    rng.bit_generator.state = before
    return literal.learn_hmm(o, k, L, N, rng, overlapping=True)


def learn_if_clear(
    given: TripleViews, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | None:
    """Lines 2-10; None unless all that is divided by is clearly above noise."""
    o_1, o_2, o_3 = given.views
    m = len(o_1)
    U, S, V = given.leading(1, 2, k)
    z_1, z_2 = o_1 @ U, o_2 @ V
    if not _above_noise(S, (o_1, z_1), (o_2, z_2)):
        return None
    left, D, R = given.leading(3, 1, k)
    first = o_1 @ R
    if not _above_noise(D, (o_3, o_3 @ left), (o_1, first)):
        return None
    F_1, F_2 = o_3.T @ (z_2 / S) / m, o_3.T @ (z_1 / S) / m  # line 3
    Q, _ = np.linalg.qr(np.hstack((F_1, F_2)))
    C_1, C_2 = Q.T @ F_1, Q.T @ F_2
    M_2 = C_1 * S @ C_2.T  # line 4, in the basis Q
    values, vectors = np.linalg.eigh((M_2 + M_2.T) / 2)
    Lambda, E = values[::-1][:k], vectors[:, ::-1][:, :k]  # line 5
    x, y = (_squares(z @ _without(C, E[:, : k - 1]).T) for C, z in ((C_1, z_1), (C_2, z_2)))
    if not is_above(float(Lambda[-1]), _most_noise(x, y) + CLEAR * float(Lambda[0])):
        return None
    W = E / np.sqrt(Lambda)  # line 6
    tensor = third_moment(z_1 @ (C_1.T @ W), z_2 @ (C_2.T @ W), o_3 @ (Q @ W))
    pairs = decompose(tensor, k, L, N, rng)  # line 7
    if not float(pairs.lambdas.min()) > LEAST_EIGENVALUE:
        return None
    mu_3 = Q @ (E * np.sqrt(Lambda)) @ pairs.vectors * pairs.lambdas  # line 8
    O: Floats = o_2.T @ (first / D) / m @ (left.T @ mu_3)  # line 9
    T: Floats = np.linalg.pinv(O) @ mu_3  # line 10
    weights = sealed(pairs.lambdas**-2)
    return HmmEstimate(sealed(O), sealed(T), weights, pairs.lambdas, mu_3=sealed(mu_3))


def _above_noise(
    sigma: Floats, first: tuple[Floats, Floats], second: tuple[Floats, Floats]
) -> bool:
    """Whether σ_k of the mean of x ⊗ y is clearly more than chance can make.

    Rows come with their parts along the singular vectors; those along all but the last are signal.
    """
    x, y = (_squares(rows) - _squares(parts[:, :-1]) for rows, parts in (first, second))
    return is_above(float(sigma[-1]), _most_noise(x, y) + CLEAR * float(sigma[0]))


def _most_noise(x: Floats, y: Floats) -> float:
    """Twice the root of Σ_l ‖x_l‖² ‖y_l‖², over m: the literal noise is at most that."""
    return 2 * math.sqrt(max_of((float(x @ y), 0.0))) / len(x)


def _squares(rows: Floats) -> Floats:
    """‖x_l‖² of every row."""
    squares: Floats = np.einsum("ij,ij->i", rows, rows)
    return squares


def _without(C: Floats, E: Floats) -> Floats:
    """The columns of C without their parts along the orthonormal columns of E."""
    rest: Floats = C - E @ (E.T @ C)
    return rest
