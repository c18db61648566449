"""Lemma 9: the counterexample needs each of its numbers, and the literal code agrees with it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.claims.appendix_b import correctness as lemma_9
from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.appendix_b import correctness as counterexample
from ptum.checks.instances.families.sets import flat_kernel_sets
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.repaired.transfer.analysis.lemmas import correctness as repaired_lemma
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.lemmas import correctness as printed_lemma
from ptum.reference.transfer.ptum import ptum
from ptum.reference.transfer.stopping import stopping_slack
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
PRINTED = Version.PRINTED


def literal() -> TaskSet:
    instance = counterexample.staying()
    true = tuple(map(mdp.rounded, instance.true))
    models = approximate_models([mdp.rounded(theta) for theta in instance.approximate])
    return TaskSet("staying", true, models)


def test_staying_loses_nothing_where_actions_pay_alike() -> None:
    alike = counterexample.staying(target_second=Fraction(1, 2))
    assert counterexample.correctness_evaluation(alike, PRINTED).verdict() is Verdict.HOLDS


def test_the_weaker_claim_is_attained() -> None:
    """At ε = 0.09 the loss is ε/(1-γ), and the slack is ε because Δ = 0."""
    instance = counterexample.staying(epsilon=Fraction(9, 100))
    found = counterexample.correctness_evaluation(instance, PRINTED)
    assert found.verdict() is Verdict.VIOLATED
    assert found.conclusion.left == instance.epsilon / (1 - counterexample.GAMMA)


def test_the_literal_algorithm_returns_the_losing_policy() -> None:
    tasks = literal()
    result = ptum(
        tasks.approximate, Simulator(tasks.true[0], 0), epsilon=0.1, delta=0.1, n=10, Delta=0.0
    )
    assert (result.queries, result.theta) == (0, counterexample.RIVAL)
    iteration = Iteration(tasks.approximate, 0, (0, 1), 0.0)
    printed, repaired = (
        lemma(iteration, returned=counterexample.RIVAL, true=tasks.true, epsilon=0.1)
        for lemma in (printed_lemma, repaired_lemma)
    )
    assert printed.refutes
    assert not repaired.premises_met
    assert float(np.max(printed.left)) == near(0.9)


def test_drawn_sets_refute_the_lemma_under_the_printed_assumption() -> None:
    found = search(
        QUICK,
        lemma_9.stopped(TaskSet.printed_errors, flat_kernel_sets()),
        lambda case: lemma_9.lemma_evaluation(case, printed_lemma),
        100,
    )
    assert found.verdict is Verdict.VIOLATED


def test_no_less_than_the_weaker_claim_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is attained, so allowing one per cent less is refuted."""

    def less(epsilon: float, Delta: float, gamma: float) -> float:
        return 0.99 * stopping_slack(epsilon, Delta, gamma)

    attained = lemma_9.Stopped(literal(), counterexample.RIVAL, 0.09, 0.0)
    assert lemma_9.weaker_evaluation(attained).verdict() is Verdict.HOLDS
    monkeypatch.setattr(lemma_9, "stopping_slack", less)
    assert lemma_9.weaker_evaluation(attained).verdict() is Verdict.VIOLATED


def test_a_smaller_accuracy_than_promised_is_refuted() -> None:
    def stricter(case: lemma_9.Stopped) -> Evaluation:
        found = lemma_9.lemma_evaluation(case, repaired_lemma)
        smaller = Statement("", found.conclusion.left, "≤", 0.9 * case.epsilon)
        return Evaluation(found.premises, smaller)

    found = lemma_9.searched(QUICK, TaskSet.repaired_errors, stricter)
    assert found.verdict is Verdict.VIOLATED
