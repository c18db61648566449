"""Lines 5-10 of Algorithm 3 on exact moments."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import numpy as np
import pytest

from ptum.checks.judge.capabilities.sequential import hmm_moments
from ptum.checks.judge.capabilities.sequential.hmm_moments import (
    ARMS,
    COLUMNS,
    EXISTS,
    FAILS,
    LEANING,
    LINE_7,
    LINE_9,
    LINE_10,
    MU,
    WEIGHTS,
    truth,
)
from ptum.checks.judge.judging.hmms import follows, nearest_order, off, reordered
from ptum.checks.judge.judging.readings import assess
from ptum.checks.judge.messages.fields import array
from ptum.checks.judge.messages.parsing import whole
from ptum.checks.judge.messages.transcript import Exchange, Fields
from tests.checks.judge.support import trials

CAPABILITY = hmm_moments.CAPABILITY


def test_line_5_is_well_defined_in_every_case() -> None:
    """Leading eigenvalues of M_2 are distinct and positive, or the case is flagged as singular."""
    for case in (*CAPABILITY.cases(0), *CAPABILITY.cases(1)):
        M_2, k = array(case.input, "M_2"), whole(case.input, "k")
        falling = np.linalg.eigvalsh((M_2 + M_2.T) / 2)[::-1][:k]
        gaps = -np.diff(np.append(falling, 0.0)) / falling[0]
        assert (truth(case.input) is None) is ("singular" in case.flags), case.id
        least = 1e-5 if "ill-conditioned" in case.flags else 1e-3
        assert "singular" in case.flags or gaps.min() > least, case.id


def test_published_tolerances_are_small_and_the_truth_is_met() -> None:
    """The judge's own O and T are those that the case was made of, and no bound is slack."""
    case = trials.case_named(CAPABILITY, "two-coins")
    found = truth(case.input)
    assert found is not None
    named = reordered(found, nearest_order(found.O, ARMS))
    allowed = hmm_moments.tolerance(case.input)
    assert off(named.O, ARMS) <= allowed["O"]
    assert off(named.T, LEANING) <= allowed["T"]
    assert off(named.weights, LEANING @ np.array((0.25, 0.75))) <= allowed["weights"]
    for edge in CAPABILITY.cases(0):
        most = 0.02 if "ill-conditioned" in edge.flags else 2e-4
        assert max(hmm_moments.tolerance(edge.input).values()) <= most, edge.id


def test_one_relabelling_for_all_fields() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "three-tasks")
    O, T, weights = (array(answer, name) for name in ("O", "T", "weights"))
    turn = [1, 2, 0]
    together: Fields = {
        "O": O[:, turn].tolist(),
        "T": T[np.ix_(turn, turn)].tolist(),
        "weights": weights[turn].tolist(),
    }
    assert trials.finding_of(CAPABILITY, request, together) is None
    for name, item in (("T", LINE_10), ("weights", WEIGHTS)):
        found = trials.told(CAPABILITY, request, {**together, name: answer[name]})
        assert found.item == item
        assert found.what.startswith(name)


def test_findings_name_the_line() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "two-coins")
    O, T = array(answer, "O"), array(answer, "T")
    mu = O @ T
    wrong = {
        LINE_7: (O[:, [0, 0]], mu[:, [0, 0]]),
        MU: (O * (2, 3), mu * (2, 3)),
        LINE_9: (mu, mu),
        COLUMNS: (2 * O, 2 * mu),
    }
    for item, (columns, means) in wrong.items():
        follows = np.linalg.pinv(columns) @ means
        spoilt: Fields = {"O": columns.tolist(), "T": follows.tolist()}
        found = trials.told(CAPABILITY, request, spoilt)
        assert found.item == item


def test_any_order_of_many_tasks_is_found() -> None:
    """Nobody could try all 12! orders."""
    O = np.eye(12) + 1
    T = np.arange(1.0, 145.0).reshape(12, 12) / 144
    mu_3 = O @ T[:, ::-1]
    assert follows(T, O, mu_3)
    assert not follows(T, O, mu_3[:, [*range(11), 0]])
    assert not hmm_moments._right_T(T[::-1, ::-1], T), "beyond 7 tasks in the order given alone"


def test_columns_are_named_where_no_line_explains_them() -> None:
    """Neither does T follow from the right means, nor O from any that T would show."""
    request, answer = trials.literal_answer(CAPABILITY, "two-coins")
    O, T = array(answer, "O"), array(answer, "T")
    spoilt: Fields = {"O": (O * (2, 3)).tolist(), "T": T.T.tolist()}
    found = trials.told(CAPABILITY, request, spoilt)
    assert found.item == COLUMNS


def test_null_is_right_where_nothing_is_determined_and_only_there() -> None:
    null: Fields = {"O": None, "T": None}
    for name, item in (("two-coins", EXISTS), ("independent-tasks", None)):
        case = trials.case_named(CAPABILITY, name)
        found = trials.finding_of(CAPABILITY, case.input, null)
        assert (found and found.item) == item
    case = trials.case_named(CAPABILITY, "independent-tasks")
    numbers: Fields = {"O": ARMS.tolist(), "T": LEANING.tolist()}
    found = trials.told(CAPABILITY, case.input, numbers)
    assert found.item == FAILS


def test_infinite_numbers_are_wrong() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "two-coins")
    infinite = {**answer, "T": [["inf", 0.0], [0.0, 1.0]]}
    assert trials.finding_of(CAPABILITY, request, infinite) is not None


@pytest.mark.parametrize("huge", [1e200, -1.7e308])
def test_numbers_that_have_no_square_are_wrong(huge: float) -> None:
    request, answer = trials.literal_answer(CAPABILITY, "two-coins")
    O = (huge * np.ones_like(np.array(answer["O"]))).tolist()
    exchange = Exchange("", CAPABILITY.name, request, {**answer, "O": O})
    assert not assess(CAPABILITY, exchange).agrees
