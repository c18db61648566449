"""Algorithm 3 from observations."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from ptum.checks.judge.capabilities.sequential import hmm_samples
from ptum.checks.judge.capabilities.sequential.hmm_samples import (
    CERTAIN_LINES,
    DIVISORS,
    EXISTS,
    LINE_1,
    LINE_2,
    LINE_10,
    LINES_1_2_9,
    LINES_1_3_9,
    LINES_1_AND_10,
    LINES_3_TO_8,
    LINES_4_TO_8,
    NO_ESTIMATE,
    READINGS,
    admissible,
)
from ptum.checks.judge.judging.hmms import (
    ALL,
    FIRST,
    LAST,
    algorithm_3,
    attractors,
    discoveries,
    triples,
)
from ptum.checks.judge.judging.items import Item, Telling, lines, telling
from ptum.checks.judge.judging.options import FAILURE, GOES_ON
from ptum.checks.judge.judging.readings import Finding, Option, Reading, assess
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import array
from ptum.checks.judge.messages.parsing import whole
from ptum.checks.judge.messages.transcript import Exchange, Fields
from ptum.checks.judge.slips import Slip, slips
from tests.checks.judge.support import trials

CAPABILITY = hmm_samples.CAPABILITY


def test_triples() -> None:
    o = np.arange(8.0)[:, np.newaxis]

    def found(which: str) -> list[list[float]]:
        views: list[list[float]] = np.hstack(triples(o, which)).tolist()
        return views

    assert found(LAST) == [[0, 1, 2], [3, 4, 5]]
    assert found(FIRST) == [[2, 3, 4], [5, 6, 7]]
    assert found(ALL) == [[i, i + 1, i + 2] for i in range(6)]


def test_every_order_of_discovery_is_known() -> None:
    """A sum of three orthogonal components can be taken apart in six orders, and no other way."""
    tensor = np.einsum("j,aj,bj,cj->abc", np.array([1.0, 2.0, 3.0]), *[np.eye(3)] * 3)
    assert len(attractors(tensor)) == 3
    orders = {tuple(np.round(lambdas).tolist()) for lambdas, _ in discoveries(tensor, 3)}
    assert orders == set(permutations((1.0, 2.0, 3.0)))


def test_answers_do_not_depend_on_how_long_the_power_method_runs() -> None:
    """Every reading of every case has converged after 60 steps; the judge takes 200."""
    for case in trials.edge_cases(CAPABILITY):
        o, k = array(case.input, "observations"), whole(case.input, "k")
        for reading in (reading for reading in READINGS if FAILURE in reading):
            soon, _ = algorithm_3(o, k, hmm_samples.ways_of(reading), steps=60)
            late = admissible(o, k, reading).estimates
            assert len(soon) == len(late), case.id
            for one, other in zip(soon, late, strict=True):
                assert np.allclose(one.O, other.O, rtol=0, atol=FLOOR), case.id


def test_tolerances_are_small_where_answers_are_compared() -> None:
    for case in CAPABILITY.cases(0):
        allowed = hmm_samples.tolerance(case.input)
        ill = "ill-conditioned" in case.flags
        assert allowed["O"] <= (1e-3 if ill else 1e-5)
        assert allowed["T"] <= (0.25 if ill else 1e-4)


@pytest.mark.parametrize("name", ["noisy", "coins", "clear-one-left-over", "three-tasks"])
def test_tolerances_bite(name: str) -> None:
    """Each estimate is held to its own bound."""
    case = trials.case_named(CAPABILITY, name)
    o, k = array(case.input, "observations"), whole(case.input, "k")
    expected = admissible(o, k, READINGS[0])
    for estimate, allowed in zip(expected.estimates, expected.tolerances, strict=True):
        answer: Fields = {"O": estimate.O.tolist(), "T": estimate.T.tolist()}
        for field in ("O", "T"):
            near = trials.shifted(answer, field, allowed[field] / 10)
            far = trials.shifted(answer, field, allowed[field] * 10)
            assert trials.finding_of(CAPABILITY, case.input, near) is None
            found = trials.told(CAPABILITY, case.input, far)
            # without noise a right Ô says nothing about lines 1-9
            of_T = CERTAIN_LINES if name == "three-tasks" else LINE_10
            behind = (LINES_1_2_9, LINES_1_3_9, LINES_3_TO_8, LINES_4_TO_8)
            assert found.item in {"O": behind, "T": (of_T,)}[field]


def test_line_9_is_named_where_the_means_of_the_third_view_are_right() -> None:
    """Ô is twice too large; T̂ shows the right μ̂_3, or does not."""
    case = trials.case_named(CAPABILITY, "clear-one-left-over")
    o, k = array(case.input, "observations"), whole(case.input, "k")
    right = admissible(o, k, READINGS[0]).estimates[0]
    for T, item in ((right.T / 2, LINES_1_2_9), (right.T, LINES_3_TO_8)):
        spoilt: Fields = {"O": (2 * right.O).tolist(), "T": T.tolist()}
        found = trials.told(CAPABILITY, case.input, spoilt)
        assert found.item == item


@cache
def deviations(slug: str) -> tuple[Finding, ...]:
    """What is told of a slip in every case that no reading excuses."""
    bad = next(bad for bad in slips() if bad.id == f"{CAPABILITY.name}/{slug}").implementation
    answers = (trials.answered(CAPABILITY, case, bad) for case in CAPABILITY.cases(0))
    told = [assess(CAPABILITY, answer) for answer in answers]
    return tuple(one.finding for one in told if not one.agrees and one.finding is not None)


TOGETHER = "null-at-small-eigenvalues"
"""Null is right there with inverses of rank k (D102): only beside other answers is it wrong."""

SLIPS_OF_LINES = [
    bad for bad in slips() if bad.capability == CAPABILITY.name and bad.slug != TOGETHER
]
COARSE = frozenset(lines(3, 1, 9))


@pytest.mark.parametrize("bad", SLIPS_OF_LINES, ids=lambda bad: str(bad.slug))
def test_in_every_case_the_line_of_a_slip_is_among_those_told(bad: Slip) -> None:
    found = deviations(bad.slug)
    assert found
    missed = [one.item for one in found if telling(bad.breaks, one.item) is Telling.MISSED]
    assert missed == []


def test_fewer_lines_than_all_are_told() -> None:
    """Wherever there are numbers, and noise: null and certain observations tell of no line."""
    for bad in SLIPS_OF_LINES:
        items = {one.item for one in deviations(bad.slug)} - {EXISTS, CERTAIN_LINES}
        assert [item for item in items if item.places >= COARSE] == [], bad.slug
        assert items or bad.slug == "window-of-observations"


@pytest.mark.parametrize(
    ("slug", "what", "items"),
    [
        ("t-transposed", "T", {LINE_10, CERTAIN_LINES}),
        ("unlike-divisors", "T", {DIVISORS, CERTAIN_LINES}),
        ("deflation-without-lambda", "O", {LINES_3_TO_8, LINES_4_TO_8}),
        ("triples-backwards", "OT", {LINE_1, LINES_1_AND_10, CERTAIN_LINES}),
        ("centred", "O", {LINE_2, LINES_1_2_9, EXISTS}),
        ("views-exchanged", "OT", {LINES_1_2_9, CERTAIN_LINES}),
        ("offset-of-triples", "O", {LINES_1_3_9, EXISTS}),
        ("sigma-21-for-sigma-12", "O", {LINES_3_TO_8, EXISTS}),
        ("second-view-in-m3", "O", {LINES_3_TO_8, LINES_4_TO_8}),
        ("third-view-for-o", "OT", {LINES_1_2_9, CERTAIN_LINES}),
    ],
)
def test_the_first_wrong_intermediate_names_the_lines(
    slug: str, what: str, items: set[Item]
) -> None:
    """A slip that touches T̂ alone is not charged to Ô, whatever reading Ô is right in."""
    found = deviations(slug)
    assert {one.item for one in found} == items
    assert {one.what[0] for one in found} == set(what)


def test_every_choice_makes_a_difference_somewhere() -> None:
    """Every option refuses some answer, but for the one that admits all that its sister does."""
    every, decided = _options(READINGS), set[Option]()
    for name in ("noisy-two-left-over", "too-few"):
        case = trials.case_named(CAPABILITY, name)
        answers = [
            trials.answered(CAPABILITY, case, good) for good in hmm_samples.CONFORMING.values()
        ]
        admitted = [_options(assess(CAPABILITY, answer).agrees) for answer in answers]
        decided |= {one for one in every if len({one in options for options in admitted}) == 2}
    assert decided == every - {GOES_ON}


def _options(readings: Iterable[Reading]) -> set[Option]:
    return {option for reading in readings for option in reading}


def test_null_is_right_only_where_there_may_be_no_estimate() -> None:
    null: Fields = {"O": None, "T": None}
    expected = {"too-few": None, "complex": None, "noisy": EXISTS, "certain-swap": None}
    for name, item in expected.items():
        case = trials.case_named(CAPABILITY, name)
        found = trials.finding_of(CAPABILITY, case.input, null)
        assert (found and found.item) == item, name


def test_numbers_without_an_estimate_are_told() -> None:
    case = trials.case_named(CAPABILITY, "too-few")
    numbers: Fields = {"O": np.ones((6, 2)).tolist(), "T": np.eye(2).tolist()}
    exchange = Exchange(case.id, CAPABILITY.name, case.input, numbers)
    found = assess(CAPABILITY, exchange)
    assert found.finding is not None
    assert found.finding.item == NO_ESTIMATE
    assert all(GOES_ON in reading for reading in found.agrees)
