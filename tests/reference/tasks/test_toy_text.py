"""Environments of Gymnasium as tasks: what is read, how values map back, what is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis.vendor import pretty

from ptum.reference.arrays import ROUNDING
from ptum.reference.errors import InputError
from ptum.reference.tasks.mdp import mean_reward
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.toy_text import from_gymnasium
from ptum.reference.tasks.values import (
    optimal_policy,
    optimal_value,
    policy_value,
    value_tolerance,
)
from tests.support.closeness import near, of_quantecon

GAMMA = 0.9
CASES = {
    "lake": ("FrozenLake-v1", {}, 16, None, (0, 1)),
    "dry-lake": ("FrozenLake-v1", {"is_slippery": False}, 16, None, (0, 1)),
    "cliff": ("CliffWalking-v1", {}, 49, 48, (-100, 0)),
    "wet-cliff": ("CliffWalking-v1", {"is_slippery": True}, 49, 48, (-100, 0)),
    "taxi": ("Taxi-v4", {}, 501, 500, (-10, 20)),
}


@pytest.mark.parametrize("name", CASES)
def test_values_map_back(name: str) -> None:
    """As policy iteration of quantecon on the table itself has them, with rewards up to 100.

    Numbers of the table are those of the task times the length of the interval of rewards.
    """
    from tests.checks.judge.programs.public_packages import solved_table  # takes a second

    kind, options, S, end, interval = CASES[name]
    env = gymnasium.make(kind, **options).unwrapped
    read = from_gymnasium(env, GAMMA)
    assert (read.task.S, read.end, (read.low, read.high)) == (S, end, interval)
    V = optimal_value(read.task)
    expected, _ = solved_table(env.P, GAMMA)  # type: ignore[attr-defined]
    off = (read.high - read.low) * of_quantecon(V, GAMMA)
    assert read.original_value(V) == pytest.approx(expected[:S], abs=off)


def test_ended_episodes_of_the_taxi_pay_the_image_of_zero() -> None:
    read = from_gymnasium(gymnasium.make("Taxi-v4"), GAMMA)
    assert mean_reward(read.task)[read.end] == near(np.full(6, 1 / 3))


def test_any_policy_maps_back_not_only_the_best() -> None:
    env = gymnasium.make("FrozenLake-v1")
    read = from_gymnasium(env, GAMMA, rewards=(-1.0, 3.0))
    exact = from_gymnasium(env, GAMMA)
    pi = (optimal_policy(exact.task) + 1) % 4
    V, V_exact = policy_value(read.task, pi), policy_value(exact.task, pi)
    off = 4 * value_tolerance(V, GAMMA) + value_tolerance(V_exact, GAMMA)
    assert read.original_value(V) == pytest.approx(exact.original_value(V_exact), abs=off)


STAYS = [(1.0, 0, 0.5, False)]
GOOD = {0: {0: STAYS}}


@pytest.mark.parametrize(
    ("env", "argument"),
    [
        (gymnasium.make("CartPole-v1"), r"env: must have a table P.*\(found CartPoleEnv\)"),
        (SimpleNamespace(), "env: must have a table P"),
        (SimpleNamespace(P={}), "env: must have a table P"),
        (SimpleNamespace(P={1: {0: [(1.0, 0, 0.0, False)]}}), "env.P"),
        (SimpleNamespace(P={0: {}}), "env.P"),
        (SimpleNamespace(P={0: {0: [(1.0, 0, 0.0, False)], 2: []}}), "env.P"),
        (SimpleNamespace(P={0: {0: [(1.0, 0, 0.0)]}}), "env.P"),
        (SimpleNamespace(P={0: {0: [(1.5, 0, 0.0, False)]}}), "env.P"),
        (SimpleNamespace(P={0: {0: [(1.0, 1, 0.0, False)]}}), "env.P"),
        (SimpleNamespace(P={0: {0: [(1.0, 0, np.nan, False)]}}), "env.P"),
        (SimpleNamespace(P={0: {0: [(0.5, 0, 0.0, False)]}}), r"env.P\[0, 0\]: probabilities"),
        (SimpleNamespace(P={0: {0: []}}), r"env.P\[0, 0\]: probabilities"),
        (SimpleNamespace(P={0: {0: STAYS, "1": STAYS}}), r"env.P\[0\]: must have actions 0, 1"),
        (SimpleNamespace(P={0: {0: 3}}), r"env.P\[0, 0\]: must list what can happen"),
        (SimpleNamespace(P={0: {0: [(1.0, 0, 10**400, False)]}}), r"env.P\[0, 0\]: a reward"),
        (
            SimpleNamespace(P={0: {0: [(0.5, 0, x, False) for x in (-1e308, 1.7e308)]}}),
            r"rewards: must be an interval .* of finite length \(found \(-1e\+308, 1.7e\+308\)\)",
        ),
        (SimpleNamespace(P={0: {-1: STAYS}}), r"env.P\[0\]: must have actions 0, 1"),
        (SimpleNamespace(P={0: {-1: STAYS, 0: STAYS}}), r"env.P\[0\]: must have actions 0, 1"),
        (SimpleNamespace(P={0: {0: STAYS}, 1: {0: STAYS, 1: STAYS}}), r"env.P\[1\]: must have 1 a"),
        (SimpleNamespace(P={0: {0: STAYS, 1: STAYS}, 1: {0: STAYS}}), r"env.P\[1\]: must have 2 a"),
        (SimpleNamespace(P={0: {0: [(1.0, 0, 0.5, False, {})]}}), r"env.P\[0, 0\]: must hold"),
        (SimpleNamespace(P={0: {0: [(1.5, 0, 0.5, False)]}}), r"env.P\[0, 0\]: a probability"),
        (SimpleNamespace(P={0: {0: [(-0.5, 0, 0.5, False)]}}), r"env.P\[0, 0\]: a probability"),
        (SimpleNamespace(P={0: {0: [(1.0, -1, 0.5, False)]}}), r"env.P\[0, 0\]: a next state"),
    ],
)
def test_what_has_no_table_is_refused(env: object, argument: str) -> None:
    with pytest.raises(InputError, match=rf"^{argument}"):
        from_gymnasium(env, GAMMA)


@pytest.mark.parametrize(
    "interval",
    [
        *((0.0, 0.4), (0.6, 1.0), (1.0, 0.0), (0.5, 0.5)),
        *((-np.inf, 1.0), (0.0, np.inf), (), (0.5,), (0.0, 1.0, 2.0)),
    ],
)
def test_an_interval_that_does_not_hold_the_rewards_is_refused(interval: Any) -> None:
    with pytest.raises(InputError, match=r"^rewards"):
        from_gymnasium(SimpleNamespace(P=GOOD), GAMMA, rewards=interval)
    with pytest.raises(InputError, match=r"^gamma"):
        from_gymnasium(SimpleNamespace(P=GOOD), 1.0)


@pytest.mark.parametrize(
    ("outcome", "end"),
    [
        ((1.0, 1, 0.0, False), None),
        ((1.0, 0, 0.0, False), 3),
        ((1.0, 2, 0.0, False), 3),
        ((1.0, 1, 0.5, False), 3),
        ((1.0, 1, -0.5, False), 3),
    ],
    ids=["stays unpaid", "goes back", "goes on", "is paid", "pays"],
)
def test_episodes_end_in_a_state_of_their_own(
    outcome: tuple[float, int, float, bool], end: int | None
) -> None:
    """State 0 ends in state 1: that is the end only where it is never left and pays nothing."""
    P = {0: {0: [(1.0, 1, 1.0, True)]}, 1: {0: [outcome]}, 2: {0: [(1.0, 2, 1.0, False)]}}
    read = from_gymnasium(SimpleNamespace(P=P), GAMMA)
    assert read.end == end
    successors = [1 if end is None else end, outcome[1], 2, 3][: read.task.S]
    assert read.task.p[:, 0].argmax(axis=1).tolist() == successors


def test_what_never_happens_counts_for_nothing() -> None:
    """Neither its reward nor the end of the episode."""
    P = {0: {0: [(1.0, 0, 0.5, False), (0.0, 0, 7.0, True)]}}
    read = from_gymnasium(SimpleNamespace(P=P), GAMMA)
    assert (read.high, read.end, read.task.u.tolist()) == (0.5, None, [1.0])


@pytest.mark.parametrize("side", [-1, 1])
def test_probabilities_may_miss_one_by_four_roundings_for_each_outcome(side: int) -> None:
    """D20; the sums are exact, for they are made of multiples of the rounding unit of one."""

    def env(roundings: int) -> object:
        tossed = [(0.5, 0, 0.0, False), (0.5 + side * roundings * ROUNDING, 1, 1.0, False)]
        return SimpleNamespace(P={0: {0: tossed}, 1: {0: [(1.0, 1, 1.0, False)]}})

    chances = from_gymnasium(env(8), GAMMA).task.p[0, 0]
    assert chances.tolist() == [0.5, 0.5 + side * 8 * ROUNDING]
    with pytest.raises(InputError, match=r"^env.P\[0, 0\]: probabilities"):
        from_gymnasium(env(9), GAMMA)


@pytest.mark.parametrize(("reward", "low"), [(0.5, -0.5), (-1.0, -2.0), (4.0, 0.0), (1e20, 0.0)])
def test_a_single_reward_is_mapped_to_one(reward: float, low: float) -> None:
    """By the interval that it ends, of length one, or of its own size if that is more."""
    read = from_gymnasium(SimpleNamespace(P={0: {0: [(1.0, 0, reward, False)]}}), GAMMA)
    assert (read.low, read.high) == (low, reward)
    assert read.task.u.tolist() == [1.0]
    assert read.original_value(optimal_value(read.task)) == near([10 * reward])


def test_what_cannot_happen_adds_no_end() -> None:
    """A state that is never left and pays nothing, but for an outcome of probability 0."""
    never = (0.0, 0, 1.0, False)
    table = {0: {0: [(1.0, 1, 1.0, True)]}, 1: {0: [(1.0, 1, 0.0, True), never]}}
    assert from_gymnasium(SimpleNamespace(P=table), GAMMA).end is None


def test_tasks_and_models_are_shown_by_their_sizes() -> None:
    task = from_gymnasium(gymnasium.make("CliffWalking-v1"), GAMMA).task
    assert repr(task) == pretty.pretty(task) == "MDP(S=49, A=4, U=3, gamma=0.9)"
    models = approximate_models([task, task])
    shown = "ApproximateModels(k=2, S=49, A=4, gamma=0.9)"
    assert repr(models) == pretty.pretty(models) == shown
