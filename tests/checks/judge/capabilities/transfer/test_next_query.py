"""Definition 1, and the pair to query next: any pair that is tied with the largest index."""

from __future__ import annotations

import numpy as np
import pytest

from ptum.checks.judge.capabilities.transfer import information, next_query
from ptum.checks.judge.cases.tasks import FlaggedModels, certain_bandit
from ptum.checks.judge.judging.tolerances import information_error
from ptum.checks.judge.messages.fields import labels
from ptum.checks.judge.messages.parsing import as_errors, mapping, models_of
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.information import CLOSE, index
from tests.checks.judge.support import trials

CAPABILITY = next_query.CAPABILITY


def test_rounding_decides_no_case() -> None:
    """Indices are tied (D06), or apart by 10⁻⁶: at least ten times what is allowed."""
    for case in trials.edge_cases(CAPABILITY):
        models = models_of(case.input)
        active = labels(case.input, "active", models.k)
        I_t = index(active, models, as_errors(mapping(case.input, "errors")).Delta)
        behind = I_t.max() - I_t
        assert ((behind <= CLOSE) | (behind > 1e-6)).all(), case.id
        assert 10 * 2 * information_error(models.S, models.gamma) < 1e-6, case.id


def test_every_tied_pair_is_right_and_no_other() -> None:
    request, _ = trials.literal_answer(CAPABILITY, "all-arms-tied")
    for a in range(3):
        assert trials.finding_of(CAPABILITY, request, {"s": 0, "a": a}) is None
    request, answer = trials.literal_answer(CAPABILITY, "ends-of-a-row")
    assert answer == {"s": 0, "a": 0}
    other = trials.told(CAPABILITY, request, {"s": 0, "a": 1})
    text = "pair (0, 0) with index 0.5, or one that is tied with it; I(0,2) = max{I^r = min{"
    assert other.expected.startswith(text)
    assert other.got.startswith("pair (0, 1) with index 0.375; I(0,1) = max{I^r = min{")


def test_definition_1_is_shown_for_the_active_models_that_a_pair_tells_apart_best() -> None:
    """Models 0 and 2 differ most, by the first arm; without either the second arm tells most."""
    request, _ = trials.literal_answer(CAPABILITY, "ends-of-a-row")
    for active, wrong, best in (([0, 1, 2], 1, 0.5), ([0, 1], 0, 0.375), ([1, 2], 0, 0.375)):
        asked = {**request, "active": active}
        found = trials.told(CAPABILITY, asked, {"s": 0, "a": wrong})
        of_rewards = f"max{{I^r = min{{inf, {best}}}, I^p = min{{0, 0}}}} with Δ̃^r = {best}, "
        assert f"; I({active[0]},{active[-1]}) = {of_rewards}" in found.expected


@pytest.mark.parametrize(("share", "right"), [(0.1, True), (10.0, False)])
def test_a_pair_may_be_behind_by_two_errors_of_information(share: float, right: bool) -> None:
    """Where rewards are certain, the index of an arm is the gap of its rewards."""
    less = 0.5 - share * 2 * information_error(1, 0.5)
    models = certain_bandit(0.5, 0.0, 0.0), certain_bandit(0.5, 0.5, less)
    request = {
        **information.request_of(FlaggedModels("two", models), single(0.0)),
        "active": [0, 1],
    }
    assert (trials.finding_of(CAPABILITY, request, {"s": 0, "a": 1}) is None) is right


def test_an_infinite_error_hides_everything() -> None:
    _, answer = trials.literal_answer(information.CAPABILITY, "infinite-error")
    assert not np.any(np.array(answer["I"]))
