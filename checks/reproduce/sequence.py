"""Algorithm 2 as run on simulated tasks, fast (`ptum.reference.experiments.sequential`).

What differs from the literal loop, and why that changes nothing:

- Samples whose number is fixed (start-up, fallback, post-samples) are drawn as multinomial counts,
  which have the distribution of counted samples. PTUM's own are those of `Simulator(theta, seed)`.
- The learner is called when a triple of tasks is complete. Until the next one it would see the same
  views, with other restarts. Where labels are not matched, which then change with the restarts, it
  is called after every task.
- Models are solved once for an estimate, and parts of a set are not solved again.

`Variant` is one learner in the transfer phase: sequential with a rule, static without.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from ptum.checks.engine.as_run_spectral import learn_hmm
from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.models import among, approximate_models
from ptum.checks.engine.ptum import transfer_mode
from ptum.reference.arrays import Floats, Ints
from ptum.reference.experiments.sequential import Schedule
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.sequential.lines import current_models, projected, ptum_set, restarts
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable
from ptum.reference.sequential.state import Estimate, Setting
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import optimal_policy
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.ptum import End, PtumResult, nothing_done
from ptum.reference.transfer.stopping import enters_transfer_mode

TRIPLE = 3

Learner: TypeAlias = Callable[
    [Floats, int, int, int, np.random.Generator], HmmEstimate | NotIdentifiable | NotEnoughData
]
"""Algorithm 3: observations, k, L, N and random numbers."""


@dataclass(frozen=True, eq=False)
class Counts:
    """How often every reward value and every next state was seen; (S, A, U) and (S, A, S)."""

    rewards: Ints
    successors: Ints

    @property
    def observation(self) -> Floats:
        """o_h, where every pair was sampled."""
        N = self.successors.sum(axis=-1, keepdims=True)
        o: Floats = np.concatenate([(self.rewards / N).ravel(), (self.successors / N).ravel()])
        return o


class Sampler(BlockSimulator):
    """A task that counts its samples: PTUM's come one by one, those of fixed number at once."""

    def __init__(self, theta: MDP, seed: int) -> None:
        super().__init__(theta, seed)
        self.seed = seed
        self.counts = Counts(np.zeros(theta.q.shape, np.int64), np.zeros(theta.p.shape, np.int64))

    def take(self, s: int, a: int, size: int) -> None:
        """Consume the next samples of a pair."""
        rewards, successors = self.peek(s, a, size)
        self.counts.rewards[s, a] += np.bincount(rewards, minlength=self.theta.u.size)
        self.counts.successors[s, a] += np.bincount(successors, minlength=self.theta.S)
        super().take(s, a, size)

    def every_pair(self, number: int) -> Counts:
        """So many samples of every pair; the same ones for the same seed."""
        rng, theta = np.random.default_rng([self.seed, 1]), self.theta
        drawn = Counts(rng.multinomial(number, theta.q), rng.multinomial(number, theta.p))
        self.counts.rewards[:] += drawn.rewards
        self.counts.successors[:] += drawn.successors
        return drawn


@dataclass(frozen=True, eq=False)
class Solved:
    """How a task was solved: from which set, how PTUM ended, and what came out of it.

    `samples` are those of PTUM and of the fallback. `estimate` is what models were made of.
    """

    initial: tuple[int, ...]
    result: PtumResult
    policy: Ints
    samples: int
    estimate: Estimate | None


class Variant:
    """Algorithm 2 as run after its start-up, of which `start_up` has the observations, (h, d)."""

    def __init__(
        self,
        start_up: Floats,
        setting: Setting,
        schedule: Schedule,
        rule: PredictionRule | None,
        *,
        aligned: bool = True,
        learner: Learner = learn_hmm,
    ) -> None:
        self.setting, self.schedule, self.rule = setting, schedule, rule
        self.aligned, self.learner = aligned, learner
        self.observations = list(start_up)
        self.errors: ModelErrors = single(math.inf)
        self.estimate: Estimate | None = None
        self.initial = setting.labels
        self._learn()
        self._prepare(setting.labels)

    @property
    def h(self) -> int:
        """Number of tasks so far."""
        return len(self.observations)

    def solve(self, task: Sampler) -> Solved:
        """Lines 4 to 9 for the next task."""
        result, initial, estimate = self._ptum(task), self.initial, self.estimate
        policy, samples = result.policy, result.queries
        if result.end is End.STOPPED and policy is not None:
            task.every_pair(self.schedule.n_post)
        else:
            uniform = task.every_pair(self.schedule.per_pair)
            policy = planned(uniform, task.theta)
            samples += int(uniform.successors.sum())
        self.observations.append(task.counts.observation)  # line 5
        if self.h % TRIPLE == 0 or not self.aligned:
            self._learn()
        labels = tuple(initial[position] for position in result.active)
        self._prepare(ptum_set(replace(result, active=labels), self.setting.labels))
        return Solved(initial, result, policy, samples, estimate)

    def _ptum(self, task: Sampler) -> PtumResult:
        """Line 4, before the fallback."""
        if self.initial not in self._parts:
            self._parts[self.initial] = among(self.models, self.initial)
        models, setting = self._parts[self.initial], self.setting
        if not enters_transfer_mode(self.errors.Delta, setting.epsilon, setting.gamma):
            return nothing_done(models)
        return transfer_mode(
            models,
            task,
            epsilon=setting.epsilon,
            delta=setting.delta,
            n=setting.n,
            errors=self.errors,
        )

    def _learn(self) -> None:
        """Lines 6 and 7; without a new estimate the old one stays (D53)."""
        setting, o = self.setting, np.stack(self.observations)
        found = self.learner(o, setting.k, setting.L, setting.N, restarts(setting.seed, self.h))
        self._learned = isinstance(found, HmmEstimate)
        if isinstance(found, HmmEstimate):
            columns, _ = projected(found.O, setting)
            if self.aligned and self.estimate is not None:
                order = align(self.estimate.O, columns)
                found, columns = permuted(found, order), columns[:, order]
            self.estimate = Estimate(np.ascontiguousarray(columns), found.T, self.h)
        self.models: ApproximateModels = approximate_models(current_models(self.estimate, setting))
        self._parts: dict[tuple[int, ...], ApproximateModels] = {}

    def _prepare(self, theta_bar: tuple[int, ...]) -> None:
        """Lines 8 and 9."""
        setting, estimate = self.setting, self.estimate
        if self._learned and estimate is not None:
            self.errors = self.schedule.model_errors(self.h, setting)
            self.estimate = estimate = replace(estimate, T_h=self.h)
        if self.rule is None or estimate is None or estimate.T is None:
            return
        self.initial = self.rule(
            estimate.T,
            theta_bar,
            h=estimate.T_h,
            d=setting.d,
            delta=setting.delta,
            delta_prime=setting.delta_prime,
            e_T=math.inf,
        )


def planned(drawn: Counts, theta: MDP) -> Ints:
    """The optimal policy of the empirical model."""
    N = drawn.successors.sum(axis=-1)
    r_hat, p_hat = drawn.rewards @ theta.u / N, drawn.successors / N[..., np.newaxis]
    return optimal_policy(deterministic_rewards(p_hat, r_hat, theta.gamma))
