"""Algorithm 2, line 5, repaired: an observation of a fixed number of fresh samples (E41).

The number is fixed before the task, so E[o | θ*_h = θ_j] = μ_j whatever was done before. As printed
all samples of a task make its observation, and how many there are depends on what they were.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, sealed
from ptum.reference.errors import is_integer, require, require_sizes
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.observations import PostSample, counts, empirical_observation
from ptum.reference.tasks.generative import GenerativeModel, ask
from ptum.reference.transfer.empirical import Data, empty_data

__all__ = ["PostSample", "PostSampleBatches", "post_sample_batches", "post_sample_observation"]


class PostSampleBatches(NamedTuple):
    """Three independent observations of one task, shape (3, d), and the tables of all samples."""

    batches: Floats
    q_hat: Floats
    p_hat: Floats


def post_sample_observation(
    model: GenerativeModel, S: int, A: int, u: npt.ArrayLike, n_post: int
) -> PostSample:
    """n_post fresh samples of every pair, and nothing else (D46)."""
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
