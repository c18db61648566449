"""Finished checks of a long run in a file: `ptum verify --keep FILE` continues where it stopped.

A check whose code has changed since is run again, the others are not. What a verdict is expected to
be is not kept: it is what the ledger says now.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from ptum.checks.suite.report import KeptHead, KeptLine, result_of, row_of
from ptum.checks.suite.rests_on import code_of, load
from ptum.checks.suite.runner import Job, Row, expected_in
from ptum.checks.text.kept_lines import KeptLines
from ptum.checks.text.machine import PACKAGES
from ptum.checks.verdicts.check import Check
from ptum.spec.vocabulary import Verdict


class KeptChecks:
    """What is finished of a run of `checks`; one that was cut off, or `errored`, is not kept.

    Their code is loaded and read now: processes that are forked later run this code, even if a
    module is edited meanwhile. `stale` are the checks that the file has with other code alone.
    """

    def __init__(self, path: Path, job: Job, checks: Sequence[Check]) -> None:
        for check in checks:
            load(check)
        self._codes = {check.id: code_of(check) for check in checks}
        head = KeptHead(
            python=platform.python_version(),
            packages={name: version(name) for name in PACKAGES},
            profile=job.profile.value,
            seed=job.seed,
        )
        self.path, self._job = path, job
        self._kept = KeptLines(path, head, KeptLine, "--keep")
        known = [line for line in self._kept.lines if line.result.check in self._codes]
        current = [line for line in known if line.code == self._codes[line.result.check]]
        self.rows = {line.result.check: self._row(line) for line in current}
        self.stale = frozenset(line.result.check for line in known).difference(self.rows)

    def _row(self, line: KeptLine) -> Row:
        row = row_of(line.result)
        return replace(row, expected=expected_in(row.check, self._job.profile))

    def keep(self, row: Row) -> None:
        """Write it down, unless it is there, or has to be run again."""
        again = not row.ran or row.outcome.verdict is Verdict.ERRORED
        if not again and row.check.id not in self.rows:
            result = result_of(row, self._job)
            self._kept.keep(KeptLine(code=self._codes[row.check.id], result=result))
            self.rows[row.check.id] = row
