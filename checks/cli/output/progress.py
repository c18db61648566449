"""How a long run shows that it is alive: a line on a terminal, a few lines in a pipe."""

from __future__ import annotations

import sys
from io import StringIO
from shutil import get_terminal_size
from typing import TextIO

from ptum.checks.cli.output.formatting import cut, plural
from ptum.checks.suite.runner import Row

BAR = 24
MARKS = 20
"""Lines about checks that a pipe gets, beside those about unexpected verdicts."""


class Progress:
    """Counts on a stream what is done: checks, requests, files."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self._total = total
        self._done = 0
        self._skipped = 0
        self._beginning = ""
        self._stream = stream or sys.stderr or StringIO()  # where standard error is closed
        self._terminal = self._stream.isatty()

    def __call__(self, row: Row) -> None:
        """One more check is done."""
        mark = "" if row.as_expected else " (not expected)"
        said = f"{row.check.id}: {row.outcome.verdict}{mark}"
        worth_it = not row.as_expected or self._at_a_mark()
        self._show(said, f"{said} ({row.seconds:.1f} s)" if worth_it else None)

    def _at_a_mark(self) -> bool:
        """Whether the next step is the first or last of this call, or completes another part."""
        done, total = self._done - self._skipped, self._total - self._skipped
        new_mark = MARKS * done // total < MARKS * (done + 1) // total
        return done == 0 or done + 1 == total or new_mark

    def step(self, said: str) -> None:
        """One more step is done; a pipe gets only the first of those that share a beginning."""
        beginning = said.partition("/")[0]
        self._show(said, None if beginning == self._beginning else beginning)
        self._beginning = beginning

    def share(self, said: str, more: str) -> None:
        """One more step is done; in a pipe only where what is said differs from the last time."""
        self._show(f"{said}, {more}", None if said == self._beginning else f"{said}, {more}")
        self._beginning = said

    def skip(self, done: int, where: str, stale: int = 0) -> None:
        """Checks that an earlier call has done, their file, and how many it has of other code."""
        self._done = self._skipped = done
        again = f"; run again, for their code has changed: {stale}" if stale else ""
        if done or stale:
            taken = f"{done} of {plural(self._total, 'check')} taken from {where}{again}"
            self._stream.write(f"{taken}\n")
            self._stream.flush()

    def expect(self, total: int) -> None:
        """How many steps there are, where this is known only after the beginning."""
        self._total = total

    def _show(self, on_terminal: str, in_pipe: str | None) -> None:
        self._done += 1
        if self._terminal:
            filled = BAR * min(self._done, self._total) // self._total
            bar = "█" * filled + "·" * (BAR - filled)
            line = f"{bar} {self._done}/{self._total} {on_terminal}"
            self._stream.write(f"\r\x1b[2K{cut(line, get_terminal_size().columns - 1)}")
        elif in_pipe is not None:
            self._stream.write(f"[{self._done}/{self._total}] {in_pipe}\n")
        self._stream.flush()

    def close(self) -> None:
        """Leave the line of the bar."""
        if self._terminal and self._done:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()
