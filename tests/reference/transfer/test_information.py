"""Definition 1 and Algorithm 1, lines 16-18: information, index and the choice of the query."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import value_tolerance
from ptum.reference.transfer.information import (
    TIE,
    excess_gap,
    index,
    index_is_zero,
    information,
    information_p,
    information_r,
    query,
)
from tests.support.closeness import near
from tests.support.instances import bandit, bernoulli_bandit, two_states, two_states_returning
from tests.support.strategies import families


def _one(value: float) -> Floats:
    """A table of one pair."""
    return np.array([[value]])


class TestDefinition1:
    """Numbers by hand."""

    def test_eight_errors_are_taken_off_the_gap(self) -> None:
        assert excess_gap(np.array([[0.5, 0.1]]), 0.03) == near(np.array([[0.26, 0.0]]))

    @pytest.mark.parametrize(
        ("gap", "sigma", "Delta", "expected"),
        [
            (0.3, 0.5, 0.0, 0.3),  # (0.3/0.5)² = 0.36 is more than 0.3
            (0.3, 0.6, 0.0, 0.25),
            (0.3, 0.5, 0.0125, 0.16),  # x = 0.2
            (0.3, 0.0, 0.0125, 0.2),  # no deviation: the linear term
            (0.3, 0.0, 0.05, 0.0),  # x = 0 and no deviation: nothing
            (0.3, 0.5, math.inf, 0.0),
        ],
    )
    def test_reward(self, gap: float, sigma: float, Delta: float, expected: float) -> None:
        found = information_r(_one(gap), _one(sigma), Delta)[0, 0]
        assert found == near(expected)

    @pytest.mark.parametrize(
        ("gap", "sigma", "Delta", "expected"),
        [
            (0.4, 1.0, 0.0, 0.16),
            (0.4, 0.5, 0.0, 0.2),  # (1-γ)·0.4 with γ = 1/2
            (0.4, 0.0, 0.0, 0.2),
            (0.4, 1.0, 0.0125, 0.09),  # x = 0.3
            (0.4, 0.0, 0.05, 0.0),
        ],
    )
    def test_transition(self, gap: float, sigma: float, Delta: float, expected: float) -> None:
        found = information_p(_one(gap), _one(sigma), Delta, 0.5)[0, 0]
        assert found == near(expected)

    def test_a_tiny_deviation_overflows_quietly_to_the_linear_term(self) -> None:
        assert information_r(_one(0.3), _one(1e-200), 0.0)[0, 0] == 0.3

    def test_the_reward_deviation_is_that_of_the_first_model(self) -> None:
        """0.5 with deviation 1/2 against a certain 0.6: (0.1/0.5)² = 0.04, or 0.1 linear."""
        models = approximate_models([bernoulli_bandit([0.5], 0.0), bandit([0.6], 0.0)])
        assert information(models, theta=0, theta_prime=1, Delta=0.0)[0, 0] == near(0.04)
        assert information(models, theta=1, theta_prime=0, Delta=0.0)[0, 0] == near(0.1)

    def test_value_and_its_deviation_are_those_of_the_first_model(self) -> None:
        """At (1,0), γ = 1/2. First task: x = 1/3, σ = 1/3, so min{1, 1/6}. Second: x = 1/4 and no
        deviation, so 1/8."""
        models = approximate_models([two_states(), two_states_returning()])
        forth, back = (
            information(models, theta=0, theta_prime=1, Delta=0.0),
            information(models, theta=1, theta_prime=0, Delta=0.0),
        )
        assert forth == near(np.array([[0.0, 0.0], [1 / 6, 0.0]]))
        assert back == near(np.array([[0.0, 0.0], [1 / 8, 0.0]]))

    def test_the_deviation_of_the_value_enters_squared(self) -> None:
        """The same with Δ = 1/32: x = 1/12, (x/σ)² = 1/16, (1-γ)x = 1/24 is smaller; with Δ = 0.04
        x = 1/75 and (x/σ)² = 1/625 is."""
        models = approximate_models([two_states(), two_states_returning()])
        assert information(models, theta=0, theta_prime=1, Delta=1 / 32)[1, 0] == near(1 / 24)
        assert information(models, theta=0, theta_prime=1, Delta=0.04)[1, 0] == near(1 / 625)

    def test_total_information_is_the_larger_one(self) -> None:
        """Rewards differ by 1/2 at (0,1), transitions at (1,0) only."""
        theta, theta_prime = two_states(), two_states_returning()
        q = np.array(theta_prime.q)
        q[0, 1] = (0.5, 0, 0.5)
        other = MDP(p=theta_prime.p, q=q, u=theta_prime.u, gamma=0.5)
        found = information(approximate_models([theta, other]), theta=0, theta_prime=1, Delta=0.0)
        assert found[0, 1] == 0.5
        assert found[1, 0] == near(1 / 6)


@pytest.mark.slow
@given(families(), st.sampled_from((0.0, 0.01, 0.1)))
def test_information_lies_between_zero_and_one_and_a_model_has_none_about_itself(
    models: ApproximateModels, Delta: float
) -> None:
    off = (1 - models.gamma) * value_tolerance(models.V_star, models.gamma)
    for theta, theta_prime in product(range(models.k), repeat=2):
        found = information(models, theta=theta, theta_prime=theta_prime, Delta=Delta)
        assert np.all((found >= 0) & (found <= 1 + off))
        assert theta != theta_prime or not found.any()


@given(families(), st.sampled_from((0.0, 0.01)))
def test_information_follows_the_printed_formula(models: ApproximateModels, Delta: float) -> None:
    """Definition 1 again, number by number and without arrays.

    min{(x/σ)², cx} moves by at most 2c for each that x moves. With c = 1-γ a gap of S products with
    values up to 1/(1-γ) is off by S + 2 roundings twice, and the result loses a few of its own.
    """
    off = (4 * (models.S + 2) + 8) * ROUNDING

    def part(gap: float, sigma: float, linear: float) -> float:
        x = max(gap - 8 * Delta, 0.0)
        squared = (x / sigma) ** 2 if sigma > 0 else math.inf
        return min(squared, linear * x)

    for i, j in product(range(models.k), repeat=2):
        found = information(models, theta=i, theta_prime=j, Delta=Delta)
        for s, a in product(range(models.S), range(models.A)):
            gap_r = abs(float(models.r[i, s, a] - models.r[j, s, a]))
            gap_p = abs(
                sum(
                    float(models.p[i, s, a, z] - models.p[j, s, a, z]) * float(models.V_star[i, z])
                    for z in range(models.S)
                )
            )
            expected = max(
                part(gap_r, float(models.sigma_r[i, s, a]), 1.0),
                part(gap_p, float(models.sigma_p[i, s, a, i]), 1 - models.gamma),
            )
            assert abs(found[s, a] - expected) <= off


class TestIndex:
    """Lines 16-17."""

    models = approximate_models([bernoulli_bandit([0.5], 0.0), bandit([0.6], 0.0)])

    def test_both_orders_count(self) -> None:
        assert index((0, 1), self.models, 0.0)[0, 0] == near(0.1)
        assert index((1, 0), self.models, 0.0)[0, 0] == near(0.1)

    def test_one_model_leaves_nothing_to_learn(self) -> None:
        assert index((1,), self.models, 0.0)[0, 0] == 0.0

    def test_only_active_models_count(self) -> None:
        models = approximate_models([bandit([r], 0.0) for r in (0.1, 0.2, 0.9)])
        assert index((0, 1), models, 0.0)[0, 0] == near(0.1)
        assert index((0, 1, 2), models, 0.0)[0, 0] == near(0.8)


@given(families())
def test_index_is_the_largest_information_of_an_ordered_pair(models: ApproximateModels) -> None:
    everybody = tuple(range(models.k))
    pairs = [
        information(models, theta=i, theta_prime=j, Delta=0.0)
        for i, j in product(everybody, repeat=2)
    ]
    np.testing.assert_array_equal(index(everybody, models, 0.0), np.max(pairs, axis=0))


class TestQuery:
    """Line 18."""

    def test_the_largest_index(self) -> None:
        assert query(np.array([[0.1, 0.2], [0.7, 0.3]])) == (1, 0)

    def test_equal_indices_go_to_the_first_pair(self) -> None:
        assert query(np.array([[0.1, 0.2], [0.2, 0.2]])) == (0, 1)

    def test_indices_equal_on_paper_go_to_the_first_pair(self) -> None:
        assert 0.1 + 0.2 > 0.3
        assert query(np.array([[0.0, 0.3, 0.1 + 0.2]])) == (0, 1)
        assert query(np.array([[0.0, 0.1 + 0.2, 0.3]])) == (0, 1)

    def test_a_visible_difference_is_no_tie(self) -> None:
        assert query(np.array([[0.3 * (1 - 10 * TIE), 0.3]])) == (0, 1)

    @pytest.mark.parametrize("largest", [1e-10, 1e-13, 1e-25])
    def test_a_small_index_is_no_rounding(self, largest: float) -> None:
        """Rounding was taken off the gaps; a pair without information is not tied with one."""
        assert query(np.array([[0.0, largest / 2, largest]])) == (0, 2)
        assert query(np.array([[0.0, largest * (1 - TIE / 2), largest]])) == (0, 1)


class TestZeroIndex:
    """An index that is zero on paper is seen to be zero."""

    def test_a_gap_of_eight_errors(self) -> None:
        models = approximate_models([bandit([0.59, 0.5], 0.9), bandit([0.5, 0.59], 0.9)])
        assert index_is_zero(index((0, 1), models, 0.09 / 8))
        assert not index_is_zero(index((0, 1), models, 0.0899 / 8))

    def test_rounding_is_seen_where_it_leaves_a_remainder(self) -> None:
        """0.8 - 0.7 is a little more than 0.1 in doubles."""
        models = approximate_models([bandit([0.8], 0.9), bandit([0.7], 0.9)])
        assert excess_gap(np.array(0.8 - 0.7), 0.1 / 8) > 0
        assert index_is_zero(index((0, 1), models, 0.1 / 8))

    @pytest.mark.parametrize("gamma", [0.0, 0.9, 0.9999])
    def test_equal_values_at_different_next_states(self, gamma: float) -> None:
        """Reward 0.7 everywhere: values are equal, so transitions carry no information."""
        rng = np.random.default_rng(0)
        tasks = []
        for _ in range(4):
            p = np.zeros((6, 2, 6))
            for members in ([0, 1, 2], [3, 4, 5]):
                for s, a in product(members, range(2)):
                    p[s, a, members] = rng.dirichlet(np.ones(3))
            tasks.append(deterministic_rewards(p, np.full((6, 2), 0.7), gamma))
        assert index_is_zero(index(tuple(range(4)), approximate_models(tasks), 0.0))
