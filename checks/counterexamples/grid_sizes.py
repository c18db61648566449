"""Steps of the curve over grid sizes (erratum E56): the same models fall, the counts differ.

Three tasks with certain rewards, on grids of growing size. On all of them the same models fall in
the same order; what steps is ⌊7L/3⌋ + 2, the integer that follows L = log(8SAn(k+1)/δ). That
integer is computed with L between two rationals, and the literal runs must make as many queries.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

from checks.appendix_e.runs import Sized, same_models_walk, sized_runs
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.certain_runs import log_term
from checks.enclosed import Between, shortened, whole_part
from checks.outcome import Statement, Walk

DELTA, BUDGET = Fraction(1, 100), 100_000


@cache
def two_sizes() -> tuple[Sized, Sized]:
    """The runs on grids of 4×4 and 6×6."""
    small, large = sized_runs((4, 6))
    for one in (small, large):
        if one.queries != counted(one):
            raise AssertionError(f"{one.queries} queries, not {counted(one)}, on side {one.side}")
    return small, large


def logarithm(side: int) -> Between:
    """L for a square grid, four actions and three models."""
    return log_term(side**2, 4, BUDGET, 3, DELTA)


def counted(one: Sized) -> int:
    """⌊7L/3⌋ + 2 queries for every model that falls on its own: rewards are certain and 1 apart."""
    return len(set(one.fallen)) * (whole_part(7 * logarithm(one.side) / 3) + 2)


def integer_walk(one: Sized) -> Walk:
    """Repair: the number of queries is a sum of integers that follow L."""
    return Walk(
        (Statement("models that fall", len(one.fallen), "≥", 1),),
        Statement(f"samples on a grid of side {one.side}", one.queries, "=", counted(one)),
    )


def numbers() -> Numbers:
    """What both runs have in common, and what each shows."""
    rows = tuple(map(_row, two_sizes()))
    return (
        ("tasks", "goals in three corners, doors in three rows"),
        ("γ", Fraction(99, 100)),
        ("ε", Fraction(1, 10_000)),
        ("δ", DELTA),
        ("budget n", BUDGET),
        (ROW, rows),
    )


ROW = "side, samples, models in the order of their fall, L"


def _row(one: Sized) -> tuple[object, ...]:
    return one.side, one.queries, one.fallen, shortened(logarithm(one.side))


def _other_order() -> Walk:
    small, large = two_sizes()
    return same_models_walk((small, replace(large, fallen=large.fallen[::-1])))


def _same_count() -> Walk:
    small, large = two_sizes()
    return same_models_walk((small, replace(large, queries=small.queries)))


CASES = (
    Case(
        checks=("text-logarithmic-in-states.piecewise/same-models",),
        numbers=numbers,
        told=lambda: same_models_walk(two_sizes()),
        undo="as many samples on the larger grid as on the smaller one",
        undone=_same_count,
        broken={
            "orders in which models fall": _other_order,
            "sizes": lambda: same_models_walk(two_sizes()[:1]),
        },
        repaired=lambda: integer_walk(two_sizes()[0]),
        sibling=lambda: integer_walk(two_sizes()[1]),
        sibling_numbers=lambda: ((ROW, (_row(two_sizes()[1]),)),),
    ),
)
