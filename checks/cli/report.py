"""`ptum report`, and `--html` of other commands: the site, with what runs saw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from ptum.checks.cli.output.files import STDOUT
from ptum.checks.cli.output.formatting import EXIT_AS_EXPECTED, Refusal
from ptum.checks.judge.results import report as validation
from ptum.checks.reproduce import picture, results
from ptum.checks.site import build
from ptum.checks.site.build import Seen
from ptum.checks.suite import report as verification


def write_site(folder: str, files: Sequence[str]) -> int:
    """Write the site with what the files saw; the exit code."""
    seen = Seen()
    for name in files:
        seen = seen_in(seen, Path(name))
    require_folder(folder)
    made = build.pages(seen)
    try:
        build.write(Path(folder), made)
    except OSError as reason:
        raise Refusal(f"cannot write {reason.filename}: {reason.strerror}") from reason
    print(f"{len(made)} files written; open {Path(folder) / 'index.html'}")
    return EXIT_AS_EXPECTED


@contextmanager
def sited(folder: str, report: str | None) -> Iterator[str]:
    """Where a command shall write its report, of which a site is made afterwards."""
    if report == STDOUT:
        raise Refusal("--html goes with a report in a file: give --json a FILE, or leave it out")
    require_folder(folder)
    with TemporaryDirectory() as place:
        target = report or str(Path(place) / "report.json")
        yield target
        if Path(target).exists():
            write_site(folder, [target])


def require_panels(folder: str) -> None:
    """Refuse a site with pictures that cannot be drawn, before anything is run."""
    require_folder(folder)
    if not picture.available():
        raise Refusal(f"--html shows pictures: {picture.MISSING}")


def require_folder(folder: str) -> None:
    """Refuse a folder that holds something else than a site."""
    try:
        build.require_ours(Path(folder))
    except build.NotOursError as reason:
        raise Refusal(str(reason)) from reason
    except OSError as reason:
        raise Refusal(f"cannot write into {folder}: {reason.strerror}") from reason


class _Start(msgspec.Struct):
    schema: str = ""


class _Beginning(_Start):
    header: _Start = msgspec.field(default_factory=_Start)


def seen_in(seen: Seen, path: Path) -> Seen:
    """What was seen before, and what this file saw."""
    try:
        if kept := verification.of_keep(path):
            raise ValueError(kept)
        start = msgspec.json.decode(path.read_bytes(), type=_Beginning)
        schema = start.schema or start.header.schema
        if schema == results.SCHEMA:
            document = results.read(path)
            drawn = path.with_suffix(".svg").read_bytes()
            return replace(seen, panels={**seen.panels, document.panel: (document, drawn)})
        if schema == validation.SCHEMA:
            return replace(seen, validation=validation.read(path))
        report = verification.expected_again(verification.read(path))
        return replace(seen, verification=report)
    except OSError as reason:
        raise Refusal(f"cannot read {reason.filename}: {reason.strerror}") from reason
    except (ValueError, msgspec.MsgspecError, RecursionError) as reason:
        raise Refusal(
            f"{path} is no report of verify or validate and no panel of reproduce: {reason}"
        ) from reason
