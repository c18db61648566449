"""Section 4.1: in what a chosen constant ρ is like a confidence level, and in what it is not.

It is in its effect on one and the same data: the larger ρ, the wider the intervals, the rarer a
miss, and the fewer tasks Theorem 3 drops. It is not in what it promises (E63): a level holds
for every distribution, and no ρ has a failure probability below 1 that it keeps for all tasks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.instances.counterexamples.section_4.theorem_3 import (
    OneCoin,
    chance_to_be_off,
    large_enough_evaluation,
)
from ptum.checks.instances.families.rational import distributions
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import NOTHING_ROUNDED, Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential.analysis.sequential_bounds import (
    theorem_3_eliminates as drops_per_step,
)
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import (
    theorem_2_bound,
    theorem_3_eliminates,
)
from ptum.spec.vocabulary import CheckKind

HUNDREDTHS = Fraction(1, 100)


# Wider intervals, rarer misses


@stored
@dataclass(frozen=True)
class TwoConstants:
    """A coin that is flipped h times, Theorem 2's δ', and two constants for the same data."""

    rate: Fraction
    h: int
    delta_prime: Fraction
    smaller: Fraction
    larger: Fraction


@st.composite
def two_constants(draw: DrawFn) -> TwoConstants:
    """Constants from a thousandth on, most of which miss now and then."""
    rate, level = (draw(st.integers(1, 99)) * HUNDREDTHS for _ in range(2))
    smaller = Fraction(draw(st.integers(1, 500)), 1000)
    more = Fraction(draw(st.integers(1, 500)), 1000)
    return TwoConstants(rate, draw(st.integers(1, 40)), level, smaller, smaller + more)


Width: TypeAlias = Callable[[Fraction, TwoConstants], float]
"""What a constant allows an estimate to be off by."""


def of_theorem_2(rho: Fraction, case: TwoConstants) -> float:
    """ρ √(log c_h/h), by the reference."""
    failure = float(case.delta_prime)
    return theorem_2_bound(Level(S=1, A=1, U=2, h=case.h, delta_prime=failure), rho_any=float(rho))


def miss(case: TwoConstants, width: float) -> Fraction:
    """The probability that the share of ones is off by more than the width."""
    allowed = Fraction(width)
    return chance_to_be_off(case.rate, case.h, lambda off: off > allowed)


def rarer_evaluation(case: TwoConstants, width: Width = of_theorem_2) -> Evaluation:
    """P(miss) with the larger constant is at most that with the smaller one."""
    rarely, often = (miss(case, width(rho, case)) for rho in (case.larger, case.smaller))
    values = (("S", 1), ("A", 1), ("U", 2), ("h", case.h), ("delta_prime", case.delta_prime))
    return Evaluation(
        (Statement("smaller constant against larger", case.smaller, "≤", case.larger),),
        Statement(
            "probability of a miss with the larger constant, with the smaller",
            rarely,
            "≤",
            often,
            formulas.SEQUENTIAL + "THEOREM_2",
            (*values, ("rho_any", case.larger)),
            bound=width(case.larger, case),
        ),
    )


@check("text-rho-unknown.confidence-level/rarer-misses", CheckKind.INEQUALITY)
def rarer_misses(context: Context) -> Outcome:
    """On the same flips a larger constant does not miss the rate with larger probability.

    Drawn coins and pairs of constants; rounded widths are in the same order as the constants.
    """
    return search(
        context, two_constants(), rarer_evaluation, (25, 120, 4000), tolerance=NOTHING_ROUNDED
    )


# Fewer tasks dropped


@stored
@dataclass(frozen=True, eq=False)
class TwoRules:
    """One estimate of the chain, the tasks that the current one may be, and two constants."""

    T_hat: Floats
    theta_bar: tuple[int, ...]
    h: int
    m: int
    smaller: float
    larger: float

    @property
    def k(self) -> int:
        """Tasks of the chain."""
        return len(self.T_hat)


@st.composite
def two_rules(draw: DrawFn) -> TwoRules:
    """Chains with zeros, and constants so small that the rules do drop tasks."""
    k = draw(st.integers(2, 5))
    columns = [draw(distributions(k)) for _ in range(k)]
    small = 10.0 ** -draw(st.integers(1, 7))
    return TwoRules(
        T_hat=np.array(columns, dtype=np.float64).T,
        theta_bar=tuple(sorted(draw(st.sets(st.integers(0, k - 1), min_size=1, max_size=2)))),
        h=draw(st.integers(1, 1000)),
        m=draw(st.integers(1, 3)),
        smaller=small,
        larger=small * draw(st.sampled_from((1.0, 1.5, 10.0, 1000.0))),
    )


Dropped: TypeAlias = frozenset[tuple[str, int]]
"""Tasks that a rule drops, with the name of the rule."""
RuleComparison: TypeAlias = Callable[[TwoRules, float], Dropped]
DELTA, DELTA_PRIME, LENGTH, PER_STEP = 1e-6, 0.9, 8, 0.5


def by_theorem_3(case: TwoRules, rho: float) -> Dropped:
    """The printed rule, and the repaired one with e^T_h = ρ/√h."""
    sizes = {"h": case.h, "m": case.m, "k": case.k, "d": LENGTH}
    printed = theorem_3_eliminates(
        case.T_hat, case.theta_bar, **sizes, delta=DELTA, delta_prime=DELTA_PRIME, rho_T=rho
    )
    repaired = drops_per_step(case.T_hat, case.theta_bar, e_T=rho / case.h**0.5, eta=PER_STEP)
    found = (("printed", printed), ("repaired", repaired))
    return frozenset((rule, int(task)) for rule, out in found for task in np.flatnonzero(out))


def fewer_evaluation(case: TwoRules, rules: RuleComparison = by_theorem_3) -> Evaluation:
    """What the larger constant drops the smaller one drops as well."""
    often, rarely = (rules(case, rho) for rho in (case.smaller, case.larger))
    return Evaluation(
        (Statement("tasks that the smaller constant drops", len(often), "≥", 1),),
        Statement("tasks that one of them drops", len(often | rarely), "=", len(often)),
    )


def nearly_more(case: TwoRules) -> Statement:
    """The larger constant drops as many tasks at most."""
    often, rarely = (len(by_theorem_3(case, rho)) for rho in (case.smaller, case.larger))
    return Statement("tasks dropped with the larger constant, the smaller", rarely, "≤", often)


@check("text-rho-unknown.confidence-level/fewer-dropped", CheckKind.INEQUALITY)
def fewer_dropped(context: Context) -> Outcome:
    """With the same estimate a larger constant drops no task that a smaller one keeps.

    Drawn estimates of chains and pairs of constants; rounding keeps the order of errors.
    """
    return search(
        context,
        two_rules(),
        fewer_evaluation,
        (40, 120, 4000),
        near=nearly_more,
        tolerance=NOTHING_ROUNDED,
    )


# What a constant promises


@st.composite
def coins_with_constants(draw: DrawFn) -> OneCoin:
    """Constants from a quarter to one, of which most are large enough at their h."""
    rate, level = (draw(st.integers(1, 99)) * HUNDREDTHS for _ in range(2))
    rho = Fraction(draw(st.integers(25, 100)), 100)
    return OneCoin(rate, draw(st.integers(1, 40)), level, rho)


@check("text-rho-unknown.confidence-level/repaired-large-enough", CheckKind.EXACT)
def large_enough(context: Context) -> Outcome:
    """For one coin a constant beyond Hoeffding's keeps the level δ'."""
    return search(context, coins_with_constants(), large_enough_evaluation, (15, 100, 4000))
