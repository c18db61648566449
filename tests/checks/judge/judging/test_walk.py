"""What one reading of a run of Algorithm 2 is found to be does not depend on others."""

from __future__ import annotations

import pytest

from ptum.checks.judge.capabilities.sequential import sequence_replay, sequential
from ptum.checks.judge.judging.readings import REPAIRED, Reading
from ptum.checks.judge.judging.sequence import by_task, numbers_of, reports_of
from ptum.checks.judge.messages.transcript import Exchange
from tests.checks.judge.support import trials


@pytest.fixture(scope="module")
def lazy() -> Exchange:
    """A right run that keeps models and errors until a triple is complete."""
    case = trials.case_named(sequential.CAPABILITY, "absorbed")
    return trials.answered(sequential.CAPABILITY, case, sequential.CONFORMING["every-third-task"])


def story_of(exchange: Exchange) -> sequence_replay.History:
    assert exchange.answer is not None
    numbers = numbers_of(exchange.input)
    reports = reports_of(exchange.answer, numbers)
    return sequence_replay.History(
        numbers, reports, by_task(exchange.queries, numbers), in_order=True
    )


def test_what_is_due_by_one_choice_of_samples_is_not_held_against_the_other(
    lazy: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if from all samples an estimate could be made, and from the post-samples none."""

    def due(history: sequence_replay.History, reading: Reading, tasks: int) -> bool:
        del history, tasks
        return sequence_replay.ALL_SAMPLES in reading

    monkeypatch.setattr(sequence_replay, "_needs_new_estimate", due)
    printed = [reading for reading in sequence_replay.READINGS if REPAIRED not in reading]
    together = story_of(lazy)
    found = {reading: sequence_replay.first_wrong(together, reading) for reading in printed}
    assert found == {
        reading: sequence_replay.first_wrong(story_of(lazy), reading) for reading in printed
    }
    for reading, finding in found.items():
        assert (finding is None) is (sequence_replay.POST_SAMPLES in reading)
