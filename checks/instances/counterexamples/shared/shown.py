"""Tasks as readable tables, for the numbers that a case shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ptum.checks.exact.mdp import ExactMDP, Table, deterministic, inner, variance
from ptum.checks.instances.counterexamples.catalogue import Numbers
from ptum.reference.experiments.grid import Grid
from ptum.reference.tasks.mdp import MDP, mean_reward


def exact_task(name: str, theta: ExactMDP) -> Numbers:
    """Mean rewards and transitions of a task with rational numbers; variances if there are any."""
    uncertain = any(x != 0 for row in theta.var for x in row)
    return (
        *_rewards(name, theta.r),
        *(((f"variance of rewards of {name}", theta.var),) if uncertain else ()),
        *_transitions(name, theta.p),
    )


def rounded_task(name: str, theta: MDP) -> Numbers:
    """Mean rewards and transitions of a task in doubles; reward distributions where it is random.

    One decimal more than a hand would write is rounding, so numbers are cut at twelve digits.
    """
    return (*_distributions(name, theta), *_transitions(name, tuples(theta.p)))


def _distributions(name: str, theta: MDP) -> Numbers:
    """Deterministic rewards, probabilities of reward 1, or distributions: what is needed."""
    r = tuples(mean_reward(theta))
    if not np.any((theta.q > 0) & (theta.q < 1)):
        return _rewards(name, r)
    if theta.u.tolist() == [0.0, 1.0]:
        return ((f"probability of reward 1 rather than 0 of {name}, rows s, columns a", r),)
    return (
        ("reward values u", tuples(theta.u)),
        (f"q of {name}, [s] rows a, columns u", tuples(theta.q)),
    )


def tasks(named: Iterable[tuple[str, ExactMDP | MDP]], together: str = "all of them") -> Numbers:
    """All tables of several tasks; transitions that all share are shown once."""
    listed = tuple(named)
    shared = len(listed) > 1 and all(_same(listed[0][1], other) for _, other in listed[1:])
    rows: list[tuple[str, object]] = []
    for name, theta in listed:
        own = exact_task(name, theta) if isinstance(theta, ExactMDP) else rounded_task(name, theta)
        rows += [row for row in own if not (shared and row[0].startswith("p of"))]
    if shared:
        first = listed[0][1]
        p = first.p if isinstance(first, ExactMDP) else tuples(first.p)
        rows += _transitions(together, p)
    return tuple(dict(rows).items())


def cells(name: str, grid: Grid, marked: Mapping[tuple[int, int], object]) -> Numbers:
    """A grid as it lies, row 0 below: what is marked, `·` elsewhere, `│` a wall between columns."""

    def row(i: int) -> tuple[object, ...]:
        found = [marked.get((i, j), "·") for j in range(grid.columns)]
        if grid.door is not None:
            found.insert(grid.columns // 2, " " if i == grid.door else "│")
        return tuple(found)

    return ((f"{name}, cell by cell", tuple(map(row, reversed(range(grid.rows))))),)


def tuples(array: npt.ArrayLike | Table) -> object:
    """An array as nested tuples of plain numbers."""
    return _frozen(np.asarray(array, dtype=np.float64).tolist())


def exactly(theta: MDP) -> ExactMDP:
    """The task that is meant by tables of doubles, all of which stand for short fractions."""
    u = tuple(map(meant, theta.u.tolist()))
    q = [[tuple(map(meant, distribution)) for distribution in row] for row in theta.q.tolist()]
    p = [[list(map(meant, row)) for row in rows] for rows in theta.p.tolist()]
    known = deterministic(
        p, [[inner(distribution, u) for distribution in row] for row in q], meant(theta.gamma)
    )
    return replace(
        known, var=tuple(tuple(variance(distribution, u) for distribution in row) for row in q)
    )


@lru_cache(maxsize=1024)
def meant(x: float) -> Fraction:
    """The fraction with a denominator up to 10⁴ for which a double stands."""
    fraction = Fraction(x).limit_denominator(10_000)
    if abs(float(fraction) - x) > 1e-12:
        raise ValueError(f"{x} is no short fraction")
    return fraction


def _frozen(nested: object) -> object:
    if isinstance(nested, list):
        return tuple(_frozen(part) for part in nested)
    assert isinstance(nested, float)
    return float(f"{nested:.12g}")


def _rewards(name: str, r: object) -> Numbers:
    return ((f"r of {name}, rows s, columns a", r),)


def _transitions(name: str, p: object) -> Numbers:
    """A single state leads to itself, which needs no table."""
    assert isinstance(p, tuple)
    return () if len(p) == 1 else ((f"p of {name}, [s] rows a, columns s'", p),)


def _same(first: ExactMDP | MDP, second: ExactMDP | MDP) -> bool:
    return np.array_equal(np.array(first.p, dtype=float), np.array(second.p, dtype=float))
