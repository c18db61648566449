"""Appendix E.1: a grid of two rooms (or one) in which the agent looks for goals.

Goals are absorbing. When a goal pays is read in three ways (D68):

| Appendix E.1                                      | code                |
| ------------------------------------------------- | ------------------- |
| absorbing with reward 1 (Figures 1 left and 3)    | `Payment.IN_GOAL`   |
| reward whenever the next state is the goal        | `Payment.AT_GOAL`   |
| on arrival, then absorbing with reward 0 (1 right) | `Payment.ON_ARRIVAL` |

In the last two the reward depends on the next state. The paper's q(u|s,a) does not know it, so
here a reward has its distribution given the pair: it is paid with the probability of moving to the
goal.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import numpy as np

from ptum.reference.arrays import Bools, Floats
from ptum.reference.errors import require, require_choice, require_real, shown
from ptum.reference.experiments.grid import ACTION_FAILURE, Grid, Spread, transitions
from ptum.reference.tasks.mdp import MDP


class Payment(StrEnum):
    """On which steps a goal pays (D68)."""

    IN_GOAL = "in-goal"
    AT_GOAL = "at-goal"
    ON_ARRIVAL = "on-arrival"


def two_rooms(
    rows: int,
    columns: int,
    door: int,
    goal: tuple[int, int],
    gamma: float,
    *,
    action_failure: float = ACTION_FAILURE,
    payment: Payment = Payment.IN_GOAL,
) -> MDP:
    """Two rooms, a door in the given row of the wall, and one goal cell that pays 1.

    Figure 1 left and Figure 3; where their goals and doors lie is the caller's choice (D69, D72).
    """
    grid = Grid(rows, columns, door)
    grid.state(goal)
    return goal_grid(grid, {goal: 1.0}, gamma, action_failure=action_failure, payment=payment)


def goal_grid(
    grid: Grid,
    goals: Mapping[tuple[int, int], float],
    gamma: float,
    *,
    action_failure: float = ACTION_FAILURE,
    payment: Payment = Payment.IN_GOAL,
    spread: Spread = Spread.ALL_FOUR,
) -> MDP:
    """Any grid with any goal cells, each with its reward; without a wall: Figure 1 right (D70)."""
    payment = require_choice(payment, tuple(Payment), "payment")
    require_goals(grid, goals)
    prize, in_goal = np.zeros(grid.S), np.zeros(grid.S, dtype=np.bool_)
    for cell, reward in goals.items():
        prize[grid.state(cell)], in_goal[grid.state(cell)] = float(reward), True
    p = transitions(grid, action_failure, spread)
    p[in_goal] = np.eye(grid.S)[in_goal, np.newaxis]  # absorbing, whatever is done there
    u = np.unique([0.0, *map(float, goals.values())])
    return MDP(p=p, q=_rewards(p, prize, in_goal, u, payment), u=u, gamma=gamma)


def _rewards(p: Floats, prize: Floats, in_goal: Bools, u: Floats, payment: Payment) -> Floats:
    """q(u|s,a), for a prize that belongs to each cell (0 outside the goals)."""
    prize_is_u = (prize[:, np.newaxis] == u).astype(np.float64)
    if payment is Payment.IN_GOAL:
        return np.repeat(prize_is_u[:, np.newaxis], p.shape[1], axis=1)
    q: Floats = p @ prize_is_u
    if payment is Payment.ON_ARRIVAL:
        q[in_goal] = u == 0
    return q


def require_goals(grid: Grid, goals: Mapping[tuple[int, int], float]) -> None:
    """Refuse goals that are none: outside, in the wall, or with a reward that is none."""
    require(isinstance(grid, Grid), "grid", "must be a Grid", value=type(grid).__name__)
    good = isinstance(goals, Mapping)
    require(good, "goals", "must map cells to rewards", value=type(goals).__name__)
    require(len(goals) >= 1, "goals", "at least one goal is needed", value=0)
    for cell, reward in goals.items():
        problem = f"the reward of {shown(cell)} must lie in [0, 1]"
        require_real(reward, lambda x: 0 <= x <= 1, "goals", problem)
        grid.state(cell)
        require(not grid.is_wall(*cell), "goals", "a goal must not lie in the wall", value=cell)
