"""What Appendix E says about learning the models: SVD, chains of tasks, static transfer."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from checks.appendix_d import rational as exactly
from checks.appendix_d.chains import block_sizes, laws, listed, one_sample_observations
from checks.exact import Table, Vector
from checks.outcome import Outcome, Statement, Walk, from_walk, over_walks
from checks.registry import Check, Context
from checks.search import search
from reference.arrays import Floats, Ints
from reference.hmm import HMM, population_moments
from reference.repaired.spectral import learn_from_moments, learn_within_task
from reference.spectral import HmmEstimate, empirical_moments
from reference.spectral import learn_from_moments as learn_as_printed
from reference.tensor_power import decompose
from spec.vocabulary import CheckKind, Version

RESTARTS, ITERATIONS = 30, 30
RECOVERY = 1e-6
"""Far above what rounding does to the well conditioned chains below, far below any real error."""
INTERPOLATION = 1e-6
"""Relative to ‖M_2‖: pseudo-inverses of conditions below 10⁸ lose at most eight of 16 digits."""
LARGEST_CONDITION = 1e8


def columns_of(k: int, S: int, A: int, U: int, rng: np.random.Generator) -> Floats:
    """k tasks with random laws."""
    blocks = [rng.dirichlet(np.ones(size), size=k).T for size in block_sizes(S, A, U)]
    O: Floats = np.vstack(blocks)
    return O


def best_order_error(O_hat: Floats, O: Floats) -> float:
    """Largest column error when columns are matched greedily; large if a match fails."""
    gaps = np.linalg.norm(O_hat[:, :, np.newaxis] - O[:, np.newaxis, :], axis=0)
    nearest = gaps.argmin(axis=0)
    if len(set(nearest.tolist())) < O.shape[1]:
        return float("inf")
    return float(gaps[nearest, np.arange(O.shape[1])].max())


# Full pseudo-inverses


def interpolation_walk(m: int, seed: int, independent: bool = True) -> Walk:
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
    moments = empirical_moments(o)
    third = o[2::3]
    apart = np.linalg.norm(moments.M_2 - third.T @ third / m)
    return Walk(
        (Statement("condition of the views", condition(o, m), "≤", LARGEST_CONDITION),),
        Statement(
            "‖M̂_2 - mean of o_3 ⊗ o_3‖ over ‖M̂_2‖",
            float(apart / np.linalg.norm(moments.M_2)),
            "≤",
            INTERPOLATION,
        ),
    )


def condition(o: Floats, m: int) -> float:
    """Product of the conditions of the two views that are inverted."""
    first, second = (np.linalg.svd(o[i::3][:m], compute_uv=False) for i in (0, 1))
    if first[-1] == 0 or second[-1] == 0:
        return float("inf")
    return float(first[0] / first[-1] * second[0] / second[-1])


def no_correlation_used(context: Context) -> Outcome:
    """Algorithm 3 as printed on few triples."""
    drawn = st.tuples(st.integers(2, 6), st.integers(0, 2**32 - 1))
    found = search(
        context, drawn, lambda one: interpolation_walk(*one), context.count(40, 600, 10_000)
    )
    return replace(found, tolerance=INTERPOLATION)


def small_tensor_walk(k: int, seed: int, size: int | None = None) -> Walk:
    """The third views come back from M_3(W,W,W), a tensor with `size` = k entries per axis."""
    rng = np.random.default_rng(seed)
    O = columns_of(k, 2, 2, 3, rng)
    T = 0.8 * np.roll(np.eye(k), 1, axis=0) + 0.2 / k
    moments = population_moments(HMM(O, T, np.full(k, 1 / k)), np.full(k, 1 / k))
    values, vectors = np.linalg.eigh((moments.M_2 + moments.M_2.T) / 2)
    used = size or k
    Lambda, D = values[::-1][:used], vectors[:, ::-1][:, :used]
    W = D / np.sqrt(Lambda)
    tensor = np.einsum("abc,ai,bj,cl->ijl", moments.M_3, W, W, W, optimize=True)
    pairs = decompose(tensor, used, RESTARTS, ITERATIONS, rng)
    mu = D * np.sqrt(Lambda) @ pairs.vectors * pairs.lambdas
    missing = float("inf") if used < k else best_order_error(mu, O @ T)
    return Walk(
        (Statement("entries of the whole tensor", moments.M_3.size, ">", k**3),),
        Statement(
            f"error of the third views from a tensor of {tensor.size} entries",
            missing,
            "≤",
            RECOVERY,
        ),
    )


def small_tensor(context: Context) -> Outcome:
    """Two to five tasks."""
    runs = range(context.count(2, 10, 100))
    walks = [small_tensor_walk(k, context.seed % 2**32 + run) for k in (2, 3, 5) for run in runs]
    return replace(over_walks(walks, "families"), tolerance=RECOVERY)


# Chains of ten tasks


def ten_tasks(success: Fraction) -> Table:
    """Next with probability s, else stay or skip."""
    rest = (1 - success) / 2
    return listed(10, {0: rest, 1: success, 2: rest})


def alternating() -> Vector:
    """(1, -1, 1, -1, …)."""
    return tuple(Fraction((-1) ** j) for j in range(10))


def singular_walk(T: Table) -> Walk:
    """T invertible: the alternating vector must not vanish."""
    image = exactly.apply(T, alternating())
    off = max(abs(sum((row[j] for row in T), Fraction(-1))) for j in range(len(T)))
    return Walk(
        (Statement("columns of T are laws, off by", off, "=", 0),),
        Statement("‖T(1,-1,1,-1,…)‖²", exactly.squared_norm(image), ">", 0),
    )


def half_failures(_: Context, success: Fraction = Fraction(1, 2)) -> Outcome:
    """Failure probability 1/2."""
    return from_walk(singular_walk(ten_tasks(success)))


def least_singular_value(success: float) -> float:
    """σ_min(T)."""
    T = np.array(ten_tasks(Fraction(success).limit_denominator(10**6)), dtype=np.float64)
    return float(np.linalg.svd(T, compute_uv=False)[-1])


def slower_walk(pair: tuple[int, int], power: int = 2) -> Walk:
    """σ_min(T) = |2s-1| falls with the failure probability, and the error carries 1/σ_min²."""
    less, more = (Fraction(failure, 100) for failure in pair)
    sigma_less, sigma_more = (least_singular_value(float(1 - f)) for f in (less, more))
    formula = max(abs(sigma_less - (1 - 2 * float(less))), abs(sigma_more - (1 - 2 * float(more))))
    return Walk(
        (
            Statement("failure probabilities in order", less, "<", more),
            Statement("σ_min(T) is 1-2f up to rounding", formula, "≤", 1e-12),
        ),
        Statement(
            "1/σ_min² with less failure against more",
            sigma_less**-power,
            "<",
            sigma_more**-power,
        ),
    )


def slower(context: Context, power: int = 2) -> Outcome:
    """Any two failure probabilities below one half."""
    failures = st.lists(st.integers(1, 49), min_size=2, max_size=2, unique=True).map(sorted)
    return search(
        context,
        failures.map(lambda two: (two[0], two[1])),
        lambda pair: slower_walk(pair, power),
        context.count(40, 400, 1100),
    )


def invertible_walk(failure: float, seed: int) -> Walk:
    """Exact moments of ten tasks give back all models."""
    rng = np.random.default_rng(seed)
    O = columns_of(10, 2, 2, 4, rng)
    T = np.array(ten_tasks(1 - Fraction(failure).limit_denominator(1000)), dtype=np.float64)
    T = T / T.sum(axis=0)
    uniform = np.full(10, 0.1)
    found = learn_from_moments(
        population_moments(HMM(O, T, uniform), uniform), 10, RESTARTS, ITERATIONS, rng
    )
    error = best_order_error(found.O, O) if isinstance(found, HmmEstimate) else float("inf")
    return Walk(
        (Statement("σ_min(T)", float(np.linalg.svd(T, compute_uv=False)[-1]), ">", 1e-3),),
        Statement(f"error of the models at failure {failure}", error, "≤", RECOVERY),
    )


def invertible_chains(context: Context) -> Outcome:
    """Failure probabilities from 0.03 to 0.3."""
    failures = (0.03, 0.2, 0.3)[: context.count(2, 3, 3)]
    walks = [invertible_walk(failure, context.seed % 2**32) for failure in failures]
    return replace(over_walks(walks, "chains"), tolerance=RECOVERY)


# Static transfer


def two_tasks() -> Floats:
    """Two tasks with one state, two actions and two rewards."""
    return np.array(
        [[0.9, 0.2], [0.1, 0.8], [0.8, 0.3], [0.2, 0.7], [1.0, 1.0], [1.0, 1.0]], dtype=np.float64
    )


def printed_static_walk(stay: float = 0.5, tasks: Floats | None = None) -> Walk:
    """Algorithm 3 learns O from independent tasks, as a method with views inside a task does."""
    O, rng = two_tasks() if tasks is None else tasks, np.random.default_rng(0)
    uniform = np.array([0.5, 0.5])
    T = np.array([[stay, 1 - stay], [1 - stay, stay]])
    found = learn_as_printed(
        population_moments(HMM(O, T, uniform), uniform), 2, RESTARTS, ITERATIONS, rng
    )
    return Walk(
        (Statement("second singular value of O", float(np.linalg.svd(O)[1][1]), ">", 0.1),),
        Statement("estimates", int(isinstance(found, HmmEstimate)), "=", 1),
    )


def printed_static(_: Context) -> Outcome:
    """Exact moments of independent tasks."""
    return from_walk(printed_static_walk())


def within_task_walk(tasks: Ints) -> Walk:
    """Three views inside each task give back O, whatever the sequence of tasks."""
    O, rng = two_tasks(), np.random.default_rng(0)
    batches = np.stack([O.T[tasks]] * 3)
    found = learn_within_task(batches, 2, RESTARTS, ITERATIONS, rng)
    error = best_order_error(found.O, O) if isinstance(found, HmmEstimate) else float("inf")
    return Walk(
        (Statement("tasks that occur", len(set(tasks.tolist())), "=", 2),),
        Statement("error of the models", error, "≤", RECOVERY),
    )


def within_task(context: Context) -> Outcome:
    """Independent tasks."""
    drawn = st.lists(st.integers(0, 1), min_size=4, max_size=30).map(
        lambda tasks: np.array(tasks, dtype=np.int64)
    )
    found = search(context, drawn, within_task_walk, context.count(30, 300, 3000))
    return replace(found, tolerance=RECOVERY)


# Three likeliest tasks


def experiments_chain() -> Table:
    """Eight tasks: next 0.97, stay and skip 0.015 each."""
    rest = Fraction(15, 1000)
    return listed(8, {0: rest, 1: Fraction(97, 100), 2: rest})


def likeliest(T_hat: Table, current: int, kept: int) -> set[int]:
    """The tasks with the largest entries of a column; ties by number."""
    ranked = sorted(range(len(T_hat)), key=lambda theta: (-T_hat[theta][current], theta))
    return set(ranked[:kept])


def top_walk(T_hat: Table, current: int, kept: int = 3, largest: Fraction | None = None) -> Walk:
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
    return Walk(premises, Statement("possible successors that are dropped", len(missed), "=", 0))


def known_chain(_: Context, kept: int = 3) -> Outcome:
    """T̂ = T."""
    T = experiments_chain()
    return over_walks([top_walk(T, current, kept) for current in range(len(T))], "current tasks")


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


def ranked_chain(context: Context, largest: Fraction = HALF_OF_LEAST) -> Outcome:
    """T̂ ranks the true successors first when it is accurate enough."""
    return search(
        context,
        nearby_chains(largest),
        lambda drawn: top_walk(*drawn, largest=largest),
        context.count(60, 600, 10_000),
    )


# Clipping


def laws_pair() -> SearchStrategy[tuple[Vector, Vector]]:
    """Two laws on up to five points."""
    return st.integers(1, 5).flatmap(lambda size: st.tuples(laws((size,)), laws((size,))))


def clipping_walk(pair: tuple[Vector, Vector], limit: Fraction = Fraction(1)) -> Walk:
    """Entries of two laws differ by at most one."""
    p, q = pair
    return Walk(
        (Statement("both sum to", sum(p) + sum(q), "=", 2),),
        Statement(
            "largest difference of entries", max(map(abs, exactly.difference(p, q))), "≤", limit
        ),
    )


def clipping(context: Context, limit: Fraction = Fraction(1)) -> Outcome:
    """Drawn laws."""
    return search(
        context,
        laws_pair(),
        lambda pair: clipping_walk(pair, limit),
        context.count(100, 1000, 10_000),
    )


CHECKS = (
    Check(
        id="text-static-reduces-to-azar.same/independent-tasks",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="Algorithm 3 has no estimate for independent tasks, even from exact moments",
        run=printed_static,
    ),
    Check(
        id="text-static-reduces-to-azar.same/views-inside-a-task",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="three views inside each task give back O for any sequence of tasks",
        run=within_task,
    ),
    Check(
        id="text-svd-critical.stability/interpolation",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="with few triples full pseudo-inverses turn M̂_2 into the mean of o_3 ⊗ o_3",
        run=no_correlation_used,
    ),
    Check(
        id="text-svd-critical.small-tensor/exact-moments",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="the whitened k×k×k tensor gives back all third views",
        run=small_tensor,
    ),
    Check(
        id="text-top-three.robust/known-chain",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="three tasks can follow, and they are the three likeliest",
        run=known_chain,
        reading="text-top-three.robust.known-chain",
    ),
    Check(
        id="text-top-three.robust/accurate-chain",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="an error below 0.0075 per entry leaves the three successors in front",
        run=ranked_chain,
    ),
    Check(
        id="text-task-stochasticity-critical.slower/singular-values",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="σ_min(T) = |2s-1| for ten tasks, so 1/σ_min² grows with the failure probability",
        run=slower,
    ),
    Check(
        id="text-task-stochasticity-critical.all-values/one-half",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="at failure 1/2 the chain of ten tasks is singular",
        run=half_failures,
    ),
    Check(
        id="text-task-stochasticity-critical.all-values/invertible",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="below 1/2 exact moments give back all ten tasks",
        run=invertible_chains,
    ),
    Check(
        id="text-clipping-reasonable.at-most-one/exact-laws",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="entries of two laws differ by at most one",
        run=clipping,
    ),
)
