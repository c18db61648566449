"""Theorem 1 and what is said about it: counterexamples bite, and checks reject wrong code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import repeat

import numpy as np
import pytest
from hypothesis import strategies as st

from ptum.checks.claims import registry
from ptum.checks.claims.section_3 import exact_draws, promises, runs
from ptum.checks.claims.section_3.runs import Algorithm1Setting
from ptum.checks.claims.section_3.tie_rules import all_rules
from ptum.checks.claims.section_3_bounds import theorem_1, theorem_1_text
from ptum.checks.exact import mdp, terms
from ptum.checks.exact.terms import Situation
from ptum.checks.instances.counterexamples.section_3 import algorithm_1, corollary_1
from ptum.checks.instances.counterexamples.section_3 import theorem_1 as theorem_1_cases
from ptum.checks.instances.counterexamples.section_3_text import queries
from ptum.checks.instances.counterexamples.shared import blocks, deterministic_runs
from ptum.checks.instances.families import sets
from ptum.checks.instances.families.named import bandit, exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.check import Check, Context, Profile
from ptum.checks.verdicts.outcome import Evaluation, Outcome
from ptum.checks.verdicts.probability_search import TrialResult
from ptum.checks.verdicts.search import search
from ptum.reference.repaired.transfer.analysis.sample_complexity import (
    theorem_1_bound as repaired_bound,
)
from ptum.reference.transfer.analysis.sample_complexity import gap_Gamma, theorem_1_bound, theta_eps
from ptum.reference.transfer.assumptions import single
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED


# The first half


def test_wrong_policy_loses_nine_times_epsilon() -> None:
    case = algorithm_1.wrong_policy_instance()
    assert algorithm_1.wrong_policy_evaluation(case, PRINTED).conclusion.left == 9 * case.epsilon


def test_smallest_epsilon_attains_the_weaker_guarantee() -> None:
    """Without the repair the output is ε/(1-γ)-optimal, and no better."""
    case = algorithm_1.wrong_policy_instance(epsilon=Fraction(9, 100))
    evaluation = algorithm_1.wrong_policy_evaluation(case, PRINTED)
    assert evaluation.conclusion.left == Fraction(9, 100) / (1 - case.true[0].gamma)


def test_correctness_check_rejects_the_printed_errors() -> None:
    """The same search, told the errors of Assumption 1 as printed, finds what E02 says."""
    found = search(
        QUICK,
        sets.kernel_sets(2),
        lambda drawn: runs.stop_at_once(drawn, drawn.printed_errors().Delta),
        400,
    )
    assert found.verdict is Verdict.VIOLATED


def test_named_check_rejects_a_policy_that_loses() -> None:
    """An ε of which the run knows nothing: the policy of the rival is returned and judged."""
    setting = replace(runs.named_settings(0.3)[1], epsilon=5.0)  # iteration 1 stops with anything
    wrong = replace(setting, task_set=_swapped(setting))
    judged = promises.misses_epsilon(replace(wrong, epsilon=0.01), runs.run(wrong, 0))
    assert judged.failed


def test_a_run_without_a_stop_fails_only_where_the_budget_is_beyond_the_bound() -> None:
    setting = runs.named_settings(0.3)[0]
    enough = int(promises.repaired_bound(setting)) + 1
    endless = runs.Trial(survived=True, stopped=False, queries=9, loss=0.0, tolerance=0.0)
    assert promises.misses_epsilon(runs.with_budget(setting, 2 * enough), endless).failed
    assert not promises.misses_epsilon(runs.with_budget(setting, enough // 2), endless).failed


def _swapped(setting: Algorithm1Setting) -> TaskSet:
    task_set = setting.task_set
    return replace(task_set, true=task_set.true[::-1])


# The bound


def test_three_arms_has_an_infinite_bound_and_short_runs() -> None:
    setting = runs.named_settings(0.3)[0]
    assert promises.printed_bound(setting) == np.inf
    assert promises.repaired_bound(setting) < 7000
    trials = [runs.run(setting, seed) for seed in range(10)]
    assert all(t.stopped and t.survived and t.loss == 0 for t in trials)
    assert max(t.queries for t in trials) < 250


def test_exact_terms_agree_with_the_literal_code() -> None:
    situation = theorem_1_cases.three_arms_instance()
    models = runs.three_arms().approximate
    literal = repaired_bound(models, target=0, epsilon=0.4, delta=0.1, n=100, Delta=0.0)
    assert terms.theta_eps(situation) == theta_eps(models, target=0, kappa=float(situation.kappa))
    assert terms.theta_s(situation) == literal.blocking
    assert float(terms.min_max(situation, (1, 2))) == near(literal.denominator)
    assert float(terms.gap_Gamma(situation)) == near(gap_Gamma(models, target=0))
    assert situation.slack == 4 * situation.kappa / (1 - situation.gamma)


def shrunk(promise: runs.Promise, factor: float) -> runs.Promise:
    return lambda setting: promise(setting) * factor


@pytest.mark.parametrize(
    ("promise", "factor"), [(promises.repaired_bound, 1 / 100), (promises.printed_bound, 1 / 300)]
)
def test_drawn_runs_reject_a_smaller_bound(promise: runs.Promise, factor: float) -> None:
    drawn = runs.drawn_settings()
    assert runs.search_runs(QUICK, drawn, promise, 15).verdict is Verdict.HOLDS
    rejected = runs.search_runs(QUICK, drawn, shrunk(promise, factor), 40)
    assert rejected.verdict is Verdict.VIOLATED
    assert rejected.worst_ratio is not None
    assert rejected.worst_ratio > 1


def test_named_runs_reject_a_smaller_bound() -> None:
    def too_many(setting: Algorithm1Setting, trial: runs.Trial) -> TrialResult:
        return promises.exceeds(trial, promises.repaired_bound(setting) / 60)

    settings, nowhere = runs.named_settings(0.3), st.just(_trivial())
    rejected = runs.count_failures(QUICK, settings, too_many, nowhere, trials=12, alpha=1e-4)
    assert rejected.verdict is Verdict.VIOLATED
    assert rejected.worst_ratio is not None
    assert rejected.worst_ratio > 1


def _trivial() -> Algorithm1Setting:
    """Two equal models: iteration 1 stops."""
    (arm,) = bandit(0.5, (0.5, 0.2))
    return Algorithm1Setting(
        exactly_known("twice the same", (arm, arm)), 0.1, 0.3, 100, single(0.0)
    )


@pytest.mark.parametrize(
    "check",
    [theorem_1.optimal_with_probability, theorem_1.repaired_with_probability],
    ids=["correct", "bound"],
)
def test_runs_that_stop_at_the_wrong_time_are_rejected(
    check: Callable[[Context], Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named settings in which nothing can go wrong: only the drawn ones see a wrong stop."""

    literal = runs.run

    def stop_at_once(setting: Algorithm1Setting, seed: int) -> runs.Trial:
        return literal(replace(setting, epsilon=1e4), seed)

    monkeypatch.setattr(runs, "named_settings", lambda delta: (replace(_trivial(), delta=delta),))
    assert check(QUICK).verdict is Verdict.HOLDS
    monkeypatch.setattr(runs, "run", stop_at_once)
    assert check(QUICK).verdict is Verdict.VIOLATED


@pytest.mark.parametrize(
    ("promise", "check"),
    [
        ("printed_bound", theorem_1.bound_with_probability),
        ("repaired_bound", theorem_1.repaired_with_probability),
    ],
)
def test_drawn_settings_reject_a_smaller_bound(
    promise: str, check: Callable[[Context], Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    bound = getattr(promises, promise)
    monkeypatch.setattr(runs, "named_settings", lambda delta: (replace(_trivial(), delta=delta),))
    monkeypatch.setattr(theorem_1, promise, lambda setting: bound(setting) / 1000)
    assert check(QUICK).verdict is Verdict.VIOLATED


def test_polynomial_rejects_a_smaller_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = promises.repaired_corollary
    monkeypatch.setattr(runs, "named_settings", lambda delta: (replace(_trivial(), delta=delta),))
    assert theorem_1_text.pac_repaired(QUICK).verdict is Verdict.HOLDS
    monkeypatch.setattr(theorem_1_text, "repaired_corollary", lambda setting: bound(setting) / 1e5)
    assert theorem_1_text.pac_repaired(QUICK).verdict is Verdict.VIOLATED


def test_a_denominator_without_the_shift_is_rejected() -> None:
    """φ with w = (1-γ)ε/2, as if gaps stood in Definition 1 without 8Δ."""

    def unshifted(situation: Situation) -> Evaluation:
        exact_models = replace(situation, Delta=Fraction(0))
        right = theorem_1_cases.lower_bound(exact_models).conclusion.right
        evaluation = theorem_1_cases.lower_bound(situation)
        return replace(evaluation, conclusion=replace(evaluation.conclusion, right=right))

    found = search(QUICK, exact_draws.with_errors(), unshifted, 200)
    assert found.verdict is Verdict.VIOLATED


# Ties


def test_tied_arms_count_as_the_story_says() -> None:
    case = theorem_1_cases.TiedArms()
    assert theorem_1_cases.fixed_order(case) == 55
    assert theorem_1_cases.queries(case, lambda _: repeat(0)) == 55
    assert theorem_1_cases.queries(case, theorem_1_cases.least_sampled) == 400 * 54 + 1
    assert f"{float(theorem_1_cases.tied_arms_bound(case, PRINTED)):.2f}" == "5884.17"
    assert f"{float(theorem_1_cases.tied_arms_bound(case, REPAIRED)):.2f}" == "2942.08"


@pytest.mark.parametrize("arms", [2, 50])
def test_bounds_of_tied_arms_are_those_of_the_literal_theorem(arms: int) -> None:
    case = theorem_1_cases.TiedArms(arms)
    for version, theorem in ((PRINTED, theorem_1_bound), (REPAIRED, repaired_bound)):
        literal = theorem(case.models, target=0, epsilon=0.5, delta=0.1, n=100_000, Delta=0.0).bound
        assert float(theorem_1_cases.tied_arms_bound(case, version)) == near(literal)


def test_all_rules_reject_a_bound_without_its_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = (theorem_1_cases.TiedArms(50),)
    assert all_rules(QUICK, cases).verdict is Verdict.HOLDS
    monkeypatch.setattr(theorem_1_cases, "FACTOR", 1)
    assert all_rules(QUICK, cases).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("gap", [Fraction(0), Fraction(1, 4), Fraction(1)])
def test_samples_to_drop_are_the_first_that_do(gap: Fraction) -> None:
    zero, tenth = Fraction(0), Fraction(1, 10)
    models = deterministic_runs.arms(Fraction(1, 2), (zero, tenth), (gap, tenth))
    told = deterministic_runs.Algorithm1Inputs(Fraction(1, 100), tenth, 1000)
    count = deterministic_runs.samples_to_drop(models, 1, (0, 0), told)
    if gap == 0:
        assert count is None
    else:
        assert deterministic_runs.literal_run(models, told).queries == count


# The meaning of Θ_ε


def test_theta_eps_instance_loses_nearly_five_times_epsilon() -> None:
    evaluation = corollary_1.theta_eps_meaning_evaluation(
        corollary_1.theta_eps_meaning_instance(), PRINTED
    )
    assert evaluation.conclusion.left == Fraction(19, 10)


def test_tight_family_has_the_gaps_it_is_built_for() -> None:
    situation = corollary_1.tight()
    G_r, G_p = terms.distances(situation)[1]
    assert (G_r, situation.gamma * G_p) == (situation.kappa, situation.kappa)


@pytest.mark.parametrize(
    "evaluation",
    [
        theorem_1_text.model_policies_in_target,
        theorem_1_text.target_policy_in_models,
        theorem_1_text.stops,
    ],
)
def test_border_checks_reject_a_slightly_larger_claim(
    evaluation: Callable[[Situation], Evaluation],
) -> None:
    def stronger(situation: Situation) -> Evaluation:
        told = evaluation(situation)
        right = Fraction(99, 100) * Fraction(told.conclusion.right)
        return replace(told, conclusion=replace(told.conclusion, right=right))

    found = search(QUICK, exact_draws.outside_theta_eps(), stronger, 150)
    assert found.verdict is Verdict.VIOLATED


def test_mirrored_blocks_attain_corollary_2() -> None:
    c_r, c_p, gamma = Fraction(1, 50), Fraction(1, 25), Fraction(1, 2)
    models = blocks.mirrored(c_r, c_p, gamma)
    loss = mdp.smallest_worst_loss(models)
    assert loss == 2 * (c_r + gamma * c_p) / (1 - gamma)
    situation = exact_draws.at_the_border(models, Fraction(0))
    assert terms.theta_eps(situation) == ()
    assert loss == situation.slack  # c_r = γ c_p
    inside = replace(situation, epsilon=situation.epsilon * Fraction(999, 1000))
    assert theorem_1_text.stops(inside).verdict() is Verdict.ASSUMPTION_NOT_MET


# The oracle


def test_distractors_count_as_the_story_says() -> None:
    assert queries.run(queries.distractors(2), Fraction(1, 2), 100_000).queries == 106


def test_a_plan_that_leaves_a_blocking_model_has_no_cost() -> None:
    models = queries.three_certain_arms()
    assert queries.plan_cost(models, {1: (0, 1)}, Fraction(2, 5), 1000) is None


def test_information_plan_is_a_lower_bound_that_one_pair_attains() -> None:
    zero = Fraction(0)
    models = deterministic_runs.arms(zero, (zero, zero), (zero, Fraction(1, 2)))
    task_set = exactly_known("two arms", tuple(map(mdp.rounded, models)))
    setting = Algorithm1Setting(task_set, 0.1, 0.1, 1000, single(0.0))
    L = promises.printed_terms(setting).L
    assert promises.information_plan(setting) == near(2 * L)
    assert promises.information_plan(replace(setting, epsilon=5.0)) == 0
    assert promises.plan_bound(setting) == near(128 * 2 * 2 * L)


def test_drawn_runs_reject_less_than_the_cheapest_plan() -> None:
    drawn = runs.drawn_settings()
    found = runs.search_runs(QUICK, drawn, lambda s: promises.plan_bound(s) / 1000, 60)
    assert found.verdict is Verdict.VIOLATED


@pytest.mark.parametrize(
    "check",
    [registry()["theorem-1.bound/drawn"], registry()["theorem-1.phases/random-ties"]],
    ids=lambda check: str(check.id),
)
def test_checks_are_a_function_of_their_seed(check: Check) -> None:
    context = check.context(Profile.QUICK, 3)
    first: Outcome = check.run(context)
    assert first == check.run(context)
