"""Units of work: one run of one variant of a panel, each with a seed of its own.

What is finished is kept in PANEL.units.jsonl, a line for every unit, so that an interrupted call
can be continued. Its first line says what the units belong to; a file of another version, revision,
seed or set of parameters is refused and left as it is.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Annotated

import msgspec

from ptum.checks.reproduce.panel import DEFAULT, Lost, Measured, Panel, Seed
from ptum.checks.reproduce.panels import PANELS
from ptum.checks.text.schema_docs import means
from ptum.checks.verdicts.workers import WORKERS, begin_work

ALTERNATIVE_RUNS = 20
"""Runs of an alternative at most: alternatives are descriptive."""


class OtherResultsError(Exception):
    """A file has results of something else than what is asked for."""


class UnitError(Exception):
    """A run failed."""


@dataclass(frozen=True)
class Unit:
    """One run of one variant of a panel."""

    panel: str
    variant: str
    run: int

    def play(self, seed: int) -> Measured:
        """Run it."""
        panel = PANELS[self.panel]
        source = Seed(seed, self.panel, self.variant, self.run)
        return panel.run(panel.variants()[self.variant], source)


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


def units(panel: Panel, variants: Sequence[str], runs: int) -> list[Unit]:
    """All runs of the default, and up to 20 of every alternative."""
    return [
        Unit(panel.units, variant, run)
        for variant in variants
        for run in range(runs if variant == DEFAULT else min(runs, ALTERNATIVE_RUNS))
    ]


class Store:
    """The finished units of a panel, which is no other one's, in a folder."""

    def __init__(self, folder: Path, panel: Panel, seed: int) -> None:
        self.path = folder / f"{panel.id}.units.jsonl"
        self.head = Head(
            ptum=version("ptum"),
            panel=panel.id,
            revision=panel.revision,
            seed=seed,
            parameters=dict(panel.parameters),
        )
        self.done: dict[Unit, Measured] = {}
        self._size = 0
        """Bytes of whole lines; what a killed call left behind them is overwritten."""
        if self.path.exists():
            self._read()

    def _read(self) -> None:
        content = self.path.read_bytes()
        self._size = content.rfind(b"\n") + 1
        first, *lines = content[: self._size].splitlines() or [b""]
        try:
            head = msgspec.json.decode(first, type=Head)
            found = [msgspec.json.decode(line, type=FinishedUnit) for line in lines]
        except msgspec.MsgspecError as reason:
            raise OtherResultsError(f"{self.path} cannot be read: {reason}") from reason
        for field in Head.__struct_fields__:
            there, asked = getattr(head, field), getattr(self.head, field)
            if there != asked:
                raise OtherResultsError(
                    f"{self.path} has results with {field} {there}, not {asked}; "
                    "give another --out, or remove the file"
                )
        for line in found:
            unit = Unit(self.head.panel, line.variant, line.run)
            self.done[unit] = _measured(line)

    def keep(self, unit: Unit, measured: Measured) -> None:
        """Write a unit down; it is on the disk when this returns."""
        line = FinishedUnit(
            variant=unit.variant,
            run=unit.run,
            curves={name: list(values) for name, values in measured.curves.items()},
            numbers={name: float(value) for name, value in measured.numbers.items()},
            lost=list(measured.lost),
        )
        content = msgspec.json.encode(line) + b"\n"
        if not self._size:
            content = msgspec.json.encode(self.head) + b"\n" + content
        with self.path.open("ab") as file:
            file.truncate(self._size)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        self._size += len(content)
        self.done[unit] = _measured(line)

    def runs(self, variant: str) -> list[Measured]:
        """All units of a variant, in order."""
        chosen = [unit for unit in self.done if unit.variant == variant]
        return [self.done[unit] for unit in sorted(chosen, key=lambda unit: unit.run)]


def _measured(line: FinishedUnit) -> Measured:
    return Measured(line.curves, line.numbers, line.lost)


def played(
    wanted: Sequence[Unit], seed: int, jobs: int
) -> Generator[tuple[Unit, Measured], None, None]:
    """Every unit with what it measured, as they finish; in this process or in several."""
    if jobs == 1:
        for unit in wanted:
            yield unit, _play(unit, seed)
        return
    not_ours = active_children()
    pool = ProcessPoolExecutor(jobs, mp_context=get_context(WORKERS), initializer=begin_work)
    try:
        queue, running = list(wanted), dict[Future[Measured], Unit]()
        while queue or running:
            while queue and len(running) < jobs:
                unit = queue.pop(0)
                running[pool.submit(_play, unit, seed)] = unit
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    except BaseException:
        for worker in {*active_children()} - {*not_ours}:
            worker.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _play(unit: Unit, seed: int) -> Measured:
    try:
        return unit.play(seed)
    except Exception as reason:
        where = f"{unit.panel}, {unit.variant}, run {unit.run}"
        raise UnitError(f"{where} failed: {type(reason).__name__}: {reason}") from reason
