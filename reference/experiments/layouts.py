"""Where goals and doors lie in the panels of Figures 1 and 3; the paper leaves it open.

| panel          | given                                       | declared here                     |
| -------------- | ------------------------------------------- | --------------------------------- |
| Figure 1 left  | 12×12, 12 tasks                             | `figure_1_left` (D69)             |
| Figure 1 right | 12×12, no wall, 7 goals near corners        | `figure_1_right` (D70)            |
| Figure 3 left  | 12×12, one goal in the far corner, 12 doors | `one_goal(12)`                    |
| Figure 3 middle | a goal in each other corner, three doors   | `three_corners(side)` (D72)       |
| Figure 3 right | 6×6, one goal in the far corner, 6 doors    | `one_goal(6)`                     |

`Layout.text` draws a task with characters, `Layout.picture` as SVG.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from ptum.reference.errors import (
    is_integer,
    require,
    require_below,
    require_choice,
    require_count,
    require_generator,
    require_sequence,
    require_table,
    settle,
)
from ptum.reference.experiments.grid import ACTION_FAILURE, START, STEPS, Grid, Spread
from ptum.reference.experiments.two_rooms import Payment, goal_grid, require_goals
from ptum.reference.tasks.mdp import MDP

Cell = tuple[int, int]
SIDE = 12


class Places(StrEnum):
    """How many goals and doors the twelve tasks of Figure 1 left have (D69)."""

    TWELVE_GOALS = "twelve-goals"
    THREE_GOALS = "three-goals"
    ONE_GOAL = "one-goal"


@dataclass(frozen=True)
class Room:
    """One task of a layout: the row of its door, None without a wall, and what its goals pay."""

    door: int | None
    goals: Mapping[Cell, float]


@dataclass(frozen=True)
class Layout:
    """Tasks on grids of one size; which of them is the target of a run says D110."""

    side: int
    rooms: tuple[Room, ...]
    thick: bool = False

    def __post_init__(self) -> None:
        rooms = require_sequence(self.rooms, "rooms", "Room")
        require_count(len(rooms), "rooms")
        for place, room in enumerate(rooms):
            good = isinstance(room, Room)
            require(good, "rooms", "must be a Room", index=(place,), value=type(room).__name__)
        settle(self, side=require_side(self.side), rooms=rooms)
        settle(self, thick=require_choice(self.thick, (False, True), "thick"))
        for task, room in enumerate(rooms):
            require_goals(self.grid(task), room.goals)

    def grid(self, task: int) -> Grid:
        """The grid of one task."""
        task = require_below(task, len(self.rooms), "task", "a task")
        return Grid(self.side, self.side, self.rooms[task].door, self.thick)

    def tasks(
        self,
        gamma: float,
        *,
        action_failure: float = ACTION_FAILURE,
        payment: Payment = Payment.IN_GOAL,
        spread: Spread = Spread.ALL_FOUR,
    ) -> tuple[MDP, ...]:
        """All of them as MDPs."""
        return tuple(
            goal_grid(
                self.grid(number),
                room.goals,
                gamma,
                action_failure=action_failure,
                payment=payment,
                spread=spread,
            )
            for number, room in enumerate(self.rooms)
        )

    def text(self, task: int) -> str:
        """One line a row, the top row first: S start, G goal, # wall, . empty."""
        grid = self.grid(task)
        rows = []
        for row in reversed(range(self.side)):
            cells = [self._character(grid, task, (row, column)) for column in range(self.side)]
            if grid.door is not None and not self.thick:
                cells.insert(self.side // 2, " " if row == grid.door else "#")
            rows.append("".join(cells))
        return "\n".join(rows)

    def _character(self, grid: Grid, task: int, cell: Cell) -> str:
        if grid.is_wall(*cell):
            return "#"
        if cell in self.rooms[task].goals:
            return "G"
        return "S" if grid.state(cell) == START else "."

    def picture(self, task: int, cell: int = 20) -> str:
        """The same as SVG, `cell` pixels a cell, with what each goal pays."""
        grid, size = self.grid(task), self.side * cell
        shapes = [f'<rect width="{size}" height="{size}" fill="white" stroke="black"/>']
        for row in range(self.side):
            for column in range(self.side):
                x, y = column * cell, (self.side - 1 - row) * cell
                shapes += self._shapes(grid, task, (row, column), (x, y, cell))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" role="img" '
            f'aria-label="task {task}">{"".join(shapes)}</svg>'
        )

    def _shapes(self, grid: Grid, task: int, cell: Cell, square: tuple[int, int, int]) -> list[str]:
        x, y, side = square
        fills = {"#": "#444444", "G": "#f0e442", "S": "#56b4e9", ".": "none"}
        character = self._character(grid, task, cell)
        place = f'x="{x}" y="{y}" width="{side}" height="{side}"'
        found = [f'<rect {place} fill="{fills[character]}" stroke="#cccccc"/>']
        if character == "G":
            pays = f"{self.rooms[task].goals[cell]:g}"
            where = f'x="{x + side / 2}" y="{y + side * 0.65}" font-size="{side * 0.4}"'
            found.append(f'<text {where} text-anchor="middle">{pays}</text>')
        thin = grid.door is not None and not self.thick and cell[0] != grid.door
        if thin and cell[1] == self.side // 2:
            line = f'x1="{x}" y1="{y}" x2="{x}" y2="{y + side}"'
            found.append(f'<line {line} stroke="#444444" stroke-width="{side / 6}"/>')
        return found


def require_side(side: int) -> int:
    """The side of a square grid whose table of moves fits into memory."""
    cells = require_count(side, "side") ** 2
    require_table("side", cells, len(STEPS), cells)
    return int(side)


def _paying(cells: Sequence[Cell], rewards: Sequence[float]) -> Mapping[Cell, float]:
    return MappingProxyType(dict(zip(cells, rewards, strict=True)))


def figure_1_left(
    rng: np.random.Generator, places: Places = Places.TWELVE_GOALS, side: int = SIDE
) -> Layout:
    """As many tasks as rows, each with a goal in the right room and a door (D69)."""
    require(require_side(side) >= 2, "side", "two rooms need a side of at least 2", value=side)
    require_generator(rng)
    places = require_choice(places, tuple(Places), "places")
    if places is Places.ONE_GOAL:
        return one_goal(side)
    right = [(row, column) for row in range(side) for column in range(side // 2, side)]
    drawn = [right[int(place)] for place in rng.permutation(len(right))]
    rows = [int(row) for row in rng.permutation(side)]
    if places is Places.TWELVE_GOALS:
        pairs = list(zip(drawn[:side], rows, strict=True))
    else:
        require(
            side % 3 == 0, "side", "three goals need a number of tasks that 3 divides", value=side
        )
        pairs = [(goal, door) for goal in drawn[:3] for door in rows[: side // 3]]
    return Layout(side, tuple(Room(door, _paying([goal], [1.0])) for goal, door in pairs))


def one_goal(side: int) -> Layout:
    """The goal in the corner opposite to the start, a door in each row."""
    require(require_side(side) >= 2, "side", "two rooms need a side of at least 2", value=side)
    far = _paying([(side - 1, side - 1)], [1.0])
    return Layout(side, tuple(Room(door, far) for door in range(side)))


def three_corners(side: int) -> Layout:
    """Three tasks: a goal in each other corner; doors at the bottom, in the middle, at the top."""
    require(require_side(side) >= 3, "side", "three doors need a side of at least 3", value=side)
    last = side - 1
    places = zip(((0, last), (last, 0), (last, last)), (0, side // 2, last), strict=True)
    return Layout(side, tuple(Room(door, _paying([goal], [1.0])) for goal, door in places))


# Figure 1 right

TASKS_RIGHT = 7
BEST, BEST_OF_RIVAL = 0.80, 0.81
NEAREST = (3, 4)
"""The goals nearest to the start, which are stable."""


@dataclass(frozen=True)
class Rewards:
    """Ranges, in hundredths, from which rewards of Figure 1 right are drawn (D70).

    `stable` goals pay the same in every task; a variable one pays little in the target
    (`informative`) and much in the other tasks (`elsewhere`).
    """

    stable: tuple[int, int] = (77, 79)
    informative: tuple[int, int] = (10, 20)
    elsewhere: tuple[int, int] = (65, 79)
    variable: int = 2

    def __post_init__(self) -> None:
        for name in ("stable", "informative", "elsewhere"):
            argument = f"rewards.{name}"
            bounds = require_sequence(getattr(self, name), argument, "two numbers")
            good = len(bounds) == 2 and all(map(is_integer, bounds))
            good = good and 0 <= bounds[0] <= bounds[1] <= 100
            require(good, argument, "must be integers from 0 to 100, in order", value=bounds)
            settle(self, **{name: (int(bounds[0]), int(bounds[1]))})
        most = TASKS_RIGHT - len(NEAREST)
        settle(
            self, variable=require_below(self.variable, most + 1, "rewards.variable", "a number")
        )


def goals_near_corners(side: int) -> tuple[Cell, ...]:
    """Three corners, a cell beside each, and one that touches the far corner.

    The fourth corner is the start. Every goal can be reached without passing another one.
    """
    require(require_side(side) >= 4, "side", "seven goals need a side of at least 4", value=side)
    last, near = side - 1, side - 2
    return (0, last), (last, 0), (last, last), (0, near), (near, 0), (last, near), (near, near)


def figure_1_right(
    rng: np.random.Generator, rewards: Rewards | None = None, side: int = SIDE
) -> Layout:
    """Seven tasks with seven shared goals; task 0, the target, has the best goal of 0.8."""
    require_generator(rng)
    ranges = Rewards() if rewards is None else rewards
    good = isinstance(ranges, Rewards)
    require(good, "rewards", "must be None or Rewards(…)", value=type(ranges).__name__)
    far = [goal for goal in range(TASKS_RIGHT) if goal not in NEAREST]
    variable = rng.permutation(far)[: ranges.variable]
    table = np.tile(_hundredths(rng, ranges.stable, TASKS_RIGHT), (TASKS_RIGHT, 1))
    for goal in variable:
        table[0, goal] = _hundredths(rng, ranges.informative, 1)[0]
        table[1:, goal] = _hundredths(rng, ranges.elsewhere, TASKS_RIGHT - 1)
    best = rng.permutation(TASKS_RIGHT)
    table[np.arange(TASKS_RIGHT), best] = (BEST, *(BEST_OF_RIVAL,) * (TASKS_RIGHT - 1))
    cells = goals_near_corners(side)
    return Layout(side, tuple(Room(None, _paying(cells, row.tolist())) for row in table))


def _hundredths(
    rng: np.random.Generator, ranges: tuple[int, int], number: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    least, largest = ranges
    return rng.integers(least, largest + 1, size=number) / 100
