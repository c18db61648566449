"""Sections 2 and 3 in rational arithmetic: no rounding, no tolerance.

Deviations are square roots, so only their squares appear; the information of Definition 1 needs
nothing else. Written independently of `reference/`, it doubles as an oracle for it in tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TypeAlias

import numpy as np

from ptum.reference.tasks.mdp import MDP

Vector: TypeAlias = tuple[Fraction, ...]
Table: TypeAlias = tuple[Vector, ...]

PRINTED_FACTOR, SHARP_FACTOR = 4, 18
"""Line 2 admits Δ up to (1-γ)ε/(factor (1+γ)): as printed, and the largest that Lemma 7 admits."""


@dataclass(frozen=True)
class ExactMDP:
    """A task with rational numbers: p[s][a][s'], mean reward r[s][a], reward variance var[s][a]."""

    p: tuple[Table, ...]
    r: Table
    var: Table
    gamma: Fraction

    @property
    def S(self) -> int:
        """Number of states."""
        return len(self.p)

    @property
    def A(self) -> int:
        """Number of actions."""
        return len(self.p[0])


def deterministic(
    p: Sequence[Sequence[Sequence[Fraction]]], r: Sequence[Sequence[Fraction]], gamma: Fraction
) -> ExactMDP:
    """A task whose rewards are deterministic."""
    table = tuple(tuple(map(Fraction, row)) for row in r)
    transitions = tuple(tuple(tuple(map(Fraction, row)) for row in rows) for rows in p)
    zero = tuple(tuple(Fraction(0) for _ in row) for row in table)
    return ExactMDP(p=transitions, r=table, var=zero, gamma=Fraction(gamma))


def mixture(theta: ExactMDP, other: ExactMDP, weight: Fraction) -> ExactMDP:
    """(1-w) θ + w θ' for tasks with deterministic rewards, which stay certain."""

    def blend(row: Vector, second: Vector) -> Vector:
        return tuple((1 - weight) * x + weight * y for x, y in zip(row, second, strict=True))

    p = tuple(
        tuple(blend(row, second) for row, second in zip(rows, seconds, strict=True))
        for rows, seconds in zip(theta.p, other.p, strict=True)
    )
    r = tuple(blend(row, second) for row, second in zip(theta.r, other.r, strict=True))
    return replace(theta, p=p, r=r)


def with_variance(theta: ExactMDP, share: Fraction) -> ExactMDP:
    """The task with noisy rewards: a share of r(1-r), which is the variance of Bernoulli rewards.

    No reward in [0,1] with mean r has more.
    """
    return replace(theta, var=tuple(tuple(share * r * (1 - r) for r in row) for row in theta.r))


def rounded(theta: ExactMDP) -> MDP:
    """The same task in doubles, for the literal code; rewards must be certain."""
    r = np.array(theta.r, dtype=np.float64)
    u = np.unique(r)
    q = (r[:, :, np.newaxis] == u).astype(np.float64)
    return MDP(np.array(theta.p, dtype=np.float64), q, u, float(theta.gamma))


def inner(weights: Vector, values: Vector) -> Fraction:
    """wᵀv, over one common denominator: a fraction is reduced once, not at every step."""
    products = [
        (w.numerator * v.numerator, w.denominator * v.denominator)
        for w, v in zip(weights, values, strict=True)
    ]
    common = lcm(*(denominator for _, denominator in products))
    return Fraction(sum(n * (common // d) for n, d in products), common)


def policy_value(theta: ExactMDP, pi: Sequence[int]) -> Vector:
    """V_θ^π by elimination on (I - γP)V = r, in integers (Bareiss 1968): divisions are exact."""
    rows = [
        _integers(
            [int(s == t) - theta.gamma * theta.p[s][pi[s]][t] for t in range(theta.S)]
            + [theta.r[s][pi[s]]]
        )
        for s in range(theta.S)
    ]
    divisor = 1
    for column in range(theta.S):
        pivot = rows[column][column]  # I - γP is diagonally dominant: never zero
        for other in range(theta.S):
            if other != column:
                factor = rows[other][column]
                rows[other] = [
                    (pivot * x - factor * y) // divisor
                    for x, y in zip(rows[other], rows[column], strict=True)
                ]
        divisor = pivot
    return tuple(Fraction(row[-1], row[s]) for s, row in enumerate(rows))


def _integers(row: Sequence[Fraction]) -> list[int]:
    """The row times its common denominator."""
    common = lcm(*(x.denominator for x in row))
    return [x.numerator * (common // x.denominator) for x in row]


def action_values(theta: ExactMDP, V: Vector) -> Table:
    """r_θ(s,a) + γ p_θ(s,a)ᵀ V."""
    return tuple(
        tuple(theta.r[s][a] + theta.gamma * inner(theta.p[s][a], V) for a in range(theta.A))
        for s in range(theta.S)
    )


@lru_cache(maxsize=256)
def optimal_policy(theta: ExactMDP) -> tuple[int, ...]:
    """π*_θ by policy iteration; the lowest-numbered action among equals."""
    pi = tuple(0 for _ in range(theta.S))
    while True:
        Q = action_values(theta, policy_value(theta, pi))
        better = tuple(
            pi[s] if Q[s][pi[s]] == max(Q[s]) else Q[s].index(max(Q[s])) for s in range(theta.S)
        )
        if better == pi:
            return tuple(row.index(max(row)) for row in Q)
        pi = better


@lru_cache(maxsize=256)
def optimal_value(theta: ExactMDP) -> Vector:
    """V*_θ."""
    return policy_value(theta, optimal_policy(theta))


def variance(weights: Vector, values: Vector) -> Fraction:
    """Var of the values under the weights."""
    mean = inner(weights, values)
    return sum((w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True)), Fraction(0))


def transfer_threshold(epsilon: Fraction, gamma: Fraction, factor: int | Fraction) -> Fraction:
    """(1-γ)ε / (factor (1+γ))."""
    return epsilon * (1 - gamma) / (factor * (1 + gamma))


def stopping_slack(epsilon: Fraction, Delta: Fraction, gamma: Fraction) -> Fraction:
    """ε - 2Δ(1+γ)/(1-γ)."""
    return epsilon - 2 * Delta * (1 + gamma) / (1 - gamma)


def kappa(epsilon: Fraction, Delta: Fraction, gamma: Fraction) -> Fraction:
    """κ_ε = (1-γ)ε/4 - Δ(1+γ)/2."""
    return (1 - gamma) * epsilon / 4 - Delta * (1 + gamma) / 2


def reward_distance(theta: ExactMDP, target: ExactMDP) -> Fraction:
    """‖r̃_θ - r̃_θ*‖_∞."""
    return max(abs(theta.r[s][a] - target.r[s][a]) for s in range(theta.S) for a in range(theta.A))


def transition_distance(theta: ExactMDP, target: ExactMDP) -> Fraction:
    """‖(p̃_θ - p̃_θ*)ᵀ Ṽ*_θ*‖_∞."""
    V = optimal_value(target)
    return max(
        abs(inner(theta.p[s][a], V) - inner(target.p[s][a], V))
        for s in range(theta.S)
        for a in range(theta.A)
    )


def largest_gap(models: Sequence[ExactMDP]) -> Fraction:
    """The largest gap of rewards or of transitions, over all pairs and ordered pairs of models."""
    return max(
        max(reward_distance(prime, theta), transition_distance(prime, theta))
        for theta in models
        for prime in models
    )


def loss(theta_prime: ExactMDP, pi: Sequence[int]) -> Fraction:
    """max_s V*_θ'(s) - V_θ'^π(s)."""
    best = optimal_value(theta_prime)
    have = policy_value(theta_prime, pi)
    return max(b - h for b, h in zip(best, have, strict=True))


def smallest_worst_loss(models: Sequence[ExactMDP]) -> Fraction:
    """min over θ of the largest loss of π*_θ in any model: line 14 stops iff it is ≤ slack."""
    return min(
        max(loss(theta_prime, optimal_policy(theta)) for theta_prime in models) for theta in models
    )


def information(
    theta: ExactMDP,
    theta_prime: ExactMDP,
    s: int,
    a: int,
    Delta: Fraction,
    V_star: Vector | None = None,
) -> Fraction:
    """I_{s,a}(θ,θ') of Definition 1; (x/0)² counts as infinite for x > 0 and as 0 for x = 0.

    V*_θ is computed unless it is given.
    """
    V = optimal_value(theta) if V_star is None else V_star
    difference = tuple(x - y for x, y in zip(theta.p[s][a], theta_prime.p[s][a], strict=True))
    x_r = max(abs(theta.r[s][a] - theta_prime.r[s][a]) - 8 * Delta, Fraction(0))
    x_p = max(abs(inner(difference, V)) - 8 * Delta, Fraction(0))
    return max(
        _bernstein(x_r, theta.var[s][a], Fraction(1)),
        _bernstein(x_p, variance(theta.p[s][a], V), 1 - theta.gamma),
    )


def largest_index(models: Sequence[ExactMDP], Delta: Fraction) -> Fraction:
    """max over pairs and ordered pairs of models of the information: I_t(S_t,A_t)."""
    return max(
        information(theta, theta_prime, s, a, Delta)
        for theta in models
        for theta_prime in models
        for s in range(theta.S)
        for a in range(theta.A)
    )


def _bernstein(x: Fraction, variance_: Fraction, linear: Fraction) -> Fraction:
    return linear * x if variance_ == 0 else min(x**2 / variance_, linear * x)
