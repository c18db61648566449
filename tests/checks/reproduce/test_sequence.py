"""The fast Algorithm 2 as run: what it does is what the literal one does, slips change findings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ptum.checks.reproduce.sequence import (
    Counts,
    Sampler,
    SolvedTask,
    TransferVariant,
    planned,
    together,
    views_of,
)
from ptum.reference.arrays import Floats
from ptum.reference.experiments import sequential as as_run
from ptum.reference.experiments.chain import task_chain, task_sequence
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.experiments.sequential import (
    AS_PRINTED,
    AS_RUN,
    Schedule,
    Switch,
    UniformPerPair,
)
from ptum.reference.experiments.spectral import learn_hmm
from ptum.reference.sequential.algorithm import Setting, TaskRecord
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.spectral import HmmEstimate, NotIdentifiable
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.ptum import End
from tests.support.closeness import near
from tests.support.streams import THREE_ARMS, three_arms

SETTING = THREE_ARMS
SCHEDULE = Schedule(start_up=90, per_pair=40, n_post=20, rho=0.02, last_rho=0.01, decay=10)
LENGTH = 110
RULE = Experiment(m=LENGTH, keep=1, rho_T=0.001, eta=0.35)


TASKS = tuple(three_arms(best) for best in range(3))


def sequence(seed: int = 1) -> list[tuple[MDP, int]]:
    targets = task_sequence(task_chain(3, 0.9), np.random.default_rng(seed))
    return [(TASKS[j], number) for number, j in zip(range(LENGTH), targets, strict=False)]


class OneByOne(Sampler):
    """Takes all samples from the streams of the literal simulator."""

    def every_pair(self, number: int, batches: int = 1) -> list[Counts]:
        sizes = [number // batches] * batches + [number % batches]
        return [self._batch(size) for size in sizes]

    def _batch(self, number: int) -> Counts:
        before = self.counts.rewards.copy(), self.counts.successors.copy()
        for s, a in np.ndindex(self.theta.S, self.theta.A):
            self.take(s, a, number)
        return Counts(self.counts.rewards - before[0], self.counts.successors - before[1])


def literal(
    rule: PredictionRule | None,
    setting: Setting = SETTING,
    switches: frozenset[Switch] = AS_RUN,
) -> list[TaskRecord]:
    stream = [Simulator(theta, seed) for theta, seed in sequence()]
    found = as_run.sequential_transfer(
        stream, setting=setting, schedule=SCHEDULE, rule=rule, switches=switches
    )
    return list(found)[SCHEDULE.start_up :]


def seen_in_start_up(batches: int = 1) -> Floats:
    rows = []
    for theta, seed in sequence()[: SCHEDULE.start_up]:
        task = OneByOne(theta, seed)
        drawn = task.every_pair(SCHEDULE.per_pair, batches)
        rows.append(task.counts.observation if batches == 1 else views_of(drawn))
    return np.stack(rows)


def fast(
    rule: PredictionRule | None,
    setting: Setting = SETTING,
    switches: frozenset[Switch] = AS_RUN,
) -> list[SolvedTask]:
    within = Switch.WITHIN_TASK in switches
    variant = TransferVariant(
        seen_in_start_up(3 if within else 1),
        setting,
        SCHEDULE,
        rule,
        switches=switches,
        learner=learn_hmm,
        every=1 if within else 3,
    )
    return [variant.solve(OneByOne(*one)) for one in sequence()[SCHEDULE.start_up :]]


AFTER_TASKS = AS_RUN | {Switch.POST_SAMPLES, Switch.REIDENTIFY, Switch.PER_STEP}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "switches"),
    [
        pytest.param(RULE, AS_RUN, id="sequential"),
        pytest.param(None, AS_RUN, id="static"),
        pytest.param(RULE, AS_PRINTED, id="labels-as-they-come"),
        pytest.param(RULE, AS_RUN | {Switch.POST_SAMPLES}, id="post-samples"),
        pytest.param(RULE, AS_RUN | {Switch.REIDENTIFY}, id="reidentify"),
        pytest.param(RULE, AS_RUN | {Switch.PER_STEP}, id="per-step"),
        pytest.param(RULE, AFTER_TASKS, id="all-of-these"),
        pytest.param(RULE, AFTER_TASKS | {Switch.WITHIN_TASK}, id="within-task"),
    ],
)
def test_every_task_is_solved_as_by_the_literal_code(
    rule: PredictionRule | None, switches: frozenset[Switch]
) -> None:
    """Views within tasks are found in an order of their own, which labels follow."""
    theirs, ours = literal(rule, switches=switches), fast(rule, switches=switches)
    assert len(ours) == len(theirs) == LENGTH - SCHEDULE.start_up
    for record, solved in zip(theirs, ours, strict=True):
        assert len(solved.initial) == len(record.initial)
        assert Switch.WITHIN_TASK in switches or solved.initial == record.initial
        assert solved.result.end is record.result.end is End.STOPPED
        assert solved.result.queries == record.result.queries
        assert solved.samples + 3 * SCHEDULE.n_post == record.samples
        assert record.result.policy is not None
        assert solved.policy.tolist() == record.result.policy.tolist()
    if rule is not None and Switch.PER_STEP not in switches:
        assert {len(solved.initial) for solved in ours} >= {1, 3}


def test_all_labels_count_until_they_are_sure_to_stay() -> None:
    """D117: at the first T̂ the labels in which a task was found may have changed."""
    learned: list[HmmEstimate] = []

    def late(*given: Any) -> HmmEstimate:
        found = learn_hmm(*given)
        assert isinstance(found, HmmEstimate)
        learned.append(found)
        return found if len(learned) > 1 else replace(found, T=None)

    variant = TransferVariant(
        seen_in_start_up(), SETTING, SCHEDULE, RULE, switches=AFTER_TASKS, learner=late, every=1
    )
    followed = []
    for one in sequence()[SCHEDULE.start_up :][:3]:
        variant.solve(OneByOne(*one))
        followed.append(len(variant.initial))
    assert followed[0] == SETTING.k
    assert max(followed[1:]) < SETTING.k


def test_views_within_tasks_need_post_samples() -> None:
    with pytest.raises(ValueError, match="post-samples only"):
        fast(RULE, switches=AS_RUN | {Switch.WITHIN_TASK})


def test_a_budget_that_is_used_up_is_followed_by_uniform_sampling() -> None:
    short = replace(SETTING, n=2)
    for record, solved in zip(literal(None, short), fast(None, short), strict=True):
        assert solved.result.end is record.result.end is End.BUDGET_EXHAUSTED
        assert solved.samples == record.samples == 2 + 3 * SCHEDULE.per_pair
        assert record.result.policy is not None
        assert solved.policy.tolist() == record.result.policy.tolist()


def test_without_an_estimate_tasks_are_sampled_uniformly() -> None:
    def nothing(*_: object) -> NotIdentifiable:
        return NotIdentifiable("nothing", 0.0, 1.0)

    variant = TransferVariant(seen_in_start_up(), SETTING, SCHEDULE, RULE, learner=nothing)
    solved = variant.solve(OneByOne(TASKS[0], 0))
    assert solved.result.end is End.MODELS_TOO_INACCURATE
    assert (solved.samples, solved.estimate) == (3 * SCHEDULE.per_pair, None)
    assert solved.initial == (0, 1, 2)


def test_counts_at_once_have_the_mean_and_spread_of_counted_samples() -> None:
    """500 draws of 40 samples each: means within 6 standard errors, P(not) < 1e-7 for 6 numbers."""
    counts = []
    for seed in range(500):
        task = Sampler(TASKS[1], seed)
        assert np.array_equal(task.every_pair(40)[0].rewards, task.counts.rewards)
        counts.append(task.counts.rewards[0, :, 1])
    mean = TASKS[1].q[0, :, 1]
    error = np.sqrt(40 * mean * (1 - mean) / 500)
    assert np.all(np.abs(np.mean(counts, axis=0) - 40 * mean) <= 6 * error)
    again = Sampler(TASKS[1], 0)
    assert np.array_equal(again.every_pair(40)[0].rewards[0, :, 1], counts[0])


def test_the_fallback_plans_in_what_it_saw() -> None:
    task = OneByOne(TASKS[2], 3)
    drawn = task.every_pair(40)
    theirs = UniformPerPair(40)(Simulator(TASKS[2], 3), 1, 3, 0.5, 0.1, 0.1)
    assert planned(together(drawn), TASKS[2]).tolist() == theirs.policy.tolist()
    task.take(0, 1, 5)
    observation = task.counts.observation
    assert observation.size == 3 * (1 + 2)
    assert observation[:6].reshape(3, 2).sum(axis=1) == near(np.ones(3))
