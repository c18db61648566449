"""Gaps without full rank (erratum E45): three coins, no two of them alike.

A column of O holds the chance of 1 and the rest, so all columns lie in a plane and three of them
are never independent, however different the rates are.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Vector
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.verdicts.outcome import Statement, Walk

RATES = ("0.2", "0.5", "0.8")


def walk(rates: tuple[str, ...] = RATES) -> Walk:
    """Positive gaps between all pairs of tasks imply rank O = k."""
    chances = exact.vector(rates)
    return Walk(
        (Statement("least gap of two tasks", _least_gap(chances), ">", 0),),
        Statement("rank O", exact.rank(exact.coin_columns(chances)), "=", len(rates)),
    )


def gaps_follow(rates: tuple[str, ...]) -> Walk:
    """Repair: columns of a matrix of rank k are different, so Assumption 2 gives positive gaps."""
    chances = exact.vector(rates)
    return Walk(
        (Statement("rank O", exact.rank(exact.coin_columns(chances)), "=", len(rates)),),
        Statement("least gap of two tasks", _least_gap(chances), ">", 0),
    )


def _least_gap(chances: Vector) -> Fraction:
    return min(abs(x - y) for i, x in enumerate(chances) for y in chances[:i])


def numbers(rates: tuple[str, ...]) -> Numbers:
    """Rates and columns."""
    return (
        ("chances of reward 1, task by task", exact.vector(rates)),
        ("O, one column per task", exact.coin_columns(exact.vector(rates))),
    )


CASES = (
    Case(
        checks=("text-milder-than-gaps.milder/three-rates",),
        numbers=partial(numbers, RATES),
        told=partial(walk, RATES),
        undo="the tasks of rates 0.2 and 0.8 alone",
        undone=partial(walk, ("0.2", "0.8")),
        broken={"least gap of two tasks": partial(walk, ("0.2", "0.5", "0.2"))},
        repaired=partial(gaps_follow, RATES),
        sibling=partial(gaps_follow, ("0.2", "0.8")),
        sibling_numbers=partial(numbers, ("0.2", "0.8")),
    ),
)
