"""Line 12: which models survive the tests (1)-(4)."""

from __future__ import annotations

import numpy as np
import pytest

from ptum.checks.judge.capabilities.transfer import confidence_set
from ptum.checks.judge.cases.elimination_cases import EDGE_CASES, all_tests, estimate
from ptum.checks.judge.judging.items import LINE_12, SOME_TEST, failed_test
from ptum.checks.judge.judging.replay import NO_WIDTH
from ptum.checks.judge.judging.verdicts import Conformity, judge_capability
from ptum.checks.judge.messages.fields import labels
from ptum.checks.judge.messages.parsing import as_errors, errors_fields, mapping, models_of
from ptum.checks.judge.plain import views
from ptum.checks.judge.plain.algorithm_1 import ActiveValues
from ptum.checks.judge.programs.subjects import ask
from ptum.reference.transfer.assumptions import single
from tests.checks.judge.support import trials

CAPABILITY = confidence_set.CAPABILITY


def test_rounding_decides_no_case() -> None:
    """In every reading an active model passes all tests, or misses one, by 100 times the blur."""
    for case in trials.edge_cases(CAPABILITY):
        models, errors = models_of(case.input), as_errors(mapping(case.input, "errors"))
        active, hat = labels(case.input, "active", models.k), estimate(case.input, models)
        blur = np.array(confidence_set.blur(models.S, models.gamma, int(hat.N.sum())))
        for in_widths in (errors, single(errors.Delta)):
            tests = all_tests(case.input, models, hat, in_widths)
            for values in (range(models.k), active):
                worst = (tests.worst(values) / blur).max(axis=1)
                assert all(abs(worst[theta]) > 100 for theta in active), case.id


@pytest.mark.parametrize(
    ("equation", "name"),
    [
        (1, "reward-above-model-falls"),
        (2, "value-above-model-falls"),
        (3, "reward-deviation-above-model-falls"),
        (4, "value-deviation-above-model-falls"),
    ],
)
def test_what_rounding_can_decide_is_left_open(equation: int, name: str) -> None:
    """Model 1 may stay if it misses a test by a tenth of the blur, but not if by ten times."""
    request = trials.case_named(CAPABILITY, name).input
    models, Delta = models_of(request), as_errors(mapping(request, "errors")).Delta
    hat = estimate(request, models)
    tests = all_tests(request, models, hat, single(Delta))
    missed = float(tests.worst(range(models.k))[1, equation - 1])
    blur = confidence_set.blur(models.S, models.gamma, int(hat.N.sum()))[equation - 1]
    for share, may_stay in ((0.1, True), (10.0, False)):
        errors = errors_fields(single(Delta + missed - share * blur))
        moved = {**request, "errors": errors}
        stays = trials.finding_of(CAPABILITY, moved, {"active": [0, 1]})
        assert (stays is None) is may_stay
        assert trials.finding_of(CAPABILITY, moved, {"active": [0]}) is None


@pytest.mark.parametrize("equation", [1, 2, 3, 4])
def test_every_equation_alone_drops_a_model(equation: int) -> None:
    """In some case a model misses this equation and passes the three others."""
    alone = 0
    for _, case, _ in EDGE_CASES:
        request = case.request()
        models = models_of(request)
        tests = all_tests(request, models, estimate(request, models), case.errors)
        missed = tests.worst(range(models.k))[list(case.active)] > 0
        alone += int(((missed.sum(axis=1) == 1) & missed[:, equation - 1]).sum())
    assert alone >= 2


def test_the_finding_names_equation_and_margin() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "value-above-model-falls")
    assert answer == {"active": [0]}
    kept = trials.told(CAPABILITY, request, {"active": [0, 1]})
    assert kept.item == failed_test(2)
    text = "model 1 is eliminated: equation (2) at (0,0) with θ' = 0 is missed by 0.000976562"
    assert kept.expected == f"[0]; {text}"
    dropped = trials.told(CAPABILITY, request, {"active": []})
    assert dropped.item == SOME_TEST
    text = "model 0 passes all tests; the closest is equation (1) at (0,0), with 1.17 to spare"
    assert dropped.expected == f"[0]; {text}"


@pytest.mark.parametrize("name", [case.id.split("/")[1] for case in trials.edge_cases(CAPABILITY)])
def test_the_test_that_is_named_is_the_worst_of_all(name: str) -> None:
    """The equation, pair and θ' that are told have the largest excess in that reading."""
    request = trials.case_named(CAPABILITY, name).input
    models, errors = models_of(request), as_errors(mapping(request, "errors"))
    active = labels(request, "active", models.k)
    made = all_tests(request, models, estimate(request, models), errors)
    four = made.of_r, made.of_p, made.of_sigma_r, made.of_sigma_p
    for theta in active:
        for values in (tuple(range(models.k)), active):
            (equation, s, a, prime), excess = confidence_set.worst_test(made, theta, values)
            place = (theta, s, a) if prime is None else (theta, s, a, prime)
            assert four[equation - 1][place] == excess == made.worst(values)[theta].max()
            assert prime is None or prime in values


@pytest.mark.parametrize("name", ["no-data", "one-sample-each", "infinite-errors"])
def test_no_margin_is_told_where_widths_are_infinite(name: str) -> None:
    request = trials.case_named(CAPABILITY, name).input
    found = trials.told(CAPABILITY, request, {"active": []})
    assert found.expected.endswith(f"; model 0 stays: {NO_WIDTH}")


def test_a_model_that_was_not_active_cannot_come_back() -> None:
    request, _ = trials.literal_answer(CAPABILITY, "inactive-twin-stays-out")
    found = trials.told(CAPABILITY, request, {"active": [0, 1]})
    assert found.item == LINE_12
    assert found.expected == "[1]; it was not active before"


@pytest.mark.parametrize("name", ["value", "deviation"])
@pytest.mark.parametrize("backwards", [False, True])
def test_models_that_fall_in_line_12_are_still_tested_with(name: str, backwards: bool) -> None:
    """Those that are active before it stay θ' until it is done, in whatever order it goes."""
    case = trials.case_named(CAPABILITY, f"{name}-of-one-that-falls-too")

    class Shrinking(ActiveValues):
        """The active set shrinks inside the loop over it."""

        def tested(self, t: int, active: list[int]) -> list[int]:
            del t
            hats = {pair: self.estimate(self.data[pair]) for pair in self.tested_pairs()}
            for theta in sorted(active, reverse=backwards):
                if self.fails(theta, hats, active):
                    active = [other for other in active if other != theta]
            return active

    for variant, verdict in ((Shrinking, Conformity.DEVIATES), (ActiveValues, Conformity.CONFORMS)):
        exchange = ask(CAPABILITY, case, views.confidence_set(variant))
        assert judge_capability(CAPABILITY, [exchange]).verdict is verdict
