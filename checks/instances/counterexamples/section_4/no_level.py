"""A constant ρ that guarantees no failure probability at all (erratum E63).

N models, each a pair of coins with rates 1/2 ± a_j, one flip per task, on a chain that keeps the
task with probability λ and draws it again otherwise. Unless a task was kept the flips are fair,
whatever a_j is. An interval of half-width w around an estimate covers at most one of rates that lie
more than 2w apart, so the chances that it covers the truth sum up to at most 1 + N(h-1)λ over the
models: in one of them it misses with probability 1 - 1/N - (h-1)λ or more, whatever the estimator
is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ptum.checks.exact import hidden_markov
from ptum.checks.exact.hidden_markov import ExactHMM
from ptum.checks.exact.intervals import PI, Between, compared, exceeds, log, root, shortened
from ptum.checks.exact.mass import binomial_probability
from ptum.checks.instances.counterexamples.catalogue import Counterexample, Numbers, declare
from ptum.checks.instances.counterexamples.section_4.constants import coins, enough_by_hypothesis
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement

LETTERS = 3
"""SA(S+U) for one state, one action and two rewards."""


def log_c(h: int, delta_prime: Fraction) -> Between:
    """Theorem 2's log c_h, c_h = π²h²SA(S+U)/δ'."""
    return log(PI * PI * (h**2 * LETTERS) / delta_prime)


@dataclass(frozen=True)
class Offer:
    """A constant, Theorem 2's δ', the probability that ρ is said to guarantee, and the models."""

    rho: Fraction
    delta_prime: Fraction
    level: Fraction
    rates: tuple[Fraction, ...]
    h: int
    correlation: Fraction

    def models(self) -> tuple[ExactHMM, ...]:
        """Coins 1/2 ± a_j from a uniform first task."""
        return tuple(coins(a, (1 + self.correlation) / 2) for a in self.rates)

    def half_width(self) -> Between:
        """ρ √(log c_h/h), what Theorem 2 with this constant allows."""
        return self.rho * root(log_c(self.h, self.delta_prime) / self.h)


def least_distance(offer: Offer) -> Fraction:
    """Between the rates of two models; a model alone has the whole range to itself."""
    return min((b - a for a, b in pairwise(sorted(offer.rates))), default=Fraction(1))


def premises_of(offer: Offer) -> tuple[Statement, ...]:
    """Assumptions 2 (repaired) and 5, Theorem 2's own premise, and intervals that are apart."""
    models = offer.models()
    rates = [rate for hmm in models for rate in hmm.O[0]]
    waits = offer.rho * log(2 * offer.h**2 * LETTERS / offer.delta_prime)
    values = (("S", 1), ("A", 1), ("U", 2), ("h", offer.h), ("delta_prime", offer.delta_prime))
    return (
        Statement("least rank of O", min(hidden_markov.rank(hmm.O) for hmm in models), "=", 2),
        Statement("least rank of T", min(hidden_markov.rank(hmm.T) for hmm in models), "=", 2),
        Statement("least variance of a reward", min(x * (1 - x) for x in rates), ">", 0),
        Statement(
            "Theorem 2 speaks of h: ρ log(2h²d/δ') against h", *compared(waits, "<", offer.h)
        ),
        Statement(
            "width of the interval against the least distance of two models",
            *compared(2 * offer.half_width(), "<", least_distance(offer)),
            formulas.SEQUENTIAL + "THEOREM_2",
            (*values, ("rho_any", offer.rho)),
            bound=shortened(offer.half_width()),
        ),
    )


def least_miss(offer: Offer) -> Fraction:
    """What every estimator misses with in one of the models, at least: 1 - 1/N - (h-1)λ."""
    return 1 - Fraction(1, len(offer.rates)) - (offer.h - 1) * offer.correlation


def level_evaluation(offer: Offer) -> Evaluation:
    """ρ guarantees its level: no model is missed more often."""
    return Evaluation(
        premises_of(offer),
        Statement(
            "probability of a miss in the worst model, at least",
            least_miss(offer),
            "≤",
            offer.level,
        ),
    )


TWENTY = tuple(Fraction(j, 50) for j in range(1, 21))
TASKS = 2**19
OFFER = Offer(
    rho=Fraction(1),
    delta_prime=Fraction(1, 10),
    level=Fraction(4, 5),
    rates=TWENTY,
    h=TASKS,
    correlation=Fraction(1, 20 * TASKS),
)


# One coin, whose constant is known


def chance_to_be_off(rate: Fraction, h: int, too_far: Callable[[Fraction], bool]) -> Fraction:
    """The probability that the share of ones among h flips is too far from the rate."""
    return binomial_probability(h, rate, lambda ones: too_far(abs(Fraction(ones, h) - rate)))


@stored
@dataclass(frozen=True)
class OneCoin:
    """A coin that is flipped h times, Theorem 2's δ', and a chosen constant."""

    rate: Fraction
    h: int
    delta_prime: Fraction
    rho: Fraction

    def squared_width(self) -> Between:
        """ρ² log c_h/h, the square of what Theorem 2 allows."""
        return self.rho**2 * log_c(self.h, self.delta_prime) / self.h

    def miss(self) -> Fraction:
        """The probability that the share of ones is off by more than Theorem 2 allows."""
        allowed = self.squared_width()
        return chance_to_be_off(self.rate, self.h, lambda off: exceeds(off**2, allowed))


def large_enough_evaluation(coin: OneCoin, exponent: int = 2) -> Evaluation:
    """2hw² ≥ log(2/δ') makes Hoeffding's bound 2exp(-2hw²) on a miss at most δ'; w is the width.

    Another `exponent` in the place of 2 is another hypothesis on ρ.
    """
    enough = exponent * coin.h * coin.squared_width()
    return Evaluation(
        (
            Statement(
                "hypothesis on ρ: log(2/δ') against 2hw²",
                *compared(log(2 / coin.delta_prime), "≤", enough),
            ),
        ),
        Statement("probability of a miss", coin.miss(), "≤", coin.delta_prime),
    )


COIN = OneCoin(Fraction(1, 3), 30, Fraction(1, 10), Fraction(2, 5))


def numbers(case: Offer | OneCoin) -> Numbers:
    """The chains and what is said of ρ, or the one coin."""
    if isinstance(case, OneCoin):
        names = ("rate of the only coin", "flips h", "δ'", "ρ")
        values = (case.rate, case.h, case.delta_prime, case.rho)
        return tuple(zip(names, values, strict=True))
    return (
        ("rates of the coins of model j are 1/2 ± a_j, a_j", case.rates),
        ("chance that a task is kept and not redrawn, λ", case.correlation),
        ("tasks h, one flip each", case.h),
        ("ρ", case.rho),
        ("δ'", case.delta_prime),
        ("failure probability that ρ is said to guarantee", case.level),
    )


def by_hypothesis(case: Offer | OneCoin) -> Evaluation:
    """Repaired: ρ is assumed to be large enough, for the first of the models or for the coin."""
    if isinstance(case, OneCoin):
        return large_enough_evaluation(case)
    return enough_by_hypothesis(case.rho, case.models()[0])


declare(
    Counterexample[Any](
        checks={
            "text-rho-unknown.confidence-level/no-level": (
                "On twenty chains of coins ρ = 1 misses with probability 4/5 at most"
            ),
        },
        instance=OFFER,
        evaluate=level_evaluation,
        numbers=numbers,
        fix="one model in place of twenty: whoever names its rates never misses",
        fixed=replace(OFFER, rates=TWENTY[:1]),
        broken={
            "least rank of O": replace(OFFER, rates=(Fraction(0), *TWENTY)),
            "least rank of T": replace(OFFER, correlation=Fraction(0)),
            "least variance of a reward": replace(OFFER, rates=(*TWENTY, Fraction(1, 2))),
            "Theorem 2 speaks of h: ρ log(2h²d/δ') against h": replace(OFFER, h=2),
            "width of the interval against the least distance of two models": replace(
                OFFER, h=1000
            ),
        },
        repaired=by_hypothesis,
        in_scope=COIN,
    )
)
