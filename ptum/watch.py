"""An observer that says how far a long run of Algorithm 1 is."""

from __future__ import annotations

import sys
from typing import TextIO

from ptum.reference.errors import require_count
from ptum.reference.transfer.transcript import Elimination, Event, Query, Start, Stop


class Watch:
    """Give it to `ptum.transfer(..., observer=ptum.Watch())`.

    It tells every elimination and the end, and between them every `every` queries. What it says
    goes to standard error, or to the stream that it is given.
    """

    def __init__(self, every: int = 1000, stream: TextIO | None = None) -> None:
        require_count(every, "every")
        self._every = every
        self._stream = stream or sys.stderr
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

    def _say(self, text: str) -> None:
        print(f"ptum: {text}", file=self._stream, flush=True)
