"""Against the moments of Appendix C and the tasks that triples start in (errata E25, E26, E44)."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import permutations
from math import lcm
from types import MappingProxyType
from typing import TypeAlias

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix, Tensor, Vector
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.families.hmms import cycle, independent, next_stay_skip
from ptum.checks.verdicts import witness
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import ROUNDING
from ptum.reference.sequential.hmm import population_moments
from ptum.spec.vocabulary import Version

# Appendix C with the third view conditioned on its own task, or T singular (E25, E26, E44).
#
# Three tasks with one pair and three rewards; a chain that mostly steps forward, whose stationary
# distribution is uniform; first views of distribution (1/2, 3/10, 1/5). All numbers are fractions,
# nothing is rounded.

TENTH = Fraction(1, 10)
ModelClaim: TypeAlias = Callable[[ExactHMM, Version], Evaluation]


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
            Statement("least probability of a first task", min(hmm.first), ">", 0),
        )
    least = exact.least_stationary_weight(hmm.T)
    return full_rank, Statement("least stationary weight", least, ">", 0)


def third_means(hmm: ExactHMM, version: Version) -> Matrix:
    """μ_{3,1}, …, μ_{3,k} as rows: given θ*_3 as printed, given θ*_2 repaired."""
    return exact.mean_of_third(hmm, 3 if version is Version.PRINTED else 2)


def weights(hmm: ExactHMM, version: Version) -> Vector:
    """ω: the stationary distribution as printed, the distribution of the middle task repaired."""
    if version is Version.REPAIRED:
        return exact.distribution_of_task(hmm, 2)
    omega = exact.stationary(hmm.T)
    if omega is None:
        raise ValueError("more than one stationary distribution")
    return omega


def decomposition(hmm: ExactHMM, version: Version) -> Evaluation:
    """M_2 is a sum over j of multiples of μ_{3,j} ⊗ μ_{3,j}, with whatever weights.

    For independent μ the coefficients of M_2 in the basis μ_i ⊗ μ_j are unique; those with i ≠ j
    must vanish.
    """
    coefficients = in_basis(exact.moments(hmm).M_2, third_means(hmm, version))
    mixed = max(abs(x) for i, row in enumerate(coefficients) for j, x in enumerate(row) if i != j)
    return Evaluation(
        premises(hmm, version),
        Statement("largest coefficient of μ_i ⊗ μ_j, i ≠ j, in M_2", mixed, "=", 0),
    )


def weights_of_moments(hmm: ExactHMM, version: Version) -> Evaluation:
    """The coefficients of μ_{3,j} ⊗ μ_{3,j} in M_2, with the right μ, are the stated ω_j."""
    coefficients = in_basis(exact.moments(hmm).M_2, third_means(hmm, Version.REPAIRED))
    stated = weights(hmm, version)
    off = max(abs(coefficients[j][j] - stated[j]) for j in range(hmm.k))
    return Evaluation(
        premises(hmm, version),
        Statement("largest difference between a weight in M_2 and ω_j", off, "=", 0),
    )


def moments_have_the_form(hmm: ExactHMM, version: Version) -> Evaluation:
    """M_2 = Σ_j ω_j μ_{3,j}⊗μ_{3,j} and M_3 = Σ_j ω_j μ_{3,j}⊗μ_{3,j}⊗μ_{3,j}."""
    mu, omega, found = third_means(hmm, version), weights(hmm, version), exact.moments(hmm)
    _confirm(hmm, found.Sigma_21)
    second = exact.largest(exact.minus(found.M_2, weighted(mu, omega)))
    third = max(
        exact.largest(
            exact.minus(part, weighted(mu, tuple(w * v[i] for w, v in zip(omega, mu, strict=True))))
        )
        for i, part in enumerate(found.M_3)
    )
    return Evaluation(
        premises(hmm, version),
        Statement("largest difference in an entry of M_2 or M_3", max(second, third), "=", 0),
    )


def _confirm(hmm: ExactHMM, Sigma_21: Matrix) -> None:
    """The literal second moment: k² products of four numbers, none of which is above 1."""
    literal = exact.rounded(hmm)
    found = population_moments(literal, literal.initial).Sigma_21
    meant, off = exact.as_floats(Sigma_21).ravel().tolist(), 8 * hmm.k**2 * ROUNDING
    witness.same_numbers("Σ_21", found.ravel(), meant, off)


def observation_formula(hmm: ExactHMM, version: Version) -> Evaluation:
    """[O]_j = Σ_21 Σ_31† μ_{3,j}."""
    found = exact.moments(hmm)
    back = exact.times(found.Sigma_21, exact.pseudo_inverse(found.Sigma_31))
    given = exact.times(back, exact.transpose(third_means(hmm, version)))
    return Evaluation(
        premises(hmm, version),
        Statement("largest difference in O", exact.largest(exact.minus(given, hmm.O)), "=", 0),
    )


def transition_formula(hmm: ExactHMM, version: Version) -> Evaluation:
    """[T]_j = O† μ_{3,j}."""
    mu = exact.transpose(third_means(hmm, version))
    given = exact.times(exact.pseudo_inverse(hmm.O), mu)
    return Evaluation(
        premises(hmm, version),
        Statement("largest difference in T", exact.largest(exact.minus(given, hmm.T)), "=", 0),
    )


def orthogonal(hmm: ExactHMM, version: Version, *, whitened: bool) -> Evaluation:
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
    return Evaluation(
        premises(hmm, version),
        Statement(
            "largest inner product of two components, or asymmetry of M_3",
            max(off, asymmetry(found.M_3)),
            "=",
            0,
        ),
    )


def full_rank_moments(hmm: ExactHMM, version: Version, *, centred: bool) -> Evaluation:
    """Σ_21, Σ_31 and Σ_32 have rank k, which lines 3 and 9 of Algorithm 3 divide by."""
    moment = exact.centred if centred else exact.second_moment
    least = min(exact.rank(moment(hmm, i, j)) for i, j in ((2, 1), (3, 1), (3, 2)))
    return Evaluation(
        premises(hmm, version),
        Statement("least rank of the matrices between views", least, "=", hmm.k),
    )


def symmetric_moment(hmm: ExactHMM, version: Version) -> Evaluation:
    """A matrix with eigenvalues to speak of, a covariance above all, is symmetric."""
    Sigma_31 = exact.moments(hmm).Sigma_31
    off = exact.largest(exact.minus(Sigma_31, exact.transpose(Sigma_31)))
    return Evaluation(premises(hmm, version), Statement("asymmetry of Σ_31", off, "=", Fraction(0)))


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


# What the instances show


PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED
THIRD = ("1/3", "1/3", "1/3")
SINGULAR = exact.matrix((("0.6", "0.2", "0.4"), ("0.2", "0.4", "0.3"), ("0.2", "0.4", "0.3")))
"""A chain whose last two rows agree, with positive stationary weights."""
uncentred: ModelClaim = partial(full_rank_moments, centred=False)
of_covariances: ModelClaim = partial(full_rank_moments, centred=True)
after_whitening: ModelClaim = partial(orthogonal, whitened=True)


def independent_tasks() -> ExactHMM:
    """The three tasks redrawn each time."""
    return instance(independent(exact.vector(THIRD)))


def _third_view_numbers(hmm: ExactHMM) -> Numbers:
    return (
        ("columns of O: probabilities of the rewards, and of the one next state", hmm.columns),
        ("T[i][j], the probability of task i after task j", hmm.T),
        ("distribution of the first task of a triple", hmm.first),
        ("stationary distribution", exact.stationary(hmm.T)),
    )


def same_column_twice(hmm: ExactHMM) -> ExactHMM:
    """Every task looks like the one before it, and the first like itself."""
    return replace(hmm, O=exact.transpose((hmm.columns[0], *hmm.columns[:-1])))


def _absorbing(hmm: ExactHMM) -> ExactHMM:
    """Task 1 is never left, every other task with probability 1/2 for task 1."""
    half = Fraction(1, 2)
    units = exact.identity(hmm.k)
    to_first = tuple(
        tuple(half * x + half * y for x, y in zip(unit, units[0], strict=True)) for unit in units
    )
    return replace(hmm, T=exact.transpose(to_first))


@dataclass(frozen=True)
class ClaimedModel:
    """A model and what is claimed of it as printed."""

    hmm: ExactHMM
    claim: ModelClaim

    def printed(self) -> Evaluation:
        """The claim as printed."""
        return self.claim(self.hmm, PRINTED)

    def numbers(self) -> Numbers:
        """Those of the model."""
        return _third_view_numbers(self.hmm)


def _broken(case: ClaimedModel) -> dict[str, ClaimedModel]:
    return {
        "rank O against the number of tasks": replace(case, hmm=same_column_twice(case.hmm)),
        "least stationary weight": replace(case, hmm=_absorbing(case.hmm)),
    }


def _declare(
    case: ClaimedModel,
    fix: str,
    fixed: ClaimedModel,
    repaired: ModelClaim,
    *,
    checks: Mapping[str, str] = MappingProxyType({}),
    part_of: tuple[str, ...] = (),
    in_scope: ExactHMM | None = None,
) -> None:
    declare(
        also=checks,
        part_of=part_of,
        instance=case,
        evaluate=ClaimedModel.printed,
        numbers=ClaimedModel.numbers,
        fix=fix,
        fixed=fixed,
        broken=_broken(case),
        repaired=lambda other: repaired(other.hmm, REPAIRED),
        in_scope=replace(case, hmm=in_scope or _another()),
    )


def _another() -> ExactHMM:
    """Another chain and another start."""
    return instance(next_stay_skip(3, 6 * TENTH, 3 * TENTH, TENTH), ("1/4", "1/2", "1/4"))


def _reversible() -> ExactHMM:
    quarter = exact.matrix((("1/2", "1/4", "1/4"), ("1/4", "1/2", "1/4"), ("1/4", "1/4", "1/2")))
    return instance(quarter, THIRD)


def of_the_middle_task(claim: ModelClaim, hmm: ExactHMM) -> Evaluation:
    """The printed premises, and the conclusion with μ_3 and ω of the middle task (E25)."""
    return Evaluation(premises(hmm, PRINTED), claim(hmm, REPAIRED).conclusion)


def middle(claim: ModelClaim) -> ModelClaim:
    """The claim about θ*_2, with the premises that are printed."""
    return lambda hmm, _: of_the_middle_task(claim, hmm)


_declare(
    ClaimedModel(instance(), decomposition),
    "θ*_2 in place of θ*_3: means and weights are those of the middle task",
    ClaimedModel(instance(), middle(decomposition)),
    decomposition,
    checks={
        "text-third-view.conditioned-on/own-task": "M_2 has only multiples of μ_{3,j} ⊗ μ_{3,j}"
    },
)
for each, singular, said in (
    (
        moments_have_the_form,
        instance(SINGULAR),
        {"text-moment-identities.moments/printed-form": "M_2 and M_3 have the stated form"},
    ),
    (
        observation_formula,
        independent_tasks(),
        {"text-moment-identities.observation/printed-mean": "[O]_j = Σ_21 Σ_31† μ_{3,j}"},
    ),
):  # what Assumption 2 does not give, even for the middle task: T has no inverse
    _declare(
        ClaimedModel(singular, middle(each)),
        "the chain (0.7, 0.2, 0.1), which has an inverse",
        ClaimedModel(instance(), middle(each)),
        each,
        checks=said,
    )
_declare(
    ClaimedModel(instance(), weights_of_moments),
    "first tasks have the stationary distribution (1/3, 1/3, 1/3)",
    ClaimedModel(instance(first=THIRD), weights_of_moments),
    weights_of_moments,
    checks={
        "text-third-view.weights/stationary": "The weights of M_2 are the stationary distribution"
    },
)
_declare(
    ClaimedModel(instance(), of_covariances),
    "no means are subtracted: second moments in place of covariances",
    ClaimedModel(instance(), uncentred),
    uncentred,
    checks={
        "text-covariance-matrices.uncentred/covariances": "The covariances have rank k",
        "text-eigenvalues-of-covariances.eigenvalues/centred": (
            "The k-th eigenvalue of a covariance between views is positive"
        ),
    },
)
_declare(
    ClaimedModel(instance(), symmetric_moment),
    "a symmetric T (1/2 on the diagonal, 1/4 elsewhere) and its stationary distribution",
    ClaimedModel(_reversible(), symmetric_moment),
    uncentred,
    checks={
        "text-eigenvalues-of-covariances.eigenvalues/symmetric": (
            "The matrices between views are symmetric, as covariances are"
        )
    },
)
for unlearnable, what in (
    (independent_tasks(), "independent tasks"),
    (instance(SINGULAR), "the singular one"),
):
    _declare(
        ClaimedModel(unlearnable, uncentred),
        f"the chain (0.7, 0.2, 0.1) in place of {what}",
        ClaimedModel(instance(), uncentred),
        uncentred,
        part_of=("algorithm-3.estimates/unlearnable",),
        in_scope=instance(),
    )


# Which tasks the triples of one long sequence start in (erratum E26).
#
# Disjoint triples of a three-cycle all start in the same task, although the stationary distribution
# is uniform; overlapping triples start everywhere.


def on_a_cycle(T: Matrix, start: int) -> ExactHMM:
    """Tasks of which number j pays u_j or u_1 with probability one half each, from one start."""
    k = len(T)
    half = Fraction(1, 2)
    laws = [tuple(half * int(i == 0) + half * int(i == j) for i in range(k)) for j in range(k)]
    first = tuple(Fraction(int(j == start)) for j in range(k))
    return ExactHMM(exact.reward_columns(laws), T, first)


def three_cycle(start: int = 0) -> ExactHMM:
    """Task 1, 2, 3, 1, 2, 3, …"""
    return on_a_cycle(cycle(3), start)


def rank_of_limit(hmm: ExactHMM, gap: int) -> Evaluation:
    """Σ_31 averaged over all triples, one every `gap` tasks, has rank k; T is a cycle.

    The first tasks of the triples repeat after lcm(k, gap)/gap triples, so that one round is the
    limit.
    """
    return _rank(hmm, ExactHMM(hmm.O, hmm.T, _mean_first(hmm, gap)))


def _mean_first(hmm: ExactHMM, gap: int) -> Vector:
    return exact.mean_distribution(hmm.T, hmm.first, count=lcm(hmm.k, gap) // gap, gap=gap)


def rank_with_enough_visits(hmm: ExactHMM, gap: int) -> Evaluation:
    """Repaired: the same where T is invertible and triples begin in every task."""
    told = rank_of_limit(hmm, gap)
    visited = sum(weight > 0 for weight in _mean_first(hmm, gap))
    return Evaluation(
        (
            *told.premises,
            Statement("rank T", exact.rank(hmm.T), "=", hmm.k),
            Statement("tasks in which triples begin", visited, "=", hmm.k),
        ),
        told.conclusion,
    )


def rank_in_the_long_run(hmm: ExactHMM) -> Evaluation:
    """The same for a chain that forgets its start: first views have the stationary distribution."""
    omega = exact.stationary(hmm.T)
    if omega is None:
        raise ValueError("more than one stationary distribution")
    invertible = Statement("rank T", exact.rank(hmm.T), "=", hmm.k)
    evaluation = _rank(hmm, ExactHMM(hmm.O, hmm.T, omega))
    return Evaluation((*evaluation.premises, invertible), evaluation.conclusion)


def _rank(hmm: ExactHMM, average: ExactHMM) -> Evaluation:
    return Evaluation(
        premises=premises(hmm, PRINTED),
        conclusion=Statement(
            "rank of Σ_31 in the limit", exact.rank(exact.second_moment(average, 3, 1)), "=", hmm.k
        ),
    )


# What the instance shows


@dataclass(frozen=True)
class Triples:
    """A model, and after how many tasks the next triple begins."""

    hmm: ExactHMM
    gap: int = 3


def _visits_numbers(hmm: ExactHMM) -> Numbers:
    return (
        ("columns of O: probabilities of the rewards, and of the one next state", hmm.columns),
        ("T[i][j], the probability of task i after task j", hmm.T),
        ("distribution of the first task", hmm.first),
        ("triples", "tasks 1-3, 4-6, 7-9, …"),
    )


def _uniform_start() -> ExactHMM:
    return replace(three_cycle(), first=exact.vector(("1/3", "1/3", "1/3")))


def _still() -> ExactHMM:
    return on_a_cycle(exact.identity(3), 0)


RANK_O, WEIGHT = "rank O against the number of tasks", "least stationary weight"

declare(
    check="text-moments-from-samples.consistent/three-cycle",
    says="Averages over disjoint triples have rank k in the limit",
    also={
        "text-perfect-models-in-the-limit.consistency/one-task": (
            "Averages over disjoint triples of a cycle of three tasks have rank k in the limit"
        )
    },
    instance=Triples(three_cycle()),
    evaluate=lambda triples: rank_of_limit(triples.hmm, triples.gap),
    numbers=lambda triples: _visits_numbers(triples.hmm),
    fix="overlapping triples: one begins with every task",
    fixed=Triples(three_cycle(), gap=1),
    broken={RANK_O: Triples(same_column_twice(three_cycle())), WEIGHT: Triples(_still())},
    repaired=lambda triples: rank_with_enough_visits(triples.hmm, triples.gap),
    in_scope=Triples(on_a_cycle(cycle(4), 2)),
)
declare(
    part_of=("algorithm-3.estimates/unlearnable",),
    instance=three_cycle(),
    evaluate=lambda case: uncentred(case, Version.PRINTED),
    fix="first tasks are uniform, as they are for overlapping triples",
    fixed=_uniform_start(),
    broken={RANK_O: same_column_twice(three_cycle()), WEIGHT: _still()},
    repaired=lambda case: uncentred(case, Version.REPAIRED),
    in_scope=_uniform_start(),
    numbers=_visits_numbers,
)
