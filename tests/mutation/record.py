"""What a run found, module by module; kept in `survivors.json`."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

FILE = Path(__file__).parent / "survivors.json"


class Survivor(msgspec.Struct, frozen=True, kw_only=True):
    """A mutant that nothing noticed; `explanation` says why it is no other program."""

    operator: str
    occurrence: int
    line: int
    before: str
    after: str
    explanation: str = ""

    @property
    def key(self) -> tuple[str, int]:
        """What tells it apart from the other mutants of the same code, whatever its layout."""
        return self.operator, self.occurrence


class Module(msgspec.Struct, frozen=True, kw_only=True):
    """One module: the hash of the code that was mutated, how many mutants, and their fate."""

    code: str
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
    """The hash by which a module is recognised: of its code, without comments and docstrings."""
    return hashlib.sha256(_code(ast.parse(source)).encode()).hexdigest()


def _code(node: object) -> str:
    """A syntax tree as text; `ast.dump` writes empty fields in some versions of Python only."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return ""  # a docstring, or the text below a constant
        case ast.AST():
            fields = ((name, _code(value)) for name, value in ast.iter_fields(node))
            written = ", ".join(f"{name}={text}" for name, text in fields if text)
            return f"{type(node).__name__}({written})"
        case list():
            return ", ".join(filter(None, map(_code, node)))
        case None:
            return ""
        case _:
            return repr(node)


def changed_since(record: Record, root: Path) -> list[str]:
    """The modules whose code is no longer the one that was mutated."""
    return [
        name
        for name, module in sorted(record.items())
        if not (file := root / f"{name.removeprefix('ptum.').replace('.', '/')}.py").exists()
        or digest(file.read_text()) != module.code
    ]


def load(path: Path = FILE) -> Record:
    """The record; empty where there is no file."""
    return msgspec.json.decode(path.read_bytes(), type=Record) if path.exists() else {}


def save(record: Record, path: Path = FILE) -> None:
    """Write the record, modules in alphabetical order."""
    text = msgspec.json.encode(dict(sorted(record.items())))
    path.write_bytes(msgspec.json.format(text, indent=1) + b"\n")


def moved(module: Module, planted: Iterable[Survivor]) -> Module:
    """The same survivors on the lines where the mutants of the same code stand now."""
    now = {mutant.key: mutant for mutant in planted}
    survivors = [
        msgspec.structs.replace(now[old.key], explanation=old.explanation)
        for old in module.survivors
    ]
    return msgspec.structs.replace(module, survivors=survivors)


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
