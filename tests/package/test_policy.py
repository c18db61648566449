"""The pages about versions say what the code says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from ptum.checks.judge.judging.verdicts import Conformity
from ptum.spec.vocabulary import Verdict

ROOT = Path(__file__).parents[2]
POLICY = (ROOT / "docs" / "policy.md").read_text()
CONSTANT = re.compile(r'^(?:SCHEMA|PROTOCOL)\b[^=\n]*= "(ptum-[a-z]+/\d+)"', re.MULTILINE)


def in_code() -> dict[str, str]:
    """Every name of a format, and the module that defines it."""
    found: dict[str, str] = {}
    for package in ("spec", "reference", "checks"):
        for path in (ROOT / package).rglob("*.py"):
            module = ".".join(("ptum", *path.relative_to(ROOT).with_suffix("").parts))
            found |= dict.fromkeys(CONSTANT.findall(path.read_text()), module)
    return found


def test_every_schema_is_listed_with_its_module() -> None:
    listed = dict(re.findall(r"^\| `(ptum-[a-z]+/\d+)` \|.*\| `([a-z._]+)` \|$", POLICY, re.M))
    assert listed == in_code()
    assert len(listed) >= 8


def test_every_word_of_a_verdict_is_listed() -> None:
    section = POLICY.partition("## Verdicts")[2].partition("\n## ")[0]
    for word in (*Verdict, *Conformity):
        assert f"`{word.value}`" in section


def test_one_version_everywhere() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    changes = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert changes[0] in (version, "Unreleased")
    assert version in changes
