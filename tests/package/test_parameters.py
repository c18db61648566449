"""Long parameter lists: bundled, or the paper's own, and then model numbers go by keyword."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("spec", "reference", "checks", "ptum")
MOST = 6

BY_POSITION = {
    "cli/__init__.py": "click passes the options of a command by their names",
    "judge/capabilities/": "an implementation gets the fields of a request by their names",
    "judge/examples/": "a program to start from, written as its author would",
    "sequential/spectral.py": "lines 6-10 of Algorithm 3 in one function",
    "reference/experiments/": "Algorithm 2 as it was run: the pieces of the loop, no numbers",
    "engine/slack.py": "arrays of one block, which no caller has together otherwise",
    "judge/results/report.py": "the keys of the JSON file, in their order",
}
"""Modules with functions of more than six parameters by position, with the reason."""


def by_position(code: str) -> Iterator[tuple[str, int]]:
    """Functions, with how many of their parameters can be given by position alone."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef):
            named = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
            yield node.name, sum(name not in ("self", "cls") for name in named)


def test_nobody_takes_more_than_six_parameters_by_position() -> None:
    found: dict[str, list[str]] = {}
    excused: set[str] = set()
    for path in (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if long := [name for name, count in by_position(path.read_text("utf-8")) if count > MOST]:
            known = [part for part in BY_POSITION if part in place]
            found |= {} if known else {place: long}
            excused.update(known)
    assert found == {}
    assert excused == BY_POSITION.keys()


def test_a_seventh_parameter_is_seen_and_keywords_are_not() -> None:
    assert list(by_position("def f(self, a, b, c, d, e, f, g): ...")) == [("f", 7)]
    assert list(by_position("def f(a, b, *, c, d, e, f, g): ...")) == [("f", 2)]
