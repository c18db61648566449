"""Lines 2 and 14: the transfer mode, and whose policies may be returned."""

from __future__ import annotations

import numpy as np
import pytest

from ptum.checks.judge.capabilities.transfer import stopping
from ptum.checks.judge.cases.tasks import FlaggedModels, moves
from ptum.checks.judge.judging.tolerances import value_error
from ptum.checks.judge.messages.fields import labels
from ptum.checks.judge.messages.parsing import as_errors, errors_fields, mapping, models_of, number
from ptum.reference.errors import InputError
from ptum.reference.repaired.transfer import stopping as repaired
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer import stopping as printed
from ptum.reference.transfer.assumptions import single
from tests.checks.judge.support import trials

CAPABILITY = stopping.CAPABILITY


def test_rounding_decides_no_loss() -> None:
    """A loss is the slack exactly, or away from it by 100 times the error of two values."""
    for case in trials.edge_cases(CAPABILITY):
        models = models_of(case.input)
        active = labels(case.input, "active", models.k)
        Delta = as_errors(mapping(case.input, "errors")).Delta
        slack = printed.stopping_slack(number(case.input, "epsilon"), Delta, models.gamma)
        for theta in active:
            for pi in stopping.optimal_policies(models, theta):
                excess = stopping.worst_loss(models, active, pi) - slack
                exact = excess == 0 and models.gamma == 0
                blur = 2 * value_error(models.S, models.gamma)
                assert exact or abs(excess) > 100 * blur, case.id


def test_rounding_decides_no_threshold() -> None:
    """Δ is the threshold exactly, or away from it by a millionth of ε."""
    for case in trials.edge_cases(CAPABILITY):
        gamma, epsilon = number(case.input, "gamma"), number(case.input, "epsilon")
        Delta = as_errors(mapping(case.input, "errors")).Delta
        for rules in (printed, repaired):
            distance = Delta - rules.transfer_threshold(epsilon, gamma)
            assert (distance == 0 and gamma == 0) or abs(distance) > 1e-6 * epsilon, case.id


@pytest.mark.parametrize(("share", "may_pass"), [(0.1, True), (10.0, False)])
def test_what_rounding_can_decide_is_left_open(share: float, may_pass: bool) -> None:
    """Both policies lose 1 with γ = 1/2; a slack below that by a little may let them pass."""
    request = trials.case_named(CAPABILITY, "opposite-arms").input
    moved = {**request, "epsilon": 1.0 - share * 2 * value_error(1, 0.5)}
    passed = trials.finding_of(CAPABILITY, moved, {"good": [0, 1], "transfer": 1})
    assert (passed is None) is may_pass
    assert trials.finding_of(CAPABILITY, moved, {"good": [], "transfer": 1}) is None


@pytest.mark.parametrize(("less", "good"), [(2.0**-40, []), (0.0, [0, 1]), (-(2.0**-40), [0, 1])])
def test_without_discount_rounding_decides_nothing(less: float, good: list[int]) -> None:
    """Both policies lose 1/4; a slack that is less by any amount lets none of them pass."""
    request = trials.case_named(CAPABILITY, "equality").input
    moved = {**request, "epsilon": 0.25 - less}
    for answer in ([], [0, 1]):
        found = trials.finding_of(CAPABILITY, moved, {"good": answer, "transfer": 1})
        assert (found is None) is (answer == good)


def test_any_choice_among_tied_policies_is_right() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "tied-policies")
    for good in ([1], [0, 1], [1, 0]):
        assert trials.finding_of(CAPABILITY, request, {**answer, "good": good}) is None
    for good in ([], [0]):
        assert trials.finding_of(CAPABILITY, request, {**answer, "good": good}) is not None


def test_more_optimal_policies_than_can_be_looked_at_are_refused() -> None:
    """Two actions are tied in each of 12 or 13 states, so 2¹² or 2¹³ policies are optimal."""

    def tied(S: int) -> ApproximateModels:
        p = moves(*([0, 0] for _ in range(S)))
        return models_of(
            FlaggedModels("", (deterministic_rewards(p, np.ones((S, 2)), 0.5),)).request()
        )

    assert len(list(stopping.optimal_policies(tied(12), 0))) == stopping.MOST_POLICIES
    with pytest.raises(InputError, match=r"models\[0\]: more than 4096 policies are optimal"):
        next(stopping.optimal_policies(tied(13), 0))


def test_the_printed_threshold_names_its_erratum() -> None:
    (printed_reading, _) = CAPABILITY.readings
    assert {option.erratum for option in printed_reading} == {"E01"}


def test_the_finding_tells_loss_and_slack() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "one-way")
    found = trials.told(CAPABILITY, request, {**answer, "good": [0, 1]})
    assert found.what == "good: model 1 is too many"
    assert found.expected == "[0]; its policy loses 2 in model 0, state 0; the slack is 0.25"
    assert found.got == "[0, 1]"


def paid_late(second: float) -> MDP:
    """State 1 pays 1/2 or `second` and ends in state 2; state 0 only leads there."""
    p = moves([1, 1], [2, 2], [2, 2])
    return deterministic_rewards(p, np.array([[0.0, 0.0], [0.5, second], [0.0, 0.0]]), 0.5)


def test_the_loss_is_told_with_the_active_model_and_the_state_that_have_it() -> None:
    """A loss in state 1 is halved on its way to state 0."""
    known = FlaggedModels("", (paid_late(0.25), paid_late(0.5), paid_late(0.75)))
    request = {**known.request(), "epsilon": 0.125, "errors": errors_fields(single(0.0))}
    for active, other in (([0, 1, 2], 2), ([2, 0], 2)):
        answer = {"good": active, "transfer": 1}
        found = trials.told(CAPABILITY, {**request, "active": active}, answer)
        text = f"its policy loses 0.25 in model {other}, state 1; the slack is 0.125"
        assert found.expected.endswith(text)


def test_a_missing_model_is_told_first_and_one_that_may_be_there_is_named() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "one-way")
    exchanged = trials.told(CAPABILITY, request, {**answer, "good": [1]})
    assert exchanged.what == "good: model 0 is missing"
    request, answer = trials.literal_answer(CAPABILITY, "tied-policies")
    nobody = trials.told(CAPABILITY, request, {**answer, "good": []})
    assert nobody.what == "good: model 1 is missing"
    assert nobody.expected.startswith("[1], perhaps [0]; ")


def test_an_inverted_ratio_leaves_more_slack() -> None:
    """With (1-γ)/(1+γ) in place of (1+γ)/(1-γ) a loss is allowed that is not."""
    request = trials.case_named(CAPABILITY, "error-ratio-is-not-inverted").input
    models, epsilon = models_of(request), number(request, "epsilon")
    Delta = as_errors(mapping(request, "errors")).Delta
    loss = stopping.worst_loss(models, [0, 1], models.pi_star[0])
    inverted = epsilon - 2 * Delta * (1 - models.gamma) / (1 + models.gamma)
    assert printed.stopping_slack(epsilon, Delta, models.gamma) < loss < inverted


@pytest.mark.parametrize("shape", ["error-is-taken-away", "error-is-not-added"])
def test_a_finite_error_takes_some_of_the_slack(shape: str) -> None:
    """ε alone allows the first loss, with the error term added the second; neither is good."""
    request = trials.case_named(CAPABILITY, shape).input
    models, epsilon = models_of(request), number(request, "epsilon")
    Delta = as_errors(mapping(request, "errors")).Delta
    used_up = epsilon - printed.stopping_slack(epsilon, Delta, models.gamma)
    loss = stopping.worst_loss(models, [0, 1], models.pi_star[0])
    part = used_up * (1 - models.gamma)  # without the discount
    if shape == "error-is-taken-away":
        assert epsilon - part < loss < epsilon
    else:
        assert epsilon < loss < epsilon + part
