"""Hypothesis strategies for tasks and families of tasks: built valid, never filtered.

Drawn tables hold small integers, so that zeros, ones, ties, absorbing states and equal rewards are
common and shrink to something readable. Where ties would blur a statement, `generic_families`
fills its tables from a drawn seed instead: continuous numbers tie with probability zero.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from ptum.reference.arrays import Floats, Ints
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models

GAMMAS = (0.0, 0.3, 0.5, 0.9, 0.99, 0.9999)
WEIGHTS = (0, 0, 0, 1, 1, 2, 6)
"""What a drawn byte stands for in a table, before its rows are divided by their sums."""


@st.composite
def distribution_tables(draw: st.DrawFn, rows: int, columns: int, size: int) -> Floats:
    """A probability vector for every row and column.

    One draw for the whole table, because draws are what costs time. Of every size + 1 bytes the
    last names an entry that gets one more, so that no row is empty.
    """
    length = rows * columns * (size + 1)
    drawn = np.frombuffer(draw(st.binary(min_size=length, max_size=length)), dtype=np.uint8)
    numbers = drawn.reshape(rows, columns, size + 1).astype(np.int64)
    weights = np.array(WEIGHTS)[numbers[..., :-1] % len(WEIGHTS)]
    weights += np.arange(size) == numbers[..., -1:] % size
    table: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return table


def reward_values(U: int) -> st.SearchStrategy[Floats]:
    """U reward values, multiples of 1/8 from 0 to 1."""
    drawn = st.binary(min_size=U, max_size=U)
    return drawn.map(lambda found: np.array([byte % 9 / 8 for byte in found]))


@st.composite
def mdps(
    draw: st.DrawFn,
    *,
    max_S: int = 4,
    max_A: int = 3,
    max_U: int = 3,
    gammas: tuple[float, ...] = GAMMAS,
) -> MDP:
    """A task of any size up to the given one."""
    return draw(
        mdps_of_size(
            S=draw(st.integers(1, max_S)),
            A=draw(st.integers(1, max_A)),
            U=draw(st.integers(1, max_U)),
            gamma=draw(st.sampled_from(gammas)),
        )
    )


@st.composite
def mdps_of_size(draw: st.DrawFn, S: int, A: int, U: int, gamma: float) -> MDP:
    """A task with S states, A actions and U reward values."""
    return MDP(
        p=draw(distribution_tables(S, A, S)),
        q=draw(distribution_tables(S, A, U)),
        u=draw(reward_values(U)),
        gamma=gamma,
    )


@st.composite
def mdps_with_policies(draw: st.DrawFn, *, max_S: int = 4, max_A: int = 3) -> tuple[MDP, Ints]:
    """A task and one of its policies."""
    theta = draw(mdps(max_S=max_S, max_A=max_A))
    return theta, draw(policies(theta.S, theta.A))


@st.composite
def policies(draw: st.DrawFn, S: int, A: int) -> Ints:
    """A deterministic policy."""
    actions = draw(st.lists(st.integers(0, A - 1), min_size=S, max_size=S))
    return np.array(actions, dtype=np.int64)


@st.composite
def families(
    draw: st.DrawFn,
    *,
    max_k: int = 3,
    max_S: int = 3,
    max_A: int = 2,
    gammas: tuple[float, ...] = GAMMAS,
) -> ApproximateModels:
    """Approximate models over the same states, actions and discount."""
    k, S, A = (draw(st.integers(1, most)) for most in (max_k, max_S, max_A))
    gamma = draw(st.sampled_from(gammas))
    one = mdps_of_size(S=S, A=A, U=2, gamma=gamma)
    return approximate_models(draw(st.lists(one, min_size=k, max_size=k)))


def generic_mdp(
    rng: np.random.Generator, S: int, A: int, gamma: float, *, deterministic: bool
) -> MDP:
    """A task with continuous numbers; its rewards are deterministic or Bernoulli."""
    p = rng.dirichlet(np.ones(S), size=(S, A))
    r = rng.random((S, A))
    return (deterministic_rewards if deterministic else bernoulli_rewards)(p, r, gamma)


@st.composite
def generic_families(
    draw: st.DrawFn, *, k: int = 3, max_S: int = 3, max_A: int = 3
) -> ApproximateModels:
    """k models without ties of any kind, far enough apart to be told apart in few queries."""
    S, A = draw(st.integers(1, max_S)), draw(st.integers(2, max_A))
    gamma = draw(st.sampled_from((0.0, 0.3, 0.6)))
    deterministic = draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return approximate_models(
        [generic_mdp(rng, S, A, gamma, deterministic=deterministic) for _ in range(k)]
    )
