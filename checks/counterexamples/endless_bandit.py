"""Corollary 1 for Δ > 0 (erratum E07): the bandit of E01 uses up every budget.

All indices are 0, so ties go to the first arm, where both models are the same and exactly right:
no number of samples eliminates anything, and the run makes n queries whatever n is. Corollary 1
allows them to grow like a power of log n only.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod

from ptum.checks import exact
from ptum.checks.counterexamples import positive_index
from ptum.checks.counterexamples.catalogue import Case, Numbers, Told
from ptum.checks.counterexamples.certain_runs import Inputs, literal_run, log_term
from ptum.checks.counterexamples.positive_index import Instance
from ptum.checks.counterexamples.shown import tasks
from ptum.checks.enclosed import Between, compared, log
from ptum.checks.exact_terms import Situation, gap_Gamma
from ptum.checks.outcome import Statement, Walk
from ptum.reference.arrays import ROUNDING
from ptum.reference.sample_complexity import corollary_1_rate
from ptum.spec.vocabulary import Version

DELTA = Fraction(1, 10)
CONSTANT, POWER = 10**6, 6
"""How much room Õ is given: queries ≤ CONSTANT · rate · log(8SAn(|Θ|+1)/δ)^POWER."""
ROUNDED = 24 * ROUNDING
"""A dozen operations, the logarithm of 10 among them; doubled."""
BUDGET = 10**30
TRIED_BUDGETS, PLAYED_BUDGET = (500, 5000), 100_000


def allowed(instance: Instance, n: int) -> Between:
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
    if abs(literal / float(rate) - 1) > ROUNDED:
        raise AssertionError(f"the literal rate is {literal}, not {float(rate)}")
    return CONSTANT * rate * prod([log_term(first.S, first.A, n, k, DELTA)] * POWER)


def walk(instance: Instance, version: Version, n: int = BUDGET) -> Walk:
    """Corollary 1 at budget n, with the premises that make the run predictable."""
    first, second = instance.models
    same_at_first_arm = first.r[0][0] == second.r[0][0] and first.p[0][0] == second.p[0][0]
    lemma_7 = positive_index.walk(instance, version)
    return Walk(
        premises=(
            *lemma_7.premises,
            Statement(
                "largest index, so that ties go to the first arm",
                exact.largest_index(instance.models, instance.Delta),
                "=",
                0,
            ),
            Statement("the models are the same there", same_at_first_arm, "=", True),
            Statement("rewards there are certain: variance", first.var[0][0], "=", 0),
            *(
                Statement(
                    f"queries of a run with n = {budget}", queries(instance, budget), "=", budget
                )
                for budget in TRIED_BUDGETS
            ),
        ),
        conclusion=Statement(
            f"queries at n = {n:.0e} against {CONSTANT:.0e} · rate · L^{POWER}",
            *compared(n, "≤", allowed(instance, n)),
        ),
    )


def queries(instance: Instance, n: int) -> int:
    """What the algorithm does at a budget that can be run; the target is model 0."""
    told = Inputs(instance.epsilon, DELTA, n, instance.Delta)
    return literal_run(instance.models, told).queries


def tiny_index(excess: Fraction = Fraction(1, 2000)) -> Instance:
    """Sibling at the repaired threshold: four states whose gaps exceed 8Δ by a small share only."""
    gamma, epsilon = Fraction(1, 2), Fraction(1)
    Delta = exact.transfer_threshold(epsilon, gamma, 18)
    return Instance(
        positive_index.sharp(Delta * (1 + excess), epsilon, gamma).models, epsilon, Delta
    )


def _situation(instance: Instance) -> Situation:
    return Situation(instance.models, instance.epsilon, instance.Delta)


def explicit_bound(instance: Instance, n: int) -> Between:
    """min{SA,|Θ|-1} L min{1000/((1-γ)²Γ²), 16000/((1-γ)⁴ε²)}."""
    first, k = instance.models[0], len(instance.models)
    Gamma = Fraction(gap_Gamma(_situation(instance)))
    by_gap = 1000 / ((1 - first.gamma) * Gamma) ** 2
    by_accuracy = 16_000 / ((1 - first.gamma) ** 2 * instance.epsilon) ** 2
    L = log_term(first.S, first.A, n, k, DELTA)
    return min(first.S * first.A, k - 1) * L * min(by_gap, by_accuracy)


def repaired_walk(instance: Instance, n: int = PLAYED_BUDGET) -> Walk:
    """Repaired Corollary 1 on one run, whose rewards are certain."""
    lemma_7 = positive_index.walk(instance, Version.REPAIRED)
    gamma = instance.models[0].gamma
    return Walk(
        premises=(
            *lemma_7.premises,
            Statement("ε against 1/(1-γ)", instance.epsilon, "≤", 1 / (1 - gamma)),
        ),
        conclusion=Statement(
            f"queries of a run with n = {n} against the explicit bound",
            *compared(queries(instance, n), "≤", explicit_bound(instance, n)),
        ),
    )


def numbers(instance: Instance, n: int) -> Numbers:
    """Both models and what PTUM is given."""
    return (
        *tasks(zip(("the target", "the rival"), instance.models, strict=True)),
        ("γ", instance.models[0].gamma),
        ("ε", instance.epsilon),
        ("Δ", instance.Delta),
        ("δ", DELTA),
        ("budget n", n),
    )


def numbers_of_claim() -> Numbers:
    """The same of the bandit, and how much Õ is allowed to hide."""
    return (
        *numbers(positive_index.bandit(), BUDGET),
        ("constant in front of the rate", CONSTANT),
        ("power of the logarithm", POWER),
    )


def _different_first_arm() -> Instance:
    bandit = positive_index.bandit()
    rival = replace(bandit.models[1], r=((Fraction(1, 100), *bandit.models[1].r[0][1:]),))
    return replace(bandit, models=(bandit.models[0], rival))


def _uncertain_first_arm() -> Instance:
    bandit = positive_index.bandit()
    target = replace(bandit.models[0], var=((Fraction(1, 4), Fraction(0), Fraction(0)),))
    return replace(bandit, models=(target, bandit.models[1]))


def _at(Delta: Fraction) -> Told:
    return partial(walk, positive_index.bandit(Delta), Version.PRINTED)


CASES = (
    Case(
        checks=("corollary-1.rate/endless-bandit",),
        numbers=numbers_of_claim,
        told=partial(walk, positive_index.bandit(), Version.PRINTED),
        undo="a budget of 10⁹, at which a sixth power of the logarithm is still larger",
        undone=partial(walk, positive_index.bandit(), Version.PRINTED, 10**9),
        broken={
            "transfer mode: Δ against its threshold": _at(Fraction(14, 1000)),
            "no stop: smallest worst loss of a policy against the slack": partial(
                walk, replace(positive_index.bandit(), epsilon=Fraction(3, 2)), Version.PRINTED
            ),
            "largest index, so that ties go to the first arm": _at(Fraction(11, 1000)),
            "the models are the same there": partial(walk, _different_first_arm(), Version.PRINTED),
            "rewards there are certain: variance": partial(
                walk, _uncertain_first_arm(), Version.PRINTED
            ),
            **{f"queries of a run with n = {n}": _at(Fraction(1, 1000)) for n in TRIED_BUDGETS},
        },
        repaired=partial(repaired_walk, positive_index.bandit()),
        sibling=partial(repaired_walk, tiny_index()),
        sibling_numbers=partial(numbers, tiny_index(), PLAYED_BUDGET),
    ),
)
