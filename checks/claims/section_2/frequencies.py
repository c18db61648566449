"""Section 2: what the simulator answers, and which task comes next, counted cell by cell.

A distribution is a list of cells with a probability each. The number of trials that land in a cell
is binomial, so an exact interval for its probability must contain what the definition says; when
all intervals are short as well, the distribution holds up to that length. One task and one chain
are looked at for long; among drawn ones the one whose counts are farthest from the distribution in
a short look is looked at again with fresh randomness.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias, TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.exact.hidden_markov import Matrix
from ptum.checks.exact.numbers import a_number, max_by, max_of
from ptum.checks.instances.families import hmms, tasks
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Outcome
from ptum.checks.verdicts.probability_search import (
    FRESH,
    NAMED,
    PILOT,
    Effort,
    Plan,
    both,
    planned,
    worst_drawn,
)
from ptum.checks.verdicts.statistics import clopper_pearson
from ptum.reference.arrays import Floats, Ints
from ptum.reference.sequential.hmm import task_sequence
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.spec.vocabulary import CheckKind, Verdict

X = TypeVar("X")

ALPHA = 1e-4
LENGTH = 0.25
"""An interval that is longer leaves the distribution undecided."""
FAR = 1e6
"""How far a count is that a certain distribution rules out."""


@dataclass(frozen=True)
class Cell:
    """An event, how often it was seen, and its probability by the definition."""

    name: str
    count: int
    trials: int
    probability: float

    def __post_init__(self) -> None:
        a_number(self.probability, f"the probability of {self.name}")


def judge(cells: Sequence[Cell], alpha: float = ALPHA, length: float = LENGTH) -> Outcome:
    """All cells at once; wrong with probability at most α."""
    share = alpha / len(cells)
    intervals = [clopper_pearson(cell.count, cell.trials, share) for cell in cells]
    missed = [
        f"{cell.name}: {cell.count} of {cell.trials}, but its probability is {cell.probability:g}"
        for cell, (low, high) in zip(cells, intervals, strict=True)
        if not low <= cell.probability <= high
    ]
    widest = max_by(intervals, lambda ends: ends[1] - ends[0])
    longest = widest[1] - widest[0]
    decided = Verdict.HOLDS if longest <= length else Verdict.INCONCLUSIVE
    text = f"{len(cells)} cells, the longest interval has length {longest:.3f}"
    return Outcome(
        verdict=Verdict.VIOLATED if missed else decided,
        instances=len(cells),
        trials=sum(cell.trials for cell in cells),
        violations=len(missed),
        interval=widest,
        tolerance=longest,
        explanation=(text, *missed),
    )


CELL_BY_CELL = "probabilities are compared cell by cell, and there is no failure to count"

Look: TypeAlias = Callable[[X, np.random.Generator, int], list[Cell]]
"""Counts of some trials on an instance."""


def farthest(cells: Sequence[Cell]) -> float:
    """The largest distance of a count from its mean, in standard deviations."""
    most = 0.0
    for cell in cells:
        mean = cell.trials * cell.probability
        deviation = math.sqrt(mean * (1 - cell.probability))
        away = abs(cell.count - mean)
        most = max_of((most, away / deviation if deviation > 0 else FAR * (away > 0)))
    return most


def long_and_drawn(
    context: Context,
    look: Look[X],
    named: X,
    strategy: SearchStrategy[X],
    effort: Effort,
    alpha: float = ALPHA,
) -> Outcome:
    """A long look at the named instance, and a second look at the worst drawn one; α/2 for each."""

    def short(instance: X) -> float:
        return farthest(look(instance, context.generator(PILOT), effort.pilots))

    planned(context, Plan(reason=CELL_BY_CELL))
    fixed = judge(look(named, context.generator(NAMED), effort.trials), alpha / 2)
    _, worst, drawn = worst_drawn(context, strategy, short, effort.instances)
    again = look(worst, context.generator(FRESH), effort.trials // 4)
    found = judge(again, alpha / 2, length=1.0)
    explanation = (
        f"worst of {drawn} drawn instances, with fresh randomness: {found.explanation[0]}",
    )
    return both(
        fixed, replace(found, instances=drawn, explanation=(*explanation, *found.explanation[1:]))
    )


# Answers of the generative model


def named_task() -> MDP:
    """Two states, two actions, three rewards; no row is like another."""
    p = np.array([[[0.3, 0.7], [0.8, 0.2]], [[0.55, 0.45], [0.1, 0.9]]])
    q = np.array(
        [[[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], [[0.1, 0.8, 0.1], [0.4, 0.2, 0.4]]], dtype=np.float64
    )
    return MDP(p=p, q=q, u=np.array([0.0, 0.5, 1.0]), gamma=0.9)


RewardsAndStates: TypeAlias = tuple[Ints, Ints]
"""Numbers of the rewards and next states."""


def answers(model: GenerativeModel, theta: MDP, s: int, a: int, trials: int) -> RewardsAndStates:
    """Query one pair again and again."""
    drawn = [model.sample(s, a) for _ in range(trials)]
    rewards = np.searchsorted(theta.u, [reward for reward, _ in drawn]).astype(np.int64)
    return rewards, np.array([successor for _, successor in drawn], dtype=np.int64)


def joint_cells(name: str, first: Ints, second: Ints, laws: tuple[object, object]) -> list[Cell]:
    """Two outcomes of one trial: the product of their distributions."""
    one, other = (np.asarray(distribution, dtype=np.float64) for distribution in laws)
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
    """Reward with next state; each of both with the one after it, and with that of another pair."""
    cells: list[Cell] = []
    before: tuple[tuple[str, Ints, Floats], ...] = ()
    last = trials // 2 * 2
    for s, a in product(range(theta.S), range(theta.A)):
        rewards, successors = answers(model, theta, s, a, trials)
        p, q, at = theta.p[s, a], theta.q[s, a], f"({s},{a})"
        cells += joint_cells(f"{at} reward and next state", rewards, successors, (q, p))
        here = ("rewards", rewards, q), ("next states", successors, p)
        for name, drawn, law in here:
            first, second = drawn[0:last:2], drawn[1:last:2]
            cells += joint_cells(f"{at} {name} in a row", first, second, (law, law))
        for (name, drawn, law), (_, other, other_law) in zip(here, before, strict=False):
            told = f"{at} and the pair before, {name}"
            cells += joint_cells(told, drawn, other, (law, other_law))
        before = here
    return cells


@st.composite
def small_tasks(draw: DrawFn) -> MDP:
    """Two actions; one or two states; two or three rewards; certain and impossible ones too."""
    S, U = draw(st.integers(1, 2)), draw(st.integers(2, 3))
    p, q = draw(tasks.transitions(S, 2)), draw(tasks.distributions(S, 2, U))
    return MDP(p=p, q=q, u=np.linspace(0, 1, U), gamma=0.9)


def answers_of(make: Callable[[MDP, int], GenerativeModel]) -> Callable[[Context], Outcome]:
    """A run that counts the answers of a generative model."""

    def look(theta: MDP, rng: np.random.Generator, trials: int) -> list[Cell]:
        return answer_cells(make(theta, int(rng.integers(0, 2**62))), theta, trials)

    def run(context: Context) -> Outcome:
        effort = Effort(context.count(12, 100, 1000), 40, context.count(1500, 20_000, 200_000))
        return long_and_drawn(context, look, named_task(), small_tasks(), effort)

    return run


# The next task


CHAIN = np.array([[0.1, 0.2, 0.6], [0.8, 0.1, 0.3], [0.1, 0.7, 0.1]])
"""Columns sum to one and rows do not; it runs round one way."""

Sequence3: TypeAlias = Callable[[Floats, np.random.Generator, int], Ints]
"""Draws a first, second and third task by a chain, given the first."""


def by_reference(T: Floats, rng: np.random.Generator, first: int) -> Ints:
    """The reference, started in one task."""
    return task_sequence(T, np.eye(len(T))[first], 3, rng)


def chain_cells(draw: Sequence3, T: Floats, rng: np.random.Generator, trials: int) -> list[Cell]:
    """P(second = j, third = i | first = l) = [T]_{j,l} [T]_{i,j}."""
    cells: list[Cell] = []
    for first in range(len(T)):
        drawn = np.array([draw(T, rng, first) for _ in range(trials)])
        if np.any(drawn[:, 0] != first):
            raise ValueError("the first task is not the one the sequence was started in")
        for second, third in product(range(len(T)), repeat=2):
            seen = int(np.sum((drawn[:, 1] == second) & (drawn[:, 2] == third)))
            probability = float(T[second, first] * T[third, second])
            cells.append(Cell(f"{first} → {second} → {third}", seen, trials, probability))
    return cells


def small_chains() -> SearchStrategy[Floats]:
    """Two or three tasks; singular, periodic and constant chains too."""

    def as_floats(T: Matrix) -> Floats:
        columns = np.array(T, dtype=np.float64)
        chain: Floats = columns / columns.sum(axis=0)
        return chain

    return st.integers(2, 3).flatmap(hmms.any_chain).map(as_floats)


def chain_of(draw: Sequence3) -> Callable[[Context], Outcome]:
    """A run that counts sequences of three tasks."""

    def look(T: Floats, rng: np.random.Generator, trials: int) -> list[Cell]:
        return chain_cells(draw, T, rng, trials)

    def run(context: Context) -> Outcome:
        effort = Effort(context.count(12, 60, 600), 15, context.count(600, 6000, 60_000))
        return long_and_drawn(context, look, CHAIN, small_chains(), effort)

    return run


check(
    "text-task-chain.definition/frequencies",
    CheckKind.PROBABILITY,
    "The next task follows the column of T that belongs to the present one",
    alpha=ALPHA,
)(chain_of(by_reference))
check(
    "text-generative-model.definition/frequencies",
    CheckKind.PROBABILITY,
    "Answers have the distributions q and p and are independent, in and across pairs",
    alpha=ALPHA,
)(answers_of(Simulator))
