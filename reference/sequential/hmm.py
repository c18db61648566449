"""Section 4: the sequence of tasks as a hidden Markov model, seen through empirical models.

| symbol      | code                 | shape             | meaning                               |
| ----------- | -------------------- | ----------------- | ------------------------------------- |
| T           | `T[i,j]`             | (k, k)            | P(θ*_{h+1} = θ_i | θ*_h = θ_j)        |
| O           | `O[:,j]`             | (d, k)            | μ_j = E[o_h | θ*_h = θ_j]             |
| o_h         | `o`                  | (d,)              | [vec(q̂_h); vec(p̂_h)]                  |
| d = SA(S+U) | `dimension`          |                   |                                       |
| Σ_{i,j}     | `moments.Sigma_21` … | (d, d)            | E[o_i ⊗ o_j], not centred (E44)       |
| M_2, M_3    | `moments.M_2` …      | (d, d), (d, d, d) | moments of the transformed views      |

The order of an observation (D47): all of q̂ first, then all of p̂, each flattened in the order
state, action, outcome with the outcome running fastest. Entry q̂(u_j|s,a) is at (sA+a)U+j and
p̂(s'|s,a) at SAU+(sA+a)S+s', so every distribution is a contiguous block.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import ROUNDING, Floats, Ints, frozen, require_distributions, sealed
from ptum.reference.errors import (
    InputError,
    is_integer,
    require,
    require_all,
    require_count,
    require_sizes,
)
from ptum.reference.tasks.generative import GenerativeModel, ask
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.empirical import Data, empty_data

VIEWS = 3
"""Consecutive tasks in a triple, and batches of samples in a task."""

LARGEST_TENSOR = 2**30
"""Bytes that the d×d×d tensor M_3 may take unless somebody says otherwise: d ≤ 512.

Making it takes twice as much for a moment. Appendix E has d = 3700, for which M_3 has 405 GB.
"""


@dataclass(frozen=True, eq=False)
class HMM:
    """k hidden tasks: their mean observations, their transitions, the law of the first one (D42).

    Nothing is asked of the rank of O or of T. A model that no method can learn is still a model.
    """

    O: Floats
    T: Floats
    initial: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "O", frozen(self.O, "O", 2))
        object.__setattr__(self, "T", frozen_chain(self.T))
        object.__setattr__(self, "initial", frozen_law(self.initial, "initial", self.k))
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


class PostSample(NamedTuple):
    """The observation of one task, whole and as the two tables it was made of."""

    o: Floats
    q_hat: Floats
    p_hat: Floats


class PostSampleBatches(NamedTuple):
    """Three independent observations of one task, shape (3, d), and the tables of all samples."""

    batches: Floats
    q_hat: Floats
    p_hat: Floats


def dimension(S: int, A: int, U: int) -> int:
    """d = SA(S+U)."""
    require_sizes(S=S, A=A, U=U)
    return S * A * (S + U)


def largest_number_of_tasks(S: int, A: int, U: int) -> int:
    """The largest possible rank of O, SA(S+U-2)+1: all 2SA blocks of a column sum to one."""
    require_sizes(S=S, A=A, U=U)
    return S * A * (S + U - 2) + 1


def observation_vector(q_hat: npt.ArrayLike, p_hat: npt.ArrayLike) -> Floats:
    """o = [vec(q̂); vec(p̂)] of two tables of distributions, in the order above."""
    q, p = frozen(q_hat, "q_hat", 3), frozen(p_hat, "p_hat", 3)
    S, A, next_states = p.shape
    require(S >= 1 and A >= 1, "p_hat", "needs a state and an action", value=p.shape)
    require(next_states == S, "p_hat", "must have shape (S, A, S)", value=p.shape)
    require(q.shape[:2] == (S, A), "q_hat", f"must have shape ({S}, {A}, U)", value=q.shape)
    require(q.shape[2] >= 1, "q_hat", "needs a reward value", value=q.shape)
    require_distributions(q, "q_hat")
    require_distributions(p, "p_hat")
    return sealed(np.concatenate([q.ravel(), p.ravel()]))


def split_observation(o: npt.ArrayLike, S: int, A: int, U: int) -> tuple[Floats, Floats]:
    """The tables q (S,A,U) and p (S,A,S) in a vector of length d; they may be any numbers."""
    flat = frozen(o, "o", 1)
    d = dimension(S, A, U)
    require(flat.size == d, "o", f"must have length SA(S+U) = {d}", value=flat.size)
    q, p = flat[: S * A * U], flat[S * A * U :]
    return q.reshape(S, A, U), p.reshape(S, A, S)


def observation_matrix(tasks: Sequence[MDP]) -> Floats:
    """O = [μ_1, …, μ_k]: the flattened model of task j is column j."""
    require(len(tasks) >= 1, "tasks", "at least one task is needed", value=0)
    for j, task in enumerate(tasks):
        same = task.p.shape == tasks[0].p.shape and np.array_equal(task.u, tasks[0].u)
        require(same, "tasks", "must share states, actions and reward values", index=(j,))
    return sealed(np.stack([observation_vector(task.q, task.p) for task in tasks], axis=1))


def models_from_columns(
    O: npt.ArrayLike, S: int, A: int, u: npt.ArrayLike, gamma: float
) -> tuple[MDP, ...]:
    """Algorithm 2, line 7: column j of an observation matrix read as the model of task j.

    Every block must be a distribution. A raw Ô hardly ever has that property (E42); project it
    first.
    """
    columns, values = frozen(O, "O", 2), frozen(u, "u", 1)
    require(columns.shape[1] >= 1, "O", "needs a column", value=f"shape {columns.shape}")
    models = []
    for j, column in enumerate(columns.T):
        q, p = split_observation(column, S, A, values.size)
        require_distributions(q, f"O[:, {j}], rewards")
        require_distributions(p, f"O[:, {j}], transitions")
        models.append(MDP(p=p, q=q, u=values, gamma=gamma))
    return tuple(models)


def task_sequence(
    T: npt.ArrayLike, initial: npt.ArrayLike, h: int, rng: np.random.Generator
) -> Ints:
    """Algorithm 2, line 3, h times: θ*_1 ~ initial (D42), then θ*_{l+1} ~ T(.|θ*_l)."""
    transitions = frozen_chain(T)
    law = frozen_law(initial, "initial", len(transitions))
    require_count(h, "h")
    tasks = np.zeros(h, dtype=np.int64)
    for step in range(h):
        tasks[step] = rng.choice(len(law), p=law / law.sum())
        law = transitions[:, tasks[step]]
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
    hmm: HMM, law_of_first_view: npt.ArrayLike, *, largest_tensor: int = LARGEST_TENSOR
) -> Moments:
    """The exact moments of one triple whose first task has the given law.

    With π that law, w = Tπ the law of the second task:

        E[o_2 ⊗ o_1] = O T diag(π) O^T     E[o_3 ⊗ o_1] = O T² diag(π) O^T
        E[o_3 ⊗ o_2] = O T diag(w) O^T

    and M_2, M_3 are those of the transformed views as Appendix C defines them, pseudo-inverses
    included; no identity of the appendix is used. All of it is linear in π, so the average over
    many triples is the moment of one triple with the average law.
    """
    require_tensor(len(hmm.O), largest_tensor)
    pi = frozen_law(law_of_first_view, "law_of_first_view", hmm.k)
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


def counts(data: Data, u: npt.ArrayLike) -> tuple[Floats, Floats]:
    """How often each reward value and each next state occur in stored samples."""
    values = frozen(u, "u", 1)
    require(np.unique(values).size == values.size, "u", "lists a reward value twice")
    S, A = len(data.rewards), len(data.rewards[0])
    rewards, successors = np.zeros((S, A, values.size)), np.zeros((S, A, S))
    for s in range(S):
        for a in range(A):
            for reward, successor in zip(data.rewards[s][a], data.successors[s][a], strict=True):
                rewards[s, a, _outcome(reward, values, s, a)] += 1
                successors[s, a, successor] += 1
    return rewards, successors


def empirical_observation(
    reward_counts: npt.ArrayLike, successor_counts: npt.ArrayLike
) -> PostSample:
    """q̂, p̂ and o of one task from its counts; a pair without samples is refused (D48)."""
    q_hat = _frequencies(reward_counts, "reward_counts")
    p_hat = _frequencies(successor_counts, "successor_counts")
    return PostSample(observation_vector(q_hat, p_hat), q_hat, p_hat)


def post_sample_observation(
    model: GenerativeModel, S: int, A: int, u: npt.ArrayLike, n_post: int
) -> PostSample:
    """The repaired observation (E41): n_post fresh samples of every pair, and nothing else (D46).

    The number is fixed before the task, so E[o | θ*_h = θ_j] = μ_j whatever was done before.
    """
    data = _collect(model, S, A, n_post)
    return empirical_observation(*counts(data, u))


def post_sample_batches(
    model: GenerativeModel, S: int, A: int, u: npt.ArrayLike, n_post: int
) -> PostSampleBatches:
    """The same samples in three equal batches, by order of arrival at each pair (D64).

    A reward and the next state that came with it stay in one batch, since a task may draw them
    together.
    """
    problem = "must be a multiple of 3, one share for every batch"
    require(is_integer(n_post) and n_post % VIEWS == 0, "n_post", problem, value=n_post)
    data = _collect(model, S, A, n_post)
    share = n_post // VIEWS
    batches = [
        empirical_observation(*counts(_part(data, batch * share, share), u)).o
        for batch in range(VIEWS)
    ]
    whole = empirical_observation(*counts(data, u))
    return PostSampleBatches(sealed(np.stack(batches)), whole.q_hat, whole.p_hat)


def frozen_chain(T: npt.ArrayLike) -> Floats:
    """A task-transition matrix T as the paper writes it: each COLUMN is a distribution."""
    matrix = frozen(T, "T", 2)
    good = matrix.shape[0] == matrix.shape[1] and len(matrix) >= 1
    require(good, "T", "must be square, with one task at least", value=f"shape {matrix.shape}")
    require_all(matrix >= 0, matrix, "T", "a probability must not be negative")
    sums = matrix.sum(axis=0)
    slack = 4 * len(matrix) * ROUNDING
    require_all(np.abs(sums - 1) <= slack, sums, "T", "the column must sum to one")
    return matrix


def frozen_law(law: npt.ArrayLike, argument: str, k: int) -> Floats:
    """A distribution over k tasks."""
    vector = frozen(law, argument, 1)
    require(vector.size == k, argument, f"must have {k} entries", value=vector.size)
    require_distributions(vector, argument)
    return vector


def _collect(model: GenerativeModel, S: int, A: int, n_post: int) -> Data:
    require_sizes(S=S, A=A, n_post=n_post)
    data = empty_data(S, A)
    for s in range(S):
        for a in range(A):
            for _ in range(n_post):
                data.store(s, a, *ask(model, s, a, S))
    return data


def _part(data: Data, start: int, size: int) -> Data:
    """`size` samples of every pair, from the `start`-th on."""
    return Data(
        rewards=[[pair[start : start + size] for pair in row] for row in data.rewards],
        successors=[[pair[start : start + size] for pair in row] for row in data.successors],
    )


def _outcome(reward: float, values: Floats, s: int, a: int) -> int:
    found = np.flatnonzero(values == reward)
    if not found.size:
        raise InputError("reward", "is none of the reward values", index=(s, a), value=reward)
    return int(found[0])


def _frequencies(counts: npt.ArrayLike, argument: str) -> Floats:
    table = frozen(counts, argument, 3)
    require_all(table >= 0, table, argument, "a count must not be negative")
    n = table.sum(axis=-1)
    require_all(n > 0, n, argument, "the pair has no sample")
    return sealed(table / n[:, :, np.newaxis])
