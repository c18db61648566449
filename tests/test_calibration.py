"""False-alarm rate and power of every statistical procedure, against what is declared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import strategies as st

from checks import candidates
from checks.calibration import (
    ALLOWED,
    ALPHA,
    COIN,
    EFFORT,
    EVERYWHERE,
    PAGE,
    PROCEDURES,
    TRIALS,
    Procedure,
    Simulation,
    agrees,
    declared,
    detectable,
    simulate,
    table,
)
from checks.candidates import Claim
from checks.markdown import part_of
from checks.outcome import Outcome
from checks.registry import Context, Profile, registry
from checks.runner import expected_of
from checks.statistics import all_of, judge_probability
from spec.vocabulary import CheckKind, Verdict


def between(name: str) -> str:
    """A generated part of docs/verdicts.md."""
    return part_of(PAGE.read_text(), name)


NAMES = [f"{p.name}: {p.verdict.value}, {p.told}" for p in PROCEDURES]


@pytest.mark.slow
@pytest.mark.parametrize("procedure", PROCEDURES, ids=NAMES)
def test_reduced_simulations_agree_with_what_is_declared(procedure: Procedure) -> None:
    assert agrees(procedure, simulate(procedure, procedure.reduced))


@pytest.mark.deep
def test_full_simulations_agree_and_are_those_of_the_page() -> None:
    measured = [simulate(procedure, procedure.full) for procedure in PROCEDURES]
    assert all(agrees(p, m) for p, m in zip(PROCEDURES, measured, strict=True))
    assert between("calibration") == table(measured)


def test_the_page_declares_what_the_code_does() -> None:
    lines = between("calibration").splitlines()[2:]
    cells = [line.strip("| ").split(" | ") for line in lines]
    assert [(a, b, c, e, f, h) for a, b, c, _, e, f, _, h in cells] == [
        declared(procedure) for procedure in PROCEDURES
    ]


def named(name: str, verdict: Verdict) -> Procedure:
    return next(p for p in PROCEDURES if p.name == name and p.verdict is verdict)


# Procedures that are not what they declare


def by_point_estimate(context: Context) -> Verdict:
    """No interval at all."""
    failures = int(context.generator(0).binomial(TRIALS, ALLOWED))
    return Verdict.VIOLATED if failures / TRIALS > ALLOWED else Verdict.HOLDS


def by_the_worst_pilot(context: Context) -> Verdict:
    """The candidate is judged by the trials that made it one."""

    def failures(number: int) -> float:
        seen = COIN.trials(ALLOWED, EFFORT.trials, lambda i: context.generator(number, i))
        return sum(one.failed for one in seen)

    worst, _, _ = candidates.worst_drawn(context, EVERYWHERE, failures, EFFORT.instances)
    return judge_probability(int(worst), EFFORT.trials, ALLOWED, ALPHA)


def all_of_alpha_each(context: Context) -> Verdict:
    """Twelve named instances, and each has all of α."""
    outcomes = [
        candidates.judge_named(
            Context(context.profile, 100 * context.seed + i), COIN, {"x": ALLOWED}, TRIALS, ALPHA
        )
        for i in range(12)
    ]
    return all_of([outcome.verdict for outcome in outcomes])


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("one instance", by_point_estimate),
        ("search for candidates", by_the_worst_pilot),
        ("named and drawn", all_of_alpha_each),
    ],
)
def test_false_alarms_are_noticed(name: str, wrong: Simulation) -> None:
    procedure = replace(named(name, Verdict.VIOLATED), border=wrong)
    assert not agrees(procedure, simulate(procedure, 80))


def test_missing_power_is_noticed() -> None:
    blind = replace(
        named("search for candidates", Verdict.VIOLATED),
        alternative=lambda context: (
            candidates.search_candidates(context, COIN, st.just(0.02), EFFORT, ALPHA).verdict
        ),
    )
    assert not agrees(blind, simulate(blind, 40))


def test_a_single_declared_number_decides() -> None:
    procedure = named("one instance", Verdict.VIOLATED)
    measured = simulate(procedure, 1000)
    assert agrees(procedure, measured)
    assert not agrees(replace(procedure, false_alarm=0.01), measured)
    assert not agrees(replace(procedure, power=1.0), measured)


# Power of the checks themselves


def test_least_detectable_probability() -> None:
    # eighteen of eighteen failures: 0.5^18 = 3.8e-6 is below 1e-4/16, and one success is too many
    assert detectable(18, 0.5, 1e-4 / 8, power=0.5) == 0.97
    assert detectable(17, 0.5, 1e-4 / 8) == float("inf")
    # 0.1 + 3.9 deviations of a mean of 2000 is 0.126, which 0.136 exceeds by 1.28 deviations
    assert detectable(2000, 0.1, 1e-4) == 0.14


class _Captured(Exception):
    """Number of named instances, δ, trials and α."""


def design_of(identity: str, profile: Profile) -> tuple[int, float, int, float]:
    """What a check would ask of its named instances."""
    with pytest.raises(_Captured) as captured:
        registry()[identity].run(Context(profile, 0))
    instances, allowed, trials, alpha = captured.value.args
    return instances, allowed, trials, alpha


def test_the_page_says_which_failure_probability_each_profile_sees(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def capture(
        _: Context, claim: Claim[object], named: Mapping[str, object], trials: int, alpha: float
    ) -> Outcome:
        raise _Captured(len(named), claim.allowed, trials, alpha)

    monkeypatch.setattr("checks.candidates.judge_named", capture)
    monkeypatch.setattr("checks.appendix_b.confidence.judge_named", capture)
    for line in between("power").splitlines()[2:]:
        identity, delta, *powers = line.strip("| ").split(" | ")
        for profile, written in zip(Profile, powers, strict=True):
            instances, allowed, trials, alpha = design_of(identity.strip("`"), profile)
            least = detectable(trials, allowed, alpha / instances)
            assert (delta, written) == (f"{allowed}", f"{least:.2f}"), identity


def test_no_check_on_both_sides_is_missing_on_the_page() -> None:
    """Every probability check that is expected to hold, but for laws and searches alone."""
    expected = {
        check.id
        for check in registry().values()
        if check.kind is CheckKind.PROBABILITY and Verdict.HOLDS in expected_of(check)
    }
    listed = set(re.findall(r"^\| `(.*?)`", between("power"), flags=re.MULTILINE))
    laws = {
        "text-task-chain.definition/frequencies",
        "text-generative-model.definition/frequencies",
    }
    drawn_only = {"lemma-3.coverage/drawn-instances"}
    assert listed == expected - laws - drawn_only
