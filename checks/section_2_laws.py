"""Section 2: what the simulator answers, and which task comes next, counted cell by cell.

A law is a list of cells with a probability each. The number of trials that land in a cell is
binomial, so an exact interval for its probability must contain what the definition says; when all
intervals are short as well, the law holds up to that length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from checks.outcome import Outcome
from checks.registry import Check, Context
from checks.statistics import clopper_pearson
from reference.arrays import Ints
from reference.generative import GenerativeModel, Simulator
from reference.hmm import task_sequence
from reference.mdp import MDP
from spec.vocabulary import CheckKind, Verdict, Version

ALPHA = 1e-4
LENGTH = 0.25
"""An interval that is longer leaves the law undecided."""


@dataclass(frozen=True)
class Cell:
    """An event, how often it was seen, and its probability by the definition."""

    name: str
    count: int
    trials: int
    probability: float


def judge(cells: Sequence[Cell]) -> Outcome:
    """All cells at once; wrong with probability at most α."""
    share = ALPHA / len(cells)
    intervals = [clopper_pearson(cell.count, cell.trials, share) for cell in cells]
    missed = [
        f"{cell.name}: {cell.count} of {cell.trials}, but its probability is {cell.probability:g}"
        for cell, (low, high) in zip(cells, intervals, strict=True)
        if not low <= cell.probability <= high
    ]
    widest = max(intervals, key=lambda ends: ends[1] - ends[0])
    longest = widest[1] - widest[0]
    decided = Verdict.HOLDS if longest <= LENGTH else Verdict.INCONCLUSIVE
    told = f"{len(cells)} cells, the longest interval has length {longest:.3f}"
    return Outcome(
        verdict=Verdict.VIOLATED if missed else decided,
        instances=len(cells),
        trials=sum(cell.trials for cell in cells),
        violations=len(missed),
        interval=widest,
        tolerance=longest,
        story=(told, *missed),
    )


# Answers of the generative model


def named_task() -> MDP:
    """Two states, two actions, three rewards; no row is like another."""
    p = np.array([[[0.3, 0.7], [0.8, 0.2]], [[0.55, 0.45], [0.1, 0.9]]])
    q = np.array(
        [[[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], [[0.1, 0.8, 0.1], [0.4, 0.2, 0.4]]], dtype=np.float64
    )
    return MDP(p=p, q=q, u=np.array([0.0, 0.5, 1.0]), gamma=0.9)


Answers: TypeAlias = tuple[Ints, Ints]
"""Numbers of the rewards and next states."""


def answers(model: GenerativeModel, theta: MDP, s: int, a: int, trials: int) -> Answers:
    """Query one pair again and again."""
    drawn = [model.sample(s, a) for _ in range(trials)]
    rewards = np.searchsorted(theta.u, [reward for reward, _ in drawn]).astype(np.int64)
    return rewards, np.array([successor for _, successor in drawn], dtype=np.int64)


def joint_cells(name: str, first: Ints, second: Ints, laws: tuple[object, object]) -> list[Cell]:
    """Two outcomes of one trial: the product of their laws."""
    one, other = (np.asarray(law, dtype=np.float64) for law in laws)
    return [
        Cell(
            f"{name} {i},{j}",
            int(np.sum((first == i) & (second == j))),
            len(first),
            float(one[i] * other[j]),
        )
        for i, j in product(range(one.size), range(other.size))
    ]


def answer_cells(model: GenerativeModel, theta: MDP, trials: int) -> list[Cell]:
    """Reward with next state, an answer with the one after it, and two pairs with each other."""
    cells: list[Cell] = []
    before: tuple[Ints, object] | None = None
    for s, a in product(range(theta.S), range(theta.A)):
        rewards, successors = answers(model, theta, s, a, trials)
        p, q, at = theta.p[s, a], theta.q[s, a], f"({s},{a})"
        cells += joint_cells(f"{at} reward and next state", rewards, successors, (q, p))
        last = trials // 2 * 2
        first, second = successors[0:last:2], successors[1:last:2]
        cells += joint_cells(f"{at} next states in a row", first, second, (p, p))
        if before is not None:
            cells += joint_cells(f"{at} and the pair before", successors, before[0], (p, before[1]))
        before = successors, p
    return cells


def answers_of(make: Callable[[MDP, int], GenerativeModel]) -> Callable[[Context], Outcome]:
    """A run that counts the answers of a generative model for the named task."""

    def run(context: Context) -> Outcome:
        theta = named_task()
        seed = int(context.generator(0).integers(0, 2**62))
        trials = context.count(1500, 20_000, 200_000)
        return judge(answer_cells(make(theta, seed), theta, trials))

    return run


# The next task


CHAIN = np.array([[0.1, 0.2, 0.6], [0.8, 0.1, 0.3], [0.1, 0.7, 0.1]])
"""Columns sum to one and rows do not; it runs round one way."""

Sequence3: TypeAlias = Callable[[np.random.Generator, int], Ints]
"""Draws a first, second and third task, given the first."""


def by_reference(rng: np.random.Generator, first: int) -> Ints:
    """The reference, started in one task."""
    return task_sequence(CHAIN, np.eye(3)[first], 3, rng)


def chain_cells(draw: Sequence3, rng: np.random.Generator, trials: int) -> list[Cell]:
    """P(second = j, third = i | first = l) = [T]_{j,l} [T]_{i,j}."""
    cells: list[Cell] = []
    for first in range(3):
        drawn = np.array([draw(rng, first) for _ in range(trials)])
        if np.any(drawn[:, 0] != first):
            raise ValueError("the first task is not the one the sequence was started in")
        for second, third in product(range(3), repeat=2):
            seen = int(np.sum((drawn[:, 1] == second) & (drawn[:, 2] == third)))
            probability = float(CHAIN[second, first] * CHAIN[third, second])
            cells.append(Cell(f"{first} → {second} → {third}", seen, trials, probability))
    return cells


def chain_of(draw: Sequence3) -> Callable[[Context], Outcome]:
    """A run that counts sequences of three tasks."""

    def run(context: Context) -> Outcome:
        trials = context.count(600, 6000, 60_000)
        return judge(chain_cells(draw, context.generator(0), trials))

    return run


CHECKS: tuple[Check, ...] = (
    Check(
        id="text-task-chain.definition/frequencies",
        version=Version.PRINTED,
        kind=CheckKind.PROBABILITY,
        says="the next task follows the column of T that belongs to the present one",
        run=chain_of(by_reference),
        alpha=ALPHA,
    ),
    Check(
        id="text-generative-model.definition/frequencies",
        version=Version.PRINTED,
        kind=CheckKind.PROBABILITY,
        says="answers have the laws q and p and are independent, in and across pairs",
        run=answers_of(Simulator),
        alpha=ALPHA,
    ),
)
