"""README and docs say what the code does: every block is run, every table is regenerated."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checks import docs
from spec.pseudocode import Line

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(README) if name == language]


def test_readme_is_short() -> None:
    assert len(README.splitlines()) < 200


def test_the_example_is_short() -> None:
    (code,) = blocks("python")
    assert sum(bool(line) for line in code.splitlines()) == 10


@pytest.mark.slow
def test_every_block_shows_what_it_prints() -> None:
    assert len(blocks("console")) >= 2
    assert docs.readme_with_output(README) == README, "stale: run `make docs`"


@pytest.mark.parametrize(("title", "lines", "path"), docs.ALGORITHMS)
def test_every_line_of_an_algorithm_is_carried_out_once(
    title: str, lines: tuple[Line, ...], path: str
) -> None:
    assert [line.number for line in lines] == list(range(1, len(lines) + 1)), title
    for line, found in docs.carried_out(lines, path):
        assert len(found) == (0 if line.idle else 1), line


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_make_targets_that_the_pages_name_exist() -> None:
    pages = [README, *(page.read_text() for page in (ROOT / "docs").glob("*.md"))]
    pages.append((ROOT / "CONTRIBUTING.md").read_text())
    named = {target for page in pages for target in re.findall(r"\bmake ([a-z]+)\b(?=[`\s])", page)}
    assert {"verify", "test"} <= named
    assert {n for n in named if f"`make {n}`" in "".join(pages)} <= make_targets()
    assert {"install", "fast", "types", "lint", "deep", "clean"} <= make_targets()


def test_ptum_commands_that_the_pages_name_exist() -> None:
    from checks.cli import cli

    pages = [README, *(page.read_text() for page in (ROOT / "docs").glob("*.md"))]
    named = {word for page in pages for word in re.findall(r"`ptum ([a-z]+)", page)}
    assert named <= set(cli.commands)


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("name", sorted(docs.PAGES))
def test_generated_pages_are_fresh(name: str) -> None:
    assert (ROOT / name).read_text() == docs.PAGES[name](), "stale: run `make docs`"


def test_generated_table_of_readme_is_fresh() -> None:
    assert docs.readme_with_table(README) == README, "stale: run `make docs`"
