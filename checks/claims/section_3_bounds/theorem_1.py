"""Theorem 1: is the output ε-optimal, and are the queries within the bound?"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from ptum.checks.claims.section_3 import exact_draws, runs
from ptum.checks.claims.section_3.promises import (
    exceeds,
    misses_epsilon,
    printed_bound,
    printed_formula,
    repaired_bound,
    repaired_formula,
    slack_formula,
)
from ptum.checks.claims.section_3.runs import Algorithm1Setting, Judge, Trial, Written
from ptum.checks.claims.section_3.tie_rules import all_rules, exceeds_at_random
from ptum.checks.exact.mdp import PRINTED_FACTOR, SHARP_FACTOR
from ptum.checks.instances.counterexamples.section_3 import theorem_1
from ptum.checks.instances.families import sets
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, from_evaluation
from ptum.checks.verdicts.probability_search import TrialResult
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import CheckKind, Version

ALPHA = 1e-4
DELTA = 0.3
"""The claims are for every δ; a large one needs fewer trials to show that failures are rare."""


def _failures(
    context: Context, judge: Judge, written: Written, factor: int = SHARP_FACTOR
) -> Outcome:
    """P(failure) ≤ δ on named settings and on drawn ones with Δ up to the threshold of line 2."""
    return runs.count_failures(
        context,
        runs.named_settings(DELTA),
        judge,
        runs.settings_alone(factor),
        trials=context.count(70, 200, 2000),
        alpha=ALPHA,
        written=written,
    )


# The first half: the output is ε-optimal


@check("theorem-1.correct/repaired-named", CheckKind.PROBABILITY, alpha=ALPHA)
def optimal_with_probability(context: Context) -> Outcome:
    """P(no stop, or a loss above ε in the true task) ≤ δ on named and drawn sets of tasks.

    ε-optimality in the true target under the repaired Assumption 1.
    """
    return _failures(context, misses_epsilon, slack_formula)


def told_repaired_errors(task_set: TaskSet, factor: float = PRINTED_FACTOR) -> Evaluation:
    """A run that stops at once and is told the errors of the repaired Assumption 1."""
    return runs.stop_at_once(task_set, task_set.repaired_errors().Delta, factor)


@check("theorem-1.correct/repaired-drawn", CheckKind.INEQUALITY)
def optimal_on_drawn(context: Context, factor: float = PRINTED_FACTOR) -> Outcome:
    """Runs that stop at the least ε lose at most ε in the true task.

    Drawn sets, also such whose true transitions differ where no Ṽ* sees it.
    """
    drawn = st.one_of(sets.kernel_sets(2), sets.perturbed_sets(runs.opposed_models(2)))
    return search(
        context, drawn, lambda task_set: told_repaired_errors(task_set, factor), (25, 250, 5000)
    )


# The second half: queries


def exceeds_printed(setting: Algorithm1Setting, trial: Trial) -> TrialResult:
    """More queries than the printed bound."""
    return exceeds(trial, printed_bound(setting))


@check("theorem-1.bound/named", CheckKind.PROBABILITY, alpha=ALPHA)
def bound_with_probability(context: Context) -> Outcome:
    """P(queries above the printed bound) ≤ δ; the bound is infinite on three arms."""
    outcome = _failures(context, exceeds_printed, printed_formula, PRINTED_FACTOR)
    bounds = ((s.task_set.name, printed_bound(s)) for s in runs.named_settings(DELTA))
    told = tuple(f"{name}: the bound is {bound:.6g}" for name, bound in bounds)
    return replace(outcome, explanation=(*outcome.explanation, *told))


@check("theorem-1.bound/drawn", CheckKind.INEQUALITY)
def bound_on_drawn(context: Context) -> Outcome:
    """On E the queries of drawn runs are within the printed bound."""
    drawn, examples = runs.drawn_settings(PRINTED_FACTOR), context.count(25, 250, 4000)
    return runs.search_runs(context, drawn, printed_bound, examples, printed_formula)


def misses_repaired(setting: Algorithm1Setting, trial: Trial) -> TrialResult:
    """The whole of the repaired theorem: stop, within the bound, with an ε-optimal policy."""
    queries = exceeds(trial, repaired_bound(setting))
    return TrialResult(queries.failed or misses_epsilon(setting, trial).failed, queries.ratio)


@check("theorem-1.bound/repaired-named", CheckKind.PROBABILITY, alpha=ALPHA)
def repaired_with_probability(context: Context) -> Outcome:
    """P(no stop, queries above the repaired bound, or a loss above ε) ≤ δ."""
    return _failures(context, misses_repaired, repaired_formula)


@check("theorem-1.bound/repaired-drawn", CheckKind.INEQUALITY)
def repaired_on_drawn(context: Context) -> Outcome:
    """On E the queries of drawn runs are within the repaired bound."""
    drawn, examples = runs.drawn_settings(), context.count(25, 250, 4000)
    return runs.search_runs(context, drawn, repaired_bound, examples, repaired_formula)


@check("theorem-1.bound/repaired-finite", CheckKind.EXACT)
def repaired_is_finite(context: Context) -> Outcome:
    """The repaired denominator is positive for every Δ up to the repaired threshold."""
    return search(context, exact_draws.with_errors(), theorem_1.lower_bound, (60, 400, 10_000))


# The factor |Θ|


@check("theorem-1.phases/fixed-order", CheckKind.EXACT)
def fixed_order(_: Context) -> Outcome:
    """Queries are within the bound on 400 tied arms with two models, ties to the first arm."""
    case = theorem_1.TiedArms()
    used, bound = theorem_1.fixed_order(case), theorem_1.tied_arms_bound(case, Version.PRINTED)
    return from_evaluation(theorem_1.evaluation(case, used, bound, Version.PRINTED))


@check("theorem-1.phases/few-models", CheckKind.INEQUALITY)
def few_models(context: Context) -> Outcome:
    """On E the queries of drawn runs with two models and many pairs are within the bound.

    Drawn sets of two models with nine pairs or more: the factor in the bound is |Θ|.
    """
    drawn = runs.drawn_settings(models=runs.opposed_models(2, st.integers(3, 4), 3))
    examples = context.count(20, 200, 4000)
    return runs.search_runs(context, drawn, printed_bound, examples, printed_formula)


@check("theorem-1.phases/random-ties", CheckKind.PROBABILITY, alpha=ALPHA)
def random_ties(context: Context) -> Outcome:
    """P(queries above the bound) ≤ δ for 400 tied arms and random ties."""
    case = theorem_1.TiedArms()
    bound = theorem_1.tied_arms_bound(case, Version.PRINTED)
    return exceeds_at_random(context, case, bound, context.count(28, 340, 400), ALPHA)


@check("theorem-1.phases/repaired", CheckKind.EXACT)
def repaired_phases(context: Context) -> Outcome:
    """Factor |Θ|-1 in a fixed order, SA in turn or at random."""
    return all_rules(context, (theorem_1.TiedArms(),))
