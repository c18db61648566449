"""Steps of the curve over grid sizes (erratum E56): the same models fall, the counts differ.

Three tasks with deterministic rewards, on grids of growing size. On all of them the same models
fall in the same order; what steps is ⌊7L/3⌋ + 2, the integer that follows L = log(8SAn(k+1)/δ).
That integer is computed with L between two rationals, and the literal runs must make as many
queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact.intervals import Between, shortened, whole_part
from ptum.checks.instances.counterexamples.catalogue import Counterexample, Numbers, declare
from ptum.checks.instances.counterexamples.shared.deterministic_runs import log_term
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.experiments.two_rooms import two_rooms
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.assumptions import single

EPSILON, DELTA, BUDGET = Fraction(1, 10_000), Fraction(1, 100), 100_000
SIDES = (4, 6, 8, 10)


@stored
@dataclass(frozen=True)
class Rooms:
    """Three tasks (D72): goals in three corners, doors by how far down they are, in quarters.

    A corner is (down, right), 0 or 1 each.
    """

    goals: tuple[tuple[int, int], ...] = ((1, 1), (0, 1), (1, 0))
    doors: tuple[int, ...] = (0, 2, 4)
    target: int = 0

    def models(self, side: int) -> ApproximateModels:
        """On a grid of that size."""
        last = side - 1
        return approximate_models(
            [
                two_rooms(
                    side, side, min(door * side // 4, last), (down * last, right * last), 0.99
                )
                for (down, right), door in zip(self.goals, self.doors, strict=True)
            ]
        )


@dataclass(frozen=True)
class Sized:
    """A run on a grid of one size: samples, which models fell in which order, and log(8SAn4/δ).

    `passes` are those in which models fell; one for each model unless it is said.
    """

    side: int
    queries: int
    fallen: tuple[int, ...]
    L: float
    passes: int | None = None

    @property
    def groups(self) -> int:
        """Models that fall together count once."""
        return len(set(self.fallen)) if self.passes is None else self.passes


@cache
def sized_runs(sides: tuple[int, ...] = SIDES, rooms: Rooms | None = None) -> tuple[Sized, ...]:
    """ε = 0.0001, δ = 0.01, n = 100000."""
    layout, found = rooms or Rooms(), []
    for side in sides:
        models = layout.models(side)
        result = simulated_run(
            models,
            models.tasks[layout.target],
            seed=0,
            epsilon=float(EPSILON),
            delta=float(DELTA),
            n=BUDGET,
            errors=single(0.0),
        )
        fallen = tuple(elimination.theta for elimination in result.eliminations)
        passes = len({elimination.t for elimination in result.eliminations})
        found.append(Sized(side, result.queries, fallen, float(logarithm(side)), passes))
    return tuple(found)


def same_models_evaluation(runs: Sequence[Sized]) -> Evaluation:
    """If steps came from the models to discard, equal sets would mean equal numbers of samples."""
    counts = {one.queries for one in runs}
    return Evaluation(
        (
            Statement("orders in which models fall", len({one.fallen for one in runs}), "=", 1),
            Statement("sizes", len(runs), "≥", 2),
        ),
        Statement("different numbers of samples", len(counts), "=", 1),
    )


@dataclass(frozen=True)
class Grids:
    """Sides of square grids; on the last one models may fall the other way round, or as fast."""

    sides: tuple[int, ...] = (4, 6)
    other_order: bool = False
    same_count: bool = False

    def runs(self) -> tuple[Sized, ...]:
        """One on each grid."""
        found = list(sized_runs(self.sides))
        for one in found:
            if one.queries != counted(one):
                text = f"{one.queries} queries, not {counted(one)}, on side {one.side}"
                raise AssertionError(text)
        if self.other_order:
            found[-1] = replace(found[-1], fallen=found[-1].fallen[::-1])
        if self.same_count:
            found[-1] = replace(found[-1], queries=found[0].queries)
        return tuple(found)


def logarithm(side: int) -> Between:
    """L for a square grid, four actions and three models."""
    return log_term(side**2, 4, BUDGET, 3, DELTA)


def counted(one: Sized, phases: int | None = None) -> int:
    """⌊7L/3⌋ + 2 queries for every phase in which models fall.

    Rewards are deterministic and 1 apart, so that N samples tell two models apart once 7L/(3(N-1))
    < 1.
    """
    return (phases or one.groups) * (whole_part(7 * logarithm(one.side) / 3) + 2)


def integer_evaluation(one: Sized, phases: int | None = None) -> Evaluation:
    """Repair: the number of queries is a sum of integers that follow L."""
    return Evaluation(
        (Statement("models that fall", len(one.fallen), "≥", 1),),
        Statement(f"samples on a grid of side {one.side}", one.queries, "=", counted(one, phases)),
    )


def numbers(grids: Grids) -> Numbers:
    """What all runs have in common, and what each shows."""
    return (
        ("tasks", "goals in three corners, doors in three rows"),
        ("γ", Fraction(99, 100)),
        ("ε", EPSILON),
        ("δ", DELTA),
        ("budget n", BUDGET),
        ("side, samples, models in the order of their fall, L", tuple(map(_row, grids.runs()))),
    )


def _row(one: Sized) -> tuple[object, ...]:
    return one.side, one.queries, one.fallen, shortened(logarithm(one.side))


declare(
    Counterexample(
        part_of=("text-logarithmic-in-states.piecewise/same-models",),
        instance=Grids(),
        evaluate=lambda grids: same_models_evaluation(grids.runs()),
        numbers=numbers,
        fix="as many samples on the larger grid as on the smaller one",
        fixed=Grids(same_count=True),
        broken={
            "orders in which models fall": Grids(other_order=True),
            "sizes": Grids((4,)),
        },
        repaired=lambda grids: integer_evaluation(grids.runs()[0]),
        in_scope=Grids((6,)),
    )
)
