"""Lemma 13 and Assumption 5: how deviations change with the law, with and without a floor.

Everything is rational. A deviation is a root, so |√x - √y| is compared through squares; the floor
is the square of a rational number wherever its root occurs in a sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.claims.symbolic import Identity, holds
from ptum.checks.exact.intervals import root
from ptum.checks.instances.counterexamples.appendix_d import empty_cell, vanishing_deviation
from ptum.checks.instances.counterexamples.appendix_d.vanishing_deviation import (
    Laws,
    premises_of,
    root_case,
)
from ptum.checks.instances.families import rational
from ptum.checks.verdicts import formulas, reparametrise
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Check, Context, Run
from ptum.checks.verdicts.outcome import Outcome, Statement, Walk, over_walks
from ptum.checks.verdicts.roots import RootCase, search_roots
from ptum.checks.verdicts.search import Climb, search
from ptum.reference.arrays import Floats
from ptum.reference.experiments.objectworld import FIGURE_2, FIGURE_4, FIGURE_5_LEFT
from ptum.spec.algebra import Term
from ptum.spec.formulas import appendix_d
from ptum.spec.formulas.symbols import U, gamma, sigma_bar
from ptum.spec.vocabulary import CheckKind, Version

LARGEST_CONSTANT = Fraction(10**6)


@stored
@dataclass(frozen=True)
class Floored:
    """Two laws and a number s > 0 whose square is a floor of one or both variances."""

    laws: Laws
    s: Fraction


# Instances


@st.composite
def any_laws(draw: DrawFn) -> Laws:
    """Two laws on two to four points, unrelated or close to each other."""
    size = draw(st.integers(2, 4))
    p, other = draw(rational.distributions(size)), draw(rational.distributions(size))
    share = draw(st.sampled_from((Fraction(1), Fraction(1, 10), Fraction(1, 1000))))
    q = tuple((1 - share) * x + share * y for x, y in zip(p, other, strict=True))
    b = draw(st.sampled_from((Fraction(1), Fraction(10), Fraction(1, 3))))
    f = tuple(b * Fraction(draw(st.integers(0, 10)), 10) for _ in range(size))
    return Laws(*draw(st.sampled_from(((p, q), (q, p)))), f, b)


@st.composite
def tight_laws(draw: DrawFn) -> Laws:
    """Rare events: b with a small probability under p, with a slightly other one, or 0, under q."""
    rare = Fraction(1, draw(st.integers(2, 1000)))
    other = rare * draw(st.sampled_from((Fraction(0), Fraction(99, 100), Fraction(101, 100))))
    b = draw(st.sampled_from((Fraction(1), Fraction(10))))
    return Laws((1 - rare, rare), (1 - other, other), (Fraction(0), b), b)


def all_laws() -> SearchStrategy[Laws]:
    """Both kinds."""
    return st.one_of(any_laws(), tight_laws())


def floored_in_p() -> SearchStrategy[Floored]:
    """The floor is the variance of p itself, up to the rounding of its root."""
    return all_laws().map(lambda laws: Floored(laws, floor_of_p(laws)))


def floor_of_p(laws: Laws) -> Fraction:
    """The deviation under p."""
    return root(laws.variance_p).low


def floored_in_both() -> SearchStrategy[Floored]:
    """The floor is the smaller of the two variances."""
    return all_laws().map(lambda laws: Floored(laws, floor_of_both(laws)))


def floor_of_both(laws: Laws) -> Fraction:
    """The smaller deviation."""
    return root(min(laws.variance_p, laws.variance_q)).low


def laws_vector(laws: Laws) -> Floats:
    """Coordinates of p, of q and of f/b."""
    return reparametrise.vector(
        reparametrise.law_coordinates(laws.p),
        reparametrise.law_coordinates(laws.q),
        [reparametrise.coordinate(value / laws.b) for value in laws.f],
    )


def laws_at(vector: Floats, start: Laws) -> Laws:
    """The laws at these coordinates, with the range of others."""
    p, q, f = np.split(vector, 3)
    return Laws(
        reparametrise.rational_law(p),
        reparametrise.rational_law(q),
        tuple(start.b * reparametrise.rational_between_0_and_1(x) for x in f.tolist()),
        start.b,
    )


def climb_floored(floor: Callable[[Laws], Fraction]) -> Climb[Floored]:
    """The same for laws with the largest floor that they allow."""

    def floored(vector: Floats, start: Floored) -> Floored:
        laws = laws_at(vector, start.laws)
        return Floored(laws, floor(laws))

    return Climb(lambda floored: laws_vector(floored.laws), floored)


# Lemma 13

Bound = Callable[[Laws, Fraction], Fraction]
"""What Lemma 13 allows, from the laws and the root of the floor."""


def printed_bound(laws: Laws, s: Fraction) -> Fraction:
    """b (b/(2s) + 1) ‖p-q‖₁."""
    return laws.b * (laws.b / (2 * s) + 1) * laws.distance


def one_floor_bound(laws: Laws, s: Fraction) -> Fraction:
    """b²/(2s) ‖p-q‖₁."""
    return laws.b**2 / (2 * s) * laws.distance


def two_floors_bound(laws: Laws, s: Fraction) -> Fraction:
    """b²/(4s) ‖p-q‖₁."""
    return laws.b**2 / (4 * s) * laws.distance


def case(floored: Floored, bound: Bound, both: bool) -> RootCase:
    """The inequality with a floor under p, or under both."""
    laws, s = floored.laws, floored.s
    premises = [
        *premises_of(laws),
        Statement("floor", s, ">", 0),
        Statement("Var_p[f] against the floor", laws.variance_p, "≥", s**2),
    ]
    if both:
        premises.append(
            Statement("Var_q[f] against the floor", laws.variance_q, "≥", s**2),
        )
    allowed = bound(laws, s) if s > 0 else Fraction(0)
    printed = bound is printed_bound
    return RootCase(
        "|Std_p[f] - Std_q[f]|",
        tuple(premises),
        laws.variance_p,
        laws.variance_q,
        allowed**2,
        formulas.APPENDIX_D + ("LEMMA_13" if printed else "LEMMA_13_REPAIRED"),
        (("b", laws.b), ("c_floor", s**2), ("l1_distance", laws.distance)),
    )


def with_both_floors(bound: Bound = printed_bound) -> Run:
    """Lemma 13 where both variances are at least c."""

    def run(context: Context) -> Outcome:
        return search_roots(
            context,
            floored_in_both(),
            lambda floored: case(floored, bound, both=True),
            context.count(100, 600, 50_000),
            climb_floored(floor_of_both),
        )

    return run


def with_one_floor(bound: Bound = one_floor_bound) -> Run:
    """Lemma 13 where only the variance under p is at least c."""

    def run(context: Context) -> Outcome:
        return search_roots(
            context,
            floored_in_p(),
            lambda floored: case(floored, bound, both=False),
            context.count(100, 600, 50_000),
            climb_floored(floor_of_p),
        )

    return run


def floor_is_needed(context: Context) -> Outcome:
    """For every constant there are laws beyond it."""

    def beyond(constant: Fraction) -> Walk:
        pair = vanishing_deviation.against(constant)
        told = vanishing_deviation.walk(pair, constant)
        return Walk(told.premises, replace(told.conclusion, sign=">", measured=None))

    constants = st.fractions(Fraction(1, 1000), LARGEST_CONSTANT, max_denominator=1000)
    return search(context, constants, beyond, context.count(50, 500, 5000))


def root_of_distance(context: Context, share: Fraction = Fraction(1, 2)) -> Outcome:
    """What remains without a floor."""
    without_floor = st.one_of(
        all_laws(), st.integers(2, 10**6).map(lambda n: vanishing_deviation.laws(Fraction(1, n)))
    )
    return search_roots(
        context,
        without_floor,
        lambda laws: root_case(laws, share),
        context.count(100, 600, 50_000),
        Climb(laws_vector, laws_at),
    )


# Assumption 5


def floor_of_deviations(_: Context, c: Term = sigma_bar**2) -> Outcome:
    """Lemma 14's constants are Lemma 13's at c = σ̄²: the floor is one of deviations.

    Values lie in [0, 1/(1-γ)], rewards in [0, 1]; a law is taken U e or S e away.
    """
    lemma_13 = _right(appendix_d.LEMMA_13)
    rewards = lemma_13.substitute({"b": 1, "c_floor": c, "l1_distance": U * _error()})
    values = lemma_13.substitute(
        {"b": 1 / (1 - gamma), "c_floor": c, "l1_distance": _states() * _error()}
    )
    return holds(
        (
            Identity("reward deviations", rewards, _right(appendix_d.LEMMA_14_SIGMA_R)),
            Identity("value deviations", values, _right(appendix_d.LEMMA_14_SIGMA_P)),
        )
    )


def _right(formula: object) -> Term:
    right = getattr(formula, "right", None)
    if not isinstance(right, Term):
        raise TypeError("the formula has no number on its right side")
    return right


def _error() -> Term:
    """e = ρ_4 √(log(6SA(S+U)/δ')/h), read off the first line of Lemma 14."""
    return _right(appendix_d.LEMMA_14_R) / U


def _states() -> Term:
    """S, read off the second line of Lemma 14."""
    return _right(appendix_d.LEMMA_14_P) * (1 - gamma) / _error()


def experiments(context: Context) -> Outcome:
    """The items of Figures 2, 4 and 5 left, as they are drawn."""
    walks = [
        empty_cell.walk(setting, empty_cell.drawn_items(setting, context.generator(number)))
        for number, setting in enumerate((FIGURE_2, FIGURE_4, FIGURE_5_LEFT))
    ]
    return over_walks(walks, "experiments meet the premises")


CHECKS = (
    Check(
        id="assumption-5.floor/of-deviations",
        version=Version.PRINTED,
        kind=CheckKind.SYMBOLIC,
        says="Lemma 14 uses the floor as one of standard deviations, c = σ̄² in Lemma 13",
        run=floor_of_deviations,
    ),
    Check(
        id="assumption-5.experiments/empty-cells",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="an empty cell of the objectworld pays a certain 0",
        run=experiments,
    ),
    Check(
        id="assumption-5.experiments/root-of-distance",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="without a floor deviations differ by at most b√(‖p-q‖₁/2)",
        run=root_of_distance,
    ),
    Check(
        id="text-floor-removable.estimates/one-floor",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="Lemma 13's printed bound with a floor under one law only",
        run=with_one_floor(printed_bound),
    ),
    Check(
        id="text-floor-removable.true-models/any-constant",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="for every constant there are true laws without a floor that it does not serve",
        run=floor_is_needed,
    ),
    Check(
        id="text-floor-removable.true-models/root-of-distance",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="without a floor deviations differ by at most b√(‖p-q‖₁/2)",
        run=root_of_distance,
    ),
    Check(
        id="lemma-13.bound/exact-laws",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="the inequality for drawn laws, both variances above the floor",
        run=with_both_floors(),
    ),
    Check(
        id="lemma-13.bound/two-floors",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="b²/(4√c)‖p-q‖₁ where both variances are at least c",
        run=with_both_floors(two_floors_bound),
    ),
    Check(
        id="lemma-13.bound/one-floor",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="b²/(2√c)‖p-q‖₁ where one variance is at least c",
        run=with_one_floor(),
    ),
    Check(
        id="lemma-13.floor/any-constant",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="for every constant there are laws with a larger ratio",
        run=floor_is_needed,
    ),
)
