"""Theorem 3's rule on estimates with negative entries: with Lemma 12's constant nothing is dropped.

Three tasks, each followed by the next with probability 3/5 and by any other with 1/5. T̂ is
estimated from thirty tasks and not projected, so some of its entries are negative. With the ρ_T =
0.001 that Appendix E.2 chooses for another setting, and without the three models that it keeps
besides, the task that follows is dropped in one sequence of five; Theorem 3 does not speak of that
constant.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ptum.checks.instances.families.hmms import (
    circulant_sequence,
    next_stay_skip,
    observations,
    three_task_chain,
)
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context
from ptum.checks.verdicts.outcome import Outcome, formula_lines
from ptum.checks.verdicts.probability_search import TrialResult, judge_named, one_by_one
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.sequential.analysis.conditioning import conditioning, printed_constants
from ptum.reference.sequential.analysis.sequential_bounds import theorem_3_eliminates, theorem_3_eta
from ptum.reference.sequential.spectral import HmmEstimate, learn_hmm

FIFTH = Fraction(1, 5)
CHAIN = next_stay_skip(3, 3 * FIFTH, FIFTH, FIFTH)
ALPHA = 1e-4
"""The error probability of the test."""
DELTA_PRIME, H, M = 0.05, 30, 400
"""δ', the step before which the rule is asked, and how many tasks there are."""
ETA = theorem_3_eta(k=3, m=M, delta_prime=DELTA_PRIME)


@cache
def own_constant() -> float:
    """ρ_6 of Lemma 12 for these tasks with ρ_1 = ρ_2 = 0 and the k-th singular value: 2·10⁵.

    Every constant that Lemma 10 admits makes it larger.
    """
    model = three_task_chain(CHAIN)
    sizes = model.sizes
    found = printed_constants(
        conditioning(model.hmm, np.full(3, 1 / 3)),
        S=sizes.S,
        A=sizes.A,
        U=sizes.U,
        rho_1=0.0,
        rho_2=0.0,
        lambda_min="kth",
    )
    return found.rho_6


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
    out = theorem_3_eliminates(named.T, (int(sequence[H - 1]),), **rule_numbers(rho_T))
    return bool(out[sequence[H]])


def rule_numbers(rho_T: float) -> dict[str, Any]:
    """What the rule is given beside T̂ and the current task."""
    sizes = {"k": 3, "d": three_task_chain().hmm.d, "m": M, "h": H}
    return {**sizes, "rho_T": rho_T, "delta": ETA / 6, "delta_prime": DELTA_PRIME}


def rule_lines(rho_T: float) -> tuple[str, ...]:
    """The rule before that step; T̂ is random."""
    known = (*rule_numbers(rho_T).items(), ("eta", ETA))
    return formula_lines(formulas.SEQUENTIAL + "THEOREM_3_RULE", known)


def successor_kept(context: Context, rho_T: float | None = None) -> Outcome:
    """P(the rule drops the task that follows) ≤ δ' before one step; enough sequences to see it."""
    constant = own_constant() if rho_T is None else rho_T

    def trial(rho: float, rng: np.random.Generator) -> TrialResult:
        return TrialResult(true_successor_dropped(rng, rho))

    return judge_named(
        context,
        one_by_one(trial, DELTA_PRIME, rule_lines),
        {f"the true successor dropped with ρ_T = {constant:.4g}": constant},
        context.count(400, 720, 2000),
        ALPHA,
    )
