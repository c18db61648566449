"""Declared tests of panels: they keep their error, notice what they should, and refuse nonsense."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
import scipy  # its parts take long to load, and do so where they are used

from ptum.checks.reproduce.findings import (
    LEVEL,
    MOST,
    RARE,
    SPREADS,
    Declared,
    MeanAbove,
    MeanBelow,
    Never,
    NotDefined,
    NotSaid,
    PanelFinding,
    Share,
    Test,
    findings,
    holm,
    t_interval,
    t_sides,
)
from ptum.checks.reproduce.page import documents, opposite, page
from ptum.checks.reproduce.panels import PANELS
from ptum.checks.reproduce.results import FindingJson, _finding, estimated, smaller_p
from ptum.reference.errors import NotANumberError
from ptum.spec import ledger, reproduction
from ptum.spec.vocabulary import Status
from tests.support.closeness import near

RUNS = 100
OURS = ("repairs", "constants")
"""Figures of ours about the same experiments, which test no sentence; `all` leaves them out."""


def declared(*tests: Test) -> tuple[Declared, ...]:
    return tuple(Declared("part", str(i), "says", test) for i, test in enumerate(tests))


def found(test: Test, values: list[float], level: float = LEVEL) -> PanelFinding:
    (only,) = findings(declared(test), {"x": values}, level)
    return only.finding


def test_an_alternative_says_the_opposite_with_its_whole_interval() -> None:
    def measured(estimate: float, low: float | None, high: float | None) -> FindingJson:
        return FindingJson(
            id="x",
            says="x",
            test="x",
            estimate=estimate,
            low=low,
            high=high,
            p_shown=None,
            p_contradicted=None,
            finding=None,
        )

    for test, here, other, both in (
        (MeanBelow("x", 1), 0.4, (9.0, 6.0, 11.0), (0.9, 0.6, 1.1)),
        (MeanAbove("x", 1), 4.0, (-9.0, -11.0, -6.0), (-9.0, -11.0, None)),
        (Share("x"), 1.0, (0.1, 0.0, 0.3), (0.7, 0.4, 0.9)),
        (Never("x"), 0.0, (0.3, 0.1, 0.6), (0.0, 0.0, 0.2)),
    ):
        default = measured(here, here, here)
        assert opposite(test, default, measured(*other))
        assert not opposite(test, default, measured(*both))
    assert not opposite(NotDefined("x"), default, default)


def test_a_share_of_runs_is_said_in_words() -> None:
    """Three runs of three: for a test of `Never` these speak against the sentence."""
    for test, said in ((Never("x"), "not so"), (Share("x"), "so")):
        sides = test.sides(np.ones(3))
        finding = FindingJson(
            id="x",
            says="x",
            test=test.text(),
            estimate=sides.estimate,
            low=sides.low,
            high=sides.high,
            unit=test.unit,
            p_shown=sides.shown,
            p_contradicted=sides.contradicted,
            finding=None,
        )
        assert estimated(finding) == f"{said} in 100% of runs (17.1% to 100%)"
        assert smaller_p(finding) == ("0" if said == "not so" else "0.51")
    tiny = msgspec.structs.replace(finding, p_shown=0.0)
    assert smaller_p(tiny) == "<1e-300"


def test_the_error_of_all_panels_together_is_one_in_a_hundred() -> None:
    assert math.isclose(LEVEL * len(reproduction.PANELS), 0.01)
    assert len(reproduction.PANELS) == 11
    assert set(PANELS) == {*reproduction.PANELS, *OURS}


@pytest.mark.parametrize("skewed", [False, True])
def test_true_borders_are_seldom_decided(skewed: bool) -> None:
    """Eight tests on their borders: any decision is an error, of which 5 % of panels may have one.

    600 panels, of which more than 48 fail with probability below 1e-3 if 5 % do. The t test of
    skewed curves is not exact; twice as many may fail.
    """
    rng, level, panels = np.random.default_rng(0), 0.05, 600
    tests = [MeanAbove(f"m{i}", 1.0) for i in range(4)] + [
        MeanBelow(f"b{i}", 1.0) for i in range(2)
    ]
    tests_of_shares = [Share(f"s{i}") for i in range(2)]
    wrong = 0
    for _ in range(panels):
        draws = rng.exponential(1.0, (6, RUNS)) if skewed else rng.normal(1.0, 2.0, (6, RUNS))
        numbers = {test.number: row.tolist() for test, row in zip(tests, draws, strict=True)}
        for test in tests_of_shares:
            numbers[test.number] = (rng.random(RUNS) < MOST).astype(float).tolist()
        rows = findings(declared(*tests, *tests_of_shares), numbers, level)
        wrong += any(row.finding is not PanelFinding.UNDECIDED for row in rows)
    allowed = scipy.stats.binom.isf(1e-3, panels, level)
    assert wrong <= (2 * allowed if skewed else allowed)


@pytest.mark.parametrize("name", sorted(reproduction.PANELS))
def test_every_declared_test_has_power_99_percent_at_its_effect(name: str) -> None:
    """Exactly, at the strictest step of Holm's procedure."""
    declared_tests = [row.test for row in PANELS[name].declared]
    tests = [test for test in declared_tests if not isinstance(test, NotDefined | NotSaid)]
    level = LEVEL / (2 * len(tests))
    for test in tests:
        assert all(power >= 0.99 for power in _powers(test, level)), test


def _powers(test: Test, level: float) -> list[float]:
    if isinstance(test, MeanAbove | MeanBelow):
        critical = scipy.stats.t.isf(level, RUNS - 1)
        return [float(scipy.stats.nct.sf(critical, RUNS - 1, SPREADS * math.sqrt(RUNS)))]
    if isinstance(test, Share):
        most = next(x for x in range(RUNS + 1) if scipy.stats.binom.sf(x - 1, RUNS, MOST) <= level)
        least = next(
            x for x in range(RUNS, -1, -1) if scipy.stats.binom.cdf(x, RUNS, MOST) <= level
        )
        return [
            float(scipy.stats.binom.sf(most - 1, RUNS, 0.99)),
            float(scipy.stats.binom.cdf(least, RUNS, 0.5)),
        ]
    assert isinstance(test, Never)
    unnoticed = (1 - RARE) ** RUNS
    return [1.0 if unnoticed <= level else 0.0, 1 - unnoticed]


@pytest.mark.parametrize("sign", [1, -1])
def test_synthetic_curves_at_the_effect_are_decided(sign: int) -> None:
    rng, seen = np.random.default_rng(1), []
    for _ in range(300):
        values = (5 + rng.normal(sign * SPREADS * 3, 3, RUNS)).tolist()
        seen.append((found(MeanAbove("x", 5), values), found(MeanBelow("x", 5), values)))
    right = (PanelFinding.SHOWN, PanelFinding.CONTRADICTED)
    assert sum(pair == right[::sign] for pair in seen) >= 0.97 * len(seen)  # power 0.99 or more


def test_a_count_that_never_happens_is_shown_and_one_case_contradicts_it() -> None:
    assert found(Never("x"), [0.0] * RUNS) is PanelFinding.SHOWN
    assert found(Never("x"), [0.0] * (RUNS - 1) + [1.0]) is PanelFinding.CONTRADICTED
    assert found(Never("x"), [0.0] * 3) is PanelFinding.UNDECIDED


def test_shares_are_decided_by_exact_binomial_tests() -> None:
    assert found(Share("x"), [1.0] * RUNS) is PanelFinding.SHOWN
    assert found(Share("x"), [0.0] * RUNS) is PanelFinding.CONTRADICTED
    assert found(Share("x"), [1.0] * 80 + [0.0] * 20) is PanelFinding.UNDECIDED
    with pytest.raises(ValueError, match="neither 0 nor 1"):
        found(Share("x"), [0.5])
    assert found(Share("x", 2), [2.5] * 96 + [2.0] * 4) is PanelFinding.SHOWN
    assert found(Share("x", 2), [2.0] * RUNS) is PanelFinding.CONTRADICTED


def test_equal_values_have_their_mean_where_they_are() -> None:
    assert found(MeanAbove("x", 1), [2.0] * RUNS) is PanelFinding.SHOWN
    assert found(MeanAbove("x", 2), [2.0] * RUNS) is PanelFinding.UNDECIDED
    assert found(MeanAbove("x", 3), [2.0] * RUNS) is PanelFinding.CONTRADICTED
    assert found(MeanAbove("x", 1), [2.0] * 3) is PanelFinding.UNDECIDED  # three runs are few
    assert t_sides(np.full(3, 2.0), 1) == (1.0, 0.125)
    assert t_sides(np.full(3, 2.0), 3) == (0.125, 1.0)
    assert t_sides(np.full(5, 0.1), 0.1) == (1.0, 1.0)


def test_nothing_is_found_where_nothing_is_defined() -> None:
    (only,) = findings(declared(NotDefined("never said")), {})
    assert (only.finding, only.sides) == (PanelFinding.NOT_DEFINED, None)


def test_what_is_described_has_an_estimate_and_takes_no_error_from_tests() -> None:
    level = 2 * 0.9**RUNS  # enough for one test, not for two
    tests = (NotSaid(Never("seen")), Never("x"))
    ours, only = findings(declared(*tests), {"seen": [1.0] * RUNS, "x": [0.0] * RUNS}, level)
    assert ours.finding is PanelFinding.DESCRIBED
    assert ours.sides is not None
    assert ours.sides.estimate == 1
    assert only.finding is PanelFinding.SHOWN
    shown = _finding(ours, tested=True)
    assert (shown.p_shown, shown.p_contradicted, shown.finding) == (None, None, "described")
    assert estimated(shown).startswith("not so in 100% of runs")
    assert not opposite(tests[0], shown, msgspec.structs.replace(shown, low=0.0, high=0.0))


def test_the_paper_is_not_contradicted_by_what_it_does_not_say() -> None:
    ours = {
        "figure-2-left": ("text-top-three.robust/estimated-chain",),
        "figure-3-middle": ("text-logarithmic-in-states.piecewise/by-models",),
        "figure-4-right": tuple(
            f"text-all-policies-optimal.all/all-{name}" for name in ("sequential", "static")
        ),
    }
    for document in documents():
        for row in document.variants[0].findings:
            described = row.id in ours.get(document.panel, ())
            assert (row.finding == "described") == described, row.id
    assert "ε-optimal" not in PANELS["figure-4-right"].says


def test_a_run_that_ends_too_early_says_nothing_of_an_alternative() -> None:
    lines = page().splitlines()

    def turned(name: str, sentence: str) -> list[str]:
        said = [line for line in lines if line.startswith(f"With {name} ") and sentence in line]
        return ["nothing is compared" if "nothing is compared" in x else "turned" for x in said]

    much = "takes more than twice the episodes of PTUM"
    assert turned("D109=certain", f"PEL {much}") == ["turned"]
    for name in ("D70=wide", "D70=all-stable"):
        assert turned(name, f"PEL {much}") == turned(name, f"MaxQInit {much}")
        assert turned(name, f"PEL {much}") == ["nothing is compared"]
    ten = "PTUM has an optimal policy within ten episodes"
    assert turned("D73=episode", ten) == ["nothing is compared"]
    assert turned("D69=one-goal", ten) == ["turned"]


def test_most_runs_in_which_pel_never_converges_are_evidence() -> None:
    (document,) = (document for document in documents() if document.panel == "figure-1-right")
    numbers = document.variants[0].numbers
    later = [
        pel > 2 * ptum
        for pel, ptum in zip(numbers["settled_pel"], numbers["settled_ptum"], strict=True)
    ]
    (row,) = (x for x in document.variants[0].findings if x.id == "figure-1-right.convergence/pel")
    assert (row.estimate, row.finding) == (sum(later) / RUNS, "shown")


def test_nan_is_an_error() -> None:
    with pytest.raises(NotANumberError):
        found(MeanAbove("x", 0), [1.0, math.nan])


def test_holm_divides_the_level_among_those_that_are_left() -> None:
    assert holm([0.01, 0.04, 0.03], 0.05) == [True, False, False]
    assert holm([0.01, 0.02, 0.05], 0.05) == [True, True, True]
    assert holm([0.02, 0.01], 0.05) == [True, True]
    assert holm([], 0.05) == []


def test_intervals_agree_with_scipy() -> None:
    values = np.random.default_rng(2).normal(3, 1, 30)
    theirs = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.99)
    assert t_interval(values) == near((float(values.mean()), float(theirs[0]), float(theirs[1])))
    t = scipy.stats.ttest_1samp(values, 2.5, alternative="greater")
    assert t_sides(values, 2.5)[1] == near(t.pvalue)


@pytest.mark.parametrize("name", sorted(reproduction.PANELS))
def test_declarations_name_parts_of_the_ledger_and_choices_of_decisions(name: str) -> None:
    panel = PANELS[name]
    ids = [row.id for row in panel.declared]
    assert len(ids) == len(set(ids))
    assert {row.part for row in panel.declared} <= {part.id for _, part in ledger.parts()}
    claim = ledger.claim(name)
    for choice in reproduction.choices(name):
        assert choice.decision in claim.decisions
        assert choice.default not in choice.alternatives


def test_a_sentence_that_runs_contradict_is_not_reproduced_or_worse() -> None:
    """And nothing else is `not-reproduced`: no part, and no reading of one."""
    contradicted = {
        row.id.partition("/")[0]
        for document in documents()
        for row in document.variants[0].findings
        if row.finding == "contradicted"
    }
    allowed = {Status.NOT_REPRODUCED, Status.REFUTED, Status.AMBIGUOUS}
    for identity in contradicted:
        assert ledger.part(identity)[1].status in allowed, identity
    for _, part in ledger.parts():
        statuses = {part.status, *(reading.status for reading in part.readings)}
        assert part.id in contradicted or Status.NOT_REPRODUCED not in statuses, part.id


def test_every_part_about_a_panel_has_a_finding() -> None:
    found = {row.part for panel in PANELS.values() for row in panel.declared}
    parts = {part.id for name in reproduction.PANELS for part in ledger.claim(name).parts}
    assert parts <= found


def test_figures_of_ours_test_no_sentence() -> None:
    for name in OURS:
        assert (PANELS[name].declared, PANELS[name].says) == ((), "")
        assert reproduction.choices(name) == ()
