"""Harnesses to start from: plain files, copied into a user's directory.

Each speaks the protocol on standard input and output, needs nothing beyond its language, and
conforms in what it implements; a test builds and judges all of them.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from ptum.reference.errors import InputError

LANGUAGES = ("python", "javascript", "c")

COMMANDS = {
    "python": "python3 harness.py",
    "javascript": "node harness.mjs",
    "c": "./harness",
}
"""How each is started in its directory; the C one is made by `make` before."""


def write_example(language: str, directory: Path | str) -> list[Path]:
    """Copy the files of a language; refuses to overwrite any, and then writes none."""
    if language not in LANGUAGES:
        raise InputError("language", f"must be one of {', '.join(LANGUAGES)}", value=language)
    source = resources.files(__name__) / language
    target = Path(directory)
    files = sorted(
        (entry for entry in source.iterdir() if entry.is_file()), key=lambda file: file.name
    )
    there = [file.name for file in files if (target / file.name).exists()]
    if there:
        raise InputError(str(target), f"holds {', '.join(there)} already; nothing was written")
    target.mkdir(parents=True, exist_ok=True)
    for file in files:
        (target / file.name).write_bytes(file.read_bytes())
    return [target / file.name for file in files]
