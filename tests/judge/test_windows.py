"""Slips that only many samples, many tasks or several models at once show; what a finding names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from checks.judge import not_asleep
from checks.judge.capabilities import Implementation, confidence_set, hmm_samples, ptum, sequential
from checks.judge.fields import array
from checks.judge.items import Telling, failed_test
from checks.judge.plain_ptum import PlainPtum
from checks.judge.readings import Assessment, Capability, assess
from checks.judge.walk import LINE_9
from checks.known_bad.hmm_samples import Lines
from checks.known_bad.information import BAD as INFORMATION_SLIPS
from checks.known_bad.sequential import BAD as SEQUENTIAL_SLIPS
from reference.arrays import Floats
from tests.judge import trials


def assessed(capability: Capability, name: str, implementation: Implementation) -> Assessment:
    case = trials.case_named(capability, name)
    return assess(capability, trials.answered(capability, case, implementation))


def of_last_data(window: int) -> type[PlainPtum]:
    """PTUM that keeps so many samples of a pair."""

    class Forgetful(PlainPtum):
        def store(self, s: int, a: int, reward: float, successor: int) -> None:
            super().store(s, a, reward, successor)
            del self.data[s, a][:-window]

    return Forgetful


@pytest.mark.slow
@pytest.mark.parametrize("window", [300, 512])
def test_ptum_has_to_remember_its_first_samples(window: int) -> None:
    found = assessed(ptum.CAPABILITY, "very-many-samples", ptum.plain(of_last_data(window)))
    assert not found.agrees
    assert found.finding is not None
    assert found.finding.item == failed_test(1)


def of_last_tasks(window: int) -> Implementation:
    """Algorithm 3 on the last so many observations."""

    def run(observations: Floats, k: int) -> dict[str, object]:
        return Lines("none")(observations[-window:], k)

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
    literal = confidence_set.GOOD["literal"]
    found = [
        trials.answered(confidence_set.CAPABILITY, one, literal).answer for one in (case, forgotten)
    ]
    assert found[0] != found[1]


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["largest-for-sum", "mean-for-sum"])
def test_line_9_adds_what_it_predicts(slug: str) -> None:
    """No other case of `sequential` tells them from the sum."""
    slip = next(bad for bad in SEQUENTIAL_SLIPS if bad.id.endswith(slug))
    found = assessed(sequential.CAPABILITY, "signed-sum", slip.implementation)
    assert not found.agrees
    assert found.finding is not None
    assert found.finding.item.places == LINE_9.places


def test_a_row_of_the_signed_case_is_negative() -> None:
    case = trials.case_named(sequential.CAPABILITY, "signed-sum")
    answer = trials.answered(sequential.CAPABILITY, case, sequential.GOOD["literal"]).answer
    tasks = (answer or {})["tasks"]
    assert isinstance(tasks, list)
    rows = np.array(tasks[5]["T"]).sum(axis=1)
    assert np.min(rows) < 0 < np.max(rows)
    assert tasks[5]["active"] == [0, 1]
    assert tasks[6]["initial"] == [int(np.argmax(rows))]


@pytest.mark.parametrize(
    ("slug", "told"),
    [
        ("rewards-only", "I^p, of values, by its"),
        ("weight-forgotten", "I^p, of values, by its linear term (1-γ)[Δ̃^p - 8Δ]⁺"),
        ("variance-for-deviation", "by its square"),
        ("no-positive-part", "no gap exceeds 8Δ"),
    ],
)
def test_a_wrong_information_names_the_piece_of_definition_1(slug: str, told: str) -> None:
    slip = next(bad for bad in INFORMATION_SLIPS if bad.id.endswith(f"/{slug}"))
    found = not_asleep.caught(slip, 0)
    assert told in found.caught_by
    assert found.telling is Telling.NAMED
