"""Equation 8 and Lemma 12 for views within a task: the repair that asks nothing of the chain.

W1 of the repaired theory: given the sequence of tasks, means of products of batches are close to
what they should be. W3: what errors of Ô and of the successive products do to T̂, without chance,
and how close frequencies of successors are to T, at all numbers of visits at once.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks import formulas
from ptum.checks.appendix_d.chains import SizedHMM, hmms, one_sample_observations, seeds
from ptum.checks.appendix_d.moved_moments import (
    LARGEST_CONDITION_OF_O,
    SHARES,
    TOLERANCE,
    opposites,
    singular_value,
    unit_columns,
    unit_matrix,
)
from ptum.checks.appendix_d.runs import three_noisy_tasks
from ptum.checks.candidates import Claim, Effort, Seen, all_at_once, named_and_drawn
from ptum.checks.candidates import within as within_bound
from ptum.checks.exact_hmm import rounded
from ptum.checks.families.hmms import block_sizes
from ptum.checks.outcome import Formed, Outcome, Statement, Walk, not_met
from ptum.checks.registry import Check, Context
from ptum.checks.search import search
from ptum.reference.arrays import Floats, Ints
from ptum.reference.repaired import within_task_bounds as within
from ptum.spec.vocabulary import CheckKind, Version

ALPHA_OF_CHECK = 1e-4
DELTA_PRIME = 0.1

Explained = tuple[str, ...]


def effort(context: Context) -> Effort:
    """Of the searches for sequences and laws on which a bound fails."""
    return Effort(context.count(8, 120, 1500), 5, context.count(120, 400, 4000))


def with_numbers(formula: str, numbers: str) -> Explained:
    """A bound of the repaired theory in symbols and in numbers, as the ledger writes its own."""
    return f"formula    {formula}", f"numbers    {numbers}"


# W1: moments of batches


@dataclass(frozen=True, eq=False)
class Given:
    """A sequence of tasks, fixed beforehand, and the laws of the tasks."""

    name: str
    S: int
    A: int
    U: int
    O: Floats
    tasks: Ints


def fair_coins() -> Floats:
    """One task of two states, one action and two rewards in which every law is a fair coin."""
    return np.full((8, 1), 0.5)


def sequences(h: int) -> tuple[Given, ...]:
    """What no view across tasks can learn: one task only, a three-cycle, independent tasks."""
    noisy = three_noisy_tasks().hmm.O
    drawn = np.random.default_rng(0).integers(3, size=h)
    return (
        Given("one task of fair coins", 2, 1, 2, fair_coins(), np.zeros(h, dtype=np.int64)),
        Given("a three-cycle", 2, 2, 2, noisy, np.arange(h) % 3),
        Given("independent tasks", 2, 2, 2, noisy, drawn),
    )


def deviations(given: Given, runs: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
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
def drawn_sequences(draw: DrawFn) -> Given:
    """Any tasks, in a row, in turn, in two halves, or as a fair draw has it."""
    hmm, h = draw(hmms()), draw(st.sampled_from((2, 10, 30)))
    fair = np.random.default_rng(draw(seeds())).integers(hmm.k, size=h)
    steps = np.arange(h)
    tasks = draw(st.sampled_from((fair, 0 * steps, steps % hmm.k, (2 * steps) // h)))
    return Given("drawn", hmm.S, hmm.A, hmm.U, rounded(hmm).O, tasks)


def within_moments(scale: float) -> Claim[Given]:
    """P(an error exceeds its bound at δ'/3) ≤ δ' for three errors; bounds `scale` as large."""

    def trials(given: Given, runs: int, rng: np.random.Generator) -> list[Seen]:
        bounds = moment_bounds(given)
        allowed = bounds.epsilon_2, bounds.epsilon_3, bounds.epsilon_S
        pairs = zip(deviations(given, runs, rng), allowed, strict=True)
        largest = np.max([errors / bound / scale for errors, bound in pairs], axis=0)
        return [within_bound(float(ratio)) for ratio in largest]

    return all_at_once(trials, DELTA_PRIME, explain_moments)


def moment_bounds(given: Given) -> within.MomentDeviation:
    """W1 at δ'/3 for the sizes of a sequence."""
    return within.moment_deviation(S=given.S, A=given.A, h=len(given.tasks), delta=DELTA_PRIME / 3)


def explain_moments(given: Given) -> Explained:
    """W1 in symbols and in numbers."""
    bounds, h = moment_bounds(given), len(given.tasks)
    B, confidence = f"√(2·{given.S}·{given.A})", f"log(3/{DELTA_PRIME})"
    return (
        *with_numbers(
            "ε_2 ≤ B²(1 + √log(3/δ'))/√h, B = √(2SA)",
            f"{bounds.epsilon_2:.6g} = B²(1 + √{confidence})/√{h}, B = {B}",
        ),
        *with_numbers(
            "ε_3 ≤ B³(1 + √log(3/δ'))/√h",
            f"{bounds.epsilon_3:.6g} = B³(1 + √{confidence})/√{h}",
        ),
        *with_numbers(
            "ε_S ≤ B²(√3 + 2√log(3/δ'))/√(h-1)",
            f"{bounds.epsilon_S:.6g} = B²(√3 + 2√{confidence})/√({h}-1)",
        ),
    )


def moments_of_batches(context: Context, scale: float = 1.0) -> Outcome:
    """W1 on three sequences of 30 tasks, and on drawn ones."""
    return named_and_drawn(
        context,
        within_moments(scale),
        {given.name: given for given in sequences(30)},
        context.count(120, 400, 4000),
        drawn_sequences(),
        effort(context),
        ALPHA_OF_CHECK,
    )


# W3: transitions, without chance


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
        columns = -np.outer(left[:, -1], np.where(right[-1] >= 0, 1.0, -1.0))
        noise = np.outer(left[:, -1], left[:, -1])
    inverse = np.linalg.pinv(O + e * columns)
    steps: Floats = inverse @ (O @ N @ O.T + epsilon_S * noise / np.linalg.norm(noise)) @ inverse.T
    return steps


def errors_over_bounds(
    case: StepCounts, O: Floats, e: float, epsilon_S: float
) -> Iterator[tuple[float, Formed]]:
    """‖Ĵ - N‖_F over ε_J, then columns of T̂: errors over their bounds, each with its formula.

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
    yield float(np.linalg.norm(J - N)) / epsilon_J, of_J
    for j in range(k):
        bound = within.transition_error_bound(
            **known, k=k, h=h, visits=int(visits[j]), delta=DELTA_PRIME
        )
        if bound.premise_met:
            off = J[:, j] / J[:, j].sum() - steps[:, j] / visits[j]
            of_column: Formed = (
                formulas.APPENDIX_D + "TRANSITION_WITHIN",
                (("k", k), ("epsilon_J", epsilon_J), ("nu_j", int(visits[j]) / (h - 1))),
            )
            yield float(np.linalg.norm(off)) / bound.from_estimate, of_column


def within_walk(case: StepCounts, scale: float = 1.0) -> Walk:
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
    largest, formed = max(ratios, key=itemgetter(0))
    return Walk(
        (premise, Statement("√k e against σ_k(O)/2", math.sqrt(k) * e, "≤", sigma / 2)),
        Statement(
            f"largest of {len(ratios)} errors over their bounds",
            largest,
            "≤",
            scale * (1 + TOLERANCE),
            *formed,
        ),
    )


def transitions_within(context: Context, scale: float = 1.0) -> Outcome:
    """The part of W3 that is not chance."""
    return search(
        context,
        step_counts(),
        lambda case: within_walk(case, scale),
        context.count(80, 350, 50_000),
        tolerance=TOLERANCE,
    )


# W3: frequencies of successors

LAWS = (
    (0.5, 0.5),
    (1 / 3, 1 / 3, 1 / 3),
    (0.97, 0.015, 0.015),
)


VISITS = 200
"""How often every task is visited, at most."""


def laws() -> SearchStrategy[tuple[float, ...]]:
    """Two to four successors, some of them rare."""
    weights = st.lists(st.sampled_from((1, 1, 3, 30)), min_size=2, max_size=4)
    return weights.map(lambda drawn: tuple(weight / sum(drawn) for weight in drawn))


def within_successors(scale: float) -> Claim[tuple[float, ...]]:
    """P(frequencies of successors leave their bound at some number of visits) ≤ δ'.

    All k tasks have the same law, so a run looks at k sequences of successors. The bounds are taken
    `scale` as large.
    """

    def trials(law: tuple[float, ...], runs: int, rng: np.random.Generator) -> list[Seen]:
        k, ends = len(law), np.arange(1, VISITS + 1)
        allowed = [within.successor_deviation(visits=int(n), k=k, delta=DELTA_PRIME) for n in ends]
        successors = np.eye(k)[rng.choice(k, p=np.array(law), size=(runs * k, VISITS))]
        frequencies = np.cumsum(successors, axis=1) / ends[:, np.newaxis]
        off = np.linalg.norm(frequencies - np.array(law), axis=2) / np.array(allowed) / scale
        largest = off.max(axis=1).reshape(runs, k).max(axis=1)
        return [within_bound(float(ratio)) for ratio in largest]

    return all_at_once(trials, DELTA_PRIME, explain_successors)


def explain_successors(law: tuple[float, ...]) -> Explained:
    """W3's last term after the last visit, in symbols and in numbers."""
    k = len(law)
    bound = within.successor_deviation(visits=VISITS, k=k, delta=DELTA_PRIME)
    return with_numbers(
        "‖N_j/ν_j - T_j‖₂ ≤ (1 + √log(kπ²n²/(6δ')))/√n",
        f"{bound:.6g} = (1 + √log({k}π²·{VISITS}²/(6·{DELTA_PRIME})))/√{VISITS}",
    )


def successors(context: Context, scale: float = 1.0) -> Outcome:
    """Fair and unfair laws, up to 200 visits of each task."""
    return named_and_drawn(
        context,
        within_successors(scale),
        {f"law {law}": law for law in LAWS},
        context.count(120, 400, 4000),
        laws(),
        effort(context),
        ALPHA_OF_CHECK,
    )


CHECKS = (
    Check(
        id="equation-8.bound/within-tasks",
        version=Version.REPAIRED,
        kind=CheckKind.PROBABILITY,
        says="three moments of batches within a task, for chains that do not mix",
        run=moments_of_batches,
        alpha=ALPHA_OF_CHECK,
    ),
    Check(
        id="lemma-12.bound/within-tasks",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="T̂ from products of successive observations, under random and adversarial errors",
        run=transitions_within,
    ),
    Check(
        id="lemma-12.bound/successors",
        version=Version.REPAIRED,
        kind=CheckKind.PROBABILITY,
        says="frequencies of successors at all numbers of visits at once",
        run=successors,
        alpha=ALPHA_OF_CHECK,
    ),
)
