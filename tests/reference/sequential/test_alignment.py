"""One labelling of the tasks for successive estimates (D55)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.sequential.spectral import HmmEstimate
from tests.support.hidden import Sizes, drawn_columns
from tests.support.recovered import apart

SEEDS = st.integers(0, 2**32 - 1)


def estimate(O_hat: Floats, T_hat: Floats | None) -> HmmEstimate:
    numbers = np.arange(1.0, O_hat.shape[1] + 1)
    return HmmEstimate(O=O_hat, T=T_hat, weights=-numbers, eigenvalues=numbers)


def test_alignment_by_hand() -> None:
    previous = np.array([[1.0, 0.0, 5.0], [0.0, 1.0, 5.0]])
    found = np.array([[4.0, 1.1, 0.1], [4.0, 0.1, 0.9]])
    np.testing.assert_array_equal(align(previous, found), [1, 2, 0])


def test_every_label_is_given_once_even_if_two_columns_like_the_same_one() -> None:
    previous = np.array([[0.0, 10.0]])
    np.testing.assert_array_equal(align(previous, np.array([[1.0, 0.0]])), [1, 0])


@given(SEEDS, st.integers(2, 5))
def test_columns_within_a_quarter_of_the_least_distance_are_matched(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    truth = drawn_columns(rng, k, Sizes(2, 2, 2))
    radius = 0.999 * apart(truth) / 4
    first, second = truth.copy(), truth.copy()
    for noisy in (first, second):
        noise = rng.normal(size=noisy.shape)
        noisy += radius * noise / np.linalg.norm(noise, axis=0)
    order = rng.permutation(k)
    found = align(first, second[:, order])
    np.testing.assert_array_equal(order[found], np.arange(k))


@given(SEEDS, st.integers(2, 4))
def test_alignment_is_the_cheapest_of_all_assignments(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    previous, found = rng.normal(size=(6, k)), rng.normal(size=(6, k))
    costs = {
        order: float(np.sum((previous - found[:, order]) ** 2))
        for order in itertools.permutations(range(k))
    }
    assert tuple(align(previous, found).tolist()) == min(costs, key=lambda order: costs[order])


def test_permutation_moves_columns_of_O_and_both_sides_of_T() -> None:
    O_hat = np.array([[10.0, 11.0, 12.0]])
    T_hat = np.array([[0.0, 0.1, 0.2], [1.0, 1.1, 1.2], [2.0, 2.1, 2.2]])
    moved = permuted(estimate(O_hat, T_hat), [2, 0, 1])
    np.testing.assert_array_equal(moved.O, [[12, 10, 11]])
    np.testing.assert_array_equal(moved.T, [[2.2, 2.0, 2.1], [0.2, 0.0, 0.1], [1.2, 1.0, 1.1]])
    np.testing.assert_array_equal(moved.weights, [-3, -1, -2])
    np.testing.assert_array_equal(moved.eigenvalues, [3, 1, 2])


@given(SEEDS, st.integers(2, 5))
def test_relabelled_estimates_align_to_the_same_one(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    plain = estimate(drawn_columns(rng, k, Sizes(2, 1, 2)), rng.dirichlet(np.ones(k), size=k).T)
    other = permuted(plain, rng.permutation(k))
    back = permuted(other, align(plain.O, other.O))
    np.testing.assert_array_equal(back.O, plain.O)
    np.testing.assert_array_equal(back.T, plain.T)
    np.testing.assert_array_equal(back.weights, plain.weights)
    np.testing.assert_array_equal(back.eigenvalues, plain.eigenvalues)


def test_a_missing_T_stays_missing() -> None:
    assert permuted(estimate(np.eye(2), None), [1, 0]).T is None


@pytest.mark.parametrize("order", [[0, 0], [0], [1, 2], [0.0, 1.0], [[0, 1], [1, 0]]])
def test_what_is_no_permutation_is_refused(order: list[float]) -> None:
    with pytest.raises(InputError, match="permutation"):
        permuted(estimate(np.eye(2), None), order)


def test_matrices_of_different_shape_are_refused() -> None:
    with pytest.raises(InputError, match="O: must have the shape"):
        align(np.eye(2), np.eye(3))
