"""Against Assumption 2 as enough to learn the tasks, and against their labels (E26, E40, E45)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, cast

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix, Vector
from ptum.checks.exact.intervals import written
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.section_4.theorem_2 import coins, three_tasks
from ptum.checks.instances.families import hmms
from ptum.checks.instances.families.hmms import independent
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import Floats, above
from ptum.reference.repaired.sequential.alignment import align
from ptum.reference.repaired.sequential.spectral import learn_from_moments
from ptum.reference.sequential.hmm import population_moments
from ptum.reference.sequential.recovery import recovery_tolerance
from ptum.reference.sequential.spectral import HmmEstimate

# Gaps without full rank (erratum E45): three coins, no two of them alike.
#
# A column of O holds the probability of 1 and the rest, so all columns lie in a plane and three of
# them are never independent, however different the rates are.

RATES = ("0.2", "0.5", "0.8")


def evaluation(rates: tuple[str, ...] = RATES) -> Evaluation:
    """Positive gaps between all pairs of tasks imply rank O = k."""
    chances = exact.vector(rates)
    return Evaluation(
        (Statement("least gap of two tasks", _least_gap(chances), ">", 0),),
        Statement("rank O", exact.rank(exact.coin_columns(chances)), "=", len(rates)),
    )


def gaps_follow(rates: tuple[str, ...]) -> Evaluation:
    """Repair: columns of a matrix of rank k are different, so Assumption 2 gives positive gaps."""
    chances = exact.vector(rates)
    return Evaluation(
        (Statement("rank O", exact.rank(exact.coin_columns(chances)), "=", len(rates)),),
        Statement("least gap of two tasks", _least_gap(chances), ">", 0),
    )


def _least_gap(chances: Vector) -> Fraction:
    return min(abs(x - y) for i, x in enumerate(chances) for y in chances[:i])


declare(
    check="text-milder-than-gaps.milder/three-rates",
    says="Positive gaps give rank k",
    instance=RATES,
    evaluate=evaluation,
    fix="the tasks of rates 0.2 and 0.8 alone",
    fixed=("0.2", "0.8"),
    broken={"least gap of two tasks": ("0.2", "0.5", "0.2")},
    repaired=gaps_follow,
    in_scope=("0.2", "0.8"),
    # rates and columns
    numbers=lambda rates: (
        ("probabilities of reward 1, task by task", exact.vector(rates)),
        ("O, one column per task", exact.coin_columns(exact.vector(rates))),
    ),
)


# Pairs of models that no data can tell apart although Assumption 2 holds for both (erratum E26).
#
# One state, one action, rewards 1 and 0, one sample per task. If the tasks are drawn independently
# with weight 1/2, rates {0.9, 0.1} and {0.7, 0.3} both give fair coin flips.

FLIPS = 6
"""Tasks of which the joint distribution is compared."""


@dataclass(frozen=True)
class TwoRates:
    """Two sets of success rates on one chain, from one first distribution."""

    rates: Vector
    other: Vector
    T: Matrix
    first: Vector
    delta_prime: Fraction = Fraction(1, 10)


def independent_coins(other: tuple[str, str] = ("0.7", "0.3")) -> TwoRates:
    """Fair coins made of two biased ones."""
    half = exact.vector(("1/2", "1/2"))
    return TwoRates(exact.vector(("0.9", "0.1")), exact.vector(other), independent(half), half)


def sticky_coins() -> TwoRates:
    """The same rates on a chain that stays with probability 3/4: the flips tell them apart."""
    T = exact.matrix((("3/4", "1/4"), ("1/4", "3/4")))
    coins = independent_coins()
    return TwoRates(coins.rates, coins.other, T, coins.first)


def premises(pair: TwoRates) -> tuple[Statement, ...]:
    """Assumption 2 for both: full column rank, and a positive distribution that T keeps."""
    half = exact.vector(("1/2", "1/2"))
    kept = max(abs(x - y) for x, y in zip(exact.applied(pair.T, half), half, strict=True))
    ranks = [exact.rank(exact.coin_columns(rates)) for rates in (pair.rates, pair.other)]
    return (
        Statement("least rank of O", min(ranks), "=", 2),
        Statement("change of the distribution (1/2, 1/2) in a step", kept, "=", 0),
        Statement("distance of the two models up to order", distance(pair), ">", 0),
    )


def told_apart(pair: TwoRates) -> Evaluation:
    """Different models give different distributions of the data."""
    return Evaluation(
        premises(pair), Statement(f"total variation of {FLIPS} flips", variation(pair), ">", 0)
    )


def variation(pair: TwoRates) -> Fraction:
    """How far the distributions of the data of the two models are apart."""
    first, second = (
        exact.flip_distribution(rates, pair.T, pair.first, FLIPS)
        for rates in (pair.rates, pair.other)
    )
    return exact.total_variation(first, second)


def learnable(pair: TwoRates) -> Evaluation:
    """Some estimator misses half the distance of the models with probability at most δ' in both.

    An estimate cannot be nearer than half their distance to both. If the distributions of the data
    are at total variation V, one of the two models is missed with probability at least (1-V)/2,
    whatever the number of tasks is for which that V is found.
    """
    missed = (1 - variation(pair)) / 2
    unchanged = Statement("total variation of the data", 1 - 2 * missed, "=", 0)
    return Evaluation(
        (*premises(pair), unchanged),
        Statement(
            "probability of an error of half the distance or more",
            missed,
            "≤",
            pair.delta_prime,
            formulas.SEQUENTIAL + "THEOREM_2",
            (("S", 1), ("A", 1), ("U", 2), ("delta_prime", pair.delta_prime)),  # any ρ and any h
        ),
    )


def distance(pair: TwoRates) -> Fraction:
    """The largest difference of matched rates, for the better of both matchings."""
    return min(
        max(abs(x - y) for x, y in zip(pair.rates, order, strict=True))
        for order in permutations(pair.other)
    )


def identifiable(pair: TwoRates) -> Evaluation:
    """Repaired: with an invertible, irreducible T different models give different data."""
    (_, there), (back, _) = pair.T
    told = told_apart(pair)
    return Evaluation(
        (
            *told.premises,
            Statement("rank T", exact.rank(pair.T), "=", 2),
            Statement("least probability to change the task", min(there, back), ">", 0),
        ),
        told.conclusion,
    )


def _numbers(pair: TwoRates) -> Numbers:
    return (
        ("probabilities of reward 1 in the two tasks", pair.rates),
        ("probabilities of reward 1 in the other model", pair.other),
        ("T", pair.T),
        ("distribution of the first task", pair.first),
        ("tasks, one sample each", FLIPS),
    )


def _broken(pair: TwoRates) -> dict[str, TwoRates]:
    flat, skewed = exact.vector(("1/2", "1/2")), exact.matrix((("0.9", "0.9"), ("0.1", "0.1")))
    return {
        "least rank of O": replace(pair, other=flat),
        "change of the distribution (1/2, 1/2) in a step": replace(pair, T=skewed),
        "distance of the two models up to order": replace(pair, other=pair.rates),
    }


declare(
    check="assumption-2.sufficient/two-coins",
    says="Different models that satisfy Assumption 2 give different data",
    also={
        "text-perfect-models-in-the-limit.consistency/two-coins": (
            "Two models on one chain of independent tasks give different data"
        )
    },
    instance=independent_coins(),
    evaluate=told_apart,
    numbers=_numbers,
    fix="tasks are kept with probability 3/4 in place of 1/2",
    fixed=sticky_coins(),
    broken=_broken(independent_coins()),
    repaired=identifiable,
    in_scope=sticky_coins(),
)
declare(
    check="theorem-2.bounds/two-coins",
    says="An estimator is nearer than 0.1 to either of two models with probability 1-δ'",
    also={
        "text-rate.rate/two-coins": (
            "An estimator is nearer than 0.1 to either of two models with probability 1-δ'"
        ),
        "text-assumption-guaranteed.delivered/two-coins": (
            "Independent tasks that no data tell apart"
        ),
    },
    instance=independent_coins(),
    evaluate=learnable,
    numbers=lambda pair: (*_numbers(pair), ("δ'", pair.delta_prime)),
    fix="δ' = 1/2",
    fixed=replace(independent_coins(), delta_prime=Fraction(1, 2)),
    broken={**_broken(independent_coins()), "total variation of the data": sticky_coins()},
    repaired=identifiable,
    in_scope=sticky_coins(),
)


# Labels that change with the restarts of the power method (erratum E40).
#
# Two runs on the same exact moments find the same components, each in the order in which its random
# starts met them.
#
# * Two tasks of equal weight: after whitening the tensor is Σ λ v_j⊗v_j⊗v_j with one λ and
#   orthogonal v_1, v_2. A step squares the coordinates of a start, so that it ends in the v_j with
#   the larger one; reflecting the start exchanges the two, so that each comes first with
#   probability 1/2.
# * Three tasks, decomposed twice by the literal code in doubles, with seeds.

# Two tasks, in rational numbers


def same_order(hmm: ExactHMM, *, same_start: bool = False, matching: bool = False) -> Evaluation:
    """P(two runs of one start each give the tasks the same labels) = 1.

    `matching` permutes the second estimate so that it is as near as possible to the first.
    """
    mu, omega = exact.mean_of_third(hmm, 2), exact.distribution_of_task(hmm, 2)
    metric = exact.pseudo_inverse(exact.moments(hmm).M_2)
    (_, overlap), _ = exact.times(mu, metric, exact.transpose(mu))
    half, (first, second) = Fraction(1, 2), hmm.columns
    orders = (
        {(first, second): Fraction(1)}
        if same_start
        else {(first, second): half, (second, first): half}
    )
    alike = sum(
        chance
        for found, chance in orders.items()
        if (in_order_of(hmm.columns, found) if matching else found) == hmm.columns
    )
    return Evaluation(
        (
            Statement("rank of M_2", exact.rank(exact.moments(hmm).M_2), "=", 2),
            Statement("inner product of the whitened components", overlap, "=", 0),
            Statement("difference of their weights", omega[0] - omega[1], "=", 0),
        ),
        Statement("P(both runs give the tasks the same labels)", alike, "=", 1),
    )


def in_order_of(first: Matrix, second: Matrix) -> Matrix:
    """The columns of the second estimate, permuted to the least total squared distance."""

    def total(order: tuple[Vector, ...]) -> Fraction:
        pairs = zip(first, order, strict=True)
        return sum((exact.squared_norm(exact.difference(x, y)) for x, y in pairs), Fraction(0))

    return min(permutations(second), key=total)


SEEDS = (0, 1)
"""Restarts that meet the components in different orders."""


FIRST = (0.5, 0.3, 0.2)
"""Distribution of the first task."""
STEPS = 100
"""Steps of the power method; three are far too few."""


def estimate(seed: int, steps: int = STEPS) -> HmmEstimate:
    """Lines 5-10 on exact moments, with one restart."""
    hmm = hmms.three_task_chain().hmm
    moments = population_moments(hmm, np.array(FIRST))
    found = learn_from_moments(moments, hmm.k, 1, steps, np.random.default_rng(seed))
    if not isinstance(found, HmmEstimate):
        raise ValueError(f"no estimate with seed {seed}")
    return found


def kept(seeds: tuple[int, int], steps: int = STEPS, matching: bool = False) -> Evaluation:
    """Column θ of two successive estimates is the same task; `matching` restores the order."""
    hmm = hmms.three_task_chain().hmm
    first, second = (estimate(seed, steps).O for seed in seeds)
    if matching:
        second = second[:, align(first, second)]
    error = max_of(
        float(np.max(np.abs(found[:, align(hmm.O, found)] - hmm.O))) for found in (first, second)
    )
    allowed = recovery_tolerance(hmm, FIRST).O
    moved = int(np.sum(above(np.linalg.norm(first - second, axis=0), 2 * allowed)))
    return Evaluation(
        (Statement("largest error of an estimate, up to order", error, "≤", allowed),),
        Statement("labels that name another task than before", moved, "=", 0),
    )


@st.composite
def estimates(draw: DrawFn) -> tuple[Floats, Floats, Floats, list[int]]:
    """True columns, and two estimates of them; the second one in another order.

    Every error is a fraction, below one, of a quarter of the least column distance.
    """
    model = draw(hmms.well_conditioned())
    true, k = model.hmm.O, model.hmm.k
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.sampled_from((0.0, 0.5, 0.999))) * least_distance(true) / 4
    noise = rng.standard_normal((2, *true.shape))
    noise *= size / np.linalg.norm(noise, axis=1, keepdims=True)
    order = draw(st.permutations(range(k)))
    return true, true + noise[0], (true + noise[1])[:, order], order


def matched(drawn: tuple[Floats, Floats, Floats, list[int]]) -> Evaluation:
    """The second estimate, permuted by the matching, has the order of the first."""
    true, first, second, order = drawn
    permutation = align(first, second)
    wrong = sum(order[found] != label for label, found in enumerate(permutation.tolist()))
    return Evaluation(
        (Statement("least column distance", least_distance(true), ">", 0),),
        Statement("labels that name another task than before", wrong, "=", 0),
    )


def least_distance(columns: Floats) -> float:
    """The least distance of two columns."""
    gaps = np.linalg.norm(columns[:, :, np.newaxis] - columns[:, np.newaxis, :], axis=0)
    return float(gaps[~np.eye(len(gaps), dtype=bool)].min())


def labels_numbers(case: Decompositions) -> Numbers:
    """The model whose moments are given, or how far two estimates are off."""
    tasks = three_tasks()
    if case.nearby:
        return (
            ("largest error of both estimates", "an eighth of the least column distance"),
            ("order of the second estimate", tuple(nearby()[3])),
        )
    return (
        ("O, one column per task", exact.transpose(tasks.columns)),
        ("T, column θ' to row θ", tasks.T),
        ("distribution of the first task", tuple(map(written, FIRST))),
        ("seeds of the two decompositions", case.seeds),
        ("restarts", 1),
        ("steps", case.steps),
    )


def nearby() -> tuple[Floats, Floats, Floats, list[int]]:
    """Two estimates off by an eighth of the least column distance, the second one turned."""
    true = hmms.three_task_chain().hmm.O
    rng = np.random.default_rng(0)
    noise = rng.standard_normal((2, *true.shape))
    noise *= least_distance(true) / 8 / np.linalg.norm(noise, axis=1, keepdims=True)
    order = [1, 2, 0]
    return true, true + noise[0], (true + noise[1])[:, order], order


OFF = Fraction(1, 10)
ORDER = (1, 2, 0)
EQUAL, UNEQUAL = (
    coins(Fraction(2, 5)),
    coins(Fraction(2, 5), first=(Fraction(3, 4), Fraction(1, 4))),
)


def moved(columns: Matrix, place: int) -> Matrix:
    """Estimates of the columns, each off by a tenth in two entries."""
    error = tuple(OFF * ((i == place) - (i == place + 1)) for i in range(len(columns[0])))
    return tuple(tuple(x + e for x, e in zip(column, error, strict=True)) for column in columns)


def matched_exactly(columns: Matrix) -> Evaluation:
    """Repaired: errors below a quarter of the least column distance leave the matching right."""
    pairs = combinations(columns, 2)
    least = min(exact.squared_norm(exact.difference(x, y)) for x, y in pairs)
    first, second = moved(columns, 0), moved(columns, 2)
    errors = zip((*first, *second), (*columns, *columns), strict=True)
    largest = max(exact.squared_norm(exact.difference(x, y)) for x, y in errors)
    found = in_order_of(first, tuple(second[j] for j in ORDER))
    return Evaluation(
        (
            Statement(
                "largest squared error against (least distance)²/16", largest, "<", least / 16
            ),
        ),
        Statement(
            "labels that name another task than before",
            sum(x != y for x, y in zip(found, second, strict=True)),
            "=",
            0,
        ),
    )


@dataclass(frozen=True)
class TwoRuns:
    """A model whose moments are decomposed twice, and whether both runs start alike."""

    hmm: ExactHMM
    same_start: bool = False


@dataclass(frozen=True)
class TwoEstimates:
    """Columns of which there are two estimates, the second one in another order."""

    columns: Matrix


@dataclass(frozen=True)
class Decompositions:
    """Seeds and steps of two decompositions, or two estimates nearby in their place."""

    seeds: tuple[int, int] = SEEDS
    steps: int = STEPS
    nearby: bool = False


def numbers_of_two(case: TwoRuns | TwoEstimates) -> Numbers:
    """The model whose moments are given, or the estimates and the order of the second one."""
    if isinstance(case, TwoRuns):
        return (
            ("O, one column per task", case.hmm.O),
            ("T, column θ' to row θ", case.hmm.T),
            ("distribution of the first task", case.hmm.first),
            ("weights ω", exact.distribution_of_task(case.hmm, 2)),
            ("runs, each with one random start", 2),
        )
    columns = case.columns
    return (
        ("O, one column per task", exact.transpose(columns)),
        ("first estimate of O", exact.transpose(moved(columns, 0))),
        ("second estimate, before it is permuted", exact.transpose(moved(columns, 2))),
        ("order of its columns", ORDER),
    )


def matched_again(case: TwoRuns | TwoEstimates) -> Evaluation:
    """Repaired: the second estimate is permuted."""
    if isinstance(case, TwoRuns):
        return same_order(case.hmm, matching=True)
    return matched_exactly(case.columns)


declare(
    part_of=("algorithm-2.labels/restarts",),
    instance=TwoRuns(EQUAL),
    evaluate=lambda case: same_order(case.hmm, same_start=case.same_start),
    numbers=numbers_of_two,
    fix="the second run starts where the first did",
    fixed=TwoRuns(EQUAL, same_start=True),
    broken={
        "rank of M_2": TwoRuns(coins(Fraction(0))),
        "inner product of the whitened components": TwoRuns(coins(Fraction(0))),
        "difference of their weights": TwoRuns(UNEQUAL),
    },
    repaired=matched_again,
    in_scope=cast(Any, TwoEstimates(three_tasks().columns)),
)
declare(
    part_of=("algorithm-2.labels/restarts",),
    instance=Decompositions(),
    evaluate=lambda case: kept(case.seeds, case.steps),
    numbers=labels_numbers,
    fix="the same seed twice",
    fixed=Decompositions((SEEDS[0], SEEDS[0])),
    broken={"largest error of an estimate, up to order": Decompositions(steps=3)},
    repaired=lambda case: (
        matched(nearby()) if case.nearby else kept(case.seeds, case.steps, matching=True)
    ),
    in_scope=Decompositions(nearby=True),
    inexact="the order of components is that in which random starts find them: two runs of the "
    "power method, in doubles and with seeds, show that nothing fixes it",
)
