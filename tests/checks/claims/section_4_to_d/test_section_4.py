"""Section 4: counterexamples bite, and checks reject wrong code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

from ptum.checks.claims.section_4 import models, observations, prediction, raw_estimates
from ptum.checks.claims.section_4.observations import SmallTask
from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.mass import MassError
from ptum.checks.instances import sequences
from ptum.checks.instances.counterexamples.section_4 import (
    algorithm_2,
    assumption_2,
    theorem_2,
    theorem_3,
)
from ptum.checks.instances.counterexamples.section_4.algorithm_2 import Beginning
from ptum.checks.instances.families import hmms
from ptum.checks.instances.families.named import NAMED_TASK_SETS
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Evaluation
from ptum.checks.verdicts.search import search
from ptum.checks.verdicts.witness import WitnessError
from ptum.reference.arrays import Bools, Floats
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.repaired.sequential import prediction as repaired_prediction
from ptum.reference.repaired.sequential.analysis import sequential_bounds as repaired_bounds
from ptum.reference.repaired.sequential.observations import post_sample_observation
from ptum.reference.repaired.sequential.spectral import learn_within_task
from ptum.reference.sequential.algorithm import TaskRecord
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.observations import PostSample, largest_number_of_tasks
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.ptum import ptum
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
HOLDS, VIOLATED, NOT_MET = Verdict.HOLDS, Verdict.VIOLATED, Verdict.ASSUMPTION_NOT_MET


# Observations


def test_counts_at_the_end_are_those_of_the_literal_run() -> None:
    """The sums over counts stop exactly where PTUM stops."""
    tasks, stops = algorithm_2.task_set(), algorithm_2.ends(Beginning())
    for seed in range(15):
        result = ptum(
            tasks.approximate,
            Simulator(tasks.true[0], seed),
            epsilon=algorithm_2.ADAPTIVE_SAMPLES_EPSILON,
            delta=algorithm_2.DELTA,
            n=algorithm_2.ADAPTIVE_SAMPLES_BUDGET,
            Delta=0.0,
        )
        N = int(result.N[0, 0])
        assert result.N[0, 1] == 0
        again = Simulator(tasks.true[0], seed)
        seen = np.cumsum([again.sample(0, 0)[0] for _ in range(N)])
        assert all((n, int(seen[n - 1])) not in stops for n in range(1, N))
        assert N == algorithm_2.ADAPTIVE_SAMPLES_BUDGET or (N, int(seen[-1])) in stops


def test_adaptive_samples_have_the_bias_of_the_ledger() -> None:
    distribution = algorithm_2.distribution_at_the_end(Fraction(1, 10), Beginning())
    assert sum(distribution.values()) == 1
    assert f"{float(algorithm_2.expected_frequency(distribution)):.5f}" == "0.09380"
    assert algorithm_2.unbiased(1).verdict() is VIOLATED  # task 1 as well


TASK = SmallTask(q=((Fraction(1, 4), Fraction(3, 4)),), p=((Fraction(1),),), n_post=2, before=1)


def test_fixed_samples_are_unbiased_and_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    for claim in (
        observations.mean_is_the_model,
        observations.same_law_after_any_past,
        observations.column_of_matrix,
    ):
        assert claim(TASK).verdict() is HOLDS

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
    with pytest.raises(MassError):  # outcomes that differ in length are no distribution
        observations.mean_is_the_model(replace(TASK, before=0))


def test_samples_after_ptum_cost_something() -> None:
    assert algorithm_2.free_observation(algorithm_2.grid()).conclusion.left == 100
    assert algorithm_2.all_samples_counted(1).verdict() is HOLDS


# Assumption 2 and Theorem 2


def test_flip_distributions_are_distributions() -> None:
    pair = assumption_2.sticky_coins()
    distribution = exact.flip_distribution(pair.rates, pair.T, pair.first, 4)
    assert sum(distribution.values()) == 1
    # two flips agree: ½(0.9² + 0.1²)·¾ + ½(2·0.9·0.1)·¼ for 11, the same for 00
    two = exact.flip_distribution(pair.rates, pair.T, pair.first, 2)
    assert two[(1, 1)] == Fraction(33, 100)


def test_rank_bound_is_rejected_one_lower(monkeypatch: pytest.MonkeyPatch) -> None:

    def one_lower(S: int, A: int, U: int) -> int:
        return largest_number_of_tasks(S, A, U) - 1

    monkeypatch.setattr(models, "largest_number_of_tasks", one_lower)
    assert models.conditions(QUICK).verdict is VIOLATED


def test_uniform_rejects_other_shares() -> None:
    assert models.uniform().verdict is HOLDS
    assert models.uniform(levels=3).verdict is VIOLATED


def test_condition_needs_its_factor() -> None:
    example = (10.0, 2, 2, 2, 170, 0.1)
    assert models.premise_covers(example, factor=1.0).verdict() is VIOLATED
    assert models.premise_covers(example).verdict() is NOT_MET


def test_condition_repaired_rejects_the_printed_logarithm(monkeypatch: pytest.MonkeyPatch) -> None:
    def printed(level: Level, *, rho_3: float) -> bool:
        return level.h >= rho_3 * level.log(2 * level.h**2)

    monkeypatch.setattr(models, "repaired_condition", printed)
    assert models.is_lemma_11((10.0, 2, 2, 2, 170, 0.1)).verdict() is VIOLATED


def test_admitted_bounds_reject_small_constants() -> None:
    assert models.all_admitted(Context(Profile.QUICK, 3), rho=0.01).verdict is VIOLATED


def test_drawn_chains_reject_bounds_that_suit_the_named_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    named = hmms.three_task_chain().hmm.T

    def elsewhere_too_large(model: hmms.NamedHMM, *_: object) -> float:
        return 0.5 if np.array_equal(model.hmm.T, named) else 2.0

    monkeypatch.setattr(models, "worst_of_all_h", elsewhere_too_large)
    assert models.all_admitted(QUICK).verdict is VIOLATED


def test_repaired_premise_admits_another_range() -> None:
    assert [h for h in models.GRID if models.repaired_admits(h)] == list(models.GRID)
    assert not models.printed_admits(100)


def test_deviations_of_one_function_are_compared() -> None:

    def too_sharp(estimates: tuple[MDP, ...]) -> Evaluation:
        return models.deviation_of_estimated_value(estimates, factor=5e-4)

    assert search(QUICK, models.moved_tasks(), too_sharp, 40).verdict is VIOLATED


def test_any_gap_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    assert models.any_gap(3).verdict() is HOLDS
    monkeypatch.setattr(models, "REPAIRED", Version.PRINTED)
    assert models.any_gap(3).verdict() is VIOLATED


def test_gaps_follow_from_the_rank_and_not_from_less(monkeypatch: pytest.MonkeyPatch) -> None:
    same = theorem_2.coins(Fraction(0))
    assert models.rank_implies_gaps(same).verdict() is NOT_MET
    monkeypatch.setattr(exact, "rank", lambda columns: len(columns[0]))
    assert models.rank_implies_gaps(same).verdict() is VIOLATED


def test_two_constants_have_no_expression() -> None:
    assert theorem_2.without_expression() == {"rho_1", "rho_2"}
    assert theorem_2.full_expressions(frozenset({"rho_1"})).verdict() is VIOLATED


def test_a_constant_must_be_large_enough() -> None:
    too_small = models.large_enough(QUICK, least=1e-9)
    assert too_small.verdict is Verdict.INCONCLUSIVE  # its premise is hardly ever met
    for gap in (Fraction(1, 4), Fraction(1, 100)):
        model = theorem_2.coins(gap)
        own = theorem_2.constant_of(model)
        assert theorem_2.as_hypothesis(0.99 * own, model).verdict() is NOT_MET


def test_constants_that_are_not_cited_are_missed() -> None:
    assert models.expressions(QUICK, frozenset({"rho_1"})).verdict is VIOLATED


def test_fewer_tasks_leave_an_error_for_a_fixed_number_of_samples() -> None:
    """1/(4Na²) tasks are too few and 1/(Na²) are not: the argument tells them apart."""
    assert models.fixed_samples(QUICK, share=Fraction(1)).verdict is VIOLATED
    assert theorem_2.two_points(40, 10).verdict() is NOT_MET
    for n, shift in ((12, Fraction(1, 5)), (50, Fraction(1, 10))):
        fair, shifted = (
            [math.comb(n, i) * rate**i * (1 - rate) ** (n - i) for i in range(n + 1)]
            for rate in (Fraction(1, 2), Fraction(1, 2) + shift)
        )
        gap = sum((abs(x - y) for x, y in zip(fair, shifted, strict=True)), Fraction(0)) / 2
        assert theorem_2.binomial_distance(n, shift) == gap


def test_two_hundred_tasks_are_enough_if_samples_grow() -> None:
    """The bound of the failure probability, seen: N = 1/ε² flips at ε = 1/100."""
    rng, epsilon, tasks = np.random.default_rng(0), 0.01, theorem_2.TASKS_SEEN
    flips, failures = round(epsilon**-2), 0
    for _ in range(200):
        rates = np.tile([0.25, 0.75], tasks // 2)
        seen = rng.binomial(flips, rates) / flips
        found = seen[seen < 0.5].mean(), seen[seen >= 0.5].mean()
        failures += max(abs(found[0] - 0.25), abs(found[1] - 0.75)) > epsilon / 4
    bound = theorem_2.chance_of_failure(Fraction(1, 100), tasks, flips)
    assert failures / 200 <= bound == Fraction(12, 100)
    assert theorem_2.chance_of_failure(Fraction(1, 10**6), tasks, 10**12) < Fraction(1, 10)


def test_no_multiple_of_one_over_epsilon_squared_is_enough() -> None:
    for C in (5e3, 2e4):
        found = theorem_2.of_order_epsilon_squared(C, theorem_2.small_enough(C))
        assert found.verdict() is VIOLATED
    h = theorem_2.tasks_needed(0.01)
    assert theorem_2._admitted(h, 0.01)
    assert not theorem_2._admitted(h - 1, 0.01)
    assert theorem_2.with_logarithm(0.01).verdict() is HOLDS


def test_views_within_tasks_do_not_ask_about_the_chain() -> None:
    for T in (exact.identity(3), hmms.cycle(3)):
        assert models.learned_within(T).verdict() is HOLDS


def test_any_sequence_rejects_a_learner_that_looks_across_tasks() -> None:
    """With views that are shifted by one task the order of the tasks matters again."""

    def across(
        views: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> HmmEstimate | NotEnoughData | NotIdentifiable:
        shifted = np.stack([np.roll(view, shift, axis=0) for shift, view in enumerate(views)])
        return learn_within_task(shifted, k, L, N, rng)

    assert models.any_sequence(QUICK, across).verdict is VIOLATED


def test_a_column_that_is_found_twice_does_not_stand_for_two_tasks() -> None:
    """Every estimated column is one of O, but the last task is missing."""

    def twice(views: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> HmmEstimate:
        found = learn_within_task(views, k, L, N, rng)
        assert isinstance(found, HmmEstimate)
        return replace(found, O=found.O[:, [0, 1, 1]])

    T = hmms.independent(exact.vector(("1/3", "1/3", "1/3")))
    assert models.learned_within(T, twice).verdict() is VIOLATED


# Theorem 3


def test_the_rule_fires_outside_its_premises() -> None:
    sparse = theorem_3.sparse()
    assert theorem_3.never_fires(sparse).verdict() is HOLDS
    tuned = replace(sparse, rho_T=0.0)
    assert theorem_3.never_fires(tuned).verdict() is NOT_MET
    assert theorem_3.dropped(tuned) == 7
    signed = replace(sparse, T_hat=sparse.T_hat - 100.0)
    assert theorem_3.never_fires(signed).verdict() is NOT_MET
    assert theorem_3.dropped(signed) == 8


def test_nothing_dropped_rejects_a_generous_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    def generous(T_hat: Floats, theta_bar: Sequence[int], **numbers: float) -> Bools:
        del numbers
        dropped: Bools = T_hat[:, list(theta_bar)].sum(axis=1) <= 0
        return dropped

    monkeypatch.setattr(theorem_3, "theorem_3_eliminates", generous)
    assert prediction.nothing_dropped(QUICK).verdict is VIOLATED


def test_the_rule_on_raw_estimates_rejects_a_tuned_constant() -> None:
    assert raw_estimates.successor_kept(QUICK, rho_T=0.001).verdict is VIOLATED
    assert raw_estimates.own_constant() > theorem_3.LEAST_RHO


def test_the_last_step_keeps_a_rare_successor() -> None:
    assert theorem_3.exactly_never_fires(theorem_3.rare_successor()).verdict() is HOLDS
    beyond = theorem_3.rare_successor(h=10**12)
    assert theorem_3.exactly_never_fires(beyond).verdict() is NOT_MET
    assert theorem_3.exactly_dropped(beyond) == 1


def test_the_power_of_a_rule_is_bounded_by_e_and_nothing_less() -> None:
    assert prediction.power(QUICK, Fraction(5, 2)).verdict is VIOLATED
    assert theorem_3.seldom_dropped(10, 5, 4).verdict() is NOT_MET


def test_the_experiments_rule_with_a_lower_threshold_drops_nothing() -> None:
    assert prediction.as_run(QUICK, eta=0.08).verdict is VIOLATED


def test_a_set_without_its_task_is_seen() -> None:

    def forgetful(active: tuple[int, ...], true: int) -> tuple[int, ...]:
        return active if len(active) < 2 else tuple(theta for theta in active if theta != true)

    assert prediction.offered_and_kept(QUICK, forgetful).verdict is VIOLATED


def test_a_model_that_comes_back_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = sequences.printed

    def widened(sequence: Sequence[int], *, rule: Experiment) -> list[TaskRecord]:
        records = printed(sequence, rule=rule)
        return [
            replace(record, result=replace(record.result, active=(0, 1, 2))) for record in records
        ]

    monkeypatch.setattr(sequences, "printed", widened)
    assert prediction.fed_back(QUICK).verdict is VIOLATED


def test_a_large_constant_drops_nothing() -> None:
    assert not any(
        raw_estimates.true_successor_dropped(np.random.default_rng(i), raw_estimates.own_constant())
        for i in range(30)
    )


def drops_one(chance: float, monkeypatch: pytest.MonkeyPatch) -> Evaluation:
    """A rule that drops task 1, which follows with this chance, at η = 1/4."""
    T = np.array([[1 - chance, 0.5], [chance, 0.5]])
    out = np.array([False, True])
    monkeypatch.setattr(theorem_3, "repaired_rule", lambda *_, **__: out)
    return theorem_3.keeps_its_promise(T, T, (0,), 0, 0.25)


@pytest.mark.parametrize(("share", "verdict"), [(0.5, HOLDS), (1.5, VIOLATED)])
def test_dropped_tasks_may_exceed_eta_by_rounding(
    share: float, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = 0.25 + share * theorem_3.rounding_of_promise(2, 0.25)
    assert drops_one(chance, monkeypatch).verdict() is verdict


@given(prediction.estimated_chains())
@settings(max_examples=60)
def test_a_promise_is_kept_up_to_the_rounding_allowed(
    drawn: tuple[Floats, Floats, tuple[int, ...], int, float],
) -> None:
    """In fractions the probability of the dropped tasks exceeds η by no more than that."""
    T, T_hat, theta_bar, true, eta = drawn
    e_T = float(np.linalg.norm(T - T_hat, axis=0).max())
    out = repaired_bounds.theorem_3_eliminates(T_hat, theta_bar, e_T=e_T, eta=eta)
    chance = sum((Fraction(x) for x in T[out, true].tolist()), Fraction(0))
    assert chance <= Fraction(eta) + Fraction(theorem_3.rounding_of_promise(len(T), eta))


def test_per_step_rejects_a_rule_that_forgets_the_error(monkeypatch: pytest.MonkeyPatch) -> None:

    def careless(T_hat: Floats, theta_bar: Sequence[int], *, e_T: float, eta: float) -> Bools:
        del e_T
        return repaired_bounds.theorem_3_eliminates(T_hat, theta_bar, e_T=0.0, eta=eta)

    monkeypatch.setattr(theorem_3, "repaired_rule", careless)
    assert prediction.per_step(QUICK).verdict is VIOLATED


def test_logarithm_is_eighteen_and_nothing_else() -> None:
    assert prediction.logarithm(18).verdict is HOLDS
    for factor in (6, 9, 36):
        assert prediction.logarithm(factor).verdict is VIOLATED


def test_predictions_bound_only_what_is_offered() -> None:
    T = theorem_3.meeting_point()
    assert theorem_3.bounds_probability(T, (2,), 0).verdict() is NOT_MET


@pytest.mark.parametrize("name", ["theorem_3_prediction", "next_task_bound"])
def test_predictions_reject_a_smaller_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    literal = getattr(theorem_3, name)
    monkeypatch.setattr(theorem_3, name, lambda *given, **named: 0.9 * literal(*given, **named))
    with pytest.raises(WitnessError, match="over Θ̄_h"):
        prediction.upper_bounds(QUICK)


def test_one_model_per_task_rejects_two_misses() -> None:
    assert prediction.per_step_exploits(QUICK).verdict is HOLDS
    assert prediction.exploits_per_step((0, 1, 2, 0, 0, 0, 1, 2)).verdict() is VIOLATED


def test_fewer_models_rejects_another_target() -> None:
    """Removing the target itself changes the question; the bound may then grow."""

    def removes_target(drawn: tuple[ApproximateModels, int]) -> Evaluation:
        return prediction.bound_of_fewer(drawn[0], 0)

    found = search(QUICK, prediction.sets_and_victims(), removes_target, 200)
    assert found.verdict is VIOLATED


# Algorithm 2


def test_identification_loses_a_task_whose_models_are_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Told that its models are exact, it drops the model of a task that they do not fit."""
    task_set = NAMED_TASK_SETS[0]
    swapped = replace(task_set, true=task_set.true[::-1])
    monkeypatch.setattr(type(swapped), "repaired_errors", lambda _: single(0.0))
    assert all(
        prediction.lost(swapped, np.random.default_rng(seed), 0.3).failed for seed in range(10)
    )


@pytest.mark.parametrize(
    "weights",
    [
        ((2, 6, 0), (5, 3, 8), (1, 8, 0)),
        ((2, 4, 4), (8, 6, 6), (0, 2, 8)),
        ((3, 3, 4), (5, 1, 8), (3, 1, 0)),
        ((6, 4, 5), (3, 8, 3), (8, 4, 3)),
        ((4, 1, 3), (3, 3, 3), (5, 4, 7)),
    ],
)
def test_constant_values_lose_no_task_by_rounding(weights: tuple[tuple[int, ...], ...]) -> None:
    """V* = 1/2 / (1 - 0.99) everywhere, but for the last digit in the second model."""

    def paying_half(p: npt.ArrayLike) -> MDP:
        rows = np.array(p, dtype=np.float64)[:, np.newaxis]
        rows /= rows.sum(axis=2, keepdims=True)
        return deterministic_rewards(rows, np.full((3, 1), 0.5), 0.99)

    models = [paying_half(((1, 3, 0), (0, 1, 3), (0, 0, 1))), paying_half(weights)]
    true = (paying_half(((0, 1, 0), (1, 0, 0), (0, 0, 1))), models[1])
    task_set = TaskSet("constant values", true, approximate_models(models))
    assert not prediction.lost(task_set, np.random.default_rng(0), 0.3).failed


def test_a_reward_listed_twice_is_listed_once() -> None:
    theta = MDP(np.ones((1, 1, 1)), np.array([[[0.1, 0.2, 0.7]]]), np.array([1.0, 0.0, 1.0]), 0.5)
    found = prediction.with_distinct_rewards(theta)
    assert found.u.tolist() == [0.0, 1.0]
    assert found.q[0, 0].tolist() == [0.2, near(0.8)]


def test_drawn_sets_reject_an_identification_with_narrow_widths(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A named set without randomness loses nothing; only a drawn one shows what is wrong."""
    width = repaired_prediction.hoeffding_width

    def narrow(*, tests: int, n_post: int, delta: float) -> float:
        return width(tests=tests, n_post=n_post, delta=delta) / 8

    monkeypatch.setattr(prediction, "NAMED_TASK_SETS", NAMED_TASK_SETS[3:])
    monkeypatch.setattr(repaired_prediction, "hoeffding_width", narrow)
    assert prediction.identified_again(QUICK).verdict is VIOLATED


def test_shares_of_wrong_tasks() -> None:
    uncorrected = algorithm_2.expected_share_wrong(100, corrected=False)
    assert f"{float(uncorrected):.5f}" == "0.56705"
    assert algorithm_2.expected_share_wrong(50, corrected=True) == Fraction(3, 100)
    assert algorithm_2.stays_on_track(1).verdict() is HOLDS


def test_literal_runs_show_the_silent_miss() -> None:
    assert algorithm_2.literal_misses(corrected=False).conclusion.left == 8
    assert algorithm_2.literal_misses(corrected=True).conclusion.left == 1


def test_matching_check_rejects_no_matching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assumption_2, "align", lambda _, second: np.arange(second.shape[1]))
    assert prediction.matched_labels(QUICK).verdict is VIOLATED


def test_hand_over_rejects_a_lost_set() -> None:
    records = sequences.printed(sequences.ONE_STAY[:5])
    assert all(s.holds for s in prediction._hand_over(records) if "number" not in s.text)
    broken = [*records[:2], replace(records[2], initial=(0,)), *records[3:]]
    assert not all(s.holds for s in prediction._hand_over(broken) if "number" not in s.text)


def test_relabelled_estimates_change_nothing_in_the_repaired_run() -> None:
    """Names are those of the first estimate, whatever later ones call the tasks."""

    def naming(h: int) -> tuple[int, ...]:
        return ((0, 1, 2), (1, 2, 0), (2, 1, 0))[h % 3]

    plain = sequences.repaired(sequences.ONE_STAY[:6])
    shuffled = sequences.repaired(sequences.ONE_STAY[:6], naming=naming)
    renamed = [{naming(1)[label] for label in record.theta_bar} for record in shuffled]
    assert renamed == [set(record.theta_bar) for record in plain]
    assert [record.samples for record in shuffled] == [record.samples for record in plain]
