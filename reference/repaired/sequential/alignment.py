"""Algorithm 2, lines 6-9: one labelling of the tasks for successive estimates (D55, E40).

The power method returns the components in the order in which it finds them, which changes from
estimate to estimate. The labels of the models and of T̂ must not.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, Ints, frozen, sealed
from ptum.reference.errors import InputError, require
from ptum.reference.sequential.spectral import HmmEstimate


def align(previous_O: npt.ArrayLike, O: npt.ArrayLike) -> Ints:
    """The permutation for which O[:, permutation] is nearest to the previous matrix.

    It minimises Σ_i ‖previous_i - O_{permutation[i]}‖². If the columns of both matrices are
    within a quarter of the least distance between two true columns, matched columns are closer
    than any others and the permutation is the right one.
    """
    from scipy.optimize import linear_sum_assignment  # here: it takes long to load

    previous, found = frozen(previous_O, "previous_O", 2), frozen(O, "O", 2)
    problem = f"must have the shape of the previous matrix, {previous.shape}"
    require(found.shape == previous.shape, "O", problem, value=found.shape)
    distance = previous[:, :, np.newaxis] - found[:, np.newaxis, :]
    _, permutation = linear_sum_assignment(np.sum(distance**2, axis=0))
    return permutation.astype(np.int64)


def permuted(estimate: HmmEstimate, permutation: npt.ArrayLike) -> HmmEstimate:
    """The same estimate with task permutation[i] called i.

    Columns of Ô and μ̂_3, weights and eigenvalues follow it, and both rows and columns of T̂.
    """
    order = _frozen_permutation(permutation, estimate.k)
    return replace(
        estimate,
        O=_taken(estimate.O[:, order]),
        T=None if estimate.T is None else _taken(estimate.T[np.ix_(order, order)]),
        weights=_taken(estimate.weights[order]),
        eigenvalues=_taken(estimate.eigenvalues[order]),
        mu_3=None if estimate.mu_3 is None else _taken(estimate.mu_3[:, order]),
    )


def _taken(entries: Floats) -> Floats:
    return sealed(np.ascontiguousarray(entries))


def _frozen_permutation(permutation: npt.ArrayLike, k: int) -> Ints:
    order = np.array(permutation)
    if order.dtype.kind not in "iu" or sorted(order.ravel().tolist()) != list(range(k)):
        raise InputError("permutation", f"must hold 0 to {k - 1}, each once", value=permutation)
    return order.astype(np.int64)
