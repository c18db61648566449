"""A private copy of the working tree: what runs there touches nobody's files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

PARTS = (
    "ptum",
    "spec",
    "reference",
    "checks",
    "tests",
    "docs",
    "pyproject.toml",
    "Makefile",
    "README.md",
    "pytest_ptum.py",
)


@contextmanager
def private_copy(root: Path = ROOT) -> Iterator[Path]:
    """A copy of the packages, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder)
        for part in PARTS:
            if (root / part).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(root / part, copy / part, symlinks=True, ignore=ignored)
            else:
                shutil.copy2(root / part, copy / part)
        yield copy


def environment(copy: Path) -> Mapping[str, str]:
    """The copy goes before the installed packages, whatever folder the process starts in."""
    path = [str(copy), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
