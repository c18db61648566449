"""Formulas of Appendix B: concentration, confidence widths, elimination, simulation lemma.

Symbols of this file that no other part of the paper needs: `farthest`, the gap between the target
and the active model farthest from it; `loss_ratio`, the least worst loss of a policy times (1-γ)
over the largest gap.
"""

from __future__ import annotations

from ptum.spec.algebra import (
    Array,
    Formula,
    Index,
    Sign,
    Term,
    absolute,
    largest,
    log,
    max_over,
    min_over,
    positive_part,
    rational,
    smallest,
    sqrt,
    sum_over,
    symbol,
)
from ptum.spec.formulas.symbols import (
    Delta,
    Delta_p,
    Delta_r,
    Delta_sigma_p,
    Delta_sigma_r,
    N,
    V_pi,
    V_star,
    V_tilde,
    a,
    a_prime,
    active,
    active_prime,
    active_second,
    c,
    delta,
    epsilon,
    gamma,
    info,
    log_term,
    log_term_sigma,
    n_samples,
    nu_pi,
    nu_star,
    p,
    p_tilde,
    policy,
    r,
    r_tilde,
    s,
    s_prime,
    s_second,
    sigma_p_hat,
    sigma_p_tilde,
    sigma_r_hat,
    sigma_r_tilde,
    theta,
    theta_prime,
    theta_star,
    variance,
    variance_hat,
    width,
)

farthest = symbol("farthest")
loss_ratio = symbol("loss_ratio")


def _bernstein(scale: Term) -> Term:
    """√(2 Var log(2/δ)/n) + scale · log(2/δ)/(3n)."""
    return sqrt(2 * variance * log(2 / delta) / n_samples) + scale * log(2 / delta) / (
        3 * n_samples
    )


def _empirical_bernstein(scale: Term) -> Term:
    """√(2 V̂ar log(4/δ)/n) + 7 · scale · log(4/δ)/(3(n-1))."""
    return sqrt(2 * variance_hat * log(4 / delta) / n_samples) + 7 * scale * log(4 / delta) / (
        3 * (n_samples - 1)
    )


# Lemma 1, for |X| ≤ c. Repair: the second term needs the length w of an interval that holds X,
# which is 2c for |X| ≤ c, and c for 0 ≤ X ≤ c, the only case used.
BERNSTEIN = Formula("|𝔼[X] - X̄|", Sign.AT_MOST, _bernstein(c))
BERNSTEIN_REPAIRED = Formula("|𝔼[X] - X̄|", Sign.AT_MOST, _bernstein(width))

# Lemma 2, likewise.
EMPIRICAL_BERNSTEIN = Formula("|𝔼[X] - X̄|", Sign.AT_MOST, _empirical_bernstein(c))
EMPIRICAL_BERNSTEIN_REPAIRED = Formula("|𝔼[X] - X̄|", Sign.AT_MOST, _empirical_bernstein(width))

# Lemma 3: the widths of the four tests (equations 1-4) once a pair has two samples or more.
WIDTH_R = Formula(
    "Cʳ_{t,δ}(s,a)",
    Sign.EQUALS,
    sqrt(2 * sigma_r_hat[s, a] ** 2 * log_term / N[s, a])
    + 7 * log_term / (3 * (N[s, a] - 1))
    + Delta_r,
)
WIDTH_P = Formula(
    "Cᵖ_{t,δ}(s,a;θ')",
    Sign.EQUALS,
    sqrt(2 * sigma_p_hat[s, a, theta_prime] ** 2 * log_term / N[s, a])
    + 7 * log_term / (3 * (N[s, a] - 1) * (1 - gamma))
    + Delta_p,
)
WIDTH_SIGMA_R = Formula(
    "C^σᵣ_{t,δ}(s,a)", Sign.EQUALS, sqrt(2 * log_term_sigma / (N[s, a] - 1)) + Delta_sigma_r
)
WIDTH_SIGMA_P = Formula(
    "C^σₚ_{t,δ}(s,a)",
    Sign.EQUALS,
    1 / (1 - gamma) * sqrt(2 * log_term_sigma / (N[s, a] - 1)) + Delta_sigma_p,
)


def _samples(gap: Term, deviation: Term, scale: Term | int) -> Term:
    """max{σ²/[gap - 4Δ]₊², scale/[gap - 4Δ]₊}."""
    excess = positive_part(gap - 4 * Delta)
    return largest(deviation**2 / excess**2, scale / excess)


def _approximate_transition_gap(value_of: Index) -> Term:
    """|(p̃_θ*(s,a) - p̃_θ(s,a))ᵀ Ṽ*| with the optimal value of a named model."""
    change = p_tilde[theta_star, s, a, s_prime] - p_tilde[theta, s, a, s_prime]
    return absolute(sum_over(change * V_tilde[value_of, s_prime], s_prime))


def _samples_of_transitions(value_of: Index) -> Term:
    return min_over(
        _samples(
            _approximate_transition_gap(value_of),
            sigma_p_tilde[active_second, s, a, theta_prime],
            1 / (1 - gamma),
        ),
        theta_prime,
        active_second,
    )


_by_rewards = min_over(
    _samples(
        absolute(r_tilde[theta_star, s, a] - r_tilde[theta, s, a]),
        sigma_r_tilde[active_second, s, a],
        1,
    ),
    active_second,
)
_by_transitions = _samples_of_transitions(theta_star)
_by_transitions_repaired = _samples_of_transitions(theta_prime)

# Lemma 4: samples of a pair that eliminate θ by rewards, by transitions, by either. As printed the
# transition gap has two arguments, so the minimum over θ' moves the standard deviation alone; the
# macro drops the third argument. Repair: the gap is weighed by the value of the same θ'.
N_BAR_R = Formula("n̄ʳ_θ(s,a)", Sign.EQUALS, _by_rewards)
N_BAR_P = Formula("n̄ᵖ_θ(s,a)", Sign.EQUALS, _by_transitions)
N_BAR_P_REPAIRED = Formula("n̄ᵖ_θ(s,a)", Sign.EQUALS, _by_transitions_repaired)
N_BAR = Formula("n̄_θ(s,a)", Sign.EQUALS, 32 * log_term * smallest(_by_rewards, _by_transitions))
N_BAR_REPAIRED = Formula(
    "n̄_θ(s,a)", Sign.EQUALS, 32 * log_term * smallest(_by_rewards, _by_transitions_repaired)
)


def _pair_difference(value: Array) -> Term:
    """|r_θ(s',a') - r_θ'(s',a')| + γ |(p_θ(s',a') - p_θ'(s',a'))ᵀ V_θ|."""
    rewards = absolute(r[theta, s_prime, a_prime] - r[theta_prime, s_prime, a_prime])
    change = p[theta, s_prime, a_prime, s_second] - p[theta_prime, s_prime, a_prime, s_second]
    return rewards + gamma * absolute(sum_over(change * value[theta, s_second], s_second))


_optimal_difference = max_over(
    sum_over(
        nu_star[theta_prime, policy, s, s_prime, a_prime] * _pair_difference(V_star),
        s_prime,
        a_prime,
    ),
    policy,
)

# Lemma 5 (simulation lemma), for one policy and for optimal values; ν sums to 1/(1-γ).
SIMULATION_POLICY = Formula(
    "|V^π_θ(s) - V^π_θ'(s)|",
    Sign.AT_MOST,
    sum_over(nu_pi[theta_prime, s, s_prime, a_prime] * _pair_difference(V_pi), s_prime, a_prime),
)
SIMULATION_OPTIMAL = Formula("|V*_θ'(s) - V*_θ(s)|", Sign.AT_MOST, _optimal_difference)

# Corollary 2: what the optimal policy of θ loses in θ'.
VALUE_ERROR = Formula("|V*_θ'(s) - V_θ'(s;π*_θ)|", Sign.AT_MOST, 2 * _optimal_difference)

# Lemma 8 (fundamental lemma), as printed with the information against the target.
FUNDAMENTAL = Formula(
    "Nₜ(Sₜ,Aₜ)",
    Sign.LESS,
    128 * log_term / max_over(info[theta_star, theta, s, a], s, a, active),
)

# The stronger form that its repaired proof gives: the whole index may stand below.
FUNDAMENTAL_REPAIRED = Formula(
    "Nₜ(Sₜ,Aₜ)",
    Sign.LESS,
    128 * log_term / max_over(info[active, active_prime, s, a], s, a, active, active_prime),
)

# The inequality behind it, for rewards or for values in an interval of length w: the index is at
# most four times what Lemma 4 finds between the target and the farthest active model.
FUNDAMENTAL_CORE = Formula(
    "𝓘ₜ(s,a)",
    Sign.AT_MOST,
    4
    * smallest(
        positive_part(farthest - 4 * Delta) ** 2 / variance,
        positive_part(farthest - 4 * Delta) / width,
    ),
)

# Without the detour over the target: both models of the largest index are active.
FUNDAMENTAL_SHARPER = Formula(
    "Nₜ(Sₜ,Aₜ)",
    Sign.AT_MOST,
    (rational(38, 3) + 16 / sqrt(3))
    * log_term
    / max_over(info[active, active_prime, s, a], s, a, active, active_prime),
)

# Lemma 7 for sets of models whose R is bounded: line 2 may admit this error. The largest R of two
# models with two states and with three, of three models with three states, and of any set.
THRESHOLD_OF_RATIO = Formula(
    "Δ", Sign.AT_MOST, epsilon * (1 - gamma) / (2 * (1 + gamma) + 8 * loss_ratio)
)
RATIO_OF_TWO_STATES = Formula(
    "R",
    Sign.AT_MOST,
    largest(
        2 + gamma,
        2 * (1 + gamma) * (1 - 8 * Delta) / (1 - 8 * Delta + 16 * gamma * Delta),
    ),
)
RATIO_OF_THREE_STATES = Formula(
    "R", Sign.AT_MOST, (1 + gamma) * (2 + 8 * gamma * Delta) / (1 + 8 * gamma * Delta)
)
RATIO_OF_THREE_MODELS = Formula(
    "R", Sign.AT_MOST, (1 + gamma) * (2 + 24 * gamma * Delta) / (1 + 16 * gamma * Delta)
)
RATIO = Formula("R", Sign.AT_MOST, 2 * (1 + gamma))
