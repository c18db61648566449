"""Algorithm 3 as printed and repaired, and learning from views within a task."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import itertools
import math
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptum.checks.verdicts.tolerances import of_views_within
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential import spectral as repaired
from ptum.reference.repaired.sequential.spectral import SpectralOutcome
from ptum.reference.sequential import spectral as printed
from ptum.reference.sequential.hmm import (
    HMM,
    Moments,
    population_moments,
    rank_k_inverse,
    task_sequence,
)
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.sequential.recovery import recovery_tolerance
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotIdentifiable,
    empirical_moments,
)
from tests.support.closeness import OF_A_FORMULA, near
from tests.support.hidden import (
    SINGULAR,
    UNIFORM_3,
    Sizes,
    batches,
    cycle,
    drawn_columns,
    drawn_hmm,
    observations,
    three_task_hmm,
    three_tasks,
)
from tests.support.recovered import (
    aligned,
    apart,
    column_error,
    estimate_of,
    frequencies_off,
    transitions,
)

SEEDS = st.integers(0, 2**32 - 1)
SMALL = Sizes(2, 2, 2)
IID = np.full((3, 3), 1 / 3)
O_3 = observation_matrix(three_tasks())
FromMoments: TypeAlias = Callable[
    [Moments, int, int, int, np.random.Generator], HmmEstimate | NotIdentifiable
]
FROM_MOMENTS = pytest.mark.parametrize(
    "learn", [printed.learn_from_moments, repaired.learn_from_moments], ids=["printed", "repaired"]
)


def chain(T: Floats, h: int, seed: int, first: int = 0) -> Ints:
    return task_sequence(T, np.eye(len(T))[first], h, np.random.default_rng(seed))


# Exact moments.


@FROM_MOMENTS
def test_exact_moments_give_back_the_model(learn: FromMoments) -> None:
    """200 chains with any first distribution: O, T and the weights T π, up to one relabelling."""
    rng = np.random.default_rng(7)
    for i in range(200):
        k = 2 + i % 3
        hmm = drawn_hmm(rng, k, Sizes(2, 2, 2 + i % 2))
        allowed = recovery_tolerance(hmm, hmm.initial)
        assert max(allowed.O, allowed.T) < 1e-2  # far below the distance of two tasks
        found = aligned(learn(population_moments(hmm, hmm.initial), k, 15, 25, rng), hmm.O)
        assert column_error(found.O, hmm.O) <= allowed.O
        assert column_error(found.T, hmm.T) <= allowed.T
        np.testing.assert_allclose(found.weights, hmm.T @ hmm.initial, rtol=0, atol=allowed.T)
        np.testing.assert_allclose(found.eigenvalues, found.weights**-0.5, rtol=OF_A_FORMULA)


@FROM_MOMENTS
@settings(max_examples=15)
@given(seed=SEEDS)
def test_relabelling_the_tasks_relabels_the_estimate(learn: FromMoments, seed: int) -> None:
    rng = np.random.default_rng(seed)
    hmm = drawn_hmm(rng, 3, SMALL)
    order = rng.permutation(3)
    other = HMM(O=hmm.O[:, order], T=hmm.T[np.ix_(order, order)], initial=hmm.initial[order])
    allowed = recovery_tolerance(hmm, hmm.initial)
    found = aligned(learn(population_moments(other, other.initial), 3, 15, 25, rng), hmm.O)
    assert column_error(found.O, hmm.O) <= allowed.O
    assert column_error(found.T, hmm.T) <= allowed.T


@FROM_MOMENTS
@pytest.mark.parametrize(
    ("T", "distribution"),
    [
        (IID, UNIFORM_3),
        (SINGULAR, UNIFORM_3),
        (cycle(3), np.array([1.0, 0, 0])),
        (np.eye(3), np.array([0, 1.0, 0])),
        (cycle(3, 0.8, 0.1), np.array([0.5, 0.5, 0])),
    ],
    ids=["independent", "singular", "cycle of three", "one task for ever", "task never first"],
)
def test_moments_without_rank_k_are_not_identifiable(
    learn: FromMoments, T: Floats, distribution: Floats
) -> None:
    hmm = HMM(O=O_3, T=T, initial=distribution)
    moments = population_moments(hmm, distribution)
    assert isinstance(learn(moments, 3, 10, 20, np.random.default_rng(0)), NotIdentifiable)
    assert np.isinf(recovery_tolerance(hmm, distribution).O)


@FROM_MOMENTS
def test_tasks_apart_but_dependent_are_not_identifiable(learn: FromMoments) -> None:
    """One pair, success chances 0.2, 0.5, 0.8: all gaps are positive, and O has rank two."""
    chances = np.array([0.2, 0.5, 0.8])
    O = np.stack([chances, 1 - chances, np.ones(3)])
    hmm = HMM(O=O, T=cycle(3, 0.8, 0.1), initial=UNIFORM_3)
    moments = population_moments(hmm, UNIFORM_3)
    assert isinstance(learn(moments, 3, 10, 20, np.random.default_rng(0)), NotIdentifiable)


def with_second_moment(M_2: Floats) -> Moments:
    k = len(M_2)
    M_3 = np.einsum("ai,bi,ci->abc", np.eye(k), np.eye(k), np.eye(k))
    one = np.eye(k)
    return Moments(one, one, one, one, one, M_2, M_3, terms=1)


WELL_CONDITIONED = 1e-12
"""Every condition is one: as in `recovery_tolerance` f is 24 roundings, ε 89 and the error 3400."""


def test_complex_eigenvalues_end_the_printed_algorithm_but_not_the_repaired_one() -> None:
    """[[1, 0.3], [-0.3, 1]] has eigenvalues 1 ± 0.3i; its symmetric part is the identity."""
    moments = with_second_moment(np.array([[1, 0.3], [-0.3, 1]]))
    rng = np.random.default_rng(0)
    outcome = printed.learn_from_moments(moments, 2, 5, 10, rng)
    assert outcome == NotIdentifiable("a leading eigenvalue of M_2 (complex)", 1.0, np.inf)
    found = aligned(repaired.learn_from_moments(moments, 2, 5, 10, rng), np.eye(2))
    np.testing.assert_allclose(found.O, np.eye(2), rtol=0, atol=WELL_CONDITIONED)


def test_a_double_eigenvalue_defeats_the_printed_algorithm_but_not_the_repaired_one() -> None:
    """The identity up to rounding: [[1, t], [0, 1+t]] has eigenvectors (1,0), (1,1)/√2 (D104).

    An error of t in M_2 grows to 2(√2(13·12 + 4) + 2)t as in `recovery_tolerance`.
    """
    t = 2.0**-45
    moments = with_second_moment(np.array([[1, t], [0, 1 + t]]))
    rng = np.random.default_rng(0)
    literal = aligned(printed.learn_from_moments(moments, 2, 20, 50, rng), np.eye(2))
    assert np.abs(literal.O - np.eye(2)).max() > 0.1
    found = aligned(repaired.learn_from_moments(moments, 2, 20, 50, rng), np.eye(2))
    np.testing.assert_allclose(found.O, np.eye(2), rtol=0, atol=457 * t + WELL_CONDITIONED)


@FROM_MOMENTS
def test_negative_eigenvalues_have_no_root(learn: FromMoments) -> None:
    outcome = learn(with_second_moment(np.diag([1.0, -0.5])), 2, 5, 10, np.random.default_rng(0))
    assert isinstance(outcome, NotIdentifiable)
    assert outcome.value == near(-0.5)


@FROM_MOMENTS
def test_a_tensor_without_a_kth_component_is_no_model(learn: FromMoments) -> None:
    moments = with_second_moment(np.eye(2))
    M_3 = np.zeros((2, 2, 2))
    M_3[0, 0, 0] = 1
    outcome = learn(replace(moments, M_3=M_3), 2, 5, 10, np.random.default_rng(0))
    assert isinstance(outcome, NotIdentifiable)
    assert "M_3" in outcome.quantity


def test_largest_eigenvalues_are_those_of_largest_modulus() -> None:
    """2 or -2 comes before 1; the latter has no root."""
    plus, minus = (
        printed.learn_from_moments(
            with_second_moment(np.diag([3.0, 1.0, third])), 2, 10, 20, np.random.default_rng(0)
        )
        for third in (2.0, -2.0)
    )
    assert not estimate_of(plus).O[1].any()
    assert np.abs(estimate_of(plus).O[[0, 2]]).max() > 0
    assert isinstance(minus, NotIdentifiable)
    assert minus.value == near(-2.0)


# The printed algorithm on observations.


def test_lines_1_to_4_by_plain_loops() -> None:
    rng = np.random.default_rng(2)
    o = observations(rng, O_3, chain(cycle(3, 0.8, 0.1), 50, 1), SMALL, 4)
    moments, m = empirical_moments(o), 16
    triples = [(o[3 * n], o[3 * n + 1], o[3 * n + 2]) for n in range(m)]

    def sigma(i: int, j: int) -> Floats:
        products: Floats = np.mean([np.outer(t[i - 1], t[j - 1]) for t in triples], axis=0)
        return products

    for i, j in ((1, 2), (1, 3), (2, 1), (3, 1), (3, 2)):
        got = getattr(moments, f"Sigma_{i}{j}")
        np.testing.assert_allclose(got, sigma(i, j), rtol=0, atol=4 * m * ROUNDING)
    cut = (4 * m + 16) * ROUNDING
    A_1 = sigma(3, 2) @ np.linalg.pinv(sigma(1, 2), rcond=cut)
    A_2 = sigma(3, 1) @ np.linalg.pinv(sigma(2, 1), rcond=cut)
    M_2 = np.mean([np.outer(A_1 @ x, A_2 @ y) for x, y, _ in triples], axis=0)
    M_3 = np.mean([np.multiply.outer(np.outer(A_1 @ x, A_2 @ y), z) for x, y, z in triples], axis=0)
    allowed = pinv_rounding(moments)
    np.testing.assert_allclose(moments.M_2, M_2, rtol=0, atol=allowed)
    np.testing.assert_allclose(moments.M_3, M_3, rtol=0, atol=allowed)


def pinv_rounding(moments: Moments) -> float:
    """Rounding of Σ̂_12 through its inverse, A = Σ̂_32 Σ̂_12^† and the like, then two or three views.

    As in `recovery_tolerance`: u σ_1/σ_min (1 + ‖A_1‖)(1 + ‖A_2‖), times observations of length
    at most √(2SA) = √8, of which there are at most three.
    """
    sigma = np.linalg.svd(moments.Sigma_12, compute_uv=False)
    cut = (4 * moments.terms + len(sigma)) * ROUNDING
    least = sigma[sigma > cut * sigma[0]].min()
    A_1 = moments.Sigma_32 @ np.linalg.pinv(moments.Sigma_12, rcond=cut)
    A_2 = moments.Sigma_31 @ np.linalg.pinv(moments.Sigma_21, rcond=cut)
    growth = (1 + np.linalg.norm(A_1, 2)) * (1 + np.linalg.norm(A_2, 2))
    return float(cut * sigma[0] / least * growth * 8**1.5)


def columns_off(moments: Moments, weights: Floats, e: float) -> float:
    """How far lines 5-9 carry an error e of M_2 and M_3, as in `sequential/recovery`."""
    sigma = np.linalg.svd(moments.M_2, compute_uv=False)
    largest, least = float(sigma[0]), float(sigma[len(weights) - 1])
    lambda_max, f = 1 / math.sqrt(float(weights.min())), 4 * e / least
    epsilon = e * (2 / least) ** 1.5 + lambda_max * ((1 + f) ** 3 - 1)
    e_mu = math.sqrt(2 * largest) * (13 * epsilon + lambda_max * f)
    e_mu += 2 * e * lambda_max / math.sqrt(least)
    A_O = float(np.linalg.norm(moments.Sigma_21 @ np.linalg.pinv(moments.Sigma_31, rcond=1e-12), 2))
    return float(2 * (1 + A_O) * e_mu)


def few_triples(m: int, seed: int) -> Floats:
    """3m observations of the three tasks; with m ≤ 9 = d - 2SA + 1 all rows are independent."""
    rng = np.random.default_rng(seed)
    return observations(rng, O_3, chain(cycle(3, 0.8, 0.1), 3 * m, seed), SMALL, 20)


@pytest.mark.parametrize("m", [4, 6, 8])
def test_full_inverses_turn_both_views_into_the_third(m: int) -> None:
    """M̂_2 is then the noisy second moment of o_3 alone, and line 9 maps o_3 to o_2."""
    o = few_triples(m, seed=m)
    o_2, o_3 = o[1::3], o[2::3]
    moments = empirical_moments(o)
    allowed = pinv_rounding(moments)
    assert allowed < 1e-6
    np.testing.assert_allclose(moments.M_2, o_3.T @ o_3 / m, rtol=0, atol=allowed)
    third = np.einsum("la,lb,lc->abc", o_3, o_3, o_3) / m
    np.testing.assert_allclose(moments.M_3, third, rtol=0, atol=allowed)
    back = moments.Sigma_21 @ np.linalg.pinv(moments.Sigma_31, rcond=1e-12)
    np.testing.assert_allclose(o_3 @ back.T, o_2, rtol=0, atol=allowed)


def test_rank_k_inverses_do_not() -> None:
    o = few_triples(8, seed=8)
    o_1, o_2, o_3 = o[0::3], o[1::3], o[2::3]
    carried = o_1 @ (o_3.T @ o_2 @ rank_k_inverse(o_1.T @ o_2, 3)).T
    assert np.abs(carried - o_3).max() > 0.1


def test_few_triples_make_the_printed_estimate_blind_for_the_first_task() -> None:
    """Any other first views give the same columns, and those are no tasks."""
    o = few_triples(8, seed=3)
    other = np.array(o)
    other[0::3] = observations(np.random.default_rng(9), O_3, np.arange(8) % 3, SMALL, 20)
    first, second = (
        estimate_of(printed.learn_hmm(data, 3, 20, 30, np.random.default_rng(0)))
        for data in (o, other)
    )
    allowed = 0.0
    for data, found in ((o, first), (other, second)):
        moments = empirical_moments(data)
        allowed += columns_off(moments, found.weights, pinv_rounding(moments))
    assert column_error(first.O, second.O) <= allowed < 0.02
    assert column_error(aligned(first, O_3).O, O_3) > 0.5


def test_observations_left_over_are_dropped() -> None:
    o = few_triples(8, seed=5)
    for learn in (printed.learn_hmm, repaired.learn_hmm):
        outcomes = [learn(o[:h], 2, 5, 10, np.random.default_rng(0)) for h in (21, 22, 23)]
        for other in outcomes[1:]:
            same_outcome(outcomes[0], other)


def same_outcome(first: SpectralOutcome, second: SpectralOutcome) -> None:
    if isinstance(first, HmmEstimate):
        second = estimate_of(second)
        np.testing.assert_array_equal(first.O, second.O)
        np.testing.assert_array_equal(first.T, second.T)
    else:
        assert first == second


# The repaired algorithm on observations.


def learn_cross(
    tasks: Ints, seed: int, *, overlapping: bool = False, n: int = 9
) -> SpectralOutcome:
    rng = np.random.default_rng(seed)
    o = observations(rng, O_3, tasks, SMALL, n)
    return repaired.learn_hmm(o, 3, 15, 25, rng, overlapping=overlapping)


@pytest.mark.parametrize("overlapping", [False, True])
def test_repaired_algorithm_learns_a_mixing_chain(overlapping: bool) -> None:
    """Errors fall like 1/√h: sixteen times the data, a quarter, up to a factor of two."""
    T = cycle(3, 0.8, 0.1)
    early, late = (
        aligned(learn_cross(chain(T, h, 1), 2, overlapping=overlapping), O_3) for h in (3000, 48000)
    )
    assert column_error(early.O, O_3) < apart(O_3) / 10
    assert column_error(early.T, T) < apart(T) / 10
    assert column_error(late.O, O_3) < column_error(early.O, O_3) / 2
    assert column_error(late.T, T) < column_error(early.T, T) / 2


@pytest.mark.parametrize(
    ("T", "overlapping"),
    [
        (IID, False),
        (IID, True),
        (SINGULAR, False),
        (SINGULAR, True),
        (cycle(3), False),
        (np.eye(3), False),
        (np.eye(3), True),
    ],
)
def test_chains_that_hide_a_task_are_not_identifiable(T: Floats, overlapping: bool) -> None:
    """30 runs each; noise passes for a model in fewer than one run of twenty."""
    passed = 0
    for seed in range(30):
        h = (60, 300, 1200)[seed % 3]
        outcome = learn_cross(chain(T, h, seed), seed, overlapping=overlapping)
        passed += not isinstance(outcome, NotIdentifiable)
    assert passed <= 1


def test_views_2_and_3_must_be_related_too() -> None:
    """View 1 repeats view 2 or view 3, which are independent: Σ̂_12 and Σ̂_31 are of rank two.

    No chain of tasks does that, but data can. M̂_2 = Σ̂_32 Σ̂_12^† Σ̂_13 has rank one.
    """
    triples = [
        ((second, third)[copied], second, third)
        for second, third, copied in itertools.product(range(2), repeat=3)
    ]
    o = O_3[:, np.array(triples * 100).ravel()].T
    outcome = repaired.learn_hmm(o, 2, 5, 10, np.random.default_rng(0))
    assert isinstance(outcome, NotIdentifiable)
    assert outcome.quantity == "eigenvalue 2 of M_2"


def test_exact_observations_of_a_hidden_task_are_not_identifiable_either() -> None:
    """Without noise the threshold is what rounding makes."""
    for tasks in (np.zeros(60, dtype=np.int64), np.arange(60) % 3):
        exact = O_3[:, tasks].T
        outcome = repaired.learn_hmm(exact, 3, 5, 10, np.random.default_rng(0))
        assert isinstance(outcome, NotIdentifiable)
        assert 0 < outcome.threshold < 1e-12


def test_overlapping_triples_learn_the_cycle_that_disjoint_ones_cannot() -> None:
    found = aligned(learn_cross(chain(cycle(3), 1200, 0), 0, overlapping=True), O_3)
    assert column_error(found.O, O_3) < apart(O_3) / 10
    assert column_error(found.T, cycle(3)) < apart(cycle(3)) / 10


def test_full_inverses_are_far_worse_than_rank_k() -> None:
    """Where the printed algorithm gives numbers at all."""
    T = cycle(3, 0.8, 0.1)
    times_worse = []
    for seed in range(5):
        tasks = chain(T, 3000, seed)
        o = observations(np.random.default_rng(seed), O_3, tasks, SMALL, 9)
        good = aligned(repaired.learn_hmm(o, 3, 15, 25, np.random.default_rng(0)), O_3)
        literal = printed.learn_hmm(o, 3, 15, 25, np.random.default_rng(0))
        if isinstance(literal, HmmEstimate):
            bad = column_error(aligned(literal, O_3).O, O_3)
            times_worse.append(bad / column_error(good.O, O_3))
    assert times_worse
    assert min(times_worse) > 3


def test_turning_the_order_of_coordinates_turns_the_rows_of_O() -> None:
    rng = np.random.default_rng(4)
    o = observations(rng, O_3, chain(cycle(3, 0.8, 0.1), 900, 4), SMALL, 9)
    order = rng.permutation(16)
    plain = estimate_of(repaired.learn_hmm(o, 3, 15, 25, np.random.default_rng(0)))
    other = repaired.learn_hmm(o[:, order], 3, 15, 25, np.random.default_rng(1))
    found = aligned(other, plain.O[order])
    off = of_another_order(900, 16)
    np.testing.assert_allclose(found.O, plain.O[order], rtol=0, atol=off)
    np.testing.assert_allclose(transitions(found), transitions(plain), rtol=0, atol=off)


def of_another_order(h: int, d: int) -> float:
    """What the order of sums does to an estimate: 4h + d roundings (D99), and what they grow to.

    It divides by σ_3(Σ̂_31) and the like, which are a few times 0.1, three times in a row.
    """
    return 10**3 * (4 * h + d) * ROUNDING


def test_noiseless_cycle_of_four_is_learnt_exactly() -> None:
    """Disjoint triples of a four-cycle start in every task equally often: moments are exact."""
    O = drawn_columns(np.random.default_rng(6), 4, Sizes(2, 2, 3))
    tasks = np.arange(12 * 40) % 4
    found = aligned(repaired.learn_hmm(O[:, tasks].T, 4, 20, 30, np.random.default_rng(0)), O)
    hmm = HMM(O=O, T=cycle(4), initial=np.full(4, 0.25))
    allowed = recovery_tolerance(hmm, hmm.initial)
    longer = (4 * 160 + hmm.d) / (4 * hmm.k + hmm.d)  # sums of 160 triples, not of four tasks
    assert column_error(found.O, O) <= longer * allowed.O < 1e-3
    assert column_error(found.T, cycle(4)) <= longer * allowed.T < 1e-3


# Views within a task.


def learn_within(
    O: Floats, tasks: Ints, seed: int, n: int = 3, k: int | None = None
) -> SpectralOutcome:
    rng = np.random.default_rng(seed)
    views = batches(rng, O, tasks, SMALL, n)
    return repaired.learn_within_task(views, k or O.shape[1], 15, 25, rng)


def error_of_known_labels(O: Floats, tasks: Ints, seed: int, n: int = 3) -> float:
    """The mean observation of each task, from the same samples."""
    f = batches(np.random.default_rng(seed), O, tasks, SMALL, n).mean(axis=0)
    means = np.stack([f[tasks == j].mean(axis=0) for j in range(O.shape[1])], axis=1)
    return column_error(means, O)


@pytest.mark.parametrize("T", [IID, SINGULAR, cycle(3), cycle(3, 0.8, 0.1)])
def test_within_task_views_need_nothing_of_the_chain(T: Floats) -> None:
    """The error is that of known labels up to a half, on chains that triples cannot learn.

    A column of T̂ that was seen 150 times or more deviates by √(2/3/150) = 1/15; thrice that is 0.2.
    """
    for seed in range(3):
        tasks = chain(T, 600, seed)
        assert np.bincount(tasks[:-1]).min() >= 150
        found = aligned(learn_within(O_3, tasks, seed), O_3)
        assert column_error(found.O, O_3) <= 1.5 * error_of_known_labels(O_3, tasks, seed)
        assert column_error(found.T, T) < 0.2


def test_within_task_views_learn_early() -> None:
    for seed in range(5):
        tasks = chain(cycle(3, 0.8, 0.1), 48, seed)
        found = aligned(learn_within(O_3, tasks, seed), O_3)
        assert column_error(found.O, O_3) <= 1.5 * error_of_known_labels(O_3, tasks, seed)


@settings(max_examples=40)
@given(seed=SEEDS, k=st.integers(1, 4), extra=st.integers(0, 12))
def test_exact_views_give_the_model_once_every_task_was_seen(seed: int, k: int, extra: int) -> None:
    """Whatever the order: O is exact, and T holds the realised frequencies."""
    rng = np.random.default_rng(seed)
    O = drawn_columns(rng, k, Sizes(2, 2, 3))
    tasks = rng.permutation(np.concatenate([np.arange(k), rng.integers(0, k, size=extra)]))
    views = np.stack([O[:, tasks].T] * 3)
    found = aligned(repaired.learn_within_task(views, k, 20, 30, rng), O)
    allowed = of_views_within(O, tasks)
    assert allowed < 1e-3
    assert column_error(found.O, O) <= allowed
    frequencies = np.bincount(tasks) / len(tasks)
    np.testing.assert_allclose(found.weights, frequencies, rtol=0, atol=allowed)
    steps = np.zeros((k, k))
    np.add.at(steps, (tasks[1:], tasks[:-1]), 1)
    left = steps.sum(axis=0)
    if k > 1 and left.min() == 0:
        assert found.T is None
    elif k > 1:
        assert column_error(found.T, steps / left) <= frequencies_off(O, tasks, allowed)


def test_exact_cross_task_views_do_not() -> None:
    """The random order of the tasks alone leaves Algorithm 3 an error, here at h = 3000."""
    T = cycle(3, 0.8, 0.1)
    tasks = chain(T, 3000, 0)
    exact = O_3[:, tasks].T
    cross = aligned(repaired.learn_hmm(exact, 3, 15, 25, np.random.default_rng(0)), O_3)
    within = aligned(
        repaired.learn_within_task(np.stack([exact] * 3), 3, 15, 25, np.random.default_rng(0)), O_3
    )
    assert column_error(cross.O, O_3) > 1e-3
    assert column_error(within.O, O_3) <= of_views_within(O_3, tasks) < 1e-6


@pytest.mark.parametrize("n", [1, 3])
def test_a_task_never_seen_is_not_identifiable(n: int) -> None:
    passed = 0
    for seed in range(40):
        tasks = chain(np.full((2, 2), 0.5), (12, 48, 300)[seed % 3], seed)
        outcome = learn_within(O_3[:, :2], tasks, seed, n=n, k=3)
        passed += not isinstance(outcome, NotIdentifiable)
    assert passed <= 2


def test_one_task_for_ever_is_not_identifiable_as_three() -> None:
    for seed in range(10):
        outcome = learn_within(O_3, chain(np.eye(3), 200, seed), seed)
        assert isinstance(outcome, NotIdentifiable)
        assert outcome.quantity == "eigenvalue 3 of M_2"
        assert outcome.value <= outcome.threshold


def test_more_noise_raises_the_threshold() -> None:
    """Two of three tasks: a hundredfold number of samples divides the noise of a product by it."""
    tasks = chain(np.full((2, 2), 0.5), 300, 0)
    rough, fine = (learn_within(O_3[:, :2], tasks, 1, n=n, k=3) for n in (1, 100))
    assert isinstance(rough, NotIdentifiable)
    assert isinstance(fine, NotIdentifiable)
    assert rough.threshold / fine.threshold == pytest.approx(100, rel=0.2)


def test_a_task_that_was_never_left_has_no_successors() -> None:
    tasks = np.array([0, 1, 0, 1, 0, 1, 2])
    views = np.stack([O_3[:, tasks].T] * 3)
    found = estimate_of(repaired.learn_within_task(views, 3, 15, 25, np.random.default_rng(0)))
    assert found.T is None
    longer = np.concatenate([tasks, [0]])
    views = np.stack([O_3[:, longer].T] * 3)
    later = aligned(repaired.learn_within_task(views, 3, 15, 25, np.random.default_rng(0)), O_3)
    expected = np.array([[0, 2 / 3, 1], [1, 0, 0], [0, 1 / 3, 0]])
    off = frequencies_off(O_3, longer, of_views_within(O_3, longer))
    assert column_error(later.T, expected) <= off < 1e-6


def test_order_of_the_batches_does_not_matter() -> None:
    rng = np.random.default_rng(1)
    views = batches(rng, O_3, chain(cycle(3, 0.8, 0.1), 90, 1), SMALL, 3)
    plain = estimate_of(repaired.learn_within_task(views, 3, 15, 25, np.random.default_rng(0)))
    for order in itertools.permutations(range(3)):
        other = repaired.learn_within_task(views[list(order)], 3, 15, 25, np.random.default_rng(1))
        found = aligned(other, plain.O)
        off = of_another_order(90, 16)
        np.testing.assert_allclose(found.O, plain.O, rtol=0, atol=off)
        np.testing.assert_allclose(transitions(found), transitions(plain), rtol=0, atol=off)


@pytest.mark.parametrize("way", ["within", "disjoint"])
def test_no_cube_of_the_dimension_is_ever_formed(way: str) -> None:
    """d = 1500: d² doubles are 18 MB, d³ would be 27 GB. The rows span 30 to 90 dimensions."""
    sizes = Sizes(15, 5, 5)
    rng = np.random.default_rng(0)
    O = drawn_columns(rng, 2, sizes)
    views = batches(rng, O, np.arange(30) % 2, sizes, 2)
    tracemalloc.start()
    if way == "within":
        repaired.learn_within_task(views, 2, 5, 10, rng)
    else:
        repaired.learn_hmm(views.mean(axis=0), 2, 5, 10, rng)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * len(O) ** 2


def test_reduced_coordinates_change_no_estimate() -> None:
    """30 tasks span fewer dimensions than d; more tasks than d go the other way."""
    rng = np.random.default_rng(3)
    sizes = Sizes(4, 4, 4)
    O = drawn_columns(rng, 2, sizes)
    views = batches(rng, O, np.arange(30) % 2, sizes, 3)
    padded = np.concatenate([views, np.zeros((3, 30, 400))], axis=2)
    plain = estimate_of(repaired.learn_within_task(views, 2, 15, 25, np.random.default_rng(0)))
    found = aligned(
        repaired.learn_within_task(padded, 2, 15, 25, np.random.default_rng(0)),
        np.concatenate([plain.O, np.zeros((400, 2))]),
    )
    off = of_another_order(30, 528)
    np.testing.assert_allclose(found.O[:128], plain.O, rtol=0, atol=off)
    assert np.abs(found.O[128:]).max() <= off


# Bad input.


@pytest.mark.parametrize("k", [0, -1, 17, 2.0])
def test_impossible_numbers_of_tasks_are_refused(k: int) -> None:
    rng, o = np.random.default_rng(0), np.full((60, 16), 0.5)
    moments = population_moments(three_task_hmm(), UNIFORM_3)
    attempts: list[Callable[[], object]] = [
        lambda: printed.learn_hmm(o, k, 1, 1, rng),
        lambda: repaired.learn_hmm(o, k, 1, 1, rng),
        lambda: repaired.learn_within_task(np.stack([o] * 3), k, 1, 1, rng),
        lambda: printed.learn_from_moments(moments, k, 1, 1, rng),
        lambda: repaired.learn_from_moments(moments, k, 1, 1, rng),
    ]
    for attempt in attempts:
        with pytest.raises(InputError, match=r"^k: "):
            attempt()


@pytest.mark.parametrize("shape", [(5, 16), (3, 5)])
def test_batches_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="batches"):
        repaired.learn_within_task(np.ones(shape), 1, 1, 1, np.random.default_rng(0))


def test_observations_that_are_no_numbers_are_refused() -> None:
    o = np.full((9, 4), 0.5)
    o[3, 2] = np.nan
    with pytest.raises(InputError, match=r"observations\[3, 2\]"):
        printed.learn_hmm(o, 1, 1, 1, np.random.default_rng(0))
