"""How close a searched claim comes to failing: observed/allowed, beside the verdict."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median
from typing import TypeVar

from hypothesis.strategies import SearchStrategy

from checks.outcome import Outcome, Statement, Walk
from checks.registry import Context
from checks.search import search
from spec.vocabulary import Verdict

T = TypeVar("T")


def search_and_measure(
    context: Context, strategy: SearchStrategy[T], walk: Callable[[T], Walk], examples: int
) -> Outcome:
    """`search` for a claim "observed ≤ allowed", with the ratios of its two sides.

    Only instances that meet the premises count. A side of zero says nothing about tightness, so
    such an instance enters neither the worst ratio nor the looseness.
    """
    ratios: list[float] = []

    def watched(instance: T) -> Walk:
        found = walk(instance)
        if all(premise.holds for premise in found.premises):
            ratios.extend(ratio_of(found.conclusion))
        return found

    return with_ratios(search(context, strategy, watched, examples), ratios)


def ratio_of(statement: Statement) -> tuple[float, ...]:
    """Observed over allowed, for a statement that bounds and if that is a positive number."""
    left, right = float(statement.left), float(statement.right)
    bounds = statement.sign in ("<", "≤")
    return (left / right,) if bounds and 0 < left < math.inf and 0 < right < math.inf else ()


def with_ratios(outcome: Outcome, ratios: Sequence[float]) -> Outcome:
    """The outcome with its worst ratio and its looseness (smallest, median, largest inverse)."""
    if not ratios:
        return outcome
    worst = max(ratios)
    looseness = (1 / worst, 1 / median(ratios), 1 / min(ratios))
    return replace(outcome, worst_ratio=worst, looseness=looseness)


def over_walks(walks: Sequence[Walk], told: str) -> Outcome:
    """The outcome of a claim on a fixed list of instances: one violation decides.

    As in a search, too few instances that meet the premises leave the claim undecided.
    """
    verdicts = [walk.verdict() for walk in walks]
    met = [w for w, v in zip(walks, verdicts, strict=True) if v is not Verdict.ASSUMPTION_NOT_MET]
    broken = [w for w, v in zip(walks, verdicts, strict=True) if v is Verdict.VIOLATED]
    enough = 0 < len(walks) <= 10 * len(met)
    story = broken[0].lines() if broken else (f"{len(met)} of {len(walks)} {told}",)
    outcome = Outcome(
        verdict=Verdict.VIOLATED if broken else (Verdict.HOLDS if enough else Verdict.INCONCLUSIVE),
        instances=len(met),
        trials=len(walks),
        violations=len(broken),
        story=story,
    )
    return with_ratios(outcome, [ratio for walk in met for ratio in ratio_of(walk.conclusion)])
