"""Section 2: what the transition gap Δ^p measures."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.instances.counterexamples.section_3_text import definition_1
from ptum.checks.instances.counterexamples.section_3_text.definition_1 import ExchangedTransition
from ptum.checks.instances.families import rational
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Outcome
from ptum.checks.verdicts.search import Opportunities, search
from ptum.spec.vocabulary import CheckKind


@st.composite
def comparisons(draw: DrawFn) -> ExchangedTransition:
    """Two drawn models and a pair."""
    theta, theta_prime = draw(rational.model_sets(2))
    s, a = draw(st.integers(0, theta.S - 1)), draw(st.integers(0, theta.A - 1))
    return ExchangedTransition(theta, theta_prime, s, a)


@check("text-gap-meaning.return/proportional", CheckKind.EXACT)
def gap_proportional(context: Context) -> Outcome:
    """Exchanging the first transition changes the return by γ Δ^p."""
    return search(
        context,
        comparisons(),
        definition_1.gap_meaning_proportional_evaluation,
        (30, 400, 10_000),
        chances=Opportunities("successors whose probability differs", differing_successors),
    )


def differing_successors(case: ExchangedTransition) -> int:
    """Where the two rows differ, a wrong return would show."""
    rows = (model.p[case.s][case.a] for model in (case.theta, case.theta_prime))
    return sum(x != y for x, y in zip(*rows, strict=True))


@check("text-gap-meaning.return/repaired-next-value", CheckKind.EXACT)
def gap_repaired(context: Context) -> Outcome:
    """Δ^p is the change of the mean next value, γ Δ^p that of the return."""
    drawn = st.one_of(comparisons(), st.just(definition_1.fork()))
    return search(context, drawn, definition_1.next_value_evaluation, (30, 400, 10_000))
