"""Sections 2 and 3 in rational arithmetic: no rounding, no tolerance.

Deviations are square roots, so only their squares appear; the information of Definition 1 needs
nothing else. Written independently of `reference/`, it doubles as an oracle for it in tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from reference.mdp import MDP

Vector: TypeAlias = tuple[Fraction, ...]
Table: TypeAlias = tuple[Vector, ...]


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
    """A task whose rewards are certain."""
    table = tuple(tuple(map(Fraction, row)) for row in r)
    transitions = tuple(tuple(tuple(map(Fraction, row)) for row in rows) for rows in p)
    zero = tuple(tuple(Fraction(0) for _ in row) for row in table)
    return ExactMDP(p=transitions, r=table, var=zero, gamma=Fraction(gamma))


def rounded(theta: ExactMDP) -> MDP:
    """The same task in doubles, for the literal code; rewards must be certain."""
    r = np.array(theta.r, dtype=np.float64)
    u = np.unique(r)
    q = (r[:, :, np.newaxis] == u).astype(np.float64)
    return MDP(np.array(theta.p, dtype=np.float64), q, u, float(theta.gamma))


def inner(weights: Vector, values: Vector) -> Fraction:
    """wᵀv."""
    return sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0))


def policy_value(theta: ExactMDP, pi: Sequence[int]) -> Vector:
    """V_θ^π by elimination on (I - γP)V = r."""
    rows = [
        [Fraction(int(s == t)) - theta.gamma * theta.p[s][pi[s]][t] for t in range(theta.S)]
        + [theta.r[s][pi[s]]]
        for s in range(theta.S)
    ]
    for column in range(theta.S):
        pivot = rows[column][column]  # I - γP is diagonally dominant: never zero
        rows[column] = [x / pivot for x in rows[column]]
        for other in range(theta.S):
            if other != column:
                factor = rows[other][column]
                rows[other] = [
                    x - factor * y for x, y in zip(rows[other], rows[column], strict=True)
                ]
    return tuple(row[-1] for row in rows)


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


def transfer_threshold(epsilon: Fraction, gamma: Fraction, factor: int) -> Fraction:
    """(1-γ)ε / (factor (1+γ)); the paper prints 4, the sharp factor is 18."""
    return epsilon * (1 - gamma) / (factor * (1 + gamma))


def stopping_slack(epsilon: Fraction, Delta: Fraction, gamma: Fraction) -> Fraction:
    """ε - 2Δ(1+γ)/(1-γ)."""
    return epsilon - 2 * Delta * (1 + gamma) / (1 - gamma)


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
    theta: ExactMDP, theta_prime: ExactMDP, s: int, a: int, Delta: Fraction
) -> Fraction:
    """I_{s,a}(θ,θ') of Definition 1; (x/0)² counts as infinite for x > 0 and as 0 for x = 0."""
    V = optimal_value(theta)
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
