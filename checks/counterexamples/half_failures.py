"""Ten tasks whose chain fails half of the time (erratum E26): T loses its rank.

Task j is followed by j+1 with probability s, else by j or j+2. T sends (1, -1, 1, -1, …) to 1 - 2s
times itself, so that at s = 1/2 nothing of it is left and no number of tasks shows O.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from checks.appendix_e.learning import invertible_walk, singular_walk, ten_tasks
from checks.counterexamples.catalogue import Case, Numbers

HALF = Fraction(1, 2)


def numbers() -> Numbers:
    """The chain."""
    return (
        ("tasks", 10),
        ("chance s of the next task", HALF),
        ("chance of staying, and of skipping one", (HALF / 2, HALF / 2)),
        ("T, column θ' to row θ", ten_tasks(HALF)),
    )


def _leaking() -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(x / 2 for x in row) for row in ten_tasks(HALF))


CASES = (
    Case(
        checks=("text-task-stochasticity-critical.all-values/one-half",),
        numbers=numbers,
        told=partial(singular_walk, ten_tasks(HALF)),
        undo="s = 0.51",
        undone=partial(singular_walk, ten_tasks(Fraction(51, 100))),
        broken={"columns of T are laws, off by": partial(singular_walk, _leaking())},
        repaired=partial(invertible_walk, 0.5, 0),
        sibling=partial(invertible_walk, 0.03, 0),
        repair_inexact="the repaired claim is about what the learner returns, in doubles",
    ),
)
