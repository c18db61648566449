"""What the checks of figure panels share: a search over small instances, and the panel's own size.

Instances as large as those of the paper take seconds each. So searches draw small ones, whose
attempts can be evaluated in every run, and the longer profiles evaluate a list of large
ones before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ptum.checks.verdicts.check import Context
from ptum.checks.verdicts.outcome import Evaluation, Outcome, over_evaluations, worst_of
from ptum.checks.verdicts.search import Near, search
from ptum.checks.verdicts.statistics import all_of
from ptum.spec.vocabulary import Verdict

T = TypeVar("T")


def seeds(context: Context) -> SearchStrategy[int]:
    """Seeds of instances, of which the simplest is another one for every seed of the check."""
    return st.integers(0, 2**32 - 1).map(lambda number: (number + context.seed) % 2**32)


def small_and_large(
    context: Context,
    small: SearchStrategy[T],
    evaluation: Callable[[T], Evaluation],
    examples: int,
    large: Sequence[T],
    near: Near[T] | None = None,
) -> Outcome:
    """The search, after the large instances; what is violated on either side is violated."""
    listed = over_evaluations(
        [evaluation(instance) for instance in large], "instances of the panel's size"
    )
    if listed.verdict is Verdict.VIOLATED:
        return listed
    found = search(context, small, evaluation, examples, near=near)
    return joined(listed, found) if large else found


def joined(listed: Outcome, found: Outcome) -> Outcome:
    """Counts add up; best attempt, replayed ratios and looseness are those of the search."""
    return replace(
        found,
        verdict=all_of([listed.verdict, found.verdict]),
        instances=listed.instances + found.instances,
        trials=listed.trials + found.trials,
        worst_ratio=worst_of(listed, found),
        explanation=(*listed.explanation, *found.explanation),
    )
