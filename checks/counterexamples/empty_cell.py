"""The objectworld tasks of the experiments have rewards without deviation (erratum E47).

An item of value v is picked up with probability 1-f, else the reward is 0: its variance is
f(1-f)v². An empty cell is the value 0, and its reward is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from checks.outcome import Statement, Walk
from reference.arrays import Floats
from reference.domains.grid import Grid
from reference.domains.objectworld import TaskList, random_items


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
    return min(pick_up_failure * (1 - pick_up_failure) * v**2 for v in values)


def walk(setting: TaskList, items: Sequence[Floats]) -> Walk:
    """Assumption 5, reward part, for the items of an experiment."""
    failure = Fraction(str(setting.pick_up_failure))
    return Walk(
        premises=(
            Statement("least value of the experiment's items", min(setting.base_values), "=", 0),
            Statement("tasks drawn independently", len(items), "≥", 1),
            Statement("probability of a failing pick-up", failure, ">", 0),
        ),
        conclusion=Statement(
            "least reward variance of all pairs", least_variance(items, failure), ">", 0
        ),
    )
