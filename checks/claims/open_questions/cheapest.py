"""The cheapest repair: do the lemmas hold with 2.61Δ in Definition 1 and 7.22(1+γ) in line 2?

Every evaluation takes its `TransferConstants`; others than `CHEAPEST` are for tests of this.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_b.elimination import GAMMAS, ActiveModels, scenes, worst_data
from ptum.checks.claims.appendix_b.elimination import SHIFT as SHIFT_OF_SCENES
from ptum.checks.claims.open_questions.constants import both_active_evaluation
from ptum.checks.claims.section_3 import promises, runs
from ptum.checks.claims.section_3.runs import Algorithm1Setting, Drawn, Trial
from ptum.checks.claims.section_3_bounds.theorem_1 import optimal_on_drawn
from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.appendix_b.correctness import ExactModels
from ptum.checks.instances.counterexamples.shared import blocks
from ptum.checks.instances.families import rational
from ptum.checks.verdicts import tolerances
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.repaired.transfer.analysis.sample_complexity import (
    theorem_1_bound,
)
from ptum.reference.repaired.transfer.repairs import CHEAPEST, TransferConstants
from ptum.spec.vocabulary import CheckKind


def told(constant: float) -> Fraction:
    """2.61 is 261/100."""
    return Fraction(str(constant))


# Lemma 7, exact


@st.composite
def barely_not_stopping(draw: DrawFn, repair: TransferConstants) -> ExactModels:
    """Drawn models, Δ = t(1-γ)ε/(f(1+γ)) with the f of line 2, and ε just too small to stop.

    The slack is ε(1 - 2t/f), so nothing has to be filtered.
    """
    models = draw(rational.model_sets())
    t = draw(st.sampled_from((Fraction(1), Fraction(1, 2), Fraction(0))))
    below = 1 - Fraction(1, draw(st.sampled_from((10**6, 100, 3))))
    factor = told(repair.line_2)
    epsilon = mdp.smallest_worst_loss(models) * below / (1 - 2 * t / factor)
    Delta = t * mdp.transfer_threshold(epsilon, models[0].gamma, factor)
    return ExactModels(models, epsilon, Delta)


@st.composite
def sharp_family(draw: DrawFn, repair: TransferConstants) -> ExactModels:
    """Four states whose gaps are 0 or shift·Δ, Δ at and beside (1-γ)ε/(2(shift+1)(1+γ))."""
    gamma, shift = draw(st.sampled_from(rational.DISCOUNTS)), told(repair.shift)
    share = Fraction(draw(st.integers(1, 20)), 20)
    epsilon = share * (1 + gamma) / (2 * (1 - gamma))  # room for rewards and probabilities
    nudge = 1 + Fraction(draw(st.integers(-1, 1)), 10**6)
    Delta = nudge * mdp.transfer_threshold(epsilon, gamma, 2 * (shift + 1))
    return ExactModels(blocks.mirrored(shift * Delta, shift * Delta, gamma), epsilon, Delta)


def positive_evaluation(instance: ExactModels, repair: TransferConstants) -> Evaluation:
    """Lemma 7 for model 0: information is positive exactly if some gap exceeds shift·Δ."""
    (target, *others), gamma = instance.models, instance.models[0].gamma
    epsilon, Delta = instance.epsilon, instance.Delta
    threshold = mdp.transfer_threshold(epsilon, gamma, told(repair.line_2))
    gaps = [
        max(mdp.reward_distance(theta, target), mdp.transition_distance(theta, target))
        for theta in others
    ]
    return Evaluation(
        premises=(
            Statement("transfer mode: Δ against its threshold", Delta, "≤", threshold),
            Statement(
                "no stop: smallest worst loss of a policy against the slack",
                mdp.smallest_worst_loss(instance.models),
                ">",
                mdp.stopping_slack(epsilon, Delta, gamma),
            ),
        ),
        conclusion=Statement(
            "shift·Δ against the largest gap between the target and a model",
            told(repair.shift) * Delta,
            "<",
            max(gaps),
        ),
    )


@check("lemma-7.positive/cheapest", CheckKind.EXACT)
def positive(context: Context, repair: TransferConstants = CHEAPEST) -> Outcome:
    """With 2.61Δ the target's information is positive for Δ up to (1-γ)ε/(7.22(1+γ)).

    Lemma 7 on drawn sets and on the blocks where its threshold is attained.
    """
    return search(
        context,
        st.one_of(barely_not_stopping(repair), sharp_family(repair)),
        lambda instance: positive_evaluation(instance, repair),
        (90, 1500, 15_000),
    )


# Lemma 8


@check("lemma-8.bound/cheapest-worst-data", CheckKind.INEQUALITY)
def hidden_numbers(context: Context, repair: TransferConstants = CHEAPEST) -> Outcome:
    """No data hide a gap above 2.61Δ after 22 L max{σ²/x², 1/x} samples."""
    return worst_data(context, (None, *GAMMAS), repair.lemma_8, repair.shift)


def scenes_of(repair: TransferConstants) -> st.SearchStrategy[ActiveModels]:
    """Drawn sets of models with Δ up to where the largest gap is just above shift·Δ."""
    return scenes().map(
        lambda scene: replace(scene, Delta=scene.Delta * SHIFT_OF_SCENES / repair.shift)
    )


@check("lemma-8.bound/cheapest-both-active", CheckKind.INEQUALITY)
def both_active(context: Context, repair: TransferConstants = CHEAPEST) -> Outcome:
    """With 2.61Δ the models of the largest index are not both active after 22 L/I samples."""
    return search(
        context,
        scenes_of(repair),
        lambda scene: both_active_evaluation(scene, repair.lemma_8, repair.shift),
        (8, 150, 5000),
    )


# Runs


Concluded = Callable[[Algorithm1Setting, Trial], Statement]
"""What is said of a run."""


def run_evaluation(drawn: Drawn, repair: TransferConstants, conclusion: Concluded) -> Evaluation:
    """A run with the shift of the repair, on E."""
    setting = drawn.setting
    trial = runs.run(setting, drawn.seed, end_on_zero_index=True, shift=repair.shift)
    return Evaluation(
        premises=(
            Statement("the target is active to the end", trial.survived, "=", True),
            Statement("queries against the budget", trial.queries, "<", setting.n),
            Statement(
                "models of which doubles cannot tell if they block",
                runs.undecided_blockers(setting),
                "=",
                0,
            ),
        ),
        conclusion=conclusion(setting, trial),
    )


def searched(context: Context, repair: TransferConstants, conclusion: Concluded) -> Outcome:
    """Runs on drawn settings with Δ up to line 2 of the repair."""
    return search(
        context,
        runs.drawn_settings(repair.line_2),
        lambda drawn: run_evaluation(drawn, repair, conclusion),
        (25, 250, 4000),
    )


def within(setting: Algorithm1Setting, trial: Trial, bound: float) -> Statement:
    """Queries of a run against a bound; one that ends with an index of zero would need more."""
    used = trial.queries if trial.stopped else math.inf
    off = tolerances.of_count(trial.queries, setting.models)
    return Statement("queries of a run that stops by line 14", used, "≤", bound, tolerance=off)


@check("theorem-1.bound/cheapest", CheckKind.INEQUALITY)
def queries(context: Context, repair: TransferConstants = CHEAPEST) -> Outcome:
    """With 2.61Δ and 7.22(1+γ) drawn runs on E stop by line 14 within the bound with 23."""

    def conclusion(setting: Algorithm1Setting, trial: Trial) -> Statement:
        given = {"target": setting.target, "Delta": setting.Delta, **setting.level}
        bound = theorem_1_bound(setting.models, repair=repair, **given)
        return within(setting, trial, bound.bound)

    return searched(context, repair, conclusion)


@check("corollary-1.rate/cheapest", CheckKind.INEQUALITY)
def explicit_queries(context: Context, repair: TransferConstants = CHEAPEST) -> Outcome:
    """With 2.61Δ and 7.22(1+γ) the queries of drawn runs are within 6300 and 193000."""

    def conclusion(setting: Algorithm1Setting, trial: Trial) -> Statement:
        bound = promises.repaired_corollary(setting, repair)
        return within(setting, trial, bound)

    return searched(context, repair, conclusion)


@check("theorem-1.correct/cheapest", CheckKind.INEQUALITY)
def losses(context: Context, repair: TransferConstants = CHEAPEST) -> Outcome:
    """With 7.22(1+γ) in line 2 runs that stop at the least ε lose at most ε.

    Theorem 1, first half, at the least ε that line 2 admits and that stops iteration 1.
    """
    return optimal_on_drawn(context, repair.line_2)
