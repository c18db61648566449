"""Equation 8 and Lemmas 11 and 14 on simulated sequences of tasks.

What a lemma says with an unknown constant cannot be simulated. Here ρ_2 is replaced by what it
bounds, the realised error of the third views: the rest of the repaired bound is explicit.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from checks.appendix_b.measure import with_ratios
from checks.appendix_d.chains import (
    block_sizes,
    mixing,
    one_sample_observations,
    switching_runs,
    task_runs,
)
from checks.outcome import Outcome
from checks.registry import Check, Context
from checks.statistics import clopper_pearson, judge_probability
from reference import spectral_bounds as printed
from reference.arrays import Floats, Ints
from reference.hmm import HMM
from reference.repaired import spectral_bounds as repaired
from reference.repaired.spectral import learn_hmm
from reference.spectral import HmmEstimate
from spec.vocabulary import CheckKind, Verdict, Version

ALPHA_OF_CHECK = 1e-4
DELTA_PRIME = 0.1


# Equation 8


@dataclass(frozen=True)
class Setting:
    """Tasks of a shape, their chain, and how many are seen."""

    name: str
    S: int
    A: int
    U: int
    hmm: HMM
    h: int


def two_certain_tasks(S: int, A: int, stay: float, h: int = 600) -> Setting:
    """Task 1 always pays u_1 and leads to state 1, task 2 always u_2 and state 2."""
    rewards, states = np.tile(np.eye(2), (S * A, 1)), np.tile(np.eye(S, 2), (S * A, 1))
    T = np.array([[stay, 1 - stay], [1 - stay, stay]])
    hmm = HMM(np.vstack([rewards, states]), T, np.array([0.5, 0.5]))
    return Setting(f"two certain tasks, S={S} A={A} stay {stay}", S, A, 2, hmm, h)


def three_noisy_tasks(h: int = 600) -> Setting:
    """Two states, two actions, two rewards; every law is far from certain."""
    first = np.array(
        [
            [0.9, 0.2, 0.7, 0.1, 0.8, 0.3, 0.1, 0.6],
            [0.1, 0.8, 0.3, 0.6, 0.2, 0.9, 0.5, 0.1],
            [0.5, 0.4, 0.9, 0.9, 0.6, 0.1, 0.9, 0.3],
        ]
    )
    O = np.stack([first, 1 - first], axis=2).reshape(3, -1).T
    T = 0.7 * np.roll(np.eye(3), 1, axis=0) + 0.1
    return Setting("three noisy tasks", 2, 2, 2, HMM(O, T, np.array([1.0, 0.0, 0.0])), h)


def expected_moment(setting: Setting) -> Floats:
    """The mean of Σ̂_21 over all triples, whose first tasks have laws π, T³π, T⁶π, …."""
    O, T, law = setting.hmm.O, setting.hmm.T, setting.hmm.initial
    cube, mean = np.linalg.matrix_power(T, 3), np.zeros(len(law))
    for _ in range(setting.h // 3):
        mean, law = mean + law, cube @ law
    mean /= setting.h // 3
    moment: Floats = O @ (T * mean) @ O.T
    return moment


def moment_errors(setting: Setting, runs: int, rng: np.random.Generator) -> Floats:
    """‖Σ̂_21 - Σ_21‖₂ of independent runs, one sample per pair and task."""
    tasks = task_runs(setting.hmm.T, setting.hmm.initial, (runs, setting.h), rng)
    blocks = block_sizes(setting.S, setting.A, setting.U)
    o = one_sample_observations(setting.hmm.O, blocks, tasks, rng)
    m = setting.h // 3
    first, second = o[:, 0 : 3 * m : 3], o[:, 1 : 3 * m : 3]
    estimates = np.swapaxes(second, 1, 2) @ first / m
    errors: Floats = np.linalg.norm(estimates - expected_moment(setting), 2, axis=(1, 2))
    return errors


def printed_moment_bound(setting: Setting) -> float:
    """√(log(1/δ')/h)."""
    return printed.moment_error_bound(h=setting.h, delta_prime=DELTA_PRIME)


def repaired_moment_bound(setting: Setting) -> float:
    """(2SA/√m)(√(1+4g) + (1+g)√log(1/δ'))."""
    return repaired.moment_error_bound(
        S=setting.S,
        A=setting.A,
        h=setting.h,
        delta_prime=DELTA_PRIME,
        g_mix=mixing(setting.hmm.T),
    )


def coverage(
    context: Context,
    settings: Sequence[Setting],
    bound: Callable[[Setting], float],
    runs: int,
) -> Outcome:
    """P(error > bound) ≤ δ' for every setting; each has an equal share of α."""
    share = ALPHA_OF_CHECK / len(settings)
    verdicts, ratios, story, failed = [], [], [], 0
    interval = (0.0, 0.0)
    for number, setting in enumerate(settings):
        errors, allowed = moment_errors(setting, runs, context.generator(number)), bound(setting)
        failures = int(np.sum(errors > allowed))
        failed += failures
        verdicts.append(judge_probability(failures, runs, DELTA_PRIME, share))
        ratios += [float(error) / allowed for error in errors]
        found = clopper_pearson(failures, runs, share)
        interval = max(interval, found, key=lambda ends: ends[1])
        story.append(
            f"{setting.name}, h = {setting.h}: {failures} of {runs} runs above {allowed:.4g} "
            f"(median error {np.median(errors):.4g}), allowed {DELTA_PRIME:.0%}"
        )
    outcome = Outcome(
        verdict=worst(verdicts),
        instances=len(settings),
        trials=runs * len(settings),
        violations=failed,
        interval=interval,
        story=tuple(story),
    )
    return with_ratios(outcome, ratios)


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """One violation decides; one undecided instance leaves the whole undecided."""
    for verdict in (Verdict.VIOLATED, Verdict.INCONCLUSIVE):
        if verdict in verdicts:
            return verdict
    return Verdict.HOLDS


def printed_equation_8(
    context: Context, bound: Callable[[Setting], float] = printed_moment_bound
) -> Outcome:
    """Two tasks that differ everywhere, kept with probability 0.6."""
    return coverage(context, (two_certain_tasks(3, 2, 0.6),), bound, context.count(60, 400, 4000))


def repaired_equation_8(
    context: Context, bound: Callable[[Setting], float] = repaired_moment_bound
) -> Outcome:
    """The same tasks, a slowly mixing pair, and three noisy tasks that start in one of them."""
    settings = (
        two_certain_tasks(3, 2, 0.6, 300),
        two_certain_tasks(2, 1, 0.9, 300),
        three_noisy_tasks(300),
    )
    return coverage(context, settings, bound, context.count(110, 400, 4000))


# Lemmas 11 and 14

STAY, SURE, GAMMA = 0.9, 0.95, 0.5
RUN_DELTA = 0.5
RESTARTS, ITERATIONS = 5, 15


@dataclass(frozen=True)
class Pair:
    """Two tasks with two states and one action that differ in every law, kept with `STAY`.

    Task 1 pays 1 with probability `SURE` in state 1 and 1 - `SURE` in state 2, and moves to
    state 1 with probability `SURE`; task 2 does the opposite.
    """

    O: Floats
    h: int
    r: float
    C_S: float
    lambda_max: float
    sigma_k: float


def similar_pair() -> Pair:
    """With the least h of which the repaired Lemma 11 speaks (no condition comes from ρ_1)."""
    S, A, U, T = 2, 1, 2, np.array([[STAY, 1 - STAY], [1 - STAY, STAY]])
    one = np.array([1 - SURE, SURE, SURE, 1 - SURE, SURE, 1 - SURE, SURE, 1 - SURE])
    O = np.stack([one, 1 - one], axis=1)
    pi = np.array([0.5, 0.5])
    lambda_max = float(np.linalg.norm(O @ (T * pi) @ O.T, 2))
    sigma_k = float(np.linalg.svd(O @ (T @ T * pi) @ O.T, compute_uv=False)[1])
    C_S = repaired.moment_constant(S=S, A=A, g_mix=mixing(T))
    rho_3 = repaired.rho_3(
        rho_1=0.0, C_S=C_S, lambda_max_Sigma_21=lambda_max, sigma_k_Sigma_31=sigma_k
    )
    log_term = math.log(6 * S * A * (S + U) / RUN_DELTA)
    h = math.ceil(rho_3 * log_term)
    return Pair(O, h, math.sqrt(log_term / h), C_S, lambda_max, sigma_k)


def estimate(pair: Pair, rng: np.random.Generator) -> HmmEstimate | None:
    """One run of Algorithm 3 with rank-k pseudo-inverses, its columns in the order of the tasks."""
    tasks: Ints = switching_runs(STAY, (1, pair.h), rng)
    o = one_sample_observations(pair.O, block_sizes(2, 1, 2), tasks, rng)[0]
    found = learn_hmm(o, 2, RESTARTS, ITERATIONS, rng)
    if not isinstance(found, HmmEstimate) or found.T is None:
        return None
    orders = [list(order) for order in itertools.permutations(range(2))]
    best = min(orders, key=lambda order: float(np.linalg.norm(found.O[:, order] - pair.O)))
    return HmmEstimate(
        O=found.O[:, best],
        T=found.T[np.ix_(best, best)],
        weights=found.weights[best],
        eigenvalues=found.eigenvalues[best],
    )


def observation_ratio(pair: Pair, found: HmmEstimate) -> float:
    """Largest column error over ρ_4 r, with ρ_2 r the realised error of the third views.

    Line 10 makes T̂ = Ô^† μ̂, and Ô has independent columns, so μ̂ = Ô T̂ up to the part of μ̂
    outside the span of Ô; the part inside is what Ô was made from.
    """
    assert found.T is not None
    T = np.array([[STAY, 1 - STAY], [1 - STAY, STAY]])
    view_error = float(np.linalg.norm(found.O @ found.T - pair.O @ T, axis=0).max())
    rho_4 = repaired.rho_4(
        rho_2=view_error / pair.r,
        S=2,
        A=1,
        C_S=pair.C_S,
        lambda_max_Sigma_21=pair.lambda_max,
        sigma_k_Sigma_31=pair.sigma_k,
    )
    error = float(np.linalg.norm(found.O - pair.O, axis=0).max())
    return error / (rho_4 * pair.r)


def observation_runs(
    context: Context, ratio: Callable[[Pair, HmmEstimate], float] = observation_ratio
) -> Outcome:
    """P(a column error exceeds its bound) ≤ δ' = 1/2; a run without an estimate has failed."""
    runs, pair = context.count(16, 60, 400), similar_pair()
    found = [estimate(pair, context.generator(run)) for run in range(runs)]
    ratios = [ratio(pair, one) for one in found if one is not None]
    failures = runs - sum(value <= 1 for value in ratios)
    outcome = Outcome(
        verdict=judge_probability(failures, runs, RUN_DELTA, ALPHA_OF_CHECK),
        instances=1,
        trials=runs,
        violations=failures,
        interval=clopper_pearson(failures, runs, ALPHA_OF_CHECK),
        story=(f"h = {pair.h}: {failures} of {runs} runs failed, allowed {RUN_DELTA:.0%}",),
    )
    return with_ratios(outcome, ratios)


CHECKS = (
    Check(
        id="equation-8.bound/two-tasks",
        version=Version.PRINTED,
        kind=CheckKind.PROBABILITY,
        says="two certain tasks that differ everywhere, 600 of them in a row",
        run=printed_equation_8,
        alpha=ALPHA_OF_CHECK,
    ),
    Check(
        id="equation-8.bound/with-mixing",
        version=Version.REPAIRED,
        kind=CheckKind.PROBABILITY,
        says="the bound with size, number of triples and mixing, on three chains",
        run=repaired_equation_8,
        alpha=ALPHA_OF_CHECK,
    ),
    Check(
        id="lemma-11.bound/runs",
        version=Version.REPAIRED,
        kind=CheckKind.PROBABILITY,
        says="column errors of Ô in runs as long as the repaired lemma asks",
        run=observation_runs,
        alpha=ALPHA_OF_CHECK,
    ),
)
