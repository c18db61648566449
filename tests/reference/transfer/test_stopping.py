"""Algorithm 1, line 2 (transfer mode) and line 14 (stopping)."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import policy_value, value_tolerance
from ptum.reference.transfer.stopping import (
    enters_transfer_mode,
    stopping_models,
    stopping_slack,
    transfer_threshold,
)
from tests.support.closeness import near
from tests.support.instances import bandit, walk
from tests.support.strategies import families


class TestTransferMode:
    """Line 2."""

    def test_threshold_by_hand(self) -> None:
        """1·½/(4·1½) = 1/12; ¼ without discount."""
        assert transfer_threshold(1.0, 0.5) == near(1 / 12)
        assert transfer_threshold(1.0, 0.0) == 0.25

    def test_equality_falls_back(self) -> None:
        assert not enters_transfer_mode(0.25, epsilon=1.0, gamma=0.0)
        assert enters_transfer_mode(math.nextafter(0.25, 0), epsilon=1.0, gamma=0.0)

    def test_perfect_models_enter_unless_an_exact_policy_is_asked(self) -> None:
        assert enters_transfer_mode(0.0, epsilon=1e-9, gamma=0.99)
        assert not enters_transfer_mode(0.0, epsilon=0.0, gamma=0.99)

    def test_an_unknown_error_never_enters(self) -> None:
        assert not enters_transfer_mode(math.inf, epsilon=1e9, gamma=0.0)


class TestSlack:
    """What a policy may lose in an active model."""

    def test_by_hand(self) -> None:
        """1 - 2·0.05·1.5/0.5 = 0.7."""
        assert stopping_slack(1.0, 0.05, 0.5) == near(0.7)
        assert stopping_slack(0.3, 0.0, 0.9) == 0.3

    def test_at_the_threshold_half_of_the_accuracy_is_left(self) -> None:
        for epsilon, gamma in product((0.1, 1.0, 8.0), (0.0, 0.5, 0.99)):
            Delta = transfer_threshold(epsilon, gamma)
            assert stopping_slack(epsilon, Delta, gamma) == near(epsilon / 2)


class TestStoppingModels:
    """Line 14."""

    models = approximate_models([bandit([0.0, 0.59, 0.5], 0.9), bandit([0.0, 0.5, 0.59], 0.9)])
    """Each policy loses 0.09 in every step, 0.9 in all, in the other model."""

    def test_a_loss_above_the_slack_does_not_stop(self) -> None:
        assert stopping_models((0, 1), self.models, epsilon=0.8999, Delta=0.0) == ()

    def test_a_loss_equal_to_the_slack_stops(self) -> None:
        """On paper 0.9 ≤ 0.9; in doubles the loss exceeds 0.9 by rounding."""
        loss = self.models.V_star[0] - self.models.V_pi[0, 1]
        assert loss[0] > 0.9
        assert stopping_models((0, 1), self.models, epsilon=0.9, Delta=0.0) == (0, 1)

    def test_the_model_error_shortens_the_slack(self) -> None:
        """ε - 2·0.01·1.9/0.1 = ε - 0.38."""
        assert stopping_models((0, 1), self.models, epsilon=1.27, Delta=0.01) == ()
        assert stopping_models((0, 1), self.models, epsilon=1.29, Delta=0.01) == (0, 1)

    def test_one_active_model_always_stops(self) -> None:
        assert stopping_models((1,), self.models, epsilon=1e-9, Delta=0.0) == (1,)

    def test_nobody_active_nobody_stops(self) -> None:
        assert stopping_models((), self.models, epsilon=1.0, Delta=0.0) == ()

    def test_the_policy_of_the_model_is_tried_in_the_others(self) -> None:
        """The first policy loses 0.3 in the second model, the second one 0.1 in the first."""
        models = approximate_models([bandit([0.6, 0.5], 0.0), bandit([0.2, 0.5], 0.0)])
        assert stopping_models((0, 1), models, epsilon=0.2, Delta=0.0) == (1,)

    def test_every_state_counts(self) -> None:
        """Both models agree in state 0 and disagree in state 1, which state 0 never reaches."""
        stays = [[0, 0], [1, 1]]
        models = approximate_models(
            [walk(stays, [[0.5, 0.1], [0.6, 0.1]], 0.0), walk(stays, [[0.5, 0.1], [0.1, 0.6]], 0.0)]
        )
        assert stopping_models((0, 1), models, epsilon=0.4, Delta=0.0) == ()
        assert stopping_models((0, 1), models, epsilon=0.5, Delta=0.0) == (0, 1)


ACCURACIES = st.sampled_from((0.0, 0.1, 0.5, 2.0))


@pytest.mark.slow
@given(families(), ACCURACIES)
def test_line_14_number_by_number(models: ApproximateModels, epsilon: float) -> None:
    """A loss of more than ε by rounding alone may be accepted; twice as much must not be."""
    everybody = tuple(range(models.k))
    found = stopping_models(everybody, models, epsilon, 0.0)
    for theta in everybody:
        losses = [
            models.V_star[other] - policy_value(models.tasks[other], models.pi_star[theta])
            for other in everybody
        ]
        largest = float(np.max(losses))
        if largest <= epsilon:
            assert theta in found
        if largest > epsilon + 2 * value_tolerance(models.V_star, models.gamma):
            assert theta not in found


@given(families(), ACCURACIES)
def test_fewer_active_models_stop_no_later(models: ApproximateModels, epsilon: float) -> None:
    """A policy that is good in all active models is good in fewer of them."""
    everybody = tuple(range(models.k))
    good = set(stopping_models(everybody, models, epsilon, 0.0))
    for size in range(1, models.k):
        fewer = everybody[:size]
        assert good & set(fewer) <= set(stopping_models(fewer, models, epsilon, 0.0))


@given(families())
def test_a_large_accuracy_stops_with_everybody(models: ApproximateModels) -> None:
    everybody = tuple(range(models.k))
    assert stopping_models(everybody, models, 1 / (1 - models.gamma), 0.0) == everybody
