"""Section 2: values by hand in tasks of unequal sizes, ties at their border, inputs refused."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from ptum.reference.arrays import ROUNDING
from ptum.reference.errors import InputError
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.values import (
    action_value,
    discounted_sum,
    optimal_policy,
    optimal_value,
    policy_value,
    tie_tolerance,
    transition_std,
    transition_stds,
    value_tolerance,
    visitation,
)
from tests.support.instances import bandit, walk

OF_SUMS = 15 * ROUNDING
"""A sum over three states is off by S + 2 roundings; two of them and one more sum by 15."""
P = np.array([[0.5, 0.25, 0.25], [0.125, 0.125, 0.75], [0.25, 0.5, 0.25]])


def three_states() -> MDP:
    """Three states, two actions: the first moves by P, the second stays."""
    p = np.stack([P, np.eye(3)], axis=1)
    r = np.array([[0.5, 0.0], [0.25, 0.5], [1.0, 0.75]])
    return deterministic_rewards(p, r, 0.75)


class TestSums:
    """Σ_t γ^t P^t f."""

    @pytest.mark.parametrize("gamma", [0.0, 0.5, 0.75])
    def test_the_equation_it_solves(self, gamma: float) -> None:
        f = np.array([[1.0, 0.0], [0.0, 2.0], [0.5, 0.25]])
        found = discounted_sum(P, gamma, f)
        np.testing.assert_allclose(found, f + gamma * P @ found, rtol=OF_SUMS)
        np.testing.assert_array_equal(f, [[1.0, 0.0], [0.0, 2.0], [0.5, 0.25]])

    def test_values_and_visits(self) -> None:
        theta = three_states()
        for pi in ([0, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]):
            policy = np.array(pi)
            step = theta.p[np.arange(3), policy]
            r = np.array([[0.5, 0.0], [0.25, 0.5], [1.0, 0.75]])[np.arange(3), policy]
            V = policy_value(theta, policy)
            np.testing.assert_allclose(V, r + 0.75 * step @ V, rtol=OF_SUMS)
            nu = visitation(theta, policy)
            assert nu.shape == (3, 3, 2)
            np.testing.assert_allclose(nu.sum(axis=(1, 2)), np.full(3, 4.0), rtol=OF_SUMS)
            np.testing.assert_allclose(nu[:, np.arange(3), policy] @ r, V, rtol=OF_SUMS)
            assert not nu[:, np.arange(3), 1 - policy].any()

    def test_action_values(self) -> None:
        """State 2 is worth 4, state 1 1 and state 0 0."""
        found = action_value(three_states(), np.array([0.0, 1.0, 4.0]))
        by_moving = np.array([0.5, 0.25, 1.0]) + 0.75 * np.array([1.25, 3.125, 1.5])
        by_staying = np.array([0.0, 0.5, 0.75]) + 0.75 * np.array([0.0, 1.0, 4.0])
        np.testing.assert_array_equal(found, np.stack([by_moving, by_staying], axis=1))

    def test_deviations(self) -> None:
        """V = 0, 1, 4: second moments 4.25, 12.125 and 4.5; nothing deviates for who stays."""
        first, second = three_states(), walk([[0, 1], [1, 2], [2, 0]], [[0.0] * 2] * 3, 0.75)
        V, W = np.array([0.0, 1.0, 4.0]), np.array([0.0, 0.0, 1.0])
        found = transition_std(first, V)
        moments, means = np.array([4.25, 12.125, 4.5]), np.array([1.25, 3.125, 1.5])
        np.testing.assert_allclose(found[:, 0], np.sqrt(moments - means**2), rtol=OF_SUMS)
        assert not found[:, 1].any()
        table = transition_stds([first, second], [V, W, V])
        assert table.shape == (2, 3, 2, 3)
        np.testing.assert_array_equal(table[0, :, :, 0], found)
        np.testing.assert_array_equal(table[0, :, :, 1], transition_std(first, W))
        assert not table[1].any()


class TestTies:
    """D17: the first of equal actions."""

    def test_what_rounding_can_make(self) -> None:
        """12(S+2) roundings of max|V| + 1, and 1/(1-γ) times as many for values."""
        V = np.array([2.0, -6.0, 3.0])
        assert tie_tolerance(three_states(), V) == 12 * 5 * ROUNDING * 7
        assert value_tolerance(V, 0.75) == 12 * 5 * ROUNDING * 7 * 4
        assert value_tolerance(np.stack([V, V]), 0.75) == 12 * 5 * ROUNDING * 7 * 4
        with pytest.raises(InputError, match="gamma"):
            value_tolerance(V, 1.0)

    @pytest.mark.parametrize(("r", "best"), [(0.625, 0), (math.nextafter(0.625, 1), 1), (0.5, 0)])
    def test_a_gain_at_the_border(
        self, monkeypatch: pytest.MonkeyPatch, r: float, best: int
    ) -> None:
        monkeypatch.setattr("ptum.reference.tasks.values.tie_tolerance", lambda *_: 0.125)
        assert optimal_policy(bandit([0.5, r], 0.0)).tolist() == [best]

    def test_a_gain_at_the_border_changes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """State 0 keeps 1/4 for ever, though 3/8 is there, while state 1 finds the way to 2.

        With 3/8 state 0 would be worth 3/4, and going there as good as going to state 2.
        """
        monkeypatch.setattr("ptum.reference.tasks.values.tie_tolerance", lambda *_: 0.125)
        r = [[0.25, 0.375, 0.25], [0.0, 0.0, 0.0], [0.45, 0.45, 0.45]]
        theta = walk([[0, 0, 0], [1, 0, 2], [2, 2, 2]], r, 0.5)
        assert optimal_policy(theta).tolist() == [0, 2, 0]

    def test_a_better_action_is_found_in_each_state(self) -> None:
        """1 - 2 - 0 on a ring, paid in state 0 alone; staying there is best."""
        theta = walk([[1, 0], [1, 2], [0, 2]], [[0.0, 1.0], [0.0, 0.0], [0.0, 0.0]], 0.5)
        assert optimal_policy(theta).tolist() == [1, 1, 0]
        np.testing.assert_array_equal(optimal_value(theta), [2.0, 0.5, 1.0])

    def test_the_first_of_three(self) -> None:
        assert optimal_policy(bandit([0.0, 0.5, 0.5], 0.0)).tolist() == [1]
        assert optimal_policy(bandit([0.5, 0.25, 0.5], 0.0)).tolist() == [0]


class TestRefused:
    """Policies and value functions of another task."""

    @pytest.mark.parametrize(
        ("pi", "problem"),
        [
            ([0, 0], r"pi: must have shape \(3,\)"),
            ([0, 0, 0, 0], r"pi: must have shape \(3,\)"),
            ([[0, 0, 0]], r"pi: must have shape \(3,\)"),
            ([0.0, 0.0, 0.0], "pi: must be an array of integers"),
            ([True, True, True], "pi: must be an array of integers"),
            ([0, -1, 0], r"pi\[1\]: must be an action below 2 \(found -1\)"),
            ([0, 1, 2], r"pi\[2\]: must be an action below 2 \(found 2\)"),
            ([0, 3, -1], r"pi\[1\]: must be an action below 2 \(found 3\)"),
        ],
    )
    def test_policies(self, pi: npt.ArrayLike, problem: str) -> None:
        for ask in (policy_value, visitation):
            with pytest.raises(InputError, match=problem):
                ask(three_states(), np.array(pi))

    def test_unsigned_actions(self) -> None:
        unsigned = np.array([0, 1, 0], dtype=np.uint8)
        found = policy_value(three_states(), unsigned)  # type: ignore[arg-type]
        np.testing.assert_array_equal(found, policy_value(three_states(), np.array([0, 1, 0])))

    @pytest.mark.parametrize("size", [2, 4])
    def test_values(self, size: int) -> None:
        for ask in (action_value, transition_std):
            with pytest.raises(InputError, match=r"V: must have shape \(3,\)"):
                ask(three_states(), np.zeros(size))
