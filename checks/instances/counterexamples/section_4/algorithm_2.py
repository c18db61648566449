"""Against Algorithm 2's use of PTUM's samples and models (errata E41, E59)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np

from ptum.checks.exact.hidden_markov import total_variation
from ptum.checks.exact.intervals import compared, written
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.runs.premises import within
from ptum.checks.instances import sequences
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared import deterministic_runs, two_outcomes
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.instances.counterexamples.shared.shown import cells, exactly
from ptum.checks.instances.fakes import CountingModel
from ptum.checks.instances.families.hmms import next_stay_skip
from ptum.checks.instances.families.named import bandit, exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.experiments.two_rooms import goal_grid
from ptum.reference.repaired.sequential.observations import post_sample_observation
from ptum.reference.repaired.sequential.prediction import PerStep
from ptum.reference.sequential.algorithm import TaskRecord
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.ptum import PtumResult, ptum

# The observation of a task that PTUM has sampled until it knew enough (erratum E41).
#
# One state, two arms, no discount. Arm 0 pays 1 with probability 0.1 in task 0 and 0.9 in task 1,
# arm 1 pays 1/2 for sure in both. PTUM queries arm 0 until it eliminates one of the models, so that
# how often it asks depends on what it saw. What it has seen at any time is two counts, and all
# probabilities are fractions. Whether counts eliminate a model is decided between enclosures of
# both sides.

RATES = (Fraction(1, 10), Fraction(9, 10))
ADAPTIVE_SAMPLES_EPSILON = 0.2
DELTA = 0.1
ADAPTIVE_SAMPLES_BUDGET = 80
GAMMA = 0.0

Distribution = dict[tuple[int, int], Fraction]
"""Probability of each pair (samples of arm 0, successes among them) when PTUM ends."""


@dataclass(frozen=True)
class Beginning:
    """What PTUM is told when the task begins: Δ_h, ε and the chances that the past has estimated.

    Everything is computed for the coin as arm 0; with the deterministic arm first PTUM would query
    arm 1.
    """

    Delta: float = 0.0
    epsilon: float = ADAPTIVE_SAMPLES_EPSILON
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
    counts = [(N, s) for N in range(2, ADAPTIVE_SAMPLES_BUDGET) for s in range(N + 1)]
    N, s = np.array(counts).T
    tests = two_outcomes.of_rewards(
        1, 2, ADAPTIVE_SAMPLES_BUDGET, 2, written(DELTA), written(beginning.Delta)
    )
    out = np.zeros(len(N), dtype=bool)
    for rate in beginning.estimated:
        out |= two_outcomes.fails(N, s, rate, tests)
    return frozenset(pair for pair, fails in zip(counts, out, strict=True) if fails)


@lru_cache(maxsize=8)
def distribution_at_the_end(rate: Fraction, beginning: Beginning) -> Distribution:
    """The distribution of both counts at the end, when arm 0 succeeds with the given chance."""
    stops = ends(beginning)
    distribution: Distribution = {}
    alive: Distribution = {(0, 0): Fraction(1)}
    for N in range(ADAPTIVE_SAMPLES_BUDGET + 1):
        ended = stops if N < ADAPTIVE_SAMPLES_BUDGET else alive
        distribution |= {counts: p for counts, p in alive.items() if counts in ended}
        left = {counts: p for counts, p in alive.items() if counts not in ended}
        alive = after_a_sample(rate, left)
    return distribution


def after_a_sample(rate: Fraction, counts: Distribution) -> Distribution:
    """Both counts after one more sample of arm 0."""
    following: Distribution = {}
    for (N, s), probability in counts.items():
        for success, share in ((1, rate), (0, 1 - rate)):
            place = (N + 1, s + success)
            following[place] = following.get(place, Fraction(0)) + probability * share
    return following


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
        written(beginning.epsilon),
        written(DELTA),
        ADAPTIVE_SAMPLES_BUDGET,
        Delta=written(beginning.Delta),
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
    above = [not within(a * (1 - a), b * (1 - b), Delta) for a, b in pairs]
    return (
        Statement(MEANS, max(abs(a - b) for a, b in pairs), "≤", Delta),
        Statement(DEVIATIONS, sum(above), "=", 0),
    )


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
    pasts = (("after the first past", first), ("after the second past", second))
    return Evaluation(
        tuple(
            replace(statement, text=f"{statement.text}, {past}")
            for past, told in pasts
            for statement in premises(told)
        ),
        Statement(
            f"total variation between the two distributions of q̂{_of_fresh(fixed)}",
            *compared(total_variation(*laws), "=", 0),
        ),
    )


def distribution_of_counts(rate: Fraction, beginning: Beginning, fixed: int | None) -> Distribution:
    """Of PTUM's samples, or of a fixed number of fresh ones."""
    return distribution_at_the_end(rate, beginning) if fixed is None else binomial(rate, fixed)


def binomial(rate: Fraction, n: int) -> Distribution:
    """Both counts when the number of samples is fixed."""
    distribution: Distribution = {(0, 0): Fraction(1)}
    for _ in range(n):
        distribution = after_a_sample(rate, distribution)
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
        *(
            (f"mean rewards of both arms, task {task}", (rate, Fraction(1, 2)))
            for task, rate in enumerate(RATES)
        ),
        ("what arm 0 and arm 1 pay", "1 rather than 0 with this probability; 1/2 for sure"),
        ("γ", 0),
        ("ε", written(ADAPTIVE_SAMPLES_EPSILON)),
        ("δ", written(DELTA)),
        ("budget n", ADAPTIVE_SAMPLES_BUDGET),
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
        ("probabilities of arm 0 estimated by the first past", case.first.estimated),
        ("probabilities of arm 0 estimated by the second past", case.second.estimated),
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
    check="text-unbiased-observations.mean/stopping",
    says="q̂ is unbiased when PTUM chose the number of samples",
    also={"text-columns-are-models.exact/adaptive": "The mean observation of task 0 is its model"},
    instance=AdaptiveSamples(),
    evaluate=lambda case: unbiased(case.task, case.beginning, case.fixed),
    numbers=of_samples,
    fix="ten samples, whatever they show, in place of as many as PTUM asks for",
    fixed=AdaptiveSamples(fixed=10),
    broken={text: AdaptiveSamples(beginning=bad) for text, bad in BROKEN},
    repaired=lambda case: unbiased(case.task, case.beginning, case.fixed or 1),
    in_scope=AdaptiveSamples(task=1, fixed=3),
)
declare(
    check="text-conditionally-independent.given-task/two-pasts",
    says="Two estimates of the models, from two pasts with one Δ_h, give o_h the same distribution",
    also={
        "text-hmm-reduction.model/adaptive": (
            "The distribution of o_h given the task is the same whatever models PTUM was given"
        )
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
    repaired=lambda case: same_distribution(case.first, case.second, case.task, case.fixed or 1),
    in_scope=Pasts(FIRST, CLOSER, task=1, fixed=3),
)


# PTUM started from one model: no sample, no doubt, no correction (erratum E59).

TASKS, FORWARD = 8, Fraction(97, 100)
"""The chain of Appendix E: next with probability 0.97, stay and skip with 0.015 each."""
SINGLETON_EPSILON = 0.1

SINGLETON_BUDGET = 200


def grid() -> tuple[MDP, ...]:
    """One task of 5×5 cells and four actions, known to be the next one."""
    return (goal_grid(Grid(5, 5), {(4, 4): 1.0}, 0.9),)


def two_rivals() -> tuple[MDP, ...]:
    """Two arms and three models; each arm tells one rival from the first model, the target."""
    rows, stay = ((0.6, 0.5), (0.0, 0.5), (0.6, 1.0)), np.ones((1, 2, 1))
    return tuple(deterministic_rewards(stay, np.array([row]), 0.5) for row in rows)


def started_from(models: tuple[MDP, ...], true: MDP, n: int = SINGLETON_BUDGET) -> PtumResult:
    """The literal PTUM on the given models alone, on samples of the true task."""
    return ptum(
        approximate_models(models),
        Simulator(true, seed=0),
        epsilon=SINGLETON_EPSILON,
        delta=DELTA,
        n=n,
        Delta=0.0,
    )


def free_observation(models: tuple[MDP, ...], n: int = SINGLETON_BUDGET) -> Evaluation:
    """The samples that o_h needs are among those that PTUM takes for the first model, the task."""
    result = started_from(models, models[0], n)
    return Evaluation(
        premises=(_stops(result),),
        conclusion=Statement(
            "pairs that PTUM leaves without a sample", int(np.sum(result.N == 0)), "=", 0
        ),
    )


def _stops(result: PtumResult) -> Statement:
    return Statement("PTUM ends by its stopping rule", result.tau is not None, "=", True)


def with_post_samples(models: tuple[MDP, ...], n_post: int = 30) -> Evaluation:
    """Repaired: n_post samples of every pair follow, and all of them are counted."""
    task = models[0]
    result = started_from(models, task)
    model = CountingModel(Simulator(task, seed=1))
    post_sample_observation(model, task.S, task.A, task.u, n_post)
    return Evaluation(
        premises=(_stops(result),),
        conclusion=Statement(
            "samples beside PTUM's, against n_post for each of the S A pairs",
            model.asked,
            "=",
            task.S * task.A * n_post,
        ),
    )


def all_samples_counted(n_post: int) -> Evaluation:
    """Samples of a task = PTUM's + the fallback's + n_post of every pair."""
    runs = (
        sequences.printed(sequences.ONE_STAY, n_post=n_post),
        sequences.repaired(sequences.ONE_STAY, n_post=3 * n_post),
    )
    off = [
        abs(record.samples - _expected(record, post))
        for records, post in zip(runs, (n_post, 3 * n_post), strict=True)
        for record in records
    ]
    return Evaluation((), Statement("samples not accounted for", sum(off), "=", 0))


def _expected(record: TaskRecord, n_post: int) -> int:
    fallback = record.result.fallback
    return record.result.queries + 4 * n_post + (0 if fallback is None else fallback.queries)


def wrong_singleton() -> tuple[tuple[MDP, ...], MDP]:
    """The model of a bandit that is not the task; the task itself is not offered."""
    true, other = bandit(0.5, (0.9, 0.1), (0.1, 0.9))
    return (other,), true


def expected_share_wrong(tasks: int, *, corrected: bool, forward: Fraction = FORWARD) -> Fraction:
    """Expected share of the tasks after the first whose only model is wrong; one successor is kept.

    T is known and the first task too. Without correction the offset of the prediction is a walk on
    Z_8 that moves when the chain does not go to the next task; with it every task starts again.
    """
    T = next_stay_skip(TASKS, forward, (1 - forward) / 2, (1 - forward) / 2)
    # column 0 of T says where the chain goes from task 0; the prediction is always task 1
    moves = {step - 1: T[step][0] for step in range(TASKS) if T[step][0]}
    distribution = {0: Fraction(1)}
    wrong = Fraction(0)
    for _ in range(tasks):
        following: dict[int, Fraction] = {}
        for offset, probability in distribution.items():
            start = 0 if corrected else offset
            for move, chance in moves.items():
                place = (start + move) % TASKS
                following[place] = following.get(place, Fraction(0)) + probability * chance
        distribution = following
        wrong += 1 - distribution.get(0, Fraction(0))
    return wrong / tasks


def stays_on_track(
    tasks: int = 60, *, corrected: bool = False, forward: Fraction = FORWARD
) -> Evaluation:
    """The share of wrongly solved tasks stays at the probability of one wrong prediction.

    The premises are taken from a literal run: a wrong singleton is returned without a sample.
    """
    result = started_from(*wrong_singleton())
    share = expected_share_wrong(tasks, corrected=corrected, forward=forward)
    return Evaluation(
        premises=(
            Statement("samples that PTUM takes from a wrong singleton", result.queries, "=", 0),
            Statement("models it returns", len(result.active), "=", 1),
        ),
        conclusion=Statement("expected share of wrong tasks", *compared(share, "≤", 1 - forward)),
    )


def literal_misses(*, corrected: bool, sequence: Sequence[int] = sequences.ONE_STAY) -> Evaluation:
    """Twelve tasks with one stay among them: how many are solved with the wrong model."""
    if corrected:
        records = sequences.repaired(sequence, rule=PerStep(0.05))
    else:
        records = sequences.printed(sequence, rule=Experiment(m=20, keep=1))
    wrong = sum(
        record.result.theta != sequence[record.h - 1]
        for record in records
        if record.result.theta is not None
    )
    likeliest = sequences.CHAIN.argmax(axis=0)
    strays = sum(int(likeliest[now]) != then for now, then in pairwise(sequence))
    return Evaluation(
        (Statement("tasks that do not follow the likeliest way", strays, "=", 1),),
        Statement("tasks solved with the wrong model", wrong, "≤", 1),
    )


# What the instances show


@dataclass(frozen=True, eq=False)
class PtumStart:
    """What PTUM starts from, with its budget; the first model is the task."""

    models: tuple[MDP, ...]
    task: str = "5×5 cells, four moves, reward 1 in cell (4, 4), else 0"
    n: int = SINGLETON_BUDGET

    def numbers(self) -> Numbers:
        """The task, and the rewards of the models where there are several."""
        theta, alone = self.models[0], len(self.models) == 1
        rewards = tuple(exactly(one).r[0] for one in self.models)
        return (
            ("task", self.task),
            *(cells("rewards of the task", Grid(5, 5), {(4, 4): 1}) if alone else ()),
            ("S, A, γ", (theta.S, theta.A, written(theta.gamma))),
            ("Θ̃_h", "the task alone, known exactly")
            if alone
            else ("deterministic rewards of the arms in Θ̃_h", rewards),
            ("ε, δ, Δ, n", (written(SINGLETON_EPSILON), written(DELTA), 0, self.n)),
        )


RIVALS = PtumStart(
    two_rivals(), "one state, two arms with deterministic rewards, in the first row of Θ̃_h"
)


declare(
    check="text-at-least-one-sample.wlog/singleton",
    says="A sample of every pair costs nothing beyond what PTUM samples anyway",
    instance=PtumStart(grid()),
    evaluate=lambda offered: free_observation(offered.models, offered.n),
    numbers=PtumStart.numbers,
    fix="two arms and two rivals, of which each arm tells one: PTUM then samples every pair",
    fixed=RIVALS,
    broken={"PTUM ends by its stopping rule": replace(RIVALS, n=10)},
    repaired=lambda offered: with_post_samples(offered.models),
    in_scope=RIVALS,
)
