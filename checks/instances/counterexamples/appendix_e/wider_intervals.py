"""Why a larger Δ costs samples (erratum E56): the same models to discard, and wider intervals.

One state, two arms with certain rewards, no discount; target and rival swap them. Appendix E says
that Δ costs samples by changing the set of models that must be discarded. Here the rival must be
discarded at Δ = 0 and at Δ = 0.1 alike, and the larger error costs samples all the same: each
interval is wider by Δ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.instances.counterexamples.shared import certain_runs
from ptum.checks.instances.counterexamples.shared.certain_runs import Inputs
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Statement, Walk
from ptum.spec.vocabulary import Version

DELTA, BUDGET = Fraction(1, 10), 10_000


@dataclass(frozen=True)
class Arms:
    """Rewards of the better and the other arm, ε, and the error that PTUM is told."""

    better: Fraction = Fraction(1)
    other: Fraction = Fraction(0)
    epsilon: Fraction = Fraction(1, 2)
    Delta: Fraction = Fraction(1, 10)

    def models(self) -> tuple[ExactMDP, ...]:
        """The target and the rival."""
        rows = ((self.better, self.other), (self.other, self.better))
        return certain_runs.arms(Fraction(0), *rows)


def discarded(arms: Arms, Delta: Fraction) -> frozenset[int]:
    """Models in which the target's policy loses more than the slack: they hold up the stop."""
    models = arms.models()
    policy = mdp.optimal_policy(models[0])
    slack = mdp.stopping_slack(arms.epsilon, Delta, Fraction(0))
    return frozenset(i for i, theta in enumerate(models) if mdp.loss(theta, policy) > slack)


def samples(arms: Arms, Delta: Fraction) -> int:
    """Queries of a run; rewards are certain, so every run has as many."""
    return certain_runs.run(arms.models(), Inputs(arms.epsilon, DELTA, BUDGET, Delta)).queries


def premises(arms: Arms) -> tuple[Statement, ...]:
    """Transfer mode, and the same models to discard as with Δ = 0."""
    changed = discarded(arms, arms.Delta) ^ discarded(arms, Fraction(0))
    return (
        formulas.transfer_mode(arms.Delta, arms.epsilon, 0, Version.PRINTED),
        Statement("models to discard at Δ but not at 0, or the other way", len(changed), "=", 0),
    )


def walk(arms: Arms) -> Walk:
    """The excess over Δ = 0 comes from a changed set; so without a change there is none."""
    return Walk(
        premises(arms),
        Statement(
            "samples with Δ against samples with 0",
            samples(arms, arms.Delta),
            "=",
            samples(arms, Fraction(0)),
        ),
    )


def first_failure(arms: Arms) -> int:
    """The least N at which the gap exceeds 7L/(3(N-1)) + Δ, the interval of a certain reward."""
    L = certain_runs.log_term(1, 2, BUDGET, 2, DELTA)
    return certain_runs.first_below(7 * L / 3, arms.better - arms.other - arms.Delta) or BUDGET


def repaired_walk(arms: Arms) -> Walk:
    """With the same models to discard, the samples are those of intervals that Δ makes wider."""
    return Walk(
        premises(arms),
        Statement(
            "samples with Δ against the first N at which the widened interval is too narrow",
            samples(arms, arms.Delta),
            "=",
            first_failure(arms),
        ),
    )


def _numbers(arms: Arms) -> Numbers:
    return (
        ("rewards of the two arms in the target", (arms.better, arms.other)),
        ("rewards of the two arms in the rival", (arms.other, arms.better)),
        ("γ", Fraction(0)),
        ("ε", arms.epsilon),
        ("Δ", arms.Delta),
        ("δ", DELTA),
        ("budget n", BUDGET),
    )


_IN_THE_WINDOW = Arms(better=Fraction(7, 10), other=Fraction(3, 10))
"""A loss of 0.4 lies between the slacks 0.3 and 0.5."""

CLOSER = replace(Arms(), better=Fraction(9, 10))

CASES = (
    Case(
        checks=("text-excess-vanishes-before-zero.reason/two-arms",),
        numbers=partial(_numbers, Arms()),
        told=partial(walk, Arms()),
        undo="Δ = 10⁻⁶, too small to cost a sample",
        undone=partial(walk, Arms(Delta=Fraction(1, 10**6))),
        broken={
            "transfer mode: Δ against its threshold": partial(walk, Arms(Delta=Fraction(1, 8))),
            "models to discard at Δ but not at 0, or the other way": partial(walk, _IN_THE_WINDOW),
        },
        repaired=partial(repaired_walk, Arms()),
        sibling=partial(repaired_walk, CLOSER),
        sibling_numbers=partial(_numbers, CLOSER),
    ),
)
