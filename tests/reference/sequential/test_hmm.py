"""Section 4: the hidden Markov model of tasks, its observations and its exact moments."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import itertools
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential.observations import (
    post_sample_batches,
    post_sample_observation,
)
from ptum.reference.sequential.hmm import (
    HMM,
    moore_penrose,
    population_moments,
    rank_k_inverse,
    task_sequence,
)
from ptum.reference.sequential.observations import (
    counts,
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
from ptum.reference.transfer.empirical import empty_data
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
from tests.support.instances import bandit, walk
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


# Observations.


@given(mdps())
def test_places_of_an_observation(theta: MDP) -> None:
    S, A, U = theta.S, theta.A, theta.u.size
    o = observation_vector(theta.q, theta.p)
    for s, a in itertools.product(range(S), range(A)):
        for j in range(U):
            assert o[(s * A + a) * U + j] == theta.q[s, a, j]
        for successor in range(S):
            assert o[S * A * U + (s * A + a) * S + successor] == theta.p[s, a, successor]


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


def test_observations_follow_from_the_third_view() -> None:
    """[O]_j = Σ_21 Σ_31^† O T e_j; with the printed O e_j it is O T^-1."""
    for hmm in drawn_models():
        moments = population_moments(hmm, hmm.initial)
        allowed = recovery_tolerance(hmm, hmm.initial)
        back = moments.Sigma_21 @ np.linalg.pinv(moments.Sigma_31, rcond=1e-9)
        assert np.linalg.norm(back @ hmm.O @ hmm.T - hmm.O, axis=0).max() <= allowed.O
        assert np.linalg.norm(back @ hmm.O - hmm.O, axis=0).max() > 1000 * allowed.O


def test_average_over_triples_is_the_moment_of_the_average_distribution() -> None:
    """A chain started in one task: no stationarity is needed, only linearity."""
    hmm = three_task_hmm()
    step = np.linalg.matrix_power(hmm.T, 3)
    first = [np.linalg.matrix_power(step, triple) @ hmm.initial for triple in range(5)]
    singles = [population_moments(hmm, distribution / distribution.sum()) for distribution in first]
    mean_distribution = np.mean(first, axis=0)
    together = population_moments(hmm, mean_distribution / mean_distribution.sum())
    for name in ("Sigma_21", "Sigma_31", "Sigma_32"):
        mean = np.mean([getattr(single, name) for single in singles], axis=0)
        np.testing.assert_allclose(getattr(together, name), mean, rtol=0, atol=64 * ROUNDING)


def singular_values_of_Sigma_31(T: Floats, distribution: Floats) -> Floats:
    hmm = HMM(O=observation_matrix(three_tasks()), T=T, initial=distribution)
    sigma: Floats = np.linalg.svd(population_moments(hmm, distribution).Sigma_31)[1]
    return sigma


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


HALVES = np.full(2, 0.5)


class TestModel:
    """k tasks with observations of length d."""

    def model(self, rows: int, columns: int) -> HMM:
        return HMM(O=np.ones((rows, columns)), T=np.full((2, 2), 0.5), initial=HALVES)

    def test_sizes(self) -> None:
        assert (self.model(3, 2).d, self.model(3, 2).k) == (3, 2)
        assert (self.model(1, 2).d, self.model(1, 2).k) == (1, 2)
        single = HMM(O=np.ones((1, 1)), T=np.ones((1, 1)), initial=np.ones(1))
        assert (single.d, single.k) == (1, 1)

    @pytest.mark.parametrize(
        ("O", "T", "initial", "problem"),
        [
            (np.eye(2), [[0.5, 0.5], [0.4, 0.6]], [1, 0], r"T\[0\]: the column must sum to one"),
            (np.eye(2), [[-0.5, 0.5], [1.5, 0.5]], [1, 0], r"T\[0, 0\]: .* not be negative"),
            (np.eye(2), [[1, 0]], [1, 0], "T: must be square, with one task at least"),
            (np.eye(2), [[1], [0]], [1, 0], "T: must be square, with one task at least"),
            (np.zeros((2, 0)), np.zeros((0, 0)), [], "T: must be square, with one task at least"),
            (np.eye(3), np.eye(2), [1, 0], "O: must have one row at least and 2 columns"),
            (np.ones((3, 1)), np.eye(2), [1, 0], "O: must have one row at least and 2 columns"),
            (np.zeros((0, 2)), np.eye(2), [1, 0], "O: must have one row at least and 2 columns"),
            (np.eye(2), np.eye(2), [1, 0, 0], "initial: must have 2 entries"),
            (np.eye(2), np.eye(2), [1], "initial: must have 2 entries"),
            (np.eye(2), np.eye(2), [0.5, 0.4], "sum to one"),
            ([[np.nan, 1], [0, 1]], np.eye(2), [1, 0], "finite"),
        ],
    )
    def test_what_is_no_model_is_refused(
        self, O: Floats, T: Floats, initial: Floats, problem: str
    ) -> None:
        with pytest.raises(InputError, match=problem):
            HMM(O=O, T=T, initial=initial)

    @pytest.mark.parametrize("miss", [12 * ROUNDING, -12 * ROUNDING, 13 * ROUNDING])
    def test_a_column_may_miss_one_by_four_roundings_for_each_entry(self, miss: float) -> None:
        """D20 for three tasks; the rows sum to something else."""
        T = np.array([[0.5, 0.5, 0.5], [0.5 + miss, 0.5, 0.5], [0.0, 0.0, 0.0]])
        distribution = np.array([1.0, 0.0, 0.0])
        if miss <= 12 * ROUNDING:
            assert task_sequence(T, distribution, 1, np.random.default_rng(0)).tolist() == [0]
        else:
            with pytest.raises(InputError, match=r"T\[0\]: the column must sum to one"):
                task_sequence(T, distribution, 1, np.random.default_rng(0))

    @pytest.mark.parametrize(
        ("T", "initial", "h", "problem"),
        [
            ([[1, 0]], HALVES, 1, "T: must be square, with one task at least"),
            (np.eye(2), [1.0], 1, "initial: must have 2 entries"),
            (np.eye(2), HALVES, 0, "h: "),
        ],
    )
    def test_what_is_no_sequence_is_refused(
        self, T: Floats, initial: Floats, h: int, problem: str
    ) -> None:
        with pytest.raises(InputError, match=problem):
            task_sequence(T, initial, h, np.random.default_rng(0))


class TestObservations:
    """S = 2, A = 3, U = 5, so that no two sizes are alike."""

    def test_dimensions(self) -> None:
        assert dimension(2, 3, 5) == 42
        assert largest_number_of_tasks(2, 3, 5) == 31
        assert (dimension(1, 1, 1), largest_number_of_tasks(1, 1, 1)) == (2, 1)

    def test_rewards_come_first(self) -> None:
        q, p = split_observation(np.arange(42.0), 2, 3, 5)
        np.testing.assert_array_equal(q, np.arange(30.0).reshape(2, 3, 5))
        np.testing.assert_array_equal(p, np.arange(30.0, 42.0).reshape(2, 3, 2))

    @pytest.mark.parametrize("size", [41, 43])
    def test_lengths(self, size: int) -> None:
        with pytest.raises(InputError, match=r"o: must have length SA\(S\+U\) = 42"):
            split_observation(np.zeros(size), 2, 3, 5)

    @pytest.mark.parametrize(
        ("q", "p", "problem"),
        [
            ((0, 1, 1), (0, 1, 0), "p_hat: needs a state and an action"),
            ((1, 0, 1), (1, 0, 1), "p_hat: needs a state and an action"),
            ((1, 1, 1), (1, 1, 2), "p_hat: must have shape"),
            ((2, 1, 1), (2, 1, 1), "p_hat: must have shape"),
            ((1, 2, 1), (1, 1, 1), r"q_hat: must have shape \(1, 1, U\)"),
            ((2, 1, 1), (1, 1, 1), r"q_hat: must have shape \(1, 1, U\)"),
            ((1, 1, 1), (1, 2, 1), r"q_hat: must have shape \(1, 2, U\)"),
            ((1, 1, 0), (1, 1, 1), "q_hat: needs a reward value"),
        ],
    )
    def test_shapes(self, q: tuple[int, ...], p: tuple[int, ...], problem: str) -> None:
        with pytest.raises(InputError, match=problem):
            observation_vector(np.ones(q), np.ones(p))

    @pytest.mark.parametrize(("q", "p"), [(0.4, 1.0), (0.5, 0.9)])
    def test_blocks_are_distributions(self, q: float, p: float) -> None:
        with pytest.raises(InputError, match="must sum to one"):
            observation_vector(np.full((1, 2, 2), q), np.full((1, 2, 1), p))

    def test_the_shortest(self) -> None:
        assert observation_vector(np.ones((1, 1, 1)), np.ones((1, 1, 1))).tolist() == [1.0, 1.0]

    def test_a_matrix_needs_a_task(self) -> None:
        assert observation_matrix([bandit([0.0], 0.5)]).shape == (2, 1)
        with pytest.raises(InputError, match=r"tasks: at least one task.*\(found 0\)"):
            observation_matrix([])
        with pytest.raises(InputError, match="O: needs a column"):
            models_from_columns(np.zeros((2, 0)), 1, 1, [0.0], 0.5)
        assert len(models_from_columns(np.ones((2, 1)), 1, 1, [0.0], 0.5)) == 1

    @pytest.mark.parametrize(
        "stranger", [bandit([0.5], 0.5), walk([[0], [1]], [[0.0], [0.0]], 0.5)], ids=["u", "S"]
    )
    def test_tasks_share_states_and_rewards(self, stranger: MDP) -> None:
        first = bandit([0.0], 0.5)
        for tasks in ((first, stranger), (stranger, first), (first, first, stranger)):
            place = len(tasks) - 1
            with pytest.raises(InputError, match=rf"tasks\[{place}\]: must share"):
                observation_matrix(tasks)


def test_singular_values_that_rounding_can_have_made_count_as_zero() -> None:
    """D99: (4·3 + 5) roundings of the largest, for 3 terms and 5 columns.

    The decomposition itself may err by a few roundings of the largest singular value, so that the
    border is tried a little below and above: 0.25 of 17 roundings. Inverted, such a value is far
    above the inverse of the other one, which is 1.
    """
    for roundings, inverted in ((16.75, False), (17.25, True)):
        matrix = np.zeros((2, 5))
        matrix[0, 0], matrix[1, 1] = 1.0, roundings * ROUNDING
        for one in (matrix, matrix.T):
            found = moore_penrose(one, terms=3)
            assert bool(np.abs(found).max() > 2) is inverted


def test_inverse_of_rank_two() -> None:
    found = rank_k_inverse(np.diag([4.0, 2.0, 1.0]), 2)
    np.testing.assert_array_equal(found, np.diag([0.25, 0.5, 0.0]))
    wide = rank_k_inverse(np.array([[4.0, 0.0, 0.0], [0.0, 2.0, 0.0]]), 1)
    np.testing.assert_array_equal(wide, [[0.25, 0.0], [0.0, 0.0], [0.0, 0.0]])


def test_a_rank_that_a_matrix_cannot_have_takes_nothing_away() -> None:
    wide = np.array([[4.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    whole = np.array([[0.25, 0.0], [0.0, 0.5], [0.0, 0.0]])
    for k in (2, 3):
        np.testing.assert_array_equal(rank_k_inverse(wide, k), whole)
        np.testing.assert_array_equal(rank_k_inverse(wide.T, k), whole.T)


class TestSamples:
    """Counts, frequencies and batches."""

    def test_counts_by_hand(self) -> None:
        """Two states, three actions; one sample of each, and another one of the last."""
        data = empty_data(2, 3)
        for s, a in ((s, a) for s in range(2) for a in range(3)):
            data.store(s, a, 0.5 * (a % 2), 1 - s)
        data.store(1, 2, 0.5, 1)
        rewards, successors = counts(data, [0.0, 0.5])
        assert rewards[:, :, 1].tolist() == [[0, 1, 0], [0, 1, 1]]
        assert successors[:, :, 1].tolist() == [[1, 1, 1], [0, 0, 1]]
        found = empirical_observation(rewards, successors)
        assert found.q_hat[1, 2].tolist() == [0.5, 0.5]
        assert found.p_hat[1, 2].tolist() == [0.5, 0.5]

    def test_reward_values_are_different(self) -> None:
        data = empty_data(1, 1)
        data.store(0, 0, 0.5, 0)
        with pytest.raises(InputError, match="u: lists a reward value twice"):
            counts(data, [0.5, 0.5])
        with pytest.raises(InputError, match=r"reward\[0, 0\]: is none of the reward values"):
            counts(data, [0.25, 0.75])

    @pytest.mark.parametrize(
        ("table", "problem"),
        [
            ([[[1.0, 0.0], [0.0, 0.0]]], r"reward_counts\[0, 1\]: the pair has no sample"),
            ([[[-0.5, 1.5]]], "a count must not be negative"),
        ],
    )
    def test_counts_that_are_none(self, table: npt.ArrayLike, problem: str) -> None:
        good = np.ones((1, np.shape(table)[1], 1))
        with pytest.raises(InputError, match=problem):
            empirical_observation(table, good)

    @pytest.mark.parametrize("n_post", [1, 2, 4, 3.0, 0])
    def test_batches_are_thirds(self, n_post: int) -> None:
        coin = Simulator(bandit([0.0], 0.5), seed=0)
        with pytest.raises(InputError, match="n_post"):
            post_sample_batches(coin, 1, 1, [0.0], n_post)
        assert post_sample_batches(coin, 1, 1, [0.0], 3).batches.shape == (3, 2)

    def test_fresh_samples_of_every_pair(self) -> None:
        task = walk([[0, 1, 1], [1, 0, 1]], [[0.0, 0.5, 1.0], [1.0, 0.5, 0.0]], 0.5)
        found = post_sample_observation(Simulator(task, seed=0), 2, 3, task.u, n_post=1)
        np.testing.assert_array_equal(found.q_hat, task.q)
        np.testing.assert_array_equal(found.p_hat, task.p)


def test_moments_of_a_small_model_by_enumeration() -> None:
    """All sequences of three tasks, with pseudo-inverses by numpy.

    Entries are at most one and sums of 8 products of five numbers; M_2 and M_3 may miss twice what
    rounding moves them by.
    """
    O = np.array([[1.0, 0.25], [0.0, 0.5], [0.5, 1.0]])
    T = np.array([[0.75, 0.5], [0.25, 0.5]])
    pi = np.array([0.625, 0.375])
    hmm = HMM(O=O, T=T, initial=HALVES)
    found, allowed = population_moments(hmm, pi), recovery_tolerance(hmm, pi)
    chances = {(i, j, l): pi[i] * T[j, i] * T[l, j] for i, j, l in product(range(2), repeat=3)}

    def mean(*views: Floats) -> Floats:
        """E of the outer product, for one table of columns per view."""
        total: Floats = np.zeros(())
        for tasks, chance in chances.items():
            outer = np.array(chance)
            for view, task in zip(views, tasks, strict=True):
                outer = np.multiply.outer(outer, view[:, task])
            total = total + outer
        return np.asarray(total)

    blank = np.ones((1, 2))
    Sigma_12 = mean(O, O, blank)[:, :, 0]
    Sigma_13 = mean(O, blank, O)[:, 0]
    Sigma_32 = mean(blank, O, O)[0].T
    first = Sigma_32 @ np.linalg.pinv(Sigma_12, rcond=1e-12) @ O
    second = Sigma_13.T @ np.linalg.pinv(Sigma_12.T, rcond=1e-12) @ O
    for one, other, off in (
        (found.Sigma_12, Sigma_12, 64 * ROUNDING),
        (found.Sigma_21, Sigma_12.T, 64 * ROUNDING),
        (found.Sigma_13, Sigma_13, 64 * ROUNDING),
        (found.Sigma_31, Sigma_13.T, 64 * ROUNDING),
        (found.Sigma_32, Sigma_32, 64 * ROUNDING),
        (found.M_2, mean(first, second, blank)[:, :, 0], 2 * allowed.M_2),
        (found.M_3, mean(first, second, O), 2 * allowed.M_3),
    ):
        np.testing.assert_allclose(one, other, rtol=0, atol=off)
    assert found.terms == 2
