"""Section 3.3 repaired: two agents that walk to the pairs which PTUM asks for (Proposition O, E65).

| Proposition O of docs/repaired_transfer.md         | code             |
| -------------------------------------------------- | ---------------- |
| least expected number of steps from s to g         | `fastest_way`    |
| part 1, shared moves: the fastest way to each pair | `run_shared_moves` |
| part 2, deterministic moves: the most optimistic model that mispredicted none | `run_trusting` |
| Q, and all steps                                   | `queries`, `steps` |

A *query* is a step in the pair that line 18 wants, every other step is walking. A target here is
asked only where the agent stands. What is promised needs A5, that the target moves as its own model
says, and a finite diameter D: D+1 times the queries in expectation in part 1, and steps of at most
Q + D(Q + min{SA,|Θ|-1} + |Θ|-1) in part 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.errors import InputError, require, require_all, require_below
from ptum.reference.repaired.transfer.ptum import ptum
from ptum.reference.repaired.transfer.repairs import PRINTED_SHIFT, TransferConstants
from ptum.reference.repaired.transfer.stopping import enters_transfer_mode
from ptum.reference.tasks.generative import GenerativeModel, ask, require_target
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.confidence import confidence_set, widths
from ptum.reference.transfer.empirical import empirical_model, empty_data
from ptum.reference.transfer.information import index, index_is_zero, query
from ptum.reference.transfer.ptum import End, require_inputs
from ptum.reference.transfer.stopping import stopping_models

__all__ = ["WalkedRun", "Way", "fastest_way", "run_shared_moves", "run_trusting"]


@dataclass(frozen=True, eq=False)
class WalkedRun:
    """How a run ended, with which policy, after how many steps, and how many were queries."""

    end: End
    policy: Ints | None
    steps: int
    queries: int
    active: tuple[int, ...]


class Way(NamedTuple):
    """A policy to a goal, and the expected number of steps that it takes from every state."""

    policy: Ints
    steps: Floats


# Part 1: shared moves


def run_shared_moves(
    models: ApproximateModels,
    target: GenerativeModel,
    *,
    start: int,
    epsilon: float,
    delta: float,
    n: int,
    Delta: float | ModelErrors,
) -> WalkedRun:
    """PTUM repaired, shown the answers to its queries alone; the agent walks by the fastest way."""
    errors = require_inputs(models, epsilon, delta, n, Delta)
    for theta, p in enumerate(models.p):
        require(
            np.array_equal(p, models.p[0]), "models", "must move as model 0 does", index=(theta,)
        )
    start = require_below(start, models.S, "start", "a state")
    require_target(target, models.S, models.A, "target")
    walker = _Walker(target, models.p[0], start)
    run = ptum(models, walker, epsilon=epsilon, delta=delta, n=n, Delta=errors, fallback=None)
    return WalkedRun(run.end, run.policy, walker.steps, run.queries, run.active)


class _Walker:
    """A generative model that walks to every pair it is asked about."""

    def __init__(self, target: GenerativeModel, p: Floats, start: int) -> None:
        self.steps = 0
        self._target, self._p, self._state = target, p, start
        self._ways: dict[int, Way] = {}

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Walk to s, and take the action."""
        while self._state != s:
            if s not in self._ways:
                self._ways[s] = fastest_way(self._p, s)
            self._step(int(self._ways[s].policy[self._state]))
        return self._step(a)

    def _step(self, a: int) -> tuple[float, int]:
        self.steps += 1
        s = self._state
        reward, self._state = ask(self._target, s, a, len(self._p), "target")
        if self._p[s, a, self._state] == 0:  # else it may be walked for ever
            raise InputError("target", f"moves from {(s, a)} to {self._state} as no model does")
        return reward, self._state


def fastest_way(p: Floats, goal: int) -> Way:
    """The least expected number of steps to `goal` from every state, by policy iteration.

    p has shape (S, A, S). It begins with a policy that may arrive from everywhere; each further one
    is faster, so that it arrives too. With H the largest number of steps, rounding of
    the linear system is at most 8Sε H², and less than that is no improvement. `InputError` where
    that is more than half of H, so that nothing is known of the way.
    """
    S = len(p)
    policy = _some_way(p, goal)
    while True:
        steps = _expected_steps(p, policy, goal)
        after = 1 + p @ steps
        after[goal] = 0.0
        rounding = 8 * S * ROUNDING * float(steps.max()) ** 2
        better = after.min(axis=1) < steps - rounding
        if not better.any():
            return Way(policy, steps)
        policy = np.where(better, after.argmin(axis=1), policy)


def _expected_steps(p: Floats, policy: Ints, goal: int) -> Floats:
    """x(s) = 1 + Σ p(s'|s,π(s)) x(s'), and x(goal) = 0; refused if rounding hides it."""
    chosen = p[np.arange(len(p)), policy].copy()
    chosen[goal] = chosen[:, goal] = 0.0
    ones = np.ones(len(p))
    ones[goal] = 0.0
    try:
        steps = np.linalg.solve(np.eye(len(p)) - chosen, ones).astype(np.float64)
    except np.linalg.LinAlgError:
        steps = np.full(len(p), np.inf)
    known = (steps >= 0) & (16 * len(p) * ROUNDING * steps <= 1)
    require_all(known, steps, "p", f"a way to state {goal} is so long that rounding hides it")
    return steps


def _some_way(p: Floats, goal: int) -> Ints:
    """In every state the action most likely to bring the agent nearer to the goal."""
    policy, found = np.zeros(len(p), dtype=np.int64), np.arange(len(p)) == goal
    while not found.all():
        nearer = p[:, :, found].sum(axis=2)
        new = ~found & (nearer > 0).any(axis=1)
        if not new.any():
            lost = int(np.flatnonzero(~found)[0])
            raise InputError("p", f"no way leads from state {lost} to {goal}: D is infinite")
        policy[new] = nearer[new].argmax(axis=1)
        found |= new
    return policy


# Part 2: deterministic moves


def run_trusting(
    models: ApproximateModels,
    target: GenerativeModel,
    *,
    start: int,
    epsilon: float,
    delta: float,
    n: int,
    Delta: float | ModelErrors,
    repair: TransferConstants = PRINTED_SHIFT,
) -> WalkedRun:
    """Lines 12 to 18 after every step; each step is a sample, of which line 12 uses n of a pair.

    A model that predicted another state is not trusted any more; ways are planned in the trusted
    ones, whether or not line 12 has dropped them. The run ends without a policy after n queries, if
    the tests after the last of them do not stop it (in Algorithm 1 none follows, D22).
    """
    errors = require_inputs(models, epsilon, delta, n, Delta)
    epsilon, delta, n = float(epsilon), float(delta), int(n)  # plain, whatever they were
    moves = deterministic_moves(models)
    data, s = empty_data(models.S, models.A), require_below(start, models.S, "start", "a state")
    require_target(target, models.S, models.A, "target")
    active = trusted = tuple(range(models.k))
    steps = queries = 0

    def ended(end: End, policy: Ints | None = None) -> WalkedRun:
        return WalkedRun(end, policy, steps, queries, active)

    if not enters_transfer_mode(errors.Delta, epsilon, models.gamma, repair):
        return ended(End.MODELS_TOO_INACCURATE)
    while True:
        hat = empirical_model(data, models.V_star)
        C = widths(hat, errors, models.gamma, n, models.k, delta)
        active, _ = confidence_set(active, hat, C, models)
        if not active:
            return ended(End.ACTIVE_SET_EMPTY)
        stopping = stopping_models(active, models, epsilon, errors.Delta)
        if stopping:
            return ended(End.STOPPED, models.pi_star[stopping[0]])
        I_t = index(active, models, errors.Delta, repair.shift)
        if index_is_zero(I_t):
            return ended(End.INDEX_ZERO)
        if queries == n:
            return ended(End.BUDGET_EXHAUSTED)
        goal, a = query(I_t)
        if s == goal:
            queries += 1
        else:
            a = optimistic_step(moves, trusted, s, goal)
        reward, s_next = ask(target, s, a, models.S, "target")
        steps += 1
        if len(data.rewards[s][a]) < n:
            data.store(s, a, reward, s_next)
        trusted = tuple(theta for theta in trusted if moves[theta, s, a] == s_next)
        if not trusted:
            raise InputError("target", f"moves from {(s, a)} to {s_next} as no trusted model does")
        s = s_next


def deterministic_moves(models: ApproximateModels) -> Ints:
    """Where each model goes, shape (k, S, A); a move that is random is refused."""
    largest = models.p.max(axis=-1)
    require_all(largest == 1, largest, "models", "must move deterministically")
    moves: Ints = models.p.argmax(axis=-1)
    return moves


def optimistic_step(moves: Ints, trusted: Sequence[int], s: int, goal: int) -> int:
    """The first step of the shortest way that a trusted model has; ties to the lower number."""
    lengths = {theta: way_lengths(moves[theta], goal) for theta in trusted}
    theta = min(trusted, key=lambda theta: lengths[theta][s])
    if np.isinf(lengths[theta][s]):
        raise InputError("models", f"none has a way from state {s} to {goal}: D is infinite")
    return int(np.argmin(lengths[theta][moves[theta, s]]))


def way_lengths(moves: Ints, goal: int) -> Floats:
    """d(s, goal), the length of a shortest way; moves has shape (S, A)."""
    d = np.where(np.arange(len(moves)) == goal, 0.0, np.inf)
    for _ in moves:
        d = np.minimum(d, 1 + d[moves].min(axis=1))
    return d
