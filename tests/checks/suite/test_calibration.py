"""False-alarm rate and power of every statistical procedure, against what is declared."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import strategies as st

from ptum.checks.suite.calibration import (
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
    simulate,
    table,
)
from ptum.checks.verdicts import probability_search
from ptum.checks.verdicts.check import Context
from ptum.checks.verdicts.statistics import all_of, judge_probability
from ptum.spec.vocabulary import Verdict


def table_on_the_page() -> str:
    """The table of simulations in docs/verdicts.md."""
    marked = r"<!-- begin: calibration -->\n(.*?)<!-- end: calibration -->"
    (found,) = re.findall(marked, PAGE.read_text(), flags=re.DOTALL)
    return str(found)


NAMES = [f"{p.name}: {p.verdict.value}, {p.told}" for p in PROCEDURES]


@pytest.mark.parametrize("procedure", PROCEDURES, ids=NAMES)
def test_reduced_simulations_agree_with_what_is_declared(procedure: Procedure) -> None:
    assert agrees(procedure, simulate(procedure, procedure.reduced))


@pytest.mark.deep
def test_full_simulations_agree_and_are_those_of_the_page() -> None:
    measured = [simulate(procedure, procedure.full) for procedure in PROCEDURES]
    assert all(agrees(p, m) for p, m in zip(PROCEDURES, measured, strict=True))
    assert table_on_the_page() == table(measured)


def test_the_page_declares_what_the_code_does() -> None:
    lines = table_on_the_page().splitlines()[2:]
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

    worst, _, _ = probability_search.worst_drawn(context, EVERYWHERE, failures, EFFORT.instances)
    return judge_probability(int(worst), EFFORT.trials, ALLOWED, ALPHA)


def all_of_alpha_each(context: Context) -> Verdict:
    """Twelve named instances, and each has all of α."""
    outcomes = [
        probability_search.judge_named(
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
            probability_search.search_candidates(
                context, COIN, st.just(0.02), EFFORT, ALPHA
            ).verdict
        ),
    )
    assert not agrees(blind, simulate(blind, 40))


def test_a_single_declared_number_decides() -> None:
    procedure = named("one instance", Verdict.VIOLATED)
    measured = simulate(procedure, 1000)
    assert agrees(procedure, measured)
    assert not agrees(replace(procedure, false_alarm=0.01), measured)
    assert not agrees(replace(procedure, power=1.0), measured)
