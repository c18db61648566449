"""Section 4.1: no constant ρ of Theorem 2 can be told from data, so somebody has to choose it.

Two tasks, coins of rates 1/2 ± a, one flip per task. The next task is the same with probability λ,
and is redrawn, either one with 1/2, otherwise. O and T have rank 2 for every λ > 0. As long as all
of h tasks were redrawn the flips are fair, whatever a is. So the distributions of h flips for a and
for another b are within 1 - (1-λ)^(h-1) ≤ (h-1)λ of each other in total variation, while the models
differ by |a-b|. Any estimator is then off by |a-b|/2 or more in one of the two models with
probability at least (1-(h-1)λ)/2. Given ρ, an h makes ρ√(log c_h/h) smaller than that, and then a λ
makes the probability larger than δ'.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM
from ptum.checks.instances.counterexamples.section_4.theorem_2 import EVEN, coins
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import (
    theorem_2_bound,
    theorem_2_condition,
)
from ptum.spec.vocabulary import CheckKind

HUNDREDTHS = Fraction(1, 100)


@stored
@dataclass(frozen=True)
class TwoModels:
    """Coins 1/2 ± a, or 1/2 ± b, on a chain that keeps the task with probability λ."""

    a: Fraction
    b: Fraction
    correlation: Fraction

    def models(self) -> tuple[ExactHMM, ExactHMM]:
        """Both, from a uniform first task."""
        stay = (1 + self.correlation) / 2
        return coins(self.a, stay), coins(self.b, stay)


def premises_of(pair: TwoModels) -> tuple[Statement, ...]:
    """The repaired Assumption 2, and Assumption 5: deviations have a floor."""
    both = pair.models()
    rates = [rate for hmm in both for rate in hmm.O[0]]
    return (
        Statement("least rank of O", min(exact.rank(hmm.O) for hmm in both), "=", 2),
        Statement("least rank of T", min(exact.rank(hmm.T) for hmm in both), "=", 2),
        Statement("least probability of a step", min(min(row) for row in both[0].T), ">", 0),
        Statement("least variance of a reward", min(x * (1 - x) for x in rates), ">", 0),
    )


# How close the distributions are


@st.composite
def short_sequences(draw: DrawFn) -> tuple[TwoModels, int]:
    """Up to six flips."""
    a, b = (draw(st.integers(1, 49)) * HUNDREDTHS for _ in range(2))
    share = Fraction(1, draw(st.integers(2, 1000)))
    return TwoModels(a, b, share), draw(st.integers(2, 6))


def close_evaluation(drawn: tuple[TwoModels, int], fair: bool = True) -> Evaluation:
    """The total variation of h flips, by listing all 2^h of them.

    Without `fair` the first distribution is not that of fair flips: one task is always the first.
    """
    pair, h = drawn
    first = EVEN if fair else (Fraction(1), Fraction(0))
    laws = [exact.flip_distribution(hmm.O[0], hmm.T, first, h) for hmm in pair.models()]
    return Evaluation(
        premises_of(pair),
        Statement(
            f"total variation of {h} flips",
            exact.total_variation(*laws),
            "≤",
            1 - (1 - pair.correlation) ** (h - 1),
        ),
    )


@check("text-rho-unknown.parameter/close-laws", CheckKind.EXACT)
def close_laws(context: Context, fair: bool = True) -> Outcome:
    """h flips of the two chains are within 1-(1-λ)^(h-1) in total variation."""
    return search(
        context, short_sequences(), lambda drawn: close_evaluation(drawn, fair), (10, 200, 4000)
    )


# No number is large enough


@stored
@dataclass(frozen=True)
class Offered:
    """A constant that somebody offers for all models, a failure probability, and two models."""

    rho: Fraction
    delta_prime: Fraction
    a: Fraction
    b: Fraction


@st.composite
def offers(draw: DrawFn) -> Offered:
    """Constants from 1/1000 to a million."""
    rho = Fraction(10) ** draw(st.integers(-3, 6)) * draw(st.integers(1, 9))
    a, b = draw(st.lists(st.integers(1, 49), min_size=2, max_size=2, unique=True))
    return Offered(rho, draw(st.integers(1, 49)) * HUNDREDTHS, a * HUNDREDTHS, b * HUNDREDTHS)


def allowed(offered: Offered, h: int) -> float:
    """What Theorem 2 with that constant allows after h tasks; infinite where it does not speak."""
    rho, failure = float(offered.rho), float(offered.delta_prime)
    speaks = theorem_2_condition(Level(S=1, A=1, U=2, h=h, delta_prime=failure), rho=rho)
    bound = theorem_2_bound(Level(S=1, A=1, U=2, h=h, delta_prime=failure), rho_any=rho)
    return bound if speaks else float("inf")


def tasks_for(offered: Offered) -> int:
    """A power of two at which the bound is below half of what the two models differ by."""
    h = 2
    while allowed(offered, h) >= abs(offered.a - offered.b) / 2:
        h *= 2
    return h


def weak_enough(offered: Offered, h: int) -> Fraction:
    """(h-1)λ < 1/2 - δ', so that failing has probability above 1/4 + δ'/2 > δ'."""
    return (1 - 2 * offered.delta_prime) / (2 * h)


def too_small_evaluation(offered: Offered, correlation: Fraction | None = None) -> Evaluation:
    """In one of two models every estimator misses the bound with probability above δ'."""
    h = tasks_for(offered)
    chosen = weak_enough(offered, h) if correlation is None else correlation
    pair = TwoModels(offered.a, offered.b, chosen)
    bound = allowed(offered, h)
    values = (("S", 1), ("A", 1), ("U", 2), ("h", h), ("delta_prime", offered.delta_prime))
    return Evaluation(
        (
            *premises_of(pair),
            Statement(
                f"bound after h = {h} tasks against half the distance of the models",
                bound,
                "<",
                abs(offered.a - offered.b) / 2,
                formulas.SEQUENTIAL + "THEOREM_2",
                (*values, ("rho_any", offered.rho)),
                bound=bound,
            ),
        ),
        Statement(
            "probability that an estimator misses the bound in one of the models",
            (1 - (h - 1) * chosen) / 2,
            ">",
            offered.delta_prime,
        ),
    )


@check("text-rho-unknown.parameter/any-number", CheckKind.EXACT)
def no_number_serves(context: Context) -> Outcome:
    """For every number two chains of coins, of which one needs a larger constant."""
    return search(context, offers(), too_small_evaluation, (15, 250, 4000))
