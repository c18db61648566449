"""Finished work in a file of JSON lines, so that an interrupted call can be continued.

The first line says what the others belong to; a file that belongs to something else is refused and
left as it is.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

Head = TypeVar("Head", bound=msgspec.Struct)
Line = TypeVar("Line", bound=msgspec.Struct)


class OtherResultsError(Exception):
    """A file has results of something else than what is asked for."""


class KeptLines(Generic[Head, Line]):
    """The lines of a file below its head; `option` is what names it, or its folder."""

    def __init__(self, path: Path, head: Head, line: type[Line], option: str) -> None:
        self.path, self.head = path, head
        self.lines: list[Line] = []
        self._size = 0
        """Bytes of whole lines; what a killed call left behind them is overwritten."""
        if path.exists():
            self._read(line, option)

    def _read(self, line: type[Line], option: str) -> None:
        instead = f"give another {option}, or remove the file"
        content = self.path.read_bytes()
        self._size = content.rfind(b"\n") + 1
        if not content:  # nothing was finished
            return
        first, *lines = content[: self._size].splitlines() or [content]
        try:
            head = msgspec.json.decode(first, type=type(self.head))
            self.lines = [msgspec.json.decode(one, type=line) for one in lines]
        except msgspec.MsgspecError as reason:
            raise OtherResultsError(
                f"{self.path} is no file of {option}, or damaged ({reason}); {instead}"
            ) from reason
        for field in self.head.__struct_fields__:
            there, asked = getattr(head, field), getattr(self.head, field)
            if there != asked:
                raise OtherResultsError(
                    f"{self.path} has results with {field} {there}, not {asked}; {instead}"
                )

    def keep(self, line: Line) -> None:
        """Write a line; it is on the disk when this returns."""
        content = msgspec.json.encode(line) + b"\n"
        if not self._size:
            content = msgspec.json.encode(self.head) + b"\n" + content
        with self.path.open("ab") as file:
            file.truncate(self._size)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        self._size += len(content)
        self.lines.append(line)
