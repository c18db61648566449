"""Slips in planning."""

from __future__ import annotations

import numpy as np

from ptum.checks.judge.capabilities.tasks.optimal import (
    plain_policy_iteration,
    solved,
)
from ptum.checks.judge.judging.items import PI_STAR, V_STAR, Item
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Bools, Floats, Ints

Answer = tuple[Floats, Ints]

BOTH = Item("Section 2, V* and π*", *V_STAR.places, *PI_STAR.places)
"""Where a slip leads to wrong values and, in some tasks, to a wrong policy as well."""


def _value(p: Floats, r: Floats, gamma: float, pi: Ints) -> Floats:
    states = np.arange(len(p))
    return solved(gamma * p[states, pi], r[states, pi])


@slip("optimal/greedy", breaks=BOTH)
def _greedy(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """Takes the best reward now, and tells what that is worth."""
    r = q @ u
    pi: Ints = np.argmax(r, axis=1)
    return _value(p, r, gamma, pi), pi


@slip("optimal/greedy-policy", breaks=PI_STAR)
def _greedy_policy(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """The right value, with the policy of the best reward now."""
    return plain_policy_iteration(p, q, u, gamma)[0], np.argmax(q @ u, axis=1)


@slip("optimal/early-stop", breaks=BOTH)
def _early_stop(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """Value iteration with as many sweeps as are enough for γ = 0.9."""
    r, V = q @ u, np.zeros(len(p))
    for _ in range(300):
        V = np.max(r + gamma * p @ V, axis=1)
    return V, np.argmax(r + gamma * p @ V, axis=1)


@slip("optimal/minimising", breaks=BOTH)
def _minimising(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """The smallest value for the largest."""
    V, pi = plain_policy_iteration(p, q, -u, gamma)
    return -V, pi


@slip("optimal/improves-by-much", breaks=BOTH)
def _improves_by_much(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """Policy iteration that takes another action only if it is better by a thousandth."""
    r, states = q @ u, np.arange(len(p))
    pi: Ints = np.argmax(r, axis=1)
    for _ in range(p[..., 0].size):
        Q = r + gamma * p @ _value(p, r, gamma, pi)
        pi = np.where(Q.max(axis=1) > 1.001 * Q[states, pi], np.argmax(Q, axis=1), pi)
    return _value(p, r, gamma, pi), pi


@slip("optimal/one-improvement", breaks=BOTH)
def _one_improvement(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """Policy iteration that is left after one improvement."""
    r = q @ u
    V = _value(p, r, gamma, np.argmax(r, axis=1))
    pi: Ints = np.argmax(r + gamma * p @ V, axis=1)
    return _value(p, r, gamma, pi), pi


@slip("optimal/coarse-comparison", breaks=BOTH)
def _coarse(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """The policy is chosen by rewards that are rounded to hundredths."""
    _, pi = plain_policy_iteration(p, np.round(100 * q @ u)[:, :, np.newaxis], np.ones(1), gamma)
    return _value(p, q @ u, gamma, pi), pi


@slip("optimal/largest-reward", breaks=BOTH)
def _largest_reward(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """The largest reward that can occur, in place of the mean."""
    r = np.max(np.where(q > 0, u, 0.0), axis=2)
    return plain_policy_iteration(p, r[:, :, np.newaxis], np.ones(1), gamma)


@slip("optimal/likeliest-reward", breaks=BOTH)
def _likeliest_reward(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """The most likely reward, in place of the mean."""
    r = u[np.argmax(q, axis=2)]
    return plain_policy_iteration(p, r[:, :, np.newaxis], np.ones(1), gamma)


@slip("optimal/sorted-rewards", breaks=BOTH)
def _sorted_rewards(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """The list of rewards is sorted, the probabilities are not."""
    return plain_policy_iteration(p, q, np.sort(u), gamma)


@slip("optimal/swapped-axes", breaks=BOTH)
def _swapped_axes(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """Actions first, then states: goes unnoticed unless there are as many of both."""
    if p.shape[0] == p.shape[1]:
        p = p.transpose(1, 0, 2)
    return plain_policy_iteration(p, q, u, gamma)


@slip("optimal/absorbing-is-terminal", breaks=BOTH)
def _terminal(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """A state that is never left counts as the end: it is worth nothing."""
    states = np.arange(len(p))
    ends: Bools = np.all(p[states, :, states] == 1.0, axis=1)
    q = np.where(ends[:, np.newaxis, np.newaxis], 0.0, q)
    return plain_policy_iteration(p, q, u, gamma)


@slip("optimal/likely-moves-only", breaks=BOTH)
def _likely_moves(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """Probabilities of less than a millionth are taken for none."""
    likely = np.where(p < 1e-6, 0.0, p)
    return plain_policy_iteration(likely / likely.sum(axis=2, keepdims=True), q, u, gamma)


@slip("optimal/default-discount", breaks=BOTH)
def _default_discount(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """`gamma or 0.9`: a discount factor of zero is taken for none given."""
    return plain_policy_iteration(p, q, u, gamma or 0.9)


@slip("optimal/reward-delayed", breaks=V_STAR)
def _delayed(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """The first reward is discounted already."""
    V, pi = plain_policy_iteration(p, q, u, gamma)
    return gamma * V, pi


@slip("optimal/normalised", breaks=V_STAR)
def _normalised(p: Floats, q: Floats, u: Floats, gamma: float) -> Answer:
    """(1-γ) times the value."""
    V, pi = plain_policy_iteration(p, q, u, gamma)
    return (1 - gamma) * V, pi
