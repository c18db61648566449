"""The |Θ| half of Theorem 1 when ties are not broken by a fixed order (erratum E10).

One state, 400 certain arms, γ = 0, ε = 1/2, exact models: (1, 0, …, 0) is the target and
(0, 1, …, 1) its rival. Every arm has index 1. In a fixed order all samples go to one arm; a rule
that spreads them has to wait until some arm has enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from checks import formulas
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.certain_samples import samples_to_drop
from checks.engine.blocks import BlockSimulator
from checks.engine.ptum import transfer_mode
from checks.outcome import Formed, Statement, Walk
from reference.assumptions import single
from reference.information import TIE, ZERO, index
from reference.mdp import deterministic_rewards
from reference.models import ApproximateModels, approximate_models
from reference.repaired.sample_complexity import theorem_1_bound as repaired_bound
from reference.sample_complexity import FACTOR, QueryBound, quotient, theorem_1_bound
from reference.stopping import enters_transfer_mode, stopping_models
from spec.vocabulary import Version

EPSILON, DELTA, N_BUDGET = 0.5, 0.1, 100_000
Rule = Callable[[int], Iterator[int]]
"""Given the number of tied arms, which of them is queried, pass by pass."""


@dataclass(frozen=True, eq=False)
class TiedArms:
    """The two models, the first of which is the target."""

    models: ApproximateModels
    Delta: float = 0.0

    @property
    def arms(self) -> int:
        """A."""
        return self.models.A


def instance(
    arms: int = 400, first: float = 1.0, Delta: float = 0.0, rival: float = 1.0
) -> TiedArms:
    """`first` is what the first arm pays in the target; below 1 that arm has a smaller index.

    `rival` is what the other arms pay in the rival.
    """
    rewards = np.zeros((2, 1, arms))
    rewards[0, 0, 0], rewards[1, 0, 1:] = first, rival
    stay = np.ones((1, arms, 1))
    models = approximate_models([deterministic_rewards(stay, r, 0.0) for r in rewards])
    return TiedArms(models, Delta)


def tied(case: TiedArms) -> int:
    """How many arms share the largest index, by the rule of line 18."""
    I_1 = index((0, 1), case.models, case.Delta)
    least = float(I_1.max()) * (1 - TIE) - ZERO
    return int(np.count_nonzero(least <= I_1))


def queries(case: TiedArms, rule: Rule) -> int:
    """Passes until some arm has the samples that drop the rival; then only the target is left."""
    needed = [
        samples_to_drop(case.models, 1, 0, arm, N_BUDGET, DELTA) for arm in range(min(case.arms, 2))
    ]
    N = [0] * case.arms
    for passes, arm in enumerate(rule(case.arms), start=1):
        N[arm] += 1
        if N[arm] >= needed[min(arm, 1)]:  # arms 1, 2, … are all alike
            return passes
    return N_BUDGET


def fixed_order(case: TiedArms) -> int:
    """The literal rule, by the engine."""
    result = transfer_mode(
        case.models,
        BlockSimulator(case.models.tasks[0], seed=0),
        epsilon=EPSILON,
        delta=DELTA,
        n=N_BUDGET,
        errors=single(case.Delta),
    )
    return result.queries


def always_first(_: int) -> Iterator[int]:
    """The first arm, again and again."""
    for _ in range(N_BUDGET):
        yield 0


def least_sampled(arms: int) -> Iterator[int]:
    """One arm after the other, so that counts never differ by more than one."""
    for passes in range(N_BUDGET):
        yield passes % arms


def at_random(rng: np.random.Generator) -> Rule:
    """Any of the tied arms with the same probability."""

    def rule(arms: int) -> Iterator[int]:
        yield from rng.integers(0, arms, size=N_BUDGET).tolist()

    return rule


def bound(case: TiedArms, version: Version, *, any_rule: bool = False) -> float:
    """Theorem 1 as printed, or repaired with the factor min{SA,|Θ|-1}, or SA for any rule."""
    terms = _terms(case, version)
    multiplicity = case.arms if any_rule else terms.multiplicity
    return quotient(FACTOR * multiplicity * terms.L, terms.denominator)


def _terms(case: TiedArms, version: Version) -> QueryBound:
    theorem = theorem_1_bound if version is Version.PRINTED else repaired_bound
    return theorem(0, case.models, epsilon=EPSILON, delta=DELTA, n=N_BUDGET, Delta=case.Delta)


def premises(case: TiedArms) -> tuple[Statement, ...]:
    """Transfer mode, pass 1 does not stop, and all arms are tied."""
    both = (0, 1)
    entered = enters_transfer_mode(case.Delta, EPSILON, case.models.gamma)
    good = stopping_models(both, case.models, EPSILON, case.Delta)
    return (
        Statement("transfer mode", entered, "=", True),
        Statement("policies that stop in pass 1", len(good), "=", 0),
        Statement("tied arms", tied(case), "=", case.arms),
    )


def formula(case: TiedArms, version: Version) -> Formed:
    """Theorem 1 with the numbers of the case."""
    models = case.models
    sizes = (("S", models.S), ("A", models.A), ("k", models.k))
    told = (*sizes, ("n", N_BUDGET), ("delta", DELTA))
    return formulas.theorem_1(told, _terms(case, version).denominator, version)


def walk(
    case: TiedArms,
    used: int,
    allowed: float,
    version: Version | None = None,
    text: str = "queries against the bound",
) -> Walk:
    """Theorem 1 for a run that made so many queries; a version if the bound is its formula."""
    formed = (None, ()) if version is None else formula(case, version)
    return Walk(premises(case), Statement(text, used, "≤", allowed, *formed))


def spread(case: TiedArms) -> Walk:
    """Theorem 1 as printed for the arms in turn."""
    allowed = bound(case, Version.PRINTED)
    return walk(case, queries(case, least_sampled), allowed, Version.PRINTED)


def spread_repaired(case: TiedArms) -> Walk:
    """Repaired: the factor is SA for a rule that spreads the samples."""
    allowed = bound(case, Version.REPAIRED, any_rule=True)
    text = "queries of the least sampled arm against the bound with factor SA"
    return walk(case, queries(case, least_sampled), allowed, text=text)


def in_fixed_order(case: TiedArms) -> Walk:
    """Repaired: the factor is min{SA,|Θ|-1} if ties are broken by a fixed order of the pairs."""
    allowed = bound(case, Version.REPAIRED)
    text = "queries in a fixed order of the pairs against the bound with factor min{SA,|Θ|-1}"
    return walk(case, fixed_order(case), allowed, Version.REPAIRED, text)


def numbers(arms: int = 400) -> Numbers:
    """Two rows of rewards, and what the run is told."""
    case = instance(arms)
    return (
        ("γ", case.models.gamma),
        ("ε, δ, Δ, n", (EPSILON, DELTA, case.Delta, N_BUDGET)),
        ("arms", case.arms),
        ("certain rewards of the target", "1 at the first arm, 0 at all others"),
        ("certain rewards of the rival", "0 at the first arm, 1 at all others"),
        (
            "samples of an arm that drop the rival",
            samples_to_drop(case.models, 1, 0, 1, N_BUDGET, DELTA),
        ),
    )


CASES = (
    Case(
        checks=("theorem-1.phases/least-sampled",),
        numbers=numbers,
        told=lambda: spread(instance()),
        undo="100 arms in place of 400",
        undone=lambda: spread(instance(100)),
        broken={
            "transfer mode": lambda: spread(instance(Delta=0.2)),
            "policies that stop in pass 1": lambda: spread(instance(rival=0.0)),
            "tied arms": lambda: spread(instance(first=0.9)),
        },
        repaired=lambda: in_fixed_order(instance()),
        sibling=lambda: spread_repaired(instance(100)),
        sibling_numbers=lambda: numbers(100),
    ),
)
