"""Slips in evaluating a policy."""

from __future__ import annotations

import math

import numpy as np

from ptum.checks.judge.capabilities.tasks.optimal import plain_policy_iteration, solved
from ptum.checks.judge.capabilities.tasks.policy_value import V_PI, linear_solver
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Floats, Ints


@slip("policy_value/first-action", breaks=V_PI)
def _first_action(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """The policy is not looked at."""
    return linear_solver(p, q, u, gamma, np.zeros_like(pi))


@slip("policy_value/then-optimal", breaks=V_PI)
def _then_optimal(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """The policy acts once, then the optimal one."""
    V, _ = plain_policy_iteration(p, q, u, gamma)
    states = np.arange(len(p))
    first: Floats = (q @ u + gamma * p @ V)[states, pi]
    return first


@slip("policy_value/improved", breaks=V_PI)
def _improved(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """The best action once, then the policy."""
    V = linear_solver(p, q, u, gamma, pi)
    best: Floats = np.max(q @ u + gamma * p @ V, axis=1)
    return best


@slip("policy_value/uniform", breaks=V_PI)
def _uniform(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """All actions with equal probability."""
    del pi
    return solved(gamma * p.mean(axis=1), (q @ u).mean(axis=1))


@slip("policy_value/moves-of-action-0", breaks=V_PI)
def _moves_of_action_0(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """Rewards are those of the policy, moves those of action 0."""
    states = np.arange(len(p))
    return solved(gamma * p[:, 0], (q @ u)[states, pi])


@slip("policy_value/transposed", breaks=V_PI)
def _transposed(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """Sums over where one comes from."""
    states = np.arange(len(p))
    return solved(gamma * p[states, pi].T, (q @ u)[states, pi])


@slip("policy_value/short-horizon", breaks=V_PI)
def _horizon(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """Stops adding up after ten horizons of 1/(1-γ) steps."""
    states = np.arange(len(p))
    step, V = gamma * p[states, pi], linear_solver(p, q, u, gamma, pi)
    left: Floats = V - np.linalg.matrix_power(step, 10 * math.ceil(1 / (1 - gamma))) @ V
    return left


@slip("policy_value/delayed", breaks=V_PI)
def _delayed(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """The first reward is discounted already."""
    return gamma * linear_solver(p, q, u, gamma, pi)


@slip("policy_value/normalised", breaks=V_PI)
def _normalised(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """(1-γ) times the value."""
    return (1 - gamma) * linear_solver(p, q, u, gamma, pi)


@slip("policy_value/one-action", breaks=V_PI)
def _one_action(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """The action of state 0 is taken everywhere."""
    return linear_solver(p, q, u, gamma, np.full_like(pi, pi[0]))


@slip("policy_value/likely-moves-only", breaks=V_PI)
def _likely_moves(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """Probabilities of less than a millionth are taken for none."""
    likely = np.where(p < 1e-6, 0.0, p)
    return linear_solver(likely / likely.sum(axis=2, keepdims=True), q, u, gamma, pi)
