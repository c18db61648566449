"""Lemma 13 and Assumption 5: how deviations change with the distribution, with and without a floor.

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
from ptum.checks.instances.counterexamples.appendix_d import lemma_14
from ptum.checks.instances.counterexamples.appendix_d.lemma_14 import Laws, premises_of, root_case
from ptum.checks.instances.families import rational
from ptum.checks.verdicts import formulas, reparametrise, witness
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import CheckFunction, Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, over_evaluations
from ptum.checks.verdicts.search import Climb, RootCase, search, search_roots
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.experiments.objectworld import FIGURE_2, FIGURE_4, FIGURE_5_LEFT
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired_bounds
from ptum.reference.sequential.analysis import spectral_bounds
from ptum.spec.algebra import Term
from ptum.spec.formulas import appendix_d
from ptum.spec.formulas.symbols import U, gamma, sigma_bar
from ptum.spec.vocabulary import CheckKind

LARGEST_CONSTANT = Fraction(10**6)


@stored
@dataclass(frozen=True)
class Floored:
    """Two distributions and a number s > 0 whose square is a floor of one or both variances."""

    laws: Laws
    s: Fraction


# Instances


@st.composite
def any_distributions(draw: DrawFn) -> Laws:
    """Two distributions on two to four points, unrelated or close to each other."""
    size = draw(st.integers(2, 4))
    p, other = draw(rational.distributions(size)), draw(rational.distributions(size))
    share = draw(st.sampled_from((Fraction(1), Fraction(1, 10), Fraction(1, 1000))))
    q = tuple((1 - share) * x + share * y for x, y in zip(p, other, strict=True))
    b = draw(st.sampled_from((Fraction(1), Fraction(10), Fraction(1, 3))))
    f = tuple(b * Fraction(draw(st.integers(0, 10)), 10) for _ in range(size))
    return Laws(*draw(st.sampled_from(((p, q), (q, p)))), f, b)


@st.composite
def tight_distributions(draw: DrawFn) -> Laws:
    """Rare events: b with a small probability under p, with a slightly other one, or 0, under q."""
    rare = Fraction(1, draw(st.integers(2, 1000)))
    other = rare * draw(st.sampled_from((Fraction(0), Fraction(99, 100), Fraction(101, 100))))
    b = draw(st.sampled_from((Fraction(1), Fraction(10))))
    return Laws((1 - rare, rare), (1 - other, other), (Fraction(0), b), b)


def all_distributions() -> SearchStrategy[Laws]:
    """Both kinds."""
    return st.one_of(any_distributions(), tight_distributions())


def floored_in_p() -> SearchStrategy[Floored]:
    """The floor is the variance of p itself, up to the rounding of its root."""
    return all_distributions().map(lambda laws: Floored(laws, floor_of_p(laws)))


def floor_of_p(laws: Laws) -> Fraction:
    """The deviation under p."""
    return root(laws.variance_p).low


def floored_in_both() -> SearchStrategy[Floored]:
    """The floor is the smaller of the two variances."""
    return all_distributions().map(lambda laws: Floored(laws, floor_of_both(laws)))


def floor_of_both(laws: Laws) -> Fraction:
    """The smaller deviation."""
    return root(min(laws.variance_p, laws.variance_q)).low


def laws_vector(laws: Laws) -> Floats:
    """Coordinates of p, of q and of f/b."""
    return reparametrise.vector(
        reparametrise.distribution_coordinates(laws.p),
        reparametrise.distribution_coordinates(laws.q),
        [reparametrise.coordinate(value / laws.b) for value in laws.f],
    )


def laws_at(vector: Floats, start: Laws) -> Laws:
    """The distributions at these coordinates, with the range of others."""
    p, q, f = np.split(vector, 3)
    return Laws(
        reparametrise.rational_distribution(p),
        reparametrise.rational_distribution(q),
        tuple(start.b * reparametrise.rational_between_0_and_1(x) for x in f.tolist()),
        start.b,
    )


def climb_floored(floor: Callable[[Laws], Fraction]) -> Climb[Floored]:
    """The same for distributions with the largest floor that they allow."""

    def floored(vector: Floats, start: Floored) -> Floored:
        laws = laws_at(vector, start.laws)
        return Floored(laws, floor(laws))

    return Climb(lambda floored: laws_vector(floored.laws), floored)


# Lemma 13

Bound = Callable[[Laws, Fraction], Fraction]
"""What Lemma 13 allows, from the distributions and the root of the floor."""


def printed_bound(laws: Laws, s: Fraction) -> Fraction:
    """b (b/(2s) + 1) ‖p-q‖₁."""
    return laws.b * (laws.b / (2 * s) + 1) * laws.distance


def one_floor_bound(laws: Laws, s: Fraction) -> Fraction:
    """b²/(2s) ‖p-q‖₁."""
    return laws.b**2 / (2 * s) * laws.distance


def two_floors_bound(laws: Laws, s: Fraction) -> Fraction:
    """b²/(4s) ‖p-q‖₁."""
    return laws.b**2 / (4 * s) * laws.distance


LITERAL: dict[Bound, Callable[..., Inequality]] = {
    printed_bound: spectral_bounds.std_difference_bound,
    one_floor_bound: repaired_bounds.std_difference_bound,
}
"""Lemma 13 as code, by its bound."""


def _confirm(floored: Floored, bound: Bound) -> None:
    """The literal right side: ‖p-q‖₁ is off by a rounding per entry, and its factor by eight."""
    laws, s = floored.laws, floored.s
    p, q, f = ([float(x) for x in row] for row in (laws.p, laws.q, laws.f))
    found = LITERAL[bound](p=p, q=q, f=f, b=float(laws.b), c=float(s**2)).right
    factor = float(laws.b * (laws.b / (2 * s) + 1))
    roundings = 2 * (len(p) + 8) * ROUNDING
    witness.same_numbers("Lemma 13", float(found), bound(laws, s), roundings * factor)


def case(floored: Floored, bound: Bound, both: bool) -> RootCase:
    """The inequality with a floor under p, or under both."""
    laws, s = floored.laws, floored.s
    premises = [
        *premises_of(laws),
        Statement("floor", s, ">", 0),
        Statement("Var_p[f] against the floor", laws.variance_p, "≥", s**2),
    ]
    if both:
        premises.append(Statement("Var_q[f] against the floor", laws.variance_q, "≥", s**2))
    allowed = bound(laws, s) if s > 0 else Fraction(0)
    if s > 0 and bound in LITERAL:
        _confirm(floored, bound)
    names = {printed_bound: "LEMMA_13", one_floor_bound: "LEMMA_13_REPAIRED"}
    return RootCase(
        "|Std_p[f] - Std_q[f]|",
        tuple(premises),
        laws.variance_p,
        laws.variance_q,
        allowed**2,
        formulas.APPENDIX_D + names[bound] if bound in names else None,
        (("b", laws.b), ("c_floor", s**2), ("l1_distance", laws.distance)),
    )


def with_both_floors(bound: Bound = printed_bound) -> CheckFunction:
    """Lemma 13 where both variances are at least c."""
    return _with_floors(bound, floored_in_both(), floor_of_both, both=True)


def with_one_floor(bound: Bound = one_floor_bound) -> CheckFunction:
    """Lemma 13 where only the variance under p is at least c."""
    return _with_floors(bound, floored_in_p(), floor_of_p, both=False)


def _with_floors(
    bound: Bound, drawn: SearchStrategy[Floored], floor: Callable[[Laws], Fraction], *, both: bool
) -> CheckFunction:
    climb, examples = climb_floored(floor), (100, 600, 50_000)
    return lambda context: search_roots(
        context, drawn, lambda floored: case(floored, bound, both), examples, climb
    )


@check(
    "text-floor-removable.true-models/any-constant",
    CheckKind.EXACT,
    "For every constant there are true distributions without a floor that it does not serve",
)
@check(
    "lemma-13.floor/any-constant",
    CheckKind.EXACT,
    "For every constant there are distributions with a larger ratio",
)
def floor_is_needed(context: Context) -> Outcome:
    """For every constant there are distributions beyond it."""

    def beyond(constant: Fraction) -> Evaluation:
        pair = lemma_14.against(constant)
        told = lemma_14.vanishing_deviation_evaluation(pair, constant)
        return Evaluation(told.premises, replace(told.conclusion, sign=">", measured=None))

    constants = st.fractions(Fraction(1, 1000), LARGEST_CONSTANT, max_denominator=1000)
    return search(context, constants, beyond, (50, 500, 5000))


@check(
    "assumption-5.experiments/root-of-distance",
    CheckKind.EXACT,
    "Without a floor deviations differ by at most b√(‖p-q‖₁/2)",
)
@check(
    "text-floor-removable.true-models/root-of-distance",
    CheckKind.EXACT,
    "Without a floor deviations differ by at most b√(‖p-q‖₁/2)",
)
def root_of_distance(context: Context, share: Fraction = Fraction(1, 2)) -> Outcome:
    """What remains without a floor."""
    without_floor = st.one_of(
        all_distributions(), st.integers(2, 10**6).map(lambda n: lemma_14.laws(Fraction(1, n)))
    )
    return search_roots(
        context,
        without_floor,
        lambda laws: root_case(laws, share),
        (100, 600, 50_000),
        Climb(laws_vector, laws_at),
    )


# Assumption 5


@check("assumption-5.floor/of-deviations", CheckKind.SYMBOLIC)
def floor_of_deviations(_: Context, c: Term = sigma_bar**2) -> Outcome:
    """Lemma 14 uses the floor as one of standard deviations, c = σ̄² in Lemma 13.

    Lemma 14's constants are Lemma 13's at c = σ̄²: the floor is one of deviations.

    Values lie in [0, 1/(1-γ)], rewards in [0, 1]; a distribution is taken U e or S e away.
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


@check("assumption-5.experiments/empty-cells", CheckKind.EXACT)
def experiments(context: Context) -> Outcome:
    """An empty cell of the objectworld pays a certain 0.

    The items of Figures 2, 4 and 5 left, as they are drawn.
    """
    evaluations = [
        lemma_14.empty_cell_evaluation(
            setting, lemma_14.drawn_items(setting, context.generator(number))
        )
        for number, setting in enumerate((FIGURE_2, FIGURE_4, FIGURE_5_LEFT))
    ]
    return over_evaluations(evaluations, "experiments meet the premises")


check(
    "text-floor-removable.estimates/one-floor",
    CheckKind.EXACT,
    "Lemma 13's printed bound with a floor under one distribution only",
)(with_one_floor(printed_bound))
check(
    "lemma-13.bound/exact-laws",
    CheckKind.EXACT,
    "The inequality for drawn distributions, both variances above the floor",
)(with_both_floors())
check(
    "lemma-13.bound/two-floors",
    CheckKind.EXACT,
    "b²/(4√c)‖p-q‖₁ where both variances are at least c",
)(with_both_floors(two_floors_bound))
check(
    "lemma-13.bound/one-floor", CheckKind.EXACT, "b²/(2√c)‖p-q‖₁ where one variance is at least c"
)(with_one_floor())
