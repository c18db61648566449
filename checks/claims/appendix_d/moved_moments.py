"""Chains of tasks whose moments are moved, for Lemmas 11 and 12 without probabilities.

The moments of a drawn chain are moved by matrices of a chosen norm, in random directions and in
those that hurt most. Singular values need doubles; why the tolerance suffices stands with it.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ptum.checks.claims.appendix_d.chains import SizedHMM, hmms, seeds
from ptum.checks.exact.hidden_markov import Matrix, as_floats, diagonal, matrix, rounded, times
from ptum.checks.instances.counterexamples.appendix_d import lemma_11
from ptum.checks.instances.families.hmms import moving_ahead
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import Floats
from ptum.reference.errors import Numeric
from ptum.reference.sequential.analysis.conditioning import Conditioning, conditioning

LARGEST_CONDITION = 1e4
"""Most that 1/σ_k(Σ_31) may be, and 1/σ_k(O) where only Lemma 11 is looked at."""

LARGEST_CONDITION_OF_O = 50
"""Most that 1/σ_k(O) may be where T̂ is made with Ô^†."""

LEAST_SHARE = 1e-2
"""Of the largest error that the premises of Lemmas 11 and 12 admit."""

TOLERANCE = 1e-5
"""By which share of a bound rounding may move an error and its bound.

A product of d×d matrices with a (pseudo-)inverse of condition κ loses at most some 10d² κ roundings
of its size λB/σ; Lemma 11's bounds are at least 4 λB/σ times the share f ≥ 10⁻² of the largest
admissible error. With d ≤ 20, ‖Σ_31‖ ≤ B² ≤ 8 and 1/σ ≤ 10⁴ that is
10 · 400 · 8·10⁴ · 2⁻⁵² / (4 · 10⁻²) < 2·10⁻⁶ of them.

T̂ = Ô^†μ̂ has size B/σ_k(O) and loses 10d² B/σ_k(O) roundings of it, and Lemma 12's bounds are at
least f/√k: with 1/σ_k(O) ≤ 50, B² ≤ 8 and k ≤ 4 it is 10 · 400 · 8 · 2500 · 2⁻⁵² · 200 < 4·10⁻⁶.

Within a task f may be 10⁻³. There Ĵ = Ô^†ŜÔ^†ᵀ with Ŝ = ONOᵀ, ‖Ô^†O‖ ≤ 2 and ‖ON‖ ≤ B ≤ 3, so that
an error of the d×k inverse, 10k roundings of ‖Ô^†‖²‖Ô‖, enters twice, times 2B. With k ≤ 3,
‖Ô^†‖ ≤ 100 and ‖Ô‖ ≤ 2√k B ≤ 10 that is 4 · 3 · 30 · 10⁵ · 2⁻⁵² < 8·10⁻⁹, and the bounds are at
least 3f/√k > 1.7·10⁻³ (and as many times larger for a column of T̂ as its error is): 5·10⁻⁶.
"""

SHARES = (1.0, 0.5, 0.1, LEAST_SHARE)
"""Of the largest error that the premises admit, as they are drawn."""

VIEW_ERRORS = (0.0, 0.1, 1.0, 10.0)
"""Errors of third views over those of moments."""

T = TypeVar("T")


def search_moved(
    context: Context, strategy: SearchStrategy[T], evaluation: Callable[[T], Evaluation]
) -> Outcome:
    """As many instances for each of the lemmas, with the tolerance of all of them."""
    return search(context, strategy, evaluation, (80, 350, 50_000), tolerance=TOLERANCE)


@stored
@dataclass(frozen=True)
class Moved:
    """A chain, how much its moments are moved, in which manner, and the error of third views.

    `view_error` is ρ_2 over the moment error; `seed` fixes the random directions.
    """

    hmm: SizedHMM
    share: float
    manner: str
    view_error: float
    seed: int


MANNERS = ("random", "towards singular", "away from singular", "stretched", "aligned")
"""Of errors. The last one lets all of them work together: Σ_31 loses as much of its k-th singular
value as it can, Σ_21 gains what the k-th singular direction is multiplied by, and the third views
are moved so that their error adds to that of the pseudo-inverse."""


def four_cycles() -> SearchStrategy[SizedHMM]:
    """The chain of four tasks on which the printed constant fails."""
    return st.sampled_from((Fraction(1, 10), Fraction(3, 100), Fraction(1, 100))).map(cycle_of_four)


def opposites() -> SearchStrategy[SizedHMM]:
    """Two tasks without chance that agree nowhere and follow each other, surely or nearly so.

    Their columns are orthogonal and as long as columns can be, so that for the sure chain all
    singular values of Σ_21 and Σ_31 are SA: no factor λ_max/σ_k or B/‖μ‖ is lost in a bound.
    """
    sure = st.sampled_from((Fraction(1), Fraction(97, 100), Fraction(9, 10)))
    return st.builds(opposite_tasks, st.sampled_from((1, 2)), sure)


def opposite_tasks(A: int, success: Fraction) -> SizedHMM:
    """Two states, two rewards; task j pays the j-th reward and leads to the j-th state, always."""
    O = matrix([[1, 0], [0, 1]] * (4 * A))
    T = moving_ahead(2, {0: 1 - success, 1: success})
    return SizedHMM(O, T, first=(Fraction(1, 2),) * 2, S=2, A=A, U=2)


def cycle_of_four(e: Fraction) -> SizedHMM:
    """Its tasks and chain."""
    cycle = lemma_11.instance(e)
    quarter = (Fraction(1, lemma_11.FOUR_CYCLE_K),) * lemma_11.FOUR_CYCLE_K
    return SizedHMM(cycle.O, cycle.T, first=quarter, S=lemma_11.S, A=lemma_11.A, U=4)


@cache
def moved() -> SearchStrategy[Moved]:
    """Any chain in any manner, or the hardest that is known."""
    anything = st.builds(
        Moved,
        st.one_of(hmms(), hmms(), four_cycles(), opposites()),
        st.sampled_from(SHARES),
        st.sampled_from(MANNERS),
        st.sampled_from(VIEW_ERRORS),
        seeds(),
    )
    hardest = st.builds(
        Moved,
        opposites(),
        st.just(1.0),
        st.just("aligned"),
        st.sampled_from(VIEW_ERRORS),
        st.just(0),
    )
    return st.one_of(anything, hardest)


# Moments


def norm(a: Matrix) -> float:
    """Spectral norm of an exact matrix."""
    return float(np.linalg.norm(as_floats(a), 2))


@dataclass(frozen=True)
class Population(Numeric):
    """Exact quantities of a chain, in doubles."""

    O: Floats
    T: Floats
    Sigma_21: Floats
    Sigma_31: Floats
    lambda_max: float
    sigma_k: float
    sigma_k_O: float

    @property
    def mu(self) -> Floats:
        """Third views μ_{3,j} = O T e_j."""
        views: Floats = self.O @ self.T
        return views


def population(hmm: SizedHMM) -> Population:
    """What the lemmas speak of: Σ_21 = O T diag(π) Oᵀ and Σ_31 = O T² diag(π) Oᵀ."""
    literal = rounded(hmm)
    O, T, pi = literal.O, literal.T, literal.initial
    Sigma_21, Sigma_31 = O @ (T * pi) @ O.T, O @ (T @ T * pi) @ O.T
    return Population(
        O,
        T,
        Sigma_21,
        Sigma_31,
        lambda_max=singular_value(Sigma_21, 1),
        sigma_k=singular_value(Sigma_31, hmm.k),
        sigma_k_O=singular_value(O, hmm.k),
    )


POWERS = 99
"""Powers of T that are looked at; the g made of them is a bound from above, however many."""


def read_off(hmm: SizedHMM, first: Floats | None = None) -> Conditioning:
    """What Appendix D reads off the model, at its own first view or at another one."""
    literal = rounded(hmm)
    at = literal.initial if first is None else first
    return conditioning(literal, at, tolerance=1e-6, most_powers=POWERS)


def middle_21(hmm: SizedHMM) -> Matrix:
    """T diag(π)."""
    return times(hmm.T, diagonal(hmm.first))


def middle_31(hmm: SizedHMM) -> Matrix:
    """T² diag(π)."""
    return times(hmm.T, middle_21(hmm))


def singular_value(matrix: Floats, number: int) -> float:
    """The first is the largest."""
    return float(np.linalg.svd(matrix, compute_uv=False)[number - 1])


def well_conditioned(truth: Population, of_O: float = LARGEST_CONDITION) -> tuple[Statement, ...]:
    """Rank k, with a margin that doubles can see."""
    return (
        Statement("1/σ_k(Σ_31)", _inverse(truth.sigma_k), "≤", LARGEST_CONDITION),
        Statement("1/σ_k(O)", _inverse(truth.sigma_k_O), "≤", of_O),
    )


def _inverse(x: float) -> float:
    return math.inf if x == 0 else 1 / x


# Directions


def unit_columns(shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Random directions as columns."""
    drawn = rng.standard_normal(shape)
    unit: Floats = drawn / np.linalg.norm(drawn, axis=0)
    return unit


def unit_matrix(shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    """A random matrix of spectral norm one."""
    drawn = rng.standard_normal(shape)
    unit: Floats = drawn / np.linalg.norm(drawn, 2)
    return unit


def direction(matrix: Floats, k: int, manner: str, rng: np.random.Generator) -> Floats:
    """A matrix of norm one: anything, or along the k-th singular pair of the given matrix."""
    left, _, right = np.linalg.svd(matrix, full_matrices=False)
    pair: Floats = np.outer(left[:, k - 1], right[k - 1])
    match manner:
        case "towards singular" | "aligned":
            return -pair
        case "away from singular":
            return pair
        case _:
            return unit_matrix((matrix.shape[0], matrix.shape[1]), rng)
