"""How far a run of Algorithm 1 has come, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.problem import ActiveStep, Problem
from ptum.reference.arrays import Floats, Ints
from ptum.reference.transfer.ptum import End, PtumResult
from ptum.reference.transfer.transcript import Elimination

Pair: TypeAlias = tuple[int, int]
Samples: TypeAlias = tuple[Ints, Ints]
"""Numbers of reward values, and next states."""
Small: TypeAlias = npt.NDArray[np.unsignedinteger]


@dataclass(eq=False)
class SeenPair:
    """What one run has seen of a pair: counts of reward values and next states, and their order."""

    rewards: Ints
    successors: Ints
    order: list[tuple[Small, ...]] = field(default_factory=list)

    @property
    def N(self) -> int:
        """Number of samples."""
        return int(self.successors.sum())

    def after(self, samples: Samples) -> tuple[Ints, Ints]:
        """The counts with some more samples."""
        return (
            self.rewards + np.bincount(samples[0], minlength=self.rewards.size),
            self.successors + np.bincount(samples[1], minlength=self.successors.size),
        )

    def add(self, samples: Samples, counts: tuple[Ints, Ints]) -> None:
        """Keep more samples, each number in as few bytes as it needs, and the counts with them."""
        self.rewards, self.successors = counts
        small = (
            outcomes.astype(np.min_scalar_type(counted.size))
            for outcomes, counted in zip(samples, counts, strict=True)
        )
        self.order.append(tuple(small))


class RunProgress:
    """The active set of a run and its iteration, what was queried and what was eliminated."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.N: dict[Pair, int] = {}
        self.active = tuple(range(problem.k))
        self.eliminations: list[Elimination] = []
        self.first_zero: int | None = None
        self.t = 1
        self.in_phase = 0
        """Samples since the active set last changed."""

    @property
    def left(self) -> int:
        """Samples that may still be taken; the last is never looked at (D22)."""
        return self.problem.numbers.n - self.t + 1

    def count(self, pair: Pair, size: int) -> None:
        """So many samples of the present phase."""
        self.N[pair] = self.N.get(pair, 0) + size
        self.t += size
        self.in_phase += size

    def eliminate(self, failed: list[Elimination]) -> None:
        """The end of a phase."""
        self.eliminations += failed
        gone = {elimination.theta for elimination in failed}
        self.active = tuple(theta for theta in self.active if theta not in gone)
        self.in_phase = 0

    def result(self, end_on_zero_index: bool) -> PtumResult | None:
        """How the run ends before its next sample, if it does."""
        if not self.active:
            return self._ended(End.ACTIVE_SET_EMPTY)
        if self.left <= 0:
            return self._ended(End.BUDGET_EXHAUSTED)
        if self.in_phase:
            return None
        step = self.problem.step(self.active)
        if step.good is not None:
            return self._ended(End.STOPPED, step.good, self.t)
        if step.zero_index:
            self.first_zero = self.t if self.first_zero is None else self.first_zero
            if end_on_zero_index:
                return self._ended(End.INDEX_ZERO)
        return None

    def _ended(self, end: End, theta: int | None = None, tau: int | None = None) -> PtumResult:
        models = self.problem.models
        N = np.zeros((models.S, models.A), dtype=np.int64)
        for pair, count in self.N.items():
            N[pair] = count
        return PtumResult(
            end=end,
            policy=None if theta is None else models.pi_star[theta],
            theta=theta,
            queries=int(N.sum()),
            tau=tau,
            N=N,
            active=self.active,
            eliminations=tuple(self.eliminations),
            first_zero_index=self.first_zero,
            fallback=None,
        )


class SimulatedRun(RunProgress):
    """A run on a simulated task, with all that it has seen."""

    def __init__(self, problem: Problem, simulator: BlockSimulator) -> None:
        super().__init__(problem)
        self.simulator, self.u = simulator, simulator.theta.u
        self.pairs: dict[Pair, SeenPair] = {}

    def looked_at(self, size: int) -> int:
        """How many of the next `size` samples are followed by a test."""
        return min(size, self.left - 1)

    def seen(self, pair: Pair) -> SeenPair:
        """What was seen of a pair."""
        if pair not in self.pairs:
            rewards, successors = np.zeros(self.u.size), np.zeros(self.problem.S)
            self.pairs[pair] = SeenPair(rewards.astype(np.int64), successors.astype(np.int64))
        return self.pairs[pair]

    def take(self, pair: Pair, samples: Samples, counts: tuple[Ints, Ints] | None = None) -> None:
        """These samples of the present phase, as far as the budget reaches.

        `counts` are those of the pair after them, where they are known.
        """
        size = min(samples[0].size, self.left)
        samples = samples[0][:size], samples[1][:size]
        self.simulator.take(*pair, size)
        seen = self.seen(pair)
        seen.add(samples, seen.after(samples) if counts is None else counts)
        self.count(pair, size)

    def ordered(self, step: ActiveStep, samples: Samples) -> tuple[Floats, Ints]:
        """All samples of the pair of a step in their order, and these after them."""
        before = self.seen(step.pair).order
        rewards, successors = (
            np.concatenate([*(kept[part] for kept in before), samples[part]]) for part in (0, 1)
        )
        return self.u[rewards], successors
