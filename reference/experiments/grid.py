"""Appendix E: a grid in which four actions move the agent, and sometimes another one happens.

| Appendix E                     | code                         |
| ------------------------------ | ---------------------------- |
| bottom-left corner (the start) | state 0, cell (0, 0)         |
| cell                           | (row, column), rows upwards  |
| its state                      | `row * columns + column`     |
| up, down, right, left          | actions 0, 1, 2, 3           |
| the wall in the middle         | left of column `columns // 2` |
| the door                       | a row of that wall           |

The wall is a line between two columns, open in the door's row, or a column of cells of which the
door is one (`thick`, D66). An action that fails is replaced by one of the four, itself included, or
by one of the three others (`Spread`, D67). Who walks into the border or the wall stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ptum.reference.arrays import Floats, Ints
from ptum.reference.errors import (
    is_integer,
    require,
    require_below,
    require_choice,
    require_count,
    require_probability,
    require_table,
    settle,
)

UP, DOWN, RIGHT, LEFT = range(4)
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Change of (row, column) by each action."""

START = 0
ACTION_FAILURE = 0.1


class Spread(StrEnum):
    """Over which actions a failed action spreads (D67)."""

    ALL_FOUR = "all-four"
    THREE_OTHERS = "three-others"


@dataclass(frozen=True)
class Grid:
    """Size of the grid; `door` is the row of the wall's opening, or None where there is no wall.

    A `thick` wall is column `columns // 2`. Its cells are states that nobody reaches, but the door.
    """

    rows: int
    columns: int
    door: int | None = None
    thick: bool = False

    def __post_init__(self) -> None:
        rows, columns = require_count(self.rows, "rows"), require_count(self.columns, "columns")
        require_table("rows", rows, columns, len(STEPS))
        settle(self, thick=require_choice(self.thick, (False, True), "thick"))
        settle(self, rows=rows, columns=columns)
        if self.door is not None:
            settle(self, door=require_below(self.door, rows, "door", "a row"))
            least = 3 if self.thick else 2
            problem = f"two rooms and their wall need {least} columns"
            require(self.columns >= least, "columns", problem, value=self.columns)

    @property
    def S(self) -> int:
        """Number of states, one per cell."""
        return self.rows * self.columns

    def state(self, cell: tuple[int, int]) -> int:
        """The number of a cell (row, column)."""
        given: object = cell
        pair = isinstance(given, tuple) and len(given) == 2 and all(map(is_integer, given))
        inside = pair and self._contains(*cell)
        problem = f"must be (row, column) in a grid of {self.rows} by {self.columns}"
        require(inside, "cell", problem, value=cell)
        return int(cell[0]) * self.columns + int(cell[1])

    def move(self, s: int, a: int) -> int:
        """Where action a leads from s when it succeeds."""
        row, column = divmod(require_below(s, self.S, "s", "a state"), self.columns)
        up, right = STEPS[require_below(a, len(STEPS), "a", "an action")]
        if not self._contains(row + up, column + right):
            return s
        if self.is_wall(row, column) or self.is_wall(row + up, column + right):
            return s
        return s if self._blocked(row, column, right) else s + up * self.columns + right

    def is_wall(self, row: int, column: int) -> bool:
        """Whether a cell is part of a thick wall."""
        in_column = self.thick and self.door is not None and column == self.columns // 2
        return in_column and row != self.door

    def _contains(self, row: int, column: int) -> bool:
        return 0 <= row < self.rows and 0 <= column < self.columns

    def _blocked(self, row: int, column: int, right: int) -> bool:
        """Whether the step crosses a thin wall elsewhere than at the door."""
        if self.door is None or self.thick or row == self.door:
            return False
        first_right_of_wall = self.columns // 2
        return (column < first_right_of_wall) != (column + right < first_right_of_wall)


def successors(grid: Grid) -> Ints:
    """Where each action leads when it succeeds, shape (S, 4)."""
    table = [[grid.move(s, a) for a in range(len(STEPS))] for s in range(grid.S)]
    return np.array(table, dtype=np.int64)


def transitions(
    grid: Grid, action_failure: float = ACTION_FAILURE, spread: Spread = Spread.ALL_FOUR
) -> Floats:
    """p(s'|s,a): a succeeds with 1 - f, and with f a random action is taken instead."""
    action_failure = require_probability(action_failure, "action_failure")
    spread = require_choice(spread, tuple(Spread), "spread")
    require_table("grid", grid.S, len(STEPS), grid.S)
    moves = np.eye(grid.S)[successors(grid)]
    failed = moves.mean(axis=1, keepdims=True)
    if spread is Spread.THREE_OTHERS:
        failed = (4 * failed - moves) / 3
    p: Floats = (1 - action_failure) * moves + action_failure * failed
    return p
