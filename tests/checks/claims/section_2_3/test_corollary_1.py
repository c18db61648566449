"""Corollary 1 and what is said about it: counterexamples bite, and checks reject wrong code."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from ptum.checks.claims.section_3 import exact_draws, promises, runs
from ptum.checks.claims.section_3_bounds import corollary_1, corollary_1_text
from ptum.checks.exact import mdp
from ptum.checks.exact.terms import Situation, gap_Gamma
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.section_3 import corollary_1 as corollary_1_cases
from ptum.checks.instances.counterexamples.section_3 import theorem_1
from ptum.checks.instances.counterexamples.section_3_text import generality
from ptum.checks.instances.families import rational
from ptum.checks.instances.families.named import bandit, exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.repaired.transfer.assumptions import transferred_policy_error
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.confidence import log_term
from ptum.reference.transfer.ptum import ptum
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
REPAIRED = Version.REPAIRED


# The rate


def test_tiny_index_is_inside_the_repaired_threshold_and_blocked() -> None:
    case = corollary_1_cases.tiny_index()
    assert correctness.positive_index_evaluation(case, REPAIRED).verdict() is Verdict.HOLDS
    assert mdp.largest_index(case.models, case.Delta) < Fraction(1, 10_000)
    assert corollary_1_cases.queries(case, 100_000) < 1000


def test_a_tiny_index_rejects_a_bound_that_depends_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corollary_1, "repaired_corollary", lambda _: 10.0)
    assert corollary_1.repaired_tiny_index(QUICK).verdict is Verdict.VIOLATED


def random_ties(rng: np.random.Generator) -> Callable[[Floats], tuple[int, int]]:
    """Line 18 with a fair draw among the largest indices."""

    def query(I_t: Floats) -> tuple[int, int]:
        tied = np.argwhere(I_t >= I_t.max())
        s, a = tied[rng.integers(len(tied))].tolist()
        return s, a

    return query


def test_the_slow_bandit_is_slow_in_a_fixed_order_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """With random ties arms 1 and 2 are asked too, and 7L/(3(N-1)) < 0.4 after 107 samples."""
    case = corollary_1_cases.bandit(Fraction(1, 100))
    n, L = 100_000, log_term(1, 3, 100_000, 2, float(corollary_1_cases.DELTA))
    assert corollary_1_cases.queries(case, n) == math.floor(7 * L / 3 * 100) + 2
    rng = np.random.default_rng(0)
    monkeypatch.setattr("ptum.reference.transfer.ptum.query", random_ties(rng))
    models = approximate_models([mdp.rounded(theta) for theta in case.models])
    found = ptum(
        models, Simulator(models.tasks[0], 0), epsilon=0.5, delta=0.1, n=n, Delta=float(case.Delta)
    )
    assert found.theta == 0
    assert found.queries < 3 * 2 * (7 * L / (3 * 0.4) + 2)


@pytest.mark.parametrize(("n", "about"), [(5000, 1300), (50_000, 1500)])
def test_the_bandit_of_e01_ends_where_ties_are_broken_at_random(
    n: int, about: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its index is zero from the first iteration on, with a budget that suffices (Assumption 4)."""
    monkeypatch.setattr("ptum.reference.transfer.ptum.query", random_ties(np.random.default_rng(0)))
    arms = ([0.0, 0.59, 0.50], [0.0, 0.50, 0.59])
    models = approximate_models(
        [deterministic_rewards(np.ones((1, 3, 1)), np.array([r]), 0.9) for r in arms]
    )
    found = ptum(models, Simulator(models.tasks[0], 0), epsilon=1.0, delta=0.1, n=n, Delta=0.012)
    assert (found.theta, found.first_zero_index) == (0, 1)
    assert round(found.queries, -2) == about


def test_repaired_rate_rejects_smaller_constants() -> None:
    drawn = runs.drawn_settings()
    found = runs.search_runs(QUICK, drawn, lambda s: promises.repaired_corollary(s) / 1000, 60)
    assert found.verdict is Verdict.VIOLATED


def test_repaired_rate_beyond_the_range_of_values_is_that_of_the_range() -> None:
    """γ = 1/2: values are at most 2; without a gap Γ the accuracy alone bounds the queries."""
    setting = runs.named_settings(0.3)[0]
    alike = exactly_known("alike", bandit(0.5, (0.5, 0.2), (0.5, 0.2)))
    at, beyond, below = (
        promises.repaired_corollary(replace(setting, task_set=alike, epsilon=epsilon))
        for epsilon in (2.0, 9.0, 1.0)
    )
    assert beyond == at < below < math.inf


def test_exact_rate_rejects_a_smaller_constant() -> None:
    drawn = runs.drawn_settings(shares=(0.0,))
    found = runs.search_runs(QUICK, drawn, lambda s: promises.rate_with_constant(s) / 1000, 60)
    assert found.verdict is Verdict.VIOLATED


def test_the_rate_in_gamma_rejects_a_smaller_constant() -> None:
    drawn = runs.drawn_settings(shares=(0.0,))
    smaller = runs.search_runs(QUICK, drawn, lambda s: corollary_1_text.at_zero(s) / 10_000, 60)
    assert smaller.verdict is Verdict.VIOLATED


# The steps of the proof


def scaled(evaluation: Evaluation, factor: Fraction) -> Evaluation:
    right = factor * Fraction(evaluation.conclusion.right)
    return replace(evaluation, conclusion=replace(evaluation.conclusion, right=right))


@pytest.mark.parametrize("evaluation", [theorem_1.exchange, theorem_1.in_terms_of_Gamma])
def test_repaired_steps_reject_a_larger_constant(evaluation: theorem_1.SituationClaim) -> None:
    found = search(
        QUICK,
        exact_draws.situations(),
        lambda situation: scaled(evaluation(situation, REPAIRED), Fraction(101, 100)),
        300,
    )
    assert found.verdict is Verdict.VIOLATED


def test_information_at_zero_error_rejects_a_larger_constant() -> None:
    found = search(
        QUICK,
        exact_draws.situations(),
        lambda situation: scaled(corollary_1.information_or_stop(situation), Fraction(5)),
        300,
    )
    assert found.verdict is Verdict.VIOLATED


def test_forgotten_square_has_the_numbers_of_the_ledger() -> None:
    evaluation = corollary_1_cases.forgotten_square_evaluation(
        corollary_1_cases.forgotten_square_instance()
    )
    assert evaluation.conclusion.left == Fraction(169, 10_000)
    assert evaluation.conclusion.right == Fraction(1, 32)


@pytest.mark.parametrize(
    ("constant", "shares"),
    [(Fraction(1, 60), (Fraction(99, 100),)), (Fraction(1, 15), (Fraction(0),))],
)
def test_squared_constants_cannot_be_larger(
    constant: Fraction, shares: tuple[Fraction, ...]
) -> None:
    assert corollary_1.squared(QUICK, constant, shares).verdict is Verdict.VIOLATED


# Independence of ε


def test_bounded_rate_rejects_a_rate_in_epsilon_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_gap(S: int, A: int, k: int, **named: float) -> float:
        scale = max(named["epsilon"], 1e-13) ** 2 * (1 - named["gamma"]) ** 4
        return min(S * A, k) / scale if named["epsilon"] > 0 else 1.0

    monkeypatch.setattr(corollary_1_text, "corollary_1_rate", without_gap)
    assert corollary_1_text.rate_is_bounded(QUICK).verdict is Verdict.VIOLATED


def test_bounded_runs_reject_a_smaller_bound() -> None:
    found = runs.search_runs(
        QUICK,
        corollary_1_text.any_accuracy(),
        lambda setting: corollary_1_text.at_zero(setting) / 1000,
        60,
    )
    assert found.verdict is Verdict.VIOLATED


# Models at distance zero


@settings(max_examples=40)
@given(exact_draws.at_distance_zero())
def test_drawn_twins_are_at_distance_zero_and_stochastic(situation: Situation) -> None:
    assert gap_Gamma(situation) == 0
    for row in (row for rows in situation.models[1].p for row in rows):
        assert sum(row) == 1
        assert min(row) >= 0


def test_the_same_optimum_rejects_models_at_a_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    assert corollary_1_text.same_optimum(QUICK).verdict is Verdict.HOLDS
    monkeypatch.setattr(generality, "gap_Gamma", lambda _: Fraction(0))
    pairs = rational.model_sets(2).map(lambda models: Situation(models, Fraction(1, 2)))
    found = search(QUICK, pairs, generality.same_optimum_evaluation, 20)
    assert found.verdict is Verdict.VIOLATED


def test_drawn_twins_differ_as_a_rule() -> None:
    found = search(QUICK, exact_draws.at_distance_zero(), generality.identical_evaluation, 20)
    assert found.verdict is Verdict.VIOLATED


def test_leaving_out_loses_four_times_epsilon_unless_the_twin_is_a_copy() -> None:
    case = generality.left_out()
    assert generality.neglect_evaluation(case).conclusion.left == 4 * case.epsilon
    assert (
        generality.neglect_evaluation(generality.left_out(to_of_twin=1)).verdict() is Verdict.HOLDS
    )


def test_agreeing_on_all_optimal_values_is_not_enough() -> None:
    evaluation = generality.neglect_evaluation(generality.merged_by_values())
    assert evaluation.verdict() is Verdict.VIOLATED
    assert evaluation.conclusion.left == Fraction(9, 10)


SEEN = 2 * 2 * 7 * 64 * ROUNDING
"""How much of its largest value a function may see of a direction that it should not see.

`null_space` of at most seven functions on eight states keeps what is below 8ε of a singular value
below 8; as much again for the decomposition itself. Rows move along at most seven directions of
length 1, by at most 2 in all.
"""


@settings(max_examples=30)
@given(corollary_1_text.merged())
def test_merged_twins_have_no_repaired_error(drawn: TaskSet) -> None:
    """Means agree to rounding; a deviation is the root of what rounding leaves of a variance."""
    errors, reach = drawn.repaired_errors(), 1 / (1 - drawn.approximate.gamma)
    assert errors.p <= SEEN * reach
    assert errors.sigma_p <= np.sqrt(3 * SEEN) * reach  # of E[V²] - E[V]², in units of reach²


def test_merged_twins_differ_as_a_rule() -> None:
    def same_transitions(drawn: TaskSet) -> Evaluation:
        apart = float(np.max(np.abs(drawn.true[0].p - drawn.approximate.p[0])))
        return Evaluation((), Statement("difference of the transitions", apart, "≤", SEEN))

    assert search(QUICK, corollary_1_text.merged(), same_transitions, 5).verdict is Verdict.VIOLATED


def test_merging_by_optimal_values_has_a_transferred_error() -> None:
    case = generality.merged_by_values()
    models = approximate_models([mdp.rounded(m) for m in (case.twin, *case.others)])
    true = (mdp.rounded(case.target), models.tasks[1])
    assert transferred_policy_error(true, models) == near(0.09)


# Perfect models and no tolerated loss


def test_drawn_runs_at_zero_reject_another_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every policy is said to lose something, and none of them counts as optimal then."""
    monkeypatch.setattr(runs, "true_loss", lambda _, policy: float(policy.max()) + 0.5)
    assert corollary_1_text.zero_on_drawn(QUICK).verdict is Verdict.VIOLATED


def test_drawn_runs_at_zero_reject_an_end_without_a_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = runs.Trial(survived=True, stopped=False, queries=3, loss=0.0, tolerance=0.0)
    monkeypatch.setattr(runs, "run", lambda *_, **__: silent)
    assert corollary_1_text.zero_on_drawn(QUICK).verdict is Verdict.VIOLATED
