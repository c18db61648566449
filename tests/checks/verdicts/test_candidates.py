"""Claims P(failure) ≤ δ: named instances, and searching for one on which it is too large."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Outcome
from ptum.checks.verdicts.probability_search import (
    Design,
    Effort,
    Plan,
    PlannedError,
    TrialResult,
    all_at_once,
    judge_count,
    judge_named,
    named_and_drawn,
    one_by_one,
    search_candidates,
    within,
    worst_drawn,
)
from ptum.checks.verdicts.statistics import judge_probability
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near

ALLOWED, ALPHA = 0.2, 1e-3
EFFORT = Effort(instances=40, pilots=20, trials=400)
CONTEXT = Context(Profile.QUICK, 0)


def throws(probability: float, number: int, rng: np.random.Generator) -> list[TrialResult]:
    return [TrialResult(bool(failed)) for failed in rng.random(number) < probability]


CLAIM = all_at_once(throws, ALLOWED)
"""An instance is its own probability of failure."""


def first_trials_fail(failures: int, number: int, _: np.random.Generator) -> list[TrialResult]:
    return [TrialResult(i < failures) for i in range(number)]


FIRST_TRIALS_FAIL = all_at_once(first_trials_fail, ALLOWED)
"""An instance is its own number of failures."""


def search(seed: int, largest: float, effort: Effort = EFFORT) -> Verdict:
    context = Context(Profile.QUICK, seed)
    return search_candidates(context, CLAIM, st.floats(0, largest), effort, ALPHA).verdict


# Drawn instances


@pytest.mark.parametrize("seed", range(5))
def test_a_bad_instance_is_found(seed: int) -> None:
    assert search(seed, 1.0) is Verdict.VIOLATED


@pytest.mark.parametrize("seed", range(5))
def test_no_alarm_where_every_instance_is_good(seed: int) -> None:
    assert search(seed, ALLOWED) is Verdict.HOLDS


def test_pilots_alone_never_decide() -> None:
    """Every instance is at the border: the pilots of the worst would refute, fresh trials do not.

    Pilots have one stream for all instances, which here only seeds one of the instance's own.
    """
    many, alpha = Effort(instances=200, pilots=20, trials=400), 0.05
    failures = []

    def border(instance: int, number: int, rng: np.random.Generator) -> list[TrialResult]:
        own = np.random.default_rng((instance, int(rng.integers(2**32))))
        seen = throws(ALLOWED, number, own)
        failures.append(sum(one.failed for one in seen))
        return seen

    claim = all_at_once(border, ALLOWED)
    found = search_candidates(CONTEXT, claim, st.integers(0, 10**6), many, alpha)
    of_the_worst = max(failures[:-1])
    assert judge_probability(of_the_worst, many.pilots, ALLOWED, alpha) is Verdict.VIOLATED
    assert found.verdict is Verdict.HOLDS


def test_without_any_failure_nothing_is_tested_again() -> None:
    found = search_candidates(CONTEXT, CLAIM, st.just(0.0), EFFORT, ALPHA)
    assert found.verdict is Verdict.HOLDS
    assert found.interval is None
    assert "no failure" in found.explanation[0]


def test_the_candidate_is_tested_with_randomness_that_its_choice_did_not_see() -> None:
    seen: dict[float, list[float]] = {}

    def remembers(probability: float, rng: np.random.Generator) -> TrialResult:
        seen.setdefault(probability, []).append(float(rng.random()))
        return TrialResult(True)

    effort = Effort(instances=1, pilots=3, trials=30)
    search_candidates(CONTEXT, one_by_one(remembers, ALLOWED), st.just(1.0), effort, ALPHA)
    (drawn,) = seen.values()
    assert len(drawn) == len(set(drawn)) == 33


def test_the_search_aims_at_the_border_before_anything_fails() -> None:
    """An instance is a ratio that never fails; the largest is found by climbing."""

    def near(number: int, _: np.random.Generator) -> TrialResult:
        return within(number / 1001)

    climbing = one_by_one(near, ALLOWED)
    effort = Effort(instances=300, pilots=1, trials=10)
    found = search_candidates(CONTEXT, climbing, st.integers(0, 1000), effort, ALPHA)
    assert found.verdict is Verdict.HOLDS
    assert found.worst_ratio is not None
    assert found.worst_ratio > 0.99


def test_the_worst_instance_is_kept_with_its_score() -> None:
    score, instance, drawn = worst_drawn(CONTEXT, st.integers(0, 99), float, 50)
    assert score == instance
    assert drawn >= 50


# Named instances


def judged(*probabilities: float, trials: int = 200) -> Outcome:
    named = {f"number {i}": p for i, p in enumerate(probabilities)}
    return judge_named(CONTEXT, CLAIM, named, trials, ALPHA)


def test_one_instance_refutes_and_one_doubt_leaves_open() -> None:
    assert judged(0.01, 0.02).verdict is Verdict.HOLDS
    assert judged(0.01, 0.6).verdict is Verdict.VIOLATED
    assert judged(0.01, ALLOWED).verdict is Verdict.INCONCLUSIVE
    assert judged(ALLOWED, 0.6).verdict is Verdict.VIOLATED


def test_every_instance_pays_for_the_others() -> None:
    """Thirty failures of a hundred refute P ≤ 0.2 at α = 0.05, but not beside nine others."""
    alone = judge_named(CONTEXT, FIRST_TRIALS_FAIL, {"30": 30}, 100, 0.05)
    beside = judge_named(
        CONTEXT, FIRST_TRIALS_FAIL, {"30": 30, **{f"no {i}": 0 for i in range(9)}}, 100, 0.05
    )
    assert alone.verdict is Verdict.VIOLATED
    assert beside.verdict is Verdict.INCONCLUSIVE
    assert beside.violations == 30


def test_who_only_plans_is_told_the_design_and_makes_no_trial() -> None:
    def never(_: float, __: np.random.Generator) -> TrialResult:
        raise AssertionError("a trial was made")

    planning = replace(CONTEXT, planning=True)
    with pytest.raises(PlannedError) as planned:
        judge_named(planning, one_by_one(never, ALLOWED), {"one": 0.1, "two": 0.2}, 300, ALPHA)
    assert planned.value.plan == Plan(Design(ALLOWED, 300, ALPHA / 2))


def test_a_bare_probability_is_as_loose_as_its_upper_bound_says() -> None:
    outcome = judged(0.0, 0.0)
    assert outcome.interval is not None
    assert outcome.looseness is not None
    assert outcome.looseness[0] == near(ALLOWED / outcome.interval[1])
    assert outcome.worst_ratio == near(1 / outcome.looseness[0])


def test_measured_ratios_take_the_place_of_the_probability() -> None:
    def itself(ratio: float, _: np.random.Generator) -> TrialResult:
        return within(ratio)

    halves = one_by_one(itself, ALLOWED)
    outcome = judge_named(CONTEXT, halves, {"half": 0.5, "nothing": 0.0}, 60, ALPHA)
    assert outcome.worst_ratio == 0.5
    assert outcome.looseness == (2.0,) * 5


def test_a_bare_count_explains_itself_only_where_the_claim_is_violated() -> None:
    def counted(failures: int) -> Outcome:
        return judge_count(failures, 200, ALLOWED, ALPHA, ("told",), lambda: ("why",))

    kept, broken, open_ = counted(3), counted(150), counted(40)
    assert (kept.verdict, kept.explanation) == (Verdict.HOLDS, ("told",))
    assert (broken.verdict, broken.explanation) == (Verdict.VIOLATED, ("told", "why"))
    assert (open_.verdict, open_.explanation) == (Verdict.INCONCLUSIVE, ("told",))
    assert kept.interval is not None
    assert kept.worst_ratio == near(kept.interval[1] / ALLOWED)


# Both


def together(named: float, drawn: float) -> Verdict:
    instances = st.floats(0, drawn)
    by_name = {"named": named}
    return named_and_drawn(
        CONTEXT, CLAIM, by_name, instances, EFFORT, trials=200, alpha=ALPHA
    ).verdict


@pytest.mark.parametrize(
    ("named", "drawn", "verdict"),
    [
        (0.01, 0.01, Verdict.HOLDS),
        (0.01, 1.0, Verdict.VIOLATED),
        (0.9, 0.01, Verdict.VIOLATED),
        (ALLOWED, 0.01, Verdict.INCONCLUSIVE),
        (ALLOWED, 1.0, Verdict.VIOLATED),
    ],
)
def test_both_halves_are_needed_to_hold(named: float, drawn: float, verdict: Verdict) -> None:
    assert together(named, drawn) is verdict


def test_each_half_has_half_of_alpha(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = []

    def half(*arguments: object) -> Outcome:
        spent.append(arguments[-1])
        return Outcome(Verdict.HOLDS)

    monkeypatch.setattr("ptum.checks.verdicts.probability_search.judge_named", half)
    monkeypatch.setattr("ptum.checks.verdicts.probability_search.search_candidates", half)
    assert together(0.0, 0.0) is Verdict.HOLDS
    assert spent == [ALPHA / 2, ALPHA / 2]


def test_failures_of_all_instances_and_of_both_halves_are_counted() -> None:
    named = {"three": 3, "five": 5}
    assert judge_named(CONTEXT, FIRST_TRIALS_FAIL, named, 100, ALPHA).violations == 8
    whole = named_and_drawn(
        CONTEXT, FIRST_TRIALS_FAIL, named, st.just(2), EFFORT, trials=100, alpha=ALPHA
    )
    assert (whole.violations, whole.trials) == (3 + 5 + 2, 2 * 100 + EFFORT.trials)


def test_a_violation_on_a_drawn_instance_is_told_with_its_numbers() -> None:
    outcome = named_and_drawn(
        CONTEXT, CLAIM, {"named": 0.0}, st.just(1.0), EFFORT, trials=200, alpha=ALPHA
    )
    assert outcome.violations == EFFORT.trials
    assert outcome.interval is not None
    assert outcome.interval[0] > ALLOWED
    assert outcome.explanation[-1] == "instance   1.0"
