"""The grids of Appendix E: rows of small grids by hand, and what holds in all of them."""

from __future__ import annotations

import math
import xml.etree.ElementTree
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.experiments.grid import (
    DOWN,
    LEFT,
    RIGHT,
    START,
    UP,
    Grid,
    successors,
    transitions,
)
from ptum.reference.experiments.objectworld import (
    BASE_VALUES,
    COPIES,
    FIGURE_2,
    FIGURE_4,
    FIGURE_5_LEFT,
    FIGURE_5_RIGHT,
    LEAST_OFFSET,
    STOCHASTIC_VALUES,
    VALUES,
    Changes,
    Failed,
    TaskList,
    Tied,
    changed_items,
    generate_tasks,
    items_picture,
    items_text,
    loss_of_policy,
    objectworld,
    random_items,
    spread_failures,
)
from ptum.reference.experiments.two_rooms import Payment, goal_grid, two_rooms
from ptum.reference.tasks.mdp import MDP, mean_reward, reward_std
from ptum.reference.tasks.values import optimal_policy, optimal_value
from tests.support.closeness import near

# A grid of 2 rows and 3 columns, rows upwards, with the wall right of column 0:
#
#     3 | 4   5
#     0 | 1   2


def row(S: int, **chances: float) -> Floats:
    """A row of p from entries like s3=0.925."""
    found = np.zeros(S)
    for name, chance in chances.items():
        found[int(name[1:])] = chance
    return found


def test_moves_of_a_grid_without_wall() -> None:
    up, down, right, left = successors(Grid(2, 3)).T
    np.testing.assert_array_equal(up, [3, 4, 5, 3, 4, 5])
    np.testing.assert_array_equal(down, [0, 1, 2, 0, 1, 2])
    np.testing.assert_array_equal(right, [1, 2, 2, 4, 5, 5])
    np.testing.assert_array_equal(left, [0, 0, 1, 3, 3, 4])


def test_the_wall_blocks_both_ways_except_at_the_door() -> None:
    _, _, right, left = successors(Grid(2, 3, door=1)).T
    np.testing.assert_array_equal(right, [0, 2, 2, 4, 5, 5])
    np.testing.assert_array_equal(left, [0, 1, 1, 3, 3, 4])
    _, _, right, left = successors(Grid(2, 3, door=0)).T
    np.testing.assert_array_equal(right, [1, 2, 2, 3, 5, 5])
    np.testing.assert_array_equal(left, [0, 0, 1, 3, 4, 4])


def test_the_wall_does_not_change_moves_along_it() -> None:
    along = [UP, DOWN]
    with_wall, without = successors(Grid(4, 4, door=2)), successors(Grid(4, 4))
    np.testing.assert_array_equal(with_wall[:, along], without[:, along])


def test_an_even_width_gives_two_rooms_of_equal_size() -> None:
    grid = Grid(12, 12, door=7)
    blocked = np.argwhere(successors(grid) != successors(Grid(12, 12)))
    columns = {(int(s) % 12, int(a)) for s, a in blocked}
    assert columns == {(5, RIGHT), (6, LEFT)}
    assert len(blocked) == 2 * 11
    assert all(s // 12 != 7 for s, _ in blocked)


def test_transition_rows_by_hand() -> None:
    """A failed action (probability 0.1) is one of the four: the intended one keeps 0.925 (D67)."""
    p = transitions(Grid(2, 3, door=1))
    assert p[0, UP] == near(row(6, s3=0.925, s0=0.075))
    assert p[0, RIGHT] == near(row(6, s0=0.975, s3=0.025))
    assert p[3, RIGHT] == near(row(6, s4=0.925, s3=0.05, s0=0.025))
    assert p[4, LEFT] == near(row(6, s3=0.925, s5=0.025, s1=0.025, s4=0.025))
    assert p[2, DOWN] == near(row(6, s2=0.95, s1=0.025, s5=0.025))


def test_without_failure_moves_are_certain_and_with_certain_failure_the_action_is_ignored() -> None:
    grid = Grid(3, 4, door=0)
    np.testing.assert_array_equal(transitions(grid, 0.0), np.eye(12)[successors(grid)])
    ignored = transitions(grid, 1.0)
    np.testing.assert_array_equal(ignored[:, UP], ignored[:, LEFT])


def test_the_goal_is_absorbing_and_nothing_else_is() -> None:
    for payment in Payment:
        theta = two_rooms(2, 3, door=1, goal=(0, 2), gamma=0.9, payment=payment)
        np.testing.assert_array_equal(theta.p[2], np.eye(6)[[2, 2, 2, 2]])
        assert all(theta.p[s, a, s] < 1 for s in (0, 1, 3, 4, 5) for a in range(4))


def test_rewards_in_the_goal() -> None:
    theta = two_rooms(2, 3, door=1, goal=(1, 1), gamma=0.9)
    expected = np.zeros((6, 4))
    expected[4] = 1
    np.testing.assert_array_equal(mean_reward(theta), expected)
    np.testing.assert_array_equal(reward_std(theta), np.zeros((6, 4)))


def test_rewards_at_every_step_that_ends_in_the_goal() -> None:
    theta = two_rooms(2, 3, door=1, goal=(1, 1), gamma=0.9, payment=Payment.AT_GOAL)
    r = mean_reward(theta)
    np.testing.assert_array_equal(r, theta.p[:, :, 4])
    assert r[3] == near([0.025, 0.025, 0.925, 0.025])
    np.testing.assert_array_equal(r[4], [1, 1, 1, 1])
    assert reward_std(theta)[3, RIGHT] == near(np.sqrt(0.925 * 0.075))


def test_rewards_on_arrival_only() -> None:
    at_goal, once = (
        two_rooms(2, 3, door=1, goal=(1, 1), gamma=0.9, payment=payment)
        for payment in (Payment.AT_GOAL, Payment.ON_ARRIVAL)
    )
    others = [0, 1, 2, 3, 5]
    np.testing.assert_array_equal(mean_reward(once)[others], mean_reward(at_goal)[others])
    np.testing.assert_array_equal(mean_reward(once)[4], np.zeros(4))


def test_the_three_payments_differ_by_the_discounted_stay_in_the_goal() -> None:
    """V_in = γ V_at outside the goal, where V_at = V_once/(1-γ)."""
    gamma = 0.8
    V_in, V_at, V_once = (
        optimal_value(two_rooms(3, 4, door=1, goal=(2, 3), gamma=gamma, payment=payment))
        for payment in Payment
    )
    outside = np.arange(11)
    assert V_in[outside] == near(gamma * V_at[outside])
    assert V_once[outside] == near((1 - gamma) * V_at[outside])
    assert (V_in[11], V_once[11]) == (near(5.0), 0.0)


def test_the_way_leads_through_the_door() -> None:
    """Start bottom left, door in the top row, goal bottom right: up, through the door, down."""
    theta = two_rooms(2, 3, door=1, goal=(0, 2), gamma=0.9, action_failure=0.0)
    pi, s, way = optimal_policy(theta), START, []
    while s != 2:
        way.append(int(pi[s]))
        s = int(np.argmax(theta.p[s, pi[s]]))
    assert way in ([UP, RIGHT, RIGHT, DOWN], [UP, RIGHT, DOWN, RIGHT])
    assert optimal_value(theta)[START] == near(0.9**4 / 0.1)


def test_several_goals_without_a_wall() -> None:
    """Figure 1 right on a small grid: rewards differ between goals."""
    goals = {(0, 2): 0.8, (1, 0): 0.3}
    theta = goal_grid(Grid(2, 3), goals, 0.9999, payment=Payment.ON_ARRIVAL)
    np.testing.assert_array_equal(theta.u, [0, 0.3, 0.8])
    assert theta.q[1, RIGHT] == near([0.075, 0, 0.925])
    assert theta.q[0, UP] == near([0.075, 0.925, 0])
    assert float(optimal_value(theta).max()) <= 0.8


def test_a_goal_may_pay_nothing() -> None:
    theta = goal_grid(Grid(1, 2), {(0, 1): 0.0}, 0.9)
    np.testing.assert_array_equal(optimal_value(theta), [0.0, 0.0])
    np.testing.assert_array_equal(theta.p[1, :, 1], np.ones(4))


def test_grids_refuse_impossible_input() -> None:
    with pytest.raises(InputError, match="rows: must be an integer of at least 1"):
        Grid(0, 3)
    with pytest.raises(InputError, match="two rooms and their wall need 2 columns"):
        Grid(3, 1, door=0)
    with pytest.raises(InputError, match="door: must be a row below 2"):
        Grid(2, 3, door=2)
    with pytest.raises(InputError, match=r"cell: must be \(row, column\) in a grid of 2 by 3"):
        two_rooms(2, 3, door=0, goal=(2, 0), gamma=0.9)
    with pytest.raises(InputError, match="action_failure: a probability"):
        transitions(Grid(2, 3), 1.5)
    with pytest.raises(InputError, match=r"^goals: at least one goal is needed \(found 0\)$"):
        goal_grid(Grid(2, 3), {}, 0.9)
    for reward in (2.0, math.nextafter(0.0, -1.0)):
        with pytest.raises(InputError, match=r"the reward of \(0, 0\) must lie in"):
            goal_grid(Grid(2, 3), {(0, 0): reward}, 0.9)


# Objectworld


def test_an_item_is_picked_up_unless_that_fails() -> None:
    items = np.zeros((4, 4))
    items[1, RIGHT], items[2, UP] = 0.5, 1.0
    theta = objectworld(Grid(2, 2), items, 0.9, pick_up_failure=0.012)
    np.testing.assert_array_equal(theta.u, VALUES)
    expected = np.zeros(12)
    expected[0], expected[6] = 0.012, 0.988
    np.testing.assert_array_equal(theta.q[1, RIGHT], expected)
    assert mean_reward(theta)[1] == near([0, 0, 0.5 * 0.988, 0])
    assert reward_std(theta)[2, UP] == near(np.sqrt(0.012 * 0.988))


def test_an_empty_pair_pays_nothing_for_certain() -> None:
    theta = objectworld(Grid(2, 2), np.zeros((4, 4)), 0.9, pick_up_failure=0.3)
    np.testing.assert_array_equal(theta.q[:, :, 0], np.ones((4, 4)))
    np.testing.assert_array_equal(reward_std(theta), np.zeros((4, 4)))


def test_the_failed_action_moves_but_does_not_pick_up() -> None:
    """Rewards belong to the chosen action, however the move ends."""
    items = np.zeros((6, 4))
    items[0, UP] = 1.0
    moves_fail, none_fails = (
        objectworld(Grid(2, 3), items, 0.9, action_failure=f) for f in (0.45, 0.0)
    )
    np.testing.assert_array_equal(moves_fail.q, none_fails.q)
    np.testing.assert_array_equal(moves_fail.p, transitions(Grid(2, 3), 0.45))


def test_items_come_back_at_once() -> None:
    """Whoever stays in the corner picks the item up in every step: V = r/(1-γ)."""
    items = np.zeros((4, 4))
    items[0, LEFT] = 0.96
    theta = objectworld(Grid(2, 2), items, 0.9, action_failure=0.0, pick_up_failure=0.25)
    assert optimal_value(theta)[0] == near(0.96 * 0.75 / 0.1)


def test_items_are_drawn_with_weights_inverse_to_their_value() -> None:
    items = random_items(Grid(100, 100), BASE_VALUES, np.random.default_rng(0))
    weights = np.array([1 / 0.05, 1 / 0.25, 1 / 0.55, 1 / 1.01])
    share = np.array([np.mean(items == value) for value in BASE_VALUES])
    # 40000 draws: five standard deviations of a share are below 0.0125
    np.testing.assert_allclose(share, weights / weights.sum(), rtol=0, atol=0.0125)


def test_changes_go_up_as_a_rule() -> None:
    items = np.full((10_000, 4), 0.5)
    changed = changed_items(items, VALUES, np.random.default_rng(0))
    share = {value: float(np.mean(changed == value)) for value in (0.52, 0.54, 0.24, 0.5)}
    assert sum(share.values()) == near(1.0)
    assert list(share.values()) == pytest.approx([0.45, 0.45, 0.05, 0.05], abs=0.0125)


def test_changes_end_at_the_first_and_last_value() -> None:
    rng = np.random.default_rng(0)
    assert set(np.unique(changed_items(np.zeros((400, 4)), VALUES, rng))) == {0, 0.02, 0.04}
    assert set(np.unique(changed_items(np.ones((400, 4)), VALUES, rng))) == {0.98, 1.0}


def item_values(theta: MDP) -> set[float]:
    """The values that some pair pays."""
    return set(theta.u[np.any(theta.q > 0, axis=(0, 1))].tolist())


@pytest.mark.parametrize("seed", [0, 1])
def test_the_eight_tasks_of_figure_2(seed: int) -> None:
    tasks = generate_tasks(FIGURE_2, np.random.default_rng(seed))
    assert len(tasks) == 8
    for number, theta in enumerate(tasks):
        assert (theta.S, theta.A, theta.gamma) == (25, 4, 0.9)
        np.testing.assert_array_equal(theta.p, transitions(Grid(5, 5), 0.1))
        np.testing.assert_array_equal(theta.u, VALUES)
        if number in (0, 2, 3, 5):
            assert item_values(theta) <= set(BASE_VALUES)
        else:
            assert item_values(theta) - set(BASE_VALUES)
            pi, V_star = optimal_policy(tasks[COPIES[number]]), optimal_value(theta)
            assert loss_of_policy(pi, theta, V_star) <= 0.5


def test_the_tasks_of_figures_4_and_5_differ_in_their_action_failures() -> None:
    assert FIGURE_4.action_failures == near((0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45))
    for setting in (FIGURE_4, FIGURE_5_LEFT):
        tasks = generate_tasks(setting, np.random.default_rng(0))
        np.testing.assert_array_equal(tasks[0].p, transitions(Grid(5, 5), 0.1))
        np.testing.assert_array_equal(tasks[7].p, transitions(Grid(5, 5), 0.45))
    np.testing.assert_array_equal(tasks[0].u, STOCHASTIC_VALUES)
    paying = mean_reward(tasks[0]) > 0
    assert reward_std(tasks[0])[paying] == near(
        np.sqrt(0.3 * 0.7) * mean_reward(tasks[0])[paying] / 0.7
    )


def test_the_generator_decides_the_tasks() -> None:
    small = replace(FIGURE_2, rows=2, columns=2)
    first, again, other = (generate_tasks(small, np.random.default_rng(seed)) for seed in (3, 3, 4))
    for one, two in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.q, two.q)
    assert any(np.any(one.q != two.q) for one, two in zip(first, other, strict=True))


def test_a_word_is_as_good_as_its_option_and_another_word_is_refused() -> None:
    grid, items = Grid(2, 2), np.zeros((4, 4))
    for failed in Failed:
        by_word = objectworld(grid, items, 0.9, failed=cast("Failed", failed.value))
        np.testing.assert_array_equal(by_word.q, objectworld(grid, items, 0.9, failed=failed).q)
    for tied in Tied:
        drawn, again = (
            random_items(grid, VALUES, np.random.default_rng(0), tied=way)
            for way in (cast("Tied", tied.value), tied)
        )
        np.testing.assert_array_equal(drawn, again)
    with pytest.raises(InputError, match="failed: must be one of nothing, another"):
        objectworld(grid, items, 0.9, failed=cast("Failed", "something"))
    with pytest.raises(InputError, match="tied: must be one of pair, cell"):
        random_items(grid, VALUES, np.random.default_rng(0), tied=cast("Tied", "grid"))
    no_generator = cast("np.random.Generator", 0)
    with pytest.raises(InputError, match=r"^rng: "):
        random_items(grid, VALUES, no_generator)
    with pytest.raises(InputError, match=r"^rng: "):
        changed_items(items, VALUES, no_generator)


def test_objectworlds_refuse_impossible_input() -> None:
    grid = Grid(2, 2)
    for shape in ((4, 3), (5, 4)):
        with pytest.raises(InputError, match=r"items: must have shape \(4, 4\)"):
            objectworld(grid, np.zeros(shape), 0.9)
    with pytest.raises(InputError, match=r"items\[0, 0\]: must be one of the values"):
        objectworld(grid, np.full((4, 4), 0.3), 0.9)
    with pytest.raises(InputError, match="pick_up_failure: a probability"):
        objectworld(grid, np.zeros((4, 4)), 0.9, pick_up_failure=-0.1)
    with pytest.raises(InputError, match="base_values: must be among the values"):
        TaskList(base_values=(0.0, 0.3))
    with pytest.raises(InputError, match="task 9 must be a task"):
        TaskList(copies={9: 0})
    for copies in ({1: 0, 2: 1}, {1.0: 0}, {1: 0.0}):
        with pytest.raises(InputError, match="a copy of one that is no copy itself"):
            TaskList(copies=copies)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="k: must be an integer of at least 1"):
        spread_failures(0)


def test_a_copy_that_cannot_be_had_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The original is empty, its policy goes up everywhere: optimal in hardly any copy."""
    monkeypatch.setattr("ptum.reference.experiments.objectworld.DRAWS_PER_COPY", 20)
    empty = replace(FIGURE_2, epsilon=0.0, base_values=(0.0,))
    with pytest.raises(InputError, match="epsilon: no copy for task 1 in 20 draws"):
        generate_tasks(empty, np.random.default_rng(0))


def test_failures_reach_from_a_tenth_to_nine_twentieths() -> None:
    assert spread_failures(2) == (0.1, 0.45)


@pytest.mark.parametrize("values", [(), (0.5, 1.0), (0.0, 0.5, 0.5), (-0.5, 0.0, 0.5)])
def test_values_begin_with_the_empty_cell_and_increase(values: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="values: must begin with 0"):
        objectworld(Grid(2, 2), np.zeros((4, 4)), 0.9, values=values)


def test_a_copy_may_lose_epsilon_and_what_rounding_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    world = "ptum.reference.experiments.objectworld"
    monkeypatch.setattr(f"{world}.DRAWS_PER_COPY", 1)
    monkeypatch.setattr(f"{world}.value_tolerance", lambda *_: 0.125)
    setting = replace(FIGURE_2, epsilon=0.5, rows=1, columns=1)
    monkeypatch.setattr(f"{world}.loss_of_policy", lambda *_: 0.625)
    assert len(generate_tasks(setting, np.random.default_rng(0))) == 8
    above = np.nextafter(0.625, 1)
    monkeypatch.setattr(f"{world}.loss_of_policy", lambda *_: above)
    with pytest.raises(InputError, match="no copy for task 1 in 1 draws"):
        generate_tasks(setting, np.random.default_rng(0))


def test_a_copy_may_be_asked_to_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    world = "ptum.reference.experiments.objectworld"
    setting = replace(FIGURE_2, rows=1, columns=1, least_loss=0.25)
    found = iter([0.2, 0.25, 0.5, 0.1, 0.6, 0.3, 0.4])
    monkeypatch.setattr(f"{world}.loss_of_policy", lambda *_: next(found))
    assert len(generate_tasks(setting, np.random.default_rng(0))) == 8
    assert list(found) == []  # four of them are between 0.25 and 0.5
    for wrong in (-0.1, 0.6, float("nan")):
        with pytest.raises(InputError, match="least_loss"):
            replace(FIGURE_2, least_loss=wrong)


def test_a_thousand_copies_are_drawn_before_giving_up(monkeypatch: pytest.MonkeyPatch) -> None:
    world = "ptum.reference.experiments.objectworld"
    task = objectworld(Grid(1, 1), np.zeros((1, 4)), 0.9)
    monkeypatch.setattr(f"{world}._task", lambda *_: task)
    monkeypatch.setattr(f"{world}.value_tolerance", lambda *_: 0.0)
    monkeypatch.setattr(f"{world}.optimal_value", lambda *_: np.zeros(1))
    monkeypatch.setattr(f"{world}.loss_of_policy", lambda *_: 1.0)
    with pytest.raises(InputError, match="no copy for task 1 in 1000 draws"):
        generate_tasks(replace(FIGURE_2, rows=1, columns=1), np.random.default_rng(0))


# What is left open is an option


def test_the_ten_tasks_of_figure_5_right() -> None:
    tasks = generate_tasks(FIGURE_5_RIGHT, np.random.default_rng(0))
    assert len(tasks) == 10
    assert {task.p.shape for task in tasks} == {(25, 4, 25)}
    assert tasks[0].u.tolist() == [0.0, 0.2, 0.5, 0.96]
    assert len({mean_reward(task).tobytes() for task in tasks}) == 10
    assert all(np.array_equal(task.p, tasks[0].p) for task in tasks)


def test_weights_of_items() -> None:
    grid = Grid(60, 60)
    equal = random_items(grid, (0.0, 0.5, 1.0), np.random.default_rng(0), offset=math.inf)
    share = np.array([np.mean(equal == x) for x in (0.0, 0.5, 1.0)])
    far = math.sqrt(math.log(6 / 1e-9) / (2 * equal.size))  # Hoeffding, three shares, P ≤ 1e-9
    assert np.abs(share - 1 / 3).max() <= far < 0.05
    for offset in (1e-9, LEAST_OFFSET):
        most = random_items(grid, (0.0, 0.5, 1.0), np.random.default_rng(0), offset=offset)
        assert np.all(most == 0)


def test_an_item_of_a_cell_is_picked_up_by_one_action() -> None:
    items = random_items(Grid(9, 9), (0.0, 1.0), np.random.default_rng(0), 1e9, Tied.CELL)
    assert set(np.count_nonzero(items, axis=1)) == {0, 1}
    assert set(np.argmax(items[items.any(axis=1)], axis=1)) == {0, 1, 2, 3}


def test_a_failed_pick_up_may_pay_another_item() -> None:
    grid, items = Grid(1, 2), np.full((2, 4), 0.5)
    task = objectworld(
        grid, items, 0.9, values=(0.0, 0.5, 1.0), pick_up_failure=0.2, failed=Failed.ANOTHER
    )
    assert task.q[0, 0] == near([0.1, 0.8, 0.1])
    two = objectworld(
        grid, np.ones((2, 4)), 0.9, values=(0.0, 1.0), pick_up_failure=0.2, failed=Failed.ANOTHER
    )
    assert two.q[0, 0] == near([0.2, 0.8])
    with pytest.raises(InputError, match=r"^values"):
        objectworld(grid, np.zeros((2, 4)), 0.9, values=(0.0,), failed=Failed.ANOTHER)


def test_changes_of_a_copy_are_an_option() -> None:
    items = np.full((25, 4), 0.2)
    down = changed_items(items, VALUES, np.random.default_rng(0), Changes(0, 0, 1, 0))
    assert np.all(down == 0.04)
    with pytest.raises(InputError, match=r"^changes"):
        Changes(0.5, 0.5, 0.5, 0)


def test_failures_may_be_drawn() -> None:
    drawn = spread_failures(50, rng=np.random.default_rng(0))
    assert min(drawn) >= 0.1
    assert max(drawn) <= 0.45
    assert np.ptp(np.diff(drawn)) > 0.1
    with pytest.raises(InputError, match=r"^largest"):
        spread_failures(3, 0.1, 1.1)


def test_options_reach_the_tasks() -> None:
    setting = TaskList(
        action_failures=(0.1, 0.1),
        values=(0.0, 0.5, 1.0),
        base_values=(0.0, 0.5, 1.0),
        copies={1: 0},
        weight_offset=math.inf,
        tied=Tied.CELL,
        failed=Failed.ANOTHER,
        pick_up_failure=0.2,
        changes=Changes(0, 0, 0, 1),
    )
    original, copy = generate_tasks(setting, np.random.default_rng(0))
    assert np.array_equal(original.q, copy.q)
    assert set(np.unique(original.q)) == {0.1, 0.8}
    assert np.all(np.count_nonzero(original.q.argmax(axis=2), axis=1) <= 1)


@pytest.mark.parametrize(
    ("make", "argument"),
    [
        (lambda: random_items(Grid(2, 2), (0.0, 1.2), np.random.default_rng(0)), "values.*1.2"),
        (lambda: random_items(Grid(2, 2), VALUES, np.random.default_rng(0), 0.0), "weight_offset"),
        (lambda: items_text(Grid(2, 2), np.zeros((3, 4))), "items"),
        (lambda: items_picture(Grid(2, 2), np.zeros((3, 4))), "items"),
        (lambda: items_text(Grid(2, 2), np.zeros((5, 4))), "items"),
        (lambda: TaskList(weight_offset=math.nextafter(LEAST_OFFSET, 0.0)), "weight_offset"),
    ],
)
def test_wrong_items_are_named(make: Callable[[], object], argument: str) -> None:
    with pytest.raises(InputError, match=f"^{argument}"):
        make()


def test_items_are_drawn_with_the_start_at_the_bottom_left() -> None:
    grid, items = Grid(2, 2), np.zeros((4, 4))
    items[0] = [0.1, 0.2, 0.3, 0.4]
    items[3, 2] = 1.0
    assert items_text(grid, items).splitlines() == [
        "   0    0    0    0 |    0    0    1    0",
        " 0.1  0.2  0.3  0.4 |    0    0    0    0",
    ]
    picture = xml.etree.ElementTree.fromstring(items_picture(grid, items, cell=100))
    texts = [(float(t.attrib["x"]), float(t.attrib["y"]), t.text) for t in picture if t.text]
    assert len(texts) == 16
    assert {(50, 120, "0.1"), (50, 190, "0.2"), (80, 155, "0.3"), (20, 155, "0.4")} <= set(texts)
    assert (180.0, 55.0, "1") in texts


def test_a_picture_has_a_square_of_sixty_for_every_cell_and_the_start_is_blue() -> None:
    picture = xml.etree.ElementTree.fromstring(items_picture(Grid(2, 3), np.zeros((6, 4))))
    assert picture.attrib["viewBox"] == "0 0 180 120"
    squares = [shape.attrib for shape in picture if shape.tag.endswith("rect")]
    assert {(square["width"], square["height"]) for square in squares} == {("60", "60")}
    places = [(square["x"], square["y"]) for square in squares if square["fill"] != "white"]
    assert places == [("0", "60")]
    assert len(squares) == 6
