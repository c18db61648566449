"""Tied arms under rules that spread the samples (erratum E10): random ties, and growing numbers.

The instance is that of `tied_arms`. A rule that takes any of the tied arms with the same chance
needs about as many queries as one that takes them in turn, and so many more as there are arms.

With random ties the samples of an arm among the first n queries are binomial, and the run is still
going on while no arm has enough of them: that bounds the probability of many queries from below.
"""

from __future__ import annotations

from fractions import Fraction

from ptum.checks.exact.intervals import Between, Real, compared, whole_part
from ptum.checks.exact.mass import binomial_probability
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.section_3 import tied_arms
from ptum.checks.instances.counterexamples.section_3.tied_arms import (
    EXACTING,
    HARMLESS,
    UNTIED,
    Growth,
    TiedArms,
    instance,
)
from ptum.checks.instances.counterexamples.shared.deterministic_runs import ENTERS
from ptum.checks.verdicts.outcome import Evaluation, Statement, not_met
from ptum.spec.vocabulary import CheckKind, Version


def more_than(case: TiedArms, n: int) -> Between:
    """Bounds on P(more than n queries) with random ties: 1 - A P(Bin(n,1/A) ≥ enough), and 0 or 1.

    More than A(enough - 1) queries are impossible: some arm then has enough samples.
    """
    enough, chance = tied_arms.needed(case, 1), Fraction(1, case.arms)
    if n > case.arms * (enough - 1):
        return Between(Fraction(0), Fraction(0))
    below = binomial_probability(n, chance, lambda samples: samples < enough)
    return Between(max(1 - case.arms * (1 - below), Fraction(0)), Fraction(1))


def at_random(case: TiedArms) -> Evaluation:
    """P(queries above the printed bound) ≤ δ with random ties."""
    return _exceeding(case, Version.PRINTED)


def at_random_repaired(case: TiedArms) -> Evaluation:
    """Repaired: the factor is SA."""
    return _exceeding(case, Version.REPAIRED)


def _exceeding(case: TiedArms, version: Version) -> Evaluation:
    premises, printed = tied_arms.premises(case), version is Version.PRINTED
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    bound: Real = tied_arms.bound(case, version, any_rule=not printed)
    n = whole_part(bound)
    found = more_than(case, n)
    which = "at least" if found.low > tied_arms.DELTA else "at most"
    formed = tied_arms.formula(case, version) if printed else (None, ())
    return Evaluation(
        premises,
        Statement(
            f"P(more than {n} queries, the bound), {which}",
            *compared(found, "≤", tied_arms.DELTA),
            *formed,
        ),
    )


def _growing_numbers(case: Growth) -> Numbers:
    compared_arms = ("numbers of arms that are compared", (case.few, case.many))
    return (*tied_arms.numbers(case.of(case.many)), compared_arms)


declare(
    Counterexample(
        part_of=("theorem-1.phases/random-ties",),
        instance=instance(),
        evaluate=at_random,
        numbers=tied_arms.numbers,
        fix="100 arms in place of 400",
        fixed=instance(100),
        broken={
            ENTERS: EXACTING,
            "policies that stop in iteration 1": HARMLESS,
            "tied arms": UNTIED,
        },
        repaired=at_random_repaired,
        in_scope=instance(25),
    )
)
declare(
    Counterexample(
        checks={
            "text-scales-with-min.minimum/least-sampled": (
                "The same with ties to the arm with the fewest samples"
            ),
        },
        kind=CheckKind.ASYMPTOTIC,
        instance=Growth(),
        evaluate=tied_arms.growth,
        numbers=_growing_numbers,
        fix="ties to the first arm in place of the least sampled one",
        fixed=Growth(spread=False),
        broken={
            ENTERS: Growth(like=EXACTING),
            "policies that stop in iteration 1": Growth(like=HARMLESS),
            "tied arms": Growth(like=UNTIED),
            "arms": Growth(few=200),
        },
        repaired=lambda case: tied_arms.spread_repaired(case.of(case.many)),
        in_scope=Growth(few=5, many=25),
    )
)
