"""The last table of each page of proofs: every step has one tag, and the tag is deserved."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from ptum.checks.claims import registry
from ptum.spec.vocabulary import CheckKind
from tests.theory.steps import STEPS

DOCS = Path(__file__).parents[2] / "docs"
TAGS = ("machine", "exact", "read")
TAG = re.compile(rf"\[({'|'.join(TAGS)})\]")
NAME = re.compile(r"`([^`]+)`")
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|([^|]*)\|$", re.MULTILINE)
NUMBERED = {
    "repaired_transfer.md": r"^\*\*(?:Step )?([0-7]|A[1-4])\b",
    "repaired_sequential.md": r"^\*\*([BCW]\d|[PM]|Theorem \d′) \(",
    "sequential_limits.md": r"^## (\([a-z]\))",
    "open_questions.md": r"^## (\([a-z]\))",
    "fallback.md": r"^\*\*Step (\d)",
}
"""What is a numbered step of a page; A5 belongs to Proposition O."""
FEWEST = {
    "repaired_transfer.md": 12,
    "repaired_sequential.md": 17,
    "sequential_limits.md": 2,
    "open_questions.md": 4,
    "fallback.md": 3,
}
WITHOUT_ROUNDING = {CheckKind.EXACT, CheckKind.SYMBOLIC}


@dataclass(frozen=True)
class TagRow:
    step: str
    tag: str
    others: str

    @property
    def tags(self) -> list[str]:
        return TAG.findall(f"{self.step} {self.tag} {self.others}")

    @property
    def names(self) -> list[str]:
        """What gave the tag: steps of the solver, or checks."""
        return NAME.findall(self.tag)


def rows(text: str) -> list[TagRow]:
    table = text.rpartition("| --- | --- | --- |\n")[2]
    return [TagRow(*cells) for cells in ROW.findall(table)]


def faults(text: str, known: set[str]) -> list[str]:
    """What is wrong with the tags of a page on which these steps of the solver belong."""
    table = rows(text)
    found = [f"not one tag: {row.step}" for row in table if len(row.tags) != 1]
    by_tag = {tag: [row for row in table if row.tags == [tag]] for tag in TAGS}
    machine = Counter(name for row in by_tag["machine"] for name in row.names)
    found += [f"not a step: {name}" for name in machine.keys() - known]
    found += [f"without a row: {name}" for name in known - machine.keys()]
    found += [f"in two rows: {name}" for name, times in machine.items() if times > 1]
    for row in by_tag["machine"] + by_tag["exact"]:
        found += [] if row.names else [f"by what? {row.step}"]
    for row in by_tag["exact"]:
        found += [f"not exact: {name}" for name in row.names if not exact(name)]
    found += [f"read, and more: {row.step}" for row in by_tag["read"] if row.names]
    return found


def exact(check: str) -> bool:
    return check in registry() and registry()[check].kind in WITHOUT_ROUNDING


def untagged(text: str, numbered: str) -> set[str]:
    """Numbered steps of the page with which no row begins."""
    table = rows(text)
    return {
        step
        for step in re.findall(numbered, text, re.MULTILINE)
        if not any(re.match(rf"(\w+, )?{re.escape(step)}(?!\w)", row.step) for row in table)
    }


@pytest.mark.parametrize("name", STEPS)
def test_every_tag_is_deserved(name: str) -> None:
    text = (DOCS / name).read_text()
    assert faults(text, {step.name for step in STEPS[name]}) == []
    others = {check for row in rows(text) for check in NAME.findall(row.others)}
    assert others - registry().keys() == set()


@pytest.mark.parametrize("name", STEPS)
def test_every_numbered_step_is_tagged(name: str) -> None:
    text = (DOCS / name).read_text()
    assert len(set(re.findall(NUMBERED[name], text, re.MULTILINE))) >= FEWEST[name]
    assert untagged(text, NUMBERED[name]) == set()


def telling(c: str) -> str | None:
    """What a page shows of a constant, or None where a match would say nothing: 1, 2/9, 1/64."""
    if "." in c:
        return re.sub(r"(\.\d{3})\d+", r"\1", c)
    return c if c.isdigit() and int(c) >= 10 else None


def missing(text: str, constants: list[str]) -> list[str]:
    shown = [number for number in map(telling, constants) if number]
    return [
        number for number in shown if not re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", text)
    ]


@pytest.mark.parametrize("name", STEPS)
def test_constants_of_the_steps_stand_on_the_page(name: str) -> None:
    text = (DOCS / name).read_text().rpartition("| --- | --- | --- |\n")[0]
    assert missing(text, [step.c for step in STEPS[name] if step.c]) == []


def test_a_constant_that_a_page_does_not_have_is_noticed() -> None:
    text = "below $0.383x$, with 21.904\\dots and 128"
    assert missing(text, ["0.383", "21.90428", "128", "1", "2/9"]) == []
    assert missing(text, ["0.83", "21.905", "28", "23"]) == ["0.83", "21.905", "28", "23"]


GOOD = """**Step 1: a.** **Step 2: b.**
| step | tag, and by what | other checks |
| --- | --- | --- |
| 1, a | [machine] `slack` | |
| 2, b | [exact] `lemma-5.policy/drawn-pairs` | |
| 2, c | [read] | `lemma-5.policy/drawn-pairs` |
"""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[read]", "[read] [exact]", "not one tag: 2, c"),
        ("[read]", "read", "not one tag: 2, c"),
        ("`slack`", "`slick`", "not a step: slick"),
        ("`slack`", "", "without a row: slack"),
        ("[machine] `slack`", "[machine] `slack`, `slack`", "in two rows: slack"),
        ("[exact] `lemma-5.policy/drawn-pairs`", "[exact]", "by what? 2, b"),
        ("[exact] `lemma-5.policy", "[exact] `lemma-5.no", "not exact: lemma-5.no/drawn-pairs"),
        (
            "[exact] `lemma-5.policy/drawn-pairs`",
            "[exact] `theorem-1.correct/repaired-drawn`",
            "not exact: theorem-1.correct/repaired-drawn",
        ),
        ("[read]", "[read] `slack`", "read, and more: 2, c"),
    ],
)
def test_a_wrong_tag_is_noticed(old: str, new: str, fault: str) -> None:
    assert faults(GOOD, {"slack"}) == []
    assert fault in faults(GOOD.replace(old, new), {"slack"})


def test_a_step_without_a_row_is_noticed() -> None:
    text = GOOD.replace("| 1, a", "| 11, a")
    numbered = r"\*\*Step (\d)"
    assert untagged(GOOD, numbered) == set()
    assert untagged(text, numbered) == {"1"}
