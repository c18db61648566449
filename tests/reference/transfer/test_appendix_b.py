"""Appendix B and the bounds of Section 3: numbers worked out by hand, and the known instances."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict

import numpy as np
import numpy.typing as npt
import pytest
import scipy  # its parts take long to load, and do so where they are used
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.transfer import assumptions as repaired_assumptions
from ptum.reference.repaired.transfer import ptum as repaired_ptum
from ptum.reference.repaired.transfer import stopping as repaired_stopping
from ptum.reference.repaired.transfer.analysis import concentration as repaired_concentration
from ptum.reference.repaired.transfer.analysis import elimination as repaired_elimination
from ptum.reference.repaired.transfer.analysis import lemmas as repaired_lemmas
from ptum.reference.repaired.transfer.analysis import sample_complexity as repaired_complexity
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import value_tolerance
from ptum.reference.transfer import assumptions
from ptum.reference.transfer.analysis import concentration, elimination, lemmas, sample_complexity
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.sample_complexity import kappa_eps, theta_eps
from ptum.reference.transfer.analysis.simulation import (
    optimal_value_bound,
    policy_value_bound,
    value_error_bound,
    value_error_sides,
)
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import confidence_set, log_term, widths
from ptum.reference.transfer.empirical import empirical_model, empty_data
from ptum.reference.transfer.fallback import FallbackResult
from ptum.reference.transfer.information import information
from ptum.reference.transfer.stopping import (
    enters_transfer_mode,
    stopping_slack,
    transfer_threshold,
)
from ptum.reference.transfer.transcript import Event, Start
from tests.support.closeness import OF_A_FORMULA, near
from tests.support.instances import walk

MANY = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])


# Instances.


def deterministic(p: Floats, r: npt.ArrayLike, gamma: float) -> MDP:
    return deterministic_rewards(p, np.array(r, dtype=np.float64), gamma)


def bandit(gamma: float, *arms: Sequence[float], bernoulli: bool = False) -> ApproximateModels:
    """One state; a row of mean rewards for every model."""
    make = bernoulli_rewards if bernoulli else deterministic_rewards
    stay = np.ones((1, len(arms[0]), 1))
    return approximate_models([make(stay, np.array([row]), gamma) for row in arms])


def forked(to_x: float, rewards: Sequence[float], gamma: float) -> MDP:
    """s0 goes to x with this chance, else to y; x and y stay. Rewards of s0, x and y."""
    p = np.eye(3)[:, np.newaxis]
    p[0, 0] = (0.0, to_x, 1 - to_x)
    return deterministic(p, [[reward] for reward in rewards], gamma)


def forks(*tasks: tuple[float, float, float]) -> ApproximateModels:
    """γ = 0.5 and r(s0) = 0.5; of every model the probability of x, r(x) and r(y)."""
    return approximate_models([forked(to_x, (0.5, r_x, r_y), 0.5) for to_x, r_x, r_y in tasks])


def reward_counterexample() -> ApproximateModels:
    """Lemma 7: both gaps are 0.09, and 8Δ = 0.096 for Δ = 0.012."""
    return bandit(0.9, (0.0, 0.59, 0.50), (0.0, 0.50, 0.59))


def transition_counterexample() -> ApproximateModels:
    """Lemma 7: the same with probabilities of reaching the rewarding state."""

    def task(first: float, second: float) -> MDP:
        p = np.zeros((2, 3, 2))
        p[:, 0] = (0.0, 1.0)
        p[:, 1] = (first, 1 - first)
        p[:, 2] = (second, 1 - second)
        return deterministic(p, [[1.0] * 3, [0.0] * 3], 0.9)

    return approximate_models([task(0.545, 0.455), task(0.455, 0.545)])


def two_blocks(gamma: float, c: float) -> ApproximateModels:
    """Two disjoint blocks {h, l}; each model shifts the block that is not its own by ±c.

    Own block: rewards 0.75 in h and 0.25 in l, next state h or l with probability 1/2, both
    actions alike. Other block: action 0 has reward and probability of h lower by c and 2c, action 1
    higher. Rows of a block are equal, so V(h) - V(l) = 1/2 and a shift of 2c is worth c.
    """

    def task(own: int) -> MDP:
        p, r = np.zeros((4, 2, 4)), np.zeros((4, 2))
        for block in (0, 1):
            for a, shift in enumerate((-c, c)):
                here = 0.0 if block == own else shift
                for s, base in ((2 * block, 0.75), (2 * block + 1, 0.25)):
                    r[s, a] = base + here
                    p[s, a, 2 * block : 2 * block + 2] = (0.5 + 2 * here, 0.5 - 2 * here)
        return deterministic(p, r, gamma)

    return approximate_models([task(0), task(1)])


def silent_arms() -> ApproximateModels:
    """Theorem 1: every arm is silent about one of the two rivals."""
    return bandit(0.5, (0.5, 0.2, 0.2), (0.5, 0.9, 0.2), (0.5, 0.2, 0.9), bernoulli=True)


def wrong_self_loop() -> tuple[tuple[MDP, ...], ApproximateModels]:
    """Lemma 9: (y,1) stays in y but all approximate models send it to x."""
    rewards = ([[0.5, 0.5], [0.5, 0.41]], [[0.5, 0.5], [0.2, 0.5]])
    true = tuple(walk([(0, 0), (0, 1)], r, 0.9) for r in rewards)
    return true, approximate_models([walk([(0, 0), (0, 0)], r, 0.9) for r in rewards])


# Lemmas 1 and 2.


def test_widths_of_bernstein() -> None:
    # log(2/δ) = 1 at δ = 2/e: sqrt(2·0.25/100) + 1/300.
    assert concentration.bernstein_width(0.25, 100, 1.0, 2 / math.e) == near(
        math.sqrt(0.005) + 1 / 300
    )
    # log(4/δ) = 2 at δ = 4/e²: sqrt(2·0.25·2/100) + 7·3·2/(3·99) = 0.1 + 14/99.
    assert concentration.empirical_bernstein_width(0.25, 100, 3.0, 4 / math.e**2) == near(
        0.1 + 14 / 99
    )
    assert concentration.empirical_bernstein_width(0.0, 1, 1.0, 0.1) == math.inf


def test_both_sides_of_bernstein() -> None:
    # Mean of (-1, 1, 1, 1) is 0.5; squares of deviations 2.25 + 3·0.25 = 3, over 3 is 1.
    samples = (-1.0, 1.0, 1.0, 1.0)
    known = concentration.bernstein(samples, mean=0.25, variance=1.0, c=1.0, delta=0.5)
    assert known.left == 0.25
    assert known.right == near(math.sqrt(2 * math.log(4) / 4) + math.log(4) / 12)
    assert known.holds
    estimated = concentration.empirical_bernstein(samples, mean=0.25, c=1.0, delta=0.5)
    assert estimated.left == 0.25
    assert estimated.right == near(math.sqrt(2 * math.log(8) / 4) + 7 * math.log(8) / 9)


def test_lemma_1_is_false_for_a_symmetric_range() -> None:
    # X = ±1, P(X = 1) = p, so Var = 4p(1-p), and the mean of n samples is 2K/n - 1.
    n, p, delta = 1000, 5.569e-4, 1e-6
    printed = concentration.bernstein_width(4 * p * (1 - p), n, 1.0, delta)
    repaired = repaired_concentration.bernstein_width(4 * p * (1 - p), n, 2.0, delta)
    K = np.arange(n + 1)
    deviation = np.abs((2 * K / n - 1) - (2 * p - 1))
    chance = scipy.stats.binom.pmf(K, n, p)
    assert chance[deviation > printed].sum() / delta == pytest.approx(1.99, abs=0.005)
    assert chance[deviation > repaired].sum() / delta < 0.5


def test_repaired_bernstein_wants_no_negative_sample() -> None:
    inside = repaired_concentration.bernstein((0.0, 1.0), 0.5, 0.25, 1.0, 0.1)
    assert asdict(inside) == asdict(concentration.bernstein((0.0, 1.0), 0.5, 0.25, 1.0, 0.1))
    with pytest.raises(InputError, match=r"samples\[1\]: X must lie in \[0, c\]"):
        repaired_concentration.bernstein((0.0, -0.1), 0.0, 1.0, 1.0, 0.1)
    with pytest.raises(InputError, match=r"samples\[1\]: X must lie in \[0, c\]"):
        repaired_concentration.empirical_bernstein((0.0, -0.1), 0.0, 1.0, 0.1)


# Lemma 4.


def test_n_bar_by_rewards() -> None:
    # Gap 0.4, Δ = 0.05: x = 0.2. σ² = 0.25 gives max{6.25, 5}, σ² = 0.09 gives max{2.25, 5}.
    models = bandit(0.5, (0.5,), (0.9,), bernoulli=True)
    assert elimination.n_bar_r(Iteration(models, 0, (0, 1), 0.05), theta=1) == near(
        np.array([[5.0]])
    )
    assert elimination.n_bar_r(Iteration(models, 0, (0,), 0.05), theta=1) == near(
        np.array([[6.25]])
    )
    # The transition gap of a bandit is 0, so n̄ = 32 · 2 · 5.
    assert elimination.n_bar(Iteration(models, 0, (0, 1), 0.05), theta=1, L=2.0) == near(
        np.array([[320.0]])
    )
    assert np.isinf(
        elimination.n_bar(Iteration(models, 0, (0, 1), 0.1), theta=1, L=2.0)
    ).all()  # 0.4 = 4Δ
    assert np.isinf(elimination.n_bar(Iteration(models, 0, (0, 1), 0.0), theta=0, L=2.0)).all()


def elimination_witness() -> tuple[ApproximateModels, float]:
    """γ = 0.5, L = log(8·3·20000·4/0.1); the third model has the same value in x and y."""
    models = forks((0.50, 1.0, 0.0), (0.55, 1.0, 0.0), (0.50, 0.5, 0.5))
    return models, log_term(3, 1, 20000, 3, 0.1)


def test_printed_and_repaired_n_bar() -> None:
    # V*(x) - V*(y) = 2, so the gap is 0.1. Printed: θ' = 2 has deviation 0, max{0, 2/0.1} = 20.
    # Repaired: that θ' has gap 0; the others give 4·0.55·0.45/0.01 = 99 at best.
    models, L = elimination_witness()
    everyone = (0, 1, 2)
    assert elimination.n_bar_p(Iteration(models, 0, everyone, 0.0), theta=1)[0, 0] == near(20)
    assert repaired_elimination.n_bar_p(Iteration(models, 0, everyone, 0.0), theta=1)[0, 0] == near(
        99
    )
    printed = elimination.n_bar(Iteration(models, 0, everyone, 0.0), theta=1, L=L)[0, 0]
    repaired = repaired_elimination.n_bar(Iteration(models, 0, everyone, 0.0), theta=1, L=L)[0, 0]
    assert (math.floor(printed), math.ceil(repaired)) == (10733, 53129)


@pytest.mark.parametrize(("Delta", "samples"), [(0.0, 1.0), (0.25, 2.0), (0.375, 4.0)])
def test_n_bar_of_certain_successors(Delta: float, samples: float) -> None:
    """Deviation 0, gap V*(x) - V*(y) = 2: what is left of n̄^p is (1/(1-γ))/x = 2/(2 - 4Δ)."""
    certain = Iteration(forks((1.0, 1.0, 0.0), (0.0, 1.0, 0.0)), 0, (0, 1), Delta)
    for lemma_4 in (elimination, repaired_elimination):
        assert lemma_4.n_bar_p(certain, theta=1)[0, 0] == near(samples)
        assert lemma_4.n_bar(certain, theta=1, L=3.0)[0, 0] == near(32 * 3 * samples)


def test_lemma_4_is_false_with_the_printed_gap() -> None:
    models, L = elimination_witness()
    data = empty_data(3, 1)
    for sample in range(10734):
        data.store(0, 0, 0.5, 1 if sample < 5635 else 2)
    hat = empirical_model(data, models.V_star)
    C = widths(hat, single(0.0), models.gamma, 20000, 3, 0.1)
    active, _ = confidence_set((0, 1, 2), hat, C, models)
    assert active == (0, 1, 2)
    assert lemmas.model_elimination(
        Iteration(models, 0, active, 0.0), theta=1, N=hat.N, L=L
    ).refutes
    repaired = repaired_lemmas.model_elimination(
        Iteration(models, 0, active, 0.0), theta=1, N=hat.N, L=L
    )
    assert repaired.holds


# Lemma 5 and Corollary 2.


def test_simulation_bounds_by_hand() -> None:
    # One state, γ = 0.5, rewards 0.8 and 0.5: ν = 2, so 0.6, which is the difference of values.
    theta, theta_prime = walk([(0,)], [[0.8]], 0.5), walk([(0,)], [[0.5]], 0.5)
    only = np.array([0])
    assert policy_value_bound(theta=theta, theta_prime=theta_prime, pi=only) == near(
        np.array([0.6])
    )
    assert optimal_value_bound(theta=theta, theta_prime=theta_prime) == near(np.array([0.6]))
    assert value_error_bound(theta=theta, theta_prime=theta_prime) == near(np.array([1.2]))
    instance = lemmas.simulation_lemma(theta=theta, theta_prime=theta_prime, pi=only)
    assert instance.left == near(instance.right)
    assert instance.holds


def test_simulation_bound_of_a_transition() -> None:
    # x is absorbing with reward 1, y has reward 0; θ sends y to x, θ' keeps it. V_θ = (2, 1).
    # At y the bracket is 0.5·|2 - 1|, and θ' visits y twice: 1. At x nothing differs.
    r = [[1.0], [0.0]]
    theta, theta_prime = walk([(0,), (0,)], r, 0.5), walk([(0,), (1,)], r, 0.5)
    assert policy_value_bound(theta=theta, theta_prime=theta_prime, pi=np.array([0, 0])) == near(
        np.array([0.0, 1.0])
    )
    # The other way round V_θ' = (2, 0), the bracket is 1, and θ visits y once.
    assert policy_value_bound(theta=theta_prime, theta_prime=theta, pi=np.array([0, 0])) == near(
        np.array([0.0, 1.0])
    )


def test_corollary_2_by_hand() -> None:
    # γ = 0: rewards (0.5, 0.4) and (0.4, 0.5). The policy of θ loses 0.1 in θ'; the bound is 0.2.
    models = bandit(0.0, (0.5, 0.4), (0.4, 0.5))
    sides = value_error_sides(theta=models.tasks[0], theta_prime=models.tasks[1])
    assert sides.left == near(np.array([0.1]))
    assert sides.right == near(np.array([0.2]))
    assert lemmas.value_error(theta=models.tasks[0], theta_prime=models.tasks[1]).holds


# κ_ε, Θ_ε, Θ_s, Lemma 6.


def test_kappa_by_hand() -> None:
    # 0.5·0.4/4 - 0.01·1.5/2.
    assert kappa_eps(0.4, 0.01, 0.5) == near(0.0425)


@MANY
@given(st.floats(0, 0.99), st.floats(1e-3, 10), st.floats(0, 1))
def test_facts_about_kappa(gamma: float, epsilon: float, part: float) -> None:
    Delta = part * transfer_threshold(epsilon, gamma)
    kappa = kappa_eps(epsilon, Delta, gamma)
    assert stopping_slack(epsilon, Delta, gamma) == near(4 * kappa / (1 - gamma))
    assert kappa >= epsilon * (1 - gamma) / 8 * (1 - OF_A_FORMULA)
    assert stopping_slack(epsilon, Delta, gamma) >= epsilon / 2 * (1 - OF_A_FORMULA)
    Delta = part * repaired_stopping.transfer_threshold(epsilon, gamma)
    assert kappa_eps(epsilon, Delta, gamma) >= 2 / 9 * (1 - gamma) * epsilon * (1 - OF_A_FORMULA)
    assert stopping_slack(epsilon, Delta, gamma) >= 8 / 9 * epsilon * (1 - OF_A_FORMULA)


def test_a_negative_kappa_puts_the_target_into_its_own_set() -> None:
    # κ = 0 at Δ = (1-γ)ε/(2(1+γ)) = 1/15 for γ = 0.5, ε = 0.4.
    models = silent_arms()
    assert kappa_eps(0.4, 0.0667, 0.5) < 0 < kappa_eps(0.4, 0.0666, 0.5)
    found = sample_complexity.theorem_1_bound(
        models, target=0, epsilon=0.4, delta=0.1, n=100, Delta=0.0667
    )
    assert (found.blocking, found.denominator, found.bound) == ((0, 1, 2), 0.0, math.inf)


def test_theta_eps_without_discount_has_no_transition_part() -> None:
    # Two states with values 1 and 0 at γ = 0; the models differ in transitions alone.
    def models(gamma: float) -> ApproximateModels:
        r = [[1.0], [0.0]]
        return approximate_models([walk([(0,), (0,)], r, gamma), walk([(1,), (1,)], r, gamma)])

    assert theta_eps(models(0.0), target=0, kappa=0.01) == ()
    assert theta_eps(models(0.5), target=0, kappa=0.01) == (1,)


def test_theta_s_is_smaller() -> None:
    # One reward gap of 0.02, no transition gap: above κ = 0.015 but not above 2κ.
    models = bandit(0.5, (0.5,), (0.52,))
    assert theta_eps(models, target=0, kappa=0.015) == (1,)
    assert repaired_complexity.theta_s(models, target=0, kappa=0.015) == ()
    assert repaired_complexity.theta_s(models, target=0, kappa=0.0099) == (1,)


def test_outside_theta_eps_the_policy_of_the_model_may_be_bad() -> None:
    # States y, G, B; κ = 0.1·0.4/4 = 0.01; reward gaps 0.0099, transition gap 0.
    # In the model action 1 in y is worth 0.3199 + 0.9·5.099 = 4.909 > 0.4901 + 0.9·4.901 = 4.901;
    # in the target it stays in y for 0.31/0.1 = 3.1 instead of 0.5 + 0.9·5 = 5.
    target = walk([(2, 0), (1, 1), (2, 2)], [[0.5, 0.31], [0.5, 0.5], [0.5, 0.5]], 0.9)
    other = walk([(2, 1), (1, 1), (2, 2)], [[0.4901, 0.3199], [0.5099] * 2, [0.4901] * 2], 0.9)
    models = approximate_models([target, other])
    assert theta_eps(models, target=0, kappa=kappa_eps(0.4, 0.0, 0.9)) == ()
    assert models.V_star[0, 0] - models.V_pi[0, 1, 0] == near(1.9)
    assert models.V_star[1, 0] - models.V_pi[1, 0, 0] == near(0.008)


def test_lemma_6_by_hand() -> None:
    instance = lemmas.stopping_condition(Iteration(silent_arms(), 0, (0, 1, 2), 0.0), epsilon=0.4)
    assert (float(instance.left), float(instance.right)) == (2.0, 1.0)
    assert instance.premises_met
    assert instance.holds
    alone = lemmas.stopping_condition(Iteration(silent_arms(), 0, (0,), 0.0), epsilon=0.4)
    assert not alone.premises[lemmas.NO_STOP]


# Lemma 7.


@pytest.mark.parametrize(
    "models", [reward_counterexample(), transition_counterexample()], ids=("reward", "transition")
)
def test_lemma_7_is_false(models: ApproximateModels) -> None:
    # Δ = 0.012 < 0.1/(4·1.9) = 0.01316; κ = 0.025 - 0.0114 = 0.0136; 8Δ = 0.096 > gap 0.09;
    # slack 1 - 0.456 = 0.544.
    epsilon, Delta = 1.0, 0.012
    assert kappa_eps(epsilon, Delta, 0.9) == near(0.0136)
    assert stopping_slack(epsilon, Delta, 0.9) == near(0.544)
    assert theta_eps(models, target=0, kappa=kappa_eps(epsilon, Delta, 0.9)) == (1,)
    printed = lemmas.positive_index(Iteration(models, 0, (0, 1), Delta), epsilon=epsilon)
    assert printed.refutes
    assert float(printed.left) == 0
    repaired = repaired_lemmas.positive_index(Iteration(models, 0, (0, 1), Delta), epsilon=epsilon)
    assert not repaired.premises[lemmas.TRANSFER_MODE]


def test_numbers_of_the_transition_counterexample() -> None:
    # V*(hi) - V*(lo) = 1 and V*(lo) = 0.9 (V*(lo) + 0.545): V*(lo) = 4.905. Wrong action: 0.09 a
    # step from the next state on, 0.9·0.09/0.1 = 0.81.
    models = transition_counterexample()
    assert models.V_star[0] == near(np.array([5.905, 4.905]))
    assert sample_complexity.transition_distance(models, theta=1, target=0) == near(0.09)
    assert models.V_star[1] - models.V_pi[1, 0] == near(np.array([0.81, 0.81]))


@pytest.mark.parametrize(("gamma", "epsilon"), [(0.5, 1.0), (0.9, 1.0), (0.0, 0.4), (0.9, 5.0)])
def test_the_repaired_threshold_is_sharp(gamma: float, epsilon: float) -> None:
    # Gaps c = 8Δ, so no index; the loss 2c(1+γ)/(1-γ) is within the slack up to the threshold.
    exact = repaired_stopping.transfer_threshold(epsilon, gamma)
    for Delta, stops in ((exact * (1 - 1e-6), True), (exact, True), (exact * (1 + 1e-6), False)):
        models = two_blocks(gamma, 8 * Delta)
        assert sample_complexity.reward_distance(models, theta=1, target=0) == near(8 * Delta)
        assert sample_complexity.transition_distance(models, theta=1, target=0) == near(8 * Delta)
        loss = (models.V_star[1] - models.V_pi[1, 0]).max()
        assert loss == near(16 * Delta * (1 + gamma) / (1 - gamma))
        printed = lemmas.positive_index(Iteration(models, 0, (0, 1), Delta), epsilon=epsilon)
        assert not printed.holds
        assert printed.premises[lemmas.TRANSFER_MODE]
        assert printed.refutes is not stops
        assert not repaired_lemmas.positive_index(
            Iteration(models, 0, (0, 1), Delta), epsilon=epsilon
        ).refutes


# Lemma 8.


def test_fundamental_bounds_by_hand() -> None:
    # θ* has equal values in x and y, so against it only rewards speak: |0.5 - 1| with deviation 0.
    # Models 1 and 2 differ at s0 by 0.8·2 with deviation 2·0.3: min{(1.6/0.6)², 0.5·1.6} = 0.8.
    models = forks((0.5, 0.5, 0.5), (0.9, 1.0, 0.0), (0.1, 1.0, 0.0))
    everyone = (0, 1, 2)
    assert information(models, theta=1, theta_prime=2, Delta=0.0)[0, 0] == near(0.8)
    for theta in (1, 2):
        # 0.4 more of one value and 0.4 less of an equal one, each off by half a rounding
        assert sample_complexity.transition_distance(models, theta=theta, target=0) <= ROUNDING
    assert sample_complexity.fundamental_bound(Iteration(models, 0, everyone, 0.0), 2.0) == near(
        512
    )
    assert repaired_complexity.fundamental_bound(everyone, models, 0.0, 2.0) == near(320)
    assert sample_complexity.fundamental_bound(Iteration(models, 0, (0,), 0.0), 2.0) == math.inf


def test_lemma_8_on_counts() -> None:
    models = forks((0.5, 0.5, 0.5), (0.9, 1.0, 0.0), (0.1, 1.0, 0.0))
    everyone = (0, 1, 2)

    def printed(N: int) -> Inequality:
        counts = np.array([[N], [9999], [9999]])
        return lemmas.fundamental_lemma(Iteration(models, 0, everyone, 0.0), N=counts, L=2.0)

    assert printed(511).holds  # s0 has the largest index, so the other counts do not matter
    assert not printed(513).holds
    repaired = repaired_lemmas.fundamental_lemma(
        Iteration(models, 0, everyone, 0.0), N=np.array([[319], [0], [0]]), L=2.0
    )
    assert repaired.holds
    assert float(repaired.left) == 319
    assert float(repaired.right) == near(320)
    assert not lemmas.fundamental_lemma(
        Iteration(models, 0, (1, 2), 0.0), N=np.zeros((3, 1), dtype=np.int64), L=2.0
    ).premises_met


# Lemma 9 and Assumption 1.


def test_lemma_9_is_false() -> None:
    # Ṽ* = (5, 5) in both models, so all four errors are 0. π̃*_1 takes action 1 in y: it loses
    # 0.5 - 0.41 = 0.09 there in the approximate target, and 0.09 in every step in the true one.
    true, models = wrong_self_loop()
    assert assumptions.model_errors(true, models) == single(0.0)
    printed = lemmas.correctness(
        Iteration(models, 0, (0, 1), 0.0), returned=1, true=true, epsilon=0.1
    )
    assert printed.refutes
    assert printed.left == near(np.array([0.0, 0.9]))


def test_repaired_assumption_sees_the_transferred_policy() -> None:
    # In model 1 the policy of model 0 is worth 0.2 + 0.9·5 = 4.7 in y, against 5 in x.
    true, models = wrong_self_loop()
    errors = repaired_assumptions.model_errors(true, models)
    assert (errors.r, errors.sigma_r, errors.sigma_p) == (0.0, 0.0, 0.0)
    assert errors.p == near(0.3)
    repaired = repaired_lemmas.correctness(
        Iteration(models, 0, (0, 1), 0.0), returned=1, true=true, epsilon=0.1
    )
    assert not repaired.premises[lemmas.ASSUMPTION_1]


def test_repaired_correctness_speaks_of_exact_models_and_no_accuracy() -> None:
    """ε = Δ = 0, which line 2 as printed never admits (E12)."""
    true, _ = wrong_self_loop()
    at_zero = Iteration(approximate_models(true), 0, (0,), 0.0)
    found = repaired_lemmas.correctness(at_zero, returned=0, true=true, epsilon=0.0)
    assert found.holds
    others = {lemmas.ASSUMPTION_1, lemmas.TARGET_ACTIVE, lemmas.STOPS_HERE}
    assert found.premises == dict.fromkeys(others, True)
    assert not lemmas.correctness(at_zero, returned=0, true=true, epsilon=0.0).premises_met


def test_repaired_deviation_compares_like_with_like() -> None:
    # s0 goes to x with p, else to y. True: p = 0.02, V(x) - V(y) = 8, deviation 0.14·8 = 1.12.
    # Approximate: difference 6 and p chosen so that the deviation is again 1.12. Under the true p
    # the approximate value has deviation 0.14·6 = 0.84.
    q = (1 - math.sqrt(1 - 4 * 0.0196 * (8 / 6) ** 2)) / 2
    assert q == pytest.approx(0.0361513657, abs=5e-11)
    true = (forked(0.02, (0.0, 0.8, 0.0), 0.9),)
    models = approximate_models([forked(q, (0.0, 0.7, 0.1), 0.9)])
    # deviations move by no more than both values are off
    off = 2 * value_tolerance(models.V_star, 0.9)
    assert assumptions.model_errors(true, models).sigma_p <= off
    assert repaired_assumptions.model_errors(true, models).sigma_p == near(0.28)
    assert assumptions.model_errors(true, models).p == near((q - 0.02) * 6)


# Theorem 1 and Corollary 1.


def test_theorem_1_may_promise_nothing() -> None:
    # Arms 1 and 2 tell one rival each: 0.7 with deviation 0.4, min{(0.7/0.4)², 0.7} = 0.7.
    models = silent_arms()
    L = math.log(8 * 3 * 10000 * 4 / 0.1)
    printed = sample_complexity.theorem_1_bound(
        models, target=0, epsilon=0.4, delta=0.1, n=10000, Delta=0.0
    )
    assert (printed.factor, printed.multiplicity, printed.blocking) == (128, 3, (1, 2))
    assert (printed.denominator, printed.bound) == (0.0, math.inf)
    assert near(L) == printed.L
    repaired = repaired_complexity.theorem_1_bound(
        models, target=0, epsilon=0.4, delta=0.1, n=10000, Delta=0.0
    )
    assert (repaired.multiplicity, repaired.blocking) == (2, (1, 2))
    assert repaired.denominator == near(0.7)
    assert repaired.bound == near(128 * 2 * L / 0.7)


def test_theorem_1_with_nothing_to_eliminate() -> None:
    # κ = (1-γ)ε/4 = 1 is above every gap.
    for theorem in (sample_complexity.theorem_1_bound, repaired_complexity.theorem_1_bound):
        found = theorem(silent_arms(), target=0, epsilon=8.0, delta=0.1, n=100, Delta=0.0)
        assert (found.blocking, found.denominator, found.bound) == ((), math.inf, 0.0)
        alone = theorem(bandit(0.5, (0.1, 0.9)), target=0, epsilon=0.1, delta=0.1, n=100, Delta=0.0)
        assert alone.bound == 0.0


def test_theorem_1_with_tied_pairs() -> None:
    # 400 arms, all of index 1: 128·2·log(8·400·10⁵·3/0.1), or half of it with |Θ| - 1.
    better = [1.0] + [0.0] * 399
    models = bandit(0.0, better, [1 - r for r in better])
    printed = sample_complexity.theorem_1_bound(
        models, target=0, epsilon=0.5, delta=0.1, n=10**5, Delta=0.0
    )
    repaired = repaired_complexity.theorem_1_bound(
        models, target=0, epsilon=0.5, delta=0.1, n=10**5, Delta=0.0
    )
    assert (round(printed.bound), round(repaired.bound)) == (5884, 2942)


def test_Gamma() -> None:
    assert sample_complexity.gap_Gamma(silent_arms(), target=0) == near(0.7)
    assert sample_complexity.gap_Gamma(bandit(0.5, (0.1, 0.9)), target=0) == math.inf


def test_Gamma_may_vanish_between_different_models() -> None:
    # State 0 goes to 1 or to 2, which are alike.
    rewards = [[0.5], [0.5], [0.5]]
    tasks = [walk([(1,), (1,), (2,)], rewards, 0.9), walk([(2,), (1,), (2,)], rewards, 0.9)]
    models = approximate_models(tasks)
    assert sample_complexity.gap_Gamma(models, target=0) <= 2 * value_tolerance(models.V_star, 0.9)
    assert not np.array_equal(models.p[0], models.p[1])


def test_rates_of_corollary_1() -> None:
    # min{6,4}·1/(max{1/16,1/4}/16) = 4·64, and with Γ = 1: 4·16.
    def rate(Gamma: float, epsilon: float = 0.5) -> float:
        return sample_complexity.corollary_1_rate(
            2, 3, 4, gamma=0.5, epsilon=epsilon, delta=1 / math.e, Gamma=Gamma
        )

    assert rate(0.25) == near(256)
    assert rate(1.0) == near(64)
    assert rate(0.0, epsilon=0.0) == math.inf
    assert rate(0.0, epsilon=1e200) == 0.0  # ε² is +inf


def test_explicit_bound_of_corollary_1() -> None:
    # min{6,3}·L·min{1000/(Γ²/4), 16000/(1/64)}: 4000 for Γ = 1, 1024000 for Γ = 0.
    L = log_term(2, 3, 1000, 4, 0.1)

    def bound(Gamma: float, epsilon: float = 0.5, k: int = 4) -> float:
        return repaired_complexity.corollary_1_bound(
            2, 3, k, gamma=0.5, epsilon=epsilon, delta=0.1, n=1000, Gamma=Gamma
        )

    assert bound(1.0) == near(3 * L * 4000)
    assert bound(1e200) == 0.0  # Γ² is +inf
    assert bound(0.0) == near(3 * L * 1024000)
    assert bound(0.0, epsilon=1e-200) == math.inf  # ε² underflows
    assert bound(0.0, epsilon=1e-200, k=1) == 0.0
    assert bound(0.0, epsilon=0.0) == math.inf  # Γ alone bounds the queries at ε = 0
    assert bound(1.0, epsilon=0.0) == near(3 * L * 4000)
    # values lie in [0, 2]: 16000/(4/16) whatever is asked beyond that
    assert bound(0.0, epsilon=2.0) == bound(0.0, epsilon=1e9) == near(3 * L * 64000)


# Line 2 and the repaired algorithm.


def test_repaired_line_2() -> None:
    # (1-γ)ε/(18(1+γ)) at γ = 0.5, ε = 0.54: 0.27/27.
    assert repaired_stopping.transfer_threshold(0.54, 0.5) == near(0.01)
    assert repaired_stopping.enters_transfer_mode(0.0, 0.0, 0.9)
    assert not enters_transfer_mode(0.0, 0.0, 0.9)
    assert not repaired_stopping.enters_transfer_mode(math.inf, 1.0, 0.9)


class Spy:
    """A fallback that remembers the δ it was given."""

    def __init__(self) -> None:
        self.deltas: list[float] = []

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        del model, A, gamma, epsilon
        self.deltas.append(delta)
        return FallbackResult(policy=np.zeros(S, dtype=np.int64), queries=0)


@pytest.mark.parametrize(
    ("Delta", "end", "share"),
    [
        (0.012, repaired_ptum.End.MODELS_TOO_INACCURATE, 0.1),
        (0.0, repaired_ptum.End.BUDGET_EXHAUSTED, 0.05),
    ],
    ids=("line 2", "line 22"),
)
def test_repaired_ptum_shares_delta_where_both_phases_run(
    Delta: float, end: repaired_ptum.End, share: float
) -> None:
    models, spy = reward_counterexample(), Spy()
    events: list[Event] = []
    run = repaired_ptum.ptum(
        models,
        Simulator(models.tasks[0], 0),
        epsilon=0.5,
        delta=0.1,
        n=3,
        Delta=Delta,
        fallback=spy,
        observer=events.append,
    )
    assert run.end is end
    assert spy.deltas == [share]
    assert isinstance(events[0], Start)
    assert events[0].delta == share


def test_repaired_ptum_keeps_delta_without_a_fallback() -> None:
    models = reward_counterexample()
    events: list[Event] = []
    run = repaired_ptum.ptum(
        models,
        Simulator(models.tasks[0], 0),
        epsilon=0.0,
        delta=0.1,
        n=20000,
        Delta=0.0,
        observer=events.append,
    )
    assert isinstance(events[0], Start)
    assert events[0].delta == 0.1
    assert run.end is repaired_ptum.End.STOPPED  # ε = Δ = 0 enters, which the printed line 2 bars
    assert run.theta == 0


# Bad input.


def bad_calls() -> dict[str, tuple[Callable[[], object], str]]:
    models = bandit(0.5, (0.5, 0.1), (0.9, 0.1))
    true, _ = wrong_self_loop()
    theorem = sample_complexity.theorem_1_bound
    return {
        "no sample": (lambda: concentration.bernstein_width(1.0, 0, 1.0, 0.1), "n_samples"),
        "confidence": (lambda: concentration.bernstein_width(1.0, 9, 1.0, 0.0), "delta"),
        "outside": (lambda: concentration.bernstein((0.0, 2.0), 0, 1, 1, 0.1), r"samples\[1\]"),
        "theta": (lambda: elimination.n_bar_r(Iteration(models, 0, (0,), 0.0), theta=2), "theta"),
        "target": (
            lambda: elimination.n_bar_p(Iteration(models, -1, (0,), 0.0), theta=1),
            "target",
        ),
        "active": (
            lambda: elimination.n_bar_p(Iteration(models, 0, (0, 5), 0.0), theta=1),
            r"active\[1\]",
        ),
        "repaired": (
            lambda: repaired_elimination.n_bar_p(Iteration(models, 0, (7,), 0.0), theta=1),
            r"active\[0\]",
        ),
        "accuracy": (lambda: kappa_eps(-1.0, 0.0, 0.5), "epsilon"),
        "error": (lambda: kappa_eps(1.0, -0.1, 0.5), "Delta"),
        "discount": (lambda: kappa_eps(1.0, 0.1, 1.0), "gamma"),
        "set": (lambda: theta_eps(models, target=2, kappa=0.1), "target"),
        "set s": (lambda: repaired_complexity.theta_s(models, target=2, kappa=0.1), "target"),
        "gap": (lambda: sample_complexity.gap_Gamma(models, target=2), "target"),
        "budget": (
            lambda: theorem(models, target=0, epsilon=0.1, delta=0.1, n=0, Delta=0.0),
            "^n: ",
        ),
        "Gamma": (
            lambda: sample_complexity.corollary_1_rate(
                1, 1, 1, gamma=0.5, epsilon=0.1, delta=0.1, Gamma=-1.0
            ),
            "Gamma",
        ),
        "tasks": (lambda: repaired_assumptions.model_errors(true[:1], models), "true"),
    }


@pytest.mark.parametrize("name", sorted(bad_calls()))
def test_bad_input_is_named(name: str) -> None:
    call, where = bad_calls()[name]
    with pytest.raises(InputError, match=where):
        call()


# Lemma 3.


def test_lemma_3_shows_both_sides_of_the_four_tests() -> None:
    """Three samples of one arm, rewards 1, 1, 0: r̂ = 2/3, σ̂ = sqrt(1/3)."""
    stay = np.ones((1, 1, 1))
    models = approximate_models([bernoulli_rewards(stay, np.array([[0.5]]), 0.0)])
    data = empty_data(1, 1)
    for reward in (1.0, 1.0, 0.0):
        data.store(0, 0, reward, 0)
    hat = empirical_model(data, models.V_star)
    C = widths(hat, single(0.25), models.gamma, 10, models.k, 0.1)
    found = lemmas.valid_confidence_set(0, hat, C, models)
    assert found.holds
    left, right = np.asarray(found.left), np.asarray(found.right)
    assert left[0] == near(abs(2 / 3 - 0.5))
    assert left[2] == near(abs(math.sqrt(1 / 3) - 0.5))
    # log(8·1·1·10·2/0.1) = log 1600; width = sqrt(2·(1/3)·L/3) + 7L/6 + 0.25
    L = math.log(1600)
    assert right[0] == near(math.sqrt(2 / 3 * L / 3) + 7 * L / 6 + 0.25)


def test_lemma_3_sees_a_target_that_falls() -> None:
    stay = np.ones((1, 1, 1))
    models = approximate_models([deterministic_rewards(stay, np.array([[0.0]]), 0.0)])
    data = empty_data(1, 1)
    for _ in range(200):
        data.store(0, 0, 1.0, 0)
    hat = empirical_model(data, models.V_star)
    C = widths(hat, single(0.0), models.gamma, 200, models.k, 0.1)
    assert not lemmas.valid_confidence_set(0, hat, C, models).holds
    assert confidence_set((0,), hat, C, models)[0] == ()
