"""Layouts of Figures 1 and 3: what is given, what is drawn, and how they look."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ptum.reference.errors import InputError
from ptum.reference.experiments.grid import DOWN, LEFT, RIGHT, UP, Grid, Spread, transitions
from ptum.reference.experiments.layouts import (
    Layout,
    Places,
    Rewards,
    Room,
    figure_1_left,
    figure_1_right,
    goals_near_corners,
    one_goal,
    require_side,
    three_corners,
)
from ptum.reference.experiments.two_rooms import goal_grid
from ptum.reference.tasks.mdp import mean_reward
from tests.support.borders import assert_borders
from tests.support.closeness import near


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("places", "goals", "doors"),
    [(Places.TWELVE_GOALS, 12, 12), (Places.THREE_GOALS, 3, 4), (Places.ONE_GOAL, 1, 12)],
)
def test_figure_1_left_has_twelve_different_tasks(places: Places, goals: int, doors: int) -> None:
    layout = figure_1_left(rng(), places)
    cells = [next(iter(room.goals)) for room in layout.rooms]
    assert len(layout.rooms) == 12
    assert len(set(cells)) == goals
    assert len({room.door for room in layout.rooms}) == doors
    assert len({(cell, room.door) for cell, room in zip(cells, layout.rooms, strict=True)}) == 12
    assert all(column >= 6 for _, column in cells)
    assert figure_1_left(rng(), places) == layout
    assert [task.S for task in layout.tasks(0.99)] == [144] * 12


def test_figure_1_right_has_the_rewards_that_are_given() -> None:
    layout = figure_1_right(rng(3))
    table = np.array([list(room.goals.values()) for room in layout.rooms])
    assert table.shape == (7, 7)
    assert table.max(axis=1).tolist() == [0.8] + [0.81] * 6
    assert len(set(table.argmax(axis=1))) == 7, "every task has another best goal"
    varying = [goal for goal in range(7) if np.ptp(table[:, goal]) > 0.1]
    assert len(varying) == 2
    assert not {3, 4} & set(varying)
    stable = figure_1_right(rng(3), Rewards(variable=0))
    table = np.array([list(room.goals.values()) for room in stable.rooms])
    assert np.ptp(np.sort(table, axis=0)[1:-1], axis=0).max() == 0


@pytest.mark.parametrize("seed", range(4))
def test_rewards_of_figure_1_right_come_from_their_ranges(seed: int) -> None:
    """Ranges of one number. The five variable goals are all but the two nearest to the start."""
    ranges = Rewards(stable=(50, 50), informative=(0, 0), elsewhere=(100, 100), variable=5)
    layout = figure_1_right(rng(seed), ranges)
    distances = np.array([row + column for row, column in layout.rooms[0].goals])
    nearest = distances == distances.min()
    assert nearest.sum() == 2
    drawn = np.ones((7, 7))
    drawn[0] = 0
    drawn[:, nearest] = 0.5
    table = np.array([list(room.goals.values()) for room in layout.rooms])
    best = table != drawn
    assert best.sum(axis=0).tolist() == best.sum(axis=1).tolist() == [1] * 7
    assert table[best].tolist() == [0.8] + [0.81] * 6


class Counting(np.random.Generator):
    """Counts the integers that it is asked for."""

    asked = 0

    def integers(self, *given: Any, **named: Any) -> Any:
        found = super().integers(*given, **named)
        self.asked += np.size(found)
        return found


@pytest.mark.parametrize("variable", range(6))
def test_every_reward_is_drawn_once(variable: int) -> None:
    """One of each goal for all tasks, and then one in each of seven tasks of a variable goal."""
    counting = Counting(np.random.PCG64(0))
    figure_1_right(counting, Rewards(variable=variable))
    assert counting.asked == 7 + 7 * variable


def test_ranges_of_rewards_are_those_of_the_claim_unless_given() -> None:
    """0.77 to 0.79; 0.1 to 0.2 in the target, 0.65 to 0.79 elsewhere; two goals are variable."""
    assert Rewards() == Rewards((77, 79), (10, 20), (65, 79), 2)


@pytest.mark.parametrize("name", ["stable", "informative", "elsewhere"])
def test_a_range_of_rewards_has_two_integers_in_order(name: str) -> None:
    def check(bounds: object) -> None:
        ranges = Rewards(**{name: bounds})  # type: ignore[arg-type]
        assert getattr(ranges, name) == tuple(bounds)  # type: ignore[arg-type]

    good = ((0, 100), (0, 0), (100, 100), np.array([10, 20]))
    bad = ((-1, 5), (5, 101), (6, 5), (), (5,), (5, 6, 7), (5.0, 6.0), (5, 6.5))
    assert_borders(check, good, bad)


def test_the_nearest_goals_are_never_variable() -> None:
    def check(variable: int) -> None:
        assert Rewards(variable=variable).variable == variable

    assert_borders(check, (0, 5), (-1, 6))


def test_seven_goals_lie_near_the_corners() -> None:
    """Three corners, a neighbour of each, and the cell diagonal to the far one (D70)."""
    assert goals_near_corners(5) == (
        *((0, 4), (4, 0), (4, 4)),
        *((0, 3), (3, 0), (4, 3)),
        (3, 3),
    )


@pytest.mark.parametrize(
    ("build", "least"),
    [
        (lambda side: figure_1_left(rng(), side=side), 2),
        (one_goal, 2),
        (three_corners, 3),
        (goals_near_corners, 4),
    ],
)
def test_a_panel_has_a_smallest_side(build: Callable[[int], object], least: int) -> None:
    build(least)
    with pytest.raises(InputError, match=rf"^side: .* at least {least}"):
        build(least - 1)


def test_the_moves_of_the_largest_grid_fit_into_memory() -> None:
    """4 · 76⁴ = 133448704 and 4 · 77⁴ = 140612164; in between lies 2²⁷ = 134217728."""
    assert require_side(76) == 76
    with pytest.raises(InputError, match=r"^side: a table"):
        require_side(77)


def test_goals_behind_doors_pay_one() -> None:
    left = [figure_1_left(rng(), places) for places in Places]
    for layout in (*left, one_goal(6), three_corners(8)):
        assert all(list(room.goals.values()) == [1.0] for room in layout.rooms)


def test_figure_3_has_one_goal_or_three() -> None:
    assert [room.door for room in one_goal(6).rooms] == list(range(6))
    assert {next(iter(room.goals)) for room in one_goal(6).rooms} == {(5, 5)}
    assert [next(iter(room.goals)) for room in three_corners(8).rooms] == [(0, 7), (7, 0), (7, 7)]
    assert [room.door for room in three_corners(8).rooms] == [0, 4, 7]


def test_a_layout_is_drawn_with_the_start_at_the_bottom_left() -> None:
    layout = Layout(4, (Room(1, {(3, 3): 1.0}),))
    assert layout.text(0).splitlines() == ["..#.G", "..#..", ".. ..", "S.#.."]
    thick = Layout(4, (Room(1, {(3, 3): 1.0}),), thick=True)
    assert thick.text(0).splitlines() == ["..#G", "..#.", "....", "S.#."]
    assert Layout(3, (Room(None, {(2, 2): 0.5}),)).text(0).splitlines() == ["..G", "...", "S.."]


def test_a_picture_has_every_cell_and_what_goals_pay() -> None:
    for thick, lines in ((False, 3), (True, 0)):
        layout = Layout(4, (Room(1, {(3, 3): 0.25}),), thick=thick)
        root = ET.fromstring(layout.picture(0))
        names = [element.tag.rpartition("}")[2] for element in root]
        assert names.count("rect") == 17
        assert names.count("line") == lines
        assert [e.text for e in root if e.tag.endswith("text")] == ["0.25"]


@pytest.mark.parametrize(("given", "cell"), [({}, 20), ({"cell": 6}, 6)])
def test_a_picture_has_the_start_at_the_bottom_left(given: dict[str, int], cell: int) -> None:
    """Five by five, the door in row 1, fourth from the top; the wall is left of column 2."""
    root = ET.fromstring(Layout(5, (Room(1, {(4, 3): 1.0}),)).picture(0, **given))

    def numbers(element: ET.Element, names: str) -> list[float]:
        return [float(element.attrib[name]) / cell for name in names.split()]

    frame, *squares = (element for element in root if element.tag.endswith("rect"))
    assert root.attrib["viewBox"] == f"0 0 {5 * cell} {5 * cell}"
    assert numbers(frame, "width height") == [5, 5]
    places = [numbers(square, "x y width height") for square in squares]
    assert sorted(places) == [[x, y, 1, 1] for x in range(5) for y in range(5)]
    coloured = {square.attrib["fill"]: numbers(square, "x y") for square in squares}
    assert (coloured["#56b4e9"], coloured["#f0e442"]) == ([0, 4], [3, 0])
    walls = [numbers(e, "x1 y1 x2 y2") for e in root if e.tag.endswith("line")]
    assert sorted(walls) == [[2, y, 2, y + 1] for y in (0, 1, 2, 4)]


def test_a_thick_wall_takes_a_column() -> None:
    grid = Grid(3, 5, door=1, thick=True)
    middle = [grid.state((row, 2)) for row in range(3)]
    assert grid.move(grid.state((1, 1)), RIGHT) == middle[1]
    assert grid.move(middle[1], RIGHT) == grid.state((1, 3))
    assert grid.move(grid.state((0, 1)), RIGHT) == grid.state((0, 1))
    assert grid.move(grid.state((0, 3)), LEFT) == grid.state((0, 3))
    assert grid.move(middle[1], UP) == grid.move(middle[1], DOWN) == middle[1]
    assert all(grid.move(middle[0], a) == middle[0] for a in range(4))


def test_a_failed_action_may_spread_over_the_others() -> None:
    p = transitions(Grid(3, 3), 0.3, Spread.THREE_OTHERS)
    centre = 4
    assert p[centre, UP, [7, 1, 5, 3]] == near([0.7, 0.1, 0.1, 0.1])
    assert p.sum(axis=2) == near(np.ones((9, 4)))
    layout = Layout(3, (Room(None, {(2, 2): 1.0}),))
    task = layout.tasks(0.9, action_failure=0.3, spread=Spread.THREE_OTHERS)[0]
    assert task.p[centre] == near(p[centre])
    assert mean_reward(task)[8].tolist() == [1.0] * 4


@pytest.mark.parametrize(
    ("wrong", "argument"),
    [
        (lambda: Layout(0, (Room(None, {(0, 0): 1.0}),)), "side"),
        (lambda: Layout(4, ()), "rooms"),
        (
            lambda: Layout(4, (Room(1, {(0, 0): 1.0}), "a room")),  # type: ignore[arg-type]
            r"rooms\[1\]: must be a Room.*found str",
        ),
        (lambda: Layout(4, (Room(4, {(0, 0): 1.0}),)), "door.*found 4"),
        (lambda: Layout(4, (Room(1, {(4, 0): 1.0}),)), r"cell.*found \(4, 0\)"),
        (lambda: Layout(4, (Room(1, {(0, 0): 1.5}),)), "goals.*found 1.5"),
        (lambda: Layout(5, (Room(1, {(0, 2): 1.0}),), thick=True), r"goals.*wall.*found \(0, 2\)"),
        (lambda: Layout(4, (Room(1, {(0, 0): 1.0}),)).text(1), "task"),
        (lambda: goal_grid(Grid(3, 3, 1, thick=True), {(0, 1): 1.0}, 0.9), "goals"),
        (lambda: Grid(3, 2, 1, thick=True), "columns"),
        (lambda: one_goal(1), "side"),
        (lambda: three_corners(2), "side"),
        (lambda: figure_1_left(rng(), Places.THREE_GOALS, side=4), "side"),
        (lambda: figure_1_right(rng(), side=3), "side"),
        (lambda: figure_1_right(rng(), Rewards(stable=(80, 120))), "rewards"),
    ],
)
def test_what_is_no_layout_is_refused(wrong: object, argument: str) -> None:
    assert callable(wrong)
    with pytest.raises(InputError, match=rf"^{argument}"):
        wrong()
