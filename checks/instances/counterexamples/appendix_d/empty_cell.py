"""The objectworld tasks of the experiments have rewards without deviation (erratum E47).

An item of value v is picked up with probability 1-f, else the reward is 0: its variance is
f(1-f)v². An empty cell is the value 0, and its reward is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from ptum.checks.exact.intervals import compared, root, written
from ptum.checks.exact.numbers import min_of
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.verdicts.outcome import Statement, Walk
from ptum.reference.arrays import Floats
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.objectworld import FIGURE_2, TaskList, random_items


def drawn_items(setting: TaskList, rng: np.random.Generator) -> list[Floats]:
    """The items of all tasks that are drawn independently of others."""
    grid = Grid(setting.rows, setting.columns)
    numbers = range(len(setting.action_failures))
    return [
        random_items(grid, setting.base_values, rng) for n in numbers if n not in setting.copies
    ]


def least_variance(items: Sequence[Floats], pick_up_failure: Fraction) -> Fraction:
    """min of f(1-f)v² over all pairs of all tasks, with decimal numbers taken as written."""
    values = {Fraction(str(v)) for table in items for v in table.ravel().tolist()}
    return min(
        (pick_up_failure * (1 - pick_up_failure) * v**2 for v in values), default=Fraction(0)
    )


def walk(setting: TaskList, items: Sequence[Floats]) -> Walk:
    """Assumption 5, reward part, for the items of an experiment."""
    failure, least_value = written(setting.pick_up_failure), written(min_of(setting.base_values))
    return Walk(
        premises=(
            Statement("least value of the experiment's items", least_value, "=", 0),
            Statement("tasks drawn independently", len(items), "≥", 1),
            Statement("probability of a failing pick-up", failure, ">", 0),
        ),
        conclusion=Statement(
            "least reward variance of all pairs", least_variance(items, failure), ">", 0
        ),
    )


def without_floor(v: Fraction, chance: Fraction, error: Fraction) -> Walk:
    """Repair: |Std_p - Std_q| ≤ v√(‖p-q‖₁/2), for laws of 0 and v off by `error`, without a floor.

    ‖p-q‖₁/2 = error.
    """
    true, estimated = (v * root(x * (1 - x)) for x in (chance, chance + error))
    return Walk(
        premises=(Statement("distance ‖p-q‖₁ of the two laws", 2 * error, "≤", 2),),
        conclusion=Statement(
            "difference of the deviations against v√(‖p-q‖₁/2)",
            *compared(abs(true - estimated), "≤", v * root(error)),
        ),
    )


def drawn() -> list[Floats]:
    """Items of Figure 2 as they are drawn with seed 0."""
    return drawn_items(FIGURE_2, np.random.default_rng(0))


def numbers() -> Numbers:
    """One pair is enough; 0 is an empty cell."""
    first = drawn()[0]
    return (
        ("pairs (s,a) of the first task", first.size),
        ("empty ones among them", int(np.sum(first == 0))),
        ("value at (0,0)", written(float(first[0, 0]))),
        ("values an item may have", tuple(map(written, FIGURE_2.base_values))),
        ("probability f of a failing pick-up", written(FIGURE_2.pick_up_failure)),
        ("variance of the reward of an item of value v", "f(1-f)v²"),
    )


OF_ITEMS = tuple(value for value in FIGURE_2.base_values if value > 0)

CASES = (
    Case(
        checks=("assumption-5.experiments/empty-cells",),
        numbers=numbers,
        told=lambda: walk(FIGURE_2, drawn()),
        undo="an item of value 0.2 in every empty cell",
        undone=lambda: walk(FIGURE_2, [np.where(table == 0, 0.2, table) for table in drawn()]),
        broken={
            "least value of the experiment's items": lambda: walk(
                replace(FIGURE_2, base_values=OF_ITEMS), drawn()
            ),
            "tasks drawn independently": lambda: walk(FIGURE_2, []),
            "probability of a failing pick-up": lambda: walk(
                replace(FIGURE_2, pick_up_failure=0.0), drawn()
            ),
        },
        repaired=partial(without_floor, Fraction(1), Fraction(0), Fraction(1, 10**6)),
        sibling=partial(without_floor, Fraction(1, 2), Fraction(12, 1000), Fraction(1, 100)),
        sibling_numbers=lambda: (
            ("value v of an item", Fraction(1, 2)),
            ("chance of v, true and estimated", (Fraction(12, 1000), Fraction(22, 1000))),
        ),
    ),
)
