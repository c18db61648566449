"""Lemma 5 (simulation lemma) and Corollary 2 (value-function error decomposition).

| symbol                | code                  | shape |
| --------------------- | --------------------- | ----- |
| θ, θ'                 | `theta`, `theta_prime`|       |
| ν_θ'^π(s',a';s)       | `visitation`          | (S, S, A) |
| right sides, per s    | `policy_value_bound`, `optimal_value_bound`, `value_error_bound` | (S,) |
| both sides, per s     | `policy_value_sides`, `optimal_value_sides`, `value_error_sides` | (S,) |

The frequencies are those of the SECOND model, the value inside the bracket that of the first.
"""

from __future__ import annotations

import numpy as np

from ptum.reference.arrays import Floats, Ints
from ptum.reference.errors import require
from ptum.reference.inequalities import Inequality
from ptum.reference.tasks.gaps import reward_gap, transition_gap_three
from ptum.reference.tasks.mdp import MDP, mean_reward
from ptum.reference.tasks.values import (
    optimal_policy,
    optimal_value,
    policy_value,
    value_tolerance,
    visitation,
)


def policy_value_bound(*, theta: MDP, theta_prime: MDP, pi: Ints) -> Floats:
    """Σ_{s',a'} ν_θ'^π(s',a';s) [ |r_θ - r_θ'| + γ |(p_θ - p_θ')ᵀ V_θ^π| ] (s',a')."""
    return _accumulated(theta, theta_prime, pi, policy_value(theta, pi))


def optimal_value_bound(*, theta: MDP, theta_prime: MDP) -> Floats:
    """The same with V*_θ in the bracket; the larger of π = π*_θ and π = π*_θ'."""
    V_star = optimal_value(theta)
    first, second = (
        _accumulated(theta, theta_prime, optimal_policy(model), V_star)
        for model in (theta, theta_prime)
    )
    return np.maximum(first, second)


def value_error_bound(*, theta: MDP, theta_prime: MDP) -> Floats:
    """Corollary 2: twice the bound on |V*_θ' - V*_θ|."""
    return 2 * optimal_value_bound(theta=theta, theta_prime=theta_prime)


def policy_value_sides(*, theta: MDP, theta_prime: MDP, pi: Ints) -> Inequality:
    """Lemma 5, first line: |V_θ^π(s) - V_θ'^π(s)| and its bound."""
    V, V_prime = policy_value(theta, pi), policy_value(theta_prime, pi)
    bound = policy_value_bound(theta=theta, theta_prime=theta_prime, pi=pi)
    return _sides(np.abs(V - V_prime), bound, theta)


def optimal_value_sides(*, theta: MDP, theta_prime: MDP) -> Inequality:
    """Lemma 5, second line: |V*_θ'(s) - V*_θ(s)| and its bound."""
    difference = np.abs(optimal_value(theta_prime) - optimal_value(theta))
    bound = optimal_value_bound(theta=theta, theta_prime=theta_prime)
    return _sides(difference, bound, theta)


def value_error_sides(*, theta: MDP, theta_prime: MDP) -> Inequality:
    """Corollary 2: |V*_θ'(s) - V_θ'^{π*_θ}(s)| and its bound."""
    V_star = optimal_value(theta_prime)
    V_transferred = policy_value(theta_prime, optimal_policy(theta))
    difference = np.abs(V_star - V_transferred)
    bound = value_error_bound(theta=theta, theta_prime=theta_prime)
    return _sides(difference, bound, theta)


def _accumulated(theta: MDP, theta_prime: MDP, pi: Ints, V: Floats) -> Floats:
    """Σ_{s',a'} ν_θ'^π(s',a';s) [ |r_θ - r_θ'| + γ |(p_θ - p_θ')ᵀ V| ] (s',a'), for every s."""
    _require_comparable(theta, theta_prime)
    gap_r = reward_gap(mean_reward(theta), mean_reward(theta_prime))
    gap_p = transition_gap_three(theta.p, theta_prime.p, V)
    nu = visitation(theta_prime, pi)
    bound: Floats = np.sum(nu * (gap_r + theta.gamma * gap_p), axis=(1, 2))
    return bound


def _sides(left: Floats, right: Floats, theta: MDP) -> Inequality:
    """Two values on the left; on the right a value inside the bracket, and the frequencies.

    Values are at most 1/(1-γ), with tolerance v. Where policies are optimal up to 2t a step only,
    t = (1-γ)v, the proof loses 2v if the policy of θ' is behind and min{4v, 2v/(1-γ)} if the one of
    θ is: at most 2v/(1-γ). The error of the frequencies is that of a value of size `right`, whose
    tolerance covers the few roundings of the values as well.
    """
    largest_value = np.full(theta.S, 1 / (1 - theta.gamma))
    of_values = 2 * value_tolerance(largest_value, theta.gamma) / (1 - theta.gamma)
    tolerance = of_values + value_tolerance(right, theta.gamma)
    return Inequality(left=left, right=right, tolerance=tolerance)


def _require_comparable(theta: MDP, theta_prime: MDP) -> None:
    same = (theta.S, theta.A, theta.gamma) == (theta_prime.S, theta_prime.A, theta_prime.gamma)
    require(same, "theta_prime", "must have the S, A and γ of theta")
