"""Claims "for every instance, P(failure) ≤ δ": named instances, and a search for worse ones.

`judge_named` counts failures on instances that every run looks at: the claim holds when an exact
upper bound of P(failure) is at most δ on each, and is violated when a lower bound exceeds δ on one.

`search_candidates` lets Hypothesis look for an instance that breaks the claim. A few pilot trials
on every drawn instance, with the number of failures and then the largest observed/allowed as
Hypothesis's target, single out a candidate. A pilot proves nothing (the worst of many instances
fails often by chance), so the candidate is tested again with fresh randomness, and only that test
decides.

`named_and_drawn` is both, each with half of the check's α.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

import numpy as np

from ptum.checks.exact.numbers import a_number, max_by, max_of
from ptum.checks.verdicts.check import Context
from ptum.checks.verdicts.outcome import Outcome, with_ratios, worst_of
from ptum.checks.verdicts.statistics import all_of, clopper_pearson, judge_probability
from ptum.spec.vocabulary import Verdict

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

NAMED, PILOT, FRESH = 0, 1, 2
"""Keys that keep the randomness of named instances, pilots and the deciding test apart."""


@dataclass(frozen=True)
class TrialResult:
    """One trial: whether it broke the claim, and observed/allowed where it measures something."""

    failed: bool
    ratio: float | None = None

    def __post_init__(self) -> None:
        a_number(0.0 if self.ratio is None else self.ratio, "observed/allowed of a trial")


def within(ratio: float) -> TrialResult:
    """A trial that fails exactly if more is observed than allowed."""
    return TrialResult(ratio > 1, ratio)


Streams: TypeAlias = Callable[[int], np.random.Generator]
"""A random stream for every number."""


Explain: TypeAlias = Callable[[T], tuple[str, ...]]
"""Lines about an instance on which a claim is violated."""


def _nothing_to_explain(_: object) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class ProbabilityClaim(Generic[T]):
    """For every instance a trial fails with probability at most `allowed`.

    `trials` makes a number of independent trials on an instance. `explain` writes the bound that a
    trial is held against, in symbols and with the numbers of an instance; it is asked only where
    the claim is violated.
    """

    trials: Callable[[T, int, Streams], list[TrialResult]]
    allowed: float
    explain: Explain[T] = _nothing_to_explain

    def __post_init__(self) -> None:
        a_number(self.allowed, "the probability that a claim allows")


def one_by_one(
    trial: Callable[[T, np.random.Generator], TrialResult],
    allowed: float,
    explain: Explain[T] = _nothing_to_explain,
) -> ProbabilityClaim[T]:
    """A claim whose trials have a stream each."""

    def trials(instance: T, number: int, streams: Streams) -> list[TrialResult]:
        return [trial(instance, streams(i)) for i in range(number)]

    return ProbabilityClaim(trials, allowed, explain)


def all_at_once(
    trials: Callable[[T, int, np.random.Generator], list[TrialResult]],
    allowed: float,
    explain: Explain[T] = _nothing_to_explain,
) -> ProbabilityClaim[T]:
    """A claim whose trials are drawn side by side from one stream."""

    def from_one_stream(instance: T, number: int, streams: Streams) -> list[TrialResult]:
        return trials(instance, number, streams(0))

    return ProbabilityClaim(from_one_stream, allowed, explain)


@dataclass(frozen=True)
class Effort:
    """How much a search does: drawn instances, pilot trials on each, trials of the last test."""

    instances: int
    pilots: int
    trials: int


@dataclass(frozen=True)
class Design:
    """What each named instance of a check is put to: P(failure) ≤ allowed, tested at level α."""

    allowed: float
    trials: int
    alpha: float

    @property
    def decides(self) -> bool:
        """Whether some number of failures leads to `holds` or to `violated`."""
        extremes = (
            judge_probability(count, self.trials, self.allowed, self.alpha)
            for count in (0, self.trials)
        )
        return any(verdict is not Verdict.INCONCLUSIVE for verdict in extremes)


@dataclass(frozen=True)
class Search:
    """What a search does: its effort, and the test of the candidate."""

    effort: Effort
    test: Design


@dataclass(frozen=True)
class Plan:
    """What a check would do: on named instances, in a search; `reason` why it sees no more."""

    named: Design | None = None
    search: Search | None = None
    reason: str = ""


class PlannedError(Exception):
    """Raised in place of trials where the context is only planning."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.plan = plan


def planned(context: Context, plan: Plan) -> None:
    """Every check with random trials says here what it is about to do."""
    if context.planning:
        raise PlannedError(plan)


def judge_named(
    context: Context, claim: ProbabilityClaim[T], named: Mapping[str, T], trials: int, alpha: float
) -> Outcome:
    """The claim on every named instance, each with an equal share of α.

    The verdict is wrong with probability at most α: with 1-α no interval misses its probability.
    """
    share = alpha / len(named)
    planned(context, Plan(Design(claim.allowed, trials, share)))
    counts, ratios, explanation = [], [], []
    for number, (name, instance) in enumerate(named.items()):
        seen = _trials(context, claim, instance, trials, (NAMED, number))
        counts.append(sum(one.failed for one in seen))
        ratios += measured(seen)
        explanation.append(f"{name}: {counts[-1]} failures in {trials} trials")
    intervals = [clopper_pearson(count, trials, share) for count in counts]
    verdict = all_of([judge_probability(c, trials, claim.allowed, share) for c in counts])
    if verdict is Verdict.VIOLATED:
        name, worst = list(named.items())[counts.index(max(counts))]
        explanation += [f"worst      {name}", *claim.explain(worst)]
    outcome = Outcome(
        verdict=verdict,
        instances=len(named),
        trials=trials * len(named),
        violations=sum(counts),
        interval=max_by(intervals, itemgetter(1)),
        explanation=tuple(explanation),
    )
    return with_ratios(outcome, ratios or [high / claim.allowed for _, high in intervals])


def judge_count(
    failures: int,
    trials: int,
    allowed: float,
    alpha: float,
    told: tuple[str, ...],
    explain: Callable[[], tuple[str, ...]],
) -> Outcome:
    """P(failure) ≤ allowed on one instance, from a count of failures that measures nothing else.

    `told` is the explanation; `explain` adds to it where the claim is violated.
    """
    low, high = clopper_pearson(failures, trials, alpha)
    verdict = judge_probability(failures, trials, allowed, alpha)
    outcome = Outcome(
        verdict=verdict,
        instances=1,
        trials=trials,
        violations=failures,
        interval=(low, high),
        explanation=(*told, *(explain() if verdict is Verdict.VIOLATED else ())),
    )
    return with_ratios(outcome, [high / allowed])


def search_candidates(
    context: Context,
    claim: ProbabilityClaim[T],
    strategy: SearchStrategy[T],
    effort: Effort,
    alpha: float,
) -> Outcome:
    """`violated` if the worst candidate fails with probability above what is allowed, else `holds`.

    A wrong `violated` has probability at most α: the deciding test is one exact binomial test on
    randomness that the choice of the candidate did not see.
    """
    from ptum.checks.verdicts.search import shown  # here: hypothesis takes long to load

    planned(context, Plan(search=_search_design(claim, effort, alpha)))
    ratios: list[float] = []

    def pilot(instance: T) -> float:
        seen = _trials(context, claim, instance, effort.pilots, (PILOT,))
        closest = max_of((one.ratio for one in seen if one.ratio is not None), default=0.0)
        ratios.extend(measured(seen))
        return sum(one.failed for one in seen) + _below_half(closest)

    score, candidate, drawn = worst_drawn(context, strategy, pilot, effort.instances)
    if score < 1:
        explanation = (
            f"no failure in {effort.pilots} pilot trials on each of {drawn} drawn instances"
        )
        outcome = Outcome(
            Verdict.HOLDS, drawn, drawn * effort.pilots, 0, explanation=(explanation,)
        )
        return with_ratios(outcome, ratios)
    seen = _trials(context, claim, candidate, effort.trials, (FRESH,))
    again = sum(one.failed for one in seen)
    low, high = clopper_pearson(again, effort.trials, alpha)
    violated = low > claim.allowed
    outcome = Outcome(
        verdict=Verdict.VIOLATED if violated else Verdict.HOLDS,
        instances=drawn,
        trials=effort.trials,
        violations=again,
        interval=(low, high),
        explanation=(
            f"worst of {drawn} drawn instances, with fresh randomness: {again} failures in "
            f"{effort.trials} trials",
            f"instance   {shown(candidate)}",
            *(claim.explain(candidate) if violated else ()),
        ),
    )
    return with_ratios(outcome, [*ratios, *measured(seen)] or [high / claim.allowed])


def _search_design(claim: ProbabilityClaim[T], effort: Effort, alpha: float) -> Search:
    return Search(effort, Design(claim.allowed, effort.trials, alpha))


def named_and_drawn(
    context: Context,
    claim: ProbabilityClaim[T],
    named: Mapping[str, T],
    strategy: SearchStrategy[T],
    effort: Effort,
    *,
    trials: int,
    alpha: float,
) -> Outcome:
    """`holds` if every named instance holds and no drawn one is violated.

    A violation on either side decides. Both halves have α/2, so the verdict is wrong with
    probability at most α.
    """
    share = alpha / 2 / len(named)
    search = _search_design(claim, effort, alpha / 2)
    planned(context, Plan(Design(claim.allowed, trials, share), search))
    fixed = judge_named(context, claim, named, trials, alpha / 2)
    found = search_candidates(context, claim, strategy, effort, alpha / 2)
    return both(fixed, found)


def both(fixed: Outcome, found: Outcome) -> Outcome:
    """What two halves of a check say together: counts add up, the rest is of the deciding half."""
    decides = found if found.verdict is Verdict.VIOLATED else fixed
    return replace(
        decides,
        verdict=all_of([fixed.verdict, found.verdict]),
        instances=fixed.instances + found.instances,
        trials=fixed.trials + found.trials,
        violations=fixed.violations + found.violations,
        worst_ratio=worst_of(fixed, found),
        explanation=(*fixed.explanation, *found.explanation),
    )


def worst_drawn(
    context: Context, strategy: SearchStrategy[T], score: Callable[[T], float], examples: int
) -> tuple[float, T, int]:
    """The largest score of a search that aims at it, its instance, and how many were drawn."""
    from hypothesis import target  # here: it takes long to load

    from ptum.checks.verdicts.hypothesis_driver import AIM, draw_each

    worst: list[tuple[float, T]] = []
    drawn = 0

    def look(instance: T) -> None:
        nonlocal drawn
        drawn += 1
        found = a_number(score(instance), "the score of an instance")
        target(found)
        if not worst or found > worst[0][0]:
            worst[:] = [(found, instance)]

    draw_each(context.seed, strategy, look, examples, AIM)
    return (*worst[0], drawn)


def _trials(
    context: Context, claim: ProbabilityClaim[T], instance: T, trials: int, key: tuple[int, ...]
) -> list[TrialResult]:
    return claim.trials(instance, trials, partial(context.generator, *key))


def measured(seen: list[TrialResult]) -> list[float]:
    """Observed/allowed, where something was observed: zero says nothing about tightness."""
    return [one.ratio for one in seen if one.ratio is not None and one.ratio > 0]


def _below_half(ratio: float) -> float:
    """Order ratios without ever outweighing a failure."""
    return (1 - 1 / (1 + ratio)) / 2
