"""Section 2: what the transition gap Δ^p measures."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.instances.counterexamples.section_3_text import gap_meaning
from ptum.checks.instances.counterexamples.section_3_text.gap_meaning import Comparison
from ptum.checks.instances.families import rational
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Outcome, from_walk
from ptum.checks.verdicts.search import Chances, search
from ptum.spec.vocabulary import CheckKind, Version


@st.composite
def comparisons(draw: DrawFn) -> Comparison:
    """Two drawn models and a pair."""
    theta, theta_prime = draw(rational.model_sets(2))
    s, a = draw(st.integers(0, theta.S - 1)), draw(st.integers(0, theta.A - 1))
    return Comparison(theta, theta_prime, s, a)


def gap_proportional(context: Context) -> Outcome:
    """Drawn models: γ Δ^p."""
    return search(
        context,
        comparisons(),
        gap_meaning.proportional_walk,
        context.count(30, 400, 10_000),
        chances=Chances("successors whose chance differs", differing_successors),
    )


def differing_successors(case: Comparison) -> int:
    """Where the two rows differ, a wrong return would show."""
    rows = (model.p[case.s][case.a] for model in (case.theta, case.theta_prime))
    return sum(x != y for x, y in zip(*rows, strict=True))


def gap_equal(_: Context) -> Outcome:
    """The fork with γ = 1/2: Δ^p itself."""
    return from_walk(gap_meaning.equal_walk(gap_meaning.fork()))


def gap_repaired(context: Context) -> Outcome:
    """Drawn models and the fork: Δ^p is about the next value."""
    drawn = st.one_of(comparisons(), st.just(gap_meaning.fork()))
    return search(context, drawn, gap_meaning.next_value_walk, context.count(30, 400, 10_000))


GAP = "text-gap-meaning.return"

CHECKS = (
    Check(
        id=f"{GAP}/proportional",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="exchanging the first transition changes the return by γ Δ^p",
        run=gap_proportional,
        reading=f"{GAP}.proportional",
    ),
    Check(
        id=f"{GAP}/fork",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="a fork with γ = 1/2 where Δ^p = 2 and the return changes by 1",
        run=gap_equal,
        reading=f"{GAP}.equal",
    ),
    Check(
        id=f"{GAP}/repaired-next-value",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="Δ^p is the change of the mean next value, γ Δ^p that of the return",
        run=gap_repaired,
    ),
)
