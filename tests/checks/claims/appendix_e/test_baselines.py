"""MaxQInit and PEL of the experiments do what they say, and their checks reject slips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from ptum.checks.claims.appendix_e import baseline_panels as panels
from ptum.checks.claims.appendix_e.baseline_panels import Budgeted, Maze, Purse
from ptum.checks.claims.appendix_e.sequence_panels import Listed
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.arrays import Floats, Ints
from ptum.reference.experiments.episodes import OnlineTask
from ptum.reference.experiments.grid import LEFT, Grid
from ptum.reference.experiments.layouts import goals_near_corners
from ptum.reference.experiments.pel import KnownModels, Pel, known_models
from ptum.reference.experiments.rmax import maxqinit_table
from ptum.reference.tasks.mdp import MDP, mean_reward
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
HOLDS, VIOLATED, NOT_MET = Verdict.HOLDS, Verdict.VIOLATED, Verdict.ASSUMPTION_NOT_MET

MAZE = Maze(2, ((0, 1), (1, 1)), (1, 0), seed=0)
PURSE = Purse(
    side=4,
    best=(4, 0, 1, 2, 3, 5, 6),
    stable=(77, 78, 79, 77, 78, 79, 77),
    variable=(0, 6),
    informative=(20, 10),
    elsewhere=((65, 66, 67, 68, 69, 70), (79, 78, 77, 76, 75, 74)),
    seed=3,
)
LIST = Budgeted(Listed(2, 3, seed=5))


def test_a_prize_is_paid_on_arrival_and_ends_the_episode() -> None:
    place = panels.corners(PURSE)
    for task, answering in zip(place.tasks, place.answering, strict=True):
        assert answering.p == near(task.p)
        assert answering.r == near(mean_reward(task))
        for s, a, s_next in np.argwhere(answering.joint[:, :, 1] > 0):
            assert s_next in answering.ends, (s, a)
            assert s not in answering.ends
        assert len(answering.ends) == 7


# Slips that the checks reject


def of_target(tasks: Sequence[MDP], target: int) -> Floats:
    """The true Q-function, which nobody gives to MaxQInit."""
    return maxqinit_table([tasks[target]])


def leftwards(tasks: Sequence[MDP], _: int) -> Floats:
    """Left of the start there is nothing."""
    Q = np.zeros((tasks[0].S, tasks[0].A))
    Q[:, LEFT] = 1.0
    return Q


class Stubborn(Pel):
    """Never drops a model."""

    def see(self, *_: int) -> bool:
        return False


class Backwards(Pel):
    """Goes left where its model goes up, and down where that goes right."""

    def optimistic(self) -> Ints:
        pi: Ints = 3 - super().optimistic()
        return pi


class Mistaken(Pel):
    """Ends with the last model, whatever it sees."""

    def see(self, *_: int) -> bool:
        self.active = (self.known.k - 1,)
        return True


class Told(Pel):
    """Knows that the target is the first model."""

    def __init__(self, known: KnownModels) -> None:
        super().__init__(known)
        self.active = (0,)
        self.policy = self.optimistic()


def test_a_start_from_the_true_values_is_not_delayed() -> None:
    assert panels.delayed(QUICK, initial=of_target).verdict is VIOLATED
    assert panels.starts(MAZE, of_target).maxqinit == 0


def test_ptum_is_compared_on_the_grid_of_the_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < panels.samples_of_ptum(MAZE) < math.inf
    monkeypatch.setattr(panels, "ROOMS", MAZE.side)
    monkeypatch.setattr(panels, "samples_of_ptum", lambda _: 10**9)
    assert panels.delayed_evaluation(MAZE).verdict() is VIOLATED


def test_identification_that_never_drops_a_model_is_no_identification() -> None:
    assert panels.delayed_evaluation(MAZE).verdict() is HOLDS
    assert panels.delayed_evaluation(MAZE, identifier=Stubborn).verdict() is VIOLATED
    assert panels.instant_evaluation(MAZE).verdict() is HOLDS
    assert panels.instant_evaluation(MAZE, identifier=Stubborn).verdict() is VIOLATED


def test_a_run_that_drops_the_target_is_not_looked_at() -> None:
    assert panels.instant_evaluation(MAZE, Mistaken).verdict() is NOT_MET
    assert panels.delayed_evaluation(MAZE, identifier=Mistaken).verdict() is NOT_MET


def test_who_begins_with_the_truth_converges_first() -> None:
    assert panels.converges_evaluation(PURSE).verdict() is HOLDS
    assert panels.converges_evaluation(PURSE, initial=of_target).verdict() is VIOLATED
    assert panels.converges_evaluation(PURSE, identifier=Told).verdict() is VIOLATED


def test_certain_prizes_would_let_pel_come_first() -> None:
    """Then a visit of the goal that a rival promises most for is the end of that rival."""
    place, rewards = panels.corners(PURSE), PURSE.rewards()
    u = np.unique([0.0, *rewards.ravel()])
    cells = [Grid(4, 4).state(goal) for goal in goals_near_corners(4)]
    laws = []
    for row, task in zip(rewards, place.tasks, strict=True):
        prize = np.zeros(task.S)
        prize[cells] = row
        distribution = (prize == u[:, np.newaxis]) * task.p[:, :, np.newaxis]
        distribution[cells] = 0
        distribution[cells, :, 0, cells] = 1
        laws.append(OnlineTask(distribution, u, task.gamma, ends=frozenset(cells)))
    deterministic = panels.PurseTasks(place.tasks, tuple(laws), known_models(laws, place.tasks))
    assert deterministic.optimum == near(place.optimum)
    episodes = panels.episodes_until_converged(deterministic, Pel(deterministic.known), (0,))
    assert 0 < episodes < 12 < panels.episodes_of_ptum(PURSE, place)


def test_a_layout_in_which_a_rival_has_as_good_a_policy_is_not_looked_at() -> None:
    """The far corner, which poor goals surround."""
    far = replace(PURSE, best=(2, 0, 1, 4, 3, 5, 6))
    assert panels.converges_evaluation(far).verdict() is NOT_MET


def test_ptum_without_the_best_policy_never_converges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panels.PurseTasks, "converged", lambda *_: False)
    assert panels.episodes_of_ptum(PURSE, panels.corners(PURSE)) == np.inf
    assert panels.converges_evaluation(PURSE).verdict() is VIOLATED


def test_learners_that_do_not_go_for_a_goal_start_low() -> None:
    assert panels.high_start_evaluation(PURSE, initial=leftwards).verdict() is VIOLATED
    assert panels.high_start_evaluation(PURSE).verdict() is HOLDS


def test_a_start_at_goals_that_pay_little_is_low() -> None:
    """What is stable pays 0.59 where the best goal pays 0.8: less than three quarters of it."""
    low = replace(PURSE, stable=(59,) * 7)
    assert panels.high_start_evaluation(low).verdict() is VIOLATED
    assert panels.high_start_evaluation(replace(PURSE, stable=(61,) * 7)).verdict() is HOLDS


def test_pel_that_goes_elsewhere_starts_low() -> None:
    assert panels.high_start_evaluation(PURSE, identifier=Backwards).verdict() is VIOLATED


def test_true_values_make_maxqinit_near_optimal() -> None:
    for evaluation in (panels.below_evaluation, panels.not_all_near_evaluation):
        assert evaluation(LIST).verdict() is HOLDS
        assert evaluation(LIST, of_target).verdict() is VIOLATED


def test_pairs_that_are_known_soon_make_maxqinit_near_optimal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(panels, "KNOWN_SEQUENTIAL", 10)
    longer = replace(LIST, factor=30)
    assert panels.below_evaluation(longer).verdict() is VIOLATED
    assert panels.not_all_near_evaluation(longer).verdict() is VIOLATED


# Layouts


def test_goals_are_in_the_right_room_and_doors_in_every_row() -> None:
    for maze in panels.mazes_of_panel(2):
        assert sorted(maze.doors) == list(range(12))
        assert len(set(maze.goals)) == 12
        assert all(column >= 6 for _, column in maze.goals)


def test_rewards_of_a_purse() -> None:
    rewards = PURSE.rewards()
    assert rewards[0].tolist() == [0.2, 0.78, 0.79, 0.77, 0.8, 0.79, 0.1]
    assert rewards[1].tolist() == [0.81, 0.78, 0.79, 0.77, 0.78, 0.79, 0.79]
    assert rewards[6].tolist() == [0.7, 0.78, 0.79, 0.77, 0.78, 0.79, 0.81]


@pytest.mark.parametrize("side", [4, 5, 12])
def test_every_goal_can_be_reached_without_passing_another(side: int) -> None:
    goals, grid = set(goals_near_corners(side)), Grid(side, side)
    cells = {grid.state(goal) for goal in goals}
    reached, on_the_way = {0}, [0]
    while on_the_way:
        s = on_the_way.pop()
        fresh = {grid.move(s, a) for a in range(4)} - reached if s not in cells else set()
        reached |= fresh
        on_the_way += fresh
    assert len(goals) == 7
    assert cells < reached


def test_purses_have_the_rewards_of_the_panel() -> None:
    for purse in (PURSE, *panels.purses_of_panel(3)):
        within = (
            (panels.STABLE, purse.stable),
            (panels.INFORMATIVE, purse.informative),
            *((panels.ELSEWHERE, row) for row in purse.elsewhere),
        )
        assert all(low <= min(pays) <= max(pays) <= high for (low, high), pays in within)
        assert sorted(purse.best) == list(range(7))
        assert not set(purse.variable) & set(panels.NEAREST)
        rewards = purse.rewards()
        assert rewards.max(axis=1).tolist() == [0.8] + [0.81] * 6
