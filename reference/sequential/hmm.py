"""Section 4: the sequence of tasks as a hidden Markov model, seen through empirical models.

| symbol      | code                 | shape             | meaning                               |
| ----------- | -------------------- | ----------------- | ------------------------------------- |
| T           | `T[i,j]`             | (k, k)            | P(θ*_{h+1} = θ_i | θ*_h = θ_j)        |
| O           | `O[:,j]`             | (d, k)            | μ_j = E[o_h | θ*_h = θ_j]             |
| Σ_{i,j}     | `moments.Sigma_21` … | (d, d)            | E[o_i ⊗ o_j], not centred (E44)       |
| M_2, M_3    | `moments.M_2` …      | (d, d), (d, d, d) | moments of the transformed views      |

An observation o_h is [vec(q̂_h); vec(p̂_h)], of length d = SA(S+U): `observations` makes it.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import ROUNDING, Floats, Ints, frozen, require_distributions, sealed
from ptum.reference.errors import (
    require,
    require_all,
    require_count,
    require_generator,
    require_table,
    settle,
)

VIEWS = 3
"""Consecutive tasks in a triple, and batches of samples in a task."""

LARGEST_TENSOR = 2**30
"""Bytes that the d×d×d tensor M_3 may take unless somebody says otherwise: d ≤ 512.

Making it takes twice as much for a moment. Appendix E has d = 3700, for which M_3 has 405 GB.
"""


@dataclass(frozen=True, eq=False)
class HMM:
    """k hidden tasks: mean observations, transitions, and the distribution of the first one (D42).

    Nothing is asked of the rank of O or of T. A model that no method can learn is still a model.
    """

    O: Floats
    T: Floats
    initial: Floats

    def __post_init__(self) -> None:
        settle(self, O=frozen(self.O, "O", 2), T=frozen_chain(self.T))
        settle(self, initial=frozen_distribution(self.initial, "initial", self.k))
        problem = f"must have one row at least and {self.k} columns, one for every task"
        good = self.O.shape[0] >= 1 and self.O.shape[1] == self.k
        require(good, "O", problem, value=f"shape {self.O.shape}")

    @property
    def k(self) -> int:
        """Number of tasks."""
        return int(self.T.shape[0])

    @property
    def d(self) -> int:
        """Length of an observation."""
        return int(self.O.shape[0])


@dataclass(frozen=True, eq=False)
class Moments:
    """What Algorithm 3 computes from observations in lines 2-4, or the exact counterparts.

    `terms` is how many numbers were added up in an entry; it bounds the rounding error (D99).
    """

    Sigma_12: Floats
    Sigma_13: Floats
    Sigma_21: Floats
    Sigma_31: Floats
    Sigma_32: Floats
    M_2: Floats
    M_3: Floats
    terms: int


def task_sequence(
    T: npt.ArrayLike, initial: npt.ArrayLike, h: int, rng: np.random.Generator
) -> Ints:
    """Algorithm 2, line 3, h times: θ*_1 ~ initial (D42), then θ*_{l+1} ~ T(.|θ*_l)."""
    transitions = frozen_chain(T)
    following = frozen_distribution(initial, "initial", len(transitions))
    require_table("h", require_count(h, "h"))
    require_generator(rng)
    tasks = np.zeros(h, dtype=np.int64)
    for step in range(h):
        tasks[step] = rng.choice(len(following), p=following / following.sum())
        following = transitions[:, tasks[step]]
    return tasks


def require_tensor(d: int, largest_tensor: int = LARGEST_TENSOR) -> None:
    """Refuse a d at which M_3, d×d×d doubles, takes more bytes than allowed; nothing is made."""
    size = np.dtype(np.float64).itemsize * d**3
    problem = (
        f"the d×d×d tensor of line 4 of Algorithm 3 would take {size / 1e9:.3g} GB, more than "
        f"largest_tensor = {largest_tensor / 1e9:.3g} GB. Give a larger limit, or take "
        "ptum.reference.experiments.spectral.learn_hmm, the algorithm as its authors ran it, or "
        "ptum.reference.repaired.sequential.spectral.learn_hmm, which make a k×k×k tensor only"
    )
    require(size <= largest_tensor, "d", problem, value=d)


def population_moments(
    hmm: HMM, first_view: npt.ArrayLike, *, largest_tensor: int = LARGEST_TENSOR
) -> Moments:
    """The exact moments of one triple whose first task has the given distribution.

    With π that distribution, w = Tπ that of the second task:

        E[o_2 ⊗ o_1] = O T diag(π) O^T     E[o_3 ⊗ o_1] = O T² diag(π) O^T
        E[o_3 ⊗ o_2] = O T diag(w) O^T

    and M_2, M_3 are those of the transformed views as Appendix C defines them, pseudo-inverses
    included; no identity of the appendix is used. All of it is linear in π, so the average over
    many triples is the moment of one triple with the average distribution.
    """
    require_tensor(len(hmm.O), largest_tensor)
    pi = frozen_distribution(first_view, "first_view", hmm.k)
    O, T = hmm.O, hmm.T
    w = T @ pi
    Sigma_21 = O @ (T * pi) @ O.T
    Sigma_31 = O @ (T @ T * pi) @ O.T
    Sigma_32 = O @ (T * w) @ O.T
    to_third_from_1 = Sigma_32 @ moore_penrose(Sigma_21.T, hmm.k)
    to_third_from_2 = Sigma_31 @ moore_penrose(Sigma_21, hmm.k)
    joint = T.T[:, :, np.newaxis] * T.T[np.newaxis, :, :] * pi[:, np.newaxis, np.newaxis]
    views = (to_third_from_1 @ O, to_third_from_2 @ O, O)
    return Moments(
        Sigma_12=sealed(Sigma_21.T.copy()),
        Sigma_13=sealed(Sigma_31.T.copy()),
        Sigma_21=sealed(Sigma_21),
        Sigma_31=sealed(Sigma_31),
        Sigma_32=sealed(Sigma_32),
        M_2=sealed(to_third_from_1 @ Sigma_21.T @ to_third_from_2.T),
        M_3=sealed(np.einsum("abc,ia,jb,lc->ijl", joint, *views, optimize=True)),
        terms=hmm.k,
    )


def moore_penrose(matrix: Floats, terms: int) -> Floats:
    """The pseudo-inverse of a matrix that is known up to rounding.

    Singular values that rounding alone can have made count as zero (D99). `terms` is how many
    numbers were added up in an entry: an entry then carries at most as many roundings, and the
    singular value decomposition adds one for every row or column.
    """
    cut = (4 * terms + max(matrix.shape)) * ROUNDING
    return np.linalg.pinv(matrix, rcond=cut).astype(np.float64)


def rank_k_inverse(matrix: Floats, k: int) -> Floats:
    """[M]_k^†: the pseudo-inverse of the best approximation of rank k, by singular values.

    This is the low-rank SVD of Appendix E.2 where a moment is inverted (D50, D87).
    """
    left, sigma, right = np.linalg.svd(matrix, full_matrices=False)
    inverse: Floats = (right[:k].T / sigma[:k]) @ left[:, :k].T
    return inverse


def frozen_chain(T: npt.ArrayLike) -> Floats:
    """A task-transition matrix T as the paper writes it: each COLUMN is a distribution."""
    matrix = frozen(T, "T", 2)
    good = matrix.shape[0] == matrix.shape[1] and len(matrix) >= 1
    require(good, "T", "must be square, with one task at least", value=f"shape {matrix.shape}")
    require_all(matrix >= 0, matrix, "T", "a probability must not be negative")
    with np.errstate(over="ignore"):
        sums = matrix.sum(axis=0)
    slack = 4 * len(matrix) * ROUNDING
    require_all(np.abs(sums - 1) <= slack, sums, "T", "the column must sum to one")
    return matrix


def frozen_distribution(values: npt.ArrayLike, argument: str, k: int) -> Floats:
    """A distribution over k tasks."""
    vector = frozen(values, argument, 1)
    require(vector.size == k, argument, f"must have {k} entries", value=vector.size)
    require_distributions(vector, argument)
    return vector
