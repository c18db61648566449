"""Checks of Lemma 15."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_d.chains import chains
from ptum.checks.exact.mdp import Table
from ptum.checks.exact.numbers import is_above
from ptum.checks.instances.counterexamples.section_4.theorem_3 import confirm_misses
from ptum.checks.verdicts import witness
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, roots_of
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.spec.vocabulary import CheckKind


@stored
@dataclass(frozen=True)
class Prediction:
    """A chain, an estimate of it, the tasks that the current one may be, those to be dropped."""

    T: Table
    T_hat: Table
    theta_bar: tuple[int, ...]
    current: int
    eliminated: tuple[int, ...]


@st.composite
def predictions(draw: DrawFn) -> Prediction:
    """Any estimate, signed ones included; the current task is in the set."""
    k = draw(st.integers(2, 5))
    T = draw(chains(k))
    errors = draw(st.lists(st.integers(-20, 20), min_size=k * k, max_size=k * k))
    scale = draw(st.sampled_from((1, 10, 100)))
    T_hat = tuple(
        tuple(T[i][j] + Fraction(errors[i * k + j], 100 * scale) for j in range(k))
        for i in range(k)
    )
    theta_bar = tuple(sorted(draw(st.sets(st.integers(0, k - 1), min_size=1))))
    eliminated = tuple(sorted(draw(st.sets(st.integers(0, k - 1), min_size=1))))
    return Prediction(T, T_hat, theta_bar, draw(st.sampled_from(theta_bar)), eliminated)


def squared_column_error(case: Prediction) -> Fraction:
    """Square of the largest Euclidean error of a column of T̂."""
    k = len(case.T)
    return max(
        sum(((case.T[i][j] - case.T_hat[i][j]) ** 2 for i in range(k)), Fraction(0))
        for j in range(k)
    )


def prediction_evaluation(case: Prediction, share: Fraction = Fraction(1)) -> Evaluation:
    """Σ_{θ∈E} T(θ,θ*_h) ≤ max_{θ'∈Θ̄_h} Σ_{θ∈E} T̂(θ,θ') + √|E| e, in squares.

    A `share` below one of √|E| e is for tests.
    """
    mass = sum((case.T[i][case.current] for i in case.eliminated), Fraction(0))
    predicted = max(
        sum((case.T_hat[i][j] for i in case.eliminated), Fraction(0)) for j in case.theta_bar
    )
    allowed = share**2 * len(case.eliminated) * squared_column_error(case)
    missing = max(mass - predicted, Fraction(0))
    e_T = math.sqrt(squared_column_error(case))
    T_hat = [[float(x) for x in row] for row in case.T_hat]
    literal = repaired.next_task_bound(T_hat, case.theta_bar, case.eliminated, e_T=e_T)
    bound = float(predicted) + math.sqrt(len(case.eliminated)) * e_T
    off = 2 * (len(case.T) + 4) * ROUNDING * (1 + abs(bound))  # a sum of k entries and a product
    witness.same_numbers("Lemma 15", literal, bound, off)
    if is_above(literal, 0.0) and not is_above(literal, 0.99):
        confirm_misses(literal)  # with the bound for η
    return Evaluation(
        premises=(
            Statement("θ*_h ∈ Θ̄_h", int(case.current in case.theta_bar), "=", 1),
            Statement("tasks in the dropped set", len(case.eliminated), "≥", 1),
        ),
        conclusion=Statement(
            f"(P(next is dropped) = {float(mass):.4g} minus what T̂ predicts)², against |E|e²",
            missing**2,
            "≤",
            allowed,
            "ptum.spec.formulas.sequential:THEOREM_3_RULE_REPAIRED",
            (("size_E", len(case.eliminated)), ("e_T", math.sqrt(squared_column_error(case)))),
            measured=roots_of(missing**2, allowed),
        ),
    )


@check("lemma-15.bound/given-the-history", CheckKind.EXACT)
def given_the_history(context: Context, share: Fraction = Fraction(1)) -> Outcome:
    """Mass of the dropped tasks given the history, for drawn chains and estimates."""
    return search(
        context, predictions(), lambda case: prediction_evaluation(case, share), (100, 400, 50_000)
    )
