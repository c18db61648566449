"""Section 2: the distances Δ^r and Δ^p between two tasks, pair by pair, shape (S, A).

Written with tildes (`r̃`, `p̃`, `Ṽ*`) these are Δ̃^r and Δ̃^p: the same functions of approximate
models.
"""

from __future__ import annotations

import numpy as np

from ptum.reference.arrays import Floats


def reward_gap(r_theta: Floats, r_theta_prime: Floats) -> Floats:
    """Δ^r_{s,a}(θ,θ') = |r_θ(s,a) - r_θ'(s,a)|."""
    return np.abs(r_theta - r_theta_prime)


def transition_gap(p_theta: Floats, p_theta_prime: Floats, V_star_theta: Floats) -> Floats:
    """Δ^p_{s,a}(θ,θ') = |(p_θ(s,a) - p_θ'(s,a))ᵀ V*_θ|, with the FIRST task's value (D33)."""
    return transition_gap_three(p_theta, p_theta_prime, V_star_theta)


def transition_gap_three(p_theta: Floats, p_theta_prime: Floats, V: Floats) -> Floats:
    """Δ^p_{s,a}(θ,θ';θ'') = |(p_θ(s,a) - p_θ'(s,a))ᵀ V*_θ''|, as Appendix B needs it.

    The paper's macro drops this third argument when it prints (erratum E08).
    """
    gap: Floats = np.abs((p_theta - p_theta_prime) @ V)
    return gap
