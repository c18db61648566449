"""Imports inside the layers; between them `lint-imports` rules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
TOPS = ("spec", "reference", "checks")


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("ptum", include_external_packages=True)


def versions(graph: grimp.ImportGraph) -> dict[str, set[str]]:
    """The modules of `reference` by version: as printed, repaired, as run."""
    rooms = {name: f"ptum.reference.{name}" for name in ("repaired", "experiments")}
    found = {name: graph.find_descendants(room) | {room} for name, room in rooms.items()}
    return {
        "printed": graph.find_descendants("ptum.reference") - set().union(*found.values())
    } | found


@pytest.mark.parametrize(
    ("version", "others"),
    [("printed", ("repaired", "experiments")), ("repaired", ("experiments",))],
)
def test_no_version_leans_on_one_that_changes_it(
    graph: grimp.ImportGraph, version: str, others: tuple[str, ...]
) -> None:
    rooms = versions(graph)
    forbidden = set().union(*(rooms[other] for other in others))
    leaning = {
        module
        for module in rooms[version]
        if graph.find_modules_directly_imported_by(module) & forbidden
    }
    assert len(rooms[version]) > 10
    assert leaning == set()


WITHOUT_A_PRINTED_SIBLING = {
    "ptum.reference.repaired.transfer.repairs",
    "ptum.reference.repaired.sequential.alignment",
    "ptum.reference.repaired.sequential.analysis.within_task_bounds",
}
"""Constants to choose from, and what the paper does not have: one labelling, a second estimator."""


def test_every_repair_stands_beside_the_printed_one(graph: grimp.ImportGraph) -> None:
    alone = {
        module
        for module in graph.find_descendants("ptum.reference.repaired")
        if module.replace(".repaired", "") not in graph.modules
    }
    assert alone == WITHOUT_A_PRINTED_SIBLING


def test_tools_of_tests_and_commands_stay_out_of_spec_and_reference(
    graph: grimp.ImportGraph,
) -> None:
    tools = {"hypothesis", "pytest", "click"}
    assert {"hypothesis", "click"} <= graph.modules  # so that the names are those of the graph
    for layer in ("ptum.spec", "ptum.reference"):
        for module in graph.find_descendants(layer) | {layer}:
            assert not graph.find_modules_directly_imported_by(module) & tools, module


def test_the_solver_of_the_proofs_has_one_door(graph: grimp.ImportGraph) -> None:
    """z3 is for development: no package that is installed needs it."""
    assert "z3" not in graph.modules
    tests = (ROOT / "tests").rglob("*.py")
    doors = [path.name for path in tests if re.search(r"^(import|from) z3", path.read_text(), re.M)]
    assert doors == ["solver.py"]


FEW = 14
"""About a dozen: with more modules than that in one package, nobody finds one."""


def test_no_package_is_crowded(graph: grimp.ImportGraph) -> None:
    sizes = {
        package: sum(not graph.find_children(child) for child in graph.find_children(package))
        for package in graph.modules
        if package.startswith("ptum.") and graph.find_children(package)
    }
    assert len(sizes) > 40
    assert {package: size for package, size in sizes.items() if size > FEW} == {}


def test_every_package_says_what_belongs_there() -> None:
    folders = [file for top in TOPS for file in (ROOT / top).rglob("__init__.py")]
    silent = [file for file in folders if not ast.get_docstring(ast.parse(file.read_text()))]
    assert len(folders) > 40
    assert silent == []


def test_every_layer_says_what_it_imports_or_what_may_import_it() -> None:
    """What stands below a layer is bound by the same."""
    layers = [ROOT / top for top in TOPS]
    layers += [file.parent for file in (ROOT / "checks").glob("*/__init__.py")]
    silent = [
        str(layer.relative_to(ROOT))
        for layer in layers
        if "import" not in (layer / "__init__.py").read_text().split('"""')[1].lower()
    ]
    assert len(layers) > 10
    assert silent == []
