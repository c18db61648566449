"""What Section 3.2 says in words about Theorem 1."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from ptum.checks.claims.section_3 import exact_draws, runs
from ptum.checks.claims.section_3.promises import (
    corollary_formula,
    exceeds,
    misses_epsilon,
    plan_bound,
    printed_bound,
    printed_formula,
    repaired_corollary,
)
from ptum.checks.claims.section_3.runs import Algorithm1Setting, Trial
from ptum.checks.claims.section_3.tie_rules import all_rules
from ptum.checks.claims.section_3_bounds.theorem_1 import repaired_is_finite
from ptum.checks.exact import mdp
from ptum.checks.exact.terms import Situation, theta_eps
from ptum.checks.instances.counterexamples.section_3 import corollary_1, theorem_1
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, from_evaluation
from ptum.checks.verdicts.probability_search import TrialResult
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import CheckKind, Version

ALPHA = 1e-4
DELTA = 0.3
ENOUGH = 10_000_000
"""A budget beyond the repaired Corollary 1 on every named setting."""
ARMS = (25, 100, 400)
NEARLY = 1 - Fraction(1, 10**6)


# PTUM is PAC


def misses_polynomial(setting: Algorithm1Setting, trial: Trial) -> TrialResult:
    """Not ε-optimal, or more queries than the polynomial of the repaired Corollary 1."""
    queries = exceeds(trial, repaired_corollary(setting))
    return TrialResult(queries.failed or misses_epsilon(setting, trial).failed, queries.ratio)


@check("text-pac.implied/repaired", CheckKind.PROBABILITY, alpha=ALPHA)
def pac_repaired(context: Context) -> Outcome:
    """P(no stop, a loss above ε, or more queries than the polynomial) ≤ δ."""
    settings = tuple(runs.with_budget(s, ENOUGH) for s in runs.named_settings(DELTA))
    return runs.count_failures(
        context,
        settings,
        misses_polynomial,
        runs.settings_alone(),
        trials=context.count(70, 200, 2000),
        alpha=ALPHA,
        written=corollary_formula,
    )


# The smaller of tasks and pairs


@check("text-scales-with-min.minimum/fixed-order", CheckKind.ASYMPTOTIC)
def constant_in_pairs(_: Context) -> Outcome:
    """With two models the queries do not grow with the number of tied arms.

    Sixteen times as many arms, the same two models, ties to the first arm.
    """
    return from_evaluation(theorem_1.growth(theorem_1.Growth(ARMS[0], ARMS[-1], spread=False)))


@check("text-scales-with-min.minimum/few-pairs", CheckKind.INEQUALITY)
def few_pairs(context: Context) -> Outcome:
    """On E the queries of drawn runs with many models and few pairs are within the bound.

    Drawn sets of many models with two or three pairs: the factor in the bound is SA.
    """
    drawn = runs.drawn_settings(models=runs.opposed_models(st.integers(5, 7), 1))
    examples = context.count(20, 150, 4000)
    return runs.search_runs(context, drawn, printed_bound, examples, printed_formula)


@check("text-scales-with-min.minimum/repaired", CheckKind.EXACT)
def minimum_repaired(context: Context) -> Outcome:
    """Factor |Θ|-1 in a fixed order, SA in turn or at random, for 25 to 400 arms."""
    return all_rules(context, tuple(theorem_1.TiedArms(arms) for arms in ARMS))


# The meaning of Θ_ε


def model_policies_in_target(situation: Situation) -> Evaluation:
    """The worst model of a situation that has none in Θ_ε, by its policy's loss in the target."""
    target = situation.models[0]
    others = range(1, len(situation.models))
    worst = max(
        others, key=lambda model: mdp.loss(target, mdp.optimal_policy(situation.models[model]))
    )
    return corollary_1.theta_eps_meaning_evaluation(situation, Version.REPAIRED, worst)


def target_policy_in_models(situation: Situation) -> Evaluation:
    """The worst model of a situation that has none in Θ_ε, by the loss of the target's policy."""
    pi = mdp.optimal_policy(situation.models[0])
    others = range(1, len(situation.models))
    worst = max(others, key=lambda model: mdp.loss(situation.models[model], pi))
    return corollary_1.own_policy(situation, worst)


@check("text-theta-eps-meaning.policies/repaired-model-policy", CheckKind.EXACT)
def loss_in_target(context: Context) -> Outcome:
    """Outside Θ_ε the model's policy loses at most slack/(1-γ) in the target."""
    drawn = exact_draws.outside_theta_eps()
    return search(context, drawn, model_policies_in_target, (50, 350, 10_000))


@check("text-theta-eps-meaning.policies/repaired-own-policy", CheckKind.EXACT)
def loss_in_model(context: Context) -> Outcome:
    """Outside Θ_ε the target's policy loses at most the slack in the model."""
    drawn = exact_draws.outside_theta_eps()
    return search(context, drawn, target_policy_in_models, (50, 350, 10_000))


@check("text-theta-eps-meaning.policies/repaired-tight", CheckKind.EXACT)
def nearly_attained(_: Context) -> Outcome:
    """Five states on which slack/(1-γ) is nearly attained."""
    situation = corollary_1.tight()
    told = corollary_1.theta_eps_meaning_evaluation(situation, Version.REPAIRED)
    attained = Statement(
        "loss of the model's policy against nearly slack/(1-γ)",
        told.conclusion.left,
        "≥",
        NEARLY * situation.slack / (1 - situation.gamma),
    )
    return from_evaluation(Evaluation((*told.premises, told.conclusion), attained))


# Eliminating Θ_ε is enough


def stops(situation: Situation) -> Evaluation:
    """With every active model outside Θ_ε, line 14 accepts a policy."""
    return Evaluation(
        premises=(Statement("active models in Θ_ε", len(theta_eps(situation)), "=", 0),),
        conclusion=Statement(
            "smallest worst loss of a policy against the slack of line 14",
            mdp.smallest_worst_loss(situation.models),
            "≤",
            situation.slack,
            *formulas.slack(situation.epsilon, situation.Delta, situation.gamma),
        ),
    )


@check("text-eliminate-all-suffices-to-stop.stops/drawn", CheckKind.EXACT)
def eliminating_suffices(context: Context) -> Outcome:
    """No active model in Θ_ε implies a stop, also where ε is as small as that allows.

    Sets with ε as small as it can be without a model in Θ_ε; subsets are sets again.
    """
    return search(context, exact_draws.outside_theta_eps(), stops, (50, 350, 10_000))


# The oracle


@check("text-oracle-proportional.oracle/information-plan", CheckKind.INEQUALITY)
def plan_in_information(context: Context) -> Outcome:
    """On E queries ≤ 128 min{SA,|Θ|} times the cheapest plan in information.

    Queries against the cheapest plan that collects L units of I(θ*,·) on all of Θ_ε.
    """
    drawn, examples = runs.drawn_settings(), context.count(25, 250, 4000)
    return runs.search_runs(context, drawn, plan_bound, examples)


check(
    "text-oracle-proportional.oracle/repaired-finite",
    CheckKind.EXACT,
    "The repaired denominator is positive for every Δ up to the repaired threshold",
)(repaired_is_finite)
