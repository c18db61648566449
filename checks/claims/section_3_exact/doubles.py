"""Small problems in doubles, and where the literal code decides otherwise than real arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.runs.comparisons import Close
from ptum.checks.exact.runs.problem import (
    RULES,
    Active,
    EndOrQuery,
    ExactProblem,
    Pair,
    decide,
    enters,
    rewards_at,
    successors_at,
)
from ptum.reference.repaired.transfer import stopping as repaired_stopping
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer import stopping
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.confidence import elimination_tests, widths
from ptum.reference.transfer.empirical import empirical_model, empty_data
from ptum.reference.transfer.information import index, index_is_zero, query
from ptum.reference.transfer.ptum import End
from ptum.spec.vocabulary import Version


def in_doubles(task: ExactMDP) -> MDP:
    """The task for the literal code: rewards are deterministic, or 0 and 1."""
    drawn = {(s, a): rewards_at(task, (s, a)) for s in range(task.S) for a in range(task.A)}
    u = sorted({Fraction(x) for one in drawn.values() for x in (one.first_value, one.second_value)})
    q = np.zeros((task.S, task.A, len(u)))
    for pair, one in drawn.items():
        q[(*pair, u.index(Fraction(one.first_value)))] += float(1 - one.second)
        q[(*pair, u.index(Fraction(one.second_value)))] += float(one.second)
    return MDP(np.array(task.p, dtype=np.float64), q, np.array(u, np.float64), float(task.gamma))


def models_in_doubles(problem: ExactProblem) -> ApproximateModels:
    """The agent's models for the literal code."""
    return approximate_models([in_doubles(model) for model in problem.models])


def errors_in_doubles(problem: ExactProblem) -> ModelErrors:
    """The four constants for the literal code."""
    given = problem.errors
    return ModelErrors(float(given.r), float(given.p), float(given.sigma_r), float(given.sigma_p))


def decided_otherwise(problem: ExactProblem, close: Close) -> bool:
    """Whether the literal test differs at this count, in one of two orders of the samples."""
    second = close.count.i
    first = close.count.N - second
    orders = ([0] * first + [1] * second, [1] * second + [0] * first)
    return any(_literal_fails(problem, close, order) != close.fails for order in orders)


def _literal_fails(problem: ExactProblem, close: Close, order: list[int]) -> bool:
    """Lines 7-12 of the literal code on samples of one pair; the other number stays at its first.

    Each equation looks at rewards or at next states alone.
    """
    s, a = close.pair
    rewards, successors = rewards_at(problem.task, (s, a)), successors_at(problem.task, (s, a))
    of_rewards = close.equation in (1, 3)
    data = empty_data(problem.task.S, problem.task.A)
    for which in order:
        reward = rewards.second_value if which and of_rewards else rewards.first_value
        state = successors.second_value if which and not of_rewards else successors.first_value
        data.store(s, a, float(reward), int(state))
    models = models_in_doubles(problem)
    hat = empirical_model(data, models.V_star)
    delta, errors = float(problem.delta), errors_in_doubles(problem)
    C = widths(hat, errors, models.gamma, problem.n, problem.k, delta)
    test = elimination_tests(close.theta, hat, C, models)[close.equation - 1]
    place = (s, a) if close.theta_prime is None else (s, a, close.theta_prime)
    return bool((test.distance > test.width)[place])


# Lines 2, 14 and 16-18


def other_decisions(problem: ExactProblem, version: Version) -> Iterator[str]:
    """Line 2, and every set of models for which the literal code goes on otherwise."""
    rule, models = RULES[version], models_in_doubles(problem)
    Delta, epsilon = errors_in_doubles(problem).Delta, float(problem.epsilon)
    lines = stopping if version is Version.PRINTED else repaired_stopping
    if lines.enters_transfer_mode(Delta, epsilon, models.gamma) != enters(problem, rule):
        yield "line 2"
    for size in range(1, problem.k + 1):
        for active in combinations(range(problem.k), size):
            exact = decide(problem, rule, active)
            literal = literal_decision(active, models, epsilon, Delta, rule.ends_on_zero_index)
            if exact != literal:
                yield f"active {active}: {literal} in place of {exact}"


def literal_decision(
    active: Active, models: ApproximateModels, epsilon: float, Delta: float, ends: bool
) -> EndOrQuery:
    """Lines 13-18 of the literal code for an active set; whether an index of zero `ends` a run."""
    good = stopping.stopping_models(active, models, epsilon, Delta)
    if good:
        return EndOrQuery(end=End.STOPPED, theta=good[0])
    I_t = index(active, models, Delta)
    if index_is_zero(I_t) and ends:
        return EndOrQuery(end=End.INDEX_ZERO)
    pair: Pair = query(I_t)
    return EndOrQuery(pair=pair)
