"""Uniform sampling, static transfer and the oracle: wrong variants are rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from ptum.checks.claims.appendix_e import sampling_baselines as baselines
from ptum.checks.claims.appendix_e.baseline_guarantees import Arm, Quarters
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.experiments.lines import UniformPerPair
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.experiments.sequential import oracle
from ptum.reference.sequential.state import Setting
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.fallback import FallbackResult
from ptum.reference.transfer.ptum import PtumResult
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)
HOLDS, VIOLATED = Verdict.HOLDS, Verdict.VIOLATED


class Unequal(UniformPerPair):
    """Asks the first pair once more."""

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        model.sample(0, 0)
        return super().__call__(model, S, A, gamma, epsilon, delta)


class Miscounted(UniformPerPair):
    """Says that it took a sample for each state."""

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        found = super().__call__(model, S, A, gamma, epsilon, delta)
        return replace(found, queries=S)


class Turned(UniformPerPair):
    """Takes the next action in the place of the best."""

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        found = super().__call__(model, S, A, gamma, epsilon, delta)
        return replace(found, policy=(found.policy + 1) % A)


def without_target(tasks: Sequence[MDP], target: GenerativeModel, setting: Setting) -> PtumResult:
    """Does not know the last model, which is the target's."""
    return oracle(tasks[:-1] or tasks, target, setting)


def generous(tasks: Sequence[MDP], target: GenerativeModel, setting: Setting) -> PtumResult:
    """Stops where every policy will do."""
    return oracle(tasks, target, replace(setting, epsilon=2 / (1 - setting.gamma)))


@pytest.mark.parametrize("wrong", [Unequal, Miscounted])
def test_pairs_that_are_asked_unequally_are_seen(wrong: type[UniformPerPair]) -> None:
    assert baselines.samples(QUICK, makes=wrong).verdict is VIOLATED


def test_another_policy_than_the_best_is_seen() -> None:
    assert baselines.policy(QUICK, makes=Turned).verdict is VIOLATED
    assert baselines.lost_too_much(Arm((1, 15), 0.2), Turned).verdict() is VIOLATED
    assert baselines.lost_too_much(Arm((1, 15), 0.2)).verdict() is HOLDS


def test_the_probabilities_of_all_counts_sum_to_one() -> None:
    assert sum(baselines.binomial(3, ones) for ones in range(baselines.PULLS + 1)) == 1


def test_static_transfer_begins_with_all_models() -> None:
    drawn = baselines.BanditSequence(1)
    assert baselines.beside_algorithm_1(drawn).verdict() is HOLDS
    filtered = Experiment(m=baselines.LENGTH, keep=1, eta=0.35)
    assert baselines.beside_algorithm_1(drawn, filtered).verdict() is VIOLATED


@pytest.mark.parametrize("wrong", [without_target, generous])
def test_an_oracle_that_knows_or_asks_too_little_is_seen(wrong: baselines.RunsOracle) -> None:
    assert baselines.certainty(QUICK, runs=wrong).verdict is VIOLATED


def test_certain_tasks_have_no_chance() -> None:
    for task in baselines.certain(Quarters(seed=3, S=3, A=2, k=2, gamma=0.5)):
        for table in (task.p, task.q):
            assert np.array_equal(np.sort(table, axis=2)[:, :, -1], np.ones(table.shape[:2]))
