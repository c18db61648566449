"""What near-copies make harder (erratum E62): naming the task, not solving it.

One state, two arms with deterministic rewards, no discount. The copy of a task has the same best
arm and nearly the same rewards, another task has the other arm best. PTUM stops at once where both
models have one good policy, so a copy is solved with fewer samples than another task in its place.
Beside that other task a copy is one more model, and costs a sample.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.verdicts.outcome import Evaluation, Statement

DELTA, BUDGET = Fraction(1, 10), 10_000

Pair = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Lists:
    """Rewards of both arms in the target, in its copy, and in a task that is no copy.

    `naming` counts the samples that name the task, not those that solve it.
    """

    target: Pair = (Fraction(96, 100), Fraction(1, 2))
    copy: Pair = (Fraction(98, 100), Fraction(1, 2))
    other: Pair = (Fraction(2, 10), Fraction(1, 2))
    epsilon: Fraction = Fraction(1, 10)
    naming: bool = False


def task(rewards: Pair) -> ExactMDP:
    """A bandit."""
    (bandit,) = deterministic_runs.arms(Fraction(0), rewards)
    return bandit


def to_solve(lists: Lists, *beside: Pair) -> int:
    """Samples until PTUM stops, with the target and these models."""
    models = tuple(task(rewards) for rewards in (lists.target, *beside))
    return deterministic_runs.run(models, Algorithm1Inputs(lists.epsilon, DELTA, BUDGET)).queries


def to_name(lists: Lists, beside: Pair) -> int:
    """Samples of the arm with the largest gap until the other model fails its test."""
    gap = max(abs(x - y) for x, y in zip(lists.target, beside, strict=True))
    L = deterministic_runs.log_term(1, 2, BUDGET, 2, DELTA)
    return deterministic_runs.first_below(7 * L / 3, gap) or BUDGET


def premises(lists: Lists) -> tuple[Statement, ...]:
    """The copy is ε-optimal with the target, the other task is not."""

    def loss(of: Pair) -> Fraction:
        return mdp.loss(task(of), mdp.optimal_policy(task(lists.target)))

    return (
        Statement("loss of the target's policy in the copy", loss(lists.copy), "≤", lists.epsilon),
        Statement("loss in the other task", loss(lists.other), ">", lists.epsilon),
    )


def solved_evaluation(lists: Lists) -> Evaluation:
    """With the other task in place of the copy PTUM needs no more samples."""
    return Evaluation(
        premises(lists),
        Statement(
            "samples to solve the target with the other task in place of its copy, with the copy",
            to_solve(lists, lists.other),
            "≤",
            to_solve(lists, lists.copy),
        ),
    )


def named_evaluation(lists: Lists) -> Evaluation:
    """With the other task in place of the copy it takes no more samples to tell which it is."""
    return Evaluation(
        premises(lists),
        Statement(
            "samples to name the target with the other task in place of its copy, with the copy",
            to_name(lists, lists.other),
            "≤",
            to_name(lists, lists.copy),
        ),
    )


def no_harder_evaluation(lists: Lists) -> Evaluation:
    """A copy costs no sample more than another task would, if the aim is an ε-optimal policy."""
    return Evaluation(
        premises(lists),
        Statement(
            "samples to solve the target with its copy, with the other task in place of it",
            to_solve(lists, lists.copy),
            "≤",
            to_solve(lists, lists.other),
        ),
    )


def printed_evaluation(lists: Lists) -> Evaluation:
    """The claim about the samples that are counted."""
    return named_evaluation(lists) if lists.naming else solved_evaluation(lists)


def _numbers(lists: Lists) -> Numbers:
    return (
        ("rewards of both arms in the target", lists.target),
        ("in its copy", lists.copy),
        ("in the other task", lists.other),
        ("γ", Fraction(0)),
        ("ε", lists.epsilon),
        ("δ", DELTA),
        ("budget n", BUDGET),
    )


BOTH_MOVED = replace(Lists(), copy=(Fraction(94, 100), Fraction(54, 100)))
"""A copy whose two rewards are both off by a little."""

declare(
    Counterexample(
        checks={
            "text-copies-hard.trivial-otherwise/two-arms": (
                "Beside its copy a task is solved without a sample, beside another one it is not"
            ),
        },
        instance=Lists(),
        evaluate=printed_evaluation,
        numbers=_numbers,
        fix="count the samples that name the task, not those that solve it",
        fixed=Lists(naming=True),
        broken={
            "loss of the target's policy in the copy": Lists(
                copy=(Fraction(3, 10), Fraction(1, 2))
            ),
            "loss in the other task": Lists(other=(Fraction(97, 100), Fraction(1, 2))),
        },
        repaired=no_harder_evaluation,
        in_scope=BOTH_MOVED,
    )
)
