"""Euclidean projection of estimates on distributions (D54)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.sequential.observations import models_from_columns, observation_vector
from ptum.reference.sequential.projection import (
    project,
    project_columns,
    project_observation,
    project_simplex,
)
from tests.support.hidden import Sizes, drawn_columns

VECTORS = st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=8).map(np.array)


def off(size: int) -> float:
    """What rounding does to an entry of the projection of n numbers, whatever their spread.

    What stays positive lies within one of the largest entry. Running sums of n such numbers are off
    by n(n+4) halves of a rounding at most, their threshold by n + 4, and what the entries are
    divided by again by n(n+4): together (n+1)(n+4) halves.
    """
    return (size + 1) * (size + 4) / 2 * ROUNDING


def no_farther(found: Floats, given: Floats, truth: Floats, size: int) -> bool:
    """Whether no column is farther from the truth; a norm of d numbers has d + 3 roundings."""
    before, after = (np.linalg.norm(o - truth, axis=0) for o in (given, found))
    d = len(truth)
    return bool(np.all(after <= before * (1 + (d + 3) * ROUNDING) + np.sqrt(d) * off(size)))


@pytest.mark.parametrize(
    ("v", "expected"),
    [
        ([0.25, 0.75], [0.25, 0.75]),
        ([1.0, 1.0], [0.5, 0.5]),
        ([2.0, 0.0], [1.0, 0.0]),
        ([1.2, -0.2], [1.0, 0.0]),
        ([0.0, 0.0, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]),
        ([1.0, 0.5, -3.0], [0.75, 0.25, 0.0]),
        ([-7.0], [1.0]),
    ],
)
def test_projection_by_hand(v: list[float], expected: list[float]) -> None:
    np.testing.assert_allclose(project_simplex(v), expected, rtol=0, atol=off(len(v)))


@given(VECTORS)
def test_projection_lies_in_the_simplex(v: Floats) -> None:
    found = project_simplex(v)
    assert found.min() >= 0
    assert abs(found.sum() - 1) <= 4 * v.size * ROUNDING


@given(VECTORS)
def test_projection_is_idempotent(v: Floats) -> None:
    once = project_simplex(v)
    np.testing.assert_allclose(project_simplex(once), once, rtol=0, atol=2 * off(v.size))


@given(VECTORS, st.floats(-1e6, 1e6))
def test_a_shift_does_not_move_the_projection(v: Floats, shift: float) -> None:
    """A sum is off by half a rounding, the threshold by as much, and both are projected."""
    allowed = 2 * off(v.size) + ROUNDING * (np.abs(v).max() + abs(shift))
    np.testing.assert_allclose(project_simplex(v + shift), project_simplex(v), rtol=0, atol=allowed)


@given(VECTORS, st.integers(0, 2**32 - 1))
def test_no_distribution_moves_away_in_euclidean_norm(v: Floats, seed: int) -> None:
    truth = np.random.default_rng(seed).dirichlet(np.full(v.size, 0.3))
    assert no_farther(project_simplex(v), v, truth, v.size)


@given(VECTORS)
def test_projection_meets_the_conditions_of_the_nearest_point(v: Floats) -> None:
    """v - x is the same on the support of x and no larger off it (Karush, Kuhn, Tucker)."""
    x = project_simplex(v)
    rest = v - x
    rounding = ROUNDING * (np.abs(v).max() + 1)
    assert rest.max() - rest[x > 0].min() <= 2 * off(v.size) + rounding


def test_an_entry_may_move_away() -> None:
    """Why errors are carried through the Euclidean norm and never through the largest entry."""
    truth, estimate = np.array([0.395, 0.516, 0.089]), np.array([0.114, 0.236, 0.369])
    after = project_simplex(estimate)
    assert np.abs(after - truth).max() > 1.3 * np.abs(estimate - truth).max()
    assert np.linalg.norm(after - truth) <= np.linalg.norm(estimate - truth)


def test_observation_is_projected_block_by_block() -> None:
    q = np.array([[[1.2, -0.2], [0.5, 0.5]]])
    p = np.array([[[7.0], [-1.0]]])
    found = project_observation(np.concatenate([q.ravel(), p.ravel()]), S=1, A=2, U=2)
    np.testing.assert_allclose(found, [1, 0, 0.5, 0.5, 1, 1], rtol=0, atol=off(2))


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 2), st.integers(1, 3))
def test_projected_columns_are_models(seed: int, S: int, A: int, U: int) -> None:
    rng = np.random.default_rng(seed)
    truth = drawn_columns(rng, 2, Sizes(S, A, U))
    noisy, T = truth + rng.normal(scale=0.3, size=truth.shape), rng.normal(size=(2, 2))
    O_hat, T_hat = project(noisy, T, S, A, U)
    for model, column in zip(
        models_from_columns(O_hat, S, A, np.linspace(0, 1, U), 0.5), O_hat.T, strict=True
    ):
        np.testing.assert_array_equal(observation_vector(model.q, model.p), column)
    assert no_farther(O_hat, noisy, truth, max(S, U))
    np.testing.assert_array_equal(T_hat, project_columns(T))


def test_columns_not_rows_of_a_transition_matrix_are_projected() -> None:
    found = project_columns([[2.0, 0.5], [0.0, 0.5]])
    np.testing.assert_array_equal(found, [[1.0, 0.5], [0.0, 0.5]])


def test_large_entries_lose_no_digit() -> None:
    np.testing.assert_array_equal(project_simplex([2.0**60, 2.0**60]), [0.5, 0.5])


def test_an_estimate_needs_a_column() -> None:
    """S = A = 1 and U = 2: one column of rewards (1.2, -0.2) and one probability of staying."""
    O_hat, T_hat = project([[1.2], [-0.2], [7.0]], [[-1.0]], S=1, A=1, U=2)
    np.testing.assert_allclose(O_hat, [[1.0], [0.0], [1.0]], rtol=0, atol=off(2))
    np.testing.assert_array_equal(T_hat, [[1.0]])
    with pytest.raises(InputError, match=r"^O: needs a column"):
        project(np.zeros((3, 0)), [[1.0]], S=1, A=1, U=2)


@pytest.mark.parametrize(
    ("v", "problem"),
    [
        ([], "v: needs an entry"),
        ([[0.5, 0.5]], "v: must have 1 axes"),
        ([np.nan, 1.0], r"v\[0\]: must be finite"),
        (["a"], "v: is not an array of real numbers"),
    ],
)
def test_bad_vectors_are_refused(v: object, problem: str) -> None:
    with pytest.raises(InputError, match=f"^{problem}"):
        project_simplex(v)  # type: ignore[arg-type]


def test_an_observation_of_another_length_is_refused() -> None:
    with pytest.raises(InputError, match="must have length"):
        project_observation(np.ones(5), S=1, A=2, U=2)
