"""Algorithm 3 on independent tasks is not the method for static transfer (erratum E53).

Two tasks, each drawn with chance 1/2 whatever came before. Exact moments between views of
different tasks have rank one, so Algorithm 3 returns nothing; views inside a task show both.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from checks.appendix_e_learning import printed_static_walk, two_tasks, within_task_walk
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.shown import tuples


def numbers() -> Numbers:
    """One state, two actions, two rewards."""
    return (
        ("O, one column per task", tuples(two_tasks())),
        ("T, column θ' to row θ", ((0.5, 0.5), (0.5, 0.5))),
        ("law of the first task", (0.5, 0.5)),
    )


CASES = (
    Case(
        checks=("text-static-reduces-to-azar.same/independent-tasks",),
        numbers=numbers,
        told=printed_static_walk,
        undo="tasks that are kept with chance 0.9",
        undone=partial(printed_static_walk, 0.9),
        broken={
            "second singular value of O": partial(printed_static_walk, 0.5, two_tasks()[:, [0, 0]])
        },
        repaired=partial(within_task_walk, np.array([0, 1, 1, 0])),
        sibling=partial(within_task_walk, np.array([1, 0, 0, 0, 0, 1, 0])),
    ),
)
