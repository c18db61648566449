"""Appendix D: every formula of the ledger against the function of `reference` that mirrors it.

Singular values and constants reach from 0 over 1e-30 to 1e30, beyond which a square leaves the
range of doubles and formula and function part for reasons that are not theirs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Protocol

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ptum.checks.claims.agreement.shape import AgreementCase, FormulasOf
from ptum.checks.exact.numbers import Number
from ptum.checks.verdicts import proof_bounds
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.repaired.sequential.analysis import within_task_bounds as within
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.level import Level

Answer = float | bool


class Bounded(Protocol):
    """A record of a lemma with premises."""

    @property
    def bound(self) -> float: ...


SIZES = st.integers(1, 6) | st.sampled_from((1, 100))
TASK_COUNTS = st.integers(1, 1000) | st.sampled_from((1, 2, 3, 10**9))
PROBABILITIES = st.floats(1e-6, 1 - 1e-6) | st.sampled_from((1e-180, 1e-12, 0.5, 1 - 2**-40))
FINITE = st.floats(1e-6, 1e6) | st.sampled_from((0.0, 1e-30, 1.0, 1e30))
POSITIVE = st.floats(1e-6, 1e6) | st.sampled_from((1e-30, 1.0, 1e30))
POSITIVE_OR_INFINITE = POSITIVE | st.just(math.inf)

SCALARS: Mapping[str, SearchStrategy[int] | SearchStrategy[float]] = {
    "S": SIZES,
    "A": SIZES,
    "U": SIZES,
    "k": SIZES,
    "h": TASK_COUNTS,
    "m": TASK_COUNTS,
    "d": st.integers(2, 5000),
    "delta": PROBABILITIES,
    "delta_prime": PROBABILITIES,
    "gamma": st.floats(0, 1 - 1e-6) | st.sampled_from((0.0, 0.5, 0.99)),
    "rho": FINITE,
    "rho_any": POSITIVE_OR_INFINITE,
    "rho_1": FINITE,
    "rho_2": FINITE,
    "rho_3": POSITIVE_OR_INFINITE,
    "rho_4": POSITIVE_OR_INFINITE,
    "rho_5": POSITIVE_OR_INFINITE,
    "rho_6": POSITIVE_OR_INFINITE,
    "rho_T": FINITE,
    "lambda_max_Sigma_21": FINITE,
    "lambda_min_Sigma_31": FINITE,
    "sigma_k_Sigma_31": FINITE,
    "sigma_k_O": POSITIVE,
    "g_mix": st.floats(0, 1e3) | st.sampled_from((0.0, 1e-30, 1e6)),
    "C_S": POSITIVE,
    "e_h": POSITIVE_OR_INFINITE | st.just(0.0),
    "sigma_bar": POSITIVE,
    "epsilon_S": FINITE,
}


def number(answer: Answer | Bounded) -> Answer:
    """What the function answered, or the bound in it when it answered with a record."""
    return answer if isinstance(answer, bool | int | float) else answer.bound


def scalars(*names: str) -> SearchStrategy[dict[str, int | float]]:
    """Drawn values of named scalars."""
    return st.fixed_dictionaries({name: SCALARS[name] for name in names})


def of_scalars(
    function: Callable[..., Answer | Bounded], *names: str
) -> SearchStrategy[AgreementCase]:
    """Cases of a function whose arguments are exactly the formula's symbols.

    S, A, U, h and δ' together are handed over as one `Level`.
    """

    def case(drawn: dict[str, int | float]) -> AgreementCase:
        if not set(drawn) >= LEVEL:
            return AgreementCase(drawn, number(function(**drawn)))
        rest = {name: value for name, value in drawn.items() if name not in LEVEL}
        return AgreementCase(drawn, number(function(level_of(drawn), **rest)))

    return scalars(*names).map(case)


LEVEL = {field.name for field in fields(Level)}


def level_of(drawn: Mapping[str, int | float]) -> Level:
    """The drawn S, A, U, h and δ'."""
    S, A, U, h = (int(drawn[name]) for name in ("S", "A", "U", "h"))
    return Level(S=S, A=A, U=U, h=h, delta_prime=drawn["delta_prime"])


def of_positive(function: Callable[..., Number], *names: str) -> SearchStrategy[AgreementCase]:
    """Cases of a function whose arguments are positive numbers, the formula's symbols."""
    drawn = st.fixed_dictionaries(dict.fromkeys(names, POSITIVE))
    return drawn.map(lambda values: AgreementCase(values, float(function(**values))))


def with_premise(
    function: Callable[..., Bounded], constant: str, premise: str
) -> SearchStrategy[AgreementCase]:
    """Cases of a bound in h whose premise has a constant that the bound itself does not show."""
    return of_scalars(function, constant, premise, "S", "A", "U", "h", "delta_prime")


def subsets(k: int, *, smallest: int = 0) -> SearchStrategy[list[int]]:
    """Sets of tasks, as lists in any order."""
    return st.lists(st.integers(0, k - 1), min_size=smallest, max_size=k, unique=True)


def square(k: int, entries: SearchStrategy[float]) -> SearchStrategy[list[list[float]]]:
    """Matrices over pairs of tasks."""
    row = st.lists(entries, min_size=k, max_size=k)
    return st.lists(row, min_size=k, max_size=k)


def laws(points: int) -> SearchStrategy[list[float]]:
    """Probability vectors, point masses among them."""
    weights = st.lists(st.integers(0, 9), min_size=points, max_size=points).filter(any)
    return weights.map(lambda drawn: [weight / sum(drawn) for weight in drawn])


@st.composite
def moment_errors(draw: st.DrawFn) -> AgreementCase:
    """Equation 8 repaired, where the number of triples is ⌊h/3⌋."""
    drawn = draw(scalars("S", "A", "delta_prime", "g_mix"))
    h = draw(st.integers(3, 1000) | st.sampled_from((3, 4, 5, 10**9)))
    computed = repaired.moment_error_bound(
        S=int(drawn["S"]),
        A=int(drawn["A"]),
        h=h,
        delta_prime=drawn["delta_prime"],
        g_mix=drawn["g_mix"],
    )
    return AgreementCase({**drawn, "n_triples": h // 3}, computed)


def with_length(function: Callable[..., float], *names: str) -> SearchStrategy[AgreementCase]:
    """Cases of a formula in B = √(2SA), of which the function is given S and A."""

    def case(drawn: dict[str, int | float]) -> AgreementCase:
        B = math.sqrt(2 * drawn["S"] * drawn["A"])
        return AgreementCase({**drawn, "B": B}, function(**drawn))

    return scalars("S", "A", *names).map(case)


def with_floor(function: Callable[..., float], *names: str) -> SearchStrategy[AgreementCase]:
    """Cases of a formula in B and in ℓ, which is a share of B²; others are given by name."""

    def case(drawn: tuple[dict[str, int | float], float]) -> AgreementCase:
        given, share = drawn
        given = {**given, "ell": share * 2 * given["S"] * given["A"]}
        return AgreementCase(
            {**given, "B": math.sqrt(2 * given["S"] * given["A"])}, function(**given)
        )

    shares = st.floats(1e-6, 1) | st.sampled_from((1e-30, 1.0))
    return st.tuples(scalars("S", "A", *names), shares).map(case)


@st.composite
def within_tasks(draw: st.DrawFn) -> AgreementCase:
    """Lemma 12 repaired for views within a task: the part that the estimate makes."""
    names = ("e_h", "epsilon_S", "sigma_k_O")
    errors = {name: draw(POSITIVE) for name in names}
    k, h = draw(SIZES), draw(st.integers(2, 1000))
    visits = draw(st.integers(1, h - 1))
    found = within.transition_error_bound(**errors, k=k, h=h, visits=visits, delta=0.1)
    values = {"k": k, "epsilon_J": found.epsilon_J, "nu_j": visits / (h - 1)}
    return AgreementCase(values, found.from_estimate)


def whole_split(**norms: float) -> float:
    """The sum of the three terms."""
    return sum(proof_bounds.column_split(**norms))


@st.composite
def std_differences(draw: st.DrawFn, function: Callable[..., Inequality]) -> AgreementCase:
    """Lemma 13 on two distributions over at most four points."""
    points = draw(st.integers(1, 4))
    b, c = draw(POSITIVE), draw(POSITIVE)
    fractions = draw(st.lists(st.floats(0, 1), min_size=points, max_size=points))
    p, q, values = draw(laws(points)), draw(laws(points)), [b * x for x in fractions]
    distance, *_ = printed.compare_distributions(p=p, q=q, f=values, b=b, c=c)
    answer = function(p=p, q=q, f=values, b=b, c=c)
    return AgreementCase({"b": b, "c_floor": c, "l1_distance": distance}, answer.bound)


@st.composite
def next_tasks(draw: st.DrawFn) -> AgreementCase:
    """Lemma 15 for one task, with signed entries of T̂ as the spectral method returns them."""
    drawn = draw(scalars("rho_T", "S", "A", "U", "h", "delta", "delta_prime"))
    k = draw(st.integers(1, 4))
    T_hat = draw(square(k, st.floats(-0.25, 1.25) | st.just(0.0)))
    theta_bar = draw(subsets(k))
    theta = draw(st.integers(0, k - 1))
    bounds = printed.next_task_bound(
        T_hat,
        theta_bar,
        Level(
            S=int(drawn["S"]),
            A=int(drawn["A"]),
            U=int(drawn["U"]),
            h=int(drawn["h"]),
            delta_prime=drawn["delta_prime"],
        ),
        rho_T=drawn["rho_T"],
        delta=drawn["delta"],
    )
    values = {**drawn, "k": k, "T_hat": T_hat, "theta": theta}
    return AgreementCase(values, float(bounds[theta]), {"Theta_bar_h": theta_bar})


agree = FormulasOf("appendix_d")
_SIZES_OF_SPLIT = ("size_Sigma_21_hat", "size_inverse", "size_inverse_hat", "size_mu")
_ERRORS_OF_SPLIT = ("off_mu", "off_Sigma_21", "off_inverse")
_RATE = ("S", "A", "U", "h", "delta_prime")
_SIGMA_PRINTED = ("lambda_max_Sigma_21", "lambda_min_Sigma_31")
_SIGMA_REPAIRED = ("C_S", "lambda_max_Sigma_21", "sigma_k_Sigma_31")

agree("LEMMA_10", printed.mu_error_bound, with_premise, "rho_2", "rho_1")
agree("EQUATION_8", printed.moment_error_bound, of_scalars, "h", "delta_prime")
agree("EQUATION_8_REPAIRED", repaired.moment_error_bound, moment_errors())
agree("MOMENT_CONSTANT", repaired.moment_constant, of_scalars, "S", "A", "g_mix")
agree("RHO_3", printed.rho_3, of_scalars, "rho_1", *_SIGMA_PRINTED)
agree("RHO_3_REPAIRED", repaired.rho_3, of_scalars, "rho_1", *_SIGMA_REPAIRED)
agree("RHO_4", printed.rho_4, of_scalars, "rho_2", "S", "A", *_SIGMA_PRINTED)
agree("RHO_4_REPAIRED", repaired.rho_4, with_length, "rho_2", *_SIGMA_REPAIRED)
agree("LEMMA_11", printed.observation_error_bound, with_premise, "rho_4", "rho_3")
agree("RHO_5", printed.rho_5, of_scalars, "rho_3", "rho_4", "k", "sigma_k_O")
agree("RHO_6", printed.rho_6, of_scalars, "rho_4", "S", "A", "k", "sigma_k_O")
agree("RHO_6_REPAIRED", repaired.rho_6, of_scalars, "rho_2", "rho_4", "sigma_k_O")
agree("LEMMA_12", printed.transition_error_bound, with_premise, "rho_6", "rho_5")
agree("LEMMA_13", printed.std_difference_bound, std_differences)
agree("LEMMA_13_REPAIRED", repaired.std_difference_bound, std_differences)
agree("LEMMA_14_R", printed.reward_error_bound, of_scalars, "rho_4", *_RATE)
agree("LEMMA_14_R_REPAIRED", repaired.reward_error_bound, of_scalars, "U", "e_h")
agree("LEMMA_14_P", printed.value_error_bound, of_scalars, "rho_4", "gamma", *_RATE)
agree("LEMMA_14_P_REPAIRED", repaired.value_error_bound, of_scalars, "S", "gamma", "e_h")
agree("LEMMA_14_SIGMA_R", printed.reward_std_error_bound, of_scalars, "rho_4", "sigma_bar", *_RATE)
agree(
    "LEMMA_14_SIGMA_R_REPAIRED",
    repaired.reward_std_error_bound,
    of_scalars,
    "U",
    "sigma_bar",
    "e_h",
)
agree(
    "LEMMA_14_SIGMA_P",
    printed.value_std_error_bound,
    of_scalars,
    "rho_4",
    "gamma",
    "sigma_bar",
    *_RATE,
)
agree(
    "LEMMA_14_SIGMA_P_REPAIRED",
    repaired.value_std_error_bound,
    of_scalars,
    "S",
    "U",
    "gamma",
    "sigma_bar",
    "e_h",
)
agree("LEMMA_15", printed.next_task_bound, next_tasks())
agree("INVERSE_NORM", proof_bounds.printed_inverse_norm, of_positive, "lambda_min_Sigma_31")
agree("INVERSE_NORM_REPAIRED", proof_bounds.inverse_norm, of_positive, "sigma_k_Sigma_31")
agree(
    "PSEUDO_INVERSE",
    proof_bounds.printed_inverse_change,
    of_positive,
    "moment_error",
    "lambda_min_Sigma_31",
)
agree(
    "PSEUDO_INVERSE_REPAIRED",
    proof_bounds.inverse_change,
    of_positive,
    "moment_error",
    "sigma_k_Sigma_31",
)
agree("COLUMN_NORM", proof_bounds.column_norm, of_scalars, "S", "A")
agree(
    "COLUMN_SPLIT",
    proof_bounds.column_split,
    of_positive(whole_split, *_SIZES_OF_SPLIT, *_ERRORS_OF_SPLIT),
)
agree("JOINT_ERROR", within.joint_error_bound, of_scalars, "e_h", "epsilon_S", "sigma_k_O")
agree("TRANSITION_WITHIN", within.transition_error_bound, within_tasks())
agree("LEAST_WEIGHT", within.w_min, with_floor)
agree("RHO_5_WITHIN", within.rho_5, with_floor, "k", "rho_3", "rho_4")
agree("RHO_6_WITHIN", within.rho_6, with_floor, "k", "rho_4")
agree("WITHOUT_FLOOR", proof_bounds.without_floor, of_positive, "constant", "l1_distance")
