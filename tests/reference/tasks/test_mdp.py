"""Section 2: the task, its mean rewards and their deviations, and the distances between tasks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from ptum.reference.arrays import ROUNDING
from ptum.reference.tasks.gaps import reward_gap, transition_gap, transition_gap_three
from ptum.reference.tasks.mdp import (
    MDP,
    bernoulli_rewards,
    deterministic_rewards,
    mean_reward,
    reward_std,
)
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import optimal_value
from tests.support.instances import two_states, two_states_returning
from tests.support.strategies import families, mdps

FEW = 8 * ROUNDING
"""Numbers by hand that are no binary fractions lose fewer than eight roundings."""


def test_sizes_are_those_of_the_tables() -> None:
    theta = MDP(p=np.full((3, 2, 3), 1 / 3), q=np.ones((3, 2, 1)), u=np.array([0.5]), gamma=0.25)
    assert (theta.S, theta.A, theta.gamma) == (3, 2, 0.25)


def test_mean_rewards_by_hand() -> None:
    np.testing.assert_array_equal(mean_reward(two_states()), [[0.5, 0.0], [1.0, 0.5]])


def test_reward_deviations_by_hand() -> None:
    expected = [[np.sqrt(1 / 8), 0.0], [0.0, 0.5]]
    np.testing.assert_array_equal(reward_std(two_states()), expected)


@given(mdps(max_U=4))
def test_mean_and_deviation_of_a_reward_are_those_of_its_outcomes(theta: MDP) -> None:
    """An independent formula: E[U²] - E[U]², added up outcome by outcome.

    Chances add up to one, so a mean over |𝒰| outcomes is off by half of |𝒰| roundings. A variance
    is off by |𝒰| + 4 halves, E[U²] - E[U]² by 3|𝒰| + 3, and |𝒰| more for chances that miss one.
    """
    of_mean = theta.u.size * ROUNDING
    of_variance = (5 * theta.u.size + 7) / 2 * ROUNDING
    for s in range(theta.S):
        for a in range(theta.A):
            outcomes = list(zip(theta.q[s, a].tolist(), theta.u.tolist(), strict=True))
            mean = sum(chance * u for chance, u in outcomes)
            square = sum(chance * u * u for chance, u in outcomes)
            assert mean_reward(theta)[s, a] == pytest.approx(mean, abs=of_mean)
            assert reward_std(theta)[s, a] ** 2 == pytest.approx(square - mean**2, abs=of_variance)


@given(mdps(max_U=4))
def test_reward_deviation_is_at_most_one_half(theta: MDP) -> None:
    """A variance of at most 1/4 has a share of |𝒰| + 4 halves of a rounding too much at most."""
    assert np.all(reward_std(theta) <= 0.5 * (1 + (theta.u.size + 4) / 2 * ROUNDING))


def test_certain_rewards_have_no_deviation() -> None:
    r = np.array([[0.1, 0.7], [0.7, 1.0]])
    theta = deterministic_rewards(np.full((2, 2, 2), 0.5), r, 0.9)
    np.testing.assert_array_equal(mean_reward(theta), r)
    np.testing.assert_array_equal(reward_std(theta), np.zeros((2, 2)))
    np.testing.assert_array_equal(theta.u, [0.1, 0.7, 1.0])


def test_bernoulli_rewards_by_hand() -> None:
    theta = bernoulli_rewards(np.ones((1, 3, 1)), np.array([[0.0, 0.2, 1.0]]), 0.0)
    np.testing.assert_array_equal(mean_reward(theta), [[0.0, 0.2, 1.0]])
    np.testing.assert_allclose(reward_std(theta), [[0.0, 0.4, 0.0]], rtol=FEW)


def test_a_task_is_a_read_only_copy() -> None:
    p = np.ones((1, 1, 1))
    theta = MDP(p=p, q=np.ones((1, 1, 1)), u=np.array([1.0]), gamma=0.5)
    p[0, 0, 0] = 0.0
    assert theta.p[0, 0, 0] == 1.0
    for table in (theta.p, theta.q, theta.u):
        with pytest.raises(ValueError, match="read-only"):
            table[...] = 0.0


def test_reward_gap_by_hand() -> None:
    r, r_prime = np.array([[0.25, 1.0]]), np.array([[0.75, 0.5]])
    np.testing.assert_array_equal(reward_gap(r, r_prime), [[0.5, 0.5]])


def test_transition_gap_uses_the_value_of_its_first_task() -> None:
    """At (1,0): V* is (1, 5/3) in the first task and (1, 3/2) in the second."""
    theta, theta_prime = two_states(), two_states_returning()
    V, V_prime = optimal_value(theta), optimal_value(theta_prime)
    forth = transition_gap(theta.p, theta_prime.p, V)
    back = transition_gap(theta_prime.p, theta.p, V_prime)
    np.testing.assert_allclose(forth, [[0.0, 0.0], [1 / 3, 0.0]], rtol=FEW)
    np.testing.assert_array_equal(back, [[0.0, 0.0], [1 / 4, 0.0]])


def test_transition_gap_of_three_models_by_hand() -> None:
    theta, theta_prime = two_states(), two_states_returning()
    gap = transition_gap_three(theta.p, theta_prime.p, np.array([3.0, 1.0]))
    np.testing.assert_array_equal(gap, [[0, 0], [1, 0]])


@given(families())
def test_gaps_of_a_model_and_itself_vanish(models: ApproximateModels) -> None:
    for theta in range(models.k):
        assert not reward_gap(models.r[theta], models.r[theta]).any()
        assert not transition_gap(models.p[theta], models.p[theta], models.V_star[theta]).any()
