"""Lemmas 11 and 12 after h tasks: from which h on they speak, and what they bound there.

As printed no h is large enough. Repaired, every error is as large as the event allows on which
equation 8 and Lemma 10 hold.
"""

from __future__ import annotations

import math
from dataclasses import asdict, astuple, dataclass
from fractions import Fraction
from typing import TypedDict

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_d.chains import SizedHMM, hmms
from ptum.checks.claims.appendix_d.lemma_11 import column_error
from ptum.checks.claims.appendix_d.lemma_12 import transition_error
from ptum.checks.claims.appendix_d.moved_moments import (
    LARGEST_CONDITION,
    LARGEST_CONDITION_OF_O,
    TOLERANCE,
    Moved,
    Population,
    middle_21,
    middle_31,
    moved,
    norm,
    population,
    read_off,
    search_moved,
    well_conditioned,
)
from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Vector
from ptum.checks.exact.numbers import is_above, max_of
from ptum.checks.instances.counterexamples.appendix_d import estimates, lemma_11
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Formed, Outcome, Statement, Values, not_met
from ptum.checks.verdicts.search import search
from ptum.reference.inequalities import Bound
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.repaired.sequential.analysis.conditioning import (
    RepairedConstants,
    repaired_constants,
    uniform_constants,
)
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.conditioning import (
    Conditioning,
    dobrushin,
    printed_constants,
)
from ptum.reference.sequential.analysis.level import Level, required_h
from ptum.spec.vocabulary import CheckKind

LENGTHS = (1, 4, 100)
"""How many times the least h of which the lemmas speak."""

DELTA_PRIME = 0.1


class ConstantInputs(TypedDict):
    """What the constants of Appendix D are made of beside the model."""

    S: int
    A: int
    U: int
    rho_1: float
    rho_2: float


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


def constants_of(case: Moved, known: Conditioning) -> RepairedConstants:
    """C_Σ and ρ_3 … ρ_6 of a chain, for ρ_1 = 0 and ρ_2 as drawn.

    Constants for all h cover those of a chain that starts in its stationary distribution ω:
    σ_k(Σ_31) is at least twice their floor there, and λ_max(Σ_21) at most twice their ceiling SA.
    """
    hmm = case.hmm
    given: ConstantInputs = {
        "rho_1": 0.0,
        "rho_2": case.view_error,
        "S": hmm.S,
        "A": hmm.A,
        "U": hmm.U,
    }
    if known.omega is not None:
        at_omega = read_off(hmm, known.omega)
        if not is_above(1 / LARGEST_CONDITION, at_omega.sigma_k_Sigma_31):
            of_omega = astuple(repaired_constants(at_omega, **given))
            for_all_h = astuple(uniform_constants(known, **given))
            for least, enough in zip(of_omega, for_all_h, strict=True):
                covered = not is_above(least, enough * (1 + TOLERANCE))
                witness.same_truth("constants for all h cover those at ω", covered, True)
    return repaired_constants(known, **given)


def mixes(truth: Population) -> Statement:
    """The chain forgets, which makes g finite."""
    return Statement("κ(T³)", dobrushin(np.linalg.matrix_power(truth.T, 3)), "<", 0.99)


def event_errors(
    hmm: SizedHMM, rho_2: float, g: float, h: int, delta: float
) -> tuple[float, float]:
    """What equation 8 and Lemma 10 allow at level δ: errors of moments and of third views."""
    views = repaired.mu_error_bound(
        Level(S=hmm.S, A=hmm.A, U=hmm.U, h=h, delta_prime=delta), rho_1=0.0, rho_2=rho_2
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
    known: RepairedConstants
    h: int
    moment_error: float
    view_error: float

    @property
    def level(self) -> Level:
        """What the bounds are taken at."""
        hmm = self.moved.hmm
        return Level(S=hmm.S, A=hmm.A, U=hmm.U, h=self.h, delta_prime=DELTA_PRIME)

    def values(self, constant: str, number: float) -> Values:
        """Symbols of a bound with this constant."""
        return (*asdict(self.level).items(), (constant, number))


def log_of(hmm: SizedHMM) -> float:
    """log(6SA(S+U)/δ')."""
    return math.log(6 * hmm.S * hmm.A * (hmm.S + hmm.U) / DELTA_PRIME)


def observations_bound(event: OnTheEvent) -> Bound:
    """Lemma 11, repaired."""
    known = event.known
    return repaired.observation_error_bound(event.level, rho_3=known.rho_3, rho_4=known.rho_4)


def lemma_11_on(event: OnTheEvent) -> tuple[float, Bound, Formed]:
    """The largest column error of Ô, its bound, and the bound as a formula."""
    moved = event.moved
    error = column_error(
        event.truth, moved.manner, event.moment_error, event.view_error, moved.seed
    )
    return error, observations_bound(event), ("LEMMA_11", event.values("rho_4", event.known.rho_4))


def lemma_12_on(event: OnTheEvent) -> tuple[float, Bound, Formed]:
    """The same for T̂, with an Ô that is as far off as Lemma 11 allows."""
    moved, known = event.moved, event.known
    error = transition_error(event.truth, moved, observations_bound(event).bound, event.view_error)
    bound = repaired.transition_error_bound(event.level, rho_5=known.rho_5, rho_6=known.rho_6)
    return error, bound, ("LEMMA_12", event.values("rho_6", known.rho_6))


def event_evaluation(case: Long, lemma: int, events: int = 3) -> Evaluation:
    """Two moments and the third views at level δ'/3 each: columns within the bound of level δ'.

    `events` = 3 says how δ' is shared; every error is as large as its event allows. The moment
    error must also be within C_Σ times the rate, which is what makes the constants fit together.
    """
    hmm, truth = case.moved.hmm, population(case.moved.hmm)
    premises = (*well_conditioned(truth, LARGEST_CONDITION_OF_O), mixes(truth))
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    g, known = (of_chain := read_off(hmm)).g, constants_of(case.moved, of_chain)
    threshold = known.rho_3 if lemma == 11 else known.rho_5
    h = max(3, math.ceil(threshold * log_of(hmm) * case.length))
    errors = event_errors(hmm, case.moved.view_error, g, h, DELTA_PRIME / events)
    event = OnTheEvent(case.moved, truth, known, h, *errors)
    error, bound, (formula, values) = (lemma_11_on if lemma == 11 else lemma_12_on)(event)
    rate = math.sqrt(log_of(hmm) / h)
    return Evaluation(
        (*premises, Statement("h is large enough", int(bound.premises_met), "=", 1)),
        Statement(
            f"h = {h}: larger of column error / bound and moment error / (C_Σ rate)",
            max_of((error / bound.bound, event.moment_error / (known.C_S * rate))),
            "≤",
            1 + TOLERANCE,
            formulas.APPENDIX_D + formula,
            values,
            bound=bound.bound,
        ),
    )


@check("lemma-11.bound/on-the-event", CheckKind.INEQUALITY)
def on_the_event(context: Context, lemma: int = 11, events: int = 3) -> Outcome:
    """If equation 8 twice and Lemma 10 hold at level δ'/3, Ô is within its bound.

    The repaired Lemma 11, given what it rests on.
    """
    return search_moved(context, long_runs(), lambda case: event_evaluation(case, lemma, events))


@check("lemma-12.bound/on-the-event", CheckKind.INEQUALITY)
def lemma_12_on_the_event(context: Context) -> Outcome:
    """On the same event, for longer sequences, T̂ is within its bound.

    The repaired Lemma 12, given what it rests on.
    """
    return on_the_event(context, lemma=12)


# No h with the least of all singular values


def kernel_vector(hmm: SizedHMM) -> Vector:
    """1 on the first distribution of a column and -1 on the second: orthogonal to every task."""
    first = hmm.U
    second = hmm.U if hmm.S * hmm.A > 1 else hmm.S
    rest = len(hmm.O) - first - second
    return (Fraction(1),) * first + (Fraction(-1),) * second + (Fraction(0),) * rest


def vacuous_evaluation(hmm: SizedHMM, lemma: int) -> Evaluation:
    """Σ_31 sends a vector to zero, so its least singular value is 0 and no h is large enough."""
    z = kernel_vector(hmm)
    image = exact.applied(lemma_11.sandwich(hmm.O, middle_31(hmm)), z)
    lambda_min = math.sqrt(exact.squared_norm(image) / exact.squared_norm(z))
    lambda_max = norm(lemma_11.sandwich(hmm.O, middle_21(hmm)))
    rho_3 = printed.rho_3(rho_1=1.0, lambda_max_Sigma_21=lambda_max, lambda_min_Sigma_31=lambda_min)
    formed: Formed = (
        "RHO_3",
        (("rho_1", 1), ("lambda_max_Sigma_21", lambda_max), ("lambda_min_Sigma_31", lambda_min)),
    )
    if lemma == 12:
        formed = "RHO_5", (("rho_3", rho_3), ("rho_4", 1), ("k", hmm.k), ("sigma_k_O", 1))
    threshold = (
        rho_3 if lemma == 11 else printed.rho_5(rho_3=rho_3, rho_4=1.0, k=hmm.k, sigma_k_O=1.0)
    )
    if not any(image):
        literal = printed_constants(read_off(hmm), S=hmm.S, A=hmm.A, U=hmm.U, rho_1=1.0, rho_2=1.0)
        of_lemma = literal.rho_3 if lemma == 11 else literal.rho_5
        witness.same_numbers(f"threshold of Lemma {lemma}", of_lemma, threshold, 0.0)
    speaks = printed.scaled_rate(
        Level(S=hmm.S, A=hmm.A, U=hmm.U, h=1, delta_prime=0.1), constant=1.0, threshold=threshold
    )
    return Evaluation(
        (Statement("length of the vector, squared", exact.squared_norm(z), ">", 0),),
        Statement(
            "least number of tasks that qualifies",
            required_h(speaks),
            "=",
            math.inf,
            formulas.APPENDIX_D + formed[0],
            formed[1],
        ),
    )


@check("lemma-11.bound/no-such-h", CheckKind.EXACT)
def never_speaks(context: Context, lemma: int = 11) -> Outcome:
    """With the least of all singular values no number of tasks qualifies."""
    return search(context, hmms(), lambda hmm: vacuous_evaluation(hmm, lemma), (40, 250, 10_000))


@check("lemma-12.bound/no-such-h", CheckKind.EXACT)
def lemma_12_never_speaks(context: Context) -> Outcome:
    """With the least of all singular values no number of tasks qualifies."""
    return never_speaks(context, lemma=12)


check(
    "lemma-11.bound/heavy-tail",
    CheckKind.PROBABILITY,
    "With full pseudo-inverses Ô is within 10 √(log(6d/δ')/h) with probability 1-δ'",
    alpha=estimates.ALPHA,
)(estimates.columns_within_bound)
