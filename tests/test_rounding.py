"""Roundings that checks allow for: above what happens, and far below what would be wrong."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from checks import exact, rounding
from checks.enclosed import exp, log
from checks.exact_copy import exact_copy
from checks.families import hmms
from checks.families.named import NAMED_TASK_SETS
from checks.families.shape import TaskSet
from checks.section_3.runs import named_settings, undecided_blockers
from reference.alignment import align
from reference.arrays import ROUNDING
from reference.confidence import log_term
from reference.information import index, information
from reference.mdp import MDP
from reference.models import ApproximateModels, approximate_models
from reference.repaired.elimination import n_bar
from reference.repaired.sample_complexity import fundamental_bound
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
    assert rounding.of_count(0, models) == 0


@pytest.mark.parametrize("task_set", NAMED_TASK_SETS, ids=lambda task_set: str(task_set.name))
def test_the_index_of_models_in_fractions_decides_about_the_same_counts(task_set: TaskSet) -> None:
    """A bound C/I of an exact I is never farther below a count than the rounded one may be."""
    models = task_set.approximate
    copies = [exact_copy(theta) for theta in models.tasks]
    found = information(0, 1, models, 0.0)
    for s in range(models.S):
        for a in range(models.A):
            true = exact.information(copies[0], copies[1], s, a, Fraction(0))
            if true > 0 and found[s, a] > 0:
                numerator = Fraction(128) * Fraction(math.log(16))
                count, rounded = numerator / true, 128 * math.log(16) / float(found[s, a])
                assert float(count - Fraction(rounded)) <= rounding.of_count(float(count), models)


def arms(*means: float) -> ApproximateModels:
    """Models of one state and one arm with certain rewards, γ = 0."""
    return approximate_models(
        [MDP(np.ones((1, 1, 1)), np.ones((1, 1, 1)), np.array([mean]), 0.0) for mean in means]
    )


@pytest.mark.parametrize(("more", "undecided"), [(0.0, 1), (1e-15, 1), (1e-12, 0), (-1e-12, 0)])
def test_a_model_at_the_border_of_a_set_is_undecided(more: float, undecided: int) -> None:
    """κ_ε = ε/4, so the rival is at the border of Θ_ε for ε = 4 (0.7 - 0.4)."""
    epsilon = 4 * (0.7 - 0.4) * (1 + more)
    assert rounding.undecided_blockers(0, arms(0.4, 0.7), epsilon, 0.0) == undecided
    # the target is at distance 0, and the border of Θ_s at twice κ_ε
    assert rounding.undecided_blockers(0, arms(0.4, 0.7), epsilon / 2, 0.0) == undecided


def test_blocking_is_decided_on_every_named_set() -> None:
    for setting in named_settings(0.3):
        assert undecided_blockers(setting) == 0


def half_way(middle: float, apart: float, share: float) -> tuple[ApproximateModels, float]:
    """Three arms, the target between the others, and a Δ that is a share of what hides them.

    Then the excess gap of the index is twice that of n̄, and the bound 128 L/I is n̄ on paper.
    """
    models = []
    for mean in (middle, middle - apart, middle + apart):
        law = np.array([[[1 - mean, mean]]])
        models.append(MDP(np.ones((1, 1, 1)), law, np.array([0.0, 1.0]), 0.0))
    return approximate_models(models), share * apart / 4


def fork(to_x: float) -> MDP:
    """s0 leads to x, which pays 1 for ever, or to y, which pays 0; γ = 1/2."""
    p = np.array([[[0.0, to_x, 1 - to_x]], [[0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]]])
    q = np.array([[[1.0, 0.0]], [[0.0, 1.0]], [[1.0, 0.0]]])
    return MDP(p, q, np.array([0.0, 1.0]), 0.5)


def between_forks(apart: float, share: float) -> tuple[ApproximateModels, float]:
    """The same with transitions, whose value is 2 in x and 0 in y."""
    models = approximate_models([fork(0.5), fork(0.5 - apart), fork(0.5 + apart)])
    return models, share * 2 * apart / 4


@pytest.mark.parametrize("share", [0.0, 0.9, 1 - 1e-6, 1 - 1e-9])
def test_a_least_number_equal_to_its_bound_is_off_by_less_than_is_allowed(share: float) -> None:
    rng, seen = np.random.default_rng(0), 0.0
    for apart in rng.uniform(0.01, 0.1, size=30).tolist():
        for models, Delta in (half_way(0.5, apart, share), between_forks(apart, share)):
            L = log_term(models.S, models.A, 1000, models.k, 0.1)
            bound = fundamental_bound((0, 1, 2), models, Delta, L)
            least = min(float(n_bar(j, 0, (0, 1, 2), models, Delta, L).min()) for j in (1, 2))
            I_t = float(index((0, 1, 2), models, Delta).max())
            off = abs(least / bound - 1)
            assert off <= rounding.of_least_number(models.S, I_t)
            seen = max(seen, off)
    assert seen > 0


def test_what_an_index_of_rounding_bounds_is_not_known() -> None:
    assert rounding.of_least_number(3, ROUNDING) == math.inf
    assert rounding.of_least_number(3, 0.1) < 1e-12


@pytest.mark.parametrize("x", [Fraction(-40), Fraction(-1, 3), Fraction(1, 7), Fraction(25)])
def test_exponentials_are_enclosed(x: Fraction) -> None:
    found = exp(x)
    assert 0 < found.high - found.low <= found.low / 10**37
    assert log(found).low <= x <= log(found).high
    assert float(found) == pytest.approx(math.exp(x), rel=abs(float(x)) * ROUNDING + ROUNDING)
    assert exp(0).low == exp(0).high == 1


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
