"""Lemma 9: is the returned policy ε-optimal in the true target?

The lemma is about the iteration in which line 14 accepts a policy: any active set that contains the
target will do. ε is drawn just large enough for a policy to be accepted, where the claim is
tightest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.appendix_b import correctness as counterexample
from ptum.checks.instances.families import sets
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, from_evaluation
from ptum.checks.verdicts.search import search
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.transfer.analysis.lemmas import correctness as repaired_lemma
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.lemmas import correctness as printed_lemma
from ptum.reference.transfer.analysis.lemmas import correctness_tolerance
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.stopping import stopping_slack, transfer_threshold
from ptum.spec.vocabulary import CheckKind, Verdict, Version

ABOVE = 1e-6
"""How far ε is put above the smallest accuracy that line 2 admits, as a share of it."""

ErrorsOf = Callable[[TaskSet], ModelErrors]
Lemma = Callable[..., Inequality]


@stored
@dataclass(frozen=True, eq=False)
class Stopped:
    """A set of tasks, the policy that line 14 returns, and the numbers it was given."""

    tasks: TaskSet
    returned: int
    epsilon: float
    Delta: float


ANY_SETS = st.one_of(sets.task_sets(), sets.kernel_sets())


@st.composite
def stopped(
    draw: DrawFn, errors_of: ErrorsOf, drawn: SearchStrategy[TaskSet] | None = None
) -> Stopped:
    """The smallest ε for which a drawn policy is accepted and line 2 lets the run begin.

    All models are active; Δ is the largest of the model errors.
    """
    tasks = draw(ANY_SETS if drawn is None else drawn)
    models, Delta = tasks.approximate, errors_of(tasks).Delta
    returned = draw(st.integers(0, models.k - 1))
    worst = float(np.max(models.V_star - models.V_pi[:, returned]))
    shift = 2 * Delta * (1 + models.gamma) / (1 - models.gamma)
    smallest = Delta / transfer_threshold(1.0, models.gamma)
    return Stopped(tasks, returned, max_of((worst + shift, smallest * (1 + ABOVE), 1e-12)), Delta)


def evaluation_of(case: Stopped, found: Inequality, allowed: float, tolerance: float) -> Evaluation:
    """A lemma of the reference as an evaluation, with the loss in the worst state."""
    premises = tuple(Statement(name, met, "=", True) for name, met in found.met.items())
    loss = float(np.max(found.left))
    text = "true loss of the returned policy against what is allowed"
    slack = formulas.slack(case.epsilon, case.Delta, case.tasks.approximate.gamma)
    return Evaluation(premises, Statement(text, loss, "≤", allowed, *slack, tolerance=tolerance))


def tolerance_of(S: int, gamma: float) -> float:
    """What rounding can add to the loss, whatever the values are."""
    return correctness_tolerance(np.full(S, 1 / (1 - gamma)), gamma)


def lemma_evaluation(case: Stopped, lemma: Lemma) -> Evaluation:
    """Lemma 9 as `lemma` states it."""
    found = _instance(case, lemma)
    models = case.tasks.approximate
    return evaluation_of(case, found, case.epsilon, tolerance_of(models.S, models.gamma))


def weaker_evaluation(case: Stopped) -> Evaluation:
    """What Assumption 1 as printed does give: a loss of 2Δ(1+γ)/(1-γ) + slack/(1-γ).

    The slack, and with it what rounding adds to it, counts 1/(1-γ) times.
    """
    S, gamma = case.tasks.approximate.S, case.tasks.approximate.gamma
    slack = stopping_slack(case.epsilon, case.Delta, gamma)
    allowed = 2 * case.Delta * (1 + gamma) / (1 - gamma) + slack / (1 - gamma)
    tolerance = tolerance_of(S, gamma) / (1 - gamma)
    return evaluation_of(case, _instance(case, printed_lemma), allowed, tolerance)


def _instance(case: Stopped, lemma: Lemma) -> Inequality:
    models = case.tasks.approximate
    iteration = Iteration(models, 0, tuple(range(models.k)), case.Delta)
    return lemma(iteration, returned=case.returned, true=case.tasks.true, epsilon=case.epsilon)


# Runs


@check("lemma-9.optimal/repaired-assumption", CheckKind.INEQUALITY)
def repaired_errors(context: Context) -> Outcome:
    """The returned policy loses at most ε if Assumption 1 covers transferred policies.

    Lemma 9 with the repaired Assumption 1, on the counterexample in its scope and on drawn sets.
    """
    in_scope = from_evaluation(
        counterexample.correctness_evaluation(counterexample.in_scope(), Version.REPAIRED)
    )
    if in_scope.verdict is not Verdict.HOLDS:
        return in_scope
    return searched(
        context, TaskSet.repaired_errors, lambda case: lemma_evaluation(case, repaired_lemma)
    )


@check("lemma-9.optimal/repaired-weaker", CheckKind.INEQUALITY)
def weaker_claim(context: Context) -> Outcome:
    """With Assumption 1 as printed it loses at most 2Δ(1+γ)/(1-γ) + slack/(1-γ).

    The weaker conclusion with Assumption 1 as printed.
    """
    return searched(context, TaskSet.printed_errors, weaker_evaluation)


def searched(
    context: Context, errors_of: ErrorsOf, evaluation: Callable[[Stopped], Evaluation]
) -> Outcome:
    """A search over sets of tasks, kernel perturbations among them."""
    return search(context, stopped(errors_of), evaluation, (30, 250, 10_000))
