"""Lemmas 10 to 12 for views within a task: no condition on T, no mixing, no inverse of a moment.

| symbol       | code          | meaning                                                       |
| ------------ | ------------- | ------------------------------------------------------------- |
| B = √(2SA)   | `B`           | largest length of an observation                              |
| w_j          |               | share of the h tasks that are task j, as realised             |
| N            |               | realised frequencies of successive pairs of tasks, sum 1      |
| ν_j          |               | sum of column j of N: share of the h-1 steps that leave j     |
| M_2, M_3     |               | Σ_j w_j μ_j ⊗ μ_j and Σ_j w_j μ_j ⊗ μ_j ⊗ μ_j                 |
| ε_2, ε_3     | `epsilon_2` … | ‖M̂_2 - M_2‖_F, ‖M̂_3 - M_3‖_F                                 |
| Ŝ            |               | mean over l < h of o_{l+1} ⊗ o_l                              |
| ε_S          | `epsilon_S`   | ‖Ŝ - O N O^T‖_F                                               |
| e_h          | `e_h`         | bound on the column errors of Ô                               |
| ε_J          | `epsilon_J`   | bound on ‖Ĵ - N‖_F, where Ĵ = Ô^† Ŝ Ô^{†T}                    |
| c_1, c_2     | `c_1`, `c_2`  | constants of the tensor decomposition, known to exist only    |

Given the sequence of tasks, observations of a fixed number of fresh samples are independent, and
Ŝ, M̂_2, M̂_3 have expectations O N O^T, M_2, M_3 for EVERY sequence. Asked for: rank O = k.

Imported: there are c_1, c_2, depending on k, B, σ_k(O) and a floor w_min under all w_j, such that
ε_2, ε_3 ≤ c_1 gives, except with a chance as small as one likes over the restarts of the power
method and up to a permutation, column errors of Ô of at most c_2(ε_2 + ε_3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ptum.reference.errors import require, require_confidence, require_count, require_error
from ptum.reference.spectral_bounds import quotient, require_constant, require_positive

__all__ = [
    "Condition",
    "MomentDeviation",
    "ObservationErrorBound",
    "TransitionErrorBound",
    "moment_deviation",
    "rho_3",
    "rho_4",
    "observation_error_bound",
    "joint_error_bound",
    "successor_deviation",
    "transition_error_bound",
]


@dataclass(frozen=True, slots=True)
class Condition:
    """A premise `says`: left ≤ right."""

    says: str
    left: float
    right: float

    @property
    def met(self) -> bool:
        """Whether the premise holds."""
        return self.left <= self.right


@dataclass(frozen=True, slots=True)
class MomentDeviation:
    """Bounds on ε_2, ε_3 and ε_S, each of which fails with probability δ at most."""

    epsilon_2: float
    epsilon_3: float
    epsilon_S: float


@dataclass(frozen=True, slots=True)
class ObservationErrorBound:
    """e_h, and what has to hold for it to bound the column errors of Ô."""

    bound: float
    required_h: float
    conditions: tuple[Condition, ...]

    @property
    def premise_met(self) -> bool:
        """Whether all premises hold."""
        return all(condition.met for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class TransitionErrorBound:
    """A bound on ‖T̂_j - T_j‖₂: the part that comes from Ĵ, the part from the realised chain."""

    from_estimate: float
    from_chain: float
    epsilon_J: float
    conditions: tuple[Condition, ...]

    @property
    def bound(self) -> float:
        """The sum of both parts."""
        return self.from_estimate + self.from_chain

    @property
    def premise_met(self) -> bool:
        """Whether all premises hold."""
        return all(condition.met for condition in self.conditions)


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


def rho_3(*, S: int, A: int, c_1: float) -> float:
    """4B⁶/c_1²: from h = ρ_3 log(6d/δ') on both moment errors at level δ'/3 are at most c_1.

    1 + √log(3/δ') ≤ 2√log(6d/δ'), because d ≥ 2 makes the last logarithm exceed 1.
    """
    B = _largest_length(S, A)
    require_positive(c_1, "c_1")
    return 4 * B**6 / c_1**2


def rho_4(*, S: int, A: int, c_2: float) -> float:
    """2c_2(B²+B³), with which e_h ≤ ρ_4 √(log(6d/δ')/h): the ρ_4 of Lemma 11 for these views."""
    B = _largest_length(S, A)
    require_positive(c_2, "c_2")
    return 2 * c_2 * (B**2 + B**3)


def observation_error_bound(
    *,
    c_1: float,
    c_2: float,
    w_min: float,
    smallest_weight: float,
    S: int,
    A: int,
    h: int,
    delta_prime: float,
) -> ObservationErrorBound:
    """Lemma 11: ‖[Ô]_{:,j} - [O]_{:,j}‖₂ ≤ e_h = c_2(B²+B³)(1+√log(3/δ'))/√h, up to a permutation.

    Probability at least 1-δ': a third for each moment, a third for the restarts. Asked for: the
    realised weights are at least the w_min that c_1 and c_2 belong to, and both moment errors are
    within c_1. Since B > 1, ε_3 decides, and `required_h` is the h from which on it is.
    """
    require_positive(c_1, "c_1")
    require_positive(c_2, "c_2")
    require(0 < w_min <= 1, "w_min", "must lie in (0, 1]", value=w_min)
    good = 0 <= smallest_weight <= 1
    require(good, "smallest_weight", "must lie in [0, 1]", value=smallest_weight)
    require_confidence(delta_prime, "delta_prime")
    deviation = moment_deviation(S=S, A=A, h=h, delta=delta_prime / 3)
    conditions = (
        Condition("w_min ≤ every w_j", w_min, smallest_weight),
        Condition("ε_2 ≤ c_1", deviation.epsilon_2, c_1),
        Condition("ε_3 ≤ c_1", deviation.epsilon_3, c_1),
    )
    at_one_task = moment_deviation(S=S, A=A, h=1, delta=delta_prime / 3).epsilon_3
    bound = c_2 * (deviation.epsilon_2 + deviation.epsilon_3)
    return ObservationErrorBound(bound, (at_one_task / c_1) ** 2, conditions)


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

    The successors of successive visits are independent with law T_j: mean square distance at most
    1/n, one of them moves the frequencies by at most √2/n (McDiarmid). Level 6δ/(kπ²n²) for each n
    and j, so that all of it holds together with probability at least 1-δ.
    """
    require(visits >= 0, "visits", "must be at least 0", value=visits)
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
    conditions = (
        Condition("√k e_h ≤ σ_k(O)/2", root * e_h, sigma_k_O / 2),
        Condition("√k ε_J ≤ ν_j/2", root * epsilon_J, nu / 2),
        Condition("a step leaves task j", 1, visits),
    )
    return TransitionErrorBound(
        from_estimate=quotient(2 * (1 + root) * epsilon_J, nu),
        from_chain=successor_deviation(visits=visits, k=k, delta=delta),
        epsilon_J=epsilon_J,
        conditions=conditions,
    )


def _largest_length(S: int, A: int) -> float:
    """B = √(2SA)."""
    require_count(S, "S")
    require_count(A, "A")
    return math.sqrt(2 * S * A)
