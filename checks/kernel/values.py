"""Section 2: values and optimal policies of a task, given by p(s'|s,a), mean rewards and γ."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from .arithmetic import Matrix, Vector, identity, plus, solve, times, transpose

Policy = tuple[int, ...]


def value(p: tuple[Matrix, ...], r: Matrix, gamma: Fraction, pi: Policy) -> Vector:
    """V^π, which solves (I - γP)V = r."""
    P = tuple(p[s][a] for s, a in enumerate(pi))
    reward = tuple((r[s][a],) for s, a in enumerate(pi))
    return transpose(solve(plus(identity(len(r)), -gamma, P), reward))[0]


@lru_cache
def optimal(p: tuple[Matrix, ...], r: Matrix, gamma: Fraction) -> tuple[Policy, Vector]:
    """π*, in every state the first of the best actions, and V*: policy iteration."""
    pi = (0,) * len(r)
    while True:
        V = value(p, r, gamma, pi)
        Q = plus(r, gamma, times(p, V))
        pi = tuple(row.index(max(row)) for row in Q)
        if tuple(map(max, Q)) == V:
            return pi, V
