"""The within-task estimate as version 0.1.0 had it, to be timed against: nothing else uses it."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import scipy.linalg

from ptum.reference.arrays import ROUNDING, Floats, frozen, sealed
from ptum.reference.errors import require
from ptum.reference.repaired.sequential.spectral import LEAST_EIGENVALUE, SpectralOutcome
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
    require_number_of_tasks,
)
from ptum.reference.sequential.tensor_power import Eigenpairs, decompose


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
    h = views.shape[1]
    if h < k:
        return NotEnoughData("tasks", h, k)
    if k == 1:
        return _one_task(views)
    basis = _span(views.reshape(-1, views.shape[2]))
    a, b, c = _coordinates(views, basis)
    return _in_full_space(_learn_from_batches(a, b, c, k, L, N, rng), basis)


def _learn_from_batches(
    a: Floats, b: Floats, c: Floats, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable:
    h = len(a)
    f = (a + b + c) / VIEWS
    # The mean of x ⊗ y over the six ordered pairs of different batches.
    M_2 = (9 * f.T @ f - a.T @ a - b.T @ b - c.T @ c) / (6 * h)
    Lambda, D = _leading_eigenpairs(M_2, k)
    noise = _noise_of_batches(a, b, c) + _rounding(a) * Lambda[0]
    if Lambda[-1] <= noise:
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
    n = len(M_2)
    values, vectors = scipy.linalg.eigh((M_2 + M_2.T) / 2, subset_by_index=(n - k, n - 1))
    return values[::-1], vectors[:, ::-1]


def _missing_component(pairs: Eigenpairs) -> NotIdentifiable | None:
    least = float(pairs.lambdas.min())
    if least <= LEAST_EIGENVALUE:
        return NotIdentifiable("least eigenvalue of M_3(W,W,W)", least, LEAST_EIGENVALUE)
    return None


def _weighted_norm(X: Floats, Y: Floats) -> float:
    """√‖Σ_l ‖y_l‖² x_l x_l^T‖, the largest singular value of the rows ‖y_l‖ x_l."""
    rows = X * np.linalg.norm(Y, axis=1)[:, np.newaxis]
    gram = rows @ rows.T if len(rows) < rows.shape[1] else rows.T @ rows
    last = len(gram) - 1
    largest = scipy.linalg.eigh(gram, eigvals_only=True, subset_by_index=(last, last))[0]
    return math.sqrt(max(float(largest), 0.0))


def _noise_of_batches(a: Floats, b: Floats, c: Floats) -> float:
    """What the k-th eigenvalue of M̂_2 can be although the tasks span fewer than k directions.

    Let each batch be μ + ε. On vectors orthogonal to all means, M̂_2 is the mean of
    Z_l = (ε_a⊗ε_b + ε_b⊗ε_a + …)/6 alone, so λ_k is at most the norm of that mean. With C the
    covariance of a batch, E[Z²] = (C tr C + C²)/6 ≤ C tr C/3. The contrasts (b-c)/√2 and
    (2a-b-c)/√6 do not contain μ and both have covariance C, so they tell C tr C. A symmetric
    Gaussian matrix Z̄ has norm at most about 2√‖E[Z̄²]‖.
    """
    e, g = (b - c) / math.sqrt(2), (2 * a - b - c) / math.sqrt(6)
    trace_times_C = (_weighted_norm(e, g) ** 2 + _weighted_norm(g, e) ** 2) / 2
    return 2 * math.sqrt(trace_times_C / 3) / len(a)


def _rounding(X: Floats) -> float:
    """The relative rounding error of a mean over the rows of X (D99): all that exact data has."""
    return float(4 * len(X) + X.shape[1]) * ROUNDING


def _span(rows: Floats) -> Floats | None:
    """Orthonormal columns that span all rows, so that no matrix is larger than it needs to be.

    Moments only turn with the coordinates; the estimates are turned back at the end. None if the
    rows are so many that little would be gained.
    """
    if 2 * len(rows) >= rows.shape[1]:
        return None
    basis, _ = np.linalg.qr(rows.T)
    return basis.astype(np.float64)


def _coordinates(rows: Floats, basis: Floats | None) -> Floats:
    """The rows in the given basis, or as they are."""
    if basis is None:
        return rows
    turned: Floats = rows @ basis
    return turned


def _in_full_space(
    found: HmmEstimate | NotIdentifiable, basis: Floats | None
) -> HmmEstimate | NotIdentifiable:
    if isinstance(found, NotIdentifiable) or basis is None:
        return found
    return replace(found, O=sealed(basis @ found.O))


def _frozen_batches(batches: npt.ArrayLike, k: int) -> Floats:
    views = frozen(batches, "batches", 3)
    require(len(views) == VIEWS, "batches", "must have shape (3, h, d)", value=views.shape)
    require_number_of_tasks(k, views.shape[2])
    return views


def _at_noise_level(quantity: str, value: float, threshold: float) -> NotIdentifiable:
    return NotIdentifiable(quantity, float(value), float(threshold))
