"""What Algorithm 1 and the algorithm it falls back on promise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from checks.appendix_b.measure import search_and_measure
from checks.counterexamples import two_phases, wrong_policy
from checks.families import tasks
from checks.families.named import bandit, exactly_known
from checks.families.shape import TaskSet
from checks.outcome import Outcome, Statement, Walk, from_walk
from checks.registry import Check, Context
from checks.section_3.runs import all_of, true_loss
from checks.statistics import clopper_pearson, judge_probability
from reference.arrays import Ints
from reference.fallback import FallbackResult, UniformSampling, samples_per_pair
from reference.generative import GenerativeModel, Simulator
from reference.mdp import MDP
from reference.repaired.ptum import ptum as repaired_ptum
from reference.values import optimal_value, value_tolerance
from spec.vocabulary import CheckKind, Version

ALPHA = 1e-4


# The ENSURE line


def surely_wrong(_: Context) -> Outcome:
    """A run that stops in pass 1 with a policy that loses 9ε."""
    return from_walk(wrong_policy.walk(wrong_policy.instance(), Version.PRINTED))


def twice_delta(_: Context) -> Outcome:
    """Both phases with all of δ: the chances of two failures add up to more than δ."""
    return from_walk(two_phases.walk(two_phases.instance(), Version.PRINTED))


def half_each(_: Context) -> Outcome:
    """The same arms with δ/2 for each phase."""
    return from_walk(two_phases.walk(two_phases.instance(), Version.REPAIRED))


@dataclass(frozen=True, eq=False)
class Whole:
    """A run of both phases: tasks, ε, the declared Δ and a budget."""

    task_set: TaskSet
    epsilon: float
    Delta: float
    n: int


ENSURED_DELTA = 0.6
"""The claim is for every δ; a large one needs few trials."""


def whole_runs() -> tuple[Whole, ...]:
    """Runs that end in transfer mode, by line 22, and by line 2."""
    noisy = exactly_known("noisy arms", bandit(0.0, (0.9, 0.1), (0.1, 0.9)))
    certain = exactly_known("certain arms", bandit(0.0, (1.0, 0.0), (0.0, 1.0)))
    return (
        Whole(certain, 0.5, 0.02, 200),
        Whole(noisy, 0.5, 0.0, 200),
        Whole(noisy, 0.5, 0.0, 5),
        Whole(noisy, 0.5, 0.2, 200),
    )


def misses(whole: Whole, seed: int) -> bool:
    """Whether the repaired algorithm, fallback included, returns nothing or loses more than ε."""
    target = whole.task_set.true[0]
    result = repaired_ptum(
        whole.task_set.approximate,
        Simulator(target, seed),
        epsilon=whole.epsilon,
        delta=ENSURED_DELTA,
        n=whole.n,
        Delta=whole.Delta,
        fallback=UniformSampling(),
    )
    return result.policy is None or _loses(target, result.policy, whole.epsilon)


def _loses(target: MDP, policy: Ints, epsilon: float) -> bool:
    tolerance = value_tolerance(optimal_value(target), target.gamma)
    return true_loss(target, policy) > epsilon + tolerance


def ensured(context: Context) -> Outcome:
    """The repaired algorithm on named runs of every kind."""
    return counted(
        context,
        [(f"{w.task_set.name}, n = {w.n}, Δ = {w.Delta:g}", w) for w in whole_runs()],
        misses,
        ENSURED_DELTA,
        context.count(14, 60, 2000),
    )


Named: TypeAlias = list[tuple[str, Whole]]


def counted(
    context: Context,
    named: Named,
    fails: Callable[[Whole, int], bool],
    delta: float,
    trials: int,
) -> Outcome:
    """P(failure) ≤ δ on every named instance, wrong with probability at most α."""
    share = ALPHA / len(named)
    verdicts, story, most = [], [], 0
    for number, (name, whole) in enumerate(named):
        seeds = context.generator(number).integers(0, 2**62, size=trials).tolist()
        failures = sum(fails(whole, seed) for seed in seeds)
        verdicts.append(judge_probability(failures, trials, delta, share))
        story.append(f"{name}: {failures} failures in {trials} runs")
        most = max(most, failures)
    return Outcome(
        verdict=all_of(verdicts),
        instances=len(named),
        trials=trials * len(named),
        violations=most,
        interval=clopper_pearson(most, trials, share),
        worst_ratio=most / trials / delta,
        story=tuple(story),
    )


# The PAC algorithm


class Counter:
    """A generative model that counts the queries of every pair."""

    def __init__(self, model: GenerativeModel, S: int, A: int) -> None:
        self.N = np.zeros((S, A), dtype=np.int64)
        self._model = model

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Pass the query on."""
        self.N[s, a] += 1
        return self._model.sample(s, a)


@dataclass(frozen=True, eq=False)
class Solved:
    """A task, what is asked of the fallback, and the seed of the answers."""

    theta: MDP
    epsilon: float
    delta: float
    seed: int


Solver: TypeAlias = Callable[[GenerativeModel, int, int, float, float, float], FallbackResult]


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


def samples_walk(case: Solved, solve: Solver) -> Walk:
    """Every pair is queried m times, the report is right, and the total is below a polynomial."""
    theta, epsilon, delta = case.theta, case.epsilon, case.delta
    counter = Counter(Simulator(theta, case.seed), theta.S, theta.A)
    result = solve(counter, theta.S, theta.A, theta.gamma, epsilon, delta)
    m = samples_per_pair(theta.S, theta.A, theta.gamma, epsilon, delta)
    uneven = int(np.sum(m != counter.N)) + int(result.queries != int(counter.N.sum()))
    return Walk(
        premises=(),
        conclusion=Statement(
            "queries against the polynomial" + (" (wrongly counted)" if uneven else ""),
            float("inf") if uneven else result.queries,
            "≤",
            polynomial(theta.S, theta.A, theta.gamma, epsilon, delta),
        ),
    )


def polynomial_samples(context: Context) -> Outcome:
    """The fallback on drawn tasks."""
    return search_and_measure(
        context,
        to_solve(),
        lambda case: samples_walk(case, UniformSampling()),
        context.count(25, 250, 4000),
    )


PAC_DELTA = 0.7


def pac_tasks() -> Named:
    """Two arms, where the wrong one loses 0.6, and two states, where the wrong moves lose 0.9."""
    two = bandit(0.0, (0.8, 0.2), (0.2, 0.8))
    p = np.array([[[0.95, 0.05], [0.05, 0.95]]] * 2)
    q = np.array([[[1.0, 0.0]] * 2, [[0.0, 1.0]] * 2])
    states = exactly_known("two states", (MDP(p, q, np.array([0.0, 1.0]), 0.5),))
    return [
        ("two arms", Whole(exactly_known("two arms", two), 0.5, 0.0, 1)),
        ("two states", Whole(states, 0.8, 0.0, 1)),
    ]


def solver_fails(solve: Solver) -> Callable[[Whole, int], bool]:
    """Whether the policy of a solver loses more than ε."""

    def fails(whole: Whole, seed: int) -> bool:
        target = whole.task_set.true[0]
        found = solve(
            Simulator(target, seed), target.S, target.A, target.gamma, whole.epsilon, PAC_DELTA
        )
        return _loses(target, found.policy, whole.epsilon)

    return fails


def pac_probability(context: Context) -> Outcome:
    """The fallback on named tasks."""
    trials = context.count(10, 40, 1000)
    return counted(context, pac_tasks(), solver_fails(UniformSampling()), PAC_DELTA, trials)


CHECKS: tuple[Check, ...] = (
    Check(
        id="algorithm-1.ensures/wrong-policy",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="a run that stops in pass 1 and surely loses 9ε",
        run=surely_wrong,
    ),
    Check(
        id="algorithm-1.ensures/both-phases",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="exact models, both phases with δ: the failure probability exceeds δ, barely",
        run=twice_delta,
    ),
    Check(
        id="algorithm-1.ensures/repaired-both-phases",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="the same arms with δ/2 for each phase",
        run=half_each,
    ),
    Check(
        id="algorithm-1.ensures/repaired-named",
        version=Version.REPAIRED,
        kind=CheckKind.PROBABILITY,
        says="P(loss above ε) ≤ δ for runs that end by line 14, by line 22 and by line 2",
        run=ensured,
        alpha=ALPHA,
    ),
    Check(
        id="text-pac-algorithm.definition/samples",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="the fallback asks as often as it says, below a polynomial",
        run=polynomial_samples,
    ),
    Check(
        id="text-pac-algorithm.definition/probability",
        version=Version.PRINTED,
        kind=CheckKind.PROBABILITY,
        says="P(the fallback's policy loses more than ε) ≤ δ on named tasks",
        run=pac_probability,
        alpha=ALPHA,
    ),
)
