"""The robust tensor power method."""

from __future__ import annotations

import numpy as np
import pytest

from ptum.checks.judge.capabilities.sequential import tensor_power
from ptum.checks.judge.capabilities.sequential.tensor_power import components
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import array
from ptum.checks.judge.messages.transcript import Fields
from ptum.reference.errors import InputError
from tests.checks.judge.support import trials

CAPABILITY = tensor_power.CAPABILITY


def test_the_judge_finds_the_components_of_every_case() -> None:
    """They are orthonormal, and their sum is the tensor, up to a hundredth of what is allowed."""
    for case in (*trials.edge_cases(CAPABILITY), *trials.drawn_cases(CAPABILITY, 0)):
        tensor = array(case.input, "tensor")
        lambdas, V = components(tensor)
        allowed = tensor_power.tolerance(case.input)
        there = lambdas > FLOOR * lambdas[0]
        products = V[:, there].T @ V[:, there]
        assert np.max(np.abs(products - np.eye(there.sum()))) <= allowed["vectors"] / 100
        again = np.einsum("j,aj,bj,cj->abc", lambdas, V, V, V)
        assert np.max(np.abs(again - tensor)) <= allowed["lambdas"] / 100
        components_asked = case.input["components"]
        assert isinstance(components_asked, int)
        assert components_asked <= there.sum()


def test_a_tensor_without_orthogonal_components_is_refused() -> None:
    tensor = np.zeros((2, 2, 2))
    for v in ([1.0, 0.0], [0.6, 0.8]):
        tensor += np.einsum("a,b,c->abc", v, v, v)
    with pytest.raises(InputError, match="no sum of orthogonal components"):
        components(tensor)


@pytest.mark.parametrize("name", ["signs", "wide", "very-small", "very-large", "one-dimension"])
def test_tolerances_bite(name: str) -> None:
    """A shift of λ or of the residual by ten tolerances is seen, a tenth of one is not."""
    case = trials.case_named(CAPABILITY, name)
    allowed = tensor_power.tolerance(case.input)
    answer = trials.answered(CAPABILITY, case, tensor_power.literal).answer
    assert answer is not None
    for field in ("lambdas", "residual"):
        for sign in (-1, 1):
            near = trials.shifted(answer, field, sign * allowed[field] / 10)
            far = trials.shifted(answer, field, sign * allowed[field] * 10)
            assert trials.finding_of(CAPABILITY, case.input, near) is None
            assert trials.finding_of(CAPABILITY, case.input, far) is not None


@pytest.mark.parametrize("name", ["signs", "wide", "tilted"])
def test_a_turned_vector_is_seen_beyond_its_tolerance(name: str) -> None:
    case = trials.case_named(CAPABILITY, name)
    allowed = tensor_power.tolerance(case.input)["vectors"]
    for share, right in ((0.1, True), (10.0, False)):
        answer = turned(case.input, share * allowed)
        assert (trials.finding_of(CAPABILITY, case.input, answer) is None) is right


def turned(request: Fields, angle: float) -> Fields:
    """The right answer with v_1 turned towards v_2 by an angle."""
    lambdas, V = components(array(request, "tensor"))
    V = np.array(V)
    V[:, 0] = np.cos(angle) * V[:, 0] + np.sin(angle) * V[:, 1]
    return {"lambdas": lambdas.tolist(), "vectors": V.tolist()}


def test_both_signs_of_a_component_are_right_but_not_one_of_them() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "tilted")
    lambdas, V = array(answer, "lambdas"), array(answer, "vectors")
    both: Fields = {"lambdas": (-lambdas).tolist(), "vectors": (-V).tolist()}
    assert trials.finding_of(CAPABILITY, request, both) is None
    for one in ({"lambdas": (-lambdas).tolist()}, {"vectors": (-V).tolist()}):
        found = trials.told(CAPABILITY, request, {**answer, **one})
        assert found.item == tensor_power.FORM


def test_an_eigenpair_that_does_not_attract_is_no_component() -> None:
    """For λ = (1, 1, 1) along the axes, (1, 1, 1)/√3 satisfies M(I,v,v) = v/√3."""
    case = trials.case_named(CAPABILITY, "units")
    V = np.eye(3)
    V[:, 0] = 3**-0.5
    answer: Fields = {"lambdas": [3**-0.5, 1.0, 1.0], "vectors": V.tolist()}
    found = trials.told(CAPABILITY, case.input, answer)
    assert found.item == tensor_power.ATTRACTS


def test_infinite_numbers_are_wrong_and_the_residual_may_be_left_out() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "tilted")
    infinite = {**answer, "lambdas": ["inf", 0.5]}
    assert trials.finding_of(CAPABILITY, request, infinite) is not None
    assert trials.finding_of(CAPABILITY, request, trials.without(answer, "residual")) is None
