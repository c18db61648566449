"""Lemma 8 and the phases: counterexamples need their numbers, wrong bounds are found out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from ptum.checks.claims.appendix_b import fundamental as lemma_8
from ptum.checks.claims.appendix_b import phases
from ptum.checks.claims.appendix_b.elimination import ActiveModels
from ptum.checks.claims.appendix_b.fundamental import ExactScene
from ptum.checks.claims.appendix_b.runs import RunInputs, play
from ptum.checks.claims.appendix_b.runs import phases as phases_of
from ptum.checks.claims.appendix_b.settings_of_runs import settings as settings_of_runs
from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.appendix_b import lemma_8 as counterexample
from ptum.checks.instances.counterexamples.appendix_b.lemma_8 import Barely
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.arrays import Floats
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.transfer.analysis.lemmas import fundamental_lemma as repaired_lemma
from ptum.reference.repaired.transfer.analysis.sample_complexity import (
    fundamental_bound as index_bound,
)
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.analysis.lemmas import fundamental_lemma
from ptum.reference.transfer.analysis.sample_complexity import fundamental_bound
from ptum.reference.transfer.information import index, query
from ptum.reference.transfer.ptum import ptum
from ptum.reference.transfer.transcript import Elimination, Event, Query
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)


# Lemma 8


def fork(to_x: Fraction, r_x: Fraction, r_y: Fraction) -> mdp.ExactMDP:
    """s0 leads to x or y, which are absorbing; one action, γ = 1/2."""
    zero, one = Fraction(0), Fraction(1)
    p = [[[zero, to_x, 1 - to_x]], [[zero, one, zero]], [[zero, zero, one]]]
    return mdp.deterministic(p, [[Fraction(1, 2)], [r_x], [r_y]], Fraction(1, 2))


def value_of_target(models: tuple[mdp.ExactMDP, ...], first: int) -> mdp.Vector:
    """Ṽ*_θ*, which the printed two-argument gap would use."""
    del first
    return mdp.optimal_value(models[0])


def test_the_gap_must_be_measured_with_the_value_of_the_first_model() -> None:
    """The target's value is the same in x and y: with it all gaps at s0 vanish, I^p is 0.8."""
    half, one, zero = Fraction(1, 2), Fraction(1), Fraction(0)
    rivals = (fork(Fraction(9, 10), one, zero), fork(Fraction(1, 10), one, zero))
    scene = ExactScene((fork(half, half, half), *rivals), Fraction(0))
    information = mdp.information(scene.models[1], scene.models[2], 0, 0, Fraction(0))
    assert information == Fraction(8, 10)
    assert lemma_8.core_evaluation(scene).verdict() is Verdict.HOLDS
    wrong = lemma_8.core_evaluation(scene, value_of_target)
    assert wrong.verdict() is Verdict.VIOLATED


def test_the_proofs_equality_is_false() -> None:
    """Rewards 0.5 (target), 0.2, 0.8: the index has gap 0.6, farthest against closest 0.3."""
    stay = [[[Fraction(1)]]]
    models = tuple(mdp.deterministic(stay, [[Fraction(r, 10)]], Fraction(0)) for r in (5, 2, 8))
    assert mdp.largest_index(models, Fraction(0)) == Fraction(6, 10)
    assert mdp.information(models[1], models[0], 0, 0, Fraction(0)) == Fraction(3, 10)
    assert lemma_8.core_evaluation(ExactScene(models, Fraction(0))).verdict() is Verdict.HOLDS


def test_the_factor_four_is_attained() -> None:
    """Bernoulli arms 0.5 (target), 0.4, 0.6: the index is quadratic, and the gap is twice G."""
    stay = [[[Fraction(1)]]]
    constant = [mdp.deterministic(stay, [[Fraction(r, 10)]], Fraction(0)) for r in (5, 4, 6)]
    bernoulli = tuple(mdp.with_variance(arm, Fraction(1)) for arm in constant)
    scene = ExactScene(bernoulli, Fraction(0))
    assert lemma_8.core_evaluation(scene).conclusion.ratio == 1


def test_no_index_no_claim() -> None:
    stay = [[[Fraction(1)]]]
    models = tuple(mdp.deterministic(stay, [[Fraction(1)]], Fraction(0)) for _ in range(2))
    verdict = lemma_8.core_evaluation(ExactScene(models, Fraction(0))).verdict()
    assert verdict is Verdict.ASSUMPTION_NOT_MET


def fraction_of(bound: Callable[..., float], share: float) -> Callable[..., float]:
    return lambda *arguments: share * bound(*arguments)


def test_worst_data_reject_a_smaller_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lemma_8, "fundamental_bound", fraction_of(fundamental_bound, 0.05))
    assert lemma_8.worst_data(QUICK).verdict is Verdict.VIOLATED
    monkeypatch.setattr(lemma_8, "index_bound", fraction_of(index_bound, 0.05))
    assert lemma_8.worst_data_index(QUICK).verdict is Verdict.VIOLATED


def test_runs_reject_a_smaller_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    def smaller(lemma: Callable[..., Inequality]) -> Callable[..., Inequality]:
        def fiftieth(*arguments: object, **named: object) -> Inequality:
            found = lemma(*arguments, **named)
            return replace(found, right=found.right / 50)

        return fiftieth

    monkeypatch.setattr(lemma_8, "fundamental_lemma", smaller(fundamental_lemma))
    assert lemma_8.on_runs(QUICK).verdict is Verdict.VIOLATED
    monkeypatch.setattr(lemma_8, "repaired_lemma", smaller(repaired_lemma))
    assert lemma_8.on_runs_index(QUICK).verdict is Verdict.VIOLATED


def test_phases_of_the_engine_are_those_of_the_literal_run() -> None:
    setting = settings_of_runs()[1]
    models, inputs = setting.tasks.approximate, RunInputs(setting.epsilon, 0.1, 10_000)
    events: list[Event] = []
    ptum(
        models,
        Simulator(setting.tasks.true[0], 3),
        epsilon=inputs.epsilon,
        delta=inputs.delta,
        n=inputs.n,
        Delta=setting.errors,
        observer=events.append,
    )
    last_queries: list[Query] = []
    for event, following in zip(events, events[2:], strict=False):
        if isinstance(event, Query) and not isinstance(following, Query):
            last_queries.append(event)
    result = play(setting.tasks, inputs, setting.errors, 3)
    found = list(phases_of(result, models, setting.errors.Delta))
    assert [phase.pair for phase in found] == [(q.s, q.a) for q in last_queries]
    assert [int(phase.N.sum()) + 1 for phase in found] == [q.t for q in last_queries]


# What Lemma 8 is said to show


def test_the_quotient_is_four_and_what_the_shift_adds() -> None:
    barely = Barely(Fraction(1), x=Fraction(12, 1000))
    conclusion = counterexample.evaluation(barely).conclusion
    assert conclusion.left / conclusion.right == 4 + 16


def test_the_multiple_of_exact_models_is_four() -> None:
    for wrong in (3, 5):
        assert lemma_8.exact_models(QUICK, multiple=wrong).verdict is Verdict.VIOLATED


def test_upper_bound_rejects_a_smaller_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lemma_8, "index_bound", fraction_of(index_bound, 0.1))
    assert lemma_8.upper_bound(QUICK).verdict is Verdict.VIOLATED


def test_upper_bound_allows_for_rounding_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The target between two others: n̄ is the bound on paper."""
    arms = [
        MDP(np.ones((1, 1, 1)), np.array([[[1 - mean, mean]]]), np.array([0.0, 1.0]), 0.0)
        for mean in (0.5, 0.4375, 0.5625)
    ]
    scene = ActiveModels(approximate_models(arms), (0, 1, 2), 0.0, 10.0)
    conclusion = lemma_8.least_number_evaluation(scene).conclusion
    assert conclusion.tolerance is not None
    assert abs(float(conclusion.left) - 1) <= conclusion.tolerance < 1e-12
    for share, verdict in ((0.5, Verdict.HOLDS), (2.5, Verdict.VIOLATED)):
        less = fraction_of(index_bound, 1 - share * conclusion.tolerance)
        monkeypatch.setattr(lemma_8, "index_bound", less)
        assert lemma_8.least_number_evaluation(scene).verdict() is verdict


# Phases


def test_changes_are_counted_within_phases_only() -> None:
    fall = Elimination(3, 1, 1, 0, 0, None)
    quiet: list[Event] = [Query(1, 0, 0), Query(2, 0, 0), fall, Query(3, 0, 1), Query(4, 0, 1)]
    assert phases.changes_within_phases(quiet) == (2, 0)
    assert phases.changes_within_phases([*quiet, Query(5, 0, 0)]) == (3, 1)


def test_a_query_that_looks_at_the_data_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The literal algorithm with line 18 replaced: a new pair in every iteration."""
    turn = iter(range(10**6))

    def restless(I_t: Floats) -> tuple[int, int]:
        s, a = divmod(next(turn) % I_t.size, I_t.shape[1])
        return s, a

    for module in ("ptum.reference.transfer.ptum", "ptum.reference.repaired.transfer.ptum"):
        monkeypatch.setattr(f"{module}.query", restless)
    assert phases.fixed_ties(QUICK).verdict is Verdict.VIOLATED
    assert phases.repaired_ties(QUICK).verdict is Verdict.VIOLATED


@given(phases.runs())
@settings(max_examples=15)
def test_the_queried_pair_depends_on_the_active_set_alone(run: phases.SamplingRun) -> None:
    active = set(range(run.models.k))
    for event in phases.transcript(run):
        if isinstance(event, Elimination):
            active.remove(event.theta)
        elif isinstance(event, Query):
            assert (event.s, event.a) == query(index(tuple(sorted(active)), run.models, 0.0))
