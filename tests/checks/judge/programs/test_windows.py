"""Slips that only many samples, many tasks or several models at once show; what a finding names."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.capabilities.sequential import hmm_samples, sequential
from ptum.checks.judge.capabilities.sequential.sequence_replay import LINE_9
from ptum.checks.judge.capabilities.transfer import confidence_set, information, ptum
from ptum.checks.judge.judging.items import DEFINITION_1, Telling, failed_test, telling
from ptum.checks.judge.judging.readings import Assessment, Capability, Finding, assess
from ptum.checks.judge.judging.verdicts import judge_capability
from ptum.checks.judge.messages.fields import array
from ptum.checks.judge.messages.parsing import as_errors, mapping, models_of
from ptum.checks.judge.messages.transcript import Fields
from ptum.checks.judge.plain import views
from ptum.checks.judge.plain.algorithm_1 import Algorithm1
from ptum.checks.judge.slips import slips_of
from ptum.checks.judge.slips.sequential.hmm_samples import SampleSteps
from ptum.reference.arrays import Floats
from tests.checks.judge.support import trials


def assessed(capability: Capability, name: str, implementation: Implementation) -> Assessment:
    case = trials.case_named(capability, name)
    return assess(capability, trials.answered(capability, case, implementation))


def of_last_data(window: int) -> type[Algorithm1]:
    """PTUM that keeps so many samples of a pair."""

    class Forgetful(Algorithm1):
        def store(self, s: int, a: int, reward: float, successor: int) -> None:
            super().store(s, a, reward, successor)
            del self.data[s, a][:-window]

    return Forgetful


@pytest.mark.slow
@pytest.mark.parametrize("window", [300, 512])
def test_ptum_has_to_remember_its_first_samples(window: int) -> None:
    found = assessed(ptum.CAPABILITY, "very-many-samples", views.ptum(of_last_data(window)))
    assert not found.agrees
    assert found.finding is not None
    assert found.finding.item == failed_test(1)


def of_last_tasks(window: int) -> Implementation:
    """Algorithm 3 on the last so many observations."""

    def run(observations: Floats, k: int) -> dict[str, object]:
        return SampleSteps("none")(observations[-window:], k)

    return run


@pytest.mark.parametrize("window", [90, 300, 539])
def test_algorithm_3_has_to_remember_its_first_tasks(window: int) -> None:
    assert not assessed(hmm_samples.CAPABILITY, "many-tasks", of_last_tasks(window)).agrees


def test_algorithm_3_with_a_long_memory_is_right() -> None:
    assert assessed(hmm_samples.CAPABILITY, "many-tasks", of_last_tasks(540)).agrees


@pytest.mark.parametrize("name", ["earliest-rewards-count", "earliest-moves-count"])
def test_the_first_of_many_samples_decide_whether_a_model_falls(name: str) -> None:
    case = trials.case_named(confidence_set.CAPABILITY, name)
    columns = ("s", "a", "reward", "successor")
    last = {column: array(case.input, column)[-540:].tolist() for column in columns}
    forgotten = replace(case, input={**case.input, **last})
    literal = confidence_set.CONFORMING["literal"]
    found = [
        trials.answered(confidence_set.CAPABILITY, one, literal).answer for one in (case, forgotten)
    ]
    assert found[0] != found[1]


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["largest-for-sum", "mean-for-sum"])
def test_line_9_adds_what_it_predicts(slug: str) -> None:
    """No other case of `sequential` tells them from the sum."""
    slip = next(slip for slip in slips_of("sequential") if slip.slug == slug)
    found = assessed(sequential.CAPABILITY, "signed-sum", slip.implementation)
    assert not found.agrees
    assert found.finding is not None
    assert found.finding.item.places == LINE_9.places


def test_a_row_of_the_signed_case_is_negative() -> None:
    case = trials.case_named(sequential.CAPABILITY, "signed-sum")
    answer = trials.answered(sequential.CAPABILITY, case, sequential.CONFORMING["literal"]).answer
    tasks = (answer or {})["tasks"]
    assert isinstance(tasks, list)
    rows = np.array(tasks[5]["T"]).sum(axis=1)
    assert np.min(rows) < 0 < np.max(rows)
    assert tasks[5]["active"] == [0, 1]
    assert tasks[6]["initial"] == [int(np.argmax(rows))]


NUMBER = r"(inf|[\d.e+-]+)"
PIECES = re.compile(
    rf"{NUMBER} = max{{I\^r = min{{{NUMBER}, {NUMBER}}}, I\^p = min{{{NUMBER}, {NUMBER}}}}} with "
    rf"Δ̃\^r = {NUMBER}, σ̃\^r = {NUMBER}, Δ̃\^p = {NUMBER}, σ̃\^p = {NUMBER}, "
    rf"8Δ = {NUMBER}, 1-γ = {NUMBER}"
)


def told_of_information(slug: str) -> tuple[Finding, list[float], list[float]]:
    """The finding about a slip, the numbers that it shows, and what they should be."""
    slip = next(slip for slip in slips_of("information") if slip.slug == slug)
    capability = information.CAPABILITY
    cases = trials.edge_cases(capability)
    judged = judge_capability(
        capability, [trials.answered(capability, case, slip.implementation) for case in cases]
    )
    assert judged.finding is not None
    assert judged.case is not None
    assert telling(slip.breaks, judged.finding.item) is not Telling.MISSED
    shown = PIECES.fullmatch(judged.finding.expected)
    assert shown is not None, judged.finding.expected
    place = [int(i) for i in re.findall(r"\d+", judged.finding.what)]
    return judged.finding, [float(x) for x in shown.groups()], due_pieces(judged.case.input, *place)


def due_pieces(request: Fields, theta: int, other: int, s: int, a: int) -> list[float]:
    """Definition 1 once more, number by number."""
    models, shift = models_of(request), 8 * as_errors(mapping(request, "errors")).Delta
    V, weight = models.V_star[theta], 1 - models.gamma
    gap_r = abs(models.r[theta, s, a] - models.r[other, s, a])
    gap_p = abs(models.p[theta, s, a] @ V - models.p[other, s, a] @ V)
    sigma_r, sigma_p = models.sigma_r[theta, s, a], models.sigma_p[theta, s, a, theta]
    (square_r, linear_r), (square_p, linear_p) = (
        _pieces(max(gap - shift, 0.0), sigma) for gap, sigma in ((gap_r, sigma_r), (gap_p, sigma_p))
    )
    four = [square_r, linear_r, square_p, weight * linear_p]
    whole = max(min(four[:2]), min(four[2:]))
    return [whole, *four, gap_r, sigma_r, gap_p, sigma_p, shift, weight]


def _pieces(x: float, sigma: float) -> tuple[float, float]:
    if sigma == 0:
        return (math.inf if x > 0 else 0.0), x
    return (x / sigma) ** 2, x


@pytest.mark.parametrize(
    "slug", ["rewards-only", "weight-forgotten", "variance-for-deviation", "larger", "mean-error"]
)
def test_a_wrong_information_is_shown_all_pieces_of_definition_1(slug: str) -> None:
    """The branch that a right answer takes is not said to be the broken one."""
    found, shown, expected = told_of_information(slug)
    smaller = slug in ("rewards-only", "variance-for-deviation")  # wrong deviations do that too
    assert found.item == (information.WITH_SIGMAS if smaller else DEFINITION_1)
    assert shown == pytest.approx(expected, rel=1e-5)


def test_a_wrong_information_is_found_among_the_numbers_shown() -> None:
    """(1-γ) is left out: the gap of values itself, which is right, exceeds I^r, which is right."""
    found, shown, _ = told_of_information("weight-forgotten")
    whole, _, linear_r, _, linear_p, _, _, gap_p, _, _, weight = shown
    assert whole == linear_r > linear_p == weight * gap_p
    assert found.got.startswith(f"{gap_p:.12g} (error ")


def test_the_positive_part_is_named_where_it_makes_everything_zero() -> None:
    found, shown, expected = told_of_information("no-positive-part")
    assert found.item == "Definition 1, no gap exceeds 8Δ"
    assert shown == pytest.approx(expected, rel=1e-5)
    assert not any(shown[:5])
