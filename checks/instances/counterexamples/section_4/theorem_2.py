"""Against Theorem 2: its constants, and its first task (errata E33, E34, E46)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact import mdp
from ptum.checks.exact.comparison import Comparison
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix, Vector
from ptum.checks.exact.intervals import PI, Between, compared, enclosed, exceeds, log, root
from ptum.checks.exact.numbers import is_above, max_of
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared import triples
from ptum.checks.instances.counterexamples.shared.shown import meant
from ptum.checks.instances.families import hmms
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.repaired.sequential.spectral import learn_within_task
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import theorem_2_bound
from ptum.reference.sequential.analysis.spectral_bounds import rho_4
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.reference.transfer.stopping import enters_transfer_mode
from ptum.spec import ledger

# The constants of Theorem 2: a logarithm short, and how many tasks they ask for (E33, E46).

CONSTANTS = ("RHO_3", "RHO_4", "RHO_5", "RHO_6")
OF_THE_MODEL = frozenset(
    {"S", "A", "U", "k", "lambda_max_Sigma_21", "lambda_min_Sigma_31", "sigma_k_O"}
)
"""Symbols that stand for numbers of the tasks and their chain."""


IMPORTED = frozenset({"rho_1", "rho_2"})
"""The constants of Lemma 10, which is quoted without them."""


def without_expression(
    imported: frozenset[str] = frozenset(), names: tuple[str, ...] = CONSTANTS
) -> frozenset[str]:
    """Constants that the formulas of Appendix D use and no formula of it gives."""
    used: set[str] = set()
    for name in names:
        used |= ledger.formula(f"ptum.spec.formulas.appendix_d:{name}").symbols()
    given = {name.lower() for name in CONSTANTS}
    return frozenset(used - OF_THE_MODEL - given - imported)


def full_expressions(
    imported: frozenset[str] = frozenset(), names: tuple[str, ...] = CONSTANTS
) -> Evaluation:
    """Every constant is given, those apart that are said to be imported."""
    missing = without_expression(imported, names)
    text = "constants without an expression" + (
        f" ({', '.join(sorted(missing))})" if missing else ""
    )
    return Evaluation((), Statement(text, len(missing), "=", 0))


def share_cited(names: tuple[str, ...]) -> Statement:
    """How many of the symbols in these formulas are cited and not given."""
    used: set[str] = set()
    for name in names:
        used |= ledger.formula(f"ptum.spec.formulas.appendix_d:{name}").symbols()
    return Statement("cited symbols against all", len(used & IMPORTED), "<", len(used))


ROOM = 10**12
"""Doubles are off by less than this part of a number."""
EVEN = (Fraction(1, 2), Fraction(1, 2))


def coins(gap: Fraction, stay: Fraction = Fraction(3, 4), first: Vector = EVEN) -> ExactHMM:
    """Two coins of rates 1/2 ± gap on a chain that stays with the given chance."""
    rates = (EVEN[0] + gap, EVEN[0] - gap)
    return ExactHMM(exact.coin_columns(rates), hmms.sticky(stay), first)


def constant_of(hmm: ExactHMM) -> float:
    """ρ_4 with ρ_2 = 0, its least value, and λ_min read as the k-th singular value."""
    Sigma_21, Sigma_31 = (
        np.linalg.svd(exact.as_floats(exact.second_moment(hmm, i, 1)), compute_uv=False)
        for i in (2, 3)
    )
    return rho_4(
        rho_2=0.0,
        S=1,
        A=1,
        lambda_max_Sigma_21=float(Sigma_21[0]),
        lambda_min_Sigma_31=float(Sigma_31[hmm.k - 1]),
    )


def inverse_constant(hmm: ExactHMM) -> Between:
    """1/ρ_4 with ρ_2 = 0: σ_2(Σ_31)/(4SA(1 + 2λ_max(Σ_21))), which may be zero."""
    (_, least), (most, _) = (two_singular_values(exact.second_moment(hmm, i, 1)) for i in (3, 2))
    found = least / (4 * (1 + 2 * most))
    literal = constant_of(hmm)
    # singular values are off by 10d roundings of the largest, d = 3, the quotient by ten of itself
    nearly = (30 * max_of((1, float(most / least))) + 10) * ROUNDING if found.low > 0 else 0.0
    if found.low > 0 and is_above(abs(float(found) * literal - 1), nearly):
        raise AssertionError(f"the literal constant is {literal}, not {1 / float(found)}")
    return found


def two_singular_values(M: Matrix) -> tuple[Between, Between]:
    """Of a matrix of rank at most 2: their squares solve x² - ax + b = 0.

    a is the trace of M Mᵀ, and b the sum of its principal minors of size 2.
    """
    G = exact.times(M, exact.transpose(M))
    if exact.rank(M) > 2:
        raise ValueError("more than two singular values")
    places = range(len(G))
    a = sum((G[i][i] for i in places), Fraction(0))
    b = sum(
        (G[i][i] * G[j][j] - G[i][j] ** 2 for i in places for j in places if i < j), Fraction(0)
    )
    larger = (a + root(a**2 - 4 * b)) / 2
    return root(larger), root(enclosed(b) / larger)


def assumption_2(hmm: ExactHMM) -> tuple[Statement, ...]:
    """Independent tasks, all of them met; and an invertible chain besides."""
    return (
        Statement("rank O", exact.rank(hmm.O), "=", 2),
        Statement("rank T", exact.rank(hmm.T), "=", 2),
        Statement("least first weight", min(hmm.first), ">", 0),
    )


def enough_by_hypothesis(rho: Fraction, hmm: ExactHMM) -> Evaluation:
    """Where ρ is assumed to be large enough, Theorem 2 allows no more than ρ √(log c_h/h).

    At h = 1000 and δ' = 1/10, in rational arithmetic; both sides are divided by ρ and the constant.
    """
    own = inverse_constant(hmm)
    rate = root(log(PI * PI * (1000**2 * 3) * 10) / 1000)
    return Evaluation(
        (
            *assumption_2(hmm),
            Statement("hypothesis on ρ: 1/ρ against 1/constant", *compared(1 / rho, "≤", own)),
        ),
        Statement(
            "bound at h = 1000 over ρ times the constant, with the constant of the model, with ρ",
            *compared(rate / rho, "≤", rate * own),
        ),
    )


def as_hypothesis(rho: float, hmm: ExactHMM) -> Evaluation:
    """Where ρ is assumed to be large enough, Theorem 2 allows no more than ρ √(log c_h/h)."""
    own = constant_of(hmm)
    bounds = [
        theorem_2_bound(Level(S=1, A=1, U=2, h=1000, delta_prime=0.1), rho_any=each)
        for each in (own, rho)
    ]
    return Evaluation(
        (
            *assumption_2(hmm),
            Statement("hypothesis on ρ: constant of the model against ρ", own, "≤", rho),
        ),
        Statement(
            "bound at h = 1000 with the constant of the model, with ρ",
            *_at_most(bounds),
            formulas.SEQUENTIAL + "THEOREM_2",
            (
                *(("S", 1), ("A", 1), ("U", 2), ("h", 1000)),
                *(("delta_prime", 0.1), ("rho_any", rho)),
            ),
        ),
    )


def _at_most(pair: list[float]) -> tuple[float, Comparison, float]:
    return pair[0], "≤", pair[1]


GAMMA = 0.5


def tasks_needed(epsilon: float) -> int:
    """The least h at which ρ√(log c_h/h), ρ = 1, lets PTUM into transfer mode; d = 16, δ' = 0.1.

    Not to be asked for ε = 0, which no error enters.
    """
    low, high = 1, 1
    while not _admitted(high, epsilon):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _admitted(middle, epsilon) else (middle, high)
    return high


def _admitted(h: int, epsilon: float) -> bool:
    Delta = theorem_2_bound(Level(S=2, A=2, U=2, h=h, delta_prime=0.1), rho_any=1.0)
    return enters_transfer_mode(Delta, epsilon, GAMMA)


def exactly_admitted(h: int, epsilon: Fraction) -> bool:
    """√(log c_h/h) < (1-γ)ε/(4(1+γ)) at γ = 1/2, c_h = π²h²d/δ': `_admitted` without rounding."""
    threshold = mdp.transfer_threshold(epsilon, Fraction(1, 2), mdp.PRINTED_FACTOR)
    return not exceeds(log(PI * PI * (h**2 * 16 * 10)) / h, threshold**2)


def least_tasks(epsilon: Fraction) -> int:
    """`tasks_needed` in rational arithmetic; the literal number must agree up to its rounding."""
    literal = tasks_needed(float(epsilon))
    low, high = literal - literal // ROOM - 1, literal + literal // ROOM
    if not exactly_admitted(high, epsilon) or exactly_admitted(low, epsilon):
        raise AssertionError(f"the least number of tasks at ε = {epsilon} is far from {literal}")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if exactly_admitted(middle, epsilon) else (middle, high)
    return high


def small_enough(C: float) -> Fraction:
    """A power of ten for which C/ε² tasks are too few, whatever C is."""
    epsilon = Fraction(1)
    while tasks_needed(float(epsilon)) * epsilon**2 <= C and epsilon > Fraction(1, 10**60):
        epsilon /= 10
    return epsilon


def of_order_epsilon_squared(C: float, epsilon: Fraction) -> Evaluation:
    """h(ε) ≤ C/ε²."""
    needed = least_tasks(epsilon) * epsilon**2 if epsilon > 0 else Fraction(0)
    return Evaluation(
        (Statement("ε", epsilon, ">", 0),),
        Statement(f"h(ε)·ε² at ε = {float(epsilon):.0e}", *compared(needed, "≤", Fraction(C))),
    )


def with_logarithm(epsilon: float) -> Evaluation:
    """h(ε) ≤ 2a(log(π²d/δ') + 2 log(4a)) + 1 with a = (4(1+γ)/((1-γ)ε))², so Õ(1/ε²).

    For h = 2a(c + 2 log 4a), c ≥ 1, a ≥ 1: h > a(c + 2 log h), since log h ≤ log 4a + log(c/2 +
    log 4a) and 2 log(c/2 + x) ≤ c + 2x.
    """
    a = (4 * (1 + GAMMA) / ((1 - GAMMA) * epsilon)) ** 2
    bound = 2 * a * (math.log(math.pi**2 * 16 / 0.1) + 2 * math.log(4 * a)) + 1
    return Evaluation(
        (Statement("ε", epsilon, ">", 0),),
        Statement("tasks needed", tasks_needed(epsilon), "≤", bound),
    )


def exactly_with_logarithm(epsilon: Fraction) -> Evaluation:
    """The same in rational arithmetic."""
    gamma = Fraction(1, 2)
    a = (4 * (1 + gamma) / ((1 - gamma) * epsilon)) ** 2
    bound = 2 * a * (log(PI * PI * (16 * 10)) + 2 * log(4 * a)) + 1
    return Evaluation(
        (Statement("ε", epsilon, ">", 0),),
        Statement("tasks needed", *compared(least_tasks(epsilon), "≤", bound)),
    )


EACH_ONCE, SEVEN_SEEN = (0, 1, 2), (0, 0, 2, 1, 1, 0, 2)


def learned_from(views: Floats) -> float:
    """Largest column error of the learner with three views within each task; +inf if it gives up.

    The tasks are those of the three-task chain.
    """
    model = hmms.three_task_chain().hmm
    found = learn_within_task(views, model.k, 20, 100, np.random.default_rng(0))
    if not isinstance(found, HmmEstimate):
        return math.inf
    gaps = np.linalg.norm(found.O[:, :, np.newaxis] - model.O[:, np.newaxis, :], axis=0)
    return float(gaps.min(axis=0).max())


ACCURACY = Fraction(1, 10**6)
TASKS_SEEN = 200
RATES = (Fraction(1, 4), Fraction(3, 4))
LEVEL = Fraction(1, 10)
"""δ'."""


def chance_of_failure(epsilon: Fraction, tasks: int, samples: int) -> Fraction:
    """A bound of P(an error above ε/4) for two coins of rates 1/4 and 3/4 that alternate.

    Tasks are told apart by the side of 1/2 on which their frequency lies, and the flips of each
    coin are put together. By Chebyshev's inequality one of `tasks` frequencies of `samples` flips
    is off by 1/4 with probability tasks·3/samples at most, and one of the two means, of half as
    many tasks each, by ε/4 with probability 2·(3/16)/((tasks/2)·samples·(ε/4)²) at most.
    """
    variance = RATES[0] * (1 - RATES[0])
    confused = tasks * variance / (samples * Fraction(1, 4) ** 2)
    off = 2 * variance / (Fraction(tasks, 2) * samples * (epsilon / 4) ** 2)
    return confused + off


def enough_tasks(c: Fraction, tasks: int, samples: int) -> Evaluation:
    """No method enters the transfer mode with fewer than c/ε² tasks; ε = 10⁻⁶, γ = 0.

    Line 2 then asks for Δ < ε/4. Each task is flipped 1/ε² times, as often as a PAC algorithm must
    up to a constant.
    """
    return Evaluation(
        (
            Statement("samples of a task against 1/ε²", samples, "≤", 1 / ACCURACY**2),
            Statement(
                "P(a rate is off by ε/4), at most",
                *compared(chance_of_failure(ACCURACY, tasks, samples), "≤", LEVEL),
            ),
        ),
        Statement("tasks seen against c/ε²", tasks, "≥", c / ACCURACY**2),
    )


def two_points(N: int, q: int, share: Fraction = Fraction(1, 4)) -> Evaluation:
    """With N samples per pair and task, 1/(4Na²) tasks leave an error of a = 1/q with P > δ' = 0.1.

    The models differ in one coin alone, of rate 1/2 or 1/2 + 2a, and it is flipped N times in every
    task, whose label is known; whatever else is seen has one distribution in both. So every
    estimator is a test of two binomial distributions of hN flips: if their total variation is V it
    is off by a or more in one of the models with probability at least (1-V)/2. `share` stands for
    1/4.
    """
    a = Fraction(1, q)
    h = int(share / (N * a**2))
    return Evaluation(
        (Statement("tasks, 1/(4Na²)", h, "≥", 1),),
        Statement(
            "P(error of at least a) in one of the models",
            *compared((1 - binomial_distance(h * N, 2 * a)) / 2, ">", LEVEL),
        ),
    )


def binomial_distance(n: int, shift: Fraction) -> Fraction:
    """Total variation of n flips of rate 1/2 and of rate 1/2 + shift.

    Their likelihood ratio grows with the number of ones, so the distance is that of one tail.
    """
    rate = Fraction(1, 2) + shift
    r, q = rate.numerator, rate.denominator
    ways, ones_and_zeros = 1, r**n
    fair = shifted = best = 0  # tails from n ones down, in units of 1/(2q)ⁿ
    for ones in range(n, -1, -1):
        fair += ways * q**n
        shifted += ways * ones_and_zeros * 2**n
        best = max(best, shifted - fair)
        ways = ways * ones // (n - ones + 1)
        ones_and_zeros = ones_and_zeros * (q - r) // r
    return Fraction(best, (2 * q) ** n)


def falls_with_samples(seen: tuple[int, ...], few: int, many: int) -> Evaluation:
    """With as many tasks and more samples the error falls like 1/√n; a factor 2 is for chance."""
    model = hmms.three_task_chain()

    def error(n: int) -> float:
        rng = np.random.default_rng(0)
        views = [
            hmms.observations(rng, model.hmm.O, np.array(seen), model.sizes, n) for _ in range(3)
        ]
        return learned_from(np.stack(views))

    return Evaluation(
        (Statement("different tasks seen", len(set(seen)), "=", model.hmm.k),),
        Statement(
            f"error with {many} samples against 2√({few}/{many}) times that with {few}",
            error(many),
            "≤",
            2 * math.sqrt(few / many) * error(few),
        ),
    )


def floor_matters(error: Fraction, constant: float) -> Evaluation:
    """|σ^r - σ̃^r| ≤ constant·error for a deterministic reward estimated as 1-error, error.

    Squares keep it rational: σ̃² = error(1-error).
    """
    squared = error * (1 - error)
    return Evaluation(
        (Statement("error of the column, largest entry", error, ">", 0),),
        Statement(
            "squared error of σ^r against (constant·error)²",
            squared,
            "≤",
            Fraction(constant) ** 2 * error**2,
        ),
    )


def above_a_floor(
    chance: Fraction, error: Fraction, floor: Fraction = Fraction(1, 10)
) -> Evaluation:
    """|σ^r - σ̃^r| ≤ error/σ̄ for a coin whose deviation is at least σ̄ = `floor`.

    σ̃ + σ ≥ σ̄ and |σ̃² - σ²| ≤ error.
    """
    true, estimated = (root(x * (1 - x)) for x in (chance, chance + error))
    return Evaluation(
        (
            Statement("error of the column, largest entry", error, ">", 0),
            Statement("Assumption 5: true deviation against σ̄", *compared(true, "≥", floor)),
        ),
        Statement(
            "error of σ^r against error/σ̄", *compared(abs(true - estimated), "≤", error / floor)
        ),
    )


@dataclass(frozen=True)
class ClaimedConstant:
    """C in C/ε², and an ε."""

    C: float = 10_000.0
    epsilon: Fraction = Fraction(1, 10**5)


@dataclass(frozen=True)
class FewTasks:
    """c in c/ε², how many tasks are seen, how often each is sampled, and a rate of learning.

    `seen` are the tasks from which models are learned, with few and with many samples.
    """

    c: Fraction = Fraction(1)
    tasks: int = TASKS_SEEN
    samples: int = int(1 / ACCURACY**2)
    seen: tuple[int, ...] = EACH_ONCE
    few: int = 10**4
    many: int = 10**6


@dataclass(frozen=True)
class Coin:
    """The probability of reward 1, by how much it is off, and what is to bound the error of σ^r.

    `constant` does so in units of the error, `floor` is σ̄.
    """

    chance: Fraction = Fraction(0)
    error: Fraction = Fraction(1, 10**6)
    constant: int = 100
    floor: Fraction = Fraction(1, 10)


def numbers_of_distributions(coin: Coin) -> Numbers:
    """The distribution of a coin, and one that is off."""
    true, estimated = ((1 - x, x) for x in (coin.chance, coin.chance + coin.error))
    return (
        ("r of the true coin, rows s, columns a", ((true[1],),)),
        ("r of the estimated coin, rows s, columns a", ((estimated[1],),)),
        ("true distribution of the rewards 0 and 1", true),
        ("estimated distribution", estimated),
        ("constant", coin.constant),
        ("floor σ̄ of the repaired claim", coin.floor),
    )


LARGEST_ERROR = "error of the column, largest entry"

declare(
    check="text-tasks-before-transfer.number/logarithm",
    says="10000/ε² tasks are enough for every ε",
    instance=ClaimedConstant(),
    evaluate=lambda claimed: of_order_epsilon_squared(claimed.C, claimed.epsilon),
    # what decides how many tasks are needed, and how many that are
    numbers=lambda claimed: (
        ("C", Fraction(claimed.C)),
        ("ε", claimed.epsilon),
        ("γ", Fraction(GAMMA)),
        ("ρ", 1),
        ("d", 16),
        ("δ'", Fraction(1, 10)),
        ("least h that enters transfer mode", least_tasks(claimed.epsilon)),
    ),
    fix="C twice as large, at the same ε",
    fixed=ClaimedConstant(20_000.0),
    broken={"ε": ClaimedConstant(epsilon=Fraction(0))},
    repaired=lambda claimed: exactly_with_logarithm(claimed.epsilon),
    in_scope=ClaimedConstant(epsilon=Fraction(1, 4)),
)
declare(
    check="text-tasks-before-transfer.tight/each-task-once",
    says="With 1/ε² samples per task no method enters the transfer mode before 1/ε² tasks",
    instance=FewTasks(),
    evaluate=lambda case: enough_tasks(case.c, case.tasks, case.samples),
    # two coins, and how often they are seen; then the tasks of which models are learned
    numbers=lambda case: (
        ("probabilities of reward 1, task by task", RATES),
        ("T, column θ' to row θ", ((0, 1), (1, 0))),
        ("ε", ACCURACY),
        ("γ", 0),
        ("samples of each task", case.samples),
        ("tasks", case.tasks),
        ("δ'", LEVEL),
        ("repaired: tasks seen", case.seen),
        ("samples of every pair and view, few and many", (case.few, case.many)),
    ),
    fix="200 tasks in place of 1/ε²",
    fixed=FewTasks(TASKS_SEEN * ACCURACY**2),
    broken={
        "samples of a task against 1/ε²": FewTasks(samples=2 * 10**12),
        "P(a rate is off by ε/4), at most": FewTasks(tasks=2),
    },
    repaired=lambda case: falls_with_samples(case.seen, case.few, case.many),
    in_scope=FewTasks(seen=SEVEN_SEEN, few=10**3, many=10**5),
    repair_inexact="the repaired claim is about a rate: errors of models that are learned from "
    "random samples, whose distribution is not a finite sum",
)
declare(
    check="text-rate.rate/no-floor",
    says="The error of σ^r is of the order of the error of the column",
    instance=Coin(),
    evaluate=lambda coin: floor_matters(coin.error, coin.constant),
    numbers=numbers_of_distributions,
    fix="an error of 1/4 in place of 10⁻⁶",
    fixed=Coin(error=Fraction(1, 4)),
    broken={LARGEST_ERROR: Coin(error=Fraction(0))},
    repaired=lambda coin: above_a_floor(coin.chance, coin.error, coin.floor),
    in_scope=Coin(Fraction(1, 4)),
)


# Theorem 2 for every h ≥ 1 (erratum E34): after one task there is no estimate to bound.
#
# Three tasks on an ergodic chain, which satisfy the repaired Assumption 2 as well. The samples of
# every task show each outcome in its exact share, and every task begins a triple of its own.

RHO_3, DELTA_PRIME = 8, Fraction(1, 2)
K, SIZES = 3, hmms.THREE
ORDER = (0, 1, 2, 1, 2, 0, 2, 0, 1)
"""Three triples, which come again and again."""


@dataclass(frozen=True)
class TaskColumns:
    """One row of `columns` per task: its column of O, which is also what its samples show."""

    columns: Matrix
    T: Matrix


def three_tasks() -> TaskColumns:
    """The three tasks on the chain that moves ahead with probability 0.8."""
    hmm = hmms.three_task_chain().hmm
    columns, T = (tuple(tuple(map(meant, row)) for row in M.tolist()) for M in (hmm.O.T, hmm.T))
    return TaskColumns(columns, T)


def evaluation(h: int, given: TaskColumns | None = None) -> Evaluation:
    """After h tasks of an ergodic chain with rank O = k there is an estimate to speak of."""
    tasks = given or three_tasks()
    sequence = tuple(ORDER[step % len(ORDER)] for step in range(h))
    return Evaluation(
        (
            Statement("rank O", exact.rank(tasks.columns), "=", K),
            Statement("rank T", exact.rank(tasks.T), "=", K),
            Statement("h", h, "≥", 1),
        ),
        Statement(
            "estimates exist",
            triples.directions(tasks.columns, sequence) == K,
            "=",
            True,
            formulas.SEQUENTIAL + "THEOREM_2",
            (("S", SIZES.S), ("A", SIZES.A), ("U", SIZES.U), ("h", h)),  # whatever ρ and δ' are
        ),
    )


def admitted_evaluation(h: int) -> Evaluation:
    """Repair: only for h ≥ ρ_3 log(π²h²d/δ'), here with ρ_3 = 8 and δ' = 1/2."""
    found, d = evaluation(h), len(three_tasks().columns[0])
    least = RHO_3 * log(PI * PI * (h**2 * d) / DELTA_PRIME)
    admitted = Statement("h against ρ_3 log(π²h²d/δ')", *compared(h, "≥", least))
    return Evaluation((*found.premises, admitted), found.conclusion)


@dataclass(frozen=True)
class TaskCount:
    """So many tasks; those of `three_tasks` unless others are given."""

    h: int
    tasks: TaskColumns | None = None


def numbers(after: TaskCount) -> Numbers:
    """Tasks and chain."""
    tasks = after.tasks or three_tasks()
    return (
        ("O, one column per task", exact.transpose(tasks.columns)),
        ("T, column θ' to row θ", tasks.T),
        ("distribution of the first task", (Fraction(1, 3),) * 3),
        ("θ*_1, …, θ*_9, which come again and again, with the shares of their columns", ORDER),
        ("h", after.h),
        ("ρ_3", RHO_3),
        ("δ'", DELTA_PRIME),
    )


def _with_twins() -> TaskColumns:
    """The second task is the first again."""
    tasks = three_tasks()
    first, _, third = tasks.columns
    return replace(tasks, columns=(first, first, third))


def _drawn_anew() -> TaskColumns:
    return replace(three_tasks(), T=hmms.independent(exact.vector(("1/3", "1/3", "1/3"))))


declare(
    check="theorem-2.all-h/first-task",
    says="There is an estimate after one task",
    instance=TaskCount(1),
    evaluate=lambda after: evaluation(after.h, after.tasks),
    numbers=numbers,
    fix="h = 27, nine triples, three begun by each task",
    fixed=TaskCount(27),
    broken={
        "rank O": TaskCount(1, _with_twins()),
        "rank T": TaskCount(1, _drawn_anew()),
        "h": TaskCount(0),
    },
    repaired=lambda after: admitted_evaluation(after.h),
    in_scope=TaskCount(300),
)
