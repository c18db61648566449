"""The code that a check rests on, so that a verdict outlives changes of other code.

It is what the module of the check imports, directly or not, what runs every check, the formulas,
and the attempts stored for the check. Left out are the prose of the ledger (the verdict that it
expects is looked up each time), comments, docstrings and layout.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
from functools import cache
from pathlib import Path
from types import ModuleType

from ptum.checks import claims
from ptum.checks.claims import agreement, definitions
from ptum.checks.instances import counterexamples
from ptum.checks.suite import mirrors, on_family, runner
from ptum.checks.text.machine import FOLDERS, ROOT
from ptum.checks.verdicts import attempts
from ptum.checks.verdicts.check import Check
from ptum.checks.verdicts.registry import modules_below, modules_naming
from ptum.spec import algebra, formulas, ledger

PACKAGE = __name__.partition(".")[0]

PROSE = tuple(f"{PACKAGE}.spec.{room}" for room in ("claims", "decisions", "errata"))
"""What no verdict depends on, but for names of formulas."""

SELDOM = (mirrors.__name__, on_family.__name__)
"""Parts of the machinery that have something to do in some checks, or in none that are kept."""


def code_of(check: Check) -> str:
    """A digest of the code that a check rests on, and of the data and names that choose it."""
    digest = hashlib.sha256()
    for module in sorted(modules_of(check)):
        digest.update(f"{module} {_read(module)[0]}\n".encode())
    digest.update(repr((mirrors.of_checks().get(check.id), _formulas(check))).encode())
    stored = attempts.path_of(check.id)
    digest.update(stored.read_bytes() if stored.is_file() else b"")
    return digest.hexdigest()[:16]


def load(check: Check) -> None:
    """Import and read all that a run of the check would import or read later."""
    for module in modules_of(check):
        importlib.import_module(module)
    attempts.file_of(check.id)


def modules_of(check: Check) -> frozenset[str]:
    """Every module of ours in which a run of the check may call something."""
    own = _imported_by(*_declaring(check))
    compares = check.id in mirrors.of_checks() or definitions.__name__ in own
    return own | _machinery() | (_agreements() if compares else frozenset())


def _declaring(check: Check) -> tuple[str, ...]:
    """The modules that spell the id; if none does, that of the function, or any there is."""
    if naming := modules_naming(check.id, claims, counterexamples):
        return naming
    if check.run.__module__.startswith(f"{claims.__name__}."):
        return (check.run.__module__,)
    return (*_below(claims), *_below(counterexamples))


@cache
def _machinery() -> frozenset[str]:
    return _imported_by(runner.__name__, *_below(algebra), *_below(formulas))


@cache
def _agreements() -> frozenset[str]:
    return _imported_by(*_below(agreement), definitions.__name__)


def _formulas(check: Check) -> tuple[str, ...]:
    """The names of the formulas that the check may compare."""
    claim, part = ledger.part(check.part)
    named = mirrors.formulas()[claim.id] if check.id in mirrors.of_checks() else ()
    return (*named, *part.formulas, *(part.repair.formulas if part.repair else ()))


def _below(package: ModuleType) -> tuple[str, ...]:
    return tuple(module.name for module in modules_below(package))


def _imported_by(*modules: str) -> frozenset[str]:
    """These modules and all of ours that they import, directly or not."""
    found: set[str] = set()
    ahead = list(modules)
    while ahead:
        module = ahead.pop()
        if module not in found and not module.startswith(PROSE):
            found.add(module)
            ahead += () if module in SELDOM else _read(module)[1]
    return frozenset(found)


@cache
def _read(module: str) -> tuple[str, frozenset[str]]:
    """A digest of a module, and the modules of ours that it imports, wherever it does."""
    path = _path(module)
    assert path is not None
    tree = ast.parse(path.read_bytes())
    names = {module.rpartition(".")[0]}  # a package is imported before what is in it
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update((node.module, *(f"{node.module}.{each.name}" for each in node.names)))
    return digest_of(tree), frozenset(name for name in names if _path(name) is not None)


def digest_of(tree: ast.Module) -> str:
    """Of the code alone: without comments, docstrings and layout."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [line for line in node.body if not _is_text(line)]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


@cache
def _path(module: str) -> Path | None:
    """Where a module of ours is; None if it is somebody else's, or no module."""
    package, *names = module.split(".")
    if package != PACKAGE or not names or names[0] not in FOLDERS:
        return None
    place = ROOT.joinpath(*names)
    found = (place / "__init__.py", place.with_suffix(".py"))
    return next((path for path in found if path.is_file()), None)
