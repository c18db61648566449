"""Section 3.3: the tasks of exploration, and the agent that walks instead of asking."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, deterministic_rewards, mean_reward
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import optimal_policy, optimal_value, policy_value
from ptum.reference.transfer.exploration import bonus_task, exploration_task, run_online
from ptum.reference.transfer.information import index
from ptum.reference.transfer.ptum import End
from tests.support.oracles import Constant, Silent

GAMMA, EPSILON = 0.5, 0.2


def corridor(pays: int) -> MDP:
    """Four states in a row, steps left and right; action 1 in the last state pays in one model.

    In the other model it is action 0 there that pays.
    """
    p, r = np.zeros((4, 2, 4)), np.zeros((4, 2))
    for s in range(4):
        p[s, 0, max(s - 1, 0)] = p[s, 1, min(s + 1, 3)] = 1
    p[3, :] = np.eye(4)[3]
    r[3, pays] = 1
    return deterministic_rewards(p, r, GAMMA)


def models() -> ApproximateModels:
    return approximate_models([corridor(1), corridor(0)])


def test_exploration_goes_where_the_information_is() -> None:
    I_t = index((0, 1), models(), 0.0)
    task = exploration_task(corridor(1), I_t)
    assert mean_reward(task)[:3].max() == 0
    assert mean_reward(task)[3].tolist() == [1.0, 1.0]
    assert optimal_policy(task)[:3].tolist() == [1, 1, 1]
    assert np.array_equal(task.p, corridor(1).p)


def test_a_bonus_is_added_to_the_reward() -> None:
    I_t = np.zeros((4, 2))
    I_t[0, 0] = 3.0
    task = bonus_task(corridor(1), I_t, beta=3.0)
    assert mean_reward(task)[0, 0] == 0.75
    assert mean_reward(task)[3, 1] == 0.25
    assert optimal_policy(task)[0] == 0
    assert optimal_policy(bonus_task(corridor(1), I_t, beta=0.0))[0] == 1


def test_reward_and_bonus_count_alike_unless_told_otherwise() -> None:
    """(0 + 1)/2 where the information is, (1 + 0)/2 where the reward is."""
    I_t = np.zeros((4, 2))
    I_t[0, 0] = 3.0
    r = mean_reward(bonus_task(corridor(1), I_t))
    assert (r[0, 0], r[3, 1], r.sum()) == (0.5, 0.5, 1.0)


def test_no_information_is_no_reward() -> None:
    assert mean_reward(exploration_task(corridor(1), np.zeros((4, 2)))).max() == 0


@pytest.mark.parametrize("target", [0, 1])
@pytest.mark.parametrize("task", [exploration_task, bonus_task])
def test_the_agent_walks_there_and_stops_with_the_best_policy(target: int, task: object) -> None:
    true = corridor(1 - target)
    found = run_online(
        models(),
        Simulator(true, 0),
        start=0,
        epsilon=EPSILON,
        delta=0.1,
        n=400,
        Delta=0.0,
        task=task,  # type: ignore[arg-type]
    )
    assert found.end is End.STOPPED
    assert found.policy is not None
    assert np.all(policy_value(true, found.policy) >= optimal_value(true) - EPSILON)
    assert found.active == (target,)
    assert found.steps == found.N.sum()
    assert found.N[3].sum() == found.steps - 3, "three steps to get there, then it asks"


def test_of_two_policies_that_are_good_enough_the_first_is_taken() -> None:
    """All that a policy can lose is 1/(1-γ) = 2: no step is taken."""
    found = run_online(models(), Silent(), start=0, epsilon=2.0, delta=0.1, n=9, Delta=0.0)
    assert (found.end, found.steps, found.active) == (End.STOPPED, 0, (0, 1))
    assert found.policy is not None
    assert found.policy.tolist() == [1, 1, 1, 1]


def test_the_task_is_that_of_the_first_active_model() -> None:
    """Three are left, and both steps are planned in the first of them."""
    family = approximate_models([corridor(1), corridor(0), corridor(0)])
    seen: list[MDP] = []

    def task(model: MDP, I_t: Floats) -> MDP:
        seen.append(model)
        return exploration_task(model, I_t)

    target = Simulator(corridor(1), 0)
    found = run_online(
        family, target, start=0, epsilon=EPSILON, delta=0.1, n=2, Delta=0.0, task=task
    )
    assert (found.end, found.active) == (End.BUDGET_EXHAUSTED, (0, 1, 2))
    assert [model is family.tasks[0] for model in seen] == [True, True]


def test_other_ends() -> None:
    def end(Delta: float, n: int, true: MDP) -> End:
        found = run_online(
            models(), Simulator(true, 0), start=0, epsilon=EPSILON, delta=0.1, n=n, Delta=Delta
        )
        return found.end

    assert end(1.0, 9, corridor(1)) is End.MODELS_TOO_INACCURATE
    assert end(0.0, 9, corridor(1)) is End.BUDGET_EXHAUSTED
    half = deterministic_rewards(corridor(1).p, np.full((4, 2), 0.5), GAMMA)
    assert end(0.0, 400, half) is End.ACTIVE_SET_EMPTY


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(InputError, match=r"^start"):
        run_online(
            models(), Simulator(corridor(1), 0), start=4, epsilon=0.2, delta=0.1, n=9, Delta=0.0
        )
    with pytest.raises(InputError, match=r"^target\.sample\(0, \d\): the reward must lie"):
        run_online(models(), Constant(2.0, 0), start=0, epsilon=0.2, delta=0.1, n=9, Delta=0.0)
    for shape in ((3, 2), (5, 2), (4, 1), (4, 3)):
        with pytest.raises(InputError, match=r"^I_t: must have shape \(4, 2\)"):
            exploration_task(corridor(1), np.zeros(shape))
    with pytest.raises(InputError, match=r"^I_t"):
        exploration_task(corridor(1), np.full((4, 2), -1.0))
    for beta in (-1.0, math.inf, math.nan):
        with pytest.raises(InputError, match=r"^beta"):
            bonus_task(corridor(1), np.zeros((4, 2)), beta=beta)
