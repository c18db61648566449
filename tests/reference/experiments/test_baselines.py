"""Tasks in episodes, RMAX and MaxQInit, PEL: what they compute, and what each guarantees."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from ptum.reference.arrays import Bools, Floats, Ints
from ptum.reference.errors import InputError
from ptum.reference.experiments.episodes import (
    EpisodeStep,
    Fixed,
    Learner,
    OnlineTask,
    PerSample,
    episode,
    estimated_return,
    expected_returns,
    online,
    policies,
    returns,
    returns_of_ptum,
    steps_until,
)
from ptum.reference.experiments.pel import KnownModels, Pel, known_models
from ptum.reference.experiments.rmax import Rmax, maxqinit_table, rmax_table
from ptum.reference.experiments.two_rooms import two_rooms
from ptum.reference.tasks.mdp import MDP, deterministic_rewards, mean_reward
from ptum.reference.tasks.values import (
    action_value,
    first_best,
    optimal_policy,
    optimal_value,
    policy_value,
)
from tests.support.closeness import near


def drawn_task(seed: int, S: int = 4, A: int = 3) -> MDP:
    """Any distributions, γ = 0.9."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(S), size=(S, A))
    q = rng.dirichlet(np.ones(2), size=(S, A))
    return MDP(p, q, np.array([0.0, 1.0]), 0.9)


# Tasks in episodes


def test_a_task_in_episodes_has_the_means_of_the_task() -> None:
    task = drawn_task(0)
    answering = online(task)
    assert answering.p == near(task.p)
    assert answering.r == near(mean_reward(task))
    pi = optimal_policy(task)
    assert answering.value(pi) == near(policy_value(task, pi)[0])
    everywhere = replace(answering, starts=(1, 3))
    assert everywhere.value(pi) == near(policy_value(task, pi)[[1, 3]].mean())


def test_a_step_inverts_the_distribution_function() -> None:
    joint = np.zeros((2, 1, 2, 2))
    joint[0, 0] = [[0.25, 0.0], [0.25, 0.5]]
    joint[1, 0, 0, 1] = 1
    task = OnlineTask(joint, np.array([0.0, 1.0]), 0.5)
    seen = [task.step(0, 0, uniform) for uniform in (0.0, 0.2, 0.3, 0.6, 0.9999999)]
    assert seen == [(0, 0), (0, 0), (1, 0), (1, 1), (1, 1)]
    assert task.step(1, 0, 1.0) == (0, 1), "rounding may push a draw to the end"


def corridor(S: int) -> MDP:
    """One action leads on, the other stays; the last state pays and stays."""
    p, r = np.zeros((S, 2, S)), np.zeros((S, 2))
    for s in range(S):
        p[s, 0, min(s + 1, S - 1)] = p[s, 1, s] = 1
    r[S - 1] = 1
    return deterministic_rewards(p, r, 0.5)


class Walker(Learner):
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
    assert list(episode(ending, Walker(4), 5, rng)) == [EpisodeStep(0.0, False)] * 2


@pytest.mark.parametrize(("steps", "most"), [(0, 9), (-1, 9), (5, 0), (5, -1)])
def test_a_run_without_steps_is_refused(steps: int, most: int) -> None:
    """It would never end: no episode has a step, or none of its steps is the last one."""
    task, rng = online(corridor(4)), np.random.default_rng(0)
    with pytest.raises(ValueError, match="must be an integer of at least 1"):
        steps_until(task, Walker(4), steps, rng, most)
    assert steps_until(task, Walker(4), 1, rng, 1) == 1


def test_policies_are_those_at_the_beginning_of_episodes() -> None:
    task = online(corridor(2))
    learner = Rmax(task, np.array([[0.0, 9.0], [9.0, 9.0]]), m=3)
    begun = policies(task, learner, 2, np.random.default_rng(0))
    assert [int(pi[0]) for pi in itertools.islice(begun, 4)] == [1, 1, 0, 0]


def test_starts_are_drawn() -> None:
    task = online(corridor(3), starts=(0, 1))
    walker = Walker(3)
    for seed in range(20):
        list(episode(task, walker, 1, np.random.default_rng(seed)))
    assert {s for s, *_ in walker.seen} == {0, 1}


def test_an_episode_ends_after_its_steps() -> None:
    task = online(corridor(3))
    on = np.zeros(3, dtype=np.int64)
    assert [task.expected_return(on, steps) for steps in (2, 3, 4)] == [0.0, 0.25, 0.375]
    assert task.value(on) == near(0.5)


# MaxQInit


def test_the_first_of_equal_actions_is_taken() -> None:
    Q = np.array([[1.0, 1.0 + 1e-12, 0.0], [0.0, 0.5, 1.0]])
    assert first_best(Q, 1e-9).tolist() == [0, 2]
    assert first_best(Q, 0.0).tolist() == [1, 2]


def test_the_initial_table_is_above_every_task() -> None:
    tasks = [drawn_task(seed) for seed in range(3)]
    tables = [action_value(task, optimal_value(task)) for task in tasks]
    table = maxqinit_table(tasks)
    assert all(np.all(table >= other) for other in tables)
    assert np.all(table == np.max(tables, axis=0))


def planned(known: Bools, initial: Floats, m: int = 4) -> tuple[Rmax, MDP]:
    """A learner that saw m samples of some pairs, and the task that it should have solved.

    There a pair that is not known stays where it is and pays what its initial value is worth.
    """
    task, rng = online(drawn_task(3)), np.random.default_rng(0)
    learner = Rmax(task, initial, m)
    for s, a in np.argwhere(known):
        for _ in range(m):
            learner.see(int(s), int(a), *task.step(int(s), int(a), rng.random()))
    r = np.where(known, learner.rewards @ task.u / m, (1 - task.gamma) * initial)
    p = np.where(known[..., np.newaxis], learner.successors / m, np.eye(task.S)[:, np.newaxis])
    return learner, deterministic_rewards(p, r, task.gamma)


@pytest.mark.parametrize("seed", range(8))
def test_a_plan_is_optimal_for_empirical_models_and_initial_values(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = rng.random((4, 3)) < rng.choice([0.3, 0.7, 1.1])
    initial = rng.uniform(4, 10, size=(4, 3))
    learner, solved = planned(known, initial)
    assert np.array_equal(learner.known, known)
    if known.any():
        assert policy_value(solved, learner.policy) == near(optimal_value(solved))
    else:
        assert np.array_equal(learner.policy, initial.argmax(axis=1))


def test_a_pair_is_known_after_m_samples_and_then_for_good() -> None:
    task = online(drawn_task(1))
    learner = Rmax(task, np.full((4, 3), 10.0), m=2)
    assert [learner.see(0, 0, 0, 2) for _ in range(4)] == [False, True, False, False]
    assert learner.known.sum() == 1
    assert learner.successors[0, 0].tolist() == [0, 0, 2, 0]
    assert learner.policy[0] == 1, "what is known is worth less than what is not"


# PEL


def payers(*probabilities: float) -> KnownModels:
    """One state, one action; models that pay 1 with these probabilities."""
    tasks = [
        MDP(
            np.ones((1, 1, 1)),
            np.array([[[1 - probability, probability]]]),
            np.array([0.0, 1.0]),
            0.5,
        )
        for probability in probabilities
    ]
    return known_models([online(task) for task in tasks], tasks)


def test_what_is_impossible_goes_at_once() -> None:
    pel = Pel(payers(0.5, 1.0))
    assert not pel.see(0, 0, 1, 0)
    assert pel.see(0, 0, 0, 0)
    assert pel.active == (0,)


def test_a_model_goes_when_the_ratio_falls_below_its_share_of_delta() -> None:
    """Every reward counts 8 for the second model; 8³ = 512 is the first power above 2/δ = 200."""
    pel = Pel(payers(0.1, 0.8), delta=0.01)
    for expected in ((0, 1), (0, 1), (1,)):
        pel.see(0, 0, 1, 0)
        assert pel.active == expected


def test_a_share_for_every_pair_of_models_asks_for_more() -> None:
    """Every reward counts 5; 5³ = 125 is between 1/δ and 2/δ, 5⁴ = 625 between 4/δ and 8/δ."""
    for pel in (Pel(payers(0.1, 0.5)), Pel(payers(0.1, 0.5), every_pair=True)):
        for active in ((0, 1), (0, 1), (0, 1), (1,)):
            pel.see(0, 0, 1, 0)
            assert pel.active == active
    pel, all_pairs = Pel(payers(0.1, 0.7)), Pel(payers(0.1, 0.7), every_pair=True)
    for learner in (pel, all_pairs):  # 7³ = 343 is between 2/δ and 4/δ
        for _ in range(3):
            learner.see(0, 0, 1, 0)
    assert (pel.active, all_pairs.active) == ((1,), (0, 1))


def test_models_that_are_not_alike_are_refused() -> None:
    two, three = (deterministic_rewards(np.ones((1, A, 1)), np.ones((1, A)), 0.5) for A in (2, 3))
    for tasks in ([online(two), online(three)], [online(three), online(two)], [online(two), two]):
        with pytest.raises(InputError, match=r"^tasks\[1\]"):
            known_models(tasks, [two, two])  # type: ignore[arg-type]
    for models in ([two], [two, two, two]):
        with pytest.raises(InputError, match=r"^models: must be as many as tasks, 2"):
            known_models([online(two), online(two)], models)
    slow = replace(online(two), gamma=0.9)
    assert known_models([online(two), slow], [two, two]).gamma == 0.5


def test_a_model_is_kept_for_an_episode() -> None:
    """Model 0 is worth more in the start, model 1 elsewhere and in truth: 0 falls at once."""
    stays = np.stack([np.eye(2), np.eye(2)], axis=1)
    rewards = np.array([[[1.0, 0.0], [0.5, 0.0]], [[0.0, 0.5], [0.0, 1.0]]])
    tasks = [deterministic_rewards(stays, r, 0.5) for r in rewards]
    known = known_models([online(task) for task in tasks], tasks)
    pel, every_step = Pel(known, start=0), Pel(known)
    assert pel.policy.tolist() == [0, 0]
    assert every_step.policy.tolist() == [0, 1]
    begun = policies(online(tasks[1]), pel, 3, np.random.default_rng(0))
    assert [pi.tolist() for pi in itertools.islice(begun, 2)] == [[0, 0], [1, 1]]
    once = Pel(known, start=0)
    steps = list(episode(online(tasks[1]), once, 3, np.random.default_rng(0)))
    assert [step.changed for step in steps] == [False, False, True]
    assert once.active == (1,)
    steps = list(episode(online(tasks[1]), every_step, 3, np.random.default_rng(0)))
    assert [step.changed for step in steps] == [True, False, False]
    with pytest.raises(InputError, match=r"^start"):
        Pel(payers(0.1, 0.5), start=1)


def test_sweeps_come_down_to_the_fixed_point() -> None:
    """Two states that lead to the second and pay nothing: from RMAX's 2 by halves towards 0."""
    p = np.array([[[0.0, 1.0]], [[0.0, 1.0]]])
    nothing, table = online(deterministic_rewards(p, np.zeros((2, 1)), 0.5)), rmax_table(2, 1, 0.5)
    for sweeps, worth in ((1, 1.0), (3, 0.25)):
        learner = Rmax(nothing, table, 1, sweeps=sweeps)
        assert learner.see(0, 0, 0, 1)
        assert learner.Q.tolist() == [[1.0], [2.0]]
        assert learner.see(1, 0, 0, 1)
        assert learner.Q.tolist() == [[worth], [worth]]
    with pytest.raises(InputError, match=r"^sweeps"):
        Rmax(nothing, table, 1, sweeps=0)
    with pytest.raises(InputError, match=r"^initial"):
        Rmax(nothing, rmax_table(3, 1, 0.5), 1)


def test_the_likeliest_survivor_stays() -> None:
    """The first model explains everything but was dropped; what then happens rules out the rest."""
    pel = Pel(payers(0.1, 1.0))
    for j in (1, 1, 1):
        pel.see(0, 0, j, 0)
    assert pel.active == (1,)
    assert not pel.see(0, 0, 0, 0)
    assert pel.active == (1,)
    assert np.isneginf(pel.log_likelihood[1])
    three = Pel(payers(0.4, 0.6, 0.5))
    for j in (1, 0, 1, 0):
        three.see(0, 0, j, 0)
    assert three.active == (0, 1, 2)


def test_pel_is_as_optimistic_as_its_models_let_it_be() -> None:
    tasks = [two_rooms(2, 2, door, (door, 1), 0.9) for door in (0, 1)]
    known = known_models([online(task) for task in tasks], tasks)
    pel = Pel(known)
    largest = known.V_star.max(axis=0)
    for s, a in enumerate(pel.policy.tolist()):
        promised = [theta for theta in (0, 1) if known.V_star[theta, s] == largest[s]]
        assert a in {known.pi_star[theta, s] for theta in promised}
    pel.active = (1,)
    assert np.array_equal(pel.optimistic(), known.pi_star[1])


def test_an_estimate_is_the_mean_of_thirty_episodes_of_ten_steps() -> None:
    task, pi = online(drawn_task(4), starts=range(4)), optimal_policy(drawn_task(4))
    rng, again = np.random.default_rng(0), np.random.default_rng(0)
    seen = list(itertools.islice(returns(task, Fixed(pi), 10, again), 30))
    assert estimated_return(task, pi, rng) == near(float(np.mean(seen)))
    for episodes, steps, wrong in ((0, 10, "episodes"), (30, 0, "steps")):
        with pytest.raises(InputError, match=f"^{wrong}: "):
            estimated_return(task, pi, rng, episodes, steps)


def test_a_sample_of_ptum_is_a_step_or_an_episode() -> None:
    """Rewards from 1/4 on: while it samples, every step pays the least one."""
    slow = deterministic_rewards(
        corridor(4).p, np.repeat([[0.25], [0.25], [0.25], [1.0]], 2, 1), 0.5
    )
    task, pi = online(slow), np.zeros(4, dtype=np.int64)
    least = 0.25 * (1 + 1 / 2 + 1 / 4 + 1 / 8 + 1 / 16)
    worth = task.expected_return(pi, 5)
    assert worth > least == task.least_return(5)
    curves = {
        samples: returns_of_ptum(task, samples, pi, 5, 4, PerSample.STEP).tolist()
        for samples in (0, 5, 6)
    }
    assert curves[0] == [worth] * 4
    assert curves[5] == [least, worth, worth, worth]
    assert curves[6] == [least, least, worth, worth], "the second episode still has a sample"
    as_episodes = returns_of_ptum(task, 3, pi, 5, 4, PerSample.EPISODE)
    assert as_episodes.tolist() == [least, least, least, worth]
    assert returns_of_ptum(task, 0, None, 5, 2, PerSample.STEP).tolist() == [least, least]


def test_expected_returns_are_those_of_the_policies_at_the_start() -> None:
    task = online(drawn_task(2))
    learner = Rmax(task, np.full((4, 3), 10.0), 1)
    twin = Rmax(task, np.full((4, 3), 10.0), 1)
    found = expected_returns(task, learner, 5, 8, np.random.default_rng(0))
    begun = itertools.islice(policies(task, twin, 5, np.random.default_rng(0)), 8)
    assert found.tolist() == [task.expected_return(pi, 5) for pi in begun]
    assert len(set(found.tolist())) > 1


def test_returns_are_discounted_and_have_the_expected_mean() -> None:
    """The corridor pays in its last state: at steps 3 and 4 of five, γ = 1/2."""
    task, rng = online(corridor(4)), np.random.default_rng(0)
    onwards = Fixed(np.zeros(4, dtype=np.int64))
    assert next(returns(task, onwards, 5, rng)) == 1 / 8 + 1 / 16
    assert task.expected_return(onwards.policy, 5) == 1 / 8 + 1 / 16
    noisy = online(drawn_task(4), starts=range(4))
    pi = optimal_policy(drawn_task(4))
    seen = list(itertools.islice(returns(noisy, Fixed(pi), 5, rng), 4000))
    largest = (1 - 0.9**5) / (1 - 0.9)
    deviation = largest * np.sqrt(np.log(2 / 1e-9) / (2 * len(seen)))  # Hoeffding, P ≤ 1e-9
    assert abs(np.mean(seen) - noisy.expected_return(pi, 5)) <= deviation


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"joint": np.ones((2, 1, 1, 3)) / 3}, "joint"),
        ({"joint": np.ones((2, 1, 1, 2))}, "joint"),
        ({"u": np.array([1.5])}, "u"),
        ({"gamma": 1.0}, "gamma"),
        ({"starts": ()}, "starts"),
        ({"starts": (2,)}, "starts"),
        ({"ends": frozenset({-1})}, "ends"),
    ],
)
def test_what_is_no_task_is_refused(change: dict[str, object], argument: str) -> None:
    fields: dict[str, object] = {
        "joint": np.ones((2, 1, 1, 2)) / 2,
        "u": np.array([1.0]),
        "gamma": 0.5,
    }
    OnlineTask(**fields)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"^{argument}"):
        OnlineTask(**{**fields, **change})  # type: ignore[arg-type]


# What is refused


@pytest.mark.parametrize(
    ("initial", "m", "argument"),
    [
        (np.ones((4, 2)), 1, "initial"),
        (np.ones((4, 3)), 0, "m"),
        (np.full((4, 3), np.nan), 1, "initial"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(initial: Floats, m: int, argument: str) -> None:
    with pytest.raises(InputError, match=f"^{argument}"):
        Rmax(online(drawn_task(0)), initial, m)


@pytest.mark.parametrize("delta", [0.0, 1.0, float("nan")])
def test_a_level_that_is_none_is_refused(delta: float) -> None:
    with pytest.raises(InputError, match=r"^delta"):
        Pel(payers(0.5), delta)
