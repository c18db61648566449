"""Imports inside the layers; between them `lint-imports` rules."""

from __future__ import annotations

import re
from pathlib import Path

import grimp
import pytest

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"


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
    "ptum.reference.repaired.repairs",
    "ptum.reference.repaired.within_task_bounds",
}
"""Sets of constants to choose from, and bounds of an estimator that the paper does not have."""


def test_every_other_version_stands_beside_the_printed_one(graph: grimp.ImportGraph) -> None:
    alone = {
        module
        for room in ("repaired", "experiments")
        for module in graph.find_descendants(f"ptum.reference.{room}")
        if module.replace(f".{room}", "") not in graph.modules
    }
    assert alone == WITHOUT_A_PRINTED_SIBLING


USERS_OF_INSTANCES = ("section_", "appendix_", "open_questions", "agreement", "attempts", "judge")
"""How the names of the packages begin that draw instances and look at them."""


def test_instances_do_not_lean_on_checks(graph: grimp.ImportGraph) -> None:
    homes = ("ptum.checks.counterexamples", "ptum.checks.families")
    instances = {module for home in homes for module in graph.find_descendants(home)}
    users = [f"ptum.checks.{name}" for name in USERS_OF_INSTANCES]
    leaning = {
        (module, imported)
        for module in instances
        for imported in graph.find_modules_directly_imported_by(module)
        if imported.startswith(tuple(users))
    }
    assert instances
    assert leaning == set()
    packages = graph.find_children("ptum.checks")
    assert [user for user in users if not any(name.startswith(user) for name in packages)] == []


def test_tools_of_tests_and_commands_stay_out_of_spec_and_reference(
    graph: grimp.ImportGraph,
) -> None:
    tools = {"hypothesis", "pytest", "click"}
    assert {"hypothesis", "click"} <= graph.modules  # so that the names are those of the graph
    for layer in ("ptum.spec", "ptum.reference"):
        for module in graph.find_descendants(layer) | {layer}:
            assert not graph.find_modules_directly_imported_by(module) & tools, module


def test_the_page_of_the_architecture_names_every_module_and_package_of_checks(
    graph: grimp.ImportGraph,
) -> None:
    page = PAGE.read_text()
    names = {module.removeprefix("ptum.checks.") for module in graph.find_children("ptum.checks")}
    assert names
    assert {name for name in names if not re.search(rf"`checks/{name}[`/.]", page)} == set()


def test_the_page_of_the_architecture_names_every_module_of_the_judge(
    graph: grimp.ImportGraph,
) -> None:
    _, found, table = PAGE.read_text().partition("| In `checks/judge/` |")
    names = {
        module.removeprefix("ptum.checks.judge.")
        for module in graph.find_children("ptum.checks.judge")
    }
    assert found
    assert {name for name in names if not re.search(rf"`{name}/?`", table)} == set()


def test_the_page_of_the_architecture_names_every_module_that_was_run(
    graph: grimp.ImportGraph,
) -> None:
    _, found, rest = PAGE.read_text().partition("`reference/experiments/` holds")
    told, _, _ = rest.partition("\n\n")
    room = "ptum.reference.experiments"
    names = {module.removeprefix(f"{room}.") for module in graph.find_children(room)}
    assert found
    assert names
    assert {name for name in names if f"`{name}`" not in told} == set()
