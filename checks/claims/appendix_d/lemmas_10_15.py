"""Checks of Lemmas 10 and 15."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_d.chains import chains
from ptum.checks.exact.mdp import Table
from ptum.checks.instances.counterexamples.appendix_c import visits
from ptum.checks.instances.counterexamples.appendix_d import period_three, random_set, same_data
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Outcome, Statement, Walk, from_walk, roots_of
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import CheckKind, Version

# Lemma 10


def independent_tasks(_: Context) -> Outcome:
    """Two families with the same data and different third views O e_j."""
    return from_walk(same_data.lemma_10_walk(same_data.independent_tasks()))


def three_cycle(_: Context) -> Outcome:
    """Disjoint triples of 1→2→3→1 always show the same task in the same place."""
    return from_walk(period_three.walk(visits.three_cycle(), period_three.cyclic()))


# Lemma 15


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


def prediction_walk(case: Prediction, share: Fraction = Fraction(1)) -> Walk:
    """Σ_{θ∈E} T(θ,θ*_h) ≤ max_{θ'∈Θ̄_h} Σ_{θ∈E} T̂(θ,θ') + √|E| e, in squares.

    A `share` below one of √|E| e is for tests.
    """
    mass = sum((case.T[i][case.current] for i in case.eliminated), Fraction(0))
    predicted = max(
        sum((case.T_hat[i][j] for i in case.eliminated), Fraction(0)) for j in case.theta_bar
    )
    allowed = share**2 * len(case.eliminated) * squared_column_error(case)
    missing = max(mass - predicted, Fraction(0))
    return Walk(
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


def given_the_history(context: Context, share: Fraction = Fraction(1)) -> Outcome:
    """The repaired inequality for drawn chains and estimates."""
    return search(
        context,
        predictions(),
        lambda case: prediction_walk(case, share),
        context.count(100, 400, 50_000),
    )


def random_set_breaks(_: Context) -> Outcome:
    """The counterexample."""
    return from_walk(random_set.walk(random_set.sticky()))


CHECKS = (
    Check(
        id="lemma-10.bound/independent-tasks",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="two families of independent tasks whose data nobody can tell apart",
        run=independent_tasks,
    ),
    Check(
        id="lemma-10.bound/three-cycle",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="with third views O T e_j, a cycle of three tasks leaves no estimate",
        run=three_cycle,
    ),
    Check(
        id="lemma-15.bound/sticky-tasks",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="two sticky tasks, the current one identified",
        run=random_set_breaks,
    ),
    Check(
        id="lemma-15.bound/given-the-history",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="mass of the dropped tasks given the history, for drawn chains and estimates",
        run=given_the_history,
    ),
)
