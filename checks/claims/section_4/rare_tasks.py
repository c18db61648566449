"""Theorem 2 where a task is rare, and where the power method is asked at every task for ever.

Views within a task ask nothing of T, but how often each task came is chance. Two bandits, 60 tasks,
30 samples of every arm: what bounds the errors of balanced sequences does not bound those of
T = [[.98, .3], [.02, .7]], unless λ_k(M̂_2) ≥ 2ℓ is asked for (D105).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.families.hmms import Sizes, observations
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, formula_lines
from ptum.checks.verdicts.probability_search import (
    ProbabilityClaim,
    TrialResult,
    judge_named,
    one_by_one,
    within,
)
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.repaired.sequential.algorithm import Constants
from ptum.reference.repaired.sequential.alignment import align
from ptum.reference.repaired.sequential.analysis.sequential_bounds import (
    power_method_effort,
    theorem_2_bound,
    theorem_2_condition,
)
from ptum.reference.repaired.sequential.lines import often_enough
from ptum.reference.repaired.sequential.spectral import SpectralOutcome as Learned
from ptum.reference.repaired.sequential.spectral import learn_within_task
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import c_h
from ptum.reference.sequential.hmm import VIEWS, task_sequence
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.spec.vocabulary import CheckKind

ALPHA_OF_CHECK = 1e-4
DELTA_PRIME = 0.1
TASKS, SAMPLES, RESTARTS, STEPS = 60, 10, 8, 20
"""Tasks of a sequence, samples of every arm in each batch, effort of the power method."""

SIZES = Sizes(S=1, A=2, U=2)
OF_60 = {"S": SIZES.S, "A": SIZES.A, "U": SIZES.U, "h": TASKS}
BANDITS = np.array([[0.25, 0.75, 0.75, 0.25, 1, 1], [0.75, 0.25, 0.25, 0.75, 1, 1]]).T
"""One state, two arms: the better arm pays with probability 3/4, the other with 1/4."""

CONSTANTS = Constants(rho_3=4.0, rho_4=0.2, rho_5=4.0, rho_6=1.0, ell=0.06)
"""ρ_4 was measured: e_60 is 0.099, and 2 of 1000 balanced sequences had a column error above it.
λ_k(M̂_2) of these was 0.19 to 0.30, and ℓ is a third of the least of it."""


@dataclass(frozen=True, eq=False)
class Chain:
    """A chain of the two bandits; `open` says that sequences of it have to be admitted as well."""

    T: Floats
    open: bool


NAMED = {
    "either task next": Chain(np.full((2, 2), 0.5), open=True),
    "the second task is rare": Chain(np.array([[0.98, 0.3], [0.02, 0.7]]), open=False),
}

Gate = Callable[[Learned, Constants], Learned]


def bound() -> float:
    """e_60, or infinity if Theorem 2 did not speak of 60 tasks."""
    level = Level(**OF_60, delta_prime=DELTA_PRIME)
    if not theorem_2_condition(level, rho_3=CONSTANTS.rho_3):
        return math.inf
    return theorem_2_bound(level, rho_any=CONSTANTS.rho_4)


def one_sequence(chain: Chain, gate: Gate, rng: np.random.Generator) -> TrialResult:
    """Learn from 60 tasks; no column of an admitted estimate may be off by more than e_60."""
    tasks = task_sequence(chain.T, [0.5, 0.5], TASKS, rng)
    views = [observations(rng, BANDITS, tasks, SIZES, SAMPLES) for _ in range(VIEWS)]
    found = gate(learn_within_task(np.stack(views), 2, RESTARTS, STEPS, rng), CONSTANTS)
    if not isinstance(found, HmmEstimate):
        return TrialResult(chain.open)
    off = found.O[:, align(BANDITS, found.O)] - BANDITS
    return within(float(np.linalg.norm(off, axis=0).max()) / bound())


def rare(gate: Gate) -> ProbabilityClaim[Chain]:
    """P(an estimate is admitted and off by more than e_60) ≤ δ'; balanced tasks are admitted."""

    def trial(chain: Chain, rng: np.random.Generator) -> TrialResult:
        return one_sequence(chain, gate, rng)

    def explain(chain: Chain) -> tuple[str, ...]:
        values = (*OF_60.items(), ("rho_any", CONSTANTS.rho_4), ("delta_prime", DELTA_PRIME))
        bound = formula_lines(formulas.SEQUENTIAL + "THEOREM_2", values)
        return (f"T          {chain.T.tolist()}", *bound)

    return one_by_one(trial, DELTA_PRIME, explain)


@check("theorem-2.bounds/unbalanced", CheckKind.PROBABILITY, alpha=ALPHA_OF_CHECK)
def unbalanced(context: Context, gate: Gate = often_enough) -> Outcome:
    """One constant serves balanced tasks and, where λ_k(M̂_2) ≥ 2ℓ, a chain with a rare one."""
    trials = context.count(200, 400, 4000)
    return judge_named(context, rare(gate), NAMED, trials, ALPHA_OF_CHECK)


# Restarts


@stored
@dataclass(frozen=True)
class LongRun:
    """Sizes and δ', what a restart is worth, and a task of a long run."""

    S: int
    A: int
    U: int
    delta_prime: float
    L_0: float
    N_0: float
    h: int


@st.composite
def long_runs(draw: DrawFn) -> LongRun:
    """Any sizes; h up to a billion."""
    S, A, U = (draw(st.integers(1, 5)) for _ in range(3))
    worth = st.sampled_from((0.1, 1.0, 7.3, 100.0))
    h = draw(st.one_of(st.integers(1, 100), st.sampled_from((10**4, 10**9))))
    delta_prime = draw(st.sampled_from((0.9, 0.1, 1e-6)))
    return LongRun(S, A, U, delta_prime, draw(worth), draw(worth), h)


Effort = Callable[..., tuple[int, int]]


def effort_evaluation(case: LongRun, effort: Effort = power_method_effort) -> Evaluation:
    """Enough restarts and steps at the first task are enough at task h.

    L_0 restarts divide the probability of failure by e, and a fifth of 6δ'/(π²h²) is allowed;
    N_0 log λ_h steps reach the accuracy that is promised at h.
    """
    S, A, U, delta_prime = case.S, case.A, case.U, case.delta_prime
    level = Level(S=S, A=A, U=U, h=case.h, delta_prime=delta_prime)
    first, now = math.log(c_h(replace(level, h=1))), math.log(c_h(level))
    L, N = math.ceil(case.L_0 * first), math.ceil(case.N_0 * math.log(first))
    L_h, N_h = effort(level, L=L, N=N)
    failure = 5 * math.pi**2 * case.h**2 / (6 * case.delta_prime)
    of_restarts, of_steps = case.L_0 * math.log(failure) / L_h, case.N_0 * math.log(now) / N_h
    needed = max_of((of_restarts, of_steps))
    text = "needed over given, the larger of restarts and steps"
    values = (("S", S), ("A", A), ("U", U), ("delta_prime", delta_prime), ("h", case.h))
    formed = formulas.SEQUENTIAL + "C_H", values
    conclusion = Statement(text, needed, "≤", 1 + FEW_ROUNDINGS, *formed, bound=c_h(level))
    return Evaluation((), conclusion)


FEW_ROUNDINGS = 32 * ROUNDING
"""Of a quotient of positive numbers made by a dozen operations, with logarithms above 1."""


@check("theorem-2.bounds/restarts", CheckKind.INEQUALITY)
def restarts(context: Context, effort: Effort = power_method_effort) -> Outcome:
    """Restarts and steps that are enough at the first task are enough at all h together."""
    return search(
        context,
        long_runs(),
        lambda case: effort_evaluation(case, effort),
        (100, 500, 20_000),
        tolerance=FEW_ROUNDINGS,
    )
