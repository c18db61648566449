"""Section 2: is it no loss of generality that rewards lie in [0,1]?"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.section_3_text import unit_rewards
from ptum.checks.instances.counterexamples.section_3_text.unit_rewards import (
    Doublings,
    Gamble,
    Scaled,
)
from ptum.checks.instances.families import rational
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Outcome, from_walk
from ptum.checks.verdicts.search import Chances, search
from ptum.spec.vocabulary import CheckKind, Version


@st.composite
def scaled_tasks(draw: DrawFn) -> Scaled:
    """Rewards from -10 to 20, bounds around them, ε equal to the loss of some policy or near it."""
    S, A = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    task = draw(rational.tasks(S, A, draw(rational.discounts())))
    task = replace(task, r=tuple(tuple(30 * x - 10 for x in row) for row in task.r))
    low = Fraction(-10) - draw(st.sampled_from((0, 1, 50)))
    high = Fraction(20) + draw(st.sampled_from((0, 1, 50)))
    pi = tuple(draw(st.integers(0, A - 1)) for _ in range(S))
    share = draw(st.sampled_from((Fraction(1), Fraction(1, 2), Fraction(99, 100))))
    return Scaled(task, low, high, share * mdp.loss(task, pi))


def bounded_rewards(context: Context) -> Outcome:
    """Known bounds: values change by one affine map."""
    return search(
        context,
        scaled_tasks(),
        unit_rewards.affine_values_walk,
        context.count(25, 250, 4000),
        chances=Chances("values compared", lambda case: case.task.S * case.task.A**case.task.S),
    )


def bounded_repaired(context: Context) -> Outcome:
    """Known bounds: the same policies are good enough."""
    return search(
        context, scaled_tasks(), unit_rewards.same_good_policies_walk, context.count(25, 250, 4000)
    )


def unbounded_rewards(_: Context) -> Outcome:
    """A reward that doubles: no interval holds it."""
    return from_walk(unit_rewards.affine_walk(Doublings()))


def squashed_rewards(_: Context) -> Outcome:
    """A map that is not affine changes which arm is better."""
    return from_walk(unit_rewards.squashing_walk(Gamble()))


UNIT = "text-rewards-in-unit-interval.generality"

CHECKS = (
    Check(
        id=f"{UNIT}/bounded",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="with known bounds every policy's value changes by the same affine map",
        run=bounded_rewards,
        reading=f"{UNIT}.bounded",
    ),
    Check(
        id=f"{UNIT}/unbounded",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="a reward of mean 1 that no affine map brings into [0,1]",
        run=unbounded_rewards,
        reading=f"{UNIT}.unbounded",
    ),
    Check(
        id=f"{UNIT}/squashed",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="an increasing map into [0,1) that turns the order of two arms round",
        run=squashed_rewards,
        reading=f"{UNIT}.unbounded",
    ),
    Check(
        id=f"{UNIT}/repaired-accuracy",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="with known bounds, ε-optimal before is ε/(h-l)-optimal after, and no other policy",
        run=bounded_repaired,
    ),
)
