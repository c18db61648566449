"""Appendix C with the third view conditioned on its own task (errata E25, E43, E44).

Three tasks with one pair and three rewards; a chain that mostly steps forward, whose stationary law
is uniform; first views of law (1/2, 3/10, 1/5). All numbers are fractions, nothing is rounded.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from checks import exact_hmm as exact
from checks.exact_hmm import ExactHMM, Matrix, Tensor, Vector
from checks.families.hmms import next_stay_skip
from checks.outcome import Statement, Walk
from spec.vocabulary import Version

TENTH = Fraction(1, 10)


def instance(
    T: Matrix | None = None, first: tuple[str, str, str] = ("0.5", "0.3", "0.2")
) -> ExactHMM:
    """Rewards u_1, u_2, u_3 with chances (0.8, 0.1, 0.1), (0.1, 0.7, 0.2) and (0.2, 0.2, 0.6)."""
    laws = exact.matrix((("0.8", "0.1", "0.1"), ("0.1", "0.7", "0.2"), ("0.2", "0.2", "0.6")))
    chain = T or next_stay_skip(3, 7 * TENTH, 2 * TENTH, TENTH)
    return ExactHMM(exact.reward_columns(laws), chain, exact.vector(first))


def premises(hmm: ExactHMM, version: Version) -> tuple[Statement, ...]:
    """Assumption 2 as printed; repaired it asks for an invertible T and no empty first task."""
    k = hmm.k
    full_rank = Statement("rank O against the number of tasks", exact.rank(hmm.O), "=", k)
    if version is Version.REPAIRED:
        return (
            full_rank,
            Statement("rank T against the number of tasks", exact.rank(hmm.T), "=", k),
            Statement("least chance of a first task", min(hmm.first), ">", 0),
        )
    omega = exact.stationary(hmm.T)
    least = min(omega) if omega is not None else Fraction(-1)
    return full_rank, Statement("least stationary weight", least, ">", 0)


def third_means(hmm: ExactHMM, version: Version) -> Matrix:
    """μ_{3,1}, …, μ_{3,k} as rows: given θ*_3 as printed, given θ*_2 repaired."""
    return exact.mean_of_third(hmm, 3 if version is Version.PRINTED else 2)


def weights(hmm: ExactHMM, version: Version) -> Vector:
    """ω: the stationary law as printed, the law of the middle task repaired."""
    if version is Version.REPAIRED:
        return exact.law_of_task(hmm, 2)
    omega = exact.stationary(hmm.T)
    if omega is None:
        raise ValueError("more than one stationary law")
    return omega


def decomposition(hmm: ExactHMM, version: Version) -> Walk:
    """M_2 is a sum over j of multiples of μ_{3,j} ⊗ μ_{3,j}, with whatever weights.

    For independent μ the coefficients of M_2 in the basis μ_i ⊗ μ_j are unique; those with i ≠ j
    must vanish.
    """
    coefficients = in_basis(exact.moments(hmm).M_2, third_means(hmm, version))
    mixed = max(abs(x) for i, row in enumerate(coefficients) for j, x in enumerate(row) if i != j)
    return Walk(
        premises(hmm, version),
        Statement("largest coefficient of μ_i ⊗ μ_j, i ≠ j, in M_2", mixed, "=", 0),
    )


def weights_of_moments(hmm: ExactHMM, version: Version) -> Walk:
    """The coefficients of μ_{3,j} ⊗ μ_{3,j} in M_2, with the right μ, are the stated ω_j."""
    coefficients = in_basis(exact.moments(hmm).M_2, third_means(hmm, Version.REPAIRED))
    stated = weights(hmm, version)
    off = max(abs(coefficients[j][j] - stated[j]) for j in range(hmm.k))
    return Walk(
        premises(hmm, version),
        Statement("largest difference between a weight in M_2 and ω_j", off, "=", 0),
    )


def moments_have_the_form(hmm: ExactHMM, version: Version) -> Walk:
    """M_2 = Σ_j ω_j μ_{3,j}⊗μ_{3,j} and M_3 = Σ_j ω_j μ_{3,j}⊗μ_{3,j}⊗μ_{3,j}."""
    mu, omega, found = third_means(hmm, version), weights(hmm, version), exact.moments(hmm)
    second = exact.largest(exact.minus(found.M_2, weighted(mu, omega)))
    third = max(
        exact.largest(
            exact.minus(part, weighted(mu, tuple(w * v[i] for w, v in zip(omega, mu, strict=True))))
        )
        for i, part in enumerate(found.M_3)
    )
    return Walk(
        premises(hmm, version),
        Statement("largest difference in an entry of M_2 or M_3", max(second, third), "=", 0),
    )


def observation_formula(hmm: ExactHMM, version: Version) -> Walk:
    """[O]_j = Σ_21 Σ_31† μ_{3,j}."""
    found = exact.moments(hmm)
    back = exact.times(found.Sigma_21, exact.pseudo_inverse(found.Sigma_31))
    given = exact.times(back, exact.transpose(third_means(hmm, version)))
    return Walk(
        premises(hmm, version),
        Statement("largest difference in O", exact.largest(exact.minus(given, hmm.O)), "=", 0),
    )


def transition_formula(hmm: ExactHMM, version: Version) -> Walk:
    """[T]_j = O† μ_{3,j}."""
    mu = exact.transpose(third_means(hmm, version))
    given = exact.times(exact.pseudo_inverse(hmm.O), mu)
    return Walk(
        premises(hmm, version),
        Statement("largest difference in T", exact.largest(exact.minus(given, hmm.T)), "=", 0),
    )


def orthogonal(hmm: ExactHMM, version: Version, *, whitened: bool) -> Walk:
    """M_3 is symmetric, and its components are orthogonal.

    Before whitening the components are μ_{3,j}. After it they are Wᵀμ_{3,j} with WWᵀ = M_2†, so
    their inner products are μ_iᵀ M_2† μ_j, which must be 0 for i ≠ j and 1/ω_j for i = j.
    """
    found, mu = exact.moments(hmm), third_means(hmm, Version.REPAIRED)
    metric = exact.pseudo_inverse(found.M_2) if whitened else exact.identity(len(hmm.O))
    inner = exact.times(mu, metric, exact.transpose(mu))
    omega = weights(hmm, Version.REPAIRED)
    lengths = [1 / omega[j] if whitened else inner[j][j] for j in range(hmm.k)]
    off = max(
        abs(x - (lengths[i] if i == j else 0))
        for i, row in enumerate(inner)
        for j, x in enumerate(row)
    )
    symmetric = Statement("asymmetry of M_3", asymmetry(found.M_3), "=", 0)
    return Walk(
        (*premises(hmm, version), symmetric),
        Statement("largest inner product of two components", off, "=", 0),
    )


def full_rank_moments(hmm: ExactHMM, version: Version, *, centred: bool) -> Walk:
    """Σ_21, Σ_31 and Σ_32 have rank k, which lines 3 and 9 of Algorithm 3 divide by."""
    moment = exact.centred if centred else exact.second_moment
    least = min(exact.rank(moment(hmm, i, j)) for i, j in ((2, 1), (3, 1), (3, 2)))
    return Walk(
        premises(hmm, version),
        Statement("least rank of the matrices between views", least, "=", hmm.k),
    )


def in_basis(M: Matrix, mu: Matrix) -> Matrix:
    """The coefficients C with M = Σ C_ij μ_i ⊗ μ_j, if M lies in that span."""
    dual = exact.pseudo_inverse(exact.transpose(mu))
    return exact.times(dual, M, exact.transpose(dual))


def weighted(mu: Matrix, omega: Vector) -> Matrix:
    """Σ_j ω_j μ_j ⊗ μ_j."""
    scaled = tuple(tuple(w * x for x in v) for w, v in zip(omega, mu, strict=True))
    return exact.times(exact.transpose(mu), scaled)


def asymmetry(M: Tensor) -> Fraction:
    """The largest change of an entry when its indices change places."""
    n = range(len(M))
    return max(
        abs(M[i][j][l] - M[order[0]][order[1]][order[2]])
        for i in n
        for j in n
        for l in n
        for order in permutations((i, j, l))
    )
