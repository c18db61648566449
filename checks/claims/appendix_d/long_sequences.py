"""Lemmas 11 and 12 after h tasks: from which h on they speak, and what they bound there.

As printed no h is large enough. Repaired, every error is as large as the event allows on which
equation 8 and Lemma 10 hold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_d.chains import SizedHMM, hmms
from ptum.checks.claims.appendix_d.lemma_11 import column_error
from ptum.checks.claims.appendix_d.lemma_12 import repaired_rho_6, transition_error
from ptum.checks.claims.appendix_d.moved_moments import (
    LARGEST_CONDITION_OF_O,
    TOLERANCE,
    Moved,
    Population,
    middle_21,
    middle_31,
    moved,
    norm,
    population,
    well_conditioned,
)
from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Vector
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.appendix_d import four_cycle, heavy_tails
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Formed, Outcome, Statement, Values, Walk, not_met
from ptum.checks.verdicts.search import search
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.conditioning import dobrushin, mixing
from ptum.reference.sequential.analysis.spectral_bounds import ErrorBound
from ptum.spec.vocabulary import CheckKind, Version

LENGTHS = (1, 4, 100)
"""How many times the least h of which the lemmas speak."""

DELTA_PRIME = 0.1

POWERS = 99
"""Powers of T that are looked at; the g made of them is a bound from above, however many."""


# On the event that equation 8 and Lemma 10 hold


@stored
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
    hmm: SizedHMM, rho_2: float, g: float, h: int, delta: float
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


def log_of(hmm: SizedHMM) -> float:
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
            max_of((error / bound.bound, event.moment_error / (known.C_S * rate))),
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


# No h with the least of all singular values


def kernel_vector(hmm: SizedHMM) -> Vector:
    """1 on the first law of a column and -1 on the second: orthogonal to every task."""
    first = hmm.U
    second = hmm.U if hmm.S * hmm.A > 1 else hmm.S
    rest = len(hmm.O) - first - second
    return (Fraction(1),) * first + (Fraction(-1),) * second + (Fraction(0),) * rest


def vacuous_walk(hmm: SizedHMM, lemma: int) -> Walk:
    """Σ_31 sends a vector to zero, so its least singular value is 0 and no h is large enough."""
    z = kernel_vector(hmm)
    image = exact.applied(four_cycle.sandwich(hmm.O, middle_31(hmm)), z)
    lambda_min = math.sqrt(exact.squared_norm(image) / exact.squared_norm(z))
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
        (Statement("length of the vector, squared", exact.squared_norm(z), ">", 0),),
        Statement(
            "least number of tasks that qualifies",
            speaks.required_h,
            "=",
            math.inf,
            formulas.APPENDIX_D + formed[0],
            formed[1],
        ),
    )


def never_speaks(context: Context, lemma: int = 11) -> Outcome:
    """No h meets the premise."""
    return search(
        context, hmms(), lambda hmm: vacuous_walk(hmm, lemma), context.count(40, 250, 10_000)
    )


def lemma_12_never_speaks(context: Context) -> Outcome:
    """ρ_5 is not below ρ_3."""
    return never_speaks(context, lemma=12)


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
        id="lemma-11.bound/heavy-tail",
        version=Version.PRINTED,
        kind=CheckKind.PROBABILITY,
        says="with full pseudo-inverses Ô is within 10 √(log(6d/δ')/h) with probability 1-δ'",
        run=heavy_tails.columns_within_bound,
        reading="lemma-11.bound.full-pseudo-inverse",
        alpha=heavy_tails.ALPHA,
    ),
    Check(
        id="lemma-11.bound/on-the-event",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="if equation 8 twice and Lemma 10 hold at level δ'/3, Ô is within its bound",
        run=on_the_event,
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
