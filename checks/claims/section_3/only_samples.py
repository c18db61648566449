"""Section 3.3: of the target, Algorithm 1 sees its answers to questions and nothing else.

A run is recorded, with everything it announces. Then the same answers are handed out again by
a target that holds another task, and that notices when anything but `sample` is asked of it: the
second run must announce what the first one did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ptum.checks.claims.section_3.algorithm_1 import short_runs
from ptum.checks.claims.section_3.runs import Drawn
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import Opportunities, search
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.ptum import PtumResult, ptum
from ptum.reference.transfer.transcript import Event, Sample
from ptum.spec.vocabulary import CheckKind

RewardAndState: TypeAlias = tuple[float, int]
RunOnce: TypeAlias = Callable[[Drawn, GenerativeModel, Callable[[Event], None]], PtumResult]
"""A run on a target, and who is told about it."""


def literal(drawn: Drawn, target: GenerativeModel, observer: Callable[[Event], None]) -> PtumResult:
    """Algorithm 1 of the reference."""
    setting = drawn.setting
    return ptum(setting.models, target, Delta=setting.errors, observer=observer, **setting.level)


class Replaying:
    """Hands out recorded answers in order; `task` tempts code to look where it must not."""

    def __init__(self, answers: list[RewardAndState], task: MDP) -> None:
        self._answers = iter(answers)
        self._task = task
        self._looked: list[str] = []

    def sample(self, s: int, a: int) -> RewardAndState:
        """The next answer on record, whatever is asked; a place beyond its end has none."""
        del s, a
        answers: Iterator[RewardAndState] = object.__getattribute__(self, "_answers")
        return next(answers, (0.0, 0))

    def __getattribute__(self, name: str) -> object:
        if name != "sample" and not name.startswith("__"):
            object.__getattribute__(self, "_looked").append(name)
        return object.__getattribute__(self, name)


def looked_at(target: Replaying) -> list[str]:
    """What was read of the target besides its answers."""
    names: list[str] = object.__getattribute__(target, "_looked")
    return names


def observed(drawn: Drawn, target: GenerativeModel, run: RunOnce) -> tuple[list[Event], PtumResult]:
    """Everything a run announces, and its result."""
    events: list[Event] = []
    result = run(drawn, target, events.append)
    return events, result


def other_task(drawn: Drawn) -> MDP:
    """The last of the true tasks, for a run on the first: they are never the same."""
    return drawn.setting.task_set.true[-1]


def same_transcript_evaluation(drawn: Drawn, run: RunOnce = literal) -> Evaluation:
    """Equal answers, equal transcripts: events that differ, and looks into the target."""
    truth = drawn.setting.task_set.true[0]
    events, result = observed(drawn, Simulator(truth, drawn.seed), run)
    target = Replaying(answers_of(events), other_task(drawn))
    again, second = observed(drawn, target, run)
    different = sum(a != b for a, b in zip(events, again, strict=False))
    different += abs(len(events) - len(again)) + (result.theta != second.theta)
    return Evaluation(
        (Statement("the two targets hold the same task", _same(truth, other_task(drawn)), "=", 0),),
        Statement(
            "events that differ, and looks into the target",
            different + len(looked_at(target)),
            "=",
            0,
        ),
    )


def answers_of(events: list[Event]) -> list[RewardAndState]:
    """The samples of a transcript, in order."""
    return [(event.reward, event.successor) for event in events if isinstance(event, Sample)]


def _same(first: MDP, second: MDP) -> int:
    tables = zip((first.p, first.q, first.u), (second.p, second.q, second.u), strict=True)
    return int(all(a.shape == b.shape and bool((a == b).all()) for a, b in tables))


def announced(drawn: Drawn) -> int:
    """How many events a run has; long runs and eliminations make many that could differ."""
    events, _ = observed(drawn, Simulator(drawn.setting.task_set.true[0], drawn.seed), literal)
    return len(events)


@check("text-components-independent.components/recorded-samples", CheckKind.EXACT)
def only_samples(context: Context) -> Outcome:
    """The same answers from another task give the same transcript, and only they are read."""
    return search(
        context,
        short_runs(),
        same_transcript_evaluation,
        (3, 60, 3000),
        chances=Opportunities("events of each run", announced),
    )
