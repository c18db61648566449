"""Runs of the tied arms under several rules for ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ptum.checks.exact.intervals import Real
from ptum.checks.instances.counterexamples.section_3 import tied_arms
from ptum.checks.instances.counterexamples.section_3.tied_arms import TiedArms
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
    premises, limit = tied_arms.premises(case), float(bound)
    if failed := unmet(premises):
        return failed

    def trial(_: TiedArms, rng: np.random.Generator) -> TrialResult:
        return within(tied_arms.queries(case, tied_arms.at_random(rng)) / limit)

    named = {f"{case.arms} tied arms, at most {limit:.6g} queries": case}
    claim = one_by_one(trial, float(tied_arms.DELTA), _theorem_1)
    outcome = judge_named(context, claim, named, trials, alpha)
    return replace(outcome, explanation=(*premise_lines(premises), *outcome.explanation))


def _theorem_1(case: TiedArms) -> tuple[str, ...]:
    return formula_lines(*tied_arms.formula(case, Version.PRINTED))


def all_rules(context: Context, cases: Sequence[TiedArms]) -> Outcome:
    """Repaired: factor min{SA,|Θ|-1} in a fixed order, and SA for rules that spread the samples.

    The formula of the repaired theorem is that of a fixed order.
    """
    evaluations = []
    for number, case in enumerate(cases):
        at_random = tied_arms.at_random(context.generator(number))
        spread = tied_arms.bound(case, Version.REPAIRED, any_rule=True)
        in_order, bound = tied_arms.fixed_order(case), tied_arms.bound(case, Version.REPAIRED)
        evaluations += [
            tied_arms.evaluation(case, in_order, bound, Version.REPAIRED),
            tied_arms.evaluation(case, tied_arms.queries(case, tied_arms.least_sampled), spread),
            tied_arms.evaluation(case, tied_arms.queries(case, at_random), spread),
        ]
    return over_evaluations(evaluations, "runs met the premises")
