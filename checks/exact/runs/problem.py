"""A small task for Algorithm 1, and what its lines 2, 14 and 16-18 decide, in rational arithmetic.

Rewards of the true target are deterministic or 0 and 1; a pair leads to at most two states. There
are at most three models: then a run has at most two active sets with which it samples, since with
one model left line 14 stops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, log
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation
from ptum.reference.transfer.ptum import End
from ptum.spec.vocabulary import Version

Active: TypeAlias = tuple[int, ...]
Pair: TypeAlias = tuple[int, int]

MOST_MODELS = 3


@dataclass(frozen=True)
class ExactErrors:
    """Δ^r, Δ^p, Δ^{σ_r} and Δ^{σ_p}, as the agent is given them."""

    r: Fraction
    p: Fraction
    sigma_r: Fraction
    sigma_p: Fraction

    @property
    def Delta(self) -> Fraction:
        """The largest of them."""
        return max(self.r, self.p, self.sigma_r, self.sigma_p)


def single(Delta: Fraction) -> ExactErrors:
    """One Δ for all four."""
    return ExactErrors(Delta, Delta, Delta, Delta)


@dataclass(frozen=True)
class VersionRule:
    """What differs between the printed and the repaired Algorithm 1, and the constants of Lemma 3.

    Tests plant other constants; `admits_equality` is that of line 2.
    """

    line_2: int
    admits_equality: bool
    ends_on_zero_index: bool
    strict_line_14: bool = False
    log_mean: Fraction = Fraction(8)
    log_sigma: Fraction = Fraction(4)
    range_term: Fraction = Fraction(7, 3)
    less: int = 1
    """The widths divide by N less this much."""
    spared: Active = ()
    """Models that no test may eliminate."""


RULES = {
    Version.PRINTED: VersionRule(
        mdp.PRINTED_FACTOR, admits_equality=False, ends_on_zero_index=False
    ),
    Version.REPAIRED: VersionRule(mdp.SHARP_FACTOR, admits_equality=True, ends_on_zero_index=True),
}


@dataclass(frozen=True)
class ExactProblem:
    """True tasks, their approximate models, and the inputs of Algorithm 1."""

    true: tuple[ExactMDP, ...]
    models: tuple[ExactMDP, ...]
    epsilon: Fraction
    delta: Fraction
    n: int
    errors: ExactErrors
    target: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.k <= MOST_MODELS:
            raise ValueError(f"{self.k} models: the chain is made for at most {MOST_MODELS}")
        if len(self.true) != self.k or not 0 <= self.target < self.k:
            raise ValueError("as many true tasks as models, and the target is one of them")

    @property
    def k(self) -> int:
        """|Θ|."""
        return len(self.models)

    @property
    def gamma(self) -> Fraction:
        """The discount factor that all tasks share."""
        return self.models[0].gamma

    @property
    def task(self) -> ExactMDP:
        """The true target."""
        return self.true[self.target]

    @property
    def pairs(self) -> Iterator[Pair]:
        """All pairs in lexicographic order, in which ties are broken."""
        return product(range(self.task.S), range(self.task.A))

    @property
    def situation(self) -> Situation:
        """The models with the target in front, for the terms of Theorem 1."""
        others = (m for theta, m in enumerate(self.models) if theta != self.target)
        return Situation((self.models[self.target], *others), self.epsilon, self.errors.Delta)

    def log(self, factor: Fraction, digits: int) -> Between:
        """log(factor·SAn(|Θ|+1)/δ)."""
        return log(self._inside(factor), digits)

    def _inside(self, factor: Fraction) -> Fraction:
        return factor * self.task.S * self.task.A * self.n * (self.k + 1) / self.delta


# One sample


@dataclass(frozen=True)
class TwoValues:
    """A random number with values x_0 and x_1; `second` is the probability of x_1.

    A number without randomness has one value, and counts of it are always 0.
    """

    first_value: int | Fraction
    second_value: int | Fraction
    second: Fraction

    @property
    def is_random(self) -> bool:
        """Whether both values have positive probability."""
        return 0 < self.second < 1


def rewards_at(task: ExactMDP, pair: Pair) -> TwoValues:
    """The reward of a pair; from its variance it is known whether it is random."""
    s, a = pair
    r, var = task.r[s][a], task.var[s][a]
    if var == 0:
        return TwoValues(r, r, Fraction(0))
    if var != r * (1 - r):
        raise ValueError(f"the reward of {pair} is neither deterministic nor Bernoulli")
    return TwoValues(Fraction(0), Fraction(1), r)


def successors_at(task: ExactMDP, pair: Pair) -> TwoValues:
    """The next state of a pair, as the numbers of at most two states."""
    s, a = pair
    reached = [state for state, p in enumerate(task.p[s][a]) if p > 0]
    if len(reached) > 2:
        raise ValueError(f"{pair} leads to {len(reached)} states; the chain is made for two")
    if len(reached) == 1:
        return TwoValues(reached[0], reached[0], Fraction(0))
    return TwoValues(reached[0], reached[1], task.p[s][a][reached[1]])


# Lines 2, 14 and 16-18


@dataclass(frozen=True)
class EndOrQuery:
    """What follows from the active set alone: an end of the run, or the pair that is queried."""

    end: End | None = None
    theta: int | None = None
    pair: Pair | None = None


def enters(problem: ExactProblem, rule: VersionRule) -> bool:
    """Line 2."""
    threshold = mdp.transfer_threshold(problem.epsilon, problem.gamma, rule.line_2)
    Delta = problem.errors.Delta
    return Delta < threshold or (rule.admits_equality and Delta == threshold)


def decide(problem: ExactProblem, rule: VersionRule, active: Active) -> EndOrQuery:
    """Lines 13-18 for an active set, the ends in the order of the literal code."""
    if not active:
        return EndOrQuery(end=End.ACTIVE_SET_EMPTY)
    good = [theta for theta in active if _good(problem, rule, active, theta)]
    if good:
        return EndOrQuery(end=End.STOPPED, theta=good[0])
    index = {pair: _index(problem, active, pair) for pair in problem.pairs}
    if max(index.values()) == 0 and rule.ends_on_zero_index:
        return EndOrQuery(end=End.INDEX_ZERO)
    return EndOrQuery(pair=max(index, key=lambda pair: index[pair]))  # the first of the largest


def _good(problem: ExactProblem, rule: VersionRule, active: Active, theta: int) -> bool:
    """Line 14: π̃*_θ loses at most the slack in every active model."""
    slack = problem.situation.slack
    policy = mdp.optimal_policy(problem.models[theta])
    losses = [mdp.loss(problem.models[other], policy) for other in active]
    return max(losses) < slack if rule.strict_line_14 else max(losses) <= slack


def _index(problem: ExactProblem, active: Active, pair: Pair) -> Fraction:
    """Line 17: the largest information at a pair, over ordered pairs of active models."""
    models, Delta = problem.models, problem.errors.Delta
    return max(
        mdp.information(models[theta], models[other], *pair, Delta)
        for theta in active
        for other in active
    )


def loss(problem: ExactProblem, theta: int) -> Fraction:
    """What the policy of model θ loses in the true target."""
    return mdp.loss(problem.task, mdp.optimal_policy(problem.models[theta]))
