"""PTUM started from one model: no sample, no doubt, no correction (erratum E59)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from ptum.checks.exact.hidden_markov import Matrix
from ptum.checks.exact.intervals import compared, written
from ptum.checks.instances import sequences
from ptum.checks.instances.counterexamples.catalogue import Counterexample, Numbers, declare
from ptum.checks.instances.counterexamples.shared.shown import exactly
from ptum.checks.instances.fakes import CountingModel
from ptum.checks.instances.families.hmms import cycle, next_stay_skip
from ptum.checks.instances.families.named import bandit
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.experiments.two_rooms import goal_grid
from ptum.reference.repaired.sequential.observations import post_sample_observation
from ptum.reference.repaired.sequential.prediction import PerStep
from ptum.reference.sequential.algorithm import TaskRecord
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.ptum import PtumResult, ptum

TASKS, FORWARD = 8, Fraction(97, 100)
"""The chain of Appendix E: next with probability 0.97, stay and skip with 0.015 each."""
EPSILON, DELTA, BUDGET = 0.1, 0.1, 200


def grid() -> tuple[MDP, ...]:
    """One task of 5×5 cells and four actions, known to be the next one."""
    return (goal_grid(Grid(5, 5), {(4, 4): 1.0}, 0.9),)


def two_rivals() -> tuple[MDP, ...]:
    """Two arms and three models; each arm tells one rival from the first model, the target."""
    rows, stay = ((0.6, 0.5), (0.0, 0.5), (0.6, 1.0)), np.ones((1, 2, 1))
    return tuple(deterministic_rewards(stay, np.array([row]), 0.5) for row in rows)


def started_from(models: tuple[MDP, ...], true: MDP, n: int = BUDGET) -> PtumResult:
    """The literal PTUM on the given models alone, on samples of the true task."""
    return ptum(
        approximate_models(models),
        Simulator(true, seed=0),
        epsilon=EPSILON,
        delta=DELTA,
        n=n,
        Delta=0.0,
    )


def free_observation(models: tuple[MDP, ...], n: int = BUDGET) -> Evaluation:
    """The samples that o_h needs are among those that PTUM takes for the first model, the task."""
    result = started_from(models, models[0], n)
    return Evaluation(
        premises=(_stops(result),),
        conclusion=Statement(
            "pairs that PTUM leaves without a sample", int(np.sum(result.N == 0)), "=", 0
        ),
    )


def _stops(result: PtumResult) -> Statement:
    return Statement("PTUM ends by its stopping rule", result.tau is not None, "=", True)


def with_post_samples(models: tuple[MDP, ...], n_post: int = 30) -> Evaluation:
    """Repaired: n_post samples of every pair follow, and all of them are counted."""
    task = models[0]
    result = started_from(models, task)
    model = CountingModel(Simulator(task, seed=1))
    post_sample_observation(model, task.S, task.A, task.u, n_post)
    return Evaluation(
        premises=(_stops(result),),
        conclusion=Statement(
            "samples beside PTUM's, against n_post for each of the S A pairs",
            model.asked,
            "=",
            task.S * task.A * n_post,
        ),
    )


def all_samples_counted(n_post: int) -> Evaluation:
    """Samples of a task = PTUM's + the fallback's + n_post of every pair."""
    runs = (
        sequences.printed(sequences.ONE_STAY, n_post=n_post),
        sequences.repaired(sequences.ONE_STAY, n_post=3 * n_post),
    )
    off = [
        abs(record.samples - _expected(record, post))
        for records, post in zip(runs, (n_post, 3 * n_post), strict=True)
        for record in records
    ]
    return Evaluation((), Statement("samples not accounted for", sum(off), "=", 0))


def _expected(record: TaskRecord, n_post: int) -> int:
    fallback = record.result.fallback
    return record.result.queries + 4 * n_post + (0 if fallback is None else fallback.queries)


def wrong_singleton() -> tuple[tuple[MDP, ...], MDP]:
    """The model of a bandit that is not the task; the task itself is not offered."""
    true, other = bandit(0.5, (0.9, 0.1), (0.1, 0.9))
    return (other,), true


def expected_share_wrong(tasks: int, *, corrected: bool, forward: Fraction = FORWARD) -> Fraction:
    """Expected share of the tasks after the first whose only model is wrong; one successor is kept.

    T is known and the first task too. Without correction the offset of the prediction is a walk on
    Z_8 that moves when the chain does not go to the next task; with it every task starts again.
    """
    T = next_stay_skip(TASKS, forward, (1 - forward) / 2, (1 - forward) / 2)
    # column 0 of T says where the chain goes from task 0; the prediction is always task 1
    moves = {step - 1: T[step][0] for step in range(TASKS) if T[step][0]}
    distribution = {0: Fraction(1)}
    wrong = Fraction(0)
    for _ in range(tasks):
        following: dict[int, Fraction] = {}
        for offset, probability in distribution.items():
            start = 0 if corrected else offset
            for move, chance in moves.items():
                place = (start + move) % TASKS
                following[place] = following.get(place, Fraction(0)) + probability * chance
        distribution = following
        wrong += 1 - distribution.get(0, Fraction(0))
    return wrong / tasks


def stays_on_track(
    tasks: int = 60, *, corrected: bool = False, forward: Fraction = FORWARD
) -> Evaluation:
    """The share of wrongly solved tasks stays at the probability of one wrong prediction.

    The premises are taken from a literal run: a wrong singleton is returned without a sample.
    """
    result = started_from(*wrong_singleton())
    share = expected_share_wrong(tasks, corrected=corrected, forward=forward)
    return Evaluation(
        premises=(
            Statement("samples that PTUM takes from a wrong singleton", result.queries, "=", 0),
            Statement("models it returns", len(result.active), "=", 1),
        ),
        conclusion=Statement("expected share of wrong tasks", *compared(share, "≤", 1 - forward)),
    )


def literal_misses(*, corrected: bool, sequence: Sequence[int] = sequences.ONE_STAY) -> Evaluation:
    """Twelve tasks with one stay among them: how many are solved with the wrong model."""
    if corrected:
        records = sequences.repaired(sequence, rule=PerStep(0.05))
    else:
        records = sequences.printed(sequence, rule=Experiment(m=20, keep=1))
    wrong = sum(
        record.result.theta != sequence[record.h - 1]
        for record in records
        if record.result.theta is not None
    )
    likeliest = sequences.CHAIN.argmax(axis=0)
    strays = sum(int(likeliest[now]) != then for now, then in pairwise(sequence))
    return Evaluation(
        (Statement("tasks that do not follow the likeliest way", strays, "=", 1),),
        Statement("tasks solved with the wrong model", wrong, "≤", 1),
    )


# What the instances show


@dataclass(frozen=True, eq=False)
class PtumStart:
    """What PTUM starts from, with its budget; the first model is the task."""

    models: tuple[MDP, ...]
    task: str = "5×5 cells, four moves, reward 1 in cell (4, 4), else 0"
    n: int = BUDGET

    def numbers(self) -> Numbers:
        """The task, and the rewards of the models where there are several."""
        theta, alone = self.models[0], len(self.models) == 1
        rewards = tuple(exactly(one).r[0] for one in self.models)
        return (
            ("task", self.task),
            ("S, A, γ", (theta.S, theta.A, written(theta.gamma))),
            ("Θ̃_h", "the task alone, known exactly" if alone else rewards),
            ("ε, δ, Δ, n", (written(EPSILON), written(DELTA), 0, self.n)),
        )


RIVALS = PtumStart(
    two_rivals(), "one state, two arms with deterministic rewards, in the first row of Θ̃_h"
)


def exact_chain() -> Matrix:
    """`sequences.CHAIN`: the next task with probability 98/100, any of the three otherwise."""
    next_task, any_task = Fraction(98, 100), Fraction(2, 300)
    return tuple(tuple(next_task * x + any_task for x in row) for row in cycle(sequences.K))


declare(
    Counterexample(
        checks={
            "text-at-least-one-sample.wlog/singleton": (
                "A sample of every pair costs nothing beyond what PTUM samples anyway"
            ),
        },
        instance=PtumStart(grid()),
        evaluate=lambda offered: free_observation(offered.models, offered.n),
        numbers=PtumStart.numbers,
        fix="two arms and two rivals, of which each arm tells one: PTUM then samples every pair",
        fixed=RIVALS,
        broken={"PTUM ends by its stopping rule": replace(RIVALS, n=10)},
        repaired=lambda offered: with_post_samples(offered.models),
        in_scope=RIVALS,
    )
)
