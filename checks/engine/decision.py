"""Line 12 after one sample: which active models fail, and at which equation.

Distances and widths are computed from counts of outcomes. Where one exceeds the other by more than
rounding can make (the errors derived in `slack`), the literal code decides alike; where it does
not, the literal code is asked, on the samples in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ptum.checks.engine.problem import ActiveStep, Problem
from ptum.checks.engine.slack import U
from ptum.reference.arrays import Bools, Floats, Ints
from ptum.reference.errors import require_numbers
from ptum.reference.transfer.confidence import (
    confidence_set,
    width_p,
    width_r,
    width_sigma_p,
    width_sigma_r,
    widths,
)
from ptum.reference.transfer.empirical import empirical_model, empty_data
from ptum.reference.transfer.transcript import Elimination

Ordered: TypeAlias = Callable[[], tuple[Floats, Ints]]
"""All samples of the pair in their order: rewards and next states."""


@dataclass(frozen=True, eq=False)
class OutcomeCounts:
    """Samples of one pair, by outcome, in several runs: row i belongs to run i.

    `rewards` counts the values `u`; `successors` the states, (runs, S).
    """

    u: Floats
    rewards: Ints
    successors: Ints


def eliminated(
    problem: Problem, step: ActiveStep, seen: OutcomeCounts, t: list[int], ordered: list[Ordered]
) -> list[list[Elimination]]:
    """For every run the models that fail after its last sample, as the literal code records it."""
    fails, doubt = _compared(problem, step, seen)
    found = []
    for run in range(len(t)):
        if doubt[run].any():
            found.append(_literal(problem, step, t[run], *ordered[run]()))
        else:
            found.append(_records(step, t[run], fails[run]))
    return found


def _compared(problem: Problem, step: ActiveStep, seen: OutcomeCounts) -> tuple[Bools, Bools]:
    """Which tests fail, and of which it is not sure; axes are runs, active models, tests.

    Tests are in the order of the equations: (1), (2) for every θ', (3), (4) for every θ'.
    """
    models, numbers, N = problem.models, problem.numbers, seen.successors.sum(axis=1)
    r, sigma_r = _mean_and_std(seen.rewards, seen.u[np.newaxis, :], N)
    occurring = np.flatnonzero(seen.successors.any(axis=0))
    V, sigma_p = _mean_and_std(seen.successors[:, occurring], models.V_star[:, occurring], N)
    column, errors = N[:, np.newaxis], numbers.errors
    width = np.concatenate(
        (
            width_r(sigma_r, column, problem.L, errors.r),
            width_p(sigma_p, column, problem.L, models.gamma, errors.p),
            width_sigma_r(column, problem.L_sigma, errors.sigma_r),
            np.repeat(
                width_sigma_p(column, problem.L_sigma, models.gamma, errors.sigma_p), models.k, 1
            ),
        ),
        axis=1,
    )[:, np.newaxis]
    hat = np.concatenate((r, V, sigma_r, sigma_p), axis=1)[:, np.newaxis]
    distance = np.abs(hat - np.concatenate((step.targets.mean, step.targets.std), axis=1))
    require_numbers(distance=distance, width=width)
    outcomes = models.S + seen.u.size
    E = (4 * column + 6 * outcomes + 40) * U * problem.largest
    E = np.concatenate((E * (1 + np.sqrt(2 * problem.L / column)), E), axis=1)[:, np.newaxis]
    error = E + 16 * U * width
    fails = distance - error > width
    return fails, ~fails & ~(distance + error <= width)


def _mean_and_std(counts: Ints, values: Floats, N: Ints) -> tuple[Floats, Floats]:
    """Means and sample deviations from counts (runs, m) of values (j, m): shapes (runs, j)."""
    mean = (counts @ values.T) / N[:, np.newaxis]
    deviation = values[np.newaxis, :, :] - mean[:, :, np.newaxis]
    squares = np.sum(counts[:, np.newaxis, :] * deviation**2, axis=2)
    return mean, np.sqrt(squares / np.maximum(N - 1, 1)[:, np.newaxis])


def _records(step: ActiveStep, t: int, fails: Bools) -> list[Elimination]:
    """Every model that fails, with the first equation and θ' it fails at (D13)."""
    if not fails.any():
        return []
    k = fails.shape[1] // 2 - 1
    found = []
    for position in np.flatnonzero(fails.any(axis=1)).tolist():
        half, column = divmod(int(fails[position].argmax()), k + 1)
        first: Literal[1, 3] = 3 if half else 1
        second: Literal[2, 4] = 4 if half else 2
        theta, pair = step.active[position], step.pair
        if column:
            found.append(Elimination(t, theta, second, *pair, column - 1))
        else:
            found.append(Elimination(t, theta, first, *pair, None))
    return found


def _literal(
    problem: Problem, step: ActiveStep, t: int, rewards: Floats, successors: Ints
) -> list[Elimination]:
    """Lines 7-12 of the literal code on this pair alone: the others have not changed."""
    models, numbers, (s, a) = problem.models, problem.numbers, step.pair
    data = empty_data(models.S, models.A)
    data.rewards[s][a].extend(rewards.tolist())
    data.successors[s][a].extend(successors.tolist())
    hat = empirical_model(data, models.V_star)
    C = widths(hat, numbers.errors, models.gamma, numbers.n, models.k, numbers.delta)
    _, fallen = confidence_set(step.active, hat, C, models)
    return [
        Elimination(t, theta, why.equation, why.s, why.a, why.theta_prime)
        for theta, why in fallen.items()
    ]
