"""What Section 6 and Appendix E say about the parameters of the experiments: arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from ptum.checks.instances.counterexamples.appendix_e import experiment_settings as settings
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Evaluation,
    Outcome,
    Statement,
    allowing,
    from_evaluation,
    over_evaluations,
)
from ptum.checks.verdicts.search import listed, search
from ptum.reference.arrays import ROUNDING
from ptum.reference.experiments.objectworld import COPIES, FIGURE_2, VALUES
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.sequential.observations import dimension
from ptum.reference.sequential.prediction import PredictionRule
from ptum.spec.vocabulary import CheckKind

EXPERIMENT = Experiment(m=settings.LAST)
KEPT_PROBABILITY = 0.005
KEPT_ROUNDING = 8 * ROUNDING
"""Theorem 3's left side is three terms below one: sixteen roundings of half a `ROUNDING` each."""


# Eleven items, eight tasks


@check(
    "text-eleven-items.count/zero-is-empty",
    CheckKind.EXACT,
    "Twelve values, eleven of them not zero",
)
@check(
    "text-eleven-items.count/zero-is-an-item",
    CheckKind.EXACT,
    "Of twelve values one is no item, and it is 0",
)
@check(
    "text-eleven-items.count/repaired",
    CheckKind.EXACT,
    "With 0 for the empty cell there are eleven items",
)
def items_without_zero(context: Context, values: Sequence[float] = VALUES) -> Outcome:
    """The value 0 is the empty cell, on any scale of the rewards."""
    return listed(
        context,
        (1.0, 0.5, 0.25),
        lambda scale: settings.items_evaluation(tuple(scale * value for value in values)),
        "scales",
        near=lambda _: Statement("different values that are not zero", 11, "<", len(values)),
        tolerance=NOTHING_ROUNDED,
    )


@check("text-task-indices.all-eight/four-and-six", CheckKind.EXACT)
def repaired_tasks(_: Context, copies: Sequence[int] = tuple(COPIES)) -> Outcome:
    """4 and 6 as copies of 5 make eight different tasks.

    The copies that the domain makes: 4 and 6 of 5.
    """
    return from_evaluation(settings.tasks_evaluation(copies))


# ρ, η and ρ_T


@check("text-rho-enters-transfer-mode.enters/smaller-rho", CheckKind.EXACT)
def admissible_rho(_: Context, rho: float = settings.LARGEST_RHO) -> Outcome:
    """ρ = 0.022 and ρ = 0.006 enter at h = 300.

    ρ = 0.022 enters after the start-up phase for δ' = 0.1 and 0.01, and so does 0.006.
    """
    evaluations = [
        settings.enters_evaluation(each, settings.START_UP, delta_prime)
        for each in (rho, settings.DECAYED_RHO)
        for delta_prime in (0.1, 0.01)
    ]
    return over_evaluations(evaluations, "parameters")


@check("text-rho-enters-transfer-mode.decay-optional/last-task", CheckKind.EXACT)
def without_decay(context: Context) -> Outcome:
    """With ρ = 0.135 the bound is below line 2's threshold at every h ≥ 13396.

    ρ = 0.135 enters the transfer mode in time: from h = 13396 on, for δ' = 0.1.
    """
    later = st.one_of(st.integers(0, 100), st.integers(0, 10**9))
    in_time = later.map(lambda more: settings.ENTERS_AT + more)
    return search(context, in_time, settings.in_time_evaluation, (30, 300, 3000))


@check("text-rho-enters-transfer-mode.decay-optional/decayed", CheckKind.EXACT)
def decay_decides(_: Context, rho: float = settings.RHO) -> Outcome:
    """At h = 400 the decayed constant enters and the initial one does not."""
    return from_evaluation(settings.decay_evaluation(rho))


@check("text-eta-keeps-models.arithmetic/transfer-phase", CheckKind.INEQUALITY)
def keeps_likely_models(context: Context, probability: float = KEPT_PROBABILITY) -> Outcome:
    """A predicted probability of 0.005 is kept for every h from 300 to 400."""

    def kept(h: int) -> Evaluation:
        return allowing(settings.kept_evaluation(probability, h), KEPT_ROUNDING)

    return listed(context, range(settings.START_UP, settings.LAST + 1), kept, "numbers of tasks")


PREDICTED = (
    (0.6, 0.25, 0.1355, 0.005, 0.0045, 0.004, 0.001, 0.0),
    (0.7, 0.2955, 0.0045, 0.0, 0.0, 0.0, 0.0, 0.0),
)
"""Eight predictions: four are at least 0.005 in the first list, two in the second."""
TOP = 3


def as_run_evaluation(
    predicted: Sequence[float], h: int, rule: PredictionRule = EXPERIMENT
) -> Evaluation:
    """The rule with its numbers keeps what is likely and the top three, and drops all others."""
    likely = {theta for theta, chance in enumerate(predicted) if chance >= KEPT_PROBABILITY}
    kept = rule(
        np.tile(predicted, (settings.K, 1)).T,
        (0,),
        h=h,
        d=dimension(settings.S, settings.A, settings.U),
        delta=settings.DELTA,
        delta_prime=settings.DELTA_PRIME,
        e_T=math.inf,
    )
    wrong = set(kept) ^ (likely | set(range(TOP)))
    return Evaluation(
        (
            Statement(
                "predictions fall", sorted(predicted, reverse=True) == [*predicted], "=", True
            ),
        ),
        Statement(f"models kept or dropped in error at h = {h}", len(wrong), "=", 0),
    )


@check("text-eta-keeps-models.arithmetic/as-run", CheckKind.EXACT)
def keeps_as_run(_: Context, rule: PredictionRule = EXPERIMENT) -> Outcome:
    """From 0.005 on and the three likeliest stay, all others go, for h from 300 to 400."""
    phase = range(settings.START_UP, settings.LAST + 1)
    evaluations = [as_run_evaluation(predicted, h, rule) for predicted in PREDICTED for h in phase]
    return over_evaluations(evaluations, "predictions")


@check("text-eta-keeps-models.theorem/largest-eta", CheckKind.EXACT)
def not_an_instance(context: Context, eta: float = settings.ETA) -> Outcome:
    """η = 0.087 is larger than any η of Theorem 3.

    η = 0.087 is above every η of Theorem 3, however few steps there are.
    """

    def implied(m: int) -> Statement:
        meant = settings.implied_confidence(eta, m=m)
        return Statement("1 against the δ' that η would mean", Fraction(1), "≤", meant)

    return search(
        context,
        st.integers(1, settings.LAST),
        lambda m: settings.tuned_evaluation(eta, m),
        (30, 300, 400),
        near=implied,
    )


@check("text-eta-keeps-models.theorem/tuned", CheckKind.EXACT)
def only_tuned(_: Context, eta: float = settings.ETA) -> Outcome:
    """η = 0.087 would mean a δ' above one.

    The δ' that η = δ'/(3km²) would mean is no probability.
    """
    return from_evaluation(settings.tuned_evaluation(eta))


# Parameters and stochasticity


@check("text-parameters-doubled.factor/counted", CheckKind.EXACT)
def repaired_factor(_: Context, factor: Fraction = Fraction(3700, 1200)) -> Outcome:
    """1200 entries of reward distributions, 3700 in all."""
    return from_evaluation(settings.parameters_evaluation(factor))


@check("text-almost-deterministic.transitions/figure-2", CheckKind.EXACT)
def more_than_figure_2(_: Context) -> Outcome:
    """Actions fail less often in Figure 2 than in the stochastic experiment.

    Transitions of Figure 2 against those of Figure 5 left.
    """
    return from_evaluation(settings.stochasticity_evaluation(settings.TwoExperiments(FIGURE_2)))


@check("text-almost-deterministic.transitions/rewards-only", CheckKind.EXACT)
def stochastic_rewards(_: Context) -> Outcome:
    """Picking up fails more often, moving does not."""
    return from_evaluation(
        settings.stochasticity_evaluation(settings.TwoExperiments(), of_rewards=True)
    )
