"""Tasks that others wrote: the toy-text environments of Gymnasium, read from their table `P`.

`P[s][a]` lists (probability, next state, reward, terminated). Section 2 has rewards in [0, 1] and
tasks without end, so two things change, and values map back exactly:

* a reward x becomes (x - low)/(high - low), where [low, high] holds all rewards;
* a transition that terminates leads to a state that is never left and pays the image of 0.

Then V = (high - low) V' + low/(1-γ), state by state, for every policy. The state that ends an
episode is one of the environment's own where all of those stay where they are and pay 0 (frozen
lakes), else a new one, the last. A reward may depend on the next state there; Section 2's q(u|s,a)
is its distribution given the pair (as in D68).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import (
    InputError,
    double,
    is_integer,
    is_number,
    require,
    require_discount,
    require_sequence,
)
from ptum.reference.tasks.mdp import MDP

Outcome = tuple[float, int, float, bool]
"""Probability, next state, reward, whether the episode ends."""


@dataclass(frozen=True, eq=False)
class GymnasiumTask:
    """An environment as a task, and how its values map back; `end` is the state added, if any."""

    task: MDP
    low: float
    high: float
    end: int | None

    def original_value(self, V: Floats) -> Floats:
        """Values of the environment, from those of `task` in the same states."""
        values: Floats = (self.high - self.low) * V + self.low / (1 - self.task.gamma)
        return values


def from_gymnasium(
    env: object, gamma: float, rewards: tuple[float, float] | None = None
) -> GymnasiumTask:
    """Any environment with a table `P`, such as gymnasium.make("FrozenLake-v1").

    `rewards` is the interval that is mapped to [0, 1]; by default the smallest that holds all
    rewards, and 0 where episodes end. Models that are compared need the same one.
    """
    require_discount(gamma)
    table = _table(env)
    S, A = len(table), len(table[0])
    ended = _ended_states(table)
    added = any(outcome[3] and outcome[1] not in ended for _, _, outcome in _all(table))
    size = S + added
    p, found = np.zeros((size, A, size)), {0.0} if added or ended else set()
    found |= {outcome[2] for _, _, outcome in _all(table)}
    low, high = _interval(found, rewards)
    values = sorted(found)
    u = np.array([(x - low) / (high - low) for x in values])
    q = np.zeros((size, A, u.size))
    for s, a, (probability, s_next, reward, terminated) in _all(table):
        leads_to = S if terminated and s_next not in ended else s_next
        p[s, a, leads_to] += probability
        q[s, a, values.index(reward)] += probability
    if added:
        p[S, :, S] = 1
        q[S, :, values.index(0.0)] = 1
    return GymnasiumTask(MDP(p=p, q=q, u=u, gamma=gamma), low, high, S if added else None)


def _interval(found: set[float], given: tuple[float, float] | None) -> tuple[float, float]:
    if given is None:
        low, high = min(found), max(found)
    else:
        pair = require_sequence(given, "rewards", "two numbers")
        require(len(pair) == 2, "rewards", "must be an interval (low, high)", value=given)
        low, high = map(double, pair)
    if given is None and low == high:
        low, high = low - max(1.0, abs(low)), high  # a single reward, mapped to 1
    good = -math.inf < low < high < math.inf and high - low < math.inf
    problem = "must be an interval (low, high) of finite length"
    require(good, "rewards", problem, value=(low, high) if given is None else given)
    inside = low <= min(found) and max(found) <= high
    held = f"must hold all rewards, from {min(found):g} to {max(found):g}"
    require(inside, "rewards", held, value=given)
    return float(low), float(high)


def _ended_states(table: Sequence[Sequence[Sequence[Outcome]]]) -> frozenset[int]:
    """States that are never left and pay nothing, whatever is done."""
    return frozenset(
        s
        for s, row in enumerate(table)
        if all(s_next == s and reward == 0 for pair in row for p, s_next, reward, _ in pair if p)
    )


def _all(
    table: Sequence[Sequence[Sequence[Outcome]]],
) -> list[tuple[int, int, Outcome]]:
    return [
        (s, a, outcome)
        for s, row in enumerate(table)
        for a, pair in enumerate(row)
        for outcome in pair
        if outcome[0] > 0
    ]


def _table(env: object) -> list[list[list[Outcome]]]:
    """P with its states and actions in order, every entry looked at."""
    inner = getattr(env, "unwrapped", env)
    P = getattr(inner, "P", None)
    if not isinstance(P, Mapping) or not P:
        problem = "must have a table P of its transitions, as toy-text environments have"
        raise InputError("env", problem, value=type(inner).__name__)
    table = [_row(P, s) for s in range(len(P))]
    A = len(table[0])
    for s, row in enumerate(table):
        require(len(row) == A, "env.P", f"must have {A} actions in every state", index=(s,))
        for a, pair in enumerate(row):
            for outcome in pair:
                _require_outcome(outcome, s, a, len(P))
            total = sum(outcome[0] for outcome in pair)
            good = abs(total - 1) <= 4 * len(pair) * ROUNDING  # as in D20
            require(good, "env.P", "probabilities must sum to one", index=(s, a), value=total)
    return table


def _row(P: Mapping[object, object], s: int) -> list[list[Outcome]]:
    row = P.get(s)
    if not isinstance(row, Mapping) or set(row) != set(range(len(row))) or not row:
        raise InputError("env.P", "must have actions 0, 1, … for states 0, 1, …", index=(s,))
    for a in range(len(row)):
        require(isinstance(row[a], Iterable), "env.P", "must list what can happen", index=(s, a))
    return [list(row[a]) for a in range(len(row))]


def _require_outcome(outcome: Outcome, s: int, a: int, S: int) -> None:
    given: object = outcome
    shaped = isinstance(given, tuple | list) and len(given) == 4
    problem = "must hold (probability, next state, reward, terminated)"
    require(shaped, "env.P", problem, index=(s, a), value=outcome)
    probability, s_next, reward, _ = outcome
    good = is_number(probability) and 0 <= probability <= 1
    require(good, "env.P", "a probability must lie in [0, 1]", index=(s, a), value=probability)
    inside = is_integer(s_next) and 0 <= s_next < S
    require(inside, "env.P", f"a next state must be below {S}", index=(s, a), value=s_next)
    finite = is_number(reward) and math.isfinite(double(reward))
    require(finite, "env.P", "a reward must be a finite number", index=(s, a), value=reward)
