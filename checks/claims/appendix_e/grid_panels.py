"""Figure 3 and the left panel of Figure 1: runs of PTUM with known models in two rooms.

Nothing here is a curve of the paper: its goals, doors and seeds are not given. Every statement is
about one run, given the streams of its samples, on a drawn member of the family that Appendix E.1
describes; an average of such runs inherits it. The wall is thin (D66), a failed action spreads over
all four (D67), and a goal pays in every step, when in it or when arriving there (D68); where a
goal pays on arrival alone, Δ costs most, and Figure 3 right looks at that as well.

| panel    | drawn                                                  | decision |
| -------- | ------------------------------------------------------ | -------- |
| 1 left   | as many goals and doors as tasks, all different        | D69      |
| 3 left   | one goal in the far corner, a door in each row; ε      | D71      |
| 3 middle | goals in the other three corners, three different doors | D72     |
| 3 right  | as 3 left; Δ below what line 2 admits                  | D71      |
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.claims.appendix_e.outcomes import (
    FEW_EPISODES,
    ROOMS,
    STEPS_OF_AN_EPISODE,
    budget_of_panel,
    episodes_for_eleven,
    loss_of,
)
from ptum.checks.claims.appendix_e.panels import seeds, small_and_large
from ptum.checks.claims.appendix_e.runs import broken_steps, growth_evaluation, run
from ptum.checks.exact.numbers import is_above, min_of
from ptum.checks.instances.counterexamples.appendix_e.samples import Rooms, sized_runs
from ptum.checks.verdicts.attempts.names import stored, stored_as
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import NOTHING_ROUNDED, Evaluation, Outcome, Statement
from ptum.reference.experiments.two_rooms import Payment, two_rooms
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import value_tolerance
from ptum.reference.transfer.ptum import End
from ptum.reference.transfer.stopping import transfer_threshold
from ptum.spec.vocabulary import CheckKind

IN_EVERY_STEP = (Payment.IN_GOAL, Payment.AT_GOAL)


# Figure 3 left and right: one goal, a door in each row


@stored
@dataclass(frozen=True)
class Doors:
    """A grid of side×side with the goal in the far corner; task i has its door in row i.

    `choice` says which intervals of ε are looked at.
    """

    side: int
    target: int
    seed: int
    payment: Payment = Payment.IN_GOAL
    choice: int = 0

    def models(self, gamma: float) -> ApproximateModels:
        """One for each row."""
        return door_models(self.side, gamma, self.payment)


@lru_cache(maxsize=8)
def door_models(side: int, gamma: float, payment: Payment) -> ApproximateModels:
    """Solving them takes longer than a run."""
    goal = (side - 1, side - 1)
    rooms = [two_rooms(side, side, door, goal, gamma, payment=payment) for door in range(side)]
    return approximate_models(rooms)


@st.composite
def one_goal(draw: DrawFn, seeds: SearchStrategy[int]) -> Doors:
    """Three or four rows, any task as the target, any samples."""
    rows = draw(st.integers(3, 4))
    return Doors(
        rows,
        draw(st.integers(0, rows - 1)),
        draw(seeds),
        draw(st.sampled_from(IN_EVERY_STEP)),
        draw(st.integers(0, 2**16)),
    )


def of_panel(side: int, number: int, payments: Sequence[Payment] = IN_EVERY_STEP) -> list[Doors]:
    """Every target of the panel's grid in turn, the far one first, with other samples each."""
    return [
        Doors(side, i % side, i, payments[i // side % len(payments)], choice=i)
        for i in range(number)
    ]


GAMMA_LEFT, DELTA_LEFT, BUDGET_LEFT = 0.99, 0.01, 1_000_000
LOOKED_AT = 3
"""Intervals of ε between two losses that one instance looks at, beside that from 0 on."""
INSIDE = (0.01, 0.99)


def samples_left(doors: Doors, epsilon: float, n: int = BUDGET_LEFT) -> int:
    """Samples with the numbers of Figure 3 left; beyond n if the run does not stop by itself."""
    models = doors.models(GAMMA_LEFT)
    found = run(models, doors.seed, epsilon=epsilon, delta=DELTA_LEFT, n=n, target=doors.target)
    return found.queries if found.end is End.STOPPED else n + 1


def rounding_of_losses(doors: Doors) -> float:
    """A loss is the difference of two values, and line 14 compares it with ε up to rounding."""
    return 3 * value_tolerance(doors.models(GAMMA_LEFT).V_star, GAMMA_LEFT)


def some_intervals(doors: Doors) -> list[tuple[float, float]]:
    """From 0 to the least loss, and some of those between two losses, in order.

    Intervals so short that rounding may move a place in them out of them are left out.
    """
    models = doors.models(GAMMA_LEFT)
    lost = np.max(models.V_star[:, np.newaxis] - models.V_pi, axis=2)
    others = sorted(lost[~np.eye(models.k, dtype=np.bool_)].tolist())
    shortest = rounding_of_losses(doors) / INSIDE[0]
    first, *rest = (
        (low, high)
        for low, high in itertools.pairwise((0.0, *others, others[-1] + 1))
        if is_above(high - low, shortest)
    )
    chosen = {(doors.choice * step + step) % len(rest) for step in range(1, LOOKED_AT + 1)}
    return [first, *(rest[place] for place in sorted(chosen))]


def stairs_evaluation(
    doors: Doors, inside: Sequence[float] = INSIDE, n: int = BUDGET_LEFT
) -> Evaluation:
    """Samples as a function of ε: constant between losses, never rising, and finite at ε = 0.

    At ε = 0 lines 3-21 are run, which line 2 as printed does not let happen (E12). A premise keeps
    the places away from the losses, which are known up to rounding.
    """
    intervals = some_intervals(doors)
    at_zero = samples_left(doors, 0.0, n)
    above_zero = samples_left(doors, inside[0] * intervals[0][1], n)
    broken = broken_steps(lambda epsilon: samples_left(doors, epsilon, n), intervals, inside)
    nearest = min_of(high - low for low, high in intervals) * INSIDE[0]
    rounded = rounding_of_losses(doors)
    return Evaluation(
        (
            Statement("intervals between losses", len(intervals), "≥", 2),
            Statement("distance of a place from a loss", nearest, ">", rounded),
        ),
        Statement(
            "changes inside an interval, rises, and runs without end",
            broken + (above_zero != at_zero) + (at_zero > n),
            "=",
            0,
            tolerance=NOTHING_ROUNDED,
        ),
    )


def share_of_budget(doors: Doors) -> Statement:
    """The largest number of samples, at ε = 0, against the budget that bounds it."""
    return Statement("samples at ε = 0", samples_left(doors, 0.0), "<", BUDGET_LEFT)


@check("figure-3-left.steps/one-goal", CheckKind.INEQUALITY)
def stairs(context: Context, n: int = BUDGET_LEFT) -> Outcome:
    """One goal, a door per row: samples step down where ε passes a loss, finite at ε = 0.

    Small grids, and that of the panel with its twelve doors.
    """
    return small_and_large(
        context,
        one_goal(seeds(context)),
        lambda doors: stairs_evaluation(doors, n=n),
        context.count(2, 40, 1000),
        of_panel(ROOMS, context.count(0, 1, 24)),
        near=share_of_budget,
    )


GAMMA_RIGHT, DELTA_RIGHT, EPSILON_RIGHT, BUDGET_RIGHT = 0.9, 0.1, 0.13, 1_000_000
LEAST_SHARE = 1e-9
SHARES = (LEAST_SHARE, 1e-3, 1e-2, 0.1, 0.4, 0.999)
"""Δ as shares of what line 2 admits, from hardly anything to nearly all."""


def samples_right(doors: Doors, share: float) -> int:
    """Samples with the numbers of Figure 3 right and Δ as a share of the threshold."""
    return run(
        doors.models(GAMMA_RIGHT),
        doors.seed,
        epsilon=EPSILON_RIGHT,
        Delta=share * transfer_threshold(EPSILON_RIGHT, GAMMA_RIGHT),
        delta=DELTA_RIGHT,
        n=BUDGET_RIGHT,
        target=doors.target,
    ).queries


def excess_evaluation(doors: Doors, shares: Sequence[float] = SHARES) -> Evaluation:
    """The excess never grows as Δ falls, and is nil before Δ is."""
    exactly = samples_right(doors, 0.0)
    excess = [samples_right(doors, share) - exactly for share in shares]
    rises = sum(smaller > larger for smaller, larger in itertools.pairwise(excess))
    return Evaluation(
        (Statement("samples at Δ = 0", exactly, "≥", 1),),
        Statement(
            "places where a smaller Δ costs more, and excess at the smallest",
            rises + (excess[0] != 0),
            "=",
            0,
            tolerance=NOTHING_ROUNDED,
        ),
    )


def room_below(doors: Doors) -> Statement:
    """The smallest share that is tried against the largest power of ten that costs nothing."""
    exactly, share = samples_right(doors, 0.0), LEAST_SHARE
    while 10 * share < 1 and samples_right(doors, 10 * share) == exactly:
        share = 10 * share
    return Statement("share that is tried, share that costs nothing", LEAST_SHARE, "≤", share)


@check("figure-3-right.excess/one-goal", CheckKind.INEQUALITY)
def excess(context: Context, shares: Sequence[float] = SHARES) -> Outcome:
    """One goal, a door per row: the excess falls with Δ and is nil before Δ is.

    Small grids, and that of the panel with its six doors, there also paid on arrival.
    """
    return small_and_large(
        context,
        one_goal(seeds(context)),
        lambda doors: excess_evaluation(doors, shares),
        context.count(3, 40, 1000),
        of_panel(6, context.count(0, 18, 72), tuple(Payment)),
        near=room_below,
    )


# Figure 3 middle: three corners

CORNERS = ((1, 1), (0, 1), (1, 0))
QUARTERS = (0, 1, 2, 4)
"""How far down doors are; these are in different rows on every grid from 4×4 on."""

GridSides: TypeAlias = tuple[int, ...]


@st.composite
def other_corners(draw: DrawFn) -> tuple[Rooms, GridSides]:
    """Goals in the three corners that are not the start, different doors, 4×4 and a larger grid."""
    doors = draw(st.permutations(QUARTERS))
    rooms = Rooms(CORNERS, tuple(doors[:3]), draw(st.integers(0, 2)))
    return rooms, (4, 2 * draw(st.integers(4, 5)))


def of_sizes(number: int) -> list[tuple[Rooms, GridSides]]:
    """All even sizes from 4×4 to 24×24 for some doors and every target."""
    doors = ((0, 2, 4), (4, 1, 2))
    sizes = tuple(range(4, 25, 2))
    return [(Rooms(CORNERS, doors[i // 3 % 2], i % 3), sizes) for i in range(number)]


def logarithm_evaluation(drawn: tuple[Rooms, GridSides], slack: int = 2) -> Evaluation:
    """From the smallest grid samples grow by 7/3 log(S'/S) per group of models, up to rounding.

    S grows at least fourfold, so a constant number of samples misses the line by more than the
    slack, and so does one that grows like a power of S.
    """
    rooms, sizes = drawn
    return growth_evaluation(sized_runs(sizes, rooms), slack)


@check("figure-3-middle.logarithm/three-corners", CheckKind.INEQUALITY)
def logarithm(context: Context, slack: int = 2) -> Outcome:
    """Goals in three corners, drawn doors: samples on two grids are a + b log S.

    Two sizes of drawn rooms, and all sizes of a few.
    """
    return small_and_large(
        context,
        other_corners(),
        lambda drawn: logarithm_evaluation(drawn, slack),
        context.count(2, 40, 400),
        of_sizes(context.count(0, 1, 6)),
    )


# Figure 1 left: different goals, different doors


@stored_as("Places")
@dataclass(frozen=True)
class GoalsAndDoors:
    """Goals and doors, one of each per task, on a grid of side×side; the seed of the samples."""

    side: int
    goals: tuple[tuple[int, int], ...]
    doors: tuple[int, ...]
    target: int
    seed: int

    def models(self) -> ApproximateModels:
        """With the discount of the panel."""
        return models_at(self.side, self.goals, self.doors)


@lru_cache(maxsize=2)
def models_at(
    side: int, goals: tuple[tuple[int, int], ...], doors: tuple[int, ...]
) -> ApproximateModels:
    """One for each goal and its door."""
    return approximate_models(
        [two_rooms(side, side, door, goal, 0.99) for goal, door in zip(goals, doors, strict=True)]
    )


@st.composite
def places(draw: DrawFn, seeds: SearchStrategy[int]) -> GoalsAndDoors:
    """As many tasks as there are rows, or fewer; no goal in the start."""
    rows = draw(st.integers(3, 6))
    k = draw(st.integers(2, rows))
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, rows - 1))
    goals = draw(
        st.lists(cells.filter(lambda cell: cell != (0, 0)), min_size=k, max_size=k, unique=True)
    )
    doors = draw(st.permutations(range(rows)))
    return GoalsAndDoors(
        rows, tuple(goals), tuple(doors[:k]), draw(st.integers(0, k - 1)), draw(seeds)
    )


def twelve_tasks(number: int) -> list[GoalsAndDoors]:
    """Twelve goals and twelve doors on the grid of the panel, and each task once as the target."""
    found = []
    for i in range(number):
        rng = np.random.default_rng(i // ROOMS)
        cells = 1 + rng.permutation(ROOMS**2 - 1)[:ROOMS]
        goals = tuple((int(cell) // ROOMS, int(cell) % ROOMS) for cell in cells)
        doors = tuple(int(row) for row in rng.permutation(ROOMS))
        found.append(GoalsAndDoors(ROOMS, goals, doors, i % ROOMS, i))
    return found


def identification_evaluation(drawn: GoalsAndDoors, steps: int = STEPS_OF_AN_EPISODE) -> Evaluation:
    """Episodes until PTUM has an ε-optimal policy, at the pace of this run for eleven rivals.

    A sample is a step (D73). A policy that is not ε-optimal, or none, counts as never.
    """
    epsilon = 0.1
    models = drawn.models()
    task, rivals = models.tasks[drawn.target], models.k - 1
    n = budget_of_panel(models)
    found = run(models, drawn.seed, epsilon=epsilon, n=n, target=drawn.target)
    allowed = epsilon + 2 * value_tolerance(models.V_star, task.gamma)
    optimal = not is_above(loss_of(task, found), allowed)
    taken = episodes_for_eleven(found.queries, rivals, steps) if optimal else math.inf
    return Evaluation(
        (Statement("rivals", rivals, "≥", 1),),
        Statement(
            "episodes until an ε-optimal policy is known, for eleven rivals",
            taken,
            "≤",
            FEW_EPISODES,
            tolerance=NOTHING_ROUNDED,
        ),
    )


@check("figure-1-left.identification/drawn-places", CheckKind.INEQUALITY)
def identification(context: Context, steps: int = STEPS_OF_AN_EPISODE) -> Outcome:
    """PTUM alone, not PEL: an ε-optimal policy within ten episodes of 100 steps.

    Small grids, and that of the panel with its twelve tasks.
    """
    return small_and_large(
        context,
        places(seeds(context)),
        lambda drawn: identification_evaluation(drawn, steps),
        context.count(4, 60, 1000),
        twelve_tasks(context.count(0, 2, 36)),
    )
