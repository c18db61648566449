"""Tied arms under rules that spread the samples (erratum E10): random ties, and growing numbers.

The instance is that of `tied_arms`. A rule that takes any of the tied arms with the same chance
needs about as many queries as one that takes them in turn, and so many more as there are arms.

With random ties the samples of an arm among the first n queries are binomial, and the run is still
going on while no arm has enough of them: that bounds the probability of many queries from below.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb

from ptum.checks.exact.intervals import Between, Real, compared, whole_part
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.instances.counterexamples.section_3 import tied_arms
from ptum.checks.instances.counterexamples.section_3.tied_arms import (
    EXACTING,
    HARMLESS,
    UNTIED,
    TiedArms,
    instance,
)
from ptum.checks.instances.counterexamples.shared.certain_runs import ENTERS
from ptum.checks.verdicts.outcome import Statement, Walk, not_met
from ptum.spec.vocabulary import Version

FEW, MANY = 25, 400


def more_than(case: TiedArms, n: int) -> Between:
    """Bounds on P(more than n queries) with random ties: 1 - A P(Bin(n,1/A) ≥ enough), and 0 or 1.

    More than A(enough - 1) queries are impossible: some arm then has enough samples.
    """
    enough, chance = tied_arms.needed(case, 1), Fraction(1, case.arms)
    if n > case.arms * (enough - 1):
        return Between(Fraction(0), Fraction(0))
    below = sum(
        (comb(n, j) * chance**j * (1 - chance) ** (n - j) for j in range(enough)), Fraction(0)
    )
    return Between(max(1 - case.arms * (1 - below), Fraction(0)), Fraction(1))


def at_random(case: TiedArms) -> Walk:
    """P(queries above the printed bound) ≤ δ with random ties."""
    return _exceeding(case, Version.PRINTED)


def at_random_repaired(case: TiedArms) -> Walk:
    """Repaired: the factor is SA."""
    return _exceeding(case, Version.REPAIRED)


def _exceeding(case: TiedArms, version: Version) -> Walk:
    premises, printed = tied_arms.premises(case), version is Version.PRINTED
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    bound: Real = tied_arms.bound(case, version, any_rule=not printed)
    n = whole_part(bound)
    found = more_than(case, n)
    which = "at least" if found.low > tied_arms.DELTA else "at most"
    formed = tied_arms.formula(case, version) if printed else (None, ())
    return Walk(
        premises,
        Statement(
            f"P(more than {n} queries, the bound), {which}",
            *compared(found, "≤", tied_arms.DELTA),
            *formed,
        ),
    )


def grows(few: int = FEW, build: Callable[[int], TiedArms] = instance) -> Walk:
    """Queries over min{SA,|Θ|} L, when the arms are taken in turn."""
    return tied_arms.growth(few, MANY, spread=True, build=build)


def _growing_numbers() -> Numbers:
    return (*tied_arms.numbers(), ("numbers of arms that are compared", (FEW, MANY)))


CASES = (
    Case(
        checks=("theorem-1.phases/random-ties",),
        numbers=tied_arms.numbers,
        told=lambda: at_random(instance()),
        undo="100 arms in place of 400",
        undone=lambda: at_random(instance(100)),
        broken={
            ENTERS: lambda: at_random(EXACTING),
            "policies that stop in pass 1": lambda: at_random(HARMLESS),
            "tied arms": lambda: at_random(UNTIED),
        },
        repaired=lambda: tied_arms.in_fixed_order(instance()),
        sibling=lambda: at_random_repaired(instance(FEW)),
        sibling_numbers=lambda: tied_arms.numbers(FEW),
    ),
    Case(
        checks=("text-scales-with-min.minimum/least-sampled",),
        numbers=_growing_numbers,
        told=grows,
        undo="ties to the first arm in place of the least sampled one",
        undone=lambda: tied_arms.growth(FEW, MANY, spread=False),
        broken={
            ENTERS: lambda: grows(build=partial(TiedArms, epsilon=EXACTING.epsilon)),
            "policies that stop in pass 1": lambda: grows(
                build=partial(TiedArms, rival=HARMLESS.rival)
            ),
            "tied arms": lambda: grows(build=partial(TiedArms, first=UNTIED.first)),
            "arms": lambda: grows(few=MANY // 2),
        },
        repaired=lambda: tied_arms.in_fixed_order(instance(MANY)),
        sibling=lambda: tied_arms.spread_repaired(instance(FEW)),
        sibling_numbers=lambda: tied_arms.numbers(FEW),
    ),
)
