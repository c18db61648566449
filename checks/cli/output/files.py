"""Output files: refused before any work if they cannot be written, and never half-written."""

from __future__ import annotations

import codecs
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from ptum.checks.cli.output.formatting import Refusal

STDOUT = "-"
"""Stands for standard output where a file is asked for."""


@contextmanager
def writing(target: Path | str) -> Iterator[None]:
    """Refuse to go on where what is written into a file, or below a folder, cannot be written."""
    try:
        yield
    except OSError as reason:
        raise Refusal(f"cannot write {reason.filename or target}: {reason.strerror}") from reason


def require_writable(target: str | None) -> None:
    """Refuse a file that could not be written; nothing is left behind."""
    if target is None or target == STDOUT:
        return
    path = Path(target)
    if path.is_dir():  # touching a folder is no sign that a file can be written
        raise Refusal(f"cannot write {target}: it is a folder")
    try:
        if _in_place(path):
            path.touch()
        else:  # what will be written in the end, so that nothing is refused only then
            _unfinished(path).touch()
            _unfinished(path).unlink()
    except OSError as reason:
        raise Refusal(f"cannot write {target}: {reason.strerror}") from reason


def same_file(one: str | None, other: str | None) -> bool:
    """Whether what is written to one would replace what is written to the other."""
    if one is None or other is None or STDOUT in (one, other) or _in_place(Path(one)):
        return False
    return Path(one).resolve() == Path(other).resolve()


def _in_place(path: Path) -> bool:
    """Pipes and devices cannot be replaced; nor can a file to which the output goes."""
    return path.exists() and (not path.is_file() or _is_output(path))


def _is_output(path: Path) -> bool:
    """Whether a path is where standard output goes, as /dev/stdout is."""
    try:
        return os.path.samestat(path.stat(), os.fstat(1))
    except OSError:
        return False


def _unfinished(path: Path) -> Path:
    """Beside the file itself, not beside a link to it; with a name that is never too long."""
    return path.resolve().with_name(f".ptum.{os.getpid()}")


def indented(document: object) -> bytes:
    """JSON for people and machines."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def print_json(content: bytes) -> None:
    """To standard output; in another encoding than UTF-8 letters beyond ASCII are escaped."""
    text, encoding = content.decode(), getattr(sys.stdout, "encoding", None) or "utf-8"
    if codecs.lookup(encoding).name != "utf-8":
        text = re.sub(r"[^\x00-\x7f]", lambda letter: json.dumps(letter[0])[1:-1], text)
    print(text, end="")


def write_whole(target: str | None, content: bytes) -> None:
    """To standard output, or to a file that is there in full or not at all; None is nowhere."""
    if target is None:
        return
    if target == STDOUT:
        print_json(content)
        return
    path = Path(target)
    try:
        if path.is_file() and _is_output(path):
            print_json(content)
        elif _in_place(path):
            path.write_bytes(content)
        else:
            _replace(path.resolve(), content)
    except OSError as reason:
        raise Refusal(f"cannot write {target}: {reason.strerror}") from reason


def _replace(path: Path, content: bytes) -> None:
    unfinished = _unfinished(path)
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
