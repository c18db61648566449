"""Let Hypothesis look for an instance on which a claim fails."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from hypothesis.strategies import SearchStrategy

from checks.drawing import draw_each
from checks.outcome import Outcome, Walk
from checks.registry import Context
from spec.vocabulary import Verdict

T = TypeVar("T")

MOST_SHOWN = 2000
"""Letters of an instance that a story shows."""


@dataclass
class _Tally:
    """What has been seen so far; Hypothesis calls back, so this must be mutable."""

    tried: int = 0
    met: int = 0
    violations: int = 0
    smallest: Walk | None = None
    instance: str = ""
    largest: Walk | None = None


class _FoundError(Exception):
    """Tells Hypothesis that the instance at hand is worth shrinking."""


def search(
    context: Context, strategy: SearchStrategy[T], walk: Callable[[T], Walk], examples: int
) -> Outcome:
    """Walk through `examples` drawn instances.

    `holds` when no instance violates the claim and at least one in ten meets its premises; a
    search that hardly ever gets to the conclusion is `inconclusive`. A violation is shrunk; the
    smallest instance found tells the story, beside the largest violation seen on the way.
    """
    tally = _Tally()

    def look(instance: T) -> None:
        found = walk(instance)
        verdict = found.verdict()
        tally.tried += 1
        tally.met += verdict is not Verdict.ASSUMPTION_NOT_MET
        if verdict is Verdict.VIOLATED:
            tally.violations += 1
            tally.smallest, tally.instance = found, _shown(instance)
            if tally.largest is None or found.conclusion.margin > tally.largest.conclusion.margin:
                tally.largest = found
            raise _FoundError

    with contextlib.suppress(_FoundError):
        draw_each(context.seed, strategy, look, examples)
    return _outcome(tally)


def _outcome(tally: _Tally) -> Outcome:
    if tally.smallest is not None and tally.largest is not None:
        verdict = Verdict.VIOLATED
        story = (
            f"instance   {tally.instance}",
            *tally.smallest.lines(),
            f"largest    {tally.largest.conclusion} (by {tally.largest.conclusion.margin:.6g})",
        )
    else:
        enough = 10 * tally.met >= tally.tried
        verdict = Verdict.HOLDS if enough else Verdict.INCONCLUSIVE
        story = (f"{tally.met} of {tally.tried} drawn instances met the premises",)
    return Outcome(
        verdict=verdict,
        instances=tally.met,
        trials=tally.tried,
        violations=tally.violations,
        story=story,
    )


def _shown(instance: object) -> str:
    """The instance as Python writes it, on one line and not endless."""
    text = " ".join(repr(instance).split())
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} …"
