"""Hypothesis strategies for one task: valid by construction, nothing is drawn and thrown away.

A family takes the number of states, of actions and the discount, each as a value or as a strategy,
and a choice of reward tables:

    dense()                                    up to 4 states and 3 actions, any discount
    garnet(S=20, A=4, gamma=0.9)               one size
    chain(S=st.integers(2, 9), rewards=deterministic)

Tables are drawn as one string of bytes each, because the number of draws is what costs time. Byte
0 always stands for the simplest entry, so a table shrinks to something a reader can follow: to
uniform rows, to the first state, to reward 0. Strategies of tables are cached: Hypothesis needs
longer to set one up than to draw from it. (Of one strategy, however often it is named, `st.one_of`
makes one choice; so what is named twice to come twice as often is not cached.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import TypeAlias, TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.reference.arrays import Floats, Ints
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.objectworld import objectworld
from ptum.reference.experiments.two_rooms import Payment, goal_grid
from ptum.reference.tasks.mdp import MDP

T = TypeVar("T")
RewardTable: TypeAlias = tuple[Floats, Floats]
"""q of shape (S, A, U) and u of shape (U,)."""
Size: TypeAlias = int | SearchStrategy[int]
Shape: TypeAlias = tuple[int, int] | SearchStrategy[tuple[int, int]]
RealOrStrategy: TypeAlias = float | SearchStrategy[float]
RewardTables: TypeAlias = Callable[[int, int], SearchStrategy[RewardTable]]
TransitionTables: TypeAlias = Callable[[int, int], SearchStrategy[Floats]]

DISCOUNTS = (0.0, 0.01, 0.5, 0.9, 0.99, 0.999)
LEVELS = (0.0, 1.0, 0.5, 0.25, 0.75, 0.1, 0.9, 0.3, 0.7, 0.01, 0.99)
"""Rewards and chances that tables are made of."""
ITEMS = (0.0, 0.2, 0.22, 0.5, 1.0)
SHAPES = ((1, 2), (2, 2), (1, 3), (2, 3))
"""Rows and columns of small grids."""

GOAL_REWARDS = (1.0, 0.8, 0.81, 0.0)
ACTION_FAILURES = (0.1, 0.0, 0.45)
PICK_UP_FAILURES = (0.012, 0.0, 0.3)
MOST_STATES = 256
ROOM = 4


def discounts() -> SearchStrategy[float]:
    """γ: 0, close to 0, usual, close to 1, or anything up to 0.999."""
    return st.one_of(st.sampled_from(DISCOUNTS), st.floats(2**-20, 0.999))


STATES, ACTIONS, GAMMAS = st.integers(1, 4), st.integers(1, 3), discounts()
SHAPE = st.sampled_from(SHAPES)


def either(value: T | SearchStrategy[T]) -> SearchStrategy[T]:
    """A strategy as it is; any other value as the strategy that draws it alone."""
    return value if isinstance(value, SearchStrategy) else st.just(value)


# Tables of rewards


@cache
def deterministic(S: int, A: int) -> SearchStrategy[RewardTable]:
    """One reward per pair, paid with certainty: all variances are zero."""

    def table(found: Ints) -> RewardTable:
        r = _level(found)
        u = np.unique(r)
        return (r[:, :, np.newaxis] == u).astype(np.float64), u

    return byte_arrays(S, A).map(table)


@cache
def bernoulli(S: int, A: int) -> SearchStrategy[RewardTable]:
    """1 or 0; the probability of a 1 may be 0 or 1, or close to them."""

    def table(found: Ints) -> RewardTable:
        r = _level(found)
        return np.stack([1 - r, r], axis=-1), np.array([0.0, 1.0])

    return byte_arrays(S, A).map(table)


@cache
@st.composite
def several_values(draw: DrawFn, S: int, A: int) -> RewardTable:
    """Two to four reward values, some of which may be equal; each pair pays one or more of them."""
    U = draw(st.integers(2, 4))
    u = _level(draw(byte_arrays(U)))
    return draw(distributions(S, A, U)), u


@cache
def rewards(S: int, A: int) -> SearchStrategy[RewardTable]:
    """Any of the three."""
    return st.one_of(deterministic(S, A), bernoulli(S, A), several_values(S, A))


# Tables of transitions


@cache
def distributions(rows: int, columns: int, size: int) -> SearchStrategy[Floats]:
    """Probability vectors with many zeros: one outcome for sure, any other in half the rows."""

    def table(weight: Ints, sure: Ints) -> Floats:
        positive = np.maximum(weight - 128, 0)
        return _normalised(positive + (np.arange(size) == sure[..., np.newaxis] % size))

    return st.builds(table, byte_arrays(rows, columns, size), byte_arrays(rows, columns))


@cache
def dense_transitions(S: int, A: int) -> SearchStrategy[Floats]:
    """Every state is reached from every pair."""
    return byte_arrays(S, A, S).map(lambda found: _normalised(1 + found))


@cache
def garnet_transitions(S: int, A: int, branching: int = 2) -> SearchStrategy[Floats]:
    """Few successors: `branching` different ones for every pair, or all S if that is less."""

    def table(order: Ints, weight: Ints) -> Floats:
        rank = np.argsort(np.argsort(order, axis=-1, kind="stable"), axis=-1)
        return _normalised(np.where(rank < branching, 1 + weight, 0))

    return st.builds(table, byte_arrays(S, A, S), byte_arrays(S, A, S))


@cache
def deterministic_transitions(S: int, A: int) -> SearchStrategy[Floats]:
    """One successor for every pair."""
    return byte_arrays(S, A).map(lambda found: np.eye(S)[found % S])


@cache
@st.composite
def absorbing_transitions(draw: DrawFn, S: int, A: int) -> Floats:
    """Some states, at least one, are never left; the other rows have few or many successors."""
    p = draw(distributions(S, A, S))
    never_left = draw(byte_arrays(S)) >= 128
    never_left[draw(st.integers(0, S - 1))] = True
    p[never_left] = np.eye(S)[never_left, np.newaxis]
    return p


@cache
def chain_transitions(S: int, A: int) -> SearchStrategy[Floats]:
    """States in a row: even actions try a step up, odd ones a step down; who fails stays."""
    states = np.arange(S)
    ends = [np.minimum(states + 1, S - 1), np.maximum(states - 1, 0)]

    def table(found: Ints) -> Floats:
        p = np.zeros((S, A, S))
        for a in range(A):
            success = 1 - _level(found)[:, a]
            p[states, a, states] += 1 - success
            p[states, a, ends[a % 2]] += success
        return p

    return byte_arrays(S, A).map(table)


@cache
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
    tables: TransitionTables,
    S: Size = STATES,
    A: Size = ACTIONS,
    gamma: RealOrStrategy = GAMMAS,
    rewards: RewardTables = rewards,
) -> MDP:
    """A task from any tables of transitions: the families below say which."""
    states, actions = draw(either(S)), draw(either(A))
    if states > MOST_STATES:
        raise ValueError(f"Tables are drawn as bytes: S = {states} exceeds {MOST_STATES}.")
    discount = draw(either(gamma))
    q, u = draw(rewards(states, actions))
    return MDP(p=draw(tables(states, actions)), q=q, u=u, gamma=discount)


def bandit(
    A: Size = ACTIONS, gamma: RealOrStrategy = GAMMAS, rewards: RewardTables = rewards
) -> SearchStrategy[MDP]:
    """One state."""
    return built(deterministic_transitions, 1, A, gamma, rewards)


deterministic_moves = partial(built, deterministic_transitions)
"""Every pair has one successor."""

chain = partial(built, chain_transitions)
"""States in a row, actions that step up or down or fail."""

absorbing = partial(built, absorbing_transitions)
"""At least one state is never left."""

dense = partial(built, dense_transitions)
"""Every state follows every pair with positive probability."""


def garnet(
    S: Size = STATES,
    A: Size = ACTIONS,
    gamma: RealOrStrategy = GAMMAS,
    rewards: RewardTables = rewards,
    branching: int = 2,
) -> SearchStrategy[MDP]:
    """Few successors per pair."""

    def tables(S: int, A: int) -> SearchStrategy[Floats]:
        return garnet_transitions(S, A, branching)

    return built(tables, S, A, gamma, rewards)


@st.composite
def two_room_grids(draw: DrawFn, shape: Shape = SHAPE, gamma: RealOrStrategy = GAMMAS) -> MDP:
    """Small grids of Appendix E.1: a wall with a door or none, one or two goals, any payment."""
    rows, columns = draw(either(shape))
    door = draw(st.none() | st.integers(0, rows - 1)) if columns > 1 else None
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    goals = st.dictionaries(cells, st.sampled_from(GOAL_REWARDS), min_size=1, max_size=2)
    return goal_grid(
        Grid(rows, columns, door),
        draw(goals),
        draw(either(gamma)),
        action_failure=draw(st.sampled_from(ACTION_FAILURES)),
        payment=draw(st.sampled_from(Payment)),
    )


@st.composite
def objectworlds(draw: DrawFn, shape: Shape = SHAPE, gamma: RealOrStrategy = GAMMAS) -> MDP:
    """Small grids of Appendix E.2 with items at all pairs."""
    grid = Grid(*draw(either(shape)))
    return objectworld(
        grid,
        np.array(ITEMS)[draw(byte_arrays(grid.S, 4)) % len(ITEMS)],
        draw(either(gamma)),
        values=ITEMS,
        action_failure=draw(st.sampled_from(ACTION_FAILURES)),
        pick_up_failure=draw(st.sampled_from(PICK_UP_FAILURES)),
    )


def of_size(S: int, A: int, gamma: float) -> SearchStrategy[MDP]:
    """A task of one size and discount, with any of the tables above; no grids."""
    return built(transitions, S, A, gamma)


def tasks() -> SearchStrategy[MDP]:
    """Any family at its usual sizes: up to 4 states and 3 actions, grids up to 6 states and 4."""
    return st.one_of(
        bandit(),
        deterministic_moves(),
        chain(),
        garnet(),
        absorbing(),
        dense(),
        two_room_grids(),
        objectworlds(),
    )


@cache
def byte_arrays(*shape: int) -> SearchStrategy[Ints]:
    """An array of numbers from 0 to 255, in a single draw.

    Small arrays are cut out of one that has room for four along every axis, so that the entries
    that remain are the same when Hypothesis tries fewer states or actions. It also moves what is
    not zero to the end of the bytes; read backwards, that is the first entry, which always remains.
    """
    roomy = tuple(max(size, ROOM) for size in shape)
    length = math.prod(roomy)
    corner = tuple(slice(size) for size in shape)

    def array(found: bytes) -> Ints:
        whole = np.frombuffer(found, dtype=np.uint8)[::-1].reshape(roomy)
        return whole[corner].astype(np.int64)

    return st.binary(min_size=length, max_size=length).map(array)


def _level(found: Ints) -> Floats:
    level: Floats = np.array(LEVELS)[found % len(LEVELS)]
    return level


def _normalised(weight: Ints) -> Floats:
    table: Floats = weight / weight.sum(axis=-1, keepdims=True)
    return table
