"""The objectworld tasks of the experiments have rewards without deviation (erratum E47).

An item of value v is picked up with probability 1-f, else the reward is 0: its variance is
f(1-f)v². An empty cell is the value 0, and its reward is deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ptum.checks.exact.intervals import compared, root, written
from ptum.checks.exact.numbers import min_of
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts.outcome import Evaluation, Statement
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


def evaluation(setting: TaskList, items: Sequence[Floats]) -> Evaluation:
    """Assumption 5, reward part, for the items of an experiment."""
    failure, least_value = written(setting.pick_up_failure), written(min_of(setting.base_values))
    return Evaluation(
        premises=(
            Statement("least value of the experiment's items", least_value, "=", 0),
            Statement("tasks drawn independently", len(items), "≥", 1),
            Statement("probability of a failing pick-up", failure, ">", 0),
        ),
        conclusion=Statement(
            "least reward variance of all pairs", least_variance(items, failure), ">", 0
        ),
    )


def without_floor(v: Fraction, chance: Fraction, error: Fraction) -> Evaluation:
    """Repair: |Std_p - Std_q| ≤ v√(‖p-q‖₁/2), distributions of 0 and v with this `error`, no floor.

    ‖p-q‖₁/2 = error.
    """
    true, estimated = (v * root(x * (1 - x)) for x in (chance, chance + error))
    return Evaluation(
        premises=(Statement("distance ‖p-q‖₁ of the two laws", 2 * error, "≤", 2),),
        conclusion=Statement(
            "difference of the deviations against v√(‖p-q‖₁/2)",
            *compared(abs(true - estimated), "≤", v * root(error)),
        ),
    )


def drawn() -> list[Floats]:
    """Items of Figure 2 as they are drawn with seed 0."""
    return drawn_items(FIGURE_2, np.random.default_rng(0))


@dataclass(frozen=True)
class Items:
    """A list of tasks, the items drawn for it, and two distributions of 0 and v near each other.

    The distributions give v the probability `chance`, and `error` more.
    """

    setting: TaskList
    drawn: tuple[Floats, ...]
    v: Fraction = Fraction(1)
    chance: Fraction = Fraction(0)
    error: Fraction = Fraction(1, 10**6)


def numbers(items: Items) -> Numbers:
    """One pair is enough; 0 is an empty cell."""
    first = items.drawn[0]
    return (
        ("value v of an item", items.v),
        ("chance of v, true and estimated", (items.chance, items.chance + items.error)),
        ("pairs (s,a) of the first task", first.size),
        ("empty ones among them", int(np.sum(first == 0))),
        ("value at (0,0)", written(float(first[0, 0]))),
        ("values an item may have", tuple(map(written, items.setting.base_values))),
        ("probability f of a failing pick-up", written(items.setting.pick_up_failure)),
        ("variance of the reward of an item of value v", "f(1-f)v²"),
    )


DRAWN = Items(FIGURE_2, tuple(drawn()))
OF_ITEMS = tuple(value for value in FIGURE_2.base_values if value > 0)

declare(
    Counterexample(
        part_of=("assumption-5.experiments/empty-cells",),
        instance=DRAWN,
        evaluate=lambda items: evaluation(items.setting, items.drawn),
        numbers=numbers,
        fix="an item of value 0.2 in every empty cell",
        fixed=replace(
            DRAWN, drawn=tuple(np.where(table == 0, 0.2, table) for table in DRAWN.drawn)
        ),
        broken={
            "least value of the experiment's items": replace(
                DRAWN, setting=replace(FIGURE_2, base_values=OF_ITEMS)
            ),
            "tasks drawn independently": replace(DRAWN, drawn=()),
            "probability of a failing pick-up": replace(
                DRAWN, setting=replace(FIGURE_2, pick_up_failure=0.0)
            ),
        },
        repaired=lambda items: without_floor(items.v, items.chance, items.error),
        in_scope=replace(
            DRAWN, v=Fraction(1, 2), chance=Fraction(12, 1000), error=Fraction(1, 100)
        ),
    )
)
