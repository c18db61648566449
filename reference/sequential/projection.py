"""Section 4 and Appendix C: from estimates to probabilities, by Euclidean projection (D54, E42).

Algorithm 3 returns vectors that need not be distributions. The projection on a convex set that
contains the truth brings every point closer to the truth in Euclidean norm. An entry may move
away from it: only Euclidean errors may be carried through.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, frozen, sealed
from ptum.reference.errors import require
from ptum.reference.sequential.observations import split_observation


def project(O: npt.ArrayLike, T: npt.ArrayLike, S: int, A: int, U: int) -> tuple[Floats, Floats]:
    """Both estimates of Algorithm 3 as probabilities: every block of Ô, every column of T̂."""
    columns = frozen(O, "O", 2)
    require(columns.shape[1] >= 1, "O", "needs a column", value=f"shape {columns.shape}")
    projected = [project_observation(column, S, A, U) for column in columns.T]
    return sealed(np.stack(projected, axis=1)), project_columns(T)


def project_observation(o: npt.ArrayLike, S: int, A: int, U: int) -> Floats:
    """Each of the 2SA blocks of a flattened model, projected on its simplex."""
    q, p = split_observation(o, S, A, U)
    return sealed(np.concatenate([_project_rows(q).ravel(), _project_rows(p).ravel()]))


def project_columns(T: npt.ArrayLike) -> Floats:
    """Each column of a matrix, projected on the simplex."""
    matrix = frozen(T, "T", 2)
    require(matrix.size >= 1, "T", "needs an entry", value=f"shape {matrix.shape}")
    return sealed(np.ascontiguousarray(_project_rows(matrix.T).T))


def project_simplex(v: npt.ArrayLike) -> Floats:
    """The point of {x ≥ 0, Σ x_i = 1} nearest to v.

    It is max(v - τ, 0), with the one τ that makes it sum to one.
    """
    vector = frozen(v, "v", 1)
    require(vector.size >= 1, "v", "needs an entry", value=vector.size)
    return sealed(_project_rows(vector))


def _project_rows(rows: Floats) -> Floats:
    """The projection of every row along the last axis.

    Among the sorted entries v_1 ≥ v_2 ≥ …, the first n stay positive, where n is the largest with
    v_n > τ_n = (v_1 + … + v_n - 1)/n. A shift of the whole row does not move its projection, so
    the largest entry is made zero first; no digit is then lost when all entries are large.
    """
    shifted = rows - rows.max(axis=-1, keepdims=True)
    falling = -np.sort(-shifted, axis=-1)
    n = np.arange(1, rows.shape[-1] + 1)
    thresholds = (np.cumsum(falling, axis=-1) - 1) / n
    support = np.sum(falling > thresholds, axis=-1, keepdims=True)
    tau = np.take_along_axis(thresholds, support - 1, axis=-1)
    positive = np.maximum(shifted - tau, 0)
    # The sum is one up to rounding; dividing makes it one up to the rounding of D20.
    projected: Floats = positive / positive.sum(axis=-1, keepdims=True)
    return projected
