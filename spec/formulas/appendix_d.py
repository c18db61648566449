"""Formulas of Appendix D: errors of the spectral estimates, as printed and repaired.

ρ_1 and ρ_2 are constants of which Lemma 10 only says that they exist. The paper writes
λ_min(Σ_{3,1}) for the smallest singular value of a d × d matrix of rank k, which is 0 for d > k;
the repaired formulas take the k-th one, σ_k(Σ_{3,1}). λ_k(O) and σ_k(O) of Lemma 12 are one number.

Symbols of this file that no other part of the paper needs: `n_triples` = ⌊h/3⌋; `moment_error` =
‖Σ̂₃₁ - Σ₃₁‖₂; for the split of a column's error `size_Sigma_21_hat`, `size_inverse`,
`size_inverse_hat` and `size_mu`, the norms of Σ̂₂₁, Σ₃₁^†, Σ̂₃₁^† and μ_{3,j}, and `off_mu`,
`off_Sigma_21` and `off_inverse`, those of the errors of μ̂_{3,j}, Σ̂₂₁ and Σ̂₃₁^†; for views within
a task `epsilon_S`, `epsilon_J`, `nu_j` and `ell`; `constant`, any number at all.
"""

from __future__ import annotations

from ptum.spec.algebra import Formula, Sign, largest, log, sqrt, sum_over, symbol
from ptum.spec.formulas.symbols import (
    C_S,
    A,
    B,
    S,
    T_hat,
    U,
    active_h,
    b,
    c_floor,
    delta,
    delta_prime,
    e_h,
    g_mix,
    gamma,
    h,
    k,
    l1_distance,
    lambda_max_Sigma_21,
    lambda_min_Sigma_31,
    rho_1,
    rho_2,
    rho_3,
    rho_4,
    rho_6,
    rho_T,
    sigma_bar,
    sigma_k_O,
    sigma_k_Sigma_31,
    theta,
)

n_triples = symbol("n_triples")
moment_error = symbol("moment_error")
size_Sigma_21_hat = symbol("size_Sigma_21_hat")
size_inverse = symbol("size_inverse")
size_inverse_hat = symbol("size_inverse_hat")
size_mu = symbol("size_mu")
off_mu = symbol("off_mu")
off_Sigma_21 = symbol("off_Sigma_21")
off_inverse = symbol("off_inverse")
epsilon_S = symbol("epsilon_S")
epsilon_J = symbol("epsilon_J")
nu_j = symbol("nu_j")
ell = symbol("ell")
constant = symbol("constant")

_dimension = S * A * (S + U)
_rate = sqrt(log(6 * _dimension / delta_prime) / h)

LEMMA_10 = Formula(
    "‖μ̂_{3,j} - μ_{3,j}‖₂", Sign.AT_MOST, rho_2 * sqrt(log(2 * _dimension / delta_prime) / h)
)

# Equation 8 serves both Σ̂₂₁ and Σ̂₃₁.
EQUATION_8 = Formula("‖Σ̂ - Σ‖₂", Sign.AT_MOST, sqrt(log(1 / delta_prime) / h))
EQUATION_8_REPAIRED = Formula(
    "‖Σ̂ - Σ‖₂",
    Sign.AT_MOST,
    2 * S * A / sqrt(n_triples) * (sqrt(1 + 4 * g_mix) + (1 + g_mix) * sqrt(log(1 / delta_prime))),
)
# With C_Σ the repaired equation 8, at level δ'/3, has the form C_Σ √(log(6SA(S+U)/δ')/h).
MOMENT_CONSTANT = Formula(
    "C_Σ", Sign.EQUALS, 2 * sqrt(5) * S * A * (sqrt(1 + 4 * g_mix) + 1 + g_mix)
)

RHO_3 = Formula(
    "ρ₃",
    Sign.EQUALS,
    largest(rho_1, 1 / lambda_max_Sigma_21**2, 4 / lambda_min_Sigma_31**2),
)
RHO_3_REPAIRED = Formula(
    "ρ₃",
    Sign.EQUALS,
    largest(rho_1, C_S**2 / lambda_max_Sigma_21**2, 4 * C_S**2 / sigma_k_Sigma_31**2),
)
RHO_4 = Formula(
    "ρ₄",
    Sign.EQUALS,
    (4 * lambda_max_Sigma_21 * rho_2 + 4 * S * A + 8 * S * A * lambda_max_Sigma_21)
    / lambda_min_Sigma_31,
)
RHO_4_REPAIRED = Formula(
    "ρ₄",
    Sign.EQUALS,
    4 * lambda_max_Sigma_21 * rho_2 / sigma_k_Sigma_31
    + B * C_S / sigma_k_Sigma_31
    + 8 * lambda_max_Sigma_21 * B * C_S / sigma_k_Sigma_31**2,
)
LEMMA_11 = Formula("‖[O]_{:,j} - [Ô]_{:,j}‖₂", Sign.AT_MOST, rho_4 * _rate)

# Steps of the proof of Lemma 11. The repaired bound on the pseudo-inverse is for third views, which
# lie in the range of Σ₃₁; for other vectors it is √2 times as large.
INVERSE_NORM = Formula("‖Σ̂₃₁^†‖₂", Sign.AT_MOST, 2 / lambda_min_Sigma_31)
INVERSE_NORM_REPAIRED = Formula("‖[Σ̂₃₁]ₖ^†‖₂", Sign.AT_MOST, 2 / sigma_k_Sigma_31)
PSEUDO_INVERSE = Formula("‖Σ₃₁^† - Σ̂₃₁^†‖₂", Sign.AT_MOST, 2 / lambda_min_Sigma_31 * moment_error)
PSEUDO_INVERSE_REPAIRED = Formula(
    "‖(Σ₃₁^† - [Σ̂₃₁]ₖ^†)μ‖₂/‖μ‖₂", Sign.AT_MOST, 4 * moment_error / sigma_k_Sigma_31**2
)
COLUMN_NORM = Formula("‖μ_{3,j}‖₂", Sign.AT_MOST, 2 * S * A)
COLUMN_SPLIT = Formula(
    "‖[O]_{:,j} - [Ô]_{:,j}‖₂",
    Sign.AT_MOST,
    size_Sigma_21_hat * size_inverse_hat * off_mu
    + size_inverse * size_mu * off_Sigma_21
    + size_Sigma_21_hat * size_mu * off_inverse,
)

RHO_5 = Formula("ρ₅", Sign.EQUALS, largest(rho_3, 4 * k * rho_4**2 / sigma_k_O**2))
RHO_6 = Formula("ρ₆", Sign.EQUALS, 8 * S * A * sqrt(k) * (1 + sqrt(5)) / sigma_k_O**2 * rho_4)
RHO_6_REPAIRED = Formula("ρ₆", Sign.EQUALS, 2 * (rho_2 + rho_4) / sigma_k_O)
LEMMA_12 = Formula("‖[T]_{:,j} - [T̂]_{:,j}‖₂", Sign.AT_MOST, rho_6 * _rate)

# Lemma 12 repaired for views within a task: Ĵ = Ô^†ŜÔ^{†T} estimates the frequencies N of pairs of
# successive tasks, of which a share ν_j leaves task j, and T̂_j is its column j over the sum.
JOINT_ERROR = Formula("‖Ĵ - N‖_F", Sign.AT_MOST, 4 * epsilon_S / sigma_k_O**2 + 6 * e_h / sigma_k_O)
TRANSITION_WITHIN = Formula(
    "‖[T̂]_{:,j} - [N]_{:,j}/ν_j‖₂", Sign.AT_MOST, 2 * (1 + sqrt(k)) * epsilon_J / nu_j
)
# Where λ_k(M₂) ≥ ℓ, as it is where λ_k(M̂₂) ≥ 2ℓ and M̂₂ is within ℓ.
LEAST_WEIGHT = Formula("w_j", Sign.AT_LEAST, ell / B**2)
# There no ν_j is below ν_min = ℓ/(2B²), and ε_J ≤ ρ_J √(log(c_h)/h).
_nu_min = ell / (2 * B**2)
_rho_J = 24 * B**2 / ell + 6 * rho_4 / sqrt(ell)
RHO_5_WITHIN = Formula("ρ₅", Sign.EQUALS, largest(rho_3, 4 * k * _rho_J**2 / _nu_min**2))
RHO_6_WITHIN = Formula(
    "ρ₆", Sign.EQUALS, 2 * (1 + sqrt(k)) * _rho_J / _nu_min + 2 * sqrt(2 / _nu_min)
)

# Printed: both variances are at least c. Repaired: one of them is.
LEMMA_13 = Formula(
    "|√Var_p[f] - √Var_q[f]|", Sign.AT_MOST, b * (b / (2 * sqrt(c_floor)) + 1) * l1_distance
)
LEMMA_13_REPAIRED = Formula(
    "|√Var_p[f] - √Var_q[f]|", Sign.AT_MOST, b**2 / (2 * sqrt(c_floor)) * l1_distance
)

# What Lemma 13 would have to say without a floor; for every constant some distributions exceed it.
WITHOUT_FLOOR = Formula("|√Var_p[f] - √Var_q[f]|", Sign.AT_MOST, constant * l1_distance)

# Repaired: e_h is the right side of Lemma 11, and the estimates are projected on the simplex.
LEMMA_14_R = Formula("|r_θ(s,a) - r̃_θ(s,a)|", Sign.AT_MOST, rho_4 * U * _rate)
LEMMA_14_R_REPAIRED = Formula("|r_θ(s,a) - r̃_θ(s,a)|", Sign.AT_MOST, sqrt(U) * e_h / 2)
LEMMA_14_P = Formula(
    "|(p_θ(s,a) - p̃_θ(s,a))ᵀ Ṽ*_θ'|", Sign.AT_MOST, rho_4 * S / (1 - gamma) * _rate
)
LEMMA_14_P_REPAIRED = Formula(
    "|(p_θ(s,a) - p̃_θ(s,a))ᵀ Ṽ*_θ'|", Sign.AT_MOST, sqrt(S) * e_h / (2 * (1 - gamma))
)
LEMMA_14_SIGMA_R = Formula(
    "|σʳ_θ(s,a) - σ̃ʳ_θ(s,a)|", Sign.AT_MOST, (1 / (2 * sigma_bar) + 1) * rho_4 * U * _rate
)
LEMMA_14_SIGMA_R_REPAIRED = Formula(
    "|σʳ_θ(s,a) - σ̃ʳ_θ(s,a)|", Sign.AT_MOST, sqrt(U) * e_h / (2 * sigma_bar)
)
LEMMA_14_SIGMA_P = Formula(
    "|σᵖ_θ(s,a;θ') - σ̃ᵖ_θ(s,a;θ')|",
    Sign.AT_MOST,
    (1 / (2 * sigma_bar * (1 - gamma)) + 1) * (rho_4 * S / (1 - gamma)) * _rate,
)
LEMMA_14_SIGMA_P_REPAIRED = Formula(
    "|Std_{p_θ}[Ṽ*_θ'] - Std_{p̃_θ}[Ṽ*_θ']|",
    Sign.AT_MOST,
    sqrt(S) * e_h / (2 * sigma_bar * (1 - gamma) ** 2),
)

LEMMA_15 = Formula(
    "P(θ*ₕ₊₁ = θ)",
    Sign.AT_MOST,
    sum_over(T_hat[theta, active_h], active_h) + delta * k + rho_T * k * _rate,
)
