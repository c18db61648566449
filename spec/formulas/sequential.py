"""Formulas of Section 4: Theorem 2 and Theorem 3, as printed and repaired.

Symbols of this file that no other part of the paper needs: `rho_any` (ρ_r, ρ_p, ρ_{σ_r} or
ρ_{σ_p}, one for each of the four bounds of Theorem 2), `e_T` (a bound on the column errors of T̂_h),
`size_E` = |E_h| and `visits`, how often the task was visited that another one might follow.
"""

from __future__ import annotations

from ptum.spec.algebra import PI, Formula, Sign, log, max_over, sqrt, sum_over, symbol
from ptum.spec.formulas.symbols import (
    A,
    S,
    T_hat,
    U,
    active_h,
    d,
    delta,
    delta_prime,
    eliminated_h,
    eta,
    h,
    k,
    m,
    rho,
    rho_3,
    rho_T,
    theta,
)

rho_any = symbol("rho_any")
e_T = symbol("e_T")
size_E = symbol("size_E")
visits = symbol("visits")

_c_h = PI**2 * h**2 * S * A * (S + U) / delta_prime

C_H = Formula("c_{h,δ'}", Sign.EQUALS, _c_h)
THEOREM_2_CONDITION = Formula(
    "Theorem 2 speaks of h", Sign.IFF, h > rho * log(2 * h**2 * S * A * (S + U) / delta_prime)
)
# ρ₃ is the repaired constant of Lemma 11.
THEOREM_2_CONDITION_REPAIRED = Formula("Theorem 2 speaks of h", Sign.IFF, h >= rho_3 * log(_c_h))
THEOREM_2 = Formula("model error after h tasks", Sign.AT_MOST, rho_any * sqrt(log(_c_h) / h))

THEOREM_3_ETA = Formula("η", Sign.EQUALS, delta_prime / (3 * k * m**2))
THEOREM_3_RULE = Formula(
    "θ is dropped before task h+1",
    Sign.IFF,
    sum_over(T_hat[theta, active_h], active_h)
    + delta * k
    + rho_T * k * sqrt(log(9 * k * d * m**2 / delta_prime) / h)
    <= eta,
)
# A rule about the whole set E_h of dropped tasks, with an η that is chosen for each step.
THEOREM_3_RULE_REPAIRED = Formula(
    "Eₕ may be dropped before task h+1",
    Sign.IFF,
    max_over(sum_over(T_hat[eliminated_h, active_h], eliminated_h), active_h) + sqrt(size_E) * e_T
    <= eta,
)

# What never missing asks of any rule: at so many of the first v visits it may drop a task that
# cannot follow, because the rule behaves alike where that task follows with probability 1/v, and
# 1 - (1-1/v)ⁿ, the probability that it does at one of n visits, must be at most δ'.
DROPPED_VISITS = Formula(
    "visits at which θ is dropped", Sign.AT_MOST, log(1 - delta_prime) / log(1 - 1 / visits)
)
