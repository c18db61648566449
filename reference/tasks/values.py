"""Section 2: value functions, optimal policies, standard deviations, visitation frequencies.

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

Two values that are equal on paper may differ by `value_tolerance`; what that adds to the loss of a
returned policy is `loss_from_rounding`, and an accuracy ε that it would spoil is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from ptum.reference.arrays import ROUNDING, Floats, Ints, above, frozen
from ptum.reference.errors import InputError, require, require_discount, require_numbers
from ptum.reference.tasks.mdp import MDP, mean_reward

ROUNDED_SHARE = 0.01
"""How much of ε rounding may add to the loss of a returned policy; more is refused (D35)."""


def policy_value(theta: MDP, pi: Ints) -> Floats:
    """V_θ^π, the solution of V = r_θ^π + γ P_θ^π V."""
    _require_policy(theta, pi)
    states = np.arange(theta.S)
    r_pi = mean_reward(theta)[states, pi]
    return discounted_sum(theta.p[states, pi], theta.gamma, r_pi[:, np.newaxis])[:, 0]


def discounted_sum(P: Floats, gamma: float, f: Floats) -> Floats:
    """Σ_t γ^t P^t f for f ≥ 0 of shape (S, m): the solution x of x = f + γ P x.

    Read γ as the probability that a walk goes on. States are cut out one after another, from the
    last to the first: a step into a state that is cut out is replaced by the steps that lead out of
    it (Grassmann, Taksar and Heyman 1985). Nothing is subtracted, so every entry keeps its digits
    however near γ is to 1. Plain elimination on I - γP loses 1/(1-γ) of them, and equal actions
    then seem to differ. The probability to stay, p(s|s), is never used: it is one minus the others.
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


Evaluate: TypeAlias = Callable[[MDP, Ints], Floats]
"""`policy_value`, or other code that is at least as accurate."""


def optimal_policy(theta: MDP, evaluate: Evaluate = policy_value) -> Ints:
    """π*_θ by policy iteration; among equal actions the lowest-numbered one (D17).

    A state changes its action only for a gain that rounding cannot fake, so no policy is met
    twice and the loop ends. Equal means equal up to `tie_tolerance`.
    """
    states = np.arange(theta.S)
    pi: Ints = np.zeros(theta.S, dtype=np.int64)
    while True:
        V = evaluate(theta, pi)
        Q = action_value(theta, V)
        tolerance = tie_tolerance(theta, V)
        require_numbers(Q=Q, tolerance=tolerance)  # with NaN the loop would never end
        gain = Q.max(axis=1) - Q[states, pi]
        if np.all(gain <= tolerance):
            return first_best(Q, tolerance)
        pi = np.where(gain > tolerance, Q.argmax(axis=1), pi)


def optimal_value(theta: MDP) -> Floats:
    """V*_θ = V_θ^{π*_θ}."""
    return policy_value(theta, optimal_policy(theta))


def transition_std(theta: MDP, V: Floats) -> Floats:
    """Standard deviation of V(S') for S' ~ p_θ(.|s,a), shape (S, A).

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


def gap_tolerance(V: Floats) -> float:
    """e: a gap |(p - p')ᵀV| that equals its threshold on paper exceeds it by less than e.

    A sixth of `tie_tolerance` t, which lies between what rounding makes and what line 14 sees.
    *Large enough:* values have errors of at most (S+2)/2 roundings (seen in tests) and |p - p'|
    sums up to 2 at most, which makes S+2 roundings of max|V|; differences, products and their sum
    make S+1 more: together fewer than 2(S+2). *Small enough*, where policies are optimal on paper
    and not by near ties: what line 14 rejects loses more than slack + v in doubles, v = t/(1-γ), of
    which at most v/6 is rounding: S+2 roundings of max|V| in the gap of (2) in
    docs/repaired_transfer.md, which counts 2γ/(1-γ) times there, and in the two values. So
    G_r + γG_p > 2κ_ε + 5t/12 on paper, and > 2κ_ε + t/3 = 2κ_ε + 2e in doubles. Where the repaired
    line 2 admits Δ, then G_r > 8Δ + e or G_p > 8Δ + e: a positive index.
    """
    return _rounding_of_action_values(int(V.shape[-1]), V) / 6


def loss_from_rounding(S: int, gamma: float) -> float:
    """How much worse rounding can make the policy of line 14 than its slack says: 6v.

    v is `value_tolerance` of values up to 1/(1-γ), and t = (1-γ)v the `tie_tolerance`. Computed
    differences of action values have errors of t at most. So where no computed gain exceeds t, V*
    is at most 2v above the last value of policy iteration, and the actions within t of the best
    that are taken then lose at most 2v against it: the optimal policy of a model loses up to 4v.
    Line 14 accepts v more than its slack (D14), and the two values that it compares have errors of
    (S+2) roundings each, less than v together.
    """
    require_discount(gamma)
    return 6 * value_tolerance(np.full(S, 1 / (1 - gamma)), gamma)


def least_accuracy(S: int, gamma: float) -> float:
    """The least ε > 0 of which rounding adds at most `ROUNDED_SHARE` to the loss."""
    return loss_from_rounding(S, gamma) / ROUNDED_SHARE


def require_resolved(epsilon: float, S: int, gamma: float) -> None:
    """ε is at least `least_accuracy`, or 0 where 1 would be.

    With γ near 1 a suboptimal action may be within `tie_tolerance` of the best one and lose more
    than ε in the long run. ε = 0 asks for the optimum, of which doubles know only so much: there
    rounding may cost as much as for ε = 1, the largest reward.
    """
    least = least_accuracy(S, gamma)
    problem = (
        f"is too small for doubles at γ = {gamma} with S = {S} states: rounding alone can cost the "
        f"returned policy {loss_from_rounding(S, gamma):.2g}, and that must be at most "
        f"{ROUNDED_SHARE:.0%} of ε (of 1 for ε = 0); ask for ε ≥ {1.1 * least:.2g}, or take a "
        "smaller γ or fewer states"
    )
    require((epsilon or 1.0) >= least, "epsilon", problem, value=epsilon)


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


def first_best(Q: Floats, tolerance: float) -> Ints:
    """In every row the first entry that is largest up to rounding."""
    good = ~above(Q.max(axis=1, keepdims=True) - tolerance, Q)
    first: Ints = np.argmax(good, axis=1).astype(np.int64)
    return first


def _require_value(theta: MDP, V: Floats) -> None:
    shape = frozen(V, "V", 1).shape
    require(shape == (theta.S,), "V", f"must have shape ({theta.S},)", value=shape)


def _require_policy(theta: MDP, pi: Ints) -> None:
    given: object = pi
    plain = isinstance(given, np.ndarray) and not isinstance(given, np.ma.MaskedArray)
    require(plain and pi.dtype.kind in "iu", "pi", "must be an array of integers", value=pi)
    require(pi.shape == (theta.S,), "pi", f"must have shape ({theta.S},)", value=pi.shape)
    bad = np.flatnonzero((pi < 0) | (pi >= theta.A))
    if bad.size:
        s = int(bad[0])
        raise InputError("pi", f"must be an action below {theta.A}", index=(s,), value=int(pi[s]))
