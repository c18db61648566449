"""Appendix E.2: a grid where every pair of cell and action has an item that can be picked up.

| Appendix E.2                        | code                          |
| ----------------------------------- | ----------------------------- |
| the item of a pair, by its value    | `items[s,a]`                  |
| all items; 0 is the empty cell (D74) | `values`                     |
| failing action                      | `action_failure`              |
| failing pick-up, which pays 0 (D76) | `pick_up_failure`             |

Items belong to pairs (D75) and come back at once, so a reward depends on the pair alone. The item
is that of the action chosen, even when another action moves the agent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from ptum.reference.arrays import Floats, Ints, above, frozen
from ptum.reference.errors import (
    InputError,
    require,
    require_accuracy,
    require_all,
    require_count,
    require_probability,
)
from ptum.reference.experiments.grid import ACTION_FAILURE, STEPS, Grid, transitions
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import (
    optimal_policy,
    optimal_value,
    policy_value,
    value_tolerance,
)

VALUES = (0.0, 0.02, 0.04, 0.2, 0.22, 0.24, 0.5, 0.52, 0.54, 0.96, 0.98, 1.0)
BASE_VALUES = (0.0, 0.2, 0.5, 0.96)
STOCHASTIC_VALUES = (0.0, 0.02, 0.2, 0.22, 0.5, 0.52, 0.96, 1.0)
COPIES = MappingProxyType({1: 0, 7: 0, 4: 5, 6: 5})
"""Which task is a near-copy of which; the printed "4 and 5 w.r.t. 5" is read as 4 and 6 (D78)."""

WEIGHT_OFFSET = 0.05
UP_ONE, UP_TWO, DOWN_ONE, UNCHANGED = 0.45, 0.45, 0.05, 0.05
DRAWS_PER_COPY = 1000


@dataclass(frozen=True)
class TaskList:
    """How the tasks of one experiment are generated; the defaults are Figure 2's.

    `action_failures` has one entry per task. Independent tasks use the items of `base_values`;
    copies, which stay ε-optimal with their original, use all of `values`. In a copy the original's
    policy loses `least_loss` or more (D77).
    """

    action_failures: tuple[float, ...] = (ACTION_FAILURE,) * 8
    pick_up_failure: float = 0.012
    values: tuple[float, ...] = VALUES
    base_values: tuple[float, ...] = BASE_VALUES
    copies: Mapping[int, int] = field(default_factory=lambda: COPIES)
    rows: int = 5
    columns: int = 5
    gamma: float = 0.9
    epsilon: float = 0.5
    least_loss: float = 0.0

    def __post_init__(self) -> None:
        require_accuracy(self.epsilon)
        good = 0 <= self.least_loss <= self.epsilon
        require(good, "least_loss", "must lie between 0 and ε", value=self.least_loss)
        require_count(len(self.action_failures), "action_failures")
        unknown = set(self.base_values) - set(self.values)
        require(not unknown, "base_values", "must be among the values", value=sorted(unknown))
        tasks = range(len(self.action_failures))
        for copy, original in self.copies.items():
            good = copy in tasks and original in tasks and original not in self.copies
            problem = f"task {copy} must be a task, and a copy of one that is no copy itself"
            require(good, "copies", problem, value=original)


def spread_failures(k: int, least: float = 0.1, largest: float = 0.45) -> tuple[float, ...]:
    """Action failures of k tasks, equally spaced (D81)."""
    require_count(k, "k")
    return tuple(float(failure) for failure in np.linspace(least, largest, k))


FIGURE_2 = TaskList()
FIGURE_4 = TaskList(action_failures=spread_failures(8))
FIGURE_5_LEFT = TaskList(
    action_failures=spread_failures(8),
    pick_up_failure=0.3,
    values=STOCHASTIC_VALUES,
    base_values=STOCHASTIC_VALUES,
    copies=MappingProxyType({}),
)


def objectworld(
    grid: Grid,
    items: Floats,
    gamma: float,
    *,
    values: tuple[float, ...] = VALUES,
    action_failure: float = ACTION_FAILURE,
    pick_up_failure: float = 0.012,
) -> MDP:
    """The task with item `items[s,a]` at every pair; its reward space u is `values`."""
    u = _item_values(values)
    item = frozen(items, "items", 2)
    require_probability(pick_up_failure, "pick_up_failure")
    shape = (grid.S, len(STEPS))
    require(item.shape == shape, "items", f"must have shape {shape}", value=item.shape)
    require_all(np.isin(item, u), item, "items", "must be one of the values")
    picked_up = (item[:, :, np.newaxis] == u).astype(np.float64)
    nothing = (u == 0).astype(np.float64)
    q = (1 - pick_up_failure) * picked_up + pick_up_failure * nothing
    return MDP(p=transitions(grid, action_failure), q=q, u=u, gamma=gamma)


def random_items(grid: Grid, values: tuple[float, ...], rng: np.random.Generator) -> Floats:
    """An item for every pair, drawn with weight 1/(value + 0.05) (D74)."""
    u = _item_values(values)
    weight = 1 / (u + WEIGHT_OFFSET)
    items: Floats = rng.choice(u, size=(grid.S, len(STEPS)), p=weight / weight.sum())
    return items


def changed_items(items: Floats, values: tuple[float, ...], rng: np.random.Generator) -> Floats:
    """Each pair's item one or two values up, seldom one down or unchanged (D77).

    Where no such value exists, the item becomes the last one on that side.
    """
    u = _item_values(values)
    change = rng.choice([1, 2, -1, 0], size=items.shape, p=[UP_ONE, UP_TWO, DOWN_ONE, UNCHANGED])
    changed: Floats = u[np.clip(np.searchsorted(u, items) + change, 0, u.size - 1)]
    return changed


def loss_of_policy(pi: Ints, copy: MDP, V_star: Floats) -> float:
    """max_s V*_copy(s) - V_copy^π(s), for π = π*_original."""
    return float(np.max(V_star - policy_value(copy, pi)))


def generate_tasks(setting: TaskList, rng: np.random.Generator) -> tuple[MDP, ...]:
    """The tasks of one experiment: first the independent ones, by number, then the copies."""
    grid = Grid(setting.rows, setting.columns)
    tasks: dict[int, MDP] = {}
    items: dict[int, Floats] = {}
    for number in range(len(setting.action_failures)):
        if number not in setting.copies:
            items[number] = random_items(grid, setting.base_values, rng)
            tasks[number] = _task(grid, items[number], setting, number)
    for number, original in sorted(setting.copies.items()):
        tasks[number] = _near_copy(grid, items[original], tasks[original], setting, number, rng)
    return tuple(tasks[number] for number in sorted(tasks))


def _near_copy(
    grid: Grid,
    items: Floats,
    original: MDP,
    setting: TaskList,
    number: int,
    rng: np.random.Generator,
) -> MDP:
    """Redrawn until the original's policy is ε-optimal in the copy (D77)."""
    pi = optimal_policy(original)
    for _ in range(DRAWS_PER_COPY):
        copy = _task(grid, changed_items(items, setting.values, rng), setting, number)
        V_star = optimal_value(copy)
        tolerance = value_tolerance(V_star, setting.gamma)
        loss = loss_of_policy(pi, copy, V_star)
        if not (above(loss, setting.epsilon + tolerance) or above(setting.least_loss, loss)):
            return copy
    problem = f"no copy for task {number} in {DRAWS_PER_COPY} draws"
    raise InputError("epsilon", problem, value=setting.epsilon)


def _task(grid: Grid, items: Floats, setting: TaskList, number: int) -> MDP:
    return objectworld(
        grid,
        items,
        setting.gamma,
        values=setting.values,
        action_failure=setting.action_failures[number],
        pick_up_failure=setting.pick_up_failure,
    )


def _item_values(values: tuple[float, ...]) -> Floats:
    u = frozen(values, "values", 1)
    in_order = u.size >= 1 and u[0] == 0 and bool(np.all(np.diff(u) > 0))
    require(in_order, "values", "must begin with 0, the empty cell, and increase", value=values)
    return u
