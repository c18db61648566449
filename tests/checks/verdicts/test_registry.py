"""What modules declare is found in one way, and a wrong declaration is refused at once."""

from __future__ import annotations

import importlib
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from ptum.checks.claims import registry
from ptum.checks.verdicts import check as declaring
from ptum.checks.verdicts.check import ALPHA, Check, Context, check, spent
from ptum.checks.verdicts.outcome import Outcome
from ptum.checks.verdicts.registry import Registry, import_below
from ptum.spec import ledger
from ptum.spec.vocabulary import CheckKind, Verdict, Version

SOME, OTHER = "lemma-9.optimal/repaired-algebra", "theorem-1.phases/fixed-order"


def some_run(_: Context) -> Outcome:
    """A sentence on
    two lines.

    More of it.
    """
    return Outcome(Verdict.HOLDS)


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> Registry[Check]:
    """An empty registry in place of the one of all checks, whose modules are imported before."""
    registry()
    empty: Registry[Check] = Registry("check")
    monkeypatch.setattr(declaring, "CHECKS", empty)
    return empty


def test_a_check_takes_its_version_and_reading_from_the_ledger(declared: Registry[Check]) -> None:
    assert check(SOME, CheckKind.EXACT)(some_run) is some_run
    check(OTHER, CheckKind.PROBABILITY, "Something else", alpha=1e-4)(some_run)
    assert declared.declared() == {
        SOME: Check(SOME, Version.REPAIRED, CheckKind.EXACT, "A sentence on two lines", some_run),
        OTHER: Check(
            OTHER,
            Version.PRINTED,
            CheckKind.PROBABILITY,
            "Something else",
            some_run,
            "theorem-1.phases.fixed-ties",
            1e-4,
        ),
    }


@pytest.mark.usefixtures("declared")
def test_wrong_declarations_are_refused() -> None:
    with pytest.raises(ledger.UnknownIdError, match="no-such-check"):
        check("lemma-9.optimal/no-such-check", CheckKind.EXACT)
    with pytest.raises(ValueError, match="no docstring"):
        check(SOME, CheckKind.EXACT)(partial(some_run))
    with pytest.raises(ValueError, match="more error probability than there is"):
        check(SOME, CheckKind.PROBABILITY, alpha=1.1 * ALPHA)(some_run)
    check(SOME, CheckKind.EXACT)(some_run)
    with pytest.raises(ValueError, match=f"two checks are called {SOME}"):
        check(SOME, CheckKind.EXACT)(some_run)


@pytest.mark.usefixtures("declared")
def test_error_probability_is_added_up() -> None:
    check(SOME, CheckKind.PROBABILITY, alpha=0.6 * ALPHA)(some_run)
    with pytest.raises(ValueError, match=f"{OTHER}: the checks claim more"):
        check(OTHER, CheckKind.PROBABILITY, alpha=0.6 * ALPHA)(some_run)
    assert ALPHA / 2 < spent(registry().values()) <= ALPHA


def test_a_check_that_nobody_declares_is_missed(
    monkeypatch: pytest.MonkeyPatch, declared: Registry[Check]
) -> None:
    monkeypatch.setattr("ptum.checks.claims.CHECKS", declared)
    with pytest.raises(ValueError, match=f"nobody declares: .*{SOME}"):
        registry.__wrapped__()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A package with a module, and a module in a package below it."""
    for name in ("__init__", "second", "below/__init__", "below/first"):
        path = tmp_path / "declaring_things" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module("declaring_things")


def test_every_module_below_a_package_is_imported(package: ModuleType) -> None:
    try:
        names = [module.__name__ for module in import_below(package)]
    finally:
        loaded = [name for name in sys.modules if name.startswith("declaring_things")]
        for name in loaded:
            del sys.modules[name]
    expected = ["below", "below.first", "second"]
    assert names == [f"declaring_things.{name}" for name in expected]


FOUND_BY_NAME = """
import sys
from ptum.checks.instances import counterexamples
from ptum.checks.instances.counterexamples import catalogue
from ptum.checks.verdicts.registry import Registry
add, places = Registry.add, []
def added(self, identity, case):
    if self is catalogue.COUNTEREXAMPLES:
        places.append((sys._getframe(2).f_globals["__file__"], case.ids))
    add(self, identity, case)
Registry.add = added
catalogue.cases()
for place, ids in places:
    source = open(place, encoding="utf-8").read()
    print(*(name for name in ids if f'"{name}"' not in source), end="")
print(len(places) == len(catalogue.cases()))
"""


def test_a_counterexample_stands_in_a_module_that_spells_its_checks() -> None:
    """So it is found without importing the others: in a process that has imported none."""
    command = [sys.executable, "-c", FOUND_BY_NAME]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout == "True\n"


def test_modules_that_spell_an_id_are_imported_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "some_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    for name in ("one", "two"):
        (package / f"{name}.py").write_text(f'ID = "{name}/check"\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    registered: Registry[int] = Registry("check")
    registered.naming("one/check", importlib.import_module("some_package"))
    assert "some_package.one" in sys.modules
    assert "some_package.two" not in sys.modules
