"""What Theorem 1 assumes and what it promises on a small problem, in rational arithmetic.

A comparison of deviations is one of roots, |√x - √y| ≤ Δ, and is decided by squares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import DIGITS, Between, exceeds
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.exact.runs.problem import RULES, ExactProblem, enters
from ptum.checks.exact.terms import of_theorem_1
from ptum.spec.vocabulary import Version

FACTOR = 128
"""The constant of Theorem 1, printed and repaired."""


class AssumptionLine(StrEnum):
    """The lines of Assumption 1, in every form that is read or needed."""

    R = "|r - r̃| ≤ Δ^r"
    P = "|(p - p̃)ᵀṼ*| ≤ Δ^p"
    TRANSFERRED = "|(p - p̃)ᵀṼ_θ'^{π̃*_θ}| ≤ Δ^p"
    SIGMA_R = "|σ^r - σ̃^r| ≤ Δ^σr"
    SIGMA_P_TRUE = "|Std_p[V*] - Std_p̃[Ṽ*]| ≤ Δ^σp"
    SIGMA_P = "|Std_p[Ṽ*] - Std_p̃[Ṽ*]| ≤ Δ^σp"


LINES: Mapping[Version, tuple[AssumptionLine, ...]] = {
    Version.PRINTED: (
        AssumptionLine.R,
        AssumptionLine.P,
        AssumptionLine.SIGMA_R,
        AssumptionLine.SIGMA_P_TRUE,
    ),
    Version.REPAIRED: (
        AssumptionLine.R,
        AssumptionLine.P,
        AssumptionLine.TRANSFERRED,
        AssumptionLine.SIGMA_R,
        AssumptionLine.SIGMA_P,
    ),
}
"""Repaired, the second line covers transferred policies (E02) and the last has Ṽ* twice (E05)."""


def keeps(problem: ExactProblem, line: AssumptionLine) -> bool:
    """Whether a line holds with the constant that the agent is given."""
    errors = problem.errors
    match line:
        case AssumptionLine.R:
            return _apart(_tables(problem, _rewards)) <= errors.r
        case AssumptionLine.P:
            return _apart(_means(problem, _optimal_values)) <= errors.p
        case AssumptionLine.TRANSFERRED:
            return _apart(_means(problem, _transferred_values)) <= errors.p
        case AssumptionLine.SIGMA_R:
            squares, Delta = _tables(problem, _variances), errors.sigma_r
        case AssumptionLine.SIGMA_P_TRUE:
            squares, Delta = _deviations(problem, of_true=True), errors.sigma_p
        case AssumptionLine.SIGMA_P:
            squares, Delta = _deviations(problem, of_true=False), errors.sigma_p
    return all(within(x, y, Delta) for x, y in squares)


def _apart(numbers: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    return max(abs(x - y) for x, y in numbers)


def within(x: Fraction, y: Fraction, Delta: Fraction) -> bool:
    """|√x - √y| ≤ Δ, that is x + y - Δ² ≤ 2√(xy)."""
    rest = x + y - Delta**2
    return rest <= 0 or rest**2 <= 4 * x * y


def _rewards(task: ExactMDP) -> mdp.Table:
    return task.r


def _variances(task: ExactMDP) -> mdp.Table:
    return task.var


def _tables(
    problem: ExactProblem, table: Callable[[ExactMDP], mdp.Table]
) -> Iterator[tuple[Fraction, Fraction]]:
    for task, model in zip(problem.true, problem.models, strict=True):
        for s, a in problem.pairs:
            yield table(task)[s][a], table(model)[s][a]


def _optimal_values(problem: ExactProblem, _: ExactMDP) -> list[Vector]:
    return [mdp.optimal_value(model) for model in problem.models]


def _transferred_values(problem: ExactProblem, model: ExactMDP) -> list[Vector]:
    return [mdp.policy_value(model, mdp.optimal_policy(other)) for other in problem.models]


def _means(
    problem: ExactProblem, values: Callable[[ExactProblem, ExactMDP], list[Vector]]
) -> Iterator[tuple[Fraction, Fraction]]:
    for task, model in zip(problem.true, problem.models, strict=True):
        for V in values(problem, model):
            for s, a in problem.pairs:
                yield mdp.inner(task.p[s][a], V), mdp.inner(model.p[s][a], V)


def _deviations(problem: ExactProblem, *, of_true: bool) -> Iterator[tuple[Fraction, Fraction]]:
    """Squares of Std_p[V*_θ'] or Std_p[Ṽ*_θ'], and of Std_p̃[Ṽ*_θ']."""
    for task, model in zip(problem.true, problem.models, strict=True):
        for other, approximate in zip(problem.true, problem.models, strict=True):
            V_tilde = mdp.optimal_value(approximate)
            V = mdp.optimal_value(other) if of_true else V_tilde
            for s, a in problem.pairs:
                yield mdp.variance(task.p[s][a], V), mdp.variance(model.p[s][a], V_tilde)


# Theorem 1


def bound(problem: ExactProblem, version: Version) -> Between | None:
    """128 min{SA,|Θ|} L / max-min as printed, 128 min{SA,|Θ|-1} L / min-max repaired.

    None is an infinite bound.
    """
    printed = version is Version.PRINTED
    multiplicity = min(problem.task.S * problem.task.A, problem.k - (not printed))
    _, information = of_theorem_1(problem.situation, version)
    if information == math.inf or multiplicity == 0:
        return Between(Fraction(0), Fraction(0))
    if information == 0:
        return None
    L = problem.log(Fraction(8), DIGITS)
    return L * (FACTOR * multiplicity / Fraction(information))


def transfers(problem: ExactProblem, version: Version) -> bool:
    """Assumption 3: line 2 lets the run begin."""
    return enters(problem, RULES[version])


def enough_budget(problem: ExactProblem) -> bool:
    """Assumption 4 in its repaired form: n exceeds the repaired bound."""
    of_queries = bound(problem, Version.REPAIRED)
    return of_queries is not None and exceeds(problem.n, of_queries)
