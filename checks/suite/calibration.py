"""Statistical procedures of the suite on claims of known truth: how often is each one wrong?

Every verdict that rests on random trials comes from one of the procedures below. Each declares how
often it may give a wrong verdict where that is easiest (at the border of the claim) and how often
it must give the right one at a declared alternative. `simulate` counts both; `agrees` compares the
counts with what is declared by exact binomial intervals. The code is that of the checks; only α is
raised to `ALPHA`, because nobody can count alarms of probability 1e-4.

`python -m ptum.checks.suite.calibration` puts the table of the full counts on docs/verdicts.md.
What every check does at its own α and with its own numbers of trials is computed, not simulated:
`ptum.checks.suite.power`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from ptum.checks.claims.appendix_c import rate
from ptum.checks.claims.section_2.frequencies import Cell, judge, long_and_drawn
from ptum.checks.text.markdown import markdown_table, with_part
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.probability_search import (
    Effort,
    TrialResult,
    all_at_once,
    named_and_drawn,
    search_candidates,
)
from ptum.checks.verdicts.statistics import clopper_pearson, judge_probability
from ptum.spec.vocabulary import Verdict

ALPHA = 0.1
ALLOWED = 0.2
TRIALS, EFFORT = 60, Effort(instances=10, pilots=3, trials=60)
DOUBT = 1e-6
"""Error probability of the comparison of a count with a declared probability."""

Simulation = Callable[[Context], Verdict]


@dataclass(frozen=True)
class Procedure:
    """Declared: P(`verdict` | `border`) ≤ `false_alarm` and P(`verdict` | `alternative`) ≥ `power`.

    At the border the verdict is wrong, or no better than a guess; at the alternative it is right.
    """

    name: str
    verdict: Verdict
    border: Simulation
    false_alarm: float
    alternative: Simulation
    told: str
    power: float
    full: int = 4000
    reduced: int = 80


@dataclass(frozen=True)
class VerdictRates:
    """How often the verdict was given in so many simulations each."""

    alarms: int
    detections: int
    count: int


def simulate(procedure: Procedure, count: int) -> VerdictRates:
    """Simulations number 0, 1, … at the border, and as many others at the alternative."""

    def given(simulation: Simulation, first: int) -> int:
        contexts = (Context(Profile.QUICK, seed) for seed in range(first, first + count))
        return sum(simulation(context) is procedure.verdict for context in contexts)

    return VerdictRates(given(procedure.border, 0), given(procedure.alternative, 10**6), count)


def agrees(procedure: Procedure, measured: VerdictRates) -> bool:
    """Whether neither count contradicts what is declared."""
    least, _ = clopper_pearson(measured.alarms, measured.count, DOUBT)
    _, most = clopper_pearson(measured.detections, measured.count, DOUBT)
    return least <= procedure.false_alarm and most >= procedure.power


# Claims of known truth


def _throws(probability: float, number: int, rng: np.random.Generator) -> list[TrialResult]:
    return [TrialResult(bool(failed)) for failed in rng.random(number) < probability]


COIN = all_at_once(_throws, ALLOWED)
"""An instance is its own probability of failure."""
EVERYWHERE = st.integers(0, 10**6)
RARELY = EVERYWHERE.map(lambda number: 0.9 if number % 4 == 3 else 0.02)
"""A quarter of the instances fails nearly always."""


def one_instance(probability: float) -> Simulation:
    """A count of failures on one instance."""

    def simulation(context: Context) -> Verdict:
        failures = int(context.generator(0).binomial(TRIALS, probability))
        return judge_probability(failures, TRIALS, ALLOWED, ALPHA)

    return simulation


def searched(instances: st.SearchStrategy[float]) -> Simulation:
    """A search among instances with these probabilities."""
    return lambda context: search_candidates(context, COIN, instances, EFFORT, ALPHA).verdict


def both_halves(*named: float, drawn: st.SearchStrategy[float]) -> Simulation:
    """Named instances with these probabilities, and a search."""
    by_name = {f"number {i}": probability for i, probability in enumerate(named)}
    return lambda context: (
        named_and_drawn(context, COIN, by_name, drawn, EFFORT, trials=TRIALS, alpha=ALPHA).verdict
    )


DISTRIBUTION = np.array([0.2, 0.3, 0.5])


def _cells(
    distribution: np.ndarray[tuple[int], np.dtype[np.float64]], counts: list[int]
) -> list[Cell]:
    return [Cell(f"{i}", c, sum(counts), float(distribution[i])) for i, c in enumerate(counts)]


def cells(shift: float) -> Simulation:
    """Counts of three cells, one of which is more likely than it should be."""
    truth = DISTRIBUTION + np.array([shift, 0.0, -shift])

    def simulation(context: Context) -> Verdict:
        return judge(
            _cells(DISTRIBUTION, context.generator(0).multinomial(600, truth).tolist()), ALPHA
        ).verdict

    return simulation


def looked_at(shift: float) -> Simulation:
    """A distribution right on the named instance and shifted on a quarter of the drawn ones."""

    def look(instance: int, rng: np.random.Generator, trials: int) -> list[Cell]:
        off = shift if instance % 4 == 3 else 0.0
        truth = DISTRIBUTION + np.array([off, 0.0, -off])
        return _cells(DISTRIBUTION, rng.multinomial(trials, truth).tolist())

    effort = Effort(instances=10, pilots=60, trials=2400)
    return lambda context: long_and_drawn(context, look, 0, EVERYWHERE, effort, ALPHA).verdict


DESIGN, PAIRS, SPREAD = rate.RateDesign(400, 12_800, {"O": 0.06}), 26, 0.3


def errors(slope: float, level: float) -> Simulation:
    """Errors of a given slope that have a given median at the larger size, lognormal around it."""

    def measure(rng: np.random.Generator, h: int) -> dict[str, float]:
        median = level * (h / DESIGN.large) ** slope
        return {"O": median * float(np.exp(SPREAD * rng.standard_normal()))}

    return lambda context: rate.judge(context, DESIGN, measure, PAIRS, ALPHA).verdict


BARELY = ALLOWED + 1e-9
LEVEL = DESIGN.levels["O"]


def slope_and_level(
    verdict: Verdict, tests: int, alternative: tuple[float, float], told: str, power: float
) -> Procedure:
    """The border is the claim itself; the alternative has a slope, and a level in units of it."""
    border, (slope, level) = errors(rate.STEEP_ENOUGH, LEVEL), alternative
    seen = errors(slope, level * LEVEL)
    return Procedure("slope and level", verdict, border, ALPHA / tests, seen, told, power)


PROCEDURES: tuple[Procedure, ...] = (
    Procedure(
        "one instance",
        Verdict.VIOLATED,
        one_instance(ALLOWED),
        ALPHA / 2,
        one_instance(0.4),
        "P(failure) = 2δ",
        0.9,
        full=20_000,
        reduced=1000,
    ),
    Procedure(
        "one instance",
        Verdict.HOLDS,
        one_instance(BARELY),
        ALPHA / 2,
        one_instance(0.05),
        "P(failure) = δ/4",
        0.9,
        full=20_000,
        reduced=1000,
    ),
    Procedure(
        "search for candidates",
        Verdict.VIOLATED,
        searched(EVERYWHERE.map(lambda _: ALLOWED)),
        ALPHA / 2,
        searched(RARELY),
        "a quarter of the instances fails with probability 0.9",
        0.9,
    ),
    Procedure(
        "named and drawn",
        Verdict.VIOLATED,
        both_halves(ALLOWED, ALLOWED, ALLOWED, drawn=EVERYWHERE.map(lambda _: ALLOWED)),
        ALPHA / 2,
        both_halves(0.02, 0.02, 0.02, drawn=RARELY),
        "the same, named instances fail with probability 0.02",
        0.9,
    ),
    Procedure(
        "named and drawn",
        Verdict.HOLDS,
        both_halves(0.02, 0.02, BARELY, drawn=st.just(0.02)),
        ALPHA / 12,
        both_halves(0.02, 0.02, 0.02, drawn=EVERYWHERE.map(lambda _: 0.02)),
        "P(failure) = δ/10 everywhere",
        0.9,
    ),
    Procedure(
        "distribution, cell by cell",
        Verdict.VIOLATED,
        cells(0.0),
        ALPHA,
        cells(0.1),
        "0.1 too much in one of three cells, 600 trials",
        0.9,
        full=20_000,
        reduced=400,
    ),
    Procedure(
        "distribution, named and drawn",
        Verdict.VIOLATED,
        looked_at(0.0),
        ALPHA,
        looked_at(0.15),
        "0.15 too much on a quarter of the drawn instances",
        0.8,
    ),
    slope_and_level(Verdict.VIOLATED, 2, (-0.1, 0.5), "slope -1/10, half the level", 0.99),
    slope_and_level(Verdict.VIOLATED, 2, (-0.25, 0.5), "slope -1/4, half the level", 0.4),
    slope_and_level(
        Verdict.VIOLATED, 2, (-0.5, 1.5), "slope -1/2, one and a half times the level", 0.99
    ),
    slope_and_level(Verdict.HOLDS, 4, (-0.5, 0.5), "slope -1/2, half the level", 0.95),
)


# The page


HEADER = ("procedure", "verdict", "at the border", "seen", "at the alternative", "", "seen", "of")


def declared(procedure: Procedure) -> tuple[str, ...]:
    """The cells of a row that are not measured."""
    return (
        procedure.name,
        f"`{procedure.verdict.value}`",
        f"≤ {procedure.false_alarm:.4f}",
        procedure.told,
        f"≥ {procedure.power:.2f}",
        str(procedure.full),
    )


def row(procedure: Procedure, measured: VerdictRates) -> tuple[str, ...]:
    """A line of the table: what is declared, and how often the verdict was given."""
    name, verdict, border, told, power, _ = declared(procedure)
    alarms, detections = (
        f"{number / measured.count:.4f}" for number in (measured.alarms, measured.detections)
    )
    return name, verdict, border, alarms, told, power, detections, str(measured.count)


def table(measured: Sequence[VerdictRates]) -> str:
    """All procedures, as Markdown."""
    rows = [row(p, m) for p, m in zip(PROCEDURES, measured, strict=True)]
    return markdown_table(HEADER, rows)


PAGE = Path(__file__).resolve().parents[2] / "docs" / "verdicts.md"


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    says = "Simulate with the full counts, for minutes, and put the table on docs/verdicts.md."
    prog = "python -m ptum.checks.suite.calibration"
    argparse.ArgumentParser(prog=prog, description=says).parse_args(arguments)
    found = table([simulate(procedure, procedure.full) for procedure in PROCEDURES])
    PAGE.write_text(with_part(PAGE.read_text(), "calibration", found))


if __name__ == "__main__":
    main()
