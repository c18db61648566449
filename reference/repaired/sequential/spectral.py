"""Appendix C repaired: Algorithm 3 with its pseudo-inverses cut to rank k, and views within a task.

| symbol              | code                     | shape     | meaning                           |
| ------------------- | ------------------------ | --------- | --------------------------------- |
| [Σ̂]_k^†            | `rank_k_inverse`         |           | inverse of the best rank-k part   |
| Ŵ                   | `W`                      | (d, k)    | Ŵ^T M̂_2 Ŵ = I                    |
| M̂_3(Ŵ,Ŵ,Ŵ)        | `tensor`                 | (k, k, k) | mean over the six orders          |
| o^a, o^b, o^c       | `a`, `b`, `c`            | (h, d)    | three batches of samples per task |
| f                   | `f`                      | (h, d)    | their mean                        |
| Ĵ                   | `J`                      | (k, k)    | frequency of each pair of tasks   |

Two estimators. `learn_hmm` is Algorithm 3 with what it needs to work: rank-k pseudo-inverses (E28),
symmetric moments (E43), and no d×d×d tensor. It needs rank O = k, an invertible T, and every
task as first view of some triples (E26). As its authors ran it, Algorithm 3 has the same
pseudo-inverses, but neither symmetric moments nor thresholds (`ptum.reference.experiments`).
`learn_within_task` takes its three views inside each task. It needs rank O = k and every task seen
once; nothing is asked of T.

Either answers with numbers only if the quantities that it divides by stand out from what noise
alone can make (D102), and otherwise says which one does not.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import ROUNDING, Floats, above, frozen, require_scale, sealed
from ptum.reference.errors import largest, require, require_choice
from ptum.reference.sequential.hmm import VIEWS, Moments, rank_k_inverse
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
    frozen_observations,
    require_number_of_tasks,
)
from ptum.reference.sequential.tensor_power import Eigenpairs, decompose, require_effort

__all__ = [
    "NotEnoughData",
    "NotIdentifiable",
    "SpectralOutcome",
    "learn_hmm",
    "learn_from_moments",
    "learn_within_task",
    "rank_below",
    "span",
    "coordinates",
    "in_full_space",
]

SpectralOutcome: TypeAlias = HmmEstimate | NotIdentifiable | NotEnoughData
ViewTables: TypeAlias = tuple[Floats, Floats, Floats]
"""The three views of all triples, or the three batches of all tasks; one row each."""

LEAST_EIGENVALUE = 0.5
"""λ_j = 1/√ω_j ≥ 1, since ω_j is a probability. Below half of that the error is the larger part."""


def learn_hmm(
    observations: npt.ArrayLike,
    k: int,
    L: int,
    N: int,
    rng: np.random.Generator,
    *,
    overlapping: bool = False,
) -> SpectralOutcome:
    """Algorithm 3 from observations of shape (h, d), repaired.

    Triples are disjoint as printed, or all h-2 overlapping ones (D45). Not enough data: fewer
    than k triples (D49). Not identifiable: σ_k(Σ̂_12), σ_k(Σ̂_31) or the k-th eigenvalue of M̂_2 is
    at noise level, or the power method finds fewer than k components.
    """
    o = frozen_observations(observations, k)
    require_effort(L, N, rng)
    require_choice(overlapping, (False, True), "overlapping")
    step = 1 if overlapping else VIEWS
    triples = max(0, (len(o) - VIEWS) // step + 1)
    if triples < k:
        return NotEnoughData("triples", triples, k)
    basis = span(o)
    turned = coordinates(o, basis)
    o_1, o_2, o_3 = (_view(turned, first, triples, step) for first in range(VIEWS))
    found = _learn_from_views((o_1, o_2, o_3), k, L, N, rng)
    return in_full_space(found, basis)


def learn_from_moments(
    moments: Moments, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable:
    """The same on exact moments: O and T up to one relabelling, and rounding.

    Not identifiable: σ_k(Σ_12), σ_k(Σ_31) or the k-th eigenvalue of M_2 is no larger than rounding
    can make it (D99). By Σ_31 = O T² diag(π) O^T that is so exactly if rank O < k, T is singular,
    or some task is never the first of a triple.
    """
    require_number_of_tasks(k, len(moments.M_2))
    zero = (4 * moments.terms + len(moments.M_2)) * ROUNDING
    failure = rank_below(k, zero, Sigma_12=moments.Sigma_12, Sigma_31=moments.Sigma_31)
    if failure:
        return failure
    Lambda, D = _leading_eigenpairs(moments.M_2, k)
    if Lambda[-1] <= zero * Lambda[0]:
        return _at_noise_level(f"eigenvalue {k} of M_2", Lambda[-1], zero * Lambda[0])
    W = D / np.sqrt(Lambda)
    tensor = _symmetric(np.einsum("abc,ai,bj,cl->ijl", moments.M_3, W, W, W, optimize=True))
    pairs = decompose(tensor, k, L, N, rng)
    failure = _missing_component(pairs)
    if failure:
        return failure
    mu_3 = D * np.sqrt(Lambda) @ pairs.vectors * pairs.lambdas
    return _read_off(mu_3, moments.Sigma_21, moments.Sigma_31, pairs)


def learn_within_task(
    batches: npt.ArrayLike, k: int, L: int, N: int, rng: np.random.Generator
) -> SpectralOutcome:
    """O and T from three batches of samples in each of h tasks, shape (3, h, d).

    Given the tasks, the batches are independent with mean O e_{θ*}, so with the realised
    frequencies w_j of the tasks

        E[o^a ⊗ o^b] = Σ_j w_j μ_j ⊗ μ_j      E[o^a ⊗ o^b ⊗ o^c] = Σ_j w_j μ_j ⊗ μ_j ⊗ μ_j

    for every sequence of tasks, and E[f_{h+1} ⊗ f_h] = O J O^T with the realised frequencies J of
    pairs of successive tasks. One task needs no tensor: its O is the mean (D101).

    Not enough data: fewer than k tasks. Not identifiable: the k-th eigenvalue of M̂_2 is at noise
    level, or the power method finds fewer than k components. T is None while some task has not
    been left (D103).
    """
    views = _frozen_batches(batches, k)
    require_effort(L, N, rng)
    h = views.shape[1]
    if h < k:
        return NotEnoughData("tasks", h, k)
    if k == 1:
        return _one_task(views)
    basis = span(views.reshape(-1, views.shape[2]))
    a, b, c = coordinates(views, basis)
    return in_full_space(_learn_from_batches((a, b, c), k, L, N, rng), basis)


def rank_below(k: int, zero: float, **moments: Floats) -> NotIdentifiable | None:
    """The first of the named moments whose σ_k is at most `zero` times its σ_1 (D99)."""
    for name, matrix in moments.items():
        sigma = np.linalg.svd(matrix, compute_uv=False)
        if sigma[k - 1] <= zero * sigma[0]:
            return _at_noise_level(f"singular value {k} of {name}", sigma[k - 1], zero * sigma[0])
    return None


def _learn_from_views(
    views: ViewTables, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable:
    """Lines 2-10 on the three views of all triples."""
    o_1, o_2, o_3 = views
    m = len(o_1)
    Sigma_12, Sigma_31, Sigma_32 = o_1.T @ o_2 / m, o_3.T @ o_1 / m, o_3.T @ o_2 / m
    for name, X, Y in (("Sigma_12", o_1, o_2), ("Sigma_31", o_3, o_1)):
        sigma_k, noise = _singular_value_and_noise(X, Y, k)
        if not above(sigma_k, noise):
            return _at_noise_level(f"singular value {k} of {name}", sigma_k, noise)
    o_tilde_1 = o_1 @ (Sigma_32 @ rank_k_inverse(Sigma_12, k)).T
    o_tilde_2 = o_2 @ (Sigma_31 @ rank_k_inverse(Sigma_12.T, k)).T
    Lambda, D = _leading_eigenpairs(o_tilde_1.T @ o_tilde_2 / m, k)
    noise = _noise(_without(o_tilde_1, D[:, : k - 1]), _without(o_tilde_2, D[:, : k - 1]))
    noise += _rounding(o_1) * Lambda[0]
    if not above(Lambda[-1], noise):
        return _at_noise_level(f"eigenvalue {k} of M_2", Lambda[-1], noise)
    W = D / np.sqrt(Lambda)
    pairs = decompose(_third_moment(o_tilde_1 @ W, o_tilde_2 @ W, o_3 @ W), k, L, N, rng)
    failure = _missing_component(pairs)
    if failure:
        return failure
    mu_3 = D * np.sqrt(Lambda) @ pairs.vectors * pairs.lambdas
    return _read_off(mu_3, Sigma_12.T, Sigma_31, pairs)


def _read_off(mu_3: Floats, Sigma_21: Floats, Sigma_31: Floats, pairs: Eigenpairs) -> HmmEstimate:
    """Lines 9-10 with the rank-k pseudo-inverse."""
    O = Sigma_21 @ rank_k_inverse(Sigma_31, mu_3.shape[1]) @ mu_3
    return HmmEstimate(
        O=sealed(O),
        T=sealed(np.linalg.pinv(O) @ mu_3),
        weights=sealed(pairs.lambdas**-2),
        eigenvalues=pairs.lambdas,
        mu_3=sealed(mu_3),
    )


def _learn_from_batches(
    batches: ViewTables, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable:
    a, b, c = batches
    h = len(a)
    f = (a + b + c) / VIEWS
    # The mean of x ⊗ y over the six ordered pairs of different batches.
    M_2 = (9 * f.T @ f - a.T @ a - b.T @ b - c.T @ c) / (6 * h)
    Lambda, D = _leading_eigenpairs(M_2, k)
    noise = _noise_of_batches(a, b, c) + _rounding(a) * Lambda[0]
    if not above(Lambda[-1], noise):
        return _at_noise_level(f"eigenvalue {k} of M_2", Lambda[-1], noise)
    W = D / np.sqrt(Lambda)
    pairs = decompose(_third_moment(a @ W, b @ W, c @ W), k, L, N, rng)
    failure = _missing_component(pairs)
    if failure:
        return failure
    O = D * np.sqrt(Lambda) @ pairs.vectors * pairs.lambdas
    return HmmEstimate(
        O=sealed(O),
        T=_transitions(f, O),
        weights=sealed(pairs.lambdas**-2),
        eigenvalues=pairs.lambdas,
        lambda_k=float(Lambda[-1]),
    )


def _transitions(f: Floats, O: Floats) -> Floats | None:
    """T̂_j = Ĵ_j/(1^T Ĵ_j) with Ĵ = O^† (mean of f_{l+1} ⊗ f_l) O^{†T}.

    The column sum is the share of the h-1 steps that leave task j, a multiple of 1/(h-1). An
    estimate below half a step is nearer to none than to one, and T̂ does not exist (D103).
    """
    steps = len(f) - 1
    inverse = np.linalg.pinv(O)
    J = inverse @ (f[1:].T @ f[:-1] / steps) @ inverse.T
    left = J.sum(axis=0)
    if left.min() < 1 / (2 * steps):
        return None
    return sealed(J / left)


def _one_task(views: Floats) -> HmmEstimate:
    O = views.mean(axis=(0, 1))[:, np.newaxis]
    one = sealed(np.ones(1))
    return HmmEstimate(O=sealed(O), T=sealed(np.ones((1, 1))), weights=one, eigenvalues=one)


def _third_moment(x: Floats, y: Floats, z: Floats) -> Floats:
    """The mean of x ⊗ y ⊗ z over the rows, made symmetric."""
    return _symmetric(np.einsum("li,lj,ln->ijn", x, y, z, optimize=True) / len(x))


def _symmetric(tensor: Floats) -> Floats:
    """The mean over the six orders of the three indices (D51)."""
    orders = itertools.permutations(range(3))
    mean: Floats = sum((tensor.transpose(order) for order in orders), np.zeros(tensor.shape)) / 6
    return mean


def _leading_eigenpairs(M_2: Floats, k: int) -> tuple[Floats, Floats]:
    """The k largest eigenvalues of the symmetric part, falling, and orthonormal vectors of them.

    A symmetric solver keeps them orthogonal where an eigenvalue is double (D51, D104).
    """
    from scipy.linalg import eigh  # here: it takes long to load

    n = len(M_2)
    values, vectors = eigh((M_2 + M_2.T) / 2, subset_by_index=(n - k, n - 1))
    return values[::-1], vectors[:, ::-1]


def _missing_component(pairs: Eigenpairs) -> NotIdentifiable | None:
    least = float(pairs.lambdas.min())
    if least <= LEAST_EIGENVALUE:
        return NotIdentifiable("least eigenvalue of M_3(W,W,W)", least, LEAST_EIGENVALUE)
    return None


def _singular_value_and_noise(X: Floats, Y: Floats, k: int) -> tuple[float, float]:
    """σ_k of the mean of x ⊗ y, and what it would be for a mean of smaller rank.

    If E[x ⊗ y] has rank k-1, then σ_k is at most the norm of the part outside its leading k-1
    singular directions, where the mean is zero and the summands are noise.
    """
    left, sigma, right = np.linalg.svd(X.T @ Y / len(X), full_matrices=False)
    noise = _noise(_without(X, left[:, : k - 1]), _without(Y, right[: k - 1].T))
    return float(sigma[k - 1]), noise + _rounding(X) * float(sigma[0])


def _noise(X: Floats, Y: Floats) -> float:
    """About the largest that ‖mean of x_l ⊗ y_l‖ gets at random, when every summand has mean zero.

    An estimate, not a bound (D102).

    A Gaussian matrix with the covariance of that mean has norm at most √v_1 + √v_2 on average,
    where v_1 = ‖Σ ‖y_l‖² x_l x_l^T‖/m² and v_2 is the same with x and y exchanged (Chevet). In one
    dimension this is two standard deviations.
    """
    return (_weighted_norm(X, Y) + _weighted_norm(Y, X)) / len(X)


def _weighted_norm(X: Floats, Y: Floats) -> float:
    """√‖Σ_l ‖y_l‖² x_l x_l^T‖, the largest singular value of the rows ‖y_l‖ x_l."""
    from scipy.linalg import eigh  # here: it takes long to load

    rows = X * np.linalg.norm(Y, axis=1)[:, np.newaxis]
    gram = rows @ rows.T if len(rows) < rows.shape[1] else rows.T @ rows
    last = len(gram) - 1
    square = eigh(gram, eigvals_only=True, subset_by_index=(last, last))[0]
    return math.sqrt(largest(float(square), 0.0))


def _noise_of_batches(a: Floats, b: Floats, c: Floats) -> float:
    """What the k-th eigenvalue of M̂_2 can be although the tasks span fewer than k directions.

    Let each batch be μ + ε. On vectors orthogonal to all means, M̂_2 is the mean of
    Z_l = (ε_a⊗ε_b + ε_b⊗ε_a + …)/6 alone, so λ_k is at most the norm of that mean. With C the
    covariance of a batch, E[Z²] = (C tr C + C²)/6 ≤ C tr C/3. The contrasts (b-c)/√2 and
    (2a-b-c)/√6 do not contain μ and both have covariance C, so they show C tr C. A symmetric
    Gaussian matrix Z̄ has norm at most about 2√‖E[Z̄²]‖.
    """
    e, g = (b - c) / math.sqrt(2), (2 * a - b - c) / math.sqrt(6)
    trace_times_C = (_weighted_norm(e, g) ** 2 + _weighted_norm(g, e) ** 2) / 2
    return 2 * math.sqrt(trace_times_C / 3) / len(a)


def _rounding(X: Floats) -> float:
    """The relative rounding error of a mean over the rows of X (D99): all that exact data has."""
    return float(4 * len(X) + X.shape[1]) * ROUNDING


def _without(X: Floats, directions: Floats) -> Floats:
    """The rows of X without their part along the given orthonormal columns."""
    rest: Floats = X - X @ directions @ directions.T
    return rest


def span(rows: Floats) -> Floats | None:
    """Orthonormal columns that span all rows, so that no matrix is larger than it needs to be.

    Moments only turn with the coordinates; the estimates are turned back at the end. None if the
    rows are so many that little would be gained.
    """
    if 2 * len(rows) >= rows.shape[1]:
        return None
    basis, _ = np.linalg.qr(rows.T)
    return basis.astype(np.float64)


def coordinates(rows: Floats, basis: Floats | None) -> Floats:
    """The rows in the given basis, or as they are."""
    if basis is None:
        return rows
    turned: Floats = rows @ basis
    return turned


def in_full_space(
    found: HmmEstimate | NotIdentifiable, basis: Floats | None
) -> HmmEstimate | NotIdentifiable:
    """An estimate in coordinates as one of length d: columns of Ô and μ̂_3; T̂ is the same."""
    if isinstance(found, NotIdentifiable) or basis is None:
        return found
    mu_3 = None if found.mu_3 is None else sealed(basis @ found.mu_3)
    return replace(found, O=sealed(basis @ found.O), mu_3=mu_3)


def _view(o: Floats, first: int, triples: int, step: int) -> Floats:
    """View number `first` of every triple."""
    return o[first : first + step * (triples - 1) + 1 : step]


def _frozen_batches(batches: npt.ArrayLike, k: int) -> Floats:
    views = frozen(batches, "batches", 3)
    require_scale(views, "batches")
    require(len(views) == VIEWS, "batches", "must have shape (3, h, d)", value=views.shape)
    require_number_of_tasks(k, views.shape[2])
    return views


def _at_noise_level(quantity: str, value: float, threshold: float) -> NotIdentifiable:
    return NotIdentifiable(quantity, float(value), float(threshold))
