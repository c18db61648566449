"""Against Theorem 1 where samples say little, or ties are broken freely (errata E03, E04, E10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Protocol

import numpy as np

from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact.intervals import Between, Real, compared, whole_part
from ptum.checks.exact.mass import binomial_probability
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import (
    Situation,
    gap_Gamma,
    max_min,
    min_max,
    of_theorem_1,
    theta_eps,
    theta_s,
)
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import ENTERS, Algorithm1Inputs
from ptum.checks.verdicts import formulas, proof_bounds
from ptum.checks.verdicts.outcome import Evaluation, Formed, Statement, Values, not_met
from ptum.reference.tasks.mdp import deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.analysis.sample_complexity import FACTOR
from ptum.spec.vocabulary import CheckKind, Version

# Theorem 1 and Corollary 1 where each arm is silent about one rival (errata E03 and E04).
#
# One state, three Bernoulli arms, γ = 1/2, ε = 2/5, exact models. Two rivals differ from the target
# at one arm each, so every arm has a rival about which it says nothing: the largest over arms of
# the least information is 0, although each rival alone is told apart by one arm with information
# 7/10.


class SituationClaim(Protocol):
    """A claim about a situation, as printed or repaired."""

    def __call__(self, situation: Situation, version: Version) -> Evaluation:
        """The claim held against the situation."""


MEANS = ((5, 2, 2), (5, 9, 2), (5, 2, 9))
"""Tenths."""


def bernoulli_arms(means: Sequence[Fraction], gamma: Fraction) -> ExactMDP:
    """One state whose arms pay 1 with the given probabilities."""
    r = tuple(means)
    var = tuple(mean * (1 - mean) for mean in r)
    stay = ((Fraction(1),),) * len(r)
    return ExactMDP(p=(stay,), r=(r,), var=(var,), gamma=gamma)


def three_arms_instance(
    means: Sequence[Sequence[int]] = MEANS, Delta: Fraction = Fraction(0)
) -> Situation:
    """The target and its two rivals."""
    models = tuple(
        bernoulli_arms([Fraction(mean, 10) for mean in row], Fraction(1, 2)) for row in means
    )
    return Situation(models, epsilon=Fraction(2, 5), Delta=Delta)


def _enters(situation: Situation, version: Version) -> Statement:
    """Line 2: strictly below (1-γ)ε/(4(1+γ)) as printed, at most with 18 in place of 4 repaired."""
    return formulas.transfer_mode(situation.Delta, situation.epsilon, situation.gamma, version)


def _sizes(situation: Situation) -> Values:
    target = situation.models[0]
    return (("S", target.S), ("A", target.A), ("k", len(situation.models)))


def rate_formula(situation: Situation) -> Formed:
    """Corollary 1's rate, which the steps of its proof lead to; δ does not matter to them."""
    known = (("Gamma", gap_Gamma(situation)), ("epsilon", situation.epsilon))
    values = (*_sizes(situation), *known, ("gamma", situation.gamma))
    return formulas.TRANSFER + "COROLLARY_1", values


def _started(
    situation: Situation, version: Version, blocking: tuple[int, ...]
) -> tuple[Statement, Statement]:
    blocked = Statement("models that have to be eliminated", len(blocking), "≥", 1)
    return _enters(situation, version), blocked


def _exact(situation: Situation) -> Statement:
    return Statement("the models are exact: Δ", situation.Delta, "=", 0)


def exchange(situation: Situation, version: Version) -> Evaluation:
    """Corollary 1, first step: the denominator is at least max{Γ²,κ_ε²}(1-γ)², at Δ = 0."""
    blocking = theta_eps(situation)
    printed = version is Version.PRINTED
    denominator = (max_min if printed else min_max)(situation, blocking)
    Gamma, kappa, gamma = gap_Gamma(situation), situation.kappa, situation.gamma
    step = (
        formulas.TRANSFER + "COROLLARY_1_EXCHANGE",
        (("Gamma", Gamma), ("kappa", kappa), ("gamma", gamma)),
    )
    return Evaluation(
        premises=(*_started(situation, version, blocking), _exact(situation)),
        conclusion=Statement(
            "information in the denominator against max{Γ²,κ_ε²}(1-γ)²",
            denominator,
            "≥",
            proof_bounds.corollary_1_exchange(Gamma, kappa, gamma),
            *(step if printed else rate_formula(situation)),
        ),
    )


def in_terms_of_Gamma(situation: Situation, version: Version) -> Evaluation:
    """Γ as a worst case: the denominator is at least (1-γ)²Γ², at Δ = 0."""
    blocking, denominator = of_theorem_1(situation, version)
    return Evaluation(
        premises=(*_started(situation, version, blocking), _exact(situation)),
        conclusion=Statement(
            "information in the denominator against (1-γ)²Γ²",
            denominator,
            "≥",
            (1 - situation.gamma) ** 2 * gap_Gamma(situation) ** 2,
            *formulas.theorem_1(_sizes(situation), denominator, version),
        ),
    )


def finite(situation: Situation, version: Version) -> Evaluation:
    """The bound on the queries is a number: its denominator is positive.

    Γ > 0 is granted, so that every bound in Γ is a number too.
    """
    blocking, denominator = of_theorem_1(situation, version)
    apart = Statement("Γ", gap_Gamma(situation), ">", 0)
    return Evaluation(
        premises=(*_started(situation, version, blocking), apart),
        conclusion=Statement(
            "information in the denominator",
            denominator,
            ">",
            0,
            *formulas.theorem_1(_sizes(situation), denominator, version),
        ),
    )


def lower_bound(situation: Situation) -> Evaluation:
    """Repair for Δ > 0: over Θ_s, min-max exceeds φ((1-γ)w), φ(z) = min{4z²,z}.

    w = (1-γ)ε/2 - 9(1+γ)Δ is what is left of 2κ_ε after both gaps lose 8Δ.
    """
    gamma = situation.gamma
    blocking = theta_s(situation)
    w = (1 - gamma) * situation.epsilon / 2 - 9 * (1 + gamma) * situation.Delta
    z, denominator = (1 - gamma) * w, min_max(situation, blocking)
    return Evaluation(
        premises=_started(situation, Version.REPAIRED, blocking),
        conclusion=Statement(
            "information in the denominator against φ((1-γ)w)",
            denominator,
            ">",
            min(4 * z**2, z),
            *formulas.theorem_1(_sizes(situation), denominator, Version.REPAIRED),
        ),
    )


# What the instance shows


SHARED = ((5, 2, 2), (5, 9, 2), (5, 9, 9))
"""The second rival differs at arm 1 as well, so that arm 1 speaks about both."""
NO_RIVAL = ((5, 2, 2), (5, 9, 2), (5, 2, 2))
"""The second rival is the target over again."""


def _declare(
    checks: Mapping[str, str], step: SituationClaim, broken: Mapping[str, Situation]
) -> None:
    declare(
        also=checks,
        instance=three_arms_instance(),
        evaluate=partial(step, version=Version.PRINTED),
        numbers=lambda situation: (
            ("γ", situation.gamma),
            ("ε, Δ", (situation.epsilon, situation.Delta)),
            ("κ_ε", situation.kappa),
            ("Bernoulli arms, target first", tuple(theta.r[0] for theta in situation.models)),
            ("variances, target first", tuple(theta.var[0] for theta in situation.models)),
        ),
        fix="the second rival pays 0.9 at arm 1 too, so that one arm speaks about both",
        fixed=three_arms_instance(SHARED),
        broken={
            "transfer mode: Δ against its threshold": three_arms_instance(Delta=Fraction(1, 20)),
            "models that have to be eliminated": replace(
                three_arms_instance(), epsilon=Fraction(20)
            ),
            **broken,
        },
        repaired=partial(step, version=Version.REPAIRED),
        in_scope=three_arms_instance(SHARED),
    )


NOT_EXACT = {"the models are exact: Δ": three_arms_instance(Delta=Fraction(1, 1000))}

_declare(
    {"corollary-1.exchange/three-arms": "max-min is at least max{Γ²,κ_ε²}(1-γ)² on three arms"},
    exchange,
    NOT_EXACT,
)
_declare(
    {
        "text-gamma-worst-case.worst-case/three-arms": "max-min is at least (1-γ)²Γ² on three arms",
        "text-tighter-than-existing.tighter/three-arms": (
            "Theorem 1's bound is at most that in Γ on three arms"
        ),
    },
    in_terms_of_Gamma,
    NOT_EXACT,
)
_declare(
    {
        "text-pac.implied/infinite-bound": "The printed bound is a number on three arms",
        "text-never-worse-than-brunskill.never-worse/three-arms": (
            "The printed bound is finite where Γ > 0"
        ),
    },
    finite,
    {"Γ": three_arms_instance(NO_RIVAL)},
)


# The |Θ| half of Theorem 1 when ties are not broken by a fixed order (erratum E10).
#
# One state, 400 deterministic arms, γ = 0, ε = 1/2, exact models: (1, 0, …, 0) is the target and
# (0, 1, …, 1) its rival. Every arm has index 1. In a fixed order all samples go to one arm; a rule
# that spreads them has to wait until some arm has enough.

DELTA, N_BUDGET = Fraction(1, 10), 100_000
BOTH = (0, 1)
Rule = Callable[[int], Iterator[int]]
"""Given the number of tied arms, which of them is queried, iteration by iteration."""


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
    """Until some arm has the samples that eliminate the rival; then only the target is left."""
    enough = [needed(case, arm) for arm in range(2)]
    N = [0] * case.arms
    for count, arm in enumerate(rule(case.arms), start=1):
        N[arm] += 1
        if N[arm] >= enough[min(arm, 1)]:
            return count
    return N_BUDGET


def fixed_order(case: TiedArms) -> int:
    """The literal rule, by the engine."""
    numbers = RunNumbers(epsilon=float(case.epsilon), delta=float(DELTA), n=N_BUDGET)
    return simulated_run(case.models, case.models.tasks[0], 0, numbers).queries


def least_sampled(arms: int) -> Iterator[int]:
    """One arm after the other, so that counts never differ by more than one."""
    for query in range(N_BUDGET):
        yield query % arms


def tied_arms_at_random(rng: np.random.Generator) -> Rule:
    """Any of the tied arms with the same probability."""

    def rule(arms: int) -> Iterator[int]:
        yield from rng.integers(0, arms, size=N_BUDGET).tolist()

    return rule


def tied_arms_bound(case: TiedArms, version: Version, *, any_rule: bool = False) -> Real:
    """Theorem 1 as printed, or repaired with the factor min{SA,|Θ|-1}, or SA for any rule."""
    at_most = 2 if version is Version.PRINTED else 1
    multiplicity = case.arms if any_rule else min(case.arms, at_most)
    return FACTOR * multiplicity * case.L / _denominator(case, version)


def _denominator(case: TiedArms, version: Version) -> Fraction:
    return Fraction(of_theorem_1(case.situation, version)[1])


def tied_arms_premises(case: TiedArms) -> tuple[Statement, ...]:
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
    return Evaluation(
        tied_arms_premises(case), Statement(text, *compared(used, "≤", allowed), *formed)
    )


def spread(case: TiedArms) -> Evaluation:
    """Theorem 1 as printed for the arms in turn."""
    allowed = tied_arms_bound(case, Version.PRINTED)
    return evaluation(case, queries(case, least_sampled), allowed, Version.PRINTED)


def spread_repaired(case: TiedArms) -> Evaluation:
    """Repaired: the factor is SA for a rule that spreads the samples."""
    allowed = tied_arms_bound(case, Version.REPAIRED, any_rule=True)
    text = "queries of the least sampled arm against the bound with factor SA"
    return evaluation(case, queries(case, least_sampled), allowed, text=text)


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
        premises=(*tied_arms_premises(many), Statement("arms", many.arms, "≥", 4 * few.arms)),
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
        *(
            (f"rewards of the arms, {name}: of the first, of every other", rewards)
            for name, rewards in (("target", (case.first, 0)), ("rival", (0, case.rival)))
        ),
        ("samples of an arm that drop the rival", needed(case, 1)),
    )


EXACTING, HARMLESS = TiedArms(epsilon=Fraction(0)), TiedArms(rival=Fraction(0))
UNTIED = TiedArms(first=Fraction(9, 10))

declare(
    check="theorem-1.phases/least-sampled",
    says="400 tied arms and two models, ties to the arm with the fewest samples",
    instance=TiedArms(),
    evaluate=spread,
    numbers=numbers,
    fix="100 arms in place of 400",
    fixed=TiedArms(100),
    broken={
        deterministic_runs.ENTERS: EXACTING,
        "policies that stop in iteration 1": HARMLESS,
        "tied arms": UNTIED,
    },
    repaired=spread_repaired,
    in_scope=TiedArms(100),
)


# Tied arms under rules that spread the samples (erratum E10): random ties, and growing numbers.
#
# The instance is `TiedArms()`. A rule that takes any of the tied arms with the same chance
# needs about as many queries as one that takes them in turn, and so many more as there are arms.
#
# With random ties the samples of an arm among the first n queries are binomial, and the run is
# still going on while no arm has enough of them: that bounds the probability of many queries from
# below.


def more_than(case: TiedArms, n: int) -> Between:
    """Bounds on P(more than n queries) with random ties: 1 - A P(Bin(n,1/A) ≥ enough), and 0 or 1.

    More than A(enough - 1) queries are impossible: some arm then has enough samples.
    """
    enough, chance = needed(case, 1), Fraction(1, case.arms)
    if n > case.arms * (enough - 1):
        return Between(Fraction(0), Fraction(0))
    below = binomial_probability(n, chance, lambda samples: samples < enough)
    return Between(max(1 - case.arms * (1 - below), Fraction(0)), Fraction(1))


def spread_samples_at_random(case: TiedArms) -> Evaluation:
    """P(queries above the printed bound) ≤ δ with random ties."""
    return _exceeding(case, Version.PRINTED)


def at_random_repaired(case: TiedArms) -> Evaluation:
    """Repaired: the factor is SA."""
    return _exceeding(case, Version.REPAIRED)


def _exceeding(case: TiedArms, version: Version) -> Evaluation:
    premises, printed = tied_arms_premises(case), version is Version.PRINTED
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    bound: Real = tied_arms_bound(case, version, any_rule=not printed)
    n = whole_part(bound)
    found = more_than(case, n)
    which = "at least" if found.low > DELTA else "at most"
    formed = formula(case, version) if printed else (None, ())
    return Evaluation(
        premises,
        Statement(
            f"P(more than {n} queries, the bound), {which}", *compared(found, "≤", DELTA), *formed
        ),
    )


def _growing_numbers(case: Growth) -> Numbers:
    compared_arms = ("numbers of arms that are compared", (case.few, case.many))
    return (*numbers(case.of(case.many)), compared_arms)


declare(
    part_of=("theorem-1.phases/random-ties",),
    instance=TiedArms(),
    evaluate=spread_samples_at_random,
    numbers=numbers,
    fix="100 arms in place of 400",
    fixed=TiedArms(100),
    broken={ENTERS: EXACTING, "policies that stop in iteration 1": HARMLESS, "tied arms": UNTIED},
    repaired=at_random_repaired,
    in_scope=TiedArms(25),
)
declare(
    check="text-scales-with-min.minimum/least-sampled",
    says="The same with ties to the arm with the fewest samples",
    kind=CheckKind.ASYMPTOTIC,
    instance=Growth(),
    evaluate=growth,
    numbers=_growing_numbers,
    fix="ties to the first arm in place of the least sampled one",
    fixed=Growth(spread=False),
    broken={
        ENTERS: Growth(like=EXACTING),
        "policies that stop in iteration 1": Growth(like=HARMLESS),
        "tied arms": Growth(like=UNTIED),
        "arms": Growth(few=200),
    },
    repaired=lambda case: spread_repaired(case.of(case.many)),
    in_scope=Growth(few=5, many=25),
)
