"""Lemma 3 (widths) and Algorithm 1, line 12 (tests (1)-(4) and the confidence set)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from ptum.reference.arrays import Floats
from ptum.reference.errors import LARGEST_COUNT, LEAST_CONFIDENCE, InputError
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.confidence import (
    Violation,
    Widths,
    confidence_set,
    log_term,
    log_term_sigma,
    violations,
    width_p,
    width_r,
    width_sigma_p,
    width_sigma_r,
    widths,
)
from ptum.reference.transfer.empirical import Data, EmpiricalModel, empirical_model, empty_data
from tests.support.closeness import near
from tests.support.instances import bandit, bernoulli_bandit, two_states, two_states_returning


class TestWidths:
    """The four widths by hand: L = 2, nine samples."""

    N = np.array([[9]])

    def test_log_terms_are_numbers_for_all_that_is_admitted(self) -> None:
        """4·31 + 180 = 304 powers of ten, and less than 9."""
        most = dict.fromkeys(("S", "A", "n", "k"), LARGEST_COUNT)
        least = math.nextafter(LEAST_CONFIDENCE, 0.0)
        for term in (log_term, log_term_sigma):
            assert 304 * math.log(10) < term(**most, delta=LEAST_CONFIDENCE) < 305 * math.log(10)
            with pytest.raises(InputError, match=r"^delta: must be 1e-180 at least"):
                term(**most, delta=least)

    def test_log_terms(self) -> None:
        assert log_term(S=2, A=3, n=10, k=4, delta=0.05) == near(math.log(48000))
        assert log_term_sigma(S=2, A=3, n=10, k=4, delta=0.05) == near(math.log(24000))

    def test_reward(self) -> None:
        """√(2·¼·2/9) = 1/3; 7·2/(3·8) = 7/12."""
        C = width_r(np.array([[0.5]]), self.N, 2.0, 0.1)
        assert float(C[0, 0]) == near(1 / 3 + 7 / 12 + 0.1)

    def test_transition(self) -> None:
        """√(2·(9/4)·2/9) = 1; 7·2/(3·8·½) = 7/6."""
        C = width_p(np.array([[1.5]]), self.N, 2.0, 0.5, 0.1)
        assert float(C[0, 0]) == near(1 + 7 / 6 + 0.1)

    def test_reward_deviation(self) -> None:
        """√(2·2/8) = √½."""
        C = width_sigma_r(self.N, 2.0, 0.1)
        assert float(C[0, 0]) == near(math.sqrt(0.5) + 0.1)

    def test_transition_deviation(self) -> None:
        """√(2·2/8)/½ = √2: the error Δ is not divided."""
        C = width_sigma_p(self.N, 2.0, 0.5, 0.1)
        assert float(C[0, 0]) == near(math.sqrt(2) + 0.1)

    @pytest.mark.parametrize("count", [0, 1])
    def test_infinite_up_to_one_sample(self, count: int) -> None:
        N, zero = np.array([[count, 2]]), np.zeros((1, 2))
        for C in (
            width_r(zero, N, 2.0, 0.0),
            width_p(zero, N, 2.0, 0.5, 0.0),
            width_sigma_r(N, 2.0, 0.0),
            width_sigma_p(N, 2.0, 0.5, 0.0),
        ):
            assert C[0, 0] == math.inf
            assert 0 < C[0, 1] < math.inf

    def test_an_unknown_error_makes_a_width_infinite(self) -> None:
        assert width_r(np.array([[0.5]]), self.N, 2.0, math.inf)[0, 0] == math.inf

    def test_each_width_gets_its_own_error_and_logarithm(self) -> None:
        """S = A = 1, n = 5, k = 2, δ = 0.1, all samples equal, so that only the last terms stay."""
        data = _data_of(bandit([1.0], 0.5), rewards=[1.0] * 5, successors=[0] * 5)
        models = approximate_models([bandit([1.0], 0.5), bandit([0.5], 0.5)])
        hat = empirical_model(data, models.V_star)
        errors = ModelErrors(r=0.01, p=0.02, sigma_r=0.03, sigma_p=0.04)
        C = widths(hat, errors, gamma=0.5, n=5, k=2, delta=0.1)
        L, L_sigma = math.log(8 * 5 * 3 / 0.1), math.log(4 * 5 * 3 / 0.1)
        assert C.r[0, 0] == near(7 * L / 12 + 0.01)
        assert C.p[0, 0].tolist() == near([7 * L / 6 + 0.02] * 2)
        assert C.sigma_r[0, 0] == near(math.sqrt(L_sigma / 2) + 0.03)
        assert C.sigma_p[0, 0] == near(2 * math.sqrt(L_sigma / 2) + 0.04)


def _data_of(theta: MDP, rewards: Iterable[float], successors: Iterable[int]) -> Data:
    """Samples at the pair (0, 0)."""
    data = empty_data(theta.S, theta.A)
    for reward, successor in zip(rewards, successors, strict=True):
        data.store(0, 0, reward, successor)
    return data


def _fallen(data: Data, models: ApproximateModels, n: int) -> dict[int, Violation]:
    hat = empirical_model(data, models.V_star)
    C = widths(hat, single(0.0), models.gamma, n, models.k, delta=0.1)
    active, fallen = confidence_set(tuple(range(models.k)), hat, C, models)
    assert active == tuple(theta for theta in range(models.k) if theta not in fallen)
    return fallen


def _coin(p_1: float, r: tuple[float, float]) -> MDP:
    """State 0 goes to 1 with probability p_1, state 1 is absorbing; γ = 1/2, one action."""
    p = np.array([[[1 - p_1, p_1]], [[0.0, 1.0]]])
    q = np.array([[[1 - r[0], r[0]]], [[1 - r[1], r[1]]]])
    return MDP(p=p, q=q, u=np.array([0.0, 1.0]), gamma=0.5)


class TestEachTestEliminates:
    """Data that contradict a model in one respect only."""

    def test_equation_1_mean_reward(self) -> None:
        models = approximate_models([bandit([1.0], 0.0), bandit([0.0], 0.0)])
        data = _data_of(models.tasks[0], [1.0] * 40, [0] * 40)
        assert _fallen(data, models, n=40) == {1: Violation(1, 0, 0, None)}

    def test_equation_2_mean_value_at_the_next_state(self) -> None:
        """Certain next states: no deviation, so equation (4) has nothing to say. The two states
        differ by 1/2 in the first model's value and by 1 in the second's; the width is 0.51."""
        models = approximate_models([_coin(1.0, (0.5, 1.0)), _coin(0.0, (0.5, 1.0))])
        data = _data_of(models.tasks[0], [0.0, 1.0] * 50, [1] * 100)
        assert _fallen(data, models, n=100) == {1: Violation(2, 0, 0, 1)}

    def test_equation_3_reward_deviation(self) -> None:
        """Half of the rewards are 1, and one model says that they all are 1/2."""
        models = approximate_models([bernoulli_bandit([0.5], 0.0), bandit([0.5], 0.0)])
        data = _data_of(models.tasks[0], [0.0, 1.0] * 100, [0] * 200)
        assert _fallen(data, models, n=200) == {1: Violation(3, 0, 0, None)}

    def test_equation_4_deviation_of_the_value(self) -> None:
        """State 2 is worth the mean of states 1 and 3, so only the spread tells them apart."""
        r = np.array([[0.0], [0.0], [0.5], [1.0]])

        def spread(row: list[float]) -> MDP:
            p = np.array([[row], *([np.eye(4)[s].tolist()] for s in (1, 2, 3))])
            q = np.stack([1 - r, r], axis=-1)
            return MDP(p=p, q=q, u=np.array([0.0, 1.0]), gamma=0.5)

        models = approximate_models([spread([0, 0.5, 0, 0.5]), spread([0, 0, 1, 0])])
        data = _data_of(models.tasks[0], [0.0] * 400, [1, 3] * 200)
        assert _fallen(data, models, n=400) == {1: Violation(4, 0, 0, 0)}


def _agreeing(models: ApproximateModels, theta: int, N: int) -> EmpiricalModel:
    """An empirical model that is equal to model θ."""
    return EmpiricalModel(
        N=np.full((models.S, models.A), N),
        r=models.r[theta],
        p=models.p[theta],
        sigma_r=models.sigma_r[theta],
        sigma_p=models.sigma_p[theta],
    )


def _moved(table: Floats, index: tuple[int, ...], by: float) -> Floats:
    moved = np.array(table)
    moved[index] += by
    return moved


class TestViolations:
    """What is reported of a model that fails: a constant width of 1/4 everywhere."""

    models = approximate_models([two_states(), two_states_returning()])
    C = Widths(
        r=np.full((2, 2), 0.25),
        p=np.full((2, 2, 2), 0.25),
        sigma_r=np.full((2, 2), 0.25),
        sigma_p=np.full((2, 2), 0.25),
    )

    def test_a_perfect_model_fails_nothing(self) -> None:
        assert not list(violations(0, _agreeing(self.models, 0, 9), self.C, self.models))

    def test_equality_is_no_violation(self) -> None:
        hat = _agreeing(self.models, 0, 9)
        at_the_width = replace(hat, r=_moved(hat.r, (0, 1), 0.25))
        beyond = replace(hat, r=_moved(hat.r, (0, 1), 0.2500001))
        assert not list(violations(0, at_the_width, self.C, self.models))
        assert list(violations(0, beyond, self.C, self.models)) == [Violation(1, 0, 1, None)]

    def test_transitions_are_compared_through_every_value(self) -> None:
        """Moving half of (1, 0) from state 0 to state 1 changes the mean of V*_θ' by 1/3 and ¼."""
        hat = _agreeing(self.models, 1, 9)
        p = np.array(hat.p)
        p[1, 0] = (0.5, 0.5)
        found = list(violations(1, replace(hat, p=p), self.C, self.models))
        assert found == [Violation(2, 1, 0, 0)]

    def test_order_equation_then_pair_then_other_model(self) -> None:
        hat = _agreeing(self.models, 0, 9)
        bad = replace(
            hat,
            r=_moved(hat.r, (1, 1), -1.0),
            sigma_r=_moved(_moved(hat.sigma_r, (0, 1), 1.0), (0, 0), 1.0),
            sigma_p=_moved(_moved(hat.sigma_p, (0, 0, 1), 1.0), (0, 0, 0), 1.0),
        )
        assert list(violations(0, bad, self.C, self.models)) == [
            Violation(1, 1, 1, None),
            Violation(3, 0, 0, None),
            Violation(3, 0, 1, None),
            Violation(4, 0, 0, 0),
            Violation(4, 0, 0, 1),
        ]

    def test_the_first_violation_is_the_reason(self) -> None:
        hat = _agreeing(self.models, 0, 9)
        bad = replace(hat, sigma_r=_moved(hat.sigma_r, (0, 0), 1.0), r=_moved(hat.r, (1, 1), -1.0))
        _, fallen = confidence_set((0,), bad, self.C, self.models)
        assert fallen == {0: Violation(1, 1, 1, None)}

    def test_the_value_of_an_eliminated_model_still_tests(self) -> None:
        """θ' runs over all models, also over those that are active no more."""
        hat = _agreeing(self.models, 0, 9)
        bad = replace(hat, sigma_p=_moved(hat.sigma_p, (0, 0, 1), 1.0))
        assert confidence_set((0,), bad, self.C, self.models) == ((), {0: Violation(4, 0, 0, 1)})

    def test_a_model_that_is_not_active_does_not_come_back(self) -> None:
        hat = _agreeing(self.models, 0, 9)
        active, fallen = confidence_set((1,), hat, self.C, self.models)
        assert 0 not in active
        assert 0 not in fallen

    def test_no_data_eliminates_nobody(self) -> None:
        hat = empirical_model(empty_data(2, 2), self.models.V_star)
        C = widths(hat, single(0.0), self.models.gamma, n=10, k=2, delta=0.1)
        assert confidence_set((0, 1), hat, C, self.models) == ((0, 1), {})
