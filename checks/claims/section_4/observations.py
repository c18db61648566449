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
from ptum.checks.instances.counterexamples.section_4 import adaptive_samples, singleton
from ptum.checks.instances.families import rational
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Outcome, Statement, Walk, from_walk
from ptum.checks.verdicts.search import Chances, search
from ptum.reference.sequential.hmm import observation_matrix, post_sample_observation
from ptum.reference.tasks.mdp import MDP
from ptum.spec.vocabulary import CheckKind, Version

PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED
REWARDS = (0.0, 1.0)


@stored
@dataclass(frozen=True)
class SmallTask:
    """One or two states, one action, rewards 0 and 1: laws of reward and next state per state."""

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
    """Rational laws; one sample per pair in two states or up to two in one."""
    S = draw(st.integers(1, 2))
    q = tuple(draw(rational.distributions(2)) for _ in range(S))
    p = tuple(draw(rational.distributions(S)) for _ in range(S))
    return SmallTask(q, p, draw(st.integers(1, 3 - S)), draw(st.integers(0, 1)))


def laws_by_past(task: SmallTask) -> dict[tuple[tuple[int, int], ...], dict[Vector, Fraction]]:
    """The law of the observation of the literal code, for every answer that came before it.

    `before` queries of state 0 stand for what PTUM did with the task.
    """
    laws: dict[tuple[tuple[int, int], ...], dict[Vector, Fraction]] = {}
    for script in _scripts(task):
        model = Scripted(task, script)
        for _ in range(task.before):
            model.sample(0, 0)
        past, model.probability = script[: task.before], Fraction(1)
        found = post_sample_observation(model, task.S, 1, REWARDS, task.n_post).o
        law = laws.setdefault(past, {})
        o = tuple(map(Fraction, found.tolist()))  # halves and wholes: no rounding
        law[o] = law.get(o, Fraction(0)) + model.probability
    return laws


def _scripts(task: SmallTask) -> Iterator[tuple[tuple[int, int], ...]]:
    answers = list(product(range(2), range(task.S)))
    return product(answers, repeat=task.before + task.S * task.n_post)


def mean_is_the_model(task: SmallTask) -> Walk:
    """E[o_h | θ*_h, past] is the flattened model, entry by entry, for every past."""
    column = tuple(x for table in (task.q, task.p) for row in table for x in row)
    off = max(
        abs(sum((o[i] * p for o, p in law.items()), Fraction(0)) - column[i])
        for law in laws_by_past(task).values()
        for i in range(len(column))
    )
    return Walk((), Statement("largest bias of an entry of o_h", off, "=", 0))


def same_law_after_any_past(task: SmallTask) -> Walk:
    """The law of o_h given θ*_h does not depend on what happened before."""
    laws = list(laws_by_past(task).values())
    off = max(
        abs(law.get(o, Fraction(0)) - laws[0].get(o, Fraction(0)))
        for law in laws
        for o in {*law, *laws[0]}
    )
    return Walk((), Statement("largest change of a probability with the past", off, "=", 0))


def column_of_matrix(task: SmallTask) -> Walk:
    """E[o_h | θ*_h = θ_j] is what the literal O has in column j."""
    p, q = (np.array(table, dtype=np.float64)[:, np.newaxis, :] for table in (task.p, task.q))
    literal = observation_matrix([MDP(p=p, q=q, u=np.array(REWARDS), gamma=0.5)])[:, 0]
    law = next(iter(laws_by_past(task).values()))
    mean = [
        float(sum((o[i] * x for o, x in law.items()), Fraction(0))) for i in range(len(literal))
    ]
    off = float(np.max(np.abs(literal - mean)))  # equal fractions are rounded equally
    return Walk((), Statement("largest difference to column j", off, "=", 0))


def unbiased_as_printed(_: Context) -> Outcome:
    """Both tasks of the two-armed example, after PTUM."""
    return _first_violation([adaptive_samples.unbiased(task) for task in (0, 1)])


def dependent_as_printed(_: Context) -> Outcome:
    """A past that leaves Δ_h = 0 against one that leaves Δ_h = 0.02."""
    return from_walk(adaptive_samples.same_law(adaptive_samples.FIRST, adaptive_samples.SECOND))


def column_as_printed(_: Context) -> Outcome:
    """Column 0 of E[o_h | θ*_h] against the model of task 0."""
    return from_walk(adaptive_samples.unbiased(0))


def fixed_mean(context: Context) -> Outcome:
    """Fresh samples of fixed number, drawn tasks."""
    return search(context, small_tasks(), mean_is_the_model, context.count(25, 400, 4000))


def fixed_law(context: Context) -> Outcome:
    """Fresh samples of fixed number after one or no query."""
    examples = context.count(25, 400, 4000)
    chances = Chances("probabilities compared", probabilities_compared)
    return search(context, small_tasks(), same_law_after_any_past, examples, chances=chances)


def probabilities_compared(task: SmallTask) -> int:
    """Observations of all pasts together."""
    return sum(len(law) for law in laws_by_past(task).values())


def fixed_column(context: Context) -> Outcome:
    """Fresh samples of fixed number against the literal matrix O."""
    return search(context, small_tasks(), column_of_matrix, context.count(25, 400, 4000))


def extra_samples(_: Context) -> Outcome:
    """A task that PTUM solves with no sample."""
    return from_walk(singleton.free_observation(singleton.grid()))


def counted_samples(context: Context) -> Outcome:
    """Post-samples appear in the number of samples of every task, in both versions."""
    return from_walk(singleton.all_samples_counted(context.count(4, 8, 12)))


def _first_violation(walks: list[Walk]) -> Outcome:
    wrong = [walk for walk in walks if not walk.conclusion.holds]
    return from_walk(wrong[0] if wrong else walks[0])


MODEL = "text-hmm-reduction.model"

CHECKS: tuple[Check, ...] = tuple(
    Check(identity, version, CheckKind.EXACT, says, run, reading)
    for identity, version, says, run, reading in (
        (
            f"{MODEL}/adaptive",
            PRINTED,
            "the law of o_h given the task is the same whatever Δ_h PTUM was given",
            dependent_as_printed,
            f"{MODEL}.all-samples",
        ),
        (
            f"{MODEL}/fixed",
            PRINTED,
            "the law of o_h given the task does not depend on the past",
            fixed_law,
            f"{MODEL}.fixed-samples",
        ),
        (
            f"{MODEL}/fresh-samples",
            REPAIRED,
            "the law of o_h given the task does not depend on the past",
            fixed_law,
            None,
        ),
        (
            "text-unbiased-observations.mean/stopping",
            PRINTED,
            "q̂ is unbiased when PTUM chose the number of samples",
            unbiased_as_printed,
            None,
        ),
        (
            "text-unbiased-observations.mean/fixed",
            REPAIRED,
            "q̂ and p̂ are unbiased for samples of fixed number",
            fixed_mean,
            None,
        ),
        (
            "text-conditionally-independent.given-task/two-pasts",
            PRINTED,
            "two values of Δ_h, from two pasts, give o_h the same law",
            dependent_as_printed,
            None,
        ),
        (
            "text-conditionally-independent.given-task/fixed",
            REPAIRED,
            "all pasts give an observation of fixed size the same law",
            fixed_law,
            None,
        ),
        (
            "text-columns-are-models.exact/adaptive",
            PRINTED,
            "the mean observation of task 0 is its model",
            column_as_printed,
            None,
        ),
        (
            "text-columns-are-models.exact/fixed",
            REPAIRED,
            "the mean observation is the column of O",
            fixed_column,
            None,
        ),
        (
            "text-at-least-one-sample.wlog/singleton",
            PRINTED,
            "a sample of every pair costs nothing beyond what PTUM samples anyway",
            extra_samples,
            None,
        ),
        (
            "text-at-least-one-sample.wlog/counted",
            REPAIRED,
            "every sample is counted, those after PTUM too",
            counted_samples,
            None,
        ),
    )
)
