"""A learner with initial values that asks more when they are tighter (erratum E64).

The learner is given upper bounds U ≥ Q* and asks a generative model. It plans with U at pairs that
it does not know and with their distributions at those that it does, and asks a pair that its plan
takes and that it does not know, until its plan and the best plan through known pairs are within ε
everywhere. One question stands for as many as it takes to know a pair.

Ten arms: one pays 1/2, the others nothing. With bounds 1 for the good arm and 11/20 for the others
it is asked first and is good enough at ε = 1/10. A tighter bound of 13/25 puts it last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP, Table, Vector
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Pair, arms, leads_to
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement

Asked = tuple[Pair, ...]


@stored
@dataclass(frozen=True)
class Initial:
    """A task, two tables of upper bounds on Q*, and the accuracy that the learner is after."""

    task: ExactMDP
    loose: Table
    tight: Table
    epsilon: Fraction


Learner = Callable[[ExactMDP, Table, Fraction], Asked]
"""From a task, upper bounds and ε to the pairs that are asked, in order."""


def believed(task: ExactMDP, known: frozenset[Pair], unknown: Table) -> ExactMDP:
    """The task as far as it is known; other pairs pay what the table says, and end in a new state.

    That state pays nothing and is never left.
    """
    S, A = task.S, task.A
    end, nothing = leads_to(S, S + 1), [Fraction(0)] * A
    p = [
        [[*task.p[s][a], Fraction(0)] if (s, a) in known else end for a in range(A)]
        for s in range(S)
    ]
    r = [[task.r[s][a] if (s, a) in known else unknown[s][a] for a in range(A)] for s in range(S)]
    return mdp.deterministic([*p, [end] * A], [*r, nothing], task.gamma)


def optimistic(task: ExactMDP, upper: Table, epsilon: Fraction) -> Asked:
    """The pairs that the learner asks: of the first state whose planned action is not known."""
    worthless = tuple((Fraction(0),) * task.A for _ in range(task.S))
    asked: Asked = ()
    while True:
        known = frozenset(asked)
        hoped = believed(task, known, upper)
        sure = mdp.optimal_value(believed(task, known, worthless))
        if _apart(mdp.optimal_value(hoped), sure) <= epsilon:
            return asked
        plan = mdp.optimal_policy(hoped)
        asked += (next((s, plan[s]) for s in range(task.S) if (s, plan[s]) not in known),)


def _apart(upper: Vector, lower: Vector) -> Fraction:
    return max(x - y for x, y in zip(upper, lower, strict=True))


def smallest_difference(first: Table, second: Table) -> Fraction:
    """min over pairs of the first table less the second."""
    return min(
        x - y
        for row, other in zip(first, second, strict=True)
        for x, y in zip(row, other, strict=True)
    )


def premises_of(case: Initial) -> tuple[Statement, ...]:
    """Both tables are upper bounds, and one is the tighter one."""
    Q = mdp.action_values(case.task, mdp.optimal_value(case.task))
    return (
        Statement("tighter: U - U' at least", smallest_difference(case.loose, case.tight), "≥", 0),
        Statement("valid: U' - Q* at least", smallest_difference(case.tight, Q), "≥", 0),
    )


def worth_asking(case: Initial, upper: Table) -> frozenset[Pair]:
    """The pairs with U(s,a) ≥ V*(s): all that an optimistic learner may ask."""
    V = mdp.optimal_value(case.task)
    return frozenset((s, a) for s, row in enumerate(upper) for a, u in enumerate(row) if u >= V[s])


def every_run_evaluation(case: Initial, learner: Learner = optimistic) -> Evaluation:
    """With the tighter bounds the learner asks at most as many pairs."""
    tight, loose = (learner(case.task, U, case.epsilon) for U in (case.tight, case.loose))
    return Evaluation(
        premises_of(case),
        Statement("pairs asked with U', with U", len(tight), "≤", len(loose)),
    )


def without_accuracy_evaluation(case: Initial, learner: Learner = optimistic) -> Evaluation:
    """The same at ε = 0, where no bound equals V*: what is asked are the pairs with U > V*.

    Asked pairs have U(s,a) ≥ V*(s) by optimism; in the end the plan is worth V*, so that no pair
    with a larger U is left.
    """
    evaluation = every_run_evaluation(case, learner)
    V = mdp.optimal_value(case.task)
    ties = sum(
        u == v for U in (case.loose, case.tight) for row, v in zip(U, V, strict=True) for u in row
    )
    return replace(
        evaluation,
        premises=(
            *evaluation.premises,
            Statement("ε", case.epsilon, "=", 0),
            Statement("bounds that equal V*", ties, "=", 0),
        ),
    )


# What the instance shows


OTHERS = 9
HALF, NEARLY = Fraction(1, 2), Fraction(11, 20)


def instance(
    good: Fraction = Fraction(13, 25),
    before: Fraction = Fraction(1),
    epsilon: Fraction = Fraction(1, 10),
) -> Initial:
    """One state, γ = 0; `good` is the tighter bound of the last arm, `before` the looser one."""
    (task,) = arms(Fraction(0), (*(Fraction(0),) * OTHERS, HALF))
    loose, tight = (((*(NEARLY,) * OTHERS, bound),) for bound in (before, good))
    return Initial(task, loose, tight, epsilon)


def numbers(case: Initial) -> Numbers:
    """The arms and the bounds."""
    return (
        ("γ", case.task.gamma),
        ("ε; the learner stops when its plan is surely within it", case.epsilon),
        ("rewards of the arms, certain", case.task.r[0]),
        ("U", case.loose[0]),
        ("U', tighter", case.tight[0]),
        ("arms asked with U", tuple(a for _, a in optimistic(case.task, case.loose, case.epsilon))),
        (
            "arms asked with U'",
            tuple(a for _, a in optimistic(case.task, case.tight, case.epsilon)),
        ),
    )


FIRST = Fraction(3, 5)

declare(
    Counterexample(
        checks={
            "text-fallback-choice.optimism/asked-last": (
                "With a tighter bound on the good arm of ten a learner asks no more arms"
            ),
        },
        instance=instance(),
        evaluate=every_run_evaluation,
        fix="the tighter bound of the good arm is 3/5, which still is the largest",
        fixed=instance(FIRST),
        broken={
            "tighter: U - U' at least": instance(before=HALF),
            "valid: U' - Q* at least": instance(Fraction(2, 5)),
        },
        repaired=without_accuracy_evaluation,
        in_scope=instance(epsilon=Fraction(0)),
        numbers=numbers,
    )
)
