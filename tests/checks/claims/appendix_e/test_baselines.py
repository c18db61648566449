"""The stand-ins for MaxQInit and PEL do what they say, and the checks made of them reject slips."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from ptum.checks.claims.appendix_e import baseline_panels as panels
from ptum.checks.claims.appendix_e.baseline_panels import Budgeted, Maze, Purse
from ptum.checks.claims.appendix_e.baselines import (
    Candidates,
    MaxQInit,
    OnlineTask,
    Pel,
    candidates,
    episode,
    first_best,
    largest_values,
    online,
    policies,
    steps_until,
)
from ptum.checks.claims.appendix_e.sequence_panels import Listed
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.arrays import Bools, Floats, Ints
from ptum.reference.experiments.grid import LEFT, Grid
from ptum.reference.experiments.two_rooms import two_rooms
from ptum.reference.tasks.mdp import MDP, deterministic_rewards, mean_reward
from ptum.reference.tasks.values import action_value, optimal_policy, optimal_value, policy_value
from ptum.spec.vocabulary import Verdict

pytestmark = pytest.mark.usefixtures("without_shrinking")

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


def drawn_task(seed: int, S: int = 4, A: int = 3) -> MDP:
    """Any laws, γ = 0.9."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(S), size=(S, A))
    q = rng.dirichlet(np.ones(2), size=(S, A))
    return MDP(p, q, np.array([0.0, 1.0]), 0.9)


# Tasks in episodes


def test_a_task_in_episodes_has_the_means_of_the_task() -> None:
    task = drawn_task(0)
    answering = online(task)
    assert answering.p == pytest.approx(task.p)
    assert answering.r == pytest.approx(mean_reward(task))
    pi = optimal_policy(task)
    assert answering.worth(pi) == pytest.approx(policy_value(task, pi)[0])
    everywhere = replace(answering, starts=(1, 3))
    assert everywhere.worth(pi) == pytest.approx(policy_value(task, pi)[[1, 3]].mean())


def test_a_step_inverts_the_cumulative_law() -> None:
    law = np.zeros((2, 1, 2, 2))
    law[0, 0] = [[0.25, 0.0], [0.25, 0.5]]
    law[1, 0, 0, 1] = 1
    task = OnlineTask(law, np.array([0.0, 1.0]), 0.5)
    seen = [task.step(0, 0, uniform) for uniform in (0.0, 0.2, 0.3, 0.6, 0.9999999)]
    assert seen == [(0, 0), (0, 0), (1, 0), (1, 1), (1, 1)]
    assert task.step(1, 0, 1.0) == (0, 1), "rounding may push a draw to the end of the law"


def test_a_prize_is_paid_on_arrival_and_ends_the_episode() -> None:
    place = panels.corners(PURSE)
    for task, answering in zip(place.tasks, place.answering, strict=True):
        assert answering.p == pytest.approx(task.p)
        assert answering.r == pytest.approx(mean_reward(task))
        for s, a, s_next in np.argwhere(answering.law[:, :, 1] > 0):
            assert s_next in answering.ends, (s, a)
            assert s not in answering.ends
        assert len(answering.ends) == 7


def corridor(S: int) -> MDP:
    """One action leads on, the other stays; the last state pays and stays."""
    p, r = np.zeros((S, 2, S)), np.zeros((S, 2))
    for s in range(S):
        p[s, 0, min(s + 1, S - 1)] = p[s, 1, s] = 1
    r[S - 1] = 1
    return deterministic_rewards(p, r, 0.5)


class Walker:
    """Goes on, and has a new policy whenever it sees the reward."""

    def __init__(self, S: int) -> None:
        self.policy: Ints = np.zeros(S, dtype=np.int64)
        self.seen: list[tuple[int, int, int, int]] = []

    def see(self, s: int, a: int, j: int, s_next: int) -> bool:
        self.seen.append((s, a, j, s_next))
        return j == 1


def test_steps_are_counted_over_episodes_until_a_new_policy_will_do() -> None:
    task, rng = online(corridor(4)), np.random.default_rng(0)
    assert steps_until(task, Walker(4), 5, rng, 100, lambda: True) == 0
    walker = Walker(4)
    assert steps_until(task, walker, 5, rng, 100, lambda: len(walker.seen) > 5) == 9
    assert [s for s, *_ in walker.seen] == [0, 1, 2, 3, 3, 0, 1, 2, 3]
    assert steps_until(task, Walker(4), 5, rng, 7) == 7
    ending = replace(task, ends=frozenset({2}))
    assert list(episode(ending, Walker(4), 5, rng)) == [False, False]


@pytest.mark.parametrize(("steps", "most"), [(0, 9), (-1, 9), (5, 0), (5, -1)])
def test_a_run_without_steps_is_refused(steps: int, most: int) -> None:
    """It would never end: no episode has a step, or none of its steps is the last one."""
    task, rng = online(corridor(4)), np.random.default_rng(0)
    with pytest.raises(ValueError, match=f"episodes of {steps} steps and {most} steps at most"):
        steps_until(task, Walker(4), steps, rng, most)
    assert steps_until(task, Walker(4), 1, rng, 1) == 1


def test_policies_are_those_at_the_begin_of_episodes() -> None:
    task = online(corridor(2))
    learner = MaxQInit(task, np.array([[0.0, 9.0], [9.0, 9.0]]), m=3)
    begun = policies(task, learner, 2, np.random.default_rng(0))
    assert [int(pi[0]) for pi in itertools.islice(begun, 4)] == [1, 1, 0, 0]


def test_starts_are_drawn() -> None:
    task = online(corridor(3), starts=(0, 1))
    walker = Walker(3)
    for seed in range(20):
        list(episode(task, walker, 1, np.random.default_rng(seed)))
    assert {s for s, *_ in walker.seen} == {0, 1}


# MaxQInit


def test_the_first_of_equal_actions_is_taken() -> None:
    Q = np.array([[1.0, 1.0 + 1e-12, 0.0], [0.0, 0.5, 1.0]])
    assert first_best(Q, 1e-9).tolist() == [0, 2]
    assert first_best(Q, 0.0).tolist() == [1, 2]


def test_the_initial_table_is_above_every_task() -> None:
    tasks = [drawn_task(seed) for seed in range(3)]
    tables = [action_value(task, optimal_value(task)) for task in tasks]
    table = largest_values(tasks)
    assert all(np.all(table >= other) for other in tables)
    assert np.all(table == np.max(tables, axis=0))


def planned(known: Bools, initial: Floats, m: int = 4) -> tuple[MaxQInit, MDP]:
    """A learner that saw m samples of some pairs, and the task that it should have solved.

    There a pair that is not known stays where it is and pays what its initial value is worth.
    """
    task, rng = online(drawn_task(3)), np.random.default_rng(0)
    learner = MaxQInit(task, initial, m)
    for s, a in np.argwhere(known):
        for _ in range(m):
            learner.see(int(s), int(a), *task.step(int(s), int(a), rng.random()))
    r = np.where(known, learner.rewards @ task.u / m, (1 - task.gamma) * initial)
    p = np.where(known[..., np.newaxis], learner.successors / m, np.eye(task.S)[:, np.newaxis])
    return learner, deterministic_rewards(p, r, task.gamma)


@pytest.mark.parametrize("seed", range(8))
def test_a_plan_is_optimal_for_empirical_laws_and_initial_values(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = rng.random((4, 3)) < rng.choice([0.3, 0.7, 1.1])
    initial = rng.uniform(4, 10, size=(4, 3))
    learner, solved = planned(known, initial)
    assert np.array_equal(learner.known, known)
    if known.any():
        assert policy_value(solved, learner.policy) == pytest.approx(optimal_value(solved))
    else:
        assert np.array_equal(learner.policy, initial.argmax(axis=1))


def test_a_pair_is_known_after_m_samples_and_then_for_good() -> None:
    task = online(drawn_task(1))
    learner = MaxQInit(task, np.full((4, 3), 10.0), m=2)
    assert [learner.see(0, 0, 0, 2) for _ in range(4)] == [False, True, False, False]
    assert learner.known.sum() == 1
    assert learner.successors[0, 0].tolist() == [0, 0, 2, 0]
    assert learner.policy[0] == 1, "what is known is worth less than what is not"


# PEL


def two_laws(*chances: float) -> Candidates:
    """One state, one action; models that pay 1 with these probabilities."""
    tasks = [
        MDP(np.ones((1, 1, 1)), np.array([[[1 - chance, chance]]]), np.array([0.0, 1.0]), 0.5)
        for chance in chances
    ]
    return candidates([online(task) for task in tasks], tasks)


def test_what_is_impossible_goes_at_once() -> None:
    pel = Pel(two_laws(0.5, 1.0))
    assert not pel.see(0, 0, 1, 0)
    assert pel.see(0, 0, 0, 0)
    assert pel.active == (0,)


def test_a_model_goes_when_the_ratio_falls_below_its_share_of_delta() -> None:
    """Every reward counts 8 for the second model; 8³ = 512 is the first power above 2/δ = 200."""
    pel = Pel(two_laws(0.1, 0.8), delta=0.01)
    for expected in ((0, 1), (0, 1), (1,)):
        pel.see(0, 0, 1, 0)
        assert pel.active == expected


def test_the_likeliest_survivor_stays() -> None:
    """The first model explains everything but was dropped; what then happens rules out the rest."""
    pel = Pel(two_laws(0.1, 1.0))
    for j in (1, 1, 1):
        pel.see(0, 0, j, 0)
    assert pel.active == (1,)
    assert not pel.see(0, 0, 0, 0)
    assert pel.active == (1,)
    assert np.isneginf(pel.log_likelihood[1])
    three = Pel(two_laws(0.4, 0.6, 0.5))
    for j in (1, 0, 1, 0):
        three.see(0, 0, j, 0)
    assert three.active == (0, 1, 2)


def test_pel_is_as_optimistic_as_its_models_let_it_be() -> None:
    tasks = [two_rooms(2, 2, door, (door, 1), 0.9) for door in (0, 1)]
    known = candidates([online(task) for task in tasks], tasks)
    pel = Pel(known)
    largest = known.V_star.max(axis=0)
    for s, a in enumerate(pel.policy.tolist()):
        promised = [theta for theta in (0, 1) if known.V_star[theta, s] == largest[s]]
        assert a in {known.pi_star[theta, s] for theta in promised}
    pel.active = (1,)
    assert np.array_equal(pel.optimistic(), known.pi_star[1])


# Slips that the checks reject


def of_target(tasks: Sequence[MDP], target: int) -> Floats:
    """The true Q-function, which nobody gives to MaxQInit."""
    return largest_values([tasks[target]])


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

    def __init__(self, known: Candidates) -> None:
        super().__init__(known)
        self.active = (0,)
        self.policy = self.optimistic()


def test_a_start_from_the_true_values_is_not_delayed() -> None:
    assert panels.delayed(QUICK).verdict is HOLDS
    assert panels.delayed(QUICK, initial=of_target).verdict is VIOLATED
    assert panels.starts(MAZE, of_target).maxqinit == 0


def test_ptum_is_compared_on_the_grid_of_the_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < panels.samples_of_ptum(MAZE) < math.inf
    monkeypatch.setattr(panels, "ROOMS", MAZE.side)
    monkeypatch.setattr(panels, "samples_of_ptum", lambda _: 10**9)
    assert panels.delayed_walk(MAZE).verdict() is VIOLATED


def test_identification_that_never_drops_a_model_is_no_identification() -> None:
    assert panels.delayed_walk(MAZE).verdict() is HOLDS
    assert panels.delayed_walk(MAZE, identifier=Stubborn).verdict() is VIOLATED
    assert panels.instant(QUICK).verdict is HOLDS
    assert panels.instant_walk(MAZE).verdict() is HOLDS
    assert panels.instant_walk(MAZE, identifier=Stubborn).verdict() is VIOLATED


def test_a_run_that_drops_the_target_is_not_looked_at() -> None:
    assert panels.instant_walk(MAZE, Mistaken).verdict() is NOT_MET
    assert panels.delayed_walk(MAZE, identifier=Mistaken).verdict() is NOT_MET


def test_who_begins_with_the_truth_converges_first() -> None:
    assert panels.converges_walk(PURSE).verdict() is HOLDS
    assert panels.converges(QUICK).verdict is HOLDS
    assert panels.converges_walk(PURSE, initial=of_target).verdict() is VIOLATED
    assert panels.converges_walk(PURSE, identifier=Told).verdict() is VIOLATED


def test_certain_prizes_would_let_pel_come_first() -> None:
    """Then a visit of the goal that a rival promises most for is the end of that rival."""
    place, rewards = panels.corners(PURSE), PURSE.rewards()
    u = np.unique([0.0, *rewards.ravel()])
    cells = [Grid(4, 4).state(goal) for goal in panels.goals_near_corners(4)]
    laws = []
    for row, task in zip(rewards, place.tasks, strict=True):
        prize = np.zeros(task.S)
        prize[cells] = row
        law = (prize == u[:, np.newaxis]) * task.p[:, :, np.newaxis]
        law[cells] = 0
        law[cells, :, 0, cells] = 1
        laws.append(OnlineTask(law, u, task.gamma, ends=frozenset(cells)))
    certain = panels.Corners(place.tasks, tuple(laws), candidates(laws, place.tasks))
    assert certain.optimum == pytest.approx(place.optimum)
    episodes = panels.episodes_until_converged(certain, Pel(certain.known), (0,))
    assert 0 < episodes < 12 < panels.episodes_of_ptum(PURSE, place)


def test_a_layout_in_which_a_rival_has_as_good_a_policy_is_not_looked_at() -> None:
    """The far corner, which poor goals surround."""
    far = replace(PURSE, best=(2, 0, 1, 4, 3, 5, 6))
    assert panels.converges_walk(far).verdict() is NOT_MET


def test_ptum_without_the_best_policy_never_converges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panels.Corners, "converged", lambda *_: False)
    assert panels.episodes_of_ptum(PURSE, panels.corners(PURSE)) == np.inf
    assert panels.converges_walk(PURSE).verdict() is VIOLATED


def test_learners_that_do_not_go_for_a_goal_start_low() -> None:
    assert panels.high_start(QUICK).verdict is HOLDS
    assert panels.high_start_walk(PURSE, initial=leftwards).verdict() is VIOLATED
    assert panels.high_start_walk(PURSE).verdict() is HOLDS


def test_a_start_at_goals_that_pay_little_is_low() -> None:
    """What is stable pays 0.59 where the best goal pays 0.8: less than three quarters of it."""
    low = replace(PURSE, stable=(59,) * 7)
    assert panels.high_start_walk(low).verdict() is VIOLATED
    assert panels.high_start_walk(replace(PURSE, stable=(61,) * 7)).verdict() is HOLDS


def test_pel_that_goes_elsewhere_starts_low() -> None:
    assert panels.high_start_walk(PURSE, identifier=Backwards).verdict() is VIOLATED


def test_true_values_make_maxqinit_near_optimal() -> None:
    assert panels.below(QUICK).verdict is HOLDS
    assert panels.not_all_near(QUICK).verdict is HOLDS
    for walk in (panels.below_walk, panels.not_all_near_walk):
        assert walk(LIST).verdict() is HOLDS
        assert walk(LIST, of_target).verdict() is VIOLATED


def test_pairs_that_are_known_soon_make_maxqinit_near_optimal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(panels, "KNOWN_SEQUENTIAL", 10)
    longer = replace(LIST, factor=30)
    assert panels.below_walk(longer).verdict() is VIOLATED
    assert panels.not_all_near_walk(longer).verdict() is VIOLATED


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
    goals, grid = set(panels.goals_near_corners(side)), Grid(side, side)
    cells = {grid.state(goal) for goal in goals}
    reached, on_the_way = {0}, [0]
    while on_the_way:
        s = on_the_way.pop()
        fresh = {grid.move(s, a) for a in range(4)} - reached if s not in cells else set()
        reached |= fresh
        on_the_way += fresh
    assert len(goals) == 7
    assert cells < reached


def test_an_episode_ends_after_its_steps() -> None:
    task = online(corridor(3))
    on = np.zeros(3, dtype=np.int64)
    assert [task.earned(on, steps) for steps in (2, 3, 4)] == [0.0, 0.25, 0.375]
    assert task.worth(on) == pytest.approx(0.5)


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
