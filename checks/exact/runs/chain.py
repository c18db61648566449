"""The distribution of the end of a run of Algorithm 1, by dynamic programming.

While the active set stays the same the same pair is queried, and only its tests can change. On a
pair that was not queried before, rewards and next states are independent, and each test sees one
of them: until the first elimination the counts of the two are independent, so that each has a
window of probabilities of its own. Where the models that are left are told apart at the same pair
again, its two counts are tracked together from there on. Where they are told apart at another
pair, that is a fresh one, and the number of its queries is independent of the first.

Everything is a sum of products of non-negative doubles. So a probability is off by a share that
counts roundings along one path (`roundings`), by what underflows (`UNDERFLOW`), and by what was
dropped from the ends of windows (`Ends.dropped`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ptum.checks.exact.numbers import min_of
from ptum.checks.exact.runs.comparisons import Close, ComparedSide, reward_side, successor_side
from ptum.checks.exact.runs.problem import (
    Active,
    EndOrQuery,
    ExactProblem,
    Pair,
    VersionRule,
    decide,
    enters,
)
from ptum.reference.arrays import Bools, Floats, Ints
from ptum.reference.transfer.ptum import End

NEGLIGIBLE = 1e-100
"""Probabilities below this are dropped from the ends of a window and counted as dropped."""

UNDERFLOW = 1e-300
"""More than all that is lost below the least normal double: 2⁻¹⁰⁷⁴ in each of fewer than 10²⁰
operations."""

Key: TypeAlias = tuple[End, Active, int | None]
"""How a run ended, with which active set, and whose policy it returned."""


@dataclass
class Ends:
    """Probabilities of all ends: for each key an array over the number of queries."""

    problem: ExactProblem
    rule: VersionRule
    mass: dict[Key, Floats] = field(default_factory=dict)
    dropped: float = 0.0
    steps: int = 0
    """Samples on the longest path, which bounds the roundings."""
    close: list[Close] = field(default_factory=list)
    nearest: float = math.inf
    """The least distance between the two sides of a comparison, in units of b."""

    def add(self, key: Key, mass: Floats) -> None:
        """Runs that end so, by their number of queries."""
        old = self.mass.get(key, np.zeros(0))
        total = np.zeros(max(old.size, mass.size))
        total[: old.size] += old
        total[: mass.size] += mass
        self.mass[key] = total

    @property
    def roundings(self) -> int:
        """Roundings, of half a unit in the last place each, on the way to any sum of masses.

        A sample costs three in each of the two windows (a probability, a product and a sum) and
        their sums one each; tracked together it costs six, and two in the sum over the table; a
        convolution, a cumulated sum and a last sum cost one per entry. That is at most 20 for every
        sample of the longest path; products and sums of several cases add fewer than 100.
        """
        return 20 * self.steps + 100


def run(problem: ExactProblem, rule: VersionRule) -> Ends:
    """All ends of Algorithm 1 without its fallback, with their probabilities."""
    ends = Ends(problem, rule)
    everything = tuple(range(problem.k))
    if enters(problem, rule):
        _visit(ends, everything, np.ones(1))
    else:
        ends.add((End.MODELS_TOO_INACCURATE, everything, None), np.ones(1))
    return ends


def _visit(ends: Ends, active: Active, arrivals: Floats) -> None:
    """Runs that have this active set after so many queries: to their ends.

    The sample of query n is never looked at, so that the last test is after n-1 queries.
    """
    problem, rule = ends.problem, ends.rule
    decision = decide(problem, rule, active)
    if decision.end is not None:
        ends.add((decision.end, active, decision.theta), arrivals)
        return
    earliest = int(np.flatnonzero(arrivals)[0]) if arrivals.any() else 0
    visit = PairVisit(problem, rule, active, _pair(decision), problem.n - 1 - earliest)
    visit.run()
    ends.dropped += visit.dropped
    ends.steps += visit.N
    for side in visit.sides:
        ends.close += side.close
        ends.nearest = min_of((ends.nearest, side.nearest))
    _exhaust(ends, visit, arrivals)
    for left, mass in visit.left_by_time().items():
        _visit(ends, left, np.convolve(arrivals, mass)[: problem.n])


def _pair(decision: EndOrQuery) -> Pair:
    if decision.pair is None:
        raise ValueError("the run is at its end")
    return decision.pair


def _exhaust(ends: Ends, visit: PairVisit, arrivals: Floats) -> None:
    """Runs whose next elimination would be seen after more than n-1 queries, or never."""
    n = ends.problem.n
    later = np.append(np.cumsum(visit.first_eliminations()[::-1])[::-1], 0.0) + visit.untouched()
    too_late = np.minimum(n - np.arange(arrivals.size), later.size - 1)
    masses = {visit.active: float((arrivals * later[too_late]).sum())}
    if visit.layers:  # only the first pair has them, and there the run begins
        masses |= {active: layer.total() for active, layer in visit.layers.items()}
    for active, mass in masses.items():
        if mass > 0:
            exhausted = np.zeros(n + 1)
            exhausted[n] = mass
            ends.add((End.BUDGET_EXHAUSTED, active, None), exhausted)


# One pair


@dataclass
class PairVisit:
    """All samples of one fresh pair, from one active set on, until the run goes elsewhere.

    `rewards` and `successors` are windows of probabilities that nobody has failed so far.
    """

    problem: ExactProblem
    rule: VersionRule
    active: Active
    pair: Pair
    horizon: int
    N: int = 0
    dropped: float = 0.0
    layers: dict[Active, CountTable] = field(default_factory=dict)
    eliminations: list[dict[Active, float]] = field(default_factory=list)
    """For N = 1, 2, …: the sets that the run goes on with elsewhere, or ends with."""
    firsts: list[float] = field(default_factory=list)
    """For N = 1, 2, …: P(the first elimination is after N samples)."""

    def __post_init__(self) -> None:
        self.sides = (
            reward_side(self.problem, self.rule, self.pair),
            successor_side(self.problem, self.rule, self.pair),
        )
        self.windows = (Window(), Window())

    def run(self) -> None:
        """Sample until nothing is left, or to the horizon."""
        while self.horizon > self.N and (self.untouched() > 0 or self.layers):
            self.N += 1
            self.eliminations.append({})
            for active in list(self.layers):
                self._advance_layer(active)
            self.firsts.append(self._advance_windows() if self.untouched() > 0 else 0.0)

    def untouched(self) -> float:
        """P(no elimination so far)."""
        return self.windows[0].total() * self.windows[1].total()

    def first_eliminations(self) -> Floats:
        """P(the first elimination is after N samples), for N = 0, 1, …"""
        return np.array([0.0, *self.firsts])

    def left_by_time(self) -> dict[Active, Floats]:
        """P(the run goes on with a set, or ends with it, after N samples), for N = 0, 1, …"""
        found: dict[Active, Floats] = {}
        for N, masses in enumerate(self.eliminations, start=1):
            for left, mass in masses.items():
                found.setdefault(left, np.zeros(self.N + 1))[N] += mass
        return found

    def _advance_windows(self) -> float:
        """One more sample of both windows; P(the first elimination is now)."""
        split = []
        for side, window in zip(self.sides, self.windows, strict=True):
            window.sample(side, self.dropped_now)
            split.append(window.split(codes(side, self.N, window.counts(), self.active)))
        first = 0.0
        for code_r, of_rewards in split[0].items():
            for code_p, of_successors in split[1].items():
                if code_r | code_p:
                    left = without(self.active, code_r | code_p)
                    first += self._eliminate(left, of_rewards, of_successors)
        self.windows = (split[0].get(0, Window.empty()), split[1].get(0, Window.empty()))
        return first

    def dropped_now(self, mass: float) -> None:
        """Count what was dropped."""
        self.dropped += mass

    def _eliminate(self, left: Active, of_rewards: Window, of_successors: Window) -> float:
        mass = of_rewards.total() * of_successors.total()
        if decide(self.problem, self.rule, left).pair == self.pair:
            table = np.outer(of_rewards.mass, of_successors.mass)
            self.layers.setdefault(left, CountTable()).put(
                of_rewards.first, of_successors.first, table
            )
        else:
            self._leave(left, mass)
        return mass

    def _leave(self, left: Active, mass: float) -> None:
        now = self.eliminations[-1]
        now[left] = now.get(left, 0.0) + mass

    def _advance_layer(self, active: Active) -> None:
        """One more sample where both counts are tracked; every elimination ends the visit."""
        table = self.layers[active]
        table.sample(self.sides)
        rows = codes(self.sides[0], self.N, table.counts(0), active)
        columns = codes(self.sides[1], self.N, table.counts(1), active)
        for code_r in np.unique(rows).tolist():
            for code_p in np.unique(columns).tolist():
                if code_r | code_p:
                    part = table.mass[rows == code_r][:, columns == code_p]
                    self._leave(without(active, code_r | code_p), float(part.sum(axis=0).sum()))
        if not table.keep(rows == 0, columns == 0):
            del self.layers[active]


def codes(side: ComparedSide, N: int, counts: Ints, active: Active) -> Ints:
    """For every count the failing active models as bits of a whole number."""
    failed = side.fails(N, counts)
    found = np.zeros(counts.size, dtype=np.int64)
    for theta in active:
        found |= failed[theta].astype(np.int64) << theta
    return found


def without(active: Active, code: int) -> Active:
    """The models that have not failed."""
    return tuple(theta for theta in active if not code >> theta & 1)


# Windows of probabilities


@dataclass
class Window:
    """P(count = first), P(count = first + 1), …; a number without randomness is counted as 0."""

    first: int = 0
    mass: Floats = field(default_factory=lambda: np.ones(1))

    @classmethod
    def empty(cls) -> Window:
        """Nothing is left."""
        return cls(0, np.zeros(0))

    def total(self) -> float:
        """The sum of all."""
        return float(self.mass.sum())

    def counts(self) -> Ints:
        """The counts of the window."""
        return np.arange(self.first, self.first + self.mass.size)

    def sample(self, side: ComparedSide, drop: Callable[[float], None]) -> None:
        """One more sample; negligible ends are dropped."""
        self.mass = sampled(self.mass, side)
        kept = np.flatnonzero(self.mass >= NEGLIGIBLE)
        start, stop = (int(kept[0]), int(kept[-1]) + 1) if kept.size else (0, 0)
        drop(float(self.mass[:start].sum() + self.mass[stop:].sum()))
        self.first, self.mass = self.first + start, self.mass[start:stop]

    def split(self, code: Ints) -> dict[int, Window]:
        """The window by code, each cut to what is not zero."""
        if not code.any():
            return {0: self}
        found = {}
        for value in np.unique(code).tolist():
            places = np.flatnonzero(code == value)
            start, stop = int(places[0]), int(places[-1]) + 1
            part = np.where(code[start:stop] == value, self.mass[start:stop], 0.0)
            found[value] = Window(self.first + start, part)
        return found


def sampled(mass: Floats, side: ComparedSide) -> Floats:
    """Along the first axis: one more sample, which adds one to the count or does not."""
    if not side.drawn.is_random:
        return mass
    second = side.drawn.second
    longer = np.zeros((mass.shape[0] + 1, *mass.shape[1:]))
    longer[:-1] = mass * float(1 - second)
    longer[1:] += mass * float(second)
    return longer


@dataclass
class CountTable:
    """P(count of rewards = first[0] + row, count of next states = first[1] + column)."""

    first: tuple[int, int] = (0, 0)
    mass: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def total(self) -> float:
        """The sum of all."""
        return float(self.mass.sum(axis=0).sum())

    def counts(self, axis: int) -> Ints:
        """The counts of rewards (axis 0) or of next states (axis 1)."""
        return np.arange(self.first[axis], self.first[axis] + self.mass.shape[axis])

    def put(self, row: int, column: int, part: Floats) -> None:
        """Add a part whose first entry has these counts; the table grows where it must."""
        if self.mass.size == 0:
            self.first, self.mass = (row, column), part
            return
        start = min(self.first[0], row), min(self.first[1], column)
        ends = [
            max(self.first[axis] + self.mass.shape[axis], at + part.shape[axis])
            for axis, at in enumerate((row, column))
        ]
        grown = np.zeros((ends[0] - start[0], ends[1] - start[1]))
        for at, block in ((self.first, self.mass), ((row, column), part)):
            top, left = at[0] - start[0], at[1] - start[1]
            grown[top : top + block.shape[0], left : left + block.shape[1]] += block
        self.first, self.mass = start, grown

    def sample(self, sides: tuple[ComparedSide, ComparedSide]) -> None:
        """One more sample of both."""
        self.mass = sampled(sampled(self.mass, sides[0]).T, sides[1]).T

    def keep(self, rows: Bools, columns: Bools) -> bool:
        """Cut to the counts at which nobody fails; whether anything is left."""
        self.mass = self.mass * np.outer(rows, columns)
        kept = [np.flatnonzero(self.mass.any(axis=1 - axis)) for axis in (0, 1)]
        if not kept[0].size:
            return False
        (top, bottom), (left, right) = ((int(each[0]), int(each[-1]) + 1) for each in kept)
        self.mass = self.mass[top:bottom, left:right]
        self.first = self.first[0] + top, self.first[1] + left
        return True
