"""Checks in doubles say which tolerance they apply, and nothing beyond it passes."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from checks.appendix_e import learning, outcomes, parameters, runs
from checks.appendix_e.runs import Sized
from checks.counterexamples import experiment_settings as settings
from checks.counterexamples.paid_once import seven_tasks
from checks.outcome import allowing
from checks.registry import Check, Profile, registry
from checks.section_2 import values
from reference.domains.two_rooms import Payment
from reference.models import approximate_models
from reference.values import value_tolerance
from spec.vocabulary import CheckKind, Verdict

HOLDS, VIOLATED, NOT_MET = Verdict.HOLDS, Verdict.VIOLATED, Verdict.ASSUMPTION_NOT_MET

IN_DOUBLES = [check for check in registry().values() if check.kind is CheckKind.INEQUALITY]


@pytest.mark.parametrize("check", IN_DOUBLES, ids=lambda check: str(check.id))
def test_the_tolerance_is_told(check: Check) -> None:
    found = check.run(replace(check.context(Profile.QUICK, 0), check="", most=6))
    assert found.tolerance is not None
    assert 0 <= found.tolerance < 0.1  # the most: tasks nearly alike, whose moments are inverted


def test_optimal_policies_may_lose_what_rounding_makes_of_the_largest_values() -> None:
    assert value_tolerance(np.array([100.0] * 3), 0.99) == values.LARGEST_TOLERANCE
    assert 1.3e-10 < values.LARGEST_TOLERANCE < values.UNDECIDED < 4.1e-10


@pytest.mark.parametrize(("beyond", "verdict"), [(1e-13, HOLDS), (1e-12, VIOLATED)])
def test_growth_may_miss_its_slack_by_roundings_only(beyond: float, verdict: Verdict) -> None:
    first = Sized(4, 100, (1, 2), 10.0)
    second = Sized(5, 104, (1, 2), 10 + (4 - 2 - beyond) * 3 / 14)
    swapped = replace(second, queries=104, L=10 + (4 + 2 + beyond) * 3 / 14)
    assert runs.growth_walk((first, second)).verdict() is verdict
    assert runs.growth_walk((first, swapped)).verdict() is verdict


def test_losses_at_epsilon_leave_the_first_pass_undecided() -> None:
    models = approximate_models(seven_tasks(Payment.IN_GOAL, side=6))
    loss = float(np.max(models.V_star[1] - models.V_pi[1, 0]))
    assert runs.asks_walk(Payment.IN_GOAL, loss, side=6).verdict() is NOT_MET
    assert runs.asks_walk(Payment.IN_GOAL, loss / 2, side=6).verdict() is HOLDS


@pytest.mark.parametrize(("more", "holds"), [(1e-9, True), (0.0, False), (-1e-13, False)])
def test_a_loss_at_the_slack_is_between(more: float, holds: bool) -> None:
    """Own policies lose nothing, so a slack of zero, or of less than rounding, is at a loss."""
    Delta = (0.13 - more) * (1 - 0.9) / (2 * (1 + 0.9))
    between = outcomes.six_doors_walk(Delta).premises[1]
    assert between.holds is holds


@pytest.mark.parametrize(("share", "verdict"), [(1.0, HOLDS), (1 + 1e-9, VIOLATED)])
def test_thresholds_are_below_theory_up_to_roundings(share: float, verdict: Verdict) -> None:
    for panel in outcomes.PANELS:
        equal = outcomes.samples_for_rewards(panel) / panel.known_after
        assert outcomes.threshold_walk(panel, equal * share).verdict() is verdict


def test_what_rounding_may_do_leaves_columns_apart() -> None:
    columns = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    assert learning.columns_apart(0.25, columns).holds
    assert not learning.columns_apart(0.26, columns).holds


def test_singular_values_are_told_apart_far_beyond_their_rounding() -> None:
    for pair in pairwise(range(1, 50)):
        told = learning.slower_walk(pair).conclusion
        assert told.tolerance is not None
        assert told.tolerance < told.margin / 1e6
    assert learning.slower_walk((10, 20), power=0).verdict() is VIOLATED


def test_a_probability_that_misses_eta_by_more_than_rounding_is_dropped() -> None:
    kept = settings.kept_walk(parameters.KEPT_PROBABILITY, settings.LAST).conclusion
    at_eta = parameters.KEPT_PROBABILITY - (float(kept.left) - settings.ETA)
    for less, verdict in ((0.0, HOLDS), (1e-14, VIOLATED)):
        walk = settings.kept_walk(at_eta - less, settings.LAST)
        assert allowing(walk, parameters.KEPT_ROUNDING).verdict() is verdict
    assert math.isclose(at_eta, 0.005, rel_tol=0.02)
