"""Steps of the curve over grid sizes (erratum E56): the same models fall, the counts differ.

Three tasks with certain rewards, on grids of growing size. On all of them the same models fall in
the same order; what steps is ⌊7L/3⌋ + 2, the integer that follows L = log(8SAn(k+1)/δ).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from checks.appendix_e_runs import Sized, integer_walk, same_models_walk, sized_runs
from checks.counterexamples.catalogue import Case, Numbers
from checks.outcome import Walk


@cache
def two_sizes() -> tuple[Sized, Sized]:
    """The runs on grids of 4×4 and 6×6."""
    small, large = sized_runs((4, 6))
    return small, large


def numbers() -> Numbers:
    """What both runs have in common, and what each shows."""
    small, large = two_sizes()
    rows = tuple((one.side, one.queries, one.fallen, one.L) for one in (small, large))
    return (
        ("tasks", "goals in three corners, doors in three rows"),
        ("γ", 0.99),
        ("ε", 0.0001),
        ("δ", 0.01),
        ("budget n", 100_000),
        ("side, samples, models in the order of their fall, L", rows),
    )


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
    ),
)
