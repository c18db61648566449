"""Appendix B: every formula of the ledger against the function of `reference` that mirrors it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from ptum.checks.claims.agreement.draws import (
    ACCURACIES,
    CONFIDENCES,
    DISCOUNTS,
    ERRORS,
    DrawnFamily,
    approximate_tables,
    information_table,
    logarithms,
    nested,
    true_tables,
    whole_families,
)
from ptum.checks.claims.agreement.shape import AgreementCase, FormulasOf
from ptum.checks.claims.open_questions import constants, threshold
from ptum.checks.verdicts import proof_bounds
from ptum.reference.arrays import Floats, Ints
from ptum.reference.repaired.transfer.analysis import concentration as repaired_concentration
from ptum.reference.repaired.transfer.analysis import elimination as repaired_elimination
from ptum.reference.repaired.transfer.analysis import sample_complexity as repaired_complexity
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import optimal_policy, policy_value, visitation
from ptum.reference.transfer import confidence, information
from ptum.reference.transfer.analysis import (
    concentration,
    elimination,
    sample_complexity,
    simulation,
)
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.spec.algebra import Table

# Lemmas 1 and 2.

VARIANCES = st.just(0.0) | st.floats(1e-9, 1e4)
RANGES = st.sampled_from((0.0, 1.0)) | st.floats(1e-6, 1e3)
COUNTS = st.integers(2, 10**7)


@st.composite
def concentrations(
    draw: st.DrawFn,
    width_of: Callable[[float, int, float, float], float],
    variance_name: str,
    range_name: str,
) -> AgreementCase:
    """A width for a variance, a number of samples, a range and a confidence."""
    variance, n_samples = draw(VARIANCES), draw(COUNTS)
    reach, delta = draw(RANGES), draw(CONFIDENCES)
    values = {variance_name: variance, "n_samples": n_samples, range_name: reach, "delta": delta}
    return AgreementCase(values, width_of(variance, n_samples, reach, delta))


# Lemma 3. The formulas are for pairs with two samples or more; D03 settles the others.

WidthOf = Callable[[float, Ints, float, float, float], Floats]


@st.composite
def widths(
    draw: st.DrawFn,
    width_of: WidthOf,
    log_term: Callable[[int, int, int, int, float], float],
    error_name: str,
) -> AgreementCase:
    """A width at one pair, which the formula finds at s = a = θ' = 0."""
    log, gamma, error = draw(logarithms()), draw(DISCOUNTS), draw(ERRORS)
    N, sigma = draw(COUNTS), draw(st.just(0.0) | st.floats(1e-6, 50.0))
    L = log_term(log.S, log.A, log.n, log.k, log.delta)
    computed = width_of(sigma, np.array(N), L, gamma, error)
    here: dict[str, Table] = {"s": 0, "a": 0, "theta_prime": 0, "N": [[N]]}
    deviations: dict[str, Table] = {"sigma_r_hat": [[sigma]], "sigma_p_hat": [[[sigma]]]}
    values = {**log.values, **here, **deviations, "gamma": gamma, error_name: error}
    return AgreementCase(values, float(computed))


def width_r(sigma: float, N: Ints, L: float, _: float, error: float) -> Floats:
    """C^r, which does not know γ."""
    return confidence.width_r(np.array(sigma), N, L, error)


def width_p(sigma: float, N: Ints, L: float, gamma: float, error: float) -> Floats:
    """C^p."""
    return confidence.width_p(np.array(sigma), N, L, gamma, error)


def width_sigma_r(_: float, N: Ints, L: float, __: float, error: float) -> Floats:
    """C^{σ_r}, which knows neither a deviation nor γ."""
    return confidence.width_sigma_r(N, L, error)


def width_sigma_p(_: float, N: Ints, L: float, gamma: float, error: float) -> Floats:
    """C^{σ_p}, which does not know a deviation."""
    return confidence.width_sigma_p(N, L, gamma, error)


# Lemma 4.

CountFor = Callable[..., Floats]


@st.composite
def counts(draw: st.DrawFn, n_bar_x: CountFor) -> AgreementCase:
    """n̄^r or n̄^p at a pair."""
    family, Delta = draw(whole_families()), draw(ERRORS)
    by_pair = n_bar_x(_iteration(family, Delta), theta=family.theta)
    return _elimination_case(family, Delta, by_pair, {})


@st.composite
def total_counts(draw: st.DrawFn, n_bar: CountFor) -> AgreementCase:
    """n̄ at a pair."""
    family, Delta = draw(whole_families()), draw(ERRORS)
    log = draw(logarithms(family))
    L = confidence.log_term(log.S, log.A, log.n, log.k, log.delta)
    by_pair = n_bar(_iteration(family, Delta), theta=family.theta, L=L)
    return _elimination_case(family, Delta, by_pair, log.values)


def _iteration(family: DrawnFamily, Delta: float) -> Iteration:
    return Iteration(family.models, family.target, family.active, Delta)


def _elimination_case(
    family: DrawnFamily, Delta: float, by_pair: Floats, more: dict[str, Table]
) -> AgreementCase:
    tables = approximate_tables(family.models)
    values = {**tables, **family.indices, **more, "Delta": Delta}
    return AgreementCase(values, float(by_pair[family.s, family.a]), family.sets)


# Lemma 5 and Corollary 2.


@st.composite
def policy_values(draw: st.DrawFn) -> AgreementCase:
    """Lemma 5, first line, for a drawn policy."""
    family = draw(whole_families())
    action = st.integers(0, family.shape.A - 1)
    actions = draw(st.lists(action, min_size=family.shape.S, max_size=family.shape.S))
    pi = np.array(actions, dtype=np.int64)
    computed = simulation.policy_value_bound(**_compared(family), pi=pi)
    more: dict[str, Table] = {
        "V_pi": [nested(policy_value(theta, pi)) for theta in family.true],
        "nu_pi": [nested(visitation(theta, pi)) for theta in family.true],
    }
    return _simulation_case(family, computed, more)


@st.composite
def optimal_values(draw: st.DrawFn, bound: Callable[..., Floats]) -> AgreementCase:
    """Lemma 5, second line, or Corollary 2."""
    family = draw(whole_families())
    policies = [optimal_policy(theta) for theta in family.true]
    nu_star: Table = [[nested(visitation(theta, pi)) for pi in policies] for theta in family.true]
    return _simulation_case(family, bound(**_compared(family)), {"nu_star": nu_star})


def _compared(family: DrawnFamily) -> dict[str, MDP]:
    return {"theta": family.true[family.theta], "theta_prime": family.true[family.theta_prime]}


def _simulation_case(
    family: DrawnFamily, by_state: Floats, more: dict[str, Table]
) -> AgreementCase:
    tables = true_tables(family.true)
    values = {**tables, **family.indices, **more, "gamma": family.shape.gamma}
    return AgreementCase(values, float(by_state[family.s]), family.sets)


# Lemma 8.


@st.composite
def visits(draw: st.DrawFn, bound: Callable[[DrawnFamily, float, float], float]) -> AgreementCase:
    """The bound on N_t(S_t,A_t); the target is active."""
    family, Delta = draw(whole_families()), draw(ERRORS)
    log = draw(logarithms(family))
    L = confidence.log_term(log.S, log.A, log.n, log.k, log.delta)
    info = information_table(family.models, Delta)
    values = {**log.values, **family.indices, "info": info}
    return AgreementCase(values, bound(family, Delta, L), family.sets)


def printed_visits(family: DrawnFamily, Delta: float, L: float) -> float:
    """With the information against the target."""
    return sample_complexity.fundamental_bound(_iteration(family, Delta), L)


def repaired_visits(family: DrawnFamily, Delta: float, L: float) -> float:
    """With the whole index."""
    return repaired_complexity.fundamental_bound(family.active, family.models, Delta, L)


def sharper_visits(family: DrawnFamily, Delta: float, L: float) -> float:
    """With the constant that needs no detour over the target."""
    largest = float(information.index(family.active, family.models, Delta).max())
    return proof_bounds.enough_samples(L, largest, constants.LEAST_FACTOR)


@st.composite
def core_informations(draw: st.DrawFn) -> AgreementCase:
    """What Lemma 8 rests on, for a gap, an error, a variance and a range."""
    values = {
        "farthest": draw(st.floats(0, 10)),
        "Delta": draw(ERRORS),
        "variance": draw(VARIANCES),
        "width": draw(st.just(1.0) | st.floats(1.0, 1e3)),
    }
    return AgreementCase(values, float(proof_bounds.core_information(**values)))


# Lemma 7 for sets of models whose losses are small.


@st.composite
def admitted_errors(draw: st.DrawFn) -> AgreementCase:
    """Line 2 for a bounded R."""
    values = {
        "epsilon": draw(ACCURACIES),
        "gamma": draw(DISCOUNTS),
        "loss_ratio": draw(st.floats(0, 4)),
    }
    return AgreementCase(values, float(proof_bounds.admitted_error(**values)))


@st.composite
def ratios(draw: st.DrawFn, most: Callable[[Fraction, Fraction], Fraction]) -> AgreementCase:
    """The largest R at a discount and an error, 8Δ up to 1/4."""
    gamma, Delta = draw(DISCOUNTS), draw(st.floats(1e-6, 1 / 32))
    computed = most(Fraction(gamma), 8 * Fraction(Delta))
    return AgreementCase({"gamma": gamma, "Delta": Delta}, float(computed))


def most_ratio(states: int) -> Callable[[Fraction, Fraction], Fraction]:
    """The largest R of two models with this number of states."""
    return lambda gamma, c: threshold.most_ratio(states, gamma, c)


agree = FormulasOf("appendix_b")
_FOR_MEANS, _FOR_DEVIATIONS = confidence.log_term, confidence.log_term_sigma

agree("BERNSTEIN", concentration.bernstein_width, concentrations, "variance", "c")
agree(
    "BERNSTEIN_REPAIRED",
    repaired_concentration.bernstein_width,
    concentrations,
    "variance",
    "width",
)
agree(
    "EMPIRICAL_BERNSTEIN",
    concentration.empirical_bernstein_width,
    concentrations,
    "variance_hat",
    "c",
)
agree(
    "EMPIRICAL_BERNSTEIN_REPAIRED",
    repaired_concentration.empirical_bernstein_width,
    concentrations,
    "variance_hat",
    "width",
)
agree("WIDTH_R", confidence.width_r, widths(width_r, _FOR_MEANS, "Delta_r"))
agree("WIDTH_P", confidence.width_p, widths(width_p, _FOR_MEANS, "Delta_p"))
agree(
    "WIDTH_SIGMA_R",
    confidence.width_sigma_r,
    widths(width_sigma_r, _FOR_DEVIATIONS, "Delta_sigma_r"),
)
agree(
    "WIDTH_SIGMA_P",
    confidence.width_sigma_p,
    widths(width_sigma_p, _FOR_DEVIATIONS, "Delta_sigma_p"),
)
agree("N_BAR_R", elimination.n_bar_r, counts)
agree("N_BAR_P", elimination.n_bar_p, counts)
agree("N_BAR_P_REPAIRED", repaired_elimination.n_bar_p, counts)
agree("N_BAR", elimination.n_bar, total_counts)
agree("N_BAR_REPAIRED", repaired_elimination.n_bar, total_counts)
agree("SIMULATION_POLICY", simulation.policy_value_bound, policy_values())
agree("SIMULATION_OPTIMAL", simulation.optimal_value_bound, optimal_values)
agree("VALUE_ERROR", simulation.value_error_bound, optimal_values)
agree("FUNDAMENTAL", sample_complexity.fundamental_bound, visits(printed_visits))
agree("FUNDAMENTAL_REPAIRED", repaired_complexity.fundamental_bound, visits(repaired_visits))
agree("FUNDAMENTAL_CORE", proof_bounds.core_information, core_informations())
agree("FUNDAMENTAL_SHARPER", proof_bounds.enough_samples, visits(sharper_visits))
agree("THRESHOLD_OF_RATIO", proof_bounds.admitted_error, admitted_errors())
agree("RATIO_OF_TWO_STATES", threshold.most_ratio, ratios(most_ratio(2)))
agree("RATIO_OF_THREE_STATES", threshold.most_ratio, ratios(most_ratio(3)))
agree("RATIO_OF_THREE_MODELS", threshold.three_models_ratio, ratios)
agree("RATIO", threshold.most_ratio, ratios(most_ratio(4)))
