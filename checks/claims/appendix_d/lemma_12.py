"""Lemma 12 as an implication: what errors of O and of third views do to T."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ptum.checks.claims.appendix_d.moved_moments import (
    LARGEST_CONDITION_OF_O,
    TOLERANCE,
    Moved,
    Population,
    moved,
    population,
    read_off,
    search_moved,
    unit_columns,
    well_conditioned,
)
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, not_met
from ptum.reference.arrays import Floats, above
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.conditioning import printed_constants
from ptum.spec.vocabulary import CheckKind, Version

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
    sizes = {"S": case.hmm.S, "A": case.hmm.A}
    found = printed.rho_4(
        rho_2=case.view_error,
        **sizes,
        lambda_max_Sigma_21=truth.lambda_max,
        lambda_min_Sigma_31=truth.sigma_k,
    )
    literal = printed_constants(
        read_off(case.hmm),
        **sizes,
        U=case.hmm.U,
        rho_1=0.0,
        rho_2=case.view_error,
        lambda_min="kth",
    )
    # singular values are off by 10d roundings of ‖Σ‖, which the tolerance leaves room for
    witness.same_numbers("ρ_4", literal.rho_4, found, TOLERANCE * found)
    rho_6 = printed_rho_6(case, truth, found)
    witness.same_numbers("ρ_6", literal.rho_6, rho_6, TOLERANCE * rho_6)
    return found


def free_rho_4(case: Moved, _: Population) -> float:
    """Any constant at all: the repaired implication does not care where ρ_4 comes from."""
    return 0.3 + case.view_error * (case.seed % 3)


def column_directions(truth: Population, case: Moved, rng: np.random.Generator) -> Floats:
    """Unit columns; the bad ones shrink or grow the k-th singular value of O most."""
    left, _, right = np.linalg.svd(truth.O, full_matrices=False)
    d, k = truth.O.shape
    signs = np.where(above(0.0, right[k - 1]), -1.0, 1.0)
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
            along = np.outer(
                last, np.where(above(0.0, last.T @ (truth.O - O_hat) @ truth.T), -1.0, 1.0)
            )
        case _:
            along = np.repeat(last, k, axis=1)
    mu = truth.mu + view_error * along
    return float(np.linalg.norm(np.linalg.pinv(O_hat) @ mu - truth.T, axis=0).max())


def transition_evaluation(
    case: Moved, rho_6: Constant6, rho_4_of: Callable[[Moved, Population], float], version: Version
) -> Evaluation:
    """Columns of O off by ρ_4 r, third views by ρ_2 r, √k ρ_4 r ≤ σ_k(O)/2: T off by ≤ ρ_6 r."""
    truth, k = population(case.hmm), case.hmm.k
    premises = well_conditioned(truth, LARGEST_CONDITION_OF_O)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    rho_4 = rho_4_of(case, truth)
    r = case.share * truth.sigma_k_O / (2 * math.sqrt(k) * rho_4) * (1 - TOLERANCE)
    error = transition_error(truth, case, rho_4 * r, case.view_error * r)
    bound = rho_6(case, truth, rho_4)
    return Evaluation(
        (*premises, Statement("√k ρ_4 r", math.sqrt(k) * rho_4 * r, "≤", truth.sigma_k_O / 2)),
        Statement(
            "largest column error of T",
            error,
            "≤",
            bound * r * (1 + TOLERANCE),
            formulas.APPENDIX_D + ("RHO_6" if version is Version.PRINTED else "RHO_6_REPAIRED"),
            (
                *(("S", case.hmm.S), ("A", case.hmm.A), ("k", k), ("rho_2", case.view_error)),
                *(("rho_4", rho_4), ("sigma_k_O", truth.sigma_k_O)),
            ),
            bound=bound,
        ),
    )


@check("lemma-12.implication/moved-columns", CheckKind.INEQUALITY)
def transition_implication(context: Context, rho_6: Constant6 = printed_rho_6) -> Outcome:
    """The printed ρ_6 under random and adversarial errors of O and of the third views."""
    return _transitions(context, rho_6, printed_rho_4, Version.PRINTED)


@check("lemma-12.implication/both-terms", CheckKind.INEQUALITY)
def repaired_transition_implication(context: Context, rho_6: Constant6 = repaired_rho_6) -> Outcome:
    """The repaired ρ_6 under the same errors, for any ρ_4."""
    return _transitions(context, rho_6, free_rho_4, Version.REPAIRED)


def _transitions(
    context: Context,
    rho_6: Constant6,
    rho_4_of: Callable[[Moved, Population], float],
    version: Version,
) -> Outcome:
    return search_moved(
        context, moved(), lambda case: transition_evaluation(case, rho_6, rho_4_of, version)
    )
