"""Section 4: Theorem 2 (errors of the estimated models) and Theorem 3 (dropping unlikely tasks).

| symbol                     | code           | meaning                                         |
| -------------------------- | -------------- | ----------------------------------------------- |
| h                          | `h`            | number of tasks observed so far                 |
| m                          | `m`            | number of tasks in the whole sequence           |
| k, d = SA(S+U)             | `k`, `d`       | number of tasks, length of an observation       |
| δ                          | `delta`        | failure probability of PTUM                     |
| δ'                         | `delta_prime`  | failure probability of the learner              |
| ρ                          | `rho`          | constant in the condition of Theorem 2          |
| ρ_r, ρ_p, ρ_{σ_r}, ρ_{σ_p} | `rho_any`      | the constants of its four bounds                |
| c_{h,δ'}                   | `c_h`          | π²h²SA(S+U)/δ'                                  |
| ρ_T                        | `rho_T`        | constant of Theorem 3, which is ρ_6 of Lemma 12 |
| η                          | `eta`          | threshold of Theorem 3                          |
| T̂_h(θ,θ')                  | `T_hat[θ, θ']` | estimated probability of θ after θ'             |
| Θ̄_h                        | `theta_bar`    | indices of the tasks active when PTUM stopped   |
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy.typing as npt

from ptum.reference.arrays import Bools, Floats, above
from ptum.reference.errors import (
    LEAST_CONFIDENCE,
    require,
    require_confidence,
    require_count,
    require_sizes,
)
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.spectral_bounds import (
    frozen_transitions,
    require_constant,
    require_positive,
    require_tasks,
)


def c_h(level: Level) -> float:
    """Theorem 2: c_{h,δ'} = π² h² SA(S+U)/δ'."""
    S, A, U, h = level.S, level.A, level.U, level.h
    return math.pi**2 * h**2 * S * A * (S + U) / level.delta_prime


def theorem_2_condition(level: Level, *, rho: float) -> bool:
    """Theorem 2 speaks of h when h > ρ log(2h²SA(S+U)/δ')."""
    require_constant(rho, "rho")
    return bool(above(level.h, rho * level.log(2 * level.h**2)))


def theorem_2_bound(level: Level, *, rho_any: float) -> float:
    """Theorem 2: ρ_• √(log(c_{h,δ'})/h), where ρ_• is ρ_r, ρ_p, ρ_{σ_r} or ρ_{σ_p}."""
    require_positive(rho_any, "rho_any")
    return rho_any * math.sqrt(math.log(c_h(level)) / level.h)


def theorem_3_eta(*, k: int, m: int, delta_prime: float) -> float:
    """Theorem 3: η = δ'/(3km²)."""
    k, m = require_sizes(k=k, m=m)
    return require_confidence(delta_prime, "delta_prime") / (3 * k * m**2)


def require_theorem_3_level(*, m: int, delta: float, delta_prime: float) -> None:
    """Theorem 3 asks for δ ≤ δ'/(3m²)."""
    largest = delta_prime / (3 * require_count(m, "m") ** 2)
    problem = f"Theorem 3 for m = {m} tasks needs δ at most δ'/(3m²) = {largest}"
    require(delta <= largest, "delta", problem, value=delta)


def require_levels(delta: float, delta_prime: float) -> tuple[float, float]:
    """δ and δ'; of the latter a logarithm is taken."""
    return (
        require_confidence(delta),
        require_confidence(delta_prime, "delta_prime", LEAST_CONFIDENCE),
    )


def theorem_3_prediction(
    T_hat: npt.ArrayLike,
    theta_bar: Sequence[int],
    *,
    h: int,
    m: int,
    k: int,
    d: int,
    delta: float,
    delta_prime: float,
    rho_T: float,
) -> Floats:
    """Theorem 3, left side: Σ_{θ'∈Θ̄_h} T̂_h(θ,θ') + δk + ρ_T k √(log(9kdm²/δ')/h), for all θ.

    Lemma 15 at level δ'/(3km²) has 18kdm² where the theorem prints 9kdm².
    """
    transitions = frozen_transitions(T_hat)
    require(len(transitions) == k, "T_hat", f"must have k = {k} rows", value=len(transitions))
    ended = require_tasks(theta_bar, "theta_bar", k=k)
    h, m, k, d = require_sizes(h=h, m=m, k=k, d=d)
    delta, delta_prime = require_levels(delta, delta_prime)
    require_constant(rho_T, "rho_T")
    predicted = transitions[:, list(ended)].sum(axis=1)
    estimation_error = rho_T * k * math.sqrt(math.log(9 * k * d * m**2 / delta_prime) / h)
    prediction: Floats = predicted + delta * k + estimation_error
    return prediction


def theorem_3_eliminates(
    T_hat: npt.ArrayLike,
    theta_bar: Sequence[int],
    *,
    h: int,
    m: int,
    k: int,
    d: int,
    delta: float,
    delta_prime: float,
    rho_T: float,
) -> Bools:
    """Theorem 3: θ is dropped before task h+1 when its prediction is at most η = δ'/(3km²).

    The theorem asks for δ ≤ δ'/(3m²). For k ≥ 2, h ≤ m, T̂ ≥ 0 and the constants of Appendix D
    no prediction is ever that small.
    """
    prediction = theorem_3_prediction(
        T_hat,
        theta_bar,
        h=h,
        m=m,
        k=k,
        d=d,
        delta=delta,
        delta_prime=delta_prime,
        rho_T=rho_T,
    )
    require_theorem_3_level(m=m, delta=delta, delta_prime=delta_prime)
    eliminated: Bools = ~above(prediction, theorem_3_eta(k=k, m=m, delta_prime=delta_prime))
    return eliminated
