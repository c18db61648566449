"""Lower bounds of Section 3 for every learner: the best one is computed, in whole numbers.

A learner that serves every task with probability 1-δ serves a task drawn at random as well. On the
two families below the best learner for such a draw is found by going back from its last question,
so that what it needs is needed by all.

*Without transfer* (Section 3.2): γ = 0, deterministic rewards, and in each state one action pays 1.
*With a poor model* (Section 3.1): every action stays, one action of the state pays 1 with
probability 1/2 + g and all others with 1/2, and the learner is given a model of the task.

What PTUM needs is compared with the first of them where learning from scratch has many actions to
try and PTUM few models to tell apart (Section 1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact.numbers import is_above, min_of
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, roots_of
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Ints
from ptum.reference.repaired.transfer.assumptions import model_errors
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import optimal_value, policy_value
from ptum.reference.transfer.analysis.sample_complexity import FACTOR
from ptum.reference.transfer.confidence import log_term
from ptum.spec.vocabulary import CheckKind

# One paying action in each state


Point: TypeAlias = tuple[Fraction, Fraction]
"""Expected questions and probability to name the paying action of every state."""
Frontier: TypeAlias = tuple[Point, ...]
"""Corners of the best mixtures of learners, from no question at all upwards."""
Failures: TypeAlias = tuple[int, ...]
"""For each state whose paying action is not found, how many actions were asked in vain."""


@stored
@dataclass(frozen=True)
class Hidden:
    """S states with A actions each, an accuracy, and a failure probability."""

    S: int
    A: int
    epsilon: Fraction
    delta: Fraction


@st.composite
def hidden(draw: DrawFn) -> Hidden:
    """More actions where there are fewer states."""
    S = draw(st.integers(1, 3))
    A = draw(st.integers(2, (40, 9, 5)[S - 1]))
    delta, epsilon = draw(st.integers(0, 50)), draw(st.integers(1, 99))
    return Hidden(S, A, Fraction(epsilon, 100), Fraction(delta, 100))


@cache
def frontier(failures: Failures, A: int) -> Frontier:
    """What can be reached from here: name at once, or ask in one of the states.

    The paying action is each of the A - i actions left with equal probability, so a question finds
    it with probability 1/(A-i). Mixtures of what follows an answer are mixtures for each answer
    alone.
    """
    stop = Fraction(1)
    for asked in failures:
        stop /= A - asked
    found: list[Point] = [(Fraction(0), stop)]
    for state in sorted({failures.index(asked) for asked in failures}):
        asked, others = failures[state], failures[:state] + failures[state + 1 :]
        hit = Fraction(1, A - asked)
        if asked == A - 1:
            continue  # nothing is left to ask: the last action must be it
        yes = frontier(others, A)
        no = frontier(tuple(sorted((*others, asked + 1))), A)
        found += [(1 + n, q) for n, q in _sum(_scaled(yes, hit), _scaled(no, 1 - hit))]
    return _hull(found)


def _scaled(points: Frontier, weight: Fraction) -> Frontier:
    return tuple((weight * n, weight * q) for n, q in points)


def _sum(first: Frontier, second: Frontier) -> Frontier:
    """All sums of two points, one of each: the steepest steps of either are taken first."""
    steps = sorted((*_steps(first), *_steps(second)), key=lambda step: -step[1] / step[0])
    point = (first[0][0] + second[0][0], first[0][1] + second[0][1])
    reached = [point]
    for n, q in steps:
        point = (point[0] + n, point[1] + q)
        reached.append(point)
    return tuple(reached)


def _steps(points: Frontier) -> list[Point]:
    return [(there[0] - here[0], there[1] - here[1]) for here, there in pairwise(points)]


def _hull(points: Sequence[Point]) -> Frontier:
    """Corners of the largest success at every price, as long as it rises."""
    corners: list[Point] = []
    for point in sorted(points, key=lambda one: (one[0], -one[1])):
        if corners and point[1] <= corners[-1][1]:
            continue
        while len(corners) > 1 and _below(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    return tuple(corners)


def _below(left: Point, middle: Point, right: Point) -> bool:
    """Whether the middle point is on or below the line between its neighbours."""
    rise, run = right[1] - left[1], right[0] - left[0]
    return (middle[1] - left[1]) * run <= rise * (middle[0] - left[0])


def least_questions(success: Fraction, corners: Frontier) -> Fraction:
    """Expected questions of the cheapest mixture with this probability of success."""
    if success <= corners[0][1]:
        return corners[0][0]
    for (n, q), (more, better) in pairwise(corners):
        if success <= better:
            return n + (more - n) * (success - q) / (better - q)
    raise ValueError("no learner is as good as that")


def without_transfer(S: int, A: int) -> Frontier:
    """The best learners that know nothing but the family."""
    return frontier((0,) * S, A)


def loss_of_a_wrong_action(S: int, A: int) -> float:
    """The least loss, by the reference, of a policy that misses one paying action."""
    task = _paying(np.zeros(S, dtype=np.int64), A)
    best = optimal_value(task)
    wrong = [np.where(np.arange(S) == s, a, 0) for s in range(S) for a in range(1, A)]
    return min_of(float(np.max(best - policy_value(task, pi))) for pi in wrong)


def _paying(actions: Ints, A: int) -> MDP:
    S = len(actions)
    p = np.zeros((S, A, S))
    p[np.arange(S), :, np.arange(S)] = 1.0
    return deterministic_rewards(p, np.eye(A)[actions], 0.0)


def linear_evaluation(
    case: Hidden, learners: Callable[[int, int], Frontier] = without_transfer
) -> Evaluation:
    """Every learner that is right with probability 1-δ asks at least S((1-δ)A-1)/2 times."""
    least = least_questions(1 - case.delta, learners(case.S, case.A))
    return Evaluation(
        (
            Statement(
                "least loss of a policy with a wrong action",
                loss_of_a_wrong_action(case.S, case.A),
                ">",
                case.epsilon,
            ),
        ),
        Statement(
            "expected questions of the best learner",
            least,
            "≥",
            case.S * ((1 - case.delta) * case.A - 1) / 2,
        ),
    )


@check("text-scales-with-min.no-transfer/best-learner", CheckKind.EXACT)
def linear_in_pairs(context: Context) -> Outcome:
    """The best learner for one hidden action per state asks at least S((1-δ)A-1)/2 times."""
    return search(context, hidden(), linear_evaluation, (20, 300, 5000))


# A model that is too poor to help


@stored
@dataclass(frozen=True)
class Poor:
    """A actions, an advantage g = gap/40 of one of them, a discount, n questions, and ε.

    `share` < 1 is ε as a part of g/(1-γ), what a wrong action loses.
    """

    A: int
    gap: int
    gamma: Fraction
    n: int
    share: Fraction

    @property
    def g(self) -> Fraction:
        """What the good action pays more than the others."""
        return Fraction(self.gap, 40)

    @property
    def epsilon(self) -> Fraction:
        """Below the loss of a wrong action."""
        return self.share * self.g / (1 - self.gamma)


LONGEST = {2: 14, 3: 9, 4: 7}
"""Questions for each number of actions."""


@st.composite
def poor(draw: DrawFn) -> Poor:
    """Two to four actions."""
    A = draw(st.sampled_from((2, 3, 4)))
    gamma = draw(st.sampled_from((Fraction(0), Fraction(1, 2), Fraction(9, 10))))
    n, gap = draw(st.integers(1, LONGEST[A])), draw(st.integers(1, 19))
    return Poor(A, gap, gamma, n, draw(st.sampled_from((Fraction(99, 100), Fraction(1, 2)))))


def coins(case: Poor, good: int | None) -> MDP:
    """One state; action `good` pays 1 with probability 1/2 + g, all others with 1/2."""
    pays = np.full((1, case.A), 0.5)
    if good is not None:
        pays[0, good] += float(case.g)
    q = np.stack([1 - pays, pays], axis=-1)
    return MDP(np.ones((1, case.A, 1)), q, np.array([0.0, 1.0]), float(case.gamma))


ModelOf: TypeAlias = Callable[[Poor], MDP]
"""What the learner is given."""


def flat(case: Poor) -> MDP:
    """The model that pays 1/2 everywhere, whatever the task is."""
    return coins(case, None)


def halfway(case: Poor) -> MDP:
    """The model that pays 1/2 + g/2 everywhere: as far from the good action as from the others."""
    pays = np.full((1, case.A), 0.5 + float(case.g) / 2)
    q = np.stack([1 - pays, pays], axis=-1)
    return MDP(np.ones((1, case.A, 1)), q, np.array([0.0, 1.0]), float(case.gamma))


def errors_against(model: MDP, case: Poor) -> list[float]:
    """Δ of the model in the place of each task of the family, by the reference."""
    given = approximate_models([model])
    return [model_errors([coins(case, good)], given).Delta for good in range(case.A)]


Answers: TypeAlias = tuple[tuple[int, int], ...]
"""Ones and zeros that each action has answered, in order: actions have no names to the learner."""


def best_success(case: Poor, possible: Sequence[int]) -> Fraction:
    """The largest probability to name the good action after n questions, each where one likes.

    `possible` are the actions that may be the good one, all with the same chance. Weights are
    counted in units of 1/80ⁿ: an action with w answers 1 and z answers 0 is the good one with
    weight (40+2·gap)^w (40-2·gap)^z 40^(n-w-z), since 1/2 ± g = (40 ± 2·gap)/80.
    """
    up, down = 40 + 2 * case.gap, 40 - 2 * case.gap
    silent = len(possible) < case.A

    @cache
    def value(answers: Answers, left: int) -> int:
        if not left:
            n = case.n
            return max(
                math.prod((*w * (up,), *z * (down,), *(n - w - z) * (40,))) for w, z in answers
            )
        options = [2 * value(answers, left - 1)] if silent else []  # an action that cannot be it
        for one in set(answers):
            rest = list(answers)
            rest.remove(one)
            after = ((one[0] + 1, one[1]), (one[0], one[1] + 1))
            options.append(sum(value(tuple(sorted((*rest, new))), left - 1) for new in after))
        return max(options)

    weight = value(((0, 0),) * len(possible), case.n)
    return Fraction(weight, len(possible) * 80**case.n)


def poor_evaluation(
    case: Poor, model: ModelOf = flat, Delta: Fraction | None = None, beyond: Fraction = Fraction(1)
) -> Evaluation:
    """Whoever has n questions and a model within Δ > (1-γ)ε is right with at most this probability.

    It is 1/A + g √(n/(A(1-4g²))), so that 1-δ takes n ≥ A(1-δ-1/A)²(1-4g²)/g² questions. The
    learner knows that the task is within Δ of its model; Δ = g unless another one is given, and
    the threshold is another share of (1-γ)ε if one is given.
    """
    g, A = case.g, case.A
    known = g if Delta is None else Delta
    errors = errors_against(model(case), case)
    allowed = float(known) + 4 * ROUNDING  # a mean of two numbers, a deviation, and a difference
    possible = [good for good, error in enumerate(errors) if not is_above(error, allowed)]
    gained = best_success(case, possible) - Fraction(1, A) if possible else Fraction(1)
    bound = case.n * g**2 / (A * (1 - 4 * g**2))
    return Evaluation(
        (
            Statement("loss of a wrong action", _loss(case), ">", case.epsilon),
            Statement(
                f"Δ against {beyond}·(1-γ)ε", known, ">", beyond * (1 - case.gamma) * case.epsilon
            ),
            Statement("tasks within Δ of the model", len(possible), "≥", 1),
        ),
        Statement(
            "(best success - 1/A)² against n g²/(A(1-4g²))",
            gained**2,
            "≤",
            bound,
            measured=roots_of(gained**2, bound),
        ),
    )


def _loss(case: Poor) -> float:
    """The least loss of a wrong action, by the reference, less what rounding may add to it."""
    task = coins(case, 0)
    best = optimal_value(task)
    losses = [float(best[0] - policy_value(task, np.array([a]))[0]) for a in range(1, case.A)]
    return min_of(losses) - 16 * ROUNDING / (1 - float(case.gamma))


@check("text-threshold-nearly-tight.lower-bound/best-learner", CheckKind.EXACT)
def worthless(context: Context) -> Outcome:
    """Given a model within g of every task, the best learner still needs of order A/g².

    Drawn advantages, and the model that pays 1/2 everywhere.
    """
    return search(context, poor(), poor_evaluation, (15, 250, 4000))


def halfway_evaluation(case: Poor) -> Evaluation:
    """A model within Δ = g/2 of every task, where ε is anything below g/(1-γ)."""
    return poor_evaluation(case, halfway, Delta=case.g / 2, beyond=Fraction(1, 2))


@check("text-threshold-nearly-tight.conjecture/best-learner", CheckKind.EXACT)
def worthless_from_half(context: Context) -> Outcome:
    """Given a model within g/2 of every task, the best learner still needs of order A/g².

    Drawn advantages, and the model halfway between the tasks.
    """
    return search(context, poor(), halfway_evaluation, (8, 150, 4000))


# Few models against many actions


MANY = 20_000
"""Actions per model: so many that the logarithm and the constant of Theorem 1 weigh less."""
MOST_MODELS, LARGEST_BUDGET = 100, 10**7
"""Up to here they do: the bound per model grows with log(n|Θ|²), so no `MANY` serves them all."""


@stored
@dataclass(frozen=True)
class FewModels:
    """k known tasks of a family with A actions, one of which pays; a budget and a failure rate."""

    k: int
    times: int
    n: int
    delta: Fraction

    @property
    def A(self) -> int:
        """Actions, at least `MANY` for every model."""
        return self.times * self.k * MANY


@st.composite
def few_models(draw: DrawFn) -> FewModels:
    """Two models or more, and any budget that exceeds the bound, within the range above."""
    delta = Fraction(draw(st.integers(1, 50)), 100)
    k, times = draw(st.integers(2, MOST_MODELS)), draw(st.integers(1, 10))
    least = enough_queries(k, times * k * MANY, delta)
    return FewModels(k, times, draw(st.integers(least, LARGEST_BUDGET)), delta)


def promised_queries(k: int, A: int, n: int, delta: Fraction) -> float:
    """Theorem 1's bound.

    At γ = 0 a paying action that is another one is a reward gap of 1 without noise: information 1
    about every rival, so that printed and repaired bound differ by |Θ| against |Θ|-1 alone.
    """
    return FACTOR * min(A, k) * log_term(1, A, n, k, float(delta))


def enough_queries(k: int, A: int, delta: Fraction) -> int:
    """The smallest power of two that exceeds the bound for itself as budget (Assumption 4)."""
    n = 1
    while not is_above(n, promised_queries(k, A, n, delta)):
        n *= 2
    return n


Promise: TypeAlias = Callable[[int, int, int, Fraction], float]
"""Queries for k models, A actions, budget n and δ."""


def fewer_evaluation(case: FewModels, promised: Promise = promised_queries) -> Evaluation:
    """Theorem 1's bound against the expected questions of the best learner without models.

    That learner guesses, or tries one action after the other: (A-1)(A+2)/(2A) questions on average
    to be certain, and a mixture of both for 1-δ.
    """
    A, success = case.A, 1 - case.delta
    corners = ((Fraction(0), Fraction(1, A)), (Fraction((A - 1) * (A + 2), 2 * A), Fraction(1)))
    bound = promised_queries(case.k, A, case.n, case.delta)
    return Evaluation(
        (Statement("budget n, against the bound", case.n, ">", bound),),
        Statement(
            "queries that Theorem 1 allows, against the best learner from scratch",
            promised(case.k, A, case.n, case.delta),
            "≤",
            float(least_questions(success, corners)),
            tolerance=64 * ROUNDING * A,  # a logarithm, four products and a quotient
        ),
    )


@check("text-tighter-than-existing.from-scratch/many-actions", CheckKind.INEQUALITY)
def fewer(context: Context) -> Outcome:
    """20000 actions for each of ≤ 100 models: Theorem 1 asks less than learners without."""
    return search(context, few_models(), fewer_evaluation, (20, 200, 4000))
