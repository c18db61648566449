"""How long it takes to go from state to state, in rational arithmetic.

The diameter of a task (Jaksch, Ortner and Auer, 2010) is the largest over two states of the least
expected number of steps from one to the other. All policies are listed, so that tasks must be
small; the least expectation from every state belongs to one of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from ptum.checks.exact import mdp
from ptum.checks.exact.hidden_markov import Matrix, inverse
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.numbers import max_of, min_of
from ptum.checks.exact.terms import MaybeInfinite

Policy = tuple[int, ...]


def expected_steps(task: ExactMDP, policy: Sequence[int], goal: int) -> tuple[MaybeInfinite, ...]:
    """From every state to the goal, on the way that the policy takes; infinite if it may fail."""
    rows = [task.p[s][policy[s]] for s in range(task.S)]
    sure = _surely_arriving(rows, goal)
    inside = [s for s in sure if s != goal]
    steps: list[MaybeInfinite] = [math.inf] * task.S
    steps[goal] = Fraction(0)
    for s, row in zip(inside, inverse(_leaving(rows, inside)) if inside else (), strict=True):
        steps[s] = sum(row, Fraction(0))
    return tuple(steps)


def _leaving(rows: Sequence[mdp.Vector], inside: Sequence[int]) -> Matrix:
    """I - P between the states that still have to arrive; its inverse counts visits."""
    return tuple(tuple(int(s == t) - rows[s][t] for t in inside) for s in inside)


def _surely_arriving(rows: Sequence[mdp.Vector], goal: int) -> list[int]:
    """States from which the goal is reached with probability one, the goal itself included.

    That is where no state on the way, up to the goal, has lost sight of it.
    """
    able = _leading_to(rows, {goal}, goal)
    lost = _leading_to(rows, set(range(len(rows))) - able, goal)
    return [s for s in range(len(rows)) if s not in lost]


def _leading_to(rows: Sequence[mdp.Vector], there: set[int], goal: int) -> set[int]:
    """States from which one of these is reached with positive probability, not beyond the goal."""
    found = set(there)
    for _ in rows:
        found |= {s for s, row in enumerate(rows) if s != goal and any(row[t] > 0 for t in found)}
    return found


@lru_cache(maxsize=512)
def fastest(task: ExactMDP, goal: int) -> tuple[Policy, tuple[MaybeInfinite, ...]]:
    """A policy with the least expected number of steps to the goal from every state, and these."""
    policies = product(range(task.A), repeat=task.S - 1)
    ways = [(*policy[:goal], 0, *policy[goal:]) for policy in policies]
    steps = [expected_steps(task, way, goal) for way in ways]
    least = tuple(min_of(each) for each in zip(*steps, strict=True))
    return ways[steps.index(least)], least


def diameter(task: ExactMDP) -> MaybeInfinite:
    """D: the largest least expectation; 0 for a state alone."""
    return max_of(max_of(fastest(task, goal)[1]) for goal in range(task.S))
