"""Lemma 3 and Algorithm 1, Step 2: confidence widths and the confidence set Θ̄_t.

| symbol                  | code             |
| ----------------------- | ---------------- |
| log(8SAn(|Θ|+1)/δ)      | `log_term`       |
| log(4SAn(|Θ|+1)/δ)      | `log_term_sigma` |
| C^r_{t,δ}(s,a)          | `width_r`        |
| C^p_{t,δ}(s,a;θ')       | `width_p`        |
| C^{σ_r}_{t,δ}(s,a)      | `width_sigma_r`  |
| C^{σ_p}_{t,δ}(s,a)      | `width_sigma_p`  |
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ptum.reference.arrays import Floats, Ints
from ptum.reference.errors import LEAST_CONFIDENCE, Numeric, require_confidence, require_sizes
from ptum.reference.tasks.models import ApproximateModels, require_models
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.empirical import EmpiricalModel


@dataclass(frozen=True)
class Violation:
    """A test that a model fails: the equation, the pair, and θ' for equations (2) and (4)."""

    equation: Literal[1, 2, 3, 4]
    s: int
    a: int
    theta_prime: int | None


def log_term(S: int, A: int, n: int, k: int, delta: float) -> float:
    """log(8SAn(|Θ|+1)/δ)."""
    return _log_of_tests(8, S, A, n, k, delta)


def log_term_sigma(S: int, A: int, n: int, k: int, delta: float) -> float:
    """log(4SAn(|Θ|+1)/δ)."""
    return _log_of_tests(4, S, A, n, k, delta)


def width_r(sigma_r_hat: Floats, N: Ints, L: float, Delta_r: float) -> Floats:
    """C^r = sqrt(2 σ̂_r² L / N) + 7L / (3(N-1)) + Δ_max^r; +inf where N ≤ 1 (D03)."""
    M = _countable(N)
    bernstein = np.sqrt(2 * sigma_r_hat**2 * L / M) + 7 * L / (3 * (M - 1))
    return np.where(N > 1, bernstein + Delta_r, np.inf)


def width_p(sigma_p_hat: Floats, N: Ints, L: float, gamma: float, Delta_p: float) -> Floats:
    """C^p = sqrt(2 σ̂_p² L / N) + 7L / (3(N-1)(1-γ)) + Δ_max^p; +inf where N ≤ 1 (D03)."""
    M = _countable(N)
    bernstein = np.sqrt(2 * sigma_p_hat**2 * L / M) + 7 * L / (3 * (M - 1) * (1 - gamma))
    return np.where(N > 1, bernstein + Delta_p, np.inf)


def width_sigma_r(N: Ints, L_sigma: float, Delta_sigma_r: float) -> Floats:
    """C^{σ_r} = sqrt(2 L_σ / (N-1)) + Δ_max^{σ_r}; +inf where N ≤ 1 (D03)."""
    M = _countable(N)
    return np.where(N > 1, np.sqrt(2 * L_sigma / (M - 1)) + Delta_sigma_r, np.inf)


def width_sigma_p(N: Ints, L_sigma: float, gamma: float, Delta_sigma_p: float) -> Floats:
    """C^{σ_p} = sqrt(2 L_σ / (N-1)) / (1-γ) + Δ_max^{σ_p}; +inf where N ≤ 1 (D03)."""
    M = _countable(N)
    return np.where(N > 1, np.sqrt(2 * L_sigma / (M - 1)) / (1 - gamma) + Delta_sigma_p, np.inf)


@dataclass(frozen=True, eq=False)
class Widths(Numeric):
    """The four widths of Lemma 3 for all pairs; `p` has a last axis over θ'."""

    r: Floats
    p: Floats
    sigma_r: Floats
    sigma_p: Floats


def widths(
    hat: EmpiricalModel, errors: ModelErrors, gamma: float, n: int, k: int, delta: float
) -> Widths:
    """All widths at the present counts; |Θ| = k and budget n enter through the logarithms (D32)."""
    S, A = hat.N.shape
    L, L_sigma = log_term(S, A, n, k, delta), log_term_sigma(S, A, n, k, delta)
    return Widths(
        r=width_r(hat.sigma_r, hat.N, L, errors.r),
        p=width_p(hat.sigma_p, hat.N[:, :, np.newaxis], L, gamma, errors.p),
        sigma_r=width_sigma_r(hat.N, L_sigma, errors.sigma_r),
        sigma_p=width_sigma_p(hat.N, L_sigma, gamma, errors.sigma_p),
    )


@dataclass(frozen=True, eq=False)
class EliminationTest:
    """One of the equations (1)-(4) at all pairs: distance ≤ width; the last axis is over θ'."""

    equation: Literal[1, 2, 3, 4]
    distance: Floats
    width: Floats


def elimination_tests(
    theta: int, hat: EmpiricalModel, C: Widths, models: ApproximateModels
) -> tuple[EliminationTest, ...]:
    """Both sides of equations (1)-(4) for one model."""
    require_models(models, theta=theta)
    return (
        EliminationTest(1, np.abs(hat.r - models.r[theta]), C.r),
        EliminationTest(2, np.abs((hat.p - models.p[theta]) @ models.V_star.T), C.p),
        EliminationTest(3, np.abs(hat.sigma_r - models.sigma_r[theta]), C.sigma_r),
        EliminationTest(
            4, np.abs(hat.sigma_p - models.sigma_p[theta]), C.sigma_p[:, :, np.newaxis]
        ),
    )


def violations(
    theta: int, hat: EmpiricalModel, C: Widths, models: ApproximateModels
) -> Iterator[Violation]:
    """Every failed test among equations (1)-(4), in that order, then by pair, then by θ' (D13)."""
    for test in elimination_tests(theta, hat, C, models):
        for s, a, *theta_prime in np.argwhere(test.distance > test.width).tolist():
            yield Violation(test.equation, s, a, theta_prime[0] if theta_prime else None)


def confidence_set(
    active: tuple[int, ...], hat: EmpiricalModel, C: Widths, models: ApproximateModels
) -> tuple[tuple[int, ...], dict[int, Violation]]:
    """Line 12: the active models that pass every test, and why each of the others was eliminated.

    Tests (2) and (4) run over all θ' ∈ Θ, eliminated or not (D10). Equality passes, and doubles
    are compared as they are (D26).
    """
    eliminated = {}
    for theta in active:
        first = next(violations(theta, hat, C, models), None)
        if first is not None:
            eliminated[theta] = first
    return tuple(theta for theta in active if theta not in eliminated), eliminated


def _log_of_tests(factor: int, S: int, A: int, n: int, k: int, delta: float) -> float:
    S, A, n, k = require_sizes(S=S, A=A, n=n, k=k)
    delta = require_confidence(delta, least=LEAST_CONFIDENCE)
    return float(np.log(factor * S * A * n * (k + 1) / delta))


def _countable(N: Ints) -> Floats:
    """N as a double; where no width exists, any count that is safe to divide by."""
    return np.where(N > 1, N, 2).astype(np.float64)
