"""Appendix D: what the paper says about the errors of the spectral estimates Ô, T̂ and M̃_θ.

Every function is one displayed bound, exactly as printed; which of them are wrong is written in
`ptum.reference.repaired.sequential.analysis.spectral_bounds`, next to what replaces them.

| symbol          | code                    | meaning                                            |
| --------------- | ----------------------- | -------------------------------------------------- |
| S, A, U, k      | `S`, `A`, `U`, `k`      | numbers of states, actions, reward values, tasks   |
| h               | `h`                     | number of tasks observed so far                    |
| δ, δ'           | `delta`, `delta_prime`  | failure probabilities of PTUM and of the learner   |
| γ               | `gamma`                 | discount factor                                    |
| λ_max(Σ_{2,1})  | `lambda_max_Sigma_21`   | largest singular value of E[o_2 ⊗ o_1]             |
| λ_min(Σ_{3,1})  | `lambda_min_Sigma_31`   | smallest singular value of E[o_3 ⊗ o_1]            |
| λ_k(O), σ_k(O)  | `sigma_k_O`             | k-th singular value of O; the paper uses both names |
| ρ_1, ρ_2        | `rho_1`, `rho_2`        | constants of Lemma 10, known to exist only         |
| ρ_3 … ρ_6       | `rho_3` … `rho_6`       | constants of Lemmas 11 and 12                      |
| ρ_T             | `rho_T`                 | constant of Lemma 15, which is ρ_6 of Lemma 12     |
| σ̄               | `sigma_bar`             | floor of the standard deviations (σ̲ in Assumption 5) |
| T̂(θ,θ')         | `T_hat[θ, θ']`          | estimated probability of θ after θ'                |
| Θ̄_h             | `theta_bar`             | indices of the tasks that the current one may be   |

Σ_{3,1} is a d × d matrix of rank at most k. Read to the letter, its smallest singular value is 0
as soon as d > k, and then ρ_3 and ρ_4 are infinite (erratum E29). The functions take the number as
it is given and answer `inf` for 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, frozen, require_distributions
from ptum.reference.errors import (
    is_integer,
    largest,
    require,
    require_all,
    require_confidence,
    require_discount,
    require_real,
    require_sequence,
    require_sizes,
)
from ptum.reference.inequalities import Bound, Inequality
from ptum.reference.sequential.analysis.level import ENOUGH_TASKS, Level, enough_tasks


def mu_error_bound(level: Level, *, rho_1: float, rho_2: float) -> Bound:
    """Lemma 10: ‖μ̂_{3,j} - μ_{3,j}‖₂ ≤ ρ_2 √(log(2SA(S+U)/δ')/h) once h > ρ_1 log(2SA(S+U)/δ')."""
    require_constant(rho_1, "rho_1")
    require_constant(rho_2, "rho_2")
    premise = Inequality(left=level.h, sign=">", right=rho_1 * level.log(2))
    bound = rho_2 * math.sqrt(level.log(2) / level.h)
    return Bound(right=bound, premises={ENOUGH_TASKS: premise})


def moment_error_bound(*, h: int, delta_prime: float) -> float:
    """Equation 8: ‖Σ_{2,1} - Σ̂_{2,1}‖₂ ≤ √(log(1/δ')/h), and the same for Σ_{3,1}."""
    require_sizes(h=h)
    require_confidence(delta_prime, "delta_prime")
    return math.sqrt(math.log(1 / delta_prime) / h)


def rho_3(*, rho_1: float, lambda_max_Sigma_21: float, lambda_min_Sigma_31: float) -> float:
    """Lemma 11: ρ_3 = max{ρ_1, 1/λ_max(Σ_{2,1})², 4/λ_min(Σ_{3,1})²}."""
    require_constant(rho_1, "rho_1")
    require_constant(lambda_max_Sigma_21, "lambda_max_Sigma_21")
    require_constant(lambda_min_Sigma_31, "lambda_min_Sigma_31")
    from_Sigma_21 = quotient(1, lambda_max_Sigma_21 * lambda_max_Sigma_21)
    from_Sigma_31 = quotient(4, lambda_min_Sigma_31 * lambda_min_Sigma_31)
    return largest(rho_1, from_Sigma_21, from_Sigma_31)


def rho_4(
    *, rho_2: float, S: int, A: int, lambda_max_Sigma_21: float, lambda_min_Sigma_31: float
) -> float:
    """Lemma 11: ρ_4 = (4 λ_max(Σ_{2,1}) ρ_2 + 4SA + 8SA λ_max(Σ_{2,1})) / λ_min(Σ_{3,1})."""
    require_constant(rho_2, "rho_2")
    S, A = require_sizes(S=S, A=A)
    require_constant(lambda_max_Sigma_21, "lambda_max_Sigma_21")
    require_constant(lambda_min_Sigma_31, "lambda_min_Sigma_31")
    from_mu = 4 * lambda_max_Sigma_21 * rho_2
    from_Sigma_21 = 4 * S * A
    from_Sigma_31 = 8 * S * A * lambda_max_Sigma_21
    return quotient(from_mu + from_Sigma_21 + from_Sigma_31, lambda_min_Sigma_31)


def observation_error_bound(level: Level, *, rho_3: float, rho_4: float) -> Bound:
    """Lemma 11: ‖[O]_{:,j} - [Ô]_{:,j}‖₂ ≤ ρ_4 √(log(6SA(S+U)/δ')/h) once h ≥ ρ_3 log(6SA(S+U)/δ').

    The statement leaves out that the columns of Ô come in an unknown order.
    """
    return scaled_rate(level, constant=rho_4, threshold=rho_3)


def rho_5(*, rho_3: float, rho_4: float, k: int, sigma_k_O: float) -> float:
    """Lemma 12: ρ_5 = max{ρ_3, 4k ρ_4² / λ_k(O)²}."""
    require_positive(rho_3, "rho_3")
    require_positive(rho_4, "rho_4")
    (k,) = require_sizes(k=k)
    require_constant(sigma_k_O, "sigma_k_O")
    return largest(rho_3, quotient(4 * k * rho_4 * rho_4, sigma_k_O * sigma_k_O))


def rho_6(*, rho_4: float, S: int, A: int, k: int, sigma_k_O: float) -> float:
    """Lemma 12: ρ_6 = 8SA √k (1+√5)/λ_k(O)² ρ_4."""
    require_positive(rho_4, "rho_4")
    S, A, k = require_sizes(S=S, A=A, k=k)
    require_constant(sigma_k_O, "sigma_k_O")
    return 8 * S * A * math.sqrt(k) * quotient(1 + math.sqrt(5), sigma_k_O * sigma_k_O) * rho_4


def transition_error_bound(level: Level, *, rho_5: float, rho_6: float) -> Bound:
    """Lemma 12: ‖[T]_{:,j} - [T̂]_{:,j}‖₂ ≤ ρ_6 √(log(6SA(S+U)/δ')/h) once h ≥ ρ_5 log(6SA(S+U)/δ').

    The statement leaves out that the rows and the columns of T̂ come in an unknown order.
    """
    return scaled_rate(level, constant=rho_6, threshold=rho_5)


def std_difference_bound(
    *, p: npt.ArrayLike, q: npt.ArrayLike, f: npt.ArrayLike, b: float, c: float
) -> Inequality:
    """Lemma 13: |√Var_p[f] - √Var_q[f]| ≤ b (b/(2√c) + 1) ‖p-q‖₁ if both variances are ≥ c > 0.

    "Larger than c" is read as "at least c", which the proof allows.
    """
    l1_distance, variance_p, variance_q = compare_distributions(p=p, q=q, f=f, b=b, c=c)
    return Inequality(
        left=abs(math.sqrt(variance_p) - math.sqrt(variance_q)),
        right=b * (b / (2 * math.sqrt(c)) + 1) * l1_distance,
        premises={
            "Var_p[f] ≥ c": Inequality(left=variance_p, sign="≥", right=c),
            "Var_q[f] ≥ c": Inequality(left=variance_q, sign="≥", right=c),
        },
    )


def reward_error_bound(level: Level, *, rho_4: float) -> float:
    """Lemma 14: |r_θ(s,a) - r̃_θ(s,a)| ≤ ρ_4 U √(log(6SA(S+U)/δ')/h)."""
    require_positive(rho_4, "rho_4")
    return rho_4 * level.U * rate(level)


def value_error_bound(level: Level, *, rho_4: float, gamma: float) -> float:
    """Lemma 14: |(p_θ(s,a) - p̃_θ(s,a))ᵀ Ṽ*_θ'| ≤ ρ_4 S/(1-γ) √(log(6SA(S+U)/δ')/h)."""
    require_positive(rho_4, "rho_4")
    require_discount(gamma)
    return rho_4 * level.S / (1 - gamma) * rate(level)


def reward_std_error_bound(level: Level, *, rho_4: float, sigma_bar: float) -> float:
    """Lemma 14: |σ^r_θ(s,a) - σ̃^r_θ(s,a)| ≤ (1/(2σ̄) + 1) ρ_4 U √(log(6SA(S+U)/δ')/h)."""
    require_floor(sigma_bar)
    factor = 1 / (2 * sigma_bar) + 1
    return factor * reward_error_bound(level, rho_4=rho_4)


def value_std_error_bound(level: Level, *, rho_4: float, gamma: float, sigma_bar: float) -> float:
    """Lemma 14: |σ^p_θ(s,a;θ') - σ̃^p_θ(s,a;θ')| ≤ (1/(2σ̄(1-γ)) + 1) × the bound on the values.

    The left side is printed as σ^r_θ(s,a; Ṽ*_θ'): both standard deviations are of Ṽ*_θ' (D89).
    """
    require_floor(sigma_bar)
    require_discount(gamma)
    factor = 1 / (2 * sigma_bar * (1 - gamma)) + 1
    return factor * value_error_bound(level, rho_4=rho_4, gamma=gamma)


def next_task_bound(
    T_hat: npt.ArrayLike,
    theta_bar: Sequence[int],
    level: Level,
    *,
    rho_T: float,
    delta: float,
) -> Floats:
    """Lemma 15: P(θ*_{h+1}=θ) ≤ Σ_{θ'∈Θ̄_h} T̂(θ,θ') + δk + ρ_T k √(log(6SA(S+U)/δ')/h), per θ."""
    transitions = frozen_transitions(T_hat)
    require_tasks(theta_bar, "theta_bar", k=len(transitions))
    require_constant(rho_T, "rho_T")
    require(0 <= delta < 1, "delta", "a failure probability must lie in [0, 1)", value=delta)
    k = len(transitions)
    predicted = transitions[:, list(theta_bar)].sum(axis=1)
    estimation_error = rho_T * k * rate(level)
    bound: Floats = predicted + delta * k + estimation_error
    return bound


# What the lemmas share, printed and repaired alike.


def rate(level: Level) -> float:
    """√(log(6SA(S+U)/δ')/h), the factor common to Lemmas 11, 12, 14 and 15."""
    return math.sqrt(level.log(6) / level.h)


def scaled_rate(level: Level, *, constant: float, threshold: float) -> Bound:
    """constant × √(log(6SA(S+U)/δ')/h), claimed for h ≥ threshold × log(6SA(S+U)/δ')."""
    require_positive(constant, "the constant of the bound")
    require_positive(threshold, "the constant of the premise")
    premises = enough_tasks(level.h, threshold * level.log(6))
    return Bound(right=constant * rate(level), premises=premises)


def compare_distributions(
    *, p: npt.ArrayLike, q: npt.ArrayLike, f: npt.ArrayLike, b: float, c: float
) -> tuple[float, float, float]:
    """‖p-q‖₁, Var_p[f] and Var_q[f], after checking that f maps to [0, b]."""
    distributions = {"p": frozen(p, "p", 1), "q": frozen(q, "q", 1)}
    values = frozen(f, "f", 1)
    for argument, rows in distributions.items():
        require(rows.shape == values.shape, argument, f"must have {values.size} entries as f has")
        require_distributions(rows, argument)
    require(0 < b < math.inf, "b", "the range of f must be positive and finite", value=b)
    require(0 < c < math.inf, "c", "the floor of the variances must be positive", value=c)
    require_all((values >= 0) & (values <= b), values, "f", f"must lie in [0, {b}]")
    first, second = distributions.values()
    variances = [float(x @ (values - x @ values) ** 2) for x in (first, second)]
    return float(np.sum(np.abs(first - second))), variances[0], variances[1]


def quotient(numerator: float, denominator: float) -> float:
    """numerator/denominator; a zero denominator makes the bound infinite, whatever stands above."""
    return math.inf if denominator == 0 else numerator / denominator


def frozen_transitions(T_hat: npt.ArrayLike) -> Floats:
    """T̂ as a read-only square array; entry [θ, θ'] belongs to the step from θ' to θ."""
    transitions = frozen(T_hat, "T_hat", 2)
    rows, columns = transitions.shape
    require(rows == columns >= 1, "T_hat", "must be square", value=f"shape {transitions.shape}")
    return transitions


def require_tasks(tasks: Sequence[int], argument: str, *, k: int) -> tuple[int, ...]:
    """Different indices of tasks, each below k."""
    found = require_sequence(tasks, argument, "tasks")
    for place, theta in enumerate(found):
        good = is_integer(theta) and 0 <= theta < k
        require(good, argument, f"a task below {k}", index=(place,), value=theta)
    require(len(set(found)) == len(found), argument, "names a task twice", value=found)
    return tuple(map(int, found))


def require_constant(number: float, argument: str) -> float:
    """A finite number that is at least 0, such as a singular value or a constant that exists."""
    problem = "must be finite and at least 0"
    return require_real(number, lambda x: 0 <= x < math.inf, argument, problem)


def require_positive(number: float, argument: str) -> float:
    """A positive number; +inf says that the bound is empty."""
    return require_real(number, lambda x: x > 0, argument, "must be positive")


def require_floor(sigma_bar: float) -> float:
    """σ̄ > 0, a floor under standard deviations, not variances (Assumption 5, D85)."""
    problem = "the floor of the standard deviations must be positive and finite"
    return require_real(sigma_bar, lambda x: 0 < x < math.inf, "sigma_bar", problem)
