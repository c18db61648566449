"""Whoever looks into the target is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ptum.checks.claims.section_3 import only_samples
from ptum.checks.claims.section_3.algorithm_1 import short_runs
from ptum.checks.claims.section_3.only_samples import Replaying, RunOnce, literal, looked_at
from ptum.checks.claims.section_3.runs import Algorithm1Setting, Drawn, named_settings
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.search import search
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.transfer.ptum import PtumResult
from ptum.reference.transfer.transcript import Event, Sample
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)


def short() -> Algorithm1Setting:
    return replace(named_settings(0.3)[0], n=5)


def peeking(drawn: Drawn, target: GenerativeModel, observer: Callable[[Event], None]) -> PtumResult:
    """Reads the task of a target that has one, and does nothing with it."""
    getattr(target, "_task", None)
    return literal(drawn, target, observer)


def informed(
    drawn: Drawn, target: GenerativeModel, observer: Callable[[Event], None]
) -> PtumResult:
    """A budget that depends on what the target is, by a way that the target does not notice."""
    other = type(target) is Replaying
    setting = replace(drawn.setting, n=1 if other else drawn.setting.n)
    return literal(replace(drawn, setting=setting), target, observer)


def rewriting(
    drawn: Drawn, target: GenerativeModel, observer: Callable[[Event], None]
) -> PtumResult:
    """Announces samples that it did not get."""
    other = type(target) is Replaying

    def tell(event: Event) -> None:
        observer(Sample(event.t, 0.5, 0) if other and isinstance(event, Sample) else event)

    return literal(drawn, target, tell)


@pytest.mark.parametrize("wrong", [peeking, informed, rewriting])
def test_runs_that_use_the_target_otherwise_are_rejected(wrong: RunOnce) -> None:
    found = search(
        QUICK, short_runs(), lambda drawn: only_samples.same_transcript_evaluation(drawn, wrong), 20
    )
    assert found.verdict is Verdict.VIOLATED


def test_a_target_notices_what_is_read_of_it() -> None:
    task = short().task_set.true[0]
    target = Replaying([(0.5, 0)], task)
    assert target.sample(0, 1) == (0.5, 0)
    assert target.sample(0, 1) == (0.0, 0)
    assert looked_at(target) == []
    assert target._task is task
    assert next(target._answers, None) is None
    assert looked_at(target) == ["_task", "_answers"]


def test_two_targets_with_one_task_show_nothing() -> None:
    setting = short()
    alone = replace(setting.task_set, true=(setting.task_set.true[0],) * 3)
    evaluation = only_samples.same_transcript_evaluation(Drawn(replace(setting, task_set=alone), 0))
    assert evaluation.verdict() is Verdict.ASSUMPTION_NOT_MET
