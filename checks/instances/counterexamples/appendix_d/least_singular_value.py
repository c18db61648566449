"""λ_min of a matrix without full rank (erratum E29): no number of tasks qualifies for Lemma 11.

Two coins on a sticky chain. Every column of O sums to one over the rewards and to one over the
single next state, so (1, 1, -1) is orthogonal to all of them: the 3×3 matrix Σ_31 = O T² diag(π) Oᵀ
sends it to zero, and the condition h ≥ ρ_3 log(6d/δ') has an infinite right side.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM
from ptum.checks.exact.intervals import Between, compared, enclosed, least, log, shortened
from ptum.checks.exact.numbers import is_above
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.section_4.constants import (
    EVEN,
    assumption_2,
    coins,
    two_singular_values,
)
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import ROUNDING
from ptum.reference.sequential.analysis.spectral_bounds import rho_3

APART, CLOSER = Fraction(2, 5), Fraction(1, 4)
DELTA_PRIME = Fraction(1, 10)
MANY = 10**12
"""More tasks than anybody meets."""
KERNEL = exact.vector((1, 1, -1))


def least_of_all(hmm: ExactHMM) -> Between:
    """λ_min of the whole matrix: 0, since a vector is sent to zero."""
    image = exact.times(exact.second_moment(hmm, 3, 1), exact.transpose((KERNEL,)))
    if exact.largest(image) != 0:
        raise ValueError("the matrix is invertible")
    return enclosed(0)


def least_of_rank(hmm: ExactHMM) -> Between:
    """σ_2, the least singular value that belongs to the two tasks."""
    return two_singular_values(exact.second_moment(hmm, 3, 1))[1]


def speaks(hmm: ExactHMM, *, of_rank: bool = False) -> Evaluation:
    """Lemma 11 speaks of some number of tasks: its least h is below 10¹²; ρ_1 = 1, δ' = 0.1.

    h ≥ ρ_3 log(6d/δ') with ρ_3 = max{ρ_1, 1/λ_max², 4/λ_min²}, divided by ρ_3.
    """
    smallest = least_of_rank(hmm) if of_rank else least_of_all(hmm)
    most = two_singular_values(exact.second_moment(hmm, 2, 1))[0]
    inverse = least(1, most * most, smallest * smallest / 4)
    literal = rho_3(rho_1=1.0, lambda_max_Sigma_21=float(most), lambda_min_Sigma_31=float(smallest))
    off = abs(1 / literal - float(inverse))
    if is_above(off, 24 * ROUNDING * float(inverse)):  # a dozen operations
        raise AssertionError(f"the literal ρ_3 is {literal}, but 1/ρ_3 = {float(inverse)}")
    return Evaluation(
        assumption_2(hmm),
        Statement(
            f"10¹²/ρ_3 against log(6d/δ'), with λ_min = {float(smallest):.4g}",
            *compared(MANY * inverse, "≥", log(6 * 3 / DELTA_PRIME)),
        ),
    )


@dataclass(frozen=True)
class Coins:
    """A model, and whether λ_min is taken of the k tasks alone."""

    hmm: ExactHMM
    of_rank: bool = False


def numbers(case: Coins) -> Numbers:
    """Coins, chain and moment."""
    hmm = case.hmm
    return (
        ("O, one column per task", hmm.O),
        ("T, column θ' to row θ", hmm.T),
        ("law of the first task", hmm.first),
        ("Σ_31", exact.second_moment(hmm, 3, 1)),
        ("vector that Σ_31 sends to 0", KERNEL),
        ("σ_2(Σ_31)", shortened(least_of_rank(hmm))),
        ("ρ_1", 1),
        ("δ'", DELTA_PRIME),
    )


declare(
    Counterexample(
        part_of=(
            "lemma-11.bound/no-such-h",
            "lemma-12.bound/no-such-h",
        ),
        instance=Coins(coins(APART)),
        evaluate=lambda case: speaks(case.hmm, of_rank=case.of_rank),
        numbers=numbers,
        fix="σ_k(Σ_31), k = 2, in place of the least of all three singular values",
        fixed=Coins(coins(APART), of_rank=True),
        broken={
            "rank O": Coins(coins(Fraction(0))),
            "rank T": Coins(coins(APART, stay=EVEN[0])),
            "least first weight": Coins(coins(APART, first=(Fraction(1), Fraction(0)))),
        },
        repaired=lambda case: speaks(case.hmm, of_rank=True),
        in_scope=Coins(coins(CLOSER)),
    )
)
