"""RMAX and MaxQInit: one algorithm, two initial tables (Section 6; Appendix E.1 and E.2; D86).

| symbol    | code           | meaning                                                           |
| --------- | -------------- | ----------------------------------------------------------------- |
| U(s,a)    | `initial`      | what a pair is worth until it is known                            |
| m         | `m`            | samples after which a pair is known (10, 240 or 100 in the paper) |
| R̂, T̂      | `rewards`, `successors` | counts of the first m samples of a pair                  |
| RMAX      | `rmax_table`   | U = r_max/(1-γ) (Brafman and Tennenholtz 2002; Strehl et al. 2009) |
| MaxQInit  | `maxqinit_table` | U = max_θ Q*_θ over the known tasks (Abel et al. 2018)          |

The learner acts greedily with respect to Q. While a pair has fewer than m samples each of them is
counted, later ones are ignored. When a pair reaches m, Q becomes the fixed point of
Q = R̂ + γ Σ T̂ max Q at the known pairs and Q = U at the others, found by policy iteration; or with
`sweeps`, as the cited papers print it, so many steps from the last Q towards it (D115). Among equal
actions the first is taken, equal up to rounding, so that no draw hangs on a last digit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ptum.reference.arrays import Bools, Floats, Ints, frozen
from ptum.reference.errors import (
    require,
    require_all,
    require_count,
    require_discount,
    require_numbers,
    require_probability,
    require_table,
)
from ptum.reference.experiments.episodes import Learner, OnlineTask, solved
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import require_same_shape
from ptum.reference.tasks.values import (
    action_value,
    first_best,
    optimal_policy,
    policy_value,
    value_tolerance,
)

LARGEST_VALUE = 1e100
"""Planning adds up and multiplies what a pair is worth; nothing of that leaves the doubles."""


def rmax_table(S: int, A: int, gamma: float, r_max: float = 1.0) -> Floats:
    """RMAX's U(s,a) = r_max/(1-γ), shape (S, A)."""
    require_table("S", require_count(S, "S"), require_count(A, "A"))
    gamma, r_max = require_discount(gamma), require_probability(r_max, "r_max")
    return np.full((S, A), r_max / (1 - gamma))


def maxqinit_table(tasks: Sequence[MDP]) -> Floats:
    """MaxQInit's U(s,a) = max_θ Q*_θ(s,a), shape (S, A)."""
    tasks = require_same_shape(tasks, "tasks")
    tables = [action_value(theta, policy_value(theta, optimal_policy(theta))) for theta in tasks]
    Q: Floats = np.max(tables, axis=0)
    return Q


class Rmax(Learner):
    """Values a pair by `initial` until it is known, after `m` samples; RMAX or MaxQInit by its U.

    `plannings` counts how often Q was computed again: at most once for every pair.
    """

    def __init__(
        self, task: OnlineTask, initial: Floats, m: int, *, sweeps: int | None = None
    ) -> None:
        good = isinstance(task, OnlineTask)
        require(good, "task", "must be an OnlineTask", value=type(task).__name__)
        self.initial = frozen(initial, "initial", 2)
        shape = (task.S, task.A)
        found = self.initial.shape
        require(found == shape, "initial", f"must have shape {shape}", value=found)
        possible = np.abs(self.initial) <= LARGEST_VALUE
        require_all(possible, self.initial, "initial", f"must be {LARGEST_VALUE:g} at most")
        self.u, self.gamma, self.m = task.u, task.gamma, require_count(m, "m")
        self.sweeps = None if sweeps is None else require_count(sweeps, "sweeps")
        self.known: Bools = np.zeros(shape, dtype=np.bool_)
        self.rewards = np.zeros((*shape, task.u.size))
        self.successors = np.zeros((*shape, task.S))
        self.samples = [[0] * task.A for _ in range(task.S)]
        self.plannings = 0
        self.Q: Floats = self.initial
        largest = self.initial.max(axis=1)
        self.policy: Ints = first_best(self.initial, value_tolerance(largest, self.gamma))

    def see(self, s: int, a: int, j: int, s_next: int) -> bool:
        """Count a sample, and plan if the pair becomes known by it."""
        if self.samples[s][a] == self.m:
            return False
        self.samples[s][a] += 1
        self.rewards[s, a, j] += 1
        self.successors[s, a, s_next] += 1
        if self.samples[s][a] < self.m:
            return False
        self.known[s, a] = True
        self.plan()
        return True

    def plan(self) -> None:
        """Where known pairs have empirical models and the others end at U."""
        self.plannings += 1
        r = np.where(self.known, self.rewards @ self.u / self.m, self.initial)
        p = np.where(self.known[..., np.newaxis], self.successors / self.m, 0.0)
        if self.sweeps is None:
            self._iterate(r, p)
            return
        for _ in range(self.sweeps):
            self.Q = r + self.gamma * (p @ self.Q.max(axis=1))
        self.policy = first_best(self.Q, value_tolerance(self.Q.max(axis=1), self.gamma))

    def _iterate(self, r: Floats, p: Floats) -> None:
        """Policy iteration.

        Only a gain that rounding cannot fake changes an action, so no policy is met twice.
        """
        states = np.arange(len(self.policy))
        while True:
            V = solved(r, p, self.gamma, self.policy)
            self.Q = r + self.gamma * (p @ V)
            tolerance = value_tolerance(V, self.gamma)
            require_numbers(Q=self.Q, tolerance=tolerance)  # with NaN the loop would never end
            gain = self.Q.max(axis=1) - self.Q[states, self.policy]
            if np.all(gain <= tolerance):
                self.policy = first_best(self.Q, tolerance)
                return
            self.policy = np.where(gain > tolerance, self.Q.argmax(axis=1), self.policy)
