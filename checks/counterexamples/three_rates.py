"""Gaps without full rank (erratum E45): three coins, no two of them alike.

A column of O holds the chance of 1 and the rest, so all columns lie in a plane and three of them
are never independent, however different the rates are.
"""

from __future__ import annotations

from functools import partial

from checks import exact_hmm as exact
from checks.counterexamples.catalogue import Case, Numbers
from checks.outcome import Statement, Walk
from checks.section_4.models import three_rates

RATES = ("0.2", "0.5", "0.8")


def gaps_follow(rates: tuple[str, ...]) -> Walk:
    """Repair: columns of a matrix of rank k are different, so Assumption 2 gives positive gaps."""
    chances = exact.vector(rates)
    gap = min(abs(x - y) for i, x in enumerate(chances) for y in chances[:i])
    return Walk(
        (Statement("rank O", exact.rank(exact.coin_columns(chances)), "=", len(rates)),),
        Statement("least gap of two tasks", gap, ">", 0),
    )


def numbers() -> Numbers:
    """Rates and columns."""
    return (
        ("chances of reward 1 in tasks 1, 2, 3", exact.vector(RATES)),
        ("O, one column per task", exact.coin_columns(exact.vector(RATES))),
    )


CASES = (
    Case(
        checks=("text-milder-than-gaps.milder/three-rates",),
        numbers=numbers,
        told=partial(three_rates, RATES),
        undo="the tasks of rates 0.2 and 0.8 alone",
        undone=partial(three_rates, ("0.2", "0.8")),
        broken={"least gap of two tasks": partial(three_rates, ("0.2", "0.5", "0.2"))},
        repaired=partial(gaps_follow, RATES),
        sibling=partial(gaps_follow, ("0.2", "0.8")),
    ),
)
