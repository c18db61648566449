"""What Appendix E says about learning the models: SVD, chains of tasks, static transfer."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_d.chains import distributions, one_sample_observations
from ptum.checks.exact.hidden_markov import (
    as_floats,
    difference,
    identity,
    minus,
    projected,
    rank,
    scaled,
    signs,
    times,
    transpose,
)
from ptum.checks.exact.mdp import Table, Vector
from ptum.checks.instances.counterexamples.appendix_e import variants
from ptum.checks.instances.families.hmms import block_sizes, experiments_chain, moving_ahead
from ptum.checks.verdicts import tolerances
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Evaluation,
    Outcome,
    Statement,
    over_evaluations,
    zero_but_for_rounding,
)
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.errors import require_numbers
from ptum.reference.experiments.spectral import learn_hmm as learn_as_run
from ptum.reference.repaired.sequential.spectral import SpectralOutcome as Learned
from ptum.reference.repaired.sequential.spectral import learn_from_moments, learn_within_task
from ptum.reference.sequential.hmm import HMM, VIEWS, Moments, population_moments
from ptum.reference.sequential.recovery import recovery_tolerance
from ptum.reference.sequential.spectral import HmmEstimate, empirical_moments
from ptum.reference.sequential.tensor_power import decompose
from ptum.spec.vocabulary import CheckKind

RESTARTS, ITERATIONS = 30, 30
LARGEST_CONDITION = 1e3
"""Of the two views that are inverted, multiplied; rounding grows with its square."""


def columns_of(k: int, S: int, A: int, U: int, rng: np.random.Generator) -> Floats:
    """k tasks with random distributions."""
    blocks = [rng.dirichlet(np.ones(size), size=k).T for size in block_sizes(S, A, U)]
    O: Floats = np.vstack(blocks)
    return O


def best_order_error(O_hat: Floats, O: Floats) -> float:
    """Largest error when each column is matched with the nearest found; +inf if two share one."""
    require_numbers(O_hat=O_hat, O=O)
    gaps = np.linalg.norm(O_hat[:, :, np.newaxis] - O[:, np.newaxis, :], axis=0)
    nearest = gaps.argmin(axis=0)
    if len(set(nearest.tolist())) < O.shape[1]:
        return float("inf")
    return float(gaps[nearest, np.arange(O.shape[1])].max())


def columns_apart(allowed: float, columns: Floats) -> Statement:
    """Columns that rounding has moved as far as it may are still nearest to where they were."""
    gaps = np.linalg.norm(columns[:, :, np.newaxis] - columns[:, np.newaxis, :], axis=0)
    least = float(gaps[~np.eye(len(gaps), dtype=np.bool_)].min())
    return Statement("error by rounding, a quarter of the least distance", allowed, "≤", least / 4)


# Full pseudo-inverses

MomentLines: TypeAlias = Callable[[Floats], Moments]
"""Lines 1-4: observations to moments."""


def interpolation_evaluation(
    m: int, seed: int, independent: bool = True, lines: MomentLines = empirical_moments
) -> Evaluation:
    """With at most as many triples as dimensions, M̂_2 of Algorithm 3 is the mean of o_3 ⊗ o_3.

    Every view is drawn from tasks of its own, so nothing connects the three views of a triple.
    `independent` = False makes one first view a copy of another, which the identity excludes.
    """
    rng = np.random.default_rng(seed)
    S, A, U, k = 2, 2, 3, 3
    O = columns_of(k, S, A, U, rng)
    tasks: Ints = rng.integers(0, k, size=3 * m)
    noise = one_sample_observations(O, block_sizes(S, A, U), np.tile(tasks, (8, 1)), rng)
    o = noise.mean(axis=0)
    if not independent:
        o[3] = o[0]
    M_2, third = lines(o).M_2, o[2::3]
    off = float(np.linalg.norm(M_2 - third.T @ third / m) / np.linalg.norm(M_2))
    allowed = interpolation_rounding(o, m)
    return Evaluation(
        (Statement("condition of the views", condition(o, m), "≤", LARGEST_CONDITION),),
        zero_but_for_rounding("‖M̂_2 - mean of o_3 ⊗ o_3‖ over ‖M̂_2‖", off, allowed),
    )


def interpolation_rounding(o: Floats, m: int) -> float:
    """How far rounding moves M̂_2 = A_1 Σ̂_21 A_2ᵀ, A = Σ̂ Σ̂_12^†, over ‖M̂_2‖.

    A mean Σ̂ of m products of observations, of size ℓ² at most, is off by δ = (m + d + 1) roundings
    of ℓ². The singular values of Σ̂_12 are at least σ, so its pseudo-inverse is off by 2δ/σ² (Wedin)
    and A by δ/σ + 2ℓ²δ/σ². A takes one view to the third, so ‖A‖ is at most the norm of the third
    view over the least singular value of the other. The first order is doubled.
    """
    first, second, third = (np.linalg.svd(o[i::3], compute_uv=False) for i in range(3))
    if first[-1] == 0 or second[-1] == 0:
        return float("inf")
    square = float(np.max(np.sum(o**2, axis=1)))
    delta = (m + o.shape[1] + 1) * ROUNDING * square
    sigma = first[-1] * second[-1] / m
    off = delta / sigma + 2 * square * delta / sigma**2
    A_1, A_2 = third[0] / second[-1], third[0] / first[-1]
    moved = first[0] * second[0] / m * off * (A_1 + A_2) + delta * A_1 * A_2
    return float(2 * moved * m / third[0] ** 2)


def condition(o: Floats, m: int) -> float:
    """Product of the conditions of the two views that are inverted."""
    first, second = (np.linalg.svd(o[i::3][:m], compute_uv=False) for i in (0, 1))
    if first[-1] == 0 or second[-1] == 0:
        return float("inf")
    return float(first[0] / first[-1] * second[0] / second[-1])


@check("text-svd-critical.stability/interpolation", CheckKind.INEQUALITY)
def no_correlation_used(context: Context) -> Outcome:
    """With few triples full pseudo-inverses turn M̂_2 into the mean of o_3 ⊗ o_3."""
    drawn = st.tuples(st.integers(2, 6), st.integers(0, 2**32 - 1))
    return search(context, drawn, lambda one: interpolation_evaluation(*one), (40, 600, 10_000))


LEAST_SINGULAR_VALUE = 0.05
"""Of O; below it what rounding may do to the third views is no longer small."""


@stored
@dataclass(frozen=True)
class Alike:
    """k tasks with random distributions, each mixed with the mean of all."""

    k: int
    seed: int
    mixed: float = 0.0

    def columns(self) -> Floats:
        """O."""
        O = columns_of(self.k, 2, 2, 3, np.random.default_rng(self.seed))
        found: Floats = (1 - self.mixed) * O + self.mixed * O.mean(axis=1, keepdims=True)
        return found


def hardly_different(tasks: Alike) -> Statement:
    """What is asked of O, against its least singular value."""
    least = float(np.linalg.svd(tasks.columns(), compute_uv=False)[-1])
    return Statement("least singular value of O", least, ">", LEAST_SINGULAR_VALUE)


def small_tensor_evaluation(tasks: Alike, size: int | None = None) -> Evaluation:
    """The third views come back from M_3(W,W,W), a tensor with `size` = k entries per axis."""
    k, O, rng = tasks.k, tasks.columns(), np.random.default_rng(tasks.seed)
    T = 0.8 * np.roll(np.eye(k), 1, axis=0) + 0.2 / k
    hmm = HMM(O, T, np.full(k, 1 / k))
    moments = population_moments(hmm, hmm.initial)
    values, vectors = np.linalg.eigh((moments.M_2 + moments.M_2.T) / 2)
    used = size or k
    Lambda, D = values[::-1][:used], vectors[:, ::-1][:, :used]
    W = D / np.sqrt(Lambda)
    tensor = np.einsum("abc,ai,bj,cl->ijl", moments.M_3, W, W, W, optimize=True)
    pairs = decompose(tensor, used, RESTARTS, ITERATIONS, rng)
    mu = D * np.sqrt(Lambda) @ pairs.vectors * pairs.lambdas
    missing = float("inf") if used < k else best_order_error(mu, O @ T)
    recovery = tolerances.of_recovery(hmm)
    return Evaluation(
        (
            Statement("entries of the whole tensor", moments.M_3.size, ">", k**3),
            hardly_different(tasks),
            columns_apart(recovery.mu_3, O @ T),
        ),
        recovery.statement(
            f"error of the third views from a tensor of {tensor.size} entries",
            missing,
            recovery.mu_3,
        ),
    )


@check("text-svd-critical.small-tensor/exact-moments", CheckKind.INEQUALITY)
def small_tensor(context: Context) -> Outcome:
    """The whitened k×k×k tensor gives back all third views."""
    mixed = st.integers(0, 19).map(lambda twentieths: twentieths / 20)
    drawn = st.builds(Alike, st.integers(2, 5), st.integers(0, 2**32 - 1), mixed)
    return search(context, drawn, small_tensor_evaluation, (6, 40, 2000), near=hardly_different)


LearnFunction: TypeAlias = Callable[[Floats, int, int, int, np.random.Generator], Learned]
"""Algorithm 3 on observations of shape (h, d)."""


def cycle_evaluation(tasks: Alike, learner: LearnFunction = learn_as_run) -> Evaluation:
    """Exact observations of k tasks in a circle, of which the k disjoint triples start in each."""
    k, O = tasks.k, tasks.columns()
    hmm = HMM(O, np.roll(np.eye(k), 1, axis=0), np.full(k, 1 / k))
    which = np.arange(VIEWS * k) % k
    found = learner(O[:, which].T, k, RESTARTS, ITERATIONS, np.random.default_rng(tasks.seed))
    error = best_order_error(found.O, O) if isinstance(found, HmmEstimate) else float("inf")
    allowed = recovery_tolerance(hmm, hmm.initial).O
    starts = len(set(which[::VIEWS].tolist()))
    return Evaluation(
        (
            Statement("tasks that a triple starts in", starts, "=", k),
            hardly_different(tasks),
            columns_apart(allowed, O),
        ),
        zero_but_for_rounding("error of the models", error, allowed),
    )


@check("text-svd-critical.small-tensor/as-run", CheckKind.INEQUALITY)
def cycles_as_run(context: Context, learner: LearnFunction = learn_as_run) -> Outcome:
    """Algorithm 3 after the SVD gives back all tasks of a cycle from a k×k×k tensor.

    Two, four or five tasks; a multiple of three would have every triple start in few of them.
    """
    seeds = range(context.count(4, 40, 400))
    evaluations = [cycle_evaluation(Alike(k, seed), learner) for k in (2, 4, 5) for seed in seeds]
    return over_evaluations(evaluations, "cycles")


# Chains of ten tasks


TEN = 10


def chain_of_ten(success: Fraction) -> Table:
    """Task j is followed by j+1 with probability s, and by j and j+2 with half of the rest each."""
    rest = (1 - success) / 2
    return moving_ahead(TEN, {0: rest, 1: success, 2: rest})


def learnable_evaluation(percent: int) -> Evaluation:
    """With failures of so many percent T is invertible, so that the error can go to zero."""
    failure = Fraction(percent, 100)
    return Evaluation(
        (Statement("failure probability", failure, ">", 0),),
        Statement("rank T", rank(chain_of_ten(1 - failure)), "=", TEN),
    )


def nearly_half(percent: int) -> Statement:
    """At failure 1/2 T sends (1, -1, 1, -1, …) to zero."""
    return Statement("failure against 1/2", Fraction(percent, 100), "<", Fraction(1, 2))


@check("text-task-stochasticity-critical.all-values/one-half", CheckKind.EXACT)
def plotted_values(context: Context) -> Outcome:
    """Below failure 1/2 the chain of ten tasks is invertible.

    Every failure probability below one half, those of D84 among them.
    """
    percent = st.integers(1, 49)
    return search(context, percent, learnable_evaluation, (30, 49, 98), near=nearly_half)


@cache
def is_least_singular_value(T: Table, sigma: Fraction) -> bool:
    """TᵀT - σ²I is singular and has no negative eigenvalue."""
    square = scaled(sigma**2, identity(len(T)))
    positive, negative = signs(minus(times(transpose(T), T), square))
    return negative == 0 and positive < len(T)


def slower_evaluation(pair: tuple[int, int], power: int = 2) -> Evaluation:
    """Below 1/2 σ_min(T) = 1-2f falls with the failure f, and 1/σ_k(Σ_31) has 1/σ_min(T)²."""
    less, more = (Fraction(failure, 100) for failure in pair)
    known = all(is_least_singular_value(chain_of_ten(1 - f), 1 - 2 * f) for f in (less, more))
    return Evaluation(
        (
            Statement("failure probabilities in order", less, "<", more),
            Statement("σ_min(T) is 1-2f", known, "=", True),
        ),
        Statement(
            "1/σ_min² with less failure against more",
            (1 - 2 * less) ** -power,
            "<",
            (1 - 2 * more) ** -power,
            tolerance=NOTHING_ROUNDED,
        ),
    )


@check("text-task-stochasticity-critical.slower/singular-values", CheckKind.INEQUALITY)
def slower(context: Context, power: int = 2) -> Outcome:
    """Up to failure 1/2 σ_min(T) = 1-2f for ten tasks, so 1/σ_min² grows with f.

    Any two failure probabilities below one half.
    """
    failures = st.lists(st.integers(1, 49), min_size=2, max_size=2, unique=True).map(sorted)
    return search(
        context,
        failures.map(lambda two: (two[0], two[1])),
        lambda pair: slower_evaluation(pair, power),
        (40, 400, 1100),
    )


def invertible_evaluation(failure: float, seed: int) -> Evaluation:
    """Exact moments of ten tasks give back all models."""
    rng = np.random.default_rng(seed)
    O = columns_of(10, 2, 2, 4, rng)
    T = np.array(chain_of_ten(1 - Fraction(failure).limit_denominator(1000)), dtype=np.float64)
    T = T / T.sum(axis=0)
    hmm = HMM(O, T, np.full(10, 0.1))
    moments = population_moments(hmm, hmm.initial)
    found = learn_from_moments(moments, 10, RESTARTS, ITERATIONS, rng)
    error = best_order_error(found.O, O) if isinstance(found, HmmEstimate) else float("inf")
    allowed = recovery_tolerance(hmm, hmm.initial).O
    return Evaluation(
        (
            Statement("σ_min(T)", float(np.linalg.svd(T, compute_uv=False)[-1]), ">", 1e-3),
            columns_apart(allowed, O),
        ),
        zero_but_for_rounding(f"error of the models at failure {failure}", error, allowed),
    )


@check("text-task-stochasticity-critical.all-values/invertible", CheckKind.INEQUALITY)
def invertible_chains(context: Context) -> Outcome:
    """Below 1/2 exact moments give back all ten tasks.

    Failure probabilities from 0.03 to 0.3; of three drawn sets of tasks some are too alike.
    """
    failures = (0.03, 0.2, 0.3)[: context.count(2, 3, 3)]
    seeds = [context.seed % 2**32 + number for number in range(3)]
    evaluations = [invertible_evaluation(failure, seed) for failure in failures for seed in seeds]
    return over_evaluations(evaluations, "chains")


# Static transfer


def two_tasks() -> Floats:
    """Two tasks with one state, two actions and two rewards."""
    return as_floats(variants.TASKS)


def within_task_evaluation(tasks: Ints) -> Evaluation:
    """Three views inside each task give back O, whatever the sequence of tasks."""
    O, rng = two_tasks(), np.random.default_rng(0)
    batches = np.stack([O.T[tasks]] * 3)
    found = learn_within_task(batches, 2, RESTARTS, ITERATIONS, rng)
    error = best_order_error(found.O, O) if isinstance(found, HmmEstimate) else float("inf")
    return Evaluation(
        (Statement("tasks that occur", len(set(tasks.tolist())), "=", 2),),
        zero_but_for_rounding("error of the models", error, tolerances.of_views_within(O, tasks)),
    )


@check("text-static-reduces-to-azar.same/views-inside-a-task", CheckKind.INEQUALITY)
def within_task(context: Context) -> Outcome:
    """Three views inside each task give back O for any sequence of tasks."""
    drawn = st.lists(st.integers(0, 1), min_size=4, max_size=30).map(
        lambda tasks: np.array(tasks, dtype=np.int64)
    )
    return search(context, drawn, within_task_evaluation, (30, 300, 3000))


# Three likeliest tasks


def likeliest(T_hat: Table, current: int, kept: int) -> set[int]:
    """The tasks with the largest entries of a column; ties by number."""
    ranked = sorted(range(len(T_hat)), key=lambda theta: (-T_hat[theta][current], theta))
    return set(ranked[:kept])


def top_evaluation(
    T_hat: Table, current: int, kept: int = 3, largest: Fraction | None = None
) -> Evaluation:
    """Every possible successor of the current task is among the likeliest according to T̂."""
    T = experiments_chain()
    errors = [abs(x - y) for a, b in zip(T, T_hat, strict=True) for x, y in zip(a, b, strict=True)]
    premises = (
        ()
        if largest is None
        else (Statement("largest error of an entry", max(errors), "<", largest),)
    )
    possible = {theta for theta in range(len(T)) if T[theta][current] > 0}
    missed = possible - likeliest(T_hat, current, kept)
    return Evaluation(
        premises, Statement("possible successors that are dropped", len(missed), "=", 0)
    )


@check("text-top-three.robust/known-chain", CheckKind.EXACT)
def known_chain(_: Context, kept: int = 3) -> Outcome:
    """Three tasks can follow, and they are the three likeliest."""
    T = experiments_chain()
    return over_evaluations(
        [top_evaluation(T, current, kept) for current in range(len(T))], "current tasks"
    )


HALF_OF_LEAST = Fraction(15, 2000)


@st.composite
def nearby_chains(draw: DrawFn, largest: Fraction = HALF_OF_LEAST) -> tuple[Table, int]:
    """Every entry of T̂ is off by less than half of the least positive entry of T."""
    T = experiments_chain()
    numbers = draw(st.binary(min_size=64, max_size=64))
    errors = [largest * Fraction(2 * number - 255, 256) for number in numbers]
    rows = [errors[8 * i : 8 * i + 8] for i in range(8)]
    T_hat = tuple(
        tuple(x + e for x, e in zip(row, error, strict=True))
        for row, error in zip(T, rows, strict=True)
    )
    return T_hat, draw(st.integers(0, 7))


@check("text-top-three.robust/accurate-chain", CheckKind.EXACT)
def ranked_chain(context: Context, largest: Fraction = HALF_OF_LEAST) -> Outcome:
    """An error below 0.0075 per entry leaves the three successors in front.

    T̂ ranks the true successors first when it is accurate enough.
    """
    return search(
        context,
        nearby_chains(largest),
        lambda drawn: top_evaluation(*drawn, largest=largest),
        (60, 600, 10_000),
    )


# Clipping


@st.composite
def raw_estimates(draw: DrawFn) -> tuple[Vector, Vector]:
    """A distribution on up to five points, and any numbers in its place: errors of up to two."""
    size = draw(st.integers(1, 5))
    distribution = draw(distributions((size,)))
    off = draw(st.lists(st.integers(-20, 20), min_size=size, max_size=size))
    return distribution, tuple(p + Fraction(x, 10) for p, x in zip(distribution, off, strict=True))


def clipping_evaluation(
    pair: tuple[Vector, Vector],
    limit: Fraction = Fraction(1),
    normalise: Callable[[Vector], Vector] = projected,
) -> Evaluation:
    """A raw estimate, normalised as the repaired algorithm does it, is off by at most one."""
    distribution, raw = pair
    off = max(map(abs, difference(normalise(raw), distribution)))
    return Evaluation(
        (Statement("the distribution sums to", sum(distribution), "=", 1),),
        Statement("largest error of an entry after normalisation", off, "≤", limit),
    )


@check("text-clipping-reasonable.at-most-one/exact-laws", CheckKind.EXACT)
def clipping(context: Context, normalise: Callable[[Vector], Vector] = projected) -> Outcome:
    """Entries of a normalised estimate are off by at most one, whatever the raw ones are."""
    return search(
        context,
        raw_estimates(),
        lambda pair: clipping_evaluation(pair, normalise=normalise),
        (100, 1000, 10_000),
    )
