"""What Algorithm 1 and the algorithm it falls back on promise."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_b.runs import true_loss
from ptum.checks.claims.section_3.runs import nudged
from ptum.checks.engine.blocks import Ahead
from ptum.checks.exact.mdp import SHARP_FACTOR
from ptum.checks.instances.counterexamples.section_3 import algorithm_1
from ptum.checks.instances.fakes import CountingModel
from ptum.checks.instances.families import tasks
from ptum.checks.instances.families.named import bandit, exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.instances.families.tasks import byte_arrays
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    Evaluation,
    Outcome,
    Statement,
    formula_lines,
    from_evaluation,
)
from ptum.checks.verdicts.probability_search import (
    Effort,
    TrialResult,
    named_and_drawn,
    one_by_one,
    within,
)
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import Ints
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import optimal_value
from ptum.reference.transfer.analysis.lemmas import correctness_tolerance
from ptum.reference.transfer.fallback import FallbackResult, UniformSampling, samples_per_pair
from ptum.spec.vocabulary import CheckKind, Version

ALPHA = 1e-4


# The ENSURE line


@check("algorithm-1.ensures/repaired-both-phases", CheckKind.EXACT)
def half_each(_: Context) -> Outcome:
    """With δ/2 for each phase P(the output is not ε-optimal) ≤ δ on target and rival."""
    return from_evaluation(
        algorithm_1.two_phases_evaluation(algorithm_1.TargetAndRival(), Version.REPAIRED)
    )


@dataclass(frozen=True, eq=False)
class WholeRun:
    """A run of both phases: tasks, ε, the declared Δ and a budget."""

    task_set: TaskSet
    epsilon: float
    Delta: float
    n: int

    @property
    def target(self) -> MDP:
        """The last task: a run that stopped too early would return the policy of the first."""
        return self.task_set.true[-1]


EVEN = 0.5
"""The claims are for every δ. With this one a handful of trials tells never from always."""


def whole_runs() -> dict[str, WholeRun]:
    """Runs that end in transfer mode, by line 22, and by line 2."""
    noisy = exactly_known("noisy arms", bandit(0.0, (0.9, 0.1), (0.1, 0.9)))
    deterministic = exactly_known("certain arms", bandit(0.0, (1.0, 0.0), (0.0, 1.0)))
    chosen = (
        WholeRun(deterministic, 0.5, 0.02, 200),
        WholeRun(noisy, 0.5, 0.0, 200),
        WholeRun(noisy, 0.5, 0.0, 5),
        WholeRun(noisy, 0.5, 0.2, 200),
    )
    return {f"{w.task_set.name}, n = {w.n}, Δ = {w.Delta:g}": w for w in chosen}


@st.composite
def contrasts(draw: DrawFn, S: int, gamma: float) -> MDP:
    """Two actions; in every state one of them pays at least 0.6 more than the other."""
    good = draw(byte_arrays(S)) % 2
    high, low = draw(st.sampled_from((1.0, 0.9, 0.8))), draw(st.sampled_from((0.0, 0.1, 0.2)))
    r = np.where(np.arange(2) == good[:, np.newaxis], high, low)
    rewards = draw(st.sampled_from((deterministic_rewards, bernoulli_rewards)))
    return rewards(draw(tasks.transitions(S, 2)), r, gamma)


@st.composite
def drawn_wholes(draw: DrawFn) -> WholeRun:
    """Two tasks of contrasts, known exactly, known well enough, or refused by line 2."""
    S, gamma = draw(st.integers(1, 2)), draw(st.sampled_from((0.0, 0.3)))
    models = tuple(draw(contrasts(S, gamma)) for _ in range(2))
    approximate, epsilon = approximate_models(models), draw(st.sampled_from((0.5, 0.35)))
    threshold = (1 - gamma) * epsilon / (SHARP_FACTOR * (1 + gamma))
    Delta = threshold * draw(st.sampled_from((0.0, 0.999, 2.0)))
    n = draw(st.sampled_from((5, 50)))
    return WholeRun(nudged(models, approximate, Delta), epsilon, Delta, n)


def misses(whole: WholeRun, rng: np.random.Generator) -> TrialResult:
    """Whether the repaired algorithm, fallback included, returns nothing or loses more than ε."""
    target = whole.target
    result = repaired_ptum(
        whole.task_set.approximate,
        Ahead(target, int(rng.integers(0, 2**62))),
        epsilon=whole.epsilon,
        delta=EVEN,
        n=whole.n,
        Delta=whole.Delta,
        fallback=UniformSampling(),
    )
    return (
        TrialResult(True) if result.policy is None else _loses(target, result.policy, whole.epsilon)
    )


def _loses(target: MDP, policy: Ints, epsilon: float) -> TrialResult:
    tolerance = correctness_tolerance(optimal_value(target), target.gamma)
    return within(true_loss(target, policy) / (epsilon + tolerance))


@check("algorithm-1.ensures/repaired-named", CheckKind.PROBABILITY, alpha=ALPHA)
def ensured(context: Context) -> Outcome:
    """P(loss above ε) ≤ δ for runs that end by line 14, by line 22 and by line 2."""
    return _with_probability(context, misses, whole_runs())


def line_14(whole: WholeRun) -> tuple[str, ...]:
    """What a policy may lose in the models for the run to return it."""
    gamma = whole.task_set.approximate.gamma
    return formula_lines(*formulas.slack(whole.epsilon, whole.Delta, gamma))


def _with_probability(
    context: Context,
    trial: Callable[[WholeRun, np.random.Generator], TrialResult],
    named: Mapping[str, WholeRun],
) -> Outcome:
    return named_and_drawn(
        context,
        one_by_one(trial, EVEN, line_14),
        named,
        drawn_wholes(),
        Effort(context.count(12, 150, 3000), 1, context.count(40, 100, 1000)),
        trials=context.count(130, 160, 2000),
        alpha=ALPHA,
    )


# The PAC algorithm


@stored
@dataclass(frozen=True, eq=False)
class Solved:
    """A task, what is asked of the fallback, and the seed of the answers."""

    theta: MDP
    epsilon: float
    delta: float
    seed: int


SolvesTask: TypeAlias = Callable[[GenerativeModel, int, int, float, float, float], FallbackResult]


@st.composite
def to_solve(draw: DrawFn) -> Solved:
    """Small tasks with an accuracy of some share of 1/(1-γ)³, so that few samples are enough."""
    theta = draw(tasks.built(tasks.transitions, st.integers(1, 2), 2, FALLBACK_DISCOUNT))
    share = draw(st.sampled_from((1.0, 0.5, 2.0)))
    delta = draw(st.sampled_from((0.5, 0.1, 0.01)))
    epsilon = share / (1 - theta.gamma) ** 3
    return Solved(theta, epsilon, delta, draw(st.integers(0, 2**32)))


FALLBACK_DISCOUNT = st.sampled_from((0.0, 0.5, 0.9))


def polynomial(S: int, A: int, gamma: float, epsilon: float, delta: float) -> float:
    """SA + 4(SA)²/(δ ε² (1-γ)⁶): what ⌈2 log(2SA/δ)/(ε²(1-γ)⁶)⌉ per pair cannot exceed."""
    return S * A + 4 * (S * A) ** 2 / (delta * epsilon**2 * (1 - gamma) ** 6)


def samples_evaluation(case: Solved, solve: SolvesTask) -> Evaluation:
    """Every pair is queried m times, the report is right, and the total is below a polynomial."""
    theta, epsilon, delta = case.theta, case.epsilon, case.delta
    counter = CountingModel(Simulator(theta, case.seed))
    result = solve(counter, theta.S, theta.A, theta.gamma, epsilon, delta)
    m = samples_per_pair(theta.S, theta.A, theta.gamma, epsilon, delta)
    pairs = itertools.product(range(theta.S), range(theta.A))
    wrong = any(counter.of_pair[pair] != m for pair in pairs) or result.queries != counter.asked
    return Evaluation(
        premises=(),
        conclusion=Statement(
            "queries against the polynomial" + (" (wrongly counted)" if wrong else ""),
            float("inf") if wrong else result.queries,
            "≤",
            polynomial(theta.S, theta.A, theta.gamma, epsilon, delta),
        ),
    )


@check("text-pac-algorithm.definition/samples", CheckKind.EXACT)
def polynomial_samples(context: Context) -> Outcome:
    """The fallback asks as often as it says, below a polynomial."""
    return search(
        context,
        to_solve(),
        lambda case: samples_evaluation(case, UniformSampling()),
        (25, 250, 4000),
    )


def pac_tasks() -> dict[str, WholeRun]:
    """Two arms, where the wrong one loses 0.6, and two states, where the wrong moves lose 0.45."""
    p = np.array([[[0.95, 0.05], [0.05, 0.95]]] * 2)
    q = np.array([[[1.0, 0.0]] * 2, [[0.0, 1.0]] * 2])
    states = (MDP(p, q, np.array([0.0, 1.0]), 1 / 3),)
    return {
        "two arms": WholeRun(exactly_known("two arms", bandit(0.0, (0.8, 0.2))), 0.5, 0.0, 1),
        "two states": WholeRun(exactly_known("two states", states), 0.44, 0.0, 1),
    }


def solver_fails(solve: SolvesTask) -> Callable[[WholeRun, np.random.Generator], TrialResult]:
    """Whether the policy of a solver loses more than ε."""

    def fails(whole: WholeRun, rng: np.random.Generator) -> TrialResult:
        target = whole.target
        answers = Ahead(target, int(rng.integers(0, 2**62)))
        found = solve(answers, target.S, target.A, target.gamma, whole.epsilon, EVEN)
        return _loses(target, found.policy, whole.epsilon)

    return fails


@check("text-pac-algorithm.definition/probability", CheckKind.PROBABILITY, alpha=ALPHA)
def pac_probability(context: Context) -> Outcome:
    """P(the fallback's policy loses more than ε) ≤ δ on named and drawn tasks."""
    return _with_probability(context, solver_fails(UniformSampling()), pac_tasks())
