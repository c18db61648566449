"""Section 3.3: what tighter optimistic values do to a fallback that starts from them.

The learner is that of `section_3_text.online`. How much it asks on one task can grow, but
not the number of pairs that it may ask at all, those with U(s,a) ≥ V*(s), which is what guarantees
for such learners count.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP, Table
from ptum.checks.instances.counterexamples.section_3_text.online import (
    Initial,
    Learner,
    optimistic,
    optimistic_arms_premises_of,
    without_accuracy_evaluation,
    worth_asking,
)
from ptum.checks.instances.families import rational
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import CheckKind

ACCURACIES = tuple(Fraction(share, 20) for share in (0, 1, 2, 5))
"""ε as a share of 1/(1-γ)."""
OFF_THE_VALUES = Fraction(1, 97)
"""Added to bounds at ε = 0, so that they seldom equal a value."""


@st.composite
def raised(draw: DrawFn, table: Table, gamma: Fraction, more: Fraction) -> Table:
    """The table, raised at every pair by some tenths of 1/(1-γ) or by nothing, and by `more`."""
    steps = draw(
        st.lists(
            st.sampled_from((0, 0, 1, 3, 10)),
            min_size=len(table) * len(table[0]),
            max_size=len(table) * len(table[0]),
        )
    )
    units = iter(Fraction(step, 10) / (1 - gamma) for step in steps)
    return tuple(tuple(x + next(units) + more for x in row) for row in table)


@st.composite
def initial_values(
    draw: DrawFn, accuracies: tuple[Fraction, ...] = ACCURACIES, more: Fraction = Fraction(0)
) -> Initial:
    """A small task and two tables of upper bounds, the second above the first."""
    S, gamma = draw(st.integers(1, 2)), draw(st.sampled_from(rational.DISCOUNTS[:3]))
    task: ExactMDP = draw(rational.tasks(S, draw(st.integers(2, 3)), gamma))
    Q = mdp.action_values(task, mdp.optimal_value(task))
    tight = draw(raised(Q, gamma, more))
    loose = draw(raised(tight, gamma, Fraction(0)))
    return Initial(task, loose, tight, draw(st.sampled_from(accuracies)) / (1 - gamma))


def guarantee_evaluation(case: Initial, learner: Learner = optimistic) -> Evaluation:
    """What is asked is worth it, and what is worth it with U' is so with U; both are counted."""
    asked = frozenset(learner(case.task, case.tight, case.epsilon))
    before, after = (worth_asking(case, U) for U in (case.loose, case.tight))
    return Evaluation(
        optimistic_arms_premises_of(case),
        Statement(
            "pairs that are asked though U' < V*, or have U' ≥ V* though U < V*",
            len((asked - after) | (after - before)),
            "≤",
            0,
            measured=(len(asked), len(after)),
        ),
    )


@check("text-fallback-choice.optimism/worth-asking", CheckKind.EXACT)
def guarantee(context: Context) -> Outcome:
    """A learner asks at most the pairs with U ≥ V*, and tighter bounds leave no more."""
    return search(context, initial_values(), guarantee_evaluation, (10, 60, 4000))


@check("text-fallback-choice.optimism/repaired-zero-accuracy", CheckKind.EXACT)
def without_accuracy(context: Context) -> Outcome:
    """At ε = 0, with no bound equal to V*, tighter bounds never make the learner ask more."""
    drawn = initial_values((Fraction(0),), OFF_THE_VALUES)
    return search(context, drawn, without_accuracy_evaluation, (8, 40, 4000))
