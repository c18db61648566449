"""Lemma 11 as an implication: what errors of moments and third views do to O."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ptum.checks.claims.appendix_d.moved_moments import (
    TOLERANCE,
    Moved,
    Population,
    direction,
    moved,
    population,
    search_moved,
    unit_columns,
    unit_matrix,
    well_conditioned,
)
from ptum.checks.exact.numbers import min_of
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, Values, not_met
from ptum.reference.arrays import Floats, above
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.sequential.hmm import rank_k_inverse
from ptum.spec.vocabulary import CheckKind

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
    sides = np.where(above(0.0, v @ rank_k_inverse(truth.Sigma_31, k) @ truth.mu), -1.0, 1.0)
    return np.outer(image / np.linalg.norm(image), v), np.outer(u, sides)


def observation_evaluation(case: Moved, rho_4: Constant4 = repaired.rho_4) -> Evaluation:
    """Moments off by at most r, third views by at most ρ_2 r: columns of O by at most ρ_4 r.

    The unit of the moment errors is C_Σ = 1, so r is their size.
    """
    truth = population(case.hmm)
    premises = well_conditioned(truth)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    r = case.share * min_of((truth.sigma_k / 2, truth.lambda_max))
    bound = rho_4(
        rho_2=case.view_error,
        S=case.hmm.S,
        A=case.hmm.A,
        C_S=1.0,
        lambda_max_Sigma_21=truth.lambda_max,
        sigma_k_Sigma_31=truth.sigma_k,
    )
    error = column_error(truth, case.manner, r, case.view_error * r, case.seed)
    return Evaluation(
        (*premises, Statement("r against σ_k(Σ_31)/2", r, "≤", truth.sigma_k / 2)),
        Statement(
            "largest column error of O",
            error,
            "≤",
            bound * r * (1 + TOLERANCE),
            formulas.APPENDIX_D + "RHO_4_REPAIRED",
            _values_of_rho_4(case, truth, 1.0),
            bound=bound,
        ),
    )


def _values_of_rho_4(case: Moved, truth: Population, C_S: float) -> Values:
    return (
        *(("rho_2", case.view_error), ("C_S", C_S), ("B", math.sqrt(2 * case.hmm.S * case.hmm.A))),
        *(("lambda_max_Sigma_21", truth.lambda_max), ("sigma_k_Sigma_31", truth.sigma_k)),
    )


@check("lemma-11.implication/moved-moments", CheckKind.INEQUALITY)
def observation_implication(context: Context, rho_4: Constant4 = repaired.rho_4) -> Outcome:
    """The repaired ρ_4 under random and adversarial errors of the moments."""
    return search_moved(context, moved(), lambda case: observation_evaluation(case, rho_4))
