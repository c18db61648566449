"""Searching for an instance on which a failure probability is too large."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from checks.candidates import Effort, search_candidates
from checks.registry import Context, Profile
from spec.vocabulary import Verdict

ALLOWED, ALPHA = 0.2, 1e-3
EFFORT = Effort(instances=40, pilots=20, trials=400)


def fails_with(probability: float, rng: np.random.Generator) -> bool:
    return bool(rng.random() < probability)


def search(seed: int, largest: float, effort: Effort = EFFORT) -> Verdict:
    context = Context(Profile.QUICK, seed)
    strategy = st.floats(0, largest)
    return search_candidates(context, strategy, fails_with, ALLOWED, ALPHA, effort).verdict


@pytest.mark.parametrize("seed", range(5))
def test_a_bad_instance_is_found(seed: int) -> None:
    assert search(seed, 1.0) is Verdict.VIOLATED


@pytest.mark.parametrize("seed", range(5))
def test_no_alarm_where_every_instance_is_good(seed: int) -> None:
    assert search(seed, ALLOWED) is Verdict.HOLDS


def test_pilots_alone_never_decide() -> None:
    """One pilot on each of many instances at the border: the worst fails, the claim still holds."""
    many = Effort(instances=200, pilots=1, trials=400)
    context = Context(Profile.QUICK, 0)
    found = search_candidates(context, st.just(ALLOWED), fails_with, ALLOWED, ALPHA, many)
    assert found.verdict is Verdict.HOLDS


def test_without_any_failure_nothing_is_tested_again() -> None:
    context = Context(Profile.QUICK, 0)
    found = search_candidates(context, st.just(0.0), fails_with, ALLOWED, ALPHA, EFFORT)
    assert found.verdict is Verdict.HOLDS
    assert found.interval is None
    assert "no failure" in found.story[0]


def test_false_alarms_stay_below_alpha() -> None:
    """At the border, over 60 searches at α = 0.1, more than 18 alarms have probability < 1e-5."""
    context = [Context(Profile.QUICK, seed) for seed in range(60)]
    effort = Effort(instances=3, pilots=5, trials=60)
    alarms = sum(
        search_candidates(c, st.just(ALLOWED), fails_with, ALLOWED, 0.1, effort).verdict
        is Verdict.VIOLATED
        for c in context
    )
    assert alarms <= 18
