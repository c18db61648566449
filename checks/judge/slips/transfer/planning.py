"""Slips in planning and in what a run says of itself, which only rare tasks show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ptum.checks.judge.judging.items import LINE_14_PLANNED, QUERIES
from ptum.checks.judge.plain.algorithm_1 import Algorithm1
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Ints
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import action_value, policy_value


class _OtherPolicies(Algorithm1):
    """Policies of models that are not optimal, taken for optimal ones."""

    def policy(self, task: MDP) -> Ints:
        """What planning ends with."""
        raise NotImplementedError

    def planned(self, models: ApproximateModels) -> ApproximateModels:
        pi_star = np.stack([self.policy(task) for task in models.tasks])
        V_pi = np.stack([[policy_value(task, pi) for pi in pi_star] for task in models.tasks])
        own = np.stack([V_pi[theta, theta] for theta in range(models.k)])
        return replace(models, pi_star=pi_star, V_pi=V_pi, V_star=own)


@slip("ptum/one-improvement", breaks=LINE_14_PLANNED)
class _OneImprovement(_OtherPolicies):
    """Policy iteration that is left after one improvement."""

    def policy(self, task: MDP) -> Ints:
        first: Ints = np.argmax(task.q @ task.u, axis=1)
        better: Ints = np.argmax(action_value(task, policy_value(task, first)), axis=1)
        return better


@slip("stopping/two-improvements", "ptum/two-improvements", breaks=LINE_14_PLANNED)
class _TwoImprovements(_OneImprovement):
    """Policy iteration that is left after two improvements."""

    def policy(self, task: MDP) -> Ints:
        value = policy_value(task, super().policy(task))
        better: Ints = np.argmax(action_value(task, value), axis=1)
        return better


@slip("stopping/greedy-policies", "ptum/greedy-policies", breaks=LINE_14_PLANNED)
class _GreedyPolicies(Algorithm1):
    """V* of models is right, and policies take the best reward now."""

    def planned(self, models: ApproximateModels) -> ApproximateModels:
        pi_star = np.stack([np.argmax(task.q @ task.u, axis=1) for task in models.tasks])
        V_pi = np.stack([[policy_value(task, pi) for pi in pi_star] for task in models.tasks])
        return replace(models, pi_star=pi_star, V_pi=V_pi)


@slip("stopping/sorted-rewards", "ptum/sorted-rewards", breaks=LINE_14_PLANNED)
class _SortedRewards(Algorithm1):
    """The list of rewards is sorted, the probabilities are not."""

    def planned(self, models: ApproximateModels) -> ApproximateModels:
        return approximate_models([replace(task, u=np.sort(task.u)) for task in models.tasks])


@slip("ptum/loose-value-iteration", breaks=LINE_14_PLANNED)
class _LooseValueIteration(_OtherPolicies):
    """Value iteration that ends when a sweep changes less than 10⁻³."""

    def policy(self, task: MDP) -> Ints:
        V, change = np.zeros(task.S), 1.0
        while change >= 1e-3:
            new = action_value(task, V).max(axis=1)
            V, change = new, float(np.max(np.abs(new - V)))
        greedy: Ints = np.argmax(action_value(task, V), axis=1)
        return greedy


@slip("ptum/queries-off-by-one", breaks=QUERIES)
class _CountsIterations(Algorithm1):
    """The number of iterations for that of queries."""

    def end(self, end: str, theta: int | None = None) -> dict[str, object]:
        return {**super().end(end, theta), "queries": self.queries + 1}
