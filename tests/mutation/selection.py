"""Which test files bear on a module: those that import it, or else those nearest to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

LOADED_BY_NAME = {Path("tests/checks/claims/test_agreement.py"): Path("checks/claims/agreement")}
"""A test that imports all files of a folder without naming them."""

WHOLLY_SLOW = frozenset(
    {
        Path("tests/reference/sequential/test_sequential.py"),
        Path("tests/reference/sequential/test_spectral.py"),
    }
)
"""Marked slow as a whole, but holding most tests of two modules: their cheap ones are used."""

PACKAGES = ("spec", "reference", "checks", "tests")


def dotted(path: Path) -> str:
    """`reference/arrays.py` is `ptum.reference.arrays`; a package is named by its folder."""
    above = () if path.parts[0] == "tests" else ("ptum",)
    parts = (*above, *path.with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def all_modules(root: Path) -> list[str]:
    """Every module of `reference` that is not just a package."""
    paths = sorted((root / "reference").rglob("*.py"))
    return [dotted(path.relative_to(root)) for path in paths if path.name != "__init__.py"]


def imports(root: Path) -> dict[Path, frozenset[str]]:
    """For every file of the project, the modules it names in its imports."""
    files = [file for package in PACKAGES for file in sorted((root / package).rglob("*.py"))]
    found = {file.relative_to(root): frozenset(_imported(file)) for file in files}
    for test, folder in LOADED_BY_NAME.items():
        loaded = [names for path, names in found.items() if path.is_relative_to(folder)]
        found[test] = found.get(test, frozenset()).union(*loaded)
    return found


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case _:
                pass


def reached_from(folder: Path, imported: dict[Path, frozenset[str]]) -> frozenset[str]:
    """Every module that the files of a folder import, directly or through others."""
    by_name = {dotted(path): names for path, names in imported.items()}
    found: set[str] = set()
    ring = {dotted(path) for path in imported if path.is_relative_to(folder)}
    while ring:
        found |= ring
        ring = {used for name in ring for used in by_name.get(name, ())} & by_name.keys() - found
    return frozenset(found)


def nearest_tests(module: str, imported: dict[Path, frozenset[str]]) -> tuple[Path, ...]:
    """Test files that import the module; if there is none, those that import such files, and so on.

    A file named after the module comes first.
    """
    seen, ring = {module}, {module}
    while ring:
        users = {path for path, names in imported.items() if names & ring}
        tests = sorted(path for path in users if path.name.startswith("test_"))
        if tests:
            own = f"test_{module.split('.')[-1]}.py"
            return tuple(sorted(tests, key=lambda path: (path.name != own, path)))
        ring = {dotted(path) for path in users} - seen
        seen |= ring
    return ()
