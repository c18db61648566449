"""Gaps without full rank (erratum E45): three coins, no two of them alike.

A column of O holds the probability of 1 and the rest, so all columns lie in a plane and three of
them are never independent, however different the rates are.
"""

from __future__ import annotations

from fractions import Fraction

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Vector
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts.outcome import Evaluation, Statement

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


def numbers(rates: tuple[str, ...]) -> Numbers:
    """Rates and columns."""
    return (
        ("chances of reward 1, task by task", exact.vector(rates)),
        ("O, one column per task", exact.coin_columns(exact.vector(rates))),
    )


declare(
    Counterexample(
        checks={
            "text-milder-than-gaps.milder/three-rates": "Positive gaps give rank k",
        },
        instance=RATES,
        evaluate=evaluation,
        fix="the tasks of rates 0.2 and 0.8 alone",
        fixed=("0.2", "0.8"),
        broken={
            "least gap of two tasks": ("0.2", "0.5", "0.2"),
        },
        repaired=gaps_follow,
        in_scope=("0.2", "0.8"),
        numbers=numbers,
    )
)
