"""Lemma 9: is the returned policy ε-optimal in the true target?

The lemma is about the pass in which line 14 accepts a policy: any active set that contains the
target will do. ε is drawn just large enough for a policy to be accepted, where the claim is
tightest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Outcome, Statement, Walk, from_walk
from ptum.checks.verdicts.search import search
from ptum.reference.repaired.transfer.analysis.lemmas import correctness as repaired_lemma
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.analysis.lemmas import Instance, correctness_tolerance
from ptum.reference.transfer.analysis.lemmas import correctness as printed_lemma
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.stopping import stopping_slack, transfer_threshold
from ptum.spec.vocabulary import CheckKind, Verdict, Version

ABOVE = 1e-6
"""How far ε is put above the smallest accuracy that line 2 admits, as a share of it."""

ErrorsOf = Callable[[TaskSet], ModelErrors]
Lemma = Callable[
    [int, int, tuple[int, ...], Sequence[MDP], ApproximateModels, float, float], Instance
]


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


def walk_of(case: Stopped, found: Instance, allowed: float, tolerance: float) -> Walk:
    """A lemma of the reference as a walk, with the loss in the worst state."""
    premises = tuple(Statement(name, met, "=", True) for name, met in found.premises.items())
    loss = float(np.max(found.left))
    text = "true loss of the returned policy against what is allowed"
    slack = formulas.slack(case.epsilon, case.Delta, case.tasks.approximate.gamma)
    return Walk(premises, Statement(text, loss, "≤", allowed, *slack, tolerance=tolerance))


def tolerance_of(S: int, gamma: float) -> float:
    """What rounding can add to the loss, whatever the values are."""
    return correctness_tolerance(np.full(S, 1 / (1 - gamma)), gamma)


def lemma_walk(case: Stopped, lemma: Lemma) -> Walk:
    """Lemma 9 as `lemma` states it."""
    found = _instance(case, lemma)
    models = case.tasks.approximate
    return walk_of(case, found, case.epsilon, tolerance_of(models.S, models.gamma))


def weaker_walk(case: Stopped) -> Walk:
    """What Assumption 1 as printed does give: a loss of 2Δ(1+γ)/(1-γ) + slack/(1-γ).

    The slack, and with it what rounding adds to it, counts 1/(1-γ) times.
    """
    S, gamma = case.tasks.approximate.S, case.tasks.approximate.gamma
    slack = stopping_slack(case.epsilon, case.Delta, gamma)
    allowed = 2 * case.Delta * (1 + gamma) / (1 - gamma) + slack / (1 - gamma)
    tolerance = tolerance_of(S, gamma) / (1 - gamma)
    return walk_of(case, _instance(case, printed_lemma), allowed, tolerance)


def _instance(case: Stopped, lemma: Lemma) -> Instance:
    models = case.tasks.approximate
    everybody = tuple(range(models.k))
    return lemma(case.returned, 0, everybody, case.tasks.true, models, case.epsilon, case.Delta)


# Runs


def staying_in_y(_: Context) -> Outcome:
    """The counterexample, in rational arithmetic."""
    return from_walk(counterexample.walk(counterexample.staying(), Version.PRINTED))


def repaired_errors(context: Context) -> Outcome:
    """Lemma 9 with the repaired Assumption 1, on the counterexample's sibling and drawn sets."""
    sibling = from_walk(counterexample.walk(counterexample.sibling(), Version.REPAIRED))
    if sibling.verdict is not Verdict.HOLDS:
        return sibling
    return searched(context, TaskSet.repaired_errors, lambda case: lemma_walk(case, repaired_lemma))


def weaker_claim(context: Context) -> Outcome:
    """The weaker conclusion with Assumption 1 as printed."""
    return searched(context, TaskSet.printed_errors, weaker_walk)


def searched(context: Context, errors_of: ErrorsOf, walk: Callable[[Stopped], Walk]) -> Outcome:
    """A search over sets of tasks, kernel perturbations among them."""
    return search(context, stopped(errors_of), walk, context.count(30, 250, 10_000))


CHECKS = (
    Check(
        id="lemma-9.optimal/staying",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="all errors of Assumption 1 vanish, and the returned policy loses 9ε",
        run=staying_in_y,
    ),
    Check(
        id="lemma-9.optimal/repaired-assumption",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="the returned policy loses at most ε if Assumption 1 covers transferred policies",
        run=repaired_errors,
    ),
    Check(
        id="lemma-9.optimal/repaired-weaker",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="with Assumption 1 as printed it loses at most 2Δ(1+γ)/(1-γ) + slack/(1-γ)",
        run=weaker_claim,
    ),
)
