"""What a run found, module by module; kept in `survivors.json`."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

FILE = Path(__file__).parent / "survivors.json"


class Survivor(msgspec.Struct, frozen=True, kw_only=True):
    """A mutant that nothing noticed; `explanation` says why it is no other program."""

    operator: str
    line: int
    before: str
    after: str
    explanation: str = ""

    @property
    def key(self) -> tuple[str, int, str]:
        """What tells it apart from the other mutants of an unchanged source."""
        return self.operator, self.line, self.after


class Module(msgspec.Struct, frozen=True, kw_only=True):
    """One module: the hash of the source that was mutated, how many mutants, and their fate."""

    source: str
    planted: int
    killed: int
    timed_out: int
    survivors: list[Survivor]

    @property
    def unexplained(self) -> list[Survivor]:
        """Survivors that still need a test or a reason."""
        return [survivor for survivor in self.survivors if not survivor.explanation]


Record = dict[str, Module]


def digest(source: str) -> str:
    """The hash by which a module is recognised."""
    return hashlib.sha256(source.encode()).hexdigest()


def load(path: Path = FILE) -> Record:
    """The record; empty where there is no file."""
    return msgspec.json.decode(path.read_bytes(), type=Record) if path.exists() else {}


def save(record: Record, path: Path = FILE) -> None:
    """Write the record, modules in alphabetical order."""
    text = msgspec.json.encode(dict(sorted(record.items())))
    path.write_bytes(msgspec.json.format(text, indent=1) + b"\n")


def explained(module: Module, earlier: Module | None) -> Module:
    """Explanations of an earlier run hold for the same change of the same lines."""
    known = {
        (old.operator, old.before, old.after): old.explanation
        for old in (earlier.survivors if earlier else [])
    }
    survivors = [
        msgspec.structs.replace(
            new, explanation=known.get((new.operator, new.before, new.after), "")
        )
        for new in module.survivors
    ]
    return msgspec.structs.replace(module, survivors=survivors)
