"""Optimal values and policies: any optimal policy is right, nothing else is. Values of others."""

from __future__ import annotations

import pytest

from ptum.checks.judge.capabilities.tasks import optimal, policy_value
from ptum.checks.judge.cases.tasks import certain_bandit, request_of
from ptum.checks.judge.judging.items import PI_STAR
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import action_value, optimal_value, tie_tolerance
from tests.checks.judge.support import trials

CAPABILITY = optimal.CAPABILITY


def test_every_tied_policy_is_right() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "tied-detours")
    for first in (0, 1):
        assert trials.finding_of(CAPABILITY, request, {**answer, "pi": [first, 0, 0, 1]}) is None


@pytest.mark.parametrize("state", [1, 2])
def test_a_poor_action_is_seen_in_every_state(state: int) -> None:
    """State 0 goes to state 1, so that it tells nothing about state 2."""
    request, answer = trials.literal_answer(CAPABILITY, "tied-detours")
    poor = [int(s == state) for s in range(4)]
    wrong = trials.told(CAPABILITY, request, {**answer, "pi": poor})
    assert wrong.item == PI_STAR
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


def test_values_are_asked_of_all_kinds_of_policies() -> None:
    cases = trials.edge_cases(policy_value.CAPABILITY)
    flags = [flag for case in cases for flag in case.flags]
    assert min(flags.count(kind) for kind in ("best", "worst", "mixed")) >= 7
