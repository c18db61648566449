"""The steps, by the page that they stand on; a page's last table names each of them once.

They are written down in `steps/`. A step is its name with the constant and what makes it wrong,
then its premises, then `=>` and what follows. `NAME is …` stands for premises that steps share, as
`{NAME}`; what begins with `#` explains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.theory.language import ProofStep

PAGES: Final = (
    *("repaired_transfer", "repaired_sequential", "sequential_limits"),
    *("open_questions", "fallback"),
)
SHARED: Final = re.compile(r"([A-Z_0-9]+) is (.+)")
STEP: Final = re.compile(
    r"(?P<name>\S+) \((?:c = (?P<c>\S+), wrong at (?P<percent>[+-]\d+) %"
    r"|wrong without (?P<without>.+?))\) (?P<given>.+?) => (?P<then>.+)"
)


def entries(lines: Iterable[str]) -> Iterator[str]:
    """Each entry on one line: what is indented continues the line above."""
    entry = ""
    for line in lines:
        if line.startswith("  "):
            entry += f" {line.strip()}"
        elif not line.startswith("#") and line.strip():
            yield from filter(None, [entry])
            entry = line.strip()
    yield entry


def steps(text: str) -> Iterator[ProofStep]:
    """What a page of steps says; what is no entry is refused."""
    shared: dict[str, str] = {}
    for entry in entries(text.splitlines()):
        filled = entry.format(**shared)
        if found := SHARED.fullmatch(filled):
            shared[found[1]] = found[2]
        elif step := STEP.fullmatch(filled):
            yield ProofStep(**step.groupdict())
        else:
            raise ValueError(f"neither shared premises nor a step: {entry}")


STEPS: Final[Mapping[str, tuple[ProofStep, ...]]] = {
    f"{page}.md": tuple(steps((Path(__file__).with_suffix("") / f"{page}.txt").read_text()))
    for page in PAGES
}
