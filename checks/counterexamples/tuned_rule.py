"""Theorem 3's rule with the tuned ρ_T = 0.001 of the experiments (erratum E36).

Three tasks, each followed by the next with chance 3/5 and by any other with 1/5. T̂ is estimated
from thirty tasks and not projected, so some of its entries are negative, and the rule drops the
task that follows although nothing is rarer than 1/5. How often it does is counted in trials, since
the claim is about a probability.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial

import numpy as np

from checks import exact_hmm as exact
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.discarding import keeps_its_promise
from checks.enclosed import written
from checks.families.hmms import next_stay_skip
from checks.outcome import Outcome, Walk
from checks.registry import Context, Profile
from checks.section_4.prediction import DELTA_PRIME, tuned_constant
from reference.arrays import Floats

FIFTH = Fraction(1, 5)
CHAIN = next_stay_skip(3, 3 * FIFTH, FIFTH, FIFTH)
LARGE_RHO = 1000.0


@cache
def judged(rho_T: float) -> Outcome:
    """How often the true successor is dropped; enough sequences to tell 0 from δ'."""
    return tuned_constant(Context(Profile.STANDARD, seed=0), rho_T)


def per_step(estimate: Floats) -> Walk:
    """The per-step rule with η = δ' on this chain and an estimate of it."""
    return keeps_its_promise(exact.as_floats(CHAIN), estimate, (0,), 0, DELTA_PRIME)


def numbers() -> Numbers:
    """Chain and rule."""
    return (
        ("T, column θ' to row θ", CHAIN),
        ("tasks seen before the step", 30),
        ("m", 400),
        ("δ'", written(DELTA_PRIME)),
        ("ρ_T", written(0.001)),
    )


ROUGH = exact.as_floats(CHAIN) + 0.2 * np.array([[1, 0, 0], [0, 1, 0], [-1, -1, 0]])
"""An estimate, projected on laws, which has lost a possible successor."""

CASES = (
    Case(
        checks=("theorem-3.never/tuned",),
        numbers=numbers,
        told=partial(judged, 0.001),
        undo="ρ_T = 1000, of the order of Lemma 12's constants",
        undone=partial(judged, LARGE_RHO),
        repaired=partial(per_step, ROUGH),
        sibling=partial(per_step, exact.as_floats(CHAIN)),
        sibling_numbers=lambda: (("T̂ = T, known exactly; η", written(DELTA_PRIME)),),
        inexact="the claim bounds the probability of a miss; the estimates come from the power "
        "method on random samples, and their law is not a finite sum",
    ),
)
