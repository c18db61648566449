"""Section 2: value functions, optimal policies, transition deviations, visitation frequencies.

| symbol            | code                    | shape  |
| ----------------- | ----------------------- | ------ |
| π : S → A         | `pi[s]`                 | (S,)   |
| V_θ^π(s)          | `policy_value`          | (S,)   |
| Σ_t γ^t P^t f     | `discounted_sum`        | (S, m) |
| π*_θ              | `optimal_policy`        | (S,)   |
| V*_θ(s)           | `optimal_value`         | (S,)   |
| σ^p_θ(s,a;θ')     | `transition_std(θ, V)`  | (S, A) |
| σ^p, all θ, θ'    | `transition_stds`       | (k, S, A, k') |
| ν_θ^π(s',a';s)    | `visitation[s,s',a']`   | (S, S, A) |
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ptum.reference.arrays import ROUNDING, Floats, Ints, frozen
from ptum.reference.errors import InputError, require, require_discount
from ptum.reference.mdp import MDP, mean_reward


def policy_value(theta: MDP, pi: Ints) -> Floats:
    """V_θ^π, the solution of V = r_θ^π + γ P_θ^π V."""
    _require_policy(theta, pi)
    states = np.arange(theta.S)
    r_pi = mean_reward(theta)[states, pi]
    return discounted_sum(theta.p[states, pi], theta.gamma, r_pi[:, np.newaxis])[:, 0]


def discounted_sum(P: Floats, gamma: float, f: Floats) -> Floats:
    """Σ_t γ^t P^t f for f ≥ 0 of shape (S, m): the solution x of x = f + γ P x.

    Read γ as the chance that a walk goes on. States are cut out one after another, from the last
    to the first: a step into a state that is cut out is replaced by the steps that lead out of it
    (Grassmann, Taksar and Heyman 1985). Nothing is subtracted, so every entry keeps its digits
    however near γ is to 1. Plain elimination on I - γP loses 1/(1-γ) of them, and equal actions
    then seem to differ. The chance to stay, p(s|s), is never used: it is one minus the others.
    """
    onward, ends, x = gamma * P, np.full(len(P), 1.0 - gamma), np.array(f, dtype=np.float64)
    leaves = np.zeros(len(P))
    for s in reversed(range(len(P))):
        leaves[s] = ends[s] + onward[s, :s].sum()
        visits = onward[:s, s] / leaves[s]
        onward[:s, :s] += np.outer(visits, onward[s, :s])
        ends[:s] += visits * ends[s]
        x[:s] += np.outer(visits, x[s])
    for s in range(len(P)):
        x[s] = (x[s] + onward[s, :s] @ x[:s]) / leaves[s]
    return x


def action_value(theta: MDP, V: Floats) -> Floats:
    """r_θ(s,a) + γ p_θ(s,a)ᵀ V, shape (S, A)."""
    _require_value(theta, V)
    Q: Floats = mean_reward(theta) + theta.gamma * (theta.p @ V)
    return Q


def tie_tolerance(theta: MDP, V: Floats) -> float:
    """Differences between action values that rounding alone can make.

    In units of max|V| + 1, and for each of two actions: the row of p may miss one by 4S roundings
    (D20), V has a relative error below S + 2 roundings, and adding S + 1 products costs S more.
    """
    return _rounding_of_action_values(theta.S, V)


def optimal_policy(theta: MDP) -> Ints:
    """π*_θ by policy iteration; among equal actions the lowest-numbered one (D17).

    A state changes its action only for a gain that rounding cannot fake, so no policy is met
    twice and the loop ends. Equal means equal up to `tie_tolerance`.
    """
    states = np.arange(theta.S)
    pi: Ints = np.zeros(theta.S, dtype=np.int64)
    while True:
        V = policy_value(theta, pi)
        Q = action_value(theta, V)
        tolerance = tie_tolerance(theta, V)
        gain = Q.max(axis=1) - Q[states, pi]
        if np.all(gain <= tolerance):
            return _first_best(Q, tolerance)
        pi = np.where(gain > tolerance, Q.argmax(axis=1), pi)


def optimal_value(theta: MDP) -> Floats:
    """V*_θ = V_θ^{π*_θ}."""
    return policy_value(theta, optimal_policy(theta))


def transition_std(theta: MDP, V: Floats) -> Floats:
    """Deviation of V(S') for S' ~ p_θ(.|s,a), shape (S, A).

    The paper's σ^p_θ(s,a;θ') is this for V = V*_θ' (Section 2, Table 1) or for V = Ṽ*_θ' (what
    Algorithm 1 compares with and what the proofs need): erratum E05.
    """
    _require_value(theta, V)
    mean = theta.p @ V
    deviation = V - mean[:, :, np.newaxis]
    std: Floats = np.sqrt(np.sum(theta.p * deviation**2, axis=-1))
    return std


def transition_stds(tasks: Sequence[MDP], values: Sequence[Floats]) -> Floats:
    """`transition_std` of every task θ and every value function V_θ', entry [θ, s, a, θ']."""
    return np.stack([np.stack([transition_std(theta, V) for V in values], -1) for theta in tasks])


def value_tolerance(V: Floats, gamma: float) -> float:
    """How far two values that are equal on paper may differ after rounding.

    A policy whose actions are all best up to `tie_tolerance` loses that much in every step, which
    sums up to 1/(1-γ) times as much.
    """
    require_discount(gamma)
    return _rounding_of_action_values(int(V.shape[-1]), V) / (1 - gamma)


def visitation(theta: MDP, pi: Ints) -> Floats:
    """ν_θ^π(s',a';s) = Σ_t γ^t P(S_t = s', A_t = a' | S_0 = s); its sum is 1/(1-γ) (D38)."""
    _require_policy(theta, pi)
    states = np.arange(theta.S)
    occupancy = discounted_sum(theta.p[states, pi], theta.gamma, np.eye(theta.S))
    nu = np.zeros((theta.S, theta.S, theta.A))
    nu[:, states, pi] = occupancy
    return nu


def _rounding_of_action_values(S: int, V: Floats) -> float:
    return 12 * (S + 2) * ROUNDING * (float(np.max(np.abs(V))) + 1)


def _first_best(Q: Floats, tolerance: float) -> Ints:
    good = Q.max(axis=1, keepdims=True) - tolerance <= Q
    first: Ints = np.argmax(good, axis=1).astype(np.int64)
    return first


def _require_value(theta: MDP, V: Floats) -> None:
    shape = frozen(V, "V", 1).shape
    require(shape == (theta.S,), "V", f"must have shape ({theta.S},)", value=shape)


def _require_policy(theta: MDP, pi: Ints) -> None:
    kind = np.asarray(pi).dtype.kind
    require(kind in "iu", "pi", "must be an array of integers", value=pi)
    require(pi.shape == (theta.S,), "pi", f"must have shape ({theta.S},)", value=pi.shape)
    bad = np.flatnonzero((pi < 0) | (pi >= theta.A))
    if bad.size:
        s = int(bad[0])
        raise InputError("pi", f"must be an action below {theta.A}", index=(s,), value=int(pi[s]))
