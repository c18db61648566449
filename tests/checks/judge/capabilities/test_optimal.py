"""Optimal values and policies: any optimal policy is right, nothing else is."""

from __future__ import annotations

import pytest

from ptum.checks.judge.capabilities.tasks import optimal
from ptum.checks.judge.cases.tasks import certain_bandit, request_of
from ptum.checks.judge.messages.fields import MalformedError
from ptum.checks.judge.slips import Bad
from ptum.checks.judge.slips.tasks.optimal import BAD
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import action_value, optimal_value, tie_tolerance
from tests.checks.judge.support import trials
from tests.checks.judge.support.entries import assert_every_entry_counts

CAPABILITY = optimal.CAPABILITY


def test_cases_are_well_formed() -> None:
    trials.assert_well_formed(CAPABILITY)


@pytest.mark.parametrize("name", optimal.GOOD)
def test_right_implementations_conform(name: str) -> None:
    assert trials.options_seen(CAPABILITY, optimal.GOOD[name]) == {}


@pytest.mark.parametrize("bad", BAD, ids=trials.ids_of(BAD))
def test_wrong_implementations_are_caught(bad: Bad) -> None:
    trials.assert_caught(bad)


@pytest.mark.parametrize("name", ["slippery", "very-patient", "bandit-gamma-0", "no-reward"])
def test_tolerance_bites(name: str) -> None:
    case = trials.case_named(CAPABILITY, name)
    trials.assert_tolerance_bites(
        CAPABILITY, case, optimal.literal, CAPABILITY.tolerance(case.input)
    )


def test_every_entry_counts() -> None:
    assert_every_entry_counts(CAPABILITY, "slippery", optimal.GOOD)


def test_every_tied_policy_is_right() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "tied-detours", optimal.GOOD)
    for first in (0, 1):
        assert trials.finding_of(CAPABILITY, request, {**answer, "pi": [first, 0, 0, 1]}) is None


@pytest.mark.parametrize("state", [1, 2])
def test_a_poor_action_is_seen_in_every_state(state: int) -> None:
    """State 0 goes to state 1, so that it tells nothing about state 2."""
    request, answer = trials.literal_answer(CAPABILITY, "tied-detours", optimal.GOOD)
    poor = [int(s == state) for s in range(4)]
    wrong = trials.finding_of(CAPABILITY, request, {**answer, "pi": poor})
    assert wrong is not None
    assert wrong.item == optimal.PI_STAR
    assert wrong.what == f"value of pi, V^pi[{state}]"


@pytest.mark.parametrize(("share", "right"), [(0.1, True), (10.0, False)])
def test_a_policy_may_lose_what_a_value_may_be_off(share: float, right: bool) -> None:
    """With γ = 1/2 an arm that pays less by x loses 2x."""
    allowed = optimal.tolerance(request_of(certain_bandit(0.5, 0.5, 0.5)))["V"]
    request = request_of(certain_bandit(0.5, 0.5 - share * allowed / 2, 0.5))
    found = trials.finding_of(CAPABILITY, request, {"V": [1.0], "pi": [0]})
    assert (found is None) is right


def test_rounding_decides_no_case() -> None:
    """Actions are tied up to rounding, or lose a hundred times what is allowed."""
    for case in trials.edge_cases(CAPABILITY):
        theta: MDP = optimal.task_of(case.input)
        V = optimal_value(theta)
        Q = action_value(theta, V)
        behind = Q.max(axis=1, keepdims=True) - Q
        tied = behind <= tie_tolerance(theta, V)
        clear = behind > 100 * optimal.tolerance(case.input)["V"]
        assert (tied | clear).all(), case.id


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("V", None),
        ("V", [1.0, 2.0]),
        ("V", [[1.0], [2.0], [3.0]]),
        ("V", [1.0, 2.0, float("nan")]),
        ("V", [1.0, 2.0, 10**400]),
        ("V", "inf"),
        ("pi", [0, 1]),
        ("pi", [0, 0.5, 1]),
        ("pi", [0, 1, 2]),
        ("pi", [0, 1, -1]),
        ("pi", [True, False, True]),
    ],
)
def test_malformed_answers_are_refused(field: str, value: object) -> None:
    request, answer = trials.literal_answer(CAPABILITY, "slippery", optimal.GOOD)
    with pytest.raises(MalformedError, match=field):
        trials.finding_of(CAPABILITY, request, {**answer, field: value})


@pytest.mark.parametrize("field", ["V", "pi"])
def test_both_fields_are_needed(field: str) -> None:
    request, answer = trials.literal_answer(CAPABILITY, "slippery", optimal.GOOD)
    with pytest.raises(MalformedError, match="no field"):
        trials.finding_of(CAPABILITY, request, trials.without(answer, field))
