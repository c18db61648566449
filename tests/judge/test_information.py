"""Definition 1."""

from __future__ import annotations

import math

import numpy as np
import pytest

from checks.judge.capabilities import information
from checks.judge.fields import MalformedError
from checks.judge.parsing import as_errors, mapping, models_of
from checks.known_bad import Bad
from checks.known_bad.information import BAD
from reference.models import ApproximateModels
from tests.judge import trials
from tests.judge.entries import assert_every_entry_counts

CAPABILITY = information.CAPABILITY


def test_cases_are_well_formed() -> None:
    trials.assert_well_formed(CAPABILITY)


@pytest.mark.parametrize("name", information.GOOD)
def test_right_implementations_conform(name: str) -> None:
    assert trials.options_seen(CAPABILITY, information.GOOD[name]) == {}


@pytest.mark.parametrize("bad", BAD, ids=trials.ids_of(BAD))
def test_wrong_implementations_are_caught(bad: Bad) -> None:
    trials.assert_caught(bad)


@pytest.mark.parametrize("name", ["three-models", "mirrored-long", "infinite-error", "twins"])
def test_tolerance_bites(name: str) -> None:
    case = trials.case_named(CAPABILITY, name)
    trials.assert_tolerance_bites(
        CAPABILITY, case, information.literal, CAPABILITY.tolerance(case.input)
    )


def test_every_entry_counts() -> None:
    assert_every_entry_counts(CAPABILITY, "flat-against-steep", information.GOOD)


def test_the_piece_that_is_named_is_the_information_there() -> None:
    named = set()
    for case in trials.edge_cases(CAPABILITY):
        models = models_of(case.input)
        Delta = as_errors(mapping(case.input, "errors")).Delta
        allowed, due = CAPABILITY.tolerance(case.input)["I"], information.table(models, Delta)
        for place in np.argwhere(due > allowed).tolist():
            said = information.piece(models, Delta, *place)
            (number,) = (i for i, piece in enumerate(information.PIECES) if said.endswith(piece))
            assert abs(pieces(models, Delta, *place)[number] - due[tuple(place)]) <= allowed, (
                case.id
            )
            named.add(number)
    assert named == {0, 1, 2, 3}


def pieces(
    models: ApproximateModels, Delta: float, theta: int, other: int, s: int, a: int
) -> tuple[float, float, float, float]:
    """What Definition 1 compares at one place, in the order of `information.PIECES`."""
    V = models.V_star[theta]
    gaps = models.r[theta] - models.r[other], (models.p[theta] - models.p[other]) @ V
    x_r, x_p = (max(abs(float(gap[s, a])) - 8 * Delta, 0.0) for gap in gaps)
    deviations = models.sigma_r[theta, s, a], models.sigma_p[theta, s, a, theta]
    of_r, of_p = (
        (x / float(sigma)) ** 2 if sigma > 0 else math.inf
        for x, sigma in zip((x_r, x_p), deviations, strict=True)
    )
    return of_r, x_r, of_p, (1 - models.gamma) * x_p


def test_an_infinite_error_hides_everything() -> None:
    _, answer = trials.literal_answer(CAPABILITY, "infinite-error", information.GOOD)
    assert not np.any(np.array(answer["I"]))


@pytest.mark.parametrize("value", [None, 1.0, [[1.0]], float("nan"), "inf"])
def test_malformed_answers_are_refused(value: object) -> None:
    request, _ = trials.literal_answer(CAPABILITY, "bandits", information.GOOD)
    with pytest.raises(MalformedError, match=r"^I "):
        trials.finding_of(CAPABILITY, request, {"I": value})
