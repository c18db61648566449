"""Appendix E.2: a grid where every pair of cell and action has an item that can be picked up.

| Appendix E.2                        | code                          |
| ----------------------------------- | ----------------------------- |
| the item of a pair, by its value    | `items[s,a]`                  |
| all items; 0 is the empty cell (D74) | `values`                     |
| failing action                      | `action_failure`              |
| failing pick-up, which pays 0 (D76) | `pick_up_failure`, `failed`   |

Items belong to pairs, or to one pair of each cell (`Tied`, D75), and come back at once, so a reward
depends on the pair alone. The item is that of the action chosen, even when another action moves the
agent. `items_text` and `items_picture` draw what lies where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from ptum.reference.arrays import Floats, Ints, above, frozen, require_distributions
from ptum.reference.errors import (
    InputError,
    is_integer,
    require,
    require_accuracy,
    require_all,
    require_choice,
    require_count,
    require_discount,
    require_generator,
    require_probability,
    require_real,
    require_sequence,
    require_table,
    settle,
)
from ptum.reference.experiments.grid import ACTION_FAILURE, START, STEPS, Grid, transitions
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

WEIGHT_OFFSET, LEAST_OFFSET = 0.05, 1e-300
DRAWS_PER_COPY = 1000


class Tied(StrEnum):
    """What an item is tied to (D75): each pair has one, or each cell, for one of its actions."""

    PAIR = "pair"
    CELL = "cell"


class Failed(StrEnum):
    """What a failed pick-up pays (D76): nothing, or any of the other items, each as likely."""

    NOTHING = "nothing"
    ANOTHER = "another"


@dataclass(frozen=True)
class Changes:
    """How likely the item of a copy is so many values above its original's (D77)."""

    up_one: float = 0.45
    up_two: float = 0.45
    down_one: float = 0.05
    unchanged: float = 0.05

    def __post_init__(self) -> None:
        names = ("up_one", "up_two", "down_one", "unchanged")
        settle(self, **{name: require_probability(getattr(self, name), name) for name in names})
        require_distributions(frozen([self.probabilities], "changes", 2), "changes")

    @property
    def probabilities(self) -> tuple[float, float, float, float]:
        """Of 1, 2, -1 and 0 values up."""
        return self.up_one, self.up_two, self.down_one, self.unchanged


def _item_values(values: tuple[float, ...]) -> Floats:
    u = frozen(values, "values", 1)
    in_order = u.size >= 1 and u[0] == 0 and bool(np.all(np.diff(u) > 0))
    require(in_order, "values", "must begin with 0, the empty cell, and increase", value=values)
    require(u[-1] <= 1, "values", "an item must pay between 0 and 1", value=float(u[-1]))
    return u


def _weight_offset(offset: float) -> float:
    problem = f"must be {LEAST_OFFSET} at least: 0 is a value, whose weight is 1 over it"
    return require_real(offset, lambda x: x >= LEAST_OFFSET, "weight_offset", problem)


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
    weight_offset: float = WEIGHT_OFFSET
    tied: Tied = Tied.PAIR
    failed: Failed = Failed.NOTHING
    changes: Changes = field(default_factory=Changes)
    rows: int = 5
    columns: int = 5
    gamma: float = 0.9
    epsilon: float = 0.5
    least_loss: float = 0.0

    def __post_init__(self) -> None:
        failures = require_sequence(self.action_failures, "action_failures", "probabilities")
        require_count(len(failures), "action_failures")
        settle(
            self,
            action_failures=tuple(require_probability(f, "action_failures") for f in failures),
            pick_up_failure=require_probability(self.pick_up_failure, "pick_up_failure"),
            values=tuple(_item_values(self.values).tolist()),
            base_values=tuple(frozen(self.base_values, "base_values", 1).tolist()),
            gamma=require_discount(self.gamma),
            epsilon=require_accuracy(self.epsilon),
        )
        grid = Grid(self.rows, self.columns)
        settle(self, rows=grid.rows, columns=grid.columns)
        good = isinstance(self.copies, Mapping)
        require(good, "copies", "must map tasks to tasks", value=type(self.copies).__name__)
        problem = "must lie between 0 and ε"
        least_loss = require_real(
            self.least_loss, lambda x: 0 <= x <= self.epsilon, "least_loss", problem
        )
        tied = require_choice(self.tied, tuple(Tied), "tied")
        failed = require_choice(self.failed, tuple(Failed), "failed")
        offset = _weight_offset(self.weight_offset)
        settle(self, least_loss=least_loss, tied=tied, failed=failed, weight_offset=offset)
        good, kind = isinstance(self.changes, Changes), type(self.changes).__name__
        require(good, "changes", "must be a Changes", value=kind)
        unknown = set(self.base_values) - set(self.values)
        require(not unknown, "base_values", "must be among the values", value=sorted(unknown))
        tasks = range(len(self.action_failures))
        for copy, original in self.copies.items():
            good = is_integer(copy) and is_integer(original)
            good = good and copy in tasks and original in tasks and original not in self.copies
            problem = f"task {copy} must be a task, and a copy of one that is no copy itself"
            require(good, "copies", problem, value=original)


def spread_failures(
    k: int,
    least: float = 0.1,
    largest: float = 0.45,
    rng: np.random.Generator | None = None,
) -> tuple[float, ...]:
    """Action failures of k tasks: equally spaced, or with a generator uniformly drawn (D81)."""
    require_table("k", require_count(k, "k"))
    least, largest = require_probability(least, "least"), require_probability(largest, "largest")
    if rng is not None:
        require_generator(rng)
    spaced = np.linspace(least, largest, k) if rng is None else rng.uniform(least, largest, k)
    return tuple(float(failure) for failure in spaced)


FIGURE_2 = TaskList()
FIGURE_4 = TaskList(action_failures=spread_failures(8))
FIGURE_5_LEFT = TaskList(
    action_failures=spread_failures(8),
    pick_up_failure=0.3,
    values=STOCHASTIC_VALUES,
    base_values=STOCHASTIC_VALUES,
    copies=MappingProxyType({}),
)
FIGURE_5_RIGHT = TaskList(
    action_failures=(ACTION_FAILURE,) * 10,
    values=BASE_VALUES,
    base_values=BASE_VALUES,
    copies=MappingProxyType({}),
)
"""Ten tasks that copy no other (D84)."""


def objectworld(
    grid: Grid,
    items: Floats,
    gamma: float,
    *,
    values: tuple[float, ...] = VALUES,
    action_failure: float = ACTION_FAILURE,
    pick_up_failure: float = 0.012,
    failed: Failed = Failed.NOTHING,
) -> MDP:
    """The task with item `items[s,a]` at every pair; its reward space u is `values`."""
    require(isinstance(grid, Grid), "grid", "must be a Grid", value=type(grid).__name__)
    u = _item_values(values)
    item = frozen(items, "items", 2)
    pick_up_failure = require_probability(pick_up_failure, "pick_up_failure")
    failed = require_choice(failed, tuple(Failed), "failed")
    shape = (grid.S, len(STEPS))
    require(item.shape == shape, "items", f"must have shape {shape}", value=item.shape)
    require_all(np.isin(item, u), item, "items", "must be one of the values")
    picked_up = (item[:, :, np.newaxis] == u).astype(np.float64)
    instead = np.broadcast_to((u == 0).astype(np.float64), picked_up.shape)
    if failed is Failed.ANOTHER:
        require(u.size >= 2, "values", "another item needs a second value", value=values)
        instead = (1 - picked_up) / (u.size - 1)
    q = (1 - pick_up_failure) * picked_up + pick_up_failure * instead
    return MDP(p=transitions(grid, action_failure), q=q, u=u, gamma=gamma)


def random_items(
    grid: Grid,
    values: tuple[float, ...],
    rng: np.random.Generator,
    offset: float = WEIGHT_OFFSET,
    tied: Tied = Tied.PAIR,
) -> Floats:
    """An item for every pair, drawn with weight 1/(value + offset) (D74).

    An infinite offset makes all values as likely. Tied to cells, one action of each cell, drawn
    too, has its item, and the others have none (D75).
    """
    require_generator(rng)
    u = _item_values(values)
    offset = _weight_offset(offset)
    tied = require_choice(tied, tuple(Tied), "tied")
    weight = np.ones(u.size) if np.isinf(offset) else 1 / (u + offset)
    items: Floats = rng.choice(u, size=(grid.S, len(STEPS)), p=weight / weight.sum())
    if tied is Tied.CELL:
        items *= np.eye(len(STEPS))[rng.integers(len(STEPS), size=grid.S)]
    return items


def changed_items(
    items: Floats,
    values: tuple[float, ...],
    rng: np.random.Generator,
    changes: Changes | None = None,
) -> Floats:
    """Each pair's item one or two values up, seldom one down or unchanged (D77).

    Where no such value exists, the item becomes the last one on that side.
    """
    require_generator(rng)
    u = _item_values(values)
    probabilities = (Changes() if changes is None else changes).probabilities
    change = rng.choice([1, 2, -1, 0], size=items.shape, p=probabilities)
    changed: Floats = u[np.clip(np.searchsorted(u, items) + change, 0, u.size - 1)]
    return changed


def loss_of_policy(pi: Ints, copy: MDP, V_star: Floats) -> float:
    """max_s V*_copy(s) - V_copy^π(s), for π = π*_original."""
    return float(np.max(V_star - policy_value(copy, pi)))


def generate_tasks(setting: TaskList, rng: np.random.Generator) -> tuple[MDP, ...]:
    """The tasks of one experiment: first the independent ones, by number, then the copies."""
    require_generator(rng)
    grid = Grid(setting.rows, setting.columns)
    tasks: dict[int, MDP] = {}
    items: dict[int, Floats] = {}
    for number in range(len(setting.action_failures)):
        if number not in setting.copies:
            items[number] = random_items(
                grid, setting.base_values, rng, setting.weight_offset, setting.tied
            )
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
        drawn = changed_items(items, setting.values, rng, setting.changes)
        copy = _task(grid, drawn, setting, number)
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
        failed=setting.failed,
    )


# Drawn


def items_text(grid: Grid, items: Floats) -> str:
    """A line for every row, the top row first; in a cell the values of up, down, right, left."""
    cells = [" ".join(f"{x:4g}" for x in row) for row in _required_items(grid, items).tolist()]
    rows = [cells[s : s + grid.columns] for s in range(0, grid.S, grid.columns)]
    return "\n".join(" | ".join(row) for row in reversed(rows))


def items_picture(grid: Grid, items: Floats, cell: int = 60) -> str:
    """The same as SVG: every value stands at the side of its cell that its action leads to."""
    items, cell = _required_items(grid, items), require_count(cell, "cell")
    width, height = grid.columns * cell, grid.rows * cell
    shapes = []
    for s in range(grid.S):
        row, column = divmod(s, grid.columns)
        x, y = column * cell, (grid.rows - 1 - row) * cell
        fill = "#56b4e9" if s == START else "white"
        place = f'x="{x}" y="{y}" width="{cell}" height="{cell}"'
        shapes.append(f'<rect {place} fill="{fill}" stroke="#cccccc"/>')
        for (up, right), value in zip(STEPS, items[s], strict=True):
            at = f'x="{x + cell * (0.5 + 0.3 * right):g}" y="{y + cell * (0.55 - 0.35 * up):g}"'
            size = f'font-size="{cell / 5:g}" text-anchor="middle"'
            shapes.append(f"<text {at} {size}>{value:g}</text>")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="items">{"".join(shapes)}</svg>'
    )


def _required_items(grid: Grid, items: Floats) -> Floats:
    require(isinstance(grid, Grid), "grid", "must be a Grid", value=type(grid).__name__)
    found, shape = frozen(items, "items", 2), (grid.S, len(STEPS))
    require(found.shape == shape, "items", f"must have shape {shape}", value=found.shape)
    return found
