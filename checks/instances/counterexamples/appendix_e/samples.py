"""Against what is said of numbers of samples in figures (errata E50, E56; E62 is withdrawn)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, shortened, whole_part
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import (
    Algorithm1Inputs,
    log_term,
)
from ptum.checks.instances.counterexamples.shared.shown import cells
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.two_rooms import goal_grid
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.spec.vocabulary import Version

# Steps of the curve over grid sizes (erratum E56): the same models go, the counts differ.
#
# Three tasks with deterministic rewards, on grids of growing size. On all of them the same models
# are eliminated in the same order; what steps is ⌊7L/3⌋ + 2, the integer that follows
# L = log(8SAn(k+1)/δ). That integer is computed with L between two rationals, and the literal runs
# must make as many queries.

EPSILON = Fraction(1, 10000)
GRID_SIZES_DELTA = Fraction(1, 100)
GRID_SIZES_BUDGET = 100000
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
        return approximate_models(
            [goal_grid(grid, {goal: 1.0}, 0.99) for grid, goal in self.layout(side)]
        )

    def layout(self, side: int) -> list[tuple[Grid, tuple[int, int]]]:
        """Walls and doors, and the goal, of every task."""
        last = side - 1
        return [
            (Grid(side, side, min(door * side // 4, last)), (down * last, right * last))
            for (down, right), door in zip(self.goals, self.doors, strict=True)
        ]


@dataclass(frozen=True)
class Sized:
    """A run on a grid of one size: samples, which models were eliminated in which order, and
    log(8SAn4/δ).

    `iterations` are those that eliminated models; one for each model unless it is said.
    """

    side: int
    queries: int
    eliminated: tuple[int, ...]
    L: float
    iterations: int | None = None

    @property
    def groups(self) -> int:
        """Models that are eliminated together count once."""
        return len(set(self.eliminated)) if self.iterations is None else self.iterations


@cache
def sized_runs(sides: tuple[int, ...] = SIDES, rooms: Rooms | None = None) -> tuple[Sized, ...]:
    """ε = 0.0001, δ = 0.01, n = 100000."""
    layout, found = rooms or Rooms(), []
    numbers = RunNumbers(float(EPSILON), float(GRID_SIZES_DELTA), GRID_SIZES_BUDGET)
    for side in sides:
        models = layout.models(side)
        result = simulated_run(models, models.tasks[layout.target], 0, numbers)
        eliminated = tuple(elimination.theta for elimination in result.eliminations)
        iterations = len({elimination.t for elimination in result.eliminations})
        found.append(Sized(side, result.queries, eliminated, float(logarithm(side)), iterations))
    return tuple(found)


def same_models_evaluation(runs: Sequence[Sized]) -> Evaluation:
    """If steps came from the models to discard, equal sets would mean equal numbers of samples."""
    counts = {one.queries for one in runs}
    return Evaluation(
        (
            Statement(
                "orders in which models are eliminated",
                len({one.eliminated for one in runs}),
                "=",
                1,
            ),
            Statement("sizes", len(runs), "≥", 2),
        ),
        Statement("different numbers of samples", len(counts), "=", 1),
    )


@dataclass(frozen=True)
class Grids:
    """Sides of square grids; on the last one models may go the other way round, or as fast."""

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
            found[-1] = replace(found[-1], eliminated=found[-1].eliminated[::-1])
        if self.same_count:
            found[-1] = replace(found[-1], queries=found[0].queries)
        return tuple(found)


def logarithm(side: int) -> Between:
    """L for a square grid, four actions and three models."""
    return log_term(side**2, 4, GRID_SIZES_BUDGET, 3, GRID_SIZES_DELTA)


def counted(one: Sized, phases: int | None = None) -> int:
    """⌊7L/3⌋ + 2 queries for every phase that eliminates models.

    Rewards are deterministic and 1 apart, so that N samples tell two models apart once 7L/(3(N-1))
    < 1.
    """
    return (phases or one.groups) * (whole_part(7 * logarithm(one.side) / 3) + 2)


def integer_evaluation(one: Sized, phases: int | None = None) -> Evaluation:
    """Repair: the number of queries is a sum of integers that follow L."""
    return Evaluation(
        (Statement("models that are eliminated", len(one.eliminated), "≥", 1),),
        Statement(f"samples on a grid of side {one.side}", one.queries, "=", counted(one, phases)),
    )


def numbers(grids: Grids) -> Numbers:
    """What all runs have in common, and what each shows."""
    return (
        ("tasks", "goals in three corners, doors in three rows"),
        *(
            row
            for j, (grid, goal) in enumerate(Rooms().layout(min(grids.sides)))
            for row in cells(f"rewards of task {j} at side {grid.rows}", grid, {goal: 1})
        ),
        ("γ", Fraction(99, 100)),
        ("ε", EPSILON),
        ("δ", GRID_SIZES_DELTA),
        ("budget n", GRID_SIZES_BUDGET),
        ("side, samples, models in the order of elimination, L", tuple(map(_row, grids.runs()))),
    )


def _row(one: Sized) -> tuple[object, ...]:
    return one.side, one.queries, one.eliminated, shortened(logarithm(one.side))


declare(
    part_of=("text-logarithmic-in-states.piecewise/same-models",),
    instance=Grids(),
    evaluate=lambda grids: same_models_evaluation(grids.runs()),
    numbers=numbers,
    fix="as many samples on the larger grid as on the smaller one",
    fixed=Grids(same_count=True),
    broken={"orders in which models are eliminated": Grids(other_order=True), "sizes": Grids((4,))},
    repaired=lambda grids: integer_evaluation(grids.runs()[0]),
    in_scope=Grids((6,)),
)


# What near-copies make harder (E62, withdrawn): naming the task, not solving it.
#
# One state, two arms with deterministic rewards, no discount. The copy of a task has the same best
# arm and nearly the same rewards, another task has the other arm best. PTUM stops at once where
# both models have one good policy, so a copy is solved with fewer samples than another task in its
# place. Beside that other task a copy is one more model, and costs a sample.

NEAR_COPIES_DELTA = Fraction(1, 10)
NEAR_COPIES_BUDGET = 10000

Pair = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Lists:
    """Rewards of both arms in the target, in its copy, and in a task that is no copy.

    `naming` counts the samples that name the task, not those that solve it.
    """

    target: Pair = (Fraction(96, 100), Fraction(1, 2))
    copy: Pair = (Fraction(98, 100), Fraction(1, 2))
    other: Pair = (Fraction(2, 10), Fraction(1, 2))
    epsilon: Fraction = Fraction(1, 10)
    naming: bool = False


def task(rewards: Pair) -> ExactMDP:
    """A bandit."""
    (bandit,) = deterministic_runs.arms(Fraction(0), rewards)
    return bandit


def to_solve(lists: Lists, *beside: Pair) -> int:
    """Samples until PTUM stops, with the target and these models."""
    models = tuple(task(rewards) for rewards in (lists.target, *beside))
    return deterministic_runs.run(
        models, Algorithm1Inputs(lists.epsilon, NEAR_COPIES_DELTA, NEAR_COPIES_BUDGET)
    ).queries


def to_name(lists: Lists, beside: Pair) -> int:
    """Samples of the arm with the largest gap until the other model fails its test."""
    gap = max(abs(x - y) for x, y in zip(lists.target, beside, strict=True))
    L = deterministic_runs.log_term(1, 2, NEAR_COPIES_BUDGET, 2, NEAR_COPIES_DELTA)
    return deterministic_runs.first_below(7 * L / 3, gap) or NEAR_COPIES_BUDGET


def near_copies_premises(lists: Lists) -> tuple[Statement, ...]:
    """The copy is ε-optimal with the target, the other task is not."""

    def loss(of: Pair) -> Fraction:
        return mdp.loss(task(of), mdp.optimal_policy(task(lists.target)))

    return (
        Statement("loss of the target's policy in the copy", loss(lists.copy), "≤", lists.epsilon),
        Statement("loss in the other task", loss(lists.other), ">", lists.epsilon),
    )


def solved_evaluation(lists: Lists) -> Evaluation:
    """With the other task in place of the copy PTUM needs no more samples to solve the target.

    `naming`: nor to tell which task it is.
    """
    count, aim = (to_name, "name") if lists.naming else (to_solve, "solve")
    says = f"samples to {aim} the target with the other task in place of its copy, with the copy"
    compared = Statement(says, count(lists, lists.other), "≤", count(lists, lists.copy))
    return Evaluation(near_copies_premises(lists), compared)


def no_harder_evaluation(lists: Lists) -> Evaluation:
    """A copy costs no sample more than another task would, if the aim is an ε-optimal policy."""
    return Evaluation(
        near_copies_premises(lists),
        Statement(
            "samples to solve the target with its copy, with the other task in place of it",
            to_solve(lists, lists.copy),
            "≤",
            to_solve(lists, lists.other),
        ),
    )


BOTH_MOVED = replace(Lists(), copy=(Fraction(94, 100), Fraction(54, 100)))
"""A copy whose two rewards are both off by a little."""

declare(
    check="text-copies-hard.trivial-otherwise/two-arms",
    says="Beside its copy a task is solved without a sample, beside another one it is not",
    instance=Lists(),
    evaluate=solved_evaluation,
    numbers=lambda lists: (
        ("rewards of both arms in the target", lists.target),
        ("rewards of both arms in its copy", lists.copy),
        ("rewards of both arms in the other task", lists.other),
        ("γ", Fraction(0)),
        ("ε", lists.epsilon),
        ("δ", NEAR_COPIES_DELTA),
        ("budget n", NEAR_COPIES_BUDGET),
    ),
    fix="count the samples that name the task, not those that solve it",
    fixed=Lists(naming=True),
    broken={
        "loss of the target's policy in the copy": Lists(copy=(Fraction(3, 10), Fraction(1, 2))),
        "loss in the other task": Lists(other=(Fraction(97, 100), Fraction(1, 2))),
    },
    repaired=no_harder_evaluation,
    in_scope=BOTH_MOVED,
)


# Why a larger Δ costs samples (erratum E56): the same models to discard, and wider intervals.
#
# One state, two arms with deterministic rewards, no discount; target and rival swap them. Appendix
# E says that Δ costs samples by changing the set of models that must be discarded. Here the rival
# must be discarded at Δ = 0 and at Δ = 0.1 alike, and the larger error costs samples all the same:
# each interval is wider by Δ.

WIDER_INTERVALS_DELTA = Fraction(1, 10)
WIDER_INTERVALS_BUDGET = 10000


@dataclass(frozen=True)
class TwoArms:
    """Rewards of the better and the other arm, ε, and the error that PTUM is told."""

    better: Fraction = Fraction(1)
    other: Fraction = Fraction(0)
    epsilon: Fraction = Fraction(1, 2)
    Delta: Fraction = Fraction(1, 10)

    def models(self) -> tuple[ExactMDP, ...]:
        """The target and the rival."""
        rows = ((self.better, self.other), (self.other, self.better))
        return deterministic_runs.arms(Fraction(0), *rows)


def discarded(arms: TwoArms, Delta: Fraction) -> frozenset[int]:
    """Models in which the target's policy loses more than the slack: they hold up the stop."""
    models = arms.models()
    policy = mdp.optimal_policy(models[0])
    slack = mdp.stopping_slack(arms.epsilon, Delta, Fraction(0))
    return frozenset(i for i, theta in enumerate(models) if mdp.loss(theta, policy) > slack)


def samples(arms: TwoArms, Delta: Fraction) -> int:
    """Queries of a run; rewards are deterministic, so every run has as many."""
    return deterministic_runs.run(
        arms.models(),
        Algorithm1Inputs(arms.epsilon, WIDER_INTERVALS_DELTA, WIDER_INTERVALS_BUDGET, Delta),
    ).queries


def wider_intervals_premises(arms: TwoArms) -> tuple[Statement, ...]:
    """Transfer mode, and the same models to discard as with Δ = 0."""
    changed = discarded(arms, arms.Delta) ^ discarded(arms, Fraction(0))
    return (
        formulas.transfer_mode(arms.Delta, arms.epsilon, 0, Version.PRINTED),
        Statement("models to discard at Δ but not at 0, or the other way", len(changed), "=", 0),
    )


def evaluation(arms: TwoArms) -> Evaluation:
    """The excess over Δ = 0 comes from a changed set; so without a change there is none."""
    return Evaluation(
        wider_intervals_premises(arms),
        Statement(
            "samples with Δ against samples with 0",
            samples(arms, arms.Delta),
            "=",
            samples(arms, Fraction(0)),
        ),
    )


def first_failure(arms: TwoArms) -> int:
    """The least N at which the gap exceeds 7L/(3(N-1)) + Δ, that of a deterministic reward."""
    L = deterministic_runs.log_term(1, 2, WIDER_INTERVALS_BUDGET, 2, WIDER_INTERVALS_DELTA)
    return (
        deterministic_runs.first_below(7 * L / 3, arms.better - arms.other - arms.Delta)
        or WIDER_INTERVALS_BUDGET
    )


def repaired_evaluation(arms: TwoArms) -> Evaluation:
    """With the same models to discard, the samples are those of intervals that Δ makes wider."""
    return Evaluation(
        wider_intervals_premises(arms),
        Statement(
            "samples with Δ against the first N at which the widened interval is too narrow",
            samples(arms, arms.Delta),
            "=",
            first_failure(arms),
        ),
    )


_IN_THE_WINDOW = TwoArms(better=Fraction(7, 10), other=Fraction(3, 10))
"""A loss of 0.4 lies between the slacks 0.3 and 0.5."""

CLOSER = replace(TwoArms(), better=Fraction(9, 10))

declare(
    check="text-excess-vanishes-before-zero.reason/two-arms",
    says="Deterministic rewards: the same model to discard, four samples more",
    instance=TwoArms(),
    evaluate=evaluation,
    fix="Δ = 10⁻⁶, too small to cost a sample",
    fixed=TwoArms(Delta=Fraction(1, 10**6)),
    broken={
        "transfer mode: Δ against its threshold": TwoArms(Delta=Fraction(1, 8)),
        "models to discard at Δ but not at 0, or the other way": _IN_THE_WINDOW,
    },
    repaired=repaired_evaluation,
    in_scope=CLOSER,
    numbers=lambda arms: (
        ("rewards of the two arms in the target", (arms.better, arms.other)),
        ("rewards of the two arms in the rival", (arms.other, arms.better)),
        ("γ", Fraction(0)),
        ("ε", arms.epsilon),
        ("Δ", arms.Delta),
        ("δ", WIDER_INTERVALS_DELTA),
        ("budget n", WIDER_INTERVALS_BUDGET),
    ),
)


# A sample that counts as an episode (erratum E50): then no run of Figure 1 left is short.
#
# No test drops a model before ⌊7L/3⌋ + 2 samples of a pair, whatever the layout: gaps of rewards
# and of next values are at most their ranges, and those of deviations half of them. Section 6 says
# that PTUM needs very few episodes; more than half of a run is not very few.


@dataclass(frozen=True)
class Counted:
    """Figure 1 left: sizes, tasks, δ, n, and how many episodes of how many steps a run has."""

    sizes: tuple[int, int] = (144, 4)
    tasks: int = 12
    delta: Fraction = Fraction(1, 100)
    n: int = 100_000
    episodes: int = 100
    steps: int = 100

    @property
    def least(self) -> int:
        """Samples before the first model can be eliminated."""
        L = log_term(*self.sizes, self.n, self.tasks, self.delta)
        return deterministic_runs.first_below(7 * L / 3, Fraction(1)) or self.n

    def few(self, samples_of_an_episode: int) -> Evaluation:
        """PTUM takes less than half of the run, a sample being so large a part of an episode."""
        return Evaluation(
            (Statement("models that differ from the target", self.tasks - 1, "≥", 1),),
            Statement(
                "episodes before a model can be eliminated, against half of the run",
                Fraction(self.least, samples_of_an_episode),
                "≤",
                Fraction(self.episodes, 2),
            ),
        )

    def numbers(self) -> Numbers:
        """The settings of the panel, and what follows from them alone."""
        return (
            ("S, A", self.sizes),
            ("tasks", self.tasks),
            ("δ, n", (self.delta, self.n)),
            ("episodes, steps of each", (self.episodes, self.steps)),
            ("samples before a model can be eliminated", self.least),
        )


declare(
    check="text-sample-as-episode.count/least-samples",
    says="With an episode for every sample PTUM needs few of the 100 episodes of Figure 1 left",
    instance=Counted(),
    evaluate=lambda case: case.few(1),
    numbers=Counted.numbers,
    fix="a run has 1000 episodes",
    fixed=Counted(episodes=1000),
    broken={"models that differ from the target": Counted(tasks=1)},
    repaired=lambda case: case.few(case.steps),
    in_scope=Counted(tasks=7),
)
