"""Pairs of models that no data can tell apart although Assumption 2 holds for both (erratum E26).

One state, one action, rewards 1 and 0, one sample per task. If the tasks are drawn independently
with weight 1/2, rates {0.9, 0.1} and {0.7, 0.3} both give fair coin flips.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Matrix, Vector
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers, Told
from ptum.checks.instances.families.hmms import independent
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Statement, Walk

FLIPS = 6
"""Tasks of which the joint law is compared."""


@dataclass(frozen=True)
class Pair:
    """Two sets of success rates on one chain, from one first law."""

    rates: Vector
    other: Vector
    T: Matrix
    first: Vector


def independent_coins(other: tuple[str, str] = ("0.7", "0.3")) -> Pair:
    """Fair coins made of two biased ones."""
    half = exact.vector(("1/2", "1/2"))
    return Pair(exact.vector(("0.9", "0.1")), exact.vector(other), independent(half), half)


def sticky_coins() -> Pair:
    """The same rates on a chain that stays with chance 3/4: the flips tell them apart."""
    T = exact.matrix((("3/4", "1/4"), ("1/4", "3/4")))
    coins = independent_coins()
    return Pair(coins.rates, coins.other, T, coins.first)


def premises(pair: Pair) -> tuple[Statement, ...]:
    """Assumption 2 for both: full column rank, and a positive law that T keeps."""
    half = exact.vector(("1/2", "1/2"))
    kept = max(abs(x - y) for x, y in zip(exact.applied(pair.T, half), half, strict=True))
    ranks = [exact.rank(exact.coin_columns(rates)) for rates in (pair.rates, pair.other)]
    return (
        Statement("least rank of O", min(ranks), "=", 2),
        Statement("change of the law (1/2, 1/2) in a step", kept, "=", 0),
        Statement("distance of the two models up to order", distance(pair), ">", 0),
    )


def told_apart(pair: Pair) -> Walk:
    """Different models give different laws of the data."""
    laws = [exact.flip_law(rates, pair.T, pair.first, FLIPS) for rates in (pair.rates, pair.other)]
    return Walk(
        premises(pair),
        Statement(f"total variation of {FLIPS} flips", exact.total_variation(*laws), ">", 0),
    )


def learnable(pair: Pair, delta_prime: Fraction = Fraction(1, 10)) -> Walk:
    """Some estimator misses half the distance of the models with probability at most δ' in both.

    An estimate cannot be nearer than half their distance to both. If the laws of the data are at
    total variation V, one of the two models is missed with probability at least (1-V)/2, whatever
    the number of tasks is for which that V is found.
    """
    laws = [exact.flip_law(rates, pair.T, pair.first, FLIPS) for rates in (pair.rates, pair.other)]
    missed = (1 - exact.total_variation(*laws)) / 2
    unchanged = Statement("total variation of the data", 1 - 2 * missed, "=", 0)
    return Walk(
        (*premises(pair), unchanged),
        Statement(
            "chance of an error of half the distance",
            missed,
            "≤",
            delta_prime,
            formulas.SEQUENTIAL + "THEOREM_2",
            (("S", 1), ("A", 1), ("U", 2), ("delta_prime", delta_prime)),  # any ρ and any h
        ),
    )


def distance(pair: Pair) -> Fraction:
    """The largest difference of matched rates, for the better of both matchings."""
    return min(
        max(abs(x - y) for x, y in zip(pair.rates, order, strict=True))
        for order in permutations(pair.other)
    )


def identifiable(pair: Pair) -> Walk:
    """Repaired: with an invertible, irreducible T different models give different data."""
    (_, there), (back, _) = pair.T
    told = told_apart(pair)
    return Walk(
        (
            *told.premises,
            Statement("rank T", exact.rank(pair.T), "=", 2),
            Statement("least chance to change the task", min(there, back), ">", 0),
        ),
        told.conclusion,
    )


def _numbers(pair: Pair) -> Numbers:
    return (
        ("chances of reward 1 in the two tasks", pair.rates),
        ("the same in the other model", pair.other),
        ("T", pair.T),
        ("law of the first task", pair.first),
        ("tasks, one sample each", FLIPS),
    )


def _broken(claim: Callable[[Pair], Walk], pair: Pair) -> dict[str, Told]:
    flat, skewed = exact.vector(("1/2", "1/2")), exact.matrix((("0.9", "0.9"), ("0.1", "0.1")))
    return {
        "least rank of O": lambda: claim(replace(pair, other=flat)),
        "change of the law (1/2, 1/2) in a step": lambda: claim(replace(pair, T=skewed)),
        "distance of the two models up to order": lambda: claim(replace(pair, other=pair.rates)),
    }


STICKY_UNDONE = "tasks are kept with chance 3/4 in place of 1/2"

CASES = (
    Case(
        checks=(
            "assumption-2.sufficient/two-coins",
            "text-perfect-models-in-the-limit.consistency/two-coins",
        ),
        numbers=lambda: _numbers(independent_coins()),
        told=lambda: told_apart(independent_coins()),
        undo=STICKY_UNDONE,
        undone=lambda: told_apart(sticky_coins()),
        broken=_broken(told_apart, independent_coins()),
        repaired=lambda: identifiable(independent_coins()),
        sibling=lambda: identifiable(sticky_coins()),
        sibling_numbers=lambda: _numbers(sticky_coins()),
    ),
    Case(
        checks=(
            "theorem-2.bounds/two-coins",
            "text-rate.rate/two-coins",
            "text-assumption-guaranteed.delivered/two-coins",
        ),
        numbers=lambda: (*_numbers(independent_coins()), ("δ'", Fraction(1, 10))),
        told=lambda: learnable(independent_coins()),
        undo="δ' = 1/2",
        undone=lambda: learnable(independent_coins(), Fraction(1, 2)),
        broken={
            **_broken(learnable, independent_coins()),
            "total variation of the data": lambda: learnable(sticky_coins()),
        },
        repaired=lambda: identifiable(independent_coins()),
        sibling=lambda: identifiable(sticky_coins()),
        sibling_numbers=lambda: _numbers(sticky_coins()),
    ),
)
