"""The displays in the proof of Lemma 11: pseudo-inverse, constants, columns, split of the error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_d.chains import SizedHMM, hmms
from ptum.checks.claims.appendix_d.moved_moments import (
    TOLERANCE,
    Moved,
    direction,
    middle_21,
    middle_31,
    moved,
    norm,
    population,
    search_moved,
    well_conditioned,
)
from ptum.checks.claims.symbolic import Identity, holds
from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Matrix, SingularError, Vector
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.appendix_d import lemma_11
from ptum.checks.verdicts import formulas, proof_bounds
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, not_met
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING
from ptum.reference.sequential.hmm import rank_k_inverse
from ptum.spec.algebra import Term, rational
from ptum.spec.formulas import appendix_d
from ptum.spec.formulas.symbols import A as A_SYMBOL
from ptum.spec.formulas.symbols import S, lambda_max_Sigma_21, lambda_min_Sigma_31, rho_2
from ptum.spec.vocabulary import CheckKind


def rounding_of_split(d: int) -> float:
    """By which share a sum of products of three norms of exact d×d matrices is off.

    Entries are rounded once, so a norm is off by at most √d ≤ d halves of a rounding, and a
    singular value by 10d more; three factors, two products and two sums.
    """
    return 2 * (3 * 11 * d + 4) * ROUNDING


# The pseudo-inverse

INVERSE_CONSTANT = 4.0


def inverse_evaluation(case: Moved, constant: float = INVERSE_CONSTANT) -> Evaluation:
    """With ε = ‖Σ̂ - Σ‖ ≤ σ_k/2: ‖(Σ^† - [Σ̂]_k^†)μ‖ ≤ 4ε‖μ‖/σ_k² for all μ in the range of Σ.

    And ‖Σ^† - [Σ̂]_k^†‖ ≤ 4√2 ε/σ_k² on the whole space. Another constant than 4 is for tests.
    """
    truth, k = population(case.hmm), case.hmm.k
    premises = well_conditioned(truth)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    Sigma = truth.Sigma_31
    along = direction(Sigma, k, case.manner, np.random.default_rng(case.seed))
    epsilon, share = case.share * truth.sigma_k / 2, constant / INVERSE_CONSTANT
    bound = proof_bounds.inverse_change(epsilon, truth.sigma_k)
    change = rank_k_inverse(Sigma + epsilon * along, k) - rank_k_inverse(Sigma, k)
    span = np.linalg.svd(Sigma)[0][:, :k]
    on_the_range, anywhere = np.linalg.norm(change @ span, 2), np.linalg.norm(change, 2)
    return Evaluation(
        premises,
        Statement(
            "change of the pseudo-inverse, on the range or divided by √2 anywhere",
            max_of((float(on_the_range), float(anywhere) / math.sqrt(2))),
            "≤",
            bound * share * (1 + TOLERANCE),
            formulas.APPENDIX_D + "PSEUDO_INVERSE_REPAIRED",
            (("moment_error", epsilon), ("sigma_k_Sigma_31", truth.sigma_k)),
            bound=bound,
        ),
    )


@check("lemma-11.pseudo-inverse/moved-moments", CheckKind.INEQUALITY)
def inverse_perturbation(context: Context, constant: float = INVERSE_CONSTANT) -> Outcome:
    """4ε/σ_k² on the range, 4√2 ε/σ_k² anywhere, for the rank-k inverse of moved moments.

    The repaired bound for moments of drawn chains.
    """
    return search_moved(context, moved(), lambda case: inverse_evaluation(case, constant))


def cut_inverse_norm_evaluation(case: Moved, constant: float = 2.0) -> Evaluation:
    """With ‖Σ̂ - Σ‖ ≤ σ_k/2: ‖[Σ̂]_k^†‖ ≤ 2/σ_k, by Weyl's inequality. 2 is for tests."""
    truth, k = population(case.hmm), case.hmm.k
    premises = well_conditioned(truth)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    along = direction(truth.Sigma_31, k, case.manner, np.random.default_rng(case.seed))
    moved_moment = truth.Sigma_31 + case.share * truth.sigma_k / 2 * along
    found = float(np.linalg.norm(rank_k_inverse(moved_moment, k), 2))
    bound = proof_bounds.inverse_norm(truth.sigma_k)
    return Evaluation(
        premises,
        Statement(
            "‖[Σ̂]_k^†‖ against 2/σ_k",
            found,
            "≤",
            constant / 2 * bound * (1 + TOLERANCE),
            formulas.APPENDIX_D + "INVERSE_NORM_REPAIRED",
            (("sigma_k_Sigma_31", truth.sigma_k),),
            bound=bound,
        ),
    )


@check("lemma-11.inverse-norm/moved-moments", CheckKind.INEQUALITY)
def cut_inverse_norm(context: Context, constant: float = 2.0) -> Outcome:
    """The rank-k inverse of moved moments has norm at most 2/σ_k.

    Moments of drawn chains, moved by up to half of σ_k.
    """
    return search_moved(context, moved(), lambda case: cut_inverse_norm_evaluation(case, constant))


# The constants of the last display


@check("lemma-11.constants/statement", CheckKind.SYMBOLIC)
def statement_covers_ingredients(_: Context, from_inverse: int = 8) -> Outcome:
    """The constant of the statement covers the sum of the ingredients."""
    mu_norm, lam, sigma = 2 * S * A_SYMBOL, lambda_max_Sigma_21, lambda_min_Sigma_31
    from_views = (2 * lam) * (2 / sigma) * rho_2
    from_Sigma_21 = (1 / sigma) * mu_norm
    from_Sigma_31 = (2 * lam) * mu_norm * (2 / sigma)
    right = appendix_d.RHO_4.right
    if not isinstance(right, Term):
        raise TypeError("ρ_4 is a number")
    return holds(
        (
            Identity(
                "‖Σ̂_21‖‖μ‖‖Σ_31^† - Σ̂_31^†‖ is 8SA λ_max/λ_min times the rate",
                from_Sigma_31,
                from_inverse * S * A_SYMBOL * lam / sigma,
            ),
            Identity(
                "ρ_4 of the statement exceeds all three by 2SA/λ_min",
                right - (from_views + from_Sigma_21 + from_Sigma_31),
                rational(2, 1) * S * A_SYMBOL / sigma,
            ),
        )
    )


# Norms of columns


def column_evaluation(hmm: SizedHMM, limit: int = 2) -> Evaluation:
    """‖μ_{3,j}‖₂ ≤ 2SA, squared, for the longest column of O T and of O; 2 = `limit`."""
    tasks = (*exact.transpose(hmm.O), *exact.transpose(exact.times(hmm.O, hmm.T)))
    bound = proof_bounds.column_norm(hmm.S, hmm.A)
    return Evaluation(
        tuple(
            Statement("mass of a column", sum(task, Fraction(0)), "=", 2 * hmm.S * hmm.A)
            for task in tasks
        ),
        Statement(
            "longest column, squared",
            max(map(exact.squared_norm, tasks)),
            "≤",
            (Fraction(limit, 2) * bound) ** 2,
            formulas.APPENDIX_D + "COLUMN_NORM",
            (("S", hmm.S), ("A", hmm.A)),
            bound=bound,
        ),
    )


@check("lemma-11.column-norm/exact-tasks", CheckKind.EXACT)
def column_norm(context: Context, limit: int = 2) -> Outcome:
    """Columns of O and of O T are no longer than 2SA.

    Drawn tasks, among them deterministic ones.
    """
    return search(context, hmms(), lambda hmm: column_evaluation(hmm, limit), (60, 600, 30_000))


# The split of the error


@stored
@dataclass(frozen=True)
class Split:
    """Exact moments of a chain and rational estimates of everything in line 9."""

    hmm: SizedHMM
    middle: Matrix
    Sigma_21_hat: Matrix
    mu_hat: Vector


@st.composite
def splits(draw: DrawFn) -> Split:
    """Any estimates at all; Σ̂_31 = O M̂ Oᵀ so that its pseudo-inverse is rational."""
    hmm = draw(hmms())
    d = len(hmm.O)
    few = st.integers(-3, 3).map(lambda n: Fraction(n, 10))
    noise = [[draw(few) for _ in range(hmm.k)] for _ in range(hmm.k)]
    error_21 = exact.outer(tuple(draw(few) for _ in range(d)), tuple(draw(few) for _ in range(d)))
    mu_error = tuple(draw(few) for _ in range(d))
    middle, Sigma_21 = middle_31(hmm), lemma_11.sandwich(hmm.O, middle_21(hmm))
    mu = exact.column(exact.times(hmm.O, hmm.T), 0)
    return Split(
        hmm,
        exact.plus(middle, exact.matrix(noise)),
        exact.plus(Sigma_21, error_21),
        tuple(x + y for x, y in zip(mu, mu_error, strict=True)),
    )


def split_evaluation(case: Split, terms: Sequence[int] = (0, 1, 2)) -> Evaluation:
    """The three printed terms; leaving some out is for tests. All differences are exact."""
    hmm = case.hmm
    try:
        inverse = lemma_11.pseudo_inverse(hmm.O, middle_31(hmm))
        inverse_hat = lemma_11.pseudo_inverse(hmm.O, case.middle)
    except SingularError:
        return not_met((Statement("inverses exist", 0, "=", 1),))
    Sigma_21 = lemma_11.sandwich(hmm.O, middle_21(hmm))
    mu = exact.column(exact.times(hmm.O, hmm.T), 0)
    estimate = exact.applied(case.Sigma_21_hat, exact.applied(inverse_hat, case.mu_hat))
    truth = exact.applied(Sigma_21, exact.applied(inverse, mu))
    norms = {
        "size_Sigma_21_hat": norm(case.Sigma_21_hat),
        "size_inverse": norm(inverse),
        "size_inverse_hat": norm(inverse_hat),
        "size_mu": length(mu),
        "off_mu": length(exact.difference(mu, case.mu_hat)),
        "off_Sigma_21": norm(exact.minus(Sigma_21, case.Sigma_21_hat)),
        "off_inverse": norm(exact.minus(inverse, inverse_hat)),
    }
    parts = proof_bounds.column_split(**norms)
    allowed = sum(parts[term] for term in terms)
    return Evaluation(
        (Statement("inverses exist", 1, "=", 1),),
        Statement(
            "error of a column against the three terms",
            length(exact.difference(truth, estimate)),
            "≤",
            allowed,
            formulas.APPENDIX_D + "COLUMN_SPLIT",
            tuple(norms.items()),
            tolerance=rounding_of_split(len(hmm.O)) * allowed,
        ),
    )


def length(v: Vector) -> float:
    """Euclidean norm of an exact vector."""
    return math.sqrt(exact.squared_norm(v))


@check("lemma-11.decomposition/exact-moments", CheckKind.INEQUALITY)
def decomposition(context: Context) -> Outcome:
    """The three terms cover the error of a column for any estimates."""
    return search(context, splits(), split_evaluation, (25, 120, 10_000))
