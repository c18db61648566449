"""Lemma 6, κ_ε, the budget, the fallback's cost and the event E: wrong code is found out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings

from ptum.checks.claims.appendix_b import setting, stopping
from ptum.checks.claims.appendix_b.runs import play, target_active
from ptum.checks.claims.appendix_b.settings_of_runs import settings as settings_of_runs
from ptum.checks.claims.appendix_b.settings_of_runs import undecided
from ptum.checks.claims.appendix_b.stopping import Accuracy, barely_not_stopping
from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.appendix_b.correctness import ExactModels
from ptum.checks.instances.fakes import CountingModel
from ptum.checks.verdicts import witness
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.witness import WitnessError
from ptum.reference.arrays import ROUNDING
from ptum.reference.repaired.transfer.analysis.sample_complexity import theta_s
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.analysis.sample_complexity import kappa_eps, theta_eps
from ptum.reference.transfer.ptum import End, PtumResult, ptum
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)


# Lemma 6 and κ_ε


@pytest.mark.parametrize(
    ("blocking", "factor"),
    [(stopping.THETA_EPS, Fraction(2)), (stopping.THETA_S, Fraction(101, 100))],
)
def test_smaller_blocking_sets_are_refuted(blocking: stopping.Blocking, factor: Fraction) -> None:
    def nearer(theta: ExactMDP, target: ExactMDP) -> Fraction:
        return blocking.distance(theta, target) / factor

    stricter = replace(blocking, distance=nearer)
    assert stopping.active(QUICK, stricter).verdict is Verdict.VIOLATED


def test_lemma_6_speaks_only_of_passes_that_do_not_stop() -> None:
    stay = [[[Fraction(1)]]]
    models = tuple(mdp.deterministic(stay, [[r]], Fraction(0)) for r in (Fraction(0), Fraction(1)))
    generous = ExactModels(models, Fraction(1), Fraction(0))
    verdict = stopping.evaluation(generous).verdict()
    assert verdict is Verdict.ASSUMPTION_NOT_MET


@given(barely_not_stopping())
@settings(max_examples=25)
def test_exact_blocking_sets_are_those_of_the_reference(found: ExactModels) -> None:
    """Away from ties: a distance that equals κ_ε on paper may round to either side."""
    gamma = found.models[0].gamma
    kappa = mdp.kappa(found.epsilon, found.Delta, gamma)
    models = approximate_models([mdp.rounded(model) for model in found.models])
    literal_kappa = kappa_eps(float(found.epsilon), float(found.Delta), float(gamma))
    few = 8 * ROUNDING * float(found.epsilon + found.Delta)  # a difference of two products
    assert abs(literal_kappa - float(kappa)) <= few
    for blocking, literal in (
        (stopping.THETA_EPS, theta_eps(models, target=0, kappa=literal_kappa)),
        (stopping.THETA_S, theta_s(models, target=0, kappa=literal_kappa)),
    ):
        for theta, model in enumerate(found.models):
            distance = blocking.distance(model, found.models[0])
            if abs(distance - kappa) > kappa / 1000 + Fraction(1, 10**9):
                assert (theta in literal) == (distance > kappa)


def test_the_floor_of_kappa_is_sharp_at_the_threshold() -> None:
    epsilon, gamma = Fraction(1), Fraction(9, 10)
    threshold = mdp.transfer_threshold(epsilon, gamma, 4)
    below, at = Accuracy(epsilon, gamma, threshold / 2), Accuracy(epsilon, gamma, threshold)
    assert stopping.floor_evaluation(below).verdict() is Verdict.HOLDS
    assert stopping.floor_evaluation(at).verdict() is Verdict.ASSUMPTION_NOT_MET
    assert not stopping.floor_evaluation(at).conclusion.holds


def test_a_wrong_kappa_has_no_floor_and_is_not_the_literal_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wrong(epsilon: Fraction, Delta: Fraction, gamma: Fraction) -> Fraction:
        return (1 - gamma) * epsilon / 4 - Delta * (1 + gamma)

    monkeypatch.setattr(mdp, "kappa", wrong)
    with pytest.raises(WitnessError, match="κ_ε"):
        stopping.kappa_floor(QUICK)
    monkeypatch.setattr(witness, "same_numbers", lambda *_: None)
    assert stopping.kappa_floor(QUICK).verdict is Verdict.VIOLATED


# Assumption 4


def test_no_budget_is_large_enough_for_the_undecided_bandit() -> None:
    for n in setting.BUDGETS:
        assert setting._run(undecided(), n, seed=1).end is End.BUDGET_EXHAUSTED


def changed(run: Callable[..., PtumResult], end: End) -> Callable[..., PtumResult]:
    def wrong(*arguments: object) -> PtumResult:
        return replace(run(*arguments), end=end)

    return wrong


def test_a_run_that_stops_without_having_to_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting, "play", changed(play, End.STOPPED))
    assert setting.budget_decided_by_run(QUICK).verdict is Verdict.VIOLATED


def test_a_run_that_stops_with_a_bad_policy_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*arguments: object) -> PtumResult:
        result = play(*arguments)  # type: ignore[arg-type]
        return result if result.policy is None else replace(result, policy=1 - result.policy % 2)

    monkeypatch.setattr(setting, "play", wrong)
    found = setting.budget_decided_by_run(QUICK)
    assert found.verdict is Verdict.VIOLATED
    assert "loss of the policy" in found.explanation[1]


def test_a_budget_that_is_always_enough_is_not_up_to_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert setting.depends_on_the_run().verdict() is Verdict.HOLDS
    run, (first, *_) = setting._run, settings_of_runs()
    monkeypatch.setattr(setting, "_run", lambda _, n, seed: run(first, 10 * n, seed))
    assert setting.depends_on_the_run().verdict() is Verdict.VIOLATED


def test_a_bound_that_promises_too_much_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting, "promised", lambda _, n: n / 2)
    assert setting.budget_repaired(QUICK).verdict is Verdict.VIOLATED


def test_the_needed_budget_is_the_first_power_of_two_above_the_bound() -> None:
    for found in settings_of_runs():
        n = setting.needed_budget(found)
        assert setting.promised(found, n) < n
        assert setting.promised(found, n // 2) >= n // 2


# The fallback's cost


def test_a_hidden_query_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def asks_once_more(models: object, model: CountingModel, **inputs: object) -> PtumResult:
        model.sample(0, 0)
        return ptum(models, model, **inputs)  # type: ignore[arg-type]

    monkeypatch.setattr(setting, "ptum", asks_once_more)
    assert setting.fallback_cost(QUICK).verdict is Verdict.VIOLATED


# The event E


def test_a_target_that_falls_in_silence_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting, "target_active", lambda result, theta: True)  # noqa: ARG005
    assert setting.event_over_budget(QUICK).verdict is Verdict.VIOLATED
    assert setting.event_until_stop(QUICK).verdict is Verdict.VIOLATED


def test_a_table_without_a_failed_test_implies_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    (first, *_) = settings_of_runs()

    def on_table() -> list[Verdict]:
        evaluations = setting.event_evaluations(first, 512, 3, (End.STOPPED,))
        return [evaluation.verdict() for evaluation in evaluations if len(evaluation.premises) == 2]

    assert on_table() == [Verdict.HOLDS, Verdict.ASSUMPTION_NOT_MET]
    monkeypatch.setattr(setting, "target_active", lambda result, theta: False)  # noqa: ARG005
    assert on_table() == [Verdict.VIOLATED, Verdict.ASSUMPTION_NOT_MET]


def test_both_answers_occur_in_the_undecided_bandit() -> None:
    result = setting._run(undecided(), 4096, seed=1)
    assert [target_active(result, theta) for theta in range(3)] == [True, True, False]
