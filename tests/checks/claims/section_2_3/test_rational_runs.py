"""Exact arithmetic of counterexamples: enclosures enclose, and runs are the literal ones."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import mdp
from ptum.checks.exact.comparison import Comparison
from ptum.checks.exact.hidden_markov import matrix
from ptum.checks.exact.interval_arrays import UNIT, enclosures, exceed, roots
from ptum.checks.exact.intervals import (
    PI,
    Between,
    UndecidedError,
    compared,
    enclosed,
    exceeds,
    largest,
    least,
    log,
    root,
    shortened,
    whole_part,
    written,
)
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.appendix_b import concentration
from ptum.checks.instances.counterexamples.appendix_d import identification
from ptum.checks.instances.counterexamples.appendix_e import variants
from ptum.checks.instances.counterexamples.shared import deterministic_runs, triples, two_outcomes
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.reference.arrays import ROUNDING
from ptum.reference.experiments.two_rooms import Payment
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.spectral_bounds import next_task_bound
from ptum.reference.transfer.analysis.concentration import bernstein_width
from ptum.reference.transfer.confidence import log_term, log_term_sigma, width_p, width_sigma_p
from ptum.reference.transfer.ptum import End

TIGHT = Fraction(1, 10**30)
rationals = st.fractions(min_value=-20, max_value=20, max_denominator=50)
positive = st.fractions(min_value=Fraction(1, 50), max_value=10**6, max_denominator=50)


# Enclosures


def holds(inside: Between, x: float) -> bool:
    """Whether a double, computed with fewer than forty roundings, may be the enclosed number."""
    room = 40 * ROUNDING * max(1.0, abs(x))
    return float(inside.low) - room <= x <= float(inside.high) + room


@given(positive)
def test_logarithms_and_roots_are_enclosed_tightly(x: Fraction) -> None:
    for found, literal in ((log(x), math.log(x)), (root(x), math.sqrt(x))):
        assert holds(found, literal)
        assert 0 <= found.high - found.low <= TIGHT
    assert root(x).low ** 2 <= x <= root(x).high ** 2


def test_exact_values_stay_exact() -> None:
    assert log(1) == enclosed(0)
    assert root(Fraction(9, 16)) == enclosed(Fraction(3, 4))
    assert PI.low < Fraction(355, 113) < PI.high + Fraction(1, 10**6)
    assert holds(PI, math.pi)


@pytest.mark.parametrize("x", [0, Fraction(-1, 2)])
def test_only_positive_numbers_have_a_logarithm(x: Fraction) -> None:
    with pytest.raises(ValueError, match=f"log of {x}"):
        log(x)


@given(positive, positive)
def test_logarithms_add_up(x: Fraction, y: Fraction) -> None:
    """A distribution that no single rounding knows of: both enclosures hold log xy."""
    together, apart = log(x * y), log(x) + log(y)
    assert together.low <= apart.high
    assert apart.low <= together.high


intervals = st.tuples(rationals, rationals).map(lambda ends: Between(min(ends), max(ends)))
shares = st.fractions(min_value=0, max_value=1, max_denominator=20)


@given(intervals, intervals, shares, shares)
def test_operations_keep_what_is_inside(
    a: Between, b: Between, of_a: Fraction, of_b: Fraction
) -> None:
    x, y = (i.low + share * (i.high - i.low) for i, share in ((a, of_a), (b, of_b)))
    results = [(a + b, x + y), (a - b, x - y), (a * b, x * y), (-a, -x), (abs(a), abs(x))]
    results += [(least(a, b), min(x, y)), (largest(a, b), max(x, y)), (2 - a, 2 - x)]
    if not b.low <= 0 <= b.high:
        results += [(a / b, x / y), (3 / b, 3 / y)]
    for found, number in results:
        assert found.low <= number <= found.high


def test_what_is_not_decided_is_refused() -> None:
    unsure = Between(Fraction(0), Fraction(2))
    for ask in (
        lambda: exceeds(unsure, 1),
        lambda: compared(unsure, "≤", 1),
        lambda: whole_part(unsure),
        lambda: 1 / unsure,
        lambda: compared(root(2), "=", root(2)),
    ):
        with pytest.raises(UndecidedError):
            ask()


HOLDS: dict[Comparison, bool] = {"<": True, "≤": True, "=": False, "≥": False, ">": False}


@given(positive, positive, st.sampled_from(sorted(HOLDS)))
def test_numbers_to_read_compare_as_the_numbers_do(
    x: Fraction, y: Fraction, sign: Comparison
) -> None:
    low, high = sorted((x, x + y))
    for left, right, holding in (
        (root(low), root(high), HOLDS[sign]),
        (root(high), root(low), not HOLDS[sign] if sign != "=" else False),
    ):
        told_left, same, told_right = compared(left, sign, right)
        assert same == sign
        truth = {
            "<": told_left < told_right,
            "≤": told_left <= told_right,
            "=": told_left == told_right,
            "≥": told_left >= told_right,
            ">": told_left > told_right,
        }[sign]
        assert truth == holding
        for told, number in ((told_left, left), (told_right, right)):
            assert abs(told - number.low) <= Fraction(1, 10**5) * number.low


def test_equal_rationals_are_equal() -> None:
    third = Fraction(1, 3)
    assert compared(third, "=", enclosed(third)) == (third, "=", third)
    assert compared(Fraction(1, 10**20), ">", 0)[0] > 0


def test_decimals_stand_for_what_they_say() -> None:
    assert written(0.1) == Fraction(1, 10)
    assert shortened(Fraction(1, 3)) == Fraction(1, 3)
    assert abs(shortened(root(2)) - root(2).low) < Fraction(1, 10**8)


# Many enclosures at once


whole = st.integers(-(10**6), 10**6)


@given(st.lists(st.tuples(whole, whole, rationals), min_size=1, max_size=5))
def test_arrays_enclose_what_rationals_give(rows: list[tuple[int, int, Fraction]]) -> None:
    """Chains of operations, entry by entry, against the same in rationals."""
    for x, y, factor in rows:
        a, b = enclosures(np.array([x])), enclosures(np.array([y]))
        results = [(a * factor + b, x * factor + y), (a - b * factor, x - y * factor)]
        results += [(abs(a * factor - b), abs(x * factor - y))]
        if factor:
            results += [(a / factor * b, x / factor * y)]
        for found, number in results:
            assert found.low[0] <= number * UNIT <= found.high[0]


@given(positive)
def test_arrays_enclose_roots(x: Fraction) -> None:
    found = roots(enclosures(x))
    assert found.low[0] ** 2 <= x * UNIT**2 <= found.high[0] ** 2
    assert found.high[0] - found.low[0] <= max(2, 1 / x)


def test_arrays_keep_whole_numbers_and_their_roots() -> None:
    nine = roots(enclosures(np.array([9, 10**12])))
    assert nine.low.tolist() == nine.high.tolist() == [3 * UNIT, 10**6 * UNIT]


def test_arrays_refuse_what_thirty_digits_cannot_tell() -> None:
    third = enclosures(Fraction(1, 3))
    assert exceed(third, Fraction(1, 3) - Fraction(1, 10**25)).tolist() == [True]
    assert exceed(np.array([1, 2, 3]), np.array([2, 2, 2])).tolist() == [False, False, True]
    for ask in (
        lambda: exceed(third, Fraction(1, 3) + Fraction(1, 10**40)),
        lambda: exceed(third * 3, 1),
        lambda: enclosures(1) / np.array([0]),
    ):
        with pytest.raises(UndecidedError):
            ask()


@given(
    st.integers(1, 1000),
    st.lists(shares, min_size=1, max_size=5),
    shares,
    st.sampled_from((0, 1)),
    shares,
)
def test_two_outcomes_are_tested_as_by_the_literal_code(
    N: int, seen: list[Fraction], rate: Fraction, error: int, distance: Fraction
) -> None:
    """Samples of x or y; what is averaged is a value with the given distance between the two."""
    Delta, gamma = Fraction(error, 100), Fraction(1, 2)
    counts = np.array([int(share * N) for share in seen])
    tests = two_outcomes.of_rewards(2, 1, 1000, 2, Fraction(1, 10), Delta)
    found = two_outcomes.fails(
        np.full(len(counts), N), counts, rate, replace(tests, scale=1 / (1 - gamma)), distance
    )
    literal = [_literally_falls(N, int(ones), rate, Delta, gamma, distance) for ones in counts]
    assert found.tolist() == literal


def _literally_falls(
    N: int, ones: int, rate: Fraction, Delta: Fraction, gamma: Fraction, distance: Fraction
) -> bool:
    values = float(distance) * (np.arange(N) < ones)
    told = (2, 1, 1000, 2, 0.1)
    count, d = np.array(N), float(Delta)
    sigma_hat = np.std(values, ddof=1) if N > 1 else 0.0
    width = width_p(np.array(sigma_hat), count, log_term(*told), float(gamma), d)
    width_sigma = width_sigma_p(count, log_term_sigma(*told), float(gamma), d)
    sigma = float(distance) * math.sqrt(rate * (1 - rate))
    by_mean = abs(values.mean() - float(distance * rate)) > width
    return bool(by_mean or abs(sigma_hat - sigma) > width_sigma)


# Other right sides


@pytest.mark.parametrize("task", [0, 1])
def test_the_right_side_of_lemma_15_is_the_literal_one(task: int) -> None:
    x = identification.sticky()
    literal = next_task_bound(
        [[float(p) for p in row] for row in x.T],
        x.sets[task],
        Level(
            S=identification.S,
            A=identification.A,
            U=identification.U,
            h=x.h,
            delta_prime=float(x.delta_prime),
        ),
        rho_T=float(x.rho_T),
        delta=float(x.delta),
    )
    assert holds(identification.right_side(x, task), float(literal[x.theta]))


@pytest.mark.parametrize("distribution", [concentration.symmetric(), concentration.in_scope()])
def test_the_width_of_lemma_1_is_the_literal_one(
    distribution: concentration.BoundedSamples,
) -> None:
    numbers = (
        float(concentration.variance(distribution)),
        distribution.n,
        float(distribution.c),
        float(distribution.delta),
    )
    assert holds(concentration.width(distribution), bernstein_width(*numbers))


# Runs


@st.composite
def deterministic_models(draw: DrawFn) -> tuple[ExactMDP, ...]:
    """Two or three tasks, two states, two actions, deterministic outcomes, rewards in tenths."""
    count = draw(st.integers(2, 3))
    tasks = []
    for _ in range(count):
        leads = draw(st.lists(st.integers(0, 1), min_size=4, max_size=4))
        pays = draw(st.lists(st.integers(0, 10), min_size=4, max_size=4))
        p = [
            [[Fraction(int(t == leads[2 * s + a])) for t in range(2)] for a in range(2)]
            for s in (0, 1)
        ]
        r = [[Fraction(pays[2 * s + a], 10) for a in range(2)] for s in (0, 1)]
        tasks.append(mdp.deterministic(p, r, Fraction(1, 2)))
    return tuple(tasks)


@given(
    deterministic_models(), st.sampled_from((1, 7)), st.sampled_from((0, 3)), st.integers(1, 400)
)
def test_rational_runs_are_the_literal_ones(
    models: tuple[ExactMDP, ...], accuracy: int, error: int, n: int
) -> None:
    """ε and Δ are such that no loss and no gap, which are multiples of 1/10 at most, is tied."""
    told = Algorithm1Inputs(Fraction(accuracy, 100), Fraction(1, 10), n, Fraction(error, 1000))
    if deterministic_runs.enters(told, models[0].gamma).holds:
        found = deterministic_runs.run(models, told)  # raises where the two disagree
        assert found.queries <= n
        assert (found.end is End.STOPPED) == (found.theta is not None)


def test_a_run_that_differs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    models = deterministic_runs.arms(
        Fraction(0), (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    )
    told = Algorithm1Inputs(Fraction(1, 2), Fraction(1, 10), 1000)
    assert deterministic_runs.run(models, told).queries > 0
    right = deterministic_runs.first_below

    def one_more(width: Between, gap: Fraction) -> int | None:
        count = right(width, gap)
        return None if count is None else count + 1

    monkeypatch.setattr(deterministic_runs, "first_below", one_more)
    with pytest.raises(AssertionError, match="in doubles"):
        deterministic_runs.run(models, told)


def test_random_targets_have_no_single_run() -> None:
    (model,) = deterministic_runs.arms(Fraction(0), (Fraction(1, 2),))
    with pytest.raises(ValueError, match="random"):
        deterministic_runs.transfer_mode(
            (replace(model, var=((Fraction(1, 4),),)),),
            Algorithm1Inputs(Fraction(1), Fraction(1, 10), 10),
        )


# Triples, and values that need no solver


def test_directions_of_alternating_tasks() -> None:
    columns = matrix(((1, 0, 1), (0, 1, 1)))
    assert triples.directions(columns, ()) == 0
    assert triples.directions(columns, (0, 1) * 12) == 2
    assert triples.directions(columns, (0, 1, 0) * 8) == 1
    with pytest.raises(AssertionError, match="rank 2 of 2"):  # needed, but not enough
        triples.directions(columns, (0, 1, 0) * 8, overlapping=True)


def test_literal_learners_are_asked_about_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triples, "_rank", lambda *_, **__: 2)
    with pytest.raises(AssertionError, match="estimates"):
        triples.directions(matrix(((1, 0, 1), (0, 1, 1))), (0, 1, 0) * 8)


def test_values_of_grids_are_certified() -> None:
    prizes = variants.Prizes()
    losses = variants.least_losses(Payment.ON_ARRIVAL, 6, prizes)
    assert all(Fraction(1, 2) < loss < Fraction(81, 100) for loss in losses)
    (task, *_) = variants.rational_tasks(Payment.ON_ARRIVAL, 6, prizes)
    assert not task.never_gains([Fraction(1, 100)] * len(task.r))
    with pytest.raises(UndecidedError):
        variants.policies_that_stop(Payment.ON_ARRIVAL, min(losses), 6, prizes)
