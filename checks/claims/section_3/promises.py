"""What Theorem 1 and Corollary 1 promise about a run, printed and repaired."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ptum.checks.claims.section_3.runs import Algorithm1Setting, Trial
from ptum.checks.exact.numbers import is_above
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Formed, Values
from ptum.checks.verdicts.probability_search import TrialResult
from ptum.reference.arrays import ROUNDING
from ptum.reference.repaired.transfer.analysis.sample_complexity import corollary_1_bound
from ptum.reference.repaired.transfer.analysis.sample_complexity import (
    theorem_1_bound as repaired_theorem_1_bound,
)
from ptum.reference.repaired.transfer.repairs import PRINTED_SHIFT, TransferConstants
from ptum.reference.transfer.analysis.sample_complexity import (
    FACTOR,
    QueryBound,
    corollary_1_rate,
    gap_Gamma,
    information_of_target,
    theorem_1_bound,
)
from ptum.reference.transfer.confidence import log_term
from ptum.spec.vocabulary import Version

INFORMATION_CONSTANT = 4
"""At Δ = 0 and ε ≤ 1/(1-γ), min-max ≥ max{Γ²,ε²}(1-γ)⁴/4: deviations are half the range at most."""


def printed_terms(setting: Algorithm1Setting) -> QueryBound:
    """Theorem 1 as printed."""
    return _of(theorem_1_bound, setting)


def printed_bound(setting: Algorithm1Setting) -> float:
    """128 min{SA,|Θ|} L / max-min."""
    return printed_terms(setting).bound


def repaired_terms(setting: Algorithm1Setting) -> QueryBound:
    """Theorem 1 as repaired."""
    return _of(repaired_theorem_1_bound, setting)


def _of(theorem: Callable[..., QueryBound], setting: Algorithm1Setting) -> QueryBound:
    return theorem(setting.models, target=setting.target, Delta=setting.Delta, **setting.level)


def repaired_bound(setting: Algorithm1Setting) -> float:
    """128 min{SA,|Θ|-1} L / min-max."""
    return repaired_terms(setting).bound


def repaired_corollary(
    setting: Algorithm1Setting, repair: TransferConstants = PRINTED_SHIFT
) -> float:
    """min{SA,|Θ|-1} L min{1000/((1-γ)²Γ²), 16000/((1-γ)⁴ε'²)}, ε' = min{ε, 1/(1-γ)}."""
    models, Gamma = setting.models, gap_Gamma(setting.models, target=setting.target)
    sizes = (models.S, models.A, models.k)
    given = {"gamma": models.gamma, "Gamma": Gamma, **setting.level}
    return corollary_1_bound(*sizes, repair=repair, **given)


def rate_with_constant(setting: Algorithm1Setting) -> float:
    """Corollary 1's rate at Δ = 0, with 128·4·L in place of Õ and log(1/δ)."""
    models = setting.models
    L = log_term(models.S, models.A, setting.n, models.k, setting.delta)
    rate = corollary_1_rate(
        models.S,
        models.A,
        models.k,
        gamma=models.gamma,
        epsilon=setting.epsilon,
        delta=setting.delta,
        Gamma=gap_Gamma(models, target=setting.target),
    )
    return FACTOR * INFORMATION_CONSTANT * L * rate / math.log(1 / setting.delta)


def information_plan(setting: Algorithm1Setting) -> float:
    """The cheapest plan that collects L units of information on every model of Θ_ε.

    min Σ N(s,a) subject to Σ N(s,a) I_{s,a}(θ*,θ) ≥ L for all θ ∈ Θ_ε, a linear program. Its solver
    misses constraints by a little, so what it finds is stretched until it collects L, and costs no
    less than the cheapest plan: sums of SA products of positive numbers, rounded up.
    """
    models, terms = setting.models, printed_terms(setting)
    if not terms.blocking:
        return 0.0
    from scipy.optimize import linprog  # here: it takes long to load

    table = information_of_target(
        models, target=setting.target, others=terms.blocking, Delta=setting.Delta
    )
    rows = table.reshape(len(terms.blocking), -1)
    solved = linprog(np.ones(rows.shape[1]), A_ub=-rows, b_ub=np.full(len(rows), -terms.L))
    if solved.x is None:
        return math.inf
    plan = np.maximum(np.asarray(solved.x, dtype=np.float64), 0.0)
    collected = float(np.min(rows @ plan)) / terms.L
    rounded_up = 1 + 2 * (rows.shape[1] + 4) * ROUNDING
    return float(plan.sum()) * rounded_up / collected if is_above(collected, 0) else math.inf


def plan_bound(setting: Algorithm1Setting) -> float:
    """128 min{SA,|Θ|} times the cheapest plan."""
    return FACTOR * printed_terms(setting).multiplicity * information_plan(setting)


# The same with numbers in the formulas


def printed_formula(setting: Algorithm1Setting) -> Formed:
    """Theorem 1 as printed."""
    terms = printed_terms(setting)
    return formulas.theorem_1(_sizes(setting), terms.denominator, Version.PRINTED)


def repaired_formula(setting: Algorithm1Setting) -> Formed:
    """Theorem 1 as repaired."""
    terms = repaired_terms(setting)
    return formulas.theorem_1(_sizes(setting), terms.denominator, Version.REPAIRED)


def corollary_formula(setting: Algorithm1Setting) -> Formed:
    """Corollary 1 as repaired."""
    return formulas.TRANSFER + "COROLLARY_1_REPAIRED", _values_of_corollary(setting)


def rate_formula(setting: Algorithm1Setting) -> Formed:
    """Corollary 1 as printed: what stands inside Õ(.)."""
    return formulas.TRANSFER + "COROLLARY_1", _values_of_corollary(setting)


def slack_formula(setting: Algorithm1Setting) -> Formed:
    """What line 14 allows a policy to lose in the models."""
    return formulas.slack(setting.epsilon, setting.Delta, setting.models.gamma)


def _sizes(setting: Algorithm1Setting) -> Values:
    models = setting.models
    sizes = (("S", models.S), ("A", models.A), ("k", models.k))
    return (*sizes, ("n", setting.n), ("delta", setting.delta))


def _values_of_corollary(setting: Algorithm1Setting) -> Values:
    models = setting.models
    gap = gap_Gamma(models, target=setting.target)
    known = (("gamma", models.gamma), ("epsilon", setting.epsilon), ("Gamma", gap))
    return (*_sizes(setting), *known)


# Judging runs


def misses_epsilon(setting: Algorithm1Setting, trial: Trial) -> TrialResult:
    """A policy that loses more than ε, or none although n exceeds the repaired bound.

    Assumption 4, in its repaired form, is the premise of the second half.
    """
    if not trial.stopped:
        return TrialResult(is_above(setting.n, repaired_bound(setting)))
    allowed = setting.epsilon + trial.tolerance
    return TrialResult(is_above(trial.loss, allowed), trial.loss / allowed)


def exceeds(trial: Trial, bound: float) -> TrialResult:
    """More queries than a bound, which may be zero or infinite."""
    if not is_above(trial.queries, bound):
        return TrialResult(False, trial.queries / bound if trial.queries else None)
    return TrialResult(True, trial.queries / bound if bound > 0 else math.inf)
