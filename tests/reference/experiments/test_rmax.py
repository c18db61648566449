"""RMAX at its borders: tables that are as large as admitted, and gains that rounding can fake."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ptum.reference.experiments.episodes import OnlineTask, online
from ptum.reference.experiments.rmax import LARGEST_VALUE, Rmax
from ptum.reference.tasks.mdp import deterministic_rewards
from ptum.reference.tasks.values import value_tolerance
from tests.support.borders import assert_borders


def staying(S: int, A: int) -> OnlineTask:
    """Whatever is done nothing is paid and nothing moves; γ = 1/2."""
    p = np.repeat(np.eye(S)[:, np.newaxis], A, axis=1)
    return online(deterministic_rewards(p, np.zeros((S, A)), 0.5))


def test_the_largest_value_of_a_pair() -> None:
    beyond = math.nextafter(LARGEST_VALUE, math.inf)

    def check(worth: float) -> None:
        Rmax(staying(1, 2), np.array([[0.0, worth]]), 1)

    assert_borders(check, (LARGEST_VALUE, -LARGEST_VALUE), (beyond, -beyond))


@pytest.mark.parametrize("sweeps", [None, 1])
def test_rounding_is_counted_by_states(sweeps: int | None) -> None:
    """One state, three actions: with three states rounding could fake 5/3 as much."""
    rounding = value_tolerance(np.ones(1), 0.5)
    for share, best in ((0.75, 0), (1.25, 1)):
        initial = np.array([[1.0, 1.0 + share * rounding, 0.0]])
        learner = Rmax(staying(1, 3), initial, 1, sweeps=sweeps)
        assert learner.policy.tolist() == [best]
        assert learner.see(0, 2, 0, 0)
        assert learner.policy.tolist() == [best]


def test_a_gain_as_large_as_rounding_changes_no_action(monkeypatch: pytest.MonkeyPatch) -> None:
    """In state 0 the second action gains 1/4, all of which is rounding, so V(0) = 1.

    In state 1 the first action becomes known: it pays nothing and leads to state 0, which is worth
    1/2. Its second action gains 1/2, and with that policy the plan is done.
    """
    tolerances = iter([0.25] * 3)  # of the initial table and two policies; a third would be wrong
    monkeypatch.setattr(
        "ptum.reference.experiments.rmax.value_tolerance", lambda *_: next(tolerances)
    )
    learner = Rmax(staying(2, 2), np.array([[1.0, 1.25], [2.0, 1.0]]), 1)
    assert learner.policy.tolist() == [0, 0]
    assert learner.see(1, 0, 0, 0)
    assert learner.Q.tolist() == [[1.0, 1.25], [0.5, 1.0]]
    assert learner.policy.tolist() == [0, 1]
