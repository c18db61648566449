"""The registry names every module with checks, and no check is lost or spliced in."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import ptum.checks
from ptum.checks.claims import MODULES, registry
from ptum.checks.verdicts.check import ALPHA

HOME = Path(ptum.checks.__file__).parent


def exports_checks(path: Path) -> bool:
    """Whether the file binds `CHECKS` at its top level."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="CHECKS")]):
                return True
            case ast.AnnAssign(target=ast.Name(id="CHECKS")):
                return True
    return False


def module_of(path: Path) -> str:
    parts = path.relative_to(HOME.parent.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def test_every_module_with_checks_is_listed() -> None:
    written = {module_of(path) for path in HOME.rglob("*.py") if exports_checks(path)}
    assert written == set(MODULES)
    assert len(set(MODULES)) == len(MODULES)


def test_a_file_is_seen_to_export_checks(tmp_path: Path) -> None:
    for line, seen in (("CHECKS = ()", True), ("CHECKS: tuple = ()", True), ("OTHER = ()", False)):
        (tmp_path / "some.py").write_text(f"{line}\n", encoding="utf-8")
        assert exports_checks(tmp_path / "some.py") is seen


def test_the_registry_has_the_checks_of_its_modules_and_no_others() -> None:
    listed = [check.id for name in MODULES for check in importlib.import_module(name).CHECKS]
    assert sorted(listed) == sorted(registry())


def test_two_checks_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "ptum.checks.claims.MODULES",
        ("ptum.checks.claims.untestable", "ptum.checks.claims.untestable"),
    )
    with pytest.raises(ValueError, match="two checks are called"):
        registry.__wrapped__()


def test_more_error_probability_than_there_is_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(check.alpha for check in registry().values()) > ALPHA / 2
    monkeypatch.setattr("ptum.checks.claims.ALPHA", ALPHA / 2)
    with pytest.raises(ValueError, match="more error probability than there is"):
        registry.__wrapped__()
