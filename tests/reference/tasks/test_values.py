"""Section 2: values, optimal policies, deviations of values and visitation frequencies.

Tolerances. `discounted_sum` works without subtraction: its entries are compared with exact
fractions to S + 2 roundings, and so are numbers by hand (`OF_TWO_STATES`). Quantities that go
through an optimal policy may in addition lose `tie_tolerance` in every step, together
`value_tolerance`. The two foreign solvers are less accurate; what they may lose is derived where
they are used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.errors import InputError
from ptum.reference.tasks.mdp import MDP, deterministic_rewards, mean_reward
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import (
    action_value,
    discounted_sum,
    gap_tolerance,
    optimal_policy,
    optimal_value,
    policy_value,
    require_resolved,
    tie_tolerance,
    transition_std,
    transition_stds,
    value_tolerance,
    visitation,
)
from ptum.reference.transfer.assumptions import model_errors
from tests.support.borders import assert_borders
from tests.support.closeness import of_quantecon
from tests.support.instances import bandit, two_states, two_states_returning, walk
from tests.support.strategies import GAMMAS, families, generic_mdp, mdps, mdps_with_policies

OF_TWO_STATES = 4 * ROUNDING
OF_DEVIATION = 5 * OF_TWO_STATES
"""A deviation of 1/3 between 1 and 5/3: the errors of both are five times as large a share."""
SEEDS = range(60)
FAR_SIGHTED = (0.0, 0.5, 0.99, 0.9999)


def _actions(*actions: int) -> Ints:
    return np.array(actions, dtype=np.int64)


def _drawn(seed: int, gamma: float) -> MDP:
    """Up to 8 states; every third task is sparse, every fifth has one action only."""
    rng = np.random.default_rng(seed)
    S, A = 1 + seed % 8, 1 if seed % 5 == 0 else 1 + seed % 4
    theta = generic_mdp(rng, S, A, gamma, deterministic=seed % 2 == 0)
    if seed % 3:
        return theta
    p = np.where(theta.p >= theta.p.max(axis=-1, keepdims=True) / 2, theta.p, 0.0)
    return MDP(p / p.sum(axis=-1, keepdims=True), theta.q, theta.u, gamma)


class TestByHand:
    """The two-state task with γ = 1/2."""

    def test_value_of_the_best_policy(self) -> None:
        V = policy_value(two_states(), _actions(0, 0))
        np.testing.assert_allclose(V, [1, 5 / 3], rtol=OF_TWO_STATES)

    def test_optimal_policy_and_value(self) -> None:
        np.testing.assert_array_equal(optimal_policy(two_states()), [0, 0])
        np.testing.assert_allclose(optimal_value(two_states()), [1, 5 / 3], rtol=OF_TWO_STATES)

    def test_an_optimal_policy_that_has_to_be_found(self) -> None:
        """Only the last action of the first state leads to the reward, two steps later."""
        theta = walk([[0, 0, 1], [2, 2, 2], [2, 2, 2]], [[0.1, 0, 0], [0, 0, 0], [1, 1, 1]], 0.9)
        np.testing.assert_array_equal(optimal_policy(theta), [2, 0, 0])
        of_gamma = ROUNDING / (1 - theta.gamma)
        np.testing.assert_allclose(optimal_value(theta), [8.1, 9, 10], rtol=5 * ROUNDING + of_gamma)

    def test_visitation(self) -> None:
        nu = visitation(two_states(), _actions(0, 1))
        expected = [[[2.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 2.0]]]
        np.testing.assert_allclose(nu, expected, rtol=OF_TWO_STATES)
        nu = visitation(two_states(), _actions(0, 0))
        expected = [[[2.0, 0.0], [0.0, 0.0]], [[2 / 3, 0.0], [4 / 3, 0.0]]]
        np.testing.assert_allclose(nu, expected, rtol=OF_TWO_STATES)

    def test_the_two_readings_of_the_deviation_differ(self) -> None:
        """σ^p_θ(1,0;θ') is 1/3 with the true value (1, 5/3) and 1/4 with the approximate (1, 3/2).

        The approximate task returns to state 0 with certainty, so under its own transitions its
        value does not vary at all, and the printed error is |1/3 - 0|.
        """
        true, approximate = two_states(), two_states_returning()
        with_true_value = transition_std(true, optimal_value(true))
        with_approximate_value = transition_std(true, optimal_value(approximate))
        np.testing.assert_allclose(with_true_value[1, 0], 1 / 3, rtol=OF_DEVIATION)
        assert with_approximate_value[1, 0] == 1 / 4
        errors = model_errors([true], approximate_models([approximate]))
        assert errors.sigma_p == with_true_value[1, 0]
        assert (errors.p, errors.r, errors.sigma_r) == (1 / 4, 0.0, 0.0)
        assert errors.Delta == errors.sigma_p

    def test_one_state_one_action(self) -> None:
        """Half a rounding of γ is a share of half a rounding/(1-γ) of 1 - γ."""
        V = optimal_value(bandit([0.25], 0.9999))
        np.testing.assert_allclose(V, [2500], rtol=ROUNDING / 1e-4)


class TestTies:
    """Among equal actions the lowest-numbered one wins, whatever γ and the noise of the solver."""

    def test_rewards_that_differ_in_the_last_bit(self) -> None:
        assert 0.1 + 0.2 > 0.3
        assert optimal_policy(bandit([0.3, 0.1 + 0.2], 0.9)).tolist() == [0]
        assert optimal_policy(bandit([0.1 + 0.2, 0.3], 0.9)).tolist() == [0]

    def test_a_difference_above_rounding_counts(self) -> None:
        assert optimal_policy(bandit([0.3, 0.3 + 1e-12], 0.9)).tolist() == [1]

    @pytest.mark.parametrize("gamma", FAR_SIGHTED)
    def test_equal_values_over_different_paths(self, gamma: float) -> None:
        """Two closed classes with reward 0.7 everywhere: all actions of all states are equal.

        Their computed values differ by the error of the solver, which must stay within the tie
        tolerance; plain elimination on I - γP exceeds it from γ = 0.99 on.
        """
        classes = ([1, 2], [3, 4, 5])
        for seed in range(100):
            rng = np.random.default_rng(seed)
            p = np.zeros((6, 3, 6))
            for a in range(3):
                for weight, members in zip(rng.dirichlet([0.3, 0.3]), classes, strict=True):
                    p[0, a, members] = weight * rng.dirichlet(np.ones(len(members)))
                    for s in members:
                        p[s, a, members] = rng.dirichlet(np.ones(len(members)))
            theta = deterministic_rewards(
                p / p.sum(axis=-1, keepdims=True), np.full((6, 3), 0.7), gamma
            )
            assert optimal_policy(theta).tolist() == [0] * 6


def _exact_sum(P: Floats, gamma: float, f: Floats) -> list[Fraction]:
    """x = f + γPx in fractions; like the code, p(s|s) is one minus the other entries."""
    S = len(P)
    rows = [[Fraction(entry) for entry in row] for row in P.tolist()]
    for s in range(S):
        rows[s][s] = 1 - sum((rows[s][t] for t in range(S) if t != s), Fraction(0))
    M = [[Fraction(s == t) - Fraction(gamma) * rows[s][t] for t in range(S)] for s in range(S)]
    x = [Fraction(entry) for entry in f.tolist()]
    for s in range(S):
        for below in range(s + 1, S):
            factor = M[below][s] / M[s][s]
            M[below] = [entry - factor * above for entry, above in zip(M[below], M[s], strict=True)]
            x[below] -= factor * x[s]
    for s in reversed(range(S)):
        x[s] = (x[s] - sum((M[s][t] * x[t] for t in range(s + 1, S)), Fraction(0))) / M[s][s]
    return x


@given(mdps_with_policies(max_S=6))
@settings(max_examples=150)
def test_values_of_policies_agree_with_exact_fractions(drawn: tuple[MDP, Ints]) -> None:
    theta, pi = drawn
    states = np.arange(theta.S)
    r = mean_reward(theta)[states, pi]
    V = policy_value(theta, pi)
    exact = _exact_sum(theta.p[states, pi], theta.gamma, r)
    for computed, expected in zip(V.tolist(), exact, strict=True):
        assert abs(Fraction(computed) - expected) <= (theta.S + 2) * Fraction(ROUNDING) * expected


@given(mdps_with_policies())
def test_values_solve_the_bellman_equation(drawn: tuple[MDP, Ints]) -> None:
    theta, pi = drawn
    V = policy_value(theta, pi)
    Q = action_value(theta, V)[np.arange(theta.S), pi]
    np.testing.assert_allclose(Q, V, rtol=0, atol=tie_tolerance(theta, V))


@given(mdps_with_policies())
def test_visitation_sums_to_the_horizon_and_gives_the_value(drawn: tuple[MDP, Ints]) -> None:
    """S + 2 roundings for an entry of ν or V, S + 1 more for the sum over S products."""
    theta, pi = drawn
    nu = visitation(theta, pi)
    of_entry, of_sum = (theta.S + 2) * ROUNDING, (theta.S + 1) * ROUNDING
    assert np.all(nu >= 0)
    np.testing.assert_allclose(nu.sum(axis=(1, 2)), 1 / (1 - theta.gamma), rtol=of_entry + of_sum)
    by_visits = np.sum(nu * mean_reward(theta), axis=(1, 2))
    np.testing.assert_allclose(by_visits, policy_value(theta, pi), rtol=2 * of_entry + of_sum)
    taken = np.zeros((theta.S, theta.A), dtype=bool)
    taken[np.arange(theta.S), pi] = True
    assert not nu[:, ~taken].any()


@given(mdps(max_S=3, max_A=3))
def test_no_policy_beats_the_optimal_one_in_any_state(theta: MDP) -> None:
    V_star = optimal_value(theta)
    tolerance = value_tolerance(V_star, theta.gamma)
    for pi in product(range(theta.A), repeat=theta.S):
        assert np.all(policy_value(theta, _actions(*pi)) <= V_star + tolerance)


@given(mdps(max_S=6, max_A=3))
def test_optimal_value_has_a_small_bellman_residual(theta: MDP) -> None:
    """V* = max_a Q(.,a): the tie rule may cost one tolerance here, and evaluation another."""
    V_star = optimal_value(theta)
    Q = action_value(theta, V_star)
    np.testing.assert_allclose(Q.max(axis=1), V_star, rtol=0, atol=2 * tie_tolerance(theta, V_star))


@given(mdps(max_S=4, max_A=3))
def test_every_earlier_action_is_worse(theta: MDP) -> None:
    """The tie rule, stated on the result: no action before the chosen one is as good."""
    Q, pi = action_value(theta, optimal_value(theta)), optimal_policy(theta)
    for s in range(theta.S):
        assert np.all(Q[s, : pi[s]] < Q[s, pi[s]])


@given(mdps(max_S=5), st.integers(0, 2**32 - 1))
def test_deviation_of_a_value_is_that_of_its_outcomes(theta: MDP, seed: int) -> None:
    """As for rewards, 5S + 7 halves of a rounding (`test_mdp`); values are at most one."""
    V = np.random.default_rng(seed).random(theta.S)
    variance = theta.p @ V**2 - (theta.p @ V) ** 2
    allowed = (5 * theta.S + 7) / 2 * ROUNDING
    np.testing.assert_allclose(transition_std(theta, V) ** 2, variance, rtol=0, atol=allowed)


def _quantecon(theta: MDP) -> tuple[Floats, Ints]:
    """Optimal values and a policy that has them."""
    from quantecon.markov import DiscreteDP  # here: it takes a second to load

    problem = DiscreteDP(mean_reward(theta), np.array(theta.p), theta.gamma)
    found = problem.solve(method="policy_iteration", max_iter=1000)
    return np.array(found.v, dtype=np.float64), np.array(found.sigma)


@pytest.mark.parametrize("gamma", FAR_SIGHTED)
def test_optimal_values_agree_with_quantecon(gamma: float) -> None:
    for seed in SEEDS:
        theta = _drawn(seed, gamma)
        V_star, off = optimal_value(theta), of_quantecon(optimal_value(theta), gamma)
        np.testing.assert_allclose(_quantecon(theta)[0], V_star, rtol=0, atol=off)


def _linear_program(theta: MDP, feasibility: float) -> Floats:
    """The least V with V(s) ≥ r(s,a) + γ p(s,a)ᵀV for all pairs."""
    rows = [
        theta.gamma * theta.p[s, a] - np.eye(theta.S)[s]
        for s, a in product(range(theta.S), range(theta.A))
    ]
    solved = linprog(
        np.ones(theta.S),
        A_ub=np.array(rows),
        b_ub=-mean_reward(theta).ravel(),
        bounds=(None, None),
        method="highs-ds",
        options={
            "primal_feasibility_tolerance": feasibility,
            "dual_feasibility_tolerance": feasibility,
        },
    )
    assert solved.status == 0, solved.message
    return np.array(solved.x, dtype=np.float64)


@pytest.mark.slow
@pytest.mark.parametrize("gamma", FAR_SIGHTED)
def test_optimal_values_agree_with_a_linear_program(gamma: float) -> None:
    """With constraints missed by f, V is at least V* - f/(1-γ).

    With dual constraints missed by f the sum of V is at most f·S·max|V| too large. Together every
    state is right up to the sum.
    """
    feasibility = 1e-10
    for seed in SEEDS:
        theta = _drawn(seed, gamma)
        V_star = optimal_value(theta)
        tolerance = feasibility * theta.S * (V_star.max() + 2 / (1 - gamma))
        np.testing.assert_allclose(
            _linear_program(theta, feasibility),
            V_star,
            rtol=0,
            atol=tolerance + value_tolerance(V_star, gamma),
        )


@pytest.mark.parametrize("gamma", FAR_SIGHTED)
def test_optimal_policies_agree_with_quantecon_where_nothing_ties(gamma: float) -> None:
    """The drawn tasks have continuous numbers: best and second best action differ visibly."""
    for seed in SEEDS:
        theta = generic_mdp(np.random.default_rng(seed), 4, 3, gamma, deterministic=True)
        assert optimal_policy(theta).tolist() == _quantecon(theta)[1].tolist()


@pytest.mark.slow
@given(families())
def test_tabulated_models_are_the_tabulated_functions(models: ApproximateModels) -> None:
    """Axes of `sigma_p` and `V_pi`: the model that moves first, the policy or value after it."""
    for i, theta in enumerate(models.tasks):
        np.testing.assert_array_equal(models.V_star[i], optimal_value(theta))
        np.testing.assert_array_equal(models.pi_star[i], optimal_policy(theta))
        for j, theta_prime in enumerate(models.tasks):
            pi, V = optimal_policy(theta_prime), optimal_value(theta_prime)
            np.testing.assert_array_equal(models.V_pi[i, j], policy_value(theta, pi))
            np.testing.assert_array_equal(models.sigma_p[i, :, :, j], transition_std(theta, V))


@given(families())
def test_a_model_that_is_exact_has_no_error(models: ApproximateModels) -> None:
    errors = model_errors(models.tasks, models)
    assert (errors.r, errors.p, errors.sigma_r, errors.sigma_p) == (0.0, 0.0, 0.0, 0.0)


def test_the_strategies_reach_the_corners() -> None:
    """One state, one action, absorbing states and every discount occur among the drawn tasks."""
    seen: set[str] = set()

    @given(mdps())
    @settings(max_examples=200)
    def look(theta: MDP) -> None:
        seen.add(f"gamma {theta.gamma}")
        seen.update({"one state"} if theta.S == 1 else ())
        seen.update({"one action"} if theta.A == 1 else ())
        seen.update({"absorbing"} if any(theta.p[s, 0, s] == 1 for s in range(theta.S)) else ())

    look()
    assert {"one state", "one action", "absorbing", *(f"gamma {g}" for g in GAMMAS)} <= seen


OF_SUMS = 15 * ROUNDING
"""A sum over three states is off by S + 2 roundings; two of them and one more sum by 15."""
P = np.array([[0.5, 0.25, 0.25], [0.125, 0.125, 0.75], [0.25, 0.5, 0.25]])


def three_states() -> MDP:
    """Three states, two actions: the first moves by P, the second stays."""
    p = np.stack([P, np.eye(3)], axis=1)
    r = np.array([[0.5, 0.0], [0.25, 0.5], [1.0, 0.75]])
    return deterministic_rewards(p, r, 0.75)


class TestSums:
    """Σ_t γ^t P^t f."""

    @pytest.mark.parametrize("gamma", [0.0, 0.5, 0.75])
    def test_the_equation_it_solves(self, gamma: float) -> None:
        f = np.array([[1.0, 0.0], [0.0, 2.0], [0.5, 0.25]])
        found = discounted_sum(P, gamma, f)
        np.testing.assert_allclose(found, f + gamma * P @ found, rtol=OF_SUMS)
        np.testing.assert_array_equal(f, [[1.0, 0.0], [0.0, 2.0], [0.5, 0.25]])

    def test_values_and_visits(self) -> None:
        theta = three_states()
        for pi in ([0, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]):
            policy = np.array(pi)
            step = theta.p[np.arange(3), policy]
            r = np.array([[0.5, 0.0], [0.25, 0.5], [1.0, 0.75]])[np.arange(3), policy]
            V = policy_value(theta, policy)
            np.testing.assert_allclose(V, r + 0.75 * step @ V, rtol=OF_SUMS)
            nu = visitation(theta, policy)
            assert nu.shape == (3, 3, 2)
            np.testing.assert_allclose(nu.sum(axis=(1, 2)), np.full(3, 4.0), rtol=OF_SUMS)
            np.testing.assert_allclose(nu[:, np.arange(3), policy] @ r, V, rtol=OF_SUMS)
            assert not nu[:, np.arange(3), 1 - policy].any()

    def test_action_values(self) -> None:
        """State 2 is worth 4, state 1 1 and state 0 0."""
        found = action_value(three_states(), np.array([0.0, 1.0, 4.0]))
        by_moving = np.array([0.5, 0.25, 1.0]) + 0.75 * np.array([1.25, 3.125, 1.5])
        by_staying = np.array([0.0, 0.5, 0.75]) + 0.75 * np.array([0.0, 1.0, 4.0])
        np.testing.assert_array_equal(found, np.stack([by_moving, by_staying], axis=1))

    def test_deviations(self) -> None:
        """V = 0, 1, 4: second moments 4.25, 12.125 and 4.5; nothing deviates for who stays."""
        first, second = three_states(), walk([[0, 1], [1, 2], [2, 0]], [[0.0] * 2] * 3, 0.75)
        V, W = np.array([0.0, 1.0, 4.0]), np.array([0.0, 0.0, 1.0])
        found = transition_std(first, V)
        moments, means = np.array([4.25, 12.125, 4.5]), np.array([1.25, 3.125, 1.5])
        np.testing.assert_allclose(found[:, 0], np.sqrt(moments - means**2), rtol=OF_SUMS)
        assert not found[:, 1].any()
        table = transition_stds([first, second], [V, W, V])
        assert table.shape == (2, 3, 2, 3)
        np.testing.assert_array_equal(table[0, :, :, 0], found)
        np.testing.assert_array_equal(table[0, :, :, 1], transition_std(first, W))
        assert not table[1].any()


class TestTiesAtTheirBorder:
    """D17: the first of equal actions."""

    def test_what_rounding_can_make(self) -> None:
        """12(S+2) roundings of max|V| + 1, and 1/(1-γ) times as many for values."""
        V = np.array([2.0, -6.0, 3.0])
        assert tie_tolerance(three_states(), V) == 12 * 5 * ROUNDING * 7
        assert value_tolerance(V, 0.75) == 12 * 5 * ROUNDING * 7 * 4
        assert value_tolerance(np.stack([V, V]), 0.75) == 12 * 5 * ROUNDING * 7 * 4
        with pytest.raises(InputError, match="gamma"):
            value_tolerance(V, 1.0)

    def test_gaps_of_every_table_of_values(self) -> None:
        """A sixth, of 12·5·7 roundings; the states are the last axis, whatever comes before."""
        V = np.array([2.0, -6.0, 3.0])
        for table in (V, np.stack([V, V]), np.zeros((2, 4, 3)) + V):
            assert gap_tolerance(table) == 70 * ROUNDING

    def test_an_accuracy_of_zero_is_held_to_what_one_is(self) -> None:
        """One state: the least ε is 100·6·12·3 roundings of h(h+1), h = 1/(1-γ).

        That is 1.318 for h = 2^19 and 0.330 for h = 2^18.
        """

        def check(h: int) -> Callable[[float], None]:
            return lambda epsilon: require_resolved(epsilon, 1, 1 - 1 / h)

        assert_borders(check(2**19), good=(1.32, 2.0), bad=(0, 0.0, 1.0, 1.31))
        assert_borders(check(2**18), good=(0, 0.0, 0.33, 1.0), bad=(0.25, 0.32))

    @pytest.mark.parametrize(("r", "best"), [(0.625, 0), (math.nextafter(0.625, 1), 1), (0.5, 0)])
    def test_a_gain_at_the_border(
        self, monkeypatch: pytest.MonkeyPatch, r: float, best: int
    ) -> None:
        monkeypatch.setattr("ptum.reference.tasks.values.tie_tolerance", lambda *_: 0.125)
        assert optimal_policy(bandit([0.5, r], 0.0)).tolist() == [best]

    def test_a_gain_at_the_border_changes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """State 0 keeps 1/4 for ever, though 3/8 is there, while state 1 finds the way to 2.

        With 3/8 state 0 would be worth 3/4, and going there as good as going to state 2.
        """
        monkeypatch.setattr("ptum.reference.tasks.values.tie_tolerance", lambda *_: 0.125)
        r = [[0.25, 0.375, 0.25], [0.0, 0.0, 0.0], [0.45, 0.45, 0.45]]
        theta = walk([[0, 0, 0], [1, 0, 2], [2, 2, 2]], r, 0.5)
        assert optimal_policy(theta).tolist() == [0, 2, 0]

    def test_a_better_action_is_found_in_each_state(self) -> None:
        """1 - 2 - 0 on a ring, paid in state 0 alone; staying there is best."""
        theta = walk([[1, 0], [1, 2], [0, 2]], [[0.0, 1.0], [0.0, 0.0], [0.0, 0.0]], 0.5)
        assert optimal_policy(theta).tolist() == [1, 1, 0]
        np.testing.assert_array_equal(optimal_value(theta), [2.0, 0.5, 1.0])

    def test_the_first_of_three(self) -> None:
        assert optimal_policy(bandit([0.0, 0.5, 0.5], 0.0)).tolist() == [1]
        assert optimal_policy(bandit([0.5, 0.25, 0.5], 0.0)).tolist() == [0]


class TestRefused:
    """Policies and value functions of another task."""

    @pytest.mark.parametrize(
        ("pi", "problem"),
        [
            ([0, 0], r"pi: must have shape \(3,\)"),
            ([0, 0, 0, 0], r"pi: must have shape \(3,\)"),
            ([[0, 0, 0]], r"pi: must have shape \(3,\)"),
            ([0.0, 0.0, 0.0], "pi: must be an array of integers"),
            ([True, True, True], "pi: must be an array of integers"),
            ([0, -1, 0], r"pi\[1\]: must be an action below 2 \(found -1\)"),
            ([0, 1, 2], r"pi\[2\]: must be an action below 2 \(found 2\)"),
            ([0, 3, -1], r"pi\[1\]: must be an action below 2 \(found 3\)"),
        ],
    )
    def test_policies(self, pi: npt.ArrayLike, problem: str) -> None:
        for ask in (policy_value, visitation):
            with pytest.raises(InputError, match=problem):
                ask(three_states(), np.array(pi))

    @pytest.mark.parametrize(
        "pi", [[0, 0, 0], None, np.ma.array([0, 0, 0], mask=[False, True, False])]
    )
    def test_policies_that_are_no_plain_arrays(self, pi: Any) -> None:
        for ask in (policy_value, visitation):
            with pytest.raises(InputError, match="pi: must be an array of integers"):
                ask(three_states(), pi)

    def test_unsigned_actions(self) -> None:
        unsigned = np.array([0, 1, 0], dtype=np.uint8)
        found = policy_value(three_states(), unsigned)  # type: ignore[arg-type]
        np.testing.assert_array_equal(found, policy_value(three_states(), np.array([0, 1, 0])))

    @pytest.mark.parametrize(
        ("V", "problem"),
        [
            ([0.0] * 2, r"V: must have shape \(3,\)"),
            ([0.0] * 4, r"V: must have shape \(3,\)"),
            ([0.0, 0.0, math.nan], r"V\[2\]: .*\(found nan\)"),
        ],
    )
    def test_values(self, V: list[float], problem: str) -> None:
        for ask in (action_value, transition_std):
            with pytest.raises(InputError, match=problem):
                ask(three_states(), np.array(V))
