"""Section 4: the hidden Markov model of tasks, its observations and its exact moments."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential.observations import (
    post_sample_batches,
    post_sample_observation,
)
from ptum.reference.sequential.hmm import HMM, population_moments, task_sequence
from ptum.reference.sequential.observations import (
    dimension,
    empirical_observation,
    largest_number_of_tasks,
    models_from_columns,
    observation_matrix,
    observation_vector,
    split_observation,
)
from ptum.reference.sequential.recovery import recovery_tolerance
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP
from tests.support.closeness import near
from tests.support.hidden import (
    SINGULAR,
    UNIFORM_3,
    Sizes,
    cycle,
    drawn_columns,
    drawn_hmm,
    three_task_hmm,
    three_tasks,
)
from tests.support.instances import two_states
from tests.support.strategies import mdps

SEEDS = st.integers(0, 2**32 - 1)
NUMBER_OF_MODELS = 300


def drawn_models() -> list[HMM]:
    rng = np.random.default_rng(20)
    sizes = (Sizes(2, 2, 2), Sizes(2, 2, 3), Sizes(3, 1, 2))
    return [drawn_hmm(rng, 2 + i % 3, sizes[i % 3]) for i in range(NUMBER_OF_MODELS)]


# The model itself.


def test_a_model_is_a_read_only_copy() -> None:
    T = np.eye(2)
    hmm = HMM(O=np.eye(2), T=T, initial=np.array([0.5, 0.5]))
    T[0, 0] = 7
    assert (hmm.k, hmm.d, hmm.T[0, 0]) == (2, 2, 1)
    with pytest.raises(ValueError, match="read-only"):
        hmm.T[0, 0] = 0


@pytest.mark.parametrize(
    ("O", "T", "initial", "problem"),
    [
        (np.eye(2), [[0.5, 0.5], [0.4, 0.6]], [1, 0], r"T\[0\]: the column must sum to one"),
        (np.eye(2), [[1.5, 0], [-0.5, 1]], [1, 0], "negative"),
        (np.eye(2), [[1, 0]], [1, 0], "square"),
        (np.zeros((2, 0)), np.zeros((0, 0)), [], "one task at least"),
        (np.eye(3), np.eye(2), [1, 0], "2 columns"),
        (np.zeros((0, 2)), np.eye(2), [1, 0], "one row at least"),
        (np.eye(2), np.eye(2), [1, 0, 0], "2 entries"),
        (np.eye(2), np.eye(2), [0.5, 0.4], "sum to one"),
        ([[np.nan, 1], [0, 1]], np.eye(2), [1, 0], "finite"),
    ],
)
def test_what_is_no_model_is_refused(O: Floats, T: Floats, initial: Floats, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        HMM(O=O, T=T, initial=initial)


def test_tasks_follow_the_columns_of_T() -> None:
    found = task_sequence(cycle(3), [0, 1, 0], 7, np.random.default_rng(0))
    np.testing.assert_array_equal(found, [1, 2, 0, 1, 2, 0, 1])


def test_sequence_has_the_distribution_of_the_chain() -> None:
    """Each successor count is binomial; five standard deviations, one seed."""
    T = three_task_hmm().T
    tasks = task_sequence(T, [1, 0, 0], 3000, np.random.default_rng(5))
    for j in range(3):
        successors = tasks[1:][tasks[:-1] == j]
        for i in range(3):
            spread = 5 * np.sqrt(T[i, j] * (1 - T[i, j]) / successors.size)
            assert abs(np.mean(successors == i) - T[i, j]) <= spread


def test_a_sequence_needs_a_length() -> None:
    with pytest.raises(InputError, match="h"):
        task_sequence(np.eye(2), [1, 0], 0, np.random.default_rng(0))


# Observations.


def test_order_of_an_observation_by_hand() -> None:
    theta = two_states()
    o = observation_vector(theta.q, theta.p)
    rewards = [0.25, 0.5, 0.25, 1, 0, 0, 0, 0, 1, 0.5, 0, 0.5]
    np.testing.assert_array_equal(o, [*rewards, 1, 0, 0, 1, 0.5, 0.5, 0, 1])
    assert o.size == dimension(S=2, A=2, U=3) == 20


@given(mdps())
def test_places_of_an_observation(theta: MDP) -> None:
    S, A, U = theta.S, theta.A, theta.u.size
    o = observation_vector(theta.q, theta.p)
    for s, a in itertools.product(range(S), range(A)):
        for j in range(U):
            assert o[(s * A + a) * U + j] == theta.q[s, a, j]
        for successor in range(S):
            assert o[S * A * U + (s * A + a) * S + successor] == theta.p[s, a, successor]


@given(mdps())
def test_splitting_undoes_flattening(theta: MDP) -> None:
    q, p = split_observation(observation_vector(theta.q, theta.p), theta.S, theta.A, theta.u.size)
    np.testing.assert_array_equal(q, theta.q)
    np.testing.assert_array_equal(p, theta.p)


def test_models_are_read_back_from_their_columns() -> None:
    tasks = three_tasks()
    back = models_from_columns(observation_matrix(tasks), 2, 2, tasks[0].u, 0.9)
    for task, model in zip(tasks, back, strict=True):
        np.testing.assert_array_equal(model.q, task.q)
        np.testing.assert_array_equal(model.p, task.p)
        np.testing.assert_array_equal(model.u, task.u)
        assert model.gamma == 0.9


@pytest.mark.parametrize(
    ("row", "name"), [(1, r"O\[:, 1\], rewards"), (9, r"O\[:, 1\], transitions")]
)
def test_columns_that_are_no_distributions_are_no_models(row: int, name: str) -> None:
    O = np.array(observation_matrix(three_tasks()))
    O[row, 1] += 0.01
    with pytest.raises(InputError, match=name):
        models_from_columns(O, 2, 2, [0, 1], 0.9)


@pytest.mark.parametrize(
    ("q", "p"),
    [
        (np.full((1, 2, 2), 0.4), np.ones((1, 2, 1))),
        (np.full((1, 2, 2), 0.5), np.full((1, 2, 1), 0.9)),
        (np.full((1, 1, 2), 0.5), np.ones((1, 2, 1))),
        (np.full((1, 2, 2), 0.5), np.full((1, 2, 2), 0.5)),
        (np.ones((1, 2, 0)), np.ones((1, 2, 1))),
    ],
)
def test_blocks_that_are_no_distributions_are_no_observation(q: Floats, p: Floats) -> None:
    with pytest.raises(InputError):
        observation_vector(q, p)


@given(SEEDS, st.integers(1, 3), st.integers(1, 2), st.integers(1, 3))
def test_no_more_tasks_than_this_are_independent(seed: int, S: int, A: int, U: int) -> None:
    most = largest_number_of_tasks(S, A, U)
    columns = drawn_columns(np.random.default_rng(seed), most + 2, Sizes(S, A, U), spread=1)
    sigma = np.linalg.svd(columns, compute_uv=False)
    assert np.all(sigma[most:] <= 4 * columns.size * ROUNDING * sigma[0])
    assert sigma[most - 1] > 4 * columns.size * ROUNDING * sigma[0]


# Samples.


class Script:
    """A generative model that gives prepared answers, the same at every pair."""

    def __init__(self, answers: list[tuple[float, int]]) -> None:
        self._answers = answers
        self._asked: dict[tuple[int, int], int] = {}

    def sample(self, s: int, a: int) -> tuple[float, int]:
        place = self._asked.get((s, a), 0)
        self._asked[s, a] = place + 1
        return self._answers[place]


def test_post_samples_by_hand() -> None:
    found = post_sample_observation(Script([(1, 0), (0, 1), (1, 1), (1, 1)]), 2, 1, [0, 1], 4)
    np.testing.assert_array_equal(found.q_hat, np.full((2, 1, 2), [0.25, 0.75]))
    np.testing.assert_array_equal(found.p_hat, np.full((2, 1, 2), [0.25, 0.75]))
    np.testing.assert_array_equal(found.o, [0.25, 0.75] * 4)


def test_batches_follow_the_order_of_arrival_and_keep_samples_together() -> None:
    answers = [(0.0, 0), (0.0, 0), (1.0, 1), (0.0, 1), (1.0, 1), (1.0, 1)]
    found = post_sample_batches(Script(answers), 2, 1, [0, 1], 6)
    q = np.array([[1, 0], [0.5, 0.5], [0, 1]])
    p = np.array([[1, 0], [0, 1], [0, 1]])
    expected = np.concatenate([q, q, p, p], axis=1)
    np.testing.assert_array_equal(found.batches, expected)
    assert found.batches.mean(axis=0) == near(observation_vector(found.q_hat, found.p_hat))


def test_post_samples_have_the_task_as_their_mean() -> None:
    """Every entry is a mean of Bernoulli variables; five standard deviations, fixed seeds."""
    theta = three_tasks()[1]
    runs, n = 400, 3
    mean = np.mean(
        [post_sample_observation(Simulator(theta, i), 2, 2, theta.u, n).o for i in range(runs)],
        axis=0,
    )
    mu = observation_vector(theta.q, theta.p)
    assert np.all(np.abs(mean - mu) <= 5 * np.sqrt(mu * (1 - mu) / (n * runs)))


def test_stopping_at_a_success_biases_an_observation() -> None:
    """One sample if it succeeds, else two: E[q̂] = p + p(1-p)/2, so the number must be fixed."""
    p = 0.3
    chances = {(0, 1): p, (1, 1): (1 - p) * p, (2, 0): (1 - p) ** 2}
    estimates = {
        seen: float(empirical_observation([[seen]], [[[sum(seen)]]]).q_hat[0, 0, 1])
        for seen in chances
    }
    mean = sum(chance * estimates[seen] for seen, chance in chances.items())
    assert mean == near(p + p * (1 - p) / 2)


# Moments.


def brute_force(hmm: HMM, pi: Floats, power: tuple[int, int]) -> Floats:
    """E[o_i ⊗ o_j], one triple of tasks at a time."""
    total = np.zeros((hmm.d, hmm.d))
    for triple in itertools.product(range(hmm.k), repeat=3):
        chance = pi[triple[0]] * hmm.T[triple[1], triple[0]] * hmm.T[triple[2], triple[1]]
        total += chance * np.outer(hmm.O[:, triple[power[0]]], hmm.O[:, triple[power[1]]])
    return total


@settings(max_examples=25)
@given(SEEDS, st.integers(1, 4))
def test_second_moments_by_enumeration(seed: int, k: int) -> None:
    hmm = drawn_hmm(np.random.default_rng(seed), k, Sizes(2, 1, 2))
    moments = population_moments(hmm, hmm.initial)
    for name, views in {
        "12": (0, 1),
        "13": (0, 2),
        "21": (1, 0),
        "31": (2, 0),
        "32": (2, 1),
    }.items():
        expected = brute_force(hmm, hmm.initial, views)
        # Entries are at most one and the sum of k³ products of five numbers.
        np.testing.assert_allclose(
            getattr(moments, f"Sigma_{name}"), expected, rtol=0, atol=8 * k**3 * ROUNDING
        )


@pytest.mark.slow
def test_moments_are_sums_over_the_second_task() -> None:
    """M_2 and M_3 with μ_{3,j} = O T e_j and weights T π, for hundreds of chains, any start."""
    for hmm in drawn_models():
        moments = population_moments(hmm, hmm.initial)
        allowed = recovery_tolerance(hmm, hmm.initial)
        mu_3, w = hmm.O @ hmm.T, hmm.T @ hmm.initial
        M_2 = mu_3 * w @ mu_3.T
        M_3 = np.einsum("j,aj,bj,cj->abc", w, mu_3, mu_3, mu_3)
        assert np.linalg.norm(moments.M_2 - M_2) <= allowed.M_2
        assert np.linalg.norm(moments.M_3 - M_3) <= allowed.M_3 < np.linalg.norm(M_3) / 1000


def test_the_printed_third_view_misses_the_moments() -> None:
    """With μ_{3,j} = O e_j, or with the stationary weights, no chain fits: far beyond rounding."""
    for hmm in drawn_models():
        M_2 = population_moments(hmm, hmm.initial).M_2
        w, mu_3 = hmm.T @ hmm.initial, hmm.O @ hmm.T
        stationary = np.linalg.matrix_power(hmm.T, 2000) @ hmm.initial
        allowed = 1000 * recovery_tolerance(hmm, hmm.initial).M_2
        assert np.linalg.norm(M_2 - hmm.O * w @ hmm.O.T) > allowed
        assert np.linalg.norm(M_2 - mu_3 * stationary @ mu_3.T) > allowed


def test_observations_and_transitions_follow_from_the_third_view() -> None:
    """[O]_j = Σ_21 Σ_31^† O T e_j and [T]_j = O^† O T e_j; with O e_j they are O T^-1 and I."""
    for hmm in drawn_models():
        moments = population_moments(hmm, hmm.initial)
        allowed = recovery_tolerance(hmm, hmm.initial)
        back = moments.Sigma_21 @ np.linalg.pinv(moments.Sigma_31, rcond=1e-9)
        assert np.linalg.norm(back @ hmm.O @ hmm.T - hmm.O, axis=0).max() <= allowed.O
        T = np.linalg.pinv(hmm.O) @ hmm.O @ hmm.T
        assert np.linalg.norm(T - hmm.T, axis=0).max() <= allowed.T
        assert np.linalg.norm(back @ hmm.O - hmm.O, axis=0).max() > 1000 * allowed.O


def test_average_over_triples_is_the_moment_of_the_average_distribution() -> None:
    """A chain started in one task: no stationarity is needed, only linearity."""
    hmm = three_task_hmm()
    step = np.linalg.matrix_power(hmm.T, 3)
    laws = [np.linalg.matrix_power(step, triple) @ hmm.initial for triple in range(5)]
    singles = [population_moments(hmm, distribution / distribution.sum()) for distribution in laws]
    mean_distribution = np.mean(laws, axis=0)
    together = population_moments(hmm, mean_distribution / mean_distribution.sum())
    for name in ("Sigma_21", "Sigma_31", "Sigma_32"):
        mean = np.mean([getattr(single, name) for single in singles], axis=0)
        np.testing.assert_allclose(getattr(together, name), mean, rtol=0, atol=64 * ROUNDING)


def singular_values(matrix: Floats) -> Floats:
    sigma: Floats = np.linalg.svd(matrix)[1]
    return sigma


def singular_values_of_Sigma_31(T: Floats, distribution: Floats) -> Floats:
    hmm = HMM(O=observation_matrix(three_tasks()), T=T, initial=distribution)
    return singular_values(population_moments(hmm, distribution).Sigma_31)


def zero(sigma: Floats) -> float:
    return float((16 + 12) * ROUNDING * sigma[0])


@pytest.mark.parametrize(
    ("T", "distribution", "rank"),
    [
        (cycle(3), UNIFORM_3, 3),
        (cycle(3), np.array([1.0, 0, 0]), 1),
        (np.eye(3), UNIFORM_3, 3),
        (np.full((3, 3), 1 / 3), UNIFORM_3, 1),
        (SINGULAR, UNIFORM_3, 2),
        (cycle(3, 0.8, 0.1), np.array([0.5, 0.5, 0]), 2),
    ],
)
def test_rank_needs_an_invertible_T_and_every_task_first(
    T: Floats, distribution: Floats, rank: int
) -> None:
    sigma = singular_values_of_Sigma_31(T, distribution)
    assert np.sum(sigma > zero(sigma)) == rank


def test_singular_values_of_the_cycle_with_overlapping_triples() -> None:
    sigma = singular_values_of_Sigma_31(cycle(3), UNIFORM_3)
    np.testing.assert_allclose(sigma[:3], [4.106, 0.737, 0.555], rtol=0, atol=5e-4)


def test_independent_tasks_of_two_arms_leave_one_direction() -> None:
    O = np.array([[0.9, 0.1, 0.8, 0.2, 1, 1], [0.2, 0.8, 0.3, 0.7, 1, 1]]).T
    hmm = HMM(O=O, T=np.full((2, 2), 0.5), initial=np.array([0.5, 0.5]))
    sigma = singular_values(population_moments(hmm, hmm.initial).Sigma_31)
    assert float(sigma[0]) == near(3.01)
    assert sigma[1] <= zero(sigma)


def test_centred_moments_lose_a_rank() -> None:
    """E[o_3 ⊗ o_1] - E[o_3] ⊗ E[o_1] has rank k-1: a real covariance does not serve."""
    for hmm in drawn_models()[:100]:
        moments = population_moments(hmm, hmm.initial)
        mean_1 = hmm.O @ hmm.initial
        mean_3 = hmm.O @ hmm.T @ hmm.T @ hmm.initial
        whole = np.linalg.svd(moments.Sigma_31, compute_uv=False)
        centred = np.linalg.svd(moments.Sigma_31 - np.outer(mean_3, mean_1), compute_uv=False)
        rounding = (4 * hmm.k + hmm.d) * ROUNDING * whole[0]
        assert whole[hmm.k - 1] > 1e6 * rounding
        assert centred[hmm.k - 1] <= rounding


def test_an_impossible_distribution_is_refused() -> None:
    with pytest.raises(InputError, match="first_view"):
        population_moments(three_task_hmm(), [0.5, 0.4, 0.0])
