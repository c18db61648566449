"""λ_min of a matrix without full rank (erratum E29): no number of tasks qualifies for Lemma 11.

Two coins on a sticky chain. Every column of O sums to one over the rewards and to one over the
single next state, so (1, 1, -1) is orthogonal to all of them: the 3×3 matrix Σ_31 = O T² diag(π) Oᵀ
sends it to zero, and the condition h ≥ ρ_3 log(6d/δ') has an infinite right side.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from checks import exact_hmm as exact
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.constants import EVEN, assumption_2, coins
from checks.exact_hmm import ExactHMM
from checks.outcome import Statement, Walk
from reference.spectral_bounds import rho_3, scaled_rate

APART, CLOSER = Fraction(2, 5), Fraction(1, 4)
MANY = 10**12
"""More tasks than anybody meets."""
KERNEL = exact.vector((1, 1, -1))


def least_of_all(hmm: ExactHMM) -> float:
    """λ_min of the whole matrix: 0 where a vector is sent to zero, exactly."""
    Sigma_31 = exact.second_moment(hmm, 3, 1)
    image = exact.times(Sigma_31, exact.transpose((KERNEL,)))
    return 0.0 if exact.largest(image) == 0 else singular_value(hmm, 3, len(Sigma_31))


def least_of_rank(hmm: ExactHMM) -> float:
    """σ_k, the least singular value that belongs to the k tasks."""
    return singular_value(hmm, 3, hmm.k)


def singular_value(hmm: ExactHMM, view: int, number: int) -> float:
    """Of the moment between a view and the first one; number 1 is the largest."""
    moment = exact.as_floats(exact.second_moment(hmm, view, 1))
    return float(np.linalg.svd(moment, compute_uv=False)[number - 1])


def speaks(hmm: ExactHMM, *, of_rank: bool = False) -> Walk:
    """Lemma 11 speaks of some number of tasks: its least h is below 10¹²; ρ_1 = 1, δ' = 0.1."""
    least = least_of_rank(hmm) if of_rank else least_of_all(hmm)
    constant = rho_3(
        rho_1=1.0,
        lambda_max_Sigma_21=singular_value(hmm, 2, 1),
        lambda_min_Sigma_31=least,
    )
    found = scaled_rate(1.0, constant, S=1, A=1, U=2, h=1, delta_prime=0.1)
    return Walk(
        assumption_2(hmm),
        Statement(f"least h of Lemma 11, with λ_min = {least:.4g}", found.required_h, "<", MANY),
    )


def numbers() -> Numbers:
    """Coins, chain and moment."""
    hmm = coins(APART)
    return (
        ("O, one column per task", hmm.O),
        ("T, column θ' to row θ", hmm.T),
        ("law of the first task", hmm.first),
        ("Σ_31", exact.second_moment(hmm, 3, 1)),
        ("vector that Σ_31 sends to 0", KERNEL),
        ("σ_2(Σ_31)", least_of_rank(hmm)),
        ("ρ_1", 1),
        ("δ'", 0.1),
    )


CASES = (
    Case(
        checks=("lemma-11.bound/no-such-h", "lemma-12.bound/no-such-h"),
        numbers=numbers,
        told=partial(speaks, coins(APART)),
        undo="σ_k(Σ_31), k = 2, in place of the least of all three singular values",
        undone=partial(speaks, coins(APART), of_rank=True),
        broken={
            "rank O": partial(speaks, coins(Fraction(0))),
            "rank T": partial(speaks, coins(APART, stay=EVEN[0])),
            "least first weight": partial(speaks, coins(APART, first=(Fraction(1), Fraction(0)))),
        },
        repaired=partial(speaks, coins(APART), of_rank=True),
        sibling=partial(speaks, coins(CLOSER), of_rank=True),
    ),
)
