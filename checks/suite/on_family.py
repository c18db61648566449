"""The same claims on instances of a user's own: what `ptum verify --family` runs.

A family is a Hypothesis strategy of `TaskSet`s (docs/families.md). Every claim here is one that
must hold on each of them; ε and Δ are chosen per instance so that its premises are met as tightly
as possible: Δ is the largest model error, and ε just too small for PTUM to stop, or just large
enough for a policy to be accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from hypothesis.strategies import SearchStrategy

from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.check import Context
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.transfer.analysis.lemmas import correctness, positive_index
from ptum.reference.repaired.transfer.stopping import transfer_threshold
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.lemmas import (
    simulation_lemma,
    stopping_condition,
    value_error,
)

OnTaskSet: TypeAlias = Callable[[TaskSet], Evaluation]

BELOW = 1 - 1e-6
"""How much of the smallest worst loss an ε keeps that does not stop."""


def as_evaluation(found: Inequality) -> Evaluation:
    """A lemma of the reference on one instance; `holds` already allows for rounding."""
    premises = tuple(Statement(name, met, "=", True) for name, met in found.met.items())
    return Evaluation(premises, Statement("the conclusion of the lemma", found.holds, "=", True))


def not_stopping(tasks: TaskSet) -> tuple[float, float]:
    """ε for which no policy is accepted by a hair, and Δ at the repaired threshold for that ε.

    With Δ at the threshold the slack is 8ε/9, so ε is 9/8 of the smallest worst loss.
    """
    models = tasks.approximate
    worst = np.max(models.V_star[:, np.newaxis] - models.V_pi, axis=(0, 2))
    epsilon = float(np.min(worst)) * BELOW * 9 / 8
    return epsilon, transfer_threshold(epsilon, models.gamma)


def accepting(tasks: TaskSet) -> tuple[float, float]:
    """The smallest ε with which line 14 accepts the target's policy, and the largest error Δ."""
    models, Delta = tasks.approximate, tasks.repaired_errors().Delta
    loss = float(np.max(models.V_star - models.V_pi[:, 0]))
    shift = 2 * Delta * (1 + models.gamma) / (1 - models.gamma)
    least = Delta / transfer_threshold(1.0, models.gamma)
    return max(loss + shift, least) * (1 + 1e-9) + 1e-12, Delta


def simulation(tasks: TaskSet) -> Evaluation:
    """Lemma 5 between the true target and its approximation, for the approximate policy."""
    pi = tasks.approximate.pi_star[0]
    return as_evaluation(
        simulation_lemma(theta=tasks.approximate.tasks[0], theta_prime=tasks.true[0], pi=pi)
    )


def decomposition(tasks: TaskSet) -> Evaluation:
    """Corollary 2 between the true target and its approximation."""
    return as_evaluation(value_error(theta=tasks.approximate.tasks[0], theta_prime=tasks.true[0]))


def blocking(tasks: TaskSet) -> Evaluation:
    """Lemma 6 in the first iteration."""
    models = tasks.approximate
    epsilon, Delta = not_stopping(tasks)
    return as_evaluation(stopping_condition(_first(models, Delta), epsilon=epsilon))


def informative(tasks: TaskSet) -> Evaluation:
    """Lemma 7, repaired, in the first iteration."""
    models = tasks.approximate
    epsilon, Delta = not_stopping(tasks)
    return as_evaluation(positive_index(_first(models, Delta), epsilon=epsilon))


def correct(tasks: TaskSet) -> Evaluation:
    """Lemma 9, repaired, for the target's approximate policy."""
    models = tasks.approximate
    epsilon, Delta = accepting(tasks)
    iteration = _first(models, Delta)
    return as_evaluation(correctness(iteration, returned=0, true=tasks.true, epsilon=epsilon))


def _first(models: ApproximateModels, Delta: float) -> Iteration:
    """The first iteration, in which every model is active; the target is model 0."""
    return Iteration(models, 0, tuple(range(models.k)), Delta)


EVALUATIONS: Mapping[str, OnTaskSet] = MappingProxyType(
    {
        "lemma-5.policy/drawn-pairs": simulation,
        "lemma-5.optimal/drawn-pairs": simulation,
        "corollary-2.loss/drawn-pairs": decomposition,
        "lemma-6.active/drawn-sets": blocking,
        "lemma-7.positive/repaired-threshold": informative,
        "lemma-9.optimal/repaired-assumption": correct,
    }
)
"""By the id of the check that looks at the same part on our own families."""


def run_on_family(identity: str, context: Context, family: SearchStrategy[TaskSet]) -> Outcome:
    """One of these claims on a family."""
    return search(context, family, EVALUATIONS[identity], (60, 600, 6000))
