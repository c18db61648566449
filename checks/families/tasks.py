"""Hypothesis strategies for one task: valid by construction, nothing is drawn and thrown away.

A family takes the number of states, of actions and the discount, each as a value or as a strategy,
and a choice of reward tables:

    dense()                                    up to 4 states and 3 actions, any discount
    garnet(S=20, A=4, gamma=0.9)               one size
    chain(S=st.integers(2, 9), rewards=certain)

Tables are drawn as one string of bytes each, because the number of draws is what costs time. Byte
0 always stands for the simplest entry, so a table shrinks to something a reader can follow: to
uniform rows, to the first state, to reward 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reference.arrays import Floats
from reference.domains.grid import Grid
from reference.domains.objectworld import objectworld
from reference.domains.two_rooms import Payment, goal_grid
from reference.mdp import MDP

T = TypeVar("T")
Bytes: TypeAlias = npt.NDArray[np.uint8]
Rewards: TypeAlias = tuple[Floats, Floats]
"""q of shape (S, A, U) and u of shape (U,)."""
RewardTables: TypeAlias = Callable[[int, int], SearchStrategy[Rewards]]
TransitionTables: TypeAlias = Callable[[int, int], SearchStrategy[Floats]]

DISCOUNTS = (0.0, 0.01, 0.5, 0.9, 0.99, 0.999)
LEVELS = (0.0, 1.0, 0.5, 0.25, 0.75, 0.1, 0.9, 0.3, 0.7, 0.01, 0.99)
"""Rewards and chances that tables are made of."""
ITEMS = (0.0, 0.2, 0.22, 0.5, 1.0)
SHAPES = ((1, 2), (2, 2), (1, 3), (2, 3))
"""Rows and columns of small grids."""

STATES = st.integers(1, 4)
ACTIONS = st.integers(1, 3)


def discounts() -> SearchStrategy[float]:
    """γ: 0, close to 0, usual, close to 1, or anything up to 0.999."""
    return st.one_of(st.sampled_from(DISCOUNTS), st.floats(2**-20, 0.999))


def either(value: T | SearchStrategy[T]) -> SearchStrategy[T]:
    """A strategy as it is; any other value as the strategy that draws it alone."""
    return value if isinstance(value, SearchStrategy) else st.just(value)


# Tables of rewards


def certain(S: int, A: int) -> SearchStrategy[Rewards]:
    """One reward per pair, paid with certainty: all variances are zero."""

    def table(found: Bytes) -> Rewards:
        r = _level(found)
        u = np.unique(r)
        return (r[:, :, np.newaxis] == u).astype(np.float64), u

    return _bytes(S, A).map(table)


def bernoulli(S: int, A: int) -> SearchStrategy[Rewards]:
    """1 or 0; the chance of a 1 may be 0 or 1, or close to them."""

    def table(found: Bytes) -> Rewards:
        r = _level(found)
        return np.stack([1 - r, r], axis=-1), np.array([0.0, 1.0])

    return _bytes(S, A).map(table)


@st.composite
def several_values(draw: DrawFn, S: int, A: int) -> Rewards:
    """Two to four reward values, of which each pair pays some."""
    U = draw(st.integers(2, 4))
    u = _level(draw(_bytes(U)))
    return draw(distributions(S, A, U)), u


def rewards(S: int, A: int) -> SearchStrategy[Rewards]:
    """Any of the three."""
    return st.one_of(certain(S, A), bernoulli(S, A), several_values(S, A))


# Tables of transitions


def distributions(rows: int, columns: int, size: int) -> SearchStrategy[Floats]:
    """Probability vectors with many zeros: one outcome for sure, each other one in half the rows.

    Of every size + 1 bytes the last one names the outcome that is never left out.
    """

    def table(found: Bytes) -> Floats:
        weight = np.maximum(found[..., :-1].astype(np.int64) - 128, 0)
        weight += np.arange(size) == found[..., -1:] % size
        return _normalised(weight)

    return _bytes(rows, columns, size + 1).map(table)


def dense_transitions(S: int, A: int) -> SearchStrategy[Floats]:
    """Every state is reached from every pair."""
    return _bytes(S, A, S).map(lambda found: _normalised(1 + found.astype(np.int64)))


def garnet_transitions(S: int, A: int, branching: int = 2) -> SearchStrategy[Floats]:
    """Few successors: at most `branching` different ones for every pair."""

    def table(found: Bytes) -> Floats:
        rank = np.argsort(np.argsort(found[..., :S], axis=-1, kind="stable"), axis=-1)
        weight = np.where(rank < min(branching, S), 1 + found[..., S:].astype(np.int64), 0)
        return _normalised(weight)

    return _bytes(S, A, 2 * S).map(table)


def deterministic_transitions(S: int, A: int) -> SearchStrategy[Floats]:
    """One successor for every pair."""
    return _bytes(S, A).map(lambda found: np.eye(S)[found % S])


@st.composite
def absorbing_transitions(draw: DrawFn, S: int, A: int) -> Floats:
    """Some states, at least one, are never left; the other rows have few or many successors."""
    p = draw(distributions(S, A, S))
    never_left = draw(_bytes(S)) >= 128
    never_left[draw(st.integers(0, S - 1))] = True
    p[never_left] = np.eye(S)[never_left, np.newaxis]
    return p


def chain_transitions(S: int, A: int) -> SearchStrategy[Floats]:
    """States in a row: even actions try a step up, odd ones a step down; who fails stays."""
    states = np.arange(S)
    ends = [np.minimum(states + 1, S - 1), np.maximum(states - 1, 0)]

    def table(found: Bytes) -> Floats:
        p = np.zeros((S, A, S))
        for a in range(A):
            success = 1 - _level(found)[:, a]
            p[states, a, states] += 1 - success
            p[states, a, ends[a % 2]] += success
        return p

    return _bytes(S, A).map(table)


def transitions(S: int, A: int) -> SearchStrategy[Floats]:
    """Any of the tables above."""
    return st.one_of(
        deterministic_transitions(S, A),
        chain_transitions(S, A),
        garnet_transitions(S, A),
        absorbing_transitions(S, A),
        dense_transitions(S, A),
    )


# Families


@st.composite
def built(
    draw: DrawFn,
    transition_tables: TransitionTables,
    S: int | SearchStrategy[int] = STATES,
    A: int | SearchStrategy[int] = ACTIONS,
    gamma: float | SearchStrategy[float] | None = None,
    rewards: RewardTables = rewards,
) -> MDP:
    """A task from any tables: the family that all others are cases of."""
    states, actions = draw(either(S)), draw(either(A))
    discount = draw(discounts() if gamma is None else either(gamma))
    q, u = draw(rewards(states, actions))
    return MDP(p=draw(transition_tables(states, actions)), q=q, u=u, gamma=discount)
