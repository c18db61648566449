"""`ptum reproduce`: run panels again, keep what is finished, write results and pictures."""

from __future__ import annotations

import fcntl
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ptum.checks.cli.output.files import write_whole, writing
from ptum.checks.cli.output.formatting import (
    EXIT_AS_EXPECTED,
    EXIT_CUT_SHORT,
    EXIT_MISMATCH,
    Refusal,
    plural,
    table,
    unknown,
    wrapped,
)
from ptum.checks.cli.output.progress import Progress
from ptum.checks.cli.output.workers import pool_of, require_one_place
from ptum.checks.reproduce import picture
from ptum.checks.reproduce.findings import LEVEL
from ptum.checks.reproduce.panel import DEFAULT, Panel
from ptum.checks.reproduce.panels import PANELS
from ptum.checks.reproduce.results import (
    FindingJson,
    PanelJson,
    encoded,
    estimated,
    panel_json,
    read,
    smaller_p,
)
from ptum.checks.reproduce.units import Store, UnitError, played, units
from ptum.checks.text.kept_lines import OtherResultsError
from ptum.checks.verdicts.workers import Pool
from ptum.spec import reproduction

ALL = "all"
HOLM = (
    "p: the smaller one of both sides of a test, 0 where a sentence about every run failed in one. "
    f"Holm's procedure judges it with all others of its panel, at level {LEVEL:.2g}; what is "
    "undecided may need more runs. Alternatives are described, not tested."
)


@dataclass(frozen=True)
class ReproduceOptions:
    """What is asked for, as it was typed."""

    panels: tuple[str, ...]
    runs: int
    seed: int
    jobs: int
    scheduler: str | None
    out: str
    choices: tuple[str, ...]

    @property
    def files(self) -> list[str]:
        """The results that are written."""
        return [str(Path(self.out) / f"{panel.id}.json") for panel in _panels(self.panels)]


def list_panels() -> None:
    """Print panels, their choices and declared tests."""
    for panel in PANELS.values():
        lines = [*wrapped(f"{panel.id}: {panel.title}")]
        for choice in reproduction.choices(panel.units):
            options = f"{choice.default} (or {', '.join(choice.alternatives)})"
            lines += wrapped(f"{choice.decision}: {options}", "  choice ")
        for declared in panel.declared:
            lines += wrapped(f"{declared.id}: {declared.test.text()}", "  test   ")
        print("\n".join(lines))


def run_reproduce(request: ReproduceOptions) -> int:
    """Run what is missing and write everything; the exit code."""
    panels = _panels(request.panels)
    variants = {panel.id: _variants(panel, request.choices) for panel in panels}
    _require_known(request.choices, panels)
    for name, value, least in (("runs", request.runs, 1), ("jobs", request.jobs, 1)):
        if value < least:
            raise Refusal(f"--{name} {value}: must be at least {least}")
    if request.seed < 0:
        raise Refusal(f"--seed {request.seed}: must be at least 0")
    require_one_place(request.jobs, request.scheduler)
    with pool_of(request.jobs, request.scheduler) as pool, _alone_in(_folder(request.out)) as out:
        return _run_in(out, panels, variants, request, pool)


def _run_in(
    folder: Path,
    panels: Sequence[Panel],
    variants: dict[str, list[str]],
    request: ReproduceOptions,
    pool: Pool | None,
) -> int:
    stores = {panel.units: _store(folder, panel, request) for panel in panels}
    if not picture.available():
        print(f"ptum: {picture.MISSING}", file=sys.stderr)
    try:
        _play(panels, stores, variants, request, pool)
    except UnitError as reason:
        print(f"ptum: {reason}", file=sys.stderr)
        return EXIT_MISMATCH
    except KeyboardInterrupt:
        kept = sum(len(store.done) for store in stores.values())
        print(
            f"ptum: interrupted; {plural(kept, 'finished unit')} kept in {folder}, "
            "the same command continues",
            file=sys.stderr,
        )
        return EXIT_CUT_SHORT
    documents = [_written(panel, stores[panel.units], request, folder) for panel in panels]
    print_results(folder, documents)
    return EXIT_AS_EXPECTED


def _panels(named: Sequence[str]) -> list[Panel]:
    if not named:
        raise Refusal("give one panel or more, or all (see `ptum reproduce --list`)")
    for name in named:
        if name not in (ALL, *PANELS):
            raise unknown("panel", name, (ALL, *PANELS))
    everything = reproduction.PANELS if ALL in named else ()
    return [panel for name, panel in PANELS.items() if name in named or name in everything]


def _variants(panel: Panel, asked: Sequence[str]) -> list[str]:
    """The default, and the alternatives of this panel that are asked for."""
    known = panel.variants()
    return [name for name in known if name == DEFAULT or name in asked or ALL in asked]


def _require_known(asked: Sequence[str], panels: Sequence[Panel]) -> None:
    known = [name for panel in panels for name in panel.variants() if name != DEFAULT]
    usual = [f"{c.decision}={c.default}" for p in panels for c in reproduction.choices(p.units)]
    for choice in asked:
        if choice in usual:
            raise Refusal(f"--choice {choice}: this is the default, which is always run")
        if choice != ALL and choice not in known:
            raise unknown("choice", choice, (*dict.fromkeys(known), ALL))


def _folder(out: str) -> Path:
    if not out:
        raise Refusal("--out is empty: give a folder")
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise Refusal(f"--out {out} is a file: give a folder") from None
    except OSError as reason:
        raise Refusal(f"--out {out}: {reason.strerror}") from reason
    return folder


@contextmanager
def _alone_in(folder: Path) -> Iterator[Path]:
    """The folder, for this call alone: two that write the same files would spoil them."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield folder
    except BlockingIOError as reason:
        raise Refusal(f"--out {folder}: another call is writing there") from reason
    finally:
        os.close(descriptor)


def _store(folder: Path, panel: Panel, request: ReproduceOptions) -> Store:
    """What is there already; refused if it is of something else, or has more than is asked for."""
    try:
        store = Store(folder, PANELS[panel.units], request.seed)
        path = folder / f"{panel.id}.json"
        before = read(path) if path.exists() else None
    except (OtherResultsError, ValueError) as reason:
        raise Refusal(str(reason)) from reason
    except OSError as reason:
        raise Refusal(f"cannot read {reason.filename}: {reason.strerror}") from reason
    more = max((unit.run + 1 for unit in store.done), default=0)
    if more > request.runs:
        raise Refusal(f"{store.path} has {more} runs; give --runs {more}, or another --out")
    if before is not None and not store.done:
        raise Refusal(f"{path} is there without its units; give another --out, or remove it")
    return store


def _play(
    panels: Sequence[Panel],
    stores: dict[str, Store],
    variants: dict[str, list[str]],
    request: ReproduceOptions,
    pool: Pool | None,
) -> None:
    """All units that are not there yet."""
    missing = {
        panel.units: [
            unit
            for unit in units(panel, variants[panel.id], request.runs)
            if unit not in stores[panel.units].done
        ]
        for panel in panels
    }
    progress = Progress(sum(map(len, missing.values())))
    try:
        for name, wanted in missing.items():
            started = time.monotonic()
            with closing(played(wanted, request.seed, pool)) as found:
                for done, (unit, measured) in enumerate(found, start=1):
                    with writing(stores[name].path):
                        stores[name].keep(unit, measured)
                    left = (time.monotonic() - started) / done * (len(wanted) - done)
                    share = 100 * done // len(wanted) // 10 * 10
                    progress.share(f"{name} {share} %", f"about {left:.0f} s left for it")
    finally:
        progress.close()


def _written(panel: Panel, store: Store, request: ReproduceOptions, folder: Path) -> PanelJson:
    """PANEL.json and the pictures; alternatives that are there in full come with the default."""
    full = {unit.variant for unit in store.done}
    measured = {
        name: store.runs(name)
        for name in panel.variants()
        if name in full and {*units(panel, [name], request.runs)} <= {*store.done}
    }
    document = panel_json(panel, request.seed, measured)
    write_whole(str(folder / f"{panel.id}.json"), encoded(document))
    if picture.available():
        with writing(folder):
            picture.draw(panel, document, folder)
    return document


def print_results(folder: Path, documents: Sequence[PanelJson]) -> None:
    """Runs, choices and files of every panel, then one line for every claim."""
    for document in documents:
        default, *others = document.variants
        settled = ", ".join(f"{name} {option}" for name, option in default.options.items())
        said = f"{document.panel}: {plural(default.runs, 'run')}, seed {document.seed}"
        said += f", default choices ({settled})" if settled else ""
        said += "".join(f"; {plural(v.runs, 'run')} with {v.name}" for v in others)
        print("\n".join(wrapped(said)))
        endings = (".json", *((".svg", ".png") if picture.available() else ()))
        for ending in endings:
            print(f"  written: {folder / document.panel}{ending}")  # unbroken, to be copied
    rows = [
        _row(found, v.name)
        for document in documents
        for v in document.variants
        for found in v.findings
    ]
    if not rows:
        return
    print()
    print(
        table(
            ("claim part/test", "choice", "finding", "estimate (99 % interval)", "p", "says"), rows
        )
    )
    print("\n".join(wrapped(HOLM)))


def _row(found: FindingJson, variant: str) -> tuple[str, ...]:
    estimate, p = estimated(found), smaller_p(found)
    return found.id, variant, found.finding or "-", estimate, p, found.says
