"""Pairs of models that no data can tell apart although Assumption 2 holds for both (erratum E26).

One state, one action, rewards 1 and 0, one sample per task. If the tasks are drawn independently
with weight 1/2, rates {0.9, 0.1} and {0.7, 0.3} both give fair coin flips.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Matrix, Vector
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.families.hmms import independent
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement

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
    laws = [
        exact.flip_distribution(rates, pair.T, pair.first, FLIPS)
        for rates in (pair.rates, pair.other)
    ]
    return Evaluation(
        premises(pair),
        Statement(f"total variation of {FLIPS} flips", exact.total_variation(*laws), ">", 0),
    )


def learnable(pair: TwoRates) -> Evaluation:
    """Some estimator misses half the distance of the models with probability at most δ' in both.

    An estimate cannot be nearer than half their distance to both. If the distributions of the data
    are at total variation V, one of the two models is missed with probability at least (1-V)/2,
    whatever the number of tasks is for which that V is found.
    """
    laws = [
        exact.flip_distribution(rates, pair.T, pair.first, FLIPS)
        for rates in (pair.rates, pair.other)
    ]
    missed = (1 - exact.total_variation(*laws)) / 2
    unchanged = Statement("total variation of the data", 1 - 2 * missed, "=", 0)
    return Evaluation(
        (*premises(pair), unchanged),
        Statement(
            "chance of an error of half the distance",
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
            Statement("least chance to change the task", min(there, back), ">", 0),
        ),
        told.conclusion,
    )


def _numbers(pair: TwoRates) -> Numbers:
    return (
        ("chances of reward 1 in the two tasks", pair.rates),
        ("the same in the other model", pair.other),
        ("T", pair.T),
        ("law of the first task", pair.first),
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
    Counterexample(
        checks={
            "assumption-2.sufficient/two-coins": (
                "Different models that satisfy Assumption 2 give different data"
            ),
            "text-perfect-models-in-the-limit.consistency/two-coins": (
                "Two models on one chain of independent tasks give different data"
            ),
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
)
declare(
    Counterexample(
        checks={
            "theorem-2.bounds/two-coins": (
                "An estimator is within 0.1 of either of two models with probability 1-δ'"
            ),
            "text-rate.rate/two-coins": (
                "An estimator is within 0.1 of either of two models with probability 1-δ'"
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
        broken={
            **_broken(independent_coins()),
            "total variation of the data": sticky_coins(),
        },
        repaired=identifiable,
        in_scope=sticky_coins(),
    )
)
