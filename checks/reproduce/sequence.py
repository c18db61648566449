"""Algorithm 2 as run on simulated tasks, fast (`ptum.reference.experiments.sequential`).

What differs from the literal loop, and why that changes nothing:

- Samples whose number is fixed (start-up, fallback, post-samples) are drawn as multinomial counts,
  which have the distribution of counted samples. PTUM's own are those of `Simulator(theta, seed)`.
- The learner is called when a triple of tasks is complete. Until the next one it would see the same
  views, with other restarts. Where labels are not matched, which then change with the restarts, it
  is called after every task.
- Models are solved once for an estimate, and parts of a set are not solved again.

`TransferVariant` is one learner in the transfer phase: sequential with a rule, static without; as
run, or with repairs by the switches of `ptum.reference.experiments.lines`, all but that of
Algorithm 1. Views within a task go with the switch for post-samples only. They change with every
task; whoever calls that learner less often says so by `every`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from ptum.checks.engine.as_run_spectral import learn_hmm
from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.models import among, approximate_models
from ptum.checks.engine.ptum import transfer_mode
from ptum.checks.engine.within_task import WithinTasks
from ptum.reference.arrays import Floats, Ints
from ptum.reference.experiments.lines import chosen_rule
from ptum.reference.experiments.sequential import AS_RUN, Schedule, Switch
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.repaired.sequential.lines import carried
from ptum.reference.repaired.sequential.prediction import reidentify
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.lines import current_models, projected, ptum_set, restarts
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.projection import project_columns
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

    def every_pair(self, number: int, batches: int = 1) -> list[Counts]:
        """So many samples of every pair, the same ones for the same seed, in equal batches.

        What is left over makes a last, smaller batch.
        """
        rng, theta = np.random.default_rng([self.seed, 1]), self.theta
        sizes = [number // batches] * batches + [number % batches] * (number % batches > 0)
        drawn = [Counts(rng.multinomial(n, theta.q), rng.multinomial(n, theta.p)) for n in sizes]
        for batch in drawn:
            self.counts.rewards[:] += batch.rewards
            self.counts.successors[:] += batch.successors
        return drawn


@dataclass(frozen=True, eq=False)
class SolvedTask:
    """How a task was solved: from which set, how PTUM ended, and what came out of it.

    `samples` are those of PTUM and of the fallback. `estimate` is what models were made of.
    """

    initial: tuple[int, ...]
    result: PtumResult
    policy: Ints
    samples: int
    estimate: Estimate | None


def together(batches: list[Counts]) -> Counts:
    """The counts of all batches."""
    return Counts(
        np.sum([batch.rewards for batch in batches], axis=0),
        np.sum([batch.successors for batch in batches], axis=0),
    )


def views_of(batches: list[Counts]) -> Floats:
    """The observations of three batches, (3, d)."""
    return np.stack([batch.observation for batch in batches[:VIEWS]])


class TransferVariant:
    """Algorithm 2 as run after its start-up.

    `start_up` has its observations, (h, d), or (h, 3, d) where views are within tasks.
    """

    def __init__(
        self,
        start_up: Floats,
        setting: Setting,
        schedule: Schedule,
        rule: PredictionRule | None,
        *,
        switches: AbstractSet[Switch] = AS_RUN,
        learner: Learner = learn_hmm,
        every: int = TRIPLE,
    ) -> None:
        self.setting, self.schedule, self.rule = setting, schedule, chosen_rule(rule, switches)
        self.switches, self.learner, self.every = switches, learner, every
        self.observations = list(start_up)
        self._within: WithinTasks | None = None
        if Switch.WITHIN_TASK in switches:
            if Switch.POST_SAMPLES not in switches:
                raise ValueError("views within a task are of post-samples only here")
            self._within = WithinTasks(setting.k, setting.d)
            for views in start_up:
                self._within.add(views)
        self.errors: ModelErrors = single(math.inf)
        self.estimate: Estimate | None = None
        self.initial = setting.labels
        self._transitions_learned = False
        self._learn()
        self._prepare(setting.labels)

    @property
    def h(self) -> int:
        """Number of tasks so far."""
        return len(self.observations)

    def solve(self, task: Sampler) -> SolvedTask:
        """Lines 4 to 9 for the next task."""
        result, initial, estimate = self._ptum(task), self.initial, self.estimate
        policy, samples = result.policy, result.queries
        batches = 1 if self._within is None else VIEWS
        if result.end is End.STOPPED and policy is not None:
            drawn = task.every_pair(self.schedule.n_post, batches)
        else:
            drawn = task.every_pair(self.schedule.per_pair, batches)
            policy = planned(together(drawn), task.theta)
            samples += self.schedule.per_pair * task.theta.S * task.theta.A
        theta_bar = self._identified(result, together(drawn))
        self._observe(task, drawn)  # line 5
        if self.h % self.every == 0 or Switch.LABELS not in self.switches:
            self._learn()
        if Switch.PER_STEP in self.switches:
            theta_bar = carried(theta_bar, estimate, self.schedule, self.setting)
        self._prepare(theta_bar)
        return SolvedTask(initial, result, policy, samples, estimate)

    def _observe(self, task: Sampler, drawn: list[Counts]) -> None:
        """All samples, or those of fixed number alone, at once or in three batches."""
        if self._within is not None:
            self._within.add(views_of(drawn))
        fixed = Switch.POST_SAMPLES in self.switches
        self.observations.append((together(drawn) if fixed else task.counts).observation)

    def _identified(self, result: PtumResult, drawn: Counts) -> tuple[int, ...]:
        """Θ̄_h: PTUM's final set, or what samples of fixed number leave of all models."""
        setting = self.setting
        if Switch.REIDENTIFY not in self.switches:
            labels = tuple(self.initial[position] for position in result.active)
            return ptum_set(replace(result, active=labels), setting.labels)
        if math.isinf(self.errors.Delta):
            return setting.labels
        N = int(drawn.successors[0, 0].sum())
        return reidentify(
            drawn.rewards @ np.array(setting.u) / N,
            drawn.successors / N,
            self.models,
            n_post=N,
            delta=setting.delta,
            errors=self.errors,
        )

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
        setting, rng = self.setting, restarts(self.setting.seed, self.h)
        if self._within is not None:
            found = self._within.estimate(setting.L, setting.N, rng)
        else:
            o = np.stack(self.observations)
            found = self.learner(o, setting.k, setting.L, setting.N, rng)
        self._learned = isinstance(found, HmmEstimate)
        if isinstance(found, HmmEstimate):
            before = self.estimate if Switch.LABELS in self.switches else None
            columns, _ = projected(found.O, setting)
            if before is not None:
                order = align(before.O, columns)
                found, columns = permuted(found, order), columns[:, order]
            T, T_h = found.T, self.h
            if T is None and before is not None:  # the last one stays (D96)
                T, T_h = before.T, before.T_h
            elif T is not None and Switch.PER_STEP in self.switches:
                T = project_columns(T)
            self.estimate = Estimate(np.ascontiguousarray(columns), T, T_h)
            self._transitions_learned = found.T is not None
        self.models: ApproximateModels = approximate_models(current_models(self.estimate, setting))
        self._parts: dict[tuple[int, ...], ApproximateModels] = {}

    def _prepare(self, theta_bar: tuple[int, ...]) -> None:
        """Lines 8 and 9."""
        setting, estimate = self.setting, self.estimate
        if self._learned and estimate is not None:
            self.errors = self.schedule.model_errors(self.h, setting)
            if self._transitions_learned:
                self.estimate = estimate = replace(estimate, T_h=self.h)
        if self.rule is None or estimate is None or estimate.T is None:
            self.initial = setting.labels
            return
        self.initial = self.rule(
            estimate.T,
            theta_bar,
            h=estimate.T_h,
            d=setting.d,
            delta=setting.delta,
            delta_prime=setting.delta_prime,
            e_T=self.schedule.transition_error(estimate.T_h, setting),
        )


def planned(drawn: Counts, theta: MDP) -> Ints:
    """The optimal policy of the empirical model."""
    N = drawn.successors.sum(axis=-1)
    r_hat, p_hat = drawn.rewards @ theta.u / N, drawn.successors / N[..., np.newaxis]
    return optimal_policy(deterministic_rewards(p_hat, r_hat, theta.gamma))
