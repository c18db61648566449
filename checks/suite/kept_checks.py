"""Finished checks of a long run in a file: `ptum verify --keep FILE` continues where it stopped."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path

from ptum.checks.suite.report import KeptHead, Result, result_of, row_of
from ptum.checks.suite.runner import Job, Row
from ptum.checks.text.kept_lines import KeptLines
from ptum.checks.text.machine import PACKAGES, UNSEEN, sources
from ptum.spec.vocabulary import Verdict


class KeptChecks:
    """What is finished of a run; a check that was not finished, or `errored`, is not kept."""

    def __init__(self, path: Path, job: Job) -> None:
        head = KeptHead(
            ptum=sources(UNSEEN),
            python=platform.python_version(),
            packages={name: version(name) for name in PACKAGES},
            profile=job.profile.value,
            seed=job.seed,
        )
        self.path, self._job = path, job
        self._kept = KeptLines(path, head, Result, "--keep")
        self.rows = {line.check: row_of(line) for line in self._kept.lines}

    def keep(self, row: Row) -> None:
        """Write it down, unless it is there, or has to be run again."""
        again = not row.ran or row.outcome.verdict is Verdict.ERRORED
        if not again and row.check.id not in self.rows:
            self._kept.keep(result_of(row, self._job))
            self.rows[row.check.id] = row
