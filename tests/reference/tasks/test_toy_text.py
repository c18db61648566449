"""Environments of Gymnasium as tasks: what is read, how values map back, what is refused."""

from __future__ import annotations

from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
from hypothesis.vendor import pretty

from ptum.reference.errors import InputError
from ptum.reference.tasks.mdp import mean_reward
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.toy_text import from_gymnasium
from ptum.reference.tasks.values import optimal_policy, optimal_value, policy_value

GAMMA = 0.9
CASES = {
    "lake": ("FrozenLake-v1", {}, 16, None, (0, 1)),
    "dry-lake": ("FrozenLake-v1", {"is_slippery": False}, 16, None, (0, 1)),
    "cliff": ("CliffWalking-v1", {}, 49, 48, (-100, 0)),
    "wet-cliff": ("CliffWalking-v1", {"is_slippery": True}, 49, 48, (-100, 0)),
    "taxi": ("Taxi-v4", {}, 501, 500, (-10, 20)),
}


def iterated(env: object, sweeps: int = 400) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Value iteration on the table itself, with the original rewards and episodes that end."""
    P = env.unwrapped.P  # type: ignore[attr-defined]
    V = np.zeros(len(P))
    for _ in range(sweeps):
        Q = [
            [
                sum(p * (x + GAMMA * (0 if over else V[to])) for p, to, x, over in P[s][a])
                for a in P[s]
            ]
            for s in range(len(P))
        ]
        V = np.array(Q).max(axis=1)
    return V


@pytest.mark.parametrize("name", ["lake", "dry-lake", "cliff", "wet-cliff"])
def test_values_map_back(name: str) -> None:
    """Value iteration is within γ^400 · 100/(1-γ) < 1e-15 of the fixed point."""
    kind, options, S, end, interval = CASES[name]
    env = gymnasium.make(kind, **options)
    read = from_gymnasium(env, GAMMA)
    assert (read.task.S, read.end, (read.low, read.high)) == (S, end, interval)
    values = read.original_value(optimal_value(read.task))
    expected = iterated(env)
    assert values[: len(expected)] == pytest.approx(expected, abs=1e-9)


def test_a_wrong_way_back_is_seen() -> None:
    """Wrong code: episodes that go on, as if `terminated` were not there."""
    env = gymnasium.make("CliffWalking-v1")
    P = env.unwrapped.P  # type: ignore[attr-defined]
    endless = {s: {a: [(p, to, x, False) for p, to, x, _ in P[s][a]] for a in P[s]} for s in P}
    read = from_gymnasium(SimpleNamespace(P=endless), GAMMA)
    values = read.original_value(optimal_value(read.task))
    assert np.abs(values - iterated(env)).max() > 1


def test_taxi_is_read_whole() -> None:
    kind, options, S, end, interval = CASES["taxi"]
    read = from_gymnasium(gymnasium.make(kind, **options), GAMMA)
    assert (read.task.S, read.task.A, read.end, (read.low, read.high)) == (S, 6, end, interval)
    assert mean_reward(read.task)[end] == pytest.approx(np.full(6, 1 / 3))


def test_any_policy_maps_back_not_only_the_best() -> None:
    env = gymnasium.make("FrozenLake-v1")
    read = from_gymnasium(env, GAMMA, rewards=(-1.0, 3.0))
    exact = from_gymnasium(env, GAMMA)
    pi = (optimal_policy(exact.task) + 1) % 4
    shifted = read.original_value(policy_value(read.task, pi))
    assert shifted == pytest.approx(exact.original_value(policy_value(exact.task, pi)), abs=1e-9)


GOOD = {0: {0: [(1.0, 0, 0.5, False)]}}


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
    ],
)
def test_what_has_no_table_is_refused(env: object, argument: str) -> None:
    with pytest.raises(InputError, match=rf"^{argument}"):
        from_gymnasium(env, GAMMA)


@pytest.mark.parametrize("interval", [(0.0, 0.4), (0.6, 1.0), (1.0, 0.0), (0.5, 0.5)])
def test_an_interval_that_does_not_hold_the_rewards_is_refused(
    interval: tuple[float, float],
) -> None:
    with pytest.raises(InputError, match=r"^rewards"):
        from_gymnasium(SimpleNamespace(P=GOOD), GAMMA, rewards=interval)
    with pytest.raises(InputError, match=r"^gamma"):
        from_gymnasium(SimpleNamespace(P=GOOD), 1.0)


def test_a_single_reward_is_mapped_to_one() -> None:
    read = from_gymnasium(SimpleNamespace(P=GOOD), GAMMA)
    assert read.task.u.tolist() == [1.0]
    assert read.original_value(optimal_value(read.task)) == pytest.approx([5.0])


def test_tasks_and_models_are_shown_by_their_sizes() -> None:
    task = from_gymnasium(gymnasium.make("CliffWalking-v1"), GAMMA).task
    assert repr(task) == pretty.pretty(task) == "MDP(S=49, A=4, U=3, gamma=0.9)"
    models = approximate_models([task, task])
    shown = "ApproximateModels(k=2, S=49, A=4, gamma=0.9)"
    assert repr(models) == pretty.pretty(models) == shown
