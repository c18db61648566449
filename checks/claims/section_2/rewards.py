"""Section 2: is it no loss of generality that rewards lie in [0,1]?"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.section_3_text import generality
from ptum.checks.instances.counterexamples.section_3_text.generality import Scaled
from ptum.checks.instances.families import rational
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Outcome
from ptum.checks.verdicts.search import Opportunities, search
from ptum.spec.vocabulary import CheckKind


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


@check("text-rewards-in-unit-interval.generality/bounded", CheckKind.EXACT)
def bounded_rewards(context: Context) -> Outcome:
    """With known bounds every policy's value changes by the same affine map."""
    return search(
        context,
        scaled_tasks(),
        generality.affine_values_evaluation,
        (25, 250, 4000),
        chances=Opportunities(
            "values compared", lambda case: case.task.S * case.task.A**case.task.S
        ),
    )


@check("text-rewards-in-unit-interval.generality/repaired-accuracy", CheckKind.EXACT)
def bounded_repaired(context: Context) -> Outcome:
    """With known bounds, ε-optimal before is ε/(h-l)-optimal after, and no other policy."""
    return search(
        context, scaled_tasks(), generality.same_good_policies_evaluation, (25, 250, 4000)
    )
