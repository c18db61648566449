"""Section 2: does the reference take as a task what the definition calls one?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias, TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.exact.numbers import max_of, min_of
from ptum.checks.instances.families import tasks
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, Values
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.spec.vocabulary import CheckKind

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class OfferedTables:
    """What somebody offers as a task."""

    p: Floats
    q: Floats
    u: Floats
    gamma: float

    def is_task(self) -> bool:
        """The definition, entry by entry: shapes, distributions, rewards in [0,1], γ in [0,1)."""
        in_range = 0 <= self.gamma < 1 and all(0 <= x <= 1 for x in self.u.tolist())
        return (
            self.fits_together() and in_range and all(map(_is_distribution, self._distributions()))
        )

    def fits_together(self) -> bool:
        """Whether all three tables are about the same states, actions and rewards."""
        S, A, U = len(self.p), self.p.shape[1], len(self.u)
        return self.p.shape == (S, A, S) and self.q.shape == (S, A, U) and min(S, A, U) > 0

    def numbers(self) -> Values:
        """What decides whether tables that fit together are a task, for the formula."""
        rows, rewards = list(self._distributions()), self.u.tolist()
        return (
            ("least_chance", min_of(map(min_of, rows))),
            ("mass_error", max(map(_mass_error, rows))),
            ("least_reward", min_of(rewards)),
            ("largest_reward", max_of(rewards)),
            ("gamma", self.gamma),
        )

    def _distributions(self) -> Iterator[list[float]]:
        for table in (self.p, self.q):
            yield from table.reshape(-1, table.shape[-1]).tolist()


def _is_distribution(row: Sequence[float]) -> bool:
    """Non-negative and of sum one, up to the roundings of a division by the sum."""
    return min_of(row) >= 0 and _mass_error(row) <= 1


def _mass_error(row: Sequence[float]) -> Fraction:
    """How far the sum is from one, over the roundings of a division by the sum (D20)."""
    total = sum(map(Fraction, row), Fraction(0))
    return abs(total - 1) / (4 * len(row) * Fraction(ROUNDING))


def _with_row(table: Floats, row: Floats) -> Floats:
    changed = table.copy()
    changed[-1, -1] = row
    return changed


SPOIL: tuple[Callable[[OfferedTables], OfferedTables], ...] = (
    lambda t: t,
    lambda t: replace(t, p=_with_row(t.p, t.p[-1, -1] * (1 + 1e-9))),
    lambda t: replace(t, q=_with_row(t.q, t.q[-1, -1] * 0.9)),
    lambda t: replace(t, p=_with_row(t.p, 2 * np.eye(len(t.p))[0] - t.p[-1, -1])),
    lambda t: replace(t, p=t.p[:, :, :-1]),
    lambda t: replace(t, q=t.q[:, :-1]),
    lambda t: replace(t, u=t.u + 0.5),
    lambda t: replace(t, u=t.u - 0.5),
    lambda t: replace(t, gamma=1.0),
    lambda t: replace(t, gamma=-t.gamma),
)
"""Ways to leave the definition; some leave some tasks inside it."""


def offers() -> SearchStrategy[tuple[OfferedTables, ...]]:
    """A task of any family, as it is and spoilt in every way."""

    def spoilt(theta: MDP) -> tuple[OfferedTables, ...]:
        tables = OfferedTables(np.array(theta.p), np.array(theta.q), np.array(theta.u), theta.gamma)
        return tuple(spoil(tables) for spoil in SPOIL)

    return tasks.tasks().map(spoilt)


Taker: TypeAlias = Callable[[OfferedTables], object]


def as_task(tables: OfferedTables) -> MDP:
    """The reference's constructor."""
    return MDP(tables.p, tables.q, tables.u, tables.gamma)


def task_evaluation(offered: Sequence[OfferedTables], take: Taker = as_task) -> Evaluation:
    """What the definition calls a task is taken, and nothing else.

    The numbers are those of the first tables that are judged wrongly.
    """
    wrong = [tables for tables in offered if accepted(take, tables) != tables.is_task()]
    first = wrong[0] if wrong else offered[0]
    text = (
        "" if first.fits_together() else f", the first of shapes {first.p.shape}, {first.q.shape}"
    )
    return Evaluation(
        (),
        Statement(
            f"tables that are judged wrongly{text}",
            len(wrong),
            "=",
            0,
            formulas.PRELIMINARIES + "TASK",
            first.numbers(),
        ),
    )


def accepted(take: Callable[[T], object], offered: T) -> bool:
    """Whether the reference takes what it is offered."""
    try:
        take(offered)
    except InputError:
        return False
    return True


@check("text-task.definition/tables", CheckKind.EXACT)
def task_definition(context: Context) -> Outcome:
    """The reference takes a table exactly when it is a task by the definition."""
    return search(context, offers(), task_evaluation, (30, 300, 5000))


@st.composite
def two_tasks(draw: DrawFn) -> tuple[MDP, MDP]:
    """Often of the same size and discount."""
    sizes = st.tuples(st.integers(1, 2), st.integers(1, 2), st.sampled_from((0.0, 0.5, 0.9)))
    first = draw(sizes)
    second = first if draw(st.booleans()) else draw(sizes)
    return draw(tasks.of_size(*first)), draw(tasks.of_size(*second))


def shared_evaluation(pair: tuple[MDP, MDP]) -> Evaluation:
    """Tasks make a set exactly when they share states, actions and discount."""
    first, second = pair
    same = (first.S, first.A, first.gamma) == (second.S, second.A, second.gamma)
    taken = accepted(approximate_models, pair)
    return Evaluation((), Statement("taken as a set, and of one kind", taken, "=", same))


@check("text-task.definition/shared", CheckKind.EXACT)
def shared_by_all(context: Context) -> Outcome:
    """Tasks make a set exactly when they share states, actions and discount."""
    return search(context, two_tasks(), shared_evaluation, (60, 300, 6000))
