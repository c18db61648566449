"""Numbers between bounds and probability distributions as free coordinates, for
`ptum.checks.verdicts.search.Climb`.

A local optimiser moves through all real vectors; what it visits must be a valid instance. So a
number between 0 and 1 is the logistic function of its coordinate and a distribution is the softmax
of its coordinates, rounded to multiples of 1/FINENESS where the instance is rational: probabilities
of zero are reached that way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ptum.checks.exact.mdp import ExactMDP
from ptum.reference.arrays import Floats

FINENESS = 10**6
EDGE = 1e-7
"""Numbers nearer to 0 or 1 than this start from here: their coordinate would be infinite."""


def coordinate(share: Fraction | float) -> float:
    """The coordinate of a number between 0 and 1."""
    inside = min(max(float(share), EDGE), 1 - EDGE)
    return math.log(inside / (1 - inside))


def between_0_and_1(x: float) -> float:
    """The number at a coordinate."""
    return 0.5 * (1 + math.tanh(x / 2))


def rational_between_0_and_1(x: float) -> Fraction:
    """The same as a fraction."""
    return Fraction(round(FINENESS * between_0_and_1(x)), FINENESS)


def distribution_coordinates(distribution: Sequence[Fraction | float]) -> list[float]:
    """Coordinates of a probability distribution."""
    return [math.log(max(float(weight), EDGE)) for weight in distribution]


def distribution(coordinates: Floats) -> tuple[float, ...]:
    """The distribution at these coordinates."""
    from scipy.special import softmax  # here: it takes long to load

    weights: list[float] = softmax(coordinates).tolist()
    return tuple(weights)


def rational_distribution(coordinates: Floats) -> tuple[Fraction, ...]:
    """The same in fractions, whose sum is one exactly."""
    parts = [round(FINENESS * weight) for weight in distribution(coordinates)]
    total = sum(parts)
    return tuple(Fraction(part, total) for part in parts)


def tasks_vector(tasks: Sequence[ExactMDP]) -> Floats:
    """Coordinates of all transitions and rewards of some tasks."""
    rows = [distribution_coordinates(row) for task in tasks for table in task.p for row in table]
    return vector(*rows, [coordinate(r) for task in tasks for row in task.r for r in row])


def two_tasks_at(vector: Floats, start: ExactMDP) -> tuple[ExactMDP, ExactMDP]:
    """The two tasks at these coordinates; what stays is that of another one."""
    S, A = start.S, start.A
    p, r = vector[: 2 * S * A * S].reshape(2, S, A, S), vector[2 * S * A * S :].reshape(2, S, A)
    first, second = (
        replace(
            start,
            p=tuple(tuple(rational_distribution(row) for row in rows) for rows in p[task]),
            r=tuple(tuple(map(rational_between_0_and_1, row)) for row in r[task].tolist()),
        )
        for task in range(2)
    )
    return first, second


def vector(*pieces: Sequence[float]) -> Floats:
    """One vector of all coordinates."""
    return np.array([x for piece in pieces for x in piece], dtype=np.float64)
