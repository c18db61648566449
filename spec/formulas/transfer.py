"""Formulas of Section 3: Assumption 1, Algorithm 1, Definition 1, Theorem 1 and Corollary 1.

A symbol of this file that no other part of the paper needs: `queries`, those that were answered.
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
    A,
    Delta,
    Gamma,
    N,
    S,
    U_data,
    V_tilde,
    V_tilde_of,
    a,
    active,
    active_prime,
    blocking,
    blocking_printed,
    delta,
    epsilon,
    gamma,
    hit,
    info,
    j,
    k,
    kappa,
    log_term,
    other,
    p,
    p_hat,
    p_tilde,
    r,
    r_hat,
    r_tilde,
    returnable,
    s,
    s_prime,
    s_second,
    sigma_p,
    sigma_p_tilde,
    sigma_r,
    sigma_r_tilde,
    theta,
    theta_prime,
    theta_star,
)

queries = symbol("queries")


def _reward_gap(first: Index, second: Index) -> Term:
    """|r̃_θ(s,a) - r̃_θ'(s,a)|."""
    return absolute(r_tilde[first, s, a] - r_tilde[second, s, a])


def _transition_gap(first: Index, second: Index, value_of: Index) -> Term:
    """|(p̃_θ(s,a) - p̃_θ'(s,a))ᵀ Ṽ*| with the optimal value of a named model."""
    change = p_tilde[first, s, a, s_prime] - p_tilde[second, s, a, s_prime]
    return absolute(sum_over(change * V_tilde[value_of, s_prime], s_prime))


def _expected(value: Array, model: Index) -> Term:
    """The expected value, under p_θ(s,a), of a table with the next state as its last index."""
    return sum_over(p[theta, s, a, s_second] * value[model, s_second], s_second)


def _model_error(value: Term) -> Term:
    """|(p_θ(s,a) - p̃_θ(s,a))ᵀ V| for one value function V(s')."""
    change = p[theta, s, a, s_prime] - p_tilde[theta, s, a, s_prime]
    return absolute(sum_over(change * value, s_prime))


# Assumption 1, four lines: each known constant is at least the largest error of its kind.
ASSUMPTION_1_R = Formula(
    "Δʳₘₐₓ",
    Sign.AT_LEAST,
    max_over(absolute(r[theta, s, a] - r_tilde[theta, s, a]), theta, s, a),
)
ASSUMPTION_1_P = Formula(
    "Δᵖₘₐₓ",
    Sign.AT_LEAST,
    max_over(_model_error(V_tilde[theta_prime, s_prime]), theta, theta_prime, s, a),
)
ASSUMPTION_1_SIGMA_R = Formula(
    "Δσʳₘₐₓ",
    Sign.AT_LEAST,
    max_over(absolute(sigma_r[theta, s, a] - sigma_r_tilde[theta, s, a]), theta, s, a),
)
ASSUMPTION_1_SIGMA_P = Formula(
    "Δσᵖₘₐₓ",
    Sign.AT_LEAST,
    max_over(
        absolute(sigma_p[theta, s, a, theta_prime] - sigma_p_tilde[theta, s, a, theta_prime]),
        theta,
        theta_prime,
        s,
        a,
    ),
)

# Repair of the transition line: it must also cover the value, in approximate model θ, of the
# policies that PTUM may return, because Lemma 9 evaluates those in the true model.
ASSUMPTION_1_P_REPAIRED = Formula(
    "Δᵖₘₐₓ",
    Sign.AT_LEAST,
    largest(
        max_over(_model_error(V_tilde[theta_prime, s_prime]), theta, theta_prime, s, a),
        max_over(_model_error(V_tilde_of[theta, returnable, s_prime]), theta, returnable, s, a),
    ),
)

# Repair of the last line: both standard deviations are of the approximate value Ṽ*_θ', the one that
# the tests look at; Section 2 takes the true value on the left.
ASSUMPTION_1_SIGMA_P_REPAIRED = Formula(
    "Δσᵖₘₐₓ",
    Sign.AT_LEAST,
    max_over(
        absolute(
            sqrt(
                sum_over(
                    p[theta, s, a, s_prime]
                    * (V_tilde[theta_prime, s_prime] - _expected(V_tilde, theta_prime)) ** 2,
                    s_prime,
                )
            )
            - sigma_p_tilde[theta, s, a, theta_prime]
        ),
        theta,
        theta_prime,
        s,
        a,
    ),
)

# Left unsaid in Assumption 1: models are MDPs with rewards in [0,1], so that values, reward gaps
# and standard deviations stay within the ranges that Lemmas 2-4 give them.
VALUE_RANGE = Formula("Ṽ*_θ(s)", Sign.AT_MOST, 1 / (1 - gamma))
MODEL_RANGES = Formula(
    "in range",
    Sign.IFF,
    (max_over(absolute(2 * (1 - gamma) * V_tilde[theta, s] - 1), theta, s) <= 1)
    & (max_over(_reward_gap(theta, theta_prime), theta, theta_prime, s, a) <= 1)
    & (max_over(sigma_r_tilde[theta, s, a], theta, s, a) <= rational(1, 2))
    & (
        max_over(sigma_p_tilde[theta, s, a, theta_prime], theta, theta_prime, s, a)
        <= 1 / (2 * (1 - gamma))
    ),
)

# Algorithm 1, line 2, and Assumption 3: PTUM transfers only below this error.
TRANSFER_THRESHOLD = Formula("Δ", Sign.LESS, epsilon * (1 - gamma) / (4 * (1 + gamma)))

# Repair: at most this error. If no pair tells a model from the target, all gaps are at most 8Δ and
# Corollary 2 bounds the loss by 16Δ(1+γ)/(1-γ); that is within the slack of line 14 exactly here.
TRANSFER_THRESHOLD_REPAIRED = Formula("Δ", Sign.AT_MOST, epsilon * (1 - gamma) / (18 * (1 + gamma)))

# Algorithm 1, line 14: how much a returned policy may lose in any active approximate model.
STOPPING_SLACK = Formula(
    "Ṽ*_θ'(s) - Ṽ_θ'(s;π̃*_θ)", Sign.AT_MOST, epsilon - 2 * Delta * (1 + gamma) / (1 - gamma)
)

# Algorithm 1, lines 7-10: the empirical model of one pair; j runs over the samples of the pair,
# and hit(j→s') is one if sample j went to s'. Lines 9 and 10 give the squares.
EMPIRICAL_REWARD = Formula("r̂ₜ(s,a)", Sign.EQUALS, sum_over(U_data[j], j) / N[s, a])
EMPIRICAL_TRANSITION = Formula("p̂ₜ(s'|s,a)", Sign.EQUALS, sum_over(hit[j, s_prime], j) / N[s, a])
EMPIRICAL_SIGMA_R = Formula(
    "σ̂ʳₜ(s,a)",
    Sign.EQUALS,
    sqrt(sum_over((U_data[j] - r_hat[s, a]) ** 2, j) / (N[s, a] - 1)),
)
EMPIRICAL_SIGMA_P = Formula(
    "σ̂ᵖₜ(s,a;θ')",
    Sign.EQUALS,
    sqrt(
        sum_over(
            (
                sum_over(hit[j, s_prime] * V_tilde[theta_prime, s_prime], s_prime)
                - sum_over(p_hat[s, a, s_prime] * V_tilde[theta_prime, s_prime], s_prime)
            )
            ** 2,
            j,
        )
        / (N[s, a] - 1)
    ),
)


# Algorithm 1, lines 5 and 18-20: every iteration but the last has one query.
PASS_NUMBER = Formula("t", Sign.EQUALS, queries + 1)


_reward_excess = positive_part(_reward_gap(theta, theta_prime) - 8 * Delta)
_transition_excess = positive_part(_transition_gap(theta, theta_prime, theta) - 8 * Delta)
_information_r = smallest((_reward_excess / sigma_r_tilde[theta, s, a]) ** 2, _reward_excess)
_information_p = smallest(
    (_transition_excess / sigma_p_tilde[theta, s, a, theta]) ** 2,
    (1 - gamma) * _transition_excess,
)

# Definition 1: what one sample of a pair says about θ against θ'. The standard deviation and, in
# the transition gap, the value are those of the first model.
INFORMATION_R = Formula("𝓘ʳ_s,a(θ,θ')", Sign.EQUALS, _information_r)
INFORMATION_P = Formula("𝓘ᵖ_s,a(θ,θ')", Sign.EQUALS, _information_p)
INFORMATION = Formula("𝓘_s,a(θ,θ')", Sign.EQUALS, largest(_information_r, _information_p))

# Algorithm 1, lines 16-18: the index of a pair.
INDEX = Formula(
    "𝓘ₜ(s,a)", Sign.EQUALS, max_over(info[active, active_prime, s, a], active, active_prime)
)

# Theorem 1: the accuracy that decides which models matter; the slack of line 14 is 4κ_ε/(1-γ).
KAPPA = Formula("κ_ε", Sign.EQUALS, (1 - gamma) * epsilon / 4 - Delta * (1 + gamma) / 2)

_reward_distance = max_over(_reward_gap(theta, theta_star), s, a)
_transition_distance = max_over(_transition_gap(theta, theta_star, theta_star), s, a)

# Theorem 1: the models that must be eliminated.
THETA_EPS = Formula(
    "θ ∈ Θ_ε",
    Sign.IFF,
    (_reward_distance > kappa) | (_transition_distance > kappa / gamma),
)

# Repair: a smaller set that still holds every model which can prevent stopping. Corollary 2 bounds
# the loss of the target's policy by 2/(1-γ) times this sum, and the slack is 4κ_ε/(1-γ).
THETA_S = Formula(
    "θ ∈ Θₛ",
    Sign.IFF,
    _reward_distance + gamma * _transition_distance > 2 * kappa,
)

# Theorem 1.
THEOREM_1 = Formula(
    "τ",
    Sign.AT_MOST,
    128
    * smallest(S * A, k)
    * log_term
    / max_over(min_over(info[theta_star, theta, s, a], blocking_printed), s, a),
)

# Repair: each model needs only some informative pair of its own, not one pair for all models;
# it bounds the queries τ - 1, and the phases are at most k - 1.
THEOREM_1_REPAIRED = Formula(
    "τ - 1",
    Sign.AT_MOST,
    128
    * smallest(S * A, k - 1)
    * log_term
    / min_over(max_over(info[theta_star, theta, s, a], s, a), blocking),
)

# Corollary 1: the smallest gap.
GAMMA_GAP = Formula(
    "Γ", Sign.EQUALS, min_over(largest(_reward_distance, _transition_distance), other)
)

# Corollary 1: what stands inside Õ(·).
COROLLARY_1 = Formula(
    "τ = Õ(x) with x",
    Sign.EQUALS,
    smallest(S * A, k) * log(1 / delta) / (largest(Gamma**2, epsilon**2) * (1 - gamma) ** 4),
)

# Corollary 1: the two steps of its proof, on the denominator of Theorem 1.
_in_gaps = largest(Gamma**2, kappa**2) * (1 - gamma) ** 2
COROLLARY_1_EXCHANGE = Formula(
    "max over s,a of min over Θ_ε of 𝓘_s,a(θ*,θ)", Sign.AT_LEAST, _in_gaps
)
COROLLARY_1_CONSTANT = Formula(
    "max{Γ²,κ_ε²}·(1-γ)²", Sign.AT_LEAST, largest(Gamma**2, epsilon**2) * (1 - gamma) ** 4 / 8
)

# Repair, with constants; no value exceeds 1/(1-γ), so an ε above it asks for no more.
# The gap's part needs (1-γ)² only.
COROLLARY_1_REPAIRED = Formula(
    "τ - 1",
    Sign.AT_MOST,
    smallest(S * A, k - 1)
    * log_term
    * smallest(
        1000 / ((1 - gamma) ** 2 * Gamma**2),
        16000 / ((1 - gamma) ** 4 * smallest(epsilon, 1 / (1 - gamma)) ** 2),
    ),
)
