"""What Section 6 and Appendix E say about the parameters of the experiments: arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from ptum.checks.instances.counterexamples.appendix_e import experiment_settings as settings
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Outcome,
    Statement,
    Walk,
    allowing,
    from_walk,
    over_walks,
)
from ptum.checks.verdicts.search import listed, search
from ptum.reference.arrays import ROUNDING
from ptum.reference.experiments.objectworld import COPIES, FIGURE_2, VALUES
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.sequential.hmm import dimension
from ptum.reference.sequential.prediction import PredictionRule
from ptum.spec.vocabulary import CheckKind, Version

EXPERIMENT = Experiment(m=settings.LAST)
KEPT_PROBABILITY = 0.005
KEPT_ROUNDING = 8 * ROUNDING
"""Theorem 3's left side is three terms below one: sixteen roundings of half a `ROUNDING` each."""


# Eleven items, eight tasks


def items_without_zero(context: Context, values: Sequence[float] = VALUES) -> Outcome:
    """The value 0 is the empty cell, on any scale of the rewards."""
    return listed(
        context,
        (1.0, 0.5, 0.25),
        lambda scale: settings.items_walk(tuple(scale * value for value in values)),
        "scales",
        near=lambda _: Statement("different values that are not zero", 11, "<", len(values)),
        tolerance=NOTHING_ROUNDED,
    )


def printed_tasks(_: Context) -> Outcome:
    """4 and 5 are copies of 5."""
    return from_walk(settings.tasks_walk(settings.PRINTED_COPIES))


def repaired_tasks(_: Context, copies: Sequence[int] = tuple(COPIES)) -> Outcome:
    """The copies that the domain makes: 4 and 6 of 5."""
    return from_walk(settings.tasks_walk(copies))


# ρ, η and ρ_T


def printed_rho(_: Context, rho: float = settings.RHO) -> Outcome:
    """ρ = 0.135 after the start-up phase, for the most lenient δ'."""
    return from_walk(settings.enters_walk(rho, settings.START_UP, settings.LENIENT))


def admissible_rho(_: Context, rho: float = settings.LARGEST_RHO) -> Outcome:
    """ρ = 0.022 enters after the start-up phase for δ' = 0.1 and 0.01, and so does 0.006."""
    walks = [
        settings.enters_walk(each, settings.START_UP, delta_prime)
        for each in (rho, settings.DECAYED_RHO)
        for delta_prime in (0.1, 0.01)
    ]
    return over_walks(walks, "parameters")


def without_decay(context: Context, first: int = settings.ENTERS_AT) -> Outcome:
    """ρ = 0.135 enters the transfer mode in time: from h = 13396 on, for δ' = 0.1."""
    later = st.one_of(st.integers(0, 100), st.integers(0, 10**9)).map(lambda more: first + more)
    return search(context, later, settings.in_time_walk, context.count(30, 300, 3000))


def decay_decides(_: Context, rho: float = settings.RHO) -> Outcome:
    """At the end, the decayed constant enters and the initial one does not."""
    return from_walk(settings.decay_walk(rho))


def keeps_likely_models(context: Context, probability: float = KEPT_PROBABILITY) -> Outcome:
    """Every h of the transfer phase."""

    def kept(h: int) -> Walk:
        return allowing(settings.kept_walk(probability, h), KEPT_ROUNDING)

    return listed(context, range(settings.START_UP, settings.LAST + 1), kept, "numbers of tasks")


PREDICTED = (
    (0.6, 0.25, 0.1355, 0.005, 0.0045, 0.004, 0.001, 0.0),
    (0.7, 0.2955, 0.0045, 0.0, 0.0, 0.0, 0.0, 0.0),
)
"""Eight predictions: four are at least 0.005 in the first list, two in the second."""
TOP = 3


def as_run_walk(predicted: Sequence[float], h: int, rule: PredictionRule = EXPERIMENT) -> Walk:
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
    return Walk(
        (
            Statement(
                "predictions fall", sorted(predicted, reverse=True) == [*predicted], "=", True
            ),
        ),
        Statement(f"models kept or dropped in error at h = {h}", len(wrong), "=", 0),
    )


def keeps_as_run(_: Context, rule: PredictionRule = EXPERIMENT) -> Outcome:
    """Every h of the transfer phase."""
    phase = range(settings.START_UP, settings.LAST + 1)
    walks = [as_run_walk(predicted, h, rule) for predicted in PREDICTED for h in phase]
    return over_walks(walks, "predictions")


def not_an_instance(context: Context, eta: float = settings.ETA) -> Outcome:
    """η = 0.087 is above every η of Theorem 3, however few steps there are."""

    def implied(m: int) -> Statement:
        meant = settings.implied_confidence(eta, m=m)
        return Statement("1 against the δ' that η would mean", Fraction(1), "≤", meant)

    return search(
        context,
        st.integers(1, settings.LAST),
        lambda m: settings.tuned_walk(eta, m),
        context.count(30, 300, 400),
        near=implied,
    )


def only_tuned(_: Context, eta: float = settings.ETA) -> Outcome:
    """The δ' that η = δ'/(3km²) would mean is no probability."""
    return from_walk(settings.tuned_walk(eta))


# Parameters and stochasticity


def printed_factor(_: Context) -> Outcome:
    """Two."""
    return from_walk(settings.parameters_walk(Fraction(2)))


def repaired_factor(_: Context, factor: Fraction = Fraction(3700, 1200)) -> Outcome:
    """1200 and 3700."""
    return from_walk(settings.parameters_walk(factor))


def stochastic_transitions(_: Context) -> Outcome:
    """Transitions of Figure 4 against those of Figure 5 left."""
    return from_walk(settings.stochasticity_walk())


def more_than_figure_2(_: Context) -> Outcome:
    """Transitions of Figure 2 against those of Figure 5 left."""
    return from_walk(settings.stochasticity_walk(FIGURE_2))


def stochastic_rewards(_: Context) -> Outcome:
    """Rewards of the same two."""
    return from_walk(settings.stochasticity_walk(of_rewards=True))


CHECKS = (
    Check(
        id="text-eleven-items.count/zero-is-empty",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="twelve values, eleven of them not zero",
        run=items_without_zero,
    ),
    Check(
        id="text-eleven-items.count/zero-is-an-item",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="of twelve values one is no item, and it is 0",
        run=items_without_zero,
    ),
    Check(
        id="text-eleven-items.count/repaired",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="with 0 for the empty cell there are eleven items",
        run=items_without_zero,
    ),
    Check(
        id="text-task-indices.all-eight/printed-copies",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="task 5 is made twice, task 6 never",
        run=printed_tasks,
    ),
    Check(
        id="text-task-indices.all-eight/four-and-six",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="4 and 6 as copies of 5 make eight different tasks",
        run=repaired_tasks,
    ),
    Check(
        id="text-rho-enters-transfer-mode.enters/after-start-up",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="Theorem 2's bound with ρ = 0.135 at h = 300 exceeds line 2's threshold",
        run=printed_rho,
    ),
    Check(
        id="text-rho-enters-transfer-mode.enters/smaller-rho",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="ρ = 0.022 and ρ = 0.006 enter at h = 300",
        run=admissible_rho,
    ),
    Check(
        id="text-rho-enters-transfer-mode.decay-optional/last-task",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="with ρ = 0.135 the bound is below line 2's threshold at every h ≥ 13396",
        run=without_decay,
    ),
    Check(
        id="text-rho-enters-transfer-mode.decay-optional/decayed",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="at h = 400 the decayed constant enters and the initial one does not",
        run=decay_decides,
    ),
    Check(
        id="text-eta-keeps-models.arithmetic/transfer-phase",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="a predicted probability of 0.005 is kept for every h from 300 to 400",
        run=keeps_likely_models,
    ),
    Check(
        id="text-eta-keeps-models.arithmetic/as-run",
        version=Version.AS_RUN,
        kind=CheckKind.EXACT,
        says="from 0.005 on and the three likeliest stay, all others go, for h from 300 to 400",
        run=keeps_as_run,
    ),
    Check(
        id="text-eta-keeps-models.theorem/largest-eta",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="η = 0.087 is larger than any η of Theorem 3",
        run=not_an_instance,
    ),
    Check(
        id="text-eta-keeps-models.theorem/tuned",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="η = 0.087 would mean a δ' above one",
        run=only_tuned,
    ),
    Check(
        id="text-parameters-doubled.factor/two",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="3700 entries are not twice 1200",
        run=printed_factor,
    ),
    Check(
        id="text-parameters-doubled.factor/counted",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="1200 entries of reward laws, 3700 in all",
        run=repaired_factor,
    ),
    Check(
        id="text-almost-deterministic.transitions/same-failures",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="actions fail less often in Figure 4 than in the stochastic experiment",
        run=stochastic_transitions,
        reading="text-almost-deterministic.transitions.with-figure-4",
    ),
    Check(
        id="text-almost-deterministic.transitions/figure-2",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="actions fail less often in Figure 2 than in the stochastic experiment",
        run=more_than_figure_2,
        reading="text-almost-deterministic.transitions.figure-2",
    ),
    Check(
        id="text-almost-deterministic.transitions/rewards-only",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="picking up fails more often, moving does not",
        run=stochastic_rewards,
    ),
)
