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
from ptum.checks.claims.section_3.runs import Judge, Setting, Trial, Written
from ptum.checks.claims.section_3.tie_rules import all_rules, exceeds_at_random
from ptum.checks.exact.mdp import PRINTED_FACTOR, SHARP_FACTOR
from ptum.checks.instances.counterexamples.section_3 import three_arms, tied_arms, wrong_policy
from ptum.checks.instances.families import sets
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Outcome, Walk, from_walk
from ptum.checks.verdicts.probability_search import Seen
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
        context.count(40, 200, 2000),
        runs.settings_alone(factor),
        ALPHA,
        written,
    )


# The first half: the output is ε-optimal


def not_optimal(_: Context) -> Outcome:
    """The two-state counterexample to Lemma 9, as a run: pass 1 stops and the policy loses 9ε."""
    return from_walk(wrong_policy.walk(wrong_policy.instance(), Version.PRINTED))


def optimal_with_probability(context: Context) -> Outcome:
    """ε-optimality in the true target under the repaired Assumption 1."""
    return _failures(context, misses_epsilon, slack_formula)


def told_repaired_errors(task_set: TaskSet, factor: float = PRINTED_FACTOR) -> Walk:
    """A run that stops at once and is told the errors of the repaired Assumption 1."""
    return runs.stop_at_once(task_set, task_set.repaired_errors().Delta, factor)


def optimal_on_drawn(context: Context, factor: float = PRINTED_FACTOR) -> Outcome:
    """Drawn sets, also such whose true transitions differ where no Ṽ* sees it."""
    drawn = st.one_of(sets.kernel_sets(2), sets.perturbed_sets(runs.opposed_models(2)))
    return search(
        context,
        drawn,
        lambda task_set: told_repaired_errors(task_set, factor),
        context.count(25, 250, 5000),
    )


# The second half: queries


def exceeds_printed(setting: Setting, trial: Trial) -> Seen:
    """More queries than the printed bound."""
    return exceeds(trial, printed_bound(setting))


def bound_with_probability(context: Context) -> Outcome:
    """The printed bound is not exceeded; on the three arms it is infinite."""
    outcome = _failures(context, exceeds_printed, printed_formula, PRINTED_FACTOR)
    bounds = ((s.task_set.name, printed_bound(s)) for s in runs.named_settings(DELTA))
    told = tuple(f"{name}: the bound is {bound:.6g}" for name, bound in bounds)
    return replace(outcome, story=(*outcome.story, *told))


def bound_on_drawn(context: Context) -> Outcome:
    """The printed bound on E, for Δ up to the printed threshold."""
    drawn, examples = runs.drawn_settings(PRINTED_FACTOR), context.count(25, 250, 4000)
    return runs.search_runs(context, drawn, printed_bound, examples, printed_formula)


def misses_repaired(setting: Setting, trial: Trial) -> Seen:
    """The whole of the repaired theorem: stop, within the bound, with an ε-optimal policy."""
    queries = exceeds(trial, repaired_bound(setting))
    return Seen(queries.failed or misses_epsilon(setting, trial).failed, queries.ratio)


def repaired_with_probability(context: Context) -> Outcome:
    """Both halves at once."""
    return _failures(context, misses_repaired, repaired_formula)


def repaired_on_drawn(context: Context) -> Outcome:
    """The repaired bound on E, for Δ up to the repaired threshold."""
    drawn, examples = runs.drawn_settings(), context.count(25, 250, 4000)
    return runs.search_runs(context, drawn, repaired_bound, examples, repaired_formula)


def repaired_is_finite(context: Context) -> Outcome:
    """min-max over Θ_s exceeds φ((1-γ)w), so it is positive, for Δ up to the repaired threshold."""
    return search(
        context, exact_draws.with_errors(), three_arms.lower_bound, context.count(60, 400, 10_000)
    )


# The factor |Θ|


def fixed_order(_: Context) -> Outcome:
    """Four hundred tied arms, the first of them queried."""
    case = tied_arms.instance()
    used, bound = tied_arms.fixed_order(case), tied_arms.bound(case, Version.PRINTED)
    return from_walk(tied_arms.walk(case, used, bound, Version.PRINTED))


def few_models(context: Context) -> Outcome:
    """Drawn sets of two models with nine pairs or more: the factor in the bound is |Θ|."""
    drawn = runs.drawn_settings(models=runs.opposed_models(2, st.integers(3, 4), 3))
    examples = context.count(20, 200, 4000)
    return runs.search_runs(context, drawn, printed_bound, examples, printed_formula)


def least_sampled(_: Context) -> Outcome:
    """The same arms in turn."""
    return from_walk(tied_arms.spread(tied_arms.instance()))


def random_ties(context: Context) -> Outcome:
    """The same arms in random order."""
    case = tied_arms.instance()
    bound = tied_arms.bound(case, Version.PRINTED)
    return exceeds_at_random(context, case, bound, context.count(14, 40, 200), ALPHA)


def repaired_phases(context: Context) -> Outcome:
    """Factor |Θ|-1 in a fixed order, SA for every other rule."""
    return all_rules(context, (tied_arms.instance(),))


CHECKS: tuple[Check, ...] = (
    Check(
        id="theorem-1.correct/wrong-policy",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="a run that meets every premise and returns a policy that loses 9ε",
        run=not_optimal,
    ),
    Check(
        id="theorem-1.correct/repaired-named",
        version=Version.REPAIRED,
        kind=CheckKind.PROBABILITY,
        says="P(no stop, or a loss above ε in the true task) ≤ δ on named and drawn sets of tasks",
        run=optimal_with_probability,
        alpha=ALPHA,
    ),
    Check(
        id="theorem-1.correct/repaired-drawn",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="runs that stop at the least ε lose at most ε in the true task",
        run=optimal_on_drawn,
    ),
    Check(
        id="theorem-1.bound/named",
        version=Version.PRINTED,
        kind=CheckKind.PROBABILITY,
        says="P(queries above the printed bound) ≤ δ; the bound is infinite on three arms",
        run=bound_with_probability,
        alpha=ALPHA,
    ),
    Check(
        id="theorem-1.bound/drawn",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="on E the queries of drawn runs are within the printed bound",
        run=bound_on_drawn,
    ),
    Check(
        id="theorem-1.bound/repaired-named",
        version=Version.REPAIRED,
        kind=CheckKind.PROBABILITY,
        says="P(no stop, queries above the repaired bound, or a loss above ε) ≤ δ",
        run=repaired_with_probability,
        alpha=ALPHA,
    ),
    Check(
        id="theorem-1.bound/repaired-drawn",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="on E the queries of drawn runs are within the repaired bound",
        run=repaired_on_drawn,
    ),
    Check(
        id="theorem-1.bound/repaired-finite",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="the repaired denominator is positive for every Δ up to the repaired threshold",
        run=repaired_is_finite,
    ),
    Check(
        id="theorem-1.phases/fixed-order",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="400 tied arms and two models, ties to the first arm",
        run=fixed_order,
        reading="theorem-1.phases.fixed-ties",
    ),
    Check(
        id="theorem-1.phases/few-models",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="on E the queries of drawn runs with two models and many pairs are within the bound",
        run=few_models,
        reading="theorem-1.phases.fixed-ties",
    ),
    Check(
        id="theorem-1.phases/least-sampled",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="400 tied arms and two models, ties to the arm with the fewest samples",
        run=least_sampled,
        reading="theorem-1.phases.any-ties",
    ),
    Check(
        id="theorem-1.phases/random-ties",
        version=Version.PRINTED,
        kind=CheckKind.PROBABILITY,
        says="P(queries above the bound) ≤ δ for 400 tied arms and random ties",
        run=random_ties,
        reading="theorem-1.phases.any-ties",
        alpha=ALPHA,
    ),
    Check(
        id="theorem-1.phases/repaired",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="factor |Θ|-1 in a fixed order, SA in turn or at random",
        run=repaired_phases,
    ),
)
