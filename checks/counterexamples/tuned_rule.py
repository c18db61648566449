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

from ptum.checks import exact_hmm as exact
from ptum.checks import formulas
from ptum.checks.candidates import judge_count
from ptum.checks.counterexamples.catalogue import Case, Numbers
from ptum.checks.counterexamples.discarding import keeps_its_promise
from ptum.checks.enclosed import written
from ptum.checks.families.hmms import (
    circulant_sequence,
    next_stay_skip,
    observations,
    three_task_chain,
)
from ptum.checks.outcome import Outcome, Walk, formula_lines
from ptum.checks.registry import Context, Profile
from ptum.reference.alignment import align, permuted
from ptum.reference.arrays import Floats
from ptum.reference.sequential_bounds import theorem_3_eliminates, theorem_3_eta
from ptum.reference.spectral import HmmEstimate, learn_hmm

FIFTH = Fraction(1, 5)
CHAIN = next_stay_skip(3, 3 * FIFTH, FIFTH, FIFTH)
TUNED_RHO, LARGE_RHO = 0.001, 1000.0
ALPHA = 1e-4
"""The error probability of the test."""
DELTA_PRIME, H, M = 0.05, 30, 400
"""δ', the step before which the rule is asked, and how many tasks there are."""
ETA = theorem_3_eta(k=3, m=M, delta_prime=DELTA_PRIME)


def true_successor_dropped(rng: np.random.Generator, rho_T: float) -> bool:
    """One sequence: is the task that follows dropped by the rule with a raw T̂?

    Labels and the current task are known; every entry of T is at least 0.2.
    """
    model = three_task_chain(CHAIN)
    sequence = circulant_sequence(model.hmm.T, H + 1, rng)
    o = observations(rng, model.hmm.O, sequence[:H], model.sizes, 10)
    found = learn_hmm(o, 3, 8, 20, rng)
    if not isinstance(found, HmmEstimate):
        return False
    named = permuted(found, align(model.hmm.O, found.O))
    assert named.T is not None
    out = theorem_3_eliminates(
        named.T,
        (int(sequence[H - 1]),),
        h=H,
        m=M,
        k=3,
        d=model.hmm.d,
        delta=ETA / 6,
        delta_prime=DELTA_PRIME,
        rho_T=rho_T,
    )
    return bool(out[sequence[H]])


def rule_lines(rho_T: float) -> tuple[str, ...]:
    """The rule before that step; T̂ is random."""
    known = (
        *(("k", 3), ("d", three_task_chain().hmm.d), ("m", M), ("h", H), ("rho_T", rho_T)),
        *(("delta", ETA / 6), ("delta_prime", DELTA_PRIME), ("eta", ETA)),
    )
    return formula_lines(formulas.SEQUENTIAL + "THEOREM_3_RULE", known)


def tuned_constant(context: Context, rho_T: float = TUNED_RHO) -> Outcome:
    """The constant of the experiments in place of Lemma 12's, before one step."""
    trials = context.count(140, 400, 2000)
    failures = sum(true_successor_dropped(context.generator(i), rho_T) for i in range(trials))
    told = (
        f"the true successor was dropped in {failures} of {trials} sequences; allowed is a "
        f"probability of {DELTA_PRIME}",
    )
    return judge_count(failures, trials, DELTA_PRIME, ALPHA, told, lambda: rule_lines(rho_T))


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
        ("tasks seen before the step", H),
        ("m", M),
        ("δ'", written(DELTA_PRIME)),
        ("ρ_T", written(TUNED_RHO)),
    )


ROUGH = exact.as_floats(CHAIN) + 0.2 * np.array([[1, 0, 0], [0, 1, 0], [-1, -1, 0]])
"""An estimate, projected on laws, which has lost a possible successor."""

CASES = (
    Case(
        checks=("theorem-3.never/tuned",),
        numbers=numbers,
        told=partial(judged, TUNED_RHO),
        undo="ρ_T = 1000, of the order of Lemma 12's constants",
        undone=partial(judged, LARGE_RHO),
        repaired=partial(per_step, ROUGH),
        sibling=partial(per_step, exact.as_floats(CHAIN)),
        sibling_numbers=lambda: (("T̂ = T, known exactly; η", written(DELTA_PRIME)),),
        inexact="the claim bounds the probability of a miss; the estimates come from the power "
        "method on random samples, and their law is not a finite sum",
    ),
)
