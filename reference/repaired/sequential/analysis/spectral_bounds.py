"""Appendix D with the constants that its own argument needs, where the printed ones fail.

What is not listed here is as printed and is re-exported, so that the repaired chain can be read
from this module alone. All of it is for pseudo-inverses truncated to rank k, for observations of
a fixed number of fresh samples per pair, and for one relabelling of the tasks per estimate.

| symbol          | code                   | meaning                                              |
| --------------- | ---------------------- | ---------------------------------------------------- |
| B = √(2SA)      | `B`                    | largest length of an observation: 2SA blocks, each a  |
|                 |                        | probability vector of length at most 1               |
| κ(M)            |                        | largest total-variation distance of two columns of M |
| g               | `g_mix`                | Σ_{s≥1} κ(T^{3s-2}); 0 for independent triples       |
| ⌊h/3⌋           | `triples`              | number of disjoint triples of tasks                  |
| C_Σ             | `C_S`                  | both moment errors are at most C_Σ √(log(6d/δ')/h)   |
| σ_k(Σ_{3,1})    | `sigma_k_Sigma_31`     | k-th singular value of E[o_3 ⊗ o_1]                  |
| ω_min           | `omega_min`            | least weight of a task in the stationary distribution |
| e_h             | `e_h`                  | bound on ‖[Ô]_{:,j} - [O]_{:,j}‖₂, from Lemma 11     |
| e^T_h           | `e_T`                  | bound on ‖[T̂]_{:,j} - [T]_{:,j}‖₂, from Lemma 12     |
| E_h             | `eliminated`           | tasks not offered to PTUM at step h+1                |
| σ̄               | `sigma_bar`            | floor under standard deviations of the TRUE models   |
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy.typing as npt

from ptum.reference.errors import (
    largest,
    require,
    require_confidence,
    require_discount,
    require_error,
    require_sizes,
)
from ptum.reference.inequalities import Bound, Inequality
from ptum.reference.sequential.analysis.level import enough_tasks
from ptum.reference.sequential.analysis.spectral_bounds import (
    compare_distributions,
    frozen_transitions,
    mu_error_bound,
    observation_error_bound,
    quotient,
    require_constant,
    require_floor,
    require_positive,
    require_tasks,
    rho_5,
    transition_error_bound,
)
from ptum.reference.transfer.assumptions import ModelErrors

__all__ = [
    "mu_error_bound",
    "moment_error_bound",
    "moment_constant",
    "sigma_k_floor",
    "rho_3",
    "rho_4",
    "observation_error_bound",
    "rho_5",
    "rho_6",
    "transition_error_bound",
    "std_difference_bound",
    "reward_error_bound",
    "value_error_bound",
    "reward_std_error_bound",
    "value_std_error_bound",
    "model_errors_at",
    "next_task_bound",
]


DRIFT = "‖V* - Ṽ*‖_∞ ≤ σ̄"


def moment_error_bound(*, S: int, A: int, h: int, delta_prime: float, g_mix: float) -> float:
    """Equation 8: ‖Σ̂ - Σ‖₂ ≤ 2SA/√⌊h/3⌋ (√(1+4g) + (1+g) √log(1/δ')), for Σ_{2,1} or Σ_{3,1}.

    An outer product of two observations has Frobenius norm at most B² = 2SA. First summand: the
    mean square error, with the covariance of triples at lag s at most 2B⁴ κ(T^{3s-2}). Second
    summand: bounded martingale differences, a triple moving later ones through the coupling of
    two copies of the chain. The printed bound knows neither the size of an observation nor g (E30).
    """
    S, A = require_sizes(S=S, A=A)
    require(h >= 3, "h", "three tasks make the first triple", value=h)
    require_confidence(delta_prime, "delta_prime")
    require_mixing(g_mix)
    triples = h // 3
    mean_error = math.sqrt(1 + 4 * g_mix)
    deviation = (1 + g_mix) * math.sqrt(math.log(1 / delta_prime))
    return 2 * S * A / math.sqrt(triples) * (mean_error + deviation)


def moment_constant(*, S: int, A: int, g_mix: float) -> float:
    """C_Σ = 2√5 SA (√(1+4g) + 1 + g), with which Equation 8 reads C_Σ √(log(6SA(S+U)/δ')/h).

    For h ≥ 3 there are at least h/5 triples, log(3/δ') is below log(6SA(S+U)/δ'), and the latter
    is above 1; both moments together fail with probability at most 2δ'/3.
    """
    S, A = require_sizes(S=S, A=A)
    require_mixing(g_mix)
    return 2 * math.sqrt(5) * S * A * (math.sqrt(1 + 4 * g_mix) + 1 + g_mix)


def sigma_k_floor(
    *, sigma_k_O: float, sigma_k_T: float, omega_min: float, g_mix: float, h: int
) -> Bound:
    """σ_k(Σ_{3,1}) ≥ σ_k(O)² σ_k(T)² ω_min/2 for h ≥ 10(1+g)/ω_min, from any start.

    The distribution π̄_h of the first view, averaged over m disjoint triples, is within (1+g)/m of
    ω in total variation, since κ(T^{3l}) ≤ κ(T^{3l-2}); with m ≥ h/5 that is at most ω_min/2, so
    that every task has weight at least ω_min/2 in Σ_{3,1} = O T² diag(π̄_h) O^T.
    """
    require_constant(sigma_k_O, "sigma_k_O")
    require_constant(sigma_k_T, "sigma_k_T")
    require(0 <= omega_min <= 1, "omega_min", "a probability", value=omega_min)
    require(g_mix >= 0, "g_mix", "must be at least 0; +inf if the chain has a period", value=g_mix)
    require_sizes(h=h)
    floor = (sigma_k_O * sigma_k_T) ** 2 * omega_min / 2
    required_h = quotient(10 * (1 + g_mix), omega_min)
    return Bound(sign="≥", right=floor, premises=enough_tasks(h, required_h))


def rho_3(
    *, rho_1: float, C_S: float, lambda_max_Sigma_21: float, sigma_k_Sigma_31: float
) -> float:
    """Lemma 11: ρ_3 = max{ρ_1, C_Σ²/λ_max(Σ_{2,1})², 4C_Σ²/σ_k(Σ_{3,1})²}.

    From there on ‖Σ̂_{2,1}‖ ≤ 2λ_max(Σ_{2,1}) and ‖Σ̂_{3,1} - Σ_{3,1}‖ ≤ σ_k(Σ_{3,1})/2 (E29, E30).
    """
    require_constant(rho_1, "rho_1")
    require_moments(C_S, lambda_max_Sigma_21, sigma_k_Sigma_31)
    from_Sigma_21 = quotient(C_S * C_S, lambda_max_Sigma_21 * lambda_max_Sigma_21)
    from_Sigma_31 = quotient(4 * C_S * C_S, sigma_k_Sigma_31 * sigma_k_Sigma_31)
    return largest(rho_1, from_Sigma_21, from_Sigma_31)


def rho_4(
    *,
    rho_2: float,
    S: int,
    A: int,
    C_S: float,
    lambda_max_Sigma_21: float,
    sigma_k_Sigma_31: float,
) -> float:
    """Lemma 11: ρ_4 = 4λρ_2/σ + BC_Σ/σ + 8λBC_Σ/σ², λ = λ_max(Σ_{2,1}), σ = σ_k(Σ_{3,1}).

    The last summand is where the paper loses a factor 1/σ: the third view μ lies in the range of
    Σ_{3,1}, and there ‖[Σ̂_{3,1}]_k^† μ - Σ_{3,1}^† μ‖ ≤ 4ε‖μ‖/σ² for an error ε ≤ σ/2, not 2ε/σ
    (E31). ‖Σ̂_{2,1}‖ ≤ 2λ and ‖μ‖ ≤ B = √(2SA) do the rest.
    """
    require_constant(rho_2, "rho_2")
    S, A = require_sizes(S=S, A=A)
    require_moments(C_S, lambda_max_Sigma_21, sigma_k_Sigma_31)
    B = math.sqrt(2 * S * A)
    from_mu = quotient(4 * lambda_max_Sigma_21 * rho_2, sigma_k_Sigma_31)
    from_Sigma_21 = quotient(B * C_S, sigma_k_Sigma_31)
    inverse_change = 8 * lambda_max_Sigma_21 * B * C_S
    from_Sigma_31 = quotient(inverse_change, sigma_k_Sigma_31 * sigma_k_Sigma_31)
    return from_mu + from_Sigma_21 + from_Sigma_31


def rho_6(*, rho_2: float, rho_4: float, sigma_k_O: float) -> float:
    """Lemma 12: ρ_6 = 2(ρ_2 + ρ_4)/σ_k(O).

    Ô^†Ô = I gives T̂_j - T_j = Ô^†(μ̂_{3,j} - μ_{3,j}) + Ô^†(O - Ô)T_j, with ‖Ô^†‖ ≤ 2/σ_k(O). T_j
    is a distribution, so (O - Ô)T_j is an average of column errors; no perturbation bound for Ô^†
    is needed and neither √k nor ‖μ_{3,j}‖₂ enters. The paper's constant is larger and right (E32).
    """
    require_constant(rho_2, "rho_2")
    require_positive(rho_4, "rho_4")
    require_constant(sigma_k_O, "sigma_k_O")
    return quotient(2 * (rho_2 + rho_4), sigma_k_O)


def std_difference_bound(
    *, p: npt.ArrayLike, q: npt.ArrayLike, f: npt.ArrayLike, b: float, c: float
) -> Inequality:
    """Lemma 13: |√Var_p[f] - √Var_q[f]| ≤ b²/(2√c) ‖p-q‖₁ if ONE of the variances is ≥ c > 0.

    Var_p - Var_q ≤ Σ (p-q)(f-μ_q)² ≤ (b²/2) ‖p-q‖₁, because μ_p is the best centre for p and p-q
    sums to zero; and |√x - √y| = |x-y|/(√x+√y) ≤ |x-y|/√c when x or y is at least c (E33).
    """
    l1_distance, variance_p, variance_q = compare_distributions(p=p, q=q, f=f, b=b, c=c)
    larger = Inequality(left=largest(variance_p, variance_q), sign="≥", right=c)
    return Inequality(
        left=abs(math.sqrt(variance_p) - math.sqrt(variance_q)),
        right=b * b / (2 * math.sqrt(c)) * l1_distance,
        premises={"Var_p[f] ≥ c or Var_q[f] ≥ c": larger},
    )


def reward_error_bound(*, U: int, e_h: float) -> float:
    """Lemma 14: |r_θ(s,a) - r̃_θ(s,a)| ≤ √U e_h/2, for estimates projected on the simplex.

    ‖q - q̃‖₁ ≤ √U e_h, and two distributions pair with rewards in [0, 1] to at most half of that.
    """
    require_sizes(U=U)
    require_error(e_h, "e_h")
    return math.sqrt(U) * e_h / 2


def value_error_bound(*, S: int, gamma: float, e_h: float) -> float:
    """Lemma 14: |(p_θ(s,a) - p̃_θ(s,a))ᵀ Ṽ*_θ'| ≤ √S e_h/(2(1-γ)), after the projection."""
    require_sizes(S=S)
    require_discount(gamma)
    require_error(e_h, "e_h")
    return math.sqrt(S) * e_h / (2 * (1 - gamma))


def reward_std_error_bound(*, U: int, sigma_bar: float, e_h: float) -> float:
    """Lemma 14: |σ^r_θ(s,a) - σ̃^r_θ(s,a)| ≤ √U e_h/(2σ̄) if σ^r_θ(s,a) ≥ σ̄ in the true model."""
    require_floor(sigma_bar)
    return reward_error_bound(U=U, e_h=e_h) / sigma_bar


def value_std_error_bound(*, S: int, U: int, gamma: float, sigma_bar: float, e_h: float) -> Bound:
    """Lemma 14: |Std_{p_θ}[Ṽ*_θ'] - Std_{p̃_θ}[Ṽ*_θ']| ≤ √S e_h/(2σ̄(1-γ)²).

    Asked of the true models: σ^p_θ(s,a;θ') ≥ 2σ̄. A standard deviation changes by at most
    ‖V* - Ṽ*‖_∞ when the value changes, so the floor σ̄ survives for Ṽ* while that drift is at most
    σ̄.
    """
    require_floor(sigma_bar)
    bound = value_error_bound(S=S, gamma=gamma, e_h=e_h) / (sigma_bar * (1 - gamma))
    r, p = reward_error_bound(U=U, e_h=1), value_error_bound(S=S, gamma=gamma, e_h=1)
    drift = (r + gamma * p) / (1 - gamma) * e_h  # e_h last: it may be infinite where γ is 0
    return Bound(right=bound, premises={DRIFT: Inequality(left=drift, right=sigma_bar)})


def model_errors_at(
    e_h: float, *, S: int, U: int, gamma: float, sigma_bar: float | None
) -> ModelErrors:
    """Lemma 14 repaired: the four model errors when every column of Ô is within e_h of O.

    With a floor σ̄ the standard deviations follow Lemma 14; without one |√x - √y| ≤ √|x-y| and
    |Var_p[f] - Var_q[f]| ≤ (b²/2)‖p-q‖₁ give √(√U e_h/2) and √(√S e_h/2)/(1-γ) (D97). The bound
    on (p - p̃)ᵀV is for every V in [0, 1/(1-γ)], so it covers transferred policies as well (E02).
    """
    require_error(e_h, "e_h")
    r = reward_error_bound(U=U, e_h=e_h)
    p = value_error_bound(S=S, gamma=gamma, e_h=e_h)
    if sigma_bar is None:
        sigma_r, sigma_p = math.sqrt(r), math.sqrt(p / (1 - gamma))
        return ModelErrors(r=r, p=p, sigma_r=sigma_r, sigma_p=sigma_p)
    of_value = value_std_error_bound(S=S, U=U, gamma=gamma, sigma_bar=sigma_bar, e_h=e_h)
    return ModelErrors(
        r=r,
        p=p,
        sigma_r=reward_std_error_bound(U=U, sigma_bar=sigma_bar, e_h=e_h),
        sigma_p=of_value.bound if of_value.premises_met else math.inf,
    )


def next_task_bound(
    T_hat: npt.ArrayLike, theta_bar: Sequence[int], eliminated: Sequence[int], *, e_T: float
) -> float:
    """Lemma 15: P(θ*_{h+1} ∈ E_h | history) ≤ max_{θ'∈Θ̄_h} Σ_{θ∈E_h} T̂(θ,θ') + √|E_h| e^T_h.

    It holds when θ*_h ∈ Θ̄_h and every column of T̂ is within e^T_h of the true one: the next task
    follows one column of T, and |E_h| entries of it differ by at most √|E_h| e^T_h in total. The
    printed lemma averages over tasks that Θ̄_h, itself random, has already distinguished (E38).
    """
    transitions = frozen_transitions(T_hat)
    require(len(theta_bar) >= 1, "theta_bar", "must name at least one task")
    require_tasks(theta_bar, "theta_bar", k=len(transitions))
    require_tasks(eliminated, "eliminated", k=len(transitions))
    require_error(e_T, "e_T")
    if len(eliminated) == 0:
        return 0.0
    predicted = transitions[list(eliminated)][:, list(theta_bar)].sum(axis=0)
    return float(predicted.max()) + math.sqrt(len(eliminated)) * e_T


def require_mixing(g_mix: float) -> None:
    """0 ≤ g < ∞: the chain of tasks forgets where it was."""
    problem = "must be finite and at least 0: the chain has one recurrent class, without a period"
    require(0 <= g_mix < math.inf, "g_mix", problem, value=g_mix)


def require_moments(C_S: float, lambda_max_Sigma_21: float, sigma_k_Sigma_31: float) -> None:
    """C_Σ > 0 finite, singular values finite and at least 0."""
    require(0 < C_S < math.inf, "C_S", "must be positive and finite", value=C_S)
    require_constant(lambda_max_Sigma_21, "lambda_max_Sigma_21")
    require_constant(sigma_k_Sigma_31, "sigma_k_Sigma_31")
