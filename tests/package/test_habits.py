"""What the files for people and robots name exists: targets, tools, commands, options, versions."""

from __future__ import annotations

import ast
import dataclasses
import importlib.util
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from ptum.checks.cli import cli
from ptum.checks.instances.counterexamples.catalogue import Counterexample
from ptum.checks.judge.judging.readings import Capability
from ptum.spec import records

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
HOOKS = ROOT / ".pre-commit-config.yaml"
YAML = (*WORKFLOWS, *FORMS, HOOKS, ROOT / "CITATION.cff")
PAGES = [ROOT / name for name in ("CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")]
PAGES.append(ROOT / ".github" / "pull_request_template.md")
NAMING = (*YAML, *PAGES)
FIELDS = ("input", "textarea", "dropdown", "checkboxes", "markdown")
"""What a form of GitHub is made of."""


def loaded(file: Path) -> Any:
    return importlib.import_module("yaml").safe_load(file.read_text())  # which has no types


def by_name(files: tuple[Path, ...] | list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("file", files, ids=lambda file: str(file.relative_to(ROOT)))


@by_name(YAML)
def test_yaml_is_read(file: Path) -> None:
    assert isinstance(loaded(file), dict)


@by_name(WORKFLOWS)
def test_a_workflow_has_jobs_of_steps(file: Path) -> None:
    workflow = loaded(file)
    assert workflow["permissions"] == {"contents": "read"}
    assert True in workflow  # `on`, as YAML 1.1 reads it
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] > 0
        assert all(("run" in step) != ("uses" in step) for step in job["steps"])


def test_tests_and_wheels_are_tried_on_every_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for name, job in (("test.yml", "test"), ("wheel.yml", "install")):
        versions = loaded(ROOT / ".github" / "workflows" / name)["jobs"][job]["strategy"]["matrix"]
        assert project["requires-python"] == f">={versions['python'][0]}"
        assert len(versions["python"]) >= 3


@by_name(FORMS)
def test_a_form_asks_for_something(file: Path) -> None:
    form = loaded(file)
    assert form["name"]
    assert form["description"]
    assert {part["type"] for part in form["body"]} <= {*FIELDS}
    assert any(part.get("validations", {}).get("required") for part in form["body"])
    names = [part["id"] for part in form["body"]]
    assert len(names) == len(set(names))


def test_the_hooks_are_those_of_make() -> None:
    makefile = (ROOT / "Makefile").read_text()
    entries = [hook["entry"] for hook in loaded(HOOKS)["repos"][0]["hooks"]]
    for entry in entries:
        assert f"\t{entry.replace('.venv/bin', '$(BIN)')}" in makefile
    assert len(entries) == 4


# What is named


TARGETS = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))


def spoken(file: Path) -> list[str]:
    """Commands of a file: code in prose, and what workflows and hooks run."""
    found = re.findall(r"`([^`\n]+)`|(?:run|entry): (.+)", file.read_text())
    return [in_prose or ran for in_prose, ran in found]


def words_after(command: str, program: str) -> list[str] | None:
    """Arguments of a program in a command; None if another one is called."""
    words = shlex.split(command, comments=True)
    at = [i for i, word in enumerate(words) if word.rpartition("/")[2] == program][:1]
    return words[at[0] + 1 :] if at == [0] else None


@by_name(NAMING)
def test_targets_of_make_exist(file: Path) -> None:
    named = [words_after(command, "make") for command in spoken(file)]
    assert {words[0] for words in named if words} <= TARGETS


@by_name(NAMING)
def test_tools_are_installed(file: Path) -> None:
    tools = re.findall(r"\.venv/bin/([a-z-]+)", file.read_text())
    assert [tool for tool in tools if not (Path(sys.executable).parent / tool).exists()] == []


def unknown_to_ptum(words: list[str]) -> list[str]:
    """Commands and options that `ptum` does not have; names in capitals stand for anything."""
    known: click.Command = cli
    for word in words:
        if isinstance(known, click.Group) and not word.startswith("-"):
            if word not in known.commands:
                return [word]
            known = known.commands[word]
    options = {name for parameter in known.params for name in parameter.opts} | {"--help"}
    return [word for word in words if word.startswith("-") and word not in options]


@by_name(NAMING)
def test_commands_and_options_of_ptum_exist(file: Path) -> None:
    named = [words_after(command, "ptum") for command in spoken(file)]
    assert [unknown for words in named if words for unknown in unknown_to_ptum(words)] == []


def test_benchmarks_say_what_can_be_measured() -> None:
    command = [sys.executable, "-m", "bench", "--help"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  ([a-z0-9-]+) +[^ -]", said.partition("\nnames:\n")[2], re.MULTILINE)
    assert names == [
        "long",
        "figure-1",
        "sample",
        "models",
        "estimates",
        "tensor",
        "verify",
        "plot",
    ]


def test_what_does_not_exist_is_noticed() -> None:
    assert unknown_to_ptum(["validate", "--list"]) == ["--list"]
    assert unknown_to_ptum(["prove", "lemma-7"]) == ["prove"]
    assert unknown_to_ptum(["verify", "--claim", "lemma-7"]) == []
    assert words_after("empty/bin/ptum --version", "ptum") == ["--version"]
    assert words_after("git log ptum", "ptum") is None
    wheel = ROOT / ".github" / "workflows" / "wheel.yml"
    assert ["verify", "--claim", "lemma-7"] in [words_after(c, "ptum") for c in spoken(wheel)]


NAMED = re.compile(r"\b((?:docs|checks|tests|spec|reference)/[\w/.]*\w)")


@by_name([*PAGES, *FORMS])
def test_files_that_are_named_exist(file: Path) -> None:
    named = set(NAMED.findall(file.read_text())) - MADE
    assert {name for name in named if not (ROOT / name).exists()} == set()


# The recipes: examples that are not here, made of what is here

RECIPES = (ROOT / "CONTRIBUTING.md").read_text()
EXAMPLES = re.findall(r"^ +```python\n(.*?)^ +```$", RECIPES, re.MULTILINE | re.DOTALL)
MADE = set(re.findall(r"`([\w/]+\.py)`:\n\n +```python", RECIPES))
"""Files that whoever follows a recipe makes."""
MADE_MODULES = {f"ptum.{name.removesuffix('.py').replace('/', '.')}" for name in MADE}


def parsed(example: str) -> ast.Module:
    """A module, a statement, or one entry of a table."""
    text = textwrap.dedent(example).rstrip().removesuffix(",")
    entry = text.startswith('"') and not text.startswith('"""')
    return ast.parse(f"{{{text}}}" if entry else text)


def imported(example: str) -> list[tuple[str, str]]:
    """Modules and what is imported of them."""
    found = [
        node
        for node in ast.walk(parsed(example))
        if isinstance(node, ast.ImportFrom) and node.module
    ]
    return [(str(node.module), alias.name) for node in found for alias in node.names]


def known(module: str, name: str) -> bool:
    """Whether a module has a name, or is a package with a module of that name."""
    found = importlib.import_module(module)
    below = hasattr(found, "__path__") and importlib.util.find_spec(f"{module}.{name}")
    return hasattr(found, name) or bool(below)


def test_examples_import_what_there_is() -> None:
    wanted = [one for example in EXAMPLES for one in imported(example)]
    outside = [(module, name) for module, name in wanted if module not in MADE_MODULES]
    assert len(outside) > 40
    assert [one for one in outside if not known(*one)] == []


def test_files_that_a_recipe_makes_are_not_here_and_their_folders_are() -> None:
    assert len(MADE) == 6
    assert {name for name in MADE if (ROOT / name).exists()} == set()
    assert {name for name in MADE if not (ROOT / name).parent.is_dir()} == set()


RECORDS = {name: getattr(records, name) for name in ("Claim", "Part", "Repair", "Erratum")}
CALLED = {**RECORDS, "declare": Counterexample, "Capability": Capability}


def calls() -> list[ast.Call]:
    every = [node for example in EXAMPLES for node in ast.walk(parsed(example))]
    found = [node for node in every if isinstance(node, ast.Call)]
    return [one for one in found if isinstance(one.func, ast.Name) and one.func.id in CALLED]


def test_records_of_the_examples_have_the_fields_that_there_are() -> None:
    seen = set()
    for call in calls():
        name = ast.unparse(call.func)
        given, fields = {word.arg for word in call.keywords}, dataclasses.fields(CALLED[name])
        missing = dataclasses.MISSING
        needed = {f.name for f in fields if f.default is missing and f.default_factory is missing}
        assert needed <= given <= {f.name for f in fields}, ast.unparse(call)
        seen.add(name)
    assert seen == set(CALLED)


@pytest.mark.parametrize("name", ["FOLDERS", "CONTRACTS", "LABELS", "GROUPS", "CLAIMS"])
def test_lists_that_a_recipe_extends_exist(name: str) -> None:
    assert f"`{name}`" in RECIPES
    places = [ROOT / place for place in NAMED.findall(RECIPES) if (ROOT / place).exists()]
    files = [
        file for place in places for file in ([place] if place.is_file() else place.glob("*.py"))
    ]
    assert any(re.search(rf"^{name}\b", file.read_text(), re.MULTILINE) for file in files)
