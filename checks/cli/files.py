"""Output files: refused before any work if they cannot be written, and never half-written."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from checks.cli.words import Refusal

STDOUT = "-"
"""Stands for standard output where a file is asked for."""


def require_writable(target: str | None) -> None:
    """Refuse a file that could not be written; nothing is left behind."""
    if target is None or target == STDOUT:
        return
    path = Path(target)
    if path.is_dir():  # touching a folder is no sign that a file can be written
        raise Refusal(f"cannot write {target}: it is a folder")
    new = not path.exists()
    try:
        path.touch()
    except OSError as reason:
        raise Refusal(f"cannot write {target}: {reason.strerror}") from reason
    if new:
        path.unlink()


def indented(document: object) -> bytes:
    """JSON for people and machines."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def write_whole(target: str | None, content: bytes) -> None:
    """To standard output, or to a file that is there in full or not at all; None is nowhere."""
    if target is None:
        return
    if target == STDOUT:
        sys.stdout.write(content.decode())
        return
    path = Path(target)
    try:
        if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced
            path.write_bytes(content)
        else:
            unfinished = path.with_name(f".{path.name}.{os.getpid()}")
            unfinished.write_bytes(content)
            unfinished.replace(path)
    except OSError as reason:
        raise Refusal(f"cannot write {target}: {reason.strerror}") from reason
