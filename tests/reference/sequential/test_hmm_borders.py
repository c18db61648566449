"""Section 4: shapes, distributions and counts at the ends of what they may be."""

# ruff: noqa: E741 - O is the paper's letter, and l the third task

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

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
from tests.support.instances import bandit, walk

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

    @pytest.mark.parametrize(("rows", "columns"), [(0, 2), (3, 1), (3, 3)])
    def test_columns_are_tasks(self, rows: int, columns: int) -> None:
        with pytest.raises(InputError, match="O: must have one row at least and 2 columns"):
            self.model(rows, columns)

    @pytest.mark.parametrize("shape", [(1, 2), (2, 1), (0, 0)])
    def test_chains_are_square(self, shape: tuple[int, int]) -> None:
        with pytest.raises(InputError, match="T: must be square, with one task at least"):
            task_sequence(np.full(shape, 0.5), HALVES, 1, np.random.default_rng(0))

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

    def test_a_chance_may_be_zero_but_no_less(self) -> None:
        with pytest.raises(InputError, match=r"T\[0, 0\]: a probability must not be negative"):
            task_sequence([[-0.5, 0.5], [1.5, 0.5]], HALVES, 1, np.random.default_rng(0))

    @pytest.mark.parametrize("size", [1, 3])
    def test_distributions_speak_of_all_tasks(self, size: int) -> None:
        with pytest.raises(InputError, match="initial: must have 2 entries"):
            task_sequence(np.eye(2), np.full(size, 1 / size), 1, np.random.default_rng(0))


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
