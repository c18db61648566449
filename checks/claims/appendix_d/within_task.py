"""Equation 8, Lemmas 11 and 12 for views within a task: the repair that asks nothing of the chain.

W1 of the repaired theory: given the sequence of tasks, means of products of batches are close to
what they should be. W2: how often every task came is seen from M̂_2. W3: what errors of Ô and of
the successive products do to T̂, without chance, and how close frequencies of successors are to T,
at all numbers of visits at once. W4: the same in constants that no realised frequency enters.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.claims.appendix_d.chains import SizedHMM, hmms, one_sample_observations, seeds
from ptum.checks.claims.appendix_d.moved_moments import (
    LARGEST_CONDITION_OF_O,
    SHARES,
    TOLERANCE,
    opposites,
    search_moved,
    singular_value,
    unit_columns,
    unit_matrix,
)
from ptum.checks.claims.appendix_d.runs import three_noisy_tasks
from ptum.checks.exact.hidden_markov import rounded
from ptum.checks.exact.numbers import is_above, max_by, max_of, min_of
from ptum.checks.instances.families.hmms import block_sizes
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Formed, Outcome, Statement, not_met
from ptum.checks.verdicts.probability_search import (
    Effort,
    ProbabilityClaim,
    TrialResult,
    all_at_once,
    named_and_drawn,
)
from ptum.checks.verdicts.probability_search import within as within_bound
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Floats, Ints, above
from ptum.reference.repaired.sequential.analysis import within_task_bounds as within
from ptum.reference.sequential.analysis.conditioning import theorem_2_level
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import c_h
from ptum.reference.sequential.observations import largest_number_of_tasks
from ptum.spec.vocabulary import CheckKind

ALPHA_OF_CHECK = 1e-4
DELTA_PRIME = 0.1

Explained = tuple[str, ...]


def effort(context: Context) -> Effort:
    """Of the searches for sequences and distributions on which a bound fails."""
    return Effort(context.count(12, 120, 1500), 5, context.count(120, 400, 4000))


def with_numbers(formula: str, numbers: str) -> Explained:
    """A bound of the repaired theory in symbols and in numbers, as the ledger writes its own."""
    return f"formula    {formula}", f"numbers    {numbers}"


# W1: moments of batches


@dataclass(frozen=True, eq=False)
class TaskSequence:
    """A sequence of tasks, fixed beforehand, and the distributions of the tasks."""

    name: str
    S: int
    A: int
    U: int
    O: Floats
    tasks: Ints


def fair_coins() -> Floats:
    """One task of two states, one action and two rewards; every distribution is Bernoulli(1/2)."""
    return np.full((8, 1), 0.5)


def sequences(h: int) -> tuple[TaskSequence, ...]:
    """What no view across tasks can learn: one task only, a three-cycle, independent tasks."""
    noisy = three_noisy_tasks().hmm.O
    drawn = np.random.default_rng(0).integers(3, size=h)
    return (
        TaskSequence("one task of fair coins", 2, 1, 2, fair_coins(), np.zeros(h, dtype=np.int64)),
        TaskSequence("a three-cycle", 2, 2, 2, noisy, np.arange(h) % 3),
        TaskSequence("independent tasks", 2, 2, 2, noisy, drawn),
    )


def deviations(
    given: TaskSequence, runs: int, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """ε_2, ε_3 and ε_S of independent runs with one sample per pair and batch."""
    h, tasks = len(given.tasks), np.tile(given.tasks, (runs, 1))
    blocks = block_sizes(given.S, given.A, given.U)
    a, b, c = (one_sample_observations(given.O, blocks, tasks, rng) for _ in range(3))
    f, mu = (a + b + c) / 3, given.O.T[given.tasks]
    squares = sum(np.swapaxes(x, 1, 2) @ x for x in (a, b, c))
    M_2 = (9 * np.swapaxes(f, 1, 2) @ f - squares) / (6 * h)
    M_3 = np.einsum("rli,rlj,rlm->rijm", a, b, c, optimize=True) / h
    moved = np.swapaxes(f[:, 1:], 1, 2) @ f[:, :-1] / (h - 1)
    third = np.einsum("li,lj,lm->ijm", mu, mu, mu) / h
    return (
        lengths(M_2 - mu.T @ mu / h),
        lengths(M_3 - third),
        lengths(moved - mu[1:].T @ mu[:-1] / (h - 1)),
    )


def lengths(arrays: Floats) -> Floats:
    """Frobenius norm of each run's array."""
    norms: Floats = np.linalg.norm(arrays.reshape(len(arrays), -1), axis=1)
    return norms


@st.composite
def drawn_sequences(draw: DrawFn) -> TaskSequence:
    """Any tasks, in a row, in turn, in two halves, or as a fair draw has it."""
    hmm, h = draw(hmms()), draw(st.sampled_from((2, 10, 30)))
    fair = np.random.default_rng(draw(seeds())).integers(hmm.k, size=h)
    steps = np.arange(h)
    tasks = draw(st.sampled_from((fair, 0 * steps, steps % hmm.k, (2 * steps) // h)))
    return TaskSequence("drawn", hmm.S, hmm.A, hmm.U, rounded(hmm).O, tasks)


def within_moments(scale: float) -> ProbabilityClaim[TaskSequence]:
    """P(an error exceeds its bound at δ'/3) ≤ δ' for three errors; bounds `scale` as large."""

    def trials(given: TaskSequence, runs: int, rng: np.random.Generator) -> list[TrialResult]:
        bounds = moment_bounds(given)
        allowed = bounds.epsilon_2, bounds.epsilon_3, bounds.epsilon_S
        pairs = zip(deviations(given, runs, rng), allowed, strict=True)
        largest = np.max([errors / bound / scale for errors, bound in pairs], axis=0)
        return [within_bound(float(ratio)) for ratio in largest]

    return all_at_once(trials, DELTA_PRIME, explain_moments)


def moment_bounds(given: TaskSequence) -> within.MomentDeviation:
    """W1 at δ'/3 for the sizes of a sequence."""
    return within.moment_deviation(S=given.S, A=given.A, h=len(given.tasks), delta=DELTA_PRIME / 3)


def explain_moments(given: TaskSequence) -> Explained:
    """W1 in symbols and in numbers."""
    bounds, h = moment_bounds(given), len(given.tasks)
    B, confidence = f"√(2·{given.S}·{given.A})", f"log(3/{DELTA_PRIME})"
    return (
        *with_numbers(
            "ε_2 ≤ B²(1 + √log(3/δ'))/√h, B = √(2SA)",
            f"{bounds.epsilon_2:.6g} = B²(1 + √{confidence})/√{h}, B = {B}",
        ),
        *with_numbers(
            "ε_3 ≤ B³(1 + √log(3/δ'))/√h", f"{bounds.epsilon_3:.6g} = B³(1 + √{confidence})/√{h}"
        ),
        *with_numbers(
            "ε_S ≤ B²(√3 + 2√log(3/δ'))/√(h-1)",
            f"{bounds.epsilon_S:.6g} = B²(√3 + 2√{confidence})/√({h}-1)",
        ),
    )


@check("equation-8.bound/within-tasks", CheckKind.PROBABILITY, alpha=ALPHA_OF_CHECK)
def moments_of_batches(context: Context, scale: float = 1.0) -> Outcome:
    """Three moments of batches within a task, for chains that do not mix.

    W1 on three sequences of 30 tasks, and on drawn ones.
    """
    return named_and_drawn(
        context,
        within_moments(scale),
        {given.name: given for given in sequences(30)},
        drawn_sequences(),
        effort(context),
        trials=context.count(120, 400, 4000),
        alpha=ALPHA_OF_CHECK,
    )


# W2: how often every task came


@stored
@dataclass(frozen=True)
class TaskVisits:
    """Tasks, how often each of them came, which came last, and ℓ as a multiple of λ_k(M_2).

    ℓ is no more than B², the largest that an eigenvalue can be.
    """

    hmm: SizedHMM
    times: tuple[int, ...]
    last: int
    multiple: float


@st.composite
def visits_of_tasks(draw: DrawFn) -> TaskVisits:
    """Any tasks, as often as you like, in half of the draws orthogonal ones."""
    hmm = draw(st.one_of(hmms(), opposites()))
    often = st.lists(st.integers(0, 9), min_size=hmm.k, max_size=hmm.k)
    times = draw(often.filter(lambda times: sum(times) >= 2))
    met = [j for j, n in enumerate(times) if n]
    multiples = st.sampled_from((1.0, 0.5, 1e-2, 2.0, 100.0))
    return TaskVisits(hmm, tuple(times), draw(st.sampled_from(met)), draw(multiples))


Floor: TypeAlias = Callable[..., float]
"""Of S, A and ℓ."""


def _confirm_gate(case: TaskVisits, lambda_k: float, ell: float) -> None:
    """The literal Lemma 11 for these views asks for λ_k(M̂_2) ≥ 2ℓ, but for rounding; c_1 = ℓ."""
    sizes, h = {"S": case.hmm.S, "A": case.hmm.A}, sum(case.times)
    lemma = within.observation_error_bound(
        **sizes, c_1=ell, c_2=1.0, ell=ell, lambda_k=lambda_k + ell, h=h, delta_prime=DELTA_PRIME
    )
    if is_above(abs(lambda_k - ell), TOLERANCE * ell):
        admitted = lemma.met["2ℓ ≤ λ_k(M̂_2)"]
        witness.same_truth("λ_k(M̂_2) ≥ 2ℓ", admitted, is_above(lambda_k, ell))
    B = math.sqrt(2 * case.hmm.S * case.hmm.A)
    e_h = (B**2 + B**3) * (1 + math.sqrt(math.log(5 / DELTA_PRIME))) / math.sqrt(h)
    witness.same_numbers("e_h", lemma.bound, e_h, FEW_ROUNDINGS * e_h)


def rare_evaluation(case: TaskVisits, w_min: Floor = within.w_min, gate: float = 2.0) -> Evaluation:
    """Where M̂_2 is within ℓ and λ_k(M̂_2) ≥ 2ℓ, every w_j is at least w_min, every ν_j half of it.

    M̂_2 is M_2 + ℓI, which looks best among all matrices within ℓ. The second half is for
    h ≥ 2/w_min. `gate` is in the place of 2.
    """
    O, k = rounded(case.hmm).O, case.hmm.k
    times, h = np.array(case.times), sum(case.times)
    lambda_k = float(np.linalg.eigvalsh((O * times / h) @ O.T)[-k])
    ell = min_of((case.multiple * lambda_k, 2 * case.hmm.S * case.hmm.A))
    premises = (
        Statement("λ_k(M_2)", lambda_k, "≥", LARGEST_CONDITION_OF_O**-2),
        Statement("λ_k(M̂_2) against 2ℓ", lambda_k + ell, "≥", gate * ell * (1 - TOLERANCE)),
    )
    if premises[0].holds:
        _confirm_gate(case, lambda_k, ell)
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    least = w_min(S=case.hmm.S, A=case.hmm.A, ell=ell)
    left = times - (np.arange(k) == case.last)
    ratios = [least * h / int(times.min())]
    if not is_above(2, h * least) and left.min():
        ratios.append(least / 2 * (h - 1) / int(left.min()))
    text = "floors over realised shares of tasks and of steps"
    B = math.sqrt(2 * case.hmm.S * case.hmm.A)
    formed = formulas.APPENDIX_D + "LEAST_WEIGHT", (("B", B), ("ell", ell))
    conclusion = Statement(text, max_of(ratios), "≤", 1 + TOLERANCE, *formed, bound=least)
    return Evaluation(premises, conclusion)


@check("lemma-11.bound/least-weight", CheckKind.INEQUALITY)
def least_weight(context: Context, w_min: Floor = within.w_min, gate: float = 2.0) -> Outcome:
    """λ_k(M̂_2) ≥ 2ℓ keeps the realised shares of all tasks and steps above their floors."""
    return search_moved(context, visits_of_tasks(), lambda case: rare_evaluation(case, w_min, gate))


# W3: transitions, without chance


@stored
@dataclass(frozen=True)
class StepCounts:
    """Tasks, how often each was followed by each, and the sizes of the errors made.

    `e_share` is a share of the largest error of columns of O that the premise allows; `noise` is
    the error of the successive products over σ_k(O)².
    """

    hmm: SizedHMM
    steps: tuple[int, ...]
    e_share: float
    noise: float
    worst: bool
    seed: int


def step_counts() -> SearchStrategy[StepCounts]:
    """Any tasks and counts, and every fourth time the hardest known: one kind of step only."""
    single = st.sampled_from(((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)))
    noise = st.sampled_from((0.0, 1.0))
    hardest = st.builds(
        StepCounts, opposites(), single, st.just(1.0), noise, st.just(True), st.just(0)
    )
    return st.one_of(anything(), anything(), anything(), hardest)


ANY_TASKS = st.one_of(hmms(), opposites())


@st.composite
def anything(draw: DrawFn) -> StepCounts:
    """Any tasks, any counts; half of the errors work together."""
    hmm = draw(ANY_TASKS)
    few = st.integers(0, 9)
    steps = draw(st.lists(few, min_size=hmm.k**2, max_size=hmm.k**2).filter(any))
    return StepCounts(
        hmm,
        tuple(steps),
        draw(st.sampled_from((*SHARES, 1e-3))),
        draw(st.sampled_from((0.0, 1e-4, 1e-2))),
        draw(st.booleans()),
        draw(seeds()),
    )


def estimated_steps(case: StepCounts, O: Floats, N: Floats, e: float, epsilon_S: float) -> Floats:
    """Ĵ = Ô^† Ŝ Ô^{†T} from an Ô with column errors e and an Ŝ that is ε_S from O N O^T.

    In the worst manner Ô loses as much of its k-th singular value as it can, and Ŝ is moved along
    the direction that Ô^† then stretches most.
    """
    rng, (d, k) = np.random.default_rng(case.seed), O.shape
    columns, noise = unit_columns((d, k), rng), unit_matrix((d, d), rng)
    if case.worst:
        left, _, right = np.linalg.svd(O, full_matrices=False)
        columns = -np.outer(left[:, -1], np.where(above(0.0, right[-1]), -1.0, 1.0))
        noise = np.outer(left[:, -1], left[:, -1])
    inverse = np.linalg.pinv(O + e * columns)
    steps: Floats = inverse @ (O @ N @ O.T + epsilon_S * noise / np.linalg.norm(noise)) @ inverse.T
    return steps


def errors_over_bounds(
    case: StepCounts, O: Floats, e: float, epsilon_S: float
) -> Iterator[tuple[float, Formed, float]]:
    """‖Ĵ - N‖_F over ε_J, then columns of T̂: errors over bounds, each with formula and bound.

    The bound of column j is 2(1+√k)ε_J/ν_j; it speaks where √k ε_J ≤ ν_j/2.
    """
    k, sigma = case.hmm.k, singular_value(O, case.hmm.k)
    steps = np.array(case.steps, dtype=np.int64).reshape(k, k)
    h, visits = int(steps.sum()) + 1, steps.sum(axis=0)
    N = steps / (h - 1)
    J = estimated_steps(case, O, N, e, epsilon_S)
    known = {"e_h": e, "epsilon_S": epsilon_S, "sigma_k_O": sigma}
    epsilon_J = within.joint_error_bound(**known)
    of_J = formulas.APPENDIX_D + "JOINT_ERROR", tuple(known.items())
    yield float(np.linalg.norm(J - N)) / epsilon_J, of_J, epsilon_J
    for j in range(k):
        bound = within.transition_error_bound(
            **known, k=k, h=h, visits=int(visits[j]), delta=DELTA_PRIME
        )
        if bound.premises_met:
            off = J[:, j] / J[:, j].sum() - steps[:, j] / visits[j]
            of_column: Formed = (
                formulas.APPENDIX_D + "TRANSITION_WITHIN",
                (("k", k), ("epsilon_J", epsilon_J), ("nu_j", int(visits[j]) / (h - 1))),
            )
            allowed = bound.from_estimate
            yield float(np.linalg.norm(off)) / allowed, of_column, allowed


def within_evaluation(case: StepCounts, scale: float = 1.0) -> Evaluation:
    """‖Ĵ - N‖_F ≤ ε_J, and where √k ε_J ≤ ν_j/2 column j of T̂ is within 2(1+√k)ε_J/ν_j of N_j/ν_j.

    The bounds are taken `scale` as large.
    """
    O, k = rounded(case.hmm).O, case.hmm.k
    sigma = singular_value(O, k)
    premise = Statement("σ_k(O)", sigma, "≥", 1 / LARGEST_CONDITION_OF_O)
    if not premise.holds:
        return not_met((premise,))
    e = case.e_share * sigma / (2 * math.sqrt(k)) * (1 - TOLERANCE)
    ratios = list(errors_over_bounds(case, O, e, case.noise * sigma**2))
    largest, formed, bound = max_by(ratios, itemgetter(0))
    return Evaluation(
        (premise, Statement("√k e against σ_k(O)/2", math.sqrt(k) * e, "≤", sigma / 2)),
        Statement(
            f"largest of {len(ratios)} errors over their bounds",
            largest,
            "≤",
            scale * (1 + TOLERANCE),
            *formed,
            bound=bound,
        ),
    )


@check("lemma-12.bound/within-tasks", CheckKind.INEQUALITY)
def transitions_within(context: Context, scale: float = 1.0) -> Outcome:
    """T̂ from products of successive observations, under random and adversarial errors."""
    return search_moved(context, step_counts(), lambda case: within_evaluation(case, scale))


# W3: frequencies of successors

DISTRIBUTIONS = ((0.5, 0.5), (1 / 3, 1 / 3, 1 / 3), (0.97, 0.015, 0.015))


VISITS = 200
"""How often every task is visited, at most."""


def successor_distributions() -> SearchStrategy[tuple[float, ...]]:
    """Two to four successors, some of them rare."""
    weights = st.lists(st.sampled_from((1, 1, 3, 30)), min_size=2, max_size=4)
    return weights.map(lambda drawn: tuple(weight / sum(drawn) for weight in drawn))


def within_successors(scale: float) -> ProbabilityClaim[tuple[float, ...]]:
    """P(frequencies of successors leave their bound at some number of visits) ≤ δ'.

    All k tasks have the same distribution, so a run looks at k sequences of successors. The bounds
    are taken `scale` as large.
    """

    def trials(
        distribution: tuple[float, ...], runs: int, rng: np.random.Generator
    ) -> list[TrialResult]:
        k, ends = len(distribution), np.arange(1, VISITS + 1)
        allowed = [within.successor_deviation(visits=int(n), k=k, delta=DELTA_PRIME) for n in ends]
        successors = np.eye(k)[rng.choice(k, p=np.array(distribution), size=(runs * k, VISITS))]
        frequencies = np.cumsum(successors, axis=1) / ends[:, np.newaxis]
        off = (
            np.linalg.norm(frequencies - np.array(distribution), axis=2) / np.array(allowed) / scale
        )
        largest = off.max(axis=1).reshape(runs, k).max(axis=1)
        return [within_bound(float(ratio)) for ratio in largest]

    return all_at_once(trials, DELTA_PRIME, explain_successors)


def explain_successors(distribution: tuple[float, ...]) -> Explained:
    """W3's last term after the last visit, in symbols and in numbers."""
    k = len(distribution)
    bound = within.successor_deviation(visits=VISITS, k=k, delta=DELTA_PRIME)
    return with_numbers(
        "‖N_j/ν_j - T_j‖₂ ≤ (1 + √log(kπ²n²/(6δ')))/√n",
        f"{bound:.6g} = (1 + √log({k}π²·{VISITS}²/(6·{DELTA_PRIME})))/√{VISITS}",
    )


@check("lemma-12.bound/successors", CheckKind.PROBABILITY, alpha=ALPHA_OF_CHECK)
def successors(context: Context, scale: float = 1.0) -> Outcome:
    """Frequencies of successors at all numbers of visits at once.

    Fair and unfair distributions, up to 200 visits of each task.
    """
    return named_and_drawn(
        context,
        within_successors(scale),
        {f"successors {distribution}": distribution for distribution in DISTRIBUTIONS},
        successor_distributions(),
        effort(context),
        trials=context.count(120, 400, 4000),
        alpha=ALPHA_OF_CHECK,
    )


# W4: constants that know no realised frequency


@stored
@dataclass(frozen=True)
class WithinScales:
    """Sizes, k, ℓ over B², c_1 over ℓ, c_2, δ', and h over the least that ρ_5 admits."""

    S: int
    A: int
    U: int
    k: int
    floor: float
    radius: float
    c_2: float
    delta_prime: float
    later: float


@st.composite
def scales(draw: DrawFn) -> WithinScales:
    """Small sizes, and constants over many orders of magnitude."""
    S, A, U = (draw(st.integers(1, 3)) for _ in range(3))
    k = draw(st.integers(1, largest_number_of_tasks(S, A, U)))
    return WithinScales(
        *(S, A, U, k),
        floor=draw(st.sampled_from((1.0, 0.1, 1e-3))) / k,
        radius=draw(st.sampled_from((1.0, 0.1, 1e-3))),
        c_2=draw(st.sampled_from((1e-3, 1.0, 100.0))),
        delta_prime=draw(st.sampled_from((0.9, 0.1, 1e-6))),
        later=draw(st.sampled_from((1.0, 1.5, 100.0))),
    )


def admitted_by(rho: float, case: WithinScales) -> int:
    """The least h ≥ 2 with h ≥ ρ log(c_h), made `later` times as large."""
    h = 2
    while is_above(due := rho * log_c(case, h), h):
        h = math.ceil(due)
    return math.ceil(case.later * h)


def log_c(case: WithinScales, h: int) -> float:
    """λ_h."""
    return math.log(c_h(Level(S=case.S, A=case.A, U=case.U, h=h, delta_prime=case.delta_prime)))


def constants_evaluation(case: WithinScales, scale: float = 1.0, by: str = "rho_5") -> Evaluation:
    """From h ≥ ρ_5 λ_h on W3 speaks with ν_min for ν_j, and says no more than ρ_6 √(λ_h/h).

    That bound is taken `scale` as large; `by` names what takes the place of ρ_5.
    """
    sizes = {"S": case.S, "A": case.A}
    ell = case.floor * 2 * case.S * case.A
    c_1 = case.radius * ell
    known = within.within_task_constants(**sizes, k=case.k, ell=ell, c_1=c_1, c_2=case.c_2)
    h = admitted_by(getattr(known, by), case)
    level = theorem_2_level(h=h, delta_prime=case.delta_prime)
    of_O = within.observation_error_bound(
        c_1=c_1, c_2=case.c_2, ell=ell, lambda_k=2 * ell, **sizes, h=h, delta_prime=level
    )
    of_T = within.transition_error_bound(
        e_h=of_O.bound,
        epsilon_S=within.moment_deviation(**sizes, h=h, delta=level / within.SHARES).epsilon_S,
        sigma_k_O=math.sqrt(ell),
        k=case.k,
        h=h,
        visits=math.ceil(known.nu_min * (h - 1)),
        delta=case.delta_prime / within.SHARES,
    )
    allowed = scale * known.rho_6 * math.sqrt(log_c(case, h) / h)
    speaks = of_O.premises_met and of_T.premises_met
    return Evaluation(
        (Statement("h against ρ λ_h", h, "≥", getattr(known, by) * log_c(case, h)),),
        Statement(
            "error of a column of T̂, infinite where W3 has a premise open",
            of_T.bound if speaks else math.inf,
            "≤",
            allowed * (1 + FEW_ROUNDINGS),
            formulas.APPENDIX_D + "RHO_6_WITHIN",
            (
                *(("k", case.k), ("ell", ell), ("rho_4", known.rho_4)),
                ("B", math.sqrt(2 * case.S * case.A)),
            ),
            bound=known.rho_6,
        ),
    )


FEW_ROUNDINGS = 64 * ROUNDING
"""Of two positive numbers without differences, each made by some thirty operations."""


@check("lemma-12.bound/least-frequency", CheckKind.INEQUALITY)
def least_frequency(context: Context, scale: float = 1.0, by: str = "rho_5") -> Outcome:
    """For views within tasks ρ_5 admits no h too early, and ρ_6 covers both errors of T̂.

    W4: its arithmetic, on constants of all sizes.
    """
    return search(
        context,
        scales(),
        lambda case: constants_evaluation(case, scale, by),
        (150, 600, 50_000),
        tolerance=FEW_ROUNDINGS,
    )
