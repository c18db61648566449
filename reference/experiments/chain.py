"""Appendix E.2: the chain of tasks, an ordered list that is gone through in a circle.

| Appendix E.2                                 | code             |
| -------------------------------------------- | ---------------- |
| T(θ,θ') = P(θ*_{h+1} = θ | θ*_h = θ')        | `T[θ, θ']`       |
| the successor in the list follows            | `success`        |
| staying, or skipping one task                | (1 - `success`)/2 each (D65) |
| what follows the last task                   | the first, or with `cyclic=False` it turns round |
| Figure 5 right: failure of the task transition | 1 - `success`  |
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, frozen, require_distributions, sealed
from ptum.reference.errors import (
    require,
    require_below,
    require_choice,
    require_count,
    require_generator,
    require_probability,
    require_table,
)

SUCCESS = 0.97


def task_chain(k: int, success: float = SUCCESS, cyclic: bool = True) -> Floats:
    """T of shape (k, k), columns summing to one; for k < 3 some of the three successors agree.

    Not cyclic, a step beyond the end of the list goes as far back from it (D65).
    """
    k = require_count(k, "k")
    require_table("k", k, k)
    success = require_probability(success, "success")
    cyclic = require_choice(cyclic, (False, True), "cyclic")
    failure = (1 - success) / 2
    T = np.zeros((k, k))
    for step, probability in ((0, failure), (1, success), (2, failure)):
        for task in range(k):
            T[_there(task + step, k, cyclic), task] += probability
    return sealed(T)


def _there(place: int, k: int, cyclic: bool) -> int:
    """A place in the list, gone round or turned back at its last task."""
    return place % k if cyclic else max(min(place, 2 * (k - 1) - place), 0)


def task_sequence(T: npt.ArrayLike, rng: np.random.Generator, first: int = 0) -> Iterator[int]:
    """θ*_1, θ*_2, …, for ever, from task `first` (D79)."""
    columns = frozen(T, "T", 2)
    k = len(columns)
    require(columns.shape == (k, k), "T", "must be a square matrix", value=columns.shape)
    require_distributions(columns.T, "T, column")
    require_generator(rng)
    return _sequence(columns, rng, require_below(first, k, "first", "a task"))


def _sequence(columns: Floats, rng: np.random.Generator, task: int) -> Iterator[int]:
    rising = np.cumsum(columns, axis=0)
    last = [int(np.flatnonzero(column)[-1]) for column in columns.T]
    while True:
        yield task
        found = int(np.searchsorted(rising[:, task], rng.random(), side="right"))
        task = min(found, last[task])
