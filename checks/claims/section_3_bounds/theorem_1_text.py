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
from ptum.checks.claims.section_3.runs import Setting, Trial
from ptum.checks.claims.section_3.tie_rules import all_rules
from ptum.checks.claims.section_3_bounds.theorem_1 import not_optimal, repaired_is_finite
from ptum.checks.exact import mdp
from ptum.checks.exact.terms import Situation, theta_eps
from ptum.checks.instances.counterexamples.section_3 import (
    theta_eps_meaning,
    three_arms,
    tied_arms,
)
from ptum.checks.instances.counterexamples.section_3_text import oracle
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Outcome, Statement, Walk, from_walk
from ptum.checks.verdicts.probability_search import Seen
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import CheckKind, Version

ALPHA = 1e-4
DELTA = 0.3
ENOUGH = 10_000_000
"""A budget beyond the repaired Corollary 1 on every named setting."""
ARMS = (25, 100, 400)
NEARLY = 1 - Fraction(1, 10**6)


# PTUM is PAC


def infinite_bound(_: Context) -> Outcome:
    """The bound is infinite, which no polynomial is, where every bound in Γ is finite."""
    return from_walk(three_arms.finite(three_arms.instance(), Version.PRINTED))


def misses_polynomial(setting: Setting, trial: Trial) -> Seen:
    """Not ε-optimal, or more queries than the polynomial of the repaired Corollary 1."""
    queries = exceeds(trial, repaired_corollary(setting))
    return Seen(queries.failed or misses_epsilon(setting, trial).failed, queries.ratio)


def pac_repaired(context: Context) -> Outcome:
    """Probably approximately correct within a polynomial number of queries."""
    settings = tuple(runs.with_budget(s, ENOUGH) for s in runs.named_settings(DELTA))
    return runs.count_failures(
        context,
        settings,
        misses_polynomial,
        context.count(40, 200, 2000),
        runs.settings_alone(),
        ALPHA,
        corollary_formula,
    )


# The smaller of tasks and pairs


def constant_in_pairs(_: Context) -> Outcome:
    """Sixteen times as many arms, the same two models, ties to the first arm."""
    return from_walk(tied_arms.growth(ARMS[0], ARMS[-1], spread=False))


def few_pairs(context: Context) -> Outcome:
    """Drawn sets of many models with two or three pairs: the factor in the bound is SA."""
    drawn = runs.drawn_settings(models=runs.opposed_models(st.integers(5, 7), 1))
    examples = context.count(20, 150, 4000)
    return runs.search_runs(context, drawn, printed_bound, examples, printed_formula)


def grows_with_pairs(_: Context) -> Outcome:
    """The same arms in turn."""
    return from_walk(tied_arms.growth(ARMS[0], ARMS[-1], spread=True))


def minimum_repaired(context: Context) -> Outcome:
    """Each rule within the bound that has its own factor."""
    return all_rules(context, tuple(tied_arms.instance(arms) for arms in ARMS))


# The meaning of Θ_ε


def three_states(_: Context) -> Outcome:
    """A model outside Θ_ε whose policy loses 1.9 at ε = 0.4."""
    return from_walk(theta_eps_meaning.walk(theta_eps_meaning.instance(), Version.PRINTED))


def model_policies_in_target(situation: Situation) -> Walk:
    """The worst model of a situation that has none in Θ_ε, by its policy's loss in the target."""
    target = situation.models[0]
    others = range(1, len(situation.models))
    worst = max(
        others,
        key=lambda model: mdp.loss(target, mdp.optimal_policy(situation.models[model])),
    )
    return theta_eps_meaning.walk(situation, Version.REPAIRED, worst)


def target_policy_in_models(situation: Situation) -> Walk:
    """The worst model of a situation that has none in Θ_ε, by the loss of the target's policy."""
    pi = mdp.optimal_policy(situation.models[0])
    others = range(1, len(situation.models))
    worst = max(others, key=lambda model: mdp.loss(situation.models[model], pi))
    return theta_eps_meaning.own_policy(situation, worst)


def loss_in_target(context: Context) -> Outcome:
    """Outside Θ_ε the model's policy loses at most slack/(1-γ) in the target."""
    drawn = exact_draws.outside_theta_eps()
    return search(context, drawn, model_policies_in_target, context.count(50, 350, 10_000))


def loss_in_model(context: Context) -> Outcome:
    """Outside Θ_ε the target's policy loses at most the slack in the model."""
    drawn = exact_draws.outside_theta_eps()
    return search(context, drawn, target_policy_in_models, context.count(50, 350, 10_000))


def nearly_attained(_: Context) -> Outcome:
    """Five states on which the model's policy loses slack/(1-γ) up to one part in a million."""
    situation = theta_eps_meaning.tight()
    told = theta_eps_meaning.walk(situation, Version.REPAIRED)
    attained = Statement(
        "loss of the model's policy against nearly slack/(1-γ)",
        told.conclusion.left,
        "≥",
        NEARLY * situation.slack / (1 - situation.gamma),
    )
    return from_walk(Walk((*told.premises, told.conclusion), attained))


# Eliminating Θ_ε is enough


def stops(situation: Situation) -> Walk:
    """With every active model outside Θ_ε, line 14 accepts a policy."""
    return Walk(
        premises=(Statement("active models in Θ_ε", len(theta_eps(situation)), "=", 0),),
        conclusion=Statement(
            "smallest worst loss of a policy against the slack of line 14",
            mdp.smallest_worst_loss(situation.models),
            "≤",
            situation.slack,
            *formulas.slack(situation.epsilon, situation.Delta, situation.gamma),
        ),
    )


def eliminating_suffices(context: Context) -> Outcome:
    """Sets with ε as small as it can be without a model in Θ_ε; subsets are sets again."""
    return search(context, exact_draws.outside_theta_eps(), stops, context.count(50, 350, 10_000))


# The oracle


def bound_against_oracle(_: Context) -> Outcome:
    """Theorem 1's bound where two arms suffice."""
    return from_walk(oracle.bound_walk(oracle.three_certain_arms()))


def distracted(context: Context) -> Outcome:
    """Harmless models that PTUM cannot leave alone."""
    return from_walk(oracle.distractor_walk(2, context.count(10, 20, 40)))


def hidden_test(context: Context) -> Outcome:
    """A test that PTUM forgets together with the model that suggests it."""
    narrow = context.count(200, 500, 1000)
    return from_walk(oracle.hidden_walk(Fraction(1, 10), Fraction(1, narrow)))


def plan_in_information(context: Context) -> Outcome:
    """Queries against the cheapest plan that collects L units of I(θ*,·) on all of Θ_ε."""
    drawn, examples = runs.drawn_settings(), context.count(25, 250, 4000)
    return runs.search_runs(context, drawn, plan_bound, examples)


_SCALES = "text-scales-with-min.minimum"
_MEANING = "text-theta-eps-meaning.policies"
_ORACLE = "text-oracle-proportional.oracle"

CHECKS: tuple[Check, ...] = (
    Check(
        id="text-pac.implied/infinite-bound",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="the printed bound is a number on three arms",
        run=infinite_bound,
    ),
    Check(
        id="text-pac.implied/wrong-policy",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="the output is ε-optimal under the premises of Theorem 1",
        run=not_optimal,
    ),
    Check(
        id="text-pac.implied/repaired",
        version=Version.REPAIRED,
        kind=CheckKind.PROBABILITY,
        says="P(no stop, a loss above ε, or more queries than the polynomial) ≤ δ",
        run=pac_repaired,
        alpha=ALPHA,
    ),
    Check(
        id=f"{_SCALES}/fixed-order",
        version=Version.PRINTED,
        kind=CheckKind.ASYMPTOTIC,
        says="with two models the queries do not grow with the number of tied arms",
        run=constant_in_pairs,
        reading=f"{_SCALES}.fixed-ties",
    ),
    Check(
        id=f"{_SCALES}/few-pairs",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="on E the queries of drawn runs with many models and few pairs are within the bound",
        run=few_pairs,
        reading=f"{_SCALES}.fixed-ties",
    ),
    Check(
        id=f"{_SCALES}/least-sampled",
        version=Version.PRINTED,
        kind=CheckKind.ASYMPTOTIC,
        says="the same with ties to the arm with the fewest samples",
        run=grows_with_pairs,
        reading=f"{_SCALES}.any-ties",
    ),
    Check(
        id=f"{_SCALES}/repaired",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="factor |Θ|-1 in a fixed order, SA in turn or at random, for 25 to 400 arms",
        run=minimum_repaired,
    ),
    Check(
        id=f"{_MEANING}/three-states",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="a model outside Θ_ε whose policy loses nearly 5ε in the target",
        run=three_states,
    ),
    Check(
        id=f"{_MEANING}/repaired-own-policy",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="outside Θ_ε the target's policy loses at most the slack in the model",
        run=loss_in_model,
    ),
    Check(
        id=f"{_MEANING}/repaired-model-policy",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="outside Θ_ε the model's policy loses at most slack/(1-γ) in the target",
        run=loss_in_target,
    ),
    Check(
        id=f"{_MEANING}/repaired-tight",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="five states on which slack/(1-γ) is nearly attained",
        run=nearly_attained,
    ),
    Check(
        id="text-eliminate-all-suffices-to-stop.stops/drawn",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="no active model in Θ_ε implies a stop, also where ε is as small as that allows",
        run=eliminating_suffices,
    ),
    Check(
        id=f"{_ORACLE}/three-arms",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="Theorem 1's bound is at most a million times what two arms cost",
        run=bound_against_oracle,
        reading=f"{_ORACLE}.printed-bound",
    ),
    Check(
        id=f"{_ORACLE}/distractors",
        version=Version.PRINTED,
        kind=CheckKind.ASYMPTOTIC,
        says="queries/oracle do not grow with the number of harmless models",
        run=distracted,
        reading=f"{_ORACLE}.constant-factor",
    ),
    Check(
        id=f"{_ORACLE}/hidden-test",
        version=Version.PRINTED,
        kind=CheckKind.ASYMPTOTIC,
        says="queries/oracle do not grow while SA, |Θ| and L stay the same",
        run=hidden_test,
        reading=f"{_ORACLE}.up-to-the-factor",
    ),
    Check(
        id=f"{_ORACLE}/information-plan",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="on E queries ≤ 128 min{SA,|Θ|} times the cheapest plan in information",
        run=plan_in_information,
        reading=f"{_ORACLE}.in-information",
    ),
    Check(
        id=f"{_ORACLE}/repaired-finite",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="the repaired denominator is positive for every Δ up to the repaired threshold",
        run=repaired_is_finite,
    ),
)
