"""A task from counts: its frequencies by hand, and counts that make none."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from ptum.reference.errors import InputError
from ptum.reference.tasks.counts import from_counts

NEXT_STATES = [[[3, 1], [0, 4], [1, 1]], [[2, 2], [1, 0], [5, 3]]]
REWARDS = [[[1, 3], [1, 0], [2, 2]], [[4, 0], [0, 8], [1, 1]]]
U = [0.25, 0.5]


def test_every_count_is_divided_by_that_of_its_pair() -> None:
    """Two states, three actions and quarters and eighths, which doubles have exactly."""
    task = from_counts(NEXT_STATES, REWARDS, U, 0.5)
    p = [[[0.75, 0.25], [0.0, 1.0], [0.5, 0.5]], [[0.5, 0.5], [1.0, 0.0], [0.625, 0.375]]]
    q = [[[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]]
    assert (task.p.tolist(), task.q.tolist()) == (p, q)
    assert (task.u.tolist(), task.gamma) == (U, 0.5)


def test_one_state_one_reward_seen_once() -> None:
    task = from_counts([[[1]]], [[[1]]], [0.5], 0.0)
    assert (task.p.tolist(), task.q.tolist()) == ([[[1.0]]], [[[1.0]]])


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ([[[3, 1]], [[0, 0]]], r"\[1, 0\]: the pair was never seen"),
        ([[[3, -1]], [[0, 5]]], r"\[0, 0, 1\]: a count must be a whole number"),
        ([[[3, 1]], [[0.5, 1.5]]], r"\[1, 0, 0\]: a count must be a whole number"),
        ([[[3, 1]], [[1e308, 1e308]]], r"\[1, 0\]: the counts are too large to add up"),
        (np.zeros((2, 1, 0)), r": needs something to count \(found \(2, 1, 0\)\)"),
        (np.zeros((1, 0, 1)), r": needs something to count \(found \(1, 0, 1\)\)"),
        (np.zeros((0, 2, 1)), r": needs something to count \(found \(0, 2, 1\)\)"),
        ([[3, 1], [0, 5]], ": must have 3 axes"),
        (np.ones((2, 1, 1)), r": must have shape \(.*\(found \(2, 1, 1\)\)"),
        (np.ones((2, 1, 3)), r": must have shape \(.*\(found \(2, 1, 3\)\)"),
    ],
)
@pytest.mark.parametrize("argument", ["next_states", "rewards"])
def test_what_has_no_frequencies_is_refused(
    argument: str, table: npt.ArrayLike, problem: str
) -> None:
    """By the name of the argument: nothing is left to the checks of the task."""
    good: dict[str, npt.ArrayLike] = {
        "next_states": [[[3, 1]], [[0, 5]]],
        "rewards": [[[1, 3]], [[5, 0]]],
    }
    with pytest.raises(InputError, match=rf"^{argument}{problem}"):
        from_counts(**good | {argument: table}, u=U, gamma=0.5)
