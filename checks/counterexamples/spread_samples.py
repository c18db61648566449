"""Tied arms under rules that spread the samples (erratum E10): random ties, and growing numbers.

The instance is that of `tied_arms`. A rule that takes any of the tied arms with the same chance
needs about as many queries as one that takes them in turn, and so many more as there are arms.
The first is a claim about chance and is tried out; the second is counted exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from checks.counterexamples import tied_arms
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.tied_arms import EXACTING, HARMLESS, UNTIED, TiedArms, instance
from checks.enclosed import Real
from checks.outcome import Outcome, Walk
from checks.registry import Context, Profile
from checks.section_3.tie_rules import exceeds_at_random, growth
from spec.vocabulary import Version

SEED, ALPHA = 0, 1e-4
FEW_TRIALS, TRIALS = 14, 94
"""Enough to show a violation, and enough to show that failures are rare."""
FEW, MANY = 25, 400


def at_random(case: TiedArms, trials: int = FEW_TRIALS) -> Outcome:
    """P(queries above the printed bound) ≤ δ with random ties."""
    return _trials(case, tied_arms.bound(case, Version.PRINTED), trials)


def at_random_repaired(case: TiedArms) -> Outcome:
    """Repaired: the factor is SA."""
    return _trials(case, tied_arms.bound(case, Version.REPAIRED, any_rule=True), TRIALS)


def _trials(case: TiedArms, bound: Real, trials: int) -> Outcome:
    return exceeds_at_random(Context(Profile.QUICK, SEED), case, bound, trials, ALPHA)


def grows(few: int = FEW, build: Callable[[int], TiedArms] = instance) -> Walk:
    """Queries over min{SA,|Θ|} L, when the arms are taken in turn."""
    return growth(few, MANY, spread=True, build=build)


def _growing_numbers() -> Numbers:
    return (*tied_arms.numbers(), ("numbers of arms that are compared", (FEW, MANY)))


CASES = (
    Case(
        checks=("theorem-1.phases/random-ties",),
        numbers=tied_arms.numbers,
        told=lambda: at_random(instance()),
        undo="100 arms in place of 400",
        undone=lambda: at_random(instance(100), TRIALS),
        broken={
            "transfer mode": lambda: at_random(EXACTING),
            "policies that stop in pass 1": lambda: at_random(HARMLESS),
            "tied arms": lambda: at_random(UNTIED),
        },
        repaired=lambda: tied_arms.in_fixed_order(instance()),
        sibling=lambda: at_random_repaired(instance(FEW)),
        sibling_numbers=lambda: tied_arms.numbers(FEW),
        inexact="the claim is about the probability with which random ties exceed the bound",
    ),
    Case(
        checks=("text-scales-with-min.minimum/least-sampled",),
        numbers=_growing_numbers,
        told=grows,
        undo="ties to the first arm in place of the least sampled one",
        undone=lambda: growth(FEW, MANY, spread=False),
        broken={
            "transfer mode": lambda: grows(build=partial(TiedArms, epsilon=EXACTING.epsilon)),
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
