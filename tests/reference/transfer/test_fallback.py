"""The PAC algorithm behind lines 2 and 22: its size, its policy, and the steps of its proof."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
import scipy  # its parts take long to load, and do so where they are used
from hypothesis import given, settings
from hypothesis import strategies as st

from ptum.reference import errors
from ptum.reference.errors import InputError
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards, mean_reward
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import (
    action_value,
    optimal_policy,
    optimal_value,
    policy_value,
    value_tolerance,
)
from ptum.reference.transfer import fallback
from ptum.reference.transfer.fallback import (
    FallbackResult,
    UniformSampling,
    require_solved,
    sample_every_pair,
    samples_per_pair,
)
from ptum.reference.transfer.ptum import End, ptum
from tests.support.borders import assert_borders
from tests.support.instances import bandit, bernoulli_bandit, two_states, two_states_returning, walk
from tests.support.strategies import generic_mdp, mdps_of_size

DELTA = 0.1


@pytest.mark.parametrize(
    ("S", "A", "gamma", "epsilon", "delta", "expected"),
    [
        (1, 2, 0.0, 0.5, 0.1, 30),  # 8·log 40 = 29.51
        (2, 2, 0.0, 0.5, 0.1, 36),  # 8·log 80 = 35.06
        (2, 2, 0.5, 1.0, 0.1, 561),  # 2·64·log 80 = 560.9
        (3, 1, 0.9, 10.0, 0.05, 95750),  # 2·10⁶/100·log 120 = 95749.8
        (1, 1, 0.0, 1000.0, 0.5, 1),
        (1, 1, 0.0, 1e200, 0.5, 1),  # ε² is no double: one sample all the same
    ],
)
def test_sample_size_by_hand(
    S: int, A: int, gamma: float, epsilon: float, delta: float, expected: int
) -> None:
    assert samples_per_pair(S, A, gamma, epsilon, delta) == expected


def test_the_largest_sample_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """2 log 40/ε² at ε = 1/2, which is exact in doubles: as many are taken, but no more."""
    most = 2 * math.log(2 * 1 * 2 / 0.1) / 0.25
    monkeypatch.setattr(fallback, "LARGEST_COUNT", most)
    assert samples_per_pair(1, 2, 0.0, 0.5, 0.1) == 30
    monkeypatch.setattr(fallback, "LARGEST_COUNT", math.nextafter(most, 0))
    with pytest.raises(InputError, match=r"^epsilon: too small"):
        samples_per_pair(1, 2, 0.0, 0.5, 0.1)


def test_what_a_fallback_may_return() -> None:
    """Two states and three actions."""
    good = (np.array([0, 2]), np.array([2, 2], dtype=np.uint8))
    bad = (
        [0, 1],
        np.array([0.0, 1.0]),
        np.array(1),
        np.array([0]),
        np.array([0, 1, 2]),
        np.array([[0, 1]]),
        np.array([0, -1]),
        np.array([3, 0]),
    )

    def check(pi: object) -> None:
        require_solved(FallbackResult(pi, queries=1), 2, 3)  # type: ignore[arg-type]

    assert_borders(check, good, bad)


def test_what_a_fallback_may_cost() -> None:
    def check(queries: int) -> None:
        require_solved(FallbackResult(np.zeros(2, dtype=np.int64), queries), 2, 3)

    assert_borders(check, (0, 1), (-1,))


class OnesFirst:
    """Arm a answers 1 in its first ones[a] answers and 0 afterwards."""

    def __init__(self, ones: tuple[int, int]) -> None:
        self._left = list(ones)

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """The next answer of arm a."""
        self._left[a] -= 1
        return (1.0 if self._left[a] >= 0 else 0.0), s


def test_exact_failure_probability_of_two_arms() -> None:
    """S = 1, A = 2, γ = 0, ε = δ = 1/2: m = 17 samples of each of two Bernoulli arms.

    The returned arm is a function of the two numbers of ones. All of them are put through the code,
    and the probability that the returned arm is worse than the other by more than ε is summed up
    exactly over a grid of means: it is at most δ.
    """
    epsilon = delta = 0.5
    m = samples_per_pair(1, 2, 0.0, epsilon, delta)
    assert m == 17
    solve = UniformSampling()
    chosen = np.empty((m + 1, m + 1), dtype=np.int64)
    for ones in product(range(m + 1), range(m + 1)):
        result = solve(OnesFirst(ones), 1, 2, 0.0, epsilon, delta)
        assert result.queries == 2 * m
        chosen[ones] = result.policy[0]
        assert result.policy[0] == (1 if ones[1] > ones[0] else 0)
    worst = 0.0
    for means in product(np.linspace(0, 1, 11).tolist(), repeat=2):
        distribution = [scipy.stats.binom.pmf(np.arange(m + 1), m, mean) for mean in means]
        joint = np.outer(distribution[0], distribution[1])
        for arm in (0, 1):
            if means[1 - arm] - means[arm] > epsilon:
                worst = max(worst, float(joint[chosen == arm].sum()))
    assert 0 < worst <= delta


@given(mdps_of_size(S=2, A=2, U=2, gamma=0.2), st.integers(0, 100))
@settings(max_examples=15)
def test_the_policy_is_accurate_on_drawn_tasks(theta: MDP, seed: int) -> None:
    result = UniformSampling()(Simulator(theta, seed), 2, 2, 0.2, 0.5, DELTA)
    loss = optimal_value(theta) - policy_value(theta, result.policy)
    assert np.all(loss <= 0.5)


@pytest.mark.parametrize("seed", range(6))
def test_the_policy_is_accurate_on_noisy_tasks(seed: int) -> None:
    theta = generic_mdp(np.random.default_rng(seed), 2, 2, 0.3, deterministic=False)
    result = UniformSampling()(Simulator(theta, seed), 2, 2, 0.3, 0.4, DELTA)
    assert result.queries == 4 * samples_per_pair(2, 2, 0.3, 0.4, DELTA)
    assert np.all(optimal_value(theta) - policy_value(theta, result.policy) <= 0.4)


@pytest.mark.parametrize("gamma", [0.0, 0.3, 0.5])
def test_a_task_without_chance_is_solved_exactly(gamma: float) -> None:
    """Its empirical model is the task itself, up to the rounding of the mean rewards."""
    theta = walk([[1, 0], [1, 2], [0, 2]], [[0.1, 0.3], [0.25, 0.0], [0.9, 0.7]], gamma)
    result = UniformSampling()(Simulator(theta, 0), 3, 2, gamma, 4.0, DELTA)
    assert result.policy.tolist() == optimal_policy(theta).tolist()


def test_the_plan_needs_no_table_over_all_rewards_that_were_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """3·4 pairs with rewards of their own: 144 numbers, where 36 are the largest table needed."""
    monkeypatch.setattr(errors, "LARGEST_TABLE", 40)
    rng = np.random.default_rng(0)
    p, r = rng.dirichlet(np.ones(3), size=(3, 4)), rng.random((3, 4))
    with pytest.raises(InputError, match=r"^r: a table of 3 × 4 × 12 numbers is larger than 40"):
        deterministic_rewards(p, r, 0.5)
    answers = Simulator(bernoulli_rewards(p, r, 0.5), seed=0)
    assert sample_every_pair(answers, 3, 4, 0.5, m=2).queries == 24


def test_rewards_of_one_stay_one() -> None:
    """The mean of any number of ones is one, so nothing has to be clipped."""
    result = UniformSampling()(Simulator(bandit([1.0, 1.0], 0.3), 0), 1, 2, 0.3, 0.5, DELTA)
    assert result.policy.tolist() == [0]


def test_it_takes_over_where_transfer_is_refused() -> None:
    models = approximate_models([bernoulli_bandit([0.9, 0.1], 0.0), bandit([0.0, 1.0], 0.0)])
    result = ptum(
        models,
        Simulator(models.tasks[0], 0),
        epsilon=0.5,
        delta=DELTA,
        n=10,
        Delta=math.inf,
        fallback=UniformSampling(),
    )
    assert result.end is End.MODELS_TOO_INACCURATE
    assert result.queries == 0
    assert result.fallback is not None
    assert result.fallback.queries == 60
    assert result.policy is not None
    assert result.policy.tolist() == [0]


@pytest.mark.slow
@given(st.sampled_from((0.0, 0.3, 0.9, 0.99)), st.data())
def test_the_deterministic_steps_of_the_proof(gamma: float, data: st.DataObject) -> None:
    """Any two tasks, the second in the role of the empirical model: with e the largest error of
    one step at V*, action values differ by at most e/(1-γ) and the policy loses at most 2/(1-γ)
    times that."""
    theta, hat = (data.draw(mdps_of_size(S=3, A=2, U=2, gamma=gamma)) for _ in range(2))
    _check_steps(theta, hat)


def _check_steps(theta: MDP, hat: MDP) -> None:
    gamma = theta.gamma
    V, V_hat = optimal_value(theta), optimal_value(hat)
    Q, Q_hat = action_value(theta, V), action_value(hat, V_hat)
    e = np.max(np.abs(mean_reward(hat) + gamma * (hat.p @ V) - Q))
    of_Q = np.max(np.abs(Q_hat - Q))
    loss = np.max(V - policy_value(theta, optimal_policy(hat)))
    rounding = value_tolerance(np.maximum(V, V_hat), gamma) / (1 - gamma)
    assert of_Q <= e / (1 - gamma) + rounding
    assert loss <= 2 * of_Q / (1 - gamma) + rounding


def test_the_last_step_cannot_do_without_its_two() -> None:
    """Means 1/4 and 3/4 that are both seen as 1/2: each is wrong by 1/4, the loss is 1/2."""
    theta, hat = bandit([0.25, 0.75], 0.0), bandit([0.5, 0.5], 0.0)
    _check_steps(theta, hat)
    assert optimal_policy(hat).tolist() == [0]
    assert optimal_value(theta)[0] - policy_value(theta, optimal_policy(hat))[0] == 0.5


def test_one_step_values_lie_in_the_range_that_hoeffding_needs() -> None:
    """U + γV*(S') is at most 1 + γ/(1-γ) = 1/(1-γ)."""
    for theta in (two_states(), two_states_returning(), bandit([1.0], 0.99)):
        V = optimal_value(theta)
        rounding = value_tolerance(V, theta.gamma)
        assert theta.u.max() + theta.gamma * V.max() <= 1 / (1 - theta.gamma) + rounding
