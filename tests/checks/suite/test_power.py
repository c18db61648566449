"""What each check sees at its own settings: computed exactly, and held against simulations."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import scipy  # its parts take long to load, and do so where they are used
from hypothesis import strategies as st

from ptum.checks.claims import registry
from ptum.checks.suite import power
from ptum.checks.suite.calibration import COIN, EVERYWHERE
from ptum.checks.suite.power import PowerRow, detectable, fewest, goal, plan_of, rarity, seen_with
from ptum.checks.suite.runner import Job, expected_in, expected_of, run_one
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.probability_search import Design, Effort, Plan, Search, search_candidates
from ptum.checks.verdicts.statistics import clopper_pearson
from ptum.spec.vocabulary import CheckKind, Verdict
from tests.support.closeness import near

RANDOM = [check for check in registry().values() if check.alpha > 0]
EVERY = [row for profile in Profile for row in power.rows(profile)]


def names(row: PowerRow) -> str:
    return f"{row.check.id} {row.profile}"


def test_least_detectable_probability() -> None:
    # eighteen of eighteen failures: 0.5^18 = 3.8e-6 is below 1e-4/16, and one success is too many
    assert detectable(Design(0.5, 18, 1e-4 / 8), power=0.5) == 0.97
    assert detectable(Design(0.5, 17, 1e-4 / 8)) == math.inf
    # 0.1 + 3.9 deviations of a mean of 2000 is 0.126, which 0.136 exceeds by 1.28 deviations
    assert detectable(Design(0.1, 2000, 1e-4)) == 0.14


def test_the_power_is_a_binomial_tail() -> None:
    design = Design(0.3, 70, 1e-4)
    low, _ = clopper_pearson(fewest(design), 70, 1e-4)
    below, _ = clopper_pearson(fewest(design) - 1, 70, 1e-4)
    assert below <= 0.3 < low
    tail = sum(scipy.stats.binom.pmf(count, 70, 0.6) for count in range(fewest(design), 71))
    assert seen_with(design, 0.6) == near(float(tail))


def test_every_check_with_random_trials_says_what_it_is_about_to_do() -> None:
    assert [row.check.id for row in power.rows(Profile.QUICK)] == [check.id for check in RANDOM]
    assert plan_of(registry()["lemma-7.positive/bandit"], Profile.QUICK) is None


@pytest.mark.parametrize("row", EVERY, ids=names)
def test_false_alarms_are_within_the_level(row: PowerRow) -> None:
    """At δ itself `violated` has at most half of the level; all levels together at most α."""
    if row.plan.named is not None and row.false_alarm is not None:
        assert row.false_alarm <= row.plan.named.alpha / 2 <= row.check.alpha / 2
    if row.plan.search is not None:
        test = row.plan.search.test
        assert seen_with(test, test.allowed) <= test.alpha / 2 <= row.check.alpha / 2


@pytest.mark.parametrize("row", EVERY, ids=names)
def test_goals_are_reached_or_it_is_said_why_not(row: PowerRow) -> None:
    if row.check.kind is CheckKind.PROBABILITY:
        assert row.missing == ()
    if row.missing or (row.least is None and row.rarest is None):
        assert row.plan.reason


def test_the_goals() -> None:
    assert (goal(Profile.QUICK, 0.1), goal(Profile.STANDARD, 0.1)) == (0.55, 0.2)
    assert goal(Profile.STANDARD, 0.5) == 0.75
    weak = Plan(Design(0.1, 100, 1e-4), Search(Effort(8, 2, 100), Design(0.1, 100, 1e-4)))
    row = PowerRow(RANDOM[0], Profile.STANDARD, weak)
    assert row.missing == ("P(failure) = 0.2", "one instance in 20")
    assert replace(row, profile=Profile.QUICK).missing == ("one instance in 4",)


@pytest.mark.slow
@pytest.mark.parametrize("profile", [Profile.QUICK, Profile.STANDARD])
def test_searches_find_the_families_of_the_goals(profile: Profile) -> None:
    """As Hypothesis draws, which is not quite independently: one instance in four or in twenty.

    With the fewest instances and the fewest pilots of any search: more of them find no less.
    """
    test = Design(0.2, 60, 1e-4)
    searches = [row.plan.search for row in EVERY if row.profile is profile]
    efforts = [search.effort for search in searches if search is not None]
    instances, pilots = (min(getattr(e, of) for e in efforts) for of in ("instances", "pilots"))
    effort = Effort(instances, pilots, test.trials)
    rare = power.RARITY[profile]
    assert rare <= rarity(Search(effort, test))
    family: st.SearchStrategy[float] = EVERYWHERE.map(
        lambda number: power.OFTEN if number % rare == rare - 1 else 0.0
    )
    runs = 60
    found = sum(
        search_candidates(Context(profile, seed), COIN, family, effort, test.alpha).verdict
        is Verdict.VIOLATED
        for seed in range(runs)
    )
    _, most = clopper_pearson(found, runs, 1e-6)
    assert most >= power.POWER


# Checks that cannot decide

LISTS = registry()["figure-2-left.decay/most-lists"]


def test_what_cannot_decide_is_skipped_with_the_reason() -> None:
    row = run_one(LISTS, Job(Profile.QUICK, 0))
    assert row.outcome.verdict is Verdict.SKIPPED
    assert row.as_expected
    assert row.alpha == 0
    assert "decides nothing" in row.outcome.explanation[0]


def test_three_checks_cannot_decide_in_quick() -> None:
    cut = [check.id for check in RANDOM if power.undecided(check, Profile.QUICK)]
    assert len(cut) == 3
    assert all(check.endswith(("most-lists", "below-one")) for check in cut)
    assert not any(power.undecided(check, Profile.STANDARD) for check in RANDOM)


def test_elsewhere_skipping_is_not_expected() -> None:
    assert expected_in(LISTS, Profile.STANDARD) == expected_of(LISTS)
    assert Verdict.SKIPPED not in expected_in(LISTS, Profile.STANDARD)
    assert expected_in(LISTS, Profile.QUICK) == {Verdict.SKIPPED}


def test_one_trial_decides_nothing_and_many_do() -> None:
    assert not Design(0.5, 1, 1e-4).decides
    assert Design(0.5, 30, 1e-4).decides
    assert Design(0.01, 3, 1e-4).decides  # three failures of three are violated
