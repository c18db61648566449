"""The observation of a task that PTUM has sampled until it knew enough (erratum E41).

One state, two arms, no discount. Arm 0 pays 1 with probability 0.1 in task 0 and 0.9 in task 1, arm
1 pays 1/2 for sure in both. PTUM queries arm 0 until one of the two models falls, so that how often
it asks depends on what it saw. What it has seen at any time is two counts, and all probabilities
are fractions. Whether counts drop a model is decided between enclosures of both sides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from ptum.checks.exact.intervals import compared, written
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs, two_outcomes
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.instances.families.named import exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.checks.verdicts.roots import in_squares
from ptum.reference.tasks.mdp import MDP

RATES = (Fraction(1, 10), Fraction(9, 10))
EPSILON, DELTA, BUDGET, GAMMA = 0.2, 0.1, 80, 0.0

Distribution = dict[tuple[int, int], Fraction]
"""Chance of each pair (samples of arm 0, successes among them) when PTUM ends."""


@dataclass(frozen=True)
class Beginning:
    """What PTUM is told when the task begins: Δ_h, ε and the chances that the past has estimated.

    Everything is computed for the coin as arm 0; with the deterministic arm first PTUM would query
    arm 1.
    """

    Delta: float = 0.0
    epsilon: float = EPSILON
    deterministic_arm: int = 1
    estimated: tuple[Fraction, ...] = RATES


def task_set(deterministic_arm: int = 1) -> TaskSet:
    """Both tasks, known exactly."""
    deterministic = [0.0, 1.0, 0.0]
    coins = [[1 - float(rate), 0.0, float(rate)] for rate in RATES]
    arms = [
        [coin, deterministic] if deterministic_arm == 1 else [deterministic, coin] for coin in coins
    ]
    q = [np.array([rows]) for rows in arms]
    u, stay = np.array([0.0, 0.5, 1.0]), np.ones((1, 2, 1))
    return exactly_known("two arms", tuple(MDP(stay, table, u, GAMMA) for table in q))


@lru_cache(maxsize=8)
def ends(beginning: Beginning) -> frozenset[tuple[int, int]]:
    """The counts (N, successes) at which PTUM, in its next iteration, takes no further sample."""
    counts = [(N, s) for N in range(2, BUDGET) for s in range(N + 1)]
    N, s = np.array(counts).T
    tests = two_outcomes.of_rewards(1, 2, BUDGET, 2, written(DELTA), written(beginning.Delta))
    out = np.zeros(len(N), dtype=bool)
    for rate in beginning.estimated:
        out |= two_outcomes.falls(N, s, rate, tests)
    return frozenset(pair for pair, falls in zip(counts, out, strict=True) if falls)


@lru_cache(maxsize=8)
def distribution_at_the_end(rate: Fraction, beginning: Beginning) -> Distribution:
    """The distribution of both counts at the end, when arm 0 succeeds with the given chance."""
    stops, distribution = ends(beginning), {}
    alive: Distribution = {(0, 0): Fraction(1)}
    for N in range(BUDGET + 1):
        following: Distribution = {}
        for (_, s), probability in alive.items():
            if (N, s) in stops or N == BUDGET:
                distribution[(N, s)] = probability
                continue
            for success, chance in ((1, rate), (0, 1 - rate)):
                place = (N + 1, s + success)
                following[place] = following.get(place, Fraction(0)) + probability * chance
        alive = following
    return distribution


def distribution_of_frequency(distribution: Distribution) -> dict[Fraction, Fraction]:
    """The distribution of q̂(1 | arm 0)."""
    frequencies: dict[Fraction, Fraction] = {}
    for (N, s), probability in distribution.items():
        frequency = Fraction(s, N)
        frequencies[frequency] = frequencies.get(frequency, Fraction(0)) + probability
    return frequencies


def expected_frequency(distribution: Distribution) -> Fraction:
    """E[q̂(1 | arm 0)]."""
    return sum((x * p for x, p in distribution_of_frequency(distribution).items()), Fraction(0))


def premises(beginning: Beginning) -> tuple[Statement, ...]:
    """PTUM's models are within Δ; it is in transfer mode, does not stop at once, samples arm 0."""
    models, both = exact_models(beginning), (0, 1)
    told = Algorithm1Inputs(
        written(beginning.epsilon), written(DELTA), BUDGET, Delta=written(beginning.Delta)
    )
    _, arm = deterministic_runs.query(deterministic_runs.index(models, both, told.Delta))
    stops = deterministic_runs.stopping_models(models, both, told)
    return (
        *_within(beginning.estimated, told.Delta),
        deterministic_runs.enters(told, Fraction(0)),
        Statement("policies that stop at once", len(stops), "=", 0),
        Statement("arm that is queried", arm, "=", 0),
    )


MEANS, DEVIATIONS = "largest error of a mean reward", "errors of deviations above Δ"


def _within(estimated: tuple[Fraction, ...], Delta: Fraction) -> tuple[Statement, ...]:
    """Assumption 1: means and standard deviations of the models are within Δ of the tasks'."""
    pairs = list(zip(estimated, RATES, strict=True))
    above = [not _deviations_close(a * (1 - a), b * (1 - b), Delta) for a, b in pairs]
    return (
        Statement(MEANS, max(abs(a - b) for a, b in pairs), "≤", Delta),
        Statement(DEVIATIONS, sum(above), "=", 0),
    )


def _deviations_close(x: Fraction, y: Fraction, Delta: Fraction) -> bool:
    """|√x - √y| ≤ Δ, without a root."""
    left, right = in_squares(x, y, Delta**2)
    return left <= right


def exact_models(beginning: Beginning) -> tuple[ExactMDP, ...]:
    """PTUM's models in rational numbers; of a reward only mean and variance matter."""
    half, zero = Fraction(1, 2), Fraction(0)
    tasks = []
    for rate in beginning.estimated:
        means, variances = (rate, half), (rate * (1 - rate), zero)
        turn = 1 if beginning.deterministic_arm == 1 else -1
        (task,) = deterministic_runs.arms(zero, means[::turn])
        tasks.append(replace(task, var=(variances[::turn],)))
    return tuple(tasks)


def unbiased(task: int, beginning: Beginning | None = None, fixed: int | None = None) -> Evaluation:
    """E[q̂_h(1 | arm 0) | θ*_h] = q_θ*(1 | arm 0); `fixed` samples instead of PTUM's if given."""
    told = beginning or Beginning()
    rate = RATES[task]
    mean = expected_frequency(distribution_of_counts(rate, told, fixed))
    text = f"mean of q̂(1|arm 0){_of_fresh(fixed)}"
    return Evaluation(premises(told), Statement(text, *compared(mean, "=", rate)))


def _of_fresh(fixed: int | None) -> str:
    return "" if fixed is None else f", number of samples fixed at {fixed}"


def same_distribution(
    first: Beginning, second: Beginning, task: int = 0, fixed: int | None = None
) -> Evaluation:
    """The distribution of q̂_h(1 | arm 0) given the task is the same after two different pasts."""
    laws = [
        distribution_of_frequency(distribution_of_counts(RATES[task], told, fixed))
        for told in (first, second)
    ]
    distance = sum(
        (
            abs(laws[0].get(x, Fraction(0)) - laws[1].get(x, Fraction(0)))
            for x in {*laws[0], *laws[1]}
        ),
        Fraction(0),
    )
    pasts = (("after the first past", first), ("after the second past", second))
    return Evaluation(
        tuple(
            replace(statement, text=f"{statement.text}, {past}")
            for past, told in pasts
            for statement in premises(told)
        ),
        Statement(
            f"total variation between the two distributions of q̂{_of_fresh(fixed)}",
            *compared(distance / 2, "=", 0),
        ),
    )


def distribution_of_counts(rate: Fraction, beginning: Beginning, fixed: int | None) -> Distribution:
    """Of PTUM's samples, or of a fixed number of fresh ones."""
    return distribution_at_the_end(rate, beginning) if fixed is None else binomial(rate, fixed)


def binomial(rate: Fraction, n: int) -> Distribution:
    """Both counts when the number of samples is fixed."""
    distribution: Distribution = {(0, 0): Fraction(1)}
    for _ in range(n):
        following: Distribution = {}
        for (N, s), probability in distribution.items():
            for success, chance in ((1, rate), (0, 1 - rate)):
                place = (N + 1, s + success)
                following[place] = following.get(place, Fraction(0)) + probability * chance
        distribution = following
    return distribution


@dataclass(frozen=True)
class AdaptiveSamples:
    """The task, what PTUM begins with, and how many samples are taken in place of PTUM's."""

    task: int = 0
    beginning: Beginning = Beginning()
    fixed: int | None = None


@dataclass(frozen=True)
class Pasts:
    """What PTUM begins with after two pasts, the task, and samples in place of PTUM's."""

    first: Beginning
    second: Beginning
    task: int = 0
    fixed: int | None = None


def numbers() -> Numbers:
    """Both tasks and what PTUM is given."""
    return (
        ("chance that arm 0 pays 1 rather than 0, tasks 0 and 1", RATES),
        ("reward of arm 1, for sure", Fraction(1, 2)),
        ("γ", 0),
        ("ε", written(EPSILON)),
        ("δ", written(DELTA)),
        ("budget n", BUDGET),
    )


def of_samples(case: AdaptiveSamples) -> Numbers:
    """The same for one task."""
    fresh = () if case.fixed is None else ((FRESH, case.fixed),)
    return (*numbers(), ("task", case.task), ("Δ_h", written(case.beginning.Delta)), *fresh)


def after_two_pasts(case: Pasts) -> Numbers:
    """The same, with the estimates that two pasts of one length leave."""
    fresh = () if case.fixed is None else ((FRESH, case.fixed),)
    return (
        *numbers(),
        ("task", case.task),
        ("Δ_h after both pasts", written(case.second.Delta)),
        ("chances of arm 0 estimated by the first past", case.first.estimated),
        ("chances of arm 0 estimated by the second past", case.second.estimated),
        *fresh,
    )


FIRST = Beginning(Delta=0.04)
SECOND = replace(FIRST, estimated=(Fraction(3, 25), Fraction(22, 25)))
CLOSER = replace(FIRST, estimated=(Fraction(11, 100), Fraction(89, 100)))
SLOPPY = replace(FIRST, estimated=(Fraction(1, 5), Fraction(4, 5)))
"""Estimates within Δ = 1/25, twice; and estimates that are not."""


FRESH = "fresh samples of arm 0, whatever they show"


OUTSIDE, TOLERANT, TURNED = (
    Beginning(Delta=0.06),
    Beginning(epsilon=1.0),
    Beginning(deterministic_arm=0),
)
"""Δ above the threshold 1/20 of line 2; an ε above every loss; the arms exchanged."""

BROKEN = (
    (MEANS, SLOPPY),
    (DEVIATIONS, SLOPPY),
    (deterministic_runs.ENTERS, OUTSIDE),
    ("policies that stop at once", TOLERANT),
    ("arm that is queried", TURNED),
)
"""Each premise, and a beginning that breaks it."""

declare(
    Counterexample(
        checks={
            "text-unbiased-observations.mean/stopping": (
                "q̂ is unbiased when PTUM chose the number of samples"
            ),
            "text-columns-are-models.exact/adaptive": "The mean observation of task 0 is its model",
        },
        instance=AdaptiveSamples(),
        evaluate=lambda case: unbiased(case.task, case.beginning, case.fixed),
        numbers=of_samples,
        fix="ten samples, whatever they show, in place of as many as PTUM asks for",
        fixed=AdaptiveSamples(fixed=10),
        broken={text: AdaptiveSamples(beginning=bad) for text, bad in BROKEN},
        repaired=lambda case: unbiased(case.task, case.beginning, case.fixed or 1),
        in_scope=AdaptiveSamples(task=1, fixed=3),
    )
)
declare(
    Counterexample(
        checks={
            "text-conditionally-independent.given-task/two-pasts": (
                "Two values of Δ_h, from two pasts, give o_h the same law"
            ),
            "text-hmm-reduction.model/adaptive": (
                "The distribution of o_h given the task is the same whatever Δ_h PTUM was given"
            ),
        },
        instance=Pasts(FIRST, SECOND),
        evaluate=lambda case: same_distribution(case.first, case.second, case.task, case.fixed),
        numbers=after_two_pasts,
        fix="the same estimates after the second past",
        fixed=Pasts(FIRST, FIRST),
        broken={
            f"{text}, after the {which} past": Pasts(*pasts)
            for text, bad in BROKEN
            for which, pasts in (("first", (bad, SECOND)), ("second", (FIRST, bad)))
        },
        repaired=lambda case: same_distribution(
            case.first, case.second, case.task, case.fixed or 1
        ),
        in_scope=Pasts(FIRST, CLOSER, task=1, fixed=3),
    )
)
