"""Section 4: what is seen of a task: the vector o_h of its empirical distributions.

| symbol      | code                 | shape             | meaning                               |
| ----------- | -------------------- | ----------------- | ------------------------------------- |
| O           | `observation_matrix` | (d, k)            | column j is μ_j, the model of task j  |
| o_h         | `o`                  | (d,)              | [vec(q̂_h); vec(p̂_h)]                  |
| d = SA(S+U) | `dimension`          |                   |                                       |

The order of an observation (D47): all of q̂ first, then all of p̂, each flattened in the order
state, action, outcome with the outcome running fastest. Entry q̂(u_j|s,a) is at (sA+a)U+j and
p̂(s'|s,a) at SAU+(sA+a)S+s', so every distribution is a contiguous block.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, frozen, require_distributions, sealed
from ptum.reference.errors import InputError, require, require_all, require_sizes
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.empirical import Data


class PostSample(NamedTuple):
    """The observation of one task, whole and as the two tables it was made of."""

    o: Floats
    q_hat: Floats
    p_hat: Floats


def dimension(S: int, A: int, U: int) -> int:
    """d = SA(S+U)."""
    S, A, U = require_sizes(S=S, A=A, U=U)
    return S * A * (S + U)


def largest_number_of_tasks(S: int, A: int, U: int) -> int:
    """The largest possible rank of O, SA(S+U-2)+1: all 2SA blocks of a column sum to one."""
    S, A, U = require_sizes(S=S, A=A, U=U)
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
    S, A, U = require_sizes(S=S, A=A, U=U)
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
