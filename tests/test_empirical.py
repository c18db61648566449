"""Algorithm 1, lines 4, 7-10 and 20: the data and the empirical model."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.empirical import empirical_model, empty_data

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
    assert hat.sigma_r[1, 0] == pytest.approx(np.sqrt(1 / 3), rel=1e-15)
    np.testing.assert_allclose(hat.sigma_p[1, 0], [np.sqrt(4 / 3), 0.0], rtol=1e-15)


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


SAMPLES = st.lists(
    st.tuples(
        st.integers(0, 2), st.integers(0, 1), st.integers(0, 8).map(lambda x: x / 8),
        st.integers(0, 2),
    ),
    max_size=40,
)  # fmt: skip


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
                assert hat.r[s, a] == pytest.approx(statistics.fmean(rewards), rel=1e-14)
                shares = [states.count(z) / len(states) for z in range(3)]
                assert hat.p[s, a].tolist() == pytest.approx(shares, rel=1e-14)
            if len(rewards) >= 2:
                assert hat.sigma_r[s, a] == pytest.approx(statistics.stdev(rewards), abs=1e-14)
                for theta in range(2):
                    values = [float(V_star[theta, z]) for z in states]
                    deviation = statistics.stdev(values)
                    assert hat.sigma_p[s, a, theta] == pytest.approx(deviation, abs=1e-13)


def test_the_order_of_the_samples_does_not_matter() -> None:
    forth, back = empty_data(1, 1), empty_data(1, 1)
    samples = [(0.5, 0), (0.25, 0), (1.0, 0)]
    for (reward, state), (other, _) in zip(samples, reversed(samples), strict=True):
        forth.store(0, 0, reward, state)
        back.store(0, 0, other, state)
    V_star = np.array([[1.0]])
    one, other_one = empirical_model(forth, V_star), empirical_model(back, V_star)
    np.testing.assert_allclose(one.r, other_one.r, rtol=1e-15)
    np.testing.assert_allclose(one.sigma_r, other_one.sigma_r, rtol=1e-15)
