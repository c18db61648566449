"""Units of work: one run of one variant of a panel, each with a seed of its own.

What is finished is kept in PANEL.units.jsonl, a line for every unit, so that an interrupted call
can be continued (`checks/text/kept_lines`): with the same version, revision, seed and parameters.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec

from ptum.checks.reproduce.panel import DEFAULT, Lost, Measured, Panel, Seed
from ptum.checks.reproduce.panels import PANELS
from ptum.checks.text.kept_lines import KeptLines
from ptum.checks.text.machine import Machine, this_machine
from ptum.checks.text.schema_docs import means
from ptum.checks.verdicts.workers import Nothing, Pool

ALTERNATIVE_RUNS = 20
"""Runs of an alternative at most: alternatives are descriptive."""


class UnitError(Exception):
    """A run failed."""


Answered: TypeAlias = "Measured | UnitError"
"""What comes back from a worker: an error is an answer too, and the same text wherever it was."""


@dataclass(frozen=True)
class Unit:
    """One run of one variant of a panel."""

    panel: str
    variant: str
    run: int

    def __str__(self) -> str:
        return f"{self.panel}, {self.variant}, run {self.run}"

    def play(self, seed: int) -> Measured:
        """Run it."""
        panel = PANELS[self.panel]
        source = Seed(seed, self.panel, self.variant, self.run)
        measured = panel.run(panel.variants()[self.variant], source)
        return replace(measured, machine=this_machine())


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """First line of PANEL.units.jsonl: what the units belong to."""

    ptum: Annotated[str, means("version of ptum")]
    panel: Annotated[str, means("id of the panel")]
    revision: Annotated[int, means("counts changes of what a run measures")]
    seed: Annotated[int, means("seed of all runs")]
    parameters: Annotated[dict[str, float | int | str], means("as the paper gives them")]


class FinishedUnit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished unit."""

    variant: str
    run: int
    curves: dict[str, list[float]]
    numbers: dict[str, float]
    lost: list[Lost] = []
    machine: Machine | None = None


def units(panel: Panel, variants: Sequence[str], runs: int) -> list[Unit]:
    """All runs of the default, and up to 20 of every alternative."""
    return [
        Unit(panel.units, variant, run)
        for variant in variants
        for run in range(runs if variant == DEFAULT else min(runs, ALTERNATIVE_RUNS))
    ]


class Store:
    """The finished units of a panel with runs of its own, in a folder."""

    def __init__(self, folder: Path, panel: Panel, seed: int) -> None:
        head = Head(
            ptum=version("ptum"),
            panel=panel.id,
            revision=panel.revision,
            seed=seed,
            parameters=dict(panel.parameters),
        )
        self.path = folder / f"{panel.id}.units.jsonl"
        self._kept = KeptLines(self.path, head, FinishedUnit, "--out")
        self.head = head
        self.done = {
            Unit(panel.id, line.variant, line.run): _measured(line) for line in self._kept.lines
        }

    def keep(self, unit: Unit, measured: Measured) -> None:
        """Write a unit down; it is on the disk when this returns."""
        line = FinishedUnit(
            variant=unit.variant,
            run=unit.run,
            curves={name: list(values) for name, values in measured.curves.items()},
            numbers={name: float(value) for name, value in measured.numbers.items()},
            lost=list(measured.lost),
            machine=measured.machine,
        )
        self._kept.keep(line)
        self.done[unit] = _measured(line)

    def runs(self, variant: str) -> list[Measured]:
        """All units of a variant, in order."""
        chosen = [unit for unit in self.done if unit.variant == variant]
        return [self.done[unit] for unit in sorted(chosen, key=lambda unit: unit.run)]


def _measured(line: FinishedUnit) -> Measured:
    return Measured(line.curves, line.numbers, line.lost, line.machine)


def played(
    wanted: Sequence[Unit], seed: int, pool: Pool | None = None
) -> Generator[tuple[Unit, Measured], None, None]:
    """Every unit with what it measured, as they finish; in this process, or by the workers."""
    if pool is None:
        for unit in wanted:
            yield unit, _measured_by(_answered(unit, seed))
        return
    queue, running = list(wanted), dict[Future[Answered], Unit]()
    try:
        while queue or running:
            while queue and len(running) < pool.room():
                unit = queue.pop(0)
                running[pool.submit(_answered, unit, seed)] = unit
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                unit = running.pop(future)
                yield unit, _measured_by(_came_back(pool, unit, future))
    except BaseException:
        pool.abandon()
        raise


def _came_back(pool: Pool, unit: Unit, future: Future[Answered]) -> Answered:
    try:
        return pool.answer(future)
    except Nothing as reason:
        return UnitError(f"{unit} has no answer: {reason}")
    except BrokenExecutor as reason:  # there are no other workers either
        return UnitError(f"{unit} has no answer, no worker is left: {reason}")


def _measured_by(answer: Answered) -> Measured:
    if isinstance(answer, UnitError):
        raise answer
    return answer


def _answered(unit: Unit, seed: int) -> Answered:
    try:
        return unit.play(seed)
    except Exception as reason:
        return UnitError(f"{unit} failed: {type(reason).__name__}: {reason}")
