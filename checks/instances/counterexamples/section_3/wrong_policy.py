"""Theorem 1, first half (erratum E02): a run whose output is not ε-optimal, with certainty.

The instance is that of Lemma 9 (`correctness.staying`): none of the errors of Assumption 1 sees
that action 1 stays in y. The run stops in iteration 1 with the rival's policy, which takes that
action in y and stays there for ever.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import written
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.appendix_b.correctness import (
    GAMMA,
    TARGET,
    ApproximateTasks,
)
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.ptum import PtumResult, ptum
from ptum.spec.vocabulary import Version

DELTA, N_BUDGET = 0.1, 100
instance = correctness.staying


def evaluation(case: ApproximateTasks, version: Version) -> Evaluation:
    """Premises of Theorem 1 under the printed or the repaired Assumption 1, and its first half."""
    result = outcome(case)
    policy = () if result.policy is None else tuple(result.policy.tolist())
    return Evaluation(
        premises=(
            *correctness.errors(case, version),
            formulas.transfer_mode(case.Delta, case.epsilon, GAMMA, Version.PRINTED),
            Statement("queries before the run stops", result.queries, "=", 0),
            Statement("a policy is returned", bool(policy), "=", True),
        ),
        conclusion=Statement(
            "loss of the returned policy in the target",
            mdp.loss(case.true[TARGET], policy) if policy else Fraction(0),
            "≤",
            case.epsilon,
            *formulas.slack(case.epsilon, case.Delta, GAMMA),
        ),
    )


def outcome(case: ApproximateTasks) -> PtumResult:
    """The literal algorithm on the true target; without queries there is no chance in it."""
    return ptum(
        approximate_models([mdp.rounded(model) for model in case.approximate]),
        Simulator(mdp.rounded(case.true[TARGET]), seed=0),
        epsilon=float(case.epsilon),
        delta=DELTA,
        n=N_BUDGET,
        Delta=single(float(case.Delta)),
    )


def _numbers(case: ApproximateTasks) -> Numbers:
    return (*correctness.numbers(case), ("δ, n", (written(DELTA), N_BUDGET)))


declare(
    Counterexample(
        checks={
            "theorem-1.correct/wrong-policy": (
                "A run that meets every premise and returns a policy that loses 9ε"
            ),
            "algorithm-1.ensures/wrong-policy": "A run that stops in iteration 1 and loses 9ε",
            "text-pac.implied/wrong-policy": (
                "The output is ε-optimal under the premises of Theorem 1"
            ),
        },
        instance=instance(),
        evaluate=partial(evaluation, version=Version.PRINTED),
        numbers=_numbers,
        fix="(y,1) leads to x in truth as well",
        fixed=instance(stays=Fraction(0)),
        broken={
            "|r - r̃|": correctness.misjudged(),
            "|(p - p̃)ᵀṼ*|": correctness.UNEVEN,
            "largest variance of Ṽ* or V*": correctness.HALF_UNEVEN,
            "transfer mode: Δ against its threshold": replace(instance(), Delta=Fraction(1, 500)),
            "queries before the run stops": instance(epsilon=Fraction(8, 100)),
            "a policy is returned": replace(instance(), Delta=Fraction(1, 500)),
        },
        repaired=partial(evaluation, version=Version.REPAIRED),
        in_scope=correctness.in_scope(),
    )
)
