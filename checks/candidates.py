"""Claims "for every instance, P(failure) ≤ δ": let Hypothesis look for an instance that breaks one.

A few pilot trials on every drawn instance, with the failure rate as Hypothesis's target, single
out candidates. A pilot proves nothing (the worst of many instances fails often by chance), so the
worst candidate is tested again with fresh randomness, and only that test decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from hypothesis import target
from hypothesis.strategies import SearchStrategy

from checks.drawing import AIM, draw_each
from checks.outcome import Outcome
from checks.registry import Context
from checks.statistics import clopper_pearson
from spec.vocabulary import Verdict

T = TypeVar("T")

PILOT, FRESH = 1, 2
"""Keys that keep the randomness of pilots and of the deciding test apart."""


@dataclass(frozen=True)
class Effort:
    """How much a search does: drawn instances, pilot trials on each, trials of the last test."""

    instances: int
    pilots: int
    trials: int


def search_candidates(
    context: Context,
    strategy: SearchStrategy[T],
    fails: Callable[[T, np.random.Generator], bool],
    allowed: float,
    alpha: float,
    effort: Effort,
) -> Outcome:
    """`violated` if the worst candidate fails with probability above `allowed`, else `holds`.

    A wrong `violated` has probability at most α: the deciding test is one exact binomial test on
    randomness that the choice of the candidate did not see.
    """
    worst: list[tuple[int, T]] = []
    drawn = 0

    def pilot(instance: T) -> None:
        nonlocal drawn
        drawn += 1
        failures = _failures(context, instance, fails, effort.pilots, PILOT)
        target(float(failures))
        if not worst or failures > worst[0][0]:
            worst[:] = [(failures, instance)]

    draw_each(context.seed, strategy, pilot, effort.instances, AIM)
    failures, candidate = worst[0]
    if failures == 0:
        story = (f"no failure in {effort.pilots} pilot trials on each of {drawn} instances",)
        return Outcome(Verdict.HOLDS, drawn, drawn * effort.pilots, 0, story=story)
    again = _failures(context, candidate, fails, effort.trials, FRESH)
    low, high = clopper_pearson(again, effort.trials, alpha)
    return Outcome(
        verdict=Verdict.VIOLATED if low > allowed else Verdict.HOLDS,
        instances=drawn,
        trials=effort.trials,
        violations=again,
        interval=(low, high),
        worst_ratio=again / effort.trials / allowed,
        story=(f"worst of {drawn} instances, with fresh randomness: {candidate!r}",),
    )


def _failures(
    context: Context,
    instance: T,
    fails: Callable[[T, np.random.Generator], bool],
    trials: int,
    key: int,
) -> int:
    return sum(fails(instance, context.generator(key, trial)) for trial in range(trials))
