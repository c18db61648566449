"""Section 2: a model from counts, its frequencies as in lines 7 and 8 of Algorithm 1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, frozen
from ptum.reference.errors import require, require_all
from ptum.reference.tasks.mdp import MDP


def from_counts(
    next_states: npt.ArrayLike, rewards: npt.ArrayLike, u: npt.ArrayLike, gamma: float
) -> MDP:
    """The task in which everything is as frequent as it was seen to be.

    next_states[s,a,s'] says how often s' followed, shape (S, A, S), and rewards[s,a,j] how often
    the reward was u[j], shape (S, A, U). Every pair must have been seen. How far the result is from
    the truth is not known: Δ is yours to state.
    """
    p, q = _shares(next_states, "next_states"), _shares(rewards, "rewards")
    values, (S, A, followed) = frozen(u, "u", 1), p.shape
    require(followed == S, "next_states", "must have shape (S, A, S)", value=p.shape)
    shape = (S, A, values.size)
    require(q.shape == shape, "rewards", f"must have shape {shape}, (S, A, U)", value=q.shape)
    return MDP(p, q, values, gamma)


def _shares(counts: npt.ArrayLike, argument: str) -> Floats:
    """Every row divided by its sum."""
    found = frozen(counts, argument, 3)
    whole = (found >= 0) & (found == np.floor(found))
    require_all(whole, found, argument, "a count must be a whole number from 0 on")
    require(found.size > 0, argument, "needs something to count", value=found.shape)
    with np.errstate(over="ignore"):
        sums = found.sum(axis=-1)
    require_all(np.isfinite(sums), sums, argument, "the counts are too large to add up")
    require_all(sums > 0, sums, argument, "the pair was never seen: it has no frequencies")
    shares: Floats = found / sums[:, :, None]
    return shares
