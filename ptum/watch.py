"""What says how far a long run of Algorithm 1 or 2 is."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO

from ptum.reference.errors import require, require_count
from ptum.reference.sequential.state import TaskRecord
from ptum.reference.tasks.generative import GenerativeModel, kind, require_target
from ptum.reference.transfer.transcript import Elimination, Event, Query, Start, Stop


class Watch:
    """Give it to `ptum.transfer(..., observer=ptum.Watch())` or, as `watch`, to
    `ptum.sequential_transfer`.

    Of one task it tells every elimination and the end, and between them every `every` queries; of a
    sequence every task with what was learned, and between them every `every` samples, those of the
    fallback included. What it says goes to standard error, or to the stream that it is given.
    """

    def __init__(self, every: int = 1000, stream: TextIO | None = None) -> None:
        self._every = require_count(every, "every")
        good = stream is None or callable(getattr(stream, "write", None))
        require(good, "stream", "must be None or open for writing text", value=kind(stream))
        self._stream = sys.stderr if stream is None else stream
        self._left = 0
        self._n = 0

    def __call__(self, event: Event) -> None:
        """One event of the run."""
        match event:
            case Start():
                self._left, self._n = len(event.models), event.n
                self._say(f"{self._left} models, at most {event.n} queries")
            case Elimination():
                self._left -= 1
                self._say(f"t = {event.t}: model {event.theta} is out, {self._left} left")
            case Query() if event.t % self._every == 0:
                self._say(f"t = {event.t} of {self._n}: {self._left} models left")
            case Stop():
                self._say(f"{event.end} after {event.t - 1} queries")

    def tasks(
        self, stream: Iterable[GenerativeModel], S: int, A: int, first: int
    ) -> Iterator[GenerativeModel]:
        """The same tasks, whose samples are counted; `first` is the number of the first."""
        for h, task in enumerate(stream, start=first):
            require_target(task, S, A, "stream")
            yield _Counted(task, self, h)

    def records(self, records: Iterable[TaskRecord]) -> Iterator[TaskRecord]:
        """The same records, each told."""
        for record in records:
            end = f"{record.result.end} after {record.samples} samples"
            self._say(f"task {record.h}: {end}; {record.learned}")
            yield record

    def sampled(self, h: int, samples: int) -> None:
        """Task h was sampled once more."""
        if samples % self._every == 0:
            self._say(f"task {h}: {samples} samples")

    def _say(self, text: str) -> None:
        print(f"ptum: {text}", file=self._stream, flush=True)


@dataclass
class _Counted:
    """A task that tells a watch how often it was sampled."""

    task: GenerativeModel
    watch: Watch
    h: int
    samples: int = 0

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """As the task does."""
        answer = self.task.sample(s, a)
        self.samples += 1
        self.watch.sampled(self.h, self.samples)
        return answer
