"""Steps of the tensor power method that end early give what all of them give."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ptum.checks.engine import tensor_power as engine
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.sequential.tensor_power import Eigenpairs, decompose, power_steps, step

K = 4


def tensor(seed: int, noise: float) -> Floats:
    """A sum of orthogonal components, and a symmetric tensor of noise."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.standard_normal((K, K)))[0]
    E = rng.standard_normal((K, K, K))
    symmetric = sum(E.transpose(order) for order in itertools.permutations(range(3))) / 6
    found: Floats = np.einsum("r,ir,jr,lr->ijl", np.linspace(1, 2, K), Q, Q, Q) + noise * symmetric
    return found


def both(M: Floats, N: int) -> tuple[Eigenpairs, Eigenpairs]:
    slow, fast = np.random.default_rng(1), np.random.default_rng(1)
    literal = decompose(M, K, 12, N, slow)
    early = engine.decompose(M, K, 12, N, fast)
    assert slow.random() == fast.random()  # as many numbers were drawn
    return literal, early


def allowed(M: Floats) -> float:
    """Roundings of the size of the tensor: eight per component by ending early, those of λ."""
    return (8 * K + K**2 + K + 2 + 5 * K) * ROUNDING * float(np.linalg.norm(M))


@pytest.mark.parametrize("noise", [0.0, 1e-3, 0.05])
@pytest.mark.parametrize("N", [3, 10, 61, 100])
@pytest.mark.parametrize("seed", range(4))
def test_the_same_pairs_within_rounding(seed: int, N: int, noise: float) -> None:
    M = tensor(seed, noise)
    literal, early = both(M, N)
    assert np.abs(literal.lambdas - early.lambdas).max() <= allowed(M)
    assert np.abs(literal.vectors - early.vectors).max() <= allowed(M)


def test_it_does_end_early(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    class Counted(engine.TensorStep):
        def __call__(self, V: Floats) -> Floats:
            nonlocal calls
            calls += 1
            return super().__call__(V)

    monkeypatch.setattr(engine, "TensorStep", Counted)
    engine.decompose(tensor(0, 1e-3), K, 12, 100, np.random.default_rng(0))
    assert calls < 0.3 * 2 * K * 100


@pytest.mark.parametrize("rows", [1, 12])
def test_every_step_has_the_bits_of_the_literal_one(rows: int) -> None:
    M, V = tensor(0, 0.05), np.random.default_rng(2).standard_normal((rows, K))
    fast = engine.TensorStep(M, rows)
    for _ in range(5):
        after = step(M, V)
        assert np.array_equal(fast(V), after)
        V = after
    V[0] = 0.0  # a row that goes nowhere
    assert np.array_equal(fast(V), step(M, V))


def test_eigenvalues_come_closer_than_the_literal_ones() -> None:
    """Without noise they are known; the tensor itself is rounded, a few roundings of its norm."""
    M = tensor(0, 0.0)
    found = engine.decompose(M, K, 12, 100, np.random.default_rng(1)).lambdas
    error = np.abs(np.sort(found) - np.linspace(1, 2, K)).max()
    assert error <= 3 * ROUNDING * float(np.linalg.norm(M))


def test_a_slow_start_is_no_fixed_point() -> None:
    """A saddle with a tilt of 10⁻¹⁵ is left only after many steps; it moves little at first."""
    M = np.zeros((2, 2, 2))
    M[0, 0, 0] = M[1, 1, 1] = 1.0
    saddle = np.array([[1.0, 1.0 + 4 * ROUNDING]]) / np.sqrt(2)
    literal = power_steps(M, saddle, 100)
    assert literal[0, 1] == 1.0
    assert np.abs(engine.power_steps(M, saddle, 100) - literal).max() <= 8 * ROUNDING
    assert np.abs(saddle - literal).max() > 0.2  # what ending at once would give
