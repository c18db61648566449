"""Section 4: counterexamples bite, and checks reject wrong code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from checks import exact_hmm as exact
from checks.counterexamples import (
    adaptive_samples,
    constants,
    discarding,
    labels,
    singleton,
    two_coins,
)
from checks.counterexamples.adaptive_samples import Situation
from checks.families import hmms
from checks.families.named import NAMED_TASK_SETS
from checks.outcome import Walk
from checks.registry import Context, Profile
from checks.search import search
from checks.section_4 import models, observations, prediction, sequences
from checks.section_4.observations import SmallTask
from reference.arrays import Bools, Floats
from reference.assumptions import single
from reference.generative import Simulator
from reference.hmm import PostSample, largest_number_of_tasks, post_sample_observation
from reference.mdp import MDP
from reference.models import ApproximateModels
from reference.ptum import ptum
from reference.repaired import sequential_bounds as repaired_bounds
from spec.vocabulary import Verdict
from tests.checks.bites import without_shrinking

__all__ = ["without_shrinking"]

QUICK = Context(Profile.QUICK, seed=1)
HOLDS, VIOLATED, NOT_MET = Verdict.HOLDS, Verdict.VIOLATED, Verdict.ASSUMPTION_NOT_MET
HALF = Fraction(1, 2)


def verdict(walk: Walk) -> Verdict:
    return walk.verdict()


# Observations


def test_counts_at_the_end_are_those_of_the_literal_run() -> None:
    """The sums over counts stop exactly where PTUM stops."""
    tasks, stops = adaptive_samples.task_set(), adaptive_samples.ends(Situation())
    for seed in range(15):
        result = ptum(
            tasks.approximate,
            Simulator(tasks.true[0], seed),
            epsilon=adaptive_samples.EPSILON,
            delta=adaptive_samples.DELTA,
            n=adaptive_samples.BUDGET,
            Delta=0.0,
        )
        N = int(result.N[0, 0])
        assert result.N[0, 1] == 0
        again = Simulator(tasks.true[0], seed)
        seen = np.cumsum([again.sample(0, 0)[0] for _ in range(N)])
        assert all((n, int(seen[n - 1])) not in stops for n in range(1, N))
        assert N == adaptive_samples.BUDGET or (N, int(seen[-1])) in stops


def test_adaptive_samples_bite() -> None:
    for task in (0, 1):
        assert verdict(adaptive_samples.unbiased(task)) is VIOLATED
        assert verdict(adaptive_samples.unbiased(task, fixed=7)) is HOLDS
    law = adaptive_samples.law_at_the_end(Fraction(1, 10), Situation())
    assert sum(law.values()) == 1
    assert float(adaptive_samples.expected_frequency(law)) == pytest.approx(0.09380, abs=1e-5)
    # a larger error leaves transfer mode
    assert verdict(adaptive_samples.unbiased(0, Situation(Delta=0.06))) is NOT_MET
    same = adaptive_samples.same_law(Situation(), Situation())
    assert verdict(same) is HOLDS
    assert verdict(adaptive_samples.same_law(Situation(), Situation(Delta=0.02))) is VIOLATED


TASK = SmallTask(q=((Fraction(1, 4), Fraction(3, 4)),), p=((Fraction(1),),), n_post=2, before=1)


def test_fixed_samples_are_unbiased_and_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    for claim in (
        observations.mean_is_the_model,
        observations.same_law_after_any_past,
        observations.column_of_matrix,
    ):
        assert verdict(claim(TASK)) is HOLDS

    def asks_on(
        model: observations.Scripted, S: int, A: int, u: Sequence[float], n_post: int
    ) -> PostSample:
        """One sample, and a second one only after a failure."""
        reward, _ = model.sample(0, 0)
        if reward == 1:
            model.asked = 0
            found = post_sample_observation(model, S, A, u, 1)
            model.probability = TASK.q[0][1]
            return found
        model.asked, model.probability = model.asked - 1, Fraction(1)
        return post_sample_observation(model, S, A, u, n_post)

    monkeypatch.setattr(observations, "post_sample_observation", asks_on)
    assert verdict(observations.mean_is_the_model(replace(TASK, before=0))) is VIOLATED


def test_samples_after_ptum_cost_something() -> None:
    assert verdict(singleton.free_observation(singleton.grid())) is VIOLATED
    assert singleton.free_observation(singleton.grid()).conclusion.left == 100
    assert verdict(singleton.all_samples_counted(1)) is HOLDS


# Assumption 2 and Theorem 2


def test_two_coins_bite() -> None:
    for claim in (two_coins.told_apart, two_coins.learnable):
        assert verdict(claim(two_coins.independent_coins())) is VIOLATED
        assert verdict(claim(two_coins.one_task_for_ever())) is VIOLATED
        # equal rates: no rank, no difference
        flat = two_coins.independent_coins(("0.5", "0.5"))
        assert verdict(claim(flat)) is NOT_MET
    assert verdict(two_coins.told_apart(two_coins.sticky_coins())) is HOLDS
    assert verdict(two_coins.told_apart(two_coins.one_task_for_ever(("1/2", "1/2")))) is HOLDS
    assert verdict(two_coins.learnable(two_coins.sticky_coins())) is NOT_MET
    generous = two_coins.learnable(two_coins.independent_coins(), HALF)
    assert verdict(generous) is HOLDS
    skewed = replace(
        two_coins.independent_coins(), T=exact.matrix((("0.9", "0.9"), ("0.1", "0.1")))
    )
    assert verdict(two_coins.told_apart(skewed)) is NOT_MET


def test_flip_laws_are_laws() -> None:
    pair = two_coins.sticky_coins()
    law = exact.flip_law(pair.rates, pair.T, pair.first, 4)
    assert sum(law.values()) == 1
    # two flips agree: ½(0.9² + 0.1²)·¾ + ½(2·0.9·0.1)·¼ for 11, the same for 00
    two = exact.flip_law(pair.rates, pair.T, pair.first, 2)
    assert two[(1, 1)] == Fraction(33, 100)


def test_rank_bound_is_rejected_one_lower(monkeypatch: pytest.MonkeyPatch) -> None:
    assert models.conditions(QUICK).verdict is HOLDS

    def one_lower(S: int, A: int, U: int) -> int:
        return largest_number_of_tasks(S, A, U) - 1

    monkeypatch.setattr(models, "largest_number_of_tasks", one_lower)
    assert models.conditions(QUICK).verdict is VIOLATED


def test_uniform_rejects_other_shares() -> None:
    assert models.uniform().verdict is HOLDS
    assert models.uniform(levels=3).verdict is VIOLATED


def test_condition_needs_its_factor() -> None:
    assert models.condition(QUICK).verdict is HOLDS
    example = (10.0, 2, 2, 2, 170, 0.1)
    assert verdict(models.premise_covers(example, factor=1.0)) is VIOLATED
    assert verdict(models.premise_covers(example)) is NOT_MET
    assert models.condition_repaired(QUICK).verdict is HOLDS


def test_condition_repaired_rejects_the_printed_logarithm(monkeypatch: pytest.MonkeyPatch) -> None:
    def printed(*, rho_3: float, S: int, A: int, U: int, h: int, delta_prime: float) -> bool:
        return h >= rho_3 * math.log(2 * h**2 * S * A * (S + U) / delta_prime)

    monkeypatch.setattr(models, "repaired_condition", printed)
    assert verdict(models.is_lemma_11((10.0, 2, 2, 2, 170, 0.1))) is VIOLATED


def test_no_estimate_before_three_triples() -> None:
    assert verdict(models.first_task(1)) is VIOLATED
    assert verdict(models.first_task(9)) is HOLDS


def test_admitted_bounds_reject_small_constants() -> None:
    assert models.all_admitted(Context(Profile.QUICK, 3), rho=0.01).verdict is VIOLATED


def test_repaired_premise_admits_another_range() -> None:
    assert [h for h in models.GRID if models.repaired_admits(h)] == list(models.GRID)
    assert not models.printed_admits(100)


def test_deviations_of_one_function_are_compared() -> None:
    assert models.like_with_like(QUICK).verdict is HOLDS

    def too_sharp(estimates: tuple[MDP, ...]) -> Walk:
        return models.deviation_of_estimated_value(estimates, factor=5e-4)

    assert search(QUICK, models.moved_tasks(), too_sharp, 40).verdict is VIOLATED


def test_gaps_bite() -> None:
    assert verdict(models.three_rates()) is VIOLATED
    assert verdict(models.three_rates(("0.2", "0.8"))) is HOLDS
    assert verdict(models.three_rates(("0.2", "0.2"))) is NOT_MET
    assert verdict(models.any_gap(3)) is HOLDS


def test_constants_bite() -> None:
    assert constants.without_expression() == {"rho_1", "rho_2"}
    assert verdict(constants.full_expressions()) is VIOLATED
    assert verdict(constants.full_expressions(frozenset({"rho_1"}))) is VIOLATED
    assert verdict(constants.full_expressions(frozenset({"rho_1", "rho_2"}))) is HOLDS
    for rho in (1e2, 1e6, 1e10):
        assert verdict(constants.known_constant(rho)) is VIOLATED
    assert verdict(constants.known_constant(1e6, gap=Fraction(1, 4))) is HOLDS


def test_number_of_tasks_bites() -> None:
    for C in (5e3, 1e4, 2e4):
        assert verdict(constants.of_order_epsilon_squared(C)) is VIOLATED
    h = constants.tasks_needed(0.01)
    assert constants._admitted(h, 0.01)
    assert not constants._admitted(h - 1, 0.01)
    assert verdict(constants.with_logarithm(0.01)) is HOLDS


def test_each_task_once_bites() -> None:
    assert verdict(constants.each_task_once()) is VIOLATED
    assert verdict(constants.each_task_once(c=1e-12)) is HOLDS


def test_deviations_without_a_floor() -> None:
    assert models.no_floor().verdict is VIOLATED
    assert models.no_floor(Fraction(1, 10), 100.0).verdict is HOLDS


def test_views_within_tasks_do_not_ask_about_the_chain() -> None:
    for T in (exact.identity(3), hmms.cycle(3)):
        assert verdict(models.learned_within(T)) is HOLDS


# Theorem 3


def test_the_rule_fires_outside_its_premises() -> None:
    sparse = discarding.sparse()
    assert verdict(discarding.never_fires(sparse)) is HOLDS
    assert verdict(discarding.discards(sparse)) is VIOLATED
    tuned = replace(sparse, rho_T=0.0)
    assert verdict(discarding.never_fires(tuned)) is NOT_MET
    assert discarding.dropped(tuned) == 7
    signed = replace(sparse, T_hat=sparse.T_hat - 100.0)
    assert verdict(discarding.never_fires(signed)) is NOT_MET
    assert discarding.dropped(signed) == 8
    assert verdict(discarding.discards(replace(sparse, h=sparse.m + 1))) is NOT_MET


def test_nothing_dropped_rejects_a_generous_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    def generous(T_hat: Floats, theta_bar: Sequence[int], **numbers: float) -> Bools:
        del numbers
        dropped: Bools = T_hat[:, list(theta_bar)].sum(axis=1) <= 0
        return dropped

    monkeypatch.setattr(discarding, "theorem_3_eliminates", generous)
    assert prediction.nothing_dropped(QUICK).verdict is VIOLATED


def test_a_large_constant_drops_nothing() -> None:
    assert not any(
        prediction.true_successor_dropped(np.random.default_rng(i), rho_T=1000.0) for i in range(30)
    )


def test_per_step_rejects_a_rule_that_forgets_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    assert prediction.per_step(QUICK).verdict is HOLDS

    def careless(T_hat: Floats, theta_bar: Sequence[int], *, e_T: float, eta: float) -> Bools:
        del e_T
        return repaired_bounds.theorem_3_eliminates(T_hat, theta_bar, e_T=0.0, eta=eta)

    monkeypatch.setattr(discarding, "repaired_rule", careless)
    assert prediction.per_step(QUICK).verdict is VIOLATED


def test_logarithm_is_eighteen_and_nothing_else() -> None:
    assert prediction.logarithm(18).verdict is HOLDS
    for factor in (6, 9, 36):
        assert prediction.logarithm(factor).verdict is VIOLATED


def test_power_bites() -> None:
    assert verdict(discarding.power_against(100, Fraction(1, 100), Fraction(1))) is VIOLATED
    assert verdict(discarding.power_against(100, Fraction(1, 100), Fraction(1, 100))) is HOLDS
    assert verdict(discarding.power_against(100, Fraction(1, 100), Fraction(0))) is NOT_MET


def test_likelihood_factor_of_the_power_argument() -> None:
    """(1-2/v)^(v-1) ≥ 1/8 for v ≥ 4, with equality at 4; its limit e^-2 is above 1/8."""
    factors = [(1 - Fraction(2, v)) ** (v - 1) for v in range(4, 200)]
    assert min(factors) == factors[0] == Fraction(1, 8)
    assert math.exp(-2) > 1 / 8


def test_for_ever_bites() -> None:
    assert verdict(discarding.for_ever(1000)) is VIOLATED
    assert verdict(discarding.for_ever(10)) is HOLDS
    assert verdict(discarding.for_ever(1000, rho_T=1e-9)) is NOT_MET  # h_0 is below m


def test_predictions_bite() -> None:
    T = discarding.meeting_point()
    assert verdict(discarding.is_probability(T, (0, 1))) is VIOLATED
    assert verdict(discarding.is_probability(T, (0,))) is HOLDS
    scaled = tuple(tuple(x / 2 for x in row) for row in T)
    assert verdict(discarding.is_probability(scaled, (0, 1))) is NOT_MET
    assert verdict(discarding.bounds_probability(T, (0, 1), 0)) is HOLDS
    assert verdict(discarding.bounds_probability(T, (2,), 0)) is NOT_MET


def test_fewer_models_rejects_another_target() -> None:
    """Removing the target itself changes the question; the bound may then grow."""

    def removes_target(drawn: tuple[ApproximateModels, int]) -> Walk:
        return prediction.bound_of_fewer(drawn[0], 0)

    found = search(QUICK, prediction.sets_and_victims(), removes_target, 200)
    assert found.verdict is VIOLATED


# Algorithm 2


def test_singletons_bite() -> None:
    assert verdict(singleton.contains_target(*singleton.wrong_singleton())) is VIOLATED
    assert verdict(singleton.contains_target(*singleton.right_singleton())) is HOLDS
    both = (*singleton.wrong_singleton()[0], singleton.wrong_singleton()[1])
    assert verdict(singleton.contains_target(both, both[1])) is NOT_MET


def test_identification_loses_a_task_whose_models_are_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Told that its models are exact, it drops the model of a task that they do not fit."""
    assert prediction.identified_again(QUICK).verdict is HOLDS
    task_set = NAMED_TASK_SETS[0]
    swapped = replace(task_set, true=task_set.true[::-1])
    monkeypatch.setattr(type(swapped), "repaired_errors", lambda _: single(0.0))
    assert not any(prediction.identified(swapped, seed, 0.3) for seed in range(10))


def test_shares_of_wrong_tasks() -> None:
    assert float(singleton.expected_share_wrong(100, corrected=False)) == pytest.approx(
        0.56705, abs=1e-5
    )
    assert singleton.expected_share_wrong(50, corrected=True) == Fraction(3, 100)
    assert verdict(singleton.stays_on_track()) is VIOLATED
    assert verdict(singleton.stays_on_track(1)) is HOLDS
    assert verdict(singleton.stays_on_track(corrected=True)) is HOLDS


def test_literal_runs_show_the_silent_miss() -> None:
    assert singleton.literal_misses(corrected=False).conclusion.left == 8
    assert singleton.literal_misses(corrected=True).conclusion.left == 1


def test_labels_bite() -> None:
    assert verdict(labels.kept(labels.SEEDS)) is VIOLATED
    assert verdict(labels.kept((0, 0))) is HOLDS
    true = hmms.three_task_chain().hmm.O
    assert verdict(labels.matched((true, true, true[:, [1, 2, 0]], [1, 2, 0]))) is HOLDS


def test_matching_check_rejects_no_matching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "align", lambda _, second: np.arange(second.shape[1]))
    assert prediction.matched_labels(QUICK).verdict is VIOLATED


def test_hand_over_rejects_a_lost_set() -> None:
    records = sequences.printed(sequences.ONE_STAY[:5])
    assert all(s.holds for s in prediction._hand_over(records) if "number" not in s.text)
    broken = [*records[:2], replace(records[2], initial=(0,)), *records[3:]]
    assert not all(s.holds for s in prediction._hand_over(broken) if "number" not in s.text)


def test_relabelled_estimates_change_nothing_in_the_repaired_run() -> None:
    def naming(h: int) -> tuple[int, ...]:
        return ((0, 1, 2), (1, 2, 0), (2, 1, 0))[h % 3]

    plain = sequences.repaired(sequences.ONE_STAY[:6])
    shuffled = sequences.repaired(sequences.ONE_STAY[:6], naming=naming)
    assert [len(r.theta_bar) for r in plain] == [len(r.theta_bar) for r in shuffled]
