"""Section 3: every formula of the ledger against the function of `reference` that mirrors it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from ptum.checks.claims.agreement.draws import (
    ACCURACIES,
    DISCOUNTS,
    EDGES,
    ERRORS,
    REWARDS,
    DrawnFamily,
    Edge,
    FamilyShape,
    approximate_tables,
    information_table,
    logarithms,
    nested,
    true_tables,
    whole_families,
)
from ptum.checks.claims.agreement.shape import AgreementCase, FormulasOf
from ptum.checks.exact.numbers import Number, is_above, max_of
from ptum.checks.verdicts import proof_bounds
from ptum.reference.errors import require_numbers
from ptum.reference.repaired.transfer import assumptions as repaired_assumptions
from ptum.reference.repaired.transfer import stopping as repaired_stopping
from ptum.reference.repaired.transfer.analysis import sample_complexity as repaired_complexity
from ptum.reference.tasks.gaps import reward_gap, transition_gap
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer import assumptions, information, stopping
from ptum.reference.transfer.analysis import sample_complexity
from ptum.reference.transfer.analysis.sample_complexity import QueryBound
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.empirical import EmpiricalModel, empirical_model, empty_data
from ptum.spec.algebra import Table

# Assumption 1.

MeasureErrors = Callable[[Sequence[MDP], ApproximateModels], ModelErrors]


@st.composite
def errors(draw: st.DrawFn, measure: MeasureErrors, kind: str) -> AgreementCase:
    """One of the four constants, as small as Assumption 1 allows, and its share of Δ."""
    family = draw(whole_families())
    measured = measure(family.true, family.models)
    values = {**true_tables(family.true), **approximate_tables(family.models)}
    error = float(getattr(measured, kind))
    share = error / measured.Delta if measured.Delta else None
    return AgreementCase(values, error, family.sets, share)


# What Assumption 1 leaves unsaid.


@st.composite
def ranges(draw: st.DrawFn) -> AgreementCase:
    """Tables of MDPs, half of them stretched, so that some leave their ranges."""
    models = draw(whole_families()).models
    sets = FamilyShape(models.S, models.A, 0, models.k, models.gamma).sets
    stretch = draw(st.sampled_from((1.0, 1.0, 1.02, 3.0)))
    tables = {
        "V_tilde": models.V_star,
        "r_tilde": models.r,
        "sigma_r_tilde": models.sigma_r,
        "sigma_p_tilde": models.sigma_p,
    }
    spoilt = draw(st.sampled_from(sorted(tables)))
    tables[spoilt] = stretch * tables[spoilt]
    shares = proof_bounds.range_shares(
        gamma=models.gamma,
        V=tables["V_tilde"],
        r=tables["r_tilde"],
        sigma_r=tables["sigma_r_tilde"],
        sigma_p=tables["sigma_p_tilde"],
    )
    values: dict[str, Table] = {name: nested(table) for name, table in tables.items()}
    return AgreementCase({**values, "gamma": models.gamma}, max_of(shares) <= 1, sets)


PASSES = st.integers(0, 10**6).map(
    lambda queries: AgreementCase({"queries": queries}, float(proof_bounds.pass_number(queries)))
)
VALUE_RANGES = DISCOUNTS.map(
    lambda gamma: AgreementCase({"gamma": gamma}, float(proof_bounds.value_range(gamma)))
)


# Algorithm 1, lines 2 and 14.


@st.composite
def thresholds(
    draw: st.DrawFn,
    threshold: Callable[[float, float], float],
    enters: Callable[[float, float, float], bool],
) -> AgreementCase:
    """Line 2, and where it lets a run begin, the error's share of what it admits."""
    epsilon, gamma, Delta = draw(ACCURACIES), draw(DISCOUNTS), draw(ERRORS)
    allowed = threshold(epsilon, gamma)
    share = Delta / allowed if allowed and enters(Delta, epsilon, gamma) else None
    return AgreementCase({"epsilon": epsilon, "gamma": gamma}, allowed, share=share)


@st.composite
def slacks(draw: st.DrawFn, function: Callable[[float, float, float], float]) -> AgreementCase:
    """A function of ε, Δ and γ: the slack of line 14, or κ_ε."""
    epsilon, Delta, gamma = draw(ACCURACIES), draw(ERRORS), draw(DISCOUNTS)
    values = {"epsilon": epsilon, "Delta": Delta, "gamma": gamma}
    return AgreementCase(values, function(epsilon, Delta, gamma))


# Algorithm 1, lines 7-10.


@dataclass(frozen=True, eq=False)
class SampledPair:
    """The empirical model of a table in which one pair has data, and those data."""

    hat: EmpiricalModel
    values: dict[str, Table]
    sets: dict[str, Sequence[int]]
    s: int
    a: int
    s_prime: int
    theta_prime: int


@st.composite
def samples(draw: st.DrawFn, fewest: int) -> SampledPair:
    """At least `fewest` samples of one pair; all equal ones included."""
    family = draw(whole_families())
    S, A, s, a = family.shape.S, family.shape.A, family.s, family.a
    state = st.integers(0, S - 1)
    N = draw(st.integers(fewest, 8))
    U_data = draw(st.lists(REWARDS, min_size=N, max_size=N))
    successors = draw(st.lists(state, min_size=N, max_size=N))
    data = empty_data(S, A)
    for reward, successor in zip(U_data, successors, strict=True):
        data.store(s, a, reward, successor)
    hat = empirical_model(data, family.models.V_star)
    s_prime = draw(state)
    values: dict[str, Table] = {
        **family.indices,
        "s_prime": s_prime,
        "N": hat.N.tolist(),
        "U_data": U_data,
        "hit": [[float(s_prime == successor) for s_prime in range(S)] for successor in successors],
        "r_hat": nested(hat.r),
        "p_hat": nested(hat.p),
        "V_tilde": nested(family.models.V_star),
    }
    sets = {**family.sets, "Data": range(N)}
    return SampledPair(hat, values, sets, s, a, s_prime, family.theta_prime)


@st.composite
def sampled(draw: st.DrawFn, fewest: int, entry: Callable[[SampledPair], float]) -> AgreementCase:
    """One entry of the empirical model."""
    drawn = draw(samples(fewest))
    return AgreementCase(drawn.values, float(entry(drawn)), drawn.sets)


# Definition 1 and lines 16-18.


@st.composite
def informations(draw: st.DrawFn, kind: str) -> AgreementCase:
    """I^r, I^p or I of two models at a pair."""
    family, Delta = draw(whole_families()), draw(ERRORS)
    values = {**approximate_tables(family.models), **family.indices, "Delta": Delta}
    by_pair = _information(family, Delta)[kind]
    require_numbers(by_pair=by_pair)  # at the other pairs too
    return AgreementCase(values, float(by_pair[family.s, family.a]), family.sets)


def _information(family: DrawnFamily, Delta: float) -> dict[str, np.ndarray]:
    models, theta, theta_prime = family.models, family.theta, family.theta_prime
    gap_r = reward_gap(models.r[theta], models.r[theta_prime])
    gap_p = transition_gap(models.p[theta], models.p[theta_prime], models.V_star[theta])
    sigma_r, sigma_p = models.sigma_r[theta], models.sigma_p[theta, :, :, theta]
    return {
        "r": information.information_r(gap_r, sigma_r, Delta),
        "p": information.information_p(gap_p, sigma_p, Delta, models.gamma),
        "both": information.information(models, theta=theta, theta_prime=theta_prime, Delta=Delta),
    }


@st.composite
def indices(draw: st.DrawFn) -> AgreementCase:
    """I_t(s,a)."""
    family, Delta = draw(whole_families()), draw(ERRORS)
    I_t = information.index(family.active, family.models, Delta)
    require_numbers(I_t=I_t)
    values = {"info": information_table(family.models, Delta), **family.indices}
    return AgreementCase(values, float(I_t[family.s, family.a]), family.sets)


# Theorem 1.

MemberTest = Callable[..., tuple[int, ...]]
TheoremBound = Callable[..., QueryBound]


@st.composite
def memberships(draw: st.DrawFn, members: MemberTest) -> AgreementCase:
    """Whether θ is in Θ_ε or Θ_s, for a κ_ε near the distances that decide it.

    In half of the families rewards agree: elsewhere the reward part of Θ_ε hides the other one.
    κ_ε = 0 is left out where γ = 0: there κ_ε/γ is 0/0 and the paper says nothing.
    """
    family = draw(whole_families(EDGES | st.just(Edge.SAME_REWARDS)))
    theta, target, models = family.theta, family.target, family.models
    gap_r = sample_complexity.reward_distance(models, theta=theta, target=target)
    gap_p = sample_complexity.transition_distance(models, theta=theta, target=target)
    weighed = family.shape.gamma * gap_p
    deciding = (max_of((gap_r, weighed)), (gap_r + weighed) / 2)
    near = draw(st.sampled_from(deciding)) * draw(st.sampled_from((0.95, 1.05)))
    far = draw(st.sampled_from((-0.01, 0.25)))
    usable = near if is_above(near, 0) or family.shape.gamma > 0 else far
    kappa = draw(st.sampled_from((usable, usable, usable, far)))
    values = {**approximate_tables(family.models), **family.indices, "kappa": kappa}
    answer = family.theta in members(models, target=target, kappa=kappa)
    return AgreementCase(values, answer, family.sets)


@st.composite
def theorem_bounds(draw: st.DrawFn, bound: TheoremBound, set_name: str) -> AgreementCase:
    """The bound of Theorem 1; its set of models is the one that the function found."""
    family, Delta, epsilon = draw(whole_families()), draw(ERRORS), draw(ACCURACIES)
    log = draw(logarithms(family))
    found = bound(
        family.models,
        target=family.target,
        epsilon=epsilon,
        delta=log.delta,
        n=log.n,
        Delta=Delta,
    )
    values = {**log.values, **family.indices, "info": information_table(family.models, Delta)}
    return AgreementCase(values, found.bound, {**family.sets, set_name: found.blocking})


# Corollary 1.


SMALLEST_GAPS = st.sampled_from((0.0, math.inf, 0.01, 0.5)) | st.floats(1e-3, 1.0)
"""Values of Γ; +inf is that of a single model."""


@st.composite
def smallest_gaps(draw: st.DrawFn) -> AgreementCase:
    """Γ."""
    family = draw(whole_families())
    values = {**approximate_tables(family.models), **family.indices}
    return AgreementCase(
        values, sample_complexity.gap_Gamma(family.models, target=family.target), family.sets
    )


@st.composite
def rates(draw: st.DrawFn) -> AgreementCase:
    """What stands inside Õ(·)."""
    log, gamma, epsilon = draw(logarithms()), draw(DISCOUNTS), draw(ACCURACIES)
    Gamma = draw(SMALLEST_GAPS)
    computed = sample_complexity.corollary_1_rate(
        log.S, log.A, log.k, gamma=gamma, epsilon=epsilon, delta=log.delta, Gamma=Gamma
    )
    return AgreementCase(
        {**log.values, "gamma": gamma, "epsilon": epsilon, "Gamma": Gamma}, computed
    )


@st.composite
def explicit_rates(draw: st.DrawFn) -> AgreementCase:
    """The repaired corollary, for ε within the range of values, beyond it, and 0."""
    log, gamma = draw(logarithms()), draw(DISCOUNTS)
    epsilon = draw(st.sampled_from((0.0, 2.0)) | st.floats(1e-3, 1.0)) / (1 - gamma)
    Gamma = draw(SMALLEST_GAPS)
    computed = repaired_complexity.corollary_1_bound(
        log.S, log.A, log.k, gamma=gamma, epsilon=epsilon, delta=log.delta, n=log.n, Gamma=Gamma
    )
    return AgreementCase(
        {**log.values, "gamma": gamma, "epsilon": epsilon, "Gamma": Gamma}, computed
    )


@st.composite
def steps_of_corollary(
    draw: st.DrawFn, step: Callable[[Number, Number, Number], Number], accuracy: str
) -> AgreementCase:
    """The two steps of its proof, in κ_ε or in ε."""
    Gamma, size, gamma = draw(SMALLEST_GAPS), draw(ACCURACIES), draw(DISCOUNTS)
    values = {"Gamma": Gamma, accuracy: size, "gamma": gamma}
    return AgreementCase(values, float(step(Gamma, size, gamma)))


agree = FormulasOf("transfer")

agree("ASSUMPTION_1_R", assumptions.model_errors, errors, "r")
agree("ASSUMPTION_1_P", assumptions.model_errors, errors, "p")
agree("ASSUMPTION_1_SIGMA_R", assumptions.model_errors, errors, "sigma_r")
agree("ASSUMPTION_1_SIGMA_P", assumptions.model_errors, errors, "sigma_p")
agree("ASSUMPTION_1_P_REPAIRED", repaired_assumptions.model_errors, errors, "p")
agree("ASSUMPTION_1_SIGMA_P_REPAIRED", repaired_assumptions.model_errors, errors, "sigma_p")
agree("VALUE_RANGE", proof_bounds.value_range, VALUE_RANGES)
agree("MODEL_RANGES", proof_bounds.range_shares, ranges())
agree("PASS_NUMBER", proof_bounds.pass_number, PASSES)
agree("TRANSFER_THRESHOLD", stopping.transfer_threshold, thresholds, stopping.enters_transfer_mode)
agree(
    "TRANSFER_THRESHOLD_REPAIRED",
    repaired_stopping.transfer_threshold,
    thresholds,
    repaired_stopping.enters_transfer_mode,
)
agree("STOPPING_SLACK", stopping.stopping_slack, slacks)
agree("EMPIRICAL_REWARD", empirical_model, sampled(1, lambda x: x.hat.r[x.s, x.a]))
agree("EMPIRICAL_TRANSITION", empirical_model, sampled(1, lambda x: x.hat.p[x.s, x.a, x.s_prime]))
agree("EMPIRICAL_SIGMA_R", empirical_model, sampled(2, lambda x: x.hat.sigma_r[x.s, x.a]))
agree(
    "EMPIRICAL_SIGMA_P",
    empirical_model,
    sampled(2, lambda x: x.hat.sigma_p[x.s, x.a, x.theta_prime]),
)
agree("INFORMATION_R", information.information_r, informations("r"))
agree("INFORMATION_P", information.information_p, informations("p"))
agree("INFORMATION", information.information, informations("both"))
agree("INDEX", information.index, indices())
agree("KAPPA", sample_complexity.kappa_eps, slacks)
agree("THETA_EPS", sample_complexity.theta_eps, memberships)
agree("THETA_S", repaired_complexity.theta_s, memberships)
agree("THEOREM_1", sample_complexity.theorem_1_bound, theorem_bounds, "Theta_eps")
agree("THEOREM_1_REPAIRED", repaired_complexity.theorem_1_bound, theorem_bounds, "Theta_s")
agree("GAMMA_GAP", sample_complexity.gap_Gamma, smallest_gaps())
agree("COROLLARY_1", sample_complexity.corollary_1_rate, rates())
agree("COROLLARY_1_REPAIRED", repaired_complexity.corollary_1_bound, explicit_rates())
agree("COROLLARY_1_EXCHANGE", proof_bounds.corollary_1_exchange, steps_of_corollary, "kappa")
agree("COROLLARY_1_CONSTANT", proof_bounds.corollary_1_constant, steps_of_corollary, "epsilon")
