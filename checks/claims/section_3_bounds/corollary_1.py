"""Corollary 1: the rate in the smallest gap, and the two steps of its proof."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.section_3 import exact_draws, runs
from ptum.checks.claims.section_3.promises import (
    INFORMATION_CONSTANT,
    corollary_formula,
    rate_formula,
    rate_with_constant,
    repaired_bound,
    repaired_corollary,
)
from ptum.checks.claims.section_3.runs import Algorithm1Setting
from ptum.checks.claims.section_3_bounds.theorem_1 import repaired_is_finite
from ptum.checks.exact import mdp
from ptum.checks.exact.terms import Situation, gap_Gamma, min_max, theta_eps
from ptum.checks.instances.counterexamples.section_3 import corollary_1, theorem_1
from ptum.checks.instances.families import rational
from ptum.checks.instances.families.named import exactly_known
from ptum.checks.verdicts import formulas, tolerances
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, over_evaluations
from ptum.checks.verdicts.search import search
from ptum.reference.transfer.assumptions import single
from ptum.spec.vocabulary import CheckKind, Version

# The rate with errors


@check("corollary-1.rate/repaired-drawn", CheckKind.INEQUALITY)
def repaired_rate(context: Context) -> Outcome:
    """On E the queries of drawn runs are within the explicit bound."""
    drawn, examples = runs.drawn_settings(), context.count(25, 250, 4000)
    return runs.search_runs(context, drawn, repaired_corollary, examples, corollary_formula)


def tiny_index_setting(excess: Fraction) -> Algorithm1Setting:
    """Four states whose gaps exceed 8Δ by a small share only."""
    case = corollary_1.tiny_index(excess)
    tasks = tuple(mdp.rounded(theta) for theta in case.models)
    return Algorithm1Setting(
        exactly_known("tiny index", tasks),
        epsilon=float(case.epsilon),
        delta=0.1,
        n=100_000,
        errors=single(float(case.Delta)),
    )


def tiny_index_evaluation(setting: Algorithm1Setting, seed: int) -> Evaluation:
    """One run where the information, and with it Theorem 1's denominator, is next to nothing."""
    trial = runs.run(setting, seed)
    return Evaluation(
        premises=(
            Statement("the target is active to the end", trial.survived, "=", True),
            Statement("the run makes queries", trial.queries, ">", 0),
        ),
        conclusion=Statement(
            f"queries against the bound (Theorem 1's is {repaired_bound(setting):.3g})",
            trial.queries,
            "≤",
            repaired_corollary(setting),
            *corollary_formula(setting),
            tolerance=tolerances.of_count(trial.queries, setting.models),
        ),
    )


@check("corollary-1.rate/repaired-tiny-index", CheckKind.INEQUALITY)
def repaired_tiny_index(context: Context) -> Outcome:
    """Queries are within the explicit bound also where the information nearly vanishes."""
    powers = range(1, context.count(4, 6, 8))
    return over_evaluations(
        [tiny_index_evaluation(tiny_index_setting(Fraction(1, 10**x)), x) for x in powers],
        "runs made queries with the target active",
    )


# The rate with exact models


@check("corollary-1.rate-exact/drawn", CheckKind.INEQUALITY)
def exact_rate(context: Context) -> Outcome:
    """On E and at Δ = 0 the queries of drawn runs are within 512 L times the rate."""
    drawn, examples = runs.drawn_settings(shares=(0.0,)), context.count(25, 250, 4000)
    return runs.search_runs(context, drawn, rate_with_constant, examples, rate_formula)


def information_or_stop(situation: Situation) -> Evaluation:
    """At Δ = 0: 4 min-max ≥ max{Γ²,ε²}(1-γ)⁴ for ε ≤ 1/(1-γ); beyond, iteration 1 stops."""
    gamma, epsilon = situation.gamma, situation.epsilon
    if epsilon * (1 - gamma) > 1:
        worst = mdp.smallest_worst_loss(situation.models)
        line_14 = formulas.slack(epsilon, situation.Delta, gamma)
        told = "smallest worst loss against the slack"
        return Evaluation((), Statement(told, worst, "≤", epsilon, *line_14))
    blocking = theta_eps(situation)
    largest = max(gap_Gamma(situation), epsilon)
    return Evaluation(
        premises=(Statement("models in Θ_ε", len(blocking), "≥", 1),),
        conclusion=Statement(
            f"{INFORMATION_CONSTANT} min-max against max{{Γ²,ε²}}(1-γ)⁴",
            INFORMATION_CONSTANT * min_max(situation, blocking),
            "≥",
            largest**2 * (1 - gamma) ** 4,
            *theorem_1.rate_formula(situation),
        ),
    )


@check("corollary-1.rate-exact/information", CheckKind.EXACT)
def exact_information(context: Context) -> Outcome:
    """At Δ = 0 min-max is at least a quarter of max{Γ²,ε²}(1-γ)⁴."""
    accuracies = (*exact_draws.ACCURACIES, Fraction(2))
    drawn = exact_draws.situations(accuracies=accuracies)
    return search(context, drawn, information_or_stop, (60, 400, 10_000))


# The two steps of the proof


@check("corollary-1.exchange/repaired-exact-models", CheckKind.EXACT)
def exchanged_back(context: Context) -> Outcome:
    """min-max is at least max{Γ²,κ_ε²}(1-γ)² at Δ = 0."""
    return search(
        context,
        exact_draws.situations(),
        lambda situation: theorem_1.exchange(situation, Version.REPAIRED),
        (60, 400, 10_000),
    )


@st.composite
def numbers(
    draw: DrawFn, error_shares: tuple[Fraction, ...]
) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Γ, ε, Δ, γ with Δ a share of the printed threshold."""
    gamma = draw(rational.discounts())
    epsilon = Fraction(draw(st.integers(1, 100)), 100) / (1 - gamma)
    Gamma = Fraction(draw(st.integers(1, 200)), 1000)
    threshold = mdp.transfer_threshold(epsilon, gamma, mdp.PRINTED_FACTOR)
    return Gamma, epsilon, draw(st.sampled_from(error_shares)) * threshold, gamma


def squared(context: Context, constant: Fraction, error_shares: tuple[Fraction, ...]) -> Outcome:
    """The second step with another constant, on drawn numbers."""
    return search(
        context,
        numbers(error_shares),
        lambda drawn: corollary_1.step(*drawn, constant),
        (100, 1000, 20_000),
    )


@check("corollary-1.constant/repaired", CheckKind.EXACT)
def squared_with_errors(context: Context) -> Outcome:
    """max{Γ²,κ_ε²}(1-γ)² ≥ max{Γ²,ε²}(1-γ)⁴/64 for every Δ below the printed threshold."""
    nearly, half = 1 - Fraction(1, 10**6), Fraction(1, 2)
    return squared(context, Fraction(1, 64), (nearly, half, Fraction(0)))


@check("corollary-1.constant/repaired-exact-models", CheckKind.EXACT)
def squared_exact(context: Context) -> Outcome:
    """max{Γ²,κ_ε²}(1-γ)² ≥ max{Γ²,ε²}(1-γ)⁴/16 at Δ = 0."""
    return squared(context, Fraction(1, 16), (Fraction(0),))


check(
    "corollary-1.exchange/repaired-with-errors",
    CheckKind.EXACT,
    "min-max over Θ_s exceeds φ((1-γ)w) for Δ up to the repaired threshold",
)(repaired_is_finite)
