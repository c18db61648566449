"""Against bounds on what Algorithm 3 learns (errata E28, E30)."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import permutations, product
from typing import TypeAlias

import numpy as np

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Matrix, Vector
from ptum.checks.exact.intervals import Between, compared, enclosed, exceeds, log, root, shortened
from ptum.checks.exact.mass import binomial_probability
from ptum.checks.exact.mdp import inner
from ptum.checks.exact.numbers import min_of
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared.triples import mean
from ptum.checks.instances.families.hmms import sticky
from ptum.checks.verdicts import formulas, proof_bounds
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import (
    Evaluation,
    Formed,
    Outcome,
    Statement,
    formula_lines,
    not_met,
)
from ptum.checks.verdicts.probability_search import TrialResult, judge_named, one_by_one, within
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential import spectral as repaired
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
    learn_hmm,
)
from ptum.spec.vocabulary import Version

# Full pseudo-inverses of estimated moments, on a chain that Algorithm 3 can learn (erratum E28).
#
# One state, two arms, two tasks; the task stays with probability 3/4. Arm 1 pays the number of the
# task, arm 2 is a fair coin in both tasks, and each arm is pulled once per task. So an observation
# is E e_θ + ξ n with n = (0, 0, 1, -1, 0, 0) orthogonal to the columns of E = O and ξ = ±1/2: along
# n there is noise and nothing else. The moments between views are zero there, their estimates D̂
# are not, and the full pseudo-inverse divides by D̂ (docs/sequential_limits.md).

SpectralResult: TypeAlias = HmmEstimate | NotIdentifiable | NotEnoughData
LearnFunction: TypeAlias = Callable[[Floats, int, int, int, np.random.Generator], SpectralResult]

S, A, U, K = 1, 2, 2, 2
HALF, STAY, STICKIER = Fraction(1, 2), Fraction(3, 4), Fraction(9, 10)
O: Matrix = exact.matrix(((1, 0), (0, 1), ("1/2", "1/2"), ("1/2", "1/2"), (1, 1), (1, 1)))
"""Rewards 0 and 1 of arm 1, of arm 2, and the one next state of each arm."""
NOISE: Vector = exact.vector((0, 0, 1, -1, 0, 0))
ALPHA = 1e-4
RHO_4 = 10.0
"""A constant that rank-k pseudo-inverses keep with room: none of 1000 runs came to half of it."""
HEAVY_TAILS_DELTA_PRIME = 0.1
TASKS = 3000
RESTARTS, STEPS = 8, 20


# Runs


def observations(rng: np.random.Generator, h: int, stay: Fraction = STAY) -> Floats:
    """h tasks of the chain, one sample of each arm in each."""
    theta = (rng.integers(2) + np.cumsum(rng.random(h) >= float(stay))) % 2
    o = np.ones((h, len(O)))
    o[:, :4] = 0.0
    o[np.arange(h), theta] = 1.0
    o[np.arange(h), 2 + rng.integers(2, size=h)] = 1.0
    return o


def error(learned: SpectralResult) -> float | None:
    """The largest column error of Ô up to the order of the tasks; None where there is no Ô."""
    if not isinstance(learned, HmmEstimate):
        return None
    orders = permutations(range(K))
    true = exact.as_floats(O)
    return min_of(float(np.linalg.norm(learned.O[:, p] - true, axis=0).max()) for p in orders)


def error_of_run(learner: LearnFunction, rng: np.random.Generator, h: int) -> dict[str, float]:
    """One run of h tasks; no estimate is an infinite error."""
    found = error(learner(observations(rng, h), K, RESTARTS, STEPS, rng))
    return {"O": math.inf if found is None else found}


def allowed() -> float:
    """ρ_4 √(log(6d/δ')/h) for the declared numbers."""
    return RHO_4 * math.sqrt(math.log(6 * len(O) / HEAVY_TAILS_DELTA_PRIME) / TASKS)


def columns_within_bound(
    context: Context, learner: LearnFunction = learn_hmm, stay: Fraction = STAY
) -> Outcome:
    """P(a column of Ô is farther off than Lemma 11 allows) ≤ δ'; runs without Ô do not count."""
    bound = allowed()

    def trial(learn: LearnFunction, rng: np.random.Generator) -> TrialResult:
        found = error(learn(observations(rng, TASKS, stay), K, RESTARTS, STEPS, rng))
        return TrialResult(False) if found is None else within(found / bound)

    sizes = (("S", S), ("A", A), ("U", U), ("h", TASKS))
    values = (*sizes, ("rho_4", RHO_4), ("delta_prime", HEAVY_TAILS_DELTA_PRIME))
    return judge_named(
        context,
        one_by_one(
            trial,
            HEAVY_TAILS_DELTA_PRIME,
            lambda _: formula_lines(formulas.APPENDIX_D + "LEMMA_11", values),
        ),
        {f"a column of Ô off by more than {bound:.3g}": learner},
        context.count(220, 400, 2000),
        ALPHA,
    )


def measured_tail(
    learner: LearnFunction, h: int, runs: int, levels: tuple[float, ...]
) -> tuple[float, tuple[float, ...], float]:
    """Median error, shares of runs with √h error above each level, share without an estimate.

    Run r has the seed (h, r). What docs/sequential_limits.md shows.
    """
    found = []
    for run in range(runs):
        rng = np.random.default_rng((h, run))
        found.append(error_of_run(learner, rng, h)["O"])
    errors = np.array(found)
    seen = errors[np.isfinite(errors)]
    above = tuple(float(np.sum(math.sqrt(h) * seen > level)) / runs for level in levels)
    return float(np.median(seen)), above, 1 - len(seen) / runs


@cache
def judged(learner: LearnFunction, stay: Fraction = STAY) -> Outcome:
    """Enough runs to tell 0 from δ': fewer than those of the check, so as to be shown at once."""
    runs = 125 if learner is learn_hmm else 95
    return columns_within_bound(Context(Profile.QUICK, seed=0, most=runs), learner, stay)


# One table of triples


def table(agreeing: int) -> tuple[Matrix, Matrix]:
    """First and third views of 1600 triples, as frequent as the chain says.

    500 triples have task 1 first and third, as many task 2, and 300 each way change it. In every
    such group both coins show 0 in a quarter of the triples, but in the first group `agreeing` of
    500 show 0 and as many show 1 in both views; 125 would be a quarter.
    """
    rows: tuple[list[Vector], list[Vector]] = ([], [])
    for first, third in product(range(2), repeat=2):
        size = 500 if first == third else 300
        same = agreeing if (first, third) == (0, 0) else size // 4
        for coin_1, coin_3 in product(range(2), repeat=2):
            times = same if coin_1 == coin_3 else size // 2 - same
            rows[0].extend([_observation(first, coin_1)] * times)
            rows[1].extend([_observation(third, coin_3)] * times)
    return tuple(rows[0]), tuple(rows[1])


def _observation(theta: int, coin: int) -> Vector:
    shift = HALF - coin
    return tuple(x + shift * y for x, y in zip(exact.column(O, theta), NOISE, strict=True))


@cache
def second_moments(agreeing: int) -> tuple[Matrix, Matrix]:
    """Σ_31 of the chain, and Σ̂_31 of the table."""
    two_steps = exact.times(*(sticky(STAY),) * 2)
    joint = exact.scaled(HALF, two_steps)
    o_1, o_3 = table(agreeing)
    return exact.times(O, joint, exact.transpose(O)), mean(o_3, o_1)


def least_value(Sigma: Matrix) -> Fraction:
    """σ_2(Σ_31) = 1/8, which belongs to v = (1, -1, 0, 0, 0, 0)."""
    v = exact.vector((1, -1, 0, 0, 0, 0))
    value = exact.applied(Sigma, v)[0]
    if exact.applied(Sigma, v) != tuple(value * x for x in v):
        raise AssertionError("v is no singular vector")
    return value


def noise_value(Sigma: Matrix, Sigma_hat: Matrix) -> Fraction:
    """Σ̂_31 - Σ_31 = c n nᵀ and Σ_31 n = 0: the singular value |c|‖n‖² that only Σ̂_31 has."""
    change = exact.minus(Sigma_hat, Sigma)
    c = change[2][2]
    if change != exact.scaled(c, exact.outer(NOISE, NOISE)) or any(exact.applied(Sigma, NOISE)):
        raise AssertionError("the estimate is off elsewhere than along n")
    return abs(c) * exact.squared_norm(NOISE)


def inverse_norm_evaluation(agreeing: int = 126, *, rank_k: bool = False) -> Evaluation:
    """‖Σ̂_31†‖ ≤ 2/σ_k(Σ_31) where ‖Σ̂_31 - Σ_31‖ ≤ σ_k(Σ_31)/2.

    With `rank_k` the pseudo-inverse is that of the best approximation of rank k = 2, Σ_31 itself.
    """
    Sigma, Sigma_hat = second_moments(agreeing)
    sigma_k, off = least_value(Sigma), noise_value(Sigma, Sigma_hat)
    smallest = sigma_k if rank_k or off == 0 else min(sigma_k, off)
    return Evaluation(
        (Statement("‖Σ̂_31 - Σ_31‖/σ_k(Σ_31)", off / sigma_k, "≤", HALF),),
        Statement(
            "‖Σ̂_31†‖ against 2/σ_k(Σ_31)",
            1 / smallest,
            "≤",
            proof_bounds.printed_inverse_norm(sigma_k),
            formulas.APPENDIX_D + "INVERSE_NORM",
            (("lambda_min_Sigma_31", sigma_k),),
        ),
    )


# What the cases show


@dataclass(frozen=True)
class AgreeingTriples:
    """How many triples agree, and whether the pseudo-inverse is of rank k."""

    agreeing: int = 126
    rank_k: bool = False


@dataclass(frozen=True)
class Runs:
    """Who learns, and how sticky the chain is."""

    learner: LearnFunction = learn_hmm
    stay: Fraction = STAY


def numbers_of_table(case: AgreeingTriples) -> Numbers:
    """The table of triples and what follows from it."""
    agreeing = case.agreeing
    Sigma, Sigma_hat = second_moments(agreeing)
    return (
        *_chain_numbers(STAY),
        ("triples with tasks (1,1), (1,2), (2,1), (2,2) first and third", (500, 300, 300, 500)),
        ("first group: triples with both coins 0, both 1, different", _coins(agreeing)),
        ("every other group", "a quarter, a quarter, half"),
        ("σ_2(Σ_31)", least_value(Sigma)),
        ("third singular value of Σ̂_31, which Σ_31 has not", noise_value(Sigma, Sigma_hat)),
    )


def _coins(agreeing: int) -> tuple[int, int, int]:
    return agreeing, agreeing, 500 - 2 * agreeing


def _chain_numbers(stay: Fraction) -> Numbers:
    return (
        ("rewards", "arm 1 pays 0 in task 1 and 1 in task 2, arm 2 is a fair coin in both"),
        ("S, A, U, k", (S, A, U, K)),
        ("T, column θ' to row θ", sticky(stay)),
        ("samples of each arm per task", 1),
    )


declare(
    check="lemma-11.inverse-norm/one-coin",
    says="1600 triples with ‖Σ̂_31 - Σ_31‖ = σ_k/100 keep ‖Σ̂_31^†‖ ≤ 2/σ_k",
    instance=AgreeingTriples(),
    evaluate=lambda case: inverse_norm_evaluation(case.agreeing, rank_k=case.rank_k),
    numbers=numbers_of_table,
    fix="the pseudo-inverse of the best approximation of rank k",
    fixed=AgreeingTriples(rank_k=True),
    broken={"‖Σ̂_31 - Σ_31‖/σ_k(Σ_31)": AgreeingTriples(250)},
    repaired=lambda case: inverse_norm_evaluation(case.agreeing, rank_k=True),
    in_scope=AgreeingTriples(150),
)
declare(
    part_of=("lemma-11.bound/heavy-tail",),
    instance=Runs(),
    evaluate=lambda runs: judged(runs.learner, runs.stay),
    numbers=lambda runs: (
        *_chain_numbers(runs.stay),
        ("h", TASKS),
        ("ρ_4", Fraction(RHO_4)),
        ("δ'", Fraction(1, 10)),
    ),
    fix="pseudo-inverses of the best approximations of rank k",
    fixed=Runs(repaired.learn_hmm),
    repaired=lambda runs: judged(repaired.learn_hmm, runs.stay),
    in_scope=Runs(stay=STICKIER),
    inexact="the claim bounds the probability of an error; the estimates come from the power "
    "method on random samples, and their distribution is not a finite sum; shown are fewer "
    "runs than the check makes, enough to decide",
)


# Equation 8 without scale and mixing (erratum E30): two tasks that differ in every entry.
#
# Three states, two actions: task 1 always pays the first reward and leads to the first state, task
# 2 the second ones. Tasks are kept with probability 3/5, and 600 of them are seen, with one sample
# per pair. The columns of O are orthogonal and of squared length 2SA, so the error of Σ̂_21 is 2SA
# times that of the 2×2 table of frequencies of (θ_1, θ_2) over the triples.
#
# Along (1,-1)/√2 that table is off by the share of kept tasks minus 3/5, and kept or not is a toss
# of its own in every triple: a binomial distribution, which bounds the probability of a large error
# from below. From above it is bounded by the mean square (Chebyshev). A check counts trials
# besides.

TWO_CERTAIN_TASKS_DELTA_PRIME = Fraction(1, 10)
ONE, ZERO = Fraction(1), Fraction(0)


@dataclass(frozen=True)
class TwoTasks:
    """Sizes, the probability of keeping the task, and how many tasks are seen; two rewards.

    With one reward or one next state only the tasks agree there; `factor` multiplies the bound.
    """

    S: int = 3
    A: int = 2
    stay: Fraction = Fraction(3, 5)
    h: int = 600
    rewards: int = 2
    states: int = 2
    factor: int = 1

    @property
    def O(self) -> Matrix:  # noqa: E743 - the paper's letter
        """Rewards and next states of every pair, one column per task."""
        paid, reached = _deterministic(2, self.rewards), _deterministic(self.S, self.states)
        return (*paid * (self.S * self.A), *reached * (self.S * self.A))

    @property
    def T(self) -> Matrix:
        """Each task is kept, or becomes the other."""
        return sticky(self.stay)

    @property
    def triples(self) -> int:
        """m = ⌊h/3⌋."""
        return self.h // 3

    @property
    def forgetting(self) -> Fraction:
        """λ = 2·stay - 1, with which two copies of the chain approach each other: κ(Tⁿ) = λⁿ."""
        return 2 * self.stay - 1


def _deterministic(size: int, different: int) -> Matrix:
    """Laws on so many outcomes: task j is deterministic of outcome j, or of the first one."""
    outcome = [min(task, different - 1) for task in range(2)]
    return tuple(tuple(ONE if i == sure else ZERO for sure in outcome) for i in range(size))


# The two bounds


def printed_bound(x: TwoTasks) -> Between:
    """√(log(1/δ')/h)."""
    return root(log(1 / TWO_CERTAIN_TASKS_DELTA_PRIME) / x.h)


def repaired_bound(x: TwoTasks) -> Between:
    """(2SA/√m)(√(1+4g) + (1+g)√log(1/δ')), g = Σ κ(T^{3s-2}) = λ/(1-λ³)."""
    g = mixing(x)
    return (
        2
        * x.S
        * x.A
        / root(x.triples)
        * (root(1 + 4 * g) + (1 + g) * root(log(1 / TWO_CERTAIN_TASKS_DELTA_PRIME)))
    )


def mixing(x: TwoTasks) -> Fraction:
    """g."""
    return x.forgetting / (1 - x.forgetting**3)


# Bounds on the probability


def at_least(x: TwoTasks, bound: Between) -> Fraction:
    """P(2SA |share of kept tasks - stay| > bound): the spectral norm is no smaller."""
    m, p = x.triples, x.stay
    return binomial_probability(
        m, p, lambda kept: exceeds(2 * x.S * x.A * abs(Fraction(kept, m) - p), bound)
    )


def at_most(x: TwoTasks, bound: Between) -> Between:
    """E‖Σ̂_21 - Σ_21‖_F²/bound², at most 1; the spectral norm is no larger than Frobenius'.

    The frequencies of the four pairs have variances p(1-p)/m, p being stay/2 or (1-stay)/2, and
    triples at lag s add λ^{3s}/m² to the mean square, in all at most λ³/(1-λ³)/m.
    """
    pairs = 1 - (x.stay**2 + (1 - x.stay) ** 2) / 2
    cube = x.forgetting**3
    mean_square = (2 * x.S * x.A) ** 2 * (pairs + cube / (1 - cube)) / x.triples
    return enclosed(mean_square) / (bound * bound)


def probability(x: TwoTasks, bound: Between) -> Between:
    """Between both, for a chain that forgets its start."""
    return Between(at_least(x, bound), min(at_most(x, bound).high, ONE))


# The claim


def premises(x: TwoTasks) -> tuple[Statement, ...]:
    """Assumption 2, also as repaired; and what makes the distribution a binomial one."""
    first, second = exact.transpose(x.O)
    return (
        Statement("rank O", exact.rank(x.O), "=", 2),
        Statement("rank T", exact.rank(x.T), "=", 2),
        Statement("least stationary weight", exact.least_stationary_weight(x.T), ">", 0),
        Statement("inner product of the two columns of O", inner(first, second), "=", 0),
    )


def evaluation(x: TwoTasks, version: Version = Version.PRINTED) -> Evaluation:
    """P(‖Σ̂_21 - Σ_21‖ > bound) ≤ δ'; `x.factor` multiplies the bound."""
    factor = x.factor
    stated, before = premises(x), "" if factor == 1 else f"{factor} times "
    if not all(premise.holds for premise in stated):
        return not_met(stated)
    bound = (printed_bound if version is Version.PRINTED else repaired_bound)(x) * factor
    found = probability(x, bound)
    which = "at least" if found.low > TWO_CERTAIN_TASKS_DELTA_PRIME else "at most"
    return Evaluation(
        stated,
        Statement(
            f"P(the error of Σ̂_21 exceeds {before}the bound, {float(bound):.4g}), {which}",
            *compared(found, "≤", TWO_CERTAIN_TASKS_DELTA_PRIME),
            *_formula(x, version),
        ),
    )


def _formula(x: TwoTasks, version: Version) -> Formed:
    if version is Version.PRINTED:
        return formulas.APPENDIX_D + "EQUATION_8", (
            ("h", x.h),
            ("delta_prime", TWO_CERTAIN_TASKS_DELTA_PRIME),
        )
    sizes = (("S", x.S), ("A", x.A), ("n_triples", x.triples))
    values = (*sizes, ("g_mix", mixing(x)), ("delta_prime", TWO_CERTAIN_TASKS_DELTA_PRIME))
    return formulas.APPENDIX_D + "EQUATION_8_REPAIRED", values


def numbers(x: TwoTasks) -> Numbers:
    """Tasks, chain and bounds."""
    return (
        ("S, A, U", (x.S, x.A, 2)),
        ("O, one column per task", x.O),
        ("T, column θ' to row θ", x.T),
        ("distribution of the first task", (Fraction(1, 2), Fraction(1, 2))),
        ("h, and triples m", (x.h, x.triples)),
        ("δ'", TWO_CERTAIN_TASKS_DELTA_PRIME),
        ("2SA, the squared length of a column", 2 * x.S * x.A),
        ("bound as printed", shortened(printed_bound(x))),
        ("bound as repaired", shortened(repaired_bound(x))),
    )


DETERMINISTIC = TwoTasks()
SLOWER = TwoTasks(S=2, A=1, stay=Fraction(9, 10), h=300)

declare(
    part_of=("equation-8.bound/two-tasks",),
    instance=DETERMINISTIC,
    evaluate=evaluation,
    numbers=numbers,
    fix="the bound times 40, more than the size 2SA = 12 of an observation and √3",
    fixed=replace(DETERMINISTIC, factor=40),
    broken={
        "rank O": replace(DETERMINISTIC, rewards=1, states=1),
        "rank T": replace(DETERMINISTIC, stay=Fraction(1, 2)),
        "least stationary weight": replace(DETERMINISTIC, stay=ONE),
        "inner product of the two columns of O": replace(DETERMINISTIC, states=1),
    },
    repaired=partial(evaluation, version=Version.REPAIRED),
    in_scope=SLOWER,
)
