"""The pages about versions say what the code says."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from ptum.checks.judge.judging.verdicts import Conformity
from ptum.spec import ledger
from ptum.spec.errata import ERRATA
from ptum.spec.vocabulary import Verdict

ROOT = Path(__file__).parents[2]
POLICY = (ROOT / "docs" / "policy.md").read_text()
CONSTANT = re.compile(r'^(?:SCHEMA|PROTOCOL)\b[^=\n]*= "(ptum-[a-z-]+/\d+)"', re.MULTILINE)


def in_code() -> dict[str, str]:
    """Every name of a format, and the module that defines it."""
    found: dict[str, str] = {}
    for package in ("spec", "reference", "checks"):
        for path in (ROOT / package).rglob("*.py"):
            module = ".".join(("ptum", *path.relative_to(ROOT).with_suffix("").parts))
            found |= dict.fromkeys(CONSTANT.findall(path.read_text()), module)
    return found


def test_every_schema_is_listed_with_its_module() -> None:
    listed = dict(re.findall(r"^\| `(ptum-[a-z-]+/\d+)` \|.*\| `([a-z0-9._]+)` \|$", POLICY, re.M))
    assert listed == in_code()
    assert len(listed) >= 8


def test_every_word_of_a_verdict_is_listed() -> None:
    section = POLICY.partition("## Verdicts")[2].partition("\n## ")[0]
    for word in (*Verdict, *Conformity):
        assert f"`{word.value}`" in section


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found


def names(requirements: Iterable[str]) -> set[str]:
    return {re.split(r"[^\w-]", requirement)[0] for requirement in requirements}


def imported() -> dict[str, set[Path]]:
    """Packages that the code of a wheel imports, as they are installed, and the files that do."""
    renamed = {"markdown_it": "markdown-it-py", "mdit_py_plugins": "mdit-py-plugins"}
    renamed |= {"markupsafe": "jinja2"}
    found: dict[str, set[Path]] = {}
    folders = [ROOT / name for name in ("spec", "reference", "checks")]
    for file in (*(ROOT / "ptum").glob("*.py"), *(f for one in folders for f in one.rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text())):
            modules = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            modules += (
                [str(node.module)] if isinstance(node, ast.ImportFrom) and not node.level else []
            )
            for top in {module.partition(".")[0] for module in modules} - sys.stdlib_module_names:
                found.setdefault(renamed.get(top, top), set()).add(file.relative_to(ROOT))
    return {name: files for name, files in found.items() if name not in ("ptum", "my_ptum")}


def test_every_dependency_is_imported_where_the_table_says() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    rows = text.partition("\n| package | what for ")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    told = {name: re.findall("`(.+?)`", where) for name, _, where, *_ in cells}
    extras = project()["optional-dependencies"]
    optional = names(one for name, listed in extras.items() if name != "dev" for one in listed)
    assert names(project()["dependencies"]) == told.keys()
    found = imported()
    assert found.keys() == told.keys() | optional
    for name, folders in told.items():
        outside = [f for f in found[name] if not any(map(f.is_relative_to, folders))]
        assert {file.parts[0] for file in outside} <= {"ptum"}, name
    assert all(len(cell) > 8 for row in cells for cell in row[3:])


CHANGES = (ROOT / "CHANGELOG.md").read_text()


def test_one_version_everywhere() -> None:
    version = project()["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert re.search(rf'"erratum E\d\d, ptum {version}"', (ROOT / "README.md").read_text())
    assert f"`git log --oneline v{version}..`" in (ROOT / "RELEASING.md").read_text()
    changes = re.findall(r"^## (.+)$", CHANGES, re.MULTILINE)
    assert changes[0] in (version, "Unreleased")
    assert version in changes


def test_the_changelog_leads_to_what_there_is() -> None:
    """Places to take names from, statuses that changed, errata that were withdrawn."""
    places = re.findall(r"`(ptum(?:\.\w+)+)`", CHANGES)
    assert len(places) > 15
    assert [place for place in places if resolve_name(place) is None] == []
    readings = {one.id: one.status for _, part in ledger.parts() for one in part.readings}
    statuses = {part.id: part.status for _, part in ledger.parts()} | readings
    moved = re.findall(r"^\| [a-z-]+ → ([a-z-]+) \| (.+?) \|", CHANGES, re.MULTILINE)
    assert len(moved) == 6
    for status, listed in moved:
        parts = re.findall(r"`(.+?)`", listed)
        assert {part: str(statuses[part]) for part in parts} == dict.fromkeys(parts, status)
    told = CHANGES.partition("Withdrawn, because")[2].partition(";")[0]
    withdrawn = {erratum.id for erratum in ERRATA if erratum.withdrawn}
    assert set(re.findall(r"E\d\d", told)) == withdrawn
