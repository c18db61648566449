"""Corollary 1 for Δ > 0 (erratum E07): a run of zero index takes as long as one likes.

One state, three arms with deterministic rewards, exact models, γ = 0. Target and rival disagree by
1/2 about arms 1 and 2, which is below 8Δ, and by Δ + x about arm 0, so that every index is 0. Ties
go to the first arm, as the phases of Theorem 1's proof need it of some arm: test (1) sees the x
after 7L/(3x) samples, and the run stops with the right policy. Γ and ε do not depend on x.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import prod

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, compared, log
from ptum.checks.exact.numbers import is_above
from ptum.checks.exact.terms import Situation, gap_Gamma
from ptum.checks.instances.counterexamples.appendix_b import positive_index
from ptum.checks.instances.counterexamples.appendix_b.positive_index import ExactModels
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import (
    Algorithm1Inputs,
    arms,
    literal_run,
    log_term,
)
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import ROUNDING
from ptum.reference.transfer.analysis.sample_complexity import corollary_1_rate
from ptum.spec.vocabulary import CheckKind, Version

DELTA = Fraction(1, 10)
CONSTANT, POWER = 10**6, 6
"""How much room Õ is given: queries ≤ CONSTANT · rate · log(8SAn(|Θ|+1)/δ)^POWER."""
ROUNDED = 24 * ROUNDING
"""A dozen operations, the logarithm of 10 among them; doubled."""
EXCESS, BUDGET = Fraction(1, 10**20), 10**25
TRIED, PLAYED_BUDGET = (Fraction(1, 10), Fraction(1, 100)), 100_000
"""What the literal code can run."""


def bandit(
    x: Fraction = EXCESS, Delta: Fraction = Fraction(1, 10), epsilon: Fraction = Fraction(1, 2)
) -> ExactModels:
    """Target (0, 0.9, 0.4), rival (Δ + x, 0.4, 0.9)."""
    low, high = Fraction(2, 5), Fraction(9, 10)
    rows = (Fraction(0), high, low), (Delta + x, low, high)
    return ExactModels(arms(Fraction(0), *rows), epsilon, Delta)


def allowed(instance: ExactModels, n: int) -> Between:
    """CONSTANT · rate · L^POWER at budget n, with the literal rate as a second witness."""
    first, k = instance.models[0], len(instance.models)
    Gamma = Fraction(gap_Gamma(_situation(instance)))
    scale = max(Gamma, instance.epsilon) ** 2 * (1 - first.gamma) ** 4
    rate = min(first.S * first.A, k) * log(1 / DELTA) / scale
    literal = corollary_1_rate(
        first.S,
        first.A,
        k,
        gamma=float(first.gamma),
        epsilon=float(instance.epsilon),
        delta=float(DELTA),
        Gamma=float(Gamma),
    )
    if is_above(abs(literal / float(rate) - 1), ROUNDED):
        raise AssertionError(f"the literal rate is {literal}, not {float(rate)}")
    return CONSTANT * rate * prod([log_term(first.S, first.A, n, k, DELTA)] * POWER)


def evaluation(instance: ExactModels, n: int = BUDGET) -> Evaluation:
    """Corollary 1 at budget n where every index is 0 and the run stops by itself."""
    confirm_by_literal_runs()
    run = deterministic_runs.transfer_mode(instance.models, told(instance, n))
    return Evaluation(
        premises=(
            *positive_index.evaluation(instance, Version.PRINTED).premises,
            Statement(
                "largest index, so that ties go to the first arm",
                mdp.largest_index(instance.models, instance.Delta),
                "=",
                0,
            ),
            Statement("the target stays active", 0 in run.active, "=", True),
            Statement("the run stops by itself: queries against n", run.queries, "<", n),
        ),
        conclusion=Statement(
            f"queries at n = {n:.0e} against {CONSTANT:.0e} · rate · L^{POWER}",
            *compared(run.queries, "≤", allowed(instance, n)),
        ),
    )


@cache
def confirm_by_literal_runs() -> None:
    """At an x that the literal code can run it takes as many queries as the run in rationals."""
    for x in TRIED:
        deterministic_runs.run(bandit(x).models, told(bandit(x), PLAYED_BUDGET))


def told(instance: ExactModels, n: int) -> Algorithm1Inputs:
    """What PTUM is given."""
    return Algorithm1Inputs(instance.epsilon, DELTA, n, instance.Delta)


def queries(instance: ExactModels, n: int) -> int:
    """What the algorithm does at a budget that can be run; the target is model 0."""
    return literal_run(instance.models, told(instance, n)).queries


def tiny_index(excess: Fraction = Fraction(1, 2000)) -> ExactModels:
    """Sibling at the repaired threshold: four states whose gaps exceed 8Δ by a small share only."""
    gamma, epsilon = Fraction(1, 2), Fraction(1)
    Delta = mdp.transfer_threshold(epsilon, gamma, 18)
    return ExactModels(
        positive_index.sharp(Delta * (1 + excess), epsilon, gamma).models, epsilon, Delta
    )


def _situation(instance: ExactModels) -> Situation:
    return Situation(instance.models, instance.epsilon, instance.Delta)


def explicit_bound(instance: ExactModels, n: int) -> Between:
    """min{SA,|Θ|-1} L min{1000/((1-γ)²Γ²), 16000/((1-γ)⁴ε²)}."""
    first, k = instance.models[0], len(instance.models)
    Gamma = Fraction(gap_Gamma(_situation(instance)))
    by_gap = 1000 / ((1 - first.gamma) * Gamma) ** 2
    by_accuracy = 16_000 / ((1 - first.gamma) ** 2 * instance.epsilon) ** 2
    L = log_term(first.S, first.A, n, k, DELTA)
    return min(first.S * first.A, k - 1) * L * min(by_gap, by_accuracy)


def repaired_evaluation(instance: ExactModels, n: int = PLAYED_BUDGET) -> Evaluation:
    """Repaired Corollary 1 on one run, whose rewards are deterministic."""
    lemma_7 = positive_index.evaluation(instance, Version.REPAIRED)
    gamma = instance.models[0].gamma
    return Evaluation(
        premises=(
            *lemma_7.premises,
            Statement("ε against 1/(1-γ)", instance.epsilon, "≤", 1 / (1 - gamma)),
        ),
        conclusion=Statement(
            f"queries of a run with n = {n} against the explicit bound",
            *compared(queries(instance, n), "≤", explicit_bound(instance, n)),
        ),
    )


@dataclass(frozen=True)
class BudgetedRun:
    """An instance with the budget of its run."""

    instance: ExactModels
    n: int = BUDGET


def numbers(case: BudgetedRun) -> Numbers:
    """Both models, what PTUM is given, and how much Õ is allowed to hide."""
    instance = case.instance
    return (
        *tasks(zip(("the target", "the rival"), instance.models, strict=True)),
        ("γ", instance.models[0].gamma),
        ("ε", instance.epsilon),
        ("Δ", instance.Delta),
        ("δ", DELTA),
        ("budget n", case.n),
        ("constant in front of the rate", CONSTANT),
        ("power of the logarithm", POWER),
    )


declare(
    Counterexample(
        checks={
            "corollary-1.rate/endless-bandit": (
                "Where all indices are zero, the queries are bounded by Γ, ε and a power of log n"
            ),
        },
        kind=CheckKind.ASYMPTOTIC,
        instance=BudgetedRun(bandit()),
        evaluate=lambda case: evaluation(case.instance, case.n),
        numbers=numbers,
        fix="x = 1/10, so that the first arm tells the models apart soon",
        fixed=BudgetedRun(bandit(Fraction(1, 10))),
        broken={
            "transfer mode: Δ against its threshold": BudgetedRun(bandit(Delta=Fraction(13, 100))),
            "no stop: smallest worst loss of a policy against the slack": BudgetedRun(
                bandit(epsilon=Fraction(9, 10))
            ),
            "largest index, so that ties go to the first arm": BudgetedRun(
                bandit(Delta=Fraction(1, 100))
            ),
            "the run stops by itself: queries against n": BudgetedRun(bandit(), PLAYED_BUDGET),
        },
        always={"the target stays active": "models are exact, so that it passes every test"},
        repaired=lambda case: repaired_evaluation(case.instance),
        in_scope=BudgetedRun(tiny_index(), PLAYED_BUDGET),
    )
)
