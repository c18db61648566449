"""The |Θ| half of Theorem 1 when ties are not broken by a fixed order (erratum E10).

One state, 400 deterministic arms, γ = 0, ε = 1/2, exact models: (1, 0, …, 0) is the target and
(0, 1, …, 1) its rival. Every arm has index 1. In a fixed order all samples go to one arm; a rule
that spreads them has to wait until some arm has enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact.intervals import Between, Real, compared
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation, max_min, min_max, theta_eps, theta_s
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Formed, Statement
from ptum.reference.tasks.mdp import deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.analysis.sample_complexity import FACTOR
from ptum.reference.transfer.assumptions import single
from ptum.spec.vocabulary import Version

DELTA, N_BUDGET = Fraction(1, 10), 100_000
BOTH = (0, 1)
Rule = Callable[[int], Iterator[int]]
"""Given the number of tied arms, which of them is queried, pass by pass."""


@dataclass(frozen=True)
class TiedArms:
    """Two models, the first of which is the target.

    `first` is what the first arm pays in the target; below 1 that arm has a smaller index.
    `rival` is what the other arms pay in the rival.
    """

    arms: int = 400
    first: Fraction = Fraction(1)
    rival: Fraction = Fraction(1)
    epsilon: Fraction = Fraction(1, 2)

    @cached_property
    def two_arms(self) -> tuple[ExactMDP, ...]:
        """The first arm and one of the others, which are all alike."""
        zero = Fraction(0)
        return deterministic_runs.arms(zero, (self.first, zero), (zero, self.rival))

    @cached_property
    def models(self) -> ApproximateModels:
        """All arms, in doubles."""
        rewards = np.zeros((2, 1, self.arms))
        rewards[0, 0, 0], rewards[1, 0, 1:] = self.first, self.rival
        stay = np.ones((1, self.arms, 1))
        return approximate_models([deterministic_rewards(stay, r, 0.0) for r in rewards])

    @property
    def told(self) -> Algorithm1Inputs:
        """What PTUM is given."""
        return Algorithm1Inputs(self.epsilon, DELTA, N_BUDGET)

    @property
    def situation(self) -> Situation:
        """The same for Theorem 1; a maximum over all arms is one over the two."""
        return Situation(self.two_arms, self.epsilon)

    @property
    def L(self) -> Between:
        """log(8SAn(k+1)/δ)."""
        return deterministic_runs.log_term(1, self.arms, N_BUDGET, 2, DELTA)


def instance(arms: int = 400) -> TiedArms:
    """All arms tied."""
    return TiedArms(arms)


def tied(case: TiedArms) -> int:
    """How many arms share the largest index."""
    indices = deterministic_runs.index(case.two_arms, BOTH, case.told.Delta)
    first, other = indices[0, 0], indices[0, 1]
    return int(first >= other) + (case.arms - 1) * int(other >= first)


def needed(case: TiedArms, arm: int) -> int:
    """Samples of the arm that drop the rival; arms 1, 2, … are all alike."""
    gap = case.first if arm == 0 else case.rival
    return deterministic_runs.first_below(7 * case.L / 3, gap) or N_BUDGET


def queries(case: TiedArms, rule: Rule) -> int:
    """Passes until some arm has the samples that drop the rival; then only the target is left."""
    enough = [needed(case, arm) for arm in range(2)]
    N = [0] * case.arms
    for passes, arm in enumerate(rule(case.arms), start=1):
        N[arm] += 1
        if N[arm] >= enough[min(arm, 1)]:
            return passes
    return N_BUDGET


def fixed_order(case: TiedArms) -> int:
    """The literal rule, by the engine."""
    result = simulated_run(
        case.models,
        case.models.tasks[0],
        seed=0,
        epsilon=float(case.epsilon),
        delta=float(DELTA),
        n=N_BUDGET,
        errors=single(0.0),
    )
    return result.queries


def least_sampled(arms: int) -> Iterator[int]:
    """One arm after the other, so that counts never differ by more than one."""
    for passes in range(N_BUDGET):
        yield passes % arms


def at_random(rng: np.random.Generator) -> Rule:
    """Any of the tied arms with the same probability."""

    def rule(arms: int) -> Iterator[int]:
        yield from rng.integers(0, arms, size=N_BUDGET).tolist()

    return rule


def bound(case: TiedArms, version: Version, *, any_rule: bool = False) -> Real:
    """Theorem 1 as printed, or repaired with the factor min{SA,|Θ|-1}, or SA for any rule."""
    at_most = 2 if version is Version.PRINTED else 1
    multiplicity = case.arms if any_rule else min(case.arms, at_most)
    return FACTOR * multiplicity * case.L / _denominator(case, version)


def _denominator(case: TiedArms, version: Version) -> Fraction:
    situation = case.situation
    if version is Version.PRINTED:
        found = max_min(situation, theta_eps(situation))
    else:
        found = min_max(situation, theta_s(situation))
    return Fraction(found)


def premises(case: TiedArms) -> tuple[Statement, ...]:
    """Transfer mode, iteration 1 does not stop, and all arms are tied."""
    good = deterministic_runs.stopping_models(case.two_arms, BOTH, case.told)
    return (
        deterministic_runs.enters(case.told, Fraction(0)),
        Statement("policies that stop in iteration 1", len(good), "=", 0),
        Statement("tied arms", tied(case), "=", case.arms),
    )


def formula(case: TiedArms, version: Version) -> Formed:
    """Theorem 1 with the numbers of the case."""
    told = (("S", 1), ("A", case.arms), ("k", 2), ("n", N_BUDGET), ("delta", DELTA))
    return formulas.theorem_1(told, _denominator(case, version), version)


def evaluation(
    case: TiedArms,
    used: int,
    allowed: Real,
    version: Version | None = None,
    text: str = "queries against the bound",
) -> Evaluation:
    """Theorem 1 for a run that made so many queries; a version if the bound is its formula."""
    formed = (None, ()) if version is None else formula(case, version)
    return Evaluation(premises(case), Statement(text, *compared(used, "≤", allowed), *formed))


def spread(case: TiedArms) -> Evaluation:
    """Theorem 1 as printed for the arms in turn."""
    allowed = bound(case, Version.PRINTED)
    return evaluation(case, queries(case, least_sampled), allowed, Version.PRINTED)


def spread_repaired(case: TiedArms) -> Evaluation:
    """Repaired: the factor is SA for a rule that spreads the samples."""
    allowed = bound(case, Version.REPAIRED, any_rule=True)
    text = "queries of the least sampled arm against the bound with factor SA"
    return evaluation(case, queries(case, least_sampled), allowed, text=text)


def in_fixed_order(case: TiedArms) -> Evaluation:
    """Repaired: the factor is min{SA,|Θ|-1} if ties are broken by a fixed order of the pairs."""
    allowed = bound(case, Version.REPAIRED)
    text = "queries in a fixed order of the pairs against the bound with factor min{SA,|Θ|-1}"
    return evaluation(case, fixed_order(case), allowed, Version.REPAIRED, text)


@dataclass(frozen=True)
class Growth:
    """Few and many arms, all else as in `like`; taken in turn (`spread`) or in a fixed order."""

    few: int = 25
    many: int = 400
    spread: bool = True
    like: TiedArms = TiedArms()

    def of(self, arms: int) -> TiedArms:
        """So many arms."""
        return replace(self.like, arms=arms)


def growth(case: Growth, allowed: int = 2) -> Evaluation:
    """With two models min{SA,|Θ|} stays 2 however many arms there are.

    A declared test of slope: queries/(min{SA,|Θ|}·L) may grow by `allowed` from few to many arms.
    """

    def relative(arms: TiedArms) -> Between:
        count = queries(arms, least_sampled) if case.spread else fixed_order(arms)
        return count / (min(arms.arms, 2) * arms.L)

    few, many = case.of(case.few), case.of(case.many)
    return Evaluation(
        premises=(
            *premises(many),
            Statement("arms", many.arms, "≥", 4 * few.arms),
        ),
        conclusion=Statement(
            f"growth of queries/(min{{SA,|Θ|}} L) from {few.arms} to {many.arms} arms",
            *compared(relative(many) / relative(few), "≤", allowed),
        ),
    )


def numbers(case: TiedArms) -> Numbers:
    """Two rows of rewards, and what the run is told."""
    return (
        ("γ", Fraction(0)),
        ("ε, δ, Δ, n", (case.epsilon, DELTA, 0, N_BUDGET)),
        ("arms", case.arms),
        ("certain rewards of the target", "1 at the first arm, 0 at all others"),
        ("certain rewards of the rival", "0 at the first arm, 1 at all others"),
        ("samples of an arm that drop the rival", needed(case, 1)),
    )


EXACTING, HARMLESS = TiedArms(epsilon=Fraction(0)), TiedArms(rival=Fraction(0))
UNTIED = TiedArms(first=Fraction(9, 10))

declare(
    Counterexample(
        checks={
            "theorem-1.phases/least-sampled": (
                "400 tied arms and two models, ties to the arm with the fewest samples"
            ),
        },
        instance=instance(),
        evaluate=spread,
        numbers=numbers,
        fix="100 arms in place of 400",
        fixed=instance(100),
        broken={
            deterministic_runs.ENTERS: EXACTING,
            "policies that stop in iteration 1": HARMLESS,
            "tied arms": UNTIED,
        },
        repaired=spread_repaired,
        in_scope=instance(100),
    )
)
