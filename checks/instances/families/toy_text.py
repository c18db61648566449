"""Families of tasks that others wrote: FrozenLake, CliffWalking and Taxi of Gymnasium.

For `ptum verify --family ptum.checks.instances.families.toy_text:frozen_lakes` and its like; needs
`pip install ptum[gymnasium]`. In each set the target is one model of several that share states,
actions and reward values, and all models are exact.

| strategy       | states    | what differs between the models of a set          |
| -------------- | --------- | ------------------------------------------------- |
| `frozen_lakes` | 4 or 9    | how slippery the ice is, where holes and goal are |
| `cliff_walks`  | 49        | whether the cliff is slippery                     |
| `taxis`        | 501, slow | how rainy it is                                   |
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import gymnasium
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.instances.families.named import exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.toy_text import from_gymnasium

MAPS = (
    ("SF", "FG"),
    ("SG", "FF"),
    ("SFF", "FHF", "FFG"),
    ("SFF", "FFH", "HFG"),
    ("SFH", "FFF", "FFG"),
    ("SFG", "FHF", "FFF"),
)
"""Small lakes: S start, F frozen, H hole, G goal."""
SUCCESS = (0.4, 0.6, 0.8, 1.0)
RAINS = (0.2, 0.6, 1.0)
"""With 0.2 the intended step is the least likely one, and another policy is best."""
DISCOUNTS = (0.5, 0.9)


def frozen_lake(rows: Sequence[str], success: float, gamma: float) -> MDP:
    """FrozenLake on a map; the intended step happens with probability `success`."""
    slippery = success < 1
    made = gymnasium.make(
        "FrozenLake-v1", desc=list(rows), is_slippery=slippery, success_rate=success
    )
    return from_gymnasium(made, gamma, rewards=(0.0, 1.0)).task


def cliff_walk(slippery: bool, gamma: float) -> MDP:
    """CliffWalking, whose falls cost 100."""
    made = gymnasium.make("CliffWalking-v1", is_slippery=slippery)
    return from_gymnasium(made, gamma, rewards=(-100.0, 0.0)).task


def taxi(success: float, gamma: float) -> MDP:
    """Taxi, in rain where `success`, the probability of the intended step, is below 1."""
    made = gymnasium.make("Taxi-v4", is_rainy=success < 1, rainy_probability=success)
    return from_gymnasium(made, gamma, rewards=(-10.0, 20.0)).task


@st.composite
def _frozen_lakes(draw: DrawFn) -> TaskSet:
    gamma, size = draw(st.sampled_from(DISCOUNTS)), draw(st.sampled_from((2, 3)))
    lakes = st.tuples(
        st.sampled_from([rows for rows in MAPS if len(rows) == size]), st.sampled_from(SUCCESS)
    )
    drawn = draw(st.lists(lakes, min_size=2, max_size=4, unique=True))
    lakes_drawn = tuple(frozen_lake(rows, success, gamma) for rows, success in drawn)
    return exactly_known("frozen lakes", lakes_drawn)


@st.composite
def _cliff_walks(draw: DrawFn) -> TaskSet:
    gamma, first = draw(st.sampled_from(DISCOUNTS)), draw(st.booleans())
    both = tuple(cliff_walk(slippery, gamma) for slippery in (first, not first))
    return exactly_known("cliff walks", both)


@st.composite
def _taxis(draw: DrawFn) -> TaskSet:
    gamma = draw(st.sampled_from(DISCOUNTS))
    rains = draw(st.lists(st.sampled_from(RAINS), min_size=2, max_size=2, unique=True))
    return taxis_in_rain(tuple(rains), gamma)


@lru_cache
def taxis_in_rain(rains: tuple[float, ...], gamma: float) -> TaskSet:
    """Kept, since solving 501 states takes a second."""
    return exactly_known("taxis", tuple(taxi(success, gamma) for success in rains))


frozen_lakes: SearchStrategy[TaskSet] = _frozen_lakes()
cliff_walks: SearchStrategy[TaskSet] = _cliff_walks()
taxis: SearchStrategy[TaskSet] = _taxis()
