"""Lemmas 11 and 12 without probabilities: what errors of moments do to O and T.

The moments of a drawn chain are moved by matrices of a chosen norm, in random directions and in
those that hurt most. Singular values need doubles; why the tolerance suffices stands with it.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from checks import formulas
from checks.appendix_d import rational as exactly
from checks.appendix_d.chains import ExactHMM, hmms, listed, seeds
from checks.appendix_d.rational import SingularError
from checks.counterexamples import four_cycle, halved_scalar
from checks.exact import Table, Vector
from checks.outcome import Formed, Outcome, Statement, Values, Walk, from_walk, not_met
from checks.registry import Check, Context
from checks.search import search
from checks.symbolic import Identity, holds
from reference import spectral_bounds as printed
from reference.arrays import Floats
from reference.conditioning import dobrushin, mixing
from reference.repaired import spectral_bounds as repaired
from reference.repaired.spectral import rank_k_inverse
from reference.spectral_bounds import ErrorBound
from spec.algebra import Term, rational
from spec.formulas import appendix_d
from spec.formulas.symbols import A as A_SYMBOL
from spec.formulas.symbols import (
    S,
    lambda_max_Sigma_21,
    lambda_min_Sigma_31,
    rho_2,
)
from spec.vocabulary import CheckKind, Version

LARGEST_CONDITION = 1e4
LARGEST_CONDITION_OF_O = 50
LEAST_SHARE = 1e-2
TOLERANCE = 1e-5
"""Relative to the bounds.

A product of d×d matrices with a (pseudo-)inverse of condition κ ≤ 10⁴ loses at most some 10d² κ
roundings of its size λB/σ; Lemma 11's bounds are at least 4 λB/σ times the share f ≥ 10⁻² of the
largest admissible error. With d ≤ 20 that is below 10 · 400 · 10⁴ · 2⁻⁵² / (4 · 10⁻²) < 3·10⁻⁷ of
them. T̂ = Ô^†μ̂ has size B/σ_k(O) and loses 10d² B/σ_k(O) roundings of it, and Lemma 12's bounds are
at least f/√k: with 1/σ_k(O) ≤ 50, B² ≤ 8 and k ≤ 4 it is 10 · 400 · 8 · 2500 · 2⁻⁵² · 200 < 4·10⁻⁶.
"""
NORM_TOLERANCE = 1e-12
"""Norms of matrices that are themselves exact: a few hundred roundings, relative."""

SHARES = (1.0, 0.5, 0.1, LEAST_SHARE)
"""Of the largest error that the premises admit."""

VIEW_ERRORS = (0.0, 0.1, 1.0, 10.0)
"""Errors of third views over those of moments."""


@dataclass(frozen=True)
class Moved:
    """A chain, how much its moments are moved, in which manner, and the error of third views.

    `view_error` is ρ_2 over the moment error; `seed` fixes the random directions.
    """

    hmm: ExactHMM
    share: float
    manner: str
    view_error: float
    seed: int


MANNERS = ("random", "towards singular", "away from singular", "stretched", "aligned")
"""Of errors. The last one lets all of them work together: Σ_31 loses as much of its k-th singular
value as it can, Σ_21 gains what the k-th singular direction is multiplied by, and the third views
are moved so that their error adds to that of the pseudo-inverse."""


def siblings() -> SearchStrategy[ExactHMM]:
    """The four-cycle on which the printed constant fails."""
    return st.sampled_from((Fraction(1, 10), Fraction(3, 100), Fraction(1, 100))).map(cycle_of_four)


def opposites() -> SearchStrategy[ExactHMM]:
    """Two tasks without chance that agree nowhere and follow each other, surely or nearly so.

    Their columns are orthogonal and as long as columns can be, so that for the sure chain all
    singular values of Σ_21 and Σ_31 are SA: no factor λ_max/σ_k or B/‖μ‖ is lost in a bound.
    """
    sure = st.sampled_from((Fraction(1), Fraction(97, 100), Fraction(9, 10)))
    return st.builds(opposite_tasks, st.sampled_from((1, 2)), sure)


def opposite_tasks(A: int, success: Fraction) -> ExactHMM:
    """Two states, two rewards; task j pays the j-th reward and leads to the j-th state, always."""
    first = (Fraction(1), Fraction(0)) * (4 * A)
    second = (Fraction(0), Fraction(1)) * (4 * A)
    chain = listed(2, {0: 1 - success, 1: success})
    half = (Fraction(1, 2),) * 2
    return ExactHMM(2, A, 2, tuple(zip(first, second, strict=True)), chain, half)


def cycle_of_four(e: Fraction) -> ExactHMM:
    """Its tasks and chain."""
    cycle = four_cycle.instance(e)
    quarter = (Fraction(1, four_cycle.K),) * four_cycle.K
    return ExactHMM(four_cycle.S, four_cycle.A, 4, cycle.O, cycle.T, quarter)


@cache
def moved() -> SearchStrategy[Moved]:
    """Any chain in any manner, or the hardest that is known."""
    anything = st.builds(
        Moved,
        st.one_of(hmms(), hmms(), siblings(), opposites()),
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


@dataclass(frozen=True)
class Population:
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


def population(hmm: ExactHMM) -> Population:
    """What the lemmas speak of: Σ_21 = O T diag(π) Oᵀ and Σ_31 = O T² diag(π) Oᵀ."""
    rounded = hmm.rounded()
    O, T, pi = rounded.O, rounded.T, rounded.initial
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


# Lemma 11

Constant4 = Callable[..., float]


def stretching(truth: Population, k: int) -> Floats:
    """u ⊗ v with u what Σ_21 Σ_31^† makes longest and v along Σ_31^† μ of the longest column."""
    inverse = rank_k_inverse(truth.Sigma_31, k)
    _, _, right = np.linalg.svd(truth.Sigma_21 @ inverse)
    images = inverse @ truth.mu
    longest = images[:, int(np.argmax(np.linalg.norm(images, axis=0)))]
    unit: Floats = np.outer(right[0], longest / np.linalg.norm(longest))
    return unit


def column_error(
    truth: Population, manner: str, moment_error: float, view_error: float, seed: int
) -> float:
    """Largest column error of Ô when moments and third views are off by that much."""
    rng, (d, k) = np.random.default_rng(seed), truth.O.shape
    along = (
        stretching(truth, k) if manner == "stretched" else direction(truth.Sigma_31, k, manner, rng)
    )
    of_Sigma_21, of_mu = unit_matrix((d, d), rng), unit_columns((d, k), rng)
    if manner == "aligned":
        of_Sigma_21, of_mu = aligned(truth, k)
    Sigma_31 = truth.Sigma_31 + moment_error * along
    Sigma_21 = truth.Sigma_21 + moment_error * of_Sigma_21
    mu = truth.mu + view_error * of_mu
    O_hat = Sigma_21 @ rank_k_inverse(Sigma_31, k) @ mu
    return float(np.linalg.norm(O_hat - truth.O, axis=0).max())


def aligned(truth: Population, k: int) -> tuple[Floats, Floats]:
    """Errors of Σ_21 and of the third views that add to a loss of the k-th singular value of Σ_31.

    With (u, v) its k-th singular pair: Σ_21 v is made longer, and each view is moved along u, to
    the side on which Σ_31^† μ has its component along v.
    """
    left, _, right = np.linalg.svd(truth.Sigma_31)
    u, v = left[:, k - 1], right[k - 1]
    image = truth.Sigma_21 @ v
    sides = np.where(v @ rank_k_inverse(truth.Sigma_31, k) @ truth.mu >= 0, 1.0, -1.0)
    return np.outer(image / np.linalg.norm(image), v), np.outer(u, sides)


def observation_walk(case: Moved, rho_4: Constant4 = repaired.rho_4) -> Walk:
    """Moments off by at most r, third views by at most ρ_2 r: columns of O by at most ρ_4 r.

    The unit of the moment errors is C_Σ = 1, so r is their size.
    """
    truth = population(case.hmm)
    premises = well_conditioned(truth)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    r = case.share * min(truth.sigma_k / 2, truth.lambda_max)
    allowed = r * rho_4(
        rho_2=case.view_error,
        S=case.hmm.S,
        A=case.hmm.A,
        C_S=1.0,
        lambda_max_Sigma_21=truth.lambda_max,
        sigma_k_Sigma_31=truth.sigma_k,
    )
    error = column_error(truth, case.manner, r, case.view_error * r, case.seed)
    return Walk(
        (*premises, Statement("r against σ_k(Σ_31)/2", r, "≤", truth.sigma_k / 2)),
        Statement(
            "largest column error of O",
            error,
            "≤",
            allowed * (1 + TOLERANCE),
            formulas.APPENDIX_D + "RHO_4_REPAIRED",
            _values_of_rho_4(case, truth, 1.0),
        ),
    )


def _values_of_rho_4(case: Moved, truth: Population, C_S: float) -> Values:
    return (
        *(("rho_2", case.view_error), ("C_S", C_S), ("B", math.sqrt(2 * case.hmm.S * case.hmm.A))),
        *(("lambda_max_Sigma_21", truth.lambda_max), ("sigma_k_Sigma_31", truth.sigma_k)),
    )


def observation_implication(context: Context, rho_4: Constant4 = repaired.rho_4) -> Outcome:
    """The repaired constant."""
    return search(
        context,
        moved(),
        lambda case: observation_walk(case, rho_4),
        context.count(80, 350, 50_000),
        tolerance=TOLERANCE,
    )


def four_cycle_breaks(_: Context, e: Fraction = Fraction(1, 100)) -> Outcome:
    """The printed constant on two nearly equal tasks."""
    return from_walk(four_cycle.walk(four_cycle.instance(e)))


# Lemmas 11 and 12 on the event that equation 8 and Lemma 10 hold

LENGTHS = (1, 4, 100)
"""How many times the least h of which the lemmas speak."""
DELTA_PRIME = 0.1
POWERS = 99
"""Powers of T that are looked at; the g made of them is a bound from above, however many."""


@dataclass(frozen=True)
class Long:
    """A chain with moved moments after some number of tasks."""

    moved: Moved
    length: int


@st.composite
def long_runs(draw: DrawFn) -> Long:
    """Any moved chain."""
    return Long(draw(moved()), draw(st.sampled_from(LENGTHS)))


@dataclass(frozen=True)
class Constants:
    """The repaired constants of a chain, for ρ_1 = 0 and ρ_2 as drawn."""

    g: float
    C_S: float
    rho_3: float
    rho_4: float


def constants_of(case: Moved, truth: Population) -> Constants:
    """C_Σ, ρ_3 and ρ_4."""
    hmm = case.hmm
    g = mixing(truth.T, tolerance=1e-6, most_powers=POWERS).g
    C_S = repaired.moment_constant(S=hmm.S, A=hmm.A, g_mix=g)
    rho_3 = repaired.rho_3(
        rho_1=0.0,
        C_S=C_S,
        lambda_max_Sigma_21=truth.lambda_max,
        sigma_k_Sigma_31=truth.sigma_k,
    )
    rho_4 = repaired.rho_4(
        rho_2=case.view_error,
        S=hmm.S,
        A=hmm.A,
        C_S=C_S,
        lambda_max_Sigma_21=truth.lambda_max,
        sigma_k_Sigma_31=truth.sigma_k,
    )
    return Constants(g, C_S, rho_3, rho_4)


def mixes(truth: Population) -> Statement:
    """The chain forgets, which makes g finite."""
    return Statement("κ(T³)", dobrushin(np.linalg.matrix_power(truth.T, 3)), "<", 0.99)


def event_errors(
    hmm: ExactHMM, rho_2: float, g: float, h: int, delta: float
) -> tuple[float, float]:
    """What equation 8 and Lemma 10 allow at level δ: errors of moments and of third views."""
    views = repaired.mu_error_bound(
        rho_1=0.0, rho_2=rho_2, S=hmm.S, A=hmm.A, U=hmm.U, h=h, delta_prime=delta
    )
    moments = repaired.moment_error_bound(S=hmm.S, A=hmm.A, h=h, delta_prime=delta, g_mix=g)
    return moments, views.bound


@dataclass(frozen=True)
class OnTheEvent:
    """What a lemma is given on the event: its threshold is met at h, errors are as large as can be.

    `moment_error` and `view_error` are what equation 8 and Lemma 10 allow.
    """

    moved: Moved
    truth: Population
    known: Constants
    h: int
    moment_error: float
    view_error: float

    @property
    def sizes(self) -> dict[str, int]:
        """S, A and U."""
        return {"S": self.moved.hmm.S, "A": self.moved.hmm.A, "U": self.moved.hmm.U}

    def values(self, constant: str, number: float) -> Values:
        """Symbols of a bound with this constant."""
        sizes = (*self.sizes.items(), ("h", self.h), ("delta_prime", DELTA_PRIME))
        return (*sizes, (constant, number))


def log_of(hmm: ExactHMM) -> float:
    """log(6SA(S+U)/δ')."""
    return math.log(6 * hmm.S * hmm.A * (hmm.S + hmm.U) / DELTA_PRIME)


def rho_5_of(known: Constants, truth: Population, k: int) -> float:
    """From which number of tasks on Lemma 12 speaks, over the logarithm."""
    return repaired.rho_5(rho_3=known.rho_3, rho_4=known.rho_4, k=k, sigma_k_O=truth.sigma_k_O)


def observations_bound(event: OnTheEvent) -> ErrorBound:
    """Lemma 11, repaired."""
    known = event.known
    return repaired.observation_error_bound(
        rho_3=known.rho_3, rho_4=known.rho_4, h=event.h, delta_prime=DELTA_PRIME, **event.sizes
    )


def lemma_11_on(event: OnTheEvent) -> tuple[float, ErrorBound, Formed]:
    """The largest column error of Ô, its bound, and the bound as a formula."""
    moved = event.moved
    error = column_error(
        event.truth, moved.manner, event.moment_error, event.view_error, moved.seed
    )
    return error, observations_bound(event), ("LEMMA_11", event.values("rho_4", event.known.rho_4))


def lemma_12_on(event: OnTheEvent) -> tuple[float, ErrorBound, Formed]:
    """The same for T̂, with an Ô that is as far off as Lemma 11 allows."""
    moved, known, truth = event.moved, event.known, event.truth
    rho_6 = repaired_rho_6(moved, truth, known.rho_4)
    error = transition_error(truth, moved, observations_bound(event).bound, event.view_error)
    bound = repaired.transition_error_bound(
        rho_5=rho_5_of(known, truth, moved.hmm.k),
        rho_6=rho_6,
        h=event.h,
        delta_prime=DELTA_PRIME,
        **event.sizes,
    )
    return error, bound, ("LEMMA_12", event.values("rho_6", rho_6))


def event_walk(case: Long, lemma: int, events: int = 3) -> Walk:
    """Two moments and the third views at level δ'/3 each: columns within the bound of level δ'.

    `events` = 3 says how δ' is shared; every error is as large as its event allows. The moment
    error must also be within C_Σ times the rate, which is what makes the constants fit together.
    """
    hmm, truth = case.moved.hmm, population(case.moved.hmm)
    premises = (*well_conditioned(truth, LARGEST_CONDITION_OF_O), mixes(truth))
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    known = constants_of(case.moved, truth)
    threshold = known.rho_3 if lemma == 11 else rho_5_of(known, truth, hmm.k)
    h = max(3, math.ceil(threshold * log_of(hmm) * case.length))
    errors = event_errors(hmm, case.moved.view_error, known.g, h, DELTA_PRIME / events)
    event = OnTheEvent(case.moved, truth, known, h, *errors)
    error, bound, (formula, values) = (lemma_11_on if lemma == 11 else lemma_12_on)(event)
    rate = math.sqrt(log_of(hmm) / h)
    return Walk(
        (*premises, Statement("h is large enough", int(bound.premise_met), "=", 1)),
        Statement(
            f"h = {h}: larger of column error / bound and moment error / (C_Σ rate)",
            max(error / bound.bound, event.moment_error / (known.C_S * rate)),
            "≤",
            1 + TOLERANCE,
            formulas.APPENDIX_D + formula,
            values,
        ),
    )


def on_the_event(context: Context, lemma: int = 11, events: int = 3) -> Outcome:
    """The repaired Lemma 11, given what it rests on."""
    return search(
        context,
        long_runs(),
        lambda case: event_walk(case, lemma, events),
        context.count(80, 350, 50_000),
        tolerance=TOLERANCE,
    )


def lemma_12_on_the_event(context: Context) -> Outcome:
    """The repaired Lemma 12, given what it rests on."""
    return on_the_event(context, lemma=12)


# The pseudo-inverse

INVERSE_CONSTANT = 4.0


def inverse_walk(case: Moved, constant: float = INVERSE_CONSTANT) -> Walk:
    """With ε = ‖Σ̂ - Σ‖ ≤ σ_k/2: ‖(Σ^† - [Σ̂]_k^†)μ‖ ≤ 4ε‖μ‖/σ_k² for all μ in the range of Σ.

    And ‖Σ^† - [Σ̂]_k^†‖ ≤ 4√2 ε/σ_k² on the whole space.
    """
    truth, k = population(case.hmm), case.hmm.k
    premises = well_conditioned(truth)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    Sigma = truth.Sigma_31
    along = direction(Sigma, k, case.manner, np.random.default_rng(case.seed))
    epsilon = case.share * truth.sigma_k / 2
    change = rank_k_inverse(Sigma + epsilon * along, k) - rank_k_inverse(Sigma, k)
    span = np.linalg.svd(Sigma)[0][:, :k]
    on_the_range, anywhere = np.linalg.norm(change @ span, 2), np.linalg.norm(change, 2)
    return Walk(
        premises,
        Statement(
            "change of the pseudo-inverse, on the range or divided by √2 anywhere",
            max(float(on_the_range), float(anywhere) / math.sqrt(2)),
            "≤",
            constant * epsilon / truth.sigma_k**2 * (1 + TOLERANCE),
        ),
    )


def inverse_perturbation(context: Context, constant: float = INVERSE_CONSTANT) -> Outcome:
    """The repaired bound for moments of drawn chains."""
    return search(
        context,
        moved(),
        lambda case: inverse_walk(case, constant),
        context.count(80, 350, 50_000),
        tolerance=TOLERANCE,
    )


def scalars_break_the_inverse(_: Context) -> Outcome:
    """0.1 and 0.05."""
    return from_walk(halved_scalar.inverse_walk(Fraction(1, 10), Fraction(1, 20)))


# The constants of the last display


def display(_: Context, inverse_factor: int = 4) -> Outcome:
    """Numbers that meet every ingredient and exceed the display."""
    return from_walk(halved_scalar.display_walk(halved_scalar.halved(), inverse_factor))


def statement_covers_ingredients(_: Context, from_inverse: int = 8) -> Outcome:
    """ρ_4 of the statement minus the sum of the ingredients is 2SA/λ_min, which is not negative."""
    mu_norm, lam, sigma = 2 * S * A_SYMBOL, lambda_max_Sigma_21, lambda_min_Sigma_31
    from_views = (2 * lam) * (2 / sigma) * rho_2
    from_Sigma_21 = (1 / sigma) * mu_norm
    from_Sigma_31 = (2 * lam) * mu_norm * (2 / sigma)
    right = appendix_d.RHO_4.right
    if not isinstance(right, Term):
        raise TypeError("ρ_4 is a number")
    return holds(
        (
            Identity(
                "‖Σ̂_21‖‖μ‖‖Σ_31^† - Σ̂_31^†‖ is 8SA λ_max/λ_min times the rate",
                from_Sigma_31,
                from_inverse * S * A_SYMBOL * lam / sigma,
            ),
            Identity(
                "ρ_4 of the statement exceeds all three by 2SA/λ_min",
                right - (from_views + from_Sigma_21 + from_Sigma_31),
                rational(2, 1) * S * A_SYMBOL / sigma,
            ),
        )
    )


# Norms of columns and the split of the error


def column_walk(hmm: ExactHMM, limit: int = 2) -> Walk:
    """‖μ_{3,j}‖₂ ≤ 2SA, squared, for the longest column of O T and of O; 2 = `limit`."""
    tasks = (*exactly.transpose(hmm.O), *exactly.transpose(exactly.product(hmm.O, hmm.T)))
    return Walk(
        tuple(
            Statement("mass of a column", sum(task, Fraction(0)), "=", 2 * hmm.S * hmm.A)
            for task in tasks
        ),
        Statement(
            "longest column, squared",
            max(map(exactly.squared_norm, tasks)),
            "≤",
            (Fraction(limit) * hmm.S * hmm.A) ** 2,
        ),
    )


def column_norm(context: Context, limit: int = 2) -> Outcome:
    """Drawn tasks, among them deterministic ones."""
    return search(
        context,
        hmms(),
        lambda hmm: column_walk(hmm, limit),
        context.count(60, 600, 30_000),
    )


@dataclass(frozen=True)
class Split:
    """Exact moments of a chain and rational estimates of everything in line 9."""

    hmm: ExactHMM
    middle: Table
    Sigma_21_hat: Table
    mu_hat: Vector


@st.composite
def splits(draw: DrawFn) -> Split:
    """Any estimates at all; Σ̂_31 = O M̂ Oᵀ so that its pseudo-inverse is rational."""
    hmm = draw(hmms())
    d = len(hmm.O)
    few = st.integers(-3, 3).map(lambda n: Fraction(n, 10))
    noise = [[draw(few) for _ in range(hmm.k)] for _ in range(hmm.k)]
    error_21 = exactly.outer(tuple(draw(few) for _ in range(d)), tuple(draw(few) for _ in range(d)))
    mu_error = tuple(draw(few) for _ in range(d))
    middle, Sigma_21 = middle_31(hmm), four_cycle.sandwich(hmm.O, middle_21(hmm))
    mu = exactly.column(exactly.product(hmm.O, hmm.T), 0)
    return Split(
        hmm,
        exactly.plus(middle, exactly.matrix(noise)),
        exactly.plus(Sigma_21, error_21),
        tuple(x + y for x, y in zip(mu, mu_error, strict=True)),
    )


def middle_21(hmm: ExactHMM) -> Table:
    """T diag(π)."""
    return exactly.product(hmm.T, exactly.diagonal(hmm.pi))


def middle_31(hmm: ExactHMM) -> Table:
    """T² diag(π)."""
    return exactly.product(hmm.T, middle_21(hmm))


def split_walk(case: Split, terms: Sequence[int] = (0, 1, 2)) -> Walk:
    """The three printed terms; leaving some out is for tests. All differences are exact."""
    hmm = case.hmm
    try:
        inverse = four_cycle.pseudo_inverse(hmm.O, middle_31(hmm))
        inverse_hat = four_cycle.pseudo_inverse(hmm.O, case.middle)
    except SingularError:
        return not_met((Statement("inverses exist", 0, "=", 1),))
    Sigma_21 = four_cycle.sandwich(hmm.O, middle_21(hmm))
    mu = exactly.column(exactly.product(hmm.O, hmm.T), 0)
    estimate = exactly.apply(case.Sigma_21_hat, exactly.apply(inverse_hat, case.mu_hat))
    truth = exactly.apply(Sigma_21, exactly.apply(inverse, mu))
    minus = Fraction(-1)
    parts = (
        norm(case.Sigma_21_hat) * norm(inverse_hat) * length(exactly.difference(mu, case.mu_hat)),
        norm(inverse)
        * length(mu)
        * norm(exactly.plus(Sigma_21, exactly.scaled(minus, case.Sigma_21_hat))),
        norm(case.Sigma_21_hat)
        * length(mu)
        * norm(exactly.plus(inverse, exactly.scaled(minus, inverse_hat))),
    )
    return Walk(
        (Statement("inverses exist", 1, "=", 1),),
        Statement(
            "error of a column against the three terms",
            length(exactly.difference(truth, estimate)),
            "≤",
            sum(parts[term] for term in terms) * (1 + NORM_TOLERANCE),
        ),
    )


def norm(a: Table) -> float:
    """Spectral norm of an exact matrix."""
    return float(np.linalg.norm(np.array(a, dtype=np.float64), 2))


def length(v: Vector) -> float:
    """Euclidean norm of an exact vector."""
    return math.sqrt(exactly.squared_norm(v))


def decomposition(context: Context, terms: Sequence[int] = (0, 1, 2)) -> Outcome:
    """Drawn moments and estimates."""
    return search(
        context,
        splits(),
        lambda case: split_walk(case, terms),
        context.count(25, 120, 10_000),
        tolerance=NORM_TOLERANCE,
    )


# Which h Lemmas 11 and 12 speak of


def kernel_vector(hmm: ExactHMM) -> Vector:
    """1 on the first law of a column and -1 on the second: orthogonal to every task."""
    first = hmm.U
    second = hmm.U if hmm.S * hmm.A > 1 else hmm.S
    rest = len(hmm.O) - first - second
    return (Fraction(1),) * first + (Fraction(-1),) * second + (Fraction(0),) * rest


def vacuous_walk(hmm: ExactHMM, lemma: int) -> Walk:
    """Σ_31 sends a vector to zero, so its least singular value is 0 and no h is large enough."""
    z = kernel_vector(hmm)
    image = exactly.apply(hmm.O, exactly.apply(middle_31(hmm), exactly.apply(_turned(hmm.O), z)))
    lambda_min = math.sqrt(exactly.squared_norm(image) / exactly.squared_norm(z))
    lambda_max = norm(four_cycle.sandwich(hmm.O, middle_21(hmm)))
    rho_3 = printed.rho_3(rho_1=1.0, lambda_max_Sigma_21=lambda_max, lambda_min_Sigma_31=lambda_min)
    formed: Formed = (
        "RHO_3",
        (
            ("rho_1", 1),
            ("lambda_max_Sigma_21", lambda_max),
            ("lambda_min_Sigma_31", lambda_min),
        ),
    )
    if lemma == 12:
        formed = "RHO_5", (("rho_3", rho_3), ("rho_4", 1), ("k", hmm.k), ("sigma_k_O", 1))
    threshold = (
        rho_3 if lemma == 11 else printed.rho_5(rho_3=rho_3, rho_4=1.0, k=hmm.k, sigma_k_O=1.0)
    )
    speaks = printed.scaled_rate(1.0, threshold, S=hmm.S, A=hmm.A, U=hmm.U, h=1, delta_prime=0.1)
    return Walk(
        (Statement("length of the vector, squared", exactly.squared_norm(z), ">", 0),),
        Statement(
            "least number of tasks that qualifies",
            speaks.required_h,
            "=",
            math.inf,
            formulas.APPENDIX_D + formed[0],
            formed[1],
        ),
    )


def _turned(O: Table) -> Table:
    return exactly.transpose(O)


def never_speaks(context: Context, lemma: int = 11) -> Outcome:
    """No h meets the premise."""
    return search(
        context, hmms(), lambda hmm: vacuous_walk(hmm, lemma), context.count(40, 250, 10_000)
    )


def lemma_12_never_speaks(context: Context) -> Outcome:
    """ρ_5 is not below ρ_3."""
    return never_speaks(context, lemma=12)


# Lemma 12

Constant6 = Callable[[Moved, Population, float], float]
"""ρ_6 from the chain, its population and ρ_4."""


def printed_rho_6(case: Moved, truth: Population, rho_4: float) -> float:
    """8SA√k (1+√5) ρ_4/σ_k(O)²."""
    hmm = case.hmm
    return printed.rho_6(rho_4=rho_4, S=hmm.S, A=hmm.A, k=hmm.k, sigma_k_O=truth.sigma_k_O)


def repaired_rho_6(case: Moved, truth: Population, rho_4: float) -> float:
    """2(ρ_2 + ρ_4)/σ_k(O)."""
    return repaired.rho_6(rho_2=case.view_error, rho_4=rho_4, sigma_k_O=truth.sigma_k_O)


def printed_rho_4(case: Moved, truth: Population) -> float:
    """Lemma 11's constant with the k-th singular value."""
    return printed.rho_4(
        rho_2=case.view_error,
        S=case.hmm.S,
        A=case.hmm.A,
        lambda_max_Sigma_21=truth.lambda_max,
        lambda_min_Sigma_31=truth.sigma_k,
    )


def free_rho_4(case: Moved, _: Population) -> float:
    """Any constant at all: the repaired implication does not care where ρ_4 comes from."""
    return 0.3 + case.view_error * (case.seed % 3)


def column_directions(truth: Population, case: Moved, rng: np.random.Generator) -> Floats:
    """Unit columns; the bad ones shrink or grow the k-th singular value of O most."""
    left, _, right = np.linalg.svd(truth.O, full_matrices=False)
    d, k = truth.O.shape
    signs = np.where(right[k - 1] >= 0, 1.0, -1.0)
    match case.manner:
        case "towards singular" | "aligned":
            return -np.outer(left[:, k - 1], signs)
        case "away from singular":
            return np.outer(left[:, k - 1], signs)
        case _:
            return unit_columns((d, k), rng)


def transition_error(
    truth: Population, case: Moved, observation_error: float, view_error: float
) -> float:
    """Largest column error of T̂ = Ô^† μ̂ when Ô and the third views are off by that much."""
    rng, (d, k) = np.random.default_rng(case.seed), truth.O.shape
    O_hat = truth.O + observation_error * column_directions(truth, case, rng)
    left, _, _ = np.linalg.svd(truth.O, full_matrices=False)
    last = left[:, k - 1 : k]
    match case.manner:
        case "random":
            along = unit_columns((d, k), rng)
        case "aligned":
            along = np.outer(last, np.where(last.T @ (truth.O - O_hat) @ truth.T >= 0, 1.0, -1.0))
        case _:
            along = np.repeat(last, k, axis=1)
    mu = truth.mu + view_error * along
    return float(np.linalg.norm(np.linalg.pinv(O_hat) @ mu - truth.T, axis=0).max())


def transition_walk(
    case: Moved,
    rho_6: Constant6,
    rho_4_of: Callable[[Moved, Population], float],
    version: Version,
) -> Walk:
    """Columns of O off by ρ_4 r, third views by ρ_2 r, √k ρ_4 r ≤ σ_k(O)/2: T off by ≤ ρ_6 r."""
    truth, k = population(case.hmm), case.hmm.k
    premises = well_conditioned(truth, LARGEST_CONDITION_OF_O)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    rho_4 = rho_4_of(case, truth)
    r = case.share * truth.sigma_k_O / (2 * math.sqrt(k) * rho_4) * (1 - TOLERANCE)
    error = transition_error(truth, case, rho_4 * r, case.view_error * r)
    allowed = rho_6(case, truth, rho_4) * r
    return Walk(
        (*premises, Statement("√k ρ_4 r", math.sqrt(k) * rho_4 * r, "≤", truth.sigma_k_O / 2)),
        Statement(
            "largest column error of T",
            error,
            "≤",
            allowed * (1 + TOLERANCE),
            formulas.APPENDIX_D + ("RHO_6" if version is Version.PRINTED else "RHO_6_REPAIRED"),
            (
                *(("S", case.hmm.S), ("A", case.hmm.A), ("k", k), ("rho_2", case.view_error)),
                *(("rho_4", rho_4), ("sigma_k_O", truth.sigma_k_O)),
            ),
        ),
    )


def transition_implication(context: Context, rho_6: Constant6 = printed_rho_6) -> Outcome:
    """The printed constants, ρ_4 included."""
    return _transitions(context, rho_6, printed_rho_4, Version.PRINTED)


def repaired_transition_implication(context: Context, rho_6: Constant6 = repaired_rho_6) -> Outcome:
    """The repaired ρ_6 for any ρ_4."""
    return _transitions(context, rho_6, free_rho_4, Version.REPAIRED)


def _transitions(
    context: Context,
    rho_6: Constant6,
    rho_4_of: Callable[[Moved, Population], float],
    version: Version,
) -> Outcome:
    return search(
        context,
        moved(),
        lambda case: transition_walk(case, rho_6, rho_4_of, version),
        context.count(80, 350, 50_000),
        tolerance=TOLERANCE,
    )


CHECKS = (
    Check(
        id="lemma-11.bound/no-such-h",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="with the least of all singular values no number of tasks qualifies",
        run=never_speaks,
        reading="lemma-11.bound.least-singular-value",
    ),
    Check(
        id="lemma-11.bound/on-the-event",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="if equation 8 twice and Lemma 10 hold at level δ'/3, Ô is within its bound",
        run=on_the_event,
    ),
    Check(
        id="lemma-11.implication/four-cycle",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="two nearly equal tasks in a cycle of four",
        run=four_cycle_breaks,
    ),
    Check(
        id="lemma-11.implication/moved-moments",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="the repaired ρ_4 under random and adversarial errors of the moments",
        run=observation_implication,
    ),
    Check(
        id="lemma-11.pseudo-inverse/scalars",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="1/0.1 and 1/0.05 are 10 apart, the display allows 1",
        run=scalars_break_the_inverse,
    ),
    Check(
        id="lemma-11.pseudo-inverse/moved-moments",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="4ε/σ_k² on the range, 4√2 ε/σ_k² anywhere, for the rank-k inverse of moved moments",
        run=inverse_perturbation,
    ),
    Check(
        id="lemma-11.constants/scalars",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="numbers that meet every ingredient and exceed the display",
        run=display,
    ),
    Check(
        id="lemma-11.constants/statement",
        version=Version.REPAIRED,
        kind=CheckKind.SYMBOLIC,
        says="the constant of the statement covers the sum of the ingredients",
        run=statement_covers_ingredients,
    ),
    Check(
        id="lemma-11.column-norm/exact-tasks",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="columns of O and of O T are no longer than 2SA",
        run=column_norm,
    ),
    Check(
        id="lemma-11.decomposition/exact-moments",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="the three terms cover the error of a column for any estimates",
        run=decomposition,
    ),
    Check(
        id="lemma-12.implication/moved-columns",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="the printed ρ_6 under random and adversarial errors of O and of the third views",
        run=transition_implication,
    ),
    Check(
        id="lemma-12.implication/both-terms",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="the repaired ρ_6 under the same errors, for any ρ_4",
        run=repaired_transition_implication,
    ),
    Check(
        id="lemma-12.bound/no-such-h",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="with the least of all singular values no number of tasks qualifies",
        run=lemma_12_never_speaks,
        reading="lemma-12.bound.least-singular-value",
    ),
    Check(
        id="lemma-12.bound/on-the-event",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="on the same event, for longer sequences, T̂ is within its bound",
        run=lemma_12_on_the_event,
    ),
)
