"""Lemmas 10 to 12 for views within a task: no condition on T, no mixing, no inverse of a moment.

| symbol       | code          | meaning                                                       |
| ------------ | ------------- | ------------------------------------------------------------- |
| B = √(2SA)   | `B`           | largest length of an observation                              |
| w_j          |               | share of the h tasks that are task j, as realised             |
| N            |               | realised frequencies of successive pairs of tasks, sum 1      |
| ν_j          |               | sum of column j of N: share of the h-1 steps that leave j     |
| M_2, M_3     |               | Σ_j w_j μ_j ⊗ μ_j and Σ_j w_j μ_j ⊗ μ_j ⊗ μ_j                 |
| λ_k(M̂_2)     | `lambda_k`    | k-th eigenvalue of the estimated M_2                          |
| ℓ            | `ell`         | floor under λ_k(M_2), to which c_1 and c_2 belong             |
| w_min, ν_min | `w_min` …     | floors under all w_j and ν_j that follow from ℓ               |
| ε_2, ε_3     | `epsilon_2` … | ‖M̂_2 - M_2‖_F, ‖M̂_3 - M_3‖_F                                 |
| Ŝ            |               | mean over l < h of o_{l+1} ⊗ o_l                              |
| ε_S          | `epsilon_S`   | ‖Ŝ - O N O^T‖_F                                               |
| e_h          | `e_h`         | bound on the column errors of Ô                               |
| ε_J          | `epsilon_J`   | bound on ‖Ĵ - N‖_F, where Ĵ = Ô^† Ŝ Ô^{†T}                    |
| c_1, c_2     | `c_1`, `c_2`  | constants of the tensor decomposition, known to exist only    |

Given the sequence of tasks, observations of a fixed number of fresh samples are independent, and
Ŝ, M̂_2, M̂_3 have expectations O N O^T, M_2, M_3 for EVERY sequence. How often each task came is
random and hidden. It is read off M̂_2: every w_j is at least λ_k(M_2)/B², which λ_k(M̂_2) shows up
to ε_2. A sequence counts only if λ_k(M̂_2) ≥ 2ℓ (D105).

Imported: for every ℓ there are c_1 ≤ ℓ and c_2, depending on k, B and ℓ, such that λ_k(M_2) ≥ ℓ and
ε_2, ε_3 ≤ c_1 give, except with a probability as small as one likes over the restarts of the power
method (D106) and up to a permutation, column errors of Ô of at most c_2(ε_2 + ε_3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ptum.reference.errors import (
    Numeric,
    largest,
    require,
    require_confidence,
    require_count,
    require_error,
    require_sizes,
)
from ptum.reference.inequalities import Bound, Inequality
from ptum.reference.sequential.analysis.spectral_bounds import (
    quotient,
    require_constant,
    require_positive,
)

__all__ = [
    "MomentDeviation",
    "TransitionErrorBound",
    "WithinTaskConstants",
    "moment_deviation",
    "w_min",
    "nu_min",
    "rho_3",
    "rho_4",
    "rho_5",
    "rho_6",
    "within_task_constants",
    "observation_error_bound",
    "joint_error_bound",
    "successor_deviation",
    "transition_error_bound",
]


SHARES = 5
"""Parts of δ': M̂_2, M̂_3 and the restarts for Ô, then Ŝ and the frequencies of successors for T̂."""


@dataclass(frozen=True, slots=True)
class MomentDeviation(Numeric):
    """Bounds on ε_2, ε_3 and ε_S, each of which fails with probability δ at most."""

    epsilon_2: float
    epsilon_3: float
    epsilon_S: float


@dataclass(frozen=True, slots=True)
class WithinTaskConstants(Numeric):
    """The constants of Theorem 2 for views within tasks, and the floors that they rest on.

    On one event of probability at least 1-δ', at all h at once and with λ_h = log(π²h²d/δ'): where
    λ_k(M̂_2) ≥ 2ℓ and h ≥ ρ_3 λ_h every w_j is at least `w_min` and column errors of Ô are at most
    ρ_4 √(λ_h/h); where also h ≥ ρ_5 λ_h every ν_j is at least `nu_min` and column errors of T̂ are
    at most ρ_6 √(λ_h/h).
    """

    w_min: float
    nu_min: float
    rho_3: float
    rho_4: float
    rho_5: float
    rho_6: float


@dataclass(frozen=True, eq=False, kw_only=True)
class TransitionErrorBound(Bound):
    """A bound on ‖T̂_j - T_j‖₂: the part that comes from Ĵ plus the part from the realised chain."""

    from_estimate: float
    from_chain: float
    epsilon_J: float


def moment_deviation(*, S: int, A: int, h: int, delta: float) -> MomentDeviation:
    """ε_2 ≤ B²(1+√log(1/δ))/√h, ε_3 ≤ B³(1+√log(1/δ))/√h, ε_S ≤ B²(√3+2√log(1/δ))/√(h-1).

    M̂_2 is a mean of h independent matrices of non-negative entries and norm at most B²: its mean
    square error is at most B⁴/h, and one task moves it by at most √2 B²/h (McDiarmid). M̂_3 alike.
    Among the h-1 products in Ŝ only neighbours are correlated, so the mean square error is at most
    3B⁴/(h-1); one observation is in two products and moves Ŝ by at most 2√2 B²/(h-1), the first
    and the last by half of that, so the squares of all moves add up to 8B⁴/(h-1) at most.
    """
    B = _largest_length(S, A)
    require_count(h, "h")
    require_confidence(delta)
    root = math.sqrt(math.log(1 / delta))
    return MomentDeviation(
        epsilon_2=B**2 * (1 + root) / math.sqrt(h),
        epsilon_3=B**3 * (1 + root) / math.sqrt(h),
        epsilon_S=quotient(B**2 * (math.sqrt(3) + 2 * root), math.sqrt(h - 1)),
    )


def w_min(*, S: int, A: int, ell: float) -> float:
    """ℓ/B²: below it no w_j lies if λ_k(M_2) ≥ ℓ.

    Among any k dimensions there is a unit vector v orthogonal to the k-1 other columns of O, and
    vᵀM_2v = w_j(μ_jᵀv)² ≤ w_jB². So λ_k(M_2) ≤ w_jB² for every j (Courant and Fischer).
    """
    return _floor(S, A, ell) / _largest_length_squared(S, A)


def nu_min(*, S: int, A: int, ell: float) -> float:
    """w_min/2: below it no ν_j lies if all w_j ≥ w_min and h ≥ 2/w_min.

    Each of the hw_j times that task j came is left, but for the last task: ν_j ≥ (hw_j-1)/(h-1).
    """
    return w_min(S=S, A=A, ell=ell) / 2


def rho_3(*, S: int, A: int, c_1: float) -> float:
    """4B⁶/c_1²: from h = ρ_3 log(6d/δ') on both moment errors at level δ'/5 are at most c_1.

    1 + √log(5/δ') ≤ 2√log(6d/δ'), because d ≥ 2 makes the last logarithm exceed 1. As c_1 ≤ ℓ, the
    error of M̂_2 is then at most ℓ, and λ_k(M̂_2) ≥ 2ℓ implies λ_k(M_2) ≥ ℓ (Weyl).
    """
    B = _largest_length(S, A)
    require_positive(c_1, "c_1")
    return quotient(4 * B**6, c_1 * c_1)


def rho_4(*, S: int, A: int, c_2: float) -> float:
    """2c_2(B²+B³), with which e_h ≤ ρ_4 √(log(6d/δ')/h): the ρ_4 of Lemma 11 for these views."""
    B = _largest_length(S, A)
    require_positive(c_2, "c_2")
    return 2 * c_2 * (B**2 + B**3)


def rho_5(*, S: int, A: int, k: int, ell: float, rho_3: float, rho_4: float) -> float:
    """max{ρ_3, 4kρ_J²/ν_min²}, ρ_J = 24B²/ℓ + 6ρ_4/√ℓ: from ρ_5 λ_h on Lemma 12 speaks of T̂.

    ρ_J √(λ_h/h) is at least ε_J: ε_S ≤ √2(√3+2)B² √(λ_h/h) for h ≥ 2, and σ_k(O)² ≥ λ_k(M_2) ≥ ℓ
    because no w_j exceeds 1. The second number makes √k ε_J ≤ ν_min/2, and with it √k e_h ≤ √ℓ/2
    and h ≥ 2/w_min.
    """
    k = require_count(k, "k")
    require_positive(rho_3, "rho_3")
    from_J = _rho_J(S=S, A=A, ell=ell, rho_4=rho_4)
    nu = nu_min(S=S, A=A, ell=ell)
    return largest(rho_3, quotient(4 * k * (from_J * from_J), nu * nu))


def rho_6(*, S: int, A: int, k: int, ell: float, rho_4: float) -> float:
    """2(1+√k)ρ_J/ν_min + 2√(2/ν_min): column errors of T̂ are at most ρ_6 √(λ_h/h).

    The second summand is the deviation of successors after at least ν_min(h-1) visits, at level
    δ'/5 for all numbers of visits together: k ≤ d makes that logarithm at most λ_h.
    """
    require_count(k, "k")
    nu, from_J = nu_min(S=S, A=A, ell=ell), _rho_J(S=S, A=A, ell=ell, rho_4=rho_4)
    return 2 * (1 + math.sqrt(k)) * from_J / nu + 2 * math.sqrt(2 / nu)


def within_task_constants(
    *, S: int, A: int, k: int, ell: float, c_1: float, c_2: float
) -> WithinTaskConstants:
    """All of them, for constants c_1 ≤ ℓ and c_2 of the tensor decomposition."""
    require(c_1 <= ell, "c_1", f"must be at most ell = {ell}", value=c_1)
    three, four = rho_3(S=S, A=A, c_1=c_1), rho_4(S=S, A=A, c_2=c_2)
    return WithinTaskConstants(
        w_min=w_min(S=S, A=A, ell=ell),
        nu_min=nu_min(S=S, A=A, ell=ell),
        rho_3=three,
        rho_4=four,
        rho_5=rho_5(S=S, A=A, k=k, ell=ell, rho_3=three, rho_4=four),
        rho_6=rho_6(S=S, A=A, k=k, ell=ell, rho_4=four),
    )


def observation_error_bound(
    *,
    c_1: float,
    c_2: float,
    ell: float,
    lambda_k: float,
    S: int,
    A: int,
    h: int,
    delta_prime: float,
) -> Bound:
    """Lemma 11: ‖[Ô]_{:,j} - [O]_{:,j}‖₂ ≤ e_h = c_2(B²+B³)(1+√log(5/δ'))/√h, up to a permutation.

    Probability at least 1-3δ'/5: a fifth for each moment, a fifth for the restarts; the other two
    are those of Lemma 12. Asked for: both moment errors are within c_1 ≤ ℓ, and λ_k(M̂_2) ≥ 2ℓ, so
    that λ_k(M_2) ≥ ℓ. Since B > 1, ε_3 decides.
    """
    require_positive(c_1, "c_1")
    require_positive(c_2, "c_2")
    _floor(S, A, ell)
    require(not math.isnan(lambda_k), "lambda_k", "must be a number", value=lambda_k)
    require_confidence(delta_prime, "delta_prime")
    deviation = moment_deviation(S=S, A=A, h=h, delta=delta_prime / SHARES)
    return Bound(
        right=c_2 * (deviation.epsilon_2 + deviation.epsilon_3),
        premises={
            "c_1 ≤ ℓ": Inequality(left=c_1, right=ell),
            "2ℓ ≤ λ_k(M̂_2)": Inequality(left=2 * ell, right=lambda_k),
            "ε_2 ≤ c_1": Inequality(left=deviation.epsilon_2, right=c_1),
            "ε_3 ≤ c_1": Inequality(left=deviation.epsilon_3, right=c_1),
        },
    )


def joint_error_bound(*, e_h: float, epsilon_S: float, sigma_k_O: float) -> float:
    """‖Ĵ - N‖_F ≤ ε_J = 4ε_S/σ_k(O)² + 6e_h/σ_k(O), if √k e_h ≤ σ_k(O)/2.

    ‖Ô^†‖ ≤ 2/σ_k(O) then, which stretches the error of Ŝ by its square, and Ô^†O = I + D with
    D = Ô^†(O - Ô), ‖D‖ ≤ 1. Column j of (O - Ô)N is at most ν_j e_h long and Σ_j ν_j = 1, so
    ‖DN‖_F ≤ 2e_h/σ_k(O), by the row sums of N the same for ND^T, and ‖DND^T‖_F ≤ ‖DN‖_F.
    """
    require_error(e_h, "e_h")
    require_error(epsilon_S, "epsilon_S")
    require_constant(sigma_k_O, "sigma_k_O")
    from_moment = quotient(4 * epsilon_S, sigma_k_O * sigma_k_O)
    return from_moment + quotient(6 * e_h, sigma_k_O)


def successor_deviation(*, visits: int, k: int, delta: float) -> float:
    """‖N_j/ν_j - T_j‖₂ ≤ (1+√log(kπ²n²/(6δ)))/√n after n steps out of task j; +inf for n = 0.

    The successors of successive visits are independent with distribution T_j: mean square distance
    at most 1/n, one of them moves the frequencies by at most √2/n (McDiarmid). Level 6δ/(kπ²n²) for
    each n and j, so that all of it holds together with probability at least 1-δ.
    """
    visits = require_count(visits, "visits", least=0)
    require_count(k, "k")
    require_confidence(delta)
    if visits == 0:
        return math.inf
    log_term = math.log(k * math.pi**2 * visits**2 / (6 * delta))
    return (1 + math.sqrt(log_term)) / math.sqrt(visits)


def transition_error_bound(
    *,
    e_h: float,
    epsilon_S: float,
    sigma_k_O: float,
    k: int,
    h: int,
    visits: int,
    delta: float,
) -> TransitionErrorBound:
    """Lemma 12: ‖T̂_j - T_j‖₂ ≤ 2(1+√k) ε_J/ν_j + `successor_deviation`, T̂_j = Ĵ_j/(1^T Ĵ_j).

    `visits` of the h-1 steps leave task j, so ν_j = visits/(h-1). If √k ε_J ≤ ν_j/2, then the sum
    of Ĵ_j is within √k ε_J of ν_j and at least ν_j/2, which gives the first summand as a bound on
    the distance to N_j/ν_j without any probability; the second has probability at least 1-δ.
    """
    require_count(h, "h")
    require(0 <= visits < h, "visits", f"must lie in [0, h-1] = [0, {h - 1}]", value=visits)
    epsilon_J = joint_error_bound(e_h=e_h, epsilon_S=epsilon_S, sigma_k_O=sigma_k_O)
    nu = quotient(visits, h - 1) if visits else 0.0
    root = math.sqrt(k)
    from_estimate = quotient(2 * (1 + root) * epsilon_J, nu)
    from_chain = successor_deviation(visits=visits, k=k, delta=delta)
    return TransitionErrorBound(
        right=from_estimate + from_chain,
        premises={
            "√k e_h ≤ σ_k(O)/2": Inequality(left=root * e_h, right=sigma_k_O / 2),
            "√k ε_J ≤ ν_j/2": Inequality(left=root * epsilon_J, right=nu / 2),
            "a step leaves task j": Inequality(left=1, right=visits),
        },
        from_estimate=from_estimate,
        from_chain=from_chain,
        epsilon_J=epsilon_J,
    )


def _rho_J(*, S: int, A: int, ell: float, rho_4: float) -> float:
    """24B²/ℓ + 6ρ_4/√ℓ: ε_J ≤ ρ_J √(λ_h/h)."""
    require_positive(rho_4, "rho_4")
    return 24 * _largest_length_squared(S, A) / _floor(S, A, ell) + 6 * rho_4 / math.sqrt(ell)


def _floor(S: int, A: int, ell: float) -> float:
    """0 < ℓ ≤ B²: no eigenvalue of M_2, a mean of μ ⊗ μ, is larger."""
    most = _largest_length_squared(S, A)
    require(0 < ell <= most, "ell", f"must lie in (0, 2SA] = (0, {most:g}]", value=ell)
    return ell


def _largest_length(S: int, A: int) -> float:
    """B = √(2SA)."""
    return math.sqrt(_largest_length_squared(S, A))


def _largest_length_squared(S: int, A: int) -> int:
    """B² = 2SA."""
    S, A = require_sizes(S=S, A=A)
    return 2 * S * A
