"""Formulas of Section 2: tasks, rewards, standard deviations, and the two gaps between models.

Symbols of this file that no other part of the paper needs: `least_chance`, the smallest entry of p
and q; `mass_error`, how far the sum of a distribution is from one, over what rounding explains
(D20); `least_reward` and `largest_reward`.
"""

from __future__ import annotations

from ptum.spec.algebra import Formula, Sign, absolute, sqrt, sum_over, symbol
from ptum.spec.formulas.symbols import (
    V_star,
    a,
    gamma,
    p,
    q,
    r,
    reward,
    s,
    s_prime,
    s_second,
    theta,
    theta_prime,
    u,
)

least_chance = symbol("least_chance")
mass_error = symbol("mass_error")
least_reward = symbol("least_reward")
largest_reward = symbol("largest_reward")

# Section 2: p and q are distributions, rewards lie in [0,1] and γ in [0,1).
TASK = Formula(
    "task (p, q, u, γ) is valid",
    Sign.IFF,
    (least_chance >= 0)
    & (mass_error <= 1)
    & (least_reward >= 0)
    & (largest_reward <= 1)
    & (gamma >= 0)
    & (gamma < 1),
)

# Section 2: the mean reward of a pair.
MEAN_REWARD = Formula("r_θ(s,a)", Sign.EQUALS, sum_over(q[theta, s, a, u] * reward[u], u))

# Section 2: the standard deviation of the reward (the paper defines its square).
SIGMA_R = Formula(
    "σʳ_θ(s,a)",
    Sign.EQUALS,
    sqrt(sum_over(q[theta, s, a, u] * (reward[u] - r[theta, s, a]) ** 2, u)),
)

# Section 2: the standard deviation of another model's optimal value at the next state.
SIGMA_P = Formula(
    "σᵖ_θ(s,a;θ')",
    Sign.EQUALS,
    sqrt(
        sum_over(
            p[theta, s, a, s_prime]
            * (
                V_star[theta_prime, s_prime]
                - sum_over(p[theta, s, a, s_second] * V_star[theta_prime, s_second], s_second)
            )
            ** 2,
            s_prime,
        )
    ),
)

# Section 2: the reward gap.
GAP_R = Formula("Δʳ_s,a(θ,θ')", Sign.EQUALS, absolute(r[theta, s, a] - r[theta_prime, s, a]))

# Section 2: the transition gap, weighed by the optimal value of the first model.
GAP_P = Formula(
    "Δᵖ_s,a(θ,θ')",
    Sign.EQUALS,
    absolute(
        sum_over(
            (p[theta, s, a, s_prime] - p[theta_prime, s, a, s_prime]) * V_star[theta, s_prime],
            s_prime,
        )
    ),
)
