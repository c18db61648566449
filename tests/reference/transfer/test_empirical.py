"""Algorithm 1, lines 4, 7-10 and 20: the data and the empirical model."""

from __future__ import annotations

import math
import statistics

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ptum.reference.arrays import ROUNDING
from ptum.reference.transfer.empirical import empirical_model, empty_data
from tests.support.closeness import near

V_STAR = np.array([[0.0, 2.0], [1.0, 1.0]])
"""Values of two models in two states; those of the second do not vary."""


def test_lines_7_to_10_by_hand() -> None:
    """Rewards 0, 1, 1 and next states 0, 1, 1 at the pair (1, 0)."""
    data = empty_data(S=2, A=2)
    for reward, successor in ((0.0, 0), (1.0, 1), (1.0, 1)):
        data.store(1, 0, reward, successor)
    hat = empirical_model(data, V_STAR)
    assert hat.N.tolist() == [[0, 0], [3, 0]]
    assert hat.r[1, 0] == 2 / 3
    np.testing.assert_array_equal(hat.p[1, 0], [1 / 3, 2 / 3])
    assert float(hat.sigma_r[1, 0]) == near(math.sqrt(1 / 3))
    assert hat.sigma_p[1, 0] == near([math.sqrt(4 / 3), 0.0])


def test_one_sample_has_a_mean_and_no_deviation() -> None:
    data = empty_data(S=2, A=1)
    data.store(0, 0, 0.25, 1)
    hat = empirical_model(data, V_STAR)
    assert (hat.N[0, 0], hat.r[0, 0], hat.sigma_r[0, 0]) == (1, 0.25, 0.0)
    assert hat.p[0, 0].tolist() == [0.0, 1.0]
    assert hat.sigma_p[0, 0].tolist() == [0.0, 0.0]


def test_no_sample_leaves_zeros() -> None:
    hat = empirical_model(empty_data(S=2, A=3), V_STAR)
    for table in (hat.N, hat.r, hat.p, hat.sigma_r, hat.sigma_p):
        assert not table.any()
    assert hat.p.shape == (2, 3, 2)
    assert hat.sigma_p.shape == (2, 3, 2)


def test_a_sample_is_stored_at_its_pair_alone() -> None:
    data = empty_data(S=2, A=2)
    data.store(0, 1, 0.5, 1)
    assert data.rewards == [[[], [0.5]], [[], []]]
    assert data.successors == [[[], [1]], [[], []]]


STATES, ACTIONS = st.integers(0, 2), st.integers(0, 1)
REWARDS = st.integers(0, 8).map(lambda eighths: eighths / 8)
SAMPLES = st.lists(st.tuples(STATES, ACTIONS, REWARDS, STATES), max_size=40)


def of_deviation(number: int, largest: float) -> float:
    """What a deviation of so many values loses.

    It moves no more than the mean, which loses half a rounding for every value and one for the
    quotient, and than the differences, squares and sums, which lose as much again.
    """
    return (number + 4) * ROUNDING * largest


@given(SAMPLES, st.integers(0, 2**32 - 1))
def test_the_empirical_model_agrees_with_the_statistics_module(
    samples: list[tuple[int, int, float, int]], seed: int
) -> None:
    """Means and sample deviations (denominator N - 1) of what was stored, pair by pair."""
    V_star = np.random.default_rng(seed).random((2, 3)) * 10
    data = empty_data(S=3, A=2)
    for s, a, reward, successor in samples:
        data.store(s, a, reward, successor)
    hat = empirical_model(data, V_star)
    assert hat.N.sum() == len(samples)
    for s in range(3):
        for a in range(2):
            rewards = [u for x, y, u, _ in samples if (x, y) == (s, a)]
            states = [z for x, y, _, z in samples if (x, y) == (s, a)]
            assert hat.N[s, a] == len(rewards)
            if rewards:
                assert float(hat.r[s, a]) == near(statistics.fmean(rewards))
                shares = [states.count(z) / len(states) for z in range(3)]
                assert hat.p[s, a] == near(shares)
            if len(rewards) >= 2:
                lost = of_deviation(len(rewards), 1.0)
                assert abs(hat.sigma_r[s, a] - statistics.stdev(rewards)) <= lost
                for theta in range(2):
                    deviation = statistics.stdev([float(V_star[theta, z]) for z in states])
                    assert abs(hat.sigma_p[s, a, theta] - deviation) <= 10 * lost


def test_the_order_of_the_samples_does_not_matter() -> None:
    forth, back = empty_data(1, 1), empty_data(1, 1)
    samples = [(0.5, 0), (0.25, 0), (1.0, 0)]
    for (reward, state), (other, _) in zip(samples, reversed(samples), strict=True):
        forth.store(0, 0, reward, state)
        back.store(0, 0, other, state)
    V_star = np.array([[1.0]])
    one, other_one = empirical_model(forth, V_star), empirical_model(back, V_star)
    assert one.r == near(other_one.r)
    assert one.sigma_r == near(other_one.sigma_r)
