"""Tasks in episodes: a prize that is paid on arrival, what is drawn, and what is refused."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from ptum.reference.errors import InputError
from ptum.reference.experiments.episodes import (
    Fixed,
    OnlineTask,
    PerSample,
    episode,
    paid_once,
    returns_of_ptum,
)
from ptum.reference.tasks.mdp import MDP, deterministic_rewards


def towards_the_last() -> MDP:
    """Three states, one action; the last state is absorbing, and nothing pays."""
    p = np.array([[[0.5, 0.25, 0.25]], [[0.25, 0.25, 0.5]], [[0.0, 0.0, 1.0]]])
    return deterministic_rewards(p, np.zeros((3, 1)), 0.5)


def test_arriving_pays_one_with_the_probability_that_is_the_prize() -> None:
    """A prize of 3/4: of 1/4 to arrive 3/16 is paid, of 1/2 it is 3/8; in the goal nothing."""
    task = paid_once(towards_the_last(), np.array([0.0, 0.0, 0.75]), [2])
    assert task.joint[:, 0].tolist() == [
        [[1 / 2, 1 / 4, 1 / 16], [0, 0, 3 / 16]],
        [[1 / 4, 1 / 4, 1 / 8], [0, 0, 3 / 8]],
        [[0, 0, 1], [0, 0, 0]],
    ]
    assert task.u.tolist() == [0, 1]
    assert (task.gamma, task.starts, task.ends) == (0.5, (0,), frozenset({2}))


@pytest.mark.parametrize(
    "wrong",
    [
        [-0.5, 0.0, 0.0],
        [0.0, 0.0, 1.5],
        [0.5],
        [0.5, 0.5, 0.5, 0.5],
        [[0.5, 0.5, 0.5]],
        0.5,
    ],
)
def test_prizes_are_a_probability_for_every_state(wrong: object) -> None:
    for prize in (0.0, 1.0):
        task = paid_once(towards_the_last(), np.full(3, prize), [2])
        assert task.r.tolist() == [[prize], [prize], [0]]
    with pytest.raises(InputError, match=r"^prize: must"):
        paid_once(towards_the_last(), np.array(wrong), [2])


@pytest.mark.parametrize(
    ("joint", "u", "argument"),
    [
        (np.full((2, 1, 1, 4), 1 / 4), [0.0, 1.0], "joint: must have shape"),
        (np.zeros((0, 1, 1, 0)), [1.0], "joint: needs a state"),
        (np.zeros((1, 0, 1, 1)), [1.0], "joint: needs a state and an action"),
        (np.full((2, 1, 2, 2), 1 / 4), [-0.5, 1.0], r"u\[0\]: a reward must"),
    ],
)
def test_what_is_no_table_of_a_task_is_refused(
    joint: np.ndarray[tuple[int, ...], np.dtype[np.float64]], u: list[float], argument: str
) -> None:
    """The first has as many numbers as a table for two rewards, in another shape."""
    with pytest.raises(InputError, match=f"^{argument}"):
        OnlineTask(joint, np.array(u), 0.5)


def test_an_episode_draws_a_number_for_every_step_and_one_for_its_start() -> None:
    """Also if it ends before; and who learns nothing has no new policy."""
    task = paid_once(towards_the_last(), np.array([0.0, 0.0, 0.75]), [2])
    fixed = Fixed(np.zeros(3, dtype=np.int64))
    rng, twin = np.random.default_rng(0), np.random.default_rng(0)
    for steps in (1, 50):
        seen = list(episode(task, fixed, steps, rng))
        assert 1 <= len(seen) <= steps
        assert not any(step.changed for step in seen)
        twin.random(steps + 1)
        assert rng.bit_generator.state == twin.bit_generator.state
    assert len(seen) < 50, "it has ended before"


def test_a_sample_counts_for_a_step_or_for_an_episode() -> None:
    """By the option or by its word; three samples are two episodes of two steps, or three."""
    task = paid_once(towards_the_last(), np.ones(3), [2])
    pi = np.zeros(3, dtype=np.int64)
    for per_sample, sampling in ((PerSample.STEP, 2), (PerSample.EPISODE, 3)):
        for word in (per_sample, cast("PerSample", per_sample.value)):
            curve = returns_of_ptum(task, 3, pi, 2, 4, word)
            assert (curve > 0).tolist() == [False] * sampling + [True] * (4 - sampling)
    with pytest.raises(InputError, match="per_sample: must be one of step, episode"):
        returns_of_ptum(task, 3, pi, 2, 4, cast("PerSample", "sample"))
