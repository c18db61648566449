"""Roundings that checks allow for: above what happens, and far below what would be wrong."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from checks import exact, rounding
from checks.exact_copy import exact_copy
from checks.families import hmms
from checks.families.named import NAMED_TASK_SETS
from checks.families.shape import TaskSet
from reference.alignment import align
from reference.arrays import ROUNDING
from reference.information import information
from reference.repaired.spectral import learn_within_task
from reference.spectral import HmmEstimate

SEQUENCE = np.array([0, 0, 2, 1, 1, 0, 2, 2, 1, 0, 1, 2])


@pytest.mark.parametrize("task_set", NAMED_TASK_SETS, ids=lambda task_set: str(task_set.name))
def test_an_index_is_off_by_less_than_is_allowed(task_set: TaskSet) -> None:
    """Against the index of the same models in fractions, Δ = 0."""
    models = task_set.approximate
    copies = [exact_copy(theta) for theta in models.tasks]
    found = information(0, 1, models, 0.0)
    for s in range(models.S):
        for a in range(models.A):
            true = exact.information(copies[0], copies[1], s, a, Fraction(0))
            assert abs(found[s, a] - float(true)) <= rounding.of_index(models)
    assert rounding.of_index(models) < 1e-11


def test_a_count_may_exceed_its_bound_by_a_small_part_of_a_query() -> None:
    models = NAMED_TASK_SETS[0].approximate
    at_hundred, at_thousand = (rounding.of_count(count, models) for count in (100, 1000))
    assert 10 * at_hundred < at_thousand < 100 * at_hundred
    assert at_thousand < 1e-6
    assert rounding.of_count(1000, models, 1e-7) == pytest.approx(at_thousand + 1e-4)
    assert rounding.of_count(0, models) == 0


def test_small_gaps_are_hidden_with_less_certainty() -> None:
    assert rounding.of_hidden_gap(1.0, 2, 1.0) == pytest.approx(132 * ROUNDING)
    assert rounding.of_hidden_gap(1e-6, 2, 10.0) == pytest.approx(32 * 1e7 * ROUNDING, rel=1e-3)


def test_views_within_tasks_give_back_columns_up_to_rounding() -> None:
    O = hmms.three_task_chain().hmm.O
    found = learn_within_task(np.stack([O.T[SEQUENCE]] * 3), 3, 20, 100, np.random.default_rng(0))
    assert isinstance(found, HmmEstimate)
    off = float(np.linalg.norm(found.O[:, align(O, found.O)] - O, axis=0).max())
    assert off <= rounding.of_views_within(O, SEQUENCE) < 1e-8


def test_a_task_that_does_not_occur_is_not_given_back() -> None:
    O = hmms.three_task_chain().hmm.O
    assert rounding.of_views_within(O, np.array([0, 1, 0, 1])) == math.inf
