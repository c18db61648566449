"""What the baselines of Section 6 guarantee: RMAX and MaxQInit are optimistic, PEL keeps the truth.

RMAX and MaxQInit are given samples in the very proportions of a task whose probabilities are
quarters, four of each pair, so that the models of known pairs are exact. Of PEL all sequences of
samples are gone through, each with its probability.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact.numbers import max_of
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import NOTHING_ROUNDED, Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.experiments.episodes import OnlineTask, episode, online
from ptum.reference.experiments.pel import Pel, known_models
from ptum.reference.experiments.rmax import Rmax, maxqinit_table, rmax_table
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import action_value, optimal_value, value_tolerance
from ptum.spec.vocabulary import CheckKind

QUARTERS = 4
MakesRmax: TypeAlias = Callable[[OnlineTask, Floats, int], Rmax]
MakesPel: TypeAlias = Callable[..., Pel]
MakesTable: TypeAlias = Callable[[Sequence[MDP]], Floats]


@stored
@dataclass(frozen=True)
class Quarters:
    """Tasks whose probabilities are quarters, drawn from a seed; the first one is the target."""

    seed: int
    S: int
    A: int
    k: int
    gamma: float

    def tasks(self) -> list[MDP]:
        """All k of them, with rewards 0, 1/2 and 1."""
        return [self._task(np.random.default_rng([self.seed, i])) for i in range(self.k)]

    def _task(self, rng: np.random.Generator) -> MDP:
        size = (self.S, self.A)
        p = rng.multinomial(QUARTERS, np.full(self.S, 1 / self.S), size=size) / QUARTERS
        q = rng.multinomial(QUARTERS, np.full(3, 1 / 3), size=size) / QUARTERS
        return MDP(p=p, q=q, u=np.array([0.0, 0.5, 1.0]), gamma=self.gamma)

    def order(self) -> list[tuple[int, int]]:
        """In which order pairs become known."""
        pairs = [(s, a) for s in range(self.S) for a in range(self.A)]
        rng = np.random.default_rng([self.seed, self.k])
        return [pairs[int(place)] for place in rng.permutation(len(pairs))]


@st.composite
def quarters(draw: DrawFn) -> Quarters:
    """Up to four states, three actions and four tasks."""
    sizes = draw(st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 4)))
    return Quarters(draw(st.integers(0, 2**32 - 1)), *sizes, draw(st.sampled_from((0.0, 0.5, 0.9))))


def show_exactly(learner: Rmax, task: MDP, s: int, a: int) -> None:
    """Four samples of a pair in the proportions of the task."""
    rewards = np.repeat(np.arange(task.u.size), np.rint(QUARTERS * task.q[s, a]).astype(int))
    successors = np.repeat(np.arange(task.S), np.rint(QUARTERS * task.p[s, a]).astype(int))
    for j, s_next in zip(rewards.tolist(), successors.tolist(), strict=True):
        learner.see(s, a, j, s_next)


def optimism(drawn: Quarters, table: MakesTable, makes: MakesRmax = Rmax) -> Evaluation:
    """After each pair that becomes known: Q ≥ Q*; and for RMAX Q is no larger than before."""
    tasks = drawn.tasks()
    target = tasks[0]
    U = table(tasks)
    falling = bool(np.ptp(U) == 0)
    learner = makes(online(target), U, QUARTERS)
    Q_star = action_value(target, optimal_value(target))
    ratios = []
    for s, a in drawn.order():
        before = learner.Q
        show_exactly(learner, target, s, a)
        ratios.append(largest_share(Q_star, learner.Q))
        if falling:
            ratios.append(largest_share(learner.Q, before))
    return Evaluation(
        (),
        Statement(
            "largest (1+Q*)/(1+Q), and of Q and the Q before, while pairs become known",
            max_of(ratios),
            "≤",
            1.0,
            tolerance=rounded(drawn),
        ),
    )


def largest_share(Q: Floats, of: Floats) -> float:
    """The largest (1+Q)/(1+Q'): at most 1 where Q ≤ Q'; values are not negative."""
    return float(np.max((1 + Q) / (1 + of)))


def rounded(drawn: Quarters) -> float:
    """Two values that are equal on paper, divided by at least 1."""
    return 2 * value_tolerance(np.full(drawn.S, 1 / (1 - drawn.gamma)), drawn.gamma)


def rmax_of(tasks: Sequence[MDP]) -> Floats:
    """RMAX's table for tasks of one size."""
    return rmax_table(tasks[0].S, tasks[0].A, tasks[0].gamma)


@check("algorithm-rmax.optimistic/exact-samples", CheckKind.INEQUALITY)
def optimistic(
    context: Context, makes: MakesRmax = Rmax, table: MakesTable = maxqinit_table
) -> Outcome:
    """Exact samples, pair after pair: Q stays above Q*, and RMAX's Q never rises."""
    tables = (rmax_of, table)

    def evaluation(drawn: tuple[Quarters, int]) -> Evaluation:
        return optimism(drawn[0], tables[drawn[1]], makes)

    drawn = st.tuples(quarters(), st.integers(0, 1))
    return search(context, drawn, evaluation, (30, 300, 5000))


EPISODES, STEPS = 30, 8


def planned(drawn: Quarters, makes: MakesRmax = Rmax) -> Evaluation:
    """Plannings in some episodes against the number of pairs."""
    target = online(drawn.tasks()[0], range(drawn.S))
    learner = makes(target, rmax_table(drawn.S, drawn.A, drawn.gamma), 2)
    rng = np.random.default_rng(drawn.seed)
    for _ in range(EPISODES):
        for _ in episode(target, learner, STEPS, rng):
            pass
    pairs = drawn.S * drawn.A
    return Evaluation(
        (Statement("pairs that became known", int(learner.known.sum()), "≥", 1),),
        Statement(
            "plannings against pairs", learner.plannings, "≤", pairs, tolerance=NOTHING_ROUNDED
        ),
    )


@check("algorithm-rmax.plannings/episodes", CheckKind.INEQUALITY)
def plannings(context: Context, makes: MakesRmax = Rmax) -> Outcome:
    """Episodes in drawn tasks: no more plannings than pairs."""
    evaluation = partial(planned, makes=makes)
    return search(context, quarters(), evaluation, (30, 300, 5000))


def above_all(drawn: Quarters, table: MakesTable = maxqinit_table) -> Evaluation:
    """max_θ Q*_θ ≥ Q*_θ for every θ, and ≤ 1/(1-γ)."""
    tasks = drawn.tasks()
    U = table(tasks)
    tables = [action_value(task, optimal_value(task)) for task in tasks]
    ratios = [*(largest_share(Q, U) for Q in tables), largest_share(U, rmax_of(tasks))]
    return Evaluation(
        (),
        Statement(
            "largest (1+Q*)/(1+U) over tasks, and (1+U)/(1+U of RMAX)",
            max_of(ratios),
            "≤",
            1.0,
            tolerance=rounded(drawn),
        ),
    )


@check("algorithm-rmax.jumpstart/drawn-tasks", CheckKind.INEQUALITY)
def jumpstart(context: Context, table: MakesTable = maxqinit_table) -> Outcome:
    """Drawn tasks: MaxQInit's table lies between every Q* and RMAX's table."""
    evaluation = partial(above_all, table=table)
    return search(context, quarters(), evaluation, (30, 300, 5000))


# PEL

SAMPLES = 10


@stored
@dataclass(frozen=True)
class Arm:
    """One arm that pays 1 with a probability in sixteenths, the truth first, and PEL's level."""

    sixteenths: tuple[int, ...]
    delta: float

    @property
    def means(self) -> tuple[float, ...]:
        """Of all models."""
        return tuple(x / 16 for x in self.sixteenths)


@st.composite
def arms(draw: DrawFn) -> Arm:
    """Two or three models, any of which may rule an outcome out."""
    means = draw(st.lists(st.integers(0, 16), min_size=2, max_size=3))
    return Arm(tuple(means), draw(st.sampled_from((0.5, 0.2, 0.05))))


def payers(means: Sequence[float]) -> list[MDP]:
    """One state, one action, a model for every mean."""
    u = np.array([0.0, 1.0])
    return [MDP(np.ones((1, 1, 1)), np.array([[[1 - m, m]]]), u, 0.5) for m in means]


def dropped(pel: Pel, truth: float, left: int) -> float:
    """The probability that the truth, model 0, is dropped within so many samples."""
    if 0 not in pel.active:
        return 1.0
    if left == 0:
        return 0.0
    total = 0.0
    for j, probability in enumerate((1 - truth, truth)):
        if probability > 0:
            after = copy.copy(pel)
            after.log_likelihood = pel.log_likelihood.copy()
            after.see(0, 0, j, 0)
            total += probability * dropped(after, truth, left - 1)
    return total


def keeps_evaluation(arm: Arm, makes: MakesPel = Pel) -> Evaluation:
    """All sequences of ten samples."""
    tasks = payers(arm.means)
    pel = makes(known_models([online(task) for task in tasks], tasks), arm.delta)
    return Evaluation(
        (),
        Statement(
            f"P(the truth is dropped in {SAMPLES} samples), means {arm.means}",
            dropped(pel, arm.means[0], SAMPLES),
            "≤",
            arm.delta,
            tolerance=2 * SAMPLES * ROUNDING,  # a product and a sum for each sample
        ),
    )


@check("algorithm-pel.keeps/all-sequences", CheckKind.INEQUALITY)
def keeps(context: Context, makes: MakesPel = Pel) -> Outcome:
    """Every sequence of ten samples with its probability: P(the truth is dropped) ≤ δ."""
    evaluation = partial(keeps_evaluation, makes=makes)
    return search(context, arms(), evaluation, (20, 200, 3000))
