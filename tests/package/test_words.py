"""Plain words: identifiers and phrases that were given up do not come back.

English words are free; what is listed had a meaning that only this project knew. Exempt are ids of
the ledger, names in stored files (`@stored`) and JSON keys, which are kept as written: these stand
in strings, and only identifiers of Python are looked at there.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("spec", "reference", "checks", "tests", "bench")
PAGES = ("README.md", "CONTRIBUTING.md", "docs/commands.md", "docs/verdicts.md", "docs/policy.md")

NAMES = {
    "EXIT_SURPRISE": "EXIT_MISMATCH",
    "Walk": "Evaluation",
    "from_walk": "from_evaluation",
    "over_walks": "over_evaluations",
    "story_lines": "explanation_lines",
    "sibling": "in_scope",
    "heed": "raise_if_interrupted",
    "ATTENTION": "POLL_SECONDS",
    "count_laws": "binomial",
    "certain_runs": "deterministic_runs",
    "not_asleep": "self_test",
    "vigil": "self_test",
    "stand_ins": "fakes",
    "Atlas": "LoosenessTable",
}
"""What is written in place of each; JSON keys of older releases are fields of the new name."""

KEYS = {"checks/cli/schemas.py": {"sibling"}, "checks/cli/walkthrough.py": {"sibling"}}
"""Keys of `ptum show --run --json` as 0.1.0 has them."""

TWICE = {
    "Between": "the kernel shares no line with the rest",
    "Model": "an example to start from is nobody's import",
    "TransferMode": "printed and repaired code has the same names",
    "Version": "`ptum.Version` is what a user chooses among, without `as-run`",
}
"""Names of classes that two modules may have, with the reason."""

PHRASES = (
    "not as the ledger expects",
    "Random trials mislead",
    "its story",
    "walks through its counterexamples",
    "make atlas",
)


def old_names(code: str) -> Iterator[str]:
    """Identifiers of a module that were given up."""
    if NAMES.keys().isdisjoint(re.findall(r"\w+", code)):
        return  # tokens take long
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.NAME and token.string in NAMES:
            yield token.string


def modules() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def test_no_module_has_a_name_that_was_given_up() -> None:
    found = {}
    for path in modules():
        place = path.relative_to(ROOT).as_posix()
        words = set(old_names(path.read_text(encoding="utf-8"))) - KEYS.get(place, set())
        if words:
            found[place] = {word: NAMES[word] for word in words}
    assert len(modules()) > 500
    assert found == {}


def public_classes(paths: Iterable[Path]) -> dict[str, list[str]]:
    """The modules that declare a class of each name, but for names with an underscore."""
    found = defaultdict(list)
    for path in paths:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.as_posix())
    return found


def test_a_class_name_has_one_meaning() -> None:
    sources = [path for path in modules() if path.relative_to(ROOT).parts[0] != "tests"]
    classes = public_classes([*sources, ROOT / "ptum" / "front.py"])
    twice = {name: places for name, places in classes.items() if len(places) > 1}
    assert twice.keys() == TWICE.keys(), twice


def test_a_class_name_with_two_meanings_is_seen(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("class Case: ...\nclass _Own: ...\n", encoding="utf-8")
    assert {
        name: len(places) for name, places in public_classes(tmp_path.glob("*.py")).items()
    } == {"Case": 2}


@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_a_phrase_that_was_given_up(page: str) -> None:
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert [phrase for phrase in PHRASES if phrase in text] == []


def test_an_old_name_is_seen_and_a_key_in_a_string_is_not() -> None:
    assert list(old_names("x = over_walks(walks)\n")) == ["over_walks"]
    assert list(old_names('y = row["sibling"]  # Walk\n')) == []
