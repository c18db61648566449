"""Lemma 3, Theorem 1 and the ENSURE line, with the probability of every named run exact.

Nothing is sampled: a probability lies between two rationals, one of which decides. Where the
premises of a claim fail, the problem says nothing about it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

from ptum.checks.claims.section_3_exact.named import NAMED, WRONG_STD, Named
from ptum.checks.exact.intervals import Between, UndecidedError
from ptum.checks.exact.runs import premises
from ptum.checks.exact.runs.premises import LINES, AssumptionLine
from ptum.checks.exact.runs.problem import ExactProblem, VersionRule
from ptum.checks.exact.runs.results import Results, results
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context, Profile, check
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Evaluation,
    Outcome,
    Statement,
    over_evaluations,
)
from ptum.spec.vocabulary import CheckKind, Version

Premises = tuple[Statement, ...]
Of = Callable[[ExactProblem, Results], Evaluation]

COVERED = (AssumptionLine.R, AssumptionLine.P, AssumptionLine.SIGMA_R, AssumptionLine.SIGMA_P)
"""What Lemma 3 needs of Assumption 1, where σ^p is a deviation of Ṽ*."""


@cache
def problem_of(name: str) -> ExactProblem:
    """A named problem."""
    (found,) = (each for each in NAMED if each.name == name)
    return found.build()


@cache
def results_of(
    name: str, version: Version, share: int = 1, rule: VersionRule | None = None
) -> Results:
    """The results of a named problem; its δ is divided by `share`, and tests plant other rules."""
    problem = problem_of(name)
    return results(replace(problem, delta=problem.delta / share), version, rule)


def chosen(context: Context) -> tuple[Named, ...]:
    """The quick ones in the quick profile, else all."""
    named = [each for each in NAMED if each.quick or context.profile is not Profile.QUICK]
    return tuple(named[: context.count(*[len(named)] * 3)])


# Statements


def assumed(problem: ExactProblem, lines: Sequence[AssumptionLine]) -> Premises:
    """Lines of Assumption 1 that hold with what the agent is given."""
    return tuple(Statement(line.value, premises.keeps(problem, line), "=", True) for line in lines)


def transfer(problem: ExactProblem, version: Version) -> Statement:
    """Assumption 3."""
    return formulas.transfer_mode(problem.errors.Delta, problem.epsilon, problem.gamma, version)


def budget(problem: ExactProblem) -> Statement:
    """Assumption 4 in its repaired form."""
    enough = premises.enough_budget(problem)
    return Statement("n exceeds the repaired bound of Theorem 1", enough, "=", True)


def at_most(what: str, probability: Between, allowed: Fraction) -> Statement:
    """P ≤ δ: by the upper end where it is kept, by the lower end where it is not."""
    if probability.high <= allowed:
        end, shown = probability.high, rounded_up(probability.high)
    elif probability.low > allowed:
        end, shown = probability.low, rounded_down(probability.low)
    else:
        raise UndecidedError(f"{what}: δ lies between the ends of {probability}")
    same_side = (Fraction(shown) <= allowed) == (end <= allowed)
    return Statement(what, shown if same_side else end, "≤", allowed, tolerance=NOTHING_ROUNDED)


def rounded_up(x: Fraction) -> float:
    """The least double that is not below."""
    near = float(x)
    return near if near >= x else math.nextafter(near, math.inf)


def rounded_down(x: Fraction) -> float:
    """The largest double that is not above."""
    return -rounded_up(-x)


def _outcome(
    context: Context, version: Version, of: Of, rule: VersionRule | None = None
) -> Outcome:
    evaluations = [
        of(problem_of(each.name), results_of(each.name, version, rule=rule))
        for each in chosen(context)
    ]
    return over_evaluations(
        evaluations, "small problems meet the premises, and every probability is exact"
    )


# Lemma 3


def survives(problem: ExactProblem, found: Results, lines: Sequence[AssumptionLine]) -> Evaluation:
    """P(the target is eliminated) ≤ δ."""
    what = "P(the target is ever eliminated)"
    return Evaluation(assumed(problem, lines), at_most(what, found.eliminated, problem.delta))


@check("lemma-3.coverage/exact", CheckKind.EXACT)
def covered(context: Context, rule: VersionRule | None = None) -> Outcome:
    """P(the target is ever eliminated) ≤ δ, exactly, in whole runs on small problems."""
    return _outcome(context, Version.PRINTED, lambda p, found: survives(p, found, COVERED), rule)


@check("lemma-3.coverage/wrong-std-exact", CheckKind.EXACT)
def not_covered(_: Context) -> Outcome:
    """P(the target is ever eliminated) > δ, exactly, where Assumption 1 has V* in its last line."""
    found = results_of(WRONG_STD, Version.PRINTED)
    evaluation = survives(problem_of(WRONG_STD), found, LINES[Version.PRINTED])
    return over_evaluations([evaluation], "problem meets the premises")


@check("lemma-3.coverage/repaired-exact", CheckKind.EXACT)
def covered_repaired(context: Context, rule: VersionRule | None = None) -> Outcome:
    """P(the target is ever eliminated) ≤ δ, exactly, in runs of the repaired Algorithm 1."""
    lines = LINES[Version.REPAIRED]
    return _outcome(context, Version.REPAIRED, lambda p, found: survives(p, found, lines), rule)


# Theorem 1


def _of_theorem(problem: ExactProblem, version: Version) -> Premises:
    return (*assumed(problem, LINES[version]), transfer(problem, version))


def bad_policy(problem: ExactProblem, found: Results, version: Version) -> Evaluation:
    """First half of Theorem 1."""
    what = "P(line 14 returns a policy that loses more than ε)"
    return Evaluation(_of_theorem(problem, version), at_most(what, found.bad_policy, problem.delta))


def too_many(problem: ExactProblem, found: Results, version: Version) -> Evaluation:
    """Second half of Theorem 1; an infinite bound is never exceeded."""
    what = "P(more queries than the bound)"
    return Evaluation(_of_theorem(problem, version), at_most(what, found.too_many, problem.delta))


def failed(problem: ExactProblem, found: Results) -> Evaluation:
    """Both halves of the repaired theorem: stop, within the bound, with an ε-optimal policy."""
    given = (*_of_theorem(problem, Version.REPAIRED), budget(problem))
    what = "P(no stop, more queries than the bound, or a loss above ε)"
    return Evaluation(given, at_most(what, found.failed, problem.delta))


@check("theorem-1.correct/exact", CheckKind.EXACT)
def correct(context: Context) -> Outcome:
    """P(line 14 returns a policy that loses more than ε) ≤ δ, exactly, on small problems."""
    return _outcome(
        context, Version.PRINTED, lambda p, found: bad_policy(p, found, Version.PRINTED)
    )


@check("theorem-1.correct/repaired-exact", CheckKind.EXACT)
def correct_repaired(context: Context, rule: VersionRule | None = None) -> Outcome:
    """P(line 14 returns a policy that loses more than ε) ≤ δ, exactly, on small problems."""
    return _outcome(
        context, Version.REPAIRED, lambda p, found: bad_policy(p, found, Version.REPAIRED), rule
    )


@check("theorem-1.bound/exact", CheckKind.EXACT)
def within_bound(context: Context, rule: VersionRule | None = None) -> Outcome:
    """P(more queries than the printed bound) ≤ δ, exactly; on three arms the bound is infinite."""
    return _outcome(
        context, Version.PRINTED, lambda p, found: too_many(p, found, Version.PRINTED), rule
    )


@check("theorem-1.bound/repaired-exact", CheckKind.EXACT)
def within_bound_repaired(context: Context, rule: VersionRule | None = None) -> Outcome:
    """P(no stop, more queries than the repaired bound, or a loss above ε) ≤ δ, exactly."""
    return _outcome(context, Version.REPAIRED, failed, rule)


# The ENSURE line


def ensured(problem: ExactProblem, found: Results, version: Version, share: int) -> Evaluation:
    """P(the output is not ε-optimal) ≤ δ, if the fallback fails with at most δ/`share`.

    It starts afresh (D39), so that its failure is independent of how the run came to it.
    """
    fallback = sum((each.high for each in found.fallback.values()), Fraction(0))
    most = found.bad_policy.high + min(fallback, Fraction(1)) * problem.delta / share
    least = found.bad_policy.low
    what = "P(the output is not ε-optimal), with a fallback that fails with all of its share of δ"
    given = assumed(problem, LINES[version])
    return Evaluation(given, at_most(what, Between(least, most), problem.delta))


@check("algorithm-1.ensures/exact", CheckKind.EXACT)
def ensures(context: Context) -> Outcome:
    """P(line 14 returns a policy that loses more than ε) ≤ δ, exactly; the fallback left out."""

    def evaluation(problem: ExactProblem, found: Results) -> Evaluation:
        what = "P(line 14 returns a policy that loses more than ε)"
        given = assumed(problem, LINES[Version.PRINTED])
        return Evaluation(given, at_most(what, found.bad_policy, problem.delta))

    return _outcome(context, Version.PRINTED, evaluation)


@check("algorithm-1.ensures/repaired-exact", CheckKind.EXACT)
def ensures_repaired(context: Context, rule: VersionRule | None = None) -> Outcome:
    """P(the output is not ε-optimal) ≤ δ with δ/2 for each phase, exactly but for the fallback.

    Where line 2 falls back at once, that has all of δ.
    """
    evaluations = []
    for each in chosen(context):
        problem = problem_of(each.name)
        share = 2 if premises.transfers(problem, Version.REPAIRED) else 1
        found = results_of(each.name, Version.REPAIRED, share, rule)
        evaluations.append(ensured(problem, found, Version.REPAIRED, share))
    return over_evaluations(evaluations, "small problems meet the premises")
