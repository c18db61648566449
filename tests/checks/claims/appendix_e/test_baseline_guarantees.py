"""Guarantees of the baselines: wrong variants are rejected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ptum.checks.claims.appendix_e import baseline_guarantees as guarantees
from ptum.checks.claims.appendix_e.baseline_guarantees import Arm, Quarters
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.arrays import Floats
from ptum.reference.experiments.episodes import online
from ptum.reference.experiments.pel import KnownModels, Pel, known_models
from ptum.reference.experiments.rmax import Rmax
from ptum.reference.tasks.mdp import MDP, mean_reward
from ptum.reference.tasks.values import action_value, optimal_value
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)
VIOLATED = Verdict.VIOLATED
ARM = Arm((8, 12), 0.2)


class PlansAlways(Rmax):
    """Plans with every sample, as a first try would."""

    def see(self, s: int, a: int, j: int, s_next: int) -> bool:
        changed = super().see(s, a, j, s_next)
        self.plan()
        return changed


class WithoutFuture(Rmax):
    """Forgets γ T̂ max Q."""

    def plan(self) -> None:
        super().plan()
        self.Q = np.where(self.known, self.rewards @ self.u / self.m, self.initial)


class Doubled(Rmax):
    """Counts rewards twice, so that Q may rise."""

    def plan(self) -> None:
        super().plan()
        self.Q = 2 * self.Q


def smallest(tasks: Sequence[MDP]) -> Floats:
    """The smallest Q* in the place of the largest."""
    Q: Floats = np.min([action_value(task, optimal_value(task)) for task in tasks], axis=0)
    return Q


def undiscounted(tasks: Sequence[MDP]) -> Floats:
    """Rewards of one step alone."""
    r: Floats = np.max([mean_reward(task) for task in tasks], axis=0)
    return r


class NoUnion(Pel):
    """1/δ for k/δ."""

    def __init__(self, known: KnownModels, delta: float) -> None:
        super().__init__(known, delta)
        self.least += np.log(known.k)


class Impatient(Pel):
    """Drops whatever is less likely than the likeliest."""

    def __init__(self, known: KnownModels, delta: float) -> None:
        super().__init__(known, delta)
        self.least = 0.0


@pytest.mark.parametrize("wrong", [WithoutFuture, Doubled])
def test_q_that_is_no_fixed_point_is_rejected(wrong: type[Rmax]) -> None:
    assert guarantees.optimistic(QUICK, makes=wrong).verdict is VIOLATED


def test_a_table_below_the_target_is_rejected() -> None:
    assert guarantees.optimistic(QUICK, table=smallest).verdict is VIOLATED
    assert guarantees.jumpstart(QUICK, table=smallest).verdict is VIOLATED
    assert guarantees.jumpstart(QUICK, table=undiscounted).verdict is VIOLATED


def test_planning_with_every_sample_is_rejected() -> None:
    assert guarantees.plannings(QUICK, makes=PlansAlways).verdict is VIOLATED


def test_a_test_without_its_level_is_rejected() -> None:
    assert guarantees.keeps(QUICK, makes=Impatient).verdict is VIOLATED
    loose = guarantees.keeps_evaluation(ARM, NoUnion).conclusion
    tight = guarantees.keeps_evaluation(ARM).conclusion
    assert loose.left > tight.left > 0


def test_the_probabilities_of_all_sequences_sum_to_one() -> None:
    """A learner that drops the truth with its first sample does so with probability one."""
    tasks = guarantees.payers((0.5, 0.75))
    known = known_models([online(task) for task in tasks], tasks)
    pel = Pel(known, 0.5)
    pel.log_likelihood[0] = -np.inf
    assert guarantees.dropped(pel, 0.5, 4) == 1.0


def test_samples_are_in_the_proportions_of_the_task() -> None:
    drawn = Quarters(seed=3, S=3, A=2, k=2, gamma=0.5)
    target = drawn.tasks()[0]
    learner = Rmax(online(target), np.full((3, 2), 2.0), guarantees.QUARTERS)
    for s, a in drawn.order():
        guarantees.show_exactly(learner, target, s, a)
    assert np.array_equal(learner.successors / 4, target.p)
    assert np.array_equal(learner.rewards / 4, target.q)
