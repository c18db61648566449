"""The robust tensor power method against plain loops, a second library and its own identities."""

from __future__ import annotations

import importlib
import itertools
import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.sequential.tensor_power import Eigenpairs, decompose, robust_tensor_power
from tests.support.closeness import near

SEEDS = st.integers(0, 2**32 - 1)
SETTLED = 1e-12
"""A fixed point of the power map is reached up to rounding; a step adds at most k² of them."""


def orthogonal_matrix(rng: np.random.Generator, k: int) -> Floats:
    turn, _ = np.linalg.qr(rng.normal(size=(k, k)))
    return np.array(turn, dtype=np.float64)


def tensor_of(lambdas: Floats, vectors: Floats) -> Floats:
    """Σ_j λ_j v_j ⊗ v_j ⊗ v_j."""
    total: Floats = np.einsum("j,aj,bj,cj->abc", lambdas, vectors, vectors, vectors)
    return total


def symmetric_noise(rng: np.random.Generator, k: int) -> Floats:
    noise = rng.normal(size=(k, k, k))
    orders = itertools.permutations(range(3))
    mean = np.mean([noise.transpose(order) for order in orders], axis=0)
    unit: Floats = mean / np.linalg.norm(mean)
    return unit


def in_order(pairs: Eigenpairs) -> tuple[Floats, Floats]:
    """Eigenvalues, falling, and their vectors."""
    order = np.argsort(-pairs.lambdas)
    return pairs.lambdas[order], pairs.vectors[:, order]


@settings(max_examples=25)
@given(SEEDS, st.integers(1, 5))
def test_orthogonal_components_are_recovered(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    vectors, lambdas = orthogonal_matrix(rng, k), np.arange(k + 0.5, 0.5, -1)
    found = decompose(tensor_of(lambdas, vectors), k, 20, 30, rng)
    values, directions = in_order(found)
    np.testing.assert_allclose(values, lambdas, rtol=0, atol=SETTLED * k)
    np.testing.assert_allclose(directions, vectors, rtol=0, atol=SETTLED * k)
    assert np.abs(found.residual).max() <= SETTLED * k


@settings(max_examples=25)
@given(SEEDS, st.integers(2, 4))
def test_one_call_by_plain_loops(seed: int, k: int) -> None:
    """The steps of the algorithm, one number at a time, on a tensor without any symmetry."""
    L, N = 3, 2
    M = np.random.default_rng(seed).normal(size=(k, k, k))
    rng = np.random.default_rng(seed + 1)
    starts = [[float(x) for x in rng.standard_normal(k)] for _ in range(L)]
    ends = [walked(M, Walker(unit(v), (k + 2) * ROUNDING), N) for v in starts]
    best = walked(M, max(ends, key=lambda end: form(M, end.v)), N)

    pair, deflated = robust_tensor_power(M, L, N, np.random.default_rng(seed + 1))
    assert best.off < 1e-8
    np.testing.assert_allclose(pair.v, best.v, rtol=0, atol=2 * best.off)
    of_form = 2 * (3 * best.off + of_image(k)) * float(np.linalg.norm(M))
    assert pair.lambda_ == pytest.approx(form(M, best.v), rel=0, abs=of_form)
    component = pair.lambda_ * np.multiply.outer(np.outer(pair.v, pair.v), pair.v)
    np.testing.assert_allclose(deflated, M - component, rtol=0, atol=SETTLED)


@dataclass(frozen=True)
class Walker:
    """A unit vector on its way, and how far rounding may have moved it."""

    v: list[float]
    off: float


def walked(M: Floats, walker: Walker, steps: int) -> Walker:
    """Steps v ← M(I,v,v)/‖M(I,v,v)‖; an error grows by 2‖M‖/‖M(I,v,v)‖ at most."""
    norm = float(np.linalg.norm(M))
    for _ in range(steps):
        moved = image(M, walker.v)
        off = (2 * walker.off + of_image(len(M))) * norm / length(moved)
        walker = Walker(unit(moved), off)
    return walker


def of_image(k: int) -> float:
    """Roundings of k² products and their sum, of a length and of a division, in units of ‖M‖."""
    return (k**2 + k + 3) * ROUNDING


def image(M: Floats, v: list[float]) -> list[float]:
    k = len(v)
    pairs = list(itertools.product(range(k), repeat=2))
    return [sum(float(M[i, j, n]) * v[j] * v[n] for j, n in pairs) for i in range(k)]


def form(M: Floats, v: list[float]) -> float:
    return sum(x * y for x, y in zip(image(M, v), v, strict=True))


def length(v: list[float]) -> float:
    return math.sqrt(sum(x * x for x in v))


def unit(v: list[float]) -> list[float]:
    return [x / length(v) for x in v]


def test_sign_is_the_one_with_a_positive_eigenvalue() -> None:
    v = np.array([0.6, 0.8])
    pair, deflated = robust_tensor_power(
        tensor_of(np.array([-2.0]), v[:, np.newaxis]), 5, 10, np.random.default_rng(0)
    )
    assert pair.lambda_ == pytest.approx(2, abs=SETTLED)
    np.testing.assert_allclose(pair.v, -v, rtol=0, atol=SETTLED)
    assert np.abs(deflated).max() <= SETTLED


def test_one_call_returns_the_largest_component_it_reached() -> None:
    rng = np.random.default_rng(1)
    vectors = orthogonal_matrix(rng, 4)
    tensor = tensor_of(np.array([1.0, 3.0, 2.0, 1.5]), vectors)
    pair, _ = robust_tensor_power(tensor, 60, 30, rng)
    assert pair.lambda_ == pytest.approx(3, abs=SETTLED)
    np.testing.assert_allclose(pair.v, vectors[:, 1], rtol=0, atol=SETTLED)


def test_few_restarts_find_the_components_in_another_order() -> None:
    """Why the labels of successive estimates have to be matched."""
    tensor = tensor_of(np.array([1.1, 1.0, 1.05]), np.eye(3))
    orders = {
        tuple(np.argmax(decompose(tensor, 3, 1, 40, np.random.default_rng(seed)).vectors, axis=0))
        for seed in range(30)
    }
    assert len(orders) > 1


@settings(max_examples=25)
@given(SEEDS)
def test_the_generator_decides_everything(seed: int) -> None:
    M = np.random.default_rng(seed).normal(size=(3, 3, 3))
    first = decompose(M, 3, 4, 5, np.random.default_rng(seed))
    second = decompose(M, 3, 4, 5, np.random.default_rng(seed))
    np.testing.assert_array_equal(first.vectors, second.vectors)
    np.testing.assert_array_equal(first.lambdas, second.lambdas)


@settings(max_examples=25)
@given(SEEDS, st.integers(2, 4))
def test_turning_the_coordinates_turns_the_components(seed: int, k: int) -> None:
    """The rounding of the turn itself moves components as noise does, least eigenvalue 1."""
    rng = np.random.default_rng(seed)
    turn = orthogonal_matrix(rng, k)
    lambdas = np.arange(1.0, k + 1)
    M = tensor_of(lambdas, orthogonal_matrix(rng, k)) + 1e-3 * symmetric_noise(rng, k)
    turned = np.einsum("abc,ia,jb,lc->ijl", M, turn, turn, turn)
    values, vectors = in_order(decompose(M, k, 30, 40, rng))
    turned_values, turned_vectors = in_order(decompose(turned, k, 30, 40, rng))
    of_turn = (k**3 + 3) * ROUNDING * float(np.linalg.norm(M))
    allowed = 2 * k * SETTLED + 8 * of_turn
    np.testing.assert_allclose(turned_values, values, rtol=0, atol=allowed)
    np.testing.assert_allclose(turned_vectors, turn @ vectors, rtol=0, atol=allowed)


@settings(max_examples=25)
@given(SEEDS, st.integers(2, 4))
def test_small_noise_moves_components_by_no_more_than_the_known_factors(seed: int, k: int) -> None:
    """Theorem 5.1 of the cited paper: vectors by 8ε/λ_j, eigenvalues by 5ε."""
    rng = np.random.default_rng(seed)
    lambdas, vectors = np.arange(k + 1.0, 1.0, -1), orthogonal_matrix(rng, k)
    epsilon = 1e-3
    noisy = tensor_of(lambdas, vectors) + epsilon * symmetric_noise(rng, k)
    values, directions = in_order(decompose(noisy, k, 30, 40, rng))
    assert np.all(np.abs(values - lambdas) <= 5 * epsilon)
    assert np.all(np.linalg.norm(directions - vectors, axis=0) <= 8 * epsilon / lambdas)


def test_a_second_library_finds_the_same_components() -> None:
    """tensorly starts its iterations elsewhere, but the attracting points are the same.

    With enough restarts both take the components from the largest down, so that deflation leaves
    the same rest to both. With noise of 10⁻² a step leaves a hundredth of the distance, so that 8
    steps are enough.
    """
    tensorly = importlib.import_module("tensorly.decomposition")
    for seed in range(6):
        rng = np.random.default_rng(seed)
        k = 2 + seed % 3
        clean = tensor_of(np.arange(1.0, k + 1), orthogonal_matrix(rng, k))
        M = clean + 1e-2 * symmetric_noise(rng, k)
        np.random.seed(seed)  # the only generator that tensorly knows
        weights, factors = tensorly.symmetric_parafac_power_iteration(
            M, rank=k, n_repeat=20, n_iteration=8
        )
        values, vectors = in_order(decompose(M, k, 30, 40, rng))
        order = np.argsort(-np.asarray(weights))
        np.testing.assert_allclose(values, np.asarray(weights)[order], rtol=0, atol=100 * SETTLED)
        np.testing.assert_allclose(
            vectors, np.asarray(factors)[:, order], rtol=0, atol=100 * SETTLED
        )


def test_the_zero_tensor_has_no_direction_to_go() -> None:
    pair, deflated = robust_tensor_power(np.zeros((2, 2, 2)), 3, 3, np.random.default_rng(0))
    assert pair.lambda_ == 0
    assert np.linalg.norm(pair.v) == near(1.0)
    assert not deflated.any()


@pytest.mark.parametrize("tensor", [np.ones((2, 2)), np.ones((2, 2, 3)), np.ones((0, 0, 0))])
def test_what_is_no_cube_is_refused(tensor: Floats) -> None:
    with pytest.raises(InputError, match=r"^tensor: "):
        decompose(tensor, 1, 1, 1, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("wrong", "k", "L", "N"),
    [("k", 0, 1, 1), ("k", 3, 1, 1), ("k", 1.5, 1, 1), ("L", 1, 0, 1), ("N", 1, 1, 0)],
)
def test_bad_numbers_are_refused(wrong: str, k: int, L: int, N: int) -> None:
    with pytest.raises(InputError, match=f"^{wrong}: "):
        decompose(np.ones((2, 2, 2)), k, L, N, np.random.default_rng(0))
