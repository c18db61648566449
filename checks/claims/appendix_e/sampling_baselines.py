"""What uniform sampling, static transfer and the oracle guarantee (Section 6, Appendix E.2).

Uniform sampling is judged by what it was answered, in rationals, and by all counts of rewards that
two arms can give, each with its probability. Static transfer is put beside Algorithm 1 with all
models, task by task. The oracle is asked about tasks without chance, where its promise is certain.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st

from ptum.checks.claims.appendix_e.baseline_guarantees import Arm, Quarters, arms, quarters
from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import NOTHING_ROUNDED, Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import Opportunities, search
from ptum.reference.experiments.chain import task_chain, task_sequence
from ptum.reference.experiments.sequential import (
    Schedule,
    UniformPerPair,
    oracle,
    sequential_transfer,
)
from ptum.reference.sequential.lines import Recorder, current_models
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.state import Setting, TaskRecord
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import value_tolerance
from ptum.reference.transfer.empirical import Data
from ptum.reference.transfer.fallback import PacAlgorithm
from ptum.reference.transfer.ptum import End, PtumResult, ptum
from ptum.spec.vocabulary import CheckKind

MakesUniform: TypeAlias = Callable[[int], PacAlgorithm]
RunsOracle: TypeAlias = Callable[[Sequence[MDP], GenerativeModel, Setting], PtumResult]

# Uniform sampling

PER_PAIR = 6
PAIRS = Opportunities[Quarters]("pairs of all tasks", lambda drawn: drawn.k * drawn.S * drawn.A)


def sampled(drawn: Quarters, makes: MakesUniform) -> tuple[Data, Sequence[int], int]:
    """What was answered, the policy, and how many answers it says that it took."""
    asked = Recorder(Simulator(drawn.tasks()[0], drawn.seed), drawn.S, drawn.A)
    found = makes(PER_PAIR)(asked, drawn.S, drawn.A, drawn.gamma, 0.1, 0.1)
    return asked.data, found.policy.tolist(), found.queries


def counted(drawn: Quarters, makes: MakesUniform = UniformPerPair) -> Evaluation:
    """How far the samples of a pair, and their sum, are from what was asked for."""
    data, _, queries = sampled(drawn, makes)
    off = [abs(len(pair) - PER_PAIR) for row in data.rewards for pair in row]
    off.append(abs(queries - PER_PAIR * drawn.S * drawn.A))
    text = f"most samples too many or too few, {PER_PAIR} for each pair"
    return Evaluation((), Statement(text, max(off), "≤", 0, tolerance=NOTHING_ROUNDED))


@check("algorithm-uniform.samples/counted", CheckKind.EXACT)
def samples(context: Context, makes: MakesUniform = UniformPerPair) -> Outcome:
    """Drawn tasks: every pair is sampled as often as asked."""
    evaluation = partial(counted, makes=makes)
    return search(context, quarters(), evaluation, (30, 300, 5000), chances=PAIRS)


def empirical(data: Data, gamma: float) -> ExactMDP:
    """The task whose rewards and transitions are those that were seen."""
    S = len(data.successors)
    p = [
        [[Fraction(pair.count(t), len(pair)) for t in range(S)] for pair in row]
        for row in data.successors
    ]
    r = [
        [sum(map(Fraction, pair), start=Fraction(0)) / len(pair) for pair in row]
        for row in data.rewards
    ]
    return mdp.deterministic(p, r, Fraction(gamma))


def planned(drawn: Quarters, makes: MakesUniform = UniformPerPair) -> Evaluation:
    """What the policy loses in the task that was seen, exactly."""
    data, policy, _ = sampled(drawn, makes)
    lost = mdp.loss(empirical(data, drawn.gamma), policy)
    rounding = 2 * value_tolerance(np.full(drawn.S, 1 / (1 - drawn.gamma)), drawn.gamma)
    return Evaluation(
        (), Statement("loss in the empirical model", float(lost), "≤", 0, tolerance=rounding)
    )


@check("algorithm-uniform.policy/empirical-model", CheckKind.INEQUALITY)
def policy(context: Context, makes: MakesUniform = UniformPerPair) -> Outcome:
    """Drawn tasks: the policy is optimal in the empirical model, solved in rationals."""
    evaluation = partial(planned, makes=makes)
    return search(context, quarters(), evaluation, (30, 300, 5000), chances=PAIRS)


PULLS = 12
GAMMA = 0.5


class Answers:
    """Arms of one state that pay 1 a given number of times, and then 0."""

    def __init__(self, ones: Sequence[int]) -> None:
        self.left = list(ones)

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """The next reward of the arm."""
        self.left[a] -= 1
        return float(self.left[a] >= 0), s


def deviation(A: int, delta: float) -> float:
    """√(log(2A/δ)/2n): with probability 1-δ no mean of n rewards in [0, 1] is further off."""
    return math.sqrt(math.log(2 * A / delta) / (2 * PULLS))


def lost_too_much(arm: Arm, makes: MakesUniform = UniformPerPair) -> Evaluation:
    """P(the policy loses more than two deviations in every step), over all counts."""
    A, allowed = len(arm.means), 2 * deviation(len(arm.means), arm.delta)
    total = Fraction(0)
    for ones in itertools.product(range(PULLS + 1), repeat=A):
        (chosen,) = makes(PULLS)(Answers(ones), 1, A, GAMMA, 0.1, 0.1).policy.tolist()
        if max(arm.means) - arm.means[chosen] > allowed:
            total += math.prod(map(binomial, arm.sixteenths, ones), start=Fraction(1))
    text = f"P(loss above {allowed / (1 - GAMMA):.3g}), means {arm.means}"
    return Evaluation(
        (),
        Statement(text, total, "≤", Fraction(arm.delta), tolerance=NOTHING_ROUNDED),
    )


def binomial(sixteenths: int, ones: int) -> Fraction:
    """P(so many ones in all pulls)."""
    p = Fraction(sixteenths, 16)
    return math.comb(PULLS, ones) * p**ones * (1 - p) ** (PULLS - ones)


@check("algorithm-uniform.loss/all-counts", CheckKind.EXACT)
def loss(context: Context, makes: MakesUniform = UniformPerPair) -> Outcome:
    """Two arms, all counts of rewards: P(the policy loses more than two deviations) ≤ δ."""
    two = arms().filter(lambda arm: len(arm.means) == 2)
    evaluation = partial(lost_too_much, makes=makes)
    return search(context, two, evaluation, context.count(15, 100, 1000))


# Static transfer

LENGTH = 52
TUNED = Schedule(start_up=45, per_pair=20, n_post=10, rho=0.015, last_rho=0.01, decay=10)


@stored
@dataclass(frozen=True)
class BanditSequence:
    """Three tasks of three arms, of which each has a best one; the seed of chain and samples."""

    seed: int

    def tasks(self) -> list[MDP]:
        """The best arm pays with probability 0.95, the others with 0.05."""
        means = 0.05 + 0.9 * np.eye(3)
        return [bernoulli_rewards(np.ones((1, 3, 1)), row[np.newaxis], GAMMA) for row in means]

    def stream(self) -> list[Simulator]:
        """Tasks in the order of a chain."""
        tasks, order = self.tasks(), np.random.default_rng(self.seed)
        chain = itertools.islice(task_sequence(task_chain(3, 0.9), order), LENGTH)
        return [Simulator(tasks[j], self.seed + h) for h, j in enumerate(chain)]

    @property
    def setting(self) -> Setting:
        """Of Algorithm 2."""
        return Setting(
            k=3,
            S=1,
            A=3,
            u=(0.0, 1.0),
            gamma=GAMMA,
            epsilon=0.4,
            delta=0.1,
            n=4000,
            delta_prime=0.1,
            n_post=TUNED.n_post,
            L=10,
            N=20,
            seed=self.seed,
        )


def from_all_models(drawn: BanditSequence, before: TaskRecord, number: int) -> PtumResult:
    """Algorithm 1 on the task after `before`, with all models that are known then."""
    state, setting = before.after, drawn.setting
    return ptum(
        approximate_models(current_models(state.estimate, setting)),
        drawn.stream()[number],
        epsilon=setting.epsilon,
        delta=setting.delta,
        n=setting.n,
        Delta=state.errors,
        fallback=UniformPerPair(TUNED.per_pair),
    )


def told(result: PtumResult) -> tuple[object, ...]:
    """What two runs must share."""
    pi = None if result.policy is None else tuple(result.policy.tolist())
    return result.end, result.queries, result.active, pi


def beside_algorithm_1(drawn: BanditSequence, rule: PredictionRule | None = None) -> Evaluation:
    """Tasks of the run that Algorithm 1 with all models solves otherwise."""
    found = sequential_transfer(drawn.stream(), setting=drawn.setting, schedule=TUNED, rule=rule)
    records = list(found)
    in_transfer = [i for i, r in enumerate(records) if i and r.result.end is End.STOPPED]
    others = sum(
        told(records[i].result) != told(from_all_models(drawn, records[i - 1], i))
        for i in in_transfer
    )
    return Evaluation(
        (Statement("tasks in the transfer mode", len(in_transfer), "≥", 1),),
        Statement(
            "tasks that all models would solve otherwise",
            others,
            "≤",
            0,
            tolerance=NOTHING_ROUNDED,
        ),
    )


@check("algorithm-static.all-models/beside-algorithm-1", CheckKind.EXACT)
def static(context: Context) -> Outcome:
    """Sequences of bandits: every task is solved as Algorithm 1 with all models solves it."""
    drawn = st.builds(BanditSequence, st.integers(0, 2**31))
    chances = Opportunities[BanditSequence]("tasks of the sequence", lambda _: LENGTH)
    return search(context, drawn, beside_algorithm_1, (2, 8, 60), chances=chances)


# The oracle

EPSILON, BUDGET = 0.1, 3000


def certain(drawn: Quarters) -> list[MDP]:
    """Tasks in which nothing is left to chance: the likeliest of each pair's outcomes."""
    return [
        replace(
            task,
            p=np.eye(task.S)[task.p.argmax(axis=2)],
            q=np.eye(task.u.size)[task.q.argmax(axis=2)],
        )
        for task in drawn.tasks()
    ]


def kept(drawn: Quarters, runs: RunsOracle = oracle) -> Evaluation:
    """The loss of the oracle's policy; the largest of all if the target's model is gone.

    The target is the last task: where several models will do, Algorithm 1 takes the first.
    """
    tasks = certain(drawn)
    target = tasks[-1]
    setting = Setting(
        k=drawn.k,
        S=drawn.S,
        A=drawn.A,
        u=tuple(target.u.tolist()),
        gamma=drawn.gamma,
        epsilon=EPSILON,
        delta=0.1,
        n=BUDGET,
        delta_prime=0.1,
        n_post=1,
        L=1,
        N=1,
        seed=0,
    )
    found = runs(tasks, Simulator(target, drawn.seed), setting)
    exact = mdp.deterministic(
        [[[Fraction(x) for x in row] for row in rows] for rows in target.p.tolist()],
        [[Fraction(x) for x in row] for row in (target.q @ target.u).tolist()],
        Fraction(drawn.gamma),
    )
    most = Fraction(1) / (1 - Fraction(drawn.gamma))
    stays = found.policy is not None and drawn.k - 1 in found.active
    lost = mdp.loss(exact, found.policy.tolist()) if stays and found.policy is not None else most
    rounding = value_tolerance(np.full(drawn.S, float(most)), drawn.gamma)
    return Evaluation(
        (Statement("the run stopped", int(found.end is End.STOPPED), "≥", 1),),
        Statement("loss of the policy", float(lost), "≤", EPSILON, tolerance=rounding),
    )


@check("algorithm-oracle.certain/no-chance", CheckKind.INEQUALITY)
def certainty(context: Context, runs: RunsOracle = oracle) -> Outcome:
    """Tasks without chance: the target's model is left, and the policy is ε-optimal."""
    evaluation = partial(kept, runs=runs)
    few = quarters().filter(lambda drawn: drawn.k <= drawn.S * drawn.A * (drawn.S + 1) + 1)
    return search(context, few, evaluation, (15, 100, 1500), chances=PAIRS)
