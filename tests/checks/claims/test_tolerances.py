"""Checks in doubles say which tolerance they apply, and nothing beyond it passes."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.optimize import linprog

from ptum.checks.claims import registry
from ptum.checks.claims.appendix_e import learning, outcomes, parameters, runs
from ptum.checks.claims.section_2 import values
from ptum.checks.claims.section_3 import algorithm_1_text, promises
from ptum.checks.claims.section_3 import runs as section_3_runs
from ptum.checks.claims.section_3_bounds import corollary_1_text
from ptum.checks.instances.counterexamples.appendix_e import experiment_settings as settings
from ptum.checks.instances.counterexamples.appendix_e.samples import Sized
from ptum.checks.instances.counterexamples.appendix_e.variants import seven_tasks
from ptum.checks.instances.families.named import exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.check import Check, Context, Profile
from ptum.checks.verdicts.outcome import allowing
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.experiments.two_rooms import Payment
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import value_tolerance
from ptum.reference.transfer.analysis.sample_complexity import corollary_1_rate
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import log_term
from ptum.spec.vocabulary import CheckKind, Verdict

QUICK = Context(Profile.QUICK, seed=1)
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
    assert runs.growth_evaluation((first, second)).verdict() is verdict
    assert runs.growth_evaluation((first, swapped)).verdict() is verdict


def test_losses_at_epsilon_leave_the_first_pass_undecided() -> None:
    models = approximate_models(seven_tasks(Payment.IN_GOAL, side=6))
    loss = float(np.max(models.V_star[1] - models.V_pi[1, 0]))
    assert runs.asks_evaluation(Payment.IN_GOAL, loss, side=6).verdict() is NOT_MET
    assert runs.asks_evaluation(Payment.IN_GOAL, loss / 2, side=6).verdict() is HOLDS


@pytest.mark.parametrize(("more", "holds"), [(1e-9, True), (0.0, False), (-1e-13, False)])
def test_a_loss_at_the_slack_is_between(more: float, holds: bool) -> None:
    """Own policies lose nothing, so a slack of zero, or of less than rounding, is at a loss."""
    Delta = (0.13 - more) * (1 - 0.9) / (2 * (1 + 0.9))
    between = outcomes.six_doors_evaluation(Delta).premises[1]
    assert between.holds is holds


@pytest.mark.parametrize(("share", "verdict"), [(1.0, HOLDS), (1 + 1e-9, VIOLATED)])
def test_thresholds_are_below_theory_up_to_roundings(share: float, verdict: Verdict) -> None:
    for panel in outcomes.PANELS:
        equal = outcomes.samples_for_rewards(panel) / panel.known_after
        assert outcomes.threshold_evaluation(panel, equal * share).verdict() is verdict


def test_what_rounding_may_do_leaves_columns_apart() -> None:
    columns = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    assert learning.columns_apart(0.25, columns).holds
    assert not learning.columns_apart(0.26, columns).holds


def test_singular_values_are_compared_without_rounding() -> None:
    for pair in pairwise(range(1, 50, 8)):
        assert learning.slower_evaluation(pair).verdict() is HOLDS
        assert isinstance(learning.slower_evaluation(pair).conclusion.left, Fraction)
    assert learning.slower_evaluation((10, 20), power=0).verdict() is VIOLATED


@pytest.mark.parametrize(("share", "verdict"), [(0.5, HOLDS), (2.0, VIOLATED)])
def test_a_rate_may_exceed_its_limit_by_few_roundings(
    share: float, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate = corollary_1_text.Rate(S=3, A=2, k=4, gamma=0.5, delta=0.1, Gamma=0.01)
    more = 1 + share * corollary_1_text.FEW_ROUNDINGS

    def larger(S: int, A: int, k: int, *, epsilon: float, **others: float) -> float:
        return corollary_1_rate(S, A, k, epsilon=0.0, **others) * (more if epsilon else 1.0)

    assert corollary_1_text.bounded((rate, 0.1)).verdict() is HOLDS
    monkeypatch.setattr(corollary_1_text, "corollary_1_rate", larger)
    assert corollary_1_text.bounded((rate, 0.1)).verdict() is verdict


@pytest.mark.parametrize(("share", "verdict"), [(0.5, HOLDS), (2.0, VIOLATED)])
def test_information_may_miss_a_divergence_by_few_roundings(
    share: float, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = algorithm_1_text.Reward(gap=0.01, sigma=0.25)
    found = np.array((0.01 / 0.25) ** 2 * (1 + share * 4 * ROUNDING))
    monkeypatch.setattr(algorithm_1_text, "information_r", lambda *_: found)
    assert algorithm_1_text.divergence_evaluation(case).verdict() is verdict


def deterministic_arms(*means: float) -> TaskSet:
    """One state, one arm for each mean, γ = 0; the target and a model that swaps the first two."""
    stay = np.ones((1, len(means), 1))
    swapped = (means[1], means[0], *means[2:])
    tasks = [MDP(stay, np.eye(len(means))[np.newaxis], np.array(u), 0.0) for u in (means, swapped)]
    return exactly_known("swapped arms", tuple(tasks))


def test_runs_are_not_judged_where_rounding_decides_who_blocks() -> None:
    """κ_ε = ε/4, so the rival is at the border of Θ_ε for ε = 4 (0.9 - 0.2)."""
    arms = deterministic_arms(0.9, 0.2)
    for epsilon, verdict in ((4 * (0.9 - 0.2), NOT_MET), (0.5, VIOLATED)):
        setting = section_3_runs.Algorithm1Setting(arms, epsilon, 0.1, 1000, single(0.0))
        drawn = st.just(section_3_runs.Drawn(setting, 0))
        found = section_3_runs.search_runs(QUICK, drawn, lambda _: 0.0, 2)
        assert found.verdict is (Verdict.INCONCLUSIVE if verdict is NOT_MET else verdict)


@pytest.mark.parametrize("missed", [0.0, 1e-7, 1e-3])
def test_a_plan_that_misses_its_constraints_is_stretched(
    missed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = section_3_runs.Algorithm1Setting(
        deterministic_arms(0.9, 0.2), 0.1, 0.1, 1000, single(0.0)
    )
    exactly = promises.information_plan(setting)

    def short(costs: Floats, *, A_ub: Floats, b_ub: Floats) -> SimpleNamespace:
        solved = linprog(costs, A_ub=A_ub, b_ub=b_ub)
        return SimpleNamespace(x=np.asarray(solved.x) * (1 - missed))

    monkeypatch.setattr("scipy.optimize.linprog", short)
    found = promises.information_plan(setting)
    assert found == pytest.approx(exactly, rel=20 * ROUNDING, abs=0)
    L = log_term(1, 2, 1000, 2, 0.1)
    assert L / Fraction(0.9 - 0.2) <= found  # one arm, deterministic rewards: I is the gap


def test_a_probability_that_misses_eta_by_more_than_rounding_is_dropped() -> None:
    kept = settings.kept_evaluation(parameters.KEPT_PROBABILITY, settings.LAST).conclusion
    at_eta = parameters.KEPT_PROBABILITY - (float(kept.left) - settings.ETA)
    for less, verdict in ((0.0, HOLDS), (1e-14, VIOLATED)):
        evaluation = settings.kept_evaluation(at_eta - less, settings.LAST)
        assert allowing(evaluation, parameters.KEPT_ROUNDING).verdict() is verdict
    assert math.isclose(at_eta, 0.005, rel_tol=0.02)
