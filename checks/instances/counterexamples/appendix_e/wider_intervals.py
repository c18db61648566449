"""Why a larger Δ costs samples (erratum E56): the same models to discard, and wider intervals.

One state, two arms with deterministic rewards, no discount; target and rival swap them. Appendix E
says that Δ costs samples by changing the set of models that must be discarded. Here the rival must
be discarded at Δ = 0 and at Δ = 0.1 alike, and the larger error costs samples all the same: each
interval is wider by Δ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.spec.vocabulary import Version

DELTA, BUDGET = Fraction(1, 10), 10_000


@dataclass(frozen=True)
class TwoArms:
    """Rewards of the better and the other arm, ε, and the error that PTUM is told."""

    better: Fraction = Fraction(1)
    other: Fraction = Fraction(0)
    epsilon: Fraction = Fraction(1, 2)
    Delta: Fraction = Fraction(1, 10)

    def models(self) -> tuple[ExactMDP, ...]:
        """The target and the rival."""
        rows = ((self.better, self.other), (self.other, self.better))
        return deterministic_runs.arms(Fraction(0), *rows)


def discarded(arms: TwoArms, Delta: Fraction) -> frozenset[int]:
    """Models in which the target's policy loses more than the slack: they hold up the stop."""
    models = arms.models()
    policy = mdp.optimal_policy(models[0])
    slack = mdp.stopping_slack(arms.epsilon, Delta, Fraction(0))
    return frozenset(i for i, theta in enumerate(models) if mdp.loss(theta, policy) > slack)


def samples(arms: TwoArms, Delta: Fraction) -> int:
    """Queries of a run; rewards are deterministic, so every run has as many."""
    return deterministic_runs.run(
        arms.models(), Algorithm1Inputs(arms.epsilon, DELTA, BUDGET, Delta)
    ).queries


def premises(arms: TwoArms) -> tuple[Statement, ...]:
    """Transfer mode, and the same models to discard as with Δ = 0."""
    changed = discarded(arms, arms.Delta) ^ discarded(arms, Fraction(0))
    return (
        formulas.transfer_mode(arms.Delta, arms.epsilon, 0, Version.PRINTED),
        Statement("models to discard at Δ but not at 0, or the other way", len(changed), "=", 0),
    )


def evaluation(arms: TwoArms) -> Evaluation:
    """The excess over Δ = 0 comes from a changed set; so without a change there is none."""
    return Evaluation(
        premises(arms),
        Statement(
            "samples with Δ against samples with 0",
            samples(arms, arms.Delta),
            "=",
            samples(arms, Fraction(0)),
        ),
    )


def first_failure(arms: TwoArms) -> int:
    """The least N at which the gap exceeds 7L/(3(N-1)) + Δ, that of a deterministic reward."""
    L = deterministic_runs.log_term(1, 2, BUDGET, 2, DELTA)
    return (
        deterministic_runs.first_below(7 * L / 3, arms.better - arms.other - arms.Delta) or BUDGET
    )


def repaired_evaluation(arms: TwoArms) -> Evaluation:
    """With the same models to discard, the samples are those of intervals that Δ makes wider."""
    return Evaluation(
        premises(arms),
        Statement(
            "samples with Δ against the first N at which the widened interval is too narrow",
            samples(arms, arms.Delta),
            "=",
            first_failure(arms),
        ),
    )


def _numbers(arms: TwoArms) -> Numbers:
    return (
        ("rewards of the two arms in the target", (arms.better, arms.other)),
        ("rewards of the two arms in the rival", (arms.other, arms.better)),
        ("γ", Fraction(0)),
        ("ε", arms.epsilon),
        ("Δ", arms.Delta),
        ("δ", DELTA),
        ("budget n", BUDGET),
    )


_IN_THE_WINDOW = TwoArms(better=Fraction(7, 10), other=Fraction(3, 10))
"""A loss of 0.4 lies between the slacks 0.3 and 0.5."""

CLOSER = replace(TwoArms(), better=Fraction(9, 10))

declare(
    Counterexample(
        checks={
            "text-excess-vanishes-before-zero.reason/two-arms": (
                "Certain rewards: the same model to discard, four samples more"
            ),
        },
        instance=TwoArms(),
        evaluate=evaluation,
        fix="Δ = 10⁻⁶, too small to cost a sample",
        fixed=TwoArms(Delta=Fraction(1, 10**6)),
        broken={
            "transfer mode: Δ against its threshold": TwoArms(Delta=Fraction(1, 8)),
            "models to discard at Δ but not at 0, or the other way": _IN_THE_WINDOW,
        },
        repaired=repaired_evaluation,
        in_scope=CLOSER,
        numbers=_numbers,
    )
)
