"""Roundings that checks allow for: above what happens, and far below what would be wrong."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ptum.checks.claims.section_3.runs import named_settings, undecided_blockers
from ptum.checks.exact import mdp
from ptum.checks.exact.copies import exact_copy
from ptum.checks.exact.intervals import exp, log
from ptum.checks.instances.families import hmms
from ptum.checks.instances.families.named import NAMED_TASK_SETS
from ptum.checks.verdicts import tolerances
from ptum.reference.arrays import ROUNDING
from ptum.reference.repaired.sequential.alignment import align
from ptum.reference.repaired.sequential.spectral import learn_within_task
from ptum.reference.repaired.transfer.analysis.elimination import n_bar
from ptum.reference.repaired.transfer.analysis.sample_complexity import fundamental_bound
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.sample_complexity import FACTOR
from ptum.reference.transfer.confidence import log_term
from ptum.reference.transfer.information import index, information
from tests.support.closeness import near
from tests.support.instances import bandit, bernoulli_bandit, fork
from tests.support.strategies import generic_mdp

SEQUENCE = np.array([0, 0, 2, 1, 1, 0, 2, 2, 1, 0, 1, 2])


def drawn_pair(seed: int) -> ApproximateModels:
    """Two models with continuous numbers, whose values, gaps and deviations all round."""
    rng, gamma = np.random.default_rng(seed), (0.0, 0.5, 0.9)[seed % 3]
    return approximate_models(
        [generic_mdp(rng, 3, 2, gamma, deterministic=seed % 2 == 0) for _ in range(2)]
    )


PAIRS = (*(task_set.approximate for task_set in NAMED_TASK_SETS), *map(drawn_pair, range(12)))


def both_indices(models: ApproximateModels) -> Iterator[tuple[float, Fraction]]:
    """I_{s,a} of the first model and the second at every pair, Δ = 0: in doubles, in fractions."""
    found = information(models, theta=0, theta_prime=1, Delta=0.0)
    first, second = (exact_copy(theta) for theta in models.tasks[:2])
    for s, a in product(range(models.S), range(models.A)):
        yield float(found[s, a]), mdp.information(first, second, s, a, Fraction(0))


def test_an_index_is_off_by_less_than_is_allowed() -> None:
    seen = 0.0
    for models in PAIRS:
        for found, true in both_indices(models):
            off = abs(float(Fraction(found) - true))
            assert off <= tolerances.of_index(models) < 1e-11
            seen = max(seen, off)
    assert seen > 0


def test_a_count_may_exceed_its_bound_by_a_small_part_of_a_query() -> None:
    models = NAMED_TASK_SETS[0].approximate
    at_hundred, at_thousand = (tolerances.of_count(count, models) for count in (100, 1000))
    assert 10 * at_hundred < at_thousand < 100 * at_hundred
    assert at_thousand < 1e-6
    assert tolerances.of_count(0, models) == 0


def test_a_bound_on_queries_falls_below_the_exact_one_by_less_than_is_allowed() -> None:
    """C/I with C = 128 log 16; a share of 10⁻⁹, which is never allowed, would be a wrong digit."""
    C, seen = Fraction(FACTOR * tolerances.LEAST_LOG), 0.0
    for models in PAIRS:
        for found, true in both_indices(models):
            if true > 0:
                bound = float(C / true)
                short = float(C / true - C / Fraction(found))
                allowed = tolerances.of_count(bound, models)
                assert short <= allowed < 1e-9 * bound
                seen = max(seen, short)
    assert seen > 0


def arms(*means: float) -> ApproximateModels:
    """Models of one state and one arm with deterministic rewards, γ = 0."""
    return approximate_models([bandit([mean], 0.0) for mean in means])


@pytest.mark.parametrize(("more", "undecided"), [(0.0, 1), (1e-15, 1), (1e-12, 0), (-1e-12, 0)])
def test_a_model_at_the_border_of_a_set_is_undecided(more: float, undecided: int) -> None:
    """κ_ε = ε/4, so the rival is at the border of Θ_ε for ε = 4 (0.7 - 0.4)."""
    epsilon = 4 * (0.7 - 0.4) * (1 + more)
    assert tolerances.undecided_blockers(0, arms(0.4, 0.7), epsilon, 0.0) == undecided
    # the target is at distance 0, and the border of Θ_s at twice κ_ε
    assert tolerances.undecided_blockers(0, arms(0.4, 0.7), epsilon / 2, 0.0) == undecided


def test_blocking_is_decided_in_every_named_setting() -> None:
    assert [undecided_blockers(setting) for setting in named_settings(0.3)] == [0, 0, 0]


def between_arms(apart: float, share: float) -> tuple[ApproximateModels, float]:
    """Three arms, the target between the others, and a Δ that is a share of what hides them.

    Then the excess gap of the index is twice that of n̄, and the bound 128 L/I is n̄ on paper.
    """
    means = (0.5, 0.5 - apart, 0.5 + apart)
    return approximate_models([bernoulli_bandit([mean], 0.0) for mean in means]), share * apart / 4


def between_forks(apart: float, share: float) -> tuple[ApproximateModels, float]:
    """The same with transitions to x, worth 2, and y, worth 0; z is equal in all."""
    chances = (0.5, 0.5 - apart, 0.5 + apart)
    models = approximate_models([fork(chance, 1.0, 0.0, [0.0, 0.0]) for chance in chances])
    return models, share * 2 * apart / 4


@pytest.mark.parametrize("share", [0.0, 0.9, 1 - 1e-6, 1 - 1e-9])
def test_a_least_number_equal_to_its_bound_is_off_by_less_than_is_allowed(share: float) -> None:
    rng, seen = np.random.default_rng(0), 0.0
    for apart in rng.uniform(0.01, 0.1, size=30).tolist():
        for models, Delta in (between_arms(apart, share), between_forks(apart, share)):
            L = log_term(models.S, models.A, 1000, models.k, 0.1)
            bound = fundamental_bound((0, 1, 2), models, Delta, L)
            least = min(
                float(n_bar(Iteration(models, 0, (0, 1, 2), Delta), theta=j, L=L).min())
                for j in (1, 2)
            )
            I_t = float(index((0, 1, 2), models, Delta).max())
            off = abs(least / bound - 1)
            assert off <= tolerances.of_least_number(models.S, I_t)
            seen = max(seen, off)
    assert seen > 0


def test_what_an_index_of_rounding_bounds_is_not_known() -> None:
    assert tolerances.of_least_number(3, ROUNDING) == math.inf
    assert tolerances.of_least_number(3, 0.1) < 1e-12


@pytest.mark.parametrize("x", [Fraction(-40), Fraction(-1, 3), Fraction(1, 7), Fraction(25)])
def test_exponentials_are_enclosed(x: Fraction) -> None:
    found = exp(x)
    assert 0 < found.high - found.low <= found.low / 10**37
    assert log(found).low <= x <= log(found).high
    roundings = (abs(float(x)) + 1) * ROUNDING
    assert float(found) == pytest.approx(math.exp(x), rel=roundings, abs=0)
    assert exp(0).low == exp(0).high == 1


def test_small_gaps_are_hidden_with_less_certainty() -> None:
    assert tolerances.of_hidden_gap(1.0, 2, 1.0) == near(132 * ROUNDING)
    assert tolerances.of_hidden_gap(1e-6, 2, 10.0) == near((32 * 1e7 + 100) * ROUNDING)


def test_views_within_tasks_give_back_columns_up_to_rounding() -> None:
    O = hmms.three_task_chain().hmm.O
    found = learn_within_task(np.stack([O.T[SEQUENCE]] * 3), 3, 20, 100, np.random.default_rng(0))
    assert isinstance(found, HmmEstimate)
    off = float(np.linalg.norm(found.O[:, align(O, found.O)] - O, axis=0).max())
    assert off <= tolerances.of_views_within(O, SEQUENCE) < 1e-8


def test_a_task_that_does_not_occur_is_not_given_back() -> None:
    O = hmms.three_task_chain().hmm.O
    assert tolerances.of_views_within(O, np.array([0, 1, 0, 1])) == math.inf
