"""Runs of the tied arms under several rules for ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ptum.checks.exact.intervals import Real
from ptum.checks.instances.counterexamples.section_3 import theorem_1
from ptum.checks.instances.counterexamples.section_3.theorem_1 import TiedArms
from ptum.checks.verdicts.check import Context
from ptum.checks.verdicts.outcome import (
    Outcome,
    formula_lines,
    over_evaluations,
    premise_lines,
    unmet,
)
from ptum.checks.verdicts.probability_search import TrialResult, judge_named, one_by_one, within
from ptum.spec.vocabulary import Version


def exceeds_at_random(
    context: Context, case: TiedArms, bound: Real, trials: int, alpha: float
) -> Outcome:
    """P(queries > bound) ≤ δ with ties broken by a fair draw."""
    premises, limit = theorem_1.tied_arms_premises(case), float(bound)
    if failed := unmet(premises):
        return failed

    def trial(_: TiedArms, rng: np.random.Generator) -> TrialResult:
        return within(theorem_1.queries(case, theorem_1.tied_arms_at_random(rng)) / limit)

    named = {f"{case.arms} tied arms, at most {limit:.6g} queries": case}
    claim = one_by_one(trial, float(theorem_1.DELTA), _theorem_1)
    outcome = judge_named(context, claim, named, trials, alpha)
    return replace(outcome, explanation=(*premise_lines(premises), *outcome.explanation))


def _theorem_1(case: TiedArms) -> tuple[str, ...]:
    return formula_lines(*theorem_1.formula(case, Version.PRINTED))


def all_rules(context: Context, cases: Sequence[TiedArms]) -> Outcome:
    """Repaired: factor min{SA,|Θ|-1} in a fixed order, and SA for rules that spread the samples.

    The formula of the repaired theorem is that of a fixed order.
    """
    evaluations = []
    for number, case in enumerate(cases):
        at_random = theorem_1.tied_arms_at_random(context.generator(number))
        spread = theorem_1.tied_arms_bound(case, Version.REPAIRED, any_rule=True)
        in_order, bound = (
            theorem_1.fixed_order(case),
            theorem_1.tied_arms_bound(case, Version.REPAIRED),
        )
        evaluations += [
            theorem_1.evaluation(case, in_order, bound, Version.REPAIRED),
            theorem_1.evaluation(case, theorem_1.queries(case, theorem_1.least_sampled), spread),
            theorem_1.evaluation(case, theorem_1.queries(case, at_random), spread),
        ]
    return over_evaluations(evaluations, "runs met the premises")
