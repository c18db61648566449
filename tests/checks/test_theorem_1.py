"""Theorem 1 and what is said about it: counterexamples bite, and checks reject wrong code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from checks import exact
from checks.counterexamples import (
    blocks,
    certain_samples,
    oracle,
    theta_eps_meaning,
    three_arms,
    tied_arms,
    wrong_policy,
)
from checks.families import sets
from checks.families.named import exactly_known
from checks.families.shape import TaskSet
from checks.outcome import Outcome, Walk
from checks.registry import Check, Context, Profile
from checks.search import search
from checks.section_3 import exact_draws, exact_terms, promises, runs, theorem_1, theorem_1_text
from checks.section_3.exact_terms import Situation
from checks.section_3.runs import Setting
from checks.section_3.tie_rules import all_rules, exceeds_at_random, growth
from reference.assumptions import single
from reference.models import approximate_models
from reference.repaired.sample_complexity import theorem_1_bound as repaired_bound
from reference.sample_complexity import gap_Gamma, theta_eps
from spec.vocabulary import Verdict, Version
from tests.checks.bites import without_shrinking

__all__ = ["without_shrinking"]

QUICK = Context(Profile.QUICK, seed=1)
PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED


def verdict(walk: Walk) -> Verdict:
    return walk.verdict()


# The first half


def test_wrong_policy_needs_each_of_its_numbers() -> None:
    case = wrong_policy.instance()
    assert verdict(wrong_policy.walk(case, PRINTED)) is Verdict.VIOLATED
    assert wrong_policy.walk(case, PRINTED).conclusion.left == Fraction(9, 10)
    # the repaired Assumption 1 sees the difference
    assert verdict(wrong_policy.walk(case, REPAIRED)) is Verdict.ASSUMPTION_NOT_MET
    # true models: nothing is lost
    assert verdict(wrong_policy.walk(wrong_policy.instance(wrong_policy.X), REPAIRED)) is (
        Verdict.HOLDS
    )
    # a smaller ε does not stop at once, a larger Δ leaves transfer mode
    small = wrong_policy.instance(epsilon=Fraction(8, 100))
    assert verdict(wrong_policy.walk(small, PRINTED)) is Verdict.ASSUMPTION_NOT_MET
    vague = replace(case, Delta=Fraction(1, 100))
    assert verdict(wrong_policy.walk(vague, PRINTED)) is Verdict.ASSUMPTION_NOT_MET


def test_smallest_epsilon_attains_the_weaker_guarantee() -> None:
    """Without the repair the output is ε/(1-γ)-optimal, and no better."""
    walk = wrong_policy.walk(wrong_policy.instance(epsilon=Fraction(9, 100)), PRINTED)
    assert walk.conclusion.left == Fraction(9, 100) / (1 - wrong_policy.GAMMA)


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
    setting = replace(runs.named_settings(0.3)[1], epsilon=5.0)  # pass 1 stops with anything
    wrong = replace(setting, task_set=_swapped(setting))
    judged = runs.loses_too_much(replace(wrong, epsilon=0.01), runs.run(wrong, 0))
    assert judged.failed


def _swapped(setting: Setting) -> TaskSet:
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
    situation = three_arms.instance()
    models = runs.three_arms().approximate
    literal = repaired_bound(0, models, epsilon=0.4, delta=0.1, n=100, Delta=0.0)
    assert exact_terms.theta_eps(situation) == theta_eps(0, models, float(situation.kappa))
    assert exact_terms.theta_s(situation) == literal.blocking
    assert float(exact_terms.min_max(situation, (1, 2))) == pytest.approx(literal.denominator)
    assert float(exact_terms.gap_Gamma(situation)) == pytest.approx(gap_Gamma(0, models))
    assert float(situation.slack) == pytest.approx(4 * float(situation.kappa) / 0.5)


def shrunk(promise: runs.Promise, factor: float) -> runs.Promise:
    def smaller(setting: Setting) -> float | None:
        bound = promise(setting)
        return None if bound is None else bound * factor

    return smaller


@pytest.mark.parametrize(
    ("promise", "factor"),
    [(promises.repaired_bound, 1 / 100), (promises.printed_bound, 1 / 300)],
)
def test_drawn_runs_reject_a_smaller_bound(promise: runs.Promise, factor: float) -> None:
    drawn = runs.drawn_settings()
    assert runs.search_runs(QUICK, drawn, promise, 15).verdict is Verdict.HOLDS
    rejected = runs.search_runs(QUICK, drawn, shrunk(promise, factor), 40)
    assert rejected.verdict is Verdict.VIOLATED
    assert rejected.worst_ratio is not None
    assert rejected.worst_ratio > 1


def test_a_promise_that_says_nothing_is_never_met() -> None:
    silent = runs.search_runs(QUICK, runs.drawn_settings(), lambda _: None, 10)
    assert silent.verdict is Verdict.INCONCLUSIVE
    assert silent.looseness is None


def test_named_runs_reject_a_smaller_bound() -> None:
    def too_many(setting: Setting, trial: runs.Trial) -> runs.Judged:
        bound = promises.repaired_bound(setting) / 60
        return runs.Judged(trial.queries > bound, bound / trial.queries)

    rejected = runs.count_failures(QUICK, runs.named_settings(0.3), too_many, 12, 1e-4)
    assert rejected.verdict is Verdict.VIOLATED


def test_a_denominator_without_the_shift_is_rejected() -> None:
    """φ with w = (1-γ)ε/2, as if gaps stood in Definition 1 without 8Δ."""

    def unshifted(situation: Situation) -> Walk:
        exact_models = replace(situation, Delta=Fraction(0))
        right = three_arms.lower_bound(exact_models).conclusion.right
        walk = three_arms.lower_bound(situation)
        return replace(walk, conclusion=replace(walk.conclusion, right=right))

    found = search(QUICK, exact_draws.with_errors(), unshifted, 200)
    assert found.verdict is Verdict.VIOLATED


def test_finite_needs_its_premises() -> None:
    assert verdict(three_arms.finite(three_arms.instance(), PRINTED)) is Verdict.VIOLATED
    assert verdict(three_arms.finite(three_arms.instance(), REPAIRED)) is Verdict.HOLDS
    vague = three_arms.instance(Delta=Fraction(1, 20))
    assert verdict(three_arms.finite(vague, PRINTED)) is Verdict.ASSUMPTION_NOT_MET
    tolerant = replace(three_arms.instance(), epsilon=Fraction(20))
    assert verdict(three_arms.finite(tolerant, PRINTED)) is Verdict.ASSUMPTION_NOT_MET
    # one arm that speaks about both rivals undoes it
    shared = three_arms.instance(((5, 2, 2), (5, 9, 2), (5, 9, 9)))
    assert verdict(three_arms.finite(shared, PRINTED)) is Verdict.HOLDS


# Ties


def test_tied_arms_count_as_the_story_says() -> None:
    case = tied_arms.instance()
    assert tied_arms.fixed_order(case) == 55
    assert tied_arms.queries(case, tied_arms.always_first) == 55
    assert tied_arms.queries(case, tied_arms.least_sampled) == 400 * 54 + 1
    assert tied_arms.bound(case, PRINTED) == pytest.approx(5884.17, abs=0.01)
    assert tied_arms.bound(case, REPAIRED) == pytest.approx(2942.08, abs=0.01)


def test_tied_arms_need_their_premises() -> None:
    def least_sampled(case: tied_arms.TiedArms) -> Verdict:
        used = tied_arms.queries(case, tied_arms.least_sampled)
        return verdict(tied_arms.walk(case, used, tied_arms.bound(case, PRINTED)))

    assert least_sampled(tied_arms.instance()) is Verdict.VIOLATED
    # fewer arms: the factor |Θ| is enough
    assert least_sampled(tied_arms.instance(100)) is Verdict.HOLDS
    # not all tied; outside transfer mode
    assert least_sampled(tied_arms.instance(first=0.9)) is Verdict.ASSUMPTION_NOT_MET
    assert least_sampled(tied_arms.instance(Delta=0.2)) is Verdict.ASSUMPTION_NOT_MET


def test_random_ties_need_their_premises_too() -> None:
    case = tied_arms.instance(first=0.9)
    assert exceeds_at_random(QUICK, case, 1.0, 3, 1e-4).verdict is Verdict.ASSUMPTION_NOT_MET
    assert exceeds_at_random(QUICK, tied_arms.instance(), 1e9, 100, 1e-4).verdict is Verdict.HOLDS


def test_growth_in_the_number_of_arms() -> None:
    assert verdict(growth(25, 400, spread=False)) is Verdict.HOLDS
    assert verdict(growth(25, 400, spread=True)) is Verdict.VIOLATED
    assert verdict(growth(200, 400, spread=True)) is Verdict.ASSUMPTION_NOT_MET
    assert verdict(growth(25, 400, spread=True, allowed=20)) is Verdict.HOLDS


def test_all_rules_reject_a_bound_without_its_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = (tied_arms.instance(50),)
    assert all_rules(QUICK, cases).verdict is Verdict.HOLDS
    monkeypatch.setattr(tied_arms, "FACTOR", 1)
    assert all_rules(QUICK, cases).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("gap", [0.0, 0.25, 1.0])
def test_samples_to_drop_are_the_first_that_do(gap: float) -> None:
    models = oracle._arms([0.0, 0.1], [gap, 0.1], gamma=0.5)
    count = certain_samples.samples_to_drop(models, 1, 0, 0, 1000, 0.1)
    if gap == 0:
        assert count == np.inf
    else:
        result = oracle.run(models, 0.01, 1000)
        assert result.queries == count


# The meaning of Θ_ε


def test_theta_eps_instance_needs_each_of_its_numbers() -> None:
    walk = theta_eps_meaning.walk(theta_eps_meaning.instance(), PRINTED)
    assert verdict(walk) is Verdict.VIOLATED
    assert walk.conclusion.left == Fraction(19, 10)
    assert verdict(theta_eps_meaning.walk(theta_eps_meaning.instance(), REPAIRED)) is Verdict.HOLDS
    # a larger bonus puts the model into Θ_ε, a smaller one does not change its policy
    large, small = theta_eps_meaning.instance(101), theta_eps_meaning.instance(94)
    assert verdict(theta_eps_meaning.walk(large, PRINTED)) is Verdict.ASSUMPTION_NOT_MET
    assert verdict(theta_eps_meaning.walk(small, PRINTED)) is Verdict.HOLDS


def test_tight_family_has_the_gaps_it_is_built_for() -> None:
    situation = theta_eps_meaning.tight()
    G_r, G_p = exact_terms.distances(situation)[1]
    assert (G_r, situation.gamma * G_p) == (situation.kappa, situation.kappa)


@pytest.mark.parametrize("walk", [theorem_1_text.model_policies_in_target, theorem_1_text.stops])
def test_border_checks_reject_a_slightly_larger_claim(walk: Callable[[Situation], Walk]) -> None:
    def stronger(situation: Situation) -> Walk:
        told = walk(situation)
        right = Fraction(99, 100) * Fraction(told.conclusion.right)
        return replace(told, conclusion=replace(told.conclusion, right=right))

    found = search(QUICK, exact_draws.outside_theta_eps(), stronger, 150)
    assert found.verdict is Verdict.VIOLATED


def test_mirrored_blocks_attain_corollary_2() -> None:
    c_r, c_p, gamma = Fraction(1, 50), Fraction(1, 25), Fraction(1, 2)
    models = blocks.mirrored(c_r, c_p, gamma)
    loss = exact.smallest_worst_loss(models)
    assert loss == 2 * (c_r + gamma * c_p) / (1 - gamma)
    situation = exact_draws.at_the_border(models, Fraction(0))
    assert exact_terms.theta_eps(situation) == ()
    assert loss == situation.slack  # c_r = γ c_p
    inside = replace(situation, epsilon=situation.epsilon * Fraction(999, 1000))
    assert verdict(theorem_1_text.stops(inside)) is Verdict.ASSUMPTION_NOT_MET


# The oracle


def test_bound_against_oracle_needs_silent_arms() -> None:
    assert verdict(oracle.bound_walk(oracle.three_certain_arms())) is Verdict.VIOLATED
    assert verdict(oracle.bound_walk(oracle.three_certain_arms(0.9))) is Verdict.HOLDS
    same = approximate_models([oracle.three_certain_arms().tasks[0]] * 3)
    assert verdict(oracle.bound_walk(same)) is Verdict.ASSUMPTION_NOT_MET


def test_distractors_have_to_be_more_visible_than_the_rival() -> None:
    assert oracle.run(oracle.distractors(2), 0.5, 100_000).queries == 106
    assert verdict(oracle.distractor_walk(2, 10)) is Verdict.VIOLATED
    assert verdict(oracle.distractor_walk(2, 10, height=0.7)) is Verdict.HOLDS
    assert verdict(oracle.distractor_walk(2, 4)) is Verdict.ASSUMPTION_NOT_MET


def test_hidden_test_has_to_be_forgotten() -> None:
    assert verdict(oracle.hidden_walk(0.1, 0.005)) is Verdict.VIOLATED
    # a third model that is less visible elsewhere keeps its values in play
    assert verdict(oracle.hidden_walk(0.1, 0.005, first_reward=0.3)) is Verdict.HOLDS
    assert verdict(oracle.hidden_walk(0.1, 0.05)) is Verdict.ASSUMPTION_NOT_MET


def test_a_plan_that_leaves_a_blocking_model_costs_infinity() -> None:
    models = oracle.three_certain_arms()
    assert oracle.plan_cost(models, {1: (0, 1)}, 0.4, 1000) == np.inf


def test_information_plan_is_a_lower_bound_that_one_pair_attains() -> None:
    tasks = oracle._arms([0.0, 0.0], [0.0, 0.5], gamma=0.0).tasks
    task_set = exactly_known("two arms", tasks)
    setting = Setting(task_set, 0.1, 0.1, 1000, single(0.0))
    L = promises.printed_terms(setting).L
    assert promises.information_plan(setting) == pytest.approx(2 * L)
    assert promises.information_plan(replace(setting, epsilon=5.0)) == 0
    assert promises.plan_bound(setting) == pytest.approx(128 * 2 * 2 * L)


@pytest.mark.parametrize(
    "check",
    [check for check in theorem_1.CHECKS if check.id.endswith(("1.bound/drawn", "random-ties"))],
    ids=lambda check: str(check.id),
)
def test_checks_are_a_function_of_their_seed(check: Check) -> None:
    context = check.context(Profile.QUICK, 3)
    first: Outcome = check.run(context)
    assert first == check.run(context)
