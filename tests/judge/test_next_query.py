"""The pair to query next: any pair that is tied with the largest index."""

from __future__ import annotations

import pytest

from checks.judge.capabilities import next_query
from checks.judge.fields import MalformedError, labels
from checks.judge.parsing import as_errors, mapping, models_of
from checks.judge.readings import Case
from checks.known_bad import Bad
from checks.known_bad.next_query import BAD
from reference.information import index
from tests.judge import trials

CAPABILITY = next_query.CAPABILITY


def test_cases_are_well_formed() -> None:
    trials.assert_well_formed(CAPABILITY)


@pytest.mark.parametrize("name", next_query.GOOD)
def test_right_implementations_conform(name: str) -> None:
    assert trials.options_seen(CAPABILITY, next_query.GOOD[name]) == {}


@pytest.mark.parametrize("bad", BAD, ids=trials.ids_of(BAD))
def test_wrong_implementations_are_caught(bad: Bad) -> None:
    trials.assert_caught(bad)


def test_rounding_decides_no_case() -> None:
    for case in trials.edge_cases(CAPABILITY):
        models = models_of(case.input)
        active = labels(case.input, "active", models.k)
        I_t = index(active, models, as_errors(mapping(case.input, "errors")).Delta)
        behind = I_t.max() - I_t
        assert ((behind < 1e-12) | (behind > 1e-6)).all(), case.id


def test_every_tied_pair_is_right_and_no_other() -> None:
    request, _ = trials.literal_answer(CAPABILITY, "all-arms-tied", next_query.GOOD)
    for a in range(3):
        assert trials.finding_of(CAPABILITY, request, {"s": 0, "a": a}) is None
    request, answer = trials.literal_answer(CAPABILITY, "ends-of-a-row", next_query.GOOD)
    assert answer == {"s": 0, "a": 0}
    other = trials.finding_of(CAPABILITY, request, {"s": 0, "a": 1})
    assert other is not None
    assert other.expected == "pair (0, 0) with index 0.5, or one that is tied with it"
    assert other.got == "pair (0, 1) with index 0.375"


@pytest.mark.parametrize("case", trials.edge_cases(CAPABILITY)[-3:], ids=lambda case: case.id)
def test_nothing_real_is_returned(case: Case) -> None:
    assert CAPABILITY.tolerance(case.input) == {}


@pytest.mark.parametrize(
    "answer",
    [
        {"s": 0},
        {"a": 0},
        {"s": 1, "a": 0},
        {"s": 0, "a": 3},
        {"s": -1, "a": 0},
        {"s": 0.5, "a": 0},
        {"s": None, "a": 0},
        {"s": [0], "a": 0},
        {"s": True, "a": 0},
    ],
)
def test_malformed_answers_are_refused(answer: dict[str, object]) -> None:
    request, _ = trials.literal_answer(CAPABILITY, "bandits", next_query.GOOD)
    with pytest.raises(MalformedError):
        trials.finding_of(CAPABILITY, request, answer)
