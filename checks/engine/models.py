"""Models solved by sparse LU, every value with a certificate of its accuracy.

A policy is evaluated in the form that `discounted_sum` solves: with the probability to stay left
out, A = (1-γ)I + γ diag(Σ_{s'≠s} p(s'|s)) - γ(p without its diagonal). A has row sums 1-γ and no
positive entry beside the diagonal, so ‖A⁻¹‖_∞ = 1/(1-γ). The solution is refined in extended
precision until the residual ρ, evaluated in it as r - (1-γ)x - γ Σ p(s'|s)(x(s) - x(s')), says

    ‖x - V‖_∞ ≤ (‖ρ‖_∞ + e)/(1-γ) ≤ (S+2)/4 roundings of max|x|

where e bounds the rounding of ρ itself: (w+6) roundings of extended precision, w next states a row,
of the sum of its terms' sizes. Rounding x to doubles costs half a rounding more. That is within
what the tolerances of `ptum.reference.tasks.values` allow a value, (S+2)/2 roundings of max|V|.
Where it is not reached, as with γ next to 1 or without extended precision, the literal elimination
is asked. Standard deviations are computed as in the literal code, over the next states that occur.

Memory: twice the possible transitions of every task, and the factors of one policy at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from ptum.reference.arrays import ROUNDING, Bools, Floats, Ints
from ptum.reference.tasks import models
from ptum.reference.tasks.mdp import MDP, mean_reward
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import policy_value

Extended: TypeAlias = npt.NDArray[np.longdouble]

REFINEMENTS = 3
EXTENDED_ROUNDING = float(np.finfo(np.longdouble).eps)


def approximate_models(tasks: Sequence[MDP]) -> ApproximateModels:
    """`ptum.reference.tasks.models.approximate_models`, with the accuracy above."""
    solver = Solver()
    return models.approximate_models(
        tasks, evaluate=solver.policy_value, deviations=solver.transition_stds
    )


def among(models: ApproximateModels, kept: Sequence[int]) -> ApproximateModels:
    """Some of the models, in that order, without solving them again."""
    chosen = list(kept)
    return ApproximateModels(
        tasks=tuple(models.tasks[theta] for theta in chosen),
        r=models.r[chosen],
        p=models.p[chosen],
        sigma_r=models.sigma_r[chosen],
        pi_star=models.pi_star[chosen],
        V_star=models.V_star[chosen],
        sigma_p=models.sigma_p[chosen][..., chosen],
        V_pi=models.V_pi[chosen][:, chosen],
        gamma=models.gamma,
    )


@dataclass(frozen=True, eq=False)
class Successors:
    """The possible next states of every pair: numbers, probabilities, which are there; (S, A, w).

    Shorter rows are filled up with the state itself and probability zero.
    """

    states: Ints
    p: Floats
    there: Bools
    r: Floats


def successors(task: MDP) -> Successors:
    """The table of a task."""
    s, a, after = np.nonzero(task.p)
    count = np.bincount(s * task.A + a, minlength=task.S * task.A)
    place = np.arange(s.size) - np.repeat(np.cumsum(count) - count, count)
    shape = task.S, task.A, int(count.max())
    states = np.broadcast_to(np.arange(task.S)[:, np.newaxis, np.newaxis], shape).copy()
    states[s, a, place] = after
    p = np.zeros(shape)
    p[s, a, place] = task.p[s, a, after]
    return Successors(states, p, p > 0, mean_reward(task))


class Solver:
    """Evaluates policies and deviations; keeps a table for every task that it has met."""

    def __init__(self) -> None:
        self._tables: dict[MDP, Successors] = {}

    def policy_value(self, theta: MDP, pi: Ints) -> Floats:
        """V_θ^π with a certificate, or by the literal elimination."""
        table, at = self._table(theta), np.arange(theta.S)
        states, p = table.states[at, pi], table.p[at, pi]
        leaves = table.there[at, pi] & (states != at[:, np.newaxis])
        p = np.where(leaves, p, 0.0)
        found = _certified(states, p, leaves, table.r[at, pi], theta.gamma)
        return policy_value(theta, pi) if found is None else found

    def transition_stds(self, tasks: Sequence[MDP], values: Sequence[Floats]) -> Floats:
        """σ^p of every task and every value function, entry [θ, s, a, θ']."""
        return np.stack([np.stack([self._std(task, V) for V in values], axis=-1) for task in tasks])

    def _std(self, task: MDP, V: Floats) -> Floats:
        table = self._table(task)
        V_next = V[table.states]
        mean = np.einsum("saw,saw->sa", table.p, V_next)
        V_next -= mean[:, :, np.newaxis]
        np.square(V_next, out=V_next)
        std: Floats = np.sqrt(np.einsum("saw,saw->sa", table.p, V_next))
        return std

    def _table(self, task: MDP) -> Successors:
        if task not in self._tables:
            self._tables[task] = successors(task)
        return self._tables[task]


def _certified(states: Ints, p: Floats, leaves: Bools, r: Floats, gamma: float) -> Floats | None:
    """The solution, if its certificate is good enough; rows are states, columns next states."""
    S, width = states.shape
    diagonal = (1 - gamma) + gamma * p.sum(axis=1)
    there = np.concatenate((np.ones((S, 1), dtype=np.bool_), leaves), axis=1)
    entries = np.concatenate((diagonal[:, np.newaxis], -gamma * p), axis=1)[there]
    places = np.concatenate((np.arange(S)[:, np.newaxis], states), axis=1)[there]
    ends = np.concatenate(([0], np.cumsum(there.sum(axis=1))))
    factors = splu(csc_array((entries, places, ends), shape=(S, S)))  # of the transpose of A

    def solved(right: Floats) -> Floats:
        found: Floats = factors.solve(right, "T")  # type: ignore[call-overload]  # stubs lack "T"
        return found

    x: Extended = solved(r).astype(np.longdouble)
    for _ in range(REFINEMENTS):
        rho, size = _residual(x, states, p, r, gamma)
        error = (float(np.abs(rho).max()) + (width + 6) * EXTENDED_ROUNDING * size) / (1 - gamma)
        if error <= (S + 2) / 4 * ROUNDING * float(np.abs(x).max()):
            return x.astype(np.float64)
        x = x + solved(rho.astype(np.float64))
    return None


def _residual(
    x: Extended, states: Ints, p: Floats, r: Floats, gamma: float
) -> tuple[Extended, float]:
    """r - Ax in extended precision, and the largest sum of the sizes of its terms."""
    steps = gamma * np.longdouble(1) * p * (x[:, np.newaxis] - x[states])
    stays = (1 - np.longdouble(gamma)) * x
    rho: Extended = r - stays - steps.sum(axis=1)
    size = np.abs(r) + np.abs(stays) + np.abs(steps).sum(axis=1)
    return rho, float(size.max())
