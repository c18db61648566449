"""The checks of reported outcomes reject what is wrong, and compute what they say."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.claims.appendix_e import outcomes
from ptum.checks.claims.appendix_e.runs import run
from ptum.checks.instances.counterexamples.appendix_e import samples
from ptum.checks.instances.counterexamples.section_4 import theorem_2
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.experiments.objectworld import FIGURE_5_LEFT
from ptum.reference.experiments.two_rooms import two_rooms
from ptum.reference.tasks.models import approximate_models
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=0)
HOLDS, VIOLATED = Verdict.HOLDS, Verdict.VIOLATED


def test_thresholds_are_not_below_every_share_of_theory() -> None:
    assert outcomes.below_theory(QUICK, factor=1e7).verdict is VIOLATED


def test_samples_counted_as_episodes_are_many() -> None:
    assert outcomes.few_episodes(QUICK, steps=1).verdict is VIOLATED


def test_every_rival_costs_the_samples_of_a_certain_reward() -> None:
    """Two of the twelve rooms, on a smaller grid with the logarithm of the large one."""
    assert outcomes.samples_per_rival() == 65
    rooms = [two_rooms(4, 4, row, (row, 3), 0.99) for row in (0, 3)]
    models = approximate_models(rooms)
    n = 100_000 * (144 // 16) * 13 // 3
    assert run(models, 0, epsilon=0.1, n=n).queries == 65


def test_poor_estimates_are_noticed() -> None:
    """With one sample per pair some policy is no longer good enough."""
    assert outcomes.all_optimal(QUICK, samples=1).verdict is VIOLATED


def test_all_models_are_no_better_than_the_oracle() -> None:
    assert outcomes.below_oracle(QUICK, kept=8).verdict is VIOLATED


def test_copies_hide_which_task_it_is_and_noisy_rewards_tell_them_apart() -> None:
    assert outcomes.named_beside_copy(QUICK, copy=(15, 5)).verdict is VIOLATED
    assert outcomes.lists_with_copies(QUICK, FIGURE_5_LEFT).verdict is VIOLATED, "noisy rewards"
    assert outcomes.lists_with_copies(replace(QUICK, seed=9)) == outcomes.lists_with_copies(QUICK)


def test_the_count_that_names_a_task_is_where_the_literal_run_ends() -> None:
    lists = samples.Lists()
    assert samples.to_name(lists, lists.other) == samples.to_solve(lists, lists.other)


def test_a_copy_saves_samples_in_place_of_another_task_not_beside_it() -> None:
    lists = samples.Lists()
    beside = ((lists.copy,), (lists.other,), (lists.copy, lists.other))
    assert [samples.to_solve(lists, *models) for models in beside] == [0, 49, 50]


def test_an_excess_needs_an_error_that_costs_a_sample() -> None:
    assert outcomes.six_doors(QUICK, Delta=1e-9).verdict is HOLDS


def test_intervals_that_do_not_widen_with_the_error_are_refuted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = samples.first_failure
    exactly = Fraction(0)
    monkeypatch.setattr(samples, "first_failure", lambda arms: right(replace(arms, Delta=exactly)))
    assert outcomes.widened(QUICK).verdict is VIOLATED


@pytest.mark.parametrize("better", [10, 7])
def test_the_widened_interval_is_the_formula(better: int) -> None:
    arms = samples.TwoArms(better=Fraction(better, 10))
    N, L = samples.first_failure(arms), np.log(8 * 2 * 10_000 * 3 / 0.1)
    gap = better / 10 - 0.1
    assert 7 * L / (3 * (N - 1)) < gap <= 7 * L / (3 * (N - 2))


def test_a_small_guess_of_rho_is_no_hypothesis() -> None:
    assert outcomes.as_a_hypothesis(QUICK, factor=0.5).verdict is Verdict.INCONCLUSIVE


def test_a_bound_that_falls_with_rho_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theorem_2, "theorem_2_bound", lambda _, *, rho_any: 1 / rho_any)
    assert outcomes.as_a_hypothesis(QUICK).verdict is VIOLATED
