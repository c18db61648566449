"""Section 4, from samples to observations: adaptive samples against a fixed number of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact.hidden_markov import Vector
from ptum.checks.exact.mass import require_whole
from ptum.checks.instances.counterexamples.section_4 import algorithm_2
from ptum.checks.instances.families import rational
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, from_evaluation
from ptum.checks.verdicts.search import Opportunities, search
from ptum.reference.repaired.sequential.observations import post_sample_observation
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.tasks.mdp import MDP
from ptum.spec.vocabulary import CheckKind, Version

PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED
REWARDS = (0.0, 1.0)


@stored
@dataclass(frozen=True)
class SmallTask:
    """One or two states, one action, rewards 0 and 1: distributions of reward and next state."""

    q: tuple[Vector, ...]
    p: tuple[Vector, ...]
    n_post: int
    before: int

    @property
    def S(self) -> int:
        """Number of states."""
        return len(self.p)


@dataclass
class Scripted:
    """A generative model that answers from a list, and the probability of its answers so far."""

    task: SmallTask
    script: tuple[tuple[int, int], ...]
    probability: Fraction = Fraction(1)
    asked: int = 0

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """The next answer of the script."""
        assert a == 0
        reward, successor = self.script[self.asked]
        self.asked += 1
        self.probability *= self.task.q[s][reward] * self.task.p[s][successor]
        return REWARDS[reward], successor


@st.composite
def small_tasks(draw: DrawFn) -> SmallTask:
    """Rational distributions; one sample per pair in two states or up to two in one."""
    S = draw(st.integers(1, 2))
    q = tuple(draw(rational.distributions(2)) for _ in range(S))
    p = tuple(draw(rational.distributions(S)) for _ in range(S))
    return SmallTask(q, p, draw(st.integers(1, 3 - S)), draw(st.integers(0, 1)))


def laws_by_past(task: SmallTask) -> dict[tuple[tuple[int, int], ...], dict[Vector, Fraction]]:
    """The distribution of the literal code's observation, for every answer that came before it.

    `before` queries of state 0 stand for what PTUM did with the task.
    """
    laws: dict[tuple[tuple[int, int], ...], dict[Vector, Fraction]] = {}
    for script in _scripts(task):
        model = Scripted(task, script)
        for _ in range(task.before):
            model.sample(0, 0)
        past, model.probability = script[: task.before], Fraction(1)
        found = post_sample_observation(model, task.S, 1, REWARDS, task.n_post).o
        distribution = laws.setdefault(past, {})
        o = tuple(map(Fraction, found.tolist()))  # halves and wholes: no rounding
        distribution[o] = distribution.get(o, Fraction(0)) + model.probability
    for distribution in laws.values():
        require_whole(distribution.values())
    return laws


def _scripts(task: SmallTask) -> Iterator[tuple[tuple[int, int], ...]]:
    answers = list(product(range(2), range(task.S)))
    return product(answers, repeat=task.before + task.S * task.n_post)


def mean_is_the_model(task: SmallTask) -> Evaluation:
    """E[o_h | θ*_h, past] is the flattened model, entry by entry, for every past."""
    column = tuple(x for table in (task.q, task.p) for row in table for x in row)
    off = max(
        abs(sum((o[i] * p for o, p in distribution.items()), Fraction(0)) - column[i])
        for distribution in laws_by_past(task).values()
        for i in range(len(column))
    )
    return Evaluation((), Statement("largest bias of an entry of o_h", off, "=", 0))


def same_law_after_any_past(task: SmallTask) -> Evaluation:
    """The distribution of o_h given θ*_h does not depend on what happened before."""
    laws = list(laws_by_past(task).values())
    off = max(
        abs(distribution.get(o, Fraction(0)) - laws[0].get(o, Fraction(0)))
        for distribution in laws
        for o in {*distribution, *laws[0]}
    )
    return Evaluation((), Statement("largest change of a probability with the past", off, "=", 0))


def column_of_matrix(task: SmallTask) -> Evaluation:
    """E[o_h | θ*_h = θ_j] is what the literal O has in column j."""
    p, q = (np.array(table, dtype=np.float64)[:, np.newaxis, :] for table in (task.p, task.q))
    literal = observation_matrix([MDP(p=p, q=q, u=np.array(REWARDS), gamma=0.5)])[:, 0]
    distribution = next(iter(laws_by_past(task).values()))
    mean = [
        float(sum((o[i] * x for o, x in distribution.items()), Fraction(0)))
        for i in range(len(literal))
    ]
    off = float(np.max(np.abs(literal - mean)))  # equal fractions are rounded equally
    return Evaluation((), Statement("largest difference to column j", off, "=", 0))


@check("text-unbiased-observations.mean/fixed", CheckKind.EXACT)
def fixed_mean(context: Context) -> Outcome:
    """q̂ and p̂ are unbiased for samples of fixed number."""
    return search(context, small_tasks(), mean_is_the_model, (25, 400, 4000))


@check(
    "text-hmm-reduction.model/fixed",
    CheckKind.EXACT,
    "The distribution of o_h given the task does not depend on the past",
)
@check(
    "text-hmm-reduction.model/fresh-samples",
    CheckKind.EXACT,
    "The distribution of o_h given the task does not depend on the past",
)
@check(
    "text-conditionally-independent.given-task/fixed",
    CheckKind.EXACT,
    "All pasts give an observation of fixed size the same distribution",
)
def fixed_distribution(context: Context) -> Outcome:
    """Fresh samples of fixed number after one or no query."""
    chances = Opportunities("probabilities compared", probabilities_compared)
    return search(context, small_tasks(), same_law_after_any_past, (25, 400, 4000), chances=chances)


def probabilities_compared(task: SmallTask) -> int:
    """Observations of all pasts together."""
    return sum(len(distribution) for distribution in laws_by_past(task).values())


@check("text-columns-are-models.exact/fixed", CheckKind.EXACT)
def fixed_column(context: Context) -> Outcome:
    """The mean observation is the column of O."""
    return search(context, small_tasks(), column_of_matrix, (25, 400, 4000))


@check("text-at-least-one-sample.wlog/counted", CheckKind.EXACT)
def counted_samples(context: Context) -> Outcome:
    """Every sample is counted, those after PTUM too.

    Post-samples appear in the number of samples of every task, in both versions.
    """
    return from_evaluation(algorithm_2.all_samples_counted(context.count(4, 8, 12)))
